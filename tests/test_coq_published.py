"""The bridge of the published network: Coq's Published.v has the paper's layers, with the numbers of the literal ones.

proofs/coq/universal/Rational.v has Published.v's network in rational numbers, and Twin.v proves that each weight is the
very same number (`Same_published`). Here Coq prints it, with an epsilon and a lambda of each layer, and it is compared
with the layers of verifier/papers/yun2020, which know nothing of softmax or ReLU: each hardmax has become
softmax(lambda .), and each phi its continuous form with transitions of width epsilon (Lemma 9).
"""

import json
import re
import subprocess
from itertools import starmap
from operator import mul

import pytest

from coq_proofs import COQ, with_coq
from verifier.core.exact import Q
from verifier.core.layers import Attention
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.quantizer import quantizer
from verifier.papers.yun2020.relu import continuous
from verifier.papers.yun2020.value_map import images, small_targets, value_map

INSTANCES = [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 3)]


def strip(k):
    return Q(1, 40 + k)


def rate(k):
    return 1000 + 7 * k


def paper_layers(d, n, N):
    """g_q, g_c and g_v, and of the layers of g_v that write the key and what is added."""
    i = Instance(d, n, N)
    g_v = value_map(i, small_targets(i)).network.layers
    table = [(-layer.b_1[0], [x for (x,) in layer.W_2]) for layer in g_v[1 + d :]]
    return [*quantizer(i).layers, *contextual_map(i).network.layers, *g_v], images(i).M, table


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
    assert [x for (x,) in ours.W_O] == W_O
    assert [list(row) for row in ours.W_V] == [W_V]
    assert [[factor * x for x in row] for row in ours.W_K] == [W_K]
    assert [list(row) for row in ours.W_Q] == [W_Q]
    assert b_Q == list(ours.b_Q)


def nothing(head):
    return not any(any(vector(row)) for row in head)


def same_token(block, layer, eps):
    """W_2 phi(W_1 x + b_1), as a function of t = W_1 x."""
    _, _, W_1, b_1, W_2, b_2 = block
    W_1, W_2, b_1, b_2 = list(map(vector, W_1)), list(map(vector, W_2)), vector(b_1), vector(b_2)
    (w,), (shift,) = layer.W_1, layer.b_1
    lead = next(i for i, x in enumerate(w) if x)
    signs = [row[lead] / w[lead] for row in W_1]
    assert [[sign * x for x in w] for sign in signs] == W_1
    phi = continuous(layer.phi, eps)
    for t in at_breaks([*(c - shift for c in phi.breaks), *(-o / s for s, o in zip(signs, b_1, strict=True) if s)]):
        hidden = [max(0, s * t + o) for s, o in zip(signs, b_1, strict=True)]
        ours = [v * phi(t + shift) for (v,) in layer.W_2]
        assert [sum(map(mul, row, hidden), b) for row, b in zip(W_2, b_2, strict=True)] == ours


@with_coq
@pytest.mark.parametrize("instance", INSTANCES)
def test_each_layer_is_the_papers_with_its_own_epsilon_and_lambda(instance, printed):
    layers, _, _ = paper_layers(*instance)
    blocks = printed[instance]
    assert len(blocks) == len(layers)
    for k, (block, layer) in enumerate(zip(blocks, layers, strict=True)):
        heads = block[:2]
        if isinstance(layer, Attention):
            for head, ours in zip(heads, layer.heads, strict=False):
                same_head(head, ours, rate(k))
            assert all(map(nothing, heads[len(layer.heads) :]))
            assert not any(any(vector(row)) for part in (block[2], block[4]) for row in part)
            assert not any(vector(block[5]))
        else:
            assert all(map(nothing, heads))
            same_token(block, layer, strip(k))
