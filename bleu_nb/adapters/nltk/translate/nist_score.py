"""The names of `nltk.translate.nist_score`, which `Forwarded` reads and assigns there."""
