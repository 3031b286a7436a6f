"""Each line of the page "Coming from" gives the number that the other tool gives."""

import json
import os
import re
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import coming
import pytest
import recipes
from data import sacrebleu_adding_left_to_right

from bleu_nb.adapters.evaluate import score_texts
from bleu_nb.cli.options import OTHER_OPTIONS, our_option

os.environ.setdefault("HF_HUB_OFFLINE", "1")
PYTHON = f"'{sys.executable}'"
PAGE = (Path(coming.__file__).parent / "coming_from.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    """What the page's first block defines and imports."""
    found: dict[str, Any] = {}
    exec(recipes.recipes("coming_from")[0].code, found)
    return found


@pytest.mark.parametrize("row", coming.CALLS, ids=lambda row: row.theirs)
def test_their_number_is_ours(row: coming.Row, known: dict[str, Any]) -> None:
    pytest.importorskip(row.tool)
    theirs = {**known}
    exec(coming.BEFORE[row.tool], theirs)
    adding = sacrebleu_adding_left_to_right if row.tool == "sacrebleu" else nullcontext
    try:
        with adding():
            number = eval(row.theirs, theirs)
    except (ConnectionError, FileNotFoundError) as error:  # evaluate downloads its metrics
        exec(f"{coming.BEFORE['evaluate']}\n{coming.BEFORE['sacrebleu']}", theirs)
        assert eval(row.ours, theirs) == eval(coming.CALLS[0].theirs, theirs)  # What it asks
        pytest.skip(f"{row.tool} needs a network, and was compared with sacreBLEU: {error}")
    if row.tool == "evaluate":
        exec(coming.BEFORE["evaluate"], known)
    assert 0 < eval(row.ours, known) == pytest.approx(number, rel=row.near, abs=row.near)


@pytest.mark.parametrize(("theirs", "ours"), [
    ({"tokenize": "intl"}, {"tokenizer": "intl"}),
    ({"smooth_method": "floor"}, {"smoothing": "floor"}),
    ({"smooth_method": "add-k", "smooth_value": 2.0},
     {"smoothing": "add-k", "smoothing_value": 2.0}),
    ({"use_effective_order": True}, {"effective_order": "always"}),
    ({"lowercase": True}, {"lowercase": True}),
])
def test_options_of_evaluate_have_the_names_that_the_page_says(
    theirs: dict[str, Any], ours: dict[str, Any]
) -> None:
    """Its module hands them to `sacrebleu.corpus_bleu`; ours to this function."""
    sacrebleu = pytest.importorskip("sacrebleu")
    sides = ["The red-side buoy"], [["the red buoy there"]]
    with sacrebleu_adding_left_to_right():
        expected = sacrebleu.corpus_bleu(*sides, **theirs).score
    assert score_texts(*sides, "sacrebleu", "auto", None, **ours)["score"] == expected
    assert all(f"`{name}=`" in PAGE for name in (*theirs, *ours))


def test_the_short_options_that_the_page_lists_are_taken() -> None:
    [listed] = [line for line in PAGE.splitlines()
                if line.startswith("`bleu-nb score` also accepts")]
    names = re.findall(r"`(-\w+)`", listed.partition(". ")[0])
    assert len(names) == 10
    assert [our_option(name, (OTHER_OPTIONS[name],)) for name in names] == [
        OTHER_OPTIONS[name] for name in names]


@pytest.mark.parametrize(("tool", "theirs", "ours"), coming.IMPORTS)
def test_both_imports_work(tool: str, theirs: str, ours: str, known: dict[str, Any]) -> None:
    pytest.importorskip(tool.lower())
    if tool == "evaluate":
        pytest.skip("evaluate downloads its metrics; the row of calls loads ours")
    exec(theirs, {})
    exec(ours, {})


def numbers(printed: str) -> list[float]:
    """The scores that a command prints: in JSON, on a line, or alone."""
    found = r'(?:^(?:[\w|:.-]+ = )?|"score": )(\d+\.\d+)'
    return [*map(float, re.findall(found, printed, re.MULTILINE))]


@pytest.mark.parametrize(("theirs", "ours"), coming.COMMANDS)
def test_their_command_prints_our_number(theirs: str, ours: str, tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    recipes.make_files(tmp_path)
    theirs = theirs.replace("sacrebleu ", f"{PYTHON} -m sacrebleu -q -nc ", 1)
    if "--paired-ar" in theirs:
        printed = json.loads(recipes.shell(f"{theirs} -f json 2> /dev/null", tmp_path))
        told = json.loads(recipes.shell(f"{ours} --format json 2> /dev/null", tmp_path))
        assert told["systems"][1]["p_value"] == pytest.approx(printed[1]["BLEU"]["p_value"])
        return
    a, b = (numbers(recipes.shell(each, tmp_path)) for each in (theirs, ours))
    assert a and b == pytest.approx(a, abs=0.051 if "." in theirs and "-w" not in theirs else 1e-9)
