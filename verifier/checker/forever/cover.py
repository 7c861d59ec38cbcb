"""That each position of every word looks like a position of one of these words.

A step is what is remembered before a position, its letter, and what is remembered after it. Parts are added one by one:
what one remembers next follows from what it remembered, and from the step as the parts before it see it. So if each
step, seen by the first k parts, goes on with whatever part k + 1 may remember there, as one of these words shows, no
word has another step. This is `covers` of Coq's Sound.v, in which the words are read as the graph of their steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Letters = tuple[int, ...]


class Missing(NamedTuple):
    """A word with a step that none of these words has."""

    letters: Letters


@dataclass
class Seen:
    """A word, and what each part remembers between its letters, as numbers; so far by the first k parts together."""

    letters: Letters
    nodes: list[int]
    values: Sequence[Sequence[Hashable]]


def missing(
    letters: int, after: Sequence[bool], words: Iterable[tuple[Letters, Sequence[Sequence[Hashable]]]]
) -> Iterator[Missing]:
    """Words whose steps aren't those of these; none, if these show every step. `after`: which parts look ahead."""
    seen = [Seen(word, [0] * (len(word) + 1), values) for word, values in words if word]
    occurring = {letter for one in seen for letter in one.letters}
    yield from (Missing((letter,)) for letter in range(letters) if letter not in occurring)
    for k, ahead in enumerate(after):
        below = steps(seen)
        ends = {one.nodes[0 if ahead else -1]: None for one in seen}
        known: dict[tuple[int, Hashable], int] = {}
        under: dict[int, int] = {}
        for one in seen:
            for at, node in enumerate(one.nodes):
                pair = node, one.values[at][k]
                new = known.setdefault(pair, len(known))
                under[new], one.nodes[at] = node, new
        yield from lifted(seen, below, ends, under, ahead=ahead)


Steps = dict[tuple[int, int, int], tuple[Seen, int]]


def steps(seen: list[Seen]) -> Steps:
    """Each step, with a word and a position of it that show it."""
    found: Steps = {}
    for one in seen:
        for k, letter in enumerate(one.letters):
            found.setdefault((one.nodes[k], letter, one.nodes[k + 1]), (one, k))
    return found


def lifted(
    seen: list[Seen], below: Steps, ends: dict[int, None], under: dict[int, int], *, ahead: bool
) -> Iterator[Missing]:
    """Of one part more: each step below goes on from all that this part may remember there."""
    come: dict[int, dict[int, tuple[Seen, int]]] = {}  # over each node below, what is come to, and where
    stepped: dict[int, None] = {}
    goes: dict[tuple[int, int, int], int] = {}
    for one in seen:
        for k in range(len(one.nodes)):
            come.setdefault(under[one.nodes[k]], {}).setdefault(one.nodes[k], (one, k))
        for k, letter in enumerate(one.letters):
            x, y = (one.nodes[k + 1], one.nodes[k]) if ahead else (one.nodes[k], one.nodes[k + 1])
            if goes.setdefault((x, letter, under[y]), y) != y:
                raise RuntimeError("what is remembered next doesn't follow from what was remembered")
            stepped[y] = None
    for (n, letter, m), (two, at) in below.items():
        start, stop = (m, n) if ahead else (n, m)
        for x, (one, k) in come[start].items():
            if (x, letter, stop) not in goes:
                if ahead:
                    yield Missing((*two.letters[: at + 1], *one.letters[k:]))
                else:
                    yield Missing((*one.letters[:k], *two.letters[at:]))
    last = {one.nodes[0 if ahead else -1] for one in seen}
    for n in ends:
        for x, (one, k) in come[n].items():
            if x in stepped and x not in last:
                yield Missing(one.letters[k:] if ahead else one.letters[:k])


class Size(NamedTuple):
    """How many nodes and steps there are, and how long the words must be for all of them to occur."""

    states: int
    steps: int
    cutoff: int


def size(words: Iterable[tuple[Letters, Sequence[Hashable]]]) -> Size:
    """Of words with what is remembered between their letters, which show every step."""
    numbers: dict[Hashable, int] = {}
    paths = [(word, [numbers.setdefault(node, len(numbers)) for node in nodes]) for word, nodes in words if word]
    edges = {(path[k], a, path[k + 1]) for word, path in paths for k, a in enumerate(word)}
    there = distances({path[0] for _, path in paths}, [(n, m) for n, _, m in edges])
    on = distances({path[-1] for _, path in paths}, [(m, n) for n, _, m in edges])
    return Size(len(numbers), len(edges), max(there[n] + 1 + on[m] for n, _, m in edges))


def distances(start: set[int], edges: list[tuple[int, int]]) -> dict[int, int]:
    """How many edges each node is from one of these."""
    next_: dict[int, set[int]] = {}
    for a, b in edges:
        next_.setdefault(a, set()).add(b)
    found, front, far = dict.fromkeys(start, 0), start, 0
    while front:
        far += 1
        front = {b for a in front for b in next_.get(a, ()) if b not in found}
        found |= dict.fromkeys(front, far)
    return found
