"""Files as blocks of bytes: whatever the pieces they are read in, the same counts and messages."""

import gzip
import io
import random
import re
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FOR_FILES, LINE_PAIRS, NUMBA, exact

from bleu_nb import Bleu, corpus_bleu, file_bleu
from bleu_nb.files.file_scoring import count_blocks, count_files
from bleu_nb.files.reading import (
    FileError,
    FileNote,
    Source,
    cut_blocks,
    read_blocks,
    read_files,
)
from bleu_nb.scoring.counts import join_counts
from bleu_nb.scoring.metric import gather

SIZES = st.integers(1, 200)


def ended(lines: list[bytes], last: bool) -> bytes:
    """Lines as a file holds them, the last one perhaps without its line feed."""
    text = b"".join(line + b"\n" for line in lines)
    return text if last or not lines or not lines[-1] else text[:-1]


# Cutting -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 4, 9, 100])
def test_each_block_says_how_many_lines_came_before_it(size: int) -> None:
    texts = [b"a b\nc\n\nd e f\ng\nh", b"1\n2\n3 3 3 3 3\n4\n5\n6\n"]
    blocks = list(cut_blocks([Source(io.BytesIO(text).read, size) for text in texts]))
    assert [block.start for block in blocks] == [
        sum(block.lines for block in blocks[:place]) for place in range(len(blocks))]
    assert sum(block.lines for block in blocks) == 6 and (len(blocks) > 1) == (size < 10)
    for number, text in enumerate(texts):
        assert b"".join(block.texts[number] for block in blocks) == text.rstrip(b"\n") + b"\n"


# Counting ----------------------------------------------------------------------------------------


def written(folder: Path, columns: list[tuple[str, ...]], last: bool) -> list[str]:
    """Files of columns of lines."""
    names = [str(folder / f"{number}.txt") for number in range(len(columns))]
    for name, lines in zip(names, columns, strict=True):
        Path(name).write_bytes(ended([line.encode() for line in lines], last) or b"\n")
    return names


@pytest.mark.parametrize("engine", ["bits", "numpy", NUMBA])
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
@given(corpus=LINE_PAIRS, size=SIZES, name=st.sampled_from(FOR_FILES), last=st.booleans(),
       lowercase=st.booleans(), threads=st.sampled_from([1, 2]))
def test_bytes_count_as_the_definition_does(
    tmp_path_factory: pytest.TempPathFactory, engine: str, corpus: list[tuple[str, str, str]],
    size: int, name: str, last: bool, lowercase: bool, threads: int,
) -> None:
    outputs, *humans = columns = [*zip(*corpus, strict=True)]
    names = written(tmp_path_factory.mktemp("files"), columns, last)
    fast = Bleu(name, engine=engine, lowercase=lowercase, threads=threads)
    expected = Bleu(name, engine="definition", lowercase=lowercase).count(
        outputs, [*zip(*humans, strict=True)])
    parts = [part for [part] in count_blocks(fast, read_blocks(names, keep_bom=True, size=size))]
    assert join_counts(parts) == expected
    assert exact(gather(fast.dialect, parts).score()) == exact(expected.score())


@pytest.mark.parametrize("engine", ["bits", "numpy", NUMBA])
def test_several_systems_share_their_references(engine: str, tmp_path: Path) -> None:
    columns = [("a b", "c"), ("a", "c d"), ("a b", "c d")]
    names = written(tmp_path, columns, last=True)
    found = zip(*count_files(Bleu(engine=engine), names, systems=2), strict=True)
    assert [join_counts([*parts]) for parts in found] == [
        Bleu().count(system, [[line] for line in columns[2]]) for system in columns[:2]]


# Files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["auto", "bits", "numpy", NUMBA])
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_scores_as_its_lines_do(engine: str, packed: bool, tmp_path: Path) -> None:
    rng = random.Random(15)
    words = ["the", "a", "cat", "dog", "sat", "café", "on", "mat", ",", "."]
    columns = [tuple(" ".join(rng.choices(words, k=rng.randrange(30))) for _ in range(3000))
               for _ in range(3)]
    names = written(tmp_path, columns, last=False)
    for name in names:
        Path(f"{name}.gz").write_bytes(gzip.compress(Path(name).read_bytes()))
    told = Mock()
    first, *others = [f"{name}{'.gz' * packed}" for name in names]
    assert exact(file_bleu(first, others, engine=engine, max_order=3, progress=told)) == exact(
        corpus_bleu(columns[0], [*zip(*columns[1:], strict=True)], max_order=3))
    assert told.call_args.args == (3000, None if packed else 3000)


BAD = {
    "a lone byte": b"\xff", "cut short": b"\xe4\xb8", "half of four bytes": b"\xf0\x9f",
    "a surrogate": b"\xed\xa0\x80", "too long a form": b"\xc0\xaf",
    "above Unicode": b"\xf4\x90\x80\x80",
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
@pytest.mark.parametrize("size", [1, 3, 7, 1 << 17])
def test_a_bad_byte_is_named_whatever_the_pieces(fault: str, size: int, tmp_path: Path) -> None:
    good, bad = str(tmp_path / "good"), str(tmp_path / "bad")
    line = "caf\u00e9 \U0001f600".encode()
    Path(good).write_bytes(ended([line] * 6, last=True))
    Path(bad).write_bytes(ended([*[line] * 3, b"\xc3\xa9ab" + BAD[fault] + b"c", line], last=True))
    told = f"{bad!r} is not UTF-8: byte 5 of line 4 is 0x{BAD[fault][0]:02x}"
    for read in (lambda: [*read_blocks([good, bad], size=size)], lambda: read_files([bad])):
        with pytest.raises(FileError, match=f"^{re.escape(told)}"):
            read()


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_a_byte_order_mark_is_no_text_whatever_the_pieces(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    with pytest.warns(FileNote, match="byte order mark"):
        found = [b"".join(block.texts[0] for block in read_blocks(
            [str(path)], keep_bom=kept, size=size)) for kept in (False, True)]
    assert found == [b"a\n\xef\xbb\xbfb\n", path.read_bytes()]
    path.write_bytes(b"\xef\xbb\xbf")
    with pytest.warns(FileNote), pytest.raises(FileError, match="is empty"):
        [*read_blocks([str(path)])]


@pytest.mark.slow
def test_a_pipe_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "two").write_text("a b\nc d\n")
    command = [sys.executable, "-m", "bleu_nb", "score", "-", str(tmp_path / "two")]
    with subprocess.Popen([sys.executable, "-c", "while True: print('a b')"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless:
        done = subprocess.run(command, stdin=endless.stdout, capture_output=True, text=True,
                              timeout=60, check=False)
        endless.kill()
    assert done.returncode == 2
    assert re.search(r"standard input has more than \d{7}, .*two' has 2", done.stderr)


def test_a_file_that_grows_while_it_is_read_is_named(tmp_path: Path) -> None:
    names = written(tmp_path, [("a b",) * 40, ("b c",) * 40], last=True)

    def count() -> Iterator[Any]:
        for parts in count_files(Bleu(engine="bits", threads=1), names):
            yield parts
            with open(names[0], "ab") as file:
                file.write(b"more\n")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleu_nb.files.file_scoring.read_blocks",
                      lambda names, keep_bom, size, *more: read_blocks(names, keep_bom, 16, *more))
        with pytest.raises(FileError, match=r"differ in their number of .*re-segment.*mweralign"):
            [*count()]


def test_what_a_caller_does_wrong_is_not_the_fault_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = written(tmp_path, [("a b",), ("a c",)], last=True)
    fail = Mock(side_effect=OSError("the caller's own"))
    monkeypatch.setattr("sys.stdin", io.StringIO("a b"))
    calls: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
        (names[0], names[1:], {"progress": fail}, OSError, r"^the caller's own$"),
        (names[0], iter([]), {}, ValueError, "references is empty: pass at least one file"),
        ("-", names[1:], {}, FileError, "not a stream of bytes: pass"),
        *((*files, {}, TypeError, "must be file names, not")
          for wrong in (None, 0, b"0", io.BytesIO(b"a"), ["a"])
          for files in ((wrong, names[1:]), (names[0], [wrong]))),
    ]
    for candidates, references, choices, error, told in calls:
        with pytest.raises(error, match=told):
            file_bleu(candidates, references, **choices)


# Segments that are bytes -------------------------------------------------------------------------

KINDS: list[Any] = [bytes, bytearray, memoryview, lambda line: memoryview(line + line)[: len(line)]]


@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", NUMBA])
@given(corpus=LINE_PAIRS, name=st.sampled_from(FOR_FILES), kind=st.sampled_from(KINDS),
       feed=st.booleans())
def test_bytes_are_text(
    engine: str, corpus: list[tuple[str, str, str]], name: str, kind: Any, feed: bool
) -> None:
    texts = [tuple(line + "\n x" * feed for line in lines) for lines in corpus]
    slow = Bleu(name, engine="definition")
    expected = slow.count([line for line, *_ in texts], [others for _, *others in texts])
    given = [tuple(kind(line.encode()) for line in lines) for lines in texts]
    fast = Bleu(name, engine=engine)
    groups = [tuple(others) for _, *others in given]
    assert fast.count([line for line, *_ in given], groups) == expected
    fast.update([line for line, *_ in given], groups)
    assert exact(fast.compute()) == exact(expected.score())


@pytest.mark.parametrize("engine", ["bits", "numpy"])
@pytest.mark.parametrize(("candidates", "references", "plain"), [
    (["caf\u00e9 a b c".encode()] * 3, [["caf\u00e9 a b d"]] * 3, ["caf\u00e9 a b c"] * 3),
    ([memoryview(b"a_ _b_")[::2]], [["a b"]], ["a b"]),
    ([memoryview(array("l", [3, 1, 4]))], [[["3", "1", "4"]]], [["3", "1", "4"]]),
], ids=["bytes beside strings", "every second byte", "a view of numbers is tokens"])
def test_other_memory_is_text_or_tokens_too(
    engine: str, candidates: Any, references: Any, plain: Any
) -> None:
    assert exact(corpus_bleu(candidates, references, engine=engine)) == exact(
        corpus_bleu(plain, references))


@pytest.mark.parametrize("engine", ["bits", "numpy"])
@pytest.mark.parametrize(("candidates", "references", "told"), [
    ([b"a", b"b\xff"], [[b"a"], [b"b"]],
     r"candidates\[1\] contains bytes .* UTF-8 \(byte 2 is 0xff\)"),
    ([b"a", b"b"], [[b"a"], [b"\xc3"]],
     r"references\[1\]\[0\] contains bytes .* UTF-8 \(byte 1 is 0xc3\)"),
])
def test_bytes_that_are_no_text_are_named(
    engine: str, candidates: Any, references: Any, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        corpus_bleu(candidates, references, engine=engine)
