"""From the search to the bytes of a symbolic certificate, as proofs/SYMBOLIC.md has it."""

import re
from collections.abc import Iterable
from typing import Any

from verifier.catalogue import all_claims
from verifier.catalogue import choose as chosen_claims
from verifier.certificate import canonical
from verifier.symbolic.algebra import text, written
from verifier.symbolic.claims import CLAIMS, OWN, facts_of, false_for
from verifier.symbolic.concrete import violation
from verifier.symbolic.declarations import ALL, Fact
from verifier.symbolic.prove import PAPER, Attempt, Obligation, Setting, Shown, Step, Unproved, obligations, tightened
from verifier.symbolic.prove import without as weakened

FORMAT = "verifier.proof/1"
MOST_N = 5  # the largest n for proofs that are written out; for n = 6 the file would have 50 MB
MOST_SHOWN = 12  # facts that failed, for which an instance is searched
ASSUMED = (
    "the integers are an ordered ring, and induction",
    "the contextual maps are those of FORMAT 3 and 11, their rows, columns and layers the definitions of SYMBOLIC 3",
    "that running the layers on families of ids and on pieces of the line, as SYMBOLIC 5 has it, is running the"
    " network",
    "the arguments of SYMBOLIC 5 that put together what is derived there: by induction on levels, rows and shifts, and"
    " of what claims say besides inequalities",
)


def choose_proved(claims: str, n: int | None) -> list[str]:
    """The claims that the words stand for, all of which have a proof here, for this n or for all."""
    ids, none = choose(claims, n)
    none += [i for i in ids if i in false_for(n)]
    if none:
        raise ValueError(f"no symbolic proof of {', '.join(none)}")
    return ids


class NotProved(Exception):
    """Obligations without a proof, the first of each fact; with an instance that violates one, if one was found."""

    def __init__(self, failed: list[Unproved], setting: Setting, n: int | None) -> None:
        said = [(error, violation(setting, error.obligation.fact, n)) for error in failed[:MOST_SHOWN]]
        error, instance = next(((e, found) for e, found in said if found), said[0])
        self.refuted = instance is not None
        end = f"violated at {instance}" if instance else "no instance that violates it was found"
        super().__init__(f"not proved: {error}; {end}")


def choose(claims: str | None, n: int | None = None) -> tuple[list[str], list[str]]:
    """The claims that the words stand for: those that have facts here, and those that have none."""
    if claims is None:
        return [i for i in CLAIMS if i not in false_for(n)], []
    named = claims.split(",")
    own = {i for i in OWN if {i, i.partition(".")[0], "all"} & set(named)}
    others = [name for name in named if name not in ("sharp", *OWN)]
    found = [claim.id for claim in chosen_claims(others)] if others else []
    return [i for i in CLAIMS if i in own or i in found], [i for i in found if i not in CLAIMS]


def search(
    ids: Iterable[str], n: int | None = None, setting: Setting = PAPER
) -> tuple[dict[str, list[Shown]], list[Unproved]]:
    """Proofs of the facts that these claims need, and of those that they use; each unproved fact's first failure."""
    wanted = set().union(*(facts_of(i) for i in ids))
    shown: dict[str, list[Shown]] = {}
    failed: list[Unproved] = []
    for fact in reversed(setting.facts.values()):  # what a fact uses comes before it
        if fact.name in wanted:
            try:
                parts = obligations(fact, n, setting.least_n)
                shown[fact.name] = [Attempt(obligation, setting).shown() for obligation in parts]
            except Unproved as error:
                failed.append(error)
                continue
            wanted |= {step.fact.rstrip("'") for one in shown[fact.name] for step, _, _ in one.used}
    idle = [name for name, fact in setting.facts.items() if fact is not PAPER.facts[name] and name not in wanted]
    if idle and not failed:
        raise ValueError(f"{idle[0]} is no fact that the chosen claims rest on")
    return shown, failed[::-1]


def prove(ids: Iterable[str], n: int | None = None, setting: Setting = PAPER) -> dict[str, Any]:
    """The certificate of these claims, for this n or for all; raises NotProved if one of their facts isn't shown."""
    chosen = [i for i in CLAIMS if i in set(ids)]
    shown, failed = search(chosen, n, setting)
    if failed:
        raise NotProved(failed, setting, n)
    missing = [i for i in CLAIMS if i not in chosen and i not in false_for(n)]
    return {
        "format": FORMAT,
        "n": "all" if n is None else str(n),
        "statement": "The contextual maps of Lemma 6 and of Appendix C of Yun et al. (ICLR 2020): each claim below is"
        f" proved {'for every n >= 2' if n is None else f'for n = {n}'}, and for every d >= 1 and N >= 2, from the"
        " facts that stand with it, and each fact from its obligations.",
        "claims": [_claim(i) for i in chosen],
        "facts": [_fact(fact, shown[fact.name]) for fact in setting.facts.values() if fact.name in shown],
        "assumed": list(ASSUMED),
        "not_covered": [
            *false_for(n).values(),
            *([f"not asked for: {', '.join(missing)}"] if missing else []),
            "every claim that is not listed",
        ],
        "verdict": "proved",
    }


def claimed(without: str | None, tighten: str | None) -> Setting:
    """The facts as the paper has them, or stronger ones, which should fail."""
    if tighten is None:
        return weakened(without) if without else PAPER
    name, _, by = tighten.partition("=")
    if without or name not in PAPER.facts or PAPER.facts[name].equal or not re.fullmatch("[1-9][0-9]{0,9}", by):
        raise ValueError(
            f"{tighten!a}: give FACT=K, and not together with --without. FACT is the name of an inequality (`verify"
            " prove --format markdown` lists them), K a whole number from 1 to 9,999,999,999"
        )
    return tightened(name, int(by))


def to_bytes(document: dict[str, Any]) -> bytes:
    return canonical(document)


def words_of(claim: str) -> str:
    known = all_claims()
    return f"{known[claim].says} [{known[claim].formula}]" if claim in known else OWN[claim]


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
                "replace": [_step(step) for step, _, _ in one.replaced],
                "use": [_step(step) for step, _, _ in one.used],
                "sum": written(one.total or []),
            }
            for one in shown
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {"fact": step.fact, "at": dict(step.at)}
