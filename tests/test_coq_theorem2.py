"""The bridge of Theorems 2 and 3: construction.py writes the networks that Coq proves the theorems about.

proofs/coq/universal/Rational.v has Construction.v's networks in rational numbers, and Twin.v proves that each weight is
the very same number (`Same_weights`). Here Coq evaluates and prints Rational.v's networks, and the test compares them
with the Python ones block for block. What is left to trust is what Coq prints, and the reading of it below; and only
these instances are compared. For one of your choice, d n N:

    INSTANCE="2 2 3" python -m pytest tests/test_coq_theorem2.py

They need what `make coq` compiled, and run in `make coq-mutants`.
"""

import json
import os
import re
import subprocess
from dataclasses import replace
from fractions import Fraction as Q

import pytest

import construction as net
from coq_proofs import BUILT, COQ, change, first_that_fails, linked

pytestmark = [pytest.mark.coq, pytest.mark.skipif(not BUILT, reason="`make coq` has not been run")]

INSTANCES = [(1, 2, 2), (1, 2, 3), (2, 2, 2), (1, 3, 2), (1, 3, 3), (1, 1, 3), (2, 1, 2)]
if chosen := os.environ.get("INSTANCE"):
    INSTANCES.append(tuple(map(int, chosen.split())))
K, F, RATE = Q(3, 2), Q(2, 3), Q(10**9 + 1, 7)
FORMS = ["cube", "supported", "positional", "theorem2", "theorem3"]


def width(N):
    return Q(2, 5 * N)


def target(cells):
    """Some rational within [-F, F] for each entry: a table is all that the networks know of a function."""
    total = sum(map(sum, cells))
    return tuple(
        tuple(F * Q(1 + 3 * k + 5 * total - 2 * i * k, 23 + 3 * k + 5 * total) for k in row)
        for i, row in enumerate(cells)
    )


def in_python(form, d, n, N):
    numbers = (N, width(N), RATE, F, target)
    box = (K,) if form.startswith("theorem") else ()
    return getattr(net, f"{form}_network")(d, n, *box, *numbers)


# Coq's side.


def q(x):
    return f"({x.numerator} # {x.denominator})"


def in_coq(form, d, n, N):
    box = q(K) if form.startswith("theorem") else ""
    return f"{form}_network_at {d} {n} {box} {N} {q(width(N))} {q(RATE)} {q(F)} (values {d} {n} table_{d}_{n}_{N})"


def script(instances):
    yield "From Coq Require Import QArith ZArith List."
    yield "From Contextual.universal Require Import Rational."
    yield "Import ListNotations. Set Printing Width 160. Set Printing Depth 1000000. Open Scope Z_scope."
    for d, n, N in instances:
        entries = [
            f"([{'; '.join(map(str, sum(cells, ())))}]%nat, [{'; '.join(map(q, sum(target(cells), ())))}]%Q)"
            for cells in net.all_cells(d, n, N)
        ]
        yield f"Definition table_{d}_{n}_{N} := [{'; '.join(entries)}]."
        yield f"Eval vm_compute in [fraction (cube_error {d} {n} {N}); fraction (positional_error {d} {n} {N})]."
        for form in FORMS:
            yield f"Eval vm_compute in report {d} ({in_coq(form, d, n, N)})."


def block(printed):
    first, second, W_1, b_1, W_2, b_2 = printed
    heads = tuple(net.Head(*map(vector, rows), b_Q=Q(*b_Q)) for *rows, (b_Q,) in (first, second))
    return net.Block(heads, tuple(map(vector, W_1)), vector(b_1), tuple(map(vector, W_2)), vector(b_2))


def vector(pairs):
    return tuple(Q(p, q) for p, q in pairs)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What Coq prints: for each instance both errors, and the blocks of each form."""
    path = tmp_path_factory.mktemp("bridge") / "Instances.v"
    path.write_text("\n".join(script(INSTANCES)).replace("[]", "nil"))
    done = subprocess.run(
        ["coqc", "-q", "-Q", str(COQ), "Contextual", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"= (.*?)\n\s+: ", done.stdout, re.DOTALL)
    texts = iter([json.loads(text.translate(str.maketrans("();", "[],"))) for text in found])
    return {
        instance: (vector(next(texts)), {form: tuple(map(block, next(texts))) for form in FORMS})
        for instance in INSTANCES
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("instance", INSTANCES)
def test_block_for_block(instance, form, printed):
    _, blocks = printed[instance]
    ours = in_python(form, *instance)
    assert len(ours) == len(blocks[form]) > 0
    for k, (one, other) in enumerate(zip(ours, blocks[form], strict=True)):
        assert one == other, f"block {k}"


@pytest.mark.parametrize("instance", INSTANCES)
def test_what_softmax_may_do_to_ids(instance, printed):
    errors, _ = printed[instance]
    assert errors == (net.cube_map(*instance).error(), net.positional_map(*instance).error())


# Another weight, order or block on either side is found out.

SMALLEST = (2, 2, 2)


def changed_phi(name, index, part):
    """One of the four numbers of a ReLU, by 1."""
    honest = getattr(net, name)

    def phi(*numbers):
        f = honest(*numbers)
        values = list(getattr(f, part))
        values[index] += 1
        return replace(f, **{part: tuple(values)})

    return phi


PHIS = {
    "tent": "supported", "window": "supported", "clamp": "cube", "border": "supported", "ramp": "supported",
    "finish": "supported", "affine": "theorem2",
}  # fmt: skip


@pytest.mark.parametrize("part", ["c", "s", "o"])
@pytest.mark.parametrize("name", PHIS)
def test_a_changed_relu_is_found(name, part, printed, monkeypatch):
    form = PHIS[name]
    for index in range(4):
        monkeypatch.setattr(net, name, changed_phi(name, index, part))
        assert in_python(form, *SMALLEST) != printed[SMALLEST][1][form]
        monkeypatch.undo()
    assert in_python(form, *SMALLEST) == printed[SMALLEST][1][form]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("u", lambda d, N: tuple(Q(N**i) for i in reversed(range(d)))),
        ("offset", lambda d, N, F: F * d * N**d),
        ("top_key", lambda *_: Q(5)),
        ("limit", lambda top, F: top + F),
        ("sentinel", lambda n, top, F: -(2 * n * (top + F + 1) + 2)),
        ("contexts", lambda d, n, N, honest=net.contexts: list(honest(d, n, N))[1:]),
        ("all_cells", lambda d, n, N, honest=net.all_cells: reversed(list(honest(d, n, N)))),
        ("keys", lambda d, N, levels, factor, K, honest=net.keys: honest(d, N, reversed(levels), factor, K)),
        ("unit", lambda d, i: tuple(Q(int(k == d - 1 - i)) for k in range(d))),
        ("psi", lambda d, N, rate, factor, b, honest=net.psi: honest(d, N, rate, factor, -b)),
    ],
)
def test_a_changed_definition_is_found(name, wrong, printed, monkeypatch):
    instance = (2, 1, 2) if name == "offset" else SMALLEST
    monkeypatch.setattr(net, name, wrong)
    assert in_python("supported", *instance) != printed[instance][1]["supported"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("1%nat => 1 + (w - e) / e", "1%nat => 1 + w / e"),
        ("psi N lambda B (l - delta N / 2)", "psi N lambda B (l + delta N / 2)"),
        ("(fun i => lambda * Statement.u N i) (Statement.u N)", "(Statement.u N) (Statement.u N)"),
        ("2 * of_nat n * limit top F + 2", "- (2 * of_nat n * limit top F + 2)"),
        ("(fun _ => -4) (ramp T)", "(fun _ => 4) (ramp T)"),
        ("(window (fst t) (delta N))) table", "(window (fst t) (delta N))) (tl table)"),
    ],
)
def test_a_changed_rational_network_is_not_proved(right, wrong, tmp_path):
    """Rational.v with another definition: the proof in Twin.v, that its weights are Construction.v's, fails."""
    copy = linked(tmp_path)
    change(copy, "universal/Rational", right, wrong)
    assert first_that_fails(copy, ["universal/Rational", "universal/Twin"]) == ("universal/Twin" if right else None)
