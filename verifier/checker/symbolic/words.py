"""SYMBOLIC 6: what a symbolic certificate says in words, what it assumes and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from .table import CLAIMS

ASSUMED = (
    "the integers are an ordered ring, and induction",
    "the contextual map is that of FORMAT 3, its rows, columns and layers the definitions of SYMBOLIC 3",
    "that running the layers on families of ids, as SYMBOLIC 5 has it, is running the network",
    "the rules ids, sentinels and decoder of SYMBOLIC 5, argued there from their facts",
)


def statement(n: int | None) -> str:
    which = "for every n >= 2" if n is None else f"for n = {n}"
    return (
        f"The contextual map of Lemma 6 of Yun et al. (ICLR 2020): each claim below is proved {which}, and for every"
        " d >= 1 and N >= 2, from the facts that stand with it, and each fact from its obligations."
    )


def not_covered(ids: Sequence[str]) -> list[str]:
    missing = [i for i in CLAIMS if i not in ids]
    return [*(["not asked for: " + ", ".join(missing)] if missing else []), "every claim that is not listed"]
