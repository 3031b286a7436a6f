"""sacreBLEU's command, `main`; the other names are those of `sacrebleu.sacrebleu`."""

from bleu_nb.adapters.sacrebleu.drop_in import run_command as main
