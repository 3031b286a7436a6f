"""`bleu-nb` as a user meets it: in a process of its own, with real files, pipes and terminals."""

import gzip
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from commands import ENVIRONMENT, RUN, Result, run_command

import bleu_nb
from bleu_nb.cli.command import format_score, main
from bleu_nb.cli.options import field_option, option_name
from bleu_nb.dialects.smoothers import Smoothing
from bleu_nb.dialects.table import CHOICES, Dialect, list_dialects
from bleu_nb.dialects.table import choice as column
from bleu_nb.display.reports import read_methods
from bleu_nb.files.file_scoring import file_bleu
from bleu_nb.files.reading import FileNote, example_path
from bleu_nb.significance.paired_tests import TESTS

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")

ROOT = Path(bleu_nb.__file__).resolve().parent.parent
DEFAULTS = "terminal.with_bar.__wrapped__.__defaults__ = (0, 'segments')"
AT_ONCE = f"import bleu_nb.cli.terminal as terminal; {DEFAULTS}; {RUN}"
COMMANDS = ("score", "compare", "dialects", "explain", "identify", "example", "pairwise",
            "self-bleu", "mbr", "duplicates")
EXAMPLE = [str(example_path(f"{name}.txt")) for name in ("heron", "reference_1", "reference_2")]


def start(*arguments: str | Path, code: str = RUN, **options: object) -> subprocess.Popen[bytes]:
    """Start `bleu-nb`; options are those of Popen, with pipes as defaults."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    settings = {"env": ENVIRONMENT, **pipes, **options}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], **settings)


def bleu(*arguments: str | Path, **options: Any) -> Result:
    """Run `bleu-nb` to its end; options are those of `run_command`."""
    return run_command([*map(str, arguments)], **options)


def sacrebleu(candidates: Path | str, references: list[str], *options: str) -> str:
    """What sacreBLEU's own command prints for the same files."""
    command = [*references, "-i", str(candidates), "-f", "text", "-w", "12", *options]
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *command],
        capture_output=True, check=True, env=ENVIRONMENT,
    )  # fmt: skip
    return done.stdout.decode("utf-8")


def shared(line: str) -> str:
    """A line of ours without the fields of the signature that sacreBLEU does not have."""
    signature, rest = line.split(" = ", 1)
    return f"{'|'.join(signature.split('|')[:7])} = {rest}"


def ours(candidates: Path | str, references: list[str], *options: str) -> str:
    """What `bleu-nb score` prints, as sacreBLEU would."""
    done = bleu("score", candidates, *references, "--decimals", "12", *options)
    told = [line for line in done.err.splitlines() if "only some tools end a line" not in line]
    assert (done.status, told) == (0, [])
    return "".join(f"{shared(line)}\n" for line in done.out.split("\n")[:-1])


def write(path: Path, content: str | bytes) -> str:
    """Write a file byte by byte, and return its name."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return str(path)


@pytest.fixture
def one(tmp_path: Path) -> str:
    """A file of one line."""
    return write(tmp_path / "one.txt", "The sea forgets nothing, he said.\n")


@pytest.fixture(scope="module")
def long_files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of 12,000 lines, which take a while."""
    folder = tmp_path_factory.mktemp("long")
    return [write(folder / Path(name).name, Path(name).read_bytes() * 1000) for name in EXAMPLE[:2]]


def assert_refused(done: Result, *words: str) -> None:
    """One sentence on standard error with all these words, nothing else, and status 2."""
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("bleu-nb: error: ")
    assert done.err.endswith("\n")
    assert done.err[:-1].isprintable()
    for word in words:
        assert word in done.err


# --- The same numbers as sacreBLEU's command ---------------------------------------------------


PIECES = [
    *("the", "sea", "The", "Sea", "7:30", "1,200", "don't", "&amp;", "<skipped>", "海", "ß", "İ"),
    *(" ", " ", " ", " ", "  ", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f"),
    *("\x85", "\xa0", "\u1680", "\u2028", "\u2029", "\u200b", "\u3000", "\ufeff", "\x00", "🙂"),
    *("-", "-\r", ".", ",", '"', "'", "\u0301", "e\u0301"),
]


def hostile(chance: random.Random) -> str:
    """Lines of words and strange white space; some blank, the last one without its end."""
    lines = ["".join(chance.choices(PIECES, k=chance.choice((0, 1, 4, 12, 25)))) for _ in range(60)]
    return "\n".join([*lines, "", "\r", "\u2028", "the sea"])


@pytest.fixture(scope="module")
def hostile_files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A candidate and two references full of strange white space."""
    folder, chance = tmp_path_factory.mktemp("hostile"), random.Random(12)
    return [write(folder / f"{name}.txt", hostile(chance)) for name in ("a", "b", "c")]


@pytest.mark.parametrize(("option", "theirs"), [
    ((), ()), (("--sentence",), ("-sl",)), (("--sentence", "--lowercase"), ("-sl", "-lc")),
    (("--lowercase", "--tokenize", "none"), ("-lc", "-tok", "none")),
    (("--tokenize", "char"), ("-tok", "char")),
])  # fmt: skip
def test_hostile_files_equal_sacrebleu(
    hostile_files: list[str], option: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    candidates, *references = hostile_files
    expected = sacrebleu(candidates, references, *theirs)
    assert ours(candidates, references, *option) == expected
    assert len(expected.split("\n")) == (65 if "-sl" in theirs else 2)


def test_marks_and_line_ends_are_read_as_sacrebleu_reads_them(tmp_path: Path) -> None:
    text = Path(EXAMPLE[0]).read_text("utf-8")
    variants = {
        "bom": "\ufeff" + text,
        "crlf": text.replace("\n", "\r\n"),
        "unended": text.removesuffix("\n"),
    }
    files = {name: write(tmp_path / name, content) for name, content in variants.items()}
    lines = {name: ours(path, EXAMPLE[1:], "--keep-bom") for name, path in files.items()}
    plain = ours(EXAMPLE[0], EXAMPLE[1:])
    assert lines["crlf"] == lines["unended"] == plain != lines["bom"]
    assert lines["bom"] == sacrebleu(files["bom"], EXAMPLE[1:])
    assert lines["crlf"] == sacrebleu(files["crlf"], EXAMPLE[1:])


def test_blank_reference_is_an_empty_one(tmp_path: Path) -> None:
    candidates = write(tmp_path / "candidates", "the sea\n\nthe sea\n")
    blank = write(tmp_path / "blank", "\n\nthe sea and the coast\n")
    full = write(tmp_path / "full", "the sea\n\nthe sea\n")
    for option, theirs in (((), ()), (("--sentence",), ("-sl",))):
        expected = sacrebleu(candidates, [blank, full], *theirs)
        assert ours(candidates, [blank, full], *option) == expected
    assert "ref_len = 4" in ours(candidates, [blank, full])
    assert "ref_len = 0" in ours(candidates, [blank], "--sentence")


# --- Forms of input and output -----------------------------------------------------------------


def test_references_may_stand_on_both_sides_of_an_option(tmp_path: Path) -> None:
    for name, text in (("out", "a b c d\n"), ("r1", "a b c e\n"), ("-r2", "a b c d e\n")):
        (tmp_path / name).write_text(text)
    usual = bleu("score", "out", "r1", "--", "-r2", cwd=tmp_path)
    assert usual.status == 0 and "nrefs:2|" in usual.out
    for typed in (
        ["out", "r1", "--decimals=2", "--", "-r2"], ["out", "--decimals=2", "--", "r1", "-r2"],
        ["--", "out", "r1", "-r2"], ["out", "r1", "--decimals", "2", "./-r2"],
    ):  # fmt: skip
        assert bleu("score", *typed, cwd=tmp_path) == usual
    several = bleu("score", "out", "--systems", "r1", "--", "-r2", "-r2", cwd=tmp_path)
    assert [line.partition(":")[0] for line in several.out.splitlines()] == ["out", "r1"]
    missing = bleu("score", "out", "r1", "--", "-r3", cwd=tmp_path)
    assert missing.status == 2 and "cannot read '-r3'" in missing.err


def test_standard_input_is_read_like_a_file(hostile_files: list[str]) -> None:
    for place in (0, 1):
        names = [*hostile_files]
        piped = Path(names[place]).read_bytes()
        names[place] = "-"
        done, usual = bleu("score", *names, stdin=piped), bleu("score", *hostile_files)
        assert (done.status, done.out) == (usual.status, usual.out)
        assert done.err == usual.err.replace(repr(hostile_files[place]), "standard input")


def test_json_has_all_digits_and_counts() -> None:
    [line] = bleu("score", *EXAMPLE, "--format", "json", "--decimals", "0").out.splitlines()
    fields = json.loads(line)
    text = bleu("score", *EXAMPLE, "--decimals", "15").out
    assert text.startswith(f"BLEU|{fields['signature']} = {fields['score']:.15f} ")
    assert fields["verbose_score"] in text
    assert {name: fields[name] for name in ("name", "nrefs", "eff", "tok", "version")} == {
        "name": "BLEU", "nrefs": "2", "eff": "no", "tok": "13a", "version": "2.6.0",
    }  # fmt: skip
    assert list(map(len, (fields["precisions"], fields["matches"], fields["totals"]))) == [4] * 3
    assert (fields["candidate_length"], fields["reference_length"]) == (126, 130)
    assert 0.96 < fields["brevity_penalty"] < 0.97
    lines = bleu("score", *EXAMPLE, "--sentence", "--format", "json").out.splitlines()
    shown = bleu("score", *EXAMPLE, "--sentence", "--decimals", "15").out.splitlines()
    assert len(lines) == len(shown) == 12
    for each, line in zip(map(json.loads, lines), shown, strict=True):
        assert each["eff"] == "yes" and f" = {each['score']:.15f} " in line


def test_output_is_utf8_in_any_locale(tmp_path: Path, one: str) -> None:
    plain = {**ENVIRONMENT, "LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    environment = {**plain, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    name = write(tmp_path / "Küste.txt", "Küste 海\n")
    assert bleu("score", name, name, env=environment) == bleu("score", name, name)
    refused = bleu("score", name, tmp_path / "海", env=environment)
    assert_refused(refused, "No such file")


def test_example_runs_what_it_prints_anywhere(tmp_path: Path) -> None:
    for folder in (ROOT, tmp_path):
        done = bleu("example", cwd=folder)
        assert (done.status, done.err) == (0, "")
        first, heron, second, kestrel, last = done.out.split("\n")[:-1]
        for command, line in ((first, heron), (second, kestrel)):
            assert command.startswith(f"$ bleu-nb score {'bleu_nb' if folder == ROOT else ''}")
            assert bleu(*command.split()[2:], cwd=folder).out == f"{line}\n"
        assert last == "Kestrel has the higher BLEU: 67.25 against 45.45."


def test_version_and_help() -> None:
    assert bleu("--version") == (0, f"bleu-nb {bleu_nb.__version__}\n", "")
    for arguments in ((), *((command,) for command in COMMANDS)):
        done = bleu(*arguments, "--help", more={"COLUMNS": "60"})
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith(" ".join(("usage: bleu-nb", *arguments)))
        assert max(map(len, done.out.splitlines())) <= 60
    narrow = bleu("score", "--help", more={"COLUMNS": "40"}).out
    assert "  bleu-nb score mt.txt ref.txt\n" in narrow
    assert max(map(len, narrow.splitlines())) <= 40
    assert ", ".join(TESTS) in " ".join(bleu("compare", "--help").out.split())


# --- The dialects of other tools -----------------------------------------------------------------


def test_dialects_fit_a_narrow_terminal() -> None:
    narrow = {"COLUMNS": "60"}
    done = bleu("dialects", more=narrow)
    assert (done.status, done.err) == (0, "")
    lines = done.out.split("\n")[:-1]
    heads = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert heads == list(bleu_nb.DIALECTS)
    assert max(map(len, lines)) <= 60
    assert max(map(len, bleu("dialects", "--choices", more=narrow).out.split("\n"))) <= 60
    *_, name = bleu_nb.DIALECTS
    row = bleu("dialects", name, more=narrow).out.split("\n")
    assert row[1] == bleu_nb.DIALECTS[name].source
    assert max(map(len, row)) <= 60


def test_dialects_in_json_are_those_of_the_library() -> None:
    everything = json.loads(bleu("dialects", "--format", "json").out)
    assert everything == json.loads(json.dumps(list_dialects()))
    row = json.loads(bleu("dialects", "coco", "--format", "json").out)
    assert row == json.loads(json.dumps(asdict(bleu_nb.DIALECTS["coco"])))
    choices = json.loads(bleu("dialects", "--choices", "--format", "json").out)
    assert choices["tokenizer"] == list(bleu_nb.dialects.TOKENIZERS)
    assert choices["smoothing"] == list(bleu_nb.dialects.SMOOTHINGS)


@pytest.mark.parametrize(
    "name", ["sacrebleu", "nltk", "codexglue", "mteval-v13a", "fairseq", "google-bleu"])
@pytest.mark.parametrize("sentence", [False, True])
def test_dialect_scores_as_the_library(name: str, sentence: bool) -> None:
    files = [Path(file).read_text("utf-8").split("\n")[:-1] for file in EXAMPLE]
    metric = bleu_nb.Bleu(name)
    counts = metric.count(files[0], list(zip(*files[1:], strict=True)))
    scores = counts.sentences() if sentence else [counts.score()]
    expected = [format_score(score) for score in scores]
    done = bleu("score", *EXAMPLE, "--dialect", name, *["--sentence"] * sentence)
    assert (done.status, done.err, done.out) == (0, "", "".join(f"{e}\n" for e in expected))
    if name == "sacrebleu":
        assert [f"BLEU = {shown.split(' = ', 1)[1]} {score.signature}"
                for score, shown in zip(scores, expected, strict=True)] == [
                    score.line() for score in scores]


def test_digits_shown_follow_the_scale() -> None:
    for options, shown in (
        ((), "45.45"), (("--decimals", "0"), "45"), (("--decimals", "2"), "45.45"),
        (("--decimals", "15"), 15), (("--dialect", "nltk"), 4), (("--scale", "1"), 4),
        (("--dialect", "nltk", "--scale", "100"), 2), (("--scale", "1", "--decimals", "2"), 2),
    ):
        value = bleu("score", *EXAMPLE, *options).out.split(" = ")[1].split()[0]
        assert shown in (value, len(value.partition(".")[2]))


def test_choices_reach_the_score() -> None:
    options = [
        "--reading=universal",
        "--tokenize=none", "--lowercase", "--casing=ascii", "--no-strip", "--max-order=3",
        "--reference-length=shortest", "--least-total=1", "--end-token", "--counting=clipped",
        "--weights=0.5,0.3,0.2", "--reweigh", "--smoothing=floor", "--smoothing-value=0.2",
        "--unmatched=smoothed", "--effective-order=never", "--penalty=strict-ratio",
        "--arithmetic=extended logarithms", "--average=segments", "--scale=1", "--digits=3",
    ]  # fmt: skip
    assert [option.split("=")[0] for option in options] == [
        "--no-strip" if choice == "strip" else option_name(choice) for choice in CHOICES
    ]
    metric = bleu_nb.Bleu(
        reading="universal", tokenizer="none", lowercase=True, casing="ascii", strip=False,
        max_order=3,
        reference_length="shortest", least_total=1, end_token=True, counting="clipped",
        weights=(0.5, 0.3, 0.2), reweigh=True, smoothing="floor", smoothing_value=0.2,
        unmatched="smoothed", effective_order="never", penalty="strict ratio",
        arithmetic="extended logarithms", average="segments", scale=1, digits=3,
    )  # fmt: skip
    files = [Path(file).read_text("utf-8").split("\n")[:-1] for file in EXAMPLE]
    expected = format_score(metric(files[0], list(zip(*files[1:], strict=True))))
    assert bleu("score", *EXAMPLE, *options).out == f"{expected}\n"


def test_a_choice_can_be_taken_back() -> None:
    plain = bleu("score", *EXAMPLE)
    spelled = ("--no-lowercase", "--weights=none", "--smoothing-value=none", "--digits=none")
    assert bleu("score", *EXAMPLE, *spelled) == plain
    assert bleu("score", *EXAMPLE, "--lowercase", "--no-lowercase") == plain
    rounded, full = (
        bleu("score", *EXAMPLE, "--dialect=codexglue", "--decimals=5", *more).out.split(" = ")[1]
        for more in ((), ("--digits=none",))
    )
    assert rounded.split()[0].endswith("000") and not full.split()[0].endswith("000")


def test_a_signature_gives_its_score_again() -> None:
    line = bleu("score", *EXAMPLE, "--dialect", "nltk", "--max-order", "2").out
    assert bleu("score", *EXAMPLE, "--signature", line.rstrip("\n")) == (0, line, "")
    head, numbers = line.rstrip("\n").removeprefix("BLEU|").split(" = ", 1)
    for text in (head, f"BLEU = {numbers} {head}"):
        assert bleu("score", *EXAMPLE, "--signature", text) == (0, line, "")


def test_what_a_signature_leaves_open_is_one_note() -> None:
    text = "nrefs:1|case:lc|eff:no|tok:13a|smooth:floor[0.20]|version:2.3.1"
    done = bleu("score", *EXAMPLE, "--signature", text)
    expected = bleu("score", *EXAMPLE, "--lowercase", "--smoothing=floor", "--smoothing-value=0.2")
    assert done.out == expected.out
    assert done.status == 0
    assert done.err == (
        "bleu-nb: note: beyond the signature: version 2.3.1: the rules of 2.6.0 are used; "
        "smoothing_value: 0.20, to two digits; max_order: 4 is used; "
        "nrefs:1 in the signature, 2 given\n"
    )
    told = bleu("score", *EXAMPLE, "--signature", text, "--max-order=4")
    assert "max_order" not in told.err
    assert told.out == done.out


def test_a_score_that_a_dialect_refuses_names_the_file(tmp_path: Path) -> None:
    short = write(tmp_path / "short.txt", "the sea\n")
    for command in (("score",), ("score", "--sentence")):
        done = bleu(*command, short, short, "--smoothing", "nltk-6")
        assert_refused(done, "short.txt'", "needs a trigram")


# --- Two numbers ----------------------------------------------------------------------------------


def test_explain_prints_and_draws(tmp_path: Path) -> None:
    drawing = tmp_path / "why.svg"
    done = bleu("explain", "--from", "nltk", *EXAMPLE, "--svg", drawing)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("nltk ")
    assert " → sacrebleu 45.45" in done.out
    assert max(map(len, done.out.split("\n"))) <= 60
    root = ElementTree.fromstring(drawing.read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = bleu("explain", "--from", "nltk", "--to", "sacrebleu", *EXAMPLE, "--format", "json")
    told = json.loads(text.out)
    assert told["second"]["dialect"] == "sacrebleu"
    parts = sum(part["points"] for part in told["parts"])
    assert parts == pytest.approx(told["difference"])


def test_explain_names_files(tmp_path: Path, one: str) -> None:
    arguments = ("explain", "--from", "nltk", one)
    assert_refused(
        bleu(*arguments, one, "--svg", tmp_path / "no" / "a.svg"), "cannot write", "a.svg'"
    )
    assert_refused(bleu(*arguments, one, "--svg", "-"), "a file name, not `-`")
    assert_refused(bleu(*arguments, *EXAMPLE[:1]), "one.txt' has 1, ")
    hostile = write(tmp_path / "hostile", "\x1b[2J <b> sea.\n")
    done = bleu("explain", "--from", "nltk", hostile, hostile, "--svg", tmp_path / "b.svg")
    assert done.status == 0
    assert done.out.replace("\n", "").isprintable()
    ElementTree.parse(tmp_path / "b.svg")


def test_identify_knows_a_number() -> None:
    reported = bleu("score", *EXAMPLE, "--dialect", "huggingface").out.split(" = ")[1].split()[0]
    done = bleu("identify", "--reported", reported, *EXAMPLE)
    assert (done.status, done.err) == (0, "")
    assert reported in done.out.split("\n")[0]
    assert max(map(len, done.out.split("\n"))) <= 60
    assert bleu("identify", "--reported", "99.9", *EXAMPLE).status == 0


# --- Wrong input -------------------------------------------------------------------------------


def test_files_of_different_length_are_named_with_their_counts(tmp_path: Path, one: str) -> None:
    two = write(tmp_path / "two.txt", "a\nb")
    assert_refused(bleu("score", one, two, one), "one.txt' has 1, ", "two.txt' has 2, ")
    assert_refused(bleu("score", two, "-", stdin=b"a"), "two.txt' has 2, standard input has 1")
    split = write(tmp_path / "split", "a\u2028b\n")
    done = bleu("score", split, two)
    note, error = done.err.splitlines()
    assert note.startswith("bleu-nb: note: ") and "1 read as feed" in note
    assert_refused(done._replace(err=f"{error}\n"), "split' has 1, ")
    marked = write(tmp_path / "marked.txt", b"\xef\xbb\xbfa\n")
    done = bleu("score", marked, two, "--keep-bom")     # And no note on a mark that is kept
    assert_refused(done, "files differ in their number of lines")


def test_unreadable_files_are_named(tmp_path: Path, one: str) -> None:
    assert_refused(bleu("score", one, tmp_path / "none"), "none': No such file or directory")
    assert_refused(bleu("score", tmp_path, one), f"'{tmp_path}'", "directory")
    assert_refused(bleu("score", one, Path(one) / "x"), "one.txt/x'", "Not a directory")
    assert_refused(bleu("score", "x" * 300, one), "File name too long")
    assert_refused(bleu("score", "", one), "a file name is empty")
    empty = write(tmp_path / "empty", "")
    assert_refused(bleu("score", empty, empty), "empty' is empty")
    assert_refused(bleu("score", one, "-"), "standard input is empty")
    assert_refused(bleu("score", "-", "-", stdin=b"a\n"), "standard input can be read once")
    wide = write(tmp_path / "wide.txt", "The sea\n".encode("utf-16"))
    assert_refused(bleu("score", wide, one), "wide.txt", "is UTF-16: save the file as UTF-8")


@needs_posix
def test_a_file_without_permission_is_named(tmp_path: Path, one: str) -> None:
    secret = write(tmp_path / "secret", "a\n")
    os.chmod(secret, 0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read everything")
    assert_refused(bleu("score", secret, one), "secret': Permission denied")


@pytest.mark.parametrize(("data", "place"), [
    (b"a\nb\xffc\n", "byte 2 of line 2 is 0xff"), (b"\xff", "byte 1 of line 1 is 0xff"),
    (b"\xef\xbb\n", "byte 1 of line 1 is 0xef"), (b"a\nb\nc\xc3", "byte 2 of line 3 is 0xc3"),
    (b"a\r\xed\xa0\x80", "byte 3 of line 1 is 0xed"),
])  # fmt: skip
def test_bytes_that_are_not_utf8_are_named_with_their_place(
    tmp_path: Path, one: str, data: bytes, place: str
) -> None:
    name = write(tmp_path / "bad", data)
    assert_refused(bleu("score", one, name), "bad' is not UTF-8", place)
    assert_refused(bleu("score", "-", one, stdin=data), "standard input is not UTF-8", place)


@needs_posix
def test_a_byte_order_mark_is_left_out_and_told(tmp_path: Path, one: str) -> None:
    marked = write(tmp_path / "marked.txt", b"\xef\xbb\xbf" + Path(one).read_bytes())
    plain = bleu("score", one, one)
    for files in ((marked, one), (one, marked), ("-", one)):
        done = bleu("score", *files, stdin=Path(marked).read_bytes())
        assert done.out == plain.out
        assert done.err.startswith("bleu-nb: note: ")
        assert "starts with a byte order mark" in done.err
        assert done.err.count("\n") == 1
        assert done.err.endswith("as a character, so their scores may differ: pass --keep-bom for "
                                 "theirs\n")
    inside = write(tmp_path / "inside.txt", Path(one).read_bytes() + b"\xef\xbb\xbfa\n")
    assert bleu("score", inside, inside).err == ""


@needs_posix
def test_a_mark_that_is_kept_is_tested_as_sacrebleu_tests_it(tmp_path: Path) -> None:
    """Its own command, on files whose first line is scored otherwise without the mark."""
    lines = {"m": "\ufeffthe cat sat on the mat\n", "p": "the cat sat on a mat\n",
             "ref": "the cat sat on the mats\n"}
    marked, plain, ref = (write(tmp_path / name, line.encode() + b"a b c d e\n" * 3)
                          for name, line in lines.items())
    adding = ("import sacrebleu.metrics.bleu as bleu\n"
              "from sacrebleu.sacrebleu import main\n"
              "from bleu_nb.dialects.arithmetic import add_up\n"
              "bleu.sum = add_up\n"  # Since Python 3.12 `sum` compensates
              "main()")
    theirs = subprocess.run(
        [sys.executable, "-c", adding, ref, "-i", marked, plain, "--paired-bs",
         "--paired-bs-n", "20", "-m", "bleu", "-w", "12", "--format", "json"],
        env=ENVIRONMENT, capture_output=True, check=True)
    [row, _] = json.loads(theirs.stdout)
    asked = ("compare", marked, plain, "--ref", ref, "--test", "sacrebleu-bs", "--trials", "20",
             "--format", "json")
    kept, left = (json.loads(bleu(*asked, *more).out)["systems"][0]
                  for more in (["--keep-bom"], []))
    assert kept["score"] == row["BLEU"]["score"] != left["score"]
    assert kept["mean"] == row["BLEU"]["mean"] != left["mean"]
    assert file_bleu(marked, [ref], keep_bom=True).value == kept["score"]
    with pytest.warns(FileNote, match="pass keep_bom=True for theirs"):
        assert file_bleu(marked, [ref]).value == left["score"]


def test_packed_files_are_read_by_their_name(tmp_path: Path, one: str) -> None:
    packed = gzip.compress(Path(one).read_bytes() * 3000)
    long = write(tmp_path / "long.txt", Path(one).read_bytes() * 3000)
    named = write(tmp_path / "mt.gz", packed)
    assert bleu("score", named, long) == bleu("score", long, long)
    assert_refused(bleu("score", write(tmp_path / "mt", packed), long), "'", "packed by gzip")
    assert_refused(bleu("score", "-", long, stdin=packed), "standard input is packed by gzip")
    for name, content in (("a.gz", packed[:-9]), ("b.gz", b"text\n")):
        broken = write(tmp_path / name, content)
        assert_refused(bleu("score", broken, long), "cannot read", name)


def test_a_name_with_a_nul_is_no_name(capsys: pytest.CaptureFixture[str], one: str) -> None:
    for words in (("score", "a\0b", one), ("compare", one, "a\0b", "--ref", one),
                  ("explain", "--from", "nltk", one, one, "--svg", "a\0b")):
        assert main(words) == 2
        assert r"no file can be called 'a\x00b', with a NUL" in capsys.readouterr().err


@needs_posix
def test_a_pipe_serves_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert_refused(bleu("score", pipe, pipe), "pipe", "can be read once, and is there 2 times")
    assert_refused(bleu("score", "-", "/dev/stdin"), "standard input can be read once")
    assert_refused(bleu("explain", "--from", "nltk", pipe, pipe), "can be read once")


@pytest.mark.parametrize(("dialect", "candidate", "reference", "value"), [
    ("tensor2tensor", "it was in 1999. \n", "it was in 1999 .\n", 1.0),
    ("nmt", "a b c d e\n\n", "a b c d e f\n\n", 0.8464817248906141),
    ("compare-mt", "a b c d e\n\n", "a b c d e\n\n", 79.52707287670506),
    ("multi-bleu", "a b c\u00a0d e f\n", "a b c d e f\n", 0.0),
    ("codexglue-smooth", "&AMP;\n", "& amp ;\n", 100.0),
])  # fmt: skip
def test_lines_are_split_as_the_tool_splits_them(
    dialect: str, candidate: str, reference: str, value: float, tmp_path: Path
) -> None:
    files = write(tmp_path / "mt", candidate), write(tmp_path / "ref", reference)
    done = bleu("score", *files, "--dialect", dialect, "--format", "json")
    assert json.loads(done.out)["score"] == pytest.approx(value, rel=1e-12)


def test_whether_lines_are_trimmed_is_a_choice(tmp_path: Path) -> None:
    candidate = write(tmp_path / "mt", "it was in 1999. \n")
    reference = write(tmp_path / "ref", "it was in 1999 .\n")
    options = (candidate, reference, "--tokenize", "intl", "--format", "json")
    trimmed, whole = bleu("score", *options), bleu("score", *options, "--no-strip")
    assert json.loads(trimmed.out)["score"] < json.loads(whole.out)["score"]


def test_closed_streams_are_named(one: str) -> None:
    for number, name in ((0, "input"), (1, "output")):
        process = start("score", "-", one, preexec_fn=lambda number=number: os.close(number))
        out, err = process.communicate(timeout=60)
        done = Result(process.returncode, out.decode(), err.decode())
        assert_refused(done, f"standard {name} is closed")
    process = start("score", "-", one, preexec_fn=lambda: os.close(2))
    process.communicate(timeout=60)
    assert process.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "COMMAND"),
        (("scores",), "'scores'"),
        (("score",), "CANDIDATES, REFERENCES"),
        (("score", "a", "b", "--tokenize", "13b"), "'13b'"),
        (("score", "a", "b", "--format", "xml"), "'xml'"),
        (("score", "a", "b", "--sent"), "--sent"),
        (("score", "a", "b", "--\x1b[2J"), r"--\x1b[2J"),
        (("score", "a", "b", "--two\nlines"), r"--two\nlines"),
        (("example", "a"), "unrecognized arguments: a"),
        *((("score", "a", "b", "--decimals", n), repr(n)) for n in ("-1", "16", "two", "1e1", "")),
        (("score", "a", "b", "--dialect", "ntlk"), "did you mean 'nltk'?"),
        (("score", "a", "b", "--dialect", ""), "no dialect ''"),
        (("score", "a", "b", "--dialect", "coco", "--signature", "x"), "not allowed with"),
        (("score", "a", "b", "--smoothing", "add_k"), "did you mean 'add-k'?"),
        (("score", "a", "b", "--penalty", "strict_ratio"), "did you mean 'strict-ratio'?"),
        (("score", "a", "b", "--scale", "10"), "no scale '10'"),
        (("score", "a", "b", "--max-order", "0"), "at least 1, not 0"),
        (("score", "a", "b", "--max-order", "none"), "must be a whole number, not 'none'"),
        (("score", "a", "b", "--weights", "0.5,0.4"), "weights must sum to 1"),
        (("score", "a", "b", "--weights", "0.5;0.5"), "numbers such as 0.5,0.5"),
        (("score", "a", "b", "--weights", "nan,1"), "from 0 to 1"),
        (("score", "a", "b", "--weights", "1", "--max-order", "2"), "1 weights for 2 orders"),
        (("score", "a", "b", "--smoothing-value", "3"), "'exp' takes no value"),
        (("score", "a", "b", "--smoothing=floor", "--smoothing-value=-1"), "from 0 upwards"),
        (("score", "a", "b", "--digits", "16"), "from 0 to 15"),
        (("score", "a", "b", "--signature", "BLEU = 27.3"), "not a signature"),
        (("score", "a", "b", "--signature", "tok:13a|weights:5"), "such as weights:(0.5,0.5)"),
        (("score", "a", "b", "--signature", "tok:13a|order:x"), "such as order:4"),
        (("score", "a", "b", "--signature", f"tok:13a|weights:{'-' * 10**5}"), "such as weights:("),
        (("score", "a", "b", "--max-order", "100000000"), "at most 100, not 100000000"),
        (("score", "a", "b", "--bogus"), "arguments: --bogus; see bleu-nb score --help"),
        (("score", "--bogus"), "see bleu-nb score --help"),
        (("dialects", "--bogus"), "see bleu-nb dialects --help"),
        (("--bogus", "score", "a", "b"), "--bogus; see bleu-nb --help"),
        (("score", "a", "b", "--signature", "tok:13b"), "did you mean '13a'?"),
        (("dialects", "ntlk"), "did you mean 'nltk'?"),
        (("dialects", "nltk", "--choices"), "not allowed with"),
        (("explain", "a", "b"), "--from"),
        (("explain", "a", "b", "--from", "ntlk"), "did you mean 'nltk'?"),
        (("identify", "a", "b"), "--reported"),
        (("score", "--confidence", "a", "b"), "between 0 and 1, such as 0.95, not 'a'"),
        (("score", "a", "b", "--num-refs", "0"), "from 1 upwards or var, not '0'"),
        (("score", "a", "b", "--score-only", "--short"), "nothing else: leave out --short"),
        (("score", "a", "b", "--score-only", "--format=tsv"), "else: leave out --format"),
        (("score", "a", "b", "--score-only", "--confidence"), "else: leave out --confidence"),
        (("score", "a", "b", "--confidence", "--sentence"), "--confidence gives one score per"),
        (("compare", "a", "b"), "required: --references/--ref"),
        (("compare", "--ref", "sr", "sa", "s\tb"),
         r"--references took 'sr', 'sa', 's\tb': name the systems before --references"),
        (("compare", "sa", "--ref", "sr", "sb"), "--references took 'sr', 'sb'"),
        (("compare", "a", "--ref", "b"), "--references took 'b': name the systems before"),
        (("compare", "a", "a", "--ref", "b"), "two systems are called 'a'"),
        (("compare", "a", "--system", "a=b", "--ref", "b"), "two systems are called 'a'"),
        (("compare", "a", "b", "--baseline", "c", "--ref", "b"), "no baseline 'c'"),
        *((("compare", "a", "--system", text, "--ref", "b"), repr(text))
          for text in ("b", "=b", "b=", "b=c,,d", "")),
        (("compare", "a", "b", "--ref", "c", "--test", "bootstap"), "did you mean 'bootstrap'?"),
        *((("compare", "a", "b", "--ref", "c", option, text),
           f"argument {option}: must be a number from 1 upwards{more}, not {text!r}")
          for option, text, more in (("--trials", "0", ""), ("--trials", "", ""),
                                     ("--threads", "", ""), ("--num-refs", "", " or var"))),
        *((("compare", "a", "b", "--ref", "c", "--seed", text), 
           f"argument --seed: must be a whole number from 0 upwards, not {text!r}")
          for text in ("1.5", "none", "-1", "")),
        *((("compare", "a", "b", "--ref", "c", "--confidence", text),
           f"argument --confidence: must lie between 0 and 1, such as 0.95, not {text!r}")
          for text in ("0", "1", "95", "nan", "much", "")),
        (("compare", "a", "b", "--ref", "c", "--confidence", "0.9999999999999999"),
         "argument --confidence: is too near to 1"),
        (("compare", "a", "b", "--ref", "c", "--correct", "bonferroni"), "'bonferroni'"),
        (("compare", "a", "b", "--ref", "c", "--format", "xml"), "'xml'"),
        (("compare", "a", "b", "--ref", "c", "--methods", "--format=json"), "leave out --format"),
        (("compare", "a", "b", "--ref", "c", "--pairs", "--strata=d"), "leave out --pairs"),
        *((line, f"unrecognized arguments: {told}; see bleu-nb compare --help")
          for typed, told in ((("--nope", "b"), "--nope"), (("--trial", "20", "b"), "--trial"),
                              (("--nope=1", "b", "-x"), "--nope=1 -x"))
          for line in (("compare", "a", *typed, "--ref", "c"),
                       ("compare", "a", "b", "--ref", "c", *typed))),
        (("score", *EXAMPLE, "--systems", EXAMPLE[1], "--sentence"),
         "--systems gives one score per file: leave out"),
        (("score", *EXAMPLE, "--systems", EXAMPLE[0]), "--systems names a file twice"),
        (("score", *EXAMPLE, "--systems", os.devnull), "is empty: write a segment a line"),
        (("compare", "a", "b", "--ref", "no\nfile"), r"'a': No such file"),
        (("compare", "a", "b", "--ref", "c", "--documents"), "--documents needs a file, an id a"),
        (("score", "a", "b", "--digits", "-1"), "error: --digits must be a whole number from 0"),
        *((("score", "a", "b", option, "9" * 5000), "must be a number from 1 upwards")
          for option in ("--threads", "--num-refs")),
        (("compare", "a", "b", "--ref", "c", "--seed", "9" * 5000), "number from 0 upwards"),
        (("identify", "a", "b", "--reported", "27,3"), "'27,3'"),
    ],
)
def test_wrong_arguments_take_one_sentence(arguments: tuple[str, ...], word: str) -> None:
    assert_refused(bleu(*arguments), word)


@needs_posix
def test_odd_file_names(tmp_path: Path, one: str) -> None:
    text = Path(one).read_bytes()
    for name in ("-", "--lowercase", "two words", "new\nline", "\x1b[2J", "a'b\"c", "海\u202e",
                 "\x1b]0;title\x07", "\x9b2J"):
        path = tmp_path / name
        write(path, text)
        assert bleu("score", path, one).out.startswith("BLEU|nrefs:1|")
        path.unlink()
        assert_refused(bleu("score", path, one), "No such file")
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    assert_refused(bleu("score", name, one), r"\udcff': No such file")
    write(tmp_path / "--lowercase", text)
    assert "case:mixed" in bleu("score", "--", "--lowercase", one, cwd=tmp_path).out


# --- Pipes, signals and terminals --------------------------------------------------------------


def test_a_reader_that_has_seen_enough_is_no_error(long_files: list[str]) -> None:
    for command, seen in ((("score", *long_files, "--sentence"), b"BLEU|"), (COMPARE, b"")):
        process = start(*command)
        assert process.stdout and process.stderr
        assert not seen or process.stdout.readline().startswith(seen)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_every_choice_has_an_option_of_its_own_name() -> None:
    expected = bleu("score", *EXAMPLE, "--tokenize", "char")
    assert bleu("score", *EXAMPLE, "--tokenizer", "char") == expected
    assert expected.status == 0
    help_text = bleu("score", "--help").out
    for choice in CHOICES:
        assert f"--{choice.replace('_', '-')}" == field_option(choice)
        assert re.search(rf"{field_option(choice)}[ ,\n]", help_text)


@pytest.mark.parametrize("smoothing", ["floor", "add-k", "nltk-1", "nltk-4", "ignite-1"])
def test_json_holds_no_number_that_json_has_not(smoothing: str) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    for value in ("1e308", "5e-324"):
        for more in ((), ("--sentence",), ("--dialect=nltk",), ("--arithmetic=single",)):
            options = ("--smoothing", smoothing, "--smoothing-value", value, "--format=json")
            done = bleu("score", *EXAMPLE, *more, *options)
            for line in done.out.splitlines():
                json.loads(line, parse_constant=refuse)
            if done.status:
                assert_refused(Result(done.status, "", done.err), "no score: a number is too large")


needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
BUFFERING = ("", "1")


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize("unbuffered", BUFFERING)
@pytest.mark.parametrize(
    "arguments", [
        ("score", *EXAMPLE), ("--version",), ("--help",), ("score", "--help"),
        ("compare", *EXAMPLE[:2], "--ref", EXAMPLE[2], "--format=tsv"),
    ]
)  # fmt: skip
def test_a_full_disk_takes_one_sentence(arguments: tuple[str, ...], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
        process = start(*arguments, stdout=full, env=environment)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == b"bleu-nb: error: cannot write the output: No space left on device\n"


@needs_full
@pytest.mark.parametrize("unbuffered", BUFFERING)
def test_no_room_for_a_complaint_leaves_the_status(unbuffered: str) -> None:
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    noted = ("score", *EXAMPLE, "--signature", "nrefs:1|tok:13a|version:2.6.0")
    for arguments, status in ((("score", "none", "none"), 2), (("scores",), 2), (noted, 0)):
        with open("/dev/full", "wb") as full:
            process = start(*arguments, stderr=full, env=environment)
            out, _ = process.communicate(timeout=60)
        assert (process.returncode, bool(out)) == (status, status == 0)


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    code = "import sys; before = set(sys.modules); import bleu_nb.__main__; print(*sorted("
    code += "name for name in set(sys.modules) - before if name.startswith('bleu_nb')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=ENVIRONMENT)
    assert done.stdout.split() == [b"bleu_nb", b"bleu_nb.__main__", b"bleu_nb._lazy"]


STARTS = "import bleu_nb.__main__ as m, os; os.write(1, b'go'); raise SystemExit(m.main())"
LISTENS = """
import os, signal
import bleu_nb.__main__

def listen(*arguments):
    signal.signal = plainly
    before = plainly(*arguments)
    os.write(1, b"go")
    return before

plainly, signal.signal = signal.signal, listen
raise SystemExit(bleu_nb.__main__.main())
"""


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_an_interrupt_at_any_moment_leaves_no_traceback(engine: str) -> None:
    """From where `main` listens; what comes before is the start of Python itself."""
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    chance, found = random.Random(engine), Counter()
    for _ in range(40):
        process = start("score", *EXAMPLE, "--engine", engine, code=LISTENS, preexec_fn=heeds)
        assert process.stdout and process.stdout.read(2) == b"go"
        time.sleep(chance.random() * 0.25)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert err == b""
        assert process.returncode == 130 or (process.returncode == 0 and out)
        found[process.returncode] += 1
    assert found[130] > 3


@needs_posix
def test_an_interrupt_that_is_to_be_ignored_is_ignored() -> None:
    ignores = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    process = start("example", code=STARTS, preexec_fn=ignores)
    assert process.stdout and process.stdout.read(2) == b"go"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"") and out


class Screen(NamedTuple):
    """What a terminal was told by a command, and how the command ended."""

    status: int
    told: str


def on_terminal(*arguments: str, columns: int, interrupt: bool = False, code: str = RUN) -> Screen:
    """Run `bleu-nb` on a pseudo-terminal, perhaps with Ctrl-C at the sight of the first bar."""
    import fcntl
    import pty
    import termios

    ours_end, its_end = pty.openpty()
    fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    ends = dict.fromkeys(("stdin", "stdout", "stderr"), its_end)
    # A job in the background of a shell ignores Ctrl-C, and so would what it starts.
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = start(*arguments, code=code, **ends, start_new_session=True, preexec_fn=heeds)
    os.close(its_end)
    told, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            piece = os.read(ours_end, 65536)
        except OSError:
            break
        if not piece:
            break
        told += piece
        if interrupt and b"%" in told:
            process.send_signal(signal.SIGINT)
            interrupt = False
    os.close(ours_end)
    return Screen(process.wait(60), told.decode("utf-8"))


def drawn_lines(told: str) -> list[str]:
    """Each stretch of text between two returns to the start of the line."""
    return [piece for piece in told.replace("\r\n", "\n").split("\r") if piece]


@needs_posix
@pytest.mark.parametrize("columns", [10, 40, 200])
def test_bar_on_a_terminal_fits_and_is_erased(long_files: list[str], columns: int) -> None:
    screen = on_terminal("score", *long_files, columns=columns, code=AT_ONCE)
    *bars, blank, result = drawn_lines(screen.told)
    assert screen.status == 0
    assert bars
    assert all("%" in line and len(line) < columns for line in bars)
    assert blank == " " * len(bars[-1])
    assert result == bleu("score", *long_files).out


@needs_posix
def test_bar_fits_its_own_terminal_and_stays_out_of_the_result(long_files: list[str]) -> None:
    code = f"import os, sys; os.dup2(os.open(os.devnull, os.O_WRONLY), 1); {AT_ONCE}"
    *bars, blank = drawn_lines(on_terminal("score", *long_files, columns=30, code=code).told)
    assert blank == " " * len(bars[-1])
    assert {len(line) for line in bars} == {29}


@needs_posix
def test_no_bar_in_a_pipe_or_for_short_work(long_files: list[str]) -> None:
    done = bleu("score", *long_files, code=AT_ONCE)
    assert (done.status, done.err) == (0, "")
    screen = on_terminal("score", *EXAMPLE, columns=80)
    assert screen.told.replace("\r\n", "\n") == bleu("score", *EXAMPLE).out


@pytest.mark.slow
@needs_posix
def test_interrupt_erases_the_bar_and_says_nothing(long_files: list[str]) -> None:
    slowly = ("score", *long_files, "--engine", "definition")
    screen = on_terminal(*slowly, columns=60, interrupt=True, code=AT_ONCE)
    assert screen.status == 130
    *bars, blank = drawn_lines(screen.told)
    assert bars
    assert blank.isspace()


# Several systems ----------------------------------------------------------------------------------


def test_systems_score_as_they_do_alone(tmp_path: Path) -> None:
    copies = [EXAMPLE[0], str(tmp_path / "a b.txt"), str(tmp_path / "c.txt")]
    lines = Path(EXAMPLE[0]).read_text("utf-8").split("\n")[:-1]
    Path(copies[1]).write_text("\n".join(lines[::-1]) + "\n", "utf-8")
    Path(copies[2]).write_text("\n".join(["", *lines[1:]]) + "\n", "utf-8")
    alone = [bleu("score", copy, *EXAMPLE[1:]).out for copy in copies]
    done = bleu("score", *EXAMPLE, "--systems", *copies[1:])
    assert (done.status, done.err) == (0, "")
    assert done.out == "".join(f"{copy}: {line}" for copy, line in zip(copies, alone, strict=True))
    told = bleu("score", *EXAMPLE, "--systems", *copies[1:], "--format", "json")
    assert [json.loads(line)["system"] for line in told.out.splitlines()] == copies


# Scores in tables, with intervals, and alone ------------------------------------------------------


def test_a_score_alone_is_that_of_sacrebleu() -> None:
    done = bleu("score", *EXAMPLE, "--score-only", "--decimals", "12")
    assert (done.status, done.err) == (0, "")
    assert done.out == sacrebleu(EXAMPLE[0], EXAMPLE[1:], "--score-only")
    every = bleu("score", *EXAMPLE, "--score-only", "--sentence").out.split()
    assert [float(each) >= 0 for each in every] == [True] * 12
    both = bleu("score", *EXAMPLE, "--score-only", "--systems", EXAMPLE[1]).out
    assert both == f"{float(done.out):.2f}\n100.00\n"


def test_a_short_signature_is_that_of_sacrebleu_and_scores_again() -> None:
    for options in ((), ("--lowercase", "--smoothing=floor"), ("--tokenize=char",)):
        done = bleu("score", *EXAMPLE, "--short", *options)
        told, numbers = done.out.split(" = ", 1)
        again = bleu("score", *EXAMPLE, "--signature", told)
        assert (again.status, again.err) == (0, "") and again.out.endswith(f" = {numbers}")
        fields = json.loads(bleu("score", *EXAMPLE, "--short", "--format=json", *options).out)
        assert f"BLEU|{fields['signature']}" == told and fields["nrefs"] == "2"
    short = bleu("score", *EXAMPLE, "--short", "--decimals=12").out
    theirs = sacrebleu(EXAMPLE[0], EXAMPLE[1:], "--short")
    assert shared(short) == theirs


def tabbed(tmp_path: Path, lines: list[list[str]]) -> str:
    """A file with references between tabs."""
    return write(tmp_path / "tabbed.tsv", "".join("\t".join(each) + "\n" for each in lines))


def example_references() -> list[list[str]]:
    """Both references of each line of the example."""
    files = [Path(name).read_text("utf-8").split("\n")[:-1] for name in EXAMPLE[1:]]
    return [[*each] for each in zip(*files, strict=True)]


@pytest.mark.parametrize("command", ["score", "identify", "explain"])
def test_references_are_an_option_as_well(command: str) -> None:
    """`compare` takes them so, since its files are systems."""
    candidates, *references = EXAMPLE
    more = {"score": (), "identify": ("--reported", "45.45"), "explain": ("--from", "nltk", "--to",
            "sacrebleu")}[command]
    expected = bleu(command, candidates, *references, *more)
    assert expected.out and expected.err == ""
    for asked in ((candidates, "--ref", *references), ("--references", references[0],
                  f"--ref={references[1]}", "--", candidates)):
        assert bleu(command, *more, *asked) == expected
    wrong = bleu(command, *more, candidates, references[0], "--ref", references[1])
    assert wrong.status == 2 and "leave out one" in wrong.err
    assert "REFERENCES" in bleu(command, *more, candidates).err


def test_references_between_tabs_score_as_files_and_as_sacrebleu(tmp_path: Path) -> None:
    path = tabbed(tmp_path, example_references())
    done = bleu("score", EXAMPLE[0], path, "--num-refs", "2")
    assert done == bleu("score", *EXAMPLE) == (0, done.out, "")
    theirs = sacrebleu(EXAMPLE[0], [path], "--num-refs", "2")
    assert ours(EXAMPLE[0], [path], "--num-refs", "2") == theirs
    for more in (("--sentence",), ("--systems", EXAMPLE[1]), ("--confidence",)):
        expected = bleu("score", *EXAMPLE, *more)
        assert bleu("score", EXAMPLE[0], path, "--num-refs=2", *more) == expected
    both = bleu("score", EXAMPLE[0], path, EXAMPLE[1], "--num-refs=var").out
    assert both.startswith("BLEU|nrefs:3|")
    for command in (("explain", "--from=nltk"), ("identify", "--reported=45.4")):
        separate = bleu(*command, *EXAMPLE)
        assert bleu(*command, EXAMPLE[0], path, "--num-refs=2") == separate
    files = ("compare", EXAMPLE[0], EXAMPLE[1], "--trials=9", "--ref")
    assert bleu(*files, path, "--num-refs=2") == bleu(*files, *EXAMPLE[1:])
    whole = bleu("score", EXAMPLE[0], path).out     # One reference; a tab is white space
    assert whole.startswith("BLEU|nrefs:1|")


def test_references_between_tabs_may_vary(tmp_path: Path) -> None:
    lines = example_references()
    lines[0].pop()
    lines[1].append("")     # A spreadsheet fills rows up
    path = tabbed(tmp_path, lines)
    done = bleu("score", EXAMPLE[0], path, "--num-refs=var", "--decimals=12")
    pairs = [[each for each in line if each] for line in lines]
    candidates = Path(EXAMPLE[0]).read_text("utf-8").split("\n")[:-1]
    assert done.out == format_score(bleu_nb.corpus_bleu(candidates, pairs), 12) + "\n"
    assert done.out.startswith("BLEU|nrefs:var|")
    told = "nrefs:var|tok:13a|version:2.6.0|order:4"
    again = bleu("score", EXAMPLE[0], path, "--num-refs=var", "--signature", told)
    assert again.err == ""
    refused = bleu("score", EXAMPLE[0], path, "--num-refs=2")
    assert_refused(refused, f"line 1 of {path!r} has 1 references", "not 2: see --num-refs")
    lines[3] = ["", " "]
    path = tabbed(tmp_path, lines)
    refused = bleu("score", EXAMPLE[0], path, "--num-refs=var")
    assert_refused(refused, "line 4 of", "has 0 references", "not at least one")


def test_a_score_has_an_interval_if_asked(tmp_path: Path) -> None:
    plain, done = bleu("score", *EXAMPLE), bleu("score", *EXAMPLE, "--confidence")
    assert (done.status, done.err) == (0, "")
    score = re.sub(r" ± \d+\.\d\d ", " ", done.out)
    assert score == plain.out != done.out
    wide = bleu("score", *EXAMPLE, "--confidence=0.99", "--format=json")
    narrow = bleu("score", *EXAMPLE, "--confidence=0.5", "--format=json")
    ends = [json.loads(each.out)["interval"] for each in (wide, narrow)]
    assert ends[0]["low"] < ends[1]["low"] < ends[1]["high"] < ends[0]["high"]
    assert [each["confidence"] for each in ends] == [0.99, 0.5]
    assert "interval" not in json.loads(bleu("score", *EXAMPLE, "--format=json").out)
    nothing = write(tmp_path / "nothing.txt", "x\n" * 12)
    done = bleu("score", nothing, *EXAMPLE[1:], "--confidence", "--smoothing=none")
    assert done.status == 0 and " = 0.00 (no interval) " in done.out
    done = bleu("score", nothing, *EXAMPLE[1:], "--confidence", "--smoothing=none", "--format=json")
    assert json.loads(done.out)["interval"] is None


def test_an_interval_that_is_not_reliable_says_so(tmp_path: Path) -> None:
    heads = ["\n".join(Path(name).read_text("utf-8").split("\n")[:3]) for name in EXAMPLE[:2]]
    few = [write(tmp_path / name, head)
           for name, head in zip(("few.txt", "ref.txt"), heads, strict=True)]
    done = bleu("score", *few, "--confidence")
    assert done.status == 0 and re.search(r" = \d+\.\d\d (± \S+|\[\S+ \S+\])\? ", done.out)
    assert re.fullmatch(r"bleu-nb: note: the interval of '.*few.txt': unreliable: .*\n", done.err)
    told = json.loads(bleu("score", *few, "--confidence", "--format=json").out)["interval"]
    assert told["warning"].startswith("unreliable: ")
    one = write(tmp_path / "one.txt", "A line of five words.\n")
    assert_refused(bleu("score", one, one, "--confidence"), "cannot score", "at least two")


def test_scores_come_as_tables() -> None:
    systems = ("score", *EXAMPLE, "--systems", EXAMPLE[1])
    told = [json.loads(line) for line in bleu(*systems, "--format=json").out.splitlines()]
    done = bleu(*systems, "--format=tsv")
    assert (done.status, done.err) == (0, "")
    header, *rows = (line.split("\t") for line in done.out.splitlines())
    for row, fields in zip(rows, told, strict=True):
        cells = dict(zip(header, row, strict=True))
        assert float(cells["score"]) == fields["score"] and cells["system"] == fields["system"]
        assert [int(cells[f"matches_{n}"]) for n in (1, 2, 3, 4)] == fields["matches"]
        assert cells["signature"] == fields["signature"]
    for form, first in (("markdown", "| system | BLEU |"), ("latex", r"\begin{tabular}{lrrrr}")):
        done = bleu(*systems, f"--format={form}", "--decimals=1", "--confidence")
        assert done.status == 0 and done.out.startswith(first) and "45.4" in done.out
        assert done.err == f"bleu-nb: note: signature: {told[0]['signature']}\n"
    lines = bleu("score", *EXAMPLE, "--sentence", "--format=tsv").out.splitlines()
    assert lines[0].startswith("line\tscore\t") and lines[12].startswith("12\t")


def test_a_score_does_not_wait_for_numpy_tables_or_sacrebleu() -> None:
    code = (
        "import sys; from bleu_nb.cli.command import main; main(sys.argv[1:]); "
        "raise SystemExit(bool({'numpy', 'sacrebleu', 'logging', 'bleu_nb.files.evaluation_sets', "
        "'bleu_nb.significance.compare', 'bleu_nb.display.table_formats'} & {*sys.modules}))"
    )
    for arguments in (("score", *EXAMPLE), ("--help",), ("compare", "--help"), ("--version",)):
        assert bleu(*arguments, code=code).status == 0


# Comparing files ----------------------------------------------------------------------------------

KESTREL, PAIR = str(example_path("kestrel.txt")), ("--ref", *EXAMPLE[1:])
COMPARE = ("compare", EXAMPLE[0], KESTREL, *PAIR)


def compared(*options: str | Path) -> Any:
    """What the command finds, as JSON."""
    done = bleu(*COMPARE, *options, "--format=json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_a_comparison_is_that_of_the_library() -> None:
    found = compared()
    assert [each["name"] for each in found["systems"]] == [EXAMPLE[0], KESTREL]
    scores = [json.loads(bleu("score", each["name"], *EXAMPLE[1:], "--format=json").out)["score"]
              for each in found["systems"]]
    assert [each["score"] for each in found["systems"]] == scores
    assert (found["test"], found["trials"], found["seed"]) == ("randomization", 10_000, 12345)


def test_options_reach_the_comparison() -> None:
    found = compared("--test=sacrebleu-bs", "--trials=77", "--seed=0", "--confidence=0.9",
                     "--correct=none", "--tokenize=char", "--engine=bits", "--threads=1")
    assert [found[name] for name in ("test", "trials", "seed", "confidence", "correction")] == [
        "sacrebleu-bs", 77, 0, 0.9, "none"]
    assert "|tok:char|" in found["signature"]
    other = found["systems"][1]
    assert other["p_adjusted"] is None and other["mean"] and other["interval"]["confidence"] == 0.9
    assert compared("--seed=1") != compared("--seed=2")
    told = "tok:char|version:2.6.0"
    done = bleu(*COMPARE, "--signature", told)
    assert "tok:char" in done.out and "note: beyond the signature: max_order" in done.err


def test_options_may_stand_between_systems(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"A": EXAMPLE[0], "B": KESTREL, "C": EXAMPLE[1]}
    assert main(["compare", *files.values(), *PAIR, "--trials=20", "--format=json"]) == 0
    usual = capsys.readouterr().out
    for order in (
        ("A", "--trials", "20", "B", "C", *PAIR), ("A", "B", "--trials", "20", "C", *PAIR),
        (*PAIR, "--trials", "20", "A", "B", "C"), (*PAIR, "--trials", "20", "--", "A", "B", "C"),
        ("A", "--trials", "20", "B", *PAIR, "--", "C"),
        ("A", "--trials=20", "B", "--ref", EXAMPLE[1], "--ref", EXAMPLE[2], "--seed", "12345", "C"),
    ):  # fmt: skip
        typed = [files.get(each, each) for each in order]
        assert main(["compare", "--format=json", *typed]) == 0
        assert capsys.readouterr().out == usual


def test_a_file_called_as_an_option_is_a_system_after_two_dashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "--trials", Path(KESTREL).read_bytes())
    monkeypatch.chdir(tmp_path)
    command = ["compare", EXAMPLE[0], "--trials", "9", *PAIR, "--format=json", "--", "--trials"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found["systems"]] == [EXAMPLE[0], "--trials"]


def test_the_columns_of_scores_do_not_depend_on_their_numbers(tmp_path: Path) -> None:
    def columns(*command: str) -> list[str]:
        done = bleu("score", *command, "--format=tsv")
        header, *lines = done.out.splitlines()
        assert done.status == 0 and {line.count("\t") for line in lines} == {header.count("\t")}
        return header.split("\t")

    zero = write(tmp_path / "zero.txt", "zzz\n" * 12)
    for options in ((), ("--confidence",)):
        usual = columns(*EXAMPLE, "--systems", KESTREL, *options)
        assert usual == columns(zero, *EXAMPLE[1:], *options)
        assert usual == columns(*EXAMPLE, "--systems", zero, *options)
        assert ("interval_warning" in usual) == bool(options)


def test_the_variable_of_sacrebleu_counts_for_its_tests_only() -> None:
    for test, seed, more in (("sacrebleu-ar", 7, ()), ("sacrebleu-bs", 7, ()), ("moses", 12345, ()),
                             ("sacrebleu-ar", 5, ("--seed=5",))):
        done = bleu(*COMPARE, f"--test={test}", "--trials=9", "--format=json", *more,
                    more={"SACREBLEU_SEED": "7"})
        assert json.loads(done.out)["seed"] == seed
    done = bleu(*COMPARE, "--test=sacrebleu-ar", more={"SACREBLEU_SEED": "x"})
    assert_refused(done, "SACREBLEU_SEED is 'x'")


def test_systems_are_named_and_may_have_several_runs() -> None:
    asked = ("--baseline", KESTREL, "--system", f"ours={EXAMPLE[1]}",
             "--system", f"two={KESTREL},{EXAMPLE[1]}")
    systems = compared(*asked)["systems"]
    assert [each["name"] for each in systems] == [KESTREL, EXAMPLE[0], "ours", "two"]
    assert systems[0]["difference"] is None
    runs = systems[3]["runs"]
    assert len(runs) == 2 and systems[3]["score"] == pytest.approx(sum(runs) / 2)
    assert "2 (sd " in bleu(*COMPARE, *asked).out


def test_identical_files_have_a_p_of_one(tmp_path: Path) -> None:
    copy = write(tmp_path / "copy.txt", Path(EXAMPLE[0]).read_bytes())
    for pairs in ((), ("--pairs",)):
        done = bleu("compare", EXAMPLE[0], copy, *PAIR, "--format=json", *pairs)
        read = json.loads(done.out)
        assert read["p_values"][0][1] == 1 if pairs else read["systems"][1]["p_value"] == 1
    assert "1.0000" in bleu("compare", EXAMPLE[0], copy, *PAIR).out


def test_documents_and_strata_are_files(tmp_path: Path) -> None:
    ids = write(tmp_path / "ids.txt", "".join(f"d{n // 2}\r\n" for n in range(12)))
    packed = tmp_path / "ids.gz"
    packed.write_bytes(gzip.compress(Path(ids).read_bytes()))
    found = compared("--documents", ids)
    assert found["documents"] == 6 and found == compared("--documents", packed)
    assert "6 documents are few" in " ".join(found["notes"])
    assert bleu(*COMPARE, "--documents", ids).err.count("note: ") == len(found["notes"])
    assert compared("--strata", ids, "--test=bootstrap")["systems"][1]["p_value"] != compared(
        "--test=bootstrap")["systems"][1]["p_value"]
    assert compared("--documents", ids, "--pairs")["documents"] == 6
    short = write(tmp_path / "short.txt", "a\nb\n")
    assert_refused(bleu(*COMPARE, "--documents", short), f"{short!r} has 2", "has 12")
    blank = write(tmp_path / "blank.txt", "a\n\n" * 6)
    assert_refused(bleu(*COMPARE, "--strata", blank), f"line 2 of {blank!r} is blank")
    alone = write(tmp_path / "alone.txt", "a\n" * 12)
    assert_refused(bleu(*COMPARE, "--documents", alone), "one document", "at least two")


def test_systems_that_cannot_be_compared_are_refused(tmp_path: Path, one: str) -> None:
    done = bleu("compare", EXAMPLE[0], one, *PAIR)
    assert_refused(done, f"{one!r} has 1", f"{EXAMPLE[0]!r} has 12")
    other = write(tmp_path / "other.txt", "No.\n")
    done = bleu("compare", one, other, "--ref", one)
    assert_refused(done, "at least two")
    assert_refused(bleu("compare", one, "none", "--ref", one), "cannot read 'none'")
    assert_refused(bleu(*COMPARE, "--smoothing=nltk-5"), "last segment")
    assert_refused(bleu("compare", "-", "-", "--ref", one), "called '-'")


def test_packed_files_and_standard_input_are_compared(tmp_path: Path) -> None:
    packed = tmp_path / "kestrel.gz"
    packed.write_bytes(gzip.compress(Path(KESTREL).read_bytes()))
    done = bleu("compare", "-", packed, *PAIR, "--trials=9", stdin=Path(EXAMPLE[0]).read_bytes())
    assert (done.status, done.err.count("\n")) == (0, 1)   # That nine trials are few
    plain = bleu(*COMPARE, "--trials=9").out.replace(EXAMPLE[0], "-").replace(KESTREL, str(packed))
    assert done.out == plain


def test_a_comparison_comes_in_every_format() -> None:
    for pairs in ((), ("--pairs",)):
        found = compared(*pairs)
        rows = bleu(*COMPARE, *pairs, "--format=tsv").out.splitlines()
        assert [float(row.split("\t")[1]) for row in rows[1:]] == [
            each["score"] for each in found["systems"]]
        assert bleu(*COMPARE, *pairs, "--format=markdown").out.count("\n") == 4
        latex = bleu(*COMPARE, *pairs, "--format=latex").out
        assert latex.startswith(r"\begin{tabular}") and latex.endswith("\\end{tabular}\n")
        told = read_methods(bleu(*COMPARE, *pairs, "--methods").out)
        assert told == {name: found[name] for name in told}
    assert " 45.4 ±" in bleu(*COMPARE, "--decimals=1", more={"COLUMNS": "200"}).out


@needs_posix
@pytest.mark.parametrize("columns", [40, 80])
def test_a_comparison_fits_its_terminal(columns: int) -> None:
    shown = on_terminal(*COMPARE, columns=columns)
    assert shown.status == 0
    assert "won/tied/lost" in shown.told
    table = shown.told.split("\r\n\r\n")[0].splitlines()
    assert max(len(line) for line in table if "example" not in line) <= columns


@needs_posix
def test_a_bar_counts_trials_and_is_erased() -> None:
    shown = on_terminal(*COMPARE, "--trials=200000", columns=60, code=AT_ONCE)
    assert shown.status == 0 and re.search(r"#\.* +\d+% of \d+ trials\r", shown.told)
    assert "% of" not in shown.told.rstrip("\r\n").split("\r")[-1]


@pytest.mark.parametrize("name", [*bleu_nb.DIALECTS])
def test_every_dialect_has_intervals_and_tests_or_says_why(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (("score", *EXAMPLE, "--confidence"), (*COMPARE, "--trials=99"),
                    (*COMPARE, "--trials=99", "--test=sacrebleu-bs", "--pairs")):
        status = main([*command, "--dialect", name])
        told = capsys.readouterr()
        assert (status == 0 and " ± " in told.out) or "last segment" in told.err


@dataclass(frozen=True)
class Patient(Dialect):
    """A row with a choice of its own."""

    forgiven_from: int = column(
        1, "first order whose zero is forgiven", "forgiveness", "score", (1, 2, 3, 4))
    hopeful: bool = column(False, "is all well", "hope", "score", (False, True))


def forgiving(stats: Any, last: Any, value: float, row: Any) -> Any:
    pairs = zip(stats.matches, stats.totals, strict=True)
    return [(m or value * (n >= row.forgiven_from), t) for n, (m, t) in enumerate(pairs, 1)]


PATIENT = Patient(
    "patient", "1", tokenizer=str.split, smoothing=Smoothing(forgiving, 0.5, "", reads_row=True))


def with_patient(capsys: pytest.CaptureFixture[str], *arguments: str) -> Result:
    """What the command leaves behind if it knows a row more."""
    status = main(arguments, dialects=[PATIENT])
    return Result(status, *capsys.readouterr())


def test_the_command_knows_rows_that_it_is_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a b c d\n")
    two.write_text("a b d\n")
    files = (str(one), str(two))
    for order, value in ((3, 100 * (3 / 4 * 1 / 3 * 0.5 / 2 * 0.5) ** 0.25), (4, 0.0)):
        options = ("--dialect=patient", f"--forgiven-from={order}")
        done = with_patient(capsys, "score", *files, *options)
        assert done.status == 0 and f" = {value:.2f} " in done.out
        assert f"|forgiven_from:{order}|" in done.out
    done = with_patient(capsys, "score", *files, "--dialect=patient", "--forgiven-from=5")
    assert (done.status, done.out) == (2, "") and "no forgiven from '5'" in done.err
    done = with_patient(capsys, "score", *files, "--hopeful")
    assert (done.status, done.out) == (2, "") and "--hopeful needs --dialect" in done.err
    done = with_patient(capsys, "score", *files, "--dialect=nltk", "--hopeful")
    assert (done.status, done.out) == (2, "") and "no choice 'hopeful'" in done.err
    long = [write(tmp_path / name, text) for name, text in (
        ("x", "a b c d e\na b c d e\n"), ("y", "a b c e d\na b c d e\n"))]
    done = with_patient(capsys, "compare", *long, "--ref", long[0], "--dialect=patient",
                        "--forgiven-from=3", "--trials=99")
    short = [write(tmp_path / f"short {name}", f"{name} b d\n{name} b c d e\n") for name in "xy"]
    alone = with_patient(capsys, "compare", *short, "--ref", long[0], "--dialect=patient")
    assert alone.status == 0 and "segments won, tied and lost are not counted" in alone.err
    assert done.status == 0 and "|forgiven_from:3|" in done.out
    done = with_patient(capsys, "explain", "--from=patient", *files)
    assert done.out.startswith("patient 42.04 → sacrebleu 35.36: -6.69 points\n")
    done = with_patient(capsys, "identify", "--reported=42.0448", *files)
    assert "\n 42.0448  patient\n" in done.out


def test_rows_that_the_command_is_passed_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\npatient 1\n" in with_patient(capsys, "dialects").out
    assert "--no-hopeful" in with_patient(capsys, "dialects", "patient").out
    listed = json.loads(with_patient(capsys, "dialects", "patient", "--format=json").out)
    assert listed["tokenizer"] == "callable(str.split)" and listed["forgiven_from"] == 1
    choices = json.loads(with_patient(capsys, "dialects", "--choices", "--format=json").out)
    assert choices["forgiven_from"] == [1, 2, 3, 4]
    assert "--forgiven-from: first order" in with_patient(capsys, "dialects", "--choices").out
    with pytest.raises(ValueError, match="there is a dialect 'nltk' already"):
        main(["dialects"], dialects=[replace(PATIENT, name="nltk")])
    assert main(["dialects", "patient"]) == 2
    assert "no dialect 'patient'" in capsys.readouterr().err
