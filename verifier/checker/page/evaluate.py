"""LANGUAGE 2: the value of an expression, for all cases of one shape at once.

What is known is computed here; what isn't becomes a node of the graph. What only some cases come to (a branch, what a
guard hides) may fail here: then it is a node that is refused when a case does come to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from ..core.comparing import OverLimit
from . import enclosures, layers, recurrences
from .graph import (
    FALSE,
    TRUE,
    Graph,
    Kind,
    Listed,
    Node,
    Row,
    Value,
    is_known,
    is_list,
    kind_of,
    not_looked_at,
    one_kind,
    plain,
    words_for,
)
from .numbers import FOLDS, Affine, Moving, NotAffine, Runtime, dot, exactly, limited, plus, power, times
from .tree import Define, Tree
from .words import DEFECT, MOST_BITS, MOST_ITEMS, Place, Refused

if TYPE_CHECKING:
    from .derive import Run

Env = dict[str, Any]  # the letters' values; of a layer, under "", its tokens and its i; of a list, its items so far
FEW = 8  # items of a filtered list are looked for one by one, if there are no more


class NotKnown(Refused):
    """Known in every layer of a family, but not while all of them are looked at together."""


class Stage:
    """Expressions about the cases of one shape; `case` has their variable and `weight`, and is empty for none."""

    def __init__(self, run: Run, case: dict[str, Value], graph: Graph, short: int = layers.WRITTEN_OUT) -> None:
        self.run, self.page, self.case, self.graph, self.short = run, run.page, case, graph, short
        self.along: recurrences.Along | None = None  # the letter that runs along with the cases of a zone
        self.values: dict[str, Value | Refused] = {}
        self.calls: dict[tuple[Any, ...], Value | Refused] = {}
        self.traces: dict[Any, Any] = {}  # what networks did (layers.py)
        self.below: dict[str, Any] = {}  # exp_below and the like
        self.level = 0  # of the loops around

    # kinds
    def number(self, tree: Tree, env: Env) -> Value:
        return self.expect("number", self.value(tree, env), tree.place)

    def truth(self, tree: Tree, env: Env) -> Node:
        found = self.expect("truth", self.value(tree, env), tree.place)
        if not isinstance(found, Node):
            raise Refused(tree.place, "a truth is expected here")
        return found

    def expect(self, kind: str, v: Value, place: Place) -> Value:
        found = kind_of(v)
        if found not in (kind, "any") and not (kind == "list" and isinstance(found, Listed)):
            raise Refused(place, f"a {kind} is expected here, not {words_for(found)}")
        return v

    def whole(self, tree: Tree, env: Env, what: str) -> int:
        v = self.number(tree, env)
        if not isinstance(v, Fraction):
            raise NotKnown(tree.place, f"{what} must be known")
        if v.denominator != 1:
            raise Refused(tree.place, f"{what} must be a whole number, not {v}")
        return v.numerator

    def lazy(self, tree: Tree, env: Env) -> Value:
        """What may never be looked at."""
        try:
            return self.value(tree, env)
        except NotKnown:
            raise
        except Refused as error:
            return self.fail(error)

    def fail(self, error: Refused) -> Node:
        place = error.place or Place(0, 0)
        return self.graph.node("fail", (), "any", place, safe=False, extra=(error.words, place))

    def lazy_truth(self, tree: Tree, env: Env) -> Node:
        try:
            return self.truth(tree, env)
        except NotKnown:
            raise
        except Refused as error:
            return self.fail(error)

    # expressions
    def value(self, tree: Tree, env: Env) -> Value:
        self.run.budget.spend(30)
        found: Value = getattr(self, _METHODS[tree.op])(tree, env)
        return found

    def _number(self, tree: Tree, env: Env) -> Value:  # noqa: ARG002
        return tree.value

    def _truth(self, tree: Tree, env: Env) -> Value:  # noqa: ARG002
        return TRUE if tree.word == "true" else FALSE

    def _name(self, tree: Tree, env: Env) -> Value:
        name, place = tree.word, tree.place
        if name in env:
            found = env[name]
            return self.listed(found, place) if isinstance(found, dict) else found
        if name in self.page.sizes:
            return Fraction(self.run.sizes[name])
        if name in self.page.defines:
            return self.defined(name)
        if name in self.run.known.categories:
            return self.kept(
                self.values, f"category {name}", lambda: self.truth(self.run.known.categories[name].when, {})
            )
        if name in self.case:
            return self.case[name]
        raise Refused(place, f"{name} speaks of a case, and none that has it is at hand")

    def kept(self, memory: dict[Any, Value | Refused], key: Any, make: Any) -> Value:
        """Made once, or refused once."""
        if key not in memory:
            try:
                memory[key] = make()
            except NotKnown:
                raise
            except Refused as error:
                memory[key] = error
        found = memory[key]
        if isinstance(found, Refused):
            raise found
        return found

    def defined(self, name: str) -> Value:
        root = self.run.root
        if self is not root and self.run.known.done[name, ()] == 0:
            return root.defined(name)
        define = self.page.defines[name]
        if define.printed in self.run.given:
            return self.run.given[define.printed]
        make = self.list_of if define.items[0].index else lambda d: self.value(d.items[0].body, {})
        return self.kept(self.values, name, lambda: make(define))

    def list_of(self, define: Define) -> Value:
        found: dict[int, Value] = {}
        for line in define.items:
            reach = [None] if line.reach is None else self.reach(line.reach, {})
            if reach is None:
                raise NotKnown(line.place, f"the range of {define.name}'s index must be known")
            for letter in reach:
                env: Env = {define.name: found} if line.reach is None else {define.name: found, line.letter: letter}
                if line.index is None:
                    raise TypeError(DEFECT)
                index = self.whole(line.index, env, f"the index of {define.name}")
                if index in found:
                    raise Refused(line.place, f"{define.name}[{index}] is defined twice")
                found[index] = self.value(line.body, env)
        return self.listed(found, define.place)

    def listed(self, found: dict[int, Value], place: Place) -> Row:
        first = min(found, default=1)
        if found and max(found) - first + 1 != len(found):
            raise Refused(place, f"the indices of a list are consecutive, and {first}..{max(found)} are not all there")
        return self.graph.row([found[k] for k in sorted(found)], place, first)

    # numbers, lists
    def _sum(self, tree: Tree, env: Env) -> Value:
        values = [self.value(part, env) for part in tree.parts]
        factors = [1 if sign == "+" else -1 for sign in tree.signs]
        if all(kind_of(v) == "number" for v in values):
            return self.graph.linear(list(zip(factors, values, strict=True)), tree.place)
        total = values[0] if factors[0] == 1 else self.times(Fraction(-1), values[0], tree.place)
        for factor, v in zip(factors[1:], values[1:], strict=True):
            total = self.add(total, v if factor == 1 else self.times(Fraction(-1), v, tree.place), tree.place)
        return total

    def add(self, a: Value, b: Value, place: Place) -> Value:
        kind = one_kind((kind_of(a), kind_of(b)), place)
        if isinstance(a, Row) and isinstance(b, Row):
            if len(a.items) != len(b.items):
                raise Refused(
                    place, f"lists of {len(a.items)} and {len(b.items)} items: they must be of the same length"
                )
            return self.graph.row(
                [self.add(x, y, place) for x, y in zip(a.items, b.items, strict=True)], place, a.first
            )
        if isinstance(kind, Listed):
            return self.call(_plus, (a, b), kind_of(a) if kind_of(a) != "any" else kind, place)
        self.expect("number", a, place)
        return self.graph.linear([(1, a), (1, b)], place)

    def times(self, a: Value, b: Value, place: Place) -> Value:
        if is_list(a) and is_list(b):
            rows = a.kind.of  # type: ignore[union-attr]
            if not isinstance(rows, Listed) and rows != "any":
                raise Refused(place, "two columns are multiplied by dot(a, b)")
            if isinstance(a, Row):
                return self.graph.row([self.dot(row, b, place) for row in a.items], place, a.first)
            return self.call(times, (a, b), Listed(a.kind.first, "number"), place)  # type: ignore[union-attr]
        if is_list(b):
            a, b = b, a
        if isinstance(a, Row):
            return self.graph.row([self.times(one, b, place) for one in a.items], place, a.first)
        self.expect("number", b, place)
        if is_list(a):
            return self.call(times, (a, b), kind_of(a), place)
        return self.graph.product(self.expect("number", a, place), b, place)

    def dot(self, a: Value, b: Value, place: Place) -> Value:
        for v in (a, b):
            self.expect("list", v, place)
            if isinstance(kind := kind_of(v), Listed) and kind.of not in ("number", "any"):
                raise Refused(place, "numbers are multiplied item by item here, not lists or truths")
        if isinstance(a, Row) and isinstance(b, Row):
            if len(a.items) != len(b.items):
                raise Refused(
                    place, f"lists of {len(a.items)} and {len(b.items)} items: they must be of the same length"
                )
            found = [(1, self.graph.product(x, y, place)) for x, y in zip(a.items, b.items, strict=True)]
            return self.graph.linear(found, place)
        return self.call(dot, (a, b), "number", place)

    def call(self, fn: Any, args: tuple[Value, ...], kind: Kind, place: Place, *, safe: bool = False) -> Value:
        """A function of numbers.py: computed now, if all is known."""
        if all(map(is_known, args)):
            return self.graph.lift(fn(1, place, *map(plain, args)), place)
        return self.graph.node("call", args, kind, place, safe=safe, extra=fn)

    def _product(self, tree: Tree, env: Env) -> Value:
        total, place = self.value(tree.parts[0], env), tree.place
        for sign, part in zip(tree.signs[1:], tree.parts[1:], strict=True):
            v = self.value(part, env)
            if sign == "*":
                total = self.times(total, v, place)
                continue
            v = self.expect("number", v, part.place)
            if not isinstance(v, Fraction):
                raise NotKnown(part.place, "a divisor must be known")
            if v == 0:
                raise Refused(part.place, "a division by 0")
            if sign == "/":
                total = self.times(total, 1 / v, place)
            else:
                self.expect("number", total, place)
                self.graph.known(v)
                total = self.call(_mod if sign == "mod" else _div, (total, v), "number", place, safe=True)
        return total

    def _power(self, tree: Tree, env: Env) -> Value:
        base, exponent = self.number(tree.parts[0], env), self.whole(tree.parts[1], env, "an exponent")
        if isinstance(base, Fraction) or exponent < 0:
            return self.graph.lift(power(base, exponent, tree.place), tree.place)  # refuses what isn't known
        if exponent == 0:
            return self.graph.after((base,), Fraction(1), tree.place)
        found: Value = base
        for bit in f"{exponent:b}"[1:]:
            found = self.graph.product(found, found, tree.place)
            if bit == "1":
                found = self.graph.product(found, base, tree.place)
        return found

    def _abs(self, tree: Tree, env: Env) -> Value:
        return self.call(_abs, (self.number(tree.parts[0], env),), "number", tree.place, safe=True)

    def _list(self, tree: Tree, env: Env) -> Value:
        parts = tree.parts
        if len(parts) == 1 and parts[0].op == "each":
            return self.value(parts[0], env)
        if len(parts) > 2 and parts[-2].op == "dots":
            alone = parts[: -4 if len(parts) > 3 else -3]
            first, step, many = self.progression(tree, env)
            self.run.many(many, tree.place)
            return self.graph.row(
                [*(self.value(part, env) for part in alone), *(first + step * k for k in range(many))], tree.place
            )
        return self.graph.row([self.value(part, env) for part in parts], tree.place)

    def progression(self, tree: Tree, env: Env) -> tuple[Fraction, Fraction, int]:
        """Of the list [..., a, b, ..., z]: a, the step b - a, and how many there are from a to z."""
        parts = tree.parts
        if len(parts) < 3 or parts[-2].op != "dots":
            raise Refused(tree.place, "two items at least stand with `...`: [a, ..., z]")
        found = [self.number(part, env) for part in (*parts[-4:-2], parts[-1])]
        if not all(isinstance(v, Fraction) for v in found):
            raise NotKnown(tree.place, "a list with `...` must be known")
        numbers = [v for v in found if isinstance(v, Fraction)]
        step = numbers[1] - numbers[0] if len(numbers) == 3 else Fraction(1)
        if step == 0:
            raise Refused(tree.place, "`...` has the step 0: it never comes to its end")
        many = (numbers[-1] - numbers[0]) / step
        if many.denominator != 1:
            raise Refused(parts[-1].place, f"`...` from {numbers[0]} in steps of {step} misses {numbers[-1]}")
        return numbers[0], step, max(0, int(many) + 1)

    def _index(self, tree: Tree, env: Env) -> Value:
        base, place = tree.parts[0], tree.place
        if base.op == "name" and isinstance(env.get(base.word), dict):
            found, k = env[base.word], self.whole(tree.parts[1], env, "an index")
            if k not in found:
                raise Refused(place, f"{base.word}[{k}] isn't defined before it is used here")
            one: Value = found[k]
            return one
        if base.op == "name" and isinstance(before := env.get(base.word), recurrences.Before):
            return before.at(self, self.number(tree.parts[1], env), place)
        if self.along is not None and base.op == "name" and base.word not in env:
            along = recurrences.item(self, base.word, self.number(tree.parts[1], env), place)
            if along is not None:
                return along
        items = self.expect("list", self.value(base, env), place)
        return self.item(items, self.number(tree.parts[1], env), place)

    def item(self, items: Value, index: Value, place: Place) -> Value:
        if kind_of(items) == "any":
            return items
        kind = kind_of(items)
        if not isinstance(kind, Listed):
            raise TypeError(DEFECT)
        if isinstance(items, Row) and isinstance(index, Fraction):
            k = index - items.first
            if k.denominator != 1:
                raise Refused(place, f"an index must be a whole number, not {index}")
            if not 0 <= k < len(items.items):
                last = items.first + len(items.items) - 1
                runs = f"runs from {items.first} to {last}" if items.items else "is empty"
                raise Refused(place, f"index {index}: the list {runs}")
            return self.graph.after((items,), items.items[int(k)], place)
        if isinstance(items, Row) and items.items and (width := _width(items)) is not None:
            first, wide = width
            columns = [
                self.graph.row([row.items[r] for row in items.items], place, items.first)  # type: ignore[union-attr]
                for r in range(wide)
            ]
            return self.graph.row([self.item(column, index, place) for column in columns], place, first)
        if kind.first is None:
            raise Refused(place, "the first index of this list depends on the case")
        few = isinstance(items, Node) and items.op == "filter" and items.safe and len(items.args) <= 2 * FEW
        if few and isinstance(items, Node) and isinstance(index, Fraction):
            return self.nth(items.args, index - kind.first, place)
        return self.graph.node("item", (items, index), kind.of, place, safe=False, extra=kind.first)

    def nth(self, items: tuple[Value, ...], k: Fraction, place: Place) -> Value:
        """Of conditions and items in turn: the k-th item whose condition is true, k = 0, 1, ..."""
        graph = self.graph

        def of(items: tuple[Value, ...], k: Fraction) -> tuple[Node, Value]:
            """Is there one, and which."""
            when, one, *rest = items
            if not isinstance(when, Node):
                raise TypeError(DEFECT)
            there, here = (TRUE, one) if k == 0 else of(tuple(rest), k - 1) if rest else (FALSE, one)
            if when is TRUE or not rest:
                return graph.connected("and", (when, there), place), here
            else_there, other = of(tuple(rest), k)
            yes = graph.connected("and", (when, there), place)
            return graph.connected("or", (yes, else_there), place), graph.choice(when, here, other, place)

        if not items or k < 0 or k.denominator != 1:
            return self.fail(Refused(place, "an index outside a list"))
        there, found = of(items, k)
        missing = self.fail(Refused(place, "an index outside a list: it has fewer items in this case"))
        return found if there is TRUE else graph.after((graph.choice(there, TRUE, missing, place),), found, place)

    def reach(self, tree: Tree, env: Env) -> list[Value] | None:
        """What a letter runs through, if its length is known."""
        if tree.op != "range":
            items = self.expect("list", self.value(tree, env), tree.place)
            return list(items.items) if isinstance(items, Row) else None
        ends = [self.number(part, env) for part in tree.parts]
        if not all(isinstance(end, Fraction) for end in ends):
            return None
        low, high = (self.whole(part, env, "an end of a range") for part in tree.parts)
        self.run.many(high - low + 1, tree.place)
        return [Fraction(k) for k in range(low, high + 1)]

    def _each(self, tree: Tree, env: Env) -> Value:
        if tree.over:
            _, values = self.run.gathered(tree)
            return self.graph.lift(values, tree.place)
        if tree.reach is None:
            raise TypeError(DEFECT)
        body, place = tree.parts[0], tree.place
        items = self.reach(tree.reach, env)
        if items is None:
            return self.loop(tree, env)
        found, filtered = list[tuple[Node, Value]](), False
        for one in items:
            here = {**env, tree.word: one}
            when = self.truth(tree.when, here) if tree.when else TRUE
            if when is TRUE:
                found.append((when, self.value(body, here)))
            elif when is not FALSE:
                found.append((when, self.lazy(body, here)))
                filtered = True
        rest = not_looked_at(items, [v for when, one in found for v in ((one, when) if when is TRUE else (when,))])
        if not filtered:
            return self.graph.after(rest, self.graph.row([one for _, one in found], place), place)
        kind = Listed(1, one_kind([kind_of(one) for _, one in found], place))
        filter_ = self.graph.node("filter", tuple(v for pair in found for v in pair), kind, place)
        return self.graph.after(rest, filter_, place)

    def letter(self, kind: Kind, place: Place, mark: Kind = "") -> Node:
        """The letter of a loop that each case runs as often as it must."""
        found = self.graph.node("letter", (), kind, place, extra=(self.level, mark or kind))
        found.deps = frozenset((self.level,))
        return found

    @contextmanager
    def running(self, tree: Tree, env: Env) -> Iterator[tuple[tuple[Value, ...], Node]]:
        """What such a loop runs through, and its letter."""
        if tree.op == "range":
            reach = tuple(self.number(part, env) for part in tree.parts)
            kind: Kind = "number"
        else:
            reach = (self.value(tree, env),)
            listed = kind_of(reach[0])
            kind = listed.of if isinstance(listed, Listed) else "any"
        self.level += 1
        try:
            yield reach, self.letter(kind, tree.place)
        finally:
            self.level -= 1

    def loop(self, tree: Tree, env: Env) -> Value:
        if tree.reach is None:
            raise TypeError(DEFECT)
        with self.running(tree.reach, env) as (reach, letter):
            here = {**env, tree.word: letter}
            when = self.truth(tree.when, here) if tree.when else TRUE
            body, place = self.lazy(tree.parts[0], here), tree.place
            kind = Listed(1, kind_of(body))
            found = self.graph.node("loop", (*reach, when, body), kind, place, safe=False, extra=(self.level,))
            found.deps -= {self.level}
            return found

    # truths
    def _compare(self, tree: Tree, env: Env) -> Value:
        values = [self.value(part, env) for part in tree.parts]
        pairs = zip(tree.signs, values, values[1:], strict=False)
        found = [self.compare(sign, a, b, tree.place) for sign, a, b in pairs]
        return self.graph.after(values, self.graph.connected("and", found, tree.place), tree.place)

    def compare(self, sign: str, a: Value, b: Value, place: Place) -> Node:
        kind = one_kind((kind_of(a), kind_of(b)), place)
        if sign in ("=", "!=") and kind not in ("number", "any"):
            found = self.equal(a, b, place)
            return found if sign == "=" else self.graph.negated(found, place)
        if kind not in ("number", "any"):
            raise Refused(place, f"{sign} compares numbers, not {words_for(kind)}s".replace("a ", "", 1))
        return self.graph.sign(sign, a, b, place)

    def equal(self, a: Value, b: Value, place: Place) -> Node:
        kind = one_kind((kind_of(a), kind_of(b)), place)
        if kind == "number":
            return self.graph.sign("=", a, b, place)
        if isinstance(a, Row) and isinstance(b, Row):
            if len(a.items) != len(b.items):
                return FALSE
            pairs = zip(a.items, b.items, strict=True)
            self.run.budget.spend(10 * len(a.items))
            return self.graph.connected("and", [self.equal(x, y, place) for x, y in pairs], place)
        found = TRUE if a is b else self.call(_same, (a, b), "truth", place, safe=True)
        if not isinstance(found, Node):
            raise TypeError(DEFECT)
        return found

    def _connected(self, tree: Tree, env: Env) -> Value:
        found = list[Node]()
        for part in tree.parts:
            found.append(self.lazy_truth(part, env) if found else self.truth(part, env))
            if found[-1] is (FALSE if tree.op == "and" else TRUE):
                break
            if is_known(found[-1]):
                found.pop()
        return self.graph.connected(tree.op, found, tree.place)

    def _not(self, tree: Tree, env: Env) -> Value:
        found = self.truth(tree.parts[0], env)
        return self.graph.negated(found, tree.place) if len(tree.signs) % 2 else found

    def _iff(self, tree: Tree, env: Env) -> Value:
        a, b = (self.truth(part, env) for part in tree.parts)
        return self.graph.after((a, b), self.equal(a, b, tree.place), tree.place)

    def _if(self, tree: Tree, env: Env) -> Value:
        when = self.truth(tree.parts[0], env)
        if is_known(when):
            return self.value(tree.parts[1 if when is TRUE else 2], env)
        a, b = (self.lazy(part, env) for part in tree.parts[1:])
        return self.graph.choice(when, a, b, tree.place)

    # functions
    def _call(self, tree: Tree, env: Env) -> Value:
        name, place = tree.word, tree.place
        define = self.page.defines.get(name)
        if define is not None and define.letters is not None:
            args = tuple(self.value(part, env) for part in tree.parts)
            body, letters = define.items[0].body, define.letters
            make = lambda: self.value(body, dict(zip(letters, args, strict=True)))  # noqa: E731
            return self.graph.after(args, self.kept(self.calls, (name, args, self.level), make), place)
        if name in self.page.networks:
            return layers.applied(self, tree, env)
        if name in FOLDS:
            return self.fold(tree, env)
        found: Value = getattr(self, f"_{name}")(tree, env)
        return found

    def fold(self, tree: Tree, env: Env) -> Value:
        name, place = tree.word, tree.place
        of, gives, fn = FOLDS[name]
        if tree.parts[0].op == "each" and tree.parts[0].over:
            if name in ("sum", "count") and (total := self.run.total(tree.parts[0], name)) is not None:
                return total
            kind, over = self.run.gathered(tree.parts[0])
            self.fits(of, kind, name, place)
            return self.graph.lift(fn(1, place, over), place)
        values = [self.value(part, env) for part in tree.parts]
        if len(values) == 1:
            items = self.expect("list", values[0], tree.parts[0].place)
        else:
            items = self.graph.row(values, place)
        if not isinstance(kind_of(items), Listed):
            return items
        kind = items.kind.of  # type: ignore[union-attr]
        self.fits(of, kind, name, place)
        if name == "sorted" and isinstance(kind, Listed) and kind.first != 1:
            raise Refused(place, "lists that are sorted have indices from 1 on")
        result = kind if name == "sum" and kind != "any" else Listed(1, kind) if gives == "list" else gives
        if not isinstance(items, Row):
            return self.call(fn, (items,), result, place, safe=name not in ("max", "min", "sum"))
        return self.graph.after((items,), self.folded(name, items, result, place), place)

    def fits(self, of: str, kind: Kind, name: str, place: Place) -> None:
        inner = kind
        while of == "numbers" and isinstance(inner, Listed):
            inner = inner.of
        if of != "any" and inner not in (of.removesuffix("s"), "any"):
            raise Refused(
                place, f"{name} is of {of.removesuffix('s')}s, not of {words_for(kind)}s".replace("of a ", "of ")
            )

    def folded(self, name: str, row: Row, kind: Kind, place: Place) -> Value:
        items, graph = row.items, self.graph
        if name == "len":
            return Fraction(len(items))
        if name == "sum" and kind in ("number", "any"):
            return graph.linear([(1, one) for one in items], place)
        if name == "sum":
            total = items[0]
            for one in items[1:]:
                total = self.add(total, one, place)
            return total
        if name in ("all", "any"):
            return graph.connected("and" if name == "all" else "or", items, place)  # type: ignore[arg-type]
        if name == "count":
            rest = graph.row([one for one in items if not is_known(one)], place)
            some = self.call(FOLDS[name][2], (rest,), "number", place, safe=True)
            return graph.linear([(1, some), (1, Fraction(sum(one is TRUE for one in items)))], place)
        found = self.call(FOLDS[name][2], (row,), kind, place, safe=bool(items))
        if name == "sorted" and isinstance(found, Node) and row.kind == Listed(row.first, "number"):
            each = [
                graph.node("item", (found, Fraction(k)), "number", place, extra=1) for k in range(1, len(items) + 1)
            ]
            return graph.row(each, place)
        return found

    def _dot(self, tree: Tree, env: Env) -> Value:
        a, b = (self.value(part, env) for part in tree.parts)
        return self.graph.after((a, b), self.dot(a, b, tree.place), tree.place)

    def _comb(self, tree: Tree, env: Env) -> Value:
        a, b = (self.whole(part, env, "what comb is of") for part in tree.parts)
        if a < 0 or b < 0:
            raise Refused(tree.place, "comb is of whole numbers that aren't negative")
        if min(b, abs(a - b)) * a.bit_length() > 200_000:
            raise OverLimit(f"{tree.place}: comb({a}, {b}) has more than 20,000 binary digits")
        return Fraction(limited(comb(a, b)))

    def _fact(self, tree: Tree, env: Env) -> Value:
        a = self.whole(tree.parts[0], env, "what fact is of")
        if a < 0:
            raise Refused(tree.place, "fact is of a whole number that isn't negative")
        if a > 5_000:
            raise OverLimit(f"{tree.place}: fact({a}) has more than 20,000 binary digits")
        return Fraction(limited(factorial(a)))

    def _unit(self, tree: Tree, env: Env) -> Value:
        k, d = (self.whole(part, env, "what unit is of") for part in tree.parts)
        if not 1 <= k <= d:
            raise Refused(tree.place, f"unit({k}, {d}): the place of the 1 is from 1 to {d}")
        if d > MOST_ITEMS:
            raise OverLimit(f"{tree.place}: a column of more than {MOST_ITEMS:,} entries")
        self.run.budget.spend(10 * d)
        return self.graph.row([Fraction(r == k) for r in range(1, d + 1)], tree.place)

    def _column(self, tree: Tree, env: Env) -> Value:
        items = self.expect("list", self.value(tree.parts[0], env), tree.place)
        if isinstance(items, Row):
            return self.graph.row([self.graph.row([one], tree.place) for one in items.items], tree.place)
        kind = Listed(1, Listed(1, items.kind.of))  # type: ignore[union-attr]
        return self.call(_column, (items,), kind, tree.place, safe=True)

    def _below(self, tree: Tree, env: Env) -> Value:
        """A number that is rounded down to a multiple of 2^-k."""
        name, place, *rest = tree.word, tree.place, *(self.value(part, env) for part in tree.parts)
        kind, budget = ("list" if name == "softmax_below" else "number"), self.run.budget
        for part, v in zip(tree.parts, rest[:-1], strict=False):
            self.expect(kind, v, part.place)
            if isinstance(of := kind_of(v), Listed) and of.of not in ("number", "any"):
                raise Refused(part.place, f"{name} is of numbers, not of {words_for(of)}")
        k = self.whole(tree.parts[-1], env, f"the last argument of {name}")
        if not 0 <= k <= MOST_BITS // 2:
            raise Refused(place, f"{name} is rounded to a multiple of 2^-k, k from 0 to {MOST_BITS // 2:,}, not {k}")
        if name not in self.below:

            def fn(D: int, place: Place, *args: Runtime) -> Runtime:
                *given, k = args
                known = isinstance(k, Fraction)
                exact: list[Any] = [
                    [fraction(D, x) for x in v] if isinstance(v, tuple) else fraction(D, v) for v in given
                ]
                of = exact[-1] if kind == "list" else exact[-1:]
                cost = enclosures.cost_of_root if name == "sqrt_below" else enclosures.cost
                budget.spend(sum([30 * cost(x, int(fraction(D, k))) for x in of]))
                found = limited(getattr(enclosures, name)(place, *exact, int(fraction(D, k))))
                return found if known else exactly(found.numerator * D, found.denominator)

            self.below[name] = fn
        return self.call(self.below[name], tuple(rest), "number", place)

    _exp_below = _log_below = _sqrt_below = _softmax_below = _below

    def _head(self, tree: Tree, env: Env) -> Value:
        return layers.head(self, tree, env)

    def _states(self, tree: Tree, env: Env) -> Value:
        return layers.states(self, tree.parts[0], env)

    def _layers(self, tree: Tree, env: Env) -> Value:
        return Fraction(layers.counted(self, tree.parts[0], env)[tree.word == "heads"])

    _heads = _layers


def _width(row: Row) -> tuple[int, int] | None:
    """The first index and the length of rows that are alike in these."""
    found = {(one.first, len(one.items)) if isinstance(one, Row) else None for one in row.items}
    return found.pop() if len(found) == 1 else None


def fraction(D: int, v: Runtime) -> Fraction:
    if type(v) in (Moving, Affine):
        raise NotAffine
    return Fraction(v) / D


def _plus(D: int, place: Place, a: Runtime, b: Runtime) -> Runtime:  # noqa: ARG001
    return plus(place, a, b)


def _mod(D: int, place: Place, a: Runtime, b: Runtime) -> Runtime:  # noqa: ARG001
    return a % b


def _div(D: int, place: Place, a: Runtime, b: Runtime) -> Runtime:  # noqa: ARG001
    return a // b * D


def _abs(D: int, place: Place, a: Runtime) -> Runtime:  # noqa: ARG001
    return abs(a)


def _same(D: int, place: Place, a: Runtime, b: Runtime) -> Runtime:  # noqa: ARG001
    return a == b


def _column(D: int, place: Place, items: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
    return tuple([(one,) for one in items])


_METHODS = {"number": "_number", "truth": "_truth", "name": "_name", "+": "_sum", "*": "_product", "^": "_power"}
_METHODS |= {"|": "_abs", "abs": "_abs", "list": "_list", "each": "_each", "index": "_index", "compare": "_compare"}
_METHODS |= {"and": "_connected", "or": "_connected", "not": "_not", "iff": "_iff", "if": "_if", "call": "_call"}
