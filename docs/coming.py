"""What other tools call and what is called here, as rows that the tests run and the site shows."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from unbroken import words_whole


class Row(NamedTuple):
    """One line in another tool and here; both give the same number."""

    tool: str           # Module that must be installed for theirs
    theirs: str         # An expression, after its import
    ours: str
    near: float = 0     # May they differ, since theirs is in single precision?


IMPORTS = (
    ("sacreBLEU", "import sacrebleu", "from bleu_nb.adapters import sacrebleu"),
    ("sacreBLEU", "from sacrebleu.metrics import BLEU",
     "from bleu_nb.adapters.sacrebleu import BLEU"),
    ("nltk", "import nltk", "from bleu_nb.adapters import nltk"),
    ("nltk", "from nltk.translate.bleu_score import sentence_bleu, corpus_bleu, SmoothingFunction",
     "from bleu_nb.adapters.nltk.translate.bleu_score import"
     " sentence_bleu, corpus_bleu, SmoothingFunction"),
    ("evaluate", 'evaluate.load("sacrebleu")', "evaluate.load(evaluate_module_path())"),
    ("torchmetrics", "from torchmetrics.text import SacreBLEUScore",
     "from bleu_nb.adapters.torchmetrics import BleuMetric"),
)
BEFORE = {
    "sacrebleu": "import sacrebleu",
    "nltk": "from nltk.translate import bleu_score as nltk_bleu",
    "torchtext": "from torchtext.data.metrics import bleu_score",
    "evaluate": "import evaluate",
    "torchmetrics": "from torchmetrics.functional.text import bleu_score, sacre_bleu_score",
}
SINGLE = 2e-6   # Where theirs is computed in single precision
CALLS = (
    Row("sacrebleu", "sacrebleu.corpus_bleu(hypotheses, streams).score",
        "corpus_bleu(hypotheses, references).value"),
    Row("sacrebleu", 'sacrebleu.corpus_bleu(hypotheses, streams, lowercase=True,'
        ' tokenize="intl").score',
        'corpus_bleu(hypotheses, references, lowercase=True, tokenizer="intl").value'),
    Row("sacrebleu", 'sacrebleu.corpus_bleu(hypotheses, streams, smooth_method="floor",'
        " smooth_value=0.01).score",
        'corpus_bleu(hypotheses, references, smoothing="floor", smoothing_value=0.01).value'),
    Row("sacrebleu", "sacrebleu.sentence_bleu(hypotheses[0], references[0]).score",
        "sentence_bleu(hypotheses[0], references[0]).value"),
    Row("sacrebleu", "sacrebleu.BLEU(max_ngram_order=2).corpus_score(hypotheses, streams).score",
        "Bleu(max_order=2)(hypotheses, references).value"),
    Row("nltk", "nltk_bleu.corpus_bleu(tokenized, tokens)",
        'corpus_bleu(tokens, tokenized, "nltk").value'),
    Row("nltk", "nltk_bleu.sentence_bleu(tokenized[0], tokens[0])",
        'sentence_bleu(tokens[0], tokenized[0], "nltk").value'),
    Row("nltk", "nltk_bleu.sentence_bleu(tokenized[0], tokens[0],"
        " smoothing_function=nltk_bleu.SmoothingFunction().method1)",
        'sentence_bleu(tokens[0], tokenized[0], "nltk", smoothing="nltk-1").value'),
    Row("nltk", "nltk_bleu.sentence_bleu(tokenized[0], tokens[0], weights=(0.5, 0.5))",
        'sentence_bleu(tokens[0], tokenized[0], "nltk", max_order=2, weights=(0.5, 0.5)).value'),
    Row("torchtext", "bleu_score(tokens, tokenized)",
        'corpus_bleu(tokens, tokenized, "torchtext").value', SINGLE),
    Row("evaluate", 'evaluate.load("sacrebleu").compute(predictions=hypotheses,'
        ' references=references)["score"]',
        "evaluate.load(evaluate_module_path()).compute(predictions=hypotheses,"
        ' references=references)["score"]'),
    Row("torchmetrics", "sacre_bleu_score(hypotheses, references).item()",
        'corpus_bleu(hypotheses, references, "torchmetrics-sacre").value', SINGLE),
    Row("torchmetrics", "bleu_score(hypotheses, references, smooth=True).item()",
        'corpus_bleu(hypotheses, references, "torchmetrics", smoothing="add-k").value', SINGLE),
)
COMMANDS = (
    ("sacrebleu ref.txt -i mt.txt", "bleu-nb score mt.txt ref.txt"),
    ("sacrebleu ref.txt -i mt.txt", "bleu-nb sacrebleu ref.txt -i mt.txt"),
    ("sacrebleu ref.txt ref2.txt -i mt.txt -b -w 4",
     "bleu-nb score mt.txt ref.txt ref2.txt --score-only --decimals 4"),
    ("sacrebleu ref.txt -i mt.txt -lc -tok intl -b",
     "bleu-nb score mt.txt ref.txt --lowercase --tokenize intl --score-only --decimals 1"),
    ("sacrebleu ref.txt -i mt.txt -sl -b -w 2",
     "bleu-nb score mt.txt ref.txt --sentence --score-only"),
    ("sacrebleu ref.txt -i old.txt new.txt --paired-ar",
     "bleu-nb compare old.txt new.txt --ref ref.txt --test sacrebleu-ar"),
)


def coming() -> dict[str, str]:
    """Name -> HTML of a table that the page shows by writing the name in double braces."""
    return {
        "imports": columns("python", ((theirs, ours) for _, theirs, ours in IMPORTS)),
        "calls": columns("python", map(call, CALLS, ("", *(row.tool for row in CALLS)))),
        "commands": columns("sh", COMMANDS),
    }


def call(row: Row, before: str) -> tuple[str, str]:
    """Theirs and ours, after the import of a tool that the row before did not have."""
    first = "" if row.tool == before else f"{BEFORE[row.tool]}\n"
    return f"{first}{row.theirs}", row.ours


def columns(language: str, rows: Iterable[Sequence[str]]) -> str:
    """Code in two columns, theirs and ours, one below the other where it is narrow."""
    body = "".join(
        f'<tr><td data-whose="other tool">{code(theirs, language)}</td>'
        f'<td data-whose="bleu_nb">{code(ours, language)}</td></tr>\n' for theirs, ours in rows)
    return ('<table class="two-columns">\n<thead><tr><th scope="col">other tool</th>'
            f'<th scope="col">bleu_nb</th></tr></thead>\n<tbody>\n{body}</tbody>\n</table>')


def code(text: str, language: str) -> str:
    """Code in colours, which may be broken before a point and not at a hyphen."""
    lexer = get_lexer_by_name(language)
    inside = highlight(text, lexer, HtmlFormatter(nowrap=True)).strip()
    inside = inside.replace('<span class="o">.</span>', '<wbr><span class="o">.</span>')
    inside = words_whole(inside)
    return f'<div class="highlight"><pre>{inside}</pre></div>'.replace("\n", "&#10;")
