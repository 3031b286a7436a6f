"""torchtext's answers, as recorded: it needs torch, which not every environment has."""

from collections.abc import Callable

import pytest
from data import RECORDED, oracle, read_json

from bleu_nb import Bleu

CASES = read_json(RECORDED / "torchtext.json")["cases"]


@pytest.mark.parametrize("score", [
    lambda *sides: Bleu("torchtext")(*sides).value,
    lambda *sides: oracle("torchtext.data.metrics").bleu_score(*sides)], ids=["ours", "theirs"])
def test_torchtext_as_recorded(score: Callable[..., float]) -> None:
    """To a step of single precision at 1."""
    assert len(CASES) == 200
    for case in CASES:
        assert abs(score(
            [text.split() for text in case["candidates"]],
            [[text.split() for text in group] for group in case["references"]],
        ) - case["score"]) <= 1.2e-7, case
