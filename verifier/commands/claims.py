"""`verify claims`."""

import sys
from typing import TYPE_CHECKING

import click

from verifier.commands.answers import OK, filled
from verifier.commands.options import ID_OR_FAMILY, option
from verifier.commands.rows import print_rows
from verifier.commands.usage import Command

if TYPE_CHECKING:
    from verifier.core.claim import Claim


@click.command(
    "claims",
    cls=Command,
    short_help="List what can be checked, and how.",
    codes={0: "listed"},
    examples=[
        ("verify claims", "every claim"),
        ("verify claims lemma10", "those of a family"),
        ("verify claims b5.head", "one"),
        ("verify claims --format json", "the same for programs"),
    ],
)
@click.argument("claim_id", type=ID_OR_FAMILY, required=False, metavar="[ID]")
@option("--paper", metavar="NAME", help="The claims of this paper; `verify papers` lists the names. [default: yun2020]")
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def claims(claim_id: str | None, paper: str | None, form: str | None) -> int:
    """List every claim: statement, kind, place in the source, how it is verified. With an ID or a family: only those.

    A claim of kind `excluded` reads the text literally, in a way its authors can't have intended. It is shown, and has
    no effect on the verdict.
    """
    from verifier.catalogue import DEFAULT, UnknownClaim, UnknownPaper, choose, claims_of, find
    from verifier.core.claim import KINDS

    try:
        name = find(DEFAULT if paper is None else paper).name
        chosen = claims_of(name) if claim_id is None else choose([claim_id], name)
    except (UnknownClaim, UnknownPaper) as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        print_rows("claims", map(row, chosen))
        return OK
    for claim in chosen:
        print(filled(f"{claim.id}   ({claim.where})", further="    "))
        for label, words in (
            ("", claim.says),
            ("kind:    ", f"{claim.kind}: {KINDS[claim.kind]}"),
            ("formula: ", claim.formula),
            ("needs:   ", claim.needs),
            ("domain:  ", claim.domain.words),
            ("checked: ", claim.how),
        ):
            if words:
                print(filled(label + words, "    ", "".ljust(4 + len(label))))
        print()
    sys.stdout.flush()
    return OK


def row(claim: "Claim") -> dict[str, str]:
    said = {
        "name": claim.id,
        "kind": claim.kind,
        "where": claim.where,
        "words": claim.says,
        "formula": claim.formula,
        "needs": claim.needs,
        "domain": claim.domain.words,
        "how": claim.how,
    }
    return {name: text for name, text in said.items() if text or name != "needs"}
