"""`verify claims`."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.commands.answers import OK, filled
from verifier.commands.options import FORMAT, ID_OR_FAMILY
from verifier.commands.page import PAPER, Asked, PageCommand, chosen
from verifier.language.page import Understood
from verifier.report.formats import Result, Row, opened

if TYPE_CHECKING:
    from verifier.language.tree import Claim


@click.command(
    "claims",
    cls=PageCommand,
    with_sizes=False,
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
@PAPER
@FORMAT
def claims(asked: Asked, claim_id: str | None, form: str | None) -> int:
    """List every claim: statement, kind, place in the source, how it is verified. With an ID or a family: only those.

    A claim of kind `excluded` reads the text literally, in a way its authors can't have intended. It is shown, and has
    no effect on the verdict. Claim 1 of Yun et al., of all weights, is on no page: Coq proves it for all sizes
    (Network_equivariant in proofs/coq/universal/Approximation.v).
    """
    title = f"The claims of {asked.understood.page.title or 'a page without a title'}"
    report = opened(form, Result("claims", title, COLUMNS))
    for claim in rows_of(asked.path, asked.understood, claim_id):
        report.add(Row(claim, tuple(claim[name] for name in COLUMNS), show=partial(show, claim)))
    report.end()
    sys.stdout.flush()
    return OK


COLUMNS = ("name", "kind", "where", "words", "formula", "domain", "how")


def show(claim: dict[str, str]) -> None:
    from verifier.language.tree import KINDS

    print(filled(f"{claim['name']}   ({claim['where']})", further="    "))
    for label, words in (
        ("", claim["words"]),
        ("kind:    ", f"{claim['kind']}: {KINDS[claim['kind']]}"),
        ("formula: ", claim["formula"]),
        ("domain:  ", claim["domain"]),
        ("checked: ", claim["how"]),
    ):
        if words:
            print(filled(label + words, "    ", "".ljust(4 + len(label))))
    print()


def rows_of(path: Path, page: Understood, claim_id: str | None = None) -> list[dict[str, str]]:
    claims = page.page.claims
    return [row(claims[id_], how(path, claims[id_])) for id_ in chosen(page, claim_id or "all")]


def how(path: Path, claim: "Claim") -> str:
    """How a claim can be verified; of the page that the proofs for all sizes are about, where these have it."""
    from verifier.catalogue import DEFAULT, pages
    from verifier.coq.proved import proved
    from verifier.symbolic.certificate import choose

    said = "every case is run, in exact numbers" if claim.inputs else "computed, in exact numbers"
    if path != pages()[DEFAULT]:
        return said
    if claim.id in choose(None)[0]:
        said += f"; symbolically, for all d, n and N, by `verify prove --claims {claim.id}`"
    if claim.kind == "statement" and (theorems := proved(claim.source)):
        said += f"; {claim.source.partition(',')[0]} in Coq: {', '.join(theorems)}"
    return said


def formula_of(claim: "Claim") -> str:
    """Its lines, each after the blocks that it stands in."""
    from verifier.language.write import claim_lines

    told = ""
    for line in claim_lines(claim.lines, ""):
        told += ("" if not told else " " if told.endswith(":") else "; ") + line.text.strip()
    return told


def row(claim: "Claim", how: str) -> dict[str, str]:
    """A claim: its formula is the text that is evaluated."""
    from verifier.language.write import expression

    domain = "the construction itself" if claim.inputs is None else f"each case of {claim.inputs}"
    domain += "" if claim.condition is None else f" if {expression(claim.condition)}"
    domain += "" if claim.skip is None else f"; skipped if {expression(claim.skip[0])}: {claim.skip[1]}"
    return {
        "name": claim.id,
        "kind": claim.kind,
        "where": claim.source,
        "words": claim.words,
        "formula": formula_of(claim),
        "domain": domain,
        "how": how,
    }
