"""FORMAT-build: an exported page. Each case is run by the page and by the weights; the files are written anew."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ..core.comparing import OverLimit, Rejected, compare
from ..core.hardmax import at_tie, largest
from ..core.reading import Unreadable, brief, decoded, fits, parse, text_of
from ..page.derive import Limits, deep, started
from ..page.evaluate import Scope
from ..page.tree import Tree
from ..page.words import Refused
from . import hard, modulus, quantiser
from .dyadic import DTYPES, Dtype, encode, floor_log2, needed
from .files import Parts, contents, safetensors, same_bytes, tensor
from .reading import Rows, members, rows

NETWORK, FILES = "verifier.network/3", ("weights.json", "model.safetensors", "model.onnx")
MEMBERS = (
    *("format", "page", "sizes", "run", "inputs", "dtype", "attention", "network", "exact", "float", "softmax"),
    *("quantiser", "modulus", "files", "not_covered"),
)
TIES = ("average", "leftmost", "rightmost")
RULE = "FORMAT-build 3"
MOST_CASES, MOST_LAYERS = 20_000, 5_000
Column = tuple[Fraction, ...]


class Head(NamedTuple):
    tie: str
    mask: list[list[bool]] | None
    K: Rows
    Q: Rows
    b: Rows
    V: Rows
    v: Rows
    O: Rows


class Layer(NamedTuple):
    D: Rows
    u: Rows
    heads: list[Head]
    W_1: Rows
    b_1: Rows
    W_2: Rows


class Meter:
    """The most bits of a sum; over all numbers, the least place and the largest exponent of two."""

    def __init__(self) -> None:
        self.bits = self.least = self.most = 0
        self.gaps: list[Fraction] = []  # of a largest score from others

    def meet(self, x: Fraction) -> None:
        if x:
            low = (x.numerator & -x.numerator).bit_length() - x.denominator.bit_length()
            self.least = min(self.least, low)
            self.most = max(self.most, low + (abs(x.numerator) // (x.numerator & -x.numerator)).bit_length() - 1)

    def sum(self, terms: list[Fraction], *, into_relu: bool = False) -> Fraction:
        there = [x for x in terms if x]
        total = sum(there, Fraction(0))
        if not there or (into_relu and max(there) < 0):
            return total
        for x in (*there, total):
            self.meet(x)
        if len(there) > 2:  # no partial sum overflows
            self.most = max(self.most, floor_log2(sum(map(abs, there), Fraction(0))))
        unit = max(x.denominator for x in there)  # each a power of two, but where a mean was rounded
        if all(unit % x.denominator == 0 for x in there):
            self.bits = max(self.bits, needed([int(x * unit) for x in there]))
        return total

    def merge(self, other: Meter) -> None:
        self.bits = max(self.bits, other.bits)
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        self.gaps = [min(self.gaps + other.gaps)] if self.gaps or other.gaps else []


class How(NamedTuple):
    """What the files are: softmax or hard attention, in a format."""

    soft: bool
    dtype: Dtype


def column(value: Any, place: str) -> Rows:
    if type(value) is not list:
        raise Unreadable(f"{place}: a list of rationals belongs there")
    return rows([[x] for x in value], place)


def sized(X: Rows, height: int, width: int, place: str) -> Rows:
    if (len(X), len(X[0])) != (height, width):
        raise Unreadable(f"{place}: a {len(X)} x {len(X[0])} matrix, and {height} x {width} is needed")
    return X


def layers_of(data: bytes, attention: str) -> tuple[int, list[Layer]]:
    """The network of weights.json."""
    value = members(parse(decoded(data)), ("format", "n", "attention", "layers"), "weights.json")
    if value["format"] != NETWORK or type(value["n"]) is not int or value["n"] < 1 or type(value["layers"]) is not list:
        raise Unreadable(f"weights.json: {NETWORK}, n and a list of layers belong there")
    compare(attention, value["attention"], "weights.json, attention", RULE)
    if not 0 < len(value["layers"]) <= MOST_LAYERS:
        raise OverLimit(f"weights.json: {len(value['layers'])} layers; 1 to {MOST_LAYERS:,} are read")
    found, d = list[Layer](), None
    for k, said in enumerate(value["layers"]):
        place = f"weights.json, layer {k}"
        its = set(said) if type(said) is dict else set()
        names = ("D", "u", *({"heads"} & its), *(("W_1", "b_1", "W_2") if "W_1" in its else ()))
        members(said, names, place)
        D = rows(said["D"], f"{place}.D")
        d = len(D[0]) if d is None else d
        high = len(D)
        sized(D, high, d, f"{place}.D")
        u = sized(column(said["u"], f"{place}.u"), high, 1, f"{place}.u")
        given = said.get("heads", [])
        if type(given) is not list:
            raise Unreadable(f"{place}.heads: a list belongs there")
        heads = [head_of(one, d, high, value["n"], f"{place}.heads[{h}]") for h, one in enumerate(given)]
        W_1 = b_1 = W_2 = []
        if "W_1" in said:
            W_1 = rows(said["W_1"], f"{place}.W_1")
            sized(W_1, len(W_1), d, f"{place}.W_1")
            b_1 = sized(column(said["b_1"], f"{place}.b_1"), len(W_1), 1, f"{place}.b_1")
            W_2 = sized(rows(said["W_2"], f"{place}.W_2"), high, len(W_1), f"{place}.W_2")
        found.append(Layer(D, u, heads, W_1, b_1, W_2))
        d = high
    return value["n"], found


def head_of(said: Any, d: int, high: int, n: int, place: str) -> Head:
    members(said, Head._fields, place)
    if said["tie"] not in TIES:
        raise Unreadable(f"{place}.tie: {', '.join(TIES)} belong there")
    mask = said["mask"]
    if mask is not None and not (
        type(mask) is list
        and len(mask) == n
        and all(type(row) is list and len(row) == n and all(type(x) is bool for x in row) for row in mask)
    ):
        raise Unreadable(f"{place}.mask: null, or {n} rows of {n} truths belong there")
    K, V = rows(said["K"], f"{place}.K"), rows(said["V"], f"{place}.V")
    return Head(
        said["tie"],
        mask,
        sized(K, len(K), d, f"{place}.K"),
        sized(rows(said["Q"], f"{place}.Q"), len(K), d, f"{place}.Q"),
        sized(column(said["b"], f"{place}.b"), len(K), 1, f"{place}.b"),
        sized(V, len(V), d, f"{place}.V"),
        sized(column(said["v"], f"{place}.v"), len(V), 1, f"{place}.v"),
        sized(rows(said["O"], f"{place}.O"), high, len(V), f"{place}.O"),
    )


# The network as it is stored


def product(
    row: Column | list[Fraction], x: Column | list[Fraction], meter: Meter, b: Fraction | None = None
) -> Fraction:
    """A row times a column; b: what is added to it on its way into a relu."""
    terms = [w * e for w, e in zip(row, x, strict=True) if w and e]
    return meter.sum(terms, into_relu=b is not None and b <= 0)


def affine(W: Rows, b: Rows, x: Column, meter: Meter) -> Column:
    return tuple(meter.sum([product(row, x, meter), c]) for row, (c,) in zip(W, b, strict=True))


def read(head: Head, X: list[Column], meter: Meter, how: How) -> tuple[list[Column], bool]:
    none = [[Fraction(0)]] * len(head.K)
    keys = [affine(head.K, none, x, meter) for x in X]
    values = [affine(head.V, head.v, x, meter) for x in X]
    known: dict[Any, tuple[Column, bool]] = {}  # equal tokens under equal masks read the same
    found = list[tuple[Column, bool]]()
    for i, x in enumerate(X):
        row = None if head.mask is None else tuple(head.mask[i])
        if (x, row) not in known:
            there = [j for j in range(len(X)) if row is None or row[j]]
            known[x, row] = read_by(head, x, there, keys, values, meter, how)
        found.append(known[x, row])
    return [mean for mean, _ in found], all(exact for _, exact in found)


def read_by(
    head: Head, x: Column, there: list[int], keys: list[Column], values: list[Column], meter: Meter, how: How
) -> tuple[Column, bool]:
    """What a token reads that may read those; is it a number of the dtype."""
    query, exact, mean = affine(head.Q, head.b, x, meter), True, list[Fraction]()
    scores = [product(keys[j], query, meter) for j in there]
    best = [there[k] for k in at_tie(largest(scores), head.tie)]
    if head.mask is not None and (how.soft or head.tie != "average"):
        for score in scores:
            meter.meet(2 * score)  # no score is the format's lowest number, which the masked ones get
    if head.tie == "average":
        meter.sum([Fraction(1)] * len(best))  # the files count them, and divide by their number
    if how.soft:
        return shares(scores, [values[j] for j in best], meter)
    for r in range(len(head.V)):
        total = meter.sum([values[j][r] for j in best])
        mean.append(total / max(1, len(best)))
        if held(mean[-1], how.dtype):
            meter.sum([mean[-1]])
        else:
            exact = False
    return tuple(mean), exact


def shares(scores: list[Fraction], best: list[Column], meter: Meter) -> tuple[Column, bool]:
    """With softmax: 1/t of each of the t that are read, if t is a power of two."""
    t = len(best)
    if not t:
        raise Rejected(RULE, "attention", "a token that reads something", "none, of which softmax makes something")
    top = max(scores)
    meter.gaps += [top - score for score in scores if score != top]
    columns = zip(*best, strict=True)
    if t.bit_count() != 1:
        return tuple(sum(column, Fraction(0)) / t for column in columns), False
    return tuple(meter.sum([v / t for v in column]) for column in columns), True


def held(x: Fraction, dtype: Dtype) -> bool:
    return x.denominator & (x.denominator - 1) == 0 and encode(x, dtype) is not None


def run(layer: Layer, X: list[Column], meter: Meter, how: How) -> tuple[list[Column], bool]:
    """The new tokens, each sum as the files have it; is every mean a number of the dtype."""
    reads = [read(head, X, meter, how) for head in layer.heads]
    made = list[Column]()
    for i, x in enumerate(X):
        hidden = [
            max(Fraction(0), meter.sum([product(row, x, meter, b), b], into_relu=True))
            for row, (b,) in zip(layer.W_1, layer.b_1, strict=True)
        ]
        token = []
        for r, (row, (u,)) in enumerate(zip(layer.D, layer.u, strict=True)):
            total, heard = meter.sum([product(row, x, meter), u]), Fraction(0)
            for head, (found, _) in zip(layer.heads, reads, strict=True):
                heard = meter.sum([heard, product(head.O[r], found[i], meter)])
            added = product(layer.W_2[r], hidden, meter) if hidden else Fraction(0)
            token.append(meter.sum([meter.sum([total, heard]), added]))
        made.append(tuple(token))
    return made, all(exact for _, exact in reads)


# The page


def cases_of(cert: dict[str, Any], limits: Limits) -> Iterator[tuple[int, list[Column], list[Column]]]:
    """Each case of the inputs: its rank, the tokens, and what the page's network makes of them."""
    page = started(cert["page"], cert["sizes"], {}, limits)
    define = page.page.defines.get(cert["run"])
    its = page.page.inputs.get(cert["inputs"])
    body = define.items[0].body if define is not None and define.letters is None and len(define.items) == 1 else None
    if its is None or body is None or body.op != "call" or body.word not in page.page.networks:
        raise Unreadable("run, inputs: a definition that runs a network, and inputs of the page belong there")
    if body.word != cert["network"]["name"]:
        raise Rejected(RULE, "network.name", body.word, brief(cert["network"]["name"]))
    cases, evaluator, scope = page.cases(its), page.evaluator, Scope()
    if cases.total > MOST_CASES:
        raise OverLimit(f"{its.name} has {cases.total:,} cases; at most {MOST_CASES:,} are run")
    before = evaluator.steps
    tokens, made = (evaluator.of(tree, scope) for tree in (body.parts[-1], Tree("name", body.place, word=cert["run"])))
    cost = evaluator.steps - before + 20
    for rank, case in cases.all():
        page.budget.spend(cost)
        e = scope.body.frame(case)
        Y, X = columns(made(e)), columns(tokens(e))  # in this order: it is the network that looks at its tokens
        yield rank, X, Y


def columns(tokens: Any) -> list[Column]:
    return [tuple([Fraction(x.numerator, x.denominator) for x in token.items]) for token in tokens.items]


# The certificate


@deep()
def check(value: Any, path: str, times: int) -> str:
    """What to print if it is accepted."""
    if path == "-":
        raise Unreadable("an exported page is checked in its folder, and stdin has none")
    cert = shape_fits(value)
    dtype = DTYPES[cert["dtype"]]
    folder = os.path.dirname(path) or "."
    files = {name: contents(folder, name) for name in FILES}
    n, layers = layers_of(files["weights.json"], cert["attention"])
    soft = cert["attention"] == "softmax"
    if soft and any(head.tie != "average" for layer in layers for head in layer.heads):
        raise Rejected(RULE, "attention", "heads that read the mean of the largest, for softmax", "first or last")
    expected = written(n, layers, dtype, soft=soft)
    for name, parts in expected.items():
        same_bytes(name, parts, files[name], f"{RULE}, the bytes of this network")
        compare(hashlib.sha256(files[name]).hexdigest(), cert["files"][name], f"files.{name}", f"{RULE}, SHA-256")
    try:
        derived = derive(cert, n, layers, dtype, Limits(Limits().cases * times, Limits().steps * times))
    except Refused as error:
        raise Unreadable(f"the page: {error}") from None
    for name in ("network", "exact", "float", "softmax", "quantiser", "modulus", "not_covered"):
        compare(derived[name], cert[name], name, RULE)
    many = derived["exact"]["cases"]
    rest = len(derived["exact"]["rounded"])
    at = ", ".join(f"{name} = {size}" for name, size in cert["sizes"].items())
    but = f", but for {rest} where a mean is rounded" if rest else ""
    deep_ = f"{len(layers)} layer{'s' * (len(layers) > 1)}{' with softmax' if soft else ''}"
    if cert["quantiser"] is not None:
        but += "; from any token of a cell as from its corner, off the strips"
    if cert["modulus"] is not None:
        but += "; f has the range and the constant that the page says"
    return (
        f"checked in full: {cert['run']} of the page{f' at {at}' if at else ''}, {deep_} in {dtype.name}:"
        f" the page's tokens, exactly, in all {many} cases of {cert['inputs']} with {n} tokens{but}"
    )


def shape_fits(value: Any) -> dict[str, Any]:
    cert = members(value, MEMBERS, "the certificate")
    if type(cert["page"]) is not str:
        raise Unreadable("page: the text of a page is expected")
    for name in ("run", "inputs"):
        fits("text", cert[name], name)
    sizes = cert["sizes"]
    if type(sizes) is not dict or not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise Unreadable("sizes: whole numbers, 0 or more, are expected")
    fits(tuple(DTYPES), cert["dtype"], "dtype")
    fits(("hard", "softmax"), cert["attention"], "attention")
    members(cert["network"], ("name", "tokens", "layers", "parameters"), "network")
    fits(dict.fromkeys(FILES, "text"), cert["files"], "files")
    fits(["text"], cert["not_covered"], "not_covered")
    return cert


def assumed(dtype: Dtype, *, soft: bool) -> list[str]:
    words = [
        "a sum or product whose exact value the format holds is that value, and no operation changes the order of"
        " two numbers (IEEE 754, round to nearest; with or without fused multiply-add)"
    ]
    exp = [
        f"exp(0) = 1, and exp(t) = 0 for t <= -{dtype.underflow}",
        "1/t is exact for t a power of two up to n, and a product with 0 is 0",
    ]
    return words + exp if soft else words


def derive(cert: dict[str, Any], n: int, layers: list[Layer], dtype: Dtype, limits: Limits) -> dict[str, Any]:
    """All that follows from the page and the weights; Rejected where they make different tokens."""
    soft, grid = cert["attention"] == "softmax", quantiser.read(cert["quantiser"], layers)
    meters, rounded, cases = [Meter() for _ in layers], list[int](), 0
    d = len(layers[0].D[0])
    for rank, X, Y in cases_of(cert, limits):
        if len(X) != n:
            if len(X) > n:
                raise Rejected(RULE, f"case {rank}", f"at most {n} tokens", f"{len(X)}")
            continue
        cases += 1
        if {len(x) for x in X} != {d}:
            raise Rejected(RULE, f"case {rank}", f"tokens of {d} entries", f"{sorted({len(x) for x in X})}")
        if not all(held(e, dtype) for x in X for e in x):
            raise Rejected(
                RULE, f"case {rank}", f"tokens that {dtype.name} has", brief([list(map(text_of, x)) for x in X])
            )
        if grid is not None and not all(e in grid.corners for x in X for e in x):
            raise Rejected(RULE, f"case {rank}", "corners of the quantiser's cells", brief(list(map(text_of, X[0]))))
        mine, exact = [Meter() for _ in layers], True
        Z, how = X, How(soft, dtype)
        for layer, meter in zip(layers, mine, strict=True):
            Z, its = run(layer, Z, meter, how)
            exact = exact and its
        if Z != Y:
            wanted, found = (brief([list(map(text_of, z)) for z in side]) for side in (Y, Z))
            raise Rejected(f"{RULE}, the tokens of the page", f"case {rank}", wanted, found)
        if exact:
            for meter, its_own in zip(meters, mine, strict=True):
                meter.merge(its_own)
        else:
            rounded.append(rank)
    if not cases or len(rounded) == cases:
        raise Rejected(RULE, "exact.cases", "a case that is exact", f"{cases} cases, {len(rounded)} rounded")
    total, count = Meter(), 0
    for layer in layers:
        for _, W in named(layer):
            for x in (x for row in W for x in row):
                total.meet(x)
                count += 1
    for meter in meters:
        total.merge(meter)
    bits = [meter.bits for meter in meters]
    if grid is not None:
        bits = [max(b, grid.bits) if k < grid.layers else b for k, b in enumerate(bits)]
    gap = total.gaps[0] if soft and total.gaps else None
    if gap is not None and gap < dtype.underflow:
        raise Rejected(RULE, "softmax.gap", f"at least {dtype.underflow}", text_of(gap))
    if max(bits) > dtype.p:
        raise Rejected(RULE, "float.needed", f"at most {dtype.p} bits", f"{max(bits)}")
    if total.least < dtype.least or total.most > dtype.most:
        raise Rejected(RULE, "float.exponents", f"within {dtype.name}'s", f"[{total.least}, {total.most}]")
    words = [f"tokens that are those of no case of {cert['inputs']}, or not {n} of them", "other sizes"]
    if rounded:
        words.append(f"the output in {dtype.name} on the cases of `rounded`, where a mean is no number of the format")
    last = "a runtime that rounds where no rounding is needed, or that hasn't an operation in this format"
    network = {"name": cert["network"]["name"], "tokens": n, "layers": len(layers), "parameters": count}
    floats = {
        "bits": bits,
        "needed": max(bits),
        "p": dtype.p,
        "exponents": [total.least, total.most],
        "assumed": assumed(dtype, soft=soft),
    }
    exact_ = {"cases": cases, "rounded": sorted(rounded)}
    return {"network": network, "exact": exact_, "float": floats, "not_covered": [*words, last]} | {
        "softmax": {"gap": "none" if gap is None else text_of(gap), "underflow": dtype.underflow} if soft else None,
        "quantiser": cert["quantiser"],
        "modulus": None if cert["modulus"] is None else modulus.of_page(cert["page"], cert["sizes"], limits),
    }


# The files, written anew


def named(layer: Layer) -> Iterator[tuple[str, Rows]]:
    yield "D", layer.D
    yield "u", layer.u
    for h, head in enumerate(layer.heads):
        yield from ((f"heads.{h}.{name}", getattr(head, name)) for name in ("K", "Q", "b", "V", "v", "O"))
    if layer.W_1:
        yield from (("W_1", layer.W_1), ("b_1", layer.b_1), ("W_2", layer.W_2))


FLAT = ("u", "b", "v", "b_1")


def written(n: int, layers: list[Layer], dtype: Dtype, *, soft: bool) -> dict[str, Parts]:
    found = [
        tensor(
            f"layers.{k}.{name}",
            f"layer {k}, {name}",
            W,
            dtype,
            flat=name.rpartition(".")[2] in FLAT,
        )
        for k, layer in enumerate(layers)
        for name, W in named(layer)
    ]
    return {
        "model.safetensors": safetensors(NETWORK, dtype, found),
        "model.onnx": hard.onnx(n, layers, dtype, found, soft=soft),
        "weights.json": weights(n, layers, soft=soft),
    }


def weights(n: int, layers: list[Layer], *, soft: bool) -> Parts:
    said = []
    for layer in layers:
        entry: dict[str, Any] = {}
        for name, W in named(layer):
            value = [[text_of(x) for x in row] for row in W]
            flat = [row[0] for row in value] if name.rpartition(".")[2] in FLAT else value
            if name.startswith("heads."):
                _, h, part = name.split(".")
                heads = entry.setdefault("heads", [])
                if int(h) == len(heads):
                    head = layer.heads[int(h)]
                    heads.append({"tie": head.tie, "mask": head.mask})
                heads[int(h)][part] = flat
            else:
                entry[name] = flat
        said.append(entry)
    text = (
        json.dumps(
            {"attention": "softmax" if soft else "hard", "format": NETWORK, "layers": said, "n": n},
            indent=1,
            sort_keys=True,
        )
        + "\n"
    )
    return [("weights.json", text.encode())]


def as_promised(value: dict[str, Any]) -> dict[str, Any]:
    """An exported page has no claims, so that its certificate keeps no promise."""
    return {"instance": value["sizes"], "claims": []}
