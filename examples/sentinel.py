"""Does the slides' sentinel, -delta^(nd), do? And how far below zero must a sentinel be?

The quantiser writes the sentinel where an entry is outside [0, 1), and Property 6.4 wants every column of such a
matrix to land outside [t_l, t_r). The paper's is -delta^-(nd). A variant exchanges a number that the page names.
"""

from verifier import Page, Q

page = Page.named("yun2020")
slides = page.run("lemma6.4", {"sentinel": Q(-1, 4)}, d=1, n=2, N=2)
first = slides["lemma6.4"]["first"]
print("No. The slides': a value", first["value"], "against", first["bound"], "at", first["cases"])
print()
print("(d, n, N)   the paper's   fails down to   serves from   -L - N^(d-1) + 1")
for d, n, N in [(1, 2, 2), (1, 2, 3), (1, 3, 3), (2, 2, 2)]:
    fails, serves = [], [Q(-(N ** (n * d)))]
    for k in range(1, N ** (n * d + 1)):  # multiples of delta, down to the paper's
        found = page.run("lemma6", {"sentinel": Q(-k, N)}, d=d, n=n, N=N)
        (fails if found.verdict == "refuted" else serves).append(Q(-k, N))
    least = Q(N ** ((n - 1) * d) * (N**d - 1), N)  # L of Lemma 10
    print(f"({d}, {n}, {N}){serves[0]!s:>14}{min(fails)!s:>16}{max(serves)!s:>14}{-least - N ** (d - 1) + 1!s:>19}")
print()
print("Here a sentinel serves exactly when it makes every id at most -L, L the lower bound of Lemma 10: the first")
print("shift then carries what it moves to t_r or beyond. The paper's is lower than it need be, and never harms.")
