"""The figures of the site for a keyboard, for a phone, and for who wants no motion."""

from typing import Any

import pytest

DESK = {"viewport": {"width": 1280, "height": 900}}
WITH_STOPS = ["index", "00_by_hand", "02_precision", "04_aligning", "05_score_breakdown", "usage"]
NUMBERS = {  # Of figures, on some pages: what a reader came for
    "index": ["0.286", "60.88", "67.25"],
    "00_by_hand": ["66.9"],
    "05_score_breakdown": ["0.640"],
    "03_explanation": ["60.88", "67.25"],
}

STOPS = """() => [...document.querySelectorAll("article svg.bn-fig")]
  .map((each) => [...each.querySelectorAll("[tabindex]")]
    .filter((stop) => stop.checkVisibility() && stop.tabIndex === 0).length)"""


@pytest.mark.parametrize("name", WITH_STOPS)
def test_a_figure_is_one_stop(open_page: Any, name: str) -> None:
    page = open_page(f"{name}.html", **DESK)
    stops = page.evaluate(STOPS)
    assert max(stops) == 1
    for box in page.query_selector_all("article [tabindex='0']:not(svg *)"):
        assert not box.query_selector("svg [tabindex]"), "a box and its figure are two stops"


def test_arrow_keys_move_inside_a_figure(open_page: Any) -> None:
    page = open_page("00_by_hand.html", **DESK)
    picture = page.locator("article svg.bn-fig:has(.bn-run)").first
    runs = picture.locator(".bn-run")
    last = runs.count() - 1
    assert last > 0
    runs.nth(0).focus()
    for key, place in [("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowUp", 0), ("End", last),
                       ("ArrowDown", last), ("Home", 0), ("ArrowDown", 1)]:
        page.keyboard.press(key)
        assert runs.nth(place).evaluate("run => run === document.activeElement"), key
        assert runs.nth(place).locator(".bn-at").is_visible()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.bn-run')")
    page.keyboard.press("Shift+Tab")
    assert runs.nth(1).evaluate("run => run === document.activeElement")


SEEN = """(number) => {
  const texts = [...document.querySelectorAll("article svg.bn-fig text")]
    .filter((each) => each.textContent.includes(number) && each.checkVisibility());
  const boxes = texts.map((each) => each.getBoundingClientRect());
  return boxes.some((box) => box.left >= 0 && box.right <= innerWidth && box.height >= 9);
}"""
CUT_OFF = """() => [...document.querySelectorAll(".bn-both")]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => box.querySelector("title").textContent)"""


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_phone_shows_the_number_without_scrolling(
    open_page: Any, name: str, width: int
) -> None:
    page = open_page(f"{name}.html", viewport={"width": width, "height": 700})
    assert page.locator("article svg.bn-narrow").count()
    assert not page.evaluate(CUT_OFF)
    missing = [each for each in NUMBERS[name] if not page.evaluate(SEEN, each)]
    assert not missing


def test_one_drawing_is_shown_at_a_time(open_page: Any) -> None:
    page = open_page("index.html", **DESK)
    for width, shown in ((1280, "bn-page"), (375, "bn-narrow"), (1280, "bn-page")):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function("width => innerWidth === width", arg=width)
        for figure in page.locator(".bn-both").all():
            [one] = [each for each in figure.locator("svg").all() if each.is_visible()]
            assert shown in (one.get_attribute("class") or "").split()


MOVES = """() => [...document.querySelectorAll("*")].filter((each) => {
  const style = getComputedStyle(each);
  const times = `${style.transitionDuration}, ${style.animationDuration}`.split(", ");
  return style.scrollBehavior === "smooth" || times.some((time) => parseFloat(time) > 0.001);
}).length"""


@pytest.mark.parametrize("name", ["index", "playground", "02_precision"])
def test_nothing_moves_where_motion_is_unwanted(open_page: Any, name: str) -> None:
    page = open_page(f"{name}.html", reduced_motion="reduce", **DESK)
    assert page.evaluate(MOVES) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVES) > 0


def test_drawers_of_a_phone_open_by_keyboard(open_page: Any) -> None:
    page = open_page("02_precision.html", viewport={"width": 375, "height": 700})
    link = page.locator(".sidebar-tree a").first
    assert not link.is_visible()
    page.get_by_role("button", name="Toggle site navigation sidebar").focus()
    page.keyboard.press("Enter")
    link.wait_for(state="visible")


@pytest.mark.parametrize("name", ["02_precision", "03_paired_tests"])
def test_folds_are_named_by_what_they_hold(open_page: Any, name: str) -> None:
    page = open_page(f"{name}.html", **DESK)
    names = [each.inner_text().strip() for each in page.locator("article summary").all()]
    assert names and all(names)
    assert page.locator("article summary[aria-label]").count() == 0
