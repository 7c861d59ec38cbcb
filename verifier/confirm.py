"""Before a verdict is printed, the independent checker reads the certificate of the run.

It may take as long as the run did, but at least two seconds and at most twenty. If a full check would take longer, it
runs as many cases as that allows, drawn by a seed of its own: so nobody knows the draw before the run has ended.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from verifier.certificate import promises
from verifier.checking import run_checker
from verifier.evaluate.cases import MOST
from verifier.run.stop import Stopped, TimeIsUp

LEAST_SECONDS, MOST_SECONDS = 2, 20  # the checker's own limit on its time is longer
SECONDS = 57  # that limit, for as many cases as are run without being asked


class Disproved(Stopped):
    """The checker rejects the certificate of a run: one of the two is wrong, so there is no verdict."""

    kind = "defect"


@dataclass(frozen=True)
class Standing:
    """The checker's answer about a result; `checked` is false if it couldn't check anything."""

    words: str
    checked: bool = True
    in_full: bool = False


def confirm(
    data: bytes, taken: float = 0, deadline: float | None = None, meanwhile: Callable[[], object] = lambda: None
) -> Standing:
    """Has the checker check a certificate of a run that has taken so many seconds; raises Disproved if it doesn't
    agree. While the checker starts, `meanwhile` is called."""
    said = json.loads(data)
    promised = [word for line in promises(said) for word in ("--promise", line)]
    seconds = min(MOST_SECONDS, max(LEAST_SECONDS, int(taken)))
    left = None if deadline is None else max(0, deadline - time.monotonic())
    try:
        done = run_checker(
            ["--seconds", str(seconds), *promised, "--", "-"], given=data, timeout=left, meanwhile=meanwhile
        )
    except TimeoutError:
        raise TimeIsUp(" while the result is checked") from None
    about = next((record for record in done.records if "file" in record), {})
    if done.code in (0, 5) and about.get("code") in (0, 5):
        if part := about.get("part"):
            return Standing(f"checked in part by a second program that shares no code with this one: {part}")
        how = ", words by states," if " by states" in str(about.get("words")) else ""
        return Standing(f"checked in full{how} by a second program that shares no code with this one", in_full=True)
    if done.code in (3, 4) or done.code < 0:
        return Standing(f"not checked independently: {about.get('words', done.words)}", checked=False)
    raise Disproved(
        f"this run found `{said['verdict']}`, and the independent checker does not accept its certificate:"
        f" {done.words}; nothing is established, and one of the two is wrong"
    )


def confirm_lengths(data: bytes, taken: float) -> Standing:
    """Likewise of a certificate of words of every length, which is checked in full, or not at all."""
    times = 1 + int(4 * taken) // SECONDS
    done = run_checker(["--max-points", str(times * MOST), "--", "-"], given=data)
    if done.code in (0, 5):
        return Standing("shown by the checker", in_full=True)
    if done.code in (3, 4) or done.code < 0:
        return Standing(f"not checked: {done.words}", checked=False)
    raise Disproved(f"the checker does not accept what was shown: {done.words}; nothing is established")
