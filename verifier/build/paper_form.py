"""The form `paper`: the network of the construction, with softmax and four ReLUs for each activation.

It is theorem2.cube_network (with positions, theorem2.positional_network), block for block the one of
proofs/coq/universal/Construction.v. A block has two heads and four hidden nodes; here its idle half is left out. f is
taken at the corners of the cells, and the output is clamped to [-F, F].
"""

from fractions import Fraction

from gmpy2 import mpq

from verifier.build import theorem2
from verifier.build.cells import Case
from verifier.build.layer import Attention, FeedForward, Head, Named, Stack
from verifier.build.sizes import Sizes
from verifier.core.exact import Matrix, Q


def block_count(i: Sizes, positional: bool) -> int:
    return (theorem2.positional_blocks_in if positional else theorem2.blocks_in)(i.d, i.n, i.N)


def contextual_map(i: Sizes, positional: bool) -> theorem2.ContextualMap:
    return (theorem2.positional_map if positional else theorem2.cube_map)(i.d, i.n, i.N)


def least_rate(i: Sizes, positional: bool) -> mpq:
    """lambda for which ids are off by less than delta/4, and by less than 1/1024."""
    return (_q(contextual_map(i, positional).error()) + 1) * max(4 * i.N, 1024)


def softmax_bound(i: Sizes, positional: bool, rate: mpq) -> mpq:
    """How far softmax takes any entry of the output: ids are off by that, windows are flat, a clamp widens nothing."""
    return _q(contextual_map(i, positional).error()) / rate


def network(i: Sizes, cases: tuple[Case, ...], positional: bool, epsilon: mpq, rate: mpq, F: mpq) -> Stack:
    """The layers of the blocks. The targets are those of the cases."""
    known = {case.numbers: case.value for case in cases}

    def target(K: theorem2.Cells) -> tuple[tuple[Fraction, ...], ...]:
        numbers = theorem2.ids(i.N, K)
        order = list(range(i.n)) if positional else sorted(range(i.n), key=numbers.__getitem__)
        A = known[tuple(numbers[j] for j in order)]
        return tuple(tuple(_fraction(row[order.index(j)]) for j in range(i.n)) for row in A)

    make = theorem2.positional_network if positional else theorem2.cube_network
    blocks = make(i.d, i.n, i.N, _fraction(epsilon), _fraction(rate), _fraction(F), target)
    encoding: Matrix | None = (tuple(Q(j) for j in range(i.n)),) * i.d if positional else None
    return Stack(i.d, i.n, named(i, blocks, positional), encoding)


def named(i: Sizes, blocks: theorem2.Blocks, positional: bool) -> tuple[Named, ...]:
    cells = i.N * (i.n if positional else 1)
    levels = len(contextual_map(i, positional).levels)
    names = [f"quantise.{row + 1}.{k}" for row in range(i.d) for k in range(cells)]
    names += [f"sweep.{k}" for k in range(levels)] + ["global"]
    names += [f"write.{t}" for t in range(1, len(blocks) - len(names) - i.d + 1)]
    names += [f"clamp.{row + 1}" for row in range(i.d)]
    return tuple(Named(name, layer_of(block)) for name, block in zip(names, blocks, strict=True))


def layer_of(block: theorem2.Block) -> Attention | FeedForward:
    """The half of a block that does something."""
    if any(x for head in block.heads for x in head.W_O):
        if any(x for row in block.W_2 for x in row) or any(block.b_2):
            raise ValueError("a block of which both halves do something")
        return Attention(tuple(map(head_of, block.heads)))
    return feed_forward_of(block)


def feed_forward_of(block: theorem2.Block) -> FeedForward:
    return FeedForward(_matrix(block.W_1), _vector(block.b_1), _matrix(block.W_2), _vector(block.b_2))


def head_of(h: theorem2.Head) -> Head:
    W_V, W_K, W_Q = ((_vector(row),) for row in (h.W_V, h.W_K, h.W_Q))
    return Head(W_O=tuple((_q(x),) for x in h.W_O), W_V=W_V, W_K=W_K, W_Q=W_Q, b_Q=(_q(h.b_Q),))


def kept(stack: Stack, cases: tuple[Case, ...]) -> dict[int, Matrix]:
    """The cases whose target the network has, with hardmax: those that it was made for, each of them run."""
    return {case.rank: case.value for case in cases if stack.run(case.L) == case.value}


def _q(x: Fraction) -> mpq:
    return mpq(x.numerator, x.denominator)


def _fraction(x: mpq) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))


def _vector(v: theorem2.Vector) -> tuple[mpq, ...]:
    return tuple(map(_q, v))


def _matrix(m: theorem2.Matrix) -> tuple[tuple[mpq, ...], ...]:
    return tuple(map(_vector, m))
