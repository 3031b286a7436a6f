"""What holds of every adapter: any batches are the corpus, and what is refused changes nothing.

A refusal is a sentence of this package: an error that comes up from a framework ("iteration over a
0-d tensor") tells nobody what to pass.
"""

import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from data import PACKAGE

import bleu_nb
from bleu_nb import corpus_bleu
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.adapters.transformers import TrainerBleu
from bleu_nb.adapters.trl import BleuReward
from bleu_nb.dialects.table import CHOICES, OTHER_NAMES

torch = pytest.importorskip("torch", reason="torch is not installed here")

GOOD: dict[str, Any] = {
    "text": (["a b c d"], [["a b c d"]]),
    "tokens": ([["a", "b"]], [[["a", "b"]]]),
    "ids": ([torch.tensor([1, 2])], [[torch.tensor([1, 2])]]),
}
THINGS: dict[str, Callable[[], Any]] = {
    "a number": lambda: 3,
    "none": lambda: None,
    "a mapping": lambda: {"a": "b"},
    "a set": lambda: {"a"},
    "a string": lambda: "a b",
    "bytes": lambda: b"a b",
    "a type": lambda: str,
    "numbers": lambda: [3],
    "a gap": lambda: [None],
    "NaN": lambda: [float("nan")],
    "truth": lambda: [True],
    "mappings": lambda: [{"a": "b"}],
    "sets": lambda: [{"a"}],
    "bytes in a list": lambda: [b"a"],
    "an object": lambda: [object()],
    "two deep": lambda: [["a"]],
    "three deep": lambda: [[["a"]]],
    "four deep": lambda: [[[["a"]]]],
    "five deep": lambda: [[[[["a"]]]]],
    "ragged depths": lambda: [["a", ["b"]]],
    "floats in a list": lambda: [[0.5]],
    "a gap in a list": lambda: [[None]],
    "nothing in a list": lambda: [[]],
    "a generator": lambda: (each for each in ["a b"]),
    "a generator of numbers": lambda: (each for each in [3]),
    "a generator in a list": lambda: [(each for each in ["a", "b"])],
    "no axis": lambda: torch.tensor(3),
    "one axis": lambda: torch.tensor([1, 2]),
    "two axes": lambda: torch.tensor([[1, 2]]),
    "four axes": lambda: torch.tensor([[[[1, 2]]]]),
    "floats": lambda: torch.tensor([[0.5, 0.2]]),
    "logits": lambda: torch.zeros(1, 2, 5),
    "half precision": lambda: torch.zeros(1, 2, dtype=torch.bfloat16),
    "complex": lambda: torch.zeros(1, 2, dtype=torch.complex64),
    "boolean": lambda: torch.tensor([[True]]),
    "no axis, in a list": lambda: [torch.tensor(3)],
    "one axis, in a list": lambda: [torch.tensor([1])],
    "two axes, in a list": lambda: [torch.tensor([[1, 2]])],
    "ragged": lambda: [torch.tensor([1, 2]), torch.tensor([3])],
    "text and ids": lambda: [torch.tensor([1, 2]), "a"],
    "no axis, two deep": lambda: [[torch.tensor(3)]],
    "floats, two deep": lambda: [[torch.tensor([0.5])]],
    "two axes, two deep": lambda: [[torch.tensor([[5]])]],
    "nothing": lambda: [],
}


class Made(NamedTuple):
    """A new metric of a framework, with the choices of a test."""

    count: Callable[..., Any]  # Takes candidates, and the references of each
    what: Callable[[], Any]  # What it has counted
    score: Callable[[], Any] = lambda: None
    metric: Any = None


def framework(name: str) -> Any:
    """A framework, if it is installed here."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    return pytest.importorskip(name, exc_type=ImportError, reason=(
        f"{name} is not installed here: `make frameworks` brings it"))  # fmt: skip


def metric_of(name: str, *row: str, **choices: Any) -> Any:
    """A new metric for a framework, if that is installed here."""
    framework(name)
    return import_module(f"bleu_nb.adapters.{name}").BleuMetric(*row, **choices)


def torchmetrics_forward(tmp_path: Path, *row: str, **choices: Any) -> Made:
    metric = metric_of("torchmetrics", *row, **choices)
    return Made(metric, lambda: (metric.numbers.tolist(), metric.update_count), metric.details,
                metric)


def torchmetrics(tmp_path: Path, *row: str, **choices: Any) -> Made:
    metric = metric_of("torchmetrics", *row, **choices)
    return Made(lambda outputs, groups: metric.update(preds=outputs, target=groups),
                lambda: metric.numbers.tolist(), metric.details, metric)


def ignite(tmp_path: Path, *row: str, **choices: Any) -> Made:
    metric = metric_of("ignite", *row, **choices)
    return Made(lambda *batch: metric.update(batch), lambda: metric.numbers.tolist(),
                metric.score, metric)


def keras_metric(tmp_path: Path, *row: str, **choices: Any) -> Made:
    metric = metric_of("keras", *row, pad=0, **choices)
    return Made(lambda outputs, groups: metric.update_state(groups, outputs),
                lambda: metric.bleu.seen.columns(), metric.bleu.compute, metric)


def evaluate_batches(tmp_path: Path, *row: str, **choices: Any) -> Made:
    with patch.dict(os.environ, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1"):
        library = framework("evaluate")
    with (patch.object(library.config, "HF_MODULES_CACHE", tmp_path / "modules"),
          patch.object(library.config, "HF_METRICS_CACHE", tmp_path / "metrics")):
        module = library.load(bleu_nb.adapters.evaluate_module_path())
    return Made(lambda outputs, groups: module.add_batch(predictions=outputs, references=groups),
                list, lambda: module.compute(dialect=row[0], **choices)["score"], module)


ADAPTERS = [torchmetrics, torchmetrics_forward, ignite, keras_metric]

# Batches ------------------------------------------------------------------------------------------

RNG = np.random.default_rng(13)
LINES = [[" ".join(map(str, ids)) for ids in RNG.integers(1, 6, (3, 4 + place % 4))]
         for place in range(12)]
OUTPUTS = [line for line, *_ in LINES]
GROUPS = [[one, None if place % 3 else other] for place, (_, one, other) in enumerate(LINES)]


def rectangle(texts: list[str | None]) -> list[list[int]]:
    """Ids, filled up; a text that is missing is all filling."""
    rows = [[int(each) for each in (text or "").split()] for text in texts]
    return [row + [0] * (8 - len(row)) for row in rows]


@pytest.mark.parametrize("size", [1, 5, 12])
@pytest.mark.parametrize(("row", "choices"), [
    ("sacrebleu", {}), ("nltk", {"max_order": 2}), ("ignite", {"smoothing": "nltk-1"})])
@pytest.mark.parametrize("adapter", [
    torchmetrics, torchmetrics_forward, ignite, keras_metric, evaluate_batches])
def test_batches_of_any_size_are_the_corpus(
    adapter: Callable[..., Made], row: str, choices: Any, size: int, tmp_path: Path
) -> None:
    made = adapter(tmp_path, row, **choices)
    for start in range(0, 12, size):
        some = slice(start, start + size)
        batch: Any = OUTPUTS[some], GROUPS[some]
        if adapter is keras_metric:
            batch = np.array(rectangle(OUTPUTS[some])), np.array([*map(rectangle, GROUPS[some])])
        made.count(*batch)
    if adapter in (torchmetrics, ignite):
        made.count([], [])
    wanted = corpus_bleu(OUTPUTS, GROUPS, row, **choices)
    assert float(made.score()) == pytest.approx(wanted.value, rel=1e-13)
    assert wanted.value > 0


@pytest.mark.parametrize(("adapter", "making"), [(torchmetrics, "tensor"), (ignite, "as_tensor")])
def test_threads_lose_no_update(
    adapter: Callable[..., Made], making: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, make = adapter(tmp_path), getattr(torch, making)
    others = [threading.Thread(target=made.count, args=(OUTPUTS[6:], GROUPS[6:]))]

    def between(*given: Any, **named: Any) -> Any:
        if others:  # While the first tensor is made, another thread adds
            other = others.pop()
            other.start()
            other.join(60)
            assert not other.is_alive()
        return make(*given, **named)

    monkeypatch.setattr(torch, making, between)
    made.count(OUTPUTS[:6], GROUPS[:6])
    assert made.score() == corpus_bleu(OUTPUTS, GROUPS)


# States -------------------------------------------------------------------------------------------


def load_torchmetrics(made: Made, other: Made, change: Any) -> None:
    """As torch does it: with the prefix that a metric has in a model."""
    other.metric.persistent(True)
    state = torch.nn.ModuleDict({"bleu": other.metric}).state_dict()
    torch.nn.ModuleDict({"bleu": made.metric}).load_state_dict(
        {**state, "bleu.numbers": change(state["bleu.numbers"])})


def merge_torchmetrics(made: Made, other: Made, change: Any) -> None:
    states = other.metric.metric_state
    made.metric.merge_state({**states, "numbers": change(states["numbers"])})


def load_ignite(made: Made, other: Made, change: Any) -> None:
    [[key, [state]]] = other.metric.state_dict().items()
    made.metric.load_state_dict({key: [{**state, "numbers": change(state["numbers"])}]})


LOADS = [(torchmetrics, load_torchmetrics), (torchmetrics, merge_torchmetrics),
         (ignite, load_ignite)]


@pytest.mark.parametrize(("choices", "change", "fault"), [
    *((choices, lambda row: row, "different options") for choices in (
        {"lowercase": True}, {"max_order": 3}, {"dialect": "nltk"})),
    *(({}, lambda row, kind=kind: row.to(kind), rf"\(int64\), not {kind}: pass") for kind in (
        torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.bool)),
    ({}, lambda row: -row, "not negative"), ({}, lambda row: row[:-1], "has 14 numbers"),
    ({}, lambda row: row.reshape(2, 7), "has 14 numbers"),
    ({}, lambda row: row[0], "has 14 numbers"),
    ({}, lambda row: row.tolist(), "not list"),
])  # fmt: skip
@pytest.mark.parametrize(("adapter", "load"), LOADS)
def test_states_of_another_bleu_are_refused(
    adapter: Callable[..., Made], load: Any, choices: Any, change: Any, fault: str, tmp_path: Path
) -> None:
    made, other = adapter(tmp_path), adapter(tmp_path, **choices)
    made.count(OUTPUTS[:5], GROUPS[:5])
    other.count(OUTPUTS[5:], GROUPS[5:])
    with pytest.raises((RuntimeError, ValueError), match=fault):
        load(made, other, change)
    assert made.score() == corpus_bleu(OUTPUTS[:5], GROUPS[:5])


@pytest.mark.parametrize(("adapter", "load"), LOADS)
def test_what_was_saved_goes_on_and_stays_as_it_was(
    adapter: Callable[..., Made], load: Any, tmp_path: Path
) -> None:
    made, other = adapter(tmp_path), adapter(tmp_path)
    other.count(OUTPUTS[:5], GROUPS[:5])
    start = 8 if load is merge_torchmetrics else 5  # What is loaded takes the place of all else
    made.count(OUTPUTS[5:8], GROUPS[5:8])
    made.metric.compute()  # It is forgotten
    load(made, other, lambda row: row)
    told = made.metric.compute()
    assert float(told["score"] if adapter is ignite else told) == corpus_bleu(
        OUTPUTS[:start], GROUPS[:start]).value  # fmt: skip
    made.count(OUTPUTS[start:], GROUPS[start:])
    assert made.score() == corpus_bleu(OUTPUTS, GROUPS)
    assert other.score() == corpus_bleu(OUTPUTS[:5], GROUPS[:5])


# What is no batch ---------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.__name__)
def test_a_sentence_of_this_package_or_a_number(
    adapter: Callable[..., Made], tmp_path: Path
) -> None:
    refused = 0
    for (good, pair), (thing, make), place in product(GOOD.items(), THINGS.items(), (0, 1)):
        batch = [*pair]
        batch[place] = make()
        count, what, *_ = adapter(tmp_path)
        before = what()
        try:
            count(*batch)
        except (TypeError, ValueError, RuntimeError) as error:
            refused += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{thing} at place {place} beside {good}: {error}"
            assert Path(last.filename).is_relative_to(PACKAGE), said
            assert len(str(error).split()) >= 5 and what() == before, said
    assert refused > len(GOOD) * len(THINGS)


@pytest.mark.parametrize(("candidates", "references", "why"), [
    (torch.tensor(3), [["a"]], "candidates must be a list, not Tensor"),
    (torch.zeros(1, 3), [["a"]], r"candidates\[0\]\[0\] .* not float: 0.0; .* pass logits.argmax"),
    (torch.tensor([[1]]), torch.tensor([[1]]), "must be a list or tuple of tokens, not int; token"),
    ([3], [["a"]], r"candidates\[0\] must be text or a list of tokens, not int: 3; token ids"),
    (["a"], [[3]], r"references\[0\]\[0\] is not a string, but candidates\[0\] is"),
])  # fmt: skip
def test_what_a_reducer_says(candidates: Any, references: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Reducer().count(candidates, references)


IDS, GROUPS_OF_IDS = torch.tensor([1, 2, 3]), torch.tensor([[[1, 2], [3, 4]]])


@pytest.mark.parametrize("candidates", [
    IDS[None], [IDS], IDS[None].numpy(), [IDS.numpy()], [[1, 2, 3]]])
@pytest.mark.parametrize("references", [
    GROUPS_OF_IDS, [GROUPS_OF_IDS[0]], [[*GROUPS_OF_IDS[0]]], GROUPS_OF_IDS.numpy(),
    GROUPS_OF_IDS.tolist()])
def test_ids_in_tensors_are_counted_as_ids_in_lists(candidates: Any, references: Any) -> None:
    reducer = Reducer()
    assert reducer.count(candidates, references) == reducer.count(
        [["1", "2", "3"]], [[["1", "2"], ["3", "4"]]])


@pytest.mark.parametrize(("module", "name", "ours"), [
    *((f"ignite{place}", "Bleu", r"BleuMetric\('ignite'\)")
      for place in ("", ".metrics", ".metrics.nlp", ".metrics.nlp.bleu")),
    *((f"torchmetrics{place}", "BLEUScore", r"BleuMetric\('torchmetrics'\)")
      for place in ("", ".text", ".text.bleu")),
    *((f"torchmetrics{place}", "sacre_bleu_score", r"bleu_nb.corpus_bleu\(preds, target, .*'\)")
      for place in ("", ".functional", ".functional.text", ".functional.text.sacre_bleu")),
    ("evaluate", "load", r"evaluate.load\(evaluate_module_path\(\)\)"),
    ("lm_eval", "bleu", r"register\('bleu_nb'\)"),
])
def test_a_name_of_the_tool_says_what_stands_for_it(module: str, name: str, ours: str) -> None:
    adapter = import_module(f"bleu_nb.adapters.{module}")
    with pytest.raises(ImportError, match=f"has no {name}: use {ours}, with "):
        getattr(adapter, name)
    with pytest.raises(AttributeError, match="has no attribute 'Rouge'"):
        _ = adapter.Rouge


@pytest.mark.parametrize(("extra", "blocked", "code"), [
    ("nltk", ["nltk.translate"], "import bleu_nb.adapters.nltk"),
    ("sacrebleu", ["sacrebleu"], "from bleu_nb.adapters.sacrebleu import BLEU"),
    ("torchmetrics", ["torchmetrics", "torch"],
     "from bleu_nb.adapters.torchmetrics import BleuMetric; BleuMetric()"),
    ("lighteval", ["lighteval", "lighteval.metrics.utils.metric_utils"],
     "from bleu_nb.adapters.lm_eval import bleu_metric; bleu_metric()"),
])
def test_without_a_framework_its_extra_is_named(extra: str, blocked: list[str], code: str) -> None:
    """And the module is imported without it, where it can do something else."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules |= dict.fromkeys({blocked})\n{code}"],
        capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ImportError: " in done.stderr
    assert f"install bleu_nb with its extra '{extra}'" in done.stderr.splitlines()[-1]


class Words:
    "A tokenizer for a Trainer, which numbers its words."

    def batch_decode(self, rows: Any, **options: Any) -> list[str]:
        return [" ".join(f"w{each}" for each in row) for row in rows]


HOLDERS: dict[str, Callable[..., Any]] = {
    "Bleu": bleu_nb.Bleu, "Reducer": Reducer, "BleuReward": BleuReward,
    "TrainerBleu": partial(TrainerBleu, Words()),
    **{name: partial(metric_of, name) for name in ("torchmetrics", "ignite")},
    "keras": partial(metric_of, "keras", pad=0)}


@pytest.mark.parametrize("name", HOLDERS)
def test_an_attribute_that_would_be_ignored_is_refused_but_in_a_class_of_ones_own(
    name: str
) -> None:
    metric = HOLDERS[name]()
    heeded = {"tokenizer", "references"} if name == "TrainerBleu" else set()
    for choice in {*CHOICES, *OTHER_NAMES["choice"], "dialect", "smoother"} - heeded:
        with pytest.raises(AttributeError, match=f"would ignore '{choice}': create another metric"):
            setattr(metric, choice, 2)
    metric.mine = 2     # As for a program's own notes
    metric.__class__ = type("Own", (type(metric),), {})
    metric.lowercase = "mine"
    assert (metric.mine, metric.lowercase) == (2, "mine")


def test_an_attribute_that_is_heeded_can_be_set() -> None:
    metric = bleu_nb.Bleu()
    metric.engine, metric.threads = "definition", 1
    assert metric(["a b c d e"], [["a b c d f"]]) == bleu_nb.corpus_bleu(
        ["a b c d e"], [["a b c d f"]])
    trainer = TrainerBleu(Words())
    trainer.references = lambda prediction: [["w0 w2 w3 w4 w1 w5"]]
    ids = np.array([[0, 2, 3, 4, 1, 5]])
    assert trainer(SimpleNamespace(predictions=ids, label_ids=None))["bleu"] == pytest.approx(100)
