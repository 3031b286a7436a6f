"""What the chapters of the adapters begin with, "all that a user writes", runs as it stands."""

import json
import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bleu_nb import corpus_bleu

NOTEBOOKS = Path(__file__).resolve().parent.parent / "nbs"
TEXTS = ["the lamp was lit at dusk", "the boat came late"]
GROUPS = [["the lamp was lit at dusk", "they lit the lamp"], ["the boat came very late"]]
BATCHES = [(TEXTS[:1], GROUPS[:1]), (TEXTS[1:], GROUPS[1:])]
WHOLE = corpus_bleu(TEXTS, GROUPS)


def opening(chapter: str) -> tuple[str, str]:
    """The first fenced code of a chapter: all but its last line, and that."""
    [path] = NOTEBOOKS.glob(f"{chapter}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "markdown")
    found = re.search(r"This is all that a user writes:\n\n```python\n(.*?)\n```", prose, re.DOTALL)
    assert found
    return tuple(found[1].rsplit("\n", 1))  # type: ignore[return-value]


def ran(chapter: str, **names: Any) -> tuple[Any, dict[str, Any]]:
    """The value of its last line, and all names."""
    first, last = opening(chapter)
    exec(first, names)
    return eval(last, names), names


def test_torchmetrics() -> None:
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed here",
                        exc_type=ImportError)
    score, names = ran("13b", batches=BATCHES)
    assert score == WHOLE
    assert names["bleu"].compute().item() == WHOLE.value


def test_ignite() -> None:
    engine = pytest.importorskip("ignite.engine", reason="pytorch-ignite is not installed here")
    evaluator = engine.Engine(lambda engine, batch: batch)
    assert ran("13c", batches=BATCHES, evaluator=evaluator)[0] == WHOLE.value


def test_evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    framework = pytest.importorskip("evaluate", reason="evaluate is not installed here")
    monkeypatch.setattr(framework.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(framework.config, "HF_METRICS_CACHE", tmp_path / "metrics")
    assert ran("13d", batches=BATCHES)[0] == WHOLE.value


def test_keras() -> None:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    pytest.importorskip("keras", reason="keras is not installed here: `make frameworks` brings it")

    def fit(x: Any, y: Any, epochs: int, callbacks: list[Any]) -> list[dict[str, float]]:
        """As of a model: three epochs, in which nothing gets better."""
        told = []
        bleu, stop = callbacks
        for epoch in range(3):
            told.append({})
            bleu.on_epoch_end(epoch, told[-1])
            assert stop.monitor in told[-1] and epoch < epochs
        return told

    told, _ = ran("13g", model=SimpleNamespace(fit=fit), x=None, y=None, sources=["one", "two"],
                  references=GROUPS, write=lambda model, some: TEXTS)
    assert told == [{"val_bleu": WHOLE.value}] * 3
