"""The names of `sacrebleu.tokenizers.tokenizer_spm`, which `Forwarded` reads and assigns there."""
