"""The figures of the site for a keyboard and for a phone."""

from typing import Any

import pytest
from browser import DESK, PHONE, follow

NUMBERS = {  # Of figures, on some pages: what a reader came for
    "index": ["60.88", "67.25"],
    "00_by_hand": ["66.9"],
    "04_score_breakdown": ["0.640"],
    "04_explanation": ["60.88", "67.25"],
}

PICTURE = "article svg.bn-fig:has(.bn-run) >> nth=0"


def test_arrow_keys_move_inside_a_figure(open_page: Any) -> None:
    page = open_page("00_by_hand.html", **DESK)
    last = page.locator(f"{PICTURE} >> .bn-run").count() - 1
    assert last > 0
    run, moves = f"{PICTURE} >> .bn-run >> nth={{}}".format, [
        ("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowUp", 0), ("End", last), ("ArrowDown", last),
        ("Home", 0), ("ArrowDown", 1)]
    follow(page, (run(0), "focus"), *(
        step for key, place in moves
        for step in ((":focus", "press", key), (run(place), "to_be_focused"),
                     (f"{run(place)} >> .bn-at", "to_be_visible"))),
        (":focus", "press", "Tab"), (f"{PICTURE} >> .bn-run:focus", "to_have_count", 0),
        (":focus", "press", "Shift+Tab"), (run(1), "to_be_focused"))


SEEN = """(number) => {
  const texts = [...document.querySelectorAll("article svg.bn-fig text")]
    .filter((each) => each.textContent.includes(number) && each.checkVisibility());
  const boxes = texts.map((each) => each.getBoundingClientRect());
  return boxes.some((box) => box.left >= 0 && box.right <= innerWidth && box.height >= 9);
}"""


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_phone_shows_the_number_without_scrolling(
    open_page: Any, name: str, width: int
) -> None:
    page = open_page(f"{name}.html", viewport={"width": width, "height": 700})
    assert page.locator("article svg.bn-narrow").count()
    assert all(page.evaluate(SEEN, each) for each in NUMBERS[name])


def test_drawers_of_a_phone_open_by_keyboard(open_page: Any) -> None:
    link = ".sidebar-tree a >> nth=0"
    follow(open_page("02_precision.html", **PHONE), (link, "to_be_hidden"),
           ("role=button[name='Toggle site navigation sidebar']", "press", "Enter"),
           (link, "to_be_visible"))
