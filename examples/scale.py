"""Is a global shift by delta^-nd enough, in place of the paper's delta^-(n+1)d?

In powers of B = delta^-d: the factor F = B^e, with the interval that goes with it, t_l = F B^(n-1) (B-1) delta and
t_r = F B^n (B-1) delta. The paper's own is e = n + 1. Its proof wants every l~_j < F delta (App. B.5.1).
"""

from verifier import Page, Q

page = Page.named("yun2020")
for d, n, N in [(1, 2, 2), (1, 2, 3), (1, 3, 3), (1, 3, 4), (2, 2, 2)]:
    B, at = N**d, {"d": d, "n": n, "N": N}
    low = Q(B ** (n - 1) * (B - 1), N)
    largest = Q(*map(int, page.run("lemma10.upper", **at)["lemma10.upper"]["lines"][0]["least"]["value"].split("/")))
    print(f"(d, n, N) = ({d}, {n}, {N}), B = {B}, l~_n up to {largest}")
    for e in range(1, n + 1):
        F = B**e
        found = page.run("lemma6", {"global_factor": F, "t_l": F * low, "t_r": F * B * low}, **at)
        refuted = ", ".join(c["id"] for c in found.content["claims"] if c["verdict"] == "refuted") or "nothing"
        print(f"  B^{e}: refuted: {refuted}; the proof {'applies' if largest < Q(F, N) else 'does not apply'}")
print("\nHere it is: with F = B^n all of Lemma 6 holds. Its proof needs one power more, except at (1, 2, 2): with less")
print("the values of one column set can reach past where the next one's begin, and that none meet isn't shown by it.")
