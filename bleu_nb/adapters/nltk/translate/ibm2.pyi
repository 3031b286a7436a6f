from typing import Any

from nltk.translate.ibm2 import *

def __getattr__(name: str) -> Any: ...
