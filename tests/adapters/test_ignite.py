"""BLEU in pytorch-ignite: two processes, ignite's own tests of its metric, states, refusals."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from strategies import a_corpus

torch = pytest.importorskip("torch", reason="torch is not installed here")
ignite = pytest.importorskip("ignite", reason="pytorch-ignite is not installed here")

import ignite.distributed as idist  # noqa: E402
from ignite.engine import Engine, Events  # noqa: E402
from ignite.handlers import Checkpoint  # noqa: E402
from ignite.metrics.nlp import Bleu as IgniteBleu  # noqa: E402

from bleu_nb import corpus_bleu  # noqa: E402
from bleu_nb.adapters.ignite import BleuMetric  # noqa: E402
from bleu_nb.adapters.reducer import Reducer  # noqa: E402


def text(seed: int) -> tuple[list[Any], list[Any]]:
    """Sentences, and one to three references of each, which mostly share words with them."""
    return a_corpus(24, seed)


def step(engine: Any, batch: Any) -> Any:
    return batch


def batches_of(outputs: list[Any], groups: list[Any], size: int = 5) -> list[Any]:
    places = range(0, len(outputs), size)
    return [(outputs[place : place + size], groups[place : place + size]) for place in places]


# Two processes ------------------------------------------------------------------------------------


def shared(process: int, folder: str) -> None:
    """One of two processes: what each of `WORKS` says of it is written down."""
    idist.initialize("gloo", init_method=f"file://{folder}/meeting", rank=process, world_size=2)
    told = {}
    for name, work in WORKS.items():
        try:
            told[name] = work(process)
        except Exception as error:
            told[name] = f"{type(error).__name__}: {error}"
    Path(folder, f"{process}.pkl").write_bytes(pickle.dumps(told))
    idist.finalize()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What two processes say."""
    folder = tmp_path_factory.mktemp("processes")
    torch.multiprocessing.spawn(shared, (str(folder),), nprocs=2)
    return [pickle.loads((folder / f"{process}.pkl").read_bytes()) for process in range(2)]


POOLED = ["sacrebleu", "papineni", "torchmetrics", "multi-bleu"]
AVERAGED = ["ignite", "ignite-smooth1"]


def engine_run(metric: Any, batches: list[Any]) -> dict[str, float]:
    engine = Engine(step)
    metric.attach(engine, "bleu")
    return dict(engine.run(batches).metrics)


def work_shares(process: int) -> Any:
    """Shares of different size, of every row; then the process alone."""
    outputs, groups = text(1)
    share = slice(0, 7) if process else slice(7, None)
    found = {}
    for row in POOLED + AVERAGED:
        metric = BleuMetric(row)
        metrics = engine_run(metric, batches_of(outputs[share], groups[share]))
        found[row] = (metrics, metric.score(), metric.score())
    return found


@pytest.mark.slow
def test_two_processes_are_one(both: Any) -> None:
    first, second = (told["shares"] for told in both)
    assert first == second
    for row in POOLED + AVERAGED:
        metrics, score, again = first[row]
        whole = BleuMetric(row)
        whole.update(text(1))
        assert score == whole.score() == again and metrics["bleu"] == score.value
        assert metrics == engine_run(BleuMetric(row), batches_of(*text(1)))
        assert row in AVERAGED or score == corpus_bleu(*text(1), row)


def fed(metric: BleuMetric, batch: Any) -> Any:
    """What a metric says that has seen a batch, or none."""
    if batch:
        metric.update(batch)
    return metric.compute()


def work_mixed(process: int) -> Any:
    outputs, groups = text(2)
    return fed(BleuMetric(), (
        [each.split() for each in outputs], [[each.split() for each in group] for group in groups]
    ) if process else (outputs, groups))


@pytest.mark.slow
def test_a_process_may_have_seen_nothing(both: Any) -> None:
    assert [told["empty"]["score"] for told in both] == [corpus_bleu(*text(2)).value] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("work", "fault"), [
    ("nothing", "NotComputableError: BLEU needs at least one segment"),
    ("differently", "ValueError: the processes count with different options"),
    ("mixed", "TypeError: some segments are text and some token lists"),
])
def test_processes_refuse_together(both: Any, work: str, fault: str) -> None:
    assert all(str(told[work]).startswith(fault) for told in both)


def work_cast(process: int) -> Any:
    """As on TPUs, where ignite casts what it sums to single precision."""
    found = []
    model = idist.utils._model
    model._collective_op_dtype = torch.float32
    try:
        for row in ("sacrebleu", "ignite"):
            metric = BleuMetric(row)
            metric.update([part[process::2] for part in text(11)])
            for factor in (1, 2**24 + 1, 2**20 - 1):
                metric.numbers = metric.numbers * (factor if row == "sacrebleu" else 1)
                states = metric.numbers.tolist(), metric.values.tolist()
                found.append((*states, metric.score()))
    finally:
        model._collective_op_dtype = None
    return found


WORKS: dict[str, Callable[[int], Any]] = {
    "shares": work_shares, "mixed": work_mixed, "cast": work_cast,
    "empty": lambda process: fed(BleuMetric(), process and text(2)),
    "nothing": lambda process: fed(BleuMetric(), None),
    "differently": lambda process: fed(
        BleuMetric("ignite" if process else "sacrebleu"), text(2)),
}


@pytest.mark.slow
def test_single_precision_rounds_nothing(both: Any) -> None:
    first, second = (told["cast"] for told in both)
    reducers = [Reducer()] * 3 + [Reducer("ignite")] * 3
    for reducer, (one, some, score), (other, more, same) in zip(
            reducers, first, second, strict=True):
        sums = [sum(each) for each in zip(one, other, strict=True)]
        assert score == same == reducer.score(sums, [*more, *some])
    assert max(first[2][0]) > 2**44


# What ignite gives --------------------------------------------------------------------------------

MATS = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
OUTPUTS, GROUPS = text(4)
SAMPLES = [
    ([list("aaabc")], [[list("abc"), list("aad")]]), ([["the"] * 7], [MATS]),
    ([each.split() for each in OUTPUTS], [[each.split() for each in group] for group in GROUPS])]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(("options", "row"), [
    ({"smooth": "no_smooth"}, "ignite"), ({"smooth": "smooth1"}, "ignite-smooth1"),
    ({"smooth": "nltk_smooth2"}, "ignite-nltk_smooth2"), ({"smooth": "smooth2"}, "ignite-smooth2"),
    ({"average": "micro"}, "ignite-micro")])
@pytest.mark.parametrize("order", range(1, 8))
def test_it_gives_what_ignite_gives(
    sample: Any, options: dict[str, str], row: str, order: int
) -> None:
    theirs, ours = IgniteBleu(ngram=order, **options), BleuMetric(row, max_order=order)
    for metric in (theirs, ours):
        metric.update(sample)
    assert ours.compute()["score"] == pytest.approx(float(theirs.compute()), abs=1e-7)


# An engine ----------------------------------------------------------------------------------------


def test_handlers_find_one_number(tmp_path: Path) -> None:
    evaluator, metric, other = Engine(step), BleuMetric(), BleuMetric()
    metric.attach(evaluator, "bleu")
    evaluator.add_event_handler(Events.COMPLETED, Checkpoint(
        {"metric": metric}, str(tmp_path),
        score_function=Checkpoint.get_default_score_fn("bleu")))
    evaluator.run(batches_of(*text(9)))
    [kept] = tmp_path.iterdir()
    other.load_state_dict(torch.load(kept, weights_only=True))
    assert other.score() == corpus_bleu(*text(9))


# What is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("choices", "kind", "fault"), [
    ({"dialect": "nltk", "smoothing": "nltk-7"}, ValueError, "last segment"),
    ({"smoothe": "exp"}, TypeError, "no option 'smoothe'"),
    ({"output_transform": 1}, TypeError, "output_transform"),
])
def test_choices_are_checked_when_it_is_made(choices: Any, kind: Any, fault: str) -> None:
    with pytest.raises(kind, match=fault):
        BleuMetric(**choices)


@pytest.mark.parametrize(("change", "match"), [
    (lambda values: "text", "not str"), (lambda values: values.double(), "not torch.float64")])
def test_a_state_that_is_refused_changes_nothing(change: Any, match: str) -> None:
    metric, other = BleuMetric(), BleuMetric()
    metric.update(text(5))
    other.update(text(6))
    [[key, [state]]] = other.state_dict().items()
    with pytest.raises(ValueError, match=match):
        metric.load_state_dict({key: [{**state, "values": change(state["values"])}]})
    assert metric.score() == corpus_bleu(*text(5))
