"""The sets of tokens, by their ids, and what each claim says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice, pairwise, product
from math import comb
from pathlib import Path
from typing import Any

from ...core import frame
from ...core.comparing import OverLimit, Rejected
from ...core.frame import Relation
from ...core.paper import Outcome, Paper
from ...core.reading import brief
from ...core.share import Options
from . import numbers

_LINES = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8").splitlines()
STATEMENTS = dict(line.split(": ", 1) for line in _LINES)
OF_CONSTRUCTION = ("lemma1.hypothesis", "lemma1.close", "lemma1.needed", "theorem1.hardmax")
OF_PAIRS = ("lemma1.separated", "lemma1.both-signs", "lemma1.order", "theorem2.contextual")
_MOST = 64  # tokens
MOST_BITS = 6600  # of the numbers' fractions: beyond it they have more than 4,000 digits, and no certificate holds them


class TokenSet:
    """One set, by the places of its ids."""

    def __init__(self, x: Lemma1, number: int, places: tuple[int, ...]) -> None:
        self.x, self.number, self.places = x, number, places
        self.ids = [x.ids[place] for place in places]

    @cached_property
    def boltz(self) -> int:
        g = self.x.g
        return self.x.boltz([2 * g * i for i in self.ids], [g * i for i in self.ids])

    @cached_property
    def read(self) -> list[int]:
        return [self.x.boltz([2 * self.x.g * k * i for i in self.ids], self.ids) for k in self.ids]

    @property
    def outputs(self) -> list[Fraction]:
        """w^T z_k, up to the rounding of what is read."""
        x = self.x
        return [i + Fraction(value, 4 * x.top << x.bits) for i, value in zip(self.ids, self.read, strict=True)]


class Lemma1(frame.Model):
    one, several = "set", "sets"
    every = True

    def __init__(self, d: int, n: int, N: int) -> None:
        self.d, self.n, self.N = d, n, N
        tokens = sorted(product(range(1, N + 1), repeat=d), key=self._id)
        self.tokens, self.ids = tokens, [self._id(token) for token in tokens]
        self.top, self.steps = self.ids[-1], 40 * n * n
        self.g = numbers.floor(self._least_gap, 0) + 1
        self.bits = 32 + 3 * self.g * self.top**2

    def _id(self, token: Sequence[int]) -> int:
        return sum(entry * self.N**r for r, entry in enumerate(token))

    def _least_gap(self, W: int) -> tuple[int, int]:
        """2 log n + 3."""
        low, high = numbers.log(self.n, W)
        return 2 * low + (3 << W), 2 * high + (3 << W)

    def boltz(self, halves: Sequence[int], values: Sequence[int]) -> int:
        return numbers.floor(lambda W: numbers.mean(halves, values, W), self.bits)

    def worth(self, units: int) -> Fraction:
        return Fraction(units, 1 << self.bits)

    def least(self, twice_r: int) -> int:
        """(log n)^2 e^(-2r), rounded up."""

        def enclosed(W: int) -> tuple[int, int]:
            (a, b), (p, q) = numbers.log(self.n, W), numbers.power(2 * twice_r, W)
            return a * a * p >> 2 * W, numbers.up(b * b * q, 1 << 2 * W)

        return numbers.floor(enclosed, self.bits) + 1

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        count = comb(len(self.ids), self.n)
        return {"all": (count, count), "total": (count, count)}

    @cached_property
    def _sets(self) -> list[TokenSet]:
        return [TokenSet(self, k, places) for k, places in enumerate(combinations(range(len(self.ids)), self.n))]

    def case(self, rank: int) -> TokenSet:
        return self._sets[rank]

    def digest(self, case: TokenSet) -> int:
        return sum(case.read)

    def shown(self, case: Any) -> Sequence[Sequence[Sequence[int]]]:
        if not isinstance(case, TokenSet):
            return ()
        return ([list(row) for row in zip(*(self.tokens[place] for place in case.places), strict=True)],)

    def statement(self, *, over_space: bool) -> str:
        what = "was run in exact numbers on all of its sets" if over_space else "was looked at"
        return (
            f"At d = {self.d}, n = {self.n}, N = {self.N}, one softmax layer of rank 1 {what};"
            " each claim below has the verdict that stands with it."
        )

    def constants(self) -> dict[str, frame.Number]:
        return {"g": self.g, "r": self.g * self.top, "largest id": self.top, "bits": self.bits}

    def own(self, claim: str) -> Iterable[Any] | None:
        return (None,) if claim in OF_CONSTRUCTION else None

    def relations(self, claim: str, case: Any) -> Iterator[Relation]:
        if claim == "lemma1.hypothesis":
            asked = self.worth(numbers.floor(self._least_gap, self.bits) + 1)
            for a, b in pairwise(self.ids):
                yield Relation(
                    "distance of neighbouring entries", self.g * (b - a), ">", "2 log n + 3, rounded up", asked
                )
        elif claim == "lemma1.bounded":
            r = self.g * self.top
            yield Relation("boltz(a), rounded up", self.worth(case.boltz + 1), "<=", "r", r)
            yield Relation("boltz(a), rounded down", self.worth(case.boltz), ">=", "-r", -r)
        elif claim == "lemma1.close":
            values = [value for _, value in sorted((_order(s.ids), self._of_halves(s)) for s in self._sets)]
            count = sum(b < a for a, b in pairwise(values))
            yield Relation("neighbours in the order of Lemma 1 whose values are in the other", count, ">", "0", 0)
        elif claim == "lemma1.needed":
            least, values = self.least(self.top), sorted(map(self._of_halves, self._sets))
            count = sum(b - a + 1 < least - 1 for a, b in pairwise(values))
            yield Relation("neighbours in size nearer than (log n)^2 e^(-2r)", count, ">", "0", 0)
        elif claim == "theorem1.hardmax":
            yield Relation("outputs of tokens that are those of another set too", self._shared(), ">", "0", 0)
        elif claim == "theorem2.bounded":
            for k, value in enumerate(case.read, start=1):
                moved = self.worth(value + 1) / (4 * self.top)
                name = f"|z_{k} - x_{k}|, rounded up"
                yield Relation(name, moved, "<=", "1/4, of the least distance of tokens", Fraction(1, 4))
        elif claim == "theorem2.contextual":
            for a, b in pairwise(sorted(case.outputs)):
                yield self._apart(a, b)

    def _of_halves(self, case: TokenSet) -> int:
        """boltz of the ids' halves: weights e^(id/2), and half of what they give."""
        return numbers.floor(lambda W: _halved(numbers.mean(case.ids, case.ids, W)), self.bits)

    def _shared(self) -> int:
        """With hardmax each token reads the largest id: so an output is that of (token, largest id)."""
        seen: dict[tuple[int, int], int] = {}
        for case in self._sets:
            for id_ in case.ids:
                seen[id_, max(case.ids)] = seen.get((id_, max(case.ids)), 0) + 1
        return sum(times for times in seen.values() if times > 1)

    def _apart(self, a: Fraction, b: Fraction) -> Relation:
        distance = b - a - Fraction(1, 4 * self.top << self.bits)
        return Relation("distance of two outputs, rounded down", distance, ">", "0", Fraction(0))

    def collected(self, claim: str, case: TokenSet) -> Iterable[Any]:
        if claim in ("lemma1.separated", "lemma1.both-signs"):
            return (case.boltz,)
        if claim == "lemma1.order":
            return ((_order(case.ids), case.boltz),)
        return case.outputs if claim == "theorem2.contextual" else ()

    def conclusion(
        self,
        claim: str,
        values: list[tuple[Any, int]],
        sizes: dict[str, tuple[int, int]],  # noqa: ARG002
    ) -> Iterable[Relation] | None:
        if claim not in OF_PAIRS:
            return None
        neighbours = [(a, b, (min(i, j), max(i, j))) for (a, i), (b, j) in pairwise(sorted(values)) if i != j]
        if claim == "theorem2.contextual":
            return [self._apart(a, b)._replace(key=key) for a, b, key in neighbours]
        if claim == "lemma1.order":
            return [
                Relation(
                    "boltz of the next set, rounded down", self.worth(b[1]), ">=",
                    "of the one before, rounded up", self.worth(a[1] + 1), key,
                )
                for a, b, key in neighbours
            ]  # fmt: skip
        width = self.top - self.ids[0] if claim == "lemma1.both-signs" else 2 * self.top
        least = self.worth(self.least(self.g * width))
        return [
            Relation(
                "distance of two values, rounded down", self.worth(b - a - 1), ">",
                "(log n)^2 e^(-2r), rounded up", least, key,
            )
            for a, b, key in neighbours
        ]  # fmt: skip

    def skipped(self, claim: str) -> str:
        if claim in ("lemma1.close", "theorem1.hardmax") and comb(len(self.ids), self.n) == 1:
            return "there is only one set"
        if claim == "lemma1.needed" and (self.n != 2 or len(self.ids) != 6):
            return "it is about pairs out of six tokens"
        return ""


def _halved(pair: tuple[int, int]) -> tuple[int, int]:
    return pair[0] // 2, numbers.up(pair[1], 2)


def _order(ids: Sequence[int]) -> list[int]:
    """The largest id, then the others with a minus, from the second largest on."""
    falling = sorted(ids)[::-1]
    return falling[:1] + [-i for i in islice(falling, 1, None)]


def check(cert: dict[str, Any], options: Options) -> Outcome:
    """FORMAT of kajitsuka2024: derives the certificate anew."""
    d, n, N = (cert["instance"][name] for name in "dnN")
    if min(d, n - 1, N - 1) < 1 or (d < 7 and N**d < n):
        raise Rejected("FORMAT 1, instance", "instance", "d >= 1, n >= 2, N >= 2, N^d >= n", brief(cert["instance"]))
    if d > 6 or N**d > _MOST or comb(N**d, n) > options.max_points:
        raise OverLimit(f"sets of {n} out of {N}^{d} tokens")
    x = Lemma1(d, n, N)
    if x.bits > MOST_BITS:
        raise OverLimit(f"numbers of {x.bits:,} bits; a certificate holds at most {MOST_BITS:,}")
    return frame.check(PAPER, x, cert, options)


PAPER = Paper(
    name="kajitsuka2024",
    version=1,
    sizes=("d", "n", "N"),
    statements=STATEMENTS,
    categories=("all",),
    constants=("g", "r", "largest id", "bits"),
    check=check,
    pairs=frozenset(OF_PAIRS),
    checked_too=frozenset({"theorem2.contextual"}),
    several="sets",
)
