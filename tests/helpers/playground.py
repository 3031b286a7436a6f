"""What the tests of the playground share: its page loaded once, questions, and waiting for it."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browser import CAN_COPY, DESK, READY_WITHIN, visits

ROOT = Path(__file__).resolve().parents[2]
ANSWERED_WITHIN = 30_000  # Milliseconds from a change to its score
VALUE = "#pg [data-part=value]"
SELECTED = "aria-selected", "true"
PASTED = """(area, text) => { area.value = text; area.dispatchEvent(new Event("input")); }"""
# That the address holds a part: for a step that is no expectation of Playwright's.
HOLDS = """(_, part) => {
  if (!location.hash.includes(part)) throw new Error(`${location.hash} holds no ${part}`);
}"""
# That a page answers all the while: to be begun, and what is then true.
BEGIN = """() => {
    window.gaps = []; let last = performance.now();
    const tick = () => { gaps.push(performance.now() - last); last = performance.now();
        window.ticking = setTimeout(tick); };
    tick();
}"""
NOT_FROZEN = "() => { clearTimeout(ticking); return Math.max(...gaps) < 1000; }"
NO_HIT = ("html", "to_give", "() => typeof hit", "undefined")  # No script that was typed has run
LETTERS = {
    "candidate": "c", "dialect": "d", "tokenizer": "t", "max_order": "o", "smoothing": "s",
    "smoothing_value": "v", "lowercase": "l", "against": "x",
}
BOAT = {
    "candidate": "In winter the boat came once a month.",
    "references": [
        "In winter the boat came only once a month.",
        "In the winter months the boat came just once a month.",
    ],
    "dialect": "sacrebleu",
    "against": "nltk",
}


def asked(change: dict[str, Any]) -> dict[str, Any]:
    """The question about the boat with a change."""
    return {**BOAT, **change}


def scored(**change: Any) -> str:
    """All digits of the score of the boat with a change."""
    import bridge

    return str(bridge.respond(asked(change))["value"])


def button(name: str) -> str:
    """Where a button with these words is."""
    return f"role=button[name={json.dumps(name)}]"


def shows(digits: str) -> tuple[str, ...]:
    """That a score is shown, with all its digits."""
    return VALUE, "to_have_attribute", "data-value", digits


def address(question: dict[str, Any]) -> str:
    """The part of a link that holds a question."""
    state = {LETTERS[name]: str(value).lower() if value is True else value
             for name, value in question.items() if name in LETTERS}
    return urlencode({**state, "r": "\n".join(question["references"])})


def settled(page: Any, within: float = ANSWERED_WITHIN) -> None:
    """Wait until the page shows what was asked last."""
    page.wait_for_selector("#pg[data-busy=false]", timeout=within, state="attached")


def choose(page: Any, question: dict[str, Any]) -> None:
    """Follow a link within the page, and wait for its score."""
    page.evaluate("""hash => new Promise(resolve => {
        if (location.hash === "#" + hash) return resolve();
        addEventListener("hashchange", resolve, {once: true});
        location.hash = hash;
    })""", address(question))
    settled(page)


@pytest.fixture(scope="module")
def ready_page(browser: Any, site_url: str) -> Iterator[Any]:
    """The playground, loaded once; at the end no page may have complained."""
    with visits(browser, site_url, []) as opened:
        started = time.monotonic()
        page = opened("playground.html", accept_downloads=True, **CAN_COPY)
        settled(page, READY_WITHIN)
        assert page.get_attribute("#pg", "data-state") == "ready"
        assert 1000 * (time.monotonic() - started) < READY_WITHIN
        yield page


@pytest.fixture
def page(ready_page: Any) -> Any:
    """The loaded playground on a desk, with the boat in it."""
    ready_page.set_viewport_size(DESK["viewport"])
    choose(ready_page, BOAT)
    return ready_page
