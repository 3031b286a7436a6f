"""Every row of the table of dialects, and live tools on corpora that Hypothesis makes up."""

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

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
from bleu_nb.cli.command import main
from bleu_nb.derivation import count_segment
from bleu_nb.diagnosis.many_dialects import Scorer
from bleu_nb.dialects import SMOOTHINGS, smooth
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
    NLTKS,
    OTHERS,
    READINGS,
    SCRIPTS,
    TOOLKITS,
    choice,
    share_columns,
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


def test_no_two_rows_are_the_same_tool() -> None:
    tools = [(row.name, row.version) for row in DIALECTS.values()]
    assert len(set(tools)) == len(tools) == len(DIALECTS)
    assert sum(map(len, (SCRIPTS, NLTKS, TOOLKITS, OTHERS))) == len(DIALECTS)


@pytest.mark.parametrize("field", [
    field.name for field in fields(Dialect)[5:]
    if field.name not in ("max_order", "weights", "smoothing_value", "digits")])
def test_a_row_with_a_choice_that_does_not_exist_is_refused(field: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r".+"):
        replace(DIALECTS["sacrebleu"], **{field: "no such choice"})


def names_compared(tree: ast.AST) -> Iterator[str]:
    """The dialects' names that a piece of code compares with or matches, and each `row.name`."""
    asked = [each.pattern if isinstance(each, ast.match_case) else each
             for each in ast.walk(tree) if isinstance(each, (ast.Compare, ast.match_case))]
    for leaf in (leaf for each in asked for leaf in ast.walk(each)):
        if isinstance(leaf, ast.Constant) and leaf.value in DIALECTS:
            yield str(leaf.value)
        if isinstance(leaf, ast.Attribute) and leaf.attr == "name" and (
                ast.unparse(leaf.value).endswith(("dialect", "row"))):
            yield ast.unparse(leaf)


def test_no_code_asks_for_the_name_of_a_dialect() -> None:
    code = 'if d.kind == "nltk" or "coco" in names or row.name == x: pass'
    assert list(names_compared(ast.parse(code))) == ["nltk", "coco", "row.name"]
    for path in Path(bleu_nb.__file__).parent.rglob("*.py"):
        assert not list(names_compared(ast.parse(path.read_text(encoding="utf-8")))), path


def test_averages_of_lengths_are_gone_and_the_error_says_what_there_is() -> None:
    """As an argument, and in a signature that an earlier version wrote."""
    known = "'closest', 'first', 'shortest', 'closest-9999'"
    with pytest.raises(ValueError, match=f"no reference_length 'average': choose from {known}"):
        Bleu(reference_length="average")
    signed = Bleu(reference_length="shortest").count(["a"], [["a"]]).score().signature
    assert "reference_length:shortest" in signed
    with pytest.raises(ValueError, match=known):
        Bleu.from_signature(signed.replace("shortest", "average"))


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
    if choices["smooth_method"] not in ("floor", "add-k"):
        choices = {**choices, "smooth_value": None}
    candidates, references = sides(corpus)
    metric = sacrebleu.BLEU(**choices)
    theirs = metric.corpus_score(candidates, streams(references))
    signature = metric.get_signature().format(short=short)
    read = Bleu.from_signature(signature)
    valued = choices["smooth_method"] in ("floor", "add-k")
    assert read.unspecified[-1] == "max_order: 4 is used"
    assert [each.partition(":")[0] for each in read.unspecified[:-1]] == [
        "smoothing_value"
    ] * valued
    score = Bleu(read.dialect, max_order=choices["max_ngram_order"])(candidates, references)
    assert (score.value, list(score.precisions)) == (theirs.score, theirs.precisions)
    assert (score.brevity_penalty, score.stats.candidate_length, score.stats.reference_length
            ) == (theirs.bp, theirs.sys_len, theirs.ref_len)
    long = metric.get_signature().format(short=False)
    order = f"order:{choices['max_ngram_order']}"
    assert score.signature.startswith(f"{long}|{order}|dialect:sacrebleu|")


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


@settings(max_examples=1000)
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


@pytest.mark.parametrize("field", ["name", "version"])
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


def test_a_line_has_the_value_first_the_signature_last_and_escapes_what_does_not_print() -> None:
    score = Bleu().sentence("a b c d e", ["a b c d f"])
    line = ("BLEU = 66.87 80.0/75.0/66.7/50.0 (BP = 1.000 ratio = 1.000 "
            "hyp_len = 5 ref_len = 5)")
    assert (str(score), f"{replace(score, signature='')}") == (f"{line} {score.signature}", line)
    assert repr(BleuScore(1.0, (1.0,), 1.0, ONE, 1, "\x1b[2J\n")).endswith(r") \x1b[2J\n")


SIGNED = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
OURS = f"{SIGNED}|order:4|dialect:sacrebleu"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{SIGNED}|order:x", "cannot read order in a signature, 'x': it should be a whole number"),
        (f"{SIGNED}|order:4.0", "such as order:4"),
        (f"{SIGNED}|order:٤", "such as order:4"),
        (f"{SIGNED}|order:1_0", "such as order:4"),
        (f"{SIGNED}|order:{'9' * 10**5}", "such as order:4"),
        (f"{SIGNED}|order:100000000", "at most 100"),
        (SIGNED.replace("exp", "floor[x]"), "perhaps with a number, such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[0.1"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[0.1]]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[nan]"), "such as smooth:floor[0.10]"),
        (SIGNED.replace("exp", "floor[1e999]"), "must be finite, not '1e999'"),
        (SIGNED.replace("exp", "exq"), "did you mean 'exp'?"),
        (SIGNED.replace("mixed", "upper"), "no case of a signature 'upper'"),
        (f"{OURS}|weights:{'-' * 10**5}", "should be numbers, or None, such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:{'(' * 10**5}", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:({'1,' * 10**5})", "100000 weights for 4 orders"),
        (f"{OURS}|weights:()", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:(0.5,)", "1 weights for 4 orders"),
        (f"{OURS}|weights:(1,nan,0,0)", "such as weights:(0.5,0.5)"),
        (f"{OURS}|weights:__import__", "such as weights:(0.5,0.5)"),
        (f"{OURS}|digits:two", "such as digits:2"),
        (f"{OURS}|smoothing_value:1j", "such as smoothing_value:0.125"),
        (f"{OURS}|scale:10", "no scale of a signature '10'"),
        (f"{OURS}|penalty:strikt", "did you mean 'strict'?"),
        (f"{OURS}|lowercase:True", "lowercase:True; write case:"),
        (f"{OURS}|tokenizer:none", "tokenizer:none; write tok:"),
        (f"{SIGNED}|case:lc", "must hold a field once"),
        (f"{SIGNED}|c:lc", "must hold a field once"),
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


@pytest.mark.parametrize("name", DIALECTS)
def test_weights_are_heeded_or_refused(name: str) -> None:
    """An order without weight needs no match."""
    texts = ["a b c d e f g"], [["a b c d x e f g"]]
    equal = Bleu(name)(*texts).value
    for field, value in (
        ("weights", (1, 0, 0, 0)), ("reweigh", True), ("weights", (0.7, 0.1, 0.1, 0.1)),
    ):  # fmt: skip
        try:
            metric = Bleu(name, **{field: value})
            one, other = metric(["a"], [["a"]]).value, metric(*texts).value
        except ValueError as error:
            assert field in str(error)
        else:
            assert 0 <= one <= DIALECTS[name].scale * (1 + 1e-12)
            assert other != equal or field == "reweigh"


# Digits


@pytest.mark.parametrize("engine", ["definition", "numpy"])
def test_a_mean_is_rounded_at_the_end(engine: str) -> None:
    candidates = ["a b c d e", "a b c x d e f", "a b c d"]
    references = [["a b c d"], ["a b c y d e f"], ["a b c d e f"]]
    exact = Bleu(average="segments", engine=engine)(candidates, references).value
    rounded = Bleu(average="segments", digits=2, engine=engine)(candidates, references).value
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


@given(corpus=CORPUS, weights=st.sampled_from(WEIGHTS))
def test_torchtext(corpus: Corpus, weights: tuple[float, ...]) -> None:
    torchtext = oracle("torchtext.data.metrics")
    candidates, references = sides(corpus)
    theirs = torchtext.bleu_score(candidates, references, len(weights), list(weights))
    mine = Bleu("torchtext", weights=weights)(candidates, references).value
    assert math.isclose(mine, theirs, rel_tol=0, abs_tol=SINGLE)


IGNITE = ["no_smooth", "smooth1", "nltk_smooth2", "smooth2"]


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("smoothing", IGNITE)
@given(corpus=CORPUS, order=st.integers(1, 5))
def test_ignite(average: str, smoothing: str, corpus: Corpus, order: int) -> None:
    ignite = oracle("ignite.metrics.nlp")
    candidates, references = sides(corpus)
    tool = ignite.Bleu(ngram=order, smooth=smoothing, average=average)
    tool.update((candidates, references))
    name, choices = f"ignite-{smoothing}", {"average": "pooled"} if average == "micro" else {}
    if smoothing == "no_smooth":
        name = "ignite" if average == "macro" else "ignite-micro"
    metric = Bleu(name, max_order=order, **choices)
    assert metric(candidates, references).value == float(tool.compute())


@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
@given(corpus=TEXT_CORPUS, weights=st.sampled_from(WEIGHTS))
def test_torchmetrics(smooth: bool, corpus: Corpus, weights: tuple[float, ...]) -> None:
    torchmetrics = oracle("torchmetrics.functional.text")
    candidates, references = sides(corpus)
    theirs = torchmetrics.bleu_score(
        candidates, references, n_gram=len(weights), smooth=smooth, weights=list(weights)
    )
    choices: dict[str, Any] = {"smoothing": "add-k"} if smooth else {}
    mine = Bleu("torchmetrics", weights=weights, **choices)(candidates, references).value
    assert math.isclose(mine, float(theirs), rel_tol=0, abs_tol=SINGLE)


@pytest.mark.parametrize("lowercase", [False, True], ids=["mixed", "lowercase"])
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "char", "zh", "none"])
@given(corpus=WIDE_CORPUS, smooth=st.booleans())
def test_torchmetrics_sacre(tokenizer: str, lowercase: bool, corpus: Corpus, smooth: bool) -> None:
    torchmetrics = oracle("torchmetrics.functional.text")
    if tokenizer == "intl":
        oracle("regex")
    candidates, references = sides(corpus)
    theirs = torchmetrics.sacre_bleu_score(
        candidates, references, tokenize=tokenizer, lowercase=lowercase, smooth=smooth
    )
    choices: dict[str, Any] = {"smoothing": "add-k"} if smooth else {}
    metric = Bleu("torchmetrics-sacre", tokenizer=tokenizer, lowercase=lowercase, **choices)
    assert math.isclose(
        metric(candidates, references).value, float(theirs), rel_tol=0, abs_tol=SINGLE
    )


@pytest.mark.parametrize("smooth", [False, True], ids=["plain", "smooth"])
@pytest.mark.parametrize("rule", ["shortest", "closest"])
@given(corpus=WIDE_CORPUS, order=st.integers(1, 5))
def test_bleuscore(rule: str, smooth: bool, corpus: Corpus, order: int) -> None:
    bleuscore = oracle("bleuscore")
    candidates, references = sides(corpus)
    theirs = bleuscore.compute(references, candidates, order, smooth, rule)["bleu"]
    choices: dict[str, Any] = {"smoothing": "add-1"} if smooth else {}
    metric = Bleu("bleuscore", reference_length=rule, max_order=order, **choices)
    assert metric(candidates, references).value == theirs


@given(
    candidates=st.lists(SENTENCE, min_size=1, max_size=4),
    references=st.lists(SENTENCE, min_size=1, max_size=3),
    smoothing=st.sampled_from([0, 1]),
)
def test_fast_bleu(candidates: list[Tokens], references: list[Tokens], smoothing: int) -> None:
    fast_bleu = oracle("fast_bleu")
    vectors = {weights: weights for weights in WEIGHTS if len(weights) > 1}
    theirs = fast_bleu.BLEU(references, vectors, smoothing).get_score(candidates)
    choices: dict[str, Any] = {} if smoothing else {"smoothing": "none"}
    groups = [references] * len(candidates)
    for weights in vectors:
        scores = Bleu("fast-bleu", weights=weights, **choices).count(candidates, groups).sentences()
        assert [score.value for score in scores] == theirs[weights]


@pytest.mark.parametrize(("candidate", "reference", "orders", "value"), [
    ("a b c", "a b c", 4, 1.0), ("a b", "a b c", 4, 0.6065306597126334), ("x", "y", 4, 0.0),
    ("a b c d e", "a b c d f", 4, 0.7576777383253357), ("", "a b", 4, 0.0), ("", "", 4, 1.0),
    ("a b c d e", "a b c d f", 2, 0.8323582900575633),
    ("a  b c d e", "a  b c d f", 4, 0.8120052327735983),
])  # fmt: skip
def test_d2l(candidate: str, reference: str, orders: int, value: float) -> None:
    """What d2l 1.0.3 returns: orders without n-grams are left out, two spaces hold a token."""
    assert Bleu("d2l", max_order=orders).sentence(candidate, [reference]).value == value


@dataclass(frozen=True)
class Patient(Dialect):
    """A row with a choice of its own: from which order on no match is forgiven."""

    forgiven_from: int = choice(
        1, "first order whose zero is forgiven", "forgiveness", "score", (1, 2, 3, 4))


@dataclass(frozen=True)
class Stranger(Dialect):
    """A row with another choice."""

    strange: bool = choice(False, "nothing", "strangeness", "score", (False, True))


def forgiving(
    stats: BleuStats, last: BleuStats, value: float, row: Patient
) -> list[tuple[float, float]]:
    pairs = zip(stats.matches, stats.totals, strict=True)
    return [(m or value * (n >= row.forgiven_from), t) for n, (m, t) in enumerate(pairs, 1) if t]


HALF = Smoothing(forgiving, 0.5, "these tests", reads_row=True)
PATIENT = Patient("patient", "1", smoothing=HALF, forgiven_from=3)
LAMP = (["a b c d", "a b"], [["a b d"], ["a b c"]])


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", "auto"])
def test_a_smoother_of_ones_own_obeys_a_choice_of_ones_own(engine: str) -> None:
    score = Bleu(PATIENT, engine=engine)(*LAMP)
    assert score.stats.matches == (5, 2, 0, 0)
    assert score.value == pytest.approx(100 * (5 / 6 * 2 / 4 * 0.5 / 2 * 0.5 / 1) ** 0.25)
    assert Bleu(PATIENT, engine=engine, forgiven_from=4)(*LAMP).value == 0
    quarter = Bleu(PATIENT, engine=engine, smoothing_value=0.25)(*LAMP)
    assert quarter.value == pytest.approx(score.value / 2**0.5)


def test_a_row_of_ones_own_signs_its_choices_and_is_read_back_where_it_is_known() -> None:
    signed = Bleu(PATIENT, forgiven_from=2, lowercase=True)(*LAMP).signature
    assert f"|smooth:callable({__name__}.forgiving)[0.50]|" in signed
    assert "|forgiven_from:2|" in signed
    read = from_signature(signed, [PATIENT])
    changed = replace(PATIENT, forgiven_from=2, lowercase=True, effective_order="never")
    assert replace(read.dialect, smoothing_value=None) == changed and not read.unspecified
    other = Bleu(arithmetic=Arithmetic(lambda *_: 0.5))(*LAMP).signature
    for text, known, fault in (
        (signed, [], r"the smoothing was a function, callable\(.*\.forgiving"),
        (signed.replace("from:2", "from:7"), [PATIENT],
         "forgiven_from of a signature '7': choose from '1'"),
        (other, [], "the arithmetic was a function"),
    ):
        with pytest.raises(ValueError, match=fault):
            from_signature(text, known)


@pytest.mark.parametrize(("choices", "fault"), [
    ({"forgiven_from": 5}, "no forgiven_from 5: choose from 1, 2, 3, 4"),
    ({"smoothing_value": -1}, "smoothing of your own must be a number from 0 upwards"),
    ({"smoothing": Smoothing(forgiving, None, ""), "smoothing_value": 1},
     "smoothing of your own takes no value"),
    *(({"smoothing": wrong}, r"no smoothing .*: choose from 'none'")
      for wrong in (forgiving, 5, Smoothing)),
    ({"arithmetic": Arithmetic(lambda *_: 0.5), "weights": (0.25,) * 4}, "takes no weights"),
])
def test_values_of_ones_own_are_checked(choices: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        replace(PATIENT, **choices)


def test_a_smoother_that_reads_a_row_needs_one() -> None:
    with pytest.raises(ValueError, match="reads a dialect"):
        smooth(ONE, HALF)


def test_a_choice_of_ones_own_is_a_part_of_an_explanation() -> None:
    last = replace(PATIENT, forgiven_from=4)
    [part] = explain(*LAMP, PATIENT, last).parts
    assert part.choice == "forgiveness" and part.shown == "forgiven from 3 → 4"
    for pair in ((PATIENT, "sacrebleu"), ("sacrebleu", PATIENT)):
        found = explain(*LAMP, *pair)
        assert {part.choice for part in found.parts} == {"zero matches", "forgiveness"}
        assert "forgiving" in found.to_json() and "forgiving" in str(found)
    for pair in (("sacrebleu", last), (last, "sacrebleu")):
        found = explain(*LAMP, *pair)
        assert {part.choice for part in found.parts} == {"zero matches", "forgiveness"}
        assert abs(found.difference) > 20
    with pytest.raises(TypeError, match="which has choices that"):
        share_columns(PATIENT, Stranger("stranger", "1"))


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


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", "auto"])
@pytest.mark.parametrize("segments", [FAR, *([each] for each in FAR)])
def test_a_reference_that_is_far_away_counts_9999(engine: str, segments: Corpus) -> None:
    """As Moses' scripts begin to search: with a length and a distance of 9999."""
    expected = []
    for ours, theirs in segments:
        closest, least = 9999, 9999
        for length in map(len, theirs):
            distance = abs(len(ours) - length)
            if distance < least or (distance == least and length < closest):
                closest, least = length, distance
        expected.append(closest)
    counts = Bleu("multi-bleu", engine=engine).count(*zip(*segments, strict=True))
    assert [row.reference_length for row in counts] == expected


def test_far_references_of_pairs_and_of_explanations() -> None:
    for ours, theirs in FAR:
        alone = Bleu("multi-bleu").sentence(ours, theirs).value
        [[found]] = pairwise_bleu([ours], [theirs], dialect="multi-bleu")
        assert found == alone
        why = explain([ours], [theirs], "multi-bleu", "papineni")
        assert why.first_score.value == alone
        assert why.second_score == Bleu("papineni")([ours], [theirs])
    counts = Scorer(FAR).counts(DIALECTS["multi-bleu"])
    assert [*counts.reference_lengths] == [
        *Bleu("multi-bleu").count(*zip(*FAR, strict=True)).reference_lengths]


CAPITALS = ["R &AMP; D", "&QUOT;a&Quot; b c d", "a <SKIPPED> b", "a b c &amp; d &LT; e"]


@pytest.mark.parametrize("engine", ["definition", "bits", "auto"])
@pytest.mark.parametrize("several", [False, True])
def test_marks_in_capitals_differ_by_side_where_moses_lowers(engine: str, several: bool) -> None:
    """A candidate is lower-cased first, and a reference when it is in tokens."""
    metric = Bleu("multi-bleu-detok", lowercase=True, engine=engine)
    usual = Bleu("multi-bleu-detok", engine=engine)
    groups = [[each, each.lower()] for each in CAPITALS]
    rows = [scoring.count(usual.dialect, each.lower(), [
        " ".join(scoring.tokens_of(usual.dialect, one)).lower() for one in group])
        for each, group in zip(CAPITALS, groups, strict=True)]
    systems = {"one": CAPITALS, "other": CAPITALS} if several else {"one": CAPITALS}
    for counts in metric.count_systems(systems, groups).values():
        assert [row.matches for row in counts] == [row.matches for row in rows]
    assert [metric.sentence(*each).stats.matches for each in zip(CAPITALS, groups, strict=True)
            ] == [row.matches for row in rows]
    assert metric(["a b c d e f g &AMP;"], [["a b c d e f g &AMP;"]]).value == pytest.approx(
        77.88, abs=0.005)
    with pytest.raises(ValueError, match="lower-cases candidates otherwise than references"):
        pairwise_bleu(CAPITALS, dialect="multi-bleu-detok", lowercase=True)


def test_a_metric_has_its_own_name_wherever_it_goes(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What has matches, totals and two lengths is one dialect, under a label of its own."""
    label, other = "BLEU of letters", "b"
    letters = replace(DIALECTS["sacrebleu"], name="letters", version="1", label=label,
                      tokenizer="char", max_order=6)
    texts = ["the cat sat on the mat", "a dog ran away from us"] * 9
    groups = [["the cat sat upon the mat"], ["the dog ran away from us"]] * 9
    counts = Bleu(letters).count(texts, groups)
    score, low = counts.score(), counts.interval().low
    assert 0 < low < score.value != Bleu()(texts, groups).value
    counts.save(tmp_path / "counts.npz")
    assert Counts.load(tmp_path / "counts.npz").score() == score
    for shown in (repr(score), score._repr_html_(), score.to_json(), score.to_latex()):
        assert label in shown
    compared = compare_systems(texts, {other: [f"{each} x" for each in texts]}, groups, letters)
    for shown in (repr(compared), compared._repr_html_(), compared.to_latex(), compared.methods):
        assert label in shown
    for name, lines in (("mt", texts), ("ref", [each for [each] in groups])):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / "mt"), str(tmp_path / "ref")]
    assert main(["score", *files, "--dialect", "letters"], [letters]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"{label}|nrefs:1|") and f" = {score:.2f} " in line
    assert signature_fields(line) == signature_fields(repr(score)) == signature_fields(
        score.signature)
    assert main(["compare", *files, "--ref", files[1], "--dialect", "letters"], [letters]) == 0
    assert label in capsys.readouterr().out
    for wrong in ("", "a|b", " a"):
        with pytest.raises(ValueError, match="the label"):
            replace(letters, label=wrong)
