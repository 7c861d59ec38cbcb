"""The page that a command is about: its name or file among the words of the call, and its sizes, which are options.

`verify PAGE` is `verify --paper PAGE`, in every command about a page; PAGE is a file, FILE.page, or the name of a page
of this package. Which page it is, is read from the words by the command's own parser before it parses them, so that the
page's sizes are options as any other: in the call, in --help, in messages and in completion.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click
from gmpy2 import mpq

from verifier.commands.answers import printable
from verifier.commands.options import FILE, IDS, once, option
from verifier.commands.usage import PAGE_OF_CALL, Command, Documented, Group, unknown
from verifier.core.exact import NotExact, parse_natural, parse_rational
from verifier.language.page import Understood

SUFFIXES = (".page", ".md")  # of a page's file
FEW = 20  # claims that are all named where one isn't known


ALL = range(0)  # the value of a size that no run of cases ends


class Range(click.ParamType):  # type: ignore[type-arg]
    """A size, or sizes: 4, or 1..6; or all, where it bounds words. No other place reads sizes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        if value == "all":
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


@dataclass(frozen=True)
class Asked:
    """The page that a call is about, and the sizes that were typed."""

    path: Path
    understood: Understood
    typed: dict[str, range | None]

    def ranges(self) -> dict[str, range]:
        """The sizes to run at, in the page's order: what was typed, else the size to try."""
        page = self.understood.page
        to_try = {name: range(size, size + 1) for name, size in page.to_try.items()}
        ranges = to_try | {name: typed for name, typed in self.typed.items() if typed is not None}
        for name in page.sizes:
            if name not in ranges:
                wanted = " ".join(f"--{name} {number}" for name, number in page.sizes.items())
                raise click.UsageError(f"--{name} is missing; the page's sizes are at least {wanted}")
        return {name: ranges[name] for name in page.sizes}

    def sizes(self, what: str) -> dict[str, int]:
        """The same, where one choice of sizes is wanted."""
        ranges = self.ranges()
        if several := [name for name, reach in ranges.items() if len(reach) != 1]:
            raise click.UsageError(f"--{several[0]}: {what} is of one choice of sizes, not of a range")
        return {name: reach[0] for name, reach in ranges.items()}


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


def understood(path: Path) -> Understood:
    """The page in a file."""
    from verifier.commands.refused import PageRefused
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
        raise PageRefused(error, path, text) from error


@cache
def default() -> tuple[Path, Understood]:
    """The page that is meant if none is named."""
    from verifier.catalogue import DEFAULT, pages

    path = pages()[DEFAULT]
    return path, understood(path)


def pages_among(words: Sequence[str], *, alone: bool) -> list[str]:
    """Files of pages; if there are none, and no page is named elsewhere, the first name of a page of this package."""
    from verifier.catalogue import pages

    files = [word for word in words if is_file_of_page(word)]
    return files or [word for word in words if alone and word in pages()][:1]


def is_file_of_page(word: str) -> bool:
    return Path(word).suffix in SUFFIXES


class OfPage(Documented):
    """A command about a page. Its function gets `asked`, and the values of its own options.

    with_sizes: whether the page's sizes are options.
    """

    def __init__(self, *arguments: Any, with_sizes: bool = True, **rest: Any) -> None:
        super().__init__(*arguments, **rest)
        self.with_sizes = with_sizes

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        page = ctx.meta[PAGE_OF_CALL] if PAGE_OF_CALL in ctx.meta else default()[1]
        sizes = size_options(page) if page is not None and self.with_sizes else []
        return [*sizes, *super().get_params(ctx)]

    def is_about_a_page(self, args: Sequence[str]) -> bool:  # noqa: ARG002
        return True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[PAGE_OF_CALL] = page = None
        if self.is_about_a_page(args):
            args, name, watched = self.named(ctx, args)
            with silent_while_completing(ctx):
                path = of_name(name) if name is not None else default()[0]
                if watched and ctx.obj is None and not ctx.resilient_parsing:
                    raise click.exceptions.Exit(self.watch(path, args))
                page = understood(path) if name is not None else default()[1]
                refuse_clash(page, path, self)
            ctx.meta[PAGE_OF_CALL] = page
        rest = super().parse_args(ctx, args)
        ctx.params.pop("paper", None)
        if page is not None:
            typed = {size: ctx.params.pop(key, None) for size, key in keys(page).items()}
            ctx.params["asked"] = Asked(path, page, typed)
        return rest

    def named(self, ctx: click.Context, args: list[str]) -> tuple[list[str], str | None, bool]:
        """The words with each page after --paper; the name of the page; whether its file is to be watched."""
        options = click.Command(None, params=[each for each in self.params if isinstance(each, click.Option)])
        parser = options.make_parser(ctx)
        parser.ignore_unknown_options = parser.allow_interspersed_args = True  # sizes aren't known yet
        given, rest, _ = parser.parse_args([*args])
        args, names = [*args], [*given.get("paper", ())]
        for word in pages_among(rest, alone=not names):
            args.remove(word)
            args[:0] = ["--paper", word]
            names.append(word)
        if len(names) > 1 and not ctx.resilient_parsing:
            raise click.UsageError(f"{' and '.join(map(printable, names))}: one page is run at a time")
        help_ = options.get_help_option(ctx)
        watched = "watch" in given and (help_ is None or help_.name not in given)
        return args, names[0] if names else None, watched

    def watch(self, path: Path, args: list[str]) -> int:
        """Calls the command with the same words whenever the file is saved."""
        from verifier.commands.watching import watch

        return watch(path, lambda found: self.main([*args], prog_name="verify", standalone_mode=False, obj=found) or 0)

    def other_options(self, ctx: click.Context) -> str:
        page = ctx.meta.get(PAGE_OF_CALL)
        if page is None or not self.with_sizes:
            return super().other_options(ctx)
        sizes = ", ".join(f"--{name}" for name in page.page.sizes)
        return f"the page's sizes are {sizes}" if sizes else "the page has no sizes"


class PageCommand(OfPage, Command):
    pass


class PageGroup(OfPage, Group):
    def is_about_a_page(self, args: Sequence[str]) -> bool:
        return not args or args[0] not in self.modules


def silent_while_completing(ctx: click.Context) -> AbstractContextManager[object]:
    """A page that can't be read is nothing to speak of while a word is completed: it has no sizes."""
    return suppress(click.ClickException) if ctx.resilient_parsing else nullcontext()


def refuse_clash(page: Understood, path: Path, command: click.Command) -> None:
    """Refuses a size that has the name of an option."""
    taken = {name.lstrip("-") for parameter in command.params for name in parameter.opts} | {"help"}
    if clash := taken.intersection(page.page.sizes):
        raise click.UsageError(
            f"{printable(path)}: a size can't be called {min(clash)}: verify has an option of that name"
        )


def keys(page: Understood) -> dict[str, str]:
    """For each size the name under which click keeps what is typed."""
    return {name: f"size_{k}" for k, name in enumerate(page.page.sizes)}


def size_options(page: Understood) -> list[click.Parameter]:
    to_try = {name: f" [default: {size}]" for name, size in page.page.to_try.items()}
    return [
        click.Option(
            [f"--{name}", keys(page)[name]],
            type=Range(),
            multiple=True,
            callback=once,
            help=f"A size of the page, at least {least}; a range such as {least}..{least + 2} gives a row each."
            + to_try.get(name, ""),
        )
        for name, least in page.page.sizes.items()
    ]


def chosen(page: Understood, claims: str | None, path: Path | None = None) -> list[str]:
    """The ids of --claims: an id, the part before a dot, or all. By default all, or what the catalogue says."""
    from verifier.catalogue import default_of

    every = list(page.page.claims)
    if claims is None:
        claims = default_of(path)
    ids: set[str] = set()
    for name in claims.split(","):
        meant = {id_ for id_ in every if name in ("all", id_) or id_.startswith(f"{name}.")}
        if not meant:
            families = list(dict.fromkeys(id_.partition(".")[0] for id_ in every))
            there = (
                f"{', '.join(families)}, whose claims `verify claims` lists" if len(every) > FEW else ", ".join(every)
            )
            raise click.UsageError(unknown("claim", name, [*every, *families, "all"], f"there are {there}"))
        if twice := sorted(meant & ids):
            raise click.UsageError(f"--claims: {twice[0]} is chosen twice")
        ids |= meant
    return [id_ for id_ in every if id_ in ids]


def exchanged(variant: Sequence[str]) -> dict[str, mpq]:
    """The numbers of --variant, by name."""
    numbers: dict[str, mpq] = {}
    for word in variant:
        name, equals, value = word.partition("=")
        try:
            if not equals or name in numbers:
                raise NotExact(f"{printable(word)}: " + ("given twice" if equals else "it is NAME=VALUE"))
            numbers[name] = parse_rational(value)
        except NotExact as error:
            raise click.UsageError(f"--variant: {error}") from error
    return numbers


PAPER = option(
    "--paper",
    type=FILE,
    metavar="PAGE",
    help="The page: a name of `verify papers`, or a file. `verify PAGE` is the same. [default: yun2020]",
)
CLAIMS = option(
    "--claims",
    type=IDS,
    metavar="ID,ID",
    help="Claim ids, families such as lemma6, or all. [default: all; of yun2020 grid,b5,lemma10,lemma6]",
)
VARIANT = click.option(
    "--variant", multiple=True, metavar="NAME=VALUE", help="Exchange a number that the page names by 'as'."
)
