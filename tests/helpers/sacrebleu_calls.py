"""Random programs that use sacreBLEU's metric, to be run by sacreBLEU and by the drop-in.

A program makes a metric, perhaps of a subclass that replaces a step, changes it, assigns names in
sacreBLEU's modules, and calls the metric with usual, odd and wrong arguments. Results, errors, the
log, attributes and the calls of its own functions are compared.

`PYTHONPATH=tests/helpers python tests/helpers/sacrebleu_calls.py 3000` compares that many. With
`kept` after the number, the programs keep their references.
"""

import copy
import logging
import pickle
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import _get_tokenizer

LINES = [
    "The dog bit the man.", "It was not unexpected.", "the man had bitten the dog .", "A b c d e f",
    "", " ", "a", "a b .", "Don't (stop)! 3.5, 12-13", "&quot;x&quot; &amp;lt; y-\nz", "one\ntwo",
    "\u6771\u4eac tower 12,5 \u5927\u962a", "x\u2003y\u00a0z\x1c w", "\ufeffa b c",
    "\u0130I \u00df", "a b c d e f g h i j", "a b c d a b c d a b", "the the the the the the"]
ODD: list[Any] = [None, 3, b"a b", ["a", "b"], "\ud800 a", float("nan"),
                  type("Text", (str,), {})("a b c")]
TOKENIZERS = [None, None, None, "13a", "none", "intl", "char", "zh", "ja-mecab", "ko-mecab", "14a"]
CALLS: list[str] = []  # Of the functions of a program


class Halves:
    """A tokenizer of somebody's own."""

    def signature(self) -> str:
        """Its name."""
        return "halves"

    def __call__(self, line: str) -> Any:
        CALLS.append("tokenizer")
        return line.replace("a", "a ")


class OwnScore:
    """A score without the attributes of sacreBLEU's."""

    def __init__(self, value: float) -> None:
        self.value = value

    def format(self) -> str:
        """Print it."""
        return f"{self.value:.3f}"

    __str__ = format


class Tokenizer13a(Halves):
    """Another one, which has the name of one of sacreBLEU's."""


def split_words(line: str) -> Any:
    """A function that makes a list, which sacreBLEU cannot split."""
    return line.split()


STEPS: dict[str, Callable[..., Any]] = {  # How one step of a metric is replaced
    "_preprocess_segment": lambda usual, text: usual(text).partition("c")[0],
    "_extract_reference_info": lambda usual, texts: usual(texts[:1]),
    "_compute_segment_statistics": lambda usual, *given: [1 + each for each in usual(*given)],
    "_get_closest_ref_len": lambda usual, length, lengths: max(lengths),
    "_cache_references": lambda usual, streams: usual([each[::-1] for each in streams]),
    "_extract_corpus_statistics": lambda usual, *given: usual(*given)[:-1] or usual(*given),
    "_compute_score_from_stats": lambda usual, stats: usual([2 * each for each in stats]),
    "_aggregate_and_compute": lambda usual, stats: usual(stats[:2]),
    "_check_corpus_score_args": lambda usual, *given: None,
}
RESULTS: dict[str, Callable[[Any], Any]] = {    # What the last step returns instead of a score
    "a share": lambda score: score.score / 100,
    "a list": lambda score: [score.score, *score.precisions],
    "no score": lambda score: None,
    "a score of its own": lambda score: OwnScore(score.score),
}


def subclass(base: Any, kind: str) -> Any:
    """A metric's class, or one that replaces a step, the result or the constructor."""
    def step(self: Any, *given: Any) -> Any:
        CALLS.append(kind)
        return STEPS[kind](lambda *some: getattr(super(made, self), kind)(*some), *given)

    def result(self: Any, stats: Any) -> Any:
        return RESULTS[kind](super(made, self)._aggregate_and_compute(stats))

    def constructor(self: Any, **settings: Any) -> None:
        Metric.__init__(self)
        vars(self).update({"lowercase": False, "smooth_method": "exp", "smooth_value": None,
                           "max_ngram_order": 4, "effective_order": False, **settings})
        self.tokenizer = _get_tokenizer("13a")()

    members: dict[str, Any] = {"its constructor": {"__init__": constructor}}.get(kind, {})
    if kind in STEPS:
        members = {kind: step}
    if kind in RESULTS:
        members = {"_aggregate_and_compute": result}
    made = type("Changed", (base,), members)
    return made if kind else base


OUTSIDE: dict[tuple[str, str], Callable[[Any], Any]] = {    # Names assigned in modules
    ("metrics.bleu", "_get_tokenizer"): lambda usual: lambda name: Halves,
    ("metrics.bleu", "extract_all_word_ngrams"): lambda usual: (
        lambda line, *orders: usual(line.lower(), *orders)),
    ("metrics.bleu", "my_log"): lambda usual: lambda number: usual(number) / 2,
    ("metrics.bleu", "sum_of_lists"): lambda usual: lambda lists: usual([*lists, lists[0]]),
    ("metrics.bleu", "BLEUScore"): lambda usual: type("Better", (usual,), {}),
    ("metrics.bleu", "no_such_name"): lambda usual: 3,
    ("metrics.helpers", "extract_all_word_ngrams"): lambda usual: None,
    ("tokenizers.tokenizer_13a", "TokenizerRegexp"): lambda usual: lambda: str.lower,
    ("significance", "_bootstrap_resample"): lambda usual: (
        lambda stats, metric, number: usual(stats[:1], metric, number)),
    ("compat", "BLEU"): lambda usual: lambda **settings: usual(**{**settings, "lowercase": True}),
    ("", "BLEU"): lambda usual: None,
}


def pick_lines(draw: random.Random, number: int, odd: float = 0.0) -> list[Any]:
    """Some segments, a few of which may be odd."""
    return [draw.choice(ODD) if draw.random() < odd else " ".join(
        draw.choices(LINES, k=draw.choice([1, 1, 2, 3]))) for _ in range(number)]


def pick_streams(draw: random.Random, number: int) -> Any:
    """References, mostly in streams that are as long as the corpus."""
    odd = draw.choice([0, 0, 0, 0.05])
    sizes = [number + draw.choice([0] * 12 + [1, -1, 3]) for _ in range(draw.choice([1, 1, 2, 3]))]
    streams: Any = [pick_lines(draw, max(0, size), odd) for size in sizes]
    if draw.random() < 0.2:
        streams.append([draw.choice([None, "", "a b"]) for _ in range(number)])
    if draw.random() < 0.12:
        streams = draw.choice([
            streams[0], "a b", [], [[]], None, [*map(tuple, streams)], [*map(Lazy, streams)],
            Lazy(streams), [*zip(*streams, strict=False)], tuple(streams)])
    return streams


class Lazy:
    """A list that is passed as an iterator."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values


def fresh(value: Any) -> Any:
    """Arguments of a call of their own, with iterators that are not used up."""
    if isinstance(value, Lazy):
        return iter(fresh(value.values))
    if isinstance(value, (list, tuple)):
        return type(value)(map(fresh, value))
    return value


Step = tuple[str, Any]


BETWEEN: list[list[Step]] = [
    [], [],
    *[[("change", change)] for change in (
        ("tokenizer", Halves()), ("tokenizer", Tokenizer13a()), ("tokenizer", str.upper),
        ("tokenizer", split_words), ("lowercase", True), ("max_ngram_order", 2),
        ("tokenizer", _get_tokenizer("char")()), ("tokenizer", _get_tokenizer("intl")()),
        ("smooth_method", "floor"), ("smooth_value", 0.5), ("effective_order", True),
        ("_force", True), ("references", None), ("_ref_cache", None))],
    *[[("patch", step)] for step in STEPS],
    *[[("copy", way)] for way in ("copy", "deepcopy", "pickle", "vars", "setattr")],
    *[[("assign", place)] for place in OUTSIDE],
    [("cache", None)], [("spoil", None)]]  # fmt: skip


def make_program(draw: random.Random) -> list[Step]:
    """What a program does: the name of a step, and what it is given."""
    number = draw.choice([0, 1, 1, 1, 2, 2, 3, 5, 9, 120])
    settings = {
        "lowercase": draw.choice([False, False, True, "yes"]), "force": draw.random() < 0.1,
        "tokenize": draw.choice(TOKENIZERS), "effective_order": draw.random() < 0.3,
        "smooth_method": draw.choice(["exp"] * 5 + ["floor", "add-k", "none", "laplace"]),
        "smooth_value": draw.choice([None, None, 0.5, 2, -1]),
        "max_ngram_order": draw.choice([4] * 6 + [1, 2, 6, 0, -1, "4", None, True, 2.0]),
        "trg_lang": draw.choice(["", "", "zh", "ja"]),
        "references": draw.choice([None, pick_streams(draw, number)])}
    chosen = {name: settings[name] for name in settings if draw.random() < 0.35}
    kinds = ["nothing", "its constructor", *STEPS, *RESULTS]
    steps: list[Step] = [("assign", draw.choice([*OUTSIDE]))] if draw.random() < 0.1 else []
    steps.append(("make", (draw.choice([""] * 6 + kinds), chosen)))
    for _ in range(draw.randint(1, 4)):
        size = max(0, number + draw.choice([0] * 9 + [1, -1]))
        hypotheses: Any = pick_lines(draw, size, draw.choice([0, 0, 0, 0.05]))
        if draw.random() < 0.05:
            hypotheses = draw.choice([tuple(hypotheses), "a b", None, 3, Lazy(hypotheses), []])
        streams = None if "references" in chosen and draw.random() < 0.7 else (
            pick_streams(draw, number))
        steps += draw.choice(BETWEEN) if draw.random() < 0.5 else []
        steps.append(draw.choice([
            *[("corpus_score", (hypotheses, streams, draw.choice([1, 1, 1, 7])))] * 5,
            ("_extract_corpus_statistics", (hypotheses, streams)),
            ("sentence_score", (*pick_lines(draw, 1, 0.05), pick_lines(draw, 2, 0.05))),
            ("sentence_score", ("a b c d", draw.choice([["a b c d", None], [], "a", None, [3]]))),
            ("corpus_bleu", (hypotheses, streams, draw.choice(["exp", "floor"]), None, False,
                             draw.random() < 0.3, draw.choice(["13a", "none", "intl"]))),
            ("raw_corpus_bleu", (hypotheses, streams)),
            ("sentence_bleu", (*pick_lines(draw, 1), pick_lines(draw, 2))),
            ("signature", draw.random() < 0.5)]))
    return steps


def make_kept_program(draw: random.Random) -> list[Step]:
    """What a program does that gives references once and scores several systems."""
    segments = draw.choice([1, 1, 1, 2, 3, 10, 25, 60])
    number = min(draw.choice([1, 1, 1, 2, 2, 3, 5, 16, 40, 500]), 600 // segments)
    words = draw.choice([["a", "b", "c", "d."], [str(each) for each in range(300)]])

    def lines(size: int) -> list[Any]:
        return [draw.choice([*LINES, *(" ".join(draw.choices(words, k=draw.randint(3, 30)))
                                       for _ in range(40))]) for _ in range(size)]  # fmt: skip

    streams = [lines(segments) for _ in range(number)]
    for stream in streams[1:] if draw.random() < 0.4 else []:
        stream[draw.randrange(segments)] = None
    settings = {
        "lowercase": draw.random() < 0.3, "tokenize": draw.choice(TOKENIZERS[:-1]),
        "effective_order": draw.random() < 0.5, "max_ngram_order": draw.randint(1, 6),
        "smooth_method": draw.choice(["exp", "exp", "floor", "add-k", "none"]),
        "smooth_value": draw.choice([None, None, 0.5, 2]), "references": streams}
    steps: list[Step] = [("make", (draw.choice([""] * 8 + [*STEPS]), settings))]
    for _ in range(draw.randint(2, 5)):
        steps += draw.choice(BETWEEN) if draw.random() < 0.2 else []
        size = max(1, segments + draw.choice([0] * 8 + [1, -1]))
        steps.append(("corpus_score", (lines(size), None, draw.choice([1, 1, 1, 5]))))
    return steps


def shown(value: Any) -> Any:
    """A result as something that can be compared."""
    if hasattr(value, "format") and not isinstance(value, str):
        return [type(value).__name__, {**vars(value)}, str(value)]
    return value


def copied(metric: Any, way: str) -> Any:
    """A copy of a metric, perhaps one that is rebuilt from its attributes."""
    if way == "pickle":
        return pickle.loads(pickle.dumps(metric))
    if way in ("copy", "deepcopy"):
        return getattr(copy, way)(metric)
    made = type(metric).__new__(type(metric))
    for name, value in vars(metric).items():
        if way == "vars":
            vars(made)[name] = value
        else:
            setattr(made, name, value)
    return made


def take_step(tool: Any, held: dict[str, Any], name: str, given: Any) -> Any:
    """Take a step of a program, and return what it sees."""
    metric: Any = held.get("metric")
    if name == "make":
        kind, settings = given
        held["settings"] = {key: fresh(value) for key, value in settings.items()}
        held["metric"] = subclass(tool.BLEU, kind)(**held["settings"])
    elif name == "change":
        setattr(metric, *given)
    elif name == "patch":
        usual = getattr(metric, given)
        setattr(metric, given, lambda *some: CALLS.append(given) or STEPS[given](usual, *some))
    elif name == "copy":
        held["metric"] = copied(metric, given)
    elif name == "assign":
        place, member = given
        module = import_module(f"{tool.__name__}.{place}".rstrip("."))
        usual = getattr(module, member, None)
        held["outside"].enter_context(patch.object(
            module, member, OUTSIDE[given](usual), create=not hasattr(module, member)))
        return getattr(module, member) is usual
    elif name == "cache":
        return metric._ref_cache and [*metric._ref_cache]
    elif name == "spoil":
        for stream in held["settings"].get("references") or ():
            stream[:] = ["spoiled"] * len(stream)
    elif name == "signature":
        return metric.get_signature().format(given).partition("|bleu_nb:")[0]
    else:
        arguments = fresh(given)
        return shown(getattr(tool if name.endswith("_bleu") else metric, name)(*arguments))
    return None


@contextmanager
def log_lines() -> Iterator[list[str]]:
    """What goes to sacreBLEU's log."""
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    with patch.multiple(logging.getLogger("sacrebleu"), handlers=[handler], propagate=False):
        yield said


def run(tool: Any, program: list[Step]) -> list[Any]:
    """All that a program sees."""
    held: dict[str, Any] = {}
    seen: list[Any] = []
    with log_lines() as said, warnings.catch_warnings(), ExitStack() as held["outside"]:
        warnings.simplefilter("ignore")
        for name, given in program:
            CALLS.clear()
            try:
                seen.append(take_step(tool, held, name, given))
            except Exception as error:
                seen.append([type(error).__name__, "" if name == "copy" else str(error)])
                CALLS.clear()  # How far it came
                if name == "make":
                    break
            metric: Any = held.get("metric")
            seen.append([{key: getattr(metric, key, None) for key in (
                "num_refs", "n_bootstrap", "seed", "tokenizer_signature")}, [*CALLS],
                sorted(getattr(metric, "__dict__", {}))])
        seen.append(said)
    return seen


if __name__ == "__main__":
    tools = [import_module(name) for name in ("sacrebleu", "bleu_nb.adapters.sacrebleu")]
    make = make_kept_program if "kept" in sys.argv else make_program
    programs = [make(random.Random(seed)) for seed in range(int(sys.argv[1]))]
    different = [seed for seed, program in enumerate(programs)
                 if len({repr(run(tool, program)) for tool in tools}) > 1]
    print(f"{len(different)} of {len(programs)} programs differ", *different)
