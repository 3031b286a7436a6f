from typing import Any

from nltk.translate.ibm5 import *

def __getattr__(name: str) -> Any: ...
