"""The page on five libraries, where some of them are not installed."""

import sys
from itertools import zip_longest

import pytest
from lessons import ran

from bleu_nb import corpus_bleu

PAGE = "11_five_libraries"
LIBRARIES = {"nltk", "torchtext", "ignite", "keras_hub", "sacrebleu"}


def test_what_is_not_installed_is_recorded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as absent:
        for name in {*sys.modules, *LIBRARIES}:
            if name.partition(".")[0] in LIBRARIES:
                absent.setitem(sys.modules, name, None)
        recorded = ran(PAGE)["answers"]
    page = ran(PAGE)
    assert {*recorded} == {*page["answers"]} and len(recorded) == 15
    for name, (values, said) in recorded.items():
        assert said.endswith(", recorded")
        assert page["answers"][name][0] == pytest.approx(values, rel=1e-4)
    assert page["answers"]["keras_wants"][0] == [pytest.approx(
        corpus_bleu(page["texts"], page["text_references"], "keras-hub").value, rel=1e-4)]
    assert page["streams"] == [*zip_longest(*page["text_references"])]
