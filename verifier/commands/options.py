"""The types of the commands' options and arguments."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from verifier.commands.usage import ClaimIds
from verifier.core.exact import NotExact, parse_natural, parse_rational, shown
from verifier.report.formats import names

ID, ID_OR_FAMILY, IDS = ClaimIds(), ClaimIds(families=True), ClaimIds(families=True, several=True)
FILE = click.Path(path_type=Path)


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


class Rational(click.ParamType):  # type: ignore[type-arg]
    """A rational, by the grammar of the certificates."""

    name = "rational"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return parse_rational(value)
        except NotExact as error:
            self.fail(str(error), param, ctx)


class Folder(click.Path):
    """A folder; '', which would mean the current one, is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty; a folder is needed, such as kept", param, ctx)
        if Path(value).is_file():
            self.fail(f"{shown(str(value))} is a file; a folder is needed, such as kept", param, ctx)
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


def option(*names: str, **settings: Any) -> Callable[[Any], Any]:
    """An option that may be given once."""
    return click.option(*names, multiple=True, callback=once, **settings)


def once(ctx: click.Context, param: click.Parameter, values: tuple[Any, ...]) -> Any:
    """The value; if there are several, click would silently take the last."""
    if len(values) > 1:
        raise click.BadParameter(f"given {len(values)} times", ctx, param)
    return values[0] if values else None


FORMAT = option("--format", "form", type=click.Choice(names()), help="What goes to stdout, and how. [default: text]")
