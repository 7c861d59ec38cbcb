"""The input of a report: certificates, each checked again by the independent checker, and surveys.

A certificate is read, its bytes are handed to the checker, and only what the checker could read goes into the page,
with the checker's answer word by word.
"""

import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier import files
from verifier.catalogue import DEFAULT, find
from verifier.checking import run_checker
from verifier.core.exact import exact
from verifier.files import MOST_BYTES, Unreadable

PAGE = "verifier.certificate/2"
SURVEY, SYMBOLIC = "verifier.survey/1", "verifier.proof/1"
_VERDICTS = ("holds", "refuted", "fails", "vacuous", "skipped")
_ROW_VERDICTS = ("holds", "refuted", "incomplete", "too large")

_STANDINGS = {"accepted": "accepted", "refuted": "accepted", "incomplete": "accepted"}
_STANDINGS |= {"rejected": "rejected", "over the limit": "unchecked"}

Certificate = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A certificate, and the checker's answer about these very bytes.

    standing: accepted; rejected; unchecked (over the checker's limit).
    """

    name: str
    certificate: Certificate
    standing: str
    said: str
    code: int  # the exit code that this file causes; 0 where it is refuted, as it says
    ends: int  # what `verify check` ends with, of this file alone

    @property
    def verdict(self) -> str:
        """The certificate's, if it is accepted; else its standing."""
        verdict: str = self.certificate["verdict"] if self.standing == "accepted" else self.standing
        return verdict

    @property
    def paper(self) -> str:
        name: str = self.certificate.get("paper", DEFAULT)
        return name.partition("/")[0]

    @property
    def subject(self) -> str:
        """What it is about, in a few words."""
        return find(self.paper).title

    @property
    def sizes(self) -> dict[str, int]:
        if self.certificate["format"] == PAGE:
            from verifier.language.page import read

            sizes: dict[str, int] = self.certificate["sizes"]
            return {name: sizes[name] for name in read(self.certificate["page"]).page.sizes}
        instance: dict[str, int] = self.certificate["instance"]
        return {name: instance[name] for name in find(self.paper).least}

    @property
    def place(self) -> tuple[int, ...]:
        return tuple(self.sizes.values())

    @property
    def several(self) -> str:
        return "orbits" if self.paper == DEFAULT else "cases"

    @property
    def variant(self) -> dict[str, str]:
        variant: dict[str, str] = self.certificate.get("variant", {})
        return variant

    @property
    def total(self) -> dict[str, int]:
        """How many orbits and matrices were run; 0 if every claim has other cases, or was skipped."""
        total: dict[str, int] = self.certificate["coverage"].get("total", {"orbits": 0, "matrices": 0})
        return total


@dataclass(frozen=True)
class Survey:
    name: str
    rows: list[dict[str, Any]]


def load(path: Path, max_points: int | None = None) -> Source | Survey:
    """A certificate, checked up to so many orbits; or a survey. Raises Unreadable if a file is neither."""
    return of_text(name_of(path), text_of(path), max_points)


def name_of(path: Path) -> str:
    return str(path) if str(path).isprintable() else ascii(str(path))[1:-1]


def of_text(name: str, text: str, max_points: int | None = None) -> Source | Survey:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no certificate and no survey: {str(error)[:200]}") from error
    if isinstance(document, dict) and document.get("format") == SURVEY:
        return Survey(name, _rows(document))
    if isinstance(document, dict) and document.get("format") == SYMBOLIC:
        raise Unreadable("a symbolic certificate has no page; `verify prove --format markdown` writes it to be read")
    if isinstance(document, dict) and document.get("format") == PAGE:
        raise Unreadable("the certificate of a page has a report of its own; give this file alone")
    return checked(name, text, document, max_points)


def text_of(path: Path) -> str:
    """The text of a file, unpacked if it is a gzip file; of stdin for `-`."""
    if str(path) != "-" and path.suffix != ".gz":
        return files.read(path)
    data = sys.stdin.buffer.read(MOST_BYTES + 1) if str(path) == "-" else files.read_bytes(path)
    try:
        if data.startswith(b"\x1f\x8b"):
            data = zlib.decompressobj(wbits=31).decompress(data, MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Unreadable(f"it has more than {MOST_BYTES:,} bytes")
        return data.decode()
    except zlib.error as error:
        raise Unreadable("it is no gzip file") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8") from error


def checked(name: str, text: str, document: Any, max_points: int | None) -> Source:
    limit = [] if max_points is None else ["--max-points", str(max_points)]
    done = run_checker([*limit, "--", "-"], given=text.encode())
    (answer,) = done.records or [{"verdict": "not checked", "words": f"not checked: {done.words}", "code": 0}]
    said, code = answer["words"].removeprefix("REJECTED: "), answer["code"]
    standing = _STANDINGS.get(answer["verdict"])
    if standing is None:
        raise Unreadable(said)
    return Source(name, document, standing, said, code, done.code)


def _rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of `verify survey --format json`."""
    rows = document.get("rows")
    if not isinstance(rows, list) or not rows:
        raise Unreadable("a survey without rows")
    for k, row in enumerate(rows):
        well = (
            isinstance(row, dict)
            and all(type(row.get(name)) is int and 0 < row[name] < 10**9 for name in ("d", "n", "N"))
            and all(isinstance(row.get(name), str) for name in ("orbits", "matrices", "verdict"))
            and row["verdict"] in _ROW_VERDICTS
            and isinstance(row.get("why", ""), str)
            and isinstance(row.get("families"), dict)
            and all(
                isinstance(counts, dict)
                and all(v in _VERDICTS and type(c) is int and c >= 0 for v, c in counts.items())
                for counts in row["families"].values()
            )
        )
        if not well:
            raise Unreadable(f"row {k} of the survey has not the shape that `verify survey --format json` writes")
    return rows


def rational(text: str) -> mpq:
    """A rational of a certificate, whose shape the checker has seen."""
    return exact(mpq(text))
