"""FORMAT-build 4b: encoder.safetensors, the same network as blocks of torch.nn.TransformerEncoder."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .dyadic import Dtype
from .files import Network, Tensor, tensor
from .reading import E, Rows

KIND = "verifier.core.encoder/1"


def grown(X: Rows, height: int, width: int) -> Rows:
    """With zeros below and to the right."""
    zero = Fraction(0)
    return [[X[i][j] if i < len(X) and j < len(X[i]) else zero for j in range(width)] for i in range(height)]


def tensors(network: Network, dtype: Dtype, *, rounded: bool) -> Iterator[Tensor]:
    """Every tensor, in order."""
    if network.encoding is not None:
        turned = grown([list(row) for row in zip(*network.encoding, strict=True)], network.n, E)
        yield tensor("encoding", "encoding", turned, dtype, flat=False, rounded=rounded)
    r = max(len(it.tensors["b_1"]) for it in network.layers if it.kind == "feedforward")
    for k, layer in enumerate(network.layers):

        def get(name: str, height: int, width: int, its: dict[str, Rows] = layer.tensors) -> Rows:
            return grown(its.get(name, []), height, width)

        block = {
            "self_attn.in_proj_weight": get("W_Q", E, E) + get("W_K", E, E) + get("W_V", E, E),
            "self_attn.in_proj_bias": get("b_Q", 3 * E, 1),
            "self_attn.out_proj.weight": get("W_O", E, E),
            "self_attn.out_proj.bias": grown([], E, 1),
            "linear1.weight": get("W_1", r, E),
            "linear1.bias": get("b_1", r, 1),
            "linear2.weight": get("W_2", E, r),
            "linear2.bias": get("b_2", E, 1),
        }
        for name, X in block.items():
            place = f"layer {k} ({layer.name}), {name}"
            yield tensor(f"layers.{k}.{name}", place, X, dtype, flat=name.endswith("bias"), rounded=rounded)
