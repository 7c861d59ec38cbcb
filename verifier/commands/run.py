"""A page, run at the sizes that were asked for: one choice of them is told in full, of several each has a row."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from gmpy2 import mpq

from verifier.commands.answers import (
    DEFECT,
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
from verifier.commands.options import FILE, FORMAT, Folder, Natural, option
from verifier.commands.page import ALL, CLAIMS, PAPER, VARIANT, Asked, chosen, exchanged
from verifier.interrupts import in_time, interruptible
from verifier.language.page import Understood
from verifier.report.formats import opened

if TYPE_CHECKING:
    from verifier.confirm import Standing
    from verifier.report.progress import Progress

Content = dict[str, Any]
MOST_ROWS = 10_000
SEVERITY = [OK, INCOMPLETE, REFUTED]


def _gone(ctx: click.Context, _: click.Parameter, value: Any) -> None:
    if value is not None:
        raise click.UsageError(
            "--engine is gone: there is one way to run a case in arrays, and --slow runs it by the definition", ctx
        )


@dataclass(frozen=True)
class Options:
    """What a call says beside the page and its sizes."""

    claims: str | None
    variant: Sequence[str]
    form: str | None
    certificate: Path | None
    coq: Path | None
    jobs: int | None
    checkpoint: Path | None
    scheduler: str | None
    time_limit: int | None
    memory_limit: int | None
    max_points: int | None
    slow: bool
    every: bool
    quiet: bool
    strict: bool
    no_check: bool
    watch: bool

    def refuse(self, several: bool) -> None:
        """Refuses what doesn't go together; several: choices of sizes."""
        machine = self.form not in (None, "text")
        if self.every + self.quiet + machine > 1:
            raise click.UsageError(f"-v, -q and --format {self.form} are three ways to show a result; give one of them")
        if self.watch and machine:
            raise click.UsageError(f"--watch says what changed; it goes without --format {self.form}")
        if several and (self.certificate or self.coq):
            raise click.UsageError(
                "a certificate is of one choice of sizes; a range goes without --certificate and --coq"
            )
        if self.coq is not None and self.variant:
            raise click.UsageError("--coq writes the page's own numbers; it goes without --variant")
        if self.jobs == 0:
            raise click.UsageError("--jobs 0: at least one process is needed")
        if self.slow and (self.checkpoint is not None or self.scheduler is not None):
            raise click.UsageError("--slow runs case by case, here: it goes without --checkpoint and --scheduler")
        for name, file in (("--certificate", self.certificate), ("--coq", self.coq)):
            if file is not None:
                refuse_if_unwritable(name, file)


OPTIONS = [
    PAPER,
    CLAIMS,
    VARIANT,
    FORMAT,
    option("--certificate", type=FILE, metavar="FILE", help="Write the certificate to FILE."),
    option("--coq", type=FILE, metavar="FILE", help="Write the claims and what was found as theorems of Coq to FILE."),
    option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]"),
    option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep what is finished; resume from it."),
    option("--scheduler", metavar="ADDRESS", help="Run on that Dask cluster, such as tcp://127.0.0.1:8786."),
    option("--time-limit", type=Natural(), metavar="S", help="Stop after S seconds, with exit 4, and not before."),
    option(
        "--memory-limit",
        type=Natural(),
        metavar="MB",
        help="Stop when a process needs more than MB megabytes, with exit 4.",
    ),
    option(
        "--max-points",
        type=Natural(),
        metavar="M",
        help="Refuse more than M cases that are run one by one. [default: 4000000]",
    ),
    click.option("--slow", is_flag=True, help="Run each case by the definition, in rationals."),
    click.option("--verbose", "-v", "every", is_flag=True, help="Show every claim, and every counterexample."),
    click.option("--quiet", "-q", is_flag=True, help="Print the verdict alone."),
    click.option("--strict", is_flag=True, help="Exit 5 when a claim was vacuous or skipped."),
    click.option("--no-check", is_flag=True, help="Skip the independent check at the end of the run."),
    click.option("--watch", is_flag=True, help="Run again when the page's file is saved; Ctrl-C ends it."),
    click.option("--engine", hidden=True, expose_value=False, callback=_gone),
]


def with_options(command: Any) -> Any:
    """The options that a run of any page has."""
    for option_ in reversed(OPTIONS):
        command = option_(command)
    return command


@dataclass(frozen=True)
class Ran:
    """What was found at one choice of sizes, and what the independent checker said of it."""

    content: Content
    data: bytes  # of the certificate
    standing: "Standing"


@dataclass(frozen=True)
class Job:
    """What all choices of sizes have in common."""

    asked: Asked
    options: Options
    ids: list[str]
    numbers: dict[str, mpq]
    deadline: float | None
    progress: "Progress"

    def at(self, sizes: dict[str, int], folder: Path | None, meanwhile: Callable[[Content], object]) -> Ran:
        """Runs every case at these sizes, and has the result checked before anything of it is told."""
        from verifier.confirm import Standing, confirm
        from verifier.evaluate.certificate import canonical
        from verifier.evaluate.run import Elsewhere, found
        from verifier.run.stop import TimeIsUp

        began, options = time.monotonic(), self.options
        content = in_time(
            self.deadline,
            partial(
                found,
                self.asked.understood,
                sizes,
                self.ids,
                self.numbers,
                jobs=options.jobs,
                most=options.max_points,
                slow=options.slow,
                steps=None if options.time_limit is None else inf,
                tell=self.progress,
                how=Elsewhere(folder, options.scheduler, self.deadline, self.progress.say),
            ),
            TimeIsUp(),
        )
        self.progress.close()
        data = canonical(content)
        if options.no_check:
            meanwhile(content)
            return Ran(content, data, Standing("not checked independently (--no-check)"))
        return Ran(content, data, confirm(data, time.monotonic() - began, self.deadline, partial(meanwhile, content)))


def run(asked: Asked, options: Options, contents: list[Content] | None, *, as_rows: bool) -> int:
    """contents: a list into which what is found is put, too; as_rows: whether one choice of sizes has a row, too."""
    from verifier.evaluate.values import Disagree
    from verifier.language.words import Refused
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped

    ranges = asked.ranges()
    several = prod(map(len, ranges.values()))
    if as_rows and ALL in ranges.values():
        raise click.UsageError(
            "a survey has a row for each choice of sizes; words of every length are `verify PAGE --n all`"
        )
    options.refuse(several=as_rows or several > 1)
    if several > MOST_ROWS:
        return complain(f"{several:,} choices of sizes; at most {MOST_ROWS:,} are run at once", OVER_LIMIT)
    ids, numbers = chosen(asked.understood, options.claims, asked.path), exchanged(options.variant)
    if ALL in ranges.values():
        from verifier.commands.lengths import run_lengths

        return run_lengths(asked, ranges, ids, options)
    deadline = None if options.time_limit is None else time.monotonic() + options.time_limit
    progress = Progress(quiet=options.quiet)
    job = Job(asked, options, ids, numbers, deadline, progress)
    rows = [dict(zip(ranges, sizes, strict=True)) for sizes in product(*ranges.values())]
    try:
        if options.memory_limit is not None:
            from verifier.run.pool import limit_memory

            limit_memory(options.memory_limit)
        if as_rows or several > 1:
            return several_choices(job, rows, [] if contents is None else contents)
        return one_choice(job, rows[0], [] if contents is None else contents)
    except (Refused, Stopped, Disagree, MemoryError, KeyboardInterrupt) as error:
        progress.close()  # wipes the bar before the message
        kept = "" if options.checkpoint is None else f"; what is finished is kept in {printable(options.checkpoint)}"
        return ended(error, asked.path, asked.understood.page.text, kept)


def one_choice(job: Job, sizes: dict[str, int], contents: list[Content]) -> int:
    """One choice of sizes: the certificate, the theorems, the table of its claims."""
    from verifier.run.stop import TimeIsUp

    options, page = job.options, job.asked.understood
    in_words = options.form in (None, "text") and not options.quiet
    shapes: dict[str, str] = {}
    with interruptible():
        ran = job.at(sizes, options.checkpoint, lambda content: in_words and shapes.update(of_heads(page, content)))
    if options.certificate is not None and not written(options.certificate, ran.data):
        return MISSING
    codes = []
    if options.coq is not None:
        from verifier.coq.theorems import written as theorems

        with interruptible():
            text, left_out = in_time(job.deadline, partial(theorems, page, sizes, job.ids), TimeIsUp())
        codes.append(kept_in_coq(options.coq, text, left_out, strict=options.strict))
        if codes[-1] == MISSING:
            return MISSING
    show(ran, page, shapes, options)
    contents.append(ran.content)
    return max(*codes, code_of(ran, options.strict), OK, key=SEVERITY.index)


def of_heads(page: Understood, content: Content) -> dict[str, str]:
    """What the table's heading says of layers; and the table's own modules are loaded."""
    import verifier.report.found  # noqa: F401
    from verifier.evaluate.story import shapes

    return shapes(page, content)


def show(ran: Ran, page: Understood, shapes: dict[str, str], options: Options) -> None:
    from verifier.report.found import print_found
    from verifier.report.results import claim_row, of_claims

    content = ran.content

    def close() -> None:
        if options.quiet:
            print(content["verdict"])
        else:
            print_found(content, page.page, ran.standing.words, every=options.every, shapes=shapes)

    def html() -> str:
        from verifier.report.document import document, of_certificate

        code = OK if ran.standing.in_full else INCOMPLETE
        return document([of_certificate(content, ran.standing.words, code)]).decode()

    report = opened(options.form, of_claims(content, page.page, ran.data, html, close))
    for entry in content["claims"]:
        report.add(claim_row(entry, content, page.page))
    report.end()
    sys.stdout.flush()
    if options.form not in (None, "text"):
        complain(ran.standing.words, OK)


def several_choices(job: Job, choices: list[dict[str, int]], contents: list[Content]) -> int:
    """Several choices of sizes, a row each; one that is too large has a row that says so, and the run goes on."""
    from verifier.language.page import given
    from verifier.language.words import TooLarge
    from verifier.report.results import how_checked, name_of, of_sizes, sizes_row, too_large

    options, page = job.options, job.asked.understood.page
    report = opened(options.form, of_sizes(page, job.ids))
    codes = []
    for sizes in [given(page, choice) for choice in choices]:
        job.progress.begin(name_of(sizes))
        folder = None if options.checkpoint is None else options.checkpoint.joinpath(folder_of(sizes))
        try:
            with interruptible():
                ran = job.at(sizes, folder, lambda _: None)
        except TooLarge as error:
            job.progress.close()
            report.add(too_large(sizes, error.message, job.ids))
            codes.append(OVER_LIMIT)
            continue
        report.add(sizes_row(ran.content, page, "" if options.no_check else ran.standing.words))
        codes.append(code_of(ran, options.strict, name_of(sizes)))
        contents.append(ran.content)
    report.end()
    sys.stdout.flush()
    for words in [] if options.quiet else how_checked(report.rows):
        complain(words, OK)
    if {*codes} == {OVER_LIMIT}:
        return OVER_LIMIT
    return max((INCOMPLETE if code == OVER_LIMIT else code for code in codes), key=SEVERITY.index)


def folder_of(sizes: dict[str, int]) -> str:
    """What is kept of a row, in the folder of --checkpoint: d1-n2-N3."""
    return "-".join(f"{name}{size}" for name, size in sizes.items())


def kept_in_coq(path: Path, text: str, left_out: dict[str, str], *, strict: bool) -> int:
    """Writes the theorems; says which claims have none."""
    if not written(path, text.encode()):
        return MISSING
    for id_, why in left_out.items():
        complain(f"{printable(path)} says nothing of {id_}: {why}", OK)
    return INCOMPLETE if strict and left_out else OK


def code_of(ran: Ran, strict: bool, row: str = "") -> int:
    """row: its name, where its verdict has been told."""
    content = ran.content
    if content["verdict"] == "refuted":
        return REFUTED
    idle = [
        f"{word}: {', '.join(ids)}"
        for word in ("vacuous", "skipped")
        if (ids := [claim["id"] for claim in content["claims"] if claim["verdict"] == word])
    ]
    if content["verdict"] in ("incomplete", "vacuous"):
        return INCOMPLETE if row else complain("; ".join(idle), INCOMPLETE)
    if strict and idle:
        return complain(": ".join([*filter(None, [row]), "--strict", "; ".join(idle)]), INCOMPLETE)
    return OK if ran.standing.checked else INCOMPLETE


def ended(error: BaseException, path: Path, text: str, kept: str = "") -> int:
    """Says why a run ended without a verdict; the exit code."""
    from verifier.commands.refused import refused
    from verifier.language.words import Refused
    from verifier.run.stop import Stopped

    if isinstance(error, Refused):
        return refused(error, path, text)
    if isinstance(error, Stopped):
        return complain(f"{error}{kept if error.kind in ('limit', 'missing') else ''}", STOPPED[error.kind])
    if isinstance(error, MemoryError):
        return complain(f"out of memory; nothing was established{kept}", OVER_LIMIT)
    if isinstance(error, KeyboardInterrupt):
        return complain(f"interrupted; nothing was established{kept}", INTERRUPTED)
    return complain(f"a defect of verifier, and no verdict: {error}", DEFECT)
