"""The playground before Python has come, and what it says when Python does not come."""

import gzip
import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import bridge
import pytest
from browser import PAGE, READY_WITHIN, follow
from playground import BOAT, ROOT, VALUE, address, scored, settled, shows

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


BRIDGE = (PLAYGROUND / "bridge.py").read_text(encoding="utf-8")


def with_fault(body: str) -> Callable[[Any], object]:
    """A page whose Python has a fault."""
    return lambda page: (lacking("started.bin")(page), lacking("bridge.py", body=body)(page))


def seen(selector: str, state: str = "visible") -> tuple[Any, ...]:
    """That something is seen, whether or not the page is busy."""
    return PAGE, "wait_for_selector", {
        "selector": selector, "state": state, "timeout": READY_WITHIN}


def failed(*said: str) -> list[tuple[Any, ...]]:
    """That a page has given up, and says why."""
    return [seen("#pg[data-state=failed]"), *(
        seen(f"[data-part=failure] [data-part=reason]:has-text({json.dumps(each)})")
        for each in said)]


NLTK = f"#{address({**BOAT, 'dialect': 'nltk'})}"
SHOWN = [seen(f"{VALUE}:text-is('66.90')"), seen("#pg-anatomy"),
         seen("#pg .pg-picture svg:not(.bn-narrow) >> nth=2")]
WHEEL = "bleu_nb-*.whl"
# How the page begins, what is taken from it, and what is then seen.
VISITS: dict[str, tuple[Any, ...]] = {
    "without Python the first answer is there": ("", lacking("pyodide/**"), *SHOWN),
    "a link waits for its own answer": (
        f"#{address({**BOAT, 'candidate': 'the boat'})}", waiting,
        seen("#pg [data-part=results]", "hidden"), seen("[data-part=value]", "hidden")),
    "loading says what is loaded": (
        "", waiting, seen("#pg [data-part=status]:has-text('Pyodide')"),
        seen("[data-part=results]"),
        ("[name=candidate]", "fill", "typed while it loads"),
        seen("[data-part=results]", "hidden"),
        seen("#pg [data-part=link][href*='typed+while+it+loads']", "attached")),
    **{said: ("", take, *failed(said)) for take, said in (
        (lacking("bridge.py"), "bridge.py) could not be loaded (404"),
        (lacking("bridge_swaps.py"), "bridge_swaps.py) could not be loaded (404"),
        (lacking("tabs.js"), "A part of the page could not be loaded"),
        (lacking("worker.js*"), "worker could not be loaded"),
        (with_fault("import no_such_module"), "No module named 'no_such_module'"),
        (with_fault(f"{BRIDGE}\ndef scored(request):\n    raise RuntimeError('a fault')\n"),
         "Python stopped: RuntimeError: a fault"),
        (lambda page: page.add_init_script("delete globalThis.WebAssembly"), "no WebAssembly"),
        (lambda page: page.add_init_script("delete globalThis.Worker"), "no Web Workers"))},
    **{f"{name} is not there": (
        "", lacking(name), *failed("Python (Pyodide) could not be loaded"))
       for name in ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip")},
    "it can be tried again": (
        NLTK, lacking(WHEEL), *failed(".whl) could not be loaded (404"),
        (PAGE, "unroute", {"url": f"**/{WHEEL}"}), ("[name=candidate]", "fill", "the boat came"),
        ("role=button[name='Try again']", "click"),
        shows(scored(dialect="nltk", candidate="the boat came")),
        ("[data-part=failure]", "to_be_hidden")),
    # Python starts by itself where its memory is not there
    **{f"{answer} for Python's memory": (
        NLTK, lacking("started.bin", **answer), shows(scored(dialect="nltk")))
       for answer in ({"status": 404}, {"body": "no memory of Python"})},
}


@pytest.mark.parametrize("name", VISITS)
def test_what_is_missing_or_at_fault_is_said(open_page: Any, name: str) -> None:
    hash_, take, *steps = VISITS[name]
    follow(open_page(f"playground.html{hash_}", take), *steps)


def test_the_first_answer_is_seen_without_scripts(open_page: Any) -> None:
    follow(open_page("playground.html", java_script_enabled=False), *SHOWN)


def test_a_page_opened_as_a_file_says_how_to_serve_it(open_page: Any, site: Path) -> None:
    page = open_page((site / "playground.html").as_uri(), lambda page: None)
    follow(page, *failed("opened as a file", "python -m http.server"))
