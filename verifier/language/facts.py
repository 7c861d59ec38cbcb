"""Facts: a text in the pages' words about all sizes at once (proofs/SYMBOLIC.md, 2), read into trees."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from verifier.language.parse import Parser
from verifier.language.tree import Tree
from verifier.language.words import ID, Refused, lines_of, text_of

INDICES = "ijmndef"  # letters of places
SIGNS = (">=", ">", "=", "<=", "<")


@dataclass(frozen=True)
class Line:
    """A definition or a fact: its relations (of a definition with cases there are several), and its condition."""

    name: str
    relations: tuple[Tree, ...]
    when: tuple[Tree, ...] = ()
    variable: str = ""  # of an induction, and where it begins
    start: Tree = ()
    cases: str = ""  # the definition of whose cases its step is one each
    text: str = ""
    section: str = ""

    @property
    def bounds(self) -> list[tuple[Tree, str, Tree]]:
        """The parts of the condition that are about places alone, link by link."""
        return [part for tree in self.when for part in links(tree) if _of_places(tree)]

    @property
    def given(self) -> list[Tree]:
        return [tree for tree in self.when if not _of_places(tree)]


@dataclass(frozen=True)
class Claim:
    parts: tuple[str, ...]  # the facts and rules that are enough
    when: tuple[Tree, ...] = ()
    says: str = ""  # if it is of no page


@dataclass
class Facts:
    lines: list[str]
    title: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)  # at least 0
    context: list[str] = field(default_factory=list)  # of these a second context has its own
    definitions: dict[str, Line] = field(default_factory=dict)
    facts: dict[str, Line] = field(default_factory=dict)
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)


def links(tree: Tree) -> list[tuple[Tree, str, Tree]]:
    """1 <= j <= m as 1 <= j and j <= m."""
    return [(left, sign, right) for (left, right), sign in zip(pairwise(tree[3]), tree[2], strict=True)]


def names(tree: Any) -> list[str]:
    if isinstance(tree, tuple) and tree[:1] == ("name",):
        return [tree[2]]
    return [name for part in tree if isinstance(part, tuple | list) for name in names(part)]


def _of_places(tree: Tree) -> bool:
    indexed = any(side[0] == "index" for side in tree[3])
    return not indexed and set(tree[2]) <= {"<=", "="} and all(name in INDICES for name in names(tree[3]))


def _compared(tree: Tree) -> Tree:
    if tree[0] != "compare" or len(tree[2]) != 1 or tree[2][0] not in SIGNS:
        raise Refused(tree[1], f"expected two sides here, and one of {' '.join(SIGNS)} between them")
    return tree


def _joined(p: Parser, word: str) -> tuple[Tree, ...]:
    said = p.joined(word, p.comparison)
    return tuple(said[2]) if said[0] == word else (said,)


def _condition(p: Parser) -> tuple[Tree, ...]:
    if not p.take("if"):
        return ()
    parts = _joined(p, "and")
    for part in parts:
        if part[0] != "compare" or (len(part[2]) > 1 and not _of_places(part)):
            raise Refused(part[1], "expected a comparison here; a chain is of places, with <=")
    return parts


def _names(p: Parser) -> list[str]:
    found = [p.name()]
    while p.take(","):
        found.append(p.name())
    return found


def _label(p: Parser) -> str:
    """A fact, rule or claim: words joined by dots, or hyphens."""
    start, (line, column) = p.at, p.place
    while p.place == (line, column) and (p.tokens[p.at].kind in ("name", "number") or p.sees(".", "-")):
        column += len(p.tokens[p.at].text)
        p.at += 1
    name = text_of(p.tokens[start : p.at]) if p.at > start else ""
    if not re.fullmatch(ID, name):
        raise Refused(p.tokens[start].place, "expected the name of a fact here, such as k.order")
    return name


def _parts(p: Parser) -> tuple[str, ...]:
    p.need(":")
    found = [_label(p)]
    while p.take(","):
        found.append(_label(p))
    return tuple(found)


def _define(found: Facts, p: Parser, section: str) -> None:
    place, sides = p.place, tuple(map(_compared, _joined(p, "or")))
    when, atom = _condition(p), sides[0][3][0]
    family = atom[2] if atom[0] == "index" else atom
    if family[0] != "name" or any(s[2] != ["="] or _spelled(s[3][0]) != _spelled(atom) for s in sides):
        raise Refused(place, "a definition is of one atom")
    name = _spelled(atom)
    name = (
        p.string("the definition's name") if p.take("as") else name.rstrip("]").replace("[", "").rstrip("ije") or name
    )
    found.definitions[name] = Line(name, sides, when, text=text_of(p.tokens[:-1]), section=section)


def _spelled(atom: Tree) -> str:
    return f"{atom[2][2]}[{atom[3][2]}]" if atom[0] == "index" else str(atom[2])


def _fact(found: Facts, p: Parser, section: str) -> None:
    name, variable, start, cases = _label(p), "", (), ""
    if p.take("by"):
        variable, _, start = p.name(), p.need("from"), p.sum()
        cases = p.name() if p.take("in") else ""
    p.need(":")
    first = p.at
    when = _condition(p)
    if p.at > first:
        p.need(":")
    goal, text = (_compared(p.comparison()),), text_of(p.tokens[first : p.at])
    found.facts[name] = Line(name, goal, when, variable, start, cases, text, section)


def _claim(found: Facts, p: Parser) -> None:
    name = _label(p)
    says = p.string("its words") if p.tokens[p.at].kind == "string" else ""
    when = _condition(p)
    found.claims[name] = Claim(_parts(p), when, says)


def read(lines: list[str]) -> Facts:
    found, section = Facts(lines), ""
    for line in lines_of("\n".join(lines))[1:]:
        p = Parser(line)
        match p.take("title", "sizes", "section", "numbers", "context", "fact", "rule", "claim", "assumed"):
            case "title":
                found.title = p.string("the title")
            case "sizes":
                while not found.sizes or p.take(","):
                    name, _ = p.name(), p.need(">=")
                    found.sizes[name] = int(p.of("number", "its least value"))
            case "section":
                section = p.string("what it is about")
            case "numbers":
                found.numbers += _names(p)
            case "context":
                found.context += _names(p)
            case "fact":
                _fact(found, p, section)
            case "rule":
                name = _label(p)
                found.rules[name] = _parts(p)
            case "claim":
                _claim(found, p)
            case "assumed":
                found.assumed.append(p.string("what is assumed"))
            case _:
                _define(found, p, section)
        p.alone()
    return found
