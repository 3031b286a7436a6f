"""A math renderer for Sphinx: formulas are drawn by MathJax while the site is built."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from docutils import nodes
from lighter import as_used, spoken
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).parent


class Drawer:
    """MathJax in a process of its own, started at the first formula of each writer of pages."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.writer = 0  # The process that writes pages with it
        self.drawn: dict[tuple[str, bool], str] = {}

    def draw(self, tex: str, display: bool) -> str:
        """A formula as SVG for the eye and MathML for a screen reader."""
        if (tex, display) not in self.drawn:
            answer = self.ask({"tex": tex, "display": display})
            if "error" in answer:
                raise ExtensionError(f"{answer['error']} in the formula {tex!r}")
            svg = as_used(answer["svg"]).replace("<svg ", '<svg aria-hidden="true" ', 1)
            aloud = f'<span class="formula-spoken">{spoken(answer["mathml"])}</span>'
            self.drawn[tex, display] = svg + aloud
        return self.drawn[tex, display]

    def ask(self, question: dict[str, Any]) -> dict[str, str]:
        """One line to MathJax, one line back."""
        if self.writer != os.getpid():
            self.writer = os.getpid()
            self.process = subprocess.Popen(
                ["node", "formulas.cjs"], cwd=HERE, text=True, encoding="utf-8",
                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process and self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ExtensionError("MathJax stopped: is docs/node_modules complete?")
        return dict(json.loads(line))

    def close(self, app: Sphinx, error: Exception | None) -> None:
        """End the process together with the build."""
        if self.process:
            assert self.process.stdin and self.process.stdout
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    drawer = Drawer()

    def inline(self: HTML5Translator, node: nodes.math) -> None:
        self.body.append(f'<span class="math">{drawer.draw(node.astext(), False)}</span>')
        raise nodes.SkipNode

    def block(self: HTML5Translator, node: nodes.math_block) -> None:
        self.body.append(f'<div class="math">{drawer.draw(node.astext(), True)}</div>')
        raise nodes.SkipNode

    app.add_html_math_renderer("drawn", (inline, None), (block, None))
    app.connect("build-finished", drawer.close)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
