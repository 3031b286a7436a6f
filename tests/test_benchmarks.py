"""The benchmarks run on a little text and write what they say; no time is asserted."""

import hashlib
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import adapters
import agreement
import calibration
import contenders
import corpora
import defaults
import interval_coverage
import pairwise as all_pairs
import pytest
import run as benchmark
import significance
import timing
from agreement import read_lines
from data import needs

GENERATED = "c1046798032dd1be9fc2f5a71c82fdc4ab00f57a7488eb35b6f616dbbf3677c8"
FLOORS = {"bytes", "split"}
OURS = {"definition", "bits", "numpy-1", "numpy-all", "numba-1", "numba-all"}


def measured(folder: Path, *arguments: str) -> Any:
    """The report of a run on a little text, with these arguments."""
    little = ["--quick", "--data", "generated", "--out", str(folder)]
    assert benchmark.main([*little, *arguments]) == 0
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A run of everybody who is installed."""
    return measured(tmp_path_factory.mktemp("all"), "--segments", "30", "60")


def check_spread(spread: dict[str, float]) -> None:
    """Three positive numbers in order."""
    assert 0 < spread["low"] <= spread["median"] <= spread["high"]


def test_everybody_is_timed_or_absent_with_a_reason(report: Any) -> None:
    timed = [row["contender"] for row in report["rows"]]
    absent = {each["contender"] for each in report["absent"]}
    assert all(each["reason"] for each in report["absent"])
    assert set(timed) | absent == set(contenders.CONTENDERS)
    assert not set(timed) & absent
    assert not absent & (FLOORS | OURS - {"numba-1", "numba-all"})
    assert len(timed) == 4 * len(set(timed))


def test_rows_hold_times_ratios_and_scores(report: Any) -> None:
    assert {(row["segments"], row["references"]) for row in report["rows"]} == {
        (30, 1),
        (60, 1),
        (30, 4),
        (60, 4),
    }
    for row in report["rows"]:
        assert row["microseconds_per_segment"] > 0
        assert len(row["rounds"]) == report["method"]["rounds"] == 2
        check_spread(row["ratio_to_split"])
        assert (row["score"] is None) == (row["contender"] in FLOORS)
        assert row["score"] is None or 0 < row["score"] < 100


def test_ratios_compare_round_by_round(report: Any) -> None:
    pairs = (("ratio_to_sacrebleu", "sacrebleu"), ("ratio_to_bleuscore", "bleuscore"))
    rows = {(r["contender"], r["segments"], r["references"]): r for r in report["rows"]}
    for (_, *corpus), row in rows.items():
        for field, name in pairs:
            other = rows.get((name, *corpus))
            if other is None:
                assert row[field] is None
            else:
                quotients = [a / b for a, b in zip(other["rounds"], row["rounds"], strict=True)]
                assert row[field]["low"] == min(quotients)
                assert row[field]["high"] == max(quotients)


def test_the_same_bleu_has_the_same_score(report: Any) -> None:
    for size in {(row["segments"], row["references"]) for row in report["rows"]}:
        scores = {
            row["contender"]: row["score"]
            for row in report["rows"]
            if (row["segments"], row["references"]) == size
        }
        assert len({score for name, score in scores.items() if name in OURS}) == 1
        assert scores.get("sacrebleu", scores["numpy-1"]) == pytest.approx(scores["numpy-1"], 1e-12)


def test_growth_memory_sentences_and_start_are_there(report: Any) -> None:
    growth = {(each["contender"], each["references"]) for each in report["scaling"]}
    assert growth >= {("numpy-1", 1), ("numpy-1", 4), ("numpy-all", 1)}
    assert {(each["segments"], each["references"]) for each in report["memory"]} == {
        (30, 1),
        (60, 1),
        (30, 4),
        (60, 4),
    }
    assert all(1 < each["peak_mebibytes"] < 4096 for each in report["memory"])
    check_spread(report["import"]["import_milliseconds"])
    if "sacrebleu" not in {each["contender"] for each in report["absent"]}:
        timed = [(each["references"], each["engine"]) for each in report["sentence"]]
        assert timed[:: len(timed) // 2] == [(1, "bits"), (4, "bits")]
        for each in report["sentence"]:
            check_spread(each["ratio_to_sacrebleu"])


def test_the_head_says_what_was_run_and_not_where(report: Any) -> None:
    assert report["machine"]["cores"] >= 1
    assert set(report["machine"]) == {"cpu", "cores", "memory_gibibytes", "system"}
    assert report["python"] == ".".join(map(str, sys.version_info[:3]))
    assert {"bleu_nb", "numpy"} <= set(report["versions"])
    assert str(Path.home()) not in json.dumps(report)


def test_a_table_goes_to_the_terminal_and_to_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured(tmp_path, "--segments", "20", "--references", "1", "--contenders", "split,bits")
    printed, page = capsys.readouterr().out, (tmp_path / "results.md").read_text(encoding="utf-8")
    for text in (printed, page):
        assert "20 segments, 1 reference\n" in text
        assert "bleu_nb: plain Python" in text
        assert "from bleu_nb import corpus_bleu" in text
    widths = [line.count("|") for line in page.splitlines() if "plain Python" in line]
    assert widths == [line.count("|") for line in page.splitlines() if "µs a segment" in line]


def test_a_quick_run_leaves_the_results_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "write", lambda report, folder: pytest.fail(f"wrote {folder}"))
    few = ("--segments", "20", "--references", "1", "--contenders", "split")
    assert benchmark.main(["--quick", "--data", "generated", *few]) == 0


def test_a_missing_tool_is_listed_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "bleuscore", None)
    few = ("--segments", "20", "--references", "1", "--contenders", "split,bits,bleuscore")
    report = measured(tmp_path, *few)
    [absent] = report["absent"]
    assert absent["contender"] == "bleuscore"
    assert absent["reason"] in capsys.readouterr().out
    assert {row["contender"] for row in report["rows"]} == {"split", "bits"}
    assert all(row["ratio_to_bleuscore"] is None for row in report["rows"])


def test_a_wrong_score_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = contenders.CONTENDERS["bits"]

    def wrong(corpus: corpora.Corpus) -> contenders.Call:
        call = right.prepare(corpus)
        return lambda: (call() or 0) + 1e-9

    monkeypatch.setitem(contenders.CONTENDERS, "bits", replace(right, prepare=wrong))
    few = ("--segments", "20", "--references", "1", "--contenders", "bits,definition")
    with pytest.raises(SystemExit, match=r"scores differ on the first 20 .*'definition'"):
        measured(tmp_path, *few)


@pytest.mark.parametrize("arguments", [["--contenders", "bits,nobody"], ["--segments", "0"]])
def test_a_wrong_option_is_refused(
    arguments: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        benchmark.main(arguments)
    assert f"argument {arguments[0]}" in capsys.readouterr().err


def test_the_generated_text_is_the_same_everywhere() -> None:
    lines = [line for side in corpora.corpus("generated", 100, 4).sides for line in side]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == GENERATED


@pytest.mark.parametrize("data", corpora.DATA)
def test_less_text_is_a_part_of_more(data: str) -> None:
    if data == "wmt" and not corpora.MANIFEST.exists():
        pytest.skip("the evaluation sets are not there; BLEU_NB_DATA names their folder")
    more, fewer = corpora.corpus(data, 50, 4), corpora.corpus(data, 20, 2)
    assert fewer.candidates == more.candidates[:20]
    assert fewer.references == [group[:2] for group in more.references[:20]]
    assert all(line.strip() and "\n" not in line for side in more.sides for line in side)


def test_rounds_are_interleaved() -> None:
    order: list[str] = []
    calls = {name: lambda name=name: order.append(name) for name in "abc"}
    times = timing.interleaved(calls, 2)
    assert order == list("abcabc")
    assert [len(times[name].wall) for name in "abc"] == [2, 2, 2]


def test_the_exponent_is_the_power_of_the_size() -> None:
    sizes = [3e3, 1e5, 1e6]
    for power in (1, 1.5):
        seconds = [7e-6 * size**power for size in sizes]
        assert timing.exponent(sizes, seconds) == pytest.approx(power)


@pytest.mark.parametrize("name", agreement.SETS)
@needs(agreement.DATA / "MANIFEST.json")
def test_agreement_with_people_is_what_is_recorded(name: str) -> None:
    recorded = json.loads(agreement.RECORD.read_text(encoding="utf-8"))
    [kept] = [each for each in recorded["sets"] if each["set"] == name]
    assert agreement.measure(name) == kept


@needs(agreement.DATA / "MANIFEST.json")
def test_one_machine_scores_by_each_reference_what_is_recorded() -> None:
    recorded = json.loads(agreement.RECORD.read_text(encoding="utf-8"))
    assert agreement.by_reference() == recorded["one machine"]


@needs(agreement.DATA / "MANIFEST.json")
def test_the_error_of_a_difference_is_what_is_recorded() -> None:
    recorded = json.loads(interval_coverage.RECORD.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(interval_coverage.measure_pair())) == recorded["pair"]


@needs(agreement.DATA / "MANIFEST.json")
@pytest.mark.parametrize("level", interval_coverage.POPULATIONS)
def test_coverage_is_about_what_is_recorded(level: str) -> None:
    """Fewer runs, other test sets: within five standard errors of both simulations."""
    recorded = json.loads(interval_coverage.RECORD.read_text(encoding="utf-8"))
    [kept] = [
        each for each in recorded["coverage"] if (each["level"], each["segments"]) == (level, 20)
    ]
    found = interval_coverage.measure(level, 20, 400, 200)
    assert {**found, "methods": 0} == {**kept, "methods": 0}
    for name, shares in found["methods"].items():
        error = math.hypot(shares["error"], kept["methods"][name]["error"])
        assert abs(shares["covered"] - kept["methods"][name]["covered"]) < 5 * error
    whole = [(each["level"], each["segments"]) for each in recorded["coverage"]]
    assert whole == [*product(interval_coverage.POPULATIONS, interval_coverage.SEGMENTS)]


@needs(agreement.DATA / "MANIFEST.json")
def test_defaults_of_tools_are_worth_what_is_recorded() -> None:
    recorded = json.loads(defaults.RECORD.read_text(encoding="utf-8"))
    candidates = read_lines(defaults.DATA / defaults.SET / f"sys.{defaults.SYSTEM}.txt")
    lines = read_lines(defaults.DATA / defaults.SET / f"ref.{defaults.REFERENCE}.txt")
    for tool in recorded["tools"][:5]:
        assert defaults.measure(tool["tool"], candidates, [[line] for line in lines]) == tool


def test_tests_of_differences_are_timed_beside_sacrebleus(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    target = tmp_path / "significance.json"
    assert significance.main(["--quick", "--out", str(target)]) == 0
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["data"] == "generated"
    assert len(report["rows"]) == 2
    for row in report["rows"]:
        check_spread(row["times_faster"])
        check_spread(row["seconds"]["ours"])
    assert {(row["test"], row["grows"]) for row in report["scaling"]} == {
        (test, what)
        for test in ("randomization", "bootstrap", "sacrebleu-bs")
        for what in ("segments", "trials")
    }
    for command, kind in zip(report["commands"], ("bs", "ar"), strict=True):
        assert command["name"] == f"--paired-{kind}, 5 systems"
        check_spread(command["times_faster_by_the_clock"])
    memory = report["memory"]
    assert not memory or 0 < memory["before_mebibytes"] <= memory["peak_mebibytes"]
    assert not memory or memory["before_mebibytes"] < memory["command_peak_mebibytes"]


def test_the_recorded_speed_is_of_equal_results() -> None:
    recorded = json.loads(significance.RECORD.read_text(encoding="utf-8"))
    assert recorded["segments"] == 3_004
    assert set(recorded["equal"].values()) == {True}


@needs(agreement.DATA / "MANIFEST.json")
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_levels_are_simulated_from_populations_without_a_difference(tmp_path: Path) -> None:
    target = tmp_path / "calibration.json"
    assert calibration.main(["--quick", "--runs", "3", "--out", str(target)]) == 0
    found, recorded = (
        json.loads(path.read_text(encoding="utf-8")) for path in (target, calibration.RECORD)
    )
    assert found["bleu"]["equal"] == pytest.approx([found["bleu"]["equal"][0]] * 2, abs=1e-9)
    assert found["tilt"] == pytest.approx(recorded["tilt"])
    for null, scores in recorded["bleu"].items():
        assert found["bleu"][null] == pytest.approx(scores)
    assert [(each["null"], each["runs"]) for each in found["settings"]] == [
        ("swapped", 3),
        ("equal", 3),
    ]


@needs(agreement.DATA / "MANIFEST.json")
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_slopes_of_the_simulation_are_those_of_the_package() -> None:
    from bleu_nb import Bleu
    from bleu_nb.intervals import influences_of

    name = calibration.PAIRS["equal"][0]
    references = [[line] for line in read_lines(calibration.DATA / calibration.SET / "ref.A.txt")]
    lines = read_lines(calibration.DATA / calibration.SET / f"sys.{name}.txt")
    counts = Bleu().count(lines[:300], references[:300])
    [units, _] = calibration.pair_of(*calibration.PAIRS["equal"])
    columns = units.columns[:300]
    found = calibration.influences(columns, columns.sum(axis=0))
    assert found == pytest.approx(influences_of(counts), abs=1e-7)


def test_adapters_are_timed_beside_the_frameworks_own(tmp_path: Path) -> None:
    for module in ("torchmetrics", "ignite"):
        pytest.importorskip(module)
    target = tmp_path / "adapters.json"
    assert adapters.main(["--quick", "--out", str(target)]) == 0
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["equal"]
    assert report["segments"] == 96
    for ratio in (report["times_counting"], *report["times_faster"].values()):
        check_spread(ratio)


def test_all_pairs_are_timed_beside_a_loop(tmp_path: Path) -> None:
    """All that the record holds, on little text; scores of loops are those of the table."""
    target = tmp_path / "pairwise.json"
    assert all_pairs.main(["--quick", "--out", str(target)]) == 0
    report = json.loads(target.read_text(encoding="utf-8"))
    assert [row["equal"] for row in report["tables"]] == [
        {"sentence_bleu": True, "sacrebleu": True}] * 2
    recorded = json.loads(all_pairs.RECORD.read_text(encoding="utf-8"))
    assert {*recorded} == {*report}
    assert all(all(row["equal"].values()) for row in recorded["tables"])
