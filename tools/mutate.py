"""Plant faults in a copy of the package, one at a time, and list those that no test notices.

A chapter defines its own functions, so its cells never test the module that is exported from them.
Here each module is changed in a copy of the project, and only the tests and the *other* chapters
may notice. Run it as `python tools/mutate.py`; `--help` lists the options.
"""

import argparse
import ast
import copy
import json
import multiprocessing
import os
import queue
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import book

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "benchmarks" / "mutants.json"
EQUIVALENT = ROOT / "benchmarks" / "equivalent_mutants.json"
LEFT_OUT = ("." + "*", "build", "_site", "node_modules", "__pycache__", "*.egg-info")
GOAL = 0.95  # Share of faults that ought to be noticed
MEMORY = 8 << 30  # Bytes that a run of the tests may ask for
PRELOADED = [
    *("pytest", "hypothesis", "numpy", "execnb.shell", "fastcore.test", "nbdev.clean"),
    *("nltk.translate.bleu_score", "sacrebleu.metrics", "torch", "torchtext.data.metrics"),
    *("torchmetrics.text", "torcheval.metrics", "ignite.metrics", "bleuscore"),
]


# What may be changed ------------------------------------------------------------------------------

COMPARED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE], ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE], ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.In: [ast.NotIn], ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot], ast.IsNot: [ast.Is],
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
TOLD = ("annotation", "returns", "decorator_list", "exc", "type_params")  # Never changed


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every way to change one piece of code, with the name of the way."""
    if isinstance(node, ast.Compare):
        for place, each in enumerate(node.ops):
            for other in COMPARED[type(each)]:
                yield "comparison", changed(node, ops=replaced(node.ops, place, other()))
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COMPUTED:
        yield "arithmetic", changed(node, op=COMPUTED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "and or", changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield "sign removed", node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", changed(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield "constant", changed(node, value=node.value + 1)
        yield "constant", changed(node, value=node.value - 1)
    elif isinstance(node, ast.Return) and node.value and not is_none(node.value):
        yield "return", changed(node, value=ast.Constant(None))
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        if not is_turned(node.test):
            yield "branch", changed(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension):
        for place, each in enumerate(node.ifs):
            if not is_turned(each):
                negated = ast.UnaryOp(ast.Not(), each)
                yield "branch", changed(node, ifs=replaced(node.ifs, place, negated))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call removed", ast.Pass()
    elif isinstance(node, ast.arguments):
        for name in ("defaults", "kw_defaults"):
            values = getattr(node, name)
            for place, each in enumerate(values):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    other = replaced(values, place, ast.Constant("another"))
                    yield "default", changed(node, **{name: other})


def changed(node: ast.AST, **parts: Any) -> ast.AST:
    """A copy of a node with other parts."""
    made = copy.copy(node)
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def replaced(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    """A list with another item in one place."""
    return [*items[:place], item, *items[place + 1 :]]


def is_turned(test: ast.AST) -> bool:
    """Whether a condition is turned round by a change of its own."""
    single = isinstance(test, ast.Compare) and len(test.ops) == 1
    return single or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))


def is_none(node: ast.AST) -> bool:
    """Whether a piece of code is `None`."""
    return isinstance(node, ast.Constant) and node.value is None


@dataclass(frozen=True)
class Site:
    """A piece of code, where it hangs in the tree, and whose it is."""

    node: ast.AST
    put: Callable[[ast.AST], None]
    function: str
    line: int


def sites(tree: ast.AST, function: str = "", line: int = 0) -> Iterator[Site]:
    """All pieces of code below `tree`.

    Left out are types, decorators, the words of errors, and `zip(strict=...)`, which only checks
    what cannot happen.
    """
    for name, value in ast.iter_fields(tree):
        if name in TOLD or (isinstance(tree, ast.Constant) and name == "value"):
            continue
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(node, ast.AST) or is_apart(node):
                continue
            owner = function
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                owner = ".".join(filter(None, (function, node.name)))
            at = getattr(node, "lineno", line)
            if isinstance(node, ast.keyword) and node.arg == "strict":
                continue
            put = (
                partial(value.__setitem__, place)
                if isinstance(value, list)
                else (partial(setattr, tree, name))
            )
            yield Site(node, put, owner, at)
            yield from sites(node, owner, at)


def is_apart(node: ast.AST) -> bool:
    """Whether a statement is for type checkers, or lists exported names."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets)


@dataclass(frozen=True)
class Mutant:
    """One planted fault, told by what it changes: no line number, so the name lasts."""

    module: str  # Of the package
    function: str  # In which it lies, with its class; empty for the module itself
    line: str  # As it reads, without the space around it
    change: str  # Kind, before and after
    again: int = 0  # How many mutants before it read the same


def mutants(source: str, module: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    text, found, told = source.splitlines(), [], Counter[Mutant]()
    for site in sites(ast.parse(source)):
        for kind, other in changes(site.node):
            before, after = shown(site.node), shown(other)
            line = text[site.line - 1].strip()
            each = Mutant(module, site.function, line, f"{kind}: {before} → {after}")
            found.append(Mutant(*list(asdict(each).values())[:4], again=told[each]))
            told[each] += 1
    return found


def shown(node: ast.AST) -> str:
    """Code on one line; of a branch its condition."""
    parts: list[ast.AST] = [node]
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        parts = [node.test]
    elif isinstance(node, ast.comprehension):
        parts = [*node.ifs]
    return " ".join(" ".join(map(ast.unparse, parts)).split())


def planted(source: str, module: str, mutant: Mutant) -> str:
    """The source of a module with one fault in it."""
    tree, number = ast.parse(source), mutants(source, module).index(mutant)
    for site in sites(tree):
        made = [other for _, other in changes(site.node)]
        if number < len(made):
            site.put(made[number])
            return ast.unparse(ast.fix_missing_locations(tree))
        number -= len(made)
    raise AssertionError("the mutant was found and then was not")


# Which tests may notice ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A module, and the tests that may notice a fault in it: each stage only sees what is left."""

    stages: tuple[tuple[str, ...], ...]


def chapter(*names: str) -> tuple[str, ...]:
    """The notebooks of some chapters."""
    return tuple(book.notebook(name).relative_to(ROOT).as_posix() for name in names)


def tests(*names: str) -> tuple[str, ...]:
    """Files of tests, in whatever folder they are."""
    found = {path.stem: path for path in (ROOT / "tests").glob("*/test_*.py")}
    return tuple(found[f"test_{name}"].relative_to(ROOT).as_posix() for name in names)


def folder_of_tests(folder: str) -> tuple[str, ...]:
    """Every file of tests that lies in the folder of a module's name."""
    return tuple(path.relative_to(ROOT).as_posix()
                 for path in sorted((ROOT / "tests" / folder).glob("test_*.py")))


FIRST = tests("mutation_regressions", "worked_examples")    # They take a second
TOOLS = tests("golden", "oracles")
PLANS = {
    "derivation.bleu": Plan((
        FIRST, tests("inputs", "properties"), TOOLS,
        (*tests("dialects"), *chapter("02_smoothers"), *chapter("06_metric")))),
    "derivation.token_checks": Plan((
        FIRST, tests("inputs"), (*tests("properties"), *chapter("01_ngrams")))),
    "dialects.formula_variants": Plan((
        FIRST, TOOLS, (*tests("inputs", "dialects"), *chapter("06_metric")))),
    "derivation.tokenizer_13a": Plan((FIRST, tests("tokenizers"), (*TOOLS, *chapter("06_metric")))),
    "dialects.more_tokenizers": Plan((FIRST, tests("tokenizers"), (*TOOLS, *chapter("06_metric")))),
    "dialects.table": Plan((
        FIRST, tests("inputs", "dialects", "identification"), (*TOOLS, *tests("cache_keys")))),
    "dialects.input_checks": Plan((
        tests("hints", "inputs"), tests("chunks"), chapter("06_metric"))),
    "dialects.signatures": Plan((tests("dialects"), tests("inputs"), chapter("06_metric"))),
    "dialects.definition": Plan((
        FIRST, tests("dialects"), TOOLS, (*tests("cache_keys", "counts"), *chapter("01_bits")))),
    "scoring.metric": Plan((
        FIRST, tests("dialects", "inputs"), tests("counts", "chunks", "storage"),
        chapter("01_bits"))),
    "scoring.registry": Plan((tests("chunks"), tests("folders"))),
    "scoring.counts": Plan((
        tests("counts"), tests("storage", "dialects", "chunks"),
        (*chapter("03_counts"), *chapter("06_metric")))),
    "engines.numpy_scores": Plan((
        chapter("05_numpy_scores"), tests("engines"), tests("counts", "cache_keys"))),
    "engines.bits": Plan((
        FIRST, tests("golden"), (*tests("engines", "chunks"), *chapter("02_numpy_counts")))),
    "diagnosis.many_dialects": Plan((
        tests("equivalence"), tests("cache_keys"), tests("explanation"))),
    "diagnosis.explanation": Plan((tests("cache_keys"), tests("explanation"))),
    "diagnosis.identification": Plan((
        tests("identification"), tests("cache_keys"), tests("explanation"))),
    "scoring.chunks": Plan((
        tests("blocks", "chunks"), tests("counts"), tests("engines"), tests("inputs"))),
    "files.file_scoring": Plan((tests("blocks"), tests("command"))),
    "significance.tests": Plan((
        tests("intervals"), tests("paired_tests"), tests("compare"), chapter("02_intervals"))),
    "significance.intervals": Plan((tests("intervals"), tests("compare"), chapter("03_counts"))),
    "significance.compare": Plan((tests("compare"), tests("reports"), chapter("06_compare"))),
    "pairs.score_matrix": Plan((tests("score_matrix", "diversity"),)),
    "pairs.diversity": Plan((tests("diversity"),)),
    "pairs.bayes_risk": Plan((tests("bayes_risk"),)),
    "cli.comparing": Plan((tests("pairs_command"), folder_of_tests("cli"))),
    "adapters.reducer": Plan((tests("reducer"), tests("every_adapter"))),
    "files.evaluation_sets": Plan((tests("evaluation_sets"),)),
    "adapters.lm_eval": Plan((tests("lm_eval", "lighteval"),)),
    "adapters.ignite": Plan((tests("ignite"), tests("every_adapter"))),
    "adapters.keras": Plan((tests("keras"), tests("every_adapter"))),
    "adapters.sacrebleu": Plan((tests("sacrebleu"), tests("sacrebleu_command"))),
    "adapters.evaluate": Plan((tests("evaluate"), tests("every_adapter"))),
    "adapters.transformers": Plan((tests("transformers"),)),
    "adapters.torchmetrics": Plan((tests("torchmetrics"), tests("every_adapter"))),
    "adapters.nltk": Plan((tests("nltk"),)),
    "adapters.trl": Plan((tests("trl"),)),
}  # fmt: skip
for _module in book.modules():
    _folder = _module.partition(".")[0] if "." in _module else "cli"
    PLANS.setdefault(_module, Plan((folder_of_tests(_folder),)))
UNUSED = (      # Slow, or about the example files, and no better at noticing
    "outputs", "numba", "published", "chapter_shows", "peak", "memory", "megabyte", "100000",
    "all_of_unicode", "every_known_character", "lines_of_the_sets",
)  # fmt: skip


# One run of the tests -----------------------------------------------------------------------------


class Watcher:
    """A pytest plugin: fewer examples, none of them made smaller, and which test failed first."""

    def __init__(self, report: Path) -> None:
        self.report = report

    def pytest_configure(self) -> None:
        """Take a hypothesis profile that loses no time on a failure."""
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutants",
            max_examples=40,
            derandomize=True,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
        )
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write down the test that noticed."""
        if report.failed and not self.report.exists():
            self.report.write_text(report.nodeid, "utf-8")

    def pytest_collectreport(self, report: Any) -> None:
        """Write down a file that could not even be read."""
        self.pytest_runtest_logreport(report)


def file_of(package: Path, module: str) -> Path:
    """The file of a module, named from the package on."""
    return (package / module.replace(".", "/")).with_suffix(".py")


STILLBORN, MISPLACED = 30, 31  # Exit codes beside those of pytest


def run_tests(folder: Path, package: str, module: str, files: Sequence[str]) -> None:
    """Run tests in a process of its own, in a copy of the project; exits with the outcome."""
    with (folder / "log.txt").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    limit_memory()
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    os.environ.update(PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
    try:
        loaded = import_module(f"{package}.{module}" if module else package)
    except BaseException:
        os._exit(STILLBORN)
    if not Path(str(loaded.__file__)).is_relative_to(folder):
        os._exit(MISPLACED)
    import pytest

    chosen = " and ".join(f"not {word}" for word in UNUSED)
    options = ["-x", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "-k", chosen]
    found = [name for name in files if (folder / name.partition("::")[0]).exists()]
    code = pytest.main([*options, *found], plugins=[Watcher(folder / "noticed.txt")])
    sys.stdout.flush()
    os._exit(int(code))


def limit_memory() -> None:
    """Let a fault that never stops growing fail, where the system can."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


@dataclass
class Workshop:
    """Copies of the project, one for each worker, and the processes that test in them."""

    root: Path  # The project
    package: str  # Its package
    preloaded: Sequence[str] = ()   # Modules that its tests need, imported once for all runs
    folders: "queue.Queue[Path]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(list(self.preloaded))

    def add(self, folder: Path) -> None:
        """Copy the project for one more worker."""
        shutil.copytree(self.root, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self.folders.put(folder)

    def source(self, module: str) -> str:
        """A module as it was copied; the project may change in the meantime."""
        folder = self.folders.get()
        self.folders.put(folder)
        return (file_of(folder / self.package, module)).read_text("utf-8")

    def outcome(
        self, module: str, source: str, stages: Sequence[Sequence[str]], limits: Sequence[float]
    ) -> tuple[str, str, list[float]]:
        """What the tests say of a changed module, which one said so, and the time of each stage."""
        folder = self.folders.get()
        path = file_of(folder / self.package, module)
        before, times = path.read_text("utf-8"), []
        (folder / "noticed.txt").unlink(missing_ok=True)
        try:
            path.write_text(source, "utf-8")
            for files, limit in zip(stages, limits, strict=True):
                start = time.monotonic()
                code = self.code(folder, module, files, limit)
                times.append(time.monotonic() - start)
                if code is None:
                    return "timeout", "", times
                if code == STILLBORN:
                    return "stillborn", "", times
                if code in (1, 2) or code < 0 or (folder / "noticed.txt").exists():
                    told = folder / "noticed.txt"
                    return "killed", told.read_text("utf-8") if told.exists() else "", times
                if code:
                    log = (folder / "log.txt").read_text("utf-8")[-3000:]
                    raise RuntimeError(f"the tests of {module} did not run: {code}\n{log}")
            return "survived", "", times
        finally:
            path.write_text(before, "utf-8")
            self.folders.put(folder)

    def code(self, folder: Path, module: str, files: Sequence[str], limit: float) -> int | None:
        """The exit code of one run; None if it took too long."""
        process = self.context.Process(
            target=run_tests, args=(folder, self.package, module, tuple(files))
        )
        process.start()
        process.join(limit)
        if process.is_alive():
            process.kill()
            process.join()
            return None
        return process.exitcode


# All runs -----------------------------------------------------------------------------------------


def sample(found: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some mutants of a module, the same ones for the same seed, in the order of lines."""
    if number >= len(found):
        return found
    chosen = random.Random(f"{seed} {found[0].module}").sample(range(len(found)), number)
    return [found[place] for place in sorted(chosen)]


def judge(
    workshop: Workshop, module: str, plan: Plan, chosen: Callable[[list[Mutant]], list[Mutant]],
    known: dict[Mutant, str], say: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """Plant the chosen faults of a module one by one, and count what became of them."""
    source = workshop.source(module)
    every = mutants(source, module)
    whole = ast.unparse(ast.parse(source))
    verdict, test, times = workshop.outcome(module, whole, plan.stages, [900.0] * len(plan.stages))
    if verdict != "survived":
        raise SystemExit(f"{module}: the tests fail without a fault: {verdict} {test}")
    limits = [20 + 5 * seconds for seconds in times]
    say(f"{module}: {len(every)} mutants; tests take {' + '.join(f'{t:.1f}' for t in times)} s")
    asked = chosen(every)
    found: dict[str, list[Mutant]] = {
        name: [] for name in ("killed", "timeout", "stillborn", "survived")
    }

    def tried(each: Mutant) -> tuple[Mutant, str, str]:
        verdict, test, _ = workshop.outcome(
            module, planted(source, module, each), plan.stages, limits
        )
        return each, verdict, test

    with ThreadPoolExecutor(workshop.folders.qsize()) as pool:
        for each, verdict, test in pool.map(tried, asked):
            found[verdict].append(each)
            say(f"  {verdict:9} {each.function}: {each.line}  [{each.change}]  {test}")
    noticed = [*found["killed"], *found["timeout"]]
    wrong = [each for each in noticed if each in known]
    if wrong:
        say(f"  called equivalent, but noticed: {wrong}")
    survivors = [each for each in found["survived"] if each not in known]
    counted = len(noticed) + len(survivors)
    return {
        "mutants": len(every), "tried": len(asked), "stillborn": len(found["stillborn"]),
        "killed": len(noticed), "share": round(len(noticed) / counted, 4) if counted else None,
        "equivalent": len(found["survived"]) - len(survivors),
        "timeouts": list(map(told, found["timeout"])), "survivors": list(map(told, survivors)),
        "called equivalent, but noticed": list(map(told, wrong)),
        "tests": [list(stage) for stage in plan.stages],
    }  # fmt: skip


def told(mutant: Mutant) -> dict[str, Any]:
    """A mutant for a file."""
    return {name: value for name, value in asdict(mutant).items() if value or name == "function"}


def equivalents(path: Path = EQUIVALENT) -> dict[Mutant, str]:
    """Mutants that no test can notice, and why."""
    rows = json.loads(path.read_text("utf-8")) if path.exists() else []
    return {
        Mutant(**{k: v for k, v in row.items() if k != "reason"}): row["reason"] for row in rows
    }


def read_record(path: Path = RECORD) -> dict[str, Any]:
    """What became of the mutants of each module when it was last tried."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {"modules": {}}


def keep(module: str, made: dict[str, Any], path: Path = RECORD) -> None:
    """Write down one module, beside what other runs have written in the meantime."""
    record = read_record(path)
    record["modules"][module] = made
    record["modules"] = {name: record["modules"][name] for name in sorted(record["modules"])}
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


def read_arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(description="List planted faults that no test notices.")
    parser.add_argument("modules", nargs="*", help=f"which ones; by default {' '.join(PLANS)}")
    parser.add_argument(
        "--each",
        type=int,
        default=40,
        metavar="N",
        help="mutants of each module (default 40; 0 means all)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default 0)")
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        help="at once (default: one for each core)",
    )
    parser.add_argument(
        "--survivors",
        action="store_true",
        help="only the survivors in the record, to see that new tests notice them",
    )
    parser.add_argument(
        "--quick", action="store_true", help="two mutants of each module, and no record"
    )
    options = parser.parse_args(given)
    for name in options.modules:
        if name not in PLANS:
            parser.error(f"no plan for the module {name!r}: there are {', '.join(PLANS)}")
    return options


def main() -> int:
    """Run the command; 0 where every module reaches the goal."""
    options = read_arguments()
    os.environ.setdefault("BLEU_NB_DATA", str(ROOT.parent / "shared" / "wmt"))
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    before = read_record()["modules"].values()
    left = {Mutant(**row) for each in before for row in each["survivors"]}
    number = 2 if options.quick else options.each or sys.maxsize

    def chosen(found: list[Mutant]) -> list[Mutant]:
        if options.survivors:
            return [each for each in found if each in left]
        return sample(found, number, options.seed)

    known, short = equivalents(), []
    with tempfile.TemporaryDirectory() as place:
        workshop = Workshop(ROOT, "bleu_nb", PRELOADED)
        for worker in range(options.workers):
            workshop.add(Path(place).resolve() / f"copy-{worker}")
        for module in options.modules or PLANS:
            start = time.monotonic()
            made = judge(workshop, module, PLANS[module], chosen, known, partial(print, flush=True))
            print(
                f"{module}: {made['killed']} noticed, {len(made['survivors'])} not, "
                f"{made['equivalent']} equivalent, {time.monotonic() - start:.0f} s",
                flush=True,
            )
            if made["share"] is not None and made["share"] < GOAL:
                short.append(module)
            if not (options.quick or options.survivors):
                keep(module, {"seed": options.seed, "python": sys.version.split()[0], **made})
    if short:
        print(f"fewer than {GOAL:.0%} noticed: {', '.join(short)}")
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main())
