"""FORMAT-build 3b: encoder.safetensors, the same network as blocks of torch.nn.TransformerEncoder."""

from __future__ import annotations

from fractions import Fraction

from .dyadic import Dtype
from .files import Network, Rows, packed

FILE, KIND, E = "encoder.safetensors", "verifier.core.encoder/1", 2
VECTORS = ("in_proj_bias", "bias")


def grown(X: Rows, height: int, width: int) -> Rows:
    """With zeros below and to the right."""
    zero = Fraction(0)
    return [[X[i][j] if i < len(X) and j < len(X[i]) else zero for j in range(width)] for i in range(height)]


def wanted(network: Network, tensors: dict[str, Rows]) -> dict[str, Rows]:
    """Every tensor that there must be, from the tensors of the layers (section 3); a vector is one column."""
    made: dict[str, Rows] = {}
    if network.encoding is not None:
        made["encoding"] = grown([list(row) for row in zip(*tensors["encoding"], strict=True)], network.n, E)
    r = max(len(it.tensors["b_1"]) for it in network.layers if it.kind == "feedforward")
    for k in range(len(network.layers)):

        def get(name: str, height: int, width: int, k: int = k) -> Rows:
            return grown(tensors.get(f"layers.{k}.{name}", []), height, width)

        at = f"layers.{k}."
        made[at + "self_attn.in_proj_weight"] = get("W_Q", E, E) + get("W_K", E, E) + get("W_V", E, E)
        made[at + "self_attn.in_proj_bias"] = get("b_Q", 3 * E, 1)
        made[at + "self_attn.out_proj.weight"] = get("W_O", E, E)
        made[at + "self_attn.out_proj.bias"] = grown([], E, 1)
        made[at + "linear1.weight"] = get("W_1", r, E)
        made[at + "linear1.bias"] = get("b_1", r, 1)
        made[at + "linear2.weight"] = get("W_2", E, r)
        made[at + "linear2.bias"] = get("b_2", E, 1)
    return made


def from_encoder(data: bytes, expected: dict[str, Rows]) -> tuple[Dtype, dict[str, Rows]]:
    """What the file holds, by the names and shapes of what is expected."""
    shapes = [(name, (len(X), len(X[0])), name.rpartition(".")[2] in VECTORS) for name, X in expected.items()]
    return packed(data, FILE, KIND, shapes)
