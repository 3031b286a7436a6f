"""torchtext's answers, as recorded.

torchtext needs torch, which not every environment has, so its answers on fixed cases are kept in
`recorded/torchtext.json`. Where torchtext is installed, this makes them:
`PYTHONPATH=tests/helpers python tests/derivation/test_oracles.py`.
"""

import json
import random
from collections.abc import Callable
from importlib.metadata import version

import pytest
from data import RECORDED, oracle

from bleu_nb import Bleu

RECORD = RECORDED / "torchtext.json"
SEED, NUMBER = 2002, 200

Tokens = list[str]

def ours(candidates: list[Tokens], references: list[list[Tokens]]) -> float:
    """Our score by torchtext's row."""
    return Bleu("torchtext")(candidates, references).value


def theirs(candidates: list[Tokens], references: list[list[Tokens]]) -> float:
    """Its own, where torchtext is installed."""
    return float(oracle("torchtext.data.metrics").bleu_score(candidates, references))


@pytest.mark.parametrize("score", [ours, theirs])
def test_torchtext_as_recorded(score: Callable[..., float]) -> None:
    """To a step of single precision at 1."""
    cases = json.loads(RECORD.read_text(encoding="utf-8"))["cases"]
    for case in cases:
        candidates = [text.split() for text in case["candidates"]]
        references = [[text.split() for text in group] for group in case["references"]]
        assert abs(score(candidates, references) - case["score"]) <= 1.2e-7, case
    assert len(cases) == NUMBER


def record() -> None:
    """Run torchtext on cases drawn with a fixed seed, and keep its answers."""
    from torchtext.data.metrics import bleu_score

    draw = random.Random(SEED)

    def sentence(words: str, longest: int) -> Tokens:
        return [draw.choice(words) for _ in range(draw.randint(0, longest))]

    cases = []
    for number in range(NUMBER):
        words, longest = ("ab", 9) if number % 2 else ("abcd", 20)
        segments = range(draw.randint(1, 5))
        candidates = [sentence(words, longest) for _ in segments]
        references = [
            [sentence(words, longest) for _ in range(draw.randint(1, 3))] for _ in segments
        ]
        cases.append({
            "candidates": [" ".join(candidate) for candidate in candidates],
            "references": [[" ".join(each) for each in group] for group in references],
            "score": bleu_score(candidates, references),
        })
    made_with = {name: version(name).partition("+")[0] for name in ("torchtext", "torch")}
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    text = f'{{"made_with": {json.dumps(made_with)}, "seed": {SEED}, "cases": [\n{rows}\n]}}\n'
    RECORD.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    record()
