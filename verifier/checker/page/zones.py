"""Many cases at once: those of a zone, in which every number is affine.

Where the items of a set stand in arithmetic progression, the cases that have an item of it in each place are the points
(x_1, ..., x_n) with whole coordinates of a box. A zone is the part of it where x_i - x_j <= c_ij for all i and j, with
x_0 = 0. Its vertices are such points (the matrix of these inequalities is totally unimodular), and so are those of each
of its faces. So an affine number has one sign in a zone if it has it at the vertices; its least value is that of a
vertex; and of the points that have it the first by rank is a vertex.

All lines are run once for a zone. Where something that is compared doesn't come out alike, or a number isn't affine,
the zone is divided, down to single cases; they are run in the same way. What a zone says counts for all its points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise, product
from math import factorial

from .cases import Cases, Group, Shape, entries_of, flat
from .evaluate import NotKnown, Stage
from .graph import TRUE, Code, Frame, Node, Value
from .ledger import EDGES, RANKS, STRICT, Act, Ledger, Planned, Sides, acts, exact, planned
from .numbers import Affine, NotAffine, Runtime, Split, affine
from .recurrences import Along
from .tree import Category, Inputs, Line
from .words import DEFECT, Refused

LEAST_CASES, MOST_ITEMS = 2_000, 4  # of a group that is divided into zones
SHORT, LONG = (
    3,
    8,
)  # families of so many layers are written out; what a `for` runs through, so that it becomes a coordinate
PAYS, TRIES = 12, 150  # cases that a zone must decide on average, from so many zones on
Bounds = tuple[tuple[int, ...], ...]
Point = tuple[int, ...]


def tightened(c: Bounds, i: int, j: int, most: int) -> Bounds | None:
    """With x_i - x_j <= most too; None if no point is left. All bounds stay as tight as they can be."""
    if c[j][i] + most < 0:
        return None
    if most >= c[i][j]:
        return c
    to_i = [one[i] + most for one in c]
    return tuple(
        [tuple([min(v, a + b) for v, b in zip(old, c[j], strict=True)]) for old, a in zip(c, to_i, strict=True)]
    )


@lru_cache(1 << 16)
def points(c: Bounds) -> int:
    """How many there are: for each value of x_1 those of the others, moved so that x_2 begins at 0."""
    n, low, high = len(c) - 1, -c[0][1], c[1][0]
    if n == 1 or low == high:
        return high - low + 1 if n == 1 else points(others(c, low))
    if n == 2:  # of x_2 from max(-c_02, x_1 - c_12) to min(c_20, x_1 + c_21)
        return of_least(low, high, c[2][0], c[2][1]) + of_least(-high, -low, c[0][2], c[1][2]) + high - low + 1
    return sum([points(others(c, v)) for v in range(low, high + 1)])


def of_least(low: int, high: int, a: int, b: int) -> int:
    """The sum of min(a, v + b) for v from low to high."""
    last = min(max(a - b, low - 1), high)
    many = last - low + 1
    return many * (low + last) // 2 + many * b + (high - last) * a


def others(c: Bounds, v: int) -> Bounds:
    """Of the points with x_1 = v the other coordinates."""
    to = [0, 0, *(min(one[0], one[1] + v) for one in c[2:])]
    of = [0, 0, *(min(a, b - v) for a, b in zip(c[0][2:], c[1][2:], strict=True))]
    move, left = of[2], range(2, len(c))
    inner = [(to[i] + move, *[min(c[i][j], to[i] + of[j]) if i != j else 0 for j in left]) for i in left]
    return ((0, *[of[j] - move for j in left]), *inner)


class Zone:
    """Points x of a group; the item at place i is the one at starts[i] + x_i of its set."""

    def __init__(self, group: Group, starts: Point, bounds: Bounds) -> None:
        self.group, self.starts, self.c = group, starts, bounds

    def part(self, *inequalities: tuple[int, int, int]) -> Iterator[Zone]:
        """With x_i - x_j <= most too, for these (i, j, most); nothing if no point is left."""
        c: Bounds | None = self.c
        for one in inequalities:
            c = tightened(c, *one) if c else None
        if c:
            yield Zone(self.group, self.starts, c)

    def halves(self) -> Iterator[Zone]:
        """Of its longest side; of a point nothing."""
        long, i = max((self.c[i][0] + self.c[0][i], i) for i in range(1, len(self.c)))
        middle = self.c[i][0] - (long + 1) // 2
        if long:
            yield from self.part((i, 0, middle))
            yield from self.part((0, i, -middle - 1))

    def parts(self, split: Split) -> Iterator[Zone]:
        """Those in which d is below 0, and so on, if zones can say so; else halves."""
        a, g = split.d.a, split.d.g
        there = [i for i, v in enumerate(g, 1) if v]
        i, j = (*there, 0)[:2]
        m = g[i - 1]
        if len(there) > 2 or (j and g[j - 1] != -m):
            yield from self.halves()
            return
        if m < 0:
            i, j, m = j, i, -m  # d = a + m (x_i - x_j)
        below, above = -1 if split.apart != "<=" else 0, 1 if split.apart != "<" else 0
        yield from self.part((i, j, (below - a) // m))
        if split.apart == "=":
            yield from self.part((i, j, -a // m), (j, i, a // m))
        yield from self.part((j, i, (a - above) // m))

    def tie(self, i: int) -> tuple[int, int]:
        """The first j and v with x_i = x_j + v in all of the zone."""
        return next((j, self.c[i][j]) for j in range(i + 1) if self.c[i][j] == -self.c[j][i])

    @cached_property
    def vertices(self) -> list[Point]:
        """By rank: from each face one comes to those on which one more coordinate is largest, or least."""
        found, seen, todo = set[Point](), {self.c}, [self.c]
        while todo:
            c = todo.pop()
            free = [i for i in range(1, len(c)) if c[i][0] != -c[0][i]]
            if not free:
                found.add(tuple([one[0] for one in c[1:]]))
            for i in free:
                for face in (tightened(c, i, 0, -c[0][i]), tightened(c, 0, i, -c[i][0])):
                    if face and face not in seen:
                        seen.add(face)
                        todo.append(face)
        return sorted(found)

    def rank(self, x: Point) -> int:
        return self.group.rank([start + v for start, v in zip(self.starts, x, strict=False)])

    def longer(self, many: int) -> Zone:
        """With one more coordinate, 0 <= x < many."""
        c = [(*one, one[0]) for one in self.c]
        return Zone(self.group, self.starts, (*c, (*[many - 1 + v for v in self.c[0]], 0)))

    def rows(self) -> Iterator[tuple[Point, int]]:
        """Points that differ in the last coordinate alone, and have consecutive ranks: the first, and how many."""
        c, n = self.c, len(self.c) - 1

        def on(x: Point) -> Iterator[tuple[Point, int]]:
            i = len(x) + 1
            low = max(-c[0][i], *[v - c[j][i] for j, v in enumerate(x, 1)]) if x else -c[0][i]
            high = min(c[i][0], *[v + c[i][j] for j, v in enumerate(x, 1)]) if x else c[i][0]
            if i == n:
                yield (*x, low), high - low + 1
                return
            for v in range(low, high + 1):
                yield from on((*x, v))

        return on(())

    @cached_property
    def many(self) -> int:
        return points(self.c)

    @property
    def weight(self) -> int:
        """Of each of its cases."""
        places = [start + v for start, v in zip(self.starts, self.vertices[0], strict=False)]
        return factorial(len(places)) if self.group.kind == "sets" else self.group.weight(places)


def zones(group: Group) -> list[Zone]:
    """All cases of a group, in zones of one weight; none if they would be too many."""
    n = len(group.sets)
    if not 0 < n <= MOST_ITEMS or group.size() < LEAST_CASES:
        return []
    per_place = {id(items): progressions(shape, items) for shape, items in zip(group.shapes, group.sets, strict=True)}
    runs, free = [per_place[id(items)] for items in group.sets], group.kind in ("words", "list")
    found, most, choices = list[Zone](), group.size() // PAYS, 1
    for one in runs:
        choices *= len(one)
    if choices > most:
        return []
    for chosen in product(*map(range, map(len, runs))):
        if not free and any(a > b for a, b in pairwise(chosen)):
            continue
        mine = [runs[i][k] for i, k in enumerate(chosen)]
        most_of = [0, *(many - 1 for _, many in mine)]
        box = tuple([tuple([0 if i == j else v for j in range(n + 1)]) for i, v in enumerate(most_of)])
        whole = [Zone(group, tuple([start for start, _ in mine]), box)]
        for i, (a, b) in enumerate(pairwise(chosen), 1):
            if not free and a == b:
                whole = [part for zone in whole for part in tied(zone, i)]
        found += whole
        if len(found) > most:
            return []
    return found


def tied(zone: Zone, i: int) -> Iterator[Zone]:
    """Item i is the next one, or comes before it."""
    yield from zone.part((i, i + 1, -1))
    if zone.group.kind == "multisets":
        yield from zone.part((i, i + 1, 0), (i + 1, i, 0))


def progressions(shape: Shape, items: tuple[Runtime, ...]) -> list[tuple[int, int]]:
    """Stretches of a set in arithmetic progression, three items or more, and the other items alone: start, length."""
    entries = [tuple(entries_of(shape, one)) for one in items]
    if not all(type(v) is Fraction for one in entries for v in one):
        return [(k, 1) for k in range(len(items))]
    steps = [tuple([b - a for a, b in zip(*two, strict=True)]) for two in pairwise(entries)]
    found, k = list[tuple[int, int]](), 0
    while k < len(items):
        end = k
        while end < len(steps) and steps[end] == steps[k]:
            end += 1
        many = end - k + 1 if end - k > 1 else 1
        found.append((k, many))
        k += many
    return found


# All zones of a group
@dataclass(slots=True)
class Here:
    """The zone that is run, and what is to be said of it once all of it was."""

    zone: Zone
    said: list[Callable[[], None]]
    along: range | None = None  # what a `for` runs through, as one more coordinate


class Plain(Exception):
    """What zones can't say: the cases say it one by one."""


def each(cases: Cases, todo: list[Zone], code: Code, here: Here, step: Callable[[Frame], None], cost: int) -> bool:
    """Runs a step for all points; False, and not all were run, if it doesn't pay to run them so."""
    outside = Affine.vertices  # of a zone whose step came to what is taken over all cases
    try:
        return all_run(cases, todo, code, here, step, cost)
    finally:
        Affine.vertices = outside


def all_run(cases: Cases, todo: list[Zone], code: Code, here: Here, step: Callable[[Frame], None], cost: int) -> bool:
    sets = [
        [tuple(flat(shape, one, code.D)) for one in items]
        for shape, items in zip(cases.group.shapes, cases.group.sets, strict=True)
    ]
    along = here.along.start if here.along else 0
    todo, tries, decided = todo[::-1], 0, 0
    while todo:
        here.zone, here.said = zone, said = todo.pop(), list[Callable[[], None]]()
        Affine.vertices = zone.vertices
        tries += 1
        code.budget.spend(10 * cost)
        try:
            step(frame_of(zone, sets, code, along))
        except (Split, NotAffine) as error:
            parts = list(zone.parts(error) if isinstance(error, Split) else zone.halves())
            if len(parts) < 2:
                raise TypeError(DEFECT) from None
            todo += parts
        except (Refused, Plain):
            return False  # which case is refused first, and how, the cases say one by one
        else:
            decided += zone.many
            for one in said:
                one()
        if tries % TRIES == 0 and decided < PAYS * tries:
            return False
    if decided != cases.group.size() * (len(here.along) if here.along else 1):
        raise TypeError(DEFECT)
    return True


def frame_of(zone: Zone, sets: list[list[tuple[Runtime, ...]]], code: Code, along: int) -> Frame:
    frame, n = list[Runtime](), len(zone.c) - 1

    def number(a: int, b: int, i: int) -> Runtime:
        """a + (b - a) x_i."""
        if type(a) is not int:
            return a  # an item alone
        j, more = zone.tie(i)  # x_i = x_j + more
        return affine(a + more * (b - a), tuple([(b - a) * (k == j) for k in range(1, n + 1)]))

    for i, (items, start) in enumerate(zip(sets, zone.starts, strict=True), 1):
        last = min(start + 1, len(items) - 1)
        frame += [number(a, b, i) for a, b in zip(items[start], items[last], strict=True)]
    frame.append(zone.weight * code.D)
    if n > len(sets):
        frame.append(number(along * code.D, (along + 1) * code.D, n))
    return frame + [None] * (code.slots - len(frame))


def count(cases: Cases, todo: list[Zone], D: int, categories: list[Category]) -> dict[str, list[int]] | None:
    """How many cases, and inputs, each category has; of all, where there are none; None if cases tell one by one."""
    here, code = Here(todo[0], []), Code(D, cases.run.budget, cases.weight + 2)
    stage, found = cases.stage, {category.name: [0, 0] for category in categories} or {"": [0, 0]}
    getters = [code.get(stage.truth(category.when, {})) for category in categories] or [code.get(TRUE)]

    def step(f: Frame) -> None:
        its = [one for one, get in zip(found.values(), getters, strict=True) if get(f)]
        if len(its) != 1:
            raise Plain
        here.said.append(lambda: add(its[0]))

    def add(one: list[int]) -> None:
        one[0] += here.zone.many
        one[1] += here.zone.many * here.zone.weight

    return found if each(cases, todo, code, here, step, code.slots) else None


def total(cases: Cases, todo: list[Zone], D: int, items: Value, truths: bool) -> Fraction | None:
    """The sum of these over all cases, or how many are true; None if it isn't constant in zones."""
    here, code, found = Here(todo[0], []), Code(D, cases.run.budget, cases.weight + 2), list[int]()
    get = code.get(items)

    def step(f: Frame) -> None:
        values = get(f)
        if not all(type(v) is (bool if truths else int) for v in values):
            raise Plain
        here.said.append(lambda: found.append(sum(values) * here.zone.many))

    return Fraction(sum(found), 1 if truths else D) if each(cases, todo, code, here, step, code.slots) else None


# The lines of a claim
def look(cases: Cases, inputs: Inputs, todo: list[Zone], ledger: Ledger) -> bool:
    """A claim for all cases of a group; False, and nothing is said, if that doesn't pay."""
    if ledger.answers:
        return False
    before, stage = ledger.saved(), cases.stage
    when = stage.truth(ledger.claim.when, {}) if ledger.claim.when else None
    long = [(line, reach) for line in ledger.claim.lines if (reach := runs_along(stage, line))]
    short = tuple([line for line in ledger.claim.lines if not runs_along(stage, line)])
    plans = planned(stage, ledger, short, {})

    def work(D: int) -> bool:
        ledger.restore(before.saved())
        paid = lines_of(cases, todo, D, ledger, when, plans, None)
        return paid and all(along(cases, todo, D, ledger, when, *one) for one in long)

    paid = cases.run.in_a_unit(inputs.name, stage, work)
    if not paid:
        ledger.restore(before)
    return paid


def runs_along(stage: Stage, line: Line) -> range | None:
    """What a `for` runs through as one more coordinate: numbers, many, and nothing in it has a slack."""
    if line.op != "for" or not line.reach or line.reach.op != "range" or line.when or not only_truths(line.block):
        return None
    ends = [stage.value(part, {}) for part in line.reach.parts]
    whole = [end.numerator for end in ends if isinstance(end, Fraction) and end.denominator == 1]
    return range(whole[0], whole[1] + 1) if len(whole) == 2 and whole[1] - whole[0] >= LONG else None


def only_truths(lines: tuple[Line, ...]) -> bool:
    return all(
        only_truths(line.block) and line.op in ("relation", "for", "if") and not set(line.signs) & set(EDGES)
        for line in lines
    )


def along(cases: Cases, todo: list[Zone], D: int, ledger: Ledger, when: Node | None, line: Line, reach: range) -> bool:
    stage = cases.stage
    ends = Fraction(reach[0]), Fraction(reach[-1])  # what is made of one letter is right from end to end alone
    letter = stage.graph.node("input", ends, "number", line.place, extra=cases.weight + 1)
    stage.along = Along(letter, reach[0], reach[-1])
    try:
        plans = planned(stage, ledger, line.block, {line.letters[0]: letter})
    except NotKnown:
        return False
    finally:
        stage.along = None
    return lines_of(cases, [zone.longer(len(reach)) for zone in todo], D, ledger, when, plans, reach)


def lines_of(
    cases: Cases,
    todo: list[Zone],
    D: int,
    ledger: Ledger,
    when: Node | None,
    plans: tuple[Planned, ...],
    reach: range | None,
) -> bool:
    if of_all_reals(plans):
        return False
    here, code = Here(todo[0], [], reach), Code(D, cases.run.budget, cases.weight + 2)
    code.of_zone = partial(of_zone, code, ledger, here)
    condition, lines = code.get(when) if when else None, acts(code, ledger, plans)

    def counted() -> None:
        ledger.cases += here.zone.many

    def step(f: Frame) -> None:
        if condition is None or condition(f):
            if reach is None:
                here.said.append(counted)
            for line in lines:
                line(f)

    return each(cases, todo, code, here, step, code.slots + len(lines))


def of_all_reals(plans: tuple[Planned, ...]) -> bool:
    return any(plan.op == "all" or of_all_reals(plan.block) for plan in plans)


def of_zone(code: Code, ledger: Ledger, here: Here, plan: Planned) -> Act | None:
    """What makes a relation, or collects numbers, of a zone; the other lines are as of a case."""
    if plan.op == "relation":
        return relation(code, ledger, here, plan)
    if plan.op != "across":
        return None
    numbers, into = code.get(plan.values[0]), ledger.collected(plan.line, code.D)

    def collect(f: Frame) -> None:
        found, zone = numbers(f), here.zone
        here.said.append(lambda: into.extend(chain.from_iterable(keys(zone, v) for v in found)))

    return collect


def relation(code: Code, ledger: Ledger, here: Here, plan: Planned) -> Act:
    decides, left, right = (code.get(v) for v in plan.values)
    k, D, sign = plan.sign, code.D, ledger.signs[plan.sign].sign
    letters = [(name, code.get(v)) for name, v in plan.env.items()]

    def sides(f: Frame, x: Point) -> Callable[[], Sides]:
        """At a point; to be computed now, while the letters stand in the frame."""
        told = {name: exact(at(get(f), x), D) for name, get in letters}
        found = exact(at(left(f), x), D), exact(at(right(f), x), D), told
        return lambda: found

    def make(f: Frame) -> None:
        zone, slack = here.zone, decides(f)
        x, holds = zone.vertices[0], slack
        if sign in EDGES:
            holds = slack > 0 if sign in STRICT else slack >= 0
            low, x = min((at(slack, x), x) for x in zone.vertices) if holds else (0, x)
        if not holds and here.along:
            raise Plain  # a case may fail at several of its numbers
        ranks = (zone.rank(x),)
        least = ledger.least[k]
        if not holds:
            seen = sides(f, x)
            here.said.append(lambda: fails(zone, ranks, seen))
        elif sign in EDGES and (least is None or (Fraction(low, D), ranks) < (least.slack, least.ranks)):
            seen = sides(f, x)
            here.said.append(lambda: tightest(Fraction(low, D), ranks, seen))
        here.said.append(lambda: made(zone))

    def made(zone: Zone) -> None:
        ledger.made[k] += zone.many

    def fails(zone: Zone, ranks: Point, seen: Callable[[], Sides]) -> None:
        ledger.ranks = ranks
        ledger.fails(k, seen, zone.many)

    def tightest(slack: Fraction, ranks: Point, seen: Callable[[], Sides]) -> None:
        ledger.ranks = ranks
        ledger.holds(k, slack, seen)

    return make


def at(v: Runtime, x: Point) -> Runtime:
    """A value at a point."""
    if type(v) is tuple:
        return tuple([at(one, x) for one in v])
    return v.at(x) if type(v) is Affine else v


def keys(zone: Zone, v: Runtime) -> Iterator[int]:
    """Of all points of a zone value * RANKS + rank."""
    step = RANKS * (v.g[-1] if type(v) is Affine else 0) + 1
    for x, many in zone.rows():
        first = at(v, x) * RANKS + zone.rank(x)
        yield from range(first, first + many * step, step)
