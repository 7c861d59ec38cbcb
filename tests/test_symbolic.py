"""Symbolic proofs: what they say is what the network does; what is false has none; what lies is rejected."""

import random
import re
from itertools import combinations, product
from pathlib import Path

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from cli import main
from verifier.checker.symbolic import proof
from verifier.checker.symbolic.facts import FACTS, ROWS, TEXT
from verifier.checker.symbolic.polynomial import index_text, text
from verifier.checking import run_checker
from verifier.symbolic import algebra
from verifier.symbolic.algebra import expand, terms
from verifier.symbolic.certificate import CLAIMS, NotProved, choose, choose_proved, claimed, of_page, prove, to_bytes
from verifier.symbolic.concrete import violation
from verifier.symbolic.facts import facts
from verifier.symbolic.facts import read as read_by_the_producer
from verifier.symbolic.prove import PAPER, of_text, without
from verifier.symbolic.report import as_markdown

PROOFS = Path(__file__).parent.parent / "proofs"


# ---- what is committed


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "n"), [("all", None), ("n2", 2), ("n3", 3), ("n4", 4)])
def test_the_committed_proofs_are_derived_anew_and_checked(name, n):
    path, (ids, _) = PROOFS / f"symbolic/{name}.json", choose(None, n)
    assert set(CLAIMS) - set(ids) == (set() if n in (3, 4) else {"c.order"})
    assert path.read_bytes() == to_bytes(prove(ids, n))
    done = run_checker(["--promise", f"* {n or '*'} * {','.join(ids)} proved", str(path)])
    assert done.code == 0, done.words
    assert f"{len(ids)} claims" in done.words


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


def test_the_proof_to_be_read_has_every_claim_fact_and_obligation(for_all):
    text = as_markdown(for_all)
    for claim in for_all["claims"]:
        assert f"- `{claim}`" in text
    assert text.count("\n**") == len(for_all["facts"])
    assert text.count("\n  - $= ") == sum(len(fact["obligations"]) for fact in for_all["facts"])


@pytest.mark.thorough
def test_a_promise_of_more_is_not_kept():
    path = str(PROOFS / "symbolic/n3.json")
    assert run_checker(["--promise", "* * * lemma6 proved", path]).code == 1
    assert run_checker(["--promise", "* 3 * grid proved", path]).code == 2
    assert run_checker(["--promise", "1 3 4 lemma6", path]).code == 1
    assert run_checker(["--promise", "* 3 * all proved", path]).code == 0
    assert run_checker(["--promise", "* 3 * c,theorem3 proved", path]).code == 0
    for_all_n = run_checker(["--promise", "* * * c proved", str(PROOFS / "symbolic/all.json")])
    assert for_all_n.code == 1
    assert "doesn't have c.order" in for_all_n.words


# ---- the text, which both read


def test_both_read_the_same():
    """Each with code of its own: every polynomial, range, condition and induction, and what follows from what."""
    mine, its = facts(), FACTS
    assert list(mine.facts) == list(its.facts)
    for fact, other in zip(mine.facts.values(), its.facts.values(), strict=True):
        assert (algebra.text(fact.goal), fact.equal) == (text(other.goal), other.equal)
        bounds = [tuple(map(algebra.index_text, pair)) for pair in fact.where]
        assert bounds == [tuple(map(index_text, pair)) for pair in other.range]
        equations = [(str(symbol), algebra.text(by)) for symbol, by in fact.given]
        assert equations == [(text(e.atom), text(e.by)) for e in other.given]
        assert (fact.variable, algebra.index_text(fact.start)) == (other.variable, index_text(other.start))
        assert len(fact.cases) == (1 + len(its.defined[other.cases].further) if other.cases else 0)
    assert list(mine.definitions) == list(its.defined)
    for definition, other in zip(mine.definitions.values(), its.defined.values(), strict=True):
        found = [algebra.text(p) for p in (definition.symbol, *definition.by)]
        assert found == [text(p) for p in (other.atom, other.by, *other.further)]
    assert mine.rules == its.rules
    assert {i: (c.parts, c.says) for i, c in mine.claims.items()} == {
        i: (c.parts, c.says) for i, c in its.claims.items()
    }
    assert mine.slack == {name for s in its.slack for name in (s, f"{s}'" if s in its.context else s)}
    assert (list(mine.second), mine.assumed, mine.lines) == (list(its.context), its.assumed, list(its.lines))


def test_ranges_are_bounded_so_that_writing_them_out_is_all():
    for fact in FACTS.facts.values():
        known = (*FACTS.instance, *fact.range)
        letters = {name for p in (fact.goal, *(e.by for e in fact.given)) for m in p for name, _ in m}
        assert {name for name in letters if name in "ijmef"} <= set(fact.indices), fact.name
        for name in set(fact.indices) - set(ROWS):
            assert proof.follows((("", 0), (name, 0)), known), fact.name
            assert proof.follows(((name, 0), ("n", 1)), known), fact.name


def test_what_is_shared_by_contexts_is_not_made_of_what_is_not():
    for equation in FACTS.defined.values():  # but B and N, of any context
        ((((left, _),),)) = equation.atom
        parts = {name.partition("[")[0] for m in equation.by for name, _ in m}
        own = set(FACTS.context)
        assert left.partition("[")[0] in own | {"B", "N"} or not parts & own or left[:3] in ("low", "top"), left


def test_every_claim_is_one_of_the_page_or_has_words_and_every_fact_is_used():
    assert {i for i, claim in CLAIMS.items() if claim.says} == {"sharp.lower", "sharp.upper", "c.order-repaired"}
    assert all((i in of_page()) != bool(claim.says) for i, claim in CLAIMS.items())
    assert [i for i in of_page() if i.startswith(("c.", "lemma6.", "lemma10.", "b5.")) and i not in CLAIMS] == []
    needed = set().union(*(facts().enough(claim) for claim in CLAIMS))
    lemmas = {"p.one", "P.one", "P.grow", "k.order", "t.beyond", "t.order", "t.lower", "t.upper", "t.most"}
    lemmas |= {"U.wide", "U.most", "E.wider", "E.most", "l.low", "l.order", "lt.beyond", "lt.order", "lt.upper"}
    lemmas |= {"B.two", "row.high", "sentinel.bound", "k.high", "id.rows"}
    assert set(FACTS.facts) - needed == lemmas | {"lower.step", "upper.step", "small", "r.grow"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in PAPER.facts if name != "pos.passed"])
def test_no_fact_is_violated_at_a_small_instance(name):
    assert violation(PAPER, PAPER.facts[name]) is None


# ---- the recursions


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


# ---- what is false has no proof


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.parametrize("condition", ["3 <= n", "2 <= d"])
def test_the_repaired_order_needs_its_condition(condition):
    """Each of the two facts, said for all n and d, is false at that instance."""
    weaker = of_text(read_by_the_producer(TEXT.replace(f" and {condition}: lt[j]", ": lt[j]")))
    with pytest.raises(NotProved, match=r"violated at \(d, n, N\) = \(1, 2, 2\), matrix 1/2,1, j = 1"):
        prove(["c.order-repaired"], None, weaker)


def test_conditions_that_the_order_with_positions_needs():
    assert violation(without("N>=2"), PAPER.facts["lt.grow"]).startswith("(d, n, N) = (1, 2, 1), matrix 0,1, j = 1")
    assert violation(without("n>=2"), PAPER.facts["lt.beyond"]).startswith("(d, n, N) = (1, 1, 2), matrix 0, j = 1")


def test_N_at_least_2_is_needed_by_a_claim_of_the_paper():
    at_1 = violation(without("N>=2"), PAPER.facts["cat2.bound.one"])
    assert at_1 == "(d, n, N) = (1, 2, 1), ids [0]: -1 instead of >= 0"


@pytest.mark.thorough
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
    """Of two contexts none is tried; apart.across=24 is violated at (1, 2, 3), ids [0, 1] and [1, 2]."""
    assert main(["prove", "--claims", "lemma6.2", "--tighten", "apart.across=24"]) == 5
    assert "; no instance that violates it was found\n" in capsys.readouterr().err


def test_a_certificate_is_written_and_checked(tmp_path, capsys):
    path = tmp_path / "p.json"
    assert main(["prove", "--claims", "lemma6.3", "--certificate", str(path), "--format", "markdown"]) == 0
    assert "Lemma 6, Property 3" in capsys.readouterr().out
    assert main(["check", str(path)]) == 0
