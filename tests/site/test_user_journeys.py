"""Three people's errands over the built site, from the front page, in four clicks or words typed.

And what the front page, the table of dialects, the search and the page for what is missing promise.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import book
import build_site
import front
import pytest
from browser import CAN_COPY, DESK, PHONE, Page, follow
from clean_checkout import require_pip, run
from playground import SELECTED, button

from bleu_nb import DIALECTS, corpus_bleu, sentence_bleu
from bleu_nb import __version__ as VERSION
from bleu_nb.dialects.table import CHOICES

ROOT = Path(__file__).resolve().parents[2]
SIGNATURE = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"
KILOBYTE = 1000
MOST_STEPS = 4
MACHINE, *PEOPLE = (
    (ROOT / "bleu_nb" / "example" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("heron", "reference_1", "reference_2"))
HERON = corpus_bleu(MACHINE, [*zip(*PEOPLE, strict=True)])  # What a paper might print of it


# -- Errands ---------------------------------------------------------------------------------

SCORE, ITS_SIGNATURE, FOUND = "#ff-score", "#ff-signature", "[data-part=check-results]"
CHECK = [("article >> text=Check it", "click"), ("#pg[data-state=ready]", "wait_for"),
         ("#pg-tab-check", "to_have_attribute", *SELECTED)]
SETTINGS = [
    ("[data-tab=check] >> [data-part=example]", "click"),
    ("[data-part=candidates] textarea", "to_have_value", "\n".join([*MACHINE, ""])),
    ("[data-part=check]", "click"),
    (FOUND, "to_contain_text", re.compile("agrees|is what your files give")),
    (FOUND, "to_contain_text", "tok:13a")]
WHY = [("h1", "to_contain_text", "1.2 Precision"), ("article", "to_contain_text", "parrot"),
       ("article", "to_contain_text", "2/7")]
BY_THE_PARROT = [
    ("h2:has-text('parrot')", "to_contain_text", "2/7"),
    ("article a:has-text('Chapter 1.2') >> nth=0", "click"), *WHY]
ERRANDS: dict[str, tuple[dict[str, Any], list[tuple[Any, ...]]]] = {
    "a student finds why 2 of 7": (DESK, BY_THE_PARROT),
    "a student finds it on a phone": (PHONE, BY_THE_PARROT),
    "a student finds it by searching": (DESK, [
        ("input[name=q]", "fill", "why 2/7"), ("input[name=q]", "press", "Enter"),
        ("#search-results a:has-text('1.2 Precision') >> nth=0", "click"), *WHY]),
    "a reviewer finds the settings behind a printed number": (DESK, [
        (SCORE, "fill", f" {HERON:.1f} "), *CHECK,
        ("[name=reported]", "to_have_value", f"{HERON:.1f}"),
        ("[name=signature]", "to_have_value", ""),
        *SETTINGS]),
    "a reviewer checks a printed line": (DESK, [
        (ITS_SIGNATURE, "fill", str(HERON)), *CHECK, *SETTINGS]),
    "a reviewer has a number with its signature": (DESK, [
        (SCORE, "fill", " 27.3 "), (ITS_SIGNATURE, "fill", SIGNATURE), *CHECK,
        ("[name=reported]", "to_have_value", "27.3"),
        ("[name=signature]", "to_have_value", SIGNATURE)]),
}


@pytest.mark.parametrize("name", ERRANDS)
def test_an_errand_takes_few_steps(open_page: Callable[..., Any], name: str) -> None:
    settings, steps = ERRANDS[name]
    follow(open_page("index.html", **settings), *steps)
    assert sum(step[1] in ("click", "fill") for step in steps) <= MOST_STEPS


# -- The package -------------------------------------------------------------------------------


def test_the_first_screen_says_what_it_is_and_how_to_get_it(open_page: Callable[..., Any]) -> None:
    for size in SCREENS:
        page, height = open_page("index.html", **size), size["viewport"]["height"]
        follow(page, (".lead", "to_contain_text", "Python package"),
               (".lead", "to_contain_text", f"{len(DIALECTS)} tools and versions"))
        for name in ("Install", "Playground"):
            box = page.locator(f"article a:text-is('{name}') >> nth=0").bounding_box()
            assert box["y"] + box["height"] < height


def test_the_package_is_installed_from_the_site(
    open_page: Callable[..., Any], site_url: str, tmp_path: Path
) -> None:
    require_pip(tmp_path / "probe")
    page = open_page("use_shell.html", **DESK, **CAN_COPY)
    copy = ".install .copy-code"
    follow(page, (copy, "click"), (copy, "to_have_text", "Copied"), (".install p", "to_be_hidden"))
    line = page.evaluate("navigator.clipboard.readText()")
    place = re.escape(f"{site_url}/bleu_nb-{VERSION}")
    assert re.fullmatch(rf'pip install "bleu_nb @ {place}(\+g[\w.]+)?-py3-none-any\.whl'
                        r'#sha256=[0-9a-f]{64}"', line)
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    programs = tmp_path / "venv" / "bin"
    run("bash", "-c", f". {programs}/activate && {line}", cwd=tmp_path)
    assert f"|bleu_nb:{VERSION} = 67.25" in run(programs / "bleu-nb", "example", cwd=tmp_path)


def test_without_a_script_the_wheel_is_downloaded_first(
    open_page: Callable[..., Any], site: Path
) -> None:
    page = open_page("use_speed.html", **DESK, java_script_enabled=False)
    [wheel] = site.glob("*.whl")
    follow(page, (".install a", "to_have_attribute", "href", re.compile(re.escape(wheel.name))),
           (".install pre", "to_have_text", f'pip install "./{wheel.name}[fast]"'))


@pytest.mark.parametrize(("told", "local"), [
    ("", ""), (f"v{VERSION}", ""), (f"v{VERSION}-3-g2d096f0", "+g2d096f0"),
    ("2d096f0", "+g2d096f0"), ("2d096f0-dirty", "+g2d096f0-dirty"),
])
def test_a_wheel_that_is_no_release_says_its_commit(
    monkeypatch: pytest.MonkeyPatch, told: str, local: str
) -> None:
    monkeypatch.setattr(build_site, "git", lambda *words: told)
    assert build_site.commit() == local


# -- Two sentences to type over ----------------------------------------------------------------

TYPED = ["The boat came once a month, in winter.", "In winter, the <i>boat</i> came: once, 1,5.",
         "boat", "A ship", ""]
# Door -> the page that it leads to, and the answer there
DOORS = {
    "What is BLEU?": ("00_by_hand", "p:has-text('with human texts')"),
    "How do I score?": ("use_python", "pre:has-text('corpus_bleu(candidates, references)')"),
    "Where does 27.3 come from?": ("use_why", "pre:has-text('bleu-nb identify --reported')"),
    "Python": ("use_python", "pre:has-text('corpus_bleu(candidates, references)')"),
    "shell": ("use_shell", "pre:has-text('bleu-nb score mt.txt ref.txt')"),
    "your framework": ("use_frameworks", "pre:has-text('TrainerBleu')"),
    "one import changed": ("coming_from", "pre:has-text('adapters import sacrebleu')"),
    "form in the browser": ("playground", "[name=reported]"),
}
SCREENS = [{"viewport": {"width": width, "height": 800}} for width in (1280, 390)]
LENGTHS = """(rows) => rows.map((row) => row.querySelector("i i").getBoundingClientRect().width
    / row.querySelector("i").getBoundingClientRect().width)"""


@pytest.mark.parametrize("size", SCREENS)
def test_what_is_typed_is_scored_above_the_fold(
    open_page: Callable[..., Any], size: dict[str, Any]
) -> None:
    page = open_page("index.html", **size)
    box = page.locator(".fl").bounding_box()
    assert box["y"] + box["height"] < size["viewport"]["height"]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for text in TYPED:
        score = sentence_bleu(text, [front.REFERENCES[0]])
        pairs = [*zip(score.stats.matches, score.stats.totals, strict=True)]
        smoothed = pairs[0][0] > 0 and any(total and not matched for matched, total in pairs)
        follow(page, ("#fl-candidate", "fill", text),
               (".fl strong", "to_have_text", f"{score.value:.1f}"),
               (".fl-row b", "to_have_text", [f"{m} of {t}" for m, t in pairs]),
               (".fl-note", "to_be_visible" if smoothed else "to_be_hidden"))
        assert page.eval_on_selector_all(".fl-row", LENGTHS) == pytest.approx(
            [matched / max(total, 1) for matched, total in pairs], abs=0.005)
    assert not asked


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("door", DOORS)
def test_a_door_leads_to_its_answer_within_two_screens(
    open_page: Callable[..., Any], size: dict[str, Any], door: str
) -> None:
    page, (name, answer) = open_page("index.html", **size), DOORS[door]
    two_screens = 2 * size["viewport"]["height"]
    link = page.locator(f".door a:text-is('{door}'), .door a:has(b:text-is('{door}'))")
    place = link.bounding_box()
    assert place["y"] + place["height"] <= two_screens
    link.click()
    page.wait_for_url(f"**/{name}.html*")
    follow(page, (f"article {answer} >> nth=0", "to_be_visible"))
    place = page.locator(f"article {answer} >> nth=0").bounding_box()
    assert place["y"] >= 0 and place["y"] + place["height"] <= two_screens


def test_all_of_a_door_leads_there(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK)
    page.locator(".door >> nth=0").click(position={"x": 5, "y": 5})
    page.wait_for_url("**/00_by_hand.html")


# -- The stepped figure ------------------------------------------------------------------------


def drawn(step: int) -> tuple[str, ...]:
    """Which of the five steps is drawn."""
    return ".fs-moving", "to_have_attribute", "data-step", str(step)


def test_the_steps_are_led_by_keys_buttons_and_scrolling(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK, reduced_motion="reduce")
    follow(page, drawn(1), (".fs-step >> nth=0", "focus"), *(
        each for key, step in (
            ("ArrowRight", 2), ("End", 5), ("ArrowRight", 5), ("Home", 1), ("ArrowLeft", 1),
            ("3", 3), ("5", 5), ("6", 5), ("2", 2))
        for each in ((":focus", "press", key), drawn(step))),
        ("#step-2", "to_be_focused"), (".fs-next", "click"), drawn(3),
        ("[data-to='5']", "click"), (":focus", "press", "3"), drawn(3),  # From buttons as well
        ("[data-to='5']", "click"), drawn(5), ("[aria-current=step]", "to_contain_text", "5"),
        ("html", "evaluate", "() => new Promise((done) => setTimeout(done, 950))"),  # Its own clock
        (".fs-strip", "evaluate", "it => it.scrollTo({left: 0, behavior: 'instant'})"), drawn(1))


def test_the_steps_are_one_tab_stop(open_page: Callable[..., Any]) -> None:
    stops = """(it) => [it, ...it.querySelectorAll("*")].filter((each) => each.tabIndex >= 0)
        .map((each) => each.id)"""
    page = open_page("index.html", **DESK)
    for number in (1, 3):
        page.click(f"[data-to='{number}']")
        assert page.locator(".fs").evaluate(stops) == [f"step-{number}"]


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


def test_the_steps_are_complete_without_a_script(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **PHONE, java_script_enabled=False)
    steps = page.locator(".fs-step").all()
    tops = [each.bounding_box()["y"] for each in steps]
    assert len(steps) == 5 and tops == sorted({*tops})
    assert all(each.locator(".fs-stage").is_visible() for each in steps)
    assert not page.is_visible(".fs-moving")


def test_the_steps_show_what_the_package_computes(site: Path) -> None:
    html = (site / "index.html").read_text(encoding="utf-8")
    candidate, *references = re.findall(r"<dd>(.*?)</dd>", html)
    score = sentence_bleu(candidate, references)
    matches, totals = score.stats.matches, score.stats.totals
    steps = re.findall(r'<li class="fs-step".*?<p>(.*?)</p>', html, re.DOTALL)
    wanted = [
        [f"{sum(totals)} runs"], [f"{sum(matches)} runs earn credit"],
        [*map("{} of {}".format, matches, totals), f"{score.value / score.brevity_penalty:.1f}"],
        [f"× {score.brevity_penalty:.3f}"], [f"= {score.value:.1f}"]]
    assert not [(step, each) for step, told in zip(steps, wanted, strict=True) for each in told
                if each not in step]


THEME = re.compile(r"/_static/(styles/furo|scripts/furo|pygments|basic|skeleton|mystnb|doctools|"
                   r"documentation_options|sphinx_highlight|debug)")


def test_the_front_page_weighs_little(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html")
    page.wait_for_load_state("networkidle")
    own = {name: size for name, size in page.evaluate("""() => [
        ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .map((entry) => [entry.name.split("?")[0], entry.decodedBodySize])""")
        if not THEME.search(name)}
    assert any(name.endswith("front.js") for name in own)
    assert 50 * KILOBYTE < sum(own.values()) <= 150 * KILOBYTE


# -- Dialects ----------------------------------------------------------------------------------

ROWS = "table.dialects tbody tr:not([hidden])"
FILTER = ".dl-filter input"


def choices_of(name: str) -> tuple[object, ...]:
    """All that makes a dialect but its name, version and source."""
    return tuple(getattr(DIALECTS[name], choice) for choice in CHOICES)


def test_the_dialects_page_says_which_rows_are_the_same(open_page: Callable[..., Any]) -> None:
    page, distinct = open_page("dialects.html", **DESK), {*map(choices_of, DIALECTS)}
    follow(page, *(("article p >> nth=0", "to_contain_text", said) for said in (
        f"{len(DIALECTS)} rows", f"{len(distinct)} of them are distinct")))
    assert page.eval_on_selector_all(ROWS, """rows => rows.map((row) => [
        ...row.querySelectorAll(".dl-same a")].map((each) => each.textContent))""") == [
        [other for other in DIALECTS if other != name and choices_of(other) == choices_of(name)]
        for name in DIALECTS]


def test_dialects_are_filtered_as_one_types(open_page: Callable[..., Any]) -> None:
    follow(open_page("dialects.html", **DESK), (ROWS, "to_have_count", len(DIALECTS)),
           (FILTER, "press_sequentially", "Ignite micro"), (ROWS, "to_have_count", 1),
           (ROWS, "to_have_attribute", "data-name", "ignite-micro"),
           (".dl-found", "to_have_text", f"1 of {len(DIALECTS)} rows"),
           (FILTER, "fill", "no such tool"), (ROWS, "to_have_count", 0),
           (".dl-alike a:has-text('mteval-v14') >> nth=0", "click"),
           (ROWS, "to_have_count", len(DIALECTS)))


def test_each_dialect_has_an_address(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html#nltk-3.2", **PHONE)
    follow(page, ("th:target", "to_contain_text", "nltk-3.2"))
    page.wait_for_function("""() => {
        const {top, bottom} = document.querySelector("th:target").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight && !document.querySelector(".content").scrollLeft;
    }""")
    assert page.eval_on_selector_all(
        "table.dialects tbody th a", "links => links.map((link) => link.getAttribute('href'))"
    ) == [f"#{name}" for name in DIALECTS]


def test_any_two_dialects_are_explained(open_page: Callable[..., Any]) -> None:
    page = open_page("dialects.html", **DESK, **CAN_COPY)
    follow(page, *((f"tr[data-name='{name}'] input", "press", "Space")
                   for name in ("multi-bleu", "ignite", "nmt")),  # The third replaces the first
           (".dl-bar", "to_contain_text", "ignite against nmt"),
           (button("Copy the command"), "click"), (".dl-copy", "to_have_text", "Copied"))
    said = page.eval_on_selector_all(
        ".dl-differs tbody th", "heads => heads.map((head) => head.firstChild.data)")
    assert sorted(said) == sorted(
        choice.replace("_", " ") for choice in CHOICES
        if getattr(DIALECTS["ignite"], choice) != getattr(DIALECTS["nmt"], choice))
    state = parse_qs(urlsplit(page.locator(".dl-differs a").get_attribute("href")).fragment)
    assert (state["d"], state["x"]) == (["ignite"], ["nmt"]) and state["c"] and state["r"]
    assert page.evaluate("navigator.clipboard.readText()") == (
        "bleu-nb explain --from ignite --to nmt output.txt reference.txt")


def test_dialects_that_are_the_same_differ_in_nothing(open_page: Callable[..., Any]) -> None:
    follow(open_page("dialects.html", **DESK),
           ("select[name=from]", "select_option", "nltk-3.3"),
           ("select[name=to]", "select_option", "nltk"),
           (".dl-differs", "to_contain_text", "differ in no choice"))


def test_the_table_of_dialects_needs_no_script(open_page: Callable[..., Any]) -> None:
    follow(open_page("dialects.html", **PHONE, java_script_enabled=False),
           (ROWS, "to_have_count", len(DIALECTS)), (".dl-static", "to_be_visible"),
           (".dl-against", "to_be_hidden"))


def test_text_without_spaces_is_told_as_one_types(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK)
    line, reference = "船每月来一次。", "船一个月来一次。"
    score = sentence_bleu(line, [reference], tokenizer="zh").value
    follow(page, (".fl-hint", "to_be_hidden"), ("#fl-reference", "fill", reference),
           ("#fl-candidate", "fill", line), (".fl-hint", "to_contain_text", "looks like Chinese"),
           ("#fl-candidate", "fill", "The boat"), (".fl-hint", "to_be_hidden"),
           ("#fl-candidate", "fill", line), (".fl-hint a", "click"),
           ("[name=candidate]", "to_have_value", line), ("[name=tokenizer]", "to_have_value", "zh"),
           ("#pg [data-part=value]", "to_have_attribute", "data-value", repr(score)))


# -- Search, descriptions, the missing page ----------------------------------------------------


PLACES = 3    # Where an answer may stand
ANSWERS = {
    "install": "install", "windows": "install", "how to install": "install",
    "cite": "use_report#what-to-cite-bibtex", "bibtex": "use_report#what-to-cite-bibtex",
    "dedup": "use_pairs#every-pair-of-lines", "deduplication": "use_pairs#every-pair-of-lines",
    "ci": "use_better#fail-a-pipeline-ci-when-a-system-is-worse",
    "threshold": "use_shell#fail-a-pipeline-ci-when-the-score-is-low",
    "csv": "use_frameworks#pandas", "large": "use_speed#files-instead-of-lists",
    "10 million": "use_speed#files-instead-of-lists",
    "huggingface": "use_frameworks#hugging-face-trainer",
    "huggingface trainer": "use_frameworks#hugging-face-trainer",
    "chinese": "use_python#another-language-another-tool",
    "interval": "use_python#how-sure-is-the-number-confidence-interval",
    "confidence": "02_intervals", "self-bleu": "use_pairs#diversity-self-bleu",
    "eff:yes": "09_cheat_sheet#reading-a-signature",
    "nltk method 4": "coming_from#theirs-and-ours", "sacrebleu": "coming_from",
    "significance": "use_better", "significance latex": "use_better#in-latex-for-the-paper",
    "why two tools": "04_explanation", "why 27.3": "use_why", "identify": "05_identification",
    "signature": "08_signatures", "brevity penalty": "03_brevity", "smoothing": "05_smoothing",
    "sentence bleu": "05_smoothing", "Bootstrap": "01_resampling", "p-value": "use_better",
    "json": "formats", "gz": "use_shell#a-gz-file-or-a-pipe", "exit status": "command_line",
    "own tokenizer": "architecture", "migrate": "coming_from", "lm-eval": "use_frameworks#"
    "lm-evaluation-harness", "methods section": "use_report#the-sentence-for-the-methods-section",
    "mbr": "use_pairs#the-best-of-several-samples-mbr",
    "pycocoevalcap": "use_tools#pycocoevalcap", "nlg-eval": "use_tools#nlg-eval",
    "spbleu": "use_tools#spbleu", "multi-bleu": "use_tools#multi-bleu-perl",
    "flores": "use_tools#spbleu", "bleu-1": "use_shell#bleu-1-to-bleu-4",
    "bleu-4": "use_shell#bleu-1-to-bleu-4",
    "document bleu": "use_shell#documents-a-score-for-each-or-their-lines-joined-d-bleu",
    "missing references": "use_shell#missing-references",
    "custom tokenizer": "use_shell#a-tokenizer-of-your-own",
    "several systems": "use_shell#several-systems-as-a-table",
    "latin-1": "use_shell#files-in-latin-1-or-in-windows-encoding",
    "encoding": "use_shell#files-in-latin-1-or-in-windows-encoding",
    "xargs": "coming_from#in-a-script-a-makefile-xargs",
    "alias": "coming_from#in-a-script-a-makefile-xargs",
    "d-bleu": "use_shell#documents-a-score-for-each-or-their-lines-joined-d-bleu",
    "training loop": "use_python#batches-as-in-a-training-loop",
    "case insensitive": "use_shell#another-language-another-tool",
    "compare two models": "use_better",
    "multiple references": "use_shell#several-references-the-number-alone",
    "parallel": "use_speed#how-many-cores-which-counter", "score per line": "use_shell#each-line",
    "different number of lines": "formats#text-files", "early stopping": "use_frameworks#keras",
    "markdown table": "use_report#a-table-for-a-readme-markdown",
    "hyp_len": "07_reporting#the-line-behind-the-number",
    "github actions fail if score drops": "use_shell#fail-a-pipeline-ci-when-the-score-is-low",
    "sentence bleu average vs corpus": "04_bleu#pooled-or-averaged",
    "how many test sentences do I need": "use_better#could-a-test-set-of-this-size-show-it",
    "score xml sgm files": "use_tools#mteval-v13a-pl-nist",
    "custom n-gram weights": "14_five_libraries#weights",
    "pytorch distributed evaluation": "use_frameworks#lightning",
}  # fmt: skip


def search(page: Any, words: str) -> list[str]:
    """Where the first hits lead; a hit knows its section once its page was read."""
    follow(page, (".sidebar-search", "fill", words), (".sidebar-search", "press", "Enter"))
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("q") == [words])
    follow(page, (".search-summary", "to_contain_text", "found"))
    page.wait_for_load_state("networkidle")
    links = page.eval_on_selector_all(
        "ul.search li a:first-child", "all => all.map((each) => each.getAttribute('href'))")
    return [link.replace(".html", "") for link in links]


@pytest.mark.parametrize("words", ANSWERS)
def test_the_search_leads_to_the_answer(open_page: Callable[..., Any], words: str) -> None:
    page, section = ANSWERS[words].partition("#")[::2]
    found = [link.partition("#")[::2] for link in
             search(open_page("search.html", **DESK), words)[:PLACES]]
    assert (page, section) in (found if section else [(where, "") for where, _ in found])


def test_a_hit_in_the_text_leads_to_its_section(open_page: Callable[..., Any]) -> None:
    page = open_page("search.html", **DESK)
    found = search(page, "Lightning sampler repeats")
    assert "use_frameworks#lightning" in found[:PLACES] and len(found) == len({*found})
    told = page.locator("ul.search .context").all_inner_texts()
    assert told and not [each for each in told if "Download this notebook" in each]


DESCRIBED = re.compile(
    r'<meta (?:name|property)="(description|og:description|og:title)" content="([^"]*)">')


def test_every_page_says_what_it_is(pages: dict[str, Page]) -> None:
    found = {name: sorted(DESCRIBED.findall(page.html)) for name, page in pages.items()}
    [(kind, _)] = found.pop("404.html")
    assert kind == "description"
    described = {}
    for name, [(_, described[name]), (_, preview), _] in found.items():
        assert 15 < len(preview) <= 260 and preview == described[name], name
    assert described["03_brevity.html"].startswith("Which reference length counts")
    told = [words for name, words in described.items() if not name.startswith("api/")]
    assert len({*told}) == len(told)


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
    follow(page, ("#asked", "to_have_text", f"/{folder}{below}nothing.html"),
           ("a:has-text('Which BLEU is which') >> nth=0", "click"),
           ("h1", "to_contain_text", "Which BLEU"))
    assert page.url == f"{root}/{folder}dialects.html"
    complaints.clear()    # The browser notes each answer that says 404


ENTRIES = """() => [...document.querySelectorAll(".sidebar-tree li")]
    .filter((each) => each.checkVisibility()).length"""


def test_the_sidebar_leads_with_what_people_come_for(open_page: Callable[..., Any]) -> None:
    page = open_page("index.html", **DESK)
    follow(page, (".sidebar-tree .caption-text", "to_have_text",
                  ["Learn", "Use", "Reference", "How it is built"]))
    for name in ("a:text-is('Install')", "a:text-is('Playground')", "a:text-is('Check a number')",
                 ".caption:has-text('Reference')"):
        box = page.locator(f".sidebar-tree {name}").bounding_box()
        assert box["y"] + box["height"] < 800
    listed = page.eval_on_selector_all(
        ".sidebar-tree a", "links => links.map((link) => link.getAttribute('href'))")
    assert len(listed) == len({*listed})
    assert {f"{path.stem}.html" for path in book.notebooks() if path.stem != "index"} <= {*listed}


def test_the_sidebar_unfolds_the_group_of_the_page(open_page: Callable[..., Any]) -> None:
    for name, group, entry in (("index", "Use", "Score in Python"),
                               ("speed", "Use", "Report a score"),
                               ("04_bleu", "Learn", "1.9 Cheat sheet"),
                               ("02_tables", "How it is built", "Architecture")):
        page = open_page(f"{name}.html", **DESK)
        follow(page, (".sidebar-tree details[open] > summary", "to_have_text", [group]),
               (f".sidebar-tree a:text-is('{entry}')", "to_be_visible"))
        assert page.evaluate(ENTRIES) <= 30
        follow(page, (".sidebar-tree summary:has-text('Reference')", "press", "Enter"),
               (".sidebar-tree a:text-is('API')", "to_be_visible"))


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
