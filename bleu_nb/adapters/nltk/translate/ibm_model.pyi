from typing import Any

from nltk.translate.ibm_model import *

def __getattr__(name: str) -> Any: ...
