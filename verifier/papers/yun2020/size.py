"""How large a run would be, in exact numbers, before it begins."""

from collections.abc import Sequence

from verifier.catalogue import all_claims
from verifier.core.claim import Claim
from verifier.core.multisets import multisets
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.kernel import kernel
from verifier.papers.yun2020.kernel.engine import BY_CHANGES_A_SECOND, path_through
from verifier.run.size import about
from verifier.run.stop import TooLarge

# What the literal network runs in about two minutes: orbits; and columns (once for each layer), with C or without.
MOST_ORBITS = 200_000
MOST_WORK = 60_000_000
MOST_WORK_WITHOUT_C = 12_000_000
MOST_TAKES = 120  # seconds

# What the kernel runs in minutes on two cores: this many orbits on any path; or what takes its path so many seconds.
MOST_PLAIN = 20_000_000
MOST_SECONDS = 50

# By the layers that change a case; of each orbit its values are kept, a kilobyte or so.
MOST_BY_CHANGES = 2_000_000

# What a network and a matrix may take of memory, whatever the user allows.
MOST_COLUMNS = 150_000
MOST_TOKENS = 1_000

# The limits for the story of one matrix, so that it takes seconds: columns, tokens, and n^2 scores at each level.
MOST_COLUMNS_TOLD = 50_000
MOST_TOKENS_TOLD = 100
MOST_SCORES = 4_000_000

# A size of more bits than this is printed as a formula, and not computed.
_MOST_BITS = 4_000


def _power(base: int, exponent: int) -> int | None:
    return base**exponent if exponent * base.bit_length() <= _MOST_BITS else None


def orbit_count(instance: Instance) -> int | None:
    """C((N+1)^d + n - 1, n), the orbits of G+; None where that is astronomically large."""
    columns = _power(instance.N + 1, instance.d)
    if columns is None or min(instance.n, columns - 1) * (columns + instance.n).bit_length() > _MOST_BITS:
        return None
    return multisets(columns, instance.n)


def matrix_count(instance: Instance) -> int | None:
    """(N+1)^(dn), the matrices of G+; None where that is astronomically large."""
    return _power(instance.N + 1, instance.d * instance.n)


def _text(size: int | None, formula: str) -> str:
    return formula if size is None else f"{size:,}"


def most_work(work: int | None) -> int:
    """The limit for this work; whether there is a C library is looked up only if it matters."""
    if work is None or work <= MOST_WORK_WITHOUT_C:
        return MOST_WORK_WITHOUT_C
    from verifier.core.whole import compiled

    return MOST_WORK_WITHOUT_C if compiled.library() is None else MOST_WORK


def refuse(sizes: dict[str, int], claims: Sequence[Claim], max_points: int | None, engine: str) -> None:
    """refuse_if_too_large, with sizes by name: what Paper.refuse calls."""
    refuse_if_too_large(Instance(**sizes), claims, max_points, engine)


def refuse_if_too_large(
    instance: Instance, claims: Sequence[Claim], max_points: int | None, engine: str = "auto"
) -> None:
    """Raises TooLarge for a run of more than `max_points` orbits; without that limit, for a run longer than minutes."""
    d, n, N = instance.d, instance.n, instance.N
    orbits, matrices = orbit_count(instance), matrix_count(instance)
    over_orbits = [claim for claim in claims if claim.domain.cases is None]
    orbits_text = _text(orbits, f"C({N + 1}^{d} + {n - 1}, {n})")
    matrices_text = _text(matrices, f"{N + 1}^{d * n}")
    size = f"{instance} has {orbits_text} orbits ({matrices_text} matrices)"

    columns = _power(N + 1, d)
    if orbits is None or columns is None:
        raise TooLarge(size)
    if max_points is not None and over_orbits and orbits > max_points:
        taken = f": {_time(instance, over_orbits, orbits, engine)}" if columns <= MOST_COLUMNS else ""
        raise TooLarge(f"{size}; the limit is {max_points:,} orbits; --max-points {orbits} allows it{taken}")
    if columns > MOST_COLUMNS or n > MOST_TOKENS:
        held = f"at most {MOST_COLUMNS:,} columns of G+ and {MOST_TOKENS:,} tokens are held"
        raise TooLarge(f"{size}: too large, {columns:,} columns and {n:,} tokens; {held}")
    if max_points is not None:
        return
    work: dict[object, tuple[int, str]] = {}  # claims with the same cases share one run
    for claim in claims:
        run = claim.domain.cases or claim.id
        work[run] = max(work.get(run, (0, "")), (claim.work(instance), claim.id))
    total, (most, longest) = sum(columns for columns, _ in work.values()), max(work.values())
    if total > (limit := most_work(total)):
        raise TooLarge(
            f"{size}; its claims run {total:,} columns through layers ({longest} alone {most:,});"
            f" the limit is {limit:,}; --max-points {orbits} allows it: {about(total * MOST_TAKES // limit)}"
        )
    if not over_orbits:
        return
    others = _not_for_the_kernel(instance, over_orbits, engine)
    if not others:
        if engine == "changes" and orbits > MOST_BY_CHANGES:
            ways = f"--max-points {orbits} allows it: {_time(instance, over_orbits, orbits, engine)}"
            raise TooLarge(f"{size}; the limit of such a variant is {MOST_BY_CHANGES:,} orbits; {ways}")
        limit = MOST_PLAIN
        if orbits > limit:
            a_second = path_through(kernel.numbers(instance)).a_second
            limit = max(limit, MOST_SECONDS * a_second)
            taken = about(orbits // a_second)
        if orbits > limit:
            raise TooLarge(f"{size}; the limit is {limit:,} orbits; --max-points {orbits} allows it: {taken}")
        return
    _refuse_if_too_large_for_the_network(instance, others, size, orbits, matrices, matrices_text)


def _not_for_the_kernel(instance: Instance, claims: Sequence[Claim], engine: str) -> Sequence[Claim]:
    if engine == "literal" or instance.n > kernel.MOST_TOKENS:
        return claims
    own = all_claims()  # the kernel knows a claim only with the check that is declared here
    return [claim for claim in claims if claim.id not in kernel.DOMAIN or own[claim.id] is not claim]


def _time(instance: Instance, claims: Sequence[Claim], orbits: int, engine: str) -> str:
    """About how long the orbits take."""
    if not _not_for_the_kernel(instance, claims, engine):
        path = BY_CHANGES_A_SECOND if engine == "changes" else path_through(kernel.numbers(instance)).a_second
        return about(orbits // path)
    work = orbits * instance.n * (instance.B + 1)
    return about(work * MOST_TAKES // most_work(work))


def refuse_if_too_long(instance: Instance, *, ordered: bool) -> None:
    """Raises TooLarge where one matrix is too much for the literal network; with `ordered`, the positional one."""
    d, n, N = instance.d, instance.n, instance.N
    B, columns = _power(N, d), _power(N + 1, d)
    blocks = n if ordered else 1
    levels = _text(None if B is None else blocks * B, f"{n} . {N}^{d}" if ordered else f"{N}^{d}")
    size = f"{instance} has {levels} levels, {_text(columns, f'{N + 1}^{d}')} columns of G+ and {n:,} tokens"
    told = columns is not None and columns <= MOST_COLUMNS_TOLD and n <= MOST_TOKENS_TOLD
    if B is None or not told or blocks * B * n**2 > MOST_SCORES:
        raise TooLarge(
            f"{size}; the story of a matrix takes at most {MOST_COLUMNS_TOLD:,} columns, {MOST_TOKENS_TOLD} tokens, and"
            f" {MOST_SCORES:,} for the levels times the tokens squared"
        )


def _refuse_if_too_large_for_the_network(
    instance: Instance, claims: Sequence[Claim], size: str, orbits: int, matrices: int | None, matrices_text: str
) -> None:
    """Raises TooLarge by the work: B + 1 layers for each orbit, and for each matrix too if the order of columns
    matters."""
    per_matrix = instance.n * (instance.B + 1)
    work: int | None = orbits * per_matrix
    if any(claim.domain.over_matrices for claim in claims):
        work = None if matrices is None else (orbits + matrices) * per_matrix
    limit = most_work(work)
    if work is None or work > limit or orbits > MOST_ORBITS:
        ways = f"--max-points {orbits} allows it"
        ways += "" if work is None else f": {about(work * MOST_TAKES // limit)}"
        if orbits * per_matrix <= limit and orbits <= MOST_ORBITS:
            ways += f", and without lemma6.equivariant it is {orbits * per_matrix:,}"
        if len(named := [claim.id for claim in claims if claim.id not in kernel.DOMAIN]) < 5 and named:
            ways += f" (what the kernel doesn't know: {', '.join(named)})"
        taken = f"{matrices_text} . {per_matrix}" if work is None else f"{work:,}"
        raise TooLarge(
            f"{size}: {taken} columns to run through a layer of the literal network;"
            f" the limit is {limit:,}, and {MOST_ORBITS:,} orbits; {ways}"
        )
