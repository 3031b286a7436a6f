"""The names of `nltk.translate.api`, which `Forwarded` reads and assigns there."""
