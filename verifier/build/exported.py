"""A page's network as a Transformer in files: its weights, and what floats make of them on every case of the inputs.

What is exported is a definition `Y = g(...)` of the page: the layers of g, as `taken` has them, one after the other, on
the tokens that stand there. Attention is hard: of the tokens with the largest score the mean, the first or the last.
Every case is run by the weights and by the page; the tokens must be equal. (FORMAT-build.md, 8.)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from gmpy2 import mpq

from verifier.build.dtype import Dtype, dyadic
from verifier.build.export import MOST_BYTES, packed, texts
from verifier.build.hard import onnx
from verifier.build.meter import UNMETERED, Meter
from verifier.build.modulus import Modulus, of_page
from verifier.build.quantiser import Quantiser, quantiser_of
from verifier.build.runs import NotExported, run_of
from verifier.build.taken import Head, Taken, members, taken
from verifier.certificate import TooLong, canonical
from verifier.core.exact import Matrix, Q, Vector, text_of
from verifier.core.hardmax import winners
from verifier.evaluate.definition import Case, Reading
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.values import Disagree, List, exact
from verifier.language.page import Understood
from verifier.language.tree import Call, Each, Expression, Name, Page

FORMAT, NETWORK = "verifier.export/2", "verifier.network/3"
MOST_CASES, MOST_LAYERS = 20_000, 5_000
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx")


@dataclass(frozen=True)
class Exported:
    page: Page
    sizes: dict[str, int]
    name: str  # of the definition
    network: str
    inputs: str
    dtype: Dtype
    n: int
    layers: tuple[Taken, ...]
    cases: int
    rounded: tuple[int, ...]  # ranks of cases where a mean is no number of the format
    bits: tuple[int, ...]
    exponents: tuple[int, int]
    soft: bool  # softmax in the files
    gap: mpq | None  # of the largest score from the next
    quantiser: Quantiser | None
    modulus: Modulus | None


def exported(
    understood: Understood, sizes: dict[str, int], name: str | None, on: str | None, dtype: Dtype, *, soft: bool = False
) -> Exported:
    understood, name, call, inputs = run_of(understood, name, on)
    page, reading = understood.page, Reading(understood, sizes)
    if (many := reading.space(inputs).cases) > MOST_CASES:
        raise NotExported(f"{inputs} has {many:,} cases; at most {MOST_CASES:,} are run", "limit")
    *given, tokens = call.arguments
    entered = through(reading, tokens, inputs)
    n = max((len(X.items) for X in entered), default=0)
    ranks = [rank for rank, X in enumerate(entered) if n and len(X.items) == n]
    if not ranks:
        raise NotExported(f"{inputs} has no case with a token")
    made = through(reading, Name(call.place, name), inputs)
    starts = {rank: matrix(entered[rank]) for rank in ranks}
    for rank in ranks:
        if any(token.first != 1 for token in entered[rank].items):
            raise NotExported(f"case {rank} of {inputs} has a token whose entries don't begin at index 1")
        if (x := next((x for token in starts[rank] for x in token if not dtype.holds(x)), None)) is not None:
            raise NotExported(
                f"case {rank} of {inputs} has a token with {x}, which is no number of {dtype.name}", "limit"
            )
    cases = {rank: reading.case(inputs, rank) for rank in ranks}
    same_arguments(page, cases, inputs, given, call.name)
    first = entered[ranks[0]].first
    layers = stack(cases[ranks[0]], call, range(first, first + n), dict.fromkeys(starts.values()), dtype)
    if soft and (name_ := next((it.name for it in layers if any(h.tie != "average" for h in it.heads)), None)):
        raise NotExported(f"the layer {name_} reads the first or the last of equal scores; softmax reads their mean")
    meters = [Meter() for _ in layers]
    rounded = list[int]()
    for rank in ranks:
        mine = [Meter() for _ in layers]
        Y, exact = starts[rank], True
        for layer, meter in zip(layers, mine, strict=True):
            Y, held = run(layer, Y, meter, dtype, soft=soft)
            exact = exact and held
        if matrix(made[rank]) != Y:
            raise Disagree(f"the weights of {call.name} make other tokens than the page, at case {rank} of {inputs}")
        if exact:
            for meter, its_own in zip(meters, mine, strict=True):
                meter.merge(its_own)
        else:
            rounded.append(rank)
    total = Meter()
    for layer in layers:
        for w in numbers(layer):
            total.meet(w)
    for meter in meters:
        total.merge(meter)
    quantiser = quantiser_of(layers)
    if quantiser is not None and not all(map(quantiser.corners, starts.values())):
        quantiser = None
    if quantiser is not None:
        for k in range(quantiser.layers):
            meters[k].bits = max(meters[k].bits, quantiser.bits)
    b = Exported(
        page,
        {size: sizes[size] for size in page.sizes},
        name,
        call.name,
        inputs,
        dtype,
        n,
        layers,
        len(ranks),
        tuple(rounded),
        tuple(meter.bits for meter in meters),
        (total.least, total.most),
        soft,
        total.gap,
        quantiser,
        of_page(understood, sizes),
    )
    refuse_inexact(b)
    return b


def same_arguments(page: Page, cases: dict[int, Case], inputs: str, given: list[Expression], network: str) -> None:
    """The network has weights of its own for each number of items, and for its arguments: they must be alike."""
    seen: dict[Any, int] = {}
    variable = page.inputs[inputs].variable
    for rank, case in cases.items():
        items = case.variables[variable]
        key = (len(items) if isinstance(items, List) else 0, *(exact(case(argument, {})) for argument in given))
        seen.setdefault(key, rank)
    if len(seen) > 1:
        (first, a), (second, b), *_ = seen.items()
        raise NotExported(
            f"{network} has other weights in case {b} of {inputs} than in case {a}, which has as many tokens: there are"
            f" {second[0]} and {first[0]} items, and the arguments differ, or may; --on names inputs of one kind"
        )


def through(reading: Reading, tree: Expression, inputs: str) -> list[Any]:
    """The values of an expression in all cases of the inputs, by the quick reading."""
    return Quick(reading).gathered(Each(tree.place, tree, None, None, inputs, None))


def matrix(tokens: Any) -> Matrix:
    """Tokens, one after the other."""
    return tuple(tuple(map(mpq, token.items)) for token in tokens.items)


def stack(case: Case, call: Call, places: range, starts: Iterable[Matrix], dtype: Dtype) -> tuple[Taken, ...]:
    """The layers of the network that is called; `starts`: the tokens of all cases."""
    found = list[Taken]()
    met, done = list(starts), 0  # the tokens of all cases, behind so many layers
    d = len(met[0][0])

    def tokens() -> dict[Vector, None]:
        """All that the next layer meets."""
        nonlocal met, done
        for layer in found[done:]:
            met = list(dict.fromkeys(run(layer, X, UNMETERED, dtype)[0] for X in met))
        done = len(found)
        return dict.fromkeys(token for X in met for token in X)

    for name, at in members(case, call.name, tuple(case(argument, {}) for argument in call.arguments[:-1])):
        layer = taken(case, name, at, d, places, tokens)
        if len(found) == MOST_LAYERS:
            raise NotExported(f"more than {MOST_LAYERS:,} layers", "limit")
        for w in numbers(layer):
            if not dtype.holds(w):
                raise NotExported(
                    f"the layer {layer.name} has the weight {w}, which is no number of {dtype.name}", "limit"
                )
        found.append(layer)
        d = len(layer.own)
    if not found:
        raise NotExported(f"the network {call.name} has no layer at these sizes")
    return tuple(found)


def refuse_inexact(b: Exported) -> None:
    p, (least, most) = b.dtype.p, b.exponents
    if max(b.bits) > p:
        layer = b.layers[b.bits.index(max(b.bits))]
        raise NotExported(f"the layer {layer.name} needs {max(b.bits)} bits, and {b.dtype.name} has {p}", "limit")
    if least < b.dtype.least or most > b.dtype.most:
        raise NotExported(f"its numbers run from 2^{least} to 2^{most}, beyond {b.dtype.name}", "limit")
    if b.soft and b.gap is not None and b.gap < b.dtype.underflow:
        raise NotExported(
            f"scores are only {b.gap} apart, and exp is 0 in {b.dtype.name} from -{b.dtype.underflow} down; larger keys"
            " help",
            "limit",
        )
    if len(b.rounded) == b.cases:
        raise NotExported(
            f"in every case a mean, or a share of one, is no number of {b.dtype.name}, so that nothing is exact",
            "limit",
        )


def run(layer: Taken, X: Matrix, meter: Meter, dtype: Dtype, *, soft: bool = False) -> tuple[Matrix, bool]:
    """The new tokens; whether every mean is a number of the format. The meter records the bits of every sum, as the
    files have it: each row of a matrix times a column, then what is added to it, one after the other."""
    exact, reads = True, []
    for head in layer.heads:
        read, fits = attend(head, X, meter, dtype, soft=soft)
        reads.append((head, read))
        exact = exact and fits
    new = []
    for i, x in enumerate(X):
        hidden = tuple(
            max(Q(0), meter.sum([meter.product(row, x, into_relu=b <= 0), b], into_relu=True))
            for row, b in zip(layer.W_1, layer.b_1, strict=True)
        )
        token = []
        for r, (row, u) in enumerate(zip(layer.own, layer.shift, strict=True)):
            total = meter.sum([meter.product(row, x), u])
            heard = Q(0)
            for head, read in reads:
                heard = meter.sum([heard, meter.product(head.out[r], read[i])])
            added = meter.product(layer.W_2[r], hidden) if hidden else Q(0)
            token.append(meter.sum([meter.sum([total, heard]), added]))
        new.append(tuple(token))
    return tuple(new), exact


def attend(head: Head, X: Matrix, meter: Meter, dtype: Dtype, *, soft: bool = False) -> tuple[list[Vector], bool]:
    """What each token reads. With softmax the weights are 1/t, of the t largest scores, and 0."""

    def rows(W: Matrix, x: Vector, b: Vector | None = None) -> Vector:
        return tuple(meter.sum([meter.product(row, x), c]) for row, c in zip(W, b or (Q(0),) * len(W), strict=True))

    keys, values = [rows(head.keys, x) for x in X], [rows(head.values, x, head.shift) for x in X]
    found: dict[Any, tuple[Vector, bool]] = {}  # equal tokens under equal masks read the same

    def mean(x: Vector, mask: tuple[bool, ...] | None) -> tuple[Vector, bool]:
        query = rows(head.queries, x, head.bias)
        seen = [j for j in range(len(X)) if mask is None or mask[j]]
        scores = [meter.product(keys[j], query) for j in seen]
        best = [seen[k] for k in winners(scores, head.tie)]
        if mask is not None and (soft or head.tie != "average"):
            for score in scores:
                meter.meet(2 * score)  # the files give what is masked the format's lowest number, which none may be
        if head.tie == "average":
            meter.sum([Q(1)] * len(best))  # the files count them, and divide by their number
        if soft:
            return shares(scores, [values[j] for j in best])
        total = [meter.sum([values[j][r] for j in best]) for r in range(len(head.values))]
        entries = tuple(t / len(best) if best else Q(0) for t in total)
        for m in filter(dyadic, entries):
            meter.sum([m])
        return entries, all(map(dtype.holds, entries))

    def shares(scores: list[mpq], read: list[Vector]) -> tuple[Vector, bool]:
        t = len(read)
        if not t:
            raise NotExported("a token reads nothing, by a mask, of which softmax makes something")
        meter.apart(scores)
        if t & (t - 1):
            return tuple(sum(column, Q(0)) / t for column in zip(*read, strict=True)), False
        return tuple(meter.sum([v / t for v in column]) for column in zip(*read, strict=True)), True

    for i, x in enumerate(X):
        key = (x, None if head.mask is None else head.mask[i])
        if key not in found:
            found[key] = mean(*key)
    reads = [found[x, None if head.mask is None else head.mask[i]] for i, x in enumerate(X)]
    return [entries for entries, _ in reads], all(exact for _, exact in reads)


def tensors(layer: Taken) -> list[tuple[str, Matrix | Vector]]:
    """The weights by their names, in their order."""
    found: list[tuple[str, Matrix | Vector]] = [("D", layer.own), ("u", layer.shift)]
    for h, head in enumerate(layer.heads):
        parts = (("K", head.keys), ("Q", head.queries), ("b", head.bias), ("V", head.values), ("v", head.shift))
        found += [(f"heads.{h}.{name}", part) for name, part in (*parts, ("O", head.out))]
    if layer.W_1:
        found += [("W_1", layer.W_1), ("b_1", layer.b_1), ("W_2", layer.W_2)]
    return found


def numbers(layer: Taken) -> list[mpq]:
    return [x for _, W in tensors(layer) for row in W for x in (row if isinstance(row, tuple) else (row,))]


def layer_json(layer: Taken) -> dict[str, Any]:
    said: dict[str, Any] = {name: texts(W) for name, W in tensors(layer) if not name.startswith("heads.")}
    if layer.heads:
        said["heads"] = [
            {"tie": head.tie, "mask": None if head.mask is None else [list(row) for row in head.mask]}
            | {name.split(".")[2]: texts(W) for name, W in tensors(layer) if name.startswith(f"heads.{h}.")}
            for h, head in enumerate(layer.heads)
        ]
    return said


def contents(b: Exported) -> dict[str, bytes]:
    """Each file by its name."""
    found = {
        "weights.json": canonical(
            {
                "format": NETWORK,
                "n": b.n,
                "attention": attention(b),
                "layers": [layer_json(layer) for layer in b.layers],
            },
            MOST_BYTES,
        ),
        "model.safetensors": packed(
            NETWORK,
            ((f"layers.{k}.{name}", W) for k, layer in enumerate(b.layers) for name, W in tensors(layer)),
            b.dtype,
        ),
        "model.onnx": onnx(b.layers, len(b.layers[0].own[0]), len(b.layers[-1].own), b.n, b.dtype, soft=b.soft),
    }
    for name, data in found.items():
        if len(data) > MOST_BYTES:
            raise TooLong(f"{name} would have {len(data):,} bytes, and at most {MOST_BYTES:,} are read")
    found["model.py"] = files("verifier.build").joinpath("hard.py.txt").read_bytes()
    found["certificate.json"] = canonical(certificate(b, found))
    found["README.md"] = readme(b).encode()
    return found


def certificate(b: Exported, made: dict[str, bytes]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "page": b.page.text,
        "sizes": b.sizes,
        "run": b.name,
        "inputs": b.inputs,
        "dtype": b.dtype.name,
        "attention": attention(b),
        "network": {
            "name": b.network,
            "tokens": b.n,
            "layers": len(b.layers),
            "parameters": sum(len(numbers(layer)) for layer in b.layers),
        },
        "exact": {"cases": b.cases, "rounded": list(b.rounded)},
        "float": {
            "bits": list(b.bits),
            "needed": max(b.bits),
            "p": b.dtype.p,
            "exponents": list(b.exponents),
            "assumed": assumed(b),
        },
        "softmax": softmax(b),
        "quantiser": None if b.quantiser is None else b.quantiser.said(),
        "modulus": None if b.modulus is None else b.modulus.said(),
        "files": {name: sha256(made[name]).hexdigest() for name in CERTIFIED},
        "not_covered": not_covered(b),
    }


def attention(b: Exported) -> str:
    return "softmax" if b.soft else "hard"


def softmax(b: Exported) -> dict[str, object] | None:
    if not b.soft:
        return None
    return {"gap": "none" if b.gap is None else text_of(b.gap), "underflow": b.dtype.underflow}


def assumed(b: Exported) -> list[str]:
    words = [
        "a sum or product whose exact value the format holds is that value, and no operation changes the order of"
        " two numbers (IEEE 754, round to nearest; with or without fused multiply-add)"
    ]
    if not b.soft:
        return words
    return [
        *words,
        f"exp(0) = 1, and exp(t) = 0 for t <= -{b.dtype.underflow}",
        "1/t is exact for t a power of two up to n, and a product with 0 is 0",
    ]


def not_covered(b: Exported) -> list[str]:
    words = [f"tokens that are those of no case of {b.inputs}, or not {b.n} of them", "other sizes"]
    if b.rounded:
        words.append(f"the output in {b.dtype.name} on the cases of `rounded`, where a mean is no number of the format")
    return [*words, "a runtime that rounds where no rounding is needed, or that hasn't an operation in this format"]


def told(b: Exported) -> str:
    """In a sentence or two."""
    heads = max((len(layer.heads) for layer in b.layers), default=0)
    rest = f", but for {len(b.rounded):,} where a mean is rounded" if b.rounded else ""
    how = "Attention is hard: of the tokens with the largest score the mean (or the first, or the last)."
    if b.soft:
        how = f"Attention is softmax: scores that differ do so by {b.gap} or more, where exp is 0."
    if b.quantiser is not None:
        how += (
            f" So it is for all tokens of the cells, from each number to delta - epsilon = {b.quantiser.wide} above it."
        )
    size = f"{many(len(b.layers), 'layer')}, at most {many(heads, 'head')}, {many(b.n, 'token')}"
    tables = [layer.name for layer in b.layers if layer.table]
    fit = f" Of {', '.join(tables)} the ReLUs go through the values that occur." if tables else ""
    return (
        f"{b.name} = {b.network}(...): {size}. In {b.dtype.name} the output is the page's, exactly, in all {b.cases:,}"
        f" cases of {b.inputs} with as many{rest}: {max(b.bits)} of {b.dtype.p} bits are needed. {how}{fit}"
    )


def many(k: int, what: str) -> str:
    return f"{k} {what}{'s' * (k != 1)}"


def readme(b: Exported) -> str:
    at = ", ".join(f"{name} = {size}" for name, size in b.sizes.items())
    return f"""# {b.page.title or b.network}, as a Transformer

Written by `verify export` at {at}. {told(b)}

`model.onnx` takes X, tokens as columns: (batch, {len(b.layers[0].own[0])}, {b.n}), those that stand in `{b.name}`,
and gives Y, (batch, {len(b.layers[-1].own)}, {b.n}). `model.py` runs `model.safetensors` in PyTorch.
`weights.json` has the weights as rationals.
`verify check certificate.json` runs every case again, by code of its own, and writes the files anew.
"""
