"""What a visitor of the built site waits for, in a real browser: `make site` comes first.

`python benchmarks/site.py` opens build/site and writes `site.json`. The lines for its tab Files are
real translations, beside the checkout (`BLEU_NB_DATA` names another folder).
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpora import ROOT, WMT
from run import machine
from timing import spread

sys.path.insert(0, str(ROOT / "tools"))
from browsing import FLAGS, find_browser, served

RECORD = ROOT / "benchmarks" / "site.json"
FILES = ("sys.LIUM-NMT.4900.txt", "sys.online-B.0.txt", "ref.A.txt")  # Two systems, and people
READY = "#pg[data-state=ready][data-busy=false]"
PATIENCE = 120_000  # Milliseconds
LETTERS = " of a small boat that came"  # Typed one after the other
# Change a field as a keystroke does, and wait until the page is busy with nothing.
TYPE = """([selector, text]) => new Promise(resolve => {
    const field = document.querySelector(selector), root = document.querySelector("#pg");
    const started = performance.now();
    const watch = new MutationObserver(() => {
        if (root.dataset.busy !== "false") return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
    });
    watch.observe(root, {attributes: true, attributeFilter: ["data-busy"]});
    field.value += text;
    field.dispatchEvent(new Event("input", {bubbles: true}));
})"""
PUT = """([selector, text]) => {
    const field = document.querySelector(selector);
    field.value = text;
    field.dispatchEvent(new Event("input", {bubbles: true}));
}"""
PAINT = """new Promise(resolve => new PerformanceObserver((list) => {
    for (const each of list.getEntriesByName("first-contentful-paint")) resolve(each.startTime);
}).observe({type: "paint", buffered: true}))"""
# Frames while the front page's figure goes through its steps.
FRAMES = """async () => {
    const frames = []; let last = null, going = true;
    const frame = now => { if (last !== null) frames.push(now - last); last = now;
        if (going) requestAnimationFrame(frame); };
    const strip = document.querySelector(".fs-strip");
    requestAnimationFrame(frame);
    for (let step = 0; step < 4; step += 1) {
        strip.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
        await new Promise(resolve => setTimeout(resolve, 900));
    }
    going = false;
    return frames;
}"""


def main() -> None:
    """Measure each wait in rounds, and write the spread of each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="how the names of the waits begin")
    parser.add_argument("--site", type=Path, default=ROOT / "build" / "site", help="its folder")
    parser.add_argument("--out", type=Path, default=RECORD)
    options = parser.parse_args()
    waits = {name: wait for name, wait in WAITS.items() if name.startswith(options.only)}
    program = find_browser()
    if program is None or not (options.site / "index.html").exists():
        sys.exit("a browser and the built site are needed: run make site first")
    from playwright.sync_api import sync_playwright

    with served(options.site) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        found: dict[str, list[float]] = {}
        for number in range(1, 1 + options.rounds):
            for name, measure in waits.items():
                print(f"round {number} of {options.rounds}: {name}", file=sys.stderr)
                context = browser.new_context(viewport={"width": 1280, "height": 900})
                found.setdefault(name, []).extend(measure(context.new_page(), url))
                context.close()
        record = {"machine": machine(), "browser": browser.version, "rounds": options.rounds,
                  "milliseconds": {name: spread(times) for name, times in found.items()}}
        browser.close()
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for name, times in record["milliseconds"].items():
        print(f"{times['median']:8.1f}  ({times['low']:.1f} to {times['high']:.1f})  {name}")


def first_paint(page: Any, url: str) -> list[float]:
    """The front page, from its address to its first words."""
    page.goto(f"{url}/")
    return [page.evaluate(PAINT)]


def frame_times(page: Any, url: str) -> list[float]:
    """Each frame while the front page's figure moves."""
    page.goto(f"{url}/")
    page.wait_for_load_state("load")
    found: list[float] = page.evaluate(FRAMES)
    return found


def playground(page: Any, url: str) -> float:
    """Open the playground and wait for Python; milliseconds since the address was given."""
    page.goto(f"{url}/playground.html")
    page.wait_for_selector(READY, timeout=PATIENCE, state="attached")
    found: float = page.evaluate("performance.now()")
    return found


def letters(page: Any, selector: str) -> list[float]:
    """Type letters, each when the one before is answered."""
    return [page.evaluate(TYPE, [selector, each]) for each in LETTERS]


def sentence_letters(page: Any, url: str) -> list[float]:
    """Letters typed into a sentence."""
    playground(page, url)
    return letters(page, "[name=candidate]")


def given(page: Any, url: str, number: int) -> list[str]:
    """The playground's tab Files, opened; and lines of the files to put there."""
    playground(page, url)
    page.click("#pg-tab-files")
    lines = [(WMT / "wmt17" / "en-de" / name).read_text("utf-8").split("\n") for name in FILES]
    return ["\n".join(each[:number]) for each in lines]


def line_letters(page: Any, url: str) -> list[float]:
    """Letters typed below a thousand pasted lines."""
    candidate, _, reference = given(page, url, 1000)
    page.evaluate(PUT, ["[data-part=references] textarea", reference])
    page.evaluate(PUT, ["[data-part=candidates] textarea", candidate])
    page.wait_for_selector("[data-part=files-results]:not([hidden])", timeout=PATIENCE)
    page.wait_for_selector(READY, timeout=PATIENCE, state="attached")
    return letters(page, "[data-part=candidates] textarea")


def two_systems(page: Any, url: str) -> list[float]:
    """Two systems of 3,004 lines, pasted, to their test."""
    candidate, second, reference = given(page, url, 3004)
    page.click("[data-part=more] > summary")
    page.evaluate(PUT, ["[data-part=candidates] textarea", candidate])
    page.evaluate(PUT, ["[data-part=second] textarea", second])
    taken: float = page.evaluate(TYPE, ["[data-part=references] textarea", reference])
    assert page.is_visible("[data-part=pair-results]")
    return [taken]


WAITS: dict[str, Callable[[Any, str], list[float]]] = {
    "front page: first words": first_paint,
    "front page: a frame of the figure": frame_times,
    "playground: ready, nothing kept": lambda page, url: [playground(page, url)],
    "playground: a letter of a sentence": sentence_letters,
    "playground: a letter of 1,000 lines": line_letters,
    "playground: two systems of 3,004 lines and their test": two_systems,
}

if __name__ == "__main__":
    main()
