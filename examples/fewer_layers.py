"""Which levels of the sweep can be left out?

The paper visits all B = N^d levels. Here every non-empty set of them is left out in turn, from the page's text; it can
go if the four properties of Lemma 6 hold all the same.
"""

from itertools import combinations

from verifier import Page

SWEEP = "  for v in [0, delta, ..., (B-1)*delta]:\n"
text = str(Page.named("yun2020"))
for d, n, N in [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]:
    B, can_go = N**d, []
    for left_out in (set(s) for k in range(1, B) for s in combinations(range(B), k)):
        levels = ", ".join(f"{k}*delta" for k in range(B) if k not in left_out)
        ours = Page(text.replace(SWEEP, f"  for v in [{levels}]:\n"))
        if ours.run([f"lemma6.{k}" for k in (1, 2, 3, 4)], d=d, n=n, N=N).verdict != "refuted":
            can_go.append(" and ".join(f"{k}/{N}" for k in sorted(left_out)))
    print(f"(d, n, N) = ({d}, {n}, {N}), of {2**B - 2} sets: {', '.join(can_go) or 'none'}")
