"""Mutants of a page: its text with one thing in one claim changed, systematically from the tree. An operator, an index,
a bound, a constant, a guard; written by write.py, so that each is a text that someone could have written.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from verifier.evaluate.run import found
from verifier.language.page import Understood, read
from verifier.language.parse import parse
from verifier.language.tree import Claim, Page, Tree
from verifier.language.words import Refused
from verifier.language.write import claim_lines, expression, write

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
AT_THE_EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "!=", "!=": "="}
OTHER = {"max": "min", "min": "max", "all": "any", "any": "all", "sum": "max", "count": "len", "distinct": "len",
         "layers": "heads", "heads": "layers"}  # fmt: skip
PAGES = Path(__file__).parent.parent / "verifier/pages"
# Where each page is run: the names of its sizes, and rows of them, cheap ones first.
SIZES: dict[str, tuple[Any, ...]] = {
    "tree_dfs": ("n m first", (2, 4, 1), (2, 2, 0)),
    "yun2020": ("d n N", (1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2), (1, 3, 3)),
    "addition": ("n", (2,), (3,)),
    "cookbook_attention": ("n", (2,), (3,), (4,)),
    "cookbook_feedforward": ("n m", (2, 1), (3, 2)),
    "cookbook_norm": ("n d", (2, 2), (2, 3)),
    "cookbook_words": ("n N", (2, 5), (4, 4)),
    "dyck": (
        "k D n bos last guard tie p type",
        (1, 1, 4, 0, 0, 0, 0, 0, 0),
        (2, 2, 4, 0, 0, 0, 0, 0, 0),
        (1, 2, 4, 1, 1, 1, 1, 1, 1),
    ),
    "dyck1": ("n D", (3, 1), (4, 1), (5, 2)),
    "dyck_generator": ("k D n own right", (1, 2, 3, 0, 0), (2, 2, 3, 1, 1)),
    "dyck_rounds": ("k D n sign active guard tie", (1, 2, 4, 0, 0, 1, 0), (2, 2, 3, 1, 1, 0, 1)),
    "induction": ("n k", (3, 2), (4, 2)),
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
    "khop_cycles": ("times", (3,)),
    "looped": ("s m n d order apart", (1, 1, 2, 2, 0, 0), (2, 2, 3, 2, 1, 0), (2, 3, 3, 2, 2, 1)),
    "looped_group": ("n group s both bias", (2, 3, 2, 0, 0), (3, 2, 1, 1, 1), (3, 3, 2, 0, 0)),
    "looped_layers": ("n L", (1, 2), (2, 3)),
    "ltl": ("n", (2,), (3,)),
    "ngrams": ("g n", (2, 2), (2, 3), (3, 3)),
    "palindrome": ("n top bottom tail", (3, 2, 1, 1), (3, 3, 2, 1), (4, 3, 2, 0)),
    "parity": ("n", (2,), (4,)),
    "parity_softmax": ("n top bottom dollar", (3, 2, 1, 0), (3, 3, 2, 1), (3, 11, 10, 0)),
    "recipes": ("n N", (2, 2), (3, 4)),
    "steps": ("n automata literal sees", (1, 8, 0, 1), (2, 8, 1, 0)),
    "steps_hash": ("n g big last", (0, 2, 1, 6), (2, 3, 2, 7)),
    "succinct": ("instance n cells count_ up", (1, 1, 2, 0, 0), (2, 1, 2, 1, 2), (4, 1, 2, 0, 1)),
    "sums_of_powers": ("n N base", (3, 3, 2), (3, 3, 4)),
}
OF_CLAIMS: dict[str, tuple[Any, ...]] = {  # of a claim, or of a family
    **dict.fromkeys(("c", "theorem3", "hu", "exact"), ("d n N", (1, 2, 2), (1, 2, 3), (1, 3, 2), (2, 2, 2))),
    "s6.average": ("d n N", (1, 3, 5)),  # the first size at which two contexts are alike
    "dyck.counts": (
        "k D n bos last guard tie p type",
        *((k, D, 6, 0, 0, 0, 0, 0, 0) for k, D in ((2, 1), (1, 2), (1, 3))),
    ),
    "exact.everywhere": ("d n N", (1, 2, 2)),  # these take long
    "cook.routing": ("n d", (2, 2)),
    "steps.right.walk": ("n g big last", (0, 5, 1, 6)),  # the first length with two earlier ones
}
KINDS = ("definitions", "functions", "inputs", "layers", "networks")
LINES = ("relation", "for", "when", "within", "across", "once")
EXPRESSIONS = ("number", "truth", "name", "index", "call", "list", "each", "dots", "range", "sum", "product", "power",
               "compare", "and", "or", "iff", "not", "if")  # fmt: skip


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


def sizes_of(name: str, claim: str) -> list[dict[str, int]]:
    letters, *rows = OF_CLAIMS.get(claim) or OF_CLAIMS.get(claim.partition(".")[0], SIZES[name])
    return [dict(zip(letters.split(), row, strict=True)) for row in rows]


def page_named(name: str) -> Page:
    return parse((PAGES / f"{name}.page").read_text(encoding="utf-8"))


def survivors(name: str, chosen: list[Mutant] | None = None) -> list[str]:
    """The mutants of a page that nothing tells from it at its sizes: each is written, read and run."""
    page, there, found = page_named(name), dict[tuple[str, int], Any](), []

    def same(claim: str, k: int, sizes: dict[str, int], mutant: Understood) -> bool:
        if (claim, k) not in there:
            there[claim, k] = counted(read(write(alone(page, page.claims[claim]))), claim, sizes)
        return bool(counted(mutant, claim, sizes) == there[claim, k])

    for mutant in mutants(page) if chosen is None else chosen:
        claim, text = mutant.old.id, write(alone(page, mutant.new))
        if text == write(alone(page, mutant.old)):
            continue
        try:
            understood = read(text)
        except Refused:
            continue
        if all(same(claim, k, sizes, understood) for k, sizes in enumerate(sizes_of(name, claim))):
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
    for name in names or SIZES:
        alive, known = set(survivors(name)), set(explained().get(name, {}))
        print(f"{name}: {len(mutants(page_named(name))):,} mutants, {len(alive)} survive", flush=True)
        for mutant in sorted(alive ^ known):
            print(f"  {'survives, and nothing says why' if mutant in alive else 'is noticed now'}: {mutant}")


if __name__ == "__main__":
    main(sys.argv[1:])
