"""Facts: a text in the pages' words about all sizes at once (proofs/SYMBOLIC.md, 2), read into trees."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from verifier.language.parse import Parser
from verifier.language.tree import And, Compare, Expression, Index, Name, Or
from verifier.language.words import ID, Refused, lines_of, text_of
from verifier.language.write import expression

INDICES = "ijmndef"  # letters of places
SIGNS = (">=", ">", "=", "<=", "<")


@dataclass(frozen=True)
class Line:
    """A definition or a fact: its relations (of a definition with cases there are several), and its condition."""

    name: str
    relations: tuple[Compare, ...]
    when: tuple[Compare, ...] = ()
    variable: str = ""  # of an induction, and where it begins
    start: Expression | None = None
    cases: str = ""  # the definition of whose cases its step is one each
    text: str = ""
    section: str = ""

    @property
    def bounds(self) -> list[tuple[Expression, str, Expression]]:
        """The parts of the condition that are about places alone, link by link."""
        return [part for tree in self.when for part in links(tree) if _of_places(tree)]

    @property
    def given(self) -> list[Compare]:
        return [tree for tree in self.when if not _of_places(tree)]


@dataclass(frozen=True)
class Claim:
    parts: tuple[str, ...]  # the facts and rules that are enough
    when: tuple[Compare, ...] = ()
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


def links(tree: Compare) -> list[tuple[Expression, str, Expression]]:
    """1 <= j <= m as 1 <= j and j <= m."""
    return [(left, sign, right) for (left, right), sign in zip(pairwise(tree.sides), tree.signs, strict=True)]


def names(tree: Any) -> list[str]:
    if isinstance(tree, Name):
        return [tree.name]
    return [name for part in tree if isinstance(part, tuple | list) for name in names(part)]


def _of_places(tree: Compare) -> bool:
    indexed = any(isinstance(side, Index) for side in tree.sides)
    return not indexed and set(tree.signs) <= {"<=", "="} and all(name in INDICES for name in names(tree.sides))


def _compared(tree: Expression) -> Compare:
    if not isinstance(tree, Compare) or len(tree.signs) != 1 or tree.signs[0] not in SIGNS:
        raise Refused(tree.place, f"expected two sides here, and one of {' '.join(SIGNS)} between them")
    return tree


def _joined(p: Parser, join: type[And | Or]) -> list[Expression]:
    tree = p.joined(join, p.comparison)
    return tree.operands if isinstance(tree, join) else [tree]


def _condition(p: Parser) -> tuple[Compare, ...]:
    if not p.take("if"):
        return ()
    comparisons = []
    for part in _joined(p, And):
        if not isinstance(part, Compare) or (len(part.signs) > 1 and not _of_places(part)):
            raise Refused(part.place, "expected a comparison here; a chain is of places, with <=")
        comparisons.append(part)
    return tuple(comparisons)


def _names(p: Parser) -> list[str]:
    names = [p.name()]
    while p.take(","):
        names.append(p.name())
    return names


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
    labels = [_label(p)]
    while p.take(","):
        labels.append(_label(p))
    return tuple(labels)


def _define(facts: Facts, p: Parser, section: str) -> None:
    place, relations = p.place, tuple(map(_compared, _joined(p, Or)))
    when, atom = _condition(p), relations[0].sides[0]
    family = atom.listed if isinstance(atom, Index) else atom
    if not isinstance(family, Name) or any(
        r.signs != ["="] or _spelled(r.sides[0]) != _spelled(atom) for r in relations
    ):
        raise Refused(place, "a definition is of one atom")
    name = _spelled(atom)
    name = (
        p.string("the definition's name") if p.take("as") else name.rstrip("]").replace("[", "").rstrip("ije") or name
    )
    facts.definitions[name] = Line(name, relations, when, text=text_of(p.tokens[:-1]), section=section)


def _spelled(atom: Expression) -> str:
    """A name, or a name with a letter or number as its subscript."""
    if isinstance(atom, Index):
        return f"{_spelled(atom.listed)}[{_spelled(atom.subscript)}]"
    return atom.name if isinstance(atom, Name) else expression(atom)


def _fact(facts: Facts, p: Parser, section: str) -> None:
    name, variable, cases = _label(p), "", ""
    start: Expression | None = None
    if p.take("by"):
        variable, _, start = p.name(), p.need("from"), p.sum()
        cases = p.name() if p.take("in") else ""
    p.need(":")
    first = p.at
    when = _condition(p)
    if p.at > first:
        p.need(":")
    goal, text = (_compared(p.comparison()),), text_of(p.tokens[first : p.at])
    facts.facts[name] = Line(name, goal, when, variable, start, cases, text, section)


def _claim(facts: Facts, p: Parser) -> None:
    name = _label(p)
    says = p.string("its words") if p.tokens[p.at].kind == "string" else ""
    when = _condition(p)
    facts.claims[name] = Claim(_parts(p), when, says)


def read(lines: list[str]) -> Facts:
    facts, section = Facts(lines), ""
    for line in lines_of("\n".join(lines))[1:]:
        p = Parser(line)
        match p.take("title", "sizes", "section", "numbers", "context", "fact", "rule", "claim", "assumed"):
            case "title":
                facts.title = p.string("the title")
            case "sizes":
                while not facts.sizes or p.take(","):
                    name, _ = p.name(), p.need(">=")
                    facts.sizes[name] = int(p.of("number", "its least value"))
            case "section":
                section = p.string("what it is about")
            case "numbers":
                facts.numbers += _names(p)
            case "context":
                facts.context += _names(p)
            case "fact":
                _fact(facts, p, section)
            case "rule":
                name = _label(p)
                facts.rules[name] = _parts(p)
            case "claim":
                _claim(facts, p)
            case "assumed":
                facts.assumed.append(p.string("what is assumed"))
            case _:
                _define(facts, p, section)
        p.alone()
    return facts
