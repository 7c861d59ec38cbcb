"""Symbolic proofs: what they say is what the network does; what is false has none; what lies is rejected."""

import copy
import json
import random
import re
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from cli import main
from verifier.catalogue import all_claims
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable, parse
from verifier.checker.symbolic import polynomial, proof, table
from verifier.checking import run_checker
from verifier.core.exact import from_columns
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.positional import positional_map
from verifier.symbolic.algebra import expand, terms
from verifier.symbolic.certificate import NotProved, choose, choose_proved, claimed, prove, to_bytes
from verifier.symbolic.claims import CLAIMS
from verifier.symbolic.concrete import violation
from verifier.symbolic.declarations import SECOND, SLACK
from verifier.symbolic.prove import PAPER, without
from verifier.symbolic.report import as_markdown

PROOFS = Path(__file__).parent.parent / "proofs"


@pytest.fixture(scope="module")
def for_all():
    return json.loads((PROOFS / "symbolic/all.json").read_text())


@pytest.fixture(scope="module")
def for_three():
    return json.loads((PROOFS / "symbolic/n3.json").read_text())


# ---- what is committed


@pytest.mark.parametrize(("name", "n"), [("all", None), ("n2", 2), ("n3", 3), ("n4", 4)])
def test_the_committed_proofs_are_derived_anew_and_checked(name, n):
    path, (ids, _) = PROOFS / f"symbolic/{name}.json", choose(None, n)
    assert set(CLAIMS) - set(ids) == (set() if n in (3, 4) else {"c.order"})
    assert path.read_bytes() == to_bytes(prove(ids, n))
    done = run_checker(["--promise", f"* {n or '*'} * {','.join(ids)} proved", str(path)], capture=True)
    assert done.returncode == 0, done.stdout
    assert f"{len(ids)} claims" in done.stdout


POLYNOMIALS = st.recursive(
    st.sampled_from(sympy.symbols("B k[j] k[j+1] h1")) | st.integers(-3, 3).map(sympy.Integer),
    lambda of: (
        st.tuples(of, of).map(lambda pair: pair[0] + pair[1])
        | st.tuples(of, of).map(lambda pair: sympy.Mul(*pair))
        | st.tuples(of, st.integers(2, 3)).map(lambda pair: pair[0] ** pair[1])
    ),
    max_leaves=6,
)


@given(POLYNOMIALS)
def test_polynomials_are_written_out_as_sympy_does(p):
    assert expand(p) == sympy.expand(p)
    monomials = [
        sympy.Mul(c, *(sympy.Symbol(name) ** e for name, e in powers.items())) for powers, c in terms(expand(p))
    ]
    assert sympy.Add(*monomials) == sympy.expand(p)
    assert len(monomials) == len(sympy.Add.make_args(sympy.expand(p))) - (sympy.expand(p) == 0)


def test_the_rendered_proof_is_that_of_the_certificate(for_all):
    assert (PROOFS / "symbolic/all.md").read_text() == as_markdown(for_all)


def test_the_page_has_the_tables_that_the_checker_has():
    page = (PROOFS / "SYMBOLIC.md").read_text()
    rows = [*table.DEFINITIONS.splitlines(), *table.FACTS.splitlines()]
    rows += [f"{name}: {words}" for name, words in (table.RULES | table.CLAIMS).items()]
    for row in rows:
        assert f"    {row}\n" in page or not row.strip(), row
    for words in table.OWN.values():
        assert f"\n> {words}\n" in page


def test_the_page_the_checker_and_the_search_have_the_same_letters():
    page = (PROOFS / "SYMBOLIC.md").read_text()
    (slack,) = re.findall(r"The \*slack\* atoms `([^`]*)`", page)
    assert set(slack.split()) == table.SLACK == SLACK
    ((second, first),) = re.findall(r"or column, with ([\w,\s]*) in the place\s+of ([\w,\s]*), and the same", page)
    pairs = zip(first.replace("\n", " ").split(", "), second.replace("\n", " ").split(", "), strict=True)
    assert dict(pairs) == table.OTHER
    assert SECOND.items() <= table.OTHER.items()


def test_a_promise_of_more_is_not_kept():
    path = str(PROOFS / "symbolic/n3.json")
    assert run_checker(["--promise", "* * * lemma6 proved", path], capture=True).returncode == 1
    assert run_checker(["--promise", "* 3 * grid proved", path], capture=True).returncode == 2
    assert run_checker(["--promise", "1 3 4 lemma6", path], capture=True).returncode == 1
    assert run_checker(["--promise", "* 3 * all proved", path], capture=True).returncode == 0
    assert run_checker(["--promise", "* 3 * c,theorem3 proved", path], capture=True).returncode == 0
    for_all_n = run_checker(["--promise", "* * * c proved", str(PROOFS / "symbolic/all.json")], capture=True)
    assert for_all_n.returncode == 1
    assert "c.order is missing" in for_all_n.stdout


# ---- the checker's own table


def test_ranges_are_bounded_so_that_writing_them_out_is_all():
    for fact in table.FACT.values():
        known = (*table.bounds(table.INSTANCE), *fact.range)
        letters = {name for p in (fact.goal, *(e.by for e in fact.given)) for m in p for name, _ in m}
        assert {name for name in letters if name in "ijmef"} <= set(fact.indices), fact.name
        for name in set(fact.indices) - set(table.ROWS):
            assert proof.follows((("", 0), (name, 0)), known), fact.name
            assert proof.follows(((name, 0), ("n", 1)), known), fact.name


def test_the_second_context_has_all_its_own():
    shared = {"N", "B", "p", "P", "y", "y0", "z", "S", "low", "top", *"dnmij", "L", "I", "M", "Q", "D", "o", "u"}
    shared |= {"E", "U", "J"}
    known = shared | set(table.OTHER) | set(table.OTHER.values())
    polynomials = [fact.goal for fact in table.FACT.values()]
    polynomials += [p for e in table.DEFINED.values() for p in (e.atom, e.by)]
    for p in polynomials:
        assert {name.partition("[")[0] for m in p for name, _ in m} <= known
    own = {"k", "t", "C", "r", "c", "v", "w", "x", "a", "g", "s", "id", "l", "lt", "la", "b", "bs"}
    assert own == set(table.OTHER)
    for equation in table.DEFINED.values():  # what is shared is not made of what isn't, but B and N, of any context
        ((((left, _),)),) = equation.atom
        parts = {name.partition("[")[0] for m in equation.by for name, _ in m}
        assert left.partition("[")[0] in own | {"B", "N"} or not parts & own, left


def test_every_claim_of_the_table_is_one_and_every_fact_is_used():
    assert list(table.CLAIMS) == [*(i for i in all_claims() if i in CLAIMS), *table.OWN]
    assert [i for i in all_claims() if i.startswith("c.") and i not in CLAIMS] == []
    needed = set().union(*table.ENOUGH.values())
    lemmas = {"p.one", "P.one", "P.grow", "k.order", "t.beyond", "t.order", "t.lower", "t.upper", "t.most"}
    lemmas |= {"U.wide", "U.most", "E.wider", "E.most", "l.low", "l.order", "lt.beyond", "lt.order", "lt.upper"}
    lemmas |= {"B.two", "row.high", "sentinel.bound", "k.high", "id.rows"}
    assert set(table.FACT) - needed == lemmas | {"lower.step", "upper.step", "small", "r.grow"}


@pytest.mark.parametrize("name", [name for name in PAPER.facts if name != "pos.passed"])
def test_no_fact_is_violated_at_a_small_instance(name):
    assert violation(PAPER, PAPER.facts[name]) is None


# ---- the recursions are what the literal network does


def swept(g, ids):
    """The ids before, after the sweep and after the global shift, of columns with these numbers; units of delta."""
    N = g.instance.N
    columns = [g.grid.columns[number] for number in ids]
    X = from_columns(tuple(columns))
    return [tuple(int(v * N) for v in g.ids(Y)) for Y in (X, g.sweep.run(X), g.network.run(X))]


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 3, 3), (1, 3, 4), (2, 2, 2), (2, 3, 2)])
def test_the_recursions_are_the_network(place):
    d, n, N = place
    g = contextual_map(Instance(d, n, N))
    B = N**d
    orbits = list(combinations_with_replacement(range(len(g.grid.columns)), n))
    for orbit in random.Random(1).sample(orbits, min(len(orbits), 60)):  # noqa: S311
        before, after, final = swept(g, orbit)
        k = sorted({v for v in before if v >= 0})
        low = min(before)
        last, expected = (k[-1] if k else 0), {}
        for v in k:
            last = v + B * (last - (low if low < 0 else v))
            expected[v] = last
        assert after == tuple(expected.get(v, v) for v in before)
        assert final == tuple(v + B ** (n + 1) * (max(after) if v >= 0 else low) for v in after)


def with_positions(d, n, N, offsets):
    """(l, l~) of the context of App. C whose column j is this far into its block of ids; units of delta."""
    B, E = N**d, sum(N**e for e in range(1, d + 1))
    l = [j * E + offset for j, offset in enumerate(offsets)]
    last, swept = l[-1], []
    for v in l:
        last = v + B * (last - v)
        swept.append(last)
    if (d, n) == (1, 2) and offsets == (N - 1, 0):  # its first column is found twice
        swept[0] += B * (swept[1] - swept[0])
    return l, swept


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 3, 2), (1, 3, 3), (1, 4, 2), (2, 2, 2), (2, 3, 2)])
def test_the_recursions_of_positions_are_the_network(place):
    d, n, N = place
    p = positional_map(Instance(*place))
    every = list(zip(product(range(N**d), repeat=n), p.contexts(), strict=True))
    some = random.Random(5).sample(every, min(len(every), 12))  # noqa: S311
    for offsets, columns in [*some, *(one for one in every if place[:2] == (1, 2) and one[0] == (N - 1, 0))]:
        X = from_columns(columns)
        swept = p.sweep.run(X)
        l, expected = with_positions(d, n, N, offsets)
        assert [int(v * N) for v in p.ids(X)] == l
        assert [int(v * N) for v in p.ids(swept)] == expected
        shifted = [int(v * N) for v in p.ids(p.global_shift.run(swept))]
        assert shifted == [v + n * N ** (d * (n + 1) + 1) * max(expected) for v in expected]


@pytest.mark.parametrize("place", [(1, 2, 2), (1, 2, 3), (1, 2, 6), (1, 3, 3), (2, 2, 2), (1, 4, 2)])
def test_contexts_with_positions_are_told_apart_by_the_largest_id(place):
    d, n, N = place
    swept = {offsets: with_positions(d, n, N, offsets)[1] for offsets in product(range(N**d), repeat=n)}
    assert len({max(ids) for ids in swept.values()}) == len({ids[-1] for ids in swept.values()}) == len(swept)
    assert max(max(ids) for ids in swept.values()) < n * N ** (d * (n + 1) + 1)
    out_of_order = [offsets for offsets, ids in swept.items() if ids != sorted(ids)]
    assert out_of_order == ([(N - 1, 0)] if place[:2] == (1, 2) else [])


def test_the_recursions_far_beyond_any_exhaustive_run():
    draw, n, B = random.Random(2), 12, 10**6  # noqa: S311
    for _ in range(50):
        k = sorted(draw.sample(range(B), n))
        t = [k[-1]]
        for v in k:
            t.append(v + B * (t[-1] - v))
        assert B ** (n - 1) * (B - 1) <= t[n] <= B**n * (B - 1) - (B - 1) ** 2
        assert sharp(n, B)[0] <= t[n] <= sharp(n, B)[1]
        last, found = t[n], []
        for _ in range(n):
            found.append(last % B)
            last = (last - found[-1]) // B + found[-1]
        assert found[::-1] == k


def sharp(n, B):
    lower = ((n * (B - 1) - B) * B**n + B) // (B - 1) + n - 1
    upper = ((B - 1) ** 2 + (B - 2) * B ** (n + 1) + B * (n - 1 - B) * (B - 1) + B * B) // (B - 1)
    return lower, upper


# ---- agreement with the exhaustive certificates


def test_every_exhaustive_certificate_agrees():
    seen = 0
    for path in sorted((PROOFS / "certificates").glob("*.json")):
        cert = json.loads(path.read_text())
        d, n, N = (cert["instance"][x] for x in "dnN")
        B = N**d
        for claim in cert["claims"]:
            if claim["id"] not in CLAIMS:
                continue
            assert claim["verdict"] in ("holds", "vacuous"), (path.name, claim["id"])
            if claim["id"] in ("lemma10.lower", "lemma10.upper") and claim["verdict"] == "holds":
                p, _, q = claim["tightest"]["value"].partition("/")
                bound = sharp(n, B)[claim["id"] == "lemma10.upper"]
                assert int(p) * N == bound * int(q or 1), path.name  # attained: the bounds are sharp
                seen += 1
    assert seen >= 30


def test_the_extremes_are_where_the_sharp_bounds_say():
    for n, B in product((2, 3, 4), (4, 5, 6)):
        values = {}
        for k in combinations(range(B), n):
            last = k[-1]
            for v in k:
                last = v + B * (last - v)
            values[last] = k
        assert (min(values), max(values)) == sharp(n, B)
        assert values[min(values)] == tuple(range(n))
        assert values[max(values)] == (*range(n - 1), B - 1)


def test_every_exhaustive_certificate_of_positions_agrees():
    proved = [i for i in CLAIMS if i.startswith(("c.", "theorem3."))]
    seen = set()
    for path in sorted((PROOFS / "certificates/paper").glob("*.json")):
        cert = json.loads(path.read_text())
        d, n, N = (cert["instance"][x] for x in "dnN")
        claims = {claim["id"]: claim for claim in cert["claims"] if claim["id"] in proved}
        assert {*claims, "c.order-repaired"} == set(proved)
        false = {i for i, claim in claims.items() if claim["verdict"] == "refuted"}
        assert {claim["verdict"] for i, claim in claims.items() if i not in false} == {"holds"}
        assert false == ({"c.order"} if (d, n) == (1, 2) else set()), path.name  # where c.order-repaired says nothing
        if false:
            assert claims["c.order"]["counterexample"]["matrix"] == [[f"{N - 1}/{N}", "1"]]
        seen.add((d, n))
    assert seen == {(1, 2), (1, 3), (2, 2)}


# ---- what is false has no proof


@pytest.mark.parametrize(
    ("condition", "tighten", "n", "said"),
    [
        (None, "upper=1", None, r"not proved: upper: .*violated at \(d, n, N\) = \(1, 2, 2\), ids \[0, 1\]: -1"),
        (None, "lower=2", None, r"not proved: lower: .*violated at \(d, n, N\) = \(1, 2, 2\), ids \[0, 1\]: -1"),
        (None, "lower.sharp=1", 3, r"not proved: lower.sharp.*violated at \(d, n, N\) = \(1, 3, 3\), ids \[0, 1, 2\]"),
        (None, "upper.sharp=1", None, r"not proved: upper.sharp: .*violated at"),
        (None, "t.grow=1", None, r"not proved: t.grow: .*violated at \(d, n, N\) = \(1, 2, 2\), ids \[0, 1\], j = 1"),
        (None, "k.high=1", 2, r"not proved: k.high.*violated at"),
        (
            "n>=2",
            None,
            None,
            r"not proved: lower: .*2 <= n is not known.*violated at \(d, n, N\) = \(1, 1, 2\), ids \[0\]",
        ),
        ("N>=2", None, None, r"not proved: B.two: .*violated at \(d, n, N\) = \(1, 2, 1\)"),
    ],
)
def test_what_is_false_ends_with_the_obligation_and_an_instance(condition, tighten, n, said, capsys):
    with pytest.raises(NotProved, match=said):
        prove(choose(None, n)[0], n, claimed(condition, tighten))
    words = ["--without", condition] if condition else ["--tighten", tighten]
    assert main(["prove", *words, *(["--n", str(n)] if n else [])]) == 1
    assert re.search(said, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("tighten", "n", "said"),
    [
        ("l.next=1", None, r"l.next: .*violated at \(d, n, N\) = \(1, 2, 2\), matrix 1/2,1, j = 1: -1"),
        ("lt.grow=1", 2, r"lt.grow, j = 1: .*violated at \(d, n, N\) = \(1, 2, 2\), matrix 1/2,1, j = 1: -1"),
        ("pos.passed.one=1", None, r"pos.passed.one: .*violated at \(d, n, N\) = \(1, 2, 2\), matrix 0,1, j = 1: -1"),
        ("again.order=1", None, r"again.order: .*violated at \(d, n, N\) = \(1, 2, 2\), matrix 1/2,1: -1"),
        ("E.wider=1", None, r"E.wider: .*violated at \(d, n, N\) = \(2, 2, 2\)"),
        ("piece.first=1", None, r"piece.first: .*violated at \(d, n, N\) = \(1, 2, 2\), .*, j = 1: -1"),
        ("piece.last=1", None, r"piece.last: .*violated at \(d, n, N\) = \(1, 2, 2\), .*, j = 2: -1"),
        ("piece.above=1", None, r"piece.above: .*violated at .*: -1"),
        ("piece.at.end=1", 3, r"piece.at.end: .*violated at .*: -1"),
    ],
)
def test_what_is_sharp_with_positions_ends_with_a_matrix(tighten, n, said):
    with pytest.raises(NotProved, match=f"not proved: {said}"):
        prove(["c.contextual", "c.order-repaired", "c.quantizes"], n, claimed(None, tighten))


def test_the_order_with_positions_has_no_proof_where_it_is_false(capsys):
    """At d = 1, n = 2 the ids 1, 2 (units of 1/2): the first shift lands on 1 + 2 (2 - 1) = 3, the last level."""
    for n, unknown in ((None, "3 <= n"), (2, "3 <= 2")):
        assert main(["prove", "--claims", "c.order", *(["--n", str(n)] if n else [])]) == 1
        said = capsys.readouterr().err
        assert f"not proved: pos.passed{', j = 1' if n else ''}: " in said
        assert f"pos.passed.columns can't be used, for {unknown} is not known; violated at" in said
        assert "violated at (d, n, N) = (1, 2, 2), matrix 1/2,1, j = 1: -1 instead of >= 0" in said
    assert main(["prove", "--claims", "c.order", "--n", "3"]) == 0
    assert main(["prove", "--claims", "c.order-repaired"]) == 0
    assert main(["prove", "--claims", "c"]) == 1
    with pytest.raises(ValueError, match=r"no symbolic proof of c\.order$"):
        choose_proved("c.ids,c.order", 2)


@pytest.mark.parametrize("condition", ["3<=n", "2<=d"])
def test_the_repaired_order_needs_its_condition(condition):
    """Each of the two facts, said for all n and d, is false at that instance."""
    name = {"3<=n": "pos.passed.columns", "2<=d": "pos.passed.rows"}[condition]
    fact = PAPER.facts[name]
    weaker = replace(fact, where=fact.where.replace(f", {condition}", ""))
    setting = replace(PAPER, facts=PAPER.facts | {name: weaker})
    with pytest.raises(NotProved, match=r"violated at \(d, n, N\) = \(1, 2, 2\), matrix 1/2,1, j = 1"):
        prove(["c.order-repaired"], None, setting)


def test_conditions_that_the_order_with_positions_needs():
    assert violation(without("N>=2"), PAPER.facts["lt.grow"]).startswith("(d, n, N) = (1, 2, 1), matrix 0,1, j = 1")
    assert violation(without("n>=2"), PAPER.facts["lt.beyond"]).startswith("(d, n, N) = (1, 1, 2), matrix 0, j = 1")


def test_N_at_least_2_is_needed_by_a_claim_of_the_paper():
    at_1 = violation(without("N>=2"), PAPER.facts["cat2.bound.one"])
    assert at_1 == "(d, n, N) = (1, 2, 1), ids [0]: -1 instead of >= 0"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--n", "3", "--claims", "lemma6"], 0),
        (["--claims", "sharp"], 0),
        (["--claims", "grid,lemma10"], 5),
        (["--claims", "c", "--n", "3"], 0),
        (["--claims", "theorem3"], 0),
        (["--claims", "no.such"], 2),
        (["--n", "1"], 2),
        (["--n", "6"], 4),
        (["--tighten", "upper"], 2),
        (["--tighten", "no.such=1"], 2),
        (["--tighten", "upper=10000000000"], 2),
        (["--tighten", "upper=1", "--claims", "b5.head"], 2),
        (["--tighten", "pos.passed=1"], 2),
        (["--tighten", "sentinel.far=1"], 0),
        (["--tighten", "upper=1", "--format", "json"], 2),
    ],
)
def test_exit_codes(words, code, capsys):
    assert main(["prove", *words]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_what_was_changed_is_said_where_it_changes_nothing(capsys):
    assert main(["prove", "--claims", "b5.ids-sentinel", "--tighten", "sentinel.far=1"]) == 0
    assert capsys.readouterr().out.startswith("with sentinel.far=1 the proofs go through too: ")
    assert main(["prove", "--claims", "b5.head", "--without", "N>=2"]) == 0
    assert capsys.readouterr().out.startswith("none of these proofs uses N>=2\n")


def test_a_fact_that_nothing_rests_on_can_not_be_tightened(capsys):
    """Else what ought to fail would pass: lemma10.upper isn't asked for."""
    assert main(["prove", "--claims", "b5.head", "--tighten", "upper=1", "--export", "smt2"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "verify: upper is no fact that the chosen claims rest on\n")


def test_where_no_instance_is_tried_none_is_said_not_to_be(capsys):
    """Of two contexts none is tried; across=24 is violated at (1, 2, 3), ids [0, 1] and [1, 2]."""
    assert main(["prove", "--claims", "lemma6.2", "--tighten", "across=24"]) == 5
    assert "; no instance that violates it was found\n" in capsys.readouterr().err


def test_a_certificate_is_written_and_checked(tmp_path, capsys):
    path = tmp_path / "p.json"
    assert main(["prove", "--claims", "lemma6.3", "--certificate", str(path), "--format", "markdown"]) == 0
    assert "Lemma 6, Property 3" in capsys.readouterr().out
    assert main(["check", str(path)]) == 0


# ---- what lies is rejected, for the right reason


def obligation(document, name, case=""):
    fact = next(fact for fact in document["facts"] if fact["name"] == name)
    return next(one for one in fact["obligations"] if one["case"] == case)


def coefficient(d):
    one = obligation(d, "small")
    one["sum"] = one["sum"].replace("h2", "2*h2", 1)


def dropped_case(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "sentinel.bound")
    fact["obligations"] = [one for one in fact["obligations"] if "a sentinel" not in one["case"]]


def dropped_step(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "t.beyond")
    fact["obligations"] = fact["obligations"][:1]


def shifted_base(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "t.beyond")
    fact["statement"] = fact["statement"].replace("from 1", "from 2")


def shifted_base_case(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one["case"] = "base, j = 2"


def shifted_base_goal(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one["goal"] = one["goal"].replace("t[1]", "t[2]")


def stronger_hypothesis(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "lower")
    fact["statement"] = fact["statement"].replace("n<=m<=n", "n<=m<=n, 3<=n")


def stronger_given(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "across")
    fact["statement"] = fact["statement"].replace("o + t[n] + 1", "o + t[n] + 2")


def weaker_bound(d):
    fact = next(fact for fact in d["facts"] if fact["name"] == "lower")
    fact["statement"] = fact["statement"].replace("t[n] >= 0", "t[n] + 1 >= 0")
    fact["obligations"][0]["goal"] += " + 1"
    fact["obligations"][0]["sum"] += " + 1"


def weaker_goal(d):
    one = obligation(d, "inside.low")
    one["goal"] += " + 1"


def missing_fact(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "sweep.moves"]


def missing_lemma(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "t.most"]


def fewer_enough(d):
    claim = next(claim for claim in d["claims"] if claim["id"] == "lemma6.4")
    claim["facts"].remove("cat2.value.one")


def facts_out_of_order(d):
    d["facts"][0], d["facts"][1] = d["facts"][1], d["facts"][0]


def a_later_fact(d):
    obligation(d, "lower")["use"].append({"fact": "upper", "at": {}})


def itself(d):
    one = obligation(d, "lower")
    one.update(use=[{"fact": "lower", "at": {}}], sum="h1", replace=[])


def hypothesis_in_the_base(d):
    one = obligation(d, "t.beyond", "base, j = 1")
    one.update(use=[{"fact": "before", "at": {}}], sum="h1", replace=[])


def out_of_range(d):
    one = obligation(d, "t.upper", "step to j+1")
    one["use"] = [{"fact": "k.low", "at": {"i": "j+3"}} if use["fact"] == "k.low" else use for use in one["use"]]


def range_not_known(d):
    one = obligation(d, "t.grow")
    one["use"] = [
        {"fact": "range", "at": {"low": "j+2", "high": "m"}} if u["fact"] == "range" else u for u in one["use"]
    ]


def negative_term(d):
    one = obligation(d, "k.low")
    one["sum"] = one["sum"].replace("h1", "-h1") if one["sum"].startswith("h1") else one["sum"].replace("+ h1", "- h1")


def unknown_sign(d):
    obligation(d, "sweep.moves")["sum"] = "-k[j] + t[j] - 1"


def not_zero(d):
    obligation(d, "sweep.shift").update(sum="o")


def conditional(d):
    obligation(d, "within")["use"].append({"fact": "digit.differ", "at": {"j": "j"}})


def given_at_no_number(d):
    obligation(d, "row.differ")["replace"].append({"fact": "given", "at": {"number": "j+1"}})


def context_after_the_second(d):
    obligation(d, "digit.same")["replace"].append({"fact": "t''", "at": {"j": "j"}})


def fact_after_the_second(d):
    obligation(d, "small")["use"].append({"fact": "B.two''", "at": {}})


def hypothesis_of_the_other(d):
    obligation(d, "t.beyond", "step to j+1")["use"].append({"fact": "before'", "at": {}})


def range_of_the_other(d):
    obligation(d, "t.grow")["use"].append({"fact": "range'", "at": {"low": "j", "high": "m"}})


def given_of_the_other(d):
    obligation(d, "row.differ")["replace"].append({"fact": "given'", "at": {"number": "1"}})


def mixed_contexts(d):
    one = obligation(d, "cat3.first")  # r of the second context is not r of the first
    one.update(use=[{"fact": "cat3.first'", "at": {}}], sum="h1", replace=[])


def no_such_definition(d):
    obligation(d, "small")["replace"].append({"fact": "B0", "at": {}})


def definition_out_of_range(d):
    one = obligation(d, "t.first")
    one["replace"] = [{"fact": "t", "at": {"j": "0"}}]


def too_few_indices(d):
    obligation(d, "within")["use"][0]["at"] = {}


def another_statement(d):
    d["claims"][-1]["statement"] += " "


def every_n(d):
    d["statement"] = d["statement"].replace("n >= 2", "n >= 1")


def nothing_assumed(d):
    d["assumed"] = d["assumed"][:-1]


def nothing_left_out(d):
    d["not_covered"] = []


def nothing_false(d):
    d["not_covered"] = d["not_covered"][1:]


def claims_twice(d):
    d["claims"].append(copy.deepcopy(d["claims"][-1]))


def for_one_n_alone(d):
    d["n"] = "3"


def fact_of(document, name):
    return next(fact for fact in document["facts"] if fact["name"] == name)


def coefficient_of_positions(d):
    one = obligation(d, "pos.bound")
    one["sum"] = one["sum"].replace(" + 4*z", " + 5*z")


def dropped_step_of_positions(d):
    del fact_of(d, "lt.upper")["obligations"][1]


def dropped_base_of_positions(d):
    del fact_of(d, "l.order")["obligations"][0]


def missing_case_of_one_row(d):
    d["facts"] = [fact for fact in d["facts"] if fact["name"] != "pos.passed.one"]


def missing_exception(d):
    next(claim for claim in d["claims"] if claim["id"] == "c.contextual")["facts"].remove("again.below")


def dropped_condition(d):
    fact = fact_of(d, "pos.passed.columns")
    fact["statement"] = fact["statement"].replace(", 3<=n", "")


def dropped_given(d):
    fact = fact_of(d, "pos.passed.one")
    fact["statement"] = re.sub("if .*?: ", "", fact["statement"])


def order_for_all(d):
    facts = [name for name in table.FACT if name in table.ENOUGH["c.order"]]
    words = f"{all_claims()['c.order'].says} [{all_claims()['c.order'].formula}]"
    at = next(k for k, claim in enumerate(d["claims"]) if claim["id"] == "c.bound")
    d["claims"].insert(at, {"id": "c.order", "statement": words, "facts": facts})
    d["not_covered"] = d["not_covered"][-1:]


def order_by_a_fact_that_is_not_for_all(d):
    order_for_all(d)
    use = [{"fact": "pos.passed.columns", "at": {"j": "j"}}]
    shown = {"case": "", "goal": "-E*n - B + E + lt[j]", "replace": [], "use": use, "sum": "h1"}
    fact = {"name": "pos.passed", "statement": table.FACT["pos.passed"].statement, "obligations": [shown]}
    d["facts"].insert(d["facts"].index(fact_of(d, "again.first")), fact)


def one_row_everywhere(d):
    obligation(d, "pos.above")["use"].append({"fact": "again.order", "at": {}})


def one_row_for_all_rows(d):
    one = obligation(d, "again.level")
    one["goal"] = one["goal"].replace("E", "U[d]")


def weaker_bound_of_positions(d):
    one = obligation(d, "pos.bound")
    one["goal"], one["sum"] = one["goal"].replace(" - 1", ""), f"{one['sum']} + 1"


def mixed_contexts_of_positions(d):
    one = obligation(d, "again.above")
    one["replace"] = [step | {"fact": step["fact"].rstrip("'")} for step in one["replace"]]


def beyond_the_last_column(d):
    use = next(use for use in obligation(d, "pos.within")["use"] if use["fact"] == "lt.grow")
    use["at"] = {"j": "n"}


def repaired_order_without_its_condition(d):
    d["claims"][-1]["statement"] = d["claims"][-1]["statement"].replace("Unless d = 1 and n = 2, t", "T")


LIES = [
    (coefficient, "small: expected a sum that is the goal"),
    (dropped_case, "sentinel.bound: expected .*a sentinel"),
    (dropped_step, "t.beyond: expected .*step to j"),
    (shifted_base, "t.beyond: expected .*from 1.*found .*from 2"),
    (shifted_base_case, "t.beyond: expected .*base, j = 1.*found .*base, j = 2"),
    (shifted_base_goal, r"t.beyond, base, j = 1: expected the goal -k\[m\] \+ t\[1\] - 1"),
    (stronger_hypothesis, "claim lemma10.lower: SYMBOLIC 4: lower: expected .*found .*3<=n"),
    (stronger_given, "claim lemma6.2: SYMBOLIC 4: across: expected"),
    (weaker_bound, "claim lemma10.lower: SYMBOLIC 4: lower: expected"),
    (weaker_goal, "claim lemma6.3: SYMBOLIC 4: inside.low: expected the goal"),
    (missing_fact, "claim b5.shift: .*sweep.moves.*found .*nothing"),
    (missing_lemma, "upper: expected the use of what is shown before, found .*t.most"),
    (fewer_enough, "claim lemma6.4: .*the facts that are enough"),
    (facts_out_of_order, "the names of the facts"),
    (a_later_fact, "lower: expected the use of what is shown before, found .*upper"),
    (itself, "lower: expected the use of what is shown before"),
    (hypothesis_in_the_base, "expected no induction hypothesis, for this is no step"),
    (out_of_range, r"k.low used where it holds, found j\+3 <= m is not known"),
    (range_not_known, r"expected a range that is known, found j\+2 <= m"),
    (negative_term, "k.low: expected a sum of terms >= 0, found -h1"),
    (unknown_sign, r"sweep.moves: expected a sum of terms >= 0, found .*the sign of .* is unknown"),
    (not_zero, "sweep.shift: expected a sum of terms = 0, found o"),
    (conditional, "expected the use of what holds without condition, found digit.differ"),
    (given_at_no_number, r"row.differ: expected one of 1 given equations, found number j\+1"),
    (context_after_the_second, "digit.same: expected a definition, found .*t''"),
    (fact_after_the_second, "small: expected the use of what is shown before, found .*B.two''"),
    (hypothesis_of_the_other, "expected the use of what is shown before, found .*before'"),
    (range_of_the_other, "expected the use of what is shown before, found .*range'"),
    (given_of_the_other, "expected a definition, found .*given'"),
    (mixed_contexts, "cat3.first: expected"),
    (no_such_definition, "small: expected a definition"),
    (definition_out_of_range, "definition t used where it holds, found 1 <= 0 is not known"),
    (too_few_indices, "t.grow at its indices"),
    (another_statement, "statement: expected"),
    (every_n, "statement: expected .*n >= 2"),
    (nothing_assumed, "assumed: expected"),
    (nothing_left_out, "not_covered: expected"),
    (nothing_false, r"not_covered: expected .*c.order, which is false at \(d, n\) = \(1, 2\)"),
    (claims_twice, "the ids of the claims"),
    (for_one_n_alone, "expected"),
    (coefficient_of_positions, "pos.bound: expected a sum that is the goal"),
    (dropped_step_of_positions, "lt.upper: expected .*step to j"),
    (dropped_base_of_positions, "l.order: expected .*base, j = i"),
    (missing_case_of_one_row, r"claim c.bound: .*pos.passed.one.*found .*nothing"),
    (missing_exception, "claim c.contextual: .*the facts that are enough"),
    (dropped_condition, "pos.passed.columns: expected .*3<=n"),
    (dropped_given, r"pos.passed.one: expected .*if b\[1\]"),
    (order_for_all, r"claim c.order: SYMBOLIC 4: pos.passed: expected .*found .*nothing"),
    (order_by_a_fact_that_is_not_for_all, "pos.passed.columns used where it holds, found 3 <= n is not known"),
    (one_row_everywhere, "again.order used where it holds, found d <= 1 is not known"),
    (one_row_for_all_rows, r"again.level: expected the goal -B - E \+ lt\[1\] \+ 1"),
    (weaker_bound_of_positions, r"pos.bound: expected the goal"),
    (mixed_contexts_of_positions, "again.above: expected a sum that is the goal"),
    (beyond_the_last_column, r"lt.grow used where it holds, found n <= n-1 is not known"),
    (repaired_order_without_its_condition, "claim c.order-repaired: .*statement: expected .*Unless d = 1 and n = 2"),
]


@pytest.mark.parametrize(("lie", "said"), LIES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_lie_is_rejected_for_its_reason(for_all, lie, said):
    document = copy.deepcopy(for_all)
    proof.check(document)
    lie(document)
    assert document != for_all
    with pytest.raises(Rejected, match=said):
        proof.check(document)


@pytest.mark.parametrize(
    ("name", "last"), [("t.grow", "j = 2, m = 3"), ("lt.grow", "j = 2"), ("pos.max.shifted", "i = 3, j = 3")]
)
def test_an_instance_left_out_of_what_is_written_out(for_three, name, last):
    document = copy.deepcopy(for_three)
    del fact_of(document, name)["obligations"][-1]
    with pytest.raises(Rejected, match=rf"{re.escape(name)}: expected .*{last}"):
        proof.check(document)


def test_what_is_for_d_1_and_n_2_has_no_obligations_at_another_n_and_can_not_be_used(for_three):
    document = copy.deepcopy(for_three)
    assert fact_of(document, "again.order")["obligations"] == []
    obligation(document, "pos.above", "j = 1")["use"].append({"fact": "again.order", "at": {}})
    with pytest.raises(Rejected, match=r"again\.order used where it holds, found d <= 1 is not known"):
        proof.check(document)


def test_a_fact_of_a_mixed_context_can_not_be_had(for_all):
    """That r[1] - K[1] - P[n+1] >= 0 is no instance of cat3.first', which speaks of R."""
    document = copy.deepcopy(for_all)
    one = obligation(document, "r.large", "base, j = 1")
    one["use"] = [{"fact": "cat3.first'", "at": {}}, {"fact": "k.low'", "at": {"i": "1"}}]
    with pytest.raises(Rejected, match=r"r.large, base, j = 1: expected a sum that is the goal"):
        proof.check(document)


def read_obligations(document):
    """Each obligation of the file, with what reads it."""
    n, shown = None if document["n"] == "all" else int(document["n"]), set()
    for said in document["facts"]:
        fact = table.FACT[said["name"]]
        for wanted, one in zip(proof.obligations(fact, n), said["obligations"], strict=True):
            yield proof._Reader(fact, wanted, set(shown), "", polynomial.Work()), one
        shown.add(fact.name)


def test_every_coefficient_counts(for_all, for_three):
    seen = 0
    for document in (for_all, for_three):
        for reader, one in read_obligations(document):
            reader.check(one)
            total = "h1 + 1" if one["sum"] == "0" else re.sub(r"^(-?)(\d*\*?)", r"\g<1>7919*", one["sum"], count=1)
            with pytest.raises((Rejected, Unreadable)):
                reader.check(one | {"sum": total.rstrip("*")})
            seen += 1
    assert seen > 600


@pytest.mark.parametrize(
    "change",
    [
        {"n": "1"}, {"n": "9"}, {"n": "04"}, {"n": "ten"}, {"n": 3}, {"verdict": "holds"}, {"more": []}, {"facts": [1]},
        {"claims": [{"id": "lemma6.1"}]}, {"claims": [{"id": "no.such", "statement": "", "facts": []}]}, {"n": "n+2"},
    ],
)  # fmt: skip
def test_what_has_not_the_shape_is_unreadable(for_all, change):
    with pytest.raises(Unreadable):
        proof.check(for_all | change)


@pytest.mark.parametrize(
    "words",
    ["", "+ 1", "1 + 1", "B*B", "2*1", "B^1", "B^0", "o*N", "-0", "0*B", "1 - 0", "B +1", "x[j+]", "k[-0]",
     "k[j+0]", "k[q]", "o[]", "o[--]", "o[+1]", "(B)", "B - - 1", "--1"],
)  # fmt: skip
def test_a_sum_that_is_not_written_as_it_must_be(for_all, words):
    document = copy.deepcopy(for_all)
    obligation(document, "small")["sum"] = words
    with pytest.raises((Unreadable, Rejected)):
        proof.check(document)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sum": "h1^51"}, "small: a term of degree 51, more than 50"),
        ({"sum": "*".join(f"z[{k}]" for k in range(10, 61))}, "small: a term of degree 51, more than 50"),
        ({"use": [{"fact": "B.two", "at": {}}] * 101}, "small: 101 of `use`, more than 100"),
        ({"replace": [{"fact": "B", "at": {}}] * 101}, "small: 101 of `replace`, more than 100"),
    ],
)
def test_what_could_take_for_ever_is_over_the_limit(for_all, changed, said):
    document = copy.deepcopy(for_all)
    obligation(document, "small").update(changed)
    with pytest.raises(OverLimit, match=said):
        proof.check(document)


def test_the_products_of_all_obligations_are_counted(for_all, monkeypatch):
    """A power that a hypothesis, which is zero, takes away again: the sum is the goal, but dear."""
    document, spent = copy.deepcopy(for_all), []
    one = obligation(document, "small")
    one["use"] += [{"fact": "t.most", "at": {}}, {"fact": "range", "at": {"low": "n", "high": "n"}}]
    one["sum"] = f"h4^12*h5 + {one['sum']}"
    for of in (for_all, document):
        spent.append(polynomial.Work())
        monkeypatch.setattr(proof, "Work", lambda: spent[-1])
        proof.check(of)
    plain, dear = (polynomial.MOST_PRODUCTS - work.left for work in spent)
    assert dear > 2 * plain
    monkeypatch.setattr(proof, "Work", lambda: polynomial.Work(dear - 1))
    proof.check(for_all)
    with pytest.raises(OverLimit, match="the file costs more than"):
        proof.check(document)


def test_no_mutation_makes_a_traceback(for_all, tmp_path):
    draw, text = random.Random(4), json.dumps(for_all)  # noqa: S311
    for _ in range(60):
        k = draw.randrange(len(text))
        broken = text[:k] + draw.choice('0193jknm*+-^[]{}",: ') + text[k + 1 :]
        try:
            proof.check(parse(broken))
        except (Rejected, Unreadable):
            continue
        assert json.loads(broken) == for_all, broken[k - 40 : k + 40]
    path = tmp_path / "lie.json"
    path.write_text(text.replace("2", "3"))
    done = run_checker([str(path)], capture=True)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stdout + done.stderr


def test_a_format_that_nobody_knows_is_called_that(tmp_path, capfd):
    path = tmp_path / "p.json"
    path.write_bytes((PROOFS / "symbolic/n2.json").read_bytes().replace(b"verifier.proof/1", b"verifier.proof/2"))
    assert main(["check", str(path)]) == 2
    said = (
        'unreadable: format: "verifier.proof/2" is none of verifier.certificate/1, verifier.proof/1, verifier.build/1\n'
    )
    assert capfd.readouterr().out.endswith(said)
