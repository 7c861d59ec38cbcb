"""The quick reading's way through the multisets of G+, as a process of its own.

    python -m benchmarks.contender d n N

Prints JSON: how many cases were run, the first 200,000 at most, in how many seconds of the processor, of how many; and
what was found in them: the cases of each category and the least slacks of Lemma 10 and Properties 6.3 and 6.4, in units
of delta.
"""

import json
import sys
import time
from math import inf

from benchmarks.process import ROOT
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import run, total
from verifier.language.page import read

SLACKS = {  # of each claim, by its lines
    "lemma10.lower": ["lower"],
    "lemma10.upper": ["upper"],
    "lemma6.1": ["apart"],
    "lemma6.3": ["inside_low", "inside_high"],
    "lemma6.4": ["outside_low", "outside_high"],
}
FIRST = 200_000


def main() -> None:
    sizes = dict(zip("dnN", map(int, sys.argv[1:]), strict=True))
    text = (ROOT / "verifier/pages/yun2020.page").read_text()
    quick, ids = Quick(Reading(read(text), sizes, most=10**15, steps=inf)), list(SLACKS)
    cases = total(quick, ids)
    done = min(FIRST, cases)
    begun = time.process_time()
    state = run(quick, ids, 0, done)
    seconds = time.process_time() - begun
    found = {name: its[0] for name, its in state.categories.items()}
    for id_, names in SLACKS.items():
        for (sign, _), name in zip(quick.page.claims[id_].signs, names, strict=True):
            line = state.claims[id_].lines.get(sign.place)
            if line is not None and line.least is not None:
                found[name] = int(sizes["N"] * line.least[0])
    print(json.dumps({"done": done, "cases": cases, "seconds": seconds, "found": found}))


if __name__ == "__main__":
    main()
