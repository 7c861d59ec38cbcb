"""`verify export`."""

from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import DEFECT, INTERRUPTED, MISSING, OK, STOPPED, complain, printable
from verifier.commands.options import Folder, option
from verifier.commands.page import PAPER, Asked, PageCommand
from verifier.interrupts import interruptible


@click.command(
    "export",
    cls=PageCommand,
    short_help="A page's network as a Transformer, in files.",
    codes={
        0: "the folder is written, and what its certificate says was derived",
        2: "the call or the page is malformed, or a layer is no Transformer's: nothing was written",
        3: "the folder could not be written: there is none",
        4: "too large, or not exact in the format",
    },
    examples=[
        ("verify export yun2020 --run Q --d 1 --n 2 --N 2 -o net", "of a page of the package; its sizes as options"),
        ("verify check net/certificate.json", "every case again, and every byte"),
    ],
)
@PAPER
@option(
    "--run",
    "name",
    metavar="NAME",
    help="The definition `Y = g(...)`, or a run as it stands in a claim. [default: Y, or the only one]",
)
@option("--on", metavar="INPUTS", help="The inputs whose cases are run. [default: the first that it speaks of]")
@option(
    "--dtype",
    type=click.Choice(["float64", "float32", "float16", "bfloat16"]),
    help="The number format of the weights. [default: float32]",
)
@click.option("--softmax", is_flag=True, help="Softmax in the files, where scores are so far apart that exp is 0.")
@option("-o", "--output", type=Folder(path_type=Path), metavar="DIR", help="The folder to write; it must not exist.")
def export(asked: Asked, **options: Any) -> int:
    """Write the network of a page as weights (ONNX, safetensors, PyTorch) with a certificate of what floats make of it.

    Layers are attention, or token-wise: sums of ReLUs (max, min, abs), or tables of the values that occur. Attention
    is hard, with the page's masks and ties, or (--softmax) softmax. Every case is run by the weights and by the page.
    """
    from verifier.build.dtype import DTYPES, NotHeld
    from verifier.build.exported import contents, exported, told
    from verifier.build.folder import placed, refusal
    from verifier.build.runs import NotExported
    from verifier.build.taken import NotTaken
    from verifier.certificate import TooLong
    from verifier.evaluate.values import Disagree
    from verifier.language.words import Refused, TooLarge

    output = options["output"]
    if output is None:
        raise click.UsageError("-o is missing: the folder to write, which doesn't exist yet")
    if why := refusal(output):
        raise click.UsageError(f"-o {printable(output)}: {why}")
    path, page, sizes = asked.path, asked.understood, asked.sizes("an exported network")
    try:
        with interruptible():
            dtype = DTYPES[options["dtype"] or "float32"]
            b = exported(page, sizes, options["name"], options["on"], dtype, soft=options["softmax"])
            made = contents(b)
            placed(made, output)
    except (NotExported, NotHeld, TooLong, NotTaken) as error:
        return complain(f"{printable(path)}: {error}", STOPPED[getattr(error, "kind", "malformed")])
    except Refused as error:
        return complain(f"{printable(path)}: {error}", STOPPED["limit" if isinstance(error, TooLarge) else "malformed"])
    except Disagree as error:
        return complain(str(error), DEFECT)
    except OSError as error:
        return complain(f"{printable(output)} could not be written: {error.strerror}", MISSING)
    except KeyboardInterrupt:
        return complain("interrupted; nothing was written", INTERRUPTED)
    print(told(b))
    print(f"{len(made)} files, {sum(map(len, made.values())):,} bytes, in {printable(output)}", flush=True)
    return OK
