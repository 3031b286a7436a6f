"""The metric `BLEU` and its signature; the other names are those of `sacrebleu.metrics.bleu`."""

from bleu_nb.adapters.sacrebleu.drop_in import BLEU, BLEUSignature
