"""The papers as pages say what the committed certificates of format 1 say: verdicts, numbers of cases, least slacks and
their cases, first counterexamples, how many fail. Where they don't, it stands here, with the reason."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from gmpy2 import mpq

from verifier.language.words import Refused
from verifier.page import Page

ROOT = Path(__file__).parent.parent
CERTIFICATES = ROOT / "tests/format_1/yun2020"
TEXT = (ROOT / "verifier/pages/yun2020.page").read_text(encoding="utf-8")

# Claims about pairs that no case has: format 1 counts no case, a page those that it looked at.
PAIRS = {"lemma10.injective", "lemma6.2"}
# What a case of another kind shows: the widths eps and 1/eps, where format 1 shows the block's matrix.
SHOWN_OTHERWISE = {"lemma9.layerwise", "lemma9.last-first"}
# A column with a sentinel is one case for all positions, and was one for each; the two activations of the quantiser
# were looked at in each of its layers.
FEWER_CASES = {"hu.ids-sentinel", "lemma5.activations"}
# Pieces of the real line, for each row, were the cases of format 1; now each is a relation of so many first lines.
PIECES = {"lemma5.quantizes": 3, "c.quantizes": 1, "exact.quantizes": 3}
# Pairs of contexts that share a column and a sum were the cases of format 1; the contexts that are in one are now.
CONTEXTS_FOR_PAIRS = {"s6.average"}
# A value inside the interval: format 1 shows it beside the upper end (its other line could not fail), a page beside the
# nearer one.
NEARER_END = {"b5.cat3-final", "slides.sentinel"}
# Relations that could not fail: M is S (U+1) (1 + n F), and the formula of the four ReLUs has four.
DROPPED = {"exact.everywhere": "S (U+1) (1 + n F) <= M", "lemma9.relu": "ReLUs <= 4"}
# Claims with a symbol for every weight: no page says these. Coq does, for every size, Network_equivariant.
WITH_SYMBOLS = {"claim1.attention", "claim1.feedforward"}


@cache
def committed(name):
    return json.loads((CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))


def exact(value):
    return [exact(v) for v in value] if isinstance(value, list) else Fraction(value)


def columns(matrix):
    """A matrix of format 1, a list of rows, as pages show it."""
    return [list(column) for column in zip(*exact(matrix), strict=True)]


def of_format_1(claim):
    found = {"verdict": claim["verdict"], "cases": claim["cases"]}
    if "counterexample" in claim:
        seen = claim["counterexample"]
        value, bound = exact(seen["value"]), exact(seen["bound"])
        if isinstance(value, list) and isinstance(value[0], list):
            value, bound = columns(seen["value"]), columns(seen["bound"])
        found["first"] = (value, bound, _cases(seen), seen["failing"])
    elif claim["id"] not in SHOWN_OTHERWISE:
        edges = [edge for edge in claim.get("edges", []) if edge["relation"] != DROPPED.get(claim["id"])]
        found["least"] = sorted((exact(e["slack"]), exact(e["value"]), exact(e["bound"]), _cases(e)) for e in edges)
    return found


def _cases(seen):
    return [columns(seen[key]) for key in ("matrix", "other") if key in seen]


def of_a_page(claim):
    found = {"verdict": claim["verdict"], "cases": claim["cases"]}
    if claim["id"] in PIECES:
        found["cases"] = sum(line["made"] for line in claim["lines"][: PIECES[claim["id"]]])
    if "first" in claim:
        seen = claim["first"]
        found["first"] = (exact(seen["value"]), exact(seen["bound"]), exact(seen["cases"]), claim["failing"])
    elif claim["id"] not in SHOWN_OTHERWISE:
        least = [line["least"] for line in claim["lines"] if "least" in line]
        found["least"] = sorted(
            (exact(e["slack"]), exact(e["value"]), exact(e["bound"]), exact(e["cases"])) for e in least
        )
    return found


def differing(text, name, ids=None):
    """The claims of a page of which the certificate says something else."""
    page, certificate = Page(text), committed(name)
    old = {claim["id"]: claim for claim in certificate["claims"]}
    wanted = [id_ for id_ in page.claims if id_ in old and (ids is None or id_ in ids)]
    assert wanted
    variant = {number: mpq(value) for number, value in certificate.get("variant", {}).items()}
    content = page.run(wanted, variant, **certificate["instance"]).content
    return {c["id"] for c in content["claims"] if not same(of_format_1(old[c["id"]]), of_a_page(c), c["id"])}


def same(old, new, id_):
    if id_ in PAIRS and old["verdict"] == "vacuous":
        return new["verdict"] == "vacuous"
    if id_ in CONTEXTS_FOR_PAIRS or id_ in FEWER_CASES:
        old, new = ([found["verdict"], *(e[:3] for e in found.get("least", []))] for found in (old, new))
        return old == new
    if id_ in SHOWN_OTHERWISE and "first" in old:
        old, new = ({**found, "first": found["first"][:2] + found["first"][3:]} for found in (old, new))
    if id_ in NEARER_END and "first" in old and "first" in new:
        old, new = ({**found, "first": found["first"][:1] + found["first"][2:]} for found in (old, new))
    return old == new


@pytest.mark.parametrize(
    "name",
    [
        "d1-n2-N3",
        "d1-n3-N2",
        "variants/factor-B-1",
        "variants/t_l-at-a-value",
        "variants/t_r-at-a-value",
        "paper/d1-n2-N3",
        "paper/d1-n3-N2",
    ],
)
def test_the_page_says_what_the_certificate_says(name):
    assert differing(TEXT, name) == set()


@pytest.mark.thorough
@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "d1-n3-N3",
        "d2-n2-N2",
        "variants/sentinel-delta",
        "variants/factor-1",
        "variants/factor-B+1",
        "variants/global-factor",
        *(f"paper/{name}" for name in ("d1-n2-N2", "d1-n2-N4", "d1-n3-N3", "d2-n2-N2")),
    ],
)
def test_at_more_sizes_and_of_variants(name):
    assert differing(TEXT, name) == set()


def test_every_claim_of_the_certificates_is_on_the_page_but_those_with_symbols():
    page = set(Page(TEXT).claims)
    certified = {claim["id"] for name in ("d1-n2-N3", "paper/d1-n2-N3") for claim in committed(name)["claims"]}
    assert certified - page == WITH_SYMBOLS
    assert page <= certified


@pytest.mark.parametrize("claim", PIECES)
@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        (
            "-a if 0 <= a < delta",
            "-a if 0 <= a <= delta",
            ["1/2", "0"],
        ),  # wrong at the ends of the pieces alone
        (
            "-a if 0 <= a < delta",
            "1 - a if a = 1/97 else -a if 0 <= a < delta",
            ["1/97", "0"],
        ),  # in one point
        ("x[i][r] - v)", "x[i][r] - v + x[i][3-r])", None),  # rows that aren't apart
    ],
)
def test_a_quantiser_that_is_wrong_somewhere_is_refuted_with_an_exact_number(claim, old, new, first):
    assert Page(TEXT).run([claim], d=2, n=2, N=2).verdict == "holds"
    broken = Page(TEXT.replace(old, new))
    if first is None:
        with pytest.raises(Refused, match="depends on two of the real numbers"):
            broken.run([claim], d=2, n=2, N=2)
        return
    (entry,) = broken.run([claim], d=2, n=2, N=2).content["claims"]
    assert entry["verdict"] == "refuted"
    assert entry["first"]["letters"]["e" if claim == "exact.quantizes" else "c"] == first


# An operator, an index, a bound, a constant, a guard, a layer: a verdict, a count, a slack or a case is another one.
CHANGES = [
    ("d1-n2-N3", "rho = delta^-d ", "rho = delta^-d + 1 ", "lemma6.3"),
    ("d1-n2-N3", "[0, delta, ..., (B-1)*delta]", "[delta, 2*delta, ..., (B-1)*delta]", "b5.max-min"),
    ("d1-n2-N3", "[delta/2 - v]", "[-delta/2 - v]", "b5.shift"),
    ("d1-n2-N3", "  q[j] < t_r\n", "  q[j] <= t_r - 1\n", "lemma6.3"),
    ("d1-n2-N3", "beyond - q[j]: q[j] >= beyond", "beyond - q[j]: q[j] >= beyond + 1", "b5.cat3-final"),
    ("d1-n2-N3", "on Gplus if not category1:\n  \"Every", "on Gplus if category3:\n  \"Every", "lemma6.4"),
    ("d1-n2-N3", "max(t) <= lower - delta", "max(t) <= lower", "b5.cat2-bound"),
    ("paper/d1-n2-N3", "[0, delta], [0, 0], [-1, 0]", "[0, delta], [0, 0], [-1, 1]", "lemma5.activations"),
    ("paper/d1-n2-N3", "if a < 0 or a >= 1 else", "if a < 0 or a > 1 else", "lemma5.quantizes"),
    ("paper/d1-n2-N3", "if e < 0 or e >= 1 else", "if e <= 0 or e >= 1 else", "exact.quantizes"),
    ("paper/d1-n2-N3", "layers(g_q') = d*n/delta\nclaim", "layers(g_q') = d*n\nclaim", "c.quantizes"),
    ("paper/d1-n2-N3", "if t_l <= id(x[i]) <= t_r", "if t_l <= id(x[i])", "lemma7.reject"),
    ("paper/d1-n2-N3", "-delta/2 <= a < delta/2", "-delta/2 <= a < delta/2 + 2", "lemma7.map-bounded"),
    ("paper/d1-n2-N3", "mod 5 - 2) * delta", "mod 5 - 1) * delta", "lemma7.map-bounded"),
    ("paper/d1-n2-N3", "- slope(k)) * relu(a - c[k]", "+ slope(k)) * relu(a - c[k]", "lemma9.relu"),
    ("paper/d1-n2-N3", ">= delta^2/2", ">= delta^2/3", "lemma9.softmax"),
    ("paper/d1-n2-N3", "w[0] = 20200426", "w[0] = 20200427", "s6.bilinear"),
    ("paper/d1-n2-N3", "(j + k - 2) mod n", "(j + k - 1) mod n", "s6.sepconv"),
    ("paper/d1-n2-N3", "columns c in {-delta^(n*d),", "columns c in {-delta^-(n*d),", "slides.sentinel"),
    ("paper/d1-n2-N3", "[s[j], s[j]+delta, ...,", "[s[j]+delta, s[j]+2*delta, ...,", "c.order"),
    ("paper/d1-n2-N3", "far' = n *", "far' = (n+1) *", "c.bound"),
    ("paper/d1-n2-N3", "J = n + 3*n", "J = n + 2*n", "hu.outside"),
    ("paper/d1-n2-N3", "F_0 = (n+1)^B", "F_0 = n^B", "exact.keys"),
    ("paper/d1-n2-N3", "W_K = [0 * u]\nW_Q = [0 * u]", "W_K = [u]\nW_Q = [u]", "exact.softmax"),
    ("paper/d1-n2-N3", "relu(e - 1 + eps) - (S_0 - 1 + eps)", "relu(e - 1 + eps) - (S_0 - 1)", "exact.everywhere"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "claim"), CHANGES, ids=[c[-1] for c in CHANGES])
def test_a_change_of_the_text_is_noticed(name, old, new, claim):
    assert TEXT.count(old) == 1
    assert differing(TEXT.replace(old, new), name, {claim}) == {claim}
