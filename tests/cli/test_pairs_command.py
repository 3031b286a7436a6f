"""The three commands about every pair: what they print is what the functions return."""

import ast
import json
import math
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from commands import run_command
from strategies import many_lines

import bleu_nb
from bleu_nb import DIALECTS, mbr, pairwise_bleu, self_bleu
from bleu_nb.cli.command import command_parser, main
from bleu_nb.derivation.score_line import visible

LINES, OTHERS = [*many_lines(8, 9), "a b c d e", "a b c d e"], many_lines(5, 9, 2)
FERRY = ["the ferry left the small harbour at dawn", "the ferry left a small harbour at dusk"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files of lines, by name."""
    texts = {"lines": LINES, "others": OTHERS, "groups": ["x"] * 3 + ["y"] * 7,
             "logs": [str(-each / 3) for each in range(10)],
             "bad": ["x"] * 9 + ["1"], "apart": ["x", "y"] * 5, "empty": [],
             "infinite": ["0", "-inf"] * 5, "short": ["1", "2"], "ferry": FERRY,
             "one": FERRY[:1], "other": FERRY[1:]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return {name: str(tmp_path / name) for name in [*texts, "out", "none"]}


@pytest.fixture
def run(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command in which names stand for files."""
    def runs(*words: str) -> tuple[int, list[str], str]:
        status = main([files.get(word, word) for word in words])
        told = capsys.readouterr()
        return status, told.out.splitlines(), told.err
    return runs


def test_pairwise_prints_its_table(run: Any) -> None:
    table = pairwise_bleu(LINES, OTHERS, "nltk", smoothing="nltk-1")
    chosen = ("--dialect", "nltk", "--smoothing", "nltk-1")
    _, told, _ = run("pairwise", "lines", "others", *chosen)
    assert told == [" ".join(f"{value:.4f}" for value in row) for row in table]
    _, told, _ = run("pairwise", "lines", "others", *chosen, "--format", "tsv")
    assert [[*map(float, line.split("\t"))] for line in told] == table.tolist()
    _, [told], _ = run("pairwise", "lines", "--format", "json")
    assert json.loads(told) == {"scores": pairwise_bleu(LINES).tolist()}


def test_pairwise_prints_the_best(run: Any) -> None:
    best = pairwise_bleu(LINES, top=2)
    _, [told], _ = run("pairwise", "lines", "--top", "2", "--format", "json")
    assert json.loads(told) == {
        "scores": best.values.tolist(), "lines": (best.columns + 1).tolist()}
    _, told, _ = run("pairwise", "lines", "--top", "2", "--decimals", "1")
    assert told[0] == " ".join(f"{column + 1} {value:.1f}" for column, value
                               in zip(best.columns[0], best.values[0], strict=True))


@pytest.mark.parametrize(("words", "choices"), [
    ((), {}), (("--meaning", "pairs-once"), {"meaning": "pairs-once"}),
    (("--max-order", "2"), {"max_order": 2}),
])
def test_self_bleu_prints_its_number(
    run: Any, words: tuple[str, ...], choices: dict[str, Any],
) -> None:
    found = self_bleu(LINES, **choices)
    assert run("self-bleu", "lines", *words)[1] == [
        f"self-BLEU|{found.signature} = {found.value:.2f}"]
    told = json.loads(run("self-bleu", "lines", *words, "--format", "json")[1][0])
    assert told == {"name": "self-BLEU", "score": found.value, "signature": found.signature,
                    "scores": [None if each != each else each for each in found.scores.tolist()]}
    _, told, _ = run("self-bleu", "lines", *words, "--sentence", "--format", "tsv")
    assert [float(each or "nan") for each in told] == pytest.approx(
        found.scores.tolist(), nan_ok=True)
    assert run("self-bleu", "lines", *words, "--format", "tsv")[1] == [
        f"{found.value!r}\t{found.signature}"]
    assert np.isnan(found.scores).tolist() == [
        each == "-" for each in run("self-bleu", "lines", *words, "--sentence")[1]]


@pytest.mark.parametrize(("words", "parts", "choices"), [
    (("--samples-per-source", "5"), (5, 10), {}),
    (("--groups", "groups"), (3, 10), {"own": False}),
    (("--samples-per-source", "10", "--log-probabilities", "logs"), (10,), {"weights": [
        [math.exp(-each / 3) for each in range(10)]]}),
])
def test_mbr_prints_its_choices(
    run: Any, words: tuple[str, ...], parts: tuple[int, ...], choices: dict[str, Any],
) -> None:
    starts = (0, *parts)
    samples = [LINES[start:stop] for start, stop in zip(starts, parts, strict=False)]
    found = mbr(samples, **choices)
    words += ("--not-itself",) * ("own" in choices)
    assert run("mbr", "lines", *words)[1] == [each.sample for each in found]
    rows = [json.loads(line) for line in run("mbr", "lines", *words, "--format", "json")[1]]
    assert [(row["line"], row["expected"], row["sample"]) for row in rows] == [
        (start + each.place + 1, each.expected[each.place], each.sample)
        for start, each in zip(starts, found, strict=False)]
    head, *told = run("mbr", "lines", *words, "--format", "tsv")[1]
    assert head == "line\texpected\tmargin\tsample"
    assert [float(line.split("\t")[2] or "nan") for line in told] == pytest.approx(
        [each.margin for each in found], nan_ok=True)


def test_the_old_name_of_an_option_is_accepted_with_a_warning(run: Any) -> None:
    usual = run("mbr", "lines", "--samples-per-source", "5")
    for typed in (("--each", "5"), ("--each=5",)):
        status, told, error = run("mbr", "lines", *typed)
        assert (status, told) == usual[:2] and error.count("\n") == 1
        assert "--each is now called --samples-per-source: the next version will not" in error
    assert run("pairwise", "lines", "--each", "5")[2].startswith(
        "bleu-nb: error: unrecognized arguments: --each")


def test_a_signature_names_the_choices(run: Any) -> None:
    signature = "nrefs:1|case:lc|eff:yes|tok:none|smooth:exp|version:2.6.0"
    _, told, note = run("pairwise", "lines", "--signature", signature, "--format", "json")
    assert json.loads(told[0])["scores"] == pairwise_bleu(
        LINES, lowercase=True, tokenizer="none").tolist()
    assert note == "" or "does not state all settings" in note


def test_samples_are_written_as_they_were(tmp_path: Path) -> None:
    sample = "Bonjour\u00a0! \u0645\u06cc\u200c \U0001f469\u200d\U0001f4bb c:\\temp\ttab\x1b[0m\r"
    (tmp_path / "one").write_bytes(f"{sample}\n".encode())
    text, fields, table = (
        run_command(["mbr", "--samples-per-source", "1", "one", "--format", form], cwd=tmp_path).out
        for form in ("text", "json", "tsv"))
    assert text == f"{sample}\n"
    assert json.loads(fields)["sample"] == sample
    names, cells = (line.split("\t") for line in table.splitlines())
    assert names == ["line", "expected", "margin", "sample"]
    assert (cells[0], cells[2], cells[3:]) == ("1", "", [visible(sample)])


BAD = [
    (("pairwise", "none"), "cannot read"),
    (("pairwise", "empty"), "is empty"),
    (("pairwise", "-", "-"), "can be read only once"),
    (("self-bleu", "empty"), "empty' is empty: write one segment per line"),
    (("pairwise", "a\0b"), r"the file name 'a\x00b' contains a NUL character"),
    (("pairwise", "lines", "--memory", "0"), "must be a number of GiB above 0, not '0'"),
    (("pairwise", "lines", "--memory", "1e-7"), "but memory= allows 0.0: pass top=10 to"),
    (("pairwise", "lines", "--top", "0"), "a whole number of at least 1"),
    (("self-bleu", "lines", "--meaning", "mean"), "no meaning 'mean': choose from 'others'"),
    (("mbr", "lines"),
     "are required: --samples-per-source N or --groups FILE; see bleu-nb mbr --help"),
    (("mbr",), "are required: FILE, --samples-per-source N or --groups FILE; see"),
    (("mbr", "--samples-per-source", "2"), "are required: FILE; see"),
    (("mbr", "lines", "--samples-per-source", "3"), "the number of samples (10) is not a multiple "
     "of --samples-per-source (3): pass --groups FILE"),
    (("mbr", "lines", "--groups", "others"), "others' has 5"),
    (("mbr", "lines", "--groups", "apart"), "are not on consecutive lines"),
    (("mbr", "lines", "--groups", "bad", "--not-itself"), "line 10 is the only sample of its"),
    (("mbr", "lines", "--samples-per-source=5", "--log-probabilities", "infinite"), "line 2 of"),
    (("mbr", "lines", "--samples-per-source=5", "--log-probabilities", "bad"), "line 1 of"),
    (("mbr", "lines", "--samples-per-source=5", "--log-probabilities", "others"), "others' has 5"),
    (("mbr", "lines", "--samples-per-source=5", "--log-probabilities", "short"), "short' has 2"),
]


@pytest.mark.parametrize(("words", "says"), BAD)
def test_bad_input_is_a_complaint(run: Any, words: tuple[str, ...], says: str) -> None:
    status, told, error = run(*words)
    assert (status, told) == (2, [])
    assert says in error and error.startswith("bleu-nb: error: ")


ASKS = {"pairwise": "pairs/score_matrix", "self-bleu": "pairs/diversity",
        "mbr": "pairs/bayes_risk"}


@pytest.mark.parametrize("command", [*ASKS, "compare", "score"])
def test_every_argument_that_an_error_names_is_an_option(command: str) -> None:
    """As `top=10` is typed `--top 10`."""
    modules = {"compare": ["significance/compare", "significance/tests"],
               "score": ["scoring/metric", "files/file_scoring", "files/reading",
                         "dialects/table", "dialects/input_checks"]}
    words = [command, *(["--samples-per-source", "1"] if command == "mbr" else []), "a"]
    words += {"compare": ["b", "--ref", "c"], "score": ["b"]}.get(command, [])
    parser = command_parser(DIALECTS).parse_args(words).parser
    known = {action.dest for action in parser._actions if action.option_strings}
    known |= {"encoding", "errors"}     # Of Python's `open`
    for module in modules.get(command) or [ASKS[command]]:
        source = Path(bleu_nb.__file__).parent.joinpath(f"{module}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Raise) or (
                    isinstance(node, ast.Call) and getattr(node.func, "id", "") == "warn"):
                said = " ".join(
                    each.value for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str))
                assert {*re.findall(r"(?<![\w-])([a-z_]+)=(?!FILE)", said)} <= known, (module, said)


@pytest.mark.parametrize(("name", "error"), [
    ("flores101", OSError("needs a model")), ("spm", ImportError("lacks it"))])
def test_a_tokenizer_that_cannot_be_loaded_is_a_complaint(
    name: str, error: Exception, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_nb.dialects.more_tokenizers.sacrebleu_tokenizer",
                        Mock(side_effect=error))
    assert run("pairwise", "lines", "--tokenize", name) == (2, [], f"bleu-nb: error: {error}\n")


def test_a_tiny_score_is_not_printed_as_0(run: Any) -> None:
    [expected] = pairwise_bleu(FERRY[:1], FERRY[1:], "nltk")[0]
    assert run("pairwise", "one", "other", "--dialect", "nltk")[1] == [f"{expected:.4e}"]
    assert re.search(r" = [1-9]\.\d{4}e-\d+$", run("self-bleu", "ferry", "--dialect", "nltk")[1][0])
