"""FORMAT own, 3: the layers are run again on every case, and what a certificate says must agree with itself."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ...core import frame
from ...core.comparing import OverLimit, Rejected, compare
from ...core.frame import Relation, coverage_of, verdict_of
from ...core.ledger import rational
from ...core.paper import Outcome, Paper
from ...core.reading import Unreadable, brief
from ...core.share import Options, Share, plan
from .layers import Matrix, numbers, run
from .reading import Reading, errors_of, loaded, refuse_other_claims

_RELATION = re.compile(r"(.*) (=|<=|>=|<|>) (.*)")


def images(carried: dict[str, Any], most: int) -> list[Matrix]:
    """The image of each case, after comparison with the one in the certificate."""
    networks, cases = carried["networks"], carried["cases"]
    for name, layers in networks.items():
        place = f"construction.networks.{brief(name)}"
        if any(len(layer) != 1 for layer in layers):
            raise Unreadable(f"{place}: a layer is attention, or feed-forward")
        if not all(one_line_each(layer["feed-forward"]) for layer in layers if "feed-forward" in layer):
            raise Unreadable(f"{place}: breaks increase, a piece is a pair, and there is one piece more than breaks")
    work = sum(len(networks.get(case["network"], ())) * len(case["X"][0] if case["X"] else ()) for case in cases)
    if work > most:
        raise OverLimit(f"{work:,} columns to run through layers, more than {most:,} (--max-points)")
    made = []
    for k, case in enumerate(cases):
        place = f"construction.cases[{k}]"
        if case["network"] not in networks:
            raise Unreadable(f"{place}.network: there is no such network")
        if not case["X"] or not case["X"][0] or len({len(row) for row in case["X"]}) != 1:
            raise Unreadable(f"{place}.X: a matrix has rows of one length")
        try:
            image = run(networks[case["network"]], numbers(case["X"]))
        except (ValueError, IndexError):  # from `strict=True`: sizes that don't fit one another
            raise Rejected("FORMAT own, 2, the layers", place, "weights of fitting shapes", "others") from None
        said = [[rational(x) for x in row] for row in image]
        compare(said, case["image"], f"{place}.image", "FORMAT own, 2, the layers run again")
        made.append(image)
    return made


def one_line_each(layer: dict[str, Any]) -> bool:
    """Whether phi is one line on each piece."""
    breaks, pieces = list(map(Fraction, layer["breaks"])), layer["pieces"]
    increase = all(a < b for a, b in pairwise(breaks)) and {*map(Fraction, layer["left_owned"])} <= {*breaks}
    return increase and len(pieces) == len(breaks) + 1 and all(len(piece) == 2 for piece in pieces)


def open_of(cert: dict[str, Any], *, by_reading: bool) -> str:
    """What was done again, and what stays the producer's word."""
    count = len(cert["construction"]["networks"])
    networks = f"the layers of {count} network{'s' * (count != 1)} were run again on every case"
    if by_reading:
        return (
            f"{networks}, and the claims derived from what they gave; the weights, and which network a case goes"
            " through, are the producer's alone"
        )
    return f"{networks}; which network a case goes through, the claims and their relations are the producer's alone"


def sizes_of(cases: list[dict[str, Any]], names: list[str]) -> dict[str, tuple[int, int]]:
    """The matrices, and the cases that stand for them, of each category and of all."""
    out = dict.fromkeys([*names, "total"], (0, 0))
    for k, case in enumerate(cases):
        if case["category"] not in names or case["matrices"] < 1:
            raise Rejected("FORMAT own, 3", f"construction.cases[{k}]", "a category of the coverage", "another")
        for name in (case["category"], "total"):
            out[name] = (out[name][0] + case["matrices"], out[name][1] + 1)
    return out


def relation_of(evidence: dict[str, Any], place: str) -> Relation:
    """The relation that the certificate states, as text and numbers."""
    match = _RELATION.fullmatch(evidence["relation"])
    if not match:
        raise Rejected("FORMAT own, 3", f"{place}.relation", "name, relation sign, name", "something else")
    value, bound = (_read(evidence[side]) for side in ("value", "bound"))
    if match[2] != "=" and not (isinstance(value, Fraction) and isinstance(bound, Fraction)):
        raise Rejected("FORMAT own, 3", place, "an inequality between two numbers", "lists")
    return Relation(match[1], value, match[2], match[3], bound)


def _read(value: Any) -> Any:
    return tuple(map(_read, value)) if isinstance(value, list) else Fraction(value)


def _claim(claim: dict[str, Any], cases: list[dict[str, Any]], place: str, *, over_space: bool) -> None:
    """Checks a claim's verdict and its evidence; evidence of a claim over the space is about the space's cases."""
    refuted = claim["verdict"] == "refuted"
    if refuted != ("counterexample" in claim) or (refuted and "edges" in claim):
        raise Rejected("FORMAT 7", place, "a counterexample of a refuted claim alone", "another", claim["id"])
    if claim["verdict"] in ("vacuous", "skipped") and (claim["cases"] or "why" not in claim or "edges" in claim):
        raise Rejected("FORMAT 7", place, "no case and a reason", "another", claim["id"])
    if refuted:
        evidence = claim["counterexample"]
        if relation_of(evidence, place).holds or not evidence["failing"] >= 1:
            raise Rejected(
                "FORMAT 7", f"{place}.counterexample", "a relation that fails", "one that holds", claim["id"]
            )
    for k, edge in enumerate(claim.get("edges", ())):
        relation = relation_of(edge, f"{place}.edges[{k}]")
        if relation.op == "=" or not relation.holds or rational(relation.slack) != edge["slack"]:
            raise Rejected("FORMAT 7", f"{place}.edges[{k}]", "an inequality with its slack", "another", claim["id"])
    if claim.get("edges"):
        tightest = min(claim["edges"], key=lambda edge: ("matrix" not in edge, Fraction(edge["slack"])))
        compare(tightest, claim.get("tightest"), f"{place}.tightest", "FORMAT 7, the least slack", claim["id"])
    for evidence in [*claim.get("edges", ()), *([claim["counterexample"]] if refuted else [])]:
        for name in ("matrix", "other"):
            if over_space and name in evidence and all(case["X"] != evidence[name] for case in cases):
                raise Rejected("FORMAT own, 3", f"{place}.{name}", "the matrix of a case", "another", claim["id"])


def check(paper: Paper, cert: dict[str, Any], options: Options) -> Outcome:
    made = images(cert["construction"], options.max_points)
    if options.reading:
        return by_reading(paper, cert, made, options)
    return alone(cert)


def by_reading(paper: Paper, cert: dict[str, Any], made: list[Matrix], options: Options) -> Outcome:
    """With the reader's own file: everything that the certificate says is derived anew."""
    with errors_of(options.reading):
        module = loaded(options.reading)
        compare(sorted(module.SIZES), sorted(cert["instance"]), "instance", "FORMAT own, 4, sizes")
        refuse_other_claims(module, cert)
        reading = Reading(module, cert, made)
        statements = {claim["id"]: claim["statement"] for claim in cert["claims"]}
        paper = replace(
            paper,
            sizes=tuple(module.SIZES),
            statements=statements,
            pairs=reading.pairs,
            checked_too=reading.checked_too,
        )
        outcome = frame.check(paper, reading, cert, options)
    left_out = [claim for claim in module.STATEMENTS if claim not in statements]
    more = f"; the second reading also has {', '.join(left_out)}, of which the file says nothing" if left_out else ""
    said = open_of(cert, by_reading=True) + more
    return replace(outcome, how=f"{outcome.how}, by the second reading that was given", open=said)


def alone(cert: dict[str, Any]) -> Outcome:
    """Without a second reading: the certificate must agree with itself, and with the cases that were run again."""
    cases, shards = cert["construction"]["cases"], cert["shards"]
    names = [name for name in cert["coverage"] if name != "total"]
    tiles = []
    if cert["coverage"]:
        compare(coverage_of(sizes_of(cases, names)), cert["coverage"], "coverage", "FORMAT own, 3, by the cases")
        tiles = [[start, stop] for start, stop in plan(len(cases))]
    compare(tiles, [[s["start"], s["stop"]] for s in shards], "shards", "FORMAT 8, shards tile the ranks")
    for k, shard in enumerate(shards):
        inside = cases[shard["start"] : shard["stop"]]
        compare(coverage_of(sizes_of(inside, names)), shard["coverage"], f"shards[{k}].coverage", "FORMAT 8")
    ids = [claim["id"] for claim in cert["claims"]]
    if len(set(ids)) != len(ids):
        raise Rejected("FORMAT 1", "claims", "each at most once", "one twice")
    for k, claim in enumerate(cert["claims"]):
        _claim(claim, cases, f"claims[{k}]", over_space=any(claim["id"] in shard["claims"] for shard in shards))
        for shard in shards:
            said = shard["claims"].get(claim["id"], {})
            if said.get("failing", 0) and claim["verdict"] != "refuted":
                raise Rejected("FORMAT 8", f"claims[{k}].verdict", "refuted, as a shard has it", claim["verdict"])
    verdict = verdict_of(cert["claims"])
    compare(verdict, cert["verdict"], "verdict", "FORMAT 1, verdict")
    every = Share(list(range(len(shards))), whole=True)
    return Outcome("the layers literally", len(shards), every, open_of(cert, by_reading=False))
