"""`verify export`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import DEFECT, INTERRUPTED, MISSING, OK, STOPPED, complain, printable
from verifier.commands.options import Folder, option
from verifier.commands.page import of_name, understood
from verifier.commands.usage import HELP, Command, option_names, unknown
from verifier.core.exact import NotExact, parse_natural
from verifier.interrupts import interruptible


@click.command(
    "export",
    cls=Command,
    context_settings=HELP | {"ignore_unknown_options": True},
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
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="FILE --SIZE K ...")
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
def export(words: tuple[str, ...], **options: Any) -> int:
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

    path, given = asked(words)
    output = options["output"]
    if output is None:
        raise click.UsageError("-o is missing: the folder to write, which doesn't exist yet")
    if why := refusal(output):
        raise click.UsageError(f"-o {printable(output)}: {why}")
    page = understood(of_name(str(path)))
    sizes = sizes_among(page.page.sizes, given)
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


def asked(words: tuple[str, ...]) -> tuple[Path, dict[str, str]]:
    """The page's file, or the name of a page of the package, and its sizes as they were typed."""
    left, paths, given = list(words), list[str](), dict[str, str]()
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            paths.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if not equals and not left:
            raise click.UsageError(f"{word} has no number; a size is given as in --n 3")
        given[name] = value if equals else left.pop(0)
    if len(paths) != 1:
        raise click.UsageError("one page is exported, as in `verify export mine.page --n 3 -o net`")
    return Path(paths[0]), given


def sizes_among(known: Iterable[str], given: dict[str, str]) -> dict[str, int]:
    """The sizes of the page as numbers."""
    sizes = {}
    for name, word in given.items():
        if name not in known:
            raise click.UsageError(
                unknown("option", f"--{name}", [*(f"--{one}" for one in known), *option_names(export)])
            )
        try:
            sizes[name] = parse_natural(word)
        except NotExact as error:
            raise click.UsageError(f"--{name}: {error}") from error
    return sizes
