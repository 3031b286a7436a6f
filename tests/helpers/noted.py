"""What a call warns of."""

import warnings
from collections.abc import Callable


def noted(call: Callable[[], object]) -> list[warnings.WarningMessage]:
    """Every warning, however often it came up before."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    return told
