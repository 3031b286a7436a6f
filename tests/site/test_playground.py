"""The playground's tab Sentence: what its Python answers, and what a visitor sees and types."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import bridge
import pytest
from browser import PAGE, PHONE, follow
from commands import python
from playground import (
    ANSWERED_WITHIN,
    BEGIN,
    BOAT,
    HOLDS,
    LETTERS,
    NO_HIT,
    NOT_FROZEN,
    ROOT,
    SELECTED,
    VALUE,
    address,
    asked,
    button,
    choose,
    scored,
    settled,
    shows,
)

from bleu_nb import DIALECTS, sentence_bleu
from bleu_nb.derivation.score_line import say_number
from bleu_nb.dialects import SMOOTHINGS, TOKENIZERS

PICTURES = ("alignment", "anatomy", "explanation")
PARROT = {
    "candidate": "the the the the the the the",
    "references": ["the cat is on the mat", "there is a cat on the mat"],
    "dialect": "papineni",
    "max_order": 1,
}
LONG = " ".join(f"word{number % 317}" for number in range(1000))
# What is changed in the sentence about the boat, by name.
CASES: dict[str, dict[str, Any]] = {
    **{f"dialect {name}": {"dialect": name} for name in DIALECTS},
    **{f"tokenizer {name}": {"tokenizer": name, "candidate": "Im Winter-Boot: 1.5, 3-mal; 冬天 x²!"}
       for name in TOKENIZERS if not TOKENIZERS[name].requires},
    **{f"smoothing {name}": {"smoothing": name, "dialect": "nltk", "candidate": "boat once came"}
       for name in SMOOTHINGS},
    "order 1": {"max_order": 1},
    "order 9": {"max_order": 9},
    "a smoother's number": {"smoothing": "add-k", "smoothing_value": 0.25},
    "a number that is refused": {"smoothing": "nltk-4", "smoothing_value": 0},
    "lower-cased": {"lowercase": True, "candidate": "IN WINTER The Boat"},
    "the parrot": PARROT,
    "an empty candidate": {"candidate": ""},
    "a blank candidate": {"candidate": "  \n\t "},
    "no reference": {"references": []},
    "a script": {"candidate": "<script>hit = 1</script><img src=x onerror='hit = 1'>"},
    "markup in a reference": {"references": ["</text></svg><script>hit = 1</script>", "a & b"]},
    "quotes": {"candidate": "\"'`\\'''\"\"\" {x} %s", "references": ["'\"\\", "\\n"]},
    "control characters": {"candidate": "a\x00b \x07 \x1b[31m \x7f \x85",
                           "references": ["a \x0b b"]},
    "emoji": {"candidate": "👩‍👩‍👧 🏳️‍🌈 ok", "references": ["👩‍👩‍👧 ok"]},
    "right to left": {"candidate": "جاء القارب مرة في الشهر.",
                      "references": ["جاء القارب مرة واحدة في الشهر.", "בא פעם"]},
    "turned text": {"candidate": "a \u202e b \u2066 c", "references": ["a \u202e b"]},
    "Chinese": {"candidate": "冬天，船每月来一次。", "references": ["冬天，船每月只来一次。"],
                "tokenizer": "zh"},
    "Japanese by character": {"candidate": "冬は船が来た。", "references": ["冬には船が来た。"],
                              "tokenizer": "char"},
    "combining marks": {"candidate": "e\u0301 \u0301 z\u0351\u0352", "references": ["é z"]},
    "white space": {"candidate": "a\u00a0b\u3000c\u2028d", "references": ["a b c d"]},
    "one long token": {"candidate": "x" * 5000, "references": ["x" * 4999]},
    "a thousand tokens": {"candidate": LONG, "references": [LONG[:-9], LONG[9:]]},
}
REFUSED = {"no reference", "a number that is refused", "smoothing nltk-6"}


# What the Python answers


def test_menus_come_from_the_package_and_every_example_is_drawn() -> None:
    menus = json.loads(bridge.answer('{"ask": "menus"}'))
    assert [row["name"] for row in menus["dialects"]] == list(DIALECTS)
    assert menus["tokenizers"] + menus["left_out"] == list(TOKENIZERS)
    assert [each["name"] for each in menus["smoothings"]] == list(SMOOTHINGS)
    assert not [(each["name"], found) for each in menus["examples"]
                for found in map(bridge.respond(each).get, PICTURES) if "error" in found]


WITHOUT_NUMPY = """
import json, sys
sys.modules["numpy"] = None
sys.path.insert(0, sys.argv[1])
import bridge
print(json.dumps([bridge.respond(question) for question in json.load(sys.stdin)]))
"""


def test_every_answer_is_the_same_without_numpy() -> None:
    files = {**bridge.respond({"ask": "example"}), "ask": "files"}
    questions = [{"ask": "menus"}, *bridge.EXAMPLES, *map(asked, CASES.values()),
                 *({**files, "dialect": name} for name in DIALECTS),
                 *({**files, "ask": "why", "dialect": "sacrebleu", "against": name}
                   for name in DIALECTS),
                 {**files, "ask": "pair", "dialect": "sacrebleu"},
                 {**files, "ask": "check", "score": "46.8"}]
    told = python(WITHOUT_NUMPY, ROOT / "docs" / "playground", input=json.dumps(questions))
    for question, found in zip(questions, json.loads(told), strict=True):
        assert found == json.loads(bridge.answer(json.dumps(question))), question


@pytest.mark.parametrize("name", CASES)
def test_an_answer_can_be_shown_and_its_call_gives_the_same_score(name: str) -> None:
    question, names = asked(CASES[name]), dict[str, Any]()
    found = json.loads(bridge.answer(json.dumps(question)))
    assert ("error" in found) == (name in REFUSED)
    if name in REFUSED:
        return
    drawn = [found[each]["markup"] for each in PICTURES if "error" not in found[each]]
    for root in map(ElementTree.fromstring, drawn):
        assert root.tag.endswith("svg")
        assert not [each for each in root.iter() if "script" in str(each.tag)]
    assert ("error" in found["alignment"]) == (name == "a thousand tokens")
    exec(found["call"], names)
    assert {each: names[each] for each in ("candidate", "references")}.items() <= question.items()
    assert (repr(names["score"].value), names["score"].line()) == (found["value"], found["line"])
    explanation = names["explanation"]
    second = sentence_bleu(question["candidate"], question["references"], question["against"])
    assert (explanation.first_score.value, explanation.second_score.value) == (
        names["score"].value, second.value)
    points = say_number(explanation.difference, 2, sign=True)
    assert f"{points} points" in " ".join(found["explanation"]["text"].split())


def test_explanation_that_is_impossible_leaves_the_score() -> None:
    found = bridge.respond(asked({
        "candidate": "x a,b,c,d", "references": ["a,b,c,d y"], "smoothing": "nltk-6"}))
    assert float(found["value"]) > 0 and "markup" in found["alignment"]
    assert "cannot be compared on this text" in found["explanation"]["error"]


@pytest.mark.parametrize(("change", "said"), [
    ({"dialect": "sacreblue"}, "did you mean 'sacrebleu', 's"),
    ({"against": "nltkk"}, "did you mean 'nltk', 'n"),
    ({"references": []}, "at least one"),
    ({"candidate": None}, "candidate is missing (None or NaN)"),
    ({"max_order": 0}, "at least 1"),
    ({"smoothing": "exp", "smoothing_value": 2}, "takes no value"),
    ({"tokenizer": "13b"}, "tokenizer"),
])
def test_wrong_questions_get_a_reason(change: dict[str, Any], said: str) -> None:
    assert said in bridge.respond(asked(change))["error"]


# What a visitor meets


ANSWERS = """async ([hashes, patience]) => {
  const root = document.getElementById("pg");
  const text = (name) => root.querySelector(`[data-part=${name}]`).textContent;
  const answers = [];
  for (const hash of hashes) {
    const started = performance.now();
    const shown = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`no answer to ${hash}`)), patience);
      const watch = new MutationObserver(() => {
        if (root.dataset.busy === "false") { watch.disconnect(); resolve(); }
      });
      watch.observe(root, {attributeFilter: ["data-busy"]});
    });
    location.hash = hash;
    await shown;
    answers.push(root.querySelector("[data-part=results]").hidden ? {error: text("refused")}
      : {value: root.querySelector("[data-part=value]").dataset.value, line: text("line"),
         call: text("call"), text: text("text")});
  }
  return answers;
}"""


def told_of(found: dict[str, Any]) -> dict[str, str]:
    """What the page shows of an answer."""
    return {"error": f"No score: {found['error']}."} if "error" in found else {
        **{key: found[key] for key in ("value", "line", "call")},
        "text": found["explanation"].get("text", "")}


def test_browser_and_cpython_give_the_same_digits(page: Any) -> None:
    assert len(CASES) >= 25
    questions = [asked(change) for change in CASES.values()]
    choose(page, asked({"candidate": "before the first case"}))
    answers = page.evaluate(ANSWERS, [[*map(address, questions)], ANSWERED_WITHIN])
    assert answers == [told_of(bridge.respond(question)) for question in questions]


STOP = "[data-part=alignment] svg [tabindex='0']"
COPIED = """async (_, wanted) => {
  document.querySelector("#pg [data-part=copied]").textContent = "";
  const copied = await navigator.clipboard.readText();
  if (copied !== (wanted ?? location.href)) throw new Error(`copied is ${copied}`);
}"""
CANDIDATE, REFERENCES, DIALECT = (
    f"[name={name}]" for name in ("candidate", "references", "dialect"))
UNDO, RESULTS, REFUSAL, NOTICE, SEVERAL, UNSPLIT, FOCUS = (
    *(f"[data-part={name}]" for name in (
        "undo", "results", "refused", "notice", "several", "unsplit")), ":focus")
LINES = ["In winter the boat came once a month.", "The sea forgets nothing."]
PEOPLE = ["In winter the boat came only once a month.", "The sea does not forget anything."]
CORPUS = {"ask": "files", "dialect": "sacrebleu",
          "candidate": {"name": "c", "text": "\n".join(LINES)},
          "references": [{"name": "r", "text": "\n".join(PEOPLE)}]}
WORDS = [f"w{place}" for place in range(32)]
HALF = asked({"candidate": "In \ud800 winter"})
SHIPS = next(each for each in bridge.EXAMPLES if each["name"] == "The ships")


def asks(question: dict[str, Any]) -> tuple[str, ...]:
    """That a link within the page is followed."""
    return "html", "evaluate", "(_, hash) => { location.hash = hash; }", address(question)


def names_its_own(dialect: str) -> list[tuple[str, ...]]:
    """That each empty choice says what the dialect takes."""
    return [(DIALECT, "select_option", dialect), *(
        (f"[name={field}] option >> nth=0", "to_have_text",
         f"{getattr(DIALECTS[dialect], field)} (the dialect’s)")
        for field in ("tokenizer", "max_order", "smoothing"))]


DRAWN = "#pg .pg-picture"
IN_VIEW = """([it]) => { const box = it.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1; }"""
BESIDE = """() => {
  const [typed, score] = ["[name=candidate]", "[data-part=score]"].map(
      (name) => document.querySelector(`#pg ${name}`).getBoundingClientRect());
  return score.x > typed.right && score.y < typed.y
      && document.documentElement.scrollWidth <= 1280;
}"""
# What a visitor does, and then sees; it begins with the boat.
VISITS: dict[str, list[tuple[Any, ...]]] = {
    "several lines are not scored as one without a word": [
        (REFERENCES, "fill", "\n".join(PEOPLE)), (CANDIDATE, "fill", f"{LINES[0]}\n"),
        (SEVERAL, "to_be_hidden"), (CANDIDATE, "fill", "\n".join(LINES)),
        (SEVERAL, "to_have_attribute", "role", "status"),
        (SEVERAL, "to_contain_text", "2 lines, which are scored here as one sentence"),
        (f"{SEVERAL} button", "click"), ("#pg-tab-files", "to_have_attribute", *SELECTED),
        ("[data-part=files-results] .pg-value", "to_have_attribute", "data-value",
         bridge.respond(CORPUS)["systems"][0]["value"]),
        ("#pg-tab-sentence", "click")],
    "an example can be undone": [
        (CANDIDATE, "fill", "typed with care"), (DIALECT, "select_option", "nltk"),
        (button("The parrot"), "click"), (button("The mumble"), "click"),
        (UNDO, "to_be_visible"), (UNDO, "click"), (UNDO, "click"),
        (CANDIDATE, "to_have_value", "typed with care"), (DIALECT, "to_have_value", "nltk")],
    "choices go back to the dialect's own": [
        ("[name=tokenizer]", "select_option", "char"),
        ("[name=smoothing]", "select_option", "floor"), ("[name=smoothing_value]", "fill", "0.5"),
        (DIALECT, "select_option", "nltk"),
        *((f"[name={name}]", "to_have_value", "") for name in (
            "tokenizer", "max_order", "smoothing", "lowercase", "smoothing_value")),
        shows(scored(dialect="nltk")), ("[name=max_order]", "select_option", "2"),
        ("[data-part=reset]", "click"), ("[name=max_order]", "to_have_value", ""),
        (DIALECT, "to_have_value", "nltk"), (UNDO, "click"),
        ("[name=max_order]", "to_have_value", "2")],
    "each keystroke is scored": [
        (CANDIDATE, "fill", ""), (CANDIDATE, "press_sequentially", "In winter the boat came"),
        shows(scored(candidate="In winter the boat came")), (CANDIDATE, "press", "!"),
        shows(scored(candidate="In winter the boat came!"))],
    "text without spaces gets a hint": [
        (CANDIDATE, "fill", "船每月"), (UNSPLIT, "to_be_hidden"),
        (CANDIDATE, "press_sequentially", "来一次。"),
        (UNSPLIT, "to_contain_text", "looks like Chinese, and the tokenizer 13a"),
        (REFERENCES, "fill", "船一个月来一次。"), (button("Take the tokenizer zh"), "click"),
        shows(scored(candidate="船每月来一次。", references=["船一个月来一次。"], tokenizer="zh")),
        (UNSPLIT, "to_be_hidden"), (UNDO, "click"), (UNSPLIT, "to_be_visible"),
        (CANDIDATE, "fill", "เรือมาเดือนละครั้ง"), (button("Take the tokenizer char"), "to_be_visible"),
        (CANDIDATE, "fill", "The 船 came."), (UNSPLIT, "to_be_hidden")],
    "half a character is refused": [
        (CANDIDATE, "evaluate", """it => { it.value = "In \\ud800 winter";
            it.dispatchEvent(new Event("input")); }"""),
        (REFUSAL, "to_contain_text", "contains half a character"),
        (REFUSAL, "to_contain_text", bridge.respond(HALF)["error"])],
    "an example fills the form": [
        (button("The parrot"), "click"), (CANDIDATE, "to_have_value", PARROT["candidate"]),
        ("[name=max_order]", "to_have_value", "1"), (VALUE, "to_have_text", "0.2857")],
    "an empty choice names what the dialect takes": [
        *names_its_own("mteval-v13a"), *names_its_own("nltk"),
        ("[name=smoothing_value]", "to_be_disabled"),
        ("[name=smoothing]", "select_option", "floor"), ("[name=smoothing_value]", "to_be_enabled"),
        ("[name=smoothing_value]", "to_have_attribute", "placeholder", "0.1")],
    "what is refused is said": [
        (REFERENCES, "fill", " \n"),
        (REFUSAL, "to_contain_text", "pass at least one for each candidate"),
        (RESULTS, "to_be_hidden"), (REFERENCES, "fill", "a b"), (RESULTS, "to_be_visible"),
        (REFUSAL, "to_be_hidden")],
    "a score is read aloud": [
        ("[data-part=aloud]", "to_have_attribute", "aria-live", "polite"),
        (CANDIDATE, "fill", "the boat"),
        ("[data-part=aloud]", "to_have_text",
         bridge.respond(asked({"candidate": "the boat"}))["words"])],
    "the keyboard alone is enough": [
        (button("The ships"), "press", "Enter"), (CANDIDATE, "to_have_value", SHIPS["candidate"]),
        (CANDIDATE, "focus"), (FOCUS, "press", "Control+A"),
        (FOCUS, "press_sequentially", "it is ship"), (FOCUS, "press", "Tab"),
        (FOCUS, "press", "Tab"), (DIALECT, "to_be_focused"),
        (FOCUS, "press_sequentially", "papi"),
        shows(scored(candidate="it is ship", references=SHIPS["references"], dialect="papineni"))],
    "a picture is one stop with arrows": [
        (STOP, "to_have_count", 1), (STOP, "focus"),
        (FOCUS, "to_have_attribute", "aria-label", re.compile(r"In\b")),
        (FOCUS, "press", "ArrowRight"),
        (FOCUS, "to_have_attribute", "aria-label", re.compile(r"winter\b")),
        (FOCUS, "press", "End"),
        (FOCUS, "to_have_attribute", "aria-label", re.compile(r"once a month \.")),
        (FOCUS, "press", "Home"),
        (FOCUS, "to_have_attribute", "aria-label", re.compile(r"In\b")),
        (STOP, "to_have_count", 1)],
    "a link to what is not there says so": [
        asks(asked({"dialect": "no-such-bleu"})),
        (NOTICE, "to_contain_text", "Dialect “no-such-bleu”, not known here"),
        (DIALECT, "to_have_value", "sacrebleu"), asks(BOAT), (NOTICE, "to_be_hidden")],
    "an address without a text leaves the text": [
        (CANDIDATE, "fill", "the boat"),
        ("html", "evaluate", "() => { location.hash = 'd=nltk'; }"),
        (DIALECT, "to_have_value", "nltk"),
        shows(scored(candidate="the boat", dialect="nltk"))],
    "the large number rounds as the line does": [
        asks(asked({"candidate": " ".join(WORDS[:5] + ["z"] * 27), "max_order": "1",
                    "references": [" ".join(WORDS)], "dialect": "multi-bleu"})),
        shows("15.625"), (VALUE, "to_have_text", "15.62"),
        ("#pg [data-part=line]", "to_contain_text", "BLEU = 15.62")],
    "what is copied can be run": [
        step for part, copied in (("call", bridge.respond(BOAT)["call"]), ("link", None))
        for step in ((f"[data-part=copy-{part}]", "click"),
                     ("[data-part=copied]", "to_have_text", "Copied."),
                     ("html", "evaluate", COPIED, copied))],
    **{f"{name} is shown and not executed": [
        asks(asked(CASES[name])),
        (f"{DRAWN} :is(script, img, foreignObject, [onerror], [onload])", "to_have_count", 0),
        (f"{DRAWN} svg:not(.bn-narrow)", "to_have_count", 3),
        (DRAWN, "to_give", r"(all) => all.some((each) => /[\u202e\u2066]/.test(each.textContent))",
         False), NO_HIT]
       for name in ("a script", "markup in a reference", "quotes", "turned text")},
    "the score stays in view on a phone": [
        (PAGE, "set_viewport_size", {"viewport_size": PHONE["viewport"]}),
        *(step for name in (CANDIDATE, "#pg-anatomy", "[data-part=copy-link]") for step in (
            (name, "scroll_into_view_if_needed"), ("#pg [data-part=score]", "to_give", IN_VIEW)))],
    "the score stands beside the inputs on a desk": [
        ("html", "evaluate", "() => scrollTo(0, 0)"), ("html", "to_give", BESIDE)],
    "typing in a long text does not freeze the page": [
        asks(asked(CASES["a thousand tokens"])), (CANDIDATE, "to_have_value", LONG),
        ("html", "evaluate", BEGIN), (CANDIDATE, "press_sequentially", " and some more of it"),
        ("html", "to_give", NOT_FROZEN)],
    "every control has its name": [
        (f"role={role}[name='{name}']", "to_have_count", 1) for role, names in (
            ("textbox", ("Candidate", "References")), ("spinbutton", ("Smoothing’s number",)),
            ("combobox", ("Dialect", "Tokenizer", "Highest order", "Smoothing", "Letter case",
                          "Compare with"))) for name in names],
}


@pytest.mark.parametrize("name", VISITS)
def test_what_a_visitor_does_has_its_answer(page: Any, name: str) -> None:
    follow(page, *VISITS[name])


FOCUSED = """() => {
  const e = document.activeElement;
  if (e.role === "tab") return "tabs";
  return e.closest("#pg") ? e.name || e.dataset.part || e.closest("[data-part]").dataset.part : "";
}"""


def test_focus_goes_through_and_out(page: Any) -> None:
    order: list[str] = []
    for first, key in ((button("The boat"), "Tab"),
                       ("#pg [data-part=copy-link]", "Shift+Tab")):
        follow(page, ("[data-part=undo]", "evaluate", "(it) => { it.hidden = true; }"),
               (first, "focus"))
        while (here := page.evaluate(FOCUSED)) and len(order) < 120:
            order.append(here)
            page.keyboard.press(key)
    once = [here for here, before in zip(order, ["", *order], strict=False) if here != before]
    assert " ".join(once).startswith(
        "examples candidate references dialect tokenizer max_order smoothing lowercase reset "
        "source alignment anatomy explanation against in-text copy-call link copy-link link ")
    assert once[-2:] == ["examples", "tabs"]


def test_a_link_holds_everything(page: Any, open_page: Any) -> None:
    question = {"candidate": "a+b & c=d # 100% “é” 冬\n\"x\"", "dialect": "nltk",
                "tokenizer": "intl", "max_order": "2", "smoothing": "add-k",
                "smoothing_value": "0.5", "lowercase": "true", "against": "coco"}
    typed = {"candidate", "smoothing_value"}
    follow(page, *((f"[name={name}]", "fill" if name in typed else "select_option", question[name])
                   for name in question))
    settled(page)
    link, call = page.url, page.text_content("#pg [data-part=call]")
    follow(page, ("#pg [data-part=link]", "to_have_attribute", "href", link))
    assert {*question} == {*LETTERS}
    follow(open_page(link), *((f"[name={name}]", "to_have_value", told)
                              for name, told in question.items()),
           (REFERENCES, "to_have_value", "\n".join(BOAT["references"])),
           shows(page.get_attribute(VALUE, "data-value")),
           ("#pg [data-part=call]", "to_have_text", call))


FIRST = bridge.EXAMPLES[0]
THE_FIRST = [(CANDIDATE, "to_have_value", FIRST["candidate"]),
             (REFERENCES, "to_have_value", "\n".join(FIRST["references"]))]
SCORED = (VALUE, "to_have_attribute", "data-value", re.compile(r"[1-9]"))


@pytest.mark.parametrize(("hash_", "said", "dialect", "steps"), [
    ("d=nltk", "", "nltk", [*THE_FIRST, SCORED]),
    ("tab=zzz", "“tab=zzz”", "sacrebleu", [*THE_FIRST, SCORED]),
    ("tab=zzz&d=nltk", "“tab=zzz”", "nltk", [*THE_FIRST, SCORED]),
    ("d=coco&candidate=a", "“candidate=a”", "coco", [*THE_FIRST, SCORED]),
    ("d=zzz", "Dialect “zzz”", "sacrebleu", [*THE_FIRST, SCORED]),
    ("s=floor&v=half", "Smoothing’s number “half”", "sacrebleu", [*THE_FIRST, SCORED]),
    ("s=exp&v=0.5", "Smoothing’s number “0.5”", "sacrebleu", [*THE_FIRST, SCORED]),
    ("tab=files&d=zzz", "Dialect “zzz”", "sacrebleu", THE_FIRST),
    ("tab=files&c=a", "“c=a”", "sacrebleu", THE_FIRST),
    ("tab=check&score=27&digits=2", "“digits=2”", "sacrebleu", THE_FIRST),
    ("c=the+boat", "", "sacrebleu",  # Not scored against the references of another
     [(REFERENCES, "to_have_value", ""), (REFUSAL, "to_be_visible")]),
    *((f"tab={tab}&c=the+boat", f"“tab={tab}”", "sacrebleu",
       [(CANDIDATE, "to_have_value", "the boat"),
        ("#pg-tab-sentence", "to_have_attribute", *SELECTED)])
      for tab in ("constructor", "__proto__", "nothing")),
])
def test_an_address_changes_what_it_names_and_says_what_it_cannot(
    open_page: Any, hash_: str, said: str, dialect: str, steps: list[tuple[Any, ...]]
) -> None:
    notice = [(NOTICE, "to_be_visible"), (NOTICE, "to_contain_text", said)]
    follow(open_page(f"playground.html#{hash_}"), (DIALECT, "to_have_value", dialect), *steps,
           *(notice if said else [(NOTICE, "to_be_hidden")]))


@pytest.mark.parametrize("steps", [
    [(CANDIDATE, "fill", "a secret of mine"), (DIALECT, "select_option", "nltk"),
     ("#pg [data-part=line]", "to_contain_text", "nltk"), (button("The ships"), "click"),
     (CANDIDATE, "to_have_value", SHIPS["candidate"])],
    [("#pg-tab-files", "click"),
     ("[data-part=candidates] textarea", "fill", "a secret of mine\nanother"),
     ("[data-part=references] textarea", "fill", "a secret of ours\nanother"),
     ("[data-part=files-results]", "to_be_visible"), ("html", "evaluate", HOLDS, "#tab=files")],
], ids=["sentence", "files"])
def test_nothing_typed_leaves_the_page(page: Any, steps: list[tuple[Any, ...]]) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    follow(page, *steps)
    page.wait_for_timeout(300)
    # Chromium asks for the site's icon again where the address of a page changes.
    assert not [url for url in requests if not url.endswith("/_static/favicon.svg")]
    kept = page.evaluate("JSON.stringify({...localStorage, ...sessionStorage}) + location")
    assert "secret" not in kept and page.evaluate("document.cookie") == ""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_saved_as_svg(page: Any, tmp_path: Path, name: str) -> None:
    question = asked({"candidate": "<b> & \x01 “the boat”"})
    choose(page, question)
    with page.expect_download() as download:
        page.click(f"#pg section[data-part={name}] [data-save]")
    assert download.value.suggested_filename == f"bleu-{name}.svg"
    download.value.save_as(tmp_path / "saved.svg")
    saved = (tmp_path / "saved.svg").read_text(encoding="utf-8")
    assert saved == bridge.respond(question)[name]["markup"]
    assert ElementTree.fromstring(saved).tag == "{http://www.w3.org/2000/svg}svg"
