"""The module that `evaluate.load(bleu_nb.adapters.evaluate_module_path())` loads (chapter 10.5)."""

from typing import Any

from bleu_nb.adapters.evaluate import score_texts
from bleu_nb.derivation.token_checks import import_tool

datasets: Any = import_tool("datasets", "evaluate")
evaluate: Any = import_tool("evaluate", "evaluate")

TEXT = datasets.Value("string")


class ExactBleu(evaluate.Metric):  # type: ignore[misc]
    """BLEU by any dialect of bleu_nb, equal to `bleu_nb.corpus_bleu` to the last bit.

    Args:
        predictions: one text a segment.
        references: of each segment a list of texts, with None for one that is missing; or one text.
        dialect: whose BLEU (`bleu_nb.list_dialects()` names them); sacreBLEU's by default.
        engine, threads: how it is counted, which changes no digit.
        tokenizer, ..., digits: choices to change; `...` leaves what the dialect has.
    Returns:
        the keys of evaluate's modules `sacrebleu` and `bleu`, and the `signature` of all choices.
        `bleu` is from 0 to 1; `score` and `precisions` have the dialect's scale: from 0 to 100 for
        sacreBLEU's, from 0 to 1 for `dialect="huggingface"`, which is the BLEU of the module `bleu`.
    Examples:

        >>> import bleu_nb, evaluate
        >>> bleu = evaluate.load(bleu_nb.adapters.evaluate_module_path())
        >>> predictions = ["the boat came late", "they lit the lamp"]
        >>> references = [["the boat came late", "late came the boat"], ["she lit the lamp", None]]
        >>> found = bleu.compute(predictions=predictions, references=references)
        >>> round(found["score"], 2), found["counts"], found["sys_len"], found["ref_len"]
        (72.31, [7, 5, 3, 1], 8, 8)
        >>> bleu.add_batch(predictions=predictions, references=references)
        >>> found = bleu.compute(dialect="huggingface")
        >>> round(found["score"], 4), round(found["bleu"], 4)
        (0.7231, 0.7231)
    """

    def _info(self) -> Any:
        """What it is, and what it takes: lists of references, or one reference each."""
        return evaluate.MetricInfo(
            description="BLEU by any dialect of bleu_nb, to the last bit.",
            citation="Papineni et al. 2002, https://aclanthology.org/P02-1040/",
            inputs_description=ExactBleu.__doc__,
            features=[
                datasets.Features(predictions=TEXT, references=datasets.Sequence(TEXT)),
                datasets.Features(predictions=TEXT, references=TEXT),
            ],
            reference_urls=["https://aclanthology.org/P02-1040/"],
        )

    def _compute(
        self, predictions: Any, references: Any, dialect: Any = "sacrebleu",
        engine: str = "auto", threads: Any = None, reading: Any = ..., tokenizer: Any = ...,
        lowercase: Any = ..., casing: Any = ..., strip: Any = ..., max_order: Any = ...,
        reference_length: Any = ..., least_total: Any = ..., end_token: Any = ...,
        counting: Any = ..., weights: Any = ..., reweigh: Any = ..., smoothing: Any = ...,
        smoothing_value: Any = ..., unmatched: Any = ..., effective_order: Any = ...,
        penalty: Any = ..., arithmetic: Any = ..., average: Any = ..., scale: Any = ...,
        digits: Any = ..., **unknown: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """What `compute` returns."""
        options = {**locals()}
        del options["self"], options["unknown"]
        return score_texts(**options, **unknown)  # Which says what to pass in their place
