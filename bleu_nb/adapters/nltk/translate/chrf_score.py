"""The names of `nltk.translate.chrf_score`, which `Forwarded` reads and assigns there."""
