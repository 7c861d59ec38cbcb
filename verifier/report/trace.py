"""The trace of one matrix: what each layer of the literal network makes of it, where it ends, and the way back.

Everything is read off the network's trace of the matrix as it was given, with its columns in their own order; the
matrix may be off the grid. Places are the paper's: l_1 <= ... <= l_n are the sorted ids, and l_j, l~_j and q_j belong
to the same column, which may be anywhere. (In the positional constructions column j is in place j.)
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gmpy2 import mpq

from verifier.catalogue import all_claims
from verifier.core.claim import Claim, Relation
from verifier.core.exact import Matrix, Vector, columns_of, from_columns
from verifier.core.layers import Attention
from verifier.core.multisets import orbit_size, rank
from verifier.core.network import Step
from verifier.papers.hu2024 import claims as hu
from verifier.papers.yun2020.case import Case, Column, PositionalContext, Run
from verifier.papers.yun2020.claims import positional
from verifier.papers.yun2020.claims.contextual import threshold
from verifier.papers.yun2020.contextual_map import ContextualMap, the_papers_alone
from verifier.papers.yun2020.decoding import largest, readings
from verifier.papers.yun2020.domains import columns as every_column
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.interval import Interval, inside, outside
from verifier.papers.yun2020.positional import PositionalMap, bound_after_sweep
from verifier.report.subject import Subject, Traceable
from verifier.run.tally import Tally

# For a claim that runs more than this matrix: how many columns may run through layers (in about a second).
MOST_BESIDE = 60_000
_KINDS = {
    1: "on the grid, its columns are distinct",
    2: "on the grid, some of its columns are equal",
    3: "on the grid, with a sentinel",
}


@dataclass(frozen=True)
class Move:
    """What a layer did to the id of a column; `reads` are the values that its heads read for this column."""

    column: int
    before: mpq
    reads: Vector
    after: mpq
    ties: tuple[bool, ...]  # for each head: whether the id is its threshold, where it reads the mean of all ids

    @property
    def added(self) -> mpq:
        return self.after - self.before


@dataclass(frozen=True)
class Level:
    """A layer of the sweep that changed the matrix."""

    layer: int
    level: mpq
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Bounds:
    """An interval that values are compared with, and the names of its ends."""

    name: str
    interval: Interval
    ends: tuple[str, str] = ("t_l", "t_r")

    def place(self, q: mpq) -> tuple[Relation, ...]:
        """Where q lies: relations to both ends if it is inside the interval, else to the end that it is beyond."""
        within = tuple(inside("q", q, self.interval))
        found = within if all(relation.holds for relation in within) else (outside("q", q, self.interval),)
        return tuple(replace(x, bound_name=self.ends[x.bound == self.interval.high]) for x in found)

    def holds(self, q: mpq) -> bool:
        return len(self.place(q)) == 2


@dataclass(frozen=True)
class Test:
    """A claim, and whether this matrix satisfies it: the first relation that fails, or the one with the least slack."""

    claim: Claim
    holds: bool
    relation: Relation | None


@dataclass(frozen=True)
class Tests:
    made: tuple[Test, ...]
    with_others: tuple[str, ...]  # claims about this matrix that only a comparison with all other cases decides
    left_out: tuple[tuple[str, str], ...]  # claims that were not tried, and why not


@dataclass(frozen=True)
class Read:
    """What is read off l~_j: l_j, which is N l~_j mod B, its column, and l~_{j-1}."""

    j: int
    swept: mpq
    residue: int
    id: mpq
    column: Vector
    before: mpq


@dataclass(frozen=True)
class Decoding:
    """From the value of one place back to all columns."""

    place: int
    q: mpq
    reads: tuple[Read, ...]  # j = n, ..., 1
    own: int | None  # the place that follows from the value itself
    leads_back: bool
    same: tuple[int, ...]  # the other places whose values lead to the same columns

    @property
    def X(self) -> Matrix:
        return from_columns(tuple(read.column for read in reversed(self.reads)))

    @property
    def closes(self) -> bool:
        """l~_0 = l_n, as the first shift begins with the largest id."""
        return self.reads[-1].before == self.reads[0].id


@dataclass(frozen=True)
class Trace:
    construction: Traceable
    instance: Instance
    exchanged: Mapping[str, mpq]  # of a variant
    X: Matrix
    sentinels: Vector  # of each column
    off_grid: tuple[tuple[int, int], ...]  # rows and columns of entries, from 1
    category: int | None  # None off the grid, and in the positional constructions
    kind: str
    order: tuple[int, ...]  # the column in each place, from 0
    ids: Vector  # in the order of places, as are swept and q
    sweep_length: int
    sweep_factor: mpq
    acting: tuple[Level, ...]
    in_vain: Vector  # levels that equal an id and add nothing
    swept: Vector
    global_factor: mpq
    global_moves: tuple[Move, ...]
    q: Vector
    bounds: tuple[Bounds, ...]
    tests: Tests
    decoding: Decoding | None

    @property
    def idle(self) -> int:
        return self.sweep_length - len(self.acting)


def trace(subject: Subject, X: Matrix) -> Trace:
    """Runs the literal network on X, and collects what the claims say about it."""
    construction, instance = subject.construction, subject.instance
    run, off_grid = subject.run(X), subject.off_grid(X)
    category, kind = (None, "off the grid") if off_grid else _kind(subject, X)
    acting, in_vain = _sweep(subject, run)
    bounds = _bounds(subject, run)
    return Trace(
        construction=construction,
        instance=instance,
        exchanged=subject.exchanged,
        X=X,
        sentinels=tuple(grid.sentinel for grid in subject.grids) if construction.has_sentinel else (),
        off_grid=off_grid,
        category=category,
        kind=kind,
        order=run.order,
        ids=run.l,
        sweep_length=len(run.sweep),
        sweep_factor=subject.sweep_factor,
        acting=acting,
        in_vain=in_vain,
        swept=run.swept,
        global_factor=subject.global_factor,
        global_moves=tuple(_moves(subject, run.ending[0], range(instance.n))),
        q=run.q,
        bounds=bounds,
        tests=Tests((), (), ()) if off_grid else _tests(subject, X),
        decoding=None
        if off_grid or not decodes(subject.exchanged)
        else _decoding(subject, run, bounds[-1], good=_is_good(category, kind)),
    )


def _kind(subject: Subject, X: Matrix) -> tuple[int | None, str]:
    if not isinstance(subject.map, PositionalMap):
        category = subject.map.grid.category(X)
        return category, f"Category {category}: {_KINDS[category]}"
    if not subject.construction.has_sentinel:
        return None, "a context"
    return None, "a good context" if PositionalContext(
        subject.map, 0, columns_of(X)
    ).good else "a context with a sentinel"


def decodes(exchanged: Mapping[str, mpq]) -> bool:
    """Whether values can be decoded: that divides by both factors, and needs the paper's sweep_factor."""
    return "sweep_factor" not in exchanged and exchanged.get("global_factor", mpq(1)) > 0


def _is_good(category: int | None, kind: str) -> bool:
    """Whether, by the paper, this matrix can be decoded from each of its values."""
    return category == 1 or kind in ("a context", "a good context")


def _moves(subject: Subject, step: Step, columns: Iterable[int]) -> Iterator[Move]:
    before, after = subject.map.ids(step.before), subject.map.ids(step.after)
    heads = step.layer.heads if isinstance(step.layer, Attention) else ()
    thresholds = [threshold(head, subject.instance.u) for head in heads]
    for j in columns:
        reads = tuple(value[j] for (value,) in step.values)
        yield Move(j + 1, before[j], reads, after[j], tuple(before[j] == b for b in thresholds))


def _sweep(subject: Subject, run: Run[Any]) -> tuple[tuple[Level, ...], Vector]:
    """The levels that change the matrix, and those that equal an id and change nothing all the same."""
    acting, in_vain = [], []
    half = subject.instance.delta / 2
    for layer, (level, step) in enumerate(zip(subject.levels, run.sweep, strict=True)):
        if step.before is not step.after:
            old, new = columns_of(step.before), columns_of(step.after)
            changed = [j for j in range(len(old)) if old[j] != new[j]]
            acting.append(Level(layer, level, tuple(_moves(subject, step, changed))))
        elif any(abs(id_ - level) <= half for id_ in subject.map.ids(step.before)):
            in_vain.append(level)
    return tuple(acting), tuple(in_vain)


def _bounds(subject: Subject, run: Run[Any]) -> tuple[Bounds, ...]:
    """The intervals of the construction; a value in the last one is decoded."""
    if not subject.construction.has_sentinel:
        low = subject.global_factor * max(run.swept)
        own = Interval(low, low + bound_after_sweep(subject.instance))
        return (
            Bounds("its own interval (m = max l~_j) [P m, P m + n delta^-((n+1)d))", own, ("its start", "its end")),
        )
    if subject.construction.ordered:
        return (
            Bounds("[t_l, t_r] as published", subject.map.interval),
            Bounds("[t_l, t_r] as repaired", hu.repaired(run)),  # type: ignore[arg-type]
        )
    return (Bounds("[t_l, t_r)", subject.map.interval),)


def _cases(subject: Subject, X: Matrix) -> Callable[[Claim], list[Any]]:
    """Which cases of a claim this matrix is: itself, or its columns."""
    construction, g = subject.construction, subject.map
    if isinstance(g, PositionalMap):
        context = PositionalContext(g, 0, columns_of(X))
        if not construction.has_sentinel:
            return lambda claim: [context] if claim.domain.cases is positional.CONTEXTS.cases else []
        sentinels = [
            hu.SentinelColumn(g, j, c)
            for j, (c, grid) in enumerate(zip(context.columns, g.positions, strict=True), start=1)
            if c not in grid.inner
        ]
        wide: dict[Any, list[Any]] = {hu.WIDE.cases: [context], hu.SENTINEL_COLUMNS.cases: sentinels}
        return lambda claim: wide.get(claim.domain.cases, [])
    numbers = {c: number for number, c in enumerate(g.grid.columns)}
    orbit = tuple(sorted(numbers[c] for c in columns_of(X)))
    case = Case(g, rank(orbit, len(numbers)), orbit)
    if construction.domain is not None:  # the slides'
        its = [case] if case.category != 1 else []
        return lambda claim: its if claim.domain is construction.domain else []
    columns = [Column(g, number, g.grid.columns[number]) for number in sorted(set(orbit))]
    mine: dict[Any, list[Any]] = {None: [case], every_column: columns}
    return lambda claim: mine.get(claim.domain.cases, [])


def _tests(subject: Subject, X: Matrix) -> Tests:
    made, with_others, left_out = [], [], []
    cases_of = _cases(subject, X)
    for claim in all_claims().values():
        cases = [case for case in cases_of(claim) if claim.domain.selects(case)]
        if not cases:
            continue
        if subject.exchanged and (why := claim.skip(subject.map)):
            left_out.append((claim.id, why))
            continue
        if claim.conclude and not claim.check:
            with_others.append(claim.id)
        if not claim.check:
            continue
        if why := _left_out(subject, claim, cases):
            left_out.append((claim.id, why))
            continue
        tally = Tally(claim)
        for number, case in enumerate(cases):
            tally.see(number, case)
        if tally.first is not None:
            made.append(Test(claim, holds=False, relation=tally.first[1]))
        else:
            tightest = min(tally.edges.values(), key=lambda edge: edge[:2], default=None)
            made.append(Test(claim, holds=True, relation=tightest and tightest[2]))
    return Tests(tuple(made), tuple(with_others), tuple(left_out))


def _left_out(subject: Subject, claim: Claim, cases: list[Any]) -> str:
    """Why a claim isn't tried here: its check would run too much besides this matrix."""
    if claim.domain.cases is not None:
        return ""
    i = subject.instance
    work = claim.work(i)
    if claim.domain.over_matrices:
        work += orbit_size(cases[0].orbit) * i.n * (i.B + 1)
    if work > MOST_BESIDE:
        return f"too large: {work:,} columns"
    if claim.skip is the_papers_alone or not isinstance(subject.map, ContextualMap):  # and it is the paper's
        return ""
    return claim.skip(subject.map) or ""


def _decoding(subject: Subject, run: Run[Any], bounds: Bounds, *, good: bool) -> Decoding | None:
    """The way back from the first value that the construction takes for a context's."""
    places = [j for j, q in enumerate(run.q, start=1) if good or bounds.holds(q)]
    if not places:
        return None
    read = {j: _reads(subject, run.q[j - 1]) for j in places}
    place = places[0]
    reads, q = read[place], run.q[place - 1]
    swept = [step.swept for step in reversed(reads)]
    rest = q - subject.global_factor * swept[-1]
    columns = columns_of(run.X)
    return Decoding(
        place=place,
        q=q,
        reads=reads,
        own=swept.index(rest) + 1 if rest in swept else None,
        leads_back=[step.column for step in reversed(reads)] == [columns[j] for j in run.order],
        same=tuple(j for j in places[1:] if read[j] == reads),
    )


def _reads(subject: Subject, q: mpq) -> tuple[Read, ...]:
    i = subject.instance
    starts = [int((i.N * start).numerator) for start in subject.starts]
    return tuple(
        Read(r.j, r.L * i.delta, r.L % i.B, r.k * i.delta, subject.column(r.k * i.delta, r.j), r.before * i.delta)
        for r in readings(largest(q, subject.global_factor, i.N), starts, i.B)
    )
