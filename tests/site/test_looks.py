"""What pages look like where it once was wrong: widths, shadows, colors, and where code breaks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import front
import llms
import pytest
import unbroken
from browser import DESK, PAGE, PHONE, Page, follow

from bleu_nb import DIALECTS, __version__, sentence_bleu
from bleu_nb.dialects.signatures import signature

ROOT = Path(__file__).resolve().parents[2]
TOUCH = {**PHONE, "has_touch": True, "is_mobile": True}
SIZES = [{"viewport": {"width": width, "height": 800}} for width in (360, 768, 1280)]
GROUND = "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
CLIPPED = """(all) => all.every((each) => getComputedStyle(each).overflow === "hidden")"""
SEEN = "(all) => all.every((each) => getComputedStyle(each).opacity === '1')"
IN_THE_COLUMN = """(all) => {
  const right = (each) => Math.round(each.getBoundingClientRect().right);
  const column = Math.max(...[...document.querySelectorAll(".read p")].map(right));
  return all.filter((each) => each.checkVisibility() && right(each) > column + 1)
    .map((each) => each.textContent.slice(0, 60));
}"""
# A row of a signature that begins or ends inside of a field
BROKEN = """(all) => all.filter((each) => each.getClientRects().length > 1)
    .map((each) => each.textContent)"""
BESIDE = """(all) => all.filter((each) => each.querySelector("a").getBoundingClientRect().left
    < each.querySelector("input").getBoundingClientRect().right).map((each) => each.id)"""
ARROW_ALONE = """(all) => all.filter((each) => {
  const words = each.textContent.trim().split(/\\s+/);
  const line = parseFloat(getComputedStyle(each).lineHeight);
  return words.length === 1 && each.getBoundingClientRect().height > 1.5 * line;
}).map((each) => each.textContent)"""

# A page, how it is shown, and what is seen.
VISITS: dict[str, tuple[Any, ...]] = {
    "parts of a formula are clipped": (
        "09_cheat_sheet", DESK, (".math svg svg", "to_give", CLIPPED)),
    **{f"a diff marks both kinds of lines in {theme}": (
        "01_ngrams", {**DESK, "color_scheme": theme},
        *((f"article .highlight .{kind} >> nth=0", "not_to_have_css", "background-color",
           "rgba(0, 0, 0, 0)") for kind in ("gd", "gi"))) for theme in ("light", "dark")},
    "Copy is seen where a finger is all there is": (
        "use_shell", TOUCH, (".highlight-sh .copy-code", "to_give", SEEN),
        (PAGE, "goto", {"url": "02_precision.html"}),
        (".cell_input .copy-code", "to_give", SEEN)),
    **{f"outputs and editors keep to the column at {size['viewport']['width']}": (
        "04_bleu", size, (".hands-on[data-ready]", "not_to_have_count", 0),
        (".hands-on-frame, .cell_output .output > .highlight pre", "to_give", IN_THE_COLUMN, []))
       for size in SIZES},
    **{f"no field of a signature is split on {page} at {size['viewport']['width']}": (
        page, size, ("details.fold", "evaluate_all", "(all) => all.forEach((e) => e.open = true)"),
        (".signature .whole", "to_give", BROKEN, []))
       for page in ("use_shell", "use_tools") for size in SIZES},
    **{f"options are not split on {page}": (
        page, DESK, (f"{where} .whole, p .whole, table.options td code", "to_give", BROKEN, []))
       for page, where in (("coming_from", "table.two-columns"), ("command_line", "article"))},
    "pages with tabs have no second list of their sections": (
        "use_tools", DESK, (".toc-tree", "to_have_count", 0)),
    **{f"names of dialects are beside their boxes at {size['viewport']['width']}": (
        "dialects", size, (".dl-pick", "to_have_count", len(DIALECTS)),
        ("table.dialects tbody th", "to_give", BESIDE, [])) for size in SIZES[1:]},
    "an arrow is beside the word that it sorts by": (
        "dialects", DESK, ("table.dialects th button", "to_give", ARROW_ALONE, [])),
}


@pytest.mark.parametrize("name", VISITS)
def test_what_was_mended_stays_so(open_page: Callable[..., Any], name: str) -> None:
    page, settings, *steps = VISITS[name]
    follow(open_page(f"{page}.html", **settings), *steps)


def test_a_signature_breaks_between_fields() -> None:
    signed = [signature(row, "var", False) for row in DIALECTS.values()]
    assert len(signed) > 40
    for each in signed:
        marked = unbroken.signatures_whole(f"<pre>BLEU|{each} = 1.00</pre>")
        assert marked.count("<wbr>") == 1 + each.count("|"), each
        assert marked.count('class="whole"') == 2 + each.count("|"), each
        assert unbroken.TAG.sub("", marked) == f"BLEU|{each} = 1.00"
    assert unbroken.signatures_whole(f'<i title="{signed[0]}">') == f'<i title="{signed[0]}">'


# -- The front page, and the list of pages ---------------------------------------------------------


def test_the_front_page_shows_a_call_with_its_result(site: Path) -> None:
    html = (site / "index.html").read_text(encoding="utf-8")
    score = sentence_bleu(front.SHORT[0], front.SHORT[1:])
    text = unbroken.TAG.sub("", html).replace("&quot;", '"')
    assert "&gt;&gt;&gt; from bleu_nb import sentence_bleu" in text
    assert repr(score.value) in text and f"Version {__version__} " in text
    assert 'pip install "./bleu_nb-' in text.replace("&#34;", '"')


def test_pages_are_listed_for_programs(site: Path, pages: dict[str, Page]) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    listed = [line.partition("](")[2].partition(")")[0] for line in text.splitlines()
              if line.startswith("- [")]
    named = [f"{page}.html" for _, group in llms.groups((ROOT / "docs" / "index.md").read_text(
        encoding="utf-8")) for page in group]
    assert text.startswith("# bleu_nb\n\n> ") and listed == named and len(named) > 25
    assert {*listed} <= {*pages} and len({*listed}) == len(listed)
