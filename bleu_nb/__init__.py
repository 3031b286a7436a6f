"""BLEU derived in notebooks that are its library, its tutorial and its tests."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # As in `typing`, whose import takes longer than all of this
if TYPE_CHECKING:
    from bleu_nb.bleu import BleuScore, BleuStats, count_segment, pool
    from bleu_nb.brevity import brevity_penalty, closest_length
    from bleu_nb.formula import score_stats
    from bleu_nb.dialect_table import DIALECTS, Dialect, dialects
    from bleu_nb.metric import Bleu, corpus_bleu, sentence_bleu
    from bleu_nb.evaluation_sets import EvaluationSet, test_set
    from bleu_nb.explanation import explain
    from bleu_nb.identification import identify
    from bleu_nb.file_scores import file_bleu
    from bleu_nb.comparing import compare_systems
    from bleu_nb.ranking import rank_systems
    from bleu_nb.matrices import pairwise, pairwise_corpora
    from bleu_nb.diversity import self_bleu
    from bleu_nb.consensus import mbr
    from bleu_nb.similarity import near_duplicates
    from bleu_nb.with_evaluate import evaluate_script
    from bleu_nb.ngram_counting import ngram_counts, ngrams
    from bleu_nb.precision import clipped_counts, clipped_precision, naive_precision
    from bleu_nb.smoothers import SMOOTHINGS, smooth
    from bleu_nb.tokenizers import TOKENIZERS, tokenize

__all__ = [
    "DIALECTS",
    "SMOOTHINGS",
    "TOKENIZERS",
    "Bleu",
    "BleuScore",
    "BleuStats",
    "Dialect",
    "EvaluationSet",
    "brevity_penalty",
    "clipped_counts",
    "clipped_precision",
    "closest_length",
    "compare_systems",
    "corpus_bleu",
    "count_segment",
    "dialects",
    "evaluate_script",
    "explain",
    "file_bleu",
    "identify",
    "mbr",
    "naive_precision",
    "near_duplicates",
    "ngram_counts",
    "ngrams",
    "pairwise",
    "pairwise_corpora",
    "pool",
    "rank_systems",
    "score_stats",
    "self_bleu",
    "sentence_bleu",
    "smooth",
    "test_set",
    "tokenize",
]

# Where each name is, from the basic modules to those that import them.
_MODULES = (
    "ngram_counting",
    "precision",
    "brevity",
    "bleu",
    "formula",
    "smoothers",
    "tokenizers",
    "dialect_table",
    "metric",
    "evaluation_sets",
    "explanation",
    "identification",
    "file_scores",
    "comparing",
    "ranking",
    "with_evaluate",
    "matrices",
    "diversity",
    "consensus",
    "similarity",
)


def __getattr__(name: str) -> object:
    """A name of `__all__`, imported when it is first asked for: the command starts before that."""
    from importlib import import_module

    if name in __all__:
        for module in _MODULES:
            found = import_module(f"bleu_nb.{module}")
            if name in found.__all__:
                globals()[name] = getattr(found, name)
                return globals()[name]
    elif name in _MODULES:
        return import_module(f"bleu_nb.{name}")
    raise AttributeError(f"module 'bleu_nb' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Every name, whether it was asked for or not."""
    return sorted({*globals(), *__all__})
