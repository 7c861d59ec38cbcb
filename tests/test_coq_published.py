"""The bridge of the published network: Coq's Published.v has the paper's layers, with the numbers of the literal ones.

proofs/coq/universal/Rational.v has Published.v's network in rational numbers, and Twin.v proves that each weight is the
very same number (`Same_published`). Here Coq prints it, with an epsilon and a lambda of each layer, and it is compared
with the layers of the paper, written out below, which know nothing of softmax or ReLU: each hardmax has become
softmax(lambda .), and each phi its continuous form with transitions of width epsilon (Lemma 9). The value map's keys
and columns, and M, are any numbers there: the network takes them as they are.
"""

import json
import re
import subprocess
from itertools import pairwise, starmap
from operator import mul

import pytest

from coq_proofs import COQ, with_coq
from verifier.core.exact import Q

INSTANCES = [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 3)]


def strip(k):
    return Q(1, 40 + k)


def rate(k):
    return 1000 + 7 * k


NOTHING, ONE = (Q(0), Q(0)), (Q(0), Q(1))  # pieces: slope and intercept
M = Q(17, 3)
KEYS = (Q(5), Q(7, 2), Q(-1))


def paper_layers(d, n, N):
    """g_q (App. B.4), g_c (B.5) and g_v (B.6), and of the layers of g_v that write the key and what is added.

    Attention is the list of its heads, W_O, W_V, W_K, W_Q, b_Q; a token-wise layer, of one hidden node, is W_1, b_1,
    W_2, the breaks of phi and its pieces."""
    delta, u, count = Q(1, N), [Q(N) ** i for i in range(d)], N**d
    e = [[Q(int(i == row)) for i in range(d)] for row in range(d)]
    away = (Q(-1), -(Q(N) ** (n * d)))
    layers = []
    for row in e:
        layers.append((row, Q(0), row, [Q(0), Q(1)], [away, NOTHING, away]))
        layers += [(row, -k * delta, row, [Q(0), delta], [NOTHING, (Q(-1), Q(0)), NOTHING]) for k in range(N)]
    scaled = lambda factor: [factor * x for x in e[0]]  # noqa: E731
    for k in range(count):
        ends = [(count, delta / 2 - k * delta), (-count, -delta / 2 - k * delta)]
        layers.append([(scaled(factor), u, u, u, [b]) for factor, b in ends])
    layers.append([(scaled(Q(N) ** ((n + 1) * d)), u, u, u, [Q(0)])])
    t_l, t_r = (Q(N) ** (k * d) * delta * (count - 1) for k in (2 * n, 2 * n + 1))
    layers.append((u, Q(0), [-(M + 1)] * d, [t_l, t_r], [ONE, NOTHING, ONE]))
    layers += [(row, Q(0), row, [Q(0)], [(Q(-1), Q(0)), NOTHING]) for row in e]
    table = [(key, [(k + r) * delta - 1 for r in range(d)]) for k, key in enumerate(KEYS)]
    window = [-delta / 2, delta / 2], [NOTHING, ONE, NOTHING]
    layers += [(u, -key, change, *window) for key, change in table]
    return layers, M, table


def continuous(breaks, pieces, eps):
    """phi with a line on [c - eps, c) at each break c, and where its slope changes (Lemma 9)."""
    at = lambda piece, t: piece[0] * t + piece[1]  # noqa: E731
    points = []
    for c, (left, right) in zip(breaks, pairwise(pieces), strict=True):
        points += [(c - eps, at(left, c - eps)), (c, at(right, c))]

    def phi(t):
        if t <= points[0][0]:
            return at(pieces[0], t)
        for (a, f), (b, g) in pairwise(points):
            if t <= b:
                return f + (g - f) * (t - a) / (b - a)
        return at(pieces[-1], t)

    return phi, [point for point, _ in points]


def q(x):
    return f"({x.numerator} # {x.denominator})"


def script():
    yield "From Coq Require Import QArith ZArith List. From Contextual.universal Require Import Rational."
    yield "Import ListNotations. Set Printing Width 160. Set Printing Depth 1000000. Open Scope Z_scope."
    for d, n, N in INSTANCES:
        _, M, table = paper_layers(d, n, N)
        rows = [f"({q(key)}, fun i => nth i [{'; '.join(map(q, change))}]%Q 0%Q)" for key, change in table]
        numbers = "(fun k => 1 / of_nat (40 + k))%Q (fun k => of_nat (1000 + 7 * k))"
        yield f"Eval vm_compute in report {d} (published {d} {n} {N} {numbers} {q(M)} [{'; '.join(rows)}])."


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    path = tmp_path_factory.mktemp("bridge") / "Instances.v"
    path.write_text("\n".join(script()))
    done = subprocess.run(
        ["coqc", "-q", "-Q", str(COQ), "Contextual", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"= (.*?)\n\s+: ", done.stdout, re.DOTALL)
    return dict(
        zip(INSTANCES, [json.loads(text.translate(str.maketrans("();", "[],"))) for text in found], strict=True)
    )


def vector(pairs):
    return list(starmap(Q, pairs))


def at_breaks(breaks):
    """Where two continuous functions with these breaks, linear in between, have to agree so as to be the same."""
    return [min(breaks) - 1, *breaks, max(breaks) + 1]


def same_head(head, ours, factor):
    W_O, W_V, W_K, W_Q, b_Q = map(vector, head)
    assert ours == (W_O, W_V, [x / factor for x in W_K], W_Q, b_Q)


def nothing(head):
    return not any(any(vector(row)) for row in head)


def same_token(block, layer, eps):
    """W_2 phi(W_1 x + b_1), as a function of t = W_1 x."""
    _, _, W_1, b_1, W_2, b_2 = block
    W_1, W_2, b_1, b_2 = list(map(vector, W_1)), list(map(vector, W_2)), vector(b_1), vector(b_2)
    w, shift, column, breaks, pieces = layer
    lead = next(i for i, x in enumerate(w) if x)
    signs = [row[lead] / w[lead] for row in W_1]
    assert [[sign * x for x in w] for sign in signs] == W_1
    phi, points = continuous(breaks, pieces, eps)
    for t in at_breaks([*(c - shift for c in points), *(-o / s for s, o in zip(signs, b_1, strict=True) if s)]):
        hidden = [max(0, s * t + o) for s, o in zip(signs, b_1, strict=True)]
        ours = [v * phi(t + shift) for v in column]
        assert [sum(map(mul, row, hidden), b) for row, b in zip(W_2, b_2, strict=True)] == ours


@with_coq
@pytest.mark.parametrize("instance", INSTANCES)
def test_each_layer_is_the_papers_with_its_own_epsilon_and_lambda(instance, printed):
    layers, _, _ = paper_layers(*instance)
    blocks = printed[instance]
    assert len(blocks) == len(layers)
    for k, (block, layer) in enumerate(zip(blocks, layers, strict=True)):
        heads = block[:2]
        if isinstance(layer, list):
            for head, ours in zip(heads, layer, strict=False):
                same_head(head, ours, rate(k))
            assert all(map(nothing, heads[len(layer) :]))
            assert not any(any(vector(row)) for part in (block[2], block[4]) for row in part)
            assert not any(vector(block[5]))
        else:
            assert all(map(nothing, heads))
            same_token(block, layer, strip(k))
