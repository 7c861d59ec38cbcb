"""Functions of a word's letters, as decision diagrams: words that go on alike are at one node, never told apart.

A node asks for the letter at a place, and leads to one node for each letter, and so to a label: what the function is.
It asks for the word's last letter first (what a causal head looks for is the letter at its own place), and knows how
far its nodes are from it but not at which place it stands: so the words of one length share nodes with those of all
others. Two functions that are equal are the same node; that is the whole of what is used.
"""

from collections.abc import Callable
from itertools import accumulate
from math import gcd
from operator import mul
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.values import BITS, bits

MPQ = type(mpq(0))
Edge = tuple[int, int]  # a node, and the place whose letter it asks for; or ~ a label, and 0
Label = Any  # a number, a truth, or a tuple of labels
Early = Callable[[Edge, Edge], Edge | None]  # what is known before both are


NODES = 300_000  # of all functions; words that merge need far fewer


class DontMerge(Exception):
    """By states it would take longer than word by word, or it isn't covered."""


def never(_: Edge, __: Edge) -> Edge | None:
    return None


class Diagrams:
    """All functions of the words of some inputs. sets: how many letters there are at each place from 1 on."""

    def __init__(self, effort: float) -> None:
        self.effort = effort  # what may still be spent: nodes that are visited, numbers that are computed
        self.sizes: list[int] = [0]
        self.words: list[int] = [1]  # how many there are to each place
        self.uniform = True
        self.labels: list[Label] = [False, True]
        self.numbers: dict[Label, int] = {}  # the label of each
        self.below: list[tuple[Edge, ...]] = []  # of each node: where each letter leads, by how many places further
        self.leads: list[frozenset[int]] = []  # and to which labels
        self.nodes: dict[tuple[Edge, ...], int] = {}
        self.memo: dict[Any, Any] = {}

    def places(self, sizes: list[int]) -> None:
        """How many letters there are at the places of the next words."""
        self.sizes = [0, *sizes]
        self.words = [1, *accumulate(sizes, mul)]
        self.uniform = self.uniform and len(set(sizes)) <= 1

    def spend(self, effort: int) -> None:
        self.effort -= effort
        if self.effort < 0:
            raise DontMerge("the words don't merge")

    # nodes

    def constant(self, label: Label) -> Edge:
        if isinstance(label, bool):
            return ~int(label), 0
        if label not in self.numbers:
            if isinstance(label, MPQ) and max(bits(label.numerator), bits(label.denominator)) > BITS:
                raise OverflowError
            self.numbers[label] = len(self.labels)
            self.labels.append(label)
        return ~self.numbers[label], 0

    def node(self, place: int, letters: list[Edge]) -> Edge:
        """The function that asks for the letter at a place, and goes on as is listed."""
        first = letters[0]
        for edge in letters:
            if edge != first:
                break
        else:
            return first
        key = tuple([(n, place - p if n >= 0 else 0) for n, p in letters])
        if key not in self.nodes:
            self.spend(1)
            if len(self.below) > NODES:
                raise DontMerge("the words don't merge")
            self.nodes[key] = len(self.below)
            self.below.append(key)
            self.leads.append(frozenset().union(*[(~n,) if n < 0 else self.leads[n] for n, _ in letters]))
        return self.nodes[key], place

    def after(self, edge: Edge, letter: int) -> Edge:
        """What is left of a function when the letter that it asks for is given."""
        n, gap = self.below[edge[0]][letter]
        return n, edge[1] - gap if n >= 0 else 0

    def outcomes(self, edge: Edge) -> tuple[int, ...]:
        """The labels that it leads to."""
        key = ("outcomes", edge[0])
        if key not in self.memo:
            self.memo[key] = (~edge[0],) if edge[0] < 0 else tuple(sorted(self.leads[edge[0]]))
        found: tuple[int, ...] = self.memo[key]
        return found

    # functions of functions

    def relabelled(self, edge: Edge, to: dict[int, Edge]) -> Edge:
        """Each label exchanged for another one."""
        top = edge[1]
        key = ("relabelled", edge[0], tuple([to[k] for k in self.outcomes(edge)]))
        if key not in self.memo:
            seen: dict[int, Edge] = {}  # of each node, where it asks for place 0

            def go(n: int, place: int) -> Edge:
                if n < 0:
                    return to[~n]
                if n not in seen:
                    self.spend(1)
                    m, p = self.node(place, [go(k, place - gap) for k, gap in self.below[n]])
                    seen[n] = m, p - place
                m, p = seen[n]
                return m, p + place if m >= 0 else 0

            n, p = go(*edge)
            self.memo[key] = n, p - top
        n, p = self.memo[key]
        return n, p + top if n >= 0 else 0

    def both(self, name: str, of: Callable[[Label, Label], Label], x: Edge, y: Edge, early: Early = never) -> Edge:
        """A function of two, which has a name; early: what is known before both are."""
        found = early(x, y)
        if found is not None:
            return found
        (n, p), (m, q) = x, y
        if n < 0 and m < 0:
            return self.constant(of(self.labels[~n], self.labels[~m]))
        place = max(p, q)
        key = (name, n, m, p - q if n >= 0 and m >= 0 else 0, place if not self.uniform else 0)
        if key not in self.memo:
            self.spend(1)
            size = len(self.below[n if p == place else m])
            letters = [
                self.both(
                    name,
                    of,
                    self.after(x, a) if p == place else x,
                    self.after(y, a) if q == place else y,
                    early,
                )
                for a in range(size)
            ]
            m, p = self.node(place, letters)
            self.memo[key] = m, p - place
        m, p = self.memo[key]
        return m, p + place if m >= 0 else 0

    def chosen(self, c: Edge, x: Edge, y: Edge) -> Edge:
        """x where c is true, else y."""
        if c[0] < 0:
            return x if self.labels[~c[0]] else y
        if x == y:
            return x
        place = max(c[1], x[1], y[1])
        key = (c[0], x[0], y[0], place - c[1], x[1] and place - x[1], y[1] and place - y[1],
               place if not self.uniform else 0)  # fmt: skip
        if key not in self.memo:
            self.spend(1)
            top = next(n for n, p in (c, x, y) if p == place)
            letters = [
                self.chosen(*[self.after(edge, a) if edge[1] == place else edge for edge in (c, x, y)])
                for a in range(len(self.below[top]))
            ]
            n, p = self.node(place, letters)
            self.memo[key] = n, p - place
        n, p = self.memo[key]
        return n, p + place if n >= 0 else 0

    # sums that have too many values to list them

    def signed(self, want: str, constant: int, parts: list[tuple[Edge, dict[int, int]]]) -> Edge:
        """Whether the constant and the parts, each a number by its label, add up to 0 (want "="), or to 0 or more
        (">="): what can't change it any more is forgotten, as one adds in writing."""
        parts = sorted(parts, key=lambda part: -part[0][1])
        lows = [min(values.values()) for _, values in parts]
        highs = [max(values.values()) for _, values in parts]
        units = [gcd(*[v - low for v in values.values()]) for low, (_, values) in zip(lows, parts, strict=True)]
        waiting = [(0, 0, 0)]  # of the parts from the k-th on: their least and largest sum, and its unit
        for low, high, unit in zip(reversed(lows), reversed(highs), reversed(units), strict=True):
            before = waiting[-1]
            waiting.append((before[0] + low, before[1] + high, gcd(before[2], unit)))
        waiting.reverse()
        known: dict[Any, Edge] = {}

        def go(total: int, begun: list[tuple[Edge, dict[int, int]]], k: int) -> Edge:
            """begun: parts of which some letters are known; k: the first of which none is."""
            low, high, unit = waiting[k]
            left: dict[Edge, dict[int, int]] = {}  # those of one function are one part, with 0 as its least value
            for edge, values in begun:
                if edge[0] < 0:
                    total += values[~edge[0]]
                    continue
                sums = left.setdefault(edge, dict.fromkeys(self.outcomes(edge), 0))
                for label in sums:
                    sums[label] += values[label]
            for edge, values in list(left.items()):
                least = min(values.values())
                total += least
                left[edge] = apart = {label: value - least for label, value in values.items()}
                high, unit = high + max(apart.values()), gcd(unit, *apart.values())
            low, high = low + total, high + total
            if want == "=":
                if low > 0 or high < 0 or (low % unit if unit else low):
                    return self.constant(False)
                if not unit:
                    return self.constant(True)
            else:
                if low >= 0 or high < 0:
                    return self.constant(low >= 0)
                total += low // unit * unit - low
            key = total, k, tuple(sorted([(edge, *values.values()) for edge, values in left.items()]))
            if key not in known:
                self.spend(1 + len(left))
                place = max([p for _, p in left], default=0)
                place = max(place, parts[k][0][1] if k < len(parts) else 0)
                open_ = list(left.items())
                while k < len(parts) and parts[k][0][1] == place:
                    open_.append(parts[k])
                    k += 1
                known[key] = self.node(
                    place,
                    [
                        go(total, [(self.after(edge, a) if edge[1] == place else edge, v) for edge, v in open_], k)
                        for a in range(self.sizes[place])
                    ],
                )
            return known[key]

        return go(constant, [], 0)

    # words

    def weighed(self, edge: Edge) -> dict[int, tuple[int, int]]:
        """Of each label: how many words of the length at hand lead to it, and the rank of the first of these."""
        n = len(self.sizes) - 1
        key = ("weighed", edge, n, None if self.uniform else tuple(self.sizes))
        if key in self.memo:
            found: dict[int, tuple[int, int]] = self.memo[key]
            return found
        found, waiting = {}, [dict[int, tuple[int, int]]() for _ in range(n + 1)]

        def arrive(node: int, place: int, many: int, rank: int) -> None:
            known = found if node < 0 else waiting[place]
            if node < 0:
                node, many = ~node, many * self.words[place]
            before = known.get(node)
            known[node] = (many, rank) if before is None else (before[0] + many, min(before[1], rank))

        arrive(edge[0], edge[1] if edge[0] >= 0 else n, self.words[n] // self.words[edge[1]] if edge[0] >= 0 else 1, 0)
        for place in range(n, 0, -1):
            step = self.words[n] // self.words[place]  # how far apart two words are that differ here alone
            for node, (many, rank) in waiting[place].items():
                self.spend(1)
                for a, (to, gap) in enumerate(self.below[node]):
                    at = place - 1 if to < 0 else place - gap
                    between = 1 if to < 0 else self.words[place - 1] // self.words[at]
                    arrive(to, at, many * between, rank + a * step)
        self.memo[key] = found
        return found
