"""The benchmarks run on a little text and write what they say; no time is asserted."""

import hashlib
import json
import math
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import adapters
import agreement
import calibration
import contenders
import corpora
import defaults
import files
import interval_coverage
import kinds
import pairwise as all_pairs
import pytest
import run as benchmark
import significance
import tables
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


def test_a_table_goes_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured(tmp_path, "--segments", "20", "--references", "1", "--contenders", "split,bits")
    printed = capsys.readouterr().out
    assert "20 segments, 1 reference\n" in printed
    assert "bleu_nb: plain Python" in printed
    assert "from bleu_nb import corpus_bleu" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def test_stored_results_are_printed_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main() == 0
    printed = capsys.readouterr().out
    for title in ("100,000 segments, 4 references", "Whole commands: targets"):
        assert f"{title}\n" in printed


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
    from bleu_nb.significance.intervals import influences_of

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


HEAD = {"machine", "python", "versions", "data", "method", "rows", "targets", "absent"}
STORED = {"files": (files.RECORD, tables.files_grids), "kinds": (kinds.RECORD, tables.kinds_grids)}


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report of whole commands on little files, and what was printed."""
    target = tmp_path_factory.mktemp("files") / "files.json"
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setattr(files, "QUICK_GIANT", 20_000)
        options = ["--quick", "--giant", "--data", "generated", "--out", str(target)]
        assert files.main(options) == 0
    return json.loads(target.read_text(encoding="utf-8")), printed.getvalue()


def test_whole_commands_are_timed_beside_counting_words(commands: Any) -> None:
    report, _ = commands
    absent = {each["contender"] for each in report["absent"]}
    rows = {(row["segments"], row["what"]): row for row in report["rows"]}
    assert {(80, "score, numpy"), (40, "score"), (20, "score"), (20, "identify, numpy")} <= {*rows}
    assert ((80, "wc -w") in rows) == ("wc -w" not in absent)
    assert ((80, "score, numba") in rows) == ("numba" not in absent)
    for row in rows.values():
        check_spread(row["seconds"])
        assert len(row["load"]) == len(row["rounds"]) == 1
        assert all(len(both) == 2 for both in row["load"])
        against_words = row["segments"] == 80 and "wc -w" not in absent
        assert (row["ratio_to_wc"] is not None) == against_words
    for row in report["targets"]:
        found = rows[row["segments"], row["what"]][row["measure"]]["median"]
        assert row["met"] == (found <= row["at_most"])


def test_a_giant_file_repeats_a_large_one(commands: Any) -> None:
    report, _ = commands
    giant, *others = sorted(report["memory"], key=lambda row: -row["segments"])
    large = max(others, key=lambda row: row["segments"])
    assert large["segments"] == 80
    times = giant["segments"] / large["segments"]
    assert giant["file_mebibytes"] * 2**20 >= 2 * 20_000
    assert giant["file_mebibytes"] == pytest.approx(times * large["file_mebibytes"])
    assert giant["printed"].split(" = ")[1][:5] == large["printed"].split(" = ")[1][:5]
    assert all(10 < row["peak_mebibytes"] < 4096 for row in report["memory"])


def test_commands_that_print_other_scores_are_not_stored() -> None:
    same, other = timing.Times(results=[{"printed": "1"}]), timing.Times(results=[{"printed": "2"}])
    files.check({"score, numpy": same, "score, numba": same, "identify": other, "wc -w": other})
    with pytest.raises(SystemExit, match="print different scores"):
        files.check({"score, numpy": same, "score, numba": other})


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    with pytest.raises(RuntimeError, match=r"missing\.txt"):
        files.score([missing, missing])()
    report: dict[str, Any] = {"absent": []}
    assert not files.has_numba([missing, missing], report)
    [absent] = report["absent"]
    assert "missing.txt" in absent["reason"]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The report of kinds of text, of little of each, and what was printed."""
    target = tmp_path_factory.mktemp("kinds") / "kinds.json"
    with redirect_stdout(StringIO()) as printed:
        assert kinds.main(["--quick", "--data", "generated", "--out", str(target)]) == 0
    return json.loads(target.read_text(encoding="utf-8")), printed.getvalue()


def test_every_kind_of_text_is_timed_by_all_whom_it_fits(texts: Any) -> None:
    report, _ = texts
    present = {*kinds.RIVALS} - {each["contender"] for each in report["absent"]}
    assert {"auto", "numpy-1", "numpy-all", "bits"} <= present
    spaced = {"distinct", "perturbed", "short", "long", "systems"}
    names = {kind["name"] for kind in report["kinds"]}
    assert names - {"japanese-ja-mecab"} == {
        *spaced, "chinese-zh", "japanese-char", "japanese-13a"
    }  # fmt: skip
    for kind in report["kinds"]:
        rows = {row["contender"]: row for row in report["rows"] if row["kind"] == kind["name"]}
        without = set() if kind["tokenizer"] == "13a" else {"bleuscore"}
        without |= set() if kind["name"] in spaced else {"nltk"}
        assert {*rows} == present - without
        assert len(kind["load"]) == 2
        for row in rows.values():
            check_spread(row["microseconds_per_segment"])
            assert row["timed_segments"] <= kind["segments"]
            assert len(row["scores"]) == kind["systems"]
        if kind["peer"]:
            quotients = [
                theirs / own
                for theirs, own in zip(
                    rows[kind["peer"]]["rounds"], rows["auto"]["rounds"], strict=True
                )
            ]
            assert rows["auto"]["ratio_to_peer"]["low"] == min(quotients)


def test_engines_have_the_same_scores_on_every_kind(texts: Any) -> None:
    report, _ = texts
    for kind in report["kinds"]:
        scores = {
            tuple(row["scores"])
            for row in report["rows"]
            if row["kind"] == kind["name"]
            and row["timed_segments"] == kind["segments"]
            and row["contender"] in {"auto", *OURS}
        }
        assert len(scores) == 1


def test_a_wrong_score_on_a_kind_of_text_stops_the_run() -> None:
    kind = kinds.Kind("two", "", [["a b c d e"], ["a b c d f"]], ["a b c d e"])
    right = kinds.RIVALS["bits"]
    wrong = kinds.Rival(lambda kind: lambda: (right.prepare(kind)()[0], 0.0), "")
    sizes = {"bits": 1, "numpy-1": 1}
    kinds.check(kind, {"bits": right, "numpy-1": kinds.RIVALS["numpy-1"]}, sizes)
    with pytest.raises(SystemExit, match="first 1 lines of two, system 1"):
        kinds.check(kind, {"bits": right, "numpy-1": wrong}, sizes)
    unsmoothed = kinds.Rival(lambda kind: lambda: (100.0, 0.0), "", peer=True)
    kinds.check(kind, {"bits": right, "bleuscore": unsmoothed}, {"bits": 1, "bleuscore": 1})
    other = kinds.Rival(lambda kind: lambda: (100.0, 50.0), "", peer=True)
    with pytest.raises(SystemExit, match="first 1 lines of two, system 1"):
        kinds.check(kind, {"bits": right, "bleuscore": other}, {"bits": 1, "bleuscore": 1})


def test_kinds_of_text_are_what_they_say() -> None:
    base = corpora.generated(corpora.SEED, 300)
    found = {kind.name: kind for kind in kinds.kinds("generated", base, 160)}
    assert found["distinct"].systems[0] == [one for one, _ in base[:160]]
    assert max(len(line.split(" ")) for line in found["short"].references) == kinds.SHORT
    assert found["long"].references[1] == " ".join(group[0] for _, group in base[8:16])
    assert len(found["systems"].systems) == kinds.SYSTEMS
    assert len(found["systems"]) == 160
    assert not any(" " in line for line in found["chinese-zh"].references)
    fresh = kinds.distinct(base, 100)
    lines = [line for side in fresh.sides for line in side]
    assert len(lines) == len({*lines}) == 200


def test_sacrebleu_forgets_what_it_was_shown() -> None:
    pytest.importorskip("sacrebleu")
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    Tokenizer13a()("remembered")
    assert Tokenizer13a.__call__.cache_info().currsize > 0
    kinds.forget()
    assert Tokenizer13a.__call__.cache_info().currsize == 0


@pytest.mark.parametrize("name", STORED)
def test_what_is_stored_says_where_when_busy_and_how(name: str) -> None:
    record, grids_of = STORED[name]
    report = json.loads(record.read_text(encoding="utf-8"))
    assert {*report} >= HEAD
    assert {*report["machine"]} == {"cpu", "cores", "memory_gibibytes", "system"}
    assert {"bleu_nb", "numpy"} <= {*report["versions"]}
    assert report["method"]["rounds"] >= 5
    assert all(len(row["rounds"]) >= 3 for row in report["rows"])
    assert all("load" in each for each in report["rows" if name == "files" else "kinds"])
    assert str(Path.home()) not in json.dumps(report)
    assert all(len(grid) > 1 for _, grid in grids_of(report))


def test_tables_are_made_of_what_is_stored(
    commands: Any, texts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    made = (*commands, tables.files_grids), (*texts, tables.kinds_grids)
    for report, printed, grids_of in made:
        assert printed == tables.in_text(report, grids_of(report))
        missed = [row for row in report["targets"] if not row["met"]]
        assert printed.count("MISSED") == len(missed)
    assert tables.main() == 0
    shown = capsys.readouterr().out
    for record, grids_of in STORED.values():
        report = json.loads(record.read_text(encoding="utf-8"))
        assert tables.in_text(report, grids_of(report)) in shown


def test_where_a_peer_wins_is_told_first() -> None:
    def waiting(seconds: float) -> kinds.Rival:
        return kinds.Rival(lambda kind: lambda: (time.sleep(seconds) or 1.0,), "", seconds == 0.01)

    rivals = {"bits": waiting(0.02), "numpy-1": waiting(0.0), "nltk": waiting(0.01)}
    kind = kinds.Kind("one", "", [["a"]], ["b"])
    rows, facts = kinds.timed(kind, rivals, kinds.parsed(["--quick"]))
    assert (facts["peer"], facts["slower"]) == ("nltk", ["bits"])
    assert [row["ratio_to_peer"]["median"] < 1 for row in rows] == [True, False, False]
    stored = json.loads(kinds.RECORD.read_text(encoding="utf-8"))["kinds"]
    assert stored == sorted(stored, key=lambda kind: not kind["slower"])
