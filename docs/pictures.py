"""What pages show of the package itself: figures, the table of dialects, measured speed."""

import inspect
import json
import re
import sys
from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import front

import bleu_nb
from bleu_nb import DIALECTS, Bleu, explain, list_dialects
from bleu_nb.dialects.table import CHOICES

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
sys.path += [str(BENCHMARKS), str(Path(__file__).parent.parent / "tools")]
measuring = import_module("measuring")  # Of the benchmarks: records as rows and columns
book = import_module("book")  # Of the tools: how notebooks store pictures
PLAYGROUND = Path(__file__).parent / "playground"
NAMING = ("name", "version", "source")
MEASURED = (    # Records on the page *All measurements*
    "corpora", "sentences", "tokens", "loops", "files", "growth", "kinds", "dropins")
AIMS = ("goal", "met")  # Columns for those who change the package
SUMMARIES = {"sentences": "single sentences", "files": "commands on files",
             "kinds": "kinds of text"}
QUOTED = re.compile(r"`([^`]+)`")
HEADLINE = "100,000 segments, 1 reference"
CONTENDERS = {
    "bleu_nb: numba, one thread": "<b>bleu_nb[fast]</b>, one core",
    "bleu_nb: numpy, one thread": "<b>bleu_nb</b>, one core",
    "bleu_nb: plain Python": "<b>bleu_nb</b> in plain Python",
    "bleuscore (Rust), every core": "bleuscore (Rust), every core",
    "nltk, from tokens": "nltk, from tokens", "torchtext, from tokens": "torchtext, from tokens",
    "sacreBLEU": "sacreBLEU", "torchmetrics": "torchmetrics",
}


def substitutions() -> dict[str, str]:
    """Name -> HTML that a page can show by writing the name in double braces."""
    return {
        **front.front(),
        "two_tools": two_tools(human()),
        "why": two_tools([(line,) for line in lines("reference_1")]),
        "chance": chance(),
        "ahead": f"{ahead():.2f}",
        "api": top_level(),
        "dialects": dialect_table(),
        "number_of_dialects": str(len(DIALECTS)),
        "number_of_distinct": str(len(alike())),
        "same": same(),
        "against": against(),
        "choices": choice_table(),
        "speed": speed(BENCHMARKS),
        "measurements": measurements(BENCHMARKS),
        "playground": playground(),
    }


def playground() -> str:
    """The playground's page, with the answer to its first example."""
    sys.path.append(str(PLAYGROUND))
    page: str = import_module("first_answer").page()
    return without_blank_lines(page)


def two_tools(references: Sequence[tuple[str, ...]]) -> str:
    """How two tools come to two scores of the example, without the table below the figure."""
    whole = drawn(explain(lines("kestrel"), references, "nltk", "sacrebleu"))
    return whole.partition('<div class="bn-wide">')[0] + "</div></div>"


def ahead() -> float:
    """How many points one system of the example has more than the other."""
    one, other = (Bleu()(lines(name), human()).value for name in ("heron", "kestrel"))
    return other - one


def chance() -> str:
    """Two systems whose outputs were swapped at random, many times: the figure of chapter 8.7."""
    cells = json.loads(book.notebook("07_significance_charts").read_text("utf-8"))["cells"]
    stored = next(cell["outputs"][0]["data"]["text/html"] for cell in cells
                  if cell["id"] == "20bdfbc3")
    return drawn("".join(stored))


def human() -> list[tuple[str, ...]]:
    """Both references of every line of the example."""
    return list(zip(lines("reference_1"), lines("reference_2"), strict=True))


def lines(name: str) -> list[str]:
    """One file of the example that the package ships."""
    path = resources.files("bleu_nb") / "example" / f"{name}.txt"
    return path.read_text("utf-8").splitlines()


def drawn(thing: Any) -> str:
    """HTML, or what shows itself as HTML, in a box that scrolls where it is narrow."""
    html = thing if isinstance(thing, str) else thing._repr_html_()
    return f'<div class="drawn">{without_blank_lines(book.inline(html))}</div>'


def without_blank_lines(html: str) -> str:
    """The same HTML; in markdown a blank line would end it."""
    return "\n".join(line for line in html.splitlines() if line.strip())


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "sortable") -> str:
    """A table, its cells HTML already; the first cell of a row names the row."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' if text else "<td></td>"
                   for text in heads)
    body = "\n".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for first, *rest in rows)
    return (f'<div class="table-wrapper"><table class="{kind}">\n<thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{body}\n</tbody>\n</table></div>")


def dialect_table() -> str:
    """Every named row, its own address, how it differs from sacreBLEU, and which are the same."""
    rows = []
    groups = {name: group for group in alike() for name in group}
    for name, row in list_dialects().items():
        address, _, part = row["source"].partition(", ")
        link = f'<a href="{escape(address)}">{escape(part or host(address))}</a>'
        changed = {key: value for key, value in row.items() if key not in NAMING}
        told = ", ".join(
            f"{escape(key.replace('_', ' '))} <code>{escape(worded(value))}</code>"
            for key, value in changed.items())
        others = ", ".join(named(other) for other in groups[name] if other != name)
        if others:
            told += f'<span class="dl-same">the same as {others}</span>'
        rows.append((named(name), escape(row["version"]), str(len(changed)),
                     told or "nothing: it is the default", link))
    heads = ("dialect", "version", "choices", "what differs from sacreBLEU", "tool")
    drawn = table(heads, rows, "sortable dialects")
    for name, row in list_dialects().items():
        changed = {key: worded(value) for key, value in row.items() if key not in NAMING}
        drawn = drawn.replace(
            f'<tr><th scope="row">{named(name)}</th>',
            f'<tr data-name="{escape(name)}" data-choices="{escape(json.dumps(changed))}">'
            f'<th scope="row" id="{escape(name)}">{named(name)}</th>', 1)
    return drawn


def named(name: str) -> str:
    """A dialect as a link to its row."""
    return f'<a class="dl-name" href="#{escape(name)}"><code>{escape(name)}</code></a>'


def alike() -> list[list[str]]:
    """The names of the dialects, those together that differ in nothing else."""
    groups: dict[str, list[str]] = {}
    for name, row in list_dialects().items():
        choices = {key: repr(value) for key, value in row.items() if key not in NAMING}
        groups.setdefault(json.dumps(choices, sort_keys=True), []).append(name)
    return [*groups.values()]


def same() -> str:
    """Which names stand for the same choices, as text."""
    told = [" = ".join(map(named, group)) for group in alike() if len(group) > 1]
    return f'<span class="dl-alike">{"; ".join(told)}</span>'


def against() -> str:
    """Where a reader chooses two rows; a script shows it, and says what differs."""
    default = {name: worded(getattr(DIALECTS["sacrebleu"], name)) for name in CHOICES}
    boat = {"c": front.CANDIDATE, "r": "\n".join(front.REFERENCES)}
    first, second = (
        "".join(f'<option{" selected" if name == chosen else ""}>{escape(name)}</option>'
                for name in list_dialects()) for chosen in ("nltk", "sacrebleu"))
    return (
        '<p class="dl-static">On your files: <code>bleu-nb explain --from nltk --to sacrebleu '
        'output.txt reference.txt</code></p>\n'
        f'<div class="dl-against" data-default="{escape(json.dumps(default))}" '
        f'data-example="{escape(json.dumps(boat)).replace(chr(10), " ")}" hidden>'
        f'<div class="dl-pair"><label>From <select name="from">{first}</select></label> '
        f'<label>to <select name="to">{second}</select></label></div>'
        '<div class="dl-differs" role="status"></div></div>')


def top_level() -> str:
    """What the package itself offers, as a table in markdown."""
    told = []
    for name in bleu_nb.__all__:
        thing = getattr(bleu_nb, name)
        doc = inspect.getdoc(thing) if callable(thing) else f"Table of {len(thing)} names."
        told.append(f"| `{name}` | {str(doc).splitlines()[0]} |")
    return "\n".join(["| name | what it is |", "|---|---|", *told])


def host(address: str) -> str:
    """The last part of an address, as a short name for a link."""
    return address.split("//")[1].rstrip("/").split("/")[-1]


def worded(value: Any) -> str:
    """A choice as one would say it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def choice_table() -> str:
    """The columns that make up a dialect, and sacreBLEU's entry in each."""
    default = DIALECTS["sacrebleu"]
    rows = [(f"<code>{name}</code>", f"<code>{escape(worded(getattr(default, name)))}</code>",
             escape(choice.says)) for name, choice in CHOICES.items()]
    return table(("option", "sacreBLEU", "meaning"), rows, "choices")


def records(folder: Path) -> dict[str, Any]:
    """The records that the site shows, by part."""
    return {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
            for name in MEASURED if (folder / f"{name}.json").exists()}


def speed(folder: Path) -> str:
    """The two charts of the page Speed, or a sentence that says why there are none."""
    found = records(folder)
    if MEASURED[0] not in found:
        return ("<p>This site was built without the records of the benchmarks: the file "
                f"<code>{folder.name}/{MEASURED[0]}.json</code> does not exist.</p>")
    parts = [faster(found[MEASURED[0]])]
    figure = folder / "growth.svg"
    if figure.exists():
        text = without_blank_lines(figure.read_text(encoding="utf-8"))
        parts += ["<p><strong>Time and memory by segments</strong></p>",
                  f'<div class="drawn">{text}</div>']
    return "\n".join(parts)


def measurements(folder: Path) -> str:
    """The tables of the records, with the machine and the method of each."""
    def told(text: str) -> str:
        return QUOTED.sub(r"<code>\1</code>", escape(text))

    parts = []
    for name, report in records(folder).items():
        parts.append(f"<p>On {escape(measuring.where(report))}</p>")
        for title, rows in report["tables"].items():
            if rows:
                heads, *cells = measuring.grid(
                    [{head: row[head] for head in row if head not in AIMS} for row in rows])
                called = f"Summary of {SUMMARIES[name]}" if title == "Goals" else title
                parts += [f'<details class="fold"><summary><h2>{escape(called)}</h2></summary>',
                          table(heads, [list(map(told, row)) for row in cells]),
                          "</details>"]
        parts.append(f"<p>{told(report['method'])}</p>")
    return "\n".join(parts)


def faster(report: dict[str, Any]) -> str:
    """How many times as fast as sacreBLEU each contender is, as a sentence and a bar chart."""
    times = {row["what"]: row["times faster than sacreBLEU"]["median"]
             for row in report["tables"][HEADLINE]}
    fast, plain = (times[f"bleu_nb: {engine}, one thread"] for engine in ("numba", "numpy"))
    rows = "".join(
        f'<tr><th scope="row">{CONTENDERS[name]}</th><td><i style="--share:'
        f'{ratio / fast:.4f}"></i></td><td>{ratio:.{int(ratio < 10)}f} ×</td></tr>'
        for name, ratio in sorted(times.items(), key=lambda pair: -pair[1]) if name in CONTENDERS)
    return (f'<p class="lead">On one core, <code>bleu_nb</code> is {plain:.0f} times as fast as '
            f'sacreBLEU, and {fast:.0f} times with <code>[fast]</code>. The scores are '
            'equal to the last bit.</p>\n<table class="bars"><caption>Speed relative to sacreBLEU '
            f"on {HEADLINE.replace(', 1', ' of news, one')} "
            f"(bleu_nb {escape(report['versions']['bleu_nb'])}, "
            f"Python {escape(report['python'])}, {escape(report['machine']['cpu'])}, "
            f"{report['machine']['cores']} cores)</caption>\n<tbody>{rows}</tbody></table>")
