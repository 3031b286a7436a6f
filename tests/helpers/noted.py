"""What a call warns of, and which functions it calls."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest


def noted(
    call: Callable[[], object], kind: type[Warning] = Warning
) -> list[warnings.WarningMessage]:
    """Every warning of a kind, however often it came up before."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        call()
    return [each for each in told if issubclass(each.category, kind)]


def watch(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """The arguments of each call of a function, as its module calls it."""
    calls, whole = [], getattr(module, name)

    def watched(*arguments: Any, **choices: Any) -> Any:
        calls.append(arguments)
        return whole(*arguments, **choices)

    monkeypatch.setattr(module, name, watched)
    return calls
