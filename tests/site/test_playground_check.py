"""The playground's tab Check a number: `from_signature` and `identify` on files, as in CPython."""

import json
from typing import Any

import pytest
from playground import READY_WITHIN, settled

from bleu_nb import DIALECTS, Bleu, identify
from bleu_nb.diagnosis.identification import read_reported

SACREBLEU = "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
LOWER = SACREBLEU.replace("mixed", "lc")


def asked(bridge: Any, **told: Any) -> dict[str, Any]:
    """A question about the package's example."""
    return {**bridge.respond({"ask": "example"}), "ask": "check", **told}


def corpus(bridge: Any) -> tuple[list[str], list[tuple[str, ...]]]:
    """The package's example."""
    example = bridge.respond({"ask": "example"})
    human = [each["text"].splitlines() for each in example["references"]]
    return example["candidate"]["text"].splitlines(), [*zip(*human, strict=True)]


# What the Python answers


@pytest.mark.parametrize("score", ["45.45", "46.8", "46.79", "0.45", "0", "99.9"])
def test_settings_are_those_that_identify_finds(bridge: Any, score: str) -> None:
    expected = identify(*corpus(bridge), score)
    found = bridge.respond(asked(bridge, score=score))
    assert found["text"] == repr(expected)
    assert (found["tried"], found["without"]) == (expected.tried, dict(expected.without))
    assert [(each["setting"], each["value"], each["signature"]) for each in found["matches"]] == [
        (str(each), repr(each.value), each.signature) for each in expected.matches]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_score_agrees_with_its_own_signature(bridge: Any, dialect: str) -> None:
    score = Bleu(dialect)(*corpus(bridge))
    for digits in (1, 3):
        printed = f"{score.value * 100 / score.scale:.{digits}f}"
        found = bridge.respond(asked(bridge, score=printed, signature=score.signature))
        assert found["agrees"] and found["value"] == repr(score.value)
        assert found["here"] == printed and found["decimals"] == digits
    off = f"{score.value * 100 / score.scale + 1:.2f}"
    found = bridge.respond(asked(bridge, score=off, signature=score.signature))
    assert found["agrees"] is False and float(found["difference"]) == pytest.approx(-1, abs=0.01)


def test_a_printed_line_is_enough(bridge: Any) -> None:
    line = f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969)"
    found = bridge.respond(asked(bridge, score="", signature=line))
    assert found["agrees"] and found["reported"] == "45.45"


@pytest.mark.parametrize("text", [
    f"BLEU|{SACREBLEU} = 45.45 88.9/58.8/36.3/25.6 (BP = 0.969 ratio = 0.970)",
    f"{SACREBLEU}=45.45 88.9/58.8/36.3/25.6 (BP = 0.969)",
    f"{SACREBLEU} = 45.45±0.4",
    json.dumps({"name": "BLEU", "score": 45.45, "signature": SACREBLEU,
                "verbose_score": "88.9/58.8 (BP = 1.000 ratio = 1.000)"}),
    json.dumps([{"score": 45.45, "signature": SACREBLEU}], indent=1),
])
def test_what_a_tool_printed_is_read_whole(bridge: Any, text: str) -> None:
    found = bridge.respond(asked(bridge, score="", signature=text))
    assert found["agrees"] and found["reported"] == "45.45", found
    assert not [each for each in found["notes"] if "not understood" in each]


@pytest.mark.parametrize("text", [f"`{SACREBLEU}`", f'"{SACREBLEU}"', f"BLEU|{SACREBLEU}"])
def test_a_signature_may_be_quoted(bridge: Any, text: str) -> None:
    found = bridge.respond(asked(bridge, score="45.45", signature=text))
    assert found["agrees"]
    assert not [each for each in found["notes"] if "not understood" in each]


def test_a_line_without_a_signature_is_searched(bridge: Any) -> None:
    line = "BLEU = 45.45, 88.9/58.8/36.3/25.6 (BP=0.969, ratio=0.970)"
    found = bridge.respond(asked(bridge, score="", signature=line))
    assert found["how"] == "settings" and found["reported"] == "45.45" and found["number"]


def test_a_penalty_is_no_score(bridge: Any) -> None:
    found = bridge.respond(asked(bridge, score="", signature="88.9/58.8 (BP = 1.000 ratio = 1)"))
    assert "not a signature" in found["error"]
    for text in ('{"score": 45.45}', '{"score": 45.45, "signature"', "[]"):
        found = bridge.respond(asked(bridge, score="45.45", signature=text))
        assert "paste all that the tool printed" in found["error"]


@pytest.mark.parametrize(("score", "scale", "digits", "agrees"), [
    ("0.45", 1, 2, True), ("0.70", 1, 2, False), ("1.00", 1, 2, False), ("1", 100, 0, False),
    ("45.40", 100, 2, False), ("27.3e-300000", 1, 12, False),
])
def test_a_correction_is_on_the_scale_of_what_was_printed(
    bridge: Any, score: str, scale: int, digits: int, agrees: bool
) -> None:
    found = bridge.respond(asked(bridge, score=score, signature=SACREBLEU))
    expected = Bleu()(*corpus(bridge)).value * scale / 100
    assert (found["agrees"], found["here"]) == (agrees, f"{expected:.{digits}f}")


def test_what_the_signature_leaves_open_is_said(bridge: Any) -> None:
    told = SACREBLEU.replace("nrefs:2", "nrefs:1").replace("2.6.0", "2.3.1") + "|test:wmt17"
    notes = " ".join(bridge.respond(asked(bridge, score="45.45", signature=told))["notes"])
    for said in ("version 2.3.1", "says 1, and here each line has 2", "test: the signature"):
        assert said in notes


@pytest.mark.parametrize("score", ["1e400", "abc", "-1", "nan", "1_0x", "inf", "200.5"])
def test_what_is_no_score_is_named(bridge: Any, score: str) -> None:
    said = bridge.respond(asked(bridge, score=score))["error"]
    assert "reported must be a score, such as 27.3" in said and repr(score) in said
    with pytest.raises(ValueError, match="reported must be"):
        read_reported(score)


def test_the_one_formula_that_passes_100_is_found(bridge: Any) -> None:
    line = {"name": "perfect.txt", "text": "a b c d e f g"}
    asking = asked(bridge, score="111.67", candidate=line, references=[line])
    found = bridge.respond(asking)
    assert found["number"] > 0
    assert all("nltk-5" in each["setting"] for each in found["matches"])


@pytest.mark.parametrize(("told", "said"), [
    ({}, "type the score"),
    ({"score": "27.3", "signature": "nonsense"}, "not a signature: 'nonsense'"),
    ({"signature": "tok:13a|tok:zh"}, "must hold a field once"),
    ({"signature": "tok:no-such|smooth:exp"}, "tokenizer"),
    ({"score": "27.3", "references": []}, "no references: add a file"),
])
def test_wrong_questions_get_a_reason(bridge: Any, told: dict[str, Any], said: str) -> None:
    assert said in bridge.respond(asked(bridge, **told))["error"]


# What a visitor meets


def check(page: Any, score: str, signature: str = "") -> str:
    """Fill in, press the button, and read the verdict, or what is refused."""
    page.fill("[name=reported]", score)
    page.fill("[name=signature]", signature)
    page.click("[data-part=check]")
    page.wait_for_selector(
        ":is([data-part=check-results], [data-part=check-refused]):not([hidden])")
    settled(page)
    found: str = page.inner_text(":is([data-part=check-results] > .pg-verdict, "
                                 "[data-part=check-refused]):visible")
    return found


@pytest.fixture
def check_page(ready_page: Any) -> Any:
    """The tab, with the package's example in it."""
    ready_page.click("#pg-tab-check")
    ready_page.click("[data-part=example]")
    settled(ready_page)
    assert ready_page.input_value("[data-part=candidates] textarea")
    return ready_page


def test_browser_and_cpython_find_the_same_settings(check_page: Any, bridge: Any) -> None:
    for score in ("46.8", "0.45", "99.99"):
        expected = bridge.respond(asked(bridge, score=score))
        said = check(check_page, score)
        assert said == f"{expected['number']} of {expected['tried']:,} settings print {score}."
        rows = check_page.eval_on_selector_all(
            "[data-part=check-results] tbody tr",
            "rows => rows.map(row => [row.cells[0].textContent, row.cells[1].firstChild.data,"
            " row.cells[1].lastChild.textContent])")
        assert rows == [[f"{float(each['value']):.4f}", each["setting"], each["signature"]]
                        for each in expected["matches"]]


@pytest.mark.parametrize(("score", "signature", "said"), [
    ("45.4", SACREBLEU, "45.4 agrees, to 1 digit after the point."),
    ("45.445", SACREBLEU, "45.445 agrees, to 3 digits after the point."),
    ("0.454", SACREBLEU, "0.454 agrees, to 3 digits after the point."),
    ("46.79", LOWER, "46.79 agrees, to 2 digits after the point."),
    ("46.8", SACREBLEU, "46.8 does not agree: with 1 digit after the point it would be 45.4."),
])
def test_a_signature_is_checked(
    check_page: Any, bridge: Any, score: str, signature: str, said: str
) -> None:
    assert check(check_page, score, signature) == said
    found = bridge.respond(asked(bridge, score=score, signature=signature))
    shown = check_page.get_attribute("[data-part=check-results] .pg-exact", "data-value")
    assert shown == found["value"]


@pytest.mark.parametrize(("score", "signature"), [
    ("1e400", ""), ("abc", ""), ("201", ""), ("27.3", "<script>hit = 1</script>"),
    ("<img src=x onerror='hit = 1'>", ""), ("27.3", "tok:13a|version:2|smooth:no-such"),
])
def test_what_is_wrong_is_said_in_the_packages_words(
    check_page: Any, bridge: Any, score: str, signature: str
) -> None:
    error = bridge.respond(asked(bridge, score=score, signature=signature))["error"]
    assert check(check_page, score, signature) == f"Not checked: {error}."
    assert check_page.evaluate("typeof hit") == "undefined"


def test_a_number_that_does_not_agree_can_be_searched(check_page: Any) -> None:
    check(check_page, "46.8", SACREBLEU)
    check_page.get_by_role("button", name="Which settings print 46.8?").click()
    check_page.wait_for_selector("[data-part=check-results] .pg-matches")
    assert "settings print 46.8" in check_page.inner_text("[data-part=check-results]")


def test_a_search_can_be_stopped(check_page: Any) -> None:
    check_page.click("[data-part=clear]")
    lines = "\n".join(f"a b c d e f g {number % 97} h {number % 89}" for number in range(2000))
    for kind in ("candidates", "references"):
        check_page.evaluate("""([kind, text]) => {
            const area = document.querySelector(`[data-part=${kind}] textarea`);
            area.value = text;
            area.dispatchEvent(new Event("input"));
        }""", [kind, lines])
    check_page.fill("[name=reported]", "27.3")
    check_page.fill("[name=signature]", "")
    check_page.click("[data-part=check]")
    check_page.wait_for_selector("[data-part=check-progress]:not([hidden])")
    check_page.click("[data-part=stop]")
    settled(check_page)
    assert check_page.inner_text("[data-part=check-refused]") == "Stopped."
    assert check_page.evaluate("document.activeElement.dataset.part") == "check"
    check_page.click("#pg-tab-sentence")
    settled(check_page)


def test_another_page_can_fill_it_in(open_page: Any) -> None:
    page = open_page(f"playground.html#tab=check&score=45.4&signature={SACREBLEU}")
    page.wait_for_selector("#pg-tab-check[aria-selected=true]")
    assert page.input_value("[name=reported]") == "45.4"
    assert page.input_value("[name=signature]") == SACREBLEU
    settled(page, READY_WITHIN)
    assert "tab=check" in page.url
    page.click("[data-part=check]")
    assert "give the files that it is of" in page.inner_text("[data-part=check-refused]")
    page.click("[data-part=example]")
    page.wait_for_function("document.querySelector('[data-part=candidates] textarea').value")
    page.press("[name=reported]", "Enter")
    page.wait_for_selector("[data-part=check-results]:not([hidden])")
    assert "45.4 agrees" in page.inner_text("[data-part=check-results]")


# All three tabs


def test_tabs_are_chosen_by_keys(ready_page: Any) -> None:
    def chosen() -> list[str]:
        found: list[str] = ready_page.eval_on_selector_all(
            "[role=tab]", "all => all.map(each => each.getAttribute('aria-selected'))")
        return found

    ready_page.click("#pg-tab-sentence")
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 0), ("ArrowLeft", 2),
                       ("Home", 0), ("End", 2), ("Home", 0)):
        ready_page.keyboard.press(key)
        assert chosen().index("true") == place and chosen().count("true") == 1
        focused = ready_page.evaluate("document.activeElement.getAttribute('aria-controls')")
        visible = ready_page.eval_on_selector_all(
            "[role=tabpanel]", "all => all.filter(each => !each.hidden).map(each => each.id)")
        assert visible == [focused]
    stops = ready_page.eval_on_selector_all(
        "[role=tab]", "all => all.filter(each => each.tabIndex === 0).length")
    assert stops == 1


def test_every_tab_fits_a_phone(ready_page: Any) -> None:
    desk = ready_page.viewport_size
    for width in (320, 375, 1280):
        ready_page.set_viewport_size({"width": width, "height": 740})
        for tab in ("sentence", "files", "check"):
            ready_page.click(f"#pg-tab-{tab}")
            wide = ready_page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (tab, width)
    ready_page.set_viewport_size(desk)


def test_what_is_asked_travels_as_json(bridge: Any) -> None:
    question = asked(bridge, score="46.8")
    step = bridge.begin(json.dumps(question))
    said = json.loads(step())
    while "answer" not in said:
        assert 0 <= said["done"] < said["of"]
        said = json.loads(step())
    assert said["answer"] == bridge.respond(question)
