"""Networks, run by the definition: layer by layer, token by token, head by head; families by cells (LANGUAGE.md 4)."""

from typing import TYPE_CHECKING, Any, NamedTuple

from gmpy2 import mpq

from verifier.core.hardmax import winners
from verifier.evaluate.reals import moves
from verifier.evaluate.values import (
    AffineInStep,
    List,
    NotAffine,
    Wrong,
    dot,
    exact,
    items,
    kind_of,
    kind_text,
    placed,
    plus,
    times,
)
from verifier.language.form import form
from verifier.language.tree import Expression, Family, Let, ListOf, NetworkLine, Read, Use, with_dots
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

    def lines(self, lines: list[NetworkLine], at: "At") -> None:
        for line in lines:
            if isinstance(line, Family):
                self.family(line, at)
            elif line.name in self.page.networks:
                network = self.page.networks[line.name]
                self.lines(network.lines, dict(zip(network.letters, self.values(line.arguments, at), strict=True)))
            else:
                tokens = self.layer(line, at)
                if self.real or tokens != self.states[-1]:
                    self.states.append(tokens)
                    self.acted.append((line.name, self.values(line.arguments, at)))

    def values(self, arguments: list[Expression], at: "At") -> list[Any]:
        return [self.case(a, at) for a in arguments]

    def family(self, line: Family, at: "At") -> None:
        """for letter in R: its lines, for each; in R = [a, b, ..., z] the idle ones by cells."""
        letter, inner = line.letter, line.lines
        if self.real or not isinstance(line.reach, ListOf) or not with_dots(line.reach):
            for value in self.case.reach(line.reach, at):
                self.lines(inner, {**at, letter: value})
            return
        before, first, step, many = self.case.progression(line.reach, at)
        for value in before:
            self.lines(inner, {**at, letter: value})
        k = 0
        while k < many:
            acted = len(self.states)
            self.lines(inner, {**at, letter: first + step * k})
            k += (
                1
                if len(self.states) > acted
                else self.idle(inner, {**at, letter: AffineInStep(first + step * k, step)}, many - k)
            )

    def idle(self, lines: list[NetworkLine], at: "At", left: int) -> int:
        """How many members of a family, from this idle one on, are idle because every comparison comes out alike."""
        uses = [line for line in lines if isinstance(line, Use) and line.name not in self.page.networks]
        if len(uses) < len(lines):
            return 1
        AffineInStep.until = left
        try:
            for line in uses:
                for new, old in zip(self.layer(line, at).items, self.states[-1].items, strict=True):
                    if any(isinstance(v, AffineInStep) and v.b for v in new.items) or new != old:
                        return 1
        except NotAffine:
            return 1
        return AffineInStep.until

    def layer(self, line: Use, at: "At") -> List:
        """The new tokens."""
        name, layer, tokens = line.name, self.page.layers[line.name], self.states[-1]
        base = dict(zip(layer.letters, self.values(line.arguments, at), strict=True))
        last, made = layer.update.body, []
        for k in range(tokens.first, tokens.first + len(tokens)):
            letters: At = {**base, layer.update.tokens: tokens, layer.update.position: mpq(k)}
            outer, self.case.layer = self.case.layer, (tokens, k)
            for named in layer.named:
                letters[named.name] = line_value(self.case, named, letters)
            token = self.case(last, letters)
            self.case.layer = outer
            if not isinstance(token, List) or token.kind != ("list", "number"):
                raise Refused(last.place, f"a layer makes a token of numbers, not {kind_text(kind_of(token))}")
            made.append(token)
        if len({len(token) for token in made}) > 1:
            raise Refused(last.place, "the layer makes tokens of different lengths")
        new = List(made, tokens.first)
        if made and not any(isinstance(v, AffineInStep) for v in base.values()):
            lengths = [(letter, len(v)) for letter, v in self.case.variables.items() if isinstance(v, List)]
            key = (*map(exact, base.values()), len(tokens.items[0]), len(made[0]), len(tokens), *lengths)
            self.case.reading.ran.setdefault(name, {}).setdefault(key, Ran(self.case, base, tokens, new))
        return new

    @staticmethod
    def head(case: "Case", arguments: list[Expression], letters: "At") -> Any:
        """W_O times what is read."""
        w_o, *parts = arguments
        return times(case(w_o, letters), head_output(case, parts, letters))


def head_output(case: "Case", arguments: list[Expression], letters: "At") -> Any:
    """What a head reads: the mean of W_V x[j] at the largest scores dot(W_K x[j], W_Q x[i] + b_Q)."""
    if case.layer is None:
        raise Wrong("a head stands in a layer")
    tokens, i = case.layer
    w_v, w_k, w_q, b_q = (case(a, letters) for a in arguments)
    query = plus(times(w_q, tokens.items[i - tokens.first]), b_q)
    scores = [dot(times(w_k, token), query) for token in tokens.items]
    return mean([times(w_v, tokens.items[k]) for k in winners(scores)])


def line_value(case: "Case", line: Let | Read, letters: "At") -> Any:
    """What a line of a layer gives a name to."""
    return case(line.body, letters) if isinstance(line, Let) else read(case, line, letters)


def read(case: "Case", line: Read, letters: "At") -> Any:
    """Of the j of the mask those with the largest score: the mean of the value, or the leftmost or rightmost one's."""
    tokens = case.layer[0] if case.layer else List([])
    places = ({**letters, "j": mpq(k)} for k in range(tokens.first, tokens.first + len(tokens)))
    seen = [(at, case.number(line.score, at)) for at in places if line.mask is None or case.truth(line.mask, at)]
    if not seen:
        return nothing_read(case, line.value, line.default, letters, tokens)
    values = [case(line.value, seen[k][0]) for k in winners([s for _, s in seen], line.tie)]
    if line.tie != "average":
        return values[0]
    with placed(line.value.place):
        return mean(values)


def nothing_read(case: "Case", value: Expression, default: Expression | None, letters: "At", tokens: List) -> Any:
    """The value after `else`; without one 0, or, where the value (at the first token) is a list, as many zeros."""
    if default is not None:
        return case(default, letters)
    like = case(value, {**letters, "j": mpq(tokens.first)})
    if isinstance(like, bool):
        raise Refused(
            value.place, "where nothing is read, there is 0 for a number and zeros for a list, none for a truth"
        )
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


def _count(case: "Case", lines: list[NetworkLine], at: "At") -> tuple[int, int]:
    layers = heads = 0
    for line in lines:
        if isinstance(line, Family):
            many, most = _family(case, line, at)
        elif line.name in case.page.layers:
            many, most = 1, form(case.page, case.page.layers[line.name]).heads
        else:
            many, most = count(case, line.name, [case(a, at) for a in line.arguments])
        layers, heads = layers + many, max(heads, most)
    return layers, heads


def _family(case: "Case", line: Family, at: "At") -> tuple[int, int]:
    reach, page = line.reach, case.page
    layers = [page.layers[use.name] for use in line.lines if isinstance(use, Use) and use.name in page.layers]
    if len(layers) == len(line.lines):  # as many for each
        if isinstance(reach, ListOf) and with_dots(reach):
            before, _, _, many = case.progression(reach, at)
            many += len(before)
        else:
            many = len(case.reach(reach, at))
        return many * len(layers), max(form(page, layer).heads for layer in layers) if many else 0
    counts = [_count(case, line.lines, {**at, line.letter: value}) for value in case.reach(reach, at)]
    return sum(layers for layers, _ in counts), max((heads for _, heads in counts), default=0)
