from typing import Any

from nltk.translate.ibm1 import *

def __getattr__(name: str) -> Any: ...
