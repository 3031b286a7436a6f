"""The names of `sacrebleu.metrics.base`, which `Forwarded` reads and assigns there."""
