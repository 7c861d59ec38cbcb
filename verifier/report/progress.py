"""Progress on stderr: a bar on a terminal, a plain line now and then elsewhere, nothing when it is quick."""

import sys
import time
from contextlib import suppress

from verifier.lines import columns, fitted

# Seconds until the first line, between lines, between redrawings of the bar, and until the time left is printed. They
# only decide when a line is printed.
_FIRST, _EVERY, _REDRAWN, _KNOWN = 1.0, 5.0, 0.1, 3.0
_BAR, _LEAST_BAR = 30, 8


class Progress:
    """Called with how many cases are done, of how many."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet, self.so_far, self.shown = quiet, "", False
        self.begin("")

    def begin(self, of: str) -> None:
        """Begins a run, the next one of several: n = 3."""
        self.close()
        self.of = f"{of}: " if of else ""
        self.begun = time.monotonic()
        self.next = self.begun + _FIRST

    def __call__(self, done: int, of: int) -> None:
        self.so_far = f"{done:,} of {of:,} cases"
        now = time.monotonic()
        if self.quiet or now < self.next or done >= of:
            return
        terminal = sys.stderr.isatty()
        self.next = now + (_REDRAWN if terminal else _EVERY)
        if now < self.begun + _KNOWN < self.next:
            self.next = self.begun + _KNOWN
        self.shown = True
        line = self.of + told(done, of, now - self.begun)
        _write(bar(done, of, line) if terminal else f"verify: {line}\n")

    def say(self, words: str) -> None:
        """A message that stays."""
        self.close()
        _write(fitted(f"verify: {words}", sys.stderr) + "\n")

    def close(self) -> None:
        if self.shown and sys.stderr.isatty():
            _write("\r\x1b[2K")
        self.shown = False


def told(done: int, of: int, seconds: float) -> str:
    line = f"{done:,} of {of:,} cases so far"
    if done and seconds >= _KNOWN:
        left = int(seconds * (of - done) / done)
        line += f", {max(1, round(done / seconds)):,} a second, about {clock(left)} left"
    return line


def clock(seconds: int) -> str:
    """mm:ss, or h:mm:ss."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def bar(done: int, of: int, line: str) -> str:
    """The line after a bar, as wide as the terminal allows: a line that wraps couldn't be wiped."""
    width = columns(sys.stderr) - 1
    room = max(0, min(_BAR, width - len(line) - 3))
    drawn = f"[{'#' * (room * done // of)}{'.' * (room - room * done // of)}] " if room >= _LEAST_BAR else ""
    return f"\r\x1b[2K{(drawn + line)[:width]}"


def _write(text: str) -> None:
    with suppress(OSError):  # a closed stderr is no reason to stop
        sys.stderr.write(text)
        sys.stderr.flush()
