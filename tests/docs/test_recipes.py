"""Every recipe of the site runs as pasted, and prints what its page shows."""

import os
import re
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import recipes

from bleu_nb.dialects.more_tokenizers import NUMBERS, number_own

os.environ |= {"HF_HUB_OFFLINE": "1", "KERAS_BACKEND": "torch", "PYSPARK_PYTHON": sys.executable}
WIDEST = 88  # Characters that a page shows on a laptop
PLACES = [(page, place) for page in recipes.PAGES for place in range(len(recipes.recipes(page)))]


@cache
def answers(page: str) -> list[str | Exception]:
    """What each recipe of a page prints, or its error; each page is a program of its own."""
    NUMBERS.clear()
    number_own.cache_clear()
    with TemporaryDirectory() as folder:
        return list(recipes.answers(page, Path(folder)))


@pytest.mark.parametrize(("page", "place"), PLACES)
def test_a_recipe_runs_as_pasted(page: str, place: int) -> None:
    recipe = recipes.recipes(page)[place]
    if recipe.missing:
        pytest.skip(f"a recipe of {page} needs {', '.join(recipe.missing)}")
    answer = answers(page)[place]
    if isinstance(answer, Exception):
        raise answer
    if recipe.prints is not None:
        assert recipes.agrees(recipe.prints, answer), answer


def test_every_page_of_use_is_asked() -> None:
    text = (recipes.DOCS / "index.md").read_text(encoding="utf-8")
    listed = {*re.findall(r"^(?:.*<)?(use_\w+)>?$", text, re.MULTILINE)}
    assert len(listed) == 9 and listed <= {*recipes.PAGES}
    assert all(len(recipes.recipes(page)) >= 4 for page in listed)


@pytest.mark.parametrize("page", [page for page in recipes.PAGES if page.startswith("use_")])
def test_a_page_makes_the_files_that_it_reads_and_its_lines_fit_their_boxes(page: str) -> None:
    told = recipes.recipes(page)
    assert not [line for recipe in told for line in recipe.code.splitlines() if len(line) > WIDEST]
    if reads := [place for place, recipe in enumerate(told) if ".txt" in recipe.code]:
        made = [place for place, recipe in enumerate(told) if recipe.code == recipes.FILES]
        assert made and made[0] < reads[0] and "mt.txt: The light" in told[made[0]].prints


@pytest.mark.parametrize(("name", "code", "kind"), [
    ("use_it", "candidates + references", str), ("use_it", "mine", NameError),
    ("api", "mine", str)])
def test_a_recipe_is_pasted_alone(
    name: str, code: str, kind: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "DOCS", tmp_path)
    monkeypatch.setattr(recipes, "make_files", lambda folder: None)
    (tmp_path / f"{name}.md").write_text(
        f"```python\ncandidates, references, mine = 1, 2, 3\n```\n```python\n{code}\n```\n")
    [_, answer] = recipes.answers(name, tmp_path)
    assert isinstance(answer, kind)


@pytest.mark.parametrize(("said", "printed", "agree"), [
    ("1\n", "1", True), ("1", "2", False), ("a…c", "a\nb\nc", True), ("a…", "b", False),
    ("v|bleu_nb:0.1.0", "v|bleu_nb:0.9.0", True), ("(bleu_nb 0.1.0, t", "(bleu_nb 1.0, t", True),
    ("scores 0.1.0", "scores 0.9.0", False),
])
def test_what_is_printed_is_compared(said: str, printed: str, agree: bool) -> None:
    assert recipes.agrees(said, printed) is agree


def test_a_wrong_recipe_is_found(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="status 3"):
        recipes.shell("exit 3", tmp_path)
    with pytest.raises(ZeroDivisionError):
        recipes.python("1 / 0", {}, tmp_path)
    assert recipes.python("a = 1\nprint(a)\na", {}, tmp_path) == "1\n1\n"
