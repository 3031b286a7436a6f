"""What `make site` builds: pages, links, entries, numbers; and that it is served."""

import json
import os
import re
import signal
import subprocess
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


def test_chapters_follow_one_another(pages: dict[str, Page]) -> None:
    """In an order that begins with the path; the modules of the reference, too."""
    beside = {name: {way: urljoin(name, link) for way, link in BESIDE.findall(page.html)}
              for name, page in pages.items()}
    passed = ["index.html"]
    while following := beside[passed[-1]].get("next"):
        assert beside[following]["prev"] == passed[-1]
        passed.append(following)
    visited = [name.removesuffix(".html") for name in passed if name[:-5] in CHAPTERS]
    learnt = [path.stem for path in book.notebooks() if book.on_path(path)]
    assert sorted(visited) == CHAPTERS and visited[: len(learnt)] == sorted(learnt)


HEAD = "table.dialects th button:has-text('choices')"
NAMES, NUMBERS = (f"table.dialects tbody tr > :nth-child({column})" for column in (1, 3))
SIZES = sorted(len({*row} - {"version", "source"}) for row in list_dialects().values())


def test_tables_can_be_sorted_and_numbers_by_size(open_page: Any) -> None:
    follow(open_page("dialects.html", **DESK), (NAMES, "to_have_text", [*DIALECTS]),
           (HEAD, "click"), (NUMBERS, "to_have_text", [*map(str, SIZES)]),
           (HEAD, "press", "Enter"), (NUMBERS, "to_have_text", [*map(str, SIZES[::-1])]),
           ("th[aria-sort=descending]", "to_have_count", 1),
           ("html", "to_give", """() => [
               ["+9.5", "−10", "1,000", "-2.81", "300"],
               ["3.10.4", "3.9", "13a", "Moses 2", "moses 1", ""],
             ].map((texts) => texts.sort(compare))""", [
               ["−10", "-2.81", "+9.5", "300", "1,000"],
               ["", "3.9", "3.10.4", "13a", "moses 1", "Moses 2"]]))


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_entry(pages: dict[str, Page], module: str) -> None:
    names = {f"bleu_nb.{module}.{name}" for name in import_module(f"bleu_nb.{module}").__all__}
    assert names <= pages[f"api/{module}.html"].anchors


@pytest.mark.parametrize("name", CHAPTERS)
def test_names_in_prose_link_to_their_entries(pages: dict[str, Page], name: str) -> None:
    path = book.notebook(name)
    public = import_module(f"bleu_nb.{book.module_of(path)}".rstrip(".")).__all__
    assert not {*public} & {*book.defined_in(path)} & {*pages[f"{name}.html"].loose}


@pytest.mark.parametrize(("name", "kind", "said"), [
    ("api/derivation.bleu", "html",
     "<strong>references</strong> – The human translations"),
    ("dialects", "html", "smoothing <code>zeros-skipped</code>"),
    ("00_by_hand", "html", "<h1>BLEU by hand<"), ("01_ngrams", "html", "<h1>1.1 n-grams<"),
    ("01_length_rules", "html", "<h1>2.1 Length rules<"),
    ("01_length_rules", "html", "what it exports"),
    ("03_brevity", "html", "jupyter lab 03_brevity.ipynb"),
    ("01_bits", "html", "jupyter lab nbs/03_engines/01_bits.ipynb"),  # Reads a benchmark's record
    ("05_smoothing", "links", "api/derivation.bleu.html#bleu_nb.derivation.bleu.floor"),
    ("05_table", "links", "api/dialects.table.html#bleu_nb.dialects.table.Dialect.end_token"),
    ("dialects", "links", "api/dialects.table.html#bleu_nb.dialects.table.DIALECTS"),
    ("usage", "links", "api/diagnosis.explanation.html#bleu_nb.diagnosis.explanation.explain"),
    ("00_about_diagnosis", "links",
     "api/diagnosis.explanation.html#module-bleu_nb.diagnosis.explanation"),
    ("symbols", "links", "api/derivation.bleu.html#bleu_nb.derivation.bleu.floor"),
    ("api/scoring.metric", "links", "scoring.registry.html#bleu_nb.scoring.registry.ENGINES"),
    ("05_smoothing", "loose", "sentence_bleu"),  # Names of other tools are no links
    ("06_tokenization", "loose", "mteval"), ("01_ngrams", "loose", "Counter"),
])
def test_a_name_says_or_links_to_what_it_means(
    pages: dict[str, Page], name: str, kind: str, said: str
) -> None:
    assert said in getattr(pages[f"{name}.html"], kind)


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


def test_speed_shows_the_benchmark() -> None:
    report = json.loads((pictures.BENCHMARKS / "corpora.json").read_text(encoding="utf-8"))
    shown, tables = (show(pictures.BENCHMARKS) for show in (pictures.speed, pictures.measurements))
    assert "100,000 segments, 4 references" in tables and "<details" not in shown
    assert tables.count("<table") >= 4 and "sacreBLEU" in shown
    assert not [each for each in ("MISSED", ">Goals<", "`") if each in tables]  # For developers
    times = [row["times faster than sacreBLEU"]["median"]
             for row in report["tables"]["100,000 segments, 1 reference"]
             if row["what"] in pictures.CONTENDERS and "every core" not in row["what"]]
    said = re.findall(r"(\d+) times", shown.partition("</p>")[0])
    assert [*map(int, said)] == [*map(round, sorted(times)[-2:])]


def test_the_site_is_served(site: Path) -> None:
    """`make serve` builds the site first, which `-o site` takes as done."""
    server = subprocess.Popen(
        ["make", "-o", "site", "serve", "PORT=0"], cwd=ROOT, start_new_session=True, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE)
    try:
        url = next(found[0] for line in server.stdout or ()
                   if (found := re.search(r"http://\S+/(?=\))", line)))
        with build_opener(ProxyHandler({})).open(f"{url}index.html", timeout=30) as page:
            assert page.read() == (site / "index.html").read_bytes()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate()
