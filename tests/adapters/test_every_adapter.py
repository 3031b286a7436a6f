"""Whatever an adapter is given: its number, or a sentence of this package, and nothing is counted.

Errors that come up from a framework ("iteration over a 0-d tensor") tell nobody what to pass.
"""

import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import bleu_nb
from bleu_nb.adapters.reducer import Reducer

torch = pytest.importorskip("torch", reason="torch is not installed here")

PACKAGE = Path(bleu_nb.__file__).parent
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
    "no numbers": lambda: torch.empty(1, 2, dtype=torch.int64, device="meta"),
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


def torchmetrics_forward(tmp_path: Path) -> Any:
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed here")
    from bleu_nb.adapters.torchmetrics import BleuMetric

    metric = BleuMetric()
    metric.update(*GOOD["text"])
    return metric, lambda: (metric.numbers.tolist(), metric.update_count)


def torchmetrics(tmp_path: Path) -> Any:
    metric, what = torchmetrics_forward(tmp_path)
    return metric.update, lambda: what()[0]  # It counts updates before they are made


def ignite(tmp_path: Path) -> Any:
    pytest.importorskip("ignite", reason="pytorch-ignite is not installed here")
    from bleu_nb.adapters.ignite import BleuMetric

    metric = BleuMetric()
    return lambda *batch: metric.update(batch), lambda: metric._numbers.tolist()


def keras_metric(tmp_path: Path) -> Any:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    pytest.importorskip("keras", reason="keras is not installed here: `make frameworks` brings it")
    from bleu_nb.adapters.keras import BleuMetric

    metric = BleuMetric(pad=0)
    return lambda outputs, groups: metric.update_state(groups, outputs), metric._seen


def keras_callback(tmp_path: Path) -> Any:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    pytest.importorskip("keras", reason="keras is not installed here: `make frameworks` brings it")
    from bleu_nb.adapters.keras import BleuCallback

    logs: dict[str, Any] = {}

    def score(outputs: Any, groups: Any) -> None:
        BleuCallback(lambda model, batch: outputs, ["one"], groups).on_epoch_end(0, logs)

    return score, lambda: [*logs]


def evaluate(tmp_path: Path) -> Any:
    reason = "evaluate is not installed here: `make frameworks` brings it"
    with patch.dict(os.environ, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1"):
        framework = pytest.importorskip("evaluate", reason=reason)
    with (patch.object(framework.config, "HF_MODULES_CACHE", tmp_path / "modules"),
          patch.object(framework.config, "HF_METRICS_CACHE", tmp_path / "metrics")):
        module = framework.load(bleu_nb.adapters.evaluate_module_path())
    return lambda outputs, groups: module.compute(predictions=outputs, references=groups), list


ADAPTERS = [torchmetrics, torchmetrics_forward, ignite, keras_metric, keras_callback, evaluate]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.__name__)
def test_a_sentence_of_this_package_or_a_number(
    adapter: Callable[..., Any], tmp_path: Path
) -> None:
    counted = refused = 0
    for good, pair in GOOD.items():
        for thing, make in THINGS.items():
            for place, name in enumerate(("candidates", "references")):
                batch = [*pair]
                batch[place] = make()
                count, what = adapter(tmp_path)
                before = what()
                try:
                    count(*batch)
                except Exception as error:
                    refused += 1
                    last = traceback.extract_tb(error.__traceback__)[-1]
                    said = f"{thing} as {name} beside {good}: {type(error).__name__}: {error}"
                    assert Path(last.filename).is_relative_to(PACKAGE), said
                    assert isinstance(error, (TypeError, ValueError, RuntimeError)), said
                    assert len(str(error).split()) >= 5, said
                    assert what() == before, said
                else:
                    counted += 1
    assert counted < refused


@pytest.mark.parametrize(("candidates", "references", "why"), [
    (torch.tensor(3), [["a"]], "candidates must be ids with the axes segments, ids, not of shape"),
    ([torch.tensor(3)], [["a"]], r"candidates\[0\] must be a row of ids, not of shape \(\)"),
    (torch.zeros(1, 3), [["a"]], r"must be ids, which are integers, not torch.float32: of logits"),
    (torch.tensor([[1]]), torch.tensor([[1]]), r"if each has one reference, pass references\[:,"),
    ([3], [["a"]], r"candidates\[0\] must be text, or a list of tokens or ids, not int: 3"),
    (["a"], [[3]], r"references\[0\]\[0\] must be text, or a list of tokens or ids, not int: 3"),
])  # fmt: skip
def test_what_a_reducer_says(candidates: Any, references: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        Reducer().count(candidates, references)


def test_ids_in_tensors_are_counted_as_ids_in_lists() -> None:
    reducer = Reducer()
    wanted = reducer.count([["1", "2", "3"]], [[["1", "2"], ["3", "4"]]])
    one = torch.tensor([1, 2, 3])
    groups = torch.tensor([[[1, 2], [3, 4]]])
    for candidates in (one[None], [one], one[None].numpy(), [one.numpy()], [[1, 2, 3]]):
        for references in (groups, [groups[0]], [[*groups[0]]], groups.numpy(), groups.tolist()):
            assert reducer.count(candidates, references) == wanted
