"""BLEU in lighteval: whole tasks, by its own pipeline, with a small model and without a network."""

import json
import pickle
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.adapters.lm_eval import _score, bleu_metric

TEXTS = ["the lamp was lit at dusk", "the boat came late", "no boat came at all that day"]
GROUPS = [["they lit the lamp", "the lamp was lit at dusk"], ["the boat came very late"],
          ["that day no boat came at all", "no boat came that day", "no"]]  # fmt: skip
TASK = """
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc

from bleu_nb.adapters.lm_eval import bleu_metric


def row(line, task_name):
    references = line["references"]
    return Doc(task_name=task_name, query=line["source"], choices=references,
               gold_index=[*range(len(references))])


TASKS_TABLE = [LightevalTaskConfig(
    name="harbour", prompt_function=row, hf_repo=FOLDER, hf_subset="default",
    hf_avail_splits=["test"], evaluation_splits=["test"], generation_size=4,
    metrics=[bleu_metric(), bleu_metric("chars", tokenizer="char"),
             bleu_metric("nltk", "nltk", smoothing="nltk-5")], stop_sequence=[])]
"""


def items(texts: list[str], groups: list[list[str]]) -> list[Any]:
    """What lighteval keeps of rows."""
    return [SimpleNamespace(golds=golds, preds=[text])
            for text, golds in zip(texts, groups, strict=True)]  # fmt: skip


@pytest.mark.parametrize("choices", [{}, {"tokenizer": "char"}, {"dialect": "huggingface"}])
def test_every_reference_counts(choices: Any) -> None:
    told = _score("bleu", Bleu(**choices), items(TEXTS * 9, GROUPS * 9))
    counts = Bleu(**choices).count(TEXTS * 9, GROUPS * 9)
    interval = counts.interval()
    assert interval is not None
    assert told == {"bleu": corpus_bleu(TEXTS * 9, GROUPS * 9, **choices).value,
                    "bleu_stderr": interval.error}  # fmt: skip


@pytest.mark.parametrize(("choices", "texts", "groups"), [
    ({}, TEXTS[:1], GROUPS[:1]), ({}, ["x", "y"], [["a"], ["b"]]),
    ({"dialect": "nltk", "smoothing": "nltk-5"}, TEXTS, GROUPS)])
def test_where_there_is_no_error_there_is_none(
    choices: Any, texts: Any, groups: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert [*_score("a", Bleu(**choices), items(texts, groups))] == ["a"]
    assert ("no standard error" in caplog.text) == ("dialect" in choices)


def test_it_travels_to_other_processes() -> None:
    told = pickle.loads(pickle.dumps(partial(_score, "a", Bleu(tokenizer="char"))))
    assert told(items(TEXTS, GROUPS))["a"] == corpus_bleu(TEXTS, GROUPS, tokenizer="char").value


@pytest.mark.parametrize(("call", "told"), [
    *((partial(bleu_metric, name), "is reserved for standard errors")
      for name in ("", "bleu_stderr")),
    (partial(bleu_metric, dialect="sacreblue"), "no dialect 'sacreblue'"),
    (partial(_score, "a", Bleu(), [*items(TEXTS[:1], GROUPS[:1]),
                                   SimpleNamespace(golds=["a"], preds=["a", "b"])]),
     r"rows\[1\] has 2 outputs")])
def test_mistakes_are_named(call: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        call()


# Within lighteval ---------------------------------------------------------------------------------


def test_a_task_with_known_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By lighteval's own pipeline, which resamples nothing."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    pytest.importorskip("lighteval", exc_type=ImportError, reason=(
        "lighteval is not installed here: `make frameworks` brings it"))  # fmt: skip
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import (
        DummyModel,
        DummyModelConfig,
    )
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import (
        ParallelismManager,
        Pipeline,
        PipelineParameters,
    )
    from lighteval.tasks.registry import Registry

    class Canned(DummyModel):  # type: ignore[misc]
        """Knows the answers."""

        def greedy_until(self, docs: Any) -> list[Any]:
            return [ModelResponse(text=[TEXTS[int(each.query.split()[1])]]) for each in docs]

    monkeypatch.setattr("lighteval.metrics.utils.stderr.bootstrap_stderr", None)
    rows = [{"source": f"line {place}", "references": group} for place, group in enumerate(GROUPS)]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    task = tmp_path / "harbour.py"
    task.write_text(f"FOLDER = {str(tmp_path / 'data')!r}{TASK}", encoding="utf-8")
    # Some of the tasks that it ships reach for a network as they are read
    with patch.multiple(Registry, _load_from_files=lambda *names: {},
                        _load_from_subdirs=lambda names: {}):
        pipeline = Pipeline(
            tasks="harbour|0", model=Canned(DummyModelConfig(cache_dir=str(tmp_path))),
            evaluation_tracker=EvaluationTracker(str(tmp_path)),
            pipeline_parameters=PipelineParameters(
                launcher_type=ParallelismManager.NONE, custom_tasks_directory=str(task)))
    pipeline.evaluate()
    told = pipeline.get_results()["results"]["harbour:0"]
    assert [told[name] for name in ("bleu_nb", "chars", "nltk")] == [
        corpus_bleu(TEXTS, GROUPS, **choices).value for choices in (
            {}, {"tokenizer": "char"}, {"dialect": "nltk", "smoothing": "nltk-5"})]
    interval = Bleu().count(TEXTS, GROUPS).interval()
    assert interval and told["bleu_nb_stderr"] == interval.error
