"""Claim 1 (App. A): attention and token-wise feed-forward layers commute with permutations of the columns.

Checked with a symbol for every entry of X and of every weight, by the same formulas that the layers
run (`layers.head_value`, `layers.feed_forward`), at the instance's d and n:

- for every exchange of two neighbouring columns. These generate all permutations, and X is generic, so
  that f(XP) = f(X)P and f(XP') = f(X)P' give f(XPP') = f(XP)P' = f(X)PP';
- for heads of size m = 1, 2 and hidden layers of r = 1, 2, with h = 2 heads. A layer adds up its heads and
  its hidden nodes, each by the same formula, so that more of them add more terms of the same kind;
- softmax as exp(s_i) / sum_k exp(s_k); hardmax as top_i / sum_k top_k with top_i = prod_k [s_i >= s_k], where
  the bracket may be any function of two scores. That this is the hardmax that the layers run is checked
  on every weak order of n scores.
"""

from collections.abc import Callable, Sequence
from itertools import product as cartesian
from typing import Any

from verifier.core import layers
from verifier.core.claim import Claim, Relation, Relations
from verifier.core.exact import Q
from verifier.papers.yun2020.contextual_map import ContextualMap
from verifier.papers.yun2020.domains import CONSTRUCTION
from verifier.papers.yun2020.terms import differ, function, symbol

# Above these sizes sympy takes minutes: for the expressions, or for the n^n tuples of scores.
MOST_ENTRIES = 12
MOST_COLUMNS = 5


def _too_large(g: ContextualMap) -> str | None:
    d, n = g.instance.d, g.instance.n
    if d * n > MOST_ENTRIES or n > MOST_COLUMNS:
        return f"checked with symbols up to d n = {MOST_ENTRIES} and n = {MOST_COLUMNS}; here d n = {d * n}, n = {n}"
    return None


def _symbols(name: str, rows: int, columns: int) -> Sequence[Sequence[Any]]:
    return [[symbol(f"{name}_{i}_{j}") for j in range(columns)] for i in range(rows)]


def hardmax_by_formula(scores: Sequence[Any], at_least: Callable[[Any, Any], Any]) -> tuple[Any, ...]:
    tops = []
    for score in scores:
        top = at_least(score, score)
        for other in scores:
            top = top * at_least(score, other)
        tops.append(top)
    return tuple(top / sum(tops) for top in tops)


def _differing(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> int:
    """How many entries differ as rational functions."""
    pairs = [(a, b) for row, other in zip(left, right, strict=True) for a, b in zip(row, other, strict=True)]
    return sum(differ(a, b) for a, b in pairs)


def _attention(g: ContextualMap) -> Relations:
    d, n = g.instance.d, g.instance.n
    bracket, exp = function("at_least"), function("exp")

    def softmax(scores: Sequence[Any]) -> Sequence[Any]:
        powers = [exp(score) for score in scores]
        return tuple(power / sum(powers) for power in powers)

    def hardmax(scores: Sequence[Any]) -> Sequence[Any]:
        return hardmax_by_formula(scores, bracket)

    X = _symbols("X", d, n)
    for m, (sigma_name, sigma) in cartesian((1, 2), (("softmax", softmax), ("hardmax", hardmax))):
        weights = [
            (_symbols(f"W_O{i}", d, m), *(_symbols(f"W_{name}{i}", m, d) for name in "VKQ"), _symbols(f"b{i}", 1, m)[0])
            for i in range(2)
        ]

        def attention(X: Any, weights: Any = weights, sigma: layers.Sigma = sigma) -> Any:
            values = [layers.head_value(W_V, W_K, W_Q, b_Q, X, sigma) for _, W_V, W_K, W_Q, b_Q in weights]
            for (W_O, *_), value in zip(weights, values, strict=True):
                X = layers.add(X, layers.product(W_O, value))
            return X

        image = attention(X)
        for j in range(n - 1):
            name = f"entries of Attn(XP) - Attn(X)P that are not 0, P exchanging columns {j + 1} and {j + 2}"
            differing = _differing(attention(layers.swap(X, j)), layers.swap(image, j))
            yield Relation(f"{name} ({sigma_name}, h = 2, m = {m})", differing, "=", "none", 0)

    for scores in cartesian([Q(k) for k in range(n)], repeat=n):
        by_formula = hardmax_by_formula(scores, lambda a, b: Q(int(a >= b)))
        yield Relation(
            f"hardmax of {', '.join(map(str, scores))}", tuple(layers.hardmax(scores)), "=", "formula", by_formula
        )


def _feed_forward(g: ContextualMap) -> Relations:
    d, n = g.instance.d, g.instance.n
    phi = function("phi")
    X = _symbols("X", d, n)
    for r in (1, 2):
        W_1, W_2 = _symbols("W_1", r, d), _symbols("W_2", d, r)
        b_1, b_2 = _symbols("b_1", 1, r)[0], _symbols("b_2", 1, d)[0]
        image = layers.feed_forward(W_1, b_1, W_2, b_2, X, phi)
        for j in range(n - 1):
            name = f"entries of FF(XP) - FF(X)P that are not 0, P exchanging columns {j + 1} and {j + 2}"
            swapped = layers.feed_forward(W_1, b_1, W_2, b_2, layers.swap(X, j), phi)
            yield Relation(f"{name} (any phi, r = {r})", _differing(swapped, layers.swap(image, j)), "=", "none", 0)


CLAIMS = [
    Claim(
        id="claim1.attention",
        kind="statement",
        where="Claim 1, App. A",
        says="An attention layer commutes with every permutation of the columns, whatever its weights, with"
        " softmax and with hardmax (shown with symbols at this d and n, for h = 2 heads of size m = 1 and 2).",
        formula="Attn(XP) = Attn(X) P",
        domain=CONSTRUCTION,
        how="with a symbol for every entry and weight at this d and n (sympy compares sides whose terms differ);"
        " h = 2, m = 1 and 2; the exchanges of neighbouring columns, which generate all permutations",
        check=_attention,
        skip=_too_large,
    ),
    Claim(
        id="claim1.feedforward",
        kind="statement",
        where="Claim 1, App. A",
        says="A token-wise feed-forward layer commutes with every permutation of the columns, whatever its"
        " weights and its activation (shown with symbols at this d and n, for r = 1 and 2 hidden nodes).",
        formula="FF(XP) = FF(X) P",
        domain=CONSTRUCTION,
        how="with a symbol for every entry and weight at this d and n (sympy compares sides whose terms differ);"
        " r = 1 and 2, any activation",
        check=_feed_forward,
        skip=_too_large,
    ),
]
