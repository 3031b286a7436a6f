"""Command lines of sacreBLEU, run by its own command and by ours, as JSON.

It runs in a folder that it fills with small files, in a process of its own, since sacreBLEU reads
`SACREBLEU` when it is imported; each line takes the standard streams of a fork. Some lines are
wrong on purpose: what sacreBLEU says then counts, too. The argument is a number of random lines,
which are made of parts of the others.
"""

import gzip
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Mapping
from itertools import cycle, product
from pathlib import Path
from typing import Any

from cached_sets import MADE, OTHER, OUTPUT, write

from bleu_nb.files.reading import example_path

ONE = ["reference_1.txt -i heron.txt", "reference_1.txt reference_2.txt -i kestrel.txt",
       "reference_1.txt reference_2.txt --input heron.gz", "multi.txt -nr 2 -i heron.txt",
       "multi.txt --num-refs 2 -i odd_name&.txt", "-t wmt17 -l en-de -i out.txt",
       "--test-set wmt22 --language-pair en-de -i more.txt", "reference_1.txt <heron.txt",
       "-t wmt17/tworefs -l en-fi -i out.txt", "-t wmt23 -l en-de <out.txt"]
MANY = ["reference_1.txt -i heron.txt kestrel.txt",
        "reference_1.txt reference_2.txt --input heron.txt kestrel.txt",
        "-t wmt17 -l en-de -i out.txt more.txt", "many.txt -i split.txt <empty.txt",
        "reference_1.txt <pair.txt"]
# What is added to them; the last of some values is wrong.
FLAGS = [f"{flag} {value}".strip() for flags, values in (
    ("--smooth-method -s", "exp floor add-k none laplace"), ("--smooth-value -sv", "0.1 2.5 x"),
    ("--tokenize -tok", "13a none zh intl char ja-mecab ko-mecab 14a"),
    ("--lowercase -lc --force --quiet -q --short -sh --score-only -b --detail -d", ""),
    ("--no-color -nc --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing", ""),
    ("--ter-case-sensitive --ter-asian-support --ter-no-punct --ter-normalized", ""),
    ("--chrf-char-order -cc", "3 x"), ("--chrf-word-order -cw", "2 x"), ("--chrf-beta", "3 1.5"),
    ("--width -w", "0 5 -1"), ("--format -f", "text json latex xml"),
    ("--encoding -e", "utf-8 latin-1 utf-16 nothing"), ("--metrics -m", "bleu chrf ter meteor"),
    ("--paired-jobs -j", "0 2 x"), ("--origlang -ol", "de non-de"), ("--subset", "news country:GB"),
) for flag, value in product(flags.split(), values.split() or [""])]
TOGETHER = [
    "-lc -tok none -f text", "-s floor -sv 0.5 -w 4", "-m bleu chrf -f text -w 3",
    "-m ter bleu -f latex", "-m bleu chrf ter -sl -w 2", "--sentence-level", "-sl -f text -q",
    "-sl -b -lc", "--confidence --confidence-n 30", "-ci -cin 7 -m bleu chrf", "-ci -cin x",
    "-ci -cin 1 -f text", "-m chrf -cw 2 -sh -f text", "-m ter --ter-no-punct -b",
]
PAIRED = [
    "--paired-ar --paired-ar-n 40", "-par -parn 19 -f text", "-par -parn 9 -m bleu chrf -f latex",
    "--paired-bs --paired-bs-n 40", "-pbs -pbsn 19 -f text", "-pbs -pbsn 9 -m ter bleu -w 3",
    "-par -parn x", "-pbs -pbsn x", "-sl", "-b", "-f text -w 4", "-f latex -m bleu chrf",
    "-par -parn 19 -j 2", "-pbs -pbsn 19 -sh -tok char", "-pbs -pbsn 60 -s add-k -lc",
]
WHOLE = [
    "--citation -t wmt17", "--cite", "--list", "--list -t wmt17", "--download wmt17 -l en-de",
    "--download wmt99", "--version", "-V", *(f"--echo {field} -t wmt17 -l en-de" for field in (
        "src", "ref docid", "all", "nothing")), "-t wmt17 -i out.txt", "-l en-de",
    "-t wmt99 -l en-de -i out.txt", "-t wmt17 -l xx-yy -i out.txt", "-t wmt18 -l en-zh -i zh.txt",
    "-t wmt17,wmt18 -l en-de -i twice.txt", "-t wmt17 -l en-de -i out.txt -ol de -b",
    "-t wmt17,wmt18 -l en-de -i short.txt", "reference_1.txt -i heron.txt nothing.txt",
    "short.txt -i heron.txt", "nothing.txt -i heron.txt", "empty.txt -i empty.txt",
    "reference_1.txt -i heron.txt -l en-zh", "reference_1.txt -i heron.txt -l en-ja",
    "reference_1.txt -i heron.txt -ol de", "multi.txt -nr 3 -i heron.txt",
    "multi.txt -nr x -i heron.txt", "reference_1.txt <ragged.txt", "reference_1.txt <empty.txt",
    "reference_1.txt -i heron.txt heron.txt", "reference_1.txt -i heron.txt empty.txt",
    "ragged.txt -nr 2 -i short.txt", "zh.txt -i zh.txt -tok zh -m bleu chrf ter",
]
VARIABLES = [
    {"SACREBLEU_SEED": "7"}, {"SACREBLEU_SEED": "x"}, {"SACREBLEU_FORMAT": "text"},
    {"SACREBLEU_FORMAT": "xml"}, {"NO_COLOR": "1"}, {"SACREBLEU_SEED": "007", "NO_COLOR": ""},
]
LINES: list[tuple[str, dict[str, str]]] = [
    *((f"{line} {more}", {}) for line, more in zip(cycle(ONE), [*FLAGS, *TOGETHER], strict=False)),
    *((f"{line} {more}", {}) for line, more in zip(cycle(MANY), PAIRED * 2, strict=False)),
    *((line, {}) for line in WHOLE),
    *((f"{line} {more}", variables) for variables in VARIABLES
      for line, more in ((MANY[0], "-pbs -pbsn 19 -f text"), (ONE[1], "-ci -cin 30"))),
]


def random_lines(number: int) -> list[tuple[str, dict[str, str]]]:
    """Command lines with several parts of `LINES`, the same ones each time."""
    draw, found = random.Random(number), []
    for _ in range(number):
        many = draw.random() < 0.4
        parts = [draw.choice(MANY if many else ONE), *draw.sample(FLAGS, draw.choice([0, 1, 1, 2]))]
        if draw.random() < 0.5:
            parts.append(draw.choice(PAIRED if many else TOGETHER))
        found.append((" ".join(parts), draw.choice([{}, {}, {}, *VARIABLES])))
    return found


CRASHED = 70  # The exit status that stands for a traceback


def lay_files() -> None:
    """What the command lines name."""
    texts = {name: example_path(f"{name}.txt").read_text("utf-8").splitlines()
             for name in ("heron", "kestrel", "reference_1", "reference_2")}
    one, two = texts["reference_1"], texts["reference_2"]
    texts |= {"multi": ["\t".join(each) for each in zip(one, two, strict=True)],
              "ragged": [*one[:3], "\t".join(one[3:5])], "short": one[:5], "empty": [],
              "pair": ["\t".join(each) for each in zip(texts["heron"], texts["kestrel"],
                                                       strict=True)],
              "split": [f"{line} ." for line in one * 9], "many": one * 9,
              "out": OUTPUT, "more": OTHER, "zh": MADE, "twice": OUTPUT * 2}
    for name, lines in texts.items():
        write(Path(f"{name}.txt"), "".join(f"{line}\n" for line in lines))
    Path("heron.gz").write_bytes(gzip.compress(Path("heron.txt").read_bytes()))
    Path("odd_name&.txt").write_text("\u2028 x\x0b y\r\n".join(one), "utf-8", newline="")


def call(
    main: Callable[[list[str]], Any], words: list[str], stdin: str, variables: Mapping[str, str]
) -> tuple[Any, str, str]:
    """The exit status of a command in a fork of this process, and what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.environ.update(variables)
            os.dup2(os.open(stdin or os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.argv = ["sacrebleu", *words]
            try:
                status = main(words) or 0
            except SystemExit as error:
                status = error.code or 0
            except Exception:
                status = CRASHED
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status if isinstance(status, int) else CRASHED)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in (out, err):
            file.seek(0)
        return status, out.read().decode(), err.read().decode()


def run_both(lines: list[tuple[str, dict[str, str]]]) -> list[Mapping[str, Any]]:
    """What both commands answer to each line."""
    from sacrebleu.sacrebleu import main as theirs

    import bleu_nb.adapters.sacrebleu
    import bleu_nb.significance.compare  # noqa: F401
    from bleu_nb.cli.command import main as ours

    found: list[Mapping[str, Any]] = []
    for line, variables in lines:
        typed, _, stdin = line.partition("<")
        stdin, _, more = stdin.partition(" ")
        asked = [*typed.split(), *more.split()], stdin, variables
        found.append({"line": line, "theirs": call(lambda _: theirs(), *asked),
                      "ours": call(lambda words: ours(["sacrebleu", *words]), *asked)})
    return found


if __name__ == "__main__":
    lay_files()
    sys.stdout.write(json.dumps(run_both(LINES + random_lines(int(sys.argv[1])))))
