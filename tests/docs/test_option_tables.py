"""The page of the command line has each command, each option and each exit status."""

import argparse
import re
from html import escape
from pathlib import Path

import option_tables
import pytest

from bleu_nb.cli.command import COMMANDS, EXAMPLES
from bleu_nb.display.tables import FIELDS

DOCS = Path(option_tables.__file__).parent
MADE = option_tables.sections()


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_a_command_is_there_with_every_option_and_example(name: str) -> None:
    [section] = re.findall(rf"^## bleu-nb {name}\n(.*?)(?=^## |\Z)", MADE, re.M | re.S)
    parser = option_tables.parsers()[name]
    rare = option_tables.rare_of(parser)
    common = MADE[MADE.index("## Options of a dialect"):]
    for action in parser._actions:
        if action.help != argparse.SUPPRESS and action.dest != "help":
            for typed in action.option_strings:
                place = common if action in rare else section
                assert f"<code>{escape(typed)}</code>" in place, typed
    assert all(f"bleu-nb {each}\n" in section for each in EXAMPLES.get(name, ()))
    page = (DOCS / "command_line.md").read_text(encoding="utf-8")
    assert f"[`{name}`](#bleu-nb-{name})" in page


def test_places_to_link_to_are_different() -> None:
    ids = re.findall(r' id="([^"]+)"', MADE)
    assert len(ids) == len({*ids}) > 100


def test_every_field_of_json_is_on_the_page() -> None:
    page, tables = (DOCS / "formats.md").read_text(encoding="utf-8"), option_tables.schemas()
    assert {*re.findall(r"\{\{ (\w+) \}\}", page)} == {*tables}
    told = "".join(tables.values())
    for fields in FIELDS.values():
        assert all(f"<code>{field}</code>" in told for field in fields)
