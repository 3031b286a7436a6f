"""Results for programs and papers: what JSON holds is what its schema says, in one place."""

import json
import warnings
from typing import Any

import pytest

from bleu_nb import (
    Bleu,
    BleuScore,
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
from bleu_nb.display.tables import FIELDS, SCHEMA, Table
from bleu_nb.files.reading import example_path, lines_of

FILES = {name: str(example_path(f"{name}.txt"))
         for name in ("heron", "kestrel", "reference_1", "reference_2")}
LINES = {name: [line for line in lines_of(example_path(f"{name}.txt").read_text("utf-8")) if line]
         for name in FILES}
HUMAN = [*zip(LINES["reference_1"], LINES["reference_2"], strict=True)]
SYSTEMS = {name: LINES[name] for name in ("heron", "kestrel")}
SCORE = corpus_bleu(LINES["heron"], HUMAN)


@pytest.fixture(scope="module")
def found() -> tuple[Any, Any]:
    """A comparison and a ranking."""
    return (compare_systems("heron", SYSTEMS, HUMAN, trials=99),
            rank_systems(SYSTEMS, HUMAN, trials=99))


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite", "google-bleu"])
def test_the_json_of_a_score_has_the_fields_of_its_schema(dialect: str) -> None:
    score = Bleu(dialect)(LINES["heron"], HUMAN)
    told = json.loads(score.to_json())
    assert {*told} == {*FIELDS["score"]} | {*signature_fields(score.signature)}
    assert told["schema"] == FIELDS["score"]["schema"] == f"bleu_nb/score/{SCHEMA}"
    assert told["score"] == score.value == score.score == float(score)


def test_sentences_and_self_bleu_have_a_score_too() -> None:
    one = sentence_bleu("a b c d", ["a b c e"])
    assert one.score == one.value
    alike = self_bleu(LINES["heron"])
    assert alike.score == alike.value


def test_the_json_of_a_comparison_has_the_fields_of_its_schema(found: tuple[Any, Any]) -> None:
    compared, ranked = (json.loads(each.to_json()) for each in found)
    assert {*compared} == {*FIELDS["table"]}
    assert {*ranked} == {*FIELDS["table"], *FIELDS["ranking"]}
    assert [compared["schema"], ranked["schema"]] == FIELDS["table"]["schema"].split(" or ")
    for each in compared["systems"]:
        assert {*each} == {*FIELDS["system"], *FIELDS["compared"]}
        assert {*each["interval"]} == {*FIELDS["interval"]}
    for each in ranked["systems"]:
        assert {*each} == {*FIELDS["system"], *FIELDS["ranked"]}
    assert {*compared["systems"][1]["difference"]} == {"value", "interval"}


def test_every_schema_has_the_version_in_its_name() -> None:
    names = [each["schema"] for each in (
        FIELDS["score"], FIELDS["table"], FIELDS["explanation"], FIELDS["identification"])]
    assert all(name.endswith(f"/{SCHEMA}") for text in names for name in text.split(" or "))


def test_the_json_of_an_answer_has_the_fields_of_its_schema() -> None:
    found = identify(["the boat came late", "a | b c"], [["the boat came very late"], ["a b c"]],
                     corpus_bleu(["the boat came late", "a | b c"],
                                 [["the boat came very late"], ["a b c"]], "nltk").value * 100)
    told = json.loads(found.to_json())
    assert {*told} == {*FIELDS["identification"]}
    assert {*told["matches"][0]} == {*FIELDS["match"]}
    assert {*told["explanation"]} == {*FIELDS["explanation"]}
    assert {*told["explanation"]["parts"][0]} == {*FIELDS["part"]}
    assert told["explanation"]["schema"] == FIELDS["explanation"]["schema"]
    assert told["schema"] == FIELDS["identification"]["schema"]
    assert found.to_markdown().count("\n") >= 3
    assert found.explanation and r"\begin{tabular}" in found.explanation.to_latex()


def test_what_has_a_table_is_written(found: tuple[Any, Any]) -> None:
    for each in found:
        table = reports.tabulate_systems(each, 1)
        assert each.to_markdown(1) == table.to_markdown()
        assert each.to_latex(1) == table.to_latex()
        assert f"test {each.test} over segments, 99 trials" in each.methods
    table = Table("", ["system", "BLEU"], [["one", "45.45"], ["<two|", "45.45"]])
    assert r"\<two\|" in table.to_markdown() and r"\textless{}two\textbar{}" in table.to_latex()


def test_each_list_of_fields_has_a_name_of_its_own() -> None:
    assert reports.BESIDE_SCORE is FIELDS["beside score"]
    for name in FIELDS.keys() - {"beside score"}:
        assert getattr(reports, f"{name.upper()}_FIELDS") is FIELDS[name]


def test_a_score_is_a_row_without_a_name() -> None:
    titles, _, row = SCORE.to_markdown(3).splitlines()
    assert "system" not in titles and titles.startswith("| BLEU | precisions |")
    assert row.startswith(f"| {SCORE.value:.3f} | ")
    assert SCORE.to_latex().startswith(r"\begin{tabular}{rrrr}")
    assert SCORE.to_markdown().splitlines()[2].startswith(f"| {SCORE.value:.2f} | ")


def told_of(*words: str, capsys: pytest.CaptureFixture[str], status: int = 0) -> list[str]:
    """The lines that a command prints."""
    assert main([*words]) == status
    return capsys.readouterr().out.splitlines()


ASKED = ("score", FILES["heron"], FILES["reference_1"], FILES["reference_2"])
FIVE = ("--systems", FILES["kestrel"], FILES["reference_1"], FILES["reference_2"],
        str(example_path("source.txt")))


def test_five_systems_are_one_table_with_one_signature(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    header, *rows, gap, signature = told_of(*ASKED, *FIVE, capsys=capsys)
    assert header.split() == ["system", "BLEU", "precisions", "penalty", "lengths"]
    assert [row.split()[0] for row in rows] == [ASKED[1], *FIVE[1:]] and gap == ""
    assert len({len(row) for row in (header, *rows)}) == 1
    assert signature == f"signature: {SCORE.signature}"
    assert rows[0].split()[1:3] == [
        f"{SCORE.value:.2f}", "/".join(f"{each:.1f}" for each in SCORE.precisions)]


@pytest.mark.parametrize("columns", ["40", "80", "140"])
def test_a_table_of_systems_fits_the_terminal(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.chdir(example_path(""))
    asked = [each.rsplit("/", 1)[-1] for each in (*ASKED, *FIVE)]
    lines = told_of(*asked, "--confidence", capsys=capsys)
    assert max(map(len, lines[:-1])) <= int(columns)
    assert sum("nrefs:2" in line for line in lines) == 1 and "±" in "".join(lines)


def test_several_systems_are_one_array(capsys: pytest.CaptureFixture[str]) -> None:
    [line] = told_of(*ASKED, *FIVE, "--format=json", "--confidence", capsys=capsys)
    told = json.loads(line)
    assert [each["system"] for each in told] == [ASKED[1], *FIVE[1:]]
    alone = told_of(*ASKED, "--format=json", capsys=capsys)
    assert {"system": ASKED[1], "interval": told[0]["interval"], **json.loads(alone[0])} == told[0]
    assert {*told[0]} == {
        *FIELDS["score"], *FIELDS["beside score"], *signature_fields(SCORE.signature)}
    assert alone == [SCORE.to_json()]


def scale_notes(call: Any) -> list[str]:
    """The warnings about scale of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(each.message) for each in caught if each.category is ScaleNote]


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


def test_scores_of_both_scales_in_one_picture_are_noted() -> None:
    other = Bleu("nltk")(LINES["heron"], HUMAN)
    scores: dict[str, tuple[BleuScore, None]] = {"one": (SCORE, None), "other": (other, None)}
    assert scale_notes(lambda: intervals_chart(scores))
    assert not scale_notes(lambda: intervals_chart({"one": (SCORE, None)}))
