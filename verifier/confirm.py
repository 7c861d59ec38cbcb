"""Before a verdict is printed, the independent checker reads the certificate of the run.

It may take as long as the run did, but at least two seconds and at most twenty. If a full check would take longer, it
draws shards, or a stretch of one, by a seed of its own: so nobody knows the draw before the run has ended.
"""

import json
import time
from dataclasses import dataclass, replace

from verifier.certificate import certify, promises
from verifier.checking import run_checker
from verifier.core.construction import NotCertifiable
from verifier.files import MOST_BYTES
from verifier.run.pool import cores
from verifier.run.results import Result
from verifier.run.stop import Stopped, TimeIsUp

WORTH_PROCESSES = 1  # seconds of a run; the checker starts another process in hundredths of a second
LEAST_SECONDS, MOST_SECONDS = 2, 20  # the checker's own limit on its time is longer


class Disproved(Stopped):
    """The checker rejects the certificate of a run: one of the two is wrong, so there is no verdict."""

    kind = "defect"


@dataclass(frozen=True)
class Standing:
    """The checker's answer about a result; `checked` is false if it couldn't check anything."""

    words: str
    checked: bool = True


def confirm(result: Result, began: float, deadline: float | None = None, jobs: int | None = 1) -> Standing:
    """Has the checker check a result of a run that began (by time.monotonic()) then, in as many processes; raises
    Disproved if it doesn't agree. Claims that a certificate can't state are left out, and named; of a construction that
    none can state, nothing is checked."""
    certifiable, own = _certifiable(result)
    if not certifiable.findings:
        return Standing(f"not checked independently: a certificate can't state {', '.join(own)}", checked=False)
    try:
        data = certify(certifiable)
    except NotCertifiable as error:
        return Standing(f"not checked independently: {error}", checked=False)
    taken = time.monotonic() - began
    seconds = min(MOST_SECONDS, max(LEAST_SECONDS, int(taken)))
    jobs = 1 if taken < WORTH_PROCESSES else cores() if jobs is None else jobs
    standing = _standing(data, seconds, deadline, result.verdict, jobs)
    but = f", except {', '.join(own)}, which a certificate can't state" if own else ""
    return replace(standing, words=f"{standing.words}{but}")


def confirm_bytes(data: bytes, seconds: int = LEAST_SECONDS, deadline: float | None = None) -> Standing:
    """The same for the bytes of a certificate."""
    return _standing(data, seconds, deadline, json.loads(data)["verdict"])


def _standing(data: bytes, seconds: int, deadline: float | None, verdict: str, jobs: int = 1) -> Standing:
    if len(data) > MOST_BYTES:
        return Standing(f"not checked independently: its certificate has more than {MOST_BYTES:,} bytes", checked=False)
    promised = [word for line in promises(json.loads(data)) for word in ("--promise", line)]
    left = None if deadline is None else max(0, deadline - time.monotonic())
    try:
        words = ["--seconds", str(seconds), "--jobs", str(jobs), *promised, "--", "-"]
        done = run_checker(words, given=data, timeout=left)
    except TimeoutError:
        raise TimeIsUp(" while the result is checked") from None
    about = next((record for record in done.records if "file" in record), {})
    if done.code in (0, 5) and about.get("code") in (0, 5):
        if open_ := about.get("open"):
            return Standing(f"checked as far as it can be: {open_}", checked=False)
        if part := about.get("part"):
            return Standing(f"checked independently, in part: {part}")
        return Standing("checked independently, in full")
    if done.code in (3, 4) or done.code < 0:
        return Standing(f"not checked independently: {about.get('words', done.words)}", checked=False)
    raise Disproved(
        f"this run found `{verdict}`, and the independent checker does not accept its certificate:"
        f" {done.words}; nothing is established, and one of the two is wrong"
    )


def _certifiable(result: Result) -> tuple[Result, list[str]]:
    """The result without the claims that a certificate can't state, and the ids of these."""
    known = {claim.id for claim in result.construction.claims()}
    own = [finding.claim.id for finding in result.findings if finding.claim.id not in known]
    if not own:
        return result, []
    findings = tuple(finding for finding in result.findings if finding.claim.id in known)
    shards = tuple(
        replace(shard, claims={claim: count for claim, count in shard.claims.items() if claim in known})
        for shard in result.shards
    )
    return replace(result, findings=findings, shards=shards), own
