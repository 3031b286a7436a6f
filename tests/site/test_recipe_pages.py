"""A page of recipes is two screens: tabs and folds lead to each recipe, and hide none for good."""

from collections.abc import Callable
from typing import Any

import pytest
import recipes
from browser import DESK, PAGE, follow

HEIGHT = 800
SIZES = {name: {"viewport": {"width": width, "height": HEIGHT}}
         for name, width in (("laptop", 1280), ("phone", 390))}
PAGES = [page for page in recipes.PAGES if page.startswith("use_")]

# What somebody may come for -> page, title, and what stands in the recipe
TASKS = {
    "significance between two systems as LaTeX": ("use_better", "In LaTeX", "--format latex"),
    "BLEU in a Hugging Face Trainer": (
        "use_frameworks", "Hugging Face Trainer", "compute_metrics=TrainerBleu"),
    "why does my tool print 27.3": ("use_why", "Where does a number come", "identify --reported"),
    "two files in the shell": ("use_shell", "A file", "bleu-nb score mt.txt ref.txt"),
    "a JSON Lines or CSV file": ("use_shell", "A JSON Lines or CSV", "--field mt,ref"),
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
    "text in another Unicode form": ("use_python", "Text in another Unicode", "normalize(\"NFC\""),
    "segments of a speech translation": ("use_tools", "Speech translation", "mweralign -r"),
    "files in Latin-1": ("use_shell", "Files in Latin-1", "iconv -f CP1252"),
    "what pycocoevalcap prints": ("use_tools", "pycocoevalcap", "--dialect coco --orders"),
    "spBLEU": ("use_tools", "spBLEU", "--tokenize flores200"),
}
TALL = f"""(all) => all.filter((each) => each.getBoundingClientRect().height > {HEIGHT})
    .map((each) => each.id)"""
LOW = f"([article]) => article.getBoundingClientRect().height <= {2 * HEIGHT}"
UNSEEN = """(all) => all.filter((each) => !each.checkVisibility({contentVisibilityAuto: true}))
    .map((each) => each.textContent)"""
LINKED = """() => String([...document.querySelectorAll(".tab-row a")].map((each) => each.hash))
    === String([...document.querySelectorAll(".tabs > section")].map((each) => `#${each.id}`))"""
TABS_MADE = (".tab-row:not([role=tablist])", "to_have_count", 0)
CHOSEN = ".tab-row [aria-selected=true]"
FOLD = "#could-a-test-set-of-this-size-show-it"
NO_SCRIPT = {**DESK, "java_script_enabled": False}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_found_in_few_clicks(
    open_page: Callable[..., Any], task: str, size: str
) -> None:
    """In the menu, which a phone opens first; then a tab or a fold, where it is not in sight."""
    name, title, code = TASKS[task]
    page = open_page("index.html", **SIZES[size])
    follow(page, *([(".mobile-header .nav-overlay-icon", "click")] if size == "phone" else []),
           (f".sidebar-tree a[href='{name}.html']", "click"),
           (PAGE, "wait_for_url", {"url": f"**/{name}.html"}), TABS_MADE)
    found = page.locator(f".tab-row a:has-text('{title}'), article h2:has-text('{title}')").first
    recipe = page.locator("article pre", has_text=code).first
    assert found.bounding_box()["y"] <= 2 * HEIGHT
    if not recipe.is_visible():
        found.click()
    follow(page, (f"article pre:has-text('{code}') >> nth=0", "to_be_visible"))
    assert recipe.bounding_box()["y"] <= 2 * HEIGHT


def shows(name: str) -> list[tuple[Any, ...]]:
    """That a tab, whose name begins so, is chosen, and its panel alone is seen."""
    return [(CHOSEN, "to_have_count", 1), (CHOSEN, "to_contain_text", name),
            ("[role=tabpanel]:not([hidden])", "to_have_count", 1),
            ("[role=tabpanel]:not([hidden]) h2", "to_contain_text", name)]


# A page, how it is shown, what a reader does, and then sees.
VISITS: dict[str, tuple[Any, ...]] = {
    **{f"{name} is two screens, and a recipe one": (
        name, SIZES["laptop"], ("article", "to_give", LOW),  # Once the script has made tabs
        ("details.fold", "evaluate_all", "(all) => all.forEach((it) => { it.open = true; })"),
        ("article section section", "to_give", TALL, [])) for name in PAGES},
    "tabs are chosen by keys, by clicks and by their address": (
        "use_frameworks", DESK, *shows("Hugging Face Trainer"), (CHOSEN, "focus"), *(
            each for key, name in (
                ("ArrowRight", "Lightning"), ("ArrowLeft", "Hugging Face Trainer"),
                ("ArrowLeft", "Marian, fairseq"), ("ArrowRight", "Hugging"), ("End", "Marian"),
                ("Home", "Hugging Face Trainer"))
            for each in ((":focus", "press", key), *shows(name))),
        (".tab-row a:text-is('Keras')", "click"), *shows("Keras"),
        (PAGE, "wait_for_url", {"url": "**#keras"}), (PAGE, "reload"), *shows("Keras"),
        ("html", "evaluate", "() => { location.hash = '#dask'; }"), *shows("Dask"),
        ("#trl", "dispatch_event", "beforematch"), *shows("TRL"), (CHOSEN, "focus"),
        (":focus", "press", "Tab"), ("#trl", "to_be_focused")),
    "a fold opens by its address": (
        "use_better", DESK, (f"{FOLD} > details.fold[open]", "to_have_count", 0),
        ("html", "evaluate", f"() => {{ location.hash = '{FOLD}'; }}"),
        (f"{FOLD} > details.fold[open]", "to_have_count", 1),
        (f"{FOLD} pre >> nth=0", "to_be_in_viewport")),
    **{f"all recipes of {name} are printed": (
        name, DESK, TABS_MADE, ("article pre", "to_give", f"(all) => ({UNSEEN})(all).length > 0"),
        (PAGE, "emulate_media", {"media": "print"}),
        ("article :is(h2, pre)", "to_give", UNSEEN, []),
        (".tab-row:visible", "to_have_count", 0)) for name in ("use_frameworks", "use_shell")},
    "without a script tabs are links": (
        "use_frameworks", NO_SCRIPT, (".tab-row a", "not_to_have_count", 0),
        ("html", "to_give", LINKED),
        ("article :is(h2, pre):not(details *)", "to_give", UNSEEN, [])),
    "without a script folds open": (
        "use_shell", NO_SCRIPT, ("#each-line pre >> nth=0", "to_be_hidden"),
        ("#each-line summary", "click"), ("#each-line pre >> nth=0", "to_be_visible")),
}


@pytest.mark.parametrize("name", VISITS)
def test_recipes_are_led_to_and_shown(open_page: Callable[..., Any], name: str) -> None:
    page, settings, *steps = VISITS[name]
    follow(open_page(f"{page}.html", **settings), *steps)
