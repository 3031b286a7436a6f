"""What the playground says of a printed number: what its signature gives, or where it is from."""

import json
import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any

from bridge_files import Corpus, counted, interval_of, pairs_of, printed, read_corpus, read_entry
from bridge_sentence import WRONG
from bridge_verdict import origin, other_number, uncertainty
from bridge_why import drawn, explained

from bleu_nb import DIALECTS, Bleu, Dialect
from bleu_nb.diagnosis.causes import Setting, Texts, Variants, changes_in
from bleu_nb.diagnosis.explanation import Explanation, parts_between
from bleu_nb.diagnosis.guesses import Round, defaults_for
from bleu_nb.diagnosis.identification import (
    Identification,
    Match,
    Search,
    base_of,
    hint_lines,
    texts_of,
    tried_lines,
)
from bleu_nb.diagnosis.reported import fits, read_reported, scales_of, step_of
from bleu_nb.dialects.definition import on_100
from bleu_nb.dialects.signatures import from_signature, score_in, signature_fields
from bleu_nb.dialects.table import READINGS
from bleu_nb.scoring.counts import Counts

GLANCE = 0.04  # Weight of the guesses that are tried before the others are even thought of
EARLY = 0.01  # Weight of those that come first then, whatever text they are about
COUNTED, SCORED = 1.0, 0.03  # What a guess takes: where it is counted anew, and else
OFTEN = 0.4  # Seconds between two answers so far
LEAST = 0.01  # Probability of an answer that is worth a line
PERCENT = re.compile(r"(?<=\d)%")
Steps = Generator[tuple[Any, ...], None, dict[str, Any]]  # How much is done, of how much


# -- What was printed


def read_printed(score: str, text: str) -> tuple[str, str]:
    """What is to be looked for, as `read_reported` takes it, and the signature in it, if any."""
    text = text.strip("`'\" ")
    if score and text:
        read_reported(score)
        text = score_in(text)["signature"] if text.startswith(("{", "[")) else text
        from_signature(text)
        text = f"{text.partition(' = ')[0]} = {score}"
    text = text or score
    signed = signature_in(text)
    try:
        found = read_reported(text)
    except ValueError:
        if score or not (":" in signed and "=" not in signed):
            raise
        return "", signed
    return text, signed if found.dialect else ""


def signature_in(text: str) -> str:
    """The signature in the JSON of a score; any other text as it is."""
    signed = text.startswith(("{", "[")) and '"signature"' in text
    return str(score_in(text)["signature"]) if signed else text


def on_its_scale(value: float, number: Decimal) -> float:
    """A score from 0 to 100 on the scale of a printed one: 0 to 1 where that is nearer to it."""
    small, printed_one = value / 100, float(number)
    exact = small == printed_one  # Such as 1.0, of a perfect translation
    both = len(scales_of(number)) > 1 and (exact or 10 * step_of(number) < 1)
    return small if both and abs(small - printed_one) < abs(value - printed_one) else value


# -- By its signature


def by_signature(signed: str, text: str, corpus: Corpus) -> Steps:
    """Whether the files have the printed score by the choices of the signature."""
    reading = from_signature(signed)
    counts = yield from counted(Bleu(reading.dialect), corpus, 0)
    score = counts.score()
    value, told = on_100(score), signature_fields(signed).get("nrefs", "var")
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
    if not text:
        return {**found, **(yield from beside_default(reading.dialect, counts, corpus))}
    number = read_reported(text).number
    here, digits = on_its_scale(value, number), -step_of(number).adjusted()
    if fits(value, number):
        more = yield from beside_default(reading.dialect, counts, corpus)
    else:
        off = f"{number:f} is not that: other settings, or other files, made it."
        more = {"verdict": [uncertainty(score, interval_of(counts), len(counts)), off]}
    return {
        **found, **more, "reported": str(number), "decimals": digits, "agrees": fits(value, number),
        "here": f"{here:.{digits}f}", "difference": repr(here - float(number)),
    }  # fmt: skip


def beside_default(signed: Dialect, counts: Counts, corpus: Corpus) -> Steps:
    """What a signature's score stands for, and the way from it to what is usual."""
    texts = Texts(pairs_of(corpus))
    usual, score = defaults_for(texts)[0], counts.score()
    verdict = [uncertainty(score, interval_of(counts), len(counts))]
    first, second = Setting(signed), Setting(usual)
    if not parts_between(first, second):
        return {"verdict": [*verdict, f"These are the settings of {second}, the usual ones."]}
    variants = Variants(texts, max(signed.max_order, usual.max_order))
    try:
        found = yield from explained(variants, first, second)
    except WRONG:
        return {"verdict": verdict}
    return {"verdict": [*verdict, other_number(found)], **way(found)}


def way(found: Explanation) -> dict[str, Any]:
    """The way from one setting to another, drawn and in words."""
    shown = drawn(found)
    return {"waterfall": shown, "explained": shown["text"]}


# -- By a search


def rows_for(request: Mapping[str, Any], blobs: Sequence[Any], corpus: Corpus) -> list[Dialect]:
    """The rows that read the files as they were read."""
    alike = set[str]()
    for reading in READINGS:
        with suppress(ValueError):
            other = read_corpus(request, blobs, reading, equal=False)
            if (other.systems, other.references) == (corpus.systems, corpus.references):
                alike.add(reading)
    return [row for row in DIALECTS.values() if row.reading in alike]


def one_by_one(rounds: Sequence[Round]) -> list[Round]:
    """The guesses of a search as rounds of their own, the likeliest of all texts first."""
    single = [Round(steps, {dialect: usual}, weight)
              for steps, dialects, weight in rounds for dialect, usual in dialects.items()]
    early = [each for each in single if each.total >= EARLY]
    return [*sorted(early, key=lambda each: each.total, reverse=True),
            *(each for each in single if each.total < EARLY)]


def costs_of(rounds: Sequence[Round]) -> Iterator[float]:
    """About what each guess takes: most of it goes into counting a text in a new way."""
    known = set()
    for steps, dialects, _ in rounds:
        [row] = dialects
        way = (changes_in(steps), row.tokenizer, row.lowercase and row.casing, row.counting,
               row.end_token, row.splits)
        yield SCORED if way in known else COUNTED
        known.add(way)


def lengths_of(corpus: Corpus) -> tuple[int, ...]:
    """How many lines the candidates and each file of references have; none if equally many."""
    streams = zip(*corpus.references, strict=True)
    numbers = (len(corpus.systems[0]), *(
        sum(line is not None for line in stream) for stream in streams))
    return numbers if len({*numbers}) > 1 else ()


def in_words(found: Identification, match: Match) -> dict[str, Any]:
    """An answer as the page shows it, without steps that change nothing."""
    known = {match.setting, *match.others}
    return {"shown": found.named(match),
            "same": [str(each) for each in match.others if not base_of(each, known)]}


def likely(found: Identification) -> Identification:
    """An identification without answers below one percent, unless that is what the files give."""
    return replace(found, matches=tuple(
        each for each in found.matches
        if each.probability >= LEAST or each.setting == found.default.setting))


def so_far(search: Search, corpus: Corpus, other: int) -> dict[str, Any]:
    """What a search has found so far; only at its end is an answer sure."""
    told = shown(likely(search.found()), corpus, other)
    return {**told, "sure": False, "answer": told["answer"].replace(" is surely ", " is probably ")}


def shown(found: Identification, corpus: Corpus, other: int) -> dict[str, Any]:
    """An identification for the page."""
    found = replace(found, lines=lengths_of(corpus))
    told = json.loads(found.to_json())
    told["answer"] = PERCENT.sub(" %", told["answer"])
    told["matches"] = [each | in_words(found, match) for each, match in zip(
        told["matches"], found.matches, strict=True)]
    notes = [f"Without a score ({times}): {reason}." for reason, times in found.without.items()]
    if other:
        notes.append(f"Not tried: {other} dialects that read other lines in these files.")
    return {
        **told, "how": "search", "name": corpus.names[0],
        "about": [" ".join([*hint_lines(found), *tried_lines(replace(found, without={}))]), *notes],
        "text": repr(found),
    }  # fmt: skip


def glance(search: Search, corpus: Corpus) -> Generator[tuple[Any, ...], None, list[Round]]:
    """Try only the likeliest guesses, say what each of them leads to, and give those tried."""
    left = search.left
    search.plan([each for each in one_by_one(search.rounds) if each.total >= GLANCE])
    search.left = left  # What a glance leaves out stays unknown
    told, done = -1, 0
    for _ in search.run():
        done += 1
        if told < (told := len(search.guesses)):
            yield 0, 1, so_far(search, corpus, 0)
        else:
            yield 0, 1
    return [*search.rounds[:done]]


def searched(search: Search, corpus: Corpus, other: int) -> Generator[tuple[Any, ...], None, None]:
    """Try the guesses; say how far it is, and from time to time what has been found."""
    costs = [*costs_of(search.rounds)]
    whole, spent, told, due = sum(costs), 0.0, 0, 0.0
    for done, _ in search.run():
        spent += costs[done - 1]
        number = sum(map(len, search.guesses.values()))
        if time.perf_counter() >= due and number != told:
            yield spent / whole, 1, so_far(search, corpus, other)
            told, due = number, time.perf_counter() + OFTEN
        else:
            yield spent / whole, 1


def with_way(
    search: Search, found: Identification
) -> Generator[tuple[Any, ...], None, Identification]:
    """The answer with the way to it from what the files give by default, if there is one."""
    if not found.matches or found.matches[0].setting == found.default.setting:
        return found
    steps = explained(search.variants, found.default.setting, found.matches[0].setting)
    try:
        while True:
            next(steps)
            yield 1, 1
    except StopIteration as stop:
        return replace(found, explanation=stop.value)
    except WRONG:
        return found


def search_for(text: str, texts: Texts, rows: Sequence[Dialect]) -> Search:
    """A search for what was printed; its sentence will hold the number, not the whole line."""
    search = Search(texts, text, rows)
    reported = search.reported
    search.reported = replace(reported, text=f"{reported.number:f}")
    return search


def by_search(request: Mapping[str, Any], blobs: Sequence[Any], text: str) -> Steps:
    """Where a number comes from: tools and their settings, references, lines, and mistakes."""
    corpus = read_corpus(request, blobs, equal=False)
    source = read_entry(request["source"], blobs) if request.get("source") else []
    texts = texts_of(corpus.systems[0], corpus.references, source or None)
    first = search_for(text, texts, [DIALECTS["sacrebleu"]])
    tried = yield from glance(first, corpus)
    rows = rows_for(request, blobs, corpus)
    search, other = search_for(text, texts, rows), len(DIALECTS) - len(rows)
    search.plan([each for each in one_by_one(search.rounds) if each not in tried])
    for each in ("variants", "scores", "exact", "guesses", "tried", "without", "seen"):
        setattr(search, each, getattr(first, each))
    yield from searched(search, corpus, other)
    yield 1, 1, so_far(search, corpus, other)
    for _ in search.look_around():
        yield 1, 1
    found = yield from with_way(search, likely(search.found()))
    answer = {**shown(found, corpus, other), "verdict": origin(found)}
    return {**answer, **way(found.explanation)} if found.explanation else answer


def check_steps(request: Mapping[str, Any], blobs: Sequence[Any]) -> Steps:
    """A printed number beside what the files give."""
    score, signature = (str(request.get(name) or "").strip() for name in ("score", "signature"))
    if not score and not signature:
        raise ValueError("there is nothing to check: type the score that was printed")
    text, signed = read_printed(score, signature)
    request = {**request, "second": None}
    if signed:  # What is wrong with it comes before what is wrong with a file
        reading = from_signature(signed).dialect.reading
        if not (request.get("all") and text):
            corpus = read_corpus(request, blobs, reading)
            return (yield from by_signature(signed, text, corpus))
    return (yield from by_search(request, blobs, text))
