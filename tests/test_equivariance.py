"""Claim 1, with symbols for every entry and weight; and that it fails for layers that are not equivariant."""

import subprocess
import sys
from operator import add, mul, truediv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.catalogue import choose
from verifier.core import layers
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.terms import differ, function, symbol
from verifier.run.verify import verify


def claim1(*parts):
    return verify(contextual_map(Instance(*parts)), choose(["claim1"]))


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 2), (2, 2, 2), (2, 3, 2), (3, 2, 2), (1, 4, 2)])
def test_attention_and_feed_forward_layers_commute_with_permutations(parts):
    result = claim1(*parts)
    assert result.verdict == "holds"
    assert [finding.verdict for finding in result.findings] == ["holds", "holds"]


def test_too_many_symbols_are_skipped_and_not_passed_over():
    result = claim1(1, 6, 2)
    assert result.verdict == "incomplete"
    assert "n = 6" in result["claim1.attention"].why


def test_a_hardmax_that_takes_the_first_of_ties_is_refuted(monkeypatch):
    def first(scores):
        winner = max(range(len(scores)), key=lambda i: scores[i])
        return tuple(Q(int(i == winner)) for i in range(len(scores)))

    monkeypatch.setattr(layers, "hardmax", first)
    assert claim1(1, 2, 2).refuted == ["claim1.attention"]


def test_a_causal_mask_is_refuted(monkeypatch):
    def causal(W_V, W_K, W_Q, b_Q, X, sigma=layers.hardmax, **_):
        scores = layers.product(layers.transpose(layers.product(W_K, X)), layers.add_bias(layers.product(W_Q, X), b_Q))
        n = len(scores)
        masked = [[*sigma([scores[i][j] for i in range(j + 1)]), *[0] * (n - 1 - j)] for j in range(n)]
        return layers.product(layers.product(W_V, X), layers.transpose(masked))

    monkeypatch.setattr(layers, "head_value", causal)
    finding = claim1(1, 2, 2)["claim1.attention"]
    assert finding.verdict == "refuted"
    assert finding.counterexample.relation.value > 0


def test_a_feed_forward_layer_that_numbers_its_tokens_is_refuted(monkeypatch):
    def numbered(W_1, b_1, W_2, b_2, Z, phi):
        Z = [[z + j for j, z in enumerate(row)] for row in Z]
        hidden = [[phi(t) for t in row] for row in layers.add_bias(layers.product(W_1, Z), b_1)]
        return layers.add(Z, layers.add_bias(layers.product(W_2, hidden), b_2))

    monkeypatch.setattr(layers, "feed_forward", numbered)
    assert claim1(1, 2, 2).refuted == ["claim1.feedforward"]


# Formulas as data

names = st.sampled_from("xyz").map(symbol)
formulas = st.recursive(
    names | st.integers(-2, 3).map(lambda k: symbol("x") * k + k),
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(mul, inner, inner),
        st.builds(truediv, inner, names),
        inner.map(function("phi")),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(formulas, formulas, formulas)
def test_equal_terms_are_equal_functions_and_other_functions_differ(a, b, c):
    """Order and brackets don't matter; what else is equal is left to sympy, and so is what differs."""
    assert a + b + c == c + (b + a)
    assert a * b * c == c * (b * a)
    assert not differ((a + b) * c, a * c + b * c)
    assert not differ(a / symbol("x") * symbol("x"), a)
    assert differ(a, a + symbol("w"))


def test_no_layer_of_the_paper_needs_sympy():
    """It takes a second to load, and a run of all claims is shorter than that."""
    lines = [
        "import sys",
        "from verifier.papers.yun2020.contextual_map import at",
        "from verifier.run.verify import verify",
        "assert verify(at(1, 3, 2), 'claim1').verdict == 'holds'",
        "print('sympy' in sys.modules)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
