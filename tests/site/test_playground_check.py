"""The playground's tab Check a number: `from_signature` and `identify` on files, as in CPython."""

import json
import re
from typing import Any
from unittest.mock import Mock

import bridge
import pytest
from bridge_check import PERCENT, check_steps
from browser import DESK, PAGE, PHONE, follow
from playground import NO_HIT, PASTED, SELECTED, button

from bleu_nb import DIALECTS, Bleu, corpus_bleu, identify

SACREBLEU = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
LOWER = SACREBLEU.replace("mixed", "lc")
EXAMPLE = bridge.respond({"ask": "example"})
MACHINE, *PEOPLE = (each["text"].splitlines()
                    for each in (EXAMPLE["candidate"], *EXAMPLE["references"]))
CORPUS = MACHINE, [*zip(*PEOPLE, strict=True)]
LESS = f"{corpus_bleu(MACHINE, [[line] for line in PEOPLE[1]]).value:.2f}"  # By one reference
NOBODYS = "99.99"


def answer(**told: Any) -> dict[str, Any]:
    """What is said to a question about the package's example."""
    return bridge.respond({**EXAMPLE, "ask": "check", **told})


# What the Python answers


@pytest.mark.parametrize("score", ["45.45", "46.8", "0.45", LESS, NOBODYS])
def test_the_answers_are_those_of_identify(score: str) -> None:
    expected = identify(*CORPUS, score)
    found = answer(score=score)
    told = json.loads(expected.to_json())  # It tries them in another order, until it is sure
    worded = PERCENT.sub(" %", told["answer"])
    assert (found["answer"], found["sure"]) == (worded, told["sure"])
    for some in ("default", "matches", "nearest"):
        assert [each["setting"] for each in found[some][:1]] == [
            each["setting"] for each in told[some][:1]]
    assert found.get("explained") == (expected.explanation and repr(expected.explanation))


SOURCE = EXAMPLE["second"]
OF_THE_SOURCE = f"{corpus_bleu(SOURCE['text'].splitlines(), CORPUS[1]).value:.3f}"
SOURCE_SCORED = "sacrebleu on the source in place of the candidates"


def of_text(candidate: str, reference: str, **told: str) -> dict[str, Any]:
    """A question about other text."""
    return {"candidate": {"name": "mt", "text": candidate},
            "references": [{"name": "ref", "text": reference}], **told}


LONGER = {"name": "longer.txt", "text": f"one line more\n{EXAMPLE['candidate']['text']}"}
LINES = len(MACHINE)
NO_SCORE = "reported must be a score, such as 27.3"
ALL_OF_IT = "pass the complete output of the tool"
OTHER_VERSION = SACREBLEU.replace("nrefs:2", "nrefs:1").replace("2.6.0", "2.3.1") + "|test:wmt17"
# What is asked; what the answer says, or why there is none; and what its verdict must not say.
ANSWERS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({"score": "46.8"}, [
        "The likeliest origin of 46.8 (68 %) is sacrebleu, lowercase yes.",
        "sacrebleu gives these files 45.45; this gives them 1.34 points more, because of case "
        "(capitals count as small letters)."], []),
    ({"score": "45.45"}, ["45.45 needs no other setting than sacrebleu: your files give it."],
     ["likeliest", "because"]),
    ({"score": NOBODYS}, [  # The nearest are told
        f"guesses gives {NOBODYS} and is likely; the nearest is ", '"matches": []',
        f"Nothing likely gives {NOBODYS}; your files give"], ["likeliest", "because"]),
    ({"score": LESS}, ["is sacrebleu on reference 2 alone.",
                       "points less, because of “reference 2 alone”.",
                       f"{LESS} is surely sacrebleu on reference 2 alone; your"], []),
    ({"score": "0"}, ["A 0 has too many possible causes to be sure of one."], []),
    ({"score": "45.45", "signature": SACREBLEU}, [
        "BLEU 45.45 ± 17.53 on 12 lines.", "These are the settings of sacrebleu, the usual ones."],
     ["because"]),
    ({"score": "46.79", "signature": LOWER}, [
        "BLEU 46.79 ± 16.89 on 12 lines.",
        "sacrebleu would print 45.45, 1.34 points less, because of case (capitals and small "
        "letters differ)."], []),
    ({"signature": LOWER}, ["sacrebleu would print 45.45, 1.34 points less"], []),
    ({"score": "46.79", "signature": SACREBLEU}, [
        "46.79 is not that: other settings, or other files, made it."], ["because"]),
    (of_text("v w\nx y", "a b\nc d", score="0"), [
        "A 0 has too many possible causes to be sure of one."], ["±"]),
    (of_text("a b c d e", "a b c d f", score="66.87"), [
        "66.87 needs no other setting than sacrebleu"], ["±"]),
    (of_text("a b c d e", "a b c d f", score="66.87", signature=SACREBLEU), [
        "BLEU 66.87 on 1 line: from one line nobody can tell how far chance moves it."], ["±"]),
    (of_text("a b c d e f g", "a b c d e f g", score="111.67"), [  # The one that passes 100
        "111.67", "nltk-5"], []),
    ({"candidate": LONGER, "score": NOBODYS}, [
        f", cut to the shorter: candidates have {LINES + 1} lines, references {LINES} and {LINES}.",
        f'"lines": [{LINES + 1}, {LINES}, {LINES}]'], []),
    ({"score": OF_THE_SOURCE, "source": SOURCE}, [SOURCE_SCORED], []),
    # All that a tool printed is read
    *(({"score": "", "signature": text}, ['"agrees": true', '"reported": "45.45"'],
       ["not understood"]) for text in (
        f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969 ratio = 0.970)",
        f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969)",
        f"{SACREBLEU}=45.45 88.9/58.8/36.3/25.6 (BP = 0.969)",
        json.dumps({"name": "BLEU", "score": 45.45, "signature": SACREBLEU,
                    "verbose_score": "88.9/58.8 (BP = 1.000 ratio = 1.000)"}),
        json.dumps([{"score": 45.45, "signature": SACREBLEU}], indent=1))),
    *(({"score": "45.45", "signature": text}, ['"agrees": true', '"reported": "45.45"'],
       ["not understood"]) for text in (f"`{SACREBLEU}`", f'"{SACREBLEU}"', f"BLEU|{SACREBLEU}")),
    ({"score": "", "signature": "BLEU = 45.45, 88.9/58.8/36.3/25.6 (BP=0.969, ratio=0.969)"}, [
        '"how": "search"', '"reported": "45.45"', '"sure": true'], []),
    # A correction is on the scale of what was printed
    *(({"score": score, "signature": SACREBLEU}, [f'"agrees": {agrees}', f'"here": "{here}"'], [])
      for score, agrees, here in (
          ("0.45", "true", "0.45"), ("0.70", "false", "0.45"), ("1.00", "false", "0.45"),
          ("1", "false", "45"), ("45.40", "false", "45.45"))),
    # What the signature leaves open is said
    ({"score": "45.45", "signature": OTHER_VERSION}, [
        "version 2.3.1", "says 1, and here each line has 2", "test: the signature"], []),
    # Wrong questions get a reason
    ({}, ["type the score"], []),
    ({"score": "27.3", "signature": "nonsense"}, ["not a signature: 'nonsense'"], []),
    ({"signature": "tok:13a|tok:zh"}, ["must contain each field only once"], []),
    ({"signature": "tok:no-such|smooth:exp"}, ["tokenizer"], []),
    ({"score": "27.3", "references": []}, ["no references: add a file"], []),
    ({"candidate": LONGER, "score": "45.45", "signature": SACREBLEU}, [
        "differ in their number of lines"], []),
    ({"candidate": {"name": "none", "text": ""}, "score": "1"}, ["is empty"], []),
    ({"score": OF_THE_SOURCE, "source": {"name": "short.txt", "text": "one line"}}, [
        f"number of source lines (1) differs from number of segments ({LINES})"], []),
    *(({"score": score}, [NO_SCORE, repr(score)], [])
      for score in ("1e400", "abc", "-1", "nan", "1_0x", "inf", "200.5")),
    *(({"score": "45.45", "signature": text}, [ALL_OF_IT], [])
      for text in ('{"score": 45.45}', '{"score": 45.45, "signature"', "[]")),
]


@pytest.mark.parametrize(("told", "said", "never"), ANSWERS)
def test_an_answer_says_what_the_numbers_give(
    told: dict[str, Any], said: list[str], never: list[str]
) -> None:
    found = answer(**told)
    whole, verdict = json.dumps(found, ensure_ascii=False), " ".join(found.get("verdict", ()))
    assert not [each for each in said if each not in whole], whole
    assert not [each for each in never if each in verdict + " ".join(found.get("notes", ()))]
    assert ("waterfall" in found) == ("because" in verdict)


@pytest.mark.parametrize("score", ["46.8", LESS, "51.3"])
def test_an_answer_is_sure_only_at_the_end(score: str) -> None:
    steps, early = check_steps({**EXAMPLE, "ask": "check", "score": score}, []), []
    while True:
        try:
            early += [*next(steps)[2:]]
        except StopIteration as stop:
            final = stop.value
            break
    assert early and not [each for each in early if each["sure"] or "surely" in each["answer"]]
    assert ("surely" in final["answer"]) == final["sure"] == (score == LESS)
    for each in (*early, final):  # What is below one percent is not shown
        assert not [match for match in each["matches"] if match["probability"] < 0.01
                    and match["setting"] != each["default"][0]["setting"]]
        assert "%)" not in each["answer"].replace(" %)", "") and "(0 %)" not in each["answer"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_score_agrees_with_its_own_signature(dialect: str) -> None:
    score = Bleu(dialect)(*CORPUS)
    for digits in (1, 3):
        printed = f"{score.value * 100 / score.scale:.{digits}f}"
        found = answer(score=printed, signature=score.signature)
        assert found["agrees"] and found["value"] == repr(score.value)
        assert found["here"] == printed and found["decimals"] == digits
    off = f"{score.value * 100 / score.scale + 1:.2f}"
    found = answer(score=off, signature=score.signature)
    assert found["agrees"] is False and float(found["difference"]) == pytest.approx(-1, abs=0.01)


# What a visitor meets


FOUND, NOT_CHECKED, CHECK = (
    f"[data-part={name}]" for name in ("check-results", "check-refused", "check"))


def tries(score: str, signature: str = "") -> list[tuple[Any, ...]]:
    """That a number is checked."""
    return [("[name=reported]", "fill", score), ("[name=signature]", "fill", signature),
            (CHECK, "click")]


@pytest.fixture
def check_page(page: Any) -> Any:
    """The tab, with the package's example in it."""
    follow(page, ("#pg-tab-check", "click"), ("[data-part=example]", "click"),
           ("[data-part=candidates] textarea", "not_to_have_value", ""))
    return page


@pytest.mark.parametrize("score", ["46.8", LESS, NOBODYS])
def test_browser_and_cpython_give_the_same_answers(
    check_page: Any, score: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Mock(side_effect=ImportError("nltk"))  # As in the browser
    monkeypatch.setattr("bleu_nb.dialects.more_tokenizers.import_tool", absent)
    expected = answer(score=score)
    follow(check_page, *tries(score),
           (f"{FOUND} > .pg-verdict", "to_have_text", expected["answer"]),
           (f"{FOUND} .pg-picture", "to_have_count", int("waterfall" in expected)),
           (FOUND, "to_contain_text", expected["about"][0]),
           (f"{FOUND} section >> nth=0", "to_contain_text", " ".join(expected["verdict"])))
    rows = check_page.eval_on_selector_all(
        f"{FOUND} tbody tr", "rows => rows.map(row => [row.cells[0].textContent,"
        " row.querySelector('th').firstChild.data, row.querySelector('code').textContent])")
    assert rows == [[f"{each['score']:.4f}", each.get("shown", each["setting"]), each["signature"]]
                    for each in expected["matches"] or expected["nearest"]]


def test_an_answer_comes_before_the_end(check_page: Any) -> None:
    check_page.evaluate("""place => {
      window.said = [];
      new MutationObserver(() => {
        const { textContent } = document.querySelector(`${place} > .pg-verdict`);
        if (said.at(-1) !== textContent) said.push(textContent);
      }).observe(document.querySelector(place), { childList: true });
    }""", FOUND)
    follow(check_page, *tries(LESS), (FOUND, "to_have_attribute", "data-so-far", "false"))
    first, *others, last = check_page.evaluate("said")
    assert first == f"Your files give 45.45 (sacrebleu). Looking for where {LESS} comes from …"
    assert last == answer(score=LESS)["answer"]
    assert f"So far: {last.replace('surely', 'probably')}" in others


VERDICT = f"{FOUND} > .pg-verdict"
FROM, HERE = "[data-part=origin]", "[data-part=candidates] textarea"
FILE = {"name": "source.txt", "mimeType": "text/plain", "buffer": SOURCE["text"].encode()}
MANY = "\n".join(f"a b c d e f g {number % 97} h {number % 89}" for number in range(2000))
BELOW = """([button]) => { const fields = [...document.querySelectorAll(
    "#pg-check :is(input, textarea)")].filter((each) => each.checkVisibility());
  return fields.length >= 4 && fields.every((each) => each.getBoundingClientRect().top
      < button.getBoundingClientRect().top); }"""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
TABS = ("sentence", "files", "check")
# What a visitor does, and then sees; it begins with the tab, and the example in it.
VISITS: dict[str, list[tuple[Any, ...]]] = {
    "a comma is a decimal point": [
        *tries("45,45"), (VERDICT, "to_have_text", answer(score="45.45")["answer"]),
        *tries("45,4", SACREBLEU), (VERDICT, "to_contain_text", "45.4 agrees")],
    "the button stands below the fields": [(CHECK, "to_give", BELOW)],
    "the source can be a third file": [
        ("[data-part=from] summary", "click"),
        (f"{FROM} input[type=file]", "set_input_files", FILE),
        (f"{FROM} .pg-name", "to_have_text", "source.txt"), *tries(OF_THE_SOURCE),
        (VERDICT, "to_contain_text", SOURCE_SCORED),
        ("#pg-tab-files", "click"), ("[data-part=from]", "to_be_hidden"),
        ("#pg-tab-check", "click"), ("[data-part=clear]", "click"),
        (f"{FROM} .pg-held", "to_be_hidden")],
    **{f"answers are accessible and fit {size['width']} pixels": [
        (PAGE, "set_viewport_size", {"viewport_size": size}), *tries(LESS),
        (f"{FOUND} .pg-picture", "to_be_visible"), (f"{FOUND} summary >> nth=-1", "click"),
        (FOUND, "to_be_sound"), ("html", "to_give", FITS)]
       for size in (DESK["viewport"], PHONE["viewport"], {"width": 360, "height": 740})},
    **{f"{score} is checked by {signature}": [
        *tries(score, signature), (VERDICT, "to_have_text", said),
        (f"{FOUND} .pg-exact", "to_have_attribute", "data-value",
         answer(score=score, signature=signature)["value"]),
        (f"{FOUND} .pg-picture", "to_have_count", int(signature == LOWER)),
        (f"{FOUND} section >> nth=0", "to_contain_text",
         " ".join(answer(score=score, signature=signature)["verdict"]))]
       for score, signature, said in (
           ("45.4", SACREBLEU, "45.4 agrees, to 1 digit after the point."),
           ("45.445", SACREBLEU, "45.445 agrees, to 3 digits after the point."),
           ("0.454", SACREBLEU, "0.454 agrees, to 3 digits after the point."),
           ("46.79", LOWER, "46.79 agrees, to 2 digits after the point."),
           ("46.8", SACREBLEU,
            "46.8 does not agree: with 1 digit after the point it would be 45.4."))},
    **{f"{score} {signature} is refused in the package's words": [
        *tries(score, signature),
        (NOT_CHECKED, "to_have_text",
         f"Not checked: {answer(score=score, signature=signature)['error']}."), NO_HIT]
       for score, signature in (
           ("1e400", ""), ("abc", ""), ("201", ""), ("27.3", "<script>hit = 1</script>"),
           ("<img src=x onerror='hit = 1'>", ""), ("27.3", "tok:13a|version:2|smooth:no-such"))},
    "a number that does not agree can be searched": [
        *tries("46.8", SACREBLEU), (FOUND, "to_contain_text", "not agree"),
        (button("Where does 46.8 come from?"), "click"),
        (f"{FOUND} .pg-matches >> nth=0", "to_be_visible"),
        (VERDICT, "to_contain_text", "46.8 is one of: sacrebleu on lower")],
    "a search can be stopped": [
        ("[data-part=clear]", "click"),
        *((f"[data-part={kind}] textarea", "evaluate", PASTED, MANY)
          for kind in ("candidates", "references")), *tries("27.3"),
        (f"{FOUND}[data-so-far=true]", "wait_for"), ("[data-part=stop]", "click"),
        (NOT_CHECKED, "to_have_text", "Stopped: below is what was found so far."),
        (FOUND, "to_be_visible"), (CHECK, "to_be_focused")],
    "all three tabs are chosen by keys": [("#pg-tab-sentence", "click"), *(
        step for key, tab in (
            ("ArrowRight", "files"), ("ArrowRight", "check"), ("ArrowRight", "sentence"),
            ("ArrowLeft", "check"), ("Home", "sentence"), ("End", "check"), ("Home", "sentence"))
        for step in (
            (":focus", "press", key), (f"#pg-tab-{tab}", "to_be_focused"),
            (f"#pg-tab-{tab}", "to_have_attribute", *SELECTED),
            ("[role=tab][aria-selected=true]", "to_have_count", 1),
            (f"#pg-{tab}", "to_be_visible"), ("[role=tabpanel]:not([hidden])", "to_have_count", 1),
            ("[role=tab]:not([tabindex='-1'])", "to_have_count", 1)))],
    **{f"every tab fits {width} pixels": [
        (PAGE, "set_viewport_size", {"viewport_size": {"width": width, "height": 740}}),
        *(step for tab in TABS for step in (
            (f"#pg-tab-{tab}", "click"), ("html", "to_give", FITS)))]
       for width in (320, 375, 1280)},
}


@pytest.mark.parametrize("name", VISITS)
def test_what_a_visitor_does_has_its_answer(check_page: Any, name: str) -> None:
    follow(check_page, *VISITS[name], ("#pg-tab-sentence", "click"))


def test_another_page_can_fill_it_in(open_page: Any) -> None:
    page = open_page(f"playground.html#tab=check&score=45.4&signature={SACREBLEU}")
    follow(page, ("#pg-tab-check", "to_have_attribute", *SELECTED),
           ("[name=reported]", "to_have_value", "45.4"),
           ("[name=signature]", "to_have_value", SACREBLEU),
           (PAGE, "wait_for_url", {"url": re.compile("tab=check")}), (CHECK, "click"),
           (NOT_CHECKED, "to_contain_text", "give the files that it is of"),
           ("[data-part=example]", "click"),
           ("[data-part=candidates] textarea", "not_to_have_value", ""),
           ("[name=reported]", "press", "Enter"), (FOUND, "to_contain_text", "45.4 agrees"))
