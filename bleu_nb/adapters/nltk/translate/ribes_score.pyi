from typing import Any

from nltk.translate.ribes_score import *

def __getattr__(name: str) -> Any: ...
