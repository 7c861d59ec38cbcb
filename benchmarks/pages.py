"""Pages: cases per second on one core, by each reading and by scripts that somebody might write instead.

    python -m benchmarks.pages WAY [--quick]     one contender, as JSON: cases, seconds, and what was found

What is compared finds the same: every claim of the page holds in each contender, or is refuted in each.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.table import megabytes, rate, seconds, table

PAGES = Path(__file__).parent.parent / "verifier/pages"
# Lemma 6 and its proof: all that speaks of the sweep; b5.shift looks at every layer of every orbit
LEMMA6 = (
    *("grid.", "b5.ids", "b5.first", "b5.closed", "b5.order", "b5.max", "b5.global", "b5.interval"),
    *("b5.cat2-c", "b5.cat2-b", "b5.cat3", "lemma10.", "lemma6.1", "lemma6.2", "lemma6.3", "lemma6.4", "lemma6.layers"),
)
# Lemma 3 of BigBird and its repair, in the reading that is printed
SHIFTS = ("bigbird.low", "bigbird.high", "bigbird.invariant", "bigbird.last", "bigbird.global", "bigbird.contextual")
LEMMA3 = (*SHIFTS, "recursion.", "repair.")
Found = dict[str, str]


def page(path: Path, ids: tuple[str, ...], slow: bool = False, **sizes: int) -> tuple[int, Found]:
    from verifier.evaluate.definition import Reading
    from verifier.evaluate.quick.page import Quick
    from verifier.evaluate.quick.shards import finished, inputs_of, run
    from verifier.language.page import read

    understood = read(path.read_text())
    chosen = [k for k in understood.page.claims if k.startswith(ids)]
    reading = Reading(understood, sizes, steps=inf)
    quick = Quick(reading)
    ledgers = reading.run(chosen) if slow else finished(quick, run(quick, chosen))
    cases = max(reading.space(name).cases for name in inputs_of(quick, chosen))
    return cases, {ledger.claim.id: ledger.verdict for ledger in ledgers}


def words(longest: int) -> Iterator[tuple[int, ...]]:
    return (w for n in range(1, longest + 1) for w in product((0, 1), repeat=n))


def parity_in_fractions(longest: int) -> tuple[int, Found]:
    """As a script says it: the three layers for each word, token by token."""
    cases, holds = 0, dict.fromkeys(("parity.mark", "parity.decides", "parity.margin"), True)
    relu = lambda t: max(t, Fraction(0))  # noqa: E731
    for w in words(longest):
        m, cases = len(w), cases + 1
        x = [
            [Fraction(v) for v in (w[i - 1] if i else 0, i == 0, Fraction(i, m), (-1) ** i, 0, 0, 0)]
            for i in range(m + 1)
        ]
        ones, first = (sum(token[k] for token in x) / (m + 1) for k in (0, 1))
        x = [[*token[:4], token[4] + ones, token[5] + first, token[6]] for token in x]
        for token in x:
            far = token[4] - Fraction(m, m + 1) * token[2]
            token[6] += relu(far - token[5]) - 2 * relu(far) + relu(far + token[5])
        even, odd = ([token[6] for token in x if token[3] == sign] for sign in (1, -1))
        answer = sum(odd) / len(odd) - sum(even) / len(even)
        marked = [Fraction(1, m + 1) if i == sum(w) else Fraction(0) for i in range(m + 1)]
        holds["parity.mark"] &= [token[6] for token in x] == marked
        holds["parity.decides"] &= (answer > 0) == (sum(w) % 2 == 1) and answer != 0
        holds["parity.margin"] &= abs(answer) >= Fraction(2, (m + 1) * (m + 2))
    return cases, {name: "holds" if held else "refuted" for name, held in holds.items()}


def parity_in_numpy(longest: int) -> tuple[int, Found]:
    """int64 over one denominator for each length, unchecked: m (m + 1) for the tokens."""
    cases, holds = 0, dict.fromkeys(("parity.mark", "parity.decides", "parity.margin"), True)
    relu = lambda t: np.maximum(t, 0)  # noqa: E731
    for m in range(1, longest + 1):
        w = (np.arange(2**m)[:, None] >> np.arange(m)[::-1]) & 1
        cases += len(w)
        ones, i = w.sum(axis=1), np.arange(m + 1)
        far = m * ones[:, None] - m * i[None, :]
        mark = relu(far - m) - 2 * relu(far) + relu(far + m)
        holds["parity.mark"] &= bool((mark == m * (i[None, :] == ones[:, None])).all())
        evens, odds = len(i[::2]), len(i[1::2])
        answer = mark[:, 1::2].sum(axis=1) * evens - mark[:, ::2].sum(axis=1) * odds
        holds["parity.decides"] &= bool((np.sign(answer) == np.where(ones % 2, 1, -1)).all())
        holds["parity.margin"] &= bool((np.abs(answer) * (m + 2) >= 2 * m * evens * odds).all())
    return cases, {name: "holds" if held else "refuted" for name, held in holds.items()}


PARITY = ("parity.mark", "parity.decides", "parity.margin")
YUN, SHIFT, BIGBIRD = PAGES / "yun2020.page", (*LEMMA6, "b5.shift"), PAGES / "bigbird2020.page"
Way = tuple[str, Callable[[int], tuple[int, Found]], int, int]


DYCK = PAGES / "dyck.page"


def run_dyck(n: int) -> tuple[int, Found]:
    return page(DYCK, ("",), k=2, D=2, n=n, bos=1, last=0, guard=0, tie=0, p=0, type=0)


def run_parity(slow: bool) -> Callable[[int], tuple[int, Found]]:
    return lambda n: page(PAGES / "parity.page", PARITY, slow, n=n)


def run_at(path: Path, ids: tuple[str, ...], slow: bool = False) -> Callable[[int], tuple[int, Found]]:
    return lambda N: page(path, ids, slow, d=1, n=3, N=N)


WAYS: dict[str, Way] = {  # what it reads, how, a small size, and the goal's
    "parity, Fractions": ("PARITY, words up to {}", parity_in_fractions, 6, 10),
    "parity, numpy unchecked": ("PARITY, words up to {}", parity_in_numpy, 6, 16),
    "parity, slow": ("PARITY, words up to {}", run_parity(True), 4, 8),
    "parity, quick": ("PARITY, words up to {}", run_parity(False), 6, 16),
    "dyck, quick": ("Dyck-(2,2), words up to {}", run_dyck, 4, 6),
    "lemma 6, slow": ("Lemma 6 at (1, 3, {})", run_at(YUN, LEMMA6, True), 4, 8),
    "lemma 6, quick": ("Lemma 6 at (1, 3, {})", run_at(YUN, LEMMA6), 8, 100),
    "all layers, quick": ("with every layer of every orbit", run_at(YUN, SHIFT), 8, 100),
    "bigbird, slow": ("BigBird at (1, 3, {})", run_at(BIGBIRD, LEMMA3, True), 2, 3),
    "bigbird, quick": ("BigBird at (1, 3, {})", run_at(BIGBIRD, LEMMA3), 3, 16),
}
GOALS = {"parity, quick": 300_000, "lemma 6, quick": 50_000, "all layers, quick": 50_000, "bigbird, quick": 409.6}


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Each contender in a process of its own."""
    from benchmarks.process import run

    found = []
    for way in WAYS:
        print(f"measuring {way} ...", file=sys.stderr, flush=True)
        child = run([sys.executable, "-m", "benchmarks.pages", way, *(["--quick"] if quick else [])])
        found.append({**json.loads(child.output), "way": way, "megabytes": child.megabytes})
    for one in found:  # those of the same claims agree
        for other in found:
            shared = one["found"].keys() & other["found"].keys()
            if any(one["found"][k] != other["found"][k] for k in shared if k.startswith("parity")):
                raise SystemExit(f"{one['way']} and {other['way']} disagree")
    return found


def report(found: list[dict[str, Any]]) -> str:
    rows = []
    for one in found:
        what, by = WAYS[one["way"]][0].format(one["size"]), one["way"].partition(", ")[2]
        speeds = rate(one["cases"] / one["seconds"]), rate(GOALS.get(one["way"]))
        rows.append([what, by, f"{one['cases']:,}", seconds(one["seconds"]), *speeds, megabytes(one["megabytes"])])
    head = ["page", "read by", "cases", "taken", "cases/s", "goal", "peak"]
    return table("Pages: every case and every relation, exactly (but for numpy), on one core", head, rows)


def main() -> None:
    way, *rest = sys.argv[1:]
    _, run, small, large = WAYS[way]
    begun = time.process_time()
    cases, found = run(small if rest else large)
    taken = time.process_time() - begun
    print(json.dumps({"size": small if rest else large, "cases": cases, "seconds": taken, "found": found}))


if __name__ == "__main__":
    main()
