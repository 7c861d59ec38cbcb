"""A claim's ledger as plain data, for JSON: its entry in a certificate (proofs/FORMAT.md), and the same of a part of
its cases, for a checkpoint or another process. What is read back is believed only as far as a run of that part could
have counted it; numbers that are possible and wrong are for the independent checker to find.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from verifier.core.exact import parse_rational
from verifier.evaluate.ledger import INEQUALITIES, RECOGNISES, Count, Ledger, Relation
from verifier.evaluate.values import List, plain
from verifier.language.tree import BETWEEN_TRUTHS, Chain, Claim, ClaimLine, ForAll, ForEach, Within
from verifier.language.words import Place

Plain = dict[str, Any]


def entry(ledger: Ledger, place: Callable[[Place], Plain], more: Callable[[Relation], Plain]) -> Plain:
    """place, more: how the place of a sign is written, and what is written of a relation beside its sides."""
    written: Plain = {"id": ledger.claim.id, "verdict": ledger.verdict, "cases": ledger.cases}
    if ledger.why is not None:
        return {**written, "why": ledger.why}

    def of_relation(relation: Relation) -> Plain:
        letters = {name: plain(value) for name, value in relation.letters.items()}
        return {
            "value": plain(relation.value),
            "bound": plain(relation.bound),
            **({"letters": letters} if letters else {}),
            "ranks": list(relation.ranks),
            **({"from": relation.side} if relation.side else {}),
            **more(relation),
        }

    def of_count(count: Count) -> Plain:
        line: Plain = {**place(count.place), "relation": count.text, "made": count.made}
        if count.least is not None:
            slack, relation = count.least
            line["least"] = {"slack": str(slack), **of_relation(relation)}
        if count.sign == RECOGNISES:
            line["accepted"] = count.accepted
            for answer, wrongly in count.wrongly.items():
                first = {} if wrongly.first is None else {"first": of_relation(wrongly.first)}
                line[_wrongly(answer)] = {"made": wrongly.made, **first}
        return line

    written["lines"] = list(map(of_count, ledger.counts.values()))
    if ledger.first is not None:
        written["first"] = {**place(ledger.first.place), **of_relation(ledger.first)}
        written["failing"] = ledger.failing
    return written


def _wrongly(answer: bool) -> str:
    return f"wrongly_{'accepted' if answer else 'rejected'}"


def part(ledger: Ledger) -> Plain:
    """Of a part of the cases. A sign is its number in the claim: its place and text are others where the layout is."""
    number = {place: k for k, place in enumerate(ledger.counts)}
    written = entry(ledger, lambda place: {"sign": number[place]}, lambda relation: {"order": list(relation.order)})
    for line in written.get("lines", []):
        del line["relation"]
    return written


def read_part(claim: Claim, why: str | None, content: Plain, ranks: range) -> Ledger:
    """The ledger of the cases of these ranks; raises ValueError, or whatever a wrong kind raises, for what no run of
    them counts."""
    ledger = Ledger(claim, why)
    if why is None:
        _read_counts(ledger, content, ranks)
    insist(part(ledger) == content, "it isn't written as what it says")
    return ledger


def _read_counts(ledger: Ledger, content: Plain, ranks: range) -> None:
    ledger.cases, ledger.failing = whole(content["cases"]), whole(content.get("failing", 0))
    insist(ledger.cases <= len(ranks), "a claim has more cases than there are")
    insist(
        ledger.claim.condition is not None or ledger.cases == len(ranks), "a claim hasn't as many cases as there are"
    )
    insist(ledger.failing <= ledger.cases, "more failing cases than cases")
    for count, line in zip(ledger.counts.values(), content["lines"], strict=True):
        count.made, sign = whole(line["made"]), whole(line["sign"])
        if "least" in line:
            slack, relation = parse_rational(line["least"]["slack"]), _relation(ledger, sign, line["least"], ranks)
            insist(count.sign in INEQUALITIES and count.made > 0 <= slack, "a tightest case that can't be one")
            insist(abs(relation.value - relation.bound) == slack, "a slack that isn't the distance of its sides")
            count.least = slack, relation
        if count.sign == RECOGNISES:
            _read_answers(ledger, count, line, ranks)
    insist(("first" in content) == (ledger.failing > 0), "its first failing case is elsewhere")
    if "first" in content:
        first = ledger.first = _relation(ledger, whole(content["first"]["sign"]), content["first"], ranks)
        count = ledger.counts[first.place]
        insist(count.made > 0, "its first failure is of a relation that was never made")
        truths = isinstance(first.value, bool) and isinstance(first.bound, bool)
        insist(truths or count.sign not in BETWEEN_TRUTHS, f"numbers on the sides of {count.sign}")


def _read_answers(ledger: Ledger, count: Count, line: Plain, ranks: range) -> None:
    count.accepted = whole(line["accepted"])
    insist(count.accepted <= count.made, "more is accepted than was asked")
    for answer, wrongly in count.wrongly.items():
        content = line[_wrongly(answer)]
        wrongly.made = whole(content["made"])
        many = count.accepted if answer else count.made - count.accepted
        insist(wrongly.made <= many, "more wrong answers than answers")
        insist(("first" in content) == (wrongly.made > 0), "its first wrong answer is elsewhere")
        if "first" in content:
            first = wrongly.first = _relation(ledger, whole(line["sign"]), content["first"], ranks)
            insist(first.value is answer and first.bound is (not answer), "an answer that isn't wrong in this way")


def _relation(ledger: Ledger, sign: int, content: Plain, ranks: range) -> Relation:
    (rank,) = content["ranks"]
    insist(whole(rank) in ranks, "a case of another part")
    letters = {name: _value(x) for name, x in content.get("letters", {}).items()}
    insist(set(letters) <= set(_letters(ledger.claim.lines)), "letters that no block has")
    side = content.get("from", "")
    insist(side in ("", "below", "above"), "a side that is none")
    value, bound, order = _value(content["value"]), _value(content["bound"]), tuple(map(whole, content["order"]))
    return Relation((rank,), list(ledger.counts)[sign], value, bound, letters, side, order)


def _letters(lines: Sequence[ClaimLine]) -> Iterator[str]:
    """The letters of the blocks of a claim."""
    for line in lines:
        if isinstance(line, ForEach | ForAll):
            yield line.letter
        if isinstance(line, Within):
            yield from (line.lower, line.upper)
        if not isinstance(line, Chain):
            yield from _letters(line.lines)


def _value(x: Any) -> Any:
    if isinstance(x, list):
        return List([_value(item) for item in x])
    return x if isinstance(x, bool) else parse_rational(x)


def whole(k: Any) -> int:
    insist(type(k) is int and k >= 0, "a count that is no whole number")
    return int(k)


def insist(good: bool, what: str) -> None:
    if not good:
        raise ValueError(what)
