"""Networks at all words of one length at once. What a layer makes of a token is kept: in a longer word a causal head
sees the same tokens again, and they are the same functions of the word's first letters.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gmpy2 import mpq

from verifier.core.hardmax import winners
from verifier.evaluate.states.diagrams import DontMerge
from verifier.evaluate.states.values import (
    NOTHING,
    Of,
    Truth,
    both,
    by_two,
    choose,
    compared,
    either,
    known,
    leaves,
    negated,
    same,
    together,
    told_apart,
)
from verifier.evaluate.values import List, Varying, Wrong, dot, exact, items, kind_of, number, placed, plus, said, small, times
from verifier.language.page import Understood
from verifier.language.tree import Tree
from verifier.language.words import Refused

if TYPE_CHECKING:
    from verifier.evaluate.definition import At
    from verifier.evaluate.states.page import Words

ASKED = 12  # queries that a token may have so that each is looked at by itself


@dataclass(frozen=True)
class Speaks:
    """What a layer speaks of: how many tokens there are, how many letters; all tokens, or those that masks show."""

    count: bool
    size: bool
    every: bool


class Layers:
    """What layers have made of tokens."""

    def __init__(self, page: Understood) -> None:
        self.page, self.tokens, self.kept, self.seen = page, dict[Any, List](), dict[Any, Any](), dict[Any, Any]()

    def own(self, v: Any) -> Any:
        """A list of lists, the same one for equal ones."""
        if not isinstance(v, List):
            return v
        its = [self.own(item) for item in v.items]
        key = (v.first, tuple([id(item) if isinstance(item, List | Varying) else (item,) for item in its]), str(v.kind))
        return self.tokens.setdefault(key, List(its, v.first))

    def speaks(self, name: str) -> Speaks:
        key = "speaks", name
        if key not in self.seen:
            layer, page = self.page.page.layers[name], self.page.page
            x = layer.lines[-1][2]
            names: set[str] = set()
            loose: set[str] = set()  # that stand elsewhere than before an index
            left: list[Any] = list(layer.lines)
            while left:
                thing = left.pop()
                if isinstance(thing, list):
                    left += thing
                elif isinstance(thing, tuple):
                    if thing[:1] == ("index",) and thing[2][:1] == ("name",) and thing[2][2] == x:
                        left.append(thing[3])
                        continue
                    named = thing[2] if thing[:1] in (("name",), ("call",)) else None
                    if isinstance(named, str):
                        loose.add(named)
                        if named not in names:
                            names.add(named)
                            if named in page.functions:
                                left.append(page.functions[named].body)
                    left += thing
            size = any(n in page.definitions and n not in self.page.constants for n in names)
            size = size or any(inputs.variable in names for inputs in page.inputs.values())
            reads = [line[3:] for line in layer.lines[:-1] if line[0] == "read"]
            lets = {line[2] for line in layer.lines[:-1]}
            dark = any(
                mask is None or mentions(mask, {x, *lets} | (set() if not size else set(page.definitions)))
                for _, _, _, mask, _ in reads
            )
            self.seen[key] = Speaks(x in loose, size, "head" in names or dark)
        found: Speaks = self.seen[key]
        return found


def mentions(tree: Any, names: set[str]) -> bool:
    if isinstance(tree, tuple) and tree[:1] == ("name",):
        return tree[2] in names
    return isinstance(tree, tuple | list) and any(mentions(part, names) for part in tree)


def network(case: "Words", name: str, parameters: list[Any], tokens: Any) -> list[tuple[Truth, Any]]:
    """The tokens, at first and after each layer, and whether it changed them."""
    if any(not isinstance(token, List) for token in items(tokens)) or tokens.kind not in (
        ("list", None),
        ("list", ("list", "number")),
    ):
        raise Wrong("a network's tokens are lists of numbers, all of one length")
    widths = {len(token) for token in tokens.items}
    if len(widths) > 1 or 0 in widths:
        raise Wrong("a network's tokens are lists of numbers, all of one length")
    found: list[tuple[Truth, Any]] = [(True, tokens)]
    made = case.page.networks[name]
    lines(case, made.lines, dict(zip(made.letters, parameters, strict=True)), found)
    return found


def lines(case: "Words", network_: list[Tree], at: "At", found: list[tuple[Truth, Any]]) -> None:
    for line in network_:
        if line[0] == "for":
            _, _, letter, reach, inner = line
            for value in case.reach(reach, at):
                lines(case, inner, {**at, letter: value}, found)
            continue
        values = [case(a, at) for a in line[3]]
        if line[2] in case.page.networks:
            inside = case.page.networks[line[2]]
            lines(case, inside.lines, dict(zip(inside.letters, values, strict=True)), found)
        else:
            before = found[-1][1]
            after = layer(case, line[2], values, before)
            changed = negated(equal(before, after))
            if isinstance(changed, Varying) and shape(before) != shape(after):
                raise DontMerge("tokens that begin elsewhere where they are changed")
            found.append((changed, before if changed is False else after))


def equal(a: List, b: List) -> Truth:
    if [len(token) for token in a.items] != [len(token) for token in b.items]:
        return False
    found: Truth = True
    for x, y in zip(leaves(a), leaves(b), strict=True):
        found = found if x is y else both(found, same(x, y))
        if found is False:
            break
    return found


def shape(tokens: List) -> Any:
    return [(token.first, len(token)) for token in tokens.items]


def layer(case: "Words", name: str, values: list[Any], tokens: List) -> List:
    """The new tokens."""
    layers, made = case.layers, case.page.layers[name]
    speaks = layers.speaks(name)
    base = dict(zip(made.letters, values, strict=True))
    told = (name, *map(exact, values), speaks.size and case.size, speaks.count and len(tokens))
    _, _, x, i, last = made.lines[-1]
    found = []
    for k in range(tokens.first, tokens.first + len(tokens)):
        here: At = {**base, x: tokens, i: mpq(k)}
        shown = range(len(tokens)) if speaks.every else seen(case, made.lines, here, tokens, (*told, k))
        key = (*told, k, id(tokens.items[k - tokens.first]), tokens.first, *[id(tokens.items[j]) for j in shown])
        if key not in layers.kept:
            layers.kept[key] = case.apart(lambda here=here: token(case, made.lines, here, tokens, k))  # type: ignore[misc]
        token_, ok = layers.kept[key]
        case.looked(ok)
        found.append(token_)
    if len({len(token) for token in found}) > 1:
        raise Refused(last[1], "the layer makes tokens of different lengths")
    return layers.own(List(found, tokens.first))  # type: ignore[no-any-return]


def seen(case: "Words", lines_: list[Tree], here: "At", tokens: List, told: Any) -> list[int]:
    """The tokens that the masks of a layer's reads show to token i, none of which looks at tokens."""
    found: set[int] = set()
    for line in lines_[:-1]:
        if line[0] == "read":
            mask = line[6]
            shown = [j for j in range(len(tokens)) if is_shown(case, mask, here, mpq(j + tokens.first), told)]
            found.update(shown or range(min(1, len(tokens))))
    return sorted(found)


def is_shown(case: "Words", mask: Tree, here: "At", j: Any, told: Any) -> bool:
    memo = case.layers.seen
    key = (id(mask), told, j)
    if key not in memo:
        memo[key] = case.apart(lambda: case.truth(mask, {**here, "j": j}))
    value, ok = memo[key]
    if ok is not True or not isinstance(value, bool):
        return True  # who reads asks again
    return value


def token(case: "Words", lines_: list[Tree], here: "At", tokens: List, k: int) -> List:
    """The new token k."""
    outer, case.layer = case.layer, (tokens, k)
    try:
        for _, _, name, *parts in lines_[:-1]:
            here[name] = case(parts[0], here) if len(parts) == 1 else read(case, parts, here)
        last = lines_[-1][4]
        made = case(last, here)
    finally:
        case.layer = outer
    if not isinstance(made, List) or made.kind != ("list", "number"):
        raise Refused(last[1], f"a layer makes a token of numbers, not {said(kind_of(made))}")
    return case.layers.own(made)  # type: ignore[no-any-return]


def heard(case: "Words", arguments: list[Tree], here: "At") -> Any:
    """W_O times the mean of W_V x[j] at the largest scores dot(W_K x[j], W_Q x[i] + b_Q)."""
    if case.layer is None:
        raise Wrong("a head stands in a layer")
    tokens, i = case.layer
    w_o, w_v, w_k, w_q, b_q = (case(a, here) for a in arguments)
    query = plus(times(w_q, tokens.items[i - tokens.first]), b_q)
    rows = [
        Turn(True, number(dot(times(w_k, token), query)), times(w_v, token), True) for token in tokens.items
    ]
    return times(w_o, best(rows, "average")[0])


@dataclass
class Turn:
    """A token that a read may look at: whether it does, the score, the value, and where the value exists."""

    shown: Truth
    score: Any
    value: Any
    fine: Truth


def read(case: "Words", parts: list[Any], here: "At") -> Any:
    """What a read finds; where it looks for what token i holds, each such query by itself."""
    value, _, score, mask, _ = parts
    tokens, k = case.layer if case.layer else (List([]), 0)
    names = {name for name, v in here.items() if mentions([score, mask], {name})}
    x = next((name for name, v in here.items() if v is tokens), "")
    asked: list[Of] = []
    if asks(case, [score, mask], x, here):
        asked += [v for v in leaves(tokens.items[k - tokens.first]) if isinstance(v, Of)]
    asked += [v for name in names if name != x for v in leaves(here[name]) if isinstance(v, Of)]
    if asked and len(tokens) > 1:
        asked = list({id(v): v for v in asked}.values())
        edge, rows = together(asked)
        if len(rows) <= ASKED:
            return each_query(case, parts, here, asked, (edge, rows), x)
    return read_once(case, parts, here)


def asks(case: "Words", trees: Any, x: str, here: "At") -> bool:
    """Whether a score or mask looks at token i."""
    if isinstance(trees, tuple) and trees[:1] == ("index",) and trees[2][:1] == ("name",) and trees[2][2] == x:
        return bool(trees[3][0] == "name" and trees[3][2] != "j")
    return isinstance(trees, tuple | list) and any(asks(case, part, x, here) for part in trees)


def each_query(
    case: "Words", parts: list[Any], here: "At", asked: list[Of], known_: tuple[Any, list[tuple[Any, ...]]], x: str
) -> Any:
    """The read for each of the queries that there are, of which one is the word's."""
    edge, rows = known_
    shared = case.shared
    tokens, k = case.layer if case.layer else (List([]), 0)
    found, fine = NOTHING, False
    for label, row in zip(shared.outcomes(edge), rows, strict=True):
        given = dict(zip(map(id, asked), row, strict=True))

        def put(v: Any, given: dict[int, Any] = given) -> Any:
            return List([put(w) for w in v.items], v.first) if isinstance(v, List) else given.get(id(v), v)

        mine = case.layers.own(put(tokens.items[k - tokens.first]))
        its = list(tokens.items)
        its[k - tokens.first] = mine
        at = {name: put(v) if name != x and not known(v) else v for name, v in here.items()}
        at[x] = List(its, tokens.first)
        case.layer = at[x], k
        try:
            made, ok = case.apart(lambda at=at: read_once(case, parts, at))  # type: ignore[misc]
        finally:
            case.layer = tokens, k
        is_it = truth_of(shared, edge, label)
        found, fine = choose(is_it, made, found), choose(is_it, ok, fine)
    case.looked(fine)
    return found


def truth_of(shared: Any, edge: Any, label: int) -> Truth:
    return Of(shared, edge, tuple([k == label for k in shared.outcomes(edge)])) if edge[0] >= 0 else True


def read_once(case: "Words", parts: list[Any], here: "At") -> Any:
    value, tie, score, mask, default = parts
    tokens, _ = case.layer if case.layer else (List([]), 0)
    rows = []
    for j in range(tokens.first, tokens.first + len(tokens)):
        at = {**here, "j": mpq(j)}
        shown = True if mask is None else case.truth(mask, at)
        if shown is False:
            continue
        its_score = case.under(shown, lambda at=at: case.number(score, at))  # type: ignore[misc]
        if its_score is NOTHING:
            continue
        rows.append((at, shown, its_score))
    if rows and all(shown is True and known(s) for _, shown, s in rows):  # it is known which ones are read
        at_best = [rows[k][0] for k in winners([s for _, _, s in rows], tie)]
        found = [case(value, at) for at in at_best]
        if tie != "average":
            return found[0]
        with placed(value[1]):
            return mean(found)
    turns = [Turn(shown, s, *case.apart(lambda at=at: case(value, at))) for at, shown, s in rows]  # type: ignore[misc]
    if not turns:
        return nothing_read(case, value, default, here, tokens)
    found_, there, fine = best(turns, tie)
    if there is True:
        case.looked(fine)
        return found_
    other, well = case.apart(lambda: nothing_read(case, value, default, here, tokens))
    case.looked(choose(there, fine, well))
    return choose(there, found_, other)


def best(turns: list[Turn], tie: str) -> tuple[Any, Truth, Truth]:
    """Of those that are shown the ones of the largest score: what is read there; whether there is one; whether what
    is read exists."""
    there: Truth = False
    top = found = NOTHING
    fine: Truth = True
    many: Any = mpq(0)
    alike = tie == "average" and all(turn.value is turn.score for turn in turns)  # the mean is the score then
    for turn in turns:
        if there is False:
            there, top, found, fine, many = turn.shown, turn.score, turn.value, turn.fine, mpq(1)
            continue
        first = negated(there)
        if tie == "average" and not alike:
            above = both(turn.shown, either(first, compared(">", turn.score, top)))
            level = both(turn.shown, both(there, compared("=", turn.score, top)))
            more = NOTHING if turn.value is NOTHING or found is NOTHING else added(found, turn.value)
            found = choose(above, turn.value, choose(level, more, found))
            many = choose(above, mpq(1), choose(level, many + 1, many))
            fine = choose(above, turn.fine, choose(level, both(fine, turn.fine), fine))
        else:
            above = both(turn.shown, either(first, compared(">" if tie != "rightmost" else ">=", turn.score, top)))
            found, fine = choose(above, turn.value, found), choose(above, turn.fine, fine)
        top = choose(above, turn.score, top)
        there = either(there, turn.shown)
    if tie == "average" and not alike and found is not NOTHING:
        found = divided(found, many)
    return found, there, fine


def added(a: Any, b: Any) -> Any:
    try:
        return plus(a, b)
    except Wrong:
        raise DontMerge("values of several shapes are read") from None


def divided(total: Any, many: Any) -> Any:
    if not isinstance(many, Varying):
        return times(1 / many, total)
    if isinstance(total, List):
        return List([divided(v, many) for v in total.items])
    return by_two("over", lambda a, b: small(a / b), told_apart(total), told_apart(many))


def nothing_read(case: "Words", value: Tree, default: Tree | None, here: "At", tokens: List) -> Any:
    """The value after `else`; without one 0, or, where the value (at the first token) is a list, as many zeros."""
    if default is not None:
        return case(default, here)
    like = case(value, {**here, "j": mpq(tokens.first)})
    if kind_of(like) == "truth":
        raise Refused(value[1], "where nothing is read, there is 0 for a number and zeros for a list, none for a truth")
    return List([mpq(0)] * len(like)) if isinstance(like, List) else mpq(0)


def mean(values: list[Any]) -> Any:
    total = values[0]
    for v in values[1:]:
        total = plus(total, v)
    return times(mpq(1, len(values)), total)
