"""Tokenizers split as their originals do: sacreBLEU live, the other tools as recorded."""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, call

import pytest
from data import (
    MANIFEST,
    RECORDED,
    WMT,
    lines,
    names,
    needs,
    oracle,
    read_json,
)
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import TEXT

from bleu_nb import corpus_bleu
from bleu_nb.dialects.more_tokenizers import (
    SACREBLEU_NAMES,
    TOKENIZERS,
    describe_tokenizer,
    sacrebleu_tokenizer,
    tokenize,
    tokenizer_name,
    tokenizer_version,
)

LIVE = ("none", "13a", "char", "intl", "zh")
ANSWERS = RECORDED / "tokenizers.json"
RECORD = read_json(ANSWERS)

texts = st.text(
    st.characters(exclude_categories=("Cs", "Cn")) | st.sampled_from(".,-&;<>5 \n\\„€½海𠀀")
)


def original(name: str) -> Callable[[str], list[str]]:
    """sacreBLEU's tokenizer as its BLEU applies it to a line."""
    split = oracle("sacrebleu").metrics.BLEU(tokenize=name).tokenizer
    return lambda text: split(text.rstrip()).split()


def differing(name: str, texts: list[str]) -> list[str]:
    """Texts that we split otherwise than sacreBLEU."""
    theirs = original(name)
    return [text for text in texts if tokenize(text, name) != theirs(text)]


@pytest.mark.slow
@needs(MANIFEST)
@pytest.mark.parametrize("name", LIVE)
@pytest.mark.parametrize("pair", names())
def test_lines_of_the_sets_split_as_sacrebleu_splits_them(pair: str, name: str) -> None:
    paths = sorted((WMT / pair).glob("*.txt"))
    texts = {line for path in paths for line in lines(f"{pair}/{path.name}")}
    assert texts
    assert not differing(name, sorted(texts))[:3]


@pytest.mark.slow
@pytest.mark.parametrize("name", LIVE)
def test_every_known_character_splits_as_in_sacrebleu(name: str) -> None:
    every = map(chr, range(sys.maxunicode + 1))
    known = [char for char in every if unicodedata.category(char) not in ("Cn", "Cs")]
    rows = ["".join(f"a{char}b 1{char}c " for char in known[i::999]) for i in range(999)]
    assert not differing(name, rows)[:3]


@pytest.mark.parametrize("name", LIVE)
def test_any_text_splits_as_in_sacrebleu(name: str) -> None:
    theirs = original(name)

    @example("1٣.٣,5-٣-")
    @example("&amp;lt; &quot; &apos;")
    @example("<skip<skipped>ped>-<skipped>\nwell-\nknown-\n")
    @example("'don't' -1,000.5-2 .5 5.")
    @given(texts | TEXT)
    def check(text: str) -> None:
        assert tokenize(text, name) == theirs(text)

    check()


@pytest.mark.parametrize("name", RECORD["tokens"])
def test_split_equals_the_record(name: str) -> None:
    wrong = []
    for text, theirs in zip(RECORD["strings"], RECORD["tokens"][name], strict=True):
        mine = " ".join(TOKENIZERS[name](text))
        if mine != theirs:
            wrong.append((text, mine, theirs))
    assert len(RECORD["strings"]) > 250
    assert not wrong[:3]


def test_the_record_tells_the_tokenizers_apart() -> None:
    same = {"mteval-13a": "13a", "t2t": "intl", "keras-hub": "13a", "codexglue-file": "codexglue"}
    for name, other in {**same, "codexglue": "13a", "mteval-intl": "intl"}.items():
        assert RECORD["tokens"][name] != RECORD["tokens"][other], name


@given(texts)
def test_single_spaces_keep_every_character_but_spaces(text: str) -> None:
    assert " ".join(tokenize(text, "single-space")) == text.strip()


OURS = [name for name in TOKENIZERS if name not in SACREBLEU_NAMES]


@pytest.mark.parametrize("name", [name for name in OURS if name != "single-space"])
@given(text=texts)
def test_no_token_is_empty_or_holds_a_space(name: str, text: str) -> None:
    tokens = tokenize(text, name, strip=False)
    assert all(token and " " not in token for token in tokens)


@given(texts)
def test_intl_neither_drops_nor_adds_a_character(text: str) -> None:
    letters = "".join(text.split())
    for name in ("none", "char", "intl", "t2t", "zh", "zh-fixed"):
        assert "".join(tokenize(text, name)) == letters


@pytest.fixture
def unloaded() -> Any:
    """Let sacreBLEU's tokenizers be loaded afresh, before and after."""
    sacrebleu_tokenizer.cache_clear()
    yield
    sacrebleu_tokenizer.cache_clear()


@pytest.mark.parametrize("name", SACREBLEU_NAMES)
def test_missing_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch, unloaded: None) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(ImportError, match="with its extra 'sacrebleu'") as error:
        tokenize("a b", name)
    assert SACREBLEU_NAMES[name].requires in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_dictionary_is_named(monkeypatch: pytest.MonkeyPatch, unloaded: None) -> None:
    oracle("sacrebleu")
    module = oracle("sacrebleu.tokenizers.tokenizer_ja_mecab")
    monkeypatch.setattr(module, "MeCab", None)
    with pytest.raises(ImportError, match=r"needs sacrebleu\[ja\] for it"):
        tokenize("海は何も忘れない。", "ja-mecab")


MODELS = {"flores101": "sacrebleu_tokenizer_spm.model", "flores200": "flores200sacrebleuspm"}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("failure", [OSError("no route to host"), SystemExit(1)])
def test_model_that_cannot_be_fetched_is_said(
    name: str,
    failure: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    unloaded: None,
) -> None:
    def fail(*_: object) -> None:
        raise failure

    module = oracle("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(module, "download_file", fail)
    fake = SimpleNamespace(SentencePieceProcessor=object)
    monkeypatch.setitem(sys.modules, "sentencepiece", fake)
    path = re.escape(repr(str(tmp_path / "models" / MODELS[name])))
    with pytest.raises(OSError, match=f"'{name}' needs the model {path}, .*could not fetch"):
        tokenize("a b", name)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("content", [b"", b"<html>gone</html>"])
def test_a_damaged_model_is_named(
    name: str, content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unloaded: None
) -> None:
    oracle("sentencepiece")
    module = oracle("sacrebleu.tokenizers.tokenizer_spm")
    monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / MODELS[name]).write_bytes(content)
    path = re.escape(repr(str(tmp_path / "models" / MODELS[name])))
    for score in (partial(tokenize, "a b", name),
                  partial(corpus_bleu, ["a"], [["a"]], tokenizer=name)):
        with pytest.raises(OSError, match=f"the model {path}, .*delete it, and it is fetched"):
            score()


@pytest.mark.parametrize(("name", "module"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")])
def test_dictionary_tokenizers_are_sacrebleus(name: str, module: str) -> None:
    oracle(module)
    theirs = oracle("sacrebleu").metrics.BLEU(tokenize=name)
    text = "海は何も忘れない。 바다는 아무것도 잊지 않는다. Kestrel, 7.30"
    assert tokenize(text, name) == theirs.tokenizer(text).split()
    assert tokenizer_name(name) == theirs.tokenizer.signature()


class Words:
    """A tokenizer that is an object."""

    def __call__(self, text: str) -> list[str]:
        return text.split()


def split_by(text: str, mark: str = " ") -> list[str]:
    """A tokenizer that is a function."""
    return text.split(mark)


def test_own_tokenizers_have_names() -> None:
    odd = partial(split_by, mark="|")
    strange = SimpleNamespace(__qualname__="a|b:c d#é")
    assert [*map(tokenizer_name, (split_by, str.split, Words(), odd))] == [
        f"callable({__name__}.split_by)", "callable(str.split)", f"callable({__name__}.Words)",
        "callable(functools.partial)"]
    assert tokenizer_name(lambda text: [text]).endswith(".<locals>.<lambda>)")
    function = partial(split_by)
    function.__qualname__ = strange.__qualname__  # type: ignore[attr-defined]
    assert not set("|:# é") & set(tokenizer_name(function))


@pytest.mark.parametrize("name", OURS)
def test_a_function_of_ours_keeps_its_name_and_is_told_from_others(name: str) -> None:
    ours = TOKENIZERS[name]
    assert {*map(tokenizer_name, (name, ours, ours.function))} == {name}
    assert describe_tokenizer(name) == name
    assert tokenizer_version(name) == tokenizer_version(str.split) == ""


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_a_spelling_of_sacrebleu_is_read_back(name: str) -> None:
    spelled = tokenizer_name(name)
    assert spelled.startswith(f"{name}-0.996") and describe_tokenizer(spelled) == name
    assert tokenizer_version(name).startswith("sacrebleu 2.6.0 mecab-")
    assert describe_tokenizer("13a-0.996-IPA") == "13a-0.996-IPA"


@pytest.mark.parametrize("result", ["a b", ("a", "b"), ["a", 1], None, iter(["a"])])
def test_own_tokenizer_must_return_a_list_of_strings(result: Any) -> None:
    with pytest.raises(TypeError, match="must return a list of strings"):
        tokenize("a b", lambda text: result)


def test_lower_case_and_trimming_come_first() -> None:
    spy = Mock(side_effect=str.split)
    tokenize("The Sea \n", spy, lowercase=True)
    tokenize("The Sea \n", spy, strip=False)
    assert spy.call_args_list == [call("the sea"), call("The Sea \n")]
