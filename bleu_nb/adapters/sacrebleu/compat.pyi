from collections.abc import Sequence

from sacrebleu.compat import corpus_chrf as corpus_chrf
from sacrebleu.compat import corpus_ter as corpus_ter
from sacrebleu.compat import sentence_chrf as sentence_chrf
from sacrebleu.compat import sentence_ter as sentence_ter
from sacrebleu.metrics.bleu import BLEUScore as BLEUScore
from sacrebleu.metrics.chrf import CHRF as CHRF
from sacrebleu.metrics.chrf import CHRFScore as CHRFScore
from sacrebleu.metrics.ter import TER as TER
from sacrebleu.metrics.ter import TERScore as TERScore

from .drop_in import BLEU as BLEU

def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = False,
) -> BLEUScore: ...
def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = 0.1,
) -> BLEUScore: ...
def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = True,
) -> BLEUScore: ...
