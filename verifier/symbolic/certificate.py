"""From the search to the bytes of a symbolic certificate, as proofs/SYMBOLIC.md has it."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from verifier.evaluate.certificate import canonical
from verifier.language.library import PAGES, text_of
from verifier.language.parse import parse
from verifier.language.tree import Claim
from verifier.symbolic.algebra import text, written
from verifier.symbolic.concrete import violation
from verifier.symbolic.prove import PAPER, Attempt, Setting, Shown, Step, Unproved, obligations, tightened
from verifier.symbolic.prove import without as weakened

FORMAT = "verifier.proof/2"
MOST_N = 5  # the largest n for proofs that are written out; for n = 6 the file would have 50 MB
MOST_SHOWN = 12  # facts that failed, for which an instance is searched
CLAIMS = PAPER.text.claims


@cache
def of_page() -> dict[str, Claim]:
    """The claims of the page that the facts are about."""
    return parse(text_of(PAGES / "yun2020.page")).claims


def words_of(claim: str) -> str:
    return CLAIMS[claim].says or of_page()[claim].words


def choose_proved(claims: str, n: int | None) -> list[str]:
    """The claims that the words stand for, all of which have a proof here, for this n or for all."""
    ids, none = choose(claims, n)
    none += [i for i in ids if i not in PAPER.text.claimed(n)]
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
        return PAPER.text.claimed(n), []
    known = [*CLAIMS, *(i for i in of_page() if i not in CLAIMS)]
    found = dict[str, None]()
    for name in claims.split(","):
        its = [i for i in known if name in ("all", i, i.partition(".")[0])]
        if not its:
            raise ValueError(f"{name!a} is no claim of the page yun2020, none that is proved here, and no family")
        found |= dict.fromkeys(its)
    return [i for i in CLAIMS if i in found], [i for i in found if i not in CLAIMS]


def search(
    ids: Iterable[str], n: int | None = None, setting: Setting = PAPER
) -> tuple[dict[str, list[Shown]], list[Unproved]]:
    """Proofs of the facts that these claims need, and of those that they use; each unproved fact's first failure."""
    wanted = set().union(*(setting.text.enough(i) for i in ids))
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
    return {
        "format": FORMAT,
        "text": setting.text.lines,
        "n": "all" if n is None else str(n),
        "claims": chosen,
        "facts": [_fact(name, shown[name]) for name in setting.facts if name in shown],
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


def _fact(name: str, shown: list[Shown]) -> dict[str, Any]:
    return {
        "name": name,
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
