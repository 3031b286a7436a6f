"""Every row of the table of dialects, and live tools on corpora that Hypothesis makes up."""

import ast
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from data import oracle, streams
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bleu_nb
from bleu_nb import (
    DIALECTS,
    Bleu,
    BleuScore,
    BleuStats,
    Counts,
    Dialect,
    compare_systems,
    explain,
    pairwise_bleu,
)
from bleu_nb.derivation import count_segment
from bleu_nb.dialects import SMOOTHINGS
from bleu_nb.dialects import definition as scoring
from bleu_nb.dialects.formula_variants import (
    ARITHMETICS,
    LENGTH_RULES,
    LOG_PENALTIES,
    Arithmetic,
    Smoothing,
)
from bleu_nb.dialects.signatures import (
    from_signature,
    signature,
    signature_fields,
)
from bleu_nb.dialects.table import (
    CASINGS,
    READINGS,
)

Tokens = list[str]
Corpus = list[tuple[Any, list[Any]]]

SINGLE = 1.2e-7  # A step of single precision at 1
ONE = count_segment(["a"], [["a"]])

SENTENCE = st.lists(st.sampled_from("abc"), max_size=9)
SEGMENT = st.tuples(SENTENCE, st.lists(SENTENCE, min_size=1, max_size=3))
CORPUS = st.lists(SEGMENT, min_size=1, max_size=4)

PIECES = [*"abB1", "ab", "2.5", *".,-'$", "&amp;", "&quot;", " ", " ", "  "]
TEXT = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
TEXT_CORPUS = st.lists(
    st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4
)
WIDE = ["語", "文", "é", "İ", "“", "١", "½", "€", "。", "\u3000"]
WIDE_TEXT = st.lists(st.sampled_from(PIECES + WIDE), max_size=12).map("".join)
WIDE_CORPUS = st.lists(
    st.tuples(WIDE_TEXT, st.lists(WIDE_TEXT, min_size=1, max_size=3)), min_size=1, max_size=4
)
WEIGHTS = [(1.0,), (0.5, 0.5), (0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1), (0.2,) * 5, (1 / 3,) * 3]


def sides(corpus: Corpus) -> tuple[list[Any], list[list[Any]]]:
    """The candidates, and the references of each."""
    return [candidate for candidate, _ in corpus], [group for _, group in corpus]


def comes_back(text: str, row: Dialect) -> Dialect:
    """What a signature says, which must be a row but for what no signature holds."""
    reading = from_signature(text)
    assert reading.unspecified == ()
    own = {"smoothing_value": None, "source": "", "splits": False}
    assert replace(reading.dialect, **own) == replace(row, **own)
    value = SMOOTHINGS[row.smoothing].value if row.smoothing_value is None else row.smoothing_value
    assert reading.dialect.smoothing_value in (None, value)
    return reading.dialect


# The table


@pytest.mark.parametrize("name", DIALECTS)
def test_a_row_names_itself_scores_and_comes_back_from_its_signature(name: str) -> None:
    row = DIALECTS[name]
    assert row.name == name and row.version and row.source.startswith("https://")
    assert not set("|:") & set(row.name + row.version)
    assert eval(repr(row), {"Dialect": Dialect}) == row
    score = Bleu(name)(["a b c d e"], [["a b c d e", "a b"]])
    assert 0 < score.value <= row.scale * (1 + 1e-12)
    assert f"|dialect:{name}|bleu_nb:" in score.signature
    assert 0 <= Bleu(name).sentence("a b", ["c d"]).value < score.value
    effective = "always" if row.effective_order == "always" else "never"
    found = comes_back(score.signature, replace(row, effective_order=effective))
    assert (found.source, found.splits) == (row.source, row.splits)
    assert Bleu(found)(["a b c d e"], [["a b c d e", "a b"]]).signature == score.signature


@pytest.mark.parametrize("field", [
    field.name for field in fields(Dialect)[5:]
    if field.name not in ("max_order", "weights", "smoothing_value", "digits")])
def test_a_row_with_a_choice_that_does_not_exist_is_refused(field: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r".+"):
        replace(DIALECTS["sacrebleu"], **{field: "no such choice"})


ASKS = re.compile(rf"'({'|'.join(map(re.escape, DIALECTS))})'|(dialect|row)\.name\b")


def names_asked(code: str) -> list[str]:
    """The dialects' names that code compares with or matches, and each `row.name`."""
    asked = [getattr(each, "pattern", each) for each in ast.walk(ast.parse(code))
             if isinstance(each, (ast.Compare, ast.match_case))]
    return [found[0] for each in asked for found in ASKS.finditer(ast.unparse(each))]


def test_no_code_asks_for_the_name_of_a_dialect() -> None:
    assert names_asked('if d.kind == "nltk" or "coco" in names or row.name == x: pass') == [
        "'nltk'", "'coco'", "row.name"]
    assert [path for path in Path(bleu_nb.__file__).parent.rglob("*.py")
            if names_asked(path.read_text(encoding="utf-8"))] == []


# Signatures


SACREBLEU = {
    "tokenize": st.sampled_from(["13a", "intl", "char", "zh", "none"]),
    "smooth_method": st.sampled_from(["exp", "none", "floor", "add-k"]),
    "smooth_value": st.sampled_from([None, 0, 0.25, 1.5, 3]),
    "lowercase": st.booleans(),
    "effective_order": st.booleans(),
    "max_ngram_order": st.integers(1, 6),
}
SPACED = CORPUS.map(lambda corpus: [
    (" ".join(candidate), [*map(" ".join, references)]) for candidate, references in corpus])


@pytest.mark.parametrize("short", [False, True], ids=["long", "short"])
@given(choices=st.fixed_dictionaries(SACREBLEU), corpus=TEXT_CORPUS | SPACED)
def test_a_signature_of_sacrebleu_is_a_metric(
    sacrebleu: Any, short: bool, choices: dict[str, Any], corpus: Corpus
) -> None:
    valued = choices["smooth_method"] in ("floor", "add-k")
    metric = sacrebleu.BLEU(**choices if valued else {**choices, "smooth_value": None})
    candidates, references = sides(corpus)
    theirs = metric.corpus_score(candidates, streams(references))
    read = Bleu.from_signature(metric.get_signature().format(short=short))
    assert [each.partition(":")[0] for each in read.unspecified] == [
        *["smoothing_value"] * valued, "max_order"]
    assert read.unspecified[-1] == "max_order: 4 is used"
    score = Bleu(read.dialect, max_order=choices["max_ngram_order"])(candidates, references)
    assert (score.value, [*score.precisions], score.brevity_penalty, score.stats.candidate_length,
            score.stats.reference_length) == (
        theirs.score, theirs.precisions, theirs.bp, theirs.sys_len, theirs.ref_len)
    assert score.signature.startswith(f"{metric.get_signature().format(short=False)}|"
                                      f"order:{choices['max_ngram_order']}|dialect:sacrebleu|")


LABEL = st.text(st.characters(), max_size=8) | st.sampled_from([
    "mine|lowercase:True", "a:b", "a = b", "a=b", "a\nb", "\u2028", " a", "a ", "a  b", "(BP = 1)",
    "1.0",
])
MADE = {
    "reading": st.sampled_from([*READINGS]),
    "tokenizer": st.sampled_from(["13a", "none", "char", "zh-fixed", "mteval-intl", "keras-hub"]),
    "lowercase": st.booleans(),
    "casing": st.sampled_from([*CASINGS]),
    "strip": st.booleans(),
    "max_order": st.integers(1, 100),
    "reference_length": st.sampled_from([*LENGTH_RULES]),
    "least_total": st.sampled_from([0, 1]),
    "end_token": st.booleans(),
    "counting": st.sampled_from(["clipped", "google"]),
    "weights": st.none() | st.sampled_from(WEIGHTS) | st.lists(st.floats(0, 1), max_size=5),
    "reweigh": st.booleans(),
    "smoothing": st.sampled_from(sorted(SMOOTHINGS)),
    "smoothing_value": st.none() | st.floats() | st.integers(-1, 3),
    "unmatched": st.sampled_from(["zero", "zero per order", "smoothed"]),
    "effective_order": st.sampled_from(["always", "never"]),
    "penalty": st.sampled_from(sorted(LOG_PENALTIES)),
    "arithmetic": st.sampled_from(sorted(ARITHMETICS)),
    "average": st.sampled_from(["pooled", "segments"]),
    "scale": st.sampled_from([1, 100]),
    "digits": st.none() | st.integers(-1, 16),
}


@settings(max_examples=400)
@given(
    name=LABEL | st.sampled_from(sorted(DIALECTS)),
    version=LABEL,
    choices=st.fixed_dictionaries({}, optional=MADE),
)
@example(name="mine|lowercase:True", version="1", choices={})
@example(name="mine", version="1|smooth:none", choices={})
@example(name="nltk", version="9.9", choices={"weights": (-0.0, 1.0), "max_order": 2})
@example(name="a", version="", choices={"smoothing": "floor", "smoothing_value": 1 / 3})
@example(name="a", version="1", choices={"smoothing": "floor", "smoothing_value": 1e308})
@example(name="a", version="1", choices={"weights": (1e-300, 1.0), "max_order": 2})
def test_every_dialect_comes_back_from_its_signature(
    name: str, version: str, choices: dict[str, Any]
) -> None:
    if isinstance(choices.get("weights"), tuple):
        choices = {"max_order": len(choices["weights"]), **choices}
    effective = choices.setdefault("effective_order", "never") == "always"
    try:
        row = Dialect(name, version, **choices)
    except ValueError:
        return
    for number in ("1", "var"):
        signed = signature(row, number, effective)
        assert "\n" not in signed and signed.isprintable()
        score = BleuScore(1.0, (1.0,), 1.0, ONE, row.scale, signed)
        printed = f"BLEU|{signed} = {score.numbers()}"
        for text in (signed, str(score), printed, f" {score.line(9)}\n"):
            assert signature(comes_back(text, row), number, effective) == signed


@pytest.mark.parametrize("field", ["name", "version", "label"])
@pytest.mark.parametrize(
    "label",
    ["a|b", "a:b", "a=b", "a\nb", "a\x1b[2J", "a\u2028b", "a\xa0b", "\udcff", " a", "a ", 5, None],
)
def test_a_label_that_a_signature_cannot_hold_is_refused(field: str, label: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=f"the {field}") as caught:
        replace(DIALECTS["sacrebleu"], **{field: label})
    assert str(caught.value).isprintable()


def test_a_function_is_a_tokenizer_that_no_signature_gives_back() -> None:
    def split(text: str) -> list[str]:
        return text.split()

    split.__qualname__ = "a|case:lc\x1b[2J\n\u202e\x00"
    metric = Bleu(tokenizer=split)
    score = metric(["A"], [["A"]])
    assert "case:mixed" in score.signature and str(score).isprintable()
    for shown in (repr(metric), repr(metric.dialect)):
        assert shown.isprintable() and "[2J" in shown
    with pytest.raises(ValueError, match="the tokenizer was a function"):
        from_signature(score.signature)


SIGNED = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
OURS = f"{SIGNED}|order:4|dialect:sacrebleu"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{SIGNED}|order:x", "cannot read order in a signature, 'x': it must be a whole number"),
        (f"{SIGNED}|order:4.0", "such as order:4"),
        (f"{SIGNED}|order:٤", "such as order:4"),
        (f"{SIGNED}|order:1_0", "such as order:4"),
        (f"{SIGNED}|order:{'9' * 10**5}", "such as order:4"),
        (f"{SIGNED}|order:100000000", "at most 100"),
        (SIGNED.replace("exp", "floor[x]"), "with a value in brackets, such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[0.1"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[0.1]]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[nan]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[1e999]"), "must be finite, not '1e999'"),
        (SIGNED.replace("exp", "exq"), "did you mean 'exp'?"),
        (SIGNED.replace("mixed", "upper"), "no case of a signature 'upper'"),
        (f"{OURS}|weights:{'-' * 10**5}", "must be numbers, or None, such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:{'(' * 10**5}", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:({'1,' * 10**5})", "100000 weights for 4 orders"),
        (f"{OURS}|weights:()", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:(0.5,)", "1 weights for 4 orders"),
        (f"{OURS}|weights:(1,nan,0,0)", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:__import__", "such as weights:(0.5,0.5)"),
        (f"{OURS}|digits:two", "such as digits:2"),
        (f"{OURS}|smoothing_value:1j", "such as smoothing_value:0.125"),
        (f"{OURS}|scale:10", "no scale of a signature '10'"),
        (f"{OURS}|reference_length:average",
         "choose from 'closest', 'first', 'shortest', 'closest-9999'"),  # As of earlier versions
        (f"{OURS}|penalty:strikt", "did you mean 'strict'?"),
        (f"{OURS}|lowercase:True", "lowercase:True; use case:"),
        (f"{OURS}|tokenizer:none", "tokenizer:none; use tok:"),
        (f"{SIGNED}|case:lc", "must contain each field only once"),
        (f"{SIGNED}|c:lc", "must contain each field only once"),
        ("tok:13a|dialect:my\x1bown", "which has a meaning in signatures"),
        *((text, "not a signature") for text in (
            "", "BLEU", "nrefs:1|case", "a+b", "63.4", "nrefs:1|eff:no")),
    ],
    ids=lambda text: text[-30:],
)
def test_what_a_signature_cannot_say_is_named(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        from_signature(text)
    assert len(str(caught.value)) < 900


@pytest.mark.parametrize(
    ("text", "name", "choices"),
    [
        ("nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp|version:2.6.0", "sacrebleu",
         {"tokenizer": "ja-mecab", "effective_order": "never"}),
        ("#:var|bs:1000|rs:12345|c:lc|e:yes|tok:ko-mecab-0.996/ko-0.9.2-KO|s:floor[0.10]|v:2.6.0",
         "sacrebleu",
         {"tokenizer": "ko-mecab", "lowercase": True, "effective_order": "always",
          "smoothing": "floor", "smoothing_value": 0.1}),
        ("BLEU+case.lc+lang.en-de+numrefs.1+smooth.exp+test.wmt14/full+tok.intl+version.1.2.12",
         "sacrebleu-1", {"lowercase": True, "tokenizer": "intl"}),
    ],
)
def test_a_published_signature_is_a_row(text: str, name: str, choices: dict[str, Any]) -> None:
    reading = from_signature(text)
    assert reading.dialect == replace(DIALECTS[name], **choices)
    assert "max_order: 4 is used" in reading.unspecified


# Weights


@pytest.mark.parametrize(("field", "value"), [
    ("weights", (1, 0, 0, 0)), ("reweigh", True), ("weights", (0.7, 0.1, 0.1, 0.1))])
@pytest.mark.parametrize("name", DIALECTS)
def test_weights_are_heeded_or_refused(name: str, field: str, value: Any) -> None:
    """An order without weight needs no match."""
    texts = ["a b c d e f g"], [["a b c d x e f g"]]
    try:
        metric = Bleu(name, **{field: value})
        one, other = metric(["a"], [["a"]]).value, metric(*texts).value
    except ValueError as error:
        assert field in str(error)
    else:
        assert 0 <= one <= DIALECTS[name].scale * (1 + 1e-12)
        assert other != Bleu(name)(*texts).value or field == "reweigh"


# Digits


@pytest.mark.parametrize("engine", ["definition", "numpy"])
def test_a_mean_is_rounded_at_the_end(engine: str) -> None:
    corpus = (["a b c d e", "a b c x d e f", "a b c d"],
              [["a b c d"], ["a b c y d e f"], ["a b c d e f"]])
    exact, rounded = (Bleu(average="segments", digits=digits, engine=engine)(*corpus).value
                      for digits in (None, 2))
    assert rounded == round(exact, 2) != exact


# Live tools


SPARSE = st.lists(
    st.tuples(
        st.lists(st.sampled_from("ab"), max_size=3),
        st.lists(st.lists(st.sampled_from("ab"), max_size=4), min_size=1, max_size=3),
    ), min_size=1, max_size=4,
)  # fmt: skip
QUARTERS = (0.25,) * 4
WEIGHED = [
    None, *WEIGHTS, QUARTERS, (0.25, 0.25, 0.5), (0.5, 0.25, 0.25, 0.0), (0.25,) * 3 + (0.1, 0.15),
]  # fmt: skip
PAIR = (["a", "b"], [["a", "b"]])


@pytest.mark.filterwarnings("ignore:.*The hypothesis contains 0 counts:UserWarning")
@pytest.mark.parametrize("reweigh", [False, True])
@pytest.mark.parametrize("method", range(8))
@given(corpus=CORPUS | SPARSE, weights=st.sampled_from(WEIGHED))
@example(corpus=[(["a"], [["a"]])], weights=None)
@example(corpus=[(["a", "b"], [["a", "b", "c"]]), ([], [["a"]])], weights=None)
@example(corpus=[PAIR], weights=(0.1, 0.2, 0.3, 0.4))
@example(corpus=[PAIR], weights=(0.2,) * 5)
@example(corpus=[([*"abab"], [[*"abab"]])], weights=(0.2,) * 5)
@example(corpus=[PAIR], weights=QUARTERS)
def test_nltk_weighs_and_reweighs_four_quarters_only(
    method: int, reweigh: bool, corpus: Corpus, weights: tuple[float, ...] | None
) -> None:
    nltk = oracle("nltk.translate.bleu_score")
    candidates, references = sides(corpus)
    smoother = getattr(nltk.SmoothingFunction(), f"method{method}")
    metric = Bleu("nltk", smoothing=f"nltk-{method}", weights=weights, reweigh=reweigh)
    try:
        theirs = nltk.corpus_bleu(references, candidates, weights or QUARTERS, smoother, reweigh)
    except (AssertionError, IndexError):  # As method 6 does without a trigram
        with pytest.raises(ValueError, match="needs a trigram that matches"):
            metric(candidates, references)
    else:
        assert metric(candidates, references).value == theirs


@given(corpus=SPARSE, order=st.integers(1, 5))
@example(corpus=[([*"abcd"], [[*"abcd"]]), ([], [[], ["x"]])], order=4)
@example(corpus=[([*"abcd"], [[*"abcd"]]), ([], [["x"], []])], order=4)
@example(corpus=[([], [[]])], order=4)
def test_google_bleu_is_gleu(corpus: Corpus, order: int) -> None:
    """nltk passes over a reference that holds nothing where the candidate holds nothing."""
    gleu = oracle("nltk.translate.gleu_score")
    candidates, references = sides(corpus)
    metric = Bleu("google-bleu", max_order=order)
    theirs = gleu.corpus_gleu(references, candidates, max_len=order)
    assert metric(candidates, references).value == theirs
    assert metric.count(candidates, references).values() == [
        gleu.sentence_gleu(group, candidate, max_len=order)
        for candidate, group in zip(candidates, references, strict=True)
    ]


class Live(NamedTuple):
    """A tool that is asked: by its names of choices, and our dialect by ours."""

    module: str
    corpora: Any
    drawn: dict[str, Any]  # What each choice is drawn from
    theirs: Callable[..., Any]  # Module, candidates, references, choices
    ours: Callable[..., Bleu]  # Choices
    near: float = 0  # To which both are equal


def by_ignite(tool: Any, candidates: Any, references: Any, order: int, smoothing: str,
              average: str) -> Any:
    metric = tool.Bleu(ngram=order, smooth=smoothing, average=average)
    metric.update((candidates, references))
    return metric.compute()


def like_ignite(order: int, smoothing: str, average: str) -> Bleu:
    plain = "ignite" if average == "macro" else "ignite-micro"
    name = plain if smoothing == "no_smooth" else f"ignite-{smoothing}"
    return Bleu(name, max_order=order, **{} if average == "macro" else {"average": "pooled"})


ORDER, SMOOTH = st.integers(1, 5), st.booleans()
LIVE = {
    "torchtext": Live(
        "torchtext.data.metrics", CORPUS, {"weights": st.sampled_from(WEIGHTS)},
        lambda tool, candidates, references, weights: tool.bleu_score(
            candidates, references, len(weights), list(weights)),
        lambda weights: Bleu("torchtext", weights=weights), SINGLE),
    **{f"ignite {average} {smoothing}": Live(
        "ignite.metrics.nlp", CORPUS,
        {"order": ORDER, "smoothing": st.just(smoothing), "average": st.just(average)},
        by_ignite, like_ignite)
       for average in ("macro", "micro")
       for smoothing in ("no_smooth", "smooth1", "nltk_smooth2", "smooth2")},
    "torchmetrics": Live(
        "torchmetrics.functional.text", TEXT_CORPUS,
        {"weights": st.sampled_from(WEIGHTS), "smooth": SMOOTH},
        lambda tool, candidates, references, weights, smooth: tool.bleu_score(
            candidates, references, n_gram=len(weights), smooth=smooth, weights=list(weights)),
        lambda weights, smooth: Bleu(
            "torchmetrics", weights=weights, **{"smoothing": "add-k"} if smooth else {}), SINGLE),
    **{f"torchmetrics-sacre {tokenizer}": Live(
        "torchmetrics.functional.text", WIDE_CORPUS,
        {"tokenize": st.just(tokenizer), "lowercase": SMOOTH, "smooth": SMOOTH},
        lambda tool, candidates, references, **choices: tool.sacre_bleu_score(
            candidates, references, **choices),
        lambda tokenize, lowercase, smooth: Bleu(
            "torchmetrics-sacre", tokenizer=tokenize, lowercase=lowercase,
            **{"smoothing": "add-k"} if smooth else {}), SINGLE)
       for tokenizer in ("13a", "intl", "char", "zh", "none")},
    **{f"bleuscore {rule}": Live(
        "bleuscore", WIDE_CORPUS, {"order": ORDER, "smooth": SMOOTH, "rule": st.just(rule)},
        lambda tool, candidates, references, order, smooth, rule: tool.compute(
            references, candidates, order, smooth, rule)["bleu"],
        lambda order, smooth, rule: Bleu(
            "bleuscore", reference_length=rule, max_order=order,
            **{"smoothing": "add-1"} if smooth else {}))
       for rule in ("shortest", "closest")},
}


@pytest.mark.parametrize("name", LIVE)
@given(data=st.data())
def test_a_live_tool_says_the_same(name: str, data: st.DataObject) -> None:
    live = LIVE[name]
    if "intl" in name:
        oracle("regex")
    choices = data.draw(st.fixed_dictionaries(live.drawn))
    candidates, references = sides(data.draw(live.corpora))
    theirs = float(live.theirs(oracle(live.module), candidates, references, **choices))
    mine = live.ours(**choices)(candidates, references).value
    assert math.isclose(mine, theirs, rel_tol=0, abs_tol=live.near)


@given(
    candidates=st.lists(SENTENCE, min_size=1, max_size=4),
    references=st.lists(SENTENCE, min_size=1, max_size=3),
    smoothing=st.sampled_from([0, 1]),
)
def test_fast_bleu(candidates: list[Tokens], references: list[Tokens], smoothing: int) -> None:
    fast_bleu = oracle("fast_bleu")
    vectors = {weights: weights for weights in WEIGHTS if len(weights) > 1}
    theirs = fast_bleu.BLEU(references, vectors, smoothing).get_score(candidates)
    for weights in vectors:
        metric = Bleu("fast-bleu", weights=weights, **{} if smoothing else {"smoothing": "none"})
        counts = metric.count(candidates, [references] * len(candidates))
        assert [score.value for score in counts.sentences()] == theirs[weights]


@pytest.mark.parametrize(("candidate", "reference", "orders", "value"), [
    ("a b c", "a b c", 4, 1.0), ("a b", "a b c", 4, 0.6065306597126334), ("x", "y", 4, 0.0),
    ("a b c d e", "a b c d f", 4, 0.7576777383253357), ("", "a b", 4, 0.0), ("", "", 4, 1.0),
    ("a b c d e", "a b c d f", 2, 0.8323582900575633),
    ("a  b c d e", "a  b c d f", 4, 0.8120052327735983),
])  # fmt: skip
def test_d2l(candidate: str, reference: str, orders: int, value: float) -> None:
    """What d2l 1.0.3 returns: orders without n-grams are left out, two spaces hold a token."""
    assert Bleu("d2l", max_order=orders).sentence(candidate, [reference]).value == value


def forgiving(stats: BleuStats, last: BleuStats, value: float) -> list[tuple[float, float]]:
    pairs = zip(stats.matches, stats.totals, strict=True)
    return [(m or value * (n >= 3), t) for n, (m, t) in enumerate(pairs, 1) if t]


PATIENT = Dialect("patient", "1", smoothing=Smoothing(forgiving, 0.5, "these tests"))
LAMP = (["a b c d", "a b"], [["a b d"], ["a b c"]])


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", "auto"])
def test_a_smoother_of_ones_own_scores(engine: str) -> None:
    score = Bleu(PATIENT, engine=engine)(*LAMP)
    assert score.stats.matches == (5, 2, 0, 0)
    assert score.value == pytest.approx(100 * (5 / 6 * 2 / 4 * 0.5 / 2 * 0.5 / 1) ** 0.25)
    quarter = Bleu(PATIENT, engine=engine, smoothing_value=0.25)(*LAMP)
    assert quarter.value == pytest.approx(score.value / 2**0.5)


SIGNED_OWN = Bleu(PATIENT, lowercase=True)(*LAMP).signature


def test_a_row_of_ones_own_signs_its_choices_and_is_read_back_where_it_is_known() -> None:
    assert f"|smooth:callable({__name__}.forgiving)[0.50]|" in SIGNED_OWN
    read = from_signature(SIGNED_OWN, [PATIENT])
    changed = replace(PATIENT, lowercase=True, effective_order="never")
    assert replace(read.dialect, smoothing_value=None) == changed and not read.unspecified


@pytest.mark.parametrize(("text", "known", "fault"), [
    (SIGNED_OWN, [], r"the smoothing was a function, callable\(.*\.forgiving"),
    (Bleu(arithmetic=Arithmetic(lambda *_: 0.5))(*LAMP).signature, [],
     "the arithmetic was a function")])
def test_a_function_or_a_value_that_is_unknown_is_not_read_back(
    text: str, known: Any, fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        from_signature(text, known)


@pytest.mark.parametrize(("choices", "fault"), [
    ({"smoothing_value": -1}, "smoothing of your own must be a number of at least 0"),
    ({"smoothing": Smoothing(forgiving, None, ""), "smoothing_value": 1},
     "smoothing of your own takes no value"),
    *(({"smoothing": wrong}, r"no smoothing .*: choose from 'none'")
      for wrong in (forgiving, 5, Smoothing)),
    ({"arithmetic": Arithmetic(lambda *_: 0.5), "weights": (0.25,) * 4}, "does not accept weights"),
])
def test_values_of_ones_own_are_checked(choices: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        replace(PATIENT, **choices)


@dataclass(frozen=True)
class Stranger(Dialect):
    """A dialect with a field that nothing reads."""

    strange: bool = False


def test_a_field_that_no_score_heeds_is_refused() -> None:
    with pytest.raises(TypeError, match="Stranger has fields that Dialect does not have"):
        Stranger("stranger", "1")


def test_a_function_counts_for_a_row_of_ones_own() -> None:
    def by_word(
        row: Dialect, candidate: Any, references: list[Any], max_order: int
    ) -> BleuStats:
        return count_segment([*candidate][:1], [[*each][:1] for each in references], max_order)

    score = Bleu(counting=by_word, smoothing="floor")(*LAMP)
    assert score.stats.totals == (2, 0, 0, 0) and "|counting:callable(" in score.signature


FAR = [(["a"] * ours, [["a"] * each for each in theirs]) for ours, theirs in (
    (1, [10_000]), (1, [9_999]), (1, [20_000, 30_000]), (1, [20_000, 5]), (10_004, [5]),
    (10_005, [5]), (20_000, [10_001]), (3, [4]))]  # fmt: skip


CLOSEST = [9999, 9999, 9999, 5, 5, 9999, 9999, 4]   # Moses begins with this length and distance


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", "auto"])
def test_a_reference_that_is_far_away_counts_9999(engine: str) -> None:
    metric = Bleu("multi-bleu", engine=engine)
    assert [row.reference_length for row in metric.count(*sides(FAR))] == CLOSEST
    assert [metric.sentence(*each).stats.reference_length for each in FAR] == CLOSEST


@pytest.mark.parametrize(("ours", "theirs"), FAR)
def test_far_references_of_pairs_and_of_explanations(ours: Any, theirs: Any) -> None:
    alone = Bleu("multi-bleu").sentence(ours, theirs).value
    assert pairwise_bleu([ours], [theirs], dialect="multi-bleu") == [[alone]]
    assert explain([ours], [theirs], "multi-bleu", "papineni").first_score.value == alone


CAPITALS = ["R &AMP; D", "&QUOT;a&Quot; b c d", "a <SKIPPED> b", "a b c &amp; d &LT; e"]


@pytest.mark.parametrize("engine", ["definition", "bits", "auto"])
def test_marks_in_capitals_differ_by_side_where_moses_lowers(engine: str) -> None:
    """A candidate is lower-cased first, and a reference when it is in tokens."""
    metric, usual = (Bleu("multi-bleu-detok", lowercase=lowercase, engine=engine)
                     for lowercase in (True, False))
    groups = [[each, each.lower()] for each in CAPITALS]
    wanted = [scoring.count(usual.dialect, each.lower(), [
        " ".join(scoring.tokens_of(usual.dialect, one)).lower() for one in group]).matches
        for each, group in zip(CAPITALS, groups, strict=True)]
    for systems in ({"one": CAPITALS}, {"one": CAPITALS, "other": CAPITALS}):
        for counts in metric.count_systems(systems, groups).values():
            assert [row.matches for row in counts] == wanted
    assert [metric.sentence(*each).stats.matches
            for each in zip(CAPITALS, groups, strict=True)] == wanted
    assert metric(["a b c d e f g &AMP;"], [["a b c d e f g &AMP;"]]).value == pytest.approx(
        77.88, abs=0.005)
    with pytest.raises(ValueError, match="lowercases candidates and references differently"):
        pairwise_bleu(CAPITALS, dialect="multi-bleu-detok", lowercase=True)


LABEL_OF_LETTERS = "BLEU of letters"
LETTERS = replace(DIALECTS["sacrebleu"], name="letters", version="1", label=LABEL_OF_LETTERS,
                  tokenizer="char", max_order=6)
SYSTEM = ["the cat sat on the mat", "a dog ran away from us"] * 9
HUMANS = [["the cat sat upon the mat"], ["the dog ran away from us"]] * 9


def test_a_metric_has_its_own_name_wherever_it_goes(tmp_path: Path) -> None:
    """What has matches, totals and two lengths is one dialect, under a label of its own."""
    counts = Bleu(LETTERS).count(SYSTEM, HUMANS)
    score = counts.score()
    assert 0 < counts.interval().low < score.value != Bleu()(SYSTEM, HUMANS).value
    counts.save(tmp_path / "counts.npz")
    assert Counts.load(tmp_path / "counts.npz").score() == score
    compared = compare_systems(SYSTEM, {"b": [f"{each} x" for each in SYSTEM]}, HUMANS, LETTERS)
    for shown in (repr(score), score._repr_html_(), score.to_json(), score.to_latex(),
                  repr(compared), compared._repr_html_(), compared.to_latex(), compared.methods):
        assert LABEL_OF_LETTERS in shown
    assert signature_fields(repr(score)) == signature_fields(score.signature)
