"""Which settings give a reported number, and what counts as giving it."""

import json
import re
from contextlib import nullcontext, suppress
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from functools import reduce
from typing import Any

import nltk.translate.bleu_score as theirs
import numpy as np
import pytest
import sacrebleu
from data import MANIFEST, example, lines, names, needs, references, sets
from hypothesis import settings as profile

from bleu_nb import DIALECTS, Bleu, corpus_bleu, explain, identify, list_dialects
from bleu_nb.diagnosis.causes import (
    ANYWHERE,
    SHIFTS,
    Setting,
    Step,
    Texts,
    Variants,
    list_steps,
    read_setting,
)
from bleu_nb.diagnosis.guesses import defaults_for
from bleu_nb.diagnosis.identification import (
    MOST,
    OTHER_SCALE,
    Identification,
    Match,
    Search,
    all_lines,
    fold_added_steps,
    texts_of,
    values_without,
)  # fmt: skip
from bleu_nb.diagnosis.reported import fits, fits_cut, read_reported, say_printed
from bleu_nb.diagnosis.sampling import LineSample
from bleu_nb.dialects.formula_variants import NoScore
from bleu_nb.dialects.input_checks import check_corpus

LONG = profile.get_current_profile_name() == "long"
CANDIDATES = ["the boat comes once a month", "two lamps burn on the island every night",
              "Nothing else was said, he wrote."]  # fmt: skip
REFERENCES = [["the boat came once a month"], ["two lamps burned on the island each night"],
              ["nothing else was said, wrote the keeper."]]  # fmt: skip
OUT, SOURCE, ONE, TWO = map(example, ("kestrel", "source", "reference_1", "reference_2"))
HUMANS = list(zip(ONE, TWO, strict=True))
TEXTS = Texts(check_corpus(OUT, HUMANS), SOURCE)
SOME = ("sacrebleu", "multi-bleu", "nltk")

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
ON_A_SET = (
    "multi-bleu", "sacrebleu on reference 2 alone", "sacrebleu on lower-cased candidates",
    "sacrebleu on all lines but the first", "sacrebleu on the first 100 lines",
    "multi-bleu on text tokenised as Moses",
)  # fmt: skip


def answers(found: Identification) -> list[Setting]:
    """All settings behind the first three answers."""
    return [each for match in found.matches[:3] for each in (
        match.setting, *match.others, *match.beside)]


def check(found: Identification, texts: Texts, digits: int) -> None:
    """An answer gives the number when its files are made and scored; JSON holds everything."""
    data = json.loads(found.to_json())
    for match, told in zip(found.matches, data["matches"], strict=True):
        for setting in (match.setting, *match.others[:2], *match.beside[:3]):
            changed = reduce(lambda text, step: step(text), setting.steps, texts)
            score = Bleu(setting.dialect)(*zip(*changed.pairs, strict=True))
            value = score.value * 100 / score.scale
            if setting not in match.beside:
                rough = any(step.cause in ANYWHERE for step in setting.steps) or any(
                    each.dialect.digits is not None for each in (setting, match))
                assert value == pytest.approx(match.value, rel=0, abs=0.01 if rough else 1e-4)
            slack = max((step.cause.slack for step in setting.steps), default=0)
            near = Decimal(10) ** -digits / 2 + Decimal(slack)
            assert any(abs(Decimal(value * scale) - found.reported.number) <= near
                       for scale in (1, 0.01)) or fits_cut(value, found.reported.number)
        assert told == {
            "setting": str(match), "score": match.value, "probability": match.probability,
            "signature": match.signature, "same": [*map(str, match.others)],
            "beside": [*map(str, match.beside)]}
    shares = [match.probability for match in found.matches]
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1 + 1e-12
    assert (data["explanation"] is None) == (found.explanation is None)
    assert (data["tried"], data["values"], data["sure"], data["without"], data["default"][0][
        "score"]) == (found.tried, found.values, found.sure, found.without, found.default.value)
    assert max(map(len, repr(found).splitlines())) <= 60


def real(number: int) -> Texts:
    """The first lines of a set with two references."""
    pair = "wmt21/en-de"
    name = sorted(MANIFEST.parent.glob(f"{pair}/sys.*.txt"))[0].name
    groups = references(pair, ["ref.A.txt", "ref.C.txt"])
    return Texts(check_corpus(lines(f"{pair}/{name}")[:number], groups[:number]))


@pytest.mark.parametrize(("number", "words"), [
    *((0, words) for words in FOUND),
    *(pytest.param(150, words, marks=needs(MANIFEST)) for words in ON_A_SET)])
def test_a_cause_is_found(number: int, words: str) -> None:
    """Of the example, or of so many lines of a real set."""
    texts, setting = real(number) if number else TEXTS, read_setting(words)
    value = Variants(texts).value(setting)
    digits = (3 if number else 4) if setting.dialect.decimals is None else setting.dialect.decimals
    sides, source = [*zip(*texts.pairs, strict=True)], texts.source or None
    found = identify(*sides, f"{value:.{digits}f}", SOME, source=source)
    assert setting in answers(found)
    check(found, texts, digits)
    if found.explanation:
        again = explain(*sides, found.explanation.first, found.explanation.second, source=source)
        assert again.to_json() == found.explanation.to_json()
        if setting == found.matches[0].setting:
            assert again.difference == pytest.approx(
                value - found.default.value, abs=10**-digits)


def published() -> list[Any]:
    """Published scores: one of each tokenizer and set; in a long run all, some 20 minutes."""
    return [*{(pair, each["tok"], LONG and each["index"]): pytest.param(
                  pair, each["index"], id=f"{pair}-{each['hyp']}")
              for pair, facts in names().items() for each in reversed(facts["published"])}.values()]


@pytest.mark.slow
@needs(MANIFEST)
@pytest.mark.parametrize(("pair", "index"), published())
def test_published_score_is_identified(pair: str, index: int) -> None:
    facts = sets()[pair]["published"][index]
    files = [facts["refs"]] if isinstance(facts["refs"], str) else facts["refs"]
    found = identify(lines(f"{pair}/{facts['hyp']}"), references(pair, files),
                     f"{facts['score']:.{facts['decimals']}f}",
                     ("sacrebleu", "multi-bleu", "mteval-v13a", "mteval-v13a-intl"))
    assert any(str(each.dialect.tokenizer).endswith(facts["tok"]) for each in answers(found))


def test_what_stands_beside_a_number_must_fit() -> None:
    score = Bleu("multi-bleu")(OUT, HUMANS)
    shares = "/".join(f"{share:.1f}" for share in score.precisions)
    whole = "/".join(f"{float(share):.0f}" for share in shares.split("/"))
    length, other = score.stats.candidate_length, score.stats.reference_length
    plain = (f"BLEU = {score.value:.2f}, {whole} (BP={score.brevity_penalty:.3f}, "
             f"ratio={length / other:.3f})")
    line = f"{plain[:-1]}, hyp_len={length}, ref_len={other})".replace(whole, shares)
    named = str({"bleu": score.value / 100, "precisions": [
        share / 100 for share in score.precisions], "translation_length": length})
    for right, answer in ((line, "multi-bleu"), (plain, "multi-bleu"),
                          (named, "sacrebleu, tokenizer none")):    # Digits
        [match, *_] = identify(OUT, HUMANS, right, SOME[:2]).matches
        assert match.value == pytest.approx(score.value) and str(match) == answer
    for wrong in (line.replace(shares.split("/")[1], "12.3"), line.replace("hyp_len=", "hyp_len=1"),
                  plain.replace("BP=", "BP=9"), plain.replace("ratio=", "ratio=1"),
                  plain.replace(whole, f"{whole[:-2]}99"), named.replace("h': ", "h': 1"),
                  named.replace("precisions': [", "precisions': [0.1, ")):
        found = identify(OUT, HUMANS, wrong, SOME[:2])
        assert not found.matches and not found.sure and found.sentence.startswith(
            f"Nothing likely gives {say_printed(found.reported.number)} with the "
            "precisions, lengths or penalty beside it; your files give")


SIGNED_HERE = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


@pytest.mark.parametrize(("dialect", "changes", "sure"), [
    ("sacrebleu", {}, True), ("multi-bleu", {}, False), ("sacrebleu", {"mixed": "lc"}, False),
    ("sacrebleu", {"13a": "intl"}, False), ("sacrebleu", {"nrefs:2": "nrefs:4"}, False),
    ("sacrebleu", {"mixed": "lc", "13a": "char"}, False)])
def test_an_answer_that_a_signature_contradicts_is_never_sure(
    dialect: str, changes: dict[str, str], sure: bool
) -> None:
    signed = SIGNED_HERE
    for old, new in changes.items():
        signed = signed.replace(old, new)
    score = Bleu(dialect)(OUT, HUMANS)
    for text in (f"BLEU|{signed} = {score.value:.2f}", f"BLEU|{signed} = {score.value!r}",
                 json.dumps({"name": "BLEU", "score": score.value, "signature": signed})):
        found = identify(OUT, HUMANS, text, SOME)
        assert found.matches[0].value == pytest.approx(score.value) and found.sure is sure
        assert (", though its signature names other settings" in found.sentence) is not sure


@pytest.mark.parametrize("made", [
    {}, {"smooth_method": "add-k", "smooth_value": 1}, {"smooth_method": "floor"},
    {"lowercase": True}, {"tokenize": "char"}, {"max_ngram_order": 2}, {"effective_order": True},
    {"tokenize": "intl", "smooth_method": "none"},
    "nltk", "google-bleu", "multi-bleu", "torchmetrics"], ids=str)
def test_a_line_of_sacrebleu_and_one_of_ours_agree_with_their_signature(made: Any) -> None:
    if isinstance(made, str):
        score: Any = Bleu(made)(OUT, HUMANS)
        found, value = identify(OUT, HUMANS, str(score)), score.value * 100 / score.scale
    else:
        metric: Any = sacrebleu.BLEU(**made)
        score = metric.corpus_score(OUT, [ONE])
        found, value = identify(OUT, zip(ONE, strict=True), score.format(
            signature=metric.get_signature().format())), score.score
        assert found.matches[0].dialect.name == "sacrebleu"
    assert found.matches[0].value == pytest.approx(value, abs=0.005) and not found.reservation


def test_what_a_signature_says_comes_before_other_tools() -> None:
    words = "sacrebleu on all lines but the first"
    found = identify(OUT, HUMANS, f"BLEU|{SIGNED_HERE} = "
                     f"{Variants(TEXTS).value(read_setting(words)):.2f}")
    assert str(found.matches[0]) == words and "signature" not in found.sentence


MORE_HUMANS = [[*group, f"{group[0]} again"] for group in REFERENCES]


@pytest.mark.parametrize(("source", "groups", "number", "lacking", "asks"), [
    (None, REFERENCES, "0.0012345", {"source", "more references"}, True),
    (None, MORE_HUMANS, "77.77777", {"source"}, False),
    (CANDIDATES, REFERENCES, "0.0012345", {"more references"}, False)])
def test_without_an_answer_it_says_what_is_near_and_what_could_be_given(
    source: Any, groups: Any, number: str, lacking: set[str], asks: bool
) -> None:
    found = identify(CANDIDATES, groups, number, SOME, source=source)
    told, data = " ".join(repr(found).split()), json.loads(found.to_json())
    every = " ".join(" ".join(all_lines(found)).split())
    assert not found.matches and not found.sure and len(found.nearest) == 3
    assert told.startswith(f"Nothing likely gives {number}. Your files give ")
    said = told.partition("Not given, so not tried: ")[2].partition(".")[0]
    assert lacking == {each for each in ("source", "more references") if each in said}
    assert ("So low a number may be the score of the source: pass it." in told) is asks
    assert f"({len(found.changed)} in all)" in every and found.changed[0] in every
    assert data["lacking"] == [*found.lacking]
    assert [each["setting"] for each in data["nearest"]] == [*map(str, found.nearest)]


@pytest.mark.parametrize(("more", "setting", "said"), [
    ("a header", "without their first line", ""),
    ("", "", "is what your files give: sacrebleu")])
def test_files_of_different_lengths_are_cut_to_the_shorter(
    more: str, setting: str, said: str
) -> None:
    """One side has a line more: a header at its start, or a blank one at its end."""
    score = f"{Bleu()(OUT, HUMANS).value:.4f}"
    start, end = ([more], []) if more else ([], [more])
    for made, groups in (([*start, *OUT, *end], HUMANS), (
            OUT, [*(2 * [each] for each in start), *HUMANS, *(2 * [each] for each in end)])):
        for source in (SOURCE, [*SOURCE, ""]):
            texts, found = texts_of(made, groups, source), identify(
                made, groups, score, SOME, source=source)
            assert texts.source == SOURCE
            assert texts.sides() == ([*made], [[*group] for group in groups])
            assert setting in str(found.matches[0]) and said in found.sentence
            assert (f", cut to the shorter: candidates have {len(made)} lines, references "
                    f"{len(groups)}.") in found.sentence
            assert tuple(json.loads(found.to_json())["lines"]) == found.lines == (
                len(made), len(groups))


@pytest.mark.parametrize(("ours", "theirs"), [(27, 30), (30, 27), (26, 30), (30, 26), (30, 0),
                                              (0, 30)])
def test_files_that_do_not_belong_together_are_refused(ours: int, theirs: int) -> None:
    """A tenth of the longer file may be missing; one line more is the error of every call."""
    sides = (CANDIDATES * 10)[:ours], (REFERENCES * 10)[:theirs]
    with pytest.raises(ValueError, match=r".") as usual:
        check_corpus(*sides)
    with nullcontext() if min(ours, theirs) == 27 else pytest.raises(
            ValueError, match=f"^{re.escape(str(usual.value))}$"):
        texts_of(*sides, None)


LOST = {"candidates without line 70": (70, None), "references without line 70": (None, 70),
        "all lines but number 70": (70, 70)}


def lose(pairs: Any, some: tuple[int | None, int | None]) -> list[list[Any]]:
    """Both sides of a text, each without the line of that number, counted from 1."""
    return [[row for number, row in enumerate(rows, 1) if number != line]
            for rows, line in zip(zip(*pairs, strict=True), some, strict=True)]


@needs(MANIFEST)
@pytest.mark.parametrize(("side", "digits"), [
    ("candidates without line 70", 2), *((side, 12) for side in LOST)])
def test_a_line_lost_anywhere_is_found(side: str, digits: int) -> None:
    pairs = real(150).pairs
    made = [*zip(*lose(pairs, LOST[side]), strict=False)]
    value = Bleu()(*zip(*made, strict=True)).value
    found = identify(*zip(*pairs, strict=True), f"{value:.{digits}f}", SOME)
    assert read_setting(f"sacrebleu on {side}") in answers(found), found.sentence
    if digits == 12:
        assert str(found.matches[0]) == f"sacrebleu on {side}" and found.sure


@pytest.mark.parametrize(("words", "steps"), [
    ("all lines but number", ()), *((f"{each.says.partition(' ')[0]} without line", (Step(each),))
                                    for each in SHIFTS)])
@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "torchtext"])
def test_sums_find_the_score_without_each_line(
    name: str, words: str, steps: tuple[Step, ...]
) -> None:
    """But for the first and the last, which are other causes."""
    assert values_without(Variants(TEXTS), DIALECTS[name], steps) == pytest.approx([
        Variants(TEXTS).value(read_setting(f"{name} on {words} {line}"))
        for line in range(2, len(OUT))], rel=0, abs=1e-9)


@needs(MANIFEST)
@pytest.mark.parametrize("size", [8, 32])
def test_a_mean_over_batches_is_found(size: int) -> None:
    outputs, groups = zip(*real(100).pairs, strict=True)
    value = np.mean([Bleu()(outputs[start:start + size], groups[start:start + size]).value
                     for start in range(0, 100, size)])
    found = identify(outputs, groups, f"{value:.4f}", SOME)
    assert str(found.matches[0]) == f"sacrebleu on the mean over batches of {size}"


ANSWERS = [Match(read_setting(words), 50.0, 0.0, "nrefs:1") for words in (
    "multi-bleu", "nltk", "torchtext", "multi-bleu on text tokenised as Moses")]  # fmt: skip
SINGLE = np.float32(50.1234567).item()


@pytest.mark.parametrize(("first", "odds", "value", "number", "said"), [
    (0, [0.99], 50.0, "50.00", "surely multi-bleu"),
    (0, [0.97], 50.0, "50.00", "probably multi-bleu"),
    (0, [0.8], 50.0, "50.00", "probably multi-bleu"),
    (0, [0.79], 50.0, "50.00", "perhaps multi-bleu"),
    (0, [0.4], 50.0, "50.00", "perhaps multi-bleu"),
    (0, [0.39, 0.3, 0.2, 0.1], 50.0, "50.00",
     "one of: multi-bleu (39%), nltk (30%), torchtext (20%), or something else"),
    (0, [0.99], 0.0, "0", "perhaps multi-bleu"),
    (3, [0.99], 50.0, "50.00", "surely multi-bleu on text tokenised as Moses"),
    (3, [0.99], 50.0, "50.02",
     "probably multi-bleu on text tokenised as Moses, to within 0.03 points"),
    (1, [0.99], 50.1234567, repr(SINGLE), "probably nltk, stored in 32 bits")])
def test_an_answer_is_said_with_its_odds_and_with_how_near_it_is(
    first: int, odds: list[float], value: float, number: str, said: str
) -> None:
    some = tuple(replace(match, value=value, probability=each)
                 for match, each in zip(ANSWERS[first:], odds, strict=False))
    default = Match(Setting(DIALECTS["sacrebleu"]), 40.0, 0.0, "")
    found = Identification(read_reported(number), some, default, (), 5, 4, 0.5, {})
    assert found.sentence == f"{say_printed(Decimal(number))} is {said}; your files give 40.00 " \
                             "(sacrebleu)."
    assert found.sure == ("surely" in said)
    name = said.partition(" ")[2]
    if "one of" not in said:
        assert " ".join(repr(found).split()).count(name) == 1 and name in found.to_markdown()


def test_a_step_that_changes_nothing_is_not_told() -> None:
    lines, *streams = [[*map(str.lower, text)] for text in (OUT, ONE, TWO)]
    groups = [*zip(*streams, strict=True)]
    found = identify(lines, groups, f"{Bleu()(lines, groups).value:.2f}", ["sacrebleu"])
    names = [*map(str, (found.matches[0].setting, *found.matches[0].others))]
    assert names[0] == "sacrebleu" and "sacrebleu on lower-cased text" in names
    assert "lower-cased" not in repr(found) and not found.matches[0].beside


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
    texts = Texts(check_corpus(outputs, groups))
    default = defaults_for(texts)[0]
    score = Bleu(default)(outputs, groups)
    found = identify(iter(outputs), map(iter, groups), f"{score.value:.3f}", SOME)
    assert Setting(default) in answers(found)
    assert found.default.signature == score.signature   # Which counts the references
    check(found, texts, 3)


def test_what_stood_beside_an_answer_goes_with_it() -> None:
    plain, more, most = (Match(Setting(DIALECTS["sacrebleu"], tuple(list_steps(TEXTS)[:number])),
                               1.0, 0.1, "") for number in range(3))
    assert fold_added_steps([plain, replace(more, beside=(most.setting,))]) == [
        replace(plain, beside=(more.setting, most.setting))]


# Digits -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("printed", [
    1.0, 1, "1", "1.0", np.float64(1.0), {"bleu": 1.0}, "1.0e+00", "BLEU = 1.0",
    1.0000000000000004])
def test_a_perfect_score_is_found_as_python_prints_it(printed: Any) -> None:
    found = identify(ONE, zip(ONE, strict=True), printed, SOME)
    assert found.matches[0].value == pytest.approx(100) and found.matches[0].setting == (
        found.default.setting)


FERRY = "the ferry left the small harbour at dawn", "the ferry left a small harbour at dusk"


@pytest.mark.parametrize(("candidate", "reference", "method"), [
    ("c d a x c e d a", "c d a a c e d a", 0),      # An exact half
    ("the keeper rowed slowly to the island", "the keeper went to the pier", 0),
    ("boats wait near harbour", "the harbour has boats", 0),
    *((*FERRY, method) for method in range(8))])
@pytest.mark.filterwarnings("ignore:.*hypothesis contains 0 counts:UserWarning")
def test_a_number_of_nltk_is_nltks(candidate: str, reference: str, method: int) -> None:
    """Also a tiny one; of the tools that smooth so, nltk is named first."""
    smooth = getattr(theirs.SmoothingFunction(), f"method{method}")
    number = theirs.sentence_bleu([reference.split()], candidate.split(), smoothing_function=smooth)
    for printed in (number, repr(number), f"{number:.2g}")[:1 if method else 3]:
        found = identify([candidate], [[reference]], printed)
        assert any(each.dialect.name == "nltk" for each in answers(found))
        assert not method or all(
            each.dialect.name.startswith(("nltk", "codebleu")) for each in found.matches
            if str(each.dialect.smoothing).startswith("nltk"))
        if number < 1e-9:
            assert found.matches[0].dialect.name == "nltk" and found.sure
            assert say_printed(read_reported(printed).number) in found.sentence
            assert not any(str(each).startswith("multi-bleu") for each in answers(found))
            assert f"{number * 100:.4e}" in "\n".join(all_lines(found))


MOSES = "multi-bleu on text tokenised as Moses"


@pytest.mark.parametrize(("words", "form", "named"), [
    ("sacrebleu", "{0:.2f}", True), ("sacrebleu", "{1:.4f}", True),
    ("multi-bleu", "{0:.2f}", True), ("multi-bleu", "{1:.4f}", True),
    ("multi-bleu", "{0:.3f}", False), ("multi-bleu", "{0:.10f}", False),    # It prints no more
    # Approximate tokens are believed unless what is printed beside the number denies them
    (MOSES, "BLEU = {2:.2f}", True), (MOSES, "BLEU = {2:.2f}, {shares}", True),
    (MOSES, "BLEU = {2:.2f}, {wrong}", False),
    (MOSES, "BLEU = {2:.2f} (hyp_len={stats.candidate_length}, "
            "ref_len={stats.reference_length})", False)])
def test_a_tool_is_named_if_it_can_have_printed_that(words: str, form: str, named: bool) -> None:
    setting = read_setting(words)
    value, stats = Variants(TEXTS).value(setting), Variants(TEXTS).score(setting).stats
    shares, wrong = ("/".join(
        f"{100 * matches / total + more:.1f}"
        for matches, total in zip(stats.matches, stats.totals, strict=True)) for more in (0, 5))
    found = identify(OUT, HUMANS, form.format(
        value, value / 100, value + 0.02, stats=stats, shares=shares, wrong=wrong),
        ["multi-bleu"] if setting.steps else None)
    assert (setting in answers(found)) is named
    assert named or setting.steps or not any(
        each.dialect.name == words for each in answers(found))


@pytest.mark.parametrize("tool", ["torchmetrics", "torchtext", "keras-hub"])
def test_an_answer_that_rounds_comes_before_one_by_slack(tool: str) -> None:
    value = Variants(TEXTS).value(read_setting(f"{tool} on text tokenised as Moses"))
    found = identify(OUT, HUMANS, f"{value / 100:.10f}")
    assert f"{found.matches[0].value / 100:.10f}" == f"{value / 100:.10f}"
    rounded = sum(fits(each.value, found.reported.number) for each in found.matches)
    assert f"such a number; {rounded} did" in " ".join(" ".join(all_lines(found)).split())


@pytest.mark.parametrize(("name", "scale"), [("sacrebleu", 1), ("nltk", 100)])
def test_a_score_stored_in_32_bits_is_found_but_never_sure(name: str, scale: int) -> None:
    """With all its bits it is."""
    value = Bleu(name)(OUT, HUMANS).value * scale / DIALECTS[name].scale
    single = np.float32(value)
    for printed in (single.item(), f"{single:.10f}", value):
        found = identify(OUT, HUMANS, printed)
        assert found.matches[0].dialect.name == name and found.sure is (printed is value)


@pytest.mark.parametrize("name", ["sacrebleu", "huggingface"])
def test_scores_that_differ_in_their_last_bits_are_one_answer(name: str) -> None:
    value = repr(Bleu(name)(OUT, HUMANS).value / DIALECTS[name].scale)
    assert identify(OUT, HUMANS, value).sure


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_a_table_of_answers_has_the_decimals_that_were_asked_for(digits: int | None) -> None:
    found = identify(OUT, HUMANS, "67.25", SOME)
    shown = f"{found.matches[0].value:.{4 if digits is None else digits}f}"
    assert f"| {shown} |" in found.to_markdown(digits) and f"{shown} &" in found.to_latex(digits)


@pytest.mark.parametrize("words", ["codexglue, smoothing none", "codexglue, smoothing exp",
                                   "codexglue"])
def test_the_score_of_an_answer_is_that_of_its_setting(words: str) -> None:
    found = identify(OUT, HUMANS, f"{Variants(TEXTS).value(read_setting(words)):.4f}")
    for match in (*found.matches, found.default):
        assert match.value == Variants(TEXTS).value(match.setting)


# What is tried ------------------------------------------------------------------------------------


@pytest.mark.parametrize("reported", ["46.70", "48.40", "56.90", "61.15", "62.00", "67.27"])
def test_a_number_that_fits_by_chance_is_never_sure(reported: str) -> None:
    """Nobody made these numbers, though something rounds to each of them."""
    found = identify(OUT, HUMANS, reported)
    assert (found.matches or found.weak) and not found.sure


@needs(MANIFEST)
def test_an_answer_is_not_sure_while_fewer_lines_give_the_same_digits() -> None:
    texts, words = Texts(real(1002).pairs), "nltk, smoothing nltk-1, average segments"
    fewer = read_setting(f"{words} on all lines but the first")
    [number, few] = [f"{Variants(texts).value(each):.2f}" for each in (read_setting(words), fewer)]
    found = identify(*zip(*texts.pairs, strict=True), number, "nltk")
    assert few == number and not found.sure and fewer in answers(found)


@needs(MANIFEST)
def test_a_sample_hardly_ever_drops_the_guess_that_gave_the_number() -> None:
    """The exact score of a guess about 1,000 lines lies within the error, but for one in fifty."""
    search = Search(real(1000), "99.5", [DIALECTS[name] for name in SOME])
    right, far = [], []
    for step in (None, *search.steps):
        for dialect in [*search.usual][::8 if step and step.cause.mean else 48]:
            guess = Setting(dialect, (step,) if step else ())
            with suppress(NoScore):
                value = search.variants.value(guess)
                for off, fits in ((0, right), (25, far)):
                    search.targets = [value + off]
                    fits.append(search.may_fit(guess, 1.0))
                assert right[-1] or not step or not (
                    step.cause.mean or step.cause.kind == "shift"), str(guess)
    assert sum(right) > 0.98 * len(right) and sum(far) < len(far) / 3 and len(far) > 100


@needs(MANIFEST)
def test_the_nearest_of_a_large_file_have_exact_scores() -> None:
    """What a sample only estimates is scored on all lines before it is shown."""
    texts = real(1000)
    found = identify(*zip(*texts.pairs, strict=True), "55.4321", SOME[:1])
    assert not found.matches and len(found.nearest) == MOST
    assert [match.value for match in found.nearest] == pytest.approx(
        [Variants(texts).value(match.setting) for match in found.nearest], rel=0, abs=1e-9)


def test_a_sample_is_trusted_only_with_what_many_lines_show() -> None:
    lines = [f"the boat number {number} came in late" for number in range(40)]
    groups = [[f"the boat {number} came late"] for number in range(40)]
    lines[3] = "The Boat was late"
    texts = Texts(check_corpus(lines, groups))
    sample, again = (LineSample(Variants(texts), DIALECTS["sacrebleu"], 32) for _ in range(2))
    for words in ("candidates tokenised as 13a", "lower-cased candidates", "the first 10 lines",
                  "candidates cut at 4 tokens", "candidates without their first line"):
        assert sample.shows(read_setting(f"sacrebleu on {words}").steps[0]) is ("cut" in words)
    assert again.places == sample.places and len(sample.places) == 16


def test_progress_tells_every_round_and_its_errors_are_raised() -> None:
    told: list[tuple[int, int]] = []
    identify(CANDIDATES, REFERENCES, 1.5, "sacrebleu", lambda *each: told.append(each))
    number = told[0][1]
    assert number > 20 and told[:number] == [(done, number) for done in range(1, number + 1)]
    with pytest.raises(ZeroDivisionError):
        identify(CANDIDATES, REFERENCES, 1.5, "sacrebleu", lambda *_: 1 / 0)


def test_an_answer_names_equal_smoothing_methods() -> None:
    """Several methods may change nothing in long sentences; a reader looks for the one in use."""
    lines = ["the cat sat on the mat today", "a small dog ran home"]
    groups = [["the cat sat on the mat"], ["a small dog ran home again"]]
    own = [replace(DIALECTS["nltk"], average="segments", smoothing=f"nltk-{method}")
           for method in (1, 3)]
    first, third = (Bleu(each)(lines, groups).value for each in own)
    assert first == third
    answer = " ".join(repr(identify(lines, groups, repr(first), "nltk")).split())
    assert "smoothing nltk-1, mean of the sentence scores (the same score with smoothing" in answer
    assert "nltk-3" in answer


def test_dialects_are_named_in_any_form() -> None:
    words = "sacrebleu, tokenizer intl"
    forms: list[Any] = [words, [words], Bleu(tokenizer="intl"), [Bleu(tokenizer="intl").dialect]]
    assert len({repr(identify(CANDIDATES, REFERENCES, 20, form)) for form in forms}) == 1
    for wrong, message in (([], "pass at least one dialect"), ([None], "the name of a dialect")):
        with pytest.raises((ValueError, TypeError), match=message):
            identify(CANDIDATES, REFERENCES, 20, wrong)  # type: ignore[arg-type]


def test_changes_of_an_own_dialect_are_told_apart() -> None:
    own = replace(DIALECTS["sacrebleu"], name="mine on paper", max_order=2)
    value = Bleu(replace(own, lowercase=True))(CANDIDATES, REFERENCES).value
    [match, *_] = identify(CANDIDATES, REFERENCES, f"{value:.4f}", own).matches
    names = [*map(str, (match, *match.others))]
    assert names[0] == "mine on paper, lowercase yes" and len({*names}) == len(names)


def test_more_answers_than_fit_on_a_screen_are_counted() -> None:
    found = identify(OUT, HUMANS, "67", SOME)
    assert len(found.matches) > MOST
    assert repr(found) == "67 is what your files give: sacrebleu."
    every = " ".join(" ".join(all_lines(found)).split())
    assert all(str(match) in every for match in found.matches)
    unsure = replace(found, matches=tuple(
        replace(match, probability=0.1) for match in found.matches))
    assert f"and {len(found.matches) - MOST} less likely" in repr(unsure)
    assert repr(unsure).startswith(f"{found!r}\n")
    assert found.explanation is None


@pytest.mark.parametrize("name", DIALECTS)
def test_a_listed_dialect_is_sacrebleu_with_what_the_list_says(name: str) -> None:
    usual, row, told = DIALECTS["sacrebleu"], DIALECTS[name], list_dialects()[name]
    assert replace(usual, name=name, **told) == row
    assert set(told) == {"version", "source"} | {
        each for each in vars(row) if getattr(row, each) != getattr(usual, each)} - {"name"}


@pytest.mark.parametrize("tool", ["allennlp", "coco"])
def test_a_rare_tool_is_found_on_a_text_that_is_counted_anyway(tool: str) -> None:
    lines = [f"the boat number {number} came in late , as ever" for number in range(120)]
    others = [[f"the boat {number} was in late{' again' * (number % 3)} , as ever it is"]
              for number in range(120)]
    few = corpus_bleu([line.split() for line in lines[:100]],
                      [[line.split() for line in group] for group in others[:100]], tool)
    found = identify(lines, others, f"{few.value:.12f}")
    assert any(each.dialect.name == tool and "first 100 lines" in str(each)
               for match in found.matches for each in (match.setting, *match.others))


# What chance alone would give ---------------------------------------------------------------------

@pytest.mark.parametrize("number", ["51.3", "62.0"])
def test_matches_by_chance_are_weak(number: str) -> None:
    found = identify(OUT, HUMANS, number, SOME)
    data = json.loads(found.to_json())
    assert not found.matches and found.weak and not found.sure and found.explanation is None
    assert repr(found).startswith(f"Nothing likely gives {number}.\nYour files give 67.25")
    assert data["matches"] == [] and [each["setting"] for each in data["weak"]] == [
        *map(str, found.weak)]
    every = " ".join(" ".join(all_lines(found)).split())
    assert all(str(match) in every for match in found.weak)


@pytest.mark.parametrize("words", ["sacrebleu", "nltk", "sacrebleu on reference 1 alone"])
def test_a_score_that_was_cut_is_found_and_never_sure(words: str) -> None:
    setting = read_setting(words)
    value = Decimal(repr(Variants(TEXTS).value(setting)))
    cuts = [(value.quantize(unit, ROUND_FLOOR), value.quantize(unit))
            for unit in map(Decimal, [f"1e-{places}" for places in range(2, 9)])]
    printed = next(cut for cut, rounded in cuts if cut != rounded)
    found = identify(OUT, HUMANS, str(printed), SOME)
    assert setting in answers(found) and not found.sure
    assert found.named(found.matches[0]).endswith(", with its digits cut, not rounded")


@pytest.mark.parametrize(("name", "part"), [("sacrebleu", 1.0), ("nltk", OTHER_SCALE)])
def test_a_tool_that_prints_another_scale_is_less_likely(name: str, part: float) -> None:
    value = Variants(TEXTS).value(read_setting(name))
    for printed, expected in ((f"{value:.3f}", part), (f"{value / 100:.5f}",
                                                       1.3 - part)):
        search = Search(TEXTS, printed, [DIALECTS[name]])
        assert search.part_of_fit(read_setting(name), value) == pytest.approx(expected)


def test_lines_any_of_which_may_be_lost_are_one_answer() -> None:
    lost = [Setting(DIALECTS["sacrebleu"], (Step(ANYWHERE[2], line),)) for line in (3, 5, 8)]
    match = Match(lost[0], 50.0, 0.9, "", tuple(lost[1:]))
    default = Match(Setting(DIALECTS["sacrebleu"]), 40.0, 0.0, "")
    found = Identification(read_reported("50.00"), (match,), default, (), 5, 4, 0.5, {},
                           segments=1200)
    assert found.named(match) == (
        "sacrebleu on all lines but number 3 (3 of 1,200 lines would do)")
