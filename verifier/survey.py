"""A survey: a page at many sizes, a row for each, a column for each family of claims.

Sizes over the limit have a row, too, that says so. The independent checker reads the certificate of every row before
the row is told. With a folder, each finished row is kept there as its certificate. The same survey then goes on from
there, after the checker has read the certificates again; what isn't a certificate of this page, these claims and this
code is run anew.
"""

import csv
import hashlib
import io
import json
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier.confirm import Disproved, confirm
from verifier.evaluate.certificate import canonical
from verifier.evaluate.run import found
from verifier.files import read_regular, refusal, write
from verifier.language.page import Understood, given
from verifier.language.words import TooLarge
from verifier.lines import many
from verifier.run.checkpoint import code_identity
from verifier.run.stop import Unwritable

MOST_ROWS = 10_000
VERDICTS = ("refuted", "skipped", "holds", "vacuous", "fails")  # fails: as a reading that the page excludes


@dataclass(frozen=True)
class Row:
    sizes: dict[str, int]
    verdict: str  # a certificate's, or too large
    families: dict[str, dict[str, int]]  # family: verdict: how many claims
    cases: int = 0
    why: str = ""
    checked: str = ""  # how the independent checker has checked it; empty if it hasn't

    @property
    def name(self) -> str:
        return ", ".join(f"{name} = {size}" for name, size in self.sizes.items())

    def words(self, family: str) -> str:
        """'holds', 'refuted 2', 'vacuous', 'holds, 3 vacuous': the worst first."""
        counts = self.families.get(family)
        if not counts:
            return "-"
        said = [verdict for verdict in VERDICTS if counts.get(verdict)]
        if len(said) == 1 and said[0] != "refuted":
            return said[0]
        return ", ".join(v if v == "holds" else f"{counts[v]} {v}" for v in said)

    def exceptions(self, family: str) -> str:
        """The same, without the claims that hold where others don't: '3 vacuous' for 'holds, 3 vacuous'."""
        return ", ".join(part for part in self.words(family).split(", ") if part != "holds") or "holds"


@dataclass(frozen=True)
class Survey:
    """What every row has in common."""

    page: Understood
    claims: list[str]
    variant: dict[str, mpq]
    most: int | None = None
    jobs: int | None = None
    folder: Path | None = None
    check: bool = True
    say: Callable[[str], None] = lambda _: None
    begin: Callable[[str], None] = lambda _: None
    tell: Callable[[int, int], None] = lambda _, __: None  # how many cases are done, of how many

    @property
    def families(self) -> list[str]:
        return list(dict.fromkeys(id_.partition(".")[0] for id_ in self.claims))

    def rows(self, wanted: Sequence[dict[str, int]]) -> Iterator[Row]:
        """A row for each choice of sizes, when it is finished. Raises Disproved where the checker doesn't agree."""
        for sizes in [given(self.page.page, each) for each in wanted]:
            yield self.kept(sizes) or self.run(sizes)

    def run(self, sizes: dict[str, int]) -> Row:
        began = time.monotonic()
        self.begin(", ".join(f"{name} = {size}" for name, size in sizes.items()))
        try:
            content = found(self.page, sizes, self.claims, self.variant, jobs=self.jobs, most=self.most, tell=self.tell)
            data = canonical(content)
        except TooLarge as error:
            return Row(sizes, "too large", {}, why=error.message)
        row = self.row(sizes, content)
        if self.check:
            row = replace(row, checked=confirm(data, time.monotonic() - began).words)
        if self.folder is not None:
            self.keep(self.folder, sizes, data)
        return row

    def row(self, sizes: dict[str, int], content: dict[str, Any]) -> Row:
        families: dict[str, Counter[str]] = {}
        for entry in content["claims"]:
            aside = entry["verdict"] == "refuted" and self.page.page.claims[entry["id"]].kind == "excluded"
            counts = families.setdefault(entry["id"].partition(".")[0], Counter())
            counts["fails" if aside else entry["verdict"]] += 1
        cases = sum(entry["cases"] for entry in content["inputs"].values())
        return Row(sizes, content["verdict"], {name: dict(counts) for name, counts in families.items()}, cases)

    # what is kept

    def path(self, folder: Path, sizes: dict[str, int]) -> Path:
        return folder / f"row-{'-'.join(map(str, sizes.values())) or 'one'}.json"

    def mark(self, sizes: dict[str, int], data: bytes) -> str:
        """What a kept row is bound to: page, sizes, claims, variant, code, and its own bytes."""
        told = [self.page.page.text, sizes, self.claims, {k: str(v) for k, v in self.variant.items()}, code_identity()]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode() + b"\0" + data).hexdigest()

    def keep(self, folder: Path, sizes: dict[str, int], data: bytes) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write(self.path(folder, sizes), f"{self.mark(sizes, data)}\n".encode() + data)
        except OSError as error:
            raise Unwritable(f"the survey can't be kept: {folder}: {error.strerror}") from error

    def kept(self, sizes: dict[str, int]) -> Row | None:
        """The row that was kept, if its certificate still is what it was, and the checker accepts it."""
        if self.folder is None:
            return None
        path = self.path(self.folder, sizes)
        try:
            mark, _, data = read_regular(path).partition(b"\n")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            if why := refusal(path):
                raise Unwritable(f"the survey can't be kept: {path}: {why}") from error
            return None
        if mark.decode(errors="replace") != self.mark(sizes, data):
            return None
        row = self.row(sizes, json.loads(data))
        try:
            return replace(row, checked=confirm(data).words) if self.check else row
        except Disproved as error:
            self.say(f"the kept row of {row.name} is run again: {error}")
            return None


def as_json(rows: Sequence[Row]) -> str:
    document = [
        {"name": row.name, "sizes": row.sizes, "cases": row.cases, "verdict": row.verdict, "families": row.families}
        | ({"why": row.why} if row.why else {})
        | ({"checked": row.checked} if row.checked else {})
        for row in rows
    ]
    return json.dumps({"format": "verifier.survey/2", "rows": document}, indent=1, sort_keys=True)


def as_csv(rows: Sequence[Row], families: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*rows[0].sizes, "cases", "verdict", *families])
    for row in rows:
        writer.writerow([*row.sizes.values(), row.cases or "", row.verdict, *map(row.words, families)])
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
    told = []
    for row in rows:
        told.append(f"{row.name}, {many(row.cases, 'case')}: {row.verdict}")
        said = "; ".join(f"{family}: {row.words(family)}" for family in families)
        told += textwrap.wrap(said, width, initial_indent="    ", subsequent_indent="    ") if row.families else []
    return "\n".join(told)


def _table(rows: Sequence[Row], families: Sequence[str], words: Callable[[Row, str], str]) -> list[str]:
    table = [[*rows[0].sizes, "cases", "verdict", *families]]
    for row in rows:
        cases = f"{row.cases:,}" if row.families else "-"
        table.append([*map(str, row.sizes.values()), cases, row.verdict, *(words(row, family) for family in families)])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in table]


def how_checked(rows: Sequence[Row]) -> Iterator[str]:
    """How the rows were checked, a line for each way."""
    ways: dict[str, list[str]] = {}
    for row in rows:
        if row.families:
            ways.setdefault(row.checked or "not checked independently (--no-check)", []).append(row.name)
    for words, its in ways.items():
        yield f"{'every row' if len(ways) == 1 else '; '.join(its)}: {words}"
