"""How Sphinx builds the site. `make site` gathers the pages and calls it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

import coming
import installed
import option_tables
import pictures

import bleu_nb

project = "bleu_nb"
author = "The bleu_nb authors"
version = release = bleu_nb.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.githubpages",
              "reference", "formulas", "accessible", "terms", "lighter", "described", "searched",
              "screens", "looks", "unbroken"]
html_math_renderer = "drawn"

# The tests keep the stored outputs fresh, so that nothing runs here.
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "substitution", "tasklist"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
myst_substitutions = {**pictures.substitutions(), **installed.lines(), **coming.coming(),
                      **option_tables.schemas()}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_param = False     # A list, whose types are not links
napoleon_use_ivar = True       # Autodoc has an entry for each attribute
napoleon_use_rtype = False
maximum_signature_line_length = 60
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "bleu_nb"
html_favicon = "static/favicon.svg"
html_static_path = ["static"]
html_extra_path = ["extra"]     # The page for what is missing
html_css_files = ["site.css", "looks.css", "chapters.css", "recipes.css"]
html_js_files = [("site.js", {"defer": "defer"}), ("chapters.js", {"type": "module"})]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-foreground-primary": "#1c2127",
        "color-brand-primary": "#00588a",
        "color-brand-content": "#00588a",
        "color-brand-visited": "#00588a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cc0f0",
        "color-brand-content": "#6cc0f0",
        "color-brand-visited": "#6cc0f0",
    },
    "top_of_page_buttons": [],
}
