"""BLEU in Keras: the metric for ids, on the torch backend."""

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

from bleu_nb import corpus_bleu  # noqa: E402
from bleu_nb.adapters.keras import BleuMetric  # noqa: E402

SOURCES = np.array([[1, 2, 3, 4, 5, 6], [1, 6, 3, 4, 7, 0], [4, 5, 6, 1, 2, 7]])


def build(**options: Any) -> Any:
    keras.utils.set_random_seed(7)
    model = keras.Sequential(
        [keras.layers.Embedding(8, 8), keras.layers.Dense(8, activation="softmax")]
    )
    loss = "sparse_categorical_crossentropy"
    model.compile(keras.optimizers.Adam(0.1), loss, **options)
    return model


def test_padding_and_the_end_are_left_out() -> None:
    metric = BleuMetric(pad=0, end=9)
    metric.update_state([[1, 2, 3, 4, 5, 9, 0], [0, 1, 2, 3, 4, 9, 7]],
                        [[1, 2, 3, 4, 9], [1, 0, 2, 3, 9]])  # fmt: skip
    expected = corpus_bleu([list("1234"), list("123")], [[list("12345")], [list("1234")]])
    assert metric.bleu.compute() == expected


def test_a_batch_without_segments_changes_nothing() -> None:
    metric = BleuMetric(pad=0)
    for truth in (0, 6), (0, 2, 6):
        metric.update_state(np.zeros(truth, int), np.zeros((0, 6), int))
    assert math.isnan(metric.result())
    metric.update_state(SOURCES, SOURCES[::-1])
    wanted = metric.bleu.compute()
    metric.update_state(SOURCES[:0], np.zeros((0, 6, 8)))
    assert metric.bleu.compute() == wanted


def test_ids_of_padding_and_end_are_whole_numbers() -> None:
    with pytest.raises(TypeError, match=r"^end must be an int, not "):
        BleuMetric(pad=None, end=np.bool_(False))  # type: ignore[arg-type]
    ids: Any = {"pad": np.int32(-100), "end": np.uint8(2)}
    config = BleuMetric(**ids).get_config()
    assert (config["pad"], config["end"]) == (-100, 2)
    assert {type(config[name]) for name in ("pad", "end")} == {int}


@pytest.mark.parametrize(("y_true", "y_pred", "fault"), [
    ([[1.0]], [[1]], "y_true must be integers .* not float64"),
    ([[1]], [[1.0]], "y_pred must be integers .* not float64"),
    ([1], [[1]], r"y_true must be integers.*shape \(1,\)"),
    ([[1]], [[[1]]], r"y_pred must be integers.*shape \(1, 1, 1\)"),
    ([[True]], [[1]], "y_true must be integers.*bool"),
    ([[1], [2]], [[1]], "differ in number, 1 and 2"),
    (SOURCES[:0], SOURCES, "differ in number|an empty corpus"),     # References first
    (SOURCES, SOURCES[:0], "differ in number|an empty corpus"),
])
def test_what_holds_no_ids_is_refused(y_true: Any, y_pred: Any, fault: str) -> None:
    metric = BleuMetric(pad=0)
    with pytest.raises((TypeError, ValueError), match=fault):
        metric.update_state(np.array(y_true), np.array(y_pred))
    assert math.isnan(metric.result())


def test_a_model_is_saved_with_it_and_its_choices(tmp_path: Any) -> None:
    metric = BleuMetric("ignite", pad=0, end=5, name="b", dtype="float64", max_order=2)
    model = build(metrics=[metric])
    model.fit(SOURCES, SOURCES, epochs=1, verbose=0)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(
        tmp_path / "model.keras", custom_objects={"BleuMetric": BleuMetric})
    again = keras.saving.deserialize_keras_object(
        keras.saving.serialize_keras_object(metric), custom_objects={"BleuMetric": BleuMetric})
    assert again.get_config() == metric.get_config() and again.bleu.dialect == metric.bleu.dialect
    one, two = (each.evaluate(SOURCES, SOURCES, verbose=0, return_dict=True)
                for each in (model, loaded))  # fmt: skip
    assert one["b"] == two["b"] and not math.isnan(one["b"])


@pytest.mark.parametrize("size", [1, 2, 32])
def test_it_counts_each_batch_of_an_epoch_once(size: int) -> None:
    model = build(metrics=[BleuMetric(pad=0, dtype="float64")])
    found = model.evaluate(SOURCES, SOURCES, batch_size=size, verbose=0, return_dict=True)
    outputs, truth = ([[str(each) for each in row if each] for row in rows]
                      for rows in (model.predict(SOURCES, verbose=0).argmax(-1), SOURCES))
    assert found["bleu"] == corpus_bleu(outputs, [[each] for each in truth]).value


def test_shapes_are_asked_for_without_counting() -> None:
    metric = BleuMetric(pad=1)
    shape = keras.KerasTensor((2, 5), dtype="int32")
    with keras.SymbolicScope():
        metric.update_state(shape, shape)
        assert math.isnan(metric.result())
    assert not metric.bleu.seen.segments
