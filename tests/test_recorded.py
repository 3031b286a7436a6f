"""The answers that other tools gave on the recorded cases, setting by setting."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from data import GOLDEN, needs, read_json

from bleu_nb import (
    TOKENIZERS,
    Bleu,
    corpus_bleu,
    count_segment,
    pool,
    score_stats,
    smooth,
)

pytestmark = needs(GOLDEN)

Answer = Callable[[dict[str, Any]], Any]

EQUAL = (0.25,) * 4
CHOICES = {
    "tokenize": "tokenizer",
    "lowercase": "lowercase",
    "smooth_method": "smoothing",
    "smooth_value": "smoothing_value",
    "max_ngram_order": "max_order",
}


def sacrebleu_corpus(params: dict[str, Any]) -> Answer | None:
    """sacreBLEU's metric object on raw text."""
    if params["tokenize"] not in TOKENIZERS:
        return None
    choices = {CHOICES[name]: value for name, value in params.items() if name in CHOICES}
    effective = "always" if params.get("effective_order") else "never"
    metric = Bleu(effective_order=effective, **choices)
    return lambda case: metric(case["hyps_raw"], case["refs_raw"]).value


def sacrebleu_default(params: dict[str, Any]) -> Answer:
    """sacreBLEU without any setting."""
    return lambda case: corpus_bleu(case["hyps_raw"], case["refs_raw"]).value


def sacrebleu_raw(params: dict[str, Any]) -> Answer:
    """sacreBLEU's function for text that is tokenised already."""
    metric = Bleu(tokenizer="none", smoothing="floor", effective_order="always")
    return lambda case: metric(case["hyps_raw"], case["refs_raw"]).value


def sacrebleu_sentences(params: dict[str, Any]) -> Answer:
    """sacreBLEU's function for one sentence, on each segment."""
    metric = Bleu(tokenizer=params["tokenize"])

    def answer(case: dict[str, Any]) -> list[float]:
        return [score.value for score in metric.sentences(case["hyps_raw"], case["refs_raw"])]

    return answer


def nltk_value(case: dict[str, Any], smoothing: str, weights: tuple[float, ...]) -> float | None:
    """nltk's corpus score of token lists, by one vector of weights; None where it fails."""
    pairs = list(zip(case["hyps_tok"], case["refs_tok"], strict=True))
    stats = pool(count_segment(*pair, max_order=len(weights), least_total=1) for pair in pairs)
    last = count_segment(*pairs[-1], max_order=5, least_total=1)
    if smoothing == "nltk-6" and any(stats.matches) and not stats.matches[2]:
        with pytest.raises(ValueError, match="method 6 needs a trigram"):
            smooth(stats, smoothing, last=last)
        return None
    return score_stats(stats, smooth(stats, smoothing, last=last), weights).value


def nltk_corpus(params: dict[str, Any]) -> Answer | None:
    """nltk's corpus score by one of its methods."""
    if params["version"] != "3.10.4" or params.get("auto_reweigh"):
        return None
    smoothing = params["smoothing"].replace("method", "nltk-")
    if "weights" not in params:
        return lambda case: nltk_value(case, smoothing, EQUAL)
    return lambda case: [nltk_value(case, smoothing, tuple(each)) for each in params["weights"]]


def torchtext(params: dict[str, Any]) -> Answer:
    """torchtext's score of token lists."""
    metric = Bleu("papineni", reference_length="first", max_order=params.get("max_n", 4))
    return lambda case: metric(case["hyps_tok"], case["refs_tok"]).value


TOOLS: dict[str, Callable[[dict[str, Any]], Answer | None]] = {
    "sacrebleu.BLEU.corpus_score": sacrebleu_corpus,
    "sacrebleu.raw_corpus_bleu": sacrebleu_raw,
    "sacrebleu.sentence_bleu": sacrebleu_sentences,
    "evaluate.sacrebleu": sacrebleu_default,
    "nltk.corpus_bleu": nltk_corpus,
    "torchtext.bleu_score": torchtext,
}
COVERED = {
    "sacrebleu.BLEU.corpus_score": 20,
    "sacrebleu.raw_corpus_bleu": 1,
    "sacrebleu.sentence_bleu": 1,
    "evaluate.sacrebleu": 1,
    "nltk.corpus_bleu": 10,
    "torchtext.bleu_score": 3,
}
FLOAT32 = {"torchtext.bleu_score"}
GOLD = read_json(GOLDEN) or {"cases": [], "configs": []}


def applicable() -> list[dict[str, Any]]:
    """The configurations of the record that the package has."""
    tools = [(config, TOOLS.get(config["impl"])) for config in GOLD["configs"]]
    return [config for config, tool in tools if tool and tool(config["params"])]


def named(config: dict[str, Any]) -> str:
    """Tool and settings of a configuration."""
    settings = ",".join(f"{name}={value}" for name, value in config["params"].items())
    return f"{config['impl']}({settings})".replace(" ", "")


def agree(mine: Any, theirs: Any, float32: bool) -> bool:
    """Are two answers equal, or as close as single precision can tell?"""
    return math.isclose(mine, theirs, rel_tol=1e-6) if float32 else mine == theirs


def test_no_configuration_is_lost() -> None:
    assert Counter(config["impl"] for config in applicable()) == COVERED


@pytest.mark.parametrize("config", applicable(), ids=named)
def test_recorded_answers(config: dict[str, Any]) -> None:
    answer, float32 = TOOLS[config["impl"]](config["params"]), config["impl"] in FLOAT32
    wrong = []
    for case, theirs in zip(GOLD["cases"], config["scores"], strict=True):
        mine = answer(case)
        if not agree(mine, theirs, float32):
            wrong.append((case["case_id"], mine, theirs))
    assert not wrong[:3], f"{len(wrong)} of {len(GOLD['cases'])} cases differ"
