"""The plain reading of a page, run once for each length on letters in place of numbers.

Expressions, definitions, functions, layers and networks are those of page/evaluate.py and page/networks.py; what a
case decides there is said anew, for all words at once: where numbers take one of two ways, letters take both and
choose.
What the language refuses (an index outside of a list, max of nothing) is collected in one truth, `must`: it has to
hold of each word that comes there. Under `a if c else b` the sides are read apart, and c decides whose `must` counts.
What isn't covered raises NotAffine: then cases are run one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from ..core.hardmax import at_tie
from ..core.hardmax import largest as places_of_largest
from ..page.builtins import length, summed
from ..page.evaluate import Body, Case, Code, Evaluator, Frame, Scope
from ..page.networks import TOKENS, Asked, Networks
from ..page.networks import nothing as zeros
from ..page.numbers import EXACT, NUMBERS, NotAffine, floor_of, ratio
from ..page.tree import Inputs, Tree
from ..page.values import (
    INEQUALITIES,
    LISTS,
    Kind,
    List,
    Value,
    dot,
    exact,
    exactly,
    kind_of,
    listed,
    mean,
    number,
    one_kind,
    plus,
    times,
    truth,
)
from ..page.values import compare as compare_known
from ..page.words import Place, Refused
from .nodes import (
    MOST_NODES,
    Form,
    Graph,
    Node,
    Truth,
    again,
    alike,
    amount,
    both,
    choose,
    divided_by,
    either,
    ends_of,
    entries_are,
    iff,
    implies,
    level_of,
    neg,
    operations,
    per,
    pick,
    positive,
    total,
    written,
    zero,
)
from .nodes import largest as larger

T = TypeVar("T")
Pairs = list[tuple[Truth, Any]]
Scores = list[tuple[Truth, Any, int]]  # of the tokens that may be read: whether, the score, where
Rows = list[tuple[tuple[int, ...], dict[Node, Any]]]  # of the letters at a place: the values of the entries
ENOUGH, FEW_LETTERS = 12, 8  # with more operations at a letter's place they are read for each of so many letters
MOST_TURNS, MOST_LETTERS = 2_000, 50_000
NOTHING: Any = type("Nothing", (), {})()  # in place of what was refused


class Some:
    """A list of those items whose condition is true."""

    __slots__ = ("first", "kind", "pairs", "taken")

    def __init__(self, pairs: list[tuple[Truth, Any]], first: int, place: Place | None) -> None:
        inner: Kind | None = None
        for _, v in pairs:
            inner = one_kind(inner, kind_of(v), place)
        self.pairs, self.first, self.kind, self.taken = pairs, first, ("list", inner), {}  # type: ignore[var-annotated]

    @property
    def items(self) -> Some:
        return self

    @property
    def size(self) -> int:
        return len(self)

    rows = numbers = depth = size

    def __len__(self) -> int:
        raise NotAffine("a list whose length depends on the letters")

    def __iter__(self) -> NoReturn:
        len(self)
        raise TypeError

    def __eq__(self, other: object) -> bool:
        return self is other or bool(len(self))

    __hash__ = object.__hash__


LISTS.add(Some)


def made(pairs: list[tuple[Truth, Any]], place: Place | None, first: int = 1) -> Any:
    """The list of those whose condition is true."""
    pairs = [(c, v) for c, v in pairs if c is not False]
    if all(c is True for c, _ in pairs):
        return List([v for _, v in pairs], first, place)
    return Some(pairs, first, place)


def pairs_of(items: Any) -> list[tuple[Truth, Any]]:
    return items.pairs if type(items) is Some else [(True, v) for v in items]


def known(v: Any) -> bool:
    if type(v) is List:
        return all(map(known, v.items))
    return type(v) in EXACT or type(v) is bool


def leaves(v: Any) -> list[Any]:
    """The numbers and truths of a value."""
    if type(v) is List:
        return [leaf for item in v.items for leaf in leaves(item)]
    if type(v) is Some:
        return [leaf for c, item in v.pairs for leaf in (c, *leaves(item))]
    return [v]


# Two values at once
def chosen(c: Truth, a: Any, b: Any, place: Place | None = None) -> Any:
    """a if c else b; where one was refused, the other: `must` says that it isn't come to."""
    if c is True or a is b or b is NOTHING:
        return a
    if c is False or a is NOTHING:
        return b
    if isinstance(kind_of(a), str):
        if kind_of(a) != kind_of(b):
            raise NotAffine("a choice between two kinds")
        return pick(c, a, b) if kind_of(a) == "truth" else choose(c, a, b)
    one_kind(kind_of(a), kind_of(b), place)
    if a.first != b.first:
        raise NotAffine("a choice between two first indices")
    if type(a) is List and type(b) is List and len(a.items) == len(b.items):
        c.graph.spend(len(a.items))
        return List([chosen(c, x, y, place) for x, y in zip(a.items, b.items, strict=True)], a.first, place)
    first, second = pairs_of(a.items), pairs_of(b.items)
    return made([(both(c, x), v) for x, v in first] + [(both(neg(c), x), v) for x, v in second], place, a.first)


def same(a: Any, b: Any) -> Truth:
    """a = b, of one kind."""
    if alike(a, b):
        return True
    if type(a) in EXACT and type(b) in EXACT:
        return False
    if kind_of(a) == "number":
        return zero(a - b)
    if kind_of(a) == "truth":
        return iff(a, b)
    found: Truth = True
    if type(a) is Some or type(b) is Some:  # the items that come to stand at the same place
        (one, many), (other, more) = placed(a), placed(b)
        found = zero(many - more)
        for c, x, p in one:
            for d, y, q in other:
                together = both(both(c, d), zero(p - q))
                found = both(found, implies(together, same(x, y))) if together is not False else found
        return found
    if len(a.items) != len(b.items) or apart_at_once(a, b):
        return False
    for x, y in zip(a.items, b.items, strict=True):
        found = both(found, same(x, y)) if found is not False else False
    return found


def apart_at_once(a: List, b: List) -> bool:
    """Two numbers in them that are known are different."""
    for x, y in zip(a.items, b.items, strict=True):
        if type(x) is List and type(y) is List and len(x.items) == len(y.items):
            if apart_at_once(x, y):
                return True
        elif type(x) in EXACT and type(y) in EXACT and x != y:
            return True
    return False


def placed(v: Any) -> tuple[list[tuple[Truth, Any, Any]], Any]:
    """The items, each with how many stand before it; and how many there are."""
    rows: list[tuple[Truth, Any, Any]] = []
    many: Any = 0
    for c, item in pairs_of(v.items):
        rows.append((c, item, many))
        many = many + amount(c)
    return rows, many


def compared(sign: str, a: Any, b: Any, place: Place) -> Truth:
    if known(a) and known(b):
        return compare_known(sign, a, b, place)
    if sign in INEQUALITIES:
        number(a, place), number(b, place)
        difference = a - b
        return positive(difference if sign[0] == ">" else -difference, strictly=len(sign) == 1)
    if sign in ("iff", "recognises"):
        return iff(truth(a, place), truth(b, place))
    one_kind(kind_of(a), kind_of(b), place)
    found = same(a, b)
    return neg(found) if sign == "!=" else found


class Letters(Evaluator):
    """The expressions of a page, of all words of a length. `numbers` is the plain reading, for what is known."""

    def __init__(self, numbers: Evaluator, heads: dict[str, int]) -> None:
        super().__init__(numbers.page, numbers.sizes, numbers.given, numbers.unknown, numbers.budget, numbers.over)
        LetterNetworks(self, heads)
        self.numbers = numbers
        self.must: Truth = True
        self.begun: list[Truth] = []  # `must` before what is now computed to be remembered
        self.graph, self.length = Graph(self.budget.spend), Case({}, 0, None, {})
        self.folds: dict[object, Any] = {}  # reads, as far as they were made before
        self.made: dict[int, tuple[Value, list[Node], Rows]] = {}  # the letter at each place
        self.entries: list[list[Node]] = []  # of the letter at each place
        self.letters: list[Rows] = []  # the values of these, of each letter there

    # a case
    def word(self, inputs: Inputs, sets: Sequence[Sequence[Value]]) -> Case:
        """Any word with letters from these sets."""
        for memory in (self.length.kept, self.length.called, self.length.counted, self.length.ran):
            memory.clear()  # what is in a circle isn't given back by itself
        if self.graph.full():
            self.graph.nodes.clear()
            self.graph.table.clear()
            self.graph = Graph(self.budget.spend)
            self.root.called.clear()
            self.folds.clear()
            self.made.clear()
        self.must, self.begun = True, []
        self.entries, self.letters = [[]], [[((), {})]]
        items = list[Value]()
        for place, letters in enumerate(sets, 1):
            if place not in self.made:
                self.made[place] = self.letter(place, letters)
            item, entries, rows = self.made[place]
            items.append(item)
            self.entries.append(entries)
            self.letters.append(rows)
        self.length = Case({}, 0, None, {inputs.variable: len(sets)})
        return Case({inputs.variable: List(items)}, 1, self.length, {})

    def letter(self, place: int, letters: Sequence[Value]) -> tuple[Value, list[Node], Rows]:
        """Any of these, its entries, and their values for each of them."""
        if len({shape(item) for item in letters}) != 1:
            raise NotAffine("letters of several shapes")
        nodes, rows = list[Node](), [leaves(item) for item in letters]
        self.budget.spend(10 * len(letters) * len(rows[0]))
        if len(letters) * len(rows[0]) > MOST_LETTERS:
            raise NotAffine("many letters")
        forms, wholes = list[Any](), list[list[int]]()
        for k, column in enumerate(zip(*rows, strict=True)):
            if not EXACT.issuperset(map(type, column)):
                raise NotAffine("letters that are truths")
            d = lcm(*[v.denominator for v in column])
            whole = [v.numerator * (d // v.denominator) for v in column]
            values = tuple(sorted(set(whole)))
            if len(values) == 1:
                forms.append(column[0])
                continue
            node = self.graph.node("in", (), (place, len(nodes), values, k), values[0], values[-1], place)
            nodes.append(node)
            wholes.append(whole)
            forms.append(Form(0, ratio(1, d), node))
        given = [(row, dict(zip(nodes, row, strict=True))) for row in rows_of(wholes, len(letters))]
        return filled(letters[0], iter(forms)), nodes, given

    # what must hold
    def looked(self, ok: Truth) -> None:
        self.must = both(self.must, ok)
        if self.must is False:
            raise Refused(None, "no word of this length can be read")

    def apart(self, code: Callable[[Frame], T], e: Frame) -> tuple[T, Truth]:
        """What it is, and what must hold for that."""
        before, depth, self.must = self.must, len(self.begun), True
        try:
            return code(e), self.must
        except Refused:
            return NOTHING, False
        finally:
            self.must = before
            del self.begun[depth:]

    def under(self, c: Truth, code: Callable[[Frame], T], e: Frame) -> T:
        """What it is where c holds."""
        if c is True:
            return code(e)
        v, ok = self.apart(code, e)
        self.looked(implies(c, ok))
        return v

    # what was computed before, with what must hold
    def recalled(self, memory: dict[object, T], key: object) -> T | None:
        kept: Any = super().recalled(memory, key)
        if kept is not None:
            self.looked(kept[1])
            return kept[0]  # type: ignore[no-any-return]
        self.begun.append(self.must)
        self.must = True
        return None

    def remember(self, memory: dict[object, T], key: object, value: T) -> None:
        kept: Any = value, self.must
        super().remember(memory, key, kept)
        must, self.must = self.must, self.begun.pop()
        self.looked(must)

    def kept(self, name: str, code: Code, body: Body, uses: set[object]) -> Code:
        at = self.at_hand(uses)

        def get(e: Frame) -> Value:
            case = at(e)
            memory: Any = case.kept
            if (found := self.recalled(memory, name)) is None:
                found = code(body.frame(case))
                self.remember(memory, name, found)
            return found

        return get

    def once_for_each_token(self, code: Code, scope: Scope) -> Code:
        varies = self.uses - scope.fixed
        if len(varies) > 1 or not varies.issubset(scope.at):
            return code
        place, letter = scope.another(), int(next(iter(varies), 0))  # type: ignore[call-overload]

        def get(e: Frame) -> Value:
            if e[place] is None:
                e[place] = {}
            if (found := self.recalled(e[place], e[letter])) is None:
                found = code(e)
                self.remember(e[place], e[letter], found)
            return found

        return get

    def over_cases(self, tree: Tree) -> Callable[[Frame], Sequence[Value]]:
        return self.numbers.over_cases(tree)

    # truths
    def choose(self, condition: Callable[[Frame], bool], then: Code, otherwise: Code) -> Code:
        def get(e: Frame) -> Value:
            c: Truth = condition(e)
            if isinstance(c, bool):
                return then(e) if c else otherwise(e)
            (a, ok), (b, okay) = self.apart(then, e), self.apart(otherwise, e)
            self.looked(pick(c, ok, okay))
            return chosen(c, a, b)  # type: ignore[no-any-return]

        return get

    def both(self, truths: list[Callable[[Frame], bool]]) -> Code:
        def get(e: Frame) -> Any:
            so_far: Truth = True
            for one in truths:
                if so_far is False:
                    break
                so_far = also(so_far, self.under(so_far, one, e))
            return so_far

        return get

    def either(self, truths: list[Callable[[Frame], bool]]) -> Code:
        def get(e: Frame) -> Any:
            none: Truth = True
            for one in truths:
                if none is False:
                    break
                v = self.under(none, one, e)
                none = both(none, neg(v)) if v is not NOTHING else none
            return neg(none)

        return get

    def of_not(self, tree: Tree, scope: Scope) -> Code:
        one, odd = self.truth(tree.parts[0], scope), len(tree.signs) % 2 == 1
        return lambda e: neg(one(e)) if odd else one(e)  # type: ignore[return-value]

    def of_iff(self, tree: Tree, scope: Scope) -> Code:
        a, b = (self.truth(part, scope) for part in tree.parts)
        return lambda e: iff(a(e), b(e))  # type: ignore[return-value]

    def of_compare(self, tree: Tree, scope: Scope) -> Code:
        codes = [self.of(part, scope) for part in tree.parts]

        def get(e: Frame) -> Any:
            sides, found = [code(e) for code in codes], True
            for sign, a, b in zip(tree.signs, sides, sides[1:], strict=False):
                found = both(found, compared(sign, a, b, tree.place))  # type: ignore[assignment]
            return found

        return get

    # numbers
    def quotient(self, sign: str, v: Any, divisor: Value, place: Place, at: Place) -> Value:  # type: ignore[override]
        if type(v) is Form and sign != "/" and (by := exact(divisor, at)) != 0:
            return divided_by(sign, v, by)  # type: ignore[return-value]
        return super().quotient(sign, v, divisor, place, at)

    def raised(self, base: Any, k: int, place: Place, at: Place) -> Any:  # type: ignore[override]
        if type(base) is not Form or not 0 <= k <= 50:
            return super().raised(base, k, place, at)
        found: Any = 1
        for _ in range(k):
            found = times(found, cast(Any, base), place)
        return found

    # loops, items
    def turns(self, tree: Tree, scope: Scope) -> Callable[[Frame], Any]:
        if tree.op != "range":
            return super().turns(tree, scope)
        plain = super().turns(tree, scope)
        low, high = (self.of(end, scope) for end in tree.parts)
        places = [end.place for end in tree.parts]

        def get(e: Frame) -> Any:
            a, b = ends = [cast(Any, number(code(e), place)) for code, place in zip((low, high), places, strict=True)]
            if known(a) and known(b):
                return plain(e)
            for end in ends:
                self.looked(zero(divided_by("mod", end, 1)) if type(end) is Form else type(end) is int)
            first, last = -floor_of(-ends_of(a)[0], 1), floor_of(ends_of(b)[1], 1)
            if last - first > MOST_TURNS:
                raise NotAffine("a range whose ends depend on the letters, and are far apart")
            pairs = [
                (both(compared("<=", a, k, NOWHERE), compared("<=", k, b, NOWHERE)), k) for k in range(first, last + 1)
            ]
            return made(pairs, None).items

        return get

    def loop(self, tree: Tree, scope: Scope) -> Callable[[Frame], Any]:
        reach = self.turns(tree.reach, scope)  # type: ignore[arg-type]
        inner = scope.plus(tree.word)
        letter, before = inner.letters[tree.word], self.steps
        passes, body = self.passes(tree.when, inner), self.of(tree.parts[0], inner)
        cost = self.steps - before + 1
        self.uses.discard(letter)

        def get(e: Frame) -> Any:
            pairs = pairs_of(reach(e))
            self.budget.spend(cost * len(pairs))
            found: list[tuple[Truth, Any]] = []
            for c, e[letter] in pairs:
                here = c if passes is None else also(c, self.under(c, passes, e))
                if here is not False and (v := self.under(here, body, e)) is not NOTHING:
                    found.append((here, v))
            return made(found, None).items if any(c is not True for c, _ in found) else [v for _, v in found]

        return get

    def of_list(self, tree: Tree, scope: Scope) -> Code:
        if len(tree.parts) != 1 or tree.parts[0].op != "each":
            return super().of_list(tree, scope)
        items = self.each(tree.parts[0], scope)

        def get(e: Frame) -> Any:
            found: Any = items(e)
            return found if type(found) is Some else List(found, 1, tree.place)

        return get

    def item(self, base: Code, index: Code, tree: Tree, at: Place, place: Place) -> Code:
        plain = super().item(itemgetter(0), itemgetter(1), tree, at, place)  # of a base and an index

        def of_list(v: Value, k: Any) -> Any:
            """An index that is itself a choice: the choice is made between the items."""
            if type(k) is not Form:
                return plain([v, k])
            if k.node.op in ("choose", "num"):
                c, *ways = k.node.args if k.node.op == "choose" else (k.node.args[0], 1, 0)
                options = [k.const + k.factor * (written(way) if isinstance(way, Node) else way) for way in ways]
                (x, ok), (y, okay) = (self.apart(lambda e: of_list(*e), [v, option]) for option in options)
                self.looked(pick(c, ok, okay))
                return chosen(c, x, y, place)
            l = listed(v, tree.place)
            return self.one_of([(zero(k - i), item) for i, item in enumerate(l.items, l.first)], place)

        def get(e: Frame) -> Any:
            v: Any = base(e)
            k: Any = index(e)
            if type(v) is not Some:
                return of_list(v, k)
            number(k, at)
            if (found := self.recalled(v.taken, k)) is None:
                rows, _ = placed(v)
                found = self.one_of([(both(c, zero(p + v.first - k)), item) for c, item, p in rows], place)
                self.remember(v.taken, k, found)
            return found

        return get

    def one_of(self, items: Iterable[tuple[Truth, Any]], place: Place) -> Any:
        """The one whose condition holds: there is one."""
        found, there = NOTHING, False  # type: Any, Truth
        for c, item in items:
            if c is not False:
                found, there = chosen(c, item, found, place), either(there, c)
        self.looked(there)
        return found

    # functions
    def function_of(self, name: str) -> Callable[..., Any]:  # type: ignore[override]
        plain, own = super().function_of(name), OF_LISTS.get(name)
        if own is None:
            return plain

        def compute(place: Place, items: Any) -> Any:
            if type(items) is not Some and all(map(known, items)):
                return plain(place, items)
            return own(self, place, sorted(pairs_of(items), key=level_of_pair), items)

        return compute

    def extreme(self, place: Place, pairs: Pairs, sign: int) -> Any:
        """The largest, or with sign -1 the least."""
        best, there = NOTHING, False  # type: Any, Truth
        for c, v in pairs:
            x: Any = number(v, place) * sign
            best, there = (
                chosen(c, chosen(there, larger(x, best) if there is not False else x, x), best),
                either(there, c),
            )
        self.looked(there)
        return best * sign

    # at the place of a letter on which much depends
    def ways(self, values: Sequence[Any]) -> list[tuple[Truth, list[Any]]]:
        """Numbers and truths, for each letter at their last place, and when it is this letter; if they need fewer
        operations then."""
        place = level_of(values)
        if not place or len(self.letters[place]) > FEW_LETTERS:
            return []
        before = operations(values, place, MOST_NODES)
        if before <= ENOUGH:
            return []
        self.budget.spend(20 * before * len(self.letters[place]))
        found = [
            (entries_are(self.entries[place], row), [again(v, given, place) for v in values])
            for row, given in self.letters[place]
        ]
        return found if sum(operations(way, place, before) for _, way in found) < before else []

    def split(self, values: Sequence[Any]) -> Sequence[Any]:
        """The same as one choice."""
        ways = self.ways(values)
        found = ways[0][1] if ways else values
        for c, way in ways[1:]:
            found = [chosen(c, x, y) for x, y in zip(way, found, strict=True)]
        return found

    def split_value(self, v: Any) -> Any:
        if v is NOTHING or type(v) is Some:
            return v
        return filled(v, iter(self.split(leaves(v))))


NOWHERE = Place(0, 0)


def rows_of(columns: list[list[int]], many: int) -> list[tuple[int, ...]]:
    return list(zip(*columns, strict=True)) if columns else [()] * many


def shape(v: Value) -> object:
    return tuple(map(shape, v.items)) if type(v) is List else None


def filled(like: Value, forms: Any) -> Value:
    """The value with these for its numbers and truths."""
    if type(like) is List:
        return List([filled(item, forms) for item in like.items], like.first)
    return next(forms)  # type: ignore[no-any-return]


def also(c: Truth, v: Any) -> Truth:
    return False if v is NOTHING else both(c, v)


# Functions of lists: of the reading, the place, the items with their conditions, by level, and the items as they stand
def level_of_pair(pair: tuple[Truth, Any]) -> int:
    return level_of((pair[0], *leaves(pair[1])))


def sum_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:  # noqa: ARG001
    if all(type(v) in NUMBERS for _, v in pairs):
        return total([choose(c, v, 0) for c, v in pairs])
    return summed(place, items)


def count_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:  # noqa: ARG001
    return total([amount(both(c, truth(v, place))) for c, v in pairs])


def all_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:  # noqa: ARG001
    found: Truth = True
    for c, v in pairs:
        found = both(found, implies(c, truth(v, place)))
    return found


def any_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:
    return neg(all_of(letters, place, [(c, neg(truth(v, place))) for c, v in pairs], items))


def length_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:  # noqa: ARG001
    return total([amount(c) for c, _ in pairs]) if type(items) is Some else length(place, items)


def distinct_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:  # noqa: ARG001
    many = []
    for k, (c, v) in enumerate(pairs):
        new = c
        for d, u in pairs[:k]:
            one_kind(kind_of(u), kind_of(v), place)
            new = both(new, neg(both(d, same(u, v))))
        many.append(amount(new))
    return total(many)


def sorted_of(letters: Letters, place: Place, pairs: Pairs, items: Any) -> Any:
    """By exchanging neighbours."""
    found: list[Any] = [number(v, place) for v in items]
    letters.budget.spend(10 * len(found) ** 2)
    for i in range(1, len(found)):
        for j in range(i, 0, -1):
            a, b = found[j - 1], found[j]
            found[j] = larger(a, b)
            found[j - 1] = a + b - found[j]
    return List(found, 1, place) if len(pairs) == len(found) else len(items)


OF_LISTS: dict[str, Callable[[Letters, Place, Pairs, Any], Any]] = {
    "sum": sum_of,
    "count": count_of,
    "all": all_of,
    "any": any_of,
    "len": length_of,
    "distinct": distinct_of,
    "sorted": sorted_of,
    "max": lambda letters, place, pairs, _: letters.extreme(place, pairs, 1),
    "min": lambda letters, place, pairs, _: letters.extreme(place, pairs, -1),
}


class Reading(NamedTuple):
    """What is read of some tokens: is one there, the largest score, the value (for an average the sum), what must hold
    for that, of an average of how many."""

    there: Truth
    best: Any
    value: Any
    ok: Truth
    many: Any


NOT_YET = Reading(False, NOTHING, NOTHING, True, 1)


class LetterNetworks(Networks):
    """Layers and networks likewise."""

    evaluator: Letters

    @staticmethod
    def changes(states: list[List], place: Place) -> Any:
        pairs = [(neg(same(before, after)), after) for before, after in pairwise(states)]
        return made([(True, states[0]), *pairs], place, 0)

    def attended(self, asked: Asked) -> Code:
        letters, read, j, passes, score, value, otherwise, cost = self.evaluator, *asked

        def at(e: Frame, k: int) -> Value:
            e[j] = k
            return value(e)

        def default(e: Frame) -> Value:
            return otherwise(e) if otherwise else zeros(at(e, e[TOKENS].first), read.value.place)

        def get(e: Frame) -> Any:
            tokens = e[TOKENS]
            rows: Scores = []
            letters.budget.spend(cost * len(tokens.items))
            for e[j] in range(tokens.first, tokens.first + len(tokens.items)):
                c: Truth = True if passes is None else passes(e)
                if c is not False and (s := letters.under(c, score, e)) is not NOTHING:
                    rows.append((c, number(s, read.score.place), e[j]))
            values = partial(self.value, lambda k: at(e, k))
            return self.read_of(rows, values, lambda: letters.apart(default, e), read.tie, read.place)

        return get

    def head(self, tree: Tree, scope: Scope) -> Code:
        letters, place, i = self.evaluator, tree.place, TOKENS + 1
        w_o, w_v, w_k, w_q, b_q = (letters.of(part, scope) for part in tree.parts)
        letters.uses |= {TOKENS, i}

        def get(e: Frame) -> Value:
            tokens = e[TOKENS]
            letters.budget.spend(30 * len(tokens.items))
            query = plus(times(w_q(e), tokens.items[e[i] - tokens.first], place), b_q(e), place)
            rows: Scores = [
                (True, dot(times(w_k(e), token, place), query, place), k) for k, token in enumerate(tokens.items)
            ]
            values = partial(self.value, lambda k: times(w_v(e), tokens.items[k], place))
            found = self.read_of(rows, values, None, "average", place)
            return times(w_o(e), found, place)

        return get

    def value(self, at: Callable[[int], Value], k: int, tie: str, place: Place) -> tuple[Any, Truth]:
        """What is read there, and what must hold for that."""
        return self.evaluator.apart(lambda _: times(1, at(k), place) if tie == "average" else at(k), [])

    def read_of(self, rows: Scores, value: Callable[..., Any], default: Any, tie: str, place: Place) -> Any:
        """At the largest score. rows: whether it is there, its score, where."""
        letters = self.evaluator
        if rows and all(c is True and type(s) is not Form for c, s, _ in rows):
            taken = [value(rows[k][2], tie, place) for k in at_tie(places_of_largest([s for _, s, _ in rows]), tie)]
            for _, ok in taken:
                letters.looked(ok)
            return mean([v for v, _ in taken], place) if tie == "average" else taken[0][0]
        each = [(c, s, *value(k, tie, place)) for c, s, k in rows]
        if tie == "average" and self.scores_are_read(each):
            tie = "leftmost"
        read = NOT_YET
        for row in each:
            key = id(read), tie, *row[:2], exactly(row[2]), row[3]
            read = self.once(key, partial(self.with_row, read, row, tie, place), read)
        if tie == "average" and read.value is not NOTHING:
            mean_ = [per(x, read.many, len(rows)) for x in leaves(read.value)]
            read = read._replace(value=filled(read.value, iter(mean_)))
        if read.there is not True:
            other, okay = default()
            read = Reading(
                True, None, chosen(read.there, read.value, other), pick(read.there, read.ok, okay), read.many
            )
        key = "split", read.ok, exactly(read.value)
        ok, value = self.once(key, lambda: (letters.split([read.ok])[0], letters.split_value(read.value)), read)
        letters.looked(ok)
        return value

    def once(self, key: object, compute: Callable[[], T], told_by: object) -> T:
        """Once for each key; what the key tells by its identity is kept with it."""
        folds = self.evaluator.folds
        if len(folds) > MOST_NODES // 4:
            folds.clear()
        if key not in folds:
            folds[key] = told_by, compute()
        return folds[key][1]  # type: ignore[no-any-return]

    def with_row(self, read: Reading, row: tuple[Truth, Any, Any, Truth], tie: str, place: Place) -> Reading:
        """One more token that may be read, on the right of the others."""
        (there, best, found, fine, many), (c, s, v, ok) = read, row
        more = True if there is False else positive(s - best, strictly=True)
        new, even = both(c, either(neg(there), more)), both(both(c, there), there is not False and zero(s - best))
        if tie == "average":
            together, added = NOTHING, True  # type: Any, Truth
            if even is not False:
                together, added = self.evaluator.apart(lambda _: plus(found, v, place), [])
            found = chosen(new, v, chosen(even, together, found))
            many = chosen(new, 1, chosen(even, many + 1, many))
            fine = pick(new, ok, pick(even, both(both(fine, ok), added), fine))
        else:
            new = either(new, even) if tie == "rightmost" else new
            found, fine = chosen(new, v, found), pick(new, ok, fine)
        best = chosen(c, s if there is False else chosen(there, larger(s, best), s), best)
        return Reading(either(there, c), best, found, fine, many)

    @staticmethod
    def scores_are_read(each: list[tuple[Truth, Any, Any, Truth]]) -> bool:
        """Whether what is read is the score but for a constant: then all that are largest read the same."""
        if not all(type(v) in NUMBERS and ok is True for _, _, v, ok in each):
            return False
        differences = [v - s for _, s, v, _ in each]
        return not any(type(d) is Form for d in differences) and len(set(differences)) == 1
