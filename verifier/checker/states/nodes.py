"""Numbers and truths that depend on the letters of a word, as nodes of a graph in which equal ones are one.

A truth is Python's, or a Node. A number is Python's, a Q, or a Form: const + factor * a node, whose value is whole. A
node knows its level, the last place of the word that it depends on, and its bounds. Sums and conjunctions are chained
by level, a sum without its content: so depth_3/3 and depth_3/4 speak of one node, and depth_4 adds one letter to it.

Each function gives a number or truth that is equal to what its name says *for every word*. How they are written
decides how many states there are, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from operator import eq, floordiv, ge, mod, mul
from typing import Any, NoReturn, Union

from ..page.numbers import EXACT, MOST, NUMBERS, Exact, NotAffine, divided, floor_of, ratio
from ..page.values import TRUTHS

MOST_NODES, MOST_TERMS = 200_000, 600_000  # and all that is kept of sums and conjunctions
TOO_MANY = "more operations, or longer numbers, than are looked at together"
Truth = Union[bool, "Node"]
Number = Union[Exact, "Form"]
# The operations, on values. `in` is an entry of a letter, `const` a number; `sum` and `lin` have factors of their own.
DO: dict[str, Callable[..., Any]] = {
    "mul": mul,
    "max": max,
    "mod": mod,
    "div": floordiv,
    "num": int,
    "at least": ge,
    "equal": eq,
    "not": lambda a: not a,
    "and": lambda a, b: a and b,
    "if": lambda c, a, b: a if c else b,
    "choose": lambda c, a, b: a if c else b,
    "lin": lambda a, c, k: c + k * a,
    "per": lambda a, c, k: k * a // c,
}


@dataclass(eq=False, slots=True)
class Node:
    """op of args, and what else it needs. lo and hi: its bounds, of a truth 0 and 1. terms: of a sum in their order,
    with its whole factors, which have no common divisor, the first above 0; of a conjunction its parts."""

    op: str
    args: tuple[Node, ...]
    extra: Any
    lo: int
    hi: int
    graph: Graph
    level: int
    key: tuple[int, int]  # an order: by level
    terms: Any = None

    def __bool__(self) -> bool:
        return varies()

    def __eq__(self, other: object) -> bool:
        return self is other or varies()

    __hash__ = object.__hash__


def varies() -> NoReturn:
    raise NotAffine("what depends on the letters is compared where its value is needed")


class Graph:
    def __init__(self, spend: Callable[[int], None]) -> None:
        self.nodes: list[Node] = []
        self.table: dict[object, Node] = {}
        self.spend, self.terms = spend, 0

    def keep(self, terms: int) -> None:
        self.spend(terms)
        self.terms += terms
        if self.terms > MOST_TERMS:
            raise NotAffine(TOO_MANY)

    def full(self) -> bool:
        """Better to begin anew with the next length."""
        return len(self.nodes) > MOST_NODES // 4 or self.terms > MOST_TERMS // 4

    def node(
        self, op: str, args: tuple[Node, ...], extra: Any = None, lo: int = 0, hi: int = 1, level: int = 0
    ) -> Node:
        key = op, *[a.key[1] for a in args], extra
        n = self.table.get(key)
        if n is None:
            self.spend(20 + len(args))
            if len(self.nodes) >= MOST_NODES or not -MOST < lo <= hi < MOST:
                raise NotAffine(TOO_MANY)
            level = max([level, *[a.level for a in args]])
            n = self.table[key] = Node(op, args, extra, lo, hi, self, level, (level, len(self.nodes)))
            self.nodes.append(n)
        return n

    def const(self, c: int) -> Node:
        return self.node("const", (), c, c, c)


# Truths
def neg(a: Truth) -> Truth:
    if isinstance(a, bool):
        return not a
    return a.args[0] if a.op == "not" else a.graph.node("not", (a,))


def both(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    parts, more = conjuncts(a), conjuncts(b)
    if len(parts) < len(more):
        a, b, parts, more = b, a, more, parts
    more = more - parts
    if any(neg(part) in parts for part in more):
        return False
    last = a.args[1] if a.op == "and" else a
    if more and min(map(by_key, more)) < last.key:
        a, parts, more = True, frozenset(), parts | more
    for part in sorted(more, key=by_key):
        parts = parts | {part}
        a = with_part(a, part, parts)
    return a


def by_key(n: Node) -> tuple[int, int]:
    return n.key


def conjuncts(a: Node) -> frozenset[Node]:
    return a.terms if a.op == "and" else frozenset((a,))


def with_part(a: Truth, part: Node, parts: frozenset[Node]) -> Node:
    """The conjunction of these parts, the last of which is `part`."""
    if isinstance(a, bool):
        return part
    made = a.graph.node("and", (a, part))
    if made.terms is None:
        made.graph.keep(len(parts))
        made.terms = parts
    return made


def either(a: Truth, b: Truth) -> Truth:
    return neg(both(neg(a), neg(b)))


def implies(a: Truth, b: Truth) -> Truth:
    return neg(both(a, neg(b)))


def pick(c: Truth, a: Truth, b: Truth) -> Truth:
    """a if c else b, of truths."""
    if isinstance(c, bool) or a is b:
        return a if c is True else b
    if c.op == "not":
        return pick(c.args[0], b, a)
    a, b = (True if a is c else False if a is neg(c) else a), (False if b is c else True if b is neg(c) else b)
    if isinstance(a, bool):
        return either(c, b) if a else both(neg(c), b)
    if isinstance(b, bool):
        return either(neg(c), a) if b else both(c, a)
    return c.graph.node("if", (c, a, b))


def iff(a: Truth, b: Truth) -> Truth:
    if isinstance(a, bool):
        return b if a else neg(b)
    if isinstance(b, bool):
        return a if b else neg(a)
    if a is b or a is neg(b):
        return a is b
    a, b = sorted((a, b), key=by_key)
    return pick(a, b, neg(b))


def amount(c: Truth) -> Number:
    """1 if c else 0."""
    if isinstance(c, bool):
        return int(c)
    return 1 - amount(c.args[0]) if c.op == "not" else written(c.graph.node("num", (c,)))


# Numbers
@dataclass(eq=False, slots=True)
class Form:
    """const + factor * node: the factor isn't 0, the node no `const` and no `lin`."""

    const: Exact
    factor: Exact
    node: Node

    def __hash__(self) -> int:
        return hash((self.const, self.factor, self.node.key))

    def __eq__(self, other: object) -> bool:
        return alike(self, other) or varies()

    def __add__(self, other: Number) -> Number:
        if not isinstance(other, Form):
            return Form(self.const + other, self.factor, self.node)
        if self.node is other.node:
            const, factor = self.const + other.const, self.factor + other.factor
            return Form(const, factor, self.node) if factor != 0 else const
        return total((self, other))

    def __mul__(self, other: Number) -> Number:
        if isinstance(other, Form):
            return product(self, other)
        return Form(self.const * other, self.factor * other, self.node) if other != 0 else 0

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Number) -> Number:
        return self + other * -1

    def __rsub__(self, other: Number) -> Number:
        return self * -1 + other

    def __abs__(self) -> Number:
        return largest(self, self * -1)

    def unordered(self, _: object) -> bool:
        return varies()

    __lt__ = __le__ = __gt__ = __ge__ = unordered

    def __bool__(self) -> bool:
        return varies()


def alike(a: Any, b: Any) -> bool:
    """Whether two numbers or truths are written alike: then they are equal for every word."""
    if type(a) is Form and type(b) is Form:
        return a.node is b.node and a.factor == b.factor and a.const == b.const
    return a is b or (type(a) in EXACT and type(b) in EXACT and bool(a == b))


NUMBERS.add(Form)
TRUTHS.add(Node)


def written(n: Node) -> Number:
    """A node as a number."""
    if n.op == "const":
        return n.lo
    const, factor = n.extra if n.op == "lin" else (0, 1)
    return Form(const, factor, n.args[0] if n.op == "lin" else n)


def unit(*values: Number) -> Exact:
    """The largest number of which these are whole multiples, whatever the nodes are."""
    parts = [c for v in values for c in ((v.const, v.factor) if isinstance(v, Form) else (v,)) if c != 0]
    d = lcm(*[c.denominator for c in parts])
    return ratio(gcd(*[c.numerator * (d // c.denominator) for c in parts]), d) if parts else 1


def whole_node(v: Number, d: Exact, graph: Graph) -> Node:
    """v/d, which is whole, as a node."""
    if not isinstance(v, Form):
        return graph.const(int(divided(v, d)))  # type: ignore[arg-type]
    c, k = divided(v.const, d), divided(v.factor, d)
    if c == 0 and k == 1:
        return v.node
    ends = sorted((c + k * v.node.lo, c + k * v.node.hi))
    return graph.node("lin", (v.node,), (c, k), *ends)  # type: ignore[arg-type]


def total(values: Iterable[Number]) -> Number:
    """The sum."""
    c: Exact = 0
    parts: dict[Node, Exact] = {}
    for v in values:
        if isinstance(v, Form):
            c = c + v.const
            parts[v.node] = parts.get(v.node, 0) + v.factor
        else:
            c = c + v
    parts = {n: k for n, k in parts.items() if k != 0}
    if parts:
        next(iter(parts)).graph.spend(10 + len(parts))
    if len(parts) < 2:
        return next((Form(c, k, n) for n, k in parts.items()), c)
    d, terms = unit(*parts.values()), dict[Node, int]()
    for n, k in parts.items():
        k = divided(k, d)  # noqa: PLW2901
        for m, more in (n.terms if n.op == "sum" else {n: 1}).items():
            terms[m] = terms.get(m, 0) + k * more  # type: ignore[assignment]
    terms = {m: k for m, k in terms.items() if k}
    if not terms:
        return c
    g, n = summed(terms)
    return Form(c, d * g, n)


def summed(terms: dict[Node, int]) -> tuple[int, Node]:
    """g and a node: what these terms are is g times the node, a sum of the one of all lower levels and those of its
    own."""
    order = sorted(terms, key=by_key)
    if len(order) == 1:
        return terms[order[0]], order[0]
    graph = order[0].graph
    g = gcd(*terms.values()) * (1 if terms[order[0]] > 0 else -1)
    whole = {n: terms[n] // g for n in order}
    key = tuple([n.key[1] for n in whole]), tuple(whole.values())
    if key not in graph.table:
        last = order[-1].level
        parts = [(whole[n], n) for n in order if n.level == last]
        if len(parts) < len(order):
            parts.insert(0, summed({n: k for n, k in whole.items() if n.level < last}))
        lo, hi = (sum(k * (n.lo if (k > 0) == low else n.hi) for k, n in parts) for low in (True, False))
        made = graph.node("sum", tuple(n for _, n in parts), tuple(k for k, _ in parts), lo, hi)
        graph.keep(len(whole))
        made.terms, graph.table[key] = whole, made
    return g, graph.table[key]


def product(a: Form, b: Form) -> Number:
    p, q, graph = a.node, b.node, a.node.graph
    if p.op == "num":
        made = choose(p.args[0], Form(0, 1, q), 0)
    elif q.op == "num":
        made = choose(q.args[0], Form(0, 1, p), 0)
    else:
        ends = [x * y for x in (p.lo, p.hi) for y in (q.lo, q.hi)]
        made = written(graph.node("mul", tuple(sorted((p, q), key=by_key)), None, min(ends), max(ends)))
    parts = (Form(0, a.factor, p) * b.const, Form(0, b.factor, q) * a.const)
    return total((a.const * b.const, *parts, made * (a.factor * b.factor)))


def ends_of(v: Number) -> tuple[Exact, Exact]:
    if not isinstance(v, Form):
        return v, v
    a, b = (v.const + v.factor * end for end in (v.node.lo, v.node.hi))
    return (a, b) if v.factor > 0 else (b, a)


def largest(x: Number, y: Number) -> Number:
    lo, hi = ends_of(x - y)
    if lo >= 0 or hi <= 0:
        return x if lo >= 0 else y
    graph, d = graph_of(x, y), unit(x, y)
    a, b = sorted((whole_node(x, d, graph), whole_node(y, d, graph)), key=by_key)
    if (t := truth_of(a)) is not None and (u := truth_of(b)) is not None:
        return amount(either(t, u)) * d
    return Form(0, d, graph.node("max", (a, b), None, max(a.lo, b.lo), max(a.hi, b.hi)))


def graph_of(*values: Number) -> Graph:
    return next(v.node.graph for v in values if isinstance(v, Form))


def truth_of(n: Node) -> Truth | None:
    """Of a node that is 1 or 0, when it is 1."""
    if n.op == "num":
        return n.args[0]
    if n.op == "const":
        return bool(n.lo) if n.lo in (0, 1) else None
    return neg(n.args[0].args[0]) if n.op == "lin" and n.extra == (1, -1) and n.args[0].op == "num" else None


def choose(c: Truth, a: Number, b: Number) -> Number:
    """a if c else b, of numbers."""
    if isinstance(c, bool) or alike(a, b):
        return a if c is not False else b
    if c.op == "not":
        return choose(c.args[0], b, a)
    difference = a - b
    if not isinstance(difference, Form):
        return b + amount(c) * difference
    graph, d = c.graph, unit(a, b)
    x, y = whole_node(a, d, graph), whole_node(b, d, graph)
    if (t := truth_of(x)) is not None and (u := truth_of(y)) is not None:
        return amount(pick(c, t, u)) * d
    x = x.args[1] if x.op == "choose" and x.args[0] is c else x
    y = y.args[2] if y.op == "choose" and y.args[0] is c else y
    return Form(0, d, graph.node("choose", (c, x, y), None, min(x.lo, y.lo), max(x.hi, y.hi)))


# Comparisons
def zero(d: Number) -> Truth:
    """d = 0."""
    if not isinstance(d, Form):
        return d == 0
    k = divided(-d.const, d.factor)
    return equals(d.node, k) if isinstance(k, int) else False


def positive(d: Number, *, strictly: bool) -> Truth:
    """d > 0, or d >= 0."""
    if not isinstance(d, Form):
        return d > 0 if strictly else d >= 0
    low, high = floor_of(-d.const, d.factor), -floor_of(d.const, d.factor)  # of where d is 0
    if d.factor > 0:
        return at_least(d.node, low + 1 if strictly else high)
    return neg(at_least(d.node, high if strictly else low + 1))


def at_least(p: Node, k: int) -> Truth:
    """p >= k."""
    if p.op == "in":
        k = next((x for x in p.extra[2] if x >= k), p.hi + 1)
    if p.lo >= k or p.hi < k:
        return bool(p.lo >= k)
    if p.op == "num":
        return p.args[0]
    if p.op == "lin":
        return positive(written(p) - k, strictly=False)
    if p.op == "choose" and all(a.lo >= k or a.hi < k for a in p.args[1:]):
        return pick(p.args[0], bool(p.args[1].lo >= k), bool(p.args[2].lo >= k))
    if p.op == "sum":
        low = k - p.lo <= p.hi + 1 - k
        if min(k - p.lo, p.hi + 1 - k) <= min(map(abs, p.terms.values())):  # not all terms at their least, or all
            at_end: Truth = True  # at their largest
            for n in sorted(p.terms, key=by_key):
                at_end = both(at_end, equals(n, n.lo if (p.terms[n] > 0) == low else n.hi))
            return neg(at_end) if low else at_end
        if by_carries := carried(p, k):
            return positive(by_carries[0] - by_carries[1], strictly=False)
    return p.graph.node("at least", (p,), k)


def equals(p: Node, k: int) -> Truth:
    """p = k."""
    if k < p.lo or k > p.hi or (p.op == "in" and k not in p.extra[2]):
        return False
    if p.op == "lin":
        return zero(written(p) - k)
    if k == p.lo:
        return neg(at_least(p, k + 1))
    if k == p.hi:
        return at_least(p, k)
    if p.op == "choose" and all(a.lo == a.hi for a in p.args[1:]):
        return pick(p.args[0], bool(p.args[1].lo == k), bool(p.args[2].lo == k))
    if p.op == "sum" and (by_carries := carried(p, k)):
        return both(by_carries[2], zero(by_carries[0] - by_carries[1]))
    return p.graph.node("equal", (p,), k)


def carried(p: Node, k: int) -> tuple[Number, int, Truth] | None:
    """Where what comes later is a multiple of r > 1, as sums are made in writing: t and l, so that p >= k if t >= l;
    p = k if t = l and the third holds. With p = t + r p' and k = r l + k mod r, p - k is
    r (p' + (t - k mod r) / r - l), and a carry is (t - k mod r) div r."""
    p.graph.spend(len(p.terms))
    rows = by_level(p)
    after, g = list[int](), 0
    for row in reversed(rows[1:]):
        g = gcd(g, *[c for _, c in row])
        if g == 1 and not after:
            return None
        after.insert(0, g)
    if not after:
        return None
    t: Number = 0
    same: Truth = True
    so_far = 1
    for row, g in zip(rows, [*after, 0], strict=True):
        t = total([t, *[written(n) * (c // so_far) for n, c in row]])
        if g > so_far:
            r = g // so_far
            t = t - k % r
            same = both(same, zero(remainder(t, r)))
            t, k, so_far = quotient(t, r), k // r, g
    return t, k, same


def by_level(p: Node) -> list[list[tuple[Node, int]]]:
    """The terms of a sum, level by level."""
    rows: dict[int, list[tuple[Node, int]]] = {}
    for n, k in p.terms.items():
        rows.setdefault(n.level, []).append((n, k))
    return list(rows.values())


# Division by a number that is known
def remainder(x: Number, k: int) -> Number:
    """x mod k, of whole numbers."""
    if not isinstance(x, Form):
        return x % k  # type: ignore[operator]
    lo, hi = (int(end) for end in ends_of(x))  # type: ignore[arg-type]
    if k > 0 and hi // k - lo // k <= 2:
        steps = [amount(positive(x - j * k, strictly=False)) for j in range(lo // k + 1, hi // k + 1)]
        return x - total([*steps, lo // k]) * k
    n = whole_node(x, 1, x.node.graph)
    return written(n.graph.node("mod", (n,), k, min(0, k + 1), max(0, k - 1)))


def quotient(x: Number, k: int) -> Number:
    """x div k, of whole numbers."""
    if not isinstance(x, Form):
        return x // k  # type: ignore[operator]
    n = whole_node(x, 1, x.node.graph)
    lo, hi = sorted((n.lo // k, n.hi // k))
    return lo if lo == hi else written(n.graph.node("div", (n,), k, lo, hi))


def divided_by(sign: str, v: Form, by: Exact) -> Number:
    """v mod or div a number that isn't 0."""
    d = unit(v, by)
    x, k = v * ratio(d.denominator, d.numerator), int(divided(by, d))  # type: ignore[arg-type]
    if sign == "div":
        return quotient(x, k)
    if isinstance(x, Form) and x.node.op == "sum" and k > 0:  # a running remainder
        lo, hi = (int(end) for end in ends_of(x))  # type: ignore[arg-type]
        if hi // k - lo // k > 2:
            r: Number = 0
            for row in by_level(x.node):
                r = remainder(total([r, *[written(n) * (c * x.factor % k) for n, c in row]]), k)  # type: ignore[operator]
            x = r + x.const
    return remainder(x, k) * d


def per(v: Number, many: Number, most: int) -> Number:
    """v / many, which is a whole number from 1 to `most`."""
    if not isinstance(many, Form):
        return v * ratio(1, int(many))  # type: ignore[arg-type]
    graph, d, multiple = many.node.graph, unit(v), lcm(*range(1, most + 1))
    n, c = whole_node(v, d, graph), whole_node(many, 1, graph)
    made = graph.node("per", (n, c), multiple, min(0, multiple * n.lo), max(0, multiple * n.hi))
    return written(made) * divided(d, multiple)


# A number or truth once more, where some nodes are given
def again(v: Any, given: dict[Node, Any], level: int) -> Any:
    """Of numbers and truths; `given` has the values of some nodes at this level, and what was asked before."""
    if isinstance(v, Form):
        return again_node(v.node, given, level) * v.factor + v.const
    return again_node(v, given, level) if isinstance(v, Node) else v


def again_node(n: Node, given: dict[Node, Any], level: int) -> Any:
    if n not in given:
        if n.level < level or n.op in ("in", "const"):
            given[n] = n if n.op in OF_TRUTHS else written(n)
        else:
            given[n] = AGAIN[n.op](n.extra, *[again_node(a, given, level) for a in n.args])
    return given[n]


OF_TRUTHS = frozenset(("at least", "equal", "not", "and", "if"))
AGAIN: dict[str, Callable[..., Any]] = {
    "sum": lambda factors, *a: total([x * k for x, k in zip(a, factors, strict=True)]),
    "lin": lambda extra, a: a * extra[1] + extra[0],
    "mul": lambda _, a, b: a * b,
    "choose": lambda _, c, a, b: choose(c, a, b),
    "if": lambda _, c, a, b: pick(c, a, b),
    "max": lambda _, a, b: largest(a, b),
    "at least": lambda k, a: positive(a - k, strictly=False),
    "equal": lambda k, a: zero(a - k),
    "not": lambda _, a: neg(a),
    "and": lambda _, a, b: both(a, b),
    "num": lambda _, a: amount(a),
    "mod": lambda k, a: remainder(a, k),
    "div": lambda k, a: quotient(a, k),
    "per": lambda multiple, a, c: again_per(a, c, multiple),
}


def again_per(a: Number, many: Number, multiple: int) -> Number:
    if not isinstance(many, Form):
        return a * ratio(multiple, int(many))  # type: ignore[arg-type]
    if not isinstance(a, Form):
        a = written(many.node.graph.const(int(a)))  # type: ignore[arg-type]
    graph = many.node.graph
    n, c = whole_node(a, 1, graph), whole_node(many, 1, graph)
    return written(graph.node("per", (n, c), multiple, min(0, multiple * n.lo), max(0, multiple * n.hi)))


def nodes_of(v: Any) -> Sequence[Node]:
    """Of a number or truth."""
    return (v.node,) if isinstance(v, Form) else (v,) if isinstance(v, Node) else ()


def level_of(values: Iterable[Any]) -> int:
    return max([n.level for v in values for n in nodes_of(v)], default=0)


def operations(values: Iterable[Any], level: int, most: int) -> int:
    """How many nodes at this level they need; counted until there are more than `most`."""
    seen, todo = set[Node](), [n for v in values for n in nodes_of(v)]
    while todo and len(seen) <= most:
        n = todo.pop()
        if n.level == level and n not in seen:
            seen.add(n)
            todo += n.args
    return len(seen)


def entries_are(entries: Sequence[Node], values: Sequence[int]) -> Truth:
    """The letter is the one whose entries have these values."""
    found: Truth = True
    for n, x in zip(entries, values, strict=True):
        found = both(found, equals(n, x))
    return found
