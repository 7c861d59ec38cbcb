"""Whether floats compute a network exactly at a point: every sum in any order, with or without fused operations, by the
meter of an export. For a softmax, the shares of all but the winners must underflow to 0, and the winners' be exact; it
is an assumption that a runtime's exp and softmax behave so.
"""

from collections.abc import Sequence

from verifier.build.dtype import Dtype
from verifier.build.exported import run as run_layer
from verifier.build.meter import Meter
from verifier.build.runs import NotExported
from verifier.build.taken import Taken
from verifier.core.exact import Matrix


class Rounded(ArithmeticError):
    """Floats of the format may round here."""


def run(layers: Sequence[Taken], X: Matrix, dtype: Dtype, *, soft: bool = False) -> Matrix:
    """The output that floats of the format compute for X; raises Rounded unless every order of summation is exact."""
    tokens = transpose(X)
    for layer in layers:
        meter = Meter()
        try:
            tokens, exact = run_layer(layer, tokens, meter, dtype, soft=soft)
        except NotExported as error:
            raise Rounded(str(error)) from None
        exact = exact and (meter.gap is None or meter.gap >= dtype.underflow)
        if not exact or meter.bits > dtype.p or meter.least < dtype.finest or meter.most > dtype.most:
            raise Rounded(f"the layer {layer.name} rounds")
    return transpose(tokens)


def transpose(X: Matrix) -> Matrix:
    return tuple(zip(*X, strict=True))
