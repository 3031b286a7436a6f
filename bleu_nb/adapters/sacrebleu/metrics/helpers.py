"""The names of `sacrebleu.metrics.helpers`, which `Forwarded` reads and assigns there."""
