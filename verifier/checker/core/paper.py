"""A paper, as the checker knows it: the words of its certificates, and the function that derives them anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .share import Options, Share


@dataclass(frozen=True)
class Outcome:
    """The result for a certificate that passed the check, and how its cases were run."""

    how: str
    shards: int
    share: Share


@dataclass(frozen=True)
class Paper:
    """What a certificate that names this paper may hold; `check` returns only if all that it compared is right."""

    name: str
    version: int
    sizes: tuple[str, ...]
    statements: Mapping[str, str]  # of every claim, in order
    categories: tuple[str, ...]
    constants: tuple[str, ...]
    check: Callable[[dict[str, Any], Options], Outcome]
    pairs: frozenset[str] = frozenset()  # claims that compare cases with each other: not looked at in a part
    checked_too: frozenset[str] = frozenset()  # those of them that say something of each case as well
    excluded: frozenset[str] = (
        frozenset()
    )  # readings by the letter that the authors can't have meant: they decide no verdict
    variant: tuple[str, ...] = ()
    several: str = "orbits"  # what the cases are called
