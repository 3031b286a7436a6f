"""The names of `nltk.translate.ibm2`, which `Forwarded` reads and assigns there."""
