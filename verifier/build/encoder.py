"""The network as `torch.nn.TransformerEncoderLayer` has it, where d <= 2: model dimension 2, two heads of size 1.

Each layer is one block, of which the other half adds 0:

    x <- x + out_proj(softmax(q k^T) v),  (q, k, v) = in_proj(x)         x <- x + linear2(relu(linear1(x)))

Norms are the identity, and there is no dropout. A token is a row of (batch, n, 2); with d = 1 its second entry is 0.
Scores are divided by the square root of the size of a head, 1.
"""

from collections.abc import Iterator

from verifier.build.layer import Named, Stack, tensors
from verifier.core.exact import Matrix, Q, Vector
from verifier.core.layers import FeedForward

FORMAT = "verifier.core.encoder/1"
E = 2  # model dimension, and heads
Tensor = Matrix | Vector


def serves(stack: Stack) -> bool:
    return stack.d <= E


def padded(rows: Matrix, height: int, width: int) -> Matrix:
    zero = Q(0)
    wide = [(*row, *(zero,) * (width - len(row))) for row in rows]
    return tuple(wide + [(zero,) * width] * (height - len(rows)))


def padded_vector(entries: Vector, size: int) -> Vector:
    return (*entries, *(Q(0),) * (size - len(entries)))


def hidden(stack: Stack) -> int:
    """The width of every token-wise half, dim_feedforward: the largest r of a layer."""
    return max(len(named.layer.b_1) for named in stack.layers if isinstance(named.layer, FeedForward))


def block(named: Named, r: int) -> Iterator[tuple[str, Tensor]]:
    """The parameters of one block, by PyTorch's names."""
    W = tensors(named.layer)
    attention = {name: padded((), E, E) for name in ("W_Q", "W_K", "W_V", "W_O")}
    b_Q, first, b_1, second, b_2 = (
        padded_vector((), E),
        padded((), r, E),
        padded_vector((), r),
        padded((), E, r),
        padded_vector((), E),
    )
    if isinstance(named.layer, FeedForward):
        first, second = padded(W["W_1"], r, E), padded(W["W_2"], E, r)  # type: ignore[arg-type]
        b_1, b_2 = padded_vector(W["b_1"], r), padded_vector(W["b_2"], E)  # type: ignore[arg-type]
    else:
        attention = {name: padded(W[name], E, E) for name in attention}  # type: ignore[arg-type]
        b_Q = padded_vector(W["b_Q"], E)  # type: ignore[arg-type]
    yield "self_attn.in_proj_weight", (*attention["W_Q"], *attention["W_K"], *attention["W_V"])
    yield "self_attn.in_proj_bias", padded_vector(b_Q, 3 * E)
    yield "self_attn.out_proj.weight", attention["W_O"]
    yield "self_attn.out_proj.bias", padded_vector((), E)
    yield "linear1.weight", first
    yield "linear1.bias", b_1
    yield "linear2.weight", second
    yield "linear2.bias", b_2


def named_tensors(stack: Stack) -> Iterator[tuple[str, Tensor]]:
    """Every tensor of the blocks; before them the encoding, (n, 2), if there is one."""
    if stack.encoding is not None:
        yield "encoding", padded(tuple(zip(*stack.encoding, strict=True)), stack.n, E)
    r = hidden(stack)
    for k, named in enumerate(stack.layers):
        for name, tensor in block(named, r):
            yield f"layers.{k}.{name}", tensor
