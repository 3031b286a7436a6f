"""The names of `sacrebleu.metrics.ter`, which `Forwarded` reads and assigns there."""
