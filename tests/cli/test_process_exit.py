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
    score, *more = done.stdout.splitlines()
    assert (done.returncode, more, done.stderr) == (0, printed, "") and float(score) > 0


@pytest.mark.parametrize("arguments", [["score", "nowhere", "nowhere"], ["no-command"]])
@pytest.mark.parametrize("program", [["-c", SCRIPT], ["-m", "bleu_nb"]])
def test_a_complaint_is_said_and_its_status_kept(
    program: list[str], arguments: list[str]
) -> None:
    done = python(*program, *arguments)
    assert done.returncode == 2 and "error" in done.stderr


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("full", "status"), [(True, 2), (False, 141)])
def test_a_full_disk_and_a_closed_pipe_are_told(full: bool, status: int) -> None:
    if full:
        writing = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, writing = os.pipe()
        os.close(reading)
    done = subprocess.run([sys.executable, "-c", SCRIPT, *SCORE], stdout=writing,
                          stderr=subprocess.PIPE, env=ENVIRONMENT)  # fmt: skip
    os.close(writing)
    told = b"bleu-nb: error: cannot write the output: No space left on device\n"
    assert (done.returncode, done.stderr) == (status, told * full)
