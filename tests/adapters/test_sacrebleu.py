"""The drop-in for sacreBLEU: sacreBLEU's own tests with the import changed, and random programs.

`BLEU_NB_TOOLS` names a folder with a clone of sacreBLEU 2.6. Its tests of BLEU, chrF, TER and
significance run here with one import changed. Random programs need only sacreBLEU: it and the
drop-in must answer the same.
"""

import ast
import os
import pickle
import pkgutil
import pydoc
import random
import re
import shutil
import subprocess
import sys
import warnings
from collections import deque
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any
from unicodedata import normalize
from unittest.mock import Mock, patch

import pytest
from commands import python
from data import example, oracle

from bleu_nb.dialects.input_checks import TextNote

sacrebleu = oracle("sacrebleu")
ours: Any = import_module("bleu_nb.adapters.sacrebleu")
drop_in: Any = import_module("bleu_nb.adapters.sacrebleu.drop_in")
calls: Any = import_module("sacrebleu_calls")

CLONE = Path(os.environ.get("BLEU_NB_TOOLS", ".")) / "sacrebleu"
SUITE = ("bleu", "sentence_bleu", "significance", "chrf", "ter", "tokenizer_ter")
PROGRAMS = 400
KEPT_PROGRAMS = 500

# The tests of the tool ----------------------------------------------------------------------------

IMPORTS = ((r"^import sacrebleu$", "from bleu_nb.adapters import sacrebleu"),
           (r"^from sacrebleu(\S*) import ", r"from bleu_nb.adapters.sacrebleu\1 import "))


@pytest.mark.skipif(not (CLONE / "test").is_dir(), reason=(
    "no clone of sacreBLEU: BLEU_NB_TOOLS names the folder that holds one"))  # fmt: skip
def test_the_tests_of_sacrebleu_pass_with_the_import_changed(tmp_path: Path) -> None:
    tests = tmp_path / "test"
    tests.mkdir()
    shutil.copy(CLONE / "test" / "wmt17_en_de_systems.pkl.bz2", tests)
    for name in (f"test_{each}.py" for each in SUITE):
        text = (CLONE / "test" / name).read_text(encoding="utf-8")
        for pattern, change in IMPORTS:
            text = re.sub(pattern, change, text, flags=re.MULTILINE)
        assert not re.search(r"^(import|from) sacrebleu", text, re.MULTILINE)
        (tests / name).write_text(text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test"],
                          cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert not done.returncode, done.stdout
    assert re.search(r"^130 passed in", done.stdout, re.MULTILINE), done.stdout


# The same answers ---------------------------------------------------------------------------------


HERON, KESTREL, *STREAMS = map(example, ("heron", "kestrel", "reference_1", "reference_2"))


def test_random_programs_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, rows_of = [], drop_in.KeptReferences.rows
    monkeypatch.setattr(drop_in.KeptReferences, "rows", lambda *given: counted.append(
        bool(rows := rows_of(*given))) or rows)
    different = []
    for seed in range(PROGRAMS):
        program = calls.make_program(random.Random(seed))
        seen = [calls.run(tool, program) for tool in (sacrebleu, ours)]
        if repr(seen[0]) != repr(seen[1]):
            different.append((program, *seen))
    assert different == []
    assert counted.count(True) > 200


def test_random_programs_that_keep_references_see_the_same(
        monkeypatch: pytest.MonkeyPatch) -> None:
    counted, count_kept = [], drop_in.count_kept
    monkeypatch.setattr(drop_in, "count_kept", lambda *given, **named: counted.append(
        row := count_kept(*given, **named)) or row)
    different, with_ngrams = [], 0
    for seed in range(KEPT_PROGRAMS):
        program = calls.make_kept_program(random.Random(seed))
        counted.clear()
        seen = [calls.run(tool, program) for tool in (sacrebleu, ours)]
        with_ngrams += bool(counted)
        if repr(seen[0]) != repr(seen[1]):
            different.append((program, *seen))
    assert different == []
    assert with_ngrams > KEPT_PROGRAMS / 2


@pytest.mark.parametrize("segments", [1, 21])
def test_the_engines_are_loaded_when_they_are_worth_it(segments: int) -> None:
    said = python(f"""if True:
        import sys, sacrebleu
        from bleu_nb.adapters import sacrebleu as ours
        for number in range(30):
            given = [f"a b c d {{number}}"] * {segments}, [["a b c d e"] * {segments}]
            assert vars(ours.corpus_bleu(*given)) == vars(sacrebleu.corpus_bleu(*given))
            print("bleu_nb.scoring.metric" in sys.modules)
        """)
    early = {1: 20, 21: 0}[segments]
    assert said.split() == ["False"] * early + ["True"] * (30 - early)


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
    "nothing": lambda metric, patch: [*metric._ref_cache],
    "what is kept": lambda metric, patch: metric._ref_cache[0].update(ref_lens=[99]),
    "its class": lambda metric, patch: setattr(
        type(metric), "_preprocess_segment", lambda self, text: text.upper()),
    "case": lambda metric, patch: setattr(metric, "lowercase", True),
    "more orders": lambda metric, patch: setattr(metric, "max_ngram_order", 6),
    "tokenizer": lambda metric, patch: setattr(
        metric, "tokenizer", type(sacrebleu.BLEU(tokenize="char").tokenizer)()),
    "another tokenizer of sacreBLEU": lambda metric, patch: setattr(
        metric, "tokenizer", sacrebleu.BLEU(tokenize="intl").tokenizer),
    "counting": lambda metric, patch: patch.setattr(
        "sacrebleu.metrics.bleu.extract_all_word_ngrams",
        lambda line, *orders: COUNTED(line.upper(), *orders)),
    # A reference may be a hypothesis
    "rules": lambda metric, patch: (setattr(metric.tokenizer, "_post_tokenizer", str.lower),
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


@pytest.mark.parametrize("tokenize", ["13a", "none", "intl"])
@pytest.mark.parametrize("change", CHANGES)
def test_kept_references_are_counted_as_sacrebleu_counted_them(
        change: str, tokenize: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    for tool in (sacrebleu, ours):
        made = type("Made", (tool.BLEU,), {"__getstate__": lambda self: self.of_later})
        metric = made(tokenize=tokenize, references=STREAMS)
        with monkeypatch.context() as patched:
            if change != "rules" or tokenize == "13a":
                CHANGES[change](metric, patched)
            rows.append([metric._extract_corpus_statistics(HERON, None), metric._ref_cache])
    assert repr(rows[0]) == repr(rows[1])


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("tokenize", ["13a", "none", "char", "zh", "intl"])
def test_the_list_of_kept_references_is_that_of_sacrebleu(tokenize: str, number: int) -> None:
    streams = [[f"{line} 東京 ÖL" for line in stream[:number]] for stream in STREAMS]
    kept = [tool.BLEU(True, tokenize=tokenize, references=streams)._ref_cache
            for tool in (sacrebleu, ours)]
    assert type(kept[1]) is list and repr(kept[0]) == repr(kept[1])


def test_attributes_make_a_metric_of_either_tool() -> None:
    for one, other in ((sacrebleu, ours), (ours, sacrebleu), (ours, ours)):
        metric = one.BLEU(references=STREAMS)
        made = other.BLEU.__new__(other.BLEU)
        vars(made).update(vars(metric))
        assert vars(made.corpus_score(HERON, None)) == vars(metric.corpus_score(HERON, None))


@pytest.mark.parametrize("kind", calls.RESULTS)
def test_the_last_step_of_a_subclass_may_return_anything(kind: str) -> None:
    results = [calls.shown(calls.subclass(tool.BLEU, kind)().corpus_score(HERON, STREAMS))
               for tool in (sacrebleu, ours)]
    assert repr(results[0]) == repr(results[1])


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
    text = pydoc.plain(pydoc.render_doc(attrgetter(name)(ours)))
    assert not [word for word, *_ in theirs if word != "self" and word not in text]


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


NAMES = [each.name for each in pkgutil.walk_packages(sacrebleu.__path__, "sacrebleu.")
         if not each.name.endswith("__main__")]
COMMAND = "sacrebleu.sacrebleu"     # Importing it sets a signal
OWN = {  # Module -> its own names; sacreBLEU has the others
    "": {"BLEU", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"},
    ".metrics": {"BLEU", "METRICS"},
    ".metrics.bleu": {"BLEU", "BLEUSignature"},
    ".compat": {"BLEU", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"},
}
FOLDER = Path(ours.__file__).parent


@pytest.mark.parametrize("name", ["sacrebleu", *NAMES])
def test_each_module_of_sacrebleu_is_a_file_with_a_stub(name: str) -> None:
    spec = find_spec(f"bleu_nb.adapters.{name}")
    assert spec and spec.origin
    path = Path(spec.origin)
    stub = path.with_suffix(".pyi").read_text(encoding="utf-8")
    if name == COMMAND:
        assert "as main" in stub
        return
    if name.removeprefix("sacrebleu") not in OWN:
        [docstring] = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr) and f"`{name}`" in ast.unparse(docstring)
        assert stub == f"from {name} import *\n"
        return
    module = import_module(name)
    defined = [each for each, value in vars(module).items()
               if str(getattr(value, "__module__", "")).startswith("sacrebleu.")
               and (name == "sacrebleu.metrics" or value.__module__ == name)]
    defined += getattr(module, "__all__", [])
    assert not [each for each in defined if not re.search(rf"\b{each}\b", stub)]


def test_no_file_is_left_over() -> None:
    files = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.py")}
    modules = {name.replace(".", "/").removeprefix("sacrebleu/") for name in NAMES}
    assert {each.removesuffix("/__init__") for each in files} - modules == {
        "__init__", "__main__", "drop_in"}


@pytest.mark.parametrize("name", ["sacrebleu", *(each for each in NAMES if each != COMMAND)])
def test_a_module_has_the_names_of_sacrebleu(name: str) -> None:
    place = name.removeprefix("sacrebleu")
    mine, theirs = import_module(f"bleu_nb.adapters.{name}"), import_module(name)
    assert {*dir(theirs)} <= {*dir(mine)}
    for each in [each for each in dir(theirs) if not each.startswith("__")]:
        found = getattr(mine, each)
        if f"{name}.{each}" in sys.modules:
            assert found is sys.modules[f"bleu_nb.adapters.{name}.{each}"]
        elif each != "Sequence":    # This package annotates with another one
            assert (found is getattr(theirs, each)) == (each not in OWN.get(place, ()))
    told: dict[str, Any] = {}
    exec(f"from bleu_nb.adapters.{name} import *", told)
    public = getattr(theirs, "__all__", [each for each in vars(theirs) if each[0] != "_"])
    assert {*public} <= told.keys() and (name != "sacrebleu" or told["CHRF"] is sacrebleu.CHRF)
    assert find_spec(f"bleu_nb.adapters.{name}") is mine.__spec__


@pytest.mark.parametrize(("place", "name", "change"), [
    ("metrics.bleu", "_get_tokenizer", lambda usual: lambda name: usual("char")),
    ("metrics.bleu", "extract_all_word_ngrams", lambda usual: (
        lambda line, *orders: usual(line.lower(), *orders))),
    ("metrics.bleu", "my_log", lambda usual: lambda number: usual(number) / 2),
    ("tokenizers.tokenizer_13a", "TokenizerRegexp", lambda usual: lambda: str.lower),
])
def test_what_a_program_assigns_in_a_module_is_called(
        place: str, name: str, change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given, scores = (["The Cat sat on the mat."], [["the cat sat on a mat ."]]), []
    for tool in (sacrebleu, sacrebleu, ours):
        module = import_module(f"{tool.__name__}.{place}")
        with monkeypatch.context() as patched:
            if scores:
                patched.setattr(module, name, change(getattr(module, name)))
            scores.append(tool.corpus_bleu(*given).score)
    assert scores[0] != scores[1] == scores[2]


def test_a_name_that_was_assigned_is_read_deleted_and_restored() -> None:
    theirs, usual = sacrebleu.metrics.bleu, sacrebleu.metrics.bleu._get_tokenizer
    with patch("bleu_nb.adapters.sacrebleu.metrics.bleu._get_tokenizer") as other:
        assert theirs._get_tokenizer is ours.metrics.bleu._get_tokenizer is other
    assert theirs._get_tokenizer is usual
    ours.metrics.bleu.added = 3
    assert theirs.added == 3
    del ours.metrics.bleu.added
    assert not hasattr(theirs, "added") and not hasattr(ours.metrics.bleu, "added")
    with pytest.raises(AttributeError, match="added"):
        del ours.metrics.bleu.added


def test_a_name_of_the_drop_in_is_assigned_here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lower = type("Lower", (ours.BLEU,), {
        "_preprocess_segment": lambda self, text: text.lower()})
    monkeypatch.setattr(ours.compat, "BLEU", lower)
    monkeypatch.setattr(ours, "BLEU", None)
    assert ours.corpus_bleu(["The Cat sat on it"], [["the cat sat on it"]]).score > 99
    assert sacrebleu.compat.BLEU is sacrebleu.BLEU is BASE.__subclasses__()[0]


def test_what_is_ours_is_so_by_every_name() -> None:
    for place in OWN:
        assert import_module(f"bleu_nb.adapters.sacrebleu{place}").BLEU is ours.BLEU
    assert ours.metrics.METRICS["BLEU"] is ours.BLEU and issubclass(ours.BLEU, sacrebleu.BLEU)
    assert ours.corpus_bleu is ours.compat.corpus_bleu is not sacrebleu.corpus_bleu
    assert isinstance(ours.corpus_bleu(HERON, STREAMS), sacrebleu.metrics.BLEUScore)
    assert not hasattr(ours, "METEOR")
    assert type(pickle.loads(pickle.dumps(ours.BLEU()))) is ours.BLEU


def test_a_paired_test_is_sacrebleus_and_can_be_pickled() -> None:
    kind = import_module("bleu_nb.adapters.sacrebleu.significance").PairedTest
    assert kind is import_module("sacrebleu.significance").PairedTest
    test = kind([("a", HERON), ("b", KESTREL)], {"BLEU": ours.BLEU(references=STREAMS)}, None,
                "bs", 20)
    (_, one), (_, other) = test(), pickle.loads(pickle.dumps(test))()
    assert repr(one) == repr(other) and type(test.metrics["BLEU"]) is ours.BLEU


def test_the_command_is_run_by_its_module(tmp_path: Path) -> None:
    (tmp_path / "mt").write_text("a b c d\n", encoding="utf-8")
    for code in (["-m", "bleu_nb.adapters.sacrebleu"],
                 ["-c", "from bleu_nb.adapters.sacrebleu.sacrebleu import main; main()"]):
        done = subprocess.run([sys.executable, *code, "mt", "-i", "mt", "-f", "text"],
                              cwd=tmp_path, capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": str(Path(ours.__file__).parents[3])})
        assert re.match(r"BLEU\|.*\|bleu_nb:\S+ = 100\.0 ", done.stdout)


QUIET = """
import signal, sys
import sacrebleu.metrics as metrics
def state():
    return [signal.getsignal(number) for number in sorted(signal.valid_signals())], [
        sys.stdin, sys.stdout, sys.stderr, *sys.argv], [
        {**vars(metrics.bleu.BLEU)}, {**metrics.METRICS}, {**vars(sys.modules["sacrebleu"])}]
before = state()
from bleu_nb.adapters.sacrebleu.metrics import BLEU
from bleu_nb.adapters.sacrebleu import *
BLEU(references=[["a b", "c d"]]).corpus_score(["a b", "c d"], None)
assert state() == before
assert not {"numpy", "sacrebleu.sacrebleu", "sacrebleu.significance"} & sys.modules.keys()
"""


@pytest.mark.parametrize("version", ["1.5.1", "2.0.0", "2.2.0"])
def test_an_old_sacrebleu_is_refused_by_its_version(
        monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(sacrebleu, "__version__", version)
    for module in [each for each in sys.modules if each.startswith(ours.__name__)]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(ImportError, match=re.escape(
            f"needs sacreBLEU 2.2.1 or newer, but {version} is installed: install bleu_nb "
            "with its extra 'sacrebleu', or call bleu_nb.corpus_bleu")):
        import_module("bleu_nb.adapters.sacrebleu")


def test_importing_it_changes_nothing_of_sacrebleu() -> None:
    python(QUIET)


# What the drop-in reports -------------------------------------------------------------------------


LETTERS = ["Öl ist nicht mehr da.", "Das Café öffnet später."]


@pytest.mark.parametrize("kept", [False, True])
def test_different_forms_of_unicode_are_a_warning_at_the_line_of_the_caller(kept: bool) -> None:
    other = [normalize("NFD", line) for line in LETTERS]
    metric = ours.BLEU(references=[LETTERS] if kept else None)
    streams = None if kept else [LETTERS]
    with pytest.warns(TextNote, match="not in the Unicode form NFC") as notes:
        metric.corpus_score(other, streams)
    assert [note.filename for note in notes] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metric.corpus_score(LETTERS, streams)
        with pytest.raises(TextNote):
            metric.corpus_score(other, streams)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["corpus_bleu", "raw_corpus_bleu"])
@pytest.mark.parametrize("given", [
    (HERON, STREAMS[0]), ("a b", ["a b"]), (HERON, [STREAMS[0][:5]]), (HERON[:5], STREAMS),
    (["North Quay"], [["North Quay"]]), (["a"], [["a b"], [""]])])
def test_sacrebleu_reads_what_looks_like_a_mistake(name: str, given: Any) -> None:
    assert vars(getattr(ours, name)(*given)) == vars(getattr(sacrebleu, name)(*given))


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
