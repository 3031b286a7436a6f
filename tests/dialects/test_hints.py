"""Hints about text that does not suit its tokenizer: right on every real file, and never twice."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import data
import pytest
from noted import noted

import bleu_nb
from bleu_nb import Bleu, corpus_bleu, file_bleu, sentence_bleu
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.adapters.trl import BleuReward
from bleu_nb.cli.command import main
from bleu_nb.dialects.input_checks import TextNote, hints_of

LEFT, PLAIN = "It does n't rain .", "It doesn't rain."
CHINESE = "冬天，船每个月都会来到岛上一次。"
PAIRS = sorted(data.names())
LANGUAGE = {"en-ja": "Japanese", "en-zh": "Chinese"}
TOKENISED = {"sys.adapt.txt", "sys.zhang.txt"}  # Beside the files called `tok.`


@data.needs(data.MANIFEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_file_of_the_real_sets_is_told_apart(pair: str) -> None:
    for path in sorted((data.WMT / pair).glob("*.txt")):
        lines = data.lines(f"{pair}/{path.name}")
        language = LANGUAGE.get(pair.partition("/")[2]) if path.name != "src.txt" else (
            "Chinese" if "/zh-" in pair else None)
        told = " ".join(hint for hint, _ in hints_of([lines], [], "13a"))
        if path.name in TOKENISED or path.name.startswith("tok."):
            assert told.startswith("candidates look tokenised"), path
        elif language:
            assert told.startswith(f"this looks like {language}, "), path
        else:
            assert not told, path


@data.needs(data.MANIFEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_every_system_is_told_with_its_references(pair: str) -> None:
    facts = data.names()[pair]
    humans = data.references(pair, data.reference_files(facts))
    for name in facts["systems"]:
        system = [data.lines(f"{pair}/sys.{name}.txt")]
        for tokenizer in ("none", "char", facts["default_tok"]):
            told = hints_of(system, humans, tokenizer)
            unsplit = tokenizer == "none" and pair.partition("/")[2] in LANGUAGE
            left = tokenizer == "13a" and f"sys.{name}.txt" in TOKENISED
            assert len(told) == unsplit + left, (name, tokenizer)


def test_a_corpus_warns_where_it_was_passed() -> None:
    with pytest.warns(TextNote, match="^candidates look tokenised") as told:
        corpus_bleu([LEFT] * 20, [[PLAIN]] * 20)
    assert told[0].filename == __file__


@pytest.mark.parametrize("engine", ["auto", "definition", "bits", "numpy"])
def test_every_road_warns_once(engine: str, tmp_path: Path) -> None:
    number = 900 if engine in ("definition", "bits") else 9000  # More than a chunk of the others
    ours, theirs = [LEFT] * number, [[PLAIN]] * number
    metric = Bleu(engine=engine)
    roads = {
        "call": lambda: metric(ours, theirs),
        "iterators": lambda: metric(iter(ours), iter(theirs)),
        "count": lambda: metric.count(ours, theirs),
        "update": lambda: metric.update(ours, theirs),
        "systems": lambda: metric.count_systems({"a": ours, "b": [PLAIN] * number}, theirs),
    }
    for name, road in roads.items():
        assert len(noted(road)) == 1, name
    for name, lines in (("mt", ours), ("ref", [PLAIN] * number)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = tmp_path / "mt", [tmp_path / "ref"]
    assert len(noted(lambda: file_bleu(*files, engine=engine))) == 1


def test_a_later_update_does_not_warn() -> None:
    metric = Bleu()
    metric.update([PLAIN], [[PLAIN]])
    assert not noted(lambda: metric.update([LEFT] * 20, [[PLAIN]] * 20))


def test_a_loop_warns_once_and_a_filter_silences_it() -> None:
    code = (
        "import warnings; from bleu_nb import corpus_bleu\n"
        "from bleu_nb.dialects.input_checks import TextNote\n"
        "{}for n in range(3): corpus_bleu([{!r}] * (20 + n), [[{!r}]] * (20 + n))\n"
    )
    for before, number in (("", 1), ("warnings.simplefilter('ignore', TextNote)\n", 0)):
        done = subprocess.run(
            [sys.executable, "-c", code.format(before, LEFT, PLAIN)], capture_output=True,
            text=True, cwd=Path(bleu_nb.__file__).parent.parent, check=True)
        assert done.stderr.count("TextNote:") == number


@pytest.mark.parametrize(
    ("systems", "humans", "choices"),
    [
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
        ("猫はマットの上で眠ってしまいました。", "Japanese, .*, or 'char'$"),
        ("ในฤดูหนาวเรือจะมาที่เกาะเดือนละครั้ง", "spaces .*tokenizer='char' [(]--tokenize char[)]$"),
    ],
)
def test_a_language_is_named_with_what_splits_it(text: str, says: str) -> None:
    with pytest.warns(TextNote, match=says):
        corpus_bleu([text] * 2, [[text]] * 2)


def test_the_system_that_was_left_tokenised_is_named() -> None:
    [(told, which)] = hints_of([[PLAIN] * 20, [LEFT] * 20], [[PLAIN]] * 20, "13a")
    assert told.startswith("candidates look tokenised")
    assert which == "candidates of system 2"
    [(told, _)] = hints_of([[PLAIN] * 20], [[LEFT]] * 20, "13a")
    assert told.startswith("references look tokenised") and "tokenizer='none'" not in told
    [(told, _)] = hints_of([[LEFT] * 20], [[LEFT]] * 20, "13a")
    assert told.startswith("candidates and references look") and "tokenizer='none'" in told


def test_the_command_says_it_once_in_its_own_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {}
    for name, line in (("left", LEFT), ("plain", PLAIN), ("zh", CHINESE)):
        names[name] = str(tmp_path / name)
        Path(names[name]).write_text(f"{line}\n" * 500, encoding="utf-8")
    left, plain, chinese = names.values()
    for words, says in (
        (("score", left, plain), "candidates look tokenised"),
        (("score", left, left, "--num-refs", "var"), "tokenizer='none' (--tokenize none) to score"),
        (("score", chinese, chinese), "words: pass tokenizer='zh' (--tokenize zh)\n"),
        (("score", chinese, chinese, "--sentence"), "words: pass tokenizer='zh' (--tokenize zh)\n"),
        (("pairwise", chinese, "--top", "1"), "words: pass tokenizer='zh' (--tokenize zh)\n"),
        (("self-bleu", left), "candidates look tokenised"),
        (("mbr", "--each", "10", left), "candidates look tokenised"),
        (("compare", plain, left, "--ref", plain, "--test", "delta"), "candidates of system 2"),
    ):
        assert main(words) == 0
        told = [line for line in capsys.readouterr().err.splitlines(True) if "tokenizer '" in line]
        assert len(told) == 1 and says in told[0] and told[0].startswith("bleu-nb: note: ")
    for command in (("score", chinese, chinese), ("pairwise", chinese)):
        assert main((*command, "--tokenize", "zh")) == 0
    assert not capsys.readouterr().err


# Lengths ------------------------------------------------------------------------------------------

NAMES = ["North Quay"] * 50
SHORT, EMPTY = "no candidate is as long as", "of several references an empty one"


def test_exact_matches_that_are_too_short_are_told(tmp_path: Path) -> None:
    place = tmp_path / "mt"
    place.write_text("North Quay\n" * 50, encoding="utf-8")
    metric, reducer = Bleu(), Reducer()
    metric.update(NAMES, [[each] for each in NAMES])
    tokens = [each.split() for each in NAMES]
    for call in (
        lambda: corpus_bleu(NAMES, [[each] for each in NAMES]),
        lambda: corpus_bleu(tokens, [[each] for each in tokens], "nltk"),
        metric.compute,
        lambda: file_bleu(place, [place]),
        lambda: reducer.score(reducer.count(NAMES, [[each] for each in NAMES])),
    ):
        with pytest.warns(TextNote, match=SHORT):
            assert call().value < 1e-99


def test_what_the_note_names_helps_in_every_dialect() -> None:
    told = 0
    for name in bleu_nb.DIALECTS:
        sides = ["a b c"] * 5, [["a b c"]] * 5
        try:
            notes = [each for each in noted(partial(corpus_bleu, *sides, name))
                     if SHORT in str(each.message)]
        except ImportError:     # Its tokenizer's package is not here
            continue
        told += len(notes)
        if notes:
            assert corpus_bleu(*sides, name, max_order=2).value > 1e-3, name
            if not name.startswith(("nltk", "torch")):
                assert corpus_bleu(*sides, name, effective_order="always").value > 1e-3, name
    assert told > 5


@pytest.mark.parametrize(("sides", "choices"), [
    ((["North Quay"], [["South Pier"]]), {}),                   # Nothing matches
    ((["a b c d", "a"], [["a x c d"], ["a"]]), {}),             # One is long enough
    ((["a b c d"], [["a b x d"]]), {"dialect": "nltk"}),
    ((["a b"], [["a b"]]), {"effective_order": "always"}),
    ((["a b"], [["a b"]]), {"max_order": 2}),
    # What the note says was done, and 0 has another reason
    ((["North Bay"], [["Bay North"]]), {"effective_order": "always", "smoothing": "none"}),
    ((["a b c"], [["a b c" + " d" * 500]]), {"effective_order": "always"}),
    (([""], [[""]]), {}),
])  # fmt: skip
def test_other_scores_of_short_segments_are_not_told(sides: Any, choices: dict[str, Any]) -> None:
    assert not noted(partial(corpus_bleu, *sides, **choices))


CUT, WHOLE = "we moor at the pier", "we moor at the pier of the old town until the storm is over"


def after(candidates: Any, references: Any) -> Bleu:
    """A metric that has seen a batch."""
    metric = Bleu()
    metric.update(candidates, references)
    return metric


@pytest.mark.parametrize("engine", ["auto", "bits"])
def test_an_empty_reference_behind_the_first_block_is_told_once(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = 40_000
    lines = [f"{CUT}\t{CUT}", *[f"{WHOLE}\t"] * number]
    (tmp_path / "mt").write_text(f"{CUT}\n" * len(lines), encoding="utf-8")
    (tmp_path / "tabs").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for place, name in enumerate(("one", "two")):
        (tmp_path / name).write_text("".join(
            f"{each.split(chr(9))[place]}\n" for each in lines), encoding="utf-8")
    found = []
    for files in (["tabs", "--num-refs", "2"], ["one", "two"], ["tabs", "--num-refs", "var"]):
        main(("score", str(tmp_path / "mt"), *(
            each if each[0] == "-" or each in ("2", "var") else str(tmp_path / each)
            for each in files), "--engine", engine, "--score-only"))
        captured = capsys.readouterr()
        assert captured.err.count(EMPTY) == ("var" not in files)
        found.append(float(captured.out))
    assert found[0] == found[1] == 100 > 50 > found[2]     # What it says works


def test_an_empty_reference_that_gives_the_length_is_told(tmp_path: Path) -> None:
    reward = BleuReward()
    for name, text in (("mt", CUT), ("one", WHOLE), ("two", "")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    files = tmp_path / "mt", [tmp_path / "one", tmp_path / "two"]
    for call in (
        *(partial(Bleu(engine=engine), [CUT], [[WHOLE, ""]])
          for engine in ("definition", "bits", "numpy")),
        partial(sentence_bleu, CUT, [WHOLE, ""]),
        partial(Bleu().sentence, CUT.split(), [WHOLE.split(), []]),
        partial(corpus_bleu, ["x y z w v", CUT], [["x y z w v", "x"], ["", WHOLE]]),
        partial(file_bleu, *files),
        # Not in the first batch, call or piece
        partial(after([CUT], [[CUT]]).update, [CUT], [[WHOLE, ""]]),
        lambda: [reward([CUT], references=[each]) for each in ([CUT], [WHOLE, ""])],
        partial(corpus_bleu, iter([CUT] * 5000 + [CUT]), iter([[CUT]] * 5000 + [[WHOLE, ""]])),
    ):
        with pytest.warns(TextNote, match=EMPTY):
            call()
    for references in ([WHOLE], [CUT, ""], [WHOLE, None], [WHOLE, CUT]):
        assert not noted(partial(corpus_bleu, [CUT], [references]))
        assert not noted(partial(sentence_bleu, CUT, references))
    for empty in ([""], ["", WHOLE]):   # The only one, or of an empty candidate
        assert not noted(partial(corpus_bleu, [CUT, ""], [[CUT], empty]))
    assert EMPTY not in "".join(str(each.message) for each in noted(
        partial(corpus_bleu, [CUT, CUT], [[CUT], [""]])))


# One sentence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CHINESE, "猫はマットの上で眠ってしまいました。"])
def test_one_sentence_without_spaces_is_told(text: str) -> None:
    for call in (partial(sentence_bleu, text, [text]), partial(Bleu().sentence, text, [text])):
        with pytest.warns(TextNote, match="takes whole clauses for words") as told:
            call()
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
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", f"{LOOP}{run}"], capture_output=True,
        encoding="utf-8", cwd=Path(bleu_nb.__file__).parent.parent, check=True)
    told = [line for line in done.stderr.splitlines() if "Warning: " in line or "Note: " in line]
    assert len(told) == len({*told}), done.stderr
    assert [int(line.split(":")[1]) for line in told] == [*range(9, 15), *range(14, 18)]
    assert all(line.startswith("<string>:") for line in told)


def test_w_error_makes_errors_of_them() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c",
         "from bleu_nb import corpus_bleu\ncorpus_bleu(['a b'], [['a b']])"],
        capture_output=True, text=True, cwd=Path(bleu_nb.__file__).parent.parent, check=False)
    assert done.returncode == 1
    assert f"TextNote: the score is 0, or nearly, since {SHORT}" in done.stderr


def test_no_library_path_enters_catch_warnings() -> None:
    root = Path(bleu_nb.__file__).parent
    found = [path.relative_to(root).as_posix() for path in root.rglob("*.py")
             if "catch_warnings" in path.read_text("utf-8")
             or "simplefilter(" in path.read_text("utf-8").replace("`", "")]
    assert not found
