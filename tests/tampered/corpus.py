"""Genuine certificates, each with one change: what falsehood it would buy, and where it must be caught.

No file of them is kept: the tests make each where it is needed. To have them as files to look at, each with its
reason: `PYTHONPATH=.:tests python -m tampered.corpus FOLDER`.
"""

import copy
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verifier.catalogue import choose
from verifier.certificate import canonical, certify
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify

GENUINE = {
    "holds": ((1, 2, 3), "grid,b5.ids-sentinel,b5.interval,b5.cat2-bound,lemma10,lemma6", {}),
    "refuted": ((1, 2, 3), "b5.first-shift,lemma10.injective,lemma6.3", {"sweep_factor": Q(2)}),
    "shards": ((1, 2, 70), "lemma6.3,lemma6.4", {}),
    "vacuous": ((1, 3, 2), "lemma6", {}),
    "skipped": ((1, 6, 2), "claim1", {}),
    "same-B": ((1, 2, 4), "lemma6.1,lemma6.3", {}),
}


@cache
def genuine(name: str) -> bytes:
    parts, claims, exchanged = GENUINE[name]
    return certify(verify(contextual_map(Instance(*parts), **exchanged), choose(claims.split(","))))


@dataclass(frozen=True)
class Tampered:
    name: str
    folder: str
    base: str
    change: Callable
    buys: str  # the falsehood that a checker would believe
    says: str  # what the checker must say of it: the place, or the reason

    def bytes(self) -> bytes:
        if self.folder == "rejected":
            document = copy.deepcopy(json.loads(genuine(self.base)))
            self.change(document)
            return canonical(document)
        return self.change(genuine(self.base))

    def written(self, folder: Path) -> Path:
        """The file of it, in a folder, with its reason beside it."""
        path = folder / self.folder / f"{self.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())
        path.with_suffix(".reason").write_text(f"genuine: {self.base}\nbuys: {self.buys}\nsays: {self.says}\n")
        return path

    def __str__(self) -> str:
        return f"{self.folder}/{self.name}"


def claim(document, id_):
    return next(claim for claim in document["claims"] if claim["id"] == id_)


def index(document, id_):
    return [claim["id"] for claim in document["claims"]].index(id_)


def both_tight(document, id_, edge, **changes):
    """Changes an edge, and the tightest case with it where that is the same."""
    for tight in claim(document, id_)["edges"]:
        if tight["relation"].endswith(edge):
            same = claim(document, id_)["tightest"] == tight
            tight.update(changes)
            if same:
                claim(document, id_)["tightest"].update(changes)


def move_an_orbit(document):
    for coverage in (document["coverage"], document["shards"][0]["coverage"]):
        coverage["category1"]["orbits"] -= 1
        coverage["category2"]["orbits"] += 1


def hide_the_variant(document):
    del document["variant"]
    document["statement"] = json.loads(genuine("holds"))["statement"]


def lie_consistently(document):
    """A larger slack at lemma6.3, in the claim and in its shard alike."""
    both_tight(document, "lemma6.3", ">= t_l", slack="99", value="153")
    document["shards"][0]["claims"]["lemma6.3"]["edges"]["q_j >= t_l"]["slack"] = "99"


def refutation_declared_a_proof(document):
    entry = claim(document, "b5.first-shift")
    del entry["counterexample"]
    entry["verdict"] = "holds"
    for shard in document["shards"]:
        del shard["claims"]["b5.first-shift"]["failing"], shard["claims"]["b5.first-shift"]["first"]


def set_instance(**parts):
    def change(document):
        document["instance"].update(parts)
        document["statement"] = document["statement"].replace("d = 1", f"d = {document['instance']['d']}")
        document["statement"] = document["statement"].replace("N = 4", f"N = {document['instance']['N']}")

    return change


def later_counterexample(document):
    claim(document, "b5.first-shift")["counterexample"].update(matrix=[["0", "2/3"]], value="4/3", bound="2")


def no_counterexample(document):
    claim(document, "b5.first-shift")["counterexample"].update(value="1")


def to(path, value):
    """A change that puts a value at a path of keys and indices."""

    def change(document):
        *way, last = path
        for step in way:
            document = document[step] if not (isinstance(step, str) and "#" in step) else claim(document, step[1:])
        if callable(value):
            document[last] = value(document[last])
        else:
            document[last] = value

    return change


def of_claim(id_, *path):
    def put(value):
        def change(document):
            to(path, value)(claim(document, id_))

        return change

    return put


REJECTED = [
    (
        "an-id-altered",
        "holds",
        of_claim("lemma6.3", "edges", 0, "matrix")([["0", "1/3"]]),
        "the tightest case stands at another matrix than it does",
        "claims[{lemma6.3}].edges[0].matrix",
    ),
    (
        "a-shard-dropped",
        "shards",
        lambda c: c["shards"].pop(),
        "all of G+ was covered, though the last shard was never run",
        "shards",
    ),
    (
        "shards-overlap",
        "shards",
        to(("shards", 1, "start"), lambda v: v - 1),
        "an orbit counted twice makes up for one that was left out",
        "shards[1].start",
    ),
    (
        "shards-with-a-gap",
        "shards",
        to(("shards", 0, "stop"), lambda v: v - 1),
        "the orbit between two shards was checked",
        "shards[0].stop",
    ),
    (
        "an-orbit-in-another-category",
        "holds",
        move_an_orbit,
        "a context of Category 1 need not be told apart, for it is said to be of Category 2",
        "coverage.category1.orbits",
    ),
    (
        "more-matrices-than-there-are",
        "holds",
        to(("coverage", "total", "matrices"), 17),
        "more was covered than G+ holds",
        "coverage.total.matrices",
    ),
    (
        "an-extreme-that-is-none",
        "holds",
        lambda c: both_tight(c, "lemma10.lower", "lemma10.lower", slack="3", value="5", matrix=[["0", "2/3"]]),
        "the lower bound is looser than it is",
        "claims[{lemma10.lower}].edges[0]",
    ),
    (
        "a-slack-too-small",
        "holds",
        of_claim("lemma10.upper", "tightest", "slack")("-1"),
        "a bound that holds is violated",
        "claims[{lemma10.upper}].tightest.slack",
    ),
    (
        "a-witness-of-another-category",
        "holds",
        lambda c: both_tight(c, "lemma6.3", ">= t_l", matrix=[["1/3", "1/3"]]),
        "a matrix with equal columns is in [t_l, t_r)",
        "claims[{lemma6.3}].edges",
    ),
    (
        "the-second-of-a-pair-altered",
        "holds",
        of_claim("lemma6.2", "edges", 0, "other")([["0", "2/3"]]),
        "two other contexts are the nearest",
        "claims[{lemma6.2}].edges[0].other",
    ),
    (
        "not-the-first-of-equals",
        "holds",
        of_claim("grid.order", "edges", 0, "matrix")([["1/3"]]),
        "the first witness is a later one",
        "claims[{grid.order}].edges[0].matrix",
    ),
    (
        "an-edge-left-out",
        "holds",
        lambda c: claim(c, "lemma6.3")["edges"].pop(),
        "the edge t_l was never compared",
        "claims[{lemma6.3}].edges",
    ),
    (
        "the-looser-edge-called-tightest",
        "holds",
        lambda c: claim(c, "lemma6.3").update(tightest=max(claim(c, "lemma6.3")["edges"], key=lambda e: e["relation"])),
        "the margin is larger than it is",
        "claims[{lemma6.3}].tightest",
    ),
    (
        "a-relation-made-strict",
        "holds",
        lambda c: both_tight(c, "lemma10.lower", "lemma10.lower", relation="l~_n > lemma10.lower"),
        "a stronger claim than was checked",
        "claims[{lemma10.lower}].edges[0].relation",
    ),
    (
        "a-counterexample-that-is-none",
        "refuted",
        no_counterexample,
        "a relation that holds refutes the claim",
        "claims[{b5.first-shift}].counterexample.value",
    ),
    (
        "a-later-counterexample",
        "refuted",
        later_counterexample,
        "the smallest counterexample is a larger one",
        "claims[{b5.first-shift}].counterexample",
    ),
    (
        "fewer-failures",
        "refuted",
        of_claim("b5.first-shift", "counterexample", "failing")(1),
        "the claim fails at one matrix only",
        "claims[{b5.first-shift}].counterexample.failing",
    ),
    ("holds-over-a-refuted-claim", "refuted", to(("verdict",), "holds"), "everything holds", "verdict"),
    ("a-refutation-declared-a-proof", "refuted", refutation_declared_a_proof, "the claim holds", "shards[0].claims"),
    (
        "a-refuted-claim-holds",
        "refuted",
        of_claim("lemma6.3", "verdict")("holds"),
        "Property 3 holds with another factor",
        "claims[{lemma6.3}]",
    ),
    ("the-variant-hidden", "refuted", hide_the_variant, "the paper's own construction is refuted", "shards[0]"),
    (
        "a-claim-left-out",
        "holds",
        lambda c: c["claims"].pop(index(c, "lemma6.4")),
        "the claims that are listed are all that were run",
        "shards[0].claims",
    ),
    (
        "claims-out-of-order",
        "holds",
        lambda c: c["claims"].reverse(),
        "nothing; but the same content has one form",
        "claims",
    ),
    ("a-claim-listed-twice", "holds", lambda c: c["claims"].append(c["claims"][-1]), "one claim is two", "claims"),
    (
        "another-instance-of-the-same-B",
        "same-B",
        set_instance(d=2, N=2),
        "(2, 2, 2) was checked, though it was (1, 2, 4), whose Categories 1 and 2 are the same",
        "",
    ),
    ("another-N", "holds", to(("instance", "N"), 4), "a larger grid was checked", ""),
    (
        "bounds-exchanged",
        "holds",
        lambda c: c["constants"].update(
            {"lemma10.lower": c["constants"]["lemma10.upper"], "lemma10.upper": c["constants"]["lemma10.lower"]}
        ),
        "Lemma 10's bounds are the other way round",
        "constants.lemma10.lower",
    ),
    (
        "thresholds-exchanged",
        "holds",
        lambda c: c["constants"].update(t_l=c["constants"]["t_r"], t_r=c["constants"]["t_l"]),
        "[t_l, t_r) is empty",
        "constants.t_l",
    ),
    ("another-delta", "holds", to(("constants", "delta"), "1/2"), "the grid is coarser", "constants.delta"),
    (
        "a-digest-altered",
        "holds",
        to(("shards", 0, "digest"), lambda v: str(int(v) + 1)),
        "nothing; but the file is damaged, or its values are others",
        "shards[0].digest",
    ),
    (
        "a-lie-with-fitting-shards",
        "holds",
        lie_consistently,
        "the margin at t_l is ten times what it is, in claim and shard alike",
        "q_j >= t_l",
    ),
    (
        "more-cases-than-there-are",
        "holds",
        of_claim("lemma6.1", "cases")(4),
        "more contexts were checked",
        "claims[{lemma6.1}].cases",
    ),
    (
        "cases-inflated-in-the-shard",
        "holds",
        to(("shards", 0, "claims", "lemma6.1", "cases"), 4),
        "more contexts were checked",
        "shards[0].claims",
    ),
    (
        "a-vacuous-claim-holds",
        "vacuous",
        of_claim("lemma6.1", "verdict")("holds"),
        "something was checked where no case exists",
        "claims[{lemma6.1}].verdict",
    ),
    (
        "a-claim-that-holds-called-vacuous",
        "holds",
        of_claim("lemma6.layers", "verdict")("vacuous"),
        "nothing is known, though it is",
        "claims[{lemma6.layers}].verdict",
    ),
    (
        "a-skipped-claim-holds",
        "skipped",
        of_claim("claim1.attention", "verdict")("holds"),
        "claim 1 was checked at n = 6",
        "claims[{claim1.attention}].verdict",
    ),
    ("incomplete-called-holds", "skipped", to(("verdict",), "holds"), "everything was established", "verdict"),
    (
        "a-larger-statement",
        "holds",
        to(("statement",), lambda s: s.replace("At d = 1", "For every d")),
        "the claims hold for every d",
        "statement",
    ),
    (
        "a-claim-s-statement-altered",
        "holds",
        of_claim("lemma6.3", "statement")(lambda s: s.replace("[t_l, t_r)", "(t_l, t_r)")),
        "another property than the one that was checked",
        "claims[{lemma6.3}].statement",
    ),
    (
        "nothing-left-uncovered",
        "holds",
        to(("not_covered",), []),
        "the certificate speaks of every (d, n, N)",
        "not_covered",
    ),
    (
        "cases-without-a-reason",
        "vacuous",
        of_claim("lemma6.1", "why")("every case was checked"),
        "vacuous means checked",
        "claims[{lemma6.1}].why",
    ),
    ("n-is-1", "holds", to(("instance", "n"), 1), "an instance that the paper excludes", "instance.n"),
    (
        "a-variant-that-is-none",
        "holds",
        lambda c: c.update(variant={"sweep_factor": "3"}),
        "the paper's construction is called a variant",
        "variant.sweep_factor",
    ),
]


def text(old, new, count=1):
    """A change of the text itself."""

    def change(data):
        if old.encode() not in data:
            raise ValueError(f"{old!r} is not in the certificate")
        return data.replace(old.encode(), new.encode() if isinstance(new, str) else new, count)

    return change


NUMBER = '"delta": "1/3"'
COUNT = '"orbits": 10'

UNREADABLE = [
    ("not-in-lowest-terms", text(NUMBER, '"delta": "2/6"'), "two writings of a number are two numbers", "lowest terms"),
    ("denominator-1", text('"t_l": "54"', '"t_l": "54/1"'), "two writings of a number are two numbers", "t_l"),
    ("minus-zero", text('"bound": "0"', '"bound": "-0"'), "two writings of a number are two numbers", "bound"),
    ("denominator-0", text('"t_l": "54"', '"t_l": "1/0"'), "an infinite bound, that every value is below", "t_l"),
    ("a-decimal", text(NUMBER, '"delta": "0.5"'), "a rounded number", "delta"),
    ("an-exponent", text('"t_l": "54"', '"t_l": "1e3"'), "a number that others read as another", "t_l"),
    ("a-plus", text('"t_l": "54"', '"t_l": "+54"'), "two writings of a number are two numbers", "t_l"),
    ("a-leading-zero", text('"t_l": "54"', '"t_l": "054"'), "two writings of a number are two numbers", "t_l"),
    ("an-underscore", text('"t_l": "54"', '"t_l": "5_4"'), "what Fraction() would read", "t_l"),
    ("a-blank", text('"t_l": "54"', '"t_l": " 54"'), "what Fraction() would read", "t_l"),
    ("digits-of-another-script", text('"t_l": "54"', '"t_l": "٥٤"'), "what Fraction() would read", "t_l"),
    ("a-rational-that-is-a-number", text('"t_l": "54"', '"t_l": 54'), "a number that JSON readers round", "t_l"),
    ("a-float", text(COUNT, '"orbits": 10.0'), "a number that JSON readers round", ""),
    ("a-count-with-an-exponent", text(COUNT, '"orbits": 1e1'), "a number that JSON readers round", ""),
    ("a-count-that-is-a-string", text(COUNT, '"orbits": "10"'), "a count that isn't compared as one", "orbits"),
    ("a-count-that-is-true", text('"start": 0', '"start": false'), "False == 0", "start"),
    ("a-negative-count", text(COUNT, '"orbits": -10'), "less than nothing", "orbits"),
    ("a-count-of-5000-digits", text(COUNT, f'"orbits": {"9" * 5000}'), "a crash instead of a verdict", "digits"),
    ("not-a-number", text(COUNT, '"orbits": NaN'), "NaN compares with nothing", "NaN"),
    ("infinity", text(COUNT, '"orbits": Infinity'), "more than everything", "Infinity"),
    (
        "a-key-twice",
        text('"verdict": "holds"\n}', '"verdict": "refuted",\n "verdict": "holds"\n}'),
        "some readers see the first verdict, some the last",
        "verdict",
    ),
    (
        "an-unknown-member",
        text('"verdict": "holds"\n}', '"verdict": "holds",\n "verified": "for all N"\n}'),
        "words that nobody checks",
        "verified",
    ),
    ("a-member-missing", text(' "not_covered":', ' "was_covered":'), "what wasn't covered is not said", "covered"),
    ("another-version", text("certificate/1", "certificate/3"), "a format with other rules", "format"),
    ("an-unknown-claim", text('"id": "lemma6.1"', '"id": "lemma6.5"'), "a claim that nobody knows", "lemma6.5"),
    ("trailing-bytes", lambda data: data + b"{}", "a second document that nobody reads", ""),
    ("a-byte-order-mark", lambda data: b"\xef\xbb\xbf" + data, "nothing; but one form is enough", ""),
    ("invalid-utf-8", text("every other", b"every \xff other"), "text that readers decode differently", "UTF-8"),
    ("a-lone-surrogate", text("every other (d, n, N)", "\\ud800"), "text that can't be written out", ""),
    ("a-nesting-bomb", lambda _: b"[" * 100_000 + b"]" * 100_000, "a crash instead of a verdict", ""),
    (
        "nesting-in-a-value",
        text('"value": "64"', f'"value": {"[" * 40}"64"{"]" * 40}'),
        "a crash instead of a verdict",
        "",
    ),
    (
        "an-empty-variant",
        text('"verdict": "holds"\n}', '"variant": {},\n "verdict": "holds"\n}'),
        "a variant of nothing",
        "variant",
    ),
    ("cut-short", lambda data: data[: len(data) // 2], "half of a certificate is one", ""),
    ("empty", lambda _: b"", "nothing was claimed, and nothing is wrong", ""),
]

NEVER_CRASH = [
    ("null", lambda _: b"null"),
    ("a-list", lambda _: b"[]"),
    ("a-number", lambda _: b"7"),
    ("an-empty-object", lambda _: b"{}"),
    ("a-zero-byte", lambda data: data[:100] + b"\0" + data[100:]),
    ("claims-is-an-object", text('"claims": [', '"claims": {"a": [', 1)),
    ("claims-is-empty", lambda data: canonical(json.loads(data) | {"claims": []})),
    ("claims-of-null", lambda data: canonical(json.loads(data) | {"claims": [None]})),
    ("shards-is-empty", lambda data: canonical(json.loads(data) | {"shards": []})),
    ("shards-of-lists", lambda data: canonical(json.loads(data) | {"shards": [[]]})),
    ("a-ragged-matrix", text('"0",\n      "1/3"', '"0"', 1)),
    ("a-matrix-of-nothing", lambda data: canonical(_with_matrix(data, []))),
    ("a-matrix-of-empty-rows", lambda data: canonical(_with_matrix(data, [[]]))),
    ("a-huge-N", text('"N": 3', f'"N": {"9" * 3000}')),
    ("a-huge-n", text('"n": 2', f'"n": {"9" * 3000}')),
    ("a-huge-d", text('"d": 1', f'"d": {"9" * 3000}')),
    ("everything-huge", lambda data: canonical(json.loads(data) | {"instance": dict.fromkeys("dnN", 10**999)})),
    ("a-large-instance", text('"N": 3', '"N": 1000000')),
    ("a-string-of-100-kilobytes", text("every other (d, n, N)", "x" * 100_000)),
    ("a-rational-of-100-kilobytes", text('"t_l": "54"', f'"t_l": "{"9" * 100_000}"')),
    ("an-escape-cut-short", text("every other (d, n, N)", "\\u12")),
    ("a-claim-id-that-is-a-list", text('"id": "lemma6.1"', '"id": ["lemma6.1"]')),
    ("a-rank-out-of-range", text('"rank": 5', '"rank": 5000000')),
]


def _with_matrix(data, matrix):
    document = json.loads(data)
    claim(document, "lemma6.3")["tightest"]["matrix"] = matrix
    return document


def _places(base, says):
    document = json.loads(genuine(base))
    for k, entry in enumerate(document["claims"]):
        says = says.replace(f"{{{entry['id']}}}", str(k))
    return says


@cache
def corpus() -> tuple[Tampered, ...]:
    rejected = [
        Tampered(name, "rejected", base, change, buys, _places(base, says))
        for name, base, change, buys, says in REJECTED
    ]
    unreadable = [Tampered(name, "unreadable", "holds", change, buys, says) for name, change, buys, says in UNREADABLE]
    never_crash = [
        Tampered(name, "never-crash", "holds", change, "a crash, or a hang, instead of a verdict", "")
        for name, change in NEVER_CRASH
    ]
    return (*rejected, *unreadable, *never_crash)


def named(name: str) -> Tampered:
    return next(tampered for tampered in corpus() if tampered.name == name)


if __name__ == "__main__":
    for each in corpus():
        each.written(Path(sys.argv[1]))
