"""The command `verify`: words in, words out, no mathematics."""

if __name__ == "__main__":
    from verifier.__main__ import main as begin  # which loads this file by its path, and answers whatever happens

    begin()

import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from verifier import __version__
from verifier.bench.command import bench
from verifier.build import command as build_command
from verifier.core.exact import NotExact, parse_natural, shown
from verifier.interrupts import in_time, interruptible, last_words
from verifier.usage import EXIT_CODES, ClaimIds, Group, option_names, unknown


def provable() -> Iterable[str]:
    from verifier.symbolic.claims import CLAIMS

    return CLAIMS


OK, REFUTED, MALFORMED, MISSING, OVER_LIMIT, INCOMPLETE, DEFECT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
UNREAD = 128 + 13  # as a shell says it of SIGPIPE
COMPLETE = "_VERIFY_COMPLETE"  # what a shell sets when it wants a word completed
ID, ID_OR_FAMILY, IDS = ClaimIds(), ClaimIds(families=True), ClaimIds(families=True, several=True)
PROVABLE = ClaimIds(families=True, several=True, ids=provable)
STOPPED = {
    "malformed": MALFORMED,
    "missing": MISSING,
    "limit": OVER_LIMIT,
    "incomplete": INCOMPLETE,
    "defect": DEFECT,
}


class Natural(click.ParamType):  # type: ignore[type-arg]
    """A whole number, by the grammar 0|[1-9][0-9]*."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            if value.startswith("-") and value[1:].isdecimal():
                raise NotExact(f"{shown(value)} is negative")
            return parse_natural(value)
        except NotExact as error:
            self.fail(str(error), param, ctx)


class Folder(click.Path):
    """A folder; not '', which would be the one we are in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty; a folder is needed, such as kept", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


def _once(ctx: click.Context, param: click.Parameter, values: tuple[Any, ...]) -> Any:
    """The value of an option that may be given once; click would silently take the last."""
    if len(values) > 1:
        raise click.BadParameter(f"given {len(values)} times", ctx, param)
    return values[0] if values else None


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
    return click.option(*names, multiple=True, callback=_once, **settings)


@click.group(
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    codes=EXIT_CODES,
    examples=[
        ("verify --d 1 --n 3 --N 4", "every claim of the contextual-map family"),
        ("verify --d 2 --n 2 --N 3 --claims lemma6,b5.head", "Lemma 6, and one claim more"),
        ("verify --d 1 --n 2 --N 2 --claims lemma7.map", "a claim that is refuted: a counterexample, and exit 1"),
        ("verify --d 1 --n 2 --N 5 --format json", "the certificate"),
        ("verify --d 1 --n 3 --N 4 --certificate c.json", "the table, and the certificate into a file"),
        ("verify check c.json", "the independent checker's verdict on it"),
        ("verify --d 1 --n 4 --N 30 --checkpoint kept", "a longer run; the same call goes on where it stopped"),
    ],
)
@option("--d", type=Natural(), help="Rows of a matrix (embedding dimension), at least 1.")
@option("--n", type=Natural(), help="Columns of a matrix (tokens), at least 2.")
@option("--N", "N", type=Natural(), help="Steps of the grid, delta = 1/N, at least 2.")
@option("--paper", metavar="NAME", help="Whose construction; `verify papers` lists them. [default: yun2020]")
@option(
    "--claims",
    type=IDS,
    metavar="ID,ID",
    help="Claim ids, families such as lemma6, or all. [default: grid,b5,lemma10,lemma6]",
)
@option(
    "--targets",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Run the value map and the whole network for the targets in FILE too.",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
@option("--certificate", type=click.Path(path_type=Path), metavar="FILE", help="Write the certificate to FILE.")
@option("--engine", type=click.Choice(["auto", "literal", "kernel"]), help="What runs the orbits. [default: auto]")
@option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]")
@option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep finished shards; resume from them.")
@option("--scheduler", metavar="ADDRESS", help="Run the shards on that Dask cluster, such as tcp://127.0.0.1:8786.")
@option("--time-limit", type=Natural(), metavar="S", help="Stop after S seconds, with exit 4.")
@option("--memory-limit", type=Natural(), metavar="MB", help="Stop when a process needs more, with exit 4.")
@option("--max-points", type=Natural(), metavar="M", help="Refuse a run of more than M orbits.")
@click.option("--strict", is_flag=True, help="Exit 5 when a claim was vacuous or skipped.")
@click.option("--no-check", is_flag=True, help="Leave out the independent check that a run ends with.")
@click.version_option(__version__, prog_name="verify")
@click.pass_context
def verify(ctx: click.Context, /, **options: Any) -> int | None:
    """Check the contextual map of Yun et al. (ICLR 2020, Lemma 6) exhaustively, in exact rationals.

    Without a command: at one instance (d, n, N), on every point of its grid, each claim of --claims. Results go to
    stdout, progress and messages to stderr. `verify COMMAND --help` tells of a command.
    """
    if ctx.invoked_subcommand is not None:
        given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
        if given:
            raise click.UsageError(f"{given[0]} goes with `verify` alone, not with `verify {ctx.invoked_subcommand}`")
        return None
    return run(**options)


def run(
    d: int | None,
    n: int | None,
    N: int | None,
    paper: str | None,
    claims: str | None,
    targets: Path | None,
    form: str | None,
    certificate: Path | None,
    max_points: int | None,
    strict: bool,
    no_check: bool,
    **how: Any,
) -> int:
    """The default job: sizes first, then every claim on every case, then the check, then the table or certificate."""
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
    if targets is not None:
        refuse_beside_targets(named.name, form, certificate, how["checkpoint"])

    progress, began = Progress(), time.monotonic()
    deadline = None if (limit := how.pop("time_limit")) is None else began + limit
    try:
        refuse_if_too_large(its, sizes, chosen, max_points, how["engine"] or "auto")
        if targets is not None:
            chosen += claims_of_targets(targets, sizes)
            refuse_if_too_large(its, sizes, chosen, max_points, how["engine"] or "auto")
        result = attempt(lambda: its.construction(**sizes), chosen, progress, deadline, **how)
        progress.close()
        data = certify(result) if certificate is not None or form == "json" else b""
        standing = None if no_check else checked(result, began, deadline)
    except (Stopped, MemoryError, KeyboardInterrupt) as error:
        progress.close()  # what it had drawn, before the words about it
        kept = f"; finished shards are kept in {how['checkpoint']}" if how["checkpoint"] else ""
        at = f", at {progress.so_far}{kept}" if progress.so_far else ""
        if isinstance(error, Stopped):
            return complain(f"{error}{at}", STOPPED[error.kind])
        if isinstance(error, MemoryError):
            return complain(f"out of memory{at}", OVER_LIMIT)
        return complain(f"interrupted{at or '; nothing was established'}", INTERRUPTED)
    finally:
        progress.close()
    return deliver(result, data, standing, form, certificate, strict)


def checked(result: Any, began: float, deadline: float | None) -> Any:
    """What the independent checker makes of a result, before a word of it is said."""
    from verifier.confirm import confirm

    with interruptible():
        return confirm(result, began, deadline)


def refuse_beside_targets(paper: str, form: str | None, certificate: Path | None, checkpoint: Path | None) -> None:
    if paper != "yun2020":
        raise click.UsageError(f"--targets goes with the construction of yun2020, not with --paper {paper}")
    if form == "json" or certificate is not None:
        other = "--format json" if certificate is None else "--certificate"
        raise click.UsageError(f"--targets: a certificate has no words for given targets; {other} can't go with it")
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
        raise click.UsageError(f"--targets {ascii(str(path))[1:-1]}: {error}") from error


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
    """The run itself, within its limits."""
    from verifier.run.pool import limit_memory
    from verifier.run.stop import TimeIsUp
    from verifier.run.verify import RunOptions
    from verifier.run.verify import verify as verify_claims

    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    if memory_limit is not None:
        limit_memory(memory_limit)
    options = RunOptions(engine or "auto", jobs, checkpoint, deadline, progress, progress.say, scheduler)
    with interruptible():  # building the map takes time too
        return in_time(deadline, lambda: verify_claims(construct(), claims, options), TimeIsUp())


def written(path: Path, data: bytes) -> bool:
    """All of the bytes, or the old file (or none); what stands against it is said."""
    from verifier.files import write

    try:
        with interruptible():
            write(path, data)
    except OSError as error:
        complain(f"{ascii(str(path))[1:-1]} could not be written: {error.strerror}", MISSING)
        return False
    return True


def deliver(result: Any, data: bytes, standing: Any, form: str | None, certificate: Path | None, strict: bool) -> int:
    """The certificate, the table, what the check said, and the exit code."""
    if certificate is not None and not written(certificate, data):
        return MISSING
    words = "not checked independently (--no-check)" if standing is None else standing.words
    if form == "json":
        sys.stdout.buffer.write(data)
        complain(words, OK)
    else:
        from verifier.report.terminal import print_result

        print_result(result, words)
    sys.stdout.flush()
    if result.verdict != "holds":
        return REFUTED if result.verdict == "refuted" else INCOMPLETE
    vacuous = [finding.claim.id for finding in result.findings if finding.verdict == "vacuous"]
    if strict and vacuous:
        return complain(f"--strict: vacuous: {', '.join(vacuous)}", INCOMPLETE)
    return OK if standing is None or standing.checked else INCOMPLETE


@verify.command(
    "papers",
    short_help="List the papers whose constructions can be run.",
    codes={0: "listed"},
    examples=[("verify papers", "each paper, with what is run of it")],
)
def list_papers() -> int:
    """List every paper: its name (for --paper), where it appeared, what of it is run, how many claims there are."""
    from verifier.catalogue import claims_of, papers

    for name, paper in papers().items():
        count = len(claims_of(name))
        on = f" of {paper.builds_on}, with which they are listed" if paper.builds_on else ""
        print(f"{name}   {paper.title}")
        print(textwrap.indent(textwrap.fill(f"{paper.about}; {count} claims{on}", 96), "    "))
        print()
    sys.stdout.flush()
    return OK


@verify.command(
    "claims",
    short_help="List what can be checked, and how.",
    codes={0: "listed"},
    examples=[
        ("verify claims", "every claim"),
        ("verify claims lemma10", "those of a family"),
        ("verify claims b5.head", "one"),
    ],
)
@click.argument("claim_id", type=ID_OR_FAMILY, required=False, metavar="[ID]")
@option("--paper", metavar="NAME", help="Those of this paper; `verify papers` lists them. [default: yun2020]")
def list_claims(claim_id: str | None, paper: str | None) -> int:
    """List every claim: statement, whose it is, place, how it is verified. With an ID, or a family, those alone.

    A claim whose kind is `excluded` is a reading of its source that nobody is taken to hold: it decides no verdict.
    """
    from verifier.catalogue import DEFAULT, UnknownClaim, UnknownPaper, choose, claims_of, find
    from verifier.core.claim import KINDS

    try:
        name = find(DEFAULT if paper is None else paper).name
        chosen = claims_of(name) if claim_id is None else choose([claim_id], name)
    except (UnknownClaim, UnknownPaper) as error:
        raise click.UsageError(str(error)) from error
    for claim in chosen:
        print(f"{claim.id}   ({claim.where})")
        for label, words in (
            ("", claim.says),
            ("kind:    ", f"{claim.kind}: {KINDS[claim.kind]}"),
            ("formula: ", claim.formula),
            ("needs:   ", claim.needs),
            ("domain:  ", claim.domain.words),
            ("checked: ", claim.how),
        ):
            if words:
                print(textwrap.indent(textwrap.fill(label + words, 96, subsequent_indent="".ljust(len(label))), "    "))
        print()
    sys.stdout.flush()
    return OK


def refuse_if_unwritable(name: str, path: Path) -> None:
    """Before any work: a file that has nowhere to go is a malformed call."""
    from verifier.files import refusal

    if why := refusal(path):
        raise click.UsageError(f"{name} {ascii(str(path))[1:-1]}: {why}")


@verify.command(
    "check",
    short_help="Check certificates again, independently.",
    codes={
        0: "every certificate is accepted, and every promise kept",
        1: "a certificate is rejected, a promise broken, or a refutation confirmed that wasn't promised",
        4: EXIT_CODES[4],
        5: "checked in part, or a certificate is incomplete",
    },
    examples=[
        ("verify --d 1 --n 3 --N 4 --certificate c.json", ""),
        ("verify check c.json", ""),
        ("verify check c.json --promise '1 3 4 lemma6'", "rejected unless it proves Lemma 6 there"),
        ("verify check c.json --sample 1 --seed 7", "one shard, drawn: a part only, and exit 5"),
    ],
)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--promise", metavar="TEXT", help="What must have been proved: 'd n N claims [verdict]'.")
@click.option("--claims", type=click.Path(), metavar="FILE", help="A file of such promises, a line for each.")
@click.option("--shard", metavar="K", help="Check shard K alone; may be given again.")
@click.option("--sample", metavar="K", help="Check K shards alone, drawn by --seed.")
@click.option("--seed", metavar="S", help="What --sample draws by. [default: 0]")
@click.option("--seconds", metavar="S", help="Check what about S seconds allow, drawn by the certificate's digests.")
@click.option("--literal", is_flag=True, help="Run the literal heads, however many there are.")
@click.option("--max-points", metavar="M", help="Check certificates of up to M orbits.")
@click.option("--reading", metavar="FILE", help="Your second reading, in Python, of a construction of somebody's own.")
@click.option("--strict", is_flag=True, help="Exit 5 when a claim is vacuous.")
def check(**_: Any) -> None:
    """Check certificates again with the independent checker: a process of its own, which shares no code with the rest.

    It derives all of a certificate anew from (d, n, N) and compares. FILE... are certificates of runs (--certificate)
    and of symbolic proofs (verify prove --certificate).
    """
    # For --help and completion: `main` gives the words after `check` to the checker as they are, and never comes here.
    raise click.UsageError("check is the first word, as in `verify check c.json`")


def run_check(arguments: Sequence[str]) -> int:
    from verifier.checking import run_checker

    if not arguments:
        raise click.UsageError("a file is missing, as in `verify check c.json`")
    for word in takewhile(lambda word: word != "--", arguments):
        if word in ("-h", "--help"):
            return run_verify(["check", "--help"])
        name = word.partition("=")[0]
        if name.startswith("--") and name not in option_names(check):
            raise click.UsageError(unknown("option", name, option_names(check)))
    with interruptible():
        code = run_checker(arguments).returncode
    return complain(f"the checker died of signal {-code}; nothing was established", INCOMPLETE) if code < 0 else code


@verify.command(
    "report",
    short_help="A page to look at, of certificates and surveys.",
    codes={
        0: "the page is written",
        1: "it is, and a certificate was rejected",
        3: "the page could not be written",
        4: "it is written, and a certificate is over the checker's limit",
    },
    examples=[
        ("verify --d 1 --n 3 --N 4 --certificate c.json", ""),
        ("verify report c.json -o report.html", ""),
        ("verify report c.json -o report.html --sweep lemma6.4", "the sweep of that claim's tightest case"),
        ("verify report c.json -o separation.svg", "the picture of the separation alone"),
        ("verify survey --d 1 --n 3 --N 3..5 --format json >s.json", ""),
        ("verify report c.json s.json -o report.html", "of a certificate and of a survey"),
    ],
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Write the page to FILE.")
@option(
    "--sweep",
    type=ID,
    metavar="ID",
    help="Follow this claim's tightest case, or counterexample, through the sweep.",
)
@option("--max-points", type=Natural(), metavar="M", help="Have certificates of up to M orbits checked again.")
def report(files: tuple[Path, ...], output: Path | None, sweep: str | None, max_points: int | None) -> int:
    """One self-contained HTML page of certificates, each checked again just now, and of surveys (--format json)."""
    from verifier.catalogue import UnknownClaim, choose
    from verifier.files import Unreadable
    from verifier.report import figure, page, sources

    if output is None:
        raise click.UsageError("-o is missing; the page needs a file, as in `verify report c.json -o report.html`")
    try:
        choose(["all" if sweep is None else sweep])
    except UnknownClaim as error:
        raise click.UsageError(f"--sweep: {error}") from error
    if output.suffix not in (".html", ".htm", ".svg"):
        raise click.UsageError(f"-o {ascii(str(output))[1:-1]}: a page is a FILE.html, the picture alone a FILE.svg")
    refuse_if_unwritable("-o", output)
    if any(file.exists() and output.exists() and file.samefile(output) for file in files):
        raise click.UsageError(f"-o {ascii(str(output))[1:-1]}: that is what is reported on, no place for the page")
    if len(files) > page.MOST_FILES:
        raise click.UsageError(f"{len(files)} files; a page is made of at most {page.MOST_FILES}")
    given = []
    try:
        for file in files:
            try:
                with interruptible():
                    given.append(sources.load(file, max_points))
            except Unreadable as error:
                raise click.UsageError(f"{ascii(str(file))[1:-1]}: {error}") from error
        data = figure.render(given) if output.suffix == ".svg" else page.render(given, sweep)
    except page.NoSuchCase as error:
        raise click.UsageError(f"--sweep: {error}") from error
    except figure.NoPicture as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        return complain("interrupted; no page was written", INTERRUPTED)
    if not written(output, data):
        return MISSING
    codes = set()
    for source in given:
        if isinstance(source, sources.Source) and source.code:
            codes.add(complain(f"{source.name}: {source.standing}: {source.said}", source.code))
    return next((code for code in (REFUTED, OVER_LIMIT) if code in codes), OK)


@verify.command(
    "regress",
    short_help="Derive committed certificates anew, compare, check.",
    codes={
        0: "every file is as proved",
        1: "a file differs, is missing, isn't listed, or is rejected",
        4: EXIT_CODES[4],
    },
    examples=[
        ("mkdir proofs", ""),
        ("echo 'c.json 1 2 3 lemma6 holds' >proofs/MANIFEST", "file, d n N, claims, verdict; a line for each"),
        ("verify regress --update", "writes what is missing or differs"),
        ("verify regress", "compares; so in CI, on the committed files"),
        ("verify regress proofs --junit junit.xml", ""),
    ],
)
@click.argument("folder", required=False, default="proofs", type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--update", is_flag=True, help="Rewrite the certificates that differ, deliberately.")
@option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit XML report.")
def regress(folder: Path, update: bool, junit: Path | None) -> int:
    """Derive every certificate that DIR/MANIFEST lists anew, compare the bytes, and have each checked.

    DIR is proofs, if none is given.
    """
    from verifier import regress as room
    from verifier.files import write
    from verifier.run.stop import Stopped

    if junit is not None:
        refuse_if_unwritable("--junit", junit)
        if room.is_checked(folder, junit):
            raise click.UsageError(f"--junit {ascii(str(junit))[1:-1]}: that is what is checked, no place for a report")

    def tell(outcome: room.Outcome) -> None:
        print(f"{'DIFFERS' if outcome.differences else 'ok':<8} {outcome.file:<40} {outcome.words}", flush=True)
        for difference in outcome.differences:
            print(f"         {difference}", flush=True)

    try:
        with interruptible():
            outcomes = room.regress(folder, update=update, tell=tell)
    except room.BadManifest as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except KeyboardInterrupt:
        return complain("interrupted; not every certificate was looked at", INTERRUPTED)
    differing = sum(bool(outcome.differences) for outcome in outcomes)
    proved = len(outcomes) - differing
    print(f"{proved} certificate{'' if proved == 1 else 's'} as proved, {differing} not", flush=True)
    code = REFUTED if differing else OK
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    try:
        if junit is not None:
            with interruptible():
                write(junit, room.junit(outcomes, folder))
        if summary and Path(summary).exists() and not Path(summary).is_file():
            return complain(f"GITHUB_STEP_SUMMARY is no file: {ascii(summary)[1:-1]}", code or MISSING)
        if summary:
            with open(summary, "a", encoding="utf-8") as file:
                file.write(room.markdown(outcomes))
    except OSError as error:
        return complain(f"a report could not be written: {error.strerror or error}", code or MISSING)
    return code


@verify.command(
    "prove",
    short_help="Symbolic proofs, for all d, N and n.",
    codes={
        0: "proved",
        1: "a claim is violated, at an instance that is found",
        4: EXIT_CODES[4],
        5: "some claim asked for has no proof",
    },
    examples=[
        ("verify prove", "for all n >= 2, d >= 1, N >= 2, by induction"),
        ("verify prove --n 3 --certificate p.json", "for n = 3, written out"),
        ("verify check p.json", "the independent checker expands it all"),
        ("verify prove --tighten upper=1", "fails, with an instance: exit 1"),
        ("verify prove --claims c.order", "false at (d, n) = (1, 2): exit 1"),
        ("verify prove --export smt2 > all.smt2", "for a solver: `z3 all.smt2` says unsat to each obligation"),
    ],
)
@option("--n", type=Natural(), help="For this n alone, with every recursion written out. [default: for all n]")
@option(
    "--claims",
    type=PROVABLE,
    metavar="ID,ID",
    help="Claim ids, families, or all. [default: all that are proved]",
)
@option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), help="What goes to stdout. [default: text]"
)
@option("--certificate", type=click.Path(path_type=Path), metavar="FILE", help="Write the certificate to FILE.")
@option("--export", type=click.Choice(["smt2"]), help="Print the obligations instead, negated, in SMT-LIB 2.")
@option("--without", type=click.Choice(["n>=2", "N>=2"]), help="Try without this condition: shows that it is needed.")
@option("--tighten", metavar="FACT=K", help="Try with this fact's bound K stronger: shows that it is sharp.")
def prove(
    n: int | None,
    claims: str | None,
    form: str | None,
    certificate: Path | None,
    export: str | None,
    without: str | None,
    tighten: str | None,
) -> int:
    """Prove both contextual maps, Lemma 6's and App. C's, for all d, N and all n (or one n): proofs/SYMBOLIC.md."""
    from verifier.symbolic import certificate as room
    from verifier.symbolic.report import as_markdown, as_text
    from verifier.symbolic.smt import script

    if certificate is not None:
        refuse_if_unwritable("--certificate", certificate)
    if n is not None and n < 2:
        raise click.UsageError(f"--n {n} is too small; n must be at least 2")
    if n is not None and n > room.MOST_N:
        return complain(
            f"--n {n} is over the limit of {room.MOST_N} (a file of 50 MB); without --n all are proved", OVER_LIMIT
        )
    try:
        ids, unproved = room.choose(claims, n)
        if (without or tighten) and (certificate is not None or form is not None):
            raise ValueError(
                "--without and --tighten go with no --certificate and no --format: there are no words for that"
            )
        if export and (without or certificate is not None or form is not None):
            raise ValueError(
                "--export goes with no --without, --certificate or --format: it prints scripts, and no proof"
            )
        setting = room.claimed(without, tighten)
        if export and ids:
            print(script(ids, n, setting), end="", flush=True)
        document = room.prove(ids, n, setting) if ids else None
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except room.NotProved as error:
        return complain(str(error), REFUTED if error.refuted else INCOMPLETE)
    if document is not None and not export:
        data = room.to_bytes(document)
        if certificate is not None and not written(certificate, data):
            return MISSING
        if without:
            print(f"none of these proofs uses {without}")
        if tighten:
            print(f"with {tighten} the proofs go through too: they use less than is known there")
        if form == "json":
            sys.stdout.buffer.write(data)
        else:
            print(as_markdown(document) if form == "markdown" else as_text(document), end="")
        sys.stdout.flush()
    return complain(f"not proved symbolically: {', '.join(unproved)}", INCOMPLETE) if unproved else OK


@verify.command(
    "survey",
    short_help="Many instances: a row each.",
    codes={
        0: "all holds",
        1: "a claim is refuted somewhere",
        4: EXIT_CODES[4],
        5: "an instance was too large, stopped, or incomplete",
    },
    examples=[
        ("verify survey --d 1..2 --n 2 --N 2..3", ""),
        ("verify survey --d 1 --n 3 --N 3..4 --claims lemma6", "a column for each family that is chosen"),
        ("verify survey --d 1 --n 2 --N 2..5 --format csv >s.csv", ""),
        ("verify survey --d 1 --n 2..3 --N 2..4 --checkpoint kept", "the same call goes on where it stopped"),
    ],
)
@option("--d", metavar="A..B", help="Rows, such as 1 or 1..2.")
@option("--n", metavar="A..B", help="Tokens, such as 2..4.")
@option("--N", "N", metavar="A..B", help="Steps of the grid, such as 2..6.")
@option("--paper", metavar="NAME", help="Whose construction; `verify papers` lists them. [default: yun2020]")
@option(
    "--claims",
    type=IDS,
    metavar="ID,ID",
    help="Claim ids, families, or all. [default: grid,b5,lemma10,lemma6]",
)
@option("--format", "form", type=click.Choice(["text", "json", "csv"]), help="What goes to stdout. [default: text]")
@option("--checkpoint", type=Folder(path_type=Path), metavar="DIR", help="Keep finished rows; resume from them.")
@option("--jobs", type=Natural(), metavar="J", help="Worker processes. [default: one for each core]")
@option("--max-points", type=Natural(), metavar="M", help="List instances of more than M orbits as too large.")
@click.option("--no-check", is_flag=True, help="Leave out the independent check that each row ends with.")
def survey(
    d: str | None,
    n: str | None,
    N: str | None,
    claims: str | None,
    form: str | None,
    checkpoint: Path | None,
    jobs: int | None,
    max_points: int | None,
    no_check: bool,
) -> int:
    """Check many instances: a row for each, a column for each family of claims."""
    from verifier import survey as room
    from verifier.catalogue import UnknownClaim, choose, default_claims
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped
    from verifier.run.verify import RunOptions

    if d is None or n is None or N is None:
        raise click.UsageError("--d, --n and --N are needed, as in `verify survey --d 1..2 --n 2..4 --N 2..6`")
    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    progress = Progress()
    try:
        wanted = room.instances(*map(room.parse_range, (d, n, N)))
        chosen = default_claims() if claims is None else choose(claims.split(","))
        way = RunOptions("auto", jobs, progress=progress, say=progress.say)
        with interruptible():
            rows = list(room.survey(wanted, chosen, max_points, way, checkpoint, progress.begin, check=not no_check))
    except (NotExact, UnknownClaim) as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    except KeyboardInterrupt:
        kept = f"; finished rows are kept in {checkpoint}" if checkpoint else ""
        return complain(f"interrupted{kept}", INTERRUPTED)
    finally:
        progress.close()
    families = room.families_of(chosen)
    if form == "json":
        print(room.as_json(rows))
    else:
        print(room.as_csv(rows, families) if form == "csv" else room.as_text(rows, families))
    sys.stdout.flush()
    for row in rows:
        if row.why:
            complain(f"{row.verdict}: {row.why}", OK)
    for words in room.how_checked(rows):
        complain(words, OK)
    verdicts = {row.verdict for row in rows}
    if "refuted" in verdicts:
        return REFUTED
    unchecked = any(row.checked.startswith("not checked") for row in rows)
    return INCOMPLETE if verdicts - {"holds"} or unchecked else OK


@verify.command(
    "explain",
    short_help="The story of one matrix, layer by layer.",
    codes={0: "told, whatever it tells", 4: EXIT_CODES[4]},
    examples=[
        ("verify explain --d 1 --n 3 --N 4 --matrix '0,1/4,3/4'", ""),
        ("verify explain --d 2 --n 2 --N 2 --matrix '0,1/2;1/2,s'", "two rows, and a sentinel"),
        ("verify explain --d 1 --n 3 --N 4 --claim lemma6.4", "the matrix that a claim is tightest at"),
        ("verify explain --d 1 --n 2 --N 2 --claim hu.threshold", "the matrix that refutes one"),
    ],
)
@option("--d", type=Natural(), help="Rows of the matrix.")
@option("--n", type=Natural(), help="Columns of the matrix.")
@option("--N", "N", type=Natural(), help="Steps of the grid, delta = 1/N.")
@option("--matrix", metavar="ROW;ROW", help="The matrix, such as '0,1/4,3/4' or '0,1/2;1/2,s', s the sentinel.")
@option(
    "--claim",
    type=ID,
    metavar="ID",
    help="Explain the claim's tightest case, or its counterexample, instead.",
)
@option(
    "--construction",
    type=click.Choice(["contextual", "positional", "hu", "slides"]),
    help="What the matrix runs through. [default: contextual]",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def explain_one(
    d: int | None,
    n: int | None,
    N: int | None,
    matrix: str | None,
    claim: str | None,
    construction: str | None,
    form: str | None,
) -> int:
    """Tell the story of one matrix, layer by layer, and back; or of the matrix that a claim is tightest at."""
    from verifier.papers.yun2020.instance import Instance
    from verifier.run.stop import Stopped

    if d is None or n is None or N is None:
        raise click.UsageError("--d, --n and --N are needed, as in `verify explain --d 1 --n 2 --N 4 --matrix 0,3/4`")
    if (matrix is None) == (claim is None):
        both = "" if claim is None else ", and not both"
        raise click.UsageError(f"one of --matrix and --claim is needed{both}")
    if claim is not None and construction is not None:
        raise click.UsageError("--construction goes with --matrix; a claim knows what its cases run through")
    try:
        instance = Instance(d, n, N)
        with interruptible():
            if claim is None:
                show, told = story_of(instance, matrix or "", construction or "contextual")
            else:
                show, told = explanation_of(instance, claim)
            show(told, as_json=form == "json")
    except NotExact as error:
        raise click.UsageError(str(error)) from error
    except Stopped as error:
        return complain(str(error), STOPPED[error.kind])
    sys.stdout.flush()
    return OK


verify.add_command(bench)


@verify.command(
    "build",
    short_help="A Transformer for a target, in files.",
    codes=build_command.CODES,
    examples=build_command.EXAMPLES,
)
@option("--d", type=Natural(), help="Rows of the input.")
@option("--n", type=Natural(), help="Columns of the input, its tokens.")
@option("--N", "N", type=Natural(), help="Cells of each entry, delta = 1/N; a power of two for --form float.")
@option("--target", metavar="EXPR", help="The function, such as 'x * mean(x)'; rows are separated by ';'.")
@option("--targets", type=click.Path(path_type=Path), metavar="FILE", help="Its values on the grid, as a table.")
@option("--form", type=click.Choice(["float", "paper"]), help="Exact in floats, or the paper's own. [default: float]")
@option(
    "--dtype",
    type=click.Choice(["float64", "float32", "float16", "bfloat16"]),
    help="Of the weights. [default: float64]",
)
@option("-o", "--output", type=Folder(path_type=Path), metavar="DIR", help="The folder to write; it must not exist.")
@click.option(
    "--positional", is_flag=True, help="With positional encodings (App. C): any target, not only equivariant."
)
@option("--epsilon", type=build_command.Rational(), metavar="Q", help="Width of the strips between cells.")
@option("--lambda", "rate", type=build_command.Rational(), metavar="Q", help="The temperature of softmax.")
@option("--target-bits", type=Natural(), metavar="B", help="Round the target to multiples of 2^-B.")
@option("--max-layers", type=Natural(), metavar="M", help="Refuse more layers. [default: 5,000]")
def build(**options: Any) -> int:
    """Build a Transformer that approximates a function: weights, a graph, and a certificate of what it computes.

    The certificate has four statements: in exact arithmetic, with softmax, in the format, and the distance to the
    function. A network that isn't exact in the format is refused, with the smallest format that would do.
    """
    from verifier.build.plan import Refused
    from verifier.build.target import BadTarget

    try:
        with interruptible():
            words = build_command.run(**options, say=lambda _: None)
    except (Refused, BadTarget) as error:
        return complain(str(error), STOPPED[getattr(error, "kind", "malformed")])
    except OSError as error:
        return complain(f"{ascii(str(options['output']))[1:-1]} could not be written: {error.strerror}", MISSING)
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    print(words, flush=True)
    return OK


@verify.command(
    "completion",
    short_help="What makes a shell complete these words.",
    codes={0: "printed"},
    examples=[
        ('eval "$(verify completion bash)"', "in this shell; as a line of ~/.bashrc, in all"),
        ("verify completion zsh >_verify", "for zsh: in a folder of its $fpath"),
        ("verify completion fish >verify.fish", "for fish: in ~/.config/fish/completions"),
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the script by which a shell completes commands, options, claim ids and families, and file names."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"click completes nothing for {shell}")
    script = kind(verify, {}, "verify", COMPLETE).source()
    print(script.replace('split ","', 'split --max 1 ","'), flush=True)  # fish's would cut claim ids at their commas
    return OK


def complete(instruction: str) -> int:
    """What a shell asks for while a word is typed, in click's protocol."""
    from click.shell_completion import shell_complete

    with suppress(KeyError, ValueError):  # asked by nobody's shell: there are no words to complete
        return shell_complete(verify, {}, "verify", COMPLETE, instruction)
    return MALFORMED


def story_of(instance: Any, matrix: str, construction: str) -> tuple[Callable[..., None], Any]:
    """Sizes first, then the matrix, then its story."""
    from verifier.papers.yun2020.size import refuse_if_too_long
    from verifier.report.explain import show_story
    from verifier.report.story import tell
    from verifier.report.subject import CONSTRUCTIONS, BadMatrix, Subject, parse_matrix

    subject = Subject(CONSTRUCTIONS[construction], instance)
    refuse_if_too_long(instance, ordered=subject.construction.ordered)
    try:
        return show_story, tell(subject, parse_matrix(matrix, subject))
    except BadMatrix as error:
        raise click.UsageError(f"--matrix: {error}") from error


def explanation_of(instance: Any, name: str) -> tuple[Callable[..., None], Any]:
    """Sizes first, then the claim on all of its cases, then the story of the one that says most."""
    from verifier.catalogue import UnknownClaim, choose
    from verifier.papers.yun2020.size import refuse_if_too_large, refuse_if_too_long
    from verifier.report.explain import show_explained
    from verifier.report.explained import explain, is_ordered
    from verifier.report.progress import Progress
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
    progress = Progress()
    try:
        return show_explained, explain(
            instance, chosen[0], RunOptions("auto", None, progress=progress, say=progress.say)
        )
    finally:
        progress.close()


def complain(message: str, code: int) -> int:
    if code == INTERRUPTED:
        message, code = last_words(message)
    with suppress(OSError):  # stderr may be full or gone; the code says it all the same
        print(f"verify: {' '.join(message.split())}", file=sys.stderr)
    return code


def run_verify(words: list[str]) -> int:
    code = verify.main(words, prog_name="verify", standalone_mode=False)
    return code if isinstance(code, int) else OK


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; a user's mistake is one line on stderr."""
    if sys.stderr is None:  # closed: print(file=None) would write to stdout
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        return complain("the output could not be written: stdout is closed", MISSING)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what an ASCII terminal can't show is no reason to stop
            stream.reconfigure(errors="replace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if arguments is None and COMPLETE in os.environ:
            return complete(os.environ[COMPLETE])
        return run_check(words[1:]) if words[:1] == ["check"] else run_verify(words)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return complain(error.format_message(), MALFORMED)
    except (click.Abort, KeyboardInterrupt):
        return complain("interrupted; nothing was established", INTERRUPTED)
    except MemoryError:
        return complain("out of memory; nothing was established", OVER_LIMIT)
    except SystemExit:  # so click ends when the reader of a pipe has gone
        return UNREAD
    except OSError as error:  # stdout is a full disk, or a pipe that nobody reads; or a file that can't be reached
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more
        if isinstance(error, BrokenPipeError):  # `| head -1`: what was wanted has been read
            return UNREAD
        where = "the output could not be written" if error.filename is None else ascii(str(error.filename))[1:-1]
        return complain(f"{where}: {error.strerror or error}", MISSING)
    except Exception as error:  # a defect of ours is no verdict
        return defect(error)


def defect(error: BaseException) -> int:
    """One line of what happened and where; the traceback for whoever asks."""
    import traceback

    if os.environ.get("VERIFIER_DEBUG"):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    said = f"{type(error).__name__}: {error}"[:300]
    return complain(f"a defect of verifier, and no verdict: {said}{where}; VERIFIER_DEBUG=1 shows more", DEFECT)
