"""The names of `sacrebleu.tokenizers.tokenizer_base`, which `Forwarded` reads and assigns there."""
