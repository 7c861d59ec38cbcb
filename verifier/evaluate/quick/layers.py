"""Networks on a block of cases: layer by layer, token by token, head by head; families by cells (LANGUAGE.md 4)."""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from verifier.evaluate.budget import spend
from verifier.evaluate.quick.block import HEAD, Block, Letters, progression
from verifier.evaluate.quick.numbers import (
    LIMIT,
    AffineInStep,
    Arr,
    Lanes,
    NotAffine,
    UntilTurn,
    add,
    chosen,
    compare,
    full,
    known,
    minus,
    mul,
    split,
)
from verifier.evaluate.quick.values import (
    LanesDiffer,
    Seq,
    Truth,
    Value,
    conj,
    disj,
    dot,
    equal,
    extreme_if_any,
    flip,
    kind,
    need,
    plus,
    spread,
    take,
    times,
    where,
)
from verifier.language.form import form
from verifier.language.tree import Expression, Family, Let, ListOf, NetworkLine, Read, Use, with_dots
from verifier.language.words import Refused, TooLarge

FEW = 4  # members of a family that are run one by one
HELD = 1 << 26  # numbers, of all lanes together, in the states of one network


class Trace:
    """What a network made of tokens: what they are at last, and each change with the lanes that it was in."""

    def __init__(self, start: Seq, keep: bool) -> None:
        self.start, self.last, self.keep = start, start, keep
        self.changes: list[tuple[Truth, Seq]] = []
        self.held = 0

    def change(self, moved: Truth, tokens: Seq) -> None:
        if moved is False:
            return
        self.last = where(moved, tokens, self.last)
        if self.keep:
            held = sum(x.size for token in tokens.items for x in token.items if isinstance(x, Arr))
            self.held += held
            spend(1 + (held >> 8))
            if self.held > HELD:  # fewer cases at a time hold less
                raise TooLarge((0, 0), f"the states of a network hold more than {HELD:,} numbers")
            self.changes.append((moved, tokens))

    def states(self) -> Seq:
        """The tokens at first, and after each layer that changed them: as many as each lane has."""
        kept: list[Value] = [self.start]
        masks: list[Truth] = [True]
        first = 0  # the last state that all lanes have come to
        for moved, tokens in self.changes:
            rest = moved
            while first + 1 < len(masks) and masks[first + 1] is True:
                first += 1
            for k in range(first, len(kept)):
                spend(1)
                if rest is False:
                    break
                later = masks[k + 1] if k + 1 < len(kept) else False
                free = conj(conj(rest, masks[k]), flip(later))  # the lanes that are at state k
                if free is False:
                    continue
                if k + 1 == len(kept):
                    kept.append(tokens)
                    masks.append(free)
                else:
                    kept[k + 1], masks[k + 1] = where(free, tokens, kept[k + 1]), disj(later, free)
                rest = conj(rest, flip(free))
        return Seq(0, kept, masks, True)


class Run:
    """A network that runs on a block's lanes."""

    def __init__(self, block: Block, trace: Trace) -> None:
        self.b, self.trace, self.page = block, trace, block.page

    def lines(self, lines: list[NetworkLine], at: Letters) -> None:
        for line in lines:
            if isinstance(line, Family):
                self.family(line, at)
                continue
            arguments = [self.b(a, at) for a in line.arguments]
            if line.name in self.page.page.networks:
                network = self.page.page.networks[line.name]
                self.lines(network.lines, dict(zip(network.letters, arguments, strict=True)))
            else:
                tokens = layer(self.b, line.name, arguments, self.trace.last)
                self.trace.change(flip(same(tokens, self.trace.last)), tokens)

    def family(self, line: Family, at: Letters) -> None:
        letter, reach, inner = line.letter, line.reach, line.lines
        if not isinstance(reach, ListOf) or not with_dots(reach):
            for value in self.b.span(reach, at):
                self.lines(inner, {**at, letter: value})
            return
        first, step, many, before = progression(self.b, reach, at)
        for value in before:
            self.lines(inner, {**at, letter: value})
        uses = [use for use in inner if isinstance(use, Use) and use.name in self.page.page.layers]
        if many <= FEW or len(uses) < len(inner) or not self.cells(uses, at, letter, first, step, many):
            spend(many)
            for k in range(many):
                self.lines(inner, {**at, letter: first + step * k})

    def cells(self, uses: list[Use], at: Letters, letter: str, first: Any, step: Any, many: int) -> bool:
        """Each lane at its own place k of the family: one on where a layer changes its tokens, else to where a
        comparison may turn. False, and nothing done: a number isn't affine."""
        start, changes = self.trace.last, list(self.trace.changes)
        n = self.b.n
        k = np.zeros(n, dtype=np.int64 if many < LIMIT else object)
        lanes, block, tokens = np.arange(n), self.b, start
        while len(lanes):
            spend(1)
            moving = UntilTurn(len(lanes))
            places = Arr(k, 1, 0, many)
            if n == 1:
                place: Any = first + step * int(k[0])
            else:
                place = add(mul(places, step), first)
            letters = {
                **(at if block is self.b else {x: take(v, lanes) for x, v in at.items()}),
                letter: AffineInStep(place, step, moving),
            }
            moved, steady = False, True
            try:
                for use in uses:
                    new = layer(block, use.name, [block(a, letters) for a in use.arguments], tokens)
                    now = _at_once(new)
                    steady = conj(steady, _still(new))
                    changed = flip(same(now, tokens))
                    if changed is not False:
                        whole = changed if block is self.b else spread_truth(changed, lanes, n)
                        self.trace.change(whole, now if block is self.b else spread(now, lanes, n))
                        tokens = where(changed, now, tokens)
                        moved = disj(moved, changed)
            except NotAffine:
                self.trace.last, self.trace.changes = start, changes
                return False
            on = np.where(_array(disj(moved, flip(steady)), len(lanes)), 1, moving.until)
            k = k + np.minimum(on, min(many, LIMIT))
            left = k < many
            if not left.all():
                k, lanes = k[left], lanes[left]
                if not len(lanes):
                    break
                inside = np.nonzero(left)[0]
                tokens = take(tokens, inside)
                block = self.b.sub(spread_truth(True, lanes, n))
        return True


def _array(t: Truth, n: int) -> Lanes:
    return np.full(n, t) if isinstance(t, bool) else t


def spread_truth(t: Truth, index: Lanes, n: int) -> Lanes:
    truth = np.zeros(n, dtype=bool)
    truth[index] = t
    return truth


def _at_once(tokens: Seq) -> Seq:
    return Seq(tokens.first, [Seq(token.first, [split(x)[0] for x in token.items]) for token in tokens.items])


def _still(tokens: Seq) -> Truth:
    """Where the tokens don't depend on the place in the family."""
    truth: Truth = True
    for token in tokens.items:
        for x in token.items:
            if isinstance(x, AffineInStep):
                truth = conj(truth, compare("=", x.b, 0))
    return truth


def same(new: Seq, old: Seq) -> Truth:
    truth: Truth = True
    for x, y in zip(new.items, old.items, strict=True):
        truth = conj(truth, equal(x, y) if truth is not False else False)
    return truth


def layer(block: Block, name: str, arguments: list[Value], tokens: Seq) -> Seq:
    """The new tokens."""
    page = block.page
    declared = page.page.layers[name]
    x, i, last = declared.update.tokens, declared.update.position, declared.update.body
    base = {**dict(zip(declared.letters, arguments, strict=True)), x: tokens}
    reading = LayerReads(page, x, i, {line.name for line in declared.named})
    memo, block.memo = block.memo, type(block.memo)()
    made = []
    try:
        for k in range(tokens.first, tokens.first + len(tokens.items)):
            letters: Letters = {**base, i: k, HEAD: reading.head}
            for line in declared.named:
                is_let = isinstance(line, Let)
                letters[line.name] = block(line.body, letters) if is_let else reading.read(block, line, letters)
            token = block(last, letters)
            need("list", token)
            need("number", *token.whole())
            if not token.items:
                raise Refused(last.place, "a layer makes a token of numbers, not of none")
            made.append(Seq(token.first, [lowered(e, tokens) for e in token.items]))
    finally:
        block.memo = memo
    if len({len(token.items) for token in made}) > 1:
        raise Refused(last.place, "the layer makes tokens of different lengths")
    return Seq(tokens.first, made)


def lowered(e: Value, tokens: Seq) -> Value:
    """In the tokens' own unit, if it can be."""
    if isinstance(e, AffineInStep):
        return AffineInStep(lowered(e.a, tokens), e.b, e.moving)
    if isinstance(e, Arr) and e.den > 1:
        unit = max((x.den for token in tokens.items for x in token.items if isinstance(x, Arr)), default=1)
        if e.den > unit and e.den % unit == 0 and not (e.v % (k := e.den // unit)).any():
            return Arr(e.v // k, unit, e.lo // k, -(-e.hi // k))
    return e


class LayerReads:
    """What the tokens of a layer read; what doesn't depend on who reads is computed once."""

    def __init__(self, page: Any, x: str, i: str, lets: set[str]) -> None:
        self.page, self.x, self.i, self.own = page, x, i, frozenset((i, *lets))
        self.kept: dict[Any, Any] = {}

    def once(self, key: Any, holds: Any, make: Any) -> Any:
        if key not in self.kept:
            self.kept[key] = holds, make()
        return self.kept[key][1]

    def shared(self, tree: Expression | None) -> bool:
        return tree is None or not self.page.free(tree) & self.own

    def read(self, b: Block, line: Read, letters: Letters) -> Value:
        if all(map(self.shared, (line.value, line.score, line.mask, line.default))):
            return self.once(
                (id(line), id(b), id(letters[self.x])), (b, letters[self.x]), lambda: self._read(b, line, letters)
            )
        return self._read(b, line, letters)

    def _read(self, b: Block, line: Read, letters: Letters) -> Value:
        value, tie, score, mask, default = line.value, line.tie, line.score, line.mask, line.default
        tokens = letters[self.x]

        def of(tree: Expression, j: int, of_lanes: Truth) -> Value:
            at = {**letters, "j": j}
            if self.shared(tree) and of_lanes is True:
                return self.once((id(tree), j, id(b), id(tokens)), (b, tokens), lambda: b(tree, at))
            return b.guarded(of_lanes, tree, at)

        open_to: list[tuple[int, Truth]] = []
        for j in range(tokens.first, tokens.first + len(tokens.items)):
            allowed = True if mask is None else b.truth(mask, {**letters, "j": j})
            if allowed is not False:
                open_to.append((j, allowed))
        scores = [of(score, j, allowed) for j, allowed in open_to]
        need("number", *scores)
        ties = picked(scores, [allowed for _, allowed in open_to])
        if tie != "average":
            ties = alone(ties) if tie == "leftmost" else alone(ties[::-1])[::-1]
        values = []
        for (j, _), t in zip(open_to, ties, strict=True):
            if t is not False:
                try:
                    values.append((of(value, j, True), t))
                except (Refused, LanesDiffer):
                    values.append((of(value, j, t), t))
        result = combined(values, tie, b.n) if values else None
        empty: Truth = True
        for _, allowed in open_to:
            empty = conj(empty, flip(allowed))
        if empty is False:
            return result
        if default is not None:
            other = b.guarded(empty, default, letters)
        else:
            like = b.guarded(empty, value, {**letters, "j": tokens.first})
            if kind(like) == "truth":
                raise Refused(value.place, "where nothing is read, there is 0 or zeros, none for a truth")
            other = Seq(1, [0] * len(like.whole())) if isinstance(like, Seq) else 0
        return other if result is None else where(empty, other, result)

    def head(self, b: Block, arguments: list[Expression], letters: Letters) -> Value:
        """W_O times the mean of W_V x[j] at the largest scores dot(W_K x[j], W_Q x[i] + b_Q)."""
        tokens = letters[self.x]

        def make() -> Any:
            w_o, w_v, w_k, w_q, b_q = (b(a, letters) for a in arguments)
            keys, values = ([times(w, token) for token in tokens.items] for w in (w_k, w_v))
            return w_o, w_q, b_q, keys, values

        if all(map(self.shared, arguments)):
            w_o, w_q, b_q, keys, values = self.once((id(arguments), id(b), id(tokens)), (b, tokens), make)
        else:
            w_o, w_q, b_q, keys, values = make()
        query = plus(times(w_q, tokens.items[letters[self.i] - tokens.first]), b_q)
        ties = picked([dot(key, query) for key in keys], [True] * len(keys))
        return times(
            w_o, combined([(v, t) for v, t in zip(values, ties, strict=True) if t is not False], "average", b.n)
        )


def picked(scores: list[Value], masks: list[Truth]) -> list[Truth]:
    """Where each candidate has the largest score of those that the masks allow."""
    if not scores:
        return []
    if all(map(known, scores)) and all(m is True for m in masks):
        best = max(scores)
        return [s == best for s in scores]
    if len(scores) == 1:
        return list(masks)
    now = [split(s)[0] for s in scores]
    best, _ = extreme_if_any(Seq(1, now, masks), ">")
    ties = [conj(m, compare("=", s, best)) for s, m in zip(now, masks, strict=True)]
    if moving := next((s.moving for s in scores if isinstance(s, AffineInStep)), None):
        slopes = [split(s)[1] for s in scores]
        of_best = slopes[0]
        for t, slope in zip(ties, slopes, strict=True):
            of_best = where(t, slope, of_best)
        for s, slope in zip(now, slopes, strict=True):
            moving.turn(minus(s, best), minus(slope, of_best))
    return ties


def alone(ties: list[Truth]) -> list[Truth]:
    """The first of the ties of each lane: V is computed only where it is read."""
    firsts = []
    left: Truth = True
    for t in ties:
        firsts.append(conj(left, t))
        left = conj(left, flip(t))
    return firsts


def combined(values: list[tuple[Value, Truth]], tie: str, n: int) -> Value:
    """The mean of the values at the ties, or the one that is read."""
    if tie != "average":
        result = values[0][0]
        for value, t in values[1:]:
            result = where(t, value, result)
        return result
    if len(values) == 1:
        return times(1, values[0][0])
    if all(t is True for _, t in values):
        total = values[0][0]
        for value, _ in values[1:]:
            total = plus(total, value)
        return times(Fraction(1, len(values)), total)
    first = values[0][0]
    if isinstance(first, Seq):
        lists = [v.whole() for v, _ in values]
        if len({len(items) for items in lists}) > 1:
            raise Refused((0, 0), "lists of different lengths are added")
        ties = [t for _, t in values]
        return Seq(1, [combined(list(zip(row, ties, strict=True)), tie, n) for row in zip(*lists, strict=True)])
    need("number", *(v for v, _ in values))
    if all(v is first or (known(v) and known(first) and v == first) for v, _ in values[1:]):
        return first
    if any(isinstance(v, AffineInStep) for v, _ in values):
        raise NotAffine
    return mean([(full(v, n), t) for v, t in values], n)


def mean(values: list[tuple[Arr, Truth]], n: int) -> Value:
    """Of the values at the ties of each lane; in their own unit, where it is whole."""
    total: Value = 0
    many = np.zeros(n, dtype=np.int64)
    for v, t in values:
        total = add(total, v if t is True else chosen(t, v, 0))
        many += t
    several = np.nonzero(many > 1)[0]
    if not len(several):
        return total
    part, over = total.v[several], many[several]
    if not (part % over).any():
        whole = total.v.copy()
        whole[several] = part // over
        return Arr(whole, total.den, min(total.lo, 0), max(total.hi, 0))  # nearer to 0 than the sum
    many = np.maximum(many, 1)
    share = lcm(*(int(k) for k in np.flatnonzero(np.bincount(many))))
    return mul(total, Arr(share // (many if share < LIMIT else many.astype(object)), share, 1, share))


def counted(b: Block, lines: list[NetworkLine], at: Letters) -> tuple[int, int]:
    """How many layers there are, and the most heads of one."""
    page = b.page.page
    layers = heads = 0
    for line in lines:
        if isinstance(line, Family):
            uses = [use for use in line.lines if isinstance(use, Use) and use.name in page.layers]
            if len(uses) == len(line.lines):  # as many for each
                if isinstance(line.reach, ListOf) and with_dots(line.reach):
                    _, _, times_over, before = progression(b, line.reach, at)
                    times_over += len(before)
                else:
                    times_over = len(b.span(line.reach, at))
                many = times_over * len(uses)
                most = max(form(page, page.layers[use.name]).heads for use in uses) if times_over else 0
            else:
                each = [counted(b, line.lines, {**at, line.letter: v}) for v in b.span(line.reach, at)]
                many, most = sum(e[0] for e in each), max((e[1] for e in each), default=0)
        elif line.name in page.layers:
            many, most = 1, form(page, page.layers[line.name]).heads
        else:
            network, arguments = page.networks[line.name], [b(a, at) for a in line.arguments]
            many, most = counted(b, network.lines, dict(zip(network.letters, arguments, strict=True)))
        layers, heads = layers + many, max(heads, most)
    return layers, heads
