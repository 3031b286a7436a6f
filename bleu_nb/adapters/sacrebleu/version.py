"""The names of `sacrebleu.version`, which `Forwarded` reads and assigns there."""
