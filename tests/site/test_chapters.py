"""A chapter on the site: what can be typed over or moved, words that explain themselves, folds."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import book
import folds
import front
import movable
import pytest
import terms
from browser import CAN_COPY, DESK, PAGE, PHONE, Page, follow

from bleu_nb import sentence_bleu, tokenize
from bleu_nb.derivation.bleu import (
    BleuStats,
    add_k,
    brevity_penalty,
    clipped_counts,
    clipped_precision,
    count_segment,
    exponential,
    floor,
    geometric_mean,
    max_reference_counts,
    ngram_counts,
    score_stats,
    sum_stats,
)
from bleu_nb.dialects.formula_variants import LENGTH_RULES, nltk_method4, raise_totals
from bleu_nb.dialects.input_checks import language_unsplit
from bleu_nb.display.exercises import Exercise, numbers

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "docs" / "static"
CHAPTERS = sorted(path.stem for path in book.notebooks() if path.stem != "index")
MOST = 350_000  # Bytes of a chapter's page, as it is served
TOUCH = {**PHONE, "has_touch": True, "is_mobile": True}
TAG = re.compile(r"<[^>]*>")
LAMP = "every evening the keeper lit the lamp"
LAMPS = {name: count_segment(text.split(), [LAMP.split()])
         for name, text in (("good", "each night the keeper lit a lamp"),
                            ("noise", "lamp the evening keeper every the lit"))}
NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(\s*/\s*[0-9]+)?")
TERM = re.compile(r'<a class="term" href="symbols\.html#term-([^"]+)" data-says="([^"]+)">')


def text_of(markup: str) -> str:
    """What a reader sees of some HTML."""
    return unescape(TAG.sub("", markup))


def cells_of(name: str) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    notebook: dict[str, Any] = json.loads(book.notebook(name).read_text("utf-8"))
    return [{**cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]


def code_of(name: str) -> list[str]:
    """The cells of code of a notebook that readers may see."""
    return [cell["source"] for cell in cells_of(name) if cell["cell_type"] == "code"
            and not book.directives(cell["source"]) & book.HIDDEN]


@pytest.mark.parametrize("name", ["usage", *CHAPTERS])
def test_a_chapter_weighs_little(pages: dict[str, Page], name: str) -> None:
    assert 10_000 < len(pages[f"{name}.html"].html.encode()) <= MOST


# -- The arithmetic in the page ----------------------------------------------------------------


@pytest.fixture(scope="module")
def run_js(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run a line of JavaScript over the page's own modules; `data` is what it is given."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")

    def run(module: str, expression: str, data: Any) -> Any:
        program = (
            f"import * as it from './{module}.js'; import {{readFileSync}} from 'node:fs';"
            f"const [data, rules] = JSON.parse(readFileSync(0)); const answer = {expression};"
            "process.stdout.write(JSON.stringify(answer));")
        done = subprocess.run([node, "--input-type=module", "-e", program], cwd=folder,
                              input=json.dumps([data, front.rules()]), capture_output=True,
                              text=True, encoding="utf-8", check=True)
        return json.loads(done.stdout)
    return run


DICE = random.Random(17)


def made_up(number: int) -> list[tuple[str, list[str]]]:
    """Sentences of few words, so that they repeat and share much; some are empty."""
    words = ["the", "boat", "a", "came", "lamp", ".", "—", "Ärger", "大海", "don't", "toString"]

    def sentence() -> str:
        return " ".join(DICE.choices(words, k=DICE.choice((0, 1, 2, 3, 4, 5, 7, 9, 12, 20, 40))))
    return [(sentence(), [sentence() for _ in range(DICE.randint(1, 4))]) for _ in range(number)]


def runs(candidate: list[str], references: list[list[str]], order: int) -> dict[str, list[int]]:
    """How often each run is said, allowed and credited."""
    allowed = max_reference_counts(references, order)
    credited = clipped_counts(candidate, references, order)
    return {" ".join(run): [said, allowed[run], credited[run]]
            for run, said in ngram_counts(candidate, order).items()}


def counted(text: str, texts: list[str]) -> list[Any]:
    """The runs of each order, what is counted of a sentence, and the line of its score."""
    candidate, references = text.split(), [each.split() for each in texts]
    stats = count_segment(candidate, references)
    return [[runs(candidate, references, order) for order in (1, 2, 3, 4)],
            [[*stats.matches], [*stats.totals], stats.candidate_length, stats.reference_length],
            str(score_stats(stats, scale=100))]


def smoothed(text: str, texts: list[str], value: float) -> list[str]:
    """The score of a sentence by each smoother."""
    stats = count_segment(text.split(), [each.split() for each in texts])
    full = raise_totals(stats)
    return [f"{score_stats(of, credits if any(of.matches) else []).value:.4f}" for of, credits in (
        (stats, floor(stats, value)), (stats, add_k(stats, value)), (stats, exponential(stats)),
        (full, nltk_method4(full, value)))]


def penalties(c: int, lengths: list[int]) -> list[Any]:
    """The length that each rule compares with, and its penalty."""
    return [[name, rule(c, lengths), f"{brevity_penalty(c, rule(c, lengths)):.4f}"]
            for name, rule in LENGTH_RULES.items()]


def drawn(parts: list[str], most: int, number: int) -> list[str]:
    """Texts of pieces that stand side by side."""
    return ["".join(DICE.choices(parts, k=DICE.randrange(most))) for _ in range(number)]


LATIN = ["the", "cat", "sat", "on", "a", "mat", ".", ",", "-", "!", "it's", "1,000", "3.5", "9-5",
         "&amp;", "&quot;no&quot;", "U.S.", "Ünï", "猫", "😀.", "$1", *[" "] * 20]
UNSPLIT = ["船每月来一次", "冬に船は", "เรือมาเดือน", "the boat", "배는 한", "。", ", ", " ", "1862",
           "Ünï"]


# What a page computes -> by which module, in JavaScript, of what, and by the package.
COMPUTED: dict[str, tuple[str, str, list[Any], Callable[..., Any]]] = {
    "counts": ("arithmetic", """([text, texts]) => {
        const [candidate, references] = [it.split(text), texts.map(it.split)];
        const counted = it.stats(candidate, references);
        return [[1, 2, 3, 4].map((n) => Object.fromEntries(it.clip(candidate, references, n).map(
            (row) => [row.run, [row.said, row.allowed, row.credited]]))),
          [counted.matches, counted.totals, counted.candidate, counted.reference],
          it.line(counted, it.score(counted))]; }""", made_up(1500), counted),
    "smoothing": ("arithmetic", """([text, texts, value]) => {
        const counted = it.stats(it.split(text), texts.map(it.split));
        const full = {...counted, totals: counted.totals.map((each) => Math.max(1, each))};
        const by = (counted, credits) => it.digits(it.score(counted, credits).value, 4);
        return [by(counted, it.floor(counted, value)), by(counted, it.addK(counted, value)),
          by(counted, it.exponential(counted)), by(full, it.method4(full, value))]; }""",
        [(*pair, value) for value in (0.01, 0.1, 0.5, 1, 2.5, 5) for pair in made_up(200)],
        smoothed),
    "penalties": ("arithmetic", """([c, lengths]) => Object.entries(it.RULES).map(
        ([name, rule]) => [name, rule(c, lengths), it.digits(it.penalty(c, rule(c, lengths)), 4)])
        """, [(DICE.randint(0, 30), [DICE.randint(0, 30) for _ in range(DICE.randint(1, 4))])
              for _ in range(1000)], penalties),
    "weights": ("arithmetic", """([shares, parts]) => it.digits(
        it.weightedMean(shares, parts.map((part) => part / it.sum(parts))), 4)""",
        [([DICE.choice((0, 1, DICE.random())) for _ in range(4)],
          [DICE.randint(0, 10) for _ in range(4)]) for _ in range(1000)],
        lambda shares, parts: f"{geometric_mean(shares, [n / sum(parts) for n in parts]):.4f}"),
    "digits": ("arithmetic", "([each]) => [2, 3, 4].map((places) => it.digits(each, places))", [
        (number,) for number in (
            *(n / 32 for n in range(65)), *(n / 1024 for n in range(1025)),
            *(DICE.random() for _ in range(1000)), 5e-324, 1e-78, 0.0)],
        lambda number: [f"{number:.{places}f}" for places in (2, 3, 4)]),
    "spaces": ("arithmetic", "([text]) => it.split(text)", [
        (f"a{chr(code)}b",) for code in (*range(1, 0x300), 0x1680, *range(0x2000, 0x2070), 0x3000,
                                         0xFEFF)], str.split),
    "the front page's score": (
        "live", "([c, r]) => Math.round(1e11 * it.sentence(c, r, rules).value)",
        [pair for pair in zip(drawn(LATIN, 28, 400), drawn(LATIN, 28, 400), strict=True)
         if pair[1].strip()], lambda c, r: round(1e9 * sentence_bleu(c, [r]).value)),
    "the front page's tokens": (
        "live", "([text]) => it.tokenize(text, rules)",
        [(text,) for text in drawn(LATIN, 28, 800)], tokenize),
    "the front page's hint": (
        "live", "([text]) => it.unsplit(text, rules)?.language ?? null",
        [("",), *((text,) for text in drawn(UNSPLIT, 6, 500))],
        lambda text: (language_unsplit([text], "13a") or [None])[0]),
}


@pytest.mark.parametrize("name", COMPUTED)
def test_the_page_computes_as_the_package_does(run_js: Any, name: str) -> None:
    module, expression, cases, ours = COMPUTED[name]
    answers = run_js(module, f"data.map({expression})", cases)
    assert answers == [ours(*case) for case in cases]
    assert len({*map(json.dumps, answers)}) > (3 if name.endswith("hint") else 100)


@pytest.mark.parametrize(("module", "expression", "given", "answer"), [
    *(("copy", "it.withoutPrompts(data)", *case) for case in (
        ("a = 1\n\nb = 2\n", "a = 1\n\nb = 2"),
        ("$ bleu-nb score\nBLEU = 1\n$ ls", "bleu-nb score\nls"), (">>> f(\n...     1)\n2\n",
                                                                   "f(\n    1)"),
        ("cost = '$ 5'", "cost = '$ 5'"), ("...\n", ""))),
    ("live", "data.map((text) => it.unsplit(text, rules).tokenizer)", ["船每月来一次", "เรือมาเดือน"],
     ["zh", "char"]),
    ("exercises", "data.map(it.unquoted)", ['"no"', " 'no' ", "no", '"no', "n'o"],
     ["no", "no", "no", '"no', "n'o"]),
    ("exercises", "it.verdict(data, {right: 1, within: 0, mistakes: []})", " ",
     "type an answer first"),
])
def test_a_script_answers(
    run_js: Any, module: str, expression: str, given: Any, answer: Any
) -> None:
    assert run_js(module, expression, given) == answer


# -- What can be typed over and moved --------------------------------------------------------------


def test_every_place_for_hands_is_a_cell_of_its_chapter(pages: dict[str, Page]) -> None:
    placed: dict[str, list[str]] = {}
    for (page, cell), (kind, _) in movable.BELOW.items():
        assert cell in {each["id"] for each in cells_of(page)}, (page, cell)
        placed.setdefault(page, []).append(kind)
    assert {page: sorted(re.findall(r'class="hands-on" data-kind="(\w+)"',
                                    pages[f"{page}.html"].html)) for page in placed} == {
        page: sorted(kinds) for page, kinds in placed.items()}


REFERENCES = "the cat is on the mat\nthere is a cat on the mat"
CATS = [each.split() for each in REFERENCES.split("\n")]
EXAMPLE = {name: [line.split() for line in (ROOT / "bleu_nb" / "example" / f"{name}.txt").read_text(
    "utf-8").splitlines()] for name in ("heron", "kestrel", "reference_1", "reference_2")}
HUMANS = [*zip(EXAMPLE["reference_1"], EXAMPLE["reference_2"], strict=True)]
SYSTEMS = {name: sum_stats([*map(count_segment, EXAMPLE[name.lower()], HUMANS)])
           for name in ("Heron", "Kestrel")}  # What is counted of the example's two systems
SAID, TEXT, SLIDER = ".hands-on-said", "textarea >> nth=0", "input"
RESET = "role=button[name='Reset']"


def hands(kind: str, *steps: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """What is done and seen where something of a kind can be typed over or moved."""
    return [(f".hands-on[data-kind={kind}][data-ready] >> {place}", *rest)
            for place, *rest in steps]


def typed(kind: str, text: str, said: str) -> list[tuple[Any, ...]]:
    """That a sentence is typed over, and how the answer begins."""
    return hands(kind, (TEXT, "fill", text),
                 (SAID, "to_have_text", re.compile(rf"^\s*{re.escape(said)}")))


def taught(text: str) -> list[tuple[Any, ...]]:
    """That the parrot says something else, and how much of it is right."""
    tokens = text.split()
    share, matches = (of(tokens, CATS) for of in (clipped_precision, clipped_counts))
    said = f"Clipped precision: {matches.total()}/{len(tokens)} = {float(share):.4f}"
    told = urlencode({"c": text, "r": REFERENCES, "d": "papineni"}, safe="*-._")
    return hands("clipped", (TEXT, "fill", text),
                 (SAID, "to_contain_text", said if tokens else "counts as 0"),
                 ("a[href*=playground]", "to_have_attribute", "href", f"playground.html#{told}"))


def column(number: int, values: dict[str, str]) -> list[tuple[Any, ...]]:
    """What a table shows: the names of its rows, and a column."""
    return [("tbody tr > :nth-child(1)", "to_have_text", [*values]),
            (f"tbody tr > :nth-child({number})", "to_have_text", [*values.values()])]


def cut(each: BleuStats, order: int) -> str:
    """The score of what is counted, up to an order."""
    kept = replace(each, matches=each.matches[:order], totals=each.totals[:order])
    return f"{score_stats(kept, scale=100).value:.2f}"


PRECISIONS = score_stats(SYSTEMS["Heron"]).precisions
MOVED = geometric_mean(PRECISIONS, [part / 19 for part in (4, 3, 2, 10)])
SMOOTHED = {f"{words}, {name}": f"{score_stats(each, credits(each), scale=100).value:.2f}"
            for words, credits in (("floor", lambda each: floor(each, 1)),
                                   ("add k", lambda each: add_k(each, 3)),
                                   ("exponential", exponential))
            for name, each in LAMPS.items()}
METHOD_4 = f"{score_stats(LAMPS['good'], nltk_method4(LAMPS['good'], 5.5)).value:.4f}"
ANSWER = ".exercise[data-ready] >> nth=0 >> "
LAST_ANSWER = ANSWER.replace("=0", "=2")
NOTHING = "BLEU = 0.00 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000"
BOX = "label:has-text('one digit after the point') input"
NO_SCRIPT = {"java_script_enabled": False}
PART = "article svg.bn-fig:visible >> nth=0 >> a[href='#line-{}']"
SYMBOL = f"{PART.format('penalty')} >> text >> nth=0"
LIT_CODE = "article .highlight-python .lit:visible"
LIT_LINES = [re.compile(rf"^ +{begin}") for begin in (
    r"penalty = brevity_penalty\(", r"c \+=", r"r \+=", "penalty = 1")]
IS_LIT = (LIT_CODE, "to_have_text", LIT_LINES), (".lit:text('logs =')", "to_have_count", 0)
NONE_IS_LIT = (".lit", "to_have_count", 0)
WORD, BUBBLE = "a.term >> nth=0", "#term-says"
THERE, GONE = (BUBBLE, "to_be_visible"), (BUBBLE, "to_be_hidden")
DESCRIBED = (WORD, "to_have_attribute", "aria-describedby", "term-says")
SAYS = """([box]) => box.textContent === document.querySelector("a.term").dataset.says"""
FITS = """([it]) => { const {left, right} = it.getBoundingClientRect();
  return location.pathname.includes("03_brevity") && left >= 0 && right <= 375; }"""
COPY = ".cell_input .copy-code >> nth=1"
BY_HAND = [each["source"] for each in cells_of("00_by_hand") if each["cell_type"] == "code"]
DRAWS, LONG_CHECK = (f"details:has-text('{each}')" for each in ("draw_formula",
                                                               "closest_ref_length"))
SHORT_CHECK = ".tag_check:has-text('contains inf')"
LETTERS_A_LINE = """[...document.querySelectorAll("article section > p:not([class])")]
    .map((it) => [it.textContent.length,
                  it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight)])
    .sort(([one], [other]) => other - one).slice(0, 1)
    .map(([letters, lines]) => letters / Math.round(lines))[0]"""
SIZE = "parseFloat(getComputedStyle(document.querySelector('article p')).fontSize)"
# A chapter, how it is shown, what a reader does in it, and then sees.
VISITS: list[tuple[Any, ...]] = [
    ("02_precision", {},
     *hands("clipped", (SAID, "to_have_text", "Clipped precision: 2/7 = 0.2857")),
     *taught("the cat the cat"), *taught(""), *taught("<b>mat</b> on the mat"),
     *hands("clipped", ("td b, th b", "to_have_count", 0),
            ("textarea >> nth=1", "fill", "\n \n"), (SAID, "to_contain_text", "Type a reference"),
            (RESET, "click"), (SAID, "to_have_text", "Clipped precision: 2/7 = 0.2857"),
            ("input[type=range]", "press", "ArrowRight"),
            (SAID, "to_have_text", "Clipped precision: 0/6 = 0.0000"))),
    ("01_ngrams", {}, *typed("counts", "a b a b",
                             "4 tokens hold max(0, 4 − 1 + 1) = 4 of order 1, 2 of them")),
    ("03_brevity", {}, *typed("penalty", "the the the",
                              "Brevity penalty: 0.3679 (e to the power of 1 − 6/3"),
     *typed("penalty", "the " * 9, "Brevity penalty: 1.0000 (c = 9 is not less than r = 7"),
     *hands("penalty", ("textarea >> nth=1", "fill", "a b c d\na b c d e f"),
            (TEXT, "fill", "a b c d e"),  # The nearest length
            ("tr:has-text('closest length, r') >> td >> nth=0", "to_have_text", "4"))),
    ("00_by_hand", {}, *typed("score", "In winter the boat came only once a month .",
                              "BLEU = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 "
                              "hyp_len = 10 ref_len = 10)")),
    ("04_bleu", {}, *typed("score", "", NOTHING), (".cell_output:has-text('hyp_len = 0')",
                                                   "to_contain_text", NOTHING)),
    ("01_length_rules", {}, *hands("rules", *(
        step for c in (5, 6) for step in (*column(3, {
            name: f"{brevity_penalty(c, rule(c, [7, 3, 2])):.4f}"
            for name, rule in LENGTH_RULES.items()}), (SLIDER, "press", "ArrowRight"))))),
    ("04_bleu", {}, *hands("orders", *(step for order in (4, 3, 2, 1) for step in (
        *column(2, {name: cut(each, order) for name, each in SYSTEMS.items()}),
        (SLIDER, "press", "ArrowLeft"))))),
    ("13_formula", {}, *hands(
        "weights", ("strong", "to_have_text", "0.4800"), ("input >> nth=3", "press", "End"),
        ("strong", "to_have_text", f"{MOVED:.4f}"),
        *((f"input >> nth={place}", "press", "Home") for place in range(4)),
        (SAID, "to_contain_text", "No order counts"))),
    ("05_smoothing", {}, *hands(
        "smoothing", ("input >> nth=0", "press", "End"), ("input >> nth=1", "press", "End"),
        *column(2, SMOOTHED))),
    ("02_smoothers", {}, *hands(
        "method4", (SLIDER, "press", "ArrowRight"),
        ("tbody tr:has-text('good') > :nth-child(2)", "to_have_text", METHOD_4))),
    ("00_by_hand", {}, (f"{ANSWER} output", "to_have_text", ""), *(
        step for text, answer in (("69.1", "not yet: two tokens are missing"), ("53.8", "right"),
                                  ("12", "not yet"), ("", "type an answer first"))
        for step in ((f"{ANSWER} input", "fill", text), (":focus", "press", "Enter"),
                     (f"{ANSWER} output", "to_have_text", re.compile(rf"^{answer}")))),
     (f"{ANSWER} button", "click"), (f"{ANSWER} output", "to_have_text", "type an answer first")),
    ("03_brevity", DESK, (".tag_exercise + .cell details.hide", "to_have_count", 3)),
    ("04_bleu", {}, *(step for text in ("no", '"no"', "'No'") for step in (
        (f"{LAST_ANSWER} input", "fill", text), (":focus", "press", "Enter"),
        (f"{LAST_ANSWER} output", "to_have_text", "right")))),
    ("07_reporting", DESK, (".tag_exercise", "to_have_count", 2),
     (".tag_exercise input >> nth=0", "fill", "2"),
     (".tag_exercise input >> nth=0", "press", "Tab"),
     (".tag_exercise output >> nth=0", "to_have_text", "right"),
     (".tag_exercise .cell_input >> nth=0", "to_be_hidden"), (BOX, "not_to_be_checked"),
     ("text=one digit after the point", "click"), (BOX, "to_be_checked"),
     (PAGE, "emulate_media", {"media": "print"}), (".tag_exercise >> nth=0", "to_be_hidden")),
    ("07_reporting", NO_SCRIPT, (".tag_exercise .cell_input >> nth=0", "to_be_visible")),
    # Without scripts there is nothing that does not work
    ("03_brevity", NO_SCRIPT, (".hands-on", "to_have_count", 2),
     (".hands-on >> nth=0", "to_be_hidden"), ("svg.bn-fig", "not_to_have_count", 0),
     (".copy-code", "to_have_count", 0), ("a.term >> nth=0", "click"),
     (PAGE, "wait_for_url", {"url": "**/symbols.html#term-*"})),
    # A symbol of the formula lights its lines
    *(("04_bleu", {**DESK, "color_scheme": scheme, "reduced_motion": "reduce"}, NONE_IS_LIT,
       (SYMBOL, "hover"), *IS_LIT, ("h1", "hover"), NONE_IS_LIT, (SYMBOL, "click"),
       (f"{LIT_CODE} >> nth=1", "to_be_in_viewport"), ("h1", "hover"), *IS_LIT,
       ("article", "to_be_sound")) for scheme in ("light", "dark")),
    ("04_bleu", DESK, (PART.format("penalty"), "focus"), *IS_LIT, (":focus", "press", "Tab"),
     (LIT_CODE, "to_contain_text", ["logs = [math.log", "return math.exp(math.fsum",
                                    "return math.exp(total", "value = penalty *", "logs = [log(",
                                    "return 100"]),
     (":focus", "press", "Enter"), (".lit:visible >> nth=-1", "to_be_in_viewport"),
     ("article svg a:has-text('1.5 and if'):visible", "press", "Enter"),
     (PAGE, "wait_for_url", {"url": "**/05_smoothing.html"}), (PART.format("zeros"), "focus"),
     (LIT_CODE, "to_contain_text", ["matches or value", "if not any", "raised =", "credit = (1"])),
    ("02_precision", TOUCH, (f"{PART.format('precisions')} >> text >> nth=1", "tap"),
     (LIT_CODE, "to_contain_text", ["matches = sum", "total =", "return", "matches = clipped",
                                    "total =", "return"]),
     ("article svg a:visible", "to_have_count", 4)),
    ("04_score_breakdown", DESK, ("article svg a:visible >> text=min(", "click"),
     (PAGE, "wait_for_url", {"url": "**/03_brevity.html"})),  # It has no program
    # A definition comes by pointer, by focus and by tap
    ("03_brevity", {}, (BUBBLE, "to_be_attached"), GONE, (WORD, "hover"), THERE,
     (BUBBLE, "to_give", SAYS), DESCRIBED, (BUBBLE, "hover"),
     ("html", "evaluate", "() => new Promise((done) => setTimeout(done, 300))"),
     THERE,  # The pointer may rest on the definition
     ("body", "press", "Escape"), GONE, (WORD, "not_" + DESCRIBED[1], *DESCRIBED[2:]),
     (WORD, "focus"), THERE, (BUBBLE, "to_have_attribute", "role", "tooltip"),
     (WORD, "press", "Escape"), GONE, (WORD, "to_be_focused")),
    ("03_brevity", TOUCH, (BUBBLE, "to_be_attached"), (WORD, "tap"), THERE,
     (BUBBLE, "to_give", FITS), ("h1", "tap"), GONE, (WORD, "tap"), THERE, (WORD, "tap"),
     (PAGE, "wait_for_url", {"url": "**/symbols.html#term-*"})),
    # A cell can be copied
    ("00_by_hand", CAN_COPY, (COPY, "to_have_css", "opacity", "0"), (COPY, "focus"),
     (COPY, "to_have_css", "opacity", "1"), (":focus", "press", "Enter"),
     (".copy-code:focus", "to_have_text", "Copied"),
     (".cell_input .copy-code", "to_have_count", len(BY_HAND)),
     (".cell_input div.highlight", "to_have_count", len(BY_HAND)),
     ("html", "to_give", "() => navigator.clipboard.readText()", BY_HAND[1])),
    # A link names its sentence to whoever does not see it
    ("02_precision", {}, (".try a", "to_give", "(all) => all[0].textContent",
                          "change this sentence: the cat sat on the mat"),
     (".try a", "to_give", "(all) => all.every((it) => it.textContent.startsWith('change '))")),
    # A picture stands before its code, which opens without scripts; a check steps back
    ("03_brevity", NO_SCRIPT, ("article svg.bn-page >> nth=0", "to_be_visible"),
     (f"{DRAWS} >> pre", "to_be_hidden"), (f"{DRAWS} >> summary", "click"),
     (f"{DRAWS} >> pre", "to_be_visible")),
    ("05_charts", {}, (f"{SHORT_CHECK} pre", "to_be_visible"),
     (f"{SHORT_CHECK} pre, .run", "to_give", "(all) => getComputedStyle(all[0]).color === "
                                             "getComputedStyle(all[1]).color"),
     (f"{SHORT_CHECK} pre", "to_have_css", "font-size", "12px")),
    ("03_brevity", {}, (f"{LONG_CHECK} >> summary", "to_contain_text", "Checked: closest_length"),
     (f"{LONG_CHECK} >> pre", "to_be_hidden")),
    ("03_brevity.html#:~:text=closest_ref_length(sentences", {},
     (f"{LONG_CHECK} >> pre", "to_be_visible")),
    # What is read has short lines; what is looked up has its sections beside it
    ("03_brevity", DESK, ("html", "to_give", f"() => 60 < {LETTERS_A_LINE} && "
                                             f"{LETTERS_A_LINE} < 76 && {SIZE} > 16"),
     (".toc-drawer", "to_be_hidden")),
    ("command_line", DESK, (".toc-drawer a >> nth=1", "to_be_visible"),
     ("html", "to_give", f"() => {LETTERS_A_LINE} > 80 && {SIZE} <= 16")),
    # Formulas are drawn
    ("02_smoothers", {}, (".math svg use", "to_give", """(uses) => uses.length > 100 && uses
        .filter((use) => document.querySelector(use.getAttribute("xlink:href")).getAttribute("d"))
        .every((use) => use.getBBox().width + use.getBBox().height > 0)""")),
]


@pytest.mark.parametrize("visit", VISITS, ids=[visit[0] for visit in VISITS])
def test_what_a_reader_does_has_its_answer(open_page: Any, visit: tuple[Any, ...]) -> None:
    name, settings, *steps = visit
    follow(open_page(name if "#" in name else f"{name}.html", **settings), *steps)


RING = """() => {
  const ring = document.querySelector("svg.bn-fig .moved circle");
  (window.spots ??= []).push([ring, ring.closest("svg").querySelector(":scope > circle")].map(
    (it) => [Number(it.getAttribute("cx")), Number(it.getAttribute("cy"))]));
}"""


def test_the_penalty_can_be_moved_by_keys(open_page: Any) -> None:
    page, look = open_page("03_brevity.html"), ("svg >> nth=0", "evaluate", RING)
    said, needed = (f"input >> nth={place}" for place in (0, 1))
    follow(page, *hands("curve", (said, "to_be_visible")), look, *(
        step for c in range(3, 10) for step in (
            *hands("curve", (said, "press", "ArrowRight"),
                   (said, "to_have_attribute", "aria-valuetext", f"{c} tokens"),
                   (SAID, "to_have_text", re.compile(rf"{brevity_penalty(c, 6):.4f}$"))), look)),
        *hands("curve", (needed, "press", "Home"), (said, "to_have_value", "9"),
               ("strong", "to_have_text", "1.0000"), (RESET, "click"),
               (said, "to_have_value", "2"), (needed, "to_have_value", "6")))
    spots = page.evaluate("spots")
    xs, ys = zip(*(ring for ring, _ in spots), strict=True)
    step = xs[1] - xs[0]
    assert xs == pytest.approx([xs[0] + place * step for place in range(8)], abs=0.1) and step > 0
    assert ys[0] > ys[1] > ys[2] > ys[3] > ys[4] and ys[4] == ys[5], "up to 6 of 6, then level"
    assert spots[0][0] == pytest.approx(spots[0][1], abs=0.5), "it begins at the chapter's dot"


# -- Links beside examples ---------------------------------------------------------------------


def linked_of(page: Page) -> list[dict[str, str]]:
    """What the links below the outputs of a chapter fill the playground with."""
    lines = re.findall(r'<p class="try">.*?</p>', page.html)
    links = re.findall(r'href="playground\.html#([^"]+)"', "".join(lines))
    return [dict(parse_qsl(unescape(link), strict_parsing=True)) for link in links]


def changed_there(page: Page) -> set[str]:
    """The candidates that a link below an output leads to an editor of, on the same page."""
    lines = "".join(re.findall(r'<p class="try">.*?</p>', page.html))
    starts = dict(re.findall(r' id="(change-\w+)" data-start="([^"]+)"', page.html))
    return {json.loads(unescape(starts[anchor]))["candidate"]
            for anchor in re.findall(r'href="#(change-\w+)"', lines)}


@pytest.mark.parametrize(("name", "candidates"), [
    ("00_by_hand", {"In winter the boat came once a month .", "the the the boat .",
                    "That night the lamp was dark .", "In winter the boat came once a month."}),
    ("01_ngrams", {"the man bit the dog", "is a boat a ship"}),
    ("02_precision", {
        "the cat sat on the mat", "the the the the the the the",
        "it is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        "it is to insure the troops forever hearing the activity guidebook that party direct",
        "the love can always do"}),
    ("03_brevity", {"the the", "the light went out suddenly", "the love can always do",
                    "the cat is on the mat as far as I can see"}),
    ("05_smoothing", {"each night the keeper lit a lamp", "lamp the evening keeper every the lit",
                      "all rats fled from here last night", "the lamp burned", "lamp the"}),
    ("06_tokenization", {
        "&quot;A well-kept lamp, lit at 7.30,&quot; says the log of 1990-1995.", "sea, 海",
        '"The sea forgets nothing," he would say.', "大海什么都不会忘记。",
        "In winter the boat came once a month.",
        "„Das Meer vergisst nichts“, sagte er oft."}),
])
def test_every_example_can_be_changed(
    pages: dict[str, Page], name: str, candidates: set[str]
) -> None:
    page = pages[f"{name}.html"]
    assert {told["c"] for told in linked_of(page)} | changed_there(page) == candidates


def test_links_beside_examples_fill_the_form(pages: dict[str, Page]) -> None:
    told = {name: linked_of(pages[f"{name}.html"]) for name in ("usage", *CHAPTERS)}
    for name, links in told.items():
        assert all(link["c"] and link["r"] and {*link} <= {*"crdtosvl"} for link in links), name
    assert sum(map(len, told.values())) > 50
    assert {"c": "the cat sat on the mat", "r": REFERENCES, "d": "papineni"} in told["02_precision"]
    assert " ".join(["the"] * 7) in changed_there(pages["02_precision.html"])


# -- Exercises ---------------------------------------------------------------------------------


def test_the_page_judges_answers_as_the_package_does(run_js: Any) -> None:
    exercises = [Exercise(53.83, {69.14: "the penalty is missing", 0: "<b>"}),
                 Exercise(2 / 7, {1: "clip"}, within=0.001), Exercise("no", {"Yes it can": "why"}),
                 Exercise(0, {100: "no run of four"})]
    typed = ["53.8", "53.79", "53.9", "69.1", " 0 ", "2/7", "0.2857", "1", "-1", ".5", "NO",
             "yes  it can", "100", "1e2", "one", "3 / 4", "53,8", "53.8 %", "53,8%", "28,57 %",
             "28.57", "0.538", "5383", "-53,8", ",5", "1/0", "1/04", "1,000.5", "%", "5 3", "+ 1",
             "\u0661"]
    pairs = [(text, each) for text in typed for each in exercises]
    answers = run_js("exercises", "data.map(([text, told]) => it.verdict(text, told))",
                     [(text, each.told()) for text, each in pairs])
    for (text, each), answer in zip(pairs, answers, strict=True):
        number = NUMBER.fullmatch(text.strip()) and "/0" not in text
        said = str(each.check(eval(text) if number else text))  # What a reader's cell would hold
        assert not number or said == str(each.check(text))
        asked = isinstance(each.right, float | int) and not numbers(text)
        hint = "not yet: type a number, such as 0.5 or 1/2"
        assert answer == (hint if asked else said), (text, each)

# -- Words that explain themselves -----------------------------------------------------------------

QUOTED = re.compile(r"<(em|code|h[1-6]|pre|th|td)\b[^>]*>(.*?)</\1>", re.DOTALL)


def test_a_word_is_explained_once_a_page_where_it_comes_first(pages: dict[str, Page]) -> None:
    entries = {entry: says for entry, says in terms.glossary(ROOT / "docs/symbols.md").values()}
    assert all(says.endswith(".") and len(says) < 130 for says in entries.values())
    seen: set[str] = set()
    for name in CHAPTERS:
        html = pages[f"{name}.html"].html
        found = [(anchor, unescape(says)) for anchor, says in TERM.findall(html)]
        assert len(dict(found)) == len(found) and {*dict(found).values()} <= {*entries.values()}
        seen |= {*dict(found)}
        assert not [each for _, each in QUOTED.findall(html) if 'class="term"' in each], name
    assert {f"term-{anchor}" for anchor in seen} <= pages["symbols.html"].anchors
    assert len(seen) > 25
    assert re.search(r'<blockquote>.*?a <a class="term" href="symbols.html#term-candidate"',
                     pages["02_precision.html"].html, re.DOTALL), "the subtitle says it first"


# -- Folds, and what a page does not hold twice ----------------------------------------------------


FOLD = re.compile(r'<details class="admonition hide[^"]*">\s*<summary([^>]*)>\s*'
                  r'<p class="collapsed admonition-title">(.*?)</p>.*?<pre>(.*?)</pre>', re.DOTALL)


@pytest.mark.parametrize("name", CHAPTERS)
def test_long_code_is_folded_and_every_fold_says_what_it_holds(
    pages: dict[str, Page], name: str
) -> None:
    holds: dict[str, str] = {}
    found = FOLD.findall(pages[f"{name}.html"].html)
    for words, code in (map(text_of, each[1:]) for each in found):
        assert holds.setdefault(words, code) == code, f"two folds say {words!r}"
        length = len(code.strip().splitlines())
        assert re.match(rf"(Show|Checked:) \S.*\({length} lines?\)", words) and "“”" not in words
    folded = {code.strip() for code in holds.values()}
    for source in code_of(name):
        code = book.without_directives(source).strip()
        most = 60 if "exports" in book.directives(source) else 25
        assert code in folded or folds.lines_without_docstrings(code) <= most


# -- What a page holds ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["04_bleu", "02_smoothers", "03_aligning"])
def test_a_page_holds_each_glyph_once(pages: dict[str, Page], name: str) -> None:
    html = pages[f"{name}.html"].html
    glyphs = re.findall(r'<path id=\'(mj-[^\']+)\'', html)
    assert sorted(glyphs) == sorted({*re.findall(r'href="#(mj-[^"]+)"', html)})


@pytest.mark.parametrize("name", ["02_precision", "01_bits"])
def test_code_is_whole_though_lighter(pages: dict[str, Page], name: str) -> None:
    shown = {text_of(code).strip() for code in re.findall(
        r'<div class="highlight-python notranslate"><div class="highlight"><pre>(.*?)</pre>',
        pages[f"{name}.html"].html, re.DOTALL)}
    assert {book.without_directives(source).strip() for source in code_of(name)} <= shown
