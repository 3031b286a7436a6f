"""The site as a visitor meets it: built from this checkout, served on loopback, in a browser."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin
from urllib.request import ProxyHandler, build_opener

import book
import pytest

from bleu_nb import DIALECTS, list_dialects

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path.stem for path in book.notebooks() if path.stem != "index")
MODULES = sorted(filter(None, map(book.module_of, book.notebooks())))
PHONE = {"viewport": {"width": 390, "height": 844}}
DESK = {"viewport": {"width": 1280, "height": 900}}


def shows_figures(path: Path) -> bool:
    """Whether a notebook has stored a figure of the package."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return any(book.pictures("".join(data.get("text/html", ""))) for data in outputs)


WITH_FIGURES = ["index", "usage", *(
    name for name in CHAPTERS if shows_figures(book.notebook(name)))]

CITED = re.compile(r"\b([A-Z]\w+)(?: et al\.| and [A-Z]\w+) (\d{4})\b")
LINKED = re.compile(r"https://(?:aclanthology\.org|doi\.org|arxiv\.org)/[^\s)\"']+")


class Page(HTMLParser):
    """What a page links to, what can be linked to in it, and its literals outside of links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.loose: list[str] = []
        self.inside: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links |= {given[key] or "" for key in ("href", "src") if key in given}
        self.anchors |= {given[key] or "" for key in ("id", "name") if key in given}
        if tag == "code" and "literal" in (given.get("class") or "") and "a" not in self.inside:
            self.loose.append("")
            tag = "loose code"
        if tag in ("a", "code", "loose code"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1].endswith(tag):
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] == "loose code":
            self.loose[-1] += data


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Page]:
    """Each page by its address relative to the site."""
    return {path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
            for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}


def test_internal_links_resolve(site: Path, pages: dict[str, Page]) -> None:
    assert {f"{name}.html" for name in ("index", "playground", *CHAPTERS)} <= set(pages)
    broken = []
    for name, page in pages.items():
        for link in page.links:
            address, anchor = urldefrag(urljoin(name, link))
            if re.match(r"[a-z]+:|//", address):
                continue
            target = unquote(address.partition("?")[0])
            missing = not (site / target).is_file()
            state = "=" in anchor and target == "playground.html"    # Fills the form
            if missing or (anchor and not state and target in pages
                           and unquote(anchor) not in pages[target].anchors):
                broken.append(f"{name} -> {link}")
    assert not broken


NEXT = re.compile(r'<a class="next-page" href="([^"]*)"')


def test_chapters_follow_one_another(site: Path, open_page: Any) -> None:
    name, passed = "index.html", []
    while found := NEXT.search((site / name).read_text(encoding="utf-8")):
        name = urljoin(name, found[1])
        passed.append(name.removesuffix(".html"))
        if passed[-1] == "api":    # Its modules follow one another as well, a hundred of them
            name = f"api/{MODULES[-1]}.html"
    visited = [name for name in passed if name in CHAPTERS]
    assert sorted(visited) == CHAPTERS and len(set(passed)) == len(passed)
    learnt = [path.stem for path in book.notebooks() if path.parent.name == "01_derivation"
              and path.stem[:2] <= "10" and "_about_" not in path.stem]
    assert passed[: len(learnt)] == sorted(learnt), "the path comes before the rooms beside it"
    page = open_page("index.html")
    for direction, name in (("next", passed[0]), ("next", passed[1]), ("prev", passed[0])):
        with page.expect_navigation():
            page.click(f".related-pages .{direction}-page")
        assert page.url.endswith(f"/{name}.html")


READABLE = """() => {
  const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = rgb(colour).slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const figures = [...document.querySelectorAll("article svg.bn-fig")]
    .filter((svg) => svg.checkVisibility());
  const problems = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) problems.push(`the page is ${wide} pixels wide`);
  for (const svg of figures) {
    const title = svg.querySelector("title")?.textContent;
    let box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const holder = svg.closest(".drawn, .output")?.getBoundingClientRect();
    if (!holder || holder.left < 0 || holder.right > innerWidth + 0.5)
      problems.push(`${title}: reaches beyond the window`);
    const ground = light(behind(svg));
    for (const text of svg.querySelectorAll("text")) {
      if (!text.textContent.trim()) continue;
      const style = getComputedStyle(text);
      const size = parseFloat(style.fontSize) * scale;
      if (size < 9) problems.push(`${title}: "${text.textContent}" has ${size} pixels`);
      const [a, b] = [ground, light(style.fill)].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5)
        problems.push(`${title}: "${text.textContent}" is ${style.fill} on ${behind(svg)}`);
    }
  }
  return {number: figures.length, problems};
}"""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", WITH_FIGURES)
def test_figures_are_readable(
    open_page: Any, name: str, scheme: str, size: dict[str, Any]
) -> None:
    found = open_page(f"{name}.html", color_scheme=scheme, **size).evaluate(READABLE)
    assert found["number"] and not found["problems"]


def test_the_theme_button_turns_figures_dark(open_page: Any) -> None:
    page = open_page("index.html", color_scheme="light", **DESK)
    for theme in ("light", "dark"):
        while page.get_attribute("body", "data-theme") != theme:
            page.click(".content-icon-container .theme-toggle")
        found = page.evaluate(READABLE)
        assert found["number"] and not found["problems"]


@pytest.mark.parametrize("name", ["04_aligning", "usage", "index"])
def test_an_alignment_can_be_pointed_at(open_page: Any, name: str) -> None:
    page = open_page(f"{name}.html", **DESK)
    assert page.locator("article img[src^='data:']").count() == 0
    picture = page.locator("article svg.bn-fig:has(.bn-run)").first
    hint, run = picture.locator(".bn-hint"), picture.locator(".bn-run").first
    at = run.locator(".bn-at")
    for act, shown, gone in (
        (lambda: None, hint, at), (run.locator("rect").first.hover, at, hint),
        (lambda: page.mouse.move(0, 0), hint, at), (run.focus, at, hint),
    ):
        act()
        shown.wait_for(state="visible")
        gone.wait_for(state="hidden")
    page.emulate_media(media="print")
    run.blur()
    hint.wait_for(state="hidden")


def table_cells(page: Any, column: int) -> list[str]:
    """The texts of one column of the table of dialects, from top to bottom."""
    return page.eval_on_selector_all(
        f"table.dialects tbody tr > :nth-child({column})",
        "cells => cells.map(cell => cell.textContent)")


def test_dialects_can_be_sorted(open_page: Any) -> None:
    page = open_page("dialects.html", **DESK)
    assert table_cells(page, 1) == list(DIALECTS)
    head = page.locator("table.dialects th button", has_text="choices")
    numbers = [len(set(row) - {"version", "source"}) for row in list_dialects().values()]
    head.click()
    assert list(map(int, table_cells(page, 3))) == sorted(numbers)
    head.press("Enter")
    assert list(map(int, table_cells(page, 3))) == sorted(numbers, reverse=True)
    assert page.locator("th[aria-sort=descending]").count() == 1


def test_tables_sort_numbers_by_size(open_page: Any) -> None:
    page = open_page("index.html")
    ordered = page.evaluate("""() => [
        ["+9.5", "−10", "100", "-2.81", "3"], ["3.10.4", "3.9", "13a", "Moses 2", "moses 1", ""],
      ].map((texts) => texts.sort(compare))""")
    assert ordered[0] == ["−10", "-2.81", "3", "+9.5", "100"]
    assert ordered[1] == ["", "3.9", "3.10.4", "13a", "moses 1", "Moses 2"]


def test_dialects_say_what_differs(open_page: Any) -> None:
    row = open_page("dialects.html").locator("table.dialects tbody tr", has_text="nltk-3.2")
    assert "3.2.5" in row.inner_text()
    assert "smoothing zeros-skipped" in row.inner_text()


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_entry(pages: dict[str, Page], module: str) -> None:
    names = {f"bleu_nb.{module}.{name}" for name in import_module(f"bleu_nb.{module}").__all__}
    assert names <= pages[f"api/{module}.html"].anchors


def test_entries_explain_parameters(open_page: Any) -> None:
    entry = open_page("api/derivation.precision.html").locator(
        "dl:has(> dt[id='bleu_nb.derivation.precision.clipped_counts'])")
    assert "Tokens of each human translation" in entry.inner_text()


def test_names_in_prose_link_to_their_entries(pages: dict[str, Page]) -> None:
    loose = {}
    for name in CHAPTERS:
        if module := book.module_of(book.notebook(name)):
            exported = set(import_module(f"bleu_nb.{module}").__all__)
            loose[name] = exported & set(pages[f"{name}.html"].loose)
    assert len(loose) == len(MODULES) and not any(loose.values())


@pytest.mark.parametrize(("name", "linked"), [
    ("05_smoothing", "api/derivation.formula.html#bleu_nb.derivation.formula.score_stats"),
    ("05_table", "api/dialects.table.html#bleu_nb.dialects.table.Dialect.end_token"),
    ("dialects", "api/dialects.table.html#bleu_nb.dialects.table.DIALECTS"),
    ("usage", "api/diagnosis.explanation.html#bleu_nb.diagnosis.explanation.explain"),
    ("00_about_diagnosis", "api/diagnosis.explanation.html#module-bleu_nb.diagnosis.explanation"),
    ("symbols", "api/derivation.smoothing.html#bleu_nb.derivation.smoothing.floor"),
    ("api/scoring.metric", "scoring.registry.html#bleu_nb.scoring.registry.ENGINES"),
])
def test_a_name_links_to_what_it_means(pages: dict[str, Page], name: str, linked: str) -> None:
    assert linked in pages[f"{name}.html"].links


@pytest.mark.parametrize(("name", "other_tools"), [
    ("05_smoothing", "sentence_bleu"), ("06_tokenization", "mteval"), ("01_ngrams", "Counter"),
])
def test_a_name_of_another_tool_is_no_link(
    pages: dict[str, Page], name: str, other_tools: str
) -> None:
    assert other_tools in pages[f"{name}.html"].loose


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_cheat_sheet_is_one_sheet(open_page: Any, paper: str) -> None:
    printed = open_page("09_cheat_sheet.html").pdf(format=paper)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1


@pytest.mark.parametrize("name", ["09_definition", "07_metric"])
def test_a_folded_cell_says_what_is_in_it(site: Path, name: str) -> None:
    defined = [
        found[1]
        for source in book.sources(book.notebook(name))
        if "#| exporti\n#| code-fold" in source
        and (found := re.search(r"^(?:def|class) (\w+)", source, re.MULTILINE))
    ]
    assert defined
    page = (site / f"{name}.html").read_text("utf-8")
    assert "Show the imports" in page
    assert [each for each in defined if not re.search(
        rf"Show (?:<code>\w+</code>(?:, | and ))*<code>{each}</code>", page)] == []


def test_notebooks_can_be_opened(site: Path, pages: dict[str, Page]) -> None:
    for name in CHAPTERS:
        link = f"notebooks/{name}.ipynb"
        assert link in pages[f"{name}.html"].links
        assert (site / link).read_bytes() == book.notebook(name).read_bytes()


def test_every_source_cited_is_listed(site: Path) -> None:
    listed = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    for path in book.notebooks():
        text = "\n".join(book.sources(path))
        cited = {f"({name.lower()}-{year})=" for name, year in CITED.findall(text)}
        missing = [each for each in (*cited, *LINKED.findall(text)) if each not in listed]
        assert not missing, path.stem


@pytest.mark.parametrize(("name", "title"), [
    ("00_by_hand", "# BLEU by hand"), ("01_ngrams", "# 1.1 n-grams"),
    ("09_cheat_sheet", "# 1.9 Cheat sheet"),
    ("01_length_rules", "# 2.1 Length rules"), ("index", "# Using the package"),
])
def test_a_page_has_the_number_of_its_module(name: str, title: str) -> None:
    build_site = import_module("build_site")
    heading, run, *_ = build_site.chapter(book.notebook(name)).cells
    assert heading.source.startswith(title)
    assert f"notebooks/{name}.ipynb" in run.source
    assert ("what it exports" in run.source) == (name in {"01_ngrams", "01_length_rules"})


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that draws what pages show of the package."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    yield import_module("pictures")
    sys.modules.pop("pictures")


def test_speed_shows_the_benchmark(pictures: Any, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    assert "built without a benchmark" in pictures.speed(path)
    report = json.loads(pictures.BENCHMARK.read_text(encoding="utf-8"))
    report["machine"]["cpu"] = "<chip>"
    path.write_text(json.dumps(report), encoding="utf-8")
    shown = pictures.speed(path)
    assert "&lt;chip&gt;" in shown and "100,000 segments, 4 references" in shown
    assert shown.count("<table") >= 3 and "sacreBLEU" in shown


def test_text_in_the_table_of_dialects_is_escaped(
    pictures: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"version": "<1>", "source": "https://example.org/a&b", "tokenizer": "<b>"}
    monkeypatch.setattr(pictures, "list_dialects", lambda: {"<script>": row})
    shown: Callable[[], str] = pictures.dialect_table
    assert "<script>" not in shown() and "<b>" not in shown()


def test_what_a_visitor_waits_for_is_measured(site: Path, tmp_path: Path) -> None:
    record = tmp_path / "waits.json"
    command = [sys.executable, "benchmarks/site.py", "--site", str(site), "--out", str(record),
               "--rounds", "1", "--only", "front page"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if "a browser" in done.stderr:
        pytest.skip(done.stderr)
    assert not done.returncode, done.stderr
    waits = json.loads(record.read_text(encoding="utf-8"))["milliseconds"]
    assert [*waits] == ["front page: first words", "front page: a frame of the figure"]
    assert all(0 < each["low"] <= each["median"] <= each["high"] for each in waits.values())
    assert done.stdout.count("front page") == 2


def test_the_site_is_served(site: Path) -> None:
    """`make serve` builds the site first, which `-o site` takes as done."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    direct = build_opener(ProxyHandler({}))
    server = subprocess.Popen(["make", "-o", "site", "serve", f"PORT={port}"], cwd=ROOT,
                              start_new_session=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        shown = None
        for _ in range(60):
            time.sleep(0.5)
            with suppress(OSError), direct.open(f"http://127.0.0.1:{port}/index.html") as page:
                shown = page.read()
            if shown is not None or server.poll() is not None:
                break
        assert shown == (site / "index.html").read_bytes()
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGTERM)
        server.wait()
