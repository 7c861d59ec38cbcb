"""Which levels of the sweep can be left out?

The paper visits all B = N^d levels. Here every non-empty set of them is left out in turn; it can go if the four
properties of Lemma 6 hold all the same, with the paper's interval or with another (`fitted`: if any serves, this does).
"""

from itertools import combinations

from verifier import Instance, contextual_map, fitted, verify

PROPERTIES = "lemma6.1,lemma6.2,lemma6.3,lemma6.4"


def without(i, left_out):
    return contextual_map(i, levels=[level for level in i.levels if level not in left_out])


for d, n, N in [(1, 2, 2), (1, 2, 3), (1, 2, 4), (1, 3, 3), (1, 3, 4), (2, 2, 2)]:
    i = Instance(d, n, N)
    sets = [left_out for k in range(1, i.B + 1) for left_out in combinations(i.levels, k)]
    own = [s for s in sets if not verify(without(i, s), PROPERTIES).refuted]
    other = [s for s in sets if not verify(fitted(without(i, s)), PROPERTIES).refuted]
    for interval, can_go in (("the paper's", own), ("its own", other)):
        print(f"{i}, {interval} interval, of {len(sets)} sets:", *(" and ".join(map(str, s)) for s in can_go), sep="  ")

print("\nwithout 0:", verify(fitted(without(Instance(1, 3, 4), [0])), PROPERTIES)["lemma6.4"].counterexample)
print("\nHere one level can go, never two, and always the top one: the largest id needn't move to be told apart. Then")
print("l~_n can be smaller than Lemma 10 says, so that t_l must be smaller too, except at (1, 2, 2).")
