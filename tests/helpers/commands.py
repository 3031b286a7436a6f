"""Run `bleu-nb` often: each run is a process, forked from one that has imported the package."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import bleu_nb

ROOT = Path(__file__).resolve().parents[2]
RUN = "from bleu_nb.__main__ import start; raise SystemExit(start())"
SACREBLEU = "from sacrebleu.sacrebleu import main; raise SystemExit(main())"
HIDDEN = ("COLUMNS", "PYTHONUTF8", "SACREBLEU_FORMAT")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in HIDDEN},
    "PYTHONPATH": str(Path(bleu_nb.__file__).resolve().parents[1]),
}
WARM = {RUN: """
from importlib.util import find_spec
import bleu_nb.cli.command, bleu_nb.significance.compare
from bleu_nb import corpus_bleu, identify
identify(["a b c d e"], [["a b c d f"]], 12)
corpus_bleu(["a b c d e"], [["a b c d f"]], engine="numba" if find_spec("numba") else "auto")
""", SACREBLEU: "import sacrebleu.sacrebleu"}
SERVER = """
import gc, json, os, sys, threading
from contextlib import suppress

def feed(path, writing):
    with open(path, "rb") as given, open(writing, "wb") as pipe, suppress(BrokenPipeError):
        pipe.write(given.read())

code, warm = sys.argv[1:]
exec(warm)
gc.freeze()
for line in sys.stdin:
    arguments, folder, files, more = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.environ.update(more)
        reading, writing = os.pipe()
        threading.Thread(target=feed, args=(files[0], writing), daemon=True).start()
        os.dup2(reading, 0)
        for place, path in enumerate(files[1:], 1):
            os.dup2(os.open(path, os.O_WRONLY), place)
        sys.argv[1:] = arguments
        try:
            exec(code)
        except SystemExit as left:
            status = left.code
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, flush=True)
"""


def python(code: str, *arguments: object, quiet: bool = False, **options: Any) -> str:
    """What code prints in a Python of its own; it must not fail, nor complain if it is quiet."""
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], **{
        "cwd": ROOT, "capture_output": True, "text": True, "encoding": "utf-8", "timeout": 240,
        **options})
    assert not done.returncode and not (quiet and done.stderr), done.stderr
    return str(done.stdout)


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


@cache
def server(code: str) -> subprocess.Popen[str]:
    """The process that is forked to run code; it ends with this one, which closes its input."""
    return subprocess.Popen([sys.executable, "-c", SERVER, code, WARM[code]], env=ENVIRONMENT,
                            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def run_command(
    arguments: Sequence[str], stdin: bytes = b"", cwd: Path | str = ".",
    more: Mapping[str, str] | None = None, env: Mapping[str, str] | None = None, code: str = RUN,
) -> Result:
    """What `bleu-nb` leaves behind, with `more` variables that it reads when it runs.

    With an environment or code of its own, but for sacreBLEU's, it has a Python of its own.
    """
    if env is not None or code not in WARM or not hasattr(os, "fork"):
        done = subprocess.run([sys.executable, "-c", code, *arguments], input=stdin, cwd=cwd,
                              env={**(env or ENVIRONMENT), **(more or {})}, timeout=240,
                              capture_output=True)
        return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place) / name for name in ("in", "out", "err")]
        for path in files:
            path.write_bytes(stdin if path.name == "in" else b"")
        asked = [list(arguments), str(Path(cwd).resolve()), list(map(str, files)), dict(more or {})]
        process = server(code)
        assert process.stdin and process.stdout
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        status = int(process.stdout.readline())
        return Result(status, *(path.read_bytes().decode("utf-8") for path in files[1:]))
