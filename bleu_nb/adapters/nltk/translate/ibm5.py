"""The names of `nltk.translate.ibm5`, which `Forwarded` reads and assigns there."""
