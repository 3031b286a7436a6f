"""What the playground says of files: read and counted as `bleu-nb score` does, then summed up."""

import gzip
import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BytesIO
from itertools import zip_longest
from typing import Any, BinaryIO, NamedTuple, cast

from bridge_sentence import WRONG, changes, unsplit
from bridge_verdict import ASSUMED, power_alone, uncertainty

from bleu_nb import Bleu, BleuScore
from bleu_nb.dialects.input_checks import (
    LISTENER,
    InputNote,
    Note,
    check_corpus,
    note_empty,
    note_text,
)
from bleu_nb.dialects.signatures import FILES_READ
from bleu_nb.display.tables import digits_for, show_range
from bleu_nb.files.reading import (
    BLOCK,
    Lines,
    check_line_counts,
    lines_of,
    naming_file,
    note_tabs,
    quote,
    signing_files,
)
from bleu_nb.scoring.counts import Counts, join_counts
from bleu_nb.significance.intervals import Interval

MOST_LINES = 10_000  # Of a file: what a page can do without keeping its reader waiting
MOST_BYTES = 10_000_000
FEW = 50  # Lines that tell the language of a text
LOOKS_LIKE = "this looks like "  # How a note on that begins
AT_ONCE = 100  # Segments counted between two looks at the clock
SHOWN = 5  # Segments at either end of a list
BARS = 10  # Of the distribution of scores
# What the package advises for a shell or for Python, and a page has not
IN_BRACKETS = re.compile(r" \([^()]*(?<![\w-])--[a-z][^()]*\)")
IN_SHELL = re.compile(r"(?:, or convert it)?[,;:] [^,;:]*?(?:(?<=\s)--[a-z]|\biconv\b)[^,;:]*")
TOKENIZER = re.compile(r"pass tokenizer='([\w-]+)'")
IN_PYTHON = re.compile(r"[,;:] (?:or )?pass \w+=[^,;:]*")
Request = Mapping[str, Any]


class Corpus(NamedTuple):
    """Files that belong together, read."""

    names: list[str]  # Of the candidates: one system or two
    systems: list[list[str]]
    references: list[tuple[str, ...]]  # Of each segment
    notes: list[str]  # What was left out
    keys: list[bytes]  # Equal for equal files: one for each system


def for_page(text: str) -> str:
    """A message of the package without options of a command, and with what the page has instead."""
    text = IN_SHELL.sub("", IN_BRACKETS.sub("", text)).replace("`", "")
    return IN_PYTHON.sub("", TOKENIZER.sub(r"choose the tokenizer \1", text))


# -- Reading


def data_of(entry: Mapping[str, Any], blobs: Sequence[Any]) -> bytes:
    """The bytes of a file, or of what was pasted."""
    if "text" in entry:
        return str(entry["text"]).encode("utf-8", "surrogatepass")
    data = bytes(blobs[entry["blob"]])
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):  # A command would have to refuse it
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16").encode()
    return data


def too_much(name: str, what: str) -> ValueError:
    """What to say of a file that is no work for a page."""
    return ValueError(
        f"{quote(name)} has more than {what}, the most that this page takes: "
        "the command `bleu-nb score` takes any number"
    )


def read_lines(name: str, data: bytes, reading: str, reference: bool) -> list[str]:
    """The segments of a file, by the package's own reader."""
    packed, raw = name.endswith(".gz"), BytesIO(data)
    with cast(BinaryIO, gzip.open(raw) if packed else raw) as file:
        lines, found, size = Lines(file, name, False, BLOCK, reading, reference), list[str](), 0
        while lines.fill():
            block = lines.take(lines.lines)
            found += lines_of(block.decode())
            size += len(block)
            if size > MOST_BYTES:
                raise too_much(name, f"{MOST_BYTES // 1_000_000} megabytes of text")
    return found


def read_entry(entry: Mapping[str, Any], blobs: Sequence[Any]) -> list[str]:
    """The lines of a file that stands beside a corpus."""
    return read_lines(str(entry["name"]), data_of(entry, blobs), "feed", False)


@contextmanager
def noted(notes: list[str]) -> Iterator[None]:
    """Collect the warnings of the package that the command shows, in its words."""
    def hear(note: Note) -> None:
        if not isinstance(note, InputNote):
            notes.append(f"{note} ({note.detail})" if note.detail else str(note))

    before = LISTENER.set(hear)
    try:
        yield
    finally:
        LISTENER.reset(before)


def read_corpus(
    request: Request, blobs: Sequence[Any], reading: str = "feed", equal: bool = True
) -> Corpus:
    """The files of a question, equally long if they must be, or what is wrong with them."""
    outputs = [request["candidate"], *([request["second"]] if request.get("second") else [])]
    entries = [*outputs, *request["references"]]
    if not request["references"]:
        raise ValueError("there are candidates, but no references: add a file of references")
    data = [data_of(entry, blobs) for entry in entries]
    names = [str(entry["name"]) for entry in entries]
    notes: list[str] = []
    with noted(notes):
        files = [read_lines(name, each, reading, place >= len(outputs))
                 for place, (name, each) in enumerate(zip(names, data, strict=True))]
        note_tabs(files)
    if equal or not all(files):
        check_line_counts(names, [len(lines) for lines in files], (), reading)
    if len(files[0]) > MOST_LINES:
        raise too_much(names[0], f"{MOST_LINES:,} lines")
    digests = [sha256(each).digest() for each in data]
    shared = b"".join(digests[len(outputs):])
    return Corpus(
        names[: len(outputs)], files[: len(outputs)],
        list(zip_longest(*files[len(outputs):])), notes,  # None: no line
        [each + shared for each in digests[: len(outputs)]])  # fmt: skip


# -- Counting

KNOWN: dict[Any, Counts] = {}  # The last few, so that a second question need not count again


def counted(
    metric: Bleu, corpus: Corpus, place: int, before: int = 0, more: int = 0
) -> Generator[tuple[int, int], None, Counts]:
    """What one system's segments hold; in steps, as part of a longer way."""
    key = metric.dialect, corpus.keys[place]
    if key not in KNOWN:
        candidates, parts = corpus.systems[place], list[Counts]()
        with naming_file(corpus.names[place]):
            for start in range(0, len(candidates), AT_ONCE):
                some = slice(start, start + AT_ONCE)
                with noted([]):  # `file_steps` says it
                    parts.append(metric.count(candidates[some], corpus.references[some]))
                yield before + start, len(candidates) + more
        while len(KNOWN) > 3:
            del KNOWN[next(iter(KNOWN))]
        KNOWN[key] = join_counts(parts)
    return KNOWN[key]


def metric_for(request: Request) -> Bleu:
    """The metric that a question chooses."""
    return Bleu(request["dialect"], **changes(request))


# -- Summing up


def printed(score: BleuScore) -> str:
    """A score as `bleu-nb score` prints it."""
    alone, rest = score.numbers().split(" ", 1)
    return f"BLEU|{score.signature} = {alone} {rest}"


def interval_of(counts: Counts) -> Interval | str:
    """The interval of a score by the delta method, or why there is none."""
    try:
        return counts.interval() or "a score of 0 has no interval"
    except WRONG as error:
        return str(error)


def around(found: Interval | str, score: BleuScore) -> dict[str, Any]:
    """An interval for the page."""
    if isinstance(found, str):
        return {"none": found}
    return {
        "low": repr(found.low), "high": repr(found.high), "half": repr(found.half_width),
        "shown": show_range(score.value, found, digits_for(score)), "warning": found.warning,
    }  # fmt: skip


def bars_of(values: Sequence[float], scale: int) -> list[int]:
    """How many scores lie in each tenth of the scale; what is above it is in the last."""
    found = [0] * BARS
    for value in values:
        found[min(BARS - 1, max(0, math.floor(value * BARS / scale)))] += 1
    return found


def segment(corpus: Corpus, place: int, values: Sequence[float], system: int) -> dict[str, Any]:
    """One segment, ready to be opened as a sentence."""
    return {
        "line": place + 1, "value": repr(values[place]),
        "candidate": corpus.systems[system][place],
        "references": list(corpus.references[place]),
    }  # fmt: skip


def ends_of(values: Sequence[float]) -> tuple[list[int], list[int]]:
    """The places of the highest and of the lowest; the earlier of equal ones comes first."""
    number = min(SHOWN, max(1, len(values) // 2))
    places = range(len(values))
    return (sorted(places, key=lambda place: (-values[place], place))[:number],
            sorted(places, key=lambda place: (values[place], place))[:number])


def alone(corpus: Corpus, system: int, counts: Counts, scale: int) -> dict[str, Any]:
    """The scores of single segments, summed up; or why there are none."""
    try:
        values = counts.values()
    except WRONG as error:
        return {"none": str(error)}
    best, worst = ends_of(values)
    return {
        "bars": bars_of(values, scale), "zeros": sum(not value for value in values),
        "best": [segment(corpus, place, values, system) for place in best],
        "worst": [segment(corpus, place, values, system) for place in worst],
    }  # fmt: skip


def file_steps(
    request: Request, blobs: Sequence[Any]
) -> Generator[tuple[int, int], None, dict[str, Any]]:
    """The scores of one system or of two."""
    metric = metric_for(request)
    with signing_files():
        corpus = read_corpus(request, blobs, metric.dialect.reading)
        read = FILES_READ.get()
    number, found, told = len(corpus.references), [], []
    notes = [*corpus.notes]
    with noted(notes):
        note_text(corpus.systems, corpus.references, metric.dialect.tokenizer)
    for place, name in enumerate(corpus.names):
        left = (len(corpus.names) - 1) * number
        counts = yield from counted(metric, corpus, place, place * number, left)
        with naming_file(name), noted(notes):
            note_empty(counts.candidate_lengths, counts.reference_lengths,
                       counts.reference_numbers)
            token = FILES_READ.set(read)
            score = counts.score()
            FILES_READ.reset(token)
        interval = interval_of(counts)
        found.append({
            "name": name, "value": repr(score.value), "scale": score.scale,
            "digits": digits_for(score), "line": printed(score),
            "interval": around(interval, score),
            "segments": alone(corpus, place, counts, score.scale),
        })  # fmt: skip
        told.append((name, score, interval))
    numbers = {len(group) for group in corpus.references}
    few = [line for system in corpus.systems for line in system[:FEW]]
    found_unsplit = unsplit(few, metric.dialect)  # Said with a button instead of as a note
    shown = [for_page(each) for each in dict.fromkeys(notes)
             if not (found_unsplit and each.startswith(LOOKS_LIKE))]
    return {"lines": number, "references": max(numbers), "notes": shown,
            "unsplit": found_unsplit,
            "systems": found, **verdict_on(told, number)}


def verdict_on(
    told: Sequence[tuple[str, BleuScore, Interval | str]], lines: int
) -> dict[str, Any]:
    """What the scores say in words; how far two are apart comes later."""
    if len(told) > 1:
        return {"verdict": []}
    [(_, score, interval)] = told
    power = power_alone(score, interval)
    return {"verdict": [uncertainty(score, interval, lines), *power],
            "assumed": ASSUMED if power else ""}


def pairs_of(corpus: Corpus) -> list[Any]:
    """The first system's segments with their references, checked as the package does."""
    return check_corpus(corpus.systems[0], corpus.references)
