"""Polynomials with whole coefficients: {monomial: coefficient}, a monomial the sorted powers of its atoms."""

from __future__ import annotations

Monomial = tuple[tuple[str, int], ...]  # (atom, exponent), by atom; () is 1
Poly = dict[Monomial, int]  # no coefficient is 0


def number(value: int) -> Poly:
    return {(): value} if value else {}


def atom(name: str) -> Poly:
    return {((name, 1),): 1}


def add(p: Poly, q: Poly, times: int = 1) -> Poly:
    """p + times q."""
    out = dict(p)
    for monomial, c in q.items():
        if total := out.get(monomial, 0) + times * c:
            out[monomial] = total
        else:
            out.pop(monomial, None)
    return out


def product(p: Poly, q: Poly) -> Poly:
    out: Poly = {}
    for left, a in p.items():
        for right, b in q.items():
            powers = dict(left)
            for name, exponent in right:
                powers[name] = powers.get(name, 0) + exponent
            monomial = tuple(sorted(powers.items()))
            out[monomial] = out.get(monomial, 0) + a * b
    return {monomial: c for monomial, c in out.items() if c}
