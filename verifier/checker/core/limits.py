"""The last limits of a check, for costs that the sizes don't predict: seconds of processor time, and memory."""

from __future__ import annotations

import signal
import sys
from typing import Any, NoReturn

from .comparing import OverLimit

MOST = 10**9  # of either that a system can be told
SECONDS, MEGABYTES = 57, 1000  # at the default limit on orbits; a larger limit allows more in proportion


def bound(seconds: int, megabytes: int) -> None:
    """From now on, more of either raises OverLimit or MemoryError (memory is limited on Linux alone)."""
    seconds_at_most(min(seconds, MOST))
    bytes_at_most(min(megabytes, MOST) << 20)


def bytes_at_most(most: int) -> None:
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def seconds_at_most(seconds: float) -> None:
    def over(*_: Any) -> NoReturn:
        raise OverLimit(f"more processor time than the limit allows: {SECONDS} seconds, --max-points M in proportion")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, seconds)
