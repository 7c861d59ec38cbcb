"""FORMAT: a file. Of it the page, the sizes, what was exchanged and the claims' ids are read, and no more."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ..core.comparing import Rejected, compare
from ..core.reading import PAGE, VERDICTS, Unreadable, brief, decoded, parse, rational
from .cases import drawn
from .derive import (
    Limits,
    Run,
    Through,
    about_no_case,
    as_bytes,
    case_by_case,
    counts_of,
    deep,
    derived,
    listed,
    looking,
    page_verdict,
    said_of,
    started,
)
from .ledger import Ledger
from .numbers import ratio
from .tree import Claim, Page
from .words import MOST_BITS, Refused, Spent

WRONG = ("wrongly_accepted", "wrongly_rejected")
STEPS_A_SECOND = 5_000_000
ANY_NUMBER = 1 << MOST_BITS  # of cases
Asked = tuple[str, dict[str, int], dict[str, Fraction], list[str]]


@deep()
def check(data: bytes, limits: Limits | None = None, through: Through = case_by_case) -> dict[str, Any]:
    """Checks a file in full: Rejected, Unreadable or OverLimit, or what it says, which then is so."""
    value = parse(decoded(data))
    text, sizes, variant, ids = asked = asked_of(value)
    try:
        run = started(text, sizes, variant, limits or Limits())
        found = as_bytes(derived(run, text, ids, through))
    except Refused as error:
        raise Unreadable(f"the page: {error}") from None
    if found != data:
        compare(parse(found.decode()), value, "certificate", "derived from the page")
        lines = zip(found.split(b"\n"), data.split(b"\n"), strict=False)
        line = next((k for k, (a, b) in enumerate(lines, 1) if a != b), 0)
        raise Rejected("derived from the page", f"line {line}", "the bytes that FORMAT prescribes", "others")
    looked_at = ", ".join(["every case, every relation", *run.how])
    return answer(value, asked, run.page) | {"whole": True, "looked_at": looked_at}


def asked_of(value: Any) -> Asked:
    """The four members from which everything follows."""
    if type(value) is not dict or value.get("format") != PAGE:
        raise Unreadable(f"the file isn't an object with the format {PAGE}")
    text, sizes, variant, claims = (value.get(name) for name in ("page", "sizes", "variant", "claims"))
    if type(text) is not str:
        raise Unreadable("page: the text of a page is expected")
    if type(sizes) is not dict or not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise Unreadable("sizes: whole numbers, 0 or more, are expected")
    if "variant" in value and (type(variant) is not dict or not variant):
        raise Unreadable("variant: names and rationals are expected, or no such member")
    if type(claims) is not list or not all(type(one) is dict and type(one.get("id")) is str for one in claims):
        raise Unreadable("claims: a list of objects with an id is expected")
    exchanged = {name: Fraction(*rational(v, f"variant.{brief(name)}")) for name, v in (variant or {}).items()}
    return text, sizes, exchanged, [one["id"] for one in claims]


def answer(value: dict[str, Any], asked: Asked, page: Page) -> dict[str, Any]:
    text, sizes, variant, _ = asked
    kinds = {claim.id: claim.kind for claim in page.claims}
    return {
        "format": PAGE,
        "title": page.title,
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "sizes": {name: sizes[name] for name in page.sizes},
        "variant": {name: str(number) for name, number in variant.items()},
        "verdict": value.get("verdict"),
        "claims": [
            {name: one.get(name) for name in ("id", "verdict", "cases")} | {"kind": kinds.get(one["id"])}
            for one in value["claims"]
        ],
        "declared": list(kinds),
        "inputs": value.get("inputs"),
    }


def in_words(found: dict[str, Any]) -> str:
    """The answer on one line."""
    sizes = ", ".join(f"{name} = {size}" for name, size in found["sizes"].items())
    at = f" at {sizes}" if sizes else ""
    exchanged = "".join(f", VARIANT {name} = {value[:80]}" for name, value in found["variant"].items())
    verdicts = [f"{one['id']} {one['verdict']}" for one in found["claims"] if one["verdict"] != "holds"]
    how = "checked in full" if found["whole"] else f"checked in part, drawn by the seed {found['seed']}"
    said = f"the page {found['title']!a}{at}{exchanged}: {found['verdict']}"
    many = len(found["claims"])
    rest = f"; {', '.join(verdicts)}" if verdicts else ""
    return f"{how}: {said}; {many} claim{'s' * (many > 1)}{rest}; {found['looked_at']}"


def told(
    found: dict[str, Any], *, strict: bool
) -> tuple[str, str, int, dict[str, Any], tuple[str, ...], dict[str, str]]:
    """The verdict in a word or two, the sentence, the exit code, what a promise is compared with, the refuted claims,
    which page it is, and what was looked at if that isn't all."""
    vacuous = [one["id"] for one in found["claims"] if one["verdict"] == "vacuous"]
    refuted = tuple(one["id"] for one in found["claims"] if one["verdict"] == "refuted" and one["kind"] != "excluded")
    words, code = in_words(found), 0 if found["whole"] else 5
    verdict = "in part" if not found["whole"] else {"holds": "accepted"}.get(found["verdict"], found["verdict"])
    if found["verdict"] in ("incomplete", "vacuous") or (strict and vacuous):
        code, verdict = 5, "incomplete"
    left = {"page": found["digest"]} | ({} if found["whole"] else {"part": found["looked_at"]})
    return verdict, words, code, as_promised(found), refuted, left


def as_promised(found: dict[str, Any]) -> dict[str, Any]:
    """What a promise is compared with: a page is known by the SHA-256 of its text, its sizes in its own order."""
    return {
        "paper": f"page:{found['digest']}",
        "instance": dict(found["sizes"]),
        "variant": dict(found["variant"]),
        "claims": found["claims"],
        "declared": found["declared"],
    }


# A check in part
def within(data: bytes, seconds: int, limits: Limits, through: Through = case_by_case) -> dict[str, Any]:
    """In full if about so many seconds are enough for it; else of as many cases as they are enough for."""
    left = min(limits.steps, seconds * STEPS_A_SECOND)
    with suppress(Spent):
        return check(data, replace(limits, steps=left * 2 // 3), through)
    count, found, most = 4, dict[str, Any](), left // 3
    while most > 0:
        used, found = _sampled(data, count, "", Limits(steps=left))
        if 8 * used > most:
            break
        count, most = count * 4, most - used
    return found


@deep()
def sample(data: bytes, count: int, seed: str = "", limits: Limits | None = None) -> dict[str, Any]:
    """Runs the cases that the file names, and `count` others of each inputs, drawn anew each time or by a seed."""
    return _sampled(data, count, seed, limits or Limits())[1]


@deep()
def _sampled(data: bytes, count: int, seed: str, limits: Limits) -> tuple[int, dict[str, Any]]:
    """How many steps it took, and what is said."""
    value = parse(decoded(data))
    text, sizes, variant, ids = asked = asked_of(value)
    seed = seed or os.urandom(16).hex()
    try:
        run = started(text, sizes, variant, replace(limits, cases=ANY_NUMBER))
        without_cases(run, value, listed(run, ids))
        looked = list(parts(run, value, ids, count, seed))
    except Refused as error:
        raise Unreadable(f"the page: {error}") from None
    said = "; ".join(
        f"{many:,} of {total:,} cases of {name}, {known} of them named in the file"
        for name, many, total, known in looked
    )
    looked_at = f"looked at {said or 'what is about no case'}; no counts and no pairs"
    found = answer(value, asked, run.page) | {"whole": False, "seed": seed, "looked_at": looked_at}
    return limits.steps - run.budget.left, found


def without_cases(run: Run, value: dict[str, Any], claims: list[Claim]) -> None:
    """What follows without a case: the constants, the layers' forms, how many cases there are, the page's verdict."""
    members = {"format", "page", "sizes", "constants", "layers", "inputs", "claims", "verdict"}
    if set(value) - {"variant"} != members:
        raise Unreadable(f"the members of a certificate are {', '.join(sorted(members))}, and perhaps variant")
    compare(run.constants_said(), value["constants"], "constants", "derived from the page")
    compare(run.layers_said(), value["layers"], "layers", "derived from the page")
    said = [(claim, one.get("verdict")) for claim, one in zip(claims, value["claims"], strict=True)]
    if any(verdict not in VERDICTS for _, verdict in said):
        raise Unreadable(f"claims: a verdict is one of {', '.join(VERDICTS)}")
    compare(page_verdict(said), value["verdict"], "verdict", "that of its claims")
    inputs = value["inputs"]
    names = dict.fromkeys(claim.on for claim, verdict in said if claim.on and verdict != "skipped")
    if type(inputs) is not dict or set(inputs) != set(names) or not all(type(one) is dict for one in inputs.values()):
        raise Unreadable(f"inputs: an object with {', '.join(names) or 'nothing in it'} is expected")
    for name in names:
        total, kind = run.cases(run.page.inputs[name]).total, run.page.inputs[name].kind
        compare(total, inputs[name].get("cases"), f"inputs.{name}.cases", "derived from the page")
        compare(kind, inputs[name].get("kind"), f"inputs.{name}.kind", "derived from the page")


def parts(
    run: Run, value: dict[str, Any], ids: list[str], count: int, seed: str
) -> Iterator[tuple[str, int, int, int]]:
    said = {one["id"]: one for one in value["claims"]}
    ledgers = [Ledger(claim) for claim in listed(run, ids)]
    running = [one for one in ledgers if not skips(run, one, said[one.claim.id])]
    for ledger in running:
        shape(run, ledger, said[ledger.claim.id])
        if not ledger.claim.on:
            about_no_case(run, ledger)
            against(run, ledger, said[ledger.claim.id], None)
    for name in dict.fromkeys(ledger.claim.on for ledger in running if ledger.claim.on):
        mine = [ledger for ledger in running if ledger.claim.on == name]
        inputs, cases = run.page.inputs[name], run.cases(run.page.inputs[name])
        named = {rank for one in mine for rank in named_in(said[one.claim.id])}
        if any(rank >= cases.total for rank in named):
            raise Rejected("a case that is named", name, f"a rank below {cases.total}", str(max(named)))
        ranks = sorted(named | set(drawn(seed, name, cases.total, count)))
        looking(run, inputs, mine, counts_of(inputs))(cases.of(ranks))
        for ledger in mine:
            against(run, ledger, said[ledger.claim.id], set(ranks))
        yield name, len(ranks), cases.total, len(named)


def skips(run: Run, ledger: Ledger, said: dict[str, Any]) -> bool:
    skipped = run.skips(ledger.claim)
    if skipped != (said.get("verdict") == "skipped"):
        raise Rejected(
            "skipped", "verdict", "skipped" if skipped else "a verdict", brief(said.get("verdict")), said["id"]
        )
    return skipped


def shape(run: Run, ledger: Ledger, said: dict[str, Any]) -> None:
    """The claim has the lines of the page, and edges and a failure that can be compared."""
    lines, wanted = said.get("lines"), said_of(run, ledger.claim, ledger)["lines"]
    if type(lines) is not list or len(lines) != len(wanted):
        raise Unreadable(f"claim {said['id']}: its lines aren't those of the page")
    for ours, one in zip(wanted, lines, strict=True):
        same = type(one) is dict and all(one.get(key) == ours[key] for key in ("line", "column", "relation"))
        if not same or type(one.get("made")) is not int:
            raise Unreadable(f"claim {said['id']}: {brief(one)} isn't what the page has here")
        edge(one.get("least"), said["id"], slack=True)
        if "accepted" in ours:
            wrong = [one.get(name) for name in WRONG]
            counts = [one.get("accepted"), *(each.get("made") for each in wrong if type(each) is dict)]
            if len(counts) != 3 or any(type(many) is not int for many in counts):
                raise Unreadable(f"claim {said['id']}: {brief(one)} doesn't count its answers")
            for each in wrong:
                edge(each.get("first"), said["id"], slack=False)
    edge(said.get("first"), said["id"], slack=False)


def edge(found: Any, claim: str, *, slack: bool) -> None:
    if found is None:
        return
    ranks = found.get("ranks") if type(found) is dict else None
    if type(ranks) is not list or len(ranks) > 2 or not all(type(rank) is int and rank >= 0 for rank in ranks):
        raise Unreadable(f"claim {claim}: {brief(found)} names no cases by their ranks")
    if slack:
        rational(found.get("slack"), f"claim {claim}: slack")


def named_in(said: dict[str, Any]) -> list[int]:
    edges = [one.get("least") for one in said["lines"]] + [said.get("first")]
    edges += [one[name].get("first") for one in said["lines"] for name in WRONG if "accepted" in one]
    return [one["ranks"][0] for one in edges if one is not None and len(one["ranks"]) == 1]


def against(run: Run, ledger: Ledger, said: dict[str, Any], ranks: set[int] | None) -> None:
    """What these cases give, beside what the file says of all; ranks: of a claim about no case, None."""
    ours, claim = said_of(run, ledger.claim, ledger), said["id"]
    for mine, theirs, least in zip(ours["lines"], said["lines"], ledger.least, strict=True):
        where, edge_said = f"line {mine['line']}, {mine['relation']}", theirs.get("least")
        if mine["made"] > theirs["made"]:
            raise Rejected("what was made", where, f"at least {mine['made']}", str(theirs["made"]), claim)
        for name in WRONG if "accepted" in mine else ():
            answers(mine[name], theirs[name], f"{where}, {name}", claim, ranks)
        tighter = edge_said is None or least is None
        if least and edge_said:
            slack = ratio(*rational(edge_said["slack"], f"claim {claim}: slack"))
            tighter = (least.slack, list(least.ranks)) < (slack, edge_said["ranks"])
        if edge_said and ours_to_see(edge_said["ranks"], ranks):
            compare(mine.get("least"), edge_said, where, "the least slack", claim)
        elif least and tighter:
            raise Rejected("the least slack", where, brief(mine["least"]), brief(edge_said), claim)
    first = said.get("first")
    if first and ours_to_see(first["ranks"], ranks):
        compare(ours.get("first"), first, "first", "the first failure", claim)
    elif ledger.first and (first is None or list(ledger.first.ranks) < first["ranks"]):
        raise Rejected("the first failure", "first", brief(ours["first"]), brief(first), claim)
    follows = "refuted" if first else "holds" if any(one["made"] for one in said["lines"]) else "vacuous"
    compare(follows, said["verdict"], "verdict", "the verdict", claim)


def answers(mine: dict[str, Any], theirs: dict[str, Any], where: str, claim: str, ranks: set[int] | None) -> None:
    """What a `recognises` says wrongly in one way, at these cases and of all."""
    ours, said = mine.get("first"), theirs.get("first")
    if mine["made"] > theirs["made"]:
        raise Rejected("wrong answers", where, f"at least {mine['made']}", str(theirs["made"]), claim)
    if said and ours_to_see(said["ranks"], ranks):
        compare(ours, said, where, "the first wrong answer", claim)
    elif ours and (said is None or ours["ranks"] < said["ranks"]):
        raise Rejected("the first wrong answer", where, brief(ours), brief(said), claim)


def ours_to_see(named: list[int], ranks: set[int] | None) -> bool:
    return not named if ranks is None else len(named) == 1 and named[0] in ranks
