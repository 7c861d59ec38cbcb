"""The last limits of a check, for costs that the sizes don't predict: seconds of processor time, and memory."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType
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
    """From now on. A timer tells; where a system has none, a thread that looks at the clock, as Ctrl-C would."""

    def over(*_: Any) -> NoReturn:
        raise OverLimit(f"more processor time than the limit allows: {SECONDS} seconds, --max-points M in proportion")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, over)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if watch.rung:
            watch.rung = False
            over()
        signal.default_int_handler(number, frame)

    watch.until, watch.rung = time.process_time() + seconds, False
    signal.signal(signal.SIGINT, interrupted)
    if not watch.is_alive():
        watch.start()


class Watch(threading.Thread):
    """Interrupts the first thread, once, when the process has taken so much time."""

    until, rung = float("inf"), False

    def run(self) -> None:
        while True:
            time.sleep(1)
            if time.process_time() >= self.until:
                self.until, self.rung = float("inf"), True
                _thread.interrupt_main()


watch = Watch(daemon=True)
