"""`bleu-nb` as a user meets it: in a process of its own, with real files, pipes and terminals."""

import gzip
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import ENVIRONMENT, RUN, SACREBLEU, Result, run_command
from data import example

import bleu_nb
from bleu_nb.cli.command import command_parser, format_score, main
from bleu_nb.cli.options import NOTHING, OTHER_OPTIONS, option_name, our_option
from bleu_nb.dialects.formula_variants import Smoothing
from bleu_nb.dialects.table import CHOICES, DIALECTS, Dialect, list_dialects
from bleu_nb.display.tables import FIELDS
from bleu_nb.files.reading import example_path
from bleu_nb.significance.tests import TESTS

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")

ROOT = Path(bleu_nb.__file__).resolve().parent.parent
DEFAULTS = "terminal.with_bar.__wrapped__.__defaults__ = ('segments', 0)"
AT_ONCE = f"import bleu_nb.cli.options as terminal; {DEFAULTS}; {RUN}"
COMMANDS = ("score", "compare", "dialects", "explain", "identify", "example", "pairwise",
            "self-bleu", "mbr")
EXAMPLE = [str(example_path(f"{name}.txt")) for name in ("heron", "reference_1", "reference_2")]
KESTREL, PAIR = str(example_path("kestrel.txt")), ("--ref", *EXAMPLE[1:])
COMPARE = ("compare", EXAMPLE[0], KESTREL, *PAIR)


HERON, *HUMAN = map(example, ("heron", "reference_1", "reference_2"))
TABBED = ["\t".join(both) for both in zip(*HUMAN, strict=True)]
ONE = "The sea forgets nothing, he said.\n"
SMALL: dict[str, str | bytes] = {
    **{Path(name).stem: Path(name).read_bytes() for name in (*EXAMPLE, KESTREL)},
    "one": ONE, "two": "a\nb", "few": "a\nb\n", "empty": "", "no": "No.\n", "sea": "the sea\n",
    "split": "a\u2028b\n", "marked": "\ufeffa\n", "wide": "The sea\n".encode("utf-16"),
    "unmarked": ONE.encode("utf-16-le"), "one2": ONE,
    "long": ONE * 3000, "long.gz": gzip.compress(ONE.encode() * 3000),
    "packed": gzip.compress(ONE.encode()), "cut.gz": gzip.compress(ONE.encode())[:-9],
    "text.gz": b"text\n", "copy": Path(EXAMPLE[0]).read_bytes(), "hostile": "\x1b[2J <b> sea.\n",
    "out": "a b c d\n", "r1": "a b c e\n", "-r2": "a b c d e\n", "labels": "a\n\n" * 6,
    "alone": "a\n" * 12, "bom": "\ufeff" + "\n".join([*HERON, ""]), "unended": "\n".join(HERON),
    "crlf": "\r\n".join([*HERON, ""]), "tabbed": "\n".join([*TABBED, ""]),
    # A spreadsheet fills rows up
    "missing": "\n".join([HUMAN[0][0], f"{TABBED[1]}\t", *TABBED[2:], ""]),
    "lacking": "\n".join([*TABBED[:3], "\t ", *TABBED[4:], ""]), "zero": "zzz\n" * 12,
    "longer": ONE * 12_000, "late": f"{ONE[:-1]}\t{ONE}" * 11_998 + ONE * 2,
    "longest": ONE * 24_000,
    "bad1": b"a\nb\xffc\n", "bad2": b"\xff", "bad3": b"\xef\xbb\n", "bad4": b"a\nb\nc\xc3",
    "bad5": b"a\r\xed\xa0\x80", "inside": f"{ONE}\ufeffa\n",
    "gap": "the sea\n\nthe sea\n", "blank": "\n\nthe sea and the coast\n",
    "ids": "".join(f"d{n // 2}\r\n" for n in range(12)), "--trials": Path(KESTREL).read_bytes(),
    **dict.fromkeys(("-", "--lowercase", "-b", "-lc"), ONE),
    "kestrel.gz": gzip.compress(Path(KESTREL).read_bytes()),
    "ids.gz": gzip.compress(b"".join(b"d%d\n" % (n // 2) for n in range(12))),
    "apart": "".join(f"{line.title()}\n".replace(" ", "\u2028", 1) for line in HERON),
    "apart2": "".join(f"{line}\n".replace(" ", "\u2028", 1) for line in HUMAN[0]),
    "few_mt": "\n".join(HERON[:3]), "few_ref": "\n".join(HUMAN[0][:3]),
    "fewer": "\n".join([*HUMAN[1][:11], ""]),
    **{f"{side}.{name}": text.encode(name) for name in ("UTF-8", "latin-1", "gb18030")
       for side, text in (("mt", "Das Meer vor der Küste\nEr fuhr\n"),
                          ("ref", "Das Meer an der Küste\nüber die See\n"))},
}


# Of two references, the last of which is shorter by a line
WITH_A_GAP = bleu_nb.corpus_bleu(HERON, [
    *zip(HUMAN[0][:11], HUMAN[1], strict=False), HUMAN[0][11:]]).value


SIGNED = "nrefs:1|case:lc|eff:no|tok:13a|smooth:floor[0.20]|version:2.3.1"
SIGNED_SCORE = format_score(bleu_nb.corpus_bleu(
    HERON, [*zip(*HUMAN, strict=True)], lowercase=True, smoothing="floor", smoothing_value=0.2))


def write(path: Path, content: str | bytes) -> str:
    """Write a file byte by byte, and return its name."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return str(path)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example and with small files, most of which are odd."""
    folder, chance = tmp_path_factory.mktemp("files"), random.Random(12)
    for name, content in {**SMALL, **{f"odd_{n}": hostile(chance) for n in "abc"}}.items():
        write(folder / name, content)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def one(tmp_path: Path) -> str:
    """A file of one line."""
    return write(tmp_path / "one.txt", ONE)


@pytest.fixture(scope="module")
def long_files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of 12,000 lines, which take a while."""
    folder = tmp_path_factory.mktemp("long")
    return [write(folder / Path(name).name, Path(name).read_bytes() * 1000) for name in EXAMPLE[:2]]


def start(*arguments: str | Path, code: str = RUN, **options: object) -> subprocess.Popen[bytes]:
    """Start `bleu-nb`; options are those of Popen, with pipes as defaults."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    settings = {"env": ENVIRONMENT, **pipes, **options}
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)], **settings)


def bleu(*arguments: str | Path, **options: Any) -> Result:
    """Run `bleu-nb` to its end; options are those of `run_command`."""
    return run_command([*map(str, arguments)], **options)


def in_json(*arguments: str | Path, **options: Any) -> Any:
    """The only line that a command prints as JSON."""
    done = bleu(*arguments, "--format=json", **options)
    assert done.status == 0, done.err
    return json.loads(done.out)


def assert_refused(done: Result, *words: str) -> None:
    """One sentence on standard error with all these words, nothing else, and status 2."""
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("bleu-nb: error: ") and done.err.endswith("\n")
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


def shared(line: str) -> str:
    """A line of ours without the fields of the signature that sacreBLEU does not have."""
    signature, equals, rest = line.partition(" = ")
    return f"{'|'.join(signature.split('|')[:7])}{equals}{rest}\n"


@pytest.mark.parametrize(("files", "option", "theirs"), [
    *(("odd_a odd_b odd_c", *options) for options in (
        ("", ""), ("--sentence", "-sl"), ("--sentence --lowercase", "-sl -lc"),
        ("--lowercase --tokenize none", "-lc -tok none"), ("--tokenize char", "-tok char"))),
    *((f"{name} reference_1 reference_2", "--keep-bom", "")
      for name in ("heron", "bom", "crlf", "unended")),
    *((files, *options) for files in ("gap blank gap", "gap blank")
      for options in (("", ""), ("--sentence", "-sl"))),
    ("heron tabbed", "--num-refs 2", "--num-refs 2"),
    ("heron reference_1 reference_2", "--short", "--short"),
    ("heron reference_1 reference_2", "--score-only", "--score-only"),
    ("heron reference_1 reference_2", "--score-only", "-b"),
    ("heron reference_1 reference_2", "--short", "-sh"),
    ("heron tabbed", "--num-refs 2", "-nr 2"),
    ("gap blank", "--smoothing none", "-s none"), ("gap blank", "--smoothing add-k", "-s add-k"),
    ("gap blank", "--smoothing floor", "--smooth-method floor"),
    ("gap blank", "--smoothing floor --smoothing-value .3", "-s floor -sv .3"),
    ("gap blank", "--smoothing add-k --smoothing-value 2",
     "--smooth-method=add-k --smooth-value=2"),
    ("gap blank", "--sentence", "--sentence-level"),
    ("odd_a odd_b", "--tokenize intl", "-tok=intl"),
])  # fmt: skip
def test_files_score_as_in_sacrebleu(here: Path, files: str, option: str, theirs: str) -> None:
    candidates, *references = files.split()
    status, expected, _ = run_command([
        *references, "-i", candidates, "-f", "text", "-w", "12", *theirs.split()],
        cwd=here, code=SACREBLEU)
    assert not status
    done = bleu("score", *files.split(), "--decimals", "12", *option.split(), cwd=here)
    expected_notes = ("only some tools end a line", "one of several references is empty",
                      "no candidate is long enough", "an empty line of a reference file")
    told = [line for line in done.err.splitlines()
            if not any(note in line for note in expected_notes)]
    assert (done.status, told) == (0, [])
    assert "".join(map(shared, done.out.split("\n")[:-1])) == expected
    typed = bleu("score", *files.split(), "-w", "12", "-f", "text",
                 *(theirs or option).split(), cwd=here)
    assert (typed.status, typed.out) == (0, done.out)      # Their options are taken as ours are
    lines = {"odd_a": 64, "gap": 3}
    assert expected.count("\n") == (
        lines[candidates] if "--sentence" in option else 1)


@cache
def command_parser_of(command: str) -> Any:
    """The parser of a command, with its arguments."""
    parser = command_parser()._subparsers._group_actions[0].choices[command]  # type: ignore
    parser.add(*parser.entries)
    return parser


@pytest.mark.parametrize("command", ["score", "compare", "explain", "identify", "pairwise",
                                     "self-bleu", "mbr"])
def test_two_hyphens_are_no_value_of_an_option(command: str) -> None:
    names = [name for name, action in command_parser_of(command)._option_string_actions.items()
             if name.startswith("--") and action.nargs != 0]
    assert names
    for name in names:
        with pytest.raises(ValueError, match=(
                f"argument {name}: expected a value, not '--'; see bleu-nb {command} --help")):
            command_parser().parse_args([command, "a", "b", f"{name}=--"])


def test_every_option_of_sacrebleu_is_taken_or_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []      # Every option of its parser, in all spellings
    with monkeypatch.context() as patch:
        patch.setattr(ArgumentParser, "parse_args", lambda parser: found.extend(
            parser._option_string_actions) or Namespace())
        pytest.importorskip("sacrebleu.sacrebleu").parse_args()
    assert len(found) > 70
    parser = command_parser_of("score")
    for name in found:
        if our_option(name, ours := parser._option_string_actions) not in ours:
            with pytest.raises(ValueError, match=f"^unrecognized arguments: {name}: ") as caught:
                command_parser().parse_args(["score", "a", "b", name])
            assert re.search("bleu-nb (sacrebleu|compare|--)|leave it out", str(caught.value)), name


@pytest.mark.parametrize("name", OTHER_OPTIONS)
def test_what_an_option_is_called_here_exists(name: str) -> None:
    text, ours = OTHER_OPTIONS[name], {"--version", "--cite", "--no-lowercase"}
    for command in COMMANDS:
        ours.update(command_parser_of(command)._option_string_actions)
    assert name not in command_parser_of("score")._option_string_actions
    if "sacrebleu -" not in text:
        assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)} <= ours
    assert {*re.findall(r"--test ([\w-]+)", text)} <= {*TESTS}
    assert {*re.findall(r"--dialect ([\w-]+)", text)} <= {*DIALECTS}


# --- Forms of input and output -----------------------------------------------------------------

SCORE = "score heron reference_1 reference_2"
SAME = [
    ["", "--help"],
    ["score out r1 -- -r2", "score out r1 --decimals=2 -- -r2", "score out --decimals=2 -- r1 -r2",
     "score -- out r1 -r2", "score out r1 --decimals 2 ./-r2"],
    [SCORE, f"{SCORE} --no-lowercase --weights=none --smoothing-value=none --digits=none",
     f"{SCORE} --lowercase --no-lowercase", "score heron tabbed --num-refs 2"],
    [f"{SCORE} --tokenize char", f"{SCORE} --tokenizer char"],
    *([f"{SCORE} {more}", f"score heron tabbed --num-refs=2 {more}"]
      for more in ("--sentence", "--systems reference_1", "--confidence")),
    *([f"{command} heron reference_1 reference_2", f"{command} heron --ref reference_1 reference_2",
       f"{command} --references reference_1 --ref=reference_2 -- heron",
       f"{command} heron tabbed --num-refs=2"]
      for command in ("score", "identify --reported 45.45", "explain --from nltk --to sacrebleu")),
    ["compare heron kestrel reference_1 --ref reference_1 reference_2 --trials=20", *(
        line.replace("REF", "--ref reference_1 reference_2") for line in (
            "compare heron --trials 20 kestrel reference_1 REF",
            "compare heron kestrel --trials 20 reference_1 REF",
            "compare REF --trials 20 heron kestrel reference_1",
            "compare REF --trials 20 -- heron kestrel reference_1",
            "compare heron --trials 20 kestrel REF -- reference_1",
            "compare heron --trials=20 kestrel --ref reference_1 --ref reference_2 --seed 12345 "
            "reference_1", "compare heron kestrel reference_1 --trials=20 --ref tabbed --num-refs=2"
        ))],
    ["compare heron kestrel --documents ids --ref tabbed --num-refs=2",
     "compare heron kestrel --ref reference_1 reference_2 --documents ids"],
    *([f"{command} mt.{name} ref.{name} --encoding {name}"
       for name in ("UTF-8", "latin-1", "gb18030")]
      for command in ("score --sentence", "explain --from nltk")),
    ["score long long", "score long.gz long"],
    *([f"{SCORE} --format json{more}", f"{SCORE} --format json{more} --decimals 0"]
      for more in ("", " --sentence")),
    *([f"compare heron kestrel --ref reference_1 --documents {ids} --format json{more}"
       for ids in ("ids", "ids.gz")] for more in ("", " --pairs")),
]


@pytest.mark.parametrize("lines", SAME, ids=lambda lines: lines[0])
def test_what_may_be_said_in_several_ways(here: Path, lines: list[str]) -> None:
    expected, *others = (bleu(*line.split(), cwd=here) for line in lines)
    assert expected.status == 0 and expected.out
    unsigned = [each._replace(out=re.sub(r"[|]encoding:[^|]*", "", each.out)) for each in others]
    assert unsigned == [expected] * len(others)


@pytest.mark.parametrize(("line", "told"), [
    ("score out r1 -- -r2", r"BLEU\|nrefs:2\|"), ("score heron tabbed", r"BLEU\|nrefs:1\|"),
    ("score heron tabbed reference_1 --num-refs=var", r"BLEU\|nrefs:3\|"),
    ("score heron reference_1 lacking --num-refs=var", r"BLEU\|nrefs:var\|"),
    ("score heron reference_1 --tokenize builtins:list", r".*tok:callable\(builtins.list\)\|"),
    (f"{SCORE} --orders", r"system .*-1  BLEU-2 .*-4\nheron +\d+\.\d\d .* 45\.45\n\nsignature: "),
    (f"{SCORE} --orders --sentence --format tsv", r"(?s)line\tBLEU-1\t.*\n12\t"),
    (f"{SCORE} --documents ids", r"(?s)document +BLEU.*\nd0 .*\nd5 "),
    (f"{SCORE} --documents ids --format json", r'\[\{"document": "d0", .*"document": "d5"'),
    ("score out --systems r1 -- -r2 -r2", r"system .*\nout .*\nr1 .*\n\nsignature: .*\n"),
    ("score -- --lowercase one", r"BLEU.*\|case:mixed"),
    ("score -b -- -b -lc one", r"100\.00\n\Z"), ("pairwise -- -lc", r"100\.00\n\Z"),
    (f"{SCORE} --score-only --systems reference_1", r"45\.45\n100\.00\n"),
    (f"{SCORE} --score-only --sentence", r"(\d+\.\d\d\n){12}\Z"),
    ("compare heron --trials 9 --ref reference_1 -- --trials", r"(?s).*--trials.*baseline: heron"),
    ("compare heron copy --ref reference_1 --format json", r'.*"p_value": 1\.0,'),
    ("compare heron copy --ref reference_1 --pairs --format json",
     r'.*"p_values": \[\[1\.0, 1\.0\], \[1'),
    ("compare heron kestrel --ref reference_1 --documents ids --format json",
     '(?=.*"only 6 documents:).*"documents": 6,'),
    ("compare heron kestrel --ref reference_1 --documents ids --pairs --format json",
     '.*"documents": 6,'),
    *((f"compare - kestrel.gz --ref reference_1 reference_2 --trials {trials}",
       r"(?s).*\n- +45\.45 .*\nkestrel\.gz +67\.25 ") for trials in (9, 20)),
    ("compare heron kestrel --ref reference_1 reference_2 --decimals=1", r"(?s).* 45\.4 ±"),
    ("identify --reported 99.9 heron reference_1", r"Nothing likely gives 99\.9\.\n"),
    ("identify --reported 77.77777 heron fewer",
     r"(?s)(?!.*bleu-nb explain).*, cut\s+to\s+the\s+shorter:\s+candidates\s+have\s+12\s+lines,\s+"
     r"references\s+11\."),
    (f"identify --reported {WITH_A_GAP:.5f} heron reference_1 fewer --format json",
     r'(?=.*"lines": \[12, 12, 11\]).* is what your files give: sacrebleu'),
    ("score zero reference_1 --confidence --smoothing=none", r".* = 0\.00 \(no interval\) "),
    ("score zero reference_1 --confidence --smoothing=none --format json", '.*"interval": null'),
    (f"{SCORE} --format json", '(?!.*"interval")'),
    (f"{SCORE} --confidence 0.5 --format json", r'.*"confidence": 0\.5\D'),
    *((f"{SCORE} --systems reference_1 --decimals 1 --confidence --format {form}", told)
      for form, told in (
        ("markdown", r"(?s)\| system \| BLEU \|.* 45\.4 .*bleu-nb: note: signature: nrefs:2\|"),
        ("latex", r"(?s)\\begin\{tabular\}\{lrrrr\}.*\$45\.4.*note: signature: nrefs:2\|"))),
    (f"{SCORE} --short --format json", r'.*"signature": "#:2\|'),
    (f"{SCORE} --sentence --format tsv", r"(?s)line\tscore\t.*\n12\t\d"),
    *((f"compare heron kestrel --ref reference_1{more} --format {form}", told)
      for more in ("", " --pairs") for form, told in (
        ("tsv", r"(?s)(?=.*\nheron\t40\.4\d+\t).*\nkestrel\t58\.4\d+\t"),
        ("markdown", r"\|.*\n\|.*\n\|.*\n\|.*\n\Z"),
        ("latex", r"(?s)\\begin\{tabular\}.*\\end\{tabular\}\n\Z"))),
    *((f"compare heron kestrel --ref reference_1 --methods{more}",
       r".*\(bleu_nb \S+, test randomization over segments, 10,000 trials.*seed 12345\)")
      for more in ("", " --pairs")),
    ("explain --from nltk heron reference_1 reference_2", r"nltk \d+\.\d\d → sacrebleu 45\.45: "),
    ("explain --from nltk heron reference_1 --format json", '.*"second": {"dialect": "sacrebleu"'),
    ("--version", rf"bleu-nb {re.escape(bleu_nb.__version__)}\n\Z"),
    ("compare --help", "(?s).*" + r",\s+".join(TESTS)),
    # Digits follow the scale
    *((f"{SCORE} {options}", rf"BLEU\S* = {shown} ") for options, shown in (
        ("--decimals 0", "45"), ("--decimals 2", r"45\.45"), ("--decimals 15", r"\d+\.\d{15}"),
        ("--dialect nltk", r"\d+\.\d{4}"), ("--scale 1", r"\d+\.\d{4}"),
        ("--dialect nltk --scale 100", r"\d+\.\d{2}"), ("--scale 1 --decimals 2", r"\d+\.\d{2}"),
        ("--dialect=codexglue --decimals=5", r"\d+\.\d\d000"),
        ("--dialect=codexglue --decimals=5 --digits=none", r"\d+\.\d\d(?!000)\d\d\d"))),
    # What a signature leaves open is one note
    (f"{SCORE} --signature {SIGNED}", re.escape(
        f"{SIGNED_SCORE}\nbleu-nb: warning: the signature does not state all settings: version "
        "2.3.1: the rules of 2.6.0 are used; smoothing_value: 0.20, to two digits; max_order: 4 is "
        "used; nrefs:1 in the signature, 2 given\n") + r"\Z"),
    (f"{SCORE} --signature {SIGNED} --max-order=4",
     rf"(?s){re.escape(SIGNED_SCORE)}(?!.*max_order)"),
    # A byte order mark is left out and told
    *((line, rf"BLEU.* = {score} .*\nbleu-nb: warning: .* starts with a byte order mark.* as a "
       r"character: pass keep_bom=True \(--keep-bom\) for their scores\n\Z")
      for line, score in (
        *((f"score {name} reference_1 reference_2", r"45\.45") for name in ("bom", "-")),
        ("score heron bom", r"100\.00"))),
    ("score inside inside", r"BLEU.*\n\Z"),
    (f"{SCORE} --confidence", r"BLEU.* = 45\.45 ± \d+\.\d\d \d+\.\d/"),
    ("score few_mt few_ref --confidence", r".* = \d+\.\d\d (± \S+|\[\S+ \S+\])\? .*\n"
     "bleu-nb: warning: the interval of 'few_mt' is unreliable: "),
    ("score few_mt few_ref --confidence --format json", '.*"warning": "unreliable: '),
])  # fmt: skip
def test_what_is_printed(here: Path, line: str, told: str) -> None:
    done = bleu(*line.split(), cwd=here, more={"COLUMNS": "200"}, stdin=SMALL["bom"].encode())
    status = NOTHING if "Nothing likely" in done.out else 0
    assert done.status == status and re.match(told, done.out + done.err), done


def test_standard_input_is_read_like_a_file(here: Path) -> None:
    usual = bleu("score", "odd_a", "odd_b", "odd_c", cwd=here)
    for name in ("odd_a", "odd_b"):
        names = [{name: "-"}.get(each, each) for each in ("odd_a", "odd_b", "odd_c")]
        done = bleu("score", *names, stdin=(here / name).read_bytes(), cwd=here)
        assert (done.status, done.out) == (usual.status, usual.out)
        assert done.err == usual.err.replace(repr(name), "standard input")


def test_output_is_utf8_in_any_locale(tmp_path: Path, one: str) -> None:
    plain = {**ENVIRONMENT, "LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    environment = {**plain, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    name = write(tmp_path / "Küste.txt", "Küste 海\n")
    assert bleu("score", name, name, env=environment) == bleu("score", name, name)
    assert_refused(bleu("score", name, tmp_path / "海", env=environment), "No such file")


def test_example_runs_what_it_prints_anywhere(tmp_path: Path) -> None:
    for folder in (ROOT, tmp_path):
        done = bleu("example", cwd=folder)
        assert (done.status, done.err) == (0, "")
        first, heron, second, kestrel, last = done.out.split("\n")[:-1]
        for command, line in ((first, heron), (second, kestrel)):
            assert command.startswith(f"$ bleu-nb score {'bleu_nb' if folder == ROOT else ''}")
            assert bleu(*command.split()[2:], cwd=folder).out == f"{line}\n"
        assert last == "Kestrel has the higher BLEU: 67.25 against 45.45."


def test_example_copies_its_files_and_spares_others(tmp_path: Path) -> None:
    for _ in range(2):    # What is there already may be written again
        done = bleu("example", "--copy", ".", cwd=tmp_path)
        assert (done.status, done.err) == (0, "")
    told = dict(line.split(": ", 1) for line in done.out.splitlines())
    for name, begins in told.items():
        assert (tmp_path / name).read_text("utf-8").startswith(f"{begins}\n")
    assert {*told} == {path.name for path in tmp_path.iterdir()} and len(told) == 6
    write(tmp_path / "new.txt", "mine\n")
    assert_refused(bleu("example", "--copy", ".", cwd=tmp_path), "'new.txt' already exists with")
    assert (tmp_path / "new.txt").read_text() == "mine\n"


def test_parts_and_orders_score_as_they_do_alone(here: Path) -> None:
    found = json.loads(bleu(*f"{SCORE} --orders --format json".split(), cwd=here).out)
    for order in range(1, 5):
        alone = bleu(*f"{SCORE} --max-order {order} --format json".split(), cwd=here).out
        assert found[0][f"BLEU-{order}"] == json.loads(alone)["score"]
    scores = json.loads(bleu(*f"{SCORE} --documents ids --format json".split(), cwd=here).out)
    names = "heron", "reference_1", "reference_2"
    for number, score in enumerate(scores):
        lines = [(here / name).read_text("utf-8").splitlines()[2 * number:2 * number + 2]
                 for name in names]
        alone = bleu_nb.corpus_bleu(lines[0], [*zip(*lines[1:], strict=True)])
        assert (score["document"], score["score"]) == (f"d{number}", alone.value)


def test_systems_score_as_they_do_alone(here: Path) -> None:
    alone = [in_json("score", name, "reference_1", "reference_2", "--confidence", cwd=here)
             for name in ("heron", "kestrel")]
    both = in_json(*SCORE.split(), "--systems", "kestrel", "--confidence", cwd=here)
    assert both == [{"system": name, **each}
                    for name, each in zip(("heron", "kestrel"), alone, strict=True)]
    assert {*FIELDS["beside score"]} <= {*both[0]}
    score = bleu_nb.corpus_bleu(HERON, [*zip(*HUMAN, strict=True)])
    assert alone[0] == {"interval": alone[0]["interval"], **json.loads(score.to_json())}


def test_references_between_tabs_may_vary(here: Path) -> None:
    asked = "score", "heron", "missing", "--num-refs=var", "--decimals=12"
    pairs = [HUMAN[0][:1], *zip(*(side[1:] for side in HUMAN), strict=True)]
    expected = f"{format_score(bleu_nb.corpus_bleu(HERON, pairs), 12)}\n"
    told = "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0|order:4"
    for more in ((), ("--signature", told)):
        assert bleu(*asked, *more, cwd=here) == (0, expected, "")


@pytest.mark.parametrize("more", ["", "--confidence"])
def test_the_columns_of_scores_do_not_depend_on_their_numbers(here: Path, more: str) -> None:
    told = [bleu("score", *files.split(), *more.split(), "--format=tsv", cwd=here).out.splitlines()
            for files in ("heron reference_1 --systems kestrel", "zero reference_1",
                          "heron reference_1 --systems zero")]
    assert len({lines[0] for lines in told}) == 1
    assert ("\tinterval_warning" in told[0][0]) == bool(more)
    assert len({line.count("\t") for lines in told for line in lines}) == 1


@pytest.mark.parametrize("columns", [40, 60, 100, 200])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_fits_its_terminal_and_ends_with_three_examples(command: str, columns: int) -> None:
    asked = [command] * bool(command)
    usual, whole = (bleu(*asked, option, more={"COLUMNS": str(columns)})
                    for option in ("--help", "--help-all"))
    text, _, examples = usual.out.partition("\nexamples:\n")
    assert (usual.status, usual.err) == (0, "")
    assert text.startswith(" ".join(("usage: bleu-nb", *asked)))
    for part in (text, whole.out.partition("\nexamples:\n")[0]):
        assert all(len(line) <= min(columns, 100) for line in part.splitlines())
    assert max(map(len, text.splitlines())) > min(columns, 100) - 20
    # Choices of a dialect are in the whole help only
    assert ("--help-all" in usual.out) == ("--tokenize" in usual.out) == (
        whole.out.count("--arithmetic") == 1)
    assert "--arithmetic" not in usual.out and len(examples.splitlines()) == 3
    for line in examples.splitlines():
        name, own, *arguments = shlex.split(line.partition("|")[0].partition(">")[0])
        assert (name, own) == ("bleu-nb", command or own) and len(line) <= 60
        assert command_parser().parse_args([own, *arguments]).run


# --- The dialects of other tools -----------------------------------------------------------------


def test_dialects_fit_a_narrow_terminal() -> None:
    listed, choices, row = (bleu("dialects", *more, more={"COLUMNS": "60"}).out.split("\n")
                            for more in ((), ("--choices",), ("coco",)))
    assert [line.split()[0] for line in listed if line[:1].strip()] == [*bleu_nb.DIALECTS]
    assert max(map(len, [*listed, *choices, *row])) <= 60


def test_dialects_in_json_are_those_of_the_library() -> None:
    for more, expected in (((), list_dialects()), (("coco",), asdict(bleu_nb.DIALECTS["coco"]))):
        assert in_json("dialects", *more) == json.loads(json.dumps(expected))
    choices = in_json("dialects", "--choices")
    assert choices["tokenizer"] == list(bleu_nb.dialects.TOKENIZERS)
    assert choices["smoothing"] == list(bleu_nb.dialects.SMOOTHINGS)


CHOSEN = {
    "reading": "universal", "tokenizer": "none", "lowercase": True, "casing": "ascii",
    "strip": False, "max_order": 3, "reference_length": "shortest", "least_total": 1,
    "end_token": True, "counting": "clipped", "weights": (0.5, 0.3, 0.2), "reweigh": True,
    "smoothing": "floor", "smoothing_value": 0.2, "unmatched": "smoothed",
    "effective_order": "never", "penalty": "strict ratio", "arithmetic": "extended logarithms",
    "average": "segments", "scale": 1, "digits": 3}
TYPED = [
    "--reading=universal", "--tokenize=none", "--lowercase", "--casing=ascii", "--no-strip",
    "--max-order=3", "--reference-length=shortest", "--least-total=1", "--end-token",
    "--counting=clipped", "--weights=0.5,0.3,0.2", "--reweigh", "--smoothing=floor",
    "--smoothing-value=0.2", "--unmatched=smoothed", "--effective-order=never",
    "--penalty=strict-ratio", "--arithmetic=extended logarithms", "--average=segments", "--scale=1",
    "--digits=3"]


@pytest.mark.parametrize(("choices", "options"), [(CHOSEN, TYPED), *(
    ({"dialect": name}, ["--dialect", name])
    for name in ("sacrebleu", "nltk", "codexglue", "mteval-v13a", "fairseq", "google-bleu"))])
@pytest.mark.parametrize("sentence", [False, True])
def test_files_score_as_the_library(
    choices: dict[str, Any], options: list[str], sentence: bool
) -> None:
    assert [*CHOSEN] == [*CHOICES] and [each.split("=")[0] for each in TYPED] == [
        "--no-strip" if choice == "strip" else option_name(choice) for choice in CHOICES]
    counts = bleu_nb.Bleu(**choices).count(HERON, list(zip(*HUMAN, strict=True)))
    scores = counts.sentences() if sentence else [counts.score()]
    expected = [format_score(score) for score in scores]
    done = bleu("score", *EXAMPLE, *options, *["--sentence"] * sentence)
    assert (done.status, done.err, done.out) == (0, "", "".join(f"{e}\n" for e in expected))


def test_a_citation_is_that_of_the_file() -> None:
    told = re.sub(r"[{}\\]|\s+(?=\s)", "", bleu("--cite").out.replace("\n", " "))
    found = re.findall(r'^ *(?:- )?(?:title|version|license|name|year|doi|url|collection-title|'
                       r'start|end|family-names|given-names): "?([^"\n]+)"?$',
                       (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) > 15 and all(each in told for each in found)


@pytest.mark.parametrize(("line", "status", "told"), [
    (f"score {' '.join(EXAMPLE)} --fail-under 45", 0, ""),
    *((f"score {' '.join(EXAMPLE)} --fail-under {each}", 2, "must be a finite number, not")
      for each in ("nan", "inf", "x")),
    (f"score {' '.join(EXAMPLE)} --fail-under 46", 4, "scores 45.4"),
    (f"score {' '.join(EXAMPLE)} --fail-under 0.5 --dialect nltk", 4, "below --fail-under 0.5"),
    (f"score {' '.join(EXAMPLE)} --fail-under 45 --format json", 0, ""),
    # A number on the other scale
    (f"score {' '.join(EXAMPLE)} --fail-under 0.4", 0, "seems to be on another scale, but these "
     "scores range from 0 to"),
    (f"score {' '.join(EXAMPLE)} --fail-under 40 --dialect nltk", 4, "pass it on this scale (40, "
     "perhaps for 0.4)"),
    (f"score {' '.join(EXAMPLE)} --fail-under 0.1 --dialect nltk", 0, ""),
    (f"score {' '.join(EXAMPLE)} --fail-under 50 --format json --systems {KESTREL}", 4,
     "heron.txt' scores"),
    (f"score {' '.join(EXAMPLE)} --fail-under much", 2, "must be a finite number"),
    (f"score {' '.join(EXAMPLE)} --fail-under 4 --sentence", 2, "one score per file"),
    (f"compare {KESTREL} {EXAMPLE[0]} --ref {' '.join(EXAMPLE[1:])} --fail-worse", 4,
     "heron.txt' is worse than the baseline, by 21.8"),
    (f"compare {KESTREL} {EXAMPLE[0]} --ref {' '.join(EXAMPLE[1:])}", 0, ""),
    (f"compare {EXAMPLE[0]} {KESTREL} --ref {' '.join(EXAMPLE[1:])} --fail-worse", 0, ""),
    (f"compare {KESTREL} {EXAMPLE[0]} {EXAMPLE[1]} --ref {EXAMPLE[2]} --fail-worse "
     "--test sacrebleu-bs --trials 20 --seed 3", 0, ""),
    (f"compare {KESTREL} {EXAMPLE[0]} --ref {EXAMPLE[1]} --fail-worse --pairs", 2,
     "leave out --pairs"),
])
def test_a_build_can_ask_for_a_score(line: str, status: int, told: str) -> None:
    done = bleu(*line.split())
    assert done.status == status, done.err
    assert told in done.err and (told or not re.search("worse than|scores go", done.err))
    assert bool(done.out) == (status != 2)
    if status == 4:
        plain = re.sub(r" --fail-(worse|under \S+)", "", line)
        assert bleu(*plain.split()).out == done.out


# --- Two numbers ----------------------------------------------------------------------------------


def test_explain_prints_and_draws_whatever_a_file_holds(here: Path) -> None:
    done = bleu("explain", "--from", "nltk", "hostile", "hostile", "--svg", "b.svg", cwd=here)
    assert done.status == 0 and done.out.replace("\n", "").isprintable()
    assert ElementTree.parse(here / "b.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"


ASKED = "--from nltk heron reference_1", "--reported 40.49 heron reference_1 reference_2"


@pytest.mark.parametrize("line", [f"explain {ASKED[0]}", f"identify {ASKED[1]} --all"])
@pytest.mark.parametrize("columns", [40, 60, 99, 300])
def test_a_result_uses_the_width_of_its_terminal(here: Path, line: str, columns: int) -> None:
    lines = bleu(*line.split(), cwd=here, more={"COLUMNS": str(columns)}).out.splitlines()
    if lines[-1].startswith("bleu-nb explain"):     # To be typed, and so not wrapped
        lines.pop()
    assert min(columns, 100) - 20 < max(map(len, lines)) <= min(columns, 100)


@pytest.mark.parametrize("line", [
    f"explain {ASKED[0]}", f"explain {ASKED[0]} --format json", f"identify {ASKED[1]}",
    f"identify {ASKED[1]} --format tsv"])
def test_an_output_file_holds_what_would_be_printed(
    here: Path, line: str, tmp_path: Path
) -> None:
    printed = bleu(*line.split(), cwd=here)
    assert printed.status == 0
    for name in ("-o", "--output"):
        assert bleu(*line.split(), name, tmp_path / "out", cwd=here) == (0, "", "")
        assert (tmp_path / "out").read_text("utf-8") == printed.out
    assert bleu(*line.split(), "-o", "-", cwd=here) == printed


def test_an_output_file_with_the_suffix_of_a_chart_is_the_chart(
    here: Path, tmp_path: Path
) -> None:
    line = f"explain {ASKED[0]}"
    bleu(*line.split(), "--svg", tmp_path / "one.svg", cwd=here)
    assert bleu(*line.split(), "-o", tmp_path / "two.svg", cwd=here) == (0, "", "")
    one, two = (tmp_path / name for name in ("one.svg", "two.svg"))
    assert one.read_bytes() == two.read_bytes()
    assert_refused(bleu(*line.split(), "-o", "a.svg", "--format=json", cwd=here),
                   "leave out --format, or pass the chart to --svg")


def test_an_answer_without_a_chart_is_printed(here: Path, tmp_path: Path) -> None:
    line = ("identify", "--reported", "99.9", "heron", "reference_1")
    printed = bleu(*line, cwd=here)
    for name in ("-o", "--svg"):
        done = bleu(*line, name, tmp_path / "why.svg", cwd=here)
        assert (done.status, done.out) == (NOTHING, printed.out)
        assert "no chart is saved" in done.err and not [*tmp_path.iterdir()]


# --- Files that are written -----------------------------------------------------------------------


DRAW = ("explain", "--from", "nltk", "one", "one", "--svg", "why.svg")
INSTALLED = "#!/bin/sh\nexec python -m bleu_nb sacrebleu\n"


@needs_posix
@pytest.mark.parametrize(("line", "old"), [
    (DRAW, {"why.svg": "an older figure"}), (DRAW, {}), (("example", "--copy", "."), {}),
    (("sacrebleu", "--install", "."), {"sacrebleu": INSTALLED}),
])
def test_a_full_disk_leaves_the_files_of_before(
    line: tuple[str, ...], old: dict[str, str], tmp_path: Path
) -> None:
    limit = ("import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
             f"resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)); {RUN}")
    for name, text in {**old, "one": ONE}.items():
        write(tmp_path / name, text)
    done = bleu(*line, cwd=tmp_path, code=limit)
    assert_refused(done, "cannot write '", "': File too large")
    (tmp_path / "one").unlink()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == old


WAITS = f"""
import os, signal, time

def wait(number):
    os.write(1, b"go")
    time.sleep(60)

os.fsync = wait
{RUN}
"""


@needs_posix
@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_removes_what_is_half_written(end: str, tmp_path: Path) -> None:
    for name, text in {"one": ONE, "why.svg": "an older figure"}.items():
        write(tmp_path / name, text)
    number = getattr(signal, end)
    process = start(*DRAW, code=WAITS, cwd=tmp_path,
                    preexec_fn=partial(signal.signal, number, signal.SIG_DFL))
    assert process.stdout and process.stdout.read(2) == b"go"
    assert len([*tmp_path.glob(".why.svg.bleu_nb-*.tmp")]) == 1
    process.send_signal(number)
    assert process.communicate(timeout=60) == (b"", b"") and process.returncode == 128 + number
    assert {path.name for path in tmp_path.iterdir()} == {"one", "why.svg"}
    assert (tmp_path / "why.svg").read_text() == "an older figure"


@needs_posix
@pytest.mark.parametrize("action", [signal.SIG_DFL, signal.SIG_IGN, print])
def test_what_a_program_does_at_a_signal_stays(
    action: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A handler of its own is kept; and a default while nothing is written."""
    ends, during = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP), []
    monkeypatch.setattr(os, "fsync", lambda _: during.append([*map(signal.getsignal, ends)]))
    before = [signal.signal(each, action) for each in ends]
    try:
        assert main(["example", "--copy", str(tmp_path)]) == 0
        after = [*map(signal.getsignal, ends)]
    finally:
        for each, old in zip(ends, before, strict=True):
            signal.signal(each, old)
    assert after == [action] * 3 and len(during) == 6
    assert all((found == after) == (action != signal.SIG_DFL) for found in during)


@needs_posix
def test_a_thread_may_write(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, ["example", "--copy", str(tmp_path)]).result() == 0
    assert len([*tmp_path.iterdir()]) == 6


# --- Where a number comes from --------------------------------------------------------------------


@pytest.mark.parametrize("more", [
    "--ref reference_1 reference_2", "--num-refs 2 --keep-bom --source reference_2 --ref tabbed"])
def test_what_identify_prints_can_be_typed(here: Path, more: str) -> None:
    odd = "-it's heron"
    write(here / odd, (here / "heron").read_bytes())
    line = bleu("score", "heron", "reference_1", cwd=here).out.strip()

    def identify(*options: str) -> str:
        done = bleu("identify", "--reported", line, *options, *more.split(), "--", odd, cwd=here)
        assert (done.status, done.err) == (0, "")
        return done.out

    told = identify("--svg", "why.svg")
    assert told.startswith("40.49 is surely sacrebleu on reference 1 alone.\nYour files give 45")
    ElementTree.parse(here / "why.svg")
    again = bleu(*shlex.split(told.splitlines()[-1])[1:], cwd=here)
    assert (again.status, again.err) == (0, "") and "alone 40.49:" in again.out.replace("\n", " ")
    matches = json.loads(identify("--format", "json"))["matches"]
    rows = [row.split("\t") for row in identify("--format", "tsv", "--all").splitlines()]
    assert [row[3] for row in rows if row[0] == "match"] == [
        name for each in matches for name in (each["setting"], *each["same"])]


def test_a_number_of_lines_read_otherwise_says_so(here: Path) -> None:
    split, others = ((here / name).read_text("utf-8").splitlines() for name in ("apart", "apart2"))
    value = bleu_nb.corpus_bleu(split, [[each] for each in others], lowercase=True).value
    done = bleu("identify", "--reported", f"{value:.5f}", "apart", "apart2", cwd=here)
    told = " ".join(done.out.split())
    assert f"{value:.5f} is" in told and "sacrebleu, reading unicode, lowercase yes" in told
    assert "Read as unicode, these files have other lines, which give " in told
    again = bleu(*shlex.split(done.out.splitlines()[-1])[1:], cwd=here)
    assert again.status == 0 and again.out.startswith("sacrebleu 1.35 → ")


def test_settings_are_said_in_several_ways(here: Path) -> None:
    files = "heron", "reference_1", "reference_2"
    scored = bleu("score", *files, "--dialect", "nltk", "--tokenize=13a", cwd=here)
    short, told = (bleu("score", *files, "--dialect", "nltk", "--tokenize=13a", more, cwd=here)
                   for more in ("--short", "--format=json"))
    forms = ["nltk, tokenizer 13a", json.loads(told.out)["signature"], *(
        each.out for each in (scored, short, told))]
    for form in forms:
        for name in ("--dialect", "--signature"):
            assert bleu("score", *files, name, form, cwd=here) == scored
    first, *others = (bleu("explain", *files, "--from", f, "--to", f, cwd=here) for f in forms)
    assert first.out.split()[-2:] == ["0.00", "points"] and others == [first] * 4


# --- Wrong input -------------------------------------------------------------------------------


# Words in one string, or apart where they are odd; then what the complaint says of them.
REFUSED: list[tuple[Any, ...]] = [
    ("score one two one", "'one' has 1, ", "'two' has 2, "),
    ("score two -", "'two' has 2, standard input has 1"),
    ("score one longest", "'one' has 1, 'longest' has 24000"),
    ("score marked two --keep-bom", "files differ in their number of lines"),
    ("score one none", "'none': No such file or directory"),
    ("score . one", "'.'", "directory"), ("score one one/x", "one/x'", "Not a directory"),
    (f"score {'x' * 300} one", "File name too long"),
    ("score empty empty", "'empty' is empty"), ("score one /dev/null", "null' is empty"),
    ("score - -", "standard input can be read only once"),
    ("score - /dev/stdin", "standard input can be read only once"),
    ("score pipe pipe", "'pipe' can be read only once, but is named 2 times"),
    ("explain --from nltk pipe pipe", "can be read only once"),
    ("score wide one", "'wide' is UTF-16: save the file as UTF-8"),
    *((f"{command} unmarked", "'unmarked' is UTF-16LE", "iconv -f UTF-16LE -t") for command in (
        "score unmarked", "score one", "compare one one2 --ref", "pairwise", "self-bleu",
        "explain --from nltk one", "identify --reported 4 unmarked", "mbr --samples-per-source 1",
        "identify --reported 4 heron reference_1 --source")),
    ("score packed long", "'packed' is in gzip format"),
    ("score mt.latin-1 ref.latin-1", "'mt.latin-1' is not UTF-8: byte 19 of line 1",
     "as --encoding"),
    *((f"score one bad{number}", f"'bad{number}' is not UTF-8", place)
      for number, place in enumerate((
        "byte 2 of line 2 is 0xff", "byte 1 of line 1 is 0xff", "byte 1 of line 1 is 0xef",
        "byte 2 of line 3 is 0xc3", "byte 3 of line 1 is 0xed"), 1)),
    ("score cut.gz long", "cannot read 'cut.gz'"), ("score text.gz long", "cannot read 'text.gz'"),
    ("score out r1 -- -r3", "cannot read '-r3'"),
    ("score sea sea --smoothing nltk-6", "'sea'", "needs a trigram"),
    ("score --sentence sea sea --smoothing nltk-6", "'sea'", "needs a trigram"),
    ("score one one --confidence", "cannot score", "at least two"),
    ("explain --from nltk one one --svg no-folder/a.svg", "cannot write", "a.svg'"),
    ("explain --from nltk one one --svg -", "a file name, not '-'"),
    ("explain --from nltk one heron", "'one' has 1, "),
    ("explain --from nltk heron reference_1 --source one", "'one' has 1"),
    ("identify --reported 4 heron reference_1 --source one", "'one' has 1"),
    ("identify --reported 4 heron reference_1 --source none", "'none': No such file"),
    ("score heron missing --num-refs=2", "line 1 of 'missing' has 1 references separated by",
     "not 2: pass --num-refs var if"),
    ("score heron lacking --num-refs=var", "line 4 of 'lacking' has no reference", "at least one"),
    ("score heron reference_1 --tokenize shlex:pint", "'shlex:pint'", "pass the name of a token"),
    ("score heron reference_1 --tokenize string:digits", "'string:digits' is not a function"),
    ("score heron reference_1 --orders --weights 0.5,0.5 --max-order 2", "leave out weights"),
    ("score heron reference_1 --orders --confidence", "leave out --confidence"),
    ("score heron reference_1 --encoding no", "unknown text encoding 'no'", "such as latin-1"),
    ("score heron reference_1 --encoding utf-16", "iconv -f utf-16 -t UTF-8"),
    ("score heron reference_1 --documents ids --sentence", "leave out --sentence"),
    ("score heron reference_1 --documents ids --systems one", "leave out --documents"),
    ("score heron reference_1 --documents few", "'few' has 2", "has 12"),
    ("score heron reference_1 --documents labels", "line 2 of 'labels' is blank"),
    ("sacrebleu --install", "use bleu-nb sacrebleu --install DIR"),
    ("score longer late --num-refs=2", "line 11999 of 'late' has 1 references"),
    *((f"{command} heron{more}", words) for command in (
        "score", "identify --reported 4", "explain --from nltk")
      for more, words in ((" reference_1 --ref reference_2", "leave out one"),
                          ("", "REFERENCES"))),
    ("compare heron one --ref reference_1", "'one' has 1", "'heron' has 12"),
    ("compare one no --ref one", "at least two"),
    ("compare one none --ref one", "cannot read 'none'"),
    ("compare heron kestrel --ref reference_1 --smoothing=nltk-5", "last segment"),
    ("compare - - --ref one", "called '-'"),
    ("compare heron kestrel --ref reference_1 --documents few", "'few' has 2", "has 12"),
    ("compare heron kestrel --ref reference_1 --documents labels", "line 2 of 'labels' is blank"),
    ("compare heron kestrel --ref reference_1 --documents alone", "one document", "at least two"),
    ("score heron reference_1 --systems kestrel --sentence",
     "--systems gives one score per file: leave out"),
    ("score heron reference_1 --systems heron",
     "'heron' is given both as CANDIDATES and after --systems: leave out one"),
    ("score heron reference_1 --systems kestrel kestrel",
     "--systems names 'kestrel' more than once"),
    ("score heron reference_1 --systems empty", "is empty: write one segment per line"),
    ("example --copy no", "cannot write 'no/mt.txt'"),
    # What has another name here, or in another tool
    ("compare mt mt --ref ref -ci", "-ci: use --confidence 0.95"),
    ("score mt ref --n-bootstrap 9", "--n-bootstrap: use --confidence 0.95"),
    ("score mt ref --metric bleu", "--metric: leave it out for BLEU"),
    ("compare -i mt --ref ref", "name the translations first, without an option"),
    ("score mt ref --smoothing method1", "did you mean 'nltk-1'?"),
    ("score mt ref --smoothing nltk", "did you mean 'nltk-0'?"),
    ("score mt ref --tokenize ja", "did you mean 'ja-mecab'?"),
    ("score mt ref --weights 0.25 0.25", "typed --weights 0.5,0.5"),
    ("score mt ref --dialect lm_eval", "did you mean 'sacrebleu'?"),
    ("score mt ref --dialect opennmt", "did you mean 'sacrebleu', or 'multi-bleu'"),
    ("score mt ref -w4", "-w4: did you mean --decimals? See"),
    ("score mt ref --smooth_method floor", "did you mean --smoothing?"),
    ("score mt ref -m bleu chrf", "-m: leave it out for BLEU, or use bleu-nb sacrebleu for chrF"),
    ("compare mt ref --ref r -b", "-b: did you mean --score-only, an option of another command?"),
    ("compare mt ref --ref r -pbs", "bleu-nb compare OLD NEW --references REF --test sacrebleu-bs"),
    ("score mt ref --lowercse", "did you mean --lowercase?"),
    ("mt ref", "'mt' (choose from"), ("mt ref", "use bleu-nb score CANDIDATES REFERENCES"),
    ("dialects moses", "no dialect 'moses': did you mean 'multi-bleu'?"),
    ("score mt ref --dialect moses", "no dialect 'moses': did you mean 'multi-bleu'?"),
    ("score mt ref --dialect moses,lowercase", "no dialect 'moses': did you mean"),
    # Arguments
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
    (("score", "a", "b", "--smoothing=floor", "--smoothing-value=-1"), "of at least 0"),
    (("score", "a", "b", "--digits", "16"), "from 0 to 15"),
    (("score", "a", "b", "--signature", "BLEU = 27.3"), "not a signature"),
    (("score", "a", "b", "--dialect", "nltk on reference 1 alone"), "bleu-nb explain"),
    (("score", "a", "b", "--dialect", "nltk, tokeniser 13a"), "such as 'tokenizer 13a'"),
    (("score", "a", "b", "--dialect", '{"score": 3}'), "contains no BLEU signature"),
    (("explain", "a", "b", "--from", "nltk on a Monday"), "such as 'reference 1 alone'"),
    (("score", "a", "b", "--signature", "tok:13a|weights:5"), "such as weights:(0.5,0.5)"),
    (("score", "a", "b", "--signature", "tok:13a|order:x"), "such as order:4"),
    (("score", "a", "b", "--signature", f"tok:13a|weights:{'-' * 10**5}"), "such as weights:("),
    (("score", "a", "b", "--max-order", "100000000"), "at most 100, not 100000000"),
    (("score", "a", "b", "--bogus"), "arguments: --bogus; see bleu-nb score --help"),
    (("score", "--bogus"), "see bleu-nb score --help"),
    (("dialects", "--bogus"), "see bleu-nb dialects --help"),
    (("--bogus", "score", "a", "b"), "--bogus; to score files, use"),
    (("score", "a", "b", "--signature", "tok:13b"), "did you mean '13a'?"),
    (("dialects", "ntlk"), "did you mean 'nltk'?"),
    (("dialects", "nltk", "--choices"), "not allowed with"),
    (("explain", "a", "b"), "arguments are required: --from; see"),
    (("explain",), "arguments are required: CANDIDATES, REFERENCES, --from; see"),
    (("explain", "a"), "arguments are required: REFERENCES, --from; see"),
    (("identify",), "arguments are required: CANDIDATES, REFERENCES, --reported; see"),
    (("explain", "a", "b", "--from", "ntlk"), "did you mean 'nltk'?"),
    (("identify", "a", "b"), "arguments are required: --reported; see"),
    (("score", "--confidence", "a", "b"), "between 0 and 1, such as 0.95, not 'a'"),
    (("score", "a", "b", "--num-refs", "0"), "of at least 1, or var, not '0'"),
    (("score", "a", "b", "--score-only", "--short"), "nothing else: leave out --short"),
    (("score", "a", "b", "--score-only", "--format=tsv"), "else: leave out --format"),
    (("score", "a", "b", "--score-only", "--confidence"), "else: leave out --confidence"),
    (("score", "a", "b", "--confidence", "--sentence"), "--confidence gives one score per"),
    (("compare", "a", "b"), "a comparison needs --references FILE"),
    (("compare", "a"), "needs another system and --references FILE"),
    (("compare",), "needs a baseline, another system and --references FILE"),
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
       f"argument {option}: must be a whole number of at least 1{more}, not {text!r}")
      for option, text, more in (("--trials", "0", ""), ("--trials", "", ""),
                                 ("--threads", "", ""), ("--num-refs", "", ", or var"))),
    *((("compare", "a", "b", "--ref", "c", "--seed", text), 
       f"argument --seed: must be a whole number of at least 0, not {text!r}")
      for text in ("1.5", "none", "-1", "")),
    *((("compare", "a", "b", "--ref", "c", "--confidence", text),
       f"argument --confidence: must be between 0 and 1, such as 0.95, not {text!r}")
      for text in ("0", "1", "95", "nan", "much", "")),
    (("score", *EXAMPLE, "--confidence", "0.9999999999999999"), "confidence is too close to 1"),
    ((*COMPARE, "--confidence", "0.9999999999999999"), "confidence is too close to 1"),
    (("compare", "a", "b", "--ref", "c", "--correct", "bonferroni"), "'bonferroni'"),
    (("compare", "a", "b", "--ref", "c", "--format", "xml"), "'xml'"),
    (("compare", "a", "b", "--ref", "c", "--methods", "--format=json"), "leave out --format"),
    *((line, f"unrecognized arguments: {told} bleu-nb compare --help")
      for typed, told in ((("--nope", "b"), "--nope; see"),
                          (("--trial", "20", "b"), "--trial: did you mean --trials? See"),
                          (("--nope=1", "b", "-x"), "--nope=1 -x; see"))
      for line in (("compare", "a", *typed, "--ref", "c"),
                   ("compare", "a", "b", "--ref", "c", *typed))),
    (("compare", "a", "b", "--ref", "no\nfile"), r"'a': No such file"),
    (("compare", "a", "b", "--ref", "c", "--documents"), "--documents: expected one argument"),
    (("score", "a", "b", "--digits", "-1"), "error: digits must be a whole number from 0"),
    *((("score", "a", "b", option, "9" * 5000), "must be a whole number of at least 1")
      for option in ("--threads", "--num-refs")),
    (("compare", "a", "b", "--ref", "c", "--seed", "9" * 5000), "number of at least 0"),
    (("identify", "a", "b", "--reported", "27,3,1"), "'27,3,1'"),
    *((words, r"the file name 'a\x00b' contains a NUL") for words in (
        ("score", "a\0b", "one"), ("compare", "one", "a\0b", "--ref", "one"),
        ("explain", "--from", "nltk", "one", "one", "--svg", "a\0b"))),
]


@needs_posix
@pytest.mark.parametrize("row", REFUSED, ids=lambda row: str(row[0])[:60])
def test_what_is_wrong_takes_one_sentence(
    here: Path, row: tuple[Any, ...], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line, *words = row
    typed = line.split() if isinstance(line, str) else line
    if "\0" not in "".join(typed):
        assert_refused(bleu(*typed, cwd=here, stdin=b"a\n"), *words)
    else:       # Which no process can be given
        monkeypatch.chdir(here)
        assert_refused(Result(main(typed), *capsys.readouterr()), *words)


def test_closed_streams_are_named(one: str) -> None:
    for number, name in ((0, "input"), (1, "output"), (2, "")):
        process = start("score", "-", one, preexec_fn=partial(os.close, number))
        out, err = process.communicate(timeout=60)
        if name:
            done = Result(process.returncode, out.decode(), err.decode())
            assert_refused(done, f"standard {name} is closed")
        assert process.returncode == 2


@needs_posix
def test_odd_file_names(tmp_path: Path, one: str) -> None:
    for name in ("-", "--lowercase", "two words", "new\nline", "\x1b[2J", "a'b\"c", "海\u202e",
                 "\x1b]0;title\x07", "\x9b2J"):
        path = tmp_path / name
        write(path, ONE)
        assert bleu("score", path, one).out.startswith("BLEU|nrefs:1|")
        path.unlink()
        assert_refused(bleu("score", path, one), "No such file")
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    assert_refused(bleu("score", name, one), r"\udcff': No such file")


# --- Pipes, signals and terminals --------------------------------------------------------------


def test_a_reader_that_has_seen_enough_is_no_error(long_files: list[str]) -> None:
    for command, seen in ((("score", *long_files, "--sentence"), b"BLEU|"), (COMPARE, b"")):
        process = start(*command)
        assert process.stdout and process.stderr
        assert not seen or process.stdout.readline().startswith(seen)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


STARTS = "import bleu_nb.__main__ as m, os; os.write(1, b'go'); raise SystemExit(m.start())"
LISTENS = """
import os, signal
import bleu_nb.__main__

def listen(*arguments):
    signal.signal = plainly
    before = plainly(*arguments)
    os.write(1, b"go")
    return before

plainly, signal.signal = signal.signal, listen
raise SystemExit(bleu_nb.__main__.start())
"""


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_an_interrupt_at_any_moment_leaves_no_traceback(engine: str) -> None:
    """From where `start` listens; what comes before is the start of Python itself."""
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    chance, found = random.Random(engine), Counter()
    for _ in range(40):
        process = start("score", *EXAMPLE, "--engine", engine, code=LISTENS, preexec_fn=heeds)
        assert process.stdout and process.stdout.read(2) == b"go"
        time.sleep(chance.random() * 0.25)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert err == b""
        assert process.returncode == -signal.SIGINT or (process.returncode == 0 and out)
        found[process.returncode] += 1
    assert found[-signal.SIGINT] > 3


@needs_posix
def test_an_interrupt_that_is_to_be_ignored_is_ignored() -> None:
    ignores = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    process = start("example", code=STARTS, preexec_fn=ignores)
    assert process.stdout and process.stdout.read(2) == b"go"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"") and out


def on_terminal(*arguments: str, columns: int, interrupt: bool = False, code: str = RUN) -> Result:
    """Run `bleu-nb` on a pseudo-terminal, perhaps with Ctrl-C at the sight of the first bar."""
    # A job in the background of a shell ignores Ctrl-C, and so would what it starts.
    process = pytest.importorskip("pexpect").spawn(
        sys.executable, ["-c", code, *arguments], timeout=60, encoding="utf-8", env=ENVIRONMENT,
        dimensions=(24, columns), preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
    told = ""
    if interrupt:
        process.expect("%")
        told = process.before + process.after
        process.kill(signal.SIGINT)
    told += process.read()
    process.close()
    return Result(-(process.signalstatus or 0) or process.exitstatus, told, "")


def drawn_lines(told: str) -> list[str]:
    """Each stretch of text between two returns to the start of the line."""
    return [piece for piece in told.replace("\r\n", "\n").split("\r") if piece]


@needs_posix
@pytest.mark.parametrize("columns", [30, 60])
def test_bar_on_a_terminal_fits_and_is_erased(long_files: list[str], columns: int) -> None:
    screen = on_terminal("score", *long_files, columns=columns, code=AT_ONCE)
    *bars, blank, result = drawn_lines(screen.out)
    assert screen.status == 0
    assert bars
    assert all("%" in line and len(line) < columns for line in bars)
    assert blank == " " * len(bars[-1])
    assert bleu("score", *long_files, code=AT_ONCE) == (0, result, "")      # No bar in a pipe
    short = on_terminal("score", *EXAMPLE, columns=columns)
    assert short.out.replace("\r\n", "\n") == bleu("score", *EXAMPLE).out
    aside = f"import os, sys; os.dup2(os.open(os.devnull, os.O_WRONLY), 1); {AT_ONCE}"
    *others, blank = drawn_lines(
        on_terminal("score", *long_files, columns=columns, code=aside).out)
    assert {len(line) for line in others} == {columns - 1} and blank == " " * (columns - 1)


@needs_posix
def test_an_interrupt_ends_the_command_by_its_signal(long_files: list[str]) -> None:
    screen = on_terminal("score", *long_files, "--engine", "definition", columns=60,
                         interrupt=True, code=AT_ONCE)
    assert screen.status == -signal.SIGINT
    assert all("%" in line for line in drawn_lines(screen.out))


# Several systems ----------------------------------------------------------------------------------


# Scores in tables, with intervals, and alone ------------------------------------------------------


def test_a_score_does_not_wait_for_numpy_tables_or_sacrebleu() -> None:
    code = (
        "import sys; from bleu_nb.cli.command import main; main(sys.argv[1:]); "
        "raise SystemExit(bool({'numpy', 'sacrebleu', 'logging', 'bleu_nb.files.evaluation_sets', "
        "'bleu_nb.significance.compare', 'bleu_nb.display.tables'} & {*sys.modules}))"
    )
    for arguments in (("score", *EXAMPLE), ("score", "--help")):
        assert bleu(*arguments, code=code).status == 0


# Comparing files ----------------------------------------------------------------------------------

def test_options_reach_the_comparison() -> None:
    found = in_json(*COMPARE, "--test=sacrebleu-bs", "--trials=77", "--seed=0", "--confidence=0.9",
                     "--correct=none", "--tokenize=char", "--engine=bits", "--threads=1")
    assert [found[name] for name in ("test", "trials", "seed", "confidence", "correction")] == [
        "sacrebleu-bs", 77, 0, 0.9, "none"]
    assert "|tok:char|" in found["signature"]
    other = found["systems"][1]
    assert other["p_adjusted"] is None and other["mean"] and other["interval"]["confidence"] == 0.9
    assert in_json(*COMPARE, "--seed=1") != in_json(*COMPARE, "--seed=2")


def test_the_variable_of_sacrebleu_counts_for_its_tests_only() -> None:
    for test, seed, more in (("sacrebleu-ar", 7, ()), ("sacrebleu-bs", 7, ()), ("moses", 12345, ()),
                             ("sacrebleu-ar", 5, ("--seed=5",))):
        found = in_json(*COMPARE, f"--test={test}", "--trials=9", *more,
                        more={"SACREBLEU_SEED": "7"})
        assert found["seed"] == seed
    assert_refused(bleu(*COMPARE, "--test=sacrebleu-ar", more={"SACREBLEU_SEED": "x"}),
                   "SACREBLEU_SEED is 'x'")


def test_systems_are_named_and_may_have_several_runs() -> None:
    asked = ("--baseline", KESTREL, "--system", f"ours={EXAMPLE[1]}",
             "--system", f"two={KESTREL},{EXAMPLE[1]}")
    systems = in_json(*COMPARE, *asked)["systems"]
    assert [each["name"] for each in systems] == [KESTREL, EXAMPLE[0], "ours", "two"]
    assert systems[0]["difference"] is None
    runs = systems[3]["runs"]
    assert len(runs) == 2 and systems[3]["score"] == pytest.approx(sum(runs) / 2)
    assert "2 (sd " in bleu(*COMPARE, *asked).out


@needs_posix
@pytest.mark.parametrize("columns", [40, 80])
def test_a_comparison_fits_its_terminal_after_a_bar_of_trials(columns: int) -> None:
    shown = on_terminal(*COMPARE, "--trials=200000", columns=columns, code=AT_ONCE)
    *_, bar, blank, result = drawn_lines(shown.out)
    assert shown.status == 0 and re.fullmatch(r"#+\.* +\d+% of \d+ trials", bar), bar
    assert not blank.strip() and "won/tied/lost" in result
    assert max(len(line) for line in result.split("\n\n")[0].splitlines()
               if "example" not in line) <= columns


@pytest.mark.parametrize("name", [*bleu_nb.DIALECTS])
def test_every_dialect_has_intervals_and_tests_or_says_why(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (("score", *EXAMPLE, "--confidence"), (*COMPARE, "--trials=99"),
                    (*COMPARE, "--trials=99", "--test=sacrebleu-bs", "--pairs")):
        status = main([*command, "--dialect", name])
        told = capsys.readouterr()
        assert (status == 0 and " ± " in told.out) or "last segment" in told.err


def forgiving(stats: Any, last: Any, value: float) -> Any:
    pairs = zip(stats.matches, stats.totals, strict=True)
    return [(m or value * (n >= 3), t) for n, (m, t) in enumerate(pairs, 1)]


PATIENT = Dialect("patient", "1", tokenizer=str.split, smoothing=Smoothing(forgiving, 0.5, ""),
                  label="BLEU of patience")


ROWS = [
    ("score one two --dialect=patient",
     rf" = {100 * (3 / 4 * 1 / 3 * 0.5 / 2 * 0.5) ** 0.25:.2f} "),
    ("score one two --dialect=patient --smoothing-value=0",
     r"\ABLEU of patience\|nrefs:1\|.*\[0\.00\]\|.* = 0\.00 "),
    ("compare x y --ref x --dialect=patient --trials=99", "BLEU of patience"),
    ("explain --from=patient one two", r"\Apatient 42\.04 → sacrebleu 35\.36: −6\.69 points\n"),
    ("identify --reported=42.0448 one two", r"\A42\.0448 is \w+ patient\.\n"),
    ("dialects", r"\npatient 1\n"), ("dialects patient", r"--tokenize=callable\(str\.split\)"),
    ("dialects patient --format=json", r'"tokenizer": "callable\(str\.split\)"'),
    ("compare few_x few_y --ref x --dialect=patient",
     "wins, ties and losses are not counted"),
    ("score one two --dialect=patient --smoothing-value=-1", "error: .*must be a number"),
]


@pytest.mark.parametrize(("line", "told"), ROWS)
def test_the_command_knows_rows_that_it_is_passed(
    line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in {
        "one": "a b c d\n", "two": "a b d\n", "x": "a b c d e\na b c d e\n",
        "y": "a b c e d\na b c e d\n", "few_x": "x b d\nx b c d e\n", "few_y": "y b d\ny b c d e\n",
    }.items():
        write(tmp_path / name, text)
    monkeypatch.chdir(tmp_path)
    status = main(line.split(), dialects=[PATIENT])
    out, err = capsys.readouterr()
    assert re.search(told, out + err)
    assert (status, out) == (2, "") if "error: " in told else status == 0


def test_a_row_has_a_name_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="the dialect name 'nltk' is taken"):
        main(["dialects"], dialects=[replace(PATIENT, name="nltk")])
    assert main(["dialects", "patient"]) == 2
    assert "no dialect 'patient'" in capsys.readouterr().err


def test_identify_names_both_files_if_their_lines_differ_too_much(tmp_path: Path) -> None:
    for name, number in (("mt.txt", 30), ("ref.txt", 12)):
        write(tmp_path / name, b"a b c d e\n" * number)
    done = bleu("identify", "--reported", "4", "mt.txt", "ref.txt", cwd=tmp_path)
    assert done.status == 2 and "'mt.txt' has 30, 'ref.txt' has 12" in done.err, done
