"""What both drop-ins share: type checkers, and modules whose other names are those of a tool."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import coming
import pytest
from data import ROOT, oracle

import bleu_nb

PLACE = "bleu_nb.adapters"
TYPED = """
from bleu_nb.adapters import nltk, sacrebleu
from bleu_nb.adapters.sacrebleu import BLEU, CHRF, corpus_bleu, corpus_chrf
from bleu_nb.adapters.sacrebleu.metrics.bleu import BLEUScore, _get_tokenizer
from bleu_nb.adapters.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from bleu_nb.adapters.sacrebleu.utils import smart_open
import bleu_nb.adapters.sacrebleu.metrics as metrics
score: BLEUScore = sacrebleu.corpus_bleu(["a"], [["a"]])
kinds: list[type[BLEU]] = [sacrebleu.BLEU, sacrebleu.metrics.bleu.BLEU, metrics.BLEU]
class Lower(BLEU):
    def _preprocess_segment(self, sent: str) -> str:
        return super()._preprocess_segment(sent).lower()
import bleu_nb.adapters.nltk.translate.bleu_score
from bleu_nb.adapters.nltk import bleu, bleu_score, word_tokenize
from bleu_nb.adapters.nltk.translate import IBMModel1, meteor, meteor_score
from bleu_nb.adapters.nltk.translate.bleu_score import (
    Fraction, SmoothingFunction, closest_ref_length, corpus_bleu as corpus)
from bleu_nb.adapters.nltk.translate.gleu_score import sentence_gleu
functions = [nltk.translate.bleu, nltk.bleu_score.sentence_bleu, nltk.edit_distance,
             nltk.translate.meteor_score.meteor_score, nltk.data.path, nltk.download]
bleu_nb.adapters.nltk.translate.bleu_score.sentence_bleu(
    [["a"]], ["a"], smoothing_function=SmoothingFunction().method1)
"""
WRONG = """
from bleu_nb.adapters import nltk
nltk.translate.bleu_score.sentence_bleu([["a"]], hypothesys=["a"])
"""
CHECKERS = {"mypy": [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"],
            "pyright": ["pyright", "--pythonpath", sys.executable]}


def documented() -> list[str]:
    """Every line of the documentation that imports from a drop-in."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*.py"),
             *ROOT.glob("nbs/*/*.ipynb")]
    text = "\n".join([*(path.read_text(encoding="utf-8") for path in pages),
                      *(ours for _, _, ours in coming.IMPORTS)])
    return sorted({*re.findall(
        r"from bleu_nb\.adapters\.(?:nltk|sacrebleu)[\w.]* import [\w, ]*\w", text)})


def checked(checker: str, code: str, folder: Path) -> str:
    """What a type checker prints about a program, if it finds errors."""
    if not (find_spec("mypy") if checker == "mypy" else shutil.which(checker)):
        pytest.skip(f"{checker} is not installed")
    (folder / "client.py").write_text(code, encoding="utf-8")
    root = str(Path(bleu_nb.__file__).parents[1])   # No checker follows an editable install
    done = subprocess.run([*CHECKERS[checker], "client.py"], cwd=folder, capture_output=True,
                          text=True, env={**os.environ, "MYPYPATH": root, "PYTHONPATH": root})
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_resolves_every_import_of_the_documentation(
        checker: str, tmp_path: Path) -> None:
    found = documented()
    assert {"nltk", "sacrebleu"} == {line.split(".")[2].split()[0] for line in found}
    assert len(found) > 5
    apart = [f"def import_{number}() -> None:\n    {line}" for number, line in enumerate(found)]
    assert not checked(checker, "\n".join([TYPED, *apart]), tmp_path)
    assert "hypothesys" in checked(checker, WRONG, tmp_path)


@pytest.mark.parametrize("name", ["nltk", "nltk.translate", "nltk.translate.bleu_score",
                                  "nltk.translate.gleu_score", "sacrebleu", "sacrebleu.metrics",
                                  "sacrebleu.metrics.bleu", "sacrebleu.utils"])
def test_a_module_that_is_loaded_again_changes_nothing_in_the_tool(name: str) -> None:
    theirs: Any = oracle(name)
    before = {**vars(theirs)}
    importlib.reload(importlib.import_module(f"{PLACE}.{name}"))
    assert type(theirs) is ModuleType and vars(theirs) == before
