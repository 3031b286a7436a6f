from typing import Any

from nltk.translate.gdfa import *

def __getattr__(name: str) -> Any: ...
