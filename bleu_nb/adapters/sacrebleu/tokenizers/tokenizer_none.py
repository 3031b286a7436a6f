"""The names of `sacrebleu.tokenizers.tokenizer_none`, which `Forwarded` reads and assigns there."""
