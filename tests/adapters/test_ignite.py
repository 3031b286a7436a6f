"""BLEU in pytorch-ignite: two processes, ignite's own tests of its metric, states, refusals."""

import copy
import pickle
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed here")
ignite = pytest.importorskip("ignite", reason="pytorch-ignite is not installed here")

import ignite.distributed as idist  # noqa: E402
from ignite.engine import Engine, Events  # noqa: E402
from ignite.handlers import Checkpoint, EarlyStopping  # noqa: E402
from ignite.metrics import MetricGroup, RunningAverage  # noqa: E402
from ignite.metrics.nlp import Bleu as IgniteBleu  # noqa: E402
from nltk.translate import bleu_score as nltk_bleu  # noqa: E402

from bleu_nb import DIALECTS, corpus_bleu  # noqa: E402
from bleu_nb.adapters import ignite as ignite_adapter  # noqa: E402
from bleu_nb.adapters.ignite import BleuMetric  # noqa: E402
from bleu_nb.adapters.reducer import Reducer  # noqa: E402

WORDS = ["the", "a", "lamp", "boat", "was", "lit", "at", "dusk", "came", "late", "keeper", "night"]


def text(seed: int, segments: int = 24) -> tuple[list[str], list[list[str]]]:
    """Sentences, and one to three references of each that share words with them."""
    rng = Random(seed)

    def sentence() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))

    outputs = [sentence() for _ in range(segments)]
    groups = [
        [" ".join(word if rng.random() < 0.8 else rng.choice(WORDS) for word in each.split()),
         *(sentence() for _ in range(rng.randrange(3)))]
        for each in outputs
    ]
    return outputs, groups


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
    for work in WORKS:
        try:
            told[work.__name__] = work(process)
        except Exception as error:
            told[work.__name__] = f"{type(error).__name__}: {error}"
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
    batches = batches_of(outputs[share], groups[share])
    found = {}
    for row in POOLED + AVERAGED:
        metric = BleuMetric(row)
        metrics = engine_run(metric, batches)
        again = metric.score()
        found[row] = (metrics, again, metric.score() == again)
    return found


@pytest.mark.slow
def test_two_processes_are_one(both: Any) -> None:
    outputs, groups = text(1)
    first, second = (told["work_shares"] for told in both)
    assert first == second
    for row in POOLED + AVERAGED:
        metrics, score, same = first[row]
        whole = BleuMetric(row)
        whole.update((outputs, groups))
        assert score == whole.score() and same
        assert metrics == engine_run(BleuMetric(row), batches_of(outputs, groups))
        assert metrics["bleu"] == score.value
        if row in POOLED:
            assert score == corpus_bleu(outputs, groups, row)


def work_empty(process: int) -> Any:
    metric = BleuMetric()
    if process:
        metric.update(text(2))
    return metric.compute()


def work_nothing(process: int) -> Any:
    return BleuMetric().compute()


def work_differently(process: int) -> Any:
    metric = BleuMetric("ignite" if process else "sacrebleu")
    metric.update(text(2))
    return metric.compute()


def work_mixed(process: int) -> Any:
    outputs, groups = text(2)
    metric = BleuMetric()
    metric.update(
        ([each.split() for each in outputs], [[each.split() for each in group] for group in groups])
        if process else (outputs, groups)
    )
    return metric.compute()


@pytest.mark.slow
def test_a_process_may_have_seen_nothing(both: Any) -> None:
    expected = corpus_bleu(*text(2)).value
    assert [told["work_empty"]["score"] for told in both] == [expected] * 2


@pytest.mark.parametrize(("work", "fault"), [
    ("work_nothing", "NotComputableError: BLEU needs at least one segment"),
    ("work_differently", "ValueError: the processes count by different choices"),
    ("work_mixed", "TypeError: some segments were text and some token lists"),
])
def test_processes_refuse_together(both: Any, work: str, fault: str) -> None:
    for told in both:
        assert str(told[work]).startswith(fault)


def work_resumed(process: int) -> Any:
    """Half of a share, saved and loaded, and the other half."""
    outputs, groups = text(3)
    share = [outputs[process::2], groups[process::2]]
    metric, other = BleuMetric(), BleuMetric()
    metric.update([part[:4] for part in share])
    state = pickle.loads(pickle.dumps(metric.state_dict()))
    other.load_state_dict(state)
    other.update([part[4:] for part in share])
    return other.score(), state


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
                metric._numbers = metric._numbers * (factor if row == "sacrebleu" else 1)
                found.append((metric._numbers.tolist(), metric.score()))
    finally:
        model._collective_op_dtype = None
    return found


WORKS = [work_shares, work_empty, work_nothing, work_differently, work_mixed, work_resumed,
         work_cast]  # fmt: skip


def test_single_precision_rounds_nothing(both: Any) -> None:
    first, second = (told["work_cast"] for told in both)
    reducers = [Reducer()] * 3 + [Reducer("ignite")] * 3
    for reducer, (one, score), (other, same) in zip(reducers, first, second, strict=True):
        assert score == same == reducer.score([sum(each) for each in zip(one, other, strict=True)])
    assert max(first[2][0]) > 2**44


def test_two_processes_are_interrupted_and_resumed(both: Any) -> None:
    (first, state), (second, _) = (told["work_resumed"] for told in both)
    assert first == second == corpus_bleu(*text(3))
    with pytest.raises(ValueError, match="size equal world_size: 1, but got 2"):
        BleuMetric().load_state_dict(state)


# What ignite's own tests of its Bleu ask for ------------------------------------------------------

THE = ["the", "the", "the", "the", "the", "the", "the"]
GUIDES = [
    each.lower().split() for each in (
        "It is a guide to action which ensures that the military always obeys the commands of "
        "the party",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        "of the",
    )
]
HUMANS = [
    each.lower().split() for each in (
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    )
]
MATS = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
SAMPLES = [
    ([list("aaabc")], [[list("abc"), list("aad")]]), ([THE], [MATS]),
    *(([guide], [HUMANS]) for guide in GUIDES), (GUIDES, [HUMANS] * 3),
]
SMOOTHED = [
    ({"smooth": "no_smooth"}, "ignite", "method0"),
    ({"smooth": "smooth1"}, "ignite-smooth1", "method1"),
    ({"smooth": "nltk_smooth2"}, "ignite-nltk_smooth2", "method2"),
    ({"smooth": "smooth2"}, "ignite-smooth2", "method2"),
    ({"average": "micro"}, "ignite-micro", "corpus"),
]


def of_nltk(outputs: list[Any], groups: list[Any], order: int, method: str) -> float:
    """What nltk gives, as a mean of sentences or of the corpus."""
    weights = (1 / order,) * order
    if method == "corpus":
        return float(nltk_bleu.corpus_bleu(groups, outputs, weights))
    function = getattr(nltk_bleu.SmoothingFunction(), method)
    return sum(nltk_bleu.sentence_bleu(group, output, weights, function)
               for output, group in zip(outputs, groups, strict=True)) / len(outputs)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(("options", "row", "method"), SMOOTHED)
@pytest.mark.parametrize("order", range(1, 8))
def test_it_gives_what_ignite_and_nltk_give(
    sample: Any, options: dict[str, str], row: str, method: str, order: int
) -> None:
    theirs, ours = IgniteBleu(ngram=order, **options), BleuMetric(row, max_order=order)
    for metric in (theirs, ours):
        metric.update(sample)
    assert ours.compute()["score"] == pytest.approx(float(theirs.compute()), abs=1e-7)
    # Above order 2, ignite's smooth2 is not nltk's, and ignite's tests end; of a corpus, nltk
    # counts an n-gram in each segment that has none
    if order < 3 if row == "ignite-smooth2" else method != "corpus" or len(sample[0]) == 1:
        assert ours.compute()["score"] == pytest.approx(of_nltk(*sample, order, method))


# States -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [1, 2, 4])
@pytest.mark.parametrize("row", ["sacrebleu", "ignite"])
def test_an_interrupted_epoch_is_resumed(row: str, stop: int) -> None:
    batches = batches_of(*text(4))
    expected = engine_run(BleuMetric(row), batches)
    first, metric = Engine(step), BleuMetric(row)
    metric.attach(first, "bleu")
    first.add_event_handler(Events.ITERATION_COMPLETED(once=stop), first.terminate)
    first.run(batches)
    saved = pickle.loads(pickle.dumps((first.state_dict(), metric.state_dict())))
    second, other = Engine(step), BleuMetric(row)
    other.attach(second, "bleu")
    second.load_state_dict(saved[0])
    second.add_event_handler(
        Events.EPOCH_STARTED(once=1), lambda: other.load_state_dict(saved[1])
    )
    second.run(batches[stop:])
    assert dict(second.state.metrics) == expected
    second.run(batches, max_epochs=3)
    assert dict(second.state.metrics) == expected


def test_a_saved_state_stays_as_it_was() -> None:
    metric, other = BleuMetric(), BleuMetric()
    metric.update(text(5))
    state = metric.state_dict()
    before = copy.deepcopy(state)
    metric.update(text(6))
    other.load_state_dict(state)
    other.update(text(7))
    metric.reset()
    assert str(state) == str(before)
    assert other.score().stats.candidate_length == sum(
        len(each.split()) for seed in (5, 7) for each in text(seed)[0]
    )


def test_a_foreign_state_changes_nothing() -> None:
    metric, narrow = BleuMetric(), BleuMetric(max_order=2)
    metric.update(text(5))
    score = metric.score()
    narrow.update(text(5))
    with pytest.raises(ValueError, match="different choices"):
        metric.load_state_dict(narrow.state_dict())
    with pytest.raises(ValueError):
        metric.load_state_dict(IgniteBleu().state_dict())
    assert metric.score() == score


@pytest.mark.parametrize("through", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_it_is_copied_with_what_it_has_seen(through: Any) -> None:
    metric = BleuMetric("sacrebleu", max_order=3)
    metric.update(text(5))
    copied = through(metric)
    assert copied.score() == metric.score()
    metric.reset()
    assert copied.score() == corpus_bleu(*text(5), max_order=3)


# An engine ----------------------------------------------------------------------------------------


def test_two_metrics_of_an_engine_keep_apart() -> None:
    engine = Engine(step)
    BleuMetric().attach(engine, "four")
    BleuMetric(max_order=2).attach(engine, "two")
    found = engine.run(batches_of(*text(8))).metrics
    expected = {}
    for name, order in (("four", 4), ("two", 2)):
        score = corpus_bleu(*text(8), max_order=order)
        expected |= {
            name: score.value, f"{name}_brevity_penalty": score.brevity_penalty,
            f"{name}_candidate_length": score.stats.candidate_length,
            f"{name}_reference_length": score.stats.reference_length,
            **{f"{name}_precision_{n}": each for n, each in enumerate(score.precisions, 1)}}
    assert found == expected and found["four"] != found["two"]


@pytest.mark.parametrize("usage", ["batch_wise", "running_batch_wise"])
def test_usages(usage: str) -> None:
    outputs, groups = text(9)
    engine, found = Engine(step), []
    BleuMetric().attach(engine, "bleu", usage=usage)
    engine.add_event_handler(
        Events.ITERATION_COMPLETED, lambda: found.append(engine.state.metrics["bleu"])
    )
    engine.run(batches_of(outputs, groups))
    starts = range(0, len(outputs), 5)
    parts = [
        slice(start if usage == "batch_wise" else 0, min(start + 5, len(outputs)))
        for start in starts
    ]
    assert found == [corpus_bleu(outputs[part], groups[part]).value for part in parts]


def test_a_running_average_of_one_of_its_numbers() -> None:
    outputs, groups = text(9, 10)
    engine = Engine(step)
    RunningAverage(BleuMetric()["score"], alpha=0.5).attach(engine, "mean")
    engine.run(batches_of(outputs, groups))
    one, two = (corpus_bleu(outputs[part], groups[part]).value for part in (slice(5), slice(5, 10)))
    assert engine.state.metrics["mean"] == pytest.approx(0.5 * one + 0.5 * two)


def test_a_group_of_metrics() -> None:
    outputs, groups = text(9)
    group = MetricGroup({"four": BleuMetric(), "two": BleuMetric(max_order=2)})
    engine = Engine(step)
    group.attach(engine, "all")
    found = engine.run(batches_of(outputs, groups)).metrics
    assert found["two"]["score"] == corpus_bleu(outputs, groups, max_order=2).value
    other = MetricGroup({"four": BleuMetric(), "two": BleuMetric(max_order=2)})
    other.load_state_dict(group.state_dict())
    assert other.compute() == group.compute()
    wrong = MetricGroup({"four": BleuMetric(), "two": BleuMetric(max_order=3)})
    with pytest.raises(ValueError, match="different choices"):
        wrong.load_state_dict(group.state_dict())


def test_handlers_find_one_number(tmp_path: Path) -> None:
    trainer, evaluator = Engine(step), Engine(step)
    metric = BleuMetric()
    metric.attach(evaluator, "bleu")
    score = Checkpoint.get_default_score_fn("bleu")
    evaluator.add_event_handler(Events.COMPLETED, EarlyStopping(2, score, trainer))
    keeper = Checkpoint({"metric": metric}, str(tmp_path), score_function=score)
    evaluator.add_event_handler(Events.COMPLETED, keeper)
    trainer.add_event_handler(
        Events.EPOCH_COMPLETED, lambda: evaluator.run(batches_of(*text(9)))
    )
    trainer.run([0], max_epochs=9)
    assert trainer.state.epoch == 3
    [kept] = tmp_path.iterdir()
    other = BleuMetric()
    other.load_state_dict(torch.load(kept, weights_only=True))
    assert other.score() == corpus_bleu(*text(9))


def test_a_mapping_and_a_transform() -> None:
    outputs, groups = text(9)
    engine = Engine(lambda engine, batch: {"y": batch[1], "y_pred": batch[0], "loss": 1})
    BleuMetric().attach(engine, "mapping")
    BleuMetric(output_transform=lambda out: (out["y_pred"], out["y"])).attach(engine, "pair")
    found = engine.run(batches_of(outputs, groups)).metrics
    assert found["mapping"] == found["pair"] == corpus_bleu(outputs, groups).value
    engine = Engine(lambda engine, batch: {"y_pred": batch[0]})
    BleuMetric().attach(engine, "bleu")
    with pytest.raises(ValueError, match="should contain"):
        engine.run(batches_of(outputs, groups))


def test_ids_are_not_unrolled() -> None:
    ids = [torch.tensor([3, 1, 4, 1, 5]), torch.tensor([9, 2, 6, 5])]
    humans = [[ids[0][:4], ids[1]], [torch.tensor([9, 2, 6, 5, 3])]]
    engine, metric = Engine(step), BleuMetric()
    metric.attach(engine, "bleu")
    engine.run([(ids, humans)])
    tokens = [[str(each) for each in row.tolist()] for row in ids]
    groups = [[[str(each) for each in row.tolist()] for row in group] for group in humans]
    assert metric.score() == corpus_bleu(tokens, groups)
    engine.run([(torch.stack([ids[1], ids[1]]), [[ids[1]], [ids[1]]])])
    assert engine.state.metrics["bleu"] == pytest.approx(100)
    with pytest.raises(TypeError, match=r"references\[0\] must be ids with the axes refer"):
        engine.run([(ids, ids)])


# What is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize("output", [None, "the lamp", (["a"],), (["a"], [["a"]], 1), {"y": 1}])
def test_an_output_that_is_no_pair_is_refused(output: Any) -> None:
    with pytest.raises(TypeError, match="must be a pair"):
        BleuMetric().update(output)


@pytest.mark.parametrize(("choices", "kind", "fault"), [
    ({"dialect": "nltk", "smoothing": "nltk-7"}, ValueError, "last segment"),
    ({"smoothe": "exp"}, ValueError, "no choice 'smoothe'"),
    ({"output_transform": 1}, TypeError, "output_transform"),
])
def test_choices_are_checked_when_it_is_made(choices: Any, kind: Any, fault: str) -> None:
    with pytest.raises(kind, match=fault):
        BleuMetric(**choices)


def test_the_numbers_are_integers_where_they_were_asked_for() -> None:
    metric = BleuMetric(device="cpu")
    for batch in (text(9), ([], [])):
        metric.update(batch)
    assert metric._numbers.dtype == torch.int64
    assert metric._numbers.tolist() == Reducer().count(*text(9))
    assert metric._numbers.device == metric._device == torch.device("cpu")
    metric._numbers = metric._numbers * 2**40
    assert metric.score().value == corpus_bleu(*text(9)).value


def test_every_row_that_can_be_taken_apart() -> None:
    outputs, groups = text(10)
    tried = 0
    for row in DIALECTS.values():
        try:
            reducer = Reducer(row)
        except ValueError:
            continue
        metric = BleuMetric(row)
        for batch in batches_of(outputs, groups):
            metric.update(batch)
        assert metric.score() == reducer.score(reducer.count(outputs, groups)), row.name
        tried += 1
    assert tried > 35


@pytest.mark.parametrize(("name", "change", "match"), [
    ("_numbers", lambda row: row.half(), "not torch.float16"),
    ("_numbers", lambda row: row.bfloat16(), "not torch.bfloat16"),
    ("_lowest", lambda row: row.double(), "not torch.float64"),
    ("_numbers", lambda row: row.int(), "not torch.int32"),
    ("_numbers", lambda row: 3, "not int, to which"),
    ("_numbers", lambda row: -row, "not negative"),
    ("_numbers", lambda row: row[1:], "has 14 numbers")])  # fmt: skip
def test_a_changed_state_is_refused(name: str, change: Any, match: str) -> None:
    metric, other = BleuMetric(), BleuMetric()
    metric.update(text(5))
    other.update(text(6))
    [[key, [state]]] = other.state_dict().items()
    with pytest.raises(ValueError, match=match):
        metric.load_state_dict({key: [{**state, name: change(state[name])}]})
    with pytest.raises(ValueError, match="Unsupported type"):  # After the numbers were taken
        metric.load_state_dict({key: [{**state, "_lowest": "text"}]})
    assert metric.score() == corpus_bleu(*text(5))


def test_threads_lose_no_update(monkeypatch: pytest.MonkeyPatch) -> None:
    metric, make = BleuMetric(), BleuMetric._tensor
    calls: list[Any] = []

    def between(self: Any, numbers: Any) -> Any:
        calls.append(numbers)
        if len(calls) == 1:  # While the first tensor is made, another thread adds
            other = threading.Thread(target=metric.update, args=(text(6),))
            other.start()
            other.join(60)
            assert not other.is_alive()
        return make(self, numbers)

    monkeypatch.setattr(BleuMetric, "_tensor", between)
    metric.update(text(5))
    both = [first + second for first, second in zip(text(6), text(5), strict=True)]
    assert metric.score() == corpus_bleu(*both)
    with ignite_adapter._LOCK:
        waiting = threading.Thread(target=metric.update, args=(text(7),))
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
        assert metric.score() == corpus_bleu(*both)
    waiting.join(60)
    assert metric.score().stats.candidate_length > corpus_bleu(*both).stats.candidate_length
