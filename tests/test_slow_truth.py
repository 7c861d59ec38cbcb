"""The page of Yun et al. against the definitions, written once more and naively in slow_truth.py."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

import slow_truth as truth
from verifier import Page

PLACES = [(1, 2, 2), (1, 2, 3), (1, 3, 3), (1, 3, 4), (2, 2, 2)]


def by_orbit(d, n, N):
    """Each orbit of G+ once: its category, and the values of q."""
    delta = Fraction(1, N)
    u = [delta**-i for i in range(d)]
    found, many = {}, Counter()
    for X in truth.g_plus(d, n, N):
        category = truth.category(X)
        many[category] += 1
        key = tuple(sorted(zip(*X, strict=True)))
        if key not in found:
            found[key] = category, truth.ids(u, truth.g_c(d, n, N, X)[-1])
    return found, many


@pytest.mark.parametrize("place", PLACES)
def test_lemma_6_has_the_slacks_of_the_definitions(place):
    d, n, N = place
    delta = Fraction(1, N)
    t_l, t_r = (delta ** -(k * d) * delta * (delta**-d - 1) for k in (2 * n, 2 * n + 1))
    orbits, many = by_orbit(*place)
    contexts = [sorted(q) for category, q in orbits.values() if category == 1]
    others = [value for category, q in orbits.values() if category != 1 for value in q]
    values = sorted((value, k) for k, q in enumerate(contexts) for value in q)
    apart = [b - a for (a, i), (b, j) in pairwise(values) if i != j]
    wanted = {
        "lemma6.1": [min(b - a for q in contexts for a, b in pairwise(q))],
        "lemma6.2": [min(apart)] if apart else [],
        "lemma6.3": [min(q[0] for q in contexts) - t_l, t_r - max(q[-1] for q in contexts)],
    }
    outside = [t_l - value if value < t_l else value - t_r for value in others]
    assert min(outside) >= 0

    found = Page.named("yun2020").run(["grid", "lemma6"], d=d, n=n, N=N)
    for id_, slacks in wanted.items():
        assert [Fraction(line["least"]["slack"]) for line in found[id_]["lines"] if "least" in line] == slacks, id_
    least = [Fraction(line["least"]["slack"]) for line in found["lemma6.4"]["lines"] if "least" in line]
    assert min(least) == min(outside)
    said = found.content["inputs"]["Gplus"]
    assert said["cases"] == len(orbits)
    assert [one["inputs"] for one in said["categories"].values()] == [many[k] for k in (1, 2, 3)]
