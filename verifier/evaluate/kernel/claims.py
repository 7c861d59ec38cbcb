"""What the kernel's counts are, claim by claim; and the text for which they are that: the claims and all that they
speak of, by a digest. A page that says one of them otherwise is run without the kernel.
"""

from typing import Any, NamedTuple

from verifier.language.library import rests_on
from verifier.language.tree import Page
from verifier.language.write import claim_lines, declared, expression, inputs

INPUTS = "Gplus"
PINNED = "c92f24ca2579c87c7c00f516f467ce5493171e592354ea5a8fdd46c16baab257"

# The least slacks, in the order of kernel.c.
SLACKS = (
    *("first_shift", "order", "lower", "upper", "above_own", "below_own", "apart", "from_t_l", "to_t_r"),
    *("swept_below", "final_below"),
    *("minimum", "negative", "first_amount", "shifted", "final_negative", "final_beyond"),
    *("outside_low", "outside_high"),
)
# And the other counts.
OTHERS = ("constant", "negative", "shifts", "first", "lifted", "below_zero", "beyond", "low", "high")

Relation = tuple[int, str]  # how often it is made; the name of its least slack, of an equality ""


class Counts(NamedTuple):
    """What is counted in a stretch: cases and inputs by category; the others as in kernel.c."""

    cases: list[int]
    inputs: list[int]
    others: dict[str, int]
    least: dict[str, tuple[int, int]]  # in units of delta, and the first rank


def relations(n: int, counts: Counts) -> dict[str, tuple[int, list[Relation]]]:
    """Of each claim: its cases, and its relations but for those in `across` and `once`, in the order of its lines."""
    one, two, three = counts.cases
    k = counts.others
    mixed = three - k["negative"]
    return {
        "b5.first-shift": (one, [(one, ""), (one, ""), (one, ""), (one, "first_shift")]),
        "b5.closed-form": (one, [(n * one, "")]),
        "b5.order": (one, [((n - 1) * one, "order")]),
        "b5.max-min": (one, [(one, ""), (n * one, ""), (n * one, ""), ((n - 1) * one, "")]),
        "lemma10.lower": (one, [(one, "lower")]),
        "lemma10.upper": (one, [(one, "upper")]),
        "lemma10.injective": (one, []),
        "b5.global": (one, [(n * one, ""), (n * one, "")]),
        "b5.interval": (one, [(n * one, "above_own"), (n * one, "below_own")]),
        "b5.cat2-constant": (k["constant"], [(k["constant"], "")]),
        "b5.cat2-reduced": (two - k["constant"], [(n * (two - k["constant"]), "")]),
        "b5.cat2-bound": (two, [(two, "swept_below"), (two, "final_below")]),
        "b5.cat3-minimum": (three, [(three, "minimum"), (k["shifts"], ""), (k["shifts"], "")]),
        "b5.cat3-negative": (k["negative"], [(k["negative"], ""), (k["negative"], "negative")]),
        "b5.cat3-shift": (mixed, [(mixed, ""), (k["first"], "first_amount"), (k["lifted"], "shifted")]),
        "b5.cat3-final": (three, [(k["below_zero"], "final_negative"), (k["beyond"], "final_beyond")]),
        "lemma6.1": (one, [((n - 1) * one, "apart")]),
        "lemma6.2": (one, []),
        "lemma6.3": (one, [(n * one, "from_t_l"), (n * one, "to_t_r")]),
        "lemma6.4": (two + three, [(k["low"], "outside_low"), (k["high"], "outside_high")]),
    }


KNOWN = tuple(relations(0, Counts([0] * 3, [0] * 3, dict.fromkeys(OTHERS, 0), {})))


def digest(page: Page) -> str:
    """Of the claims that the kernel knows, with all that they speak of."""
    import hashlib

    if any(id_ not in page.claims for id_ in KNOWN) or INPUTS not in page.inputs:
        return ""
    found = [inputs(INPUTS, page.inputs[INPUTS]).text, *(c.name for c in page.categories if c.inputs == INPUTS)]
    for id_ in KNOWN:
        told = page.claims[id_]
        condition = "" if told.condition is None else expression(told.condition)
        found += [f"{id_} on {told.inputs} if {condition}", *(line.text for line in claim_lines(told.lines, "  "))]
    kinds: list[dict[str, Any]] = [page.definitions, page.functions, page.layers, page.networks]
    for name in rests_on(page, KNOWN):
        if any(name in kind for kind in kinds):
            found += [line.text for line in declared(page, name)]
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()
