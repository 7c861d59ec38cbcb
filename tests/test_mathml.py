"""The formulas' plain notation as MathML."""

import xml.etree.ElementTree as ET

import pytest

from verifier.catalogue import all_claims
from verifier.report.mathml import formula, mathml


def text(markup):
    return "".join(ET.fromstring(markup).itertext()).replace("\u00a0", " ")


@pytest.mark.parametrize("claim", all_claims().values(), ids=lambda claim: claim.id)
def test_every_formula_can_be_read_and_loses_nothing(claim):
    markup = mathml(claim.formula)
    assert markup is not None
    shown = text(markup)
    signs = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "||": "‖", "...": "…"}
    for plain, sign in signs.items():
        assert shown.count(sign) == claim.formula.count(plain)
    for plain, sign in {"delta": "δ", "lambda": "λ", "psi": "ψ"}.items():
        assert shown.count(sign) == claim.formula.count(plain)
    for mark in "()":  # those of an exponent may go where they say nothing
        assert shown.count(mark) <= claim.formula.count(mark)
    assert ET.fromstring(markup).get("alttext") == claim.formula


@pytest.mark.parametrize(
    ("plain", "markup"),
    [
        ("x", "<mi>x</mi>"),
        ("x_j", "<msub><mi>x</mi><mrow><mi>j</mi></mrow></msub>"),
        ("N^(dn)", "<msup><mi>N</mi><mrow><mrow><mi>d</mi><mi>n</mi></mrow></mrow></msup>"),
        ("delta^-d", "<msup><mi>δ</mi><mrow><mo>−</mo><mi>d</mi></mrow></msup>"),
        ("l~", '<mover accent="true"><mi>l</mi><mo stretchy="false">˜</mo></mover>'),
        ("G+", "<msup><mi>G</mi><mo>+</mo></msup>"),
    ],
)
def test_atoms(plain, markup):
    assert mathml(plain).partition(">")[2] == f"<mrow>{markup}</mrow></math>"


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("delta^-d+1 - delta", "δ−d+1−δ"),  # what touches is raised
        ("delta^-(d-1)", "δ−(d−1)"),  # these parentheses say something
        ("delta^-(nd)", "δ−nd"),
        ("L in G+ minus G~", "L∈G+\\G˜"),
        ("is the same in L", "is the same in L"),
        ("[l_1, b)", "[l1,b)"),
        ("|u^T (A_L)_j| < 1", "|uT(AL)j|<1"),
        ("R^(d x n)", "Rd×n"),
        ("N = 1,048,575", "N=1,048,575"),
        ("n(n-1)/2 . delta^d", "n(n−1)/2·δd"),
        ("q(L')_j", "q(L′)j"),
        ("sum_{k=1}^{j-1} k", "∑k=1j−1k"),
        ("distance^p <= delta", "distancep≤δ"),
        ("eps < epsilon eta", "ε<ϵη"),
    ],
)
def test_what_is_meant(plain, shown):
    assert text(mathml(plain)) == shown


@pytest.mark.parametrize(
    "plain", ["", "(x", "x)", "x]", "x_", "x^", "|x", "a sentence. And more", "<b>", "x & y", "\\x"]
)
def test_what_cant_be_read_stands_as_it_is_written(plain):
    if mathml(plain) is not None:  # `<b>` is a comparison
        assert "<b>" not in formula(plain)
    else:
        assert ET.fromstring(formula(plain))[0].tag == "code"
        assert text(formula(plain)) == plain
