from typing import Any

from nltk.translate.api import *

def __getattr__(name: str) -> Any: ...
