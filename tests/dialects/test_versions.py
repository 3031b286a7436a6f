"""Old versions of nltk and sacreBLEU: each smoothing method is that of the version."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import compare_recorded
import pytest
from data import VERSIONS, read_json

from bleu_nb import DIALECTS, Bleu, Counts, Dialect, corpus_bleu, explain
from bleu_nb.cli import command as cli
from bleu_nb.dialects import from_signature
from bleu_nb.dialects.formula_variants import SMOOTHINGS, NoScore, Smoothing

GOLD = read_json(VERSIONS)
NAMES = {**{name: version for version, name in compare_recorded.NLTK_VERSIONS.items()},
         "sacrebleu-1": "1.5.1"}
OLD = [name for name in DIALECTS if name.startswith("nltk-")]
CASES = [(case["hyps_tok"], case["refs_tok"]) for case in GOLD["cases"]]
CANDIDATES = [["a", "b", "c"], ["x", "y", "z", "w", "q"]]
REFERENCES = [[["a", "b", "d"]], [["x", "y", "q", "w", "z"]]]


def settings_of(version: str) -> Iterator[dict[str, Any]]:
    """The recorded settings of one version."""
    return (each for each in GOLD["configs"] if each["params"]["version"] == version)


def named(config: dict[str, Any]) -> str:
    """The settings in one word."""
    return ",".join(f"{name}={value}" for name, value in config["params"].items()).replace(" ", "")


# Recorded answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("config", GOLD["configs"], ids=named)
def test_recorded_answers_of_old_versions(config: dict[str, Any]) -> None:
    row = compare_recorded.compare(config, GOLD["cases"])
    assert not row.wrong[:3], f"{len(row.wrong)} cases differ"
    assert row.equal == row.cases >= 19


def test_every_method_of_every_version_is_recorded() -> None:
    for name in [*OLD, "sacrebleu-1"]:
        assert DIALECTS[name].version == NAMES[name]
        found = {each["params"].get("smoothing") or each["params"]["smooth_method"]
                 for each in settings_of(NAMES[name])}  # fmt: skip
        assert found == ({"none", "floor", "add-k", "exp"} if name == "sacrebleu-1"
                         else {*compare_recorded.NLTK})  # fmt: skip
    assert len(GOLD["configs"]) == 6 * 25 + 12 and len(CASES) == 33


@pytest.mark.parametrize("name", OLD)
def test_a_mean_of_segments_is_that_of_the_recorded_ones(name: str) -> None:
    alone = [place for place, (candidates, _) in enumerate(CASES) if len(candidates) == 1]
    compared = 0
    for each in settings_of(NAMES[name]):
        params = each["params"]
        if params["smoothing"] not in ("method4", "method7") or "weights" in params:
            continue
        known = [place for place in alone if each["scores"][place] is not None]
        value = corpus_bleu(
            [CASES[place][0][0] for place in known], [CASES[place][1][0] for place in known], name,
            smoothing=f"nltk-{params['smoothing'][-1]}", smoothing_value=params.get("k"),
            average="segments", reweigh=params.get("auto_reweigh", False)).value
        total = 0.0  # Added from left to right on every version of Python
        for place in known:
            total += float.fromhex(each["scores"][place])
        assert value == total / len(known)
        compared += 1
    assert compared == 6


@pytest.mark.parametrize("order", [2, 3, 5])
@pytest.mark.parametrize("name", [*OLD, "nltk"])
def test_only_four_orders_are_reweighed(name: str, order: int) -> None:
    two = [["a", "b"]], [[["a", "c"]]]
    for candidates, references in (two, (CANDIDATES[:1], REFERENCES[:1])):
        one, other = (corpus_bleu(candidates, references, name, smoothing="nltk-7",
                                  max_order=order, reweigh=each) for each in (True, False))
        assert (one.value, one.precisions) == (other.value, other.precisions)


# The name of a version wherever it is written -----------------------------------------------------


@pytest.mark.parametrize("method", range(8))
@pytest.mark.parametrize("name", [*OLD, "nltk"])
def test_a_replayed_signature_gives_the_same_bits(name: str, method: int) -> None:
    for more in ({}, {"reweigh": True}, {"average": "segments"}):
        for candidates, references in CASES:
            try:
                metric = Bleu(name, smoothing=f"nltk-{method}", **more)
                score = metric(candidates, references)
            except NoScore:
                assert method == 6
                continue
            again = Bleu.from_signature(score.signature)(candidates, references)
            assert (again.value, again.signature) == (score.value, score.signature)


def test_a_dialect_holds_the_method_of_its_version() -> None:
    old = DIALECTS["nltk-3.4"]
    assert replace(old, smoothing="nltk-4").smoothing == "nltk-4-3.4"
    assert replace(DIALECTS["nltk"], smoothing="nltk-4", name="nltk-3.5").smoothing == "nltk-4-3.5"
    assert Dialect("nltk-3.2", "3.2.5", smoothing="nltk-0").smoothing == "zeros-skipped"
    assert DIALECTS["nltk-3.2"].smoothing == "zeros-skipped"
    for name in ("exp", "nltk-1", "nltk-3", "nltk-5", "nltk-6", "nltk-4-3.3", "nltk-7-3.6"):
        assert replace(old, smoothing=name).smoothing == name
    for name in {*DIALECTS} - {*OLD}:
        for method in SMOOTHINGS:
            assert replace(DIALECTS[name], smoothing=method).smoothing == method


def test_a_method_of_your_own_stays() -> None:
    mine = Smoothing(SMOOTHINGS["exp"].credits, None, "mine")
    assert replace(DIALECTS["nltk-3.3"], smoothing=mine).smoothing is mine
    assert corpus_bleu(CANDIDATES, REFERENCES, "nltk-3.3", smoothing=mine).value == corpus_bleu(
        CANDIDATES, REFERENCES, "nltk-3.3", smoothing="exp").value  # fmt: skip


def test_a_signature_from_before_is_reported() -> None:
    text = "nrefs:1|case:mixed|eff:no|tok:none|smooth:{}|version:3.3|order:4|dialect:{}"
    told = from_signature(text.format("nltk-4[5.00]", "nltk-3.3"))
    assert told.dialect.smoothing == "nltk-4-3.3"
    assert told.unspecified == ("smooth:nltk-4 means nltk-4-3.3 in the dialect nltk-3.3",)
    assert from_signature(text.format("nltk-4-3.3[5.00]", "nltk-3.3")).unspecified == ()
    assert from_signature(text.format("exp", "nltk-3.3")).unspecified == ()
    plain = text.replace("3.3", "3.10.4").replace("|smooth:{}", "")
    assert from_signature(plain.format("nltk")).unspecified == ("smoothing: nltk-0 is used",)


def test_saved_counts_and_a_command_line_mean_the_same(
        tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    expected = corpus_bleu(CANDIDATES, REFERENCES, "nltk-3.5", smoothing="nltk-4").value
    assert round(expected, 4) == 0.8721
    counts = Bleu("nltk-3.5", smoothing="nltk-4").count(CANDIDATES, REFERENCES)
    counts.save(tmp_path / "counts.npz")
    assert Counts.load(tmp_path / "counts.npz").score().value == expected
    for name, segments in (("mt", CANDIDATES), ("ref", [group[0] for group in REFERENCES])):
        lines = "".join(" ".join(tokens) + "\n" for tokens in segments)
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    assert not cli.main(["score", f"{tmp_path}/mt.txt", f"{tmp_path}/ref.txt", "--dialect",
                         "nltk-3.5", "--smoothing", "nltk-4", "--score-only", "--decimals", "15"])
    assert float(capsys.readouterr().out) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("first", ["nltk-3.3", "nltk-3.5", "nltk"])
@pytest.mark.parametrize("second", ["nltk-3.2", "nltk-3.4", "nltk-3.5", "nltk"])
@pytest.mark.parametrize("method", [0, 2, 4, 7])
def test_the_difference_of_two_versions_is_explained(
        first: str, second: str, method: int) -> None:  # fmt: skip
    told = [f"{name}, smoothing nltk-{method}" for name in (first, second)]
    values = [corpus_bleu(CANDIDATES, REFERENCES, name, smoothing=f"nltk-{method}").value * 100
              for name in (first, second)]
    found = explain(CANDIDATES, REFERENCES, *told)
    assert found.difference == pytest.approx(values[1] - values[0], abs=1e-9)
    assert {part.choice for part in found.parts} <= {"zero matches"}
    assert bool(found.parts) == (abs(values[1] - values[0]) > 1e-9)
