"""Numbers and truths that differ from word to word: a function of the word's letters (diagrams.py), and what it is
worth at each of its labels. So what is computed of one such function alone (the number of ones, say) is a table of as
many entries as it has labels, whatever the number of words.
"""

from collections.abc import Callable, Iterable, Sequence
from math import gcd, lcm
from operator import add, eq, ge, gt, le, lt, mul, ne
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.states.diagrams import Diagrams, DontMerge, Edge
from verifier.evaluate.values import BITS, List, Varying, Wrong, bits, kind_of, one_kind, power, settled, small

SIGNS = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
FEW, QUOTIENTS = 256, 16  # values of a sum that are told apart; what a quotient may be
NOTHING: Any = type("Nothing", (), {})()  # in place of what is refused on every word
Truth = Any  # bool, or Of
Number = Any  # mpq, Of, or Sum


class Of(Varying):
    """table[k] where the diagram leads to its k-th label."""

    __slots__ = ("alone", "edge", "long", "shared", "span", "table")

    def __init__(self, shared: Diagrams, edge: Edge, table: tuple[Any, ...], long: int = 0) -> None:
        self.shared, self.edge, self.table = shared, edge, table
        self.kind = "truth" if isinstance(table[0], bool) else "number"
        self.long = long or (0 if self.kind == "truth" else max(map(digits, table)))  # binary digits, at most
        if self.long > BITS and max(map(digits, table)) > BITS:
            raise OverflowError
        self.alone: Edge | None = None  # the diagram whose labels are the values themselves
        self.span: tuple[Any, Any, Any] | None = None

    def one_by_one(self) -> Exception:
        return DontMerge("what must be known differs from word to word")

    def mapped(self, f: Callable[[Any], Any]) -> Any:
        return of(self.shared, self.edge, map(f, self.table))

    @property
    def merged(self) -> Edge:
        """Its diagram, with the values themselves as labels."""
        if self.alone is None:
            w = self.shared
            labels = w.outcomes(self.edge)
            self.alone = w.relabelled(self.edge, {k: w.constant(v) for k, v in zip(labels, self.table, strict=True)})
        return self.alone

    @property
    def reach(self) -> tuple[Any, Any, Any]:
        """The least, the largest, and what all differences are multiples of."""
        if self.span is None:
            den = lcm(*[int(v.denominator) for v in self.table])
            whole = [int(v * den) for v in self.table]
            unit = gcd(*[v - whole[0] for v in whole])
            self.span = mpq(min(whole), den), mpq(max(whole), den), mpq(unit, den)
        return self.span

    def __add__(self, other: Any) -> Number:
        return added(self, other)

    def __mul__(self, other: Any) -> Number:
        return multiplied(self, other)

    def __sub__(self, other: Any) -> Number:
        return added(self, -1 * other)

    def __rsub__(self, other: Any) -> Number:
        return added(self * -1, other)

    __radd__, __rmul__ = __add__, __mul__


class Sum(Varying):
    """A number and several functions, which have too many sums to tell them apart."""

    __slots__ = ("constant", "parts")

    def __init__(self, constant: Any, parts: Sequence[Of]) -> None:
        self.kind, self.constant, self.parts = "number", constant, tuple(parts)

    one_by_one = Of.one_by_one

    def __add__(self, other: Any) -> Number:
        return added(self, other)

    def __mul__(self, other: Any) -> Number:
        return multiplied(self, other)

    def __sub__(self, other: Any) -> Number:
        return added(self, -1 * other)

    def __rsub__(self, other: Any) -> Number:
        return added(self * -1, other)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def ends(self) -> tuple[Any, Any]:
        return (
            self.constant + sum(part.reach[0] for part in self.parts),
            self.constant + sum(part.reach[1] for part in self.parts),
        )


class Some(Varying):
    """A list of which those items are there whose truth is so."""

    __slots__ = ("first", "pairs")

    def __init__(self, pairs: list[tuple[Truth, Any]], first: int = 1) -> None:
        self.pairs, self.first, inner = pairs, first, None
        for _, v in pairs:
            inner = one_kind(inner, kind_of(v))
        self.kind = ("list", inner)

    def one_by_one(self) -> Exception:
        return DontMerge("a list has not the same items in each word")


def digits(v: Any) -> int:
    return max(bits(v.numerator), bits(v.denominator))


def of(shared: Diagrams, edge: Edge, table: Iterable[Any], long: int = 0) -> Any:
    """A function's values by its labels; known, where all are equal."""
    table = tuple(table)
    shared.spend(len(table))
    first = table[0]
    for v in table:
        if v != first:
            return Of(shared, edge, table, long)
    return first


def read(shared: Diagrams, edge: Edge) -> Any:
    """The function whose labels are its values."""
    if edge[0] < 0:
        return shared.labels[~edge[0]]
    key = "value", edge
    if key not in shared.memo:
        made = Of(shared, edge, tuple([shared.labels[k] for k in shared.outcomes(edge)]))
        made.alone = edge
        shared.memo[key] = made
    return shared.memo[key]


def edge_of(v: Any, shared: Diagrams) -> Edge:
    return v.merged if isinstance(v, Of) else shared.constant(v)


def at_once(values: Sequence[Any]) -> Of | None:
    """One of these, if all that differ from word to word are of one function."""
    found = None
    for v in values:
        if isinstance(v, Of):
            if found is None:
                found = v
            elif found.edge != v.edge:
                return None
    return found


def columns(one: Of, values: Sequence[Any]) -> list[Sequence[Any]]:
    return [v.table if isinstance(v, Of) else (v,) * len(one.table) for v in values]


def by_two(name: str, f: Callable[[Any, Any], Any], a: Any, b: Any, early: Any = None) -> Any:
    """A function of two values, one of which differs from word to word."""
    one = at_once((a, b))
    if one is not None:
        long = sum(v.long if isinstance(v, Of) else digits(v) for v in (a, b)) + 1 if name in "+*" else 0
        return of(one.shared, one.edge, map(f, *columns(one, (a, b))), long)
    w = a.shared
    x, y = a.merged, b.merged
    if x == y:
        return by_two(name, f, read(w, x), read(w, y))
    return read(w, w.both(name, f, x, y, *([] if early is None else [early])))


# truths

FALSE, TRUE = (~0, 0), (~1, 0)


def negated(a: Truth) -> Truth:
    return not a if isinstance(a, bool) else a.mapped(lambda v: not v)


def _both(x: Edge, y: Edge) -> Edge | None:
    if x in (FALSE, TRUE):
        return y if x == TRUE else x
    if y in (FALSE, TRUE) or x == y:
        return y if y == FALSE else x
    return None


def _either(x: Edge, y: Edge) -> Edge | None:
    if x in (FALSE, TRUE):
        return y if x == FALSE else x
    if y in (FALSE, TRUE) or x == y:
        return y if y == TRUE else x
    return None


def both(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool) or isinstance(b, bool):
        return (b if a else False) if isinstance(a, bool) else a if b else False
    return by_two("and", lambda x, y: x and y, a, b, _both)


def either(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool) or isinstance(b, bool):
        return (True if a else b) if isinstance(a, bool) else True if b else a
    return by_two("or", lambda x, y: x or y, a, b, _either)


def alike(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool) or isinstance(b, bool):
        return (b if a else negated(b)) if isinstance(a, bool) else a if b else negated(a)
    return by_two("iff", eq, a, b)


def amount(c: Truth) -> Number:
    """1 where it is true, else 0."""
    return mpq(int(c)) if isinstance(c, bool) else c.mapped(lambda v: mpq(int(v)))


# numbers


def added(a: Number, b: Number) -> Number:
    if isinstance(a, Sum) or isinstance(b, Sum):
        return summed([a, b])
    if not isinstance(a, Of):
        a, b = b, a
    if not isinstance(b, Of):
        return a if b == 0 else Of(a.shared, a.edge, tuple([v + b for v in a.table]), a.long + digits(b) + 1)
    if a.edge != b.edge and len(a.table) * len(b.table) > FEW:
        (low, high, unit), (least, most, step) = a.reach, b.reach
        den = lcm(int(unit.denominator), int(step.denominator))
        unit = mpq(gcd(int(unit * den), int(step * den)), den)
        if (high - low + most - least) / unit >= max(FEW, 4 * len(a.shared.sizes)):
            return summed([a, b])
    return by_two("+", add, a, b)


def summed(values: Sequence[Number]) -> Number:
    """A Sum, of one part for each function."""
    constant, parts = mpq(0), dict[Edge, Any]()
    for v in values:
        if not isinstance(v, Sum | Of):
            constant += v
            continue
        constant += v.constant if isinstance(v, Sum) else 0
        for part in v.parts if isinstance(v, Sum) else [v]:
            before = parts.get(part.edge)
            parts[part.edge] = part if before is None else before + part
    left = []
    for part in parts.values():
        if isinstance(part, Of):
            left.append(part)
        else:
            constant += part
    if len(left) < 2:
        return left[0] + constant if left else constant
    return Sum(small(constant), left)


def told_apart(v: Number) -> Number:
    """A Sum, with all its values after all."""
    if not isinstance(v, Sum):
        return v
    found: Any = v.constant
    for part in sorted(v.parts, key=lambda part: part.edge[1]):
        found = by_two("+", add, found, part) if isinstance(found, Of) else part + found
    return found


def multiplied(a: Number, b: Number) -> Number:
    if isinstance(b, Sum) or not isinstance(a, Varying):
        a, b = b, a
    if isinstance(a, Sum):
        if isinstance(b, Sum):
            return multiplied(told_apart(a), told_apart(b))
        return summed([a.constant * b, *[part * b for part in a.parts]])
    if not isinstance(b, Of):
        if b in (0, 1):
            return mpq(0) if b == 0 else a
        return Of(a.shared, a.edge, tuple([v * b for v in a.table]), a.long + digits(b))
    zero = a.shared.constant(mpq(0))
    return by_two("*", mul, a, b, lambda x, y: zero if zero in (x, y) else None)


def quotient(a: Number, by: Any) -> Number:
    """a div a known number."""
    if isinstance(a, Sum):
        low, high = a.ends
        first, last = sorted((low // by, high // by))
        if last - first > QUOTIENTS:
            return quotient(told_apart(a), by)
        found: Number = mpq(first)
        for k in range(int(first) + 1, int(last) + 1):
            found = found + amount(compared(">=", a * (1 / by), mpq(k)))
        return found
    return a.mapped(lambda v: mpq(v // by))


def remainder(a: Number, by: Any) -> Number:
    if isinstance(a, Sum):
        return a + quotient(a, by) * -by
    return a.mapped(lambda v: v % by)


def raised(a: Number, exponent: int) -> Number:
    a = told_apart(a)
    return a.mapped(lambda v: small(power(v, exponent))) if isinstance(a, Of) else small(power(a, exponent))


def larger(a: Number, b: Number, sign: int = 1) -> Number:
    """The larger one; sign -1: the smaller one."""
    a, b = told_apart(a), told_apart(b)
    (low, high), (least, most) = ends(a), ends(b)
    if low >= most or high <= least:
        return a if (low >= most) == (sign > 0) else b
    return by_two("max" if sign > 0 else "min", max if sign > 0 else min, a, b)


def ends(v: Number) -> tuple[Any, Any]:
    return v.reach[:2] if isinstance(v, Of) else v.ends if isinstance(v, Sum) else (v, v)


def compared(sign: str, a: Number, b: Number) -> Truth:
    """A relation of two numbers."""
    if not isinstance(a, Varying) and not isinstance(b, Varying):
        return bool(SIGNS[sign](a, b))
    if isinstance(a, Sum) or isinstance(b, Sum):
        if sign in ("<", ">="):
            found = sign_of(">=", a - b)
            return found if sign == ">=" else negated(found)
        if sign in (">", "<="):
            found = sign_of(">=", b - a)
            return found if sign == "<=" else negated(found)
        found = sign_of("=", a - b)
        return found if sign == "=" else negated(found)
    return by_two(sign, SIGNS[sign], a, b)


def sign_of(want: str, d: Number) -> Truth:
    if not isinstance(d, Sum):
        return compared(want, d, mpq(0))
    shared = d.parts[0].shared
    den = lcm(*[int(v.denominator) for v in (d.constant, *[v for part in d.parts for v in part.table])])
    parts = [
        (part.edge, {k: int(v * den) for k, v in zip(shared.outcomes(part.edge), part.table, strict=True)})
        for part in d.parts
    ]
    return read(shared, shared.signed(want, int(d.constant * den), parts))


# whatever has a kind


def same(a: Any, b: Any) -> Truth:
    """a = b, of one kind, in depth."""
    one_kind(kind_of(a), kind_of(b))
    return _same(a, b)


def _same(a: Any, b: Any) -> Truth:
    settled(a, b)
    if isinstance(a, List):
        if len(a) != len(b):
            return False
        found: Truth = True
        for x, y in zip(a.items, b.items, strict=True):
            found = both(found, _same(x, y))
            if found is False:
                return False
        return found
    return alike(a, b) if kind_of(a) == "truth" else compared("=", a, b)


def choose(c: Truth, a: Any, b: Any) -> Any:
    """a where c is true, else b."""
    if isinstance(c, bool) or a is b or a is NOTHING or b is NOTHING:
        return a if c is True or a is b or b is NOTHING else b
    if isinstance(a, Some) or isinstance(b, Some):
        raise DontMerge("a choice of lists that have not the same items in each word")
    if isinstance(a, List) and isinstance(b, List):
        if a.first != b.first or len(a) != len(b):
            raise DontMerge("a choice of two lists of other lengths, or first indices")
        return List([choose(c, x, y) for x, y in zip(a.items, b.items, strict=True)], a.first)
    if kind_of(a) != kind_of(b):
        raise DontMerge("a choice of two kinds")
    if isinstance(a, Sum) or isinstance(b, Sum):
        x, y = (v if isinstance(v, Sum) else summed([v]) if not isinstance(v, Of) else v for v in (a, b))
        parts: list[tuple[Any, Any]] = [(part, mpq(0)) for part in (x.parts if isinstance(x, Sum) else [x])]
        parts += [(mpq(0), part) for part in (y.parts if isinstance(y, Sum) else [y])]
        fixed = choose(c, x.constant if isinstance(x, Sum) else mpq(0), y.constant if isinstance(y, Sum) else mpq(0))
        return summed([fixed, *[choose(c, p, q) for p, q in parts]])
    one = at_once((c, a, b))
    if one is not None:
        return of(one.shared, one.edge, [x if t else y for t, x, y in zip(*columns(one, (c, a, b)), strict=True)])
    w = c.shared
    return read(w, w.chosen(c.merged, edge_of(a, w), edge_of(b, w)))


def together(values: Sequence[Of]) -> tuple[Edge, list[tuple[Any, ...]]]:
    """One function that tells all that these tell, and by its labels their values."""
    w = values[0].shared
    one = at_once(values)
    if one is not None:
        return one.edge, [tuple(row) for row in zip(*[v.table for v in values], strict=True)]
    edges = list(dict.fromkeys(v.merged for v in values))
    edge = w.relabelled(edges[0], {k: w.constant((w.labels[k],)) for k in w.outcomes(edges[0])})
    for other in edges[1:]:
        edge = w.both("beside", lambda row, v: (*row, v), edge, other)
    at = [edges.index(v.merged) for v in values]
    return edge, [tuple([w.labels[k][i] for i in at]) for k in w.outcomes(edge)]


def applied(f: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, Truth]:
    """A function that is made for known values, and on which words it isn't refused."""
    if any(isinstance(v, Some) for v in arguments):
        raise DontMerge("a list has not the same items in each word")
    loose = [told_apart(v) for v in leaves(arguments)]
    changing = list({id(v): v for v in loose if isinstance(v, Of)}.values())
    if not changing:
        return f(*filled(arguments, iter(loose))), True
    edge, rows = together(changing)
    which = {id(v): k for k, v in enumerate(changing)}
    found, fine = [], []
    for row in rows:
        try:
            found.append(f(*filled(arguments, iter([row[which[id(v)]] if isinstance(v, Of) else v for v in loose]))))
            fine.append(True)
        except Wrong:
            found.append(NOTHING)
            fine.append(False)
    w = changing[0].shared
    ok = of(w, edge, fine)
    if ok is False:
        return NOTHING, False
    spare = next(v for v in found if v is not NOTHING)
    return gathered(w, edge, [spare if v is NOTHING else v for v in found]), ok


def gathered(w: Diagrams, edge: Edge, found: Sequence[Any]) -> Any:
    """Values by label, as one value; lists item by item."""
    if any(isinstance(v, List) for v in found):
        if len({(v.first, len(v)) if isinstance(v, List) else None for v in found}) > 1:
            raise DontMerge("a list has not the same items in each word")
        return List([gathered(w, edge, row) for row in zip(*[v.items for v in found], strict=True)], found[0].first)
    if len({kind_of(v) for v in found}) > 1:
        raise DontMerge("a value of two kinds")
    return of(w, edge, found)


def leaves(v: Any) -> list[Any]:
    if isinstance(v, List):
        return [x for item in v.items for x in leaves(item)]
    return [x for item in v for x in leaves(item)] if isinstance(v, list | tuple) else [v]


def filled(v: Any, by: Any) -> Any:
    """The same shape, with these leaves."""
    if isinstance(v, List):
        return List([filled(item, by) for item in v.items], v.first)
    return [filled(item, by) for item in v] if isinstance(v, list | tuple) else next(by)


def known(v: Any) -> bool:
    return not isinstance(v, Varying) and (not isinstance(v, List) or all(map(known, v.items)))
