"""Whatever a user typed, pictures show it, and neither run it nor break; all keep rules."""

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from html.parser import HTMLParser
from typing import Any

import book
import pytest
from fastcore.nbio import read_nb
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_nb import (
    Bleu,
    BleuScore,
    BleuStats,
    compare_systems,
    explain,
    identify,
    sentence_bleu,
)
from bleu_nb.derivation import count_segment
from bleu_nb.derivation.score_line import UNSAFE, plain_numbers, visible
from bleu_nb.dialects.definition import build_score, on_100
from bleu_nb.dialects.table import DIALECTS
from bleu_nb.display import (
    Svg,
    Table,
    alignment,
    bar_chart,
    draw_formula,
    draw_score,
    explain_segment,
    intervals_chart,
    line_chart,
    pairs_table,
    tick_values,
    waterfall,
)
from bleu_nb.display.charts import COLOURS, CUT, GROUND, LOOKS
from bleu_nb.display.score_breakdown import FATES
from bleu_nb.display.tables import show_p
from bleu_nb.significance import (
    ComparedSystem,
    Interval,
    Ranking,
    SystemsComparison,
)

HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><script>alert(1)</script>",
    "</title></desc></style><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)\" x='",
    "]]><!--",
    "&lt;&#60;&amp",
    "ding\x07\x00\x1b[31m\x7f\x9b",
    "line\nbreak\r\x85\u2028\u2029",
    "\u202egnp.exe\u2066\u2069\u200f\u061c",
    "\u0301\u0302\u0303",
    "Z\u0351\u036b\u0343\u032a\u0302\u036b\u033d\u034f\u0334\u0319\u0324",
    "\ufeffthe\u200b",
    "\ufffe\uffff",
    "{{7*7}}${7*7}`",
]
FORBIDDEN = {"script", "foreignObject", "foreignobject", "image", "img", "iframe", "a", "use"}


def opened(markup: str) -> list[tuple[str, dict[str, str]]]:
    """Every element of HTML, and its attributes with lines as spaces, as XML has them."""
    found: list[tuple[str, dict[str, str]]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append((  # type: ignore[method-assign]
        tag, {name: str(value).replace("\n", " ") for name, value in attrs}))
    parser.feed(markup)
    return found


def check_markup(stored: str) -> str:
    """Well-formed and harmless as XML and as HTML, images and all; the text that it shows.

    Nothing runs, loads, or clashes with another figure, where images have become SVG.
    """
    assert not UNSAFE.search(stored.replace("\n", "")) and "<svg" not in stored
    images = [part.attrib for part in ET.fromstring(stored).iter() if part.tag == "img"]
    assert images == [attributes for tag, attributes in opened(stored) if tag == "img"]
    for image, picture in zip(images, book.pictures(stored), strict=True):
        assert image["src"].startswith("data:image/svg+xml,")
        assert image.keys() - {"data-narrow"} == {"alt", "style", "src"}
        title, words = ET.fromstring(picture)[:2]
        assert image["alt"].split() == f"{title.text} {words.text}".split()
    markup = book.inline(stored)
    parts = [(part.tag.rpartition("}")[2], part.attrib) for part in ET.fromstring(markup).iter()]
    for tag, attributes in [*parts, *opened(markup)]:
        assert tag not in FORBIDDEN and not {"id", "href", "src"} & attributes.keys()
        assert not [name for name in attributes if name.lower().startswith("on")]
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", markup))


def check(shown: Any) -> str:
    """The HTML of an object, and a plain text without anything unsafe in it.

    A figure has a title and a description, and an image holds its whole markup.
    """
    assert not UNSAFE.search(repr(shown).replace("\n", ""))
    if isinstance(shown, Svg):
        title, words = ET.fromstring(shown.markup)[:2]
        assert (title.tag.rpartition("}")[2], words.tag.rpartition("}")[2]) == ("title", "desc")
        assert title.text == shown.title and words.text == shown.description == repr(shown)
        assert book.pictures(shown._repr_html_()) == [shown.markup]
    return check_markup(shown._repr_html_())


def scored(candidate: list[str], references: list[list[str]]) -> BleuScore:
    """Their score as the paper has it, without a signature."""
    stats = count_segment(candidate, references)
    return build_score(DIALECTS["papineni"], stats, stats, False, "")


def of_a_sentence(text: str) -> Iterator[Any]:
    """What draws tokens: all but the first show the text."""
    candidate, references = ["a", text, "b"], [["a", text], ["b", text]]
    yield alignment(text, [f"a {text}", "b"])
    yield explain_segment(scored(candidate, references), candidate, references)
    yield from (alignment(["a", text], [["a", "b"]]), alignment(["a", "b"], [["a", text]]))
    yield Table(text, [text, "b"], [[text, "1"], ["<b>", (text, 0.5)]], text)
    yield line_chart({text: [(1, 2), (3, 4)]}, text, text, text)
    yield bar_chart({text: {text: 3.0}}, text, text, text)


def of_a_signature(text: str) -> Iterator[Any]:
    """What shows the name of a tokenizer, and lines that differ by it."""
    split = partial(str.split)
    split.__qualname__ = text  # type: ignore[attr-defined]
    metric = Bleu("nltk", tokenizer=split)
    score = metric.sentence("a b c", ["a b d"])
    found = explain([f"a b {text}"], [[f"a b c {text}"]], metric, "sacrebleu")
    yield from (score, draw_score(score), found, waterfall(found))
    yield identify([f"a b {text}"], [[f"a b c {text}"]], f"{on_100(found.first_score):.4f}",
                   [metric])


def of_many(text: str) -> Iterator[Any]:
    """What compares systems by name: all of it shows the text."""
    found, ranking = comparison_of([text, "b", f"{text} c"]), ranking_of([text, "b"])
    assert visible(f"a note on {text}") in check_markup(found._repr_html_())
    assert visible(text) in check_markup(ranking._repr_html_())
    yield from (intervals_chart(found), intervals_chart(ranking), pairs_table(ranking))
    yield intervals_chart({text: (3, interval(3, 1, text))}, text)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("draw", [of_a_sentence, of_a_signature, of_many])
def test_hostile_text_is_shown(draw: Any, text: str) -> None:
    for number, shown in enumerate(draw(text)):
        said = check(shown)
        if draw is of_many or (draw is of_a_sentence and number):
            assert visible(text) in said


words = st.text(max_size=8) | st.sampled_from(HOSTILE) | st.sampled_from("aבا船")
tokens = st.lists(words.map(lambda word: "".join(word.split())), max_size=9)


@given(tokens, st.lists(tokens, min_size=1, max_size=3), st.integers(1, 5))
def test_every_ngram_has_its_bar(
    candidate: list[str], references: list[list[str]], max_order: int
) -> None:
    picture = alignment(candidate, references, max_order)
    check(picture)
    stats = count_segment(candidate, references, max_order)
    bars = [(part.get("class"), int(part.attrib["data-order"]))
            for part in ET.fromstring(picture.markup).iter() if "data-order" in part.attrib]
    for order, matches, total, line in zip(
            range(1, max_order + 1), stats.matches, stats.totals,
            picture.description.split("\n")[-max_order:], strict=True):
        assert bars.count(("bn-credited", order)) == matches
        assert sum(each == order for _, each in bars) == total
        assert f"{matches} of {total} credited" in line


@pytest.mark.parametrize("part", ["precisions", "penalty", "mean", "zeros"])
def test_the_formula_is_whole_whatever_is_lit(part: str) -> None:
    picture = draw_formula(part)
    check(picture)
    words, same = ([label.text for label in ET.fromstring(each.markup).findall("{*}text")]
                   for each in (picture, draw_formula("mean")))
    assert words == same
    assert "bn-blue" in picture.narrow and "1.3 brevity penalty" in picture.narrow


counts = st.integers(0, 10**6)


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=6), counts, counts,
       st.sampled_from([1, 100]))
def test_html_and_text_of_a_score_hold_the_same_numbers(
    pairs: list[tuple[int, int]], ours: int, theirs: int, scale: int
) -> None:
    stats = BleuStats(tuple(map(min, pairs)), tuple(map(max, pairs)), ours, theirs)
    score = build_score(replace(DIALECTS["papineni"], scale=scale), stats, stats, False, "")
    for shown in (score, score.stats):
        in_text, in_html = (sorted(re.findall(r"\d+(?:\.\d+)?", text)) for text in (
            repr(shown), plain_numbers(re.sub(r"\d‑grams", "", check(shown)))))
        assert in_text == in_html
    check(draw_score(score))


@pytest.mark.parametrize(
    ("text", "tokenizer", "leftwards"),
    [
        ("הסירה עגנה ליד הרציף BLEU .", "none", True),
        ("رست السفينة عند الرصيف", "none", True),
        ("小船停在码头", "zh", False),
        ("船は桟橋に", "char", False),
        ("the boat (הסירה) lay", "none", False),
    ],
)
def test_sentences_run_in_the_direction_of_their_script(
    text: str, tokenizer: str, leftwards: bool
) -> None:
    root = ET.fromstring(alignment(text, [text], 2, tokenizer=tokenizer).markup)
    parts = [part for part in root.findall("{*}text") if "bn-mono" in part.get("class", "")]
    assert all((part.get("direction") == "rtl") == leftwards for part in parts)
    rows = [[float(part.attrib["x"]) for part in parts if part.attrib["y"] == y]
            for y in {part.attrib["y"] for part in parts}]
    assert len(rows) == 2 and all(len({*places}) == len(places) > 3 for places in rows)
    assert rows == [sorted(places, reverse=leftwards) for places in rows]


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2)."""
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("name", "day", "night"), COLOURS)
def test_colours_can_be_read(name: str, day: str, night: str) -> None:
    least = {"ink": 7, "muted": 4.5, "rule": 1.2}.get(name, 3)
    for pair in ((day, GROUND[0]), (night, GROUND[1]), (night, "#1a1c1e")):
        dark, light = sorted(map(luminance, pair))
        assert (light + 0.05) / (dark + 0.05) >= least


@pytest.mark.parametrize("looks", [
    [look for _, look in FATES.values()], [dash for _, dash, _ in LOOKS],
    [look for _, _, look in LOOKS]])
def test_nothing_is_told_by_colour_alone(looks: list[str]) -> None:
    assert len({*looks}) == len(looks) > 2


@pytest.mark.parametrize(("value", "shown"), [
    (1234.5, "1,234"), (1235, "1,235"), (999.6, "1,000"), (12.345, "12.3"), (0.5, "0.500"),
    (7, "7"), (0.0, "0"),
])  # fmt: skip
def test_a_bar_says_its_value_without_powers_of_ten(value: float, shown: str) -> None:
    assert f">{shown}<" in bar_chart({"a": {"b": value}}, "y", "a bar").markup


def interval(middle: float, half: float = 1, warning: str = "") -> Interval:
    return Interval(middle - half, middle + half, warning=warning)


def compared(name: str, value: float, **fields: Any) -> ComparedSystem:
    return ComparedSystem(name, replace(sentence_bleu("a b c d", ["a b c e"]), value=value),
                          interval(value) if value else None, **fields)


def comparison_of(names: Sequence[str]) -> SystemsComparison:
    tested = [compared(name, 30.0 - place, difference=-1.0 - place, p_value=0.5, p_error=0.01,
                       difference_interval=interval(-1.0 - place, 0.5, "unreliable: few"),
                       p_adjusted=1.0, wins=1, ties=2, losses=3, detectable=2.8,
                       runs=(29.0, 31.0))
              for place, name in enumerate(names[1:])]
    return SystemsComparison((compared(names[0], 31.0), *tested), "randomization", 100, 1, 0.95,
                             "a|b", 12, notes=(f"a note on {names[0]}",))


def ranking_of(names: Sequence[str], p_value: float = 0.03) -> Ranking:
    """Every pair has the same p; the shares of ranks are equal."""
    places = range(len(names))
    square = tuple(tuple(1.0 if row == column else p_value for column in places) for row in places)
    return Ranking(
        systems=tuple(compared(name, 60.0 - place) for place, name in enumerate(names)),
        p_values=square, p_adjusted=square, test="randomization", trials=100,
        clusters=tuple(place + 1 for place in places),
        rank_shares=((1 / len(names),) * len(names),) * len(names), seed=1, confidence=0.95,
        level=0.05, correction="holm", signature="a|b", segments=12, documents=None,
        notes=(f"a note on {names[0]}",), version="1")


@pytest.mark.parametrize("name", ["W" * 90, "x" * 5000, "船" * 60, "סירה " * 30, "a\u0301" * 400])
def test_a_long_name_leaves_room_and_is_said_in_full(name: str) -> None:
    picture = intervals_chart({name: (3, None)})
    assert visible(name) in check(picture) and visible(name) in picture.description
    shown = next(text for text in texts_of(picture.markup, "text") if "…" in text)
    assert len(shown) < 160 and 13 * sum(each in "W船" for each in shown) < 160


def test_a_name_keeps_both_ends_and_its_direction() -> None:
    picture = intervals_chart({"run-1/" + "x" * 50 + "/out-1": (3, None), "סירה": (2, None)})
    first, second = ET.fromstring(picture.markup).findall("{*}text[@x='12']")
    assert first.text and first.text.startswith("run-1") and first.text.endswith("ut-1")
    assert (second.get("direction"), second.get("text-anchor")) == ("rtl", "end")


NAN = float("nan")


@pytest.mark.parametrize(("systems", "said"), [
    ({}, "systems is empty: pass at least one"), ({"a": (NAN, None)}, "system 'a' has nan"),
    ({"a": (1, None), "b": (1, Interval(NAN, 2))}, "system 'b' has nan"),
    ({"a": (1, Interval(0, float("inf")))}, "system 'a' has inf"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(systems: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        intervals_chart(systems)


numbers = st.floats(-100, 100).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(numbers, st.floats(0.5, 20), st.booleans()), min_size=1, max_size=8))
def test_intervals_can_be_read_back(rows: list[tuple[float, float, bool]]) -> None:
    """From the ticks, whose places and numbers are drawn, to the ends of the whiskers."""
    held = [interval(score, half, "unreliable" * shaky) for score, half, shaky in rows]
    root = ET.fromstring(intervals_chart({
        f"s{place}": (score, held[place]) for place, (score, _, _) in enumerate(rows)}).markup)
    centred = root.findall("{*}text[@text-anchor='middle']")
    bottom = max(float(part.attrib["y"]) for part in centred) - 24
    (left, first), *_, (right, last) = [
        (float(part.attrib["x"]), float(str(part.text).replace("−", "-").replace(",", "")))
        for part in centred if float(part.attrib["y"]) == bottom]
    whiskers = root.findall("{*}path[@class='bn-blue']")
    assert len(whiskers) >= 1 + len(rows)  # The key comes last
    for part, each in zip(whiskers, held, strict=False):
        ends = re.findall(r"[MH](-?[\d.]+)", part.attrib["d"])
        assert [(float(pixel) - left) * (last - first) / (right - left) + first
                for pixel in (ends[0], ends[-1])] == pytest.approx(
            [each.low, each.high], abs=0.01 * (last - first))
        assert ("stroke-dasharray" in part.attrib) == bool(each.warning)


def test_baseline_warning_and_zero_are_told_without_colour() -> None:
    """Each has a shape of its own, and words."""
    found = comparison_of(["base", "b", "c"])
    base, second, *others = found.systems
    picture = intervals_chart(replace(found, systems=(
        base, replace(second, interval=interval(30, 1, "unreliable: few matches")), *others,
        compared("none", 0.0, difference=-31.0))))
    marks = [(re.sub(r"^M[\d.]+ [\d.]+", "", part.attrib["d"]), part.get("fill"))
             for part in ET.fromstring(picture.markup).findall("{*}path[@class='bn-ink']")]
    assert len({*marks[:4]}) == 4 and {*marks[:4]} == {*marks[4:]}  # In the key too
    said, drawn = picture.description.split("\n"), texts_of(picture.markup, "text")
    assert said[1] == "base (baseline): 31.00, from 30.00 to 32.00"
    assert said[2].endswith("; runs 29.00, 31.00; unreliable: few matches")
    assert said[4] == "none: 0.00, no interval" and "no interval" in drawn
    assert ["question mark" in text for text in drawn].count(True) == 1
    assert [text.endswith(" ?") for text in drawn].count(True) == 1
    assert [intervals_chart(each).title for each in ({"a": (1, None)}, found)] == [
        "Intervals of 1 system", "Intervals of 3 systems"]


@pytest.mark.parametrize("number", [1, 2, 15])
def test_every_pair_has_its_cell(number: int) -> None:
    table = pairs_table(ranking_of([f"system {place}" for place in range(number)]))
    check_markup(table._repr_html_())
    assert len(table.header) == 3 + number
    assert table.rows == [
        [f"{place + 1}", f"system {place}", f"{place + 1}", *[""] * (place + 1),
         *["0.0300"] * (number - place - 1)] for place in range(number)]


@pytest.mark.parametrize(("correction", "said", "tests"), [
    ("holm", "adjusted (Holm)", 3), ("none", "unadjusted", 1)])
def test_pairs_say_how_p_was_adjusted_and_that_it_is_never_0(
    correction: str, said: str, tests: int
) -> None:
    ranking = replace(ranking_of("abc", 0.0), correction=correction)
    table = pairs_table(ranking)
    assert table.caption == f"p of row against column, {said}; level 0.05"
    assert table.rows[0][4] == show_p(0.0, None, ranking.trials, tests)


def test_tiny_numbers_have_an_axis() -> None:
    ticks = tick_values(0, 3e-78)
    assert ticks[0] == 0 < ticks[1] < ticks[-1] and ticks[-1] >= 3e-78
    systems = {"x": ["a b c x y z"] * 4,
               "y": ["a b x y z q", "a b c q r s", "c d q r s t", "a q c s e t"]}
    check(compare_systems("x", systems, [["a b c d e f"]] * 4, "nltk", trials=50))


# All charts keep the same rules -------------------------------------------------------------------

ZIGZAG = ("h1l4-6l5 12l4-6H", "v-1l-6-4l12-5l-6-4V")  # Across, and upright


@cache
def stored() -> dict[str, str]:
    """The HTML that the cells of the book store, by chapter and cell."""
    return {f"{path.stem} {cell.id} {place}": output.get("data", {}).get("text/html", "")
            for path in sorted(book.NOTEBOOKS.rglob("*.ipynb"))
            for cell in read_nb(path).cells
            for place, output in enumerate(cell.get("outputs", []))}


@cache
def pictures_of_the_book() -> dict[str, str]:
    """Every picture that a chapter stores, wide and narrow."""
    return {f"{name} {place}{form}": book.decoded(address)
            for name, html in stored().items()
            for place, image in enumerate(book.IMAGE.finditer(html))
            for form, address in zip(("", " narrow"), image.groups(), strict=True) if address}


# Of numbers that the book's own have few of: negative ones and thousands
ODD = {
    "lines": line_chart({"a": [(-3000.0, -0.25), (4500.0, -12_000.0)],
                         "b": [(-10.0, -7.0)]}, "x", "y", "A line and a dot."),
    "bars": bar_chart({"a": {"b": 12_345, "c": 0}}, "y", "Two bars."),
    "intervals": intervals_chart(
        {"a": (-1234.5, Interval(-2000, -1000)), "b": (-1100.0, None)}, "difference"),
}


def texts_of(markup: str, *tags: str) -> list[str]:
    """The words of a picture: of its title, its description, or those that are drawn."""
    return [part.text or "" for part in ET.fromstring(markup).iter()
            if part.tag.rpartition("}")[2] in tags]


@cache
def said_in_the_book() -> dict[str, list[str]]:
    """The words of all pictures, and the cells of all tables."""
    markups = pictures_of_the_book() | {name: each.markup for name, each in ODD.items()}
    return {**{name: texts_of(each, "title", "desc", "text") for name, each in markups.items()},
            **{f"table {name}": re.findall(r"<td[^>]*>([^<]*)</td>", html)
               for name, html in stored().items()}}


@pytest.mark.parametrize(("wrong", "place", "what"), [
    (r"(?<![\w.\])])-\d", "", "a hyphen in the place of a minus"),
    (r"\de-\d", "", "a power of ten with a hyphen"),
    (r"−0(\.0*)?(?![\d.])", "", "nothing with a sign"),
    (r"(?<![\w.,:])(?<!WMT )\d{4,}(?![\w.:-])", "", "thousands without a comma"),
    (r"^-\d", "table", "a hyphen, with which a cell is not sorted as a number"),
])  # fmt: skip
def test_nothing_writes_a_number_otherwise(wrong: str, place: str, what: str) -> None:
    asked = {name: texts for name, texts in said_in_the_book().items()
             if name.startswith("table") == bool(place)}
    assert len(asked) > 100
    assert [(name, text) for name, texts in asked.items() for text in texts
            if re.search(wrong, text)] == [], what


def test_pictures_with_odd_numbers_have_the_right_signs() -> None:
    said = " ".join(text for name in ODD for text in said_in_the_book()[name])
    assert all(number in said for number in ("−15,000", "−1,234.50", "12,345", "−4,000"))


def test_text_is_large_enough_on_a_phone() -> None:
    """The site shows 640 pixels as 560 or more, and everything else as it is."""
    for name, markup in pictures_of_the_book().items():
        width = float(ET.fromstring(markup).attrib["width"])
        smallest = min(map(float, re.findall(r'font-size="([\d.]+)"', markup)))
        assert smallest * (560 / 640 if width == 640 else 1) >= 11, name
        assert not name.endswith("narrow") or width <= 340


def cuts_of(picture: Svg) -> tuple[list[bool], list[bool], int]:
    """Which axes have a zigzag, which titles say so, and how often the description does."""
    paths = [part.attrib["d"] for part in ET.fromstring(picture.markup).findall("{*}path")]
    texts = texts_of(picture.markup, "text")
    return ([any(mark in each for each in paths) for mark in ZIGZAG],
            [any(re.match(rf"{axis}( \(a\))?, from ", text) for text in texts) for axis in "xy"],
            picture.description.count("The axis is cut: "))


coordinates = st.floats(-1000, 1000).map(lambda value: round(value, 2))


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=9))
@example([(1, 3), (2, 2), (4, 1)])      # Orders have no cut
def test_lines_stand_on_0_and_count_from_1(points: list[tuple[float, float]]) -> None:
    marks, titles, said = cuts_of(line_chart({"a": points}, "x", "y", "A line."))
    assert marks == titles == [bool(said), False]
    xs = [x for x, _ in points]
    first, *_, last = tick_values(min(xs), max(xs))
    assert marks[0] == (not first <= 0 <= last and min(xs) != 1)


@given(st.lists(st.tuples(coordinates, st.floats(0.1, 50)), min_size=1, max_size=5))
def test_intervals_are_cut_alike_and_say_their_level(rows: list[tuple[float, float]]) -> None:
    picture = intervals_chart({
        f"s{place}": (middle, Interval(middle - half, middle + half, 0.99))
        for place, (middle, half) in enumerate(rows)}, "x")
    marks, titles, said = cuts_of(picture)
    assert marks == titles == [bool(said), False]
    assert "value, 99 % interval" in texts_of(picture.markup, "text")
    assert picture.description.startswith("x, with 99 % intervals.")


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12), st.integers(1, len(LOOKS)))
def test_bars_stand_on_0(values: list[float], systems: int) -> None:
    bars = {f"s{place}": {str(group): each * (place + 1) / 4
                          for group, each in enumerate(values)} for place in range(systems)}
    root = ET.fromstring(bar_chart(bars, "y", "Bars.").markup)
    assert {round(float(part.attrib["y"]) + float(part.attrib["height"]), 1)
            for part in root.findall("{*}rect") if float(part.attrib["y"]) > 30} <= {294.0}
    [zero] = [part for part in root.findall("{*}text[@text-anchor='end']") if part.text == "0"]
    assert float(zero.attrib["y"]) == 298.5


@pytest.mark.parametrize("number", range(1, len(LOOKS) + 1))
def test_a_key_names_what_is_told_apart(number: int) -> None:
    """Where there is one series, its name is part of the title, and there is no key."""
    markup = bar_chart({name: {"g": 3, "h": 1} for name in "abcd"[:number]}, "y", "Bars.").markup
    texts = texts_of(markup, "text")
    assert [name in texts for name in "abcd"[:number]] == [number > 1] * number
    assert any(text.startswith("y (a)") for text in texts) == (number == 1)
    assert (number > 1) == any(
        float(part.attrib["y"]) < 30 for part in ET.fromstring(markup).findall("{*}rect"))


def test_a_cut_leaves_room_for_itself() -> None:
    """Between the number of an axis and the plot."""
    root = ET.fromstring(line_chart({"a": [(50, 1), (58, 0)]}, "x", "y", "A line.").markup)
    assert {float(part.attrib["points"].split(",")[0]) for part in root.findall("{*}polyline")
            if part.get("stroke-width") == "1"} == {52 + CUT}
