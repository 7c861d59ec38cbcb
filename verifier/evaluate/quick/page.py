"""A page at sizes, as the quick reading has it: what holds for all its blocks of cases."""

from collections.abc import Iterator
from dataclasses import is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verifier.evaluate.definition import Reading
from verifier.evaluate.quick import cases, layers
from verifier.evaluate.quick.block import HEAD, Block, Letters, of_list
from verifier.evaluate.quick.cases import each_lane, own, tabled
from verifier.evaluate.quick.numbers import LIMIT, Arr, known
from verifier.evaluate.quick.values import LanesDiffer, Seq, Truth, Value, deep_kind, kind, need, shown, varies
from verifier.language.builtins import BUILTINS
from verifier.language.tree import (
    And,
    Call,
    Claim,
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
    Tree,
    Use,
)
from verifier.language.tree import Truth as TruthValue
from verifier.language.words import Refused

LANES = 16_384  # of a block


class Quick:
    """What follows from the page and the sizes."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.page, self.names = reading, reading.page, reading.names
        given = {**reading.sizes, **reading.exchanged}
        self.constants: Letters = {name: own(value) for name, value in given.items()}
        self.kept: dict[tuple[str, int], Letters] = {}  # by the input's letter and the number of items
        self._free: dict[int, tuple[Expression, frozenset[str]]] = {}
        self._weight: dict[int, tuple[Expression, int]] = {}
        self._gathered: dict[Any, Any] = {}
        self._whole: dict[str, list[tuple[int, Block]]] = {}  # of inputs of few cases: their blocks
        self.nothing = Block(self, 1, {}, {})

    def through_all_cases(self, claims: list[Claim]) -> set[str]:
        """The definitions that these claims speak of and that run through all cases of some inputs, or look at such a
        one."""
        page = self.page
        declared: list[dict[str, Any]] = [page.definitions, page.functions, page.networks, page.layers]
        spoken: dict[str, set[str]] = {}  # of each that they speak of: of what it speaks itself
        over: set[str] = set()
        left: list[tuple[str, Any]] = [("", claims)]
        while left:
            name, thing = left.pop()
            if name in spoken:
                continue
            spoken[name] = set()
            for tree in subtrees(thing):
                if isinstance(tree, Each) and tree.inputs:
                    over.add(name)
                if isinstance(tree, Name | Call | Use):
                    spoken[name].add(tree.name)
            left += [(one, kind[one]) for one in spoken[name] for kind in declared if one in kind]
        while more := {name for name, names in spoken.items() if name not in over and names & over}:
            over |= more
        return over & set(page.definitions)

    # what a tree is made of

    def free(self, tree: Expression) -> frozenset[str]:
        """The names in an expression that it doesn't bind itself; HEAD, if it has a head."""
        if id(tree) not in self._free:
            self._free[id(tree)] = tree, frozenset(self._names(tree))
        return self._free[id(tree)][1]

    def _names(self, tree: Expression) -> set[str]:
        if isinstance(tree, Name):
            return {tree.name}
        if isinstance(tree, Each):
            if tree.inputs is not None or tree.reach is None:
                return set()
            inner = self.free(tree.body) | (self.free(tree.condition) if tree.condition else frozenset())
            return set((inner - {tree.letter}) | self.free(tree.reach))
        names = {HEAD} if isinstance(tree, Call) and tree.name == "head" else set[str]()
        return names.union(*map(self.free, parts(tree)))

    def shared(self, tree: Expression) -> bool:
        """Whether it is an item of what is defined by a name, or the tokens that a network makes."""
        if isinstance(tree, Call):
            return tree.name in self.page.networks
        while isinstance(tree, Index):
            tree = tree.listed
            if isinstance(tree, Name):
                return tree.name in self.page.definitions
        return False

    def weight(self, tree: Expression) -> int:
        """How many nodes it has, with those of its functions; much, if it runs through something."""
        if id(tree) not in self._weight:
            total = 1 + sum(map(self.weight, parts(tree)))
            if isinstance(tree, Call) and tree.name in self.page.functions:
                total += self.weight(self.page.functions[tree.name].body)
            elif isinstance(tree, Each) or (isinstance(tree, Call) and tree.name not in BUILTINS):
                total += 10_000
            self._weight[id(tree)] = tree, total
        return self._weight[id(tree)][1]

    # networks

    def network(self, b: Block, tree: Call, at: Letters) -> layers.Trace:
        """What a network makes of tokens; run once for each of these."""
        place, name = tree.place, tree.name
        *parameters, tokens = (b(a, at) for a in tree.arguments)
        need("list", tokens)
        for value in parameters:
            if isinstance(value, Arr):
                raise LanesDiffer(value.v)
        key = (name, *((type(p), p) if known(p) else id(p) for p in parameters), id(tokens))
        if key not in b.runs:
            widths = set()
            for token in tokens.whole():
                need("list", token)
                need("number", *token.whole())
                widths.add(len(token.items))
            if len(widths) > 1 or 0 in widths:
                raise Refused(place, "a network's tokens are lists of numbers, all of one length")
            trace = layers.Trace(tokens, name in self.names.with_states)
            network = self.page.networks[name]
            layers.Run(b, trace).lines(network.lines, dict(zip(network.letters, parameters, strict=True)))
            b.runs[key] = (parameters, tokens), trace
        states: layers.Trace = b.runs[key][1]
        return states

    def counted(self, b: Block, tree: Name | Call, at: Letters) -> tuple[int, int]:
        """layers(g) and heads(g)."""
        network = self.page.networks[tree.name]
        values = [b(a, at) for a in (tree.arguments if isinstance(tree, Call) else [])]
        return layers.counted(b, network.lines, dict(zip(network.letters, values, strict=True)))

    # cases

    def block(self, name: str, X: Seq, weight: Value, lanes: int) -> Block:
        variable = self.page.inputs[name].variable
        kept = self.kept.setdefault((variable, len(X.items)), {})
        return Block(self, lanes, {variable: X, "weight": weight}, kept)

    def case(self, name: str, rank: int) -> Block:
        """A block of one case, in which all is known."""
        space = self.reading.space(name)
        case = space.case(rank)
        return self.block(name, own(case), cases.weight(space, case), 1)

    def blocks(self, name: str, start: int, stop: int, size: int) -> Iterator[tuple[int, Block]]:
        """The cases from one rank to another: the first rank of each block, and the block."""
        space = self.reading.space(name)
        before = 0
        for n in [None] if space.kind == "list" else space.sets:
            many = space.cases if n is None else space.cases_of(n)
            first, last = max(start, before), min(stop, before + many)
            of_sets = [] if n is None or first >= last else cases.tables(space, n)
            for rank in range(first, last, size):
                ranks = range(rank, min(rank + size, last))
                X, weight = None, 1
                if n is None:
                    X = tabled([own(space.listed[k]) for k in ranks])
                elif n and all(items is not None for items in of_sets):
                    X, weight = cases.cases(space, of_sets, np.arange(rank - before, ranks.stop - before))
                if X is None or not varies(X):
                    yield from ((k, self.case(name, k)) for k in ranks)
                else:
                    yield rank, self.block(name, X, weight, len(ranks))
            before += many

    # constants that run through all cases

    def _over(self, tree: Each) -> Iterator[tuple[Block, list[tuple[Value, Truth]]]]:
        """Each block of the cases, its values of E for letter in R if C, and the lanes of each."""
        body, letter, reach, inputs, condition = tree.body, tree.letter, tree.reach, str(tree.inputs), tree.condition

        def pairs(b: Block) -> list[tuple[Value, Truth]]:
            if letter is not None and reach is not None:
                return [(b.guarded(mask, body, at), mask) for at, mask in b.each(letter, reach, condition, {})]
            mask = True if condition is None else b.truth(condition, {})
            return [] if mask is False else [(b.guarded(mask, body, {}), mask)]

        for rank, block in self._all(inputs):
            try:
                values = pairs(block)
            except (Refused, LanesDiffer):
                for k in range(block.n):
                    yield (one := self.case(inputs, rank + k)), pairs(one)
            else:
                yield block, values

    def _all(self, name: str) -> Iterator[tuple[int, Block]]:
        """Every block; where they are few cases in all, the same ones for whatever runs through these inputs."""
        cases = self.reading.few(name).cases
        if cases > LANES:
            return self.blocks(name, 0, cases, LANES)
        if name not in self._whole:
            self._whole[name] = list(self.blocks(name, 0, cases, LANES))
        return iter(self._whole[name])

    def gathered(self, tree: Each) -> list[Value]:
        """E for letter in R over inputs if C, in order."""
        if id(tree) not in self._gathered:
            gathered: list[Value] = []
            for b, pairs in self._over(tree):
                of_lanes = [(each_lane(v, b.n), m) for v, m in pairs]
                for lane in range(b.n):
                    gathered += [values[lane] for values, m in of_lanes if m is True or shown(m, lane)]
            self._gathered[id(tree)] = gathered
        result: list[Value] = self._gathered[id(tree)]
        return result

    def reduced(self, name: str, tree: Each) -> Value:
        """sum, count, ... of E over inputs: block by block."""
        if (name, id(tree)) not in self._gathered:
            partial: list[Value] = []
            kinds: set[str] = set()
            for b, pairs in self._over(tree):
                for value, mask in pairs:
                    kinds.add(str(deep_kind(value)))
                    if len(kinds) > 1 or (values := reduced(name, value, mask, b.n)) is None:
                        return of_list(name, Seq(1, self.gathered(tree)))
                    partial += values
            again = {"count": "sum", "len": "sum"}.get(name, name)
            self._gathered[name, id(tree)] = of_list(again, Seq(1, partial))
        return self._gathered[name, id(tree)]


def reduced(name: str, value: Value, mask: Truth, n: int) -> list[Value] | None:
    """The function of a value in the lanes of the mask, as a list of at most one known value; None: not this way."""
    lanes = np.broadcast_to(mask, n)
    many = int(lanes.sum())
    if name == "len":
        return [many]
    if not many:
        return []
    if name in ("count", "all", "any"):
        need("truth", value)
        true = int((lanes & value).sum())
        return [true] if name == "count" else [true == many] if name == "all" else [true > 0]
    if name == "sum" and isinstance(value, Seq) and not value.ragged:  # lists are added item by item
        sums = [reduced(name, one, mask, n) for one in value.items]
        return None if None in sums else [Seq(1, [one for values in sums if values for one in values])]
    if kind(value) != "number":
        return None
    if not isinstance(value, Arr):
        return [value * many if name == "sum" else value]
    v = value.v[lanes]
    if name == "sum":
        big = max(abs(value.lo), abs(value.hi)) * many >= LIMIT
        return [Fraction(int((v.astype(object) if big else v).sum()), value.den)]
    return [Fraction(int(v.max() if name == "max" else v.min()), value.den)]


def parts(tree: Expression) -> list[Expression]:
    """The expressions that an expression is made of."""
    match tree:
        case Number() | TruthValue() | Dots() | Name():
            return []
        case Sum():
            return [term for _, term in tree.terms]
        case Product():
            return [factor for _, factor in tree.factors]
        case ListOf():
            return tree.items
        case And() | Or() | Iff():
            return tree.operands
        case Call():
            return tree.arguments
        case Compare():
            return tree.sides
        case Each():
            return [part for part in (tree.body, tree.reach, tree.condition) if part is not None]
        case Index():
            return [tree.listed, tree.subscript]
        case Range():
            return [tree.low, tree.high]
        case Power():
            return [tree.base, tree.exponent]
        case Not():
            return [tree.operand]
        case If():
            return [tree.condition, tree.then, tree.otherwise]


def subtrees(things: Any) -> Iterator[Tree]:
    """Each tree in a declaration, or in many."""
    left = [things]
    while left:
        thing = left.pop()
        if isinstance(thing, Tree):
            yield thing
        if isinstance(thing, tuple | list):
            left += thing
        elif is_dataclass(thing):
            left += vars(thing).values()
