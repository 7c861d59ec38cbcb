"""`verify check`: the words go to the independent checker as they are."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import click

from verifier.commands.answers import INCOMPLETE, OK, complain
from verifier.commands.usage import EXIT_CODES, HELP, Command, option_names, unknown
from verifier.interrupts import interruptible


@click.command(
    "check",
    cls=Command,
    short_help="Check certificates again, independently.",
    codes={
        0: "every certificate is accepted, and every promise kept",
        1: "a certificate is rejected, a promise broken, or a refutation confirmed that wasn't promised",
        4: EXIT_CODES[4],
        5: "checked in part, or a certificate is incomplete",
    },
    examples=[
        ("verify --d 1 --n 3 --N 4 --certificate c.json", ""),
        ("verify check c.json", ""),
        ("verify check c.json --promise '1 3 4 lemma6'", "rejected unless it proves Lemma 6 there"),
        ("verify check c.json --sample 1 --seed 7", "one shard, drawn: a part only, and exit 5"),
    ],
)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--promise", metavar="TEXT", help="What must have been proved: 'd n N claims [verdict]'.")
@click.option("--claims", type=click.Path(), metavar="FILE", help="A file of such promises, a line for each.")
@click.option("--shard", metavar="K", help="Check shard K alone; may be given again.")
@click.option("--sample", metavar="K", help="Check K shards alone, drawn by --seed.")
@click.option("--seed", metavar="S", help="What --sample draws by. [default: 0]")
@click.option("--seconds", metavar="S", help="Check what about S seconds allow, drawn by the certificate's digests.")
@click.option("--literal", is_flag=True, help="Run the literal heads, however many there are.")
@click.option("--max-points", metavar="M", help="Check certificates of up to M orbits.")
@click.option("--reading", metavar="FILE", help="Your second reading, in Python, of a construction of somebody's own.")
@click.option("--strict", is_flag=True, help="Exit 5 when a claim is vacuous.")
def check(**_: Any) -> None:
    """Check certificates again with the independent checker: a process of its own, which shares no code with the rest.

    It derives all of a certificate anew from (d, n, N) and compares. FILE... are certificates of runs (--certificate)
    and of symbolic proofs (verify prove --certificate).
    """
    # For --help and completion: `main` gives the words after `check` to the checker as they are, and never comes here.
    raise click.UsageError("check is the first word, as in `verify check c.json`")


def run_check(arguments: Sequence[str]) -> int:
    """The words after `check`, unless they aren't the checker's."""
    from verifier.checking import run_checker

    if not arguments:
        raise click.UsageError("a file is missing, as in `verify check c.json`")
    for word in takewhile(lambda word: word != "--", arguments):
        if word in ("-h", "--help"):
            check.main(["--help"], prog_name="verify check", standalone_mode=False, **HELP)
            return OK
        name = word.partition("=")[0]
        if name.startswith("--") and name not in option_names(check):
            raise click.UsageError(unknown("option", name, option_names(check)))
    with interruptible():
        code = run_checker(arguments).returncode
    return complain(f"the checker died of signal {-code}; nothing was established", INCOMPLETE) if code < 0 else code
