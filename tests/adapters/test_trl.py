"""A reward in TRL: trainers with a small model of random weights, and nothing fetched."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_models import causal_model, word_tokenizer

from bleu_nb import sentence_bleu
from bleu_nb.adapters.trl import BleuReward

LINES = ["the boat came late", "they lit the lamp", "she never came at sea"]
GROUPS: list[list[str | None]] = [["the boat came late again", "late"], ["they lit it", None], [""]]
WORDS = ["<pad>", "</s>", "<unk>", "the", "boat", "came", "late", "they", "lit",
         "lamp", "no", "she", "never", "at", "sea", "we"]
CHAT = "{% for each in messages %}{{ each.content }} {% endfor %}"


@pytest.mark.parametrize(("dialect", "choices"), [
    ("sacrebleu", {}), ("sacrebleu", {"smoothing": "floor", "max_order": 2}),
    ("nltk", {"smoothing": "nltk-3"}), ("sacrebleu", {"tokenizer": "char"})])  # fmt: skip
def test_rewards_are_sentence_scores(dialect: str, choices: Any) -> None:
    reward = BleuReward(dialect=dialect, **choices)
    for texts in (LINES, LINES[::-1], ["", "no", "the the the the"]):
        assert reward(texts, references=GROUPS, prompts=LINES) == [
            score.value / score.scale for score in (
                sentence_bleu(text, group, dialect, **choices)
                for text, group in zip(texts, GROUPS, strict=True))]


@pytest.mark.parametrize(("completions", "references", "told"), [
    (LINES, [None, LINES[1], [None]], [None, 1.0, None]),
    (LINES, [[], None, float("nan")], [None] * 3), ([], [], []),
    ([None, "a"], [None, []], [None] * 2),
    # A conversation without a message has no text
    ([[], [{"role": "assistant", "content": "a b c d"}]], ["a b c d"] * 2, [0, 1]),
])
def test_rows_without_references_get_none(completions: Any, references: Any, told: Any) -> None:
    assert BleuReward()(completions, references=references) == told


@pytest.mark.parametrize(("completions", "column"), [
    (LINES, [np.array(GROUPS[0]), np.array(GROUPS[1], object), np.float64("nan")]),
    (LINES, np.array([*GROUPS[:2], None], object)),
    (np.array(LINES, object), [*GROUPS[:2], None])])
def test_arrays_of_references_are_lists(completions: Any, column: Any) -> None:
    reward = BleuReward()
    assert reward(completions, references=column) == reward(LINES, references=[*GROUPS[:2], None])


def test_a_reward_is_never_above_1() -> None:
    assert sentence_bleu(LINES[0], [LINES[0]]).value > 100  # As sacreBLEU's
    assert BleuReward()([LINES[0], "no"], references=[[LINES[0]]] * 2) == [1.0, 0.0]


def test_references_may_be_messages() -> None:
    said = [{"role": "user", "content": "no"}, {"role": "assistant", "content": LINES[0]}]
    assert BleuReward()([LINES[0]] * 3, references=[said, [said], [said, "other"]]) == (
        BleuReward()([LINES[0]] * 3, references=[LINES[0], [LINES[0]], [LINES[0], "other"]]))


def test_it_travels_to_other_processes() -> None:
    reward = pickle.loads(pickle.dumps(BleuReward("human", name="chars", tokenizer="char")))
    assert reward.__name__ == "chars"
    assert reward(["a"], human=["a"]) == BleuReward("human", tokenizer="char")(["a"], human=["a"])


@pytest.mark.parametrize(("made", "completions", "columns", "kind", "told"), [
    ({}, LINES, {"human": GROUPS}, ValueError,
     "no column 'references' among human: pass the name of"),
    ({}, LINES, {"references": GROUPS[:2]}, ValueError,
     "'references' has 2 entries for 3 completions"),
    *(({"engine": engine}, LINES, {"references": [first, ["a", ["b"]], "c"]}, TypeError,
       r"references\[1\]\[1\] is not a string")
      for engine in ("bits", "numpy") for first in ("a", None)),
    ({}, ["a", "b", None], {"references": [["a"], None, "c"]}, TypeError,
     r"completions\[2\] must be text or a list of messages"),
    ({}, ["a", ["b", "c"], "d"], {"references": ["a", "b", "c"]}, TypeError,
     r"candidates\[1\] is not a string"),
    *(({}, LINES[:1], {"references": [wrong]}, TypeError,
       r"references.* must (be a list|be an ordered list|contain one list)")
      for wrong in (3, {"content": "a"})),
    ({}, LINES[:1], {"references": 5}, TypeError, r"^references must be a list, not int"),
    ({}, 5, {"references": ["a"]}, TypeError, r"^completions must be a list, not int"),
    *(({"extract": lambda text, answer=answer: answer}, LINES, {"references": GROUPS}, TypeError,
       r"completions\[0\] must be text .* `extract` must return")
      for answer in (None, 3, float("nan"))),
])
def test_a_mistake_is_named_with_its_place_in_this_call(
    made: Any, completions: Any, columns: Any, kind: type[Exception], told: str
) -> None:
    reward = BleuReward(**made)
    if "extract" not in made:
        reward(LINES, references=GROUPS)
    with pytest.raises(kind, match=told):
        reward(completions, **columns)


# Within TRL ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trl() -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    return pytest.importorskip("trl", exc_type=ImportError, reason=(
        "trl is not installed here: `make frameworks` brings it"))  # fmt: skip


Told = tuple[list[Any], dict[str, Any], list[float | None]]


class Kept(BleuReward):
    """Keeps what it was asked and answered."""

    told: list[Told]

    def __call__(self, completions: Any, **columns: Any) -> list[float | None]:
        rewards = super().__call__(completions, **columns)
        self.told = [*getattr(self, "told", []), (completions, columns, rewards)]
        return rewards


@pytest.fixture
def trained(trl: Any, tmp_path: Path) -> Callable[..., tuple[Kept, list[dict[str, float]]]]:
    """A reward after two steps of a trainer on some rows, and the trainer's log."""

    def train(rows: list[dict[str, Any]], kind: str = "GRPO") -> Any:
        from datasets import Dataset

        reward = Kept()
        trainer = getattr(trl, f"{kind}Trainer")(
            causal_model(WORDS), reward_funcs=reward, train_dataset=Dataset.from_list(rows * 4),
            processing_class=word_tokenizer(
                WORDS, padding_side="left", chat_template=CHAT), args=getattr(trl, f"{kind}Config")(
                str(tmp_path), max_steps=2, per_device_train_batch_size=8, num_generations=4,
                max_completion_length=6, use_cpu=True, report_to="none", disable_tqdm=True,
                logging_steps=1, save_strategy="no", beta=0.0))
        trainer.train()
        return reward, trainer.state.log_history

    return train


ROWS = [{"prompt": "the boat", "references": ["came late", "was late again"]},
        {"prompt": "she", "references": ["came to the sea"]}]


@pytest.mark.parametrize("kind", ["GRPO", "RLOO"])
def test_a_trainer_is_rewarded(trained: Callable[..., Any], kind: str) -> None:
    reward, log = trained(ROWS, kind)
    assert len(reward.told) == 2
    means = [each["rewards/bleu/mean"] if "rewards/bleu/mean" in each else
             each.get(f"rewards/{type(reward).__name__}/mean") for each in log]
    for (texts, columns, rewards), mean in zip(
            reward.told, [each for each in means if each is not None], strict=True):
        assert len(texts) == 8
        assert rewards == [sentence_bleu(text, group).value / 100 for text, group in zip(
            texts, columns["references"], strict=True)]
        assert mean == pytest.approx(sum(rewards) / 8, abs=1e-6)


def test_conversations_and_rows_without_references(trained: Callable[..., Any]) -> None:
    rows = [{"prompt": [{"role": "user", "content": "the boat"}], "references": ["came late"]},
            {"prompt": [{"role": "user", "content": "she"}], "references": None}]
    reward, log = trained(rows)
    for completions, columns, rewards in reward.told:
        assert all(each[-1]["role"] == "assistant" for each in completions)
        assert [reward is None for reward in rewards] == [
            group is None for group in columns["references"]]  # fmt: skip
    assert any("rewards/bleu/mean" in each for each in log)
