"""The bytes of a file that can be read again: canonical JSON, by proofs/FORMAT.md; and what a certificate promises."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from verifier.language.words import page_of
from verifier.run.stop import TooLarge

MOST_DIGITS, MOST_BYTES = 4000, 16 * 2**20  # of a rational, in all, and of a certificate (FORMAT.md, 1)
_LONG = re.compile(rf"[0-9/]{{{MOST_DIGITS + 1},}}")
_TOO_LONG = f"numbers of more than {MOST_DIGITS:,} digits, which no reader of a certificate takes"


class TooLong(TooLarge):
    """What can't be read isn't written: numbers of more digits, or files of more bytes, than a reader takes."""


def canonical(document: dict[str, Any], most_bytes: int = MOST_BYTES) -> bytes:
    """The bytes of a file that can be read, or TooLong."""
    try:
        text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    except ValueError:  # Python doesn't write whole numbers of more than 4,300 digits
        raise TooLong(_TOO_LONG) from None
    if any(len(number.replace("/", "")) > MOST_DIGITS for number in _LONG.findall(text)):
        raise TooLong(_TOO_LONG)
    data = text.encode()
    if len(data) > most_bytes:
        raise TooLong(f"a file of {len(data):,} bytes, and at most {most_bytes:,} are read")
    return data


def promises(document: dict[str, Any]) -> Iterator[str]:
    """The promises that a certificate keeps, a line for each verdict (FORMAT.md, 4)."""
    sizes = re.findall(r"^sizes (.*)", page_of(document["page"]), re.MULTILINE)
    names = re.findall(r"([A-Za-z][\w~']*) *>=", sizes[0].partition("#")[0]) if sizes else []
    instance = "".join(f"{document['sizes'][name]} " for name in names)
    its = f" paper=page:{hashlib.sha256(document['page'].encode()).hexdigest()}"
    its += "".join(f" {name}={value}" for name, value in document.get("variant", {}).items())
    by_verdict: dict[str, list[str]] = {}
    for claim in document["claims"]:
        by_verdict.setdefault(claim["verdict"], []).append(claim["id"])
    for verdict, ids in by_verdict.items():
        yield f"{instance} {','.join(ids)}  {verdict}{its}"
