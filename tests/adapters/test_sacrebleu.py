"""The drop-in for sacreBLEU: its own tests with the import changed, and recorded answers.

`BLEU_NB_TOOLS` names a folder with a clone of sacreBLEU 2.6, whose tests of BLEU run here as they
are, while sacreBLEU itself cannot be imported. Without one, calls are compared with what sacreBLEU
answered; `PYTHONPATH=tests/helpers python tests/adapters/test_sacrebleu.py` asks again.
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from data import RECORDED, oracle, read_json, sacrebleu_adding_left_to_right

import bleu_nb
from bleu_nb.adapters import sacrebleu as ours
from bleu_nb.dialects.inputs import InputNote
from bleu_nb.files.reading import example_path

CLONE = Path(os.environ.get("BLEU_NB_TOOLS", ".")) / "sacrebleu"
SUITE = ("test_bleu.py", "test_sentence_bleu.py", "test_significance.py")
ANSWERS = RECORDED / "sacrebleu.json.gz"
MARK = f"|bleu_nb:{bleu_nb.__version__}"

# The tests of the tool ----------------------------------------------------------------------------

IMPORTS = ((r"^import sacrebleu$", "import bleu_nb.adapters.sacrebleu as sacrebleu"),
           (r"^from sacrebleu(\.metrics|\.significance)? import ",
            "from bleu_nb.adapters.sacrebleu import "))
BLOCKED = "import sys\n\nsys.modules['sacrebleu'] = None\n"


@pytest.mark.skipif(not (CLONE / "test").is_dir(), reason=(
    "no clone of sacreBLEU: BLEU_NB_TOOLS names the folder that holds one"))  # fmt: skip
def test_the_tests_of_sacrebleu_pass_with_the_import_changed(tmp_path: Path) -> None:
    tests = tmp_path / "test"
    tests.mkdir()
    shutil.copy(CLONE / "test" / "wmt17_en_de_systems.pkl.bz2", tests)
    for name in SUITE:
        text = (CLONE / "test" / name).read_text(encoding="utf-8")
        for pattern, change in IMPORTS:
            text = re.sub(pattern, change, text, flags=re.MULTILINE)
        assert not re.search(r"^(import|from) sacrebleu", text, re.MULTILINE)
        (tests / name).write_text(text, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(BLOCKED, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test"],
                          cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert not done.returncode, done.stdout
    assert re.search(r"^87 passed in", done.stdout, re.MULTILINE), done.stdout


# Recorded answers ---------------------------------------------------------------------------------


def lines(name: str) -> list[str]:
    """A file of the example."""
    return example_path(f"{name}.txt").read_text("utf-8").splitlines()


HERON, KESTREL = lines("heron"), lines("kestrel")
STREAMS = [lines("reference_1"), lines("reference_2")]
ODD = ["", "a", "A b .", "Don't (stop)!", "东京 tower 12,5", "x\u2003y\u00a0z", "a b c d e f g"]
ODD_STREAMS: list[list[str | None]] = [
    ["a b", "a", "a b .", "Do not (stop)!", "東京 tower 12.5", "x y z", "a b c d e f g"],
    ["", "b", None, "Don't (go)!", None, "x\u2003y z", "a b c"]]
METRICS: list[dict[str, Any]] = [
    {}, {"lowercase": True}, {"effective_order": True}, {"tokenize": "none"},
    {"tokenize": "intl"}, {"tokenize": "char"}, {"trg_lang": "zh"}, {"smooth_method": "none"},
    {"smooth_method": "floor"}, {"smooth_method": "floor", "smooth_value": 0.4},
    {"smooth_method": "add-k"}, {"smooth_method": "add-k", "smooth_value": 0.5},
    {"max_ngram_order": 2}, {"max_ngram_order": 6, "effective_order": True}]
STATISTICS = [([9, 7, 5, 3], [10, 8, 6, 4], 11, 11), ([4, 2, 0, 0], [6, 5, 4, 3], 6, 9),
              ([0, 0, 0, 0], [4, 3, 2, 1], 4, 2), ([1, 0, 0, 0], [1, 0, 0, 0], 1, 5),
              ([0, 0, 0, 0], [0, 0, 0, 0], 0, 3), ([5, 4, 3, 0], [5, 4, 3, 0], 5, 5)]
WRONG: list[tuple[str, list[Any]]] = [
    ("corpus_bleu", [[], STREAMS]), ("corpus_bleu", [HERON, []]),
    ("corpus_bleu", [HERON, None]), ("corpus_bleu", [3, STREAMS]),
    ("corpus_bleu", [[["a"]], [["a"]]]), ("corpus_bleu", [["a"], [3]]),
    ("corpus_bleu", [["a"], [[None]]]), ("corpus_bleu", [HERON, STREAMS, "laplace"]),
    ("corpus_bleu", [HERON, STREAMS, "exp", None, False, False, "14a"]),
    ("corpus_bleu", [["a", None], [["a", "b"]]]),
    ("sentence_bleu", [["a"], ["a"]]), ("sentence_bleu", ["a", "a"]),
    ("sentence_bleu", ["a", None]), ("sentence_bleu", ["a", []]),
    ("sentence_bleu", ["a", [["a"]]])]
TURNED = [*map(list, zip(HERON[:3], KESTREL[:3], strict=True))]
NONSENSE: list[tuple[str, list[Any]]] = [
    ("corpus_bleu", [HERON[:3], TURNED]), ("corpus_bleu", [HERON, [STREAMS[0][:5]]]),
    ("corpus_bleu", [HERON[:5], STREAMS]), ("corpus_bleu", ["a b", [["a", "b", "c"]]]),
    ("corpus_bleu", [HERON, STREAMS[0]]), ("raw_corpus_bleu", [["a b"], ["a b"]])]


def calls() -> Iterator[list[Any]]:
    """What is asked: how a metric is made, the name of a function, and its arguments."""
    for settings in METRICS:
        yield [settings, "corpus_score", [HERON, STREAMS]]
        yield [settings, "corpus_score", [ODD, ODD_STREAMS, 30]]
        for place in range(len(ODD)):
            yield [settings, "sentence_score", [ODD[place], [
                each[place] for each in ODD_STREAMS if each[place] is not None]]]
    for statistics in STATISTICS:
        for method in ("none", "floor", "add-k", "exp"):
            yield [None, "compute_bleu", [*statistics, method, None, method != "none"]]
    for number in (1, 2, 39, 40, 41):
        yield [{}, "corpus_score", [KESTREL, STREAMS[:1], number]]
    yield [None, "raw_corpus_bleu", [HERON, STREAMS]]
    yield [None, "raw_corpus_bleu", [ODD, ODD_STREAMS, 0.0]]
    yield [None, "sentence_bleu", [HERON[4], [STREAMS[0][4]]]]
    yield [None, "corpus_bleu", [KESTREL, STREAMS, "floor", 0.2, True, True, "intl", True]]
    for kind, more in (("ar", -1), ("ar", 25), ("bs", -1)):
        for settings in ({}, {"smooth_method": "add-k", "smooth_value": 0.5}):
            yield [settings, "PairedTest", [
                [["heron", HERON], ["kestrel", KESTREL], ["turned", HERON[::-1]]], STREAMS, kind,
                50, more]]
    yield from ([None, *each] for each in (*WRONG, *NONSENSE))


HELD = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio",
        "prec_str", "_verbose", "_mean", "_ci")


def as_json(value: Any) -> Any:
    """What a score or a result holds, with its printed forms."""
    if hasattr(value, "format"):
        held = {name: getattr(value, name) for name in HELD}
        return {**held, "forms": [str(value), value.format(width=4, signature="tok:a|eff:no"),
                                  value.format(is_json=True, signature="tok:a|eff:no")]}
    return {name: None if each is None else float(each) for name, each in vars(value).items()}


def ask(tool: Any, settings: Mapping[str, Any] | None, name: str, arguments: list[Any]) -> Any:
    """What a tool answers, or the name of its exception."""
    try:
        if name == "PairedTest":
            systems, *others = arguments
            signed, told = tool.PairedTest(
                [*map(tuple, systems)], {"BLEU": tool.BLEU(**settings or {})}, *others)()
            return [str(signed["BLEU"]), told["System"], [*map(as_json, told["BLEU"])]]
        if settings is None:
            return as_json(getattr(tool.BLEU if name == "compute_bleu" else tool, name)(*arguments))
        metric = tool.BLEU(**settings)
        score = as_json(getattr(metric, name)(*arguments))
        return [score, *(metric.get_signature().format(short) for short in (False, True))]
    except Exception as error:
        return type(error).__name__


def unmarked(value: Any) -> Any:
    """An answer without our mark."""
    return json.loads(json.dumps(value).replace(MARK, ""))


@contextmanager
def theirs() -> Iterator[Any]:
    """sacreBLEU's names, with the bits that they have on every Python up to 3.11."""
    tool = oracle("sacrebleu")
    with sacrebleu_adding_left_to_right() as metrics:
        yield SimpleNamespace(
            **{name: getattr(tool, name) for name in (
                "corpus_bleu", "raw_corpus_bleu", "sentence_bleu")},
            BLEU=metrics.BLEU, BLEUScore=metrics.BLEUScore,
            PairedTest=oracle("sacrebleu.significance").PairedTest)


def test_answers_are_those_that_were_recorded() -> None:
    asked = json.loads(json.dumps([*calls()]))
    answers = read_json(ANSWERS)
    assert len(asked) == len(answers) > 180
    with pytest.warns(UserWarning, match=r"are scored|is a string"):
        found = [unmarked(ask(ours, *each)) for each in asked]
    assert [(call, one, two) for call, one, two in zip(asked, found, answers, strict=True)
            if one != two] == []


def test_recorded_answers_are_those_of_today() -> None:
    with theirs() as tool:
        answers = [ask(tool, *each) for each in json.loads(json.dumps([*calls()]))]
    assert unmarked(answers) == read_json(ANSWERS)


# What is not a number -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [
    "corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "BLEU", "BLEUScore", "PairedTest",
    "BLEU.corpus_score", "BLEU.sentence_score", "BLEU.compute_bleu", "BLEU.get_signature",
    "BLEUScore.format"])
def test_arguments_have_the_names_and_defaults_of_sacrebleu(name: str) -> None:
    with theirs() as tool:
        found = []
        for each in (ours, tool):
            for part in name.split("."):
                each = getattr(each, part)
            found.append([(one.name, one.default, one.kind)
                          for one in signature(each).parameters.values()])
    assert found[0] == found[1]


@pytest.mark.parametrize(("name", "arguments"), NONSENSE)
def test_nonsense_is_a_warning_or_by_a_filter_an_error(name: str, arguments: list[Any]) -> None:
    with pytest.warns(InputNote, match=r"are scored|is a string"):
        getattr(ours, name)(*arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        with pytest.raises(InputNote, match=r"are scored|is a string"):
            getattr(ours, name)(*arguments)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("force", [False, True])
def test_the_log_is_that_of_sacrebleu(force: bool, caplog: pytest.LogCaptureFixture) -> None:
    corpus = ["It is said that they came ."] * 100
    said = []
    with theirs() as tool:
        for each in (ours, tool):
            caplog.clear()
            each.BLEU(force=force, trg_lang="ja", tokenize="13a").corpus_score(corpus, [corpus])
            each.BLEU().sentence_score("a b c d", ["a b c d"])
            said.append([(one.name, one.levelname, one.getMessage()) for one in caplog.records])
    assert said[0] == said[1]
    assert len(said[0]) == 2 + 3 * (not force)


def test_the_log_of_a_test_is_that_of_sacrebleu(caplog: pytest.LogCaptureFixture) -> None:
    systems = [("a", HERON), ("b", KESTREL), ("c", HERON[::-1])]
    said, chrf = [], oracle("sacrebleu").CHRF
    caplog.set_level("INFO", logger="sacrebleu")
    with theirs() as tool:
        for each in (ours, tool):
            caplog.clear()
            signed, told = each.PairedTest(
                systems, {"CHRF": chrf(), "BLEU": each.BLEU()}, STREAMS, "bs", 20)()
            said.append([one.getMessage() for one in caplog.records])
            assert ([*signed], [*told]) == (["chrF2", "BLEU"], ["System", "chrF2", "BLEU"])
    assert said[0] == said[1]


WITHOUT = """
import sys
sys.modules["sacrebleu"] = None
from bleu_nb.adapters.sacrebleu import BLEU, PairedTest
print(BLEU().corpus_score(["a b c d"], [["a b c d"]]).score)
try:
    from bleu_nb.adapters.sacrebleu import CHRF
except ImportError as error:
    print(error)
"""


def test_without_sacrebleu_there_is_bleu_and_an_error_that_names_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf-8",
                          check=True)
    score, error = done.stdout.splitlines()
    assert float(score) == pytest.approx(100)
    assert error == ("CHRF is not BLEU, and comes from sacreBLEU: install bleu_nb with its extra "
                     "'sacrebleu'")


if __name__ == "__main__":
    with theirs() as recorded:
        content = json.dumps([unmarked(ask(recorded, *each)) for each in json.loads(
            json.dumps([*calls()]))], separators=(",", ":"))
        ANSWERS.write_bytes(gzip.compress(content.encode(), mtime=0))
