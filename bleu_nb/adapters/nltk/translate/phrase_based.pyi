from typing import Any

from nltk.translate.phrase_based import *

def __getattr__(name: str) -> Any: ...
