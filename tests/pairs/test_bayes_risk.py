"""Minimum Bayes risk: the expected utilities of a loop."""

import math
from typing import Any

import pytest
from data import RECORDED, read_json
from hypothesis import given
from hypothesis import strategies as st
from strategies import ABLE, many_lines, sentences

from bleu_nb import DIALECTS, mbr, sentence_bleu
from bleu_nb.dialects.formula_variants import add_up

GROUPS = st.lists(sentences(6), min_size=1, max_size=6)
WEIGHTS = st.lists(st.integers(1, 5), min_size=6, max_size=6)


def loop(samples: list[Any], references: list[Any], weights: list[float], apart: bool,
         **choices: Any) -> list[float]:
    """The expected utility of each sample."""
    made = []
    for place, one in enumerate(samples):
        kept = [(weight, sentence_bleu(one, [other], **choices).value)
                for at, (weight, other) in enumerate(zip(weights, references, strict=True))
                if not (apart and at == place)]
        made.append(add_up([weight * value for weight, value in kept])
                    / add_up([weight for weight, _ in kept]))
    return made


@given(st.lists(GROUPS, min_size=1, max_size=3), WEIGHTS, st.booleans(), st.booleans(),
       st.sampled_from([name for name in ABLE if not DIALECTS[name].lowercase]))
def test_expected_utilities_are_those_of_a_loop(
    samples: list[list[list[str]]], weights: list[float], weighted: bool, apart: bool, name: str,
) -> None:
    samples = [group + group[:1] for group in samples]
    told = [(weights * 2)[:len(group)] for group in samples]
    found = mbr(samples, dialect=name, own=not apart, weights=told if weighted else None)
    for group, weight, decision in zip(samples, told, found, strict=True):
        expected = loop(group, group, weight if weighted else [1] * len(group), apart,
                        dialect=name)
        assert decision.expected.tolist() == expected
        assert decision.place == expected.index(max(expected))
        assert decision.sample == group[decision.place]
        others = [value for value, line in zip(expected, group, strict=True)
                  if line != decision.sample]
        assert math.isnan(decision.margin) if not others else (
            decision.margin == max(expected) - max(others))


@given(GROUPS, GROUPS, WEIGHTS)
def test_samples_against_another_list(
    samples: list[list[str]], references: list[list[str]], weights: list[float],
) -> None:
    texts = [[" ".join(line) for line in group] for group in (samples, references)]
    weights = weights[:len(references)]
    for own in (True, False):
        [found] = mbr(texts[:1], texts[1:], weights=[weights], own=own)
        assert found.expected.tolist() == loop(*texts, weights, False)


THEIRS = {"tokenize": "tokenizer", "smooth_method": "smoothing", "smooth_value": "smoothing_value",
          "max_ngram_order": "max_order", "effective_order": "effective_order",
          "lowercase": "lowercase"}


def test_utilities_are_those_of_mbrs() -> None:
    for case in read_json(RECORDED / "mbrs.json.gz")["cases"][::3]:
        choices = {THEIRS[name]: value for name, value in case["settings"].items()}
        if choices.get("effective_order") is False:
            choices["effective_order"] = "never"
        logs = case["log_probabilities"]
        other = None if case["references"] is None else [case["references"]]
        [found] = mbr([case["samples"]], other, **choices,
                      weights=None if logs is None else [[*map(math.exp, logs)]])
        assert found.expected == pytest.approx(case["expected"], rel=1e-6)  # Theirs are float32


def test_weights_at_the_ends_of_doubles() -> None:
    samples = ["a b", "a c", "d e"]
    [even] = mbr([samples])
    for weight in (2.0 ** 1023, 5e-324, 1e308):
        assert repr(mbr([samples], weights=[[weight] * 3])[0]) == repr(even)
    [found] = mbr([samples], weights=[[2.0**-1000, 0, 0]])
    assert found.expected.tolist() == loop(samples, samples, [1, 0, 0], False)


def test_many_sources_one_call_and_progress() -> None:
    samples = [many_lines(3 + place, 9, place) for place in range(5)]
    told: list[Any] = []
    found = mbr(iter(samples), progress=lambda done, of: told.append((done, of)))
    assert told == [(place + 1, 5) for place in range(5)]
    for lines, decision in zip(samples, found, strict=True):
        assert repr(decision) == repr(mbr([lines])[0])
    assert mbr([]) == []


BAD: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (("a b",), {}, TypeError, "samples must be a list, not the str"),
    ((["a", "b"],), {}, TypeError, r"samples\[0\] must be a list of samples for one source"),
    (([["a"], []],), {}, ValueError, r"samples\[1\] is empty"),
    (([["a", None]],), {}, TypeError, r"samples\[0\]\[1\] is missing"),
    (([["a"], ["b", ["c"]]],), {}, TypeError, r"samples\[1\]\[1\] is not a string"),
    (([["a"]], [["b"], ["c"]]), {}, ValueError, "references contains 2 lists for 1 sources"),
    (([["a"]], [[["b"]]]), {}, TypeError, r"references\[0\]\[0\] is not a string, but samples"),
    (([["a"]],), {"own": False}, ValueError, r"samples\[0\] contains 1 sample, but own=False"),
    (([["a"]],), {"weights": [[1, 2]]}, ValueError, r"weights\[0\] must contain one finite"),
    (([["a"]],), {"weights": [[math.nan]]}, ValueError, r"weights\[0\] must contain one finite"),
    (([["a"]],), {"weights": [[-1]]}, ValueError, r"weights\[0\] must be at least 0 and not all 0"),
    (([["a", "b"]],), {"weights": [[1, 0]], "own": False}, ValueError, "has one weight above 0"),
    (([["a"]],), {"dialect": "google-bleu"}, ValueError, "does not count clipped"),
]


@pytest.mark.parametrize(("given_", "choices", "error", "says"), BAD)
def test_bad_input_is_named(given_: Any, choices: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        mbr(*given_, **choices)
