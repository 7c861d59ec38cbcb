"""LANGUAGE 4: layers and networks, run layer by layer, token by token, head by head.

A layer is run without the case: its frame has what is known alone, so that it can't see the input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..core.hardmax import at_tie, largest
from .evaluate import LENGTH, Body, Case, Code, Evaluator, Frame, Scope
from .numbers import EXACT, Members, Moving, NotAffine, Number
from .tree import Layer, Part, Read, Tree
from .values import OF_NUMBERS, List, Value, dot, exactly, listed, mean, number, of_numbers, plus, times
from .words import Place, Refused

TOKENS = 1  # the place of a layer's tokens in its frame


@dataclass(slots=True)
class Trace:
    """The tokens at first, and after each layer that changed them."""

    states: list[List]
    varies: bool  # do they depend on what isn't a number: then it isn't asked whether they changed

    def add(self, tokens: List) -> None:
        if self.varies or tokens != self.states[-1]:
            self.states.append(tokens)


Run = Callable[[Case, list[Value], List], List]  # a layer: with its arguments, on tokens
Step = Callable[[Frame, Trace], None]  # a part of a network
Counts = tuple[int, int]  # how many layers, and the most heads of one


class Asked(NamedTuple):
    """A read, the place of its j, and its parts."""

    read: Read
    j: int
    passes: Callable[[Frame], bool] | None
    score: Code
    value: Code
    otherwise: Code | None
    cost: int


def tokens_of(v: Value, place: Place) -> List:
    """A list of lists of numbers, all of one length, which isn't 0."""
    tokens = listed(v, place)
    if not tokens.items:
        return tokens
    if tokens.kind != ("list", OF_NUMBERS):
        raise Refused(place, "tokens are a list of lists of numbers, at least one in each")
    lengths = {token.size for token in tokens.items}  # type: ignore[union-attr]
    if 0 in lengths:
        raise Refused(place, "tokens are a list of lists of numbers, at least one in each")
    if len(lengths) > 1:
        raise Refused(place, "tokens of different lengths: all have one length")
    return tokens


class Networks:
    def __init__(self, evaluator: Evaluator, heads: dict[str, int]) -> None:
        self.evaluator, self.page, self.heads = evaluator, evaluator.page, heads
        self.layers: dict[str, tuple[Run, set[object]]] = {}
        self.networks: dict[str, tuple[list[Step], Body, set[object]]] = {}
        self.counts: dict[str, tuple[Callable[[Frame], Counts], Body, set[object]]] = {}
        evaluator.of_network = self.call

    # expressions
    def call(self, tree: Tree, scope: Scope) -> Code:
        """g(X), states(g(X)), layers(g), heads(g), head(...)."""
        name = tree.word
        if name == "head":
            return self.head(tree, scope)
        if name == "states":
            states = self.states(tree.parts[0], scope)
            return lambda e: self.changes(states(e), tree.place)
        if name in ("layers", "heads"):
            count = self.counted(tree.parts[0].word, tree.parts[0].parts, scope)
            return (lambda e: count(e)[0]) if name == "layers" else (lambda e: count(e)[1])
        states = self.states(tree, scope)
        return lambda e: states(e)[-1]

    def states(self, tree: Tree, scope: Scope) -> Callable[[Frame], list[List]]:
        """Of a network with its arguments and tokens."""
        name, place = tree.word, tree.parts[-1].place
        arguments = [self.evaluator.of(part, scope) for part in tree.parts]
        steps, body, uses = self.network(name)
        self.evaluator.uses |= uses

        def get(e: Frame) -> list[List]:
            *values, given = [argument(e) for argument in arguments]
            tokens, case = tokens_of(given, place), e[0].length
            key = (name, *map(exactly, values), exactly(tokens))
            if (found := self.evaluator.recalled(case.ran, key)) is None:
                varies = any(type(v) not in EXACT for row in tokens.rows for v in row)
                trace, inner = Trace([tokens], varies), body.frame(case, *values)
                for step in steps:
                    step(inner, trace)
                found = trace.states
                self.evaluator.remember(case.ran, key, found)
            return found

        return get

    @staticmethod
    def changes(states: list[List], place: Place) -> Value:
        return List(states, 0, place)

    # networks
    def network(self, name: str) -> tuple[list[Step], Body, set[object]]:
        if name not in self.networks:
            network, outer, self.evaluator.uses = self.page.networks[name], self.evaluator.uses, set()
            scope = Scope().plus(*network.letters)
            steps = [self.part(part, scope) for part in network.parts]
            self.networks[name] = steps, scope.body, self.evaluator.uses & {LENGTH}
            self.evaluator.uses = outer
        return self.networks[name]

    def part(self, part: Part, scope: Scope) -> Step:
        if part.reach:
            return self.family(part, scope)
        evaluator, arguments = self.evaluator, [self.evaluator.of(tree, scope) for tree in part.arguments]
        if part.name in self.page.layers:
            run = self.layer(part.name)

            def layer(e: Frame, trace: Trace) -> None:
                evaluator.budget.spend(100)  # the tokens that it makes are kept
                values, tokens = [argument(e) for argument in arguments], trace.states[-1]
                key = (part.name, *map(exactly, values), exactly(tokens))
                if (new := evaluator.recalled(e[0].ran, key)) is None:
                    new = [run(e[0], values, tokens)]
                    evaluator.remember(e[0].ran, key, new)
                trace.add(new[0])

            return layer
        steps, body, uses = self.network(part.name)
        self.evaluator.uses |= uses

        def network(e: Frame, trace: Trace) -> None:
            inner = body.frame(e[0], *[argument(e) for argument in arguments])
            for step in steps:
                step(inner, trace)

        return network

    def family(self, part: Part, scope: Scope) -> Step:
        """for v in R: its parts, for each v; for v in [a, b, ..., z] the idle members by cells."""
        reach = part.reach
        inner = scope.plus(part.name)
        letter = inner.letters[part.name]
        steps = [self.part(one, inner) for one in part.parts]

        def member(e: Frame, trace: Trace, v: Value) -> bool:
            """Whether it is idle."""
            e[letter], before = v, len(trace.states)
            for step in steps:
                step(e, trace)
            return len(trace.states) == before

        if not dotted(reach):  # type: ignore[arg-type]
            items = self.evaluator.turns(reach, scope)  # type: ignore[arg-type]

            def one_by_one(e: Frame, trace: Trace) -> None:
                for v in items(e):
                    member(e, trace, v)

            return one_by_one
        alone = [self.evaluator.of(tree, scope) for tree in reach.parts[: -4 if len(reach.parts) > 3 else -3]]  # type: ignore[union-attr]
        progression = self.evaluator.progression(reach, scope)  # type: ignore[arg-type]
        plain = all(one.reach is None and one.name in self.page.layers for one in part.parts)

        def by_cells(e: Frame, trace: Trace) -> None:
            for code in alone:
                member(e, trace, number(code(e), part.place))
            first, step, many = progression(e)
            k = idle = 0
            while k < many:
                idle = idle + 1 if member(e, trace, first + k * step) else 0
                k += 1
                if idle > 1 and k < many and plain and not trace.varies:  # two in turn: it is worth asking
                    members = Members(many - k)
                    if all_idle(e, trace, Moving(first + k * step, step, members)):
                        k += members.alike

        def all_idle(e: Frame, trace: Trace, v: Moving) -> bool:
            """Whether the members from v on, as many as `members` says then, leave the tokens as they are."""
            e[letter], tokens = v, trace.states[-1]
            try:
                for step in steps:
                    step(e, probe := Trace([tokens], varies=True))
                    new = probe.states[-1]
                    if new != tokens:  # where a number moves, this turns at the next member
                        return False
            except NotAffine:
                return False
            return True

        return by_cells

    # layers
    def layer(self, name: str) -> Run:
        if name not in self.layers:
            outer, self.evaluator.uses = self.evaluator.uses, set()
            run = self.run_of(self.page.layers[name])
            self.layers[name] = run, self.evaluator.uses & {LENGTH}
            self.evaluator.uses = outer
        run, uses = self.layers[name]
        self.evaluator.uses |= uses
        return run

    def run_of(self, layer: Layer) -> Run:
        evaluator, place = self.evaluator, layer.new.place
        scope = Scope(tokens=TOKENS).plus(layer.x, layer.i, *layer.letters)
        body, i, before = scope.body, TOKENS + 1, evaluator.steps
        fixed = frozenset((LENGTH, *scope.letters.values())) - {i}
        scope = replace(scope, at=(i,), fixed=fixed)
        lines: list[tuple[int, Code]] = []
        for name, line in layer.lines:
            code = self.read(line, scope) if isinstance(line, Read) else evaluator.of(line, scope)
            scope = scope.plus(name)
            lines.append((scope.letters[name], code))
        new = evaluator.of(layer.new, scope)
        cost = evaluator.steps - before

        def run(case: Case, arguments: list[Value], tokens: List) -> List:
            evaluator.budget.spend(cost * len(tokens.items))
            e, made = body.frame(case, tokens, None, *arguments), []
            for e[i] in range(tokens.first, tokens.first + len(tokens.items)):
                for letter, code in lines:
                    e[letter] = code(e)
                made.append(new(e))
            return tokens_of(List(made, tokens.first, place), place)

        return run

    def read(self, read: Read, scope: Scope) -> Code:
        """Of the j with M those at which S is largest: the mean of V, or the leftmost or rightmost one's; else E."""
        evaluator = self.evaluator
        outer, evaluator.uses = evaluator.uses, {TOKENS}
        inner, before = scope.plus("j"), evaluator.steps
        j = inner.letters["j"]
        inner = replace(inner, at=(TOKENS + 1, j))
        passes = evaluator.passes(read.mask, inner)
        score, value = evaluator.of(read.score, inner), evaluator.of(read.value, inner)
        otherwise = evaluator.of(read.default, scope) if read.default else None
        asked = Asked(read, j, passes, score, value, otherwise, evaluator.steps - before)
        evaluator.uses.discard(j)
        # all tokens read the same where nothing of i is asked
        code = evaluator.once_for_each_token(self.attended(asked), scope)
        evaluator.uses |= outer
        return code

    def attended(self, asked: Asked) -> Code:
        evaluator, read, j, passes, score, value, otherwise, cost = self.evaluator, *asked
        place, tie, at_score, at_value = read.place, read.tie, read.score.place, read.value.place

        def at(e: Frame, k: int) -> Value:
            e[j] = k
            return value(e)

        def get(e: Frame) -> Value:
            tokens = e[TOKENS]
            evaluator.budget.spend(cost * len(tokens.items))
            places: list[int] = []
            scores: list[Number] = []
            for e[j] in range(tokens.first, tokens.first + len(tokens.items)):
                if passes is None or passes(e):
                    places.append(e[j])
                    scores.append(number(score(e), at_score))
            if not places:
                return otherwise(e) if otherwise else nothing(at(e, tokens.first), at_value)
            read_at = [places[k] for k in at_tie(largest(scores), tie)]
            if tie != "average":
                return at(e, read_at[0])
            return mean([at(e, k) for k in read_at], place)

        return get

    def head(self, tree: Tree, scope: Scope) -> Code:
        """head(W_O, W_V, W_K, W_Q, b_Q): W_O * r, r the mean of W_V x[j] where dot(W_K x[j], W_Q x[i] + b_Q) is
        largest. The products with all tokens are made once, and where two matrices are equal, for both."""
        evaluator, place, i = self.evaluator, tree.place, TOKENS + 1
        w_o, w_v, w_k, w_q, b_q = (evaluator.of(part, scope) for part in tree.parts)
        positional = i in evaluator.uses  # perhaps: then nothing of one token serves another
        made = scope.another()
        evaluator.uses |= {TOKENS, i}

        def products(e: Frame) -> tuple[list[Value], list[Value], Keys, dict[tuple[int, ...], Value]]:
            evaluator.budget.spend(10 * len(e[TOKENS].items))
            known: list[tuple[Value, list[Value]]] = []
            for matrix in (w_q(e), w_v(e), w_k(e)):
                column = next((column for other, column in known if matrix == other), None)
                known.append((matrix, column or [times(matrix, token, place) for token in e[TOKENS].items]))
            (_, queries), (_, values), (_, keys) = known
            return queries, values, Keys(keys, place), {}

        def get(e: Frame) -> Value:
            if e[made] is None or positional:
                e[made] = products(e)
            queries, values, keys, read = e[made]
            places = keys.attended(plus(queries[e[i] - e[TOKENS].first], b_q(e), place))
            if places not in read:
                read[places] = times(w_o(e), mean([values[k] for k in places], place), place)
            return read[places]  # type: ignore[no-any-return]

        return get

    def counted(self, name: str, parts: tuple[Tree, ...], scope: Scope) -> Callable[[Frame], Counts]:
        """Of a network with its arguments, once for each that it has had."""
        arguments = [self.evaluator.of(part, scope) for part in parts]
        if name not in self.counts:
            outer, self.evaluator.uses = self.evaluator.uses, set()
            inner = Scope().plus(*self.page.networks[name].letters)
            count = self.count_of(self.page.networks[name].parts, inner)
            self.counts[name] = count, inner.body, self.evaluator.uses & {LENGTH}
            self.evaluator.uses = outer
        count, body, uses = self.counts[name]
        self.evaluator.uses |= uses

        def get(e: Frame) -> Counts:
            values, case = [argument(e) for argument in arguments], e[0].length
            memory, key = case.counted.setdefault(name, {}), tuple(map(exactly, values))
            if (found := self.evaluator.recalled(memory, key)) is None:
                self.evaluator.budget.spend(20)
                found = count(body.frame(case, *values))
                self.evaluator.remember(memory, key, found)
            return found

        return get

    def count_of(self, parts: tuple[Part, ...], scope: Scope) -> Callable[[Frame], Counts]:
        counts = [self.count(part, scope) for part in parts]

        def get(e: Frame) -> Counts:
            found = [count(e) for count in counts]
            return sum(layers for layers, _ in found), max((heads for _, heads in found), default=0)

        return get

    def count(self, part: Part, scope: Scope) -> Callable[[Frame], Counts]:
        if part.reach is None and part.name in self.page.layers:
            one = 1, self.heads[part.name]
            return lambda e: one  # noqa: ARG005
        if part.reach is None:
            return self.counted(part.name, part.arguments, scope)
        inner = scope.plus(part.name)
        letter, count = inner.letters[part.name], self.count_of(part.parts, inner)
        alike = all(one.reach is None and one.name in self.page.layers for one in part.parts)
        if dotted(part.reach) and alike:
            alone = max(0, len(part.reach.parts) - 4)
            progression = self.evaluator.progression(part.reach, scope)

            def flat(e: Frame) -> Counts:
                many = alone + progression(e)[2]
                layers, heads = count(e) if many else (0, 0)
                return many * layers, heads

            return flat
        items = self.evaluator.turns(part.reach, scope)

        def get(e: Frame) -> Counts:
            layers, heads = 0, 0
            for e[letter] in items(e):  # noqa: B020 - e is a frame
                self.evaluator.budget.spend(10)
                more, most = count(e)
                layers, heads = layers + more, max(heads, most)
            return layers, heads

        return get


class Keys:
    """W_K x[j] of all tokens. Where dot(key, q) is largest, q one number: at the largest keys, at the least, or at
    all, as q is above, below or equal to 0."""

    def __init__(self, keys: list[Value], place: Place) -> None:
        self.keys, self.place = keys, place
        numbers = [of_numbers(key, place) for key in keys]
        self.single = [key[0] for key in numbers] if all(len(key) == 1 for key in numbers) else None
        self.by_sign: dict[int, tuple[int, ...]] = {0: tuple(range(len(keys)))}

    def attended(self, query: Value) -> tuple[int, ...]:
        q = of_numbers(query, self.place)
        if self.single is None or len(q) != 1:
            return tuple(largest([dot(key, query, self.place) for key in self.keys]))
        sign = 1 if q[0] > 0 else -1 if q[0] < 0 else 0
        if sign not in self.by_sign:
            self.by_sign[sign] = tuple(largest([sign * key for key in self.single]))
        return self.by_sign[sign]


def dotted(tree: Tree) -> bool:
    return tree.op == "list" and len(tree.parts) > 1 and tree.parts[-2].op == "dots"


def nothing(v: Value, place: Place) -> Value:
    """What is read of nothing, where V at the first token is v: 0, or as many zeros."""
    if type(v) is List:
        return List([0] * len(v.items))
    number(v, place)
    return 0
