from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEUScore as BLEUScore
from sacrebleu.metrics.chrf import CHRF as CHRF
from sacrebleu.metrics.chrf import CHRFScore as CHRFScore
from sacrebleu.metrics.ter import TER as TER
from sacrebleu.metrics.ter import TERScore as TERScore

from . import base as base
from . import bleu as bleu
from . import chrf as chrf
from . import helpers as helpers
from . import lib_ter as lib_ter
from . import ter as ter
from .bleu import BLEU as BLEU

METRICS: dict[str, type[Metric]]
