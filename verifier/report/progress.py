"""Progress on stderr: a bar on a terminal, a plain line now and then elsewhere, nothing when it is quick.

When a claim is refuted, that is reported at once, and only once.
"""

import sys
import time
from contextlib import suppress

from verifier.catalogue import excluded
from verifier.core.exact import matrix_text
from verifier.lines import columns, fitted
from verifier.run.watch import ProgressReport, Refuted

# Seconds until the first line, between lines, between redrawings of the bar, and until the time left is printed. They
# only decide when a line is printed.
_FIRST, _EVERY, _REDRAWN, _KNOWN = 1.0, 5.0, 0.1, 3.0
_BAR, _LEAST_BAR = 30, 8
_LONGEST = 200  # characters of a matrix that are printed


class Progress:
    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet  # it only keeps how far the run is
        self._begin("")

    def _begin(self, of: str) -> None:
        self.of = of
        self.begun = time.monotonic()
        self.next = self.begun + _FIRST
        self.shown = False
        self.so_far = ""
        self.said = 0  # how many refutations were reported

    def begin(self, what: object) -> None:
        """Begins the next of several runs."""
        self.close()
        self._begin(f"{what}: ")

    def __call__(self, so_far: ProgressReport) -> None:
        self.so_far = f"{so_far.done:,} of {so_far.total:,} orbits" if so_far.done or so_far.refuted else ""
        aside = excluded()
        if ids := [refuted.claim for refuted in so_far.refuted if refuted.claim not in aside]:
            self.so_far += f", refuted so far: {', '.join(ids)}"
        if self.quiet:
            return
        for refuted in so_far.refuted[self.said :]:
            words = "fails only if the text is read literally" if refuted.claim in aside else "refuted so far"
            self.say(f"{self.of}{words}: {refuted.claim}{_where(refuted)}; the run goes on")
        self.said = len(so_far.refuted)
        now = time.monotonic()
        if now < self.next:
            return
        terminal = sys.stderr.isatty()
        early = self.begun + _KNOWN
        self.next = now + (_REDRAWN if terminal else _EVERY)
        if now < early < self.next:
            self.next = early
        self.shown = True
        seconds = now - self.begun
        line = self.of + _line(so_far, seconds)
        if terminal and len(line) + _LEAST_BAR + 4 > columns(sys.stderr):
            line = self.of + _line(so_far, seconds, short=True)
        _write(_bar(so_far, line) if terminal else line + "\n")

    def say(self, words: str) -> None:
        """A message that stays."""
        self.close()
        _write(fitted(f"verify: {words}", sys.stderr) + "\n")

    def close(self) -> None:
        if self.shown and sys.stderr.isatty():
            _write("\r\x1b[2K")
        self.shown = False


def _where(refuted: Refuted) -> str:
    matrices = [f"[{matrix_text(X)}]" for X in refuted.matrices]
    short = [text if len(text) <= _LONGEST else text[:_LONGEST] + "..." for text in matrices]
    rank = "" if refuted.rank is None else f" (rank {refuted.rank})"
    return f", at {' and '.join(short)}{rank}" if short else ""


def clock(seconds: int) -> str:
    """mm:ss, or h:mm:ss."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def _full(number: int) -> str:
    return f"{number:,}"


def _rounded(number: int) -> str:
    """A number rounded down for a narrow terminal: 1,234,567 is 1,234k, and 1,234,567,890 is 1,234M."""
    for least, unit, name in ((10**8, 10**6, "M"), (10**5, 10**3, "k")):
        if number >= least:
            return f"{number // unit:,}{name}"
    return f"{number:,}"


def _line(so_far: ProgressReport, seconds: float, *, short: bool = False) -> str:
    number, of, a_second, left = (_rounded, "/", "/s", "") if short else (_full, " of ", " a second", "about ")
    if so_far.own:
        return f"{so_far.own[0]}: {number(so_far.own[1])} so far"
    line = f"{number(so_far.done)}{of}{number(so_far.total)}{'' if short else ' orbits'}"
    if (here := so_far.done - so_far.kept) > 0 and seconds:
        rate = max(1, round(here / seconds))
        line += f", {number(rate)}{a_second}"
        line += (
            f", {left}{clock((so_far.total - so_far.done) // rate)} left"
            if seconds >= _KNOWN and so_far.done < so_far.total
            else ""
        )
    if any(so_far.categories.values()):
        counts = (f"{str(c).removeprefix('category')}: {number(count)}" for c, count in so_far.categories.items())
        line += f"; {'Cat.' if short else 'Category'} {', '.join(counts)}"
    return line


def _bar(so_far: ProgressReport, line: str) -> str:
    """The line after a bar, as wide as the terminal allows: a line that wraps couldn't be wiped."""
    width = columns(sys.stderr) - 1
    bar = 0 if so_far.own else max(0, min(_BAR, width - len(line) - 3))  # how many there will be isn't known
    full = bar * so_far.done // so_far.total
    drawn = f"[{'#' * full}{'.' * (bar - full)}] " if bar else ""
    return f"\r\x1b[2K{(drawn + line)[:width]}"


def _write(text: str) -> None:
    with suppress(OSError):  # a closed stderr is no reason to stop
        sys.stderr.write(text)
        sys.stderr.flush()
