# The names of `bleu_nb`: type checkers read where each is, and so does `_lazy.find_names`.

from .derivation.bleu import BleuScore as BleuScore
from .derivation.bleu import BleuStats as BleuStats
from .diagnosis.explanation import explain as explain
from .diagnosis.identification import identify as identify
from .dialects.table import DIALECTS as DIALECTS
from .dialects.table import Dialect as Dialect
from .dialects.table import list_dialects as list_dialects
from .dialects.more_tokenizers import tokenize as tokenize
from .files.evaluation_sets import evaluation_set as evaluation_set
from .files.file_scoring import file_bleu as file_bleu
from .pairs.bayes_risk import mbr as mbr
from .pairs.diversity import self_bleu as self_bleu
from .pairs.score_matrix import pairwise_bleu as pairwise_bleu
from .scoring.counts import Counts as Counts
from .scoring.metric import Bleu as Bleu
from .scoring.metric import corpus_bleu as corpus_bleu
from .scoring.metric import sentence_bleu as sentence_bleu
from .significance.compare import compare_systems as compare_systems
from .significance.compare import rank_systems as rank_systems

__version__: str
