"""Polynomials over indexed symbols, by sympy; an index is a symbol and a whole number."""

import re
from collections.abc import Callable
from functools import cache, reduce
from itertools import product
from typing import Any

import sympy
from sympy import ZZ, Add, Expr, Mul, S, Symbol, ring

INDICES = {name: Symbol(name) for name in "ijmnedf"}


def index_text(place: Expr | int) -> str:
    """`j+1`, `m`, `3`."""
    return str(sympy.sympify(place)).replace(" ", "")


def parse_index(words: str) -> Expr:
    symbol, shift = re.fullmatch(r"([a-z]?)([+-]?\d+)?", words).groups()  # type: ignore[union-attr]
    return (INDICES[symbol] if symbol else sympy.Integer(0)) + int(shift or 0)


Terms = list[tuple[dict[str, int], int]]


Monomial = tuple[tuple[str, int], ...]  # powers of symbols, by name


@cache
def _monomial(powers: Monomial) -> Expr:
    return Mul(*(Symbol(name) ** e for name, e in powers))


def _times(a: dict[Monomial, int], b: dict[Monomial, int]) -> dict[Monomial, int]:
    found: dict[Monomial, int] = {}
    for (p, c), (q, k) in product(a.items(), b.items()):
        powers = dict(p)
        for name, e in q:
            powers[name] = powers.get(name, 0) + e
        r = tuple(sorted(powers.items()))
        found[r] = found.get(r, 0) + c * k
    return found


def _coefficients(p: Expr) -> dict[Monomial, int]:
    if p.is_Symbol:
        return {((p.name, 1),): 1}
    if p.is_Integer:
        return {(): int(p)}
    if p.is_Add:
        found: dict[Monomial, int] = {}
        for part in p.args:
            for powers, c in _coefficients(part).items():
                found[powers] = found.get(powers, 0) + c
        return found
    parts = p.args if p.is_Mul else [p.base] * int(p.exp)
    return reduce(_times, map(_coefficients, parts))


@cache
def expand(p: Expr) -> Expr:
    """A polynomial, expanded."""
    return Add(*(c * _monomial(powers) for powers, c in _coefficients(sympy.sympify(p)).items()))


def terms(p: Expr) -> Terms:
    """The monomials of an expanded polynomial, {symbol: exponent}, with their coefficients, in lexicographic order."""
    found: Terms = []
    for term in Add.make_args(p):
        c, rest = term.as_coeff_Mul()
        powers = {factor.as_base_exp() for factor in Mul.make_args(rest) if factor is not S.One}
        found += [({base.name: int(e) for base, e in powers}, int(c))] if c else []
    symbols = sorted(symbol.name for symbol in p.free_symbols)
    found.sort(key=lambda term: [term[0].get(name, 0) for name in symbols], reverse=True)
    return found


def text(p: Expr) -> str:
    return written(terms(expand(p)))


def written(p: Terms) -> str:
    """A polynomial as text, as in SYMBOLIC 2: by falling degree, then by the monomial's text."""
    found = []
    for powers, c in p:
        name = "*".join(f"{s}^{e}" if e > 1 else s for s, e in sorted(powers.items()))
        found.append((-sum(powers.values()), name, c))
    said = ""
    for _, name, c in sorted(found):
        said += " - " if c < 0 else " + "
        said += str(abs(c)) if not name else name if abs(c) == 1 else f"{abs(c)}*{name}"
    return "0" if not said else said[3:] if said.startswith(" +") else "-" + said[3:]


def solved(p: Expr) -> list[tuple[Symbol, int]]:
    """The symbols that occur in p once, alone and with coefficient 1 or -1: those that p = h can be solved for."""
    met = terms(p)
    alone = {next(iter(powers)): c for powers, c in met if len(powers) == 1 and abs(c) == 1 and 1 in powers.values()}
    for powers, _ in met:
        if powers and (len(powers) > 1 or max(powers.values()) > 1):
            for name in powers:
                alone.pop(name, None)
    return [(Symbol(name), c) for name, c in alone.items()]


def other(p: Any, names: dict[str, str]) -> Any:
    """The same for the second context, with its own sequences."""
    exchange = {}
    for symbol in p.free_symbols:
        head, bracket, rest = symbol.name.partition("[")
        exchange[symbol] = Symbol(names.get(head, head) + bracket + rest)
    return p.xreplace(exchange)


class Written:
    """Recursions written out at a number n and m ids: each symbol as a polynomial in gaps, once."""

    ORDER = ("t", "C", "r", "low", "top", "S", "y", "P", "N", "B", "k")

    def __init__(self, definition: Callable[[str], tuple[str, Expr] | None], symbols: list[str]):
        self.definition = definition  # of a symbol: its name, and what stands in its place; none of a free one
        self.ring = ring(symbols, ZZ)[0]
        self.free = dict(zip(symbols, self.ring.gens, strict=True))
        self.known: dict[str, tuple[Any, frozenset[str]]] = {}

    def symbol(self, name: str) -> tuple[Any, frozenset[str]]:
        """Its polynomial, and the symbols that have been replaced to get there."""
        if name in self.free:
            return self.free[name], frozenset()
        if name not in self.known:
            _, by = self.definition(name) or (name, sympy.Integer(0))
            polynomial, met = self.of(by)
            self.known[name] = polynomial, met | {name}
        return self.known[name]

    def of(self, p: Expr) -> tuple[Any, frozenset[str]]:
        total, met = self.ring(0), frozenset[str]()
        for powers, c in terms(expand(p)):
            term = self.ring(c)
            for name, exponent in powers.items():
                polynomial, replaced = self.symbol(name)
                term, met = term * polynomial**exponent, met | replaced
            total += term
        return total, met

    def in_order(self, names: frozenset[str]) -> list[str]:
        """By family, the later index before the earlier, so that each can be replaced in turn."""

        def place(name: str) -> tuple[int, int]:
            family, _, index = name.partition("[")
            return self.ORDER.index(family), -int(index[:-1] or 0)

        return sorted(names, key=place)

    def terms(self, polynomial: Any) -> Terms:
        names = list(self.free)
        return [
            ({name: e for name, e in zip(names, exponents, strict=True) if e}, int(c))
            for exponents, c in polynomial.terms()
            if c
        ]
