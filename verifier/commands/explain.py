"""`verify explain`."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import MISSING, OK, STOPPED, complain, printable, refuse_if_unwritable, written
from verifier.commands.options import FILE, ID, VARIANT, Natural, option
from verifier.commands.usage import EXIT_CODES, Command
from verifier.core.exact import NotExact
from verifier.interrupts import interruptible


@click.command(
    "explain",
    cls=Command,
    short_help="Follow one matrix through the network, layer by layer.",
    codes={0: "the story was printed; claims that fail don't change this", 4: EXIT_CODES[4]},
    examples=[
        ("verify explain --d 1 --n 3 --N 4 --matrix '0,1/4,3/4'", ""),
        ("verify explain --d 2 --n 2 --N 2 --matrix '0,1/2;1/2,s'", "two rows, and a sentinel"),
        ("verify explain --d 1 --n 3 --N 4 --claim lemma6.4", "the matrix that a claim is tightest at"),
        ("verify explain --d 1 --n 2 --N 2 --claim hu.threshold", "the matrix that refutes one"),
        ("verify explain --d 1 --n 3 --N 4 --matrix '0,1/4,3/4' -o story.html", "its sweep as a page, to be shown"),
        (
            "verify explain --d 1 --n 2 --N 3 --variant t_r=132 --claim lemma6.3",
            "of a construction with another number",
        ),
        ("verify explain --paper bigbird --d 1 --n 2 --N 2 --claim bigbird.global", "of a page"),
    ],
)
@option(
    "--paper",
    metavar="NAME",
    help="The paper whose construction is run; `verify papers` lists the names. [default: yun2020]",
)
@option("--d", type=Natural(), help="Rows of the matrix.")
@option("--n", type=Natural(), help="Columns of the matrix.")
@option("--N", "N", type=Natural(), help="Steps of the grid, delta = 1/N.")
@option(
    "--matrix",
    metavar="ROW;ROW",
    help="The matrix, such as '0,1/4,0.75' or '0,1/2;1/2,s'; s is the sentinel, and 0.75 exactly 3/4.",
)
@option(
    "--claim",
    type=ID,
    metavar="ID",
    help="Follow the claim's tightest case, or its counterexample, instead.",
)
@option(
    "--construction",
    type=click.Choice(["contextual", "positional", "hu", "slides"]),
    help="What the matrix runs through. [default: contextual]",
)
@VARIANT
@option(
    "--output",
    "-o",
    type=FILE,
    metavar="FILE",
    help="Write the sweep as a page with a slider (FILE.html) or as a picture (FILE.svg) instead.",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def explain(
    paper: str | None,
    d: int | None,
    n: int | None,
    N: int | None,
    matrix: str | None,
    claim: str | None,
    construction: str | None,
    variant: tuple[str, ...],
    form: str | None,
    output: Path | None,
) -> int:
    """Follow one matrix through the network, layer by layer, and decode it again; or a claim's tightest case."""
    from verifier.papers.yun2020.instance import Instance
    from verifier.run.stop import Stopped

    if d is None or n is None or N is None:
        raise click.UsageError("--d, --n and --N are needed, as in `verify explain --d 1 --n 2 --N 4 --matrix 0,3/4`")
    if (matrix is None) == (claim is None):
        both = "" if claim is None else ", and not both"
        raise click.UsageError(f"one of --matrix and --claim is needed{both}")
    if claim is not None and construction is not None:
        raise click.UsageError("--construction goes with --matrix; a claim knows what its cases run through")
    if variant and construction not in (None, "contextual"):
        raise click.UsageError(
            "--variant exchanges numbers of the contextual map; it can't be combined with another --construction"
        )
    if output is not None:
        refuse_picture(output, paper, claim, form)
    try:
        if (other := another(paper)) is not None:
            if construction is not None or form == "json":
                raise click.UsageError(f"--construction and --format json work for yun2020 only, not for {other.name}")
            with interruptible():
                tell_of_another(other, other.sizes(d, n, N), variant, matrix, claim)
            sys.stdout.flush()
            return OK
        instance = Instance(d, n, N)
        if output is not None:
            with interruptible():
                data = picture_of(instance, variant, matrix or "", construction or "contextual", output.suffix)
            return OK if written(output, data) else MISSING
        with interruptible():
            if claim is None:
                show, what = trace_of(instance, variant, matrix or "", construction or "contextual")
            else:
                show, what = trace_of_claim(instance, variant, claim)
            show(what, as_json=form == "json")
    except NotExact as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    sys.stdout.flush()
    return OK


def refuse_picture(output: Path, paper: str | None, claim: str | None, form: str | None) -> None:
    if paper is not None or claim is not None or form is not None:
        raise click.UsageError(
            "-o draws the sweep of a --matrix; it can't be combined with --paper, --claim or --format"
        )
    if output.suffix not in (".html", ".svg"):
        raise click.UsageError(f"-o {printable(output)}: a page is a FILE.html, a picture a FILE.svg")
    refuse_if_unwritable("-o", output)


def exchanged(instance: Any, variant: Sequence[str]) -> dict[str, Any]:
    """The numbers of --variant."""
    from verifier.catalogue import DEFAULT, find

    try:
        return find(DEFAULT).variant(instance.sizes, variant) if variant else {}
    except NotExact as error:
        raise click.UsageError(f"--variant: {error}") from error


def subject_of(instance: Any, variant: Sequence[str], construction: str) -> Any:
    """The construction that a matrix runs through, if one matrix isn't too much for it."""
    from verifier.papers.yun2020.size import refuse_if_too_long
    from verifier.report.subject import CONSTRUCTIONS, Subject

    refuse_if_too_long(instance, ordered=CONSTRUCTIONS[construction].ordered)
    return Subject(CONSTRUCTIONS[construction], instance, exchanged(instance, variant))


def picture_of(instance: Any, variant: Sequence[str], matrix: str, construction: str, suffix: str) -> bytes:
    """Checks the sizes, reads the matrix, and draws its sweep as a page or a picture."""
    from verifier.report import lecture
    from verifier.report.subject import BadMatrix, parse_matrix

    subject = subject_of(instance, variant, construction)
    try:
        X = parse_matrix(matrix, subject)
        return lecture.svg(subject, X) if suffix == ".svg" else lecture.html(subject, X)
    except BadMatrix as error:
        raise click.UsageError(f"--matrix: {error}") from error
    except lecture.NotDrawn as error:
        raise click.UsageError(f"-o: {error}") from error


def another(name: str | None) -> Any:
    """The paper of this name, unless its construction is the default one."""
    from verifier.catalogue import DEFAULT, UnknownPaper, find, host

    try:
        paper = host(find(DEFAULT if name is None else name))
    except UnknownPaper as error:
        raise click.UsageError(f"--paper: {error}") from error
    return None if paper.name == DEFAULT else paper


def tell_of_another(
    paper: Any, sizes: dict[str, int], variant: Sequence[str], matrix: str | None, claim: str | None
) -> None:
    """Checks the sizes, then tells of one case of any paper, or of the cases that decide a claim."""
    from verifier.catalogue import UnknownClaim, choose
    from verifier.core.exact import parse_matrix
    from verifier.report.walk import case_of, tell
    from verifier.report.walk import explain as explain_claim
    from verifier.run.size import refuse_if_too_large
    from verifier.run.verify import verify

    try:
        chosen = [] if claim is None else choose([claim], paper.name)
    except UnknownClaim as error:
        raise click.UsageError(f"--claim: {error}") from error
    refuse_if_too_large(paper, sizes, chosen, None)
    try:
        g = paper.construction(**sizes, **paper.variant(sizes, variant))
    except NotExact as error:
        raise click.UsageError(f"--variant: {error}") from error
    if claim is None:
        tell(g, case_of(g, parse_matrix(matrix or "")))
        return
    result = verify(g, chosen)
    for one in chosen:
        explain_claim(result, one.id)


def trace_of(instance: Any, variant: Sequence[str], matrix: str, construction: str) -> tuple[Callable[..., None], Any]:
    """Checks the sizes, reads the matrix, and traces it."""
    from verifier.report.subject import BadMatrix, parse_matrix
    from verifier.report.trace import trace
    from verifier.report.trace_text import show_trace

    subject = subject_of(instance, variant, construction)
    try:
        return show_trace, trace(subject, parse_matrix(matrix, subject))
    except BadMatrix as error:
        raise click.UsageError(f"--matrix: {error}") from error


def trace_of_claim(instance: Any, variant: Sequence[str], name: str) -> tuple[Callable[..., None], Any]:
    """Checks the sizes, runs the claim on all of its cases, and traces its counterexample or tightest case."""
    from verifier.catalogue import UnknownClaim, choose
    from verifier.papers.yun2020.size import refuse_if_too_large, refuse_if_too_long
    from verifier.report.claim_trace import is_ordered, trace_claim
    from verifier.report.progress import Progress
    from verifier.report.trace_text import show_claim_trace
    from verifier.run.stop import TooLarge
    from verifier.run.verify import RunOptions

    try:
        chosen = choose([name])
    except UnknownClaim as error:
        raise click.UsageError(f"--claim: {error}") from error
    if len(chosen) > 1:
        some = ", ".join(claim.id for claim in chosen[:3])
        raise click.UsageError(f"--claim: {name} is more than one claim; give one of {some}, ...")
    refuse_if_too_long(instance, ordered=is_ordered(chosen[0]))
    try:
        refuse_if_too_large(instance, chosen, None)
    except TooLarge as error:
        raise TooLarge(str(error).partition("; --max-points")[0]) from error  # this command has no such option
    numbers = exchanged(instance, variant)
    progress = Progress()
    try:
        options = RunOptions("auto", None, progress=progress, say=progress.say)
        return show_claim_trace, trace_claim(instance, chosen[0], options, numbers)
    finally:
        progress.close()
