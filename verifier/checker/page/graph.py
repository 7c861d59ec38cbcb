"""What remains to be computed for each case, once all that is known has been: a graph without repetitions.

A value is a fraction; a node, which each case computes at most once; or a row, a list whose length is known. Code
makes a function of each node: it takes a case's frame, a list with a slot for each node that is used twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, Union

from ..core.comparing import OverLimit
from ..core.hardmax import at_tie, largest
from .numbers import Affine, Finer, Runtime, exactly, item, limited, whole
from .words import MOST_ITEMS, Budget, Place, Refused

Frame = list[Runtime]
Getter = Callable[[Frame], Runtime]
MOST_DEPTH, MOST_NODES = 8_000, 1_500_000
FLAT, SMALL = 4, 64  # sums of sums have no more terms; factors that make no number large have no more bits


# A kind is number, truth, that of a list, or `any`, of what can't be computed and of no items.
class Listed(NamedTuple):
    """The kind of a list: its first index (None if that depends on the case), and the kind of its items."""

    first: int | None
    of: Kind


Kind = Union[str, Listed]  # noqa: UP007


class Node:
    """An operation on values. safe: it can't be refused; deps: the letters of loops that it depends on."""

    __slots__ = ("args", "deps", "depth", "extra", "kind", "number", "op", "place", "safe", "uses")

    def __init__(self, op: str, args: tuple[Value, ...], kind: Kind, safe: bool, place: Place, extra: Any) -> None:
        self.op, self.args, self.kind, self.place, self.extra, self.uses = op, args, kind, place, extra, 0
        self.safe, self.deps, self.depth, self.number = safe, frozenset[int](), 0, 0
        for arg in args:
            if type(arg) is not Fraction:
                self.took(arg)  # type: ignore[arg-type]

    def took(self, arg: Node | Row) -> None:
        self.safe &= arg.safe
        if arg.deps:
            self.deps |= arg.deps
        self.depth = max(self.depth, arg.depth + 1)
        if type(arg) is Node:
            arg.uses += 1


class Row:
    """A list whose length is known."""

    __slots__ = ("deps", "depth", "first", "items", "kind", "known", "safe", "size")

    def __init__(self, first: int, items: tuple[Value, ...], kind: Kind) -> None:
        self.first, self.items, self.kind = first, items, kind
        self.known, self.safe, self.deps, self.depth = True, True, frozenset[int](), 0
        self.size: int = 1
        for one in items:
            self.size += one.size if isinstance(one, Row) else 1
        for one in items:
            self.known &= is_known(one)
            if not isinstance(one, Fraction):
                self.safe &= one.safe
                self.deps |= one.deps
                self.depth = max(self.depth, one.depth)
            if isinstance(one, Node):
                one.uses += 2  # each use of the row is a use of its items


Value = Union[Fraction, Node, Row]  # noqa: UP007
_NOWHERE = Place(0, 0)
TRUE, FALSE = (Node("truth", (), "truth", True, _NOWHERE, truth) for truth in (True, False))


def is_known(v: Value) -> bool:
    return type(v) is Fraction or v is TRUE or v is FALSE or (type(v) is Row and v.known)


def is_list(v: Value) -> bool:
    return type(v) is not Fraction and type(v.kind) is Listed  # type: ignore[union-attr]


def kind_of(v: Value) -> Kind:
    return "number" if type(v) is Fraction else v.kind  # type: ignore[union-attr]


def one_kind(kinds: Iterable[Kind], place: Place) -> Kind:
    """The kind that all of these are."""
    found: Kind = "any"
    for kind in kinds:
        if kind in (found, "any"):
            continue
        if found == "any":
            found = kind
        elif isinstance(found, Listed) and isinstance(kind, Listed):
            first = found.first if found.first == kind.first else None
            found = Listed(first, one_kind((found.of, kind.of), place))
        else:
            raise Refused(place, f"{words_for(found)} and {words_for(kind)} don't go together here")
    return found


def words_for(kind: Kind) -> str:
    return "a list" if isinstance(kind, Listed) else f"a {kind}"


def plain(v: Value) -> Runtime:
    """A known value: a fraction, a truth, a tuple."""
    if isinstance(v, Fraction):
        return v
    return tuple([plain(one) for one in v.items]) if isinstance(v, Row) else bool(v.extra)


class Graph:
    """Makes nodes and rows, each once."""

    def __init__(self, budget: Budget) -> None:
        self.table: dict[Any, Any] = {}
        self.unit = 1  # of which the known numbers in it are whole
        self.reals: set[int] = set()  # the letters that are real numbers, of `for all`
        self.budget = budget

    def node(
        self, op: str, args: tuple[Value, ...], kind: Kind, place: Place, *, safe: bool = True, extra: Any = None
    ) -> Node:
        found: Node | None = self.table.get(key := (op, args, extra))
        if found is None:
            self.budget.spend(30)
            self.table[key] = found = Node(op, args, kind, safe, place, extra)
            found.number = len(self.table)
            if self.reals and op != "linear" and len(found.deps & self.reals) > 1:
                found.safe = False  # it may compare two real numbers
            if found.depth > MOST_DEPTH or found.number > MOST_NODES:
                raise OverLimit(f"{place}: more than {MOST_DEPTH} operations on top of each other, or too many of them")
        return found

    def row(self, items: Iterable[Value], place: Place, first: int = 1) -> Row:
        items = tuple(items)
        found: Row | None = self.table.get(key := (first, items))
        if found is None:
            self.budget.spend(30 + len(items))
            kind = Listed(first, one_kind([kind_of(one) for one in items], place))
            self.table[key] = found = Row(first, items, kind)
            if found.size > MOST_ITEMS:
                raise OverLimit(f"{place}: a list of more than {MOST_ITEMS:,} numbers")
        return found

    def lift(self, value: Runtime, place: Place, first: int = 1) -> Value:
        """A known value, of fractions, truths and tuples."""
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, tuple):
            return self.row([self.lift(one, place) for one in value], place, first)
        return Fraction(limited(value))

    def known(self, v: Fraction) -> None:
        """It stands in a node, and so must be whole in the unit."""
        self.unit = lcm(self.unit, v.denominator)

    # numbers
    def linear(self, terms: Iterable[tuple[Fraction | int, Value]], place: Place) -> Value:
        """The sum of these multiples. What can't be refused and cancels is gone."""
        constant, found = Fraction(0), dict[Node, Fraction | int]()
        for given, v in terms:
            factor = given.numerator if given.denominator == 1 else given  # an int is many times as fast
            if type(v) is Fraction:
                if v and factor:
                    constant += v if factor == 1 else factor * v
            elif type(v) is Node and v.op == "linear" and len(v.args) <= FLAT:
                if v.extra[0]:
                    constant += factor * v.extra[0]
                for inner, one in zip(v.extra[1], v.args, strict=True):
                    found[one] = found.get(one, 0) + factor * inner  # type: ignore[index, arg-type]
            else:
                found[v] = found.get(v, 0) + factor  # type: ignore[index, arg-type]
        nodes = sorted([v for v, factor in found.items() if factor or not v.safe], key=lambda v: v.number)
        limited(constant)
        if not nodes:
            return constant
        if len(nodes) == 1 and found[nodes[0]] == 1 and not constant:
            return nodes[0]
        if constant:
            self.known(constant)
        return self.node("linear", tuple(nodes), "number", place, extra=(constant, tuple(found[v] for v in nodes)))

    def product(self, a: Value, b: Value, place: Place) -> Value:
        if type(b) is Fraction:
            a, b = b, a
        if type(a) is Fraction:
            if a == 1:
                return b
            if not a and (type(b) is Fraction or b.safe):  # type: ignore[union-attr]
                return a
            return self.linear([(a, b)], place)
        a, b = sorted((a, b), key=lambda v: v.number)  # type: ignore[union-attr]
        return self.node("product", (a, b), "number", place)

    # truths
    def sign(self, sign: str, a: Value, b: Value, place: Place) -> Node:
        """The truth of a sign between two numbers."""
        if sign in ("<", "<="):
            a, b, sign = b, a, {"<": ">", "<=": ">="}[sign]
        d = self.linear([(1, a), (-1, b)], place)
        if isinstance(d, Fraction):
            return TRUE if {">": d > 0, ">=": d >= 0, "=": d == 0, "!=": d != 0}[sign] else FALSE
        return self.node(sign, (d,), "truth", place)

    def negated(self, v: Node, place: Place) -> Node:
        if v is TRUE or v is FALSE:
            return FALSE if v is TRUE else TRUE
        return self.node("not", (v,), "truth", place)

    def connected(self, op: str, parts: Iterable[Node], place: Place) -> Node:
        """`and` or `or`, from left to right, up to a known part that decides."""
        deciding, found = (FALSE if op == "and" else TRUE), list[Node]()
        for part in parts:
            if part is deciding:
                found.append(part)
                break
            if not is_known(part) and part not in found:
                found.append(part)
        if all(part.safe for part in found) and deciding in found:
            return deciding
        if len(found) <= 1:
            return found[0] if found else (TRUE if op == "and" else FALSE)
        return self.node(op, tuple(found), "truth", place)

    def choice(self, when: Node, a: Value, b: Value, place: Place) -> Value:
        """a where it is true, else b. Rows of the same length item by item."""
        if a is b and when.safe:
            return a
        kind = one_kind((kind_of(a), kind_of(b)), place)
        if isinstance(a, Row) or isinstance(b, Row):
            a_items, b_items = (
                v.items if isinstance(v, Row) else (v,) * len(other.items) if v.kind == "any" else None  # type: ignore[union-attr]
                for v, other in ((a, b), (b, a))
            )
            first = kind.first if isinstance(kind, Listed) else None
            if a_items is not None and b_items is not None and len(a_items) == len(b_items) and first is not None:
                return self.row(
                    [self.choice(when, x, y, place) for x, y in zip(a_items, b_items, strict=True)], place, first
                )
        return self.node("choice", (when, a, b), kind, place)

    def after(self, checks: Iterable[Value], v: Value, place: Place) -> Value:
        """v, once it was seen that these can be computed."""
        unsafe = tuple(dict.fromkeys(one for check in checks for one in unsafe_of(check)))
        if not unsafe:
            return v
        if len(unsafe) > FEW:  # one node for all of them: they may stand before each item of a list
            unsafe = (self.node("computed", unsafe, "truth", place),)
        if isinstance(v, Row) and v.items:
            return self.row([self.after(unsafe, one, place) for one in v.items], place, v.first)
        if isinstance(v, Node) and v.op == "after":
            unsafe = tuple(dict.fromkeys((*unsafe, *v.args[:-1])))  # type: ignore[arg-type]
            v = v.args[-1]
        return self.node("after", (*unsafe, v), kind_of(v), place)


def unsafe_of(v: Value) -> list[Node]:
    if isinstance(v, Fraction) or v.safe:
        return []
    if isinstance(v, Row):
        return [one for item in v.items for one in unsafe_of(item)]
    *checks, last = v.args if v.op == "after" else (None,)
    return [v] if last is None or unsafe_of(last) else checks  # type: ignore[return-value]


def not_looked_at(items: Iterable[Value], values: Iterable[Value]) -> list[Node]:
    """A list is looked at whole: what of its items may be refused, and is no part of these values for sure."""
    seen = set[Value]()
    for v in values:
        for one in unsafe_of(v):
            seen.add(one)
            seen.update(one.args if one.op in STRICT else ())
    return [one for item in items for one in unsafe_of(item) if one not in seen]


class Code:
    """Functions of a case's frame, for numbers that are whole in 1/D."""

    def __init__(self, D: int, budget: Budget, slots: int = 0) -> None:
        self.D, self.budget, self.slots, self.most = D, budget, slots, 1 << (20_000 + D.bit_length())
        self.made: dict[Node, Getter] = {}
        self.of_zone: Callable[[Any], Any] | None = None  # what does a line, where it does it for many cases (zones)
        self.letters: dict[int, int] = {}  # the slot of each letter
        self.dependent: dict[int, list[int]] = {}  # the slots that are to be emptied when the letter changes

    def slot(self) -> int:
        self.slots += 1
        return self.slots - 1

    def letter(self, letter: int) -> int:
        if letter not in self.letters:
            self.letters[letter], self.dependent[letter] = self.slot(), []
        return self.letters[letter]

    def get(self, v: Value) -> Getter:
        if isinstance(v, Fraction):
            number = v.numerator * self.D
            if number % v.denominator:
                raise Finer(v.denominator)
            constant = number // v.denominator
            return lambda f: constant  # noqa: ARG005
        if isinstance(v, Row):
            getters = [self.get(one) for one in v.items]
            return lambda f: tuple([g(f) for g in getters])
        if v not in self.made:
            make = getattr(self, "_" + OPS.get(v.op, v.op))
            fn: Getter = make(v)
            self.made[v] = self.kept(v, fn) if v.uses > 1 and v.args else fn
        return self.made[v]

    def kept(self, v: Node, fn: Getter) -> Getter:
        slot = self.slot()
        for letter in v.deps:
            self.letter(letter)
            self.dependent[letter].append(slot)

        def get(f: Frame) -> Runtime:
            value = f[slot]
            if value is None:
                value = f[slot] = fn(f)
            return value

        return get

    def frame(self) -> Frame:
        return [None] * self.slots

    # what nodes do
    def _truth(self, v: Node) -> Getter:
        truth = v.extra
        return lambda f: truth  # noqa: ARG005

    def _input(self, v: Node) -> Getter:
        slot = v.extra
        return lambda f: f[slot]

    def _letter(self, v: Node) -> Getter:
        slot = self.letter(v.extra[0])
        return lambda f: f[slot]

    def _fail(self, v: Node) -> Getter:
        words, place = v.extra

        def get(f: Frame) -> Runtime:  # noqa: ARG001
            raise Refused(place, words)

        return get

    def _linear(self, v: Node) -> Getter:
        constant, factors = v.extra
        q = lcm(*[factor.denominator for factor in factors])
        shift = constant * self.D * q
        if shift.denominator != 1:
            raise Finer(shift.denominator)
        c = int(shift)
        terms = [(int(factor * q), self.get(one)) for factor, one in zip(factors, v.args, strict=True)]
        if q == 1 and all(factor in (1, -1) for factor, _ in terms):
            return self._signed(c, [g for p, g in terms if p == 1], [g for p, g in terms if p == -1])
        total = self._total(c, terms)
        if q == 1 and sum(abs(factor) for factor, _ in terms).bit_length() <= SMALL:
            return total
        most = self.most

        def get(f: Frame) -> Runtime:
            found = total(f) if q == 1 else exactly(total(f), q)
            if type(found) is int:
                if not -most < found < most:
                    limited(found, 0)
            elif type(found) is Affine:
                limited(found)
            return found

        return get

    def _total(self, c: int, terms: list[tuple[int, Getter]]) -> Getter:
        if len(terms) == 1:
            ((p, g),) = terms
            return (lambda f: g(f) * p + c) if c else lambda f: g(f) * p
        if len(terms) == 2:
            (p, g), (r, h) = terms
            return lambda f: g(f) * p + h(f) * r + c
        if len(terms) == 3:
            (p, g), (r, h), (t, k) = terms
            return lambda f: g(f) * p + h(f) * r + k(f) * t + c
        return lambda f: sum([g(f) * p for p, g in terms], c)

    def _signed(self, c: int, ups: list[Getter], downs: list[Getter]) -> Getter:
        if (len(ups), len(downs)) == (1, 0):
            (g,) = ups
            return lambda f: g(f) + c
        if (len(ups), len(downs)) == (1, 1):
            (g,), (h,) = ups, downs
            return (lambda f: g(f) - h(f) + c) if c else lambda f: g(f) - h(f)
        if (len(ups), len(downs)) == (2, 0):
            g, h = ups
            return lambda f: g(f) + h(f) + c
        return lambda f: sum([g(f) for g in ups], c) - sum([g(f) for g in downs])

    def _product(self, v: Node) -> Getter:
        a, b = (self.get(arg) for arg in v.args)
        D, most = self.D, self.most

        def get(f: Frame) -> Runtime:
            found = exactly(a(f) * b(f), D)
            if type(found) is int and not -most < found < most:
                limited(found, 0)
            return found

        return get

    def _sign(self, v: Node) -> Getter:
        d = self.get(v.args[0])
        if v.op == ">":
            return lambda f: d(f) > 0
        if v.op == ">=":
            return lambda f: d(f) >= 0
        return (lambda f: d(f) == 0) if v.op == "=" else lambda f: d(f) != 0

    def _not(self, v: Node) -> Getter:
        a = self.get(v.args[0])
        return lambda f: not a(f)

    def _and(self, v: Node) -> Getter:
        getters = [self.get(arg) for arg in v.args]

        def get(f: Frame) -> Runtime:
            for g in getters:  # noqa: SIM110
                if not g(f):
                    return False
            return True

        return get

    def _or(self, v: Node) -> Getter:
        getters = [self.get(arg) for arg in v.args]

        def get(f: Frame) -> Runtime:
            for g in getters:  # noqa: SIM110
                if g(f):
                    return True
            return False

        return get

    def _choice(self, v: Node) -> Getter:
        when, a, b = (self.get(arg) for arg in v.args)
        return lambda f: a(f) if when(f) else b(f)

    def _computed(self, v: Node) -> Getter:
        checks = [self.get(arg) for arg in v.args]

        def get(f: Frame) -> Runtime:
            for check in checks:
                check(f)
            return True

        return get

    def _after(self, v: Node) -> Getter:
        *checks, last = (self.get(arg) for arg in v.args)

        def get(f: Frame) -> Runtime:
            for check in checks:
                check(f)
            return last(f)

        return get

    def _call(self, v: Node) -> Getter:
        """A function of numbers.py on the values of the arguments."""
        fn, D, place = v.extra, self.D, v.place
        getters = [self.get(arg) for arg in v.args]
        if len(getters) == 1:
            (g,) = getters
            return lambda f: fn(D, place, g(f))
        return lambda f: fn(D, place, *[g(f) for g in getters])

    def _item(self, v: Node) -> Getter:
        """args: a list and an index; extra: the list's first index."""
        items, index = (self.get(arg) for arg in v.args)
        D, place, first = self.D, v.place, v.extra
        return lambda f: item(D, place, first, items(f), index(f))

    def _largest(self, v: Node) -> Getter:
        """The places where the score is largest; args: of each place its mask and its score."""
        masks = [None if mask is TRUE else self.get(mask) for mask in v.args[::2]]
        scores = v.args[1::2]
        getters, factor = [self.get(score) for score in scores], None
        if all(isinstance(score, Node) and score.op == "product" for score in scores):  # their order needs no unit
            pairs = [score.args for score in scores]  # type: ignore[union-attr]
            common = [one for one in pairs[0] if all(one in pair for pair in pairs)]
            if common:
                others = [pair[pair[0] is common[0]] for pair in pairs]
                getters, factor = [self.get(one) for one in others], self.get(common[0])
        if not any(masks):

            def get(f: Frame) -> Runtime:
                if factor is None:
                    found = [g(f) for g in getters]
                else:
                    times = sign(factor(f))
                    found = [g(f) * times for g in getters]
                return largest(found)

            return get

        def get_masked(f: Frame) -> Runtime:
            times = sign(factor(f)) if factor else 1
            found = [(g(f) * times, k) for k, g in enumerate(getters) if (mask := masks[k]) is None or mask(f)]
            return [found[k][1] for k in largest([score for score, _ in found])]

        return get_masked

    def _read(self, v: Node) -> Getter:
        """Of the places found: the mean of the values there, or the value at the first or last; else the default."""
        places, *values, default = (self.get(arg) for arg in v.args)
        tie = v.extra

        def get(f: Frame) -> Runtime:
            found = places(f)
            if not found:
                return default(f)
            found = at_tie(found, tie)
            if len(found) == 1:
                return values[found[0]](f)
            return exactly(sum([values[k](f) for k in found]), len(found))

        return get

    def _filter(self, v: Node) -> Getter:
        """args: of each item its condition and itself."""
        pairs = [(self.get(when), self.get(one)) for when, one in zip(v.args[::2], v.args[1::2], strict=True)]
        return lambda f: tuple([one(f) for when, one in pairs if when(f)])

    def _loop(self, v: Node) -> Getter:
        """args: what is run through, and of each a condition and the item."""
        run = self.run(v.extra[0], v.args[:-2], v.place)
        when, one = (self.get(arg) for arg in v.args[-2:])

        def get(f: Frame) -> Runtime:
            found: list[Runtime] = []

            def step() -> None:
                if when(f):
                    found.append(one(f))
                    if len(found) > MOST_ITEMS:
                        raise OverLimit(f"{v.place}: a list of more than {MOST_ITEMS:,} items")

            run(f, step)
            return tuple(found)

        return get

    def run(self, letter: int, reach: tuple[Value, ...], place: Place) -> Callable[[Frame, Callable[[], None]], None]:
        """Runs a step for each value of a letter: of a list, or from one number to another."""
        slot, dependent, budget, D = self.letter(letter), self.dependent[letter], self.budget, self.D
        ends = [self.get(end) for end in reach]

        def run(f: Frame, step: Callable[[], None]) -> None:
            if len(ends) == 1:
                values = ends[0](f)
            else:
                low, high = (whole(D, end(f), place, "an end of a range") for end in ends)
                values = range(low * D, high * D + 1, D)
            outer = f[slot]
            for value in values:
                budget.spend(10 + len(dependent))
                f[slot] = value
                for one in dependent:
                    f[one] = None
                step()
            f[slot] = outer
            for one in dependent:
                f[one] = None

        return run

    def _own(self, v: Node) -> Getter:
        """What layers.py makes: families and networks on tokens that are computed."""
        getter: Getter = v.extra[0].make(self, v)
        return getter


def sign(v: Runtime) -> int:
    return 1 if v > 0 else -1 if v < 0 else 0


FEW = 4
STRICT = frozenset(("linear", "product", "call", "item", ">", ">=", "=", "!=", "not"))  # each argument is computed
OPS = dict.fromkeys((">", ">=", "=", "!="), "sign")
