"""Small test sets, laid into a cache of sacreBLEU's as after a download."""

from collections.abc import Mapping
from pathlib import Path

CLOSED = "http://127.0.0.1:9"  # Nobody answers there, and at once
SOURCE = ["The lamp is lit.", "Nobody came tonight.", "The sea is calm, it is said.", "Rest."]
GERMAN = ["Die Lampe brennt.", "Niemand kam heute Nacht.", "Die See sei ruhig, hieß es.", "Ruh aus"]
OTHER = ["Die Lampe ist an.", "", "Das Meer ist ruhig, sagten sie.", "Ruh dich jetzt aus."]
OUTPUT = ["Die Lampe brennt.", "Heute Nacht kam niemand.", "Die See ist ruhig, hieß es.", "Ruh!"]
CHINESE = ["灯亮了。", "今晚没有人来。", "他们说海很平静。", "现在休息吧。"]
MADE = ["灯点亮了。", "没有人来。", "他们说海平静。", "休息吧。"]
ORIGINS, DOCUMENTS = ["en", "en", "de", "de"], ["bbc.310963", "bbc.310963", "new.1", "new.1"]


def segments(lines: list[str], first: int) -> str:
    """The two lines of a document, in marks."""
    shown = [f'<seg id="{n}">{line}</seg>' for n, line in enumerate(lines[first:first + 2], 1)]
    return "\n".join(["<p>", *shown, "</p>"])


def sgml(kind: str, lines: list[str]) -> str:
    """What WMT published until 2020: two documents."""
    return f'<{kind}set setid="x" srclang="any">\n' + "".join(
        f'<doc sysid="x" docid="{DOCUMENTS[first]}" genre="news" origlang="{ORIGINS[first]}">\n'
        f"{segments(lines, first)}\n</doc>\n" for first in (0, 2)) + f"</{kind}set>\n"


def xml(references: Mapping[str, list[str]], domain: bool) -> str:
    """What WMT has published since 2021."""
    shown = "<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"x\">\n"
    for first, kind in ((0, "news"), (2, "talk")):
        shown += f'<doc id="{DOCUMENTS[first]}" origlang="{ORIGINS[first]}"'
        shown += f' domain="{kind}">' * domain or ">"
        shown += f'<src lang="en">\n{segments(SOURCE, first)}\n</src>\n' + "".join(
            f'<ref lang="de" translator="{who}">\n{segments(lines, first)}\n</ref>\n'
            for who, lines in references.items()) + "</doc>\n"
    return f"{shown}</dataset>\n"


def write(path: Path, text: str) -> None:
    """A file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def lay(cache: Path) -> None:
    """A cache as after a download: the archives' names, and what was in them."""
    for folder, archive, stem, references in (
        *((f"wmt{year}", f"wmt{year}.test.tgz", f"20{year}-en{target}", {"": texts})
          for year in (17, 18) for target, texts in (("de", GERMAN), ("zh", CHINESE))),
        ("wmt17/tworefs", "wmt17_tworefs.test.tgz", "2017-enfi", {"": GERMAN, "B": OTHER}),
    ):
        raw = cache / folder / "raw"
        write(raw / archive, "unpacked long ago")
        write(raw / f"test/newstest{stem}-src.en.sgm", sgml("src", SOURCE))
        for letter, texts in references.items():
            write(raw / f"test/newstest{letter}{stem}-ref.{stem[-2:]}.sgm", sgml("ref", texts))
    for name, archive, path, text in (
        ("wmt22", "v1.1.tar.gz", "wmt22-news-systems-1.1/xml/wmttest2022.en-de.all.xml",
         xml({"A": GERMAN, "B": OTHER}, domain=False)),
        ("wmt22", "v1.1.tar.gz", "wmt22-news-systems-1.1/xml/wmttest2022.cs-en.all.xml",
         xml({"B": GERMAN, "C": OTHER}, domain=False)),
        ("wmt23", "v.0.1.tar.gz", "wmt23-news-systems-v.0.1/xml/wmttest2023.en-de.all.xml",
         xml({"refA": GERMAN}, domain=True)),
    ):
        write(cache / name / "raw" / f"{name}.{archive}", "unpacked long ago")
        write(cache / name / "raw" / path, text)


def environment(cache: Path) -> dict[str, str]:
    """A cache, and no way to anywhere else."""
    return {"SACREBLEU": str(cache), "https_proxy": CLOSED, "http_proxy": CLOSED,
            "no_proxy": "", "NO_PROXY": "", "HTTPS_PROXY": CLOSED, "HTTP_PROXY": CLOSED}
