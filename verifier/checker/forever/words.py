"""A word, run: by the plain reading, all that is so at each of its positions; and what is remembered around each."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..page.evaluate import Case, Frame
from ..page.networks import tokens_of
from ..page.values import List, Value, exactly, listed, number
from .parts import Best, First, Head, Occurring, entries
from .reading import Data, NotShown, data, kept
from .streams import Made, Stack, Streams


@dataclass
class Word:
    """Its letters, by their places in the set. `so` has the rows, an item for each position, `zero` those at 0."""

    letters: tuple[int, ...]
    case: Case
    so: dict[str, list[Data]] = field(default_factory=dict)
    zero: dict[str, Data] = field(default_factory=dict)
    nodes: list[tuple[Data, ...]] = field(default_factory=list)  # once they are computed


def run(streams: Streams, word: Word, *, twice: bool = True) -> None:
    """Fills in what is so. `twice`: networks are run layer by layer, and whole."""
    many = len(word.letters)
    for key, row in streams.rows.items():
        if row.letter:
            word.so[key] = [kept(row.code, row.body.frame(word.case, k)) for k in range(1, many + 1)]
        else:
            word.zero[key] = kept(row.code, row.body.frame(word.case, None))
    for stack in streams.stacks.values():
        run_stack(streams, word, stack, twice=twice)


def run_stack(streams: Streams, word: Word, stack: Stack, *, twice: bool) -> None:
    given = stack.tree.parts[-1]
    first = tokens = tokens_of(stack.given(word.case), given.place)
    for made, key in zip((None, *stack.layers), stack.rows, strict=True):
        if made:
            tokens = layer(word, made, tokens)
        if tokens.first != 1 or len(tokens.items) != len(word.letters):
            raise NotShown(given.place, "tokens that aren't one for each letter")
        word.so[key] = [data(token, {k: 1}) for k, token in enumerate(tokens.items, 1)]
    if not twice:  # then it is taken as the network's own
        known = (stack.tree.word, *map(exactly, stack.arguments), exactly(first))
        streams.reading.remember(word.case.length.ran, known, [first, tokens])
        return
    own = listed(stack.made(word.case), given.place)
    if [data(token, {k: 1}) for k, token in enumerate(own.items, 1)] != word.so[stack.rows[-1]]:
        raise RuntimeError("the layers, one by one, make other tokens than the network")


def layer(word: Word, made: Made, tokens: List) -> List:
    """The layer on these tokens; who asks is noted, and a mean must be one of equal values."""
    e, new = made.body.frame(word.case, tokens, None, *made.arguments), list[Value]()
    for line in made.lines:
        word.so[line.asks] = []
    for e[made.i] in range(1, len(tokens.items) + 1):
        roles = {e[made.i]: 1}
        asks = [data(tokens.items[e[made.i] - 1], roles)]
        for line in made.lines:
            who = (entries(asks[0], line.head.of_i), *asks[1:]) if line.head and line.head.asks else ()
            word.so[line.asks].append(who)
            if line.head and line.head.read.tie == "average":
                equal_values(line.head, e, len(tokens.items))
            e[line.at] = line.code(e)
            asks.append(data(e[line.at], roles))
        new.append(made.new(e))
    return tokens_of(List(new, 1), made.layer.new.place)


def equal_values(head: Head, e: Frame, many: int) -> None:
    scores = list[tuple[int, object]]()
    for e[head.j] in range(1, many + 1):
        if head.mask is None or head.mask(e):
            scores.append((e[head.j], number(head.score(e), head.read.score.place)))
    best = max([score for _, score in scores], default=None)  # type: ignore[type-var]
    values = list[Value]()
    for e[head.j], score in scores:
        if score == best:
            values.append(head.value(e))
    if any(value != values[0] for value in values):
        raise NotShown(head.read.place, "a mean of different values")


def memories(streams: Streams, word: Word) -> list[tuple[Data, ...]]:
    """What every part remembers before the first position, between the first two, ..., and after the last."""
    columns = list[list[Data]]()
    for part in streams.parts.values():
        rows = [word.so[key] for key in part.rows]
        turns = [tuple([row[k] for row in rows]) for k in range(len(word.letters))]
        column = [part.start]
        for here in reversed(turns) if part.after else turns:
            column.append(part.step(column[-1], here))
        columns.append(column[::-1] if part.after else column)
    return [tuple([column[k] for column in columns]) for k in range(len(word.letters) + 1)]


def alike(words: list[Word]) -> None:
    """Where the same is remembered on both sides of a letter, the same is so: what streams.py is to see to."""
    so: dict[Data, tuple[Data, ...]] = {}
    for word in words:
        for k, letter in enumerate(word.letters):
            here = tuple([row[k] for row in word.so.values()])
            if so.setdefault((word.nodes[k], letter, word.nodes[k + 1]), here) != here:
                raise RuntimeError("the same is remembered on both sides of a letter, and not the same is so there")


def defined_loops(part: Occurring, words: list[Word]) -> tuple[bool, ...]:
    truths = ("truth", 0), ("truth", 1)
    return tuple([all(v in truths for key in loop.rows for word in words for v in word.so[key]) for loop in part.loops])


def begin(streams: Streams, words: list[Word]) -> None:
    """Who asks, in all of these words; and what is so before the first position, which is so of all. Of the words then
    what is remembered."""
    anew = False
    for part in streams.parts.values():
        zero = {tuple([word.zero[key] for key in part.at_zero]) for word in words}
        if len(zero) != 1:
            raise RuntimeError("what is so before the first position isn't known")
        asking = list(part.asking)
        if isinstance(part, (Best, First)):
            asking = list(dict.fromkeys([one for word in words for one in word.so[part.rows[1]]]))
        defined = defined_loops(part, words) if isinstance(part, Occurring) else ()
        if not part.begun or asking != part.asking or (isinstance(part, Occurring) and part.defined != defined):
            part.asking, part.begun, anew = asking, True, True
            if isinstance(part, Occurring):
                part.defined = defined
            part.begin(zero.pop())
    for word in words:
        if anew or not word.nodes:
            word.nodes = memories(streams, word)
