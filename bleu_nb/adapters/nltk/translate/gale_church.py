"""The names of `nltk.translate.gale_church`, which `Forwarded` reads and assigns there."""
