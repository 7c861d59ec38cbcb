"""A page's expressions at all words of one length at once: as the definition has them, but for what differs from word
to word. There both branches are computed, each for the words that come to it.

What a word refuses is collected in one truth, `must`: what has to hold for everything that was looked at so far.
"""

from collections.abc import Callable
from functools import partial
from operator import eq
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.builtins import computed
from verifier.evaluate.definition import At, Case, Reading
from verifier.evaluate.ledger import INEQUALITIES
from verifier.evaluate.network import count
from verifier.evaluate.states.diagrams import Diagrams, DontMerge
from verifier.evaluate.states.network import Layers, heard, network
from verifier.evaluate.states.values import (
    NOTHING,
    Number,
    Of,
    Some,
    Truth,
    alike,
    amount,
    applied,
    both,
    choose,
    compared,
    either,
    ends,
    known,
    larger,
    negated,
    quotient,
    raised,
    read,
    remainder,
    same,
    told_apart,
)
from verifier.evaluate.values import (
    List,
    Varying,
    Wrong,
    dot,
    exact,
    items,
    kind_of,
    number,
    plus,
    times,
    truth,
    whole,
)
from verifier.language.builtins import folds
from verifier.language.tree import (
    BETWEEN_TRUTHS,
    And,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Iff,
    Index,
    ListOf,
    Name,
    Not,
    Or,
    Power,
    Product,
    Range,
)  # fmt: skip
from verifier.language.tree import Number as WrittenNumber
from verifier.language.words import Refused, TooLarge

Pairs = list[tuple[Truth, Any]]


class Words(Case):
    """All words of one length. layers: what layers have made of tokens so far, in words of other lengths, too."""

    def __init__(
        self, reading: Reading, variable: str, sets: list[list[Any]], shared: Diagrams, layers: Layers
    ) -> None:
        shared.places([len(items) for items in sets])
        word = List([letter(shared, place, items) for place, items in enumerate(sets, 1)])
        super().__init__(reading, {variable: word, "weight": mpq(1)})
        self.shared, self.layers, self.size = shared, layers, len(sets)
        self.must: Truth = True
        self.touched: tuple[Any, list[Any]] = None, []  # a token, and the entries of it that were asked for
        self.kept_must: dict[str, Truth] = {}  # of definitions
        self.made: dict[Any, tuple[Pairs, Truth, Any]] = {}  # of networks, and the tokens that they were given

    # what is refused

    def looked(self, ok: Truth) -> None:
        """What is looked at now exists where this is true."""
        self.must = both(self.must, ok)
        if self.must is False:
            raise Wrong("this is refused at every word that comes to it")

    def apart(self, made: Callable[[], Any]) -> tuple[Any, Truth]:
        """What is made, and where it exists."""
        before, self.must = self.must, True
        try:
            return made(), self.must
        except (TooLarge, OverflowError) as error:
            raise DontMerge("numbers outgrow what is computed") from error
        except (Wrong, Refused):
            return NOTHING, False
        finally:
            self.must = before

    def under(self, c: Truth, made: Callable[[], Any]) -> Any:
        """What is made, looked at where c is true alone."""
        if c is True:
            return made()
        found, ok = self.apart(made)
        self.looked(either(negated(c), ok))
        return found

    # what is asked of

    def __call__(self, tree: Expression, at: At) -> Any:
        self.shared.effort -= 1
        return HOW[tree.kind](self, tree, at)

    def number(self, tree: Expression, at: At) -> Any:
        return number(self(tree, at))

    def whole(self, tree: Expression, at: At) -> int:
        return whole(self(tree, at))

    def truth(self, tree: Expression, at: At) -> Truth:
        value = self(tree, at)
        if isinstance(value, Varying) and value.kind == "truth":
            return value
        return truth(value)

    def turns(self, tree: Expression, at: At) -> Pairs:
        """What a letter runs through, each with where it does."""
        if not isinstance(tree, Range):
            found = self(tree, at)
            return found.pairs if isinstance(found, Some) else [(True, v) for v in items(found)]
        low, high = (self.entire(end, at) for end in (tree.low, tree.high))
        (first, _), (_, last) = ends(low), ends(high)
        return [
            (both(compared("<=", low, mpq(k)), compared("<=", mpq(k), high)), mpq(k))
            for k in range(int(first), int(last) + 1)
        ]

    def entire(self, tree: Expression, at: At) -> Number:
        """A whole number."""
        v = self.number(tree, at)
        if not isinstance(v, Varying):
            whole(v)
            return v
        v = told_apart(v)
        self.looked(v.mapped(lambda one: one.denominator == 1))
        return v.mapped(lambda one: one if one.denominator == 1 else mpq(0))

    def reach(self, tree: Expression, at: At) -> list[Any]:
        turns = self.turns(tree, at)
        if any(isinstance(c, Varying) for c, _ in turns):
            raise DontMerge("a range has other ends in other words")
        return [v for c, v in turns if c]

    def each_of(self, tree: Each, at: At) -> Pairs:
        """E for letter in R if C: each value with where it is one."""
        if tree.inputs is not None or tree.reach is None:
            raise DontMerge("something runs through all cases")
        found = []
        for c, v in self.turns(tree.reach, at):
            here = {**at, str(tree.letter): v}
            there = c
            if tree.condition is not None and c is not False:
                test = self.under(c, partial(self.truth, tree.condition, here))
                there = False if test is NOTHING else both(c, test)
            if there is not False:
                value = self.under(there, partial(self, tree.body, here))
                if value is not NOTHING:
                    found.append((there, value))
        return found

    # names

    def of_number(self, tree: WrittenNumber, _: At) -> Any:
        return self.layers.number(tree)

    def of_name(self, tree: Name, at: At) -> Any:
        name = tree.name
        for names in (at, self.variables, self.reading.sizes, self.reading.exchanged):
            if name in names:
                return names[name]
        if name in self.reading.constants:
            return self.reading.nothing(tree, {})
        if name not in self.kept:
            value, self.kept_must[name] = self.apart(lambda: self.defined(name))
            self.kept[name] = value
        if name in self.kept_must:
            self.looked(self.kept_must[name])
        return self.kept[name]

    # lists

    def of_list(self, tree: ListOf, at: At) -> Any:
        if len(tree.items) == 1 and isinstance(each := tree.items[0], Each):
            return listed(self.each_of(each, at))
        return super().of_list(tree, at)

    def of_index(self, tree: Index, at: At) -> Any:
        base, k = self(tree.listed, at), self.entire(tree.subscript, at)
        if isinstance(base, Some):
            found, there, place = NOTHING, False, mpq(base.first)
            for c, v in base.pairs:
                here = both(c, compared("=", place, k))
                if here is not False:
                    found, there = choose(here, v, found), either(there, here)
                place = place + amount(c)
            self.looked(there)
            return found
        if isinstance(base, dict):
            if k not in base:
                raise Wrong("an item that isn't defined yet")
            return base[k]
        its, first = items(base), base.first
        if not isinstance(k, Of):
            if not 0 <= k - first < len(its):
                raise Wrong("an index outside of the list")
            if base is self.touched[0]:
                self.touched[1].append(its[int(k) - first])
            return its[int(k) - first]
        self.looked(k.mapped(lambda v: 0 <= v - first < len(its)))
        found = NOTHING
        for place in sorted(set(k.table)):
            if 0 <= place - first < len(its):
                found = choose(k.mapped(partial(eq, place)), its[int(place) - first], found)
        return found

    # arithmetic

    def of_product(self, tree: Product, at: At) -> Any:
        (_, first), *rest = tree.factors
        total = self(first, at)
        for sign, factor in rest:
            value = self(factor, at)
            if sign == "*":
                total = times(total, value)
                continue
            number(value)
            if isinstance(value, Varying):
                raise value.one_by_one()
            if value == 0:
                raise Refused(factor.place, "a division by 0")
            if sign == "/":
                total = times(total, 1 / value)
            elif isinstance(number(total), Varying):
                total = (quotient if sign == "div" else remainder)(total, value)
            else:
                total = mpq(total // value) if sign == "div" else total % value
        return total

    def of_power(self, tree: Power, at: At) -> Any:
        base, exponent = self.number(tree.base, at), self.whole(tree.exponent, at)
        if exponent < 0 and tree.place in self.reading.case_dependent:
            raise Wrong("a negative power of what doesn't follow from the sizes: multiply out instead")
        return raised(base, exponent)

    # truths

    def of_compare(self, tree: Compare, at: At) -> Truth:
        values = [self(side, at) for side in tree.sides]
        found: Truth = True
        for sign, a, b in zip(tree.signs, values, values[1:], strict=False):
            found = both(found, related(sign, a, b))
        return found

    def of_and(self, tree: And | Or, at: At, stop: bool = False) -> Truth:
        found: Truth = True  # so far all hold; stop: so far none does
        for part in tree.operands:
            if found is False:
                break
            value = self.under(found, partial(self.truth, part, at))
            if value is not NOTHING:
                found = both(found, negated(value) if stop else value)
        return negated(found) if stop else found

    def of_or(self, tree: Or, at: At) -> Truth:
        return self.of_and(tree, at, stop=True)

    def of_iff(self, tree: Iff, at: At) -> Truth:
        a, b = (self.truth(part, at) for part in tree.operands)
        return alike(a, b)

    def of_not(self, tree: Not, at: At) -> Truth:
        return negated(self.truth(tree.operand, at))

    def of_if(self, tree: If, at: At) -> Any:
        c = self.truth(tree.condition, at)
        if isinstance(c, bool):
            return self(tree.then if c else tree.otherwise, at)
        (a, fine), (b, well) = (self.apart(partial(self, branch, at)) for branch in (tree.then, tree.otherwise))
        self.looked(choose(c, fine, well))
        return choose(c, a, b)

    # functions and networks

    def of_call(self, tree: Call, at: At) -> Any:
        name, arguments, page = tree.name, tree.arguments, self.page
        asked = arguments[0] if arguments else None
        if name in page.functions:
            function = page.functions[name]
            return self(function.body, dict(zip(function.letters, [self(a, at) for a in arguments], strict=True)))
        if name in page.networks:
            return self.changes(tree, at)[-1][1]
        if name == "states" and isinstance(asked, Call):
            return listed([pair for pair in self.changes(asked, at) if pair[0] is not False], 0)
        if name in ("layers", "heads") and isinstance(asked, Name | Call):
            values = [self(a, at) for a in (asked.arguments if isinstance(asked, Call) else [])]
            layers, heads = count(self, asked.name, values)
            return mpq(layers if name == "layers" else heads)
        if name == "head":
            return heard(self, arguments, at)
        if folds(name):
            if isinstance(asked, Each):
                return self.fold(name, self.each_of(asked, at))
            values = [self(a, at) for a in arguments]
            if len(values) > 1:
                return self.fold(name, [(True, v) for v in List(values).items])
            found = values[0]
            return self.fold(name, found.pairs if isinstance(found, Some) else [(True, v) for v in items(found)])
        values = [self(a, at) for a in arguments]
        if all(map(known, values)):
            return computed(name, values)
        if name == "dot":
            return dot(*values)
        if name == "column":
            return List([List([number(entry)]) for entry in items(values[0])])
        return self.lifted(name, values)

    def lifted(self, name: str, values: list[Any]) -> Any:
        """A function of known values, of what differs from word to word."""
        found, ok = applied(lambda *row: computed(name, row), values)
        self.looked(ok)
        return found

    def fold(self, name: str, pairs: Pairs) -> Any:
        """A function of a list's items."""
        if all(c is True and known(v) for c, v in pairs):
            return computed(name, List([v for _, v in pairs]).items)
        one = Some(pairs).kind[1]  # refuses items of several kinds
        wanted = {"count": "truth", "all": "truth", "any": "truth", "max": "number", "min": "number"}.get(name, one)
        if one not in (None, wanted):  # refused wherever there is an item
            for c, _ in pairs:
                self.looked(negated(c))
            pairs = []
        if name == "len":
            return total([amount(c) for c, _ in pairs])
        if name == "sum":
            if any(c is not True for c, _ in pairs):
                if one != "number":
                    raise DontMerge("a sum of lists that are not the same in each word")
                return total([choose(c, v, mpq(0)) for c, v in pairs])
            return times(mpq(1), total([v for _, v in pairs]))
        if name in ("count", "all", "any"):
            if name == "count":
                return total([amount(both(c, v)) for c, v in pairs])
            found: Truth = True
            for c, v in pairs:
                found = both(found, negated(both(c, negated(v) if name == "all" else v)))
            return found if name == "all" else negated(found)
        if name in ("max", "min"):
            best, there = NOTHING, False
            for c, v in pairs:
                better = number(v) if there is False else larger(v, best, 1 if name == "max" else -1)
                best, there = choose(c, choose(there, better, v), best), either(there, c)
            self.looked(there)
            return best
        if name == "distinct":
            fresh = []
            for k, (c, v) in enumerate(pairs):
                first = c
                for d, other in pairs[:k]:
                    first = both(first, negated(both(d, same(other, v))))
                fresh.append(amount(first))
            return total(fresh)
        if any(c is not True for c, _ in pairs):
            raise DontMerge("a list has not the same items in each word")
        if name == "sorted" and one == "number":
            return List(in_order([v for _, v in pairs]))
        return self.lifted(name, [v for _, v in pairs])

    def changes(self, tree: Call, at: At) -> Pairs:
        """The tokens, at first and after each layer, and whether it changed them."""
        *parameters, tokens = [self(a, at) for a in tree.arguments]
        key = (tree.name, *map(exact, parameters), id(tokens))
        if key not in self.made:
            self.made[key] = *self.apart(lambda: network(self, tree.name, parameters, self.layers.own(tokens))), tokens
        found, ok, _ = self.made[key]
        self.looked(ok)
        return found


HOW = {
    kind: getattr(Words, f"of_{kind}")
    for kind in ("number", "truth", "name", "index", "list", "sum", "product", "power", "compare", "and", "or", "iff",
                 "not", "if", "call")
}  # fmt: skip


def letter(shared: Diagrams, place: int, its: list[Any]) -> Any:
    """The letter at a place, of its set; a list, by its entries."""
    if isinstance(its[0], List):
        if len({(item.first, len(item)) if isinstance(item, List) else None for item in its}) > 1:
            raise DontMerge("letters of several lengths")
        rows = zip(*[item.items for item in its], strict=True)
        return List([letter(shared, place, list(row)) for row in rows], its[0].first)
    if len({kind_of(v) for v in its}) > 1:
        raise DontMerge("letters of two kinds")
    return read(shared, shared.node(place, [shared.constant(v) for v in its]))


def listed(pairs: Pairs, first: int = 1) -> Any:
    if all(c is True for c, _ in pairs):
        return List([v for _, v in pairs], first)
    return Some(pairs, first)


def total(values: list[Any]) -> Any:
    found = values[0] if values else mpq(0)
    for v in values[1:]:
        found = plus(found, v)
    return found


def in_order(numbers: list[Number]) -> list[Number]:
    found = list(numbers)
    for i in range(1, len(found)):
        for j in range(i, 0, -1):
            a, b = found[j - 1], found[j]
            found[j - 1], found[j] = larger(a, b, -1), larger(a, b)
    return found


def related(sign: str, a: Any, b: Any) -> Truth:
    """A relation of two values, of the kinds that it asks for."""
    if sign in INEQUALITIES:
        number(a, f"'{sign}' compares numbers")
        number(b, f"'{sign}' compares numbers")
        return compared(sign, a, b)
    if sign in BETWEEN_TRUTHS and not kind_of(a) == kind_of(b) == "truth":
        raise Wrong("a condition is expected here")
    found = same(a, b)
    return negated(found) if sign == "!=" else found
