"""Ctrl-C: one line and exit 130, whenever it comes, and never a traceback.

Python's own handler raises KeyboardInterrupt wherever it is, in the middle of an import for one, where nobody can make
anything of it. So a command has it raised only where there is something to end or to keep, by `with heard()`; elsewhere
the process just ends. Imports next to nothing, so that it is there early.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

LINE = b"verify: interrupted; nothing was established\n"


def leave(*_: Any) -> NoReturn:
    """At once: nothing has been begun that would have to be ended."""
    try:
        os.write(2, LINE)
    finally:
        os._exit(130)


def begin() -> None:
    """From here on; unless Ctrl-C is ignored, as under nohup."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


class heard:
    """Inside, Ctrl-C is a KeyboardInterrupt, as everywhere where no command has begun."""

    def __enter__(self) -> None:
        self.before = signal.getsignal(signal.SIGINT)
        if self.before is leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *_: object) -> None:
        if self.before is leave:
            signal.signal(signal.SIGINT, leave)


def end(code: int) -> NoReturn:
    """All is said: from here on Ctrl-C says no more."""
    if signal.getsignal(signal.SIGINT) is leave:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)
