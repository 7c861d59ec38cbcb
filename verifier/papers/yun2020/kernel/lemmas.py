"""The claims about every head, every layer and every order of the columns, from the layers that change a case alone.

For the paper's construction with other numbers, whichever they are. Its heads are psi(X; b), so that Lemmas H, S and P
(FORMAT.md, 4) say what each of them reads, what each layer adds, and that the order of the columns doesn't matter:

    b5.head             holds: it is Lemma H
    b5.shift            fails where an id is a threshold, or where a layer adds a multiple of max - min that isn't the
                        paper's
    b5.lattice          fails where an entry of a matrix of the run is off the lattice, or the mean that a head reads
                        where an id is its threshold
    lemma6.equivariant  holds: it is Lemma P

A check here says only whether a case fails. The relation that is shown is made anew by the claim's own check, which
runs every layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from verifier.catalogue import all_claims
from verifier.core.claim import Claim, Relation, Relations
from verifier.core.exact import Q, Vector
from verifier.core.lanewise import choose, is_whole, largest, smallest
from verifier.papers.yun2020.case import Case


def _stretches(case: Case) -> Iterator[tuple[Vector, Any, Any]]:
    """The ids before the first layer and after each that changes the matrix, and the first and the last layer of the
    sweep that meets them."""
    ids, first = case.ids(case.X), 0
    for layer, after in case.changes:
        yield ids, first, layer
        ids, first = case.ids(after), layer + 1
    yield ids, first, case.map.instance.B - 1


def _shift(case: Case) -> Relations:
    """Layer k has the thresholds k - 1/2 and k + 1/2, in units of delta."""
    N, papers = case.map.instance.N, case.map.instance.sweep_factor
    same = case.map.sweep.layers[0].heads[0].W_O[0][0] == papers  # type: ignore[attr-defined]
    for ids, first, last in _stretches(case):  # after a change in the last layer none is left: first > last
        moved = 0 if same else choose(largest(ids) > smallest(ids), 1, 0)
        for id_ in ids:
            twice = 2 * N * id_
            wrong = choose(is_whole((twice - 1) / 2), 1, moved)
            met = choose(twice >= 2 * first - 1, choose(twice <= 2 * last + 1, wrong, 0), 0)
            met = choose(first <= last, met, 0)
            yield Relation("columns on a threshold, or shifted by another factor", met, "=", "none", 0)
    zeros = _zeros(case.swept)
    yield Relation("ids on the last threshold", choose(zeros < len(case.swept), zeros, 0), "=", "none", 0)


def _zeros(ids: Vector) -> Any:
    return sum(choose(id_ == Q(0), 1, 0) for id_ in ids)


def _lattice(case: Case) -> Relations:
    N = case.map.instance.N
    for X in (case.X, *(after for _, after in case.changes), case.final_matrix):
        for x in (x for row in X for x in row):
            yield _on_lattice(N * x)
    mean = sum(case.swept) * N / len(case.swept)
    yield _on_lattice(choose(_zeros(case.swept) > 0, mean, 0))


def _on_lattice(number: Any) -> Relation:
    return Relation("numbers off the lattice", choose(is_whole(number), 0, 1), "=", "none", 0)


def _holds(case: Case) -> Relations:  # noqa: ARG001
    return iter(())


CHECKS = {"b5.head": _holds, "b5.shift": _shift, "b5.lattice": _lattice, "lemma6.equivariant": _holds}


def by_lemmas(claims: Sequence[Claim]) -> list[Claim]:
    """The claims, those that the lemmas settle with the checks of this module."""
    papers = all_claims("yun2020")
    return [
        replace(claim, check=CHECKS[claim.id], silence_holds=True)
        if claim.id in CHECKS and claim is papers[claim.id]
        else claim
        for claim in claims
    ]
