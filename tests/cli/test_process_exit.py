"""A command that is done ends at once, unless somebody waits behind it."""

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

# Python's own end calls this late, and `os._exit` does not.
WITNESS = """
import sys

class Witness:
    def __del__(self, write=sys.__stderr__.write):
        write("tidied up\\n")

sys.witness = Witness()
"""
SCRIPT = WITNESS + "from bleu_nb.__main__ import start\nsys.exit(start())"
SCORE = ["score", *FILES, "--score-only"]


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    settings = {"capture_output": True, "text": True, "env": ENVIRONMENT, **options}
    return subprocess.run([sys.executable, *arguments], **settings)  # type: ignore[call-overload,no-any-return]


MAIN = WITNESS + "from bleu_nb.__main__ import main\nprint('status', main())"
CALLED = f"""{WITNESS}
from bleu_nb.__main__ import start

def called():
    print("status", start())

called()
"""
IN_PROCESS = f"{WITNESS}import runpy\nrunpy.run_module('bleu_nb', run_name='__main__')"
LEFT = """
import atexit, weakref

class Anything: pass

anything = Anything()
atexit.register(print, "registered")
weakref.finalize(anything, print, "finalized")
"""
WORKING = """
import threading, time

def work():
    time.sleep(1)
    print("worked")

threading.Thread(target=work).start()
"""
ENDS = {
    "a script": (["-c", SCRIPT], [], ""), "a module": (["-m", "bleu_nb"], [], ""),
    "a call of main returns": (["-c", MAIN], ["status 0"], "tidied up\n"),
    "whoever called goes on": (["-c", CALLED], ["status 0"], "tidied up\n"),
    "whoever ran the module goes on": (["-c", IN_PROCESS], [], "tidied up\n"),
    "what was registered is done": (["-c", LEFT + SCRIPT], ["finalized", "registered"], ""),
    "a thread that works is waited for": (["-c", WORKING + SCRIPT], ["worked"], "tidied up\n"),
}


@pytest.mark.parametrize(("program", "printed", "told"), ENDS.values(), ids=ENDS)
def test_a_process_ends(program: list[str], printed: list[str], told: str) -> None:
    done = python(*program, *SCORE)
    score, *more = done.stdout.splitlines()
    assert (done.returncode, more, done.stderr) == (0, printed, told) and float(score) > 0


@pytest.mark.parametrize("arguments", [["score", "nowhere", "nowhere"], ["no-command"]])
@pytest.mark.parametrize("program", [["-c", SCRIPT], ["-m", "bleu_nb"]])
def test_a_complaint_is_said_and_its_status_kept(
    program: list[str], arguments: list[str]
) -> None:
    done = python(*program, *arguments)
    assert done.returncode == 2 and "error" in done.stderr
    assert "tidied up" not in done.stderr


def test_a_profiler_writes_what_it_saw(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    done = python("-m", "cProfile", "-o", str(seen), "-m", "bleu_nb", *SCORE)
    assert done.returncode == 0 and seen.stat().st_size > 0


def test_a_prompt_that_was_asked_for_comes() -> None:
    done = python("-i", "-c", SCRIPT, *SCORE, input="print('still here')")
    assert "still here" in done.stdout


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_and_a_closed_pipe_are_told_as_before() -> None:
    for target, status in (("/dev/full", 2), (None, 141)):
        ways = []
        for code in (SCRIPT, SCRIPT.replace("start", "main")):
            command = [sys.executable, "-c", code, *SCORE]
            if target is None:
                reading, writing = os.pipe()
                os.close(reading)
            else:
                writing = os.open(target, os.O_WRONLY)
            ways.append(subprocess.run(
                command, stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT))  # fmt: skip
            os.close(writing)
        ours, before = ways
        assert ours.returncode == before.returncode == status
        assert ours.stderr + b"tidied up\n" == before.stderr
