"""What the playground says of one sentence: its score, three pictures, and the Python for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bleu_nb import Bleu, BleuScore, Dialect, explain
from bleu_nb.dialects import signatures
from bleu_nb.dialects.definition import tokens_of
from bleu_nb.dialects.input_checks import language_unsplit
from bleu_nb.dialects.more_tokenizers import SACREBLEU_NAMES
from bleu_nb.display.charts import Svg
from bleu_nb.display.explanation_charts import waterfall
from bleu_nb.display.score_breakdown import alignment, draw_score

CHOICES = ("tokenizer", "max_order", "smoothing", "smoothing_value", "lowercase")
WRONG = (ValueError, TypeError, ArithmeticError, IndexError, ImportError, OSError)
MOST_TOKENS = 200  # More than that on one side is scored, but not drawn

def changes(request: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that are not the dialect's own."""
    asked = {name: request.get(name) for name in CHOICES}
    return {name: value for name, value in asked.items() if value is not None and value != ""}


def scored(request: Mapping[str, Any]) -> dict[str, Any]:
    """One candidate, scored, drawn and compared with what another dialect makes of it."""
    candidate, references = request["candidate"], list(request["references"])
    first = Bleu(request["dialect"], **changes(request))
    second = Bleu(request["against"])
    score = first.sentence(candidate, references)
    longest = max(len(tokens_of(first.dialect, text)) for text in (candidate, *references))

    def aligned() -> Svg:
        if longest > MOST_TOKENS:
            raise ValueError(f"{longest} tokens are too many to draw, more than {MOST_TOKENS}")
        return alignment(candidate, references, first.dialect.max_order, first.dialect)

    return {
        "value": repr(score.value),
        "scale": score.scale,
        "line": score.line(),
        "words": in_words(score),
        "alignment": drawn(aligned),
        "anatomy": drawn(lambda: draw_score(score)),
        "explanation": explained(candidate, references, first.dialect, second.dialect),
        "call": call(request, first.dialect, second.dialect),
        "unsplit": unsplit([candidate], first.dialect),
    }


def unsplit(texts: Sequence[str], row: Dialect) -> dict[str, Any] | None:
    """The language of text without spaces that the tokenizer does not split, and one that does."""
    found = language_unsplit(texts, str(row.tokenizer))
    if found is None:
        return None
    language, cure = found
    here = "char" if cure in SACREBLEU_NAMES else cure  # What a browser has
    return {"language": language, "tokenizer": here, "now": str(row.tokenizer)}


def drawn(draw: Callable[[], Svg]) -> dict[str, str]:
    """The markup of a picture, for a page and for a phone, or why there is none."""
    try:
        svg = draw()
        return {"markup": svg.markup, "narrow": svg.narrow}
    except WRONG as error:
        return {"error": str(error) or type(error).__name__}


def in_words(score: BleuScore) -> str:
    """The score as a sentence that can be read aloud."""
    digits = 2 if score.scale > 1 else 4
    shares = ", ".join(f"{each:.{digits - 1}f}" for each in score.precisions)
    stats = score.stats
    return (
        f"BLEU {score.value:.{digits}f} of {score.scale}. Precisions {shares}. "
        f"Brevity penalty {score.brevity_penalty:.3f}: {stats.candidate_length} tokens for "
        f"{stats.reference_length:g}."
    )


def of_a_sentence(row: Dialect) -> Dialect:
    """The row as it scores one sentence, for `explain`, which scores corpora."""
    always = row.effective_order == "sentences"
    return replace(row, effective_order="always") if always else row


def explained(
    candidate: str, references: list[str], first: Dialect, second: Dialect
) -> dict[str, str]:
    """The way from the first score to the second, as a picture and as text."""
    try:
        rows = of_a_sentence(first), of_a_sentence(second)
        found = explain([candidate], [references], *rows)
    except WRONG as error:
        return {"error": str(error) or type(error).__name__}
    found = replace(found, first=signatures.in_words(first), second=signatures.in_words(second))
    svg = waterfall(found)
    return {"markup": svg.markup, "narrow": svg.narrow, "text": repr(found)}


def call(request: Mapping[str, Any], first: Dialect, second: Dialect) -> str:
    """Python that gives the same score and the same explanation."""
    chosen = "".join(f", {name}={value!r}" for name, value in changes(request).items())
    references = "".join(f"    {reference!r},\n" for reference in request["references"])
    return (
        "from bleu_nb import Bleu, explain, sentence_bleu\n\n"
        f"candidate = {request['candidate']!r}\n"
        f"references = [\n{references}]\n"
        f"score = sentence_bleu(candidate, references, {first.name!r}{chosen})\n"
        "explanation = explain(\n"
        "    [candidate], [references],\n"
        f"    {metric(first.name, chosen, first)},\n"
        f"    {metric(second.name, '', second)},\n"
        ")\n"
    )


def metric(name: str, chosen: str, row: Dialect) -> str:
    """The Python of a metric that scores a corpus as it would score a sentence."""
    sentence = of_a_sentence(row)
    more = "" if sentence is row else f", effective_order={sentence.effective_order!r}"
    return f"Bleu({name!r}{chosen}{more})"
