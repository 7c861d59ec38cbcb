"""The site: `make docs` builds docs/ into site/. A marker on a page stands for what generate.py makes."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import browser  # noqa: E402
import generate  # noqa: E402

from verifier.report.lexer import PageLexer  # noqa: E402

project = html_title = "verifier"
author = "the verifier contributors"
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_use_index = False
html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
nitpicky = True
smartquotes = False  # L' and ... stay what the commands print


def fill(app, name, source):  # noqa: ARG001 - Sphinx calls it so
    source[0] = generate.fill(source[0], name)


def finish(app, error):
    if not error:
        browser.build(Path(app.outdir) / "try")


def setup(app):
    app.connect("source-read", fill)
    app.connect("build-finished", finish)
    app.add_lexer("page", PageLexer)
