"""The names of `sacrebleu.dataset`, which `Forwarded` reads and assigns there."""
