"""`%%page --n 4`: a page as a cell of a notebook, after `%load_ext verifier`.

What a cell returns is a Found, as from Page(text).run(n=4): `_["copy.left"]` is a claim's entry, and `_.certificate`
has the bytes of the file.
"""

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from verifier.commands.explain import at_input, parsed
from verifier.commands.options import Natural, option
from verifier.commands.page import Asked, chosen, exchanged, keys, size_options
from verifier.language.words import Refused
from verifier.page import Found, Page
from verifier.run.stop import Stopped


class NotRun(Exception):
    """What a notebook shows instead of a traceback: the message, and the page's line with a mark."""

    def _render_traceback_(self) -> list[str]:  # which IPython asks for
        return str(self).split("\n")


class Cell(Found):
    """What a cell found, and what the independent checker said of it."""

    def __init__(self, page: Page, content: dict[str, Any], stories: list[dict[str, Any]], checked: str) -> None:
        super().__init__(page, content)
        self.stories, self.checked = stories, checked

    def _repr_html_(self) -> str:
        from verifier.report.cell import html

        return html(self.content, self.page.tree, self.stories, self.checked)


def load(shell: Any) -> None:
    """`%load_ext verifier`."""
    shell.register_magic_function(page, "cell", "page")


def page(line: str, cell: str) -> Cell:
    """Runs the page in the cell at the sizes on its first line; --claims, --variant and --max-points as on a command
    line; --input CASE walks this input through, instead of the counterexample or the tightest case."""
    try:
        text = Page(cell)
        command = click.Command("%%page", params=size_options(text.understood), callback=lambda **o: o)
        for one in (CLAIMS, VARIANT, MOST, INPUT):
            command = one(command)
        options = command.main(shlex.split(line), prog_name="%%page", standalone_mode=False)
        if not isinstance(options, dict):  # --help
            raise NotRun("%%page takes the page's sizes, --claims, --variant, --max-points and --input")
        return run(text, **options)
    except Refused as error:
        raise NotRun(marked(error, cell)) from None
    except click.ClickException as error:
        raise NotRun(f"%%page: {error.format_message()}") from None
    except (ValueError, Stopped) as error:  # a quotation mark without another
        raise NotRun(f"%%page: {error}") from None


CLAIMS = option("--claims", metavar="ID,ID")
VARIANT = click.option("--variant", multiple=True, metavar="NAME=VALUE")
MOST = option("--max-points", type=Natural())
INPUT = option("--input", "given", metavar="CASE")


def run(
    page: Page, claims: str | None, variant: Sequence[str], max_points: int | None, given: str | None, **options: Any
) -> Cell:
    from verifier.confirm import confirm
    from verifier.evaluate.definition import Reading
    from verifier.evaluate.run import found
    from verifier.report.witness import witnesses

    typed = {name: options[key] for name, key in keys(page.understood).items()}
    sizes = Asked(Path(), page.understood, typed).sizes("a cell")
    ids, numbers = chosen(page.understood, claims), exchanged(variant)
    began = time.monotonic()
    content = found(page.understood, sizes, ids, numbers, jobs=None, most=max_points)
    if given is None:
        stories = witnesses(content)[1]
    else:
        stories = at_input(Reading(page.understood, sizes, numbers), ids[:1], parsed(given), f"--input {given}")[0]
    standing = confirm(Found(page, content).certificate, time.monotonic() - began)
    return Cell(page, content, stories, standing.words)


def marked(error: Refused, text: str) -> str:
    from verifier.report.excerpt import excerpt

    shown = excerpt(text, error.place, 100)
    return f"%%page: {error}" + (f"\n{shown.plain}" if shown is not None else "")
