"""The playground's only Python: one question as plain JSON, one answer as plain JSON.

It runs in the browser, where there is nothing but the standard library and `bleu_nb`, and in
CPython, where the tests ask it the same questions.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bleu_nb import (
    DIALECTS,
    SMOOTHINGS,
    TOKENIZERS,
    Bleu,
    BleuScore,
    Dialect,
    __version__,
    explain,
)
from bleu_nb.aligning import alignment
from bleu_nb.drawing import Svg
from bleu_nb.explanation import title_of
from bleu_nb.explanation_pictures import waterfall
from bleu_nb.receipts import anatomy
from bleu_nb.scoring import tokens_of
from bleu_nb.tokenizers import SACREBLEU_NAMES

CHOICES = ("tokenizer", "max_order", "smoothing", "smoothing_value", "lowercase")
WRONG = (ValueError, TypeError, ArithmeticError, IndexError, ImportError, OSError)
MOST_TOKENS = 200  # More than that on one side is scored, but not drawn
ORDERS = range(1, 10)

CATS = ["the cat is on the mat", "there is a cat on the mat"]
PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands.",
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party.",
    "It is the practical guide for the army always to heed the directions of the party.",
]
EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "name": "The boat",
        "about": "One sentence and two translations by people, as on the front page.",
        "candidate": "In winter the boat came once a month.",
        "references": [
            "In winter the boat came only once a month.",
            "In the winter months the boat came just once a month.",
        ],
        "dialect": "sacrebleu",
        "against": "nltk",
    },
    {
        "name": "The parrot",
        "about": "Two of its seven words are credited, the rest are clipped (chapter 01).",
        "candidate": "the the the the the the the",
        "references": CATS,
        "dialect": "papineni",
        "max_order": 1,
        "against": "sacrebleu",
    },
    {
        "name": "The mumble",
        "about": "Each word is right and most are missing: the brevity penalty (chapter 02).",
        "candidate": "the the",
        "references": CATS,
        "dialect": "papineni",
        "max_order": 1,
        "against": "nltk",
    },
    {
        "name": "The ships",
        "about": "No pair of words matches, and a zero that is left out counts as perfect "
        "(chapter 04).",
        "candidate": "ship ship ship",
        "references": ["this is a ship", "it is ship", "ship it is", "a ship, it is"],
        "dialect": "nltk-3.2",
        "against": "sacrebleu",
    },
    {
        "name": "The paper's first",
        "about": "Candidate 1 of Papineni et al. (2002), example 1.",
        "candidate": "It is a guide to action which ensures that the military always obeys the "
        "commands of the party.",
        "references": PARTY,
        "dialect": "papineni",
        "against": "sacrebleu",
    },
    {
        "name": "The paper's second",
        "about": "Candidate 2 of the same example, the worse one.",
        "candidate": "It is to insure the troops forever hearing the activity guidebook that party "
        "direct.",
        "references": PARTY,
        "dialect": "papineni",
        "against": "sacrebleu",
    },
    {
        "name": "Where a token ends",
        "about": "Quotation marks and full stops stick to words in nltk (chapter 05).",
        "candidate": '"The sea forgets nothing," he would say.',
        "references": ['"The sea forgets nothing," he often said.'],
        "dialect": "nltk",
        "against": "sacrebleu",
    },
    {
        "name": "Chinese",
        "about": "Without spaces the tokenizer decides what a word is (chapter 05).",
        "candidate": "冬天，船每月来一次。",
        "references": ["冬天，船每月只来一次。", "冬季里，船一个月才来一次。"],
        "dialect": "sacrebleu",
        "tokenizer": "zh",
        "against": "sacrebleu",
    },
)


def answer(question: str) -> str:
    """The answer to a question, both as JSON."""
    return json.dumps(respond(json.loads(question)))


def respond(request: Mapping[str, Any]) -> dict[str, Any]:
    """What there is to choose from, or a score with its pictures; or an `error` in words."""
    try:
        return menus() if request.get("ask") == "menus" else scored(request)
    except WRONG as error:
        return {"error": str(error) or type(error).__name__}


def menus() -> dict[str, Any]:
    """What there is to choose from."""
    return {
        "version": __version__,
        "dialects": [dialect_entry(row) for row in DIALECTS.values()],
        "tokenizers": [name for name in TOKENIZERS if name not in SACREBLEU_NAMES],
        "left_out": list(SACREBLEU_NAMES),
        "smoothings": [
            {"name": name, "source": rule.source, "value": rule.value}
            for name, rule in SMOOTHINGS.items()
        ],
        "orders": list(ORDERS),
        "examples": list(EXAMPLES),
    }


def dialect_entry(row: Dialect) -> dict[str, Any]:
    """A dialect with the choices that the page offers to change."""
    return {
        "name": row.name,
        "version": row.version,
        "source": row.source,
        **{name: getattr(row, name) for name in CHOICES},
    }


def changes(request: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that are not the dialect's own."""
    asked = {name: request.get(name) for name in CHOICES}
    return {name: value for name, value in asked.items() if value is not None and value != ""}


def scored(request: Mapping[str, Any]) -> dict[str, Any]:
    """One candidate, scored, drawn and compared with what another dialect makes of it."""
    candidate, references = request["candidate"], list(request["references"])
    first = Bleu(request["dialect"], **changes(request))
    second = Bleu(request["against"])
    score = first.sentence(candidate, references)
    longest = max(len(tokens_of(first.dialect, text)) for text in (candidate, *references))

    def aligned() -> Svg:
        if longest > MOST_TOKENS:
            raise ValueError(f"{longest} tokens are too many to draw, more than {MOST_TOKENS}")
        return alignment(candidate, references, first.dialect.max_order, first.dialect)

    return {
        "value": repr(score.value),
        "scale": score.scale,
        "line": score.line(),
        "words": in_words(score),
        "alignment": drawn(aligned),
        "anatomy": drawn(lambda: anatomy(score)),
        "explanation": explained(candidate, references, first.dialect, second.dialect),
        "call": call(request, first.dialect, second.dialect),
    }


def drawn(draw: Callable[[], Svg]) -> dict[str, str]:
    """The markup of a picture, or why there is none."""
    try:
        return {"markup": draw().markup}
    except WRONG as error:
        return {"error": str(error) or type(error).__name__}


def in_words(score: BleuScore) -> str:
    """The score as a sentence that can be read aloud."""
    digits = 2 if score.scale > 1 else 4
    shares = ", ".join(f"{each:.{digits - 1}f}" for each in score.precisions)
    stats = score.stats
    return (
        f"BLEU {score.value:.{digits}f} of {score.scale}. Precisions {shares}. "
        f"Brevity penalty {score.brevity_penalty:.3f}: {stats.candidate_length} tokens for "
        f"{stats.reference_length:g}."
    )


def of_a_sentence(row: Dialect) -> Dialect:
    """The row as it scores one sentence, for `explain`, which scores corpora."""
    always = row.effective_order == "sentences"
    return replace(row, effective_order="always") if always else row


def explained(
    candidate: str, references: list[str], first: Dialect, second: Dialect
) -> dict[str, str]:
    """The way from the first score to the second, as a picture and as text."""
    try:
        rows = of_a_sentence(first), of_a_sentence(second)
        found = explain([candidate], [references], *rows)
    except WRONG as error:
        return {"error": str(error) or type(error).__name__}
    found = replace(found, first=title_of(first), second=title_of(second))
    return {"markup": waterfall(found).markup, "text": repr(found)}


def call(request: Mapping[str, Any], first: Dialect, second: Dialect) -> str:
    """Python that gives the same score and the same explanation."""
    chosen = "".join(f", {name}={value!r}" for name, value in changes(request).items())
    references = "".join(f"    {reference!r},\n" for reference in request["references"])
    return (
        "from bleu_nb import Bleu, explain, sentence_bleu\n\n"
        f"candidate = {request['candidate']!r}\n"
        f"references = [\n{references}]\n"
        f"score = sentence_bleu(candidate, references, {first.name!r}{chosen})\n"
        "explanation = explain(\n"
        "    [candidate], [references],\n"
        f"    {metric(first.name, chosen, first)},\n"
        f"    {metric(second.name, '', second)},\n"
        ")\n"
    )


def metric(name: str, chosen: str, row: Dialect) -> str:
    """The Python of a metric that scores a corpus as it would score a sentence."""
    sentence = of_a_sentence(row)
    more = "" if sentence is row else f", effective_order={sentence.effective_order!r}"
    return f"Bleu({name!r}{chosen}{more})"
