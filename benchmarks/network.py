"""The contextual map's layers on the orbits of G+, and nothing else: `python -m benchmarks.network WAY d n N SECONDS`.

    rationals   Network.run, matrix by matrix: the layers' formulas in gmpy2's rationals
    fractions   a user's script, matrix by matrix: the same formulas in Python's Fractions
    engine      verifier/core/whole, many matrices at once: exact
    float64     numpy, many matrices at once: as quick as floats are, and not exact
    torch       the same with PyTorch on one thread, if that is installed

The floats' values are compared with the exact ones: a value that is off by half a delta or more is another context's.
Stretches of orbits are spread evenly over all of them. Prints one line of JSON.
"""

import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from gmpy2 import mpq

from benchmarks.contender import spread
from verifier.core.exact import Matrix
from verifier.core.lanes import Lanes, alone, count
from verifier.core.layers import Attention
from verifier.core.whole import run
from verifier.papers.yun2020.contextual_map import ContextualMap, at

AT_ONCE = 4096
ALONE = 8  # matrices of a stretch, one by one


def fractions_of(X: Any) -> list[list[Fraction]]:
    return [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in X]


def by_fractions(g: ContextualMap) -> Callable[[Matrix], object]:
    weights = [
        [tuple(map(fractions_of, (h.W_O, h.W_V, h.W_K, h.W_Q, [h.b_Q]))) for h in layer.heads]
        for layer in g.network.layers
        if isinstance(layer, Attention)
    ]

    def times(A: Any, B: Any) -> Any:
        return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]

    def image(X: Matrix) -> object:
        Z = fractions_of(X)
        for heads in weights:
            added = []
            for W_O, W_V, W_K, W_Q, (bias,) in heads:
                queries = [[x + b for x in row] for row, b in zip(times(W_Q, Z), bias, strict=True)]
                scores = times(list(zip(*times(W_K, Z), strict=True)), queries)
                chosen = []
                for column in zip(*scores, strict=True):
                    best = [score == max(column) for score in column]
                    chosen.append([Fraction(won, sum(best)) for won in best])
                added.append(times(W_O, times(times(W_V, Z), list(zip(*chosen, strict=True)))))
            Z = [[sum(entries) for entries in zip(*rows, strict=True)] for rows in zip(Z, *added, strict=True)]
        return Z

    return image


def in_floats(g: ContextualMap, xp: Any) -> Callable[[Any], Any]:
    """The layers on arrays [case, row, column] of doubles, with numpy's words, which are PyTorch's too."""

    def array(W: Any) -> Any:
        made = np.array([[float(x) for x in row] for row in W])
        return made if xp is np else xp.from_numpy(made)

    weights = [
        [tuple(map(array, (h.W_O, h.W_V, h.W_K, h.W_Q, [h.b_Q]))) for h in layer.heads]
        for layer in g.network.layers
        if isinstance(layer, Attention)
    ]

    def image(x: Any) -> Any:
        for heads in weights:
            added = 0
            for W_O, W_V, W_K, W_Q, bias in heads:
                scores = xp.swapaxes(W_K @ x, 1, 2) @ (W_Q @ x + bias.T)
                best = scores == xp.amax(scores, 1)[:, None, :]
                share = best / best.sum(1)[:, None, :]
                added = added + W_O @ ((W_V @ x) @ share)
            x = x + added
        return x

    return image


def wrong_in(g: ContextualMap, found: Any, truth: Matrix, cases: int) -> int:
    """Orbits with a value that is off by half a delta or more."""
    exact = [g.grid.ids(X) for X in alone(truth, cases)]
    off = 0
    for X, q in zip(found.tolist(), exact, strict=True):
        ids = [sum(u * mpq(row[j]) for u, row in zip(g.grid.u, X, strict=True)) for j in range(len(q))]
        off += any(abs(a - b) * 2 >= g.instance.delta for a, b in zip(ids, q, strict=True))
    return off


def many(g: ContextualMap, start: int, stop: int) -> list[tuple[Matrix, int]]:
    points = list(g.space.points(start, stop))
    groups = g.space.together(range(start, stop), points) or []
    return [(case.X, count(case.X)) for _, case in groups]


def floats_of(X: Matrix, cases: int) -> Any:
    def column(x: Any) -> Any:
        return [float(mpq(v, x.scale)) for v in x.x.tolist()] if isinstance(x, Lanes) else [float(x)] * cases

    return np.array([[column(x) for x in row] for row in X]).transpose(2, 0, 1).copy()


def measure(way: str, g: ContextualMap, budget: float) -> dict[str, Any]:
    if way in ("rationals", "fractions"):
        image = g.network.run if way == "rationals" else by_fractions(g)
        done, begun = 0, time.perf_counter()
        for start, stop in spread(g.space.size, ALONE):
            for orbit in islice(g.grid.orbits(start, stop), ALONE):
                image(g.grid.matrix(orbit))
                done += 1
            if time.perf_counter() - begun > budget:
                break
        return {"done": done, "seconds": time.perf_counter() - begun}
    xp: Any = np
    if way == "torch":
        import torch

        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float64)  # of what is divided below
        xp = torch
    floats = in_floats(g, xp)
    done, taken, wrong = 0, 0.0, 0
    for start, stop in spread(g.space.size, AT_ONCE):
        for X, cases in many(g, start, stop):
            x = None if way == "engine" else floats_of(X, cases)
            x = xp.from_numpy(x) if way == "torch" else x
            begun = time.perf_counter()
            found = run.image(g.network, X) if way == "engine" else floats(x)
            taken += time.perf_counter() - begun
            done += cases
            wrong += 0 if way == "engine" else wrong_in(g, found, run.image(g.network, X), cases)
        if taken > budget:
            break
    return {"done": done, "seconds": taken, "wrong": wrong}


def main() -> None:
    way, d, n, N, budget = sys.argv[1:]
    print(json.dumps(measure(way, at(int(d), int(n), int(N)), float(budget))))


if __name__ == "__main__":
    main()
