"""The playground before Python has come, and what it says when Python does not come."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playground import BOAT, READY_WITHIN, ROOT, address, settled, text_of, value

PLAYGROUND = ROOT / "docs" / "playground"
MEGABYTE = 1_000_000
STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


def test_the_first_answer_is_in_the_page(site: Path, bridge: Any) -> None:
    html = (site / "playground.html").read_text(encoding="utf-8")
    found = bridge.respond(bridge.EXAMPLES[0])
    assert f'data-value="{found["value"]}"' in html
    for picture in ("alignment", "anatomy", "explanation"):
        for drawing in ("markup", "narrow"):    # A style sheet stands in a page once
            assert STYLE.sub("", found[picture][drawing]) in STYLE.sub("", html)
    for part in ("line", "call"):
        shown = re.search(rf'data-part="{part}"[^>]*>(.*?)</', html, re.DOTALL)
        assert shown and unescape(shown[1]) == found[part]


def test_the_first_answer_is_seen_without_python(browser: Any, site_url: str) -> None:
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.route("**/pyodide/**", lambda route: route.fulfill(status=404))
        page.goto(f"{site_url}/playground.html")
        assert page.inner_text("#pg [data-part=value]") == "66.90"
        assert page.locator("#pg .pg-picture svg:not(.bn-narrow)").count() == 3
        assert page.is_visible("#pg-anatomy")
        context.close()


def test_a_link_waits_for_its_own_answer(browser: Any, site_url: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/pyodide.asm.wasm", lambda route: None)
    page.goto(f"{site_url}/playground.html#{address({**BOAT, 'candidate': 'the boat'})}")
    page.wait_for_function("document.querySelector('#pg [data-part=results]').hidden")
    assert not page.is_visible("[data-part=value]")
    context.close()


def test_the_download_is_stated_as_it_is(open_page: Any, site: Path) -> None:
    page = open_page("playground.html")
    settled(page, READY_WITHIN)
    told = re.search(r"([\d.]+) MB, once", page.inner_text("article"))
    static = site / "_static"
    loaded = [*(static / "pyodide").iterdir(), static / "bleu_nb.zip",
              *(static / "playground").iterdir()]
    size = sum(path.stat().st_size for path in loaded) / MEGABYTE
    assert told and abs(float(told[1]) - size) < 0.06
    names = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    assert not [each for each in names if each.endswith(".whl")]


def failing_page(browser: Any, address: str, blocked: str = "", script: str = "") -> Any:
    """A page that lacks a file or a feature, after it has given up."""
    context = browser.new_context()
    if script:
        context.add_init_script(script)
    page = context.new_page()
    if blocked:
        page.route(f"**/{blocked}", lambda route: route.fulfill(status=404))
    page.goto(address)
    page.wait_for_selector("#pg[data-state=failed]", timeout=1000 * READY_WITHIN)
    assert page.is_visible("[data-part=failure]")
    return page


@pytest.mark.parametrize(("blocked", "said"), [
    ("bridge.py", "bridge.py) could not be loaded (404"),
    ("bridge_swaps.py", "bridge_swaps.py) could not be loaded (404"),
    ("tabs.js", "A part of the page could not be loaded"),
    ("pyodide.mjs", "Python (Pyodide) could not be loaded"),
    ("pyodide.asm.wasm", "Python (Pyodide) could not be loaded"),
    ("python_stdlib.zip", "Python (Pyodide) could not be loaded"),
    ("worker.js", "worker could not be loaded"),
])
def test_a_missing_file_is_named(browser: Any, site_url: str, blocked: str, said: str) -> None:
    page = failing_page(browser, f"{site_url}/playground.html", blocked)
    assert said in text_of(page, "reason")
    page.context.close()


def test_it_can_be_tried_again(browser: Any, site_url: str, bridge: Any) -> None:
    start = f"{site_url}/playground.html#{address({**BOAT, 'dialect': 'nltk'})}"
    page = failing_page(browser, start, "bleu_nb.zip")
    assert "bleu_nb.zip) could not be loaded (404" in text_of(page, "reason")
    page.fill("[name=candidate]", "the boat came")
    page.unroute("**/bleu_nb.zip")
    page.get_by_role("button", name="Try again").click()
    settled(page, READY_WITHIN)
    assert not page.is_visible("[data-part=failure]")
    question = {**BOAT, "dialect": "nltk", "candidate": "the boat came"}
    assert value(page) == bridge.respond(question)["value"]
    page.context.close()


BRIDGE = (PLAYGROUND / "bridge.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(("body", "said"), [
    ("import no_such_module", "No module named 'no_such_module'"),
    (f"{BRIDGE}\ndef scored(request):\n    raise RuntimeError('a fault')\n",
     "Python stopped: RuntimeError: a fault"),
], ids=["import", "run"])
def test_a_fault_is_said(browser: Any, site_url: str, body: str, said: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/started.bin", lambda route: route.fulfill(status=404))
    page.route("**/bridge.py", lambda route: route.fulfill(body=body))
    page.goto(f"{site_url}/playground.html")
    page.wait_for_selector("#pg[data-state=failed]", timeout=1000 * READY_WITHIN)
    assert said in text_of(page, "reason")
    context.close()


@pytest.mark.parametrize(("script", "said"), [
    ("delete globalThis.WebAssembly", "no WebAssembly"),
    ("delete globalThis.Worker", "no Web Workers"),
])
def test_a_missing_feature_is_named(browser: Any, site_url: str, script: str, said: str) -> None:
    page = failing_page(browser, f"{site_url}/playground.html", script=script)
    assert said in text_of(page, "reason")
    page.context.close()


def test_a_page_opened_as_a_file_says_how_to_serve_it(browser: Any, site: Path) -> None:
    page = failing_page(browser, (site / "playground.html").as_uri())
    assert "opened as a file" in text_of(page, "reason")
    assert "python -m http.server" in text_of(page, "reason")
    page.context.close()


@pytest.mark.parametrize("answer", [{"status": 404}, {"body": "no memory of Python"}])
def test_python_starts_by_itself_where_its_memory_is_not_there(
    browser: Any, site_url: str, bridge: Any, answer: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/started.bin", lambda route: route.fulfill(**answer))
    page.goto(f"{site_url}/playground.html#{address({**BOAT, 'dialect': 'nltk'})}")
    settled(page, READY_WITHIN)
    assert value(page) == bridge.respond({**BOAT, "dialect": "nltk"})["value"]
    context.close()


def test_loading_says_what_is_loaded(browser: Any, site_url: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/pyodide.asm.wasm", lambda route: None)
    page.goto(f"{site_url}/playground.html")
    page.wait_for_function(
        "document.querySelector('#pg [data-part=status]').textContent.includes('Pyodide')")
    assert page.is_visible("[data-part=status]") and page.is_visible("[data-part=results]")
    page.fill("[name=candidate]", "typed while it loads")
    assert not page.is_visible("[data-part=results]")
    assert "typed+while+it+loads" in page.get_attribute("#pg [data-part=link]", "href")
    context.close()
