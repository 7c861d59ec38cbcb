"""Networks at all words of one length at once. What a layer makes of a token is kept: in a longer word a causal head
sees the same tokens again, and they are the same functions of the word's first letters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gmpy2 import mpq

from verifier.core.hardmax import winners
from verifier.evaluate.states.diagrams import DontMerge, Edge
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
from verifier.evaluate.values import (
    List,
    Varying,
    Wrong,
    dot,
    exact,
    items,
    kind_of,
    kind_text,
    number,
    plus,
    small,
    times,
)
from verifier.language.names import mentions
from verifier.language.page import Understood
from verifier.language.tree import Call, Expression, Family, Index, Layer, Let, Name, NetworkLine, Number, Read
from verifier.language.words import Refused
from verifier.language.write import expression

if TYPE_CHECKING:
    from verifier.evaluate.definition import At
    from verifier.evaluate.states.page import Words

FAMILY = 1_000  # layers of one
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
        """A list of lists of numbers: the same one for equal ones."""
        if isinstance(v, Of):
            return v if v.shared.memo.get(("own", id(v))) is v else self.first_of(v)
        if not isinstance(v, List):
            return v
        its = [self.own(item) for item in v.items]
        key = (v.first, tuple([id(item) if isinstance(item, List | Varying) else (item,) for item in its]), str(v.kind))
        return self.tokens.setdefault(key, List(its, v.first))

    def first_of(self, v: Of) -> Of:
        """The first function of these values that there was."""
        found: Of = self.kept.setdefault((v.kind, v.edge, v.table), v)
        v.shared.memo["own", id(found)] = found
        return found

    def number(self, tree: Number) -> Any:
        """A number that is written out."""
        key = "number", id(tree)
        if key not in self.seen:
            self.seen[key] = small(mpq(tree.value)), tree
        return self.seen[key][0]

    def speaks(self, name: str) -> Speaks:
        key = "speaks", name
        if key not in self.seen:
            layer, page = self.page.page.layers[name], self.page.page
            x = layer.update.tokens
            names: set[str] = set()
            loose: set[str] = set()  # that stand elsewhere than before an index
            left: list[Any] = list(layer.lines)
            while left:
                thing = left.pop()
                if isinstance(thing, list):
                    left += thing
                elif isinstance(thing, tuple):
                    if isinstance(thing, Index) and isinstance(thing.listed, Name) and thing.listed.name == x:
                        left.append(thing.subscript)
                        continue
                    if isinstance(thing, Name | Call):
                        named = thing.name
                        loose.add(named)
                        if named not in names:
                            names.add(named)
                            if named in page.functions:
                                left.append(page.functions[named].body)
                    left += thing
            size = any(n in page.definitions and n not in self.page.constants for n in names)
            size = size or any(inputs.variable in names for inputs in page.inputs.values())
            lets = {line.name for line in layer.named}
            dark = any(
                line.mask is None or mentions(line.mask, {x, *lets} | (set(page.definitions) if size else set()))
                for line in layer.named
                if isinstance(line, Read)
            )
            self.seen[key] = Speaks(x in loose, size, "head" in names or dark)
        found: Speaks = self.seen[key]
        return found


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


def lines(case: "Words", network_: list[NetworkLine], at: "At", found: list[tuple[Truth, Any]]) -> None:
    for line in network_:
        if isinstance(line, Family):
            if len(values := case.reach(line.reach, at)) > FAMILY:
                raise DontMerge("a family of many layers, which is run by cells")
            for value in values:
                lines(case, line.lines, {**at, line.letter: value}, found)
            continue
        values = [case(a, at) for a in line.arguments]
        if line.name in case.page.networks:
            inside = case.page.networks[line.name]
            lines(case, inside.lines, dict(zip(inside.letters, values, strict=True)), found)
        else:
            before = found[-1][1]
            after = layer(case, line.name, values, before)
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
    told: Any = (name, *map(exact, values), speaks.size and case.size, speaks.count and len(tokens))
    found = []
    for k in range(tokens.first, tokens.first + len(tokens)):
        here: At = {**base, made.update.tokens: tokens, made.update.position: mpq(k)}
        shown = range(len(tokens)) if speaks.every else seen(case, made, here, tokens, (*told, k))
        key = (*told, k, id(tokens.items[k - tokens.first]), tokens.first, *[id(tokens.items[j]) for j in shown])
        if key not in layers.kept:
            layers.kept[key] = case.apart(partial(token, case, made, here, tokens, k, told[-2]))
        token_, ok = layers.kept[key]
        case.looked(ok)
        found.append(token_)
    if len({len(token) for token in found}) > 1:
        raise Refused(made.update.body.place, "the layer makes tokens of different lengths")
    return layers.own(List(found, tokens.first))  # type: ignore[no-any-return]


def seen(case: "Words", layer_: Layer, here: "At", tokens: List, told: Any) -> list[int]:
    """The tokens that the masks of a layer's reads show to token i, none of which looks at tokens."""
    found: set[int] = set()
    for line in layer_.named:
        if isinstance(line, Read) and (mask := line.mask) is not None:
            shown = [j for j in range(len(tokens)) if is_shown(case, mask, here, mpq(j + tokens.first), told)]
            found.update(shown or range(min(1, len(tokens))))
    return sorted(found)


def is_shown(case: "Words", mask: Expression, here: "At", j: Any, told: Any) -> bool:
    memo = case.layers.seen
    key = (id(mask), told, j)
    if key not in memo:
        memo[key] = case.apart(lambda: case.truth(mask, {**here, "j": j}))
    value, ok = memo[key]
    if ok is not True or not isinstance(value, bool):
        return True  # who reads asks again
    return value


def token(case: "Words", layer_: Layer, here: "At", tokens: List, k: int, size: int) -> List:
    """The new token k."""
    update = layer_.update
    case.layer = tokens, k
    scope = Scope(update.tokens, update.position, tokens, k, size)
    for line in layer_.named:
        here[line.name] = case(line.body, here) if isinstance(line, Let) else read(case, line, here, scope)
    made = case(update.body, here)
    if not isinstance(made, List) or made.kind != ("list", "number"):
        raise Refused(update.body.place, f"a layer makes a token of numbers, not {kind_text(kind_of(made))}")
    return case.layers.own(made)  # type: ignore[no-any-return]


def heard(case: "Words", arguments: list[Expression], here: "At") -> Any:
    """W_O times the mean of W_V x[j] at the largest scores dot(W_K x[j], W_Q x[i] + b_Q)."""
    if case.layer is None:
        raise Wrong("a head stands in a layer")
    tokens, i = case.layer
    w_o, w_v, w_k, w_q, b_q = (case(a, here) for a in arguments)
    query = plus(times(w_q, tokens.items[i - tokens.first]), b_q)
    rows = [Turn(True, number(dot(times(w_k, token), query)), times(w_v, token), True) for token in tokens.items]
    return times(w_o, best(rows, "average", case.layers.seen)[0])


class Turn(NamedTuple):
    """A token that a read may look at: whether it does, the score, the value, and where the value exists."""

    shown: Truth
    score: Any
    value: Any
    fine: Truth


class Scope(NamedTuple):
    """Where a read stands: the layer's tokens, and which of them asks. size: how many letters, if that matters."""

    x: str
    i: str
    tokens: List
    k: int
    size: int

    def asked_for(self, tree: Expression, memo: dict[Any, Any]) -> tuple[bool, bool, list[str]]:
        """Whether an expression looks at token i, at token j; which other letters it speaks of."""
        key = "looks", id(tree)
        if key not in memo:
            found: set[str] = set()
            left: list[Any] = [tree]
            while left:
                thing = left.pop()
                if isinstance(thing, Index) and isinstance(thing.listed, Name) and thing.listed.name == self.x:
                    found.add(expression(thing))
                elif isinstance(thing, Name):
                    found.add(thing.name)
                elif isinstance(thing, tuple | list):
                    left += thing
            mine, its = f"{self.x}[{self.i}]", f"{self.x}[j]"
            memo[key] = (mine in found, its in found, sorted(found - {mine, its})), tree
        looks: tuple[bool, bool, list[str]] = memo[key][0]
        return looks


def identity(v: Any) -> Any:
    """What tells a value from others that are kept."""
    return id(v) if isinstance(v, List | Varying) else exact(v)


class Asked:
    """An expression of a read, at all j: kept by whatever it looks at."""

    def __init__(self, case: "Words", scope: Scope, tree: Expression, here: "At", ask: Callable[["At"], Any]) -> None:
        memo = case.layers.seen
        self.case, self.ask, self.memo = case, ask, memo
        self.at_i, self.at_j, names = scope.asked_for(tree, memo)
        self.of_j = "j" in names
        looked = [here[name] for name in names if name in here and name != "j"]
        mine = scope.tokens.items[scope.k - scope.tokens.first] if self.at_i else None
        key = (id(tree), scope.size, scope.x in names and len(scope.tokens), id(mine), *map(identity, looked))
        if key not in memo:
            memo[key] = len(memo), looked, mine
        self.key: int = memo[key][0]  # equal where all but j is

    def __call__(self, at: "At", token_: List) -> tuple[Any, Truth]:
        """Its value where at["j"] has this token, and where it exists."""
        key = "at j", self.key, self.at_j and id(token_), self.of_j and at["j"]
        if key not in self.memo:
            self.memo[key] = *self.case.apart(lambda: self.ask(at)), token_
        value, ok, _ = self.memo[key]
        return value, ok


def read(case: "Words", line: Read, here: "At", scope: Scope) -> Any:
    """What a read finds; kept, for the tokens that it is the same for."""
    trees = [tree for tree in (line.value, line.score, line.mask, line.default) if tree is not None]
    key = ("read", id(scope.tokens), *[Asked(case, scope, tree, here, lambda _: None).key for tree in trees])
    memo = case.layers.seen
    if key not in memo:
        memo[key] = *case.apart(lambda: by_query(case, line, here, scope)), scope.tokens
    found, ok, _ = memo[key]
    case.looked(ok)
    return found


def by_query(case: "Words", line: Read, here: "At", scope: Scope) -> Any:
    """What a read finds; where it looks for what token i holds, each such query by itself."""
    trees, memo = [line.score, *([] if line.mask is None else [line.mask])], case.layers.seen
    looks = [scope.asked_for(tree, memo) for tree in trees]
    asked: list[Of] = []
    if any(at_i for at_i, _, _ in looks):
        mine = scope.tokens.items[scope.k - scope.tokens.first]
        case.touched = mine, []
        for tree in trees:
            case.apart(partial(case, tree, {**here, "j": mpq(scope.tokens.first)}))
        asked += [v for v in case.touched[1] or mine.items if isinstance(v, Of)]
        case.touched = None, []
    names = {name for _, _, names in looks for name in names if name in here and name != scope.x}
    asked += [v for name in names for v in leaves(here[name]) if isinstance(v, Of)]
    if asked and len(scope.tokens) > 1:
        asked = list({id(v): v for v in asked}.values())
        edge, rows = together(asked)
        if len(rows) <= ASKED:
            return each_query(case, line, here, scope, asked, edge, rows)
    return read_once(case, line, here, scope)


def each_query(
    case: "Words",
    line: Read,
    here: "At",
    scope: Scope,
    asked: list[Of],
    edge: Edge,
    rows: list[tuple[Any, ...]],
) -> Any:
    """The read for each of the queries that there are, of which one is the word's."""
    shared, k, tokens = case.shared, scope.k, scope.tokens
    found, fine = NOTHING, False
    for label, row in zip(shared.outcomes(edge), rows, strict=True):
        given = dict(zip(map(id, asked), row, strict=True))

        def put(v: Any, given: dict[int, Any] = given) -> Any:
            return List([put(w) for w in v.items], v.first) if isinstance(v, List) else given.get(id(v), v)

        its = list(tokens.items)
        its[k - tokens.first] = case.layers.own(put(its[k - tokens.first]))
        at = {name: v if name == scope.x or known(v) else put(v) for name, v in here.items()}
        at[scope.x] = mine = List(its, tokens.first)
        inner = scope._replace(tokens=mine)
        made, ok = case.apart(partial(read_once, case, line, at, inner))
        if edge[0] < 0:
            found, fine = made, ok
        else:
            is_it = Of(shared, edge, tuple([other == label for other in shared.outcomes(edge)]))
            found, fine = choose(is_it, made, found), choose(is_it, ok, fine)
    case.looked(fine)
    return found


def read_once(case: "Words", line: Read, here: "At", scope: Scope) -> Any:
    value, tie, score, mask, default = line.value, line.tie, line.score, line.mask, line.default
    tokens = scope.tokens
    shows = None if mask is None else Asked(case, scope, mask, here, lambda at: case.truth(mask, at))
    scored = Asked(case, scope, score, here, lambda at: case.number(score, at))
    valued = Asked(case, scope, value, here, lambda at: case(value, at))
    rows, each_known = [], True
    for j, its in enumerate(tokens.items, tokens.first):
        at = {**here, "j": mpq(j)}
        shown: Truth = True
        if shows is not None:
            shown, ok = shows(at, its)
            case.looked(ok)
        if shown is False:
            continue
        its_score, ok = scored(at, its)
        case.looked(either(negated(shown), ok))
        if its_score is not NOTHING:
            rows.append((at, its, shown, its_score))
            each_known = each_known and shown is True and not isinstance(its_score, Varying)
    if not rows:
        return nothing_read(case, value, default, here, tokens)
    memo = case.layers.seen
    if each_known:  # it is known which ones are read
        read_ = winners([s for *_, s in rows], tie)
        found: Any = None
        for k in read_:
            more, ok = valued(*rows[k][:2])
            case.looked(ok)
            found = more if found is None else added(memo, found, more)
        return found if tie != "average" else times(mpq(1, len(read_)), found)
    turns = [Turn(shown, s, *meant(tie, *valued(at, its))) for at, its, shown, s in rows]
    found, there, fine = best(turns, tie, memo)
    if there is True:
        case.looked(fine)
        return found
    other, well = case.apart(lambda: nothing_read(case, value, default, here, tokens))
    case.looked(choose(there, fine, well))
    return choose(there, found, other)


def meant(tie: str, value: Any, ok: Truth) -> tuple[Any, Truth]:
    """What is read of a token alone: a mean is of numbers."""
    truths = tie == "average" and value is not NOTHING and any(kind_of(v) == "truth" for v in leaves(value))
    return (NOTHING, False) if truths else (value, ok)


class Best(NamedTuple):
    """Of the tokens so far: whether one is shown, the largest score, what is read there, in all; of how many; and
    whether that exists."""

    there: Truth
    top: Any
    found: Any
    many: Any
    fine: Truth


def best(turns: list[Turn], tie: str, memo: dict[Any, Any]) -> tuple[Any, Truth, Truth]:
    """Of those that are shown the ones of the largest score: what is read there; whether there is one; whether what
    is read exists."""
    if tie == "average" and all(turn.value is turn.score for turn in turns):
        tie = "leftmost"  # the mean is the score then
    so_far: Best | None = None
    for turn in turns:
        key = ("best", tie, so_far and id(so_far), *map(identity, turn))
        if key not in memo:
            memo[key] = further(so_far, turn, tie), turn, so_far
        so_far = memo[key][0]
    if so_far is None:
        return NOTHING, False, True
    divides = tie == "average" and so_far.found is not NOTHING
    return divided(so_far.found, so_far.many) if divides else so_far.found, so_far.there, so_far.fine


def further(so_far: Best | None, turn: Turn, tie: str) -> Best:
    shown, score, value, its = turn
    if so_far is None or so_far.there is False:
        return Best(shown, score, value, mpq(1), its)
    there, top, found, many, fine = so_far
    first = negated(there)
    if tie == "average":
        above = both(shown, either(first, compared(">", score, top)))
        level = both(shown, both(there, compared("=", score, top)))
        try:
            more = NOTHING if value is NOTHING or found is NOTHING else plus(found, value)
        except Wrong as error:
            raise DontMerge("values of several shapes are read") from error
        found = choose(above, value, choose(level, more, found))
        many = choose(above, mpq(1), choose(level, many + 1, many))
        fine = choose(above, its, choose(level, both(fine, its), fine))
    else:
        above = both(shown, either(first, compared(">" if tie == "leftmost" else ">=", score, top)))
        found, fine = choose(above, value, found), choose(above, its, fine)
    return Best(either(there, shown), choose(above, score, top), found, many, fine)


def added(memo: dict[Any, Any], a: Any, b: Any) -> Any:
    """a + b, kept."""
    key = "+", identity(a), identity(b)
    if key not in memo:
        memo[key] = plus(a, b), a, b
    return memo[key][0]


def divided(total: Any, many: Any) -> Any:
    if not isinstance(many, Varying):
        return times(1 / many, total)
    if isinstance(total, List):
        return List([divided(v, many) for v in total.items])
    return by_two("over", lambda a, b: small(a / b), told_apart(total), told_apart(many))


def nothing_read(case: "Words", value: Expression, default: Expression | None, here: "At", tokens: List) -> Any:
    """The value after `else`; without one 0, or, where the value (at the first token) is a list, as many zeros."""
    if default is not None:
        return case(default, here)
    like = case(value, {**here, "j": mpq(tokens.first)})
    if kind_of(like) == "truth":
        raise Refused(value.place, "where nothing is read, there is no truth")
    return List([mpq(0)] * len(like)) if isinstance(like, List) else mpq(0)
