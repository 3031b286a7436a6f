"""What is read of a reported score, and which computed scores agree with it."""

import json
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bleu_nb import DIALECTS, Bleu, corpus_bleu, explain, identify
from bleu_nb.diagnosis import reported
from bleu_nb.diagnosis.causes import Setting
from bleu_nb.diagnosis.reported import fits, read_reported

CANDIDATES = ["the boat comes once a month", "two lamps burn on the island every night"]
REFERENCES = [["the boat came once a month"], ["two lamps burned on the island each night"]]

# What is read -------------------------------------------------------------------------------------

SIGNED = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"
LOWER = "sacrebleu, lowercase yes"
BESIDE = "60.0/30.0/20.0/10.0 (BP = 1.000 ratio = 1.000 hyp_len = 20 ref_len = 20)"
IN_JSON = {"name": "BLEU", "score": 27.30, "signature": SIGNED, "verbose_score": BESIDE}
CHRF_IN_JSON = {"name": "chrF2", "score": 50.1, "signature": "nrefs:1|nc:6|version:2.6.0"}
NUMBERS: dict[Any, str] = {     # A number alone -> its digits
    0: "0", 100: "100", 1e-3: "0.001", 1e-5: "0.00001", np.float32(27.3): "27.3",
    np.array(27.3).item(): "27.3", Decimal("27.30"): "27.30",
    "100.0": "100.0", "0.0": "0.0", "111.67": "111.67", " 27.30 \n": "27.30", ".5": "0.5",
    "5.": "5",
    "27.3%": "27.3", "70.05 %": "70.05", "70,05": "70.05", "1,234": "1.234", "5,2e-3": "0.0052",
    "7.005e+01": "70.05", "1E1": "10", "27.3 \u00b1 0.5": "27.3", "27.3±0.5": "27.3",
    "27.3 +/- 0.5": "27.3", "27.3 (±0.5)": "27.3", "**27.3**": "27.3", "27.3†": "27.3",
    "$27.3$": "27.3", "27.3 BLEU": "27.3", "27 BLEU": "27", "<b>27.3</b>": "27.3",
    # As Python shows it
    "tensor(0.7005)": "0.7005", "tensor([0.7005], device='cuda:0')": "0.7005", "[0.7005]": "0.7005",
    "np.float64(0.7)": "0.7", "Array(0.7, dtype=float32)": "0.7", "Decimal('0.7005')": "0.7005",
    "<tf.Tensor: shape=(), dtype=float32, numpy=0.7005>": "0.7005", "numpy.float32(0.7)": "0.7",
    "array([0.7])": "0.7",
}  # fmt: skip
NAMED: dict[str, str] = {       # Named BLEU, or the one BLEU field of a dictionary -> its digits
    "BLEU = 27.3": "27.3", "BLEU: 27.3": "27.3", "BLEU 27.3": "27.3", "BLEU-4 27.3": "27.3",
    "BLEU4: 27.3": "27.3", "BLEU@4 = 27.3": "27.3", "bleu_4: .27": "0.27", "bleu_1: 60.2": "60.2",
    "a BLEU of 27.3.": "27.3", "The BLEU score is 27.3": "27.3", "| BLEU | 27.3 |": "27.3",
    "BLEU↑ 27.3": "27.3", "BLEU (%) 27.3": "27.3", "sacrebleu: BLEU = 27.3": "27.3",
    "BLEU: \x1b[1m32.21\x1b[0m loss: 40.49": "32.21", "BLEU: <b>27.3</b>, BP: 0.9": "27.3",
    "BLEURT: 0.45 BLEU: 27.3": "27.3", "BLEU_bp: 1.0 BLEU: 27.3": "27.3",
    "step 10/100 BLEU 27.3": "27.3", "BLEU 27.3 steps 1000": "27.3", "BLEU: 27, loss: 2": "27",
    'NIST score = 5.1 BLEU score = 0.2730 for system "x"': "0.2730",
    "{'brevity_penalty': 1.0, 'bleu': np.float64(0.7)}": "0.7", '{"bleu":0.7,"loss":2.5}': "0.7",
    "{'score': 27.3, 'counts': [1, 2]}": "27.3", '{"score": 27.3}': "27.3",
    "{'bleu': '27.30'}": "27.30", "{'bleu': {'bleu': 0.27, 'bp': 1.0}}": "0.27",
    "{'google_bleu': 0.31}": "0.31", "{'bleurt': 0.3, 'bleu': 0.4}": "0.4",
    "{'bleu_brevity_penalty': 0.98, 'bleu_score': 0.27}": "0.27", "{'bleu': tensor(0.7)}": "0.7",
    "{'bleu': 0.27, 'bleu_score': 0.27}": "0.27", "val_bleu=27.3 epoch=3": "27.3",
    f"BLEU = 27.3{' ' * 4988}|": "27.3",
}  # fmt: skip
LINES: list[tuple[Any, str, int, tuple[int | None, ...], str | None]] = [
    ("BLEU = 27.30, 60.0/30.0/20.0/10.0 (BP=1.000, ratio=1.0, hyp_len=20, ref_len=21)",
     "27.30", 4, (20, 21), None),
    ("BLEU4 = 27.30, 60.0/30.0/20.0/10.0 (BP=1.000, ratio=1.000, syslen=20, reflen=21)",
     "27.30", 4, (20, 21), None),
    (f"BLEU|{SIGNED} = 27.3 {BESIDE}", "27.3", 4, (20, 20), LOWER),
    (f"{SIGNED}=27.3 {BESIDE}", "27.3", 4, (20, 20), LOWER),
    (f"BLEU|{SIGNED} = 27.3 \u00b1 0.6 (\u03bc = 27.2) {BESIDE}", "27.3", 4, (20, 20), LOWER),
    (f"BLEU|{SIGNED} = 27.3 (\u03bc = 27.2 \u00b1 0.6) {BESIDE}", "27.3", 4, (20, 20), LOWER),
    (f"BLEU|{SIGNED} = 27.3 60.0/30.0 (BP = 1.000)", "27.3", 2, (), LOWER),
    (f"BLEU = 27.30 {BESIDE} {SIGNED}|order:3|dialect:nltk", "27.30", 4, (20, 20),
     str(Setting(replace(DIALECTS["nltk"], tokenizer="13a", lowercase=True, max_order=3,
                         weights=None, smoothing="exp")))),
    ("BLEU+case.lc+numrefs.1+smooth.exp+tok.13a+version.1.4.2 = 27.3", "27.3", 0, (),
     "sacrebleu-1, lowercase yes"),
    (f"chrF2|nrefs:1|nc:6|version:2.6.0 = 50.1\nBLEU|{SIGNED} = 27.3 {BESIDE}", "27.3", 4, (20, 20),
     LOWER),
    ("BLEU = 27.30 60 / 30 / 20 / 10 (BP = 1.000)", "27.30", 4, (), None),
    ("BLEU = 27.30, 60.1 / 30.0 / 20.0 (hyp_len=20)", "27.30", 3, (20, None), None),
    ("BLEU = 27.30 (BP = 1.000 ratio = 1.016 hyp_len = 1,000 ref_len = 980)", "27.30", 0,
     (None, 980), None),
    ("BLEU = 0.4727 0.473 (BP = 1.000 ratio = 1.000)", "0.4727", 1, (), None),
    ("BLEU = 27,30, 60,1/33,2/20,0/12,5 (BP=1,0)", "27.30", 4, (), None),
    (json.dumps([CHRF_IN_JSON, IN_JSON]), "27.3", 4, (20, 20), LOWER),
    (json.dumps(IN_JSON, indent=1), "27.3", 4, (20, 20), LOWER),
    (json.dumps(IN_JSON, separators=(",", ":")), "27.3", 4, (20, 20), LOWER),
    ({"precisions": [0.5], "brevity_penalty": 1.0, "bleu": 0.7}, "0.7", 1, (), None),
    ('{"bleu":0.7,"precisions":[0.8,0.7]}', "0.7", 2, (), None),
    ("{'bleu': 0.273, 'precisions': [np.float64(0.8), 0.7e-1], 'translation_length': 1260, "
     "'reference_length': 1350}", "0.273", 2, (1260, 1350), None),
    ("{'score': 27.3, 'precisions': (86, 55, 32, 99), 'sys_len': 999, 'ref_len': 135}", "27.3", 4,
     (999, 135), None),
    ("precisions: tensor([0.8, 0.5]), BLEU: 27.3", "27.3", 2, (), None),
]  # fmt: skip


@pytest.mark.parametrize(("given", "number", "shares", "lengths", "dialect"), [
    *((given, number, 0, (), None) for given, number in (NUMBERS | NAMED).items()), *LINES])
def test_what_was_printed_is_read(
    given: Any, number: str, shares: int, lengths: tuple[int, ...], dialect: str | None
) -> None:
    found = read_reported(given)
    assert (f"{found.number:f}", len(found.precisions), found.lengths) == (number, shares, lengths)
    assert dialect == (found.dialect and str(Setting(found.dialect)))


OWN = replace(DIALECTS["nltk"], name="mine", label="GLEU")


@pytest.mark.parametrize("dialect", [*DIALECTS, OWN], ids=str)
def test_the_line_of_every_dialect_is_read(dialect: Any) -> None:
    score = corpus_bleu(CANDIDATES, REFERENCES, dialect)
    for text in (str(score), f"BLEU|{score.signature} = {score.value:.4f}"):
        found = read_reported(text)
        assert found.dialect == Bleu.from_signature(score.signature).dialect
        assert float(found.number) == pytest.approx(score.value, abs=0.005)


# What is refused ----------------------------------------------------------------------------------

SEVERAL: dict[Any, str] = {     # Text with several numbers -> those that the error lists
    "63.4 BLEU (ours), 61.2 BLEU (baseline)": "63.4, 61.2", "63.4 vs 61.2": "63.4, 61.2",
    "63.4 | 70.1 | 0.89": "63.4, 70.1, 0.89", "27.3 28.1": "27.3, 28.1", "27.3, 28.1": "27.3, 28.1",
    "27.3/28.1": "27.3, 28.1", "27.3 / 100": "27.3, 100", "7 / 12": "7, 12",
    "BLEU:  0.60   0.35   0.20": "0.60, 0.35, 0.20", "BLEU: 27.3 -> 28.1": "27.3, 28.1",
    "BLEU\t27.3\t28.1\nratio: 0.9": "27.3, 28.1", "BLEU: 27.3/100, BP: 0.98": "27.3, 100",
    "BLEU-1: 60, BLEU: 27": "60, 27", "Bleu_1: 0.7\nBleu_4: 0.273": "0.7, 0.273",
    "BLEU 4 27.3": "4, 27.3", "27.3, loss 1.2": "27.3, 1.2", "BLEU-1/2: 60.2 45.1": "2, 60.2, 45.1",
    f"BLEU|{SIGNED} = 27.3 {BESIDE}\nBLEU|{SIGNED} = 28.1 {BESIDE}": "27.3, 28.1",
    json.dumps([IN_JSON, IN_JSON | {"score": 28.1}]): "27.3, 28.1",
    '[{"system": "a", "BLEU": "58.5"}, {"system": "b", "BLEU": "40.5"}]': "58.5, 40.5",
    "{'Bleu_1': 0.7, 'Bleu_4': 0.273}": "0.7, 0.273", "{'bleu': [27.3, 28.1]}": "27.3, 28.1",
    "{'google_bleu': 0.31, 'bleu': 0.27}": "0.31, 0.27", "tensor([0.7, 0.5])": "0.7, 0.5",
    "Bleu: [0.602, 0.45, 0.35, 0.273]": "0.602, 0.45, 0.35, 0.273",
    "BLEU = 27.30 58.9 33.1 21.0 14.0": "27.30, 58.9, 33.1, 21.0, 14.0",
    "Fraction(7, 10)": "7, 10", "5.7 * 3": "5.7, 3", "12 systems: 27.3 BLEU and 28": "12, 27.3, 28",
    "27.3 / 58.9 / 33.1": "27.3, 58.9, 33.1", "{'precisions': [0.7, 0.5]}": "0.7, 0.5",
    "1 2 3 4 5 6 7 8 9 10": "1, 2, 3, 4, 5, 6, 7, 8",
}  # fmt: skip


@pytest.mark.parametrize(("given", "numbers"), [
    *SEVERAL.items(), ([27.3, 28.1], "27.3, 28.1"), (np.array([27.3, 28.1]), "27.3, 28.1"),
    ((27.3, 28.1), "27.3, 28.1"), ({"bleu": 27.3, "bleu_2": 28.1}, "27.3, 28.1"),
    (Fraction(7, 10), "7, 10")])
def test_of_several_numbers_none_is_taken(given: Any, numbers: str) -> None:
    with pytest.raises(ValueError, match="reported must hold one BLEU score") as refused:
        identify(CANDIDATES, REFERENCES, given)
    first = numbers.partition(",")[0]
    assert str(refused.value).endswith(
        f"has several numbers: {numbers}; pass the one to look for, such as {first}")


CALLS: dict[str, Callable[[Any], Any]] = {
    "identify": lambda given: identify(CANDIDATES, REFERENCES, given),
    "explain": lambda given: explain(CANDIDATES, REFERENCES, given),
    "from_signature": Bleu.from_signature,
}
NO_SCORES: list[Any] = [
    "", "x", -1, "-3", True, None, b"27.3", math.nan, math.inf, 201, "9" * 5000, np.array([]),
    "\u0662\u0667", "27.\uff13", "BLEU: ２７.３ BP: 0.9", "27·3", "1.2.3", "27,3,1", "1e-99999999",
    "{bad", "[]", "tensor(nan)", "tensor([])", "<img src=x onerror='hit = 1'>",
    # A number with a sign, a range, a power of ten
    "BLEU: +1.2", "BLEU: -1 loss: 2.3", "27.3–27.8", "BLEU 27.3-28.1, BP: 0.9", "10^-78",
    "5.7 e-78",
    "2.73 × 10^1", "2.73×10¹", "2730 × 10⁻²", "BLEU = 2.73·10^+1", "BLEU = 2.73 x 10^1", "2730e−2",
    "+1.2 27.3", "27.3-28.1 29", "1,2,3 4", "$27.3_{\\pm 0.5}$",
    # Of something else, or of nothing
    {"rouge": 0.7}, {"bleu_bp": 1.0}, "chrF2 = 59.14", "TER: 45.2",
    "loss: 1.2", "about 27", "Test: 27", "newstest2014: 27.3", "27 on wmt14",
    "BLEU: nan, ppl: 40.49", "BLEU-4: n/a, ratio: 0.9",
    {"bleu": math.nan, "score": 1.0}, {"bleu": None, "score": 1.0}, {"bleu": -1.0, "score": 3},
    '{"score": null}', f'{{"score": null, "signature": "{SIGNED}"}}', '{"signature": "bad',
    # A whole number before a noun
    "12 systems were best", "12 different systems", "12 Systeme", "n = 12 runs", "(12) systems",
    "In 2014: 12 people", "BLEU of 12 systems", "BLEU = 12\ttest sets", "BLEU is 20 sentences",
    "a BLEU of 12 references each", "BLEU 27 wins",
]  # fmt: skip
OTHERS = {
    "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0": "chrF",
    "chrF2|#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0": "chrF",
    "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0": "TER",
    "TER|#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0": "TER",
}


@pytest.mark.parametrize(("call", "given", "message"), [
    *(("identify", each, "reported must be a score, such as 27.3, '27.30' or 0.273,")
      for each in NO_SCORES),
    ("identify", f"BLEU = 27.3{' ' * 4989}|", r"reported has 5,001 characters, but the limit is "
     r"5,000: pass the score alone, or only the line that contains it, not 'BLEU = 27\.3"),
    ("identify", "a." * 40_000, "reported has 80,000 characters"),
    ("identify", json.dumps([CHRF_IN_JSON]), "not a signature of BLEU, but of chrF: "),
    ("identify", "BLEU|nrefs:1|eff:no = 5.1", "not a signature"),
    *((call, f"{fields} = 40.49", f"not a signature of BLEU, but of {name}: ")
      for fields, name in OTHERS.items() for call in CALLS)])
def test_what_is_no_score_is_refused(call: str, given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CALLS[call](given)


@pytest.mark.parametrize("part", [
    "bleu (", "(", "{", "*", "a.", "1", "bleu: ", "1 ", "a:", "a:|", "a:b|a:", "bleu of ", "bleu",
    "1/", "1.1/", "1 / ", "precisions: [", "± 1", "tensor(", "tensor([1, ", "<tf.Tensor: ", "bleu-",
    '"name": "BLEU', "1,", "e1", "1x", "1 a", "<a", "\x1b[", "BLEU|a:1|", "a:b|c:d ",
    "score is of "])
def test_the_time_to_read_a_text_grows_with_its_length(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten times the longest text that is allowed."""
    monkeypatch.setattr(reported, "MOST_CHARACTERS", 50_000)
    start = time.process_time()
    with suppress(ValueError):
        read_reported((part * 50_000)[:50_000])
    assert time.process_time() - start < 1


# What agrees with a number ------------------------------------------------------------------------

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
