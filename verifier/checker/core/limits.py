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


def share_of_each(processes: int) -> tuple[float, int]:
    """The limits are for the call: of the seconds and the bytes that are left, what each of so many processes may use.
    0 where there is no limit."""
    seconds = signal.getitimer(signal.ITIMER_PROF)[0] / processes if hasattr(signal, "getitimer") else 0
    if sys.platform != "linux":
        return seconds, 0
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return seconds, 0
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()  # they begin with what this process has
    return seconds, used + max(0, most - used) // processes


def bytes_at_most(most: int) -> None:
    if sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def take_off(seconds: float) -> None:
    """So much processor time was used by other processes of this call."""
    if hasattr(signal, "getitimer") and (left := signal.getitimer(signal.ITIMER_PROF)[0]):
        seconds_at_most(max(left - seconds, 1 / 1000))


def seconds_at_most(seconds: float) -> None:
    def over(*_: Any) -> NoReturn:
        raise OverLimit(f"more processor time than the limit allows: {SECONDS} seconds, --max-points M in proportion")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, seconds)
