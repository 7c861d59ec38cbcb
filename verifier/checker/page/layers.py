"""LANGUAGE 4: attention, layers, networks, and families that are run by cells."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.comparing import OverLimit
from ..core.hardmax import at_tie, largest
from .graph import TRUE, Code, Frame, Getter, Graph, Kind, Listed, Node, Row, Value, is_known, kind_of, one_kind
from .numbers import TOO_LARGE, Finer, Moving, NotAffine, Runtime
from .tree import Layer, Part, Read, Tree
from .words import DEFECT, MOST_BITS, Place, Refused

if TYPE_CHECKING:
    from .evaluate import Env, Stage

WRITTEN_OUT = 40  # layers of a family that are no more than these are run one by one


def token_rows(tokens: Value) -> tuple[Row, ...] | None:
    """The tokens, if their number and length are known."""
    if not isinstance(tokens, Row):
        return None
    rows = tuple(one for one in tokens.items if isinstance(one, Row))
    return rows if len(rows) == len(tokens.items) else None


def checked(stage: Stage, tokens: Value, place: Place) -> Value:
    """Tokens: a list of lists of numbers, all of one length."""
    kind = kind_of(tokens)
    inner = kind.of if isinstance(kind, Listed) else kind
    numbers = inner.of if isinstance(inner, Listed) else inner
    if numbers not in ("number", "any") or not isinstance(kind, Listed):
        raise Refused(place, "tokens are a list of lists of numbers")
    if rows := token_rows(tokens):
        for row in rows[1:]:
            if len(row.items) != len(rows[0].items):
                raise Refused(
                    place, f"tokens of {len(rows[0].items)} and {len(row.items)} entries: all have one length"
                )
    return stage.graph.after((tokens,), tokens, place)


# One layer
def read(stage: Stage, line: Read, env: Env, tokens: Row) -> Value:
    masks, scores, values, place = list[Node](), list[Value](), list[Value](), line.place
    beyond: Value | None = None  # a value at a place that isn't read
    for j in range(tokens.first, tokens.first + len(tokens.items)):
        here = {**env, "j": Fraction(j)}
        mask = stage.truth(line.mask, here) if line.mask else TRUE
        if is_known(mask) and mask is not TRUE:
            beyond = stage.lazy(line.value, here) if beyond is None else beyond
            continue
        masks.append(mask)
        if mask is TRUE:
            scores.append(stage.number(line.score, here))
        else:
            scores.append(stage.expect("number", stage.lazy(line.score, here), line.score.place))
        values.append(stage.lazy(line.value, here))
    default = None
    if TRUE not in masks:
        default = zero(stage, [*values, *([] if beyond is None else [beyond])], place)
        if line.default:
            default = stage.lazy(line.default, env) if masks else stage.value(line.default, env)
    return read_of(stage, masks, scores, values, default, line.tie, place)


def zero(stage: Stage, like: list[Value], place: Place) -> Value:
    rows = [one for one in like if isinstance(one, Row)]
    return stage.graph.row([Fraction(0)] * len(rows[0].items), place, rows[0].first) if rows else Fraction(0)


def head(stage: Stage, tree: Tree, env: Env) -> Value:
    tokens, i = env[""]
    W_O, W_V, W_K, W_Q, b_Q = (stage.value(part, env) for part in tree.parts)
    place, rows = tree.place, tokens.items
    query = stage.add(stage.times(W_Q, rows[i - tokens.first], place), b_Q, place)
    scores = [stage.dot(stage.times(W_K, row, place), query, place) for row in rows]
    values = [stage.times(W_V, row, place) for row in rows]
    return stage.times(W_O, read_of(stage, [TRUE] * len(rows), scores, values, None, "average", place), place)


def read_of(
    stage: Stage,
    masks: list[Node],
    scores: list[Value],
    values: list[Value],
    default: Value | None,
    tie: str,
    place: Place,
) -> Value:
    """Of those whose mask is true and whose score is largest: the mean of the value, or its value at one end."""
    if not masks:
        if default is None:
            raise TypeError(DEFECT)
        return default
    if all(mask is TRUE for mask in masks) and all(isinstance(score, Fraction) for score in scores):
        found = [values[k] for k in at_tie(largest(scores), tie)]
        total = found[0]
        for value in found[1:]:
            total = stage.add(total, value, place)
        checked_value(total, place)
        return total if len(found) == 1 else stage.times(Fraction(1, len(found)), total, place)
    pairs = tuple(v for pair in zip(masks, scores, strict=True) for v in pair)
    places = stage.graph.node("largest", pairs, "places", place)

    def one(values: list[Value], default: Value) -> Value:
        kind = one_kind([kind_of(v) for v in (*values, default)], place)
        rows = [v for v in (*values, default) if isinstance(v, Row)]
        if rows:
            first, wide = rows[0].first, len(rows[0].items)
            if any(
                isinstance(kind_of(v), Listed) and (not isinstance(v, Row) or len(v.items) != wide)
                for v in (*values, default)
            ):
                raise Refused(place, "what is read is a number, or a list of the same length at all places")
            return stage.graph.row(
                [one([entry(v, r) for v in values], entry(default, r)) for r in range(wide)], place, first
            )
        if kind not in ("number", "any"):
            raise Refused(place, "what is read is a number or a list of numbers, of a known length")
        return stage.graph.node("read", (places, *values, default), "number", place, extra=tie)

    def entry(v: Value, r: int) -> Value:
        return v.items[r] if isinstance(v, Row) else v

    return one(values, zero(stage, values, place) if default is None else default)


def checked_value(value: Value, place: Place) -> None:
    kind = kind_of(value)
    if (kind.of if isinstance(kind, Listed) else kind) not in ("number", "any"):
        raise Refused(place, "what is read is a number or a list of numbers")


def layer_on(stage: Stage, layer: Layer, arguments: list[Value], tokens: Row) -> Row:
    base: Env = dict(zip(layer.letters, arguments, strict=True))
    found, lines = list[Value](), list[Value]()
    for i in range(tokens.first, tokens.first + len(tokens.items)):
        env: Env = {**base, layer.x: tokens, layer.i: Fraction(i), "": (tokens, i)}
        for name, line in layer.lines:
            env[name] = read(stage, line, env, tokens) if isinstance(line, Read) else stage.value(line, env)
            lines.append(env[name])
        found.append(stage.expect("list", stage.value(layer.new, env), layer.new.place))
    place = layer.new.place
    new = stage.graph.row([stage.graph.after(lines, one, place) for one in found], place, tokens.first)
    if token_rows(new) is None:
        raise Refused(place, "the length of a token must be known")
    new_tokens = checked(stage, new, place)
    if not isinstance(new_tokens, Row):
        raise TypeError(DEFECT)
    return new_tokens


# Networks. What happened to the tokens.
class Event(NamedTuple):
    """What acted, with its arguments: of a layer the new tokens (a row); of a family, or all of a network, states."""

    part: Part | None
    arguments: list[Value]
    new: Row | Node


@dataclass(slots=True)
class Trace:
    tokens: Row
    events: list[Event]


def through(stage: Stage, parts: tuple[Part, ...], env: Env, trace: Trace) -> None:
    page = stage.page
    for part in parts:
        if part.reach is not None:
            family(stage, part, env, trace)
            continue
        arguments = [stage.value(tree, env) for tree in part.arguments]
        if part.name in page.layers:
            trace.tokens = layer_on(stage, page.layers[part.name], arguments, trace.tokens)
            trace.events.append(Event(part, arguments, trace.tokens))
        else:
            network = page.networks[part.name]
            through(stage, network.parts, dict(zip(network.letters, arguments, strict=True)), trace)


def traced(stage: Stage, tree: Tree, env: Env) -> tuple[Value, list[Event], Value]:
    """Of g(X): X, what happened to it, and what it is at the end."""
    network = stage.page.networks[tree.word]
    *arguments, given = (stage.value(part, env) for part in tree.parts)
    tokens = checked(stage, given, tree.place)
    inner: Env = dict(zip(network.letters, arguments, strict=True))
    key = ("", tree.word, *arguments, tokens)
    if key in stage.traces:
        return stage.traces[key]  # type: ignore[no-any-return]
    found: tuple[Value, list[Event], Value]
    if token_rows(tokens) is not None:
        if not isinstance(tokens, Row):
            raise TypeError(DEFECT)
        trace = Trace(tokens, [])
        through(stage, network.parts, inner, trace)
        found = (tokens, trace.events, trace.tokens)
    else:
        found = on_any_shape(stage, network.parts, inner, tokens, tree.place)
    stage.traces[key] = found
    return found


def applied(stage: Stage, tree: Tree, env: Env) -> Value:
    return traced(stage, tree, env)[2]


def states(stage: Stage, tree: Tree, env: Env) -> Value:
    tokens, events, _ = traced(stage, tree, env)
    graph, place = stage.graph, tree.place
    segments = list[list[Value] | Node]([[TRUE, tokens]])
    last: Value = tokens
    for _, _, event in events:
        if isinstance(event, Node):
            segments += [event, []]
            last = _after_family(stage, event, last, place) if isinstance(last, Row) else last
        else:
            changed = graph.negated(stage.equal(last, event, place), place)
            if not is_known(changed) or changed is TRUE:
                segments[-1] += [changed, event]  # type: ignore[operator]
            last = event
    lists = list[Value]()
    for segment in segments:
        if isinstance(segment, Node):
            lists.append(segment)
        elif segment:
            kind = Listed(0, one_kind([kind_of(v) for v in segment[1::2]], place))
            lists.append(
                graph.row(segment[1::2], place, 0)
                if all(changed is TRUE for changed in segment[::2])
                else graph.node("filter", tuple(segment), kind, place)
            )
    if len(lists) == 1:
        return lists[0]
    kinds = [kind_of(one) for one in lists]
    kind = Listed(0, one_kind([kind.of for kind in kinds if isinstance(kind, Listed)], place))
    return graph.node("call", tuple(lists), kind, place, extra=_joined)


def _joined(D: int, place: Place, *lists: tuple[Runtime, ...]) -> Runtime:  # noqa: ARG001
    return tuple([one for items in lists for one in items])


def _last(D: int, place: Place, found: tuple[Runtime, ...], tokens: Runtime) -> Runtime:  # noqa: ARG001
    return found[-1] if found else tokens


def counted(stage: Stage, tree: Tree, env: Env) -> tuple[int, int]:
    """Of `g` or `g(k)`: how many layers, and the most heads of one."""
    network = stage.page.networks[tree.word]
    arguments = [stage.value(part, env) for part in tree.parts]
    return counted_in(stage, network.parts, dict(zip(network.letters, arguments, strict=True)))


def counted_in(stage: Stage, parts: tuple[Part, ...], env: Env) -> tuple[int, int]:
    layers, heads, page = 0, 0, stage.page
    for part in parts:
        stage.run.budget.spend(10)
        if part.reach is None and part.name in page.layers:
            found, times = (1, stage.run.forms[part.name][1]), 1
        elif part.reach is None:
            network = page.networks[part.name]
            arguments = [stage.value(tree, env) for tree in part.arguments]
            found, times = counted_in(stage, network.parts, dict(zip(network.letters, arguments, strict=True))), 1
        else:
            reach = reached(stage, part.reach, env)
            times = reach.many
            flat = all(inner.reach is None and inner.name in page.layers for inner in part.parts)
            several = [
                counted_in(stage, part.parts, {**env, part.name: reach.at(k)})
                for k in range(min(times, 1) if flat else times)
            ]
            layers += several[0][0] * times if flat and several else sum(one[0] for one in several)
            heads = max([heads, *(one[1] for one in several)])
            continue
        layers, heads = layers + found[0], max(heads, found[1])
    return layers, heads


# Families
@dataclass(frozen=True, slots=True)
class Reach:
    """first, first + step, ...: as many; or the values themselves."""

    many: int
    first: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    values: tuple[Value, ...] = ()

    def at(self, k: int) -> Value:
        return self.values[k] if self.values else self.first + k * self.step


def reached(stage: Stage, tree: Tree, env: Env) -> Reach:
    if tree.op == "range":
        low, high = (stage.whole(part, env, "an end of a range") for part in tree.parts)
        return Reach(max(0, high - low + 1), Fraction(low), Fraction(1))
    if tree.op == "list" and len(tree.parts) in (3, 4) and tree.parts[-2].op == "dots":
        first, step, many = stage.progression(tree, env)
        return Reach(many, first, step)
    values = stage.reach(tree, env)
    if values is None:
        raise TypeError(DEFECT)
    return Reach(len(values), values=tuple(values))


def family(stage: Stage, part: Part, env: Env, trace: Trace) -> None:
    if part.reach is None:
        raise TypeError(DEFECT)
    reach, k = reached(stage, part.reach, env), 0
    while k < reach.many:
        alike = stage.graph.reals.isdisjoint(trace.tokens.deps)  # real numbers go through the layers one by one
        if reach.many - k > stage.short and not reach.values and trace.tokens.items and alike:
            rows = token_rows(trace.tokens) or ()
            shape = Shape(trace.tokens.first, tuple(row.first for row in rows), len(rows[0].items))
            rest = Rest(stage, part, env, reach, k)
            if rest.keeps(shape):
                kind = Listed(1, trace.tokens.kind)
                extra = (rest, shape)
                safe = rest.safe(shape)
                event = stage.graph.node("own", (trace.tokens,), kind, part.place, safe=safe, extra=extra)
                trace.tokens = _after_family(stage, event, trace.tokens, part.place)
                trace.events.append(Event(part, [], event))
                return
        through(stage, part.parts, {**env, part.name: reach.at(k)}, trace)
        k += 1


def _after_family(stage: Stage, event: Node, tokens: Row, place: Place) -> Row:
    graph = stage.graph
    last = graph.node("call", (event, tokens), tokens.kind, place, extra=_last)
    rows = list[Value]()
    for j, row in enumerate(tokens.items):
        if not isinstance(row, Row):
            raise TypeError(DEFECT)
        token = graph.node("item", (last, Fraction(j)), row.kind, place, extra=0)
        entries = [graph.node("item", (token, Fraction(r)), "number", place, extra=0) for r in range(len(row.items))]
        rows.append(graph.row(entries, place, row.first))
    return graph.row(rows, place, tokens.first)


@dataclass(frozen=True, slots=True)
class Shape:
    """Of tokens: the first index, those of each, their length."""

    first: int
    firsts: tuple[int, ...]
    width: int


class Program:
    """Parts of a network on tokens of a shape, with a frame of its own: the tokens' entries, then the letter."""

    def __init__(self, stage: Stage, parts: tuple[Part, ...], env: Env, shape: Shape, letter: str = "") -> None:
        self.shape, many = shape, len(shape.firsts) * shape.width
        self.stage = type(stage)(stage.run, stage.case, Graph(stage.run.budget), stage.short)
        graph, place = self.stage.graph, Place(0, 0)
        slots = iter([graph.node("input", (), "number", place, extra=slot) for slot in range(many + 1)])
        rows = [graph.row([next(slots) for _ in range(shape.width)], place, first) for first in shape.firsts]
        tokens = graph.row(rows, place, shape.first)
        self.trace, self.slots = Trace(tokens, []), many + 1
        through(self.stage, parts, {**env, letter: next(slots)} if letter else env, self.trace)
        self.moves = not any(node.op == "own" for node in graph.table.values() if isinstance(node, Node))
        self.safe = all(node.safe for node in graph.table.values() if isinstance(node, Node))
        self.codes: dict[int, tuple[Code, list[tuple[bool, Getter]]]] = {}

    def keeps(self) -> bool:
        """Are all tokens on the way of the same shape?"""
        rows = [token_rows(new) for _, _, new in self.trace.events if isinstance(new, Row)]
        return all(
            r is not None
            and (tuple(x.first for x in r), {len(x.items) for x in r}) == (self.shape.firsts, {self.shape.width})
            for r in rows
        )

    def run(self, D: int, tokens: Runtime, letter: Runtime) -> list[tuple[bool, Runtime]]:
        """What happened: of layers (True) the tokens, of families (False) their states."""
        if D not in self.codes:
            if D % self.stage.graph.unit:
                raise Finer(self.stage.graph.unit)
            code = Code(D, self.stage.run.budget, self.slots)
            self.codes[D] = code, [(isinstance(new, Row), code.get(new)) for _, _, new in self.trace.events]
        code, getters = self.codes[D]
        self.stage.run.budget.spend(code.slots)
        frame = [entry for token in tokens for entry in token]
        frame.append(letter)
        frame += [None] * (code.slots - len(frame))
        return [(layer, get(frame)) for layer, get in getters]


class Rest:
    """The layers of a family from the k-th on."""

    def __init__(self, stage: Stage, part: Part, env: Env, reach: Reach, k: int) -> None:
        self.stage, self.part, self.reach, self.k = stage, part, reach, k
        self.env = {name: v for name, v in env.items() if name}
        if not all(is_known(v) for v in self.env.values()):
            from .evaluate import NotKnown

            raise NotKnown(part.place, "a family in a family is run for each of its values")
        self.key = (part, reach, k, tuple(self.env.items()))
        self.programs: dict[Any, Program | None] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rest) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def moving(self, shape: Shape) -> Program | None:
        """All layers at once, as functions of the letter; if that can be."""
        if shape not in self.programs:
            from .evaluate import NotKnown

            try:
                program = Program(self.stage, self.part.parts, self.env, shape, self.part.name)
                self.programs[shape] = program if program.moves else None
            except NotKnown:
                self.programs[shape] = None
        return self.programs[shape]

    def at(self, shape: Shape, k: int) -> Program:
        """One layer, or what else is repeated, with the letter's value known."""
        if (shape, k) not in self.programs:
            env = {**self.env, self.part.name: self.reach.at(k)}
            self.programs[shape, k] = Program(self.stage, self.part.parts, env, shape)
        found = self.programs[shape, k]
        if found is None:
            raise TypeError(DEFECT)
        return found

    def keeps(self, shape: Shape) -> bool:
        return (self.moving(shape) or self.at(shape, self.k)).keeps()

    def safe(self, shape: Shape) -> bool:
        program = self.moving(shape)
        return program is not None and program.safe

    def make(self, code: Code, v: Node) -> Getter:
        """The states of the tokens: after each layer that changed them."""
        tokens_of, D, reach, shape = code.get(v.args[0]), code.D, self.reach, v.extra[1]
        for number in (reach.first, reach.step):
            if D % number.denominator:
                raise Finer(number.denominator)
        first, step = int(reach.first * D), int(reach.step * D)
        budget, program, most = code.budget, self.moving(shape), MOST_BITS + D.bit_length()

        def get(f: Frame) -> Runtime:
            tokens, found, k = tokens_of(f), list[Runtime](), self.k
            while k < reach.many:
                budget.spend(20)
                jump = 1
                if program is None:
                    happened = self.at(shape, k).run(D, tokens, 0)
                else:
                    try:
                        Moving.until = reach.many - k
                        happened = program.run(D, tokens, Moving(first + k * step, step))
                        here = [(True, _now(new)) for _, new in happened]
                        if all(new == tokens for _, new in here) and not any(_moves(new) for _, new in happened):
                            jump = Moving.until
                        happened = here
                    except NotAffine:
                        happened = program.run(D, tokens, first + k * step)
                for layer, new in happened:
                    for state in (new,) if layer else new:
                        if state != tokens:
                            found.append(state)
                            tokens = state
                            budget.spend(100)
                            for x in chain.from_iterable(tokens):
                                if x.bit_length() > most:
                                    raise OverLimit(TOO_LARGE)
                k += jump
            return tuple(found)

        return get


def _now(tokens: Runtime) -> Runtime:
    return tuple([tuple([x.a if type(x) is Moving else x for x in token]) for token in tokens])


def _moves(tokens: Runtime) -> bool:
    return any(type(x) is Moving and x.b != 0 for token in tokens for x in token)


class Anywhere:
    """A network on tokens whose number or length depends on the case."""

    def __init__(self, stage: Stage, parts: tuple[Part, ...], env: Env, kind: Kind, place: Place) -> None:
        self.stage, self.parts, self.env, self.place, self.kind = stage, parts, env, place, kind
        self.programs: dict[Shape, Program] = {}

    def make(self, code: Code, v: Node) -> Getter:
        tokens_of, D = code.get(v.args[0]), code.D
        first = self.kind.first if isinstance(self.kind, Listed) else 1

        def get(f: Frame) -> Runtime:
            tokens, found = tokens_of(f), list[Runtime]()
            if not tokens:
                return ()
            if any(len(token) != len(tokens[0]) for token in tokens):
                raise Refused(self.place, "tokens of different lengths: all have one length")
            if any(type(x) is Moving for token in tokens for x in token):
                raise NotAffine
            shape = Shape(first or 0, (1,) * len(tokens), len(tokens[0]))
            if shape not in self.programs:
                self.programs[shape] = Program(self.stage, self.parts, self.env, shape)
            for layer, new in self.programs[shape].run(D, tokens, 0):
                for state in (new,) if layer else new:
                    if state != tokens:
                        found.append(state)
                        tokens = state
            return tuple(found)

        return get


def on_any_shape(
    stage: Stage, parts: tuple[Part, ...], env: Env, tokens: Value, place: Place
) -> tuple[Value, list[Event], Value]:
    kind = kind_of(tokens)
    if not isinstance(kind, Listed) or kind.first is None or (isinstance(kind.of, Listed) and kind.of.first != 1):
        raise Refused(place, "tokens whose number depends on the case have entries from 1 on")
    if not all(is_known(v) for v in env.values()):
        from .evaluate import NotKnown

        raise NotKnown(place, "the network's arguments must be known")
    key = ("anywhere", parts, tuple(env.items()))
    if key not in stage.traces:
        stage.traces[key] = Anywhere(stage, parts, env, kind, place)
    event = stage.graph.node("own", (tokens,), Listed(1, kind), place, safe=False, extra=(stage.traces[key], None))
    last = stage.graph.node("call", (event, tokens), kind, place, extra=_last)
    return tokens, [Event(None, [], event)], last
