"""No page of the site has what axe calls a violation: light or dark, on a desk or on a phone.

Every page is checked in light on a desk, and one of each kind in all four views, sidebar and all.
`AXE=all pytest tests/test_axe.py` checks every page so, which takes several minutes.
"""

import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
AXE = ROOT / "docs" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = [*product({"desk": (1280, 900), "phone": (375, 812)}.values(), ("light", "dark"))]
ONE_OF_A_KIND = {"index.html", "playground.html", "dialects.html", "search.html", "genindex.html",
                 "01_precision.html", "05f_cheat_sheet.html", "usage.html", "api/metric.html"}

RUN = """() => axe.run({resultTypes: ["violations"], preload: false}).then(
  (found) => found.violations.flatMap((rule) => rule.nodes.map(
    (node) => `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`)))"""
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


PARTS = 4  # So that workers share them


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_has_a_violation(
    site: Path, site_url: str, browser: Any, axe: str, part: int
) -> None:
    found = []
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    for name in pages(site)[part::PARTS]:
        page.goto(f"{site_url}/{name}")
        page.evaluate(axe)
        everything = name in ONE_OF_A_KIND or os.environ.get("AXE") == "all"
        if not everything:
            page.evaluate(WITHOUT_SIDEBAR)
        for size, theme in VIEWS if everything else VIEWS[:1]:
            show(page, size, theme)
            found += [f"{name}, {size[0]} {theme}: {each}" for each in violations(page)]
    context.close()
    assert not found, "\n".join(found[:20])


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
