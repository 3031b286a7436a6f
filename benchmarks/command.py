"""What benchmarks share as commands: rounds, little text to try them, and where a record goes."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora import DATA, MANIFEST


def whole_number(text: str) -> int:
    """A number from 1, perhaps with commas between its digits."""
    number = int(text.replace(",", ""))
    if number < 1:
        raise ValueError(text)
    return number


def command(
    doc: str | None, record: Path, little: str = "little text and few rounds"
) -> argparse.ArgumentParser:
    """A command with the options that all have; `doc` begins with what it does."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    add = parser.add_argument
    add("--rounds", type=whole_number, metavar="N", help="at least 5 for a median worth its name")
    add("--quick", action="store_true", help=little)
    add("--out", type=Path, metavar="PATH", help=f"default: {record.name}; none with --quick")
    return parser


def add_data(parser: argparse.ArgumentParser) -> None:
    """Let the caller choose the text."""
    parser.add_argument("--data", choices=DATA, default="wmt" if MANIFEST.exists() else "generated",
                        help="default: wmt where BLEU_NB_DATA or ../shared/wmt is there")


def options_of(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None, record: Path, rounds: int,
    quick_rounds: int = 1,
) -> argparse.Namespace:
    """What was asked for, with the defaults that depend on `--quick`."""
    options = parser.parse_args(arguments)
    options.rounds = options.rounds or (quick_rounds if options.quick else rounds)
    options.out = options.out or (None if options.quick else record)
    return options


def tell(report: Mapping[str, Any], out: Path | None, text: str) -> int:
    """Write a record, if there is a place for it, and print it as text; the status of the end."""
    if out:
        written = json.dumps(report, indent=1, ensure_ascii=False)
        out.write_text(f"{written}\n", encoding="utf-8")
    sys.stdout.write(text)
    return 0
