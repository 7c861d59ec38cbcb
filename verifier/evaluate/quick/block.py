"""A page's expressions on a block of cases, which all have the same number of items.

Only what is looked at is computed: where lanes part, each branch is run on its own lanes. A definition is first tried
on all lanes, for everybody, and only where that is refused on those that look at it.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from verifier.evaluate.budget import spend
from verifier.evaluate.builtins import computed
from verifier.evaluate.quick.cases import alike, own, tabled
from verifier.evaluate.quick.numbers import AffineInStep, Arr, Lanes, NotAffine, compare, floor_div, known, mul, short
from verifier.evaluate.quick.values import (
    LanesDiffer,
    Seq,
    Truth,
    Value,
    conj,
    difference,
    disj,
    dot,
    equal,
    extreme,
    flip,
    item,
    kind,
    need,
    number_of,
    ordered,
    pairs_of,
    plus,
    related,
    shown,
    spread,
    take,
    times,
    varies,
    where,
    whole,
)
from verifier.evaluate.values import BITS, placed
from verifier.language.builtins import folds
from verifier.language.names import known as follows_from_sizes
from verifier.language.tree import (
    And,
    Call,
    Compare,
    Dots,
    Each,
    Expression,
    If,
    Iff,
    Index,
    ListOf,
    Name,
    Not,
    Number,
    Or,
    Power,
    Product,
    Range,
    Sum,
    with_dots,
)
from verifier.language.tree import Truth as TruthValue
from verifier.language.words import Place, Refused, TooLarge

LIGHT, REMEMBERED = 40, 64  # nodes of what is computed in all lanes; results of functions
Letters = dict[str, Value]


class Block:
    """env: the case, and its weight; kept: what follows from the sizes and the number of items.

    up, pick: the block of which these are some lanes, and which."""

    def __init__(
        self, page: Any, n: int, env: Letters, kept: Letters, up: "Block | None" = None, pick: Lanes = None
    ) -> None:
        self.page, self.n, self.env, self.kept, self.up, self.pick = page, n, env, kept, up, pick
        self.root: Block = self if up is None else up.root
        self.place: Lanes = pick if up is None or up.place is None else up.place[pick]  # in the root; None: as here
        self.cache: dict[str, Any] = {}
        self.partial: dict[str, dict[int, Value]] = {}  # lists that are being defined
        self.memo: OrderedDict[Any, Any] = OrderedDict()
        self.runs: dict[Any, Any] = {}
        self.below: dict[int, tuple[Truth, Block]] = {}
        self.here_alone: set[int] = set()  # expressions that some lanes refuse: only who looks at them computes them

    def __call__(self, tree: Expression, at: Letters) -> Value:
        spend(2)
        if isinstance(tree, Name) and tree.name in at:
            return at[tree.name]
        if isinstance(tree, Number):
            return tree.value
        try:
            if self.up is not None and (value := self.above(tree, at)) is not None:
                return value
            return HOW[tree.kind](self, tree, at)
        except Refused as error:
            if error.place == (0, 0) and type(error) is Refused:
                raise Refused(tree.place, error.message) from None
            raise

    def above(self, tree: Expression, at: Letters) -> Value | None:
        """An item of a definition's list, or a network's tokens, for all lanes of which these are some, and of these:
        so it is computed once. None: what else it is; or it speaks of letters that part the lanes, or is refused."""
        if self.up is None or id(tree) in self.root.here_alone or not self.page.shared(tree):
            return None
        if any(letter in at and not known(at[letter]) for letter in self.page.free(tree)):
            return None
        try:
            return self.taken(self.up(tree, at))
        except (Refused, LanesDiffer):
            self.root.here_alone.add(id(tree))
            return None

    def truth(self, tree: Expression, at: Letters) -> Truth:
        value = self(tree, at)
        if not isinstance(value, bool | np.ndarray):
            raise Refused(tree.place, f"a truth is expected here, and this is a {kind(value)}")
        return value

    # lanes

    def sub(self, mask: Truth, lasting: bool = False) -> "Block":
        """The block of these lanes; lasting: the next who asks with the same mask gets the same block."""
        if lasting and (known_block := self.below.get(id(mask))):
            return known_block[1]
        pick = np.nonzero(mask)[0]
        block = Block(self.page, len(pick), {}, self.kept, self, pick)
        if lasting:
            self.below[id(mask)] = mask, block
        return block

    def letters(self, at: Letters, tree: Expression) -> Letters:
        """The letters of an expression, for the lanes of this block."""
        free = self.page.free(tree)
        return {k: self.taken(v) for k, v in at.items() if k in free or (HEAD in free and HEAD in at)}

    def taken(self, value: Value) -> Value:
        return take(value, self.pick)

    def guarded(self, mask: Truth, tree: Expression, at: Letters) -> Value:
        """The value where the mask is true; elsewhere anything."""
        if isinstance(mask, bool):
            return self(tree, at)
        if self.page.weight(tree) <= LIGHT:
            try:
                return self(tree, at)
            except (Refused, LanesDiffer):
                pass
        block = self.sub(mask)
        with self.wider(block):
            return spread(block(tree, block.letters(at, tree)), block.pick, self.n)

    @contextmanager
    def wider(self, block: "Block") -> Iterator[None]:
        """Where a block of some lanes must be split, this one is."""
        try:
            yield
        except LanesDiffer as split:
            key = np.full(self.n, -1)
            key[block.pick] = np.unique(split.key, return_inverse=True)[1]
            raise LanesDiffer(key) from None

    def lane(self, lane: int) -> int:
        """Its place in the root."""
        return lane if self.place is None else int(self.place[lane])

    # names

    def value(self, name: str) -> Value:
        page = self.page
        for place in (page.constants, self.env, self.kept, self.cache, self.partial):
            if name in place:
                value = place[name]
                if isinstance(value, Exception):
                    raise value.with_traceback(None)
                return value
        if self.up is not None:
            try:
                value = self.up.value(name)
            except (Refused, LanesDiffer):
                pass
            else:
                if isinstance(value, dict):
                    return {k: self.taken(v) for k, v in value.items()}
                self.cache[name] = value = self.taken(value)
                return value
        things = page.names.kept[name]
        room = page.constants if not things else self.kept if follows_from_sizes(things) else self.cache
        try:
            value = room[name] = self.defined(name)
        except (Refused, LanesDiffer) as error:
            self.cache[name] = error
            raise
        return value

    def defined(self, name: str) -> Value:
        definition = self.page.page.definitions[name]
        if definition.body is not None:
            return self.truth(definition.body, {}) if definition.truth else self(definition.body, {})
        items = self.partial[name] = {}
        try:
            for line in definition.items:
                letters = [{}] if line.reach is None else [{line.letter: k} for k in self.span(line.reach, {})]
                for at in letters:
                    if (place := whole(self(line.subscript, at))) in items:
                        raise Refused(line.place, f"{name}[{place}] is defined twice")
                    if items and not {place - 1, place + 1} & {min(items), max(items)}:
                        raise Refused(line.place, f"{name}[{place}] isn't next to those that are defined so far")
                    items[place] = self(line.body, at)
        finally:
            del self.partial[name]
        return Seq(min(items, default=1), [items[k] for k in sorted(items)])

    # ranges

    def span(self, reach: Expression, at: Letters) -> list[Value]:
        """The values of a range that is known."""
        if isinstance(reach, Range):
            low, high = whole(self(reach.low, at)), whole(self(reach.high, at))
            spend(max(0, high - low))
            return list(range(low, high + 1))
        listed = self(reach, at)
        need("list", listed)
        values: list[Value] = listed.whole()
        return values

    def ends(self, reach: Expression, x: Value) -> tuple[int, int]:
        """The least and the largest of the whole numbers of all lanes."""
        if not isinstance(x, Arr):
            return whole(x), whole(x)
        if (x.v % x.den).any():
            raise Refused(reach.place, "a range is of whole numbers")
        x.tighten()
        return x.lo // x.den, x.hi // x.den

    def each(
        self, letter: str, reach: Expression, condition: Expression | None, at: Letters
    ) -> Iterator[tuple[Letters, Truth]]:
        """The letters at each value of a range, and in which lanes it has that value."""
        pairs: Iterable[tuple[Value, Truth]]
        if isinstance(reach, Range):
            low, high = self(reach.low, at), self(reach.high, at)
            need("number", low, high)
            (first, _), (_, last) = self.ends(reach, low), self.ends(reach, high)
            spend(max(0, last - first))
            several = not (known(low) and known(high))  # ranges: one in each lane
            pairs = (
                (k, not several or conj(compare("<=", low, k), compare("<=", k, high))) for k in range(first, last + 1)
            )
        else:
            listed = self(reach, at)
            need("list", listed)
            pairs = pairs_of(listed)
            spend(len(listed.items))
        for value, mask in pairs:
            letters = {**at, letter: value}
            if condition is not None and mask is not False:
                test = self.guarded(mask, condition, letters)
                need("truth", test)
            else:
                test = True
            if (both := conj(mask, test)) is not False:
                yield letters, both


HEAD = "head("  # no letter: what a layer's heads read


def _number(_b: Block, tree: Number | TruthValue, _at: Letters) -> Value:
    return tree.value


def _name(b: Block, tree: Name, at: Letters) -> Value:
    return at[tree.name] if tree.name in at else b.value(tree.name)


def _index(b: Block, tree: Index, at: Letters) -> Value:
    c, i = b(tree.listed, at), b(tree.subscript, at)
    if isinstance(c, dict):  # the items so far
        if whole(i) not in c:
            raise Refused(tree.place, f"index {i}: there is no such item yet")
        return c[whole(i)]
    return item(c, i)


def _sum(b: Block, tree: Sum, at: Letters) -> Value:
    total = None
    for sign, part in tree.terms:
        value = b(part, at)
        if total is None:
            total = value if sign > 0 else times(-1, value)
        else:
            total = plus(total, value) if sign > 0 else difference(total, value)
    return total


def _product(b: Block, tree: Product, at: Letters) -> Value:
    (_, first), *rest = tree.factors
    total = b(first, at)
    for sign, part in rest:
        value = b(part, at)
        if sign == "*":
            total = times(total, value)
            continue
        if sign != "/" and type(value) is type(total) is int and value:
            total = total % value if sign == "mod" else total // value
            continue
        need("number", value)
        if not known(value):
            raise NotAffine if isinstance(value, AffineInStep) else LanesDiffer(value.v)
        if value == 0:
            raise Refused(tree.place, "a division by 0")
        if sign == "/":
            total = times(Fraction(1) / value, total)
        else:
            need("number", total)
            total = floor_div(total, value)[sign == "mod"]
    return total


def _power(b: Block, tree: Power, at: Letters) -> Value:
    base, k = b(tree.base, at), whole(b(tree.exponent, at))
    need("number", base)
    if k < 0 and tree.place in b.page.reading.case_dependent:
        raise Refused(tree.place, "a negative power of what doesn't follow from the sizes: multiply out instead")
    if known(base):
        if base == 0 and k < 0:
            raise Refused(tree.place, "a division by 0")
        if abs(base) in (0, 1):  # of any exponent, however long
            return 1 if k == 0 or base == 1 or (base == -1 and k % 2 == 0) else base
        if abs(k) * max(base.numerator.bit_length(), base.denominator.bit_length()) > 2 * BITS:
            raise TooLarge(tree.place, f"a number of more than {BITS:,} binary digits")
        return short(Fraction(base) ** k if k < 0 else base**k)
    if isinstance(base, AffineInStep):
        raise NotAffine
    if k < 0 or k > BITS:
        raise LanesDiffer(base.v)
    power: Value = 1
    for digit in bin(k)[2:]:
        power = mul(power, power)
        power = mul(power, base) if digit == "1" else power
    return power


def _compare(b: Block, tree: Compare, at: Letters) -> Value:
    sides = [b(side, at) for side in tree.sides]
    truth: Truth = True
    for left, sign, right in zip(sides, tree.signs, sides[1:], strict=False):
        truth = conj(truth, related(sign, left, right))
    return truth


def _and(b: Block, tree: And, at: Letters) -> Value:
    truth: Truth = True
    for part in tree.operands:
        if truth is False:
            break
        value = b.guarded(truth, part, at)
        need("truth", value)
        truth = conj(truth, value)
    return truth


def _or(b: Block, tree: Or, at: Letters) -> Value:
    truth: Truth = False
    for part in tree.operands:
        if truth is True:
            break
        value = b.guarded(flip(truth), part, at)
        need("truth", value)
        truth = disj(truth, value)
    return truth


def _iff(b: Block, tree: Iff, at: Letters) -> Value:
    left, right = tree.operands
    return equal(b.truth(left, at), b.truth(right, at))


def _not(b: Block, tree: Not, at: Letters) -> Value:
    return flip(b.truth(tree.operand, at))


def _if(b: Block, tree: If, at: Letters) -> Value:
    test = b.truth(tree.condition, at)
    if isinstance(test, bool):
        return b(tree.then if test else tree.otherwise, at)
    return where(test, b.guarded(test, tree.then, at), b.guarded(~test, tree.otherwise, at))


def _each(b: Block, tree: Each, at: Letters) -> Seq:
    if tree.inputs is not None or tree.letter is None or tree.reach is None:
        return Seq(1, b.page.gathered(tree))
    lanes = b.each(tree.letter, tree.reach, tree.condition, at)
    pairs = [(b.guarded(mask, tree.body, letters), mask) for letters, mask in lanes]
    return Seq(1, [v for v, _ in pairs], [m for _, m in pairs])


def progression(b: Block, tree: ListOf, at: Letters) -> tuple[Any, Any, int, list[Value]]:
    """x, y, ..., z: its first, its step, how many; and what stands before it."""
    start, place = max(0, len(tree.items) - 4), tree.items[-1].place
    values = [b(item, at) for item in tree.items if not isinstance(item, Dots)]
    need("number", *values)
    before, (first, *second), last = values[:start], values[start:-1], values[-1]
    for x in (first, *second, last):
        if not known(x):
            raise NotAffine if isinstance(x, AffineInStep) else LanesDiffer(x.v)
    step = second[0] - first if second else 1
    if step == 0:
        raise Refused(place, "the two items before '...' are equal")
    many = Fraction(last - first) / step
    if many.denominator != 1:
        raise Refused(place, f"'...' never comes to {last}")
    return first, step, max(0, int(many) + 1), before


def _list(b: Block, tree: ListOf, at: Letters) -> Value:
    if len(tree.items) == 1 and isinstance(each := tree.items[0], Each):
        return b(each, at)
    if with_dots(tree):
        first, step, many, before = progression(b, tree, at)
        spend(many)
        return Seq(1, [*before, *(first + step * k for k in range(many))])
    return Seq(1, [b(item, at) for item in tree.items])


def _call(b: Block, tree: Call, at: Letters) -> Value:
    place, name, arguments, page = tree.place, tree.name, tree.arguments, b.page.page
    if name in page.functions:
        return _function(b, name, [b(a, at) for a in arguments])
    if name in page.networks:
        return b.page.network(b, tree, at).last
    if name == "states":
        return b.page.network(b, arguments[0], at).states()
    if name in ("layers", "heads"):
        return b.page.counted(b, arguments[0], at)[name == "heads"]
    if name == "head":
        return at[HEAD](b, arguments, at)
    if folds(name):
        each = arguments[0]
        if isinstance(each, Each) and each.inputs is not None and name not in ("sorted", "distinct"):
            return b.page.reduced(name, each)
        c = b(arguments[0], at) if len(arguments) == 1 else Seq(1, [b(a, at) for a in arguments])
        need("list", c)
        return of_list(name, c) if name in FOLDED else in_each_lane(b, name, [c], place)
    values = [b(a, at) for a in arguments]
    if name == "dot":
        return dot(*values)
    if name == "column":
        need("list", *values)
        need("number", *values[0].items)
        return Seq(1, [Seq(1, [x]) for x in values[0].whole()])
    if name == "abs":
        need("number", *values)
        return where(compare("<", values[0], 0), mul(-1, values[0]), values[0])
    return in_each_lane(b, name, values, place)


def in_each_lane(b: Block, name: str, values: list[Value], place: Place) -> Value:
    """A function that has no arrays here, by the slow reading, lane by lane."""
    if any(map(moves, values)):
        raise NotAffine
    results = []
    for lane in range(b.n if any(map(varies, values)) else 1):
        exact = [shown(v, lane) for v in values]
        with placed(place):
            results.append(own(computed(name, exact[0].items if folds(name) else exact)))
    if len(results) == 1:
        return results[0]
    if (made := tabled(results)) is None:
        raise LanesDiffer(alike(results))
    return made


def moves(v: Value) -> bool:
    return any(map(moves, v.items)) if isinstance(v, Seq) else isinstance(v, AffineInStep)


def _function(b: Block, name: str, values: list[Value]) -> Value:
    function = b.page.page.functions[name]
    key = (name, *((type(v), v) if known(v) else id(v) for v in values))
    if key in b.memo:
        b.memo.move_to_end(key)
        return b.memo[key][1]
    result = b(function.body, dict(zip(function.letters, values, strict=True)))
    b.memo[key] = values, result
    if len(b.memo) > REMEMBERED:
        b.memo.popitem(last=False)
    return result


FOLDED = frozenset(("sum", "max", "min", "count", "all", "any", "len", "sorted", "distinct"))  # that have arrays here


def of_list(name: str, c: Seq) -> Value:
    """A function of a list, in all lanes at once."""
    if name == "len":
        return c.lengths()
    if name in ("max", "min"):
        return extreme(c, ">" if name == "max" else "<")
    if name == "sorted":
        return ordered(c)
    if name == "distinct":
        return distinct(c)
    if name == "sum":
        if not c.items:
            return 0
        if c.kind != ("list", "number"):
            c.whole()
        total: Value = None
        for value, mask in pairs_of(c):
            part = value if mask is True else where(mask, value, 0)
            total = part if total is None else plus(total, part)
        return times(1, total)  # of one list, too, a list that begins at 1
    masks = c.masks
    need("truth", *c.items)
    if name == "count":
        count: Value = 0
        for value, mask in zip(c.items, masks, strict=True):
            count = plus(count, number_of(conj(mask, value)))
        return count
    truth: Truth = name == "all"
    for value, mask in zip(c.items, masks, strict=True):
        truth = conj(truth, disj(flip(mask), value)) if name == "all" else disj(truth, conj(mask, value))
    return truth


def distinct(c: Seq) -> Value:
    """How many different items there are."""
    if not any(map(varies, c.items)) and not c.ragged:
        return len({_frozen(x) for x in c.items})
    if not c.ragged and len(c.items) > 8 and all(isinstance(x, Arr) for x in c.items):
        rows = ordered(c).items
        return plus(1, _total(compare("!=", x, y) for x, y in pairwise(rows)))
    masks = c.masks
    return _total(
        conj(masks[k], flip(_any(conj(masks[i], equal(c.items[i], x)) for i in range(k))))
        for k, x in enumerate(c.items)
    )


def _total(truths: Any) -> Value:
    total: Value = 0
    for t in truths:
        total = plus(total, number_of(t))
    return total


def _any(truths: Any) -> Truth:
    truth: Truth = False
    for t in truths:
        truth = disj(truth, t)
    return truth


def _frozen(x: Value) -> Any:
    return tuple(map(_frozen, x.items)) if isinstance(x, Seq) else (kind(x), x)


HOW: dict[str, Callable[[Block, Any, Letters], Value]] = {
    "number": _number,
    "truth": _number,
    "name": _name,
    "index": _index,
    "sum": _sum,
    "product": _product,
    "power": _power,
    "compare": _compare,
    "and": _and,
    "or": _or,
    "iff": _iff,
    "not": _not,
    "if": _if,
    "each": _each,
    "list": _list,
    "call": _call,
}
