"""Mutants of a page: its text with one thing in one claim changed, systematically from the tree. An operator, an index,
a bound, a constant, a guard; written by write.py, so that each is a text that someone could have written.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from verifier.evaluate.run import found
from verifier.language.page import Understood, read
from verifier.language.tree import Claim, Page, Tree
from verifier.language.words import Refused
from verifier.language.write import claim_lines, expression, write

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
AT_THE_EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "!=", "!=": "="}
OTHER = {"max": "min", "min": "max", "all": "any", "any": "all", "sum": "max", "count": "len", "distinct": "len",
         "layers": "heads", "heads": "layers"}  # fmt: skip
KINDS = ("definitions", "functions", "inputs", "layers", "networks")
LINES = ("relation", "for", "when", "within", "across", "once")
EXPRESSIONS = ("number", "truth", "name", "index", "call", "list", "each", "dots", "range", "sum", "product", "power",
               "compare", "and", "or", "iff", "not", "if")  # fmt: skip


class Mutant(NamedTuple):
    """What was changed, in words, and the page with it."""

    name: str
    page: Understood


def alone(page: Page, claim: Claim) -> Page:
    """The page with this claim alone, and what it rests on."""
    wanted, more = set[str](), words_in(vars(claim))
    while more:
        wanted |= more
        kept = {kind: {k: v for k, v in getattr(page, kind).items() if k in wanted} for kind in KINDS}
        kept["inputs"] |= {k: v for k, v in page.inputs.items() if v.variable in wanted}
        categories = [c for c in page.categories if c.inputs in kept["inputs"]]
        rest = [*categories, *(one for kind in kept.values() for one in kind.values())]
        more = set().union(*(words_in(vars(one)) for one in rest)) - wanted
    return replace(page, **kept, categories=categories, claims={claim.id: claim})


def words_in(tree: Any) -> set[str]:
    """All names in it, and other words."""
    if isinstance(tree, str):
        return {tree}
    parts = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, tuple | list) else ()
    return set().union(*map(words_in, parts))


def mutants(page: Page, claim: Claim) -> Iterator[Mutant]:
    """Each that can be read, each text once."""
    page = alone(page, claim)
    seen = {write(page)}
    for other in claims(claim, set(page.sizes)):
        text = write(replace(page, claims={claim.id: other}))
        if text in seen:
            continue
        seen.add(text)
        try:
            understood = read(text)
        except Refused:
            continue
        yield Mutant(difference(claim, other), understood)


def difference(old: Claim, new: Claim) -> str:
    """The line that is another one, before and after."""
    one, two = (
        [f"on {c.inputs} if {expression(c.condition)}" if c.condition else "", *claim_lines(c.lines, "")]
        for c in (old, new)
    )
    k = next(k for k, (a, b) in enumerate(zip([*one, ""], [*two, ""], strict=False)) if a != b)
    return f"{one[k].strip()}  ->  {two[k].strip() if k < len(two) else ''}"


def claims(claim: Claim, sizes: set[str]) -> Iterator[Claim]:
    if claim.condition is not None:
        yield replace(claim, condition=None)
        for other in changed(claim.condition, sizes):
            yield replace(claim, condition=other)
    for lines in changed(claim.lines, sizes):
        yield replace(claim, lines=lines)


def changed(tree: Any, sizes: set[str]) -> Iterator[Any]:
    """The tree, or whatever holds trees, with one thing changed."""
    if not isinstance(tree, tuple | list):
        return
    if isinstance(tree, tuple) and tree and tree[0] in LINES:
        yield from of_a_line(tree)
    if isinstance(tree, tuple) and tree and tree[0] in EXPRESSIONS:
        yield from of_an_expression(tree, sizes)
    for k, part in enumerate(tree):
        for other in changed(part, sizes):
            yield type(tree)((*tree[:k], other, *tree[k + 1 :]))


def plus_1(tree: Tree) -> Tree:
    return ("sum", tree[1], [(1, tree), (1, ("number", tree[1], 1))])


def minus_1(tree: Tree) -> Tree:
    return ("sum", tree[1], [(1, tree), (-1, ("number", tree[1], 1))])


def of_a_line(line: Tree) -> Iterator[Tree]:
    """What is changed of a line itself: its sign, its guard, which neighbour is which."""
    kind, place, *rest = line
    if kind == "relation":
        signs, sides, told = rest
        for k, sign in enumerate(signs):
            if sign in TURNED:
                yield (kind, place, [*signs[:k], TURNED[sign], *signs[k + 1 :]], sides, told)
            else:
                yield (kind, place, signs, [("not", place, sides[0]), sides[1]], told)
    elif kind == "for" and rest[2] is not None:
        yield (kind, place, *rest[:2], None, rest[3])
    elif kind == "when":
        yield (kind, place, ("not", place, rest[0]), rest[1])
        yield (kind, place, ("truth", place, True), rest[1])
    elif kind in ("within", "across"):
        yield (kind, place, rest[0], rest[2], rest[1], rest[3])


def of_an_expression(tree: Tree, sizes: set[str]) -> Iterator[Tree]:
    """What is changed of a node itself."""
    kind, place, *rest = tree
    if kind == "number":
        yield (kind, place, rest[0] + 1)
    elif kind == "truth":
        yield (kind, place, not rest[0])
    elif kind == "name" and rest[0] in sizes:
        yield plus_1(tree)
    elif kind == "index":
        yield (kind, place, rest[0], plus_1(rest[1]))
        yield (kind, place, rest[0], minus_1(rest[1]))
    elif kind == "range":
        if rest[0][0] != "number":
            yield (kind, place, plus_1(rest[0]), rest[1])
        yield (kind, place, rest[0], minus_1(rest[1]))
    elif kind == "sum":
        for k, (sign, term) in enumerate(rest[0]):
            yield (kind, place, [*rest[0][:k], (-sign, term), *rest[0][k + 1 :]])
    elif kind == "product":
        for k, (sign, factor) in enumerate(rest[0]):
            others = {"/": ["*"], "mod": ["div"], "div": ["mod"], "*": []}[sign]
            for other in others:
                yield (kind, place, [*rest[0][:k], (other, factor), *rest[0][k + 1 :]])
            if len(rest[0]) > 1 and (k or rest[0][1][0] == "*"):
                left = [*rest[0][:k], *rest[0][k + 1 :]]
                yield (kind, place, left) if len(left) > 1 else left[0][1]
    elif kind == "power":
        yield (kind, place, rest[0], plus_1(rest[1]))
    elif kind == "compare":
        for k, sign in enumerate(rest[0]):
            for table in (NEGATED, AT_THE_EDGE):
                if sign in table:
                    yield (kind, place, [*rest[0][:k], table[sign], *rest[0][k + 1 :]], rest[1])
    elif kind in ("and", "or"):
        yield ("or" if kind == "and" else "and", place, *rest)
        for k in range(len(rest[0])):
            left = [*rest[0][:k], *rest[0][k + 1 :]]
            yield (kind, place, left) if len(left) > 1 else left[0]
    elif kind == "iff":
        yield ("not", place, tree)
    elif kind == "not":
        yield rest[0]
    elif kind == "if":
        yield (kind, place, rest[0], rest[2], rest[1])
    elif kind == "each" and rest[4] is not None:
        yield (kind, place, *rest[:4], None)
    elif kind == "call" and rest[0] in OTHER:
        yield (kind, place, OTHER[rest[0]], rest[1])
    elif kind == "call" and rest[0] in ("abs", "sorted"):
        yield rest[1][0]


def counted(page: Understood, claim: str, sizes: dict[str, int]) -> Any:
    """The verdict of a claim, what is counted, the least slacks, the first failure; or that it is refused."""
    try:
        (entry,) = found(page, sizes, [claim])["claims"]
    except Refused:
        return "refused"
    lines = [(line["made"], line.get("least", {}).get("slack")) for line in entry.get("lines", [])]
    first = [entry.get("first", {}).get(what) for what in ("value", "bound", "ranks", "letters")]
    return entry["verdict"], entry["cases"], entry.get("failing"), lines, first


def survivors(page: Page, claim: Claim, sizes: list[dict[str, int]], wanted: Any = None) -> Iterator[str]:
    """The mutants that nothing tells from the claim at these sizes."""
    mine = read(write(alone(page, claim)))
    there: dict[int, Any] = {}

    def same(mutant: Mutant, k: int) -> bool:
        if k not in there:
            there[k] = counted(mine, claim.id, sizes[k])
        return bool(counted(mutant.page, claim.id, sizes[k]) == there[k])

    for mutant in mutants(page, claim):
        if wanted is not None and not wanted(mutant.name):
            continue
        if all(same(mutant, k) for k in range(len(sizes))):
            yield mutant.name
