"""Compares a verifier's answers with the truth; each wrong answer comes with the evidence that it is wrong."""

import csv
import io
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from verifier.bench.write import FORMAT
from verifier.core.exact import shown
from verifier.files import Unreadable, read, read_regular

KINDS = ("onnx", "vnnlib", "vnnlib_2")  # of files
DEFINITE = {"sat": "sat", "violated": "sat", "unsat": "unsat", "holds": "unsat"}
UNDECIDED = ("unknown", "timeout", "error", "run_instance_timeout", "no_result_in_file", "prepare_instance_error_1", "")


class BadAnswers(ValueError):
    """The answers, or the folder of queries, can't be read; nothing was scored."""


@dataclass(frozen=True)
class Wrong:
    """A wrong answer, and its query."""

    answer: str
    query: dict[str, Any]

    @property
    def words(self) -> str:
        query = self.query
        head = f"{query['vnnlib']} ({query['onnx']}): {self.answer}, but it is {query['answer']}: "
        if query["answer"] == "unsat":
            return (
                f"{head}{query['relation']} fails in all of the box, by at least {query['margin']} ({query['proof']})"
            )
        witness = query["witness"]
        X, Y = ("; ".join(", ".join(row) for row in witness[name]) for name in "XY")
        about = f" up to {witness['Y_within']}" if "Y_within" in witness else ""
        near = f"; so it is at all points of the box within {witness['within']} of X" if "within" in witness else ""
        return f"{head}{query['relation']} is true at X = [{X}], where Y = [{Y}]{about}{near}"


@dataclass(frozen=True)
class Score:
    right: int
    wrong: list[Wrong]
    undecided: int
    unanswered: int


def as_written(query: dict[str, Any]) -> bool:
    """Whether `verify bench` could have written this: the texts that are there, and the evidence of its answer."""
    texts = [
        query[name] for name in ("relation", "margin", *(f"{kind}{end}" for kind in KINDS for end in ("", "_sha256")))
    ]
    if query["answer"] == "sat":
        witness = query["witness"]
        texts += [x for name in "XY" for row in witness[name] for x in row]
        texts += [witness[name] for name in ("Y_within", "within") if name in witness]
        matrices = [part for name in "XY" for part in (witness[name], *witness[name])]
        return all(type(part) is list for part in matrices) and all(map(printable, texts))
    return query["answer"] == "unsat" and all(map(printable, [*texts, query["proof"]]))


def printable(text: Any) -> bool:
    return type(text) is str and text.isascii() and text.isprintable()


def truth_of(folder: Path) -> list[dict[str, Any]]:
    """The queries of a folder, after its files have been compared with those that truth.json describes."""
    try:
        said = json.loads(read(folder / "truth.json"))
        queries: list[dict[str, Any]] = said["queries"]
        known = said["format"] == FORMAT and all(map(as_written, queries))
    except (Unreadable, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadAnswers(
            f"truth.json: {error if isinstance(error, Unreadable) else 'not as `verify bench` writes it'}"
        ) from error
    if not known or not queries:
        raise BadAnswers(f"truth.json is not {FORMAT}, or has no queries")
    digests = {query[kind]: query[f"{kind}_sha256"] for query in queries for kind in KINDS}
    for name, digest in digests.items():
        try:
            data = read_regular(folder / name)
        except (OSError, ValueError) as error:
            raise BadAnswers(f"{name}: {getattr(error, 'strerror', None) or error}") from error
        if sha256(data).hexdigest() != digest:
            raise BadAnswers(f"{name} is not the file that truth.json is about")
    return queries


def answers_of(text: str, queries: list[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """The answer for each network and query. A line may have fields before, between and after those three."""
    known = {(Path(query["onnx"]).name, Path(query["vnnlib"]).name) for query in queries}
    answers: dict[tuple[str, str], str] = {}
    try:
        lines = list(csv.reader(io.StringIO(text)))
    except csv.Error as error:
        raise BadAnswers(f"it is no CSV: {error}") from error
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line]
        names = [Path(next((f for f in fields if f.endswith(end)), "")).name for end in (".onnx", ".vnnlib")]
        if not any(fields) or (number == 1 and not any(names)):  # nothing, or a head
            continue
        key = (names[0], names[1])
        if key not in known:
            raise BadAnswers(f"line {number}: {shown(','.join(fields))} names no network and query of this folder")
        words = [field.lower() for field in fields if field.lower() in DEFINITE or field.lower() in UNDECIDED]
        if len(set(words) - {""}) > 1:
            raise BadAnswers(f"line {number}: two answers, {words[0]} and {words[1]}")
        if key in answers:
            raise BadAnswers(f"line {number}: a second answer to {names[1]}")
        answers[key] = next((DEFINITE.get(word, word) for word in words), "")
    if not answers:
        raise BadAnswers("no answer is in it; a line has a network, a query and an answer")
    return answers


def score(text: str, folder: Path) -> Score:
    queries = truth_of(folder)
    answers = answers_of(text, queries)
    given = [(answers.get((Path(query["onnx"]).name, Path(query["vnnlib"]).name)), query) for query in queries]
    definite = [(answer, query) for answer, query in given if answer in ("sat", "unsat")]
    wrong = [Wrong(answer, query) for answer, query in definite if answer != query["answer"]]
    undecided = sum(answer is not None and answer not in ("sat", "unsat") for answer, _ in given)
    return Score(len(definite) - len(wrong), wrong, undecided, sum(answer is None for answer, _ in given))
