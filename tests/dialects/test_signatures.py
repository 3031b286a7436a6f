"""Equal signatures of the same text mean equal scores, whatever options are passed where."""

import json
import math
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import run_command

from bleu_nb import DIALECTS, Bleu, BleuScore, corpus_bleu, file_bleu
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.derivation.bleu import list_credits
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.dialects.table import CHOICES

NUMBER = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 250
LINES = ["The cat sat on the mat, today.", "no dog  ", "\u6771\u4eac a\u00a0b 1,000.50 it's ok",
         "the the the"]
OTHERS = [["the cat sat on a mat, today!", "A cat sat."], ["No dog", "no dog at all"],
          ["\u6771\u4eac a b 1,000.5 it's OK", "x"], ["the", "the cat the"]]


def first(number: int, text: str) -> list[str]:
    """The first tokens of a text."""
    return text.split()[:number]


def limited(number: int) -> Callable[[str], list[str]]:
    """A closure over a number."""
    return lambda text: text.split()[:number]


class First:
    """A tokenizer whose instances differ in a number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, text: str) -> list[str]:
        return text.split()[:self.number]

    def split(self, text: str) -> list[str]:
        """The same as a method."""
        return text.split()[:self.number]


class Letters(First):
    """A tokenizer that has equal hashes."""

    def __hash__(self) -> int:
        return 1


OWN = [make(number) for number in (3, 4, 9)
       for make in (limited, First, Letters, lambda n: partial(first, n), lambda n: First(n).split)]
RECORDS = [*(replace(SMOOTHINGS[name], value=value) for name in ("floor", "add-k")
             for value in (0.101, 0.102, 0.1, 1)),
           *(replace(SMOOTHINGS["exp"], credits=lambda stats, last, value, more=more:
             [(matches + more, total) for matches, total in list_credits(stats)])
             for more in (0.25, 0.5))]
VALUES: dict[str, list[Any]] = {
    **{name: [*choice.entries] for name, choice in CHOICES.items() if choice.entries},
    "max_order": [1, 2, 3, 4, 5], "digits": [None, 0, 2, 4], "least_total": [0, 1],
    "weights": [None, (1.0,), (0.5, 0.5), (0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4)],
    "smoothing_value": [None, 0.101, 0.102, 0.1, 0.10000000000000002, 1, 1.0, 2],
}
VALUES["tokenizer"] = [*(name for name in VALUES["tokenizer"] if name in (
    "13a", "none", "char", "intl", "zh", "zh-fixed", "mteval-13a", "keras-hub")), *OWN]
VALUES["smoothing"] += RECORDS


def random_choices(draw: random.Random) -> dict[str, Any]:
    """Some options with values of their own; every other time a function of the caller's."""
    choices = {name: draw.choice(VALUES[name])
               for name in draw.sample(sorted(VALUES), draw.choice([0, 1, 1, 2, 3]))}
    own = [{}, {}, {"tokenizer": draw.choice(OWN)}, {"smoothing": draw.choice(RECORDS)}]
    return choices | draw.choice(own)


def scores(draw: random.Random) -> Iterator[BleuScore]:
    """The scores of the same text by one setting, from one entry point after the other."""
    name, choices = draw.choice([*DIALECTS]), random_choices(draw)
    try:
        dialect = Bleu(name, **choices).dialect
    except ValueError:
        return
    metric = Bleu(replace(dialect, name=draw.choice([name, "own", "sacrebleu"]),
                          splits=draw.random() < 0.5))
    try:
        yield corpus_bleu(LINES, OTHERS, metric.dialect)
        yield corpus_bleu([line.split() for line in LINES],
                          [[each.split() for each in group] for group in OTHERS], metric.dialect)
        yield metric.count(LINES, OTHERS).score()
        reducer = Reducer(metric.dialect)
        yield reducer.score(reducer.count(LINES, OTHERS))
    except ValueError:  # Some dialects refuse what a choice makes of this text
        return


def same(one: float, other: float) -> bool:
    """Whether two values are equal, or both are not a number."""
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_equal_signatures_mean_equal_scores(seed: int) -> None:
    assert {*VALUES} == {*CHOICES}
    draw = random.Random(seed)
    found: dict[tuple[str, bool], BleuScore] = {}
    for _ in range(NUMBER):
        for place, score in enumerate(scores(draw)):
            key = score.signature, place == 1
            kept = found.setdefault(key, score)
            assert same(score.value, kept.value), (score, kept)
            if place == 0:
                check_replay(score)


def check_replay(score: BleuScore) -> None:
    """A signature gives the same bits again, or an error names the function that it lacks."""
    try:
        again = Bleu.from_signature(score.signature)
    except ValueError as error:
        assert "was a function" in str(error) and "callable(" in score.signature
        return
    assert "callable(" not in score.signature and not again.unspecified
    assert same(again(LINES, OTHERS).value, score.value), score


def test_a_tokenizer_that_cannot_be_hashed_is_an_error_that_says_so() -> None:
    @dataclass
    class Splitter:
        def __call__(self, text: str) -> list[str]:
            return text.split()

    with pytest.raises(TypeError, match=r"must be hashable, but one is not .*frozen"):
        corpus_bleu(LINES, OTHERS, tokenizer=Splitter())
    frozen = dataclass(frozen=True)(Splitter)
    assert corpus_bleu(LINES, OTHERS, tokenizer=frozen()).value > 0


@pytest.mark.parametrize(("field", "told"), [
    ("case", "lowercase: False is used"), ("eff", "effective_order: sentences is used"),
    ("tok", "tokenizer: 13a is used"), ("smooth", "smoothing: exp is used"),
    ("order", "max_order: 4 is used")])
def test_a_field_that_a_signature_lacks_is_named(field: str, told: str) -> None:
    signed = corpus_bleu(LINES, OTHERS).signature
    left = "|".join(each for each in signed.split("|") if not each.startswith(f"{field}:"))
    assert Bleu.from_signature(signed).unspecified == ()
    assert Bleu.from_signature(left).unspecified == (told,)


MARK, SPACE = b"\xef\xbb\xbf", "no\u00a0dog ran far\tno dog ran home".encode()
FILES = {
    "plain": b"the cat sat on the mat\nno dog ran far\tno dog ran home\n",
    "marked": MARK + b"the cat sat on the mat\nno dog ran far\tno dog ran home\n",
    "spaced": b"the cat sat on the mat\n" + SPACE + b"\n",
    "windows": b"the cat sat on the mat\r\nno dog ran\x0bfar\tno dog ran home\r\n",
}
FILE_OPTIONS = [["--keep-bom"], ["--encoding", "latin-1"], ["--encoding", "utf8"],
                ["--encoding", "cp1252"], ["--num-refs", "2"], ["--num-refs", "var"],
                *(["--reading", each] for each in ("feed", "universal", "unicode", "detok")),
                ["--dialect", "nltk"], ["--tokenize", "none"], ["--lowercase"], ["--sentence"]]


def lines_of_json(text: str) -> list[tuple[float, str]]:
    """The scores and signatures that a command printed."""
    found = [json.loads(line) for line in text.splitlines()]
    return [(each["score"], each["signature"]) for each in found]


@pytest.mark.parametrize("engine", ["bits", "numpy"])
def test_equal_signatures_of_files_mean_equal_scores(tmp_path: Path, engine: str) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    draw = random.Random(engine)
    found: dict[tuple[str, ...], float] = {}
    for _ in range(4 * NUMBER if NUMBER > 250 else 60):
        pair = [draw.choice([*FILES]), draw.choice([*FILES])]
        options = [word for each in draw.sample(FILE_OPTIONS, draw.randint(0, 3)) for word in each]
        asked = ["score", "--format", "json", "--engine", engine, *pair]
        done = run_command([*asked, *options], cwd=tmp_path)
        if done.status:
            continue
        for place, (score, signed) in enumerate(lines_of_json(done.out)):
            key = (*pair, str("--sentence" in options and place + 1), signed)
            assert found.setdefault(key, score) == score, (key, options)
            if "--sentence" in options:
                continue
            more = [word for word in options if word in ("--num-refs", "2", "var")]
            again = run_command([*asked, "--signature", signed, *more], cwd=tmp_path)
            if again.status:
                assert "pass --keep-bom" in again.err or "pass --encoding" in again.err
            else:
                assert lines_of_json(again.out) == [(score, signed)]


@pytest.mark.filterwarnings("ignore")
def test_a_byte_order_mark_is_in_the_signature_of_its_file_alone(tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    marked, plain = tmp_path / "marked", tmp_path / "plain"
    out, kept = (file_bleu(marked, [plain], keep_bom=kept) for kept in (False, True))
    assert out.score > kept.score
    assert "|bom:left-out|" in out.signature and "|bom:kept|" in kept.signature
    for score in (corpus_bleu(LINES, OTHERS), file_bleu(plain, [plain])):
        assert "bom" not in score.signature and "encoding" not in score.signature


def test_a_signature_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "marked").write_bytes(FILES["marked"])
    asked = ["score", "marked", "marked", "--format", "json"]
    for options, told in ((["--keep-bom"], "pass --keep-bom"),
                          (["--encoding", "cp1252"], "pass --encoding cp1252")):
        [[_, signed]] = lines_of_json(run_command([*asked, *options], cwd=tmp_path).out)
        again = run_command([*asked, "--signature", signed], cwd=tmp_path)
        assert again.status == 2 and told in again.err
        again = run_command([*asked, "--signature", signed, *options], cwd=tmp_path)
        assert [signed] == [each for _, each in lines_of_json(again.out)]
