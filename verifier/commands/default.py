"""The default job: every claim of --claims at one instance, on every input of its grid."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import (
    INCOMPLETE,
    INTERRUPTED,
    MISSING,
    OK,
    OVER_LIMIT,
    REFUTED,
    STOPPED,
    complain,
    printable,
    refuse_if_unwritable,
    written,
)
from verifier.core.exact import NotExact
from verifier.interrupts import in_time, interruptible


def run(
    d: int | None,
    n: int | None,
    N: int | None,
    paper: str | None,
    variant: Sequence[str],
    claims: str | None,
    targets: Path | None,
    form: str | None,
    certificate: Path | None,
    max_points: int | None,
    strict: bool,
    no_check: bool,
    every: bool,
    quiet: bool,
    **how: Any,
) -> int:
    """Checks the sizes, runs every claim on every case, has the result checked, and prints the table or certificate."""
    from verifier.catalogue import DEFAULT, UnknownClaim, UnknownPaper, choose, default_claims, find, host
    from verifier.certificate import certify
    from verifier.report.progress import Progress
    from verifier.run.size import refuse_if_too_large
    from verifier.run.stop import Stopped

    if d is None or n is None or N is None:
        missing = next(name for name, value in (("--d", d), ("--n", n), ("--N", N)) if value is None)
        raise click.UsageError(f"{missing} is missing; an instance is given as in `verify --d 1 --n 3 --N 4`")
    try:
        named = find(DEFAULT if paper is None else paper)
        its = host(named)
        sizes = its.sizes(d, n, N)
        if claims == "":
            raise UnknownClaim("--claims is empty; `verify claims` lists what it can name")
        chosen = default_claims(named.name) if claims is None else choose(claims.split(","), named.name)
    except (NotExact, UnknownClaim, UnknownPaper) as error:
        raise click.UsageError(str(error)) from error
    if certificate is not None:
        refuse_if_unwritable("--certificate", certificate)
    if every + quiet + (form == "json") > 1:
        raise click.UsageError("-v, -q and --format json are three ways to show a result; give one of them")
    if targets is not None:
        refuse_beside_targets(named.name, form, certificate, how["checkpoint"], variant)

    progress, began = Progress(quiet=quiet), time.monotonic()
    deadline = None if (limit := how.pop("time_limit")) is None else began + limit
    try:
        refuse_if_too_large(its, sizes, chosen, max_points, how["engine"] or "auto")
        if targets is not None:
            chosen += claims_of_targets(targets, sizes)
            refuse_if_too_large(its, sizes, chosen, max_points, how["engine"] or "auto")
        stated = certificate is not None or form == "json"
        numbers = exchanged(its, sizes, variant, chosen, max_points, stated=stated) if variant else {}
        result = attempt(lambda: its.construction(**sizes, **numbers), chosen, progress, deadline, **how)
        progress.close()
        data = certify(result) if certificate is not None or form == "json" else b""
        standing = None if no_check else checked(result, began, deadline, how["jobs"])
    except (Stopped, MemoryError, KeyboardInterrupt) as error:
        progress.close()  # wipes the bar before the message
        kept = f"; finished shards are kept in {how['checkpoint']}" if how["checkpoint"] else ""
        at = f", at {progress.so_far}{kept}" if progress.so_far else ""
        if isinstance(error, Stopped):
            return complain(f"{error}{at}", STOPPED[error.kind])
        if isinstance(error, MemoryError):
            return complain(f"out of memory{at}", OVER_LIMIT)
        return complain(f"interrupted{at or '; nothing was established'}", INTERRUPTED)
    finally:
        progress.close()
    if certificate is not None and not written(certificate, data):
        return MISSING
    show(result, data, standing, "json" if form == "json" else "quiet" if quiet else "every" if every else "")
    return code_of(result, standing, strict)


def exchanged(
    paper: Any, sizes: dict[str, int], variant: Sequence[str], claims: Any, max_points: int | None, *, stated: bool
) -> dict[str, Any]:
    """The numbers of --variant; if a certificate is wanted (`stated`), only those that one can state."""
    from verifier.core.construction import NotCertifiable
    from verifier.run.size import refuse_if_too_large

    try:
        numbers: dict[str, Any] = paper.variant(sizes, variant)
        g = paper.construction(**sizes, **numbers)
        if stated:
            g.variant()
    except (NotExact, NotCertifiable) as error:
        raise click.UsageError(f"--variant: {error}") from error
    engine = g.kernel(claims)  # the limits above were those of the kernel, which can run more
    name = "literal" if isinstance(engine, str) else engine.name
    if name != "kernel":
        refuse_if_too_large(paper, sizes, claims, max_points, name)
    return numbers


def checked(result: Any, began: float, deadline: float | None, jobs: int | None) -> Any:
    """The independent checker's answer, before anything of the result is printed."""
    from verifier.confirm import confirm

    with interruptible():
        return confirm(result, began, deadline, jobs)


def refuse_beside_targets(
    paper: str, form: str | None, certificate: Path | None, checkpoint: Path | None, variant: Sequence[str]
) -> None:
    if paper != "yun2020":
        raise click.UsageError(f"--targets goes with the construction of yun2020, not with --paper {paper}")
    if variant:
        raise click.UsageError("--targets: these claims are about the paper's own numbers; --variant can't go with it")
    if form == "json" or certificate is not None:
        other = "--format json" if certificate is None else "--certificate"
        raise click.UsageError(f"--targets: a certificate can't state given targets; {other} can't go with it")
    if checkpoint is not None:
        raise click.UsageError("--targets: a checkpoint doesn't hold the targets; --checkpoint can't go with it")


def claims_of_targets(path: Path, sizes: dict[str, int]) -> Any:
    from verifier.files import Unreadable, read
    from verifier.papers.yun2020.claims.given import given_claims
    from verifier.papers.yun2020.instance import Instance
    from verifier.papers.yun2020.targets import BadTargets, parse

    try:
        return given_claims(parse(read(path), Instance(**sizes)))
    except (BadTargets, Unreadable) as error:
        raise click.UsageError(f"--targets {printable(path)}: {error}") from error


def attempt(
    construct: Callable[[], Any],
    claims: Any,
    progress: Any,
    deadline: float | None,
    engine: str | None,
    jobs: int | None,
    checkpoint: Path | None,
    scheduler: str | None,
    memory_limit: int | None,
) -> Any:
    """The run, within its limits of time and memory."""
    from verifier.run.pool import limit_memory
    from verifier.run.stop import TimeIsUp
    from verifier.run.verify import RunOptions
    from verifier.run.verify import verify as verify_claims

    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    if memory_limit is not None:
        limit_memory(memory_limit)
    options = RunOptions(engine or "auto", jobs, checkpoint, deadline, progress, progress.say, scheduler)
    with interruptible():  # building the map takes time, too
        return in_time(deadline, lambda: verify_claims(construct(), claims, options), TimeIsUp())


def show(result: Any, data: bytes, standing: Any, way: str) -> None:
    """Prints the certificate, the table or the verdict alone, and the checker's answer."""
    words = "not checked independently (--no-check)" if standing is None else standing.words
    if way == "json":
        sys.stdout.buffer.write(data)
        complain(words, OK)
    else:
        from verifier.report.terminal import print_result, print_verdict

        if way == "quiet":
            print_verdict(result)
        else:
            print_result(result, words, every=way == "every")
    sys.stdout.flush()


def code_of(result: Any, standing: Any, strict: bool) -> int:
    if result.verdict != "holds":
        return REFUTED if result.verdict == "refuted" else INCOMPLETE
    vacuous = [finding.claim.id for finding in result.findings if finding.verdict == "vacuous"]
    if strict and vacuous:
        return complain(f"--strict: vacuous: {', '.join(vacuous)}", INCOMPLETE)
    return OK if standing is None or standing.checked else INCOMPLETE
