"""Is a global shift by delta^-nd enough, in place of the paper's delta^-(n+1)d?

In powers of B = delta^-d: the factor F = B^e, with the interval that goes with it, t_l = F B^(n-1) (B-1) delta and
t_r = F B^n (B-1) delta. The paper's own is e = n + 1. Its proof wants every l~_j < F delta (App. B.5.1).
"""

from verifier import Instance, contextual_map, verify


def variant(i, F):
    return contextual_map(i, global_factor=F, t_l=F * i.lemma10_lower, t_r=F * i.B * i.lemma10_lower)


for i in [Instance(1, 2, 2), Instance(1, 2, 3), Instance(1, 3, 3), Instance(1, 3, 4), Instance(2, 2, 2)]:
    largest = verify(contextual_map(i), "lemma10.upper")["lemma10.upper"].tightest.relation.value
    print(f"{i}, B = {i.B}, l~_n up to {largest}")
    for e in range(1, i.n + 2):
        F = i.B**e
        refuted = ", ".join(verify(variant(i, F), "lemma6").refuted) or "nothing"
        print(f"  B^{e}: refuted: {refuted}; the proof {'applies' if largest < F * i.delta else 'does not apply'}")

i = Instance(1, 2, 3)
print("\nB^1 at (1, 2, 3):", verify(variant(i, i.B), "lemma6")["lemma6.2"].counterexample)
print("\nHere it is: with F = B^n all of Lemma 6 holds. Its proof needs one power more, except at (1, 2, 2): with less")
print("the values of one column set can reach past where the next one's begin, and that none meet isn't shown by it.")
