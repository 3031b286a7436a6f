"""What people look for, and the page that answers: entries of the index, asked before text."""

from docutils import nodes
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

# Page -> words. The search leads with a page whose entry is what was typed, or holds it and is at
# most twice as long.
WORDS = {
    "00_by_hand": ("bleu by hand", "what is bleu", "worked example", "how is bleu calculated"),
    "00_ngrams": ("n-gram", "ngram"),
    "01_precision": ("clipping", "clipped precision", "modified precision", "parrot", "why 2/7"),
    "02_brevity": ("brevity penalty", "effective reference length", "too short"),
    "03_bleu": ("geometric mean", "corpus bleu", "average of sentence scores"),
    "04_smoothing": ("sentence bleu", "sentence-level bleu", "zero score", "score is 0",
                     "why zero"),
    "04b_smoothers": ("nltk smoothing", "smoothingfunction"),
    "05_tokenizing": ("tokenization", "tokenisation", "tokenizer"),
    "05b_tokenizers": ("chinese", "japanese", "korean"),
    "05c_arithmetic": ("rounding", "last digit", "floating point"),
    "05d_reporting": ("how to report bleu", "what is a good bleu", "good score"),
    "05e_blind_spots": ("limitations", "human judgement", "criticism"),
    "06_dialects": ("dialect", "effective order"),
    "dialects": ("which bleu", "tools", "table of dialects", "sacrebleu", "moses", "multi-bleu",
                 "nltk"),
    "06c_signatures": ("signature", "sacrebleu signature", "footnote"),
    "07_explain": ("why two tools", "two numbers", "different scores", "why do two tools differ"),
    "07b_identify": ("identify", "check a number", "reproduce a score", "published number",
                     "settings of a score"),
    "09_resampling": ("bootstrap", "resampling"),
    "09b_intervals": ("confidence", "confidence interval", "error bars", "plus or minus",
                      "standard error"),
    "09c_significance": ("significance", "significance test", "p-value", "is the difference real",
                         "statistical significance", "randomisation test", "randomization test",
                         "paired bootstrap"),
    "09d_comparing": ("compare systems", "baseline", "multiple comparisons"),
    "10b_self_bleu": ("self-bleu", "self bleu", "diversity"),
    "10c_mbr": ("mbr", "minimum bayes risk"),
    "10d_near_duplicates": ("duplicates", "near-duplicates", "contamination", "deduplication"),
    "12_files": ("line endings", "byte order mark"),
    "12d_cli": ("command line", "cli", "shell"),
    "12a_test_sets": ("wmt", "test set"),
    "13b2_processes": ("distributed", "accelerate"),
    "13b_torchmetrics": ("torchmetrics", "pytorch", "lightning"),
    "13c_ignite": ("ignite",),
    "13d_evaluate": ("huggingface", "hugging face", "evaluate"),
    "13e_transformers": ("huggingface trainer", "hugging face trainer", "transformers", "trainer"),
    "13f_lm_eval": ("lm-eval", "lm-evaluation-harness"),
    "13g_keras": ("keras", "tensorflow"),
    "13h_frames": ("pandas", "polars", "pyarrow", "sql"),
    "13i_toolkits": ("fairseq", "marian", "opennmt"),
    "14_dask": ("dask", "cluster", "spark"),
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
