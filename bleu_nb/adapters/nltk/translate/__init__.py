"""BLEU counted by this package; the other names are those of `nltk.translate`."""

from bleu_nb.adapters._forwarded import forward

forward(__name__)   # Before it gets submodules

from bleu_nb.adapters.nltk.translate.bleu_score import *
from bleu_nb.adapters.nltk.translate.bleu_score import sentence_bleu as bleu
