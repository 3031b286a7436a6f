from typing import Any

from nltk import *

from . import translate as translate
from .translate import bleu as bleu
from .translate import bleu_score as bleu_score
from .translate.bleu_score import *

def __getattr__(name: str) -> Any: ...
