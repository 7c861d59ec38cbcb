"""Claims at every length of their words: run plainly as far as some seconds allow, then searched for (search.py); and
the certificate of what is shown, as proofs/FORMAT-lengths.md has it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from verifier.evaluate.certificate import canonical
from verifier.evaluate.definition import Reading, at_case
from verifier.evaluate.ledger import Ledger
from verifier.evaluate.run import found
from verifier.forever.search import Fails, Outcome, Refused, Shown, Unsound, search
from verifier.language.page import Understood
from verifier.language.words import TooLarge as TooManyCases
from verifier.run.stop import TooLarge

FORMAT = "verifier.lengths/1"
PLAIN_SECONDS, PLAIN_CASES, MOST_LENGTH = 2, 300_000, 40
SEARCH_SECONDS = 100  # of each claim, unless there is a limit of time
UNKNOWN = 10**60  # cases, where one is looked at


@dataclass
class Decided:
    """Of each claim what was found, in the page's order. `plain`: to which value of the free size all words were run.
    `refuted`: certificates' contents at the first value at which a claim fails."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    plain: int = 0
    refuted: list[dict[str, Any]] = field(default_factory=list)
    alone: dict[str, Fails] = field(default_factory=dict)  # at a word that is too long for all to be run


def decide(
    page: Understood,
    sizes: dict[str, int],
    length: str,
    ids: list[str],
    deadline: float | None,
    tell: Callable[[str], None],
) -> Decided:
    decided = Decided()
    left = plainly(page, sizes, length, ids, decided)
    for id_ in left:
        tell(f"{id_}: every length")
        until = time.monotonic() + SEARCH_SECONDS if deadline is None else deadline
        outcome = search(page.page.text, sizes, length, id_, until)
        if isinstance(outcome, Fails):
            refuted(page, sizes, length, id_, outcome, decided)
        elif isinstance(outcome, Refused):  # the ordinary run says so, in its own words
            found(page, sizes | {length: of_length(outcome.word, page, length)}, [id_], most=UNKNOWN)
            raise Unsound(f"{id_} is refused at {outcome.word!a}, and its run is not: {outcome.why}")
        elif isinstance(outcome, Shown):
            by_definition(page, sizes, length, id_, outcome.words)
        decided.outcomes[id_] = outcome
    return decided


def of_length(word: str, page: Understood, length: str) -> int:
    return max(len(word.split()), page.page.sizes[length], 1)


def plainly(page: Understood, sizes: dict[str, int], length: str, ids: list[str], decided: Decided) -> list[str]:
    """Every word, from the least length on; which claims are left."""
    began, left = time.monotonic(), ids
    on = {page.page.claims[id_].inputs for id_ in ids}
    for n in range(page.page.sizes[length], MOST_LENGTH + 1):
        try:
            if (
                not left
                or sum(Reading(page, sizes | {length: n}).space(name).cases for name in on if name) > PLAIN_CASES
            ):
                break
            content = found(page, sizes | {length: n}, left, jobs=1)
        except (TooLarge, TooManyCases):
            break
        decided.plain = n
        new = [claim["id"] for claim in content["claims"] if claim["verdict"] == "refuted"]
        if new:
            decided.refuted.append(found(page, sizes | {length: n}, new, jobs=1))
        left = [id_ for id_ in left if id_ not in new]
        if time.monotonic() - began > PLAIN_SECONDS:
            break
    return left


def refuted(page: Understood, sizes: dict[str, int], length: str, id_: str, at: Fails, decided: Decided) -> None:
    """The ordinary run at this length; or, where it has too many words, this one alone, by the definition."""
    n = of_length(at.word, page, length)
    try:
        content = found(page, sizes | {length: n}, [id_])
    except (TooLarge, TooManyCases):
        if not fails(page, sizes, length, id_, at.word):
            raise Unsound(f"{id_} was to fail at {at.word!a}, and doesn't") from None
        decided.alone[id_] = at
        return
    if content["verdict"] != "refuted" and content["claims"][0]["verdict"] != "refuted":
        raise Unsound(f"{id_} was to fail at {at.word!a}, and all words of its length hold")
    decided.refuted.append(content)


def by_definition(page: Understood, sizes: dict[str, int], length: str, id_: str, words: list[str]) -> None:
    """The words that show a claim, by the slow truth, for as long as the plain run may take."""
    until = time.monotonic() + PLAIN_SECONDS
    for word in reversed(words):
        if time.monotonic() < until and fails(page, sizes, length, id_, word):
            raise Unsound(f"{id_} was to hold at {word!a}, and fails")


def fails(page: Understood, sizes: dict[str, int], length: str, id_: str, word: str) -> bool:
    """Whether the claim fails at this word, by the definition."""
    reading = Reading(page, sizes | {length: of_length(word, page, length)}, {}, UNKNOWN, inf)
    claim = page.page.claims[id_]
    name, places = str(claim.inputs), tuple(map(int, word.split()))
    space = reading.space(name)
    if len(places) not in space.sets:  # too short to be a case
        return False
    rank = sum(space.cases_of(n) for n in space.sets if n < len(places)) + space.rank(places)
    ledger = Ledger(claim)
    at_case(claim, reading.case(name, rank), rank, ledger, {})
    return ledger.verdict == "refuted"


def certificate(page: Understood, sizes: dict[str, int], length: str, decided: Decided) -> bytes:
    """Of the claims that are shown."""
    claims = [
        {
            "id": id_,
            "verdict": "holds" if one.made else "vacuous",
            "most": one.most,
            "words": one.words,
            "states": one.states,
            "steps": one.steps,
            "cutoff": one.cutoff,
        }
        for id_, one in decided.outcomes.items()
        if isinstance(one, Shown)
    ]
    counted = [claim["verdict"] for claim in claims if page.page.claims[str(claim["id"])].kind != "excluded"]
    return canonical(
        {
            "format": FORMAT,
            "page": page.page.text,
            "sizes": sizes,
            "length": length,
            "claims": claims,
            "verdict": "holds" if "holds" in counted else "vacuous",
        }
    )
