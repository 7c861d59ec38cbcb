"""The kernel's library, built with the package (hatch_build.py), and what it counts."""

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from verifier.evaluate.definition import Reading
from verifier.evaluate.kernel.claims import INPUTS, KNOWN, OTHERS, SLACKS, Counts, relations
from verifier.evaluate.kernel.library import Found, looked_for, opened_as_built
from verifier.evaluate.ledger import Ledger
from verifier.language.page import read
from verifier.language.tree import Tree

LIBRARY, RECORD = "kernel.library", "kernel.sha256"
SOURCES = ("kernel.c",)
MOST_TOKENS, MOST = 64, 2**126
TESTED = ((1, 2, 3), (1, 3, 3), (2, 2, 2))  # (d, n, N)
PAGE = Path(__file__).parents[2] / "pages" / "yun2020.page"


class Numbers(NamedTuple):
    """The construction in whole numbers of delta."""

    ids: tuple[int, ...]  # of the columns, in their order
    n: int
    N: int
    sentinels: int  # how many columns have a sentinel; they come first
    B: int
    lower: int
    upper: int
    P: int  # B^(n+1)
    t_l: int
    t_r: int
    beyond: int

    @property
    def fits(self) -> bool:
        """Whether no number leaves kernel.c's widths: the ids after the sweep are at most (2B+1)^n times the largest,
        the values at most P + 1 times those."""
        if self.n > MOST_TOKENS or not self.ids:
            return False
        largest = max(abs(self.ids[0]), abs(self.ids[-1]))
        edges = sum(map(abs, (self.t_l, self.t_r, self.beyond, self.lower, self.upper)))
        swept = largest * (2 * self.B + 1) ** self.n
        return 2 * (self.P + 1) * swept + edges < MOST and largest < 2**62 and (self.n + 2) * self.P < 2**62


def numbers(reading: Reading) -> Numbers | None:
    """As the text has them; None where they are no whole multiples of delta, or the columns in another order."""

    def of(tree: Tree, **at: Any) -> Any:
        return reading.nothing.number(tree, at)

    def named(name: str) -> Tree:
        return ("name", (0, 0), name)

    n, N = (int(reading.sizes[name].numerator) for name in ("n", "N"))
    columns = reading.space(INPUTS).sets[n][0]
    wanted = [of(("call", (0, 0), "id", [named("c")]), c=column) for column in columns]
    wanted += [of(named(name)) for name in ("lower", "upper", "t_l", "t_r", "beyond")]
    if any((N * x).denominator != 1 for x in wanted):
        return None
    *ids, lower, upper, t_l, t_r, beyond = (int(N * x) for x in wanted)
    B = int(of(named("B")))
    sentinels = len(ids) - B
    if ids[sentinels:] != list(range(B)) or ids != sorted(set(ids)) or of(named("sentinel")) >= 0:
        return None
    return Numbers(tuple(ids), n, N, sentinels, B, lower, upper, B ** (n + 1), t_l, t_r, beyond)


class _Wide(ctypes.Structure):
    """A 128-bit number, low half first (kernel.c runs only on little-endian machines)."""

    _fields_ = (("low", ctypes.c_uint64), ("high", ctypes.c_int64))

    @classmethod
    def of(cls, value: int) -> "_Wide":
        return cls(value & (2**64 - 1), value >> 64)

    def __int__(self) -> int:
        return (int(self.high) << 64) + int(self.low)


class _Least(ctypes.Structure):
    _fields_ = (("slack", _Wide), ("rank", ctypes.c_uint64), ("known", ctypes.c_uint64))


class _Params(ctypes.Structure):
    _fields_ = (
        ("ids", ctypes.POINTER(ctypes.c_int64)),
        *((name, ctypes.c_int64) for name in ("n", "columns", "sentinels", "B")),
        ("nothing", ctypes.c_int64),  # kernel.c aligns the next one to 16 bytes
        *((name, _Wide) for name in ("lower", "upper", "P", "t_l", "t_r", "beyond")),
    )


class _Counts(ctypes.Structure):
    _fields_ = (
        ("least", _Least * len(SLACKS)),
        ("inputs", _Wide * 3),
        ("cases", ctypes.c_uint64 * 3),
        *((name, ctypes.c_uint64) for name in (*OTHERS, "irregular")),
    )


@cache
def found() -> Found:
    """The library, which is looked for once, and only beside this file."""
    return looked_for(Path(__file__).parent, opened)


def opened(folder: Path) -> tuple[ctypes.CDLL, str]:
    """The library in this folder with its digest, if it is what was built from these sources. (It was tested then;
    what it counts is compared in each run.)"""
    return opened_as_built(folder / LIBRARY, folder / RECORD, SOURCES, load, lambda _: True)


def tested(folder: Path) -> None:
    """When it is built."""
    opened_as_built(folder / LIBRARY, folder / RECORD, SOURCES, load, passes)


def load(path: Path) -> ctypes.CDLL:
    loaded = ctypes.CDLL(str(path))
    loaded.run.restype = None
    loaded.run.argtypes = (
        ctypes.POINTER(_Params),
        ctypes.POINTER(_Counts),
        ctypes.POINTER(ctypes.c_int64),
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_void_p,
    )
    return loaded


def passes(loaded: ctypes.CDLL) -> bool:
    """Whether it counts as the definition does, at sizes with cases of every kind."""
    page = read(PAGE.read_text())
    for d, n, N in TESTED:
        reading = Reading(page, {"d": d, "n": n, "N": N})
        x = numbers(reading)
        counts = None if x is None else counted(loaded, x, [0] * n, 0, reading.space(INPUTS).cases)
        if counts is None or any(not _agree(N, relations(n, counts), counts, one) for one in reading.run(list(KNOWN))):
            return False
    return True


def _agree(N: int, wanted: Any, counts: Counts, ledger: Ledger) -> bool:
    cases, made = wanted[ledger.claim.id]
    for (times, name), line in zip(made, ledger.lines.values(), strict=False):
        slack = None if line.least is None else (N * line.least[0], line.least[1].ranks[0])
        if times != line.made or (name and times and counts.least.get(name) != slack):
            return False
    return bool(cases == ledger.cases) and ledger.first is None


def counted(
    loaded: ctypes.CDLL, x: Numbers, first: Sequence[int], rank: int, many: int, kept: int | None = None
) -> Counts | None:
    """The cases from `rank` on, whose columns are `first`; None where something isn't as the claims say. kept: where
    the rank of each case of Category 1 and its ids after the sweep are put."""
    params = _Params(
        (ctypes.c_int64 * len(x.ids))(*x.ids), x.n, len(x.ids), x.sentinels, x.B, 0,
        *map(_Wide.of, (x.lower, x.upper, x.P, x.t_l, x.t_r, x.beyond)),
    )  # fmt: skip
    result = _Counts()
    loaded.run(params, result, (ctypes.c_int64 * x.n)(*first), rank, many, kept)
    if result.irregular:
        return None
    return Counts(
        list(result.cases),
        list(map(int, result.inputs)),
        {name: int(getattr(result, name)) for name in OTHERS},
        {name: (int(e.slack), int(e.rank)) for name, e in zip(SLACKS, result.least, strict=True) if e.known},
    )
