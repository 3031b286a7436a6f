"""The names of `sacrebleu.tokenizers`, which `Forwarded` reads and assigns there."""
