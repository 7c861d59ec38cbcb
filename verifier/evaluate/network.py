"""Networks, run by the definition: layer by layer, token by token, head by head; families by cells (LANGUAGE.md 4)."""

from typing import TYPE_CHECKING, Any, NamedTuple

from gmpy2 import mpq

from verifier.core.hardmax import winners
from verifier.evaluate.reals import moves
from verifier.evaluate.values import (
    List,
    Moving,
    NotAffine,
    Wrong,
    dot,
    exact,
    items,
    kind_of,
    placed,
    plus,
    said,
    times,
)
from verifier.language.form import form
from verifier.language.tree import Tree
from verifier.language.words import Refused

if TYPE_CHECKING:
    from verifier.evaluate.definition import At, Case


class Ran(NamedTuple):
    """A layer that ran: with its arguments, on these tokens, of which it made new ones."""

    case: "Case"
    base: "At"
    tokens: List
    new: List


class Run:
    """A network on tokens: `states` are the tokens at first, and after each layer that changed them."""

    def __init__(self, case: "Case", name: str, parameters: list[Any], tokens: Any) -> None:
        self.case, self.page = case, case.page
        widths = {len(items(token)) for token in items(tokens)}
        if len(widths) > 1 or tokens.kind not in (("list", None), ("list", ("list", "number"))) or 0 in widths:
            raise Wrong("a network's tokens are lists of numbers, all of one length")
        self.states, self.real = [tokens], moves(tokens)
        self.acted: list[tuple[str, list[Any]]] = []  # the layer that made each further state, and its arguments
        network = self.page.networks[name]
        self.lines(network.lines, dict(zip(network.letters, parameters, strict=True)))

    def lines(self, lines: list[Tree], at: "At") -> None:
        for line in lines:
            if line[0] == "for":
                self.family(line, at)
            elif line[2] in self.page.networks:
                network = self.page.networks[line[2]]
                self.lines(network.lines, dict(zip(network.letters, self.values(line[3], at), strict=True)))
            else:
                tokens = self.layer(line, at)
                if self.real or tokens != self.states[-1]:
                    self.states.append(tokens)
                    self.acted.append((line[2], self.values(line[3], at)))

    def values(self, arguments: list[Tree], at: "At") -> list[Any]:
        return [self.case(a, at) for a in arguments]

    def family(self, line: Tree, at: "At") -> None:
        """for letter in R: its lines, for each; in R = [a, b, ..., z] the idle ones by cells."""
        _, _, letter, reach, inner = line
        if self.real or reach[0] != "list" or len(reach[2]) < 3 or reach[2][-2][0] != "dots":
            for value in self.case.reach(reach, at):
                self.lines(inner, {**at, letter: value})
            return
        before, first, step, many = self.case.progression(reach[2], at)
        for value in before:
            self.lines(inner, {**at, letter: value})
        k = 0
        while k < many:
            acted = len(self.states)
            self.lines(inner, {**at, letter: first + step * k})
            k += (
                1
                if len(self.states) > acted
                else self.idle(inner, {**at, letter: Moving(first + step * k, step)}, many - k)
            )

    def idle(self, lines: list[Tree], at: "At", left: int) -> int:
        """How many members of a family, from this idle one on, are idle because every comparison comes out alike."""
        if any(line[0] == "for" or line[2] in self.page.networks for line in lines):
            return 1
        Moving.until = left
        try:
            for line in lines:
                for new, old in zip(self.layer(line, at).items, self.states[-1].items, strict=True):
                    if any(isinstance(v, Moving) and v.b for v in new.items) or new != old:
                        return 1
        except NotAffine:
            return 1
        return Moving.until

    def layer(self, line: Tree, at: "At") -> List:
        """The new tokens."""
        _, _, name, arguments = line
        layer, tokens = self.page.layers[name], self.states[-1]
        base = dict(zip(layer.letters, self.values(arguments, at), strict=True))
        _, _, x, i, last = layer.lines[-1]
        found = []
        for k in range(tokens.first, tokens.first + len(tokens)):
            here: At = {**base, x: tokens, i: mpq(k)}
            outer, self.case.layer = self.case.layer, (tokens, k)
            for _, _, letter, *parts in layer.lines[:-1]:
                here[letter] = self.case(parts[0], here) if len(parts) == 1 else read(self.case, parts, here)
            token = self.case(last, here)
            self.case.layer = outer
            if not isinstance(token, List) or token.kind != ("list", "number"):
                raise Refused(last[1], f"a layer makes a token of numbers, not {said(kind_of(token))}")
            found.append(token)
        if len({len(token) for token in found}) > 1:
            raise Refused(last[1], "the layer makes tokens of different lengths")
        new = List(found, tokens.first)
        if found and not any(isinstance(v, Moving) for v in base.values()):
            lengths = [(letter, len(v)) for letter, v in self.case.variables.items() if isinstance(v, List)]
            key = (*map(exact, base.values()), len(tokens.items[0]), len(found[0]), len(tokens), *lengths)
            self.case.reading.ran.setdefault(name, {}).setdefault(key, Ran(self.case, base, tokens, new))
        return new

    @staticmethod
    def head(case: "Case", arguments: list[Tree], here: "At") -> Any:
        """W_O times what is read."""
        w_o, *parts = arguments
        return times(case(w_o, here), heard(case, parts, here))


def heard(case: "Case", arguments: list[Tree], here: "At") -> Any:
    """What a head reads: the mean of W_V x[j] at the largest scores dot(W_K x[j], W_Q x[i] + b_Q)."""
    if case.layer is None:
        raise Wrong("a head stands in a layer")
    tokens, i = case.layer
    w_v, w_k, w_q, b_q = (case(a, here) for a in arguments)
    query = plus(times(w_q, tokens.items[i - tokens.first]), b_q)
    scores = [dot(times(w_k, token), query) for token in tokens.items]
    return mean([times(w_v, tokens.items[k]) for k in winners(scores)])


def read(case: "Case", parts: list[Any], here: "At") -> Any:
    """Of the j of the mask those with the largest score: the mean of the value, or the leftmost or rightmost one's."""
    value, tie, score, mask, default = parts
    tokens = case.layer[0] if case.layer else List([])
    places = ({**here, "j": mpq(k)} for k in range(tokens.first, tokens.first + len(tokens)))
    seen = [(at, case.number(score, at)) for at in places if mask is None or case.truth(mask, at)]
    if not seen:
        return nothing_read(case, value, default, here, tokens)
    found = [case(value, seen[k][0]) for k in winners([s for _, s in seen], tie)]
    if tie != "average":
        return found[0]
    with placed(value[1]):
        return mean(found)


def nothing_read(case: "Case", value: Tree, default: Tree | None, here: "At", tokens: List) -> Any:
    """The value after `else`; without one 0, or, where the value (at the first token) is a list, as many zeros."""
    if default is not None:
        return case(default, here)
    like = case(value, {**here, "j": mpq(tokens.first)})
    if isinstance(like, bool):
        raise Refused(value[1], "where nothing is read, there is 0 for a number and zeros for a list, none for a truth")
    return List([mpq(0)] * len(like)) if isinstance(like, List) else mpq(0)


def mean(values: list[Any]) -> Any:
    total = values[0]
    for v in values[1:]:
        total = plus(total, v)
    return times(mpq(1, len(values)), total)


def count(case: "Case", name: str, parameters: list[Any]) -> tuple[int, int]:
    """How many layers a network has, and the most heads of one."""
    network = case.page.networks[name]
    return _count(case, network.lines, dict(zip(network.letters, parameters, strict=True)))


def _count(case: "Case", lines: list[Tree], at: "At") -> tuple[int, int]:
    layers = heads = 0
    for line in lines:
        if line[0] == "for":
            many, most = _family(case, line, at)
        elif line[2] in case.page.layers:
            many, most = 1, form(case.page, case.page.layers[line[2]]).heads
        else:
            many, most = count(case, line[2], [case(a, at) for a in line[3]])
        layers, heads = layers + many, max(heads, most)
    return layers, heads


def _family(case: "Case", line: Tree, at: "At") -> tuple[int, int]:
    _, _, letter, reach, inner = line
    parts = reach[2] if reach[0] == "list" else []
    if all(part[0] == "use" and part[2] in case.page.layers for part in inner):  # as many for each
        if len(parts) > 2 and parts[-2][0] == "dots":
            before, _, _, many = case.progression(parts, at)
            many += len(before)
        else:
            many = len(case.reach(reach, at))
        each = [form(case.page, case.page.layers[part[2]]).heads for part in inner]
        return many * len(inner), max(each) if many else 0
    found = [_count(case, inner, {**at, letter: value}) for value in case.reach(reach, at)]
    return sum(f[0] for f in found), max((f[1] for f in found), default=0)
