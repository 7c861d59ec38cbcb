"""From the search to the bytes of a symbolic certificate, as proofs/SYMBOLIC.md has it."""

from collections.abc import Iterable
from typing import Any

from verifier.certificate import canonical
from verifier.claims.registry import all_claims
from verifier.symbolic.algebra import text, written
from verifier.symbolic.claims import CLAIMS, SHARP, facts_of
from verifier.symbolic.declarations import ALL, Fact
from verifier.symbolic.prove import Attempt, Obligation, Shown, Step, obligations

FORMAT = "verifier.proof/1"
ASSUMED = (
    "the integers are an ordered ring, and induction",
    "the contextual map is that of FORMAT 3, its rows, columns and layers the definitions of SYMBOLIC 3",
    "the rules of SYMBOLIC 5, each argued there from the facts that make it",
)


def prove(ids: Iterable[str], n: int | None = None) -> dict[str, Any]:
    """The certificate of these claims, for this n or for all; Unproved where one of their facts isn't."""
    chosen = [i for i in CLAIMS if i in set(ids)]
    wanted = set().union(*(facts_of(i) for i in chosen))
    shown: dict[str, list[Shown]] = {}
    for fact in reversed(ALL):  # what a fact uses comes before it
        if fact.name in wanted:
            shown[fact.name] = [Attempt(obligation).shown() for obligation in obligations(fact, n)]
            wanted |= {step.fact.rstrip("'") for one in shown[fact.name] for step in one.used}
    missing = [i for i in CLAIMS if i not in chosen]
    return {
        "format": FORMAT,
        "n": "all" if n is None else str(n),
        "statement": f"The contextual map of Lemma 6 of Yun et al. (ICLR 2020): each claim below is proved"
        f" {'for every n >= 2' if n is None else f'for n = {n}'}, and for every d >= 1 and N >= 2, from the facts that"
        " stand with it, and each fact from its obligations.",
        "claims": [_claim(i) for i in chosen],
        "facts": [_fact(fact, shown[fact.name]) for fact in ALL if fact.name in shown],
        "assumed": list(ASSUMED),
        "not_covered": [
            *([f"not asked for: {', '.join(missing)}"] if missing else []),
            "every claim that is not listed",
        ],
    }


def to_bytes(document: dict[str, Any]) -> bytes:
    return canonical(document)


def words_of(claim: str) -> str:
    known = all_claims()
    return f"{known[claim].says} [{known[claim].formula}]" if claim in known else SHARP[claim]


def _claim(claim: str) -> dict[str, Any]:
    enough = facts_of(claim)
    return {
        "id": claim,
        "statement": words_of(claim),
        "facts": [fact.name for fact in ALL if fact.name in enough],
    }


def statement(fact: Fact) -> str:
    """`for [range]: if [what is given]: [goal] >= 0; by induction on j from 1`."""
    said = f"for {fact.where}: " if fact.where else ""
    here = Obligation(fact, "", {}, None)
    given, goal = here.given, here.goal
    said += f"if {' and '.join(f'{symbol} = {text(by)}' for symbol, by in given)}: " if given else ""
    said += f"{text(goal)} {'=' if fact.equal else '>='} 0"
    return said + (f"; by induction on {fact.induction}" if fact.induction else "")


def _fact(fact: Fact, shown: list[Shown]) -> dict[str, Any]:
    return {
        "name": fact.name,
        "statement": statement(fact),
        "obligations": [
            {
                "case": one.obligation.case,
                "goal": text(one.obligation.goal),
                "replace": [_step(step) for step in one.replaced],
                "use": [_step(step) for step in one.used],
                "sum": written(one.total),
            }
            for one in shown
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {"fact": step.fact, "at": dict(step.at)}
