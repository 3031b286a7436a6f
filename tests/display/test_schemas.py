"""Results for programs and papers: what JSON holds is what its schema says, in one place."""

import json
from functools import partial
from typing import Any

import pytest
from noted import noted

from bleu_nb import (
    Bleu,
    compare_systems,
    corpus_bleu,
    identify,
    rank_systems,
    self_bleu,
    sentence_bleu,
)
from bleu_nb.cli.command import main
from bleu_nb.dialects.input_checks import ScaleNote
from bleu_nb.dialects.signatures import signature_fields
from bleu_nb.display import tables as reports
from bleu_nb.display.significance_charts import intervals_chart
from bleu_nb.display.tables import FIELDS, SCHEMA
from bleu_nb.files.reading import example_path, lines_of

FILES = {name: str(example_path(f"{name}.txt"))
         for name in ("heron", "kestrel", "reference_1", "reference_2")}
LINES = {name: [line for line in lines_of(example_path(f"{name}.txt").read_text("utf-8")) if line]
         for name in FILES}
HUMAN = [*zip(LINES["reference_1"], LINES["reference_2"], strict=True)]
SYSTEMS = {name: LINES[name] for name in ("heron", "kestrel")}
SCORE = corpus_bleu(LINES["heron"], HUMAN)


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite", "google-bleu"])
def test_the_json_of_a_score_has_the_fields_of_its_schema(dialect: str) -> None:
    score = Bleu(dialect)(LINES["heron"], HUMAN)
    told = json.loads(score.to_json())
    assert {*told} == {*FIELDS["score"]} | {*signature_fields(score.signature)}
    assert told["schema"] == FIELDS["score"]["schema"] == f"bleu_nb/score/{SCHEMA}"
    assert told["score"] == score.value == score.score == float(score)


@pytest.mark.parametrize("found", [sentence_bleu("a b c d", ["a b c e"]),
                                   self_bleu(LINES["heron"])], ids=["sentence", "self-BLEU"])
def test_sentences_and_self_bleu_have_a_score_too(found: Any) -> None:
    assert found.score == found.value


@pytest.mark.parametrize("kind", ["score", "table", "explanation", "identification"])
def test_every_schema_has_the_version_in_its_name(kind: str) -> None:
    assert all(name.endswith(f"/{SCHEMA}") for name in FIELDS[kind]["schema"].split(" or "))


def test_the_json_of_an_answer_has_the_fields_of_its_schema() -> None:
    sides = ["the boat came late", "a | b c"], [["the boat came very late"], ["a b c"]]
    found = identify(*sides, corpus_bleu(*sides, "nltk").value * 100)
    told = json.loads(found.to_json())
    for each, kind in ((told, "identification"), (told["matches"][0], "match"),
                       (told["explanation"], "explanation"),
                       (told["explanation"]["parts"][0], "part")):
        assert {*each} == {*FIELDS[kind]}
        assert each.get("schema") == FIELDS[kind].get("schema")
    assert found.to_markdown().count("\n") >= 3
    assert found.explanation and r"\begin{tabular}" in found.explanation.to_latex()


@pytest.mark.parametrize("found", [
    compare_systems("heron", SYSTEMS, HUMAN, trials=99),
    rank_systems(SYSTEMS, HUMAN, trials=99)], ids=["comparison", "ranking"])
def test_what_has_a_table_is_written(found: Any) -> None:
    table = reports.tabulate_systems(found, 1)
    assert (found.to_markdown(1), found.to_latex(1)) == (table.to_markdown(), table.to_latex())
    assert f"test {found.test} over segments, 99 trials" in found.methods


@pytest.mark.parametrize("kind", FIELDS)
def test_each_list_of_fields_has_a_name_of_its_own(kind: str) -> None:
    name = "BESIDE_SCORE" if kind == "beside score" else f"{kind.upper()}_FIELDS"
    assert getattr(reports, name) is FIELDS[kind]


def test_a_score_is_a_row_without_a_name() -> None:
    titles, _, row = SCORE.to_markdown(3).splitlines()
    assert titles.startswith("| BLEU | precisions |") and "system" not in titles
    assert row.startswith(f"| {SCORE.value:.3f} | ")
    assert SCORE.to_latex().startswith(r"\begin{tabular}{rrrr}")
    assert SCORE.to_markdown().splitlines()[2].startswith(f"| {SCORE.value:.2f} | ")


ASKED = ("score", FILES["heron"], FILES["reference_1"], FILES["reference_2"])
FIVE = ("--systems", FILES["kestrel"], FILES["reference_1"], FILES["reference_2"],
        str(example_path("source.txt")))


def test_several_systems_are_one_array(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, *FIVE, "--format=json", "--confidence"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["system"] for each in told] == [ASKED[1], *FIVE[1:]]
    assert told[0] == {
        "system": ASKED[1], "interval": told[0]["interval"], **json.loads(SCORE.to_json())}
    assert {*told[0]} >= {*FIELDS["beside score"]}
    assert main([*ASKED, "--format=json"]) == 0
    assert capsys.readouterr().out == f"{SCORE.to_json()}\n"


@pytest.mark.parametrize(("more", "told", "status"), [
    (["--fail-under=0.4"], "--fail-under seems to be on another scale, and scores go from 0 to", 0),
    (["--fail-under=40", "--dialect=nltk"], "pass it on this scale (40, perhaps for 0.4)", 4),
    (["--fail-under=40"], "", 0), (["--fail-under=0.1", "--dialect=nltk"], "", 0)])
def test_a_build_is_told_of_the_other_scale(
    more: list[str], told: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASKED, *more]) == status
    err = capsys.readouterr().err
    assert told in err and bool(told) == ("scores go from" in err)


@pytest.mark.parametrize(("dialect", "notes"), [("nltk", 1), ("sacrebleu", 0)])
def test_scores_of_both_scales_in_one_picture_are_noted(dialect: str, notes: int) -> None:
    other = Bleu(dialect)(LINES["heron"], HUMAN)
    draw = partial(intervals_chart, {"one": (SCORE, None), "other": (other, None)})
    assert len(noted(draw, ScaleNote)) == notes
