"""Ctrl-C, SIGTERM and SIGHUP give one line and exit 128 + signal at any moment, and never a traceback; and the alarm of
a time limit.

Python's own handler raises KeyboardInterrupt anywhere, even in the middle of an import, where nothing can handle it. So
a command lets it be raised only where there is something to end or to keep, `with interruptible()`; elsewhere the
process just ends. Whatever must not be interrupted (writing a file, ending processes) is done `with unbroken()`: a
signal, or the alarm, waits until that is over. This module imports next to nothing, so that it can be loaded first.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_AGAIN = 0.25  # seconds until an alarm is raised again, in case a finaliser has swallowed it


class Late(KeyboardInterrupt):
    """The time limit is reached. Like KeyboardInterrupt, it isn't caught by `except Exception`."""


_came = signal.SIGINT  # the last signal that should end this process
_held = 0  # how many `unbroken` are open
_waiting: Callable[[], None] | None = None  # what to do when they are closed


def _now_or_then(act: Callable[[], None]) -> None:
    global _waiting  # noqa: PLW0603 - a process has its signals once
    if not _held:
        act()
    elif _waiting is not _interrupt:  # a signal takes precedence over the alarm
        _waiting = act


def _interrupt() -> NoReturn:
    raise KeyboardInterrupt


def _alarm() -> NoReturn:
    raise Late


def _end() -> NoReturn:
    try:
        os.write(2, f"verify: {last_words('interrupted; nothing was established')[0]}\n".encode())
    finally:
        os._exit(128 + _came)


def leave(number: int, *_: Any) -> None:
    """Ends the process at once: nothing has begun that would have to be ended."""
    global _came  # noqa: PLW0603
    _came = signal.Signals(number)
    _now_or_then(_end)


def _tell(number: int, *_: Any) -> None:
    global _came  # noqa: PLW0603
    _came = signal.Signals(number)
    _now_or_then(_interrupt)


def _ring(*_: Any) -> None:
    _now_or_then(_alarm)


def begin() -> None:
    """Handles signals from here on, except ignored ones, as under nohup."""
    for number in ENDING:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, leave)
    sys.unraisablehook = _not_lost


def _not_lost(unraisable: sys.UnraisableHookArgs) -> None:
    """An exception in a finaliser would only be printed, and Python would go on: so the signal is sent once more."""
    if isinstance(unraisable.exc_value, Late):
        return
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        from threading import Timer

        Timer(0.02, os.kill, (os.getpid(), _came)).start()
        return
    sys.__unraisablehook__(unraisable)


class interruptible:
    """In here, a signal raises KeyboardInterrupt, as Ctrl-C does in any Python program."""

    def __enter__(self) -> None:
        self.numbers = [number for number in ENDING if signal.getsignal(number) is leave]
        for number in self.numbers:
            signal.signal(number, _tell)

    def __exit__(self, *_: object) -> None:
        for number in self.numbers:
            signal.signal(number, leave)


class unbroken:
    """In here nothing is interrupted: a signal, or the alarm, waits for the end. It must not take long."""

    def __enter__(self) -> None:
        global _held  # noqa: PLW0603
        _held += 1

    def __exit__(self, *_: object) -> None:
        global _held, _waiting  # noqa: PLW0603
        _held -= 1
        if not _held and _waiting is not None:
            act, _waiting = _waiting, None
            act()


def in_time(deadline: float | None, job: Callable[[], T], late: Exception) -> T:
    """Returns what `job` returns; at the deadline, by time.monotonic(), `late` is raised in the middle of it.

    A system without timers (Windows) has a thread in place of it, which does what Ctrl-C does. Another thread than the
    first, and a program that has set its own alarm, have none: there the job has to look at the clock by itself.
    """
    alarm = _Timer() if hasattr(signal, "setitimer") else _Thread()
    if deadline is None or not alarm.is_free():
        return job()
    try:
        alarm.hear()
    except ValueError:  # not the first thread
        return job()
    try:
        try:
            alarm.set(deadline)
            return job()
        finally:
            alarm.end()
    except Late:
        alarm.end()
        raise late from None


class _Timer:
    """The alarm of the system: SIGALRM at the deadline, and again until it was heard."""

    def is_free(self) -> bool:
        return signal.getsignal(signal.SIGALRM) is signal.SIG_DFL

    def hear(self) -> None:
        signal.signal(signal.SIGALRM, _ring)

    def set(self, deadline: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, max(1e-6, deadline - time.monotonic()), _AGAIN)

    def end(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _forget_alarm()


class _Thread:
    """A thread that has the first one interrupted at the deadline, and again until it was heard; of Ctrl-C it is told
    apart by `rings`."""

    def __init__(self) -> None:
        from threading import Event, Thread

        self.before, self.deadline, self.rings, self.over = signal.getsignal(signal.SIGINT), 0.0, False, Event()
        self.thread = Thread(target=self.watch, daemon=True)

    def is_free(self) -> bool:
        return True

    def hear(self) -> None:
        signal.signal(signal.SIGINT, self.heard)

    def set(self, deadline: float) -> None:
        self.deadline = deadline
        self.thread.start()

    def watch(self) -> None:
        from _thread import interrupt_main

        wait = max(0, self.deadline - time.monotonic())
        while not self.over.wait(wait):
            self.rings, wait = True, _AGAIN
            interrupt_main()

    def heard(self, number: int, frame: FrameType | None) -> None:
        if self.rings:
            self.rings = False
            if not self.over.is_set():
                _ring()
        elif callable(self.before):
            self.before(number, frame)

    def end(self) -> None:
        self.over.set()
        while self.thread.is_alive():  # it interrupts nobody from here on
            self.thread.join()
        signal.signal(signal.SIGINT, self.before)
        _forget_alarm()


def _forget_alarm() -> None:
    global _waiting  # noqa: PLW0603
    if _waiting is _alarm:
        _waiting = None


def last_words(words: str) -> tuple[str, int]:
    """`interrupted; ...` with the signal, if it was another than Ctrl-C's, and the exit code."""
    by = "" if _came == signal.SIGINT else f" by {_came.name}"
    return words.replace("interrupted", f"interrupted{by}", 1), 128 + _came


def end(code: int) -> NoReturn:
    """From here on a signal prints nothing more, and nothing is collected: the system takes everything back."""
    gc.freeze()
    for number in ENDING:
        if signal.getsignal(number) is leave:
            signal.signal(number, signal.SIG_DFL)
    sys.exit(code)
