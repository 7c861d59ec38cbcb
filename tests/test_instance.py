"""Instances and the constants of the paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.exact import NotExact, Q
from verifier.papers.yun2020.instance import Instance

small = st.builds(Instance, st.integers(1, 3), st.integers(2, 5), st.integers(2, 7))


@pytest.mark.parametrize("parts", [(0, 2, 2), (1, 1, 2), (1, 2, 1), (-1, 2, 2), (1.0, 2, 2), (1, True, 2), ("1", 2, 2)])
def test_instances_out_of_range_are_turned_away(parts):
    with pytest.raises(NotExact):
        Instance(*parts)


def test_the_constants_of_the_example_in_the_paper_s_letters():
    i = Instance(1, 3, 4)
    assert (i.delta, i.B, i.u, i.sentinel) == (Q(1, 4), 4, (1,), -64)
    assert (i.t_l, i.t_r) == (3072, 12288)
    assert (i.lemma10_lower, i.lemma10_upper) == (12, Q(183, 4))
    assert i.levels == (0, Q(1, 4), Q(1, 2), Q(3, 4))


@given(small)
def test_the_constants_are_the_paper_s_powers_of_delta(i):
    d, n, delta = i.d, i.n, i.delta

    def power(exponent):  # delta^-exponent
        return 1 / delta**exponent if exponent >= 0 else delta**-exponent

    assert power(d) == i.B
    assert i.u == tuple(power(k) for k in range(d))
    assert i.sentinel == -power(n * d)
    assert i.entries == tuple(k * delta for k in range(i.N))
    assert i.levels[0] == 0
    assert i.levels[-1] == power(d - 1) - delta
    assert i.t_l == power(2 * n * d) * delta * (power(d) - 1)
    assert i.t_r == power((2 * n + 1) * d) * delta * (power(d) - 1)
    assert i.lemma10_lower == power((n - 1) * d) * delta * (power(d) - 1)
    assert i.lemma10_upper == power(n * d) * delta * (power(d) - 1) - delta * (power(d) - 1) ** 2
    assert i.sweep_factor == power(d)
    assert i.global_factor == power((n + 1) * d)
    assert i.sentinel_id_bound == -power(n * d) + power(d - 1) - 1
    assert i.category3_shift_bound == power((n + 1) * d) * delta
    assert i.category3_final_bound == power((2 * n + 2) * d) * delta
