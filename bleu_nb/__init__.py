"""BLEU derived in notebooks that are its library, its tutorial and its tests."""

__version__ = "0.9.0"

from bleu_nb._lazy import find_names

TYPE_CHECKING = False  # As in `typing`, whose import takes longer than all of this
if TYPE_CHECKING:
    from bleu_nb.derivation.bleu import BleuScore, BleuStats
    from bleu_nb.diagnosis.explanation import explain
    from bleu_nb.diagnosis.identification import identify
    from bleu_nb.dialects.table import DIALECTS, Dialect, list_dialects
    from bleu_nb.dialects.tokenizers import tokenize
    from bleu_nb.files.evaluation_sets import evaluation_set
    from bleu_nb.files.file_scoring import file_bleu
    from bleu_nb.pairs.bayes_risk import mbr
    from bleu_nb.pairs.diversity import self_bleu
    from bleu_nb.pairs.score_matrix import pairwise_bleu
    from bleu_nb.scoring.counts import Counts
    from bleu_nb.scoring.metric import Bleu, corpus_bleu, sentence_bleu
    from bleu_nb.significance.compare import compare_systems
    from bleu_nb.significance.rank import rank_systems

__all__ = [
    "Bleu",
    "BleuScore",
    "BleuStats",
    "Counts",
    "DIALECTS",
    "Dialect",
    "compare_systems",
    "corpus_bleu",
    "evaluation_set",
    "explain",
    "file_bleu",
    "identify",
    "list_dialects",
    "mbr",
    "pairwise_bleu",
    "rank_systems",
    "self_bleu",
    "sentence_bleu",
    "tokenize",
]

# The module of each name; a folder's own `__init__` finds what else it has.
_PLACES = {
    "Bleu": "scoring.metric",
    "BleuScore": "derivation.bleu",
    "BleuStats": "derivation.bleu",
    "Counts": "scoring.counts",
    "DIALECTS": "dialects.table",
    "Dialect": "dialects.table",
    "compare_systems": "significance.compare",
    "corpus_bleu": "scoring.metric",
    "evaluation_set": "files.evaluation_sets",
    "explain": "diagnosis.explanation",
    "file_bleu": "files.file_scoring",
    "identify": "diagnosis.identification",
    "list_dialects": "dialects.table",
    "mbr": "pairs.bayes_risk",
    "pairwise_bleu": "pairs.score_matrix",
    "rank_systems": "significance.rank",
    "self_bleu": "pairs.diversity",
    "sentence_bleu": "scoring.metric",
    "tokenize": "dialects.tokenizers",
}

_FOLDERS = ("adapters", "cli", "derivation", "diagnosis", "dialects", "display", "engines",
            "files", "pairs", "scoring", "significance")

if not TYPE_CHECKING:
    __getattr__, __dir__ = find_names(__name__, _PLACES, _FOLDERS)
