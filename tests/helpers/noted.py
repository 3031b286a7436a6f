"""What a call warns of."""

import warnings
from collections.abc import Callable


def noted(
    call: Callable[[], object], kind: type[Warning] = Warning
) -> list[warnings.WarningMessage]:
    """Every warning of a kind, however often it came up before."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    return [each for each in told if issubclass(each.category, kind)]
