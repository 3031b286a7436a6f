"""The playground's page as it is before Python has come: with the answer to its first example."""

from html import escape
from pathlib import Path
from string import Template

from bridge_examples import EXAMPLES
from bridge_sentence import scored

HERE = Path(__file__).parent


def in_one_line(text: str) -> str:
    """Text as HTML, in which no line is empty: in Markdown an empty line would end it."""
    return escape(text).replace("\n", "&#10;")


def page() -> str:
    """`page.html` with the first example, its score and its pictures."""
    first = EXAMPLES[0]
    found = scored(first)
    pictures = ("alignment", "anatomy", "explanation")
    digits = 2 if found["scale"] > 1 else 4
    apart = ("playground.js", "worker.js")  # Not modules of the page
    names = sorted(path.name for path in HERE.glob("*.js") if path.name not in apart)
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(
        modules="".join(f'<link rel="modulepreload" href="_static/playground/{name}">'
                        for name in names),
        examples="".join(f'<button type="button" disabled>{escape(each["name"])}</button>'
                         for each in EXAMPLES),
        candidate=escape(first["candidate"]),
        references=in_one_line("\n".join(first["references"])),
        value=f"{float(found['value']):.{digits}f}",
        exact=found["value"],
        scale=found["scale"],
        line=escape(found["line"]),
        call=in_one_line(found["call"]),
        text=in_one_line(found["explanation"]["text"]),
        **{name: '<div class="bn-wide bn-both">{markup}{narrow}</div>'.format(**found[name])
           for name in pictures},
    )
