"""The networks of Theorems 2 and 3 as weights: exact, with hardmax, at every point that the proofs call good."""

from dataclasses import replace
from fractions import Fraction as Q
from itertools import permutations

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from build_truth import run_blocks
from verifier.build import theorem2 as net
from verifier.build.layer import run
from verifier.build.paper import contextual_map
from verifier.build.sizes import Sizes
from verifier.core.exact import columns_of, dot

F = Q(3)
RATE = Q(1000)  # any: hardmax takes no notice of it
INSTANCES = [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 4), (1, 1, 3), (2, 1, 2)]
ALL_CELLS = [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 2), (1, 1, 3), (2, 1, 2)]


def width(N):
    return Q(1, 5 * N)


def equivariant(N):
    """X -> X times its mean, at the corners of cells: within [-1, 1]."""

    def target(K):
        mean = Q(sum(map(sum, K)), N * len(K) * len(K[0]))
        return [[Q(k, N) * mean for k in row] for row in K]

    return target


def anything(N):
    """Not equivariant: column j is told from column 0."""
    return lambda K: [[Q((j + 1) * k - i, N * len(row)) for j, k in enumerate(row)] for i, row in enumerate(K)]


def good_points(N, K, e):
    """Three points of the cell K, off its strip: [k/N, (k+1)/N - e] in every entry."""
    for share in (Q(0), Q(1, 2), Q(1)):
        yield tuple(tuple(Q(k, N) + share * (Q(1, N) - e) for k in row) for row in K)


@pytest.mark.thorough
@pytest.mark.parametrize(("d", "n", "N"), INSTANCES)
def test_the_cube_network_is_its_target_at_good_points(d, n, N):
    e, target = width(N), equivariant(N)
    blocks = net.cube_network(d, n, N, e, RATE, F, target)
    assert len(blocks) == net.blocks_in(d, n, N)
    for K in net.contexts(d, n, N):
        for X in good_points(N, K, e):
            assert run_blocks(blocks, X) == tuple(map(tuple, target(K)))


@pytest.mark.parametrize(("d", "n", "N"), [(1, 2, 2), (1, 2, 3), (2, 1, 2)])
def test_the_supported_network_is_its_target_inside_and_zero_outside(d, n, N):
    e, target = width(N), equivariant(N)
    blocks = net.supported_network(d, n, N, e, RATE, F, target)
    assert len(blocks) == net.blocks_in(d, n, N) + d + 1
    zero = ((Q(0),) * n,) * d
    for K in net.contexts(d, n, N):
        for X in good_points(N, K, e):
            if all(e <= x <= 1 - e for row in X for x in row):
                assert run_blocks(blocks, X) == tuple(map(tuple, target(K)))
            for far in (Q(0), Q(1), Q(-7), Q(10**9)):
                assert run_blocks(blocks, ((far, *X[0][1:]), *X[1:])) == zero


entries = st.fractions(min_value=-2, max_value=3, max_denominator=64)


@given(st.tuples(entries, entries))
def test_the_supported_network_is_zero_off_the_cube_and_bounded_in_it(row):
    blocks = net.supported_network(1, 2, 2, Q(1, 8), RATE, F, equivariant(2))
    (got,) = run_blocks(blocks, [row])
    assert all(abs(y) <= F for y in got)
    assert all(0 < x < 1 for x in row) or got == (0, 0)


@pytest.mark.parametrize(("d", "n", "N"), ALL_CELLS)
def test_the_positional_network_is_any_target_at_good_points(d, n, N):
    e, target = width(N), anything(N)
    blocks = net.positional_network(d, n, N, e, RATE, F, target)
    assert len(blocks) == net.positional_blocks_in(d, n, N)
    for K in net.all_cells(d, n, N):
        for X in good_points(N, K, e):
            encoded = [[x + j for j, x in enumerate(row)] for row in X]
            assert run_blocks(blocks, encoded) == tuple(map(tuple, target(K)))


def test_from_the_cube_to_a_box():
    """On [-2, 2] the networks are the cube's at X/4 + 1/2, positions and all."""
    X = [[Q(-3, 2), Q(1, 5)]]
    cube = [[x / 4 + Q(1, 2) for x in X[0]]]
    numbers = (2, Q(1, 8), RATE, F, equivariant(2))
    assert run_blocks(net.theorem2_network(1, 2, Q(2), *numbers), X) == run_blocks(
        net.supported_network(1, 2, *numbers), cube
    )
    encoded = [[x + 4 * j + 2 for j, x in enumerate(X[0])]]
    assert run_blocks(net.theorem3_network(1, 2, Q(2), *numbers), encoded) == run_blocks(
        net.positional_network(1, 2, *numbers), [[x + j for j, x in enumerate(cube[0])]]
    )


# The keys by the short recursion are those of the blocks themselves, and those of the pages.


@pytest.mark.parametrize(("d", "n", "N"), [(1, 2, 3), (2, 2, 2), (1, 3, 4)])
def test_keys_are_what_the_blocks_lead_to(d, n, N):
    cmap = net.cube_map(d, n, N)
    blocks = cmap.blocks(Q(0), RATE)
    for K in net.contexts(d, n, N):
        L = net.corner(N, K)
        Z = run_blocks(blocks, L)
        keys = cmap.keys(Q(0), K)
        assert keys == tuple(net.dot(net.u(d, N), column) for column in zip(*Z, strict=True))
        assert keys == by_the_page(d, n, N, L, positional=False)


@pytest.mark.parametrize(("d", "n", "N"), [(1, 2, 3), (2, 2, 2), (1, 3, 2)])
def test_positional_keys_are_what_the_blocks_lead_to(d, n, N):
    cmap = net.positional_map(d, n, N)
    blocks = cmap.blocks(Q(0), RATE)
    for K in net.all_cells(d, n, N):
        L = net.corner(N, net.lift(N, K))
        Z = run_blocks(blocks, L)
        keys = cmap.keys(Q(0), net.lift(N, K))
        assert keys == tuple(net.dot(net.u(d, N), column) for column in zip(*Z, strict=True))
        assert keys == by_the_page(d, n, N, L, positional=True)


def by_the_page(d, n, N, L, *, positional):
    """The ids that the layers of yun2020.page, with positions those of its App. C, lead to."""
    X = tuple(tuple(mpq(x.numerator, x.denominator) for x in row) for row in L)
    for layer in contextual_map(Sizes(d, n, N), positional):
        X = run(layer, X)
    return tuple(dot(Sizes(d, n, N).u, column) for column in columns_of(X))


def test_every_network_has_blocks_of_two_heads_and_four_hidden_nodes():
    for block in net.theorem2_network(2, 2, 3, 2, Q(1, 8), RATE, F, equivariant(2)):
        assert [len(head.W_O) for head in block.heads] == [2, 2]
        assert (len(block.W_1), len(block.b_1), len(block.W_2), len(block.b_2)) == (4, 4, 2, 2)
        assert {len(row) for row in block.W_1} == {2}
        assert {len(row) for row in block.W_2} == {4}


def test_a_network_is_equivariant():
    blocks = net.cube_network(2, 2, 2, Q(1, 8), RATE, F, equivariant(2))
    X = ((Q(1, 3), Q(1, 2)), (Q(3, 4), Q(1, 16)))
    for order in permutations(range(2)):
        moved = tuple(tuple(row[j] for j in order) for row in X)
        assert run_blocks(blocks, moved) == tuple(tuple(row[j] for j in order) for row in run_blocks(blocks, X))


def test_each_part_is_needed():
    """Leave out any block, with its copies for other orders of the columns, and some good point is missed; but for the
    clamp, which bounds the others."""
    e, target = width(2), equivariant(2)
    blocks = net.cube_network(1, 2, 2, e, RATE, F, target)
    good = [(X, tuple(map(tuple, target(K)))) for K in net.contexts(1, 2, 2) for X in good_points(2, K, e)]
    idle = {
        left_out
        for left_out in blocks
        if all(run_blocks([block for block in blocks if block != left_out], X) == Y for X, Y in good)
    }
    assert idle == {blocks[-1]}
    in_transition = ((Q(0), Q(1, 2) - e / 3),)
    assert max(map(abs, run_blocks(blocks[:-1], in_transition)[0])) > F
    assert max(map(abs, run_blocks(blocks, in_transition)[0])) <= F


def test_a_changed_weight_is_seen():
    blocks = net.cube_network(1, 2, 2, width(2), RATE, F, equivariant(2))
    head = blocks[2].heads[0]
    wrong = replace(blocks[2], heads=(replace(head, W_O=(head.W_O[0] + 1,)), blocks[2].heads[1]))
    X = net.corner(2, ((0, 1),))
    assert run_blocks((*blocks[:2], wrong, *blocks[3:]), X) != run_blocks(blocks, X)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"N": 1}, "N >= 2"),
        ({"e": Q(0)}, "0 < e <= 1/2N = 1/4"),
        ({"e": Q(1, 3)}, "0 < e <= 1/2N = 1/4"),
        ({"rate": Q(0)}, "must be positive"),
        ({"F": Q(-1)}, "must be positive"),
        ({"F": Q(7)}, r"F = 7: ids of values reach 14, and \(\(0, 1\),\) has the key 13"),
    ],
)
def test_numbers_that_make_no_network(change, said):
    given_numbers = {"N": 2, "e": Q(1, 8), "rate": RATE, "F": F, "target": equivariant(2)}
    with pytest.raises(ValueError, match=said):
        net.cube_network(1, 2, **(given_numbers | change))


@pytest.mark.parametrize("value", [0.5, True, "1/2"])
def test_no_float_becomes_a_weight(value):
    with pytest.raises(TypeError, match="whole numbers and rationals"):
        net.cube_network(1, 2, 2, Q(1, 8), RATE, F, lambda _: [[value, value]])
    with pytest.raises(TypeError, match="whole numbers and rationals"):
        net.cube_network(1, 2, 2, value, RATE, F, equivariant(2))
