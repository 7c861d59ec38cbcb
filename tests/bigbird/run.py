"""A context through all sweeps, and the recursion of the proof."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from gmpy2 import mpq

from bigbird.instance import Instance
from bigbird.reading import PRINTED, mended, printed, start_of
from bigbird.sweep import Move, Sweep, ids_of
from verifier.core.exact import Matrix, Q, Vector


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
class Context:
    """One out of [0, 1)_delta^(d x n): the columns of tokens 1, ..., n, before E is added."""

    instance: Instance
    columns: tuple[Vector, ...]

    @property
    def X(self) -> Matrix:
        """(x_0, ..., x_n), with E and the global token."""
        return self.instance.matrix(self.columns)

    @cached_property
    def run(self) -> Run:
        """Through the layers as they are printed."""
        i = self.instance
        return Run(i, i.matrix(self.columns, start_of(i, PRINTED)), printed(i, PRINTED))

    @cached_property
    def mended(self) -> Run:
        """Through the repair's layers."""
        return Run(self.instance, self.X, mended(self.instance))


def contexts(d: int, n: int, N: int) -> list[Context]:
    """The first token's column first."""
    i = Instance(d, n, N)
    return [Context(i, columns) for columns in product(i.columns(), repeat=n)]
