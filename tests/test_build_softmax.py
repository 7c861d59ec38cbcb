"""Statement 2 against rigorous balls (python-flint): the network with its softmax, on every orbit's corner."""

import pytest

from build_truth import built
from verifier.build.layer import FeedForward, tensors
from verifier.build.plan import build_paper
from verifier.core.exact import columns_of

flint = pytest.importorskip("flint")


@pytest.fixture
def precise():
    """3,000 bits: the bound of the form float is about 2^-550."""
    flint.ctx.prec, before = 3000, flint.ctx.prec
    yield
    flint.ctx.prec = before


def ball(x):
    return flint.arb(flint.fmpq(int(x.numerator), int(x.denominator)))


def relu(z):
    """Exactly 0 or z where the sign is certain."""
    if z < 0:
        return flint.arb(0)
    return z if z > 0 else z.union(flint.arb(0)) if z != 0 else flint.arb(0)


def dot(row, z):
    return sum((ball(a) * x for a, x in zip(row, z, strict=True) if a), flint.arb(0))


def run(stack, X):
    """The columns that the layers make of these, with softmax."""
    columns = [[ball(x) for x in z] for z in columns_of(stack.enter(X))]
    for named in stack.layers:
        W = tensors(named.layer)
        if isinstance(named.layer, FeedForward):
            made = []
            for z in columns:
                hidden = [relu(dot(w, z) + ball(b)) for w, b in zip(W["W_1"], W["b_1"], strict=True)]
                made.append([x + dot(w, hidden) + ball(b) for x, w, b in zip(z, W["W_2"], W["b_2"], strict=True)])
            columns = made
            continue
        heads = []
        for W_K, W_Q, W_V, b in zip(W["W_K"], W["W_Q"], W["W_V"], W["b_Q"], strict=True):
            keys, values = [dot(W_K, z) for z in columns], [dot(W_V, z) for z in columns]
            heads.append([mean(values, [key * (dot(W_Q, z) + ball(b)) for key in keys]) for z in columns])
        columns = [
            [x + dot(w, [head[j] for head in heads]) for x, w in zip(z, W["W_O"], strict=True)]
            for j, z in enumerate(columns)
        ]
    return columns


def mean(values, scores):
    """Weights relative to the largest score, so that nothing overflows."""
    top = max(scores, key=lambda score: score.mid())
    shares = [(score - top).exp() for score in scores]
    return sum((v * s for v, s in zip(values, shares, strict=True)), flint.arb(0)) / sum(shares, flint.arb(0))


def farthest(b):
    """The largest distance of an entry from the target, on kept orbits: a ball."""
    most = flint.arb(0)
    for case in b.cases:
        if case.rank in b.kept:
            for z, wanted in zip(run(b.stack, case.L), columns_of(b.kept[case.rank]), strict=True):
                for x, a in zip(z, wanted, strict=True):
                    most = most.max(abs(x - ball(a)))
    return most


@pytest.mark.usefixtures("precise")
@pytest.mark.parametrize(
    ("parts", "how"),
    [
        ((1, 2, 2), {}),
        ((1, 2, 4), {}),
        ((2, 2, 2), {"text": "f(j) = [max(X[m][1] for m in 1..n) * X[j][2], sum(X[j])]"}),
        ((1, 2, 2), {"positional": True, "text": "f(j) = [X[1][1] - sorted(X[m][1] for m in 1..n)[j]]"}),
        ((1, 2, 3), {"make": build_paper}),
        (
            (1, 2, 3),
            {"make": build_paper, "positional": True, "text": "f(j) = [X[1][1] - sorted(X[m][1] for m in 1..n)[j]]"},
        ),
    ],
)
def test_softmax_is_within_the_bound(parts, how):
    b = built(parts, **how)
    most = farthest(b)
    assert most < ball(b.softmax.bound)
    assert most.rad() < 1e-300


@pytest.mark.usefixtures("precise")
def test_another_temperature_is_not_within_it():
    """The bound of the network's lambda, with weights for a smaller one."""
    b = built((1, 2, 2))
    hot = built((1, 2, 2), rate=b.rate * b.instance.N**2)
    assert farthest(b) > ball(hot.softmax.bound)
