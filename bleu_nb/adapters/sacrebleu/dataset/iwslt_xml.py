"""The names of `sacrebleu.dataset.iwslt_xml`, which `Forwarded` reads and assigns there."""
