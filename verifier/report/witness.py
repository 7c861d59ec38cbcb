"""What is walked through: the case, or the two, that refute a claim, or those at which it is tightest; or an input that
is typed in. Stories (verifier/evaluate/story.py), for a terminal, a notebook or a report."""

from typing import Any

from gmpy2 import mpq

from verifier.evaluate.definition import Reading
from verifier.evaluate.story import signs, story
from verifier.language.page import read
from verifier.language.tree import Claim, Once, Page
from verifier.report.found import slack_of

MOST = 6  # claims of a report that are walked through
FEW = 1_000  # cases among which one is looked for
TRIED = 8  # claims among which one that runs a network is looked for


def witness(reading: Reading, claim: Claim, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The stories of what decides a claim, of which a certificate has this entry."""
    if not claim.inputs:
        return [story(claim, reading.nothing, 0)]
    if all(isinstance(line, Once) for line in claim.lines):
        return [story(claim, reading.nothing, None)]
    seen = entry.get("first") or slack_of(entry) or {"ranks": one_of_its(reading, claim)}
    if not seen["ranks"]:
        return [story(claim, reading.nothing, None)]
    stories = [story(claim, reading.case(claim.inputs, rank), rank) for rank in seen["ranks"]]
    if len(stories) > 1:
        stories[-1]["relations"].append(of_two(claim, entry, seen))
    return stories


def of_two(claim: Claim, entry: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    """The relation between two cases."""
    holds = "first" not in entry
    line = next(one for one in entry["lines"] if (one.get("least") is seen if holds else at(one) == at(seen)))
    return {
        "line": line["line"],
        "relation": line["relation"],
        "value": seen["value"],
        "sign": signs(claim)[at(line)],
        "bound": seen["bound"],
        "letters": seen.get("letters", {}),
        "holds": holds,
    }


def at(seen: dict[str, Any]) -> tuple[int, int]:
    return seen["line"], seen["column"]


def one_of_its(reading: Reading, claim: Claim) -> list[int]:
    """A case that a claim is about, if one of the first ones is."""
    name = str(claim.inputs)
    for rank in range(min(FEW, reading.space(name).cases)):
        if claim.condition is None or reading.case(name, rank).truth(claim.condition, {}):
            return [rank]
    return []


def witnesses(content: dict[str, Any]) -> tuple[Page, list[dict[str, Any]]]:
    """The page of a certificate; the stories of what refutes its claims; if nothing does, of what is tightest."""
    understood = read(content["page"])
    page = understood.page
    reading = Reading(understood, content["sizes"], {k: mpq(v) for k, v in content.get("variant", {}).items()})
    told = [entry for entry in content["claims"] if "first" in entry]
    if told:
        return page, [one for entry in told[:MOST] for one in witness(reading, page.claims[entry["id"]], entry)]
    return page, tightest(reading, content)


def tightest(reading: Reading, content: dict[str, Any]) -> list[dict[str, Any]]:
    """The stories of where a claim that holds is tightest: of the first one that runs a network at one case, if one of
    the first claims does."""
    stories: list[dict[str, Any]] = []
    tight = [entry for entry in content["claims"] if (least := slack_of(entry)) and least["ranks"]]
    for entry in sorted(tight, key=lambda one: len((slack_of(one) or {})["ranks"]))[:TRIED]:
        told = witness(reading, reading.page.claims[entry["id"]], entry)
        if told[0]["runs"]:
            return told
        stories = stories or told
    return stories
