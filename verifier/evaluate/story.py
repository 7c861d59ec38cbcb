"""One case of a page, told: what each network that a claim runs makes of it, layer by layer, and the claim's relations.
Plain data, for whoever prints it."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.budget import STEPS, allow
from verifier.evaluate.cases import MOST, Space
from verifier.evaluate.definition import Case, Reading, Relations
from verifier.evaluate.ledger import Ledger, Seen
from verifier.evaluate.values import List, plain
from verifier.language.form import form
from verifier.language.page import Understood
from verifier.language.tree import Claim
from verifier.language.words import Refused


class NoCase(ValueError):
    """What was typed in is no case of these inputs."""


@dataclass
class _Kept(Ledger):
    """A ledger that keeps every relation as it is made."""

    seen: list[tuple[bool, Seen]] = field(default_factory=list)

    def record(self, holds: bool, slack: Any, seen: Seen) -> None:
        self.seen.append((holds, seen))
        super().record(holds, slack, seen)


def story(claim: Claim, case: Case, rank: int) -> dict[str, Any]:
    """What is computed of a claim at a case."""
    ledger = _Kept(claim)
    signs = {told.place: sign for told, sign in claim.signs}
    inside = claim.condition is None or case.truth(claim.condition, {})
    collected: dict[int, list[tuple[Any, int]]] = {}
    if inside:
        Relations(case, ledger, (rank,) if claim.inputs else (), collected).of(claim.lines)
    return {
        "claim": claim.id,
        "inside": inside,
        "runs": [told(key, run) for key, run in case.runs.items()],
        "relations": [
            {
                "line": seen.place[0],
                "relation": ledger.lines[seen.place].relation,
                "value": plain(seen.value),
                "sign": signs[seen.place],
                "bound": plain(seen.bound),
                "letters": {name: plain(value) for name, value in seen.letters.items()},
                "holds": holds,
                **({"from": seen.side} if seen.side else {}),
            }
            for holds, seen in ledger.seen
        ],
        "collected": [[plain(value) for value, _ in found] for found in collected.values()],
    }


def shapes(page: Understood, content: dict[str, Any]) -> dict[str, str]:
    """Of each layer with heads that a certificate's claims run: `of size m, d -> d'`, at the last case of a claim that
    runs it, as far as a second tells. m is the most of its heads; it is left out where the layer has no matrices
    (LANGUAGE.md 4, *Form*)."""
    numbers = {name: mpq(value) for name, value in content.get("variant", {}).items()}
    most = max(MOST, *(entry["cases"] for entry in content["inputs"].values()), 0)
    reading = Reading(page, content["sizes"], numbers, most, steps=1_000_000)
    reading.both = True
    forms = {name: form(reading.page, layer) for name, layer in reading.page.layers.items()}
    wanted = {name for name, its in forms.items() if its.heads}
    with suppress(Refused):  # what is only described refuses nothing
        for claim in (reading.page.claims[entry["id"]] for entry in content["claims"]):
            if wanted <= set(reading.widths):
                break
            if claim.skip is not None and reading.nothing.truth(claim.skip[0], {}):
                continue
            last = reading.space(claim.inputs).cases - 1 if claim.inputs is not None else 0
            if last >= 0:
                story(claim, reading.nothing if claim.inputs is None else reading.case(claim.inputs, last), last)
    allow(STEPS)  # what was spent above decides nothing below
    sizes: dict[str, int] = {}
    for (name, _, _), found in reading.matrices.items():
        if found is not None:
            sizes[name] = max(sizes.get(name, 0), *(head.size for head in found.heads))
    return {
        name: (f"of size {sizes[name]}, " if name in sizes else "")
        + " and ".join(f"{d} -> {after}" for d, after in sorted(reading.widths[name]))
        for name in reading.page.layers
        if name in wanted & set(reading.widths)
    }


def told(key: tuple[Any, ...], run: Any) -> dict[str, Any]:
    """A run of a network: its tokens, and of each layer that acted what it changed."""
    name, parameters, tokens, first = key
    steps = []
    for (layer, arguments), old, new in zip(run.acted, run.states, run.states[1:], strict=False):
        changed = [
            {"token": first + k, "from": plain(a), "to": plain(b)}
            for k, (a, b) in enumerate(zip(old.items, new.items, strict=True))
            if a != b
        ]
        steps.append({"layer": layer, "arguments": [plain(a) for a in arguments], "changed": changed})
    return {
        "network": name,
        "arguments": [plain(p) for p in parameters],
        "first": first,
        "tokens": plain(tokens),
        "steps": steps,
    }


def typed(space: Space, items: list[Any]) -> tuple[List, int]:
    """The case that was typed in, and its rank; of multisets and sets in the order of the set."""
    wanted = value(items)
    if space.kind == "list":
        for rank, case in enumerate(space.listed):
            if case == wanted:
                return case, rank
        raise NoCase("it isn't one of the inputs that the page lists")
    sets = space.sets.get(len(wanted))
    if sets is None:
        raise NoCase(f"it has {len(wanted)} items; these inputs have {_or(list(space.sets))}")
    places = []
    for position, (item, one) in enumerate(zip(wanted.items, sets, strict=True), 1):
        if item not in one:
            raise NoCase(f"item {position}, {plain(item)}, isn't in the set of that position")
        places.append(one.index(item))
    if space.kind != "words":
        places.sort()
    if space.kind == "sets" and len(set(places)) < len(places):
        raise NoCase("it has an item twice, and these inputs are sets")
    rank = sum(space.cases_of(n) for n in space.sets if n < len(wanted)) + space.rank(tuple(places))
    return List([one[k] for one, k in zip(sets, places, strict=True)]), rank


def value(items: Any) -> Any:
    return List([value(item) for item in items]) if isinstance(items, list) else mpq(items)


def _or(lengths: list[int]) -> str:
    return str(lengths[0]) if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
