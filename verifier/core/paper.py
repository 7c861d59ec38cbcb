"""A paper: what the rest of the package needs to know about it before any of it is loaded.

A paper is a folder of verifier/papers whose __init__.py defines PAPER. What takes time to load is named here as
"module:name", and loaded when it is used.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gmpy2 import mpq

from verifier.core.exact import NotExact, parse_typed, shown


@dataclass(frozen=True)
class Paper:
    """
    name          the name of its folder
    title         what it is called, by whom, where
    about         which of its statements is run, in a line
    modules       where its claims are declared, in the order of the list (each has CLAIMS)
    construct     "module:function" that makes its construction of the sizes d, n, N
    families      what each family of its claims is about, in a few words
    default       the families that a run checks by default; empty for all
    least         the least value of each size
    refuse        "module:function" that raises TooLarge, before a run that would take too long; "" for the usual limits
    version       the version of its page of the certificate's format
    library       "module:function" that returns the digest of the C library that its kernel runs; "" if it has none
    builds_on     another paper, whose construction its claims are about
    after         the family of that paper after which its claims are listed
    """

    name: str
    title: str
    about: str
    modules: tuple[str, ...]
    construct: str = ""
    families: Mapping[str, str] = field(default_factory=dict)
    default: tuple[str, ...] = ()
    least: Mapping[str, int] = field(default_factory=lambda: {"d": 1, "n": 2, "N": 2})
    refuse: str = ""
    version: int = 1
    library: str = ""
    builds_on: str = ""
    after: str = ""

    def sizes(self, *values: int | None) -> dict[str, int]:
        """An instance by name, if each size is at least what it must be; raises NotExact."""
        sizes = dict(zip(self.least, values, strict=True))
        for name, value in sizes.items():
            if type(value) is not int:
                raise NotExact(f"{name} = {value!r} is a {type(value).__name__}; it must be a whole number")
            if value < self.least[name]:
                raise NotExact(f"{name} = {value} is too small; {name} must be at least {self.least[name]}")
        return sizes  # type: ignore[return-value]

    def variant(
        self, sizes: Mapping[str, int], words: Iterable[str], read: Callable[[str], mpq] = parse_typed
    ) -> dict[str, mpq]:
        """The numbers of a variant, each written name=value, in the paper's order; raises NotExact."""
        numbers: dict[str, mpq] = {}
        its = self.construction(**sizes).exchangeable()
        for word in words:
            name, _, value = word.partition("=")
            if not its:
                raise NotExact(f"{shown(word)}: the construction of {self.name} has no variants")
            if name not in its:
                raise NotExact(f"{shown(word)} is no variant; one is NAME=VALUE, with NAME one of {', '.join(its)}")
            if name in numbers:
                raise NotExact(f"{shown(word)}: {name} is given twice")
            try:
                numbers[name] = read(value)
            except NotExact as error:
                raise NotExact(f"{name}: {error}") from error
            if numbers[name] == its[name]:
                raise NotExact(f"{shown(word)} is the paper's own number; a variant has another")
        return {name: numbers[name] for name in its if name in numbers}

    def construction(self, **numbers: Any) -> Any:
        """Its construction at these sizes, with other numbers in place of the paper's if some are given."""
        return loaded(self.construct)(**numbers)


def loaded(name: str) -> Any:
    """The object that "module:name" names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
