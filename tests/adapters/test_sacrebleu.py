"""The drop-in for sacreBLEU: sacreBLEU's own tests with the import changed, and random programs.

`BLEU_NB_TOOLS` names a folder with a clone of sacreBLEU 2.6, whose tests of BLEU run here as they
are. Random programs need sacreBLEU alone: it and the drop-in must answer the same.
"""

import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import warnings
from collections import deque
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from commands import python
from data import example, oracle
from noted import noted

sacrebleu = oracle("sacrebleu")
ours: Any = import_module("bleu_nb.adapters.sacrebleu")
calls: Any = import_module("sacrebleu_calls")

CLONE = Path(os.environ.get("BLEU_NB_TOOLS", ".")) / "sacrebleu"
SUITE = ("test_bleu.py", "test_sentence_bleu.py", "test_significance.py")
PROGRAMS = 400
MODULES = ("", ".metrics", ".metrics.bleu", ".compat")  # In which something is ours

# The tests of the tool ----------------------------------------------------------------------------

IMPORTS = ((r"^import sacrebleu$", "from bleu_nb.adapters import sacrebleu"),
           (r"^from sacrebleu(\S*) import ", r"from bleu_nb.adapters.sacrebleu\1 import "))


@pytest.mark.skipif(not (CLONE / "test").is_dir(), reason=(
    "no clone of sacreBLEU: BLEU_NB_TOOLS names the folder that holds one"))  # fmt: skip
def test_the_tests_of_sacrebleu_pass_with_the_import_changed(tmp_path: Path) -> None:
    tests = tmp_path / "test"
    tests.mkdir()
    shutil.copy(CLONE / "test" / "wmt17_en_de_systems.pkl.bz2", tests)
    for name in SUITE:
        text = (CLONE / "test" / name).read_text(encoding="utf-8")
        for pattern, change in IMPORTS:
            text = re.sub(pattern, change, text, flags=re.MULTILINE)
        assert not re.search(r"^(import|from) sacrebleu", text, re.MULTILINE)
        (tests / name).write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test"],
                          cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert not done.returncode, done.stdout
    assert re.search(r"^87 passed in", done.stdout, re.MULTILINE), done.stdout


# The same answers ---------------------------------------------------------------------------------


HERON, KESTREL, *STREAMS = map(example, ("heron", "kestrel", "reference_1", "reference_2"))


def test_random_programs_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, count_rows = [], ours.count_rows
    monkeypatch.setattr(ours, "count_rows", lambda *given: counted.append(
        bool(rows := count_rows(*given))) or rows)
    different = []
    for seed in range(PROGRAMS):
        program = calls.make_program(random.Random(seed))
        seen = [calls.run(tool, program) for tool in (sacrebleu, ours)]
        if repr(seen[0]) != repr(seen[1]):
            different.append((program, *seen))
    assert different == []
    assert counted.count(True) > 100 and counted.count(False) > 10  # Both ways are gone


@pytest.mark.parametrize("tokenize", ["13a", "intl", "ja-mecab"])
def test_rows_of_a_large_corpus_are_the_same(tokenize: str) -> None:
    draw = random.Random(3)
    words = [*" ".join(HERON).split(), "東京", "12,5", "&amp;", "x\u2003y", ""]
    texts, *streams = ([" ".join(draw.choices(words, k=draw.randint(0, 40))) for _ in range(1_200)]
                       for _ in range(4))
    streams[1] = [draw.choice([None, each]) for each in streams[1]]
    rows = [tool.BLEU(tokenize=tokenize, lowercase=True, references=references)
            ._extract_corpus_statistics(texts, streams if references is None else None)
            for tool in (sacrebleu, ours) for references in (None, streams)]
    assert rows[0] == rows[1] == rows[2] == rows[3]
    assert {type(number) for row in rows[2] for number in row} == {int}


BASE = sacrebleu.BLEU.__mro__[1]
BASE_ROWS = BASE._extract_corpus_statistics
COUNTED = sacrebleu.metrics.bleu.extract_all_word_ngrams
CHANGES: dict[str, Any] = {  # Of a metric that keeps references already
    "nothing": lambda metric: [*metric._ref_cache],
    "what is kept": lambda metric: metric._ref_cache[0].update(ref_lens=[99]),
    "its class": lambda metric: setattr(
        type(metric), "_preprocess_segment", lambda self, text: text.upper()),
    "case": lambda metric: setattr(metric, "lowercase", True),
    "more orders": lambda metric: setattr(metric, "max_ngram_order", 6),
    "tokenizer": lambda metric: setattr(
        metric, "tokenizer", type(sacrebleu.BLEU(tokenize="char").tokenizer)()),
    # A reference may be a hypothesis
    "rules": lambda metric: (setattr(metric.tokenizer, "_post_tokenizer", str.lower),
                             type(metric.tokenizer).__call__.cache_clear()),
}
REPLACED: dict[str, Any] = {    # Inside sacreBLEU
    "rules in the tokenizer": lambda metric, patch: setattr(
        metric.tokenizer, "_post_tokenizer", str.lower),
    "a rule more": lambda metric, patch: metric.tokenizer._post_tokenizer._re.insert(
        0, (re.compile("T"), "t")),
    "the tokenizer's class": lambda metric, patch: patch.setattr(
        type(metric.tokenizer), "__call__", lambda self, text: text.lower()),
    "the class of its rules": lambda metric, patch: patch.setattr(
        type(metric.tokenizer._post_tokenizer), "__call__", lambda self, text: text.lower()),
    "counting": lambda metric, patch: patch.setattr(
        "sacrebleu.metrics.bleu.extract_all_word_ngrams",
        lambda line, *orders: COUNTED(line.lower(), *orders)),
    "the base's rows": lambda metric, patch: patch.setattr(
        BASE, "_extract_corpus_statistics", lambda self, *given: [
            [each + 1 for each in row] for row in BASE_ROWS(self, *given)]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_kept_references_are_counted_as_sacrebleu_counted_them(change: str) -> None:
    rows = []
    for tool in (sacrebleu, ours):
        made = type("Made", (tool.BLEU,), {"__getstate__": lambda self: self.of_later})
        metric = made(references=STREAMS)
        CHANGES[change](metric)
        rows.append(metric._extract_corpus_statistics(HERON, None))
    assert rows[0] == rows[1]


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("change", REPLACED)
def test_what_is_replaced_inside_sacrebleu_counts_here_too(
        change: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = ["The Cat sat on the mat", "A dog Ran far away today"][:size]
    sides = hypotheses, [[text.lower() for text in hypotheses]]
    scores = [sacrebleu.BLEU().corpus_score(*sides).score]
    for tool in (sacrebleu, ours):
        metric = tool.BLEU()
        with monkeypatch.context() as patched:
            REPLACED[change](metric, patched)
            scores.append(metric.corpus_score(*sides).score)
    assert scores[2] == scores[1] != scores[0]


def test_a_check_of_somebody_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Mock()
    monkeypatch.setattr(BASE, "_check_corpus_score_args", check)
    ours.BLEU().corpus_score(["a dog"], [["a cat"]])
    check.assert_called_once_with(["a dog"], [["a cat"]])


def test_hypotheses_may_stand_in_a_deque() -> None:
    given = deque(["the cat sat", "a dog ran"]), [["the cat sat", "a dog sat"]]
    assert ours.corpus_bleu(*given).score == sacrebleu.corpus_bleu(*given).score


@pytest.mark.parametrize("change", [
    "sacrebleu.BLEU._preprocess_segment = lambda self, text: text.lower()",
    "tokenizer_13a.Tokenizer13a.__call__ = lambda self, text: text.lower()",
    "usual = sacrebleu.BLEU._preprocess_segment; sacrebleu.BLEU._preprocess_segment = "
    "functools.wraps(usual)(lambda self, text: usual(self, text).lower())",
])
def test_what_was_replaced_before_the_import_counts_too(change: str) -> None:
    python(f"""if True:
        import functools, sacrebleu
        from sacrebleu.tokenizers import tokenizer_13a
        {change}
        from bleu_nb.adapters import sacrebleu as ours
        given = ["The Cat sat on the mat"] * 2, [["the cat sat on the mat"] * 2]
        assert ours.BLEU().corpus_score(*given).score == sacrebleu.corpus_bleu(*given).score > 99
        """)


@pytest.mark.parametrize("name", [
    "corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "BLEU", "BLEU.corpus_score"])
def test_arguments_have_the_names_and_defaults_of_sacrebleu(name: str) -> None:
    mine, theirs = ([(each.name, each.default, each.kind) for each in signature(
        attrgetter(name)(tool)).parameters.values()] for tool in (ours, sacrebleu))
    assert mine == theirs


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("kind", ["ar", "bs"])
def test_paired_tests_say_the_same(kind: str, jobs: int) -> None:
    systems, said = [("a", HERON), ("b", KESTREL), ("c", HERON[::-1])], []
    for tool in (sacrebleu, ours):
        metrics = {"CHRF": tool.CHRF(), "BLEU": tool.BLEU(references=STREAMS)}
        test = import_module(f"{tool.__name__}.significance").PairedTest
        with calls.log_lines() as log:
            signed, told = test(systems, metrics, STREAMS, kind, 50, 20, jobs)()
        said.append([log, told["System"], [*map(vars, told["BLEU"])],
                     str(signed["BLEU"]).partition("|bleu_nb:")[0], str(signed["chrF2"])])
    assert said[0] == said[1]


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [
    "metrics", "metrics.bleu", "metrics.base", "metrics.helpers", "metrics.chrf", "compat",
    "significance", "utils", "dataset", "tokenizers", "tokenizers.tokenizer_base",
    "tokenizers.tokenizer_13a", "tokenizers.tokenizer_spm"])
def test_a_module_of_sacrebleu_is_there(place: str) -> None:
    import_module("sacrebleu.significance")
    mine, theirs = (import_module(f"{tool.__name__}.{place}") for tool in (ours, sacrebleu))
    for name in [each for each in vars(theirs) if not each.startswith("__")]:
        if name in ("BLEU", "BLEUSignature", "METRICS", "PairedTest") or (
                place == "compat" and name.endswith("_bleu")):
            assert getattr(mine, name) is not getattr(theirs, name)
        elif name not in ("bleu", "sacrebleu"):
            assert getattr(mine, name) is getattr(theirs, name), name


def test_what_is_ours_is_so_by_every_name() -> None:
    for place in MODULES:
        assert import_module(f"bleu_nb.adapters.sacrebleu{place}").BLEU is ours.BLEU
    assert ours.metrics.METRICS["BLEU"] is ours.BLEU and issubclass(ours.BLEU, sacrebleu.BLEU)
    assert ours.corpus_bleu is ours.compat.corpus_bleu is not sacrebleu.corpus_bleu
    assert isinstance(ours.corpus_bleu(HERON, STREAMS), sacrebleu.metrics.BLEUScore)
    assert issubclass(ours.PairedTest, import_module("sacrebleu.significance").PairedTest)
    with pytest.raises(AttributeError, match="sacreBLEU has no 'METEOR'"):
        _ = ours.METEOR
    assert type(pickle.loads(pickle.dumps(ours.BLEU()))) is ours.BLEU


QUIET = """
import signal, sys
import sacrebleu.metrics as metrics
def state():
    return [signal.getsignal(number) for number in sorted(signal.valid_signals())], [
        sys.stdin, sys.stdout, sys.stderr, *sys.argv], [
        {**vars(metrics.bleu.BLEU)}, {**metrics.METRICS}, {**vars(sys.modules["sacrebleu"])}]
before = state()
from bleu_nb.adapters.sacrebleu.metrics import BLEU
BLEU(references=[["a b", "c d"]]).corpus_score(["a b", "c d"], None)
assert state() == before
assert not {"numpy", "sacrebleu.sacrebleu", "sacrebleu.significance"} & sys.modules.keys()
"""


def test_an_old_sacrebleu_is_refused_by_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sacrebleu.metrics.bleu, "BLEU", object)  # Without the steps of 2.0
    monkeypatch.setattr(sacrebleu, "__version__", "1.5.1")
    monkeypatch.delitem(sys.modules, "bleu_nb.adapters.sacrebleu")
    with pytest.raises(ImportError, match=re.escape(
            "works with sacreBLEU 2.0 and newer, and 1.5.1 is installed: install bleu_nb with its "
            "extra 'sacrebleu', or call bleu_nb.corpus_bleu with the dialect 'sacrebleu-1'")):
        import_module("bleu_nb.adapters.sacrebleu")


def test_importing_it_changes_nothing_of_sacrebleu() -> None:
    python(QUIET)


# What the drop-in says ----------------------------------------------------------------------------

CHINESE, TOKENS = "冬天，船每个月都会来到岛上一次。", ["the", "cat", "sat", "on", "the", "mat"]
TURNED = [*map(list, zip(HERON[:3], KESTREL[:3], strict=True))]
PER_SEGMENT = [["the old cat sat on the mat", "an old cat sits on the warm mat"],
               ["a small dog runs over the hill", "a little dog ran over the green hill"]]
PER_STREAM = [*map(list, zip(*PER_SEGMENT, strict=True))]
OUTPUTS = ["the old cat sat on the warm mat", "a small dog ran over the green hill"]
HUMAN = [each.split() for each in (
    "the cat sat on the mat", "a cat sat on a mat", "the cat is on the mat",
    "cat on the mat now .", "there is a cat here .", "the mat has a cat .")]
SHORT = ["North Quay"] * 5, [["North Quay"] * 5]
NOTES: list[tuple[str, tuple[Any, ...], str]] = [
    *(("corpus_bleu", sides, "is not scored") for sides in (
        (HERON[:3], TURNED), (HERON, [STREAMS[0][:5]]), (HERON[:5], STREAMS),
        (["a b c d", "e f g h"], [["a b c d"], ["e f g h"]]))),
    *((name, sides, "a string stands where a list belongs") for name, sides in (
        ("corpus_bleu", ("a b", [["a", "b", "c"]])), ("corpus_bleu", (HERON, STREAMS[0])),
        ("corpus_bleu", (["a b c d", "e f g h"], ["a b c d", "e f g h"])),
        ("raw_corpus_bleu", (["a b"], ["a b"])))),
    ("corpus_bleu", (OUTPUTS, PER_SEGMENT), "look like lists of one segment each"),
    *(("corpus_bleu", (TOKENS, streams), r"sentence_bleu\(text, \[reference, another\]\)")
      for streams in (HUMAN, [*zip(*HUMAN, strict=True)])),
    ("corpus_bleu", SHORT, "max_ngram_order to BLEU, or effective_order=True"),
    ("corpus_bleu", ([CHINESE], [[CHINESE]]), "this looks like Chinese"),
    ("sentence_bleu", (CHINESE, [CHINESE]), "this looks like Chinese"),
    ("corpus_bleu", (["a b c d e"], [["a b c d e f g h i j k l"], [""]]),
     "of several references an empty"),
]


@pytest.mark.parametrize(("name", "arguments", "said"), NOTES)
def test_what_misleads_is_a_warning_at_the_line_of_the_caller_or_by_a_filter_an_error(
    name: str, arguments: tuple[Any, ...], said: str
) -> None:
    with pytest.warns(UserWarning, match=said) as notes:
        score = getattr(ours, name)(*arguments)
    assert {note.filename for note in notes} == {__file__}
    assert vars(score) == vars(getattr(sacrebleu, name)(*arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            getattr(ours, name)(*arguments)


@pytest.mark.parametrize(("hypotheses", "references", "said"), [
    (*sides, said) for name, sides, said in NOTES if name == "corpus_bleu"])
def test_kept_references_are_noted_as_those_of_a_call(
    hypotheses: Any, references: Any, said: str
) -> None:
    metrics = [tool.BLEU(references=references) for tool in (ours, sacrebleu)]
    with pytest.warns(UserWarning, match=said):
        score = metrics[0].corpus_score(hypotheses, None)
    assert vars(score) == vars(metrics[1].corpus_score(hypotheses, None))


@pytest.mark.parametrize(("call", "value"), [     # What the notes say, and what suits
    (lambda: ours.corpus_bleu(OUTPUTS, PER_STREAM), 40),
    (lambda: ours.corpus_bleu(OUTPUTS, [*map(tuple, PER_SEGMENT)]), 0),
    (lambda: ours.BLEU(references=PER_STREAM).corpus_score(OUTPUTS, None), 40),
    (lambda: ours.BLEU(references=STREAMS).corpus_score(HERON, None), 0),
    (lambda: ours.sentence_bleu(" ".join(TOKENS), [*map(" ".join, HUMAN)]), 99),
    (lambda: ours.corpus_bleu([" ".join(TOKENS)], [[" ".join(each)] for each in HUMAN]), 99),
    (lambda: ours.BLEU(max_ngram_order=2).corpus_score(*SHORT), 99),
    (lambda: ours.BLEU(effective_order=True).corpus_score(*SHORT), 99),
    (lambda: ours.BLEU(effective_order=True, smooth_method="none").corpus_score(
        ["North Bay"], [["Bay North"]]), -1),
    (lambda: ours.corpus_bleu([CHINESE], [[CHINESE]], tokenize="zh"), 99),
    *((lambda lines=lines: ours.corpus_bleu(lines, [lines], tokenize="char"), 99) for lines in (
        ["Öl ist nicht mehr da, sagt er."], ["Paris", "London"], ["Нет ни одного"])),
])
def test_what_the_notes_say_works(call: Any, value: float) -> None:
    assert not noted(call)
    assert call().score > value


def test_a_warning_of_the_caller_or_of_ours_is_shown_once() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(5):
            warnings.warn("the caller's own", stacklevel=1)
            ours.corpus_bleu(HERON, STREAMS[0])
            ours.corpus_bleu(["a b .", "東京は晴れです。"] * 20, [["a b .", "東京は雨です。"] * 20])
    assert [str(note.message)[:16] for note in caught] == [
        "the caller's own", "a string stands ", "the score is 0, "]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(("ending", "number"), [(" .", 100), (" .", 99), (" .  ", 100)])
def test_the_log_is_that_of_sacrebleu(force: bool, ending: str, number: int) -> None:
    corpus, said = [f"It is said that they came{ending}"] * number, []
    for tool in (ours, sacrebleu):
        with calls.log_lines() as log:
            tool.BLEU(force=force, trg_lang="ja", tokenize="13a").corpus_score(corpus, [corpus])
            tool.BLEU().sentence_score("a b c d", ["a b c d"])
        said.append(log)
    assert said[0] == said[1]
    assert len(said[0]) == 2 + 3 * (not force and ending == " ." and number == 100)


@pytest.mark.parametrize("test", ["bs", "ar"])
@pytest.mark.parametrize("lengths", [(3, 2), (3, 4), (2, 3), (4, 3)])
@pytest.mark.parametrize("names", ["bo", "bb"])     # Also both by one name
def test_a_paired_test_refuses_systems_of_different_lengths(
    test: str, lengths: tuple[int, int], names: str
) -> None:
    lines = ["a b c d e f", "c d e f g h", "x y z w q r", "e f g h i j"]
    metrics = {"BLEU": ours.BLEU(references=[lines[:3]])}
    said = "number of segments" if names == "bb" else (
        rf"segments: .\('b', {lengths[0]}\), \('o', {lengths[1]}\)")
    for paired in (ours.PairedTest, ours.significance.PairedTest):
        with pytest.raises(ValueError, match=said):
            paired([(name, lines[:length]) for name, length in zip(names, lengths, strict=True)],
                   metrics, None, test, 20)
        assert paired([("b", lines[:3]), ("o", lines[1:])], metrics, None, test, 20)()
