"""The names of `nltk.translate.ibm1`, which `Forwarded` reads and assigns there."""
