"""The derivation as one PDF: chapters of the built site, printed where a browser is found."""

import os
import re
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

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
INSIDE = re.compile(r' href="(?!https?:)[^"]*"')  # Links that lead nowhere on paper
ANCHOR = re.compile(r' id="[^"]*"')               # Chapters have the same ones
PAPER = """
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-center { content: counter(page); } }
@page :first { @bottom-center { content: none; } }
html { font-size: 80%; }
* { scrollbar-width: none !important; }
.chapter { break-before: page; }
.front { margin-top: 60mm; }
.front ol { list-style: none; padding: 0; }
"""


def main() -> None:
    """Print the chapters of the site in the folder given."""
    print(print_book(Path(sys.argv[1]).resolve()))


def print_book(site: Path) -> str:
    """Write the PDF into the site; what there is to say about it, in a sentence."""
    program = find_browser()
    if program is None:
        return f"{NAME} is not made: no browser is installed ({', '.join(BROWSERS)})"
    page = site / "_derivation.html"  # Beside the style sheets that it asks for
    page.write_text(one_page(site), encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            done = subprocess.run(
                [program, *FLAGS, *ON_PAPER, f"--user-data-dir={profile}",
                 f"--print-to-pdf={site / NAME}", page.as_uri()],
                capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        (site / NAME).unlink(missing_ok=True)
        return f"{NAME} is not made: {program} did not end within two minutes"
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


def one_page(site: Path) -> str:
    """The chapters, one below the other, behind a title and their names."""
    pages = [(site / f"{name}.html").read_text(encoding="utf-8") for name in CHAPTERS]
    articles = [ARTICLE.search(page) for page in pages]
    found = [each[1] for each in articles if each]
    if len(found) != len(pages):
        raise ValueError(f"of {CHAPTERS} only {len(found)} have an article: has the theme changed?")
    titles = "".join(f"<li>{name[1]}</li>" for each in found if (name := TITLE.search(each)))
    chapters = "".join(f'<div class="chapter">{ANCHOR.sub("", INSIDE.sub("", each))}</div>'
                       for each in found)
    sheets = "".join(HEAD.findall(pages[0].partition("</head>")[0]))
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>BLEU, derived</title>{sheets}<style>{PAPER}</style></head><body>"
            f'<div class="content"><article role="main"><div class="front"><h1>BLEU, derived</h1>'
            f"<p>{edition()}</p><ol>{titles}</ol></div>{chapters}</article></div></body></html>")


if __name__ == "__main__":
    main()
