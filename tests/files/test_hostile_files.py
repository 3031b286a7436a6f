"""Hostile files, scored by `bleu-nb score` and by the real tools, which each read in their way.

Packages of the `dev` extra run always. Scripts run where `BLEU_NB_TOOLS` names a folder that holds
clones of `mosesdecoder`, `nmt`, `compare-mt`, `tensor2tensor` and `CodeXGLUE`.
"""

import contextlib
import gzip
import importlib.util
import math
import os
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import compare_recorded
import pytest
from commands import run_command
from data import WMT, needs, oracle, sacrebleu_adding_left_to_right
from hypothesis import settings

from bleu_nb import Bleu, file_bleu
from bleu_nb.dialects.formula_variants import add_up
from bleu_nb.files.reading import FIRST, FileNote, wide_encoding

CASES = 20_000 if settings.get_current_profile_name() == "long" else 20
BATCH = 200
TOOLS = os.environ.get("BLEU_NB_TOOLS", "")
SINGLE = 1.2e-7

WORDS = [
    *("the", "sea", "The", "keeper", "lamp", "don't", "well-known", "1,000", "3.5", "1999."),
    *("İSTANBUL", "Σίσυφος", "straße", "ﬁn", "灯台", "등대", "は", "x½", "²", "𝟘", "🙂", "é"),
    *("e\u0301", "ǅ", "ΑΣ"),
]
CAPITAL_ENTITIES = ("&AMP;", "&Quot;")
MARKS = [
    *".,-'\"!?()[]{}&<>/\\@%$#;:|^~`_*+=„”—«·。，€→",
    *("...", "--", "5-", "-5", ".5", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&amp;lt;"),
    *("<skipped>", *CAPITAL_ENTITIES),
]
BLANKS = [
    *" \t\v\f\u00a0\u2003\u3000\u200b\u1680\u202f\ufeff",
    *("  ", " \t "),
]
SEPARATORS = ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2028", "\u2029", "\r", "\x0b", "\x0c"]
CONTROLS = ["\x00", "\x01", "\x08", "\x1b", "\x7f"]
NO_CHARACTERS = ["\uffff", "\ufffe", "\ufdd0", "\ufdef", "\U0001fffe", "\U0010ffff"]
CUTS = ["\r", "\r\n", "\n\r", "\r\r", "\x85", "\u2028", "\x0b", "\x0c", "\x1c", "\x1e"]


@dataclass(frozen=True)
class Case:
    """Lines of a candidate file and of its reference files."""

    candidate: list[str]
    references: list[list[str]]
    unended: Sequence[int] = ()  # The files whose last line feed is missing

    def texts(self) -> list[str]:
        """What its files hold, the candidate first."""
        texts = []
        for number, lines in enumerate([self.candidate, *self.references]):
            text = "".join(f"{line}\n" for line in lines)
            texts.append(text[:-1] if number in self.unended and lines[-1] else text)
        return texts

    def written(self, folder: Path, name: str) -> list[Path]:
        """Its files, the candidate first."""
        paths = []
        for number, text in enumerate(self.texts()):
            paths.append(folder / f"{name}.{number}")
            paths[-1].write_bytes(text.encode())
        return paths


def hostile_line(rng: Random, pieces: Sequence[str]) -> str:
    """Words with marks and white space of all kinds, or nothing."""
    if rng.random() < 0.12:
        return rng.choice(["", "", " ", "a", rng.choice(pieces)])
    line = []
    for _ in range(rng.randrange(1, 16)):
        line.append(rng.choice(WORDS if rng.random() < 0.6 else pieces))
        line.append(" " if rng.random() < 0.6 else rng.choice(["", *pieces]))
    return "".join(line)


def changed(rng: Random, line: str, pieces: Sequence[str]) -> str:
    """Mostly the same line."""
    chance = rng.random()
    if chance < 0.35:
        return line
    if chance < 0.45:
        return hostile_line(rng, pieces)
    at = rng.randrange(len(line) + 1)
    return line[:at] + rng.choice(["", " ", *pieces]) + line[at + rng.randrange(3) :]


def cut(rng: Random, lines: list[str]) -> list[str]:
    """The same lines, one of them with what may end another."""
    place, end = rng.randrange(len(lines)), rng.choice(CUTS)
    words = lines[place].split(" ")
    words.insert(rng.randrange(len(words) + 1), end)
    return "\n".join([*lines[:place], " ".join(words), *lines[place + 1 :]]).split("\n")


def hostile_case(tool: "Tool", rng: Random) -> Case:
    """A case whose files mostly have equally many lines for the tool."""
    pieces = [*MARKS, *BLANKS, *SEPARATORS, *CONTROLS, *NO_CHARACTERS, *WORDS]
    while True:
        first = [hostile_line(rng, pieces) for _ in range(rng.randrange(1, 5))]
        first = cut(rng, first) if rng.random() < 0.4 else first
        others = range(rng.randrange(1, tool.most + 1))
        references = [[changed(rng, line, pieces) for line in first] for _ in others]
        unended = [place for place in range(len(others) + 1) if rng.random() < 0.7]
        case = Case([changed(rng, line, pieces) for line in first], references,
                    unended if rng.random() < tool.unended else ())
        if rng.random() < 0.05 or len({*map(tool.lines, case.texts())}) == 1:
            return case


def hostile_cases(tool: "Tool", number: int) -> Iterator[Case]:
    """The same cases at every run."""
    rng = Random(f"files {tool.name}")
    for _ in range(number):
        yield hostile_case(tool, rng)


def feeds(text: str) -> int:
    """Lines that end at a line feed alone."""
    return len(list(StringIO(text, newline="\n")))


def text_mode(text: str) -> int:
    """Lines as Python's text mode ends them."""
    return len(list(StringIO(text, newline=None)))


def split_lines(text: str) -> int:
    """Lines as `splitlines` ends them."""
    return len(text.splitlines())


Answer = float | None  # None: the tool has no number
Runner = Callable[[list[Case], Path], list[Answer]]


@dataclass(frozen=True)
class Tool:
    """A real tool, and what asks `bleu-nb score` for its number."""

    name: str
    options: tuple[str, ...]
    make: Callable[[], Runner]  # Skips where the tool is not there
    most: int = 3  # References that it takes
    lines: Callable[[str], int] = feeds  # That a file has for it
    unended: float = 0.4  # Share of the cases in which a last line feed may be missing
    bound: float = 0.0  # Largest difference
    digits: int | None = None  # That it prints, if not all

    def __str__(self) -> str:
        return self.name


def cloned(repository: str, path: str) -> Path:
    """A file of a clone."""
    found = Path(TOOLS) / repository / path
    if not TOOLS or not found.exists():
        pytest.skip(f"BLEU_NB_TOOLS names no folder with {repository}/{path}")
    return found


def stubbed(path: Path, **stubs: Any) -> ModuleType:
    """A Python file of a clone as a module, with stand-ins for what it does not need here."""
    spec = importlib.util.spec_from_file_location(f"real_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        for name, stub in stubs.items():
            patch.setitem(sys.modules, name.replace("__", "."), stub)
        spec.loader.exec_module(module)
    return module


def moses(script: str, *options: str) -> Callable[[], Runner]:
    """Moses' scripts, with all digits, one process a case."""

    def make() -> Runner:
        source = cloned("mosesdecoder", f"scripts/generic/{script}").read_text(encoding="utf-8")

        def run(cases: list[Case], folder: Path) -> list[Answer]:
            copy = folder / script
            copy.write_text(source.replace("BLEU = %.2f,", "BLEU = %.17g,"), encoding="utf-8")

            def score(numbered: tuple[int, Case]) -> Answer:
                candidate, *references = numbered[1].written(folder, f"moses{numbered[0]}")
                with candidate.open("rb") as text:
                    command = ["perl", copy, *options, *references]
                    done = subprocess.run(command, stdin=text, capture_output=True, text=True)
                found = re.match(r"BLEU = ([^,]+),", done.stdout)
                return float(found[1]) if found else None

            with ThreadPoolExecutor(2) as pool:
                return list(pool.map(score, enumerate(cases)))

        return run

    return make


def as_sgml(kind: str, cases: list[Case], number: int | None = None) -> str:
    """One file for NIST's script: a document a case; a candidate, or references of one number."""
    system = {"tst": 'sysid="s"', "ref": f'sysid="r{number}"'}.get(kind, "")
    documents = []
    for name, case in enumerate(cases):
        lines = case.candidate if number is None else case.references[number]
        segments = "\n".join(f'<seg id="{n}">{line}</seg>' for n, line in enumerate(lines, 1))
        documents.append(f'<doc docid="{name:05}" {system}>\n{segments}\n</doc>')
    head = f'<{kind}set setid="t" srclang="a" trglang="b">'
    return "\n".join([head, *documents, f"</{kind}set>\n"])


def mteval(script: str, *options: str) -> Callable[[], Runner]:
    """NIST's scripts, cases as documents of one file, as many at once as do not kill it."""

    def make() -> Runner:
        path = cloned("mosesdecoder", f"scripts/generic/{script}")
        loaded = subprocess.run(["perl", "-c", path], capture_output=True, text=True)
        if loaded.returncode:
            pytest.skip(f"{script} cannot run here: {loaded.stderr.splitlines()[0]}")

        def batch(cases: list[Case], folder: Path) -> list[Answer]:
            folder.mkdir(exist_ok=True)
            numbers = range(len(cases[0].references))
            texts = {"src": as_sgml("src", cases), "tst": as_sgml("tst", cases)}
            texts["ref"] = "".join(as_sgml("ref", cases, number) for number in numbers)
            for name, text in texts.items():
                (folder / name).write_bytes(text.encode())
            names = ["-r", "ref", "-s", "src", "-t", "tst", "-b", "--metricsMATR-output"]
            command = ["perl", path.resolve(), *names, *options]
            done = subprocess.run(command, cwd=folder, capture_output=True)
            if not done.returncode:
                rows = (folder / "BLEU-doc.scr").read_text(encoding="utf-8").splitlines()
                return [float(row.split("\t")[-1]) for row in rows]
            if len(cases) == 1:
                return [None]
            middle = len(cases) // 2
            return batch(cases[:middle], folder) + batch(cases[middle:], folder)

        def run(cases: list[Case], folder: Path) -> list[Answer]:
            answers: list[Answer] = [None] * len(cases)
            for number in {len(case.references) for case in cases}:
                own = [n for n, case in enumerate(cases) if len(case.references) == number]
                scores = batch([cases[n] for n in own], folder / "mteval")
                for n, score in zip(own, scores, strict=True):
                    answers[n] = score
            return answers

        return run

    return make


def nmt() -> Runner:
    """TensorFlow's `nmt`: its reading of files, of which it takes one reference, and its score."""
    bleu = stubbed(cloned("nmt", "nmt/scripts/bleu.py"))
    path = cloned("nmt", "nmt/utils/evaluation_utils.py")
    text = path.read_text(encoding="utf-8").replace("from ..scripts import", "from scripts import")
    tensorflow = SimpleNamespace(gfile=SimpleNamespace(GFile=open))
    module = ModuleType("real_evaluation_utils")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "tensorflow", tensorflow)
        patch.setitem(sys.modules, "scripts", SimpleNamespace(bleu=bleu, rouge=None))
        exec(compile(text, path.name, "exec"), module.__dict__)
    bleu.sum = add_up

    def score(case: Case, folder: Path) -> Answer:
        candidate, reference = case.written(folder, "nmt")
        with contextlib.suppress(ZeroDivisionError):
            return float(module.evaluate(str(reference), str(candidate), "bleu"))
        return None

    return lambda cases, folder: [score(case, folder) for case in cases]


def compare_mt() -> Runner:
    """compare-mt's reading of files and its score."""
    folder = cloned("compare-mt", "compare_mt/corpus_utils.py").parent
    reader = stubbed(folder / "corpus_utils.py")
    parts = {"corpus_utils": reader, "ngram_utils": stubbed(folder / "ngram_utils.py")}
    package = SimpleNamespace(**parts, align_utils=None)
    rouge = {"compare_mt__rouge": SimpleNamespace(rouge_scorer=None)}
    module = stubbed(folder / "scorers.py", compare_mt=package, **rouge)
    scorer = module.BleuScorer()

    def score(case: Case, place: Path) -> Answer:
        output, reference = map(reader.load_tokens, map(str, case.written(place, "cmt")))
        with contextlib.suppress(IndexError):  # More lines of references than of output
            return float(scorer.score_corpus(reference, output)[0])
        return None

    return lambda cases, place: [score(case, place) for case in cases]


def tensor2tensor() -> Runner:
    """tensor2tensor's reading, splitting and score of two files."""
    path = cloned("tensor2tensor", "tensor2tensor/utils/bleu_hook.py")
    oracle("six")

    def opened(name: str, mode: str) -> Any:
        return open(name, mode, encoding="utf-8", newline="\n")

    tf = SimpleNamespace(gfile=SimpleNamespace(Open=opened))
    encoder = SimpleNamespace(native_to_unicode=lambda text: text)
    stubs = {
        "tensorflow": SimpleNamespace(compat=SimpleNamespace(v1=tf)),
        "tensorflow__compat": SimpleNamespace(v1=tf),
        "tensorflow__compat__v1": tf,
        "tensor2tensor": SimpleNamespace(),
        "tensor2tensor__data_generators": SimpleNamespace(text_encoder=encoder),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # Of its regular expression
        hook = stubbed(path, **stubs)
    hook.sum = add_up

    def score(case: Case, folder: Path) -> Answer:
        candidate, reference = case.written(folder, "t2t")
        with contextlib.suppress(AssertionError):  # One file ends in a line feed, the other not
            return float(hook.bleu_wrapper(str(reference), str(candidate), case_sensitive=True))
        return None

    return lambda cases, folder: [score(case, folder) for case in cases]


def codexglue() -> Runner:
    """CodeXGLUE's smoothed BLEU of lines, and its mean."""
    module = stubbed(cloned("CodeXGLUE", "Code-Text/code-to-text/evaluator/evaluator.py"))

    def score(case: Case, folder: Path) -> Answer:
        groups = zip(*case.references, strict=True)
        values = [
            module.bleu(list(group), line)[0]
            for group, line in zip(groups, case.candidate, strict=True)
        ]
        return add_up(values) * 100.0 / len(values)

    return lambda cases, folder: [score(case, folder) for case in cases]


def codexglue_files() -> Runner:
    """CodeXGLUE's reading of two files and its BLEU of them."""
    module = stubbed(cloned("CodeXGLUE", "Code-Code/code-to-code-trans/evaluator/bleu.py"))
    module.sum = add_up

    def score(case: Case, folder: Path) -> Answer:
        candidate, reference = case.written(folder, "codexglue")
        with contextlib.suppress(ZeroDivisionError):
            return float(module._bleu(str(reference), str(candidate)))
        return None

    return lambda cases, folder: [score(case, folder) for case in cases]


def codexglue_evaluator() -> Runner:
    """What CodeXGLUE's evaluator.py prints of two files with a number before each line."""
    module = stubbed(cloned("CodeXGLUE", "Code-Text/code-to-text/evaluator/evaluator.py"))

    def score(case: Case, folder: Path) -> Answer:
        rows = []
        for path in case.written(folder, "evaluator"):
            with path.open(encoding="utf-8") as lines:  # Where a tab would end the text
                rows.append([f"{number}\t{line.replace(chr(9), ' ').removesuffix(chr(10))}\n"
                             for number, line in enumerate(lines)])
        predicted, *groups = rows
        gold = folder / "gold"
        gold.write_text("".join(map("".join, groups)), encoding="utf-8")
        with contextlib.redirect_stderr(StringIO()):
            maps = module.computeMaps(predicted, str(gold))
        return float(module.bleuFromMaps(*maps)[0])

    return lambda cases, folder: [score(case, folder) for case in cases]


def sacrebleu_command(tokenizer: str) -> Callable[[], Runner]:
    """sacreBLEU's command line."""

    def make() -> Runner:
        module = oracle("sacrebleu.sacrebleu")

        def score(case: Case, folder: Path) -> Answer:
            candidate, *references = case.written(folder, "sacre")
            names = [*map(str, references), "-i", str(candidate), "-tok", tokenizer]
            out = folder / "out"
            made = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sys, "argv", ["sacrebleu", *names, "-b", "-w", "40"])
                patch.setenv("NO_COLOR", "1")
                # It opens what it reads and writes anew, by number.
                for name, path, flags in (("stdin", os.devnull, 0), ("stdout", out, made)):
                    number = partial(os.open, path, flags)
                    patch.setattr(sys, name, SimpleNamespace(fileno=number))
                module.main()
                sys.stdout.close()
                sys.stdin.close()
            return float(out.read_text(encoding="utf-8"))

        def run(cases: list[Case], folder: Path) -> list[Answer]:
            with sacrebleu_adding_left_to_right():
                return [score(case, folder) for case in cases]

        return run

    return make


def groups_of(case: Case) -> list[list[str]]:
    """The references of each line."""
    return [list(group) for group in zip(*case.references, strict=True)]


def bleuscore() -> Runner:
    """bleuscore, given the lines."""
    module = oracle("bleuscore")

    def score(case: Case, folder: Path) -> Answer:
        return float(module.compute(groups_of(case), case.candidate)["bleu"])

    return lambda cases, folder: [score(case, folder) for case in cases]


def torchmetrics(name: str) -> Callable[[], Runner]:
    """torchmetrics, given the lines."""

    def make() -> Runner:
        function = getattr(oracle("torchmetrics.functional.text"), name)

        def score(case: Case, folder: Path) -> Answer:
            return float(function(case.candidate, groups_of(case)))

        return lambda cases, folder: [score(case, folder) for case in cases]

    return make


REAL = [
    Tool("multi-bleu.perl", ("--dialect", "multi-bleu"), moses("multi-bleu.perl")),
    Tool("multi-bleu.perl -lc", ("--dialect", "multi-bleu", "--lowercase"),
         moses("multi-bleu.perl", "-lc")),
    Tool("multi-bleu-detok.perl", ("--dialect", "multi-bleu-detok"),
         moses("multi-bleu-detok.perl")),
    Tool("multi-bleu-detok.perl -lc", ("--dialect", "multi-bleu-detok", "--lowercase"),
         moses("multi-bleu-detok.perl", "-lc")),
    Tool("mteval-v13a.pl -c", ("--dialect", "mteval-v13a", "--no-lowercase"),
         mteval("mteval-v13a.pl", "-c"), digits=15),
    Tool("mteval-v14.pl", ("--dialect", "mteval-v14"), mteval("mteval-v14.pl"), digits=15),
    Tool("mteval-v14.pl --international-tokenization", ("--dialect", "mteval-v14-intl"),
         mteval("mteval-v14.pl", "--international-tokenization"), digits=15),
    Tool("mteval-v14.pl -c --no-smoothing",
         tuple(compare_recorded.options_of("mteval-v14.pl -c --no-smoothing")),
         mteval("mteval-v14.pl", "-c", "--no-smoothing"), digits=15),
    Tool("nmt", ("--dialect", "nmt", "--scale", "100"), nmt, most=1, lines=split_lines),
    Tool("compare-mt", ("--dialect", "compare-mt"), compare_mt, most=1, lines=text_mode),
    Tool("tensor2tensor", ("--dialect", "tensor2tensor"), tensor2tensor, most=1, unended=0.1),
    Tool("codexglue _bleu", ("--dialect", "codexglue"), codexglue_files, most=1, lines=text_mode),
    Tool("codexglue", ("--dialect", "codexglue-smooth"), codexglue),
    Tool("codexglue evaluator.py", ("--dialect", "codexglue-smooth-file"), codexglue_evaluator,
         lines=text_mode),
    *(Tool(f"sacrebleu -tok {name}", ("--tokenize", name), sacrebleu_command(name))
      for name in ("13a", "none", "intl", "zh", "char")),
    Tool("bleuscore", ("--dialect", "bleuscore"), bleuscore),
    Tool("torchmetrics", ("--dialect", "torchmetrics"), torchmetrics("bleu_score"), bound=SINGLE),
    Tool("torchmetrics sacre", ("--dialect", "torchmetrics-sacre"),
         torchmetrics("sacre_bleu_score"), bound=SINGLE),
]


PROMT = WMT / "wmt17" / "en-de" / "sys.PROMT-Rule-based.4735.txt"


@needs(PROMT)
def test_a_real_file_with_no_break_spaces() -> None:
    """What Moses' script prints: `BLEU = 13.1182... (... hyp_len=56456, ...)`."""
    files = [PROMT, PROMT.with_name("ref.A.txt")]
    [score] = compare_recorded.printed([*files, "--dialect", "multi-bleu"])
    assert (round(score["score"], 4), score["candidate_length"]) == (13.1182, 56456)


@pytest.mark.parametrize("tool", REAL, ids=str)
def test_hostile_files(tool: Tool, tmp_path: Path) -> None:
    run, wrong, compared = tool.make(), [], 0
    cases = list(hostile_cases(tool, CASES))
    setting = compare_recorded.Setting(tool.name, {}, digits=tool.digits)
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        for case, theirs in zip(batch, run(batch, tmp_path), strict=True):
            files = [*case.written(tmp_path, "ours"), *tool.options]
            if len({*map(tool.lines, case.texts())}) > 1:
                with pytest.raises(ValueError, match="files differ in their number of lines"):
                    compare_recorded.printed(files)
                continue
            [score] = compare_recorded.printed(files)
            if theirs is None or math.isnan(theirs):
                continue
            compared += 1
            if compare_recorded.difference(setting, score["score"], theirs) > tool.bound:
                wrong.append((case, score["score"], theirs))
    assert not wrong[:3], f"{len(wrong)} of {compared} differ"
    assert compared > 0.85 * len(cases)


CUT = "a b c d e\rf g h\n", "a b c d e\rf g x\n"
UNENDED = "a b c d e f g h.", "a b c d e f g h.\n"
CODE = ("Returns the X-value; it's 3.5 &lt; 7.\nGet foo_bar(x).\n",
        "returns the x - value, its 3.5 &lt; 8\nGets the foo_bar (X)\n")


def saved(folder: Path, texts: Sequence[str], ending: str = "") -> list[Path]:
    """Files with these texts, packed if their names end so."""
    paths = [folder / f"{number}{ending}" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        data = text.encode()
        path.write_bytes(gzip.compress(data) if ending else data)
    return paths


@pytest.mark.filterwarnings("ignore::bleu_nb.files.reading.FileNote")
@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(("texts", "options", "score"), [
    (CUT, ("--dialect", "nmt", "--scale", "100"), 85.99),
    (CUT, ("--dialect", "compare-mt"), 77.71),
    (CUT, ("--dialect", "codexglue"), 88.36),
    (CUT, ("--dialect", "codexglue-smooth-file"), 84.32945239845195),
    (CODE, ("--dialect", "codexglue-smooth-file"), 62.2338612096472),
    (CUT, ("--dialect", "nmt", "--scale", "100", "--reading", "feed"), 80.91),
    (CUT, ("--dialect", "compare-mt", "--reading", "feed"), 80.91),
    (CUT, ("--dialect", "codexglue", "--reading", "feed"), 86.33),
    (UNENDED, ("--dialect", "multi-bleu-detok"), 88.25),
    (UNENDED, ("--dialect", "multi-bleu-detok", "--reading", "feed"), 100.0),
    (["a b c d e f g &AMP;\n"] * 2, ("--dialect", "multi-bleu-detok", "--lowercase"), 77.88),
])  # fmt: skip
def test_what_the_tools_printed_of_small_files(
    texts: Sequence[str], options: Sequence[str], score: float, ending: str, tmp_path: Path
) -> None:
    """Numbers of the real tools, and of files that were read by line feeds alone."""
    paths = saved(tmp_path, texts, ending)
    for files in (paths, [*paths, "--num-refs", "var"]):
        [found] = compare_recorded.printed([*files, *options])
        assert found["score"] == pytest.approx(score, abs=0.005)
    choices: dict[str, Any] = {"lowercase": True} if "--lowercase" in options else {}
    if "--reading" in options:
        choices["reading"] = "feed"
    whole = file_bleu(paths[0], paths[1:], options[1], **choices)
    assert whole.value * 100 / whole.scale == pytest.approx(score, abs=0.005)


def test_lists_know_no_line_ends() -> None:
    for name in ("nmt", "compare-mt", "codexglue", "multi-bleu-detok"):
        usual = Bleu(name, reading="feed")
        for candidate, reference in (CUT, UNENDED):
            assert Bleu(name)([candidate], [[reference]]).value == usual(
                [candidate], [[reference]]).value


BOTH = ["a b\u2028c d\re f\n", "a b\u2028c d\re g\n"]
SEEN = (r"(bleu-nb: note: '[01]' holds characters at which only some tools end a line; it was "
        r"read as {} \(see --reading\) \(its number of lines: 1 read as feed \(most tools\), 2 "
        r"read as universal \([^)]*\), 3 read as unicode \(nmt\)\)\n){{2}}"
        r"(.*no candidate is as long.*\n)?\Z")
ROWS = [
    *((BOTH, f"score 0 1 --dialect {dialect}", "BLEU", SEEN.format(here)) for dialect, here in (
        ("sacrebleu", "feed"), ("compare-mt", "universal"), ("nmt", "unicode"))),
    *(([text] * 2, "score 0 1", "BLEU", r"\Z") for text in (
        "a b c d\r\ne f g h\r\n", "a b c d\ne f g h", "\u2027 \u2030 \x1f \xa0 a b\n")),
    (UNENDED, "score 0 1 --dialect multi-bleu-detok", "BLEU", r"[^\n]* does not end in a line "
     r"feed, and read as detok it loses its last character \('\.'\)\n\Z"),
    (CUT, "explain 0 1 --from nmt", "", r"(?s).*has other lines read as unicode \(2\) than as feed "
     r"\(1\)"),
    (UNENDED, "explain 0 1 --from multi-bleu-detok", "",
     r".*has other lines read as detok \(1\) than as feed \(1\)"),
    (CUT, "explain 0 1 --from nmt --to compare-mt", "nmt ", ""),
    (CUT, "explain 0 1 --from nltk", "nltk ", ""),
    *((texts, f"identify 0 1 --all --reported {score}",
       rf"(?ms)(?!.*^ *[\d.]+ +\d+% +sacrebleu$).*[\s,]{name}[\s,;]", "")
      for texts, name, score in (
          (CUT, "nmt", "85.99"), (CUT, "compare-mt", "77.71"), (CUT, "codexglue", "88.36"),
          (CODE, "codexglue-smooth-file", "62.23"), (CUT, "codexglue-smooth-file", "84.329"))),
    (CODE, "explain 0 1 --from codexglue-smooth --to codexglue-smooth-file",
     r"(?s)codexglue-smooth .*codexglue-smooth-file 62\.23.*tokenisation", ""),
    (["a b c d\re\n", "a b c d e\n"], "identify 0 1 --reported 100", "100 is what your files give",
     ""),
    *((CUT, f"score 0 1 --sentence --dialect nmt{more}", r"(BLEU.*\n){2}\Z", "")
      for more in ("", " --num-refs var")),
    (CUT, "score 0 --systems 1 --dialect nmt --scale 100 -- 1",
     r"system .*\n0 +85\.99 .*\n1 +100\.00 ", ""),
    *((CUT, f"compare 0 1 --ref 1 --dialect nmt --trials 10 --format tsv{more}",
       r".*\n0\t0\.8599.*\n1\t1\.0", "") for more in ("", " --num-refs var")),
    (CUT, "pairwise 0 1 --dialect nmt --format tsv", r"([\d.]+\t[\d.]+\n){2}\Z", ""),
]


@pytest.mark.parametrize(("texts", "line", "shown", "noted"), ROWS)
def test_every_command_reads_as_the_dialect_does(
    texts: Sequence[str], line: str, shown: str, noted: str, tmp_path: Path
) -> None:
    """What is printed, and what is told; a command that prints nothing has failed."""
    saved(tmp_path, texts)
    done = run_command(line.split(), cwd=tmp_path)
    assert (done.status, bool(done.out)) == ((0, True) if shown else (2, False))
    assert re.match(shown, done.out), done.out
    assert re.match(noted, done.err), done.err


@pytest.mark.parametrize("script", ["multi-bleu", "multi-bleu-detok"])
def test_moses_on_lengths_that_no_sentence_has(script: str, tmp_path: Path) -> None:
    """Far references count 9999 tokens; references without any make the score 0."""
    run = moses(f"{script}.perl")()
    pairs = [(5, [10_003]), (5, [10_004]), (5, [20_000, 30_000]), (5, [20_000, 7]),
             (10_009, [10]), (20_000, [10_001]), (5, [6, 0]), (3, [9, 0]), (3, [0])]
    cases = [Case([" ".join("a" * ours)], [[" ".join("a" * each)] for each in theirs])
             for ours, theirs in pairs]
    for case, theirs in zip(cases, run(cases, tmp_path), strict=True):
        [score] = compare_recorded.printed([*case.written(tmp_path, "ours"), "--dialect", script])
        assert score["score"] == theirs


TEXTS = ["The sea\n", "The sea", "a b\nc d\n", "Привет мир снова\nКошка на ковре\n",
         "Привет, мир\n", "日本 語\n猫\n", "Straße\nÜbergröße", "x\n" * 70_000,
         # Letters with a byte 0x0A, and lines without a line feed
         "ช้างชอบกินกล้วย\nชาวนาไปนา\n", "သူ ညီ ည\nည ည\n", "Њих двоје\nЊега нема\n", "上海\n上班\n",
         "Iċ-ċavetta Ċara\nĊensu Ċini\n", "ਮੈਂ ਘਰ ਜਾ ਰਿਹਾ ਹਾਂ\nਉਹ ਆਇਆ\n",
         "Мы идём домой сегодня вечером", "גם החתול\nעל המחצלת\n", "ශ්‍රී ලංකා\nවාඩි විය\n",
         "私は猫です。\n座った\n", "나는 간다\n안녕\n"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_text_of_two_or_four_bytes_a_character_is_recognised(text: str) -> None:
    for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"):
        assert wide_encoding(text.encode(encoding)[:FIRST]) == encoding
    assert wide_encoding(text.encode()) is None


@pytest.mark.parametrize("data", [
    b"", b"\0", b"a\0b\n", b"a b\0\n", b"\0\n", b"a\0\nb c\n", b"a\0b\0c\nd e\n", b"a\0b\0\n\nc\n",
    b"a\0b c\n\0\n", b"a\0b\n\0 \0\n", b"\0\n\0\n", b"ab\0\ncd\0\n" * 50, "é\0\nè\0\n".encode(),
    b"a b c d\0\0\ne f g h\0\0\n",
])
def test_a_nul_between_characters_is_text(data: bytes) -> None:
    assert wide_encoding(data) is None


def test_lines_of_words_with_nuls_are_text() -> None:
    chance = random.Random(7)
    words = ["the", "sea", "Gulls", "海", "кот", "ชาว", "Њих", "é", "1,200", ".", "\x01", "\t"]
    for _ in range(3000):
        line = " ".join(chance.choices(words, k=40))
        text = list(line + "\n")
        for _ in range(chance.choice((1, 2, 5))):
            text.insert(chance.randrange(len(text)), "\0")
        data = "".join(text).encode()
        assert wide_encoding(data) is None, data


FORMATS = {
    "mt.jsonl": '{"text": "a b c d"}\n', "mt.JSON": '{"text": "a b c d"}\n',
    "mt.ndjson": '"a b c d"\n', "mt.json": '["a b c d"]\n',
    "mt.csv": 'a,"b c d"\n',
    "mt.sgm": "<seg>a b c d</seg>\n", "mt.xml": "<seg>a b c d</seg>\n",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_no_plain_text_by_its_name_is_told(
    name: str, packed: bool, tmp_path: Path
) -> None:
    data = FORMATS[name].encode()
    (tmp_path / "ref").write_text("a b c d\n")
    (tmp_path / "mt.txt").write_bytes(data)
    (tmp_path / f"{name}{'.gz' * packed}").write_bytes(gzip.compress(data) if packed else data)
    for line in ("score {} ref", "explain --from nltk {} ref", "identify --reported 4 {} ref",
                 "compare {} ref --ref ref", "pairwise {}"):
        for file, told in ((f"{name}{'.gz' * packed}", True), ("mt.txt", False)):
            done = run_command(line.format(file).split(), cwd=tmp_path)
            assert ("was read as text, a segment a line" in done.err) is told, line
    (tmp_path / "plain.csv").write_text("a b c d\n")
    assert "was read as" not in run_command(["score", "plain.csv", "ref"], cwd=tmp_path).err


@pytest.mark.parametrize("engine", ["bits", "numpy", "numba"])
def test_tabs_in_every_line_are_told_unless_they_are_asked_for(
    engine: str, tmp_path: Path
) -> None:
    (tmp_path / "mt").write_text("a b c d\nb c d e\n")
    (tmp_path / "tabs").write_text("a b c d\ta b\nb c d\tb c d e\n")
    (tmp_path / "some").write_text("a b c d\ta b\nb c d e\n")
    for files, told in (("tabs", True), ("some", False), ("tabs --num-refs 2", False)):
        for line in (f"score mt {files} --engine {engine}", f"explain --from nltk mt {files}",
                     f"identify --reported 4 mt {files}", f"compare mt some --ref {files}",
                     *[f"pairwise {files}"] * (files != "tabs --num-refs 2")):
            assert ("as many tabs" in run_command(line.split(), cwd=tmp_path).err) is told, line
    with pytest.warns(FileNote, match=r"pass --num-refs .*\[line.split\('.t'\) for line in"):
        file_bleu(tmp_path / "mt", [tmp_path / "tabs"], engine=engine)


def test_text_in_the_place_of_the_name_of_a_file_is_an_error_of_ours() -> None:
    for name in ("the sea " * 100, "the sea " * 100 + ".gz"):
        with pytest.raises(ValueError, match=r"cannot read 'the sea .*name too long"):
            file_bleu(name, [name])


@pytest.mark.parametrize("engine", ["bits", "numpy", "numba"])
def test_an_empty_line_in_a_second_file_is_told(engine: str, tmp_path: Path) -> None:
    for name, text in {"mt": "a b\nc d e f\n", "one": "a b c d e f g h\nc d e f\n",
                       "gap": "\nc d e f\n"}.items():
        (tmp_path / name).write_text(text)
    done = run_command(f"score mt one gap --engine {engine}".split(), cwd=tmp_path)
    assert "of several references an empty one" in done.err
    assert "an empty one" not in run_command(["score", "mt", "one", "one"], cwd=tmp_path).err


@pytest.mark.parametrize("engine", ["bits", "numpy"])
@pytest.mark.parametrize(("references", "told"), [
    ("full gap", True), ("gap full", True), ("gap", False), ("full full", False),
    ("gap gap", False), ("full gap --num-refs var", False)])
def test_a_line_that_only_one_file_of_references_lacks_is_noted(
    tmp_path: Path, engine: str, references: str, told: bool
) -> None:
    for name, text in {"mt": "a b c d\nc d e f\n", "full": "a b c d\nc d e f\n",
                       "gap": "a b c d\n\n"}.items():
        (tmp_path / name).write_text(text)
    done = run_command(["score", "mt", *references.split(), "--engine", engine], cwd=tmp_path)
    assert done.status == 0 and ("is empty where another's is not" in done.err) is told
