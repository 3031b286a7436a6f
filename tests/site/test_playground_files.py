"""The playground's tab Files: read as `bleu-nb score` reads, and the digits of CPython."""

import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import bridge
import pytest
from bridge_files import LOOKS_LIKE, for_page
from bridge_verdict import because
from browser import DESK, PAGE, PHONE, follow
from playground import (
    BEGIN,
    HOLDS,
    NO_HIT,
    NOT_FROZEN,
    PASTED,
    ROOT,
    SELECTED,
    VALUE,
    button,
    scored,
    shows,
)

from bleu_nb import DIALECTS, Bleu, compare_systems, explain
from bleu_nb.cli.command import main
from bleu_nb.diagnosis.explanation import Part
from bleu_nb.display.explanation_charts import waterfall
from bleu_nb.significance.intervals import detectable

HERON, KESTREL, FIRST, SECOND = (
    (ROOT / "bleu_nb" / "example" / f"{name}.txt").read_bytes()
    for name in ("heron", "kestrel", "reference_1", "reference_2"))
SYSTEMS = [data.decode().splitlines() for data in (HERON, KESTREL)]
HUMAN = [*zip(*(data.decode().splitlines() for data in (FIRST, SECOND)), strict=True)]
# Files by name; the first is the candidate, the others are references.
CASES: dict[str, dict[str, bytes]] = {
    "the example": {"heron.txt": HERON, "reference_1.txt": FIRST, "reference_2.txt": SECOND},
    "carriage returns": {"mt": b"a b c d\r\ne f g h\r\n", "ref": b"a b c d\ne f g x\n"},
    "no feed at the end": {"mt": b"a b c d e\nf g h i", "ref": b"a b c d e\nf g h i j"},
    "empty lines": {"mt": b"\n\na b c d\n", "ref": b"a\n\na b c d\n"},
    "other ends of lines": {"mt": "a\u2028b c\x0bd\x85e\n".encode(), "ref": b"a b c d e\n"},
    "a byte order mark": {"mt": b"\xef\xbb\xbfa b c d\n", "ref": b"a b c d e\n"},
    "left tokenised": {"mt": b"It does n't rain .\n" * 300, "ref": b"It doesn't rain.\n" * 300},
    "no spaces": {"mt": "冬天，船每月来一次。\n".encode(),
                  "ref": "冬天，船每月只来一次。\n".encode()},
    "gzip": {"mt.gz": gzip.compress(b"a b c d\n", mtime=0), "ref": b"a b c d e\n"},
    "markup": {"<img src=x onerror='hit=1'>": b"<script>hit = 1</script> a b\nc\n",
               "'\"&": b"</td><img src=x onerror='hit=1'>\nc d\n"},
    "scripts": {"候选.txt": "冬天，船每月来一次。\nجاء القارب\n".encode(),
                "مرجع": "冬天，船每月只来一次。\nجاء القارب مرة\n".encode()},
    "turned text": {"mt\u202e": "a \u202e b \u2066 c\n".encode(), "ref": b"a b c\n"},
    "not UTF-8": {"mt": b"a b\nc \xff d\n", "ref": b"a b\nc d\n"},
    "UTF-16": {"mt": "a b\n".encode("utf-16"), "ref": b"a b\n"},
    "gzip without its name": {"mt": gzip.compress(b"a b\n", mtime=0), "ref": b"a b\n"},
    "broken gzip": {"mt.gz": b"\x1f\x8bnothing", "ref": b"a b\n"},
    "unequal lengths": {"mt": b"a\nb\n", "ref": b"a\nb\nc\n", "ref2": b"a\n"},
    "an empty file": {"mt": b"", "ref": b"a\n"},
    "null bytes": {"mt": b"a\x00b c\n\x00\n", "ref": b"a\x00b\n\x00 \x00\n"},
    "nothing in common": {"mt": b"a b\nc d\n", "ref": b"x y\nz w\n"},
}
KESTREL_TOO = {"kestrel.txt": KESTREL}
NOTED = {"other ends of lines", "a byte order mark", "left tokenised", "no spaces", "scripts",
         "null bytes"}
REFUSED = {"not UTF-8", "gzip without its name", "broken gzip", "unequal lengths",
           "an empty file"}


def asked(
    files: dict[str, bytes], second: dict[str, bytes] | None = None, **choices: Any
) -> tuple[dict[str, Any], list[bytes]]:
    """A question about files, perhaps of a second system, and their bytes."""
    every = {**files, **(second or {})}
    entries = [{"name": name, "blob": place} for place, name in enumerate(every)]
    kinds = {"candidate": entries[0], "references": entries[1:len(files)]}
    beside = {"second": entries[-1]} if second else {}
    return {"ask": "files", "dialect": "sacrebleu", **kinds, **beside, **choices}, [*every.values()]


# What the Python answers


@pytest.mark.parametrize("name", [each for each in CASES if each != "UTF-16"])
def test_files_are_read_as_the_command_reads_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for each, data in CASES[name].items():
        Path(each).write_bytes(data)
    status = main(["score", *CASES[name]])
    out, told = capsys.readouterr()
    found = bridge.respond(*asked(CASES[name]))
    assert (name in REFUSED) == bool(status) == ("error" in found)
    if status:
        assert found["error"] in for_page(" ".join(told.split())), told
        return
    assert found["systems"][0]["line"] == out.strip("\n")
    notes = [each.removeprefix("bleu-nb: warning: ") for each in told.splitlines()]
    unsplit = [each for each in notes if each.startswith(LOOKS_LIKE)]
    assert found["notes"] == [for_page(each) for each in notes if each not in unsplit]
    assert bool(found["unsplit"]) == bool(unsplit)
    assert len(notes) == (name in NOTED)


def test_a_file_in_utf_16_is_read() -> None:
    plain = {name: data.decode("utf-16" if name == "mt" else "utf-8").encode()
             for name, data in CASES["UTF-16"].items()}
    found, same = (bridge.respond(*asked(each)) for each in (CASES["UTF-16"], plain))
    assert found == same and "error" not in same


@pytest.mark.parametrize(("told", "shown"), [
    ("this is 13a: pass tokenizer='zh' (--tokenize zh)", "this is 13a: choose the tokenizer zh"),
    ("'a--b' is not UTF-8; save the file as UTF-8, or pass the encoding as --encoding",
     "'a--b' is not UTF-8; save the file as UTF-8"),
    ("'a' is UTF-16: save the file as UTF-8, or convert it, as in iconv -f UTF-16 FILE > NEW",
     "'a' is UTF-16: save the file as UTF-8"),
    ("it was left out: pass keep_bom=True (--keep-bom) for theirs", "it was left out"),
    ("more lines than that: the command `bleu-nb score` takes any number",
     "more lines than that: the command bleu-nb score takes any number")])
def test_advice_is_of_what_a_page_has(told: str, shown: str) -> None:
    assert for_page(told) == shown


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_interval_is_the_packages(dialect: str) -> None:
    answer = bridge.respond(*asked(CASES["the example"], KESTREL_TOO, dialect=dialect))
    for system, lines in zip(answer["systems"], SYSTEMS, strict=True):
        counts, found = Bleu(dialect).count(lines, HUMAN), system["interval"]
        assert system["value"] == repr(counts.score().value)
        try:
            interval = counts.interval()
            expected = {"low": interval.low, "high": interval.high, "half": interval.half_width}
        except ValueError as error:
            assert found == {"none": str(error)}
        else:
            assert {key: float(found[key]) for key in expected} == pytest.approx(
                expected, rel=1e-12, abs=1e-12)


def test_segments_are_summed_up() -> None:
    found = bridge.respond(*asked(CASES["the example"]))["systems"][0]["segments"]
    values = [Bleu().sentence(*pair).value for pair in zip(SYSTEMS[0], HUMAN, strict=True)]
    assert sum(found["bars"]) == len(values) and found["bars"][-1] == sum(
        each >= 90 for each in values)
    ranked, ends = sorted(values), found["worst"] + found["best"]
    assert [float(each["value"]) for each in ends] == ranked[:5] + ranked[:-6:-1]
    for each in ends:
        place = each["line"] - 1
        assert (each["candidate"], (*each["references"],)) == (SYSTEMS[0][place], HUMAN[place])
        assert bridge.respond({**each, "dialect": "sacrebleu", "against": "nltk"})[
            "value"] == each["value"]


def test_a_comparison_is_the_packages() -> None:
    single = bridge.respond(*asked(CASES["the example"]))
    found = bridge.respond(*asked(CASES["the example"], KESTREL_TOO, ask="pair"))
    [_, other] = compare_systems(
        {"heron": SYSTEMS[0]}, {"kestrel": SYSTEMS[1]}, HUMAN).systems
    assert (found["p"], found["gap"]["value"]) == (repr(other.p_value), repr(other.difference))
    assert float(found["gap"]["low"]) == pytest.approx(other.difference_interval.low, rel=1e-12)
    assert [found["segments"][name] for name in ("wins", "ties", "losses")] == [
        other.wins, other.ties, other.losses]
    assert sum(found["chance"]["bars"]) == found["trials"] == 10_000
    assert sum(found["chance"]["beyond"]) == found["reached"]
    assert found["verdict"] == [
        f"kestrel.txt ({other.score.value:.2f}) scores {other.difference:.2f} ± "
        f"{other.difference_interval.half_width:.2f} points more than heron.txt (45.45) on 12 "
        f"lines: chance alone seldom makes so large a difference (p = {other.p_value:.4f}).",
        f"On these lines a test of the two finds a true difference of {other.detectable:.2f} "
        "points 80 times in 100, and smaller ones less often."]
    assert single["verdict"][0] == "BLEU 45.45 ± 17.53 on 12 lines."
    error = math.sqrt(2) * Bleu().count(SYSTEMS[0], HUMAN).interval().error
    assert f"truly {detectable(error):.2f} points better" in single["verdict"][1]
    assert "has nothing to do with this one’s" in single["assumed"]


@pytest.mark.parametrize(("against", "other"), [
    ("nltk", Bleu("nltk")), ("ignite", Bleu("ignite")), ("sacrebleu", Bleu()),
    ("lowercase yes", Bleu(lowercase=True)), ("max order 2", Bleu(max_order=2)),
    ("mean of the sentence scores, effective order never", Bleu(average="segments")),
    ("mean of the sentence scores", Bleu(average="segments", effective_order="always")),
])
def test_an_explanation_is_the_packages(against: str, other: Bleu) -> None:
    found = bridge.respond(*asked(CASES["the example"], ask="why", against=against))
    expected = explain(SYSTEMS[0], HUMAN, Bleu(), other)
    assert (found["text"], found["markup"], found["narrow"], found["value"]) == (
        repr(expected), waterfall(expected).markup, waterfall(expected).narrow,
        repr(expected.second_score.value))
    [said] = found["verdict"]
    assert said.startswith(f"{expected.second} would print ")
    assert f"{abs(expected.difference):.2f} points" in said or not expected.difference


def test_every_change_that_is_offered_is_explained() -> None:
    for against in bridge.respond({"ask": "menus"})["changes"]:
        assert "markup" in bridge.respond(*asked(CASES["the example"], ask="why", against=against))


@pytest.mark.parametrize(("against", "number"), [
    ("nltk", 0), ("sacrebleu", 0), ("fairseq", 1), ("nmt", 1)])
def test_a_tool_that_reads_other_lines_is_said_to(against: str, number: int) -> None:
    files = {"mt": b"a b\rc d e f\n", "ref": b"a b\rc d e f\n"}
    assert len(bridge.respond(*asked(files, ask="why", against=against))["notes"]) == number


# Verdicts


def lines(*texts: str, times: int = 1) -> bytes:
    """A file."""
    return "".join(f"{each}\n" for each in texts * times).encode()


ONE, OTHER, NOTHING = "a b c d e", "a b c d f", "v w x y z"
LONG = " ".join(f"w{place}" for place in range(200))
TOO_FEW = "too little to tell how far chance moves it"
EXACT = "what it does otherwise (tokenisation, short segments, zero matches, arithmetic)"
# Lines of a system, of people, perhaps of a second system; what is said, and what must not be.
VERDICTS: dict[str, tuple[list[bytes], dict[str, str], list[str], list[str]]] = {
    "one line": ([lines(ONE), lines(OTHER)], {}, [
        "BLEU 66.87 on 1 line: from one line nobody can tell how far chance moves it."], ["±"]),
    "one line of two systems": ([lines(ONE), lines(OTHER), lines(OTHER)], {}, [
        "Which of the two is better cannot be tested: there is only one line."], ["±", "p ="]),
    "too small a test": ([lines(ONE, OTHER, ONE), lines(ONE, times=3)], {}, [
        f"on 3 lines: {TOO_FEW} (only 3 segments or documents)."], ["±", "80 times"]),
    "too small a test of two": (
        [lines(ONE, times=3), lines(OTHER, times=3), lines(OTHER, times=3)], {}, [
            "(100.00) scores 33.13 points more than mt (66.87) on 3 lines",
            "this test does not say which is better",
            "cannot be told: only 3 segments or documents."], ["±", "80 times", "seldom"]),
    "too few matches": ([lines(OTHER, times=30), lines("a b c x y", times=30)], {}, [
        f"{TOO_FEW} (only 0 matches of order 4)."], ["±", "80 times"]),
    "a printed 0": ([lines(NOTHING, times=12), lines(ONE, times=12)], {"against": "nltk"}, [
        "BLEU 0.00 on 12 lines, without a ±: a score of 0 has no interval.",
        f"nltk would print 0.0000, the same score: {EXACT} changes nothing here."],
        ["80 times", "of 100", "points"]),
    "a 0 beside another score": (
        [lines(NOTHING, times=12), lines(ONE, times=12), lines(ONE, times=12)], {}, [
            "(100.00) scores 100.00 points more than mt (0.00) on 12 lines"], ["±", "80 times"]),
    "what is printed like 0 and is none": (
        [lines("a b x y", times=12), lines("a b c d", times=12)], {"dialect": "nltk"},
        ["BLEU 9.5e-155 on 12 lines"], []),
    "hardly a test": ([lines(LONG, *[""] * 11), lines(LONG, *[LONG[:99]] * 11)], {}, [
        "On so few lines a test would not even find a difference of 100 80 times in 100."],
        ["truly"]),
    "hardly a test of two": (
        [lines(LONG, *[""] * 11), lines(LONG, *[LONG[:99]] * 11),
         lines("", *[LONG[:99]] * 11)], {}, [
            "On these lines a test of the two would not even find a difference of 100 80 times"],
        ["true difference"]),
    "a worse system": (
        [lines(*[ONE] * 11, OTHER), lines(*[ONE] * 12), lines(*[ONE] * 2, *[OTHER] * 10)], {}, [
            "points less than mt (", " ± "], ["more than"]),
    "equal settings": ([lines(ONE), lines(OTHER)], {"against": "sacrebleu"}, [
        "sacrebleu would print 66.87, the same score: its settings are the same."],
        ["because", "more", "less"]),
    "other settings, the same score": (
        [lines(ONE, times=2), lines(OTHER, times=2)], {"against": "smoothing floor"}, [
            "the same score: what it does otherwise (zero matches) changes nothing here."],
        ["because"]),
    "equal systems": ([lines(ONE, times=12), lines(OTHER, times=12), lines(ONE, times=12)], {}, [
        "mt (66.87) and kestrel.txt have the same score on 12 lines."],
        ["better", "p =", "80 times"]),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_says_what_the_numbers_give(name: str) -> None:
    (system, people, *second), choices, said, never = VERDICTS[name]
    asks = ["files", *(["pair"] if second else []), *(["why"] if "against" in choices else [])]
    files = {"mt": system, "ref": people}
    found = [bridge.respond(*asked(files, {"kestrel.txt": each} if (each := b"".join(second))
                                   else None, ask=ask, **choices)) for ask in asks]
    words = " ".join(each for answer in found for each in answer["verdict"])
    assert not [each for each in said if each not in words], words
    assert not [each for each in never if each in words], words
    assert "nan" not in words and "None" not in words


@pytest.mark.parametrize(("points", "said"), [
    ([-3.0], "because of “pooling”"), ([-3.0, -2.0], "mostly because of “pooling”"),
    ([3.0, -0.5], "mostly because of “pooling”"), ([-3.0, -2.0, -2.0], "for 3 reasons: “pooling”"),
    ([-3.0, 1.0], "for 2 reasons, some against the others: “pooling” has the largest share, −3.00"),
])
def test_most_of_a_difference_is_called_mostly(points: list[float], said: str) -> None:
    names = ("pooling", "case", "brevity penalty")
    parts = [Part(name, (), each, ()) for name, each in zip(names, points, strict=False)]
    assert because(parts, math.fsum(points)).startswith(said)


MANY, LARGE = b"a b c\n" * 10_001, gzip.compress((b"a" * 2_199 + b"\n") * 5_000)


@pytest.mark.parametrize(("files", "change", "said"), [
    (CASES["the example"], {"references": []}, "no references: add a file"),
    (CASES["the example"], {"ask": "why", "against": "nltkk"}, "did you mean 'nltk', 'n"),
    (CASES["the example"], {"dialect": "sacreblue"}, "did you mean 'sacrebleu', 's"),
    (CASES["the example"], {"smoothing": "exp", "smoothing_value": 2}, "takes no value"),
    ({"mt": MANY, "ref": MANY}, {}, "10,000 lines"),
    ({"mt.gz": LARGE, "ref": LARGE}, {}, "10 megabytes"),
], ids=range(6))
def test_wrong_questions_get_a_reason(
    files: dict[str, bytes], change: dict[str, Any], said: str
) -> None:
    request, blobs = asked(files)
    assert said in bridge.respond({**request, **change}, blobs)["error"]


@pytest.mark.parametrize(("told", "steps"), [
    (asked({"mt": b"a b c\n" * 1000, "ref": b"a b d\n" * 1000}), [*range(0, 1000, 100)]),
    (({**bridge.respond({"ask": "example"}), "ask": "check", "score": "46.8"}, []), None),
])
def test_an_answer_comes_in_steps(
    monkeypatch: pytest.MonkeyPatch, told: tuple[Any, Any], steps: list[int] | None
) -> None:
    monkeypatch.setattr(bridge, "SLICE", 0)
    step, said = bridge.begin(json.dumps(told[0]), told[1]), [{"done": 0, "of": 1}]
    while "answer" not in said[-1]:
        assert said[-1]["done"] <= said[-1]["of"]
        said.append(json.loads(step()))
    assert said.pop()["answer"] == bridge.respond(*told)
    done = [each["done"] for each in said[1:]]
    assert done == (sorted(done) if steps is None else steps) and done[0] < done[-1]


# What a visitor meets


CANDIDATES, LINES, SYSTEM_TWO, FOUND, PAIR, DROPPED = (
    f"[data-part={name}]" for name in (
        "candidates", "references", "second", "files-results", "pair-results", "dropped"))
CANDIDATE, REFERENCES, AGAINST, DIALECT, ORDER = (f"[name={name}]" for name in (
    "candidate", "references", "against", "dialect", "max_order"))
WHY, OTHER_TOOL, IN_SHORT = (
    "[data-part=why]", "#pg-other", "[data-part=in-short] .pg-verdict p >> nth=-1")
SETTINGS = "[data-part=files-settings]"
FILES_TAB, SENTENCE_TAB = "#pg-tab-files", "#pg-tab-sentence"
NOT_ASKED = "select => { select.value = ''; select.dispatchEvent(new Event('input')); }"
DROP = """(place, files) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([text], name));
  const event = new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: transfer});
  place.dispatchEvent(event);
  if (!event.defaultPrevented) throw new Error("the browser would open the file");
}"""


@pytest.fixture
def files_page(page: Any) -> Any:
    """The tab Files, with nothing in it."""
    follow(page, (FILES_TAB, "click"), (DIALECT, "select_option", "sacrebleu"),
           (ORDER, "select_option", ""), (OTHER_TOOL, "evaluate", NOT_ASKED),
           ("[data-part=clear]", "click"))
    return page


def gives(kind: str, *files: tuple[str, bytes]) -> tuple[Any, ...]:
    """That files are chosen for a place."""
    return f"{kind} >> nth=0 >> input[type=file] >> nth=0", "set_input_files", [
        {"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]


def given(files: dict[str, bytes]) -> list[tuple[Any, ...]]:
    """That a candidate and its references are chosen, until there is an answer."""
    candidate, *references = files.items()
    last = f"{LINES} .pg-text:nth-child({len(references)})"
    return [gives(CANDIDATES, candidate), (f"{CANDIDATES} .pg-held:not([hidden])", "wait_for"),
            gives(LINES, *references), (f"{last} .pg-held:not([hidden])", "wait_for"),
            (f":is({FOUND}, [data-part=files-refused]):not([hidden])", "wait_for")]


def pasted(*texts: str) -> list[tuple[Any, ...]]:
    """That the lines of a system and of people are typed."""
    return [(f"{kind} textarea", "evaluate", PASTED, text)
            for kind, text in zip((CANDIDATES, LINES), texts, strict=True)]


def dropped(place: str, *files: tuple[str, str]) -> tuple[Any, ...]:
    """That files are dropped."""
    return place, "evaluate", DROP, files


def corpus_score(files: dict[str, bytes], **choices: Any) -> tuple[str, ...]:
    """That the score of files is shown."""
    [system] = bridge.respond(*asked(files, **choices))["systems"]
    return f"{FOUND} .pg-value", "to_have_attribute", "data-value", system["value"]


SAID = """() => {
    const refused = document.querySelector("[data-part=files-refused]");
    if (!refused.hidden) return {error: refused.textContent};
    const box = document.querySelector("[data-part=files-results]");
    const value = box.querySelector(".pg-value");
    return {value: value.dataset.value, half: value.dataset.half,
        line: box.querySelector(".pg-line").textContent,
        bars: [...document.querySelectorAll(".pg-bars td")].map(td => Number(td.textContent)),
        words: [...document.querySelectorAll(".pg-words")].map(each => each.textContent),
        markup: document.querySelectorAll("[data-part^=files] :is(script, img, [onerror])").length};
}"""


@pytest.mark.parametrize("name", CASES)
def test_browser_and_cpython_say_the_same_of_files(files_page: Any, name: str) -> None:
    follow(files_page, *given(CASES[name]))
    found = bridge.respond(*asked(CASES[name]))
    here = {"error": f"No score: {found.get('error')}."}
    if "error" not in found:
        [system] = found["systems"]
        ends = system["segments"]["best"] + system["segments"]["worst"]
        here = {"value": system["value"], "half": system["interval"].get("half", ""),
                "line": system["line"], "bars": system["segments"]["bars"], "markup": 0,
                "words": [each["candidate"] or "(an empty line)" for each in ends]}
    follow(files_page, ("html", "to_give", SAID, here), NO_HIT)


AGAINST_NLTK = bridge.respond(*asked(CASES["the example"], ask="why", against="nltk"))
COMPARED = bridge.respond(*asked(CASES["the example"], KESTREL_TOO, ask="pair"))
WORST = bridge.respond(*asked(CASES["the example"]))["systems"][0]["segments"]["worst"][0]
SEGMENT = "[aria-labelledby=pg-worst-0] .pg-segment >> nth=0"
WORDS = [f"w{place}" for place in range(32)]
EIGHTH = {"mt": " ".join(WORDS[:5] + ["z"] * 27).encode(), "ref": " ".join(WORDS).encode()}
BOTH = [("candidates.txt", "a b c d\n"), ("references.txt", "a b c d\n")]
ON_BOTH = [dropped(f"{kind} textarea", file)
           for kind, file in zip((CANDIDATES, LINES), BOTH, strict=True)]
AT_ONCE = b"a b c d\nf g h i\n", b"a b c d e\nf g h i\n"  # Reference and candidate
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
BOATS = "\n".join(f"The boat {number} came, once; in month {number % 7}." for number in range(3000))
NOT_BESIDE = """() => new Promise((resolve, reject) => {
    const part = name => document.querySelector(`[data-part=${name}]`);
    new MutationObserver((_, watch) => {
        watch.disconnect();
        if (part("pair-results").hidden) resolve();
        else reject(new Error("the comparison is of other lines"));
    }).observe(part("files-results"), {childList: true});
    const second = part("second").querySelector("textarea");
    second.value = `more ${second.value}`;
    second.dispatchEvent(new Event("input", {bubbles: true}));
})"""
KEEP_ADDRESSES = """() => {
    window.addresses = [];
    for (const name of ["pushState", "replaceState"]) {
        const usual = history[name].bind(history);
        history[name] = (...told) => { addresses.push(told[2]); usual(...told); };
    }
}"""
SECRET = (CANDIDATE, "to_have_value", "in secret it came again")
# What a visitor does, and then sees; it begins with the tab Files, empty.
VISITS: dict[str, list[tuple[Any, ...]]] = {
    "two systems are compared": [
        ("[data-part=example]", "click"),
        (f"{PAIR} .pg-value", "to_have_attribute", "data-value", COMPARED["gap"]["value"]),
        (f"{PAIR} .pg-value", "to_have_attribute", "data-p", COMPARED["p"]),
        *((f"{PAIR} .pg-verdict", "to_contain_text", said)
          for said in (f"{COMPARED['reached']} of 10,000 random swaps", COMPARED["shown"])),
        ("[data-part=aloud]", "to_contain_text", "random swaps")],
    "the large number is the printed one": [
        (DIALECT, "select_option", "multi-bleu"), (ORDER, "select_option", "1"), *given(EIGHTH),
        (f"{FOUND} .pg-value", "to_have_attribute", "data-value", "15.625"),
        (f"{FOUND} .pg-value", "to_have_text", "15.62"),
        (f"{FOUND} .pg-line", "to_contain_text", " = 15.62")],
    "a segment opens as a sentence": [
        ("[data-part=example]", "click"), (PAIR, "to_be_visible"),
        (f"{SEGMENT} >> .pg-number", "to_have_text", f"{float(WORST['value']):.2f}"),
        (SEGMENT, "press", "Enter"), (SENTENCE_TAB, "to_have_attribute", *SELECTED),
        shows(WORST["value"]), (VALUE, "to_have_text", f"{float(WORST['value']):.2f}"),
        (CANDIDATE, "to_be_focused"),
        (REFERENCES, "to_have_value", "\n".join(WORST["references"])),
        ("[data-part=undo]", "click")],
    "files can be dropped": [
        *ON_BOTH, (FOUND, "to_contain_text", "100.0"),
        (f"{CANDIDATES} .pg-name", "to_have_text", "candidates.txt"), (SENTENCE_TAB, "click"),
        dropped(CANDIDATE, ("elsewhere.txt", "x\n")), (FILES_TAB, "to_have_attribute", *SELECTED)],
    "a file that misses its field is named": [
        *ON_BOTH, dropped("[data-part=more] > summary", ("other.txt", "a b c\n")),
        (f"{SYSTEM_TWO} .pg-held", "to_be_visible"),
        (f"{SYSTEM_TWO} .pg-name", "to_have_text", "other.txt"),
        (DROPPED, "to_contain_text", "taken as “Second system”: other.txt"),
        (f"{LINES} .pg-text", "to_have_count", 1)],
    **{f"{one} and {two}, dropped at once, are both taken": [
        dropped("h1", *((name, AT_ONCE[name == "kestrel.txt"].decode()) for name in (one, two))),
        (f"{CANDIDATES} .pg-name", "to_have_text", "kestrel.txt"),
        (f"{LINES} .pg-name", "to_have_text", reference),
        (DROPPED, "to_have_text", "Dropped beside the fields, and taken as “Candidate lines”: "
                                  f"kestrel.txt, as “Reference lines”: {reference}."),
        corpus_score({"kestrel.txt": AT_ONCE[1], reference: AT_ONCE[0]})]
       for one, two, reference in (("kestrel.txt", "reference_1.txt", "reference_1.txt"),
                                   ("a_reference.txt", "kestrel.txt", "a_reference.txt"))},
    "a second file for one field is not lost in silence": [
        dropped(f"{CANDIDATES} textarea", ("a.txt", "a b\n"), ("b.txt", "c d\n")),
        (f"{CANDIDATES} .pg-held", "to_be_visible"),
        (DROPPED, "to_have_text", "Candidate lines is one file: a.txt was taken, and not b.txt."),
        (f"{LINES} .pg-held", "to_be_hidden")],
    "text without spaces has a button for its tokenizer": [
        *given(CASES["no spaces"]), (FOUND, "to_contain_text", "looks like Chinese"),
        (f"{FOUND} button", "click"),
        corpus_score(CASES["no spaces"], tokenizer="zh"), (FOUND, "not_to_contain_text", "looks"),
        ("[data-part=reset]", "click")],
    "each file that is too large is named": [
        *(gives(kind, (f"{name}.txt", b"a b\n" * 2_600_000))
          for kind, name in ((CANDIDATES, "one"), (LINES, "other"))),
        (DROPPED, "to_contain_text", "one.txt has 10.4 MB"),
        (DROPPED, "to_contain_text", "other.txt has 10.4 MB")],
    "a newer question takes the place of an older one": [
        *pasted(*["\n".join(f"a b c d e f g {number % 7}" for number in range(3000))] * 2),
        *pasted("a b c d", "a b c d e"), corpus_score({"mt": b"a b c d", "ref": b"a b c d e"})],
    "another tool's number is explained when it is asked for": [
        (WHY, "to_be_hidden"), *given(CASES["the example"]), (f"{WHY} .pg-picture svg",
                                                              "to_have_count", 0),
        (OTHER_TOOL, "select_option", "nltk"), (f"{WHY} svg.bn-page", "to_be_visible"),
        (f"{WHY} svg.bn-page title", "to_have_text", "From sacrebleu to nltk"),
        (IN_SHORT, "to_have_text", " ".join(AGAINST_NLTK["verdict"])),
        ("[data-part=aloud]", "to_have_text", " ".join(AGAINST_NLTK["verdict"])),
        (f"{WHY} summary", "click"), ("[data-part=why-text]", "to_have_text", AGAINST_NLTK["text"]),
        (OTHER_TOOL, "select_option", "lowercase yes"),
        (IN_SHORT, "to_contain_text", "1.34 points more, because of case"),
        (DIALECT, "select_option", "nltk"), (f"{WHY} svg.bn-page title", "to_have_text",
                                             "From nltk to nltk, lowercase yes"),
        (OTHER_TOOL, "select_option", ""), (f"{WHY} svg.bn-page", "to_be_hidden"),
        ("[data-part=clear]", "click"), (WHY, "to_be_hidden"),
        ("[data-part=in-short]", "to_be_hidden")],
    "another tool is chosen by keys": [
        *given(CASES["the example"]), (OTHER_TOOL, "focus"), (":focus", "press", "n"),
        (":focus", "press_sequentially", "ltk"), (f"{WHY} svg.bn-page", "to_be_visible"),
        (OTHER_TOOL, "to_be_focused"), (OTHER_TOOL, "select_option", "")],
    "the result says which settings were used": [
        (SENTENCE_TAB, "click"), (button("The paper's second"), "click"), (FILES_TAB, "click"),
        *given(CASES["the example"]),
        (SETTINGS, "to_contain_text", "Not scored as sacreBLEU does, but by what is chosen: "
                                      "Dialect “papineni”"),
        (button("Score as sacreBLEU does"), "click"), (SETTINGS, "to_be_hidden"),
        (DIALECT, "to_be_focused"), (DIALECT, "to_have_value", "sacrebleu"),
        (f"{FOUND} .pg-value", "to_have_text", "45.45"), (ORDER, "select_option", "2"),
        (SETTINGS, "to_contain_text", "chosen: Highest order “2”.")],
    "the choices go with the tab": [
        (DIALECT, "select_option", "nltk"), (DIALECT, "to_have_count", 1),
        ("html", "evaluate", HOLDS, "d=nltk"), (SENTENCE_TAB, "click"),
        ("#pg-sentence [data-part=line]", "to_contain_text", "nltk"),
        (DIALECT, "to_have_count", 1)],
    "a verdict of two systems is of both": [
        ("[data-part=example]", "click"), (PAIR, "to_be_visible"),
        (IN_SHORT, "to_have_text", " ".join(COMPARED["verdict"])),
        (OTHER_TOOL, "select_option", "nltk"),
        (IN_SHORT, "to_contain_text", "nltk would print 0.3711 (37.11 of 100) for heron.txt,"),
        ("[data-part=why-of]", "to_have_text", "This is of heron.txt, the first system.")],
    "names and lines are no markup in an explanation": [
        *given(CASES["markup"]), (OTHER_TOOL, "select_option", "nltk"),
        (IN_SHORT, "to_contain_text", "nltk would print"),
        (f"{WHY} :is(script, img, foreignObject, [onerror])", "to_have_count", 0), NO_HIT],
    **{f"an explanation is accessible and fits {size['width']} pixels in {scheme}": [
        (PAGE, "set_viewport_size", {"viewport_size": size}),
        (PAGE, "emulate_media", {"color_scheme": scheme}),
        ("[data-part=example]", "click"), (PAIR, "to_be_visible"),
        (OTHER_TOOL, "select_option", "ignite"), (IN_SHORT, "to_contain_text", "ignite would"),
        (f"{WHY} summary", "click"), ("#pg-files", "to_be_sound"), ("html", "to_give", FITS),
        (f"{WHY} summary", "click"), (PAGE, "emulate_media", {"color_scheme": "light"})]
       for size in (DESK["viewport"], PHONE["viewport"], {"width": 360, "height": 740})
       for scheme in ("light", "dark")},
    "an explanation of many lines does not freeze the page": [
        *pasted(BOATS, BOATS.replace("once;", "twice,")), (FOUND, "to_be_visible"),
        ("html", "evaluate", BEGIN), (OTHER_TOOL, "select_option", "nltk"),
        (IN_SHORT, "to_contain_text", "nltk would print"), ("html", "to_give", NOT_FROZEN)],
    "an old comparison does not stand beside new scores": [
        ("[data-part=example]", "click"), (PAIR, "to_be_visible"),
        ("html", "evaluate", NOT_BESIDE), (PAIR, "to_be_visible")],
    "a line of a file is never in the address": [
        *given({"mt": b"in secret it came\nc d e f\n", "ref": b"it came in secret\nc d e f\n"}),
        ("html", "evaluate", KEEP_ADDRESSES),
        (".pg-segment:has-text('in secret it came') >> nth=0", "click"),
        shows(scored(candidate="in secret it came", references=["it came in secret"])),
        (CANDIDATE, "press", "End"), (":focus", "press_sequentially", " again"),
        (AGAINST, "select_option", "papineni"),
        ("#pg [data-part=link]", "to_have_attribute", "href", re.compile("secret.it.came.again")),
        ("html", "evaluate", HOLDS, "x=papineni"), (PAGE, "go_back"),
        (FILES_TAB, "to_have_attribute", *SELECTED),
        (f"{CANDIDATES} .pg-name", "to_have_text", "mt"), (FOUND, "to_be_visible"),
        (PAGE, "go_forward"), (SENTENCE_TAB, "to_have_attribute", *SELECTED), SECRET,
        ("html", "to_give", """() => addresses.length > 1 && ![
            ...addresses, location.href, JSON.stringify(history.state)].some(
            (each) => /secret|came/.test(each))"""),
        (button("The parrot"), "click"), (CANDIDATE, f"not_{SECRET[1]}", SECRET[2]),
        ("html", "evaluate", HOLDS, "c=the+the"), ("[data-part=undo]", "click"), SECRET,
        ("html", "to_give", "() => location.href.includes('secret')", False)],
}


@pytest.mark.parametrize("name", VISITS)
def test_what_a_visitor_does_has_its_answer(files_page: Any, name: str) -> None:
    follow(files_page, *VISITS[name])
