"""The metric `BLEU` and the table `METRICS`; the other names are those of `sacrebleu.metrics`."""

from sacrebleu.metrics import METRICS

from bleu_nb.adapters.sacrebleu.drop_in import BLEU

METRICS = {**METRICS, "BLEU": BLEU}
