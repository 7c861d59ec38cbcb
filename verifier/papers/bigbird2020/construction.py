"""BigBird's Lemma 3 at an instance: its contexts, and their runs through the layers, which the claims are about."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from gmpy2 import mpq

from verifier.core.case import Alike
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.exact import Matrix, Q, Vector
from verifier.core.space import Tuples
from verifier.papers.bigbird2020.instance import Instance
from verifier.papers.bigbird2020.reading import PRINTED, Reading, mended, printed, start_of
from verifier.papers.bigbird2020.sweep import Move, Sweep, ids_of


@dataclass(frozen=True)
class Stage:
    """A sweep: its name ("low 1"), the levels that some token had, and the ids after it."""

    sweep: Sweep
    before: Vector
    moves: tuple[Move, ...]
    after: Vector

    @property
    def shifts(self) -> tuple[int, ...]:
        """How many of its layers changed token 0, 1, ..., n."""
        return tuple(sum(move.changed[token] for move in self.moves) for token in range(len(self.before)))


@dataclass(frozen=True)
class Run:
    """A context through all sweeps: phase k is stages 2k - 2 (low) and 2k - 1 (high), and after them the last one."""

    instance: Instance
    X: Matrix
    sweeps: tuple[Sweep, ...]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        stages, X = [], self.X
        for sweep in self.sweeps:
            before, moves = ids_of(self.instance, X), tuple(sweep.trace(X))
            X = moves[-1].X if moves else X
            stages.append(Stage(sweep, before, moves, ids_of(self.instance, X)))
        return tuple(stages)

    def low(self, k: int) -> Stage:
        return self.stages[2 * k - 2]

    def high(self, k: int) -> Stage:
        return self.stages[2 * k - 1]

    @property
    def last(self) -> Stage:
        return self.stages[-1]

    def l(self, i: int) -> mpq:
        """l_0, the global token's id at the start, or l_i."""
        return self.stages[0].before[i]

    def f(self, k: int) -> mpq:
        """f_k: token k's id after the low shift of phase k."""
        return self.low(k).after[k]

    def f_0(self, k: int) -> mpq:
        """f~_0^k: the global token's id after phase k; for k = 0 at the start."""
        return self.high(k).after[0] if k else self.l(0)

    @property
    def q(self) -> Vector:
        """The ids of tokens 1, ..., n after the last layer."""
        return self.last.after[1:]


@dataclass(frozen=True)
class Recursion:
    """f_k and f~_0^k if every shift does what the proof says; l_(n+1) is then the smallest id, f_1."""

    instance: Instance
    l: Vector  # l_1, ..., l_n

    @cached_property
    def values(self) -> tuple[Vector, Vector]:
        """(f_1, ..., f_n) and (f~_0^0, ..., f~_0^n)."""
        i, f, f_0 = self.instance, [], [Q(self.instance.high_factor)]
        for k in range(1, i.n + 1):
            f.append(i.B * (f_0[-1] - self.l[k - 1]) + self.l[k - 1])
            f_0.append(i.high_factor * (f[-1] - self.next(k, f)) + f_0[-1])
        return tuple(f), tuple(f_0)

    def next(self, k: int, f: Sequence[mpq]) -> mpq:
        """l_(k+1)."""
        return self.l[k] if k < self.instance.n else f[0]

    def f(self, k: int) -> mpq:
        return self.values[0][k - 1]

    def f_0(self, k: int) -> mpq:
        return self.values[1][k]


@dataclass(frozen=True)
class Context(Alike):
    """One out of [0, 1)_delta^(d x n): the columns of tokens 1, ..., n, before E is added."""

    construction: "BigBird"
    number: int
    columns: tuple[Vector, ...]
    stands_for: int = 1

    @property
    def instance(self) -> Instance:
        return self.construction.instance

    @property
    def X(self) -> Matrix:
        """(x_0, ..., x_n), with E and the global token."""
        return self.instance.matrix(self.columns)

    @property
    def shown(self) -> tuple[Matrix, ...]:
        return (self.X,)

    @cached_property
    def run(self) -> Run:
        """Through the layers as they are printed."""
        return self.read(PRINTED)

    def read(self, reading: Reading) -> Run:
        """The same in a reading."""
        i = self.instance
        return Run(i, i.matrix(self.columns, start_of(i, reading)), printed(i, reading))

    @cached_property
    def mended(self) -> Run:
        """Through the repair's layers."""
        return Run(self.instance, self.X, mended(self.instance))

    @cached_property
    def recursion(self) -> Recursion:
        return Recursion(self.instance, ids_of(self.instance, self.X)[1:])


class Contexts(Tuples):
    """The (N^d)^n contexts, the first token's column first. Tokens have places, so there is no symmetry."""

    one, several = "context", "contexts"

    def __init__(self, construction: "BigBird") -> None:
        self.construction = construction
        self.columns = construction.instance.columns()
        super().__init__([len(self.columns)] * construction.instance.n)

    def case(self, number: int, point: Sequence[int]) -> Context:
        return Context(self.construction, number, tuple(self.columns[place] for place in point))

    def together(self, numbers: range, points: Sequence[Sequence[int]]) -> list[tuple[Any, Any]]:
        from verifier.core.lanes import grouped

        return grouped([self.case(number, point) for number, point in zip(numbers, points, strict=True)])

    def digest(self, case: Context) -> mpq:
        """The sum of all entries of q, of the printed layers and of the repair's."""
        return sum((*case.run.q, *case.mended.q), start=Q(0))


@dataclass(frozen=True)
class BigBird(Construction):
    instance: Instance

    paper: ClassVar[str] = "bigbird2020"
    title: ClassVar[str] = "the contextual mapping of BigBird's Lemma 3"

    @property
    def sizes(self) -> Mapping[str, int]:
        return self.instance.sizes

    @property
    def space(self) -> Contexts:
        return Contexts(self)

    def claims(self) -> Sequence[Claim]:
        from verifier.papers.bigbird2020.claims import CLAIMS

        return CLAIMS

    @property
    def constants(self) -> Mapping[str, mpq]:
        i = self.instance
        return {
            "delta": i.delta,
            "u^T x_0": Q(i.high_factor),
            "P": Q(i.P),
            "S_0": i.S(0),
            "T_0": i.T(0),
            "S_1": i.S(1),
            "T_1": i.T(1),
            "S_n": i.S(i.n),
            "T_n": i.T(i.n),
            "S'_1": i.least_global(1),
            "T'_1": i.largest_global(1),
            "S'_(n-1)": i.least_global(i.n - 1),
            "T'_(n-1)": i.largest_global(i.n - 1),
        }

    def heading(self, short: Callable[[str], str]) -> Iterable[tuple[str, str]]:
        yield from super().heading(short)
        yield (
            "letters",
            "token 0 is the global one. Phase k: low shift k is to move token k alone, whose id is then f_k; high shift"
            " k is to move token 0 alone, whose id is then f~_0^k. Invariants 1 and 2: S_k < f~_0^k < T_k, and"
            " T_(k-1) <= f_k < S_k",
        )

    def trace(self, case: Context) -> Iterable[str]:
        """The context through the printed layers and through the repair's; nothing for other cases."""
        from verifier.papers.bigbird2020.trace import lines

        return lines(case) if isinstance(case, Context) else ()

    @property
    def columns_a_case(self) -> int:
        """Two runs of 2n + 1 sweeps, at about two levels of each of which a token is, and a layer has two heads. Many
        contexts are run at once, which takes about a tenth of the time."""
        return 8 * (2 * self.instance.n + 1) * (self.instance.n + 1) // 10


def at(d: int, n: int, N: int) -> BigBird:
    return BigBird(Instance(d, n, N))
