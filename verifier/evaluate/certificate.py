"""The certificate of a page, as proofs/FORMAT.md has it: the same bytes whoever runs it."""

import json
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.definition import Reading
from verifier.evaluate.ledger import RECOGNISES, Ledger, Line, Ranks, Seen, verdict
from verifier.evaluate.values import plain
from verifier.files import MOST_BYTES
from verifier.language.form import form
from verifier.language.words import TooLarge

FORMAT = "verifier.certificate/2"


def canonical(data: Any) -> bytes:
    """The bytes of a certificate; what no checker would read is none."""
    found = (json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False, separators=(",", ": ")) + "\n").encode()
    if len(found) > MOST_BYTES:
        raise TooLarge(
            (0, 0),
            f"the certificate would have {len(found):,} bytes, and at most {MOST_BYTES:,} are read: the cases that it"
            " names are too long; take smaller sizes, or fewer claims",
        )
    return found


def content(reading: Reading, ledgers: list[Ledger], variant: dict[str, mpq]) -> dict[str, Any]:
    page = reading.page
    spaces = {ledger.claim.inputs for ledger in ledgers if ledger.why is None and ledger.claim.inputs is not None}
    found: dict[str, Any] = {
        "format": FORMAT,
        "page": page.text,
        "sizes": {name: int(size.numerator) for name, size in reading.sizes.items()},
        "constants": {name: str(value) for name, value in reading.named.items()},
        "layers": {name: form(page, layer)._asdict() for name, layer in page.layers.items()},
        "inputs": {name: inputs_entry(reading, name) for name in page.inputs if name in spaces},
        "claims": [claim_entry(reading, ledger) for ledger in ledgers],
        "verdict": verdict(ledgers),
    }
    for entry in found["layers"].values():
        entry["form"] = entry.pop("name")
    if variant:
        found["variant"] = {name: str(value) for name, value in variant.items()}
    return found


def inputs_entry(reading: Reading, name: str) -> dict[str, Any]:
    space = reading.space(name)
    entry = {"kind": space.kind, "cases": space.cases, "inputs": space.inputs}
    if any(category.inputs == name for category in reading.page.categories):
        entry["categories"] = reading.check_categories(name)
    return entry


def claim_entry(reading: Reading, ledger: Ledger) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": ledger.claim.id, "verdict": ledger.verdict, "cases": ledger.cases}
    if ledger.why is not None:
        return {**entry, "why": ledger.why}
    entry["lines"] = [line_entry(reading, ledger, line) for line in ledger.lines.values()]
    if ledger.first is not None:
        entry["first"] = {**at(ledger.first.place), **seen_entry(reading, ledger, ledger.first)}
        entry["failing"] = len(ledger.failing)
    return entry


def line_entry(reading: Reading, ledger: Ledger, line: Line) -> dict[str, Any]:
    entry: dict[str, Any] = {**at(line.place), "relation": line.relation, "made": line.made}
    if line.least is not None:
        slack, seen = line.least
        entry["least"] = {"slack": str(slack), **seen_entry(reading, ledger, seen)}
    if line.sign == RECOGNISES:
        entry["accepted"] = line.accepted
        for said, wrongly in line.wrongly.items():
            first = {} if wrongly.first is None else {"first": seen_entry(reading, ledger, wrongly.first)}
            entry[f"wrongly_{'accepted' if said else 'rejected'}"] = {"made": wrongly.many, **first}
    return entry


def seen_entry(reading: Reading, ledger: Ledger, seen: Seen) -> dict[str, Any]:
    letters = {"letters": {name: plain(value) for name, value in seen.letters.items()}} if seen.letters else {}
    return {
        "value": plain(seen.value),
        "bound": plain(seen.bound),
        **letters,
        "ranks": list(seen.ranks),
        "cases": shown(reading, ledger.claim.inputs, seen.ranks),
        **({"from": seen.side} if seen.side else {}),
    }


def at(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "column": place[1]}


def shown(reading: Reading, inputs: str | None, ranks: Ranks) -> list[Any]:
    return [] if inputs is None else [plain(reading.space(inputs).case(rank)) for rank in ranks]
