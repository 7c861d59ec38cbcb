"""What the frame of a certificate has to know of this paper."""

from __future__ import annotations

from ...core.paper import Paper
from .check import PAIRS, check
from .model import VARIANT
from .statements import EXCLUDED, STATEMENTS

PAPER = Paper(
    name="yun2020",
    version=1,
    sizes=("d", "n", "N"),
    statements=STATEMENTS,
    categories=("category1", "category2", "category3"),
    constants=("delta", "t_l", "t_r", "lemma10.lower", "lemma10.upper"),
    check=check,
    pairs=frozenset(PAIRS),
    excluded=EXCLUDED,
    variant=VARIANT,
)
