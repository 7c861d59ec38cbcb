"""`verify --d 1 --n 3 --N 4`, and `verify --paper PAGE`: a page of this package, by its name, or of one's own, run. Its
sizes are options by their names; a range gives a row each.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import product
from math import inf
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
from verifier.commands.options import FILE, IDS, Folder, Natural, option
from verifier.commands.usage import EXIT_CODES, HELP, Command, unknown
from verifier.core.exact import NotExact, parse_natural, parse_rational
from verifier.interrupts import in_time, interruptible

MOST_ROWS = 1_000
FEW = 20  # claims that are all named where one isn't known


def page_named(words: Sequence[str]) -> Path | None:
    """The page after --paper, if there is one."""
    for k, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--paper":
            return of_name(value if equals else words[k + 1] if k + 1 < len(words) else "")
    return None


def of_words(words: Sequence[str]) -> Path:
    """The page after --paper; the default one, if there is none."""
    from verifier.catalogue import DEFAULT, pages

    return page_named(words) or pages()[DEFAULT]


def of_name(name: str) -> Path:
    """The file of a page: one of this package; or a file, which has a suffix or a folder or is there."""
    from verifier.catalogue import UnknownPaper, in_full, pages

    path = Path(name)
    if path.suffix or len(path.parts) > 1 or (path.is_file() and name not in pages()):
        return path
    try:
        return pages()[in_full(name)]
    except UnknownPaper as error:
        raise click.UsageError(str(error)) from error


ALL = range(0)  # the value of a size that no run of cases ends


class Range(click.ParamType):  # type: ignore[type-arg]
    """A size, or sizes: 4, or 1..6; of `lengths` also all, of what bounds the length of words."""

    name = "size"

    def __init__(self, *, lengths: bool = False) -> None:
        self.lengths = lengths

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        if self.lengths and value == "all":
            return ALL
        low, dots, high = str(value).partition("..")
        try:
            least = parse_natural(low)
            most = parse_natural(high) if dots else least
        except NotExact as error:
            self.fail(f"{error}; a size is a whole number, or a range such as 1..6", param, ctx)
        if most < least:
            self.fail(f"{value} is an empty range", param, ctx)
        return range(least, most + 1)


def understood(path: Path) -> Any:
    """The page in a file."""
    from verifier.commands.refused import refused
    from verifier.files import Unreadable
    from verifier.files import read as text_in
    from verifier.language.library import text_of
    from verifier.language.page import read
    from verifier.language.words import Refused

    text = ""
    try:
        text = text_in(path)
        if text.lstrip()[:1] == "{":
            raise Unreadable("it is no page; `verify check` reads certificates, and with --show prints their page")
        text = text_of(path)  # with what it uses
        return read(text)
    except Unreadable as error:
        raise click.UsageError(f"{printable(path)}: {error}") from error
    except Refused as error:
        raise click.exceptions.Exit(refused(error, path, text)) from error


def run_page(words: Sequence[str], path: Path) -> int:
    """The command for this page, called with these words."""
    from verifier.commands.watching import watch

    def once(found: list[dict[str, Any]]) -> int:
        command = command_of(understood(path), path, found)
        code = command.main(list(words), prog_name="verify", standalone_mode=False)
        return code if isinstance(code, int) else OK

    return watch(path, once) if "--watch" in words and not {"-h", "--help"} & set(words) else once([])


def size_options(page: Any, type_: Any) -> list[click.Parameter]:
    return [
        click.Option([f"--{name}", f"size_{k}"], type=type_, help=f"A size of the page, at least {least}.")
        for k, (name, least) in enumerate(page.page.sizes.items())
    ]


def _gone(ctx: click.Context, _: click.Parameter, value: Any) -> None:
    if value is not None:
        raise click.UsageError(
            "--engine is gone: there is one way to run a case in arrays, and --slow runs it by the definition", ctx
        )


OPTIONS = [
    option(
        "--paper", type=FILE, metavar="FILE", help="A page: a name of `verify papers`, or a file. [default: yun2020]"
    ),
    option(
        "--claims",
        type=IDS,
        metavar="ID,ID",
        help="Claim ids, families such as lemma6, or all. [default: all; of yun2020 grid,b5,lemma10,lemma6]",
    ),
    click.option(
        "--variant", multiple=True, metavar="NAME=VALUE", help="Exchange a number that the page names by 'as'."
    ),
    option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]"),
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
    option("--max-points", type=Natural(), metavar="M", help="Refuse a run of more than M cases. [default: 4000000]"),
    click.option("--slow", is_flag=True, help="Run each case by the definition, in rationals."),
    click.option("--verbose", "-v", "every", is_flag=True, help="Show every claim, and every counterexample."),
    click.option("--quiet", "-q", is_flag=True, help="Print the verdict alone."),
    click.option("--strict", is_flag=True, help="Exit 5 when a claim was vacuous or skipped."),
    click.option("--no-check", is_flag=True, help="Skip the independent check at the end of the run."),
    click.option("--engine", hidden=True, expose_value=False, callback=_gone),
]


def with_options(command: Any) -> Any:
    """The options that a run of any page has."""
    for option_ in reversed(OPTIONS):
        command = option_(command)
    return command


def command_of(page: Any, path: Path, found: list[dict[str, Any]] | None = None) -> click.Command:
    """`verify --paper FILE`, with the page's sizes as options. What is found is put into the list, too."""

    @click.command(
        "verify",
        cls=Command,
        context_settings=HELP,
        codes=EXIT_CODES,
        examples=[(f"verify --paper {path}" + "".join(f" --{n} {m}" for n, m in page.page.sizes.items()), "")],
    )
    @with_options
    @click.option("--watch", is_flag=True, help="Run again when the file is saved; Ctrl-C ends it.")
    def command(**options: Any) -> int:
        """Run every claim of a page on every case of its inputs, in exact rationals."""
        if options.pop("watch") and options["form"] == "json":
            raise click.UsageError("--watch says what changed; it goes without --format json")
        return run(page, path, [] if found is None else found, **options)

    taken = {name.lstrip("-") for parameter in command.params for name in parameter.opts} | {"help"}
    if clash := taken.intersection(page.page.sizes):
        raise click.UsageError(
            f"{printable(path)}: a size can't be called {clash.pop()}: verify has an option of that name"
        )
    command.params[:0] = size_options(page, Range(lengths=True))
    return command


def sizes_of(page: Any, options: dict[str, Any]) -> dict[str, range]:
    found = {name: options.pop(f"size_{k}") for k, name in enumerate(page.page.sizes)}
    if missing := [name for name, value in found.items() if value is None]:
        wanted = " ".join(f"--{name} {least}" for name, least in page.page.sizes.items())
        raise click.UsageError(f"--{missing[0]} is missing; the page's sizes are at least {wanted}")
    return found


def chosen(page: Any, claims: str | None, path: Path | None = None) -> list[str]:
    """The ids of --claims: an id, the part before a dot, or all. By default all, or what the catalogue says."""
    from verifier.catalogue import default_of

    every = list(page.page.claims)
    if claims is None:
        claims = default_of(path)
    found: set[str] = set()
    for name in claims.split(","):
        its = {id_ for id_ in every if name in ("all", id_) or id_.startswith(f"{name}.")}
        if not its:
            families = list(dict.fromkeys(id_.partition(".")[0] for id_ in every))
            there = (
                f"{', '.join(families)}, whose claims `verify claims` lists" if len(every) > FEW else ", ".join(every)
            )
            raise click.UsageError(
                unknown("claim", name, [*every, *families, "all"]).replace("--help lists them", f"there are {there}")
            )
        if twice := sorted(its & found):
            raise click.UsageError(f"--claims: {twice[0]} is chosen twice")
        found |= its
    return [id_ for id_ in every if id_ in found]


def exchanged(variant: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in variant:
        name, equals, value = word.partition("=")
        try:
            if not equals or name in found:
                raise NotExact(f"{printable(word)}: " + ("given twice" if equals else "it is NAME=VALUE"))
            found[name] = parse_rational(value)
        except NotExact as error:
            raise click.UsageError(f"--variant: {error}") from error
    return found


def run(
    page: Any,
    path: Path,
    contents: list[dict[str, Any]],
    claims: str | None,
    variant: Sequence[str],
    form: str | None,
    certificate: Path | None,
    coq: Path | None,
    jobs: int | None,
    checkpoint: Path | None,
    scheduler: str | None,
    time_limit: int | None,
    memory_limit: int | None,
    max_points: int | None,
    slow: bool,
    every: bool,
    quiet: bool,
    strict: bool,
    no_check: bool,
    **options: Any,
) -> int:
    from verifier.evaluate.certificate import canonical
    from verifier.evaluate.run import Disagree, Elsewhere, found
    from verifier.language.words import Refused
    from verifier.report.progress import Progress
    from verifier.run.stop import Stopped, TimeIsUp

    options.pop("paper")
    ranges, ids, numbers = sizes_of(page, options), chosen(page, claims, path), exchanged(variant)
    for option_, file in (("--certificate", certificate), ("--coq", coq)):
        if file is not None:
            refuse_if_unwritable(option_, file)
    if ALL in ranges.values():
        others: dict[str, Any] = {
            "--variant": numbers,
            "--coq": coq,
            "--checkpoint": checkpoint,
            "--scheduler": scheduler,
        }
        others |= {"--slow": slow, "--format json": form == "json", "--memory-limit": memory_limit}
        return every_length(page, path, ranges, ids, certificate, time_limit, others, quiet=quiet, strict=strict)
    rows = [dict(zip(ranges, sizes, strict=True)) for sizes in product(*ranges.values())]
    if coq is not None and numbers:
        raise click.UsageError("--coq writes the page's own numbers; it goes without --variant")
    if jobs == 0:
        raise click.UsageError("--jobs 0: at least one process is needed")
    if slow and (checkpoint is not None or scheduler is not None):
        raise click.UsageError("--slow runs case by case, here: it goes without --checkpoint and --scheduler")
    refuse_together(len(rows), every + quiet + (form == "json"), certificate or coq or form == "json", checkpoint)
    began = time.monotonic()
    deadline = None if time_limit is None else began + time_limit
    told, steps = Progress(quiet=quiet), None if time_limit is None else inf
    how = Elsewhere(checkpoint, scheduler, deadline, told.say)
    codes = []
    try:
        if memory_limit is not None:
            from verifier.run.pool import limit_memory

            limit_memory(memory_limit)
        for sizes in rows:
            began_row = time.monotonic()
            told.begin(", ".join(f"{name} = {size}" for name, size in sizes.items()) if len(rows) > 1 else "")
            with interruptible():
                job = partial(
                    found,
                    page,
                    sizes,
                    ids,
                    numbers,
                    jobs=jobs,
                    most=max_points,
                    slow=slow,
                    steps=steps,
                    tell=told,
                    how=how,
                )
                content = in_time(deadline, job, TimeIsUp())
                told.close()
                data, heads = canonical(content), cache(partial(sizes_of_heads, page, content))
                in_full = form != "json" and not quiet and len(rows) == 1
                words, standing = (
                    ("not checked independently (--no-check)", True)
                    if no_check
                    else checked(data, began_row, deadline, heads if in_full else lambda: None)
                )
            if certificate is not None and not written(certificate, data):
                return MISSING
            if coq is not None:
                with interruptible():
                    theorems = in_time(deadline, partial(in_coq, page, sizes, ids), TimeIsUp())
                codes.append(kept_in_coq(coq, *theorems, strict=strict))
                if codes[-1] == MISSING:
                    return MISSING
            show(page, content, data, words, form, heads, every=every, quiet=quiet, row=len(rows) > 1)
            codes.append(code_of(content, standing, strict))
            contents.append(content)
    except (Refused, Stopped, Disagree, MemoryError, KeyboardInterrupt) as error:
        told.close()  # wipes the bar before the message
        kept = "" if checkpoint is None else f"; what is finished is kept in {printable(checkpoint)}"
        return ended(error, path, page.page.text, kept)
    return max(codes, key=[OK, INCOMPLETE, REFUTED].index)


def every_length(*of: Any, **how: Any) -> int:
    """Where a size is `all`."""
    from verifier.commands.lengths import run_lengths

    return run_lengths(*of, **how)


def refuse_together(rows: int, ways: int, stated: Any, checkpoint: Path | None) -> None:
    """Refuses what doesn't go with a range of sizes, and several ways to show a result."""
    if ways > 1:
        raise click.UsageError("-v, -q and --format json are three ways to show a result; give one of them")
    if rows > 1 and stated:
        raise click.UsageError(
            "a certificate is of one choice of sizes; a range goes without --certificate, --coq and --format json"
        )
    if rows > 1 and checkpoint is not None:
        raise click.UsageError("a checkpoint is of one choice of sizes; a range goes without --checkpoint")
    if rows > MOST_ROWS:
        raise click.UsageError(f"{rows:,} choices of sizes; at most {MOST_ROWS:,} are run at once")


def in_coq(page: Any, sizes: dict[str, int], ids: list[str]) -> tuple[str, dict[str, str]]:
    """The claims as theorems, and why some have none."""
    from verifier.coq.theorems import written as theorems

    return theorems(page, sizes, ids)


def kept_in_coq(path: Path, text: str, left_out: dict[str, str], *, strict: bool) -> int:
    """Writes the theorems; says which claims have none."""
    if not written(path, text.encode()):
        return MISSING
    for id_, why in left_out.items():
        complain(f"{printable(path)} says nothing of {id_}: {why}", OK)
    return INCOMPLETE if strict and left_out else OK


def ended(error: BaseException, path: Path, text: str, kept: str = "") -> int:
    from verifier.commands.answers import DEFECT
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


def sizes_of_heads(page: Any, content: dict[str, Any]) -> dict[str, str]:
    """What the table's heading says of layers; and the table's own modules are loaded."""
    import verifier.report.found  # noqa: F401
    from verifier.evaluate.story import shapes

    return shapes(page, content)


def checked(data: bytes, began: float, deadline: float | None, meanwhile: Callable[[], object]) -> tuple[str, bool]:
    """The independent checker's answer, before anything of the result is printed."""
    from verifier.confirm import confirm

    standing = confirm(data, time.monotonic() - began, deadline, meanwhile)
    return standing.words, standing.checked


def show(
    page: Any,
    content: dict[str, Any],
    data: bytes,
    words: str,
    form: str | None,
    heads: Callable[[], dict[str, str]],
    *,
    every: bool,
    quiet: bool,
    row: bool,
) -> None:
    from verifier.report.found import print_found, print_row

    if form == "json":
        sys.stdout.buffer.write(data)
        complain(words, OK)
    elif row:
        print_row(content, page.page)
    elif quiet:
        print(content["verdict"])
    else:
        print_found(content, page.page, words, every=every, shapes=heads())
    sys.stdout.flush()


def code_of(content: dict[str, Any], standing: bool, strict: bool) -> int:
    if content["verdict"] == "refuted":
        return REFUTED
    idle = [
        f"{word}: {', '.join(ids)}"
        for word in ("vacuous", "skipped")
        if (ids := [claim["id"] for claim in content["claims"] if claim["verdict"] == word])
    ]
    if content["verdict"] in ("incomplete", "vacuous") or (strict and idle):
        return complain(("--strict: " if content["verdict"] == "holds" else "") + "; ".join(idle), INCOMPLETE)
    return OK if standing else INCOMPLETE
