"""Test sets by name: from a folder that is laid beforehand, as sacreBLEU's own command reads it."""

import json
import os
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cached_sets import (
    GERMAN,
    MADE,
    OTHER,
    OUTPUT,
    SOURCE,
    environment,
    lay,
    write,
)
from commands import python, run_command

import bleu_nb
from bleu_nb.dialects.signatures import (
    add_data,
    from_signature,
    shorten_signature,
)
from bleu_nb.files import evaluation_sets


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A laid cache, and beside it what systems made of its source."""
    folder = tmp_path_factory.mktemp("sets")
    lay(folder / "cache")
    for name, lines in {"out": OUTPUT, "more": OTHER, "zh": MADE, "twice": OUTPUT * 2,
                        "table": [f"{line}\t{line}" for line in OUTPUT]}.items():
        write(folder / f"{name}.txt", "".join(f"{line}\n" for line in lines))
    return folder / "cache"


def use(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for this process, without a network; sacreBLEU reads `$SACREBLEU` at its import."""
    for name, value in environment(cache).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(cache))
    for name, data in evaluation_sets.sacrebleu_utils().DATASETS.items():
        monkeypatch.setattr(data, "_outdir", str(cache / name))
        monkeypatch.setattr(data, "_rawdir", str(cache / name / "raw"))


def ours(cache: Path, line: str, **options: Any) -> Any:
    """What `bleu-nb` prints; it must work."""
    done = run_command(line.split(), cwd=cache.parent, more=environment(cache), **options)
    assert done.status == 0, done.err
    return done


def refused(cache: Path, line: str) -> str:
    """The one sentence with which `bleu-nb` refuses; notes are left out."""
    done = run_command(line.split(), cwd=cache.parent, more=environment(cache))
    complaints = [line for line in done.err.splitlines() if ": warning: " not in line]
    assert (done.status, done.out, len(complaints)) == (2, "", 1), done.err
    assert complaints[0].startswith("bleu-nb: error: ")
    return complaints[0]


SAME = {
    "one": "out -t wmt17 -l en-de",
    "two references": "out -t wmt17/tworefs -l en-fi",
    "joined": "twice -t wmt17,wmt18 -l en-de",
    "chinese": "zh -t wmt17 -l en-zh",
    "xml": "out -t wmt22 -l en-de",
    "xml with domains": "out -t wmt23 -l en-de",
}


@pytest.mark.parametrize("line", SAME.values(), ids=SAME)
def test_the_score_is_that_of_sacrebleu_s_command(cache: Path, line: str) -> None:
    name, *rest = line.split()
    digits = 17 if sys.version_info < (3, 12) else 12  # Its sum adds in another order from there on
    printed = python(
        "import sys; from sacrebleu.sacrebleu import main; main()", *rest, "-i", f"{name}.txt",
        "-b", "-w", digits, cwd=cache.parent, env={**os.environ, **environment(cache)})
    found = json.loads(ours(cache, f"score {name}.txt {' '.join(rest)} --format json").out)
    asked = dict(pairwise(rest))
    assert f"{found['score']:.{digits}f}" == printed.strip()
    assert from_signature(found["signature"]).data == {"test": asked["-t"], "lang": asked["-l"]}


SHORT = "#:1|t:wmt17|l:en-de|c:mixed|e:no|tok:13a|s:exp|v:2.6.0"


@pytest.mark.parametrize(("line", "shown", "noted"), [
    ("zh.txt -t wmt17 -l en-zh", r".*\|tok:zh\|", ".*note: the tokenizer is zh, as in sacreBLEU "
     "for en-zh"),
    ("zh.txt -t wmt17 -l en-zh --tokenize char", r".*\|tok:char\|", r"\Z"),
    ("zh.txt zh.txt -l en-zh", r"(?!.*test:).*\|tok:zh\|", ""),
    ("out.txt -t wmt17 -l en-de --short", re.escape(f"BLEU|{SHORT}"), r"\Z"),
    (f"out.txt -t wmt18 -l en-de --signature {SHORT}", "BLEU",
     "(?s).*warning: the signature states test:wmt17, but wmt18 is given"),
    ("out.txt -t wmt17 -l en-de --systems more.txt --format tsv",
     r"(?s)(.*\|test:wmt17\|lang:en-de\|){2}", ""),
    ("out.txt -t wmt17 -l en-de --sentence", r"(.*\|test:wmt17\|.*\n){4}\Z", ""),
    ("table.txt -t wmt17 -l en-de", "BLEU", "(?s).*the same number of tabs"),
    *((f"{name} -t wmt17 -l en-de --score-only", r"51\.76\n\Z", r"\Z")
      for name in ("out.txt", "-")),
])
def test_what_is_printed_and_noted(cache: Path, line: str, shown: str, noted: str) -> None:
    done = ours(cache, f"score {line}", stdin="".join(f"{each}\n" for each in OUTPUT).encode())
    assert re.match(shown, done.out) and re.match(noted, done.err), done


@pytest.mark.parametrize(("line", "words"), [
    ("out.txt -t wmt71 -l en-de", "no test set 'wmt71': did you mean 'wmt21'?"),
    ("out.txt -t wmt17, -l en-de", "no test set ''"),
    ("out.txt -t wmt17 -l en-dd", "no language pair 'en-dd': did you mean 'en-de'?"),
    ("out.txt -t wmt17", "needs a language pair: pass -l with one of cs-en, de-en, "),
    ("out.txt -t wmt17 -l xx-yy", "no language pair 'xx-yy': choose from 'cs-en', 'de-en'"),
    ("out.txt -t 13a", "-t selects a test set, but 13a is a tokenizer: use --tokenize 13a"),
    ("out.txt more.txt -t zh", "zh is a tokenizer: use --tokenize zh"),
    ("out.txt -t wmt17,wmt18", "needs a language pair: pass -l with one of cs-en, de-en, en-cs, "),
    ("out.txt -t wmt17,wmt10/cs", "no test set 'wmt10/cs'"),
    ("out.txt -t wmt17,mtnt2019", "no language pair is in all test sets of -t wmt17,mtnt2019"),
    ("out.txt -t wmt71", "no test set 'wmt71': did you mean 'wmt21'?"),
    ("out.txt more.txt -tok13a", "use --tokenize NAME for a tokenizer"),
    ("out.txt -t wmt17 -l de", "such as en-de, not 'de'"),
    ("out.txt more.txt -t wmt17 -l en-de", "leave out 'more.txt'"),
    ("-t wmt17 -l en-de", "required: CANDIDATES"),
    ("out.txt", "required: REFERENCES"),
    ("out.txt more.txt --origlang de", "--origlang: use bleu-nb sacrebleu, which has this"),
    ("out.txt -t wmt17 -l en-de --num-refs 2", "--num-refs is for files"),
    ("twice.txt -t wmt17 -l en-de", "'twice.txt' has 8, 'wmt17 en-de' has 4"),
    ("out.txt -t wmt17 -l en-de --systems twice.txt", "'twice.txt' has 8"),
])  # fmt: skip
def test_what_is_wrong_takes_one_sentence(cache: Path, line: str, words: str) -> None:
    assert words in refused(cache, f"score {line}")


@pytest.mark.parametrize("name", ["wmt19", "wmt21", "wmt19/google/ar", "mtnt2019", "iwslt17"])
def test_without_a_network_the_way_out_is_told(cache: Path, tmp_path: Path, name: str) -> None:
    pair = "en-fr" if name in ("mtnt2019", "iwslt17") else "en-de"
    write(tmp_path / "out.txt", "a\n")
    told = refused(tmp_path / "cache", f"score out.txt -t {name} -l {pair}")
    assert f"`sacrebleu --download {name} -l {pair}`" in told
    assert f"'{tmp_path / 'cache' / name}" in told and "refused" in told


def test_a_download_of_something_else_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from urllib import request

    use(tmp_path / "cache", monkeypatch)
    write(tmp_path / "page.html", "not found")
    real = request.urlopen
    monkeypatch.setattr(request, "urlopen", lambda _: real((tmp_path / "page.html").as_uri()))
    with (pytest.warns(UserWarning, match="downloading wmt17 to"),
          pytest.raises(ValueError, match=r"cannot load wmt17 en-de \(SystemExit: 1\)")):
        evaluation_sets.evaluation_set("wmt17", "en-de")
    assert "MD5 sum of downloaded file was incorrect" in caplog.text


def test_text_files_alone_are_enough_for_the_whole_set(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(cache, monkeypatch)
    evaluation_sets.evaluation_set("wmt17", "en-de")
    for field in ("src", "ref", "docid", "genre", "origlang"):
        name = f"wmt17/wmt17.en-de.{field}"
        write(tmp_path / name, (cache / name).read_text("utf-8"))
    use(tmp_path, monkeypatch)
    assert evaluation_sets.evaluation_set("wmt17", "en-de").source == tuple(SOURCE)
    (tmp_path / "wmt17/wmt17.en-de.ref").write_text("one\n")
    with pytest.raises(ValueError, match="differ in their number of lines"):
        evaluation_sets.evaluation_set("wmt17", "en-de")


@pytest.mark.parametrize("field", ["ref", "src"])
@pytest.mark.parametrize("left", [-1, -2, 9, 0])
def test_a_file_that_was_cut_within_a_line_is_an_error(
    field: str, left: int, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or an interrupted program cuts a file anywhere."""
    use(cache, monkeypatch)
    whole = evaluation_sets.evaluation_set("wmt17", "en-de")
    shutil.copytree(cache, tmp_path / "cache")
    use(tmp_path / "cache", monkeypatch)
    file = tmp_path / f"cache/wmt17/wmt17.en-de.{field}"
    file.write_bytes(file.read_bytes()[:left])
    with pytest.raises(ValueError, match="cannot load wmt17 en-de") as told:
        evaluation_sets.evaluation_set("wmt17", "en-de")
    assert f"{str(file)!r} does not end in a line feed, so it is" in str(told.value)
    assert "run `sacrebleu --download wmt17 -l en-de`" in str(told.value)
    write(tmp_path / "out.txt", "".join(f"{line}\n" for line in OUTPUT))
    told = refused(tmp_path / "cache", "score out.txt -t wmt17 -l en-de")
    assert "does not end in a line feed" in told
    file.unlink()       # As the error says
    assert evaluation_sets.evaluation_set("wmt17", "en-de") == whole


def test_a_set_from_python(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(cache, monkeypatch)
    found = bleu_nb.evaluation_set("wmt17/tworefs", "en-fi")
    assert isinstance(found, bleu_nb.files.EvaluationSet)
    assert found.references == (*zip(GERMAN, OTHER, strict=True),)
    score = found.score(OUTPUT, bleu_nb.Bleu("nltk"))
    assert score.value == bleu_nb.corpus_bleu(OUTPUT, found.references, dialect="nltk").value
    assert "|lang:en-fi|" in score.signature
    for call, given, told in (
        (found.score, [OUTPUT[:2]], "differ in number, 2 and 4"),
        (bleu_nb.evaluation_set, ["wmt17", None], "no language pair None: choose from"),
        (bleu_nb.evaluation_set, [17, "en-de"], "no test set '17'"),
    ):
        with pytest.raises(ValueError, match=told):
            call(*given)  # type: ignore[operator]


@pytest.mark.parametrize(
    "pattern", ["a|b", "a b", "50%", "%7C", "x=y = z", "é|\n", "a:b+c", "[^|]+"])
def test_a_signature_holds_every_pattern(pattern: str) -> None:
    data = {"test": "wmt18", "lang": "en-de", "origlang": "non-de", "subset": pattern}
    plain = bleu_nb.corpus_bleu(["a"], [["a"]]).signature
    for text in (add_data(plain, data), shorten_signature(add_data(plain, data))):
        assert text.isprintable() and " " not in text
        reading = from_signature(f"BLEU|{text} = 12.34 1/2/3/4")
        assert (reading.data, reading.unspecified) == (data, ())
        assert reading.dialect == from_signature(plain).dialect


def test_a_column_of_a_table_is_taken_in_its_order() -> None:
    class Column(list[str]):
        """A column whose labels are not its places, as of a sorted table."""

        def __getitem__(self, label: Any) -> Any:
            return super().__getitem__((label + 1) % 3)

    lines = ["eins zwei drei vier", "fünf sechs sieben acht", "neun zehn elf zwölf"]
    references = tuple((line,) for line in lines)
    whole = evaluation_sets.EvaluationSet("a", "en-de", ("",) * 3, references)
    assert whole.score(Column(lines)).value == whole.score(lines).value > 99.9
    with pytest.raises(TypeError, match="an ordered list, not a dict"):
        whole.score(dict(enumerate(lines)))
