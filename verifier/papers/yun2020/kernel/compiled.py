"""The kernel in C, in 64, 128 and 192 bits, if its library was built with the package (core/library.py)."""

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path

from verifier.core.library import Found, looked_for, opened_as_built
from verifier.core.multisets import multisets, unrank
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel.kernel import SLOTS, Numbers, Totals, numbers
from verifier.papers.yun2020.kernel.plain import run_plainly
from verifier.run.stop import Irregular

LIBRARY, RECORD = "kernel.library", "kernel.sha256"  # not kernel.so, which `import` would prefer to kernel.py
SOURCES = ("dispatch.c", "kernel.c")
TESTED = ((2, 15), (3, 9), (4, 8), (5, 7), (6, 7))  # pairs (n, N) with enough columns to fill vectors of every width
TESTED_WIDE = ((3, 2500), (5, 130), (6, 70))  # here the first orbits have values of more than 128 bits
STRETCH = 20_000_000  # orbits between two reports of progress


class _Wide(ctypes.Structure):
    """A 128-bit number, low half first (kernel.c runs only on little-endian machines)."""

    _fields_ = (("low", ctypes.c_uint64), ("high", ctypes.c_int64))

    @classmethod
    def of(cls, value: int) -> "_Wide":
        return cls(value & (2**64 - 1), value >> 64)

    def __int__(self) -> int:
        return (int(self.high) << 64) + int(self.low)


class _Big(ctypes.Structure):
    """A 192-bit number, high 2^64 + low; kernel.c aligns its 16-byte part to 16 bytes."""

    _fields_ = (("high", _Wide), ("low", ctypes.c_uint64), ("nothing", ctypes.c_uint64))

    def __int__(self) -> int:
        return (int(self.high) << 64) + int(self.low)


class _Edge(ctypes.Structure):
    _fields_ = (("slack", _Big), ("rank", ctypes.c_uint64), ("known", ctypes.c_uint64))


class _Params(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("n", "columns", "sentinels", "B", "factor", "lower", "fast")),
        ("ids", ctypes.POINTER(ctypes.c_int64)),
        *((name, _Wide) for name in ("upper", "P", "G", "t_l", "t_r", "final_bound")),
    )


class _Result(ctypes.Structure):
    _fields_ = (
        ("tightest", _Edge * len(SLOTS)),
        ("matrices", _Wide * 3),
        ("orbits", ctypes.c_uint64 * 3),
        *((name, ctypes.c_uint64) for name in ("constant", "reduced", "negative", "mixed")),
        *((name, ctypes.c_uint64) for name in ("digest", "irregular", "first_irregular")),
    )


@cache
def found() -> Found:
    """The library, which is looked for once, and only beside this file."""
    return looked_for(Path(__file__).parent, opened)


def digest() -> str:
    """The library's digest; "" if there is none."""
    return found().digest


def library() -> ctypes.CDLL | None:
    return found().handle


def opened(folder: Path) -> tuple[ctypes.CDLL, str]:
    """The library in this folder with its digest, if it was built from these sources and passes its test."""
    return opened_as_built(folder / LIBRARY, folder / RECORD, SOURCES, load, passes)


def load(path: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(path))
    loaded.run.restype = None
    loaded.run.argtypes = (
        ctypes.POINTER(_Params),
        ctypes.POINTER(_Result),
        ctypes.POINTER(ctypes.c_int64),
        ctypes.c_uint64,
        ctypes.c_uint64,
    )
    return loaded


def passes(loaded: ctypes.CDLL) -> bool:
    """Whether it finds on this processor what plain.py finds, in stretches of every category and every loop.

    This takes some milliseconds. It is needed since the machine that built the library may have had narrower vectors.
    """
    for n, N in TESTED + TESTED_WIDE:
        x, wide = numbers(Instance(1, n, N)), (n, N) in TESTED_WIDE
        start = 0 if wide else multisets(N + 1, n) // 3
        job = start, min(start + 60, multisets(N + 1, n)), lambda _: None
        try:
            by_python = run_plainly(x, *job)
            if any(_run(loaded, x, *job, fast=fast) != by_python for fast in (True, wide)):
                return False
        except Irregular:
            return False
    return True


def run_compiled(x: Numbers, start: int, stop: int, tell: Callable[[int], None], *, fast: bool) -> Totals:
    """The orbits of rank start..stop-1 in C; `fast` allows the 64-bit loop."""
    compiled = library()
    if compiled is None:
        raise RuntimeError(f"no C library: {found().why}")
    return _run(compiled, x, start, stop, tell, fast=fast)


def _run(
    compiled: ctypes.CDLL, x: Numbers, start: int, stop: int, tell: Callable[[int], None], *, fast: bool
) -> Totals:
    ids = (ctypes.c_int64 * len(x.ids))(*x.ids)
    params = _Params(
        x.n, len(x.ids), x.sentinels, x.B, x.factor, x.lower, int(fast), ids,
        *map(_Wide.of, (x.upper, x.P, x.G, x.t_l, x.t_r, x.final_bound)),
    )  # fmt: skip
    result = _Result()
    orbit = (ctypes.c_int64 * x.n)(*unrank(start, len(x.ids), x.n))
    for begin in range(start, stop, STRETCH):
        count = min(STRETCH, stop - begin)
        compiled.run(params, result, orbit, begin, count)
        if result.irregular:
            raise Irregular(f"{result.irregular} orbits, the first at or after rank {result.first_irregular}")
        tell(begin + count - start)
    return Totals(
        [(int(e.slack), int(e.rank)) if e.known else None for e in result.tightest],
        [int(count) for count in result.orbits],
        [int(size) for size in result.matrices],
        {"c": result.constant, "r": result.reduced, "n": result.negative, "m": result.mixed},
        int(result.digest),
    )
