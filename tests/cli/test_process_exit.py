"""What is left to do when a command is done is done, and its status is kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bleu_nb
from bleu_nb.files.reading import example_path

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(bleu_nb.__file__).resolve().parent.parent)}
FILES = [str(example_path(f"{name}.txt")) for name in ("heron", "reference_1")]
SCRIPT = "import sys\nfrom bleu_nb.__main__ import start\nsys.exit(start())"
SCORE = ["score", *FILES, "--score-only"]
LEFT = """
import atexit, threading, time

def work():
    time.sleep(1)
    print("worked")

atexit.register(print, "registered")
threading.Thread(target=work).start()
"""


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    settings = {"capture_output": True, "text": True, "env": ENVIRONMENT, **options}
    return subprocess.run([sys.executable, *arguments], **settings)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(("program", "printed"), [
    (["-c", SCRIPT], []), (["-m", "bleu_nb"], []),
    (["-c", LEFT + SCRIPT], ["worked", "registered"]),
    (["-c", "from bleu_nb.__main__ import start\nprint('status', start())"], ["status 0"]),
])
def test_a_process_ends(program: list[str], printed: list[str]) -> None:
    done = python(*program, *SCORE)
    told = done.stdout.splitlines()
    [score] = {*told} - {*printed}      # Which a slow machine prints after "worked"
    told.remove(score)
    assert (done.returncode, told, done.stderr) == (0, printed, "") and float(score) > 0


NO_ROOM = "bleu-nb: error: cannot write the output: No space left on device\n"


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("line", "stream", "status", "said"), [
    *((line, "stdout", 2, ("", NO_ROOM)) for line in (SCORE, ["--version"], ["score", "--help"])),
    # No room for a complaint, or a note, leaves the status
    (["score", "none", "none"], "stderr", 2, ("", "")), (["scores"], "stderr", 2, ("", "")),
    ([*SCORE, "--signature", "nrefs:2|tok:13a|version:2.6.0"], "stderr", 0, ("40.49\n", "")),
])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told(
    line: list[str], stream: str, status: int, said: tuple[str, str], unbuffered: str
) -> None:
    with open("/dev/full", "wb") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        done = python("-c", SCRIPT, *line, capture_output=False, **streams,
                      env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered})
    assert (done.returncode, (done.stdout or "", done.stderr or "")) == (status, said)
