"""All charts keep the same rules: signs of numbers, cuts of axes, keys, and sizes of text."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from math import cos
from pathlib import Path

import book
import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb.display import (
    Svg,
    bar_chart,
    intervals_chart,
    line_chart,
    tick_values,
)
from bleu_nb.display.charts import CUT, LOOKS
from bleu_nb.significance import Interval

NOTEBOOKS = Path(__file__).parents[2] / "nbs"
ZIGZAG = ("h1l4-6l5 12l4-6H", "v-1l-6-4l12-5l-6-4V")  # Across, and upright


@cache
def stored() -> dict[str, str]:
    """The HTML that the cells of the book store, by chapter and cell."""
    return {f"{path.stem} {cell.id} {place}": output.get("data", {}).get("text/html", "")
            for path in sorted(NOTEBOOKS.rglob("*.ipynb"))
            for cell in nbformat.read(path, 4).cells
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
def words() -> dict[str, list[str]]:
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
    asked = {name: texts for name, texts in words().items()
             if name.startswith("table") == bool(place)}
    assert len(asked) > 100
    assert [(name, text) for name, texts in asked.items() for text in texts
            if re.search(wrong, text)] == [], what


def test_pictures_with_odd_numbers_have_the_right_signs() -> None:
    said = " ".join(text for name in ODD for text in words()[name])
    assert all(number in said for number in ("−15,000", "−1,234.50", "12,345", "−4,000"))


def test_text_is_large_enough_on_a_phone() -> None:
    """The site shows 640 pixels as 560 or more, and everything else as it is."""
    for name, markup in pictures_of_the_book().items():
        width = float(ET.fromstring(markup).attrib["width"])
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', markup)]
        assert min(sizes) * (560 / 640 if width == 640 else 1) >= 11, name
        assert not name.endswith("narrow") or width <= 340


def cuts_of(picture: Svg) -> tuple[list[bool], list[bool], int]:
    """Which axes have a zigzag, which titles say so, and how often the description does."""
    paths = [part.attrib["d"] for part in ET.fromstring(picture.markup).findall("{*}path")]
    texts = texts_of(picture.markup, "text")
    return ([any(mark in each for each in paths) for mark in ZIGZAG],
            [any(re.match(rf"{axis}( \(a\))?, from ", text) for text in texts) for axis in "xy"],
            picture.description.count("The axis is cut: "))


numbers = st.floats(-1000, 1000).map(lambda value: round(value, 2))


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=9))
def test_lines_stand_on_0_and_count_from_1(points: list[tuple[float, float]]) -> None:
    marks, titles, said = cuts_of(line_chart({"a": points}, "x", "y", "A line."))
    assert marks == titles == [bool(said), False]
    xs = [x for x, _ in points]
    first, *_, last = tick_values(min(xs), max(xs))
    assert marks[0] == (not first <= 0 <= last and min(xs) != 1)


def test_orders_have_no_cut() -> None:
    orders = line_chart({"a": [(1, 3), (2, 2), (4, 1)]}, "x", "y", "Orders.")
    assert cuts_of(orders) == ([False] * 2, [False] * 2, 0)


@given(st.lists(st.tuples(numbers, st.floats(0.1, 50)), min_size=1, max_size=5))
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
    root = ET.fromstring(line_chart(
        {"a": [(50 + each, cos(each)) for each in range(9)]}, "x", "y", "A line.").markup)
    assert {float(part.attrib["points"].split(",")[0]) for part in root.findall("{*}polyline")
            if part.get("stroke-width") == "1"} == {52 + CUT}
