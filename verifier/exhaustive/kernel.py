"""The kernel: the paper's construction over a shard in whole numbers of delta, compiled where there is a C compiler.

It weighs every inequality and equality of the contextual-map family on every orbit, in the form that FORMAT.md 4
gives the layers (Lemmas H, S and P, by which b5.head, b5.shift, b5.lattice and lemma6.equivariant hold). Anything
that is not as the paper claims is *irregular*, and then nothing is concluded here: the literal network has to say.

Distinctness needs no memory: the closed form that was compared on every orbit is a decoder. l~_j - k_j =
B (l~_{j-1} - k_j) with 0 <= k_j < B gives k_j = l~_j mod B and then l~_{j-1}, from l~_n down to l~_0 = k_n; and
q_j = l~_j + B^(n+1) l~_n with 0 <= l~_j < B^(n+1) splits by itself. So every value leads back to its own column and
its own context, and no two can be the same.

The same in Python's whole numbers, `run_plainly`, takes over where there is no compiler, or where a bound that is
computed beforehand says that a number could leave 128 bits.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gmpy2 import mpq

from verifier.claims.claim import Claim
from verifier.constructions.contextual_map import ContextualMap, contextual_map
from verifier.exact import Q
from verifier.exhaustive.shard import MODULUS, Count, Part, Shard, total_up
from verifier.grid import Sizes, orbit_size, orbits, unrank
from verifier.instance import Instance

MOST_TOKENS = 64  # in kernel.c

# In the order of kernel.c: the claim and its edge, or "" for what only this room uses.
SLOTS = (
    ("b5.first-shift", "l~_j > l_n"),
    ("b5.order", "l~_j > the l~ before it"),
    ("lemma10.lower", "l~_n >= lemma10.lower"),
    ("lemma10.upper", "l~_n <= lemma10.upper"),
    ("b5.interval", "q_j >= delta^-((n+1)d) l~_n"),
    ("b5.interval", "q_j < delta^-((n+1)d) (l~_n + delta)"),
    ("lemma6.1", "distance of two entries of q(L) > 0"),
    ("lemma6.3", "q_j >= t_l"),
    ("lemma6.3", "q_j < t_r"),
    ("", "nearest"),
    ("b5.cat2-bound", "max_j l~_j <= lemma10.lower - delta"),
    ("b5.cat2-bound", "max_j q_j < t_l"),
    ("lemma6.4", "q_j < t_l"),
    ("lemma6.4", "q_j >= t_r"),
    ("b5.cat3-minimum", "l_j < 0"),
    ("b5.cat3-negative", "max_j q_j < 0"),
    ("b5.cat3-shift", "the first shift >= delta^-((n+1)d) delta"),
    ("b5.cat3-shift", "l~_j >= delta^-((n+1)d) delta"),
    ("b5.cat3-final", "q_j < 0"),
    ("b5.cat3-final", "q_j >= delta^-((2n+2)d) delta"),
)
NEAREST = SLOTS.index(("", "nearest"))

# Which orbits a claim is about: Categories 1, 2, 3, and the parts of 2 (constant, reduced) and 3 (negative, mixed).
DOMAINS = {
    "123": "grid.sizes b5.head b5.shift b5.lattice lemma6.equivariant",
    "12": "grid.duplicates",
    "1": "b5.first-shift b5.closed-form b5.order b5.max-min lemma10.lower lemma10.upper lemma10.injective b5.global"
    " b5.interval lemma6.1 lemma6.2 lemma6.3",
    "2": "b5.cat2-bound",
    "c": "b5.cat2-constant",
    "r": "b5.cat2-reduced",
    "3": "b5.cat3-minimum b5.cat3-final",
    "n": "b5.cat3-negative",
    "m": "b5.cat3-shift",
    "23": "lemma6.4",
}
DOMAIN = {claim: kinds for kinds, claims in DOMAINS.items() for claim in claims.split()}


class Irregular(Exception):
    """An orbit that isn't as the paper claims: for the literal network to look at."""


@dataclass(frozen=True)
class Numbers:
    """The instance in whole numbers: ids of all columns in order, and every bound, in units of delta."""

    n: int
    sentinels: int  # how many columns have a sentinel; they come first
    B: int
    ids: tuple[int, ...]
    lower: int
    upper: int
    P: int  # B^(n+1), the factor of the global shift
    t_l: int
    t_r: int
    final_bound: int

    @property
    def most(self) -> int:
        """No number of a run is larger: ids after the sweep are at most (2B)^n times the largest id, and so on."""
        largest = max(abs(self.ids[0]), abs(self.ids[-1]))
        swept = largest * (2 * self.B + 1) ** self.n
        return max((self.P + 1) * swept + self.t_r, self.final_bound) * self.n

    @property
    def most_of_category1(self) -> int:
        """Nor is any number of Category 1 that isn't weighed in 128 bits anyway."""
        return (self.n + 2) * self.B ** (self.n + 1)


def numbers(instance: Instance, ids: tuple[mpq, ...]) -> Numbers:
    B, n, N = instance.B, instance.n, instance.N
    whole = tuple(int((N * id_).numerator) for id_ in ids)
    return Numbers(
        n=n,
        sentinels=sum(id_ < 0 for id_ in whole),
        B=B,
        ids=whole,
        lower=B ** (n - 1) * (B - 1),
        upper=B**n * (B - 1) - (B - 1) ** 2,
        P=B ** (n + 1),
        t_l=B ** (2 * n) * (B - 1),
        t_r=B ** (2 * n + 1) * (B - 1),
        final_bound=B ** (2 * n + 2),
    )


def fits(g: ContextualMap, claims: list[Claim]) -> bool:
    """Whether the kernel knows this construction, the paper's own, and all of these claims."""
    known = all(claim.id in DOMAIN for claim in claims)
    return known and g.instance.n <= MOST_TOKENS and g == contextual_map(g.instance)


@dataclass
class Totals:
    """What a stretch of orbits adds up to."""

    tightest: list[tuple[int, int] | None]  # slack, rank, by slot
    orbits: list[int]
    matrices: list[int]
    parts: dict[str, int]  # c(onstant), r(educed), n(egative), m(ixed)
    digest: int = 0


def part_of(x: Numbers, N: int, claims: list[Claim], start: int, stop: int, totals: Totals) -> Part:
    """The shard, as the literal network would have counted it."""
    by_kind = {"1": totals.orbits[0], "2": totals.orbits[1], "3": totals.orbits[2], **totals.parts}
    counts = {}
    for claim in claims:
        cases = sum(by_kind[kind] for kind in DOMAIN[claim.id])
        if claim.domain.over_matrices:
            cases = sum(totals.matrices)
        edges = {
            edge: (Q(found[0], N), found[1])
            for (owner, edge), found in zip(SLOTS, totals.tightest, strict=True)
            if owner == claim.id and found is not None
        }
        counts[claim.id] = Count(cases, edges=edges)
    coverage = total_up(
        [{f"category{k + 1}": Sizes(totals.matrices[k], totals.orbits[k]) for k in range(3)}],
    )
    return Part(Shard(start, stop, coverage, Q(totals.digest), counts), nearest=totals.tightest[NEAREST])


# In C


class _Wide(ctypes.Structure):
    """A 128-bit number, low half first (kernel.c runs on little-endian machines alone)."""

    _fields_ = (("low", ctypes.c_uint64), ("high", ctypes.c_int64))

    @classmethod
    def of(cls, value: int) -> "_Wide":
        return cls(value & (2**64 - 1), value >> 64)

    def __int__(self) -> int:
        return (int(self.high) << 64) + int(self.low)


class _Edge(ctypes.Structure):
    _fields_ = (("slack", _Wide), ("rank", ctypes.c_uint64), ("known", ctypes.c_uint64))


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
def library() -> ctypes.CDLL | None:
    """kernel.c, compiled once for this machine and kept; None without a C compiler."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or os.environ.get("VERIFIER_NO_COMPILER") or sys.byteorder != "little":
        return None
    source = Path(__file__).with_name("kernel.c")
    flags = ("-O3", "-march=native", "-shared", "-fPIC", "-std=gnu11")
    identity = repr((source.read_bytes(), compiler, flags, platform.machine(), platform.processor(), _cpu()))
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "verifier"
    target = home / f"kernel-{hashlib.sha256(identity.encode()).hexdigest()[:24]}.so"
    try:
        if not target.is_file():
            home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=home) as folder:
                made = Path(folder) / "kernel.so"
                subprocess.run([compiler, *flags, "-o", str(made), str(source)], check=True, capture_output=True)
                made.replace(target)
        loaded = ctypes.CDLL(str(target))
    except (OSError, subprocess.CalledProcessError):
        return None
    loaded.run.restype = None
    loaded.run.argtypes = (
        ctypes.POINTER(_Params),
        ctypes.POINTER(_Result),
        ctypes.POINTER(ctypes.c_int64),
        ctypes.c_uint64,
        ctypes.c_uint64,
    )
    return loaded


def _cpu() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("flags")), "")


def run_compiled(
    x: Numbers, start: int, stop: int, tell: Callable[[int], None], *, fast: bool, stretch: int = 20_000_000
) -> Totals:
    """The orbits of rank start..stop-1 in C; `fast` allows the 64-bit loop."""
    compiled = library()
    if compiled is None:
        raise RuntimeError("there is no C compiler")
    ids = (ctypes.c_int64 * len(x.ids))(*x.ids)
    params = _Params(
        x.n, len(x.ids), x.sentinels, x.B, x.B, x.lower, int(fast), ids,
        *map(_Wide.of, (x.upper, x.P, x.P, x.t_l, x.t_r, x.final_bound)),
    )  # fmt: skip
    result = _Result()
    orbit = (ctypes.c_int64 * x.n)(*unrank(start, len(x.ids), x.n))
    for begin in range(start, stop, stretch):
        count = min(stretch, stop - begin)
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


# In Python's whole numbers


def run_plainly(x: Numbers, start: int, stop: int, tell: Callable[[int], None]) -> Totals:
    """The orbits of rank start..stop-1, in numbers of any size."""
    n, B, P, ids = x.n, x.B, x.P, x.ids
    totals = Totals([None] * len(SLOTS), [0] * 3, [0] * 3, dict.fromkeys("crnm", 0))
    tightest = totals.tightest
    powers = [B**k for k in range(n + 1)]

    def weigh(slot: int, slack: int, rank: int) -> None:
        found = tightest[slot]
        if found is None or slack < found[0]:
            tightest[slot] = (slack, rank)

    for rank, orbit in enumerate(orbits(len(ids), n, start, stop), start=start):
        k = [ids[c] for c in orbit]
        s, amount = swept(k, B)
        most, least = max(s), min(s)
        regular = all(s_j != 0 for s_j in s) or most == least
        q = [s_j + P * (most if s_j > 0 else least if s_j < 0 else 0) for s_j in s]
        totals.digest += (rank + 1) * sum(j * q_j for j, q_j in enumerate(q, start=1))
        if k[0] >= 0 and len(set(k)) == n:
            totals.orbits[0] += 1
            totals.matrices[0] += orbit_size(orbit)
            top = s[-1]
            gap, apart = min(map(_minus, s[1:], s)), min(map(_minus, q[1:], q))
            regular &= s[0] >= B and gap > 0 and apart > 0
            regular &= s == [closed_form(k, j, powers) for j in range(n)] and q == [s_j + P * top for s_j in s]
            slacks = (s[0] - k[-1], gap, top - x.lower, x.upper - top, min(q) - P * top, P * (top + 1) - max(q), apart)
            slacks += (min(q) - x.t_l, x.t_r - max(q))
            regular &= all(slack >= strict for slack, strict in zip(slacks, (1, 1, 0, 0, 0, 1, 1, 0, 1), strict=True))
            for slot, slack in enumerate(slacks):
                weigh(slot, slack, rank)
            if k[-1] < B - 1:
                weigh(NEAREST, P - (top - s[0] - 1), rank)
        elif k[0] >= 0:
            totals.orbits[1] += 1
            totals.matrices[1] += orbit_size(orbit)
            totals.parts["c" if k[0] == k[-1] else "r"] += 1
            regular &= s == k if k[0] == k[-1] else s == reduced(k, B) and min(s) >= B
            regular &= most < x.lower and max(q) < x.t_l
            weigh(10, x.lower - 1 - most, rank)
            weigh(11, x.t_l - max(q), rank)
        else:
            totals.orbits[2] += 1
            totals.matrices[2] += orbit_size(orbit)
            weigh(14, -k[0], rank)
            regular &= s[0] == k[0] == least
            if k[-1] < 0:
                totals.parts["n"] += 1
                regular &= max(q) < 0 and s == k
                weigh(15, -max(q), rank)
            else:
                totals.parts["m"] += 1
                regular &= amount >= P
                weigh(16, amount - P, rank)
            for k_j, s_j, q_j in zip(k, s, q, strict=True):
                regular &= (s_j == k_j if k_j < 0 else s_j >= P) and (q_j < 0 or q_j >= x.final_bound)
                if k_j >= 0:
                    weigh(17, s_j - P, rank)
                weigh(*((18, -q_j) if q_j < 0 else (19, q_j - x.final_bound)), rank)
        if k[0] < 0 or len(set(k)) < n:
            for q_j in q:
                regular &= not x.t_l <= q_j < x.t_r
                weigh(*((12, x.t_l - q_j) if q_j - x.t_l < x.t_r - q_j else (13, q_j - x.t_r)), rank)
        if not regular:
            raise Irregular(f"the orbit of rank {rank}")
        tell(rank + 1 - start)
    totals.digest %= MODULUS
    return totals


def _minus(a: int, b: int) -> int:
    return a - b


def swept(k: list[int], B: int) -> tuple[list[int], int]:
    """The ids after the sweep, from increasing ones, and by how much the first shift shifts."""
    s: list[int] = []
    amount = 0
    moved: list[int] = []
    for j, k_j in enumerate(k):
        if j and k_j == k[j - 1]:
            s.append(s[-1])
            continue
        if k_j < 0:
            s.append(k_j)
            continue
        top, bottom = max([k[-1], *moved]), min([k[0] if k[0] < 0 else k_j, *moved])
        up = B * (top - bottom)
        s.append(k_j + up)
        if up:
            amount = amount or up
            moved.append(s[-1])
            if s[-1] < B:
                raise Irregular(f"an id that a later level meets again: {s[-1]}")
    return s, amount


def reduced(k: list[int], B: int) -> list[int]:
    """k~_j = k_j + B (k~_{j-1} - k_j) over the distinct columns, k~_0 = k_n; equal columns alike."""
    s: list[int] = []
    before = k[-1]
    for j, k_j in enumerate(k):
        if not j or k_j != k[j - 1]:
            before = k_j + B * (before - k_j)
        s.append(before)
    return s


def closed_form(k: list[int], j: int, powers: list[int]) -> int:
    """l~_j = l_j + sum_{i=1}^{j-1} B^i (l_{j-i} - l_{j-i+1}) + B^j (l_n - l_1), counted from j = 0."""
    inner = sum(powers[i] * (k[j - i] - k[j - i + 1]) for i in range(1, j + 1))
    return k[j] + inner + powers[j] * powers[1] * (k[-1] - k[0])
