"""Hardmax: which scores are the largest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def largest(scores: Sequence[Any]) -> list[int]:
    """Where the largest score stands: once, or several times."""
    best = max(scores, default=None)
    return [scores.index(best)] if scores.count(best) == 1 else [k for k, s in enumerate(scores) if s == best]


def at_tie(places: list[int], tie: str) -> list[int]:
    """Of the places of the largest score, by increasing place, those that are read."""
    if tie == "average":
        return places
    return places[:1] if tie == "leftmost" else places[-1:]
