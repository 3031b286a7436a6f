"""Self-BLEU: each meaning is the number that its loop gives, in linear time and bounded memory."""

import sys
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from commands import python
from hypothesis import given
from hypothesis import strategies as st
from strategies import ABLE, sentences

from bleu_nb import DIALECTS, pairwise_bleu, self_bleu, sentence_bleu
from bleu_nb.dialects.formula_variants import LENGTH_RULES, add_up


def leave_out(lines: list[Any], place: int) -> list[Any]:
    """All lines but one."""
    return lines[:place] + lines[place + 1:]


@given(st.lists(sentences(), min_size=2, max_size=9), st.sampled_from(ABLE), st.integers(1, 9),
       st.sampled_from([*LENGTH_RULES]), st.sampled_from([30, 1 << 17]))
def test_all_others_are_references(
    lines: list[list[str]], name: str, order: int, rule: str, bucket: int,
) -> None:
    row = DIALECTS[name]
    weights = None if row.weights is None else (1 / order,) * order
    row = replace(row, max_order=order, weights=weights, lowercase=False, reference_length=rule)
    with patch("bleu_nb.pairs.score_matrix.BUCKET", bucket):
        found = self_bleu(lines, dialect=row)
    expected = [sentence_bleu(each, leave_out(lines, place), dialect=row).value
                for place, each in enumerate(lines)]
    assert found.scores.tolist() == expected
    assert found.value == float(found) == add_up(expected) / len(lines)
    assert f"|nrefs:{len(lines) - 1}|" in found.signature


@given(st.lists(sentences(), min_size=2, max_size=6), st.sampled_from([1, 2, 1 << 20]))
def test_pairs_are_their_loops(lines: list[list[str]], block: int) -> None:
    told: list[Any] = []
    with patch("bleu_nb.pairs.score_matrix.PAIRS", block):
        once = self_bleu(lines, "pairs-once", dialect="nltk-3.4",
                         progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (len(lines), len(lines))
    table = pairwise_bleu(lines, dialect="nltk-3.4").tolist()
    later = [row[place + 1:] for place, row in enumerate(table)]
    assert once.scores[:-1].tolist() == [add_up(row) / len(row) for row in later[:-1]]
    assert np.isnan(once.scores[-1])
    assert once.value == pytest.approx(sum(map(sum, later)) / sum(map(len, later)), rel=1e-12)


BAD: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    ("a b", {}, TypeError, "sentences must be a list, not the str"),
    ({"a": "b"}, {}, TypeError, "sentences must be an ordered list"),
    (3, {}, TypeError, "sentences must be a list, not int"),
    ([], {}, ValueError, "sentences is empty"),
    (["a"], {}, ValueError, "self-BLEU compares sentences with each other"),
    (["a", None], {}, TypeError, r"sentences\[1\] is missing"),
    (["a", ["b"]], {}, TypeError, r"sentences\[1\] is not a string"),
    ([["a"], "b"], {}, TypeError, r"sentences\[1\] is a string"),
    (["a", float("nan")], {}, TypeError, r"sentences\[1\] is missing"),
    (["a", b"\xff"], {}, ValueError, r"sentences\[1\] contains bytes that are not UTF-8"),
    (["a", "b"], {"meaning": "other"}, ValueError, "no meaning 'other': did you mean 'others'"),
    (["a", "b"], {"dialect": "google-bleu"}, ValueError, "does not count clipped"),
]


@pytest.mark.parametrize(("lines", "choices", "error", "says"), BAD)
def test_bad_input_is_named(lines: Any, choices: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        self_bleu(lines, **choices)


@pytest.mark.parametrize(("meaning", "number"), [("others", 2), ("pairs-once", 1)])
def test_every_meaning_is_named_in_its_signature(meaning: str, number: int) -> None:
    signed = self_bleu(["a b c d", "a b c e", "a b"], meaning).signature
    assert signed.startswith(f"self:{meaning}|nrefs:{number}|case:mixed|eff:yes|tok:13a|")


PEAK = """
import resource
from bleu_nb.pairs.diversity import self_bleu
words = [f"word{n}" for n in range(5000)]
lines = (" ".join(words[(n * n + k * k * n) % 5000] for k in range(20)) for n in range(50_000))
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
self_bleu(lines)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in other units here")
def test_a_million_sentences_would_fit_into_two_gigabytes() -> None:
    """A million tokens take less than 80 MiB; 25 tokens a line make that 2 GiB."""
    assert int(python(PEAK)) < 120
