"""The playground's tab Sentence: what its Python answers, and what a visitor sees and types."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import python
from playground import (
    ANSWERED_WITHIN,
    BOAT,
    LETTERS,
    PHONE,
    READY_WITHIN,
    ROOT,
    address,
    choose,
    settled,
    text_of,
    value,
)

from bleu_nb import DIALECTS, sentence_bleu
from bleu_nb.dialects import SMOOTHINGS, TOKENIZERS
from bleu_nb.dialects.tokenizers import SACREBLEU_NAMES

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
       for name in TOKENIZERS if name not in SACREBLEU_NAMES},
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


def asked(change: dict[str, Any]) -> dict[str, Any]:
    """The question about the boat with a change."""
    return {**BOAT, **change}


# What the Python answers


def test_menus_come_from_the_package(bridge: Any) -> None:
    found = bridge.respond({"ask": "menus"})
    assert [row["name"] for row in found["dialects"]] == list(DIALECTS)
    assert found["tokenizers"] + found["left_out"] == list(TOKENIZERS)
    assert [each["name"] for each in found["smoothings"]] == list(SMOOTHINGS)
    assert json.loads(bridge.answer('{"ask": "menus"}')) == found


def test_every_example_is_scored_and_drawn(bridge: Any) -> None:
    for example in bridge.respond({"ask": "menus"})["examples"]:
        found = bridge.respond(example)
        assert [found[name].get("error") for name in PICTURES] == [None] * 3, example["name"]
    assert "2 of 7" in bridge.respond(asked(PARROT))["anatomy"]["markup"]


WITHOUT_NUMPY = """
import json, sys
sys.modules["numpy"] = None
sys.path.insert(0, sys.argv[1])
import bridge
print(json.dumps([bridge.respond(question) for question in json.load(sys.stdin)]))
"""


def test_every_answer_is_the_same_without_numpy(bridge: Any) -> None:
    questions = [{"ask": "menus"}, *bridge.EXAMPLES, *map(asked, CASES.values())]
    told = python(WITHOUT_NUMPY, ROOT / "docs" / "playground", input=json.dumps(questions))
    for question, found in zip(questions, json.loads(told), strict=True):
        assert found == json.loads(bridge.answer(json.dumps(question))), question


@pytest.mark.parametrize("name", CASES)
def test_answer_can_be_shown(bridge: Any, name: str) -> None:
    question = asked(CASES[name])
    found = json.loads(bridge.answer(json.dumps(question)))
    if "error" in found:
        assert name in REFUSED
        return
    for picture in PICTURES:
        if "error" not in found[picture]:
            root = ElementTree.fromstring(found[picture]["markup"])
            assert root.tag.endswith("svg")
            assert not [each for each in root.iter() if "script" in str(each.tag)]
    assert ("error" in found["alignment"]) == (name == "a thousand tokens")


@pytest.mark.parametrize("name", CASES)
def test_call_gives_the_same_score(bridge: Any, name: str) -> None:
    question = asked(CASES[name])
    found = bridge.respond(question)
    if name in REFUSED:
        return
    names: dict[str, Any] = {}
    exec(found["call"], names)
    assert names["candidate"] == question["candidate"]
    assert names["references"] == question["references"]
    assert repr(names["score"].value) == found["value"]
    assert names["score"].line() == found["line"]
    explanation = names["explanation"]
    assert explanation.first_score.value == names["score"].value
    second = sentence_bleu(question["candidate"], question["references"], question["against"])
    assert explanation.second_score.value == second.value
    points = f"{explanation.difference:+.2f} points"
    assert points in " ".join(found["explanation"]["text"].split())


def test_explanation_that_is_impossible_leaves_the_score(bridge: Any) -> None:
    question = {"candidate": "x a,b,c,d", "references": ["a,b,c,d y"], "dialect": "sacrebleu",
                "smoothing": "nltk-6", "against": "nltk"}
    found = bridge.respond(question)
    assert float(found["value"]) > 0 and "markup" in found["alignment"]
    assert "cannot be compared here" in found["explanation"]["error"]


@pytest.mark.parametrize(("change", "said"), [
    ({"dialect": "sacreblue"}, "did you mean 'sacrebleu'?"),
    ({"against": "nltkk"}, "did you mean 'nltk'?"),
    ({"references": []}, "at least one"),
    ({"candidate": None}, "candidate is missing (None or NaN)"),
    ({"max_order": 0}, "at least 1"),
    ({"smoothing": "exp", "smoothing_value": 2}, "takes no value"),
    ({"tokenizer": "13b"}, "tokenizer"),
])
def test_wrong_questions_get_a_reason(bridge: Any, change: dict[str, Any], said: str) -> None:
    assert said in bridge.respond(asked(change))["error"]


# What a visitor meets


ANSWERS = """async ([hashes, patience]) => {
  const root = document.getElementById("pg");
  const text = (name) => root.querySelector(`[data-part=${name}]`).textContent;
  const answers = [];
  for (const hash of hashes) {
    const started = performance.now();
    const shown = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`no answer to ${hash}`)), 1000 * patience);
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


def test_browser_and_cpython_give_the_same_digits(page: Any, bridge: Any) -> None:
    assert len(CASES) >= 25
    hashes = [address(asked(change)) for change in CASES.values()]
    choose(page, asked({"candidate": "before the first case"}))
    answers = page.evaluate(ANSWERS, [hashes, ANSWERED_WITHIN])
    different = []
    for (name, change), there in zip(CASES.items(), answers, strict=True):
        found = bridge.respond(asked(change))
        here = {"error": f"No score: {found['error']}."} if "error" in found else {
            **{key: found[key] for key in ("value", "line", "call")},
            "text": found["explanation"].get("text", "")}
        if here != there:
            different.append((name, here, there))
    assert not different
    assert page.evaluate("typeof hit") == "undefined"


@pytest.mark.parametrize("name", ["a script", "markup in a reference", "quotes", "turned text"])
def test_what_is_typed_is_shown_and_not_executed(page: Any, name: str) -> None:
    choose(page, asked(CASES[name]))
    pictures = page.locator("#pg .pg-picture")
    assert pictures.locator("script, img, foreignObject, [onerror], [onload]").count() == 0
    assert pictures.locator("svg:not(.bn-narrow)").count() == 3
    assert page.evaluate("typeof hit") == "undefined"
    for character in "\u202e\u2066":
        assert character not in "".join(pictures.all_text_contents())


def test_several_lines_are_not_scored_as_one_without_a_word(page: Any, bridge: Any) -> None:
    lines = ["In winter the boat came once a month.", "The sea forgets nothing."]
    people = ["In winter the boat came only once a month.", "The sea does not forget anything."]
    page.fill("[name=references]", "\n".join(people))
    page.fill("[name=candidate]", f"{lines[0]}\n")
    settled(page)
    assert not page.is_visible("[data-part=several]")
    page.fill("[name=candidate]", "\n".join(lines))
    settled(page)
    said = page.locator("[data-part=several]")
    assert said.get_attribute("role") == "status"
    assert "2 lines, which are scored here as one sentence" in said.inner_text()
    said.get_by_role("button").click()
    settled(page)
    assert page.get_attribute("#pg-tab-files", "aria-selected") == "true"
    corpus = {"ask": "files", "dialect": "sacrebleu",
              "candidate": {"name": "c", "text": "\n".join(lines)},
              "references": [{"name": "r", "text": "\n".join(people)}]}
    shown = page.get_attribute("[data-part=files-results] .pg-value", "data-value")
    assert shown == bridge.respond(corpus)["systems"][0]["value"]
    page.click("#pg-tab-sentence")
    settled(page)


def test_an_example_can_be_undone(page: Any) -> None:
    page.fill("[name=candidate]", "typed with care")
    page.select_option("[name=dialect]", "nltk")
    page.get_by_role("button", name="The parrot").click()
    page.get_by_role("button", name="The mumble").click()
    settled(page)
    for _ in range(2):
        page.click("[data-part=undo]")
    settled(page)
    assert page.input_value("[name=candidate]") == "typed with care"
    assert page.input_value("[name=dialect]") == "nltk"


def test_choices_go_back_to_the_dialects_own(page: Any, bridge: Any) -> None:
    own = ("tokenizer", "max_order", "smoothing", "lowercase", "smoothing_value")
    page.select_option("[name=tokenizer]", "char")
    page.select_option("[name=smoothing]", "floor")
    page.fill("[name=smoothing_value]", "0.5")
    page.select_option("[name=dialect]", "nltk")
    settled(page)
    assert [page.input_value(f"[name={name}]") for name in own] == [""] * 5
    assert value(page) == bridge.respond(asked({"dialect": "nltk"}))["value"]
    page.select_option("[name=max_order]", "2")
    page.click("[data-part=reset]")
    settled(page)
    assert page.input_value("[name=max_order]") == ""
    assert page.input_value("[name=dialect]") == "nltk"
    page.click("[data-part=undo]")
    settled(page)
    assert page.input_value("[name=max_order]") == "2"


IN_VIEW = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1;
}"""


def test_the_score_stays_in_view_on_a_phone(page: Any) -> None:
    desk = page.viewport_size
    page.set_viewport_size(PHONE["viewport"])
    for name in ("[name=candidate]", "#pg-anatomy", "[data-part=copy-link]"):
        page.locator(name).scroll_into_view_if_needed()
        page.wait_for_function(IN_VIEW, arg="#pg [data-part=score]")
    page.set_viewport_size(desk)


def test_the_score_stands_beside_the_inputs_on_a_desk(page: Any) -> None:
    desk = page.viewport_size
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function("""() => {
        const [typed, score] = ["[name=candidate]", "[data-part=score]"].map(
            (name) => document.querySelector(`#pg ${name}`).getBoundingClientRect());
        return score.x > typed.right && score.y < typed.y
            && document.documentElement.scrollWidth <= 1280;
    }""")
    page.set_viewport_size(desk)


def test_each_keystroke_is_scored(page: Any, bridge: Any) -> None:
    text = "In winter the boat came"
    page.fill("[name=candidate]", "")
    page.locator("[name=candidate]").press_sequentially(text, delay=8)
    settled(page)
    assert value(page) == bridge.respond(asked({"candidate": text}))["value"]
    page.locator("[name=candidate]").press("!")
    settled(page)
    assert value(page) == bridge.respond(asked({"candidate": f"{text}!"}))["value"]


def test_typing_in_a_long_text_does_not_freeze_the_page(page: Any) -> None:
    choose(page, asked(CASES["a thousand tokens"]))
    page.evaluate("""() => {
        window.gaps = []; let last = performance.now();
        const tick = () => { gaps.push(performance.now() - last); last = performance.now();
            window.ticking = setTimeout(tick); };
        tick();
    }""")
    page.locator("[name=candidate]").press_sequentially(" and some more of it", delay=30)
    settled(page)
    gaps = page.evaluate("() => { clearTimeout(ticking); return gaps; }")
    assert max(gaps) < 1000


def test_half_a_character_is_refused(page: Any, bridge: Any) -> None:
    page.evaluate("""() => {
        const candidate = document.querySelector("[name=candidate]");
        candidate.value = "In \\ud800 winter";
        candidate.dispatchEvent(new Event("input"));
    }""")
    settled(page)
    found = bridge.respond(asked({"candidate": "In \ud800 winter"}))
    assert "holds half a character" in found["error"]
    assert found["error"] in page.locator("[data-part=refused]").inner_text()


def test_what_is_copied_can_be_run(page: Any, bridge: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for button, part in (("copy-call", "call"), ("copy-link", "link")):
        page.evaluate("document.querySelector('#pg [data-part=copied]').textContent = ''")
        page.click(f"#pg [data-part={button}]")
        page.wait_for_function(
            "document.querySelector('#pg [data-part=copied]').textContent === 'Copied.'")
        copied = page.evaluate("navigator.clipboard.readText()")
        expected = bridge.respond(BOAT)["call"] if part == "call" else page.url
        assert copied == expected


def test_an_example_fills_the_form(page: Any) -> None:
    page.get_by_role("button", name="The parrot").click()
    settled(page)
    assert page.input_value("[name=candidate]") == PARROT["candidate"]
    assert page.input_value("[name=max_order]") == "1"
    assert text_of(page, "value") == "0.2857"


def test_an_empty_choice_names_what_the_dialect_takes(page: Any) -> None:
    for name in ("mteval-v13a", "nltk"):
        page.select_option("[name=dialect]", name)
        settled(page)
        row = DIALECTS[name]
        for field in ("tokenizer", "max_order", "smoothing"):
            shown = page.locator(f"[name={field}] option").first.text_content()
            assert shown == f"{getattr(row, field)} (the dialect’s)"
    assert page.is_disabled("[name=smoothing_value]")
    page.select_option("[name=smoothing]", "floor")
    assert page.is_enabled("[name=smoothing_value]")
    assert page.get_attribute("[name=smoothing_value]", "placeholder") == "0.1"


def test_what_is_refused_is_said(page: Any) -> None:
    page.fill("[name=references]", " \n")
    settled(page)
    assert "each candidate needs at least one" in page.locator("[data-part=refused]").inner_text()
    assert not page.is_visible("[data-part=results]")
    page.fill("[name=references]", "a b")
    settled(page)
    assert page.is_visible("[data-part=results]") and not page.is_visible("[data-part=refused]")


def test_score_is_read_aloud(page: Any, bridge: Any) -> None:
    aloud = page.locator("#pg [data-part=aloud]")
    assert aloud.get_attribute("aria-live") == "polite"
    page.fill("[name=candidate]", "the boat")
    words = bridge.respond(asked({"candidate": "the boat"}))["words"]
    page.wait_for_function("words => document.querySelector('#pg [data-part=aloud]')"
                           ".textContent === words", arg=words)


def test_every_control_has_a_name(page: Any) -> None:
    nameless = page.eval_on_selector_all(
        "#pg :is(textarea, select, input, button, a, summary)",
        "all => all.filter(each => !(each.labels?.length || each.textContent.trim()"
        " || each.ariaLabel)).map(each => each.outerHTML)")
    assert not nameless
    for name in ("Candidate", "References", "Dialect", "Tokenizer", "Highest order", "Smoothing",
                 "Smoothing’s number", "Letter case", "Compare with"):
        assert page.get_by_label(name, exact=True).count() == 1


FOCUSED = """() => {
  const e = document.activeElement;
  if (e.role === "tab") return "tabs";
  return e.closest("#pg") ? e.name || e.dataset.part || e.closest("[data-part]").dataset.part : "";
}"""


def walk(page: Any, key: str) -> list[str]:
    """What has the focus, key by key, until it leaves the playground."""
    order = []
    while here := page.evaluate(FOCUSED):
        order.append(here)
        assert len(order) < 60, order
        page.keyboard.press(key)
    return order


def test_keyboard_alone_is_enough(page: Any, bridge: Any) -> None:
    page.get_by_role("button", name="The ships").focus()
    page.keyboard.press("Enter")
    settled(page)
    assert page.input_value("[name=candidate]") == "ship ship ship"
    while page.evaluate(FOCUSED) != "candidate":
        page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("it is ship")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "dialect"
    page.keyboard.type("papi")
    settled(page)
    ships = page.input_value("[name=references]").split("\n")
    question = {"candidate": "it is ship", "references": ships, "dialect": "papineni",
                "against": "sacrebleu"}
    assert value(page) == bridge.respond(question)["value"]


def test_focus_goes_through_and_out(page: Any) -> None:
    page.evaluate("document.querySelector('[data-part=undo]').hidden = true")
    page.get_by_role("button", name="The boat").focus()
    forward = walk(page, "Tab")
    once = list(dict.fromkeys(forward))
    assert once == ["examples", "candidate", "references", "dialect", "tokenizer", "max_order",
                    "smoothing", "lowercase", "reset", "source", "alignment", "anatomy",
                    "explanation", "against", "in-text", "copy-call", "link", "copy-link"]
    page.focus("#pg [data-part=copy-link]")
    assert walk(page, "Shift+Tab")[-2:] == ["examples", "tabs"]


def test_a_picture_is_one_stop_with_arrows(page: Any) -> None:
    stops = page.locator("[data-part=alignment] svg [tabindex='0']")
    assert stops.count() == 1
    stops.first.focus()
    label = "document.activeElement.getAttribute('aria-label')"
    first = page.evaluate(label)
    page.keyboard.press("ArrowRight")
    second = page.evaluate(label)
    page.keyboard.press("End")
    last = page.evaluate(label)
    page.keyboard.press("Home")
    assert re.match(r"In\b", first) and re.match(r"winter\b", second)
    assert last.startswith("once a month .") and page.evaluate(label) == first
    assert stops.count() == 1


def test_a_link_holds_everything(page: Any, open_page: Any) -> None:
    question = {**BOAT, "candidate": "a+b & c=d # 100% “é” 冬\n\"x\"", "dialect": "nltk",
                "tokenizer": "intl", "max_order": 2, "smoothing": "add-k",
                "smoothing_value": 0.5, "lowercase": True, "against": "coco"}
    page.fill("[name=candidate]", question["candidate"])
    for name in ("dialect", "tokenizer", "smoothing", "against"):
        page.select_option(f"[name={name}]", question[name])
    page.select_option("[name=max_order]", "2")
    page.select_option("[name=lowercase]", "true")
    page.fill("[name=smoothing_value]", "0.5")
    settled(page)
    link = page.get_attribute("#pg [data-part=link]", "href")
    assert link == page.url
    other = open_page(link.rpartition("/")[2])
    settled(other, READY_WITHIN)
    for name in (*LETTERS, "references"):
        assert other.input_value(f"[name={name}]") == page.input_value(f"[name={name}]"), name
    assert value(other) == value(page)
    assert text_of(other, "call") == text_of(page, "call")


def test_a_link_to_what_is_not_there_says_so(page: Any) -> None:
    choose(page, asked({"dialect": "no-such-bleu"}))
    assert "Dialect “no-such-bleu”, not known here" in text_of(page, "notice")
    assert page.input_value("[name=dialect]") == "sacrebleu"
    choose(page, BOAT)
    assert not page.is_visible("[data-part=notice]")


@pytest.mark.parametrize(("hash_", "said", "dialect"), [
    ("d=nltk", "", "nltk"),
    ("tab=zzz", "“tab=zzz”", "sacrebleu"),
    ("tab=zzz&d=nltk", "“tab=zzz”", "nltk"),
    ("d=coco&candidate=a", "“candidate=a”", "coco"),
    ("d=zzz", "Dialect “zzz”", "sacrebleu"),
    ("s=floor&v=half", "Smoothing’s number “half”", "sacrebleu"),
    ("s=exp&v=0.5", "Smoothing’s number “0.5”", "sacrebleu"),
    ("tab=files&d=zzz", "Dialect “zzz”", "sacrebleu"),
    ("tab=files&c=a", "“c=a”", "sacrebleu"),
    ("tab=check&score=27&digits=2", "“digits=2”", "sacrebleu"),
])
def test_an_address_changes_what_it_names_and_says_what_it_cannot(
    open_page: Any, bridge: Any, hash_: str, said: str, dialect: str
) -> None:
    page = open_page(f"playground.html#{hash_}")
    settled(page, READY_WITHIN)
    notice = page.locator("[data-part=notice]")
    assert notice.is_visible() == bool(said) and said in notice.inner_text()
    assert page.input_value("[name=dialect]") == dialect
    first = bridge.EXAMPLES[0]
    assert page.input_value("[name=candidate]") == first["candidate"]
    assert page.input_value("[name=references]") == "\n".join(first["references"])
    if "tab=" not in hash_ or "zzz" in hash_.partition("&")[0]:
        assert float(value(page)) > 0


def test_an_address_without_a_text_leaves_the_text(page: Any, bridge: Any) -> None:
    page.fill("[name=candidate]", "the boat")
    page.evaluate("location.hash = 'd=nltk'")
    page.wait_for_function("document.querySelector('[name=dialect]').value === 'nltk'")
    settled(page)
    assert value(page) == bridge.respond(asked({"candidate": "the boat", "dialect": "nltk"}))[
        "value"]


def test_a_candidate_is_not_scored_against_the_references_of_another(open_page: Any) -> None:
    page = open_page("playground.html#c=the+boat")
    settled(page, READY_WITHIN)
    assert page.input_value("[name=references]") == ""
    assert page.is_visible("[data-part=refused]")


def test_nothing_typed_leaves_the_page(page: Any) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.fill("[name=candidate]", "a secret of mine")
    page.select_option("[name=dialect]", "nltk")
    settled(page)
    page.get_by_role("button", name="The ships").click()
    settled(page)
    page.wait_for_timeout(300)
    # Chromium asks for the site's icon again where the address of a page changes.
    assert not [url for url in requests if not url.endswith("/_static/favicon.svg")]
    assert page.evaluate("[localStorage.length, document.cookie]")[1] == ""
    kept = page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert "secret" not in kept


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_saved_as_svg(page: Any, bridge: Any, tmp_path: Path, name: str) -> None:
    question = asked({"candidate": "<b> & \x01 “the boat”"})
    choose(page, question)
    with page.expect_download() as download:
        page.click(f"#pg section[data-part={name}] [data-save]")
    assert download.value.suggested_filename == f"bleu-{name}.svg"
    download.value.save_as(tmp_path / "saved.svg")
    saved = (tmp_path / "saved.svg").read_text(encoding="utf-8")
    assert saved == bridge.respond(question)[name]["markup"]
    assert ElementTree.fromstring(saved).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(("scheme", "theme"), [
    ("light", "auto"), ("dark", "auto"), ("light", "dark"), ("dark", "light")])
def test_it_fits_a_phone_in_each_theme(page: Any, scheme: str, theme: str) -> None:
    desk, usual = page.viewport_size, page.get_attribute("body", "data-theme")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(PHONE["viewport"])
    page.evaluate("theme => { document.body.dataset.theme = theme; }", theme)
    wide, small, colours = page.evaluate("""() => {
        const texts = [...document.querySelectorAll("#pg .pg-picture text")];
        const size = (text) => parseFloat(getComputedStyle(text).fontSize)
            * text.getScreenCTM().a;
        const field = getComputedStyle(document.querySelector("[name=candidate]"));
        return [document.documentElement.scrollWidth, Math.min(...texts.map(size)),
            [[getComputedStyle(document.body).backgroundColor,
              getComputedStyle(texts.at(-1)).fill], [field.backgroundColor, field.color]]];
    }""")
    page.evaluate("theme => { document.body.dataset.theme = theme; }", usual)
    page.set_viewport_size(desk)
    page.emulate_media(color_scheme="light")
    assert wide <= PHONE["viewport"]["width"]
    assert small >= 9
    for pair in colours:
        ground, ink = (int(colour.split("(")[1].split(",")[0]) for colour in pair)
        assert (ground < ink) == ((scheme if theme == "auto" else theme) == "dark")


@pytest.mark.parametrize("tab", ["constructor", "__proto__", "nothing"])
def test_a_tab_that_is_none_is_the_first(open_page: Any, tab: str) -> None:
    page = open_page(f"playground.html#tab={tab}&c=the+boat")
    settled(page, READY_WITHIN)
    assert page.get_attribute("#pg-tab-sentence", "aria-selected") == "true"
    assert page.input_value("[name=candidate]") == "the boat"


def test_the_large_number_rounds_as_the_line_does(page: Any) -> None:
    words = [f"w{place}" for place in range(32)]
    choose(page, asked({"candidate": " ".join(words[:5] + ["z"] * 27), "max_order": "1",
                        "references": [" ".join(words)], "dialect": "multi-bleu"}))
    assert value(page) == "15.625" and page.inner_text("#pg [data-part=value]") == "15.62"
    assert "BLEU = 15.62" in text_of(page, "line")
