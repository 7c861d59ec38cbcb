"""Mutants of a page: its text with one thing in one claim changed, systematically from the tree. An operator, an index,
a bound, a constant, a guard; written by write.py, so that each is a text that someone could have written.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from around import around
from verifier.evaluate.run import found
from verifier.language.page import Understood, read
from verifier.language.parse import parse
from verifier.language.tree import (
    Across,
    And,
    Call,
    Chain,
    Claim,
    ClaimLine,
    Compare,
    Each,
    Expression,
    ForEach,
    If,
    Iff,
    Index,
    Name,
    Not,
    Number,
    Or,
    Page,
    Power,
    Product,
    Range,
    Sum,
    Tree,
    Truth,
    When,
    Within,
    with_parts,
)
from verifier.language.words import Refused
from verifier.language.write import claim_lines, expression, write

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
AT_THE_EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "!=", "!=": "="}
OTHER = {"max": "min", "min": "max", "all": "any", "any": "all", "sum": "max", "count": "len", "distinct": "len",
         "layers": "heads", "heads": "layers"}  # fmt: skip
PAGES = Path(__file__).parent.parent / "verifier/pages"
MOST = 400  # cases of a claim's inputs, beyond those at the sizes to try
OF_CLAIMS: dict[str, tuple[Any, ...]] = {  # of a claim, or of a family: where its mutants are told from it, or are soon
    **dict.fromkeys(("c", "theorem3", "hu", "exact"), ("d n N", (1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2))),
    "s6.average": ("d n N", (1, 3, 5)),  # the first size at which two contexts are alike
    "dyck.counts": (
        "k D n bos last guard tie p type",
        *((k, D, 6, 0, 0, 0, 0, 0, 0) for k, D in ((2, 1), (1, 2), (1, 3))),
    ),
    "exact.everywhere": ("d n N", (1, 2, 2)),  # these take long
    "cook.routing": ("n d", (2, 2)),
    "succ.boundary": ("instance n cells count_ up", (1, 1, 2, 0, 0), (4, 1, 2, 0, 1)),  # the first with two colours
    "steps.right.walk": ("n g big last", (0, 5, 1, 6)),  # the first length with two earlier ones
    "kgram": (
        "S k n late extra soft flag query",
        (2, 1, 4, 0, 0, 0, 0, 0),
        (2, 2, 5, 1, 1, 1, 0, 0),
        (2, 2, 5, 0, 0, 0, 1, 1),
    ),
    "khop": (
        "n k s own bits circle scores wide",
        (3, 3, 2, 0, 0, 0, 0, 1),
        (3, 2, 2, 1, 1, 1, 2, 1),
        (5, 2, 2, 1, 2, 2, 1, 2),
    ),
    "looped": ("s m n d order apart", (1, 1, 2, 2, 0, 0), (2, 2, 3, 2, 1, 0), (2, 3, 3, 2, 2, 1)),
    "tree": ("n m first", (2, 4, 1), (2, 2, 0)),
    **dict.fromkeys(
        ("khop.gadget", "khop.edges", "khop.cycle", "khop.cycle-one", "khop.cycle-steps", "khop.cycle-steps.base"),
        ("times", (3,)),
    ),
    **dict.fromkeys(
        (
            "looped.causal",
            "looped.keeps",
            "looped.answer",
            "looped.rounds",
            "looped.width",
            "looped.width.one-more",
            "looped.table",
            "looped.table-rounded",
            "looped.table-renewed",
            "looped.network",
        ),
        ("n group s both bias", (2, 3, 2, 0, 0), (3, 2, 1, 1, 1), (3, 3, 2, 0, 0)),
    ),
    **dict.fromkeys(
        (
            "looped.layer-index",
            "looped.layer-index.one",
            "looped.layer-index.from-0",
            "looped.layer-index.behind",
            "looped.networks",
            "looped.networks-bias",
            "looped.head-used",
            "looped.head-unused",
            "looped.head-unused.plus",
            "looped.head-used.minus",
        ),
        ("n L", (1, 2), (2, 3)),
    ),
}
WITH_THEIR_OWN = {"bigbird2020", "kajitsuka2024"}  # mutations: test_bigbird_page.py, test_kajitsuka_page.py
NAMES = sorted(path.stem for path in PAGES.glob("*.page") if path.stem not in WITH_THEIR_OWN)
KINDS = ("definitions", "functions", "inputs", "layers", "networks")


class Mutant(NamedTuple):
    """A claim with one thing changed; the name says what."""

    name: str
    old: Claim
    new: Claim


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


def mutants(page: Page) -> list[Mutant]:
    """Each once; those that can't be read are among them."""
    found = {}
    for claim in page.claims.values():
        for new in claims(claim, set(page.sizes)):
            name = f"{claim.id}: {difference(claim, new)}"
            found.setdefault(name, Mutant(name, claim, new))
    return list(found.values())


def written(claim: Claim) -> list[str]:
    return [line.text for line in claim_lines(claim.lines, "")]


def difference(old: Claim, new: Claim) -> str:
    """The line that is another one, before and after."""
    one, two = (
        [
            f"on {c.inputs} if {expression(c.condition)}" if c.condition else "",
            *(line.text for line in claim_lines(c.lines, "")),
        ]
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
    if isinstance(tree, Tree):
        yield from of_a_line(tree)
        yield from of_an_expression(tree, sizes)
    parts = tree.parts if isinstance(tree, Tree) else tree
    for k, part in enumerate(parts):
        for other in changed(part, sizes):
            new = [*parts[:k], other, *parts[k + 1 :]]
            yield with_parts(tree, new) if isinstance(tree, Tree) else type(tree)(new)


def one_for(parts: list[Any], k: int, *others: Any) -> list[Any]:
    return [*parts[:k], *others, *parts[k + 1 :]]


def plus_1(tree: Expression) -> Expression:
    return Sum(tree.place, [(1, tree), (1, Number(tree.place, 1))])


def minus_1(tree: Expression) -> Expression:
    return Sum(tree.place, [(1, tree), (-1, Number(tree.place, 1))])


def of_a_line(line: Any) -> Iterator[ClaimLine]:
    """What is changed of a line itself: its sign, its guard, which neighbour is which."""
    place = line.place
    match line:
        case Chain():
            for k, sign in enumerate(line.signs):
                if sign in TURNED:
                    yield Chain(place, one_for(line.signs, k, TURNED[sign]), line.sides, line.texts)
                else:
                    yield Chain(place, line.signs, [Not(place, line.sides[0]), line.sides[1]], line.texts)
        case ForEach() if line.condition is not None:
            yield ForEach(place, line.letter, line.reach, None, line.lines)
        case When():
            yield When(place, Not(place, line.condition), line.lines)
            yield When(place, Truth(place, True), line.lines)
        case Within() | Across():
            yield type(line)(place, line.numbers, line.upper, line.lower, line.lines)


def of_an_expression(tree: Any, sizes: set[str]) -> Iterator[Expression]:
    """What is changed of a node itself."""
    place = tree.place
    match tree:
        case Number():
            yield Number(place, tree.value + 1)
        case Truth():
            yield Truth(place, not tree.value)
        case Name() if tree.name in sizes:
            yield plus_1(tree)
        case Index():
            yield Index(place, tree.listed, plus_1(tree.subscript))
            yield Index(place, tree.listed, minus_1(tree.subscript))
        case Range():
            if not isinstance(tree.low, Number):
                yield Range(place, plus_1(tree.low), tree.high)
            yield Range(place, tree.low, minus_1(tree.high))
        case Sum():
            for k, (sign, term) in enumerate(tree.terms):
                yield Sum(place, one_for(tree.terms, k, (-sign, term)))
        case Product():
            factors = tree.factors
            for k, (sign, factor) in enumerate(factors):
                others = {"/": ["*"], "mod": ["div"], "div": ["mod"], "*": []}[sign]
                for other in others:
                    yield Product(place, one_for(factors, k, (other, factor)))
                if len(factors) > 1 and (k or factors[1][0] == "*"):
                    left = one_for(factors, k)
                    yield Product(place, left) if len(left) > 1 else left[0][1]
        case Power():
            yield Power(place, tree.base, plus_1(tree.exponent))
        case Compare():
            for k, sign in enumerate(tree.signs):
                for table in (NEGATED, AT_THE_EDGE):
                    if sign in table:
                        yield Compare(place, one_for(tree.signs, k, table[sign]), tree.sides)
        case And() | Or():
            yield (Or if isinstance(tree, And) else And)(place, tree.operands)
            for k in range(len(tree.operands)):
                left = one_for(tree.operands, k)
                yield type(tree)(place, left) if len(left) > 1 else left[0]
        case Iff():
            yield Not(place, tree)
        case Not():
            yield tree.operand
        case If():
            yield If(place, tree.condition, tree.otherwise, tree.then)
        case Each() if tree.condition is not None:
            yield Each(place, tree.body, tree.letter, tree.reach, tree.inputs, None)
        case Call() if tree.name in OTHER:
            yield Call(place, OTHER[tree.name], tree.arguments)
        case Call() if tree.name in ("abs", "sorted"):
            yield tree.arguments[0]


def counted(page: Understood, claim: str, sizes: dict[str, int]) -> Any:
    """The verdict of a claim, what is counted, the least slacks, the first failure; or that it is refused."""
    try:
        (entry,) = found(page, sizes, [claim])["claims"]
    except Refused:
        return "refused"
    lines = [(line["made"], line.get("least", {}).get("slack")) for line in entry.get("lines", [])]
    first = [entry.get("first", {}).get(what) for what in ("value", "bound", "ranks", "letters")]
    return entry["verdict"], entry["cases"], entry.get("failing"), lines, first


def sizes_of(page: Understood, claim: str) -> list[dict[str, int]]:
    """Where this claim, alone on its page, and its mutants are run; cheap ones first."""
    if rows := OF_CLAIMS.get(claim) or OF_CLAIMS.get(claim.partition(".")[0]):
        letters, *rows = rows
        return [dict(zip(letters.split(), row, strict=True)) for row in rows]
    return around(page, MOST)


def page_named(name: str) -> Page:
    return parse((PAGES / f"{name}.page").read_text(encoding="utf-8"))


def survivors(name: str, chosen: list[Mutant] | None = None) -> list[str]:
    """The mutants of a page that nothing tells from it at its sizes: each is written, read and run."""
    page, found = page_named(name), []

    @cache
    def own(claim: str) -> list[tuple[dict[str, int], Any]]:
        """What comes out of the claim as it is, at each of its sizes."""
        understood = read(write(alone(page, page.claims[claim])))
        return [(sizes, counted(understood, claim, sizes)) for sizes in sizes_of(understood, claim)]

    for mutant in mutants(page) if chosen is None else chosen:
        claim, text = mutant.old.id, write(alone(page, mutant.new))
        if text == write(alone(page, mutant.old)):
            continue
        try:
            understood = read(text)
        except Refused:
            continue
        if all(counted(understood, claim, sizes) == what for sizes, what in own(claim)):
            found.append(mutant.name)
    return found


def explained() -> dict[str, dict[str, str]]:
    """The survivors of each page, each with the reason."""
    told = tomllib.loads((Path(__file__).parent / "text_mutants.toml").read_text(encoding="utf-8"))
    return {
        page: {mutant: entry["why"] for entry in entries for mutant in entry["mutants"]}
        for page, entries in told.items()
    }


def main(names: list[str]) -> None:
    """All mutants of these pages, or of all: minutes."""
    for name in names or NAMES:
        alive, known = set(survivors(name)), set(explained().get(name, {}))
        print(f"{name}: {len(mutants(page_named(name))):,} mutants, {len(alive)} survive", flush=True)
        for mutant in sorted(alive ^ known):
            print(f"  {'survives, and nothing says why' if mutant in alive else 'is noticed now'}: {mutant}")


if __name__ == "__main__":
    main(sys.argv[1:])
