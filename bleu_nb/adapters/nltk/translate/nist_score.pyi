from typing import Any

from nltk.translate.nist_score import *

def __getattr__(name: str) -> Any: ...
