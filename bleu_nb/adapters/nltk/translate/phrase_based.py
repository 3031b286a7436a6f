"""The names of `nltk.translate.phrase_based`, which `Forwarded` reads and assigns there."""
