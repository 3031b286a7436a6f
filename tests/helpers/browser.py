"""Fixtures that build the site once, serve it, and drive a browser over it."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from browsing import BROWSERS, FLAGS, find_browser, served
from clean_checkout import require_npm, require_pip
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """What `make site` builds, once for all workers of a run: with the packages that are locked."""
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed: pip install -e '.[dev]'")
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
    contexts = []

    def opened(path: str, **settings: Any) -> Any:
        context = browser.new_context(**settings)
        contexts.append(context)
        watch(context, site_url, complaints)
        page = context.new_page()
        page.goto(f"{site_url}/{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
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
