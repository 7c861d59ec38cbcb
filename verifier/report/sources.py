"""What a report or a badge is of: a page's certificate, read, and checked again by the independent checker.

The file's bytes are handed to the checker, and only what the checker could read goes further, with the checker's answer
word by word.
"""

import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier import files
from verifier.checking import run_checker
from verifier.files import MOST_BYTES, Unreadable
from verifier.language.page import read
from verifier.language.tree import Page

FORMAT = "verifier.certificate/2"
_STANDINGS = {"accepted": "accepted", "refuted": "accepted", "incomplete": "accepted"}
_STANDINGS |= {"rejected": "rejected", "over the limit": "unchecked"}


@dataclass(frozen=True)
class Source:
    """A certificate, and the checker's answer about these very bytes.

    standing: accepted; rejected; unchecked (over the checker's limit).
    """

    name: str
    certificate: dict[str, Any]
    page: Page
    standing: str
    said: str
    code: int  # the exit code that this file causes; 0 where it is refuted, as it says
    ends: int  # what `verify check` ends with, of this file alone

    @property
    def sizes(self) -> dict[str, int]:
        """In the page's order."""
        return {name: self.certificate["sizes"][name] for name in self.page.sizes}

    @property
    def variant(self) -> dict[str, str]:
        variant: dict[str, str] = self.certificate.get("variant", {})
        return variant


def name_of(path: Path) -> str:
    return str(path) if str(path).isprintable() else ascii(str(path))[1:-1]


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


def checked(name: str, text: str, max_points: int | None) -> Source:
    """The certificate with this text. Raises Unreadable if it is none of a page, or the checker can't read it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is no certificate: {str(error)[:200]}") from error
    its = document.get("format") if isinstance(document, dict) else None
    if str(its).startswith("verifier.proof/"):
        raise Unreadable("a symbolic certificate has no report; `verify prove --format markdown` writes it to be read")
    if its != FORMAT:
        raise Unreadable(f"its format is {str(its)[:60]!a}, not {FORMAT}, that of a page's certificate")
    limit = [] if max_points is None else ["--max-points", str(max_points)]
    done = run_checker([*limit, "--", "-"], given=text.encode())
    (answer,) = done.records or [{"verdict": "not checked", "words": f"not checked: {done.words}", "code": 0}]
    said, code = answer["words"].removeprefix("REJECTED: "), answer["code"]
    standing = _STANDINGS.get(answer["verdict"])
    if standing is None:
        raise Unreadable(said)
    if standing == "rejected":  # its page may be none
        return Source(name, document, Page(""), standing, said, code, done.code)
    return Source(name, document, read(document["page"]).page, standing, said, code, done.code)
