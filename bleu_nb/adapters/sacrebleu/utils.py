"""The names of `sacrebleu.utils`, which `Forwarded` reads and assigns there."""
