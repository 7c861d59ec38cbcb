"""A list at an index that runs along with the cases of a zone: its items aren't computed one by one.

Of a progression that is an affine number. Of y[k] = f(k, y[k-1]) f is applied from the first item on, by cells: where
it leaves y as it is, up to the index at which a comparison may turn (layers.py does so for families of layers).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from .graph import TRUE, Code, Frame, Getter, Graph, Node, Row, Value, kind_of
from .numbers import Finer, Moving, NotAffine, Runtime
from .tree import Define
from .words import Place, Refused

if TYPE_CHECKING:
    from .evaluate import Stage


class Along(NamedTuple):
    """A letter that runs from one number to another along with the cases of a zone."""

    letter: Node
    low: int
    high: int


def item(stage: Stage, name: str, index: Value, place: Place) -> Value | None:
    """name[index], if the index is the letter that runs along, or some whole number more; None: in no such way."""
    define, graph, along = stage.page.defines.get(name), stage.graph, stage.along
    if along is None or define is None or not define.items[0].index or define.printed:
        return None
    more = graph.linear([(1, index), (-1, along.letter)], place)
    if type(more) is not Fraction or more.denominator != 1:
        return None
    if stage.run.known.done[name, ()] == 0:
        items = stage.run.root.defined(name)
        return of_progression(stage, items, index, place) if isinstance(items, Row) else None
    key = ("recurrence", name)
    if key not in stage.traces:
        stage.traces[key] = recurrence(stage, define)
    found: Recurrence | None = stage.traces[key]
    if found is None:
        return None
    node = graph.node("own", (found.initial, index), found.initial.kind, place, extra=(found, None))
    return within(stage, index, found.low - 1, found.high, spread(graph, node, found.initial, place), place)


def within(stage: Stage, index: Value, low: int, high: int, v: Value, place: Place) -> Value:
    """v, where low <= index <= high."""
    if along := stage.along:
        more = stage.graph.linear([(1, index), (-1, along.letter)], place)
        if isinstance(more, Fraction) and low <= along.low + more and along.high + more <= high:
            return v
    graph, outside = stage.graph, stage.fail(Refused(place, "an index outside a list"))
    signs = [graph.sign(">=", index, Fraction(low), place), graph.sign("<=", index, Fraction(high), place)]
    return graph.after((graph.choice(graph.connected("and", signs, place), TRUE, outside, place),), v, place)


def of_progression(stage: Stage, items: Row, index: Value, place: Place) -> Value | None:
    numbers = [one for one in items.items if type(one) is Fraction]
    steps = {b - a for a, b in pairwise(numbers)}
    if len(numbers) != len(items.items) or len(steps) != 1:
        return None
    step = steps.pop()
    v = stage.graph.linear([(step, index), (1, numbers[0] - items.first * step)], place)
    return within(stage, index, items.first, items.first + len(numbers) - 1, v, place)


def spread(graph: Graph, v: Node, like: Value, place: Place) -> Value:
    """What is computed as a whole, as a row of its parts."""
    if not isinstance(like, Row):
        return v
    parts = [
        spread(
            graph,
            graph.node("item", (v, Fraction(k)), one.kind if isinstance(one, Row) else "number", place, extra=0),
            one,
            place,
        )
        for k, one in enumerate(like.items)
    ]
    return graph.row(parts, place, like.first)


def recurrence(stage: Stage, define: Define) -> Recurrence | None:
    from .evaluate import NotKnown

    first, *rest = define.items
    if len(rest) != 1 or first.reach or not first.index or not rest[0].index or not rest[0].reach:
        return None
    if rest[0].reach.op != "range" or rest[0].index.word != rest[0].letter:
        return None
    try:
        low, high = (stage.whole(end, {}, "the end of a range") for end in rest[0].reach.parts)
        initial = stage.value(first.body, {})
        if not isinstance(initial, Row) or stage.whole(first.index, {}, "an index") != low - 1:
            return None
        return Recurrence(stage, define, initial, low, high)
    except (NotKnown, Refused):
        return None


class Recurrence:
    """y[low-1] = initial, y[k] = f(k, y[k-1]) for k in low..high."""

    def __init__(self, stage: Stage, define: Define, initial: Row, low: int, high: int) -> None:
        self.initial, self.low, self.high, line = initial, low, high, define.items[1]
        self.stage = type(stage)(stage.run, {}, Graph(stage.run.budget), stage.short)
        graph, self.slots = self.stage.graph, 0
        old = self.like(graph, initial, define.place)
        letter = graph.node("input", (), "number", define.place, extra=self.slots)
        self.stage.along = Along(letter, low, high)
        self.new = self.stage.value(line.body, {line.letter: letter, define.name: Before(old, letter)})
        if not same_shape(self.new, initial):
            raise Refused(define.place, "items of one shape")
        nodes = [node for node in graph.table.values() if isinstance(node, Node)]
        if not all(node.safe and node.op != "own" for node in nodes):
            raise Refused(define.place, "items that can be computed")
        self.codes: dict[int, tuple[Code, Getter]] = {}

    def like(self, graph: Graph, v: Value, place: Place) -> Value:
        if isinstance(v, Row):
            return graph.row([self.like(graph, one, place) for one in v.items], place, v.first)
        self.slots += 1
        return graph.node("input", (), "number", place, extra=self.slots - 1)

    def step(self, D: int, state: Runtime, letter: Runtime) -> Runtime:
        if D not in self.codes:
            if D % self.stage.graph.unit:
                raise Finer(self.stage.graph.unit)
            code = Code(D, self.stage.run.budget, self.slots + 1)
            self.codes[D] = code, code.get(self.new)
        code, get = self.codes[D]
        self.stage.run.budget.spend(20 + code.slots)
        frame: Frame = [*leaves(state), letter]
        return get([*frame, *[None] * (code.slots - len(frame))])

    def make(self, code: Code, v: Node) -> Getter:
        initial, index, D = code.get(v.args[0]), code.get(v.args[1]), code.D

        def get(f: Frame) -> Runtime:
            state, k, end = initial(f), self.low, index(f) // D + 1
            while k < end:
                jump: Runtime = 1
                try:
                    Moving.until = end - k
                    new = self.step(D, state, Moving(k * D, D))
                    here = now(new)
                    if here == state and not any(type(x) is Moving and x.b != 0 for x in leaves(new)):
                        jump = Moving.until
                except NotAffine:
                    here = self.step(D, state, k * D)
                state, k = here, k + jump
            return state

        return get


class Before:
    """The items of a list so far, of which only the one before is known: list[letter - 1]."""

    def __init__(self, value: Value, letter: Node) -> None:
        self.value, self.letter = value, letter

    def at(self, stage: Stage, index: Value, place: Place) -> Value:
        if stage.graph.linear([(1, index), (-1, self.letter)], place) != -1:
            raise Refused(place, "the item before is meant")
        return self.value


def same_shape(a: Value, b: Value) -> bool:
    if isinstance(a, Row) and isinstance(b, Row):
        alike = (a.first, len(a.items)) == (b.first, len(b.items))
        return alike and all(map(same_shape, a.items, b.items))
    return kind_of(a) == kind_of(b) == "number"


def leaves(v: Runtime) -> list[Runtime]:
    return [x for one in v for x in leaves(one)] if type(v) is tuple else [v]


def now(v: Runtime) -> Runtime:
    return tuple([now(one) for one in v]) if type(v) is tuple else v.a if type(v) is Moving else v
