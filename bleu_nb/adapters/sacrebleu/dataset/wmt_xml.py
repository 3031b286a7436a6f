"""The names of `sacrebleu.dataset.wmt_xml`, which `Forwarded` reads and assigns there."""
