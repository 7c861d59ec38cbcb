"""Claims about words, by states, wherever words merge; what is found is what a run word by word finds, to the byte.

Each word that is named (of a least slack, a first failure, a first wrong answer) is run by the definition, and so are
some that are drawn.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

from verifier.evaluate.budget import STEPS, apart
from verifier.evaluate.definition import Reading, at_case
from verifier.evaluate.ledger import Ledger
from verifier.evaluate.quick.page import Quick
from verifier.evaluate.quick.shards import Cases, State, begun, categorise, inputs_of
from verifier.evaluate.states.claims import Counted, Rank, Relations, at_word, categorised
from verifier.evaluate.states.diagrams import Diagrams, DontMerge
from verifier.evaluate.states.network import Layers
from verifier.evaluate.states.page import Words
from verifier.evaluate.values import Disagree
from verifier.language.tree import Category, Claim
from verifier.language.words import TooLarge

WORTH = 30_000  # words; of fewer, a run word by word is as quick
# What may be spent, in steps of some microseconds: on words that can be run one by one, less than that takes;
# and on words that are too many.
A_WORD, EFFORT = Fraction(1, 2), 10_000_000
ATTEMPT = 10 * STEPS  # what numbers and lists that are known may cost
DRAWN = 2  # words that are run by the definition, of each inputs


def by_states(quick: Quick, ids: list[str], steps: float | None) -> tuple[State, list[str]]:
    """What is counted by states; and the claims that are left, to be run case by case."""
    state, left = State({}, {}), list(ids)
    chosen = [quick.page.claims[k] for k in ids]
    for name in inputs_of(quick, ids):
        claims = [c for c in chosen if c.inputs == name and begun(quick, c).why is None]
        space = quick.reading.space(name)  # whose cases add to the budget
        if space.kind != "words" or space.cases < WORTH:
            continue
        try:
            with apart(ATTEMPT):
                found = counted(quick, name, claims, steps)
        except (DontMerge, RecursionError) as error:
            if (many := space.too_many) is not None:
                why = error if isinstance(error, DontMerge) else "definitions rest on one another too deeply"
                raise TooLarge(many.place, f"{many.message}; and by states they aren't run: {why}") from error
            continue
        state.claims.update(found.claims)
        state.categories.update(found.categories)
        left = [k for k in left if k not in found.claims]
    return state, left


def counted(quick: Quick, name: str, claims: list[Claim], steps: float | None) -> State:
    reading = quick.reading
    space, inputs = reading.space(name), quick.page.inputs[name]
    if quick.through_all_cases(claims):
        raise DontMerge("something runs through all cases")
    effort = int(A_WORD * space.cases) if space.too_many is None else inf if steps == inf else EFFORT
    shared, layers = Diagrams(effort), Layers(reading.understood)
    categories = [c for c in quick.page.categories if c.inputs == name]
    found: dict[str, list[tuple[Rank, Counted]]] = {c.id: [] for c in claims}
    counts = dict.fromkeys([c.name for c in categories], 0)
    start = 0
    for n, sets in space.sets.items():
        if not space.cases_of(n):
            continue
        words = Words(reading, inputs.variable, sets, shared, layers)
        if categories:
            each, wrong = categorised(words, categories)
            if wrong is not None:
                miscounted(quick, name, categories, start + wrong)
            for c, k in zip(categories, each, strict=True):
                counts[c.name] += k
        for claim in claims:
            its = Relations(words).of_claim(claim)
            if its.refused is not None:
                refused(reading, claim, start + its.refused)
            found[claim.id].append((start, its))
        start += space.cases_of(n)
    cases = Cases(reading)
    made = {claim.id: entered(claim, found[claim.id], cases) for claim in claims}
    drawn(claims, found, shared, cases)
    return State(made, {name_: [k, k] for name_, k in counts.items()})


def miscounted(quick: Quick, name: str, categories: list[Category], rank: Rank) -> None:
    """Says what is wrong at this word."""
    categorise(quick, categories, quick.case(name, rank), rank, {c.name: [0, 0] for c in categories})
    raise Disagree(f"the case of rank {rank} of {name} is in one category, and by states it isn't")


def refused(reading: Reading, claim: Claim, rank: Rank) -> None:
    """The definition says what is wrong at this word."""
    at_case(claim, reading.case(str(claim.inputs), rank), rank, Ledger(claim), {})
    raise Disagree(f"{claim.id} at the case of rank {rank} is refused by states, and not by the definition")


# into the ledger


def entered(claim: Claim, parts: list[tuple[Rank, Counted]], cases: Cases) -> Ledger:
    """What is counted of a claim, of all lengths; each word that is named as the definition has it."""
    whole, alone = Ledger(claim), dict[Rank, Ledger]()

    def at(rank: Rank) -> Ledger:
        if rank not in alone:
            alone[rank] = Ledger(claim)
            at_case(claim, cases.case(str(claim.inputs), rank), rank, alone[rank], {})
        return alone[rank]

    for start, part in parts:  # shorter words first, and so lower ranks
        whole.cases += part.cases
        whole.failing += part.failing
        if part.first is not None and whole.first is None:
            whole.first = at(start + part.first).first
            if whole.first is None:
                raise disagree(claim, claim.place[0], start + part.first, "a failure")
    for place, count in whole.counts.items():
        signs = [(start, part.signs[place]) for start, part in parts if place in part.signs]
        count.made = sum(sign.made for _, sign in signs)
        leasts = [(sign.least[0], start + sign.least[1]) for start, sign in signs if sign.least is not None]
        if leasts:
            slack, rank = min(leasts)
            count.least = at(rank).counts[place].least
            if count.least is None or count.least[0] != slack:
                raise disagree(claim, place[0], rank, f"the slack {slack}")
        for start, sign in signs:
            for (answer, so), (many, rank) in sign.answers.items():
                count.accepted += many * answer
                wrongly = count.wrongly[answer]
                if answer != so:
                    first = wrongly.first or at(start + rank).counts[place].wrongly[answer].first
                    if first is None:
                        raise disagree(claim, place[0], start + rank, "a wrong answer")
                    wrongly.add(many, first)
    return whole


def disagree(claim: Claim, line: int, rank: Rank, what: str) -> Disagree:
    return Disagree(f"{claim.id}, line {line}: {what} at [{rank}], by states, isn't the definition's")


def drawn(claims: list[Claim], found: dict[str, list[tuple[Rank, Counted]]], shared: Diagrams, cases: Cases) -> None:
    """Some words, by the definition: each relation is made there, or not, with the same slack."""
    space = cases.reading.space(str(claims[0].inputs))
    draw = Random(f"{space.cases} {[c.id for c in claims]}")  # noqa: S311 - a test, no secret
    lengths = [n for n in space.sets if space.cases_of(n)]
    for _ in range(DRAWN if lengths else 0):
        which = draw.randrange(len(lengths))
        word = [draw.randrange(len(its)) for its in space.sets[lengths[which]]]
        rank = sum(space.cases_of(n) for n in lengths[:which]) + space.rank(tuple(word))
        for claim in claims:
            ledger, seen = Ledger(claim), list(relations(shared, found[claim.id][which][1], word))
            at_case(claim, cases.case(str(claim.inputs), rank), rank, ledger, {})
            for place, count in ledger.counts.items():
                mine = [(holds, slack) for at, holds, slack in seen if at == place]
                slacks = [slack for holds, slack in mine if holds and slack is not None]
                least = None if count.least is None else count.least[0]
                if len(mine) != count.made or min(slacks, default=None) != least:
                    raise disagree(claim, place[0], rank, "what is made")
            if bool(ledger.failing) != any(not holds for _, holds, _ in seen):
                raise disagree(claim, claim.place[0], rank, "whether it holds")


def relations(shared: Diagrams, found: Counted, word: list[int]) -> Iterator[tuple[tuple[int, int], bool, Any]]:
    for place, guard, holds, slack in found.relations:
        if at_word(shared, guard, word):
            yield place, at_word(shared, holds, word), at_word(shared, slack, word)
