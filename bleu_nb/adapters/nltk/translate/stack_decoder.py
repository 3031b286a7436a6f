"""The names of `nltk.translate.stack_decoder`, which `Forwarded` reads and assigns there."""
