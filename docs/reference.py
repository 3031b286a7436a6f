"""API entries from docstrings and docments, and a link to the entry from every name in prose."""

import inspect
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tokenize import TokenError
from typing import Any

import book
from docutils import nodes
from fastcore.docments import docments
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

import bleu_nb

BACKTICKS = re.compile(r"(?<!`)`([^`]+)`(?!`)")
UNDERLINE = re.compile("-+$")
PROMPTS = (">>> ", "... ")
CALL = re.compile(r"\(.*?\)")
NAME = re.compile(r"(?:bleu_nb\.)?[A-Za-z_]\w*(?:\.\w+)*$")
CITATION = re.compile(r"\b([A-Z]\w+)(?: et al\.| and [A-Z]\w+)? (\d{4})\b")


def shorten(thing: Any) -> None:
    """Show `**choices` in a signature: its keywords have an entry of their own, `Choices`."""
    for function in (thing, *vars(thing).values()) if inspect.isclass(thing) else (thing,):
        if inspect.isfunction(function):
            vars(function).pop("__signature__", None)


class Names:
    """Every public name of the package, and where its entry is."""

    def __init__(self) -> None:
        self.chapters: dict[str, list[str]] = {}  # module -> notebooks
        self.chapter: dict[str, str] = {}  # full name -> the notebook that defines it
        self.full: dict[str, set[str]] = {}  # as written -> full names
        self.members: dict[str, set[str]] = {}  # bare name -> full names
        self.main: set[str] = set()  # full names of what `bleu_nb` itself has
        self.order: dict[str, int] = {}  # notebook -> its place in the book
        for place, path in enumerate(book.notebooks()):
            beside = path in book.beside(path) and path.parent.name == "01_derivation"
            self.order[path.stem] = 0 if beside else place  # Chapters beside the path may be named
            if module := book.module_of(path):
                self.chapters.setdefault(module, []).append(path.stem)
                self.chapter |= {f"bleu_nb.{module}.{name}": path.stem
                                 for name in book.defined_in(path)}
        for module in self.chapters:
            self.add_module(module)

    def add_module(self, module: str) -> None:
        """Add a module, what it exports, and the members of its classes."""
        loaded = import_module(f"bleu_nb.{module}")
        for name in loaded.__all__:
            self.add(f"bleu_nb.{module}.{name}", name)
            thing = getattr(loaded, name)
            if name in bleu_nb.__all__ and thing is getattr(bleu_nb, name):
                self.main.add(f"bleu_nb.{module}.{name}")
            shorten(thing)
            if isinstance(thing, type) and thing.__module__ == loaded.__name__:
                members = {*vars(thing), *vars(thing).get("__annotations__", {})}
                for member in members:
                    if not member.startswith("_"):
                        full = f"bleu_nb.{module}.{name}.{member}"
                        self.add(full, f"{name}.{member}")
                        self.members.setdefault(member, set()).add(full)

    def add(self, full: str, short: str) -> None:
        """Add a name under all the ways to write it."""
        for written in (full, short, f"bleu_nb.{short}"):
            self.full.setdefault(written, set()).add(full)

    def find(self, written: str, page: str) -> str | None:
        """The full name that is meant on a page; None where it is no name or not clear.

        A name means the page's own module first. Elsewhere a plain word such as `floor` may be
        another tool's, and so may a name that the book has not come to yet.
        """
        name = CALL.sub("", written)
        if not NAME.fullmatch(name):
            return None
        if name.removeprefix("bleu_nb.") in self.chapters and name.startswith("bleu_nb."):
            return name
        found = self.full.get(name, set())
        here = [full for full in found or self.members.get(name, set())
                if page in (self.chapter_of(full), f"api/{module_in(full)}")]
        if len(here) == 1:
            return here[0]
        defines = page in {*self.chapter.values()}
        known = [full for full in found if not defines
                 or self.order[self.chapter_of(full)] < self.order[page]]
        main = self.main.intersection(known)
        if main and not defines:  # A drop-in has such a name, too
            return main.pop()
        clear = name in bleu_nb.__all__ or not name.isalpha() or not name.islower()
        return known[0] if len(found) == len(known) == 1 and clear else None

    def chapter_of(self, full: str) -> str:
        """The notebook that defines a name, or the class that it is a member of."""
        module = module_in(full)
        name = full.removeprefix(f"bleu_nb.{module}.").partition(".")[0]
        return self.chapter.get(f"bleu_nb.{module}.{name}", self.chapters[module][0])


def module_in(full: str) -> str:
    """The module of a full name, from the package on."""
    found = [module for module in NAMES.chapters if full.startswith(f"bleu_nb.{module}.")]
    return max(found, key=len)


NAMES = Names()


class LinkNames(SphinxTransform):
    """Turn each backticked name of the package into a link to its API entry."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        page = self.env.docname
        for literal in list(self.document.findall(nodes.literal)):
            if isinstance(literal.parent, (nodes.reference, pending_xref, nodes.title)):
                continue
            if full := NAMES.find(literal.astext(), page):
                literal.replace_self(link_to(full, literal.astext(), page))


def link_to(full: str, written: str, page: str) -> nodes.Node:
    """A reference that Sphinx resolves once every page is read."""
    kind = "mod" if full.removeprefix("bleu_nb.") in NAMES.chapters else "obj"
    link = pending_xref(
        "", refdomain="py", reftype=kind, reftarget=full, refexplicit=True, refwarn=True,
        refdoc=page)
    link += nodes.literal(written, written, classes=["xref", "py"])
    return link


class LinkSources(SphinxTransform):
    """Turn each "Papineni et al. 2002" into a link to the entry among the sources."""

    default_priority = 6

    def apply(self, **kwargs: Any) -> None:
        if self.env.docname == "sources":
            return
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, (nodes.paragraph, nodes.list_item, nodes.emphasis)):
                parts = list(self.linked(text.astext()))
                if len(parts) > 1:
                    text.parent.replace(text, parts)

    def linked(self, text: str) -> Any:
        """Pieces of text and links, in order."""
        end = 0
        for found in CITATION.finditer(text):
            target = f"{found[1].lower()}-{found[2]}"
            if target in source_labels(Path(str(self.env.doc2path("sources")))):
                yield nodes.Text(text[end:found.start()])
                link = pending_xref(
                    "", refdomain="std", reftype="ref", reftarget=target, refexplicit=True,
                    refwarn=True, refdoc=self.env.docname)
                link += nodes.inline(found[0], found[0])
                yield link
                end = found.end()
        yield nodes.Text(text[end:])


def source_labels(page: Path) -> set[str]:
    """The labels of the entries on the page of sources."""
    return set(re.findall(r"^\(([\w-]+)\)=$", page.read_text(encoding="utf-8"), re.MULTILINE))


def in_rst(text: str) -> str:
    """Text of a docstring with its backticked names as links or code."""
    def marked(found: re.Match[str]) -> str:
        full = NAMES.find(found[1], "")
        return f":py:obj:`{found[1]} <{full}>`" if full else f"``{found[1]}``"
    return BACKTICKS.sub(marked, text.replace("\\", "\\\\").replace("*", "\\*"))


def linked(lines: list[str]) -> list[str]:
    """The lines of a docstring with links, but for its examples."""
    found, code = [], False
    for line in lines:
        code = line.lstrip().startswith(PROMPTS) or (code and bool(line.strip()))
        found.append(line if code else in_rst(line))
    return found


def describe(app: Sphinx, what: str, name: str, thing: Any, options: Any,
             lines: list[str]) -> None:
    """Complete the docstring of an API entry, in place; napoleon then reads its sections."""
    if what == "data":
        lines[:] = keys_of(thing) if isinstance(thing, Mapping) else []
        return
    lines[:] = linked(lines)
    headings = [place - 1 for place, line in enumerate(lines) if place and UNDERLINE.match(line)]
    if what == "module":
        module = name.removeprefix("bleu_nb.")
        chapters = [f":doc:`/{chapter}`" for chapter in NAMES.chapters[module]]
        some = " and ".join(filter(None, [", ".join(chapters[:-1]), chapters[-1]]))
        lines += ["", f"Derived in {some}."]
    if what in ("function", "method", "class") and not headings:
        lines += ["", *fields_of(thing)]
    if what in ("function", "class"):
        end = headings[0] if headings else len(lines)
        lines[end:end] = ["", *source_of(name, thing), ""]


def source_of(full: str, thing: Any) -> list[str]:
    """Where the code of an entry is, and more examples of it."""
    name = full.rpartition(".")[2]
    chapter = NAMES.chapter_of(f"{thing.__module__}.{name}" if thing.__module__.removeprefix(
        "bleu_nb.") in NAMES.chapters else full)
    lines = [f"`Its code <../{chapter}.html#source-{name}>`__ is a cell of :doc:`/{chapter}`.", ""]
    if full in NAMES.main:
        anchor = name.lower().replace("_", "-")
        lines += [f"`An example <../api.html#{anchor}>`__ of it is on the page of the API.", ""]
    return lines


def keys_of(table: Mapping[Any, Any]) -> list[str]:
    """One line that lists the names in a table."""
    named = ", ".join(f"``{key}``" for key in table if isinstance(key, str))
    return [f"Names in this table: {named}.", ""] if named else []


def fields_of(thing: Any) -> list[str]:
    """Docments as Sphinx's field list."""
    try:
        comments = docments(thing, args_kwargs=True)
    except (TypeError, ValueError, OSError, TokenError):    # The last for half a lambda
        return []
    told = []
    for parameter, comment in comments.items():
        if comment and parameter != "self":
            field = ":returns:" if parameter == "return" else f":param {parameter}:"
            told.append(f"{field} {in_rst(' '.join(comment.split()))}")
    return told


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the transforms, and what completes docstrings."""
    app.add_transform(LinkNames)
    app.add_transform(LinkSources)
    app.connect("autodoc-process-docstring", describe, priority=400)  # Before napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}
