"""What a network is built for: a function of matrices, in the language of pages.

A target is some lines of the language that define f(j), column j of the output, as a list of d numbers: of X, whose
column k is X[k], and of d, n and N. A network is built from its values at a point of each cell. A bound on the distance
needs more: a range, and a constant L with |f(X) - f(Y)| <= L max |X - Y| on the cube, row by row. They follow from an
expression that adds, multiplies and takes max, min, abs and sorted (FORMAT-build.md, 6); else nothing is said.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from gmpy2 import mpq

from verifier.build.even import refuse_uneven
from verifier.build.sizes import Sizes
from verifier.build.symbols import Symbol, Symbols, number
from verifier.core.exact import Matrix, Q, Vector, columns_of, from_columns
from verifier.evaluate.budget import STEPS
from verifier.evaluate.definition import Case, Reading
from verifier.evaluate.values import List, NotAffine
from verifier.language.library import packaged
from verifier.language.page import read
from verifier.language.parse import parse
from verifier.language.words import Refused, TooLarge

HEAD = """language 1
sizes d >= 1, n >= 2, N >= 2
inputs X in zero: list [[[0 for r in 1..d] for j in 1..n]]
"""
FOOT = """claim target, own, "the target", on zero:
  "Columns have d entries."
  for j in 1..n: len(f(j)) = d
"""
MOST_STEPS = 2 * STEPS
EXAMPLE = "an example is 'f(j) = X[j][1] * sum(X) / n'"


class BadTarget(ValueError):
    """A target that no network of the kind asked for can have; the message says where."""

    def __init__(self, message: str, kind: str = "malformed") -> None:
        super().__init__(message)
        self.kind = kind


class Bound(Symbol):
    """A number that depends on X: its range on the cube, and its constant."""

    __slots__ = ("L", "high", "low")

    def __init__(self, low: mpq, high: mpq, L: mpq) -> None:
        self.low, self.high, self.L = low, high, L

    def __add__(self, other: Any) -> "Bound":
        e = bound(other)
        return Bound(self.low + e.low, self.high + e.high, self.L + e.L)

    def __mul__(self, other: Any) -> "Bound":
        e = bound(other)
        corners = [a * b for a in (self.low, self.high) for b in (e.low, e.high)]
        return Bound(min(corners), max(corners), self.size * e.L + e.size * self.L)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def size(self) -> mpq:
        return max(abs(self.low), abs(self.high))


def bound(v: Any) -> Bound:
    c = number(v)
    return v if c is None else Bound(c, c, Q(0))


class _Bounds(Symbols):
    def folded(self, name: str, values: list[Any]) -> Any:
        all_ = [bound(v) for v in values]
        lows, highs, L = sorted(v.low for v in all_), sorted(v.high for v in all_), max(v.L for v in all_)
        if name == "abs":
            low, high = lows[0], highs[0]
            return Bound(max(low, -high, Q(0)), max(-low, high), L)
        if name == "sorted":
            return List([Bound(low, high, L) for low, high in zip(lows, highs, strict=True)])
        return Bound(lows[-1], highs[-1], L) if name == "max" else Bound(lows[0], highs[0], L)


class Target:
    """f, on d x n matrices; `range` and `lipschitz` are None, and `why` says so, where no modulus follows."""

    def __init__(self, text: str, i: Sizes, *, positional: bool = False) -> None:
        self.sizes = i
        if not text.strip():
            raise BadTarget(f"it is empty; {EXAMPLE}")
        if "```" in text:
            raise BadTarget(f"plain lines make a target, without ```; {EXAMPLE}")
        self.why: str | None = None
        with _placed():
            whole = packaged(f"{HEAD}{text.rstrip()}\n{FOOT}")
            self.text = whole.replace(HEAD, "", 1).replace(FOOT, "", 1).rstrip()
            tree = parse(f"{HEAD}{self.text}\n{FOOT}")
            if len(tree.claims) > 1 or tree.layers or tree.networks or tree.categories or len(tree.inputs) > 1:
                raise BadTarget(f"definitions alone make a target; {EXAMPLE}")
            if "f" not in tree.functions or len(tree.functions["f"].letters) != 1:
                raise BadTarget(f"it doesn't define f(j), column j of the output; {EXAMPLE}")
            page = read(f"{HEAD}{self.text}\n{FOOT}")
            tree = page.page
            self.function = tree.functions["f"]
            if not positional:
                refuse_uneven(tree, self.function)
            self.reading = Reading(page, vars(i), steps=MOST_STEPS)
            self.bounds = self._bounds()

    def _bounds(self) -> list[list[Bound]] | None:
        """Of each column its entries; None where something is looked at."""
        i, case = self.sizes, _Bounds(self.reading)
        case.variables = _variables([[Bound(Q(0), Q(1), Q(1)) for _ in range(i.d)] for _ in range(i.n)])
        try:
            return [[bound(x) for x in self._column(case, j)] for j in range(1, i.n + 1)]
        except NotAffine as error:
            self.why = str(error)
            return None

    def _column(self, case: Case, j: int) -> tuple[Any, ...]:
        d, found = self.sizes.d, case(self.function.body, {self.function.letters[0]: mpq(j)})
        if not isinstance(found, List) or len(found) != d or any(isinstance(x, List | bool) for x in found.items):
            raise BadTarget(f"f({j}) must be a list of d = {d} number{'s' * (d > 1)}, such as [X[j][1]]")
        return found.items

    def f(self, X: Matrix) -> Matrix:
        """f(X), d x n."""
        case = Case(self.reading, _variables(columns_of(X)))
        with _placed():
            return from_columns(tuple(tuple(self._column(case, j)) for j in range(1, self.sizes.n + 1)))

    @property
    def bounded(self) -> bool:
        return self.bounds is not None

    @cached_property
    def range(self) -> tuple[tuple[mpq, mpq], ...] | None:
        """Of each row."""
        if self.bounds is None:
            return None
        return tuple((min(b.low for b in row), max(b.high for b in row)) for row in zip(*self.bounds, strict=True))

    @cached_property
    def lipschitz(self) -> Vector | None:
        return None if self.bounds is None else tuple(max(b.L for b in row) for row in zip(*self.bounds, strict=True))


def _variables(columns: Iterable[Any]) -> dict[str, Any]:
    """What names stand for where X has these columns."""
    return {"X": List(map(List, columns)), "weight": Q(1)}


class _placed:
    """`with _placed():` what is refused is said with its place in the target, not in the page that it is read in."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: Any, error: BaseException | None, __: Any) -> None:
        if isinstance(error, Refused):
            line, column = error.place[0] - HEAD.count("\n"), error.place[1]
            where = f"line {line}, column {column}: " if line > 0 else ""
            kind = "limit" if isinstance(error, TooLarge) else "malformed"
            raise BadTarget(f"{where}{error.message}", kind) from None
