"""Run the recipes of the site's pages as pasted, or store what they print anew.

A recipe is a block of Python or of a shell; a block of text below it is what it prints (`none` in
the place of `text` for a table, whose lines stay whole), where `…` stands for what is left out. A
line `% needs: torch` above a block names modules that it imports, or programs that it runs. The
Python of a page has one namespace; but on the pages `use_*` a recipe is pasted alone, so that it
knows of the others only `DATA`. These pages start in an empty folder, and make the files that they
read; the others find them made.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = (*sorted(path.stem for path in DOCS.glob("use_*.md")), "coming_from", "api", "formats",
         "architecture")
FILES = "bleu-nb example --copy .\n"  # Makes what recipes read
DATA = ("candidates", "references", "tokenizer", "model", "data", "collator")
# By its path: on Windows a bare `bash` starts that of the Windows Subsystem for Linux.
BASH = shutil.which("bash") or "bash"
COMMAND = 'bleu-nb() { python -m bleu_nb "$@"; }\n'  # Of this interpreter, installed or not
BLOCK = re.compile(
    r"^(?:% needs: (?P<needs>[^\n]+)\n+)?```(?P<language>python|sh)\n(?P<code>.*?)^```\n"
    r"(?:\n*```(?:text|none)\n(?P<prints>.*?)^```\n)?", re.MULTILINE | re.DOTALL)

VERSION = re.compile(r"(?<=bleu_nb[ :])\d+\.[\w.]*|(?<=version = \{)\d[\w.]*")


class Recipe(NamedTuple):
    """A block to paste: what it needs, its language, and what the page says that it prints."""

    needs: tuple[str, ...]
    language: str
    code: str
    prints: str | None

    @property
    def missing(self) -> list[str]:
        """The modules and programs that are not installed."""
        return [name for name in self.needs if find_spec(name) is None and which(name) is None]


def recipes(page: str) -> list[Recipe]:
    """The recipes of a page, in order."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [Recipe(tuple((found["needs"] or "").split()), found["language"], found["code"],
                   found["prints"]) for found in BLOCK.finditer(text)]


def answers(page: str, folder: Path) -> Iterator[str | Exception]:
    """What each recipe prints in an empty folder, or the error that it raises, one by one."""
    known: dict[str, Any] = {"__name__": "__main__"}
    if not page.startswith("use_"):
        make_files(folder)
    for recipe in recipes(page):
        if recipe.missing:
            yield ModuleNotFoundError(f"not installed: {', '.join(recipe.missing)}")
            continue
        try:
            yield (shell(recipe.code, folder) if recipe.language == "sh"
                   else python(recipe.code, known, folder))
        except Exception as error:
            yield error
        if page.startswith("use_"):
            known = {name: known[name] for name in ("__name__", *DATA) if name in known}


def make_files(folder: Path) -> None:
    """Make the files that recipes read in a folder, as the pages say."""
    shell(FILES, folder)


def shell(code: str, folder: Path) -> str:
    """What a block prints in a shell, remarks among it; a command that fails is an error."""
    own = {name: value for name, value in os.environ.items() if name != "SACREBLEU_FORMAT"}
    path = os.pathsep.join([str(Path(sys.executable).parent), own["PATH"]])
    found = os.pathsep.join([str(ROOT), own.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        [BASH, "-ec", COMMAND + code], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=120,
        env={**own, "PATH": path, "PYTHONPATH": found, "COLUMNS": "80"})
    if done.returncode:
        raise ValueError(f"status {done.returncode}: {done.stdout}")
    return done.stdout


def python(code: str, known: dict[str, Any], folder: Path) -> str:
    """What a block prints in a Python session, its last value among it."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    before, printed = Path.cwd(), StringIO()
    os.chdir(folder)
    try:
        with redirect_stdout(printed), redirect_stderr(StringIO()):
            exec(compile(tree, "recipe", "exec"), known)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "recipe", "eval"), known)
                if value is not None:
                    print(repr(value))
    finally:
        os.chdir(before)
    return printed.getvalue()


def agrees(prints: str, printed: str) -> bool:
    """Whether a recipe prints what its page says, in whatever version of the package."""
    said, printed = (VERSION.sub("", text.strip("\n")) for text in (prints, printed))
    pattern = ".*".join(map(re.escape, said.split("…")))
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def store(page: str) -> None:
    """Write what the recipes of a page print into it, except where something is left out."""
    with TemporaryDirectory() as folder:
        left = iter([*answers(page, Path(folder))])
    path = DOCS / f"{page}.md"

    def renewed(found: re.Match[str]) -> str:
        """A recipe, and below it what it prints."""
        answer, old = next(left), found["prints"]
        if isinstance(answer, ModuleNotFoundError) and found["needs"]:
            print(f"{page}: {answer}")
            return found[0]
        if isinstance(answer, Exception):
            raise SystemExit(f"{page}: {answer!r}\n{found['code']}")
        if old is None or "…" in old:
            return found[0]
        start = found.start("prints") - found.start()
        printed = answer.strip("\n")
        return f"{found[0][:start]}{printed}\n{found[0][start + len(old):]}"

    path.write_text(BLOCK.sub(renewed, path.read_text(encoding="utf-8")), encoding="utf-8")


def main(pages: Sequence[str]) -> None:
    """Store the outputs of the pages, or of all."""
    sys.path.insert(0, str(ROOT))
    for page in pages or PAGES:
        store(page)
        print(f"docs/{page}.md")


if __name__ == "__main__":
    main(sys.argv[1:])
