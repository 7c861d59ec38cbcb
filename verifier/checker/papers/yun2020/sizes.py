"""FORMAT 11, claims about the construction itself: layers, parameters, single runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial, lcm
from typing import Any

from ...core.ledger import Made
from .alternatives import literal_head
from .model import Model
from .pieces import positional_quantiser, quantiser
from .positional import start

Exact = tuple[str, str, str, Fraction, Fraction]  # name op bound_name, value and bound


def whole(relations: Sequence[Exact]) -> Iterator[Made]:
    """All in whole numbers of one unit, so that slacks compare."""
    unit = lcm(*(x.denominator for *_, value, bound in relations for x in (value, bound)))
    for name, op, bound_name, value, bound in relations:
        yield Made(name, op, bound_name, [int(value * unit)], int(bound * unit), [()], unit)


def counted(layers: int, formula: str, bound: str, by_formula: int, at_most: Fraction | int) -> list[Exact]:
    value = Fraction(layers)
    return [("layers", "=", formula, value, Fraction(by_formula)), ("layers", "<=", bound, value, Fraction(at_most))]


def blocks(m: Model) -> int:
    """Theorem 2, stage by stage: the quantiser's rows, the sweep, the global shift, the value map. (An attention layer
    of FORMAT 3 has at most two heads of size 1, a feed-forward layer one activation, of at most four ReLUs.)"""
    return m.d * len(quantiser(m)) + m.B + 1 + (1 + m.d + m.n * comb(m.B, m.n))


def levels(m: Model) -> int:
    """Appendix C: a layer for each level s_j + k delta; blocks of levels do not meet (s_(j+1) > s_j + B - 1)."""
    begins = [start(m, j) for j in range(1, m.n + 1)]
    return sum(min(m.B, following - begin) for begin, following in pairwise([*begins, begins[-1] + m.B]))


def odd(m: Model) -> Iterator[Made]:
    """theorem2.heads: layer 0 (thresholds -delta/2 and delta/2) on the ids of X and -X; row 1 alone changes."""
    images: list[Any] = []
    for sign in (1, -1):
        x = [0] * (m.n - 1) + [sign]
        low, high = literal_head(x, -1), literal_head(x, 1)
        row = [v + m.B * (a - b) for v, a, b in zip(x, low, high, strict=True)]
        images.append([row, *([0] * m.n for _ in range(m.d - 1))])
    minus = [[-v for v in row] for row in images[0]]
    yield Made("layer 0 at -X", "=", "minus layer 0 at X", [images[1]], [minus], [0])


def relations(claim: str, m: Model) -> Iterator[Made]:
    d, n, N, B = m.d, m.n, m.N, m.B
    keys, per_n = n * comb(B, n), Fraction(n * B**n, factorial(n))
    match claim:
        case "lemma7.layers":
            C = Fraction((1 + d) * factorial(n), n * 2 ** (d * n)) + 1
            layers = 1 + d + keys
            yield from whole(counted(layers, "1 + d + n C(B, n)", "C n delta^-(dn) / n!", layers, C * per_n))
        case "lemma9.distance":
            P, low = B ** (n + 1), -(B**n)  # ids as they are, not in units of delta
            t_l, t_r = Fraction(m.t_l, N), Fraction(m.t_r, N)
            x = Fraction(P * 1022, 1024)
            first, last = Fraction(low * (1 + P)), x + P * (1023 * x + low) / 1024
            widths = Fraction(2 * keys, N)
            yield from whole(
                [
                    ("q~_1 at x_11 = -eps", "<", "t_l", first, t_l),
                    ("sum of the widths of the windows", "<", "t_r - t_l", widths, t_r - t_l),
                    ("q~_1 at x_11 = delta/2", "<", "t_r", last, t_r),
                ]
            )
        case "theorem2.size":
            C = 1 + Fraction((2 + 2 * d) * factorial(n), n * 2 ** (d * n))
            C += Fraction((d + 1) * factorial(n), n * 2 ** (d * (n - 1)))
            each = 2 * (4 * d + 1) + (4 * d + 4) + (4 * d + d)  # two heads; W_1, b_1; W_2, b_2
            value, formula = Fraction(blocks(m)), d * N + d + B + 1 + 1 + d + keys
            name = "d/delta + d + delta^-d + 1 + 1 + d + n C(B, n)"
            parameters = "(17 d + 6) C n delta^-(dn) / n!"
            yield from whole(
                [
                    ("blocks", "=", name, value, Fraction(formula)),
                    ("blocks", "<=", "C n delta^-(dn) / n!", value, C * per_n),
                    ("parameters", "<=", parameters, value * each, (17 * d + 6) * C * per_n),
                ]
            )
        case "lemma9.layerwise" | "lemma9.last-first":
            yield from limits(LIMITS[claim])
        case "theorem2.heads":
            yield from odd(m)
        case "theorem3.size":
            layers, name = levels(m) + 1 + n * B**n, "dn/delta + n delta^-d + 1 + n delta^-(dn)"
            layers += d * len(positional_quantiser(m))
            formula = d * n * N + n * B + 1 + n * B**n
            yield from whole(counted(layers, name, "(d+3) n delta^-(dn)", formula, (d + 3) * n * B**n))
        case "hu.layers":
            stacked = levels(m) + 1
            yield Made("attention layers that the proof stacks", "=", "delta^-d + 1", [stacked], [B + 1], [()], 1)
            yield Made("keys of the value map", "=", "n C(B, n)", [n * B**n], [keys], [()], 1)


LIMITS = {"lemma9.layerwise": 0, "lemma9.last-first": 10}  # eta = eps / 2^this, eps = 1/4, ..., 1/1024


def limits(smaller: int) -> Iterator[Made]:
    """The id -1 among zeros: x - (its softmax mean -(1 - eta)) = -eta; then the step at 0, on [-eps, 0) a ramp, gives
    1 - eta / eps. With hardmax the id lands on 0, where the step is 1: it is eta + eta / eps away."""
    unit = 2 ** (10 + smaller)  # 1 over the least eta: eta / eps = 2^10 of it
    values = [2 ** (10 - k) + 2**10 for k in range(2, 11)]
    yield Made("|output - modified output|", "<=", "1/512", values, unit // 512, list(range(len(values))), unit)


def at_the_jump(m: Model) -> list[tuple[int, ...]]:
    """The columns of X = (0, ..., 0, -1), in units of delta."""
    return [(-m.N * int(j == m.n),) + (0,) * (m.d - 1) for j in range(1, m.n + 1)]


_IDS = "lemma7.layers lemma9.distance theorem2.size theorem2.heads theorem3.size hu.layers"
CASES = dict.fromkeys(_IDS.split(), lambda _: 1) | dict.fromkeys(LIMITS, lambda _: 9)


def made(claims: Sequence[str], m: Model) -> Iterator[tuple[str, Made]]:
    for claim in claims:
        yield from ((claim, relation) for relation in relations(claim, m))


def matrix(m: Model) -> list[tuple[int, ...]]:
    """theorem2.heads, the columns of X in units of delta."""
    return [(int(j == m.n),) + (0,) * (m.d - 1) for j in range(1, m.n + 1)]
