"""Does the slides' sentinel, -delta^(nd), do? And how far below zero must a sentinel be?

The quantiser writes the sentinel where an entry is outside [0, 1), and Property 6.4 wants every column of such a
matrix to land outside [t_l, t_r). The paper's sentinel is -delta^-(nd).
"""

from verifier import Instance, Q, contextual_map, verify


def run(i, sentinel):
    return verify(contextual_map(i, sentinel=sentinel), "lemma6")


i = Instance(d=1, n=2, N=2)
print("No. The slides':", run(i, -(i.delta**i.n))["lemma6.4"].counterexample)
print()
print("(d, n, N)   the paper's   fails down to   serves from   -L - N^(d-1) + 1")
for d, n, N in [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]:
    i = Instance(d, n, N)
    multiples = [Q(-k, N) for k in range(1, N ** (n * d + 1) + 1)]  # of delta, down to the paper's
    fails = [sentinel for sentinel in multiples if run(i, sentinel).refuted]
    serves = [sentinel for sentinel in multiples if sentinel not in fails]
    expected = -i.lemma10_lower - N ** (d - 1) + 1
    print(f"({d}, {n}, {N}){i.sentinel!s:>14}{min(fails)!s:>16}{max(serves)!s:>14}{expected!s:>19}")
print()
print("Here a sentinel serves exactly when it makes every id at most -L, L the lower bound of Lemma 10: the first")
print("shift then carries what it moves to t_r or beyond. The paper's is lower than it need be, and never harms.")
