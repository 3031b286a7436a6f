"""The names of `sacrebleu.significance`, which `Forwarded` reads and assigns there."""
