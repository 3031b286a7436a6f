"""The names of `sacrebleu.tokenizers.tokenizer_char`, which `Forwarded` reads and assigns there."""
