"""FORMAT own, 4: a second reading that the reader of a certificate brings along, as a Python file that he trusts.

    SIZES                           the names of the sizes, in order
    STATEMENTS                      {claim: its words, as the certificate has them}
    matrices(instance)              every case's matrix, or pairs (matrix, how many matrices it stands for)
    relations(claim, case)          what a claim says of one case: Relations, in order; None for nothing

and, where a claim needs it,

    collected(claim, case)          what a claim about several cases reads off each
    conclusion(claim, values)       and what it says of these values, each with its case's number: Relations, or None
    selects(claim, case)            whether the claim is about this case
    own(claim, construction)        the cases of a claim that has cases of its own; None for the others
    skipped(claim, instance)        why it isn't checked; None if it is
    constants(instance)             {name: value}

A case has `instance`, `number`, `X`, and `image`, what the certificate's layers make of X, run by the checker. Cases of
a claim's own are whatever `own` makes of the construction, which has `instance`, `networks` (their layers, as the
certificate has them) and `run(network, X)`; the matrices that are shown of one are its `shown`, if it has any. The file
sees the checker and Python's own library, and nothing of the producer unless it asks for it.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from traceback import extract_tb
from typing import Any, ClassVar

from ...core import frame
from ...core.comparing import OverLimit, Rejected
from ...core.frame import Number, Relation
from ...core.ledger import rational
from ...core.reading import Unreadable, brief
from .layers import Matrix, numbers, run

NEEDED = ("SIZES", "STATEMENTS", "matrices", "relations")


def loaded(path: str) -> Any:
    """The module in this file."""
    spec = spec_from_file_location("reading", path)
    if spec is None or spec.loader is None:
        raise Unreadable(f"--reading {path}: not a Python file")
    module = module_from_spec(spec)
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = kept
    if missing := [name for name in NEEDED if name not in vars(module)]:
        raise Unreadable(f"--reading {path}: it has no {', '.join(missing)} (FORMAT own, 4)")
    return module


@contextmanager
def errors_of(path: str) -> Iterator[None]:
    """Reports an error in the reader's file with its line; it is neither a verdict nor a defect of the checker."""
    try:
        yield
    except (Rejected, Unreadable, OverLimit, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        inside = [at.lineno for at in extract_tb(error.__traceback__) if at.filename == os.path.abspath(path)]
        line = f", line {inside[-1]}" if inside else ""
        raise Unreadable(f"--reading {path}{line}: {type(error).__name__}: {ascii(str(error))[:200]}") from None


@dataclass(frozen=True)
class Case:
    """What a reading looks at; numbers are Fractions, matrices lists of rows."""

    instance: dict[str, int]
    number: int
    X: Matrix
    image: Matrix
    stands_for: int
    category: str

    @property
    def shown(self) -> Sequence[Matrix]:
        return (self.X,)


@dataclass(frozen=True)
class Carried:
    """The construction, as the certificate carries it; of itself, as a case, nothing is shown."""

    instance: dict[str, int]
    networks: dict[str, Any]

    shown: ClassVar[Sequence[Matrix]] = ()

    def run(self, network: str, X: Sequence[Sequence[Number]]) -> Matrix:
        return run(self.networks[network], [list(map(Fraction, row)) for row in X])


@dataclass
class Reading(frame.Model):
    """The frame's model of a construction that only the reader's file knows."""

    module: Any
    cert: dict[str, Any]
    images: list[Matrix]
    cases: list[Case] = field(init=False)

    silence_counts = False

    def __post_init__(self) -> None:
        instance, stated = self.cert["instance"], self.cert["construction"]["cases"]
        refuse_other_cases(self.module.matrices(dict(instance)), stated)
        self.cases = [
            Case(dict(instance), k, numbers(case["X"]), image, case["matrices"], case["category"])
            for k, (case, image) in enumerate(zip(stated, self.images, strict=True))
        ]
        self._own: dict[str, Any] = {}
        ids = [claim["id"] for claim in self.cert["claims"]]
        self.pairs = frozenset(id_ for id_ in ids if any(self.collected(id_, case) for case in self._all(id_)))
        checked = (id_ for id_ in ids if any(True for case in self._all(id_) for _ in self.relations(id_, case)))
        self.checked_too = frozenset(checked)

    def _asked(self, name: str, *arguments: Any) -> Any:
        """What this function of the file returns; None if the file has no such function."""
        return getattr(self.module, name)(*arguments) if name in vars(self.module) else None

    def _all(self, claim: str) -> Iterable[Any]:
        """The cases of a claim."""
        own = self.own(claim)
        every = () if self.skipped(claim) else self.cases if own is None else own
        return (case for case in every if self.selects(claim, case))

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

    def shown(self, case: Any) -> Sequence[Sequence[Sequence[Number]]]:
        return tuple(getattr(case, "shown", ()))

    def statement(self, *, over_space: bool) -> str:  # noqa: ARG002 - the producer's sentence, which nothing rests on
        return str(self.cert["statement"])

    def constants(self) -> dict[str, Number]:
        return dict(self._asked("constants", dict(self.cert["instance"])) or {})

    def skipped(self, claim: str) -> str:
        return str(self._asked("skipped", claim, dict(self.cert["instance"])) or "")

    def own(self, claim: str) -> Sequence[Any] | None:
        if claim not in self._own:
            carried = Carried(dict(self.cert["instance"]), self.cert["construction"]["networks"])
            cases = self._asked("own", claim, carried)
            self._own[claim] = None if cases is None else tuple(cases)
        found: Sequence[Any] | None = self._own[claim]
        return found

    def selects(self, claim: str, case: Any) -> bool:
        return "selects" not in vars(self.module) or bool(self.module.selects(claim, case))

    def relations(self, claim: str, case: Any) -> Iterator[Relation]:
        return iter(weighable("relations", claim, self.module.relations(claim, case)))

    def collected(self, claim: str, case: Any) -> tuple[Any, ...]:
        return tuple(self._asked("collected", claim, case) or ())

    def conclusion(
        self,
        claim: str,
        values: list[tuple[Any, int]],
        sizes: dict[str, tuple[int, int]],  # noqa: ARG002
    ) -> tuple[Relation, ...] | None:
        made = weighable("conclusion", claim, self._asked("conclusion", claim, values))
        return made if made or values else None  # a claim about single cases concludes nothing


def weighable(function: str, claim: str, made: Iterable[Any] | None) -> tuple[Relation, ...]:
    """The relations that a function of the file gives, between exact numbers."""
    found = tuple(made or ())
    for relation in found:
        place = f"--reading: {function}({claim!r}, ...)"
        if not isinstance(relation, Relation) or relation.op not in ("=", "<", "<=", ">", ">="):
            raise Unreadable(f"{place} gives {ascii(relation)[:160]}, which is no Relation with one of = < <= > >=")
        if relation.key is not None and not (type(relation.key) is tuple and all(type(k) is int for k in relation.key)):
            raise Unreadable(f"{place}: {ascii(relation.key)[:160]} is no tuple of the cases' numbers")
        for value in (relation.value, relation.bound):
            if not exact(value, deep=relation.op == "="):
                raise Unreadable(f"{place} compares {ascii(value)[:160]}; exact numbers are int and Fraction")
    return found


def exact(value: Any, *, deep: bool) -> bool:
    """Whether it is an exact number or, in an equation of lists, a tuple of exact numbers."""
    return type(value) in (int, Fraction) or (deep and type(value) is tuple and all(exact(x, deep=True) for x in value))


def refuse_other_cases(made: Iterable[Any], stated: Sequence[dict[str, Any]]) -> None:
    """Rejects cases of the certificate that the reading lacks or has otherwise. Their order is the certificate's."""
    pairs = [one if len(one) == 2 and isinstance(one[1], int) else (one, 1) for one in made]
    left = Counter((json.dumps([[rational(Fraction(x)) for x in row] for row in X]), count) for X, count in pairs)
    rule = "FORMAT own, 4, cases"
    for k, case in enumerate(stated):
        key = (json.dumps(case["X"]), case["matrices"])
        if not left[key]:
            counts = sorted(count for X, count in left if key[0] == X and left[X, count])
            place, found = f"construction.cases[{k}]", f"{brief(case['X'])} for {case['matrices']}"
            expected = f"the matrix to stand for {counts[0]}" if counts else "a matrix that the second reading has too"
            raise Rejected(rule, place, expected, found)
        left[key] -= 1
    if more := [X for (X, _), count in left.items() if count]:
        raise Rejected(rule, "construction.cases", f"a case with the matrix {brief(json.loads(more[0]))}", "none")


def refuse_other_claims(module: Any, cert: dict[str, Any]) -> None:
    """Rejects a claim that the reading lacks, or has in other words."""
    for k, claim in enumerate(cert["claims"]):
        words, place = module.STATEMENTS.get(claim["id"]), f"claims[{k}].statement"
        if words is None:
            raise Rejected("FORMAT own, 4, statements", place, "one of the second reading's", claim["id"], claim["id"])
        if words != claim["statement"]:
            raise Rejected("FORMAT own, 4, statements", place, repr(words), claim["statement"], claim["id"])
