"""The names of `nltk.translate.ribes_score`, which `Forwarded` reads and assigns there."""
