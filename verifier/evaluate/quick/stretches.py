"""A run's stretches elsewhere: in other processes, on a cluster, in a checkpoint. What is counted in a stretch is
written as JSON (entries.py; here also what is counted of categories, and the numbers of each `across`), and believed
only as far as a run of that stretch could have counted it.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from verifier.core.exact import parse_rational
from verifier.evaluate.cases import MOST
from verifier.evaluate.definition import Reading
from verifier.evaluate.entries import Plain, insist, part, read_part, whole
from verifier.evaluate.ledger import Ledger
from verifier.evaluate.quick.claims import Collected
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import State, begun, ranges, run
from verifier.language.page import read
from verifier.language.tree import Across


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

    def written(self, state: State) -> Plain:
        return written(state)

    def read(self, content: Plain, start: int, stop: int, ids: Sequence[str]) -> State:
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


def written(state: State) -> Plain:
    collected = [[id_, k, list(map(_numbers, parts))] for (id_, k), parts in state.collected.items()]
    return {
        "claims": {id_: part(ledger) for id_, ledger in state.claims.items()},
        "categories": {name: list(map(hex, k)) for name, k in state.categories.items()},
        "collected": collected,
    }


def _numbers(one: Collected) -> list[Any]:
    v, den, ranks = one
    wide = v.dtype == object
    return [[hex(x) for x in v] if wide else _bytes(v), hex(den), _bytes(ranks)]


def _bytes(v: Any) -> str:
    return b64encode(v.astype("<i8").tobytes()).decode()


def state_of(quick: Quick, ids: list[str], start: int, stop: int, content: Plain) -> State:
    """The state; raises ValueError, or whatever a wrong kind raises, for what no run of this stretch counts."""
    insist(set(content["claims"]) == set(ids), "its claims are others")
    ranks_of, ranks, claims = ranges(quick, ids, start, stop), dict[str, range](), dict[str, Ledger]()
    for id_ in ids:
        claim = quick.page.claims[id_]
        why = begun(quick, claim).why
        ranks[id_] = ranks_of.get(str(claim.inputs), range(0)) if why is None else range(0)
        claims[id_] = read_part(claim, why, content["claims"][id_], ranks[id_])
    counts = {name: [whole(int(k, 16)) for k in ks] for name, ks in content["categories"].items()}
    insist(set(counts) == {c.name for c in quick.page.categories}, "its categories are others")
    insist(all(cases <= inputs for cases, inputs in counts.values()), "fewer inputs than cases")
    for name, of_inputs in ranks_of.items():
        cases = [counts[c.name][0] for c in quick.page.categories if c.inputs == name]
        insist(not cases or sum(cases) == len(of_inputs), "its cases aren't as many")
    collected: dict[tuple[str, int], list[Collected]] = {}
    for id_, k, parts in content["collected"]:
        across = isinstance(quick.page.claims[id_].lines[whole(k)], Across) and id_ in ids
        insist(across and (id_, k) not in collected, "numbers of another line")
        collected[id_, k] = [_read_numbers(v, den, of, ranks[id_]) for v, den, of in parts]
    return State(claims, counts, collected)


def _read_numbers(numbers: Any, den: str, ranks: str, reach: range) -> Collected:
    v = np.array([int(x, 16) for x in numbers], dtype=object) if isinstance(numbers, list) else _of_bytes(numbers)
    at = _of_bytes(ranks)
    insist(len(v) == len(at) and int(den, 16) > 0, "numbers that aren't one for each case")
    insist(not len(at) or (int(at.min()) in reach and int(at.max()) in reach), "a case of another stretch")
    return v, int(den, 16), at


def _of_bytes(text: str) -> Any:
    return np.frombuffer(b64decode(text, validate=True), dtype="<i8").astype(np.int64)
