"""The figures of the site for a pointer, for a keyboard, on paper and on a phone."""

from typing import Any

import pytest
from browser import DESK, PAGE, PHONE, follow

PICTURE = "article svg.bn-fig:has(.bn-run) >> nth=0"
RUN, HINT, AT = (f"{PICTURE} >> {place}" for place in (
    ".bn-run >> nth={}", ".bn-hint", ".bn-run >> nth=0 >> .bn-at"))
HINTED, TOLD = ([(shown, "to_be_visible"), (gone, "to_be_hidden")]
                for shown, gone in ((HINT, AT), (AT, HINT)))
NUMBERS = {  # Of figures, on some pages: what a reader came for
    "index": ["60.88", "67.25"],
    "00_by_hand": ["66.9"],
    "04_score_breakdown": ["0.640"],
    "04_explanation": ["60.88", "67.25"],
}
SEEN = """(texts) => texts.filter((each) => each.checkVisibility())
  .map((each) => each.getBoundingClientRect())
  .some((box) => box.left >= 0 && box.right <= innerWidth && box.height >= 9)"""
VISIBLE = "(all) => [...new Set(all.map((each) => each.checkVisibility()))]"
NAVIGATION = ".sidebar-tree a >> nth=0"
# A page, how it is shown, what a reader does, and then sees.
VISITS: dict[str, tuple[Any, ...]] = {
    **{f"{name} can be pointed at": (
        name, DESK, ("article img[src^='data:']", "to_have_count", 0), *HINTED,
        (f"{RUN.format(0)} >> rect >> nth=0", "hover"), *TOLD, ("h1", "hover"), *HINTED,
        (RUN.format(0), "focus"), *TOLD, (PAGE, "emulate_media", {"media": "print"}),
        (RUN.format(0), "blur"), (HINT, "to_be_hidden")) for name in ("03_aligning", "usage")},
    "arrow keys move inside a figure": (
        "00_by_hand", DESK, (RUN.format(0), "focus"), *(
            step for key, place in (
                ("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowUp", 0), ("End", -1),
                ("ArrowDown", -1), ("Home", 0), ("ArrowDown", 1))
            for step in ((":focus", "press", key), (RUN.format(place), "to_be_focused"),
                         (f"{RUN.format(place)} >> .bn-at", "to_be_visible"))),
        (":focus", "press", "Tab"), (f"{PICTURE} >> .bn-run:focus", "to_have_count", 0),
        (":focus", "press", "Shift+Tab"), (RUN.format(1), "to_be_focused")),
    "one drawing is shown at a time": (
        "index", {}, *(step for width in (1280, 375, 1280) for step in (
            (PAGE, "set_viewport_size", {"viewport_size": {"width": width, "height": 700}}),
            (".bn-both svg.bn-page", "to_give", VISIBLE, [width == 1280]),
            (".bn-both svg.bn-narrow", "to_give", VISIBLE, [width == 375])))),
    **{f"{width} pixels show the number of {name}": (
        name, {"viewport": {"width": width, "height": 700}},
        ("article svg.bn-narrow", "not_to_have_count", 0),
        *((f"article svg.bn-fig text:has-text('{number}')", "to_give", SEEN)
          for number in NUMBERS[name])) for name in NUMBERS for width in (320, 375)},
    "a phone's drawer opens by keyboard": (
        "02_precision", PHONE, (NAVIGATION, "to_be_hidden"),
        ("role=button[name='Toggle site navigation sidebar']", "press", "Enter"),
        (NAVIGATION, "to_be_visible")),
}


@pytest.mark.parametrize("name", VISITS)
def test_a_figure_answers(open_page: Any, name: str) -> None:
    page, settings, *steps = VISITS[name]
    follow(open_page(f"{page}.html", **settings), *steps)
