"""What people look for, and the page that answers: entries of the index, asked before text."""

from docutils import nodes
from sphinx.addnodes import index
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

# Page, or section of a page -> words. The search leads with what has an entry that was typed as it
# is, and then with what has most of its words (static/search.js): an entry a word is enough.
WORDS = {
    "00_by_hand": ("bleu by hand", "what is bleu", "worked example", "how is bleu calculated"),
    "01_ngrams": ("n-gram", "ngram"),
    "02_precision": ("clipping", "clipped precision", "modified precision", "parrot", "why 2/7"),
    "03_brevity": ("brevity penalty", "effective reference length", "too short"),
    "04_bleu": ("geometric mean", "corpus bleu"),
    "04_bleu#pooled-or-averaged": ("average of sentence scores", "pooled", "micro or macro average",
                                   "corpus or sentence bleu"),
    "05_smoothing": (
        "sentence bleu",
        "sentence-level bleu",
        "smoothing",
        "zero score",
        "score is 0",
        "why zero",
    ),
    "02_smoothers": ("nltk smoothing", "smoothingfunction"),
    "06_tokenization": ("tokenization", "tokenisation", "tokenizer", "punctuation", "detokenize",
                        "13a"),
    "03_tokenizers": ("chinese", "japanese", "korean", "character level", "intl"),
    "07_hints#text-without-spaces": ("thai", "without spaces", "warning"),
    "04_arithmetic": ("rounding", "last digit", "floating point"),
    "07_reporting": ("how to report bleu", "what is a good bleu", "good score"),
    "08_blind_spots": ("limitations", "human judgement", "human evaluation", "criticism", "rouge",
                       "correlation with people", "other metrics", "comet", "chrf", "meteor"),
    "11_five_libraries": ("five libraries", "order of arguments", "nested references"),
    "11_five_libraries#weights": ("weights", "custom weights"),
    "12_find_the_bug": ("find the bug", "negative precision", "wrong program"),
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
    "09_cheat_sheet#the-formula": ("formula", "equation", "definition of bleu"),
    "09_cheat_sheet#two-numbers-differ-where-to-look-first": ("why differ", "checklist", "wrong"),
    "07_reporting#the-line-behind-the-number": ("hyp_len", "ref_len", "bp", "ratio", "output"),
    "07_reporting#what-a-point-is-worth": ("how many points", "improvement", "meaningful"),
    "09_cheat_sheet#reading-a-signature": (
        "signature", "eff:yes", "eff:no", "nrefs", "tok:13a", "case:mixed", "smooth:exp"),
    "04_explanation": (
        "why two tools",
        "two numbers",
        "different scores",
        "why do two tools differ",
    ),
    "08_identification": (
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
    "05_fields": ("jsonl", "json lines", "csv"),
    "02_processes": ("distributed", "accelerate"),
    "03_torchmetrics": ("torchmetrics", "pytorch", "lightning"),
    "04_ignite": ("ignite",),
    "05_evaluate": ("huggingface", "hugging face", "evaluate"),
    "06_transformers": ("transformers", "trainer"),
    "use_frameworks#hugging-face-trainer": (
        "huggingface", "hugging face", "hf", "trainer", "transformers", "seq2seqtrainer",
        "compute_metrics", "fine-tuning", "supervised fine-tuning", "sft", "decoder-only"),
    "use_frameworks#lightning": ("lightning", "ddp", "multi-gpu", "pytorch"),
    "use_frameworks#torchmetrics": ("torchmetrics", "torch"),
    "use_frameworks#evaluate": ("evaluate", "huggingface evaluate"),
    "use_frameworks#trl": ("trl", "grpo", "reward", "reinforcement learning"),
    "use_frameworks#keras": ("keras", "tensorflow", "early stopping", "callback"),
    "use_frameworks#your-own-loop": ("own loop", "training loop", "all_gather", "pytorch"),
    "use_frameworks#marian-fairseq": ("marian", "fairseq", "validation script", "sockeye"),
    "use_frameworks#ignite": ("ignite",),
    "use_frameworks#lm-evaluation-harness": ("lm-eval", "lm-evaluation-harness", "harness"),
    "use_frameworks#lighteval": ("lighteval",),
    "use_frameworks#pandas": ("pandas", "data frame", "dataframe", "csv"),
    "use_frameworks#polars": ("polars", "data frame", "dataframe"),
    "use_frameworks#dask": ("dask", "cluster"),
    "use_frameworks#spark": ("spark", "pyspark", "cluster"),
    "07_lm_eval": ("lm-eval", "lm-evaluation-harness"),
    "09_keras": ("keras", "tensorflow"),
    "10_toolkits": ("fairseq", "marian", "opennmt", "eole", "joeynmt"),
    "12_nltk": ("nltk", "drop-in"),
    "08_lighteval": ("lighteval",),
    "13_trl": ("trl", "grpo", "reward", "reinforcement learning"),
    "11_sacrebleu": ("drop-in", "drop in", "import sacrebleu"),
    "use_python": ("in python", "corpus_bleu", "score a list"),
    "use_python#how-sure-is-the-number-confidence-interval": (
        "interval", "confidence", "confidence interval", "error bars"),
    "use_python#another-language-another-tool": ("chinese", "japanese", "korean", "language",
                                                 "lowercase", "tokenize"),
    "use_shell#another-language-another-tool": ("chinese", "language", "lowercase",
                                                "case insensitive", "tokenize", "-lc"),
    "use_shell#each-line": ("each line", "score per line", "sentence scores", "sentence level"),
    "use_shell#several-references-the-number-alone": ("multiple references", "only the number",
                                                      "decimals", "digits"),
    "use_shell#how-sure-is-the-number-confidence-interval": ("confidence", "interval"),
    "use_shell#a-score-with-a-signature-reproduced": ("signature", "reproduce"),
    "use_python#bleu-1-to-bleu-4": ("bleu-1", "bleu-4", "bleu-n"),
    "use_python#one-sentence": ("one sentence", "single sentence", "sentence bleu"),
    "use_python#each-sentence-of-a-corpus": ("each sentence", "score per line", "histogram"),
    "use_python#files": ("read a file", "open a file", "path"),
    "use_python#references-as-sacrebleu-takes-them": ("transpose", "order of references"),
    "use_python#batches-as-in-a-training-loop": ("batch", "epoch", "validation", "update"),
    "use_python#a-corpus": ("corpus", "list of strings", "multiple references", "example"),
    "use_python#lists-of-tokens": ("list of tokens", "tokens", "tokenized", "tokenised"),
    "use_python#a-test-set-by-its-name": ("wmt", "test set", "wmt17"),
    "use_shell": ("in the shell", "score a file", "score files", "stdin", "command line", "cli",
                  "sacrebleu command"),
    "use_shell#a-gz-file-or-a-pipe": ("gz", "gzip", "compressed", "pipe"),
    "use_shell#a-json-lines-or-csv-file": ("jsonl", "json lines", "csv", "tsv", "jq", "field",
                                           "--field"),
    "use_shell#several-systems-as-a-table": ("tsv", "csv", "table", "several systems",
                                             "many systems"),
    "use_shell#bleu-1-to-bleu-4": ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "bleu1", "bleu4",
                                   "bleu-n", "orders", "unigram", "cumulative", "--orders"),
    "use_shell#documents-a-score-for-each-or-their-lines-joined-d-bleu": (
        "document", "documents", "document bleu", "document-level", "document level", "d-bleu",
        "--documents"),
    "use_shell#missing-references": ("missing", "missing reference", "missing references",
                                     "empty reference", "num-refs"),
    "use_python#text-in-another-unicode-form-nfc-nfkc": (
        "unicode", "nfc", "nfkc", "nfd", "normalize", "full-width", "fullwidth", "unicodedata"),
    "use_shell#a-tokenizer-of-your-own": ("own tokenizer", "custom tokenizer", "my tokenizer",
                                          "--tokenize"),
    "use_tools#speech-translation-segments-that-differ": (
        "speech", "speech translation", "mweralign", "mwersegmenter", "re-segment",
        "resegmentation", "segmentation", "different number of lines", "simuleval"),
    "use_shell#files-in-latin-1-or-in-windows-encoding": (
        "latin-1", "latin1", "iso-8859-1", "cp1252", "iconv", "encoding", "not utf-8",
        "unicodedecodeerror"),
    "use_shell#fail-a-pipeline-ci-when-the-score-is-low": (
        "ci", "threshold", "fail under", "pipeline", "github actions"),
    "use_shell#a-script-that-calls-sacrebleu": ("script", "alias"),
    "use_tools#pycocoevalcap": ("pycocoevalcap", "coco", "coco-caption", "image captioning",
                                "bleu_1", "bleu_4"),
    "use_tools#nlg-eval": ("nlg-eval", "nlgeval", "bleu_1"),
    "use_tools#multi-bleu-perl": ("multi-bleu", "multi-bleu.perl", "multibleu", "moses"),
    "use_tools#spbleu": ("spbleu", "sp-bleu", "flores", "flores200", "sentencepiece"),
    "use_tools#mteval-v13a-pl-nist": ("mteval", "nist", "mteval-v13a", "sgm", "xml"),
    "use_tools#nltk": ("nltk",),
    "use_tools": ("another tool", "other tool"),
    "use_shell#json-for-a-program-or-from-one": ("json", "jq", "parse"),
    "use_better": ("is b better than a", "compare two systems", "better", "significance",
                   "significance test", "p-value", "paired bootstrap"),
    "use_better#in-latex-for-the-paper": ("significance as latex",),
    "use_better#the-sentence-for-the-methods-section": ("significance in a paper", "seed"),
    "use_better#many-systems-in-ranks": ("rank", "ranking", "leaderboard", "correction", "holm"),
    "use_better#the-p-of-sacrebleu-moses-or-multeval": ("multeval", "compare-mt", "paired-bs"),
    "use_better#fail-a-pipeline-ci-when-a-system-is-worse": ("ci", "regression", "fail ci"),
    "use_better#could-a-test-set-of-this-size-show-it": ("power", "test set size", "how many"),
    "use_report": ("report", "methods section", "save counts"),
    "use_report#a-table-in-latex": ("latex", "booktabs", "table of results for a paper"),
    "use_report#a-table-for-a-readme-markdown": ("markdown", "html"),
    "use_report#what-to-cite-bibtex": ("cite", "citation", "bibtex", "how to cite", "reference"),
    "use_report#save-the-counts-and-score-later": ("save", "npz", "cache"),
    "use_why": ("why 27.3", "27.3", "where does it come from", "other number", "mismatch",
                "reproduce", "check a number"),
    "use_why#two-tools-one-text": ("two tools", "differ", "difference"),
    "use_frameworks": ("framework", "frameworks", "in a trainer", "callback"),
    "use_pairs": ("best of samples", "several hypotheses"),
    "use_pairs#diversity-self-bleu": ("self-bleu", "self bleu", "selfbleu", "diversity"),
    "use_pairs#the-best-of-several-samples-mbr": ("mbr", "minimum bayes risk", "rerank", "n-best",
                                                  "beam"),
    "use_pairs#every-pair-of-lines": ("dedup", "deduplication", "duplicates", "near duplicates",
                                      "similarity"),
    "use_speed": ("fast", "slow", "make it fast", "speed"),
    "use_speed#install-the-compiled-engine": ("numba", "compiled", "install fast"),
    "use_speed#how-many-cores-which-engine": ("parallel", "cores", "threads", "engine", "cpu"),
    "use_speed#count-once-score-often": ("count once", "cache", "reuse"),
    "use_speed#many-single-sentences": ("many sentences", "sentence scores fast"),
    "use_speed#parts-that-are-counted-apart": ("merge", "shards", "chunks", "add counts"),
    "use_speed#little-memory-no-numpy": ("memory", "without numpy", "numpy"),
    "use_speed#many-systems-on-one-test-set": ("many systems", "same references"),
    "use_speed#files-instead-of-lists": ("large", "large file", "large corpus", "big",
                                         "10 million", "million lines", "memory"),
    "coming_from": ("migrate", "coming from", "switch", "replacement", "torchtext", "sacrebleu",
                    "nltk"),
    "coming_from#in-a-script-a-makefile-xargs": (
        "make", "makefile", "xargs", "subprocess", "script", "alias", "--install",
        "which sacrebleu"),
    "coming_from#calls-side-by-side": ("nltk method 4", "smoothingfunction", "method4", "method1"),
    "formats#text-files": ("empty line", "file format", "utf-8", "blank line", "number of lines",
                           "different lengths", "line count", "newline", "bom"),
    "command_line": ("options", "exit status", "flags"),
    "formats": ("json", "npz", "file format", "empty line", "schema"),
    "architecture": ("architecture", "own tokenizer", "own dialect", "own smoother"),
    "playground": ("try it", "online"),
    "speed": ("benchmark", "performance"),
    "measurements": ("all measurements", "benchmark tables"),
    "install": ("install", "how to install", "pip", "pip install", "installation", "windows",
                "wheel", "pypi", "quick start", "jupyter"),
    "usage": ("at a glance", "readme"),
}


class Enter(SphinxTransform):
    """Put a page's words at its head, as entries of the index."""

    default_priority = 10

    def apply(self, **kwargs: object) -> None:
        for place, words in WORDS.items():
            page, _, section = place.partition("#")
            if page != self.env.docname:
                continue
            if section and section not in self.document.ids:
                raise ExtensionError(f"{place}: the page has no such section")
            entries = [("single", word, section, "main", None) for word in words]
            first = next(iter(self.document.findall(nodes.section)), self.document)
            first.append(index("", entries=entries))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the entries."""
    app.add_transform(Enter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
