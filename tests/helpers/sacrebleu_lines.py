"""Random command lines of sacreBLEU, run by its own command and by ours, as JSON.

`python sacrebleu_lines.py SEED NUMBER` runs in a folder that it fills with small files, in a
process of its own, since sacreBLEU reads `SACREBLEU` when it is imported and takes the standard
streams of the process. Some lines are wrong on purpose: what sacreBLEU says then counts, too.
"""

import gzip
import json
import logging
import os
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from cached_sets import MADE, OTHER, OUTPUT, write

from bleu_nb.files.reading import example_path


class Line(NamedTuple):
    """A command line with its surroundings."""

    words: list[str]
    stdin: str  # A file, or empty
    variables: dict[str, str]


# Flags in all their forms, with some of their values; the last is often wrong.
FLAGS: dict[tuple[str, ...], list[list[str]]] = {
    ("--smooth-method", "-s"): [["exp"], ["floor"], ["add-k"], ["none"], ["laplace"]],
    ("--smooth-value", "-sv"): [["0.1"], ["0.5"], ["1"], ["2.5"], ["x"]],
    ("--tokenize", "-tok"): [["13a"], ["none"], ["zh"], ["intl"], ["char"], ["ja-mecab"],
                             ["ko-mecab"], ["flores101"], ["14a"]],
    ("--lowercase", "-lc"): [[]],
    ("--force",): [[]],
    ("--chrf-char-order", "-cc"): [["6"], ["3"], ["x"]],
    ("--chrf-word-order", "-cw"): [["0"], ["2"], ["x"]],
    ("--chrf-beta",): [["2"], ["3"], ["1.5"]],
    ("--chrf-whitespace",): [[]],
    ("--chrf-lowercase",): [[]],
    ("--chrf-eps-smoothing",): [[]],
    ("--ter-case-sensitive",): [[]],
    ("--ter-asian-support",): [[]],
    ("--ter-no-punct",): [[]],
    ("--ter-normalized",): [[]],
    ("--confidence-n", "-cin"): [["7"], ["1"], ["80"], ["x"]],
    ("--paired-ar-n", "-parn"): [["9"], ["19"], ["60"], ["x"]],
    ("--paired-bs-n", "-pbsn"): [["9"], ["19"], ["60"], ["x"]],
    ("--paired-jobs", "-j"): [["1"], ["0"], ["2"], ["x"]],
    ("--quiet", "-q"): [[]],
    ("--short", "-sh"): [[]],
    ("--score-only", "-b"): [[]],
    ("--width", "-w"): [["0"], ["2"], ["3"], ["5"], ["-1"]],
    ("--detail", "-d"): [[]],
    ("--no-color", "-nc"): [[]],
    ("--format", "-f"): [["text"], ["text"], ["json"], ["latex"], ["xml"]],
    ("--encoding", "-e"): [["utf-8"], ["latin-1"], ["utf-16"], ["nothing"]],
    ("--metrics", "-m"): [["bleu"], ["chrf"], ["bleu", "chrf"], ["ter", "bleu"],
                          ["bleu", "chrf", "ter"], ["meteor"]],
}
MODES: dict[tuple[str, ...], list[list[str]]] = {
    ("--sentence-level", "-sl"): [[]],
    ("--confidence", "-ci"): [["--confidence-n", "30"]],
    ("--paired-ar", "-par"): [["--paired-ar-n", "40"]],
    ("--paired-bs", "-pbs"): [["--paired-bs-n", "40"]],
}
ALONE: dict[tuple[str, ...], list[list[str]]] = {
    ("--citation", "--cite"): [[]],
    ("--list",): [[]],
    ("--download",): [["wmt17"], ["wmt99"]],
    ("--echo",): [["src"], ["ref", "docid"], ["all"], ["nothing"]],
    ("--version", "-V"): [[]],
}
SETS = {"wmt17": "en-de", "wmt18": "en-de", "wmt17/tworefs": "en-fi", "wmt22": "en-de",
        "wmt23": "en-de", "wmt17,wmt18": "en-de", "wmt99": "en-de"}
ALL = [*FLAGS, *MODES, *ALONE, ("--test-set", "-t"), ("--language-pair", "-l"),
       ("--origlang", "-ol"), ("--subset",), ("--num-refs", "-nr"), ("--input", "-i")]


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


def with_value(flag: tuple[str, ...], values: list[list[str]], draw: random.Random) -> list[str]:
    """One of the forms of a flag, with a value, which is wrong now and then."""
    usual = values[:-1] or values
    return [draw.choice(flag), *draw.choice(usual if draw.random() < 0.85 else values)]


def make_line(draw: random.Random) -> Line:
    """A command line, of which most can be run."""
    words, stdin, systems = [], "", draw.choice([1, 1, 1, 2, 2, 3])
    outputs = ["heron.txt", "kestrel.txt", "reference_2.txt", "heron.gz", "odd_name&.txt"]
    chance = draw.random()
    if chance < 0.25:
        name = draw.choice([*SETS])
        words += [draw.choice(["--test-set", "-t"]), name]
        if draw.random() < 0.9:
            pair = draw.choice([SETS[name]] * 9 + ["xx-yy"])
            words += [draw.choice(["--language-pair", "-l"]), pair]
        outputs = ["twice.txt", "short.txt"] if "," in name else ["out.txt", "more.txt", "zh.txt"]
        systems = min(systems, len(outputs))
        for flag, value in ((("--origlang", "-ol"), draw.choice(["de", "non-de", "fr"])),
                            (("--subset",), draw.choice(["news", "sport", "country:GB"]))):
            if draw.random() < 0.35:
                words += [draw.choice(flag), value]
    elif chance < 0.35:
        words += ["multi.txt", draw.choice(["--num-refs", "-nr"]),
                  draw.choice(["2", "2", "2", "3", "x"])]
    elif chance < 0.4:
        words, outputs, systems = ["many.txt"], ["split.txt"], 1
    elif chance < 0.97:
        words += draw.choice([
            *[["reference_1.txt"]] * 6, *[["reference_1.txt", "reference_2.txt"]] * 3,
            ["short.txt"], ["nothing.txt"], ["empty.txt"]])
    if not (words and words[0].startswith("-")) and draw.random() < 0.06:
        words += draw.choice([["-l", "en-zh"], ["-l", "en-ja"], ["-l", "de"], ["-ol", "de"]])
    if draw.random() < 0.15:
        stdin = draw.choice([outputs[0], "pair.txt", "ragged.txt", "empty.txt"])
    else:
        files = draw.sample(outputs, min(systems, len(outputs)))
        files += draw.choice([[]] * 12 + [["nothing.txt"], ["short.txt"], files[:1], ["empty.txt"]])
        words += [draw.choice(["--input", "-i"]), *files]
        systems = len(files)
    if draw.random() < 0.06:
        flag = draw.choice([*ALONE])
        words += with_value(flag, ALONE[flag], draw)
    modes = [*MODES][:2] if systems == 1 else [*MODES][2:]
    for flag in modes if draw.random() < 0.85 else MODES:
        if draw.random() < 0.25:
            words += [draw.choice(flag), *MODES[flag][0]]
    for flag, values in FLAGS.items():
        if draw.random() < (0.35 if flag[0] == "--format" else 0.07):
            words += with_value(flag, values, draw)
    variables = {name: draw.choice(values) for name, values in {
        "SACREBLEU_SEED": ["7", "12345", "007", "x"], "SACREBLEU_FORMAT": ["text", "TEXT", "xml"],
        "NO_COLOR": ["1", ""]}.items() if draw.random() < 0.08}
    return Line(words, stdin, variables)


def make_lines(seed: int, number: int) -> list[Line]:
    """Random command lines; those that stand alone are as frequent as other flags."""
    draw = random.Random(seed)
    lines = [make_line(draw) for _ in range(number)]
    for place, flag in zip(range(0, number, 5), [*ALONE] * number, strict=False):
        if place // 5 < 11 * len(ALONE):
            words = [*with_value(flag, ALONE[flag], draw), *draw.choice(
                [["-t", "wmt17", "-l", "en-de"], ["-t", "wmt17"], ["-l", "en-de"], []])]
            lines[place] = lines[place]._replace(words=words)
    return lines


KEPT: list[Any] = []  # Streams that would close the file that they share


def call(main: Callable[[list[str]], Any], line: Line) -> tuple[Any, str, str]:
    """The exit status of a command, and what it printed; a traceback is a status of 1."""
    files: list[Any] = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115
    if line.stdin:
        files[0].write(Path(line.stdin).read_bytes())
        files[0].seek(0)
    kept, streams = [os.dup(place) for place in range(3)], (sys.stdin, sys.stdout, sys.stderr)
    sys.stdout.flush()
    variables, words = dict(os.environ), sys.argv
    os.environ.update(line.variables)
    for place, file in enumerate(files):
        os.dup2(file.fileno(), place)
    sys.stdin, sys.stdout, sys.stderr = (
        open(place, "w" if place else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
        for place in range(3))
    sys.argv = ["sacrebleu", *line.words]
    logging.getLogger().handlers.clear()
    status: Any = 0
    try:
        status = main(line.words) or 0
    except SystemExit as error:
        status = error.code or 0
    except Exception:
        status = "1, " + traceback.format_exc().splitlines()[-1]
    KEPT.extend([sys.stdin, sys.stdout, sys.stderr])
    for stream in KEPT[-2:]:
        stream.flush()
    (sys.stdin, sys.stdout, sys.stderr), sys.argv = streams, words
    os.environ.clear()
    os.environ.update(variables)
    for (_, place), duplicate in zip(pairwise(range(-1, 3)), kept, strict=True):
        os.dup2(duplicate, place)
        os.close(duplicate)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    said = []
    for file in files[1:]:
        file.seek(0)
        said.append(file.read().decode())
    return status, said[0], said[1]


def run_both(lines: list[Line]) -> list[Mapping[str, Any]]:
    """What both commands answer to each line."""
    from sacrebleu.sacrebleu import main as theirs

    from bleu_nb.cli.command import main as ours

    return [{"line": line, "theirs": call(lambda _: theirs(), line),
             "ours": call(lambda words: ours(["sacrebleu", *words]), line)}
            for line in lines]


if __name__ == "__main__":
    lay_files()
    sys.stdout.write(json.dumps(run_both(make_lines(int(sys.argv[1]), int(sys.argv[2])))))
