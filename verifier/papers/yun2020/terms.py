"""Formulas as data: sums and products of symbols, whatever the order and the brackets of their parts.

Two terms that are equal here are equal as functions, by commutativity and associativity alone. Two that aren't equal
here may still be equal as functions: then sympy decides, which takes a second to load, and is loaded only then.
"""

from collections import Counter
from typing import Any, Union

Like = Union["Term", int]


class Term:
    """`parts` is, for a sum or product, how often each part occurs (a factor that occurs -1 times divides); for a
    function, its name and arguments; for a symbol, its name; for a number, the number."""

    __slots__ = ("_hash", "kind", "parts")

    def __init__(self, kind: str, parts: Any) -> None:
        self.kind, self.parts = kind, parts
        self._hash = hash((kind, parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and (self._hash, self.kind, self.parts) == (other._hash, other.kind, other.parts)

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Like) -> "Term":
        return self if other == 0 else _joined("+", self, _term(other))

    def __mul__(self, other: Like) -> "Term":
        return self if other == 1 else _joined("*", self, _term(other))

    def __truediv__(self, other: Like) -> "Term":
        inverse = frozenset((factor, -times) for factor, times in _counted("*", _term(other)).items())
        return _joined("*", self, Term("*", inverse))

    __radd__, __rmul__ = __add__, __mul__

    def sympy(self) -> Any:
        """The same term for sympy."""
        import sympy

        match self.kind:
            case "symbol":
                return sympy.Symbol(self.parts)
            case "number":
                return sympy.Integer(self.parts)
            case "+":
                return sympy.Add(*(part.sympy() * times for part, times in self.parts))
            case "*":
                return sympy.Mul(*(part.sympy() ** times for part, times in self.parts))
        name, *arguments = self.parts
        function = sympy.exp if name == "exp" else sympy.Function(name)
        return function(*(argument.sympy() for argument in arguments))


def _term(value: Like) -> Term:
    return value if isinstance(value, Term) else Term("number", value)


def _counted(kind: str, term: Term) -> Counter[Term]:
    return Counter(dict(term.parts)) if term.kind == kind else Counter([term])


def _joined(kind: str, a: Term, b: Term) -> Term:
    parts = _counted(kind, a)
    for part, times in _counted(kind, b).items():
        parts[part] += times
    return Term(kind, frozenset((part, times) for part, times in parts.items() if times))


def symbol(name: str) -> Term:
    return Term("symbol", name)


def function(name: str) -> Any:
    """A function about which nothing is known but its name; `exp` is the exponential function."""
    return lambda *arguments: Term("function", (name, *map(_term, arguments)))


def differ(a: Like, b: Like) -> bool:
    """Whether two terms differ as rational functions of their symbols and of their function values."""
    a, b = _term(a), _term(b)
    return a != b and (a.sympy() - b.sympy()).together().as_numer_denom()[0].expand() != 0
