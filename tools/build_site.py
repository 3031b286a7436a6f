"""Build the site: gather its pages, let Sphinx render them, add what runs in the browser."""

import gzip
import hashlib
import html
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import book
import examples
import movable
import nbformat
from examples import Example
from folds import Folds, html_of, is_folded, roles_of, section_of, title_of
from nbformat import NotebookNode
from pdf_of_the_book import git, moment, print_book
from sphinx.cmd.build import main as sphinx_build

from bleu_nb import __version__

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
sys.path[:0] = [str(ROOT), str(DOCS)]
NOTEBOOKS = ROOT / "nbs"
PACKAGE = ROOT / "bleu_nb"
NODE_MODULES = DOCS / "node_modules"
SITE = ROOT / "build" / "site"

LINK = re.compile(r"\]\((?![a-z]+:)[^)\s]*?([\w-]+\.ipynb)")  # To a notebook, in whatever folder
ALERT = re.compile(r"^> \*\*(Note|Important)\.\*\* ((?:.*\n?)(?:>.*\n?)*)", re.MULTILINE)
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
           "pyodide-lock.json")
PAGE_ONLY = shutil.ignore_patterns("__pycache__", "page.html", "first_answer.py")
ANSWERED = re.compile(r"\.check\(mine\)\s*$")  # A cell for an answer, which the site has a box for
API_OPTIONS = {"function": (), "class": ("members", "undoc-members"), "data": ("no-value",)}
OLDEST = 315_532_800  # Of the dates of a wheel: 1980
# Sections of README that are pages here
ELSEWHERE = ("Installation", "Tutorial", "Documentation", "Contributing")
# Links that leave nbs/, and the page of the site that each of them becomes.
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
           "docs/use_frameworks.md": "use_frameworks.md", "docs/coming_from.md": "coming_from.md",
           "README.md#tutorial": "install.md#to-learn-in-jupyterlab"}


def main() -> None:
    """Build the site in the folder given, or in build/site."""
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SITE)


def build(site: Path) -> None:
    """Make `site` anew, with its pages gathered beside it; a warning of Sphinx is an error."""
    if not (NODE_MODULES / "mathjax").is_dir():
        sys.exit("npm packages are missing: run `npm ci --prefix docs`, or `make site`.")
    if site.exists() and any(site.iterdir()) and not (site / "objects.inv").exists():
        sys.exit(f"{site} is not empty and holds no site: choose another folder.")
    source, doctrees = site.with_name(f"{site.name}-source"), site.with_name(f"{site.name}-trees")
    for folder in (site, source, doctrees):
        shutil.rmtree(folder, ignore_errors=True)
    gather(source)
    failed = sphinx_build(["-q", "-W", "--keep-going", "-j", "auto", "-c", str(DOCS),
                           "-d", str(doctrees), str(source), str(site)])
    if failed:
        sys.exit(failed)
    wheel = build_wheel(site)
    weight = add_what_runs(site, wheel)
    fill_in(site, {"WHEEL_NAME": wheel.name, "PLAYGROUND_DOWNLOAD": f"{weight / 1_000_000:.1f} MB",
                   "WHEEL_SHA256": hashlib.sha256(wheel.read_bytes()).hexdigest()})
    (site / "llms.txt").write_text(import_module("llms").written(
        site, (DOCS / "index.md").read_text(encoding="utf-8")), encoding="utf-8")
    print(print_book(site))


def gather(source: Path) -> None:
    """Copy every page into one folder: chapters, pages written for the site, API entries."""
    (source / "api").mkdir(parents=True)
    for page in DOCS.glob("*.md"):
        shutil.copy(page, source)
    with (source / "command_line.md").open("a", encoding="utf-8") as page:
        page.write(import_module("option_tables").sections())
    shutil.copy(ROOT / "CONTRIBUTING.md", source / "contributing.md")
    shutil.copy(ROOT / "CHANGELOG.md", source / "changelog.md")
    for path in book.notebooks():
        name = "usage" if path.stem == "index" else path.stem
        nbformat.write(chapter(path), source / f"{name}.ipynb")
    for module in book.modules():
        (source / "api" / f"{module}.rst").write_text(api_page(module), encoding="utf-8")


def api_page(module: str) -> str:
    """The page that lists what one module exports: functions and classes, then constants."""
    name = f"bleu_nb.{module}"
    loaded = import_module(name)
    entries: dict[str, list[str]] = {"function": [], "class": [], "data": []}
    for public in loaded.__all__:
        thing = getattr(loaded, public)
        own = (getattr(thing, "__module__", ""), getattr(thing, "__name__", "")) == (name, public)
        kind = ("function" if own and inspect.isfunction(thing) else
                "class" if own and inspect.isclass(thing) else "data")
        options = "".join(f"\n   :{option}:" for option in API_OPTIONS[kind])
        entries[kind].append(f".. auto{kind}:: {name}.{public}{options}\n")
    titles = {"function": "Functions", "class": "Classes", "data": "Tables, types and constants"}
    parts = [f"{name}\n{'=' * len(name)}\n", f".. automodule:: {name}\n   :no-members:\n"]
    for kind, found in entries.items():
        if found:
            parts += [f"{titles[kind]}\n{'-' * len(titles[kind])}\n", *found]
    return "\n".join(parts)


def chapter(path: Path) -> NotebookNode:
    """A notebook as the site shows it: directives obeyed, figures inline, a line on running it."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.language_info = {"name": "python"}
    module = book.module_of(path)
    if path.stem == "index":
        notebook.cells = [*at_a_glance(notebook.cells)]
    notebook.cells = [*visible_cells(notebook.cells, path)]
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(how_to_run(path, module)))
    if path.stem == book.about(path).stem:
        notebook.cells.append(nbformat.v4.new_markdown_cell(listed(book.beside(path))))
    return notebook


def at_a_glance(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """README without what the site has pages for."""
    section = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            section = section_of(cell.source, section)
            cell.source = cell.source.replace("# bleu_nb", "# The package at a glance")
        if section not in ELSEWHERE and "make site" not in cell.source:
            yield cell


def listed(pages: list[Path]) -> str:
    """The chapters of a folder, which the sidebar folds below the folder's page."""
    names = "\n".join(page.stem for page in pages)
    return f"```{{toctree}}\n:hidden:\n\n{names}\n```"


def visible_cells(cells: list[NotebookNode], path: Path) -> Iterator[NotebookNode]:
    """What a reader sees; below an example a way to change it, below a choice a way to move it."""
    known: dict[str, Any] = {}
    found = [code_examples(cell, known) for cell in cells]
    scored = [each for group in found for each in group]
    roles = roles_of(cells, path)
    folds, section, linked = Folds(), "", set[Example]()
    checks: list[NotebookNode] = []  # Of an answer; they are shown below its box
    followed = [ANSWERED.search(each.source) for each in cells[1:]]
    for cell, group, role, before_box in zip(cells, found, roles, [*followed, None], strict=True):
        source, below = cell.source, None
        if cell.cell_type == "markdown":
            section = section_of(source, section)
        if (visible := shown(cell)) is None:
            continue
        if role == "check":
            visible.metadata["tags"] = ["check"]
        if ANSWERED.search(source):
            visible.metadata["tags"] = ["exercise"]
        if cell.cell_type == "code" and is_folded(source, role):
            fold(visible, folds.name(source, section, role, title_of(html_of(cell))), role)
            group = group if role == "drawing" else []
            if before_box:
                checks.append(visible)
                continue
        if role == "drawing":
            visible, below = apart(visible)
        if defined := public_names(source):
            yield raw_html("".join(f'<span id="source-{name}"></span>' for name in defined))
        yield visible
        if ANSWERED.search(source):
            yield from checks
            checks.clear()
        here = [each for each in dict.fromkeys(in_context(group, scored)) if each not in linked]
        linked |= {*here}
        there = cell.get("id", "")
        if here and not movable.is_editor(path.stem, there):
            yield raw_html(change_links(here, movable.editors(path.stem, known)))
        if below:
            yield below
        if controls := movable.below(path.stem, there, known):
            yield raw_html(controls)


def apart(cell: NotebookNode) -> tuple[NotebookNode, NotebookNode]:
    """What a cell shows, and its code without that, to stand below."""
    drawn = nbformat.v4.new_code_cell(cell.source, id=f"{cell.id}-drawn", outputs=cell.outputs,
                                      metadata={"tags": ["remove-input"]})
    cell.outputs = []
    return drawn, cell


def public_names(source: str) -> list[str]:
    """The functions, classes and tables that a cell defines for users; entries link to them."""
    return [name for name in book.defined_by(source) if name and not name.startswith("_")]


def code_examples(cell: NotebookNode, known: dict[str, Any]) -> list[Example]:
    """The examples of a cell; `known` holds what the cells before it assigned."""
    return [*examples.examples(cell.source, known)] if cell.cell_type == "code" else []


def in_context(group: list[Example], chapter: list[Example]) -> Iterator[Example]:
    """The examples of a cell; a sentence without references takes those that the chapter gives it.

    A reference that is looked at by itself is no example.
    """
    with_others = [each for each in chapter if each.candidate != each.references]
    references = {line for each in with_others for line in each.references.split("\n")}
    pictured = {each._replace(pictured=False) for each in group if each.pictured}
    for each in group:
        alone = each.candidate == each.references
        if alone and each.candidate in references:
            continue
        same = [other._replace(pictured=False) for other in with_others if alone
                and (other.candidate, other.choices) == (each.candidate, each.choices)]
        if (found := (same or [each])[0]) not in pictured:
            yield found


def change_links(group: list[Example], editors: Mapping[tuple[str, str], str]) -> str:
    """A quiet line that opens each example in the playground, or where the page has an editor.

    One alone need not be named.
    """
    links = [editors.get((each.candidate, each.references), each.link) for each in group]
    if len(group) == 1:
        name = f'<span class="formula-spoken">: {group[0].title}</span>'
        told = [f'<a href="{html.escape(links[0])}">change this sentence{name}</a>']
    else:
        titles = [each.title for each in group]
        told = [f'<a href="{html.escape(link)}">change <q>{each.title}</q>'
                f"{f' ({number})' if titles.count(each.title) > 1 else ''}</a>"
                for number, (each, link) in enumerate(zip(group, links, strict=True), 1)]
    return f'<p class="try">{" · ".join(told)}</p>'


def raw_html(markup: str) -> NotebookNode:
    """A cell of HTML."""
    return nbformat.v4.new_markdown_cell(markup)


def fold(cell: NotebookNode, what: str, role: str = "") -> None:
    """Have a cell open only on demand, under words that say what it holds."""
    show, hide = ("Checked:", "Checked:") if role == "check" else ("Show", "Hide")
    cell.metadata["tags"] = [*cell.metadata.get("tags", ()), "hide-input"]
    cell.metadata["mystnb"] = {"code_prompt_show": f"{show} {what}",
                               "code_prompt_hide": f"{hide} {what}"}


def shown(cell: NotebookNode) -> NotebookNode | None:
    """The cell without its directives; None where nothing of it is for readers."""
    if cell.cell_type == "markdown":
        if "exportd" in book.directives(cell.source):   # Part of the module's docstring
            cell.source = f"### In this module\n\n{book.without_directives(cell.source)}"
        cell.source = ALERT.sub(admonition, cell.source)
        cell.source = LINK.sub(r"](\1", cell.source)
        for link, page in OUTSIDE.items():
            cell.source = re.sub(rf"\]\((?:\.\./)+{re.escape(link)}\)", f"]({page})", cell.source)
        return cell
    if book.directives(cell.source) & book.HIDDEN:
        return None
    cell.source = book.without_directives(cell.source)
    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            output.data["text/html"] = book.inline(output.data["text/html"])
    return cell


def admonition(alert: re.Match[str]) -> str:
    """A quote that begins with **Note.** or **Important.** as a directive of MyST."""
    body = re.sub(r"^> ?", "", alert[2], flags=re.MULTILINE)
    return f":::{{{alert[1].lower()}}}\n{body.rstrip()}\n:::\n"


def how_to_run(path: Path, module: str) -> str:
    """One line below the title: where the notebook is, and how to open it."""
    name = path.relative_to(NOTEBOOKS).as_posix()
    runs = (('<a href="install.html#to-learn-in-jupyterlab">install the package</a>, and run it: '
             f"<code>jupyter lab {path.name}</code>") if book.on_path(path) else
            ('run it in a copy of the repository, <a href="contributing.html#set-up">set up</a>: '
             f"<code>.venv/bin/jupyter lab nbs/{name}</code>"))
    parts = [f'<a href="notebooks/{path.name}" download>Download this notebook</a>', runs]
    if module:
        parts.append(f'what it exports: <a href="api/{module}.html">bleu_nb.{module}</a>')
    if repository := os.environ.get("GITHUB_REPOSITORY"):
        there = f"https://mybinder.org/v2/gh/{repository}/HEAD?labpath=nbs/{name}"
        parts.insert(1, f'<a href="{there}">run it on Binder</a>')
    return f':::{{container}} no-search\n<p class="run">{" · ".join(parts)}</p>\n:::'


def build_wheel(folder: Path) -> Path:
    """The package as a wheel in a folder; the same commit gives the same bytes."""
    with tempfile.TemporaryDirectory() as aside:
        settings = Path(aside, "setuptools.cfg")
        settings.write_text(f"[build]\nbuild_base = {aside}\n[egg_info]\negg_base = {aside}\n"
                            f"tag_build = {commit()}\n", encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder,
             ROOT], check=True, env={**os.environ, "DIST_EXTRA_CONFIG": str(settings),
                                     "SOURCE_DATE_EPOCH": str(moment() or OLDEST)})
    [wheel] = folder.glob("*.whl")
    return wheel


def commit() -> str:
    """What sets a version apart from the release it follows, which pip would take it for."""
    told = git("describe", "--tags", "--always", "--dirty", f"--match=v{__version__}")
    since = re.sub(r"^v[\d.]+(-\d+-g)?", "", told)
    return f"+g{since}" if since else ""


def add_what_runs(site: Path, wheel: Path) -> int:
    """Add notebooks, and Python for the browser; the bytes of the last as a server sends them."""
    static = site / "_static"
    (site / "notebooks").mkdir()
    for path in book.notebooks():
        shutil.copy(path, site / "notebooks")
    (static / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copy(NODE_MODULES / "pyodide" / name, static / "pyodide")
    shutil.copytree(DOCS / "playground", static / "playground", ignore=PAGE_ONLY)
    # Python is started here once, and its memory kept
    subprocess.run(["node", str(ROOT / "tools" / "snapshot.mjs"), str(NODE_MODULES / "pyodide"),
                    str(static), str(wheel)], check=True)
    loaded = [*(static / "pyodide").iterdir(), wheel, *(static / "playground").iterdir()]
    return sum(len(gzip.compress(path.read_bytes())) for path in loaded)


def fill_in(site: Path, told: dict[str, str]) -> None:
    """Put what is known at the end in the place of each word that stands for it."""
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for word, meant in told.items():
            text = text.replace(word, meant)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
