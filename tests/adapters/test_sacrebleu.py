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
from copy import copy
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from data import oracle
from noted import noted

from bleu_nb.dialects.input_checks import InputNote
from bleu_nb.files.reading import example_path

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


def lines(name: str) -> list[str]:
    """A file of the example."""
    return example_path(f"{name}.txt").read_text("utf-8").splitlines()


HERON, KESTREL = lines("heron"), lines("kestrel")
STREAMS = [lines("reference_1"), lines("reference_2")]


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
    texts, *streams = ([" ".join(draw.choices(words, k=draw.randint(0, 40))) for _ in range(2_500)]
                       for _ in range(4))
    streams[1] = [draw.choice([None, each]) for each in streams[1]]
    rows = [tool.BLEU(tokenize=tokenize, lowercase=True, references=references)
            ._extract_corpus_statistics(texts, streams if references is None else None)
            for tool in (sacrebleu, ours) for references in (None, streams)]
    assert rows[0] == rows[1] == rows[2] == rows[3]
    assert {type(number) for row in rows[2] for number in row} == {int}


def change_cache(metric: Any) -> None:
    """Change what a metric keeps of its references."""
    metric._ref_cache[0]["ref_lens"][:] = [99]


def change_class(metric: Any) -> None:
    """Replace a step in the class of a metric that has references already."""
    type(metric)._preprocess_segment = lambda self, text: text.upper()


def forbid_copies(metric: Any) -> None:
    """Nothing more: metrics of that class cannot be copied."""
    with pytest.raises(AttributeError):
        copy(metric)


def change_case(metric: Any) -> None:
    """Ignore case from now on, but not in what is kept."""
    metric.lowercase = True


def change_orders(metric: Any) -> None:
    """Count more orders than are kept."""
    metric.max_ngram_order = 6


def change_tokenizer(metric: Any) -> None:
    """Split hypotheses in another way than what is kept."""
    metric.tokenizer = type(sacrebleu.BLEU(tokenize="char").tokenizer)()


def change_rules(metric: Any) -> None:
    """Let the tokenizer of hypotheses do more than that of the references did."""
    metric.tokenizer._post_tokenizer = str.lower
    type(metric.tokenizer).__call__.cache_clear()   # A reference may be a hypothesis


def look_at_cache(metric: Any) -> None:
    """Have everything counted before."""
    assert [*metric._ref_cache]


@pytest.mark.parametrize("change", [
    change_cache, change_class, forbid_copies, change_case, change_orders, change_tokenizer,
    change_rules, look_at_cache])
def test_kept_references_are_counted_as_sacrebleu_counted_them(change: Any) -> None:
    rows = []
    for tool in (sacrebleu, ours):
        made = type("Made", (tool.BLEU,), {"__getstate__": lambda self: self.of_later})
        metric = made(references=STREAMS)
        change(metric)
        rows.append(metric._extract_corpus_statistics(HERON, None))
    assert rows[0] == rows[1]


def test_kept_references_are_the_list_that_sacrebleu_keeps() -> None:
    theirs, own = (tool.BLEU(references=STREAMS)._ref_cache for tool in (sacrebleu, ours))
    assert own == theirs
    assert own + theirs == theirs * 2
    own.append(theirs[0])
    assert own[1:] == [*theirs[1:], theirs[0]]


def lower_tokenizer(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tokenizer holds, in the object."""
    metric.tokenizer._post_tokenizer = str.lower


def lower_rules(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule more."""
    metric.tokenizer._post_tokenizer._re.insert(0, (re.compile("T"), "t"))


def lower_class(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokenizer's class."""
    monkeypatch.setattr(type(metric.tokenizer), "__call__", lambda self, text: text.lower())


def lower_rules_class(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The class of what the tokenizer holds."""
    rules = type(metric.tokenizer._post_tokenizer)
    monkeypatch.setattr(rules, "__call__", lambda self, text: text.lower())


def replace_ngrams(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that counts n-grams."""
    module = import_module("sacrebleu.metrics.bleu")
    usual = module.extract_all_word_ngrams
    monkeypatch.setattr(module, "extract_all_word_ngrams",
                        lambda line, *orders: usual(line.lower(), *orders))


def replace_rows(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The method that collects the rows, in sacreBLEU's base class."""
    base = sacrebleu.BLEU.__mro__[1]
    usual = base._extract_corpus_statistics
    monkeypatch.setattr(base, "_extract_corpus_statistics", lambda self, *given: [
        [each + 1 for each in row] for row in usual(self, *given)])


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("change", [
    lower_tokenizer, lower_rules, lower_class, lower_rules_class, replace_ngrams, replace_rows])
def test_what_is_replaced_inside_sacrebleu_counts_here_too(
        change: Any, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = ["The Cat sat on the mat", "A dog Ran far away today"][:size]
    streams = [[text.lower() for text in hypotheses]]
    before = sacrebleu.BLEU().corpus_score(hypotheses, streams).score
    scores = []
    for tool in (sacrebleu, ours):
        metric = tool.BLEU()
        with monkeypatch.context() as patched:
            change(metric, patched)
            scores.append(metric.corpus_score(hypotheses, streams).score)
    assert scores[0] == scores[1] != before


def test_a_check_of_somebody_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(sacrebleu.BLEU.__mro__[1], "_check_corpus_score_args",
                        lambda self, *given: asked.append(given))
    for tool in (sacrebleu, ours):
        tool.BLEU().corpus_score(["a dog"], [["a cat"]])
    assert asked == [(["a dog"], [["a cat"]])] * 2


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
    program = f"""if True:
        import functools, sacrebleu
        from sacrebleu.tokenizers import tokenizer_13a
        {change}
        from bleu_nb.adapters import sacrebleu as ours
        given = ["The Cat sat on the mat"] * 2, [["the cat sat on the mat"] * 2]
        assert ours.BLEU().corpus_score(*given).score == sacrebleu.corpus_bleu(*given).score > 99
        """
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", [
    "corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "BLEU", "BLEU.corpus_score"])
def test_arguments_have_the_names_and_defaults_of_sacrebleu(name: str) -> None:
    found = []
    for each in (ours, sacrebleu):
        for part in name.split("."):
            each = getattr(each, part)
        found.append([(one.name, one.default, one.kind)
                      for one in signature(each).parameters.values()])
    assert found[0] == found[1]


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


def as_compare_mt(tool: Any) -> Any:
    """Rows once, then scores of parts of the corpus, in arrays."""
    numpy = import_module("numpy")
    metric = tool.BLEU()
    rows = numpy.array(metric._extract_corpus_statistics(KESTREL, STREAMS[:1]))
    return [metric.compute_bleu(
        correct=stats[2:6], total=stats[6:], sys_len=int(stats[0]), ref_len=int(stats[1]),
        smooth_method="exp", smooth_value=0, effective_order=False).score
        for stats in (rows[part].sum(0) for part in ([0, 2, 2], [*range(9)]))]


def as_fairseq(tool: Any) -> Any:
    """A scorer, and sums of batches."""
    counts, totals = (import_module("numpy").array(each) for each in ([9, 6, 4, 2], [12, 11, 9, 8]))
    whole = tool.corpus_bleu(HERON, [STREAMS[0]], tokenize="none")
    return [whole.format(), whole.score, tool.metrics.BLEU.compute_bleu(
        correct=counts, total=totals, sys_len=12, ref_len=14, smooth_method="exp").score,
        int(tool.__version__[0])]


def as_helm(tool: Any) -> Any:
    """One segment at a time."""
    metric = tool.BLEU(effective_order=True)
    return [metric.corpus_score([line], [[human]]).score
            for line, human in zip(HERON, STREAMS[0], strict=True)]


@pytest.mark.parametrize("call", [as_compare_mt, as_fairseq, as_helm])
def test_other_tools_calls_work(call: Any) -> None:
    assert call(ours) == call(sacrebleu)


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
    found = [import_module(f"bleu_nb.adapters.sacrebleu{place}").BLEU for place in MODULES]
    assert found == [ours.BLEU] * len(MODULES)
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


def test_importing_it_changes_nothing_of_sacrebleu() -> None:
    subprocess.run([sys.executable, "-c", QUIET], check=True)


WITHOUT = """
import sys
sys.modules["sacrebleu"] = None
from bleu_nb.adapters.sacrebleu import BLEU
"""


def test_without_sacrebleu_the_error_names_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf-8",
                          check=False)
    assert done.stderr.endswith("install bleu_nb with its extra 'sacrebleu'\n")


# What the drop-in says ----------------------------------------------------------------------------

TURNED = [*map(list, zip(HERON[:3], KESTREL[:3], strict=True))]
NONSENSE: list[tuple[str, list[Any]]] = [
    ("corpus_bleu", [HERON[:3], TURNED]), ("corpus_bleu", [HERON, [STREAMS[0][:5]]]),
    ("corpus_bleu", [HERON[:5], STREAMS]), ("corpus_bleu", ["a b", [["a", "b", "c"]]]),
    ("corpus_bleu", [HERON, STREAMS[0]]), ("raw_corpus_bleu", [["a b"], ["a b"]])]


PER_SEGMENT = [["the old cat sat on the mat", "an old cat sits on the warm mat"],
               ["a small dog runs over the hill", "a little dog ran over the green hill"]]
OUTPUTS = ["the old cat sat on the warm mat", "a small dog ran over the green hill"]


def test_as_many_references_as_segments_are_noted_if_they_are_lists_of_a_segment() -> None:
    streams = [*map(list, zip(*PER_SEGMENT, strict=True))]
    for call in (
        partial(ours.corpus_bleu, OUTPUTS, PER_SEGMENT),
        partial(ours.BLEU(references=PER_SEGMENT).corpus_score, OUTPUTS, None),
    ):
        [note] = noted(call, InputNote)
        assert "look like lists of one segment each" in str(note.message)
    for right in (streams, [*map(tuple, PER_SEGMENT)]):     # What it says
        assert not noted(partial(ours.corpus_bleu, OUTPUTS, right))
        assert not noted(partial(ours.BLEU(references=right).corpus_score, OUTPUTS, None))
    assert ours.corpus_bleu(OUTPUTS, streams).score > ours.corpus_bleu(OUTPUTS, PER_SEGMENT).score


@pytest.mark.parametrize(("references", "said"), [
    (["a b c d", "e f g h"], "a string stands where a list belongs"),
    ([["a b c d"], ["e f g h"]], "is not scored"), (STREAMS, "")])
def test_kept_references_are_noted_as_those_of_a_call(references: Any, said: str) -> None:
    hypotheses = HERON if references is STREAMS else ["a b c d", "e f g h"]
    found = noted(partial(ours.BLEU(references=references).corpus_score, hypotheses, None))
    assert [said in str(note.message) for note in found] == [True] * bool(said)
    assert vars(ours.BLEU(references=references).corpus_score(hypotheses, None)) == vars(
        sacrebleu.BLEU(references=references).corpus_score(hypotheses, None))


def test_what_the_note_of_one_sentence_says_works() -> None:
    tokens = ["the", "cat", "sat", "on", "the", "mat"]
    human = [each.split() for each in (
        "the cat sat on the mat", "a cat sat on a mat", "the cat is on the mat",
        "cat on the mat now .", "there is a cat here .", "the mat has a cat .")]
    for streams in (human, [*zip(*human, strict=True)]):
        [note] = noted(partial(ours.corpus_bleu, tokens, streams), InputNote)
        assert "sentence_bleu(text, [reference, another])" in str(note.message)
    text, references = " ".join(tokens), [*map(" ".join, human)]
    assert round(ours.sentence_bleu(text, references).score) == 100
    assert round(ours.corpus_bleu([text], [[each] for each in references]).score) == 100


def test_what_the_note_of_short_segments_says_works() -> None:
    sides = ["North Quay"] * 5, [["North Quay"] * 5]
    [note] = noted(partial(ours.corpus_bleu, *sides))
    assert "max_ngram_order to BLEU, or effective_order=True" in str(note.message)
    for choices in ({"max_ngram_order": 2}, {"effective_order": True}):
        assert not noted(partial(ours.BLEU(**choices).corpus_score, *sides))
        assert round(ours.BLEU(**choices).corpus_score(*sides).score) == 100
    assert not noted(partial(ours.BLEU(effective_order=True, smooth_method="none").corpus_score,
                             ["North Bay"], [["Bay North"]]))


@pytest.mark.parametrize(("name", "arguments"), NONSENSE)
def test_nonsense_is_a_warning_or_by_a_filter_an_error(name: str, arguments: list[Any]) -> None:
    with pytest.warns(InputNote, match=r"not scored|a string stands") as notes:
        score = getattr(ours, name)(*arguments)
    assert vars(score) == vars(getattr(sacrebleu, name)(*arguments))
    assert [Path(note.filename).name for note in notes] == ["test_sacrebleu.py"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        with pytest.raises(InputNote, match=r"not scored|a string stands"):
            getattr(ours, name)(*arguments)


def test_a_warning_of_the_caller_or_of_ours_is_shown_once() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(5):
            warnings.warn("the caller's own", stacklevel=1)
            ours.corpus_bleu(HERON, STREAMS[0])
            ours.corpus_bleu(["a b .", "東京は晴れです。"] * 20, [["a b .", "東京は雨です。"] * 20])
    assert [str(note.message)[:16] for note in caught] == [
        "the caller's own", "a string stands ", "the score is 0, "]


def test_what_misleads_is_noted_at_the_line_of_the_caller() -> None:
    chinese, caption = "冬天，船每个月都会来到岛上一次。", [*"abcde"]
    for call, said in (
        (lambda: ours.corpus_bleu([chinese], [[chinese]]), "this looks like Chinese"),
        (lambda: ours.sentence_bleu(chinese, [chinese]), "this looks like Chinese"),
        (lambda: ours.BLEU().corpus_score(["a b"], [["a b"]]), "no candidate is as long"),
        (lambda: ours.corpus_bleu(["a b c d e"], [["a b c d e f g h i j k l"], [""]]),
         "of several references an empty"),
        (lambda: ours.corpus_bleu(caption, [[*caption[1:], "a"], [*caption[2:], "a", "b"],
                                            [*caption[3:], *caption[:3]]]), "tokens of one"),
    ):
        with pytest.warns(UserWarning, match=said) as notes:
            call()
        assert {note.filename for note in notes} == {__file__}
    for lines in (["Öl ist nicht mehr da, sagt er."], ["Paris", "London"], ["Нет ни одного"]):
        assert not noted(partial(ours.corpus_bleu, lines, [lines], tokenize="char"))
    assert not noted(lambda: ours.corpus_bleu([chinese], [[chinese]], tokenize="zh"))


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
def test_a_paired_test_refuses_systems_of_different_lengths(
    test: str, lengths: tuple[int, int]
) -> None:
    lines = ["a b c d e f", "c d e f g h", "x y z w q r", "e f g h i j"]
    systems = [(name, lines[:length]) for name, length in zip("bo", lengths, strict=True)]
    metrics = {"BLEU": ours.BLEU(references=[lines[:3]])}
    for paired in (ours.PairedTest, ours.significance.PairedTest):
        said = rf"segments: .\('b', {lengths[0]}\), \('o', {lengths[1]}\)"
        with pytest.raises(ValueError, match=said):
            paired(systems, metrics, None, test, 20)
        with pytest.raises(ValueError, match="number of segments"):     # Both by one name
            paired([("b", texts) for _, texts in systems], metrics, None, test, 20)
        assert paired([("b", lines[:3]), ("o", lines[1:])], metrics, None, test, 20)()


def doubled(tool: Any, name: str) -> Any:
    """A step of a metric, by the tool's own, for twice the text or numbers."""
    step = getattr(tool, name)
    twice = {
        "_preprocess_segment": lambda self, text: step(self, text.replace("a", "o").upper()),
        "_compute_segment_statistics": lambda self, text, human: step(self, f"{text} now", human),
        "_extract_corpus_statistics": lambda self, texts, human: [
            [2 * each for each in row] for row in step(self, texts, human)],
        "_compute_score_from_stats": lambda self, row: step(self, [each + 1 for each in row]),
        "_aggregate_and_compute": lambda self, rows: step(self, [*rows, rows[0]]),
        "_extract_reference_info": lambda self, human: step(self, [*human, "a heron"]),
        "_cache_references": lambda self, streams: step(self, streams[:1]),
        "_get_closest_ref_len": lambda self, length, lengths: max(lengths),
    }
    return twice[name]


def answers(tool: Any, metric: Any, streams: Any) -> list[Any]:
    """What a metric says of texts, of resamples of them, of one, and beside another system."""
    test = import_module(f"{tool.__name__}.significance").PairedTest(
        [("a", HERON), ("b", HERON[::-1])], {"BLEU": metric}, streams, "bs", 20)
    corpus = metric.corpus_score(HERON, streams, n_bootstrap=20)
    sentence = metric.sentence_score(HERON[0], [each[0] for each in STREAMS])
    return [*map(vars, (corpus, sentence)), [[*map(int, row)] for row in
            metric._extract_corpus_statistics(HERON, streams)], test()[1]["BLEU"][1].p_value]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("level", ["class", "instance"])
@pytest.mark.parametrize("name", [
    "_preprocess_segment", "_compute_segment_statistics", "_extract_corpus_statistics",
    "_compute_score_from_stats", "_aggregate_and_compute", "_extract_reference_info",
    "_cache_references", "_get_closest_ref_len"])
def test_a_step_of_ones_own_holds(name: str, level: str, kept: bool) -> None:
    said = []
    for tool in (sacrebleu, ours):
        kind = type("Own", (tool.BLEU,), {name: doubled(tool.BLEU, name)} if (
            level == "class") else {})
        metric = kind(references=STREAMS) if kept else kind()
        if level == "instance":
            setattr(metric, name, partial(doubled(tool.BLEU, name), metric))
        said.append(answers(tool, metric, None if kept else STREAMS))
    assert said[0] == said[1]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(("name", "value"), [
    ("tokenizer", lambda text: text[::-1]),
    ("tokenizer", sacrebleu.metrics.bleu._get_tokenizer("char")()),
    ("tokenizer", sacrebleu.metrics.bleu._get_tokenizer("intl")()),
    ("smooth_method", "floor"), ("smooth_value", 0.5), ("max_ngram_order", 2),
    ("max_ngram_order", 5), ("lowercase", True), ("effective_order", True), ("references", None),
    ("_ref_cache", sacrebleu.BLEU(references=STREAMS[:1])._ref_cache)])
def test_an_attribute_that_is_set_holds(name: str, value: Any, kept: bool) -> None:
    said = []
    for tool in (sacrebleu, ours):
        metric = tool.BLEU(smooth_method="add-k", references=STREAMS if kept else None)
        setattr(metric, name, value)
        try:
            said.append(answers(tool, metric, None if kept else STREAMS))
        except (KeyError, IndexError) as error:     # More orders than were kept
            said.append([type(error)])
    assert said[0] == said[1]


@pytest.mark.parametrize("words", [{"tokenize": "flores200"}, {}])
@pytest.mark.parametrize("content", [b"", b"<html>gone</html>"])
def test_a_damaged_model_is_named(
    words: dict[str, str], content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    oracle("sentencepiece")
    module = oracle("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    tokenizers: Any = import_module("bleu_nb.dialects.more_tokenizers")
    tokenizers.sacrebleu_tokenizer.cache_clear()
    model = tmp_path / "models" / "flores200sacrebleuspm"
    model.parent.mkdir()
    model.write_bytes(content)
    with pytest.raises(OSError, match=f"{re.escape(repr(str(model)))}, .*delete it"):
        ours.BLEU(*[] if words else [False, False, "flores200"], **words)
