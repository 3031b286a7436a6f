from typing import Any

from nltk.translate.metrics import *

def __getattr__(name: str) -> Any: ...
