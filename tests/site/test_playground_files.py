"""The playground's tab Files: read as `bleu-nb score` reads, and the digits of CPython."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from commands import python
from playground import ROOT, settled

from bleu_nb import DIALECTS, Bleu, compare_systems
from bleu_nb.cli.command import command_parser, main
from bleu_nb.cli.options import in_options

HERON, KESTREL, FIRST, SECOND = (
    (ROOT / "bleu_nb" / "example" / f"{name}.txt").read_bytes()
    for name in ("heron", "kestrel", "reference_1", "reference_2"))
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
NOTED = {"other ends of lines", "a byte order mark", "left tokenised", "no spaces"}
REFUSED = {"not UTF-8", "UTF-16", "gzip without its name", "broken gzip", "unequal lengths",
           "an empty file"}


def asked(files: dict[str, bytes], second: tuple[str, bytes] | None = None, **choices: Any) -> Any:
    """A question about files, and their bytes."""
    named = [*files.items()]
    blobs = [data for _, data in named]
    entries = [{"name": name, "blob": place} for place, (name, _) in enumerate(named)]
    request: dict[str, Any] = {"ask": "files", "dialect": "sacrebleu", **choices,
                               "candidate": entries[0], "references": entries[1:]}
    if second:
        request["second"] = {"name": second[0], "blob": len(blobs)}
        blobs.append(second[1])
    return request, blobs


def written(files: dict[str, bytes], folder: Path) -> list[str]:
    """The files in a folder, as one would name them from there."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [*files]


# What the Python answers


@pytest.mark.parametrize("name", CASES)
def test_files_are_read_as_the_command_reads_them(
    bridge: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    status = main(["score", *written(CASES[name], tmp_path)])
    out, told = capsys.readouterr()
    found = bridge.respond(*asked(CASES[name]))
    assert (name in REFUSED) == bool(status) == ("error" in found)
    if status:
        assert found["error"] in " ".join(told.split()), told
        return
    assert found["systems"][0]["line"] == out.strip("\n")
    parser = command_parser(DIALECTS).parse_args(["score", "a", "b"]).parser
    assert [f"bleu-nb: note: {in_options(note, parser)}" for note in found["notes"]] == [
        *told.splitlines()]
    assert len(found["notes"]) == (name in NOTED)


WITHOUT_NUMPY = """
import json, sys
sys.modules["numpy"] = None
sys.path.insert(0, sys.argv[1])
import bridge
question = {**bridge.respond({"ask": "example"}), "ask": "files"}
print(json.dumps({name: bridge.respond({**question, "dialect": name}) for name in sys.argv[2:]}))
"""


@pytest.fixture(scope="module")
def without_numpy() -> dict[str, Any]:
    """What is said of the package's example where there is no numpy, dialect by dialect."""
    told = python(WITHOUT_NUMPY, ROOT / "docs" / "playground", *DIALECTS)
    return dict(json.loads(told))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_interval_is_the_packages(without_numpy: dict[str, Any], dialect: str) -> None:
    human = [*zip(FIRST.decode().splitlines(), SECOND.decode().splitlines(), strict=True)]
    for system, data in zip(without_numpy[dialect]["systems"], (HERON, KESTREL), strict=True):
        counts = Bleu(dialect).count(data.decode().splitlines(), human)
        assert system["value"] == repr(counts.score().value)
        found = system["interval"]
        try:
            expected = counts.interval()
        except ValueError as error:
            assert found == {"none": str(error)}
            continue
        assert expected is not None
        for key, number in (("low", expected.low), ("high", expected.high),
                            ("half", expected.half_width)):
            assert float(found[key]) == pytest.approx(number, rel=1e-12, abs=1e-12)


def test_segments_are_summed_up(bridge: Any) -> None:
    found = bridge.respond(*asked(CASES["the example"]))["systems"][0]["segments"]
    human = [*zip(FIRST.decode().splitlines(), SECOND.decode().splitlines(), strict=True)]
    lines = HERON.decode().splitlines()
    values = [Bleu().sentence(*pair).value for pair in zip(lines, human, strict=True)]
    assert sum(found["bars"]) == len(values) and found["bars"][-1] == sum(
        each >= 90 for each in values)
    ranked = sorted(values)
    assert [float(each["value"]) for each in found["worst"]] == ranked[:5]
    assert [float(each["value"]) for each in found["best"]] == ranked[::-1][:5]
    for each in found["best"] + found["worst"]:
        place = each["line"] - 1
        assert each["candidate"] == lines[place] and tuple(each["references"]) == human[place]
        assert bridge.respond({**each, "dialect": "sacrebleu", "against": "nltk"})[
            "value"] == each["value"]


def test_a_comparison_is_the_packages(bridge: Any) -> None:
    request, blobs = asked(CASES["the example"], ("kestrel.txt", KESTREL))
    found = bridge.respond({**request, "ask": "pair"}, blobs)
    human = [*zip(FIRST.decode().splitlines(), SECOND.decode().splitlines(), strict=True)]
    [_, other] = compare_systems({"heron": HERON.decode().splitlines()},
                                 {"kestrel": KESTREL.decode().splitlines()}, human).systems
    assert found["p"] == repr(other.p_value)
    assert found["gap"]["value"] == repr(other.difference)
    assert other.difference_interval is not None
    assert float(found["gap"]["low"]) == pytest.approx(other.difference_interval.low, rel=1e-12)
    segments = found["segments"]
    assert (segments["wins"], segments["ties"], segments["losses"]) == (
        other.wins, other.ties, other.losses)
    assert sum(found["chance"]["bars"]) == found["trials"] == 10_000
    assert sum(found["chance"]["beyond"]) == found["reached"]


@pytest.mark.parametrize(("change", "said"), [
    ({"references": []}, "no references: add a file"),
    ({"dialect": "sacreblue"}, "did you mean 'sacrebleu'?"),
    ({"smoothing": "exp", "smoothing_value": 2}, "takes no value"),
])
def test_wrong_questions_get_a_reason(bridge: Any, change: dict[str, Any], said: str) -> None:
    request, blobs = asked(CASES["the example"])
    assert said in bridge.respond({**request, **change}, blobs)["error"]


def test_more_than_a_page_can_do_is_refused_with_the_limit(bridge: Any) -> None:
    many = b"a b c\n" * 10_001
    assert "10,000 lines" in bridge.respond(*asked({"mt": many, "ref": many}))["error"]
    long = gzip.compress(b"a" * 11_000_000)
    assert "10 megabytes" in bridge.respond(*asked({"mt.gz": long, "ref": long}))["error"]


def test_an_answer_comes_in_steps(bridge: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "SLICE", 0)
    request, blobs = asked({"mt": b"a b c\n" * 1000, "ref": b"a b d\n" * 1000})
    step = bridge.begin(json.dumps(request), blobs)
    said = [json.loads(step()) for _ in range(10)]
    assert [each["done"] for each in said] == [*range(0, 1000, 100)]
    assert json.loads(step())["answer"] == bridge.respond(request, blobs)


# What a visitor meets


@pytest.fixture
def files_page(ready_page: Any) -> Any:
    """The tab Files, with nothing in it."""
    ready_page.click("#pg-tab-files")
    ready_page.select_option("[name=dialect]", "sacrebleu")
    ready_page.click("[data-part=clear]")
    settled(ready_page)
    return ready_page


def give(page: Any, kind: str, *files: tuple[str, bytes]) -> None:
    """Choose files for a place."""
    page.set_input_files(f"[data-part={kind}] >> nth=0 >> input[type=file] >> nth=0", [
        {"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files])


def shown_after(page: Any, files: dict[str, bytes]) -> dict[str, Any]:
    """What the page says of files."""
    page.click("[data-part=clear]")
    (candidate, data), *references = files.items()
    give(page, "candidates", (candidate, data))
    page.wait_for_selector("[data-part=candidates] .pg-held:not([hidden])")
    give(page, "references", *references)
    page.wait_for_selector(f"[data-part=references] .pg-text:nth-child({len(references)}) "
                           ".pg-held:not([hidden])")
    page.wait_for_selector(":is([data-part=files-results], [data-part=files-refused])"
                           ":not([hidden])")
    settled(page)
    found: dict[str, Any] = page.evaluate("""() => {
        const refused = document.querySelector("[data-part=files-refused]");
        if (!refused.hidden) return {error: refused.textContent};
        const box = document.querySelector("[data-part=files-results]");
        const value = box.querySelector(".pg-value");
        return {value: value.dataset.value, half: value.dataset.half,
            line: box.querySelector(".pg-line").textContent,
            bars: [...document.querySelectorAll(".pg-bars td")].map(td => Number(td.textContent)),
            words: [...document.querySelectorAll(".pg-words")].map(each => each.textContent),
            markup: document.querySelectorAll(
                "[data-part^=files] :is(script, img, [onerror])").length};
    }""")
    return found


def test_browser_and_cpython_say_the_same_of_files(files_page: Any, bridge: Any) -> None:
    different = []
    for name, files in CASES.items():
        there, found = shown_after(files_page, files), bridge.respond(*asked(files))
        if "error" in found:
            here = {"error": f"No score: {found['error']}."}
        else:
            [system] = found["systems"]
            ends = system["segments"]["best"] + system["segments"]["worst"]
            here = {"value": system["value"], "half": system["interval"].get("half", ""),
                    "line": system["line"], "bars": system["segments"]["bars"], "markup": 0,
                    "words": [each["candidate"] or "(an empty line)" for each in ends]}
        if here != there:
            different.append((name, here, there))
    assert not different
    assert files_page.evaluate("typeof hit") == "undefined"


def test_two_systems_are_compared(files_page: Any, bridge: Any) -> None:
    files_page.click("[data-part=example]")
    files_page.wait_for_selector("[data-part=pair-results]:not([hidden])")
    settled(files_page)
    request, blobs = asked(CASES["the example"], ("kestrel.txt", KESTREL))
    found = bridge.respond({**request, "ask": "pair"}, blobs)
    shown = files_page.locator("[data-part=pair-results] .pg-value")
    assert shown.get_attribute("data-value") == found["gap"]["value"]
    assert shown.get_attribute("data-p") == found["p"]
    said = files_page.inner_text("[data-part=pair-results] .pg-verdict")
    assert f"{found['reached']} of 10,000 random swaps" in said and found["shown"] in said
    aloud = "document.querySelector('[data-part=aloud]').textContent.includes('random swaps')"
    files_page.wait_for_function(aloud)


def test_an_old_comparison_does_not_stand_beside_new_scores(files_page: Any) -> None:
    files_page.click("[data-part=example]")
    files_page.wait_for_selector("[data-part=pair-results]:not([hidden])")
    settled(files_page)
    hidden = files_page.evaluate("""() => new Promise(resolve => {
        const part = name => document.querySelector(`[data-part=${name}]`);
        new MutationObserver((_, watch) => {
            watch.disconnect();
            resolve(part("pair-results").hidden);
        }).observe(part("files-results"), {childList: true});
        const second = part("second").querySelector("textarea");
        second.value = `more ${second.value}`;
        second.dispatchEvent(new Event("input", {bubbles: true}));
    })""")
    assert hidden
    files_page.wait_for_selector("[data-part=pair-results]:not([hidden])")


def test_the_large_number_is_the_printed_one(files_page: Any) -> None:
    words = [f"w{place}" for place in range(32)]
    files = {"mt": " ".join(words[:5] + ["z"] * 27).encode(), "ref": " ".join(words).encode()}
    files_page.select_option("[name=dialect]", "multi-bleu")
    files_page.select_option("[name=max_order]", "1")
    found = shown_after(files_page, files)
    large = files_page.inner_text("[data-part=files-results] .pg-value")
    files_page.select_option("[name=max_order]", "")
    assert float(found["value"]) == 15.625 and large == "15.62" and " = 15.62" in found["line"]


def test_a_segment_opens_as_a_sentence(files_page: Any) -> None:
    files_page.click("[data-part=example]")
    files_page.wait_for_selector("[data-part=pair-results]:not([hidden])")
    files_page.locator("#pg-ends-0 ~ div .pg-segment, [aria-labelledby=pg-worst-0] .pg-segment"
                       ).first.focus()
    segment = files_page.locator("[aria-labelledby=pg-worst-0] .pg-segment").first
    number = segment.locator(".pg-number").inner_text()
    segment.press("Enter")
    settled(files_page)
    assert files_page.get_attribute("#pg-tab-sentence", "aria-selected") == "true"
    assert files_page.inner_text("[data-part=value]") == number
    assert files_page.evaluate("document.activeElement.name") == "candidate"
    assert len(files_page.input_value("[name=references]").split("\n")) == 2
    files_page.click("[data-part=undo]")


def test_a_line_of_a_file_is_never_in_the_address(files_page: Any, bridge: Any) -> None:
    files = {"mt": b"in secret it came\nc d e f\n", "ref": b"it came in secret\nc d e f\n"}
    shown_after(files_page, files)
    files_page.evaluate("""() => {
        window.addresses = [];
        for (const name of ["pushState", "replaceState"]) {
            const usual = history[name].bind(history);
            history[name] = (...told) => { addresses.push(told[2]); usual(...told); };
        }
    }""")
    files_page.locator(".pg-segment", has_text="in secret it came").first.click()
    settled(files_page)
    question = {"candidate": "in secret it came", "references": ["it came in secret"],
                "dialect": "sacrebleu", "against": "nltk"}
    shown = files_page.get_attribute("#pg [data-part=value]", "data-value")
    assert shown == bridge.respond(question)["value"]
    files_page.locator("[name=candidate]").press("End")
    files_page.keyboard.type(" again")
    files_page.select_option("[name=against]", "papineni")
    settled(files_page)
    assert "x=papineni" in files_page.url
    link = files_page.get_attribute("#pg [data-part=link]", "href")
    assert "secret+it+came+again" in link

    files_page.go_back()
    files_page.wait_for_selector("#pg-tab-files[aria-selected=true]")
    settled(files_page)
    assert files_page.inner_text("[data-part=candidates] .pg-name") == "mt"
    assert files_page.is_visible("[data-part=files-results]")
    files_page.go_forward()
    files_page.wait_for_selector("#pg-tab-sentence[aria-selected=true]")
    settled(files_page)
    assert files_page.input_value("[name=candidate]") == "in secret it came again"
    seen = files_page.evaluate("[...addresses, location.href, JSON.stringify(history.state)]")
    assert len(seen) > 3 and not [each for each in seen if "secret" in each or "came" in each]

    files_page.get_by_role("button", name="The parrot").click()
    settled(files_page)
    assert "c=the+the" in files_page.url
    files_page.click("[data-part=undo]")
    settled(files_page)
    assert files_page.input_value("[name=candidate]") == "in secret it came again"
    assert "secret" not in files_page.url


DROP = """([selector, ...files]) => {
  const transfer = new DataTransfer();
  for (let n = 0; n < files.length; n += 2) {
    transfer.items.add(new File([files[n + 1]], files[n]));
  }
  const event = new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: transfer});
  document.querySelector(selector).dispatchEvent(event);
  return event.defaultPrevented;
}"""


def test_files_can_be_dropped(files_page: Any) -> None:
    for kind in ("candidates", "references"):
        place = f"[data-part={kind}] textarea"
        assert files_page.evaluate(DROP, [place, f"{kind}.txt", "a b c d\n"])
    files_page.wait_for_selector("[data-part=files-results]:not([hidden])")
    assert "100.0" in files_page.inner_text("[data-part=files-results]")
    assert files_page.inner_text("[data-part=candidates] .pg-name") == "candidates.txt"
    files_page.click("#pg-tab-sentence")
    address = files_page.url
    assert files_page.evaluate(DROP, ["[name=candidate]", "elsewhere.txt", "x\n"])
    assert files_page.get_attribute("#pg-tab-files", "aria-selected") == "true"
    assert files_page.url.split("#")[0] == address.split("#")[0]


def test_a_file_that_misses_its_field_is_named(files_page: Any) -> None:
    for kind in ("candidates", "references"):
        assert files_page.evaluate(
            DROP, [f"[data-part={kind}] textarea", f"{kind}.txt", "a b c d\n"])
    assert files_page.evaluate(DROP, ["[data-part=more] > summary", "other.txt", "a b c\n"])
    files_page.wait_for_selector("[data-part=second] .pg-held:not([hidden])")
    assert files_page.inner_text("[data-part=second] .pg-name") == "other.txt"
    said = files_page.inner_text("[data-part=dropped]")
    assert "taken as “Second system”: other.txt" in said
    assert files_page.locator("[data-part=references] .pg-text").count() == 1


@pytest.mark.parametrize("names", [
    ("kestrel.txt", "reference_1.txt"), ("a_reference.txt", "kestrel.txt")])
def test_two_files_dropped_at_once_are_both_taken(
    files_page: Any, bridge: Any, names: tuple[str, str]
) -> None:
    texts = {"kestrel.txt": b"a b c d e\nf g h i\n"}
    references = [each for each in names if each not in texts]
    texts[references[0]] = b"a b c d\nf g h i\n"
    both = [part for name in names for part in (name, texts[name].decode())]
    assert files_page.evaluate(DROP, ["#playground h1, h1", *both])
    files_page.wait_for_selector("[data-part=files-results]:not([hidden])")
    assert files_page.inner_text("[data-part=candidates] .pg-name") == "kestrel.txt"
    assert files_page.inner_text("[data-part=references] .pg-name") == references[0]
    assert files_page.inner_text("[data-part=dropped]") == (
        "Dropped beside the fields, and taken as “Candidate lines”: kestrel.txt, "
        f"as “Reference lines”: {references[0]}.")
    found = bridge.respond(*asked(texts))
    assert files_page.get_attribute("[data-part=files-results] .pg-value", "data-value") == (
        found["systems"][0]["value"])


def test_a_second_file_for_one_field_is_not_lost_in_silence(files_page: Any) -> None:
    assert files_page.evaluate(
        DROP, ["[data-part=candidates] textarea", "a.txt", "a b\n", "b.txt", "c d\n"])
    files_page.wait_for_selector("[data-part=candidates] .pg-held:not([hidden])")
    assert files_page.inner_text("[data-part=dropped]") == (
        "Candidate lines is one file: a.txt was taken, and not b.txt.")
    assert not files_page.is_visible("[data-part=references] .pg-held")


def test_files_are_never_in_the_address(files_page: Any) -> None:
    requests: list[str] = []
    files_page.on("request", lambda request: requests.append(request.url))
    files_page.fill("[data-part=candidates] textarea", "a secret of mine\nanother")
    files_page.fill("[data-part=references] textarea", "a secret of ours\nanother")
    settled(files_page)
    assert "#tab=files" in files_page.url and "secret" not in files_page.url
    assert not [url for url in requests if not url.endswith("/_static/favicon.svg")]


def test_a_newer_question_takes_the_place_of_an_older_one(files_page: Any, bridge: Any) -> None:
    lines = "\n".join(f"a b c d e f g {number % 7}" for number in range(3000))
    for kind in ("candidates", "references"):
        files_page.evaluate("""([kind, text]) => {
            const area = document.querySelector(`[data-part=${kind}] textarea`);
            area.value = text;
            area.dispatchEvent(new Event("input"));
        }""", [kind, lines])
    files_page.fill("[data-part=candidates] textarea", "a b c d")
    files_page.fill("[data-part=references] textarea", "a b c d e")
    settled(files_page)
    found = bridge.respond(*asked({"mt": b"a b c d", "ref": b"a b c d e"}))
    assert files_page.get_attribute("[data-part=files-results] .pg-value", "data-value") == (
        found["systems"][0]["value"])


def test_the_choices_go_with_the_tab(files_page: Any) -> None:
    files_page.select_option("[name=dialect]", "nltk")
    settled(files_page)
    assert "d=nltk" in files_page.url
    files_page.click("#pg-tab-sentence")
    settled(files_page)
    assert "nltk" in files_page.inner_text("#pg-sentence [data-part=line]")
    assert files_page.locator("[name=dialect]").count() == 1
