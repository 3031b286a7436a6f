"""The names of `nltk.translate.ibm3`, which `Forwarded` reads and assigns there."""
