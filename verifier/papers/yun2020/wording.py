"""How a certificate describes this construction: a sentence, and the numbers that are not the paper's (FORMAT 3, 9)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gmpy2 import mpq

from verifier.core.construction import NotCertifiable
from verifier.core.exact import text_of
from verifier.papers.yun2020.instance import Instance

if TYPE_CHECKING:
    from verifier.papers.yun2020.contextual_map import ContextualMap


def variant(g: "ContextualMap") -> dict[str, mpq]:
    """The numbers of the construction that are not the paper's; none for the paper's own."""
    from verifier.papers.yun2020.contextual_map import exchangeable

    paper, changed = exchangeable(g.instance), g.exchanged
    if changed is None:
        raise NotCertifiable(
            "a certificate describes the paper's construction, or one with another sentinel, sweep_factor,"
            " global_factor, t_l or t_r; this one differs in something else"
        )
    whole = {"sweep_factor": 1, "global_factor": 1} | dict.fromkeys(("sentinel", "t_l", "t_r"), g.instance.N)
    for name, value in changed.items():
        if int((whole[name] * value).denominator) != 1:
            counts = "counts in whole multiples of delta" if whole[name] > 1 else "has whole numbers as factors"
            raise NotCertifiable(f"{name} = {value}: a certificate {counts}")
    for name, sign in (("sentinel", -1), ("sweep_factor", 1)):
        if sign * changed.get(name, paper[name]) <= 0:
            raise NotCertifiable(f"{name} = {changed[name]}: it must be {'below' if sign < 0 else 'above'} 0")
    return changed


def statement(instance: Instance, changed: dict[str, mpq], *, over_space: bool) -> str:
    from verifier.papers.yun2020.contextual_map import exchangeable

    paper = exchangeable(instance)
    others = ", ".join(
        f"{name} = {text_of(changed[name])} (the paper: {text_of(paper[name])})" for name in paper if name in changed
    )
    subject = f"a VARIANT of the contextual map, with {others}," if changed else "the contextual map"
    ran = "was run in exact numbers on every orbit of G+" if over_space else "was looked at; no orbit of G+ was run"
    return (
        f"At d = {instance.d}, n = {instance.n}, N = {instance.N}, {subject} of Lemma 6 of Yun et al. (ICLR 2020)"
        f" {ran}; each claim below has the verdict that stands with it."
    )


def heading(g: "ContextualMap", short: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """The lines above the table of a result."""
    i, size, edges = g.instance, g.network.size, g.interval
    yield "instance", f"d = {i.d}, n = {i.n}, N = {i.N};  B = N^d = {i.B} different tokens"
    heads = f"{size.h} head{'' if size.h == 1 else 's'} of size {size.m}"
    yield "network", f"{size.layers} layers, {heads}, {size.parameters:,} parameters"
    low, high = short(text_of(edges.low)), short(text_of(edges.high))
    interval = f"{'[' if edges.low_closed else '('}{low}, {high}{']' if edges.high_closed else ')'}"
    yield "constants", f"delta = 1/N = {text_of(i.delta)};  [t_l, t_r) = {interval}"
    bounds = f"{short(text_of(i.lemma10_lower))} <= l~_n <= {short(text_of(i.lemma10_upper))}"
    yield "Lemma 10", f"{bounds}, the tokens' largest number before the last layer"


def differences(g: "ContextualMap", short: Callable[[str], str]) -> list[str]:
    """What differs from the paper's construction."""
    from verifier.papers.yun2020.contextual_map import contextual_map, exchangeable

    numbers, its = g.exchanged, exchangeable(g.instance)
    if numbers is not None:
        return [f"{name} = {short(text_of(x))} (the paper: {short(text_of(its[name]))})" for name, x in numbers.items()]
    paper = contextual_map(g.instance)
    parts = {
        "u": g.grid.u == paper.grid.u,
        "entries": g.grid.entries == paper.grid.entries,
        "sentinel": g.grid.sentinel == paper.grid.sentinel,
        "sweep": g.sweep == paper.sweep,
        "global shift": g.global_shift == paper.global_shift,
        "interval": g.interval == paper.interval,
    }
    return [name for name, same in parts.items() if not same]
