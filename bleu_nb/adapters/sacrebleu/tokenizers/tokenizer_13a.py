"""The names of `sacrebleu.tokenizers.tokenizer_13a`, which `Forwarded` reads and assigns there."""
