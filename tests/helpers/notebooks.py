"""Notebooks as tests: every checking cell is one item, and so is the freshness of the outputs."""

import ast
import atexit
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import extras
import pytest
from execnb.shell import CaptureShell
from fastcore.nbio import NbCell, read_nb
from fastcore.xtras import working_directory
from folds import assigned, used
from nbdev.clean import clean_nb

OPTIONAL_ORACLES = {"torch", "torchtext", "torchmetrics", "ignite"}
IMPORT = re.compile(r"(?:from|import) +(\w+)")


def is_check(cell: NbCell) -> bool:
    """Whether running the cell runs an `assert`, a `test_...` or an `expect_fail`."""
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and getattr(
            node.func, "attr", getattr(node.func, "id", "")).startswith(("test_", "expect_fail")))
        for statement in cell.parsed_() or ()
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        for node in ast.walk(statement))


def absent(*packages: str) -> str:
    """Why the first of these packages cannot be imported; empty if all can."""
    for package in packages:
        try:
            import_module(package)
        except (ImportError, OSError) as error:  # torchtext 0.18 raises OSError
            return f"oracle not installed here: {error}"
    return ""


def uncompared(cell: NbCell) -> str:
    """Why a package that a cell tries to import is absent; empty if none is."""
    tried = [node for statement in cell.parsed_() or () for each in ast.walk(statement)
             if isinstance(each, ast.Try) for node in ast.walk(each)]
    return absent(*sorted(set().union(*map(imported, tried))))


def imported(node: ast.AST) -> set[str]:
    """The packages that a statement imports."""
    names = [node.module] if isinstance(node, ast.ImportFrom) else [
        alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    return {name.partition(".")[0] for name in names if name}


def unimported(error: BaseException) -> set[str]:
    """The optional oracles whose import raised the error."""
    if isinstance(error, ImportError):
        return OPTIONAL_ORACLES & {str(error.name).partition(".")[0]}
    if not isinstance(error, OSError):
        return set()
    lines = [frame.line or "" for frame in traceback.extract_tb(error.__traceback__)]
    return OPTIONAL_ORACLES & {found[1] for found in map(IMPORT.match, lines) if found}


@dataclass(frozen=True)
class Outcome:
    """What became of one cell; one that ran and explains itself could not compare."""

    cell_id: str
    status: Literal["ran", "failed", "skipped"]
    explanation: str = ""
    outputs: list[dict[str, Any]] = field(default_factory=list)


def readable(outputs: list[dict[str, Any]]) -> list[str]:
    """Outputs as lines that two runs share: text without memory addresses, pictures by kind."""
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": outputs}
    clean_nb({"cells": [cell], "metadata": {}}, repair=False)
    lines: list[str] = []
    for output in outputs:
        contents = output.get("data") or {
            output.get("name", output["output_type"]): output.get("text", output.get("evalue", ""))
        }
        for kind, content in sorted(contents.items()):
            is_picture = kind.startswith("image/")
            lines += [f"[{kind}]", *([] if is_picture else "".join(content).splitlines())]
    return lines


class CheckItem(pytest.Item):
    """One checking cell, with the set-up cells between it and the check before."""

    parent: "NotebookFile"

    def __init__(self, *, cells: list[NbCell], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = cells

    def outcomes(self) -> list[Outcome]:
        """Outcomes of this item's cells, after all cells above them have run."""
        return [self.parent.through(cell) for cell in self.cells]

    def runtest(self) -> None:
        """Fail where one of the cells failed, skip where the check was skipped."""
        for outcome in self.outcomes():
            if outcome.status == "failed":
                pytest.fail(outcome.explanation, pytrace=False)
        if outcome.explanation:
            pytest.skip(outcome.explanation)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where pytest says that this test is."""
        return self.path, 0, self.name


class OutputsItem(CheckItem):
    """The stored outputs of a whole notebook against those of this run."""

    def runtest(self) -> None:
        """Fail where a cell after the last check failed, or a stored output is stale."""
        for outcome in self.outcomes():
            if outcome.status == "failed":
                pytest.fail(outcome.explanation, pytrace=False)
        if stale := [*filter(None, map(self.staleness, self.parent.cells))]:
            pytest.fail("\n\n".join([
                f"stored outputs of {self.path.name} are stale; run: python tools/prepare.py",
                *stale]), pytrace=False)

    def staleness(self, cell: NbCell) -> str:
        """A diff from the stored to the new outputs; empty if they agree or none are new."""
        outcome = self.parent.through(cell)
        if outcome.status != "ran" or outcome.explanation:
            return ""
        stored, fresh = readable(cell.outputs), readable(outcome.outputs)
        before, now = ("\n".join(each).count(", recorded") for each in (stored, fresh))
        if now > before:    # A library is absent, and what it answered once stands in its place
            return ""
        return "\n".join(unified_diff(
            stored, fresh, f"cell {cell.id}, stored", f"cell {cell.id}, now", lineterm=""))


class NotebookFile(pytest.File):
    """A notebook: its checks in order, then its outputs; one shell runs each cell once."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a checking cell, and one for the outputs."""
        cells = read_nb(self.path).cells
        self.cells = [cell for cell in cells if cell.cell_type == "code"]
        heading, pending = self.path.stem, []
        for cell in cells:
            if cell.cell_type == "code":
                pending.append(cell)
            elif title := re.match(r"#+ +(.+)", cell.source):
                heading = re.sub(r"\W+", "-", title[1].lower()).strip("-")
            if is_check(cell):
                yield CheckItem.from_parent(self, name=f"{heading}-{cell.id}", cells=pending)
                pending = []
        yield OutputsItem.from_parent(self, name="outputs", cells=pending)

    def setup(self) -> None:
        """Start a shell for this notebook."""
        self.waiting = iter(self.cells)
        self.outcomes: dict[str, Outcome] = {}
        self.lost: dict[str, Outcome] = {}
        self.cell_ids: dict[int, str] = {}
        self.outer_main = sys.modules["__main__"]
        self.shell = CaptureShell(mpl_format=None, timeout=600)

    def teardown(self) -> None:
        """Stop the shell, without what it does at exit (look for garbage); put back `__main__`."""
        self.shell.close()
        atexit.unregister(self.shell.atexit_operations)
        sys.modules["__main__"] = self.outer_main

    def through(self, last: NbCell) -> Outcome:
        """Run what has not run yet, up to and including the cell `last`; what became of that."""
        while last.id not in self.outcomes:
            cell = next(self.waiting)
            self.outcomes[cell.id] = self.run(cell)
        return self.outcomes[last.id]

    def run(self, cell: NbCell) -> Outcome:
        """Run one cell, unless a name that it needs was lost with an earlier one."""
        read = cell.parsed_() is not None  # Running it reports what cannot be read
        outcome = self.inherited(
            cell, used(cell.source) if read else set()) or self.executed(cell)
        for name in assigned(cell.source) if read else ():
            self.lost.pop(name, None)
            if outcome.status == "skipped" or (
                    outcome.status == "failed" and name not in self.shell.user_ns):
                self.lost[name] = outcome
        return outcome

    def inherited(self, cell: NbCell, needed: set[str]) -> Outcome | None:
        """The outcome that follows from names lost before; failures go before skips."""
        for skipped, name in sorted((self.lost[name].status == "skipped", name)
                                    for name in needed & self.lost.keys()):
            loss = self.lost[name]
            reason = f"cell {cell.id} needs `{name}`, lost in cell {loss.cell_id}\n\n"
            return Outcome(
                cell.id, loss.status, f"{'' if skipped else reason}{loss.explanation}")
        return None

    def executed(self, cell: NbCell) -> Outcome:
        """The outcome of running the cell now."""
        if reason := extras.wait(cell.source):
            return Outcome(cell.id, "skipped", reason)
        self.cell_ids[self.shell.execution_count] = cell.id
        with working_directory(self.path.parent), warnings.catch_warnings(record=True) as noted:
            outputs = self.shell.run(cell.source)
        for each in noted:  # A class of the notebook's own could not be told to another process
            warnings.warn_explicit(str(each.message), UserWarning, each.filename, each.lineno)
        if (error := self.shell.exc) is None:
            return Outcome(cell.id, "ran", uncompared(cell), outputs)
        if reason := absent(*sorted(unimported(error))):
            return Outcome(cell.id, "skipped", reason)
        return Outcome(cell.id, "failed", self.described(cell, error))

    def described(self, cell: NbCell, error: BaseException) -> str:
        """The cell's source and its traceback without libraries, cells called by their ids."""
        report = traceback.TracebackException.from_exception(error)
        report.stack = traceback.StackSummary.from_list(
            [frame for frame in report.stack if "site-packages" not in frame.filename])
        story = re.sub(
            r'File "<ipython-input-(\d+)-\w+>"',
            lambda match: f"Cell {self.cell_ids[int(match[1])]}",
            "".join(report.format()),
        )
        source = "\n".join(f"{number:5}  {line}".rstrip() for number, line in enumerate(
            cell.source.splitlines(), start=1))
        return (f"{type(error).__name__} in cell {cell.id} of {self.path.name}\n\n"
                f"{source}\n\n{story}")
