"""The playground's tab Check a number: `from_signature` and `identify` on files, as in CPython."""

import json
from typing import Any

import bridge
import pytest
from browser import DESK, PHONE, follow
from playground import PASTED, SELECTED, button

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
    assert (found["answer"], found["sure"]) == (told["answer"], told["sure"])
    for some in ("default", "matches", "nearest"):
        assert [each["setting"] for each in found[some][:1]] == [
            each["setting"] for each in told[some][:1]]
    assert found.get("explained") == (expected.explanation and repr(expected.explanation))


def test_a_reference_less_is_found_and_explained() -> None:
    found = answer(score=LESS)
    assert found["matches"][0]["setting"] == "sacrebleu on reference 2 alone"
    assert found["answer"].startswith(f"{LESS} is surely sacrebleu on reference 2 alone; your")
    assert "reference 2 alone" in found["waterfall"]["markup"]


def test_without_an_answer_the_nearest_are_told() -> None:
    found = answer(score=NOBODYS)
    assert not found["matches"] and len(found["nearest"]) == 3 and "waterfall" not in found
    assert found["answer"].startswith(f"Nothing that was tried gives {NOBODYS}: your files give")


def test_files_of_different_lengths_are_searched() -> None:
    """The command takes them, too; a file without a line is refused in the page as there."""
    text = EXAMPLE["candidate"]["text"]
    longer = {"name": "longer.txt", "text": f"one line more\n{text}"}
    found = answer(candidate=longer, score=NOBODYS)
    assert found["lines"] == [len(MACHINE) + 1, *[len(MACHINE)] * 2]
    assert found["answer"].endswith(
        f", cut to the shorter: candidates have {len(MACHINE) + 1} lines, references "
        f"{len(MACHINE)} and {len(MACHINE)}.")
    assert "differ in their number of lines" in answer(
        candidate=longer, score="45.45", signature=SACREBLEU)["error"]
    assert "is empty" in answer(candidate={"name": "none", "text": ""}, score="1")["error"]


SOURCE = EXAMPLE["second"]
OF_THE_SOURCE = f"{corpus_bleu(SOURCE['text'].splitlines(), CORPUS[1]).value:.3f}"
SOURCE_SCORED = "sacrebleu on the source in place of the candidates"


def test_a_source_in_place_of_the_candidates_is_found() -> None:
    found = answer(score=OF_THE_SOURCE, source=SOURCE)
    assert found["matches"][0]["setting"] == SOURCE_SCORED
    short = answer(score=OF_THE_SOURCE, source={"name": "short.txt", "text": "one line"})
    assert f"1 lines of source for {len(MACHINE)} segments" in short["error"]


def test_what_is_found_is_told_before_the_end() -> None:
    step = bridge.begin(json.dumps({**EXAMPLE, "ask": "check", "score": LESS}))
    told = []
    while "answer" not in (said := json.loads(step())):
        told.append(said)
    so_far = [each["soFar"] for each in told if "soFar" in each]
    assert "your files give 45.45 (sacrebleu)" in so_far[0]["answer"]
    assert so_far[1]["matches"][0]["setting"] == said["answer"]["matches"][0]["setting"]
    assert so_far[1]["tried"] < 20 and so_far[-1]["tried"] <= said["answer"]["tried"]
    shares = [each["done"] / each["of"] for each in told]
    assert shares == sorted(shares) and (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize(("told", "said", "never"), [
    ({"score": "46.8"}, [
        "The likeliest origin of 46.8 (73 %) is sacrebleu, lowercase yes.",
        "sacrebleu gives these files 45.45; this gives them 1.34 points more, because of case "
        "(capitals count as small letters)."], []),
    ({"score": "45.45"}, ["45.45 needs no other setting than sacrebleu: your files give it."],
     ["likeliest", "because"]),
    ({"score": NOBODYS}, [f"guesses gives {NOBODYS}; the nearest is "], ["likeliest", "because"]),
    ({"score": LESS}, ["is sacrebleu on reference 2 alone.",
                       "points less, because of “reference 2 alone”."], []),
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
])
def test_a_verdict_says_what_the_numbers_give(
    told: dict[str, str], said: list[str], never: list[str]
) -> None:
    found = answer(**told)
    words = " ".join(found["verdict"])
    assert not [each for each in said if each not in words], words
    assert not [each for each in never if each in words], words
    assert ("waterfall" in found) == ("because" in words)


@pytest.mark.parametrize(("candidate", "reference", "score", "said"), [
    ("v w\nx y", "a b\nc d", "0", "A 0 has too many possible causes to be sure of one."),
    ("a b c d e", "a b c d f", "66.87", "66.87 needs no other setting than sacrebleu"),
])
def test_a_verdict_on_little_text(candidate: str, reference: str, score: str, said: str) -> None:
    found = bridge.respond({"ask": "check", "score": score,
                            "candidate": {"name": "mt", "text": candidate},
                            "references": [{"name": "ref", "text": reference}]})
    assert said in " ".join(found["verdict"]) and "±" not in " ".join(found["verdict"])


def test_one_line_has_no_interval_by_its_signature() -> None:
    line = {"name": "mt", "text": "a b c d e"}
    [first, _] = answer(candidate=line, references=[{**line, "text": "a b c d f"}],
                        score="66.87", signature=SACREBLEU)["verdict"]
    assert first == ("BLEU 66.87 on 1 line: from one line nobody can tell how far chance moves "
                     "it.")


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


@pytest.mark.parametrize(("score", "text"), [
    ("", f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969 ratio = 0.970)"),
    ("", f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969)"),
    ("", f"{SACREBLEU}=45.45 88.9/58.8/36.3/25.6 (BP = 0.969)"),
    ("", json.dumps({"name": "BLEU", "score": 45.45, "signature": SACREBLEU,
                     "verbose_score": "88.9/58.8 (BP = 1.000 ratio = 1.000)"})),
    ("", json.dumps([{"score": 45.45, "signature": SACREBLEU}], indent=1)),
    ("45.45", f"`{SACREBLEU}`"), ("45.45", f'"{SACREBLEU}"'), ("45.45", f"BLEU|{SACREBLEU}"),
])
def test_what_a_tool_printed_is_read_whole(score: str, text: str) -> None:
    found = answer(score=score, signature=text)
    assert found["agrees"] and found["reported"] == "45.45", found
    assert not [each for each in found["notes"] if "not understood" in each]


def test_a_line_without_a_signature_is_searched() -> None:
    line = "BLEU = 45.45, 88.9/58.8/36.3/25.6 (BP=0.969, ratio=0.969)"
    found = answer(score="", signature=line)
    assert found["how"] == "search" and found["reported"] == "45.45" and found["sure"]


@pytest.mark.parametrize(("score", "scale", "digits", "agrees"), [
    ("0.45", 1, 2, True), ("0.70", 1, 2, False), ("1.00", 1, 2, False), ("1", 100, 0, False),
    ("45.40", 100, 2, False),
])
def test_a_correction_is_on_the_scale_of_what_was_printed(
    score: str, scale: int, digits: int, agrees: bool
) -> None:
    found = answer(score=score, signature=SACREBLEU)
    expected = Bleu()(*CORPUS).value * scale / 100
    assert (found["agrees"], found["here"]) == (agrees, f"{expected:.{digits}f}")


def test_what_the_signature_leaves_open_is_said() -> None:
    told = SACREBLEU.replace("nrefs:2", "nrefs:1").replace("2.6.0", "2.3.1") + "|test:wmt17"
    notes = " ".join(answer(score="45.45", signature=told)["notes"])
    for said in ("version 2.3.1", "says 1, and here each line has 2", "test: the signature"):
        assert said in notes


def test_the_one_formula_that_passes_100_is_found() -> None:
    line = {"name": "perfect.txt", "text": "a b c d e f g"}
    found = answer(score="111.67", candidate=line, references=[line])
    assert found["matches"] and all(
        {"nltk-5", "nltk-7"} & {*each["setting"].replace(",", "").split()}
        for each in found["matches"])


NO_SCORE, ALL_OF_IT = "reported must be a score, such as 27.3", "pass all that the tool printed"


@pytest.mark.parametrize(("told", "said"), [
    ({}, ["type the score"]),
    ({"score": "27.3", "signature": "nonsense"}, ["not a signature: 'nonsense'"]),
    ({"signature": "tok:13a|tok:zh"}, ["must hold a field once"]),
    ({"signature": "tok:no-such|smooth:exp"}, ["tokenizer"]),
    ({"score": "27.3", "references": []}, ["no references: add a file"]),
    *(({"score": score}, [NO_SCORE, repr(score)])
      for score in ("1e400", "abc", "-1", "nan", "1_0x", "inf", "200.5")),
    *(({"score": "45.45", "signature": text}, [ALL_OF_IT])
      for text in ('{"score": 45.45}', '{"score": 45.45, "signature"', "[]")),
])
def test_wrong_questions_get_a_reason(told: dict[str, Any], said: list[str]) -> None:
    error = answer(**told)["error"]
    assert all(each in error for each in said), error


# What a visitor meets


FOUND, NOT_CHECKED, CHECK = (
    f"[data-part={name}]" for name in ("check-results", "check-refused", "check"))


def tries(score: str, signature: str = "") -> list[tuple[Any, ...]]:
    """That a number is checked."""
    return [("[name=reported]", "fill", score), ("[name=signature]", "fill", signature),
            (CHECK, "click")]


@pytest.fixture
def check_page(ready_page: Any) -> Any:
    """The tab, with the package's example in it."""
    follow(ready_page, ("#pg-tab-check", "click"), ("[data-part=example]", "click"),
           ("[data-part=candidates] textarea", "not_to_have_value", ""))
    return ready_page


@pytest.mark.parametrize("score", ["46.8", LESS, NOBODYS])
def test_browser_and_cpython_give_the_same_answers(check_page: Any, score: str) -> None:
    expected = answer(score=score)
    follow(check_page, *tries(score),
           (f"{FOUND} > .pg-verdict", "to_have_text", expected["answer"]),
           (f"{FOUND} .pg-picture", "to_have_count", int("waterfall" in expected)),
           (FOUND, "to_contain_text", expected["about"][0]),
           (f"{FOUND} section >> nth=0", "to_contain_text", " ".join(expected["verdict"])))
    rows = check_page.eval_on_selector_all(
        f"{FOUND} tbody tr", "rows => rows.map(row => [row.cells[0].textContent,"
        " row.querySelector('th').firstChild.data, row.querySelector('code').textContent])")
    assert rows == [[f"{each['score']:.4f}", each["setting"], each["signature"]]
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
    assert last == answer(score=LESS)["answer"] and f"So far: {last}" in others


def test_a_comma_is_a_decimal_point(check_page: Any) -> None:
    follow(check_page, *tries("45,45"), (f"{FOUND} > .pg-verdict", "to_have_text",
                                         answer(score="45.45")["answer"]),
           *tries("45,4", SACREBLEU), (f"{FOUND} > .pg-verdict", "to_contain_text", "45.4 agrees"))


def test_the_button_stands_below_the_fields(check_page: Any) -> None:
    fields = check_page.locator("#pg-check :is(input, textarea):visible").all()
    lowest = max(each.bounding_box()["y"] for each in fields)
    assert len(fields) >= 4 and check_page.locator(CHECK).bounding_box()["y"] > lowest


def test_the_source_can_be_a_third_file(check_page: Any) -> None:
    file = {"name": "source.txt", "mimeType": "text/plain", "buffer": SOURCE["text"].encode()}
    follow(check_page, ("[data-part=from] summary", "click"),
           ("[data-part=origin] input[type=file]", "set_input_files", file),
           ("[data-part=origin] .pg-name", "to_have_text", "source.txt"), *tries(OF_THE_SOURCE),
           (f"{FOUND} > .pg-verdict", "to_contain_text", SOURCE_SCORED),
           ("#pg-tab-files", "click"), ("[data-part=from]", "to_be_hidden"),
           ("#pg-tab-check", "click"), ("[data-part=clear]", "click"),
           ("[data-part=origin] .pg-held", "to_be_hidden"))


@pytest.mark.parametrize("size", [DESK, PHONE, {"viewport": {"width": 360, "height": 740}}])
def test_answers_are_accessible_and_fit(check_page: Any, axe: str, size: dict[str, Any]) -> None:
    check_page.set_viewport_size(size["viewport"])
    follow(check_page, *tries(LESS), (f"{FOUND} .pg-picture", "to_be_visible"),
           (f"{FOUND} summary >> nth=-1", "click"))
    check_page.evaluate(axe)
    assert check_page.evaluate("""place => axe.run(place, {resultTypes: ["violations"]}).then(
      ({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))""", FOUND) == []
    assert check_page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]


@pytest.mark.parametrize(("score", "signature", "said"), [
    ("45.4", SACREBLEU, "45.4 agrees, to 1 digit after the point."),
    ("45.445", SACREBLEU, "45.445 agrees, to 3 digits after the point."),
    ("0.454", SACREBLEU, "0.454 agrees, to 3 digits after the point."),
    ("46.79", LOWER, "46.79 agrees, to 2 digits after the point."),
    ("46.8", SACREBLEU, "46.8 does not agree: with 1 digit after the point it would be 45.4."),
])
def test_a_signature_is_checked(check_page: Any, score: str, signature: str, said: str) -> None:
    follow(check_page, *tries(score, signature), (f"{FOUND} > .pg-verdict", "to_have_text", said),
           (f"{FOUND} .pg-exact", "to_have_attribute", "data-value",
            answer(score=score, signature=signature)["value"]),
           (f"{FOUND} .pg-picture", "to_have_count", int(signature == LOWER)),
           (f"{FOUND} section >> nth=0", "to_contain_text",
            " ".join(answer(score=score, signature=signature)["verdict"])))


@pytest.mark.parametrize(("score", "signature"), [
    ("1e400", ""), ("abc", ""), ("201", ""), ("27.3", "<script>hit = 1</script>"),
    ("<img src=x onerror='hit = 1'>", ""), ("27.3", "tok:13a|version:2|smooth:no-such"),
])
def test_what_is_wrong_is_said_in_the_packages_words(
    check_page: Any, score: str, signature: str
) -> None:
    error = answer(score=score, signature=signature)["error"]
    follow(check_page, *tries(score, signature),
           (NOT_CHECKED, "to_have_text", f"Not checked: {error}."))
    assert check_page.evaluate("typeof hit") == "undefined"


def test_a_number_that_does_not_agree_can_be_searched(check_page: Any) -> None:
    follow(check_page, *tries("46.8", SACREBLEU), (FOUND, "to_contain_text", "not agree"),
           (button("Where does 46.8 come from?"), "click"),
           (f"{FOUND} .pg-matches >> nth=0", "to_be_visible"),
           (f"{FOUND} > .pg-verdict", "to_contain_text", "46.8 is one of: sacrebleu on lower"))


def test_a_search_can_be_stopped(check_page: Any) -> None:
    lines = "\n".join(f"a b c d e f g {number % 97} h {number % 89}" for number in range(2000))
    follow(check_page, ("[data-part=clear]", "click"),
           *((f"[data-part={kind}] textarea", "evaluate", PASTED, lines)
             for kind in ("candidates", "references")), *tries("27.3"),
           (f"{FOUND}[data-so-far=true]", "wait_for"), ("[data-part=stop]", "click"),
           (NOT_CHECKED, "to_have_text", "Stopped: below is what was found so far."),
           (FOUND, "to_be_visible"), (CHECK, "to_be_focused"),
           ("#pg-tab-sentence", "click"))


def test_another_page_can_fill_it_in(open_page: Any) -> None:
    page = open_page(f"playground.html#tab=check&score=45.4&signature={SACREBLEU}")
    follow(page, ("#pg-tab-check", "to_have_attribute", *SELECTED),
           ("[name=reported]", "to_have_value", "45.4"),
           ("[name=signature]", "to_have_value", SACREBLEU))
    assert "tab=check" in page.url
    follow(page, (CHECK, "click"),
           (NOT_CHECKED, "to_contain_text", "give the files that it is of"),
           ("[data-part=example]", "click"),
           ("[data-part=candidates] textarea", "not_to_have_value", ""),
           ("[name=reported]", "press", "Enter"), (FOUND, "to_contain_text", "45.4 agrees"))


# All three tabs


TABS = ("sentence", "files", "check")


def test_tabs_are_chosen_by_keys(ready_page: Any) -> None:
    follow(ready_page, ("#pg-tab-sentence", "click"), *(
        step for key, tab in (
            ("ArrowRight", "files"), ("ArrowRight", "check"), ("ArrowRight", "sentence"),
            ("ArrowLeft", "check"), ("Home", "sentence"), ("End", "check"), ("Home", "sentence"))
        for step in (
            (":focus", "press", key), (f"#pg-tab-{tab}", "to_be_focused"),
            (f"#pg-tab-{tab}", "to_have_attribute", *SELECTED),
            ("[role=tab][aria-selected=true]", "to_have_count", 1),
            (f"#pg-{tab}", "to_be_visible"), ("[role=tabpanel]:not([hidden])", "to_have_count", 1),
            ("[role=tab]:not([tabindex='-1'])", "to_have_count", 1))))


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_every_tab_fits_a_phone(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for tab in TABS:
        page.click(f"#pg-tab-{tab}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab
