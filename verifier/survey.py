"""A survey: many instances, a row for each, a column for each family of claims; sizes first.

An instance that is too large has a row, too, with its size. The independent checker reads the certificate of every row
before the row is printed. With a folder, each finished row is kept there with its certificate. The same survey then
goes on from there, after the checker has read the certificates again; a row that was stopped (by a limit, or because
workers died) is run anew.
"""

import csv
import hashlib
import io
import json
import re
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from verifier.catalogue import all_claims
from verifier.certificate import certify
from verifier.confirm import Disproved, confirm, confirm_bytes
from verifier.core.claim import Claim
from verifier.core.exact import NotExact, parse_natural, shown
from verifier.files import read_regular, refusal, write
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.size import matrix_count, orbit_count, refuse_if_too_large
from verifier.run.checkpoint import code_identity
from verifier.run.stop import Stopped, TooLarge, Unwritable
from verifier.run.verify import RunOptions, verify

MOST_INSTANCES = 10_000
VERDICTS = ("refuted", "skipped", "holds", "vacuous", "fails")  # fails: as a reading that we exclude


@dataclass(frozen=True)
class Row:
    instance: Instance
    verdict: str  # holds, refuted, incomplete, or too large
    families: dict[str, dict[str, int]]  # family: verdict: how many claims
    why: str = ""
    certificate: str = field(default="", repr=False, compare=False)
    checked: str = ""  # how the independent checker has checked it; empty if it hasn't

    @property
    def finished(self) -> bool:
        """Whether the run came to its end (claims may be skipped), and wasn't stopped."""
        return bool(self.families)

    def words(self, family: str) -> str:
        """'holds', 'refuted 2', 'vacuous', 'holds, 3 vacuous': the worst first."""
        counts = self.families.get(family)
        if not counts:
            return "-"
        found = [verdict for verdict in VERDICTS if counts.get(verdict)]
        if len(found) == 1 and found[0] != "refuted":
            return found[0]
        return ", ".join(v if v == "holds" else f"{counts[v]} {v}" for v in found)

    def exceptions(self, family: str) -> str:
        """The same, without the claims that hold where others don't: '3 vacuous' for 'holds, 3 vacuous'."""
        return ", ".join(part for part in self.words(family).split(", ") if part != "holds") or "holds"

    @property
    def size(self) -> tuple[str, str]:
        """How many orbits and matrices, as numbers or as formulas."""
        d, n, N = self.instance.d, self.instance.n, self.instance.N
        orbits, matrices = orbit_count(self.instance), matrix_count(self.instance)
        return (
            f"C({N + 1}^{d} + {n - 1}, {n})" if orbits is None else str(orbits),
            f"{N + 1}^{d * n}" if matrices is None else str(matrices),
        )


def parse_range(text: str) -> range:
    """`3` or `2..6`, both ends included."""
    match = re.fullmatch(r"([^.]*)(?:\.\.([^.]*))?", text)
    if not match:
        raise NotExact(f"{shown(text)} is not a range; one is written as in 2..6")
    if two := re.fullmatch(r"([0-9]+)[-:,]([0-9]+)", text):
        raise NotExact(f"{shown(text)}: a range is written {two[1]}..{two[2]}")
    low = parse_natural(match[1])
    high = low if match[2] is None else parse_natural(match[2])
    if high < low:
        raise NotExact(f"{shown(text)} is empty; a range goes upwards, as in 2..6")
    return range(low, high + 1)


def instances(d: range, n: range, N: range) -> list[Instance]:
    count = len(d) * len(n) * len(N)
    if count > MOST_INSTANCES:
        raise TooLarge(f"{count:,} instances; a survey has at most {MOST_INSTANCES:,}")
    return [Instance(*parts) for parts in product(d, n, N)]


def survey(
    wanted: Sequence[Instance],
    claims: Sequence[Claim],
    max_points: int | None,
    options: RunOptions,
    folder: Path | None = None,
    begin: Callable[[Instance], None] = lambda _: None,
    *,
    check: bool = True,
) -> Iterator[Row]:
    """A row for each instance, when it is finished; instances that are too large aren't run. Raises Disproved if the
    checker doesn't agree with a row."""
    for instance in wanted:
        try:
            refuse_if_too_large(instance, claims, max_points, options.engine)
        except TooLarge as error:
            yield Row(instance, "too large", {}, str(error))
            continue
        kept = _load(folder, instance, claims) if folder else None
        if kept and (kept := _confirmed(kept, options) if check else kept):
            yield kept
            continue
        begin(instance)
        row = run_row(instance, claims, options, check=check)
        if folder and row.finished:
            _save(folder, row, claims)
        yield row


def run_row(instance: Instance, claims: Sequence[Claim], options: RunOptions, *, check: bool = True) -> Row:
    began = time.monotonic()
    try:
        result = verify(contextual_map(instance), claims, options)
        standing = confirm(result, began, options.deadline, options.jobs) if check else None
    except Stopped as error:
        if error.kind in ("malformed", "missing", "defect"):
            raise
        return Row(instance, "incomplete", {}, str(error))
    certificate = certify(result).decode()
    return replace(_row_of(instance, certificate), checked=standing.words if standing else "")


def _row_of(instance: Instance, certificate: str) -> Row:
    """The row of a certificate."""
    document = json.loads(certificate)
    families: dict[str, Counter[str]] = {}
    known = all_claims()
    for claim in document["claims"]:
        fails = known[claim["id"]].excluded and claim["verdict"] == "refuted"
        families.setdefault(known[claim["id"]].family, Counter())["fails" if fails else claim["verdict"]] += 1
    counts = {family: dict(verdicts) for family, verdicts in families.items()}
    return Row(instance, document["verdict"], counts, certificate=certificate)


def _confirmed(kept: Row, options: RunOptions) -> Row | None:
    """A kept row, if the checker accepts its certificate; otherwise None, and it is run again."""
    try:
        standing = confirm_bytes(kept.certificate.encode(), deadline=options.deadline)
    except Disproved as error:
        options.say(f"the kept row of {kept.instance} is run again: {error}")
        return None
    return replace(kept, checked=standing.words)


def families_of(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(claim.family for claim in claims))


def as_json(rows: Sequence[Row]) -> str:
    document = [
        {
            "name": f"({row.instance.d}, {row.instance.n}, {row.instance.N})",
            "d": row.instance.d,
            "n": row.instance.n,
            "N": row.instance.N,
            "orbits": row.size[0],
            "matrices": row.size[1],
            "verdict": row.verdict,
            "families": row.families,
        }
        | ({"why": row.why} if row.why else {})
        | ({"checked": row.checked} if row.checked else {})
        for row in rows
    ]
    return json.dumps({"format": "verifier.survey/1", "rows": document}, indent=1, sort_keys=True)


def as_csv(rows: Sequence[Row], families: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["d", "n", "N", "orbits", "matrices", "verdict", *families])
    for row in rows:
        i = row.instance
        writer.writerow([i.d, i.n, i.N, *row.size, row.verdict, *map(row.words, families)])
    return text.getvalue().rstrip("\n")


def as_text(rows: Sequence[Row], families: Sequence[str], width: int = 80) -> str:
    """A table, if it isn't wider than that; else without the claims that hold beside others; else a list."""
    for words in (Row.words, Row.exceptions):
        lines = _table(rows, families, words)
        if max(map(len, lines)) <= width:
            short = words is Row.exceptions
            return "\n".join(
                [*lines, *["", "1 vacuous: one claim of the family had no case to check; the others hold"] * short]
            )
    found = []
    for row in rows:
        found.append(f"{row.instance}, {_orbits(row)} orbits: {row.verdict}")
        said = "; ".join(f"{family}: {row.words(family)}" for family in families)
        found += textwrap.wrap(said, width, initial_indent="    ", subsequent_indent="    ") if row.families else []
    return "\n".join(found)


def _table(rows: Sequence[Row], families: Sequence[str], words: Callable[[Row, str], str]) -> list[str]:
    table = [["d", "n", "N", "orbits", "verdict", *families]]
    for row in rows:
        i = row.instance
        said = (words(row, family) for family in families)
        table.append([str(i.d), str(i.n), str(i.N), _orbits(row), row.verdict, *said])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in table]


def _orbits(row: Row) -> str:
    return row.size[0] if len(row.size[0]) < 26 else f"about 10^{len(row.size[0]) - 1}"


def how_checked(rows: Sequence[Row]) -> Iterator[str]:
    """How the rows were checked, a line for each way."""
    ways: dict[str, list[Instance]] = {}
    for row in rows:
        if row.finished:
            ways.setdefault(row.checked or "not checked independently (--no-check)", []).append(row.instance)
    for words, its in ways.items():
        which = "every row" if len(ways) == 1 else ", ".join(f"({i.d}, {i.n}, {i.N})" for i in its)
        yield f"{which}: {words}"


def _path(folder: Path, instance: Instance) -> Path:
    return folder / f"row-{instance.d}-{instance.n}-{instance.N}.json"


def _content(row: Row, claims: Sequence[Claim]) -> dict[str, Any]:
    return {
        "code": code_identity(),
        "instance": [row.instance.d, row.instance.n, row.instance.N],
        "claims": [claim.id for claim in claims],
        "verdict": row.verdict,
        "families": row.families,
        "why": row.why,
        "certificate": row.certificate,
    }


def _save(folder: Path, row: Row, claims: Sequence[Claim]) -> None:
    content = json.dumps(_content(row, claims), sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(_path(folder, row.instance), f"{digest}\n{content}\n".encode())
    except OSError as error:
        raise Unwritable(f"the survey can't be kept: {folder}: {error.strerror}") from error


def _load(folder: Path, instance: Instance, claims: Sequence[Claim]) -> Row | None:
    """The finished row, if it was made by this code for these claims; anything else is run again, if it can be
    replaced."""
    path = _path(folder, instance)
    try:
        digest, content = read_regular(path).decode().splitlines()
        found = json.loads(content)
        row = _row_of(instance, found["certificate"])
        same = digest == hashlib.sha256(content.encode()).hexdigest() and found == _content(row, claims)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        if why := refusal(path):
            raise Unwritable(f"the survey can't be kept: {path}: {why}") from error
        return None
    return row if same and row.finished else None
