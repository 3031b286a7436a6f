"""sacreBLEU with one import changed: its names, and its metric BLEU counted by this package.

Write `from bleu_nb.adapters import sacrebleu` instead of `import sacrebleu`, and put
`bleu_nb.adapters.` before the modules of sacreBLEU that a program imports. The numbers are those
that sacreBLEU gives on the same Python, to the last bit.

Conventions
    Arguments, results, messages and exceptions are sacreBLEU's. References are streams: one list
    per reference, each with one entry per segment. A signature ends in `|bleu_nb:` and a version.

Contents
    `BLEU` is a subclass of `sacrebleu.BLEU`; `corpus_bleu`, `raw_corpus_bleu` and `sentence_bleu`
    use it. `is_theirs`, `counts_alike` and `name_tokenizer` tell which of its steps are still
    sacreBLEU's. Every other name, here and in the modules of this package, is read, assigned and
    deleted in the module of sacreBLEU with the same name (`bleu_nb.adapters._forwarded`).

Example
    >>> from bleu_nb.adapters import sacrebleu
    >>> sacrebleu.corpus_bleu(["the cat sat on the mat"], [["the cat sat on a mat"]]).score
    53.7284965911771
"""

from bleu_nb.adapters._forwarded import forward
from bleu_nb.adapters.sacrebleu.drop_in import (
    BLEU,
    __version__,
    counts_alike,
    is_theirs,
    name_tokenizer,
    run_command,
)

forward(__name__)   # Before it gets submodules other than `drop_in`

from bleu_nb.adapters.sacrebleu.compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
