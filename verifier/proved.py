"""The third reading of a page: the checker that is proved in Coq, extracted to OCaml (proofs/coq/reader/program). It is
built by `make reader`, and nobody needs it: `verify check --proved` runs it where it is built, beside the checker."""

import json
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from verifier.language.page import read
from verifier.language.words import Refused
from verifier.language.write import write

PROGRAM = "verifier-reader"
TRUSTED = (
    "what remains trusted: Coq, which proved the checker of Tree.v and Core.v; its extraction; OCaml, Zarith and GMP; "
    "that results it keeps are found again (whole.ml); "
    "the reader's parser, whose trees, printed back, are the page in its one form"
)


# Of a relation: its place in the text, how often it was made, and where its slack is least.
RELATION = {"its line": "line", "its column": "column", "its text": "relation"}
RELATION |= {"how often it is made": "made", "where its slack is least": "least"}


class NotBuilt(Exception):
    """There is no such program here."""


class Disagreed(Exception):
    """It ended without an answer, or read another page: what it said."""


class Broken(Exception):
    """It found that what it kept isn't what it computes: a mistake of its own."""


class OverLimit(Exception):
    """It had not the time, or the room."""


def program() -> str:
    """The program: beside this Python, in a checkout's .venv, or on the PATH."""
    found = shutil.which(PROGRAM, path=str(Path(sys.executable).parent)) or shutil.which(PROGRAM)
    if found is None:
        raise NotBuilt("the reader that is proved isn't built here; in a checkout: make reader (OCaml, Zarith and Coq)")
    return found


def answer(text: str, sizes: dict[str, int], ids: list[str], seconds: float | None = None) -> dict[str, Any]:
    """What it finds of these claims; its reading of the text is compared with the page's one form."""
    command = [program(), "-", *(f"{name}={size}" for name, size in sizes.items()), "--", *ids]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise OverLimit(f"it had no answer within {seconds} seconds") from None
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())[:300]
        if done.returncode == 4 or done.returncode < 0:
            raise OverLimit(said or f"it ended by signal {-done.returncode}")
        raise (Broken if done.returncode == 70 else Disagreed)(said or f"it ended with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    for ours, its in zip_longest(write(read(text).page).split("\n"), found.pop("page").split("\n")):
        if ours != its:
            raise Disagreed(f"it reads the line {ours!a} as {its!a}")
    return found


class Compared(NamedTuple):
    """Of a certificate: where the reader finds something else, what is over a limit of its own, what it has no word
    for."""

    wrong: list[str]
    large: list[str]
    left: list[str]


def compared(certificate: dict[str, Any], found: dict[str, Any]) -> Compared:
    wrong: list[str] = []
    large: list[str] = []
    left: list[str] = []

    def equal(what: str, said: object, its: object) -> None:
        if said != its:
            wrong.append(f"{what} is {_brief(its)}, not {_brief(said)}")

    def nothing_found(what: str, its: dict[str, Any]) -> bool:
        """Whether it has no answer; noted where that belongs. A page that its meaning refuses has no certificate."""
        for key, those in (("refused", wrong), ("too_large", large), ("not_covered", left)):
            if why := its.get(key):
                those.append(f"{what}{' is refused' if those is wrong else ''} ({why})")
                return True
        return False

    for name, said in certificate.get("constants", {}).items():
        its = found["constants"].get(name, {"value": None})
        if not nothing_found(name, its):
            equal(name, said, its["value"])
    for name, inputs in certificate.get("inputs", {}).items():
        its = found["inputs"].get(name)
        if its is None:
            left.append(f"the numbers of cases and inputs of {name}")
            continue
        if nothing_found(f"the number of cases and inputs of {name}", its):
            continue
        if not its["each_in_one"] or not all(c.pop("as_said") for c in its["categories"].values()):
            wrong.append(f"the categories of {name} aren't as the page says")
        counts = {kind: its[kind] for kind in ("cases", "inputs")}
        equal(f"the number of cases of {name}", {kind: inputs[kind] for kind in counts}, counts)
        equal(f"the categories of {name}", inputs.get("categories", {}), its["categories"])
    for said, its in zip(certificate["claims"], found["claims"], strict=True):
        id_ = said["id"]
        if nothing_found(id_, its):
            continue
        equal(f"the verdict of {id_}", said["verdict"], its["verdict"])
        if its["verdict"] == "skipped":
            equal(f"{id_}, why it is skipped", [said.get("why"), said["cases"]], [its["why"], 0])
            continue
        equal(f"the number of cases of {id_}", said["cases"], its["cases"])
        equal(f"the number of relations of {id_}", len(said["lines"]), len(its["lines"]))
        for k, (line, found_line) in enumerate(zip(said["lines"], its["lines"], strict=False), 1):
            for what, key in RELATION.items():
                equal(f"{id_}, relation {k}, {what},", line.get(key), found_line.get(key))
        if any("accepted" in line for line in said["lines"]):
            left.append(f"what is counted of {id_}, accepted and wrongly accepted or rejected")
        equal(f"the first failure of {id_}", said.get("first"), its["first"])
        equal(f"how many cases of {id_} fail", said.get("failing", 0), its["failing"])
    return Compared(wrong, large, left)


def check(certificate: dict[str, Any], seconds: float | None = None) -> tuple[str, int]:
    """About a certificate of a page that the checker accepts: what the proved reader says of it, and the exit code."""
    if "variant" in certificate:
        return "the proved reader has no word for a variant", 5
    ids = [claim["id"] for claim in certificate["claims"]]
    try:
        found = answer(certificate["page"], certificate["sizes"], ids, seconds)
    except (Disagreed, Refused) as error:
        return f"the proved reader REJECTS it: {error}", 1
    except Broken as error:
        return f"the proved reader contradicts itself: {error}", 70
    except OverLimit as error:
        return f"the proved reader has no verdict: {error}", 4
    wrong, large, left = compared(certificate, found)
    if wrong:
        return f"the proved reader REJECTS it: {'; '.join(wrong)}", 1
    looked = (
        "verdicts, numbers of cases, how often each relation was made, first failures, least slacks and where they are"
    )
    said = f"{'it' if large else 'the proved reader'} finds the same {looked}"
    if left:
        said += f", but doesn't cover {'; '.join(left)}"
    if large:
        return f"the proved reader has no verdict of {'; '.join(large)}; of the rest {said}", 4
    return said, 5 if left else 0


def _brief(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) < 200 else f"{text[:190]} ..."
