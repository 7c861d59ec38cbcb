"""One softmax layer with weights of rank 1, on sets of n different tokens; the tokens are the grid {1, ..., N}^d.

    Z = X + W_O W_V X softmax[(W_K X)^T (W_Q X)],   W_K = g w^T,  W_Q = W_V = w^T,  W_O = e_1 / (4 top)

w = (1, N, ..., N^(d-1)) gives token x the id w^T x; ids are whole numbers, `top` is the largest. So token k reads
sum_j softmax(a)_j id_j = boltz(a) / (g id_k) with a_j = g id_k id_j, and any two entries of a are at least g apart. The
paper proves that a w exists that keeps distances up to a factor; on a grid this one can be written down.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import ClassVar

from gmpy2 import mpq

from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.exact import Matrix, NotExact, Q, Vector, dot, from_columns, text_of
from verifier.core.layers import Head
from verifier.core.layers import product as product_of
from verifier.core.space import Space
from verifier.papers.kajitsuka2024.enclosure import exp_of_minus, log, rounded_down, weighted, whole
from verifier.run.size import refuse_too_many
from verifier.run.stop import TooLarge

MOST_BITS = 6600  # of the numbers' fractions: beyond it they have more than 4,000 digits, and no certificate holds them


@dataclass(frozen=True)
class OneLayer(Construction):
    """(d, n, N): tokens of d entries, n of them, each entry one of 1, ..., N."""

    d: int
    n: int
    N: int

    paper: ClassVar[str] = "kajitsuka2024"
    title: ClassVar[str] = "one softmax layer of rank 1"

    def __post_init__(self) -> None:
        if len(self.tokens) < self.n:
            raise NotExact(f"n = {self.n} different tokens are needed, and N^d = {self.N**self.d}")

    @property
    def sizes(self) -> Mapping[str, int]:
        return {"d": self.d, "n": self.n, "N": self.N}

    @property
    def w(self) -> Vector:
        return tuple(Q(self.N**r) for r in range(self.d))

    @cached_property
    def tokens(self) -> tuple[Vector, ...]:
        """By their ids."""
        return tuple(
            sorted(
                (tuple(map(Q, t)) for t in product(range(1, self.N + 1), repeat=self.d)), key=lambda t: dot(self.w, t)
            )
        )

    @cached_property
    def ids(self) -> tuple[mpq, ...]:
        return tuple(dot(self.w, token) for token in self.tokens)

    @property
    def top(self) -> mpq:
        return self.ids[-1]

    @property
    def gap(self) -> int:
        """g: the least whole number above 2 log n + 3."""
        low = rounded_down(lambda bits: (2 * log(self.n, bits)[0] + 3, 2 * log(self.n, bits)[1] + 3), 1)
        return whole(low) + 1

    @property
    def bits(self) -> int:
        """How finely values are rounded: 2^-bits is far below e^-2r for every r that is used."""
        return 32 + 3 * self.gap * whole(self.top * self.top)

    @property
    def unit(self) -> mpq:
        return mpq(1, 1 << self.bits)

    def boltz(self, entries: Sequence[mpq]) -> mpq:
        """boltz(a) = sum_j softmax(a)_j a_j, rounded down."""
        return rounded_down(lambda bits: weighted(entries, entries, bits), self.bits)

    def least_distance(self, r: mpq) -> mpq:
        """(log n)^2 e^(-2r), rounded up."""

        def enclosed(bits: int) -> tuple[mpq, mpq]:
            (a, b), (p, q) = log(self.n, bits), exp_of_minus(2 * r, bits)
            return a * a * p, b * b * q

        return rounded_down(enclosed, self.bits) + self.unit

    @cached_property
    def head(self) -> Head:
        """The layer's weights: each matrix is one row, or one column."""
        row = (self.w,)
        first = tuple((Q(1) / (4 * self.top) if r == 0 else Q(0),) for r in range(self.d))
        return Head(W_O=first, W_V=row, W_K=(tuple(self.gap * x for x in self.w),), W_Q=row, b_Q=(Q(0),))

    @property
    def lift(self) -> mpq:
        """w^T W_O: what a token's id gets of what it reads."""
        return dot(self.w, tuple(entry for (entry,) in self.head.W_O))

    def read(self, X: Matrix) -> tuple[mpq, ...]:
        """W_V X softmax[(W_K X)^T (W_Q X)], an entry for each token, rounded down."""
        (values,), (keys,), (queries,) = (product_of(W, X) for W in (self.head.W_V, self.head.W_K, self.head.W_Q))

        def entry(query: mpq) -> mpq:
            scores = [key * query for key in keys]
            return rounded_down(lambda bits: weighted(scores, values, bits), self.bits)

        return tuple(map(entry, queries))

    @property
    def space(self) -> "Sets":
        return Sets(self)

    def claims(self) -> Sequence[Claim]:
        from verifier.papers.kajitsuka2024.claims import CLAIMS

        return CLAIMS

    @property
    def constants(self) -> Mapping[str, mpq]:
        return {"g": Q(self.gap), "r": self.gap * self.top, "largest id": self.top, "bits": Q(self.bits)}

    def trace(self, case: "TokenSet") -> Iterable[str]:
        """The entries of Lemma 1, their boltz, and what each token reads; a few digits of each."""
        if not isinstance(case, TokenSet):
            return ()
        return (
            f"ids of the tokens: {', '.join(map(text_of, case.ids))}",
            f"a = g ids = {', '.join(map(text_of, case.entries))};  boltz(a) = {digits(case.boltz)}",
            *(f"token {k} reads {digits(value)}" for k, value in enumerate(case.read, start=1)),
        )

    @property
    def columns_a_case(self) -> int:
        return 20 * self.n * (self.n + 1)


def digits(value: mpq) -> str:
    """The first ones, for a reader."""
    scaled = whole(value * 10**12)
    return f"{scaled // 10**12}.{scaled % 10**12:012d}..."


@dataclass(frozen=True)
class TokenSet:
    """n different tokens, by their places among all."""

    construction: OneLayer
    number: int
    places: tuple[int, ...]
    stands_for: int = 1

    @property
    def X(self) -> Matrix:
        return from_columns(tuple(self.construction.tokens[place] for place in self.places))

    @property
    def shown(self) -> tuple[Matrix, ...]:
        return (self.X,)

    @property
    def ids(self) -> tuple[mpq, ...]:
        return tuple(self.construction.ids[place] for place in self.places)

    @property
    def entries(self) -> tuple[mpq, ...]:
        """a = g (id_1, ..., id_n), the entries that Lemma 1 is about."""
        return tuple(self.construction.gap * id_ for id_ in self.ids)

    @cached_property
    def boltz(self) -> mpq:
        return self.construction.boltz(self.entries)

    @cached_property
    def read(self) -> tuple[mpq, ...]:
        """What each token reads, rounded down: sum_j softmax(g id_k id_j)_j id_j."""
        return self.construction.read(self.X)


class Sets(Space):
    """All sets of n tokens, in lexicographic order of their places."""

    one, several = "set", "sets"
    of = "the token sets"

    def __init__(self, g: OneLayer) -> None:
        self.g, self.V = g, len(g.tokens)

    @property
    def size(self) -> int:
        return comb(self.V, self.g.n)

    def unrank(self, place: int) -> tuple[int, ...]:
        if not 0 <= place < self.size:
            raise ValueError(f"rank {place} is outside 0..{self.size - 1}")
        point: list[int] = []
        for left in range(self.g.n, 0, -1):
            k = point[-1] + 1 if point else 0
            while place >= (count := comb(self.V - k - 1, left - 1)):
                place, k = place - count, k + 1
            point.append(k)
        return tuple(point)

    def rank(self, point: Sequence[int]) -> int:
        before, start = 0, 0
        for left, k in zip(range(len(point), 0, -1), point, strict=True):
            before += sum(comb(self.V - j - 1, left - 1) for j in range(start, k))
            start = k + 1
        return before

    def case(self, number: int, point: Sequence[int]) -> TokenSet:
        return TokenSet(self.g, number, tuple(point))

    def digest(self, case: TokenSet) -> mpq:
        """What all tokens read together, in units of 2^-bits."""
        return sum(case.read, mpq(0)) / self.g.unit


def refuse_if_too_large(
    sizes: Mapping[str, int],
    claims: Sequence[Claim],
    max_points: int | None,
    engine: str,  # noqa: ARG001
) -> None:
    """Raises TooLarge for too many sets, or for numbers that no certificate holds."""
    g = OneLayer(**sizes)
    refuse_too_many(g, claims, max_points)
    if g.bits > MOST_BITS:
        raise TooLarge(f"{g} has numbers of {g.bits:,} bits; a certificate holds at most {MOST_BITS:,}")
