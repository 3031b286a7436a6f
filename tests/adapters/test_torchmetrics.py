"""`BleuMetric` within torchmetrics, on one process and on two, and within Lightning."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from calls import by_two

from bleu_nb.adapters.reducer import Reducer
from bleu_nb.adapters.torchmetrics import BleuMetric

WHY = "torchmetrics is not installed here: `make frameworks` brings it"
torch = pytest.importorskip("torch", reason=WHY, exc_type=ImportError)
torchmetrics = pytest.importorskip("torchmetrics", reason=WHY, exc_type=ImportError)

TEXTS = ["the lamp was lit at dusk", "The boat came.", "", "no", "ein Käfer, 好", "a a a a b a a"]
ROWS = {
    "usual": {}, "lower": {"lowercase": True}, "macro": {"dialect": "torcheval"},
    "codexglue": {"dialect": "ignite"}, "two": {"max_order": 2},
    "fast": {"dialect": "fast-bleu"},
}  # fmt: skip
def expected(corpus: list[Any], **choices: Any) -> Any:
    """What the metric's reducer says of the whole, which adapters/test_reducer.py tests."""
    reducer = Reducer(**choices)
    return reducer.score(*reducer.batch(*map(list, zip(*corpus, strict=True))))


def seen(corpus: list[Any], **choices: Any) -> Any:
    """A metric that has seen a corpus."""
    metric = BleuMetric(**choices)
    if corpus:
        metric.update(*map(list, zip(*corpus, strict=True)))
    return metric


CORPUS = [(text, [TEXTS[place - 1], text[::2]]) for place, text in enumerate(TEXTS)]


class Full(BleuMetric):
    """A metric of somebody who chose the other way of `forward`."""

    full_state_update = True


WAYS_OF_FORWARD = {"reduced": BleuMetric, "full": Full,
                   "synchronised": partial(BleuMetric, dist_sync_on_step=True)}


@pytest.mark.parametrize("way", WAYS_OF_FORWARD)
@pytest.mark.parametrize("name", ["sacrebleu", "ignite"])
@pytest.mark.parametrize("at", [0, 1])
def test_a_batch_that_is_empty_or_refused_changes_nothing(way: str, name: str, at: int) -> None:
    metric = WAYS_OF_FORWARD[way](name)
    batches: list[Any] = [[*map(list, zip(*CORPUS, strict=True))]]
    batches.insert(at, [[], []])
    assert [metric(*batch).item() for batch in batches][::1 - 2 * at] == [
        0, expected(CORPUS, dialect=name).value]
    for bad in ([3], [["a"]]), (["a"], ["a"]), (["a", "b"], [["a"]]):
        with pytest.raises((TypeError, ValueError)):
            metric(*bad)
    assert metric.details() == expected(CORPUS, dialect=name)


def test_options_of_torchmetrics_reach_it_and_old_states_are_refused() -> None:
    metric = BleuMetric(compute_with_cache=False, sync_on_compute=False)
    assert not metric.compute_with_cache and not metric.sync_on_compute
    for call, fault in (
        (partial(BleuMetric, dist_sync_on_step="yes"), "dist_sync_on_step"),
        (partial(metric.merge_state, 3), "instance of"),
        (partial(metric.load_state_dict, {     # Of an earlier version
            "lowest": metric.marks, "highest": metric.marks, "numbers": metric.numbers}),
         "a BleuMetric has the states marks, numbers, values, not numbers")):
        with pytest.raises((RuntimeError, ValueError), match=fault):
            call()


def test_plot_hands_value_bounds_and_legend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    draw, metric = Mock(return_value=("figure", "axes")), seen(CORPUS, dialect="nltk")
    monkeypatch.setattr("torchmetrics.metric.plot_single_or_multi_val", draw)
    assert metric.plot(ax="mine") == ("figure", "axes")
    draw.assert_called_once_with(
        metric.compute(), ax="mine", higher_is_better=True, name="BleuMetric", lower_bound=0.0,
        upper_bound=1.0, legend_name="BLEU")


def within(metric: Any) -> Any:
    """A model that holds it."""
    return torch.nn.ModuleDict({"bleu": metric})


CASTS: dict[str, Callable[[Any], Any]] = {
    "half": lambda metric: metric.half(),
    "float": lambda metric: metric.float(),
    "double": lambda metric: metric.double(),
    "type": lambda metric: metric.type(torch.float16),
    "set_dtype": lambda metric: metric.set_dtype(torch.float16),
    "to": lambda metric: metric.to(torch.float16),
    "model half": lambda metric: within(metric).half()["bleu"],
    "model bfloat16": lambda metric: within(metric).bfloat16()["bleu"],
    "model to": lambda metric: within(metric).to("cpu", torch.float16)["bleu"],
    "model type": lambda metric: within(metric).type(torch.float16)["bleu"],
    "model moved": lambda metric: within(metric).cpu()["bleu"],
    "requires_grad": lambda metric: metric.requires_grad_(True),
    "train": lambda metric: metric.train().eval(),
}


@pytest.mark.parametrize("name", CASTS)
def test_no_cast_touches_an_integer(name: str) -> None:
    metric = seen(CORPUS)
    metric.numbers = metric.numbers * (2**40 + 1)
    numbers, value = metric.numbers.tolist(), metric.compute()
    assert max(numbers) > 2**40
    after = CASTS[name](metric)
    assert (after.numbers.dtype, after.numbers.tolist()) == (torch.int64, numbers)
    assert (after.compute().dtype, after.compute()) == (torch.float64, value)
    after.reset()
    assert after.numbers.dtype == after.marks.dtype == torch.int64


def test_a_device_without_doubles_gets_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    real = torch.tensor

    def poor(value: Any, dtype: Any = None, device: Any = None) -> Any:
        if dtype == torch.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        return real(value, dtype=dtype, device=device)

    metric = seen(CORPUS, dialect="ignite")
    monkeypatch.setattr(torch, "tensor", poor)
    assert metric.compute().dtype == torch.float32
    assert metric.details() == expected(CORPUS, dialect="ignite")


def test_states_follow_the_device() -> None:
    metric = seen(CORPUS, dialect="ignite")
    metric.compute()
    moved = metric.to("meta")
    marks, numbers, [values] = moved.metric_state.values()
    assert {state.device.type for state in (moved, marks, numbers, values)} == {"meta"}
    assert moved._computed is None


def test_it_can_be_part_of_a_scripted_module() -> None:
    torch.jit.script(BleuMetric())
    torch.jit.script(within(BleuMetric()))


def test_a_metric_updated_in_inference_mode_goes_on_outside() -> None:
    metric = BleuMetric()
    with torch.inference_mode():
        metric.update(*map(list, zip(*CORPUS[:2], strict=True)))
    metric.update(*map(list, zip(*CORPUS[2:], strict=True)))
    assert metric.clone().details() == expected(CORPUS)


TWO = """
import sys, io
import torch
from torch import distributed
sys.path[:0] = ["tests/adapters", "tests/helpers"]
from test_torchmetrics import CORPUS, ROWS, expected
from bleu_nb.adapters.torchmetrics import BleuMetric
from torchmetrics import MetricCollection
rank, folder = int(sys.argv[1]), sys.argv[2]
distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank,
                               world_size=2)
mine = [*map(list, zip(*CORPUS[rank::2]))]
for choices in ROWS.values():
    metric = BleuMetric(**choices)
    value = metric(*mine)
    assert value == expected(CORPUS[rank::2], **choices).value
    for _ in range(2):
        assert metric.details() == expected(CORPUS, **choices)
        assert metric.compute().item() == expected(CORPUS, **choices).value
        assert metric.numbers[0] == 3
    if rank == 0:
        metric.update(["one more"], [["one more"]])
    assert metric.details() == expected([*CORPUS, ("one more", ["one more"])], **choices)

step = BleuMetric(dist_sync_on_step=True)
assert step(*mine) == expected(CORPUS).value
assert step.compute() == expected(CORPUS).value

for name in "sacrebleu", "ignite":
    lonely = BleuMetric(name)
    if rank == 1:
        lonely.update(["here"], [["here"]])
    assert lonely.details() == expected([("here", ["here"])], dialect=name)

both = MetricCollection({"a": BleuMetric(), "b": BleuMetric(max_order=2)})
both.update(*mine)
found = both.compute()
assert found["a"] == expected(CORPUS).value and found["b"] == expected(CORPUS, max_order=2).value

for choices in {"lowercase": True}, {"max_order": 2}, {"dialect": "nltk"}, {"dialect": "ignite"}:
    metric = BleuMetric(**(choices if rank else {}))
    metric.update(*mine)
    for _ in range(2):
        for ask in metric.compute, metric.details:
            try:
                ask()
            except ValueError as error:
                assert "different options" in str(error), error
            else:
                raise SystemExit("differing processes were not noticed")
            assert metric.numbers[0] == 3 and not metric._is_synced

empty = BleuMetric()
for _ in range(2):
    try:
        empty.compute()
    except ValueError as error:
        assert "empty corpus" in str(error), error
empty.update(*mine)
assert empty.compute() == expected(CORPUS).value
distributed.destroy_process_group()
"""


@pytest.mark.slow
def test_two_processes_are_one(tmp_path: Path) -> None:
    assert by_two(f"{TWO}\nprint(0)", str(tmp_path)) == [0, 0]


@pytest.mark.parametrize("name", ["sacrebleu", "ignite"])
@pytest.mark.parametrize("where", ["update", "compute", "sync", "score", "_sync_dist"])
def test_an_interrupt_loses_nothing(
    where: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(first: Any = None, *_: Any, **__: Any) -> Any:
        if where == "_sync_dist":    # Between states, which is no difference
            first.numbers = first.numbers - 1
        raise KeyboardInterrupt

    metric = seen(CORPUS, dialect=name)
    metric.dist_sync_fn = interrupt if where == "sync" else lambda state, group: [state]
    metric.distributed_available_fn = lambda: where in ("sync", "score", "_sync_dist")
    place, part = {"update": (metric.reducer, "batch"), "sync": (metric, "dist_sync_fn"),
                   "_sync_dist": (torchmetrics.Metric, where)}.get(
        where, (metric.reducer, "score"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(place, part, interrupt)
        metric.compute() if metric.distributed_available_fn() else metric(["no"], [["no"]])
    metric.distributed_available_fn = lambda: False
    assert not metric._is_synced and metric.update_count == 1
    assert metric.details() == expected(CORPUS, dialect=name)
