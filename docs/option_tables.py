"""The reference of the command line, made from its parsers."""

import argparse
import re
from collections.abc import Iterator, Mapping
from html import escape

from bleu_nb.cli.command import COMMANDS, EXAMPLES, command_parser
from bleu_nb.cli.options import IN_HELP, meaning_of
from bleu_nb.dialects.table import CHOICES
from bleu_nb.display.tables import FIELDS

BACKTICKED = re.compile(r"(?<![\w`-])(--[a-z][\w-]*|(?<= )-(?= is)|[A-Z]{4,}(?![\w]))(?!`)")
USAGE = re.compile(r"^usage: ", re.MULTILINE)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Name -> parser of each command."""
    [action] = (each for each in command_parser()._actions
                if isinstance(each, argparse._SubParsersAction))
    for each in action.choices.values():
        each.add(*each.entries)
        for rare in rare_of(each):
            rare.help = meaning_of(rare.dest)
    return dict(action.choices)


def sections() -> str:
    """A section of markdown for each command."""
    about, found = {name: told for name, told, *_ in COMMANDS}, parsers()
    rare = next(iter(rare_of(each) for each in found.values() if rare_of(each)))
    return "\n".join([*(section(name, about[name], each) for name, each in found.items()), RARE,
                      options_table("option", rare, "choice")])


SACREBLEU = """This is sacreBLEU's own command with the counting of this package. Its options are
those of sacreBLEU, and `bleu-nb sacrebleu --help` lists them. The command needs sacreBLEU.
"""

RARE = """## Options of a dialect

`score`, `compare`, `pairwise`, `self-bleu` and `mbr` also accept these options. Unset options keep
the dialect's defaults. `bleu-nb dialects --choices` lists the values of each option, and
[Which BLEU is which](dialects.md) lists the options of each tool.
"""


def schemas() -> dict[str, str]:
    """Name -> HTML table of the fields of each schema of JSON."""
    ranked = {f"{name} (of the whole)": said
              for name, said in FIELDS["ranking"].items()}
    tables: dict[str, Mapping[str, str]] = {
        "score": {**FIELDS["score"], **FIELDS["beside score"]},
        "ranked": {**FIELDS["ranked"], **ranked}}
    for name in ("interval", "table", "system", "compared", "explanation", "part",
                 "identification", "match"):
        tables[name] = FIELDS[name]
    return {f"{name}_fields": fields_table(fields) for name, fields in tables.items()}


def fields_table(fields: Mapping[str, str]) -> str:
    """Fields and what they mean."""
    rows = "\n".join(
        f'<tr><th scope="row"><code>{escape(name.partition(" ")[0])}</code>'
        f"{escape(''.join(name.partition(' ')[1:]))}</th><td>{escape(said)}</td></tr>"
        for name, said in fields.items())
    return ('<table class="options">\n<thead><tr><th scope="col">field</th><th scope="col">meaning'
            f"</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>")


def rare_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options that only `--help-all` shows."""
    return [each for each in parser._actions if each.dest in CHOICES and each.dest not in IN_HELP]


def section(name: str, about: str, parser: argparse.ArgumentParser) -> str:
    """What a command does, how it is called, its examples, and all of its options."""
    usage = USAGE.sub("", parser.format_usage()).strip()
    lines = [f"## bleu-nb {name}\n", f"{about[0].upper()}{about[1:]}.\n"]
    if name == "sacrebleu":
        usage = "bleu-nb sacrebleu [OPTIONS] [REFERENCES ...]"
    lines += ["```text", usage, "```\n"]
    if name == "sacrebleu":
        return "\n".join([*lines, SACREBLEU])
    if typed := EXAMPLES.get(name):
        lines += ["```sh", *(f"bleu-nb {each}" for each in typed), "```\n"]
    for title, actions in groups(parser):
        lines += [options_table(title, actions, name), ""]
    if rare_of(parser):
        lines += ["The command also accepts every [option of a dialect](#options-of-a-dialect).\n"]
    return "\n".join(lines)


def groups(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[argparse.Action]]]:
    """The arguments of a parser as its help groups them, those that few need at the end."""
    rare = rare_of(parser)
    for group in parser._action_groups:
        actions = [each for each in group._group_actions
                   if each.help != argparse.SUPPRESS and each not in rare
                   and each.dest != "help"]
        if actions:
            titles = {"positional arguments": "argument", "options": "option"}
            yield titles.get(str(group.title), str(group.title)), actions


def options_table(title: str, actions: list[argparse.Action], command: str) -> str:
    """Arguments and what they mean."""
    rows = "\n".join(
        f'<tr><th scope="row" id="{escape(anchor(command, each))}">{spelled(each)}</th>'
        f"<td>{meaning(each)}</td></tr>" for each in actions)
    return (f'<table class="options">\n<thead><tr><th scope="col">{escape(title)}</th>'
            f'<th scope="col">meaning</th></tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>')


def anchor(command: str, action: argparse.Action) -> str:
    """Where an argument can be linked to, such as `score--systems` or `score-candidates`."""
    names = [each for each in action.option_strings if each.startswith("--")]
    return f"{command}{names[0]}" if names else f"{command}-{action.dest}".lower()


def spelled(action: argparse.Action) -> str:
    """The names of an argument, and what follows them."""
    value = follows(action)
    names = action.option_strings or [value]
    value = value if action.option_strings else ""
    code = " ".join(f"<code>{escape(each)}</code>" for each in names)
    return f"{code} <code>{escape(value)}</code>" if value else code


def follows(action: argparse.Action) -> str:
    """The value of an option, or the name of a positional argument, as in a usage line."""
    if action.nargs == 0:
        return ""
    name = action.metavar if isinstance(action.metavar, str) else (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper())
    return {"+": f"{name} ...", "*": f"{name} ...", "?": f"[{name}]"}.get(str(action.nargs), name)


def meaning(action: argparse.Action) -> str:
    """The help of an argument, with options in it as code."""
    told = escape(str(action.help or "").replace("%%", "%"), quote=False)
    return BACKTICKED.sub(r"<code>\1</code>", told)
