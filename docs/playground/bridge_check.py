"""What the playground says of a printed number: which signature or settings give it."""

import re
from collections.abc import Generator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bridge_files import Corpus, counted, pairs_of, printed, read_corpus

from bleu_nb import DIALECTS, Bleu
from bleu_nb.identification import fits, identify_by_steps, read_reported
from bleu_nb.scoring import on_100
from bleu_nb.signatures import from_signature, signature_fields

IN_LINE = re.compile(r" = (\S+) ")  # The score in a line that a tool printed
Steps = Generator[tuple[int, int], None, dict[str, Any]]


def decimals(number: Decimal) -> int:
    """How many digits stand after the point."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def as_printed(value: float, number: Decimal) -> str:
    """A score from 0 to 100 with the digits, and on the scale, of a printed one."""
    digits = decimals(number)
    small = number <= 1 and digits > 1 and fits(value, number) and not abs(
        Decimal(value) - number) <= Decimal(5).scaleb(-digits - 1)
    return f"{value / 100 if small else value:.{digits}f}"


def by_signature(
    text: str, number: Decimal | None, shown: str, corpus: Corpus
) -> Steps:
    """Whether the files have the printed score by the choices of the signature."""
    reading = from_signature(text)
    counts = yield from counted(Bleu(reading.dialect), corpus, 0)
    score = counts.score()
    value, told = on_100(score), signature_fields(text).get("nrefs", "var")
    here = len(corpus.references[0])
    notes = [*reading.untold]
    if told.isdecimal() and int(told) != here:
        notes.append(f"nrefs: the signature says {told}, and here are {here} references")
    notes += [f"{name}: the signature says {each}, which nobody can tell from these files"
              for name, each in reading.data.items()]
    found = {
        "how": "signature", "value": repr(score.value), "scale": score.scale,
        "line": printed(score), "name": corpus.names[0], "notes": notes,
    }  # fmt: skip
    if number is None:
        return found
    return {
        **found, "reported": shown, "decimals": decimals(number),
        "agrees": fits(value, number), "here": as_printed(value, number),
        "difference": repr(value - float(number)),
    }  # fmt: skip


def by_settings(shown: str, corpus: Corpus) -> Steps:
    """Which settings give the printed score."""
    found = yield from identify_by_steps(pairs_of(corpus), shown, [*DIALECTS.values()])
    return {
        "how": "settings", "reported": shown, "name": corpus.names[0],
        "number": len(found.matches), "tried": found.tried, "without": dict(found.without),
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
    if not shown and (line := IN_LINE.search(f"{text} ")):
        shown = line[1]
    if not shown and not text:
        raise ValueError("there is nothing to check: type the score that was printed")
    number = read_reported(shown) if shown else None
    if text:
        from_signature(text)  # What is wrong with it comes before what is wrong with a file
    corpus = read_corpus({**request, "second": None}, blobs)
    if text and not request.get("all"):
        return (yield from by_signature(text, number, shown, corpus))
    return (yield from by_settings(shown, corpus))
