"""FORMAT-build 5b: the form `paper`, written anew, run with hardmax in fractions, and its statements derived."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from ..core.comparing import Rejected, compare
from ..core.reading import brief, text_of
from . import distance as far
from . import exported as hardmax
from .files import Layer
from .form import ZERO, Column, Shape, identity, unit
from .targets import Targets

RULE = "FORMAT-build 5b"
THEOREM = (
    "proofs/coq/universal: the blocks are those of `{network}` in Construction.v, at this N, epsilon and lambda;"
    " `{theorem}` is about them at the N, epsilon and lambda that Construction.v computes from a wanted distance"
)


def theorem(s: Shape) -> str:
    names = ("positional_network", "theorem3") if s.positional else ("cube_network", "theorem2_cube")
    return THEOREM.format(network=names[0], theorem=names[1])


Phi = list[tuple[Fraction, int, Fraction]]  # (c, s, o) of each of the four ReLUs c ReLU(s t + o)


def token(name: str, w: list[Fraction], v: list[Fraction], phi: Phi, c_0: Fraction = ZERO) -> Layer:
    """X -> X + v (c_0 + sum of c ReLU(s w^T X + o))."""
    tensors = {
        "W_1": [[s * x for x in w] for _, s, _ in phi],
        "b_1": [[o] for _, _, o in phi],
        "W_2": [[x * c for c, _, _ in phi] for x in v],
        "b_2": [[x * c_0] for x in v],
    }
    return Layer("feedforward", name, tensors)


def heads(name: str, s: Shape, factors: list[int], biases: list[Fraction]) -> Layer:
    """Two heads that read u^T X; one whose factor is 0 is 0."""
    rows = [s.u if factor else [ZERO] * s.d for factor in factors]
    tensors = {
        "W_O": [[Fraction(x) if row == 0 else ZERO for x in factors] for row in range(s.d)],
        "W_V": rows,
        "W_K": [[s.rate * x for x in row] for row in rows],
        "W_Q": rows,
        "b_Q": [[b] for b in biases],
    }
    return Layer("attention", name, tensors)


def quantiser(s: Shape) -> Iterator[Layer]:
    steep, one = (s.delta - s.epsilon) / s.epsilon, Fraction(1)
    for i in range(s.d):
        e = unit(s.d, i)
        for k in range(s.N * (s.n if s.positional else 1)):
            low = k * s.delta
            phi = [(-one, 1, -low), (1 + steep, 1, -low - s.delta + s.epsilon), (-steep, 1, -low - s.delta)]
            yield token(f"quantise.{i + 1}.{k}", e, e, [*phi, (ZERO, 1, ZERO)])


def contextual_map(s: Shape) -> Iterator[Layer]:
    for k, level in enumerate(s.levels):
        yield heads(f"sweep.{k}", s, [s.B, -s.B], [-(level - s.delta / 2), -(level + s.delta / 2)])
    yield heads("global", s, [s.last_factor, 0], [ZERO, ZERO])


def value_map(s: Shape, images: list[list[Column]], targets: list[list[Column]]) -> Iterator[Layer]:
    """For each context, entry by entry, row by row, and each column: a window at its key."""
    rank = {numbers: k for k, numbers in enumerate(s.numbered())}
    t, c, half, quarter = 0, Fraction(4 * s.N), s.delta / 2, s.delta / 4
    for entries in product(range(s.N), repeat=s.d * s.n):
        numbers = [sum(s.N**row * entries[row * s.n + j] for row in range(s.d)) for j in range(s.n)]
        if not s.positional and len(set(numbers)) < s.n:
            continue
        order = numbers if s.positional else sorted(numbers)
        its = rank[tuple(order)]
        target = targets[its]
        for j in range(s.n):
            at = j if s.positional else order.index(numbers[j])
            image, key, t = images[its][at], identity(s, images[its][at]), t + 1
            add = [a - x for a, x in zip(target[at], image, strict=True)]
            offsets = (half, quarter, -quarter, -half)
            phi = [(sign * c, 1, -key + o) for sign, o in zip((1, -1, -1, 1), offsets, strict=True)]
            yield token(f"write.{t}", s.u, add, phi)


def clamps(s: Shape, F: Fraction) -> Iterator[Layer]:
    one = Fraction(1)
    for i in range(s.d):
        phi = [(one, 1, F), (-one, 1, -F), (-one, 1, ZERO), (one, -1, ZERO)]
        yield token(f"clamp.{i + 1}", unit(s.d, i), unit(s.d, i), phi, -F)


def bound_of(targets: Targets) -> Fraction:
    """F, the largest absolute value of a target's entry; 1 if all are 0."""
    return max(abs(x) for A in targets.rounded for column in A for x in column) or Fraction(1)


# The network as it is stored, with hardmax


def run(layers: list[hardmax.Layer], X: list[Column]) -> list[Column]:
    for layer in layers:
        X, _ = hardmax.run(layer, X, hardmax.Unmetered(), hardmax.How())
    return X


def as_run(layer: Layer) -> hardmax.Layer:
    """As section 8 has layers: with the identity, and each head by itself."""
    t, d = layer.tensors, len(layer.tensors["W_O" if layer.kind == "attention" else "W_2"])
    one, none = [unit(d, i) for i in range(d)], [[ZERO]] * d
    if layer.kind == "feedforward":
        return hardmax.Layer(one, t["b_2"], [], t["W_1"], t["b_1"], t["W_2"])
    heads = [
        hardmax.Head("average", None, [K], [Q], [b], [V], [[ZERO]], [[row[a]] for row in t["W_O"]])
        for a, (K, Q, V, b) in enumerate(zip(t["W_K"], t["W_Q"], t["W_V"], t["b_Q"], strict=True))
    ]
    return hardmax.Layer(one, none, heads, [], [], [])


def entered(s: Shape, numbers: tuple[int, ...]) -> list[Column]:
    """The corner's columns; with positions, their encoding added."""
    shift = [Fraction(j) if s.positional else ZERO for j in range(s.n)]
    return [tuple(x + e for x in s.column(k)) for k, e in zip(numbers, shift, strict=True)]


# Statements


def softmax_bound(s: Shape) -> Fraction:
    """FORMAT-build 7: how far softmax moves an id, the network's lambda given."""
    k = len(s.levels)
    h = min(k, s.n * (2 * s.n - 1 if s.positional else 1))  # levels with an id at them
    off = Fraction(4 * s.n * s.N * ((1 + 2 * s.B) ** h * (1 + (k - h) * s.B) - 1))
    return (off + s.last_factor * (off + 2 * s.n * s.N)) / s.rate


def softmax(cert: dict[str, Any], s: Shape, images: list[list[Column]], asked: list[int], F: Fraction) -> None:
    """Statement 2, and what it takes for granted: windows are flat where ids come to be, and no value is at a key."""
    rule, bound = "FORMAT-build 7, softmax", softmax_bound(s)
    if cert["softmax"]["K"] is not None:
        raise Rejected(rule, "softmax.K", "null", brief(cert["softmax"]["K"]))
    compare(text_of(bound), cert["softmax"]["bound"], "softmax.bound", rule)
    if bound >= s.delta / 4:
        raise Rejected(rule, "softmax.bound", f"less than delta/4 = {s.delta / 4}", text_of(bound))
    top = F * s.d * s.B + s.delta
    least = min((identity(s, z) for k in asked for z in images[k]), default=top)  # with N^d < n there is no key
    if least < top:
        wanted = f"F with F d N^d + delta <= {text_of(least)}, the least key"
        raise Rejected(rule, "parameters.high", wanted, text_of(F))


def exact(cert: dict[str, Any], s: Shape, out: list[list[Column]], targets: Targets) -> tuple[set[int], Fraction]:
    """Statement 1: which orbits are kept, and the share of the others."""
    kept = {k for k, (A, Y) in enumerate(zip(targets.rounded, out, strict=True)) if A == Y}
    for k, orbit in enumerate(cert["orbits"]):
        compare(k in kept, orbit["kept"], f"orbits[{k}].kept", "FORMAT-build 5b, kept orbits")
    numbered = list(s.numbered())
    for k, numbers in enumerate(numbered):
        if k not in kept and (s.positional or len(set(numbers)) == s.n):
            wanted = [list(map(text_of, z)) for z in targets.rounded[k]]
            raise Rejected(
                RULE, f"orbit {k}, the output by columns", brief(wanted), brief([list(map(text_of, z)) for z in out[k]])
            )
    share = Fraction(sum(s.cells(numbers) for k, numbers in enumerate(numbered) if k not in kept), s.B**s.n)
    said = {"orbits": s.cases, "kept": len(kept), "lost": s.cases - len(kept), "lost_share": text_of(share)}
    compare(said, cert["exact"], "exact", "FORMAT-build 7, exact")
    return kept, share


def refusal(s: Shape) -> str:
    """Statement 3, which there isn't."""
    return (
        f"the ReLUs of a strip have slopes up to delta/epsilon = {text_of(s.delta / s.epsilon)} and cancel,"
        " and weights are rounded: the form paper is no network for floats"
    )


def distance(s: Shape, targets: Targets, F: Fraction, out: far.Outputs, lost_share: Fraction) -> dict[str, Any] | None:
    if targets.f.bounds is None:
        return None
    low, high, bound = [-F] * s.d, [F] * s.d, softmax_bound(s)
    derived = far.distance(s, targets.f.bounds, low, high, lost_share, out, reach=s.delta, bound=bound)
    return derived | {"measured": far.measured(s, targets.f, out)}


class Made(NamedTuple):
    """The network, and what it makes of the corners of each orbit before anything is written."""

    before: list[Layer]
    after: list[Layer]
    images: list[list[Column]]


def made(s: Shape, targets: Targets) -> Made:
    before = [*quantiser(s), *contextual_map(s)]
    # the corners of cells, which the quantiser leaves as they are: it is run all the same
    stored = list(map(as_run, before))
    images = [run(stored, entered(s, numbers)) for numbers in s.numbered()]
    return Made(before, [*value_map(s, images, targets.rounded), *clamps(s, bound_of(targets))], images)


def check(cert: dict[str, Any], s: Shape, targets: Targets, net: Made) -> tuple[dict[str, Any] | None, set[int]]:
    """Statements 1 to 3; returns statement 4, and the kept orbits."""
    F = bound_of(targets)
    for name, wanted in (("low", [text_of(-F)] * s.d), ("high", [text_of(F)] * s.d)):
        compare(wanted, cert["parameters"][name], f"parameters.{name}", RULE)
    compare(theorem(s), cert["theorem"], "theorem", RULE)
    stored = list(map(as_run, net.after))
    out = [run(stored, X) for X in net.images]
    kept, lost_share = exact(cert, s, out, targets)
    asked = [k for k, numbers in enumerate(s.numbered()) if s.positional or len(set(numbers)) == s.n]
    softmax(cert, s, net.images, asked, F)
    compare({"refused": refusal(s)}, cert["float"], "float", "FORMAT-build 7, float")
    return distance(s, targets, F, far.Outputs(out, kept, [ZERO] * s.d), lost_share), kept
