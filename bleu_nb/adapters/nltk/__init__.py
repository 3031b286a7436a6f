"""nltk with one import changed: its names, and BLEU counted by this package.

Write `from bleu_nb.adapters import nltk` instead of `import nltk`, or put `bleu_nb.adapters.` before
`nltk.translate` where a program imports from it. The numbers are those that nltk 3.9.1 and newer
give, to the last bit. Older versions are refused.

Conventions
    Arguments, results, warnings and exceptions are nltk's. Segments are lists of tokens, and
    references come first.

Contents
    `corpus_bleu` and `sentence_bleu`, which nltk also calls `bleu`, are functions of this package.
    Every other name, here and in the modules of `translate`, is read, assigned and deleted in the
    module of nltk with the same name (`bleu_nb.adapters._forwarded`). The names of
    `translate.bleu_score` are also found here.

Example
    >>> from bleu_nb.adapters import nltk
    >>> nltk.translate.bleu_score.sentence_bleu(["a b c d".split()], "a b c d e".split())
    0.668740304976422
"""

from bleu_nb.adapters._forwarded import forward

forward(__name__)   # Before it gets submodules

from bleu_nb.adapters.nltk.translate import (
    Fraction,
    SmoothingFunction,
    bleu,
    bleu_score,
    brevity_penalty,
    closest_ref_length,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
)
