"""The names of `sacrebleu.dataset.fake_sgml`, which `Forwarded` reads and assigns there."""
