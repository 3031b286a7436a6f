"""What a printer gets: no navigation, no blank sheet, nothing cut; and the book as a PDF."""

import re
import zlib
from pathlib import Path
from typing import Any

import pdf_of_the_book
import pytest

from bleu_nb import __version__

PRINTED = ["index", "00_by_hand", "02_precision", "09_cheat_sheet", "04_explanation",
           "03_paired_tests", "dialects", "usage"]
PAPER = {"A4": (718, 1047), "Letter": (740, 980)}  # Pixels between margins of 10 mm
SHOWN = re.compile(rb"\bT[jJ]\b")   # The operators that show text

OBJECT = re.compile(rb"^(\d+) 0 obj\b(.*?)^endobj", re.MULTILINE | re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
CONTENTS = re.compile(rb"/Contents (\d+) 0 R")


def sheets(pdf: bytes) -> list[int]:
    """For each page of a PDF that Chromium wrote, how many runs of text it shows."""
    objects = {int(number): body for number, body in OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if re.search(rb"/Type\s*/Page\b", body)]
    streams = [STREAM.findall(objects[int(CONTENTS.findall(page)[0])])[0] for page in pages]
    return [len(SHOWN.findall(zlib.decompressobj().decompress(each))) for each in streams]


@pytest.mark.parametrize(("name", "paper"), [*((name, "A4") for name in PRINTED),
                                             ("09_cheat_sheet", "Letter")])
def test_no_sheet_is_blank_and_the_cheat_sheet_is_one(
    open_page: Any, name: str, paper: str
) -> None:
    found = sheets(open_page(f"{name}.html").pdf(format=paper))
    assert found and min(found) > 1
    assert name != "09_cheat_sheet" or len(found) == 1


NAVIGATION = """() => [...document.querySelectorAll(`.sidebar-drawer, .toc-drawer, .mobile-header,
    .skip-to-content, .related-pages, .theme-toggle, .headerlink, .back-to-top, .run, .try,
    footer, details:not([open])`)].filter((each) => each.checkVisibility())
  .map((each) => each.outerHTML.slice(0, 80))"""

CUT = """([width, height]) => {
  const wrong = [];
  const all = document.querySelectorAll("article :is(svg.bn-fig, table, pre, div.math svg)");
  for (const each of all) {
    if (!each.checkVisibility()) continue;
    const box = each.getBoundingClientRect();
    const what = each.textContent.trim().slice(0, 60);
    if (box.right > width + 1 || box.left < -1) wrong.push(`${what}: beside the paper`);
    if (!each.matches("svg.bn-fig")) continue;
    if (getComputedStyle(each).breakInside !== "avoid" || box.height > height)
      wrong.push(`${what}: cut between two sheets`);
    if (each.matches(".bn-narrow")) wrong.push(`${what}: the drawing for a phone`);
  }
  for (const each of document.querySelectorAll("article *")) {
    const { overflowX, overflowY } = getComputedStyle(each);
    const hidden = each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(overflowX)
      || each.scrollHeight > each.clientHeight + 1 && /auto|scroll/.test(overflowY);
    if (hidden && each.checkVisibility()) wrong.push(`${each.className}: has a scrollbar`);
  }
  return wrong;
}"""


@pytest.mark.parametrize("paper", PAPER)
def test_nothing_is_cut_and_nothing_can_be_clicked(open_page: Any, paper: str) -> None:
    width, height = PAPER[paper]
    page = open_page("index.html", viewport={"width": width, "height": height})
    page.emulate_media(media="print")
    for name in PRINTED:
        page.goto(f"{name}.html")
        assert page.locator("article").is_visible()
        assert not page.evaluate(NAVIGATION) + page.evaluate(CUT, [width, height]), name
    page.locator("article > section").evaluate(
        "(it) => { it.style.height = '200px'; it.style.overflow = 'auto'; }")
    assert [each for each in page.evaluate(CUT, [width, height]) if "scrollbar" in each]


def test_the_build_prints_the_derivation(site: Path, browser: Any) -> None:
    pdf = (site / pdf_of_the_book.NAME).read_bytes()
    found = sheets(pdf)
    assert len(found) > 3 * len(pdf_of_the_book.CHAPTERS) and min(found) > 1
    assert b"file:///" not in pdf and str(site).encode() not in pdf
    assert not (site / "_derivation.html").exists()
    headings = pdf_of_the_book.starts(pdf)
    assert headings["BLEU by hand"] == 2 < headings["1.1 n-grams"] < headings["1.2 Precision"]
    assert headings["1.6 Tokenizing"] < headings["Answers"] <= len(found)
    assert f'<a href="{pdf_of_the_book.NAME}">' in (site / "index.html").read_text("utf-8")


def test_the_book_holds_each_chapter_once(site: Path) -> None:
    page = pdf_of_the_book.one_page(site)
    for name in pdf_of_the_book.CHAPTERS:
        [title] = re.findall(r"<h1>(.*?)<a ", (site / f"{name}.html").read_text("utf-8"))
        assert page.count(f"<h1>{title}<a ") == 1 and f"<li>{title}</li>" in page
        assert f"<li>{title}<b>7</b></li>" in pdf_of_the_book.one_page(site, {title: 7})
    chapters, _, answers = page.partition("<h1>Answers</h1>")
    assert answers.count("<h2>") == len(pdf_of_the_book.CHAPTERS) and "Answers<" not in chapters[
        chapters.index('class="chapter"'):]
    assert not re.findall(r' href="(?!https?:|_static/)[^"]*"', page)


def test_the_book_carries_its_version_and_day(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert f"<p>Version {__version__}, 1970-01-02</p>" in pdf_of_the_book.one_page(site)
