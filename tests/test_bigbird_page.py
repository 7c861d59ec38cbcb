"""BigBird as a page says what its certificates of format 1 said: verdicts, numbers of cases, first
counterexamples, how many fail, least slacks and their cases. Where it doesn't, it stands here, with the reason."""

import json
import re
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest

import bigbird_truth as truth
from verifier.page import Page

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "verifier/pages/bigbird2020.page").read_text(encoding="utf-8")
FOLDER = ROOT / "tests/format_1/bigbird2020"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

# Of the 32 readings, the page's cases, format 1 named none; the page names the one at which fewest contexts fail.
READINGS = "readings."
# Entries of q that contexts share: how many more entries there are, counted in each context, than different ones over
# all. Format 1 counted the contexts that share an entry with an earlier one: at (1, 3, 2) in some reading only 6.
COUNTED_OTHERWISE = "readings.contextual"
SHARED = {"d1-n2-N2": (6, 8), "d1-n2-N3": (12, 18), "d1-n3-N2": (14, 24), "d2-n2-N2": (20, 32)}


@cache
def committed(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def exact(value):
    return [exact(v) for v in value] if isinstance(value, list) else Fraction(value)


def context(matrix, sizes):
    """The columns C of a matrix (x_0, ..., x_n) of format 1: without x_0, E and the last row."""
    B = sizes["N"] ** sizes["d"]
    columns = list(zip(*exact(matrix)[:-1], strict=True))[1:]
    return [[entry - (B**i if i else 0) for entry in column] for i, column in enumerate(columns)]


def cases(seen, sizes):
    return [context(seen[key], sizes) for key in ("matrix", "other") if key in seen]


def line(relation):
    """Relations of one line of the page: their names but for the indices that it runs through."""
    if "after phase" in relation or re.fullmatch(r"(l|f|f~_0)[_^]\d+ < (f|l|f~_0)[_^]\d+", relation):
        return "l_0" if relation.endswith("l_0") else "l_i < l_(i+1)" if relation.count("l_") > 1 else "in order"
    return re.sub(r"(?<=[_^])\d+", "k", relation)


def of_format_1(claim, sizes):
    found = {"verdict": claim["verdict"], "cases": claim["cases"]}
    if "counterexample" in claim:
        seen = claim["counterexample"]
        found["first"] = exact(seen["value"]), exact(seen["bound"]), cases(seen, sizes), seen["failing"]
    else:
        least = {}
        for edge in claim.get("edges", []):
            this = exact(edge["slack"]), cases(edge, sizes), exact(edge["value"]), exact(edge["bound"])
            key = line(edge["relation"]) if claim["id"] != "recursion.invariant3" else "in order"
            least[key] = min(this, least.get(key, this))
        found["least"] = sorted(least.values())
    return found


def of_a_page(claim):
    found = {"verdict": claim["verdict"], "cases": claim["cases"]}
    if "first" in claim:
        seen = claim["first"]
        found["first"] = exact(seen["value"]), exact(seen["bound"]), exact(seen["cases"]), claim["failing"]
    else:
        named = not claim["id"].startswith(READINGS)
        least = [line["least"] for line in claim.get("lines", []) if "least" in line]
        found["least"] = sorted(
            (exact(e["slack"]), exact(e["cases"]) if named else [], exact(e["value"]), exact(e["bound"])) for e in least
        )
    return found


def differing(text, name, ids="all"):
    """The claims of the page of which the certificate says something else."""
    certificate = committed(name)
    old = {claim["id"]: of_format_1(claim, certificate["instance"]) for claim in certificate["claims"]}
    if COUNTED_OTHERWISE in old:
        found, all_of_them = map(Fraction, SHARED[name])
        old[COUNTED_OTHERWISE]["least"] = [(all_of_them - found, [], found, all_of_them)]
    new = Page(text).run(ids, jobs=1, **certificate["instance"]).content["claims"]
    return {claim["id"] for claim in new if of_a_page(claim) != old[claim["id"]]}


def test_the_page_has_every_claim():
    assert len(NAMES) == 4
    for name in NAMES:
        assert {claim["id"] for claim in committed(name)["claims"]} == set(Page(TEXT).claims)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_the_certificate_says(name):
    assert differing(TEXT, name) == set()


# A neighbourhood, a threshold, an end of a sweep, an index, a bound, a factor: a verdict, a count, a slack or a case is
# another one.
CHANGES = [
    ("j > 0 if i = 0 else", "j >= 0 if i = 0 else", "bigbird.lemma2-keys"),
    ("(id(x[i]) - (v - delta/2)) over", "(id(x[i]) - v) over", "bigbird.lemma2"),
    ("(id(x[j]) - (v - delta/2)) * id(x[i])", "(id(x[i]) - (v - delta/2)) * id(x[j])", "bigbird.lemma2-keys"),
    ("if v - delta/2 <= l[i]", "if v - delta/2 < l[i]", "bigbird.lemma2-edges"),
    ("{0, delta, ..., 1}^d", "{0, delta, ..., 1-delta}^d", "bigbird.closed-grid"),
    ("power[k+lows(r)]-delta+ends", "power[k+lows(r)]-2*delta+ends", "bigbird.layers"),
    ("for v in [S[k-1+highs(r)], S[k-1+highs(r)]+delta,", "for v in [0, delta,", "bigbird.high"),
    ("b = delta^-(n*d+d) +", "b = 2*delta^-(n*d+d) +", "bigbird.bounds"),
    ("S[k] = printed(k, [power[t-1]", "S[k] = printed(k, [power[t]", "bigbird.bounds"),
    ("(k+p-1) mod n + 1", "(p-1) mod n + 1", "recursion.invariant3"),
    ("ends(r) = r mod 2", "ends(r) = 1", "bigbird.layers"),
    ("(1 if inside else 0) *", "1 *", "readings.low"),
    ("if open[k]]", "if k > 1]", "readings.contextual"),
    ("(B-1)*l[t] + l[t+1]", "B*l[t] + l[t+1]", "repair.expansion"),
    ("[S'[k-1], S'[k-1]+delta, ..., T'[k-1]]", "[S'[k-1], S'[k-1]+delta, ..., T'[k-1]-delta]", "repair.contextual"),
    ("least[i] = E[i] *", "least[i] = 2*E[i] *", "repair.ids"),
    ('skipped if B = 2 and n mod 2 = 1 "', 'skipped if B = 2 "', "repair.global"),
]


@pytest.mark.parametrize(("old", "new", "claim"), CHANGES, ids=[f"{k}-{c[2]}" for k, c in enumerate(CHANGES)])
def test_a_change_of_the_text_is_noticed(old, new, claim):
    assert TEXT.count(old) == 1
    assert differing(TEXT.replace(old, new), "d1-n2-N2", [claim]) == {claim}


def looked_at(d, n, N, start, low, high, ends, closed):
    """By the layers at each level at which a token is, of every context: how many contexts each step fails at, how many
    different entries their q have, counted in each and over all."""
    delta, B, u = Fraction(1, N), N**d, truth.u(d, n, N)
    S, T = ([truth.bound(d, n, N, k, up) for k in range(n + 1)] for up in (0, 1))
    sweeps = []
    for k in range(1, n + 1):
        sweeps += [(B, B ** (k - 1 + low), B ** (k + low)), (B**n, S[k - 1 + high], T[k - 1 + high])]
    sweeps.append((B ** (n * n), S[1], T[n]))
    failing, each, entries = [0] * 5, 0, set()
    for context in truth.contexts(d, n, N, closed):
        X = truth.tokens(d, n, N, context, B ** (n + start))
        ids, moves = [truth.ids(X, u)], []
        for rho, first, end in sweeps:
            moves.append([0] * (n + 1))
            v = first - delta
            while there := [z for z in truth.ids(X, u) if v < z < end + ends * delta]:
                v = min(there)
                new = truth.layer(X, u, rho, v, delta, truth.star(n))
                moves[-1] = [m + (x != y) for m, x, y in zip(moves[-1], X, new, strict=True)]
                X = new
            ids.append(truth.ids(X, u))
        l, f = ids[0], [None, *(ids[2 * k - 1][k] for k in range(1, n + 1))]
        f_0 = [ids[2 * k][0] for k in range(n + 1)]
        following = [None, *l[2:], min(ids[2 * n - 1])]
        phases = range(1, n + 1)
        steps = (
            all(moves[2 * k - 2] == [i == k for i in range(n + 1)] for k in phases)
            and all(f[k] == B * (f_0[k - 1] - l[k]) + l[k] for k in phases),
            all(moves[2 * k - 1] == [i == 0 for i in range(n + 1)] for k in phases)
            and all(f_0[k] == B**n * (f[k] - following[k]) + f_0[k - 1] for k in phases),
            all(S[k] < f_0[k] < T[k] for k in range(n + 1)),
            all(T[k - 1] <= f[k] < S[k] for k in phases),
            all(
                a < b
                for k in phases
                for a, b in pairwise([*ids[2 * k][k + 1 :], *ids[2 * k][1 : k + 1], ids[2 * k][0]])
            ),
        )
        failing = [count + (not right) for count, right in zip(failing, steps, strict=True)]
        each, entries = each + len(set(ids[-1][1:])), entries | set(ids[-1][1:])
    return [*failing, each, len(entries)]


def in_every_reading(text, **sizes):
    """Whether the page's numbers of all 32 readings are those that the layers give."""
    wanted = [looked_at(**sizes, start=r[0], low=r[1], high=r[2], ends=r[3], closed=r[4]) for r in READINGS_OF]
    text += f"""
wanted = {wanted}
claim readings.wanted, own, "-", on readings:
  "What the layers give."
  for s in 1..6: found(s) = wanted[2*reading-1 + R[5]][s]
  different_q[R[5] + 1][reading] = wanted[2*reading-1 + R[5]][7]
"""
    return Page(text).run("readings.wanted", jobs=1, **sizes).verdict


READINGS_OF = list(product((0, 1), repeat=5))


@pytest.mark.parametrize(
    "sizes", [{"d": 1, "n": 2, "N": 2}, {"d": 1, "n": 2, "N": 3}, {"d": 2, "n": 2, "N": 2}, {"d": 1, "n": 3, "N": 2}]
)
def test_each_reading_is_what_its_layers_give(sizes):
    assert in_every_reading(TEXT, **sizes) == "holds"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("starts(r) = r div 8", "starts(r) = 1 - r div 8"),
        ("lows(r) = r", "lows(r) = 1 - r"),
        ("highs(r) = r", "highs(r) = 1 - r"),
        ("ends(r) = r mod 2", "ends(r) = 1 - r mod 2"),
        ("if inside else 0)", "if inside else 1)"),
        ("distinct(entries(r))]", "1]"),
        ("if open[k]]", "if k > 1]"),
        ("T[k-1] <= moved(r, k)", "S[k] <= moved(r, k)"),
        ("far[0] = delta^-d", "far[0] = 2*delta^-d"),
    ],
)
def test_a_change_of_a_reading_is_noticed(old, new):
    assert TEXT.count(old) == 1
    assert in_every_reading(TEXT.replace(old, new), d=1, n=2, N=3) == "refuted"
