"""Random programs that use nltk, to be run by nltk and by the drop-in.

A program imports names from nltk's modules in several ways, calls functions of BLEU and others,
assigns and deletes names in modules, and pickles what it found. Results, errors and warnings are
compared.

`PYTHONPATH=tests/helpers python tests/helpers/nltk_calls.py 3000` compares that many.
"""

import pickle
import random
import sys
import warnings
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any
from unittest.mock import patch

Step = tuple[str, Any]
TEXTS = ["the cat sat on the mat", "a cat is on a mat", "the the the", "one", "", "a b c d e f g"]
MODULES = ["", ".translate", ".translate.bleu_score", ".translate.gleu_score",
           ".translate.chrf_score", ".translate.meteor_score", ".translate.ribes_score",
           ".translate.nist_score", ".translate.metrics", ".translate.api", ".translate.ibm1"]
NAMES = ["bleu", "translate", "bleu_score", "gleu", "chrf", "ribes", "meteor", "nist", "trace",
         "sentence_gleu", "corpus_gleu", "sentence_chrf", "single_meteor_score", "IBMModel1",
         "AlignedSent", "Alignment", "alignment_error_rate", "word_tokenize", "wordpunct_tokenize",
         "edit_distance", "ngrams", "bigrams", "FreqDist", "download", "data", "tokenize", "util",
         "Counter", "math", "Tree", "__version__", "__name__", "no_such_name"]
OURS = ["sentence_bleu", "corpus_bleu"]
REPLACED = {    # Names of `nltk.translate.bleu_score`, and what a program assigns
    "brevity_penalty": lambda usual: lambda closest_ref_len, hyp_len: 0.5,
    "closest_ref_length": lambda usual: lambda references, hyp_len: max(map(len, references)),
    "modified_precision": lambda usual: lambda references, hypothesis, n: usual(
        [[word[:1] for word in each] for each in references],
        [word[:1] for word in hypothesis], n),
    "SmoothingFunction": lambda usual: type("Smoothing", (usual,), {"method0": usual.method1}),
    "Fraction": lambda usual: type("Exact", (usual,), {}),
    "added": lambda usual: 3,
}
CALLS = {       # Place -> names, and what makes their arguments
    ".wordpunct_tokenize": lambda draw: (draw.choice(TEXTS),),
    ".edit_distance": lambda draw: (draw.choice(TEXTS), draw.choice(TEXTS)),
    ".FreqDist": lambda draw: (tokens(draw),),
    ".translate.gleu": lambda draw: ([tokens(draw)], tokens(draw)),
    ".translate.gleu_score.corpus_gleu": lambda draw: ([[tokens(draw)]], [tokens(draw)]),
    ".translate.chrf_score.sentence_chrf": lambda draw: (draw.choice(TEXTS), draw.choice(TEXTS)),
    ".translate.ribes": lambda draw: ([tokens(draw)], tokens(draw)),
    ".translate.nist_score.sentence_nist": lambda draw: ([tokens(draw)], tokens(draw)),
    ".translate.bleu_score.modified_precision": lambda draw: (
        [tokens(draw)], tokens(draw), draw.randint(1, 4)),
    ".tokenize.wordpunct_tokenize": lambda draw: (draw.choice(TEXTS),),
    ".util.ngrams": lambda draw: (tokens(draw), 2),
}


def tokens(draw: random.Random) -> list[str]:
    """One segment."""
    return draw.choices(["the", "cat", "sat", "mat", "on", "a"], k=draw.choice([0, 1, 3, 4, 9]))


def score_arguments(draw: random.Random, name: str) -> tuple[Any, ...]:
    """References, hypotheses, and perhaps weights and a smoothing method by its number."""
    weights = draw.choice([(0.25,) * 4, (0.5, 0.5), [(1,), (0.2,) * 5], ()])
    groups = [[tokens(draw) for _ in range(draw.choice([1, 1, 2, 0]))]
              for _ in range(draw.randint(1, 3))]
    outputs: list[Any] = [tokens(draw) for _ in groups]
    if draw.random() < 0.1:
        outputs[0] = draw.choice(["a text", None, [1, 2, 3], ("a", "b")])
    sides = (groups, outputs) if name == "corpus_bleu" else (groups[0], outputs[0])
    return (*sides, weights, draw.choice([None, 0, 1, 2, 3, 4, 5, 7]))


def make_program(draw: random.Random) -> list[Step]:
    """The steps of a program."""
    steps: list[Step] = []
    for _ in range(draw.randint(3, 8)):
        name = draw.choice(["bleu", *OURS * 2])
        places = [".translate", ""] if name == "bleu" else [".translate.bleu_score"]
        call = draw.choice([*CALLS])
        module = draw.choice(MODULES)
        steps.append(draw.choice([
            ("score", (draw.choice(places), name, score_arguments(draw, name))),
            ("score", (draw.choice(places), name, score_arguments(draw, name))),
            ("assign", (".translate.bleu_score", draw.choice([*REPLACED]))),
            ("call", (call, CALLS[call](draw))),
            ("read", (module, draw.choice(NAMES))),
            ("import", (module, draw.choice(NAMES))),
            ("star", (module, draw.choice(NAMES))),
            ("list", module),
            ("set and delete", (module, draw.choice(["added", "gleu", "Counter", "no_such_name"]))),
            ("pickle", (draw.choice(places), name)),
            ("pickle", draw.choice([(".translate.bleu_score", "SmoothingFunction"),
                                    (".translate", "AlignedSent"), ("", "FreqDist")]))]))
    return steps


def shown(value: Any) -> Any:
    """A result as text, with the drop-in's names in nltk's words."""
    if isinstance(value, ModuleType):
        return f"module {value.__name__.removeprefix('bleu_nb.adapters.')}"
    if callable(value) and hasattr(value, "__qualname__"):
        place = str(value.__module__).removeprefix("bleu_nb.adapters.")
        return f"{place}.{value.__qualname__}"
    if hasattr(value, "__next__"):
        return [*value]
    return repr(value).replace("bleu_nb.adapters.", "")


def take_step(tool: str, held: ExitStack, name: str, given: Any) -> Any:
    """Take a step of a program, and return what it sees."""
    place = given if isinstance(given, str) else given[0]
    if name == "call":
        first, *names = place[1:].split(".")
        found = getattr(import_module(tool), first)
        for each in names:
            found = getattr(found, each)
        return shown(found(*given[1]))
    module = import_module(f"{tool}{place}")
    if name == "score":
        *sides, weights, method = given[2]
        smoothing = import_module(f"{tool}.translate.bleu_score").SmoothingFunction()
        return getattr(module, given[1])(*sides, weights, smoothing_function=(
            None if method is None else getattr(smoothing, f"method{method}")))
    if name == "assign":
        usual = getattr(module, given[1], None)
        held.enter_context(patch.object(module, given[1], REPLACED[given[1]](usual), create=True))
        theirs = import_module("nltk.translate.bleu_score")
        return getattr(theirs, given[1]) is getattr(module, given[1]) is not usual
    if name == "read":
        return shown(getattr(module, given[1]))
    if name == "import":
        told: dict[str, Any] = {}
        exec(f"from {tool}{place} import {given[1]} as found", told)
        return shown(told["found"])
    if name == "star":
        told = {}
        exec(f"from {tool}{place} import *", told)
        return shown(told[given[1]]) if place != ".translate.bleu_score" else None
    if name == "list":
        theirs = import_module(f"nltk{place}")
        return ({*dir(theirs)} <= {*dir(module)}, find_spec(module.__name__) is module.__spec__)
    if name == "set and delete":
        with patch.object(module, given[1], 3, create=True):
            seen = [getattr(module, given[1]), getattr(import_module(f"nltk{place}"), given[1])]
        return [*seen, hasattr(module, given[1])]
    found = getattr(module, given[1])
    return [pickle.loads(pickle.dumps(found)) is found, shown(found)]


def run(tool: str, program: list[Step]) -> list[Any]:
    """All that a program sees; warnings of this package are not nltk's."""
    seen: list[Any] = []
    with ExitStack() as held, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for name, given in program:
            try:
                seen.append(take_step(tool, held, name, given))
            except Exception as error:
                said = str(error).replace("bleu_nb.adapters.", "").partition(" (/")[0]  # A path
                seen.append([type(error).__name__, said])
    return [seen, [str(each.message) for each in told
                   if not each.category.__module__.startswith("bleu_nb.")]]


if __name__ == "__main__":
    programs = [make_program(random.Random(seed)) for seed in range(int(sys.argv[1]))]
    tools = ("nltk", "bleu_nb.adapters.nltk")
    different = [seed for seed, program in enumerate(programs)
                 if len({repr(run(tool, program)) for tool in tools}) > 1]
    print(f"{len(different)} of {len(programs)} programs differ", *different)
