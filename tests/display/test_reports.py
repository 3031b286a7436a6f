"""Tables of systems in every format, and the sentence for a methods section and back."""

import json
import math
import re
import textwrap
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from statistics import stdev
from typing import Any

import mistune
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb import Bleu
from bleu_nb.derivation.text_safety import visible
from bleu_nb.display.reports import (
    as_json,
    as_latex,
    as_markdown,
    as_text,
    as_tsv,
    make_table,
    methods_sentence,
    range_of_ranks,
    read_methods,
)
from bleu_nb.display.score_tables import Table, measure
from bleu_nb.display.table_formats import (
    lay_out,
    show_number,
    show_p,
    show_range,
    tabulate_scores,
    write_latex,
    write_markdown,
    write_tsv,
)
from bleu_nb.files.reading import example_path, read_files
from bleu_nb.significance.compare import SystemsComparison, compare_systems
from bleu_nb.significance.intervals import Interval
from bleu_nb.significance.paired_tests import TESTS
from bleu_nb.significance.rank import Ranking, rank_systems

HOSTILE = [
    "plain", "a|b", r"back\slash", "en_de [100%] & more", "{$x^2$}~#", "[-1pt]", "*", "tab\there",
    "two\nlines", "\x1b[2J", "海 und 'quotes\" `", "<b>bold</b> &amp; ![x](y)", "a\\|b", "--", "",
]  # fmt: skip


@cache
def counts() -> dict[str, Any]:
    """What was counted of the example: two systems, and the second reference as a third."""
    names = ("heron", "kestrel", "reference_2", "reference_1")
    *systems, human = read_files([str(example_path(f"{name}.txt")) for name in names])
    each = {name: system for name, system in zip(names, systems, strict=False)}
    return Bleu().count_systems(each, [[line] for line in human])


@cache
def comparison(**settings: Any) -> SystemsComparison:
    """Kestrel and a person against Heron."""
    return compare_systems("heron", counts(), **{"trials": 99, **settings})


@cache
def ranking(**settings: Any) -> Ranking:
    """All three."""
    return rank_systems(counts(), **{"trials": 99, **settings})


def renamed(found: Any, names: list[str]) -> Any:
    """The same table with other names, as many as there are rows."""
    systems = found.systems * len(names)
    rows = [replace(each, name=name) for each, name in zip(systems, names, strict=False)]
    return replace(found, systems=tuple(rows))


# Cells --------------------------------------------------------------------------------------------


@given(st.floats(0, 1))
def test_a_p_value_is_never_shown_as_nothing(p: float) -> None:
    shown = show_p(p)
    assert float(shown.lstrip("<")) > 0
    assert p < 1e-4 if shown.startswith("<") else abs(float(shown) - p) <= 5e-5 + 1e-12


@pytest.mark.parametrize(("trials", "tests", "shown"), [
    (200, 1, "<0.005"), (300, 1, "<0.0034"), (1, 1, "<1"), (10_000, 1, "<0.0001"),
    (10**6, 1, "<0.0001"), (0, 1, "<0.0001"), (200, 3, "<0.015"), (2, 3, "<1"),
])  # fmt: skip
def test_no_p_is_smaller_than_the_trials_can_say(trials: int, tests: int, shown: str) -> None:
    assert show_p(0.0, 0.0, trials, tests) == shown
    assert show_p(0.25, None, trials, tests) == "0.2500"


@pytest.mark.parametrize("test", ["moses", "koehn"])
def test_a_p_of_nothing_is_a_bound_in_every_table(test: str) -> None:
    found, ranked = (each(test=test, trials=200) for each in (comparison, ranking))
    rows = [replace(each, p_value=each.p_value and 0.0, p_adjusted=each.p_adjusted and 0.0)
            for each in found.systems]
    rows[1:] = [replace(each, p_value=0.0, p_adjusted=0.0) for each in rows[1:]]
    found = replace(found, systems=tuple(rows))
    zeros = ((0.0,) * 3,) * 3
    ranked = replace(ranked, p_values=zeros, p_adjusted=zeros)
    for write in (lambda each: " ".join(as_text(each, 200)), as_markdown, as_latex):
        assert "0.0001" not in write(found) and "0.0001" not in write(ranked)
        assert write(found).count("<0.005") == write(found).count("<0.01") == 2
        assert write(ranked).count("<0.015") == 2
        assert write(replace(ranked, correction="none")).count("<0.005") == 2
    assert json.loads(as_json(found))["systems"][1]["p_value"] == 0.0


@pytest.mark.parametrize(("value", "sign", "shown"), [
    (-0.001, "-", "0.00"), (0.001, "+", "0.00"), (-0.0, "+", "0.00"), (-0.005001, "-", "-0.01"),
    (12.345, "+", "+12.35"), (12.345, "-", "12.35"),
])  # fmt: skip
def test_nothing_has_no_sign(value: float, sign: str, shown: str) -> None:
    assert show_number(value, 2, sign) == shown


def test_a_range_is_a_half_width_only_around_its_middle() -> None:
    for interval, digits, shown in (
        (Interval(8, 12), 1, "10.0 ± 2.0"), (Interval(8, 12.4), 1, "10.0 [8.0, 12.4]"),
        (Interval(8, 12.09), 1, "10.0 ± 2.0"), (None, 3, "10.000"),
        (Interval(0, 30, warning="unreliable: few"), 0, "10 [0, 30]?"),
    ):
        assert show_range(10, interval, digits) == shown


@pytest.mark.parametrize(("shares", "ranks"), [
    ((1.0,), "1"), ((0.0, 1.0), "2"), ((0.5, 0.5), "1–2"), ((0.025, 0.95, 0.025), "2"),
    ((0.03, 0.94, 0.03), "1–3"), ((0.2, 0.0, 0.8), "1–3"),
])  # fmt: skip
def test_ranks_without_their_tails(shares: tuple[float, ...], ranks: str) -> None:
    assert range_of_ranks(shares, 0.95) == ranks


# For programs -------------------------------------------------------------------------------------

FIELDS = (
    "test trials seed signature version confidence segments documents correction notes systems"
)
OF_A_SYSTEM = (
    "name score interval mean half_width runs difference p_value p_error p_adjusted wins ties "
    "losses detectable"
)


def refuse(name: str) -> None:
    raise AssertionError(name)


def test_json_has_every_digit_and_every_key() -> None:
    found = comparison(test="sacrebleu-bs")
    read = json.loads(as_json(found), parse_constant=refuse)
    assert [*read] == FIELDS.split()
    for system, fields in zip(found.systems, read["systems"], strict=True):
        assert [*fields] == OF_A_SYSTEM.split()
        assert fields["score"] == system.score.value and fields["mean"] == system.mean is not None
        assert fields["half_width"] == system.half_width
        assert fields["interval"]["low"] == system.interval.low
        assert fields["interval"]["confidence"] == 0.95
        assert {*fields["interval"]} == {"low", "high", "method", "confidence", "warning"}
    first, second, _ = read["systems"]
    assert (first["name"], first["difference"], first["p_value"]) == ("heron", None, None)
    assert second["difference"]["value"] == second["score"] - first["score"]
    assert second["difference"]["interval"]["high"] > second["difference"]["value"]
    assert second["wins"] + second["ties"] + second["losses"] == 12
    plain = json.loads(as_json(comparison()))
    assert {each["mean"] for each in plain["systems"]} == {None}


@pytest.mark.parametrize("share", [Fraction(9, 10), np.float64(0.9), np.float32(0.9)])
@pytest.mark.parametrize("kind", [comparison, ranking])
def test_a_share_may_be_any_number(kind: Any, share: Any) -> None:
    found = kind(confidence=share)
    read = json.loads(as_json(replace(found, **(
        {"level": Fraction(1, 20)} if kind is ranking else {}))))
    assert read["confidence"] == read["systems"][0]["interval"]["confidence"] == float(share)
    assert read_methods(methods_sentence(found))["confidence"] == float(share)
    assert "% interval" in " ".join(as_text(found, 200)) and as_tsv(found)


@pytest.mark.parametrize("found", [comparison(), ranking()], ids=["comparison", "ranking"])
def test_tsv_has_a_cell_for_each_column_whatever_the_names(found: Any) -> None:
    rows = [line.split("\t") for line in as_tsv(found).split("\n")[:-1]]
    read = json.loads(as_json(found))["systems"]
    scores = rows[0].index("score")
    assert [float(row[scores]) for row in rows[1:]] == [each["score"] for each in read]
    names = renamed(comparison(), HOSTILE)
    header, *lines = as_tsv(names).split("\n")[:-1]
    assert len(lines) == len(HOSTILE)
    assert {line.count("\t") for line in lines} == {header.count("\t")}
    assert [line.split("\t")[0] for line in lines] == [visible(name) for name in HOSTILE]


def test_a_ranking_for_programs_has_its_matrices() -> None:
    found = ranking()
    read = json.loads(as_json(found))
    assert {name: read[name] for name in ("p_values", "p_adjusted", "level")} == {
        "p_values": [[*row] for row in found.p_values],
        "p_adjusted": [[*row] for row in found.p_adjusted], "level": 0.05}
    assert [(each["cluster"], each["rank_shares"]) for each in read["systems"]] == [
        (cluster, [*shares])
        for cluster, shares in zip(found.clusters, found.rank_shares, strict=True)]
    header, first, *_ = (line.split("\t") for line in as_tsv(found).split("\n"))
    row = dict(zip(header, first, strict=True))
    assert [float(row[f"rank_{rank}"]) for rank in (1, 2, 3)] == [*found.rank_shares[0]]
    assert [float(row[f"p_values_{each.name}"]) for each in found.systems] == [*found.p_values[0]]


def test_tsv_names_each_column_once() -> None:
    rows = [{"a": {"low": None, "none": None}, "b": 1}, {"a": {"low": 0.1, "none": None}, "b": 2}]
    assert write_tsv(rows) == "a_low\ta_none\tb\n\t\t1\n0.1\t\t2\n"


@pytest.mark.parametrize("kind", [comparison, ranking])
@pytest.mark.parametrize("settings", [{}, {"correction": "none"}, {"test": "bootstrap"}])
def test_the_columns_do_not_depend_on_the_numbers(kind: Any, settings: dict[str, str]) -> None:
    found = kind(**settings)
    bare = [replace(each, interval=None, difference=None, difference_interval=None, p_value=None,
                    p_adjusted=None, detectable=None, wins=None) for each in found.systems]
    header, *rows = as_tsv(replace(found, systems=tuple(bare))).splitlines()
    assert header == as_tsv(found).splitlines()[0]
    assert {row.count("\t") for row in rows} == {header.count("\t")}
    if kind is comparison:
        names = {"interval_warning", "difference_interval_low", "detectable"}
        assert names <= {*header.split("\t")}


# For papers ---------------------------------------------------------------------------------------


def grid(names: list[str]) -> Table:
    """A table of these names."""
    return make_table(renamed(comparison(), names), 1)


def markdown_cells(text: str) -> list[list[str]]:
    """The cells of a table as a library reads them."""
    [table] = mistune.create_markdown(renderer="ast", plugins=["table"])(text)
    head, body = table["children"]
    rows = [head["children"], *(row["children"] for row in body["children"])]
    return [["".join(part["raw"] for part in cell["children"]) for cell in row] for row in rows]


def test_markdown_keeps_every_name() -> None:
    table = grid(HOSTILE)
    read = markdown_cells(write_markdown(table))
    assert read == [[*table.header], *([cell.strip() for cell in row] for row in table.rows)]


ESCAPED = re.compile(r"\\[&%$#_{}]|\\[a-z]+\d*\{\}|\\pm|\\;|\{[-*[\]]\}")


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_obeys_no_name(name: str) -> None:
    lines = write_latex(grid(["base", name, "last"])).split("\n")
    sides = "l" + "r" * (len(grid(["base", name]).header) - 1)
    assert lines[:2] == [f"\\begin{{tabular}}{{{sides}}}", "  \\toprule"]
    assert lines[-3:] == ["  \\bottomrule", "\\end{tabular}", ""]
    assert lines[3] == "  \\midrule"
    rows = [lines[2], *lines[4:-3]]
    assert len(rows) == 4
    for row in rows:
        assert row.endswith(r" \\")
        body = ESCAPED.sub("", row.removesuffix(r" \\"))
        assert body.count("&") == len(sides) - 1
        cells = body.split("&")
        assert not re.search(r"[\\{}%#_^~<>|`*\[\]$-]", cells[0])
        assert all(cell.count("$") in (0, 2) for cell in cells[1:])


def test_latex_has_its_own_signs_and_dashes() -> None:
    table = as_latex(comparison(), 1)
    cells = re.findall(r"\$[^$]+\$", table)
    assert sum(r"\pm" in cell for cell in cells) >= 3 and "±" not in table
    assert table.count(r"\begin") == table.count(r"\end") == 1
    lines = as_latex(replace(ranking(), rank_shares=((0.5, 0.5, 0.0),) * 3)).split("\n")
    assert lines[0] == r"\begin{tabular}{rlrrrr}" and lines[2].endswith(r"& $p$ to next \\")
    assert [line.split(" & ")[3] for line in lines[4:7]] == ["1--2"] * 3
    assert "–" not in "".join(lines)


@pytest.mark.parametrize("write", [as_markdown, as_latex])
def test_digits_are_those_that_were_asked_for(write: Any) -> None:
    base = comparison().systems[0].score.value
    assert f"{base:.3f}" in write(comparison(), 3) and f"{base:.2f} " in write(comparison())


# For people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", [comparison(), ranking()], ids=["comparison", "ranking"])
@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_text_fits_and_says_the_same(found: Any, width: int) -> None:
    lines = as_text(found, width)
    table = lines[:lines.index("")]
    widest = max(measure(word) for line in lines for word in line.split(" "))
    assert all(measure(line) <= max(width, widest + 2, 31) for line in table)
    assert all(measure(line) <= max(width, widest + 2) for line in lines[len(table):])
    for row in make_table(found, None).rows:
        assert all(any(cell in line for line in table) for cell in row)


def test_a_narrow_terminal_gets_a_line_for_each_number() -> None:
    lines = as_text(comparison(), 40)
    table = lines[:lines.index("")]
    assert max(map(len, table)) <= 40
    assert table[0] == "heron" and table[1].startswith("  BLEU: 40.49 ± ")


def test_columns_line_up_in_any_script() -> None:
    lines = lay_out(Table("", ["system", "n"], [["海海", "1"], ["e\u0301", "22"]]), 80)
    assert [measure(line) for line in lines] == [10, 10, 10]


def test_no_name_moves_the_cursor() -> None:
    for line in as_text(renamed(comparison(), HOSTILE), 100):
        assert line.isprintable()


def test_notes_are_told_or_left_to_the_caller() -> None:
    found = replace(comparison(), notes=("five documents are few",))
    assert as_text(found, 80)[-1] == "note: five documents are few"
    assert as_text(found, 80, notes=False) == as_text(replace(found, notes=()), 80)


def test_doubt_is_a_question_mark_and_in_json_a_sentence() -> None:
    first, second, _ = comparison().systems
    doubtful = replace(first.interval, warning="unreliable: 2 matches")
    odd = replace(second, p_value=math.nan, detectable=math.inf, interval=None)
    found = replace(comparison(), systems=(replace(first, interval=doubtful), odd))
    assert make_table(found, 2).rows[0][1].endswith("?")
    first, second = json.loads(as_json(found), parse_constant=refuse)["systems"]
    assert first["interval"]["warning"] == "unreliable: 2 matches"
    assert second["p_value"] is second["detectable"] is second["interval"] is None


def test_what_nobody_fills_is_no_column() -> None:
    assert "Holm" not in make_table(comparison(correction="none"), 2).header
    assert "resampled" in make_table(comparison(test="bootstrap"), 2).header
    assert "runs" not in make_table(comparison(), 2).header
    runs = compare_systems("a", {"a": counts()["heron"], "b": tuple(counts().values())}, trials=9)
    shown = make_table(runs, 2)
    assert shown.rows[1][shown.header.index("runs")].startswith("3 (sd ")
    assert len(json.loads(as_json(runs))["systems"][1]["runs"]) == 3
    header, _, row = (line.split("\t") for line in as_tsv(runs).split("\n")[:-1])
    assert row[header.index("runs")].count(",") == 2


# The sentence -------------------------------------------------------------------------------------

TOLD = (
    "signature", "test", "trials", "seed", "correction", "confidence", "segments", "documents",
    "version",
)  # fmt: skip


def told_of(found: Any) -> dict[str, Any]:
    """What the sentence should say."""
    told = {name: getattr(found, name) for name in TOLD}
    drawn = found.trials or isinstance(found, Ranking)
    return told if drawn else {**told, "seed": None}


@pytest.mark.parametrize("kind", [comparison, ranking])
@pytest.mark.parametrize("test", TESTS)
def test_the_sentence_is_read_back(kind: Any, test: str) -> None:
    found = kind(test=test, trials=None if test == "delta" else 50)
    for documents, seed, correction, confidence in product(
        (None, 12_345), (0, 7, None), ("holm", "none"), (0.95, 0.999, 0.5, 0.8 + 0.1, 1 / 3)
    ):
        each = replace(found, documents=documents, correction=correction, segments=3_004_000,
                       seed=seed, confidence=confidence)
        assert read_methods(methods_sentence(each)) == told_of(each)


@pytest.mark.parametrize("width", [12, 30, 41, 72])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    "])
def test_the_sentence_is_found_where_it_was_pasted(width: int, end: str) -> None:
    found = comparison(test="sacrebleu-bs")
    wrapped = end.join(textwrap.wrap(methods_sentence(found), width))
    page = f"We report BLEU (see below).{end}{wrapped}{end}We report BLEU (again) on two segments."
    assert read_methods(page) == told_of(found)


@pytest.mark.parametrize("name", [*HOSTILE, "x) on 1 segments", "the test, trials, seed 5"])
def test_no_name_changes_what_the_sentence_says(name: str) -> None:
    for found in (renamed(comparison(), [name, "b"]), renamed(ranking(), [name, "b", "c"])):
        assert read_methods(methods_sentence(found)) == told_of(found)
    signed = replace(comparison(), signature="nrefs:1|tok:callable(my.f)|version:1 b|dialect:a row")
    for width in (20, 60):
        page = textwrap.fill(methods_sentence(signed), width)
        assert read_methods(page)["signature"] == signed.signature


def test_text_without_one_sentence_is_refused() -> None:
    sentence = methods_sentence(comparison())
    for text, number in (("", 0), ("BLEU = 27.3", 0), (f"{sentence} {sentence}", 2)):
        with pytest.raises(ValueError, match=f"the text holds {number} sentences on a comparison"):
            read_methods(text)


@pytest.mark.parametrize("test", ["delta", "bootstrap"])
@pytest.mark.parametrize("rank", [True, False])
def test_the_sentence_tells_of_runs(rank: bool, test: str) -> None:
    each = counts()
    runs = {"one": each["heron"], "a, 2": (each["kestrel"], each["reference_2"], each["heron"]),
            "b": (each["heron"], each["kestrel"])}
    trials = None if test == "delta" else 99
    found = (rank_systems(runs, test=test, trials=trials, seed=7) if rank
             else compare_systems("one", runs, test=test, trials=trials, seed=7))
    sentence = methods_sentence(found)
    assert read_methods(sentence) == told_of(found)
    for system in found.systems:
        told = (f"The score of {system.name} is the mean of {len(system.runs)} runs "
                f"(standard deviation {stdev(system.runs or (0, 1)):.2f}).")
        assert (told in sentence) == bool(system.runs)
    plain = methods_sentence(comparison())
    assert "runs" not in plain
    assert Bleu.from_signature(read_methods(plain)["signature"]).unspecified == ()


def test_the_seed_of_ranks_is_told_where_the_test_draws_nothing() -> None:
    found = ranking(test="delta", trials=None, seed=7)
    assert "ranks from 1,000 resamples, seed 7)" in methods_sentence(found)
    assert "1,000 resamples, seed 7" in " ".join(as_text(found, 200))


def test_what_is_detectable_is_said_from_least_to_most() -> None:
    sentence = methods_sentence(comparison())
    finds = sorted(each.detectable for each in comparison().systems[1:])
    assert f"a true difference of {finds[0]:.2f} to {finds[1]:.2f} points" in sentence
    same = compare_systems("a", {"a": counts()["heron"], "b": counts()["heron"]}, trials=9)
    assert "true difference" not in methods_sentence(same)
    assert methods_sentence(same).endswith("the baseline is a.")


@pytest.mark.parametrize("form", ["markdown", "latex"])
@pytest.mark.parametrize(("scale", "shown"), [
    (100, "100.0/80.0/75.0/66.7"), (1, "1.000/0.800/0.750/0.667"),
])  # fmt: skip
def test_a_table_shows_precisions_to_a_tenth_of_a_percent(
    form: str, scale: int, shown: str
) -> None:
    score = Bleu(scale=scale)(["a b c d e f"], [["a b c d e x f"]])
    [row] = [line for line in tabulate_scores([("mine", score, None)], form) if "mine" in line]
    assert shown in row
