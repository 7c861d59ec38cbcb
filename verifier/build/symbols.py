"""Expressions of a page with something else than numbers in the place of its numbers: what can be added and multiplied,
and no more. What looks at such a number (a comparison, an index, mod, a table) raises NotAffine, and says why."""

from typing import Any

from gmpy2 import mpq

from verifier.evaluate.definition import At, Case, Reading
from verifier.evaluate.values import List, NotAffine, items
from verifier.language.tree import Call, Compare, Each, Power

FAIR = ("sum", "dot", "len", "column", "unit")  # functions that only add and multiply, or count what isn't looked at


class Symbol:
    """Something that stands for a number: + and * are those of whoever it is."""

    __slots__ = ()

    def looked_at(self, *_: Any) -> Any:
        raise NotAffine("it looks at a number of a token: a comparison, an index, a power or mod is no sum and no max")

    def __hash__(self) -> int:
        raise NotAffine("it looks at a number of a token")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = looked_at
    __sub__ = __rsub__ = __abs__ = looked_at
    __mod__ = __floordiv__ = __pow__ = __truediv__ = __rtruediv__ = __rmod__ = __rfloordiv__ = looked_at
    numerator = denominator = property(looked_at)


def symbolic(v: Any) -> bool:
    """Does a symbol stand in this value."""
    return isinstance(v, Symbol) or (isinstance(v, List) and any(map(symbolic, v.items)))


class Symbols(Case):
    """A page's expressions at symbols. Whoever it is says what max, min, abs and sorted are of."""

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading, {})

    def of_call(self, tree: Call, at: At) -> Any:
        name, arguments = tree.name, tree.arguments
        if name in self.page.functions or name in self.page.networks or name in ("states", "layers", "heads", "head"):
            return super().of_call(tree, at)
        each = arguments[0]
        values = self.each(each, at) if isinstance(each, Each) else [self(a, at) for a in arguments]
        if name in FAIR or not any(map(symbolic, values)):
            return super().of_call(tree, at)
        if len(values) == 1 and name != "abs" and not isinstance(each, Each):
            values = list(items(values[0]))
        if name not in ("max", "min", "abs", "sorted") or any(isinstance(v, List) for v in values):
            raise NotAffine(f"'{name}' looks at a number of a token")
        return self.folded(name, values)

    def folded(self, name: str, values: list[Any]) -> Any:
        raise NotImplementedError

    def of_compare(self, tree: Compare, at: At) -> bool:
        if any(symbolic(self(side, at)) for side in tree.sides):
            raise NotAffine("a comparison looks at a number of a token")
        return super().of_compare(tree, at)

    def of_power(self, tree: Power, at: At) -> Any:
        base, exponent = self(tree.base, at), self.whole(tree.exponent, at)
        if not isinstance(base, Symbol) or exponent < 0:
            return super().of_power(tree, at)
        total: Any = base if exponent else mpq(1)
        for _ in range(exponent - 1):
            total = total * base
        return total


def number(v: Any) -> mpq | None:
    """The number, if it is no symbol."""
    return None if isinstance(v, Symbol) else mpq(v)
