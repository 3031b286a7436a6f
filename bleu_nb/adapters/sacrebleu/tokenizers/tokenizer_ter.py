"""The names of `sacrebleu.tokenizers.tokenizer_ter`, which `Forwarded` reads and assigns there."""
