"""A construction that is in no paper: one layer that gives every token the sum of base^token over all tokens.

Tokens 0, ..., N-1 stand in the first row. A token-wise layer writes base^token below each; an attention layer whose
scores are all 0 adds n times their mean, which is their sum. Does the sum tell which tokens there are?
"""

from verifier import (
    Attention,
    Claim,
    ColumnOrbits,
    Construction,
    Domain,
    FeedForward,
    Head,
    Network,
    PiecewiseLinear,
    Q,
    Relation,
    certify,
    neighbours,
    print_result,
    verify,
)


def sums_differ(construction, seen):
    for lower, upper, cases in neighbours(seen):
        yield Relation("distance of the sums of two inputs", upper - lower, ">", "0", Q(0), cases)


def sum_is_bounded(case):
    g, total = case.construction, case.image[2][0]
    yield Relation("the sum", total, "<=", "n base^(N-1)", Q(g.n * g.base ** (g.N - 1)))


EVERY = Domain("every multiset of n tokens")
CLAIMS = [
    Claim(
        id="sums.bounded",
        says="The sum is at most n base^(N-1).",
        formula="sum_j base^(t_j) <= n base^(N-1)",
        domain=EVERY,
        check=sum_is_bounded,
    ),
    Claim(
        id="sums.distinct",
        says="No two inputs have the same sum.",
        formula="sum_j base^(t_j) != sum_j base^(t'_j) for different multisets",
        domain=EVERY,
        collect=lambda case: [case.image[2][0]],
        conclude=sums_differ,
    ),
]


class SumsOfPowers(Construction):
    title = "one layer of sums of powers"

    def __init__(self, n, N, base):
        self.n, self.N, self.base = n, N, base
        powers = PiecewiseLinear([Q(2 * t - 1, 2) for t in range(1, N)], [(0, base**t) for t in range(N)])
        to_powers = FeedForward(W_1=[[1, 0, 0]], b_1=[0], W_2=[[0], [1], [0]], b_2=[0, 0, 0], phi=powers)
        add_up = Head(W_O=[[0], [0], [n]], W_V=[[0, 1, 0]], W_K=[[0, 0, 0]], W_Q=[[0, 0, 0]], b_Q=[0])
        self.network = Network([to_powers, Attention([add_up])])

    sizes = property(lambda self: {"n": self.n, "N": self.N, "base": self.base})
    networks = property(lambda self: {"sums": self.network})
    space = property(lambda self: ColumnOrbits(self, [[t, 0, 0] for t in range(self.N)], self.n))

    def claims(self):
        return CLAIMS


for base in (2, 4):
    result = verify(SumsOfPowers(n=3, N=3, base=base))
    print_result(result)
print(certify(result)[:80])
