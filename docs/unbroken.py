"""Where code may break across lines: after a field of a signature, and never inside an option."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

PRE = re.compile(r"(<pre\b[^>]*>)(.*?)(</pre>)", re.DOTALL)
FIELD = r"[a-z#]\w*:[^|\s<>']+(?: \d+)?"
SIGNATURE = re.compile(rf"(?:BLEU\|)?{FIELD}(?:\|{FIELD}){{2,}}")
HYPHENATED = re.compile(r"(?<![\w&;-])-{0,2}\w[\w.]*(?:-\w+)*")
INLINE = re.compile(r'<span class="pre">(?=[^<]*-)([^<]{1,30})</span>')
LONGEST = 30  # Characters of a field that a phone has room for
TAG = re.compile(r"(<[^>]*>)")


def between_fields(signature: re.Match[str]) -> str:
    """A signature that may break after each bar, and nowhere else."""
    *most, last = signature[0].split("|")
    fields = [*(f"{each}|" for each in most), last]
    kept = [f'<span class="whole">{each}</span>' if len(each) <= LONGEST else each
            for each in fields]
    return f'<span class="signature">{"<wbr>".join(kept)}</span>'


def signatures_whole(body: str) -> str:
    """A page whose signatures, in blocks of code, may break between two fields only."""
    return PRE.sub(lambda block: block[1] + SIGNATURE.sub(between_fields, block[2]) + block[3],
                   body)


def words_whole(code: str) -> str:
    """Code in colors whose options and names do not break at a hyphen."""
    def whole(word: re.Match[str]) -> str:
        return f'<span class="whole">{word[0]}</span>' if "-" in word[0] else word[0]

    return "".join(each if each.startswith("<") else HYPHENATED.sub(whole, each)
                   for each in TAG.split(code))


def keep_whole(app: Sphinx, page: str, template: str, context: dict[str, Any],
               doctree: nodes.document | None) -> None:
    """Mark, in place, where a page's signatures may break, and words that may not."""
    if "body" in context:
        body = INLINE.sub(r'<span class="pre whole">\1</span>', context["body"])
        context["body"] = signatures_whole(body)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is done to every page."""
    app.connect("html-page-context", keep_whole)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
