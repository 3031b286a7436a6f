"""The names of `sacrebleu.tokenizers.tokenizer_intl`, which `Forwarded` reads and assigns there."""
