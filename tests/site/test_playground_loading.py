"""The playground before Python has come, and what it says when Python does not come."""

import gzip
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import bridge
import pytest
from browser import READY_WITHIN, follow
from playground import BOAT, ROOT, VALUE, address, scored, settled

PLAYGROUND = ROOT / "docs" / "playground"
MEGABYTE = 1_000_000
STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)


def test_the_first_answer_is_in_the_page(site: Path) -> None:
    html = (site / "playground.html").read_text(encoding="utf-8")
    found = bridge.respond(bridge.EXAMPLES[0])
    assert f'data-value="{found["value"]}"' in html
    for picture in ("alignment", "anatomy", "explanation"):
        for drawing in ("markup", "narrow"):    # A style sheet stands in a page once
            assert STYLE.sub("", found[picture][drawing]) in STYLE.sub("", html)
    for part in ("line", "call"):
        shown = re.search(rf'data-part="{part}"[^>]*>(.*?)</', html, re.DOTALL)
        assert shown and unescape(shown[1]) == found[part]


def lacking(pattern: str, **answer: Any) -> Callable[[Any], object]:
    """A page that has another answer than the file it asks for: by default that it is not there."""
    told = answer or {"status": 404}
    return lambda page: page.route(f"**/{pattern}", lambda route: route.fulfill(**told))


def waiting(page: Any) -> None:
    """Let Python never come."""
    page.route("**/pyodide.asm.wasm", lambda route: None)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_first_answer_is_seen_without_python(open_page: Any, scripts: bool) -> None:
    page = open_page("playground.html", lacking("pyodide/**"), java_script_enabled=scripts)
    assert page.inner_text(VALUE) == "66.90"
    assert page.locator("#pg .pg-picture svg:not(.bn-narrow)").count() == 3
    assert page.is_visible("#pg-anatomy")


def test_a_link_waits_for_its_own_answer(open_page: Any) -> None:
    page = open_page(f"playground.html#{address({**BOAT, 'candidate': 'the boat'})}", waiting)
    page.wait_for_function("document.querySelector('#pg [data-part=results]').hidden")
    assert not page.is_visible("[data-part=value]")


def test_loading_says_what_is_loaded(open_page: Any) -> None:
    page = open_page("playground.html", waiting)
    page.wait_for_function(
        "document.querySelector('#pg [data-part=status]').textContent.includes('Pyodide')")
    assert page.is_visible("[data-part=status]") and page.is_visible("[data-part=results]")
    page.fill("[name=candidate]", "typed while it loads")
    assert not page.is_visible("[data-part=results]")
    assert "typed+while+it+loads" in page.get_attribute("#pg [data-part=link]", "href")


def test_the_download_is_stated_as_it_is(open_page: Any, site: Path) -> None:
    page = open_page("playground.html")
    settled(page, READY_WITHIN)
    told = re.search(r"([\d.]+) MB, once", page.inner_text("article"))
    static = site / "_static"
    loaded = [*(static / "pyodide").iterdir(), *site.glob("*.whl"),
              *(static / "playground").iterdir()]
    size = sum(len(gzip.compress(path.read_bytes())) for path in loaded) / MEGABYTE
    assert told and abs(float(told[1]) - size) < 0.06
    names = page.evaluate("""performance.getEntriesByType('resource')
        .map(each => new URL(each.name).pathname)""")
    assert [each.rpartition("/")[2] for each in names if each.endswith(".whl")] in ([], [
        wheel.name for wheel in site.glob("*.whl")]), "no package of others is loaded"


def has_failed(page: Any, *said: str) -> Any:
    """A page that has given up, and says why."""
    page.wait_for_selector("#pg[data-state=failed]", timeout=READY_WITHIN)
    assert page.is_visible("[data-part=failure]")
    reason = page.text_content("#pg [data-part=reason]")
    assert all(each in reason for each in said), reason
    return page


BRIDGE = (PLAYGROUND / "bridge.py").read_text(encoding="utf-8")


def with_fault(body: str) -> Callable[[Any], object]:
    """A page whose Python has a fault."""
    return lambda page: (lacking("started.bin")(page), lacking("bridge.py", body=body)(page))


@pytest.mark.parametrize(("take", "said"), [
    (lacking("bridge.py"), "bridge.py) could not be loaded (404"),
    (lacking("bridge_swaps.py"), "bridge_swaps.py) could not be loaded (404"),
    (lacking("tabs.js"), "A part of the page could not be loaded"),
    (lacking("pyodide.mjs"), "Python (Pyodide) could not be loaded"),
    (lacking("pyodide.asm.wasm"), "Python (Pyodide) could not be loaded"),
    (lacking("python_stdlib.zip"), "Python (Pyodide) could not be loaded"),
    (lacking("worker.js*"), "worker could not be loaded"),
    (with_fault("import no_such_module"), "No module named 'no_such_module'"),
    (with_fault(f"{BRIDGE}\ndef scored(request):\n    raise RuntimeError('a fault')\n"),
     "Python stopped: RuntimeError: a fault"),
    (lambda page: page.add_init_script("delete globalThis.WebAssembly"), "no WebAssembly"),
    (lambda page: page.add_init_script("delete globalThis.Worker"), "no Web Workers"),
])
def test_what_is_missing_or_at_fault_is_named(
    open_page: Any, take: Callable[[Any], object], said: str
) -> None:
    has_failed(open_page("playground.html", take), said)


def test_a_page_opened_as_a_file_says_how_to_serve_it(open_page: Any, site: Path) -> None:
    page = open_page((site / "playground.html").as_uri(), lambda page: None)
    has_failed(page, "opened as a file", "python -m http.server")


def test_it_can_be_tried_again(open_page: Any) -> None:
    start = f"playground.html#{address({**BOAT, 'dialect': 'nltk'})}"
    page = has_failed(open_page(start, lacking("bleu_nb-*.whl")),
                      ".whl) could not be loaded (404")
    page.unroute("**/bleu_nb-*.whl")
    follow(page, ("[name=candidate]", "fill", "the boat came"),
           ("role=button[name='Try again']", "click"),
           (VALUE, "to_have_attribute", "data-value",
            scored(dialect="nltk", candidate="the boat came")),
           ("[data-part=failure]", "to_be_hidden"))


@pytest.mark.parametrize("answer", [{"status": 404}, {"body": "no memory of Python"}])
def test_python_starts_by_itself_where_its_memory_is_not_there(
    open_page: Any, answer: dict[str, Any]
) -> None:
    page = open_page(f"playground.html#{address({**BOAT, 'dialect': 'nltk'})}",
                     lacking("started.bin", **answer))
    follow(page, (VALUE, "to_have_attribute", "data-value", scored(dialect="nltk")))
