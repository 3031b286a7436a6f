"""What the chapters of the adapters tell users to write runs as it stands, on two processes too."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import book
import pytest

from bleu_nb import corpus_bleu, sentence_bleu

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["the lamp was lit at dusk", "the boat came late"]
GROUPS = [["the lamp was lit at dusk", "they lit the lamp"], ["the boat came very late"]]
BATCHES = [(TEXTS[:1], GROUPS[:1]), (TEXTS[1:], GROUPS[1:])]
WHOLE = corpus_bleu(TEXTS, GROUPS)


def prose_of(chapter: str) -> str:
    """All text of a chapter."""
    return "\n".join(book.sources(book.notebook(chapter)))


def ran(chapter: str, **names: Any) -> tuple[Any, dict[str, Any]]:
    """The value of the last line of the first fenced code of a chapter, and all names."""
    [found, *_] = re.findall(
        r"A\s+user\s+only\s+writes:\n\n```python\n(.*?)\n```", prose_of(chapter), re.DOTALL)
    first, last = found.rsplit("\n", 1)
    exec(first, names)
    return eval(last, names), names


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network, and an empty folder for what frameworks keep."""
    for name, value in (("HF_HOME", str(tmp_path)), ("HF_HUB_OFFLINE", "1")):
        monkeypatch.setenv(name, value)
    if evaluate := sys.modules.get("evaluate"):
        monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
        monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", tmp_path / "metrics")


@pytest.mark.parametrize(("module", "chapter", "names", "wanted"), [
    ("torchmetrics", "03_torchmetrics", lambda _: {"batches": BATCHES}, WHOLE),
    ("ignite.engine", "04_ignite", lambda module: {
        "batches": BATCHES, "evaluator": module.Engine(lambda engine, batch: batch)}, WHOLE.value),
    ("evaluate", "05_evaluate", lambda _: {"batches": BATCHES}, WHOLE.value),
    ("bleu_nb", "13_trl", lambda _: {"texts": TEXTS, "groups": GROUPS}, [
        min(1, sentence_bleu(text, group).value / 100)
        for text, group in zip(TEXTS, GROUPS, strict=True)]),
])
def test_the_first_lines_of_a_chapter_give_the_score(
    module: str, chapter: str, names: Any, wanted: Any
) -> None:
    framework = pytest.importorskip(module, exc_type=ImportError, reason=(
        f"{module} is not installed here: `make frameworks` brings it"))  # fmt: skip
    score, found = ran(chapter, **names(framework))
    assert score == wanted
    assert chapter != "03_torchmetrics" or found["bleu"].compute().item() == WHOLE.value


def test_keras() -> None:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    keras = pytest.importorskip(
        "keras", reason="keras is not installed here: `make frameworks` brings it")
    import numpy as np

    keras.utils.set_random_seed(7)
    x = np.array([[1, 2, 3, 4, 5, 6], [1, 6, 3, 4, 7, 0], [4, 5, 6, 1, 2, 7]])
    model = keras.Sequential(
        [keras.layers.Embedding(8, 8), keras.layers.Dense(8, activation="softmax")])
    history, _ = ran(
        "09_keras", model=model, optimizer=keras.optimizers.Adam(0.1),
        loss="sparse_categorical_crossentropy", x=x, y=x)
    scores = history.history["val_bleu"]
    assert scores[0] < scores[-1] and len(scores) < 60


# Two processes, and data that they cannot share evenly --------------------------------------------

DATA = [(f"{TEXTS[place % 2]} {place % 7} {place % 11}", [
    f"{TEXTS[place % 2]} {place % 7} {place % 5}", GROUPS[place % 2][0]]) for place in range(301)]
ALL = corpus_bleu(*map(list, zip(*DATA, strict=True)))
LIGHTNING = """
model = Model()
trainer.validate(model, verbose=False)
answer(trainer.global_rank, trainer.callback_metrics["bleu"].item())
"""
IGNITE = """
def one(local_rank):
    answer(idist.get_rank(), validate(local_rank, data))

if __name__ == "__main__":
    with idist.Parallel(backend="gloo", nproc_per_node=2, init_method=f"file://{store}") as both:
        both.run(one)
"""


def told_by_two(
    folder: Path, chapter: str, word: str, more: str, *changes: tuple[str, str]
) -> list[float]:
    """What each of two processes says after the fenced code of a chapter that holds a word."""
    fences = re.findall(r"```python\n(.*?)\n```", prose_of(chapter), re.DOTALL)
    [code] = [each for each in fences if word in each]
    for old, new in changes:
        assert code.count(old) == 1
        code = code.replace(old, new)
    (folder / "data.json").write_text(json.dumps(DATA), "utf-8")
    (folder / "script.py").write_text("\n".join([
        "import json, pathlib",
        f"folder, store = pathlib.Path({str(folder)!r}), {str(folder / 'store')!r}",
        "data = json.loads((folder / 'data.json').read_text())",
        "def answer(rank, value):",
        "    (folder / f'{rank}.txt').write_text(json.dumps(value))",
        code, more]), "utf-8")  # fmt: skip
    subprocess.run(
        [sys.executable, "-W", "ignore", "script.py"], check=True, timeout=500, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    return [json.loads((folder / f"{rank}.txt").read_text()) for rank in range(2)]


TWO_CPUS = ("Trainer(", "Trainer(accelerator='cpu', devices=2, strategy='ddp', logger=False, "
            "enable_progress_bar=False, enable_model_summary=False, ")  # fmt: skip


@pytest.mark.parametrize(("module", "chapter", "word", "more", "changes"), [
    ("lightning", "03_torchmetrics", "LightningModule", LIGHTNING, [TWO_CPUS]),
    pytest.param("ignite", "04_ignite", "idist.get_rank()", IGNITE, [], marks=pytest.mark.slow)])
def test_two_processes_are_one(
    module: str, chapter: str, word: str, more: str, changes: Any, tmp_path: Path
) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed here")
    assert told_by_two(tmp_path, chapter, word, more, *changes) == [ALL.value] * 2
