"""Which levels of the sweep can be left out?

The paper visits all B = N^d levels. Here every non-empty set of them is left out in turn; it can go if the four
properties of Lemma 6 hold all the same, with the paper's interval or with another (`fitted`: if any serves, this does).
"""

from itertools import combinations

from verifier import Instance, contextual_map, fitted, verify

PROPERTIES = "lemma6.1,lemma6.2,lemma6.3,lemma6.4"


def without(i, left_out):
    return contextual_map(i, levels=[level for level in i.levels if level not in left_out])


for d, n, N in [(1, 2, 2), (1, 2, 4), (1, 3, 3), (1, 3, 4), (1, 4, 4), (2, 2, 2), (1, 3, 6)]:
    i = Instance(d, n, N)
    sets = [left_out for k in range(1, i.B + 1) for left_out in combinations(i.levels, k)]
    own = [s for s in sets if not verify(without(i, s), PROPERTIES).refuted]
    other = [s for s in sets if not verify(fitted(without(i, s)), PROPERTIES).refuted]
    for interval, can_go in (("the paper's", own), ("its own", other)):
        print(f"{i}, {interval} interval, of {len(sets)} sets:", *(" and ".join(map(str, s)) for s in can_go), sep="  ")

print("\nwithout 5/6 at (1, 3, 6):", verify(fitted(without(i, [5 * i.delta])), PROPERTIES)["lemma6.4"].counterexample)
print("\nIt depends: at (1, 4, 4) even two can go; at (1, 3, 6) none, whatever the interval. So no rule that leaves")
print("levels out serves every instance. With the paper's own interval one can go at (1, 2, 2), else none here.")
