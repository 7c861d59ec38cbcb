"""Files made to take the checker's time and memory: each is answered within 60 s of processor time and 1 GB."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torture.case import CHECKER, ROOT, Case, Kind, insist, limited, measured, no_crash, surroundings, truth

MOST = 16 * 2**20  # bytes of a file that is read at all
SECONDS, MEGABYTES = 60, 1000


def genuine() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(truth(1, 2, 3))
    return found


def with_(**changed: Any) -> bytes:
    return json.dumps(genuine() | changed, separators=(",", ":")).encode()


def header(d: int, n: int, N: int, claim: str) -> Callable[[random.Random], bytes]:
    """A certificate of that size, with the right constants, coverage and stretches, and one claim."""

    def made(_: random.Random) -> bytes:
        from math import comb, factorial

        from verifier.checker.core.ledger import rational
        from verifier.checker.core.share import plan
        from verifier.checker.papers.yun2020.model import paper
        from verifier.checker.papers.yun2020.paper import statement_of, unit_of
        from verifier.checker.papers.yun2020.statements import STATEMENTS

        m = paper(d, n, N)
        numbers = {"delta": 1, "t_l": m.t_l, "t_r": m.t_r, "lemma10.lower": m.lower, "lemma10.upper": m.upper}
        sizes = {name: {"matrices": a, "orbits": b} for name, (a, b) in m.sizes().items()}
        blank = {name: {"matrices": 0, "orbits": 0} for name in sizes}
        shards = [
            {"start": a, "stop": b, "coverage": sizes if a == 0 else blank, "digest": "0", "claims": {}}
            for a, b in plan(m.orbit_count)
        ]
        stands = {"id": claim, "statement": STATEMENTS[claim], "verdict": "holds", "cases": sizes["total"]["orbits"]}
        document = {
            "format": "verifier.certificate/1", "instance": {"d": d, "n": n, "N": N},
            "statement": statement_of(m, over_orbits=True),
            "constants": {name: rational(value, m.N) for name, value in numbers.items()}, "coverage": sizes,
            "claims": [stands], "shards": shards, "verdict": "holds",
            "not_covered": ["every other (d, n, N)", "every claim that is not listed"],
        }  # fmt: skip
        _ = (comb, factorial, unit_of)
        return json.dumps(document).encode()

    return made


def filled(piece: bytes, begin: bytes = b"[", end: bytes = b"]", separator: bytes = b",") -> bytes:
    """As many of these as a file may hold."""
    count = (MOST - len(begin) - len(end)) // (len(piece) + len(separator))
    return begin + separator.join([piece] * count) + end


def member(name: str, piece: bytes) -> Callable[[random.Random], bytes]:
    """A certificate of which one member is a list of a great many pieces."""

    def made(_: random.Random) -> bytes:
        document = genuine()
        document[name] = "HERE"
        before, after = json.dumps(document).encode().split(b'"HERE"')
        return filled(piece, before + b"[", b"]" + after)

    return made


def claim_with(name: str, value: Callable[[random.Random], Any]) -> Callable[[random.Random], bytes]:
    def made(rng: random.Random) -> bytes:
        document = genuine()
        found = next(claim for claim in document["claims"] if "tightest" in claim)
        (found if name in found else found["tightest"])[name] = value(rng)
        return json.dumps(document).encode()

    return made


def keys(pattern: str, value: str) -> Callable[[random.Random], bytes]:
    def made(_: random.Random) -> bytes:
        out, k = bytearray(b"{"), 0
        while len(out) < MOST - 200:
            out += f'"{pattern.format(k)}":{value},'.encode()
            k += 1
        return bytes(out[:-1]) + b"}"

    return made


def edges_of_a_shard(_: random.Random) -> bytes:
    document = genuine()
    claim = next(claim for claim in document["shards"][0]["claims"].values() if claim.get("edges"))
    claim["edges"] = {f"an edge {k}": {"slack": f"{k}/7" if k % 7 else str(k), "rank": k % 10} for k in range(250_000)}
    return json.dumps(document, separators=(",", ":")).encode()


def a_sum(terms: int, atoms: int, coefficient: str = "1") -> Callable[[random.Random], bytes]:
    """A symbolic proof with a sum of so many terms, each a product of so many atoms."""

    def made(rng: random.Random) -> bytes:
        document = json.loads((ROOT / "proofs/symbolic/n2.json").read_bytes())
        step = next(o for fact in document["facts"] for o in fact["obligations"] if o["sum"] not in ("0", ""))
        names = ["z", "w", "x", "a", "g", "s", "B", "N"]
        words, size = [], 0
        for _ in range(terms):
            word = "*".join([coefficient, *(rng.choice(names) for _ in range(atoms))])
            size += len(word) + 3
            if size > MOST - (2 << 20):
                break
            words.append(word)
        step["sum"] = " + ".join(words)
        return json.dumps(document).encode()

    return made


def replacements(count: int) -> Callable[[random.Random], bytes]:
    def made(_: random.Random) -> bytes:
        document = json.loads((ROOT / "proofs/symbolic/n2.json").read_bytes())
        step = next(o for fact in document["facts"] for o in fact["obligations"] if o["replace"])
        step["replace"] = step["replace"] * count
        return json.dumps(document).encode()

    return made


def digits(count: int) -> str:
    return "7" * count


SHAPES: dict[str, Callable[[random.Random], bytes]] = {
    "16 MiB of brackets": lambda _: b"[" * MOST,
    "16 MiB of an object in an object": lambda _: b'{"a":' * (MOST // 5),
    "a million columns and the value map": header(6, 2, 9, "lemma7.map"),
    "(1, 2, 3000) and the value map": header(1, 2, 3000, "lemma7.map"),
    "millions of empty strings": member("not_covered", b'""'),
    "millions of empty lists": member("not_covered", b"[]"),
    "millions of empty objects": member("claims", b"{}"),
    "millions of numbers": member("shards", b"0"),
    "millions of shards that are nothing": member("shards", b"null"),
    "a bare list of empty strings": lambda _: filled(b'""'),
    "a bare list of ones": lambda _: filled(b"1"),
    "a bare list of lists of lists": lambda _: filled(b"[[[]]]"),
    "millions of keys": keys("{}", "0"),
    "millions of long keys": keys("a name of some length {}", '""'),
    "a key of 15 MB": lambda _: b'{"' + b"a" * (15 << 20) + b'":1}',
    "a text of 15 MB": lambda _: with_(statement="a" * (15 << 20)),
    "a text of escapes": lambda _: with_(statement="HERE").replace(b"HERE", rb"\u0041" * (2 << 20)),
    "a verdict of 15 MB": lambda _: with_(verdict="a" * (15 << 20)),
    "a number of 15 million digits": lambda _: with_(instance={"d": 1, "n": 2, "N": 3}).replace(
        b'"N":3', b'"N":' + b"7" * (15 << 20)
    ),
    "thousands of numbers of 4,000 digits": member("shards", b"7" * 4000),
    "a rational of millions of digits": claim_with("slack", lambda _: digits(15 << 20)),
    "rationals of 4,000 digits": member("claims", b'"' + b"7" * 1999 + b"/" + b"3" * 1999 + b'"'),
    "a quarter of a million edges": edges_of_a_shard,
    "a matrix of millions of rows": claim_with("matrix", lambda _: [[]] * 4_000_000),
    "a matrix of a million zeros": claim_with("matrix", lambda _: [["0"] * 3_000_000]),
    "a value nested in lists": claim_with("value", lambda _: [["0"] * 1000] * 3000),
    "huge instance": lambda _: with_(instance={"d": int(digits(3999)), "n": int(digits(3999)), "N": int(digits(3999))}),
    "an instance of many columns": header(1, 2, 40_000, "lemma6.3"),
    "an instance of many tokens": header(1, 900, 2, "lemma6.3"),
    "(1, 2, 2000), in full": header(1, 2, 2000, "lemma6.4"),
    "(1, 3, 200), pairs": header(1, 3, 200, "lemma6.2"),
    "(1, 2, 1400), Prop. 4": header(1, 2, 1400, "prop4.network"),
    "60,000 terms of 50 atoms": a_sum(60_000, 50),
    "a million terms of 2 atoms": a_sum(1_000_000, 2),
    "2 terms of 60,000 atoms": a_sum(2, 60_000),
    "terms with coefficients of 3,900 digits": a_sum(3000, 3, "7" * 3900),
    "100,000 replacements": replacements(100_000),
    "99 replacements": replacements(99),
    "nothing": lambda _: b"",
    "a newline 16 million times": lambda _: b"\n" * MOST,
    "quotes and backslashes": lambda _: b'"' + b"\\" * (MOST - 2),
    "random bytes": lambda rng: rng.randbytes(MOST),
    "one byte too many": lambda _: b" " * (MOST + 1),
}
QUICK = (
    "16 MiB of brackets", "(1, 2, 3000) and the value map", "millions of empty strings", "60,000 terms of 50 atoms",
    "a key of 15 MB", "a rational of millions of digits",
)  # fmt: skip
STILL_TRUE = ("99 replacements",)  # of what is replaced already: a proof that is longer, and as good
ORDER = [*QUICK, *(name for name in SHAPES if name not in QUICK)]


def draw(rng: random.Random, number: int) -> Case:
    """Each shape once; then each in an address space that is smaller than the checker's own bound."""
    name = ORDER[number % len(ORDER)]
    most = rng.randrange(100, 900) if number >= len(ORDER) else None
    words = f"{name}{f', ulimit -v {most} MB' if most else ''}"
    return Case(words, lambda folder: attacked(folder, name, rng, most))


def attacked(folder: Path, name: str, rng: random.Random, most: int | None) -> str:
    (folder / "c.json").write_bytes(SHAPES[name](rng)[: MOST + 1])
    begin = limited(AS=most << 20) if most else limited()
    end = measured([*CHECKER, "c.json"], folder, env=surroundings(folder), preexec_fn=begin)
    (folder / "c.json").unlink()
    no_crash(end, (0, 1, 2, 4) if name in STILL_TRUE else (1, 2, 4))
    insist(end.seconds <= SECONDS, f"{end.seconds:.0f} s of processor time", end)
    insist(end.megabytes <= MEGABYTES, f"{end.megabytes:.0f} MB", end)
    insist(len(end.out) + len(end.err) < 10_000, "an answer of more than 10,000 characters", end)
    insist(end.out.strip() or end.err.strip(), "no word", end)
    return {0: "accepted, and true", 1: "rejected", 2: "unreadable", 4: "over the limit"}[end.code]


KIND = Kind(
    "attacks",
    f"{len(SHAPES)} shapes of files up to 16 MiB that ask the checker for much, then the same under `ulimit -v`",
    f"an answer (exit 1, 2, 4) within {SECONDS} s of processor time and {MEGABYTES:,} MB, in a few lines",
    draw,
    len(SHAPES) * 3 // 2,
    len(QUICK),
)
