"""SYMBOLIC 4: the obligations of each fact, and the check that the file shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product as every
from typing import Any

from ..core.comparing import OverLimit, Rejected, compare
from ..core.reading import SYMBOLIC, Unreadable, brief, fits
from ..core.ring import Poly, add, atom
from .facts import FACTS, FIXED, ROWS, Equation, Fact, Facts
from .link import linked
from .polynomial import (
    Bound,
    Place,
    Work,
    follows,
    index,
    index_text,
    instance,
    moved,
    pinned,
    places,
    read,
    replace,
    text,
)

FORMAT = SYMBOLIC
MOST_STEPS = 100
MOST_N = 5  # written out: for n = 6 the file would have 50 MB
_STEP = {"fact": "text", "at": {"<text>": "text"}}
_OBLIGATION = {"case": "text", "goal": "text", "replace": [_STEP], "use": [_STEP], "sum": "text"}
_FACT = {"name": "text", "obligations": [_OBLIGATION]}
SHAPE = {
    "format": (FORMAT,),
    "text": ["text"],
    "n": "text",
    "claims": ["text"],
    "facts": [_FACT],
    "verdict": ("proved",),
}


@dataclass(frozen=True)
class Obligation:
    """One polynomial that has to be shown: the fact's, at this place; of a step, the fact at `before` may be used."""

    case: str
    at: Place
    range: tuple[Bound, ...]
    before: Place | None = None
    given: tuple[Equation, ...] = ()


def obligations(fact: Fact, n: int | None, known: Facts = FACTS) -> Iterator[Obligation]:
    """All obligations of a fact, for one n or for all: what makes an induction is decided here, not in the file."""
    always = known.instance
    numbers: Place = pinned(fact.range) | ({} if n is None else {"n": ("", n)})
    written = {} if n is None else {name: range(n + 2) for name in fact.indices if name not in ROWS}
    for values in every(*written.values()):
        at: Place = numbers | {name: ("", value) for name, value in zip(written, values, strict=True)}
        here = places((*always, *fact.range), at)
        if not all(low <= high for (a, low), (b, high) in here if a == b == ""):
            continue
        label = ", ".join(f"{name} = {value}" for name, value in zip(written, values, strict=True))
        if not fact.variable or fact.variable in written:
            yield Obligation(label, at, here, None, fact.given)
            continue
        j, start = fact.variable, moved(fact.start, at)
        if not follows((start, (j, 0)), places(fact.range, at)):
            raise ValueError(f"{fact.name}: no induction, for it may not start at {index_text(fact.start)}")
        comma = f"{label}, " if label else ""
        base, step = at | {j: start}, at | {j: (j, 1)}
        yield Obligation(f"{comma}base, {j} = {index_text(start)}", base, places((*always, *fact.range), base))
        above = (*places((*always, *fact.range), step), (start, (j, 0)))
        if fact.given or not all(follows(bound, above) for bound in places(fact.range, at)):
            raise ValueError(f"{fact.name}: no induction, for its range may have gaps")
        if not fact.cases:
            yield Obligation(f"{comma}step to {j}+1", step, above, at)
            continue
        split = known.defined[fact.cases]
        if not all(follows(bound, above) for bound in places(split.range, step)):
            raise ValueError(f"{fact.name}: no induction, for the cases of {fact.cases} may not be all")
        for k, by in enumerate((split.by, *split.further), start=1):
            yield Obligation(f"{comma}step to {j}+1, case {k}", step, above, at, (Equation((), split.atom, by),))


class _Reader:
    """One obligation of the file, compared with what has to be shown."""

    def __init__(self, fact: Fact, wanted: Obligation, shown: set[str], claim: str, work: Work, known: Facts = FACTS):
        self.fact, self.wanted, self.shown, self.claim, self.work = fact, wanted, shown, claim, work
        self.known = known
        self.place = f"{fact.name}{', ' if wanted.case else ''}{wanted.case}"

    def refuse(self, expected: str, found: str) -> Rejected:
        return Rejected("SYMBOLIC 4", self.place, expected, found, self.claim)

    def at(self, given: dict[str, str], indices: list[str], range_: tuple[Bound, ...], what: str) -> Place:
        """The place where something is used: its indices as the file has them, the others the same as here."""
        free = [name for name in indices if name not in FIXED]
        if sorted(given) != sorted(free):
            raise self.refuse(f"{what} at its indices {brief(free)}", brief(given))
        place = {name: index(words) for name, words in given.items()}
        place |= {name: moved((name, 0), self.wanted.at) for name in FIXED}
        for low, high in places(range_, place):
            if not follows((low, high), self.wanted.range):
                raise self.refuse(
                    f"{what} used where it holds", f"{index_text(low)} <= {index_text(high)} is not known"
                )
        return place

    def named(self, step: dict[str, Any]) -> tuple[str, Sequence[str]]:
        """What a step uses, and which sequences are those of the second context there."""
        return step["fact"].removesuffix("'"), self.known.context if step["fact"].endswith("'") else ()

    def equation(self, step: dict[str, Any]) -> tuple[str, Poly]:
        """An atom, and the polynomial that may replace it."""
        name, other = self.named(step)
        if step["fact"] == "given" and list(step["at"]) == ["number"]:
            (symbol, number), found = index(step["at"]["number"]), self.wanted.given
            if symbol or not 1 <= number <= len(found):
                raise self.refuse(f"one of {len(found)} given equations", f"number {index_text((symbol, number))}")
            equation, place = found[number - 1], self.wanted.at
        elif name in self.known.defined and not self.known.defined[name].further:
            equation = self.known.defined[name]
            indices = sorted({symbol for bound in equation.range for symbol, _ in bound} - {""})
            place = self.at(step["at"], indices, equation.range, f"definition {name}")
        else:
            raise self.refuse("a definition", brief(step["fact"]))
        (((left, _),),) = instance(equation.atom, place, other)
        return left, instance(equation.by, place, other)

    def hypothesis(self, step: dict[str, Any]) -> tuple[Poly, bool]:
        """A polynomial that is known to be >= 0, or (True) = 0."""
        name, other = self.named(step)
        if step["fact"] == "range" and sorted(step["at"]) == ["high", "low"]:
            low, high = (index(step["at"][end]) for end in ("low", "high"))
            if not follows((low, high), self.wanted.range):
                raise self.refuse("a range that is known", f"{index_text(low)} <= {index_text(high)}")
            difference = instance(add(atom("b"), atom("a"), -1), {"a": low, "b": high})
            return difference, False
        if step["fact"] == "before" and not step["at"]:
            if self.wanted.before is None:
                raise self.refuse("no induction hypothesis, for this is no step", "its use")
            return instance(self.fact.goal, self.wanted.before), self.fact.equal
        if name not in self.shown:
            raise self.refuse("the use of what is shown before", brief(step["fact"]))
        fact = self.known.facts[name]
        if fact.given:
            raise self.refuse("the use of what holds without condition", name)
        return instance(fact.goal, self.at(step["at"], fact.indices, fact.range, name), other), fact.equal

    def check(self, said: dict[str, Any]) -> None:
        goal = instance(self.fact.goal, self.wanted.at)
        if said["goal"] != text(goal):
            raise self.refuse(f"the goal {text(goal)}", brief(said["goal"]))
        for steps in ("use", "replace"):
            if len(said[steps]) > MOST_STEPS:
                raise OverLimit(f"{self.place}: {len(said[steps])} of `{steps}`, more than {MOST_STEPS}")
        used = [self.hypothesis(step) for step in said["use"]]
        total = read(said["sum"], self.place)
        known = {f"h{k}" for k in range(1, len(used) + 1)}
        zero = {f"h{k}" for k, (_, equal) in enumerate(used, start=1) if equal}
        for monomial, c in total.items():
            names = {name for name, _ in monomial}
            if names & zero:
                continue
            unknown = {name for name in names - known if not self.known.is_slack(name)}
            if self.fact.equal or c < 0 or unknown:
                why = f", and the sign of {', '.join(sorted(unknown))} is unknown" if unknown else ""
                raise self.refuse(
                    f"a sum of terms {'= 0' if self.fact.equal else '>= 0'}", f"{text({monomial: c})}{why}"
                )
        polynomials = [goal, *(p for p, _ in used)]
        for step in said["replace"]:
            left, by = self.equation(step)
            polynomials = [replace(p, left, by, self.work) for p in polynomials]
        for k, p in enumerate(polynomials[1:], start=1):
            total = replace(total, f"h{k}", p, self.work)
        if difference := add(polynomials[0], total, -1):
            raise self.refuse("a sum that is the goal", f"one that differs from it by {text(difference)[:200]}")


def _same(expected: Any, found: Any, place: str, claim: str = "") -> None:
    if expected != found:
        raise Rejected("SYMBOLIC 4", place, brief(expected), brief(found), claim)


@cache
def rules_are_enough() -> None:
    linked()


def check(value: Any, known: Facts = FACTS) -> str:
    """Checks a symbolic certificate; what it proves, in words."""
    rules_are_enough()
    fits(SHAPE, value, "")
    compare(list(known.lines), value["text"], "text", "SYMBOLIC 2")
    numbers = {str(n): n for n in range(2, MOST_N + 1)}
    if value["n"] not in ("all", *numbers):
        raise Unreadable(f"n: {brief(value['n'])} is neither `all` nor a number from 2 to {MOST_N}")
    n = numbers.get(value["n"])
    ids = value["claims"]
    if unknown := [i for i in ids if i not in known.claims]:
        raise Unreadable(f"claims: {brief(unknown[0])} is no claim")
    _same([i for i in known.claims if i in ids] or ["a claim"], ids, "the ids of the claims")
    first: dict[str, str] = {}  # the claim that a fact is needed for
    for i in ids:
        first = dict.fromkeys(known.enough(known.claims[i].parts), i) | first
    shown: dict[str, int] = {}
    work = Work()
    names = [said["name"] for said in value["facts"]]
    _same([name for name in known.facts if name in names], names, "the names of the facts")
    for said in value["facts"]:
        fact, claim = known.facts[said["name"]], first.get(said["name"], "")
        wanted = list(obligations(fact, n, known))
        _same([part.case for part in wanted], [part["case"] for part in said["obligations"]], fact.name, claim)
        for part, given in zip(wanted, said["obligations"], strict=True):
            _Reader(fact, part, set(shown), claim, work, known).check(given)
        shown[fact.name] = len(wanted)
    for name in known.facts:
        if name in first and name not in shown:
            raise Rejected("SYMBOLIC 4", name, "its proof", "nothing", first[name])
    which = "all n >= 2" if n is None else f"n = {n}"
    left = [i for i in known.claims if i not in ids]
    out = f"; not claimed: {', '.join(left)}" if left else ""
    return (
        f"proved for {which} and all d >= 1, N >= 2: {many(len(ids), 'claim')}, by {many(len(shown), 'fact')}"
        f" and {many(sum(shown.values()), 'obligation')}{out}; assumed: {'; '.join(known.assumed)}"
    )


def many(number: int, of: str) -> str:
    return f"{number} {of}{'' if number == 1 else 's'}"


def as_promised(value: Any) -> dict[str, Any]:
    """What a promise (FORMAT 4) is compared with."""
    n = "*" if value["n"] == "all" else int(value["n"])
    claims = [{"id": claim, "verdict": "proved"} for claim in value["claims"]]
    return {"instance": {"d": "*", "n": n, "N": "*"}, "claims": claims, "verdict": "proved"}
