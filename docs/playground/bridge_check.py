"""What the playground says of a printed number: which signature or settings give it."""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from bridge_files import Corpus, counted, pairs_of, printed, read_corpus

from bleu_nb import DIALECTS, Bleu, Dialect
from bleu_nb.diagnosis.identification import fits, identify_by_steps, read_reported
from bleu_nb.dialects.definition import on_100
from bleu_nb.dialects.signatures import from_signature, signature_fields
from bleu_nb.dialects.table import READINGS

LINE = re.compile(r"([^=(]*?)\s*=\s*(\d[\d.]*)(?=[\s,±]|$)")  # What a tool printed: name = score
MOST_DIGITS = 12  # After the point; `identify` reads no more
Steps = Generator[tuple[int, int], None, dict[str, Any]]


def decimals(number: Decimal) -> int:
    """How many digits stand after the point."""
    exponent = number.as_tuple().exponent
    return min(MOST_DIGITS, max(0, -exponent)) if isinstance(exponent, int) else 0


def on_its_scale(value: float, number: Decimal) -> float:
    """A score from 0 to 100 on the scale of a printed one: 0 to 1 where that is nearer to it."""
    small, printed_one = value / 100, float(number)
    both = number <= 1 and decimals(number) > 1  # As `fits` reads it
    return small if both and abs(small - printed_one) < abs(value - printed_one) else value


def read_pasted(text: str) -> tuple[str, str]:
    """The score and the signature in what a tool printed: its JSON, its line, or neither."""
    if text.startswith(("{", "[")):
        try:
            found = json.loads(text, parse_float=str)
        except ValueError:
            found = None
        first = found[0] if isinstance(found, list) and found else found
        if not isinstance(first, dict) or not isinstance(first.get("signature"), str):
            raise ValueError(
                "this looks like JSON, but holds no signature that can be read: paste all that "
                "the tool printed of one score, or the signature alone"
            )
        return str(first.get("score", "")), first["signature"]
    text = text.strip("`'\" ")
    if not (line := LINE.match(text)):
        return "", text
    return line[2], line[1] if ":" in line[1] else ""


def by_signature(
    text: str, number: Decimal | None, shown: str, corpus: Corpus
) -> Steps:
    """Whether the files have the printed score by the choices of the signature."""
    reading = from_signature(text)
    counts = yield from counted(Bleu(reading.dialect), corpus, 0)
    score = counts.score()
    value, told = on_100(score), signature_fields(text).get("nrefs", "var")
    beside = len(corpus.references[0])
    notes = [*reading.unspecified]
    if told.isdecimal() and int(told) != beside:
        what = "1 reference" if beside == 1 else f"{beside} references"
        notes.append(f"nrefs: the signature says {told}, and here each line has {what}")
    notes += [f"{name}: the signature says {each}, which nobody can tell from these files"
              for name, each in reading.data.items()]
    found = {
        "how": "signature", "value": repr(score.value), "scale": score.scale,
        "line": printed(score), "name": corpus.names[0], "notes": notes,
    }  # fmt: skip
    if number is None:
        return found
    here = on_its_scale(value, number)
    return {
        **found, "reported": shown, "decimals": decimals(number),
        "agrees": fits(value, number), "here": f"{here:.{decimals(number)}f}",
        "difference": repr(here - float(number)),
    }  # fmt: skip


def rows_for(request: Mapping[str, Any], blobs: Sequence[Any], corpus: Corpus) -> list[Dialect]:
    """The rows that read the files as they were read."""
    alike = set()
    for reading in READINGS:
        with suppress(ValueError):
            other = read_corpus(request, blobs, reading)
            if (other.systems, other.references) == (corpus.systems, corpus.references):
                alike.add(reading)
    return [row for row in DIALECTS.values() if row.reading in alike]


def by_settings(shown: str, corpus: Corpus, rows: Sequence[Dialect]) -> Steps:
    """Which settings give the printed score."""
    found = yield from identify_by_steps(pairs_of(corpus), shown, rows)
    left = len(DIALECTS) - len(rows)
    other = {"these dialects read other lines in the files": left} if left else {}
    return {
        "how": "settings", "reported": shown, "name": corpus.names[0],
        "number": len(found.matches), "tried": found.tried, "without": {**found.without, **other},
        "matches": [
            {"setting": str(each), "value": repr(each.value), "signature": each.signature,
             "dialect": each.dialect.name}
            for each in found.matches
        ],
        "text": repr(found),
    }  # fmt: skip


def check_steps(request: Mapping[str, Any], blobs: Sequence[Any]) -> Steps:
    """A printed number beside what the files give."""
    shown, text = (str(request.get(name) or "").strip() for name in ("score", "signature"))
    there, text = read_pasted(text)
    shown = shown or there
    if not shown and not text:
        raise ValueError("there is nothing to check: type the score that was printed")
    number = read_reported(shown) if shown else None
    reading = "feed"
    if text:  # What is wrong with it comes before what is wrong with a file
        reading = from_signature(text).dialect.reading
    request = {**request, "second": None}
    if text and not request.get("all"):
        corpus = read_corpus(request, blobs, reading)
        return (yield from by_signature(text, number, shown, corpus))
    corpus = read_corpus(request, blobs)
    return (yield from by_settings(shown, corpus, rows_for(request, blobs, corpus)))
