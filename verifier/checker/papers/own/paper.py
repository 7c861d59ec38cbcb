"""What the frame has to know of a certificate that names no paper: what it says of itself."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ...core.paper import Outcome, Paper
from ...core.reading import Unreadable, brief
from ...core.share import Options
from .check import check

_NAME = re.compile("(?! )[A-Za-z0-9 _.'^*/+()-]{1,60}(?<! )")
_ROWS = [["rational"]]
_HEAD = {"W_O": _ROWS, "W_V": _ROWS, "W_K": _ROWS, "W_Q": _ROWS, "b_Q": ["rational"]}
_TOKENS = {
    "W_1": _ROWS,
    "b_1": ["rational"],
    "W_2": _ROWS,
    "b_2": ["rational"],
    "breaks": ["rational"],
    "pieces": _ROWS,
}
_LAYER = {"attention?": [_HEAD], "feed-forward?": _TOKENS | {"left_owned": ["rational"]}}
_CASE = {"network": "text", "category": "text", "matrices": "count", "X": _ROWS, "image": _ROWS}
_CARRIED = {"title": "text", "networks": {"<text>": [_LAYER]}, "cases": [_CASE]}


def _unnamed(_: dict[str, Any], __: Options) -> Outcome:
    raise Unreadable("a certificate of no paper has its own words, which `of` reads")


def of(value: dict[str, Any]) -> Paper:
    """The names of its sizes, constants, categories and claims are the certificate's own."""
    found: dict[str, Any] = {name: value.get(name) for name in ("instance", "constants", "coverage")}
    for name, part in found.items():
        if type(part) is not dict:
            raise Unreadable(f"{name}: an object is wanted")
    claims = value.get("claims")
    statements = {
        claim["id"]: claim.get("statement", "")
        for claim in (claims if type(claims) is list else [])
        if type(claim) is dict and type(claim.get("id")) is str
    }
    for place, part in (found | {"claims": statements}).items():
        if bad := [name for name in part if not _NAME.fullmatch(name)]:
            raise Unreadable(
                f"{place}: {brief(bad[0])} is no name: one has 1 to 60 letters, digits, spaces, _.'^*/+()-"
            )
    names = {name: tuple(sorted(part or ())) for name, part in found.items()}
    categories = tuple(name for name in names["coverage"] if name != "total")
    paper = replace(
        PAPER, sizes=names["instance"], constants=names["constants"], categories=categories, statements=statements
    )
    return replace(paper, check=lambda cert, options: check(paper, cert, options))


PAPER = Paper(
    name="own",
    version=1,
    sizes=(),
    statements={},
    categories=(),
    constants=(),
    check=_unnamed,
    several="cases",
    extra={"construction": _CARRIED},
    of=of,
)
