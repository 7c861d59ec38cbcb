"""`verify prove`."""

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click

from verifier.commands.answers import (
    INCOMPLETE,
    MISSING,
    OK,
    OVER_LIMIT,
    REFUTED,
    complain,
    filled,
    refuse_if_unwritable,
    written,
)
from verifier.commands.options import FILE, FORMAT, Natural, option
from verifier.commands.usage import EXIT_CODES, ClaimIds, Command
from verifier.report.formats import Result, Row, opened


def provable(_: click.Context) -> Iterable[str]:
    from verifier.symbolic.certificate import CLAIMS

    return CLAIMS


PROVABLE = ClaimIds(families=True, several=True, ids=provable)


@click.command(
    "prove",
    cls=Command,
    short_help="Symbolic proofs, for all d, N and n.",
    codes={
        0: "proved",
        1: "a claim is violated, at an instance that is found",
        4: EXIT_CODES[4],
        5: "some claim asked for has no proof",
    },
    examples=[
        ("verify prove", "for all n >= 2, d >= 1, N >= 2, by induction"),
        ("verify prove --n 3 --certificate p.json", "for n = 3, written out"),
        ("verify check p.json", "the independent checker expands it all"),
        ("verify prove --tighten upper=1", "fails, with an instance: exit 1"),
        ("verify prove --claims c.order", "false at (d, n) = (1, 2): exit 1"),
        ("verify prove --export smt2 > all.smt2", "for a solver: `z3 all.smt2` says unsat to each obligation"),
    ],
)
@option("--n", type=Natural(), help="For this n alone, with every recursion written out. [default: for all n]")
@option(
    "--claims",
    type=PROVABLE,
    metavar="ID,ID",
    help="Claim ids, families, or all. [default: all that are proved]",
)
@FORMAT
@option("--certificate", type=FILE, metavar="FILE", help="Write the certificate to FILE.")
@option("--export", type=click.Choice(["smt2"]), help="Print the obligations instead, negated, in SMT-LIB 2.")
@option("--without", type=click.Choice(["n>=2", "N>=2"]), help="Try without this condition: shows that it is needed.")
@option("--tighten", metavar="FACT=K", help="Try with this fact's bound K stronger: shows that it is sharp.")
def prove(
    n: int | None,
    claims: str | None,
    form: str | None,
    certificate: Path | None,
    export: str | None,
    without: str | None,
    tighten: str | None,
) -> int:
    """Prove both contextual maps, Lemma 6's and App. C's, for all d, N and all n (or one n): proofs/SYMBOLIC.md."""
    from verifier.symbolic import certificate as room
    from verifier.symbolic.report import as_markdown, as_text, counts, domain
    from verifier.symbolic.smt import script

    if certificate is not None:
        refuse_if_unwritable("--certificate", certificate)
    if n is not None and n < 2:
        raise click.UsageError(f"--n {n} is too small; n must be at least 2")
    if n is not None and n > room.MOST_N:
        return complain(
            f"--n {n} is over the limit of {room.MOST_N} (a file of 50 MB); without --n all are proved", OVER_LIMIT
        )
    try:
        ids, unproved = room.choose(claims, n)
        if (without or tighten) and (certificate is not None or form is not None):
            raise ValueError(
                "--without and --tighten only print what fails; they can't be combined with --certificate or --format"
            )
        if export and (without or certificate is not None or form is not None):
            raise ValueError(
                "--export prints scripts for a solver; it can't be combined with --without, --certificate or --format"
            )
        setting = room.claimed(without, tighten)
        if export and ids:
            print(script(ids, n, setting), end="", flush=True)
        document = room.prove(ids, n, setting) if ids else None
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except room.NotProved as error:
        return complain(str(error), REFUTED if error.refuted else INCOMPLETE)
    if document is not None and not export:
        data = room.to_bytes(document)
        if certificate is not None and not written(certificate, data):
            return MISSING
        if without:
            print(f"none of these proofs uses {without}")
        if tighten:
            print(f"with {tighten} the proofs go through too: they use less than is known there")
        own = {"json": data.decode, "markdown": lambda: as_markdown(document)}
        close = partial(print, _wrapped(as_text(document)), end="")
        columns = ("claim", "facts", "obligations", "words")
        report = opened(form, Result("prove", f"Proved for {domain(document)}", columns, close=close, own=own))
        for claim, parts, obligations in counts(document):
            cells = (claim, str(parts), str(obligations), room.words_of(claim))
            report.add(Row(dict(zip(("name", *columns[1:]), cells, strict=True)), cells))
        report.end()
        sys.stdout.flush()
    return complain(f"not proved symbolically: {', '.join(unproved)}", INCOMPLETE) if unproved else OK


def _wrapped(text: str) -> str:
    """Its sentences in lines of a terminal's width, its table as it is."""
    lines = [line if line.startswith(" ") else filled(line, further="    ", most=10_000) for line in text.splitlines()]
    return "\n".join(lines) + "\n"
