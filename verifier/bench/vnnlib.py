"""A query in VNN-LIB. In version 1, as in the competition VNN-COMP, X_0, X_1, ... and Y_0, Y_1, ... are the entries,
row by row; in version 2.0 X and Y are tensors of the network's shape, (1, d, n). They are real: the answers are about
the network as a function of real numbers.

All numbers are dyadic, so that a decimal fraction holds each of them exactly. The relation is what is asked for: `sat`
says that it is true somewhere in the box.
"""

from collections.abc import Callable

from gmpy2 import mpq

from verifier.bench.queries import Query


def decimal(x: mpq) -> str:
    """A dyadic rational, exactly: -0.375, 2.0."""
    places = max(int(x.denominator).bit_length() - 1, 1)
    digits = str(abs(int(x.numerator)) * 10**places // int(x.denominator)).rjust(places + 1, "0")
    whole, rest = digits[:-places], digits[-places:].rstrip("0") or "0"
    return f"{'-' if x < 0 else ''}{whole}.{rest}"


def text(query: Query) -> str:
    """In version 1."""
    subject = query.subject
    ports = (("X", subject.d), ("Y", subject.wide))
    lines = [f"(declare-const {letter}_{k} Real)" for letter, rows in ports for k in range(rows * subject.n)]
    return written(query, lines, lambda letter, k: f"{letter}_{k}")


def text_2(query: Query) -> str:
    """In version 2.0."""
    d, wide, n = query.subject.d, query.subject.wide, query.subject.n
    ports = [f"  (declare-input X Real [1, {d}, {n}])", f"  (declare-output Y Real [1, {wide}, {n}])"]
    lines = ["(vnnlib-version <2.0>)", "(declare-network f", *ports, ")"]
    return written(query, lines, lambda letter, k: f"{letter}[0, {k // n}, {k % n}]")


def written(query: Query, lines: list[str], entry: Callable[[str, int], str]) -> str:
    relation, said = query.relation, [f"; {query.subject.name}: {query.place}", *lines]
    for k, (low, high) in enumerate(query.box.sides):
        said += [f"(assert (>= {entry('X', k)} {decimal(low)}))", f"(assert (<= {entry('X', k)} {decimal(high)}))"]
    other = decimal(relation.right) if relation.right is not None else entry("Y", relation.other or 0)
    said.append(f"(assert ({relation.sign} {entry('Y', relation.left)} {other}))")
    return "\n".join(said) + "\n"
