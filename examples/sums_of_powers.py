"""A construction that is in no paper: does the sum of base^t over the tokens t tell which tokens there are?

Tokens 0, ..., N-1 stand in the first row. A token-wise layer writes base^t below each; an attention layer whose scores
are all 0 adds n times their mean, which is their sum, in the third row.
"""

import sys

import verifier as v
from verifier import Q


def sums_differ(g, seen):
    for lower, upper, cases in v.neighbours(seen):
        yield v.Relation("the larger sum", upper, ">", "the smaller", lower, cases)


def sum_is_bounded(case):
    g, total = case.construction, case.image[2][0]
    yield v.Relation("the sum", total, "<=", "n base^(N-1)", Q(g.n * g.base ** (g.N - 1)))


EVERY = v.Domain("every multiset of n tokens")
BOUNDED = v.Claim(id="sums.bounded", says="The sum is at most n base^(N-1).",
                  formula="sum_j base^(t_j) <= n base^(N-1)", domain=EVERY, check=sum_is_bounded)  # fmt: skip
DISTINCT = v.Claim(id="sums.distinct", says="No two inputs have the same sum.",
                   formula="sum_j base^(t_j) tells {t_j}", domain=EVERY,
                   collect=lambda case: [case.image[2][0]], conclude=sums_differ)  # fmt: skip


class SumsOfPowers(v.Construction):
    title = "one layer of sums of powers"

    def __init__(self, n, N, base):
        self.n, self.N, self.base = n, N, base
        powers = v.PiecewiseLinear([Q(2 * t - 1, 2) for t in range(1, N)], [(0, base**t) for t in range(N)])
        to_powers = v.FeedForward(W_1=[[1, 0, 0]], b_1=[0], W_2=[[0], [1], [0]], b_2=[0, 0, 0], phi=powers)
        add_up = v.Head(W_O=[[0], [0], [n]], W_V=[[0, 1, 0]], W_K=[[0, 0, 0]], W_Q=[[0, 0, 0]], b_Q=[0])
        self.network = v.Network([to_powers, v.Attention([add_up])])

    sizes = property(lambda self: {"n": self.n, "N": self.N, "base": self.base})
    networks = property(lambda self: {"sums": self.network})
    space = property(lambda self: v.ColumnOrbits(self, [[t, 0, 0] for t in range(self.N)], self.n))

    def claims(self):
        return [BOUNDED, DISTINCT]


if __name__ == "__main__":
    result = v.verify(SumsOfPowers(n=3, N=3, base=2))
    v.print_result(result)
    v.explain(result, "sums.distinct")
    print("With base 4:", v.verify(SumsOfPowers(n=3, N=3, base=4)).verdict)
    if sys.argv[1:]:
        with open(sys.argv[1], "xb") as file:
            file.write(v.certify(result))
