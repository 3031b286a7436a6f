from typing import Any

from nltk.translate.gale_church import *

def __getattr__(name: str) -> Any: ...
