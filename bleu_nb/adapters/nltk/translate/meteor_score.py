"""The names of `nltk.translate.meteor_score`, which `Forwarded` reads and assigns there."""
