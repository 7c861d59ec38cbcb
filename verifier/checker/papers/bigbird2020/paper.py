"""What the frame of a certificate has to know of this paper: its contexts, and the relations of each claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from ...core import frame
from ...core.comparing import OverLimit, Rejected
from ...core.frame import Relation
from ...core.paper import Outcome, Paper
from ...core.reading import brief
from ...core.share import Options
from .numbers import Numbers
from .relations import OF_CONSTRUCTION, OF_CONTEXTS, OF_PAIRS, OF_READINGS, Context, Made, in_reading, pairs, vacant
from .walk import Reading

_LINES = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8").splitlines()
STATEMENTS = dict(line.split(": ", 1) for line in _LINES)
_CONSTANTS = ("delta", "u^T x_0", "P", "S_0", "T_0", "S_1", "T_1", "S_n", "T_n", "S'_1", "T'_1", "S'_(n-1)", "T'_(n-1)")
_LARGEST = 200  # n d, and the digits of N: beyond it even the constants are too long for a certificate


class Lemma3(frame.Model):
    """Lemma 3 at one instance."""

    one, several = "context", "contexts"
    every = True

    def __init__(self, x: Numbers) -> None:
        self.x = x
        self.steps = 4 * x.n

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        count = self.x.B**self.x.n
        return {"all": (count, count), "total": (count, count)}

    def case(self, rank: int) -> Context:
        places = []
        for _ in range(self.x.n):
            rank, place = divmod(rank, self.x.B)
            places.append(place)
        return Context(self.x, tuple(reversed(places)))

    def digest(self, case: Context) -> Fraction:
        return Fraction(sum(case.printed.q) + sum(case.repaired.q), self.x.N)

    def shown(self, case: Any) -> Sequence[Sequence[Sequence[Fraction]]]:
        return (self.x.matrix(case.places),) if isinstance(case, Context) else ()

    def statement(self, *, over_space: bool) -> str:
        x = self.x
        what = "was run in exact numbers on all of its contexts" if over_space else "was looked at"
        return (
            f"At d = {x.d}, n = {x.n}, N = {x.N}, the contextual mapping of BigBird's Lemma 3 {what};"
            " each claim below has the verdict that stands with it."
        )

    def constants(self) -> dict[str, frame.Number]:
        x = self.x
        inside = {
            "u^T x_0": x.power(x.n),
            "S_0": x.S(0),
            "T_0": x.T(0),
            "S_1": x.S(1),
            "T_1": x.T(1),
            "S_n": x.S(x.n),
            "T_n": x.T(x.n),
            "S'_1": x.low_end(1),
            "T'_1": x.high_end(1),
            "S'_(n-1)": x.low_end(x.n - 1),
            "T'_(n-1)": x.high_end(x.n - 1),
        }
        return {"delta": Fraction(1, x.N), "P": x.P, **{name: Fraction(value, x.N) for name, value in inside.items()}}

    def own(self, claim: str) -> Iterable[Any] | None:
        if claim in OF_CONSTRUCTION:
            return (None,)
        return (Reading(*chosen) for chosen in product((0, 1), repeat=5)) if claim in OF_READINGS else None

    def relations(self, claim: str, case: Any) -> Iterator[Relation]:
        if claim in OF_CONSTRUCTION:
            made = OF_CONSTRUCTION[claim](self.x)
        elif claim in OF_READINGS:
            made = in_reading(claim, self.x, case)
        else:
            made = OF_CONTEXTS[claim](case) if claim in OF_CONTEXTS else iter(())
        return map(self._relation, made)

    def collected(self, claim: str, case: Any) -> Iterable[Any]:
        return OF_PAIRS[claim][1](case) if claim in OF_PAIRS else ()

    def conclusion(
        self,
        claim: str,
        values: list[tuple[Any, int]],
        sizes: dict[str, tuple[int, int]],  # noqa: ARG002
    ) -> Iterable[Relation] | None:
        if claim not in OF_PAIRS:
            return None
        return (self._relation(made)._replace(key=key) for made, key in pairs(claim, values))

    def skipped(self, claim: str) -> str:
        return vacant(claim, self.x)

    def _relation(self, made: Made) -> Relation:
        name, op, bound_name, value, bound = made
        return Relation(name, self.x.worth(value), op, bound_name, self.x.worth(bound))


def check(cert: dict[str, Any], options: Options) -> Outcome:
    """format/bigbird2020.md: derives the certificate anew."""
    x = Numbers(**cert["instance"])
    if min(x.d, x.n - 1, x.N - 1) < 1:
        raise Rejected("FORMAT 1, instance", "instance", "d >= 1, n >= 2, N >= 2", brief(cert["instance"]))
    if x.n * x.d > _LARGEST or x.n * x.d * x.N.bit_length() > 10 * _LARGEST:
        raise OverLimit(f"n d > {_LARGEST}, or N is too long: numbers of more digits than a certificate holds")
    ids = [claim["id"] for claim in cert["claims"]]
    most, wide = options.max_points, (x.N + 1) ** x.d
    if any(claim in OF_READINGS for claim in ids) and 32 * wide**x.n * 4 * x.n > most:
        raise OverLimit(f"32 readings of {wide**x.n:,} contexts, more than {most:,} steps (--max-points)")
    if "bigbird.closed-grid" in ids and wide > most:
        raise OverLimit(f"{wide:,} columns, more than {most:,} (--max-points)")
    return frame.check(PAPER, Lemma3(x), cert, options)


PAPER = Paper(
    name="bigbird2020",
    version=1,
    sizes=("d", "n", "N"),
    statements=STATEMENTS,
    categories=("all",),
    constants=_CONSTANTS,
    check=check,
    pairs=frozenset(OF_PAIRS),
    checked_too=frozenset(OF_PAIRS) & frozenset(OF_CONTEXTS),
    several="contexts",
)
