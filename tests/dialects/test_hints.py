"""Hints about text that does not suit its tokenizer: right on every real file, and never twice."""

import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize

import data
import pytest
from nltk.translate.bleu_score import SmoothingFunction
from noted import noted

import bleu_nb
from bleu_nb import Bleu, corpus_bleu, file_bleu, sentence_bleu
from bleu_nb.adapters import nltk as by_nltk
from bleu_nb.adapters import sacrebleu as drop_in
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.cli.command import main
from bleu_nb.dialects.input_checks import TextNote, note_text
from bleu_nb.dialects.more_tokenizers import SACREBLEU_NAMES

LEFT, PLAIN = "It does n't rain .", "It doesn't rain."
CHINESE, JAPANESE = "冬天，船每个月都会来到岛上一次。", "猫はマットの上で眠ってしまいました。"
CUT, WHOLE = "we moor at the pier", "we moor at the pier of the old town until the storm is over"
PAIRS = sorted(data.names())
LANGUAGE = {"en-ja": "Japanese", "en-zh": "Chinese"}
TOKENISED = {"sys.adapt.txt", "sys.zhang.txt"}  # Beside the files called `tok.`


def hints_of(systems: Any, references: Any, tokenizer: str) -> list[tuple[str, str]]:
    """Warnings that text does not suit its tokenizer: what they say, and their detail."""
    found = noted(partial(note_text, systems, references, tokenizer))
    return [(str(each.message), getattr(each.message, "detail", "")) for each in found
            if "but the other side does not" not in str(each.message)]  # Unicode forms


def told_apart(pair: str, name: str) -> str:
    """How a hint on a file of a pair begins; empty if there is none."""
    if name in TOKENISED or name.startswith("tok."):
        return "candidates look tokenized"
    source = "Chinese" if "/zh-" in pair else ""
    language = LANGUAGE.get(pair.partition("/")[2], "") if name != "src.txt" else source
    return f"this looks like {language}, " if language else ""


@data.needs(data.MANIFEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_file_of_the_real_sets_is_told_apart(pair: str) -> None:
    for path in sorted((data.WMT / pair).glob("*.txt")):
        told = " ".join(hint for hint, _ in hints_of(
            [data.lines(f"{pair}/{path.name}")], [], "13a"))
        expected = told_apart(pair, path.name)
        assert told.startswith(expected) and bool(told) == bool(expected), path


@data.needs(data.MANIFEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_system_is_told_with_its_references(pair: str) -> None:
    facts = data.names()[pair]
    humans = data.references(pair, data.reference_files(facts))
    for name in facts["systems"]:
        for tokenizer in ("none", "char", facts["default_tok"]):
            unsplit = tokenizer == "none" and pair.partition("/")[2] in LANGUAGE
            left = tokenizer == "13a" and f"sys.{name}.txt" in TOKENISED
            told = hints_of([data.lines(f"{pair}/sys.{name}.txt")], humans, tokenizer)
            assert len(told) == unsplit + left, (name, tokenizer)


ROADS: dict[str, Callable[[Bleu, list[str], list[list[str]]], object]] = {
    "call": lambda metric, *sides: metric(*sides),
    "iterators": lambda metric, *sides: metric(*map(iter, sides)),
    "count": lambda metric, *sides: metric.count(*sides),
    "update": lambda metric, *sides: metric.update(*sides),
    "systems": lambda metric, ours, theirs: metric.count_systems(
        {"a": ours, "b": [PLAIN] * len(ours)}, theirs),
}


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(("engine", "number"), [     # More than a chunk of the fast ones
    ("auto", 9000), ("definition", 90), ("bits", 900), ("numpy", 9000)])
def test_every_road_warns_once(engine: str, number: int, road: str) -> None:
    sides = [LEFT] * number, [[PLAIN]] * number
    [note] = noted(partial(ROADS[road], Bleu(engine=engine), *sides))
    assert str(note.message).startswith("candidates look tokenized")
    assert note.filename == __file__


def test_a_later_update_does_not_warn() -> None:
    metric = Bleu()
    metric.update([PLAIN], [[PLAIN]])
    assert not noted(lambda: metric.update([LEFT] * 20, [[PLAIN]] * 20))


def in_a_process(code: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """What a new process says that runs some code."""
    return subprocess.run(
        [sys.executable, "-X", "utf8", *options, "-c", code], capture_output=True,
        encoding="utf-8", cwd=Path(bleu_nb.__file__).parent.parent, check=False)


@pytest.mark.parametrize(
    ("systems", "humans", "choices"),
    [
        (["North Quay"], [["South Pier"]], {}),                 # Short, and nothing matches
        (["a b c d", "a"], [["a x c d"], ["a"]], {}),           # One is long enough
        (["a b c d"], [["a b x d"]], {"dialect": "nltk"}),
        (["a b"], [["a b"]], {"effective_order": "always"}),
        (["a b"], [["a b"]], {"max_order": 2}),
        # What a note on short segments says was done, and 0 has another reason
        (["North Bay"], [["Bay North"]], {"effective_order": "always", "smoothing": "none"}),
        (["a b c"], [["a b c" + " d" * 500]], {"effective_order": "always"}),
        ([""], [[""]], {}),
        *(([CUT], [references], {}) for references in (
            [WHOLE], [CUT, ""], [WHOLE, None], [WHOLE, CUT])),
        # An empty reference that is the only one, or of an empty candidate
        *(([CUT, ""], [[CUT], empty], {}) for empty in ([""], ["", WHOLE])),
        ([LEFT] * 20, [[PLAIN]] * 20, {"tokenizer": "none"}),
        ([LEFT] * 20, [[LEFT]] * 20, {"dialect": "nltk"}),
        ([LEFT] * 20, [[LEFT]] * 20, {"tokenizer": str.split}),
        ([LEFT.split()] * 20, [[PLAIN.split()]] * 20, {}),
        ([LEFT] * 9, [[PLAIN]] * 9, {}),
        ([CHINESE] * 20, [[CHINESE]] * 20, {"tokenizer": "zh"}),
        ([CHINESE] * 20, [[CHINESE]] * 20, {"tokenizer": "char"}),
        (["카페에서 친구를 만났다."] * 20, [["카페에서 친구를 만났다."]] * 20, {}),
        (["« Il pleut ? » dit-il !"] * 20, [["« Il pleut »..."]] * 20, {}),
        (["Oh ..."] * 20, [["Ah ..."]] * 20, {}),
        ([""] * 20, [["", None]] * 20, {}),
    ],
)
def test_what_suits_its_tokenizer_is_not_told(
    systems: Any, humans: Any, choices: dict[str, Any]
) -> None:
    assert not noted(lambda: corpus_bleu(systems, humans, **choices))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CHINESE, "Chinese, .* pass tokenizer='zh' [(]--tokenize zh[)]$"),
        (JAPANESE, "Japanese, .*, or 'char'$"),
        ("ในฤดูหนาวเรือจะมาที่เกาะเดือนละครั้ง", "spaces .*tokenizer='char' [(]--tokenize char[)]$"),
    ],
)
def test_a_language_is_named_with_what_splits_it(text: str, says: str) -> None:
    with pytest.warns(TextNote, match=says):
        corpus_bleu([text] * 2, [[text]] * 2)


@pytest.mark.parametrize(("systems", "humans", "told", "which"), [
    ([[PLAIN] * 20, [LEFT] * 20], [[PLAIN]] * 20, "candidates look", "candidates of system 2"),
    ([[PLAIN] * 20], [[LEFT]] * 20, "references look", ""),
    ([[LEFT] * 20], [[LEFT]] * 20, "candidates and references look", ""),
])
def test_the_side_that_was_left_tokenised_is_named(
    systems: Any, humans: Any, told: str, which: str
) -> None:
    [(hint, place)] = hints_of(systems, humans, "13a")
    assert hint.startswith(f"{told} tokenized") and which in place
    assert ("tokenizer='none'" in hint) == (" and " in told)


@pytest.mark.parametrize(("words", "says"), [
    *((f"score left plain --engine {engine}", "candidates look tokenized")
      for engine in ("auto", "definition", "bits", "numpy")),
    ("score left left --num-refs var", "tokenizer='none' (--tokenize none) to score"),
    ("score zh zh", "tokens: pass tokenizer='zh' (--tokenize zh)\n"),
    ("score zh zh --sentence", "tokens: pass tokenizer='zh' (--tokenize zh)\n"),
    ("pairwise zh --top 1", "tokens: pass tokenizer='zh' (--tokenize zh)\n"),
    ("self-bleu left", "candidates look tokenized"),
    ("mbr --samples-per-source 10 left", "candidates look tokenized"),
    ("compare plain left --ref plain --test delta", "candidates of system 2"),
    ("score zh zh --tokenize zh", ""), ("pairwise zh --tokenize zh", ""),
])
def test_the_command_says_it_once_in_its_own_words(
    words: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, line in (("left", LEFT), ("plain", PLAIN), ("zh", CHINESE)):
        Path(name).write_text(f"{line}\n" * 50, encoding="utf-8")
    assert main(words.split()) == 0
    told = [line for line in capsys.readouterr().err.splitlines(True) if "warning" in line]
    assert len([line for line in told if "tokenizer '" in line]) == bool(says)
    assert says in "".join(told) and (says or not told)
    assert all(line.startswith("bleu-nb: warning: ") for line in told)


# Lengths ------------------------------------------------------------------------------------------

NAMES = ["North Quay"] * 50
SHORT, EMPTY = "no candidate is long enough", "one of several references is empty"


TOKENS = [each.split() for each in NAMES]


@pytest.mark.parametrize("call", [
    lambda place: corpus_bleu(NAMES, [[each] for each in NAMES]),
    lambda place: corpus_bleu(TOKENS, [[each] for each in TOKENS], "nltk"),
    lambda place: after(NAMES, [[each] for each in NAMES]).compute(),
    lambda place: Reducer().score(Reducer().count(NAMES, [[each] for each in NAMES])),
    lambda place: file_bleu(place, [place])])
def test_exact_matches_that_are_too_short_are_told(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mt").write_text("North Quay\n" * 50, encoding="utf-8")
    with pytest.warns(TextNote, match=SHORT):
        assert call(tmp_path / "mt").value < 1e-99


def test_what_the_note_names_helps_in_every_dialect() -> None:
    sides, helped = (["a b c"] * 5, [["a b c"]] * 5), []
    for name, row in bleu_nb.DIALECTS.items():
        if row.tokenizer in SACREBLEU_NAMES:    # Its package need not be here
            continue
        if SHORT in str([each.message for each in noted(partial(corpus_bleu, *sides, name))]):
            helped.append(corpus_bleu(*sides, name, max_order=2).value)
            if not name.startswith(("nltk", "torch")):
                helped.append(corpus_bleu(*sides, name, effective_order="always").value)
    assert len(helped) > 9 and min(helped) > 1e-3


@pytest.mark.parametrize(("engine", "number"), [("auto", 40_000), ("bits", 5_000)])
@pytest.mark.parametrize(("files", "told"), [
    (["tabs", "--num-refs", "2"], 1), (["one", "two"], 1), (["tabs", "--num-refs", "var"], 0)])
def test_an_empty_reference_behind_the_first_block_is_told_once(
    files: list[str], told: int, engine: str, number: int, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what it says works: the score is no longer 100."""
    monkeypatch.chdir(tmp_path)
    for name, first, line in (("mt", CUT, CUT), ("tabs", f"{CUT}\t{CUT}", f"{WHOLE}\t"),
                              ("one", CUT, WHOLE), ("two", CUT, "")):
        Path(name).write_text(f"{first}\n" + f"{line}\n" * number, encoding="utf-8")
    main(("score", "mt", *files, "--engine", engine, "--score-only"))
    captured = capsys.readouterr()
    assert captured.err.count(EMPTY) == told
    assert float(captured.out) == 100 if told else float(captured.out) < 50


def after(candidates: Any, references: Any) -> Bleu:
    """A metric that has seen a batch."""
    metric = Bleu()
    metric.update(candidates, references)
    return metric


def of_files(folder: Path) -> object:
    """The score of two files of references, one of them empty."""
    for name, text in (("mt", CUT), ("one", WHOLE), ("two", "")):
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    return file_bleu(folder / "mt", [folder / "one", folder / "two"])


@pytest.mark.parametrize("call", [
    *(lambda _, engine=engine: Bleu(engine=engine)([CUT], [[WHOLE, ""]])
      for engine in ("definition", "bits", "numpy")),
    lambda _: sentence_bleu(CUT, [WHOLE, ""]),
    lambda _: Bleu().sentence(CUT.split(), [WHOLE.split(), []]),
    lambda _: corpus_bleu(["x y z w v", CUT], [["x y z w v", "x"], ["", WHOLE]]),
    of_files,
    # Not in the first batch, call or piece
    lambda _: after([CUT], [[CUT]]).update([CUT], [[WHOLE, ""]]),

    lambda _: corpus_bleu(iter([CUT] * 5001), iter([[CUT]] * 5000 + [[WHOLE, ""]])),
])
def test_an_empty_reference_that_gives_the_length_is_told(call: Any, tmp_path: Path) -> None:
    with pytest.warns(TextNote, match=EMPTY):
        call(tmp_path)


# Two forms of the same text ----------------------------------------------------------------------

GERMAN = ["Für die Küche müssen wir größere Stühle kaufen.", "Das neue Café öffnet später."]
KOREAN = ["겨울에는 배가 한 달에 한 번 온다.", "카페에서 친구를 만났다."]
FULL = ["会议于上午九点开始，共有一百人参加。", "他说：明天会下雨！"]
HALF = [line.translate(str.maketrans("，：！", ",:!")) for line in FULL]
JOINED = ["می\u200cروم خانه", "کتاب\u200cها را"]
FORMS = {
    "NFD": ([normalize("NFD", line) for line in GERMAN], GERMAN, "normalize.'NFC'"),
    "jamo": ([normalize("NFD", line) for line in KOREAN], KOREAN, "normalize.'NFC'"),
    "width": (FULL, HALF, "normalize.'NFKC'"),
    "zero": (["a\u200b bird", "sings \u2060a song"], ["a bird", "sings a song"], "remove them"),
    "joiner": (JOINED, [line.replace("\u200c", " ") for line in JOINED], "remove them"),
}


@pytest.mark.parametrize(("marked", "plain", "cure"), FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("call", [
    lambda ours, human, folder: corpus_bleu(ours, human, tokenizer="char"),
    lambda ours, human, folder: corpus_bleu(iter(ours), iter(human), tokenizer="char"),
    lambda ours, human, folder: corpus_bleu(ours[:1], human[:1], tokenizer="char"),
    lambda ours, human, folder: sentence_bleu(ours[0], human[0], tokenizer="char"),
    lambda ours, human, folder: Bleu(tokenizer="char").update(ours, human),
    lambda ours, human, folder: Bleu(tokenizer="char").count_systems({"a": ours}, human),
    lambda ours, human, folder: drop_in.corpus_bleu(
        ours, [[each for [each] in human]], tokenize="char"),
    lambda ours, human, folder: of_files(ours, human, folder, "numpy"),
    lambda ours, human, folder: of_files(ours, human, folder, "bits"),
], ids=["corpus", "iterators", "one", "sentence", "update", "systems", "drop-in", "numpy", "bits"])
def test_a_form_of_characters_that_one_side_has_alone_is_told(
    marked: list[str], plain: list[str], cure: str, call: Any, tmp_path: Path
) -> None:
    for ours, theirs, side in ((marked, plain, "candidates"), (plain, marked, "references")):
        human = [[each] for each in theirs]
        told = [str(each.message) for each in noted(partial(call, ours, human, tmp_path), TextNote)]
        assert len(told) == 1 and f"the {side} contain" in told[0] and re.search(cure, told[0])
        human = [[each] for each in ours]
        assert not noted(partial(call, ours, human, tmp_path))


@pytest.mark.parametrize("kind", ["NFD", "width"])
def test_the_tokens_of_a_function_are_looked_at_and_not_the_text(kind: str) -> None:
    marked, plain, _ = FORMS[kind]
    for ours, theirs in ((marked, plain), (plain, marked)):
        score = partial(corpus_bleu, ours, [[each] for each in theirs])
        assert not noted(partial(score, tokenizer=lambda text: list(normalize("NFKC", text))))
        [told] = noted(partial(score, tokenizer=lambda text: [*text]), TextNote)
        assert "other side does not" in str(told.message)


def of_files(ours: list[str], human: list[list[str]], folder: Path, engine: str) -> None:
    """Score files of these lines."""
    for name, lines in (("mt", ours), ("ref", [each for [each] in human])):
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    file_bleu(folder / "mt", [folder / "ref"], tokenizer="char", engine=engine)


def told_of_forms(ours: list[str], theirs: list[str]) -> int:
    """The number of warnings about forms of characters."""
    told = noted(partial(corpus_bleu, ours, [[each] for each in theirs], tokenizer="char"))
    return sum("other side does not" in str(each.message) for each in told)


@pytest.mark.parametrize(("ours", "theirs", "number"), [
    (["\u2192 a\u200b", *["\u2192 a"] * 9], ["\u2192 a"] * 10, 1),
    (["\u2192 a\u200b", *["\u2192 a"] * 10], ["\u2192 a"] * 11, 0),
    ([*["\u00d6l"] * 60, "O\u0308l"], ["\u00d6l"] * 61, 1),     # Others may be as many
    ([*["\u2192"] * 20, "a\u200b"], [*["\u2192"] * 20, "a"], 0),    # Behind the first twenty
    (["a\u2060b"], ["ab"], 1), (["\u0645\u200d"], ["\u0645"], 1),
    (["\U0001f468\u200d\U0001f469"], ["\u2192"], 0),   # An emoji of two
    (["O\u0308l"], ["Ol"], 0), (["O\u0308l"], ["\u00d6l"], 1),
    (FULL, ["He said: rain, tomorrow!"] * 2, 0), (["na\u00efve caf\u00e9"], ["naive cafe"], 0),
    (FULL, [*HALF[:1], *FULL[1:]], 0),
])
def test_how_many_marks_are_told(ours: list[str], theirs: list[str], number: int) -> None:
    assert told_of_forms(ours, theirs) == number


# Above the maximum --------------------------------------------------------------------------------

FERRY = [["the", "ferry", "left", "the", "pier"], ["a", "tall", "grey", "heron", "stood", "beside"]]
BESIDE = [[line] for line in FERRY]
HIGH = Bleu("nltk", smoothing="nltk-5")
WITHOUT_LAST = Reducer("nltk-3.5", smoothing="nltk-4")     # It adds counts of batches
ABOVE: list[Callable[[], Any]] = [
    lambda: HIGH(FERRY, BESIDE), lambda: HIGH.sentence(FERRY[0], BESIDE[0]),
    lambda: HIGH(FERRY[:1], BESIDE[:1]), lambda: HIGH.count(FERRY, BESIDE).score(),
    lambda: HIGH.count(FERRY, BESIDE).values(), lambda: HIGH.count(FERRY, BESIDE).sentences(),
    lambda: HIGH.count(FERRY * 600, BESIDE * 600).values(),
    lambda: corpus_bleu(FERRY, BESIDE, "nltk", smoothing="nltk-5", average="segments"),
    lambda: WITHOUT_LAST.score(WITHOUT_LAST.count([["a", "b"]], [[["a", "b"]]])),
    lambda: by_nltk.corpus_bleu(BESIDE, FERRY, smoothing_function=SmoothingFunction().method7),
    lambda: by_nltk.sentence_bleu(BESIDE[0], FERRY[0],
                                  smoothing_function=SmoothingFunction().method5),
]


@pytest.mark.parametrize("call", ABOVE)
def test_a_score_above_the_maximum_is_told(call: Callable[[], Any]) -> None:
    told = [str(each.message) for each in noted(call, TextNote)]
    assert len(told) == 1 and "above the maximum" in told[0]


@pytest.mark.parametrize("dialect", bleu_nb.DIALECTS)
def test_a_perfect_score_is_not_above_the_maximum(dialect: str) -> None:
    words = ["the cat sat down", "a cat sat on mat", *map(" ".join, FERRY)]
    assert not noted(partial(corpus_bleu, words, [[line] for line in words], dialect), TextNote)


# One sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CHINESE, JAPANESE])
@pytest.mark.parametrize("score", [sentence_bleu, Bleu().sentence])
def test_one_sentence_without_spaces_is_told(score: Any, text: str) -> None:
    with pytest.warns(TextNote, match="keeps whole clauses as tokens") as told:
        score(text, [text])
    assert told[0].filename == __file__


@pytest.mark.parametrize(("text", "choices"), [
    (CHINESE, {"tokenizer": "zh"}), (CHINESE, {"tokenizer": "char"}),
    (CHINESE, {"tokenizer": list}), ("猫 在 垫子 上 睡着 了 。", {}), ("Öl ist nicht mehr da.", {}),
    ("Donaudampfschifffahrtsgesellschaftskapitän", {}), ("카페에서 친구를 만났다.", {}),
    ("Нет ни одного корабля", {}), ("The cat 猫 sleeps on it.", {}), ("😀😀😀😀😀😀", {}),
])  # fmt: skip
def test_other_sentences_are_not_told(text: str, choices: dict[str, Any]) -> None:
    assert not noted(partial(sentence_bleu, text, [text], **choices))


# Once ---------------------------------------------------------------------------------------------

LOOP = """
import warnings, threading
from bleu_nb import corpus_bleu, sentence_bleu, Bleu
caption = "two boats leave the harbour".split()
others = [[*caption], ["from", "the", "harbour", "sail", "two"], ["the", "boats"],
          ["leave", "the", "harbour", "boats"], ["the", "two"]]
def work():
    for n in range(12):
        warnings.warn("the caller's own")
        corpus_bleu(["a b c d ."] * (20 + n), [["a b c d ."]] * (20 + n))
        corpus_bleu(["line " + str(n) + "\\n" + "x\\n" * (200 + n)], [["y\\n" * (201 + n)]])
        corpus_bleu(["\\ufeffa b c d" + str(n)], [["a b c d"]])
        corpus_bleu([f"North {n}"] * (n + 2), [[f"North {n}"]] * (n + 2))
        corpus_bleu(caption, [[*each, str(n)] for each in others])
        corpus_bleu(["a b c d"], [["a b c d e f g h i j k" + " l" * n, ""]])
        sentence_bleu("冬天，船每个月都会来到岛上一次。" * (n + 1), ["船"])
        Bleu().count_systems({str(each): ["a b c d ."] * 20 for each in range(n + 2)},
                             [["a b c d ."]] * 20)
"""


@pytest.mark.parametrize("run", ["work()", "for each in [threading.Thread(target=work) "
                                 "for _ in range(3)]: each.start() or each.join()"])
def test_each_note_and_a_warning_of_the_caller_is_shown_once(run: str) -> None:
    done = in_a_process(f"{LOOP}{run}")
    told = [line for line in done.stderr.splitlines() if "Warning: " in line or "Note: " in line]
    assert len(told) == len({*told}), done.stderr
    assert [int(line.split(":")[1]) for line in told] == [*range(9, 15), *range(14, 18)]
    assert all(line.startswith("<string>:") for line in told)


IGNORE = "import warnings; from bleu_nb.dialects.input_checks import TextNote; " \
         "warnings.simplefilter('ignore', TextNote); "
CALL = "from bleu_nb import corpus_bleu; corpus_bleu(['a b'], [['a b']])"


@pytest.mark.parametrize(("code", "options", "status", "said"), [
    (CALL, (), 0, 1), (IGNORE + CALL, (), 0, 0), (CALL, ("-W", "error::UserWarning"), 1, 1)])
def test_a_filter_silences_a_note_or_makes_an_error_of_it(
    code: str, options: tuple[str, ...], status: int, said: int
) -> None:
    done = in_a_process(code, *options)
    assert done.returncode == status
    assert done.stderr.count(f"TextNote: the score is 0 or nearly 0, because {SHORT}") == said


def test_no_library_path_enters_catch_warnings() -> None:
    assert [path for path in Path(bleu_nb.__file__).parent.rglob("*.py") if re.search(
        r"catch_warnings|(?<!`)simplefilter\(", path.read_text("utf-8"))] == []
