from typing import Any

from nltk.translate.ibm3 import *

def __getattr__(name: str) -> Any: ...
