"""`verify FILE.page --watch`: the page is run again whenever its file is saved, and what changed is said."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import MALFORMED, complain, printable
from verifier.commands.refused import PageRefused
from verifier.interrupts import interruptible, last_words

EVERY = 0.3  # seconds between two looks at the file
Content = dict[str, Any]


def watch(path: Path, run: Callable[[list[Content]], int]) -> int:
    """Runs until Ctrl-C; `run` appends what it found, a certificate's content for each choice of sizes. A page that
    can't be read or run is told, and the watch goes on; a call that is malformed from the first ends it."""
    before: list[Content] = []
    try:
        with interruptible():
            for round_, _ in enumerate(saved(path)):
                found: list[Content] = []
                try:
                    code = run(found)
                except PageRefused as error:
                    code = error.tell()
                except click.ClickException as error:
                    if round_ == 0:
                        raise
                    code = complain(error.format_message(), MALFORMED)
                if code >= 128:  # interrupted in the run, which has said so
                    return code
                for line in changes(before, found) if before and found else ():
                    print(line)
                before = found or before
                print(f"\nWatching {printable(path)}; Ctrl-C ends it.")
                sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    print()
    return last_words("")[1]


def saved(path: Path) -> Iterator[None]:
    """At once, and then whenever the file is another one, or has another length or time."""
    seen: object = ()
    while True:
        try:
            state = os.stat(path)
            here: object = (state.st_ino, state.st_size, state.st_mtime_ns)
        except OSError:  # an editor that replaces a file takes it away for a moment
            here = None
        if here != seen and (here is not None or seen == ()):
            seen = here
            yield
        time.sleep(EVERY)


def changes(before: list[Content], after: list[Content]) -> Iterator[str]:
    """What is said of the claims now and wasn't before, a line each."""
    old = {sizes_of(content): content for content in before}
    new = {sizes_of(content): content for content in after}
    lines: list[str] = []
    for sizes, content in new.items():
        at = f" at {', '.join(f'{name} = {size}' for name, size in sizes)}" if len(new) > 1 else ""
        if sizes not in old:
            lines.append(f"  not run before{at}: {content['verdict']}")
            continue
        was, now = (told(c) for c in (old[sizes], content))
        for id_ in [*now, *(id_ for id_ in was if id_ not in now)]:
            if id_ not in was:
                lines.append(f"  {id_}{at}: new; {', '.join(now[id_].values())}")
            elif id_ not in now:
                lines.append(f"  {id_}{at}: is gone")
            elif changed := [k for k in now[id_] | was[id_] if now[id_].get(k) != was[id_].get(k)]:
                lines.append(
                    f"  {id_}{at}: "
                    + "; ".join(f"{was[id_].get(k, f'no {k}')} -> {now[id_].get(k, f'no {k}')}" for k in changed)
                )
    yield "\nWhat changed:" if lines else "\nNothing changed in verdicts, cases and slacks."
    yield from lines


def sizes_of(content: Content) -> tuple[tuple[str, int], ...]:
    return tuple(content["sizes"].items())


def told(content: Content) -> dict[str, dict[str, str]]:
    """What is said of each claim: its verdict, its cases, its slack, how many fail and where first."""
    from verifier.core.exact import shortened
    from verifier.language.page import read
    from verifier.report.found import at_text, slack_of

    claims, found = read(content["page"]).page.claims, {}
    for entry in content["claims"]:
        inputs = claims[entry["id"]].inputs
        said = {"verdict": entry["verdict"], "cases": f"{entry['cases']:,} case{'' if entry['cases'] == 1 else 's'}"}
        if entry["verdict"] == "holds" and (least := slack_of(entry)):
            said["slack"] = f"slack {shortened(least['slack'], 24)}"
        if first := entry.get("first"):
            said["failures"] = f"fails at {entry['failing']:,}"
            if where := at_text(first, content["inputs"][inputs]["kind"] if inputs else ""):
                said["counterexample"] = f"first at {where[:200]}"
        found[entry["id"]] = said
    return found
