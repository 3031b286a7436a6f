"""Make every generated file from the notebooks: modules, stored outputs, README and its figures.

A chapter that needs a framework which is not here keeps the outputs that it has.
"""

import json
import posixpath
import re
import sys
from pathlib import Path

import book
import nbformat
from fastcore.nbio import nb2str
from fastcore.xtras import working_directory
from nbconvert import MarkdownExporter
from nbdev.clean import nbdev_clean
from nbdev.doclinks import nbdev_export
from nbdev.test import nbdev_test
from nbformat import NotebookNode
from traitlets.config import Config

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "nbs"
INDEX = NOTEBOOKS / "index.ipynb"
README = ROOT / "README.md"

NOTICE = "<!-- Made from nbs/index.ipynb by tools/prepare.py: edit the notebook. -->"
FIGURES = "figures/index-*.svg"
LINK = re.compile(r'(\]\(|(?:href|src)=")(?![a-z]+:|[#/])([^)"\s]+)')
CODE_BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
PREFERRED_OUTPUTS = ["text/markdown", "text/plain"]


def main() -> None:
    """Export, run, clean and render; stop at the first step that fails."""
    folder = str(NOTEBOOKS)
    with working_directory(ROOT):
        nbdev_export.__wrapped__(path=folder)
        try:
            nbdev_test.__wrapped__(path=folder, save=True, skip_file_re=left_out())
        except SystemExit:
            sys.exit("prepare stopped: a notebook fails, see above; README was not made.")
        finally:
            nbdev_clean.__wrapped__(fname=folder)
            for path in NOTEBOOKS.glob("*.ipynb"):
                path.write_text(folded(path.read_text(encoding="utf-8")), encoding="utf-8")
        write_readme()


def left_out() -> str:
    """The names of chapters that cannot run here, as a pattern; they are said."""
    names = [r"[_.].*"]
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if found := book.missing(path):
            print(f"{path.name} is not run: {', '.join(found)} cannot be imported here")
            names.append(re.escape(path.name))
    return f"^(?:{'|'.join(names)})$"


def folded(notebook: str) -> str:
    """A notebook's text, in which JupyterLab folds the plumbing and nothing else."""
    content = json.loads(notebook)
    for cell in content["cells"]:
        cell["metadata"].pop("jupyter", None)
        if cell["cell_type"] == "code" and book.is_plumbing("".join(cell["source"])):
            cell["metadata"]["jupyter"] = {"source_hidden": True}
    return str(nb2str(content))


def write_readme() -> None:
    """Write README and its figures, and remove figures that it no longer shows."""
    readme, figures = render_readme()
    README.write_text(readme, encoding="utf-8")
    for path in NOTEBOOKS.glob(FIGURES):
        if path.relative_to(ROOT).as_posix() not in figures:
            path.unlink()
    for name, svg in figures.items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(svg, encoding="utf-8")


def render_readme() -> tuple[str, dict[str, str]]:
    """README's text, and the figures that it shows: path from the top level -> SVG."""
    notebook = nbformat.read(INDEX, as_version=4)
    notebook.metadata.language_info = {"name": "python"}
    notebook.cells = [cell for cell in notebook.cells if not is_hidden(cell)]
    figures: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = book.without_directives(cell.source)
            cell.outputs = [shown(output, cell.id, figures) for output in cell.outputs]
        else:
            cell.source = LINK.sub(link_from_top_level, cell.source)
    settings = {"NbConvertBase": {"display_data_priority": PREFERRED_OUTPUTS}}
    body, _ = MarkdownExporter(config=Config(settings)).from_notebook_node(notebook)
    return f"{NOTICE}\n\n{without_gaps(body)}\n", figures


def is_hidden(cell: NotebookNode) -> bool:
    """Whether the cell is kept from readers."""
    return cell.cell_type == "code" and bool(book.directives(cell.source) & book.HIDDEN)


def shown(output: NotebookNode, cell_id: str, figures: dict[str, str]) -> NotebookNode:
    """The output as README shows it: a picture moves to `figures` and leaves a link behind."""
    pictures = book.pictures(output.get("data", {}).get("text/html", ""))
    if not pictures:
        return output
    name = f"nbs/figures/index-{cell_id}.svg"
    if name in figures or len(pictures) > 1:
        raise ValueError(f"cell {cell_id} shows two pictures: split it, so that each has a name")
    [svg] = pictures
    figures[name] = svg.rstrip() + "\n"
    title = TITLE.search(svg)
    label = title[1].strip() if title else "Figure"
    output.data = NotebookNode({"text/markdown": f"![{label}]({name})"})
    return output


def without_gaps(text: str) -> str:
    """The text with at most one blank line at a time, code blocks left as they are."""
    parts = CODE_BLOCK.split(re.sub(r"^[ \t]+$", "", text, flags=re.MULTILINE))
    parts[::2] = [re.sub(r"\n{3,}", "\n\n", prose) for prose in parts[::2]]
    return "".join(parts).strip()


def link_from_top_level(link: re.Match[str]) -> str:
    """A link relative to nbs/ as a link relative to the top level."""
    return link[1] + posixpath.normpath(posixpath.join(NOTEBOOKS.name, link[2]))


if __name__ == "__main__":
    main()
