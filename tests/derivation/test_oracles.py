"""Live nltk, sacreBLEU and torchtext agree on corpora that Hypothesis makes up.

torchtext needs torch, which not every environment has, so its answers on fixed cases are kept in
`recorded/torchtext.json`. Where torchtext is installed, this makes them:
`PYTHONPATH=tests/helpers python tests/derivation/test_oracles.py`.
"""

import json
import math
import random
from importlib.metadata import version
from typing import Any

import pytest
from data import RECORDED, oracle, streams
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb import Bleu
from bleu_nb.derivation import count_segment, score_stats, sum_stats
from bleu_nb.dialects import smooth
from bleu_nb.dialects.smoothers import raise_totals

RECORD = RECORDED / "torchtext.json"
EQUAL = (0.25,) * 4
SEED, NUMBER = 2002, 200

Tokens = list[str]
Corpus = list[tuple[Tokens, list[Tokens]]]

SENTENCE = st.lists(st.sampled_from("abc"), max_size=9)
SEGMENT = st.tuples(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=3))
CORPUS = st.lists(SEGMENT, min_size=1, max_size=5)


def sides(corpus: Corpus) -> tuple[list[Tokens], list[list[Tokens]]]:
    """The candidates, and the references of each."""
    return [candidate for candidate, _ in corpus], [group for _, group in corpus]


@pytest.mark.filterwarnings("ignore:.*The hypothesis contains 0 counts:UserWarning")
@pytest.mark.parametrize("method", range(8), ids="method{}".format)
@given(corpus=CORPUS)
def test_nltk(method: int, corpus: Corpus) -> None:
    nltk = oracle("nltk.translate.bleu_score")
    candidates, references = sides(corpus)
    smoother = getattr(nltk.SmoothingFunction(), f"method{method}")
    stats = sum_stats(raise_totals(count_segment(*segment)) for segment in corpus)
    last = raise_totals(count_segment(*corpus[-1], max_order=5))
    try:
        theirs = nltk.corpus_bleu(references, candidates, EQUAL, smoother)
    except AssertionError:
        assert method == 6
        with pytest.raises(ValueError, match="needs a trigram that matches"):
            smooth(stats, "nltk-6", last=last)
    else:
        credits = smooth(stats, f"nltk-{method}", last=last)
        assert score_stats(stats, credits, EQUAL).value == theirs


@pytest.mark.parametrize("effective", [False, True], ids=["all orders", "effective order"])
@pytest.mark.parametrize("smoothing", ["none", "floor", "add-k", "exp"])
@given(corpus=CORPUS, order=st.integers(1, 6), value=st.sampled_from([None, 0, 0.01, 0.5, 2]))
def test_sacrebleu(
    sacrebleu: Any,
    smoothing: str,
    effective: bool,
    corpus: Corpus,
    order: int,
    value: float | None,
) -> None:
    value = value if smoothing in ("floor", "add-k") else None
    candidates = [" ".join(candidate) for candidate, _ in corpus]
    references = [[" ".join(reference) for reference in group] for _, group in corpus]
    theirs = sacrebleu.BLEU(
        tokenize="none",
        smooth_method=smoothing,
        smooth_value=value,
        max_ngram_order=order,
        effective_order=effective,
    ).corpus_score(candidates, streams(references))
    mine = Bleu(
        tokenizer="none",
        smoothing=smoothing,
        smoothing_value=value,
        max_order=order,
        effective_order="always" if effective else "never",
    )(candidates, references)
    assert (mine.value, list(mine.precisions)) == (theirs.score, theirs.precisions)
    assert mine.brevity_penalty == theirs.bp
    lengths = (mine.stats.candidate_length, mine.stats.reference_length)
    assert lengths == (theirs.sys_len, theirs.ref_len)


def in_torchtexts_way(candidates: list[Tokens], references: list[list[Tokens]]) -> float:
    """Our score by torchtext's row."""
    return Bleu("torchtext")(candidates, references).value


def same_in_float32(one: float, other: float) -> bool:
    """Do two scores differ by no more than a step of single precision at 1?"""
    return math.isclose(one, other, rel_tol=0, abs_tol=1.2e-7)


@given(corpus=CORPUS)
def test_torchtext(corpus: Corpus) -> None:
    torchtext = oracle("torchtext.data.metrics")
    candidates, references = sides(corpus)
    theirs = torchtext.bleu_score(candidates, references)
    assert same_in_float32(in_torchtexts_way(candidates, references), theirs)


def recorded_cases() -> list[tuple[list[Tokens], list[list[Tokens]], float]]:
    """The candidates and references that torchtext was run on, with its scores."""
    cases = json.loads(RECORD.read_text(encoding="utf-8"))["cases"]
    return [
        (
            [text.split() for text in case["candidates"]],
            [[text.split() for text in group] for group in case["references"]],
            case["score"],
        )
        for case in cases
    ]


def test_torchtext_as_recorded() -> None:
    cases = recorded_cases()
    both = [(in_torchtexts_way(*sides), theirs) for *sides, theirs in cases]
    wrong = [(place, *pair) for place, pair in enumerate(both) if not same_in_float32(*pair)]
    assert not wrong[:3]
    assert len(cases) == NUMBER


def test_torchtext_record_is_what_torchtext_says() -> None:
    torchtext = oracle("torchtext.data.metrics")
    both = [(torchtext.bleu_score(*sides), theirs) for *sides, theirs in recorded_cases()]
    wrong = [(place, *pair) for place, pair in enumerate(both) if not same_in_float32(*pair)]
    assert not wrong[:3]


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
