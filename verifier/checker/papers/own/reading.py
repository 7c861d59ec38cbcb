"""FORMAT own, 4: a second reading that the reader of a certificate brings along, as a Python file that he trusts.

    SIZES            the names of the sizes, in order
    STATEMENTS       {claim: its words, as the certificate has them}
    matrices(instance)                  every case's matrix in order, or pairs (matrix, how many matrices it stands for)
    relations(claim, case)              what a claim says of one case: Relations
    collected(claim, case)              what a claim about pairs reads off a case; if there are such claims
    conclusion(claim, values)           and what it says of these values, each with its case's number
    constants(instance)                 {name: value}; if the construction has any

A case has `instance`, `number`, `X`, and `image`, what the certificate's layers make of X, run by the checker. The file
sees the checker and Python's own library, and nothing of the producer unless it asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from ...core import frame
from ...core.comparing import Rejected, compare
from ...core.frame import Number, Relation, text
from ...core.reading import Unreadable
from .layers import Matrix, numbers

NEEDED = ("SIZES", "STATEMENTS", "matrices", "relations")


def loaded(path: str) -> Any:
    """The module in this file."""
    spec = spec_from_file_location("reading", path)
    if spec is None or spec.loader is None:
        raise Unreadable(f"--reading {path[:80]}: not a Python file")
    module = module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Unreadable(f"--reading {path[:80]}: {type(error).__name__}: {ascii(str(error))[:200]}") from None
    finally:
        sys.dont_write_bytecode = kept
    if missing := [name for name in NEEDED if name not in vars(module)]:
        raise Unreadable(f"--reading {path[:80]}: it has no {', '.join(missing)} (FORMAT own, 4)")
    return module


@dataclass(frozen=True)
class Case:
    """What a reading looks at; numbers are Fractions, matrices lists of rows."""

    instance: dict[str, int]
    number: int
    X: Matrix
    image: Matrix
    stands_for: int
    category: str


@dataclass
class Reading(frame.Model):
    """The frame's model of a construction that only the reader's file knows."""

    module: Any
    cert: dict[str, Any]
    images: list[Matrix]
    cases: list[Case] = field(init=False)

    def __post_init__(self) -> None:
        instance, stated = self.cert["instance"], self.cert["construction"]["cases"]
        found = [one if isinstance(one, tuple) else (one, 1) for one in self.module.matrices(dict(instance))]
        said = [([[text(Fraction(x)) for x in row] for row in X], count) for X, count in found]
        compare([X for X, _ in said], [case["X"] for case in stated], "construction.cases[*].X", "FORMAT own, 4, cases")
        compare(
            [count for _, count in said], [case["matrices"] for case in stated], "construction.cases[*].matrices",
            "FORMAT own, 4, cases",
        )  # fmt: skip
        self.cases = [
            Case(dict(instance), k, numbers(case["X"]), image, case["matrices"], case["category"])
            for k, (case, image) in enumerate(zip(stated, self.images, strict=True))
        ]

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        out = {name: (0, 0) for name in self.cert["coverage"] if name != "total"} | {"total": (0, 0)}
        for case in self.cases:
            for name in (case.category, "total"):
                matrices, cases = out.get(name, (0, 0))
                out[name] = (matrices + case.stands_for, cases + 1)
        return out

    def case(self, rank: int) -> Case:
        return self.cases[rank]

    def category(self, case: Case) -> str:
        return case.category

    def stands_for(self, case: Case) -> int:
        return case.stands_for

    def digest(self, case: Case) -> Number:
        """(rank + 1) times the sum of the image's entries by their places; or 0, where the space keeps none."""
        if all(shard["digest"] == "0" for shard in self.cert["shards"]):
            return 0
        entries = (x for row in case.image for x in row)
        return (case.number + 1) * sum((k * x for k, x in enumerate(entries, start=1)), Fraction(0))

    def shown(self, case: Case) -> Sequence[Sequence[Sequence[Number]]]:
        return (case.X,)

    def statement(self, *, over_space: bool) -> str:  # noqa: ARG002 - the producer's sentence, which nothing rests on
        return str(self.cert["statement"])

    def constants(self) -> dict[str, Number]:
        return dict(self.module.constants(dict(self.cert["instance"]))) if "constants" in vars(self.module) else {}

    def relations(self, claim: str, case: Case) -> Iterator[Relation]:
        return iter(self.module.relations(claim, case))

    def collected(self, claim: str, case: Case) -> Iterable[Any]:
        return tuple(self.module.collected(claim, case)) if "collected" in vars(self.module) else ()

    def conclusion(
        self,
        claim: str,
        values: list[tuple[Any, int]],
        sizes: dict[str, tuple[int, int]],  # noqa: ARG002
    ) -> Iterable[Relation] | None:
        made = self.module.conclusion(claim, values) if "conclusion" in vars(self.module) else None
        return None if made is None else tuple(made)


def refuse_other_claims(module: Any, cert: dict[str, Any]) -> None:
    """A claim that the reading doesn't have, or has in other words."""
    for k, claim in enumerate(cert["claims"]):
        words = module.STATEMENTS.get(claim["id"])
        if words != claim["statement"]:
            raise Rejected(
                "FORMAT own, 4, statements", f"claims[{k}].statement", repr(words), claim["statement"], claim["id"]
            )
