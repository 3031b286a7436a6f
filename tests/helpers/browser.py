"""Fixtures that build the site once, serve it, and drive a browser over it."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from browsing import BROWSERS, FLAGS, find_browser, served
from clean_checkout import require_npm, require_pip
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "docs" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"viewport": {"width": 375, "height": 812}}
DESK = {"viewport": {"width": 1280, "height": 900}}
CAN_COPY = {"permissions": ["clipboard-read", "clipboard-write"]}
READY_WITHIN = 120_000  # Milliseconds, until Python has come and nothing is computed
TRUE_WITHIN = 30_000  # Until what is expected is true
IDLE = "document.getElementById('pg')?.dataset.busy !== 'true'"
BREACHES = """(place) => axe.run(place, {resultTypes: ["violations"], preload: false,
    rules: {"target-size": {enabled: true}}}).then(
  (found) => found.violations.flatMap((rule) => rule.nodes.map(
    (node) => `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`)))"""
PAGE = "page"  # In the place of a step: the page itself


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What `make site` builds, once for all workers of a run: with the packages that are locked."""
    folder = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        folder = folder.parent
    built = folder / "site-is-built"
    with FileLock(folder / "site.lock"):
        if not built.exists():
            require_site_packages(folder / "probe")
            done = subprocess.run(["make", "site", f"PYTHON={sys.executable}"], cwd=ROOT,
                                  capture_output=True, text=True)
            if done.returncode:
                pytest.fail(f"the site does not build:\n{done.stdout}{done.stderr}", pytrace=False)
            built.touch()
    return ROOT / "build" / "site"


def require_site_packages(probe: Path) -> None:
    """Skip where `make site` can neither find nor install what it builds with."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    require_npm()
    if not (ROOT / "build" / "site-venv" / "installed").exists():
        require_pip(probe)


class Page(NamedTuple):
    """A page as it is served."""

    html: str
    links: set[str]
    anchors: set[str]  # What can be linked to
    loose: list[str]  # Literals outside of links


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Page]:
    """Each page by its address relative to the site."""
    return {path.relative_to(site).as_posix(): page_of(path.read_text(encoding="utf-8"))
            for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}


def page_of(html: str) -> Page:
    """What stands in a page."""
    from lxml.html import (
        document_fromstring,  # Of sacreBLEU's; only the site's tests need it
    )

    root = document_fromstring(html)
    loose = root.xpath("//code[contains(@class, 'literal')][not(ancestor::a)]")
    return Page(html, {*root.xpath("//@href | //@src")}, {*root.xpath("//@id | //@name")},
                [each.text_content() for each in loose])


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """Where the site is served on loopback, without a slash at the end."""
    with served(site) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, driven by Playwright."""
    program = find_browser()
    if program is None:
        pytest.skip(f"no browser is installed: looked for {', '.join(BROWSERS)}")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def complaints() -> list[str]:
    """Console errors and requests to other hosts that the pages of a test have made."""
    return []


@pytest.fixture
def open_page(
    browser: Any, site_url: str, complaints: list[str]
) -> Iterator[Callable[..., Any]]:
    """Open a page of the site; the test fails at its end if a page has complained."""
    with visits(browser, site_url, complaints) as opened:
        yield opened


@contextmanager
def visits(
    browser: Any, site_url: str, complaints: list[str]
) -> Iterator[Callable[..., Any]]:
    """Open pages of the site, each in a context of its own; at the end none may have complained.

    Who takes something from a page before it is opened lets it complain.
    """
    with ExitStack() as contexts:
        def opened(path: str, take: Callable[[Any], object] | None = None, **settings: Any) -> Any:
            context = contexts.enter_context(
                browser.new_context(base_url=f"{site_url}/", **settings))
            page = context.new_page()
            take(page) if take else watch(context, site_url, complaints)
            page.goto(path)
            return page

        yield opened
    assert not complaints


def watch(context: Any, site_url: str, complaints: list[str]) -> None:
    """Block every other host, and note requests to them, failed ones, and errors."""
    def blocked(route: Any) -> None:
        complaints.append(f"request to another host: {route.request.url}")
        route.abort()

    def console(message: Any) -> None:
        if message.type == "error":
            complaints.append(f"console: {message.text} ({message.location.get('url')})")

    context.route(lambda url: not url.startswith((f"{site_url}/", "data:", "blob:")), blocked)
    context.on("console", console)
    context.on("weberror", lambda error: complaints.append(f"error: {error.error}"))


def breaches(there: Any) -> list[str]:
    """What axe objects to in a place."""
    there.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = there.evaluate(BREACHES)
    return found


def gives(there: Any, script: str, expected: Any = True) -> None:
    """Wait until a script gives what is expected of all that is there, which must be something."""
    latest = time.monotonic() + TRUE_WITHIN / 1000
    while expected != (found := there.evaluate_all(script)) and time.monotonic() < latest:
        there.page.wait_for_timeout(50)
    assert found == expected and there.count()


def follow(page: Any, *steps: tuple[Any, ...]) -> None:
    """Take one step after the other: where, what is done there by Playwright's name, with what.

    A step whose name begins with `to_` or `not_to_` is what is then expected, before long, and
    where there is a playground, once it has answered. `to_give` is a script with what it gives,
    `to_be_sound` is by axe. What is done with `PAGE` itself has its arguments by name.
    """
    from playwright.sync_api import expect

    expect.set_options(timeout=TRUE_WITHIN)
    for place, name, *told in steps:
        if place == PAGE:
            getattr(page, name)(**dict(*told))
            continue
        there = page.locator(place)
        if expected := name.startswith(("to_", "not_to_")):
            page.wait_for_function(IDLE, timeout=READY_WITHIN)
        if name == "to_give":
            gives(there, *told)
        elif name == "to_be_sound":
            assert not breaches(there)
        else:
            getattr(expect(there) if expected else there, name)(*told)
