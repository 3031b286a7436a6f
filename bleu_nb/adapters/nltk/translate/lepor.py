"""The names of `nltk.translate.lepor`, which `Forwarded` reads and assigns there."""
