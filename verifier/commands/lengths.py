"""`verify PAGE --n all`: claims about words of every length, decided."""

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.commands.answers import INCOMPLETE, MISSING, OK, REFUTED, complain, printable, written
from verifier.commands.page import ALL, Asked
from verifier.commands.run import ended
from verifier.interrupts import in_time, interruptible

if TYPE_CHECKING:
    from verifier.commands.run import Options


def run_lengths(asked: Asked, ranges: dict[str, range], ids: list[str], options: "Options") -> int:
    from verifier.confirm import Standing, confirm_lengths
    from verifier.evaluate.values import Disagree
    from verifier.forever.lengths import certificate as certificate_of
    from verifier.forever.lengths import decide
    from verifier.language.words import Refused
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped, TimeIsUp

    page, path, certificate, time_limit = asked.understood, asked.path, options.certificate, options.time_limit
    quiet, strict = options.quiet, options.strict
    length = one_size(ranges)
    sizes = {name: several[0] for name, several in ranges.items() if name != length}
    others = {
        "--variant": options.variant,
        "--coq": options.coq,
        "--checkpoint": options.checkpoint,
        "--scheduler": options.scheduler,
        "--slow": options.slow,
        f"--format {options.form}": options.form not in (None, "text"),
        "--memory-limit": options.memory_limit,
    }
    if given := [name for name, value in others.items() if value]:
        raise click.UsageError(f"--{length} all goes without {given[0]}")
    began = time.monotonic()
    deadline = None if time_limit is None else began + time_limit
    told = Progress(quiet=quiet)
    try:
        with interruptible():
            decided = in_time(deadline, partial(decide, page, sizes, length, ids, deadline, told.begin), TimeIsUp())
        told.close()
        shown = any(hasattr(one, "words") for one in decided.outcomes.values())
        data = certificate_of(page, sizes, length, decided) if shown else b""
        standing = confirm_lengths(data, time.monotonic() - began) if shown else Standing("", in_full=True)
        words = standing.words
        if standing.in_full:
            words += f"; this program, which shares no code with it, ran every word to {length} = {decided.plain}"
        contents = [(content, *ordinary(content, began)) for content in decided.refuted]
    except (Refused, Stopped, Disagree, MemoryError, KeyboardInterrupt, ChildProcessError) as error:
        told.close()
        return ended(error, path, page.page.text)
    if certificate is not None and not kept(certificate, data, contents):
        return MISSING
    from verifier.report.lengths import print_lengths

    verdict = print_lengths(page.page, sizes, length, decided, contents, words, quiet=quiet)
    if verdict == "refuted":
        return REFUTED
    idle = [id_ for id_, one in decided.outcomes.items() if not getattr(one, "made", True)]
    if verdict != "holds" or not standing.in_full or (strict and idle):
        return INCOMPLETE
    return OK


def one_size(ranges: dict[str, range]) -> str:
    """The size that is `all`; the others have one value."""
    free = [name for name, several in ranges.items() if several is ALL]
    if len(free) > 1:
        raise click.UsageError(f"--{free[1]} all: one size is all, that which bounds the length of words")
    if wide := [name for name, several in ranges.items() if len(several) > 1]:
        raise click.UsageError(f"--{wide[0]}: beside --{free[0]} all the other sizes have one value")
    return free[0]


def ordinary(content: dict[str, Any], began: float) -> tuple[bytes, str]:
    """Of a refutation, an ordinary run: its certificate, and the checker's answer."""
    from verifier.confirm import confirm
    from verifier.evaluate.certificate import canonical

    data = canonical(content)
    return data, confirm(data, time.monotonic() - began).words


def kept(path: Path, data: bytes, contents: list[tuple[dict[str, Any], bytes, str]]) -> bool:
    """Writes the certificate of every length; if nothing is shown, that of the first refutation."""
    if not data and not contents:
        complain(f"{printable(path)} isn't written: nothing is established", OK)
        return True
    if data and contents:
        complain(f"{printable(path)} says nothing of what is refuted", OK)
    return written(path, data or contents[0][1])
