"""Which settings give a reported number, and what counts as giving it."""

import json
import math
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from importlib import resources
from itertools import groupby
from typing import Any

import nltk.translate.bleu_score as theirs
import numpy as np
import pytest
import sacrebleu
from data import MANIFEST, lines, names, needs, references, sets
from hypothesis import settings as profile

from bleu_nb import DIALECTS, Bleu, Dialect, corpus_bleu, explain, identify, list_dialects
from bleu_nb.diagnosis.causes import (
    ANYWHERE,
    SHIFTS,
    Setting,
    Step,
    Texts,
    Variants,
    changes_in,
    list_steps,
    read_setting,
)
from bleu_nb.diagnosis.identification import (
    LIKELY,
    MOST,
    SPREAD,
    Identification,
    Match,
    Sample,
    Search,
    defaults_for,
    fits,
    fold,
    plan_rounds,
    read_reported,
    say_printed,
    settings,
    texts_of,
    values_without,
)  # fmt: skip
from bleu_nb.dialects.formula_variants import NoScore
from bleu_nb.dialects.input_checks import check_corpus

LONG = profile.get_current_profile_name() == "long"
CANDIDATES = ["the boat comes once a month", "two lamps burn on the island every night",
              "Nothing else was said, he wrote."]  # fmt: skip
REFERENCES = [["the boat came once a month"], ["two lamps burned on the island each night"],
              ["nothing else was said, wrote the keeper."]]  # fmt: skip


def read(name: str) -> list[str]:
    """One file of the example."""
    return (resources.files("bleu_nb") / "example" / f"{name}.txt").read_text("utf-8").splitlines()


OUT, SOURCE = read("kestrel"), read("source")
HUMANS = list(zip(read("reference_1"), read("reference_2"), strict=True))
TEXTS = Texts(check_corpus(OUT, HUMANS), SOURCE)

# What was printed ---------------------------------------------------------------------------------

SIGNED = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"
BESIDE = "60.0/30.0/20.0/10.0 (BP = 1.000 ratio = 1.000 hyp_len = 20 ref_len = 20)"
PRINTED: list[tuple[Any, str, int, tuple[int, ...], str | None]] = [
    *((given, number, 0, (), None) for given, number in (
        (0, "0"), (100, "100"), ("100.0", "100.0"), (1e-3, "0.001"), (1e-5, "0.00001"),
        ("0.0", "0.0"), (111.67, "111.67"), (" 27.30 \n", "27.30"), ("27.3%", "27.3"),
        (".5", "0.5"), ("5.", "5"), ("BLEU = 27.3", "27.3"), ("BLEU: 27.3", "27.3"),
        ("27.3 \u00b1 0.5", "27.3"), ('NIST score = 5.1 BLEU score = 0.2730 for "x"', "0.2730"))),
    ("BLEU = 27.30, 60.0/30.0/20.0/10.0 (BP=1.000, ratio=1.0, hyp_len=20, ref_len=21)",
     "27.30", 4, (20, 21), None),
    (f"BLEU|{SIGNED} = 27.3 {BESIDE}", "27.3", 4, (20, 20), "sacrebleu, lowercase yes"),
    (f"{SIGNED}=27.3 {BESIDE}", "27.3", 4, (20, 20), "sacrebleu, lowercase yes"),
    (f"BLEU|{SIGNED} = 27.3 \u00b1 0.6 (\u03bc = 27.2) {BESIDE}", "27.3", 4, (20, 20),
     "sacrebleu, lowercase yes"),
    (f"BLEU = 27.30 {BESIDE} {SIGNED}|order:3|dialect:nltk", "27.30", 4, (20, 20),
     str(Setting(replace(DIALECTS["nltk"], tokenizer="13a", lowercase=True, max_order=3,
                         weights=None, smoothing="exp")))),
    *((form, number, 0, (), None) for form, number in {
        "tensor(0.7005)": "0.7005", "tensor([0.7005], device='cuda:0')": "0.7005",
        "np.float64(0.7)": "0.7", "Array(0.7, dtype=float32)": "0.7", "70.05%": "70.05",
        "<tf.Tensor: shape=(), dtype=float32, numpy=0.7005>": "0.7005", "7.005e+01": "70.05",
        "70,05": "70.05", "27.3±0.5": "27.3", "27.3 +/- 0.5": "27.3", "BLEU-4 27.3": "27.3",
        "BLEU4: 27.3": "27.3", "BLEU@4 = 27.3": "27.3", "27.3 BLEU": "27.3", "bleu_4: .27": "0.27",
        "{'brevity_penalty': 1.0, 'bleu': np.float64(0.7)}": "0.7", '{"bleu":0.7}': "0.7",
        "{'score': 27.3, 'counts': [1, 2]}": "27.3", '{"score": 27.3}': "27.3",
        "{'Bleu_1': 0.7, 'Bleu_4': 0.273}": "0.273", "Bleu_1: 0.7\nBleu_4: 0.273": "0.273",
        "BLEU (n=4): 27.3": "27.3", "BLEU 4 27.3": "27.3", "BLEU (%) 27.3": "27.3",
        "a BLEU of 27.3.": "27.3", "| BLEU | 27.3 |": "27.3", "BLEU↑ 27.3": "27.3",
        "$27.3_{\\pm 0.5}$": "27.3", r"\textbf{27.3} & 55.1": "27.3", "**27.3**": "27.3",
        "27.3†": "27.3", "[0.7005]": "0.7005", "Decimal('0.7005')": "0.7005",
        "step 10/100 BLEU 27.3": "27.3", "{'bleu': '27.30'}": "27.30", "1,234": "1.234",
        "BLEU: \x1b[1m32.21\x1b[0m loss: 40.49": "32.21", "BLEU: <b>27.3</b>, BP: 0.9": "27.3",
        "BLEU: 27.3/100, BP: 0.98": "27.3", "27.3 / 100": "27.3", "0.273/1.0": "0.273",
        "2.73 × 10^1": "27.3", "2.73×10¹": "27.3", "2.73*10**1": "27.3",
        r"2.73\times10^{1}": "27.3", r"$2.73 \cdot 10^{1}$": "27.3", "2730e−2": "27.30",
        "BLEU = 2.73·10^+1, BP = 1.0": "27.3",
        "2730 × 10⁻²": "27.30", "2730 x 10^-2": "27.30", "5,2e-3": "0.0052",
        "{'bleu_bp': 1.0, 'bleu': 40.49}": "40.49", "{'bleurt': 0.3, 'bleu': 0.4}": "0.4",
        "{'google_bleu': 0.31, 'bleu': 0.27}": "0.27", "{'google_bleu': 0.31}": "0.31",
        "{'bleu_brevity_penalty': 0.98, 'bleu_score': 0.27}": "0.27", "BLEU-1: 60, BLEU: 27": "27",
        "{'bleu1': 0.6, 'bleu': 0.27}": "0.27", "{'bleu': 0.3, 'bleu_4': 0.27}": "0.27",
        "BLEU1=60.2 BLEU=27.3": "27.3", "BLEU_bp: 1.0 BLEU: 27.3": "27.3", "bleu_1: 60.2": "60.2",
        "BLEURT: 0.45 BLEU: 27.3": "27.3", '{"bleu_nb": 1, "score": 27.3}': "27.3",
        "val_bleu_best: 28 val_bleu: 27.3": "27.3", "27.3 {'bleu_bp': 1}": "27.3",
        "{'bleu': {'bleu': 0.27, 'bp': 1.0}}": "0.27", "27.3 BLEU, loss: 2.3": "27.3",
        "Result: 27.3 BLEU": "27.3", "Best BLEU so far: 27.3": "27.3", "BLEU 13a: 27.3": "27.3",
        "newstest2014: 27.3": "27.3", "sacrebleu: BLEU = 27.3": "27.3", "27.3, loss 1.2": "27.3",
    }.items()),
    ({"precisions": [0.5], "brevity_penalty": 1.0, "bleu": 0.7}, "0.7", 1, (), None),
    ("BLEU = 27.30 60 / 30 / 20 / 10 (BP = 1.000)", "27.30", 4, (), None),
    ("BLEU = 27.30, 60.1 / 30.0 / 20.0 (hyp_len=20)", "27.30", 3, (20, None), None),
    ("BLEU = 27.30 (BP = 1.000 ratio = 1.016 hyp_len = 1,000 ref_len = 980)", "27.30", 0,
     (None, 980), None),
    ("{'bleu': 0.273, 'precisions': [np.float64(0.8), 0.7e-1], 'translation_length': 1260, "
     "'reference_length': 1350}", "0.273", 2, (1260, 1350), None),
    ("{'score': 27.3, 'precisions': (86, 55, 32, 99), 'sys_len': 999, 'ref_len': 135}", "27.3", 4,
     (999, 135), None),
    ("BLEU = 0.4727 0.473 (BP = 1.000 ratio = 1.000)", "0.4727", 0, (), None),
    ("precisions: tensor([0.8, 0.5]), BLEU: 27.3", "27.3", 2, (), None),
    (f"chrF2|nrefs:1|nc:6|version:2.6.0 = 50.1\nBLEU|{SIGNED} = 27.3 {BESIDE}", "27.3", 4, (20, 20),
     "sacrebleu, lowercase yes"),
    ("BLEU4 = 27.30, 60.0/30.0/20.0/10.0 (BP=1.000, ratio=1.000, syslen=20, reflen=21)",
     "27.30", 4, (20, 21), None),
    ("BLEU = 27,30, 60,1/33,2/20,0/12,5 (BP=1,0)", "27.30", 4, (), None),
    ("BLEU+case.lc+numrefs.1+smooth.exp+tok.13a+version.1.4.2 = 27.3", "27.3", 0, (),
     "sacrebleu-1, lowercase yes"),
    (json.dumps([{"name": "chrF2", "score": 50.1, "signature": "nrefs:1|nc:6|version:2.6.0"},
                 {"name": "BLEU", "score": 27.30, "verbose_score": BESIDE, "signature": SIGNED}]),
     "27.3", 4, (20, 20), "sacrebleu, lowercase yes"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "number", "shares", "lengths", "dialect"), PRINTED)
def test_what_was_printed_is_read(
    given: Any, number: str, shares: int, lengths: tuple[int, ...], dialect: str | None
) -> None:
    found = read_reported(given)
    assert (f"{found.number:f}", len(found.precisions), found.lengths) == (number, shares, lengths)
    assert dialect == (found.dialect and str(Setting(found.dialect)))


@pytest.mark.parametrize("reported", [
    "", "x", -1, "-3", True, None, b"27.3", math.nan, math.inf, 201, "27,3,1", "1.2.3", "9" * 5000,
    "\u0662\u0667", f'{{"score": null, "signature": "{SIGNED}"}}', "{bad", "[]", {"rouge": 0.7},
    {"precisions": [0.7, 0.5]}, "tensor(nan)", "tensor([])",
    "<img src=x onerror='hit = 1'>",
    "27.3 28.1", "27.3, 28.1", "tensor([0.7, 0.5])", "BLEU:  0.60   0.35   0.20", "27.3/28.1",
    "27.\uff13", "27·3", "1,234.5", "1e-99999999", "BLEU: +1.2", [27.3, 28.1], Fraction(7, 10),
    "BLEU: nan, ppl: 40.49", "BLEU = nan, 85.7/55.3 (BP=1.000)", "BLEU-4: n/a, ratio: 0.9",
    "bleu: 5.7−78, ppl: 40.49", "BLEU: -1 loss: 2.3", "BLEU = 1,234.5 BP = 0.9",
    "BLEU = 27.30 58.9 33.1 21.0 14.0 (BP = 1.000)", "BLEU 27.3-28.1, BP: 0.9",
    "BLEU: ２７.３ BP: 0.9", "BLEU\t27.3\t28.1\nratio: 0.9", "BLEU: 27.3 -> 28.1",
    {"bleu": math.nan, "score": 1.0}, {"bleu": None, "score": 1.0}, {"bleu": -1.0, "score": 3},
    {"bleu": [27.3, 28.1], "score": 3.5}, {"bleu": {"mean": 27.3}, "score": 3.5}, {"bleu_bp": 1.0},
    "10^-78", "5.7 e-78", "5.7 * 3", "Fraction(7, 10)", "7 / 12", "27.3–27.8", "27.3 / 58.9 / 33.1",
    "Bleu: [0.602, 0.45, 0.35, 0.273]", "chrF2 = 59.14", "TER: 45.2", {"bertscore": {"score": 1}},
    "loss: 1.2", "BLEU-1/2/3/4: 60.2 45.1",
])  # fmt: skip
def test_a_reported_number_must_be_a_score(reported: Any) -> None:
    with pytest.raises(ValueError, match="reported must be a score, such as"):
        identify(CANDIDATES, REFERENCES, reported)


@pytest.mark.parametrize("reported", [
    '{"signature": "bad', '[{"name": "chrF2", "score": 5.1, "signature": "nrefs:1|nc:6"}]',
    "BLEU|nrefs:1|eff:no = 5.1"])
def test_json_and_lines_of_other_scores_are_refused(reported: str) -> None:
    with pytest.raises(ValueError, match=r"holds no signature|not a signature"):
        identify(CANDIDATES, REFERENCES, reported)


@pytest.mark.parametrize(("name", "fields"), [
    ("chrF", "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"),
    ("chrF", "chrF2|#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0"),
    ("TER", "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"),
    ("TER", "TER|#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0")])
def test_a_signature_of_another_score_is_named(name: str, fields: str) -> None:
    for call in (lambda text: identify(CANDIDATES, REFERENCES, text), Bleu.from_signature,
                 lambda text: explain(CANDIDATES, REFERENCES, text)):
        with pytest.raises(ValueError, match=f"not a signature of BLEU, but of {name}: "):
            call(f"{fields} = 40.49")


@pytest.mark.parametrize(("value", "reported", "fit"), [
    (27.25, "27.3", True), (27.3499, "27.3", True), (27.2499, "27.3", False),
    (27.351, "27.3", False), (26.5, "27", True), (27.5, "27", True), (27.51, "27", False),
    (27.3, "0.273", True), (0.273, "0.273", True), (27.36, "0.273", False), (27, "0.27", True),
    (30, "0.3", True), (0.3, "0.3", True), (100, "1.00", True), (100, "1.0", True),
    (29.9999999, "0.3", False), (99.99, "1.0", False), (1.04, "1.0", True), (100, "1", True),
    (100.00000000000004, "1.0000000000000004", True), (99.9, "1.0000000000000004", False),
    (101, "1.01", False), (1.01, "1.01", True), (50, "0.5", True), (50, "0.50", True),
    (27.12345678906, "27.1234567890123", True), (27.12345678907, "27.1234567890123", False),
    (5.72e-76, "5.7e-78", True), (5.76e-76, "5.7e-78", False), (0, "5.7e-78", False),
    (0, "1e-13", False), (0, "0.00", True), (7.6e-153, "7.6e-155", True),
    (35.95, "36.0", True), (35.95, "35.9", True), (35.95, "0.360", True),
    (float("nan"), "27", False), (float("inf"), "27", False), (120, "1e2", False),
])  # fmt: skip
def test_a_score_fits_if_it_rounds_to_the_number(value: float, reported: str, fit: bool) -> None:
    assert fits(value, Decimal(reported)) is fit


# Answers ------------------------------------------------------------------------------------------

FOUND = (
    "sacrebleu", "nltk", "multi-bleu", "sacrebleu, lowercase yes", "sacrebleu, tokenizer char",
    "nltk, smoothing nltk-1, average segments", "sacrebleu, max order 2",
    "sacrebleu on reference 1 alone", "sacrebleu on reference 2 alone", "nltk on reference 1 alone",
    "sacrebleu on the first 10 lines", "sacrebleu on all lines but the first",
    "sacrebleu on all lines but the last", "sacrebleu on candidates without their first line",
    "sacrebleu on reference 1 swapped with the candidates", "sacrebleu on lower-cased candidates",
    "sacrebleu on the source in place of the candidates",
    "multi-bleu on candidates tokenised as 13a",
    "sacrebleu on reference 1 alone and all lines but the first",
)  # fmt: skip
SOME = ("sacrebleu", "multi-bleu", "nltk")
SOME_ROWS = [DIALECTS[name] for name in SOME]


def answers(found: Identification) -> list[Setting]:
    """All settings behind the first three answers."""
    return [each for match in found.matches[:3] for each in (
        match.setting, *match.others, *match.beside)]


def check(found: Identification, texts: Texts, digits: int) -> None:
    """An answer gives the number when its files are made and scored; JSON holds everything."""
    reported = found.reported.number
    for match in found.matches:
        equal = (match.setting, *match.others)
        for setting in (*equal[:3], *match.beside[:3]):
            changed = texts
            for step in setting.steps:
                changed = step(changed)
            with warnings.catch_warnings():  # Of text that was made odd
                warnings.simplefilter("ignore")
                score = Bleu(setting.dialect)(*zip(*changed.pairs, strict=True))
            value = score.value * 100 / score.scale
            rounded = setting.dialect.digits is not None or match.dialect.digits is not None
            lost = any(step.cause in ANYWHERE for step in setting.steps)  # One of several lines
            if setting in equal:
                assert value == pytest.approx(
                    match.value, rel=0, abs=0.01 if rounded or lost else 1e-4)
            slack = max((step.cause.slack for step in setting.steps), default=0)
            near = Decimal(10) ** -digits / 2 + Decimal(slack)
            assert any(abs(Decimal(value * scale) - reported) <= near for scale in (1, 0.01))
        assert 0 <= match.probability <= 1
    assert sum(match.probability for match in found.matches) <= 1 + 1e-12
    shares = [match.probability for match in found.matches]
    assert shares == sorted(shares, reverse=True)
    data = json.loads(found.to_json())
    assert [each["setting"] for each in data["matches"]] == [*map(str, found.matches)]
    for each, match in zip(data["matches"], found.matches, strict=True):
        assert (each["score"], each["probability"], each["signature"]) == (
            match.value, match.probability, match.signature)
        assert [*map(read_setting, each["same"])] == [
            read_setting(str(other)) for other in match.others]
        assert each["beside"] == [*map(str, match.beside)]
    assert (data["explanation"] is None) == (found.explanation is None)
    assert (data["tried"], data["values"], data["sure"], data["without"]) == (
        found.tried, found.values, found.sure, found.without)
    assert data["default"][0]["score"] == found.default.value
    assert max(map(len, repr(found).splitlines())) <= 60


@pytest.mark.parametrize("words", FOUND)
def test_a_cause_is_found(words: str) -> None:
    setting = read_setting(words)
    value = Variants(TEXTS).value(setting)
    digits = 4 if setting.dialect.decimals is None else setting.dialect.decimals
    found = identify(OUT, HUMANS, f"{value:.{digits}f}", SOME, source=SOURCE)
    assert setting in answers(found)
    check(found, TEXTS, digits)
    if found.explanation:
        again = explain(OUT, HUMANS, found.explanation.first, found.explanation.second,
                        source=SOURCE)
        assert again.to_json() == found.explanation.to_json()
        assert again.difference == pytest.approx(value - found.default.value, abs=10**-digits)


@needs(MANIFEST)
@pytest.mark.parametrize("words", [
    "multi-bleu", "sacrebleu on reference 2 alone", "sacrebleu on lower-cased candidates",
    "sacrebleu on all lines but the first", "sacrebleu on the first 100 lines",
    "multi-bleu on text tokenised as Moses"])
def test_a_cause_is_found_on_a_real_set(words: str) -> None:
    texts = real(300)
    setting = read_setting(words)
    digits = 3 if setting.dialect.decimals is None else setting.dialect.decimals
    value = Variants(texts).value(setting)
    found = identify(*zip(*texts.pairs, strict=True), f"{value:.{digits}f}", SOME)
    assert setting in answers(found)
    check(found, texts, digits)


USUAL = ("sacrebleu", "multi-bleu", "mteval-v13a", "mteval-v13a-intl")


def published() -> list[Any]:
    """Published scores: one of each tokenizer and set; in a long run all, some 20 minutes."""
    found: dict[Any, Any] = {}
    for pair, facts in names().items():
        for each in facts["published"]:
            one = pytest.param(pair, each["index"], id=f"{pair}-{each['hyp']}")
            found.setdefault((pair, each["tok"], LONG and each["index"]), one)
    return list(found.values())


@pytest.mark.slow
@needs(MANIFEST)
@pytest.mark.parametrize(("pair", "index"), published())
def test_published_score_is_identified(pair: str, index: int) -> None:
    facts = sets()[pair]["published"][index]
    files = [facts["refs"]] if isinstance(facts["refs"], str) else facts["refs"]
    candidates = lines(f"{pair}/{facts['hyp']}")
    reported = f"{facts['score']:.{facts['decimals']}f}"
    found = identify(candidates, references(pair, files), reported, USUAL)
    assert any(str(each.dialect.tokenizer).endswith(facts["tok"]) for each in answers(found))


def real(number: int) -> Texts:
    """The first lines of a set with two references."""
    files = ["ref.A.txt", "ref.C.txt"]
    pair = "wmt21/en-de"
    name = sorted(MANIFEST.parent.glob(f"{pair}/sys.*.txt"))[0].name
    groups: Sequence[Any] = references(pair, files)
    return Texts(check_corpus(lines(f"{pair}/{name}")[:number], groups[:number]))


def test_what_stands_beside_a_number_must_fit() -> None:
    score = Bleu("multi-bleu")(OUT, HUMANS)
    shares = [f"{share:.1f}" for share in score.precisions]
    length, other = score.stats.candidate_length, score.stats.reference_length
    line = (f"BLEU = {score.value:.2f}, {'/'.join(shares)} (BP={score.brevity_penalty:.3f}, "
            f"ratio={length / other:.3f}, hyp_len={length}, ref_len={other})")
    whole = "/".join(f"{float(share):.0f}" for share in shares)
    plain = f"{line[:line.index(', hyp')]})".replace("/".join(shares), whole)
    named = str({"bleu": score.value / 100, "precisions": [
        share / 100 for share in score.precisions], "translation_length": length})
    for right in (line, plain, named):
        found = identify(OUT, HUMANS, right, SOME)
        assert found.matches[0].value == pytest.approx(score.value)
        assert str(found.matches[0]) == ("sacrebleu, tokenizer none" if right is named  # Digits
                                         else "multi-bleu")
    for wrong in (line.replace(shares[1], "12.3"), line.replace("hyp_len=", "hyp_len=1"),
                  plain.replace("BP=", "BP=9"), plain.replace("ratio=", "ratio=1"),
                  plain.replace(whole, f"{whole[:-2]}99"), named.replace("h': ", "h': 1"),
                  named.replace("precisions': [", "precisions': [0.1, ")):
        found = identify(OUT, HUMANS, wrong, SOME)
        assert not found.matches and not found.sure and found.sentence.startswith(
            f"Nothing that was tried gives {say_printed(found.reported.number)} with the "
            "precisions, lengths or penalty beside it: your files give")


@pytest.mark.parametrize(("dialect", "changes", "sure"), [
    ("sacrebleu", {}, True), ("multi-bleu", {}, False), ("sacrebleu", {"mixed": "lc"}, False),
    ("sacrebleu", {"13a": "intl"}, False), ("sacrebleu", {"nrefs:2": "nrefs:4"}, False),
    ("sacrebleu", {"mixed": "lc", "13a": "char"}, False)])
def test_an_answer_that_a_signature_contradicts_is_never_sure(
    dialect: str, changes: dict[str, str], sure: bool
) -> None:
    signed = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    for old, new in changes.items():
        signed = signed.replace(old, new)
    score = Bleu(dialect)(OUT, HUMANS)
    for text in (f"BLEU|{signed} = {score.value:.2f}", f"BLEU|{signed} = {score.value!r}",
                 json.dumps({"name": "BLEU", "score": score.value, "signature": signed})):
        found = identify(OUT, HUMANS, text, SOME)
        assert found.matches[0].value == pytest.approx(score.value) and found.sure is sure
        assert (", though its signature says otherwise" in found.sentence) is not sure


@pytest.mark.parametrize("choices", [
    {}, {"smooth_method": "add-k", "smooth_value": 1}, {"smooth_method": "floor"},
    {"lowercase": True}, {"tokenize": "char"}, {"max_ngram_order": 2}, {"effective_order": True},
    {"tokenize": "intl", "smooth_method": "none"}], ids=str)
def test_a_line_of_sacrebleu_agrees_with_its_signature(choices: dict[str, Any]) -> None:
    texts = read("reference_1")
    metric: Any = sacrebleu.BLEU(**choices)
    score = metric.corpus_score(OUT, [texts])
    line = score.format(signature=metric.get_signature().format())
    found = identify(OUT, [[text] for text in texts], line)
    assert found.matches[0].value == pytest.approx(score.score) and not found.reservation
    assert found.matches[0].dialect.name == "sacrebleu"


@pytest.mark.parametrize("name", ["nltk", "google-bleu", "multi-bleu", "torchmetrics"])
def test_a_line_of_ours_agrees_with_its_signature(name: str) -> None:
    score = Bleu(name)(OUT, HUMANS)
    found = identify(OUT, HUMANS, str(score))
    assert found.matches[0].value == pytest.approx(score.value * 100 / score.scale, abs=0.005)
    assert not found.reservation


def test_what_a_signature_says_comes_before_other_tools() -> None:
    value = Variants(TEXTS).value(read_setting("sacrebleu on all lines but the first"))
    signed = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    found = identify(OUT, HUMANS, f"BLEU|{signed} = {value:.2f}")
    assert str(found.matches[0]) == "sacrebleu on all lines but the first"
    assert "signature" not in found.sentence


def test_without_an_answer_the_nearest_are_told() -> None:
    found = identify(OUT, HUMANS, "12.3456", SOME)
    assert not found.matches and not found.sure and len(found.nearest) == 3
    assert repr(found).startswith("Nothing that was tried gives 12.3456: your files give 67.25")
    data = json.loads(found.to_json())
    assert [each["setting"] for each in data["nearest"]] == [*map(str, found.nearest)]


def test_without_an_answer_it_says_what_could_be_given() -> None:
    more = [[*group, f"{group[0]} again"] for group in REFERENCES]
    for source, groups, number, lacking, asks in (
        (None, REFERENCES, "0.0012345", {"source", "more references"}, True),
        (None, more, "77.77777", {"source"}, False),
        (CANDIDATES, REFERENCES, "0.0012345", {"more references"}, False),
    ):  # fmt: skip
        found = identify(CANDIDATES, groups, number, SOME, source=source)
        told = " ".join(repr(found).split())
        said = told.partition("Not given, so not tried: ")[2].partition(".")[0]
        assert not found.matches and lacking == {
            each for each in ("source", "more references") if each in said}
        assert ("So low a number may be of the source: pass it." in told) is asks
        assert f"({len(found.changed)} in all)" in told and found.changed[0] in told
        assert max(map(len, repr(found).splitlines())) <= 60
        assert json.loads(found.to_json())["lacking"] == [*found.lacking]
    assert "Not given" not in repr(identify(CANDIDATES, REFERENCES, Bleu()(
        CANDIDATES, REFERENCES).value, SOME))


def test_files_of_different_lengths_are_told() -> None:
    """One side has a line more, here at its start: the score is that without it."""
    score = f"{Bleu()(OUT, HUMANS).value:.4f}"
    for made, groups in ((["a header", *OUT], HUMANS), (OUT, [["a header"] * 2, *HUMANS])):
        found = identify(made, groups, score, ["sacrebleu"])
        assert found.lines == (len(made), len(groups)) and found.matches
        assert "without their first line" in str(found.matches[0])
        assert (f", cut to the shorter: candidates have {len(made)} lines, references "
                f"{len(groups)}.") in found.sentence
        assert json.loads(found.to_json())["lines"] == [*found.lines]


@pytest.mark.parametrize("source", [SOURCE, [*SOURCE, ""]])
def test_a_longer_file_and_its_source_are_cut_to_the_shorter(source: list[str]) -> None:
    """A blank line at the end of one side changes nothing, whichever side has it."""
    score = f"{Bleu()(OUT, HUMANS).value:.4f}"
    for made, groups in (([*OUT, ""], HUMANS), (OUT, [*HUMANS, ["", ""]])):
        texts = texts_of(made, groups, source)
        assert [*texts.pairs] == [*TEXTS.pairs] and texts.source == SOURCE
        assert texts.sides() == ([*made], [[*group] for group in groups])
        found = identify(made, groups, score, SOME, source=source)
        assert found.matches[0].setting == found.default.setting
        assert "is what your files give: sacrebleu, cut to the shorter" in found.sentence


def test_files_that_do_not_belong_together_are_refused() -> None:
    """A tenth of the longer file may be missing; one line more is the error of every call."""
    lines, groups = CANDIDATES * 10, REFERENCES * 10
    for made, others in ((lines[:27], groups), (lines, groups[:27])):
        assert len(texts_of(made, others, None).pairs) == 27
    for made, others in ((lines[:26], groups), (lines, groups[:26]), (lines, []), ([], groups)):
        with pytest.raises(ValueError, match=r".") as usual:
            check_corpus(made, others)
        with pytest.raises(ValueError, match=r".") as ours:
            identify(made, others, "27.3", SOME)
        assert str(ours.value) == str(usual.value)


def without(rows: Sequence[Any], line: int | None) -> list[Any]:
    """All rows but one, counted from 1."""
    return [row for number, row in enumerate(rows, 1) if number != line]


@needs(MANIFEST)
@pytest.mark.parametrize("digits", [2, 12])
@pytest.mark.parametrize(("side", "made", "others"), [
    ("candidates without line 70", 70, None), ("references without line 70", None, 70),
    ("all lines but number 70", 70, 70)])
def test_a_line_lost_anywhere_is_found(
    side: str, made: int | None, others: int | None, digits: int
) -> None:
    outputs, groups = zip(*real(150).pairs, strict=True)
    pairs = [*zip(without(outputs, made), without(groups, others), strict=False)]
    value = Bleu()(*zip(*pairs, strict=True)).value
    found = identify(outputs, groups, f"{value:.{digits}f}", SOME)
    named = [each for each in answers(found) if each == read_setting(f"sacrebleu on {side}")]
    assert named, found.sentence
    if digits == 12:
        assert str(found.matches[0]) == f"sacrebleu on {side}" and found.sure


@needs(MANIFEST)
def test_a_line_that_one_file_lacks_is_found() -> None:
    outputs, groups = zip(*real(150).pairs, strict=True)
    value = Bleu()(without(outputs, 70), without(groups, 70)).value
    for made, others, side in ((outputs, without(groups, 70), "candidates"),
                               (without(outputs, 70), groups, "references")):
        found = identify(made, others, f"{value:.2f}", SOME)
        assert read_setting(f"sacrebleu on {side} without line 70") in answers(found)
        assert str(found.matches[0].setting).startswith(f"sacrebleu on {side} without line ")
        assert found.matches[0].probability > 0.4  # Such a line is likelier where files say so


@pytest.mark.parametrize("steps", [(), *((Step(each),) for each in SHIFTS)])
@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "torchtext"])
def test_sums_find_the_score_without_each_line(name: str, steps: tuple[Step, ...]) -> None:
    values = values_without(Variants(TEXTS), DIALECTS[name], steps)
    assert len(values) == len(OUT) - 2  # Not the first and the last, which are other causes
    for line, value in enumerate(values, 2):
        words = "all lines but number"
        for step in steps:
            words = f"{str(step).partition(' ')[0]} without line"
        setting = read_setting(f"{name} on {words} {line}")
        assert value == pytest.approx(Variants(TEXTS).value(setting), abs=1e-9)


@needs(MANIFEST)
def test_a_mean_over_batches_is_found() -> None:
    outputs, groups = zip(*real(100).pairs, strict=True)
    for size in (8, 32):
        value = np.mean([Bleu()(outputs[start:start + size], groups[start:start + size]).value
                         for start in range(0, 100, size)])
        found = identify(outputs, groups, f"{value:.4f}", SOME)
        assert str(found.matches[0]) == f"sacrebleu on the mean over batches of {size}"


LISTS: dict[str, Any] = {
    "strings in place of tokens": lambda outputs, groups: (groups, outputs),
    "one reference in place of a list": lambda outputs, groups: (
        [group[0].split() for group in groups], [line.split() for line in outputs]),
    "all references for every segment": lambda outputs, groups: (
        [[each.split() for group in groups for each in group]] * len(outputs),
        [line.split() for line in outputs])}


@pytest.mark.parametrize("shape", LISTS)
@pytest.mark.filterwarnings("ignore:.*hypothesis contains 0 counts:UserWarning")
def test_a_list_of_a_wrong_shape_is_found(shape: str) -> None:
    """What nltk itself answers for mistaken lists."""
    groups = [group[:1] for group in HUMANS]
    number = theirs.corpus_bleu(*LISTS[shape](OUT, groups))
    found = identify(OUT, groups, f"{number:.6g}")
    assert any(f"on {shape}" in str(each) and each.dialect.name.startswith("nltk")
               for each in answers(found)), found.sentence


ANSWERS = [Match(read_setting(words), 50.0, 0.0, "nrefs:1") for words in (
    "multi-bleu", "nltk", "torchtext", "multi-bleu on text tokenised as Moses")]  # fmt: skip


@pytest.mark.parametrize(("odds", "value", "number", "said"), [
    ([0.99], 50.0, "50.00", "50.00 is surely multi-bleu; your files give 40.00 (sacrebleu)."),
    ([0.97], 50.0, "50.00", "50.00 is probably multi-bleu; your"),
    ([0.8], 50.0, "50.00", "50.00 is probably multi-bleu; your"),
    ([0.79], 50.0, "50.00", "50.00 is perhaps multi-bleu; your"),
    ([0.4], 50.0, "50.00", "50.00 is perhaps multi-bleu; your"),
    ([0.39, 0.3, 0.2, 0.1], 50.0, "50.00", "50.00 is one of: multi-bleu (39%), nltk (30%), "
     "torchtext (20%), or something else; your files give 40.00 (sacrebleu)."),
    ([0.99], 0.0, "0", "0 is perhaps multi-bleu; your"),
])
def test_an_answer_is_said_with_its_odds(
    odds: list[float], value: float, number: str, said: str
) -> None:
    some = tuple(replace(match, value=value, probability=each)
                 for match, each in zip(ANSWERS, odds, strict=False))
    default = Match(Setting(DIALECTS["sacrebleu"]), 40.0, 0.0, "")
    found = Identification(read_reported(number), some, default, (), 5, 4, 0.5, {})
    assert found.sentence.startswith(said) and found.sure == ("surely" in said)


def test_a_score_that_does_not_round_to_the_number_is_said_to_be_near() -> None:
    default = Match(Setting(DIALECTS["sacrebleu"]), 40.0, 0.0, "")
    single = float(np.float32(50.1234567))
    for match, number, said in (
        (ANSWERS[3], "50.02", "multi-bleu on text tokenised as Moses, to within 0.03 points"),
        (ANSWERS[3], "50.00", "multi-bleu on text tokenised as Moses"),
        (replace(ANSWERS[1], value=50.1234567), repr(single), "nltk, stored in 32 bits"),
    ):  # fmt: skip
        first = replace(match, probability=0.99)
        found = Identification(read_reported(number), (first,), default, (), 5, 4, 0.5, {})
        assert f"{said}; your files give" in found.sentence
        assert " ".join(repr(found).split()).count(said) == 2 and said in found.to_markdown()
        assert found.sure is (number == "50.00")


def test_a_step_that_changes_nothing_is_not_told() -> None:
    lines = [line.lower() for line in OUT]
    groups = [[each.lower() for each in group] for group in HUMANS]
    found = identify(lines, groups, f"{Bleu()(lines, groups).value:.2f}", ["sacrebleu"])
    named = [*map(str, (found.matches[0].setting, *found.matches[0].others))]
    assert named[0] == "sacrebleu" and "sacrebleu on lower-cased text" in named
    assert "lower-cased" not in repr(found) and not found.matches[0].beside


def test_a_number_is_read_on_both_scales() -> None:
    value = Bleu()(OUT, HUMANS).value
    whole, part = (identify(OUT, HUMANS, text, SOME) for text in (
        f"{value:.2f}", f"{value / 100:.4f}"))
    assert str(whole.matches[0]) == str(part.matches[0]) == "sacrebleu"
    assert whole.tried == part.tried and whole.explanation is None
    assert repr(whole).startswith(f"{value:.2f} is what your files give: sacrebleu.")


UNEVEN = [[*REFERENCES[0], "once a month it came"], *REFERENCES[1:]]
ODD: dict[str, tuple[Any, Any]] = {
    "tokens": ([line.split() for line in CANDIDATES],
               [[line.split() for line in group] for group in REFERENCES]),
    "one segment": (CANDIDATES[:1], REFERENCES[:1]), "two": (CANDIDATES[:2], REFERENCES[:2]),
    "no words": ([""] * 3, REFERENCES), "no tokens": ([[], []], [[[]], [[]]]),
    "None": (CANDIDATES, [[None, *group] for group in REFERENCES]), "uneven": (CANDIDATES, UNEVEN),
    "eight": (CANDIDATES, [[f"{group[0]} {number}" for number in range(8)]
                           for group in REFERENCES]),
    "U+2028": ([line.replace(" ", "\u2028") for line in CANDIDATES], REFERENCES),
    "bytes": ([line.encode() for line in CANDIDATES], REFERENCES),
    "Chinese": (["这是一只猫。", "你好"], [["这是猫。"], ["你好吗"]]),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_identified(name: str) -> None:
    outputs, groups = ODD[name]
    default = defaults_for(Texts(check_corpus(outputs, groups)))[0]
    score = Bleu(default)(outputs, groups)
    found = identify(iter(outputs), map(iter, groups), f"{score.value:.3f}", SOME)
    assert Setting(default) in answers(found) and found.default.signature == score.signature
    check(found, Texts(check_corpus(outputs, groups)), 3)


def test_other_tools_and_fewer_lines_are_tried_beside_the_first_answers() -> None:
    search = Search(TEXTS, "67.3", [*DIALECTS.values()])
    for _ in search.run():
        pass
    first = search.answers()[:MOST]
    assert first
    for _ in search.look_around():
        pass
    for match in first:
        steps, dialect = match.setting.steps, match.dialect
        fits = [each.cause.fits for each in steps if each.cause.fits]
        assert {each.dialect for each in search.seen if each.steps == steps} >= {
            each for each in search.usual
            if each.lowercase == dialect.lowercase and all(fit(each) for fit in fits)}
        kinds = {step.cause.kind for step in steps}
        for step in search.steps:
            assert not step.cause.rows or step.cause.kind in kinds or any(
                each.dialect == dialect and {*each.steps} == {*steps, step}
                for each in search.seen)


def test_an_answer_with_one_step_more_stands_beside_the_one_without() -> None:
    usual, step, other = DIALECTS["sacrebleu"], *list_steps(TEXTS)[:2]
    made = [Match(Setting(dialect, steps), 1.0, 0.1, "") for dialect, steps in (
        (usual, ()), (DIALECTS["nltk"], ()), (usual, (step,)), (usual, (step, other)),
        (DIALECTS["multi-bleu"], (other,)))]
    plain, nltk, more, most, alone = made
    assert fold(made) == [replace(plain, beside=(more.setting, most.setting)), nltk, alone]
    assert fold(made[2:4]) == [replace(more, beside=(most.setting,))] and fold([]) == []
    named = replace(nltk, others=(plain.setting,))
    more = replace(more, others=(alone.setting,), beside=(most.setting,))
    assert fold([named, more]) == [
        replace(named, beside=(more.setting, alone.setting, most.setting))]


@pytest.mark.parametrize("printed", [
    1.0, 1, "1", "1.0", np.float64(1.0), {"bleu": 1.0}, "1.0e+00", "BLEU = 1.0",
    1.0000000000000004])
def test_a_perfect_score_is_found_as_python_prints_it(printed: Any) -> None:
    texts = read("reference_1")
    found = identify(texts, [[line] for line in texts], printed, SOME)
    assert found.matches[0].value == pytest.approx(100) and found.matches[0].setting == (
        found.default.setting)


def test_an_exact_half_of_nltk_is_found() -> None:
    candidate, reference = "c d a x c e d a", "c d a a c e d a"
    number = theirs.sentence_bleu([reference.split()], candidate.split())
    assert number == 0.5
    for printed in (number, "0.5", "0.50"):
        found = identify([candidate], [[reference]], printed)
        assert any(each.dialect.name == "nltk" for each in answers(found))


@pytest.mark.parametrize("method", range(1, 8))
def test_the_tool_that_has_a_smoothing_is_named_first(method: int) -> None:
    candidate, reference = ("the ferry left the small harbour at dawn",
                            "the ferry left a small harbour at dusk")
    smooth = getattr(theirs.SmoothingFunction(), f"method{method}")
    number = theirs.sentence_bleu([reference.split()], candidate.split(), smoothing_function=smooth)
    found = identify([candidate], [[reference]], number)
    for match in found.matches:
        own = str(match.dialect.smoothing).startswith("nltk")
        assert not own or match.dialect.name.startswith(("nltk", "codebleu"))
    assert any(each.dialect.name == "nltk" for each in answers(found))


@pytest.mark.parametrize(("printed", "said"), [
    ("0.000000000000", "0.000000000000"), ("1e2", "100"), ("0", "0"), ("67.30", "67.30"),
    ("5.7e-78", "5.7E-78"), ("1e-05", "0.00001"), ("0.1234567890123456", "0.123456789012"),
    ("2730e-2", "27.30")])
def test_a_printed_number_is_said_with_the_digits_that_count(printed: str, said: str) -> None:
    assert say_printed(Decimal(printed)) == said


def test_the_score_of_an_answer_is_that_of_its_setting() -> None:
    for words in ("codexglue, smoothing none", "codexglue, smoothing exp", "codexglue"):
        value = Variants(TEXTS).value(read_setting(words))
        found = identify(OUT, HUMANS, f"{value:.4f}")
        for match in (*found.matches, found.default):
            assert match.value == Variants(TEXTS).value(match.setting)


# What is tried ------------------------------------------------------------------------------------


def test_no_setting_is_tried_twice_and_the_usual_ones_come_first() -> None:
    found = settings([*DIALECTS.values()])
    assert next(iter(found)) == DIALECTS["sacrebleu"]
    assert [*found.values()] == sorted(found.values(), reverse=True)
    assert len({repr(changed) for changed in found}) == len(found)
    twice = {row.name for row in found if sum(
        getattr(row, name) != getattr(DIALECTS[row.name], name) for name in vars(row)) > 1}
    assert twice >= {"sacrebleu", "multi-bleu", "mteval-v13a", "nltk"}


def test_likely_guesses_are_tried_before_all_others() -> None:
    tried = settings([*DIALECTS.values()])
    rounds = plan_rounds(TEXTS, tried, defaults_for(TEXTS))
    odds = [(each, {dialect: usual * each.weight for dialect, usual in each.dialects.items()})
            for each in rounds]
    likely = [min(some.values()) >= LIKELY for _, some in odds]
    assert likely == sorted(likely, reverse=True) and len({*likely}) == 2
    assert all(max(some.values()) < LIKELY for (_, some), part in zip(odds, likely, strict=True)
               if not part)
    guesses = [(each.steps, dialect) for each, some in odds for dialect in some]
    assert len({*guesses}) == len(guesses)
    assert {dialect for steps, dialect in guesses if not steps} == {*tried}
    for part in (True, False):  # What reads one text stands together
        texts = [changes_in(each.steps) for each, one in zip(rounds, likely, strict=True)
                 if one is part]
        assert texts[0] == () and len([*groupby(texts)]) == len({*texts})


def test_what_is_left_weighs_more_where_scores_lie_near() -> None:
    search = Search(TEXTS, "67.05", SOME_ROWS)
    assert search.by_chance(1.0) == pytest.approx(0.01 / SPREAD)
    for place, value in enumerate((67.051, 67.9, 66.2, 50.0)):
        search.keep(Setting(SOME_ROWS[0]), value, 0.1 + place / 1e9)
    assert search.near == pytest.approx(0.2) and search.whole == pytest.approx(0.4)
    assert search.by_chance(1.0) == pytest.approx(0.01 * 0.2 / (2 * 0.4))


@pytest.mark.parametrize("reported", ["46.70", "48.40", "56.90", "61.15", "62.00", "67.27"])
def test_a_number_that_fits_by_chance_is_never_sure(reported: str) -> None:
    """Nobody made these numbers, though something rounds to each of them."""
    found = identify(OUT, HUMANS, reported)
    assert found.matches and not found.sure


@needs(MANIFEST)
def test_an_answer_is_not_sure_while_fewer_lines_give_the_same_digits() -> None:
    texts = Texts(real(1002).pairs)
    score = Variants(texts).value(read_setting("nltk, smoothing nltk-1, average segments"))
    few = Variants(texts).value(read_setting(
        "nltk, smoothing nltk-1, average segments on the first 1000 lines"))
    number = f"{score:.1f}"
    assert f"{few:.1f}" == number
    assert not identify(*zip(*texts.pairs, strict=True), number).sure


@needs(MANIFEST)
def test_a_sample_hardly_ever_drops_the_guess_that_gave_the_number() -> None:
    """The exact score of a guess about 1,000 lines lies within the error, but for one in fifty."""
    search = Search(real(1000), "99.5", SOME_ROWS)
    right, far = [], []
    for step in (None, *search.steps):
        for dialect in [*search.usual][::1 if step and step.cause.mean else 4]:
            guess = Setting(dialect, (step,) if step else ())
            with suppress(NoScore):
                value = search.variants.value(guess)
                search.targets = [value]
                right.append(search.may_fit(guess, 1.0))
                assert right[-1] or not step or not (
                    step.cause.mean or step.cause.kind == "shift"), str(guess)
                search.targets = [value + 25]
                far.append(search.may_fit(guess, 1.0))
    assert sum(right) > 0.98 * len(right) and sum(far) < len(far) / 3 and len(far) > 1000


@needs(MANIFEST)
def test_the_nearest_of_a_large_file_have_exact_scores() -> None:
    """What a sample only estimates is scored on all lines before it is shown."""
    texts = real(1000)
    found = identify(*zip(*texts.pairs, strict=True), "55.4321", SOME)
    assert not found.matches and len(found.nearest) == MOST
    for match in found.nearest:
        assert match.value == pytest.approx(Variants(texts).value(match.setting), abs=1e-9)


def test_a_sample_is_trusted_only_with_what_many_lines_show() -> None:
    lines = [f"the boat number {number} came in late" for number in range(40)]
    groups = [[f"the boat {number} came late"] for number in range(40)]
    lines[3] = "The Boat was late"
    sample = Sample(Variants(Texts(check_corpus(lines, groups))), DIALECTS["sacrebleu"], 32)
    shown = {words: sample.shows(read_setting(f"sacrebleu on {words}").steps[0]) for words in (
        "candidates tokenised as 13a", "lower-cased candidates", "candidates cut at 4 tokens",
        "candidates without their first line", "the first 10 lines")}
    assert shown == {words: words == "candidates cut at 4 tokens" for words in shown}
    again = Sample(sample.all, DIALECTS["sacrebleu"], 32)
    assert again.places == sample.places and len(sample.places) == 16


def test_progress_tells_every_round_and_its_errors_are_raised() -> None:
    told: list[tuple[int, int]] = []
    found = identify(CANDIDATES, REFERENCES, 1.5, "sacrebleu", lambda *each: told.append(each))
    texts = Texts(check_corpus(CANDIDATES, REFERENCES))
    search = Search(texts, 1.5, [DIALECTS["sacrebleu"]])
    number = len(search.rounds)
    assert not found.sure and told == [*search.run(), *search.look_around()]
    assert told[:number] == [(done, number) for done in range(1, number + 1)]
    assert found.tried + sum(found.without.values()) == len(search.seen)

    def broken(*_: int) -> None:
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        identify(CANDIDATES, REFERENCES, 1.5, "sacrebleu", broken)


def test_dialects_are_named_in_any_form() -> None:
    words = "sacrebleu, tokenizer intl"
    forms: list[Any] = [words, [words], Bleu(tokenizer="intl"), [Bleu(tokenizer="intl").dialect]]
    assert len({repr(identify(CANDIDATES, REFERENCES, 20, form)) for form in forms}) == 1
    with pytest.raises(ValueError, match="pass at least one dialect"):
        identify(CANDIDATES, REFERENCES, 20, [])
    with pytest.raises(TypeError, match="pass the name of a dialect"):
        identify(CANDIDATES, REFERENCES, 20, [None])  # type: ignore[list-item]


def test_changes_of_an_own_dialect_are_told_apart() -> None:
    own = replace(DIALECTS["sacrebleu"], name="mine on paper", max_order=2)
    value = Bleu(replace(own, lowercase=True))(CANDIDATES, REFERENCES).value
    found = identify(CANDIDATES, REFERENCES, f"{value:.4f}", own)
    assert str(found.matches[0]) == "mine on paper, lowercase yes"
    names = [*map(str, (found.matches[0], *found.matches[0].others))]
    assert len({*names}) == len(names)


def test_a_match_is_signed_with_the_numbers_of_references() -> None:
    for groups in (REFERENCES, UNEVEN):
        score = Bleu()(CANDIDATES, groups)
        [match, *_] = identify(CANDIDATES, groups, score.value, "sacrebleu").matches
        assert match.signature == score.signature
    assert "nrefs:var" in match.signature


def test_more_answers_than_fit_on_a_screen_are_counted() -> None:
    found = identify(OUT, HUMANS, "67", SOME)
    assert len(found.matches) > MOST
    assert f"and {len(found.matches) - MOST} less likely" in repr(found)
    assert repr(found).startswith("67 is what your files give: sacrebleu.")


@pytest.mark.parametrize("name", DIALECTS)
def test_a_listed_dialect_is_sacrebleu_with_what_the_list_says(name: str) -> None:
    usual, row, told = DIALECTS["sacrebleu"], DIALECTS[name], list_dialects()[name]
    made: Dialect = replace(usual, name=name, **told)
    assert made == row
    differing = {each for each in vars(row) if getattr(row, each) != getattr(usual, each)}
    assert set(told) == differing - {"name"} | {"version", "source"}


# Digits -------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("candidate", "reference"), [
    ("the ferry left the small harbour at dawn", "the ferry left a small harbour at dusk"),
    ("the keeper rowed slowly to the island", "the keeper went to the pier"),
    ("boats wait near harbour", "the harbour has boats"),
])
@pytest.mark.filterwarnings("ignore:.*hypothesis contains 0 counts:UserWarning")
def test_a_tiny_number_of_nltk_is_nltks(candidate: str, reference: str) -> None:
    number = theirs.sentence_bleu([reference.split()], candidate.split())
    for printed in (number, repr(number), f"{number:.2g}"):
        found = identify([candidate], [[reference]], printed)
        assert found.matches[0].dialect.name == "nltk" and found.sure
        assert say_printed(read_reported(printed).number) in found.sentence
        assert not any(str(each).startswith("multi-bleu") for each in answers(found))
        assert f"{number * 100:.4e}" in repr(found)


@pytest.mark.parametrize("tool", ["torchmetrics", "torchtext", "keras-hub"])
def test_an_answer_that_rounds_comes_before_one_by_slack(tool: str) -> None:
    value = Variants(TEXTS).value(read_setting(f"{tool} on text tokenised as Moses"))
    found = identify(OUT, HUMANS, f"{value / 100:.10f}")
    assert f"{found.matches[0].value / 100:.10f}" == f"{value / 100:.10f}"
    rounded = sum(fits(each.value, found.reported.number) for each in found.matches)
    assert f"such a number; {rounded} did" in " ".join(repr(found).split())


def test_an_answer_by_slack_is_never_sure() -> None:
    value = Variants(TEXTS).value(read_setting("sacrebleu on text tokenised as Moses"))
    by_slack = 0
    for shift in (0.004, 0.011, 0.02, 0.029):
        found = identify(OUT, HUMANS, f"{value + shift:.6f}")
        if found.matches and not fits(found.matches[0].value, found.reported.number):
            by_slack += 1
            assert not found.sure
    assert by_slack


def test_printed_precisions_are_compared_though_the_tokens_are_approximate() -> None:
    setting = read_setting("multi-bleu on text tokenised as Moses")
    value = Variants(TEXTS).value(setting) + 0.02
    total, _ = Variants(TEXTS).scorer(setting.steps).ends(setting.dialect)
    shares = [100 * matches / number for matches, number in zip(
        total.matches, total.totals, strict=True)]
    right, wrong = ("/".join(f"{share + more:.1f}" for share in shares) for more in (0, 5))
    for words, known in ((right, True), (wrong, False)):
        found = identify(OUT, HUMANS, f"BLEU = {value:.2f}, {words}", ["multi-bleu"])
        assert (setting in answers(found)) is known


def test_whoever_prints_lengths_has_no_slack() -> None:
    """Approximate tokens are not believed where their number was printed and the score is off."""
    setting = read_setting("multi-bleu on text tokenised as Moses")
    score = Variants(TEXTS).score(setting)
    beside = (f" (hyp_len={score.stats.candidate_length}, "
              f"ref_len={score.stats.reference_length})")  # fmt: skip
    for lengths, known in (("", True), (beside, False)):
        found = identify(OUT, HUMANS, f"BLEU = {score.value + 0.02:.2f}{lengths}", ["multi-bleu"])
        assert (setting in answers(found)) is known


def test_a_number_that_a_script_cannot_print_is_not_its_own() -> None:
    value = Bleu("multi-bleu")(OUT, HUMANS).value
    for printed, named in ((f"{value:.2f}", True), (f"{value / 100:.4f}", True),
                           (f"{value:.3f}", False), (f"{value:.10f}", False)):
        found = identify(OUT, HUMANS, printed)
        assert any(each.dialect.name == "multi-bleu" for each in answers(found)) is named


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("name", ["sacrebleu", "nltk"])
def test_a_score_stored_in_32_bits_is_found_but_never_sure(name: str, scale: int) -> None:
    value = Bleu(name)(OUT, HUMANS).value * scale / DIALECTS[name].scale
    single = np.float32(value)
    for stored in (single.item(), f"{single:.10f}", str(np.float64(single))):
        found = identify(OUT, HUMANS, stored)
        assert found.matches[0].dialect.name == name and not found.sure
    whole = identify(OUT, HUMANS, value)
    assert whole.matches[0].dialect.name == name and whole.sure


def test_scores_that_differ_in_their_last_bits_are_one_answer() -> None:
    for name in ("sacrebleu", "huggingface"):
        value = Bleu(name)(OUT, HUMANS).value / DIALECTS[name].scale
        search = Search(TEXTS, repr(value), [*DIALECTS.values()])
        for _ in search.run(settle=False):
            pass
        found = search.found()
        names = {each.dialect.name for each in (
            found.matches[0].setting, *found.matches[0].others)}
        assert {"sacrebleu", "huggingface"} <= names and found.sure
        assert identify(OUT, HUMANS, repr(value)).sure


def test_a_table_of_answers_has_the_decimals_that_were_asked_for() -> None:
    found = identify(OUT, HUMANS, "67.25")
    value = found.matches[0].value
    for digits, shown in ((None, f"{value:.4f}"), (1, f"{value:.1f}"), (0, f"{value:.0f}")):
        assert f"| {shown} |" in found.to_markdown(digits)
        assert f"{shown} &" in found.to_latex(digits)


@pytest.mark.parametrize("tool", ["allennlp", "coco"])
def test_a_rare_tool_is_found_on_a_text_that_is_counted_anyway(tool: str) -> None:
    lines = [f"the boat number {number} came in late , as ever" for number in range(120)]
    others = [[f"the boat {number} was in late{' again' * (number % 3)} , as ever it is"]
              for number in range(120)]
    few = corpus_bleu([line.split() for line in lines[:100]],
                      [[line.split() for line in group] for group in others[:100]], tool)
    found = identify(lines, others, f"{few.value:.12f}")
    named = [str(each) for match in found.matches for each in (match.setting, *match.others)]
    assert any(tool in name and "first 100 lines" in name for name in named)
