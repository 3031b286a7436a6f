"""Three people's errands over the built site, from the front page, in four clicks or words typed.

And what the front page, the table of dialects, the search and the page for what is missing promise.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import book
import pytest
from commands import python

from bleu_nb import DIALECTS, BleuScore, corpus_bleu, sentence_bleu
from bleu_nb.dialects.table import CHOICES

ROOT = Path(__file__).resolve().parents[2]
PHONE = {"viewport": {"width": 375, "height": 800}}
DESK = {"viewport": {"width": 1280, "height": 900}}
CAN_COPY = {"permissions": ["clipboard-read", "clipboard-write"]}
SIGNATURE = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"
KILOBYTE = 1000
MOST_STEPS = 4


class Visitor:
    """Somebody with a browser who counts what is clicked and typed."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.steps = 0

    def click(self, words: str, within: str = "article") -> None:
        """Click the first thing with these words."""
        self.step()
        self.page.locator(f"{within} :is(a, button)", has_text=words).first.click()
        self.page.wait_for_load_state()

    def type(self, label: str, text: str) -> None:
        """Type into a field that a label names."""
        self.step()
        self.page.get_by_label(label).fill(text)

    def step(self) -> None:
        self.steps += 1
        assert self.steps <= MOST_STEPS


@pytest.fixture
def visit(open_page: Callable[..., Any]) -> Callable[..., Visitor]:
    """Arrive at the front page."""
    return lambda **settings: Visitor(open_page("index.html", **settings))


# -- Errands ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_student_finds_why_2_of_7(visit: Callable[..., Visitor], size: dict[str, Any]) -> None:
    student = visit(**size)
    assert "2/7" in student.page.locator("h2", has_text="parrot").inner_text()
    student.click("Chapter 1.2")
    student.page.wait_for_url("**/02_precision.html*")
    text = student.page.locator("article").inner_text()
    assert "parrot" in text and "2/7" in text


def test_a_student_finds_why_2_of_7_by_searching(visit: Callable[..., Visitor]) -> None:
    student = visit(**DESK)
    student.step()
    student.page.fill("input[name=q]", "why 2/7")
    student.page.press("input[name=q]", "Enter")
    student.click("1.2 Precision", "#search-results")
    student.page.wait_for_url("**/02_precision.html*")


def copied(engineer: Visitor, title: str) -> str:
    """What the button beside a piece of code copies."""
    engineer.step()
    button = engineer.page.locator(f".fc[aria-label='{title}']").get_by_role("button")
    button.click()
    button.filter(has_text="Copied").wait_for()
    return str(engineer.page.evaluate("navigator.clipboard.readText()"))


def test_an_engineer_gets_to_a_running_command(visit: Callable[..., Visitor]) -> None:
    engineer = visit(**DESK, **CAN_COPY)
    engineer.click("Use")
    section = engineer.page.locator("section#use")
    install = copied(engineer, "Install")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert install == "python3 -m venv .venv && .venv/bin/pip install ." and install in readme
    program, *words = shlex.split(copied(engineer, "In a shell"))
    assert program == ".venv/bin/bleu-nb"
    done = subprocess.run([sys.executable, "-m", "bleu_nb", *words], cwd=ROOT, check=True,
                          capture_output=True, text=True)
    assert done.stdout.strip() == section.locator("samp").last.inner_text()


def test_an_engineer_copies_three_lines_of_python(visit: Callable[..., Visitor]) -> None:
    engineer = visit(**DESK, **CAN_COPY)
    code = copied(engineer, "In Python")
    assert len(code.splitlines()) == 3
    assert python(code).strip() == engineer.page.locator("samp").first.inner_text()


@pytest.mark.parametrize("signature", [SIGNATURE, ""], ids=["with a signature", "without"])
def test_a_printed_number_arrives_in_the_playground(
    visit: Callable[..., Visitor], site: Path, signature: str
) -> None:
    visited = visit(**DESK)
    visited.page.route("**/playground.html*", lambda route: route.fulfill(
        body="<!doctype html><title>playground</title><link rel=icon href='data:,'>",
        content_type="text/html"))
    visited.type("The score", " 27.3 ")
    if signature:
        visited.type("Its signature", signature)
    visited.click("Check it")
    visited.page.wait_for_url("**/playground.html#*")
    told = parse_qs(urlsplit(visited.page.url).fragment, keep_blank_values=True)
    assert told == {"tab": ["check"], "score": ["27.3"], "signature": [signature]}


def heron() -> BleuScore:
    """What a paper might print of the example that the package ships."""
    machine, *people = (
        (ROOT / "bleu_nb" / "example" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("heron", "reference_1", "reference_2"))
    return corpus_bleu(machine, [*zip(*people, strict=True)])


@pytest.mark.parametrize("field", ["The score", "Its signature"])
def test_a_reviewer_finds_the_settings_behind_a_printed_number(
    visit: Callable[..., Visitor], site: Path, field: str
) -> None:
    result = "#check-result, [data-part=check-results]"
    if not re.search("check-results?", (site / "playground.html").read_text(encoding="utf-8")):
        pytest.skip("the playground of this checkout has no tab that checks a number")
    reviewer = visit(**DESK)
    page, score = reviewer.page, heron()
    reviewer.type(field, f"{score:.1f}" if field == "The score" else str(score))
    reviewer.click("Check it")
    page.wait_for_selector("#pg[data-state=ready]", timeout=60_000)
    reviewer.click("example", ":not([hidden])[data-tab=check]")
    page.wait_for_function(
        "document.querySelector('[data-part=candidates] textarea').value.length > 99")
    reviewer.step()
    page.locator("[data-part=check]").click()
    page.locator(result, has_text=re.compile("agrees|settings print")).wait_for(timeout=60_000)
    assert "tok:13a" in page.locator(result).inner_text()


# -- The stepped figure ------------------------------------------------------------------------


def stage(page: Any) -> str:
    """Which of the five steps is drawn."""
    return str(page.get_attribute(".fs-moving", "data-step"))


def test_the_steps_are_led_by_keys_buttons_and_scrolling(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK, reduced_motion="reduce")
    assert stage(page) == "1"
    page.locator(".fs-step").first.focus()
    for key, drawn in (("ArrowRight", "2"), ("End", "5"), ("ArrowRight", "5"), ("Home", "1"),
                       ("ArrowLeft", "1"), ("3", "3"), ("5", "5"), ("6", "5"), ("2", "2")):
        page.keyboard.press(key)
        assert stage(page) == drawn
    focused = page.evaluate("document.activeElement.id")
    assert focused == "step-2"
    page.locator(".fs-next").click()
    assert stage(page) == "3"
    page.locator("[data-to='5']").click()
    page.keyboard.press("3")
    assert stage(page) == "3", "the keys lead from the buttons as well"
    page.locator("[data-to='5']").click()
    assert stage(page) == "5" and page.locator("[aria-current=step]").inner_text().startswith("5")
    page.evaluate("new Promise((done) => setTimeout(done, 950))")  # The page's own clock
    page.evaluate("document.querySelector('.fs-strip').scrollTo({left: 0, behavior: 'instant'})")
    page.wait_for_selector(".fs-moving[data-step='1']")


def test_the_steps_are_one_tab_stop(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK)
    for number in (1, 3):
        page.locator(f"[data-to='{number}']").click()
        stops = page.evaluate("[...document.querySelectorAll('.fs, .fs *')]"
                              ".filter((each) => each.tabIndex >= 0).map((each) => each.id)")
        assert stops == [f"step-{number}"]


def test_the_figure_moves_where_motion_is_wanted(open_page: Callable[..., Any]) -> None:
    durations = """() => [...document.querySelectorAll('.fs-moving *')]
        .filter((each) => parseFloat(getComputedStyle(each).transitionDuration) > 0.001).length"""
    assert open_page("index.html").evaluate(durations) > 0


def test_the_figure_moves_by_transforms_and_opacity_alone(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html")
    moved = page.evaluate("""async () => {
        const seen = new Set();
        document.addEventListener('transitionrun', (event) => seen.add(event.propertyName));
        for (const button of document.querySelectorAll('[data-to]')) {
            button.click();
            for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        }
        return [...seen].sort();
    }""")
    assert moved == ["opacity", "transform"]


def test_the_steps_are_complete_without_a_script(
    open_page: Callable[..., Any], browser: Any, site_url: str
) -> None:
    page = open_page("index.html", **PHONE, java_script_enabled=False)
    steps = page.locator(".fs-step")
    assert steps.count() == 5
    tops = [steps.nth(place).bounding_box()["y"] for place in range(5)]
    assert tops == sorted(tops) and len(set(tops)) == 5
    assert all(steps.nth(place).locator(".fs-stage").is_visible() for place in range(5))
    assert not page.locator(".fs-moving").is_visible()
    assert not page.locator(".fc-copy").first.is_visible()


def test_the_steps_show_what_the_package_computes(site: Path) -> None:
    html = (site / "index.html").read_text(encoding="utf-8")
    texts = re.findall(r"<dd>(.*?)</dd>", html)
    score = sentence_bleu(texts[0], texts[1:])
    steps = re.findall(r'<li class="fs-step".*?<p>(.*?)</p>', html, re.DOTALL)
    assert len(steps) == 5
    counts = zip(score.stats.matches, score.stats.totals, strict=True)
    for matched, total in counts:
        assert f"{matched} of {total}" in steps[2]
    assert f"{sum(score.stats.totals)} runs" in steps[0]
    assert f"{sum(score.stats.matches)} runs earn credit" in steps[1]
    assert f"{score.value / score.brevity_penalty:.1f}" in steps[2]
    assert f"× {score.brevity_penalty:.3f}" in steps[3]
    assert f"= {score.value:.1f}" in steps[4]


def test_the_front_page_names_no_repository_that_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import front  # type: ignore[import-not-found]
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert front.address() == "" and "git clone" not in front.use()
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/bleu_nb")
    assert "git clone https://github.com/someone/bleu_nb" in re.sub("<[^>]+>", "", front.use())
    sys.modules.pop("front")


THEME = re.compile(r"/_static/(styles/furo|scripts/furo|pygments|basic|skeleton|mystnb|doctools|"
                   r"documentation_options|sphinx_highlight|debug)")


def test_the_front_page_weighs_little(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html")
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate("""() => [...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource")]
        .map((entry) => [entry.name, entry.decodedBodySize])""")
    own = {name: size for name, size in sizes if not THEME.search(name)}
    assert any(name.endswith("front.js") for name in map(lambda n: n.partition("?")[0], own))
    assert 50 * KILOBYTE < sum(own.values()) <= 150 * KILOBYTE


# -- Dialects ----------------------------------------------------------------------------------


def choices_of(name: str) -> tuple[object, ...]:
    """All that makes a dialect but its name, version and source."""
    return tuple(getattr(DIALECTS[name], choice) for choice in CHOICES)


def test_the_dialects_page_says_which_rows_are_the_same(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **DESK)
    distinct = {choices_of(name) for name in DIALECTS}
    intro = page.locator("article p").first.inner_text()
    assert f"{len(DIALECTS)} rows" in intro and f"{len(distinct)} of them are distinct" in intro
    for name in DIALECTS:
        others = [other for other in DIALECTS
                  if other != name and choices_of(other) == choices_of(name)]
        said = page.evaluate("(name) => [...document.getElementById(name)"
                             ".closest('tr').querySelectorAll('.dl-same a')]"
                             ".map((each) => each.textContent)", name)
        assert said == others


def shown_rows(page: Any) -> list[str]:
    """The rows of the table that can be seen."""
    return list(page.eval_on_selector_all(
        "table.dialects tbody tr",
        "rows => rows.filter((row) => row.offsetParent).map((row) => row.dataset.name)"))


def test_dialects_are_filtered_as_one_types(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **DESK)
    assert shown_rows(page) == list(DIALECTS)
    page.get_by_label("Filter").press_sequentially("Ignite micro")
    assert shown_rows(page) == ["ignite-micro"]
    assert page.locator(".dl-found").inner_text() == f"1 of {len(DIALECTS)} rows"
    page.get_by_label("Filter").fill("no such tool")
    assert shown_rows(page) == []
    page.locator(".dl-alike a", has_text="mteval-v14").first.click()
    page.wait_for_function("!document.querySelector('table.dialects tbody tr[hidden]')")
    assert shown_rows(page) == list(DIALECTS)


def test_each_dialect_has_an_address(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html#nltk-3.2", **PHONE)
    assert page.locator("th:target").inner_text() == "nltk-3.2"
    page.wait_for_function("""() => {
        const {top, bottom} = document.querySelector("th:target").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && !document.querySelector(".content").scrollLeft;
    }""")
    links = page.eval_on_selector_all(
        "table.dialects tbody th a", "links => links.map((link) => link.getAttribute('href'))")
    assert links == [f"#{name}" for name in DIALECTS]


def test_any_two_dialects_are_explained(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **DESK, **CAN_COPY)
    for name in ("multi-bleu", "ignite", "nmt"):    # The third takes the place of the first
        page.locator(f"tr[data-name='{name}'] input").focus()
        page.keyboard.press("Space")
    differ = [choice.replace("_", " ") for choice in CHOICES
              if getattr(DIALECTS["ignite"], choice) != getattr(DIALECTS["nmt"], choice)]
    said = page.eval_on_selector_all(
        ".dl-differs tbody th", "heads => heads.map((head) => head.firstChild.data)")
    assert sorted(said) == sorted(differ)
    assert "ignite against nmt" in page.locator(".dl-bar").inner_text()
    state = parse_qs(urlsplit(page.locator(".dl-differs a").get_attribute("href")).fragment)
    assert (state["d"], state["x"]) == (["ignite"], ["nmt"]) and state["c"] and state["r"]
    page.get_by_role("button", name="Copy the command").click()
    command = "bleu-nb explain --from ignite --to nmt output.txt reference.txt"
    page.wait_for_function("document.querySelector('.dl-copy').textContent === 'Copied'")
    assert page.evaluate("navigator.clipboard.readText()") == command


def test_dialects_that_are_the_same_differ_in_nothing(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **DESK)
    page.locator("select[name=from]").select_option("nltk-3.3")
    page.locator("select[name=to]").select_option("nltk")
    assert "differ in no choice" in page.locator(".dl-differs").inner_text()


def test_the_table_of_dialects_needs_no_script(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **PHONE, java_script_enabled=False)
    assert page.locator("table.dialects tbody tr").count() == len(DIALECTS)
    assert page.locator(".dl-static").is_visible() and not page.locator(".dl-against").is_visible()


# -- Search, descriptions, the missing page ----------------------------------------------------


ANSWERS = {
    "confidence": "02_intervals", "why two tools": "03_explanation", "huggingface": "05_evaluate",
    "significance": "03_paired_tests", "self-bleu": "03_diversity", "signature": "08_signatures",
    "brevity penalty": "03_brevity", "sentence bleu": "05_smoothing", "Bootstrap": "01_resampling",
    "p-value": "03_paired_tests", "install": "usage", "identify": "04_identification",
}  # fmt: skip


def test_the_search_leads_with_the_chapter_that_answers(open_page: Callable[..., Any]) -> None:
    page = open_page("search.html", **DESK)
    led_to = {}
    for words in ANSWERS:
        page.fill(".sidebar-search", words)
        page.press(".sidebar-search", "Enter")
        page.wait_for_url(
            lambda url, words=words: parse_qs(urlsplit(url).query).get("q") == [words])
        first = page.wait_for_selector("#search-results ul.search li a")
        led_to[words] = urlsplit(first.get_attribute("href")).path.removesuffix(".html")
    assert led_to == ANSWERS


def test_every_page_says_what_it_is(site: Path) -> None:
    described = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.parts:
            continue
        html = path.read_text(encoding="utf-8")
        found = re.findall(r'<meta name="description" content="([^"]*)">', html)
        assert len(found) == 1 and 15 < len(found[0]) <= 260, path.name
        if path.name != "404.html":
            [preview] = re.findall(r'<meta property="og:description" content="([^"]*)">', html)
            assert preview == found[0] and len(re.findall('property="og:title"', html)) == 1
            described[path.relative_to(site).as_posix()] = preview
    assert described["03_brevity.html"].startswith("Which reference length counts")
    told = [text for name, text in described.items() if not name.startswith("api/")]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("folder", ["", "docs/deep/"])
@pytest.mark.parametrize("below", ["", "not/here/"])
def test_a_missing_page_leads_to_what_exists(
    open_page: Callable[..., Any], site: Path, complaints: list[str], folder: str, below: str
) -> None:
    page = open_page("speed.html", **PHONE)
    missing = (site / "404.html").read_text(encoding="utf-8")
    root = page.url.rpartition("/")[0]

    def served(route: Any) -> None:
        path = urlsplit(route.request.url).path.lstrip("/")
        inside = site / path.removeprefix(folder)
        if path.startswith(folder) and inside.is_file():
            route.fulfill(path=inside)
        else:
            route.fulfill(status=404, body=missing, content_type="text/html")

    page.route("**/*", served)
    page.goto(f"{root}/{folder}{below}nothing.html")
    page.wait_for_selector("html[data-root]")
    assert page.locator("#asked").inner_text() == f"/{folder}{below}nothing.html"
    page.locator("a", has_text="Which BLEU is which").click()
    page.wait_for_url(f"{root}/{folder}dialects.html")
    assert "Which BLEU" in page.title()
    complaints.clear()    # The browser notes each answer that says 404


def test_the_sidebar_has_four_parts(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK)
    captions = page.locator(".sidebar-tree .caption-text").all_inner_texts()
    assert [each.lower() for each in captions] == ["learn", "compare", "use", "how it is built"]
    listed = page.eval_on_selector_all(
        ".sidebar-tree a", "links => links.map((link) => link.getAttribute('href'))")
    assert len(listed) == len(set(listed))
    for path in book.notebooks():
        assert path.stem == "index" or f"{path.stem}.html" in listed


OVERCLAIMS = re.compile(
    r"every BLEU there is|all the BLEUs|every BLEU by name|each tool that there is"
    r"|every known setting",
    re.IGNORECASE)


def test_nothing_claims_to_have_every_bleu() -> None:
    texts = {path.name: path.read_text(encoding="utf-8")
             for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))}
    texts |= {path.name: "\n".join(book.sources(path)) for path in book.notebooks()}
    assert not [f"{name}: {found[0]}" for name, text in texts.items()
                for found in OVERCLAIMS.finditer(text)]
