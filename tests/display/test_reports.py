"""Tables of systems in every format, and the sentence for a methods section and back."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from statistics import stdev
from typing import Any

import mistune
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb import Bleu
from bleu_nb.derivation.score_line import plain_numbers, say_number, visible
from bleu_nb.display.tables import (
    NAME,
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
from bleu_nb.files.reading import example_path, read_files
from bleu_nb.significance import (
    TESTS,
    Interval,
    Ranking,
    SystemsComparison,
    compare_systems,
    rank_systems,
)

HOSTILE = [
    "plain", "a|b", r"back\slash", "en_de [100%] & more", "{$x^2$}~#", "[-1pt]", "*", "tab\there",
    "two\nlines", "\x1b[2J", "海 und 'quotes\" `", "<b>bold</b> &amp; ![x](y)", "a\\|b", "--", "",
]  # fmt: skip
PAPERS = (lambda each, *digits: each.to_markdown(*digits),
          lambda each, *digits: each.to_latex(*digits))


@cache
def counts() -> dict[str, Any]:
    """What was counted of the example: two systems, and the second reference as a third."""
    names = ("heron", "kestrel", "reference_2", "reference_1")
    *systems, human = read_files([str(example_path(f"{name}.txt")) for name in names])
    return Bleu().count_systems(dict(zip(names, systems, strict=False)),
                                [[line] for line in human])


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
    return replace(found, systems=tuple(
        replace(each, name=name)
        for each, name in zip(found.systems * len(names), names, strict=False)))


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
@pytest.mark.parametrize(
    "write", [lambda each: " ".join(as_text(each, 200)), *PAPERS])
def test_a_p_of_nothing_is_a_bound_in_every_table(test: str, write: Any) -> None:
    found, ranked = (each(test=test, trials=200) for each in (comparison, ranking))
    base, *others = found.systems
    found = replace(found, systems=(
        base, *(replace(each, p_value=0.0, p_adjusted=0.0) for each in others)))
    ranked = replace(ranked, p_adjusted=((0.0,) * 3,) * 3)
    assert "0.0001" not in write(found) + write(ranked)
    assert write(found).count("<0.005") == write(found).count("<0.01") == 2
    assert write(ranked).count("<0.015") == 2
    assert write(replace(ranked, correction="none")).count("<0.005") == 2
    assert json.loads(found.to_json())["systems"][1]["p_value"] == 0.0


@pytest.mark.parametrize(("value", "sign", "shown"), [
    (-0.001, False, "0.00"), (0.001, True, "0.00"), (-0.0, True, "0.00"),
    (-0.005001, False, "−0.01"), (12.345, True, "+12.35"), (12.345, False, "12.35"),
    (-1234567.891, False, "−1,234,567.89"), (999.999, True, "+1,000.00"),
])  # fmt: skip
def test_numbers_are_written_in_one_way(value: float, sign: bool, shown: str) -> None:
    """For people; a program reads the same number, and nothing has no sign."""
    assert say_number(value, 2, sign) == shown
    assert float(plain_numbers(shown)) == pytest.approx(value, abs=0.0051)


@pytest.mark.parametrize(("interval", "digits", "shown"), [
    (Interval(8, 12), 1, "10.0 ± 2.0"), (Interval(8, 12.4), 1, "10.0 [8.0, 12.4]"),
    (Interval(8, 12.09), 1, "10.0 ± 2.0"), (None, 3, "10.000"),
    (Interval(0, 30, warning="unreliable: few"), 0, "10 [0, 30]?"),
])  # fmt: skip
def test_a_range_is_a_half_width_only_around_its_middle(
    interval: Interval | None, digits: int, shown: str
) -> None:
    assert show_range(10, interval, digits) == shown


@pytest.mark.parametrize(("value", "sign", "shown"), [
    (6.2e-78, False, "6.20e-78"), (6.2e-78, True, "+6.20e-78"), (-6.2e-78, True, "-6.20e-78"),
    (-6.2e-16, True, "0.00"), (0, False, "0.00"), (-3, True, "\u22123.00")])
def test_a_tiny_number_is_not_shown_as_0(value: float, sign: bool, shown: str) -> None:
    """A difference of rounding errors is one of 0."""
    assert show_range(value, None, 2, sign) == shown


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


def ends(interval: Interval | None) -> dict[str, Any]:
    """An interval as JSON has it."""
    assert interval is not None
    return {"low": interval.low, "high": interval.high, "method": interval.method,
            "confidence": 0.95, "warning": interval.warning or None}


def refuse(name: str) -> None:
    raise AssertionError(name)


def test_json_has_every_digit_and_every_key() -> None:
    found = comparison(test="sacrebleu-bs")
    read = json.loads(found.to_json(), parse_constant=refuse)
    assert [*read] == ["schema", *FIELDS.split()]
    for system, fields in zip(found.systems, read["systems"], strict=True):
        assert [*fields] == OF_A_SYSTEM.split()
        own = {name: getattr(system, name) for name in OF_A_SYSTEM.split()} | {
            "score": system.score.value, "runs": [], "interval": ends(system.interval),
            "difference": system.difference and {
                "value": system.score.value - found.systems[0].score.value,
                "interval": ends(system.difference_interval)}}
        assert fields == own and system.mean is not None
    assert read["systems"][0]["difference"] is None and read["systems"][1]["wins"] is not None
    plain = json.loads(comparison().to_json())
    assert {each["mean"] for each in plain["systems"]} == {None}


@pytest.mark.parametrize("share", [Fraction(9, 10), np.float64(0.9), np.float32(0.9)])
@pytest.mark.parametrize("kind", [comparison, ranking])
def test_a_share_may_be_any_number(kind: Any, share: Any) -> None:
    found = kind(confidence=share)
    read = json.loads(replace(found, **(
        {"level": Fraction(1, 20)} if kind is ranking else {})).to_json())
    assert read["confidence"] == read["systems"][0]["interval"]["confidence"] == float(share)
    [told] = re.findall(r"with ([\d.]+) % confidence intervals", methods_sentence(found))
    assert float(told) == pytest.approx(100 * float(share), rel=1e-12)
    assert "% interval" in " ".join(as_text(found, 200)) and as_tsv(found)


@pytest.mark.parametrize("found", [comparison(), ranking()], ids=["comparison", "ranking"])
def test_tsv_has_a_cell_for_each_column_whatever_the_names(found: Any) -> None:
    rows = [line.split("\t") for line in as_tsv(found).split("\n")[:-1]]
    read = json.loads(found.to_json())["systems"]
    scores = rows[0].index("score")
    assert [float(row[scores]) for row in rows[1:]] == [each["score"] for each in read]
    names = renamed(comparison(), HOSTILE)
    header, *lines = as_tsv(names).split("\n")[:-1]
    assert len(lines) == len(HOSTILE)
    assert {line.count("\t") for line in lines} == {header.count("\t")}
    assert [line.split("\t")[0] for line in lines] == [visible(name) for name in HOSTILE]


def test_a_ranking_for_programs_has_its_matrices() -> None:
    found = ranking()
    read = json.loads(found.to_json())
    assert read["level"] == 0.05
    header, *lines = (line.split("\t") for line in as_tsv(found).splitlines())
    for place, (line, fields) in enumerate(zip(lines, read["systems"], strict=True)):
        row, shares = dict(zip(header, line, strict=True)), [*found.rank_shares[place]]
        assert (fields["cluster"], fields["rank_shares"]) == (found.clusters[place], shares)
        assert [float(row[f"rank_{rank}"]) for rank in (1, 2, 3)] == shares
        for kind in ("p_values", "p_adjusted"):
            ours = [*getattr(found, kind)[place]]
            assert read[kind][place] == ours == [
                float(row[f"{kind}_{each.name}"]) for each in found.systems]


@pytest.mark.parametrize("kind", [comparison, ranking])
@pytest.mark.parametrize("settings", [{}, {"correction": "none"}, {"test": "bootstrap"}])
def test_the_columns_do_not_depend_on_the_numbers(kind: Any, settings: dict[str, str]) -> None:
    found = kind(**settings)
    bare = replace(found, systems=tuple(
        replace(each, interval=None, difference=None, difference_interval=None, p_value=None,
                p_adjusted=None, detectable=None, wins=None) for each in found.systems))
    full, (header, *rows) = as_tsv(found).splitlines(), as_tsv(bare).splitlines()
    assert header == full[0] and {row.count("\t") for row in rows} == {header.count("\t")}
    names = {"interval_warning", "difference_interval_low", "detectable"}
    assert kind is ranking or names <= {*header.split("\t")}


# For papers ---------------------------------------------------------------------------------------


def grid(names: list[str]) -> Table:
    """A table of these names."""
    return tabulate_systems(renamed(comparison(), names), 1)


def test_markdown_keeps_every_name() -> None:
    """Every cell, as a library reads it."""
    table = grid(HOSTILE)
    read = mistune.create_markdown(renderer="ast", plugins=["table"])(table.to_markdown())
    head, body = read[0]["children"]
    rows = [head["children"], *(row["children"] for row in body["children"])]
    assert [["".join(part["raw"] for part in cell["children"]) for cell in row]
            for row in rows] == [[*table.header], *([cell.strip() for cell in row]
                                                    for row in table.rows)]


ESCAPED = re.compile(r"\\[&%$#_{}]|\\[a-z]+\d*\{\}|\\pm|\\;|\{[-*[\]]\}")


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_obeys_no_name(name: str) -> None:
    table = grid(["base", name, "last"])
    sides = "l" + "r" * (len(table.header) - 1)
    begin, top, head, middle, *rows, bottom, end, empty = table.to_latex().split("\n")
    assert [begin, top, middle, bottom, end, empty] == [
        f"\\begin{{tabular}}{{{sides}}}", "  \\toprule", "  \\midrule", "  \\bottomrule",
        "\\end{tabular}", ""]
    for row in [head, *rows]:
        assert row.endswith(r" \\") and len(rows) == 3
        first, *others = ESCAPED.sub("", row.removesuffix(r" \\")).split("&")
        assert len(others) == len(sides) - 1
        assert not re.search(r"[\\{}%#_^~<>|`*\[\]$-]", first)
        assert all(cell.count("$") in (0, 2) for cell in others)


def test_latex_has_its_own_signs_and_dashes() -> None:
    odd = Table("", [NAME, "difference"], [["a − b", "−1,234.5 ± 0.5"], ["c", "1,000/2/3"]])
    assert odd.to_latex().split("\n")[4:6] == [
        r"  a $-$ b & $-1234.5 \pm 0.5$ \\", r"  c & 1000/2/3 \\"]
    table = comparison().to_latex(1)
    cells = re.findall(r"\$[^$]+\$", table)
    assert sum(r"\pm" in cell for cell in cells) >= 3 and "±" not in table
    assert table.count(r"\begin") == table.count(r"\end") == 1
    lines = replace(ranking(), rank_shares=((0.5, 0.5, 0.0),) * 3).to_latex().split("\n")
    assert lines[0] == r"\begin{tabular}{rlrrrr}" and lines[2].endswith(r"& $p$ to next \\")
    assert [line.split(" & ")[3] for line in lines[4:7]] == ["1--2"] * 3
    assert "–" not in "".join(lines)


@pytest.mark.parametrize("write", PAPERS)
def test_digits_are_those_that_were_asked_for(write: Any) -> None:
    base = comparison().systems[0].score.value
    assert f"{base:.3f}" in write(comparison(), 3) and f"{base:.2f} " in write(comparison())


# For people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", [comparison(), ranking()], ids=["comparison", "ranking"])
@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_text_fits_and_says_the_same(found: Any, width: int) -> None:
    lines = as_text(found, width)
    table = lines[:lines.index("")]
    widest = max(terminal_width(word) for line in lines for word in line.split(" "))
    assert all(terminal_width(line) <= max(width, widest + 2, 31) for line in table)
    assert all(terminal_width(line) <= max(width, widest + 2) for line in lines[len(table):])
    for row in tabulate_systems(found, None).rows:
        assert all(any(cell in line for line in table) for cell in row)


def test_a_narrow_terminal_gets_a_line_for_each_number() -> None:
    first, second, *_ = as_text(comparison(), 40)
    assert first == "heron" and second.startswith("  BLEU: 40.49 ± ")
    assert "baseline: heron" in as_text(comparison(), 40)


@pytest.mark.parametrize("width", range(20, 100))
def test_two_systems_are_a_table_as_long_as_they_fit_side_by_side(width: int) -> None:
    header = ["system", "BLEU", "difference", "won/tied/lost"]
    rows = [["heron.txt", "45.45 ± 17.53", "baseline", ""],
            ["kestrel.txt", "67.25 ± 9.69", "+21.81 ± 19.38", "9/0/3"]]
    lines = lay_out(Table("", header, rows), width)
    assert max(map(len, lines)) <= max(width, 30)
    table = sum("heron.txt" in line and "kestrel.txt" in line for line in lines)
    if width >= 57:     # A system is a line
        assert (len(lines), table) == (3, 0)
    elif width >= 44:   # A system is a column
        assert (len(lines), table) == (4, 1) and lines[1].split()[0] == "BLEU"
    else:
        assert table == 0 and len(lines) > 5


def test_columns_line_up_in_any_script() -> None:
    lines = lay_out(Table("", ["system", "n"], [["海海", "1"], ["e\u0301", "22"]]), 80)
    assert [terminal_width(line) for line in lines] == [10, 10, 10]


def test_no_name_moves_the_cursor() -> None:
    assert all(line.isprintable() for line in as_text(renamed(comparison(), HOSTILE), 100))


def test_notes_are_told_or_left_to_the_caller() -> None:
    found = replace(comparison(), notes=("five documents are few",))
    assert as_text(found, 80)[-1] == "note: five documents are few"
    assert as_text(found, 80, notes=False) == as_text(replace(found, notes=()), 80)


def test_doubt_is_a_question_mark_and_in_json_a_sentence() -> None:
    first, second, _ = comparison().systems
    doubtful = replace(first.interval, warning="unreliable: 2 matches")
    odd = replace(second, p_value=math.nan, detectable=math.inf, interval=None)
    found = replace(comparison(), systems=(replace(first, interval=doubtful), odd))
    assert tabulate_systems(found, 2).rows[0][1].endswith("?")
    first, second = json.loads(found.to_json(), parse_constant=refuse)["systems"]
    assert first["interval"]["warning"] == "unreliable: 2 matches"
    assert second["p_value"] is second["detectable"] is second["interval"] is None


def test_what_nobody_fills_is_no_column() -> None:
    assert not {"Holm", "runs"} & {*tabulate_systems(comparison(correction="none"), 2).header}
    assert "resampled" in tabulate_systems(comparison(test="bootstrap"), 2).header
    runs = compare_systems("a", {"a": counts()["heron"], "b": tuple(counts().values())}, trials=9)
    shown = tabulate_systems(runs, 2)
    assert str(shown.rows[1][shown.header.index("runs")]).startswith("3 (sd ")
    assert len(json.loads(runs.to_json())["systems"][1]["runs"]) == 3
    header, _, row = (line.split("\t") for line in as_tsv(runs).splitlines())
    assert row[header.index("runs")].count(",") == 2


# The sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [comparison, ranking])
@pytest.mark.parametrize("test", TESTS)
def test_the_sentence_tells_what_a_run_was_made_with(kind: Any, test: str) -> None:
    found = kind(test=test, trials=None if test == "delta" else 50)
    for documents, seed, correction, confidence, percent in (
        (None, 0, "holm", 0.95, "95"), (12_345, 7, "none", 0.999, "99.9"),
        (12_345, None, "holm", 0.8 + 0.1, "90"), (None, 7, "none", 0.5, "50"),
    ):
        each = replace(found, documents=documents, correction=correction, segments=3_004_000,
                       seed=seed, confidence=confidence)
        shown = methods_sentence(each)
        signature = each.signature.replace(" ", "\N{NO-BREAK SPACE}")
        assert shown.startswith(f"We report BLEU ({signature}) on 3,004,000 segments")
        assert ("12,345 documents" in shown) == ("whole documents" in shown) == bool(documents)
        assert f"{percent} % confidence intervals" in shown
        assert f" (bleu_nb {each.version}, test {test} over " in shown
        assert TESTS[test].spoken in shown
        assert ("50 trials" in shown) == bool(each.trials)
        drawn = f"seed {seed}" if seed is not None else "unseeded"
        assert (drawn in shown) == bool(each.trials or kind is ranking)
        assert ("Holm" in shown) == (correction == "holm")


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
    for system in found.systems:
        told = (f"The score of {system.name} is the mean of {len(system.runs)} runs "
                f"(standard deviation {stdev(system.runs or (0, 1)):.2f}).")
        assert (told in sentence) == bool(system.runs)
    plain = methods_sentence(comparison())
    assert "runs" not in plain
    signature = plain.partition("(")[2].partition(")")[0]
    assert Bleu.from_signature(signature).unspecified == ()


def test_the_seed_of_ranks_is_told_where_the_test_draws_nothing() -> None:
    found = ranking(test="delta", trials=None, seed=7)
    assert "ranks from 1,000 resamples, seed 7)" in methods_sentence(found)
    assert "1,000 resamples, seed 7" in " ".join(as_text(found, 200))


def test_what_is_detectable_is_said_from_least_to_most() -> None:
    systems = comparison().systems
    sentence = methods_sentence(replace(comparison(), systems=systems + systems[1:]))
    finds = sorted(each.detectable for each in systems[1:])
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
