from typing import Any

from nltk.translate import *

from . import api as api
from . import bleu_score as bleu_score
from . import chrf_score as chrf_score
from . import gale_church as gale_church
from . import gdfa as gdfa
from . import gleu_score as gleu_score
from . import ibm1 as ibm1
from . import ibm2 as ibm2
from . import ibm3 as ibm3
from . import ibm4 as ibm4
from . import ibm5 as ibm5
from . import ibm_model as ibm_model
from . import lepor as lepor
from . import meteor_score as meteor_score
from . import metrics as metrics
from . import nist_score as nist_score
from . import phrase_based as phrase_based
from . import ribes_score as ribes_score
from . import stack_decoder as stack_decoder
from .bleu_score import *
from .bleu_score import sentence_bleu

bleu = sentence_bleu

def __getattr__(name: str) -> Any: ...
