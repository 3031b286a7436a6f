"""The names of `nltk.translate.ibm4`, which `Forwarded` reads and assigns there."""
