"""LANGUAGE 2: what an expression is. Each becomes a function of a frame, which gives its value.

A frame is a list: first the case at hand, then what each letter stands for. What speaks of no letter and no case is
computed once; a definition once for each case, or for each number of items, as far as it depends on these; a function
once for arguments that it has had, a layer and a network (networks.py) once for arguments and tokens; within a run of
a layer, what depends on x[i] or on x[j] alone once for each token. Each is computed when it is first looked at, and
nothing is rewritten.

What a case decides is asked in a few places: `choose` (if), `both` and `either` (and, or), `of_not`, `of_iff` and
`of_compare`; `turns` (what a loop runs through), `passes` (its condition), `loop` and `item` (an index); `function_of`
(functions of lists), `quotient` and `raised`; in networks.py `attended` (a read), `head` and `changes`; and what is
remembered in `recalled`, `remember`, `kept` and `once_for_each_token`. A reading on letters in place of numbers
(checker/states) says these anew, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any, TypeVar

from ..core.comparing import OverLimit
from .builtins import BUILTINS
from .numbers import EXACT, Exact, NotAffine, floor_of, power, ratio, short
from .tree import Define, Inputs, Item, Page, Tree
from .values import (
    HOLDS,
    List,
    Value,
    compare,
    exact,
    exactly,
    listed,
    minus,
    number,
    plus,
    times,
    truth,
    whole,
)
from .words import MOST_ITEMS, Budget, Place, Refused

T = TypeVar("T")
Frame = list[Any]  # the case at hand, then what each letter stands for: of as many types as there are letters
Code = Callable[[Frame], Value]
Several = Callable[[Frame], Sequence[Value]]
LENGTH, CASE = "the number of items of the case", "the case"  # besides letters, what an expression may depend on
REMEMBERED = 50_000  # values of functions, and of networks, that are kept at a time


class Case:
    """What names stand for at a case. `length` is what is known of it: nothing but its number of items."""

    __slots__ = ("called", "counted", "items", "kept", "length", "lengths", "ran", "weight")

    def __init__(self, items: dict[str, Value], weight: int, length: Case | None, lengths: dict[str, int]) -> None:
        self.items, self.weight, self.lengths = items, weight, lengths
        self.length = length or self
        self.kept: dict[str, Value] = {}  # definitions
        self.called: dict[str, dict[object, Value]] = {}  # functions, by their arguments
        self.counted: dict[str, dict[object, tuple[int, int]]] = {}  # the layers and heads of networks, likewise
        self.ran: dict[object, list[List]] = {}  # networks, by their arguments and tokens: their states


@dataclass
class Body:
    """Something with letters of its own: how many, the case among them."""

    size: int = 1

    def frame(self, case: Case, *letters: object) -> Frame:
        return [case, *letters, *[None] * (self.size - 1 - len(letters))]


@dataclass(frozen=True)
class Scope:
    """The letters that are seen, each with its place in the frame; of a layer also where its tokens are, the letters
    of its tokens, i and j, and what is the same for all of them."""

    body: Body = field(default_factory=Body)
    letters: dict[str, int] = field(default_factory=dict)
    tokens: int = 0
    at: tuple[int, ...] = ()
    fixed: frozenset[object] = frozenset()

    def plus(self, *names: str) -> Scope:
        places = range(self.body.size, self.body.size + len(names))
        self.body.size += len(names)
        return replace(self, letters=self.letters | dict(zip(names, places, strict=True)))

    def another(self) -> int:
        """A place in the frame that is no letter's."""
        self.body.size += 1
        return self.body.size - 1


class Evaluator:
    """The expressions of a page at sizes, with what a variant exchanges."""

    of_network: Callable[[Tree, Scope], Code]  # of g(X), states(g(X)), layers(g), heads(g), head(...): networks.py

    def __init__(
        self,
        page: Page,
        sizes: dict[str, int],
        given: dict[str, Value],
        unknown: set[Tree],
        budget: Budget,
        over: Callable[[Inputs], Iterable[Case]],
    ) -> None:
        self.page, self.sizes, self.given, self.budget, self.over = page, sizes, given, budget, over
        self.unknown = unknown  # powers whose base isn't known
        self.variables = {inputs.variable for inputs in page.inputs.values()}
        self.categories = {c.name: c for inputs in page.inputs.values() for c in inputs.categories}
        self.root = Case({}, 1, None, {})  # no case at all
        self.uses: set[object] = set()  # what is being read depends on: places of letters, LENGTH, CASE
        self.steps = 0  # how many expressions were read so far
        self.codes: dict[str, tuple[Code, set[object]]] = {}  # of definitions and categories
        self.functions: dict[str, tuple[Code, Body, set[object], int]] = {}

    # from a tree to a function of a frame
    def of(self, tree: Tree, scope: Scope) -> Code:
        """What depends on nothing is computed once."""
        self.steps += 1
        outer, self.uses = self.uses, set()
        code = self.read(tree, scope)
        if not self.uses and tree.op not in ("number", "truth"):
            code = self.once(code, scope.body)
        elif scope.at and tree.op in ("call", "*"):
            code = self.once_for_each_token(code, scope)
        self.uses |= outer
        return code

    def read(self, tree: Tree, scope: Scope) -> Code:
        return getattr(self, READ[tree.op])(tree, scope)  # type: ignore[no-any-return]

    def once(self, code: Code, body: Body) -> Code:
        kept: list[Value] = []

        def get(_: Frame) -> Value:
            if not kept:
                kept.append(code(body.frame(self.root)))
            return kept[0]

        return get

    def once_for_each_token(self, code: Code, scope: Scope) -> Code:
        """What in a layer depends on x[i] alone, or on x[j] alone, is computed once for each token of its run, whose
        frame has it."""
        varies = self.uses - scope.fixed
        if len(varies) > 1 or not varies.issubset(scope.at):
            return code
        place, letter = scope.another(), int(next(iter(varies), 0))  # type: ignore[call-overload]

        def get(e: Frame) -> Value:
            kept = e[place]
            if kept is None:
                kept = e[place] = {}
            k = e[letter]
            if k not in kept:
                kept[k] = code(e)
            return kept[k]  # type: ignore[no-any-return]

        return get

    def alone(self, tree: Tree) -> Value:
        """The value of an expression that speaks of no letter, about no case."""
        scope = Scope()
        code = self.of(tree, scope)
        return code(scope.body.frame(self.root))

    # numbers, truths, names
    def of_number(self, tree: Tree, scope: Scope) -> Code:  # noqa: ARG002
        value = ratio(tree.value.numerator, tree.value.denominator)
        return lambda e: value  # noqa: ARG005

    def of_truth(self, tree: Tree, scope: Scope) -> Code:  # noqa: ARG002
        value = tree.word == "true"
        return lambda e: value  # noqa: ARG005

    def of_name(self, tree: Tree, scope: Scope) -> Code:
        name, place = tree.word, tree.place
        if name in scope.letters:
            self.uses.add(scope.letters[name])
            return itemgetter(scope.letters[name])
        if name in self.page.sizes:
            size = self.sizes[name]
            return lambda e: size  # noqa: ARG005
        if name in self.page.defines or name in self.categories:
            code, uses = self.defined(name)
            self.uses |= uses
            return code
        self.uses.add(CASE)

        def get(e: Frame) -> Value:
            case: Case = e[0]
            if name == "weight" and case.items:
                return case.weight
            if name not in case.items:
                raise Refused(place, f"{name} speaks of a case, and none that has it is at hand")
            return case.items[name]

        return get

    # definitions
    def defined(self, name: str) -> tuple[Code, set[object]]:
        if name not in self.codes:
            outer, self.uses = self.uses, set()
            scope = Scope()
            if name in self.categories:
                code = self.truth(self.categories[name].when, scope)
            else:
                code = self.definition(self.page.defines[name], scope)  # type: ignore[assignment]
            self.codes[name] = self.kept(name, code, scope.body, self.uses), self.uses
            self.uses = outer
        return self.codes[name]

    def kept(self, name: str, code: Code, body: Body, uses: set[object]) -> Code:
        """A definition, computed once for each case; once for each number of items, or once, if it needs no more."""
        at = self.at_hand(uses)

        def get(e: Frame) -> Value:
            case = at(e)
            if name not in case.kept:
                case.kept[name] = code(body.frame(case))
            return case.kept[name]

        return get

    def at_hand(self, uses: set[object]) -> Callable[[Frame], Case]:
        """What of the case at hand something depends on."""
        if CASE in uses:
            return itemgetter(0)
        return (lambda e: e[0].length) if LENGTH in uses else (lambda e: self.root)  # noqa: ARG005

    def definition(self, define: Define, scope: Scope) -> Code:
        if define.printed and define.printed in self.given:
            value = self.given[define.printed]
            return lambda e: value  # noqa: ARG005
        if not define.items[0].index:
            return self.of(define.items[0].body, scope)
        own = scope.plus(define.name)
        so_far = own.letters[define.name]
        lines = [self.item_line(define.name, item, own) for item in define.items]
        self.uses.discard(so_far)

        def get(e: Frame) -> Value:
            items: dict[int, Value] = {}
            e[so_far] = items
            for line in lines:
                line(e, items)
            return List([items[k] for k in sorted(items)], min(items, default=1), define.place)

        return get

    def item_line(self, name: str, item: Item, scope: Scope) -> Callable[[Frame, dict[int, Value]], None]:
        """A line l[index] = body for letter in reach."""
        place, letter, reach = item.place, 0, None
        if item.reach:
            reach = self.turns(item.reach, scope)
            scope = scope.plus(item.letter)
            letter = scope.letters[item.letter]
        before = self.steps
        index, body = self.whole(item.index, scope, f"the index of {name}"), self.of(item.body, scope)  # type: ignore[arg-type]
        cost = self.steps - before
        self.uses.discard(letter)

        def put(e: Frame, items: dict[int, Value]) -> None:
            for k in reach(e) if reach else (None,):
                self.budget.spend(cost)
                if letter:
                    e[letter] = k
                at = index(e)
                if at in items:
                    raise Refused(place, f"{name}[{at}] is defined twice")
                if items and at - 1 not in items and at + 1 not in items:
                    so_far = f"{name}[{min(items)}] to {name}[{max(items)}]"
                    raise Refused(
                        place,
                        f"the indices of a list are consecutive: {name}[{at}] isn't next to {so_far},"
                        " which are defined so far",
                    )
                items[at] = body(e)

        return put

    # values of one kind
    def truth(self, tree: Tree, scope: Scope) -> Callable[[Frame], bool]:
        code, place = self.of(tree, scope), tree.place

        def get(e: Frame) -> bool:
            v = code(e)
            return v if v is True or v is False else truth(v, place)

        return get

    def whole(self, tree: Tree, scope: Scope, what: str) -> Callable[[Frame], int]:
        code, place = self.of(tree, scope), tree.place

        def get(e: Frame) -> int:
            v = code(e)
            return v if type(v) is int else whole(v, place, what)

        return get

    # lists
    def of_list(self, tree: Tree, scope: Scope) -> Code:
        parts, place = tree.parts, tree.place
        if len(parts) == 1 and parts[0].op == "each":
            items = self.each(parts[0], scope)
            return lambda e: List(items(e), 1, place)
        if len(parts) > 1 and parts[-2].op == "dots":
            alone = [self.of(part, scope) for part in parts[: -4 if len(parts) > 3 else -3]]
            progression = self.progression(tree, scope)

            def dotted(e: Frame) -> Value:
                before = [code(e) for code in alone]
                first, step, many = progression(e)
                self.many(many, place)
                return List([*before, *[short(first + step * k) for k in range(many)]], 1, place)

            return dotted
        codes = [self.of(part, scope) for part in parts]
        return lambda e: List([code(e) for code in codes], 1, place)

    def progression(self, tree: Tree, scope: Scope) -> Callable[[Frame], tuple[Exact, Exact, int]]:
        """Of the list [..., a, b, ..., z]: a, the step b - a, and how many there are from a to z."""
        parts = tree.parts
        ends = [(self.of(part, scope), part.place) for part in (*parts[-4:-2], parts[-1])]

        def get(e: Frame) -> tuple[Exact, Exact, int]:
            first, *second, last = (exact(code(e), place) for code, place in ends)
            step = second[0] - first if second else 1
            if step == 0:
                raise Refused(tree.place, "`...` has the step 0: it never comes to its end")
            many = (last - first) * ratio(step.denominator, step.numerator)
            if type(many) is not int:
                raise Refused(ends[-1][1], f"`...` from {first} in steps of {step} misses {last}")
            return first, step, max(0, many + 1)

        return get

    def many(self, items: int, place: Place) -> None:
        if items > MOST_ITEMS:
            raise OverLimit(f"{place}: more than {MOST_ITEMS:,} items")
        self.budget.spend(items)

    def turns(self, tree: Tree, scope: Scope) -> Several:
        """What a letter runs through: a..b, or the items of a list."""
        if tree.op == "range":
            low, high = (self.whole(end, scope, "an end of a range") for end in tree.parts)

            def span(e: Frame) -> Sequence[Value]:
                found = range(low(e), high(e) + 1)
                if len(found) > MOST_ITEMS:
                    raise OverLimit(f"{tree.place}: more than {MOST_ITEMS:,} items")
                return found

            return span
        code, place = self.of(tree, scope), tree.place
        return lambda e: listed(code(e), place).items

    def passes(self, tree: Tree | None, scope: Scope) -> Callable[[Frame], bool] | None:
        """The condition of a loop, or none."""
        return self.truth(tree, scope) if tree else None

    def each(self, tree: Tree, scope: Scope) -> Several:
        """The values of `E for letter in R if C`; with `over` of all cases of the inputs."""
        if tree.over:
            return self.over_cases(tree)
        return self.loop(tree, scope)

    def loop(self, tree: Tree, scope: Scope) -> Several:
        reach = self.turns(tree.reach, scope)  # type: ignore[arg-type]
        inner = scope.plus(tree.word)
        letter = inner.letters[tree.word]
        before = self.steps
        passes, body = self.passes(tree.when, inner), self.of(tree.parts[0], inner)
        cost = self.steps - before + 1
        self.uses.discard(letter)

        def get(e: Frame) -> Sequence[Value]:
            items = reach(e)
            self.budget.spend(cost * len(items))
            found = []
            for e[letter] in items:
                if passes is None or passes(e):
                    found.append(body(e))
            return found

        return get

    def over_cases(self, tree: Tree) -> Several:
        """A constant: one after the other all cases, for each what R runs through."""
        outer, self.uses = self.uses, set()
        scope, inputs = Scope(), self.page.inputs[tree.over]
        before = self.steps
        if tree.reach:
            items = self.loop(tree, scope)
        else:
            passes, body = self.passes(tree.when, scope), self.of(tree.parts[0], scope)

            def items(e: Frame) -> Sequence[Value]:
                return [body(e)] if passes is None or passes(e) else []

        cost, self.uses = self.steps - before + 10, outer
        kept: list[Sequence[Value]] = []

        def get(_: Frame) -> Sequence[Value]:
            if not kept:
                found: list[Value] = []
                for case in self.over(inputs):
                    self.budget.spend(cost)
                    found += items(scope.body.frame(case))
                    if len(found) > MOST_ITEMS * 4:
                        raise OverLimit(f"{tree.place}: a list of more than {MOST_ITEMS * 4:,} items over inputs")
                kept.append(found)
            return kept[0]

        return get

    def of_index(self, tree: Tree, scope: Scope) -> Code:
        base, index = tree.parts
        if base.op == "name" and scope.tokens and scope.letters.get(base.word) == scope.tokens:
            return self.token(base.word, index.word, scope)
        return self.item(self.of(base, scope), self.of(index, scope), base, index.place, tree.place)

    def token(self, x: str, letter: str, scope: Scope) -> Code:
        """x[i] of a layer, x[j] of a read."""
        tokens, at = scope.letters[x], scope.letters[letter]
        self.uses |= {tokens, at}
        return lambda e: e[tokens].items[e[at] - e[tokens].first]

    def item(self, base: Code, index: Code, tree: Tree, at: Place, place: Place) -> Code:
        def get(e: Frame) -> Value:
            v, k = base(e), index(e)
            if type(k) is not int:
                k = whole(k, at, "an index")
            if isinstance(v, dict):  # the items so far of a list that is being defined
                if k not in v:
                    raise Refused(place, f"{tree.word}[{k}] isn't defined before it is used here")
                return v[k]
            l = listed(v, tree.place)
            items, offset = l.items, k - l.first
            if not 0 <= offset < len(items):
                runs = f"runs from {l.first} to {l.first + len(items) - 1}" if items else "is empty"
                raise Refused(place, f"index {k}: the list {runs}")
            return items[offset]

        return get

    # arithmetic
    def of_sum(self, tree: Tree, scope: Scope) -> Code:
        place = tree.place
        first, *rest = [(sign, self.of(part, scope)) for sign, part in zip(tree.signs, tree.parts, strict=True)]
        head = first[1] if first[0] == "+" else self.negative(first[1], place)
        terms = [(plus if sign == "+" else minus, code) for sign, code in rest]

        def get(e: Frame) -> Value:
            total = head(e)
            for of_two, code in terms:
                total = of_two(total, code(e), place)
            return total

        if len(terms) != 1:
            return get
        of_two, second = terms[0]
        negative = of_two is minus

        def of_both(e: Frame) -> Value:
            a, b = head(e), second(e)
            if type(a) is int and type(b) is int:  # the usual case, quickly
                return short(a - b if negative else a + b)
            return of_two(a, b, place)

        return of_both

    @staticmethod
    def negative(code: Code, place: Place) -> Code:
        return lambda e: times(-1, code(e), place)

    def of_product(self, tree: Tree, scope: Scope) -> Code:
        place = tree.place
        first, *rest = [self.of(part, scope) for part in tree.parts]
        factors = [(s, c, p.place) for s, c, p in zip(tree.signs[1:], rest, tree.parts[1:], strict=True)]

        def get(e: Frame) -> Value:
            total = first(e)
            for sign, code, at in factors:
                v = code(e)
                total = times(total, v, place) if sign == "*" else self.quotient(sign, total, v, place, at)
            return total

        return get

    @staticmethod
    def quotient(sign: str, v: Value, divisor: Value, place: Place, at: Place) -> Value:
        by = exact(divisor, at)
        if by == 0:
            raise Refused(at, "a division by 0")
        if sign == "/":
            return times(ratio(by.denominator, by.numerator), v, place)
        x = exact(v, place)
        quotient = floor_of(x, by)
        return quotient if sign == "div" else x - by * quotient

    def of_power(self, tree: Tree, scope: Scope) -> Code:
        base, exponent = self.of(tree.parts[0], scope), self.whole(tree.parts[1], scope, "an exponent")
        place, at, unknown = tree.place, tree.parts[0].place, tree in self.unknown

        def get(e: Frame) -> Value:
            v, k = base(e), exponent(e)
            if k < 0 and unknown:
                exact(v, at)
                raise Refused(place, "a negative power of a number that isn't known: multiply out instead")
            return self.raised(v, k, place, at)

        return get

    @staticmethod
    def raised(base: Value, k: int, place: Place, at: Place) -> Value:
        v = exact(base, at)
        if k < 0 and v == 0:
            raise Refused(place, "a negative power of 0")
        return power(v, k)

    def of_abs(self, tree: Tree, scope: Scope) -> Code:
        code, place = self.of(tree.parts[0], scope), tree.parts[0].place
        return lambda e: abs(number(code(e), place))  # type: ignore[return-value]

    # truths
    def of_compare(self, tree: Tree, scope: Scope) -> Code:
        place, signs = tree.place, tree.signs
        codes = [self.of(part, scope) for part in tree.parts]

        def chain(e: Frame) -> Value:
            sides = [code(e) for code in codes]
            found = [compare(sign, a, b, place) for sign, a, b in zip(signs, sides, sides[1:], strict=False)]
            return False not in found

        if len(signs) > 1:
            return chain
        (a, b), sign, holds = codes, signs[0], HOLDS[signs[0]]

        def one(e: Frame) -> Value:
            x, y = a(e), b(e)
            return holds(x, y) if type(x) is int and type(y) is int else compare(sign, x, y, place)

        return one

    def of_and(self, tree: Tree, scope: Scope) -> Code:
        return self.both([self.truth(part, scope) for part in tree.parts])

    def of_or(self, tree: Tree, scope: Scope) -> Code:
        return self.either([self.truth(part, scope) for part in tree.parts])

    def both(self, truths: list[Callable[[Frame], bool]]) -> Code:
        """From left to right, until one is false."""

        def get(e: Frame) -> Value:
            for one in truths:  # noqa: SIM110 - all() would nest expressions in C, on a stack that is short
                if not one(e):
                    return False
            return True

        return get

    def either(self, truths: list[Callable[[Frame], bool]]) -> Code:
        def get(e: Frame) -> Value:
            for one in truths:  # noqa: SIM110
                if one(e):
                    return True
            return False

        return get

    def of_not(self, tree: Tree, scope: Scope) -> Code:
        one, odd = self.truth(tree.parts[0], scope), len(tree.signs) % 2 == 1
        return lambda e: one(e) != odd

    def of_iff(self, tree: Tree, scope: Scope) -> Code:
        a, b = (self.truth(part, scope) for part in tree.parts)
        return lambda e: a(e) == b(e)

    def of_if(self, tree: Tree, scope: Scope) -> Code:
        when, then, otherwise = tree.parts
        return self.choose(self.truth(when, scope), self.of(then, scope), self.of(otherwise, scope))

    def choose(self, condition: Callable[[Frame], bool], then: Code, otherwise: Code) -> Code:
        return lambda e: then(e) if condition(e) else otherwise(e)

    # functions
    def of_call(self, tree: Tree, scope: Scope) -> Code:
        name = tree.word
        if name in BUILTINS:
            return self.builtin(tree, scope)
        if name in self.page.defines:
            return self.function(tree, scope)
        return self.of_network(tree, scope)

    def builtin(self, tree: Tree, scope: Scope) -> Code:
        row, parts, place = BUILTINS[tree.word], tree.parts, tree.place
        compute = self.function_of(tree.word)
        variable = parts[0].word if parts[0].op == "name" and len(parts) == 1 else ""
        if tree.word == "len" and variable in self.variables - scope.letters.keys():
            return self.length_of(parts[0])
        if row.arguments is None:
            items = self.items(parts, scope)
            return lambda e: compute(place, items(e))
        codes = [self.of(part, scope) for part in parts]
        if row.cost:
            cost = row.cost

            def costly(e: Frame) -> Value:
                values = [code(e) for code in codes]
                self.budget.spend(cost(place, *values))
                return compute(place, *values)

            return costly
        if len(codes) == 1:
            one = codes[0]
            return lambda e: compute(place, one(e))
        if len(codes) == 2:
            a, b = codes
            return lambda e: compute(place, a(e), b(e))
        return lambda e: compute(place, *[code(e) for code in codes])

    @staticmethod
    def function_of(name: str) -> Callable[..., Value]:
        return BUILTINS[name].compute

    def length_of(self, tree: Tree) -> Code:
        """len(X) of the input itself, which is known where the items aren't."""
        self.uses.add(LENGTH)

        def get(e: Frame) -> Value:
            lengths = e[0].length.lengths
            if tree.word not in lengths:
                raise Refused(tree.place, f"{tree.word} speaks of a case, and none that has it is at hand")
            return lengths[tree.word]  # type: ignore[no-any-return]

        return get

    def items(self, parts: tuple[Tree, ...], scope: Scope) -> Several:
        """Of a function of a list: the values of `E for ...`, the items of one list, or several values."""
        if len(parts) > 1:
            codes = [self.of(part, scope) for part in parts]
            return lambda e: [code(e) for code in codes]
        if parts[0].op == "each":
            return self.each(parts[0], scope)
        code, place = self.of(parts[0], scope), parts[0].place
        return lambda e: listed(code(e), place).items

    def function(self, tree: Tree, scope: Scope) -> Code:
        name = tree.word
        arguments = [self.of(part, scope) for part in tree.parts]
        if name not in self.functions:
            define, inner = self.page.defines[name], Scope().plus(*self.page.defines[name].letters or ())
            outer, self.uses = self.uses, set()
            before = self.steps
            code = self.of(define.items[0].body, inner)
            self.functions[name] = code, inner.body, self.uses & {LENGTH, CASE}, self.steps - before
            self.uses = outer
        code, body, uses, cost = self.functions[name]
        self.uses |= uses
        at = self.at_hand(uses)

        def get(e: Frame) -> Value:
            values, case = tuple([argument(e) for argument in arguments]), at(e)
            memory = case.called.get(name)
            if memory is None:
                memory = case.called[name] = {}
            key = values if EXACT.issuperset(map(type, values)) else tuple(map(exactly, values))
            if (found := self.recalled(memory, key)) is None:
                self.budget.spend(cost)
                found = code(body.frame(case, *values))
                self.remember(memory, key, found)
            return found

        return get

    # what was computed before
    def recalled(self, memory: dict[object, T], key: object) -> T | None:
        try:
            return memory.get(key)
        except NotAffine:  # what varies isn't told from anything else
            return None

    def remember(self, memory: dict[object, T], key: object, value: T) -> None:
        if len(memory) >= REMEMBERED:
            memory.clear()
        with suppress(NotAffine):
            memory[key] = value


READ = {
    "number": "of_number",
    "truth": "of_truth",
    "name": "of_name",
    "call": "of_call",
    "index": "of_index",
    "list": "of_list",
    "|": "of_abs",
    "+": "of_sum",
    "*": "of_product",
    "^": "of_power",
    "compare": "of_compare",
    "and": "of_and",
    "or": "of_or",
    "not": "of_not",
    "iff": "of_iff",
    "if": "of_if",
}
