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


def in_page(one: str, other: str) -> Callable[[random.Random], bytes]:
    """A certificate whose page says something else in one place."""

    def made(_: random.Random) -> bytes:
        page = genuine()["page"]
        insist(one in page, f"the page doesn't say {one}")
        return with_(page=page.replace(one, other, 1))

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
        lines = (line for claim in document["claims"] for line in claim["lines"])
        next(line["least"] for line in lines if "least" in line)[name] = value(rng)
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
    "millions of empty strings": member("not_covered", b'""'),
    "millions of empty lists": member("not_covered", b"[]"),
    "millions of empty objects": member("claims", b"{}"),
    "millions of numbers": member("inputs", b"0"),
    "millions of inputs that are nothing": member("inputs", b"null"),
    "a bare list of empty strings": lambda _: filled(b'""'),
    "a bare list of ones": lambda _: filled(b"1"),
    "a bare list of lists of lists": lambda _: filled(b"[[[]]]"),
    "millions of keys": keys("{}", "0"),
    "millions of long keys": keys("a name of some length {}", '""'),
    "a key of 15 MB": lambda _: b'{"' + b"a" * (15 << 20) + b'":1}',
    "a page of 15 MB": lambda _: with_(page="a" * (15 << 20)),
    "a page of escapes": lambda _: with_(page="HERE").replace(b"HERE", rb"\u0041" * (2 << 20)),
    "a verdict of 15 MB": lambda _: with_(verdict="a" * (15 << 20)),
    "a number of 15 million digits": lambda _: with_(sizes={"d": 1, "n": 2, "N": 3}).replace(
        b'"N":3', b'"N":' + b"7" * (15 << 20)
    ),
    "thousands of numbers of 4,000 digits": member("inputs", b"7" * 4000),
    "a rational of millions of digits": claim_with("slack", lambda _: digits(15 << 20)),
    "rationals of 4,000 digits": member("claims", b'"' + b"7" * 1999 + b"/" + b"3" * 1999 + b'"'),
    "a case of millions of columns": claim_with("cases", lambda _: [[]] * 4_000_000),
    "a case of a million zeros": claim_with("cases", lambda _: [["0"] * 3_000_000]),
    "a value nested in lists": claim_with("value", lambda _: [["0"] * 1000] * 3000),
    "huge instance": lambda _: with_(sizes={"d": int(digits(3999)), "n": int(digits(3999)), "N": int(digits(3999))}),
    "60,000 terms of 50 atoms": a_sum(60_000, 50),
    "a million terms of 2 atoms": a_sum(1_000_000, 2),
    "2 terms of 60,000 atoms": a_sum(2, 60_000),
    "terms with coefficients of 3,900 digits": a_sum(3000, 3, "7" * 3900),
    "100,000 replacements": replacements(100_000),
    "99 replacements": replacements(99),
    "nothing": lambda _: b"",
    "a newline 16 million times": lambda _: b"\n" * MOST,
    "quotes and backslashes": lambda _: b'"' + b"\\" * (MOST - 2),
    "sizes of many cases": lambda _: with_(sizes={"d": 1, "n": 3, "N": 3000}),
    "sizes of many columns": lambda _: with_(sizes={"d": 6, "n": 2, "N": 9}),
    "a power of a power": in_page("delta = 1/N", "delta = 1/N^(2^(10^9))"),
    "a page of brackets": in_page("delta = 1/N", f"delta = {'(' * 90_000}1{')' * 90_000}"),
    "a page of loops": in_page('  "The three categories', f"  {'for j in 1..1000: ' * 40}1 = 1\n"),
    "random bytes": lambda rng: rng.randbytes(MOST),
    "one byte too many": lambda _: b" " * (MOST + 1),
}
QUICK = (
    "16 MiB of brackets", "a page of 15 MB", "millions of empty strings", "60,000 terms of 50 atoms",
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
