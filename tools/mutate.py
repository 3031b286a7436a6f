"""Plant faults in a copy of the package, one at a time, and list those that no test notices.

A chapter defines its own functions, so its cells never test the module that is exported from them.
Here each module is changed in a copy of the project, and only the tests and the *other* chapters
may notice. Run it as `python tools/mutate.py`; `--help` lists the options. It runs on one core:
start another for other modules.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import book

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "benchmarks" / "mutants.json"
EQUIVALENT = RECORD.with_name("equivalent_mutants.json")
LEFT_OUT = ("." + "*", "build", "_site", "node_modules", "__pycache__", "*.egg-info")
GOAL = 0.95  # Share of faults that ought to be noticed
MEMORY = 8 << 30  # Bytes that a run of the tests may ask for


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


def changes(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    """Every way to change one piece of code: its name, a field, and what that holds instead."""
    match node:
        case ast.Compare():
            for place, each in enumerate(node.ops):
                for other in COMPARED[type(each)]:
                    yield "comparison", "ops", replaced(node.ops, place, other())
        case ast.BinOp() | ast.AugAssign() if type(node.op) in COMPUTED:
            yield "arithmetic", "op", COMPUTED[type(node.op)]()
        case ast.BoolOp():
            yield "and or", "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp(ast.Not() | ast.USub()):
            yield "sign removed", "operand", ast.UnaryOp(node.op, node.operand)
        case ast.Constant(bool() | int() | float() as value):
            for other in [not value] if isinstance(value, bool) else [value + 1, value - 1]:
                yield "constant", "value", other
        case ast.Return(ast.expr()) if ast.unparse(node) != "return None":
            yield "return", "value", ast.Constant(None)
        case ast.If() | ast.IfExp() | ast.While() if not isinstance(node.test, ast.Compare):
            yield "branch", "test", ast.UnaryOp(ast.Not(), node.test)
        case ast.Expr(ast.Call()):
            yield "call removed", "value", ast.Constant(...)


def replaced(items: Sequence[Any], place: int, item: Any) -> list[Any]:
    """A list with another item in one place."""
    return [*items[:place], item, *items[place + 1 :]]


def pieces(tree: ast.AST, function: str = "", line: int = 0) -> Iterator[tuple[ast.AST, str, int]]:
    """All pieces of code below `tree`, each with its function and its line.

    Left out are types, decorators, the words of errors, `zip(strict=...)`, which only checks what
    cannot happen, what is for type checkers, and the list of exported names.
    """
    for name, value in ast.iter_fields(tree):
        for node in value if isinstance(value, list) else [value]:
            match node:
                case (ast.keyword("strict") | ast.If(ast.Name("TYPE_CHECKING"))
                      | ast.Assign([ast.Name("__all__")])):
                    continue
                case ast.AST() if name not in TOLD:
                    named = isinstance(node, ast.FunctionDef | ast.ClassDef)
                    owner = f"{function}.{node.name}".strip(".") if named else function
                    at = getattr(node, "lineno", line)
                    yield node, owner, at
                    yield from pieces(node, owner, at)


@dataclass(frozen=True)
class Mutant:
    """One planted fault, told by what it changes: no line number, so the name lasts.

    Those of a function that read the same are one.
    """

    module: str  # Of the package
    function: str  # In which it lies, with its class; empty for the module itself
    line: str  # As it reads, without the space around it
    change: str  # Kind, before and after


def mutants(source: str, module: str) -> dict[Mutant, Callable[[], str]]:
    """Every mutant of a module, in the order of its lines, and what makes its source."""
    tree, text, found = ast.parse(source), source.splitlines(), {}
    for node, function, line in pieces(tree):
        for kind, *change in changes(node):
            said = f"{kind}: {shown(node)} → {planted(node, *change, node)}"
            mutant = Mutant(module, function, text[line - 1].strip(), said)
            found[mutant] = partial(planted, node, *change, tree)
    return found


def shown(node: ast.AST) -> str:
    """Code; of a block its first line, and all of a module."""
    text = ast.unparse(ast.fix_missing_locations(node))
    return text if isinstance(node, ast.Module) else text.strip().partition("\n")[0]


def planted(node: ast.AST, name: str, value: Any, around: ast.AST) -> str:
    """Some code while a piece of it is another; it is as it was afterwards."""
    before = getattr(node, name)
    setattr(node, name, value)
    text = shown(around)
    setattr(node, name, before)
    return text


# Which tests may notice ---------------------------------------------------------------------------

FIRST = ("mutation_regressions", "worked_examples")  # They take a second
TOOLS = ("golden", "oracles")
# Module -> stages of tests and chapters; each only sees what the one before did not notice.
PLANS: dict[str, tuple[tuple[str, ...], ...]] = {
    **{module: ((f"tests/{module.partition('.')[0] if '.' in module else 'cli'}",),)
       for module in book.modules()},
    "derivation.bleu": (
        FIRST, ("inputs", "properties"), TOOLS, ("dialects", "02_smoothers", "06_metric")),
    "derivation.token_checks": (FIRST, ("inputs",), ("properties", "01_ngrams")),
    "dialects.formula_variants": (FIRST, TOOLS, ("inputs", "dialects", "06_metric")),
    "derivation.tokenizer_13a": (FIRST, ("tokenizers",), (*TOOLS, "06_metric")),
    "dialects.more_tokenizers": (FIRST, ("tokenizers",), (*TOOLS, "06_metric")),
    "dialects.table": (FIRST, ("inputs", "dialects", "identification"), (*TOOLS, "cache_keys")),
    "dialects.input_checks": (("hints", "inputs"), ("chunks",), ("06_metric",)),
    "dialects.signatures": (("dialects",), ("inputs",), ("06_metric",)),
    "dialects.definition": (FIRST, ("dialects",), TOOLS, ("cache_keys", "counts", "01_bits")),
    "scoring.metric": (
        FIRST, ("dialects", "inputs"), ("counts", "chunks", "storage"), ("01_bits",)),
    "scoring.registry": (("chunks",), ("folders",)),
    "scoring.counts": (("counts",), ("storage", "dialects", "chunks"), ("03_counts", "06_metric")),
    "scoring.storage": (("storage",), ("folders",), ("03_counts", "05_command")),
    "engines.numpy_scores": (("05_numpy_scores",), ("engines",), ("counts", "cache_keys")),
    "engines.bits": (FIRST, ("golden",), ("engines", "chunks", "02_numpy_counts")),
    "diagnosis.many_dialects": (("equivalence",), ("cache_keys",), ("explanation",)),
    "diagnosis.explanation": (("cache_keys",), ("explanation",)),
    "diagnosis.reported": (("reported",), ("identification",)),
    "diagnosis.guesses": (("identification",), ("cache_keys",), ("equivalence",)),
    "diagnosis.sampling": (("identification",),),
    "diagnosis.identification": (("identification",), ("cache_keys",), ("explanation",)),
    "scoring.chunks": (("blocks", "chunks"), ("counts",), ("engines",), ("inputs",)),
    "files.file_scoring": (("blocks",), ("command",)),
    "display.tables": (("tests/display",), ("command",)),
    "significance.tests": (("intervals",), ("paired_tests",), ("compare",), ("02_intervals",)),
    "significance.intervals": (("intervals",), ("compare",), ("03_counts",)),
    "significance.compare": (("compare",), ("reports",), ("06_compare",)),
    "pairs.score_matrix": (("score_matrix", "diversity"),),
    "pairs.diversity": (("diversity",),),
    "pairs.bayes_risk": (("bayes_risk",),),
    "cli.comparing": (("pairs_command",), ("tests/cli",)),
    "adapters.reducer": (("reducer",), ("every_adapter",)),
    "files.evaluation_sets": (("evaluation_sets",),),
    "adapters.lm_eval": (("lm_eval", "lighteval"),),
    "adapters.ignite": (("ignite",), ("every_adapter",)),
    "adapters.keras": (("keras",), ("every_adapter",)),
    "adapters.sacrebleu.drop_in": (("sacrebleu",), ("sacrebleu_command",)),
    "adapters.evaluate": (("evaluate",), ("every_adapter",)),
    "adapters.transformers": (("transformers",),),
    "adapters.torchmetrics": (("torchmetrics",), ("every_adapter",)),
    "adapters.nltk.translate.bleu_score": (("nltk",),),
    "adapters.trl": (("trl",),),
}  # fmt: skip
UNUSED = (      # Slow, or about the example files, and no better at noticing in other modules
    "outputs", "numba", "published", "chapter_shows", "peak", "memory", "megabyte", "100000",
    "all_of_unicode", "every_known_character", "lines_of_the_sets",
)  # fmt: skip


def path_of(name: str) -> str:
    """The notebook of a chapter, or tests: a folder, or a file in whatever folder it is."""
    found = [*(ROOT / "tests").glob(f"*/test_{name}.py"), *ROOT.glob(name)]
    return (found or [book.notebook(name)])[0].relative_to(ROOT).as_posix()


# All runs -----------------------------------------------------------------------------------------


def file_of(package: Path, module: str) -> Path:
    """The file of a module, named from the package on."""
    return (package / module.replace(".", "/")).with_suffix(".py")


def limit_memory() -> None:
    """Limit the memory of a process."""
    import resource  # Windows has no such module

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, -1))


def outcome(
    package: Path, module: str, source: str, stages: Sequence[Sequence[str]], limit: float
) -> str:
    """What the tests say of a changed module in a copy of the project."""
    path, folder = file_of(package, module), str(package.parent)
    before, chosen = path.read_text("utf-8"), " and ".join(
        f"not {word}" for word in UNUSED if word not in module)
    run = partial(
        subprocess.run, cwd=folder, timeout=limit, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit_memory)
    options = ["-m", "pytest", "-xq", "-p", "no:cacheprovider", "--rootdir", folder, "-k", chosen]
    try:
        path.write_text(source, "utf-8")
        loaded = run([sys.executable, "-c", f"import {package.name}.{module} as module; "
                      "print(module.__file__)"], stdout=subprocess.PIPE, text=True)
        if loaded.stdout.strip() != str(path):
            return "stillborn"
        codes = (run([sys.executable, *options, *files], stdout=subprocess.DEVNULL).returncode
                 for files in stages)
        return "killed" if any(codes) else "survived"
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        path.write_text(before, "utf-8")


def sample(found: Collection[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some mutants of a module, the same ones for the same seed, in the order of lines."""
    draw = random.Random(f"{seed} {next(iter(found)).module}")
    chosen = {*draw.sample([*found], min(number, len(found)))}
    return [each for each in found if each in chosen]


def judge(
    package: Path, module: str, stages: Sequence[Sequence[str]],
    choose: Callable[[Collection[Mutant]], list[Mutant]], known: Mapping[Mutant, str],
) -> dict[str, Any]:
    """Plant the chosen faults of a module one by one, and count what became of them."""
    source, start = file_of(package, module).read_text("utf-8"), time.monotonic()
    every = mutants(source, module)
    if (verdict := outcome(package, module, shown(ast.parse(source)), stages, 900)) != "survived":
        raise SystemExit(f"{module}: the tests fail without a fault: {verdict}")
    limit, asked = 20 + 5 * (time.monotonic() - start), choose(every)
    found: dict[str, list[Mutant]] = {
        verdict: [] for verdict in ("killed", "timeout", "stillborn", "survived")}
    for each in asked:
        verdict = outcome(package, module, every[each](), stages, limit)
        found[verdict].append(each)
        print(f"  {verdict:9} {each.function}: {each.line}  [{each.change}]", flush=True)
    survivors = [each for each in found["survived"] if each not in known]
    noticed = [*found["killed"], *found["timeout"]]
    counted = len(noticed) + len(survivors)
    print(f"{module}: {len(noticed)} noticed, {len(survivors)} not", flush=True)
    return {
        "mutants": len(every), "tried": len(asked), "stillborn": len(found["stillborn"]),
        "killed": len(noticed), "share": round(len(noticed) / counted, 4) if counted else None,
        "equivalent": len(found["survived"]) - len(survivors),
        "timeouts": [*map(asdict, found["timeout"])], "survivors": [*map(asdict, survivors)],
        "called equivalent, but noticed": [asdict(each) for each in noticed if each in known],
        "tests": [list(stage) for stage in stages],
    }


def equivalents() -> dict[Mutant, str]:
    """Mutants that no test can notice, and why."""
    rows = json.loads(EQUIVALENT.read_text("utf-8"))
    return {Mutant(**{k: v for k, v in row.items() if k != "reason"}): row["reason"]
            for row in rows}


def keep(module: str, made: Mapping[str, Any], path: Path = RECORD) -> None:
    """Write down one module, beside what other runs have written in the meantime."""
    record = json.loads(path.read_text("utf-8"))
    record["modules"] = dict(sorted({**record["modules"], module: made}.items()))
    path.write_text(f"{json.dumps(record, indent=1, ensure_ascii=False)}\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 where every module reaches the goal."""
    parser = argparse.ArgumentParser(description="List planted faults that no test notices.")
    add = parser.add_argument
    add("modules", nargs="*", help=f"which ones; by default {' '.join(PLANS)}")
    add("--each", type=int, default=40, metavar="N",
        help="mutants of each module (default 40; 0 means all)")
    add("--seed", type=int, default=0, help="of the sample (default 0)")
    add("--survivors", action="store_true",
        help="only the survivors in the record, to see that new tests notice them")
    add("--quick", action="store_true", help="two mutants of each module, and no record")
    options = parser.parse_args(arguments)
    if unknown := {*options.modules} - {*PLANS}:
        parser.error(f"no plan for {', '.join(unknown)}: there are {', '.join(PLANS)}")
    os.environ |= {"BLEU_NB_DATA": os.environ.get("BLEU_NB_DATA", str(ROOT.parent / "shared/wmt")),
                   "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    left = {Mutant(**row) for each in json.loads(RECORD.read_text("utf-8"))["modules"].values()
            for row in each["survivors"]}
    choose = left.intersection if options.survivors else partial(
        sample, number=2 if options.quick else options.each or sys.maxsize, seed=options.seed)
    shares = []
    with tempfile.TemporaryDirectory() as place:
        copied = Path(place).resolve() / "copy"
        shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for module in options.modules or PLANS:
            stages = [[*map(path_of, stage)] for stage in PLANS[module]]
            made = judge(copied / "bleu_nb", module, stages, choose, equivalents())
            shares.append(GOAL if made["share"] is None else made["share"])
            if not (options.quick or options.survivors):
                keep(module, {"seed": options.seed, "python": sys.version.split()[0], **made})
    return int(min(shares) < GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
