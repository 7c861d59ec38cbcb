"""The matrices of an attention layer that a page states by scores and values (LANGUAGE.md 4, *Form*), read off at unit
vectors. They are for files of weights (build/taken.py) and for how large a layer's heads are (story.py): no verdict
rests on them. What is exported is run by them, and compared with the page at every case (build/exported.py).

Of a read the score is  c + b . x[i] + x[j] . (A x[i] + a),  of which c + b . x[i] is the same for every j; so W_K and
(W_Q, b_Q) are factors of (A | a), with as many rows as its rank. Its value is v + W_V x[j]. The layer makes
u + D x[i] + O_1 r_1 + ... + O_h r_h  of what its h heads read.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from gmpy2 import mpq

from verifier.evaluate.budget import spend
from verifier.evaluate.values import List
from verifier.language.names import mentions
from verifier.language.tree import Call, Expression, Index, Layer, Let, Name, Read, Tree, with_parts

if TYPE_CHECKING:
    from verifier.evaluate.definition import At, Case

Row = list[Any]


class Head(NamedTuple):
    keys: list[Row]  # W_K
    queries: list[Row]  # (W_Q | b_Q)
    values: list[Row]  # (W_V | v)
    out: list[Row]  # O: what of it goes into the new token
    tie: str
    mask: Expression | None

    @property
    def size(self) -> int:
        """m: the rows that W_K and W_Q need, and those that W_O W_V needs."""
        return max(len(self.keys), rank([row[:-1] for row in product(self.out, self.values)]), 1)


class Matrices(NamedTuple):
    heads: list[Head]
    own: list[Row]  # (D | u)


def rank(rows: list[Row]) -> int:
    return len(factors(rows)[1]) if rows else 0


def factors(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """L, R with L R = rows and R as short as can be: its rows are the rows of the reduced echelon form."""
    reduced = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        k = len(pivots)
        pivot = next((m for m in range(k, len(reduced)) if reduced[m][column] != 0), None)
        if pivot is None:
            continue
        spend(len(reduced) * len(rows[0]))
        reduced[k], reduced[pivot] = reduced[pivot], reduced[k]
        lead = reduced[k][column]
        reduced[k] = [entry / lead for entry in reduced[k]]
        for m, row in enumerate(reduced):
            if m != k and row[column] != 0:
                reduced[m] = [x - row[column] * y for x, y in zip(row, reduced[k], strict=True)]
        pivots.append(column)
    return [[row[p] for p in pivots] for row in rows], reduced[: len(pivots)]


def unit(k: int, d: int) -> List:
    """The column of d entries with a 1 at place k, or of zeros alone (k = 0)."""
    return List([mpq(int(i == k)) for i in range(1, d + 1)])


def entries(v: Any) -> Row:
    return list(v.items) if isinstance(v, List) else [v]


def matrices(case: "Case", layer: Layer, base: "At", d: int, n: int) -> Matrices | None:
    """Of a layer of the form attention, on n tokens of d entries, with its arguments in `base`; None where its weights
    depend on places, where a read has a value for nothing (`else`), which is no matrix, where a mask speaks of another
    line, and where there is a single token and the weights depend on that: two are needed to read them off."""
    x, i = layer.update.tokens, layer.update.position
    literal: list[list[Expression]] = []
    lines = [without_heads(line, literal) for line in layer.named]
    last = without_heads(layer.update.body, literal)
    reads = [(k, line) for k, line in enumerate(lines) if isinstance(line, Read)]
    read = [part for _, line in reads for part in (line.value, line.score)]
    parts = [line.body for line in lines if isinstance(line, Let)] + [last, *(w for head in literal for w in head)]
    if any(by_place(part, {i, "j"}, x) for part in read) or any(by_place(part, {i}, x) for part in parts):
        return None
    if any(line.default is not None for _, line in reads):
        return None
    if n < 2 and any(by_place(part, {x}, x) for part in read + parts):
        return None
    if mentions([line.mask for _, line in reads], {line.name for line in lines}):
        return None

    zero = unit(0, d)
    others = [zero] * (n - 2)
    units = [unit(k, d) for k in range(1, d + 1)]
    given = [
        [rows_of(case(w, base)) for w in arguments[:4]] + [entries(case(arguments[4], base))] for arguments in literal
    ]
    nothing: At = {name_of(k): unit(0, len(w_o)) for k, (w_o, *_) in enumerate(given)}

    def of(tree: Expression, own: List, other: List, heads: "At", number: int) -> Any:
        """An expression in that line, which sees the lines before it."""
        letters: At = {**base, x: List([own, other, *others]), i: mpq(1), **heads}
        outer, case.layer = case.layer, (letters[x], 1)
        for line in lines[:number]:
            if isinstance(line, Let):
                letters[line.name] = case(line.body, letters)
        if number < len(lines):
            letters["j"] = mpq(2)  # whatever else has this name
        value = case(tree, letters)
        case.layer = outer
        return value

    for k, line in reads:
        nothing[line.name] = zeros_like(of(line.value, zero, zero, nothing, k))
    end = len(lines)
    still = entries(of(last, zero, zero, nothing, end))

    def out(name: str) -> list[Row]:
        """The columns of what a read adds to the token, for each of its entries."""
        width = len(entries(nothing[name]))
        ones = [unit(r, width) if isinstance(nothing[name], List) else mpq(1) for r in range(1, width + 1)]
        return [minus(entries(of(last, zero, zero, {**nothing, name: one}, end)), still) for one in ones]

    heads = []
    for k, (w_o, w_v, w_k, w_q, b_q) in enumerate(given):
        queries = [[*row, b] for row, b in zip(w_q, b_q, strict=True)]
        adds = product(transposed(out(name_of(k))), w_o)
        heads.append(Head(w_k, queries, [[*row, mpq(0)] for row in w_v], adds, "average", None))
    for k, line in reads:
        value, score = line.value, line.score
        of_zero = entries(of(value, zero, zero, nothing, k))
        values = transposed([*(minus(entries(of(value, zero, e, nothing, k)), of_zero) for e in units), of_zero])
        scores = [[of(score, own, other, nothing, k) for own in [zero, *units]] for other in [zero, *units]]
        terms = [
            [
                *(s - row[0] - t + scores[0][0] for s, t in zip(row[1:], scores[0][1:], strict=True)),
                row[0] - scores[0][0],
            ]
            for row in scores[1:]
        ]
        left, right = factors(terms)
        heads.append(Head(transposed(left), right, values, transposed(out(line.name)), line.tie, line.mask))
    own = transposed([*(minus(entries(of(last, e, zero, nothing, end)), still) for e in units), still])
    return Matrices(heads, own)


def product(a: list[Row], b: list[Row]) -> list[Row]:
    spend(len(a) * sum(map(len, b)))
    return [[sum((x * y for x, y in zip(row, column, strict=True)), mpq(0)) for column in transposed(b)] for row in a]


def transposed(rows: list[Row]) -> list[Row]:
    return [list(column) for column in zip(*rows, strict=True)]


def minus(a: Row, b: Row) -> Row:
    return [x - y for x, y in zip(a, b, strict=True)]


def rows_of(matrix: List) -> list[Row]:
    return [list(row.items) for row in matrix.items]


def zeros_like(v: Any) -> Any:
    return unit(0, len(v)) if isinstance(v, List) else mpq(0)


def name_of(k: int) -> str:
    """A name that no page has, for the k-th head(...)."""
    return f"head {k}"


def without_heads(tree: Any, arguments: list[list[Expression]]) -> Any:
    """The tree with a name in place of each head(...), whose arguments are collected."""
    if isinstance(tree, Call) and tree.name == "head":
        arguments.append(tree.arguments)
        return Name(tree.place, name_of(len(arguments) - 1))
    if isinstance(tree, Tree):
        return with_parts(tree, [without_heads(part, arguments) for part in tree.parts])
    if isinstance(tree, tuple):
        return tuple(without_heads(part, arguments) for part in tree)
    return [without_heads(part, arguments) for part in tree] if isinstance(tree, list) else tree


def by_place(tree: object, letters: set[str], x: str) -> bool:
    """Whether a letter of a place stands elsewhere than in x[i] or x[j]."""
    if isinstance(tree, Index) and isinstance(tree.listed, Name) and tree.listed.name == x:
        return False
    if isinstance(tree, Name):
        return tree.name in letters
    return isinstance(tree, tuple | list) and any(by_place(part, letters, x) for part in tree)
