"""The command `verify`: runs the commands of verifier/commands, and turns every exception into a line and an exit
code."""

if __name__ == "__main__":
    try:
        from verifier.__main__ import main as begin  # which loads this file by its path
    except KeyboardInterrupt:  # this early
        print("verify: interrupted; nothing was established", file=__import__("sys").stderr)
        raise SystemExit(130) from None
    begin()

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

import click

from verifier.commands.answers import (
    DEFECT,
    INTERRUPTED,
    MALFORMED,
    MISSING,
    OK,
    OVER_LIMIT,
    UNREAD,
    complain,
    printable,
)
from verifier.commands.refused import PageRefused
from verifier.commands.usage import COMPLETE
from verifier.commands.verify import verify


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; a user's mistake is one line on stderr."""
    if sys.stderr is None:  # closed: print(file=None) would write to stdout
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        return complain("the output could not be written: stdout is closed", MISSING)
    columns = os.environ.get("COLUMNS", "")
    if not (columns.isdecimal() and columns.strip("0")):  # an empty window would show nothing
        os.environ.pop("COLUMNS", None)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that shows only ASCII is no reason to stop
            stream.reconfigure(errors="replace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if arguments is None and COMPLETE in os.environ:
            from verifier.commands.completion import complete

            return complete(verify, os.environ[COMPLETE])
        code = verify.main(words, prog_name="verify", standalone_mode=False)
        return code if isinstance(code, int) else OK
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except PageRefused as error:
        return error.tell()
    except click.ClickException as error:
        return complain(error.format_message(), MALFORMED)
    except (click.Abort, KeyboardInterrupt):
        return complain("interrupted; nothing was established", INTERRUPTED)
    except MemoryError:
        return complain("out of memory; nothing was established", OVER_LIMIT)
    except SystemExit:  # click's way to end when the reader of a pipe is gone
        return UNREAD
    except OSError as error:  # stdout is a full disk, or a pipe that nobody reads; or a file that can't be reached
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more
        if isinstance(error, BrokenPipeError):  # `| head -1`: the reader has what it wants
            return UNREAD
        where = "the output could not be written" if error.filename is None else printable(error.filename)
        return complain(f"{where}: {error.strerror or error}", MISSING)
    except Exception as error:  # a defect of ours must not look like a verdict
        return defect(error)


def defect(error: BaseException) -> int:
    """Prints what happened and where, in one line; the traceback only with VERIFIER_DEBUG."""
    import traceback

    if os.environ.get("VERIFIER_DEBUG"):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    said = f"{type(error).__name__}: {error}"[:300]
    return complain(f"a defect of verifier, and no verdict: {said}{where}; VERIFIER_DEBUG=1 shows more", DEFECT)
