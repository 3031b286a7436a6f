"""Every page of the site is visited: it loads, cuts nothing off, and axe finds no violation.

axe looks at every page in light on a desk (of the entries of the reference, which are alike, at
every sixth), and at one of each kind in all four views (light or dark, on a desk or on a phone),
sidebar and all. With `AXE=all` it looks at every page so, which takes several minutes.
"""

import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browser import watch

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "docs" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = [*product([(1280, 900), (375, 812)], ("light", "dark"))]  # On a desk, on a phone
PHONE = VIEWS[2]
ONE_OF_A_KIND = {
    "index.html",
    "playground.html",
    "dialects.html",
    "search.html",
    "genindex.html",
    "02_precision.html",
    "09_cheat_sheet.html",
    "usage.html",
    "api/scoring.metric.html",
}

RUN = """() => axe.run({resultTypes: ["violations"], preload: false}).then(
  (found) => found.violations.flatMap((rule) => rule.nodes.map(
    (node) => `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`)))"""
CUT_OFF = """() => [...document.querySelectorAll(".cell_output pre, html")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.localName === "html" ? "the page's right side" : box.textContent)"""
WITHOUT_SIDEBAR = "document.querySelector('.sidebar-drawer')?.remove()"  # The same everywhere


def violations(page: Any) -> list[str]:
    """What axe finds in the view of the moment."""
    return list(page.evaluate(RUN))


def show(page: Any, size: tuple[int, int], theme: str) -> None:
    """Turn a loaded page to another width and theme."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("""theme => {
      document.body.dataset.theme = theme;
      const frame = () => new Promise(requestAnimationFrame);
      return frame().then(frame);    // Colours arrive with the next frame
    }""", theme)


@pytest.fixture(scope="session")
def axe(site: Path) -> str:
    """The source of axe, to be run in a page."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix docs")
    return AXE.read_text(encoding="utf-8")


def pages(site: Path) -> list[str]:
    """The address of every page."""
    return [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))
            if "_static" not in path.parts]


PARTS = 8  # So that one may fail and the others go on


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_has_a_fault(
    site: Path, site_url: str, browser: Any, axe: str, complaints: list[str], part: int
) -> None:
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    watch(context, site_url, complaints)
    page = context.new_page()
    for number, name in enumerate(pages(site)[part::PARTS]):
        page.goto(f"{site_url}/{name}")
        if not page.title():
            complaints.append(f"{name} has no title")
        everything = name in ONE_OF_A_KIND or os.environ.get("AXE") == "all"
        page.evaluate(axe)
        if not everything:
            page.evaluate(WITHOUT_SIDEBAR)
        for place, (size, theme) in enumerate(VIEWS):
            if place and not everything and (size, theme) != PHONE:
                continue
            show(page, size, theme)
            view = f"{name}, {size[0]} {theme}"
            complaints += [f"{view}: cuts off {each}" for each in page.evaluate(CUT_OFF)]
            looked_at = not place and not (name.startswith("api/") and number % 6)
            if everything or looked_at:
                complaints += [f"{view}: {each}" for each in violations(page)]
    context.close()
    assert not complaints, "\n".join(complaints[:20])


@pytest.mark.parametrize(("spoil", "said"), [
    ("fetch('http://example.org/').catch(() => console.error('refused'))",
     ["request to another host: http://example.org/", "console: refused"]),
    ("setTimeout(() => { throw new Error('a fault'); })", ["error: a fault"]),
])
def test_the_watch_over_pages_can_fail(
    open_page: Any, complaints: list[str], spoil: str, said: list[str]
) -> None:
    page = open_page("speed.html")
    page.evaluate(f"() => {{ {spoil} }}")
    for each in said:
        for _ in range(100):  # A browser may take a while to say so
            if not any(complaint.startswith(each) for complaint in complaints):
                page.wait_for_timeout(100)
        assert any(complaint.startswith(each) for complaint in complaints), complaints
    complaints.clear()


def test_text_that_is_cut_off_is_found(open_page: Any) -> None:
    page = open_page("usage.html")
    assert page.locator(".cell_output pre").count()
    page.evaluate("""document.querySelector(".cell_output pre").style.whiteSpace = "pre";
        document.querySelector(".cell_output pre").textContent = "word ".repeat(99)""")
    assert page.evaluate(CUT_OFF)


@pytest.mark.parametrize(("spoil", "rule"), [
    ("document.querySelector('.theme-toggle-content button').removeAttribute('aria-label')",
     "button-name"),
    ("document.querySelector('h1').style.color = '#aaa'", "color-contrast"),
    ("document.querySelector('article').insertAdjacentHTML('beforeend', '<img src=data:,>')",
     "image-alt"),
])
def test_a_violation_is_found(
    site_url: str, browser: Any, axe: str, spoil: str, rule: str
) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{site_url}/symbols.html")
    page.evaluate(axe)
    show(page, *VIEWS[0])
    page.evaluate(spoil)
    assert [each for each in violations(page) if each.startswith(f"{rule}:")]
    context.close()
