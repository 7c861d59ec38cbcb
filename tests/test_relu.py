"""The ReLU form of an activation, redone by hand, against its definition, and piece by piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.exact import Q
from verifier.core.layers import PiecewiseLinear
from verifier.papers.yun2020.claims.lemma9 import activations
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.relu import Relu, ReluForm, continuous, pieces_between, relu_form

STEP = PiecewiseLinear((0,), ((0, 0), (0, 1)))  # 0 left of 0, else 1
numbers = st.builds(Q, st.integers(-9, 9), st.integers(1, 4))


def test_a_step_is_two_relus():
    form = relu_form(STEP, Q(1, 4))
    assert form == ReluForm(Q(0), (Relu(Q(4), 1, Q(-1, 4)), Relu(Q(-4), 1, Q(0))))
    assert [form(Q(t, 8)) for t in (-3, -2, -1, 0, 5)] == [0, 0, Q(1, 2), 1, 1]


def test_the_papers_form_of_a_function_with_a_constant_first_piece():
    """b_1 + (a_2 c_1 + b_2 - b_1)/eps ReLU(t - c_1 + eps) + (a_2 - ...) ReLU(t - c_1) + ..., App. B.2."""
    c_1, c_2, b_1, a_2, b_2, a_3, b_3, eps = Q(-1), Q(3), Q(7), Q(2), Q(5), Q(-4), Q(1), Q(1, 2)
    phi = PiecewiseLinear((c_1, c_2), ((0, b_1), (a_2, b_2), (a_3, b_3)))
    up_1 = (a_2 * c_1 + b_2 - b_1) / eps
    up_2 = (a_3 * c_2 + b_3 - a_2 * (c_2 - eps) - b_2) / eps
    assert relu_form(phi, eps) == ReluForm(
        b_1,
        (
            Relu(up_1, 1, c_1 - eps),
            Relu(a_2 - up_1, 1, c_1),
            Relu(up_2 - a_2, 1, c_2 - eps),
            Relu(a_3 - up_2, 1, c_2),
        ),
    )


def test_a_constant_last_piece_is_mirrored():
    """-t left of 0, else 0: ReLU(-t), and exactly so."""
    phi = PiecewiseLinear((0,), ((-1, 0), (0, 0)))
    assert relu_form(phi, Q(1, 4)) == ReluForm(Q(0), (Relu(Q(1), -1, Q(0)),))
    assert relu_form(phi, Q(1, 4)).function() == phi


def test_how_many_relus_the_activations_take():
    assert [len(relu_form(phi, Q(1, 8)).relus) for phi in activations(Instance(1, 2, 2))] == [4, 3, 4, 1, 4, 4, 4, 4]


@given(st.integers(0, 2), st.lists(numbers, min_size=2, max_size=2, unique=True), st.data())
def test_the_form_is_phi_off_the_intervals_and_a_line_on_them(constant, breaks, data):
    c_1, c_2 = breaks = sorted(breaks)
    pieces = [(Q(0) if k == constant else data.draw(numbers), data.draw(numbers)) for k in range(3)]
    phi = PiecewiseLinear(tuple(breaks), tuple(pieces))
    eps = (c_2 - c_1) * data.draw(st.sampled_from([Q(1, 2), Q(1, 7), Q(99, 100)]))
    form = relu_form(phi, eps)
    assert len(form.relus) <= 4
    assert form.function() == continuous(phi, eps)
    for t in [*(c_1 + eps * Q(k, 6) for k in range(-20, 20)), *(c_2 + eps * Q(k, 6) for k in range(-20, 20))]:
        assert form(t) == form.function()(t)
        for c in breaks:
            if c - eps <= t < c:
                left, right = phi(c - eps), phi(c)
                assert form(t) == left + (right - left) * (t - c + eps) / eps
                break
        else:
            assert form(t) == phi(t)


def test_only_a_width_that_leaves_something_of_each_piece_will_do():
    phi = PiecewiseLinear((0, 1), ((0, 0), (1, 0), (0, 0)))
    for eps in (Q(0), Q(1), Q(-1)):
        with pytest.raises(ValueError, match="eps"):
            relu_form(phi, eps)
    with pytest.raises(ValueError, match="no piece of phi is constant"):
        relu_form(PiecewiseLinear((0,), ((1, 0), (1, 1))), Q(1, 2))


def test_the_pieces_that_meet_an_interval():
    f = PiecewiseLinear((0, 1), ((0, 5), (0, 6), (0, 7)))
    assert [b for _, b in pieces_between(f, None, None)] == [5, 6, 7]
    assert [b for _, b in pieces_between(f, Q(0), Q(1))] == [6]
    assert [b for _, b in pieces_between(f, Q(-1), Q(1, 2))] == [5, 6]
    assert [b for _, b in pieces_between(f, Q(1), None)] == [7]
    assert [b for _, b in pieces_between(f, None, Q(0))] == [5]
