"""BLEU derived in notebooks that are its library, its tutorial and its tests."""

__version__ = "0.1.0"

from bleu_nb.bleu import BleuScore, BleuStats, count_segment, pool, score_stats
from bleu_nb.brevity import brevity_penalty, closest_length
from bleu_nb.dialect_table import DIALECTS, Bleu, Dialect, corpus_bleu, dialects, sentence_bleu
from bleu_nb.explanation import explain, identify
from bleu_nb.ngram_counting import ngram_counts, ngrams
from bleu_nb.precision import clipped_counts, clipped_precision, naive_precision
from bleu_nb.smoothing import SMOOTHINGS, smooth
from bleu_nb.tokenizers import TOKENIZERS, tokenize

__all__ = [
    "DIALECTS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "Bleu",
    "BleuScore",
    "BleuStats",
    "Dialect",
    "brevity_penalty",
    "clipped_counts",
    "clipped_precision",
    "closest_length",
    "corpus_bleu",
    "count_segment",
    "dialects",
    "explain",
    "identify",
    "naive_precision",
    "ngram_counts",
    "ngrams",
    "pool",
    "score_stats",
    "sentence_bleu",
    "smooth",
    "tokenize",
]
