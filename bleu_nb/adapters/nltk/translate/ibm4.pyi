from typing import Any

from nltk.translate.ibm4 import *

def __getattr__(name: str) -> Any: ...
