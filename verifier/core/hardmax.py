"""Hardmax: of the scores that a token sees, those that are read."""

from collections.abc import Sequence
from typing import Any


def winners(scores: Sequence[Any], tie: str = "average") -> list[int]:
    """The places of the largest score: all of them, the first (`leftmost`) or the last (`rightmost`); of none, none."""
    if not scores:
        return []
    best = max(scores)
    tied = [k for k, score in enumerate(scores) if score == best]
    return tied if tie == "average" else tied[:1] if tie == "leftmost" else tied[-1:]
