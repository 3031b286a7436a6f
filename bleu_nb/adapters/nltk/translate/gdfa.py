"""The names of `nltk.translate.gdfa`, which `Forwarded` reads and assigns there."""
