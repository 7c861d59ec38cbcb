"""`verify build`."""

from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import INTERRUPTED, MISSING, OK, STOPPED, complain, printable
from verifier.commands.options import Folder, Natural, Rational, option
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
        (
            "verify build --d 1 --n 2 --N 16 --target 'f(j) = X[j][1] * sum(X) / n' -o a",
            "a network in float64, with its certificate",
        ),
        (
            "verify build --d 2 --n 2 --N 2 --target 'f(j) = [max(X[j]), X[j][2] / 2]' --dtype float32 -o b",
            "column j has d entries",
        ),
        (
            "verify build --d 1 --n 2 --N 4 --target 'f(j) = X[1]' --positional -o c",
            "a target that tells columns apart",
        ),
        (
            "verify build --d 1 --n 2 --N 4 --target 'f(j) = sum(X)' --form paper -o d",
            "the paper's network, exact only",
        ),
    ],
)
@option("--d", type=Natural(), help="Rows of the input.")
@option("--n", type=Natural(), help="Columns of the input, its tokens.")
@option("--N", "N", type=Natural(), help="Cells of each entry, delta = 1/N; a power of two for --form float.")
@option("--target", metavar="TEXT", help="The function: lines of the language of pages that define f(j), column j.")
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
    from verifier.build.sizes import Sizes
    from verifier.build.target import BadTarget, Target

    if d is None or n is None or N is None:
        raise click.UsageError(
            "--d, --n and --N are needed, as in `verify build --d 1 --n 2 --N 4 --target 'f(j) = X[j]' -o net`"
        )
    if target is None:
        raise click.UsageError("--target is missing: a function, as in --target 'f(j) = X[j][1] * sum(X) / n'")
    if output is None:
        raise click.UsageError("-o is missing: the folder to write, which doesn't exist yet")
    if form == "paper" and target_bits is not None:
        raise click.UsageError("--target-bits goes with --form float: the form paper rounds no target")
    if target_bits is not None and target_bits > MOST_BITS:
        raise click.UsageError(f"--target-bits {target_bits}: at most {MOST_BITS}")
    try:
        instance = Sizes(d, n, N)
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
    try:
        f = Target(target, instance, positional=positional)
    except BadTarget as error:
        raise BadTarget(f"--target: {error}", error.kind) from error
    b = (build_paper if form == "paper" else build)(instance, f, DTYPES[dtype or "float64"], **how)
    return summary(b, write(b, output), str(output))


def refuse_early(instance: Any, paper: bool, positional: bool, max_layers: int | None) -> None:
    """Refuses N and the size before a target is read."""
    from verifier.build.plan import refuse_if_too_large, refuse_other_bases

    if not paper:
        refuse_other_bases(instance)
    refuse_if_too_large(instance, positional, max_layers, paper=paper)
