"""proofs/FINDINGS.md: prose by hand, with every verdict and number in it taken from the committed certificates.

In findings.in.md a line `:: CLAIM FILE` stands for what the certificate FILE says about CLAIM, a line `:: table` for
the verdicts of all claims of section 11 of FORMAT.md in all certificates under certificates/paper, and a line
`:: sizes CLAIM CLAIM` for the inequalities of these claims in all of them.
`python -m verifier.report.findings proofs` writes the page anew, and each findings/PAPER.md from findings/PAPER.in.md.
"""

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from verifier.catalogue import DEFAULT, all_claims
from verifier.core.exact import shortened
from verifier.files import write

TEMPLATE, PAGE, TABLED = "findings.in.md", "FINDINGS.md", "certificates/paper"
_SIGN = {"holds": "holds", "refuted": "**fails**", "vacuous": "no case", "skipped": "?"}
_WIDTH = 118
_LONGEST = 60  # digits of a number: the certificate has them all


class BadTemplate(ValueError):
    """A line of the template asks for something that no certificate says."""


def templates(folder: Path) -> dict[Path, Path]:
    """Each page, and the template that it is made from."""
    others = sorted((folder / "findings").glob("*.in.md"))
    return {folder / PAGE: folder / TEMPLATE, **{path.with_name(path.name.replace(".in", "")): path for path in others}}


def render(folder: Path, template: Path | None = None) -> str:
    """The page, from a template and the certificates of a folder."""
    template, lines = template or folder / TEMPLATE, []
    up = "../" * (len(template.relative_to(folder).parts) - 1)
    for number, line in enumerate(template.read_text(encoding="utf-8").splitlines(), start=1):
        words = line.split()
        if words[:1] != ["::"]:
            lines.append(line)
        elif words == ["::", "table"]:
            lines += _table(folder)
        elif words[:2] == ["::", "sizes"] and len(words) > 2:
            lines += _sizes(folder, words[2:])
        elif len(words) == 3:
            lines += _evidence(folder, words[1], words[2], up)
        else:
            raise BadTemplate(
                f"{template.name}, line {number}: expected `:: CLAIM FILE`, `:: table` or `:: sizes CLAIM`"
            )
    return "\n".join(lines) + "\n"


def _read(path: Path) -> dict[str, Any]:
    certificate: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return certificate


def _place(certificate: dict[str, Any]) -> tuple[int, int, int]:
    instance = certificate["instance"]
    return instance["d"], instance["n"], instance["N"]


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
            for edge in claim.get("edges", []) if claim["id"] in claims else []:
                at = by_edge.setdefault(f"`{claim['id']}`: {edge['relation']}", {})
                at[_place(certificate)] = f"{_text(edge['value'])}; {_text(edge['bound'])}"
    if not by_edge:
        raise BadTemplate(f"no certificate has an inequality of {', '.join(claims)}")
    places = list(map(_place, certificates))
    head = ["value; bound at (d, n, N) =", *(f"({d}, {n}, {N})" for d, n, N in places)]
    return _rows([head, *([edge, *(at.get(place, "") for place in places)] for edge, at in by_edge.items())])


def _table(folder: Path) -> list[str]:
    """A row for each claim, a column for each instance."""
    certificates = _of_the_paper(folder)
    verdicts: dict[str, dict[tuple[int, int, int], str]] = {}
    for certificate in certificates:
        for claim in certificate["claims"]:
            verdicts.setdefault(claim["id"], {})[_place(certificate)] = _SIGN[claim["verdict"]]
    places = list(map(_place, certificates))
    head = ["claim at (d, n, N) =", "kind", *(f"({d}, {n}, {N})" for d, n, N in places)]
    kinds = {claim.id: claim.kind for claim in all_claims().values()}
    return _rows(
        [head, *([f"`{id_}`", kinds[id_], *(at.get(place, "") for place in places)] for id_, at in verdicts.items())]
    )


def _evidence(folder: Path, claim_id: str, file: str, up: str) -> list[str]:
    """What a certificate says about a claim, with the command that reproduces it."""
    certificate = _read(folder / file)
    claim = next((claim for claim in certificate["claims"] if claim["id"] == claim_id), None)
    if claim is None:
        raise BadTemplate(f"{file} says nothing of {claim_id}")
    d, n, N = _place(certificate)
    shown = claim.get("counterexample") or claim.get("tightest")
    paper = certificate.get("paper", DEFAULT).partition("/")[0]
    kind = all_claims(paper)[claim_id].kind
    cases = f"{claim['cases']:,} case{'' if claim['cases'] == 1 else 's'}"
    words = f"`{claim_id}` ({kind}) {said(claim['verdict'], kind)} at (d, n, N) = ({d}, {n}, {N}), {cases}"
    if shown:
        matrices = [
            f"[{'; '.join(', '.join(row) for row in shown[key])}]" for key in ("matrix", "other") if key in shown
        ]
        at = f" at {' and '.join(matrices)}" if matrices else ""
        relation = f"`{shown['relation']}`{at}, {_text(shown['value'])} against {_text(shown['bound'])}"
        words += f"; the {'first that fails' if claim['verdict'] == 'refuted' else 'tightest'}: {relation}"
    chosen = "" if paper == DEFAULT else f"--paper {paper} "
    command = f"    verify {chosen}--d {d} --n {n} --N {N} --claims {claim_id}"
    return [command, "", *wrapped(f"{words}. ([{Path(file).name}]({up}{file}))")]


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
    return shortened(value, _LONGEST) if isinstance(value, str) else f"({', '.join(map(_text, value))})"


def main(folder: Path) -> None:
    for page, template in templates(folder).items():
        write(page, render(folder, template).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
