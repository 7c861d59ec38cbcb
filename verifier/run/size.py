"""How large a run would be, in exact numbers, before it begins; a paper may have limits of its own."""

from collections.abc import Sequence

from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.core.paper import Paper, loaded
from verifier.run.stop import TooLarge

# What the literal network runs in about two minutes: cases; and columns, counted once for each layer.
MOST_CASES = 200_000
MOST_WORK = 12_000_000
A_SECOND = 100_000  # such columns


def about(seconds: int) -> str:
    """About how long that is, in words: a rough guess that helps to decide, and no promise."""
    for unit, name, most in ((1, "second", 100), (60, "minute", 100), (3600, "hour", 48), (86_400, "day", 700)):
        if seconds <= unit * most:
            count = max(1, -(-seconds // unit))
            return f"about {count:,} {name}{'' if count == 1 else 's'} on one core"
    return "years on one core"


def refuse_if_too_large(
    paper: Paper, sizes: dict[str, int], claims: Sequence[Claim], max_points: int | None, engine: str = "auto"
) -> None:
    """Raises TooLarge for a run of more than `max_points` cases; without that limit, for a run that takes longer than
    minutes."""
    if paper.refuse:
        loaded(paper.refuse)(sizes, claims, max_points, engine)
    else:
        refuse_too_many(paper.construction(**sizes), claims, max_points)


def refuse_too_many(g: Construction, claims: Sequence[Claim], max_points: int | None) -> None:
    """The usual limits, on the space's size by its formula, and on the work that the claims estimate."""
    over_space = [claim for claim in claims if claim.domain.cases is None]
    cases = g.space.size if over_space else 0
    size = f"{g} has {cases:,} {g.space.several}"
    its_own = {
        (claim.domain.cases, claim.work): claim.work(g) for claim in claims
    }  # claims share the runs of their cases
    work = cases * g.columns_a_case + sum(its_own.values())
    taken = about(work // A_SECOND)
    if cases > (MOST_CASES if max_points is None else max_points):
        limit = MOST_CASES if max_points is None else max_points
        raise TooLarge(f"{size}; the limit is {limit:,} {g.space.several}; --max-points {cases} allows it: {taken}")
    if max_points is None and work > MOST_WORK:
        raise TooLarge(
            f"{size}: {work:,} columns to run through layers; the limit is {MOST_WORK:,};"
            f" --max-points {max(cases, 1)} allows it: {taken}"
        )
