"""What the playground's numbers say, in a sentence or two; every number is the package's."""

import math
from collections.abc import Sequence
from dataclasses import replace

from bleu_nb import BleuScore
from bleu_nb.derivation.score_line import say_number, visible
from bleu_nb.diagnosis.explanation import LEAST, Change, Explanation, Part
from bleu_nb.diagnosis.identification import Identification
from bleu_nb.diagnosis.reported import say_printed
from bleu_nb.dialects.definition import on_100
from bleu_nb.dialects.signatures import value_in_words
from bleu_nb.dialects.table import CHOICES
from bleu_nb.display.tables import digits_for, show_p, show_range
from bleu_nb.significance.intervals import Interval, detectable

LEVEL = 0.05  # Of a test, as `detectable` takes it
OFTEN = "80 times in 100"  # As `detectable` takes it, too
MEANING = {  # Of some choices, for who does not know their names
    ("tokenizer", "none"): "words end at spaces alone",
    ("tokenizer", "ascii-space"): "words end at spaces alone",
    ("tokenizer", "13a"): "punctuation is split off words",
    ("tokenizer", "char"): "each character is a word",
    ("lowercase", True): "capitals count as small letters",
    ("lowercase", False): "capitals and small letters differ",
    ("average", "segments"): "the mean of the lines’ own scores",
    ("average", "pooled"): "all lines are scored together",
}
ASSUMED = (
    "This assumes a second system whose ± is as wide as this one’s, and whose luck on each line "
    "has nothing to do with this one’s. If both do well on the same lines, smaller differences are "
    "found too. Give the second system, and the number for the two stands here."
)


# -- Numbers


def number_of(score: BleuScore) -> str:
    """A score as it is printed; one that would look like 0 and is not has its own digits."""
    shown = say_number(score.value, digits_for(score))
    return f"{score.value:.2g}" if score.value and not float(shown) else shown


def points(amount: float, score: BleuScore) -> str:
    """A difference on the scale of a score."""
    return f"{abs(amount):.{digits_for(score)}f}" + " points" * (score.scale == 100)


def lines_of(number: int) -> str:
    """So many lines."""
    return f"{number:,} line" + "s" * (number != 1)


def doubt(warning: str) -> str:
    """Why an interval is unreliable."""
    return warning.removeprefix("unreliable: ")


# -- One system


def uncertainty(score: BleuScore, found: Interval | str, lines: int) -> str:
    """A score with what may stand behind it: a ±, or why there is none."""
    on = f"on {lines_of(lines)}"
    if isinstance(found, Interval) and found.reliable:
        return f"BLEU {show_range(score.value, found, digits_for(score))} {on}."
    here = f"BLEU {number_of(score)} {on}"
    if lines == 1:
        return f"{here}: from one line nobody can tell how far chance moves it."
    if isinstance(found, Interval):
        return f"{here}: too little to tell how far chance moves it ({doubt(found.warning)})."
    return f"{here}, without a ±: {found}."


def power_alone(score: BleuScore, found: Interval | str) -> list[str]:
    """What a test of this size could find, as far as one system says that; nothing if it cannot."""
    if not (isinstance(found, Interval) and found.reliable):
        return []
    finds = detectable(math.sqrt(2) * (found.error or 0.0))
    if finds is None:
        return []
    if finds >= score.scale:
        return [f"On so few lines a test would not even find a difference of {score.scale} "
                f"{OFTEN}."]
    return [f"Another system would have to be truly {points(finds, score)} better or worse for a "
            f"test on these lines to find it {OFTEN}; smaller differences are found less often."]


# -- Two systems


def difference(
    names: Sequence[str], scores: Sequence[BleuScore], lines: int, gap: Interval | str, p: float
) -> list[str]:
    """How far the second system is from the first, and what a test makes of it."""
    first, second = scores
    value, on = second.value - first.value, f"on {lines_of(lines)}"
    one, other = (f"{visible(name)} ({number_of(score)})"
                  for name, score in zip(names, scores, strict=True))
    if not value:
        same = f"{one} and {visible(names[1])} have the same score {on}."
        return [same, *power_between(first, gap)]
    beside = turned(gap) if isinstance(gap, Interval) and gap.reliable else None
    far = show_range(abs(value), beside, digits_for(first))
    unit = " points" if first.scale == 100 else ""
    more = "more" if value > 0 else "less"
    said = f"{other} scores {far}{unit} {more} than {one} {on}"
    if p <= LEVEL:
        told = f"{said}: chance alone seldom makes so large a difference ({p_of(p)})."
    else:
        told = (f"{said}, which is no more than chance alone may make ({p_of(p)}): this test "
                "does not say which is better.")
    return [told, *power_between(first, gap)]


def p_of(p: float) -> str:
    """A p-value in a sentence."""
    shown = show_p(p)
    return f"p {shown[0]} {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def turned(gap: Interval) -> Interval:
    """The interval of a difference whose sign is left out."""
    return gap if (gap.score or 0) >= 0 else replace(gap, low=-gap.high, high=-gap.low)


def power_between(first: BleuScore, gap: Interval | str) -> list[str]:
    """What a test of these two finds; or why nobody can tell."""
    if isinstance(gap, Interval) and not gap.reliable:
        return [f"How small a difference such a test finds cannot be told: {doubt(gap.warning)}."]
    finds = detectable(gap.error) if isinstance(gap, Interval) else None
    if finds is None:
        return []
    if finds >= first.scale:
        return [f"On these lines a test of the two would not even find a difference of "
                f"{first.scale} {OFTEN}."]
    return [f"On these lines a test of the two finds a true difference of {points(finds, first)} "
            f"{OFTEN}, and smaller ones less often."]


# -- Two settings


def change_in_words(change: Change) -> str:
    """What the second of two settings does otherwise."""
    name, before, after = change
    known = MEANING.get((name, after)) if isinstance(after, (str, bool)) else None
    instead = f"{value_in_words(after)} instead of {value_in_words(before)}"
    return known or f"{CHOICES[name].says}: {instead}"


def cause_of(part: Part) -> str:
    """A part of an explanation, with what it means."""
    if not part.changes:  # It is a step, such as "reference 2 alone"
        return f"“{part.choice}”"
    more = ", and more" * (len(part.changes) > 1)
    return f"{part.choice} ({change_in_words(part.changes[0])}{more})"


def because(parts: Sequence[Part], difference: float) -> str:
    """What most of a difference is from; of parts that are large enough to be seen."""
    towards = math.copysign(1, difference)
    first = max(parts, key=lambda part: part.points * towards)
    if len(parts) == 1:
        return f"because of {cause_of(first)}"
    others = math.fsum(abs(part.points) for part in parts if part is not first)
    if others < abs(difference) / 2:
        return f"mostly because of {cause_of(first)}"
    against = ", some against the others" * any(part.points * towards < 0 for part in parts)
    return (f"for {len(parts)} reasons{against}: {cause_of(first)} has the largest share, "
            f"{signed(first.points)}")


def signed(amount: float) -> str:
    """A number of points with its sign."""
    return say_number(amount, 2, sign=True)


def how_far(found: Explanation) -> str:
    """How far the second of two settings is from the first, and why."""
    seen = [part for part in found.parts if abs(part.points) >= LEAST]
    named = ", ".join(part.choice for part in seen or found.parts)
    far = found.difference
    if not found.parts:
        return "the same score: its settings are the same"
    if not far:
        return f"the same score: what it does otherwise ({named}) changes nothing here"
    if abs(far) < LEAST:
        cancel = "cancels out" if seen else "hardly matters here"
        return (f"the same score but for less than {LEAST} points: what it does otherwise "
                f"({named}) {cancel}")
    why = because(seen, far) if seen else f"because of {named}"
    return f"{abs(far):.2f} points {'more' if far > 0 else 'less'}, {why}"


def of_100(score: BleuScore) -> str:
    """A score as it is printed, and on the usual scale if that is another."""
    other = f" ({on_100(score):.2f} of 100)" if score.scale != 100 and score.value else ""
    return number_of(score) + other


def other_number(found: Explanation, name: str = "") -> str:
    """What the second of two settings would print, perhaps for one of several files, and why."""
    of = f" for {visible(name)}" * bool(name)
    return f"{found.second} would print {of_100(found.second_score)}{of}, {how_far(found)}."


# -- Where a number is from


def share(probability: float) -> str:
    """A probability, never as 0 or 100 %."""
    return ("over 99 %" if probability >= 0.995 else "below 1 %" if probability < 0.01
            else f"{probability:.0%}".replace("%", " %"))


def origin(found: Identification) -> list[str]:
    """Where a printed number comes from, and how far that is from what the files give."""
    printed, here = say_printed(found.reported.number), f"{found.default.value:.2f}"
    if not found.matches:
        nearest = [f"; the nearest is {each} with {each.value:.2f}" for each in found.nearest[:1]]
        return [f"None of {found.tried:,} guesses gives {printed} and is likely{found.reservation}"
                f"{''.join(nearest)}."]
    first = found.matches[0]
    zero = ["A 0 has too many possible causes to be sure of one."] * (not found.reported.number)
    if found.explanation is None:
        return [f"{printed} needs no other setting than {first}{found.reservation}: "
                "your files give it.", *zero]
    likely, far = share(first.probability), how_far(found.explanation)
    return [f"The likeliest origin of {printed} ({likely}) is {first}{found.reservation}.",
            f"{found.default} gives these files {here}; this gives them {far}.", *zero]
