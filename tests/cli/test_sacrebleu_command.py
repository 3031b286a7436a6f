"""`bleu-nb sacrebleu` against sacreBLEU's own command, line by line."""

import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cached_sets import environment, lay
from data import oracle
from sacrebleu_lines import CRASHED, LINES

import bleu_nb

HELPERS = Path(__file__).resolve().parents[1] / "helpers"
RANDOM = 60     # Command lines besides those of `LINES`
OURS = sys.executable, "-m", "bleu_nb"
def unmarked(text: str) -> str:
    """A text without our mark in signatures, which also moves what is set to the right of them."""
    version = re.escape(bleu_nb.__version__)
    text = re.sub(rf',\n "bleu_nb": "{version}"', "", text)
    return re.sub(r"^ +(?=\w+\+*\|)", "", re.sub(rf"\|bleu_nb:{version}", "", text), flags=re.M)


def said(text: str, crashed: bool) -> list[str]:
    """Messages to the user: no traceback, and no sentence in the place of one."""
    lines = text.splitlines()
    if crashed:
        lines = [line for line in lines if not line.startswith("bleu-nb: error: ")]
    return sorted(lines)  # Several processes speak at once


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What both commands answer to the same lines."""
    oracle("sacrebleu")
    if not hasattr(os, "fork"):
        pytest.skip("both commands run in forks of one process")
    folder = tmp_path_factory.mktemp("lines")
    lay(folder / "cache")
    hidden = {"SACREBLEU_SEED", "SACREBLEU_FORMAT", "NO_COLOR"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, str(HELPERS / "sacrebleu_lines.py"), str(RANDOM)], cwd=folder,
        env={**kept, **environment(folder / "cache"), "PYTHONPATH": str(HELPERS)},
        capture_output=True, encoding="utf-8", timeout=900, check=False)
    assert not done.returncode, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_every_form_of_every_flag_is_typed() -> None:
    oracle("sacrebleu")
    told = subprocess.run([sys.executable, "-m", "sacrebleu", "--help"], capture_output=True,
                          encoding="utf-8", check=True).stdout
    forms = {form for line in told.splitlines() if line.startswith("  -")
             for form in re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", line)}
    assert forms - {"-h", "--help"} <= {word for line, _ in LINES for word in line.split()}


def test_both_commands_answer_the_same(answers: list[dict[str, Any]]) -> None:
    different, statuses = [], Counter[str]()
    for each in answers:
        (status, out, err), (our_status, our_out, our_err) = each["theirs"], each["ours"]
        crashed = status == CRASHED
        statuses["1" if crashed else str(status)] += 1
        theirs = 1 if crashed else status, unmarked(out), said(err, crashed)
        if theirs != (our_status, unmarked(our_out), said(our_err, crashed)):
            different.append((each["line"], each["theirs"], each["ours"]))
    assert different == []
    assert statuses["0"] > 90 and statuses["1"] > 15 and statuses["2"] > 10


def test_every_signature_that_is_printed_ends_in_our_mark(answers: list[dict[str, Any]]) -> None:
    signatures = [found for each in answers for found in re.findall(
        r"(?<!chrF2)(?:nrefs|#):\S+\|(?:tok:(?!tercom))\S+\|(?:version|v):2\.6\.0\S*",
        each["ours"][1])]
    assert len(signatures) > 100
    mark = f"|bleu_nb:{bleu_nb.__version__}"
    assert [each for each in signatures if not each.rstrip('",').endswith(mark)] == []


WITHOUT = """
import sys
sys.modules["sacrebleu"] = None
from bleu_nb.cli.command import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("words", [
    "sacrebleu ref.txt -i mt.txt", "sacrebleu --install bin", "score out.txt -t wmt17 -l en-de"])
def test_without_sacrebleu_the_extra_is_named(words: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, *words.split()], cwd=tmp_path,
                          capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, [*tmp_path.iterdir()]) == (2, "", [])
    assert "install bleu_nb with its extra 'sacrebleu'" in done.stderr


def test_the_command_is_listed_and_has_a_help_of_its_own() -> None:
    python = [sys.executable, "-m", "bleu_nb"]
    listed = subprocess.run([*python, "--help"], capture_output=True, encoding="utf-8", check=True)
    assert re.search(r"^ +sacrebleu\s+run the command line of", listed.stdout, re.MULTILINE)
    own = subprocess.run([*python, "sacrebleu", "--help"], capture_output=True, encoding="utf-8",
                         check=True)
    assert own.stdout.startswith("usage: sacrebleu ") and "--paired-bs-n" in own.stdout


@pytest.mark.parametrize(("words", "status", "told", "printed"), [
    ("ref -i mt odd", 1, "bleu-nb: error: 'odd' is not UTF-8.*-e latin-1", ""),
    ("odd -i mt", 1, "bleu-nb: error: 'odd' is not UTF-8.*-e latin-1", ""),
    ("ref odd -i mt", 1, "bleu-nb: error: 'odd' is not UTF-8.*-e latin-1", ""),
    ("ref", 1, "bleu-nb: error: standard input is not UTF-8.*-e latin-1", ""),
    ("ref -i mt odd.gz", 1, "bleu-nb: error: 'odd.gz' is not UTF-8.*-e latin-1", ""),
    ("wide -i wide -b", 1, r".*such as -e UTF-16\n\Z", ""),
    ("wide -i wide -b -e UTF-16", 0, "", "100.0\n"),
])
def test_a_file_in_another_encoding_is_named(
    words: str, status: int, told: str, printed: str, tmp_path: Path
) -> None:
    odd = "the café\n".encode("latin-1")
    for name, data in {"ref": b"the sea\n", "mt": b"the sea\n", "odd": odd,
                       "odd.gz": gzip.compress(odd),
                       "wide": "the sea is far away\n".encode("utf-16")}.items():
        (tmp_path / name).write_bytes(data)
    done = subprocess.run([*OURS, "sacrebleu", *words.split()], input=odd,
                          capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout.decode()) == (status, printed)
    assert re.match(told, done.stderr.decode(), re.DOTALL)


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_programs_that_know_no_alias_run_ours(tmp_path: Path) -> None:
    """make and xargs, as any other program."""
    for name in ("mt.txt", "ref.txt"):
        (tmp_path / name).write_text("the boat came late\n", "utf-8")
    oracle("sacrebleu")
    told = subprocess.run([*OURS, "sacrebleu", "--install", "my bin"], cwd=tmp_path,
                          capture_output=True, text=True, check=True).stdout
    (tmp_path / "Makefile").write_text("all:\n\t@sacrebleu ref.txt -i mt.txt\n", "utf-8")
    exported = told.splitlines()[-1]
    for command in ("make", "echo mt.txt | xargs sacrebleu ref.txt -i"):
        done = subprocess.run(["sh", "-c", f"{exported}\n{command}"], cwd=tmp_path,
                              capture_output=True, text=True, check=False)
        assert json.loads(done.stdout)["bleu_nb"] == bleu_nb.__version__, (command, done)
