"""The claims about Lemma 3: the twelve of its proof, the same of the recursion, of all readings, and of the repair."""

from collections.abc import Callable
from typing import Any

from verifier.core.claim import Claim, Collected, Domain, Relation, Relations, itself, neighbours
from verifier.core.exact import Q, dot
from verifier.papers.bigbird2020 import steps
from verifier.papers.bigbird2020.construction import BigBird
from verifier.papers.bigbird2020.everywhere import InReading, Step, in_every_reading
from verifier.papers.bigbird2020.reading import mended, printed
from verifier.papers.bigbird2020.sweep import Sweep

CONTEXTS = Domain("every context of [0, 1)_delta^(d x n)")
CONSTRUCTION = Domain("the construction itself", cases=itself)


# Claims about the construction itself.


def _start(g: BigBird) -> Relations:
    i = g.instance
    x_0 = (*(Q(0),) * i.d, Q(1))
    yield Relation("u^T x_0", dot(i.u, x_0), "=", "delta^-nd", Q(i.B**i.n))
    yield Relation("u^T x_0", dot(i.u, x_0), "=", "delta^-(n+1)d", Q(i.B ** (i.n + 1)))


def _bounds(g: BigBird) -> Relations:
    for k in range(g.instance.n + 1):
        yield Relation(f"S_{k}", g.instance.S(k), "<", f"T_{k}", g.instance.T(k))


def _closed_grid(g: BigBird) -> Relations:
    """Two columns with one id are one token to every layer."""
    i = g.instance
    columns = i.columns(closed=True)
    ids = {dot(i.u[: i.d], column) for column in columns}
    yield Relation("ids of the columns of [0, 1]_delta^d", len(ids), "=", "columns of [0, 1]_delta^d", len(columns))


def _counted(sweeps: tuple[Sweep, ...], kind: str) -> int:
    return sum(sweep.levels for sweep in sweeps if sweep.name.startswith(kind))


def _layers(g: BigBird) -> Relations:
    i, sweeps = g.instance, printed(g.instance)
    yield Relation(
        "layers of low shifts", _counted(sweeps, "low"), "=", "(delta^-nd - 1) / delta", i.N * (i.B**i.n - 1)
    )
    yield Relation("layers of high shifts", _counted(sweeps, "high"), "=", "1", 1)
    last = max(Q(0), i.N * (i.T(i.n) - i.S(1)))
    yield Relation("last layers", Q(_counted(sweeps, "last")), "=", "(T_n - S_1) / delta, or 0", last)
    yield Relation("heads of a layer", len(sweeps[0].layer(Q(0)).heads), "=", "2", 2)


def mended_layers(g: BigBird, sweeps: tuple[Sweep, ...] | None = None) -> Relations:
    """The number of layers of the repair; of other sweeps, for whoever changes them."""
    i, sweeps = g.instance, sweeps or mended(g.instance)
    high = i.n + (i.B - 1) * ((i.P**i.n - 1) // (i.P - 1) - i.n)
    # From f_1's least value to f_n's largest, both with their ends.
    least = i.B ** (i.n + 1) - (i.B - 1) * i.spread
    largest = i.B * i.largest_global(i.n - 1) - (i.B - 1) * i.least_id(i.n)
    yield Relation("layers of low shifts", _counted(sweeps, "low"), "=", "delta^-nd / delta", i.N * i.B**i.n)
    yield Relation("layers of high shifts", _counted(sweeps, "high"), "=", "n + (B - 1)((P^n - 1)/(P - 1) - n)", high)
    yield Relation(
        "last layers", Q(_counted(sweeps, "last")), "=", "(max f_n - min f_1) / delta + 1", i.N * (largest - least) + 1
    )


# Claims about two contexts.


def _apart(what: str) -> Callable[[BigBird, Collected], Relations]:
    def conclude(_: BigBird, seen: Collected) -> Relations:
        for lower, upper, cases in neighbours(seen):
            yield Relation(f"{what} of one context", upper, ">", f"{what} of another", lower, cases)

    return conclude


# Claims about every reading.


def _in_readings(step: Step) -> Callable[[InReading], Relations]:
    def check(case: InReading) -> Relations:
        yield Relation("contexts at which it fails", case.failing[step], ">", "0", 0)

    return check


def _shared_in_readings(case: InReading) -> Relations:
    yield Relation("contexts that have an entry of q in common with an earlier one", case.shared, ">", "0", 0)


READINGS = Domain("the 32 readings, each with all its contexts", cases=in_every_reading)


def _work_of_readings(g: BigBird) -> int:
    """Half of the readings have the contexts of [0, 1)_delta, half those of [0, 1]_delta."""
    i = g.instance
    return int(16 * (i.B**i.n + (i.N + 1) ** (i.d * i.n)) * g.columns_a_case)


def _claim(
    id_: str, kind: str, where: str, says: str, formula: str, how: str, domain: Domain = CONTEXTS, **checks: Any
) -> Claim:
    return Claim(id=id_, kind=kind, where=where, says=says, formula=formula, domain=domain, how=how, **checks)


_RUNS = "runs the literal layers over the star at every level at which a token is, and compares"
_RECURSION = "computes f_k and f~_0^k by their two formulas, whatever the layers do, and compares"
_MENDED = "runs the layers of the repair at every level at which a token is, and compares"
_PHASES = "Lemma 3, App. A.2.2, inductive step"

CLAIMS = (
    _claim(
        "bigbird.lemma2",
        "statement",
        "Lemma 2, App. A.2.2",
        "The difference of two hardmax heads over N(i), with their thresholds as biases of the queries, is the"
        " selective shift operator psi_u, wherever no id is on an edge of the window.",
        "psi~(Z; b_1)_i - psi~(Z; b_2)_i = (max - min over N(i)) of u^T Z_j if b_1 < u^T Z_i < b_2, 0 outside",
        "runs the two heads at the windows of every id of a context, and of the levels beside it",
        check=steps.selective,
    ),
    _claim(
        "bigbird.lemma2-keys",
        "step",
        "Lemma 2, App. A.2.2, proof",
        "The same of the heads as the proof prints them, with the threshold on the side of the keys.",
        "psi~(X, b)_i = sigma_H[(u^T X_i)^T (u^T X_N(i) - b 1^T)] e^(1) (u^T X_N(i))",
        "runs the two heads at the windows of every id of a context, and of the levels beside it",
        check=lambda case: steps.selective(case, on_keys=True),
        phrase="the heads as printed are max - min",
    ),
    _claim(
        "bigbird.lemma2-edges",
        "statement",
        "Lemma 2, App. A.2.2",
        "The same on the edges too, as the statement's b_1 <= u^T Z_j <= b_2 has it.",
        "psi~(Z; b_1)_i - psi~(Z; b_2)_i = max - min if u^T Z_i is b_1 or b_2",
        "runs the two heads at windows that have an id of the context on an edge",
        check=lambda case: steps.selective(case, on_edges=True),
        phrase="so they are on a window's edges, too",
    ),
    _claim(
        "bigbird.ids",
        "step",
        "Lemma 3, App. A.2.2",
        "At the start token i's id is in its own bucket, and the ids increase from token 1 to n to the global token.",
        "delta^-(i-1)d <= l_i <= delta^-id - delta, l_1 < ... < l_n < l_0",
        "compares the ids of every context",
        check=steps.ids,
        phrase="ids start in their own buckets",
    ),
    _claim(
        "bigbird.start",
        "step",
        "Lemma 3, App. A.2.2",
        "u^T x_0 is delta^-nd, which is used, and delta^-(n+1)d, which is stated.",
        "u^T x_0 = delta^-nd, u^T x_0 = delta^-(n+1)d",
        "multiplies",
        CONSTRUCTION,
        check=_start,
        phrase="u^T x_0 has both stated values",
    ),
    _claim(
        "bigbird.closed-grid",
        "step",
        "App. A.2.1 (G^E_delta), Lemma 3",
        "The ids of the columns of [0, 1]_delta^d, the closed grid of the definition of G^E_delta, are distinct.",
        "(N + 1)^d different u^T c",
        "computes them all",
        CONSTRUCTION,
        check=_closed_grid,
    ),
    _claim(
        "bigbird.low",
        "step",
        _PHASES,
        "The low shift of phase k shifts token k, once, and no other token.",
        "f_k = delta^-d (f~_0^(k-1) - l_k) + l_k",
        _RUNS,
        check=lambda case: steps.low(case.run),
        phrase="low shift k moves token k alone",
    ),
    _claim(
        "bigbird.high",
        "step",
        _PHASES,
        "The high shift of phase k shifts the global token, once, and no other token (for k = n with the smallest id in"
        " the place of l_(n+1)).",
        "f~_0^k = delta^-nd (f_k - l_(k+1)) + f~_0^(k-1)",
        _RUNS,
        check=lambda case: steps.high(case.run),
        phrase="high shift k moves token 0 alone",
    ),
    _claim(
        "bigbird.expansion",
        "step",
        _PHASES,
        "For k < n, f~_0^k is what is printed: the simplified step, and the same rolled out.",
        "f~_0^k = P f~_0^(k-1) - (delta^-nd-d + delta^-nd) l_k - l_(k+1)",
        _RECURSION,
        check=steps.expansion,
        phrase="f~_0^k rolls out as printed",
    ),
    _claim(
        "bigbird.expansion-sum",
        "own",
        _PHASES,
        "The printed step, repeated from f~_0^0 = delta^-nd, is the printed sum.",
        "x_k = P x_(k-1) - (delta^-nd-d + delta^-nd) l_k - l_(k+1) rolls out as printed",
        "computes both for the ids of every context",
        check=steps.printed_sum,
    ),
    _claim(
        "bigbird.bounds",
        "own",
        "Lemma 3, App. A.2.2, (UP) and (LP)",
        "The interval of the global token isn't empty.",
        "S_k < T_k for k = 0, ..., n",
        "computes both",
        CONSTRUCTION,
        check=_bounds,
        phrase="S_k < T_k",
    ),
    _claim(
        "bigbird.invariant1",
        "step",
        "Lemma 3, App. A.2.2, invariant 1",
        "After phase k the global token's id is between S_k and T_k.",
        "S_k < f~_0^k < T_k",
        _RUNS,
        check=lambda case: steps.invariant1(case.run),
        phrase="S_k < f~_0^k < T_k",
    ),
    _claim(
        "bigbird.invariant2",
        "step",
        "Lemma 3, App. A.2.2, invariant 2",
        "Token k's id after its low shift is between T_(k-1) and S_k.",
        "T_(k-1) <= f_k < S_k",
        _RUNS,
        check=lambda case: steps.invariant2(case.run),
        phrase="T_(k-1) <= f_k < S_k",
    ),
    _claim(
        "bigbird.invariant3",
        "step",
        "Lemma 3, App. A.2.2, invariant 3",
        "After phase k the ids increase from token k+1 to n, then from token 1 to k, then to the global token.",
        "l_(k+1) < ... < l_n < f_1 < ... < f_k < f~_0^k",
        _RUNS,
        check=lambda case: steps.order_of_run(case.run),
        phrase="ids are in the printed order",
    ),
    _claim(
        "bigbird.last",
        "step",
        "Lemma 3, App. A.2.2, end of the proof",
        "The last layers shift every token but the global one, once.",
        "q_i = f_i + delta^-(n^2 d) (f~_0^n - f_i)",
        _RUNS,
        check=lambda case: steps.last(case.run),
        phrase="the last layers move tokens 1 to n",
    ),
    _claim(
        "bigbird.global",
        "step",
        "Lemma 3, App. A.2.2, end of the proof",
        "After phase n the global token's id is different for different contexts.",
        "f~_0^n(P) != f~_0^n(P') for P != P'",
        "collects the id for every context, sorts, and compares neighbours",
        collect=lambda case: (case.run.f_0(case.instance.n),),
        conclude=_apart("f~_0^n"),
        phrase="f~_0^n differs between contexts",
    ),
    _claim(
        "bigbird.contextual",
        "step",
        "Lemma 3 and Definition 2, App. A.2.2",
        "The layers of the proof are a contextual mapping: the entries of q(P) are distinct, and no entry of q(P) is"
        " one of q(P') for another context P'.",
        "q(P)_i != q(P)_j for i != j, q(P)_i != q(P')_j for P != P'",
        "runs the literal layers, collects every entry for every context, sorts, and compares neighbours",
        check=lambda case: steps.distinct(case.run),
        collect=lambda case: case.run.q,
        conclude=_apart("an entry of q"),
        phrase="q is a contextual mapping",
    ),
    _claim(
        "bigbird.layers",
        "own",
        "Lemma 3, App. A.2.2 (states no number)",
        "The layers of the proof: (delta^-nd - 1)/delta for the low shifts, 1 for the high ones, and (T_n - S_1)/delta"
        " last ones, each of two heads.",
        "(delta^-nd - 1)/delta + 1 + max(0, (T_n - S_1)/delta)",
        "counts the levels of every sweep",
        CONSTRUCTION,
        check=_layers,
    ),
    _claim(
        "recursion.invariant1",
        "step",
        "Lemma 3, App. A.2.2, invariant 1",
        "Invariant 1, if every shift did what the proof says of it.",
        "S_k < f~_0^k < T_k",
        _RECURSION,
        check=lambda case: steps.invariant1(case.recursion),
    ),
    _claim(
        "recursion.invariant2",
        "step",
        "Lemma 3, App. A.2.2, invariant 2",
        "Invariant 2, if every shift did what the proof says of it.",
        "T_(k-1) <= f_k < S_k",
        _RECURSION,
        check=lambda case: steps.invariant2(case.recursion),
    ),
    _claim(
        "recursion.interchanged",
        "own",
        "Lemma 3, App. A.2.2, (UP) and (LP)",
        "Invariant 1 with (UP) and (LP) interchanged, for k >= 1, if every shift did what the proof says of it.",
        "T_k < f~_0^k < S_k",
        _RECURSION,
        check=lambda case: steps.interchanged(case.recursion),
    ),
    _claim(
        "recursion.invariant3",
        "step",
        "Lemma 3, App. A.2.2, invariant 3",
        "Invariant 3, if every shift did what the proof says of it.",
        "l_(k+1) < ... < l_n < f_1 < ... < f_k < f~_0^k",
        _RECURSION,
        check=lambda case: steps.order_of_recursion(case.recursion),
    ),
    _claim(
        "recursion.last",
        "step",
        "Lemma 3, App. A.2.2, end of the proof",
        "Every token is at a level of the last layers, if every shift did what the proof says of it.",
        "S_1 <= f_i < T_n",
        _RECURSION,
        check=lambda case: steps.within_last(case.recursion),
    ),
    _claim(
        "recursion.global",
        "step",
        "Lemma 3, App. A.2.2, end of the proof",
        "The global token's id is different for different contexts, if every shift did what the proof says of it.",
        "f~_0^n(P) != f~_0^n(P') for P != P'",
        "collects the number for every context, sorts, and compares neighbours",
        collect=lambda case: (case.recursion.f_0(case.instance.n),),
        conclude=_apart("f~_0^n"),
    ),
    *(
        _claim(
            f"readings.{step}",
            "own",
            where,
            f"In each of the 32 readings of the text {what} for some context.",
            "for every reading there is a context at which it fails",
            "runs every context in every reading",
            READINGS,
            check=check,
            work=_work_of_readings,
        )
        for step, where, what, check in (
            ("low", _PHASES, "a low shift doesn't do what is said of it", _in_readings(steps.low)),
            ("high", _PHASES, "a high shift doesn't do what is said of it", _in_readings(steps.high)),
            ("invariant1", "Lemma 3, invariant 1", "invariant 1 fails", _in_readings(steps.invariant1)),
            ("invariant2", "Lemma 3, invariant 2", "invariant 2 fails", _in_readings(steps.invariant2)),
            ("invariant3", "Lemma 3, invariant 3", "invariant 3 fails", _in_readings(steps.order_of_run)),
            (
                "contextual",
                "Lemma 3 and Definition 2",
                "Definition 2 fails: an entry of q(P) is one of q(P')",
                _shared_in_readings,
            ),
        )
    ),
    _claim(
        "repair.ids",
        "repair",
        "Lemma 3, App. A.2.2",
        "l_1 is from 0 to delta^-(d-1) - delta; l_i (i >= 2) is that far above delta^-(i-1)d (1 + ... + delta^-(d-1)).",
        "least_i <= l_i <= least_i + delta^-(d-1) - delta <= delta^-id - delta, l_1 < ... < l_n < l_0",
        "compares the ids of every context",
        check=steps.mended_ids,
    ),
    _claim(
        "repair.low",
        "repair",
        _PHASES,
        "With levels from 0 in phase 1: the low shift of phase k shifts token k, once, and no other token.",
        "f_k = delta^-d (f~_0^(k-1) - l_k) + l_k",
        _MENDED,
        check=lambda case: steps.low(case.mended),
    ),
    _claim(
        "repair.high",
        "repair",
        _PHASES,
        "With levels from S'_(k-1) to T'_(k-1): the high shift of phase k shifts the global token, once, and no other"
        " token; l_(n+1) is f_1.",
        "f~_0^k = delta^-nd (f_k - l_(k+1)) + f~_0^(k-1)",
        _MENDED,
        check=lambda case: steps.high(case.mended),
    ),
    _claim(
        "repair.expansion",
        "repair",
        _PHASES,
        "For k < n, f~_0^k simplified and rolled out, with the right coefficients.",
        "f~_0^k = P f~_0^(k-1) - delta^-nd ((delta^-d - 1) l_k + l_(k+1))",
        _RECURSION,
        check=lambda case: steps.expansion(case, mended=True),
    ),
    _claim(
        "repair.invariants",
        "repair",
        "Lemma 3, App. A.2.2, invariants 1 and 2",
        "The intervals [S'_k, T'_k] hold f~_0^k and lie between f_k and f_(k+1); the last levels are below f~_0^n.",
        "S'_k <= f~_0^k <= T'_k < f_(k+1), f_k < S'_k",
        _MENDED,
        check=lambda case: steps.mended_invariants(case.mended),
    ),
    _claim(
        "repair.order",
        "repair",
        "Lemma 3, App. A.2.2, invariant 3",
        "Invariant 3 as it is printed, of the repair's layers.",
        "l_(k+1) < ... < l_n < f_1 < ... < f_k < f~_0^k",
        _MENDED,
        check=lambda case: steps.order_of_run(case.mended),
    ),
    _claim(
        "repair.last",
        "repair",
        "Lemma 3, App. A.2.2, end of the proof",
        "With levels from the least f_1 to the largest f_n, the last layers shift each token but the global one, once.",
        "q_i = f_i + delta^-(n^2 d) (f~_0^n - f_i)",
        _MENDED,
        check=lambda case: steps.last(case.mended),
    ),
    _claim(
        "repair.global",
        "repair",
        "Lemma 3, App. A.2.2, end of the proof",
        "After phase n the global token's id is different for different contexts, unless delta^-d = 2 and n is odd.",
        "f~_0^n(P) != f~_0^n(P') for P != P'",
        "collects the id for every context, sorts, and compares neighbours",
        collect=lambda case: (case.mended.f_0(case.instance.n),),
        conclude=_apart("f~_0^n"),
        needs="delta^-d > 2, or n even",
        skip=lambda g: "delta^-d = 2 and n is odd" if g.instance.B == 2 and g.instance.n % 2 else None,
    ),
    _claim(
        "repair.contextual",
        "repair",
        "Lemma 3 and Definition 2, App. A.2.2",
        "The layers of the repair are a contextual mapping (for all d, n and N).",
        "q(P)_i != q(P)_j for i != j, q(P)_i != q(P')_j for P != P'",
        "runs the repair's layers, collects every entry for every context, sorts, and compares neighbours",
        check=lambda case: steps.distinct(case.mended),
        collect=lambda case: case.mended.q,
        conclude=_apart("an entry of q"),
        phrase="the repair is a contextual mapping",
    ),
    _claim(
        "repair.layers",
        "repair",
        "Lemma 3, App. A.2.2 (states no number)",
        "The layers of the repair.",
        "delta^-nd / delta, n + (B - 1)((P^n - 1)/(P - 1) - n), and (max f_n - min f_1)/delta + 1",
        "counts the levels of every sweep",
        CONSTRUCTION,
        check=mended_layers,
    ),
)
