"""What has to be shown: the text facts.page, read by the language's own parser (SYMBOLIC 2 and 3).

The text is the checker's, which trusts no other; here it is read by other code, and its facts are searched for proofs.
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from sympy import Expr, Integer, S, Symbol

from verifier.language import facts as text
from verifier.language.facts import Line, links
from verifier.language.tree import Compare, Expression, Index, Name, Number, Power, Product, Sum
from verifier.language.words import Refused
from verifier.symbolic.algebra import INDICES, index_text, parse_index

FILE = Path(__file__).parents[1] / "checker/symbolic/facts.page"

Pair = tuple[Expr, Expr]  # the first is at most the second
Given = tuple[Symbol, Expr]  # a symbol, and what stands in its place
Indices = dict[str, Expr]


@dataclass(frozen=True)
class Definition:
    """The polynomial that replaces a symbol, or one of several. (Where it may, the checker sees to.)"""

    symbol: Symbol
    by: tuple[Expr, ...]
    text: str = ""
    section: str = ""

    def at(self, place: Indices) -> Given:
        return at(self.symbol, place), at(self.by[0], place)


@dataclass(frozen=True)
class Fact:
    """For all whole numbers in the range: under the given conditions the goal is >= 0 (or = 0)."""

    name: str
    where: tuple[Pair, ...]
    goal: Expr
    equal: bool = False
    given: tuple[Given, ...] = ()
    variable: str = ""  # of the induction, and where it begins
    start: Expr = S.Zero
    cases: tuple[Given, ...] = ()  # of its step
    text: str = ""
    section: str = ""

    @property
    def indices(self) -> list[str]:
        return sorted({str(s) for pair in self.where for side in pair for s in side.free_symbols} - {"d", "n"})


@dataclass(frozen=True)
class Claim:
    parts: tuple[str, ...]
    where: tuple[Pair, ...] = ()
    says: str = ""  # if it is of no page


@dataclass
class Facts:
    lines: list[str]
    title: str = ""
    slack: set[str] = field(default_factory=set)
    second: dict[str, str] = field(default_factory=dict)  # the names of a second context's sequences
    definitions: dict[str, Definition] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    def enough(self, claim: str) -> set[str]:
        """The facts that are enough for a claim."""
        found, parts = set[str](), list(self.claims[claim].parts)
        while parts:
            part = parts.pop()
            if part in self.rules:
                parts += self.rules[part]
            else:
                found.add(part)
        return found

    def claimed(self, n: int | None) -> list[str]:
        """The claims for this n, or for all."""

        def holds(low: Expr, high: Expr) -> bool:
            return n is not None and bool((high - low).xreplace({INDICES["n"]: Integer(n)}) >= 0)

        return [i for i, claim in self.claims.items() if all(holds(*pair) for pair in claim.where)]


@lru_cache(maxsize=50_000)
def _symbol_at(name: str, place: frozenset[tuple[str, Expr]]) -> Expr:
    numbers = {INDICES[index]: value for index, value in place}
    family, bracket, rest = name.partition("[")
    if not bracket:
        return INDICES[name].xreplace(numbers) if name in INDICES else Symbol(name)
    return Symbol(f"{family}[{index_text(parse_index(rest[:-1]).xreplace(numbers))}]")


def at(p: Expr, place: Indices) -> Expr:
    """A polynomial with index expressions in the place of index symbols, inside brackets and out."""
    frozen = frozenset(place.items())
    return p.xreplace({symbol: _symbol_at(symbol.name, frozen) for symbol in p.free_symbols})


def polynomial(tree: Expression) -> Expr:
    if isinstance(tree, Number):
        return Integer(tree.value)
    if isinstance(tree, Name):
        return Symbol(tree.name)
    if isinstance(tree, Index) and isinstance(tree.listed, Name):
        return Symbol(f"{tree.listed.name}[{index_text(polynomial(tree.subscript))}]")
    if isinstance(tree, Sum):
        return sum((sign * polynomial(term) for sign, term in tree.terms), Integer(0))
    if isinstance(tree, Product) and all(sign == "*" for sign, _ in tree.factors):
        product = Integer(1)
        for _, factor in tree.factors:
            product *= polynomial(factor)
        return product
    if isinstance(tree, Power) and isinstance(tree.exponent, Number):
        return polynomial(tree.base) ** tree.exponent.value
    raise Refused(tree.place, "expected a polynomial with whole coefficients here")


def _pairs(bounds: list[tuple[Expression, str, Expression]]) -> tuple[Pair, ...]:
    found = list[Pair]()
    for left, sign, right in bounds:
        low, high = polynomial(left), polynomial(right)
        found += [(low, high), (high, low)] if sign == "=" else [(low, high)]
    return tuple(found)


def _given(trees: list[Compare]) -> tuple[Given, ...]:
    """Equations; a > b is a = b + 1 + o, o a number >= 0, and of a second inequality u."""
    found, new = list[Given](), iter("ou")
    for tree in trees:
        ((left, sign, right),) = links(tree)
        symbol, by = polynomial(left), polynomial(right)
        if not symbol.is_Symbol:
            raise Refused(tree.place, "expected an atom on the left, such as k[j]")
        more = Symbol(next(new)) + (1 if sign in "<>" else 0) if sign != "=" else S.Zero
        found.append((symbol, by + more if ">" in sign else by - more))
    return tuple(found)


def _definition(line: Line) -> Definition:
    sides = [links(relation)[0] for relation in line.relations]
    return Definition(polynomial(sides[0][0]), tuple(polynomial(by) for *_, by in sides), line.text, line.section)


def _fact(line: Line, definitions: dict[str, Definition]) -> Fact:
    ((left, sign, right),) = links(line.relations[0])
    goal = polynomial(left) - polynomial(right)
    goal = (goal if ">" in sign or sign == "=" else -goal) - (1 if sign in "<>" else 0)
    split = definitions.get(line.cases)
    cases = tuple((split.symbol, by) for by in split.by) if split else ()
    where, given = _pairs(line.bounds), _given(line.given)
    start = polynomial(line.start) if line.start is not None else S.Zero
    return Fact(line.name, where, goal, sign == "=", given, line.variable, start, cases, line.text, line.section)


def read(words: str) -> Facts:
    found = text.read(words.split("\n"))
    definitions = {name: _definition(line) for name, line in found.definitions.items()}
    return Facts(
        found.lines,
        found.title,
        {one for name in found.numbers for one in (name, f"{name}'" if name in found.context else name)},
        {name: f"{name}'" for name in found.context},
        definitions,
        {name: _fact(line, definitions) for name, line in found.facts.items()},
        found.rules,
        {
            i: Claim(claim.parts, _pairs(Line(i, (), claim.when).bounds), claim.says)
            for i, claim in found.claims.items()
        },
        found.assumed,
    )


@cache
def facts() -> Facts:
    return read(FILE.read_text(encoding="utf-8"))
