"""Modules:

- `bleu_nb.adapters.evaluate`: A module for Hugging Face evaluate that ships in the package and loads by its path, without a network.
- `bleu_nb.adapters.ignite`: `BleuMetric` for pytorch-ignite: exact BLEU on any number of processes.
- `bleu_nb.adapters.keras`: `BleuMetric` for Keras: BLEU of batches of ids within `fit`, where nothing is compiled.
- `bleu_nb.adapters.lm_eval`: BLEU with all references and a standard error as a metric of lm-evaluation-harness, and of lighteval.
- `bleu_nb.adapters.nltk.translate.bleu_score`: nltk's own names, smoothing methods, fractions and warnings for BLEU, counted by this package's engines.
- `bleu_nb.adapters.reducer`: `Reducer`: what BLEU counts as integers, to be summed over batches and processes and scored once.
- `bleu_nb.adapters.sacrebleu.drop_in`: sacreBLEU's own metric BLEU, with its n-grams counted by this package, under sacreBLEU's names and on its command line.
- `bleu_nb.adapters.torchmetrics`: `BleuMetric` for torchmetrics and Lightning: exact BLEU on any number of processes.
- `bleu_nb.adapters.transformers`: `TrainerBleu`: BLEU as `compute_metrics` of Hugging Face's Trainer and Seq2SeqTrainer, from ids or logits.
- `bleu_nb.adapters.trl`: Smoothed sentence BLEU of a batch of completions, with several references each, as a reward function of TRL.
- `bleu_nb.cli.command`: The command `bleu-nb`: its parser, `main`, and the subcommands `score`, `explain`, `identify` and `example`.
- `bleu_nb.cli.comparing`: The commands that compare files: `bleu-nb compare`, and `pairwise`, `self-bleu` and `mbr` for all pairs of lines.
- `bleu_nb.cli.options`: Options of the command `bleu-nb`, made from the fields of `Dialect`, and its output to a terminal.
- `bleu_nb.derivation.bleu`: BLEU from its definition: n-grams, clipped precision, brevity penalty, geometric mean and smoothing.
- `bleu_nb.derivation.score_line`: Replaces characters that are unsafe to display, and formats numbers for people and a score on one line.
- `bleu_nb.derivation.token_checks`: Checks of arguments (tokens, orders, lengths, names), and their error messages.
- `bleu_nb.derivation.tokenizer_13a`: The tokenizer 13a, derived rule by rule, and how much of a score depends on the tokenizer.
- `bleu_nb.diagnosis.causes`: `Step` and `Setting`: what happens to files before they are scored, each with a name that can be parsed again.
- `bleu_nb.diagnosis.explanation`: `explain`: why two dialects give different scores, and how many points each option contributes (Shapley values).
- `bleu_nb.diagnosis.guesses`: Lists the settings that may be behind a reported score with their weights, and plans in which order to try them.
- `bleu_nb.diagnosis.identification`: `identify`: find the tool, options, references, lines and changes to the files that give a reported score.
- `bleu_nb.diagnosis.many_dialects`: `Scorer`: score one corpus with many dialects, and tokenize and count again only where the dialects differ.
- `bleu_nb.diagnosis.reported`: Parses a reported score and the numbers printed with it, and tests whether a computed score agrees with them.
- `bleu_nb.diagnosis.sampling`: Estimates the score of a guess on a large file, with an error, from a sample of its lines.
- `bleu_nb.dialects.definition`: Tokenizes, counts and scores segments by the options of a dialect, one function per step.
- `bleu_nb.dialects.formula_variants`: Rules of sacreBLEU, nltk and other tools for the reference length, smoothing and arithmetic, each under a name.
- `bleu_nb.dialects.input_checks`: Pairs candidates with references, rejects swapped, nested or missing ones, and warns about text that does not suit its tokenizer.
- `bleu_nb.dialects.more_tokenizers`: Tokenizers of sacreBLEU and other tools, each under a name.
- `bleu_nb.dialects.signatures`: Writes the options behind a score as a signature, and parses signatures, including those of sacreBLEU.
- `bleu_nb.dialects.table`: The `Dialect` class, all options behind a BLEU score, 44 dialects of tools and versions, and options as keywords.
- `bleu_nb.display.charts`: Line and bar charts, and the SVG that every figure is made of: shapes, text and axes, with all text escaped.
- `bleu_nb.display.exercises`: Questions with a gap to fill in, and feedback on the answer that was typed.
- `bleu_nb.display.explanation_charts`: Charts and tables of what `explain` and `identify` find: the points of each option, and the settings behind a score.
- `bleu_nb.display.score_breakdown`: Figures of one score, from the n-grams that match or are clipped to the precisions and the brevity penalty.
- `bleu_nb.display.significance_charts`: Charts of systems: their intervals one below the other, a table of all pairs, and a comparison as HTML.
- `bleu_nb.display.tables`: Tables and reports as HTML, as text that fits a terminal, as JSON, TSV, Markdown and LaTeX, with all names escaped.
- `bleu_nb.engines.bits`: The engine "bits": clipped n-gram counts of one segment by bit operations on integers, in plain Python.
- `bleu_nb.engines.numba_counts`: The engine "numba": tokenizing and clipped n-gram counts in loops that numba compiles.
- `bleu_nb.engines.numpy_counts`: The engine "numpy": clipped n-gram counts of all segments of a corpus at once, of tokens or of bytes of text.
- `bleu_nb.engines.numpy_scores`: Scores of all segments at once with numpy, equal bit for bit to scoring them one by one.
- `bleu_nb.files.evaluation_sets`: References and sources of public test sets such as `wmt17`, through sacreBLEU and its folder.
- `bleu_nb.files.file_scoring`: BLEU of files of any size, counted block by block as UTF-8 bytes, on several threads.
- `bleu_nb.files.reading`: Text files and pipes, read side by side as lines, or as blocks of bytes with equally many lines of each.
- `bleu_nb.pairs.bayes_risk`: Minimum Bayes risk decoding: of the samples for each source, the one with the highest expected BLEU.
- `bleu_nb.pairs.diversity`: Self-BLEU, a measure of how alike many sentences are, in its two usual definitions.
- `bleu_nb.pairs.score_matrix`: BLEU of every candidate against every reference, from matches that are products of sparse matrices.
- `bleu_nb.scoring.chunks`: Count large corpora with numpy or numba: in chunks, on several threads, for several systems at once.
- `bleu_nb.scoring.counts`: `Counts`: the n-gram statistics of each segment, in columns of numbers that can be sliced, added, scored and saved.
- `bleu_nb.scoring.metric`: `corpus_bleu`, `sentence_bleu` and the class `Bleu`: score corpora, sentences and batches with a dialect.
- `bleu_nb.scoring.registry`: The registry of counting engines: what each needs and costs, which dialects it can count, and which is fastest for a corpus.
- `bleu_nb.scoring.storage`: Write files atomically, and save and load the columns of counts in npz files that are checked as they are loaded.
- `bleu_nb.significance.compare`: Compare several systems with a baseline, or rank them, on the same segments.
- `bleu_nb.significance.intervals`: Confidence intervals of a score or a difference, by the delta method or by bootstrap, and the minimum detectable difference.
- `bleu_nb.significance.tests`: Paired significance tests of two systems, and the resampling of segments that they use."""

from bleu_nb._lazy import attach_stub

__version__ = "0.10.0"
__getattr__, __dir__ = attach_stub(__name__)
