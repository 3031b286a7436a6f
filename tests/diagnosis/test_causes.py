"""Each step is what one would do to files by hand, and its words are read back."""

import html
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from unicodedata import normalize

import pytest
from data import example, oracle
from hypothesis import given, reject
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from bleu_nb import DIALECTS, Bleu, explain
from bleu_nb.diagnosis.causes import (
    ANYWHERE,
    CAUSES,
    LINES,
    MOST_READ,
    OF_TEXT,
    REFERENCES,
    Setting,
    Step,
    Texts,
    Variants,
    check_source,
    join_as_moses,
    list_steps,
    read_setting,
    split_as_moses,
)  # fmt: skip
from bleu_nb.diagnosis.many_dialects import Scorer
from bleu_nb.dialects.formula_variants import NoScore
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.dialects.signatures import settle
from bleu_nb.dialects.table import CHOICES, Dialect

Streams = tuple[list[str], list[list[str]]]
OUT, ONE, TWO, THREE, SOURCE = map(
    example, ("kestrel", "reference_1", "reference_2", "heron", "source"))
TEXTS = Texts(check_corpus(OUT, zip(ONE, TWO, THREE, strict=True)), SOURCE)
STREAMS = (OUT, [ONE, TWO, THREE])
GAPS = (["", *OUT[1:]], [ONE, [*TWO[:3], "  ", *TWO[4:]], [*THREE[:-1], ""]])
WITH_GAPS = Texts(check_corpus(GAPS[0], zip(*GAPS[1], strict=True)), SOURCE)


# Words about a side -> what one does to a line; how lines look that need it; how they look then.
Change = Callable[[str], str]
EDITS: dict[str, tuple[Change, Change, Change]] = {
    "{} with BPE pieces joined": (
        lambda line: line.replace("@@ ", ""),
        lambda line: re.sub(r"(\w{3})(?=\w{3})", r"\1@@ ", line), str),
    "{} with SentencePiece pieces joined": (
        lambda line: line.replace(" ", "").replace("\u2581", " ").strip(),
        lambda line: "\u2581" + re.sub(r"(\w{3})(?=\w{3})", r"\1 ", line.replace(" ", " \u2581")),
        str),
    "{} without special tokens": (
        lambda line: line.removeprefix("<s> ").partition(" </s>")[0],
        lambda line: f"<s> {line} </s> <pad> <pad>", str),
    "{} with </s>": (lambda line: line + " </s>", str, lambda line: line + " </s>"),
    "{} without <unk>": (
        lambda line: line.replace("<unk>", ""),
        lambda line: re.sub("[Tt]he", "<unk>", "the " + line),
        lambda line: re.sub("[Tt]he", "", "the " + line)),
    "{} without split hyphens": (
        lambda line: line.replace(" ##AT##-##AT## ", "-"),
        lambda line: line.replace(" ", " ##AT##-##AT## ", 1),
        lambda line: line.replace(" ", "-", 1)),
    "{} with split hyphens": (
        lambda line: line.replace("-", " ##AT##-##AT## "),
        lambda line: line.replace(" ", "-", 1),
        lambda line: line.replace(" ", " ##AT##-##AT## ", 1)),
    "{} without HTML entities": (
        html.unescape, lambda line: f"&apos;{html.escape(line)}&apos;",
        lambda line: f"'{line}'"),
    "{} in the Unicode form NFC": (
        partial(normalize, "NFC"), lambda line: normalize("NFD", line.replace("e", "\u00e9")),
        lambda line: line.replace("e", "\u00e9")),
    "{} in the Unicode form NFKC": (
        partial(normalize, "NFKC"), lambda line: line.replace(".", "\uff01").replace(",", "\uff0c"),
        lambda line: line.replace(".", "!")),
    "{} without characters of no width": (
        lambda line: line.replace("\u200b", ""), lambda line: line.replace("e", "\u200be"), str),
    "{} without final full stops": (
        lambda line: line.removesuffix(".").rstrip(), lambda line: line.removesuffix(".") + " .",
        lambda line: line.removesuffix(".")),
    "{} without all final full stops": (
        lambda line: line.rstrip("."), lambda line: line.rstrip(".") + "...",
        lambda line: line.rstrip(".")),
    "{} in the Unicode form NFD": (
        partial(normalize, "NFD"), lambda line: line.replace("e", "\u00e9"),
        lambda line: normalize("NFD", line.replace("e", "\u00e9"))),
    "{} with half-width punctuation": (
        lambda line: line.replace("\uff01", "!").replace("\uff5b", "{"),
        lambda line: line.replace(".", "\uff5b\uff01"), lambda line: line.replace(".", "{!")),
    "{} without punctuation": (
        lambda line: "".join(each for each in line if each.isalnum() or each in " _"),
        lambda line: f"({line})", lambda line: re.sub("[^a-zA-Z0-9 ]", "", line)),
    "{} with straight quotes": (
        lambda line: line.replace("\u201c", '"').replace("\u201d", '"').replace("\u2019", "'"),
        lambda line: f"\u201c{line}\u201d, it\u2019s", lambda line: f'"{line}", it\'s'),
}  # fmt: skip
EDITED: dict[str, Change] = {
    **{says: edit for says, (edit, *_) in EDITS.items()},
    "lower-cased {}": str.lower,
    "{} tokenised as 13a": Tokenizer13a(),
    "{} tokenised as Moses": split_as_moses,
    **{f"{{}} tokenised as Moses for {language}": partial(split_as_moses, language=language)
       for language in ("German", "French")},
    "{} with all punctuation split off": lambda line: " ".join(re.findall(r"\w+|[^\w\s]", line)),
    "{} detokenised as Moses": join_as_moses,
    "{} cut at 5 tokens": lambda line: " ".join(line.split(" ")[:5]),
}
SIDES = {"candidates": (True, False), "references": (False, True), "text": (True, True)}
NEVER = {
    "references detokenised as Moses", "text in the Unicode form NFD", "references with </s>",
    "candidates with split hyphens", "references with split hyphens",
    "references cut at 5 tokens", "text cut at 5 tokens"}
SIDED = {words: (says, side) for says in EDITED for side in SIDES
         if (words := says.format(side)) not in NEVER}
TRACES = [words for words, (says, _) in SIDED.items() if says in EDITS]


def changed(change: Change, side: str, out: list[str], refs: list[list[str]]) -> Streams:
    """Files after the same was done to each line of one or both sides."""
    ours, theirs = SIDES[side]
    return ([*map(change, out)] if ours else out,
            [[*map(change, ref)] if theirs else ref for ref in refs])


def both(keep: slice) -> Callable[[list[str], list[list[str]]], Streams]:
    """Leave out the same lines of every file."""
    return lambda out, refs: (out[keep], [ref[keep] for ref in refs])


BY_HAND: dict[str, Callable[[list[str], list[list[str]]], Streams]] = {
    "reference 2 alone": lambda out, refs: (out, [refs[1]]),
    "all references but number 1": lambda out, refs: (out, refs[1:]),
    "the first 2 references": lambda out, refs: (out, refs[:2]),
    "the first 10 lines": both(slice(10)),
    "the last 5 lines": both(slice(7, 12)),
    "all lines but the first": both(slice(1, 12)),
    "all lines but the last": both(slice(11)),
    "the lines in full batches of 5": both(slice(10)),
    "the first half of the lines": both(slice(6)),
    "the second half of the lines": both(slice(6, 12)),
    "candidates without their first line": lambda out, refs: (out[1:], [r[:-1] for r in refs]),
    "references without their first line": lambda out, refs: (out[:-1], [r[1:] for r in refs]),
    "candidates without line 3": lambda out, refs: (
        [*out[:2], *out[3:]], [ref[:11] for ref in refs]),
    "references without line 12": lambda out, refs: (out[:11], [ref[:11] for ref in refs]),
    "all lines but number 1": both(slice(1, 12)),
    "reference 3 swapped with the candidates": lambda out, refs: (refs[2], [out]),
    "the source in place of the candidates": lambda _, refs: (SOURCE, refs),
    "a byte order mark before the candidates": lambda out, refs: (
        ["\ufeff" + out[0], *out[1:]], refs),
    "no segment with an empty line": lambda out, refs: (
        [*out[1:3], *out[4:11]], [[*ref[1:3], *ref[4:11]] for ref in refs]),
    "candidates without their empty lines": lambda out, refs: (
        [*filter(str.strip, out)], [ref[:11] for ref in refs]),
    "references without their empty lines": lambda out, refs: (
        out[:11], [[*filter(str.strip, ref)][:11] for ref in refs]),
    **{words: lambda out, refs, says=says, side=side: changed(EDITED[says], side, out, refs)
       for words, (says, side) in SIDED.items()},
    "the lines joined to one": lambda out, refs: (
        [" ".join(out)], [[" ".join(ref)] for ref in refs]),
    "the first 10 lines and reference 1 alone": lambda out, refs: (out[:10], [refs[0][:10]]),
    "lower-cased candidates and all lines but the first": lambda out, refs: (
        [*map(str.lower, out[1:])], [ref[1:] for ref in refs]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
@pytest.mark.parametrize("words", BY_HAND)
@pytest.mark.parametrize("dialect", ["sacrebleu", "sacrebleu, tokenizer none, lowercase yes"])
def test_a_step_is_what_one_does_to_files(words: str, dialect: str) -> None:
    streams, texts = (GAPS, WITH_GAPS) if "empty" in words else (STREAMS, TEXTS)
    if words in TRACES:
        streams = changed(EDITS[SIDED[words][0]][1], "text", *streams)
        texts = Texts(check_corpus(streams[0], zip(*streams[1], strict=True)))
    out, refs = BY_HAND[words](*streams)
    other = "none" in dialect
    expected = oracle("sacrebleu").corpus_bleu(
        out, refs, force=True, tokenize="none" if other else "13a", lowercase=other).score
    setting = read_setting(f"{dialect} on {words}")
    assert str(setting) == f"{dialect} on {words}"
    assert Variants(texts).value(setting) == pytest.approx(expected, rel=0, abs=1e-9)
    for step in setting.steps:
        texts = step(texts)
    assert texts.pairs == check_corpus(out, zip(*refs, strict=True))


def test_every_cause_is_done_by_hand_above() -> None:
    steps = [step for words in BY_HAND for step in read_setting(f"nltk on {words}").steps]
    means = {step.cause.says for words in MEANT for step in read_setting(words).steps}
    assert {cause.says for cause in CAUSES} == {
        *(step.cause.says for step in steps), *IN_NLTK, *means}


@pytest.mark.parametrize("words", TRACES)
def test_a_trace_is_tried_only_on_a_side_that_has_it(words: str) -> None:
    says, side = SIDED[words]
    _, made, clean = EDITS[says]
    for given_sides, sides in SIDES.items():
        pairs = [*zip(*([*map(made if has else clean, text)]
                        for has, text in zip(sides, (OUT, ONE), strict=True)), strict=True)]
        texts = Texts([(line, [other]) for line, other in pairs])
        tried = words in {str(step) for step in list_steps(texts)}
        assert tried is (given_sides in (side, "text")), given_sides


IN_NLTK = ("strings in place of tokens", "one reference in place of a list",
           "all references for every segment")
FEW = [("a b", ["a", "b"])] * 100
MANY = [*FEW, ("a b", ["a"])]
UNEVEN = [("a", ["b"]), ("c", ["d", "e"])]
BLANK = [("a", ["a"]), ("b", [" ", "b"])]
LOST = {"all lines but the first", "candidates without their first line",
        "the first half of the lines"}
TRIED: list[tuple[Any, str, set[str]]] = [  # Text; which steps are meant; those that are tried
    ([("a@@ b", ["a b"]), *TEXTS.pairs * 8], "candidates with BPE", {  # One of 97 lines has a trace
        "candidates with BPE pieces joined"}),
    ([("a@@ b", ["a b"]), *TEXTS.pairs * 9], "candidates with BPE", set()),
    *(([(" a" * length, ["a"]), ("a", ["a"])], "cut at", {
        f"candidates cut at {each} tokens" for each in limits})
      for length, limits in ((16, []), (17, [16]), (33, [16, 20, 32]))),
    *(([(line, [line])] * 3, "Moses for", {
        f"{side} tokenised as Moses for {language}" for side in SIDES
        for language in languages})
      for line, *languages in (("Das Haus ist alt und schön.", "German"),
                               ("C'est une île dans l'océan.", "French"), (OUT[0],))),
    (UNEVEN, "the lines joined", set()),
    (FEW, "|".join(IN_NLTK), {*IN_NLTK}), (MANY, "|".join(IN_NLTK), {*IN_NLTK[:2]}),
    (BLANK, "one reference in place", set()),
    (TEXTS.pairs, "empty", set()),
    (WITH_GAPS.pairs, "empty", {"no segment with an empty line", *(
        f"{side} without their empty lines" for side in ("candidates", "references"))}),
    ([("a b .", ["a c ."])] * 10, "detok", {
        f"{side} detokenised as Moses" for side in ("text", "candidates")}),
    *((TEXTS.pairs[:number], "|".join(sorted(LOST)), LOST if number > 2 else set())
      for number in (1, 2, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("pairs", "meant", "tried"), TRIED)
def test_a_step_is_tried_where_it_may_have_happened(
    pairs: Any, meant: str, tried: set[str]
) -> None:
    texts = Texts(pairs)
    found = list_steps(texts)
    assert {str(step) for step in found if re.search(meant, str(step))} == tried
    assert len(pairs) > 3 or all(step(texts).pairs for step in found)   # None is refused


# Lists in a wrong shape ---------------------------------------------------------------------------

def words_of(texts: Texts) -> tuple[list[list[str]], list[list[list[str]]]]:
    return ([line.split() for line, _ in texts.pairs],
            [[each.split() for each in group] for _, group in texts.pairs])


# Words -> what one passes to nltk: references, candidates
SHAPES: dict[str, Callable[[Texts], tuple[list[Any], list[Any]]]] = dict(zip(IN_NLTK, (
    lambda texts: ([group for _, group in texts.pairs], [line for line, _ in texts.pairs]),
    lambda texts: ([group[0] for group in words_of(texts)[1]], words_of(texts)[0]),
    lambda texts: ([[each for group in words_of(texts)[1] for each in group]] * len(texts.pairs),
                   words_of(texts)[0])), strict=True))
ODD = Texts(check_corpus(
    ["a  b	c d", " the cat 　sat", "", "x y z w v  u"],
    [["a b	c  d", "a"], ["the cat  sat ", "x"], ["I am", "e"], ["x y  z w v u", " "]]))


@pytest.mark.parametrize("words", IN_NLTK)
@pytest.mark.parametrize("texts", [TEXTS, ODD], ids=["example", "odd"])
def test_lists_of_a_wrong_shape_are_scored_as_nltk_scores_them(words: str, texts: Texts) -> None:
    nltk = oracle("nltk.translate.bleu_score")
    references, candidates = SHAPES[words](texts)
    smooth = nltk.SmoothingFunction().method1
    pooled = nltk.corpus_bleu(references, candidates)
    smoothed = nltk.corpus_bleu(references, candidates, smoothing_function=smooth)
    pairs = zip(references, candidates, strict=True)
    means = [nltk.sentence_bleu(*pair, smoothing_function=smooth) for pair in pairs]
    for dialect, expected in (("nltk", pooled), ("nltk, smoothing nltk-1", smoothed),
                              ("nltk, smoothing nltk-1, average segments",
                               sum(means) / len(means))):  # fmt: skip
        value = Variants(texts).value(read_setting(f"{dialect} on {words}"))
        assert value == pytest.approx(100 * expected, rel=0, abs=1e-9), dialect


# Means of scores ----------------------------------------------------------------------------------

Score = Callable[[list[str], list[list[str]]], float]


def by_sacrebleu(out: list[str], refs: list[list[str]], **options: Any) -> float:
    return float(oracle("sacrebleu").corpus_bleu(out, refs, force=True, **options).score)


def by_nltk(out: list[str], refs: list[list[str]], *weights: Any) -> float:
    return 100 * float(oracle("nltk.translate.bleu_score").corpus_bleu(
        [[ref.split() for ref in group] for group in zip(*refs, strict=True)],
        [line.split() for line in out], *weights))


def over_batches(score: Score, size: int, number: int = 12) -> float:
    starts = range(0, number, size)
    return sum(score(*both(slice(start, min(start + size, number)))(*STREAMS))
               for start in starts) / len(starts)


def over_references(score: Score, refs: list[list[str]], out: list[str] = OUT) -> float:
    return sum(score(out, [ref]) for ref in refs) / len(refs)


def as_segments(number: int) -> list[list[str]]:
    return [[*group] for group in zip(*STREAMS[1][:number], strict=True)]


def mean_of_sentences(out: list[str], refs: list[list[str]]) -> float:
    bleu = oracle("sacrebleu").metrics.BLEU(effective_order=True)
    groups = map(list, zip(*refs, strict=True))
    return sum(bleu.sentence_score(line, group).score
               for line, group in zip(out, groups, strict=True)) / len(out)


def rounded_sentences(decimals: int) -> float:
    nltk = oracle("nltk.translate.bleu_score")
    smooth = nltk.SmoothingFunction().method3
    return sum(round(100 * nltk.sentence_bleu(
        [each.split() for each in group], line.split(), smoothing_function=smooth), decimals)
        for line, *group in zip(OUT, *STREAMS[1], strict=True)) / len(OUT)


def best_sentences(effective: bool = True) -> float:
    bleu = oracle("sacrebleu").metrics.BLEU(effective_order=effective)
    return sum(max(bleu.sentence_score(line, [each]).score for each in group)
               for line, *group in zip(OUT, *STREAMS[1], strict=True)) / len(OUT)


MEANT: dict[str, Callable[[], float]] = {
    **{"nltk, smoothing nltk-3, average segments on scores of segments rounded to "
       f"{decimals} decimals": partial(rounded_sentences, decimals) for decimals in (2, 4)},
    "sacrebleu on the mean of BLEU-1 to BLEU-4": lambda: sum(
        oracle("sacrebleu").metrics.BLEU(max_ngram_order=order).corpus_score(*STREAMS).score
        for order in (1, 2, 3, 4)) / 4,
    "nltk on the mean of BLEU-1 to BLEU-4": lambda: sum(
        by_nltk(*STREAMS, [1 / order] * order) for order in (1, 2, 3, 4)) / 4,
    "sacrebleu on the mean over batches of 5": lambda: over_batches(by_sacrebleu, 5),
    "nltk on the mean over batches of 8": lambda: over_batches(by_nltk, 8),
    "sacrebleu on the mean over batches of 64": lambda: by_sacrebleu(*STREAMS),
    "sacrebleu on the mean over references": lambda: over_references(by_sacrebleu, STREAMS[1]),
    "nltk on the mean over references": lambda: over_references(by_nltk, STREAMS[1]),
    "sacrebleu, effective order always, average segments on the best reference of each segment":
        best_sentences,
    "sacrebleu on the best reference of each segment": lambda: best_sentences(False),
    "sacrebleu, effective order always, average segments on the mean over batches of 5":
        lambda: over_batches(mean_of_sentences, 5),
    "nltk, max order 3 on three weights of 0.33": lambda: by_nltk(*STREAMS, (0.33, 0.33, 0.33)),
    "sacrebleu on the first 10 lines and the mean over batches of 4":
        lambda: over_batches(by_sacrebleu, 4, 10),
    "sacrebleu on lower-cased text and the mean over references":
        lambda: over_references(
            by_sacrebleu, *changed(str.lower, "text", *STREAMS)[::-1]),
    "sacrebleu on the first 2 references and the mean over references":
        lambda: over_references(by_sacrebleu, STREAMS[1][:2]),
    "nltk, max order 3 on reference 1 alone and three weights of 0.33":
        lambda: by_nltk(OUT, [ONE], (0.33, 0.33, 0.33)),
    "nltk on reference 2 alone and the first 10 lines": lambda: by_nltk(OUT[:10], [TWO[:10]]),
    "sacrebleu on references as segments": lambda: by_sacrebleu(OUT, as_segments(3)),
    "sacrebleu on the first 2 references and references as segments":
        lambda: by_sacrebleu(OUT, as_segments(2)),
    "sacrebleu, tokenizer none, lowercase yes on reference 1 alone and references as segments":
        lambda: by_sacrebleu(OUT, as_segments(1), tokenize="none", lowercase=True),
}  # fmt: skip


@pytest.mark.parametrize("words", MEANT)
def test_a_mean_is_that_of_the_tools_scores(words: str) -> None:
    setting, variants = read_setting(words), Variants(TEXTS)
    assert variants.value(setting) == pytest.approx(MEANT[words](), rel=0, abs=1e-9)
    score = variants.score(setting)
    assert score.value * 100 / score.scale == pytest.approx(variants.value(setting), rel=1e-15)
    if "three weights" not in words:    # Not of sacreBLEU's four orders
        found = explain(*zip(*TEXTS.pairs, strict=True), "sacrebleu", words)
        assert found.difference == pytest.approx(
            sum(part.points for part in found.parts), rel=0, abs=1e-9)
        assert found.difference == pytest.approx(
            variants.value(setting) - by_sacrebleu(*STREAMS), rel=0, abs=1e-9)


def test_a_hundred_thousand_lines_are_searched_for_traces_quickly() -> None:
    pairs = [(f"{line} “{line}” {place}", [group[0], group[0]])
             for place in range(9000) for line, group in TEXTS.pairs]
    start = time.process_time()
    assert list_steps(Texts(pairs))
    assert time.process_time() - start < 3     # 0.3 on an idle core


BY_MOSES: dict[Change, dict[str, str]] = {
    split_as_moses: {   # Written by sacremoses 0.1.1, and by tokenizer.perl
        "Mr. Smith paid 1,000 dollars, didn't he? \"Yes.\"":
            "Mr. Smith paid 1,000 dollars , didn &apos;t he ? &quot; Yes . &quot;",
        "a...b .. c.": "a ... b .. c .",
        "the '90s, dogs' tails": "the &apos; 90s , dogs &apos; tails",
        "I. said: U.S. 3.5% & <b>": "I. said : U.S. 3.5 % &amp; &lt; b &gt;", "": "",
        "e-mail [x] a|b; Zoë's": "e-mail &#91; x &#93; a &#124; b ; Zoë &apos;s",
        "'The end' of No. 5, not No. Five, Jan. 3 and Inc. Fine, he said 'no.'":
            "&apos;The end &apos; of No. 5 , not No . Five , Jan. 3 and Inc . Fine , he said &apos;"
            " no . &apos;"},
    partial(split_as_moses, language="German"): {   # By tokenizer.perl -l de
        "Am 3. Mai kam's an: Hr. Dr. Ode, Nr. 5 bzw. 6, z.B. im XIV. Jahrhundert.":
            "Am 3. Mai kam &apos; s an : Hr . Dr. Ode , Nr. 5 bzw. 6 , z.B. im XIV. Jahrhundert .",
        "'Das' ist gut', sagte er (u.a. am 1. FC).":
            "&apos; Das &apos; ist gut &apos; , sagte er ( u.a. am 1. FC ) ."},
    partial(split_as_moses, language="French"): {   # By tokenizer.perl -l fr
        "L'homme qu'on a vu, c'est M. Dupont, p. 3, art. 4 de l'éd. 2.":
            "L&apos; homme qu&apos; on a vu , c&apos; est M. Dupont , p. 3 , art. 4 de l&apos; "
            "éd. 2 .",
        "'Oui', dit-il ; les années 1990's, env. 5 €, etc. Et vol. II. Fin.":
            "&apos;Oui &apos; , dit-il ; les années 1990 &apos; s , env. 5 € , etc. Et vol. II . "
            "Fin ."},
    join_as_moses: {    # By detokenizer.perl
        "Mr. Smith paid 1,000 dollars , didn &apos;t he ? &quot; Yes . &quot;":
            "Mr. Smith paid 1,000 dollars, didn't he? \"Yes.\"",
        "the dogs &apos; tails , &apos; he said &apos; .": "the dogs' tails, 'he said'.",
        "it costs $ 5 ( or 5 % ) @-@ ish &#91; x &#93; a &amp; b":
            "it costs $5 (or 5% )-ish [x] a & b",
        "„ so “ said ” he : no": "„so“ said ” he: no", "  a  b  ": "a b", "": ""},
}  # fmt: skip


@pytest.mark.parametrize(("change", "line", "expected"), [
    (change, *each) for change, some in BY_MOSES.items() for each in some.items()])
def test_text_is_split_and_joined_as_moses_does_it(
    change: Change, line: str, expected: str
) -> None:
    assert change(line) == expected


TOKENS = [(line.split(), [line.split()]) for line in OUT]
IMPOSSIBLE = {
    "reference 4 alone": "there is no reference 4: a segment has only 3",
    "all references but number 4": "there is no reference 4",
    "the first 9 references": "there is no reference 9",
    "reference 4 swapped with the candidates": "there is no reference 4",
    "reference 1 alone and reference 2 alone": "there is no reference 2: a segment has only 1",
    "reference 1 alone and all references but number 1":
        "no reference is left, because a segment has only 1",
    "the first 13 lines": "the first 13 lines: there are only 12 lines; use at most 12",
    "the last 13 lines": "there are only 12",
    **{" and ".join(["the first half of the lines"] * 4): "leaves no line"},
    **{f"reference {value} alone": "unknown step"
       for value in ("0", "-1", "x", "1.5", "٢", "²", "9" * 30, "")},
    "the first 0 lines": "unknown step", "a Monday": "unknown step",
    "reference 1 alone and": "unknown step .reference 1 alone and.",
    "candidates without line 13": "there is no line 13 to lose: use a number from 1 to 12",
    "reference 1 alone and the mean over references": "has only one reference",
    "the mean over batches of 8 and the mean over references": "cannot be combined with",
    "three weights of 0.33": "max_order=3 and weights=None, not .pooled., 4 and None",
}  # fmt: skip
REFUSED = [
    *((TEXTS, words, message) for words, message in IMPOSSIBLE.items()),
    (Texts(UNEVEN), "the lines joined to one", "different numbers of references"),
    (Texts(MANY), IN_NLTK[2], f"at most {MOST_READ} references.*there are {len(MANY)} segments"),
    (Texts(BLANK), IN_NLTK[1], "has no words, so nltk has no score"),
    (Texts(TEXTS.pairs), "the source in place of the candidates",
     "the source is not known: pass it"),
    *((WITH_GAPS, f"{words} and the source in place of the candidates", "before steps that change")
      for words in ("all lines but number 3", "no segment with an empty line",
                    "the lines joined to one")),
    *((Texts(TOKENS), str(step), "this step cannot change token lists: pass text")
      for step in list_steps(TEXTS) if step.cause in OF_TEXT),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "words", "message"), REFUSED)
def test_what_cannot_have_happened_is_refused_in_words(
    texts: Texts, words: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        explain(*zip(*texts.pairs, strict=True), f"nltk on {words}", source=texts.source or None)


@pytest.mark.parametrize("value", [-1, 0, 40])
def test_a_step_made_by_hand_is_checked(value: int) -> None:
    for cause in (*REFERENCES, LINES[0], *ANYWHERE):
        with pytest.raises(NoScore):
            Step(cause, value)(TEXTS)


@pytest.mark.parametrize(("source", "error", "message"), [
    (OUT[:2], ValueError, r"source lines \(2\) differs from number of segments \(12\)"),
    (OUT + OUT[:1], ValueError, r"source lines \(13\) differs from number of segments \(12\)"),
    ("text", TypeError, "a list"),
    ([None] * 12, TypeError, r"source\[0\] is missing"),
    ([["a"]] * 12, TypeError, r"source\[0\] is not a string"),
    (["\ud800"] * 12, ValueError, r"source\[0\] contains half a character"),
])  # fmt: skip
def test_source_of_another_length_or_kind_is_refused(
    source: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        explain(OUT, zip(ONE), "nltk", source=source)


def test_source_may_be_bytes_or_a_generator_or_none() -> None:
    assert check_source((line.encode() for line in SOURCE), TEXTS.pairs) == SOURCE
    assert check_source(None, TEXTS.pairs) == []


# Words --------------------------------------------------------------------------------------------

NUMBERS: dict[str, list[Any]] = {
    "max_order": [1, 2, 3, 4, 5, 9], "least_total": [0, 1, 2], "digits": [None, 2, 4],
    "weights": [None, (0.5, 0.5), (0.25, 0.25, 0.25, 0.25), (0.7, 0.3), (1.0,)],
    "smoothing_value": [None, 0.1, 0.125, 1.0, 1e-09],
}  # fmt: skip


CHANGES = st.lists(st.sampled_from([*CHOICES]).flatmap(lambda name: st.tuples(
    st.just(name), st.sampled_from([*CHOICES[name].entries] or NUMBERS[name]))), max_size=4)


@st.composite
def dialects(draw: st.DrawFn) -> Dialect:
    """A dialect of the table with up to four changes."""
    try:
        return replace(draw(st.sampled_from([*DIALECTS.values()])), **dict(draw(CHANGES)))
    except (ValueError, TypeError):
        reject()


@given(dialects(), st.lists(st.sampled_from(list_steps(TEXTS)), max_size=3))
def test_a_setting_is_read_back_from_its_words(dialect: Dialect, steps: list[Step]) -> None:
    setting = Setting(dialect, tuple(steps))
    again = read_setting(f"  {setting}\n")
    assert (settle(again.dialect), again.steps) == (settle(dialect), setting.steps)
    assert str(again) == str(setting)


@pytest.mark.parametrize(("told", "shown"), {
    "sacrebleu, average segments, effective order always": "sacrebleu, mean of the sentence scores",
    "sacrebleu, average segments":
        "sacrebleu, mean of the sentence scores, effective order never",
    "nltk, smoothing nltk-1, average segments":
        "nltk, smoothing nltk-1, mean of the sentence scores",
    "nltk, average segments, effective order always":
        "nltk, effective order always, mean of the sentence scores",
    "nltk,lowercase yes": "nltk, lowercase yes",
    '[{"name": "chrF2", "signature": "nc:6"}, {"name": "BLEU", "system": "on x and y", '
    '"signature": "nrefs:1|case:lc|eff:no|tok:zh|smooth:exp|version:2.6.0"}]':
        "sacrebleu, tokenizer zh, lowercase yes",
}.items())  # fmt: skip
def test_words_in_another_form_are_read(told: str, shown: str) -> None:
    """In old ones, without spaces, and in JSON beside other scores."""
    assert str(read_setting(told)) == str(read_setting(shown)) == shown
    assert settle(read_setting(told).dialect) == settle(read_setting(shown).dialect)


MALFORMED = {
    "nltk, mean of the sentence scores, average pooled": "must be named only once",
    "": "no dialect ''", "nltk,": "not a change of a dialect: ''",
    "nltk, lowercase maybe": "choose from 'no', 'yes'", "nltk, max order x": "whole number",
    "nltk, lowercase yes, lowercase no": "must be named only once",
    "on lower-cased text": "no dialect",
    "sacrebleu on": "no dialect", "nltk, version 2": "not a change", "nltk, scale 0": "no scale",
    '{"score": 27.3}': "contains no BLEU signature", "[" * 100_000: "looks like JSON",
    "[]": "looks like",
    '[{"name": "chrF2", "signature": "nrefs:1|version:2.6.0"}]': "contains no BLEU signature",
}  # fmt: skip


@pytest.mark.parametrize("words", MALFORMED, ids=lambda words: words[:20])
def test_malformed_words_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match=MALFORMED[words]):
        read_setting(words)


# Parts --------------------------------------------------------------------------------------------

LINES_OF = st.text("ab .,A", max_size=12)


@given(st.lists(st.tuples(LINES_OF, st.lists(LINES_OF, min_size=1, max_size=3)), min_size=1,
                max_size=6), st.booleans(), st.data())  # fmt: skip
def test_a_part_is_scored_as_its_segments(pairs: list[Any], words: bool, data: Any) -> None:
    made = check_corpus(*zip(*[
        (line.split(), [each.split() for each in group]) if words else (line, group)
        for line, group in pairs], strict=True))  # fmt: skip
    start = data.draw(st.integers(0, len(made) - 1))
    keep = slice(start, data.draw(st.integers(start + 1, len(made))))
    whole, some = Scorer(made), Scorer(made[keep])
    means = replace(DIALECTS["nltk"], average="segments", smoothing="nltk-3")
    for row in random.Random(start).sample([*DIALECTS.values(), means], 8):
        if not (words and row.lowercase):
            with suppress(NoScore):
                expected = some.value(row)
                assert whole.part(keep).value(row) == expected, row
                assert Bleu(row)(*zip(*made[keep], strict=True)).value * 100 / row.scale == (
                    pytest.approx(expected, abs=1e-9) if row.digits is None else expected)


@pytest.mark.parametrize("words", [
    "the first half of the lines and the source in place of the candidates",
    "the second half of the lines and the source in place of the candidates",
    "the second half of the lines and references without their first line",
    "references without their first line and the second half of the lines",
    "all lines but the first and candidates without their empty lines",
])
def test_steps_are_done_in_their_order(words: str) -> None:
    setting, texts = read_setting(f"nltk on {words}"), WITH_GAPS
    for step in setting.steps:
        texts = step(texts)
    if words.startswith("the second half of the lines and the source"):
        assert [line for line, _ in texts.pairs] == SOURCE[6:]
    assert Variants(WITH_GAPS).value(setting) == pytest.approx(
        100 * Bleu("nltk")(*zip(*texts.pairs, strict=True)).value, rel=0, abs=1e-9)


# Lost lines, and few that change ------------------------------------------------------------------
