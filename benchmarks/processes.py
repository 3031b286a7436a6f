"""What needs a process of its own: starting Python, importing the package, peak memory."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from corpora import Corpus

IMPORT = "from bleu_nb import corpus_bleu"  # `import bleu_nb` alone imports next to nothing
FIRST_SCORE = """
from bleu_nb import corpus_bleu
corpus_bleu(["the cat sat on the mat ."] * 100, [["the cat sat on a mat ."]] * 100, engine="numba")
"""
RUN = """
import atexit, sys
from bleu_nb.__main__ import start

@atexit.register
def tell():
    try:
        with open("/proc/self/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    except OSError:
        import resource
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak = peak // 1024 if sys.platform == "darwin" else peak
    sys.stderr.write(f"\\npeak {peak}\\n")

sys.exit(start())
"""  # The command as it is installed, and the most memory that it held


def python(code: str, *arguments: str, **environment: str) -> tuple[float, str, str]:
    """Seconds, standard output and standard error of Python code in a new process."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=Path(__file__).parent,  # Which is where Python looks for modules here, too
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        text=True,
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"a process failed: {code}\n{done.stderr}")
    return seconds, done.stdout, done.stderr


def start_up(rounds: int) -> dict[str, Any]:
    """Milliseconds that Python takes to start, and that importing the package adds."""
    python(IMPORT)  # Writes the bytecode, if it is not there yet
    both = [(python("pass")[0], python(IMPORT)[0]) for _ in range(rounds)]
    more = [1000 * (with_import - bare) for bare, with_import in both]
    return {
        "rounds": rounds,
        "python_milliseconds": 1000 * median(bare for bare, _ in both),
        "import_milliseconds": {"median": median(more), "low": min(more), "high": max(more)},
    }


def first_numba_score() -> dict[str, float]:
    """Seconds to a first score in a new process, before and after compiled code is cached."""
    import numba  # noqa: F401  Absent: ImportError

    with TemporaryDirectory() as folder:
        cold, warm = (python(FIRST_SCORE, NUMBA_CACHE_DIR=folder)[0] for _ in range(2))
    return {"compiling_seconds": cold, "cached_seconds": warm}


def peak_memory(corpus: Corpus) -> dict[str, Any]:
    """Score a corpus in files by the command, and tell the most memory that it held."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{place}.txt" for place in range(len(corpus.sides))]
        for path, side in zip(paths, corpus.sides, strict=True):
            path.write_bytes("\n".join([*side, ""]).encode())
        return {"segments": len(corpus), "references": len(paths) - 1, **peak_of(paths)}


def peak_of(paths: Sequence[Path], *options: str) -> dict[str, Any]:
    """Score files by the command, and tell the most memory that it held."""
    done = run_command("score", *map(str, paths), *options)
    return {"file_mebibytes": sum(path.stat().st_size for path in paths) / 2**20, **done}


def run_command(*arguments: str) -> dict[str, Any]:
    """What `bleu-nb` took and printed, and the most memory that its process held."""
    seconds, printed, errors = python(RUN, *arguments)
    return {
        "peak_mebibytes": int(errors.split()[-1]) / 2**10,
        "seconds": seconds,
        "printed": printed.strip(),
    }
