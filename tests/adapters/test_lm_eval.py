"""BLEU in lm-evaluation-harness: whole tasks, run by the harness itself without a network."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import book
import pytest
from commands import python

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.adapters.lm_eval import bleu_items, register

REASON = "lm_eval is not installed here: `make frameworks` brings it"
lm_eval = pytest.importorskip("lm_eval", reason=REASON)

from lm_eval.api.model import LM  # noqa: E402
from lm_eval.api.registry import (  # noqa: E402
    get_aggregation,
    get_metric_aggregation,
    is_higher_better,
)
from lm_eval.tasks import TaskManager  # noqa: E402

DOCS = [
    {"source": "a", "target": "In winter the boat came only once a month.",
     "references": ["In winter the boat came only once a month.",
                    "In the winter months the boat came just once a month."]},
    {"source": "b", "target": "Nobody had told the keeper of the lamp.",
     "references": ["Nobody had told the keeper of the lamp."]},
    {"source": "c", "target": "They counted the waves that night and did not sleep.",
     "references": ["They counted the waves that night and did not sleep.",
                    "That night they counted every wave.", "They counted all night."]},
    {"source": "d", "target": "The lamp was lit at dusk, as ever.",
     "references": ["The lamp was lit at dusk, as ever.", "At dusk they lit the lamp."]},
]
SAID = {
    "a": " In winter the boat came once a month.",
    "b": "Nobody told the keeper of the lamp.",
    "c": "They counted every wave that night and did not sleep.",
    "d": "The lamp was lit at dusk.",
}
PREDICTIONS = [*SAID.values()]
REFERENCES: list[list[str | None]] = [[*doc["references"]] for doc in DOCS]
ONE = [[doc["target"]] for doc in DOCS]
HEAD = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
"""
UTILS = """
from bleu_nb.adapters.lm_eval import bleu_items, register
register()
register("bleu_nltk", "nltk", smoothing="nltk-1")
def process_results(doc, results):
    return bleu_items(doc["references"], results[0], "bleu_nb", "bleu_nltk")
def process_one(doc, results):
    return bleu_items(doc["references"], results[0], "bleu_nb", "bleu_letters_2")
"""


class Canned(LM):
    """A model that has learnt its answers by heart."""

    def generate_until(self, requests: Any) -> list[str]:
        return [SAID[each.doc["source"]] for each in requests]

    loglikelihood = loglikelihood_rolling = None  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is looked up, and what `datasets` keeps goes away with the test."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    # It starts a dozen programs to describe the machine, which takes seconds.
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda _: None)
    yield


def run(folder: Path, rest: str, docs: list[dict[str, Any]] = DOCS, **choices: Any) -> Any:
    """What the harness finds for a task whose YAML ends so."""
    (folder / "docs.json").write_text("\n".join(map(json.dumps, docs)), "utf-8")
    head = HEAD.format(name="boat", data=folder / "docs.json")
    (folder / "boat.yaml").write_text(head + rest, "utf-8")
    (folder / "utils.py").write_text(UTILS, "utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return lm_eval.simple_evaluate(Canned(), tasks=["boat"], task_manager=manager, **choices)


SEVERAL = """
doc_to_target: "{{target}}"
process_results: !function utils.process_results
metric_list:
  - metric: bleu_nb
  - metric: bleu_nb_stderr
  - metric: bleu_nltk
  - metric: bleu_nltk_stderr
"""


def test_a_task_has_every_reference_and_two_dialects(tmp_path: Path) -> None:
    answer = run(tmp_path, SEVERAL)
    found = answer["results"]["boat"]
    interval = Bleu().count(PREDICTIONS, REFERENCES).interval()
    assert interval is not None and found["bleu_nb_stderr,none"] == interval.error
    assert 0 < found["bleu_nltk_stderr,none"] < 1
    assert [found["bleu_nb,none"], found["bleu_nltk,none"]] == [
        corpus_bleu(PREDICTIONS, REFERENCES, **row).value
        for row in ({}, {"dialect": "nltk", "smoothing": "nltk-1"})]
    assert answer["n-samples"]["boat"]["effective"] == len(DOCS)


def one_target(metrics: str) -> str:
    """A task that leaves everything to the harness, with these metrics."""
    return f'doc_to_target: "{{{{target}}}}"\nmetric_list:\n{metrics}'


def chapters_metrics() -> str:
    """The `metric_list` that the chapter begins with, as it stands."""
    [found] = re.findall(r"[Aa]\s+user\s+only\s+writes\s.*?```yaml\n(.*?\n)```",
                         "\n".join(book.sources(book.notebook("07_lm_eval"))), re.DOTALL)
    return str(found)


LINE = """
import json, sys
from lm_eval.__main__ import cli_evaluate
sys.argv[1:] = json.loads(sys.argv[1])
cli_evaluate()
"""


def test_a_task_without_python_runs_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "docs.json").write_text("\n".join(map(json.dumps, DOCS)), "utf-8")
    head = HEAD.format(name="boat", data=tmp_path / "docs.json")
    (tmp_path / "boat.yaml").write_text(
        head + 'doc_to_target: "{{target}}"\n' + chapters_metrics(), "utf-8")
    line = ["--model", "dummy", "--include_path", str(tmp_path), "--tasks", "boat",
            "--output_path", str(tmp_path / "answer.json")]  # fmt: skip
    python(LINE, json.dumps(line), env={**os.environ, "HF_HOME": str(tmp_path / "home")})
    [path] = tmp_path.glob("answer*.json")
    told = json.loads(path.read_text("utf-8"))
    assert told["results"]["boat"]["bleu_nb,none"] == 0
    assert told["results"]["boat"]["bleu_nb_stderr,none"] == "N/A"
    assert told["higher_is_better"]["boat"] == {"bleu_nb": True, "bleu_nb_stderr": False}


@pytest.mark.parametrize(("rest", "golds"), [
    ("", ONE), ("process_results: !function utils.process_one\n", REFERENCES)])
def test_a_name_from_yaml_works_with_and_without_process_results(
    tmp_path: Path, rest: str, golds: Any
) -> None:
    (tmp_path / "names.py").write_text("""
from bleu_nb.adapters.lm_eval import register
bleu_letters_2 = register("bleu_letters_2", tokenizer="char")
""", "utf-8")  # fmt: skip
    found = run(tmp_path, 'doc_to_target: "{{target}}"\n' + rest + chapters_metrics() + (
        "  - metric: !function names.bleu_letters_2\n  - metric: bleu_letters_2_stderr\n")
        )["results"]["boat"]
    assert [found["bleu_nb,none"], found["bleu_letters_2,none"]] == [
        corpus_bleu(PREDICTIONS, golds, **choices).value for choices in ({}, {"tokenizer": "char"})]
    assert found["bleu_nb_stderr,none"] > 0


@pytest.mark.parametrize(("rest", "docs", "kind", "fault"), [
    (one_target("  - metric: bleu_nb\n    tokenizer: zh\n"), DOCS, ValueError,
     r"must not contain options .*\(tokenizer\)"),
    ("doc_to_target: references\nmetric_list:\n  - metric: bleu_nb\n", DOCS, TypeError,
     r"not 1\.0: if targets are lists"),
    (SEVERAL, [DOCS[0], {**DOCS[1], "references": []}, *DOCS[2:]], ValueError,
     r"^references\[1\] holds no reference"),
])
def test_what_a_task_does_wrong_is_said(
    tmp_path: Path, rest: str, docs: Any, kind: Any, fault: str
) -> None:
    register()
    with pytest.raises(kind, match=fault):
        run(tmp_path, rest, docs)


@pytest.mark.parametrize(("docs", "said", "choices"), [
    (DOCS, [*SAID], {"bootstrap_iters": 0}),     # Without their bootstrap
    (DOCS[:1], ["a"], {}), (DOCS[1:2], ["b"], {})])     # One item has no error
def test_the_score_is_that_of_the_items(
    tmp_path: Path, docs: list[dict[str, Any]], said: list[str], choices: Any
) -> None:
    found = run(tmp_path, SEVERAL, docs, **choices)["results"]["boat"]
    assert found["bleu_nb,none"] == corpus_bleu(
        [SAID[each] for each in said], [doc["references"] for doc in docs]).value
    assert len(said) > 1 or found["bleu_nb_stderr,none"] == "N/A"


def test_registering_is_idempotent_and_never_replaces() -> None:
    register("bleu_once", tokenizer="char")
    first = get_aggregation("bleu_once")
    register("bleu_once", tokenizer="char")
    assert get_aggregation("bleu_once") is first is get_metric_aggregation("bleu_once")
    with pytest.raises(ValueError, match="is reserved for standard errors"):
        register("")
    assert is_higher_better("bleu_once") is True
    assert is_higher_better("bleu_once_stderr") is False


@pytest.mark.parametrize(("choices", "items", "told", "said"), [
    ({"dialect": "nltk", "smoothing": "nltk-7"}, [(["a b c d e"], "a b c d e"), (["f g"], "f")],
     False, "last segment"),
    ({"smoothing": "none"}, [("a", "b"), ("c", "d")], False, ""),
    ({}, [("a b c d e", "a b c d f"), ("a b c d", "a b c d")], True,
     "unreliable: only 2 segments"),
])
def test_an_error_that_does_not_exist_or_is_to_be_doubted_is_said(
    choices: Any, items: Any, told: bool, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    aggregation = get_aggregation(register(f"bleu_{len(said)}", **choices) + "_stderr")
    assert aggregation is not None
    found = aggregation(items)
    assert found > 0 if told else found == "N/A"
    assert said in caplog.text


def test_their_own_metrics_are_still_found() -> None:
    """The harness loads its metrics only while nothing is registered."""
    code = ("from bleu_nb.adapters.lm_eval import register; register()\n"
            "from lm_eval.api.registry import get_metric, get_aggregation\n"
            "assert get_metric('exact_match') and get_aggregation('mean')")
    python(code)


@pytest.mark.parametrize("item", [(5, "5"), (None, "a"), (float("nan"), "a"), ("a", None), 1.0])
def test_an_item_that_is_no_pair_is_named_by_its_place(item: Any) -> None:
    score = get_metric_aggregation(register())
    with pytest.raises(TypeError, match=r"^items\[1\] must be a pair of references and one pred"):
        score([("a", "a"), item])


@pytest.mark.parametrize("references", [None, 3, float("nan")])
def test_references_of_an_item_are_a_list(references: Any) -> None:
    with pytest.raises(TypeError, match=r"^references must be a list, not "):
        bleu_items(references, "b")
