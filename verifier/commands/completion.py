"""`verify completion`, and what a shell then asks."""

from contextlib import suppress

import click

from verifier.commands.answers import MALFORMED, OK
from verifier.commands.usage import COMPLETE, Command


@click.command(
    "completion",
    cls=Command,
    short_help="Print a shell completion script.",
    codes={0: "printed"},
    examples=[
        ('eval "$(verify completion bash)"', "in this shell; as a line of ~/.bashrc, in all"),
        ("verify completion zsh >_verify", "for zsh: in a folder of its $fpath"),
        ("verify completion fish >verify.fish", "for fish: in ~/.config/fish/completions"),
    ],
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, /, shell: str) -> int:
    """Print a script with which a shell completes commands, options, claim ids and families, and file names."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"click completes nothing for {shell}")
    script = kind(ctx.find_root().command, {}, "verify", COMPLETE).source()
    print(script.replace('split ","', 'split --max 1 ","'), flush=True)  # else fish would cut claim ids at their commas
    return OK


def complete(command: click.Command, instruction: str) -> int:
    """Answers a shell that asks for completions, in click's protocol."""
    from click.shell_completion import shell_complete

    with suppress(KeyError, ValueError):  # called by hand: there are no words to complete
        return shell_complete(command, {}, "verify", COMPLETE, instruction)
    return MALFORMED
