"""Tokenizers split as their originals do: sacreBLEU live, the other tools as recorded."""

import hashlib
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
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
from bleu_nb.adapters import sacrebleu
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
RECORD = read_json(RECORDED / "tokenizers.json")

texts = st.text(
    st.characters(exclude_categories=("Cs", "Cn")) | st.sampled_from(".,-&;<>5 \n\\„€½海𠀀")
)


@cache
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
    texts = {line for path in (WMT / pair).glob("*.txt") for line in lines(f"{pair}/{path.name}")}
    assert texts and not differing(name, sorted(texts))[:3]


@pytest.mark.slow
@pytest.mark.parametrize("name", LIVE)
def test_every_known_character_splits_as_in_sacrebleu(name: str) -> None:
    known = [char for char in map(chr, range(sys.maxunicode + 1))
             if unicodedata.category(char) not in ("Cn", "Cs")]
    rows = ["".join(f"a{char}b 1{char}c " for char in known[i::999]) for i in range(999)]
    assert not differing(name, rows)[:3]


@pytest.mark.parametrize("name", LIVE)
@example(text="1٣.٣,5-٣-")
@example(text="&amp;lt; &quot; &apos;")
@example(text="<skip<skipped>ped>-<skipped>\nwell-\nknown-\n")
@example(text="'don't' -1,000.5-2 .5 5.")
@given(text=texts | TEXT)
def test_any_text_splits_as_in_sacrebleu(name: str, text: str) -> None:
    assert tokenize(text, name) == original(name)(text)


@pytest.mark.parametrize("name", RECORD["tokens"])
def test_split_equals_the_record(name: str) -> None:
    pairs = [*zip(RECORD["strings"], RECORD["tokens"][name], strict=True)]
    assert len(pairs) > 250
    assert [(text, theirs) for text, theirs in pairs
            if " ".join(TOKENIZERS[name](text)) != theirs][:3] == []


@given(texts)
def test_single_spaces_keep_every_character_but_spaces(text: str) -> None:
    assert " ".join(tokenize(text, "single-space")) == text.strip()


OURS = [name for name, record in TOKENIZERS.items() if not record.requires]


@pytest.mark.parametrize("name", [name for name in OURS if name != "single-space"])
@given(text=texts)
def test_no_token_is_empty_or_holds_a_space(name: str, text: str) -> None:
    tokens = tokenize(text, name, strip=False)
    assert all(token and " " not in token for token in tokens)


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let sacreBLEU's tokenizers be loaded afresh, before and after."""
    sacrebleu_tokenizer.cache_clear()
    yield monkeypatch
    sacrebleu_tokenizer.cache_clear()


@pytest.mark.parametrize("name", SACREBLEU_NAMES)
def test_missing_extra_is_named(name: str, unloaded: pytest.MonkeyPatch) -> None:
    for module in ("sacrebleu", "sacrebleu.metrics"):
        unloaded.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match="with its extra 'sacrebleu'") as error:
        tokenize("a b", name)
    assert SACREBLEU_NAMES[name].requires in str(error.value) and "\n" not in str(error.value)


def test_missing_dictionary_is_named(unloaded: pytest.MonkeyPatch) -> None:
    unloaded.setattr(oracle("sacrebleu.tokenizers.tokenizer_ja_mecab"), "MeCab", None)
    with pytest.raises(ImportError, match=r"needs sacrebleu\[ja\]: install"):
        tokenize("海は何も忘れない。", "ja-mecab")


def test_a_tokenizer_that_an_old_sacrebleu_lacks_is_named(unloaded: pytest.MonkeyPatch) -> None:
    unloaded.delitem(oracle("sacrebleu.metrics.bleu")._TOKENIZERS, "spBLEU-1K")
    with pytest.raises(ImportError, match="version of sacreBLEU has no tokenizer 'spBLEU-1K'"):
        tokenize("a b", "spBLEU-1K")


MODELS = {"flores101": "sacrebleu_tokenizer_spm.model", "flores200": "flores200sacrebleuspm"}


@pytest.fixture
def models(unloaded: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of its own, where sacreBLEU looks for models."""
    unloaded.setattr(
        oracle("sacrebleu.tokenizers.tokenizer_spm"), "SACREBLEU_DIR", str(tmp_path))
    return tmp_path / "models"


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("failure", [OSError("no route to host"), SystemExit(1)])
def test_model_that_cannot_be_fetched_is_said(
    name: str, failure: BaseException, models: Path, unloaded: pytest.MonkeyPatch
) -> None:
    unloaded.setattr("sacrebleu.tokenizers.tokenizer_spm.download_file", Mock(side_effect=failure))
    unloaded.setitem(sys.modules, "sentencepiece", SimpleNamespace(SentencePieceProcessor=object))
    path = re.escape(repr(str(models / MODELS[name])))
    with pytest.raises(OSError, match=f"'{name}' needs the model {path}, .*could not download"):
        tokenize("a b", name)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("content", [b"", b"<html>gone</html>"])
@pytest.mark.parametrize("score", [
    lambda name: tokenize("a b", name), lambda name: corpus_bleu(["a"], [["a"]], tokenizer=name),
    lambda name: sacrebleu.BLEU(tokenize=name), lambda name: sacrebleu.BLEU(False, False, name)])
def test_a_damaged_model_is_named(name: str, content: bytes, score: Any, models: Path) -> None:
    oracle("sentencepiece")
    models.mkdir()
    (models / MODELS[name]).write_bytes(content)
    path = re.escape(repr(str(models / MODELS[name])))
    with pytest.raises(OSError, match=f"the model {path}, .*delete it, so that it is downloaded"):
        score(name)


@pytest.mark.parametrize(("name", "module"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")])
def test_dictionary_tokenizers_are_sacrebleus(name: str, module: str) -> None:
    oracle(module)
    theirs = oracle("sacrebleu").metrics.BLEU(tokenize=name)
    text = "海は何も忘れない。 바다는 아무것도 잊지 않는다. Kestrel, 7.30"
    assert tokenize(text, name) == theirs.tokenizer(text).split()
    assert tokenizer_name(name) == theirs.tokenizer.signature()


PTB = read_json(RECORDED / "ptb.json.gz")


@pytest.mark.parametrize(("kind", "number", "equal"), [
    ("captions", 2000, 2000), ("hostile", 600, 576)])
def test_captions_are_tokenized_as_the_java_program_does(
    kind: str, number: int, equal: int
) -> None:
    """The chapter and the page on other tools name these numbers."""
    pairs = [*zip(*PTB[kind], strict=True)]
    assert len(pairs) == number
    assert sum(" ".join(tokenize(text, "ptb")) == theirs for text, theirs in pairs) == equal


@needs(MANIFEST)
@pytest.mark.parametrize("name", PTB["wmt"])
def test_real_lines_are_tokenized_as_the_java_program_does(name: str) -> None:
    for place, recorded in PTB["wmt"][name].items():
        ours = " ".join(tokenize(lines(name)[int(place)], "ptb"))
        assert hashlib.sha256(ours.encode()).hexdigest()[:16] == recorded, ours


@pytest.mark.parametrize("unit", [
    "a", "a-", "a.", "a,", "<a ", "(", "1,", "a@", "a/", "www.", "a'", "n't", "<a b=''", "é-"])
def test_no_long_line_takes_the_treebank_rules_long(unit: str) -> None:
    tokenize("a", "ptb")
    start = time.process_time()
    tokenize((unit * 20_000)[:20_000], "ptb")
    assert time.process_time() - start < 2


SENTENCES = [
    'He said: "We can\'t stay. It\'s late."',
    "Dr. Gull met Mr. Tern. They left at 7.30 p.m. (again).",
    "It costs $4.50... or £5? She's gonna help, d'ye think so?",
    "don't\u2019t \u201cgone\u201d -- [x] {y}", "a. b! c?\nd. E", "", " . ",
    "3/4 of 10,000% @ #1; https://a.b/c?d=e, me@x.org.", "海は何も。 \U0001f642 é"]


@pytest.fixture
def punkt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A small model of sentences, in the place of nltk's data `punkt_tab`."""
    folder = tmp_path / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    for name, content in (("abbrev_types.txt", "dr\nmr\np.m"), ("sent_starters.txt", "they"),
                          ("collocations.tab", "mr\ttern"), ("ortho_context.tab", "they\t46")):
        (folder / name).write_text(content, encoding="utf-8")
    nltk = oracle("nltk")
    nltk.tokenize._get_punkt_tokenizer.cache_clear()
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    yield
    nltk.tokenize._get_punkt_tokenizer.cache_clear()


@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("text", SENTENCES)
def test_words_of_nltk_are_its_own(text: str) -> None:
    nltk = oracle("nltk.tokenize")
    assert tokenize(text, "treebank") == nltk.NLTKWordTokenizer().tokenize(text.rstrip())
    assert tokenize(text, "nltk-word") == nltk.word_tokenize(text.rstrip())


@pytest.mark.usefixtures("punkt")
def test_a_full_stop_inside_a_line_is_a_token_to_nltk_word_alone() -> None:
    assert tokenize("It ends. We go.", "treebank") == ["It", "ends.", "We", "go", "."]
    assert tokenize("It ends. We go.", "nltk-word") == ["It", "ends", ".", "We", "go", "."]


@pytest.mark.parametrize("name", ["treebank", "nltk-word"])
def test_missing_nltk_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.tokenize", None)
    with pytest.raises(ImportError, match=r"install bleu_nb with its extra 'nltk'$"):
        tokenize("a b", name)


def test_missing_data_of_nltk_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = oracle("nltk")
    nltk.tokenize._get_punkt_tokenizer.cache_clear()
    monkeypatch.setattr(nltk.data, "path", [])
    assert tokenize("a b.", "treebank") == ["a", "b", "."]
    with pytest.raises(OSError, match=r"'punkt_tab', .*: run python -m nltk[.]downloader"):
        tokenize("a b", "nltk-word")


MAIN = {"ja-mecab": "の山", "ko-mecab": "가山"}
UNITS = ["a", "1", "カ", "ж", "!", "ก", "😀", "é", "。", "_", "aé", "ก😀", "１1", "①,-", "カж", "ﾊ"]


@pytest.mark.parametrize("name", MAIN)
@pytest.mark.parametrize("unit", [*UNITS, "가", "の"])
def test_a_run_for_which_mecab_takes_too_long_is_an_error(name: str, unit: str) -> None:
    """Its time grows with the square of the length of a run."""
    run = unit * (10_001 // len(unit) + 1)
    fit = f"a b\n{run[:10_000]} {run[:10_000]}"
    assert tokenize(fit, name)
    if unit in MAIN[name]:
        assert tokenize(run * 3, name)
        return
    told = (rf"the tokenizer '{name}' would take too long for '{re.escape(unit)}.*, part of "
            r"more than 10,000 characters of one kind without a break: shorten the text, or pass")
    with pytest.raises(ValueError, match=told):
        tokenize(f"{fit} {run[:10_001]}!", name)
    assert tokenize(run[:10_001], "13a")


@given(st.sampled_from(sorted(MAIN)), st.lists(st.sampled_from([*UNITS, " ", "の", "山", "가"]),
                                               min_size=1, max_size=3).map("".join))
def test_no_text_takes_mecab_long(name: str, unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    start = time.process_time()
    with suppress(ValueError):
        tokenize(text, name)
    assert time.process_time() - start < 0.25


@pytest.mark.parametrize(("name", "line"), [
    ("ja-mecab", "海は何も忘れない。カモメが2羽、飛ぶ。"), ("ja-mecab", "海は何も忘れない"),
    ("ko-mecab", "바다는 아무것도 잊지 않는다. "), ("ko-mecab", "바다는아무것도"),
    *((name, line) for name in MAIN
      for line in ("the sea forgets nothing, ", "data:iVBORw0KGgo1+/Ab3"))])
def test_lines_of_100_000_characters_are_tokenized(name: str, line: str) -> None:
    text = (line * 10_000)[:100_000].rstrip()
    assert len(tokenize(text, name)) > 5000


class Words:
    """A tokenizer that is an object."""

    def __call__(self, text: str) -> list[str]:
        return text.split()


def split_by(text: str, mark: str = " ") -> list[str]:
    """A tokenizer that is a function."""
    return text.split(mark)


STRANGE = partial(split_by)
STRANGE.__qualname__ = "a|b:c d#é"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("function", "name"), [
    (split_by, rf"callable\({__name__}\.split_by\)"), (str.split, r"callable\(str\.split\)"),
    (Words(), rf"callable\({__name__}\.Words\)"),
    (partial(split_by, mark="|"), r"callable\(functools\.partial\)"),
    (lambda text: [text], r".*<lambda>\)"), (STRANGE, "[^|:# é]+")])
def test_own_tokenizers_have_names(function: Any, name: str) -> None:
    numbered = rf"{name}(-\d+)?"  # A second function of one name in this process gets a number
    assert re.fullmatch(numbered, tokenizer_name(function))


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
