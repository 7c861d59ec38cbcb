"""The network as `torch.nn.TransformerEncoderLayer` has it, where d <= 2: model dimension 2, two heads of size 1.

Each layer is one block, of which the other half adds 0:

    x <- x + out_proj(softmax(q k^T) v),  (q, k, v) = in_proj(x)         x <- x + linear2(relu(linear1(x)))

Norms are the identity, and there is no dropout. A token is a row of (batch, n, 2); with d = 1 its second entry is 0.
Scores are divided by the square root of the size of a head, 1.
"""

from collections.abc import Iterator

from verifier.build.layer import FeedForward, Named, Stack, tensors
from verifier.core.exact import Matrix, Q, Vector

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

    def get(name: str, height: int, width: int) -> Matrix:
        return padded(W.get(name, ()), height, width)  # type: ignore[arg-type]

    def get_vector(name: str, size: int) -> Vector:
        return padded_vector(W.get(name, ()), size)  # type: ignore[arg-type]

    yield "self_attn.in_proj_weight", get("W_Q", E, E) + get("W_K", E, E) + get("W_V", E, E)
    yield "self_attn.in_proj_bias", padded_vector(get_vector("b_Q", E), 3 * E)
    yield "self_attn.out_proj.weight", get("W_O", E, E)
    yield "self_attn.out_proj.bias", padded_vector((), E)
    yield "linear1.weight", get("W_1", r, E)
    yield "linear1.bias", get_vector("b_1", r)
    yield "linear2.weight", get("W_2", E, r)
    yield "linear2.bias", get_vector("b_2", E)


def named_tensors(stack: Stack) -> Iterator[tuple[str, Tensor]]:
    """Every tensor of the blocks; before them the encoding, (n, 2), if there is one."""
    if stack.encoding is not None:
        yield "encoding", padded(tuple(zip(*stack.encoding, strict=True)), stack.n, E)
    r = hidden(stack)
    for k, named in enumerate(stack.layers):
        for name, tensor in block(named, r):
            yield f"layers.{k}.{name}", tensor
