"""Real systems score what sacreBLEU gives them, live and as recorded with the data."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from data import (
    MANIFEST,
    WMT,
    System,
    lines,
    needs,
    oracle,
    references,
    sacrebleu_adding_left_to_right,
    sets,
    streams,
    systems,
)
from hypothesis import settings

from bleu_nb import Bleu, BleuScore, corpus_bleu, smooth, tokenize

sacrebleu = oracle("sacrebleu")

pytestmark = needs(MANIFEST)

SYSTEMS = systems()
TOKENIZERS = ("13a", "none", "char", "intl", "zh")
CHOICES = {
    "tok": "tokenizer",
    "lc": "lowercase",
    "smooth": "smoothing",
    "value": "smoothing_value",
    "order": "max_order",
}
SYSTEMS_A_PAIR = 999 if settings.get_current_profile_name() == "long" else 2
PARALLEL_FILES = tuple(f"ref.{number:02}.txt" for number in range(1, 9))


@pytest.fixture(scope="module", autouse=True)
def left_to_right() -> Iterator[None]:
    """Compare with the bits that sacreBLEU has on every Python up to 3.11."""
    with sacrebleu_adding_left_to_right():
        yield


@cache
def ours(pair: str, candidates: str, files: tuple[str, ...], **choices: Any) -> BleuScore:
    """Our score of a file of candidates."""
    return corpus_bleu(lines(f"{pair}/{candidates}"), references(pair, files), **choices)


def check_live(system: System) -> None:
    """Compare our score with sacreBLEU's own, field by field, to the last bit."""
    mine = ours(system.pair, f"sys.{system.name}.txt", system.reference_files)
    judge = sacrebleu.metrics.BLEU(tokenize=system.tokenizer, force=True)
    theirs = judge.corpus_score(system.candidates, streams(system.references))
    assert mine.value == theirs.score
    assert f"{mine.value:.12f}" == f"{theirs.score:.12f}"
    assert list(mine.precisions) == theirs.precisions
    assert mine.brevity_penalty == theirs.bp
    assert mine.stats.candidate_length == theirs.sys_len
    assert mine.stats.reference_length == theirs.ref_len
    assert list(mine.stats.matches) == theirs.counts
    assert list(mine.stats.totals) == theirs.totals
    assert mine.signature.startswith(f"{judge.get_signature()}|")


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_corpus_equals_sacrebleu(system: System) -> None:
    check_live(system)


@pytest.mark.parametrize("system", [s for s in SYSTEMS if s.pair.startswith("e2e")], ids=str)
def test_blank_reference_line_is_an_empty_reference(system: System) -> None:
    assert any("" in group for group in references(system.pair, PARALLEL_FILES))
    check_live(System(system.pair, system.name, system.tokenizer, PARALLEL_FILES))


def recorded() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Recorded evaluations with our tokenizers; of some systems only, but in a long run."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for pair, facts in sets().items():
        chosen = sorted({each["hyp"] for each in facts["evaluations"]})[:SYSTEMS_A_PAIR]
        for evaluation in facts["evaluations"]:
            if evaluation["opts"].get("tok") in TOKENIZERS and evaluation["hyp"] in chosen:
                found.setdefault((pair, evaluation["hyp"]), []).append(evaluation)
    return found


def printed(score: BleuScore, opts: dict[str, Any]) -> dict[str, Any]:
    """Our score in the fields and digits of a recorded evaluation."""
    counts = zip(score.stats.matches, score.stats.totals, strict=True)
    if opts.get("smooth") == "add-k":
        counts = iter(smooth(score.stats, "add-k", opts["value"]))
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


@pytest.mark.parametrize(("pair", "candidates"), recorded(), ids=lambda part: part)
def test_corpus_equals_recorded_evaluations(pair: str, candidates: str) -> None:
    wrong = []
    for evaluation in recorded()[pair, candidates]:
        opts, files = evaluation["opts"], evaluation["refs"]
        choices = {CHOICES[name]: value for name, value in opts.items()}
        if choices == {"tokenizer": "13a"}:
            choices = {}
        files = (files,) if isinstance(files, str) else tuple(files)
        mine = printed(ours(pair, candidates, files, **choices), opts)
        theirs = {name: evaluation[name] for name in mine}
        if mine != theirs:
            wrong.append((opts, files, mine, theirs))
    assert not wrong


@pytest.mark.parametrize("system", [*SYSTEMS, *systems("none")], ids=str)
def test_sentences_equal_recorded_scores(system: System) -> None:
    header, *rows = (line.split("\t") for line in lines(f"{system.pair}/sentbleu.tsv"))
    theirs = [row[header.index(system.name)] for row in rows]
    metric = Bleu(tokenizer=system.tokenizer)
    scores = metric.sentences(system.candidates, system.references)
    mine = [f"{score.value:.6f}" for score in scores]
    wrong = [entry for entry in enumerate(zip(mine, theirs, strict=True)) if len({*entry[1]}) > 1]
    assert not wrong[:3]


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("pair", sets())
def test_lines_split_as_sacrebleu_splits_them(pair: str, name: str) -> None:
    split = sacrebleu.metrics.BLEU(tokenize=name).tokenizer
    paths = sorted((WMT / pair).glob("*.txt"))
    texts = {line for path in paths for line in lines(f"{pair}/{path.name}")}
    wrong = [text for text in texts if tokenize(text, name) != split(text.rstrip()).split()]
    assert texts
    assert not wrong[:3]
