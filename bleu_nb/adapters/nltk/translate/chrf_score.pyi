from typing import Any

from nltk.translate.chrf_score import *

def __getattr__(name: str) -> Any: ...
