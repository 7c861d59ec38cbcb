"""lanes.c, if it was built with the package (library.py); without it numbers.py and layers.py do the same in numpy."""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from verifier.core.library import Found, looked_for, opened_as_built

LIBRARY, RECORD, SOURCES = "lanes.library", "lanes.sha256", ("lanes.c",)
_PRODUCTS = 8  # of a sum, in lanes.c
Lanes = Any
Terms = tuple[tuple[Lanes, Lanes], ...]
_ONE = np.ones(1, dtype=np.int64)


@cache
def found() -> Found:
    """The library, which is looked for once, and only beside this file."""
    return looked_for(Path(__file__).parent, opened)


def library() -> ctypes.CDLL | None:
    return found().handle


def opened(folder: Path) -> tuple[ctypes.CDLL, str]:
    """The library in this folder with its digest, if it was built from this source and passes its test."""
    return opened_as_built(folder / LIBRARY, folder / RECORD, SOURCES, load, passes)


def load(path: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(path))
    for name in ("signs", "turn", "pick", "mean"):
        getattr(loaded, name).restype = ctypes.c_int64
    return loaded


def passes(loaded: ctypes.CDLL) -> bool:
    """Whether it compares on this processor as Python's whole numbers do, beyond 64 bits and with ties."""
    big = [2**61, -(2**61), 2**61 - 1, 3, 0]
    x, y = (np.array([row[k] for row in [(a, b) for a in big for b in big]], dtype=np.int64) for k in (0, 1))
    p, q = [int(a) * int(b) for a, b in zip(x, y, strict=True)], [int(a) for a in y]
    n, until = len(x), np.full(len(x), 2**62, dtype=np.int64)
    other = ((y, _all(_ONE, n)),)
    if [int(s) for s in signs(((x, y),), other, n, loaded)] != [(a > b) - (a < b) for a, b in zip(p, q, strict=True)]:
        return False
    turn(((x, y),), other, until, loaded)
    turns = [b and (1 if a == 0 else -(a // b)) for a, b in zip(p, q, strict=True)]
    if [int(t) for t in until] != [min(t, 2**62) if t > 0 else 2**62 for t in turns]:
        return False
    ties = pick([((x, y),), other], None, [None, None], n, None, loaded)
    if ties is None or [list(map(bool, row)) for row in ties.T] != [
        [a >= b, b >= a] for a, b in zip(p, q, strict=True)
    ]:
        return False
    total, exact = mean(list(ties), [x // 4, y // 4], n, loaded)
    return not exact and int(total[0]) == 2**59


def _all(x: Lanes, n: int) -> Lanes:
    return x if len(x) == n else np.broadcast_to(x, n)


def _where(x: Lanes) -> list[int]:
    return [x.__array_interface__["data"][0], x.strides[0] // 8 if len(x) > 1 else 0]


def _sums(sums: "list[Terms]") -> Lanes:
    table = np.zeros((len(sums), 1 + 4 * _PRODUCTS), dtype=np.int64)
    for row, terms in zip(table, sums, strict=True):
        words = [len(terms)]
        for x, y in terms:
            words += _where(x)
            words += _where(y)
        row[: len(words)] = words
    return table


def _at(x: Lanes | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if x is None else x.__array_interface__["data"][0])


def signs(a: Terms, b: Terms, n: int, loaded: Any = None) -> Lanes:
    """Of a - b in each lane: -1, 0 or 1."""
    table, result = _sums([a, b]), np.empty(n, dtype=np.int8)
    (loaded or library()).signs(ctypes.c_int64(n), _at(table[0]), _at(table[1]), _at(result))
    return result


def turn(a: Terms, b: Terms, until: Lanes, loaded: Any = None) -> None:
    """until falls to the first t >= 1 at which a + b t has another sign than a."""
    table = _sums([a, b])
    (loaded or library()).turn(ctypes.c_int64(len(until)), _at(table[0]), _at(table[1]), _at(until))


def pick(
    scores: "list[Terms]", slopes: "list[Terms] | None", masks: list[Lanes], n: int, until: Lanes, loaded: Any = None
) -> Lanes | None:
    """For each candidate where it has the largest score; None: there was no room."""
    table, ties = _sums(scores), np.empty((len(scores), n), dtype=bool)
    other = None if slopes is None else _sums(slopes)
    pointers = np.array([0 if m is None else m.__array_interface__["data"][0] for m in masks], dtype=np.int64)
    call = (loaded or library()).pick
    done = call(
        ctypes.c_int64(n), ctypes.c_int64(len(scores)), _at(table), _at(other), _at(pointers), _at(ties), _at(until)
    )
    return ties if done else None


def mean(ties: list[Lanes], values: list[Lanes], n: int, loaded: Any = None) -> tuple[Lanes, bool]:
    """The mean of the values at the ties (None: all lanes tie), where it is whole in every lane; else their sum."""
    pointers = np.array([0 if t is None else t.__array_interface__["data"][0] for t in ties], dtype=np.int64)
    table, result = np.array([_where(x) + [0, 0] for x in values], dtype=np.int64), np.empty(n, dtype=np.int64)
    exact = (loaded or library()).mean(
        ctypes.c_int64(n), ctypes.c_int64(len(ties)), _at(pointers), _at(table), _at(result)
    )
    return result, bool(exact)
