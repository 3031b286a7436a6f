"""Each step is what one would do to files by hand, and its words are read back."""

import html
import random
import re
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
from data import oracle
from hypothesis import assume, given
from hypothesis import strategies as st

from bleu_nb import DIALECTS, Bleu, explain
from bleu_nb.diagnosis import many_dialects
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
from bleu_nb.dialects.signatures import from_words, in_words, settle
from bleu_nb.dialects.table import CHOICES, Dialect

FILES = ("kestrel", "reference_1", "reference_2", "heron", "source")
Streams = tuple[list[str], list[list[str]]]


def read(name: str) -> list[str]:
    """One file of the example."""
    return (resources.files("bleu_nb") / "example" / f"{name}.txt").read_text("utf-8").splitlines()


OUT, ONE, TWO, THREE, SOURCE = map(read, FILES)
TEXTS = Texts(check_corpus(OUT, zip(ONE, TWO, THREE, strict=True)), SOURCE)
STREAMS = (OUT, [ONE, TWO, THREE])
GAPS = (["", *OUT[1:]], [ONE, [*TWO[:3], "  ", *TWO[4:]], [*THREE[:-1], ""]])
WITH_GAPS = Texts(check_corpus(GAPS[0], zip(*GAPS[1], strict=True)), SOURCE)


def by_line(change: Callable[[str], str], text: list[str]) -> list[str]:
    return [change(line) for line in text]


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
    "{} without final full stops": (
        lambda line: line.removesuffix(".").rstrip(), lambda line: line.removesuffix(".") + " .",
        lambda line: line.removesuffix(".")),
    "{} without punctuation": (
        lambda line: "".join(each for each in line if each.isalnum() or each in " _"),
        lambda line: f"({line})", lambda line: re.sub("[^a-zA-Z0-9 ]", "", line)),
    "{} with straight quotes": (
        lambda line: line.replace("\u201c", '"').replace("\u201d", '"').replace("\u2019", "'"),
        lambda line: f"\u201c{line}\u201d, it\u2019s", lambda line: f'"{line}", it\'s'),
}  # fmt: skip
SIDES = {"candidates": (True, False), "references": (False, True), "text": (True, True)}
SIDED = {says.format(side): (says, side) for says in EDITS for side in SIDES
         if (says, side) not in {("{} with </s>", "references"),
                                 ("{} with split hyphens", "candidates"),
                                 ("{} with split hyphens", "references")}}  # fmt: skip


def sided(words: str, out: list[str], refs: list[list[str]]) -> Streams:
    """Both sides after an edit of one or both."""
    says, side = SIDED[words]
    ours, theirs = SIDES[side]
    edit = EDITS[says][0]
    return (by_line(edit, out) if ours else out,
            [by_line(edit, ref) if theirs else ref for ref in refs])


def both(keep: slice) -> Callable[[list[str], list[list[str]]], Streams]:
    """Leave out the same lines of every file."""
    return lambda out, refs: (out[keep], [ref[keep] for ref in refs])


def lower(text: list[str]) -> list[str]:
    return [line.lower() for line in text]


def as_13a(text: list[str]) -> list[str]:
    oracle("sacrebleu")
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return [*map(Tokenizer13a(), text)]


def as_moses(text: list[str], language: str = "English") -> list[str]:
    return [split_as_moses(line, language) for line in text]


def joined(text: list[str]) -> list[str]:
    return [*map(join_as_moses, text)]


def filled(text: list[str]) -> list[str]:
    return [*filter(str.strip, text)]


BY_HAND: dict[str, Callable[[list[str], list[list[str]]], Streams]] = {
    "reference 2 alone": lambda out, refs: (out, [refs[1]]),
    "all references but number 1": lambda out, refs: (out, refs[1:]),
    "the first 2 references": lambda out, refs: (out, refs[:2]),
    "the first 10 lines": both(slice(10)),
    "the last 5 lines": both(slice(7, 12)),
    "all lines but the first": both(slice(1, 12)),
    "all lines but the last": both(slice(11)),
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
    "lower-cased candidates": lambda out, refs: (lower(out), refs),
    "lower-cased references": lambda out, refs: (out, [*map(lower, refs)]),
    "lower-cased text": lambda out, refs: (lower(out), [*map(lower, refs)]),
    "candidates tokenised as 13a": lambda out, refs: (as_13a(out), refs),
    "text tokenised as 13a": lambda out, refs: (as_13a(out), [*map(as_13a, refs)]),
    "candidates tokenised as Moses": lambda out, refs: (as_moses(out), refs),
    "text tokenised as Moses": lambda out, refs: (as_moses(out), [*map(as_moses, refs)]),
    "a byte order mark before the candidates": lambda out, refs: (
        ["\ufeff" + out[0], *out[1:]], refs),
    "candidates detokenised as Moses": lambda out, refs: (joined(out), refs),
    "text detokenised as Moses": lambda out, refs: (joined(out), [*map(joined, refs)]),
    "no segment with an empty line": lambda out, refs: (
        [*out[1:3], *out[4:11]], [[*ref[1:3], *ref[4:11]] for ref in refs]),
    "candidates without their empty lines": lambda out, refs: (
        filled(out), [ref[:11] for ref in refs]),
    "references without their empty lines": lambda out, refs: (
        out[:11], [filled(ref)[:11] for ref in refs]),
    **{words: lambda out, refs, words=words: sided(words, out, refs) for words in SIDED},
    **{f"candidates tokenised as Moses for {language}": lambda out, refs, language=language: (
        as_moses(out, language), refs) for language in ("German", "French")},
    **{f"text tokenised as Moses for {language}": lambda out, refs, language=language: (
        as_moses(out, language), [as_moses(ref, language) for ref in refs])
       for language in ("German", "French")},
    "candidates cut at 5 tokens": lambda out, refs: (
        [" ".join(line.split(" ")[:5]) for line in out], refs),
    "the lines joined to one": lambda out, refs: (
        [" ".join(out)], [[" ".join(ref)] for ref in refs]),
    "the first 10 lines and reference 1 alone": lambda out, refs: (out[:10], [refs[0][:10]]),
    "lower-cased candidates and all lines but the first": lambda out, refs: (
        lower(out[1:]), [ref[1:] for ref in refs]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
@pytest.mark.parametrize("words", BY_HAND)
@pytest.mark.parametrize("dialect", ["sacrebleu", "sacrebleu, tokenizer none, lowercase yes"])
def test_a_step_is_what_one_does_to_files(words: str, dialect: str) -> None:
    streams, texts = (GAPS, WITH_GAPS) if "empty" in words else (STREAMS, TEXTS)
    if words in SIDED:
        made = EDITS[SIDED[words][0]][1]
        streams = (by_line(made, OUT), [by_line(made, ref) for ref in streams[1]])
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


def test_a_step_comes_before_nltk() -> None:
    score = oracle("nltk.translate.bleu_score").corpus_bleu(
        [[TWO[place].split()] for place in range(10)], [line.split() for line in OUT[:10]])
    setting = read_setting("nltk on reference 2 alone and the first 10 lines")
    assert Variants(TEXTS).value(setting) == pytest.approx(100 * score, rel=0, abs=1e-9)


def test_every_cause_is_done_by_hand_above() -> None:
    steps = [step for words in BY_HAND for step in read_setting(f"nltk on {words}").steps]
    means = {step.cause.says for words in MEANT for step in read_setting(words).steps}
    assert {cause.says for cause in CAUSES} == {
        *(step.cause.says for step in steps), *IN_NLTK, "references as segments", *means}


@pytest.mark.parametrize("words", SIDED)
def test_a_trace_is_removed_and_tried_only_on_a_side_that_has_it(words: str) -> None:
    says, side = SIDED[words]
    _, made, clean = EDITS[says]
    for given_sides, sides in SIDES.items():
        ours, theirs = (by_line(made if has else clean, text)
                        for has, text in zip(sides, (OUT, ONE), strict=True))
        texts = Texts(check_corpus(ours, zip(theirs, strict=True)))
        tried = words in {str(step) for step in list_steps(texts)}
        assert tried is (given_sides in (side, "text")), given_sides
    [step] = read_setting(f"nltk on {words}").steps
    ours, theirs = (by_line(clean if has else made, text)
                    for has, text in zip(SIDES[side], (OUT, ONE), strict=True))
    assert step(texts).pairs == check_corpus(ours, zip(theirs, strict=True))


def test_a_trace_in_less_than_one_of_a_hundred_lines_is_none() -> None:
    pairs = check_corpus(OUT, zip(ONE, strict=True))
    for number, tried in ((8, True), (9, False)):
        texts = Texts([("a@@ b", ["a b"]), *pairs * number])
        found = {str(step) for step in list_steps(texts)}
        assert ("candidates with BPE pieces joined" in found) is tried, number


def test_usual_limits_are_tried_if_a_candidate_exceeds_them() -> None:
    for length, expected in ((16, []), (17, [16]), (33, [16, 20, 32])):
        texts = Texts([(" a" * length, ["a"]), ("a", ["a"])])
        assert [step.value for step in list_steps(texts) if "cut at" in str(step)] == expected


def test_moses_for_a_language_is_tried_only_on_text_in_it() -> None:
    german, french = "Das Haus ist alt und schön.", "C'est une île dans l'océan."
    for line, language in ((german, "German"), (french, "French"), (OUT[0], "")):
        found = {str(step) for step in list_steps(Texts([(line, [line])] * 3))}
        assert {each for each in found if "Moses for" in each} == ({
            f"{side} tokenised as Moses for {language}" for side in ("candidates", "text")
        } if language else set())


def test_lines_are_joined_only_if_each_has_as_many_references() -> None:
    uneven = Texts([("a", ["b"]), ("c", ["d", "e"])])
    assert "the lines joined to one" not in {str(step) for step in list_steps(uneven)}
    with pytest.raises(NoScore, match="different numbers of references"):
        read_setting("nltk on the lines joined to one").steps[0](uneven)


# Lists in a wrong shape ---------------------------------------------------------------------------

def words_of(texts: Texts) -> tuple[list[list[str]], list[list[list[str]]]]:
    return ([line.split() for line, _ in texts.pairs],
            [[each.split() for each in group] for _, group in texts.pairs])


# Words -> what one passes to nltk: references, candidates
IN_NLTK: dict[str, Callable[[Texts], tuple[list[Any], list[Any]]]] = {
    "strings in place of tokens": lambda texts: (
        [group for _, group in texts.pairs], [line for line, _ in texts.pairs]),
    "one reference in place of a list": lambda texts: (
        [group[0] for group in words_of(texts)[1]], words_of(texts)[0]),
    "all references for every segment": lambda texts: (
        [[each for group in words_of(texts)[1] for each in group]] * len(texts.pairs),
        words_of(texts)[0]),
}  # fmt: skip
ODD = Texts(check_corpus(
    ["a  b	c d", " the cat 　sat", "", "x y z w v  u"],
    [["a b	c  d", "a"], ["the cat  sat ", "x"], ["I am", "e"], ["x y  z w v u", " "]]))


@pytest.mark.parametrize("words", IN_NLTK)
@pytest.mark.parametrize("texts", [TEXTS, ODD], ids=["example", "odd"])
def test_lists_of_a_wrong_shape_are_scored_as_nltk_scores_them(words: str, texts: Texts) -> None:
    nltk = oracle("nltk.translate.bleu_score")
    references, candidates = IN_NLTK[words](texts)
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


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("options", [{}, {"tokenize": "none", "lowercase": True}], ids=str)
def test_references_as_segments_are_scored_as_sacrebleu_scores_them(
    number: int, options: dict[str, Any]
) -> None:
    bleu = oracle("sacrebleu").metrics.BLEU(force=True, **options)
    streams = STREAMS[1][:number]
    expected = bleu.corpus_score(OUT, [[*group] for group in zip(*streams, strict=True)]).score
    dialect = "sacrebleu, tokenizer none, lowercase yes" if options else "sacrebleu"
    texts = Texts(check_corpus(OUT, zip(*streams, strict=True)))
    setting = read_setting(f"{dialect} on references as segments")
    assert len(setting.steps[0](texts).pairs) == number
    assert Variants(texts).value(setting) == pytest.approx(expected, rel=0, abs=1e-9)


def test_what_leaves_lines_out_shapes_and_means_follow_all_other_steps() -> None:
    found = list_steps(TEXTS)
    order = [3 if step.cause.mean else 2 if step.cause.kind in ("document", "shape") else
             int(step.cause.rows is not None) for step in found]  # fmt: skip
    assert order == sorted(order) and {*order} == {0, 1, 2, 3}


SUITED = {  # Step -> dialects that it suits, others; whether a sample shows what it does
    "lower-cased text": (["nltk", "sacrebleu, average segments"], [], True),
    "strings in place of tokens": (["nltk-3.4", "nltk, max order 2"], ["sacrebleu"], True),
    "references as segments": (["sacrebleu, lowercase yes"], ["nltk"], True),
    "the mean over references": (["nltk", "sacrebleu, average segments"], [], True),
    "the best reference of each segment": (["sacrebleu, average segments"], ["sacrebleu"], True),
    "the mean over batches of 8": (["sacrebleu", "nltk"], ["nltk, average segments"], False),
    "three weights of 0.33": (["nltk, max order 3"], [
        "nltk", "sacrebleu, max order 3", "nltk, max order 3, average segments",
        "nltk, max order 3, weights (0.5,0.3,0.2)"], False),
    "the first 10 lines": (["nltk", "sacrebleu, average segments"], [], False),
    "candidates without their first line": (["nltk", "sacrebleu"], [], False),
}  # fmt: skip


@pytest.mark.parametrize("words", SUITED)
def test_a_step_is_only_for_dialects_that_it_suits(words: str) -> None:
    suited, others, sampled = SUITED[words]
    [step] = read_setting(f"nltk on {words}").steps
    fits = step.cause.fits or (lambda _: True)
    found = [[fits(read_setting(each).dialect) for each in some] for some in (suited, others)]
    assert found == [[True] * len(suited), [False] * len(others)]
    assert step.is_sampled == sampled


# Means of scores ----------------------------------------------------------------------------------

Score = Callable[[list[str], list[list[str]]], float]


def by_sacrebleu(out: list[str], refs: list[list[str]]) -> float:
    return float(oracle("sacrebleu").corpus_bleu(out, refs, force=True).score)


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


def mean_of_sentences(out: list[str], refs: list[list[str]]) -> float:
    bleu = oracle("sacrebleu").metrics.BLEU(effective_order=True)
    groups = map(list, zip(*refs, strict=True))
    return sum(bleu.sentence_score(line, group).score
               for line, group in zip(out, groups, strict=True)) / len(out)


def best_sentences(effective: bool = True) -> float:
    bleu = oracle("sacrebleu").metrics.BLEU(effective_order=effective)
    return sum(max(bleu.sentence_score(line, [each]).score for each in group)
               for line, *group in zip(OUT, *STREAMS[1], strict=True)) / len(OUT)


MEANT: dict[str, Callable[[], float]] = {
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
        lambda: over_references(by_sacrebleu, [*map(lower, STREAMS[1])], lower(OUT)),
    "sacrebleu on the first 2 references and the mean over references":
        lambda: over_references(by_sacrebleu, STREAMS[1][:2]),
    "nltk, max order 3 on reference 1 alone and three weights of 0.33":
        lambda: by_nltk(OUT, [ONE], (0.33, 0.33, 0.33)),
}  # fmt: skip


@pytest.mark.parametrize("words", MEANT)
def test_a_mean_is_that_of_the_tools_scores(words: str) -> None:
    setting, variants = read_setting(words), Variants(TEXTS)
    assert variants.value(setting) == pytest.approx(MEANT[words](), rel=0, abs=1e-9)
    score = variants.score(setting)
    assert score.value * 100 / score.scale == pytest.approx(variants.value(setting), rel=1e-15)
    if "three weights" not in words:    # Not of sacreBLEU's four orders
        found = explain(*zip(*TEXTS.pairs, strict=True), "sacrebleu", words)
        parts = sum(part.points for part in found.parts)
        assert found.difference == pytest.approx(parts, rel=0, abs=1e-9)
        assert found.difference == pytest.approx(
            variants.value(setting) - by_sacrebleu(*STREAMS), rel=0, abs=1e-9)


def test_all_references_are_given_only_if_they_are_few_and_a_reference_has_words() -> None:
    few = Texts([("a b", ["a", "b"])] * 100)
    many = Texts([*few.pairs, ("a b", ["a"])])
    shapes = [{str(step) for step in list_steps(texts)} & {*IN_NLTK} for texts in (few, many)]
    assert shapes == [{*IN_NLTK}, {*IN_NLTK} - {"all references for every segment"}]
    with pytest.raises(NoScore, match=f"more than {MOST_READ} references"):
        read_setting("nltk on all references for every segment").steps[0](many)
    blank = Texts([("a", ["a"]), ("b", [" ", "b"])])
    assert "one reference in place of a list" not in {str(step) for step in list_steps(blank)}
    with pytest.raises(NoScore, match="a reference without words"):
        read_setting("nltk on one reference in place of a list").steps[0](blank)


def test_no_two_causes_read_the_same_words() -> None:
    for cause in CAUSES:
        words = cause.says.format(7)
        matching = {other.says for other in CAUSES if re.fullmatch(
            re.escape(other.says).replace(r"\{\}", "[1-9][0-9]*"), words)}
        assert matching == {cause.says}
        assert str(read_setting(f"nltk on {words}")) == f"nltk on {words}"
        assert " on " not in words and " and " not in words


def test_a_hundred_thousand_lines_are_searched_for_traces_quickly() -> None:
    pairs = [(f"{line} “{line}” {place}", [group[0], group[0]])
             for place in range(9000) for line, group in TEXTS.pairs]
    start = time.process_time()
    assert list_steps(Texts(pairs))
    assert time.process_time() - start < 3     # 0.3 on an idle core


@pytest.mark.parametrize(("line", "expected"), [    # Written by sacremoses 0.1.1
    ("Mr. Smith paid 1,000 dollars, didn't he? \"Yes.\"",
     "Mr. Smith paid 1,000 dollars , didn &apos;t he ? &quot; Yes . &quot;"),
    ("a...b .. c.", "a ... b .. c ."),
    ("the '90s, dogs' tails", "the &apos; 90s , dogs &apos; tails"),
    ("I. said: U.S. 3.5% & <b>", "I. said : U.S. 3.5 % &amp; &lt; b &gt;"), ("", ""),
    ("e-mail [x] a|b; Zoë's", "e-mail &#91; x &#93; a &#124; b ; Zoë &apos;s"),
])  # fmt: skip
def test_text_is_split_as_moses_splits_it(line: str, expected: str) -> None:
    assert split_as_moses(line) == expected


@pytest.mark.parametrize(("language", "line", "expected"), [  # Written by tokenizer.perl -l de ...
    ("German", "Am 3. Mai kam's an: Hr. Dr. Ode, Nr. 5 bzw. 6, z.B. im XIV. Jahrhundert.",
     "Am 3. Mai kam &apos; s an : Hr . Dr. Ode , Nr. 5 bzw. 6 , z.B. im XIV. Jahrhundert ."),
    ("German", "'Das' ist gut', sagte er (u.a. am 1. FC).",
     "&apos; Das &apos; ist gut &apos; , sagte er ( u.a. am 1. FC ) ."),
    ("French", "L'homme qu'on a vu, c'est M. Dupont, p. 3, art. 4 de l'éd. 2.",
     "L&apos; homme qu&apos; on a vu , c&apos; est M. Dupont , p. 3 , art. 4 de l&apos; éd. 2 ."),
    ("French", "'Oui', dit-il ; les années 1990's, env. 5 €, etc. Et vol. II. Fin.",
     "&apos;Oui &apos; , dit-il ; les années 1990 &apos; s , env. 5 € , etc. Et vol. II . Fin ."),
    ("English", "'The end' of No. 5, not No. Five, Jan. 3 and Inc. Fine, he said 'no.'",
     "&apos;The end &apos; of No. 5 , not No . Five , Jan. 3 and Inc . Fine , he said &apos; no . "
     "&apos;"),
])  # fmt: skip
def test_text_is_split_by_the_rules_of_its_language(
    language: str, line: str, expected: str
) -> None:
    assert split_as_moses(line, language) == expected


@pytest.mark.parametrize(("line", "expected"), [    # Written by Moses' detokenizer.perl
    ("Mr. Smith paid 1,000 dollars , didn &apos;t he ? &quot; Yes . &quot;",
     "Mr. Smith paid 1,000 dollars, didn't he? \"Yes.\""),
    ("the dogs &apos; tails , &apos; he said &apos; .", "the dogs' tails, 'he said'."),
    ("it costs $ 5 ( or 5 % ) @-@ ish &#91; x &#93; a &amp; b",
     "it costs $5 (or 5% )-ish [x] a & b"),
    ("„ so “ said ” he : no", "„so“ said ” he: no"), ("  a  b  ", "a b"), ("", ""),
])  # fmt: skip
def test_tokens_are_joined_as_moses_joins_them(line: str, expected: str) -> None:
    assert join_as_moses(line) == expected


def test_steps_about_empty_lines_and_tokens_are_tried_only_where_there_are_some() -> None:
    about = {str(step) for step in list_steps(TEXTS)}
    some = {str(step) for step in list_steps(WITH_GAPS)}
    assert some - about == {"no segment with an empty line", *(
        f"{side} without their empty lines" for side in ("candidates", "references"))}
    spaced = Texts([("a b .", ["a c ."])] * 10)
    assert {f"{side} detokenised as Moses" for side in ("text", "candidates")} == {
        str(step) for step in list_steps(spaced) if "detok" in str(step)}


REFUSED = {
    "reference 4 alone": "there is no reference 4: a segment has only 3",
    "all references but number 4": "there is no reference 4",
    "the first 9 references": "there is no reference 9",
    "reference 4 swapped with the candidates": "there is no reference 4",
    "reference 1 alone and reference 2 alone": "there is no reference 2: a segment has only 1",
    "reference 1 alone and all references but number 1": "no reference is left",
    "the first 13 lines": "the first 13 lines: there are only 12",
    "the last 13 lines": "there are only 12",
    **{" and ".join(["the first half of the lines"] * 4): "no line is left"},
    **{f"reference {value} alone": "not known as something that happens to files"
       for value in ("0", "-1", "x", "1.5", "٢", "²", "9" * 30, "")},
    "the first 0 lines": "not known", "reference 1 alone and": "not known", "a Monday": "not known",
}  # fmt: skip


REFUSED |= {
    "candidates without line 13": "there is no line 13 to lose",
    "reference 1 alone and the mean over references": "there is only one reference",
    "the mean over batches of 8 and the mean over references": "not beside another mean",
    "three weights of 0.33": "three weights of 0.33 are for three orders",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_have_happened_is_refused_in_words(words: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[words]):
        explain(*zip(*TEXTS.pairs, strict=True), f"sacrebleu on {words}")


@pytest.mark.parametrize("value", [-1, 0, 4])
def test_a_step_made_by_hand_is_checked(value: int) -> None:
    for cause in (*REFERENCES, LINES[0]):
        with pytest.raises(NoScore):
            Step(cause, value if value < 4 else 40)(TEXTS)


def test_a_step_of_text_is_refused_for_tokens_and_the_source_must_be_known() -> None:
    tokens = [line.split() for line in OUT]
    for step in set(list_steps(TEXTS)) - set(list_steps(Texts([(tokens[0], [tokens[1]])] * 12))):
        if step.cause in OF_TEXT:
            with pytest.raises(ValueError, match="token lists are not lower-cased or tokenised"):
                explain(tokens, [[line] for line in tokens], Setting(DIALECTS["nltk"], (step,)))
    with pytest.raises(ValueError, match="the source is not known: pass it"):
        explain(OUT, zip(ONE), "sacrebleu on the source in place of the candidates")
    for words in ("all lines but number 3", "no segment with an empty line",
                  "the lines joined to one"):  # fmt: skip
        with pytest.raises(NoScore, match="use it first"):
            Variants(WITH_GAPS).value(read_setting(
                f"nltk on {words} and the source in place of the candidates"))


@pytest.mark.parametrize(("source", "error", "message"), [
    (OUT[:2], ValueError, "2 lines of source for 12 segments"),
    (OUT + OUT[:1], ValueError, "13 lines of source for 12 segments"),
    ("text", TypeError, "a list"),
    ([None] * 12, TypeError, r"source\[0\] is missing"),
    ([["a"]] * 12, TypeError, r"source\[0\] is not a string"),
    (["\ud800"] * 12, ValueError, r"source\[0\] holds half a character"),
])  # fmt: skip
def test_source_of_another_length_or_kind_is_refused(
    source: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        explain(OUT, zip(ONE), "nltk", source=source)


def test_source_may_be_bytes_or_a_generator_or_none() -> None:
    assert check_source((line.encode() for line in SOURCE), TEXTS.pairs) == SOURCE
    assert check_source(None, TEXTS.pairs) == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_no_step_that_is_listed_is_refused(number: int) -> None:
    texts = Texts([*TEXTS.pairs[:number]], SOURCE[:number])
    for step in list_steps(texts):
        assert step(texts).pairs


# Words --------------------------------------------------------------------------------------------

NUMBERS: dict[str, list[Any]] = {
    "max_order": [1, 2, 3, 4, 5, 9], "least_total": [0, 1, 2], "digits": [None, 2, 4],
    "weights": [None, (0.5, 0.5), (0.25, 0.25, 0.25, 0.25), (0.7, 0.3), (1.0,)],
    "smoothing_value": [None, 0.1, 0.125, 1.0, 1e-09],
}  # fmt: skip


def dialects() -> st.SearchStrategy[Dialect]:
    """A dialect of the table with up to four changes."""
    change = st.sampled_from([*CHOICES]).flatmap(lambda name: st.tuples(
        st.just(name), st.sampled_from([*CHOICES[name].entries] or NUMBERS[name])))
    names = st.sampled_from([*DIALECTS.values()])

    def make(named: Dialect, changes: list[tuple[str, Any]]) -> Dialect | None:
        try:
            return replace(named, **dict(changes))
        except (ValueError, TypeError):
            return None

    made = st.builds(make, names, st.lists(change, max_size=4))
    return made.filter(lambda each: each is not None)  # type: ignore[arg-type, return-value]


@given(dialects(), st.lists(st.sampled_from(list_steps(TEXTS)), max_size=3))
def test_a_setting_is_read_back_from_its_words(dialect: Dialect, steps: list[Step]) -> None:
    setting = Setting(dialect, tuple(steps))
    again = read_setting(f"  {setting}\n")
    assert (settle(again.dialect), again.steps) == (settle(dialect), setting.steps)
    assert str(again) == str(setting)


@given(dialects(), dialects())
def test_changes_of_an_own_dialect_are_named(first: Dialect, second: Dialect) -> None:
    assume(first.max_order == second.max_order and first.weights == second.weights)
    own = replace(first, name="own")
    words = in_words(replace(second, name="own"), own)
    assert settle(from_words(words, [own])) == settle(
        replace(second, name="own", version=own.version, source=own.source))


@pytest.mark.parametrize(("new", "old"), {
    "sacrebleu, mean of the sentence scores": "sacrebleu, average segments, effective order always",
    "sacrebleu, mean of the sentence scores, effective order never": "sacrebleu, average segments",
    "nltk, smoothing nltk-1, mean of the sentence scores":
        "nltk, smoothing nltk-1, average segments",
    "nltk, effective order always, mean of the sentence scores":
        "nltk, average segments, effective order always",
}.items())  # fmt: skip
def test_a_mean_of_sentence_scores_is_called_so_and_read_in_its_old_words(
    new: str, old: str
) -> None:
    assert str(read_setting(old)) == str(read_setting(new)) == new
    assert settle(read_setting(old).dialect) == settle(read_setting(new).dialect)


MALFORMED = {
    "nltk, mean of the sentence scores, average pooled": "must be named once",
    "": "no dialect ''", "nltk,": "not a change of a dialect: ''",
    "nltk, lowercase maybe": "choose from 'no', 'yes'", "nltk, max order x": "whole number",
    "nltk, lowercase yes, lowercase no": "must be named once", "on lower-cased text": "no dialect",
    "sacrebleu on": "no dialect", "nltk, version 2": "not a change", "nltk, scale 0": "no scale",
    '{"score": 27.3}': "holds no signature", "[" * 100_000: "looks like JSON", "[]": "looks like",
    '[{"name": "chrF2", "signature": "nrefs:1|version:2.6.0"}]': "holds no signature",
}  # fmt: skip


@pytest.mark.parametrize("words", MALFORMED, ids=lambda words: words[:20])
def test_malformed_words_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match=MALFORMED[words]):
        read_setting(words)


def test_words_without_spaces_and_json_with_other_scores_are_read() -> None:
    assert read_setting("nltk,lowercase yes") == read_setting("nltk, lowercase yes")
    data = '[{"name": "chrF2", "signature": "nc:6"}, {"name": "BLEU", "system": "on x and y", ' \
           '"signature": "nrefs:1|case:lc|eff:no|tok:zh|smooth:exp|version:2.6.0"}]'  # fmt: skip
    assert str(read_setting(data)) == "sacrebleu, tokenizer zh, lowercase yes"


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
            try:
                expected = some.value(row)
            except NoScore:
                continue
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


def test_what_leaves_lines_out_shares_what_was_counted() -> None:
    variants = Variants(TEXTS)
    for words in ("nltk on the first 10 lines", "nltk on all lines but the last", "nltk"):
        variants.value(read_setting(words))
    assert len(variants.scorers) == 1
    lower = read_setting("nltk on lower-cased text and the first 10 lines")
    variants.value(lower)
    assert len(variants.scorers) == 2
    variants.forget(lower.steps)
    assert len(variants.scorers) == 1
    variants.forget(())
    assert len(variants.scorers) == 1


@pytest.mark.parametrize("number", [1, 2, 3])
def test_lines_are_lost_only_where_two_steps_leave_some(number: int) -> None:
    told = {str(step) for step in list_steps(Texts(TEXTS.pairs[:number]))}
    lost = {"all lines but the first", "candidates without their first line",
            "the first half of the lines"}
    assert told & lost == (lost if number > 2 else set())


# Lost lines, and few that change ------------------------------------------------------------------

@given(st.lists(LINES_OF, min_size=1, max_size=6), st.lists(LINES_OF, max_size=2), st.booleans(),
       st.sampled_from(ANYWHERE), st.data())  # fmt: skip
def test_a_lost_line_is_lost_by_hand_also_where_a_side_has_more(
    lines: list[str], more: list[str], ours: bool, cause: Any, data: Any
) -> None:
    groups = [[line, str(place)] for place, line in enumerate(lines)]
    beside = [[line, "more"] for line in more]
    texts = Texts([*zip(lines, groups, strict=True)], more=(more, []) if ours else ([], beside))
    number = data.draw(st.integers(1, len(lines)))
    sides: list[list[Any]] = [[*lines, *more * ours], [*groups, *beside * (not ours)]]
    assert [*texts.sides()] == sides
    for side, lost in zip(sides, ("candidates", "references"), strict=True):
        if lost in cause.says or "all" in cause.says:
            del side[number - 1]
    expected = [*zip(*sides, strict=False)]
    if expected:
        assert [*Step(cause, number)(texts).pairs] == expected
    for wrong in (0, len(lines) + 1):
        with pytest.raises(NoScore, match="to lose"):
            Step(cause, wrong)(texts)


def test_a_change_of_few_lines_counts_only_those(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, whole = [], many_dialects.count_parts

    def counted(metric: Bleu, outputs: Any, *others: Any, **choices: Any) -> Any:
        calls.append(len(outputs))
        return whole(metric, outputs, *others, **choices)

    monkeypatch.setattr(many_dialects, "count_parts", counted)
    lines = lower(OUT * 2)
    groups = [[line] for line in lower(ONE * 2)]
    for few, expected in ((0, []), (2, [2]), (3, [24])):
        odd = [line.upper() for line in lines[:few]] + lines[few:]
        variants = Variants(Texts(check_corpus(odd, groups)))
        usual = read_setting("nltk")
        variants.value(usual)
        calls.clear()
        changed = replace(usual, steps=read_setting("nltk on lower-cased text").steps)
        value = 100 * Bleu("nltk")(lines, groups).value
        assert variants.value(changed) == pytest.approx(value, rel=0, abs=1e-9)
        assert calls[:-1] == [] and sum(calls) == sum(expected), few
