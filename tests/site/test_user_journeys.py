"""Three people's errands over the built site, from the front page, in four clicks or words typed.

And what the front page, the table of dialects, the search and the page for what is missing promise.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import book
import front
import pytest
from browser import CAN_COPY, DESK, PAGE, PHONE, Page, follow, visits
from clean_checkout import require_pip, run
from playground import SELECTED, button, shows

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


def test_the_package_is_installed_from_the_site(
    open_page: Callable[..., Any], site_url: str, tmp_path: Path
) -> None:
    require_pip(tmp_path / "probe")
    page = open_page("use_shell.html", **DESK, **CAN_COPY)
    follow(page, (".install .copy-code", "click"),
           (".install .copy-code", "to_have_text", "Copied"), (".install p", "to_be_hidden"))
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
    [wheel] = site.glob("*.whl")
    follow(open_page("use_speed.html", **NO_SCRIPT),
           (".install a", "to_have_attribute", "href", re.compile(re.escape(wheel.name))),
           (".install pre", "to_have_text", f'pip install "./{wheel.name}[fast]"'))


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
    "change one import": ("coming_from", "pre:has-text('adapters import sacrebleu')"),
    "form in the browser": ("playground", "[name=reported]"),
}
HEIGHT, NO_SCRIPT = 800, {"java_script_enabled": False}
SCREENS = [{"viewport": {"width": width, "height": HEIGHT}} for width in (1280, 390)]
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


# -- The stepped figure ------------------------------------------------------------------------


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
    "nltk method 4": "coming_from#calls-side-by-side", "sacrebleu": "coming_from",
    "significance": "use_better", "significance latex": "use_better#in-latex-for-the-paper",
    "why two tools": "04_explanation", "why 27.3": "use_why", "identify": "08_identification",
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
    "parallel": "use_speed#how-many-cores-which-engine", "score per line": "use_shell#each-line",
    "different number of lines": "formats#text-files", "early stopping": "use_frameworks#keras",
    "markdown table": "use_report#a-table-for-a-readme-markdown",
    "hyp_len": "07_reporting#the-line-behind-the-number",
    "github actions fail if score drops": "use_shell#fail-a-pipeline-ci-when-the-score-is-low",
    "sentence bleu average vs corpus": "04_bleu#pooled-or-averaged",
    "how many test sentences do I need": "use_better#could-a-test-set-of-this-size-show-it",
    "score xml sgm files": "use_tools#mteval-v13a-pl-nist",
    "custom n-gram weights": "11_five_libraries#weights",
    "pytorch distributed evaluation": "use_frameworks#lightning",
    "Lightning sampler repeats": "use_frameworks#lightning",  # In no title
    "my bleu is 0": "05_smoothing", "0": "05_smoothing", "bleu 0.00": "05_smoothing",
    "27.3": "use_why", "why 30.9": "use_why", "my paper says 0.2731": "use_why",
    "1.5": "05_smoothing",
    "character bleu": "use_shell#characters-chinese-japanese-korean",
    "japanese": "use_shell#characters-chinese-japanese-korean",
    "jsonl": "use_shell#a-json-lines-or-csv-file",
    "makefile": "use_shell#a-script-that-calls-sacrebleu",
    "bleu 1 to 4": "use_shell#bleu-1-to-bleu-4", "which smoothing": "05_smoothing",
    "streaming": "use_speed#files-instead-of-lists",
    "table for a paper": "use_report#a-table-in-latex",
}  # fmt: skip


@pytest.fixture(scope="module")
def search(browser: Any, site_url: str) -> Iterator[Callable[[str], Any]]:
    """Ask the search; a page that was read for one answer is at hand for the others."""
    with visits(browser, site_url, []) as opened:
        page = opened("search.html", **DESK)

        def asked(words: str) -> Any:
            page.goto(f"search.html?{urlencode({'q': words})}")
            follow(page, (".search-summary", "to_contain_text", "found"),
                   ("ul.search > li:not(.kind-object)", "to_give",
                    "(all) => all.every((each) => each.querySelector('.context'))"))
            return page

        yield asked


@pytest.mark.parametrize("words", ANSWERS)
def test_the_search_leads_to_the_answer(search: Callable[[str], Any], words: str) -> None:
    """A hit knows its section once its page was read."""
    page, (name, _, section) = search(words), ANSWERS[words].partition("#")
    found = page.eval_on_selector_all(
        "ul.search li a:first-child", "all => all.map((each) => each.getAttribute('href'))")
    assert len(found) == len({*found})  # A section is there once
    hits = [link.replace(".html", "").partition("#") for link in found[:PLACES]]
    assert (name, section) in [(where, place if section else "") for where, _, place in hits]
    assert "Download this notebook" not in page.inner_text("ul.search")


DESCRIBED = re.compile(
    r'<meta (?:name|property)="(description|og:description|og:title)" content="([^"]*)">')


def test_every_page_says_what_it_is(pages: dict[str, Page]) -> None:
    found = {name: dict(DESCRIBED.findall(page.html)) for name, page in pages.items()}
    assert {*found.pop("404.html")} == {"description"}
    assert not [name for name, told in found.items() if len(told) != 3 or (
        told["description"] != told["og:description"] or not 15 < len(told["description"]) <= 260)]
    assert found["03_brevity.html"]["description"].startswith("Which reference length counts")
    words = [told["description"] for name, told in found.items() if not name.startswith("api/")]
    assert len({*words}) == len(words)


@pytest.mark.parametrize("folder", ["", "docs/deep/"])
@pytest.mark.parametrize("below", ["", "not/here/"])
def test_a_missing_page_leads_to_what_exists(
    open_page: Callable[..., Any], site: Path, complaints: list[str], folder: str, below: str
) -> None:
    page = open_page("speed.html", **PHONE)
    missing = (site / "404.html").read_text(encoding="utf-8")

    def served(route: Any) -> None:
        inside = site / urlsplit(route.request.url).path.removeprefix(f"/{folder}")
        if inside.is_file():
            route.fulfill(path=inside)
        else:
            route.fulfill(status=404, body=missing, content_type="text/html")

    page.route("**/*", served)
    page.goto(f"{folder}{below}nothing.html")
    follow(page, ("#asked", "to_have_text", f"/{folder}{below}nothing.html"),
           ("a:has-text('Which BLEU is which') >> nth=0", "click"),
           (PAGE, "wait_for_url", {"url": f"**/{folder}dialects.html"}),
           ("h1", "to_contain_text", "Which BLEU"))
    complaints.clear()    # The browser notes each answer that says 404


# -- What a visitor does, and then sees --------------------------------------------------------

# That a place ends within the first screens
WITHIN = "([it]) => it.getBoundingClientRect().top >= 0 && it.getBoundingClientRect().bottom <= {}"
WAIT = "() => new Promise((done) => setTimeout(done, 950))"
MOVING = """(all) => all.some(
    (each) => parseFloat(getComputedStyle(each).transitionDuration) > 0.001)"""
TAB_STOPS = "(all) => all.filter((each) => each.tabIndex >= 0).map((each) => each.id)"
MOVED = """async () => {
    const seen = new Set();
    document.addEventListener('transitionrun', (event) => seen.add(event.propertyName));
    for (const button of document.querySelectorAll('[data-to]')) {
        button.click();
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }
    return [...seen].sort();
}"""
IN_ORDER = """(steps) => steps.every((each) => each.querySelector(".fs-stage").checkVisibility())
    && steps.every((each, place) => !place || each.getBoundingClientRect().top
        > steps[place - 1].getBoundingClientRect().top)"""
ROWS, FILTER = "table.dialects tbody tr:not([hidden])", ".dl-filter input"
IN_VIEW = """([it]) => { const {top, bottom} = it.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && !document.querySelector(".content").scrollLeft; }"""
WHOLE = {name: tuple(getattr(row, choice) for choice in CHOICES) for name, row in DIALECTS.items()}
ALIKE = """(rows) => rows.map((row) => [...row.querySelectorAll(".dl-same a")].map(
    (each) => each.textContent))"""
STATE = """([link]) => { const state = new URLSearchParams(link.hash.slice(1));
    return [state.get("d"), state.get("x"), Boolean(state.get("c") && state.get("r"))]; }"""
CHINESE = ["船每月来一次。", "船一个月来一次。"]
HREFS = "links => links.map((link) => link.getAttribute('href'))"
LISTED = {f"{path.stem}.html" for path in book.notebooks() if path.stem != "index"}
TREE = ".sidebar-tree"


def drawn(step: int) -> tuple[str, ...]:
    """Which of the five steps is drawn."""
    return ".fs-moving", "to_have_attribute", "data-step", str(step)


# A page, how it is shown, what is done, and then seen.
VISITS: dict[str, tuple[Any, ...]] = {
    **{f"the first screen of {size['viewport']['width']} pixels": (
        "index", size, (".lead", "to_contain_text", "Python package"),
        (".lead", "to_contain_text", f"{len(DIALECTS)} tools and versions"),
        *((f"article a:text-is('{name}') >> nth=0", "to_give", WITHIN.format(HEIGHT))
          for name in ("Install", "Playground"))) for size in SCREENS},
    **{f"the door {door!r} at {size['viewport']['width']} pixels": (
        "index", size, (link, "to_give", WITHIN.format(2 * HEIGHT)), (link, "click"),
        (PAGE, "wait_for_url", {"url": f"**/{name}.html*"}),
        (f"article {answer} >> nth=0", "to_be_visible"),
        (f"article {answer} >> nth=0", "to_give", WITHIN.format(2 * HEIGHT)))
       for door, (name, answer) in DOORS.items() for size in SCREENS
       for link in [f".door a:text-is('{door}'), .door a:has(b:text-is('{door}'))"]},
    "all of a door leads there": (
        "index", DESK,
        (PAGE, "click", {"selector": ".door >> nth=0", "position": {"x": 5, "y": 5}}),
        (PAGE, "wait_for_url", {"url": "**/00_by_hand.html"})),
    "steps are led by keys, buttons and scrolling": (
        "index", {**DESK, "reduced_motion": "reduce"}, drawn(1), (".fs-step >> nth=0", "focus"), *(
            each for key, step in (
                ("ArrowRight", 2), ("End", 5), ("ArrowRight", 5), ("Home", 1), ("ArrowLeft", 1),
                ("3", 3), ("5", 5), ("6", 5), ("2", 2))
            for each in ((":focus", "press", key), drawn(step))),
        ("#step-2", "to_be_focused"), (".fs-next", "click"), drawn(3),
        ("[data-to='5']", "click"), (":focus", "press", "3"), drawn(3),  # From buttons as well
        ("[data-to='5']", "click"), drawn(5), ("[aria-current=step]", "to_contain_text", "5"),
        ("html", "evaluate", WAIT),  # Its own clock
        (".fs-strip", "evaluate", "it => it.scrollTo({left: 0, behavior: 'instant'})"), drawn(1)),
    "steps are one stop of the Tab key, and move where that is wanted": (
        "index", DESK, (".fs-moving *", "to_give", MOVING), *(
            each for number in (1, 3) for each in (
                (f"[data-to='{number}']", "click"),
                (".fs, .fs *", "to_give", TAB_STOPS, [f"step-{number}"]))),
        ("html", "to_give", MOVED, ["opacity", "transform"])),
    "steps are complete without a script": (
        "index", {**PHONE, **NO_SCRIPT}, (".fs-step", "to_have_count", 5),
        (".fs-step", "to_give", IN_ORDER), (".fs-moving", "to_be_hidden")),
    "text without spaces is told as one types": (
        "index", DESK, (".fl-hint", "to_be_hidden"), ("#fl-reference", "fill", CHINESE[1]),
        ("#fl-candidate", "fill", CHINESE[0]),
        (".fl-hint", "to_contain_text", "looks like Chinese"),
        ("#fl-candidate", "fill", "The boat"), (".fl-hint", "to_be_hidden"),
        ("#fl-candidate", "fill", CHINESE[0]), (".fl-hint a", "click"),
        ("[name=candidate]", "to_have_value", CHINESE[0]),
        ("[name=tokenizer]", "to_have_value", "zh"),
        shows(repr(sentence_bleu(CHINESE[0], CHINESE[1:], tokenizer="zh").value))),
    "the dialects say which rows are the same": (
        "dialects", DESK, ("article p >> nth=0", "to_contain_text", f"{len(DIALECTS)} dialects"),
        ("article p >> nth=0", "to_contain_text",
         f"{len({*WHOLE.values()})} of the dialects are distinct"),
        (ROWS, "to_give", ALIKE, [[other for other in DIALECTS if other != name
                                   and WHOLE[other] == WHOLE[name]] for name in DIALECTS])),
    "dialects are filtered as one types": (
        "dialects", DESK, (ROWS, "to_have_count", len(DIALECTS)),
        (FILTER, "press_sequentially", "Ignite micro"), (ROWS, "to_have_count", 1),
        (ROWS, "to_have_attribute", "data-name", "ignite-micro"),
        (".dl-found", "to_have_text", f"1 of {len(DIALECTS)} rows"),
        (FILTER, "fill", "no such tool"), (ROWS, "to_have_count", 0),
        (".dl-alike a:has-text('mteval-v14') >> nth=0", "click"),
        (ROWS, "to_have_count", len(DIALECTS))),
    "each dialect has an address": (
        "dialects.html#nltk-3.2", PHONE, ("th:target", "to_contain_text", "nltk-3.2"),
        ("th:target", "to_give", IN_VIEW),
        ("table.dialects tbody th a", "to_give", HREFS, [f"#{name}" for name in DIALECTS])),
    "any two dialects are explained": (
        "dialects", {**DESK, **CAN_COPY}, *(
            (f"tr[data-name='{name}'] input", "press", "Space")
            for name in ("multi-bleu", "ignite", "nmt")),  # The third replaces the first
        (".dl-bar", "to_be_visible"), (".dl-bar", "to_contain_text", "ignite against nmt"),
        (button("Copy the command"), "click"), (".dl-copy", "to_have_text", "Copied"),
        (".dl-differs tbody th", "to_give",
         "(heads) => heads.map((head) => head.firstChild.data.replaceAll(' ', '_')).sort()",
         sorted(choice for choice, one, other in zip(
             CHOICES, WHOLE["ignite"], WHOLE["nmt"], strict=True) if one != other)),
        (".dl-differs a", "to_give", STATE, ["ignite", "nmt", True]),
        ("html", "to_give", "() => navigator.clipboard.readText()",
         "bleu-nb explain --from ignite --to nmt output.txt reference.txt")),
    "dialects that are the same differ in nothing": (
        "dialects", DESK, ("select[name=from]", "select_option", "nltk-3.3"),
        ("select[name=to]", "select_option", "nltk"),
        (".dl-differs", "to_contain_text", "differ in no choice")),
    "the table of dialects needs no script": (
        "dialects", {**PHONE, **NO_SCRIPT}, (ROWS, "to_have_count", len(DIALECTS)),
        (".dl-static", "to_be_visible"), (".dl-against", "to_be_hidden")),
    "a link skips to the text": (
        "02_precision", {}, (".skip-to-content", "focus"), (":focus", "press", "Enter"),
        ("#furo-main-content", "to_be_focused"), (":focus", "press", "Tab"),
        ("article :focus", "to_have_count", 1)),
    "the sidebar leads with what people come for": (
        "index", DESK, (f"{TREE} .caption-text", "to_have_text",
                        ["Learn", "Use", "Reference", "How it is built"]),
        *((f"{TREE} {place}", "to_give", WITHIN.format(HEIGHT)) for place in (
            "a:text-is('Install')", "a:text-is('Playground')", "a:text-is('Check a number')",
            ".caption:has-text('Reference')")),
        (f"{TREE} a", "to_give", f"(links) => ({HREFS})(links).length"
                                 f" === new Set(({HREFS})(links)).size"),
        *((f"{TREE} a[href='{page}']", "to_have_count", 1) for page in LISTED)),
    **{f"the sidebar unfolds {group} on {name}": (
        name, DESK, (f"{TREE} details[open] > summary", "to_have_text", [group]),
        (f"{TREE} a:text-is('{entry}')", "to_be_visible"),
        (f"{TREE} li", "to_give",
         "(all) => all.filter((each) => each.checkVisibility()).length <= 30"),
        (f"{TREE} summary:has-text('Reference')", "press", "Enter"),
        (f"{TREE} a:text-is('API')", "to_be_visible")) for name, group, entry in (
            ("index", "Use", "Score in Python"), ("speed", "Use", "Report a score"),
            ("04_bleu", "Learn", "1.9 Cheat sheet"),
            ("02_tables", "How it is built", "Architecture"))},
}


@pytest.mark.parametrize("name", VISITS)
def test_what_a_visitor_does_has_its_answer(open_page: Callable[..., Any], name: str) -> None:
    page, settings, *steps = VISITS[name]
    follow(open_page(page if "#" in page else f"{page}.html", **settings), *steps)
