"""The search: each obligation as a sum of terms that are >= 0, by substitution.

If a fact says H >= 0, the search solves H = h for a symbol of H and substitutes the result. A goal is shown if
afterwards all of its coefficients are >= 0 in symbols that are >= 0. If n is a number, the recursions are written out,
ids are sums of gaps, and no induction is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from sympy import Expr, Integer, Symbol

from verifier.symbolic.algebra import (
    INDICES,
    Terms,
    Written,
    expand,
    index_text,
    other,
    parse_index,
    solved,
    terms,
    text,
    written,
)
from verifier.symbolic.facts import Definition, Fact, Facts, Given, Indices, Pair, at, facts
from verifier.symbolic.hints import HINTS

ROWS = ("d", "e", "f")
B, z = Symbol("B"), Symbol("z")


@dataclass(frozen=True)
class Setting:
    """The facts to prove, and where: those of the text, or stronger ones that ought to fail."""

    text: Facts
    facts: dict[str, Fact]
    definitions: dict[str, Definition]
    least_n: int = 2
    least_N: int = 2


def of_text(text: Facts) -> Setting:
    return Setting(text, text.facts, text.definitions)


PAPER = of_text(facts())
SLACK, SECOND = PAPER.text.slack, PAPER.text.second


def without(condition: str) -> Setting:
    """n >= 2, or N >= 2, weakened to >= 1."""
    if condition == "n>=2":
        return replace(PAPER, least_n=1)
    weaker = Definition(Symbol("N"), (1 + z,))
    return replace(PAPER, definitions=PAPER.definitions | {"N": weaker}, least_N=1)


def tightened(name: str, by: int) -> Setting:
    """A fact whose bound is made stronger by this number, in the fact's own units."""
    old = PAPER.facts[name]
    return replace(PAPER, facts=PAPER.facts | {name: replace(old, goal=old.goal - by)})


@dataclass(frozen=True)
class Step:
    """A definition or a fact, and where: `at` has the text of its indices."""

    fact: str
    at: tuple[tuple[str, str], ...] = ()
    times: str = ""  # what it is multiplied with, where the search can't find that


@dataclass(frozen=True)
class Obligation:
    """One polynomial to be shown, >= 0 or = 0."""

    fact: Fact
    case: str
    at: Indices
    hint: str | None  # none: written out
    known: tuple[Pair, ...] = ()  # what is known of the indices
    before: Indices | None = None
    extra: Given | None = None

    @cached_property
    def goal(self) -> Expr:
        return expand(at(self.fact.goal, self.at))

    @property
    def given(self) -> tuple[Given, ...]:
        equations = (self.extra,) if self.extra else self.fact.given
        return tuple((at(symbol, self.at), at(by, self.at)) for symbol, by in equations)

    def __str__(self) -> str:
        return f"{self.fact.name}{', ' if self.case else ''}{self.case}"


@dataclass(frozen=True)
class Shown:
    """An obligation and its proof: goal = total, with h_1, h_2, ... for what is used, after the replacements.

    If no proof was found, total is None, and the other fields have everything that was tried."""

    obligation: Obligation
    replaced: tuple[tuple[Step, Symbol, Expr], ...]
    used: tuple[tuple[Step, Expr, bool], ...]  # >= 0, or = 0
    total: Terms | None


class Unproved(Exception):
    """An obligation that couldn't be shown."""

    def __init__(self, obligation: Obligation, left: str) -> None:
        super().__init__(f"{obligation}: {text(obligation.goal)} {'=' if obligation.fact.equal else '>='} 0; {left}")
        self.obligation = obligation


def far(pairs: tuple[Pair, ...]) -> dict[tuple[str, str], int]:
    """For symbols a, b ("" is 0): the least c known with a <= b + c, by Floyd and Warshall."""

    def split(place: Expr) -> tuple[str, int]:
        symbol = "".join(sorted(map(str, place.free_symbols)))
        return symbol, int(place - (INDICES[symbol] if symbol else 0))

    least: dict[tuple[str, str], int] = {}
    for low, high in pairs:
        (a, shift), (b, above) = split(low), split(high)
        least[a, b] = min(above - shift, least.get((a, b), above - shift))
    names = {name for pair in least for name in pair}
    for via, a, b in product(sorted(names), repeat=3):
        if (a, via) in least and (via, b) in least:
            through = least[a, via] + least[via, b]
            least[a, b] = min(through, least.get((a, b), through))
    return least


def follows(pair: Pair, known: tuple[Pair, ...]) -> bool:
    low, high = pair
    difference = high - low
    if difference.is_number:
        return int(difference) >= 0
    ((a, b, c),) = [(a, b, c) for (a, b), c in [*far((pair,)).items()][:1]]
    return far(known).get((a, b), c + 1) <= c


def obligations(fact: Fact, n: int | None, least_n: int = 2) -> Iterator[Obligation]:
    """What has to be shown of a fact; an induction's base and step, or each instance where n is a number."""
    pairs = list(fact.where)
    always = (*pairs, (Integer(1), INDICES["d"]), (Integer(least_n), INDICES["n"]))

    def at_place(there: Indices) -> tuple[Pair, ...]:
        numbers = {INDICES[name]: value for name, value in there.items()}
        return tuple((low.xreplace(numbers), high.xreplace(numbers)) for low, high in always)

    names = fact.indices
    alone = [(low, high) for low, high in pairs if (high, low) in pairs and (low.is_number or high == INDICES["m"])]
    pinned: Indices = {str(high): low for low, high in alone if not high.is_number}
    written = [] if n is None else [name for name in names if name not in ROWS]
    variable = fact.variable
    hints = [part.strip() for part in HINTS[fact.name].split("|")]
    for values in product(range(0 if n is None else n + 2), repeat=len(written)):
        here = pinned | {name: Integer(value) for name, value in zip(written, values, strict=True)}
        here |= {} if n is None else {"n": Integer(n)}
        numbers = {INDICES[name]: value for name, value in here.items() if name != "m" or written}
        if any((high - low).xreplace(numbers).is_negative for low, high in pairs):
            continue
        label = ", ".join(f"{name} = {value}" for name, value in zip(written, values, strict=True))
        if not variable or variable in written:
            yield Obligation(fact, label, here, hints[0] if not variable else None, at_place(here))
            continue
        j, first = INDICES[variable], at(fact.start, here)
        comma = f"{label}, " if label else ""
        base, above = here | {variable: first}, here | {variable: j + 1}
        yield Obligation(fact, f"{comma}base, {variable} = {index_text(first)}", base, hints[0], at_place(base))
        step, known = f"{comma}step to {variable}+1", (*at_place(above), (first, j))
        for k, equation in enumerate(fact.cases or (None,), start=1):
            named = f"{step}, case {k}" if equation else step
            yield Obligation(fact, named, above, hints[k], known, here | {variable: j}, equation)


def parse(hint: str) -> Iterator[Step]:
    for part in filter(None, map(str.strip, hint.split(";"))):
        head, _, times = part.partition(" * ")
        name, *places = head.split()
        if name == "range":
            places = [f"low={places[0]}", f"high={places[1]}"]
        yield Step(name, tuple(tuple(place.split("=")) for place in places), times)  # type: ignore[misc]


def _parts(symbol: Symbol) -> tuple[str, str]:
    family, _, rest = symbol.name.partition("[")
    return family, rest[:-1]


def definition_of(name: str, m: int) -> Step:
    """The definition of a symbol, such as t[3], where n and m are numbers."""
    family, _, rest = name.partition("[")
    place = rest[:-1]
    if family in ("y", "N"):
        return Step(family)
    if family == "B":
        return Step("kB")
    if place == "0" or (place == "1" and family in "kC"):
        return Step(family + place)
    if family == "top" and place == str(m):
        return Step("topm")
    return Step(family, (("i" if family == "S" else "j", place),))


@lru_cache
def _written(m: int, n: int, least_N: int) -> Written:
    def definition(name: str) -> tuple[str, Expr]:
        if name == "B" and not m:
            return name, 2 + Symbol("h1")
        if name == "N":
            return name, least_N + z
        step = definition_of(name, m)
        place = {"m": Integer(m), "n": Integer(n)} | {index: Integer(int(words)) for index, words in step.at}
        return name, PAPER.definitions[step.fact].at(place)[1]

    return Written(definition, ["M", "h1", "y0", "z", "a", *(f"g[{j}]" for j in range(1, m)), "s"])


class Attempt:
    """One obligation while its proof is searched for."""

    def __init__(self, obligation: Obligation, setting: Setting = PAPER):
        self.o, self.setting = obligation, setting
        self.replaced: list[tuple[Step, Symbol, Expr]] = []
        self.used: list[tuple[Step, Expr, bool]] = []
        for step in parse(obligation.hint) if obligation.hint is not None else ():
            self.take(step)

    def place(self, step: Step) -> Indices:
        return {name: self.moved(parse_index(words)) for name, words in step.at}

    def moved(self, place: Expr) -> Expr:
        return place.xreplace({INDICES[name]: value for name, value in self.o.at.items() if name in "mn"}).xreplace(
            {INDICES[name]: value for name, value in self.unrolled.items()}
        )

    @property
    def unrolled(self) -> Indices:
        """Where a hint's own indices stand: those of the fact, but in a step the hint means the index before it."""
        return self.o.at if self.o.before is None and "base" not in self.o.case else {}

    def take(self, step: Step) -> None:
        bare, second = step.fact.rstrip("'"), SECOND if step.fact.endswith("'") else {}
        fixed = {name: self.o.at.get(name, INDICES[name]) for name in "mndf"}
        if bare == "given":
            for number, (symbol, by) in enumerate(self.o.given, start=1):
                self.replaced.append((Step("given", (("number", str(number)),)), symbol, by))
            return
        place = fixed | self.place(step)
        said = Step(step.fact, tuple((name, index_text(place[name])) for name, _ in step.at), step.times)
        if bare in self.setting.definitions:
            symbol, by = self.setting.definitions[bare].at(place)
            self.replaced.append((said, other(symbol, second), other(by, second)))
        elif bare == "range":
            self.expect([(place["low"], place["high"])], "the range")
            self.used.append((said, place["high"] - place["low"], False))
        else:
            fact = self.o.fact if bare == "before" else self.setting.facts[bare]
            if bare != "before":
                numbers = {INDICES[name]: value for name, value in place.items()}
                wanted = [(low.xreplace(numbers), high.xreplace(numbers)) for low, high in fact.where]
                self.expect(wanted, fact.name)
            hypothesis = at(fact.goal, (self.o.before or {}) if bare == "before" else place)
            self.used.append((said, other(expand(hypothesis), second), fact.equal))

    def expect(self, pairs: list[Pair], what: str) -> None:
        for low, high in pairs:
            if not follows((low, high), self.o.known):
                said = f"{index_text(low)} <= {index_text(high)}"
                raise Unproved(self.o, f"{what} can't be used, for {said} is not known")

    def write_out(self) -> Terms:
        """Every recursion down to its beginning: the goal as a polynomial in the gaps, a, g[j], s (and h1 = B - 2)."""
        m, n = int(self.o.at.get("m", 0)), int(self.o.at["n"])
        out = _written(m, n, self.setting.least_N)
        total, met = out.of(self.o.goal)
        for name in out.in_order(met - (set() if m else {"B"})):
            self.take(definition_of(name, m))
        return out.terms(total)

    def write_out_positions(self) -> None:
        """Every recursion of App. C down to E, B and b[j]; B - 1 - bs[j] for a b[j] that is taken away."""
        for family in ("lt", "P", "l"):
            while places := self.places(family):
                last = max(places)
                self.take(Step(family, (("j", str(last)),)) if last or family == "l" else Step(f"{family}0"))
        left = self.after(self.o.goal)
        for symbol in sorted(left.free_symbols, key=str):
            family, place = _parts(symbol)
            if family == "b" and any(c < 0 for _, c in terms(expand(left.coeff(symbol).xreplace({B: 2 + z})))):
                self.take(Step("b", (("j", place),)))
        self.take(Step("E.wide"))
        self.take(Step("B.two"))

    def places(self, family: str) -> list[int]:
        """Where the goal, after the replacements, still has a sequence."""
        return [int(place) for name, place in map(_parts, self.after(self.o.goal).free_symbols) if name == family]

    def after(self, p: Expr) -> Expr:
        """p after the replacements."""
        for _, symbol, by in self.replaced:
            if symbol in p.free_symbols:
                p = expand(p.xreplace({symbol: by}))
        return p

    def shown(self) -> Shown:
        if self.o.hint is None and {name for name, _ in map(_parts, self.o.goal.free_symbols)} & {"l", "lt"}:
            self.write_out_positions()
        elif self.o.hint is None:
            total = self.write_out()
            if "m" not in self.o.at:
                self.take(Step("B.two"))
            if not self.fine(total):
                raise Unproved(self.o, f"written out it is {written(total)[:200]}")
            return self.as_shown(total)
        goal, hypotheses = self.after(self.o.goal), [self.after(p) for _, p, _ in self.used]
        free: list[tuple[Symbol, Expr]] = []
        for k, (step, _, _) in enumerate(self.used):
            if step.times:  # goal - times H + times h
                times = self.after({"B": Symbol("B"), "1": Integer(1)}[step.times])
                goal = expand(goal - times * hypotheses[k] + times * Symbol(f"h{k + 1}"))
            else:
                free.append((Symbol(f"h{k + 1}"), hypotheses[k]))
        found = self.search(goal, free)
        if found is None:
            raise Unproved(self.o, f"no sum of non-negative terms was found; what is left: {text(goal)[:200]}")
        return self.as_shown(terms(found))

    def as_shown(self, total: Terms) -> Shown:
        """The proof, with those of the offered hypotheses that the sum uses."""
        met = {name for powers, _ in total for name in powers}
        needed = [k for k in range(1, len(self.used) + 1) if f"h{k}" in met]
        names = {f"h{k}": f"h{new}" for new, k in enumerate(needed, start=1)}
        total = [({names.get(name, name): e for name, e in powers.items()}, c) for powers, c in total]
        return Shown(self.o, tuple(self.replaced), tuple(self.used[k - 1] for k in needed), total)

    def not_shown(self) -> Shown:
        if self.o.hint is None:
            self.write_out()
        return Shown(self.o, tuple(self.replaced), tuple(self.used), None)

    def search(self, goal: Expr, free: list[tuple[Symbol, Expr]]) -> Expr | None:
        """A sum of non-negative terms: solves the next hypothesis for each of its symbols in turn, or skips it."""
        if self.fine(terms(goal)):
            return goal
        if not free:
            return None
        (h, hypothesis), *rest = free
        for symbol, sign in solved(hypothesis):
            if symbol.name.partition("[")[0] in SLACK or symbol not in goal.free_symbols or symbol.name[0] == "h":
                continue
            by = {symbol: expand(sign * (h - hypothesis) + symbol)}
            later = [(name, expand(p.xreplace(by)) if symbol in p.free_symbols else p) for name, p in rest]
            if (found := self.search(expand(goal.xreplace(by)), later)) is not None:
                return found
        return self.search(goal, rest)

    def fine(self, total: Terms) -> bool:
        equal = {f"h{k}" for k, (_, _, equal) in enumerate(self.used, start=1) if equal}
        known = {f"h{k}" for k in range(1, len(self.used) + 1)}
        for powers, c in total:
            if powers.keys() & equal:
                continue
            if self.o.fact.equal or c < 0 or any(n not in known and n.partition("[")[0] not in SLACK for n in powers):
                return False
        return True
