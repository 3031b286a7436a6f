"""Long pages on few screens: the sections of a page as tabs, or folded but for the first ones.

A page says so before its title: `tabs: NAME` makes each section a tab, in a row of that name, and
`shown: 2` folds what follows the second section, and each section within a section. What is made
here is a row of links, and `details`: without a script, and on paper, nothing is hidden for good.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class Arrange(SphinxPostTransform):
    """Put the sections of a page behind tabs or folds."""

    default_priority = 990    # After links are resolved
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        told = self.env.metadata[self.env.docname]
        page = next(iter(self.document.findall(nodes.section)), None)
        if page is None:
            return
        if "tabs" in told:
            as_tabs(page, told["tabs"])
        if "shown" in told:
            for place, section in enumerate(sections_of(page)):
                for part in sections_of(section):
                    fold(part)
                if place >= int(told["shown"]):
                    fold(section)


def sections_of(page: nodes.Element) -> list[nodes.section]:
    """The sections directly within a page or a section."""
    return [each for each in page.children if isinstance(each, nodes.section)]


def fold(section: nodes.section) -> None:
    """Leave of a section, in place, its title, which opens it."""
    title, *rest = section.children
    section.children = []
    section += [html('<details class="fold"><summary>'), title, html("</summary>"), *rest,
                html("</details>")]


def as_tabs(page: nodes.section, name: str) -> None:
    """Put sections, in place, into a box that begins with a row of links to them."""
    sections = sections_of(page)
    links = "".join(f'<a href="#{each["ids"][0]}">{nodes.title.astext(each[0])}</a>'
                    for each in sections)
    box = nodes.container(classes=["tabs"])
    box += html(f'<div class="tab-row" aria-label="{name}">{links}</div>')
    page.insert(page.index(sections[0]), box)
    for each in sections:
        page.remove(each)
        box += each


def html(markup: str) -> nodes.raw:
    """Markup as it is."""
    return nodes.raw("", markup, format="html")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the transform."""
    app.add_post_transform(Arrange)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
