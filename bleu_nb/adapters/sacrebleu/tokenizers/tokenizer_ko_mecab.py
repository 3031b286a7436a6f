"""The names of `sacrebleu.tokenizers.tokenizer_ko_mecab`, which `Forwarded` reads and assigns there."""
