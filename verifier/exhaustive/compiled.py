"""The kernel in C: kernel.c, compiled once for this machine where there is a C compiler, in 64 and 128 bits."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from verifier.exhaustive.kernel import SLOTS, Numbers, Totals
from verifier.exhaustive.stop import Irregular
from verifier.grid import unrank

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-std=gnu11")
STRETCH = 20_000_000  # orbits between two words of progress


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
    identity = repr((source.read_bytes(), compiler, FLAGS, platform.machine(), platform.processor(), _cpu()))
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "verifier"
    target = home / f"kernel-{hashlib.sha256(identity.encode()).hexdigest()[:24]}.so"
    try:
        if not target.is_file():
            home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=home) as folder:
                made = Path(folder) / "kernel.so"
                subprocess.run([compiler, *FLAGS, "-o", str(made), str(source)], check=True, capture_output=True)
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


def run_compiled(x: Numbers, start: int, stop: int, tell: Callable[[int], None], *, fast: bool) -> Totals:
    """The orbits of rank start..stop-1 in C; `fast` allows the 64-bit loop."""
    compiled = library()
    if compiled is None:
        raise RuntimeError("there is no C compiler")
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
