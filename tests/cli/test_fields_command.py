"""`--field` of `bleu-nb`: the same numbers as from Python, in every form that makes sense."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from commands import run_command
from data import example

from bleu_nb import corpus_bleu

SEA = {"mt": ["The sea\nforgets nothing, he said.", *example("kestrel")[1:]],
       "old": example("heron"), "ref": example("reference_1"),
       "both": [[*each] for each in zip(*map(example, ("reference_1", "reference_2")),
                                        strict=True)]}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fields")
    rows = [dict(zip(SEA, row, strict=True)) for row in zip(*SEA.values(), strict=True)]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "all.jsonl").write_text(text)
    (folder / "all.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    for name in SEA:
        (folder / f"{name}.jsonl").write_text(
            "".join(f"{json.dumps({'text': row[name], 'inner': {'en': row[name]}})}\n"
                    for row in rows))
    (folder / "few.jsonl").write_text('{"text": "a b"}\n' * 3)
    (folder / "few").write_text("a\n" * 3)
    (folder / "ids").write_text("a\n" * 6 + "b\n" * 6)
    (folder / "marked.csv").write_text(
        "\ufeffmt,ref\n" + '"a b c d, e","a b c d, e"\n' * 2, "utf-8")
    return folder


def printed(line: str, folder: Path, **more: Any) -> Any:
    done = run_command(line.split(), cwd=folder, **more)
    assert not done.status, done.err
    return done.out


def test_fields_score_as_in_python(here: Path) -> None:
    whole = corpus_bleu(SEA["mt"], SEA["both"])
    for line in ("all.jsonl --field mt,both", "all.jsonl.gz --field mt,both",
                 "mt.jsonl both.jsonl --field text", "mt.jsonl --ref both.jsonl --field inner.en",
                 *(f"all.jsonl --field=mt,both --engine {engine}"
                   for engine in ("definition", "bits", "numpy"))):
        found = json.loads(printed(f"score {line} --format json", here))
        assert (found["score"], found["signature"]) == (whole.value, whole.signature)
    piped = printed("score - --field mt,both --score-only --decimals 12", here,
                    stdin=(here / "all.jsonl").read_bytes())
    assert float(piped) == pytest.approx(whole.value, abs=1e-11)
    one = corpus_bleu(SEA["mt"], [[ref, *both] for ref, both in zip(
        SEA["ref"], SEA["both"], strict=True)])
    for line in ("all.jsonl --field mt,ref,both", "mt.jsonl ref.jsonl both.jsonl --field text"):
        assert json.loads(printed(f"score {line} --format json", here))["score"] == one.value


def test_parts_systems_and_orders_have_fields(here: Path) -> None:
    for more, lines in (("--sentence", 12), ("--documents ids --format tsv", 3),
                        ("--orders --format tsv", 2)):
        assert printed(f"score all.jsonl --field mt,ref {more}", here).count("\n") == lines
    table = printed("score mt.jsonl ref.jsonl --systems old.jsonl --field text --format tsv", here)
    values = [float(line.split("\t")[1]) for line in table.splitlines()[1:]]
    assert values == [corpus_bleu(SEA[name], [[each] for each in SEA["ref"]]).value
                      for name in ("mt", "old")]


def test_a_comparison_reads_a_field_of_each_file(here: Path) -> None:
    found = json.loads(printed(
        "compare old.jsonl mt.jsonl --ref both.jsonl --field text --format json", here))
    assert [each["score"] for each in found["systems"]] == [
        corpus_bleu(SEA[name], SEA["both"]).value for name in ("old", "mt")]


def test_what_identify_prints_about_fields_can_be_typed(here: Path) -> None:
    value = corpus_bleu(SEA["mt"], SEA["both"], "nltk").value
    for files in ("all.jsonl --field mt,both", "mt.jsonl both.jsonl --field text"):
        told = printed(f"identify --reported {value:.6f} {files}", here)
        command = told.splitlines()[-1]
        assert command.startswith("bleu-nb explain --from sacrebleu --to nltk --field=")
        assert "nltk" in printed(command.removeprefix("bleu-nb "), here)


def test_a_mark_at_the_start_changes_nothing(here: Path) -> None:
    done = run_command(["score", "marked.csv", "--field", "mt,ref"], cwd=here)
    assert not done.err and " = 100.00 " in done.out and "bom:" not in done.out


def test_a_signature_of_other_numbers_of_references_is_not_compared(here: Path) -> None:
    done = run_command(["score", "all.jsonl", "--field", "mt,both", "--signature",
                        "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"], cwd=here)
    assert not done.status and "nrefs" not in done.err


ONE_FILE = "is for one file of bleu-nb score, explain or identify: pass --field NAME"


@pytest.mark.parametrize(("line", "words"), [
    ("score all.jsonl --field mt", "arguments are required: REFERENCES"),
    ("score all.jsonl all.jsonl --field mt,ref", ONE_FILE),
    ("score all.jsonl --field mt,ref --systems old.jsonl", ONE_FILE),
    ("explain --from nltk all.jsonl --ref all.jsonl --field mt,ref", ONE_FILE),
    ("compare all.jsonl all.jsonl --ref all.jsonl --field mt,ref", ONE_FILE),
    ("compare all.jsonl --field mt,ref", ONE_FILE),
    ("score mt.jsonl ref.jsonl --field text --num-refs 2", "leave out --num-refs"),
    ("score mt.jsonl ref.jsonl --field text --keep-bom", "leave out --keep-bom"),
    ("score mt.jsonl --field text -t wmt17 -l en-de", "leave out --test-set"),
    ("identify --reported 4 all.jsonl --field mt,ref --source all.jsonl", "leave out --source"),
    ("score all.jsonl --field mt,reference",
     "line 1 of 'all.jsonl' has no field 'reference': the fields there are 'mt', 'old', 'ref', "
     "'both'"),
    ("score all.jsonl --field both,mt", "line 1 of 'all.jsonl': the field 'both' must be"),
    ("score all.jsonl --field mt,", "has no field ''"),
    ("score - - --field text", "standard input can be read only once"),
    *((f"{command} mt.jsonl few.jsonl --field text", "'few.jsonl' has 3")
      for command in ("score", "explain --from nltk", "identify --reported 4",
                      "compare old.jsonl mt.jsonl --ref")),
    ("score all.jsonl --field mt,ref --documents few", "'few' has 3"),
    ("pairwise all.jsonl --field mt", "unrecognized arguments: --field"),
])
def test_forms_that_make_no_sense_are_refused(line: str, words: str, here: Path) -> None:
    done = run_command(line.split(), cwd=here)
    assert done.status == 2 and words in done.err and not done.out, done.err
    assert done.err.count("\n") == 1
