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
        predictions: one text per segment.
        references: one text or one list of texts per segment. None is a missing reference.
        dialect: the tool whose BLEU is computed, by default sacreBLEU. `bleu_nb.list_dialects()`
            lists the names.
        engine, threads: the code that counts and its threads. All give the same digits.
        tokenizer, ..., digits: options of the dialect to change. `...` leaves an option unchanged.
    Returns:
        The keys of evaluate's modules `sacrebleu` and `bleu`, and the `signature` of all options.
        `bleu` is from 0 to 1. `score` and `precisions` have the dialect's scale, which is 0 to 100
        for sacreBLEU, and 0 to 1 for `dialect="huggingface"`, the BLEU of the module `bleu`.
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
        """Describe the module and its input: lists of references, or one reference each."""
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
        """Compute the result of `compute`."""
        options = {**locals()}
        del options["self"], options["unknown"]
        return score_texts(**options, **unknown)  # Raises an error that names the right options
