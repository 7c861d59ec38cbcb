"""Formulas in the text of the site: what verifier/report/sentences.py finds becomes MathML, in headings and tables too.

It works on what Sphinx has read, where text, code and links are apart. In the page on certificates each quotation is
what stands in a certificate, so that its bytes are given below it.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from docutils import nodes
from generate import code_as_formula
from sphinx.transforms import SphinxTransform

from verifier.report.markup import el
from verifier.report.mathml import formula
from verifier.report.sentences import pieces

QUOTED = ("reference/certificate",)
KEPT = (nodes.FixedTextElement, nodes.literal, nodes.raw, nodes.comment)


class Typeset(nodes.Inline, nodes.Element):
    """A formula; as plain text, which titles and the search take, as it is written."""

    def astext(self) -> str:
        return str(self["text"])


def shown(self: Any, node: Typeset) -> None:
    self.body.append(formula(node["text"]))
    raise nodes.SkipNode


def parts(text: str) -> Iterator[nodes.Node]:
    for part, is_formula in pieces(text):
        yield Typeset(text=" ".join(part.split())) if is_formula else nodes.Text(part)


class Formulas(SphinxTransform):
    default_priority = 700

    def apply(self, **_: Any) -> None:
        if self.env.docname in QUOTED:
            for quote in list(self.document.findall(nodes.block_quote)):
                said = " ".join(quote.astext().split())
                bytes_ = el("details", el("summary", "byte for byte"), el("pre", said), class_="bytes")
                quote.append(nodes.raw("", bytes_, format="html"))
        for code in list(self.document.findall(nodes.literal)):
            if text := code_as_formula(code.astext(), self.env.docname):
                code.replace_self(Typeset(text=text))
        for node in list(self.document.findall(nodes.TextElement)):
            if not isinstance(node, KEPT):
                typeset(node)


def typeset(node: nodes.TextElement) -> None:
    """Neighbouring pieces of text, which Markdown makes of lines, are one text."""
    made: list[nodes.Node] = []
    for is_text, group in groupby(node.children, lambda child: isinstance(child, nodes.Text)):
        children = list(group)
        made += parts("".join(child.astext() for child in children)) if is_text else children
    node.children = []
    node.extend(made)
