"""`python -m bleu_nb.adapters.sacrebleu`: sacreBLEU's command, with BLEU counted by this package."""

from bleu_nb.adapters.sacrebleu.drop_in import run_command

if __name__ == "__main__":
    run_command()
