from typing import Any

from nltk.translate.stack_decoder import *

def __getattr__(name: str) -> Any: ...
