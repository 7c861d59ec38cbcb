"""The contextual map of yun2020.page: Lemma 6's, with positions that of Appendix C. Its layers are taken as matrices,
at the sizes asked for; hardmax is theirs, and lambda comes later."""

from functools import lru_cache

from verifier.build.layer import Attention, Head
from verifier.build.sizes import Sizes
from verifier.build.taken import Taken, members, taken
from verifier.evaluate.definition import Reading
from verifier.language.library import PAGES, text_of
from verifier.language.page import Understood, read


@lru_cache(maxsize=8)
def contextual_map(i: Sizes, positional: bool) -> tuple[Attention, ...]:
    """The layers of the sweep, and the global shift."""
    reading = Reading(_page(), vars(i), steps=float("inf"))
    networks = ("sweep'", "last'") if positional else ("sweep", "last")
    both = [part for network in networks for part in members(reading.nothing, network)]
    return tuple(attention(taken(reading.nothing, name, given, i.d, range(1, i.n + 1))) for name, given in both)


@lru_cache(maxsize=1)
def _page() -> Understood:
    return read(text_of(PAGES / "yun2020.page"))


def attention(layer: Taken) -> Attention:
    """A layer that adds to its tokens what its heads read, without a mask."""
    if not layer.keeps or any(layer.shift) or any(head.mask or any(head.shift) for head in layer.heads):
        raise ValueError(f"the layer {layer.name} is not X + what its heads read")
    return Attention(tuple(Head(h.out, h.values, h.keys, h.queries, h.bias) for h in layer.heads))
