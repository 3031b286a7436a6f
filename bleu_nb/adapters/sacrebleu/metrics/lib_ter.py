"""The names of `sacrebleu.metrics.lib_ter`, which `Forwarded` reads and assigns there."""
