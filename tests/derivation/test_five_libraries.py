"""The page on five libraries, where some of them are not installed."""

import json
import sys
from itertools import zip_longest
from typing import Any

import book
import pytest

from bleu_nb import corpus_bleu

CODE = ["".join(cell["source"]) for cell in
        json.loads(book.notebook("14_five_libraries").read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"]


def run() -> dict[str, Any]:
    """What the page defines once all of it has run."""
    names: dict[str, Any] = {}
    for source in CODE:
        exec(source, names)
    return names


def test_what_is_not_installed_is_recorded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as absent:
        for package in ("nltk", "torchtext", "ignite", "keras_hub", "sacrebleu"):
            for name in [*sys.modules, package]:
                if name.partition(".")[0] == package:
                    absent.setitem(sys.modules, name, None)
        recorded = run()["answers"]
    asked = run()["answers"]
    assert {*recorded} == {*asked} and len(recorded) == 15
    for name, (values, said) in recorded.items():
        assert said.endswith(", recorded")
        assert asked[name][0] == pytest.approx(values, rel=1e-4)


def test_what_keras_answered_is_what_the_package_gives_in_its_name() -> None:
    page = run()
    ours = corpus_bleu(page["texts"], page["text_references"], "keras-hub").value
    assert page["answers"]["keras_wants"][0] == [pytest.approx(ours, rel=1e-4)]
    assert page["streams"] == [*zip_longest(*page["text_references"])]
