"""The names of `nltk.translate.gleu_score`, which `Forwarded` reads and assigns there."""
