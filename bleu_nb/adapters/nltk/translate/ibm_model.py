"""The names of `nltk.translate.ibm_model`, which `Forwarded` reads and assigns there."""
