"""A chapter on the site: what can be typed over or moved, words that explain themselves, folds."""

import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from html import unescape
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import book
import examples
import folds
import movable
import pytest

from bleu_nb.derivation.bleu import BleuStats, count_segment, sum_stats
from bleu_nb.derivation.brevity import brevity_penalty, closest_length
from bleu_nb.derivation.formula import Credit, score_stats, weighted_mean
from bleu_nb.derivation.precision import clipped_counts, clipped_precision, max_reference_counts
from bleu_nb.derivation.smoothing import add_k, exponential, floor
from bleu_nb.dialects.length_rules import LENGTH_RULES
from bleu_nb.dialects.smoothers import nltk_method4, raise_totals
from bleu_nb.display.exercises import Exercise

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "docs" / "static"
CHAPTERS = sorted(path.stem for path in book.notebooks() if path.stem != "index")
MOST = 350_000  # Bytes of a chapter's page, as it is served
PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}
TAG = re.compile(r"<[^>]*>")
LAMP = "every evening the keeper lit the lamp"
LAMPS = {name: count_segment(text.split(), [LAMP.split()])
         for name, text in (("good", "each night the keeper lit a lamp"),
                            ("noise", "lamp the evening keeper every the lit"))}
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(\s*/\s*\d+)?")
TERM = re.compile(r'<a class="term" href="symbols\.html#term-([^"]+)" data-says="([^"]+)">')


def page_of(site: Path, name: str) -> str:
    """A page as it is served."""
    return (site / f"{name}.html").read_text(encoding="utf-8")


def text_of(markup: str) -> str:
    """What a reader sees of some HTML."""
    return unescape(TAG.sub("", markup))


def cells_of(name: str) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    notebook: dict[str, Any] = json.loads(book.notebook(name).read_text("utf-8"))
    return [{**cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]


@pytest.mark.parametrize("name", ["usage", *CHAPTERS])
def test_a_chapter_weighs_little(site: Path, name: str) -> None:
    assert 10_000 < len(page_of(site, name).encode()) <= MOST


# -- The arithmetic in the page ----------------------------------------------------------------


@pytest.fixture(scope="module")
def run_js(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run a line of JavaScript over the page's own modules; `data` is what it is given."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("modules")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in STATIC.glob("*.js"):
        shutil.copy(path, folder)

    def run(module: str, expression: str, data: Any) -> Any:
        program = (
            f"import * as it from './{module}.js'; import {{readFileSync}} from 'node:fs';"
            f"const data = JSON.parse(readFileSync(0)); const answer = {expression};"
            "process.stdout.write(JSON.stringify(answer));")
        done = subprocess.run([node, "--input-type=module", "-e", program], cwd=folder,
                              input=json.dumps(data), capture_output=True, text=True,
                              encoding="utf-8", check=True)
        return json.loads(done.stdout)
    return run


def made_up(number: int) -> list[tuple[str, list[str]]]:
    """Sentences of few words, so that they repeat and share much; some are empty."""
    dice = random.Random(17)
    words = ["the", "boat", "a", "came", "lamp", ".", "—", "Ärger", "大海", "don't", "toString"]

    def sentence() -> str:
        return " ".join(dice.choices(words, k=dice.choice((0, 1, 2, 3, 4, 5, 7, 9, 12, 20, 40))))
    return [(sentence(), [sentence() for _ in range(dice.randint(1, 4))]) for _ in range(number)]


def test_the_page_counts_as_the_package_does(run_js: Any) -> None:
    pairs = made_up(1500)
    answers = run_js("arithmetic", """data.map(([text, texts]) => {
        const [candidate, references] = [it.split(text), texts.map(it.split)];
        const rows = [1, 2, 3, 4].map((n) => it.clip(candidate, references, n));
        const counted = it.stats(candidate, references);
        return {rows, counted, line: it.line(counted, it.score(counted))}; })""", pairs)
    for (text, texts), answer in zip(pairs, answers, strict=True):
        candidate, references = text.split(), [each.split() for each in texts]
        stats = count_segment(candidate, references)
        assert answer["counted"] == {
            "matches": list(stats.matches), "totals": list(stats.totals),
            "candidate": stats.candidate_length, "reference": stats.reference_length}
        assert answer["line"] == str(score_stats(stats, scale=100))
        for order, rows in enumerate(answer["rows"], start=1):
            credited = {tuple(row["run"].split(" ")): row["credited"]
                        for row in rows if row["credited"]}
            assert credited == clipped_counts(candidate, references, order)
            allowed = max_reference_counts(references, order)
            assert all(row["allowed"] == allowed[tuple(row["run"].split(" "))] for row in rows)
            total = sum(row["said"] for row in rows)
            assert Fraction(sum(credited.values()), max(1, total)) == clipped_precision(
                candidate, references, order)


def test_the_page_smooths_as_the_package_does(run_js: Any) -> None:
    chosen = [(text, texts, value) for value in (0.01, 0.1, 0.5, 1, 2.5, 5)
              for text, texts in made_up(200)]
    answers = run_js("arithmetic", """data.map(([text, texts, value]) => {
        const counted = it.stats(it.split(text), texts.map(it.split));
        const full = {...counted, totals: counted.totals.map((each) => Math.max(1, each))};
        const by = (counted, credits) => it.digits(it.score(counted, credits).value, 4);
        return [by(counted, it.floor(counted, value)), by(counted, it.addK(counted, value)),
          by(counted, it.exponential(counted)), by(full, it.method4(full, value))]; })""", chosen)
    above_zero = 0
    for (text, texts, value), answer in zip(chosen, answers, strict=True):
        stats = count_segment(text.split(), [each.split() for each in texts])
        full = raise_totals(stats)
        ours: list[tuple[BleuStats, list[Credit]]] = [
            (stats, floor(stats, value)), (stats, add_k(stats, value)), (stats, exponential(stats)),
            (full, nltk_method4(full, value))]
        assert answer == [f"{score_stats(*each).value:.4f}" for each in ours], (text, texts, value)
        above_zero += "0.0000" not in answer
    assert above_zero > 200


def test_the_page_has_the_penalties_of_the_package(run_js: Any) -> None:
    dice = random.Random(5)
    cases = [(dice.randint(0, 30), [dice.randint(0, 30) for _ in range(dice.randint(1, 4))])
             for _ in range(1000)]
    answers = run_js("arithmetic", """data.map(([c, lengths]) => Object.entries(it.RULES).map(
        ([name, rule]) => [name, rule(c, lengths), it.digits(it.penalty(c, rule(c, lengths)), 4)]))
        """, cases)
    for (c, lengths), answer in zip(cases, answers, strict=True):
        compared = {name: rule(c, lengths) for name, rule in LENGTH_RULES.items()}
        assert answer == [[name, r, f"{brevity_penalty(c, r):.4f}"]
                          for name, r in compared.items()]


def test_the_page_weighs_as_the_package_does(run_js: Any) -> None:
    dice = random.Random(3)
    cases = []
    for _ in range(1000):
        parts = [dice.randint(0, 10) for _ in range(4)]
        if sum(parts):
            cases.append(([dice.choice((0, 1, dice.random())) for _ in range(4)],
                          [part / sum(parts) for part in parts]))
    answers = run_js(
        "arithmetic", "data.map((each) => it.digits(it.weightedMean(...each), 4))", cases)
    assert answers == [f"{weighted_mean(*each):.4f}" for each in cases]
    assert len(set(answers)) > 100


def test_the_page_rounds_and_splits_as_python_does(run_js: Any) -> None:
    dice = random.Random(1)
    numbers = [n / 32 for n in range(65)] + [n / 1024 for n in range(1025)] + [
        dice.random() for _ in range(1000)] + [5e-324, 1e-78, 0.0]
    for places in (2, 3, 4):
        shown = run_js("arithmetic", f"data.map((each) => it.digits(each, {places}))", numbers)
        assert shown == [f"{number:.{places}f}" for number in numbers]
    spaces = [f"a{chr(code)}b" for code in (*range(1, 0x300), *range(0x1680, 0x1681),
                                            *range(0x2000, 0x2070), 0x3000, 0xFEFF)]
    assert run_js("arithmetic", "data.map(it.split)", spaces) == [text.split() for text in spaces]


@pytest.mark.parametrize(("block", "copied"), [
    ("a = 1\n\nb = 2\n", "a = 1\n\nb = 2"),
    ("$ bleu-nb score\nBLEU = 1\n$ ls", "bleu-nb score\nls"),
    (">>> f(\n...     1)\n2\n", "f(\n    1)"), ("cost = '$ 5'", "cost = '$ 5'"), ("...\n", ""),
])
def test_what_is_copied_has_no_prompts(run_js: Any, block: str, copied: str) -> None:
    assert run_js("copy", "it.withoutPrompts(data)", block) == copied


# -- What can be typed over ----------------------------------------------------------------------


def test_every_place_for_hands_is_a_cell_of_its_chapter(site: Path) -> None:
    for page, cell in movable.BELOW:
        assert cell in {each["id"] for each in cells_of(page)}, (page, cell)
    for page in {page for page, _ in movable.BELOW}:
        kinds = re.findall(r'class="hands-on" data-kind="(\w+)"', page_of(site, page))
        assert sorted(kinds) == sorted(
            kind for (there, _), (kind, _) in movable.BELOW.items() if there == page)


def test_a_parrot_can_be_taught(open_page: Any) -> None:
    page = open_page("02_precision.html")
    editor = page.locator(".hands-on[data-kind=clipped][data-ready]")
    said = editor.locator(".hands-on-said")
    assert said.inner_text() == "Clipped precision: 2/7 = 0.2857"
    references = ["the cat is on the mat", "there is a cat on the mat"]
    for typed in ("the cat the cat", "", "<b>mat</b> on the mat"):
        editor.locator("textarea").first.fill(typed)
        tokens, lists = typed.split(), [each.split() for each in references]
        share = clipped_precision(tokens, lists)
        if tokens:
            matches = clipped_counts(tokens, lists).total()
            assert said.inner_text() == (
                f"Clipped precision: {matches}/{len(tokens)} = {float(share):.4f}")
        else:
            assert "counts as 0" in said.inner_text()
        link = editor.locator("a[href*=playground]").get_attribute("href")
        told = dict(parse_qsl(link.partition("#")[2], keep_blank_values=True))
        assert told == {"c": typed, "r": "\n".join(references), "d": "papineni"}
    assert editor.locator("td b, th b").count() == 0
    editor.locator("textarea").nth(1).fill("\n \n")
    assert "Type a reference" in said.inner_text()
    editor.get_by_role("button", name="Reset").click()
    assert said.inner_text() == "Clipped precision: 2/7 = 0.2857"
    editor.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert said.inner_text() == "Clipped precision: 0/6 = 0.0000"


@pytest.mark.parametrize(("name", "kind", "typed", "said"), [
    ("01_ngrams", "counts", "a b a b", "4 tokens hold max(0, 4 − 1 + 1) = 4 of order 1, 2 of them"),
    ("03_brevity", "penalty", "the the the", "Brevity penalty: 0.3679 (e to the power of 1 − 6/3"),
    ("03_brevity", "penalty", "the " * 9, "Brevity penalty: 1.0000 (c = 9 is not less than r = 7"),
    ("00_by_hand", "score", "In winter the boat came only once a month .",
     "BLEU = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 10 ref_len = 10)"),
    ("04_bleu", "score", "", "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000"),
])
def test_a_sentence_can_be_typed_over(
    open_page: Any, name: str, kind: str, typed: str, said: str
) -> None:
    page = open_page(f"{name}.html")
    editor = page.locator(f".hands-on[data-kind={kind}][data-ready]")
    editor.locator("textarea").first.fill(typed)
    assert editor.locator(".hands-on-said").inner_text().startswith(said)


def test_the_score_of_a_chapter_is_that_of_its_editor(open_page: Any) -> None:
    page = open_page("04_bleu.html")
    said = page.locator(".hands-on[data-kind=score] .hands-on-said").inner_text()
    assert said in page.locator("article").inner_text().replace(",\n", "").partition(said)[1]
    printed = page.locator(".cell_output", has_text="hyp_len = 0").inner_text()
    assert said in printed


def test_without_scripts_there_is_nothing_that_does_not_work(open_page: Any) -> None:
    page = open_page("03_brevity.html", java_script_enabled=False)
    assert page.locator(".hands-on").count() == 2
    assert not page.locator(".hands-on").first.is_visible()
    assert page.locator("svg.bn-fig").count() and not page.locator(".copy-code").count()
    page.locator("a.term").first.click()
    page.wait_for_url("**/symbols.html#term-*")


# -- Links beside examples ---------------------------------------------------------------------


def linked_of(site: Path, name: str) -> list[dict[str, str]]:
    """What the links below the outputs of a chapter fill the playground with."""
    lines = re.findall(r'<p class="try">.*?</p>', page_of(site, name))
    links = re.findall(r'href="playground\.html#([^"]+)"', "".join(lines))
    return [dict(parse_qsl(unescape(link), strict_parsing=True)) for link in links]


@pytest.mark.parametrize(("name", "candidates"), [
    ("00_by_hand", {"In winter the boat came once a month .", "the the the boat .",
                    "That night the lamp was dark .", "In winter the boat came once a month."}),
    ("01_ngrams", {"the man bit the dog", "is a boat a ship"}),
    ("02_precision", {
        "the cat sat on the mat", "the the the the the the the",
        "it is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        "it is to insure the troops forever hearing the activity guidebook that party direct"}),
    ("03_brevity", {"the the", "the light went out suddenly",
                    "the cat is on the mat as far as I can see"}),
    ("05_smoothing", {"each night the keeper lit a lamp", "lamp the evening keeper every the lit",
                      "all rats fled from here last night", "the lamp burned", "lamp the"}),
    ("06_tokenization", {
        "&quot;A well-kept lamp, lit at 7.30,&quot; says the log of 1990-1995.", "sea, 海",
        '"The sea forgets nothing," he would say.', "大海什么都不会忘记。",
        "In winter the boat came once a month.",
        "„Das Meer vergisst nichts“, sagte er oft."}),
])
def test_every_example_can_be_changed(site: Path, name: str, candidates: set[str]) -> None:
    assert {told["c"] for told in linked_of(site, name)} == candidates


def test_links_beside_examples_fill_the_form(site: Path) -> None:
    told = {name: linked_of(site, name) for name in ("usage", *CHAPTERS)}
    for name, links in told.items():
        assert all(link["c"] and link["r"] and {*link} <= {*"crdtosvl"} for link in links), name
        assert len({tuple(link.items()) for link in links}) >= len(links) / 2, name
    assert sum(map(len, told.values())) > 100
    assert {"c": " ".join(["the"] * 7), "r": REFERENCES, "d": "papineni"} in told["02_precision"]


def test_a_link_names_its_sentence_to_whoever_does_not_see_it(open_page: Any) -> None:
    links = open_page("02_precision.html").locator(".try a")
    texts = links.all_text_contents()
    assert texts[0] == "change this sentence: the cat sat on the mat"
    assert all(text.startswith("change ") for text in texts)


# -- What can be moved ---------------------------------------------------------------------------


def test_the_penalty_can_be_moved_by_keys(open_page: Any) -> None:
    page = open_page("03_brevity.html")
    place = page.locator(".hands-on[data-kind=curve][data-ready]")
    said, needed = (place.locator("input").nth(n) for n in (0, 1))
    ring = page.locator("svg.bn-fig .moved circle").first
    spots = [(float(ring.get_attribute("cx")), float(ring.get_attribute("cy")))]
    for c in range(3, 10):
        said.press("ArrowRight")
        assert said.get_attribute("aria-valuetext") == f"{c} tokens"
        shown = place.locator(".hands-on-said").inner_text()
        assert shown.endswith(f"{brevity_penalty(c, 6):.4f}")
        spots.append((float(ring.get_attribute("cx")), float(ring.get_attribute("cy"))))
    xs, ys = zip(*spots, strict=True)
    steps = [after - before for before, after in pairwise(xs)]
    assert min(steps) > 0 and max(steps) - min(steps) < 0.1, "c moves evenly to the right"
    assert ys[0] > ys[1] > ys[2] > ys[3] > ys[4] and ys[4] == ys[5], "up to 6 of 6, then level"
    dot = page.locator("svg.bn-fig:has(.moved) > circle").first
    assert abs(float(dot.get_attribute("cx")) - xs[0]) < 0.5
    assert abs(float(dot.get_attribute("cy")) - ys[0]) < 0.5
    needed.press("Home")
    assert said.input_value() == "9" and place.locator("strong").inner_text() == "1.0000"
    place.get_by_role("button", name="Reset").click()
    assert (said.input_value(), needed.input_value()) == ("2", "6")


def rows_of(place: Any) -> dict[str, list[str]]:
    """The table of such a place, each row under its name."""
    place.wait_for()
    rows: list[list[str]] = place.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")
    return {name: cells for name, *cells in rows}


def test_rules_can_be_compared_at_another_length(open_page: Any) -> None:
    place = open_page("01_length_rules.html").locator(".hands-on[data-kind=rules][data-ready]")
    slider = place.locator("input")
    for c in (5, 6):
        shown = {name: cells[1] for name, cells in rows_of(place).items()}
        assert shown == {name: f"{brevity_penalty(c, rule(c, [7, 3, 2])):.4f}"
                         for name, rule in LENGTH_RULES.items()}
        slider.press("ArrowRight")


@pytest.fixture(scope="module")
def systems() -> dict[str, BleuStats]:
    """What is counted of the example's two systems."""
    folder = ROOT / "bleu_nb" / "example"
    texts = {name: [line.split() for line in (folder / f"{name}.txt").read_text(
        "utf-8").splitlines()] for name in ("heron", "kestrel", "reference_1", "reference_2")}
    humans = list(zip(texts["reference_1"], texts["reference_2"], strict=True))
    return {name: sum_stats([count_segment(c, r) for c, r in zip(
        texts[name.lower()], humans, strict=True)]) for name in ("Heron", "Kestrel")}


def test_the_highest_order_can_be_moved(open_page: Any, systems: dict[str, BleuStats]) -> None:
    place = open_page("04_bleu.html").locator(".hands-on[data-kind=orders][data-ready]")
    for order in (4, 3, 2, 1):
        shown = {name: cells[0] for name, cells in rows_of(place).items()}
        cut = {name: BleuStats(stats.matches[:order], stats.totals[:order], stats.candidate_length,
                               stats.reference_length) for name, stats in systems.items()}
        assert shown == {name: f"{score_stats(stats, scale=100).value:.2f}"
                         for name, stats in cut.items()}
        place.locator("input").press("ArrowLeft")


def test_weights_can_be_moved(open_page: Any, systems: dict[str, BleuStats]) -> None:
    place = open_page("11_formula.html").locator(".hands-on[data-kind=weights][data-ready]")
    precisions = score_stats(systems["Heron"]).precisions
    assert place.locator("strong").inner_text() == "0.4800"
    place.locator("input").nth(3).press("End")
    weights = [part / 19 for part in (4, 3, 2, 10)]
    assert place.locator("strong").inner_text() == f"{weighted_mean(precisions, weights):.4f}"
    for n in range(4):
        place.locator("input").nth(n).press("Home")
    assert "No order counts" in place.locator(".hands-on-said").inner_text()


def test_smoothing_can_be_moved(open_page: Any) -> None:
    page = open_page("05_smoothing.html")
    place = page.locator(".hands-on[data-kind=smoothing][data-ready]")
    place.locator("input").nth(0).press("End")
    place.locator("input").nth(1).press("End")
    expected = {}
    for name, each in LAMPS.items():
        expected |= {f"floor, {name}": floor(each, 1), f"add k, {name}": add_k(each, 3),
                     f"exponential, {name}": exponential(each)}
    assert {name: cells[0] for name, cells in rows_of(place).items()} == {
        name: f"{score_stats(LAMPS[name.split()[-1]], credits, scale=100).value:.2f}"
        for name, credits in expected.items()}


def test_method_4_can_be_moved(open_page: Any) -> None:
    place = open_page("02_smoothers.html").locator(".hands-on[data-kind=method4][data-ready]")
    place.locator("input").press("ArrowRight")
    good = LAMPS["good"]
    assert rows_of(place)["good"][0] == (
        f"{score_stats(good, nltk_method4(good, 5.5)).value:.4f}")


# -- Exercises ---------------------------------------------------------------------------------


def test_the_page_judges_answers_as_the_package_does(run_js: Any) -> None:
    exercises = [Exercise(53.83, {69.14: "the penalty is missing", 0: "<b>"}),
                 Exercise(2 / 7, {1: "clip"}, within=0.001), Exercise("no", {"Yes it can": "why"}),
                 Exercise(0, {100: "no run of four"})]
    typed = ["53.8", "53.79", "53.9", "69.1", " 0 ", "2/7", "0.2857", "1", "-1", ".5", "NO",
             "yes  it can", "100", "1e2", "one", "3 / 4"]
    pairs = [(text, each) for text in typed for each in exercises]
    answers = run_js("exercises", "data.map(([text, told]) => it.verdict(text, told))",
                     [(text, each.told()) for text, each in pairs])
    for (text, each), answer in zip(pairs, answers, strict=True):
        number = NUMBER.fullmatch(text.strip())
        mine = eval(text) if number else text  # What a reader's cell would hold
        said = str(each.check(mine))
        hint = ": type a number, such as 0.5 or 1/2"
        asked = isinstance(each.right, float | int) and not number
        assert answer == (f"not yet{hint}" if asked else said), (text, each)
    unanswered = run_js("exercises", "it.verdict(data, {right: 1, within: 0, mistakes: []})", " ")
    assert unanswered == "your turn"


def test_an_answer_can_be_typed(open_page: Any) -> None:
    page = open_page("00_by_hand.html")
    place = page.locator(".exercise[data-ready]").first
    said = place.locator("output")
    assert said.inner_text() == "your turn"
    for typed, answer in (("69.1", "not yet: two tokens are missing"), ("53.8", "right"),
                          ("12", "not yet"), ("", "your turn")):
        place.get_by_label("Your answer").fill(typed)
        place.get_by_label("Your answer").press("Enter")
        assert said.inner_text().startswith(answer)


# -- Words that explain themselves -----------------------------------------------------------------


@pytest.fixture
def terms(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that links the words of the glossary."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return import_module("terms")


def test_a_word_is_explained_once_a_page_where_it_comes_first(site: Path, terms: Any) -> None:
    entries = {entry: says for entry, says in terms.glossary(ROOT / "docs/symbols.md").values()}
    assert all(says.endswith(".") and len(says) < 130 for says in entries.values())
    seen: set[str] = set()
    for name in CHAPTERS:
        found = TERM.findall(page_of(site, name))
        assert len({anchor for anchor, _ in found}) == len(found), name
        assert {unescape(says) for _, says in found} <= {*entries.values()}
        seen |= {anchor for anchor, _ in found}
    anchors = set(re.findall(r'<dt id="term-([^"]+)"', page_of(site, "symbols")))
    assert seen <= anchors and len(seen) > 25
    first = re.search(r"candidates?\b(?![^<]*</(?:code|em|h1)>)", text_of(
        page_of(site, "02_precision").partition("<blockquote>")[2]))
    assert first, "the subtitle says it first"
    assert re.search(r'<blockquote>.*?a <a class="term" href="symbols.html#term-candidate"',
                     page_of(site, "02_precision"), re.DOTALL)


QUOTED = re.compile(r"<(em|code|h[1-6]|pre|th|td)\b[^>]*>(.*?)</\1>", re.DOTALL)


def test_a_word_in_code_or_in_an_example_is_left_alone(site: Path) -> None:
    for name in CHAPTERS:
        for _, quoted in QUOTED.findall(page_of(site, name)):
            assert 'class="term"' not in quoted, name


def test_a_definition_comes_by_pointer_focus_and_tap(open_page: Any) -> None:
    page = open_page("03_brevity.html")
    word, box = page.locator("a.term").first, page.locator("#term-says")
    box.wait_for(state="attached")  # the script that shows it is loaded after the page
    assert not box.is_visible()
    word.hover()
    box.wait_for(state="visible")
    assert box.inner_text() == word.get_attribute("data-says")
    assert word.get_attribute("aria-describedby") == "term-says"
    box.hover()
    page.wait_for_timeout(300)
    assert box.is_visible(), "the pointer may rest on the definition"
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    assert word.get_attribute("aria-describedby") is None
    word.focus()
    box.wait_for(state="visible")
    assert box.get_attribute("role") == "tooltip"
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.className") == "term", "focus stays"
    page = open_page("03_brevity.html", **PHONE)
    word, box = page.locator("a.term").first, page.locator("#term-says")
    box.wait_for(state="attached")
    word.tap()
    box.wait_for(state="visible")
    assert "03_brevity" in page.url
    edges = box.bounding_box()
    assert edges["x"] >= 0 and edges["x"] + edges["width"] <= PHONE["viewport"]["width"]
    page.locator("h1").tap()
    box.wait_for(state="hidden")
    word.tap()
    box.wait_for(state="visible")
    word.tap()
    page.wait_for_url("**/symbols.html#term-*")


# -- Copy buttons ----------------------------------------------------------------------------------


def test_a_cell_can_be_copied(open_page: Any) -> None:
    page = open_page("00_by_hand.html", permissions=["clipboard-read", "clipboard-write"])
    button = page.locator(".cell_input .copy-code").nth(1)
    assert button.evaluate("(it) => getComputedStyle(it).opacity") == "0"
    button.focus()
    assert button.evaluate("(it) => getComputedStyle(it).opacity") == "1"
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.copy-code:focus').textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    code = [cell["source"] for cell in cells_of("00_by_hand") if cell["cell_type"] == "code"]
    assert copied == code[1]
    blocks = page.locator(".cell_input div.highlight").count()
    assert page.locator(".copy-code").count() == blocks == len(code)


# -- Folds, and what a page does not hold twice ----------------------------------------------------


FOLD = re.compile(r'<details class="admonition hide[^"]*">\s*<summary([^>]*)>\s*'
                  r'<p class="collapsed admonition-title">(.*?)</p>.*?<pre>(.*?)</pre>', re.DOTALL)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_fold_says_what_it_holds(site: Path, name: str) -> None:
    found = [(text_of(words), text_of(code))
             for _, words, code in FOLD.findall(page_of(site, name))]
    holds: dict[str, str] = {}
    for words, code in found:
        assert holds.setdefault(words, code) == code, f"two folds say {words!r}"
        length = len(code.strip().splitlines())
        assert re.match(r"Show \S.*\(\d+ lines?\)", words) and f"({length} line" in words
        assert "“”" not in words


@pytest.mark.parametrize("name", CHAPTERS)
def test_long_code_is_folded(site: Path, name: str) -> None:
    folded = {text_of(code).strip() for _, _, code in FOLD.findall(page_of(site, name))}
    for cell in cells_of(name):
        directives = book.directives(cell["source"])
        if cell["cell_type"] == "code" and not directives & book.HIDDEN:
            code = book.without_directives(cell["source"]).strip()
            if len(code.splitlines()) > (60 if "exports" in directives else 25):
                assert code in folded


@pytest.mark.parametrize(("source", "words"), [
    ("#| export\nimport re\nimport sys", "the imports (2 lines)"),
    ("#| export\nfrom x import y\nif T:\n    import z", "the imports (3 lines)"),
    ("#| exporti\ndef f():\n    'Cuts a line.'", "`f` (2 lines): Cuts a line"),
    ("#| exporti\ndef f(): 1\ndef g(): 2\nclass H: 3", "`f`, `g` and `H` (3 lines)"),
    ("#| exporti\nA = 1", "`A` (1 line)"),
    ("#| code-fold: true\na, b = 1, 2\nc: int = 3", "what `c` is (2 lines)"),
    ("#| code-fold: true\nassert f(1)", "the checks under “Weights” (1 line)"),
    ("#| code-fold: true\ntest_eq(1, 1)", "the checks under “Weights” (1 line)"),
    ("#| code-fold: true\nbar_chart(x)", "the code under “Weights” (1 line)"),
])
def test_a_fold_is_named(source: str, words: str) -> None:
    assert folds.Folds().name(source, "Weights") == words


def test_folds_are_told_apart() -> None:
    page = folds.Folds()
    cells = [f"#| code-fold: true\nassert {name}(1)" for name in ("f", "g", "g", "len")]
    named = [page.name(source, "Exercises") for source in cells]
    assert named[0] == "the checks of the answers (1 line)"
    assert named[1] == "the checks of the answers (1 line), with `g`" == named[2]
    assert named[3].endswith("`len`")
    assert folds.section_of("text\n## A\n### B", "before") == "B"
    assert folds.section_of("text", "before") == "before"


@pytest.mark.parametrize("name", ["04_bleu", "02_smoothers", "04_aligning"])
def test_a_page_holds_each_glyph_once(site: Path, name: str) -> None:
    page = page_of(site, name)
    glyphs = re.findall(r'<path id=\'(mj-[^\']+)\'', page)
    assert len(glyphs) == len(set(glyphs))
    assert set(glyphs) == set(re.findall(r'href="#(mj-[^"]+)"', page))


def test_formulas_are_still_drawn(open_page: Any) -> None:
    page = open_page("02_smoothers.html")
    sizes = page.eval_on_selector_all(".math svg use", """(uses) => uses
        .filter((use) => document.querySelector(use.getAttribute("xlink:href")).getAttribute("d"))
        .map((use) => use.getBBox().width + use.getBBox().height)""")
    assert len(sizes) > 100 and min(sizes) > 0


@pytest.mark.parametrize("name", ["02_precision", "01_bits"])
def test_code_is_whole_though_lighter(site: Path, name: str) -> None:
    shown = [text_of(code).strip() for code in re.findall(
        r'<div class="highlight-python notranslate"><div class="highlight"><pre>(.*?)</pre>',
        page_of(site, name), re.DOTALL)]
    code = [book.without_directives(cell["source"]).strip() for cell in cells_of(name)
            if cell["cell_type"] == "code" and not book.directives(cell["source"]) & book.HIDDEN]
    assert code == shown[: len(code)] or set(code) <= set(shown)


# -- How examples are found in code ----------------------------------------------------------------


REFERENCES = "the cat is on the mat\nthere is a cat on the mat"
PLAIN = (("d", "papineni"),)


@pytest.mark.parametrize(("source", "found"), [
    ("alignment(parrot, refs, max_order=1)", [("the the the", REFERENCES, PLAIN, True)]),
    ("explain_segment(score, parrot, refs)", [("the the the", REFERENCES, PLAIN, True)]),
    ("count_segment(parrot, refs, max_order=2)",
     [("the the the", REFERENCES, (*PLAIN, ("o", "2")), False)]),
    ("sentence_bleu('G', ['R'], 'nltk', smoothing='add-k', lowercase=True)",
     [("G", "R", (("s", "add-k"), ("l", "true"), ("d", "nltk")), False)]),
    ("sentence_bleu('G', ['R'], weights=[1])", []), ("sentence_bleu('G', ['R'], row)", []),
    ("tokenize_13a('7.30, he said')", [("7.30, he said", "7.30, he said", (("t", "13a"),), False)]),
    ("tokenize_by_sacrebleu('x')", []), ("ngrams(parrot, 2)",
                                         [("the the the", "the the the", PLAIN, False)]),
    ("ngrams('the cat', 2)", []),
    ("draw_score(score_stats(count_segment(parrot, refs)))",
     [("the the the", REFERENCES, PLAIN, True), ("the the the", REFERENCES, PLAIN, False),
      ("the the the", REFERENCES, PLAIN, False)]),
    ("clipped_precision(parrot + ['a'], refs[1:])",
     [("the the the a", REFERENCES.split("\n")[1], PLAIN, False)]),
    ("def all_of(c):\n    return [clipped_precision(c, refs, n) for n in (1, 2)]\nall_of(parrot)",
     [("the the the", REFERENCES, PLAIN, False)]),
    ("def words(text):\n    'Words.'\n    return text.lower().split()\n"
     "count_segment(words('A b'), refs)", [("a b", REFERENCES, PLAIN, False)]),
    ("clipped_precision(['a b'], refs)", []), ("sentence_bleu('a\\nb', ['R'])", []),
    ("percent(tokenize_char, ['G'], [['R']])", [("G", "R", (("t", "char"),), False)]),
    ("percent(apart, ['G'], [['R']])", []), ("clipped_precision(parrot.split(3), refs)", []),
    ("def loop(c):\n    return loop(c)\nloop(parrot)", []),
    ("test_eq(count_segment(parrot, refs[:1]), 1)",
     [("the the the", REFERENCES.split("\n")[0], PLAIN, False)]),
    ("a, b = parrot, 'x y'.split()\nclipped_counts(b, [a], 2)",
     [("x y", "the the the", PLAIN, False)]),
    ("sentence_bleu(texts['good'], ['R'])", [("G", "R", (), False)]),
    ("sentence_bleu(texts['none'], ['R'])", []),
    ("parrot = read('parrot')\nclipped_precision(parrot, refs)", []),
    ("clipped_precision([], refs)", []), ("clipped_precision(parrot)", []),
    ("table = {('a', 1): 2, **texts, 'b': 'B'}\nsentence_bleu(table['b'], ['R'])",
     [("B", "R", (), False)]),
    ("def f(parrot):\n    return clipped_precision(parrot, refs)", []),
])
def test_examples_are_found(source: str, found: list[tuple[Any, ...]]) -> None:
    known = {"parrot": ["the"] * 3, "refs": [line.split() for line in REFERENCES.splitlines()],
             "texts": {"good": "G"}}
    assert [tuple(each) for each in examples.examples(source, known)] == found


def test_a_sentence_takes_the_references_of_its_chapter() -> None:
    build_site = import_module("build_site")
    example = examples.Example
    chapter = [example("a b", "a b", PLAIN), example("a b", "c", PLAIN), example("c", "c", PLAIN),
               example("d", "d", PLAIN)]
    assert [*build_site.in_context(chapter[:1], chapter)] == [chapter[1]]
    assert [*build_site.in_context(chapter[2:], chapter)] == [chapter[3]]
    drawn = chapter[1]._replace(pictured=True)
    assert [*build_site.in_context([drawn, chapter[1]], chapter)] == [drawn]


def test_the_nearest_length_is_that_of_the_editor(open_page: Any) -> None:
    page = open_page("03_brevity.html")
    editor = page.locator(".hands-on[data-kind=penalty][data-ready]")
    editor.locator("textarea").nth(1).fill("a b c d\na b c d e f")
    editor.locator("textarea").first.fill("a b c d e")
    assert rows_of(editor)["closest length, r"] == [str(closest_length(5, [4, 6]))]
