"""Theorem 2: blocks and parameters counted by hand, and the layers' form."""

from dataclasses import replace

import pytest

from verifier.core.exact import Q, matrix
from verifier.core.layers import Attention
from verifier.papers.yun2020.claims import theorem2
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


def at(*parts):
    return verify(contextual_map(Instance(*parts)), "theorem2")


def test_the_blocks_by_hand():
    """(1, 2, 2): 2 + 1 of the quantiser, 2 + 1 of the contextual map, 1 + 1 + 2 of the value map; C n B^n / n! = 12."""
    relations = list(theorem2._size(contextual_map(Instance(1, 2, 2))))
    assert [relation.value for relation in relations] == [10, (2, 1, 1), 10, 230]
    assert [relation.bound for relation in relations] == [10, (2, 1, 1), 12, 23 * 12]
    assert all(relation.holds for relation in relations)


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 5), (2, 2, 2), (2, 3, 3), (3, 2, 2), (1, 5, 3)])
def test_the_size_holds_and_the_form_does_not(parts):
    result = at(*parts)
    assert result.refuted == ["theorem2.heads"]


def test_the_layer_that_is_not_odd_by_hand():
    """(1, 2, 2), level 0: the first column, whose id is in (-1/4, 1/4), gains 2 . (max - min) = 1, at X and at -X."""
    counterexample = at(1, 2, 2)["theorem2.heads"].counterexample
    assert counterexample.matrices == (matrix([[0, Q(1, 2)]]),)
    assert counterexample.relation.value == matrix([[1, Q(-1, 2)]])
    assert counterexample.relation.bound == matrix([[-1, Q(-1, 2)]])


def test_without_its_biases_the_layer_is_odd():
    g = contextual_map(Instance(2, 3, 2))
    bare = Attention(tuple(replace(head, b_Q=(0,)) for head in g.sweep.layers[0].heads))
    cases = [theorem2.LayerAt(bare, case.X) for case in theorem2._one_column(g)]
    assert all(relation.holds for case in cases for relation in theorem2._odd(case))


def test_a_count_that_differs_is_refuted(monkeypatch):
    g = contextual_map(Instance(1, 2, 3))
    counted, widths = theorem2._stack(g)
    for wrong in ((counted - 1, widths), (counted, (1, 1, 1)), (100, widths)):
        with monkeypatch.context() as patch:
            patch.setattr(theorem2, "_stack", lambda _, wrong=wrong: wrong)
            assert verify(g, "theorem2.size").refuted == ["theorem2.size"]
