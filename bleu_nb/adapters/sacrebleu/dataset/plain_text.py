"""The names of `sacrebleu.dataset.plain_text`, which `Forwarded` reads and assigns there."""
