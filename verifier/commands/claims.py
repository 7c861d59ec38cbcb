"""`verify claims`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
        ("verify claims --paper parity", "those of another paper, or of a page of one's own"),
        ("verify claims --format json", "the same for programs"),
    ],
)
@click.argument("claim_id", type=ID_OR_FAMILY, required=False, metavar="[ID]")
@option(
    "--paper",
    metavar="NAME",
    help="The claims of this paper, or of the page in this file; `verify papers` lists the names. [default: yun2020]",
)
@option("--format", "form", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
def claims(claim_id: str | None, paper: str | None, form: str | None) -> int:
    """List every claim: statement, kind, place in the source, how it is verified. With an ID or a family: only those.

    A claim of kind `excluded` reads the text literally, in a way its authors can't have intended. It is shown, and has
    no effect on the verdict.
    """
    from verifier.catalogue import DEFAULT, UnknownClaim, UnknownPaper, choose, claims_of, find
    from verifier.commands.page import of_name
    from verifier.core.claim import KINDS

    if paper is not None and (page := of_name(paper)) is not None:
        rows = rows_of_page(page, claim_id)
    else:
        try:
            name = find(DEFAULT if paper is None else paper).name
            rows = [row(claim) for claim in (claims_of(name) if claim_id is None else choose([claim_id], name))]
        except (UnknownClaim, UnknownPaper) as error:
            raise click.UsageError(str(error)) from error
    if form == "json":
        print_rows("claims", rows)
        return OK
    for claim in rows:
        print(filled(f"{claim['name']}   ({claim['where']})", further="    "))
        for label, words in (
            ("", claim["words"]),
            ("kind:    ", f"{claim['kind']}: {KINDS[claim['kind']]}"),
            ("formula: ", claim["formula"]),
            ("needs:   ", claim.get("needs", "")),
            ("domain:  ", claim["domain"]),
            ("checked: ", claim["how"]),
        ):
            if words:
                print(filled(label + words, "    ", "".ljust(4 + len(label))))
        print()
    sys.stdout.flush()
    return OK


def rows_of_page(path: Path, claim_id: str | None) -> list[dict[str, str]]:
    from verifier.commands.page import chosen, understood

    page = understood(path)
    claims = page.page.claims
    return [row_of_page(claims[id_]) for id_ in chosen(page, claim_id)]


def row_of_page(claim: Any) -> dict[str, str]:
    """The same of a claim of a page: its formula is the text that is evaluated."""
    from verifier.language.write import expression

    domain = "the construction itself" if claim.inputs is None else f"each case of {claim.inputs}"
    domain += "" if claim.condition is None else f" if {expression(claim.condition)}"
    domain += "" if claim.skip is None else f"; skipped if {expression(claim.skip[0])}: {claim.skip[1]}"
    return {
        "name": claim.id,
        "kind": claim.kind,
        "where": claim.source,
        "words": claim.words,
        "formula": "; ".join(dict.fromkeys(sign.text for sign, _ in claim.signs)),
        "domain": domain,
        "how": "every case is run, in exact numbers",
    }


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
