"""The names of `sacrebleu.tokenizers.tokenizer_ja_mecab`, which `Forwarded` reads and assigns there."""
