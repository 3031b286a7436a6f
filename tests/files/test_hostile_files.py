"""Hostile files, scored by `bleu-nb score` as by tools, which each read in their way.

What the tools' scripts answered to random ones is recorded, and `dialects/test_golden.py` compares
it.
"""

import bz2
import gzip
import io
import lzma
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import compare_recorded
import pytest
from commands import ENVIRONMENT, run_command
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT

from bleu_nb import Bleu, file_bleu
from bleu_nb.files.reading import (
    ENCODING,
    FIRST,
    PACKED,
    FileError,
    FileNote,
    Lines,
    count_lines,
    lines_of,
    read_each_way,
    read_files,
    wide_encoding,
)


def saved(folder: Path, texts: Sequence[str], ending: str = "") -> list[Path]:
    """Files with these texts, packed if their names end so."""
    paths = [folder / f"{number}{ending}" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(gzip.compress(text.encode()) if ending else text.encode())
    return paths


# Far references count 9999 tokens for Moses; references without any make the score 0.
LENGTHS = [
    (5, [10_003], 0), (5, [10_004], 0), (5, [20_000, 30_000], 0), (5, [20_000, 7], 67.032004604),
    (10_009, [10], 0.084194173508), (20_000, [10_001], 50.001249859), (5, [6, 0], 81.873075308),
    (3, [9, 0], 0), (3, [0], 0),
]


@pytest.mark.parametrize(("ours", "theirs", "printed"), LENGTHS)
def test_moses_on_lengths_that_no_sentence_has(
    ours: int, theirs: list[int], printed: float, tmp_path: Path
) -> None:
    files = saved(tmp_path, [f"{' '.join('a' * number)}\n" for number in (ours, *theirs)])
    for script in ("multi-bleu", "multi-bleu-detok"):
        [score] = compare_recorded.printed([*files, "--dialect", script])
        assert score["score"] == pytest.approx(printed, rel=1e-9)


CUT = "a b c d e\rf g h\n", "a b c d e\rf g x\n"
UNENDED = "a b c d e f g h.", "a b c d e f g h.\n"
CODE = ("Returns the X-value; it's 3.5 &lt; 7.\nGet foo_bar(x).\n",
        "returns the x - value, its 3.5 &lt; 8\nGets the foo_bar (X)\n")


@pytest.mark.filterwarnings("ignore::bleu_nb.files.reading.FileNote")
@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize(("texts", "options", "score"), [
    (CUT, ("--dialect", "nmt", "--scale", "100"), 85.99),
    (CUT, ("--dialect", "compare-mt"), 77.71),
    (CUT, ("--dialect", "codexglue"), 88.36),
    (CUT, ("--dialect", "codexglue-smooth-file"), 84.32945239845195),
    (CODE, ("--dialect", "codexglue-smooth-file"), 62.2338612096472),
    (CUT, ("--dialect", "nmt", "--scale", "100", "--reading", "feed"), 80.91),
    (CUT, ("--dialect", "compare-mt", "--reading", "feed"), 80.91),
    (CUT, ("--dialect", "codexglue", "--reading", "feed"), 86.33),
    (UNENDED, ("--dialect", "multi-bleu-detok"), 88.25),
    (UNENDED, ("--dialect", "multi-bleu-detok", "--reading", "feed"), 100.0),
    (["a b c d e f g &AMP;\n"] * 2, ("--dialect", "multi-bleu-detok", "--lowercase"), 77.88),
])  # fmt: skip
def test_what_the_tools_printed_of_small_files(
    texts: Sequence[str], options: Sequence[str], score: float, ending: str, tmp_path: Path
) -> None:
    """Numbers of the real tools, and of files that were read by line feeds alone."""
    paths = saved(tmp_path, texts, ending)
    for files in (paths, [*paths, "--num-refs", "var"]):
        [found] = compare_recorded.printed([*files, *options])
        assert found["score"] == pytest.approx(score, abs=0.005)
    choices: dict[str, Any] = {"lowercase": True} if "--lowercase" in options else {}
    if "--reading" in options:
        choices["reading"] = "feed"
    whole = file_bleu(paths[0], paths[1:], options[1], **choices)
    assert whole.value * 100 / whole.scale == pytest.approx(score, abs=0.005)


def test_lists_know_no_line_ends() -> None:
    for name in ("nmt", "compare-mt", "codexglue", "multi-bleu-detok"):
        usual = Bleu(name, reading="feed")
        for candidate, reference in (CUT, UNENDED):
            assert Bleu(name)([candidate], [[reference]]).value == usual(
                [candidate], [[reference]]).value


BOTH = ["a b\u2028c d\re f\n", "a b\u2028c d\re g\n"]
SEEN = (r"(bleu-nb: warning: '[01]' contains characters at which only some tools end a line. It "
        r"was read as {}: pass --reading for another way \(numbers of lines: 1 read as feed "
        r"\(most tools\), 2 read as universal \([^)]*\), 3 read as unicode \(nmt\)\)\n){{2}}"
        r"(.*no candidate is long.*\n)?\Z")
ROWS = [
    *((BOTH, f"score 0 1 --dialect {dialect}", "BLEU", SEEN.format(here)) for dialect, here in (
        ("sacrebleu", "feed"), ("compare-mt", "universal"), ("nmt", "unicode"))),
    *(([text] * 2, "score 0 1", "BLEU", r"\Z") for text in (
        "a b c d\r\ne f g h\r\n", "a b c d\ne f g h", "\u2027 \u2030 \x1f \xa0 a b\n")),
    (UNENDED, "score 0 1 --dialect multi-bleu-detok", "BLEU", r"[^\n]* does not end in a line "
     r"feed, so its last character is lost when it is read as detok \('\.'\)\n\Z"),
    (CUT, "explain 0 1 --from nmt", "", r"(?s).*has 2 lines when read as unicode and 1 as feed"),
    (UNENDED, "explain 0 1 --from multi-bleu-detok", "",
     r".*has 1 lines when read as detok and 1 as feed"),
    (CUT, "explain 0 1 --from nmt --to compare-mt", "nmt ", ""),
    (CUT, "explain 0 1 --from nltk", "nltk ", ""),
    *((texts, f"identify 0 1 --all --reported {score}",
       rf"(?ms)(?!.*^ *[\d.]+ +\d+% +sacrebleu$).*[\s,]{name}[\s,;]", "")
      for texts, name, score in (
          (CUT, "nmt", "85.99"), (CUT, "compare-mt", "77.71"), (CUT, "codexglue", "88.36"),
          (CODE, "codexglue-smooth-file", "62.23"), (CUT, "codexglue-smooth-file", "84.329"))),
    (CODE, "explain 0 1 --from codexglue-smooth --to codexglue-smooth-file",
     r"(?s)codexglue-smooth .*codexglue-smooth-file 62\.23.*tokenisation", ""),
    (["a b c d\re\n", "a b c d e\n"], "identify 0 1 --reported 100", "100 is what your files give",
     ""),
    *((CUT, f"score 0 1 --sentence --dialect nmt{more}", r"(BLEU.*\n){2}\Z", "")
      for more in ("", " --num-refs var")),
    (CUT, "score 0 --systems 1 --dialect nmt --scale 100 -- 1",
     r"system .*\n0 +85\.99 .*\n1 +100\.00 ", ""),
    *((CUT, f"compare 0 1 --ref 1 --dialect nmt --trials 10 --format tsv{more}",
       r".*\n0\t0\.8599.*\n1\t1\.0", "") for more in ("", " --num-refs var")),
    (CUT, "pairwise 0 1 --dialect nmt --format tsv", r"([\d.]+\t[\d.]+\n){2}\Z", ""),
]


@pytest.mark.parametrize(("texts", "line", "shown", "noted"), ROWS)
def test_every_command_reads_as_the_dialect_does(
    texts: Sequence[str], line: str, shown: str, noted: str, tmp_path: Path
) -> None:
    """What is printed, and what is told; a command that prints nothing has failed."""
    saved(tmp_path, texts)
    done = run_command(line.split(), cwd=tmp_path)
    assert (done.status, bool(done.out)) == ((0, True) if shown else (2, False))
    assert re.match(shown, done.out), done.out
    assert re.match(noted, done.err), done.err


TEXTS = ["The sea\n", "The sea", "a b\nc d\n", "Привет мир снова\nКошка на ковре\n",
         "Привет, мир\n", "日本 語\n猫\n", "Straße\nÜbergröße", "x\n" * 70_000,
         # Letters with a byte 0x0A, and lines without a line feed
         "ช้างชอบกินกล้วย\nชาวนาไปนา\n", "သူ ညီ ည\nည ည\n", "Њих двоје\nЊега нема\n", "上海\n上班\n",
         "Iċ-ċavetta Ċara\nĊensu Ċini\n", "ਮੈਂ ਘਰ ਜਾ ਰਿਹਾ ਹਾਂ\nਉਹ ਆਇਆ\n",
         "Мы идём домой сегодня вечером", "גם החתול\nעל המחצלת\n", "ශ්‍රී ලංකා\nවාඩි විය\n",
         "私は猫です。\n座った\n", "나는 간다\n안녕\n"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_text_of_two_or_four_bytes_a_character_is_recognised(text: str) -> None:
    for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"):
        assert wide_encoding(text.encode(encoding)[:FIRST]) == encoding


NUL_WORDS = ["the", "sea", "Gulls", "海", "кот", "ชาว", "Њих", "é", "1,200", ".", "\x01", "\t"]


@given(st.lists(st.sampled_from(NUL_WORDS), min_size=40, max_size=40).map(" ".join),
       st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_lines_of_words_with_nuls_are_text(line: str, places: list[float]) -> None:
    text = f"{line}\n"
    for place in places:
        at = int(place * len(line))
        text = f"{text[:at]}\0{text[at:]}"
    assert wide_encoding(text.encode()) is None


@pytest.mark.parametrize("data", [
    b"", b"\0", b"a\0b\n", b"a b\0\n", b"\0\n", b"a\0\nb c\n", b"a\0b\0c\nd e\n",
    b"a\0b\0\n\nc\n", b"a\0b c\n\0\n", b"a\0b\n\0 \0\n", b"\0\n\0\n", b"ab\0\ncd\0\n" * 50,
    "é\0\nè\0\n".encode(), b"a b c d\0\0\ne f g h\0\0\n", *(text.encode() for text in TEXTS)])
def test_lines_of_letters_with_nuls_are_text(data: bytes) -> None:
    assert wide_encoding(data) is None


AS_TEXT, EMPTY = "is scored as plain text: write one", "one of several references is empty"
TABS = "the same number of tabs"
EVERY = ["score {} ref", "explain --from nltk {} ref", "identify --reported 4 {} ref",
         "compare {} ref --ref ref", "pairwise {}"]
MARKED = {
    **dict.fromkeys(("mt.jsonl", "mt.JSON", "mt.txt"), '{"text": "a b c d"}\n' * 2),
    "mt.ndjson": '"a b c d"\n' * 2, "mt.json": '["a b c d"]\n' * 2, "mt.csv": 'a,"b c d"\n' * 2,
    **dict.fromkeys(("mt.sgm", "mt.sgml", "mt.xml"), "<seg>a b c d</seg>\n" * 2),
    "mt.tmx": "<tuv><seg>a b</seg></tuv>\n" * 2,
    **dict.fromkeys(("mt.xlf", "mt.xliff"), "<target>a b</target>\n" * 2),
    "mt.srt": "00:00:01,000 --> 00:00:03,000\na b c d\n",
    "mt.VTT": "00:01.000 --> 00:03.000\na b c d\n",
}
NAMED = [name for name in MARKED if name != "mt.txt"]
PLAIN = {**{f"plain{name[2:]}": "a - b d\n12:30 -> d\n" for name in MARKED},
         **dict.fromkeys(("plain.tmx", "plain.xlf", "plain.xliff"), "a <3 b\n/ c <d>\n")}
TOLD: list[tuple[str, str, bool]] = [   # The command, the note, and whether it is told
    *((f"score {name}{packed} ref", AS_TEXT, True) for name in NAMED for packed in ("", ".gz")),
    *((line.format(name), AS_TEXT, name != "mt.txt")
      for line in EVERY for name in ("mt.jsonl", "mt.txt")),
    *((f"score {name} ref", AS_TEXT, False) for name in PLAIN),
    *((f"score {name} ref", f"file, as in jq -r {field} FILE > NEW, or", True) for name, field in (
        ("mt.jsonl", ".FIELD"), ("mt.ndjson", ".FIELD"), ("mt.json", "'.[].FIELD'"))),
    *((f"score {name} ref", f"pass --field {field} to bleu-nb score\n", True) for name, field in (
        ("mt.jsonl", "FIELD"), ("mt.json", "FIELD"), ("mt.csv", "COLUMN"))),
    ("score mt.srt ref", "write one segment per line to another file\n", True),
    *((f"{command} {files}", TABS, files == "tabs") for command in (
        *(f"score mt --engine {engine} --ref" for engine in ("bits", "numpy", "numba")),
        "explain --from nltk mt", "identify --reported 4 mt", "compare mt some --ref")
      for files in ("tabs", "some", "tabs --num-refs 2")),
    ("pairwise tabs", TABS, True), ("pairwise some", TABS, False),
    *((f"score {files} --engine {engine}", EMPTY, files == "gaps one gap")
      for files in ("gaps one gap", "gaps one one") for engine in ("bits", "numpy", "numba")),
    # A line that only one file of references lacks
    *((f"score mt {references} --engine {engine}", "an empty line of a reference file", told)
      for references, told in (
          ("ref gap", True), ("gap ref", True), ("gap", False), ("ref ref", False),
          ("gap gap", False), ("ref gap --num-refs var", False)) for engine in ("bits", "numpy")),
]


@pytest.mark.parametrize(("line", "note", "told"), TOLD)
def test_what_a_file_is_likely_not_meant_to_be_is_told(
    line: str, note: str, told: bool, tmp_path: Path
) -> None:
    for name, text in {
        "ref": "a b c d\n" * 2, "mt": "a b c d\nb c d e\n", **MARKED,
        **PLAIN,
        "tabs": "a b c d\ta b\nb c d\tb c d e\n", "some": "a b c d\ta b\nb c d e\n",
        "gaps": "a b\nc d e f\n", "one": "a b c d e f g h\nc d e f\n", "gap": "\nc d e f\n",
    }.items():
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    done = run_command(line.split(), cwd=tmp_path)
    nothing_likely = line.startswith("identify")    # Of two short lines
    assert done.status == nothing_likely and (note in done.err) is told, done.err


def test_a_caller_in_python_is_told_what_to_pass(tmp_path: Path) -> None:
    (tmp_path / "mt").write_text("a b c d\nb c d e\n")
    (tmp_path / "tabs").write_text("a b c d\ta b\nb c d\tb c d e\n")
    with pytest.warns(FileNote, match=r"pass --num-refs .*\[line.split\('.t'\) for line in"):
        file_bleu(tmp_path / "mt", [tmp_path / "tabs"])
    for name in ("the sea " * 100, "the sea " * 100 + ".gz"):
        with pytest.raises(ValueError, match=r"cannot read 'the sea .*name too long"):
            file_bleu(name, [name])


# Packed files -------------------------------------------------------------------------------------


def zipped(data: bytes) -> bytes:
    """A zip archive of one file."""
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("mt", data)
    return file.getvalue()


def archived(data: bytes) -> bytes:
    """A tar archive of one file."""
    with tarfile.open(fileobj=(file := io.BytesIO()), mode="w") as archive:
        member = tarfile.TarInfo("mt")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return file.getvalue()


# Where Python cannot pack, the bytes are of an empty file, from the format's own program
PACKERS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "gzip": (gzip.compress, "gunzip < FILE > NEW"),
    "bzip2": (bz2.compress, "bunzip2 < FILE > NEW"), "xz": (lzma.compress, "unxz < FILE > NEW"),
    "zip": (zipped, "unzip -p FILE > NEW"), "tar": (archived, "tar -xOf FILE > NEW"),
    "zstd": (lambda _: bytes.fromhex("28b52ffd2400010000 99e9d851"), "unzstd < FILE > NEW"),
    "lz4": (lambda _: bytes.fromhex("04224d1864 40a7 00000000 05 5dcc02"), "unlz4 < FILE > NEW"),
    "7z": (lambda _: bytes.fromhex("377abcaf271c0004 8d9bd50f") + bytes(20), "7z x -so FILE > NEW"),
}
WORDS = b"the ferry left the pier at six\nrain fell all night\n"
PLACES = ["score FILE ref", "score ref FILE", "score ref --references FILE", "score - ref",
          "score ref --systems FILE --ref ref", "compare FILE other --ref ref", "pairwise FILE",
          "explain --from nltk FILE ref", "identify --reported 4 ref FILE", "self-bleu FILE",
          "compare other ref --ref ref --documents FILE", "mbr --samples-per-source 1 FILE"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_file_is_an_error_that_names_what_unpacks_it(
    kind: str, place: str, tmp_path: Path
) -> None:
    pack, command = PACKERS[kind]
    (tmp_path / "ref").write_bytes(WORDS)
    (tmp_path / "other").write_bytes(WORDS)
    packed = pack(WORDS)
    for name, data, how in (("mt.bin", packed, ","),
                            ("mt.gz", gzip.compress(packed), " with gunzip, and then")):
        (tmp_path / name).write_bytes(data)
        if name == "mt.gz" and " - " in place:
            continue
        encoded = place.split()[0] not in ("pairwise", "self-bleu", "mbr")
        named = "standard input" if " - " in place else f"'{name}'"
        for more in ("", " --encoding latin-1", " --encoding cp437")[:1 + 2 * encoded]:
            line = place.replace("FILE", name) + more
            done = run_command(line.split(), cwd=tmp_path, stdin=packed)
            assert (done.status, done.out) == (2, ""), done
            assert f"{named} is in {kind} format: unpack it{how} as in {command}\n" in done.err


@given(st.sampled_from(sorted(PACKERS)), st.binary(max_size=400))
def test_packed_bytes_are_refused_in_any_encoding(kind: str, data: bytes) -> None:
    packed = PACKERS[kind][0](data)
    for encoding in ("UTF-8", "latin-1", "utf-16", "shift_jis"):
        token = ENCODING.set(encoding)
        try:
            for end in (len(packed), FIRST):
                with pytest.raises(FileError, match=f"'mt.txt' is in {kind} format: unpack"):
                    read_bytes(packed[:end] + b"\n")
        finally:
            ENCODING.reset(token)


def read_bytes(data: bytes, name: str = "mt.txt") -> list[str]:
    """Lines of a file with these bytes."""
    lines = Lines(io.BytesIO(data), name)
    number = lines.fill()
    return lines_of(lines.take(number).decode()) if number else []


NEARLY = ["BZh9", "BZh is one", "BZh91AY", "PK", "PK\x03", "7z", "7z files", "ustar", "xz", "Rar!",
          "7zXZ", "(µ/ý", "\x1f", "BZh01AY&SY", "a" * 250 + "ustar", "a" * 258 + "ustar"]


@given(st.one_of(TEXT, st.tuples(st.sampled_from(NEARLY), TEXT).map("".join)))
def test_text_is_not_taken_for_a_packed_file(text: str) -> None:
    text = text.replace("\0", "").removeprefix("\ufeff")
    if not re.match(r"PK\x03\x04|[\s\S]{257}ustar", text):
        assert "\n".join(read_bytes(text.encode())) == text.removesuffix("\n")


@pytest.mark.parametrize("text", NEARLY)
def test_text_that_starts_nearly_as_a_packed_file_is_read(text: str) -> None:
    assert read_bytes(f"{text} a\nb\n".encode()) == [f"{text} a", "b"]


@pytest.mark.parametrize("data", [
    bz2.compress(b""), gzip.compress(b"", mtime=0),     # A time would be in the name of the test
    lzma.compress(b""), b"PK\x05\x06" + bytes(18), b"PK\x07\x08PK\x03\x04" + bytes(26)])
def test_an_empty_packed_file_is_refused(data: bytes) -> None:
    with pytest.raises(FileError, match=r"'mt\.txt' is in [a-z0-9]+ format"):
        read_bytes(data)


def test_every_packed_format_is_tested() -> None:
    assert {kind for _, kind, _ in PACKED} == {*PACKERS}


# Small files, large texts -------------------------------------------------------------------------

ROOM, TIMES, LONGEST = 1 << 20, 50, 1 << 22     # As SECURITY.md promises
NOISE = random.Random(5).randbytes(60_000).hex().encode()   # Packs to half


def packed_to(path: Path, size: int) -> None:
    """Write a `.gz` that unpacks to about a number of bytes, the most of them alike."""
    data = b"".join(NOISE[start:start + 99] + b"\n" for start in range(0, len(NOISE), 99))
    path.write_bytes(gzip.compress(data + b"a\n" * ((size - len(data)) // 2)))


def read_all_ways(path: Path) -> list[int]:
    """The number of lines that each function sees which reads a whole file."""
    [whole], [each] = read_files([str(path)]), read_each_way([str(path)], False, ["feed"])["feed"]
    counts = [] if path.suffix == ".gz" else [count_lines(str(path))]
    return [len(whole), len(each), *(count for count in counts if count is not None)]


@pytest.mark.parametrize("size", [ROOM, ROOM + 2])
def test_a_packed_file_may_hold_a_mebibyte_whatever_its_size(size: int, tmp_path: Path) -> None:
    path = tmp_path / "mt.gz"
    path.write_bytes(gzip.compress(b"a\n" * (size // 2)))
    for read in (lambda: read_files([str(path)]), lambda: file_bleu(path, [path]),
                 lambda: read_each_way([str(path)], False, ["feed"])):
        if size > ROOM:
            with pytest.raises(FileError, match=r"mt.gz' unpacks to more than 1,048,576 bytes, "):
                read()
        else:
            read()


@given(st.floats(0.8, 1.2))
def test_a_larger_file_may_hold_a_multiple_of_its_size(share: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mt.gz"
        for _ in range(2):      # The second time, with nearly the size that it will have
            number = 3 * ROOM if not path.exists() else share * TIMES * path.stat().st_size
            packed_to(path, int(number))
        most = TIMES * path.stat().st_size
        assert most > 2 * ROOM
        if len(gzip.decompress(path.read_bytes())) > most:
            with pytest.raises(FileError, match=f"unpacks to more than {most:,} bytes, the limit"):
                read_all_ways(path)
        else:
            assert len({*read_all_ways(path)}) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_packed_pipe_has_no_size_to_compare_with(tmp_path: Path) -> None:
    path = tmp_path / "pipe.gz"
    os.mkfifo(path)
    data = gzip.compress(b"a\n" * ROOM)
    thread = threading.Thread(target=path.write_bytes, args=(data,))
    thread.start()
    [lines] = read_files([str(path)])
    thread.join()
    assert len(lines) == ROOM


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_how_long_a_line_may_be(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"mt{ending}"

    def write(length: int) -> None:
        text = (NOISE * (length // len(NOISE) + 1))[:length] + b"\nb\n"
        path.write_bytes(gzip.compress(text, 1) if ending else text)

    write(LONGEST)
    assert {*read_all_ways(path)} == {2}
    write(LONGEST + (1 << 20) + 1)      # More than what is read before the rest of a line
    for read in (lambda: read_files([str(path)]), lambda: file_bleu(path, [path]),
                 lambda: read_each_way([str(path)], False, ["feed"]),
                 *([] if ending else [lambda: count_lines(str(path))])):
        with pytest.raises(FileError, match=f"mt{ending}' has a line of more than 4,194,304 bytes"):
            read()


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
sys.argv[1:] = sys.argv[2:]
from bleu_nb.__main__ import start
raise SystemExit(start())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("text", [b"a\n", b"\n", b"a ", b"a"],
                         ids=["words", "empty", "line", "token"])
def test_small_packed_files_need_little_memory(text: bytes, tmp_path: Path) -> None:
    """Each unpacks to 200 MB, which without a limit takes up to 9 GB."""
    (tmp_path / "mt.gz").write_bytes(gzip.compress(text * (200_000_000 // len(text))))
    (tmp_path / "ref").write_bytes(b"a\n")
    for line in ("score mt.gz ref", "score ref mt.gz", "self-bleu mt.gz", "pairwise mt.gz",
                 "identify mt.gz ref --reported 4", "explain mt.gz mt.gz --from nltk",
                 "score /dev/zero ref"):
        done = subprocess.run([sys.executable, "-c", LIMITED, str(4 << 30), *line.split()],
                              cwd=tmp_path, capture_output=True, text=True, env=ENVIRONMENT)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
        told = "'(mt.gz|/dev/zero)' (unpacks to more|has a line of more|has more than)"
        assert re.search(told, done.stderr), done.stderr


def test_real_text_is_far_from_the_limits(tmp_path: Path) -> None:
    """Lines of 100,000 characters, and text of which each line occurs twenty times."""
    words = random.Random(2).choices([f"{n:x}" for n in range(70_000, 99_999)], k=30_000)
    text = "".join(f"{' '.join(words[:15_000])[:100_000]}\n{' '.join(words)}\n" * 15)
    path = tmp_path / "long.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert file_bleu(path, [path]).value > 99.9
    rows = "".join(f"{' '.join(words[n:n + 9])}, page {n}\n" * 20 for n in range(0, 29_000, 9))
    path.write_bytes(gzip.compress(rows.encode()))
    assert 20 < len(rows) / path.stat().st_size < 40 and len(rows) > 2 * ROOM
    assert file_bleu(path, [path]).value > 99.9


def test_lines_are_counted_in_the_encoding_of_the_files(tmp_path: Path) -> None:
    path = tmp_path / "mt.txt"
    path.write_bytes("one\x85two\n".encode("latin-1"))
    assert count_lines(str(path), "unicode") == 1   # The byte is no character in UTF-8
    token = ENCODING.set("latin-1")
    try:
        assert count_lines(str(path), "unicode") == 2
    finally:
        ENCODING.reset(token)
