"""Formulas of a page as MathML, typeset from the tree: no text is read back."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from verifier.catalogue import pages
from verifier.language.library import text_of
from verifier.language.parse import parse
from verifier.report.formula import lines


def typeset(line):
    claim = parse(f'language 1\nclaim a.b, own, "-", once:\n  "-"\n  {line}\n').claims["a.b"]
    return [told for one in claim.lines for _, told in lines(one)]


def plain(html):
    return unescape(re.sub("<[^>]*>", "", html)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("t_l <= delta^-(n*d)", "tl\u2264δ\u2212n·d"),
        ("q[j] != 2*(a + b)/c", "qj\u22602·(a+b)c"),
        ("for j in 1..n if a: x[j] >= 0", "xj\u22650, for j=1…n, if a"),
        ("abs(a) = fact(n)", "|a|=n!"),
        ("for all t: t < 1", "t<1, for all t\u2208\u211d"),
        ("x = (1 if a else 2)", "x={1if a2else"),
        ("within L as a, b: b > a", "b>a, for a\u2264b of L in one case"),
    ],
)
def test_a_line_as_papers_write_it(line, said):
    (told,) = typeset(line)
    ElementTree.fromstring(f"<div>{told}</div>")
    assert plain(told) == said


def test_a_fraction_a_sum_and_an_index_are_drawn_so():
    (told,) = typeset("sum(x[k] for k in 1..n)/n = 1")
    assert all(f"<{tag}>" in told for tag in ("mfrac", "munderover", "msub"))


@pytest.mark.parametrize("name", pages())
def test_every_line_of_every_page_can_be_typeset(name):
    for claim in parse(text_of(pages()[name])).claims.values():
        for line in claim.lines:
            for _, told in lines(line):
                ElementTree.fromstring(f"<div>{told}</div>")
                assert plain(told).strip()
