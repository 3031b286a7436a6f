"""What a reader may type over or move in a chapter: below which cell, and with what numbers.

The page holds data only. docs/static/editors.js and docs/static/movable.js make controls of it, so
that without JavaScript there is nothing that does not work.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from typing import Any

Known = Mapping[str, Any]  # What the cells of a chapter assign
Data = dict[str, Any]


def below(page: str, cell: str, known: Known) -> str | None:
    """The place for the controls below a cell, if it has any, with their data."""
    if (page, cell) not in BELOW:
        return None
    kind, data = BELOW[page, cell]
    told = json.dumps(data(known), ensure_ascii=False)
    return (f'<div class="hands-on" data-kind="{kind}" id="change-{cell}" '
            f'data-start="{escape(told)}"></div>')


def is_editor(page: str, cell: str) -> bool:
    """Whether the sentence above can be typed over right there."""
    return (page, cell) in BELOW and BELOW[page, cell][0] in EDITORS


def editors(page: str, known: Known) -> dict[tuple[str, str], str]:
    """Candidate and references, one per line, of what can be typed over on a page -> its anchor."""
    found = {}
    for (name, cell), (kind, data) in BELOW.items():
        if name == page and kind in EDITORS:
            told = data(known)
            lines = told.get("references", [told["candidate"]])
            found[told["candidate"], "\n".join(lines)] = f"#change-{cell}"
    return found


def words(name: str) -> Callable[[Known], Data]:
    """The sentence that a chapter has under a name."""
    return lambda known: {"candidate": " ".join(known[name])}


def sentences(candidate: str, *references: str) -> Callable[[Known], Data]:
    """A candidate and its references: a name for each of them, or one name for all."""
    def found(known: Known) -> Data:
        named = [known[name] for name in references]
        several = named if isinstance(named[0][0], str) else named[0]
        return {**words(candidate)(known), "references": [" ".join(each) for each in several]}
    return found


def curve(known: Known) -> Data:
    """The lengths that the chapter marks on its curve, and the ratio at which the curve ends."""
    return {"candidate": len(known["mumble"]), "reference": len(known["references"][0]), "end": 1.5}


def lengths(known: Known) -> Data:
    """A candidate's length, and those that the rules choose from."""
    return {"candidate": len(known["outage"]), "references": [len(each) for each in known["human"]]}


def two_sentences(known: Known) -> Data:
    """What is counted of the good sentence and of the noise."""
    references = [[known["reference"]]]
    return {"texts": {name: counted([known[name]], references) for name in ("good", "noise")}}


@cache
def two_systems() -> dict[str, Data]:
    """What is counted of the two systems of the example, split at white space."""
    from bleu_nb.files.reading import example_path

    def read(name: str) -> list[list[str]]:
        lines = example_path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
        return [line.split() for line in lines]
    references = [[*pair] for pair in zip(read("reference_1"), read("reference_2"), strict=True)]
    return {name: counted(read(name.lower()), references) for name in ("Heron", "Kestrel")}


def counted(candidates: list[list[str]], references: list[list[list[str]]]) -> Data:
    """The statistics of a text."""
    from bleu_nb.derivation.bleu import count_segment, sum_stats

    stats = sum_stats([count_segment(c, r) for c, r in zip(candidates, references, strict=True)])
    return {"matches": stats.matches, "totals": stats.totals,
            "candidate": stats.candidate_length, "reference": stats.reference_length}


EDITORS = {"counts", "clipped", "penalty", "score"}
# (page, cell) -> what can be done there, and the data to start with
BELOW: dict[tuple[str, str], tuple[str, Callable[[Known], Data]]] = {
    ("00_by_hand", "a4e0fc31"): ("score", sentences("candidate", "first", "second")),
    ("01_ngrams", "9bb97789"): ("counts", words("ship")),
    ("02_precision", "a30eed00"): ("clipped", sentences("parrot", "references")),
    ("03_brevity", "4b62809a"): ("penalty", sentences("mumble", "references")),
    ("03_brevity", "b6c7424e"): ("curve", curve),
    ("01_length_rules", "d948aac3"): ("rules", lengths),
    ("04_bleu", "50192915"): ("score", sentences("boat", "humans_said")),
    ("04_bleu", "880e8f4b"): ("orders", lambda known: {"texts": two_systems()}),
    ("13_formula", "6686f0cd"): (
        "weights", lambda known: {"texts": {"Heron": two_systems()["Heron"]}}),
    ("05_smoothing", "46cc40e3"): ("smoothing", two_sentences),
    ("02_smoothers", "8bd2e323"): ("method4", two_sentences),
}
