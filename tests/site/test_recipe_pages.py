"""A page of recipes is two screens: tabs and folds lead to each recipe, and hide none for good."""

from collections.abc import Callable
from typing import Any

import pytest
import recipes
from browser import DESK, follow

HEIGHT = 800
SIZES = {name: {"viewport": {"width": width, "height": HEIGHT}}
         for name, width in (("laptop", 1280), ("phone", 390))}
PAGES = [page for page in recipes.PAGES if page.startswith("use_")]
MOST_CLICKS = 3  # From the front page, the phone's menu among them

# What somebody may come for -> page, title, and what stands in the recipe
TASKS = {
    "significance between two systems as LaTeX": ("use_better", "In LaTeX", "--format latex"),
    "BLEU in a Hugging Face Trainer": (
        "use_frameworks", "Hugging Face Trainer", "compute_metrics=TrainerBleu"),
    "why does my tool print 27.3": ("use_why", "Where does a number come", "identify --reported"),
    "two files in the shell": ("use_shell", "A file", "bleu-nb score mt.txt ref.txt"),
    "a gz file, or a pipe": ("use_shell", "A .gz file, or a pipe", "zcat mt.txt.gz | bleu-nb"),
    "a reward for RL": ("use_frameworks", "TRL", "BleuReward()"),
    "the confidence interval of a score": ("use_shell", "How sure is the num", "--confidence"),
    "self-BLEU, diversity": ("use_pairs", "Diversity", "bleu-nb self-bleu mt.txt"),
    "save counts, score later": ("use_report", "Save the counts", "Counts.load("),
    "a Lightning module on several GPUs": ("use_frameworks", "Lightning", "self.log("),
    "a score from its signature": ("use_shell", "A score with a signature", "--signature"),
    "sentence scores": ("use_shell", "Each line", "--sentence"),
    "fail CI if a system is worse": ("use_better", "Fail a pipeline", "--fail-worse"),
    "BLEU-1 to BLEU-4": ("use_shell", "BLEU-1 to BLEU-4", "--orders"),
    "a score for each document": ("use_shell", "Documents", "--documents ids.txt"),
    "a reference is missing": ("use_shell", "Missing references", "--num-refs var"),
    "files in Latin-1": ("use_shell", "Files in Latin-1", "iconv -f CP1252"),
    "what pycocoevalcap prints": ("use_tools", "pycocoevalcap", "--dialect coco --orders"),
    "spBLEU": ("use_tools", "spBLEU", "--tokenize flores200"),
}
TALL = """(most) => [...document.querySelectorAll("article section section")]
    .filter((each) => each.getBoundingClientRect().height > most).map((each) => each.id)"""
TABS_MADE = "() => !document.querySelector('.tab-row:not([role=tablist])')"
LOW = """(most) => document.querySelector("article").getBoundingClientRect().height <= most"""
UNSEEN = """(all) => all.filter((each) => !each.checkVisibility({contentVisibilityAuto: true}))
    .map((each) => each.textContent)"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_two_screens_and_a_recipe_one(
    open_page: Callable[..., Any], name: str
) -> None:
    page = open_page(f"{name}.html", **SIZES["laptop"])
    page.wait_for_function(LOW, arg=2 * HEIGHT)  # Once the script has made tabs
    page.eval_on_selector_all("details.fold", "(all) => all.forEach((it) => { it.open = true; })")
    assert not page.evaluate(TALL, HEIGHT)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_found_in_few_clicks(
    open_page: Callable[..., Any], task: str, size: str
) -> None:
    name, title, code = TASKS[task]
    page, clicks = open_page("index.html", **SIZES[size]), 1
    if size == "phone":
        page.click(".mobile-header .nav-overlay-icon")
        clicks += 1
    page.click(f".sidebar-tree a[href='{name}.html']")
    page.wait_for_url(f"**/{name}.html")
    page.wait_for_function(TABS_MADE)
    found = page.locator(f".tab-row a:has-text('{title}'), article h2:has-text('{title}')").first
    assert found.bounding_box()["y"] <= 2 * HEIGHT
    recipe = page.locator("article pre", has_text=code).first
    if not recipe.is_visible():
        found.click()
        clicks += 1
    follow(page, (f"article pre:has-text('{code}') >> nth=0", "to_be_visible"))
    assert clicks <= MOST_CLICKS and recipe.bounding_box()["y"] <= 2 * HEIGHT


CHOSEN = ".tab-row [aria-selected=true]"


def shows(name: str) -> list[tuple[Any, ...]]:
    """That a tab, whose name begins so, is chosen, and its panel alone is seen."""
    return [(CHOSEN, "to_have_count", 1), (CHOSEN, "to_contain_text", name),
            ("[role=tabpanel]:not([hidden])", "to_have_count", 1),
            ("[role=tabpanel]:not([hidden]) h2", "to_contain_text", name)]


def test_tabs_are_chosen_by_keys_by_clicks_and_by_their_address(
    open_page: Callable[..., Any]
) -> None:
    page = open_page("use_frameworks.html", **DESK)
    follow(page, *shows("Hugging Face Trainer"), (CHOSEN, "focus"), *(
        each for key, name in (("ArrowRight", "Lightning"), ("ArrowLeft", "Hugging Face Trainer"),
                               ("ArrowLeft", "Marian, fairseq"), ("ArrowRight", "Hugging"),
                               ("End", "Marian"), ("Home", "Hugging Face Trainer"))
        for each in ((":focus", "press", key), *shows(name))),
        (".tab-row a:text-is('Keras')", "click"), *shows("Keras"))
    assert page.url.endswith("#keras")
    page.reload()
    follow(page, *shows("Keras"), ("html", "evaluate", "() => { location.hash = '#dask'; }"),
           *shows("Dask"), ("#trl", "dispatch_event", "beforematch"), *shows("TRL"),
           (CHOSEN, "focus"), (":focus", "press", "Tab"), ("#trl", "to_be_focused"))


def test_a_fold_opens_by_its_address(open_page: Callable[..., Any]) -> None:
    page = open_page("use_better.html", **DESK)
    fold = "#could-a-test-set-of-this-size-show-it > details.fold"
    follow(page, (f"{fold}[open]", "to_have_count", 0),
           ("html", "evaluate", f"() => {{ location.hash = '{fold.partition(' ')[0]}'; }}"),
           (f"{fold}[open]", "to_have_count", 1), (f"{fold} pre >> nth=0", "to_be_in_viewport"))


@pytest.mark.parametrize("name", ["use_frameworks", "use_shell"])
def test_all_recipes_are_printed(open_page: Callable[..., Any], name: str) -> None:
    page = open_page(f"{name}.html", **DESK)
    page.wait_for_selector("details.fold, [role=tablist]", state="attached")
    assert page.eval_on_selector_all("article pre", UNSEEN)
    page.emulate_media(media="print")
    assert not page.eval_on_selector_all("article :is(h2, pre)", UNSEEN)
    assert not page.locator(".tab-row").is_visible()


def test_without_a_script_tabs_are_links_and_folds_open(open_page: Callable[..., Any]) -> None:
    page = open_page("use_frameworks.html", **DESK, java_script_enabled=False)
    seen = page.locator("article :is(h2, pre):not(details *)")  # A closed fold needs no script
    assert seen.count() and all(each.is_visible() for each in seen.all())
    places = [each.get_attribute("href")[1:] for each in page.locator(".tab-row a").all()]
    assert places == [each.get_attribute("id") for each in page.locator(".tabs > section").all()]
    page = open_page("use_shell.html", **DESK, java_script_enabled=False)
    follow(page, ("#each-line pre >> nth=0", "to_be_hidden"), ("#each-line summary", "click"),
           ("#each-line pre >> nth=0", "to_be_visible"))
