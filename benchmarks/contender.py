"""One way of running the orbits, timed on its own: `python -m benchmarks.contender NAME d n N SECONDS`.

    fractions   literal Fractions on ordered matrices, naively, as tests/slow_truth.py writes the definitions down
    literal     the project's literal network on orbits, with every claim's own check
    plain       the kernel in Python's whole numbers, one orbit at a time
    kernel      the kernel as `verify` runs it, on one core, without the rest of `verify`

All but the last are slow. Where they would not be through in SECONDS they run short stretches spread evenly over all
of the orbits (matrices), so that each category has its share. Prints one line of JSON.
"""

import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from types import ModuleType

from benchmarks.process import ROOT
from verifier.catalogue import default_claims
from verifier.core.multisets import multisets
from verifier.papers.yun2020 import edges
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel import compiled, kernel, plain
from verifier.run.literal import run_literally

STRETCHES = 64
AT_ONCE, DEEP = 4096, 1_000  # orbits that the literal network is run on at once; columns of one that are many

# What the straightforward C kernel prints.
EDGES = {
    "lower": edges.LOWER,
    "upper": edges.UPPER,
    "inside_low": edges.INSIDE_LOW,
    "inside_high": edges.INSIDE_HIGH,
    "outside_low": edges.OUTSIDE_LOW,
    "outside_high": edges.OUTSIDE_HIGH,
}


def idle(_: int) -> None:
    """Nobody is told of progress."""


def spread(total: int, length: int) -> Iterator[tuple[int, int]]:
    """Stretches of at most this length, evenly over 0..total-1 and in an order that leaves none for last."""
    parts = min(STRETCHES, max(1, total // length))
    edges = list(pairwise(k * total // parts for k in range(parts + 1)))
    for k in range(parts):
        start, stop = edges[k * 27 % parts] if parts == STRETCHES else edges[k]
        yield start, min(stop, start + length)


def sampled(total: int, run: Callable[[int, int], object], budget: float) -> dict[str, float]:
    """How many of `total` are through in about so many seconds, all stretches alike."""
    start, stop = next(spread(total, 1))
    begun = time.perf_counter()
    run(start, stop)
    one = time.perf_counter() - begun
    length = max(1, int(budget / one / STRETCHES / 2))
    done, begun = 0, time.perf_counter()
    for start, stop in spread(total, length):
        run(start, stop)
        done += stop - start
        if time.perf_counter() - begun > budget:
            break
    return {"done": done, "seconds": time.perf_counter() - begun}


def slow_truth() -> ModuleType:
    spec = importlib.util.spec_from_file_location("slow_truth", ROOT / "tests" / "slow_truth.py")
    if spec is None or spec.loader is None:
        raise ImportError("tests/slow_truth.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_fractions(instance: Instance, budget: float) -> dict[str, float]:
    truth = slow_truth()
    d, n, N, B = instance.d, instance.n, instance.N, instance.B
    t_l, t_r = Fraction(B ** (2 * n) * (B - 1), N), Fraction(B ** (2 * n + 1) * (B - 1), N)
    lower, upper = Fraction(B ** (n - 1) * (B - 1), N), Fraction(B**n * (B - 1) - (B - 1) ** 2, N)
    alphabet = [Fraction(-(N ** (n * d))), *(Fraction(k, N) for k in range(N))]
    u = [Fraction(N) ** row for row in range(d)]

    def matrix(number: int) -> list[list[Fraction]]:
        entries = [alphabet[number // (N + 1) ** k % (N + 1)] for k in range(d * n)]
        return [entries[row * n : (row + 1) * n] for row in range(d)]

    def run(start: int, stop: int) -> None:
        for number in range(start, stop):
            X = matrix(number)
            *_, swept, final = truth.g_c(d, n, N, X)
            q = truth.ids(u, final)
            if truth.category(X) == 1:
                holds = len(set(q)) == n and min(q) >= t_l and max(q) < t_r
                holds = holds and lower <= max(truth.ids(u, swept)) <= upper
            else:
                holds = not any(t_l <= value < t_r for value in q)
            if not holds:
                raise ValueError(f"Lemma 6 or 10 fails at {X}")

    return sampled((N + 1) ** (d * n), run, budget)


def by_literal(instance: Instance, budget: float) -> dict[str, float]:
    g = contextual_map(instance)
    claims = [claim for claim in default_claims() if claim.domain.cases is None and not claim.domain.over_matrices]
    total = orbits_of(instance)
    if g.columns_a_case > DEEP:
        return sampled(total, lambda start, stop: run_literally(g, claims, start, stop), budget)
    done, begun = 0, time.perf_counter()
    for start, stop in spread(total, AT_ONCE):
        run_literally(g, claims, start, stop)
        done += stop - start
        if time.perf_counter() - begun > budget:
            break
    return {"done": done, "seconds": time.perf_counter() - begun}


def by_plain(instance: Instance, budget: float) -> dict[str, float]:
    x = kernel.numbers(instance)
    return sampled(orbits_of(instance), lambda start, stop: plain.run_plainly(x, start, stop, idle), budget)


def by_kernel(instance: Instance, budget: float) -> dict[str, float | int | None]:
    """The fastest of the passes that fit the budget, and what it found."""
    x, total = kernel.numbers(instance), orbits_of(instance)
    fast = x.most_of_category1 < 2**62
    taken = []
    until = time.perf_counter() + budget
    while not taken or time.perf_counter() < until:
        begun = time.perf_counter()
        totals = compiled.run_compiled(x, 0, total, idle, fast=fast)
        taken.append(time.perf_counter() - begun)
    tightest = dict(zip(kernel.SLOTS, totals.tightest, strict=True))
    found = {f"category{k + 1}": totals.orbits[k] for k in range(3)}
    slacks = {name: edge and edge[0] for name, slot in EDGES.items() for edge in [tightest[slot]]}
    return {"done": total, "seconds": min(taken), **found, **slacks}


def orbits_of(instance: Instance) -> int:
    return multisets((instance.N + 1) ** instance.d, instance.n)


CONTENDERS = {
    "fractions": by_fractions,
    "literal": by_literal,
    "plain": by_plain,
    "kernel": by_kernel,
}


def main() -> None:
    name, d, n, N, budget = sys.argv[1:]
    print(json.dumps(CONTENDERS[name](Instance(int(d), int(n), int(N)), float(budget))))


if __name__ == "__main__":
    main()
