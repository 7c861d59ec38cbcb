"""Which facts are enough for which claim: rules, which link the recursions with the network (SYMBOLIC 5), and facts."""

_LAYER = ["layer.at.lower", "layer.at.upper", "layer.above.lower", "layer.above.upper"]
_LAYER += ["layer.below.lower", "layer.below.upper"]
_SWEEP = ["passed", "max.first", "max.is", "max.shifted", "max.waiting", "shift", "moves", "alone"]
_SENTINEL = ["idle", "passed", "max.first", "max.is", "max.before", "max.negative", "max.waiting"]
_SENTINEL += ["min.waiting", "min.shifted", "shift"]

RULES = {
    "heads": ["head.above", "head.above.tie", "head.below", "head.below.tie", "head.mean"],
    "layer": ["heads", *_LAYER],
    "ids": ["row.low", "row.id", "row.differ", "row.same"],
    "sentinels": ["sentinel.id", "sentinel.far"],
    "levels": ["ids", "k.low", "k.last", "k.later", "sweep.waiting", "sweep.min.waiting"],
    "sweep": ["layer", "levels", "sweep.alone.is", *(f"sweep.{part}" for part in _SWEEP)],
    "global": ["sweep", "global.above", "global.alone", "global.zero"],
    "sentinel sweep": ["layer", "levels", "sentinels", "r.order", *(f"cat3.{part}" for part in _SENTINEL)],
    "sentinel global": ["sentinel sweep", "cat3.below", "cat3.above"],
    "decoder": ["ids", "digit.differ", "digit.same"],
}
_POSITIONS = ["waiting", "later", "max.first", "max.is", "max.shifted", "max.waiting", "min.waiting", "shift", "moves"]
_PASSED = ["pos.passed.columns", "pos.passed.rows"]
RULES |= {
    "blocks": ["ids", "E.wide", "id.column", "l.start", "l.end", "l.next"],
    "positions sweep": ["layer", "blocks", *(f"pos.{part}" for part in _POSITIONS)],
    "positions again": ["positions sweep", *_PASSED, "pos.passed.one"]
    + [f"again.{part}" for part in ("first", "second", "last", "level", "passed", "shift", "order")],
    "positions decoder": ["positions again", "again.above", "again.below", "pos.digit.differ", "pos.digit.same"],
    "positions global": ["positions again", "pos.above", "again.large"],
    "quantiser": [
        f"piece.{part}" for part in ("first", "last", "below", "above", "at.start", "at.end", "to", "layers")
    ],
}
_INTERVALS = ["positions decoder", "positions global", "again.start", "again.bound", "pos.start", "pos.end", "pos.next"]
_EVERYWHERE = ["global", "sentinel global"]
_CAT2_VALUE, _FINAL = ["cat2.value", "cat2.value.one"], ["cat3.low", "cat3.high", "cat3.beyond"]

CLAIMS = {
    "b5.head": ["heads"],
    "b5.shift": _EVERYWHERE,
    "b5.lattice": _EVERYWHERE,
    "b5.ids": ["ids"],
    "b5.ids-sentinel": ["sentinels"],
    "b5.first-shift": ["sweep", "t.first", "t.lifted"],
    "b5.closed-form": ["sweep", "closed.form"],
    "b5.order": ["sweep", "t.grow"],
    "b5.max-min": ["sweep"],
    "lemma10.lower": ["sweep", "lower"],
    "lemma10.upper": ["sweep", "upper"],
    "lemma10.injective": ["sweep", "decoder"],
    "b5.global": ["global"],
    "b5.interval": ["global", "decoder", "interval.start", "interval.end", "interval.next"],
    "b5.cat2-constant": ["sweep"],
    "b5.cat2-reduced": ["sweep"],
    "b5.cat2-bound": ["global", "cat2.bound", "cat2.bound.one", *_CAT2_VALUE],
    "b5.cat3-minimum": ["sentinel sweep", "cat3.negative"],
    "b5.cat3-negative": ["sentinel global", "cat3.low"],
    "b5.cat3-shift": ["sentinel sweep", "cat3.first", "r.large"],
    "b5.cat3-final": ["sentinel global", *_FINAL],
    "lemma6.1": ["global", "within"],
    "lemma6.2": ["global", "decoder", "across"],
    "lemma6.3": ["global", "inside.low", "inside.high"],
    "lemma6.4": [*_EVERYWHERE, *_CAT2_VALUE, *_FINAL, "cat3.under"],
    "lemma6.layers": ["layers"],
    "lemma6.equivariant": _EVERYWHERE,
    "c.quantizes": ["quantiser"],
    "c.ids": ["blocks"],
    "c.order": ["positions sweep", "pos.passed", "lt.grow"],
    "c.bound": ["positions again", "pos.bound"],
    "c.injective": ["positions decoder"],
    "c.disjoint": _INTERVALS,
    "c.contextual": [*_INTERVALS, "pos.within"],
    "theorem3.size": ["E.wide", "size"],
    "sharp.lower": ["sweep", "lower.sharp", "lower.attained"],
    "sharp.upper": ["sweep", "upper.sharp", "upper.reached", "upper.attained"],
    "c.order-repaired": ["positions sweep", *_PASSED, "lt.grow"],
}

OWN = {
    "sharp.lower": "The largest id after the sweep is at least what it is for the ids 0, 1, ..., n-1 (in units of"
    " delta). [(B-1)(l~_n/delta - n + 1) >= (n(B-1) - B) B^n + B, with equality there]",
    "sharp.upper": "The largest id after the sweep is at most what it is for the ids 0, ..., n-2 and B-1 (in units of"
    " delta). [(B-1) l~_n/delta <= (B-1)^2 + (B-2) B^(n+1) + B (n-1-B)(B-1) + B^2, with equality there]",
    "c.order-repaired": "Unless d = 1 and n = 2, the sweep over the n blocks of levels shifts each column once, in"
    " order, and keeps their order. [l~_1 < l~_2 < ... < l~_n, each column shifted once, for (d, n) != (1, 2)]",
}


def false_for(n: int | None) -> dict[str, str]:
    """The claims that are false somewhere, for this n or for all, and where: they are tried only if they are named."""
    return {"c.order": "c.order, which is false at (d, n) = (1, 2)"} if n in (None, 2) else {}


def facts_of(claim: str) -> set[str]:
    facts: set[str] = set()
    parts = list(CLAIMS[claim])
    while parts:
        part = parts.pop()
        if part in RULES:
            parts += RULES[part]
        else:
            facts.add(part)
    return facts
