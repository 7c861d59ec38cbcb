"""The layers of a program: its letters one-hot, then each operation's result in an entry of its own, a bit or a mean.

not E             no layer: 1 - E is affine
E and F           max(E + F - 1, 0), token-wise; or, <-> likewise
rightmost [M, S] V : D      S(i, j) = U(i) and R(j) and (E(i) <-> F(j)) ... The score (E F + (1 - E)(1 - F)) + ...
                  - (1 - R) is largest exactly where S holds, if it does anywhere; R, each F and what V speaks of are
                  read there, zeros if the mask leaves nothing (so R itself is read, and not 1 - R); then token-wise
                  H = U and R and (E <-> F) ..., and max(H + V - 1, 0) + max(D - H, 0)
f since g         the score is `f -> g`, and g is read at the rightmost j < i; until: at the leftmost j > i
#[j <= i] P(j)    the mean of P over j <= i: the count over i. The mean of [j is the first] is 1/i
sum >= 0          h, the sum over i, is a multiple of 1/i, and i <= n: max(n h + 1, 0) - max(n h, 0). This weight is n:
                  one network for each n (papers use layer norm instead, for all lengths)
"""

from typing import NamedTuple

from verifier.language.words import TooLarge
from verifier.rasp.read import (
    And,
    AtLeast0,
    Combination,
    Iff,
    Line,
    Not,
    Or,
    Predicate,
    Program,
    Tree,
    Truth,
    atoms,
    split,
)


class Bit(NamedTuple):
    """A truth as a number: constant + sign * entry."""

    constant: int
    sign: int
    entry: int

    def at(self, token: str) -> str:
        entry = f"{token}[{self.entry}]"
        return str(self.constant) if not self.sign else entry if self.sign > 0 else f"(1 - {entry})"

    def negated(self) -> "Bit":
        return Bit(1 - self.constant, -self.sign, self.entry)


TRUE, WIDTH = Bit(1, 0, 0), 400


def written(terms: dict[str, int]) -> str:
    """The sum of these, each so many times; 1 stands for itself."""
    told = ""
    for term, many in terms.items():
        part = str(abs(many)) if term == "1" else term if abs(many) == 1 else f"{abs(many)}*{term}"
        if many:
            told += (" - " if told else "-") + part if many < 0 else (" + " if told else "") + part
    return told or "0"


class Layers:
    """The layers so far, as lines of a page, and where each predicate and each count is found."""

    def __init__(self, program: Program) -> None:
        self.width = len(program.letters)
        self.names: list[str] = []
        self.lines: list[str] = []
        self.bits = {f"Q_{letter}": Bit(0, 1, k) for k, letter in enumerate(program.letters, 1)}
        self.counts: dict[str, Combination] = {}  # of basic counts
        self.means: dict[str, int] = {}  # the entry of a basic count over i; of "": 1/i
        for line in program.lines:
            about = f"line {line.place[0]}, {line.name}" if line.name[0].isalpha() else f"within line {line.place[0]}"
            before = len(self.lines)
            self.add_line(line)
            if self.lines[before:]:
                self.lines[before:before] = ["", f"# {about}"]

    def add(self, kind: str, *values: str, read: str = "") -> list[Bit]:
        """A layer that puts these numbers into entries of their own."""
        new = [self.width + 1 + k for k in range(len(values))]
        self.width += len(values)
        if self.width > WIDTH:
            raise TooLarge((0, 0), f"a token of the program's network would have more than {WIDTH} numbers")
        self.names.append(f"{kind}{new[0]}")
        self.lines.append(f"layer {self.names[-1]}:")
        if read:
            self.lines.append(f"  r = read {read}")
        added = " + ".join(f"{value}*unit({k}, d)" for value, k in zip(values, new, strict=True))
        self.lines.append(f"  x[i] <- x[i] + {added}")
        return [Bit(0, 1, k) for k in new]

    def add_line(self, line: Line) -> None:
        if line.kind == "where":
            self.bits[line.name] = self.bit(line.parts[0])
        elif line.kind == "count":
            self.mean(line.name, self.bit(line.parts[0]).at("x[j]"))
            self.counts[line.name] = {line.name: 1}
        elif line.kind == "sum":
            self.counts[line.name] = self.basic(line.parts[0])
            for name in self.counts[line.name]:
                self.mean_of(name)
        elif line.kind in ("since", "until"):
            f, g = line.parts
            score, value = self.bit(Or([Not(f), g])).at("x[j]"), self.bit(g).at("x[j]")
            which = "rightmost max of {} over j < i" if line.kind == "since" else "leftmost max of {} over j > i"
            (self.bits[line.name],) = self.add("read", "r", read=f"{value} at {which.format(score)}")
        else:
            self.bits[line.name] = self.attention(line)

    def bit(self, tree: Tree, read: dict[str, Bit] | None = None) -> Bit:
        """The tree at the token itself; what it says of predicates at j is as it was read, or of the token itself."""
        match tree:
            case Truth():
                return Bit(tree.value, 0, 0)
            case Predicate():
                return (self.bits if read is None or tree.position == "i" else read)[tree.name]
            case Not():
                return self.bit(tree.operand, read).negated()
            case AtLeast0():
                counts = self.basic(tree.combination)
                h = written({f"x[i][{self.mean_of(name)}]": many for name, many in counts.items()})
                return self.add("least", f"(max(n*({h}) + 1, 0) - max(n*({h}), 0))")[0]
            case And():
                return self.all([self.bit(operand, read) for operand in tree.operands])
            case Or():
                return self.any([self.bit(operand, read) for operand in tree.operands])
            case Iff():
                return self.equal(self.bit(tree.left, read), self.bit(tree.right, read))

    def all(self, bits: list[Bit]) -> Bit:
        bits = [one for one in bits if one != TRUE]
        if len(bits) < 2:
            return bits[0] if bits else TRUE
        return self.add("and", f"max({' + '.join(one.at('x[i]') for one in bits)} - {len(bits) - 1}, 0)")[0]

    def any(self, bits: list[Bit]) -> Bit:
        return self.all([one.negated() for one in bits]).negated()

    def equal(self, one: Bit, other: Bit) -> Bit:
        a, b = one.at("x[i]"), other.at("x[i]")
        return self.add("equal", f"(1 - max({a} - {b}, 0) - max({b} - {a}, 0))")[0]

    def attention(self, line: Line) -> Bit:
        mask, score, value, default = line.parts
        own, other, pairs = split(score, line.place)
        mine, theirs = self.bit(And(own)), self.bit(And(other))
        matched = [(self.bit(e), self.bit(f)) for e, f in pairs]
        spoken = sorted({name for name, letter in atoms(value) if letter == "j"})
        forwarded = [theirs, *(f for _, f in matched), *(self.bits[name] for name in spoken)]
        told = [
            f"{e.at('x[i]')}*{f.at('x[j]')} + {e.negated().at('x[i]')}*{f.negated().at('x[j]')}" for e, f in matched
        ]
        largest = " + ".join([*told, f"{theirs.at('x[j]')} - 1"])
        found, *rest = self.add(
            "read",
            *(f"r[{k}]" for k in range(1, len(forwarded) + 1)),
            read=f"[{', '.join(one.at('x[j]') for one in forwarded)}] at {line.kind} max of {largest}"
            + (f" over {mask}" if mask else ""),
        )
        agree = [self.equal(e, f) for (e, _), f in zip(matched, rest, strict=False)]
        holds = self.all([mine, found, *agree])
        v = self.bit(value, dict(zip(spoken, rest[len(matched) :], strict=True))).at("x[i]")
        h, d = holds.at("x[i]"), self.bit(default).at("x[i]")
        return self.add("choose", f"(max({h} + {v} - 1, 0) + max({d} - {h}, 0))")[0]

    def basic(self, sum_: Combination) -> Combination:
        """The sum in terms of what attention counts."""
        found: Combination = {}
        for name, many in sum_.items():
            for base, times in (self.counts[name] if name else {"": 1}).items():
                found[base] = found.get(base, 0) + many * times
        return {base: many for base, many in found.items() if many}

    def mean(self, name: str, value: str) -> None:
        self.means[name] = self.add("mean", "r", read=f"{value} at max of 0 over j <= i")[0].entry

    def mean_of(self, name: str) -> int:
        if name not in self.means:  # of the constant: 1/i, the mean of a bit that says whether j is the first
            (before,) = self.add("before", "r", read="1 at rightmost max of 0 over j < i")
            self.mean(name, before.negated().at("x[j]"))
        return self.means[name]
