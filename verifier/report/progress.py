"""Progress on stderr: a bar on a terminal, a plain line now and then elsewhere, nothing when it is quick."""

import sys
import time
from contextlib import suppress

_FIRST, _EVERY = 1.0, 5.0  # seconds; these numbers decide when a line is printed, and nothing else
_BAR = 30


class Progress:
    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.next = self.begun + _FIRST
        self.shown = False
        self.so_far = ""
        self.of = ""

    def begin(self, what: object) -> None:
        """Of several runs, the next one."""
        self.close()
        self.begun = time.monotonic()
        self.next = self.begun + _FIRST
        self.of = f"{what}: "

    def __call__(self, done: int, total: int) -> None:
        self.so_far = f"{done:,} of {total:,} orbits"
        now = time.monotonic()
        if now < self.next:
            return
        terminal = sys.stderr.isatty()
        self.next = now + (0.1 if terminal else _EVERY)
        self.shown = True
        rate = max(1, round(done / (now - self.begun)))
        line = f"{self.of}{self.so_far}, {rate:,} a second, about {(total - done) // rate:,} s left"
        if terminal:
            full = _BAR * done // total
            _write(f"\r\x1b[2K[{'#' * full}{'.' * (_BAR - full)}] {line}")
        else:
            _write(line + "\n")

    def say(self, words: str) -> None:
        """A line that stays."""
        self.close()
        _write(f"verify: {words}\n")

    def close(self) -> None:
        if self.shown and sys.stderr.isatty():
            _write("\r\x1b[2K")


def _write(text: str) -> None:
    with suppress(OSError):  # that nobody can be told is no reason to stop
        sys.stderr.write(text)
        sys.stderr.flush()
