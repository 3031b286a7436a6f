"""The names of `sacrebleu.dataset.tsv`, which `Forwarded` reads and assigns there."""
