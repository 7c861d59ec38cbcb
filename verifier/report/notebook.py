"""What a notebook shows of a result and of a network: small HTML tables, no more than a screen of them."""

from typing import TYPE_CHECKING

from verifier.core.exact import shortened, text_of
from verifier.core.layers import Attention, FeedForward
from verifier.report.markup import Html, el, joined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from verifier.core.network import Layer, Network
    from verifier.run.results import Finding, Result

_MOST = 40  # rows of a table
_COLOURS = {"holds": "#17683a", "refuted": "#a31621", "fails": "#7a5a00", "vacuous": "#7a5a00", "skipped": "#7a5a00"}


def _table(head: "Iterable[str]", rows: "list[list[str]]") -> Html:
    more = [el("p", f"and {len(rows) - _MOST:,} rows more")] if rows[_MOST:] else []
    lines = [el("tr", *(el("td", cell, style="text-align: left") for cell in row)) for row in rows[:_MOST]]
    made = el("table", el("thead", el("tr", *(el("th", cell) for cell in head))), el("tbody", *lines))
    return joined([made, *more])


def result_html(result: "Result") -> str:
    """Every claim with its verdict; what doesn't hold comes first."""
    from verifier.report.terminal import conclusion

    findings = sorted(result.findings, key=lambda finding: finding.verdict == "holds")
    rows = [_finding(finding) for finding in findings]
    words = conclusion(result, variant=bool(result.construction.differences(str)))
    return el("div", _table(["claim", "verdict", "cases", "tightest case, or counterexample"], rows), el("p", words))


def _finding(finding: "Finding") -> list[str]:
    from verifier.report.terminal import verdict_of

    verdict = verdict_of(finding)
    shown = finding.counterexample or finding.tightest
    colour = f"color: {_COLOURS[verdict]}; font-weight: bold"
    said = str(shown) if shown else finding.why or "equal in every case"
    return [finding.claim.id, el("span", verdict, style=colour), f"{finding.cases:,}", said[:300]]


def network_html(network: "Network", title: str = "") -> str:
    """Its layers: kind, size, what tells them apart."""
    rows = [[str(k), *_layer(layer)] for k, layer in enumerate(network.layers[: _MOST + 1])]
    rows += [["", "", ""]] * (len(network) - len(rows))  # counted, and not shown
    return el("div", el("p", title or repr(network)[1:-1]), _table(["layer", "kind", "numbers"], rows))


def _layer(layer: "Layer") -> list[str]:
    if isinstance(layer, Attention):
        heads = "; ".join(f"W_O = {_short(head.W_O[0][0])}, b_Q = {_short(head.b_Q[0])}" for head in layer.heads[:4])
        count = len(layer.heads)
        return [f"attention, {count} head{'' if count == 1 else 's'}", f"first numbers: {heads}" if heads else ""]
    if isinstance(layer, FeedForward):
        return [f"feed-forward, hidden size {layer.r}", f"{len(layer.phi.pieces)} pieces"]
    return [type(layer).__name__, f"{layer.parameters:,} parameters"]


def _short(number: object) -> str:
    return shortened(text_of(number), 24)  # type: ignore[arg-type]
