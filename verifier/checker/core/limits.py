"""The last bounds of a check, for whatever the sizes didn't foresee: seconds of processor time, and memory."""

from __future__ import annotations

import signal
import sys
from typing import Any, NoReturn

from .comparing import OverLimit

SECONDS, MEGABYTES = 57, 1000  # with the limit on orbits that is the default; a larger one allows more in proportion


def bound(seconds: int, megabytes: int) -> None:
    """From here on, more of either ends in OverLimit or MemoryError (of memory on Linux alone)."""
    seconds_at_most(seconds)
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = megabytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def seconds_at_most(seconds: float) -> None:
    def over(*_: Any) -> NoReturn:
        raise OverLimit(f"{seconds:.0f} seconds of processor time (--max-points M allows more in proportion)")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, seconds)
