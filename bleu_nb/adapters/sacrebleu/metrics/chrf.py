"""The names of `sacrebleu.metrics.chrf`, which `Forwarded` reads and assigns there."""
