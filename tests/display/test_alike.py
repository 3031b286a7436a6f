"""All charts keep the same rules: signs of numbers, cuts of axes, keys, and sizes of text."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
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
def pictures_of_the_book() -> Mapping[str, str]:
    """Every picture that a chapter stores, wide and narrow."""
    found = {}
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        for cell in nbformat.read(path, 4).cells:
            for output in cell.get("outputs", []):
                stored = output.get("data", {}).get("text/html", "")
                for place, markup in enumerate(book.pictures(stored)):
                    found[f"{path.stem} {cell.id} {place}"] = markup
                for place, image in enumerate(ET.fromstring(each) for each in re.findall(
                        r"<img .*?/>", stored, re.DOTALL)):
                    if "data-narrow" in image.attrib:
                        narrow = book.unquote(image.attrib["data-narrow"])
                        found[f"{path.stem} {cell.id} {place} narrow"] = narrow
    assert len(found) > 100
    return found


def odd_pictures() -> Mapping[str, Svg]:
    """Charts of numbers that the book's own have few of: negative ones and thousands."""
    few = {"a": [(-3000.0, -0.25), (4500.0, -12_000.0)], "b": [(-10.0, -7.0)]}
    far = {"a": (-1234.5, Interval(-2000, -1000)), "b": (-1100.0, None)}
    return {
        "lines": line_chart(few, "x", "y", "A line and a dot."),
        "bars": bar_chart({"a": {"b": 12_345, "c": 0}}, "y", "Two bars."),
        "intervals": intervals_chart(far, "difference"),
    }


@cache
def all_words() -> Mapping[str, list[str]]:
    """The words of all pictures: title, description, and every text that is drawn."""
    markups = {**pictures_of_the_book(),
               **{name: each.markup for name, each in odd_pictures().items()}}
    return {name: [part.text or "" for part in ET.fromstring(markup).iter()
                   if part.tag.rpartition("}")[2] in ("title", "desc", "text")]
            for name, markup in markups.items()}


@pytest.mark.parametrize(("wrong", "what"), [
    (r"(?<![\w.\])])-\d", "a hyphen in the place of a minus"),
    (r"\de-\d", "a power of ten with a hyphen"),
    (r"−0(\.0*)?(?![\d.])", "nothing with a sign"),
    (r"(?<![\w.,:])(?<!WMT )\d{4,}(?![\w.:-])", "thousands without a comma"),
])  # fmt: skip
def test_no_picture_writes_a_number_otherwise(wrong: str, what: str) -> None:
    found = {name: [text for text in texts if re.search(wrong, text)]
             for name, texts in all_words().items()}
    assert {name: texts for name, texts in found.items() if texts} == {}, what


def test_no_table_has_a_hyphen_for_a_minus() -> None:
    """Nor would such a cell be sorted as a number."""
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        for cell in nbformat.read(path, 4).cells:
            for output in cell.get("outputs", []):
                stored = output.get("data", {}).get("text/html", "")
                cells = re.findall(r"<td[^>]*>([^<]*)</td>", stored)
                assert [text for text in cells if re.match(r"-\d", text)] == [], path.stem


def test_pictures_with_odd_numbers_have_the_right_signs() -> None:
    said = " ".join(text for name in odd_pictures() for text in all_words()[name])
    for number in ("−15,000", "−1,234.50", "12,345", "−4,000"):
        assert number in said


def test_text_is_large_enough_on_a_phone() -> None:
    """The site shows 640 pixels as 560 or more, and everything else as it is."""
    for name, markup in pictures_of_the_book().items():
        root = ET.fromstring(markup)
        width = float(root.attrib["width"])
        sizes = [float(part.get("font-size", 0)) for part in root.iter() if part.get("font-size")]
        assert min(sizes) * (560 / 640 if width == 640 else 1) >= 11, name
        assert not name.endswith("narrow") or width <= 340


def cuts_of(picture: Svg) -> tuple[list[bool], list[bool], int]:
    """Which axes have a zigzag, which titles say so, and how often the description does."""
    root = ET.fromstring(picture.markup)
    paths = [part.attrib["d"] for part in root.findall("{*}path")]
    texts = [str(part.text) for part in root.findall("{*}text")]
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
    orders = line_chart({"a": [(1, 3), (2, 2), (4, 1)]}, "x", "y", "Orders.")
    assert cuts_of(orders) == ([False] * 2, [False] * 2, 0)


@given(st.lists(st.tuples(numbers, st.floats(0.1, 50)), min_size=1, max_size=5))
def test_intervals_are_cut_alike_and_say_their_level(rows: list[tuple[float, float]]) -> None:
    held = {f"s{place}": (middle, Interval(middle - half, middle + half, 0.99))
            for place, (middle, half) in enumerate(rows)}
    picture = intervals_chart(held, "x")
    marks, titles, said = cuts_of(picture)
    assert marks == titles == [bool(said), False]
    assert "value, 99 % interval" in all_texts(picture)
    assert picture.description.startswith("x, with 99 % intervals.")


def all_texts(picture: Svg) -> list[str]:
    return [str(part.text) for part in ET.fromstring(picture.markup).findall("{*}text")]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12), st.integers(1, len(LOOKS)))
def test_bars_stand_on_0(values: list[float], systems: int) -> None:
    bars = {f"s{place}": {str(group): each * (place + 1) / 4
                          for group, each in enumerate(values)} for place in range(systems)}
    root = ET.fromstring(bar_chart(bars, "y", "Bars.").markup)
    ends = {round(float(part.attrib["y"]) + float(part.attrib["height"]), 1)
            for part in root.findall("{*}rect") if float(part.attrib["y"]) > 30}
    assert ends <= {294.0}
    [zero] = [part for part in root.findall("{*}text[@text-anchor='end']") if part.text == "0"]
    assert float(zero.attrib["y"]) == 298.5


@pytest.mark.parametrize("number", range(1, len(LOOKS) + 1))
def test_a_key_names_what_is_told_apart(number: int) -> None:
    """Where there is one series, its name is part of the title, and there is no key."""
    names = "abcd"[:number]
    chart = bar_chart({name: {"g": 3, "h": 1} for name in names}, "y", "Bars.")
    texts, root = all_texts(chart), ET.fromstring(chart.markup)
    assert [name in texts for name in names] == [number > 1] * number
    assert any(text.startswith("y (a)") for text in texts) == (number == 1)
    above = [part for part in root.findall("{*}rect") if float(part.attrib["y"]) < 30]
    assert bool(above) == (number > 1)


def test_a_cut_leaves_room_for_itself() -> None:
    """Between the number of an axis and the plot."""
    root = ET.fromstring(line_chart(
        {"a": [(50 + each, cos(each)) for each in range(9)]}, "x", "y", "A line.").markup)
    lines = [part.attrib["points"].split(",")[0]
             for part in root.findall("{*}polyline") if part.get("stroke-width") == "1"]
    assert {float(each) for each in lines} == {52 + CUT}
