"""SYMBOLIC 6: what a symbolic certificate says in words, what it assumes and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from .table import CLAIMS

ASSUMED = (
    "the integers are an ordered ring, and induction",
    "the contextual maps are those of FORMAT 3 and 11, their rows, columns and layers the definitions of SYMBOLIC 3",
    "that running the layers on families of ids and on pieces of the line, as SYMBOLIC 5 has it, is running the"
    " network",
    "the arguments of SYMBOLIC 5 that put together what is derived there: by induction on levels, rows and shifts, and"
    " of what claims say besides inequalities",
)


def statement(n: int | None) -> str:
    which = "for every n >= 2" if n is None else f"for n = {n}"
    return (
        "The contextual maps of Lemma 6 and of Appendix C of Yun et al. (ICLR 2020): each claim below is proved"
        f" {which}, and for every d >= 1 and N >= 2, from the facts that stand with it, and each fact from its"
        " obligations."
    )


def not_covered(ids: Sequence[str], n: int | None) -> list[str]:
    false = "c.order" if n in (None, 2) else ""
    out = [f"{false}, which is false at (d, n) = (1, 2)"] if false else []
    if missing := [i for i in CLAIMS if i not in (*ids, false)]:
        out.append("not asked for: " + ", ".join(missing))
    return [*out, "every claim that is not listed"]
