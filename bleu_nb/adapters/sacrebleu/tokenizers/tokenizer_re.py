"""The names of `sacrebleu.tokenizers.tokenizer_re`, which `Forwarded` reads and assigns there."""
