from typing import Any

from nltk.translate.meteor_score import *

def __getattr__(name: str) -> Any: ...
