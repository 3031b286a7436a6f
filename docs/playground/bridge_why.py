"""Why another tool or setting would print another number of the same files."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any

from bridge_files import Corpus, metric_for, pairs_of, read_corpus
from bridge_sentence import WRONG
from bridge_verdict import other_number

from bleu_nb import DIALECTS, Bleu, Dialect
from bleu_nb.diagnosis.causes import Setting, Texts, Variants
from bleu_nb.diagnosis.explanation import Explanation, explain_settings, mix, parts_between
from bleu_nb.diagnosis.guesses import VARIATIONS
from bleu_nb.dialects.signatures import in_words, value_in_words
from bleu_nb.display.explanation_charts import waterfall

Explained = Generator[tuple[int, int], None, Explanation]  # How much is done, of how much
KNOWN: dict[Any, Variants] = {}  # The last, so that a second question need not count again


def change_in_words(change: Mapping[str, Any]) -> str:
    """A change of a dialect, as the package's words for it."""
    if "average" in change:
        return in_words(replace(DIALECTS["sacrebleu"], **change)).partition(", ")[2]
    return ", ".join(f"{name.replace('_', ' ')} {value_in_words(value)}"
                     for name, value in change.items() if value is not None)


CHANGES = {change_in_words(change): change for change, _ in VARIATIONS}


def other_dialect(words: str, chosen: Dialect) -> Dialect:
    """The tool of that name, or what was chosen with one change."""
    if words in CHANGES:
        return replace(chosen, **CHANGES[words])
    return Bleu(words).dialect


def explained(variants: Variants, first: Setting, second: Setting) -> Explained:
    """The way from one setting to another; in steps, of which the first ones take longest."""
    names, done = [*parts_between(first, second)], 0
    for size in range(len(names) + 1):
        for group in combinations(names, size):
            with suppress(*WRONG):  # `explain_settings` says it better
                variants.value(mix(first, second, group))
            done += 1
            yield done - 1, 2 ** len(names)
    return explain_settings(variants, first, second)


def drawn(found: Explanation) -> dict[str, str]:
    """An explanation as a picture, for a page and for a phone, and in words."""
    svg = waterfall(found)
    return {"markup": svg.markup, "narrow": svg.narrow, "text": repr(found)}


def variants_of(corpus: Corpus, reading: str, longest: int) -> Variants:
    """What scores the first system's lines in many ways."""
    key = corpus.keys[0], reading, max(5, longest)
    if key not in KNOWN:
        KNOWN.clear()
        KNOWN[key] = Variants(Texts(pairs_of(corpus)), longest)
    return KNOWN[key]


def why_steps(
    request: Mapping[str, Any], blobs: Sequence[Any]
) -> Generator[tuple[int, int], None, dict[str, Any]]:
    """From the chosen settings to another's, on the lines of the first system."""
    chosen = metric_for(request).dialect
    other = other_dialect(request["against"], chosen)
    corpus = read_corpus({**request, "second": None}, blobs, chosen.reading)
    longest = max(chosen.max_order, other.max_order)
    variants = variants_of(corpus, chosen.reading, longest)
    found = yield from explained(variants, Setting(chosen), Setting(other))
    [name] = corpus.names
    return {**drawn(found), "name": name, "value": repr(found.second_score.value),
            "notes": reading_of(request, blobs, corpus, other),
            "verdict": [other_number(found, name if request.get("second") else "")]}


def reading_of(
    request: Mapping[str, Any], blobs: Sequence[Any], corpus: Corpus, other: Dialect
) -> list[str]:
    """That a tool would read other lines in these files, if so."""
    with suppress(ValueError):
        theirs = read_corpus({**request, "second": None}, blobs, other.reading)
        if (theirs.systems, theirs.references) == (corpus.systems, corpus.references):
            return []
    return [f"{other.name} ends lines elsewhere in these files than is done here; shown is what it "
            "would make of the same lines"]
