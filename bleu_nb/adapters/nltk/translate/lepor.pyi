from typing import Any

from nltk.translate.lepor import *

def __getattr__(name: str) -> Any: ...
