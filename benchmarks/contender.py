"""One way through the multisets of G+, as a process of its own.

    python -m benchmarks.contender kernel|quick d n N seconds

Prints JSON: how many cases were run in how many seconds of the processor, and what was found in them: the cases of each
category and the least slacks of Lemma 10 and Properties 6.3 and 6.4, in units of delta. `kernel` runs all cases, as
often as fit into so many seconds; `quick` the first 200,000 of them.
"""

import json
import sys
import time
from math import inf
from typing import Any

from benchmarks.process import ROOT
from verifier.evaluate.definition import Reading
from verifier.evaluate.kernel import compiled
from verifier.evaluate.kernel.claims import INPUTS
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import run
from verifier.language.page import read

CLAIMS = ["lemma10.lower", "lemma10.upper", "lemma6.1", "lemma6.3", "lemma6.4"]
SLACKS = {"lower": "lower", "upper": "upper", "from_t_l": "inside_low", "to_t_r": "inside_high"}
FIRST = 200_000


def main() -> None:
    way, *words = sys.argv[1:]
    *sizes, budget = words
    text = (ROOT / "verifier/pages/yun2020.page").read_text()
    reading = Reading(read(text), dict(zip("dnN", map(int, sizes), strict=True)), most=10**15, steps=inf)
    print(json.dumps(by_kernel(reading, float(budget)) if way == "kernel" else by_quick(reading)))


def by_kernel(reading: Reading, budget: float) -> dict[str, Any]:
    x, library, cases = compiled.numbers(reading), compiled.found().handle, reading.space(INPUTS).cases
    if x is None or library is None or not x.fits:
        raise SystemExit("the kernel doesn't run here")
    least = inf
    begun = time.process_time()
    while True:
        before = time.process_time()
        counts = compiled.counted(library, x, [0] * x.n, 0, cases)
        least = min(least, time.process_time() - before)
        if time.process_time() - begun > budget:
            break
    if counts is None:
        raise SystemExit("the kernel finds something that isn't as the claims say")
    found = {name: counts.least[own][0] for own, name in SLACKS.items()}
    found |= {name: counts.least[name][0] for name in ("outside_low", "outside_high")}
    found |= {f"category{k}": many for k, many in enumerate(counts.cases, 1)}
    return {"done": cases, "seconds": least, **found}


def by_quick(reading: Reading) -> dict[str, Any]:
    quick, cases = Quick(reading), min(FIRST, reading.space(INPUTS).cases)
    begun = time.process_time()
    run(quick, CLAIMS, 0, cases)
    return {"done": cases, "seconds": time.process_time() - begun}


if __name__ == "__main__":
    main()
