"""`verify build`."""

from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import (
    INTERRUPTED,
    MISSING,
    OK,
    STOPPED,
    complain,
    printable,
    refuse_if_unwritable,
    written,
)
from verifier.commands.options import Natural, Rational, option
from verifier.commands.usage import Command
from verifier.interrupts import interruptible

MOST_BITS = 60


@click.command(
    "build",
    cls=Command,
    short_help="The page of a Transformer for a target.",
    codes={
        0: "the page is written",
        2: "the call or the target is malformed: nothing was written",
        3: "the page could not be written",
        4: "too large, or too fine for the format",
    },
    examples=[
        (
            "verify build --d 1 --n 2 --N 8 --target 'f(j) = X[j][1] * sum(X) / n' -o a.page",
            "a page, which `verify --paper a.page` certifies",
        ),
        ("verify export a.page --softmax -o net", "its network in files, with a certificate of its floats"),
        (
            "verify build --d 2 --n 2 --N 2 --target 'f(j) = [max(X[j]), X[j][2] / 2]' -o b.page",
            "column j has d entries",
        ),
        (
            "verify build --d 1 --n 2 --N 4 --target 'f(j) = X[1]' --positional -o c.page",
            "a target that tells columns apart",
        ),
        (
            "verify build --d 1 --n 2 --N 4 --target 'f(j) = sum(X)' --form paper -o d.page",
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
    help="The number format that strips and scores are made for. [default: float32]",
)
@option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="The page to write; none may be there.")
@click.option(
    "--positional", is_flag=True, help="With positional encodings (App. C): any target, not only equivariant."
)
@option("--epsilon", type=Rational(), metavar="Q", help="Width of the strips between cells.")
@option("--lambda", "rate", type=Rational(), metavar="Q", help="The factor of the scores before softmax.")
@option("--target-bits", type=Natural(), metavar="B", help="Round the target to multiples of 2^-B. [default: 20]")
def build(**options: Any) -> int:
    """Write the page of a Transformer that approximates a function, with claims of what it computes.

    The page has the quantiser, the contextual map and the value map of Yun et al. (2020). `verify --paper FILE` runs
    it and writes a certificate of its claims: the values on every cell, what softmax changes, the distance to the
    function. `verify export` writes it as ONNX, safetensors and PyTorch, with a certificate of its floats.
    """
    from verifier.build.dtype import DTYPES
    from verifier.language.words import Refused, TooLarge
    from verifier.target.page import Asked, NoPage, page_of

    sizes = [options[name] for name in ("d", "n", "N")]
    if None in sizes:
        raise click.UsageError(
            "--d, --n and --N are needed, as in `verify build --d 1 --n 2 --N 4 --target 'f(j) = X[j]' -o f.page`"
        )
    if options["target"] is None:
        raise click.UsageError("--target is missing: a function, as in --target 'f(j) = X[j][1] * sum(X) / n'")
    output, form, bits = options["output"], options["form"] or "float", options["target_bits"]
    if output is None:
        raise click.UsageError("-o is missing: the page to write, as in -o f.page")
    if form == "paper" and bits is not None:
        raise click.UsageError("--target-bits goes with --form float: the form paper rounds no target")
    if bits is not None and bits > MOST_BITS:
        raise click.UsageError(f"--target-bits {bits}: at most {MOST_BITS}")
    if output.exists() or output.is_symlink():
        raise click.UsageError(f"-o {printable(output)}: it exists already")
    refuse_if_unwritable("-o", output)
    dtype = DTYPES[options["dtype"] or "float32"]
    d, n, N = sizes
    asked = Asked(
        target=options["target"],
        d=d,
        n=n,
        N=N,
        form=form,
        positional=options["positional"],
        dtype=dtype,
        epsilon=options["epsilon"],
        rate=options["rate"],
        bits=20 if bits is None else bits,
    )
    try:
        with interruptible():
            text = page_of(asked)
    except NoPage as error:
        return complain(str(error), STOPPED[error.kind])
    except Refused as error:
        return complain(str(error), STOPPED["limit" if isinstance(error, TooLarge) else "malformed"])
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    if not written(output, text.encode()):
        return MISSING
    print(f"{printable(output)}: {text.count(chr(10)):,} lines; `verify --paper {printable(output)}` runs its claims")
    return OK
