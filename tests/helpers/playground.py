"""What the tests of the playground share: its Python, its page loaded once, and waiting for it."""

import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browser import watch

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN = 60  # Seconds from opening the page to the first score
ANSWERED_WITHIN = 10  # Seconds from a change to its score
PHONE = {"viewport": {"width": 390, "height": 844}}
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


@pytest.fixture(scope="session")
def bridge() -> Iterator[Any]:
    """The module that the playground runs."""
    folder = str(ROOT / "docs" / "playground")
    sys.path.insert(0, folder)
    yield import_module("bridge")
    sys.path.remove(folder)
    sys.modules.pop("bridge")


def address(question: dict[str, Any]) -> str:
    """The part of a link that holds a question."""
    state = {LETTERS[name]: str(value).lower() if value is True else value
             for name, value in question.items() if name in LETTERS}
    return urlencode({**state, "r": "\n".join(question["references"])})


def settled(page: Any, seconds: float = ANSWERED_WITHIN) -> None:
    """Wait until the page shows what was asked last."""
    page.wait_for_selector("#pg[data-busy=false]", timeout=1000 * seconds, state="attached")


def choose(page: Any, question: dict[str, Any]) -> None:
    """Follow a link within the page, and wait for its score."""
    page.evaluate("""hash => new Promise(resolve => {
        if (location.hash === "#" + hash) return resolve();
        addEventListener("hashchange", resolve, {once: true});
        location.hash = hash;
    })""", address(question))
    settled(page)


def text_of(page: Any, part: str) -> str:
    """The text of one part of the playground."""
    found: str = page.text_content(f"#pg [data-part={part}]")
    return found


def value(page: Any) -> str:
    """All digits of the score that is shown."""
    found: str = page.get_attribute("#pg [data-part=value]", "data-value")
    return found


@pytest.fixture(scope="module")
def ready_page(browser: Any, site_url: str) -> Iterator[Any]:
    """The playground, loaded once; at the end no page may have complained."""
    complaints: list[str] = []
    context = browser.new_context(accept_downloads=True)
    watch(context, site_url, complaints)
    page = context.new_page()
    started = time.monotonic()
    page.goto(f"{site_url}/playground.html")
    settled(page, READY_WITHIN)
    assert page.get_attribute("#pg", "data-state") == "ready"
    assert time.monotonic() - started < READY_WITHIN
    yield page
    context.close()
    assert not complaints


@pytest.fixture
def page(ready_page: Any) -> Any:
    """The loaded playground, with the boat in it."""
    choose(ready_page, BOAT)
    return ready_page
