"""A command that is done ends at once, unless somebody waits behind it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import bleu_nb
from bleu_nb.__main__ import is_last
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


def test_a_script_ends_at_once_with_its_status_and_all_of_its_output() -> None:
    done = python("-c", SCRIPT, *SCORE)
    assert (done.returncode, done.stderr) == (0, "") and float(done.stdout) > 0
    assert done.stdout == python("-m", "bleu_nb", *SCORE).stdout


@pytest.mark.parametrize("arguments", [["score", "nowhere", "nowhere"], ["no-command"]])
def test_a_complaint_is_said_and_its_status_kept(arguments: list[str]) -> None:
    ways = [python("-c", SCRIPT, *arguments), python("-m", "bleu_nb", *arguments)]
    for done in ways:
        assert done.returncode == 2 and "error" in done.stderr
        assert "tidied up" not in done.stderr


def test_a_call_of_main_returns() -> None:
    code = "from bleu_nb.__main__ import main\nprint('status', main())"
    assert python("-c", WITNESS + code, *SCORE).stdout.splitlines()[1:] == ["status 0"]
    done = python("-c", f"{WITNESS}{code}", *SCORE)
    assert done.stderr == "tidied up\n"


CALLED = f"""{WITNESS}
from bleu_nb.__main__ import start

def called():
    print("status", start())

called()
"""
IN_PROCESS = f"{WITNESS}import runpy\nrunpy.run_module('bleu_nb', run_name='__main__')"


@pytest.mark.parametrize("code", [CALLED, IN_PROCESS])
def test_whoever_is_behind_goes_on(code: str) -> None:
    done = python("-c", code, *SCORE)
    assert (done.returncode, done.stderr) == (0, "tidied up\n")


def test_a_profiler_writes_what_it_saw(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    done = python("-m", "cProfile", "-o", str(seen), "-m", "bleu_nb", *SCORE)
    assert done.returncode == 0 and seen.stat().st_size > 0


def test_a_prompt_that_was_asked_for_comes() -> None:
    done = python("-i", "-c", SCRIPT, *SCORE, input="print('still here')")
    assert "still here" in done.stdout


LEFT = """
import atexit, weakref

class Anything: pass

anything = Anything()
atexit.register(print, "registered")
weakref.finalize(anything, print, "finalized")
"""


def test_what_was_registered_for_the_end_is_done() -> None:
    done = python("-c", LEFT + SCRIPT, *SCORE)
    assert done.stdout.splitlines()[1:] == ["finalized", "registered"]
    assert done.stderr == ""


WORKING = """
import threading, time

def work():
    time.sleep(1)
    print("worked")

threading.Thread(target=work).start()
"""


def test_a_thread_that_works_is_waited_for() -> None:
    done = python("-c", WORKING + SCRIPT, *SCORE)
    assert done.stdout.splitlines()[1:] == ["worked"]
    assert done.stderr == "tidied up\n"


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


def test_nobody_leaves_from_here() -> None:
    assert not is_last(sys._getframe())
