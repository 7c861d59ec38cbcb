"""The papers as pages say what the committed certificates of format 1 say: verdicts, numbers of cases, least slacks and
their cases, first counterexamples, how many fail. Where they don't, it stands here, with the reason."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from gmpy2 import mpq

from verifier.page import Page

ROOT = Path(__file__).parent.parent
CERTIFICATES = ROOT / "proofs/certificates"
PAGES = ("yun2020", "positional", "exact")
TEXTS = {name: (ROOT / f"verifier/pages/{name}.page").read_text(encoding="utf-8") for name in PAGES}

# Claims about pairs that no case has: format 1 counts no case, a page those that it looked at.
PAIRS = {"lemma10.injective", "lemma6.2"}
# What a case of another kind shows: the widths eps and 1/eps, where format 1 shows the block's matrix.
SHOWN_OTHERWISE = {"lemma9.layerwise", "lemma9.last-first"}
# A column with a sentinel is one case for all positions, and was one for each.
FEWER_CASES = {"hu.ids-sentinel"}
# Pairs of contexts that share a column and a sum were the cases of format 1; the contexts that are in one are now.
CONTEXTS_FOR_PAIRS = {"s6.average"}
# A value inside the interval: format 1 shows it beside the upper end (its other line could not fail), a page beside the
# nearer one.
NEARER_END = {"b5.cat3-final", "slides.sentinel"}
# Relations that could not fail: M is S (U+1) (1 + n F), and the formula of the four ReLUs has four.
DROPPED = {"exact.everywhere": "S (U+1) (1 + n F) <= M", "lemma9.relu": "ReLUs <= 4"}
# Claims that wait for a primitive: about every real number (three have a claim about points in their place), about the
# pieces of an activation, and with symbols.
WAITING = {
    "lemma5.quantizes": "lemma5.points",
    "c.quantizes": "c.points",
    "exact.quantizes": "exact.points",
    "lemma5.activations": None,
    "claim1.attention": None,
    "claim1.feedforward": None,
}


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
        return [old["verdict"], *(e[:3] for e in old["least"])] == [new["verdict"], *(e[:3] for e in new["least"])]
    if id_ in SHOWN_OTHERWISE and "first" in old:
        old, new = ({**found, "first": found["first"][:2] + found["first"][3:]} for found in (old, new))
    if id_ in NEARER_END and "first" in old and "first" in new:
        old, new = ({**found, "first": found["first"][:1] + found["first"][2:]} for found in (old, new))
    return old == new


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("yun2020", "d1-n2-N3"),
        ("yun2020", "d1-n3-N2"),
        ("yun2020", "variants/factor-B-1"),
        ("yun2020", "variants/t_l-at-a-value"),
        ("yun2020", "variants/t_r-at-a-value"),
        *((page, "paper/d1-n2-N3") for page in PAGES),
        ("yun2020", "paper/d1-n3-N2"),
        ("exact", "paper/d1-n3-N2"),
    ],
)
def test_a_page_says_what_the_certificate_says(page, name):
    assert differing(TEXTS[page], name) == set()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("yun2020", "d1-n3-N3"),
        ("yun2020", "d2-n2-N2"),
        ("yun2020", "variants/sentinel-delta"),
        ("yun2020", "variants/factor-1"),
        ("yun2020", "variants/factor-B+1"),
        ("yun2020", "variants/global-factor"),
        *((page, f"paper/{name}") for page in PAGES for name in ("d1-n2-N2", "d1-n2-N4", "d1-n3-N3", "d2-n2-N2")),
        ("positional", "paper/d1-n3-N2"),
    ],
)
def test_at_more_sizes_and_of_variants(page, name):
    assert differing(TEXTS[page], name) == set()


def test_every_claim_of_the_certificates_is_on_a_page_or_waits():
    pages = {id_ for text in TEXTS.values() for id_ in Page(text).claims}
    certified = {claim["id"] for name in ("d1-n2-N3", "paper/d1-n2-N3") for claim in committed(name)["claims"]}
    assert certified - pages == set(WAITING)
    assert pages - certified == {points for points in WAITING.values() if points}


@pytest.mark.parametrize("sizes", [{"d": 1, "n": 2, "N": 3}, {"d": 2, "n": 2, "N": 2}])
@pytest.mark.parametrize("page", PAGES)
def test_the_quantisers_take_points_to_their_corners(page, sizes):
    claims = [id_ for id_ in Page(TEXTS[page]).claims if id_ in WAITING.values()]
    assert len(claims) == 1
    assert Page(TEXTS[page]).run(claims, **sizes).verdict == "holds"
    broken = TEXTS[page].replace("down(x[i][r] - v)", "down(x[i][r] - v - delta/4)")
    assert Page(broken).run(claims, **sizes).verdict == "refuted"


# An operator, an index, a bound, a constant, a guard, a layer: a verdict, a count, a slack or a case is another one.
CHANGES = [
    ("yun2020", "d1-n2-N3", "rho = delta^-d ", "rho = delta^-d + 1 ", "lemma6.3"),
    ("yun2020", "d1-n2-N3", "[0, delta, ..., (B-1)*delta]", "[delta, 2*delta, ..., (B-1)*delta]", "b5.max-min"),
    ("yun2020", "d1-n2-N3", "[delta/2 - v]", "[-delta/2 - v]", "b5.shift"),
    ("yun2020", "d1-n2-N3", "  q[j] < t_r\n", "  q[j] <= t_r - 1\n", "lemma6.3"),
    ("yun2020", "d1-n2-N3", "beyond - q[j]: q[j] >= beyond", "beyond - q[j]: q[j] >= beyond + 1", "b5.cat3-final"),
    ("yun2020", "d1-n2-N3", "on Gplus if not category1:\n  \"Every", "on Gplus if category3:\n  \"Every", "lemma6.4"),
    ("yun2020", "d1-n2-N3", "max(t) <= lower - delta", "max(t) <= lower", "b5.cat2-bound"),
    ("yun2020", "paper/d1-n2-N3", "if t_l <= id(x[i]) <= t_r", "if t_l <= id(x[i])", "lemma7.reject"),
    ("yun2020", "paper/d1-n2-N3", "-delta/2 <= a < delta/2", "-delta/2 <= a < delta/2 + 2", "lemma7.map-bounded"),
    ("yun2020", "paper/d1-n2-N3", "mod 5 - 2) * delta", "mod 5 - 1) * delta", "lemma7.map-bounded"),
    ("yun2020", "paper/d1-n2-N3", "- slope(k)) * relu(a - c[k]", "+ slope(k)) * relu(a - c[k]", "lemma9.relu"),
    ("yun2020", "paper/d1-n2-N3", ">= delta^2/2", ">= delta^2/3", "lemma9.softmax"),
    ("yun2020", "paper/d1-n2-N3", "w[0] = 20200426", "w[0] = 20200427", "s6.bilinear"),
    ("yun2020", "paper/d1-n2-N3", "(j + k - 2) mod n", "(j + k - 1) mod n", "s6.sepconv"),
    ("yun2020", "paper/d1-n2-N3", "columns c in {-delta^(n*d),", "columns c in {-delta^-(n*d),", "slides.sentinel"),
    ("positional", "paper/d1-n2-N3", "[s[j], s[j]+delta, ...,", "[s[j]+delta, s[j]+2*delta, ...,", "c.order"),
    ("positional", "paper/d1-n2-N3", "far = n *", "far = (n+1) *", "c.bound"),
    ("positional", "paper/d1-n2-N3", "J = n + 3*n", "J = n + 2*n", "hu.outside"),
    ("exact", "paper/d1-n2-N3", "F = (n+1)^B", "F = n^B", "exact.keys"),
    ("exact", "paper/d1-n2-N3", "W_K = [0 * u]\nW_Q = [0 * u]", "W_K = [u]\nW_Q = [u]", "exact.softmax"),
    ("exact", "paper/d1-n2-N3", "relu(e - 1 + eps) - (S - 1 + eps)", "relu(e - 1 + eps) - (S - 1)", "exact.everywhere"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "name", "old", "new", "claim"), CHANGES, ids=[c[-1] for c in CHANGES])
def test_a_change_of_the_text_is_noticed(page, name, old, new, claim):
    assert TEXTS[page].count(old) == 1
    assert differing(TEXTS[page].replace(old, new), name, {claim}) == {claim}
