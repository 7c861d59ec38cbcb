"""Whether floats compute a network exactly at a point: every sum in any order, with or without fused operations.

The terms of a sum are whole multiples of a power of two, q. If the absolute values of all terms add up to less than
2^p q, then every sum of some of them is a number of the format, so that nothing is ever rounded. For a softmax,
each share except the winners' must underflow to 0: exp(-m) is below half of the smallest number above 0,
2^finest, with m less what rounding can take from it. The winners' shares must be exact. It is an assumption that a
runtime's exp and softmax behave so.
"""

from collections.abc import Iterable, Sequence
from operator import mul

from gmpy2 import mpq

from verifier.build.dtype import Dtype, dyadic, quantum, two_to
from verifier.build.exported import run as run_taken
from verifier.build.layer import Attention, FeedForward, Layer, transpose
from verifier.build.meter import Meter
from verifier.build.taken import Taken
from verifier.core.exact import Matrix, Vector
from verifier.core.hardmax import winners


class Rounded(ArithmeticError):
    """Floats of the format may round here."""


def total(terms: Iterable[mpq], dtype: Dtype) -> mpq:
    """The sum of the terms, if each of its partial sums is a number of the format."""
    terms = [term for term in terms if term]
    if not terms:
        return mpq(0)
    if not all(map(dyadic, terms)):
        raise Rounded("a term is no dyadic rational")
    q, size = min(map(quantum, terms)), sum(map(abs, terms))
    if size >= two_to(q + dtype.p) or size > dtype.largest:
        raise Rounded(f"a sum of {len(terms)} terms needs more than {dtype.p} bits")
    if q < dtype.finest:
        raise Rounded("a term is below the smallest number of the format")
    return mpq(sum(terms))


def read(W: Sequence[Vector], X: Matrix, b: Vector, dtype: Dtype) -> Matrix:
    """W X + b 1^T."""
    columns = transpose(X)
    return tuple(tuple(total([*map(mul, w, x), y], dtype) for x in columns) for w, y in zip(W, b, strict=True))


def added(X: Matrix, W: Matrix, H: Matrix, b: Vector, dtype: Dtype) -> Matrix:
    """X + W H + b 1^T."""
    columns = transpose(H)
    return tuple(
        tuple(total([x, *map(mul, w, h), y], dtype) for x, h in zip(row, columns, strict=True))
        for row, w, y in zip(X, W, b, strict=True)
    )


def forward(layer: FeedForward, X: Matrix, dtype: Dtype) -> Matrix:
    hidden = tuple(tuple(max(mpq(0), z) for z in row) for row in read(layer.W_1, X, layer.b_1, dtype))
    return added(X, layer.W_2, hidden, layer.b_2, dtype)


def attend(layer: Attention, X: Matrix, dtype: Dtype) -> Matrix:
    none = (mpq(0),)
    least = 694 * (1 - dtype.finest)  # exp(-m) < 2^(finest - 1) where 1000 m >= this, for 1000 log 2 < 694
    heads = []
    for head in layer.heads:
        parts = ((head.W_K, none), (head.W_Q, head.b_Q), (head.W_V, none))
        (keys,), (queries,), (values,) = (read(W, X, b, dtype) for W, b in parts)
        made = []
        for query in queries:
            scores = [key * query for key in keys]
            best = winners(scores)
            top, won = scores[best[0]], [values[k] for k in best]
            slack = mpq(0) if all(map(dtype.holds, scores)) else 4 * max(map(abs, scores)) / 2**dtype.p
            if len(won) & (len(won) - 1) or len(set(won)) > 1:
                raise Rounded(f"{len(won)} columns share a head")
            if any(score != top and 1000 * (top - score - slack) < least for score in scores):
                raise Rounded("a share does not underflow to 0")
            total([value / len(won) for value in won], dtype)
            made.append(won[0])
        heads.append(tuple(made))
    return added(X, layer.W_O, tuple(heads), (mpq(0),) * len(X), dtype)


def hard(layer: Taken, X: Matrix, dtype: Dtype) -> Matrix:
    """A page's layer."""
    meter = Meter()
    tokens, exact = run_taken(layer, transpose(X), meter, dtype)
    if not exact or meter.bits > dtype.p or meter.least < dtype.finest or meter.most > dtype.most:
        raise Rounded(f"the layer {layer.name} rounds")
    return transpose(tokens)


def run(layers: Sequence[Layer | Taken], X: Matrix, dtype: Dtype, encoding: Matrix | None = None) -> Matrix:
    """The output that floats of the format compute for X; raises Rounded unless every order of summation is exact."""
    if encoding is not None:
        X = tuple(
            tuple(total(pair, dtype) for pair in zip(*rows, strict=True)) for rows in zip(X, encoding, strict=True)
        )
    for layer in layers:
        if isinstance(layer, Taken):
            X = hard(layer, X, dtype)
        else:
            X = attend(layer, X, dtype) if isinstance(layer, Attention) else forward(layer, X, dtype)
    return X
