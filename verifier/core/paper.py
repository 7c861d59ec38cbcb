"""A paper: what the rest of the package needs to know about it before any of it is loaded.

A paper is a folder of verifier/papers whose __init__.py defines PAPER. What takes time to load is named here as
"module:name", and loaded when it is used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from verifier.core.exact import NotExact


@dataclass(frozen=True)
class Paper:
    """
    name          the folder's
    title         what it is called, by whom, where
    about         which of its statements is run, in a line
    modules       where its claims are declared, in the order of the list (each has CLAIMS)
    construct     "module:function" that makes its construction of the sizes d, n, N
    families      what each family of its claims is about, in a few words
    default       the families that a run checks by default; none for all
    least         the least value of each size
    refuse        "module:function", sizes first: raises TooLarge for a run that would be too long; "" for the usual one
    version       of its page of the certificate's format
    library       "module:function" that gives the digest of the compiled code that its kernel runs; "" for none
    builds_on     another paper whose construction its claims are about, and `after` which of whose families they come
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

    def construction(self, **numbers: Any) -> Any:
        """Its construction of these sizes; perhaps with other numbers in place of the paper's."""
        return loaded(self.construct)(**numbers)


def loaded(name: str) -> Any:
    """What "module:name" names."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
