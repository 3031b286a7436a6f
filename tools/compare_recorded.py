"""Compare every recorded setting of every tool with its dialect.

Run it as `python tools/compare_recorded.py FILE`.

FILE is JSON, packed by gzip or not, of one of two kinds. Of the first, `cases` hold text and
tokens; `configs` name a tool, its settings and its answer to each case: `hex`, or `scores` in
decimal digits, parallel to the cases. An answer is a number or a list of numbers; it is null where
the tool raised, as `errors` tells, and "nan" where it returned that. In neither case is there a
number to compare: what this package answers instead is printed, and has to be a score or a
`ValueError` that says why not.

Of the second kind, each of the `cases` holds files, as base64: a `candidate`, its `references`, and
the `answers` of command lines to them: a `value`, perhaps lengths (`hyp_len`, `ref_len`) and
`segments`, or an `error`. They are compared with what `bleu-nb score` prints for the same files
(with `--keep-bom`: these tools count a byte order mark as a character).

The exit status is 0 if every setting holds, 1 if one does not, and 2 if the file cannot be read.
"""

import base64
import contextlib
import gzip
import io
import json
import math
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bleu_nb import Bleu
from bleu_nb.cli import command as cli

Values = list[float]

EXACT = 0.0  # Equal to the last bit
SINGLE = 1.2e-7  # A step of single precision at 1: the tool computes in it, with torch's logarithm
LAST_BIT = 2.0**-52  # A step of double precision at 1: doubles, but torch's own logarithm

NOT_ASKED = ("not run",)  # The tool takes one reference, and the case has several
CASE = ("case_id", "hyps_raw", "refs_raw", "hyps_tok", "refs_tok")
FILE_CASE = ("case", "candidate", "references", "answers")
CONFIG = ("impl", "params", "scores")


@dataclass(frozen=True)
class Setting:
    """How one recorded setting of a tool is said in this package."""

    dialect: str
    choices: dict[str, Any]
    tokens: bool = False  # Score the recorded tokens rather than the raw text?
    segments: bool = False  # Is a score per segment recorded?
    orders: tuple[int, ...] = ()  # Are scores of several highest orders recorded?
    weights: tuple[tuple[float, ...], ...] = ()  # Or of several weight vectors?
    bound: float = EXACT  # Largest difference allowed
    digits: int | None = None  # How many significant digits are printed, if not all


@dataclass(frozen=True)
class Row:
    """What became of the cases of one setting."""

    name: str
    cases: int = 0  # With a recorded number
    equal: int = 0  # To the last bit, or to the last printed digit
    largest: float = 0.0  # Absolute difference
    bound: float = EXACT  # Largest difference allowed
    remarks: tuple[str, ...] = ()  # What is answered where the tool has no number
    wrong: tuple[str, ...] = ()  # Why the setting does not hold

    @property
    def holds(self) -> bool:
        """Is every answer what it should be?"""
        return not self.wrong


NLTK = {f"method{number}": f"nltk-{number}" for number in range(8)}
NLTK_VERSIONS = {
    "3.2.5": "nltk-3.2",
    "3.3": "nltk-3.3",
    "3.4": "nltk-3.4",
    "3.5": "nltk-3.5",
    "3.6.2": "nltk-3.6",
    "3.8.1": "nltk-3.8",
    "3.10.4": "nltk",
}
IGNITE = {
    "no_smooth": "ignite",
    "smooth1": "ignite-smooth1",
    "nltk_smooth2": "ignite-nltk_smooth2",
    "smooth2": "ignite-smooth2",
}


def of_nltk(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of nltk, in any of its versions."""
    choices: dict[str, Any] = {"smoothing": NLTK[params["smoothing"]]}
    for name in {"epsilon", "alpha", "k"} & params.keys():
        choices["smoothing_value"] = params[name]
    if params.get("auto_reweigh"):
        choices["reweigh"] = True
    if impl == "nltk.sentence_bleu(mean)":
        choices["average"] = "segments"
    weights = params.get("weights", ())
    if weights and not isinstance(weights[0], list):
        weights = [weights]
    return Setting(NLTK_VERSIONS[params["version"]], choices, tokens=True,
                   weights=tuple(tuple(each) for each in weights))  # fmt: skip


def of_sacrebleu(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of sacreBLEU."""
    if impl == "sacrebleu.raw_corpus_bleu":
        return Setting("sacrebleu-raw", {})
    names = {
        "tokenize": "tokenizer",
        "smooth_method": "smoothing",
        "smooth_value": "smoothing_value",
        "max_ngram_order": "max_order",
        "lowercase": "lowercase",
    }
    choices = {names[name]: value for name, value in params.items() if name in names}
    if impl == "sacrebleu.sentence_bleu":
        return Setting("sacrebleu", choices, segments=True)
    if params.get("effective_order"):
        choices["effective_order"] = "always"
    return Setting("sacrebleu-1" if params.get("version") == "1.5.1" else "sacrebleu", choices)


def of_torch(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of torchtext, torchmetrics or torcheval."""
    choices: dict[str, Any] = {}
    order = params.get("max_n", params.get("n_gram"))
    if order:
        choices["max_order"] = order
    if "weights" in params:
        choices["weights"] = tuple(params["weights"])
    if params.get("smooth"):
        choices["smoothing"] = "add-k"
    if "tokenize" in params:
        choices["tokenizer"] = params["tokenize"]
    if params.get("lowercase"):
        choices["lowercase"] = True
    if impl.startswith("torchtext"):
        return Setting("torchtext", choices, tokens=True, bound=SINGLE)
    if impl.startswith("torcheval"):
        if "class" in impl:
            return Setting("torcheval-class", choices, bound=LAST_BIT)
        return Setting("torcheval", choices, bound=SINGLE)
    sacre = "sacre" in impl
    return Setting("torchmetrics-sacre" if sacre else "torchmetrics", choices, bound=SINGLE)


def of_ignite(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of pytorch-ignite."""
    name, micro = IGNITE[params["smooth"]], params["average"] == "micro"
    choices: dict[str, Any] = {"max_order": params.get("ngram", 4)}
    if micro and name == "ignite":
        return Setting("ignite-micro", choices, tokens=True)
    if micro:
        choices["average"] = "pooled"
    return Setting(name, choices, tokens=True)


def of_nmt(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of TensorFlow's nmt or of Hugging Face's bleu."""
    choices: dict[str, Any] = {"max_order": params.get("max_order", 4)}
    if params["smooth"]:
        choices["smoothing"] = "add-1"
    if impl == "evaluate.bleu":
        return Setting("huggingface", choices)
    return Setting("nmt", choices, tokens=True)


def of_bleuscore(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of bleuscore."""
    choices: dict[str, Any] = {"reference_length": params["ref_len_method"]}
    if params["smooth"]:
        choices["smoothing"] = "add-1"
    return Setting("bleuscore", {**choices, "max_order": params.get("max_order", 4)})


def of_fast_bleu(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of fast-bleu, whose smoothing 0 underflows to 0."""
    choices: dict[str, Any] = {} if params["smoothing_func"] else {"smoothing": "none"}
    if "weights" in params:
        choices["weights"] = tuple(params["weights"])
    return Setting("fast-bleu", choices, tokens=True, segments=True)


def of_coco(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of the COCO caption tools."""
    segments = params.get("level") == "segment"
    orders = () if segments else (1, 2, 3, 4)
    choices = {"reference_length": params["option"]}
    return Setting("coco", choices, tokens=True, segments=segments, orders=orders)


def of_mteval(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of NIST's script, which prints 15 significant digits here."""
    options = params["options"].split()
    choices: dict[str, Any] = {"lowercase": "-c" not in options}
    if "--no-smoothing" in options:
        choices["smoothing"] = "none"
    if "shortest" in options:
        choices["reference_length"] = "shortest"
    name = impl.removesuffix(".pl") + ("-intl" if "--international-tokenization" in options else "")
    return Setting(name, choices, segments=params["level"] == "segment", digits=15)


def of_multi_bleu(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of Moses' scripts, with all digits or with two."""
    name = impl.removeprefix("moses.").removesuffix(".perl")
    choices: dict[str, Any] = {"lowercase": params["lc"]}
    if "official" in params["output"]:
        choices["digits"] = 2
    return Setting(name, choices)


def of_keras(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of keras-hub; the other tokenizer than its own is TensorFlow's."""
    choices: dict[str, Any] = {"smoothing": "add-1"} if params.get("smooth") else {}
    if params["tokenizer"] != "default":
        choices["tokenizer"] = "ascii-space"
    return Setting("keras-hub", choices, bound=SINGLE)


def of_t2t(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of tensor2tensor, which computes in double precision and rounds the result."""
    return Setting("tensor2tensor", {}, tokens=params["tokens"] == "whitespace")


def of_fairseq(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of fairseq."""
    choices = {"smoothing": "add-k"} if params.get("one_init") else {}
    return Setting("fairseq", choices, tokens=True)


def of_codexglue_smooth(impl: str, params: dict[str, Any]) -> Setting:
    """A setting of CodeXGLUE's smooth_bleu."""
    if params["nonorm"]:
        return Setting("codexglue-smooth", {"tokenizer": "none", "lowercase": False})
    return Setting("codexglue-smooth", {})


SETTINGS: dict[str, Callable[[str, dict[str, Any]], Setting]] = {
    "nltk": of_nltk,
    "sacrebleu": of_sacrebleu,
    "torchtext": of_torch,
    "torchmetrics": of_torch,
    "torcheval": of_torch,
    "ignite": of_ignite,
    "tensorflow-nmt": of_nmt,
    "evaluate.bleu": of_nmt,
    "evaluate.google_bleu": lambda impl, params: Setting("google-bleu", {}),
    "evaluate.sacrebleu": lambda impl, params: Setting("sacrebleu", {}),
    "codexglue.bleu": lambda impl, params: Setting("codexglue", {}, tokens=True),
    "codexglue.smooth_bleu": of_codexglue_smooth,
    "bleuscore": of_bleuscore,
    "fast_bleu": of_fast_bleu,
    "pycocoevalcap": of_coco,
    "codebleu": lambda impl, params: Setting("codebleu", {}, tokens=True),
    "tensor2tensor": of_t2t,
    "fairseq": of_fairseq,
    "allennlp": lambda impl, params: Setting("allennlp", {}, tokens=True),
    "compare_mt": lambda impl, params: Setting("compare-mt", {}, tokens=True),
    "keras_hub": of_keras,
    "moses": of_multi_bleu,
    "mteval": of_mteval,
}


def setting_of(impl: str, params: dict[str, Any]) -> Setting:
    """The setting that a recorded configuration describes."""
    names = [name for name in SETTINGS if impl.startswith(name)]
    if not names:
        raise ValueError(f"no dialect for the tool {impl!r}; there are {', '.join(SETTINGS)}")
    try:
        return SETTINGS[max(names, key=len)](impl, params)
    except (KeyError, TypeError) as error:
        raise ValueError(f"settings of {impl} that are not understood: {error}") from error


def is_imitated(config: dict[str, Any]) -> bool:
    """Whether a dialect is a recorded setting: none averages reference lengths, as COCO's can."""
    return bool(config["params"].get("option") != "average")


def scores(setting: Setting, case: dict[str, Any]) -> Values:
    """Our scores of one case: of the corpus, or of each segment, order or weight vector."""
    kind = "tok" if setting.tokens else "raw"
    candidates, references = case[f"hyps_{kind}"], case[f"refs_{kind}"]
    variants: Iterable[dict[str, Any]] = [{}]
    if setting.orders:
        variants = [{"max_order": order} for order in setting.orders]
    if setting.weights:
        longest = max(map(len, setting.weights))
        variants = [
            {"weights": (*each, *[0.0] * (longest - len(each)))} for each in setting.weights
        ]
    values: Values = []
    for variant in variants:
        metric = Bleu(setting.dialect, **setting.choices, **variant)
        if setting.segments:
            values += [each.value for each in metric.count(candidates, references).sentences()]
        else:
            values.append(metric(candidates, references).value)
    return values


def answer(setting: Setting, case: dict[str, Any]) -> Values | str:
    """Our scores of one case, or the name of the error that says why there are none."""
    try:
        return scores(setting, case)
    except (ValueError, ImportError) as error:
        kind = ValueError if isinstance(error, ValueError) else ImportError
        return f"{kind.__name__}: {error}"


def as_values(recorded: Any) -> Values:
    """A recorded number, or several, from hexadecimal or decimal digits."""
    if isinstance(recorded, list):
        return [value for each in recorded for value in as_values(each)]
    if isinstance(recorded, str) and "0x" in recorded:
        return [float.fromhex(recorded)]
    return [math.nan if recorded is None else float(recorded)]


def difference(setting: Setting, ours: float, theirs: float) -> float:
    """Absolute difference, 0 where only digits that the tool does not print differ."""
    if ours == theirs:
        return 0.0
    if setting.digits and f"{ours:.{setting.digits}g}" == f"{theirs:.{setting.digits}g}":
        return 0.0
    return abs(ours - theirs) if math.isfinite(ours) and math.isfinite(theirs) else math.inf


def answers(config: dict[str, Any]) -> list[Any]:
    """The recorded answers of a setting; `scores` has those that have no hexadecimal digits."""
    decimal = config["scores"]
    exact = config["hex"] if "hex" in config else [None] * len(decimal)
    return [
        number if digits is None else digits for digits, number in zip(exact, decimal, strict=True)
    ]


def shown(ours: Values | str) -> str:
    """Our answer in few characters."""
    return ours.partition(":")[0] if isinstance(ours, str) else " ".join(f"{v:g}" for v in ours)


def compare(config: dict[str, Any], cases: list[dict[str, Any]]) -> Row:
    """Compare one recorded setting on all cases."""
    params = ", ".join(f"{name}={value}" for name, value in config["params"].items())
    name = f"{config['impl']} ({params})"
    errors = config.get("errors") or {}
    try:
        setting = setting_of(config["impl"], config["params"])
        recorded = list(zip(cases, answers(config), strict=True))
    except ValueError as error:
        return Row(name, wrong=(str(error),))
    differences: Values = []
    remarks: Counter[str] = Counter()
    wrong: list[str] = []
    for case, each in recorded:
        place = case["case_id"]
        reason = str(errors.get(place, "no answer")).partition(":")[0]
        if each is None and reason in NOT_ASKED:
            remarks[reason] += 1
            continue
        theirs, ours = as_values(each), answer(setting, case)
        if any(map(math.isnan, theirs)):
            remarks[f"{reason if each is None else 'nan'}, here {shown(ours)}"] += 1
        if isinstance(ours, str):
            if each is not None or not ours.startswith("ValueError"):
                wrong.append(f"{place}: {ours}; the tool: {each}")
            continue
        if each is None:
            theirs = [math.nan] * len(ours)
        if len(ours) != len(theirs) or not all(map(math.isfinite, ours)):
            wrong.append(f"{place}: {ours}; the tool: {each}")
            continue
        pairs = [pair for pair in zip(ours, theirs, strict=True) if not math.isnan(pair[1])]
        if each is not None and pairs:
            differences.append(max(difference(setting, *pair) for pair in pairs))
            if differences[-1] > setting.bound:
                wrong.append(f"{place}: {ours}; the tool: {theirs}")
    return Row(
        name,
        len(differences),
        differences.count(0.0),
        max(differences, default=0.0),
        setting.bound,
        tuple(f"{number} x {remark}" for remark, number in remarks.items()),
        tuple(wrong),
    )


def options_of(tool: str) -> list[str]:
    """The options of `bleu-nb score` that ask for what a recorded command line printed."""
    name, *rest = tool.replace("sacrebleu command line", "sacrebleu").split(" ")
    dialect = re.sub(r"^tensorflow/|\.(perl|pl)$", "", name)
    options = []
    if "--international-tokenization" in rest:
        dialect += "-intl"
    if dialect.startswith("mteval"):
        options += ["--no-lowercase"] * ("-c" in rest)
        options += ["--smoothing", "none"] * ("--no-smoothing" in rest)
    options += ["--lowercase"] * ("-lc" in rest)
    if "-tok" in rest:
        options += ["--tokenize", rest[rest.index("-tok") + 1]]
    return ["--dialect", dialect, *options]


def printed(arguments: Iterable[str | Path]) -> list[dict[str, Any]]:
    """What `bleu-nb score` prints as JSON; `ValueError` with its complaint if it has none."""
    out, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaint):
        status = cli.main(["score", *map(str, arguments), "--keep-bom", "--format", "json"])
    if status:
        raise ValueError(complaint.getvalue().strip())
    return [json.loads(line) for line in out.getvalue().split("\n") if line]


def file_values(files: list[Path], tool: str, answer: dict[str, Any]) -> Values:
    """Our numbers in the order of `file_answers`."""
    options = [*files, *options_of(tool)]
    [score] = printed(options)
    values = [score["score"]]
    if answer.get("ref_len"):
        values += [score["candidate_length"], score["reference_length"]]
    if "segments" in answer:
        values += [segment["score"] for segment in printed([*options, "--sentence"])]
    return values


def file_answers(answer: dict[str, Any]) -> Values:
    """The recorded numbers; where no reference has a token, Moses' scripts print no lengths."""
    lengths = [answer["hyp_len"], answer["ref_len"]] if answer.get("ref_len") else []
    return [answer["value"], *lengths, *answer.get("segments", [])]


def compare_files(tool: str, cases: list[dict[str, Any]]) -> Row:
    """Compare what one command line printed for files with what ours does."""
    setting = Setting(tool, {}, digits=15 if tool.startswith("mteval") else None)
    differences: Values = []
    remarks: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            if tool not in case["answers"]:
                remarks[NOT_ASKED[0]] += 1
                continue
            theirs = case["answers"][tool]
            files = []
            for number, content in enumerate([case["candidate"], *case["references"]]):
                files.append(Path(folder) / str(number))
                files[-1].write_bytes(base64.b64decode(content))
            try:
                ours: Values | str = file_values(files, tool, theirs)
            except ValueError as error:
                ours = f"ValueError: {error}"
            if "error" in theirs:
                kind = shown(ours) if isinstance(ours, str) else "a score"
                remarks[f"{theirs['error'].partition(' at /')[0]}, here {kind}"] += 1
                continue
            expected = file_answers(theirs)
            if isinstance(ours, str) or len(ours) != len(expected):
                wrong.append(f"{case['case']}: {ours}; the tool: {expected}")
                continue
            pairs = zip(ours, expected, strict=True)
            differences.append(max(difference(setting, *pair) for pair in pairs))
            if differences[-1]:
                wrong.append(f"{case['case']}: {ours}; the tool: {expected}")
    return Row(
        tool,
        len(differences),
        differences.count(0.0),
        max(differences, default=0.0),
        remarks=tuple(f"{number} x {remark}" for remark, number in remarks.items()),
        wrong=tuple(wrong),
    )


def load(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The settings and the cases of a file of recorded answers; no settings if it has files."""
    packed = path.read_bytes()
    try:
        text = gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed
        content = json.loads(text)
        cases = content["cases"]
        if cases and all(name in case for case in cases for name in FILE_CASE):
            return [], cases
        configs = content["configs"]
        missing = [name for case in cases for name in CASE if name not in case]
        missing += [name for config in configs for name in CONFIG if name not in config]
    except (EOFError, OSError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no recorded answers: {error!r}") from error
    if missing or not configs:
        raise ValueError(f"{path} holds no recorded answers: no {(missing or ['configs'])[0]}")
    return configs, cases


def table(path: Path) -> list[Row]:
    """A row for each setting of a file of recorded answers."""
    configs, cases = load(path)
    if configs:
        return [compare(config, cases) for config in configs if is_imitated(config)]
    tools = {tool: None for case in cases for tool in case["answers"]}
    return [compare_files(tool, cases) for tool in tools]


def by_tool(rows: list[Row]) -> str:
    """The table that chapter 2.5 shows: a line of Markdown per tool."""
    lines = ["| tool | settings | answers | equal | largest difference |", "|---|--:|--:|--:|--:|"]
    tools: dict[str, list[Row]] = {}
    for row in rows:
        tools.setdefault(re.split(r"[. (]", row.name)[0], []).append(row)
    for tool, own in tools.items():
        cases, equal = sum(row.cases for row in own), sum(row.equal for row in own)
        largest = max(row.largest for row in own)
        shown = f"{largest:.0e}" if largest else "0"
        lines.append(f"| {tool} | {len(own)} | {cases:,} | {equal:,} | {shown} |")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Print the table; 0 only if every setting holds."""
    if len(argv) != 2:
        print("usage: python tools/compare_recorded.py FILE", file=sys.stderr)
        return 2
    try:
        rows = table(Path(argv[1]))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print("      equal  largest    bound  tool and setting")
    for row in rows:
        mark = "ok " if row.holds else "NOT"
        numbers = f"{row.equal:4}/{row.cases:<4} {row.largest:8.1e} {row.bound:8.1e}"
        print(f"{mark} {numbers}  {row.name}")
        for remark in row.remarks:
            print(f"{'':31}{remark}")
        for reason in row.wrong[:3]:
            print(f"{'':31}{reason}")
    exact = sum(row.bound == EXACT for row in rows if row.holds)
    holding = sum(row.holds for row in rows)
    print(
        f"{holding} of {len(rows)} settings hold, {exact} of them to the last bit or printed digit"
    )
    return 0 if holding == len(rows) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
