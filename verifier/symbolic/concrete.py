"""Finds an instance that violates a false fact, (d, n, N) with ids or a matrix, by trying small ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import prod

from sympy import Expr, Integer

from verifier.symbolic.algebra import Terms, expand, parse_index, terms
from verifier.symbolic.facts import Fact, Pair, at, facts
from verifier.symbolic.prove import Setting

MOST = {"d": 2, "n": 3, "N": 4}
MOST_B = 5
_LETTERS = {"o": 3, "u": 3, "y0": 2}  # values tried from 0 on
_SIGNED = ("L", "I", "M", "Q", "D")
_POSITIONS = {"b", "l", "lt", "la"}  # symbols that occur in facts about contexts of App. C


@dataclass(frozen=True)
class ContextIds:
    """The distinct ids of a context's columns; of one of App. C, how far each column is into its block of ids."""

    name: str  # of the symbols, k or b
    values: tuple[int, ...]
    words: str


def _contexts(positions: bool, d: int, n: int, N: int) -> Iterator[ContextIds]:
    if positions:
        for values in product(range(N**d), repeat=n):
            rows = [[Fraction(j * N + value // N**e % N, N) for j, value in enumerate(values)] for e in range(d)]
            yield ContextIds("b", values, f"matrix {';'.join(','.join(map(str, row)) for row in rows)}")
    else:
        for m in range(min(n, N**d) + 1):
            for ids in combinations(range(N**d), m):
                yield ContextIds("k", ids, f"ids {list(ids)}")


class Concrete:
    """The values of symbols in one context: an instance, the ids, and chosen letters."""

    def __init__(self, d: int, n: int, N: int, context: ContextIds, letters: dict[str, int]):
        self.known: dict[str, int] = {"N": N, "B": N**d, "d": d, "n": n, "m": len(context.values), **letters}
        self.known |= {f"{context.name}[{i}]": value for i, value in enumerate(context.values, start=1)}

    def symbol(self, name: str) -> int:
        """The symbol's value by its definition, followed down to known values; LookupError if nothing defines it."""
        if name not in self.known:
            self.known[name] = self.value(_defined(name, *(self.known[letter] for letter in "mnd")))
        return self.known[name]

    def value(self, p: Terms) -> int:
        return sum(c * prod(self.symbol(name) ** exponent for name, exponent in powers.items()) for powers, c in p)


@lru_cache(maxsize=10_000)
def _defined(name: str, m: int, n: int, d: int) -> Terms:
    family, _, rest = name.partition("[")
    place = int(rest[:-1]) if rest else 0
    last = family == "top" and place == m
    ground = family + ("m" if last else f"{place}") if rest else family
    known = facts().definitions
    there = {"m": Integer(m), "n": Integer(n), "d": Integer(d)} | dict.fromkeys("ijef", Integer(place))
    return terms(expand(at(known[ground if ground in known else family].by[0], there)))


Place = tuple[tuple[str, Expr], ...]


@lru_cache(maxsize=1000)
def _places(where: tuple[Pair, ...], d: int, n: int, m: int) -> list[Place]:
    """Every place of a fact's indices, at these d, n and m."""
    names = sorted({str(s) for pair in where for side in pair for s in side.free_symbols} - set("dnm"))
    found: list[Place] = []
    for values in product(range(n + 2), repeat=len(names)):
        at = {name: Integer(v) for name, v in zip((*names, *"dnm"), (*values, d, n, m), strict=True)}
        numbers = {parse_index(name): value for name, value in at.items()}
        if all((high - low).xreplace(numbers) >= 0 for low, high in where):
            found.append(tuple(at.items()))
    return found


def violation(setting: Setting, fact: Fact, only_n: int | None = None) -> str | None:
    """The first small instance at which the fact doesn't hold, in words."""
    if any(str(s) in "ef" for pair in fact.where for side in pair for s in side.free_symbols):
        return None  # about single rows
    symbols = {str(s).partition("[")[0] for s in expand(fact.goal).free_symbols}
    least = {"d": 1, "n": setting.least_n, "N": setting.least_N}
    sizes = product(*(range(least[x], MOST[x] + 1) for x in MOST))
    tried: set[str] = set()  # of what speaks of letters alone, and so is the same in every context
    for d, n, N in sorted(sizes, key=lambda size: (sum(size), size)):
        if (only_n is not None and n != only_n) or N**d > MOST_B:
            continue
        for context in _contexts(bool(symbols & _POSITIONS), d, n, N):
            for place in _places(fact.where, d, n, len(context.values)):
                *formulas, there = _said(fact, place)
                if there <= {*_LETTERS, *_SIGNED}:
                    if repr(formulas) in tried:
                        continue
                    tried.add(repr(formulas))
                try:
                    found = _fails(fact, (d, n, N), context, place)
                except LookupError:  # of a second context, or of a column: not tried
                    return None
                if found is not None:
                    where = "".join(f", {name} = {value}" for name, value in place if name not in "dnm")
                    return f"(d, n, N) = ({d}, {n}, {N}), {context.words}{where}: {found}"
    return None


@lru_cache(maxsize=10_000)
def _said(fact: Fact, place: Place) -> tuple[list[Terms], Terms, set[str]]:
    """The conditions and the claim at this place, the same for every context; and the symbols in them."""
    goal = at(fact.goal, dict(place))
    given = [(at(symbol, dict(place)), at(by, dict(place))) for symbol, by in fact.given]
    there = {str(s) for e in (goal, *(side for pair in given for side in pair)) for s in expand(e).free_symbols}
    return [terms(expand(symbol - by)) for symbol, by in given], terms(expand(goal)), there


def _fails(fact: Fact, size: tuple[int, int, int], within: ContextIds, place: Place) -> str | None:
    equations, polynomial, there = _said(fact, place)
    free = {name: range(_LETTERS[name]) for name in there | {"y0"} if name in _LETTERS}
    free |= {name: range(-3, 4) for name in there if name in _SIGNED}
    for values in product(*free.values()):
        context = Concrete(*size, within, dict(zip(free, values, strict=True)))
        if all(context.value(equation) == 0 for equation in equations):
            value = context.value(polynomial)
            if value < 0 or (fact.equal and value):
                return f"{value} instead of {'0' if fact.equal else '>= 0'}"
    return None
