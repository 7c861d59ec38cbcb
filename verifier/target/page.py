"""The page of a network for a target: quantiser, contextual map and value map (Yun et al. 2020, Lemmas 5 to 7, and with
positions Appendix C), with claims that say what it computes. What certifies a page certifies it.

`float` is not the paper's network: the contextual map is, and the other layers are written so that floats compute them
exactly. The quantiser has weights 1 and -1, and squeezes each cell to a multiple of epsilon before it stretches all of
them. Keys are written in descending order, by steps that never come down; what was written has a negative id, by S, so
that no later step meets it. A layer then gives S back, and a clip to the targets' range comes last.

`paper` is, block for block, `cube_network` (with positions, `positional_network`) of Construction.v.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, prod
from typing import Any

from gmpy2 import mpq

from verifier.build.dtype import Dtype, floor, floor_log2, power_above, two_to
from verifier.build.exported import through
from verifier.build.modulus import Modulus, modulus
from verifier.core.exact import Q
from verifier.evaluate.definition import Reading
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.values import List
from verifier.language.library import packaged
from verifier.language.page import Understood, read
from verifier.language.tree import Call, Name, Number
from verifier.language.words import Refused, TooLarge

STRIP = 16  # epsilon = delta / 2^16, where the format allows it
SOFTMAX = two_to(-64)  # lambda is so large that the bound of softmax is below this
FEW = 4_096  # words: where there are more, claims speak of orbits
MOST_LAYERS, MOST_COLUMNS = 5_000, 20_000
MOST_K = 3_000  # squares of a bound of about 2^-K then have no more digits than a certificate holds
OTHERS = ("language ", "title ", "sizes ", "inputs ", "category ", "layer ", "network ", "claim ")
EXAMPLE = "an example is 'f(j) = X[j][1] * sum(X) / n'"
PLACES = 4  # decimals of the distances that are claimed, rounded up


class NoPage(ValueError):
    """There is no such network: `kind` is malformed or limit."""

    def __init__(self, message: str, kind: str = "malformed") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Asked:
    """What a network is asked for. `dtype` says how narrow strips and how large scores may be."""

    target: str
    d: int
    n: int
    N: int
    form: str
    positional: bool
    dtype: Dtype
    epsilon: mpq | None = None
    rate: mpq | None = None  # lambda
    bits: int = 20  # targets are multiples of 2^-bits

    @property
    def B(self) -> int:
        return int(self.N**self.d)

    @property
    def delta(self) -> mpq:
        return Q(1, self.N)

    @property
    def levels(self) -> int:
        return self.B * (self.n if self.positional else 1)

    @property
    def last(self) -> int:
        """The factor of the global shift."""
        return int(self.B ** (self.n + 1)) * (self.n * self.N if self.positional else 1)


def page_of(a: Asked) -> str:
    """The page, with its claims."""
    refuse(a)
    epsilon, rate = strips(a), heat(a)
    lost: list[list[int]] = []
    bare = understood(a, written(a, epsilon, rate, lost, None, {}))
    if orders(a):
        refuse_uneven(bare)
    if a.form == "float" and not a.positional:
        lost = contradictions(bare)
    found = modulus(bare, {}, a.d, a.n)
    claimed = claims(packaged(written(a, epsilon, rate, lost, found, {})), distances=found is not None)
    return packaged(written(a, epsilon, rate, lost, found, claimed))


def understood(a: Asked, text: str) -> Understood:
    """The page; what is refused of the target is said with its place there."""
    if not a.target.strip() or "```" in a.target:
        raise NoPage(f"--target: plain lines make one; {EXAMPLE}")
    if any(line.startswith(OTHERS) for line in a.target.splitlines()):
        raise NoPage(f"--target: definitions alone make one; {EXAMPLE}")
    before = text[: text.index(a.target.strip("\n"))].count("\n")
    try:
        page = read(packaged(text))
        if "f" not in page.page.functions or len(page.page.functions["f"].letters) != 1:
            raise NoPage(f"--target: it doesn't define f(j), column j of the output; {EXAMPLE}")
        case = next(Reading(page, {}).cases("cells"))
        for j in range(1, a.n + 1):
            column = case(Call((0, 0), "f", [Number((0, 0), j)]), {})
            if not isinstance(column, List) or column.kind != ("list", "number") or len(column) != a.d:
                raise NoPage(f"--target: f({j}) must be a list of d = {a.d} numbers, such as [X[j][1]]")
    except Refused as error:
        line, lines = error.place[0] - before, a.target.strip("\n").count("\n") + 1
        where = f"line {line}, column {error.place[1]}: " if 1 <= line <= lines else ""
        hint = f"; {EXAMPLE}" if "no function f" in error.message else ""
        raise NoPage(f"--target: {where}{error.message}{hint}", kind_of(error)) from None
    return page


def refuse_uneven(page: Understood) -> None:
    """Refuses a target that tells columns apart by their places: equal columns of a cell have equal values, in whatever
    order the columns stand."""
    table: dict[Any, Any] = {}
    for numbers, columns in of_cases(page, "orders", "numbers", "A"):
        for k, column in zip(numbers, columns, strict=True):
            if table.setdefault((*sorted(numbers), k), column) != column:
                told = ", ".join(map(str, numbers))
                raise NoPage(
                    f"--target: f tells columns apart by their places: of the cell with the columns {told} column {k}"
                    " has another value than in another order; write X[j], or X[m] for m in 1..n in a sum, max, min or"
                    " sorted; or give --positional"
                )


def kind_of(error: Refused) -> str:
    return "limit" if isinstance(error, TooLarge) else "malformed"


def refuse(a: Asked) -> None:
    for name, least in (("d", 1), ("n", 2), ("N", 2)):
        if getattr(a, name) < least:
            raise NoPage(f"{name} = {getattr(a, name)} is too small; {name} must be at least {least}")
    layers, columns = layers_of(a), cases_of(a) * a.n
    if layers > MOST_LAYERS:
        raise NoPage(
            f"at {sizes(a)} the network has {large(layers)} layers; at most {MOST_LAYERS:,} are written", "limit"
        )
    if columns > MOST_COLUMNS:
        raise NoPage(
            f"at {sizes(a)} there are {large(columns)} columns in {large(columns // a.n)} cells or orbits; at most"
            f" {MOST_COLUMNS:,} are run",
            "limit",
        )
    if a.form == "float" and a.N & (a.N - 1):
        below = 1 << (a.N.bit_length() - 1)
        near = below if a.N - below <= 2 * below - a.N and below >= 2 else 2 * below
        raise NoPage(
            f"N = {a.N} is no power of two, so that delta = 1/{a.N} is no number of any float format, and no network of"
            f" the form float is exact; the nearest that works is N = {near} (--form paper is exact in rationals alone)"
        )


def sizes(a: Asked) -> str:
    return f"(d, n, N) = ({a.d}, {a.n}, {a.N})"


def large(count: int) -> str:
    return f"{count:,}" if count < 10**15 else f"about 2^{count.bit_length() - 1}"


def layers_of(a: Asked) -> int:
    """The quantiser's, the sweep's and the last shift, one for each key, and what follows."""
    cells = a.d * a.N * (a.n if a.positional else 1)
    if a.form == "paper":
        orders = a.B**a.n if a.positional else prod(max(a.B - j, 0) for j in range(a.n))
        return cells + a.levels + 1 + a.n * orders + a.d
    keys = a.n * a.B**a.n if a.positional else sum(m * comb(a.B, m) for m in range(1, min(a.n, a.B) + 1))
    return cells + a.d + a.levels + 1 + keys + 1 + a.d


def cases_of(a: Asked) -> int:
    return a.B**a.n if a.positional or a.form == "paper" else comb(a.B + a.n - 1, a.n)


def strips(a: Asked) -> mpq:
    """epsilon: as narrow as the format allows, down to delta/2^16; of the paper's form delta/64."""
    spare = a.dtype.p - ((a.n - 1).bit_length() if a.positional else 0) - (a.N.bit_length() - 1)
    if a.form == "float" and spare < 1:
        raise NoPage(f"{a.dtype.name} has {a.dtype.p} bits, too few for the quantiser of N = {a.N} cells", "limit")
    if a.epsilon is None:
        return a.delta / (two_to(min(STRIP, spare)) if a.form == "float" else 64)
    if not 0 < a.epsilon <= a.delta / 2:
        raise NoPage(f"epsilon = {a.epsilon}: it must be above 0 and at most delta/2 = {a.delta / 2}")
    if a.form == "float" and (power_above(a.epsilon) != a.epsilon or a.epsilon < a.delta / two_to(spare)):
        raise NoPage(
            f"epsilon = {a.epsilon}: it must be a power of two, at least {a.delta / two_to(spare)} in {a.dtype.name}"
        )
    return a.epsilon


def heat(a: Asked) -> mpq:
    """lambda: the least power of two with which softmax is hardmax in floats, and nearly so in numbers; of the paper's
    form the least that its proof needs."""
    if a.form == "float":
        R = Q(a.n * a.B ** (a.n + 1)) if a.positional else Q(a.B**a.n * (a.B - 1), a.N)
        unit = 2 * R * (a.n - 1) * (1 + 2 * a.B) ** a.levels * (1 + a.last)
        K = floor_log2(unit / SOFTMAX) + 1
        least = power_above(max(Q(2 * a.N**2 * a.dtype.underflow), Q(32 * a.N**2 * K, 9)))
    else:
        hits = min(a.levels, a.n * (2 * a.n - 1 if a.positional else 1))
        off = 4 * a.n * a.N * ((1 + 2 * a.B) ** hits * (1 + (a.levels - hits) * a.B) - 1)
        least = (Q(off + a.last * (off + 2 * a.n * a.N)) + 1) * max(4 * a.N, 1024)
    if a.rate is None:
        return least
    if a.form == "float" and 9 * a.rate > 32 * a.N**2 * (MOST_K + 1):
        most = two_to(floor_log2(Q(32 * a.N**2 * (MOST_K + 1), 9)))
        raise NoPage(f"lambda is too large: at {sizes(a)} at most {most} is written, or bounds are too long", "limit")
    if a.rate < least or (a.form == "float" and power_above(a.rate) != a.rate):
        what = "a power of two, at least" if a.form == "float" else "at least"
        raise NoPage(f"lambda = {a.rate}: it must be {what} {least}")
    return a.rate


def contradictions(page: Understood) -> list[list[int]]:
    """The orbits that are lost: with repeated columns, two orbits may have the same key and different targets. Orbits
    with the most distinct columns come first, then those of the most matrices."""
    order, table, lost = [], dict[Any, Any](), dict[int, list[int]]()
    for rank, (numbers, keys, images, targets, weight) in enumerate(of_cases(page, "cells", *PARTS)):
        columns = list(zip(keys, images, targets, strict=True))
        order.append((-len(set(numbers)), -weight, rank, numbers, columns))
    for _, _, rank, numbers, columns in sorted(order):
        new: dict[Any, Any] = {}
        if all(new.setdefault(key, rest) == rest and table.get(key, rest) == rest for key, *rest in columns):
            table |= new
        else:
            lost[rank] = [int(k) for k in numbers]
    return [lost[rank] for rank in sorted(lost)]


PARTS = ("numbers", "keys", "H", "A", "weight")


def of_cases(page: Understood, inputs: str, *names: str) -> Iterator[tuple[Any, ...]]:
    """The values of these definitions in each case."""
    reading = Reading(page, {})
    return zip(*(map(plain, through(reading, Name((0, 0), name), inputs)) for name in names), strict=True)


def plain(v: Any) -> Any:
    return tuple(map(plain, v.items)) if hasattr(v, "items") else mpq(v)


def claims(text: str, *, distances: bool) -> dict[str, str]:
    """What the claims say: the share that is lost, and distances in decimals, rounded up."""
    case = Quick(Reading(read(text), {})).nothing

    def constant(name: str) -> mpq:
        return mpq(case(Name((0, 0), name), {}))

    found = {"lost_share": str(constant("lost_share"))}
    for name in ("worst", "far", "first", "second") if distances else ():
        found[name] = f"{-floor(-constant(name) * 10**PLACES)}/{10**PLACES}"
    return found


def written(
    a: Asked, epsilon: mpq, rate: mpq, lost: list[list[int]], found: Modulus | None, claimed: dict[str, str]
) -> str:
    """The page. claimed: the numbers of its claims, which are 0 where they aren't known yet."""
    paper = a.form == "paper"
    words = a.positional or paper
    lines = [
        "language 1",
        f'title "A network for f, at (d, n, N) = ({a.d}, {a.n}, {a.N})"',
        "# Written by `verify build`, from the target f. Quantiser, contextual map and value map, after Yun et al.",
        *(
            ["# 2020; block for block a network of proofs/coq/universal/Construction.v."]
            if paper
            else [
                "# 2020; the contextual map is the paper's, the other layers are such that floats compute them exactly."
            ]
        ),
        f"d = {a.d}",
        f"n = {a.n}",
        f"N = {a.N}",
        "delta = 1/N",
        "B = N^d",
        "u = [N^(r-1) for r in 1..d]",
        "id(c) = dot(u, c)",
        f"epsilon = {epsilon}                    # the width of the strips between cells",
        f"lambda = {rate}                        # the factor of the scores, for softmax",
        "",
        "# The cells, each by its corner L, and the target.",
        *inputs(a),
        f"X = [[L[k][r] + {'0' if paper else 'delta/2'} for r in 1..d] for k in 1..n]",
        a.target.strip("\n"),
        *(
            ["A[j] = f(j) for j in 1..n"]
            if paper
            else [
                f"quantum = 2^-{a.bits}",
                "A[j] = [((y + quantum/2) div quantum)*quantum for y in f(j)] for j in 1..n",
            ]
        ),
        "numbers = [N*id(L[k]) for k in 1..n]",
        *kept(a, lost),
        "start[j] = [L[j][r] + j - 1 for r in 1..d] for j in 1..n" if a.positional else "start = L",
        "",
        *(paper_quantiser(a) if paper else quantiser(a)),
        *contextual(a),
        *(paper_values() if paper else values()),
        "network whole:",
        "  quantiser",
        "  contextual",
        "  values",
        "Y = whole(start)",
        "",
        *exactness(a, words, claimed),
        *softmax(a),
        *([] if found is None else distance(a, found, claimed)),
    ]
    return "\n".join(lines) + "\n"


def inputs(a: Asked) -> list[str]:
    grid = "{0, delta, ..., 1-delta}"
    if a.form == "paper":
        return [
            f"inputs W in cells: words of d*n entries t in {grid}",
            "L = [[W[(r-1)*n + k] for r in 1..d] for k in 1..n]",
        ]
    if a.positional:
        return [f"inputs L in cells: words of n columns c in {grid}^d by dot(u, c)"]
    lines = [f"inputs L in cells: multisets of n columns c in {grid}^d by dot(u, c)"]
    return lines + ([f"inputs L in orders: words of n columns c in {grid}^d by dot(u, c)"] if orders(a) else [])


def orders(a: Asked) -> bool:
    """Are all orders of the columns run, too."""
    return not a.positional and a.form == "float" and a.B**a.n <= FEW


def kept(a: Asked, lost: list[list[int]]) -> list[str]:
    if a.positional:
        return ["written = true"]
    if a.form == "paper":
        return ["written = distinct(numbers) = n         # the others have no key"]
    listed = ",\n  ".join(str(numbers) for numbers in lost)
    return [
        f"lost = [{listed}]   # orbits whose keys are others', by the numbers of their columns",
        "written = not any(numbers_of = sorted(numbers) for numbers_of in lost)",
    ]


def quantiser(a: Asked) -> list[str]:
    return [
        "layer quantise(r, k):",
        "  x[i] <- x[i] + (max(x[i][r] - k*epsilon - (delta - epsilon), 0) - max(x[i][r] - k*epsilon, 0))*unit(r, d)",
        "layer stretch(r):",
        "  x[i] <- x[i] + (delta/epsilon - 1)*max(x[i][r], 0)*unit(r, d)",
        "network quantiser:",
        "  for r in 1..d:",
        f"    for k in 0..{'n*N' if a.positional else 'N'}-1: quantise(r, k)",
        "    stretch(r)",
        "",
    ]


def paper_quantiser(a: Asked) -> list[str]:
    return [
        "steep = (delta - epsilon)/epsilon",
        "tent(t, k) = (-max(t - k*delta, 0) + (1 + steep)*max(t - (k+1)*delta + epsilon, 0)",
        "  - steep*max(t - (k+1)*delta, 0))",
        "layer quantise(r, k):",
        "  x[i] <- x[i] + tent(x[i][r], k)*unit(r, d)",
        "network quantiser:",
        "  for r in 1..d:",
        f"    for k in 0..{'n*N' if a.positional else 'N'}-1: quantise(r, k)",
        "",
    ]


def contextual(a: Asked) -> list[str]:
    levels = (
        ["  for j in 1..n:", "    for l in [(j-1)*sum(u) + k*delta for k in 0..B-1]: shift(l)"]
        if a.positional
        else ["  for l in [k*delta for k in 0..B-1]: shift(l)"]
    )
    return [
        "layer shift(l):",
        "  above = head(column(B*unit(1, d)), [u], [lambda*u], [u], [delta/2 - l])",
        "  below = head(column(-B*unit(1, d)), [u], [lambda*u], [u], [-delta/2 - l])",
        "  x[i] <- x[i] + above + below",
        f"last = N^((n+1)*d){'*n*N' if a.positional else ''}",
        "layer lift:",
        "  top = head(column(last*unit(1, d)), [u], [lambda*u], [u], [0])",
        "  x[i] <- x[i] + top",
        "network sweep:",
        *levels,
        "network contextual:",
        "  sweep",
        "  lift",
        "H = contextual(start)",
        "keys = [id(H[j]) for j in 1..n]",
        "",
    ]


def values() -> list[str]:
    return [
        "pairs = sorted([[[keys[j]], H[j], A[j]] for j in 1..n over cells if written])",
        "writes = [pairs[k] for k in 1..len(pairs) if k = 1 or pairs[k] != pairs[k-1]]",
        "targets = [A[j] for j in 1..n over cells if written]",
        "S = min(2^k for k in 0..60 if 2^k >= 1 + max(id(t) for t in targets))",
        "low[r] = min(t[r] for t in targets) for r in 1..d",
        "high[r] = max(t[r] for t in targets) for r in 1..d",
        "step(t, key) = max(t - (key - delta/2), 0) - max(t - (key - delta/4), 0)",
        "layer write(w):                         # of a key, its image and its target",
        "  x[i] <- x[i] + step(id(x[i]), w[1][1])*(4*N*(w[3] - S*unit(1, d) - w[2]))",
        "layer return:",
        "  x[i] <- x[i] + 4*N*S*(max(-id(x[i]) - 1/2, 0) - max(-id(x[i]) - 1/2 - delta/4, 0))*unit(1, d)",
        "layer clip(r):",
        "  x[i] <- x[i] + (max(low[r] - x[i][r], 0) - max(x[i][r] - high[r], 0))*unit(r, d)",
        "network values:",
        "  for k in 1..len(writes): write(writes[len(writes) + 1 - k])",
        "  return",
        "  for r in 1..d: clip(r)",
    ]


def paper_values() -> list[str]:
    return [
        "writes = [[[keys[j]], H[j], A[j]] for j in 1..n over cells if written]",
        "largest = max(max(|t| for t in A[j]) for j in 1..n over cells)",
        "F = largest if largest > 0 else 1",
        "low = [-F for r in 1..d]",
        "high = [F for r in 1..d]",
        "window(t, key) = 4*N*(max(t - key + delta/2, 0) - max(t - key + delta/4, 0) - max(t - key - delta/4, 0)",
        "  + max(t - key - delta/2, 0))",
        "layer write(w):                         # of a key, its image and its target",
        "  x[i] <- x[i] + window(id(x[i]), w[1][1])*(w[3] - w[2])",
        "layer clamp(r):",
        "  t = x[i][r]",
        "  x[i] <- x[i] + (max(t + F, 0) - max(t - F, 0) - max(t, 0) + max(-t, 0) - F)*unit(r, d)",
        "network values:",
        "  for w in writes: write(w)",
        "  for r in 1..d: clamp(r)",
    ]


def exactness(a: Asked, words: bool, claimed: dict[str, str]) -> list[str]:
    cells = "n*N" if a.positional else "N"
    on = "orders" if orders(a) else "cells"
    of = "every cell" if words or orders(a) else "every orbit of cells"
    return [
        'claim exact.size, own, "target", on cells:',
        '  "f(j) has d entries."',
        "  for j in 1..n: len(f(j)) = d",
        'claim exact.quantiser, own, "Lemma 5", once:',
        '  "Each entry of a token off the strips becomes the corner of its cell, whatever the others are."',
        f"  for k in 0..{cells}-1:",
        "    for s in 1..d:",
        "      for all c[r] for r in 1..d if k*delta <= c[s] and c[s] <= (k+1)*delta - epsilon:",
        "        quantiser([c])[1][s] = k*delta",
        f'claim exact.written, own, "Lemmas 6 and 7", on {on} if written:',
        f'  "On {of} that is written the network has the target, and so at all points of it off the strips."',
        "  for j in 1..n: Y[j] = A[j]",
        f'claim exact.mapped, own, "Lemma 5", on {on}:',
        '  "What the quantiser makes of a corner is the corner."',
        "  quantiser(start) = start",
        "",
        "kept = Y = A" if a.form == "paper" else "kept = written",
        "lost_share = 1 - sum(weight over cells if kept)/N^(d*n)",
        'claim exact.share, own, "of the cube", once:',
        '  "So much of the cube is lost, at most."',
        f"  lost_share <= {claimed.get('lost_share', 0)}",
    ]


def softmax(a: Asked) -> list[str]:
    if a.form == "paper":
        t = "2*n - 1" if a.positional else "1"
        return [
            "",
            "# Softmax for hardmax: an error of ids, by sweep_error of proofs/coq/universal/Construction.v.",
            f"levels = {'n*B' if a.positional else 'B'}",
            f"hit = min(levels, n*({t}))",
            "swept = 4*n*N*((1 + 2*B)^hit*(1 + (levels - hit)*B) - 1)",
            "bound = (swept + last*(swept + 2*n*N))/lambda",
            'claim softmax.bound, own, "Construction.v, sweep_error", once:',
            '  "With softmax, off the strips, the output is within `bound` of this: windows are flat within delta/4."',
            "  bound < delta/4",
            'claim softmax.keys, own, "Lemma 7", on cells if written:',
            '  "No id of a value is at a key."',
            "  for j in 1..n: keys[j] >= F*d*N^d + delta",
        ]
    R = "n*B^(n+1)" if a.positional else "B^n*(B-1)/N"
    return [
        "",
        "# Softmax for hardmax: ids that are off by e <= delta/8 leave gaps of 9 delta^2/32 between scores, so that",
        "# losing weights are at most tau together; a layer of the sweep takes e to e + 2B(e + R tau), the last one to",
        "# e + last (e + R tau); what follows is flat within delta/4 of the keys.",
        f"levels = {'n*B' if a.positional else 'B'}",
        "K = 9*lambda div (32*N^2)",
        "tau = (n-1)/2^K",
        f"R = {R}",
        "bound = 2*R*tau*(1 + 2*B)^levels*(1 + last)",
        'claim softmax.bound, own, "Lemma 9", once:',
        '  "With softmax, off the strips, the output is within `bound` of this."',
        "  bound < delta/8",
        'claim softmax.range, own, "Lemma 9", on cells:',
        '  "R is a bound of the differences of ids during the sweep."',
        "  for s in states(sweep(start)): max(id(c) for c in s) - min(id(c) for c in s) <= R",
    ]


def distance(a: Asked, found: Modulus, claimed: dict[str, str]) -> list[str]:
    return [
        "",
        "# The distance to f. The cube's f has these ranges, and changes at most so fast, row by row.",
        f"f_low = [{', '.join(map(str, found.low))}]",
        f"f_high = [{', '.join(map(str, found.high))}]",
        f"lipschitz = [{', '.join(map(str, found.lipschitz))}]",
        "reach = delta" if a.form == "paper" else "reach = delta/2",
        "errors = [[|A[j][r] - f(j)[r]| for r in 1..d] for j in 1..n over cells if kept]",
        "E[r] = lipschitz[r]*reach + max(e[r] for e in errors) + bound for r in 1..d",
        "D[r] = max(f_high[r] - low[r], high[r] - f_low[r], E[r]) for r in 1..d",
        "share = (1 - lost_share)*(1 - N*epsilon)^(d*n)   # kept cells without their strips",
        "worst = max(E)",
        "far = max(D)",
        "first = sum(n*(share*E[r] + (1 - share)*D[r]) for r in 1..d)",
        "second = sum(n*(share*E[r]^2 + (1 - share)*D[r]^2) for r in 1..d)",
        'claim distance.kept, own, "Theorem 2", once:',
        '  "No entry is further from f than this on kept cells off the strips."',
        f"  worst <= {claimed.get('worst', 0)}",
        'claim distance.anywhere, own, "Theorem 2", once:',
        '  "No entry is further from f than this in the cube."',
        f"  far <= {claimed.get('far', 0)}",
        'claim distance.mean, own, "Theorem 2", once:',
        '  "The mean of the sums of |g - f| over the cube is at most this."',
        f"  first <= {claimed.get('first', 0)}",
        'claim distance.squares, own, "Theorem 2", once:',
        '  "The mean of the sums of |g - f|^2 over the cube is at most this."',
        f"  second <= {claimed.get('second', 0)}",
    ]
