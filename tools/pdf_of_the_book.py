"""The derivation as one PDF: chapters of the built site, printed where a browser is found."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from types import MappingProxyType

from browsing import BROWSERS, FLAGS, find_browser

from bleu_nb import __version__

ON_PAPER = ("--headless", "--no-pdf-header-footer", "--generate-pdf-document-outline")
CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"
NAME = "bleu-derivation.pdf"
PLACE = '<span class="on-paper"></span>'  # On the front page, for the link to what is there
LINK = f'<span class="on-paper"> On paper: <a href="{NAME}">the derivation as a PDF</a>.</span>'
CHAPTERS = ("00_by_hand", "01_ngrams", "02_precision", "03_brevity", "04_bleu", "05_smoothing",
            "06_tokenization")

HEAD = re.compile(r"<link rel=\"stylesheet\"[^>]*>|<style>.*?</style>", re.DOTALL)
ARTICLE = re.compile(r"<article role=\"main\"[^>]*>(.*?)</article>", re.DOTALL)
RELEASED = re.compile(r"^## \[[\d.]+\] - (\S+)", re.MULTILINE)
TITLE = re.compile(r"<h1>(.*?)<a ", re.DOTALL)
ANSWERS = re.compile(r"<details><summary>Answers</summary>(.*?)</details>", re.DOTALL)
SHEET = re.compile(rb"^(\d+) 0 obj\s*<</Type /Page\b", re.MULTILINE)
OUTLINE = re.compile(rb"/Title \((.*?)\)\s*/Dest \[(\d+) 0 R")
INSIDE = re.compile(r' href="(?!https?:)[^"]*"')  # Links that lead nowhere on paper
ANCHOR = re.compile(r' id="[^"]*"')               # Chapters have the same ones
PAPER = """
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-center { content: counter(page); } }
@page :first { @bottom-center { content: none; } }
html { font-size: 80%; }
* { scrollbar-width: none !important; }
.chapter { break-before: page; }
.front { margin-top: 60mm; }
.front ol { list-style: none; max-width: 20rem; padding: 0; }
.front li { display: flex; justify-content: space-between; }
"""


def main() -> None:
    """Print the chapters of the site in the folder given."""
    print(print_book(Path(sys.argv[1]).resolve()))


def print_book(site: Path) -> str:
    """Write the PDF into the site; what there is to say about it, in a sentence."""
    program = find_browser()
    if program is None:
        return f"{NAME} is not made: no browser is installed ({', '.join(BROWSERS)})"
    page, numbers = site / "_derivation.html", dict[str, int]()  # Beside its style sheets
    try:
        for _ in range(2):    # The second time with the numbers of pages
            page.write_text(one_page(site, numbers), encoding="utf-8")
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
                done = subprocess.run(
                    [program, *FLAGS, *ON_PAPER, f"--user-data-dir={profile}",
                     f"--print-to-pdf={site / NAME}", page.as_uri()],
                    capture_output=True, text=True, timeout=300)
            numbers = starts((site / NAME).read_bytes() if (site / NAME).exists() else b"")
    except subprocess.TimeoutExpired:
        (site / NAME).unlink(missing_ok=True)
        return f"{NAME} is not made: {program} did not end within five minutes"
    finally:
        page.unlink()
    if done.returncode or not (site / NAME).exists():
        return f"{NAME} is not made: {program} says {done.stderr.strip()[-300:]}"
    front = site / "index.html"
    front.write_text(front.read_text(encoding="utf-8").replace(PLACE, LINK), encoding="utf-8")
    return f"{NAME} has {(site / NAME).stat().st_size / 1000:,.0f} KB"


def edition() -> str:
    """The version, and the day it is of."""
    return f"Version {__version__}, {day()}"


def day() -> str:
    """The day of SOURCE_DATE_EPOCH, else of the last commit, else of the newest release."""
    if seconds := moment():
        return datetime.fromtimestamp(int(seconds), timezone.utc).date().isoformat()
    return RELEASED.findall(CHANGELOG.read_text(encoding="utf-8"))[0]


def moment() -> str:
    """SOURCE_DATE_EPOCH, else when the last commit was made, in seconds."""
    return os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct")


def git(*words: str) -> str:
    """What git says of the repository; nothing where there is none."""
    try:
        done = subprocess.run(["git", *words], cwd=CHANGELOG.parent, capture_output=True, text=True)
    except FileNotFoundError:  # No git is installed
        return ""
    return done.stdout.strip()


def starts(pdf: bytes) -> dict[str, int]:
    """Heading -> the number of the page on which it stands first."""
    pages = {number: place for place, number in enumerate(SHEET.findall(pdf), 1)}
    found = sorted(((pages[number], title) for title, number in OUTLINE.findall(pdf)), reverse=True)
    return {title.decode("latin-1"): page for page, title in found}


def one_page(site: Path, numbers: Mapping[str, int] = MappingProxyType({})) -> str:
    """The chapters, one below the other, behind a title and a list of them, and their answers."""
    pages = [(site / f"{name}.html").read_text(encoding="utf-8") for name in CHAPTERS]
    articles = [ARTICLE.search(page) for page in pages]
    found = [each[1] for each in articles if each]
    if len(found) != len(pages):
        raise ValueError(f"of {CHAPTERS} only {len(found)} have an article: has the theme changed?")
    names = [TITLE.findall(each)[0] for each in found]
    titles = "".join(f"<li>{name}{f'<b>{numbers[name]}</b>' if name in numbers else ''}</li>"
                     for name in (*names, "Answers"))
    answers = "".join(f"<h2>{name}</h2>{ANSWERS.findall(each)[0]}"
                      for name, each in zip(names, found, strict=True))
    found = [ANSWERS.sub("", each) for each in found] + [f"<h1>Answers</h1>{answers}"]
    chapters = "".join(f'<div class="chapter">{ANCHOR.sub("", INSIDE.sub("", each))}</div>'
                       for each in found)
    sheets = "".join(HEAD.findall(pages[0].partition("</head>")[0]))
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>BLEU, derived</title>{sheets}<style>{PAPER}</style></head><body>"
            f'<div class="content"><article role="main"><div class="front"><h1>BLEU, derived</h1>'
            f"<p>{edition()}</p><ol>{titles}</ol></div>{chapters}</article></div></body></html>")


if __name__ == "__main__":
    main()
