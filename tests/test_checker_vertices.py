"""The checker's Lemmas V and T: what the vertices of simplices give is what their orbits give, one by one."""

import json
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tampered.corpus import corpus
from verifier.catalogue import choose
from verifier.certificate import canonical, certify
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.ledger import Ledger
from verifier.checker.core.reading import certificate
from verifier.checker.core.share import Options
from verifier.checker.papers.yun2020 import claims, cost, shards, vertices
from verifier.checker.papers.yun2020 import paper as check
from verifier.checker.papers.yun2020.model import paper
from verifier.checker.papers.yun2020.paper import PAPER
from verifier.checker.papers.yun2020.shards import Orbits
from verifier.checker.papers.yun2020.vertices import applies, simplices
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import RunOptions, verify

CLAIMS = list(claims.DOMAIN)
# n > B, n = B, n = B - 1; d > 1, where the ids of columns with a sentinel have gaps; n = 2, where nothing comes first
SMALL = [(1, 2, 2), (1, 2, 9), (1, 3, 2), (1, 3, 3), (1, 3, 4), (1, 3, 9), (1, 4, 5), (1, 5, 6), (2, 2, 3), (2, 3, 2)]
SMALL += [(2, 3, 3), (3, 2, 2), (2, 4, 2)]


def run_of(m, *, by_vertices):
    return Orbits(m, literal=False, by_vertices=by_vertices)


def found(m, start, stop, *, by_vertices):
    """All that the orbits of these ranks give, and, of all orbits, the claims about pairs."""
    run = run_of(m, by_vertices=by_vertices)
    part = run.between(CLAIMS, start, stop)
    ledgers = dict(part.ledgers)
    for claim in claims.PAIRS if (start, stop) == (0, m.orbit_count) else ():
        ledgers[f"pairs of {claim}"] = ledger = Ledger()
        values = part.ledgers[claim].values
        for made in vertices.neighbours(claim, m) if by_vertices else claims.neighbours(claim, m, values):
            ledger.hold(made, (), m.N)
    said = {claim: (its.cases, its.failing, stated(its.first)) for claim, its in ledgers.items()}
    edges = {claim: {edge: stated(r) for edge, r in its.edges.items()} for claim, its in ledgers.items()}
    return said, edges, part.sizes, part.digest


def stated(relation):
    return relation and (relation.slack, relation.key, relation.text, relation.value, relation.bound)


@pytest.mark.parametrize("parts", SMALL)
def test_vertices_give_what_all_orbits_give(parts):
    m = paper(*parts)
    every = 0, m.orbit_count
    assert found(m, *every, by_vertices=True) == found(m, *every, by_vertices=False)
    assert run_of(m, by_vertices=True).weighed(CLAIMS, list(simplices(m, *every))) is not None  # no orbit had to be run


@given(st.sampled_from([(1, 3, 6), (2, 2, 3), (1, 4, 4), (3, 2, 2), (2, 3, 2)]), st.data())
def test_each_orbit_is_in_one_simplex_whatever_the_ranks(parts, data):
    m = paper(*parts)
    start = data.draw(st.integers(0, m.orbit_count - 1))
    stop = data.draw(st.integers(start, m.orbit_count))
    made = list(simplices(m, start, stop))
    assert sorted(point for simplex in made for point in simplex.points()) == list(m.orbits(start, stop))
    assert sum(simplex.size for simplex in made) == stop - start
    for simplex in made:
        assert set(simplex.vertices) <= set(simplex.points())
        assert [m.rank(orbit) for _, orbit in simplex.vertices] == [rank for rank, _ in simplex.vertices]
        corners = [last_ids(m, orbit) for _, orbit in simplex.vertices]
        assert all(is_between(last_ids(m, orbit), corners) for _, orbit in simplex.points())


def last_ids(m, orbit):
    return m.ids[orbit[-2]], m.ids[orbit[-1]]


def is_between(p, corners):
    """A point of the triangle, the segment or the point that has these corners."""
    crosses = [
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    boxed = all(min(x) <= y <= max(x) for x, y in zip(zip(*corners, strict=True), p, strict=True))
    return boxed and (min(crosses) >= 0 or max(crosses) <= 0)


def test_no_triangle_has_columns_whose_ids_have_gaps():
    """(2, 2, 3): those with a sentinel s have the ids 3 s, 3 s + 1, 3 s + 2, s, s + 3, s + 6, and 4 s."""
    m = paper(2, 2, 3)
    for simplex in simplices(m, 0, m.orbit_count):
        corners = [last_ids(m, orbit) for _, orbit in simplex.vertices]
        assert all(is_between(last_ids(m, orbit), corners) for _, orbit in simplex.points())


def test_how_few_simplices_there_are():
    """(1, 2, 6), last columns: (0, 0); 0 and another; two equal ones; two others. Then each of 7 columns before."""
    assert [len(list(simplices(m, 0, m.orbit_count))) for m in (paper(1, 2, 6), paper(1, 3, 6))] == [4, 24]


# Numbers with which claims fail somewhere: there orbits are run one by one
VARIANTS = {
    "t_l": lambda m: [m.t_l - 1, m.t_l + 1, 2 * m.t_l, 0, -m.t_r],
    "t_r": lambda m: [m.t_r - 1, m.t_r // 2, m.t_l, 3 * m.t_r],
    "sentinel": lambda m: [-1, -3, m.sentinel - 1, m.sentinel + 1],
}


@pytest.mark.thorough
@pytest.mark.parametrize("parts", [(1, 2, 6), (1, 3, 5), (2, 2, 2), (1, 4, 4), (2, 3, 2)])
@pytest.mark.parametrize("name", VARIANTS)
def test_of_variants_too(name, parts):
    its = paper(*parts)
    failing = 0
    for value in VARIANTS[name](its):
        m = replace(its, **{name: value})
        if applies(m):
            some = m.orbit_count // 5, 4 * m.orbit_count // 5
            for ranks in (0, m.orbit_count), some:
                there = found(m, *ranks, by_vertices=True)
                assert there == found(m, *ranks, by_vertices=False)
            failing += any(first for *_, first in there[0].values())
    assert failing


def test_other_factors_and_ids_of_0_are_left_to_the_orbits():
    m = paper(2, 2, 3)
    assert applies(m)
    assert not applies(replace(m, sweep_factor=m.B + 1))
    assert not applies(replace(m, global_factor=m.global_factor - 1))
    assert [applies(replace(m, sentinel=value)) for value in (-1, -3, -m.B)] == [False, False, True]


# Each condition of Lemma V is needed: without it something false would be said


@pytest.mark.parametrize("broken", ["vertices", "rank", "digest", "kind", "translate"])
def test_what_is_broken_is_seen(broken, monkeypatch):
    m = paper(1, 3, 6)
    every = 0, m.orbit_count
    slow = found(m, *every, by_vertices=False)
    made = vertices.simplices
    if broken == "vertices":  # the last one left out
        fewer = lambda *a: (s._replace(vertices=s.vertices[: max(1, len(s.vertices) - 1)]) for s in made(*a))  # noqa: E731
        monkeypatch.setattr(shards, "simplices", fewer)
    elif broken == "rank":
        off = lambda *a: (s._replace(vertices=[(r + 1, o) for r, o in s.vertices]) for s in made(*a))  # noqa: E731
        monkeypatch.setattr(shards, "simplices", off)
    elif broken == "digest":
        monkeypatch.setattr(vertices, "accumulate", lambda numbers: [1 + sum(n) for n in [list(numbers)] for _ in n])
    elif broken == "kind":  # a simplex forgotten
        monkeypatch.setattr(shards, "simplices", lambda *a: islice(made(*a), 1, None))
    else:
        monkeypatch.setattr(type(m), "rank", lambda self, orbit: self.orbit_count - 1 - orbit[-1])
    assert found(m, *every, by_vertices=True) != slow


@pytest.mark.parametrize(("where", "condition"), [(shards, "affine"), (Orbits, "closed")])
def test_what_lemma_v_or_t_does_not_cover_is_left_to_the_orbits(where, condition, monkeypatch):
    m = paper(1, 3, 4)
    run, block = run_of(m, by_vertices=True), list(simplices(m, 0, m.orbit_count))
    assert run.weighed(CLAIMS, block) is not None
    monkeypatch.setattr(where, condition, lambda *_: False)
    assert run.weighed(CLAIMS, block) is None


def test_vertices_that_are_not_alike_are_refused():
    """Of two orbits of different kinds, or whose columns move otherwise, no line is drawn."""
    m = paper(1, 3, 6)
    run = run_of(m, by_vertices=True)
    for here, there in (((1, 2, 3), (1, 3, 3)), ((0, 0, 3), (0, 1, 3)), ((0, 0, 0), (0, 0, 1))):
        c = run.cases([(m.rank(orbit), orbit) for orbit in (here, there)])
        assert not vertices.affine(m, "3", c, range(2))


L, SHIFTS = [[0, 1, 2]] * 3, [[(0, [1], [6, 1, 2])]] * 3
T, Q = [[6, 1, 2], [7, 1, 2], [8, 1, 2]], [[10, 20, 30]] * 3
T_L, MIDDLE = 1458, 2916  # of (1, 3, 3), in thirds: t_l = 3^6 2 and t_r = 3^7 2


@pytest.mark.parametrize(
    ("broken", "alike"),
    [
        ({}, True),
        ({"shifts": [*SHIFTS[:2], []]}, False),  # another number of shifts
        ({"l": [*L[:2], [0, 3, 2]]}, False),  # the maximum is in another column
        ({"l": [*L[:2], [1, 0, 2]]}, False),  # the minimum is
        ({"shifts": [*SHIFTS[:2], [(0, [1], [6, 7, 2])]]}, False),  # the maximum after a shift is
        ({"shifts": [*SHIFTS[:2], [(0, [2], [6, 3, 4])]]}, False),  # another column moves
        ({"shifts": [[(0, [1], [2, 1, 0])]] * 3}, False),  # onto a level that is still to come
        ({"shifts": [[(0, [1], [3, 1, 2])]] * 3}, True),
        ({"t": [*T[:2], [-8, 1, 2]]}, False),  # the global shift adds something else
        ({"q": [*Q[:2], [20, 10, 30]]}, False),  # values are in another order
        ({"q": [*Q[:2], [-1, 20, 30]]}, False),  # one is negative
        ({"q": [*Q[:2], [-1, 20, 30]], "kind": "1"}, True),
        ({"q": [[10, 20, MIDDLE], [10, 20, MIDDLE + 1]]}, True),  # nearer to t_r, or as near
        ({"q": [[10, 20, MIDDLE], [10, 20, MIDDLE - 1]]}, False),
    ],
)
def test_vertices_are_alike_only_if_all_is(broken, alike):
    m, rows = paper(1, 3, 3), {"l": L, "shifts": SHIFTS, "t": T, "q": Q, "kind": "3"} | broken
    assert (m.t_l, (m.t_l + m.t_r) // 2) == (T_L, MIDDLE)
    c = claims.Cases([], [], rows["shifts"], rows["l"], rows["t"], rows["q"], [], [], [])
    assert vertices.affine(m, rows["kind"], c, range(len(rows["q"]))) == alike


# Whole certificates: with every orbit by vertices the verdict on each file is the same


def judged(cert, **options):
    try:
        return check.check(cert, Options(**options)).share.whole
    except Rejected as error:
        return str(error)


def test_a_lie_is_the_same_lie_by_vertices(monkeypatch):
    monkeypatch.setattr(check, "literal_steps", lambda *_: 10**9)
    compared = 0
    for lie in corpus():
        value = json.loads(lie.bytes()) if lie.folder == "rejected" else {}
        if value.get("format") != "verifier.certificate/1":
            continue
        cert = certificate(value, PAPER)
        monkeypatch.setattr(cost, "FEW", 10**9)
        slow = judged(cert)
        monkeypatch.setattr(cost, "FEW", 0)
        assert judged(cert) == slow, lie
        compared += 1
    assert compared >= 25


@pytest.fixture(scope="module")
def large():
    """67,525 orbits, in 64 shards: by vertices unless it is told otherwise."""
    chosen = choose(["b5", "lemma6", "lemma10", "grid"])
    return json.loads(certify(verify(contextual_map(Instance(1, 3, 72)), chosen, RunOptions("kernel"))))


@pytest.mark.thorough
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_large_certificate_is_checked_in_full_and_lies_of_it_are_seen(jobs, large):
    verdict = partial(judged, jobs=jobs)
    assert verdict(certificate(large, PAPER)) is True
    shard = large["shards"][40]
    for place, lie in [
        (shard["claims"]["lemma6.3"], {"cases": shard["claims"]["lemma6.3"]["cases"] - 1}),
        (shard, {"digest": str((int(shard["digest"]) + 1) % (2**31 - 1))}),
        (shard["claims"]["lemma6.3"]["edges"]["q_j < t_r"], {"rank": shard["start"]}),
        (next(c for c in large["claims"] if c["id"] == "lemma6.2")["tightest"], {"value": "7"}),
    ]:
        before = dict(place)
        place.update(lie)
        said = verdict(certificate(json.loads(canonical(large)), PAPER))
        place.update(before)
        assert isinstance(said, str), lie
        assert next(iter(lie)) in said
