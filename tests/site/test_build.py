"""What `make site` builds: pages, links, entries, numbers; and that it is served."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin
from urllib.request import ProxyHandler, build_opener

import book
import pictures
import pytest
from browser import DESK, Page, follow

from bleu_nb import DIALECTS, list_dialects

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path.stem for path in book.notebooks() if path.stem != "index")
MODULES = book.modules()

CITED = re.compile(r"\b([A-Z]\w+)(?: et al\.| and [A-Z]\w+) (\d{4})\b")
LINKED = re.compile(r"https://(?:aclanthology\.org|doi\.org|arxiv\.org)/[^\s)\"'}]+")


def leads_nowhere(site: Path, pages: dict[str, Page], name: str, link: str) -> bool:
    """Whether a link of a page has no file or no anchor within the site."""
    address, anchor = urldefrag(urljoin(name, link))
    if re.match(r"[a-z]+:|//", address):
        return False
    target = unquote(address.partition("?")[0])
    state = "=" in anchor and target == "playground.html"    # Fills the form
    known = not anchor or state or target not in pages or unquote(anchor) in pages[target].anchors
    return not (site / target).is_file() or not known


def test_internal_links_resolve(site: Path, pages: dict[str, Page]) -> None:
    assert {f"{name}.html" for name in ("index", "playground", *CHAPTERS)} <= set(pages)
    assert not [f"{name} -> {link}" for name, page in pages.items() for link in page.links
                if leads_nowhere(site, pages, name, link)]


BESIDE = re.compile(r'<a class="(prev|next)-page" href="([^"]*)"')


def beside(pages: dict[str, Page], name: str) -> dict[str, str]:
    """The pages before and after a page."""
    return {way: urljoin(name, link) for way, link in BESIDE.findall(pages[name].html)}


def test_chapters_follow_one_another(pages: dict[str, Page]) -> None:
    name, passed = "index.html", []
    while following := beside(pages, name).get("next"):
        assert beside(pages, following)["prev"] == name
        name = following
        passed.append(name.removesuffix(".html"))
        if passed[-1] == "api":    # Its modules follow one another as well, a hundred of them
            name = f"api/{MODULES[-1]}.html"
    visited = [name for name in passed if name in CHAPTERS]
    assert sorted(visited) == CHAPTERS and len(set(passed)) == len(passed)
    learnt = [path.stem for path in book.notebooks() if book.on_path(path)]
    assert visited[: len(learnt)] == sorted(learnt), "the path comes before the rooms beside it"


RUN = "article svg.bn-fig:has(.bn-run) >> nth=0 >> .bn-run >> nth=0"
HINT, AT = "article svg.bn-fig:has(.bn-run) >> nth=0 >> .bn-hint", f"{RUN} >> .bn-at"


@pytest.mark.parametrize("name", ["03_aligning", "usage"])
def test_an_alignment_can_be_pointed_at(open_page: Any, name: str) -> None:
    page = open_page(f"{name}.html", **DESK)
    hinted, told = ([(shown, "to_be_visible"), (gone, "to_be_hidden")]
                    for shown, gone in ((HINT, AT), (AT, HINT)))
    follow(page, ("article img[src^='data:']", "to_have_count", 0), *hinted,
           (f"{RUN} >> rect >> nth=0", "hover"), *told, ("h1", "hover"), *hinted,
           (RUN, "focus"), *told)
    page.emulate_media(media="print")
    follow(page, (RUN, "blur"), (HINT, "to_be_hidden"))


def test_dialects_can_be_sorted(open_page: Any) -> None:
    head = "table.dialects th button:has-text('choices')"
    names, numbers = (f"table.dialects tbody tr > :nth-child({column})" for column in (1, 3))
    sizes = sorted(len({*row} - {"version", "source"}) for row in list_dialects().values())
    follow(open_page("dialects.html", **DESK), (names, "to_have_text", [*DIALECTS]),
           (head, "click"), (numbers, "to_have_text", [*map(str, sizes)]),
           (head, "press", "Enter"), (numbers, "to_have_text", [*map(str, sizes[::-1])]),
           ("th[aria-sort=descending]", "to_have_count", 1))


def test_tables_sort_numbers_by_size(open_page: Any) -> None:
    assert open_page("index.html").evaluate("""() => [
        ["+9.5", "−10", "1,000", "-2.81", "300"],
        ["3.10.4", "3.9", "13a", "Moses 2", "moses 1", ""],
      ].map((texts) => texts.sort(compare))""") == [
        ["−10", "-2.81", "+9.5", "300", "1,000"],
        ["", "3.9", "3.10.4", "13a", "moses 1", "Moses 2"]]


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_entry(pages: dict[str, Page], module: str) -> None:
    names = {f"bleu_nb.{module}.{name}" for name in import_module(f"bleu_nb.{module}").__all__}
    assert names <= pages[f"api/{module}.html"].anchors


def test_names_in_prose_link_to_their_entries(pages: dict[str, Page]) -> None:
    loose, seen = {}, set()
    for name in CHAPTERS:
        path = book.notebook(name)
        if module := book.module_of(path):
            exported = {*import_module(f"bleu_nb.{module}").__all__} & {*book.defined_in(path)}
            loose[name] = exported & {*pages[f"{name}.html"].loose}
            seen.add(module)
    assert seen == {*MODULES} and not any(loose.values())


@pytest.mark.parametrize(("name", "words"), [
    ("api/derivation.bleu", "<strong>references</strong> – Tokens of each human translation"),
    ("dialects", "smoothing <code>zeros-skipped</code>"),
])
def test_a_page_says_what_a_name_means(pages: dict[str, Page], name: str, words: str) -> None:
    assert words in pages[f"{name}.html"].html


@pytest.mark.parametrize(("name", "linked"), [
    ("05_smoothing", "api/derivation.bleu.html#bleu_nb.derivation.bleu.floor"),
    ("05_table", "api/dialects.table.html#bleu_nb.dialects.table.Dialect.end_token"),
    ("dialects", "api/dialects.table.html#bleu_nb.dialects.table.DIALECTS"),
    ("usage", "api/diagnosis.explanation.html#bleu_nb.diagnosis.explanation.explain"),
    ("00_about_diagnosis", "api/diagnosis.explanation.html#module-bleu_nb.diagnosis.explanation"),
    ("symbols", "api/derivation.bleu.html#bleu_nb.derivation.bleu.floor"),
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


def test_notebooks_can_be_opened(site: Path, pages: dict[str, Page]) -> None:
    for name in CHAPTERS:
        link = f"notebooks/{name}.ipynb"
        assert link in pages[f"{name}.html"].links
        assert (site / link).read_bytes() == book.notebook(name).read_bytes()


def test_every_source_cited_is_listed() -> None:
    listed = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    text = "\n".join(source for path in book.notebooks() for source in book.sources(path))
    cited = {f"({name.lower()}-{year})=" for name, year in CITED.findall(text)}
    assert not [each for each in (*cited, *LINKED.findall(text)) if each not in listed]


@pytest.mark.parametrize(("name", "title"), [
    ("00_by_hand", "# BLEU by hand"), ("01_ngrams", "# 1.1 n-grams"),
    ("09_cheat_sheet", "# 1.9 Cheat sheet"),
    ("01_length_rules", "# 2.1 Length rules"), ("index", "# The package at a glance"),
])
def test_a_page_has_the_number_of_its_module(name: str, title: str) -> None:
    heading, run, *_ = import_module("build_site").chapter(book.notebook(name)).cells
    assert heading.source.startswith(title)
    assert f"notebooks/{name}.ipynb" in run.source
    assert ("what it exports" in run.source) == (name in {"01_ngrams", "01_length_rules"})


def test_speed_shows_the_benchmark(tmp_path: Path) -> None:
    assert "built without a benchmark" in pictures.speed(tmp_path)
    report = json.loads((pictures.BENCHMARKS / "corpora.json").read_text(encoding="utf-8"))
    report["machine"]["cpu"] = "<chip>"
    (tmp_path / "corpora.json").write_text(json.dumps(report), encoding="utf-8")
    shown = pictures.speed(tmp_path)
    assert "&lt;chip&gt;" in shown and "100,000 segments, 4 references" in shown
    assert shown.count("<table") >= 4 and "sacreBLEU" in shown
    times = [row["times faster than sacreBLEU"]["median"]
             for row in report["tables"]["100,000 segments, 1 reference"]
             if row["what"] in pictures.CONTENDERS and "every core" not in row["what"]]
    said = re.findall(r"(\d+) times", shown.partition("</p>")[0])
    assert [*map(int, said)] == [*map(round, sorted(times)[-2:])]


def test_text_in_the_table_of_dialects_is_escaped(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"version": "<1>", "source": "https://example.org/a&b", "tokenizer": "<b>"}
    monkeypatch.setattr(pictures, "list_dialects", lambda: {"<script>": row})
    shown = pictures.dialect_table()
    assert not [each for each in ("<script>", "<b>", "<1>") if each in shown]


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
