"""The playground's door to the package: one question as plain JSON, one answer as plain JSON.

It runs in the browser, where there is nothing but the standard library and `bleu_nb`, and in
CPython, where the tests ask it the same questions. What takes long is done in steps, so that the
page can show how far it is, and can stop it.
"""

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from bridge_check import check_steps
from bridge_examples import EXAMPLES, shipped
from bridge_files import file_steps, for_page
from bridge_menus import menus
from bridge_pair import pair_steps
from bridge_sentence import WRONG, scored
from bridge_why import why_steps

__all__ = ["EXAMPLES", "answer", "begin", "respond"]

SLICE = 0.04  # Seconds of a step: a key that is pressed meanwhile waits no longer
Request = Mapping[str, Any]
# How much is done, of how much, and where there is one, the answer so far
Steps = Generator[tuple[Any, ...], None, dict[str, Any]]


def at_once(request: Request) -> dict[str, Any]:
    """The answer to what takes a moment."""
    asked = request.get("ask")
    return menus() if asked == "menus" else shipped() if asked == "example" else scored(request)


def steps_of(request: Request, blobs: Sequence[Any]) -> Steps:
    """The way to an answer; what is refused is an answer, too."""
    long = {"files": file_steps, "pair": pair_steps, "why": why_steps, "check": check_steps}
    try:
        if request.get("ask") in long:
            return (yield from long[request["ask"]](request, blobs))
        return at_once(request)
    except WRONG as error:
        return {"error": for_page(str(error)) or type(error).__name__}


def begin(question: str, blobs: Sequence[Any] = ()) -> Callable[[], str]:
    """What goes on with a question for a moment, and says where it is; files come as bytes."""
    steps = steps_of(json.loads(question), blobs)

    def step() -> str:
        end = time.perf_counter() + SLICE
        while True:
            try:
                done, of, *found = next(steps)
            except StopIteration as stop:
                return json.dumps({"answer": stop.value})
            if found:
                return json.dumps({"done": done, "of": of, "soFar": found[0]})
            if time.perf_counter() > end:
                return json.dumps({"done": done, "of": of})

    return step


def respond(request: Request, blobs: Sequence[Any] = ()) -> dict[str, Any]:
    """The answer to a question, however long it takes."""
    steps = steps_of(request, blobs)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: dict[str, Any] = stop.value
            return found


def answer(question: str) -> str:
    """The same as JSON."""
    return json.dumps(respond(json.loads(question)))
