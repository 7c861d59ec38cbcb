"""A page's network as a Transformer in files: its weights, and what floats make of them on every case of the inputs.

What is exported is a definition `Y = g(...)` of the page: the layers of g, as `taken` has them, one after the other, on
the tokens that stand there. Attention is hard: of the tokens with the largest score the mean, the first or the last.
Every case is run by the weights and by the page; the tokens must be equal. (FORMAT-build.md, 8.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from gmpy2 import mpq

from verifier.build.dtype import Dtype, dyadic
from verifier.build.export import MOST_BYTES, packed, texts
from verifier.build.hard import onnx
from verifier.build.meter import Meter
from verifier.build.taken import Head, Taken, members, taken
from verifier.certificate import TooLong, canonical
from verifier.core.exact import Matrix, Q, Vector
from verifier.core.hardmax import winners
from verifier.evaluate.definition import Reading
from verifier.evaluate.values import Disagree
from verifier.language.page import Understood
from verifier.language.tree import Call, Name, Page

FORMAT, NETWORK = "verifier.export/1", "verifier.network/2"
MOST_CASES, MOST_LAYERS = 20_000, 2_000
CERTIFIED = ("weights.json", "model.safetensors", "model.onnx")


class NotExported(ValueError):
    """What has no such files: `kind` is malformed or limit."""

    def __init__(self, message: str, kind: str = "malformed") -> None:
        super().__init__(message)
        self.kind = kind


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


def exported(understood: Understood, sizes: dict[str, int], name: str | None, on: str | None, dtype: Dtype) -> Exported:
    page = understood.page
    name, call = definition(page, name)
    inputs = inputs_of(page, call, on)
    reading = Reading(understood, sizes)
    if (many := reading.space(inputs).cases) > MOST_CASES:
        raise NotExported(f"{inputs} has {many:,} cases; at most {MOST_CASES:,} are run", "limit")
    *given, tokens = call.arguments
    parameters = tuple(reading.nothing(a, {}) for a in given)
    layers: tuple[Taken, ...] = ()
    meters: list[Meter] = []
    rounded, cases, n = list[int](), 0, 0
    for rank, case in reversed(list(enumerate(reading.cases(inputs)))):  # from the longest
        X = matrix(case(tokens, {}))
        if not layers and X:
            n = len(X)
            layers = stack(reading, call.name, parameters, len(X[0]), n, dtype)
            meters = [Meter() for _ in layers]
        if len(X) != n:
            continue
        if (x := next((x for token in X for x in token if not dtype.holds(x)), None)) is not None:
            raise NotExported(
                f"case {rank} of {inputs} has a token with {x}, which is no number of {dtype.name}", "limit"
            )
        mine = [Meter() for _ in layers]
        Y, exact = X, True
        for layer, meter in zip(layers, mine, strict=True):
            Y, its = run(layer, Y, meter, dtype)
            exact = exact and its
        if matrix(case(Name(call.place, name), {})) != Y:
            raise Disagree(f"the weights of {call.name} make other tokens than the page, at case {rank} of {inputs}")
        if exact:
            for meter, its_own in zip(meters, mine, strict=True):
                meter.merge(its_own)
        else:
            rounded.append(rank)
        cases += 1
    if not cases:
        raise NotExported(f"{inputs} has no case with a token")
    total = Meter()
    for layer in layers:
        for w in numbers(layer):
            total.meet(w)
    for meter in meters:
        total.merge(meter)
    b = Exported(
        page,
        {size: sizes[size] for size in page.sizes},
        name,
        call.name,
        inputs,
        dtype,
        n,
        layers,
        cases,
        tuple(sorted(rounded)),
        tuple(meter.bits for meter in meters),
        (total.least, total.most),
    )
    refuse_inexact(b)
    return b


def definition(page: Page, name: str | None) -> tuple[str, Call]:
    """The definition that is exported, and its call of a network."""
    calls = {
        one: its.body
        for one, its in page.definitions.items()
        if isinstance(its.body, Call) and its.body.name in page.networks
    }
    if name is None and len(calls) == 1:
        (name,) = calls
    if not calls:
        run = next(iter(page.networks), "g")
        raise NotExported(f"no definition is the run of a network alone; write one, such as `Y = {run}(...)`")
    if name not in calls:
        which = ", ".join(calls)
        said = "several definitions run a network" if name is None else f"{name} is no definition that runs a network"
        raise NotExported(f"{said} (`Y = g(...)`); --run names one of: {which}")
    return name, calls[name]


def inputs_of(page: Page, call: Call, on: str | None) -> str:
    """The inputs whose cases are run."""
    spoken, left = set[str](), list[Any]([call])
    while left:
        for one in names(left.pop()):
            if one not in spoken:
                spoken.add(one)
                left += [(vars(kind[one]),) for kind in (page.definitions, page.functions) if one in kind]
    its = [inputs.name for inputs in page.inputs.values() if inputs.variable in spoken]
    if on is None and its:
        return its[0]
    if on not in its:
        raise NotExported(
            f"the network runs on no inputs {on or ''}".rstrip() + f"; --on names one of: {', '.join(its)}"
        )
    return on


def names(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, tuple | list):
        if isinstance(tree, Name | Call):
            yield tree.name
        for part in tree:
            yield from names(part)


def matrix(tokens: Any) -> Matrix:
    """Tokens, one after the other."""
    return tuple(tuple(token.items) for token in tokens.items)


def stack(reading: Reading, network: str, given: tuple[Any, ...], d: int, n: int, dtype: Dtype) -> tuple[Taken, ...]:
    found = list[Taken]()
    for name, at in members(reading, network, given):
        layer = taken(reading, name, at, d, n)
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
        raise NotExported(f"the network {network} has no layer at these sizes")
    return tuple(found)


def refuse_inexact(b: Exported) -> None:
    p, (least, most) = b.dtype.p, b.exponents
    if max(b.bits) > p:
        layer = b.layers[b.bits.index(max(b.bits))]
        raise NotExported(f"the layer {layer.name} needs {max(b.bits)} bits, and {b.dtype.name} has {p}", "limit")
    if least < b.dtype.least or most > b.dtype.most:
        raise NotExported(f"its numbers run from 2^{least} to 2^{most}, beyond {b.dtype.name}", "limit")
    if len(b.rounded) == b.cases:
        raise NotExported(f"in every case a mean is no number of {b.dtype.name}, so that nothing is exact", "limit")


def run(layer: Taken, X: Matrix, meter: Meter, dtype: Dtype) -> tuple[Matrix, bool]:
    """The new tokens; whether every mean is a number of the format. The meter records the bits of every sum."""
    exact, reads = True, []
    for head in layer.heads:
        its, fits = attend(head, X, meter, dtype)
        reads.append((head, its))
        exact = exact and fits
    new = []
    for i, x in enumerate(X):
        hidden = tuple(
            max(Q(0), meter.sum([*(w * e for w, e in zip(row, x, strict=True)), b], into_relu=True))
            for row, b in zip(layer.W_1, layer.b_1, strict=True)
        )
        token = []
        for r, (row, u) in enumerate(zip(layer.own, layer.shift, strict=True)):
            terms = [*(w * e for w, e in zip(row, x, strict=True)), u]
            for head, its in reads:
                terms += [w * e for w, e in zip(head.out[r], its[i], strict=True)]
            if hidden:
                terms += [w * e for w, e in zip(layer.W_2[r], hidden, strict=True)]
            token.append(meter.sum(terms))
        new.append(tuple(token))
    return tuple(new), exact


def attend(head: Head, X: Matrix, meter: Meter, dtype: Dtype) -> tuple[list[Vector], bool]:
    """What each token reads."""

    def rows(W: Matrix, x: Vector, b: Vector | None = None) -> Vector:
        shift = b or (Q(0),) * len(W)
        return tuple(
            meter.sum([*(w * e for w, e in zip(row, x, strict=True)), c]) for row, c in zip(W, shift, strict=True)
        )

    keys, values = [rows(head.keys, x) for x in X], [rows(head.values, x, head.shift) for x in X]
    found: dict[Any, tuple[Vector, bool]] = {}  # equal tokens under equal masks read the same

    def mean(x: Vector, mask: tuple[bool, ...] | None) -> tuple[Vector, bool]:
        query = rows(head.queries, x, head.bias)
        seen = [j for j in range(len(X)) if mask is None or mask[j]]
        scores = [meter.sum([k * q for k, q in zip(keys[j], query, strict=True)]) for j in seen]
        best = [seen[k] for k in winners(scores, head.tie)]
        if head.tie == "average":
            meter.sum([Q(1)] * len(best))  # the files count them, and divide by their number
        elif mask is not None:
            for score in scores:
                meter.meet(2 * score)  # the files give what is masked the format's lowest number, which none may be
        total = [meter.sum([values[j][r] for j in best]) for r in range(len(head.values))]
        entries = tuple(t / len(best) if best else Q(0) for t in total)
        for m in filter(dyadic, entries):
            meter.sum([m])
        return entries, all(map(dtype.holds, entries))

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
            {"format": NETWORK, "n": b.n, "layers": [layer_json(layer) for layer in b.layers]}, MOST_BYTES
        ),
        "model.safetensors": packed(
            NETWORK,
            ((f"layers.{k}.{name}", W) for k, layer in enumerate(b.layers) for name, W in tensors(layer)),
            b.dtype,
            nearest=False,
        ),
        "model.onnx": onnx(b.layers, len(b.layers[0].own[0]), len(b.layers[-1].own), b.n, b.dtype),
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
        "network": {
            "name": b.network,
            "tokens": b.n,
            "layers": len(b.layers),
            "parameters": sum(len(numbers(layer)) for layer in b.layers),
        },
        "exact": {"cases": b.cases, "rounded": list(b.rounded)},
        "float": {"bits": list(b.bits), "needed": max(b.bits), "p": b.dtype.p, "exponents": list(b.exponents)},
        "files": {name: sha256(made[name]).hexdigest() for name in CERTIFIED},
        "not_covered": not_covered(b),
    }


def not_covered(b: Exported) -> list[str]:
    words = [f"tokens that are those of no case of {b.inputs}, or not {b.n} of them", "other sizes"]
    if b.rounded:
        words.append(f"the output in {b.dtype.name} on the cases of `rounded`, where a mean is no number of the format")
    return [*words, "a runtime that rounds where no rounding is needed, or that hasn't an operation in this format"]


def told(b: Exported) -> str:
    """In a sentence or two."""
    heads = max((len(layer.heads) for layer in b.layers), default=0)
    rest = f", but for {len(b.rounded):,} where a mean is rounded" if b.rounded else ""
    size = f"{many(len(b.layers), 'layer')}, at most {many(heads, 'head')}, {many(b.n, 'token')}"
    return (
        f"{b.name} = {b.network}(...): {size}. In {b.dtype.name} the output is the page's, exactly, in all {b.cases:,}"
        f" cases of {b.inputs} with as many{rest}: {max(b.bits)} of {b.dtype.p} bits are needed. Attention is hard: of"
        " the tokens with the largest score the mean (or the first, or the last)."
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
