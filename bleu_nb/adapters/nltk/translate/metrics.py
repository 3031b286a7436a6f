"""The names of `nltk.translate.metrics`, which `Forwarded` reads and assigns there."""
