"""BLEU in Keras: the callback in the logs, and the metric for ids, on the torch backend."""

import math
import os
from typing import Any

import pytest

os.environ.setdefault("KERAS_BACKEND", "torch")
torch = pytest.importorskip("torch", reason="torch is not installed here")
keras = pytest.importorskip(
    "keras", reason="keras is not installed here: `make frameworks` brings it"
)

import numpy as np  # noqa: E402

from bleu_nb import DIALECTS, corpus_bleu  # noqa: E402
from bleu_nb.adapters.keras import BleuCallback, BleuMetric  # noqa: E402
from bleu_nb.adapters.reducer import split_limbs  # noqa: E402

WORDS = np.array(["", "the", "lamp", "was", "lit", "at", "dusk", "again"])
SOURCES = np.array([[1, 2, 3, 4, 5, 6], [1, 6, 3, 4, 7, 0], [4, 5, 6, 1, 2, 7]])
REFERENCES = [["the lamp was lit at dusk"], ["the dusk was lit again", "dusk was lit"],
              ["lit at dusk the lamp again"]]  # fmt: skip


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keras finds this class by its name, and not the one of a chapter run before it."""
    known = keras.saving.get_custom_objects()
    assert "bleu_nb>BleuMetric" in known
    monkeypatch.setitem(known, "bleu_nb>BleuMetric", BleuMetric)


def build(**options: Any) -> Any:
    keras.utils.set_random_seed(7)
    model = keras.Sequential(
        [keras.layers.Embedding(8, 8), keras.layers.Dense(8, activation="softmax")]
    )
    loss = "sparse_categorical_crossentropy"
    model.compile(keras.optimizers.Adam(0.1), loss, **options)
    return model


def write(model: Any, batch: Any) -> list[str]:
    best = model.predict(batch, verbose=0).argmax(-1)
    return [" ".join(WORDS[row]).strip() for row in best]


# The callback -------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_batches_are_put_together_in_order(size: int) -> None:
    seen = []

    def echo(model: Any, batch: list[str]) -> list[str]:
        seen.append(len(batch))
        return batch

    texts = [group[-1] for group in REFERENCES]
    told = BleuCallback(echo, texts, REFERENCES, "papineni", batch_size=size, name="b", max_order=3)
    logs: dict[str, Any] = {"loss": 1}
    told.on_epoch_end(0, logs)
    expected = corpus_bleu(texts, REFERENCES, "papineni", max_order=3)
    assert told.score == expected and logs == {"loss": 1, "b": expected.value}
    assert sum(seen) == 3 and max(seen) == min(size, 3)


@pytest.mark.parametrize(("sources", "references", "fault"), [
    (SOURCES[:2], REFERENCES, "2 sources and 3 lists"),
    (SOURCES, [each[0] for each in REFERENCES], "a list for each candidate"),
    (SOURCES, [*REFERENCES[:2], []], "holds no reference"),
    (SOURCES, [*REFERENCES[:2], [None]], "holds no reference"),
    (SOURCES, [*REFERENCES[:2], [["lit"]]], "all segments as text"),
    (SOURCES, [*REFERENCES[:2], None], r"references\[2\] must be a list, not NoneType"),
    (SOURCES, [3, *REFERENCES[1:]], r"references\[0\] must be a list, not int"),
    ({"a": 1, "b": 2, "c": 3}, REFERENCES, "sources must be a list or an array, .* not dict"),
    (iter(SOURCES), REFERENCES, "sources must be a list or an array"),
])
def test_bad_pairs_are_refused_before_training(sources: Any, references: Any, fault: str) -> None:
    with pytest.raises((TypeError, ValueError), match=fault):
        BleuCallback(write, sources, references)


@pytest.mark.parametrize("size", [0, -1, 2.0, "2", True, None, [2]])
def test_a_batch_size_is_a_whole_number_above_zero(size: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^batch_size must be a"):
        BleuCallback(write, SOURCES, REFERENCES, batch_size=size)


class Epochs(keras.callbacks.Callback):  # type: ignore[misc]
    """How many epochs began."""

    began = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.began += 1


@pytest.mark.parametrize("data", [None, (SOURCES, SOURCES)])
@pytest.mark.parametrize("name", ["val_bleu", "bleu", "loss", "val_loss", "own"])
def test_a_name_of_others_is_refused_when_fit_begins(name: str, data: Any) -> None:
    model, epochs = build(metrics=[BleuMetric(pad=0)]), Epochs()
    ours = BleuCallback(write, SOURCES, REFERENCES, name=name)
    for _ in range(2):
        epochs.began = 0
        options = {"validation_data": data, "verbose": 0, "callbacks": [epochs, ours]}
        if name == "own":
            history = model.fit(SOURCES, SOURCES, **options).history
            assert history["own"] == [ours.score and ours.score.value]
        else:
            with pytest.raises(ValueError, match=f"callback writes '{name}' into the logs"):
                model.fit(SOURCES, SOURCES, **options)
            assert epochs.began == 0


def test_references_are_read_once_and_kept() -> None:
    outputs = [text.split() for text in ("the lamp was lit", "dusk was lit again", "lit at dusk")]
    words = [[text.split() for text in group] for group in REFERENCES]
    told, before = BleuCallback(lambda *_: outputs, SOURCES, words), corpus_bleu(outputs, words)
    once = BleuCallback(lambda *_: outputs, SOURCES, iter([*map(iter, words)]))
    words[0][0].append("again")
    words[1].pop()
    assert corpus_bleu(outputs, words) != before
    for epoch in range(2):
        told.on_epoch_end(epoch)
        once.on_epoch_end(epoch)
        assert told.score == once.score == before


# The metric ---------------------------------------------------------------------------------------


def sample(seed: int, segments: int = 30) -> tuple[Any, Any]:
    """References and predictions, as rectangles of ids from 1 to 6."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(1, 7, (segments, 8))
    y_pred = np.where(rng.random((segments, 8)) < 0.7, y_true, rng.integers(1, 7, (segments, 8)))
    return y_true, y_pred


def tokens(rows: Any) -> list[list[str]]:
    return [[str(each) for each in row] for row in rows]


def test_padding_and_the_end_are_left_out() -> None:
    metric = BleuMetric(pad=0, end=9)
    metric.update_state([[1, 2, 3, 4, 5, 9, 0], [0, 1, 2, 3, 4, 9, 7]],
                        [[1, 2, 3, 4, 9], [1, 0, 2, 3, 9]])  # fmt: skip
    expected = corpus_bleu([list("1234"), list("123")], [[list("12345")], [list("1234")]])
    assert metric.score() == expected


def test_ids_of_padding_and_end_are_whole_numbers() -> None:
    with pytest.raises(TypeError, match=r"^end must be an int, not "):
        BleuMetric(pad=None, end=np.bool_(False))
    config = BleuMetric(pad=np.int32(-100), end=np.uint8(2)).get_config()
    assert (config["pad"], config["end"]) == (-100, 2)
    assert {type(config[name]) for name in ("pad", "end")} == {int}


def test_large_sums_are_kept() -> None:
    metric = BleuMetric(pad=0)
    metric.update_state(*sample(3))
    value, numbers = metric.score().value, [2**40 * each for each in metric._seen()]
    metric.numbers.assign(split_limbs(numbers, 24, 3))
    assert (metric.score().value, metric._seen()) == (value, numbers)


@pytest.mark.parametrize(("y_true", "y_pred", "fault"), [
    ([[1.0]], [[1]], "y_true must hold integers, .* float"),
    ([[1]], [[1.0]], "y_pred must hold integers, .* float"),
    ([1], [[1]], r"y_true must hold integers.*shape \(1,\)"),
    ([[1]], [[[1]]], r"y_pred must hold integers.*shape \(1, 1, 1\)"),
    ([[True]], [[1]], "y_true must hold integers.*bool"),
    ([[1], [2]], [[1]], "differ in number, 1 and 2"),
])
def test_what_holds_no_ids_is_refused(y_true: Any, y_pred: Any, fault: str) -> None:
    metric = BleuMetric(pad=0)
    with pytest.raises((TypeError, ValueError), match=fault):
        metric.update_state(np.array(y_true), np.array(y_pred))
    assert math.isnan(metric.result())


def test_it_is_saved_by_its_choices() -> None:
    metric = BleuMetric("ignite", pad=3, end=5, name="b", dtype="float64", max_order=3)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(metric))
    assert again.get_config() == metric.get_config() and type(again) is BleuMetric
    assert again.reducer.dialect == metric.reducer.dialect != DIALECTS["ignite"]
    named = BleuMetric.from_config({"dialect": "ignite", "pad": None})
    assert named.reducer.dialect == DIALECTS["ignite"] and again.name == "b"


def test_a_model_is_saved_with_it(tmp_path: Any) -> None:
    model = build(metrics=[BleuMetric(pad=0, max_order=2)])
    model.fit(SOURCES, SOURCES, epochs=1, verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    one, two = (each.evaluate(SOURCES, SOURCES, verbose=0, return_dict=True)
                for each in (model, loaded))  # fmt: skip
    assert one["bleu"] == two["bleu"] and not math.isnan(one["bleu"])


@pytest.mark.parametrize("size", [1, 2, 32])
def test_it_counts_each_batch_of_an_epoch_once(size: int) -> None:
    model = build(metrics=[BleuMetric(pad=0, dtype="float64")])
    found = model.evaluate(SOURCES, SOURCES, batch_size=size, verbose=0, return_dict=True)
    best = model.predict(SOURCES, verbose=0).argmax(-1)
    outputs = [[str(each) for each in row if each] for row in best]
    groups = [[[str(each) for each in row if each]] for row in SOURCES]
    assert found["bleu"] == corpus_bleu(outputs, groups).value


def test_shapes_are_asked_for_without_counting() -> None:
    metric = BleuMetric(pad=1)
    shape = keras.KerasTensor((2, 5), dtype="int32")
    with keras.SymbolicScope():
        metric.update_state(shape, shape)
        assert math.isnan(metric.result())
    assert not any(metric._seen())
