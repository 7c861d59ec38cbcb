"""What the checker says of a certificate that stands: its verdict in a word or two, and a sentence for a person."""

from __future__ import annotations

import re
from typing import Any

from .core.paper import Outcome, Paper
from .core.reading import VERDICTS, brief

ACCEPTED, REFUTED, IN_PART, INCOMPLETE = "accepted", "refuted", "in part", "incomplete"


def aside(claim: dict[str, Any], paper: Paper) -> bool:
    """An excluded reading that fails, which decides nothing."""
    return claim["verdict"] == "refuted" and claim["id"] in paper.excluded


def unseen(paper: Paper, o: Outcome) -> frozenset[str]:
    """The claims that were not looked at: in a part those about pairs."""
    return frozenset() if o.share.whole else paper.pairs


def confirmed(cert: dict[str, Any], paper: Paper, o: Outcome) -> list[dict[str, Any]]:
    """The refuted claims, except excluded readings and those that were not looked at."""
    refuted = [claim for claim in cert["claims"] if claim["verdict"] == "refuted" and not aside(claim, paper)]
    return [claim for claim in refuted if claim["id"] not in unseen(paper, o)]


def lacking(cert: dict[str, Any], *, strict: bool) -> str:
    """Why a certificate that is right establishes less than its claims, if so."""
    by = {v: ", ".join(claim["id"] for claim in cert["claims"] if claim["verdict"] == v) for v in VERDICTS}
    skipped, vacuous = by["skipped"], by["vacuous"]
    if cert["verdict"] == "incomplete":
        return f"skipped: {skipped}" if skipped else f"every claim is vacuous: {vacuous}"
    return f"--strict: vacuous: {vacuous}" if strict and vacuous else ""


def part(cert: dict[str, Any], paper: Paper, o: Outcome) -> tuple[str, str]:
    """Which part was checked, and what was not."""
    share, all_of_them = o.share, f"of 0..{o.shards - 1}"
    seed = f"drawn with the seed {share.seed}"
    words = f"shards {', '.join(map(str, share.shards))} {all_of_them}"
    if share.seed is not None:
        words = f"{len(share.shards)} of {o.shards} shards, {seed} ({', '.join(map(str, share.shards))})"
    if share.stretch:
        k, start, stop = share.stretch
        size = cert["shards"][k]["stop"] - cert["shards"][k]["start"]
        which = f"{stop - start:,} of the {size:,} {paper.several} of shard {k}"
        words = f"{which}, {seed}, from rank {start:,}"
    left = (
        ["the other shards' counts" if share.shards else "the shards' counts"] if len(share.shards) < o.shards else []
    )
    pairs = [claim["id"] for claim in cert["claims"] if claim["id"] in paper.pairs]
    left += [f"pairs ({', '.join(pairs)})"] if pairs else []
    return words, ", and ".join(left) or "nothing"


def verdict(cert: dict[str, Any], paper: Paper, o: Outcome, *, strict: bool) -> str:
    if confirmed(cert, paper, o):
        return REFUTED
    if not o.share.whole:
        return IN_PART
    return INCOMPLETE if lacking(cert, strict=strict) else ACCEPTED


def sentence(cert: dict[str, Any], paper: Paper, o: Outcome, *, strict: bool) -> str:
    refuted, lacks = confirmed(cert, paper, o), lacking(cert, strict=strict)
    words = "checked" if refuted or lacks else "checked in full"
    if not o.share.whole:
        which, left = part(cert, paper, o)
        words = f"checked in part: {which}, and how all shards make up the claims; NOT checked: {left}"
    if refuted:
        said = "; ".join(map(refutation, refuted[:3])) + (f" and {len(refuted) - 3} more" if refuted[3:] else "")
        words += f"; REFUTED, as it says: {said}"
    words += f"; INCOMPLETE: {lacks}" if lacks else ""
    sizes = ", ".join(str(cert["instance"][name]) for name in paper.sizes)
    words += f": ({', '.join(paper.sizes)}) = ({sizes})"
    for name, value in cert.get("variant", {}).items():
        words += f", VARIANT {name} = {value if len(value) < 80 else brief(value)}"
    stand = [claim for claim in cert["claims"] if not aside(claim, paper)]
    for its_verdict, its_words in ({v: v for v in VERDICTS} | {"holds": "claims hold"}).items():
        its = [claim["id"] for claim in stand if claim["verdict"] == its_verdict]
        count = sum(id_ not in unseen(paper, o) for id_ in its)
        words += (
            f", {count} {its_words.replace('claims hold', 'claim holds') if count == 1 else its_words}" if count else ""
        )
        if count < len(its):
            words += f", {len(its) - count} {its_words.removeprefix('claims ')} as it says, NOT looked at"
    if excluded := [claim["id"] for claim in cert["claims"] if aside(claim, paper)]:
        words += f", {len(excluded)} excluded reading{'s' * (len(excluded) > 1)} failing ({', '.join(excluded)})"
    ran = f"no {paper.several.removesuffix('s')} was to be run"
    if total := cert["coverage"].get("total"):
        ran = f"{total['orbits']} {paper.several} ({total['matrices']} matrices)"
    return f"{words}; {', '.join(filter(None, (ran, o.how)))}"


def refutation(claim: dict[str, Any]) -> str:
    c = claim["counterexample"]
    where = [f"[{'; '.join(', '.join(row) for row in c[key])}]" for key in ("matrix", "other") if key in c]
    name, operator, limit = re.findall("(.*) (=|[<>]=?) (.*)", c["relation"])[0]  # the last sign: names may have others
    value, bound = (str(c[key]).replace("'", "")[:100] for key in ("value", "bound"))
    should = bound if operator == "=" else f"{operator} {bound if limit == bound else f'{limit} = {bound}'}"
    return f"{claim['id']} fails{' at ' if where else ''}{' and '.join(where)[:200]}: {name} = {value}, not {should}"
