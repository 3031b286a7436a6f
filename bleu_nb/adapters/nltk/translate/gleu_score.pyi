from typing import Any

from nltk.translate.gleu_score import *

def __getattr__(name: str) -> Any: ...
