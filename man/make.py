"""man/verify.1, made of what the commands say of themselves: `python man/make.py`.

An installed package brings it along; a test holds it in step with the commands.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from verifier import __version__  # noqa: E402
from verifier.commands.usage import EXIT_CODES, Command, Documented, Group  # noqa: E402
from verifier.commands.verify import verify  # noqa: E402

_NAME = "verify \\- check a proof that Transformers are universal approximators, in exact rationals"


def _roff(text: str) -> str:
    """Plain text as roff writes it."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    escaped = escaped.replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + escaped if escaped.startswith(".") else escaped


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.strip().split("\n\n")]


def _options(command: click.Command, ctx: click.Context) -> Iterable[str]:
    for parameter in command.get_params(ctx):
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)):
            yield from (".TP", f".B {_roff(record[0])}", _roff(" ".join(record[1].split())))


def _examples(told: Documented) -> Iterable[str]:
    yield from (".PP", "Examples:")
    for typed, does in told.examples:
        yield from (".PP", ".nf", f".RS 4\n{_roff(typed)}\n.RE", ".fi")
        if does:
            yield from (".RS 8", _roff(does), ".RE")


def _codes(codes: Mapping[int, str]) -> Iterable[str]:
    for code, words in codes.items():
        yield from (".TP", f".B {code}", _roff(words))


def man_page(group: Group, version: str) -> str:
    """verify(1): of everything that the commands say of themselves."""
    ctx = click.Context(group, info_name="verify", **group.context_settings)
    lines = [f'.TH VERIFY 1 "" "verifier {version}" "User Commands"', ".SH NAME", _NAME, ".SH SYNOPSIS"]
    lines += [
        ".B verify",
        "[PAGE] \\-\\-SIZE K ... [OPTIONS]",
        ".br",
        ".B verify",
        "COMMAND [OPTIONS] [ARGUMENTS]",
    ]
    lines += [".SH DESCRIPTION"]
    for paragraph in _paragraphs(group.help or ""):
        lines += [".PP", _roff(paragraph)]
    lines += [".SH OPTIONS", *_options(group, ctx), *_examples(group), ".SH COMMANDS"]
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if not isinstance(command, Command):
            raise TypeError(f"{name} says nothing of its examples")
        inner = click.Context(command, parent=ctx, info_name=name)
        usage = " ".join(command.collect_usage_pieces(inner))
        lines += [f".SS verify {_roff(name)} {_roff(usage)}"]
        for paragraph in _paragraphs(command.help or ""):
            lines += [".PP", _roff(paragraph)]
        lines += [*_options(command, inner), *_examples(command)]
        if own := {code: words for code, words in command.codes.items() if words != EXIT_CODES[code]}:
            lines += [".PP", "Exit status, beyond what is said below:", *_codes(own)]
    lines += [".SH EXIT STATUS", *_codes(EXIT_CODES)]
    lines += [".SH SEE ALSO", "README.md, proofs/FORMAT.md and proofs/FINDINGS.md of the sources; Yun et al.,"]
    lines += [".I Are Transformers universal approximators of sequence\\-to\\-sequence functions?", "(ICLR 2020)."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "verify.1").write_text(man_page(verify, __version__))
