"""A program's text, read: its letters, and its lines in order.

    program   = "letters" LETTER { LETTER } { NAME [ "(i)" ] ":=" ( attention | expr | sum ) }   # one line each
    attention = ( "leftmost" | "rightmost" ) "j" "[" ( "j < i" | "j > i" | "1" ) "," expr "]" expr ":" expr
    expr      = or [ ( "->" | "<->" ) or ]                or = and { "or" and }            and = time { "and" time }
    time      = one [ ( "since" | "until" ) one ]
    one       = "not" one | "(" expr ")" | "0" | "1" | predicate [ "(" ( "i" | "j" ) ")" ] | sum SIGN sum
    predicate = NAME | "Q_" LETTER                        LETTER = letters and digits of ASCII, or one sign
    sum       = [ "-" ] term { ( "+" | "-" ) term }       SIGN = >= > <= < = !=            // a comment
    term      = NUM [ "*" count ] | count                 count = NAME [ "(i)" ] | "#" "[" "j <= i" "]" one

At each position i of a word a predicate is a truth, and a count a whole number. `rightmost j [M, S] V : D` is V at the
rightmost j with M and S; D if there is none. `f since g`: g at some j < i, and f at all positions strictly between;
`f until g` is its mirror. `#[j <= i] P(j)` is how many j <= i have P.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from verifier.language.words import Place, Refused, Token, TooLarge, meant

CHARACTERS, WIDTH, LINES, LETTERS, DEPTH, DIGITS = 40_000, 1_900, 200, 50, 10, 6
WORDS = ("letters", "leftmost", "rightmost", "and", "or", "not", "since", "until", "i", "j")
SIGNS = (">=", ">", "<=", "<", "=", "!=")
_LETTER = re.compile(r"[A-Za-z0-9]+|[!-~]")
_TOKEN = re.compile(
    r"(?P<space>\s+|//.*)|(?P<name>Q_(?:[A-Za-z0-9]+|[!-~])|[A-Za-z][A-Za-z0-9_]*)|(?P<number>[0-9]+)"
    r"|(?P<sign>:=|<->|->|<=|>=|!=|[#\[\](),:<>=+*-])"
)
Combination = dict[str, int]  # how often each count is taken, and 1, under the name ""


@dataclass(frozen=True)
class Truth:
    value: int  # 0 or 1


@dataclass(frozen=True)
class Predicate:
    """What holds, or not, at a position."""

    name: str
    position: str  # i or j


@dataclass(frozen=True)
class Not:
    operand: "Tree"


@dataclass(frozen=True)
class And:
    operands: "list[Tree]"


@dataclass(frozen=True)
class Or:
    operands: "list[Tree]"


@dataclass(frozen=True)
class Iff:
    left: "Tree"
    right: "Tree"


@dataclass(frozen=True)
class AtLeast0:
    combination: Combination


Tree: TypeAlias = Truth | Predicate | Not | And | Or | Iff | AtLeast0


class Line(NamedTuple):
    """What a predicate or a count is, by its kind: "where" E, "sum" combination, "count" E at j, "since" and "until"
    F, G, "leftmost" and "rightmost" M, S, V, D. What stands inside another line has a number for its name."""

    name: str
    place: Place
    kind: str
    parts: tuple[Any, ...]

    @property
    def is_count(self) -> bool:
        return self.kind in ("sum", "count")


class Program(NamedTuple):
    letters: list[str]
    lines: list[Line]


def read(text: str) -> Program:
    """Refuses what is no program, with its place and what would be right."""
    if len(text) > CHARACTERS:
        raise TooLarge((0, 0), f"the program has {len(text):,} characters; at most {CHARACTERS:,} are read")
    letters: list[str] = []
    known: dict[str, Line] = {}
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\t", " ").split("\n"), 1):
        if len(raw) > WIDTH:
            raise TooLarge((number, WIDTH), f"a line has at most {WIDTH:,} characters")
        for column, c in enumerate(raw, 1):
            if not c.isprintable():
                raise Refused((number, column), f"a character that can't be printed, {c!a}")
        if letters:
            tokens = tokens_of(raw, number)
            if len(tokens) > 1:
                _Reader(letters, known, tokens).line()
        elif (line := raw.split("//")[0]).strip():
            letters = letters_of(line, number)
        if len(known) > LINES:
            raise TooLarge((number, 1), f"a program has at most {LINES} lines, those of its operations included")
    if not known:
        raise Refused((0, 0), "the program is empty; it is `letters a b`, and lines such as `P(i) := not Q_a(i)`")
    return Program(letters, list(known.values()))


def letters_of(line: str, number: int) -> list[str]:
    first, *found = re.finditer(r"\S+", line)
    if first[0] != "letters" or not found:
        raise Refused((number, first.start() + 1), "the first line is `letters`, and all of them, as in `letters a b`")
    for k, letter in enumerate(found):
        place = (number, letter.start() + 1)
        if not _LETTER.fullmatch(letter[0]):
            raise Refused(place, f"{letter[0]!a} is no letter: letters and digits of ASCII, or one sign")
        if letter[0] in [other[0] for other in found[:k]]:
            raise Refused(place, f"{letter[0]} is there already")
        if k == LETTERS:
            raise TooLarge(place, f"at most {LETTERS} letters")
    return [letter[0] for letter in found]


def tokens_of(raw: str, number: int) -> list[Token]:
    at, found = 0, []
    while at < len(raw):
        if (match := _TOKEN.match(raw, at)) is None:
            raise Refused((number, at + 1), f"{raw[at]!a} is no sign of a program")
        if match.lastgroup == "number" and len(match[0]) > DIGITS:
            raise TooLarge((number, at + 1), f"a number has at most {DIGITS} digits")
        if match.lastgroup != "space":
            found.append(Token(str(match.lastgroup), match[0], (number, at + 1)))
        at = match.end()
    return [*found, Token("end", "the end of the line", (number, len(raw) + 1))]


class _Reader:
    """One line, from the left. `scope` has the letters that a predicate may stand at."""

    def __init__(self, letters: list[str], known: dict[str, Line], tokens: list[Token]) -> None:
        self.letters, self.known, self.tokens = letters, known, tokens
        self.at, self.depth, self.scope = 0, 0, "i"

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def refuse(self, wanted: str) -> Refused:
        return Refused(self.next.place, f"{self.next.text} stands where {wanted} is wanted")

    def taken(self, *texts: str) -> str:
        """The next token, if it is one of these, or if there are none to choose from."""
        if self.next.kind == "end" or (texts and self.next.text not in texts):
            return ""
        self.at += 1
        return self.tokens[self.at - 1].text

    def take(self, *texts: str) -> str:
        for text in texts[:-1]:
            self.take(text)
        if not self.taken(texts[-1]):
            raise self.refuse(texts[-1])
        return texts[-1]

    def line(self) -> None:
        name, place = self.next.text, self.next.place
        if self.next.kind != "name" or name in WORDS or name.startswith("Q_"):
            raise self.refuse("the name of a predicate, as in `P(i) := not Q_a(i)`,")
        if name in self.known:
            raise Refused(place, f"{name} is there already, in line {self.known[name].place[0]}")
        self.at += 1
        if self.taken("("):
            self.take("i", ")")
        self.take(":=")
        kind, parts = self.meaning()
        if self.next.kind != "end":
            raise self.refuse("the end of the line (or a bracket before)")
        self.known[name] = Line(name, place, kind, parts)

    def meaning(self) -> tuple[str, tuple[Any, ...]]:
        if tie := self.taken("leftmost", "rightmost"):
            self.take("j", "[")
            mask = self.mask()
            self.take(",")
            self.scope = "ij"
            place, score = self.next.place, self.expression()
            split(score, place)
            self.take("]")
            value = self.expression()
            self.take(":")
            self.scope = "i"
            return tie, (mask, score, value, self.expression())
        if self.numeric():
            begin, above, number = self.at, list(self.known), self.sum()
            within = [name for name in self.known if name not in above]
            if self.next.text in SIGNS:  # it begins a comparison
                self.at = begin
                for name in within:
                    del self.known[name]
            elif within and number == {within[0]: 1}:
                return "count", self.known.pop(within[0]).parts
            else:
                return "sum", (number,)
        return "where", (self.expression(),)

    def mask(self) -> str:
        if self.taken("1"):
            return ""
        self.take("j")
        if not (sign := self.taken("<", ">")):
            raise self.refuse("j < i, j > i or 1")
        self.take("i")
        return f"j {sign} i"

    def expression(self) -> Tree:
        left = self.joined("or", lambda: self.joined("and", self.time))
        if not (word := self.taken("->", "<->")):
            return left
        right = self.joined("or", lambda: self.joined("and", self.time))
        return Iff(left, right) if word == "<->" else Or([Not(left), right])

    def joined(self, word: str, read_part: Callable[[], Tree]) -> Tree:
        parts = [read_part()]
        while self.taken(word):
            parts.append(read_part())
        join = And if word == "and" else Or
        flat = [inner for part in parts for inner in (part.operands if isinstance(part, join) else [part])]
        return join(flat) if len(parts) > 1 else parts[0]

    def time(self) -> Tree:
        place, left = self.next.place, self.one()
        if not (word := self.taken("since", "until")):
            return left
        if self.scope != "i":
            raise Refused(place, f"{word} has a line of its own, and the name of that line stands here")
        return Predicate(self.anew(place, word, (left, self.one())), "i")

    def anew(self, place: Place, kind: str, parts: tuple[Any, ...]) -> str:
        """A line for what stands inside this one."""
        name = str(len(self.known) + 1)
        self.known[name] = Line(name, place, kind, parts)
        return name

    def one(self) -> Tree:
        place = self.next.place
        self.depth += 1
        if self.depth > DEPTH:
            raise TooLarge(place, f"brackets and `not` are nested at most {DEPTH} deep; give a part a line of its own")
        try:
            if self.taken("not"):
                return Not(self.one())
            if self.numeric():
                return self.comparison()
            if self.taken("("):
                inner = self.expression()
                self.take(")")
                return inner
            if self.next.text in ("0", "1"):
                return Truth(int(self.taken()))
            return Predicate(*self.predicate())
        finally:
            self.depth -= 1

    def predicate(self) -> tuple[str, str]:
        if self.next.kind != "name" or self.next.text in WORDS:
            raise self.refuse("a predicate")
        place, name = self.next.place, self.taken()
        if name.startswith("Q_"):
            if name[2:] not in self.letters:
                raise Refused(place, f"{name}: the letters are {' '.join(self.letters)}")
        elif name not in self.known:
            raise Refused(place, f"no line above says what {name} is{meant(name, list(self.known))}")
        elif self.known[name].is_count:
            raise Refused(place, f"{name} is a count; compare it with a number, as in {name}(i) >= 1")
        if self.taken("("):
            if not (letter := self.taken(*self.scope)):
                raise self.refuse(" or ".join(self.scope))
            self.take(")")
            return name, letter
        if self.scope != "i":
            raise Refused(place, f"{name} at which position? {' or '.join(f'{name}({c})' for c in self.scope)}")
        return name, "i"

    def numeric(self) -> bool:
        """Is the next thing a number, not a truth?"""
        token, after = self.next, self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if token.kind == "number":
            return token.text not in ("0", "1") or after.text in (*SIGNS, "+", "-", "*")
        return token.text in ("#", "-") or (token.text in self.known and self.known[token.text].is_count)

    def comparison(self) -> Tree:
        if self.scope != "i":
            raise Refused(self.next.place, "a comparison has a line of its own, and the name of that line stands here")
        left = self.sum()
        if not (sign := self.taken(*SIGNS)):
            raise self.refuse("a comparison of counts, such as >=,")
        right = self.sum()
        over = {name: left.get(name, 0) - right.get(name, 0) for name in (left | right)}
        under = {name: -many for name, many in over.items()}

        def above(found: Combination) -> Combination:
            return {**found, "": found.get("", 0) - 1}

        if sign in ("=", "!="):
            both = And([AtLeast0(over), AtLeast0(under)])
            return both if sign == "=" else Not(both)
        return AtLeast0({">=": over, "<=": under, ">": above(over), "<": above(under)}[sign])

    def sum(self) -> Combination:
        found: Combination = {}
        sign = -1 if self.taken("-") else 1
        while True:
            many, name = self.term()
            found[name] = found.get(name, 0) + sign * many
            if not (word := self.taken("+", "-")):
                return found
            sign = 1 if word == "+" else -1

    def term(self) -> tuple[int, str]:
        if self.next.kind != "number":
            return 1, self.count()
        many = int(self.taken())
        return many, self.count() if self.taken("*") else ""

    def count(self) -> str:
        place = self.next.place
        if self.taken("#"):
            self.take("[", "j", "<=", "i", "]")
            self.scope = "j"
            body = self.one()
            self.scope = "i"
            return self.anew(place, "count", (body,))
        name = self.taken()
        if name not in self.known or not self.known[name].is_count:
            raise Refused(place, f"{name or self.next.text} is no count, such as #[j <= i] Q_{self.letters[0]}(j)")
        if self.taken("("):
            self.take("i", ")")
        return name


def split(score: Tree, place: Place) -> tuple[list[Tree], list[Tree], list[tuple[Tree, Tree]]]:
    """S(i, j) as U(i) and S(j) and (E(i) <-> F(j)) for some E and F, as a score of attention needs it."""
    own, other, pairs = [], [], []
    for part in score.operands if isinstance(score, And) else [score]:
        if "j" not in (seen := positions(part)):
            own.append(part)
        elif "i" not in seen:
            other.append(part)
        elif isinstance(part, Iff) and (positions(part.left), positions(part.right)) == ({"i"}, {"j"}):
            pairs.append((part.left, part.right))
        elif isinstance(part, Iff) and (positions(part.left), positions(part.right)) == ({"j"}, {"i"}):
            pairs.append((part.right, part.left))
        else:
            raise Refused(place, "S(i, j) is what is said of i alone, of j alone, or E(i) <-> F(j), joined by `and`")
    return own, other, pairs


def positions(tree: Tree) -> set[str]:
    return {letter for _, letter in atoms(tree)}


def atoms(tree: Tree) -> list[tuple[str, str]]:
    """Each predicate in it, and where it stands."""
    match tree:
        case Predicate():
            return [(tree.name, tree.position)]
        case Not():
            return atoms(tree.operand)
        case And() | Or():
            return [atom for operand in tree.operands for atom in atoms(operand)]
        case Iff():
            return atoms(tree.left) + atoms(tree.right)
        case Truth() | AtLeast0():
            return []
