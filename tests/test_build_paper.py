"""The form paper: Construction.v's network, block for block, and what it does with hardmax."""

from fractions import Fraction

import pytest

from build_truth import built, vertices
from verifier.build import paper_form, theorem2
from verifier.build.layer import Attention, FeedForward
from verifier.build.plan import Refused, build_paper
from verifier.core.exact import Q

NETWORKS = [
    ((1, 2, 2), {}),
    ((1, 2, 3), {}),
    ((2, 2, 2), {"text": "f(j) = [max(X[m][1] for m in 1..n) * X[j][2], sum(X[j])]"}),
    ((1, 3, 4), {}),
    ((1, 2, 3), {"positional": True, "text": "f(j) = [X[1][1] - sorted(X[m][1] for m in 1..n)[j]]"}),
]
IDS = [f"{parts}{' with positions' if how.get('positional') else ''}" for parts, how in NETWORKS]


@pytest.fixture(scope="module", params=NETWORKS, ids=IDS)
def network(request):
    parts, how = request.param
    return built(parts, make=build_paper, **how)


def blocks_of(b):
    """The same network, from the cells that theorem2 asks for."""
    i, F = b.instance, max(b.high)

    def target(K):
        X = tuple(tuple(Q(k, i.N) for k in row) for row in K)
        return tuple(tuple(fraction(x) for x in row) for row in b.target.f(X))

    make = theorem2.positional_network if b.positional else theorem2.cube_network
    return make(i.d, i.n, i.N, fraction(b.epsilon), fraction(b.rate), fraction(F), target)


def fraction(x):
    return Fraction(int(x.numerator), int(x.denominator))


def test_it_is_constructions_network_block_for_block(network):
    blocks = blocks_of(network)
    assert len(blocks) == len(network.stack.layers) == paper_form.block_count(network.instance, network.positional)
    idle = (0, 0, 0, 0)
    for named, block in zip(network.stack.layers, blocks, strict=True):
        layer = named.layer
        if isinstance(layer, Attention):
            for ours, theirs in zip(layer.heads, block.heads, strict=True):
                assert [row[0] for row in ours.W_O] == list(theirs.W_O)
                assert (*ours.W_V, *ours.W_K, *ours.W_Q) == (theirs.W_V, theirs.W_K, theirs.W_Q)
                assert ours.b_Q == (theirs.b_Q,)
            assert all(row == idle for row in block.W_2)
            assert not any(block.b_2)
        else:
            assert isinstance(layer, FeedForward)
            assert (layer.W_1, layer.b_1, layer.W_2, layer.b_2) == (block.W_1, block.b_1, block.W_2, block.b_2)
            assert not any(x for head in block.heads for x in head.W_O)


def test_h_m_r(network):
    for named in network.stack.layers:
        if isinstance(named.layer, Attention):
            assert [len(head.W_V) for head in named.layer.heads] == [1, 1]
        else:
            assert len(named.layer.W_1) == 4


def test_the_target_on_cells_without_repeated_columns(network):
    for case in network.cases:
        if network.positional or len(set(case.numbers)) == network.instance.n:
            for X in (case.L, *list(vertices(network, case.L))[1::7]):
                assert network.stack.run(X) == network.kept[case.rank]
    assert network.softmax.bound < network.instance.delta / 4


def test_the_clamp_holds_on_strips():
    b = built((1, 2, 4), make=build_paper)
    strips = [((Q(k, 4) - b.epsilon * t / 8, Q(l, 4)),) for k in (1, 2, 3) for l in range(4) for t in range(1, 8)]
    assert all(abs(y) <= b.high[0] for X in strips for y in b.stack.run(X)[0])


def test_nothing_is_said_of_floats(network):
    assert "no network for floats" in network.floats


def test_refusals():
    with pytest.raises(Refused, match="ids of values reach 27"):
        built((1, 2, 2), "f(j) = [27/2 if X[j][1] < 1/2 else 0]", make=build_paper)
