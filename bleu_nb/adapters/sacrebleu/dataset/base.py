"""The names of `sacrebleu.dataset.base`, which `Forwarded` reads and assigns there."""
