"""The exceptions that end a check that fails, and the comparison of two JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from .reading import brief


class OverLimit(Exception):
    """The check needs more work than the reader allowed; the message says how much."""


class Rejected(Exception):
    """The file says something that does not follow."""

    def __init__(self, rule: str, place: str, expected: str, found: str, claim: str = "") -> None:
        super().__init__(rule, place, expected, found, claim)  # as they came: it may have to go to another process

    def __str__(self) -> str:
        rule, place, expected, found, claim = self.args
        concerned = f"claim {claim}: " if claim else ""
        return f"{concerned}{rule}: {place}: expected {expected}, found {found}"


def compare(expected: Any, found: Any, place: str, rule: str, claim: str = "") -> None:
    """Rejects at the first place where two JSON values differ. (A long list is walked, not copied.)"""
    keys: Iterable[Any]
    if isinstance(expected, dict) and isinstance(found, dict):
        keys = chain(expected, (key for key in found if key not in expected))
    elif isinstance(expected, list) and isinstance(found, list):
        keys = range(max(len(expected), len(found)))
    elif expected == found:
        return
    else:
        raise Rejected(rule, place, brief(expected), brief(found), claim)
    for key in keys:
        where = f"{place}[{key}]" if isinstance(key, int) else f"{place}.{key if len(key) < 80 else brief(key)}"
        wanted, stands = (standing(side, key) for side in (expected, found))
        if wanted is None or stands is None:
            expects, finds = ("nothing" if x is None else brief(x) for x in (wanted, stands))
            raise Rejected(rule, where, expects, finds, claim)
        text = wanted.get("relation") if isinstance(wanted, dict) else None
        compare(wanted, stands, where, f"{rule}, relation {text}" if text else rule, claim)


def standing(side: Any, key: Any) -> Any:
    """The value at this key or index; None, which no certificate holds, if there is none."""
    return side.get(key) if isinstance(side, dict) else side[key] if key < len(side) else None
