"""The certificate of a page, as proofs/FORMAT.md has it: the same bytes whoever runs it."""

import json
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.definition import Reading
from verifier.evaluate.entries import entry
from verifier.evaluate.ledger import Ledger, Relation, verdict
from verifier.evaluate.values import plain
from verifier.files import MOST_BYTES
from verifier.language.form import form
from verifier.language.words import TooLarge

FORMAT = "verifier.certificate/2"


def canonical(data: Any) -> bytes:
    """The bytes of a certificate; what no checker would read is none."""
    encoded = (json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False, separators=(",", ": ")) + "\n").encode()
    if len(encoded) > MOST_BYTES:
        raise TooLarge(
            (0, 0),
            f"the certificate would have {len(encoded):,} bytes, and at most {MOST_BYTES:,} are read: the cases that it"
            " names are too long; take smaller sizes, or fewer claims",
        )
    return encoded


def content(reading: Reading, ledgers: list[Ledger], variant: dict[str, mpq]) -> dict[str, Any]:
    page = reading.page
    spaces = {ledger.claim.inputs for ledger in ledgers if ledger.why is None and ledger.claim.inputs is not None}
    content: dict[str, Any] = {
        "format": FORMAT,
        "page": page.text,
        "sizes": {name: int(size.numerator) for name, size in reading.sizes.items()},
        "constants": {name: str(value) for name, value in reading.named.items()},
        "layers": {name: form(page, layer)._asdict() for name, layer in page.layers.items()},
        "inputs": {name: inputs_entry(reading, name) for name in page.inputs if name in spaces},
        "claims": [claim_entry(reading, ledger) for ledger in ledgers],
        "verdict": verdict(ledgers),
    }
    for layer in content["layers"].values():
        layer["form"] = layer.pop("name")
    if variant:
        content["variant"] = {name: str(value) for name, value in variant.items()}
    return content


def inputs_entry(reading: Reading, name: str) -> dict[str, Any]:
    space = reading.space(name)
    about = {"kind": space.kind, "cases": space.cases, "inputs": space.inputs}
    if any(category.inputs == name for category in reading.page.categories):
        about["categories"] = reading.check_categories(name)
    return about


def claim_entry(reading: Reading, ledger: Ledger) -> dict[str, Any]:
    """As it was counted, with places in the text, and the cases themselves beside their ranks."""

    def cases(relation: Relation) -> dict[str, Any]:
        if ledger.claim.inputs is None:
            return {"cases": []}
        space = reading.space(ledger.claim.inputs)
        return {"cases": [plain(space.case(rank)) for rank in relation.ranks]}

    return entry(ledger, lambda place: {"line": place[0], "column": place[1]}, cases)
