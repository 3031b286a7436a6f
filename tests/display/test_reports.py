"""Tables of systems in every format, and the sentence for a methods section and back."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from statistics import stdev
from typing import Any

import mistune
import pytest
from data import example
from hypothesis import given
from hypothesis import strategies as st
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
from bleu_nb.derivation.score_line import plain_numbers, say_number, visible
from bleu_nb.dialects.input_checks import ScaleNote
from bleu_nb.dialects.signatures import signature_fields
from bleu_nb.display.significance_charts import intervals_chart
from bleu_nb.display.tables import (
    FIELDS,
    SCHEMA,
    Table,
    as_text,
    as_tsv,
    lay_out,
    methods_sentence,
    range_of_ranks,
    show_p,
    show_range,
    tabulate_scores,
    tabulate_systems,
    terminal_width,
)
from bleu_nb.significance import TESTS, Interval

HOSTILE = [
    "plain", "a|b", r"back\slash", "en_de [100%] & more", "{$x^2$}~#", "[-1pt]", "*", "tab\there",
    "two\nlines", "\x1b[2J", "海 und 'quotes\" `", "<b>bold</b> &amp; ![x](y)", "a\\|b", "--", "",
]  # fmt: skip
PAPERS = (lambda each, *digits: each.to_markdown(*digits),
          lambda each, *digits: each.to_latex(*digits))
BOTH = pytest.mark.parametrize("ranked", [False, True], ids=["comparison", "ranking"])


@cache
def counts() -> dict[str, Any]:
    """What was counted of the example: two systems, and the second reference as a third."""
    return Bleu().count_systems(
        {name: example(name) for name in ("heron", "kestrel", "reference_2")},
        [[line] for line in example("reference_1")])


@cache
def made(ranked: bool = False, **settings: Any) -> Any:
    """Kestrel and a person against Heron, or all three ranked."""
    settings = {"trials": 99, **settings}
    return rank_systems(counts(), **settings) if ranked else (
        compare_systems("heron", counts(), **settings))


def named(names: list[str]) -> Any:
    """A comparison with these names, a row for each."""
    found = made()
    return replace(found, systems=tuple(
        replace(each, name=name)
        for each, name in zip(found.systems * len(names), names, strict=False)))


# Cells --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("write", "given", "shown"), [
    *((say_number, given, shown) for given, shown in (
        ((-0.001, 2, False), "0.00"), ((0.001, 2, True), "0.00"), ((-0.0, 2, True), "0.00"),
        ((-0.005001, 2, False), "−0.01"), ((12.345, 2, True), "+12.35"),
        ((12.345, 2, False), "12.35"), ((-1234567.891, 2, False), "−1,234,567.89"),
        ((999.999, 2, True), "+1,000.00"))),
    # A half width only around its middle
    *((show_range, given, shown) for given, shown in (
        ((10, Interval(8, 12), 1), "10.0 ± 2.0"),
        ((10, Interval(8, 12.4), 1), "10.0 [8.0, 12.4]"),
        ((10, Interval(8, 12.09), 1), "10.0 ± 2.0"), ((10, None, 3), "10.000"),
        ((10, Interval(0, 30, warning="unreliable: few"), 0), "10 [0, 30]?"))),
    # Not as 0; but a difference of rounding errors is one of 0
    *((show_range, (value, None, 2, sign), shown) for value, sign, shown in (
        (6.2e-78, False, "6.20e-78"), (6.2e-78, True, "+6.20e-78"),
        (-6.2e-78, True, "-6.20e-78"), (-6.2e-16, True, "0.00"), (0, False, "0.00"),
        (-3, True, "−3.00"))),
    *((range_of_ranks, (shares, 0.95), ranks) for shares, ranks in (
        ((1.0,), "1"), ((0.0, 1.0), "2"), ((0.5, 0.5), "1–2"), ((0.025, 0.95, 0.025), "2"),
        ((0.03, 0.94, 0.03), "1–3"), ((0.2, 0.0, 0.8), "1–3"))),
    # Of p 0, no smaller than the trials and tests can say
    *((show_p, (0.0, 0.0, trials, tests), shown) for trials, tests, shown in (
        (200, 1, "<0.005"), (300, 1, "<0.0034"), (1, 1, "<1"), (10_000, 1, "<0.0001"),
        (10**6, 1, "<0.0001"), (0, 1, "<0.0001"), (200, 3, "<0.015"), (2, 3, "<1"))),
    (show_p, (0.25, None, 2, 3), "0.2500"), (show_p, (0.25, None, 200, 1), "0.2500"),
])  # fmt: skip
def test_a_number_is_written_in_one_way(write: Any, given: tuple[Any, ...], shown: str) -> None:
    assert write(*given) == shown


@given(st.floats(-1e9, 1e9), st.booleans(), st.floats(0, 1))
def test_a_program_reads_the_same_number_and_p_is_never_nothing(
    value: float, sign: bool, p: float
) -> None:
    assert float(plain_numbers(say_number(value, 2, sign))) == pytest.approx(value, abs=0.0051)
    shown = show_p(p)
    assert float(shown.lstrip("<")) > 0
    assert p < 1e-4 if shown.startswith("<") else abs(float(shown) - p) <= 5e-5 + 1e-12


@pytest.mark.parametrize("test", ["moses", "koehn"])
@pytest.mark.parametrize("write", [lambda each: " ".join(as_text(each, 200)), *PAPERS])
def test_a_p_of_nothing_is_a_bound_in_every_table(test: str, write: Any) -> None:
    found, ranked = (made(each, test=test, trials=200) for each in (False, True))
    base, *others = found.systems
    shown = write(replace(found, systems=(
        base, *(replace(each, p_value=0.0, p_adjusted=0.0) for each in others))))
    ranked = replace(ranked, p_adjusted=((0.0,) * 3,) * 3)
    assert "0.0001" not in shown + write(ranked)
    assert shown.count("<0.005") == shown.count("<0.01") == write(ranked).count("<0.015") == 2
    assert write(replace(ranked, correction="none")).count("<0.005") == 2


# For programs -------------------------------------------------------------------------------------


def refuse(name: str) -> None:
    raise AssertionError(name)


def plain(value: Any) -> Any:
    """A value as JSON has it: an interval by its fields, no empty warning, lists."""
    if isinstance(value, Interval):
        return {name: plain(getattr(value, name)) or None for name in FIELDS["interval"]}
    return [*value] if isinstance(value, tuple) else value


@BOTH
def test_json_has_every_digit_and_the_fields_of_its_schema(ranked: bool) -> None:
    found = made(ranked, test="sacrebleu-bs")
    read = json.loads(found.to_json(), parse_constant=refuse)
    schema, *names = (*FIELDS["table"], *[*FIELDS["ranking"]] * ranked)
    assert read["schema"] == FIELDS["table"][schema].split(" or ")[ranked]
    assert {*read} == {schema, *names}
    assert [read[name] for name in names if name not in ("systems", "p_values", "p_adjusted")] == [
        plain(getattr(found, name)) for name in names
        if name not in ("systems", "p_values", "p_adjusted")]
    for place, (system, fields) in enumerate(zip(found.systems, read["systems"], strict=True)):
        assert {*fields} == {*FIELDS["system"], *FIELDS["ranked" if ranked else "compared"]}
        own = {name: plain(getattr(system, name, None)) for name in fields}
        own["score"] = system.score.value
        if ranked:
            own |= {"cluster": found.clusters[place], "rank_shares": [*found.rank_shares[place]]}
        elif place:
            own["difference"] = {"value": system.score.value - found.systems[0].score.value,
                                 "interval": plain(system.difference_interval)}
            assert fields["wins"] is not None is not fields["mean"]
        assert fields == own


def columns(fields: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """The cells that fields of JSON have in TSV: nested ones have the name of both."""
    found: dict[str, str] = {}
    for name, value in fields.items():
        found |= columns(value, f"{before}{name}_") if isinstance(value, dict) else {
            f"{before}{name}": "" if value is None else str(value)}
    return found


@pytest.mark.parametrize("settings", [{}, {"correction": "none"}, {"test": "bootstrap"}])
@BOTH
def test_tsv_has_the_cells_of_json_and_columns_that_depend_on_no_number(
    ranked: bool, settings: dict[str, str]
) -> None:
    found = made(ranked, **settings)
    bare = replace(found, systems=tuple(
        replace(each, interval=None, difference=None, difference_interval=None, p_value=None,
                p_adjusted=None, detectable=None, wins=None) for each in found.systems))
    read, names = json.loads(found.to_json()), [each.name for each in found.systems]
    (header, *rows), (other, *empty) = (
        [line.split("\t") for line in as_tsv(each).splitlines()] for each in (found, bare))
    assert header == other and {len(row) for row in (*rows, *empty)} == {len(header)}
    for place, fields in enumerate(read["systems"]):
        fields["runs"] = ",".join(map(str, fields["runs"]))
        fields["rank"] = dict(enumerate(fields.pop("rank_shares", []), 1))
        if ranked:
            fields |= {kind: dict(zip(names, read[kind][place], strict=True))
                       for kind in ("p_values", "p_adjusted")}
            assert [*fields["p_values"].values()] == [*found.p_values[place]]
        told = columns(fields)
        assert rows[place] == [told.get(name, "") for name in header]
        assert {name for name in told if told[name]} <= {*header}
    assert ranked or {"interval_warning", "difference_interval_low", "detectable"} <= {*header}


def test_a_name_is_one_cell_and_moves_no_cursor() -> None:
    header, *lines = as_tsv(named(HOSTILE)).split("\n")[:-1]
    assert {line.count("\t") for line in lines} == {header.count("\t")}
    assert [line.split("\t")[0] for line in lines] == [*map(visible, HOSTILE)]
    assert all(line.isprintable() for line in as_text(named(HOSTILE), 100))


# For papers ---------------------------------------------------------------------------------------


def test_markdown_keeps_every_name() -> None:
    """Every cell, as a library reads it."""
    table = tabulate_systems(named(HOSTILE), 1)
    read = mistune.create_markdown(renderer="ast", plugins=["table"])(table.to_markdown())
    head, body = read[0]["children"]
    rows = [head["children"], *(row["children"] for row in body["children"])]
    assert [["".join(part["raw"] for part in cell["children"]) for cell in row]
            for row in rows] == [[*table.header], *([cell.strip() for cell in row]
                                                    for row in table.rows)]


ESCAPED = re.compile(r"\\[&%$#_{}]|\\[a-z]+\d*\{\}|\\pm|\\;|\{[-*[\]]\}")


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_obeys_no_name(name: str) -> None:
    table = tabulate_systems(named(["base", name, "last"]), 1)
    sides = "l" + "r" * (len(table.header) - 1)
    begin, top, head, middle, *rows, bottom, end, empty = table.to_latex().split("\n")
    assert [begin, top, middle, bottom, end, empty] == [
        f"\\begin{{tabular}}{{{sides}}}", "  \\toprule", "  \\midrule", "  \\bottomrule",
        "\\end{tabular}", ""]
    assert len(rows) == 3
    for row in [head, *rows]:
        first, *others = ESCAPED.sub("", row.removesuffix(r" \\")).split("&")
        assert row.endswith(r" \\") and len(others) == len(sides) - 1
        assert not re.search(r"[\\{}%#_^~<>|`*\[\]$-]", first)
        assert all(cell.count("$") in (0, 2) for cell in others)


@pytest.mark.parametrize("cell, shown", [
    ("a_b", r"a\_b"), ("-_", r"{-}\_"), ("+ & #", r"+ \& \#"), ("<5 %", r"$<5 \%$"),
    ("[x] $y$ {z}", r"{[}x{]} \$y\$ \{z\}"), ("x^2 - ~1", r"x\textasciicircum{}2 {-} "
     r"\textasciitilde{}1"), ("+1.2 [−0.5, 2.9]", r"$+1.2\;[-0.5, 2.9]$"),
    ("45.4 ± 7", r"$45.4 \pm 7$"), ("1–3", "1--3"), ("", "")])
def test_latex_escapes_short_cells(cell: str, shown: str) -> None:
    """Only numbers and their signs become a formula, in which & # _ would end the table or fail."""
    rows = Table("", ["system", "n"], [["mine", cell]]).to_latex().split("\n")
    assert rows[4] == rf"  mine & {shown} \\"


def test_latex_has_its_own_signs_and_dashes() -> None:
    table = made().to_latex(1)
    assert len(re.findall(r"\$[^$]+\\pm[^$]+\$", table)) >= 3 and "±" not in table
    lines = replace(made(True), rank_shares=((0.5, 0.5, 0.0),) * 3).to_latex().split("\n")
    assert lines[0] == r"\begin{tabular}{rlrrrr}" and lines[2].endswith(r"& $p$ to next \\")
    assert [line.split(" & ")[3] for line in lines[4:7]] == ["1--2"] * 3


@pytest.mark.parametrize("write", PAPERS)
def test_digits_are_those_that_were_asked_for(write: Any) -> None:
    base = made().systems[0].score.value
    assert f"{base:.3f}" in write(made(), 3) and f"{base:.2f} " in write(made())


# For people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
@BOTH
def test_text_fits_and_says_the_same(ranked: bool, width: int) -> None:
    lines = as_text(made(ranked), width)
    table = lines[:lines.index("")]
    widest = max(terminal_width(word) for line in lines for word in line.split(" "))
    assert all(terminal_width(line) <= max(width, widest + 2, 31) for line in table)
    assert all(terminal_width(line) <= max(width, widest + 2) for line in lines[len(table):])
    for row in tabulate_systems(made(ranked), None).rows:
        assert all(any(cell in line for line in table) for cell in row)


@pytest.mark.parametrize("width", range(20, 100))
def test_two_systems_are_a_table_as_long_as_they_fit_side_by_side(width: int) -> None:
    header = ["system", "BLEU", "difference", "won/tied/lost"]
    rows = [["heron.txt", "45.45 ± 17.53", "baseline", ""],
            ["kestrel.txt", "67.25 ± 9.69", "+21.81 ± 19.38", "9/0/3"]]
    lines = lay_out(Table("", header, rows), width)
    # A system is a line, or a column, or several lines
    form = (3, 0) if width >= 57 else (4, 1) if width >= 44 else (len(lines), 0)
    assert max(map(len, lines)) <= max(width, 30)
    assert (len(lines), sum("heron.txt" in line and "kestrel" in line for line in lines)) == form
    assert len(lines) > 5 or lines[1].split()[0] == {3: "heron.txt", 4: "BLEU"}[len(lines)]


def test_notes_are_told_or_left_to_the_caller() -> None:
    found = replace(made(), notes=("five documents are few",))
    assert as_text(found, 80)[-1] == "note: five documents are few"
    assert as_text(found, 80, notes=False) == as_text(replace(found, notes=()), 80)


def test_doubt_is_a_question_mark_and_in_json_a_sentence() -> None:
    first, second, _ = made().systems
    found = replace(made(), systems=(
        replace(first, interval=replace(
            first.interval, warning="unreliable: 2 matches", confidence=Fraction(19, 20))),
        replace(second, p_value=math.nan, detectable=math.inf, interval=None)))
    assert tabulate_systems(found, 2).rows[0][1].endswith("?")
    first, second = json.loads(found.to_json(), parse_constant=refuse)["systems"]
    assert first["interval"].items() > {
        "warning": "unreliable: 2 matches", "confidence": 0.95}.items()
    assert second["p_value"] is second["detectable"] is second["interval"] is None


def test_what_nobody_fills_is_no_column() -> None:
    assert not {"Holm", "runs"} & {*tabulate_systems(made(correction="none"), 2).header}
    assert "resampled" in tabulate_systems(made(test="bootstrap"), 2).header


# The sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("documents", "seed", "correction", "confidence", "percent"), [
    (None, 0, "holm", 0.95, "95"), (12_345, 7, "none", 0.999, "99.9"),
    (12_345, None, "holm", 0.8 + 0.1, "90"), (None, 7, "none", 0.5, "50")])
@pytest.mark.parametrize("test", TESTS)
@BOTH
def test_the_sentence_tells_what_a_run_was_made_with(
    ranked: bool, test: str, documents: Any, seed: Any, correction: str, confidence: float,
    percent: str
) -> None:
    found = replace(made(ranked, test=test, trials=None if test == "delta" else 50),
                    documents=documents, correction=correction, segments=3_004_000, seed=seed,
                    confidence=confidence)
    shown = methods_sentence(found)
    signature = found.signature.replace(" ", "\N{NO-BREAK SPACE}")
    drawn = f"seed {seed}" if seed is not None else "unseeded"
    assert shown.startswith(f"We report BLEU ({signature}) on 3,004,000 segments")
    for words, told in (
        ("12,345 documents", bool(documents)), ("whole documents", bool(documents)),
        (f"{percent} % confidence intervals", True), (TESTS[test].spoken, True),
        (f" (bleu_nb {found.version}, test {test} over ", True),
        ("50 trials", bool(found.trials)), ("Holm", correction == "holm"),
        (drawn, bool(found.trials or ranked)),
        ("ranks from 1,000 resamples", ranked and not found.trials),
    ):
        assert (words in shown) == told, words


@pytest.mark.parametrize("test", ["delta", "bootstrap"])
@BOTH
def test_the_sentence_and_the_tables_tell_of_runs(ranked: bool, test: str) -> None:
    each = counts()
    runs = {"one": each["heron"], "a, 2": (each["kestrel"], each["reference_2"], each["heron"]),
            "b": (each["heron"], each["kestrel"])}
    settings: Any = {"test": test, "trials": None if test == "delta" else 99, "seed": 7}
    found: Any = rank_systems(runs, **settings) if ranked else (
        compare_systems("one", runs, **settings))
    shown, (header, *rows) = tabulate_systems(found, 2), as_tsv(found).splitlines()
    place, column = header.split("\t").index("runs"), [*shown.header].index("runs")
    for system, row, cells in zip(found.systems, rows, shown.rows, strict=True):
        number, spread = len(system.runs), f"{stdev(system.runs or (0, 1)):.2f}"
        told = (f"The score of {system.name} is the mean of {number} runs "
                f"(standard deviation {spread}).")
        assert (told in methods_sentence(found)) == bool(system.runs)
        assert cells[column] == f"{number} (sd {spread})" * bool(number)
        assert row.split("\t")[place] == ",".join(map(str, system.runs))


def test_the_signature_of_a_sentence_is_read_back_and_seeds_of_ranks_are_told() -> None:
    sentence = methods_sentence(made())
    assert "runs" not in sentence
    assert Bleu.from_signature(sentence.partition("(")[2].partition(")")[0]).unspecified == ()
    assert "1,000 resamples, seed 7" in " ".join(
        as_text(made(True, test="delta", trials=None, seed=7), 200))


def test_what_is_detectable_is_said_from_least_to_most() -> None:
    systems = made().systems
    sentence = methods_sentence(replace(made(), systems=systems + systems[1:]))
    least, most = sorted(each.detectable for each in systems[1:])
    assert f"a true difference of {least:.2f} to {most:.2f} points" in sentence
    same = compare_systems("a", {"a": counts()["heron"], "b": counts()["heron"]}, trials=9)
    assert methods_sentence(same).endswith("; the baseline is a.")


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


# What JSON holds is what its schema says ----------------------------------------------------------

LINES = {name: example(name) for name in ("heron", "kestrel", "reference_1", "reference_2")}
HUMAN = [*zip(LINES["reference_1"], LINES["reference_2"], strict=True)]
SCORE = corpus_bleu(LINES["heron"], HUMAN)


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite", "google-bleu"])
def test_the_json_of_a_score_has_the_fields_of_its_schema(dialect: str) -> None:
    score = Bleu(dialect)(LINES["heron"], HUMAN)
    told = json.loads(score.to_json())
    assert {*told} == {*FIELDS["score"]} | {*signature_fields(score.signature)}
    assert told["schema"] == FIELDS["score"]["schema"] == f"bleu_nb/score/{SCHEMA}"
    assert told["score"] == score.value == score.score == float(score)


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


@pytest.mark.parametrize("found", [sentence_bleu("a b c d", ["a b c e"]),
                                   self_bleu(LINES["heron"])], ids=["sentence", "self-BLEU"])
def test_sentences_and_self_bleu_have_a_score_too(found: Any) -> None:
    assert found.score == found.value


def test_a_score_is_a_row_without_a_name() -> None:
    titles, _, row = SCORE.to_markdown(3).splitlines()
    assert titles.startswith("| BLEU | precisions |") and "system" not in titles
    assert row.startswith(f"| {SCORE.value:.3f} | ")
    assert SCORE.to_latex().startswith(r"\begin{tabular}{rrrr}")
    assert SCORE.to_markdown().splitlines()[2].startswith(f"| {SCORE.value:.2f} | ")


@pytest.mark.parametrize(("dialect", "notes"), [("nltk", 1), ("sacrebleu", 0)])
def test_scores_of_both_scales_in_one_picture_are_noted(dialect: str, notes: int) -> None:
    other = Bleu(dialect)(LINES["heron"], HUMAN)
    assert notes == len(noted(
        partial(intervals_chart, {"one": (SCORE, None), "other": (other, None)}), ScaleNote))
