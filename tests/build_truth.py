"""What a network that was built is compared with: the literal layers in rationals, and in a format with every operation
rounded, in an order that a generator draws."""

from fractions import Fraction
from itertools import product

from gmpy2 import mpq

from verifier.build.dtype import FLOAT64
from verifier.build.layer import Attention, FeedForward, Head, run, scaled, tensors
from verifier.build.paper_form import feed_forward_of, head_of
from verifier.build.plan import build
from verifier.build.sizes import Sizes
from verifier.build.target import Target
from verifier.checker.build.files import Layer as CheckersLayer
from verifier.core.exact import Q, columns_of, from_columns


def built(
    parts, text="f(j) = [X[j][r] * sum(X)[r] / n for r in 1..d]", dtype=FLOAT64, *, positional=False, make=build, **how
):
    i = Sizes(*parts)
    return make(i, Target(text, i, positional=positional), dtype, positional=positional, **how)


def psi(out, u, rate, b):
    """A head: out . u^T X . softmax[rate (u^T X)^T (u^T X - b 1^T)]."""
    return Head(tuple((x,) for x in out), (u,), (scaled(rate, u),), (u,), (-b,))


def run_blocks(blocks, X):
    """What blocks of theorem2.py make of a matrix, with hardmax: attention, then the token-wise half."""
    X = tuple(tuple(mpq(x.numerator, x.denominator) for x in row) for row in X)
    for block in blocks:
        X = run(Attention(tuple(map(head_of, block.heads))), X)
        X = run(feed_forward_of(block), X)
    return X


def as_checked(stack):
    """The layers as the checker has them."""
    made = []
    for named in stack.layers:
        rows = {
            name: [
                [Fraction(int(x.numerator), int(x.denominator)) for x in (row if isinstance(row, tuple) else (row,))]
                for row in X
            ]
            for name, X in tensors(named.layer).items()
        }
        made.append(
            CheckersLayer("feedforward" if isinstance(named.layer, FeedForward) else "attention", named.name, rows)
        )
    return made


def inside(b, L, draw):
    """A point of the cell of L, off the strips: L + t, t in [0, delta - epsilon] as `draw` has it."""
    room = b.instance.delta - b.epsilon
    return tuple(tuple(x + draw(room) for x in row) for row in L)


def corners(room):
    return [Q(0), room]


class Rounded:
    """A format's arithmetic, in software: every sum and product is rounded, terms added in a random order."""

    def __init__(self, dtype, random):
        self.dtype, self.random = dtype, random

    def sum(self, terms):
        terms = list(terms)
        self.random.shuffle(terms)
        total = mpq(0)
        for term in terms:
            total = self.dtype.nearest(total + term)
        return total

    def dot(self, row, z):
        return self.sum(self.dtype.nearest(a * b) for a, b in zip(row, z, strict=True))

    def softmax(self, scores):
        """With what statement 3 assumes of exp; scores in between are not to come."""
        top = max(scores)
        away = [self.dtype.nearest(score - top) for score in scores]
        assert all(x == 0 or x <= -self.dtype.underflow for x in away)
        winners = sum(x == 0 for x in away)
        return [self.dtype.nearest(mpq(1, winners)) if x == 0 else mpq(0) for x in away]

    def layer(self, layer, X):
        W, columns = tensors(layer), columns_of(X)
        n = len(columns)
        if isinstance(layer, FeedForward):
            added = []
            for z in columns:
                h = [max(Q(0), self.sum([self.dot(w, z), b])) for w, b in zip(W["W_1"], W["b_1"], strict=True)]
                added.append([self.sum([self.dot(w, h), b]) for w, b in zip(W["W_2"], W["b_2"], strict=True)])
        else:
            heads = []
            for k in range(len(W["W_V"])):
                keys, queries, values = ([self.dot(W[name][k], z) for z in columns] for name in ("W_K", "W_Q", "W_V"))
                queries = [self.sum([q, W["b_Q"][k]]) for q in queries]
                shares = [self.softmax([self.dtype.nearest(key * q) for key in keys]) for q in queries]
                heads.append([self.dot(values, share) for share in shares])
            added = [[self.dot(row, [head[j] for head in heads]) for row in W["W_O"]] for j in range(n)]
        return from_columns(
            tuple(
                tuple(self.sum(pair) for pair in zip(z, more, strict=True))
                for z, more in zip(columns, added, strict=True)
            )
        )

    def run(self, stack, X):
        if stack.encoding is not None:
            X = tuple(
                tuple(self.sum(pair) for pair in zip(*rows, strict=True))
                for rows in zip(X, stack.encoding, strict=True)
            )
        for named in stack.layers:
            X = self.layer(named.layer, X)
        return X


def vertices(b, L):
    """All points of the cell of L whose entries are at an end of what is off the strips."""
    room = b.instance.delta - b.epsilon
    for chosen in product(corners(room), repeat=b.instance.d * b.instance.n):
        ends = iter(chosen)
        yield tuple(tuple(x + next(ends) for x in row) for row in L)
