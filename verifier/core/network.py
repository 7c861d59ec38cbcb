"""A network is a stack of layers, as data: run it, trace it, count its size."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gmpy2 import mpq

from verifier.core.exact import Matrix, MatrixLike, NotExact, matrix, matrix_of_rows, shortened, text_of
from verifier.core.layers import Attention, FeedForward
from verifier.core.notebook import MOST, table_html


class Layer(Protocol):
    """Anything that maps a matrix to a matrix and has a number of parameters."""

    @property
    def parameters(self) -> int: ...

    def apply(self, X: Any, /) -> Matrix: ...  # Any: ours take lists too; one of your own may take tuples alone


class Arithmetic:
    """A layer whose `apply` only adds and multiplies entries, so that it can be run on many matrices at once."""

    def apply(self, X: Matrix, /) -> Matrix:
        raise NotImplementedError


class BadLayer(NotExact):
    """A layer whose result is not an exact matrix of the same shape."""


class Step(NamedTuple):
    """What one layer did: the matrix before and after, and the value of each head (none without heads)."""

    layer: Layer
    before: Matrix
    values: tuple[Matrix, ...]
    after: Matrix


def _described(layer: Layer) -> tuple[str, str]:
    """Its kind, and the numbers that distinguish it from its neighbours."""
    if isinstance(layer, Attention):
        heads = [f"W_O = {_weights(head.W_O)}, b_Q = {_weights((head.b_Q,))}" for head in layer.heads[:4]]
        heads += [f"and {left} more"] if (left := len(layer.heads[4:])) else []
        return f"attention, {len(layer.heads)} head{'s' * (len(layer.heads) != 1)}", "; ".join(heads)
    if isinstance(layer, FeedForward):
        return f"feed-forward, hidden size {layer.r}", f"{len(layer.phi.pieces)} pieces"
    return type(layer).__name__, f"{layer.parameters:,} parameters"


def _weights(weights: Matrix) -> str:
    """A number alone as it is, a small matrix by its rows; of another one what isn't 0, at most three, and where."""
    if len(weights) == len(weights[0]) == 1:
        return _short(weights[0][0])
    whole = f"[{'; '.join(', '.join(map(text_of, row)) for row in weights)}]"
    if len(whole) <= 24:
        return whole
    at = [f"{_short(w)} at ({i}, {k})" for i, row in enumerate(weights, 1) for k, w in enumerate(row, 1) if w]
    return f"{', '.join(at[:3])}{f' and {len(at) - 3} more' if at[3:] else ''}" if at else "0"


def _short(number: mpq) -> str:
    return shortened(text_of(number), 24)


def applied(k: int, layer: Layer, X: Matrix) -> Matrix:
    """Apply a user's own layer to X; the result must be exact and have the shape of X."""
    try:
        after = matrix(layer.apply(X))
    except (NotExact, TypeError, ValueError) as error:
        raise BadLayer(f"layer {k}, {type(layer).__name__}: {error}") from error
    if (len(after), len(after[0])) != (len(X), len(X[0])):
        shape = f"{len(after)} x {len(after[0])}"
        raise BadLayer(f"layer {k}, {type(layer).__name__}: it makes a {shape} matrix of a {len(X)} x {len(X[0])} one")
    return after


class Layers(tuple[Layer, ...]):
    """The layers of a network. They show themselves in at most ten lines, however many they are."""

    __slots__ = ()

    def __repr__(self) -> str:
        if len(self) <= 10:
            return f"({''.join(f'{layer!r},{chr(10)} ' for layer in self).rstrip()})"
        shown = "".join(f"{layer!r},\n " for layer in self[:9])
        return f"({shown}... and {len(self) - 9:,} more: layers[9], ..., layers[{len(self) - 1}])"


@dataclass(frozen=True)
class Size:
    layers: int
    h: int  # the most heads in a layer
    m: int  # the largest head
    r: int  # the widest hidden layer
    parameters: int


@dataclass(frozen=True)
class Network:
    """A stack of layers, the first applied first; `+` puts one stack behind another."""

    layers: tuple[Layer, ...] = ()

    if TYPE_CHECKING:  # what it takes; what it then has is said above

        def __init__(self, layers: Iterable[Layer] = ()) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", Layers(self.layers))
        for k, layer in enumerate(self.layers):
            if not callable(getattr(layer, "apply", None)) or type(getattr(layer, "parameters", None)) is not int:
                raise TypeError(f"layer {k}, {layer!r}: a layer has apply(X) and a whole number of parameters")

    def __add__(self, other: "Network") -> "Network":
        return Network(self.layers + other.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def with_layer(self, k: int, layer: Layer) -> "Network":
        """The same stack with another layer in place k."""
        layers = list(self.layers)
        layers[self._place(k)] = layer
        return Network(tuple(layers))

    def without_layer(self, k: int) -> "Network":
        """The same stack with the layer in place k left out."""
        layers = list(self.layers)
        del layers[self._place(k)]
        return Network(tuple(layers))

    def _place(self, k: int) -> int:
        if type(k) is not int:
            raise TypeError(
                f"{k!r} is no number of a layer; there are {len(self.layers)}, from 0 to {len(self.layers) - 1}"
            )
        if not -len(self.layers) <= k < len(self.layers):
            raise IndexError(f"there is no layer {k}; there are {len(self.layers)}, from 0 to {len(self.layers) - 1}")
        return k

    def __repr__(self) -> str:
        """One line; `layers` has the weights."""
        size = self.size
        layers = f"{size.layers} layer{'' if size.layers == 1 else 's'}"
        return f"<Network: {layers}, h = {size.h}, m = {size.m}, {size.parameters:,} parameters>"

    def _repr_html_(self, title: str = "") -> str:
        rows = [(str(k), *_described(layer)) for k, layer in enumerate(self.layers[:MOST])]
        return table_html(title or repr(self)[1:-1], ("layer", "kind", "numbers"), rows, len(self))

    def run(self, X: MatrixLike) -> Matrix:
        """Apply all layers to X."""
        result = self._taken(X)
        for step in self.trace(result):
            result = step.after
        return result

    def trace(self, X: MatrixLike) -> Iterator[Step]:
        """Apply the layers to X one after the other: a step for each."""
        before = self._taken(X)
        for k, layer in enumerate(self.layers):
            if type(layer) is Attention:
                values = layer.values(before)
                after = layer.combine(before, values)
            else:
                values, after = (), applied(k, layer, before)
            if after == before:
                after = before  # the same object: quick to compare, and stored once
            yield Step(layer, before, values, after)
            before = after

    def _taken(self, X: MatrixLike) -> Matrix:
        """X as an exact matrix, with the rows that the first layer takes."""
        d = self.layers[0].d if self.layers and isinstance(self.layers[0], Attention | FeedForward) else None
        return matrix(X) if d is None else matrix_of_rows(X, d, "this network")

    @property
    def size(self) -> Size:
        """The number of layers, the paper's (h, m, r), and the number of parameters."""
        heads = [head for layer in self.layers if type(layer) is Attention for head in layer.heads]
        return Size(
            layers=len(self.layers),
            h=max((len(layer.heads) for layer in self.layers if type(layer) is Attention), default=0),
            m=max((head.m for head in heads), default=0),
            r=max((layer.r for layer in self.layers if isinstance(layer, FeedForward)), default=0),
            parameters=sum(layer.parameters for layer in self.layers),
        )
