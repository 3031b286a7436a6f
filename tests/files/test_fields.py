"""Fields of JSON Lines and CSV: what is read, and the errors for what is not."""

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb.files.reading import (
    LONGEST_LINE,
    MOST_UNPACKED,
    FileError,
    read_fields,
    signing_files,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ROWS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5)


def as_json_lines(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(
        f"{json.dumps({'mt': mt, 'ref': [ref]}, ensure_ascii=False)}\n" for mt, ref in rows)


def as_csv(rows: Sequence[tuple[str, str]], dialect: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, dialect).writerows([("mt", "ref"), *rows])
    return text.getvalue()


@given(rows=ROWS, packed=st.booleans(), mark=st.sampled_from(["", "\ufeff"]))
def test_what_pythons_writers_wrote_is_read(
    rows: list[tuple[str, str]], packed: bool, mark: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    expected = [[mt for mt, _ in rows], [(ref,) for _, ref in rows]]
    for name, text in (("a.jsonl", as_json_lines(rows)), ("a.CSV", as_csv(rows, "excel")),
                       ("a.tsv", as_csv(rows, "excel-tab")), ("a.txt", as_json_lines(rows))):
        data = f"{mark}{text}".encode()
        path = folder / (f"{name}.gz" if packed else name)
        path.write_bytes(gzip.compress(data) if packed else data)
        assert read_fields([str(path)], ["mt", "ref"]) == expected


def test_references_of_several_fields_and_files_belong_together(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.csv"
    one.write_text('{"a": "x", "b": ["y", "z"], "c": "x"}\n' * 2)
    two.write_text("a\nv\nw\n")
    assert read_fields([str(one)], ["a", "b", "c"]) == [["x"] * 2, [("y", "z", "x")] * 2]
    assert read_fields([str(one), str(two), str(one)], ["a"], 2) == [
        ["x"] * 2, ["v", "w"], [("x",)] * 2]
    assert read_fields([str(one), str(two), str(two)], ["a"]) == [
        ["x"] * 2, [("v", "v"), ("w", "w")]]


DEEP = "[" * 100_000
BAD: list[tuple[str, str, str]] = [  # Name, content, and the words of the error
    ("a.jsonl", '{"mt": "a"}\n{"ref": "a"}\n', "line 2 of .* has no field 'mt': .* are 'ref'"),
    ("a.jsonl", '{"mt": null}\n', "line 1 of .*: the field 'mt' must be a string.*not None"),
    *(("a.jsonl", f'{{"mt": {value}}}\n', "line 1 of .*: the field 'mt' must be a string")
      for value in ("1", "true", "[]", "{}", '["a", null]', "[1]", '["a", "b"]')),
    ("a.jsonl", '{"mt": "a"}\n\n{"mt": "a"}\n', "line 2 of .* is not a JSON object: ''"),
    ("a.jsonl", '[{"mt": "a"}]\n', "line 1 of .* is not a JSON object.*jq -c '\\.\\[\\]'"),
    ("a.jsonl", '{\n"mt": "a"\n}\n', "line 1 of .* is not a JSON object"),
    ("a.jsonl", '{"mt": "a"\n', "line 1 of .* is not a JSON object"),
    ("a.jsonl", f"{DEEP}\n", "line 1 of .* is not a JSON object"),
    ("a.jsonl", f'{{"mt": {"9" * 9999}}}\n', "line 1 of .* (is not a JSON|must be a string)"),
    ("a.txt", "The sea.\n", "line 1 of .* is not a JSON object: 'The sea.'"),
    ("a.csv", "ref,score\nx,1\n", "line 2 of .* has no field 'mt': .* are 'ref', 'score'"),
    ("a.csv", "mt;ref\nx;1\n", "has no field 'mt': the fields there are 'mt;ref'"),
    ("a.csv", "mt,ref\na,b\na\n", "line 3 of .* as CSV: a row has 1 cells.*2 different names"),
    ("a.csv", "mt,ref\na,b,c\n", "line 2 of .* as CSV: a row has 3 cells"),
    ("a.csv", "mt,ref\n\na,b\n", "line 2 of .* as CSV: a row has 0 cells"),
    ("a.csv", "mt,mt\na,b\n", "a row has 2 cells, but the header has 1 different names"),
    ("a.csv", 'mt,ref\na,"b\n', "line 2 of .* as CSV: unexpected end of data"),
    ("a.csv", 'mt,ref\na,"b"c\n', "line 2 of .* as CSV: ',' expected after '\"'"),
    ("a.csv", "mt,ref\na\rb,c\n", "line 2 of .* as CSV: new-line character"),
    ("a.csv", f"mt,ref\n{'a' * 140_000},c\n", "line 2 of .* as CSV: field larger than"),
    ("a.tsv", 'mt\tref\n"Yes," he said.\tYes.\n', "line 2 of .* as CSV: '\t' expected"),
    *((f"a.{kind}", "", "is empty") for kind in ("jsonl", "csv", "tsv")),
    ("a.csv", "mt,ref\n", "is empty"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_what_is_no_text_is_an_error_that_names_the_place(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content, newline="")
    with pytest.raises(FileError, match=message) as caught:
        read_fields([str(path)], ["mt"])
    assert name in str(caught.value) and len(str(caught.value)) < 600 + len(str(path))


def test_a_cell_over_several_lines_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('mt,ref\n"a\n\nb",c\na\n')
    with pytest.raises(FileError, match=r"line 5 of .* a row has 1 cells"):
        read_fields([str(path)], ["mt"])


def test_the_limits_and_encodings_of_text_files_hold(tmp_path: Path) -> None:
    long, bomb, wide, latin = (
        tmp_path / name for name in ("long.jsonl", "bomb.csv.gz", "wide.csv", "latin.csv"))
    long.write_text(json.dumps({"mt": "a" * 2 * LONGEST_LINE}))
    bomb.write_bytes(gzip.compress(b"mt\n" + b"a\n" * MOST_UNPACKED))
    wide.write_bytes("mt\na\n".encode("utf-16"))
    latin.write_bytes("mt\nKüste\n".encode("latin-1"))
    for path, message in ((long, "has a line of more than"), (bomb, "unpacks to more than"),
                          (wide, "is UTF-16: save"), (latin, "byte 2 of line 2 is 0xfc")):
        with pytest.raises(FileError, match=message):
            read_fields([str(path)], ["mt"])
    with signing_files("latin-1"):
        assert read_fields([str(latin)], ["mt"])[0] == ["Küste"]
    packed = tmp_path / "packed.csv"
    packed.write_bytes(gzip.compress(b"mt\na\n"))
    with pytest.raises(FileError, match="is in gzip format"):
        read_fields([str(packed)], ["mt"])
