"""sacreBLEU's functions for BLEU, which call the metric that this module names `BLEU`.

The other names are those of `sacrebleu.compat`, such as `corpus_chrf`.
"""

from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEUScore

from bleu_nb.adapters.sacrebleu.drop_in import BLEU


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = False,
) -> BLEUScore:
    """Compute the score of a corpus as sacreBLEU does.

    Parameters
    ----------
    hypotheses : list of str
        Machine translations, one per segment.
    references : list of list of str
        Reference streams: one list per reference, each with one entry per
        segment.
    smooth_method : str, default "exp"
        The smoothing method: ``"none"``, ``"floor"``, ``"add-k"`` or
        ``"exp"``.
    smooth_value : float or None, default None
        The number of ``"floor"`` or ``"add-k"``; None takes its default.
    force : bool, default False
        Whether to suppress the warning that text looks tokenized.
    lowercase : bool, default False
        Whether case is ignored.
    tokenize : str or None, default "13a"
        The name of the tokenizer.
    use_effective_order : bool, default False
        Whether orders without matches are left out.

    Returns
    -------
    sacrebleu.metrics.bleu.BLEUScore
        The score of sacreBLEU.

    Examples
    --------
    >>> corpus_bleu(["the cat sat on the mat"],
    ...             [["the cat sat on a mat"]]).score
    53.7284965911771
    """
    metric = BLEU(
        lowercase=lowercase, force=force, tokenize=tokenize,
        smooth_method=smooth_method, smooth_value=smooth_value,
        effective_order=use_effective_order)
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = 0.1,
) -> BLEUScore:
    """Compute the score of a tokenized corpus as sacreBLEU does.

    The text is split at whitespace only.

    Parameters
    ----------
    hypotheses : list of str
        Machine translations, one per segment.
    references : list of list of str
        Reference streams: one list per reference, each with one entry per
        segment.
    smooth_value : float or None, default 0.1
        The number of matches of an order without a match.

    Returns
    -------
    sacrebleu.metrics.bleu.BLEUScore
        The score of sacreBLEU.

    Examples
    --------
    >>> raw_corpus_bleu(["the cat sat on the mat"],
    ...                 [["the cat sat on a mat"]]).score
    53.7284965911771
    """
    return corpus_bleu(
        hypotheses, references, smooth_method="floor",
        smooth_value=smooth_value, force=True, tokenize="none",
        use_effective_order=True)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = "13a",
    use_effective_order: bool = True,
) -> BLEUScore:
    """Compute the score of one segment as sacreBLEU does.

    Parameters
    ----------
    hypothesis : str
        The machine translation.
    references : list of str
        The human translations.
    smooth_method : str, default "exp"
        The smoothing method: ``"none"``, ``"floor"``, ``"add-k"`` or
        ``"exp"``.
    smooth_value : float or None, default None
        The number of ``"floor"`` or ``"add-k"``; None takes its default.
    lowercase : bool, default False
        Whether case is ignored.
    tokenize : str or None, default "13a"
        The name of the tokenizer.
    use_effective_order : bool, default True
        Whether orders without matches are left out.

    Returns
    -------
    sacrebleu.metrics.bleu.BLEUScore
        The score of sacreBLEU.

    Examples
    --------
    >>> sentence_bleu("the cat sat on the mat",
    ...               ["the cat sat on a mat"]).score
    53.7284965911771
    """
    metric = BLEU(
        lowercase=lowercase, tokenize=tokenize, force=False,
        smooth_method=smooth_method, smooth_value=smooth_value,
        effective_order=use_effective_order)
    return metric.sentence_score(hypothesis, references)
