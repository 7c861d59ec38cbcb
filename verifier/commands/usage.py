"""How every command describes itself: purpose, options, examples, exit codes.

`--help`, the man page (man/make.py) and shell completion are made from it; for an unknown word it suggests the one that
was probably meant.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from verifier.core.exact import shown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

HELP: Any = {"help_option_names": ["-h", "--help"]}
PAGE_OF_CALL = "verifier.page"  # in a context's `meta`: the page that the call is about, as it was understood
COMPLETE = "_VERIFY_COMPLETE"  # set by a shell that wants a word completed
EXIT_CODES = {
    0: "everything asked for holds",
    1: "a claim is refuted, or a certificate is rejected; the reason is printed",
    2: "the call, a file or a number is malformed; nothing was checked",
    3: "something that is needed is missing, or the output could not be written",
    4: "over a limit, with the size that it would have taken",
    5: "incomplete: nothing is refuted, and something is not established",
    70: "a defect of verifier: a crash, or a result that the independent checker rejects; no verdict",
    130: "interrupted (143 by SIGTERM, 129 by SIGHUP)",
}


def unknown(kind: str, word: str, names: Iterable[str], otherwise: str = "--help lists them") -> str:
    """`no command 'chek'; did you mean check?`"""
    from difflib import get_close_matches

    names = [*names]
    letters = word.strip("-").lower()
    near = [name for name in names if name.strip("-").lower() == letters]
    if len(letters) > 1:  # a letter is near to no other one
        near = near or get_close_matches(word, names, n=1) or get_close_matches(word.lower(), names, n=1)
    return f"no {kind} {shown(word)}; " + (f"did you mean {near[0]}?" if near else otherwise)


def broken(typed: str, width: int) -> str:
    """A command in lines that fit, broken before options, so that a shell still reads it."""
    lines: list[str] = []
    for part in re.split(" (?=-)", typed):
        if lines and len(lines[-1]) + len(part) + 3 <= width:  # 3: the space before it, and the backslash
            lines[-1] += f" {part}"
        else:
            lines.append(part if not lines else f"      {part}")
    return " \\\n".join(lines)


def option_names(command: click.Command, ctx: click.Context | None = None) -> list[str]:
    """The options of a command; where a call is parsed, with the sizes of its page."""
    parameters = command.params if ctx is None else command.get_params(ctx)
    return [name for parameter in parameters for name in parameter.opts if name.startswith("-")] + ["--help"]


class Documented(click.Command):
    """A command with examples (what is typed, and what it does) and exit codes (those that aren't 2, 3, 70 or 130)."""

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[tuple[str, str]] = (),
        codes: Mapping[int, str] | None = None,
        **rest: Any,
    ) -> None:
        super().__init__(*arguments, **rest)
        self.examples = tuple(examples)
        ours = EXIT_CODES if codes is None else codes
        self.codes = dict(sorted(({code: EXIT_CODES[code] for code in (2, 3, 70, 130)} | dict(ours)).items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = option_names(self, ctx)
            raise click.UsageError(unknown("option", error.option_name, names, self.other_options(ctx)), ctx) from None
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            words = re.findall(r"\((.*)\)", error.message)[0]
            raise click.UsageError(f"{shown(words)} is more than `{ctx.command_path}` takes", ctx) from None

    def other_options(self, ctx: click.Context) -> str:  # noqa: ARG002
        """What is said of an option that isn't there, and isn't like any."""
        return "--help lists them"

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Examples"):
            for typed, does in self.examples:
                formatter.write(f"  {broken(typed, formatter.width - 2)}\n")
                if does:
                    formatter.indent()
                    formatter.indent()
                    formatter.write_text(does)
                    formatter.dedent()
                    formatter.dedent()
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), words) for code, words in self.codes.items()])


class Command(Documented):
    pass


class Group(Documented, click.Group):
    """A group whose commands are modules of this folder, each loaded only when it is called, listed or completed."""

    def __init__(self, *arguments: Any, modules: Sequence[str], **rest: Any) -> None:
        super().__init__(*arguments, **rest)
        self.modules = sorted(modules)

    def called(self, name: str) -> click.Command:
        command: click.Command = getattr(import_module(f"verifier.commands.{name}"), name)
        return command

    def every_command(self) -> dict[str, click.Command]:
        return {name: self.called(name) for name in self.modules}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return self.modules

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return self.called(cmd_name) if cmd_name in self.modules else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.modules and not ctx.resilient_parsing:
            raise click.UsageError(unknown("command", args[0], self.modules, self.other_commands(args[0])), ctx)
        return super().resolve_command(ctx, args)

    @staticmethod
    def other_commands(word: str) -> str:
        """What is said of a word that is no command, and isn't like any."""
        if word.endswith((".json", ".json.gz")):
            return f"a certificate is checked by `verify check {shown(word)[1:-1]}`"
        return "--help lists them"


def ids_of_page(ctx: click.Context) -> Iterable[str]:
    """The claims of the page that the call is about, if it can be read."""
    page = ctx.meta.get(PAGE_OF_CALL)
    return () if page is None else page.page.claims


class ClaimIds(click.ParamType):  # type: ignore[type-arg]
    """Claim ids with commas between them, families and `all` included; or a single id, or id or family."""

    name = "text"

    def __init__(
        self,
        *,
        families: bool = False,
        several: bool = False,
        ids: Callable[[click.Context], Iterable[str]] = ids_of_page,
    ) -> None:
        self.families, self.several, self.ids = families, several, ids

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":  # noqa: ARG002
        from click.shell_completion import CompletionItem

        families: dict[str, list[str]] = {}
        for id_ in self.ids(ctx):
            families.setdefault(id_.partition(".")[0], []).append(id_)
        before, comma, begun = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        given = set(before.split(",")) if comma else set()
        names = [] if given or not self.several else ["all"]
        for family, ids in families.items():  # what is chosen already can't be chosen twice
            if {"all", family} & given:
                continue
            names += [family] if self.families and not given.intersection(ids) else []
            names += [id_ for id_ in ids if id_ not in given]
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(begun)]
