"""Every page of the site is visited: it loads, cuts nothing off, and axe finds no violation.

axe looks at every page in light on a desk (of chapters, which are alike, at every third, and of
entries of the reference at every sixth), and at one of each kind in all four views (light or dark,
on a desk or on a phone), sidebar and all; with `EVERYTHING=1` at every page so. Figures are
readable in all four views, a stop of the Tab key each, and nothing moves where that is unwanted.
"""

import os
from itertools import product
from typing import Any

import book
import pytest
from browser import DESK, PHONE, breaches, visits

VIEWS = [*product((DESK, PHONE), ("light", "dark"))]
NARROW = {"viewport": {"width": 360, "height": 740}}    # Of the phones that are sold, the narrowest
EVERYWHERE = (VIEWS[0], VIEWS[2])  # The views that every page is shown in
ONE_OF_A_KIND = {
    "index.html",
    "install.html",
    "speed.html",
    "measurements.html",
    "playground.html",
    "dialects.html",
    "search.html",
    "genindex.html",
    "02_precision.html",
    "09_cheat_sheet.html",
    "usage.html",
    "use_shell.html",
    "use_frameworks.html",
    "coming_from.html",
    "command_line.html",
    "api/scoring.metric.html",
}
# The pages whose notebooks have stored a picture
WITH_FIGURES = {"usage.html", *(f"{path.stem}.html" for path in book.notebooks()
                                if "src='data:image/svg+xml," in path.read_text("utf-8"))}

CUT_OFF = """() => [...document.querySelectorAll(".cell_output pre, .bn-both, .content, html")]
    .filter((box) => box.scrollWidth > box.clientWidth)    // On a phone .content slides, not html
    .map((box) => box.matches(".content, html") ? "cuts off the page's right side"
      : `cuts off ${box.textContent}`)"""
WITHOUT_SIDEBAR = "document.querySelector('.sidebar-drawer')?.remove()"  # The same everywhere
READABLE = """(drawn) => {
  const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = rgb(colour).slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const figures = [...document.querySelectorAll("article svg.bn-fig")]
    .filter((svg) => svg.checkVisibility());
  const problems = [];
  if (drawn && !figures.length) problems.push("shows no figure");
  for (const svg of figures) {
    const title = svg.querySelector("title")?.textContent;
    let box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const holder = svg.closest(".drawn, .output")?.getBoundingClientRect();
    if (!holder || holder.left < 0 || holder.right > innerWidth + 0.5)
      problems.push(`${title}: reaches beyond the window`);
    const ground = light(behind(svg));
    for (const text of svg.querySelectorAll("text")) {
      if (!text.textContent.trim()) continue;
      const style = getComputedStyle(text);
      const size = parseFloat(style.fontSize) * scale;
      if (size < 9) problems.push(`${title}: "${text.textContent}" has ${size} pixels`);
      const [a, b] = [ground, light(style.fill)].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5)
        problems.push(`${title}: "${text.textContent}" is ${style.fill} on ${behind(svg)}`);
    }
  }
  return problems;
}"""

# What is the same in every view: stops of the Tab key, names of folds, and what moves.
ONCE = """() => {
  const problems = document.title ? [] : ["has no title"];
  const stops = (svg) => [...svg.querySelectorAll("[tabindex]")]
    .filter((stop) => stop.checkVisibility() && stop.tabIndex === 0).length;
  for (const svg of document.querySelectorAll("article svg.bn-fig")) {
    if (!svg.checkVisibility()) continue;
    if (stops(svg) !== (svg.querySelector("[tabindex]") ? 1 : 0))
      problems.push(`${svg.querySelector("title")?.textContent}: ${stops(svg)} stops`);
    if (svg.parentElement.closest("article [tabindex='0']") && stops(svg))
      problems.push("a box and its figure are two stops");
  }
  for (const fold of document.querySelectorAll("article summary"))
    if (!fold.innerText.trim() || fold.ariaLabel) problems.push("a fold is not named by its words");
  for (const each of document.querySelectorAll("*")) {
    const style = getComputedStyle(each);
    const times = `${style.transitionDuration}, ${style.animationDuration}`.split(", ");
    if (style.scrollBehavior === "smooth" || times.some((time) => parseFloat(time) > 0.001))
      problems.push(`${each.localName}.${each.className} moves`);
  }
  return problems;
}"""


def show(page: Any, size: dict[str, Any], theme: str) -> None:
    """Turn a loaded page to another width and theme."""
    page.set_viewport_size(size["viewport"])
    page.evaluate("""theme => {
      document.body.dataset.theme = theme;
      const frame = () => new Promise(requestAnimationFrame);
      return frame().then(frame);    // Colours arrive with the next frame
    }""", theme)


def faults(page: Any, name: str, place: int) -> list[str]:
    """What is wrong with a page, in each of its views; of those that are alike axe sees some."""
    everything = name in ONE_OF_A_KIND or "EVERYTHING" in os.environ
    alike = 6 if name.startswith("api/") else 3 if name[:1].isdigit() else 1
    if not everything:
        page.evaluate(WITHOUT_SIDEBAR)
    show(page, *VIEWS[0])
    found = [f"{name} {each}" for each in page.evaluate(ONCE)]
    drawn = name in WITH_FIGURES
    for view in VIEWS if everything or drawn else EVERYWHERE:
        show(page, *view)
        told = [*page.evaluate(CUT_OFF), *page.evaluate(READABLE, drawn)]
        if everything or (view is VIEWS[0] and not place % alike):
            told += breaches(page.locator("html"))
        found += [f"{name}, {view}: {each}" for each in told]
    show(page, NARROW, "light")
    return found + [f"{name}, {NARROW}: {each}" for each in page.evaluate(CUT_OFF)]


PARTS = 8  # So that one may fail and the others go on


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_has_a_fault(
    pages: dict[str, Any], site_url: str, browser: Any, complaints: list[str], part: int
) -> None:
    with visits(browser, site_url, complaints) as opened:
        page = opened("index.html", color_scheme="light", reduced_motion="reduce")
        for place, name in enumerate([*pages][part::PARTS]):
            page.goto(name)
            complaints += faults(page, name, place)


def test_the_watch_over_pages_can_fail(open_page: Any, complaints: list[str]) -> None:
    page = open_page("speed.html")
    page.evaluate("""() => {
        fetch("http://example.org/").catch(() => console.error("refused"));
        setTimeout(() => { throw new Error("a fault"); });
    }""")
    missing = {"request to another host: http://example.org/", "console: refused", "error: a fault"}
    for _ in range(100):  # A browser may take a while to say so
        missing = {said for said in missing if said not in "\n".join(complaints)}
        page.wait_for_timeout(100 * bool(missing))
    assert not missing, complaints
    complaints.clear()


@pytest.mark.parametrize(("name", "spoil", "fault"), [
    ("usage", """document.querySelector(".cell_output pre").style.whiteSpace = "pre";
        document.querySelector(".cell_output pre").textContent = "word ".repeat(99)""",
     "cuts off word"),
    ("usage", "document.querySelectorAll('svg.bn-fig').forEach((svg) => svg.remove())",
     "shows no figure"),
    ("symbols", "document.querySelector('article').insertAdjacentHTML('beforeend', "
                "'<p style=\"width: 350px\">wide')", "cuts off the page's right side"),
    ("usage", "document.querySelectorAll('svg.bn-fig text').forEach("
              "(text) => { text.style.fontSize = '4px'; text.style.fill = '#999'; })", "pixels"),
    ("00_by_hand", "document.querySelectorAll('.bn-run').forEach((run) => { run.tabIndex = 0; })",
     "stops"),
    ("00_by_hand", "document.querySelector('article summary').ariaLabel = 'Show'",
     "not named by its"),
    ("symbols", "document.querySelector('h1').style.setProperty("
                "'transition-duration', '1s', 'important')", "moves"),
    ("symbols",
     "document.querySelector('.theme-toggle-content button').removeAttribute('aria-label')",
     "button-name:"),
    ("symbols", "document.querySelector('h1').style.color = '#aaa'", "color-contrast:"),
    ("symbols", "document.querySelector('article').insertAdjacentHTML('beforeend', "
                "'<img src=data:,>')", "image-alt:"),
])
def test_a_fault_of_a_page_is_found(open_page: Any, name: str, spoil: str, fault: str) -> None:
    page = open_page(f"{name}.html", color_scheme="light", reduced_motion="reduce")
    page.evaluate(f"() => {{ {spoil} }}")
    assert [each for each in faults(page, f"{name}.html", 0) if fault in each]


IS_DARK = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]) < 128"


@pytest.mark.parametrize("name", ["index", "playground"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_follow_the_scheme_and_then_the_button(
    open_page: Any, scheme: str, name: str
) -> None:
    page = open_page(f"{name}.html", color_scheme=scheme, **DESK)
    for theme in ("auto", "light", "dark"):
        while page.get_attribute("body", "data-theme") != theme:
            page.click(".content-icon-container .theme-toggle")
        assert page.evaluate(IS_DARK) == (theme.replace("auto", scheme) == "dark")
        assert not page.evaluate(READABLE, True)
