"""`verify build`."""

from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import INTERRUPTED, MISSING, OK, STOPPED, complain, printable
from verifier.commands.options import FILE, Folder, Natural, Rational, option
from verifier.commands.usage import Command
from verifier.core.exact import NotExact
from verifier.interrupts import interruptible

MOST_BITS = 200


@click.command(
    "build",
    cls=Command,
    short_help="A Transformer for a target, in files.",
    codes={
        0: "the folder is written, and what its certificate says was derived",
        2: "the call or the target is malformed: nothing was built",
        3: "the folder could not be written: there is none",
        4: "too large, or not exact in the format, with the layers or bits that it would take",
    },
    examples=[
        ("verify build --d 1 --n 2 --N 16 --target 'x * mean(x)' -o a", "a network in float64, with its certificate"),
        (
            "verify build --d 2 --n 2 --N 2 --target 'max(x); colsum(x)' --dtype float32 -o b",
            "a row of the target for each",
        ),
        ("verify build --d 1 --n 2 --N 4 --target 'x[1,1]' --positional -o c", "a target that tells columns apart"),
        (
            "verify build --d 1 --n 2 --N 4 --target 'x * mean(x)' --form paper -o d",
            "the paper's network, exact only",
        ),
    ],
)
@option("--d", type=Natural(), help="Rows of the input.")
@option("--n", type=Natural(), help="Columns of the input, its tokens.")
@option("--N", "N", type=Natural(), help="Cells of each entry, delta = 1/N; a power of two for --form float.")
@option("--target", metavar="EXPR", help="The function, such as 'x * mean(x)'; rows are separated by ';'.")
@option("--targets", type=FILE, metavar="FILE", help="Its values on the grid, as a table.")
@option("--form", type=click.Choice(["float", "paper"]), help="Exact in floats, or the paper's own. [default: float]")
@option(
    "--dtype",
    type=click.Choice(["float64", "float32", "float16", "bfloat16"]),
    help="The number format of the weights. [default: float64]",
)
@option("-o", "--output", type=Folder(path_type=Path), metavar="DIR", help="The folder to write; it must not exist.")
@click.option(
    "--positional", is_flag=True, help="With positional encodings (App. C): any target, not only equivariant."
)
@option("--epsilon", type=Rational(), metavar="Q", help="Width of the strips between cells.")
@option("--lambda", "rate", type=Rational(), metavar="Q", help="The factor of the scores before softmax.")
@option("--target-bits", type=Natural(), metavar="B", help="Round the target to multiples of 2^-B.")
@option("--max-layers", type=Natural(), metavar="M", help="Refuse more layers. [default: 5,000]")
def build(**options: Any) -> int:
    """Build a Transformer that approximates a function: weights, a graph, and a certificate of what it computes.

    The certificate has four statements: in exact arithmetic, with softmax, in the format, and the distance to the
    function. A network that isn't exact in the format is refused, with the smallest format that would do.
    """
    from verifier.build.dtype import NotHeld
    from verifier.build.plan import Refused
    from verifier.build.target import BadTarget
    from verifier.certificate import TooLong

    try:
        with interruptible():
            words = built(**options)
    except (Refused, BadTarget, NotHeld, TooLong) as error:
        return complain(str(error), STOPPED[getattr(error, "kind", "malformed")])
    except OSError as error:
        return complain(f"{printable(options['output'])} could not be written: {error.strerror}", MISSING)
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    print(words, flush=True)
    return OK


def built(
    d: int | None,
    n: int | None,
    N: int | None,
    target: str | None,
    targets: Path | None,
    form: str | None,
    dtype: str | None,
    output: Path | None,
    positional: bool,
    epsilon: Any,
    rate: Any,
    target_bits: int | None,
    max_layers: int | None,
) -> str:
    """The folder, with words about what it holds; raises Refused or a usage error."""
    from verifier.build.dtype import DTYPES
    from verifier.build.folder import refusal, write
    from verifier.build.plan import build, build_paper
    from verifier.build.readme import summary
    from verifier.papers.yun2020.instance import Instance

    if d is None or n is None or N is None:
        raise click.UsageError("--d, --n and --N are needed, as in `verify build --d 1 --n 2 --N 4 --target x -o net`")
    if (target is None) == (targets is None):
        both = "" if target is None else ", and not both"
        raise click.UsageError(f"one of --target and --targets is needed{both}")
    if output is None:
        raise click.UsageError("-o is missing: the folder to write, which doesn't exist yet")
    if form == "paper" and target_bits is not None:
        raise click.UsageError("--target-bits goes with --form float: the form paper rounds no target")
    if target_bits is not None and target_bits > MOST_BITS:
        raise click.UsageError(f"--target-bits {target_bits}: at most {MOST_BITS}")
    try:
        instance = Instance(d, n, N)
    except NotExact as error:
        raise click.UsageError(str(error)) from error
    if why := refusal(output):
        raise click.UsageError(f"-o {printable(output)}: {why}")
    how: dict[str, Any] = {
        "positional": positional,
        "epsilon": epsilon,
        "rate": rate,
        "most_layers": max_layers,
        "say": lambda _: None,
    }
    if form != "paper":
        how["target_bits"] = target_bits
    refuse_early(instance, form == "paper", positional, max_layers)
    f = target_of(instance, target, targets, positional)
    b = (build_paper if form == "paper" else build)(instance, f, DTYPES[dtype or "float64"], **how)
    return summary(b, write(b, output), str(output))


def refuse_early(instance: Any, paper: bool, positional: bool, max_layers: int | None) -> None:
    """Refuses N and the size before a target is read."""
    from verifier.build.plan import refuse_if_too_large, refuse_other_bases

    if not paper:
        refuse_other_bases(instance)
    refuse_if_too_large(instance, positional, max_layers, paper=paper)


def target_of(instance: Any, target: str | None, targets: Path | None, positional: bool) -> Any:
    from verifier.build.expression import BadExpression, expression
    from verifier.build.target import of_expression, table
    from verifier.files import Unreadable
    from verifier.files import read as read_file
    from verifier.papers.yun2020.targets import BadTargets, read

    if targets is None:
        try:
            return of_expression(expression(target or "", instance.d, instance.n, positional=positional))
        except BadExpression as error:
            raise click.UsageError(f"--target: {error}") from error
    try:
        return table(read(read_file(targets), instance, repeated=True, ordered=positional))
    except (BadTargets, Unreadable) as error:
        raise click.UsageError(f"--targets {printable(targets)}: {error}") from error
