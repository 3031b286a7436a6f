"""What people look for, and the page that answers: entries of the index, asked before text."""

from docutils import nodes
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

# Page -> words. The search leads with a page whose entry is what was typed, or holds it and is at
# most twice as long.
WORDS = {
    "00_by_hand": ("bleu by hand", "what is bleu", "worked example", "how is bleu calculated"),
    "01_ngrams": ("n-gram", "ngram"),
    "02_precision": ("clipping", "clipped precision", "modified precision", "parrot", "why 2/7"),
    "03_brevity": ("brevity penalty", "effective reference length", "too short"),
    "04_bleu": ("geometric mean", "corpus bleu", "average of sentence scores"),
    "05_smoothing": (
        "sentence bleu",
        "sentence-level bleu",
        "zero score",
        "score is 0",
        "why zero",
    ),
    "02_smoothers": ("nltk smoothing", "smoothingfunction"),
    "06_tokenization": ("tokenization", "tokenisation", "tokenizer"),
    "03_tokenizers": ("chinese", "japanese", "korean"),
    "04_arithmetic": ("rounding", "last digit", "floating point"),
    "07_reporting": ("how to report bleu", "what is a good bleu", "good score"),
    "08_blind_spots": ("limitations", "human judgement", "criticism"),
    "14_five_libraries": ("five libraries", "order of arguments", "nested references"),
    "15_find_the_bug": ("find the bug", "negative precision", "wrong program"),
    "05_table": ("dialect", "effective order"),
    "dialects": (
        "which bleu",
        "tools",
        "table of dialects",
        "sacrebleu",
        "moses",
        "multi-bleu",
        "nltk",
    ),
    "08_signatures": ("signature", "sacrebleu signature", "footnote"),
    "04_explanation": (
        "why two tools",
        "two numbers",
        "different scores",
        "why do two tools differ",
    ),
    "05_identification": (
        "identify",
        "check a number",
        "reproduce a score",
        "published number",
        "settings of a score",
    ),
    "01_resampling": ("bootstrap", "resampling"),
    "02_intervals": (
        "confidence",
        "confidence interval",
        "error bars",
        "plus or minus",
        "standard error",
    ),
    "03_paired_tests": (
        "significance",
        "significance test",
        "p-value",
        "is the difference real",
        "statistical significance",
        "randomisation test",
        "randomization test",
        "paired bootstrap",
    ),
    "06_compare": ("compare systems", "baseline", "multiple comparisons"),
    "03_diversity": ("self-bleu", "self bleu", "diversity"),
    "04_bayes_risk": ("mbr", "minimum bayes risk"),
    "02_reading": ("line endings", "byte order mark"),
    "05_command": ("command line", "cli", "shell"),
    "04_evaluation_sets": ("wmt", "test set"),
    "02_processes": ("distributed", "accelerate"),
    "03_torchmetrics": ("torchmetrics", "pytorch", "lightning"),
    "04_ignite": ("ignite",),
    "05_evaluate": ("huggingface", "hugging face", "evaluate"),
    "06_transformers": ("huggingface trainer", "hugging face trainer", "transformers", "trainer"),
    "07_lm_eval": ("lm-eval", "lm-evaluation-harness"),
    "09_keras": ("keras", "tensorflow"),
    "10_toolkits": ("fairseq", "marian", "opennmt", "eole", "joeynmt"),
    "12_nltk": ("nltk", "drop-in"),
    "08_lighteval": ("lighteval",),
    "13_trl": ("trl", "grpo", "reward", "reinforcement learning"),
    "11_sacrebleu": ("drop-in", "drop in", "import sacrebleu"),
    "use_python": ("in python", "corpus_bleu", "score a list"),
    "use_shell": ("in the shell", "score a file", "score files", "gz", "stdin", "pipe"),
    "use_better": ("is b better than a", "compare two systems", "better", "latex table",
                   "fail ci"),
    "use_report": ("report", "cite", "citation", "bibtex", "latex", "methods section",
                   "save counts"),
    "use_why": ("why 27.3", "where does it come from", "other number", "mismatch"),
    "use_frameworks": ("framework", "frameworks", "in a trainer", "callback", "pandas", "polars",
                       "data frame", "dask", "cluster", "spark"),
    "use_pairs": ("best of samples", "rerank"),
    "use_speed": ("fast", "slow", "make it fast", "large corpus"),
    "coming_from": ("migrate", "coming from", "switch", "replacement", "torchtext"),
    "command_line": ("options", "exit status", "flags"),
    "formats": ("json", "npz", "file format", "empty line", "schema"),
    "architecture": ("architecture", "own tokenizer", "own dialect", "own smoother"),
    "playground": ("try it", "online"),
    "speed": ("benchmark", "performance"),
    "usage": ("install", "how to install", "pip install", "installation", "quick start"),
}


class Enter(SphinxTransform):
    """Put a page's words at its head, as entries of the index."""

    default_priority = 10

    def apply(self, **kwargs: object) -> None:
        page = self.env.docname
        if page in WORDS:
            entries = [("single", word, "", "main", None) for word in WORDS[page]]
            first = next(iter(self.document.findall(nodes.section)), self.document)
            first.append(index("", entries=entries))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the entries."""
    app.add_transform(Enter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
