"""A construction of your own, as its certificate carries it: its networks' weights, its cases, and their images.

The checker has no second reading of it. It runs these layers on these cases, literally, and compares the images. What
the claims say about these remains the producer's word, as the checker says (proofs/format/own.md).
"""

import re
from typing import Any

from verifier.core.case import NetworkCase
from verifier.core.construction import Construction, NotCertifiable
from verifier.core.exact import Matrix, text_of
from verifier.core.layers import Attention, FeedForward
from verifier.core.network import Layer, Network

MOST_CASES = 20_000  # in a certificate
_SIGNS = "_.'^*/+()-"
_NAME = re.compile(f"(?! )[A-Za-z0-9 {_SIGNS}]{{1,60}}(?<! )")


def carried(g: Construction) -> dict[str, Any]:
    """The networks, and for each case its matrix, its image, and which network made it."""
    if wrong := [name for name in (*g.sizes, *g.constants) if not _NAME.fullmatch(name)]:
        raise NotCertifiable(
            f"{wrong[0]!r:.80} is no name: a certificate's has 1 to 60 letters, digits, spaces and {_SIGNS}"
        )
    if g.space.size > MOST_CASES:
        raise NotCertifiable(f"{g.space.size:,} cases; a certificate carries at most {MOST_CASES:,}")
    networks = {name: [layer_data(layer) for layer in network.layers] for name, network in g.networks.items()}
    names = {id(network): name for name, network in g.networks.items()}
    cases = []
    for number in range(g.space.size):
        case = g.space.at(number)
        if not isinstance(case, NetworkCase):
            raise NotCertifiable("the cases of its space are no NetworkCase, so that a checker could run nothing again")
        name = names.get(id(case.network)) or _same(g.networks, case.network)
        cases.append(
            {
                "network": name,
                "category": g.space.category(case),
                "matrices": case.stands_for,
                "X": rows(case.X),
                "image": rows(case.image),
            }
        )
    return {"title": g.title, "networks": networks, "cases": cases}


def _same(networks: Any, network: Network) -> str:
    for name, other in networks.items():
        if other == network:
            return str(name)
    raise NotCertifiable("a case runs through a network that is none of the construction's `networks`")


def rows(X: Matrix) -> list[list[str]]:
    return [[text_of(x) for x in row] for row in X]


def layer_data(layer: Layer) -> dict[str, Any]:
    """A layer's weights as JSON."""
    if type(layer) is Attention:
        heads = [
            {name: rows(getattr(head, name)) for name in ("W_O", "W_V", "W_K", "W_Q")}
            | {"b_Q": list(map(text_of, head.b_Q))}
            for head in layer.heads
        ]
        return {"attention": heads}
    if type(layer) is FeedForward:
        phi = layer.phi
        return {
            "feed-forward": {
                "W_1": rows(layer.W_1),
                "b_1": list(map(text_of, layer.b_1)),
                "W_2": rows(layer.W_2),
                "b_2": list(map(text_of, layer.b_2)),
                "breaks": list(map(text_of, phi.breaks)),
                "pieces": [[text_of(slope), text_of(intercept)] for slope, intercept in phi.pieces],
                "left_owned": [text_of(t) for t in sorted(phi.left_owned)],
            }
        }
    raise NotCertifiable(f"a certificate carries attention and feed-forward layers, and no {type(layer).__name__}")
