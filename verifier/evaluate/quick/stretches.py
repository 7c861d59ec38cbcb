"""A run's stretches elsewhere: in other processes, on a cluster, in a checkpoint. What is counted in a stretch is
written as JSON, and believed only as far as a run of that stretch could have counted it.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from verifier.core.exact import parse_rational
from verifier.evaluate.cases import MOST
from verifier.evaluate.definition import Reading
from verifier.evaluate.ledger import INEQUALITIES, RECOGNISES, Ranks, Seen
from verifier.evaluate.quick.claims import Collected, Found, Line, Wrongly
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import State, ranges, run, skipped
from verifier.evaluate.values import List, plain
from verifier.language.page import read
from verifier.language.tree import BETWEEN_TRUTHS, Claim, Tree
from verifier.language.words import Place

Written = dict[str, Any]


@dataclass(frozen=True)
class Stretches:
    """The cases of a page at sizes, for whoever runs a stretch of them."""

    text: str
    sizes: tuple[tuple[str, int], ...]
    variant: tuple[tuple[str, str], ...]
    most: int | None = None
    steps: float | None = None

    def engine(self, ids: Sequence[str]) -> "Runner":
        return Runner(quick_of(self), list(ids))

    def written(self, state: State) -> Written:
        return written(quick_of(self), state)

    def read(self, content: Written, start: int, stop: int, ids: Sequence[str]) -> State:
        return state_of(quick_of(self), list(ids), start, stop, content)


@lru_cache(maxsize=1)
def quick_of(s: Stretches) -> Quick:
    variant = {name: parse_rational(value) for name, value in s.variant}
    return Quick(Reading(read(s.text), dict(s.sizes), variant, MOST if s.most is None else s.most, s.steps))


@dataclass(frozen=True)
class Runner:
    quick: Quick
    ids: list[str]

    def run(self, start: int, stop: int, tell: Callable[[int], None]) -> State:
        done = 0

        def progress(cases: int) -> None:
            nonlocal done
            done += cases
            tell(done)

        return run(self.quick, self.ids, start, stop, progress)


# out


def written(quick: Quick, state: State) -> Written:
    """A sign is written as its number in the claim: its place in the text is another where the layout is."""
    claims = {id_: _found(quick.page.claims[id_], found) for id_, found in state.claims.items()}
    return {"claims": claims, "categories": {name: list(map(hex, k)) for name, k in state.categories.items()}}


def _found(claim: Claim, found: Found) -> Written:
    first, number = found.first, {sign.place: k for k, (sign, _) in enumerate(claim.signs)}
    return {
        "cases": found.cases,
        "failing": found.failing,
        "lines": [
            [
                number[place],
                line.made,
                line.least and [str(line.least[0]), line.least[1], *_told(line.least[2])],
                [line.accepted, *(_wrongly(line.wrongly[said]) for said in (True, False))],
            ]
            for place, line in found.lines.items()
        ],
        "first": first and [first[0], first[1], number[first[2].place], *_told(first[2])],
        "collected": [[k, [_numbers(one) for one in parts]] for k, parts in found.collected.items()],
    }


def _wrongly(wrongly: Wrongly) -> Written:
    first = wrongly.first
    return {"made": wrongly.many, "first": first and [first[0], first[1], *_told(first[2])]}


def _told(seen: Seen) -> list[Any]:
    """Both sides, what the letters of the blocks around stand for, and from where it is come near."""
    return [plain(seen.value), plain(seen.bound), {name: plain(x) for name, x in seen.letters.items()}, seen.side]


def _numbers(one: Collected) -> list[Any]:
    v, den, ranks = one
    wide = v.dtype == object
    return [[hex(x) for x in v] if wide else _bytes(v), hex(den), _bytes(ranks)]


def _bytes(v: Any) -> str:
    return b64encode(v.astype("<i8").tobytes()).decode()


# back


def state_of(quick: Quick, ids: list[str], start: int, stop: int, content: Written) -> State:
    """The state; raises ValueError, or whatever a wrong kind raises, for what no run of this stretch counts. (Numbers
    that are possible and wrong are for the independent checker to find.)"""
    reach = ranges(quick, ids, start, stop)
    insist(set(content["claims"]) == set(ids), "its claims are others")
    claims = {}
    for id_ in ids:
        claim = quick.page.claims[id_]
        its = reach.get(str(claim.inputs), range(0)) if not skipped(quick, claim) else range(0)
        claims[id_] = _read_found(claim, content["claims"][id_], its)
    counts = {name: [_count(int(k, 16)) for k in ks] for name, ks in content["categories"].items()}
    insist(set(counts) == {c.name for c in quick.page.categories}, "its categories are others")
    insist(all(cases <= inputs for cases, inputs in counts.values()), "fewer inputs than cases")
    for name, its in reach.items():
        here = [counts[c.name][0] for c in quick.page.categories if c.inputs == name]
        insist(not here or sum(here) == len(its), "its cases aren't as many")
    return State(claims, counts)


def insist(good: bool, what: str) -> None:
    if not good:
        raise ValueError(what)


def _count(k: Any) -> int:
    insist(type(k) is int and k >= 0, "a count that is no whole number")
    return int(k)


def _read_found(claim: Claim, content: Written, reach: range) -> Found:
    signs = claim.signs
    found = Found(_count(content["cases"]), failing=_count(content["failing"]))
    insist(found.cases <= len(reach), "a claim has more cases than there are")
    insist(claim.condition is not None or found.cases == len(reach), "a claim hasn't as many cases as there are")
    insist(found.failing <= found.cases, "more failing cases than cases")
    for number, made, least, (accepted, *wrongly) in content["lines"]:
        sign, what = signs[_count(number)]
        insist(sign.place not in found.lines, "it has a relation twice")
        line = found.lines[sign.place] = Line(_count(made))
        if least is not None:
            slack, ranks = parse_rational(least[0]), _ranks(least[1], reach)
            seen = _seen(claim, ranks, sign.place, least[2:])
            insist(what in INEQUALITIES and line.made > 0 <= slack, "a tightest case that can't be one")
            insist(abs(seen.value - seen.bound) == slack, "a slack that isn't the distance of its sides")
            line.least = (Fraction(int(slack.numerator), int(slack.denominator)), ranks, seen)
        line.accepted = _count(accepted)
        insist(accepted <= (made if what == RECOGNISES else 0), "more is accepted than was asked")
        for said, one in zip((True, False), wrongly, strict=True):
            line.wrongly[said] = _read_wrongly(claim, sign.place, one, reach, said=said)
            insist(
                line.wrongly[said].many <= (accepted if said else made - accepted), "more wrong answers than answers"
            )
    insist((content["first"] is not None) == (found.failing > 0), "its first failing case is elsewhere")
    if content["first"] is not None:
        ranks, order, number, *told = content["first"]
        sign, what = signs[_count(number)]
        insist(sign.place in found.lines, "its first failure is of a relation that was never made")
        its = _ranks(ranks, reach)
        seen = _seen(claim, its, sign.place, told)
        truths = isinstance(seen.value, bool) and isinstance(seen.bound, bool)
        insist(truths or what not in BETWEEN_TRUTHS, f"numbers on the sides of {what}")
        found.first = (its, tuple(map(_count, order)), seen)
    across = [k for k, line in enumerate(claim.lines) if line[0] == "across"]
    for k, parts in content["collected"]:
        insist(k in across and k not in found.collected, "numbers of another line")
        found.collected[k] = [_read_numbers(v, den, at, reach) for v, den, at in parts]
    return found


def _read_wrongly(claim: Claim, place: Place, content: Written, reach: range, *, said: bool) -> Wrongly:
    many, first = _count(content["made"]), content["first"]
    insist((first is not None) == (many > 0), "its first wrong answer is elsewhere")
    if first is None:
        return Wrongly()
    its = _ranks(first[0], reach)
    seen = _seen(claim, its, place, first[2:])
    insist(seen.value is said and seen.bound is (not said), "an answer that isn't wrong in this way")
    return Wrongly(many, (its, tuple(map(_count, first[1])), seen))


def _ranks(ranks: Any, reach: range) -> tuple[int]:
    (rank,) = ranks
    insist(type(rank) is int and rank in reach, "a case of another stretch")
    return (rank,)


def _seen(claim: Claim, ranks: Ranks, place: Place, told: Sequence[Any]) -> Seen:
    value, bound, letters, side = told
    insist(set(letters) <= set(_loops(claim.lines)), "letters that no block has")
    insist(side in ("", "below", "above"), "a side that is none")
    return Seen(ranks, place, _value(value), _value(bound), {name: _value(x) for name, x in letters.items()}, side)


def _loops(lines: Sequence[Tree]) -> Iterator[str]:
    """The letters of the blocks of a claim."""
    for line in lines:
        if line[0] in ("for", "all"):
            yield line[2]
        if line[0] == "within":
            yield from line[3:5]
        if line[0] != "relation":
            yield from _loops(line[-1])


def _value(x: Any) -> Any:
    if isinstance(x, list):
        return List([_value(item) for item in x])
    return x if isinstance(x, bool) else parse_rational(x)


def _read_numbers(numbers: Any, den: str, ranks: str, reach: range) -> Collected:
    v = np.array([int(x, 16) for x in numbers], dtype=object) if isinstance(numbers, list) else _of_bytes(numbers)
    at = _of_bytes(ranks)
    insist(len(v) == len(at) and int(den, 16) > 0, "numbers that aren't one for each case")
    insist(not len(at) or (int(at.min()) in reach and int(at.max()) in reach), "a case of another stretch")
    return v, int(den, 16), at


def _of_bytes(text: str) -> Any:
    return np.frombuffer(b64decode(text, validate=True), dtype="<i8").astype(np.int64)
