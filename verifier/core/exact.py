"""Where numbers enter: whole numbers (int) and rationals (gmpy2.mpq) are accepted, everything else is refused.

No float, no bool, no NaN and no loosely written number can reach a verdict, because every construction
takes its numbers through `exact` and every command takes them through `parse_natural` and
`parse_rational`.
"""

import re
from collections.abc import Iterable
from math import gcd, isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # where verifier is installed, too, Q has a type
    from verifier.core.rational import mpq, mpz
else:
    from gmpy2 import mpq, mpz

type_of_rational = type(mpq(0))
ALREADY: set[type] = {type_of_rational}  # types of exact entries; core/lanes.py adds its own
_RATIONAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_DECIMAL = re.compile(r"(-?)(0|[1-9][0-9]{0,19})\.([0-9]{1,20})")
_FRACTION = re.compile(r"(-?[1-9][0-9]{0,19})/([1-9][0-9]{0,19})")  # in lowest terms or not
_NATURAL = re.compile(r"0|[1-9][0-9]*")

# More digits than anybody types. Python itself stops converting at 4,300 digits.
MAX_DIGITS = 1000

Vector = tuple[mpq, ...]
Matrix = tuple[Vector, ...]

# What is accepted: whole numbers as well as rationals, in lists as well as in tuples.
Number = int | mpq
VectorLike = Iterable[Number]
MatrixLike = Iterable[VectorLike]


class NotExact(ValueError):
    """A value that is neither a whole number nor a rational in lowest terms."""


class BadShape(NotExact):
    """What is no vector, or no matrix, or one of another size."""


def Q(numerator: int, denominator: int = 1) -> mpq:
    """The rational numerator / denominator, from two whole numbers."""
    for part in (numerator, denominator):
        if type(part) is not int:
            raise NotExact(f"{part!r} is a {type(part).__name__}; Q takes whole numbers, as in Q(1, 4)")
    if denominator == 0:
        raise NotExact(f"{numerator}/0 is not a number")
    return mpq(numerator, denominator)


def exact(value: object) -> mpq:
    """The value as a rational; it must be an int, an mpz or an mpq."""
    if type(value) is type_of_rational:
        return value
    if type(value) is int or isinstance(value, mpz):
        return mpq(value)
    hint = f"; for {value!r} write {_as_typed(value)}" if _is_a_number(value) else ""
    raise NotExact(f"{value!r} is a {type(value).__name__}; exact numbers are int or Q(numerator, denominator){hint}")


def _is_a_number(value: object) -> bool:
    """Whether it is a float, or the text of a number as parse_typed reads it."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, str) and bool(_DECIMAL.fullmatch(value) or _FRACTION.fullmatch(value))


def _as_typed(value: Any) -> str:
    """The number that a text, or a float's shortest decimal, names: 0.1 is Q(1, 10)."""
    named = mpq(value) if isinstance(value, str) else mpq(repr(value))
    return f"Q({named.numerator}, {named.denominator})" if int(named.denominator) != 1 else f"{named}"


def matrix_of_shape(rows: "MatrixLike", d: int, n: int, where: str) -> Matrix:
    """The matrix, if it is d x n."""
    needed = f"{where} takes {d} x {n}: {d} row{'s' * (d > 1)} of {n} numbers, {_such_as(d, n)}"
    try:
        X = matrix(rows)
    except BadShape as error:
        raise BadShape(f"{error}; {needed}") from None
    if (len(X), len(X[0])) != (d, n):
        raise BadShape(f"a {len(X)} x {len(X[0])} matrix; {needed}")
    return X


def matrix_of_rows(rows: "MatrixLike", d: int, where: str) -> Matrix:
    """The matrix, if it has d rows, of any length."""
    needed = f"{where} takes a matrix of {d} row{'s' * (d > 1)}, {_such_as(d, 2)}"
    try:
        X = matrix(rows)
    except BadShape as error:
        raise BadShape(f"{error}; {needed}") from None
    if len(X) != d:
        raise BadShape(f"a matrix of {len(X)} row{'s' * (len(X) > 1)}; {needed}")
    return X


def _such_as(d: int, n: int) -> str:
    """A matrix as it is typed, if that is short."""
    return f"such as {[[0] * n] * d}" if d * n <= 12 else "in a list of lists"


def vector(values: Iterable[object]) -> Vector:
    if type(values) is tuple and ALREADY.issuperset(map(type, values)):
        return values
    if not isinstance(values, Iterable):
        raise BadShape(f"{values!r} is not a vector; a vector is a list of numbers, as in [0, Q(1, 4)]")
    return tuple([exact(value) for value in values])


def matrix(rows: Iterable[Iterable[object]]) -> Matrix:
    """A matrix is a tuple of its rows, all of one length."""
    if not isinstance(rows, Iterable):
        raise BadShape(f"{rows!r} is not a matrix; a matrix is a list of rows, as in [[0, Q(1, 4)]]")
    result = tuple(map(vector, rows))
    if not result or not result[0] or len({len(row) for row in result}) != 1:
        raise BadShape(f"a matrix needs rows of one length, not {[len(row) for row in result]}")
    return result


def dot(u: Vector, v: Vector) -> mpq:
    total = Q(0)
    for a, b in zip(u, v, strict=True):
        total += a * b
    return total


def columns_of(X: Matrix) -> tuple[Vector, ...]:
    return tuple(zip(*X, strict=True))


def from_columns(columns: tuple[Vector, ...]) -> Matrix:
    return tuple(zip(*columns, strict=True))


def parse_natural(text: str) -> int:
    """A whole number >= 0 by the grammar 0|[1-9][0-9]*, at most MAX_DIGITS digits."""
    if not _NATURAL.fullmatch(text):
        raise NotExact(f"{shown(text)} is not a whole number written in plain digits")
    if len(text) > MAX_DIGITS:
        raise NotExact(f"a number of {len(text)} digits; at most {MAX_DIGITS} are read")
    return int(text)


def parse_rational(text: str) -> mpq:
    """A rational by the grammar -?(0|[1-9][0-9]*)(/[1-9][0-9]*)?, in lowest terms, no -0, no denominator 1."""
    match = _RATIONAL.fullmatch(text)
    if not match:
        raise NotExact(f"{shown(text)} is not a rational such as 3, -5 or 3/4")
    sign, upper, lower = match.groups()
    if len(upper) > MAX_DIGITS or len(lower or "") > MAX_DIGITS:
        raise NotExact(f"a number of {max(len(upper), len(lower or ''))} digits; at most {MAX_DIGITS} are read")
    if sign and upper == "0":
        raise NotExact(f"{text!r} has a sign; zero is 0")
    numerator, denominator = int(sign + upper), int(lower or "1")
    if lower and (denominator == 1 or gcd(numerator, denominator) != 1):
        raise NotExact(f"{text!r} is not in lowest terms; it is {text_of(mpq(numerator, denominator))}")
    return mpq(numerator, denominator)


def parse_typed(text: str) -> mpq:
    """A rational as a person types it: also a decimal (0.25 is 1/4: typed digits aren't rounded), also 2/4."""
    if decimal := _DECIMAL.fullmatch(text):
        return mpq(int(decimal[1] + decimal[2] + decimal[3]), 10 ** len(decimal[3]))
    if fraction := _FRACTION.fullmatch(text):
        return mpq(int(fraction[1]), int(fraction[2]))
    try:
        return parse_rational(text)
    except NotExact as error:
        said = "it is empty; a number is needed" if not text else str(error)
        raise NotExact(said.replace("3, -5 or 3/4", "3, -5, 3/4 or 0.75")) from None


def parse_matrix(text: str) -> Matrix:
    """Rows separated by `;`, entries by `,`, as matrix_text writes them, or as a person types them."""
    return matrix([parse_typed(entry.strip()) for entry in row.split(",")] for row in text.strip("[]").split(";"))


def text_of(value: mpq | int) -> str:
    """The canonical text of a number: what parse_rational reads."""
    # gmpy2 writes any number of digits; Python's str(int) would stop at 4,300.
    return str(exact(value))


def matrix_text(X: Matrix) -> str:
    """Rows separated by `;`, entries by `,`: '0, 1/4; 1/2, 3/4'."""
    return "; ".join(", ".join(text_of(value) for value in row) for row in X)


def value_text(value: mpq | int | tuple[Any, ...]) -> str:
    """A number, the entries of a vector, or a matrix as `matrix_text` writes it."""
    if isinstance(value, tuple):
        return matrix_text(value) if value and isinstance(value[0], tuple) else ", ".join(map(text_of, value))
    return text_of(value)


def bracketed(X: Matrix) -> str:
    return "[" + matrix_text(X) + "]"


def shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def shortened(number: str, longest: int) -> str:
    """The text of a number; if it is long, the first digits of numerator and denominator, with the number of digits."""
    if len(number) <= longest:
        return number
    return "/".join(
        part if len(part) <= longest // 2 else f"{part[:12]}...({len(part.lstrip('-'))} digits)"
        for part in number.split("/")
    )
