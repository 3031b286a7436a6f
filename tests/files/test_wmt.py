"""Real systems score what sacreBLEU gives them, live and as recorded with the data."""

from functools import cache
from typing import Any

import pytest
from data import (
    MANIFEST,
    NAMES,
    System,
    lines,
    names,
    names_in,
    needs,
    read_json,
    references,
    sets,
    streams,
    systems,
)
from hypothesis import settings

from bleu_nb import Bleu, BleuScore, BleuStats, corpus_bleu
from bleu_nb.derivation import add_k

pytestmark = needs(MANIFEST)

SYSTEMS = systems()
STORED = read_json(NAMES)
TOKENIZERS = ("13a", "none", "char", "intl", "zh")
CHOICES = {
    "tok": "tokenizer",
    "lc": "lowercase",
    "smooth": "smoothing",
    "value": "smoothing_value",
    "order": "max_order",
}
SYSTEMS_A_PAIR = 999 if settings.get_current_profile_name() == "long" else 2


def test_the_stored_names_are_those_of_the_data() -> None:
    found = names_in(read_json(MANIFEST))
    if found["pack"] != STORED["pack"]:
        pytest.skip(f"the names are of the pack {STORED['pack']!r}, here is {found['pack']!r}")
    assert found == STORED


@cache
def ours(pair: str, candidates: str, files: tuple[str, ...], **choices: Any) -> BleuScore:
    """Our score of a file of candidates."""
    return corpus_bleu(lines(f"{pair}/{candidates}"), references(pair, files), **choices)


def first_of_each_pair(systems: list[System]) -> list[Any]:
    """All systems, all but the first of each pair marked as slow."""
    pairs = [system.pair for system in systems]
    return [system if system.pair not in pairs[:place]
            else pytest.param(system, marks=pytest.mark.slow)
            for place, system in enumerate(systems)]


@pytest.mark.parametrize("system", first_of_each_pair(SYSTEMS), ids=str)
def test_corpus_equals_sacrebleu(sacrebleu: Any, system: System) -> None:
    """Field by field, to the last bit."""
    mine = ours(system.pair, f"sys.{system.name}.txt", system.reference_files)
    judge = sacrebleu.BLEU(tokenize=system.tokenizer, force=True)
    theirs = judge.corpus_score(system.candidates, streams(system.references))
    stats = BleuStats(tuple(theirs.counts), tuple(theirs.totals), theirs.sys_len, theirs.ref_len)
    assert (mine.value, [*mine.precisions], mine.brevity_penalty, mine.stats) == (
        theirs.score, theirs.precisions, theirs.bp, stats)
    assert mine.signature.startswith(f"{judge.get_signature()}|")


EVALUATED = [
    (pair, candidates)
    for pair, facts in names().items()
    for candidates in list(facts["evaluated"])[:SYSTEMS_A_PAIR]
    if {*facts["evaluated"][candidates]} & {*TOKENIZERS}
]


def printed(score: BleuScore, opts: dict[str, Any]) -> dict[str, Any]:
    """Our score in the fields and digits of a recorded evaluation."""
    counts = zip(score.stats.matches, score.stats.totals, strict=True)
    if opts.get("smooth") == "add-k":
        counts = iter(add_k(score.stats, opts["value"]))
    matches, totals = zip(*counts, strict=True)
    return {
        "score": round(score.value, 10),
        "precisions": [round(precision, 10) for precision in score.precisions],
        "counts": list(matches),
        "totals": list(totals),
        "bp": round(score.brevity_penalty, 10),
        "sys_len": score.stats.candidate_length,
        "ref_len": score.stats.reference_length,
        "signature": score.signature.partition("|order:")[0],
    }


@pytest.mark.parametrize(("pair", "candidates"), EVALUATED, ids=lambda part: part)
def test_corpus_equals_recorded_evaluations(pair: str, candidates: str) -> None:
    """Evaluations with our tokenizers; of some systems only, but in a long run."""
    evaluations = [
        each for each in sets()[pair]["evaluations"]
        if each["hyp"] == candidates and each["opts"].get("tok") in TOKENIZERS]
    assert evaluations
    for evaluation in evaluations:
        opts, files = evaluation["opts"], evaluation["refs"]
        choices = {CHOICES[name]: value for name, value in opts.items()}
        mine = printed(ours(pair, candidates, (
            (files,) if isinstance(files, str) else tuple(files)), **choices), opts)
        assert mine == {name: evaluation[name] for name in mine}, (opts, files)


@pytest.mark.parametrize("system", first_of_each_pair([*SYSTEMS, *systems("none")]), ids=str)
def test_sentences_equal_recorded_scores(system: System) -> None:
    header, *rows = (line.split("\t") for line in lines(f"{system.pair}/sentbleu.tsv"))
    counts = Bleu(tokenizer=system.tokenizer).count(system.candidates, system.references)
    assert [f"{score.value:.6f}" for score in counts.sentences()] == [
        row[header.index(system.name)] for row in rows]
