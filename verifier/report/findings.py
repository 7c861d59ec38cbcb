"""proofs/FINDINGS.md and the pages of proofs/findings, as the site shows them: prose by hand, and below each command
that runs a claim what the committed certificate of this claim at these sizes says of it. So no verdict and no number
of a certificate is written by hand.

`<!-- verdicts -->` stands for the verdicts of all claims under certificates/paper, `<!-- sizes CLAIM CLAIM -->` for the
inequalities of these claims there.
"""

import json
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from verifier.catalogue import DEFAULT, pages
from verifier.core.exact import shortened
from verifier.language.library import text_of
from verifier.language.parse import parse
from verifier.language.tree import Page
from verifier.report.found import at_text, slack_of

TABLED = "certificates/paper"
COMMAND = re.compile(r"    verify (?:--paper (\w+) )?((?:--\w+ \d+ )+)--claims ([\w.-]+)")
_SIGN = {"holds": "holds", "refuted": "**fails**", "vacuous": "no case", "skipped": "?"}
_WIDTH = 118
_LONGEST = 60  # digits of a number: the certificate has them all


class NoCertificate(ValueError):
    """The page asks for something that no committed certificate says."""


def sources(folder: Path) -> list[Path]:
    """The page of all findings, then those of each paper, the default one first."""
    of_papers = (folder / "findings").glob("*.md")
    return [folder / "FINDINGS.md", *sorted(of_papers, key=lambda page: (page.stem != DEFAULT, page.name))]


def render(folder: Path, source: Path) -> str:
    """A page with what the certificates of a folder say."""
    return filled(folder, source.read_text(encoding="utf-8"), "../" * (len(source.relative_to(folder).parts) - 1))


def filled(folder: Path, text: str, up: str = "") -> str:
    """The text with what the certificates of a folder say; `up` leads from the text to the folder."""
    lines: list[str] = []
    for line in text.splitlines():
        words = line.removeprefix("<!-- ").removesuffix(" -->").split()
        if line == "<!-- verdicts -->":
            lines += _verdicts(folder)
        elif line.startswith("<!-- sizes "):
            lines += _sizes(folder, words[1:])
        else:
            lines.append(line)
            if command := COMMAND.fullmatch(line):
                lines += _evidence(folder, command[1] or DEFAULT, command[2], command[3], up)
    return "\n".join(lines) + "\n"


def _read(path: Path) -> dict[str, Any]:
    certificate: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return certificate


@cache
def _certificates(folder: Path) -> dict[tuple[str, tuple[tuple[str, int], ...]], list[Path]]:
    """The certificates of papers as published, by paper and sizes."""
    found: dict[Any, list[Path]] = {}
    for path in sorted((folder / "certificates").rglob("*.json")):
        certificate = _read(path)
        if "variant" not in certificate:
            sizes = certificate["sizes"]
            found.setdefault((_paper(certificate), tuple(sorted(sizes.items()))), []).append(path)
    return found


def _paper(certificate: dict[str, Any]) -> str:
    return next((name for name in pages() if _text_of(name) == certificate["page"]), "")


@cache
def _text_of(name: str) -> str:
    return text_of(pages()[name])


def _place(certificate: dict[str, Any]) -> tuple[int, int, int]:
    sizes = certificate["sizes"]
    return sizes["d"], sizes["n"], sizes["N"]


def _of_the_paper(folder: Path) -> list[dict[str, Any]]:
    return sorted(map(_read, (folder / TABLED).glob("*.json")), key=_place)


def _rows(rows: list[list[str]]) -> list[str]:
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return [head, f"| {' | '.join(['---'] * len(rows[0]))} |", *others]


def _sizes(folder: Path, claims: list[str]) -> list[str]:
    """A row for each inequality of the claims, a column for each instance: `value <= bound`."""
    certificates = _of_the_paper(folder)
    by_edge: dict[str, dict[tuple[int, int, int], str]] = {}
    for certificate in certificates:
        for claim in certificate["claims"]:
            for line in claim.get("lines", []) if claim["id"] in claims else []:
                if edge := line.get("least"):
                    at = by_edge.setdefault(f"`{claim['id']}`: `{line['relation']}`", {})
                    at[_place(certificate)] = f"{_text(edge['value'])}; {_text(edge['bound'])}"
    if not by_edge:
        raise NoCertificate(f"no certificate has an inequality of {', '.join(claims)}")
    places = list(map(_place, certificates))
    head = ["value; bound at (d, n, N) =", *(f"({d}, {n}, {N})" for d, n, N in places)]
    return _rows([head, *([edge, *(at.get(place, "") for place in places)] for edge, at in by_edge.items())])


def _verdicts(folder: Path) -> list[str]:
    """A row for each claim, a column for each instance."""
    certificates = _of_the_paper(folder)
    verdicts: dict[str, dict[tuple[int, int, int], str]] = {}
    for certificate in certificates:
        for claim in certificate["claims"]:
            verdicts.setdefault(claim["id"], {})[_place(certificate)] = _SIGN[claim["verdict"]]
    places = list(map(_place, certificates))
    head = ["claim at (d, n, N) =", "kind", *(f"({d}, {n}, {N})" for d, n, N in places)]
    return _rows(
        [
            head,
            *(
                [f"`{id_}`", _kind(DEFAULT, id_), *(at.get(place, "") for place in places)]
                for id_, at in verdicts.items()
            ),
        ]
    )


def _evidence(folder: Path, paper: str, sizes: str, claim_id: str, up: str) -> Iterator[str]:
    """What the certificate of this claim at these sizes says about it."""
    words = sizes.split()
    at = {name.removeprefix("--"): int(size) for name, size in zip(words[::2], words[1::2], strict=True)}
    for path in _certificates(folder).get((paper, tuple(sorted(at.items()))), ()):
        certificate = _read(path)
        if claim := next((claim for claim in certificate["claims"] if claim["id"] == claim_id), None):
            break
    else:
        raise NoCertificate(f"no committed certificate has {claim_id} of {paper} at {sizes}")
    kind = _kind(paper, claim_id)
    cases = f"{claim['cases']:,} case{'' if claim['cases'] == 1 else 's'}"
    sizes_said = f"({', '.join(at)}) = ({', '.join(map(str, at.values()))})"
    said_ = f"`{claim_id}` ({kind}) {said(claim['verdict'], kind)} at {sizes_said}, {cases}"
    if shown := _shown(claim):
        which = "first that fails" if claim["verdict"] == "refuted" else "tightest"
        said_ += f"; the {which}: {shown}"
    yield ""
    yield from wrapped(f"{said_}. ([{path.name}]({up}{path.relative_to(folder)}))")


def _kind(paper: str, claim_id: str) -> str:
    return _page(paper).claims[claim_id].kind


@cache
def _page(name: str) -> Page:
    return parse(_text_of(name))


def _shown(claim: dict[str, Any]) -> str:
    """The counterexample, or the tightest case: the relation, where, and both sides."""
    seen = claim.get("first") or slack_of(claim)
    if not seen:
        return ""
    holder = (line for line in claim["lines"] if line.get("least") is seen or _at(line) == _at(seen))
    at = f" at {shorter(at_text(seen, ''))}" if seen["cases"] else ""
    return f"`{next(holder)['relation']}`{at}, {_text(seen['value'])} against {_text(seen['bound'])}"


def shorter(words: str) -> str:
    """The words, with long numbers by their first digits."""
    return re.sub(r"-?\d+(/\d+)?", lambda number: shortened(number[0], _LONGEST), words)


def _at(seen: dict[str, Any]) -> tuple[Any, Any]:
    return seen.get("line"), seen.get("column")


def said(verdict: str, kind: str) -> str:
    """The verdict in words: only statements are refuted; steps and readings fail."""
    if verdict == "refuted" and kind != "statement":
        return "**fails**"
    return {"refuted": "is **refuted**", "holds": "**holds**", "vacuous": "is vacuous", "skipped": "is skipped"}[
        verdict
    ]


def wrapped(words: str) -> list[str]:
    """A paragraph in lines, never broken inside a formula, and such that no line looks like a list item."""
    words = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), words)
    words = re.sub(r" (?=([-+*>]|\d+\.) )", "\0", words)
    lines = textwrap.wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return shortened(value, _LONGEST) if isinstance(value, str) else f"({', '.join(map(_text, value))})"
