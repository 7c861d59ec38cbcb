"""A query in VNN-LIB, as in the competition VNN-COMP: X_0, X_1, ... and Y_0, Y_1, ... are the entries, row by row.

All numbers are dyadic, so that a decimal fraction holds each of them exactly. The relation is what is asked for: `sat`
says that it is true somewhere in the box.
"""

from gmpy2 import mpq

from verifier.bench.queries import Query


def decimal(x: mpq) -> str:
    """A dyadic rational, exactly: -0.375, 2.0."""
    places = max(int(x.denominator).bit_length() - 1, 1)
    digits = str(abs(int(x.numerator)) * 10**places // int(x.denominator)).rjust(places + 1, "0")
    whole, rest = digits[:-places], digits[-places:].rstrip("0") or "0"
    return f"{'-' if x < 0 else ''}{whole}.{rest}"


def text(query: Query) -> str:
    subject, relation = query.subject, query.relation
    size = subject.d * subject.n
    lines = [f"; {subject.name}: {query.place}"]
    lines += [f"(declare-const {letter}_{k} Real)" for letter in "XY" for k in range(size)]
    for k, (low, high) in enumerate(query.box.sides):
        lines += [f"(assert (>= X_{k} {decimal(low)}))", f"(assert (<= X_{k} {decimal(high)}))"]
    right = f"Y_{relation.other}" if relation.right is None else decimal(relation.right)
    lines.append(f"(assert ({relation.sign} Y_{relation.left} {right}))")
    return "\n".join(lines) + "\n"
