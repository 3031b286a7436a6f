"""Whatever a user typed, pictures and tables show it, and neither run it nor break."""

import html
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import book
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb import Bleu, BleuStats, count_segment, explain, score_stats, sentence_bleu
from bleu_nb.aligning import FATES, alignment
from bleu_nb.charts import LOOKS, POINT_MARKS, bar_chart, line_chart
from bleu_nb.drawing import COLOURS, GROUND, Svg
from bleu_nb.explanation_pictures import waterfall
from bleu_nb.plain_text import UNSAFE, visible
from bleu_nb.receipts import anatomy, explain_segment
from bleu_nb.tables import Table
from bleu_nb.views import (
    compare,
    most_changed,
    score_against_length,
    score_distribution,
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


def check_element(root: ET.Element) -> None:
    """Nothing that runs, loads, or clashes with another figure."""
    for part in root.iter():
        assert part.tag.rpartition("}")[2] not in FORBIDDEN
        assert not {"id", "href", "src"} & set(part.attrib)
        assert not [name for name in part.attrib if name.lower().startswith("on")]


class Images(HTMLParser):
    """The attributes of every image, and of nothing else."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.found.append(dict(attrs))


def check_markup(stored: str) -> str:
    """Well-formed and harmless as XML and as HTML, images and all; the text that it shows."""
    assert not UNSAFE.search(stored.replace("\n", ""))
    assert "<svg" not in stored
    images = [part for part in ET.fromstring(stored).iter() if part.tag == "img"]
    assert [each.attrib for each in images] == [
        {name: " ".join(str(value).split("\n")) for name, value in image.items()}
        for image in Images(stored).found]
    pictures = book.pictures(stored)
    assert len(pictures) == len(images)
    for image, picture in zip(images, pictures, strict=True):
        assert image.get("src", "").startswith("data:image/svg+xml,")
        assert set(image.attrib) == {"alt", "style", "src"}
        title, words = ET.fromstring(picture)[:2]
        assert image.get("alt", "").split() == f"{title.text} {words.text}".split()
    return check_inline(book.inline(stored))


def check_inline(markup: str) -> str:
    """The same of HTML in which every image has become SVG."""
    check_element(ET.fromstring(markup))
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(markup)
    assert not FORBIDDEN & set(tags)
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", markup))


def check_svg(picture: Svg) -> str:
    """As above, with a title and a description; an image holds the whole markup."""
    root = ET.fromstring(picture.markup)
    assert [part.tag.rpartition("}")[2] for part in root[:2]] == ["title", "desc"]
    assert root[0].text and root[1].text == picture.description == repr(picture)
    assert not UNSAFE.search(picture.description.replace("\n", ""))
    assert root[0].text == picture.title
    assert book.pictures(picture._repr_html_()) == [picture.markup]
    return check_markup(picture._repr_html_())


def check_both(shown: object) -> str:
    """The HTML of an object, and a plain text without anything unsafe in it."""
    assert not UNSAFE.search(repr(shown).replace("\n", ""))
    return check_markup(shown._repr_html_())  # type: ignore[attr-defined]


@pytest.mark.parametrize("token", HOSTILE, ids=ascii)
def test_alignment_shows_a_hostile_token(token: str) -> None:
    for candidate, reference in (["a", token], ["a", "b"]), (["a", "b"], ["a", token]):
        shown = check_svg(alignment(candidate, [reference]))
        assert visible(token) in shown


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_alignment_shows_hostile_text(text: str) -> None:
    check_svg(alignment(text, [f"a {text}", "b"]))


@pytest.mark.parametrize("token", HOSTILE, ids=ascii)
def test_a_segment_is_explained_with_a_hostile_token(token: str) -> None:
    candidate, references = ["a", token, "b"], [["a", token], ["b", token]]
    score = score_stats(count_segment(candidate, references))
    check_svg(explain_segment(score, candidate, references))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_comparison_shows_hostile_text(text: str) -> None:
    references = [["a b"], [f"a {text}"], [text + " c"]]
    found = compare({text: ["a", "a b", text], "two": ["a b", text, "b"]}, references)
    shown = check_both(found)
    assert visible(text) in shown
    check_both(most_changed(found, 9))
    assert visible(text) in repr(found)
    by_system = {text: [each.scores[0] for each in found.segments]}
    check_svg(score_distribution(by_system))
    check_svg(score_against_length(by_system))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_table_shows_hostile_text(text: str) -> None:
    shown = check_both(Table(text, [text, "b"], [[text, "1"], ["<b>", (text, 0.5)]], text))
    assert visible(text) in shown


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_signature_and_an_explanation_show_hostile_text(text: str) -> None:
    def split(line: str) -> list[str]:
        return line.split()

    split.__name__ = split.__qualname__ = text
    metric = Bleu("nltk", tokenizer=split)
    score = metric.sentence("a b c", ["a b d"])
    check_both(score)
    check_svg(anatomy(score))
    found = explain([f"a b {text}"], [[f"a b c {text}"]], metric, "sacrebleu")
    check_both(found)
    check_svg(waterfall(found))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_charts_show_hostile_names(text: str) -> None:
    check_svg(line_chart({text: [(1, 2), (3, 4)]}, text, text, text, clouds={text: [(2, 2)]}))
    check_svg(bar_chart({text: {text: 3.0}}, text, text, text))


words = st.text(max_size=8) | st.sampled_from(HOSTILE) | st.sampled_from("aבا船")
tokens = st.lists(words.map(lambda word: "".join(word.split())), max_size=9)


@given(tokens, st.lists(tokens, min_size=1, max_size=3), st.integers(1, 5))
def test_every_ngram_has_its_bar(
    candidate: list[str], references: list[list[str]], max_order: int
) -> None:
    picture = alignment(candidate, references, max_order)
    check_svg(picture)
    stats = count_segment(candidate, references, max_order)
    bars = [(part.get("class"), int(part.attrib["data-order"]))
            for part in ET.fromstring(picture.markup).iter() if "data-order" in part.attrib]
    orders = range(1, max_order + 1)
    assert [bars.count(("bn-credited", order)) for order in orders] == list(stats.matches)
    assert [sum(each == order for _, each in bars) for order in orders] == list(stats.totals)
    for matches, total, line in zip(
            stats.matches, stats.totals, picture.description.split("\n")[-max_order:], strict=True):
        assert f"{matches} of {total} credited" in line


counts = st.integers(0, 10**6)


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=6), counts, counts,
       st.sampled_from([1, 100]))
def test_html_and_text_of_a_score_hold_the_same_numbers(
    pairs: list[tuple[int, int]], ours: int, theirs: int, scale: int
) -> None:
    matches = tuple(map(min, pairs))
    totals = tuple(map(max, pairs))
    score = score_stats(BleuStats(matches, totals, ours, theirs), scale=scale)
    for shown in (score, score.stats):
        text = check_both(shown)
        in_text = re.findall(r"\d+(?:\.\d+)?", repr(shown))
        in_html = re.findall(r"\d+(?:\.\d+)?", re.sub(r"\d‑grams", "", text))
        assert sorted(in_text) == sorted(in_html)
    check_svg(anatomy(score))


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
    picture = alignment(text, [text], 2, tokenizer=tokenizer)
    rows: dict[str, list[float]] = {}
    for part in ET.fromstring(picture.markup).findall("{*}text"):
        if "bn-mono" in part.get("class", ""):
            rows.setdefault(part.attrib["y"], []).append(float(part.attrib["x"]))
            assert (part.get("direction") == "rtl") == leftwards
    assert len(rows) == 2
    for places in rows.values():
        assert len(set(places)) == len(places) > 3
        assert places == sorted(places, reverse=leftwards)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2)."""
    parts = [int(colour[start:start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("name", "day", "night"), COLOURS)
def test_colours_can_be_read(name: str, day: str, night: str) -> None:
    least = {"ink": 7, "muted": 4.5, "rule": 1.2}.get(name, 3)
    for colour, ground in ((day, GROUND[0]), (night, GROUND[1]), (night, "#1a1c1e")):
        light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= least


def test_nothing_is_told_by_colour_alone() -> None:
    assert len({look for _, look in FATES.values()}) == len(FATES)
    assert len({dash for _, dash, _ in LOOKS}) == len({look for _, _, look in LOOKS}) == len(LOOKS)
    assert len(set(POINT_MARKS)) == len(LOOKS)


def test_scores_of_dialects_without_a_product_say_so() -> None:
    weighted = sentence_bleu("a b c d", ["a b x d"], weights=(0.7, 0.1, 0.1, 0.1))
    assert "not the product" in repr(anatomy(weighted))
    assert "not the product" not in repr(anatomy(sentence_bleu("a b c d", ["a b x d"])))
