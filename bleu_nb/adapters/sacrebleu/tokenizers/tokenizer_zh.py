"""The names of `sacrebleu.tokenizers.tokenizer_zh`, which `Forwarded` reads and assigns there."""
