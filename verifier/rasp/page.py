"""The page of a program: what each line means, said with quantifiers alone; the network of layers.py; and the claims
that the two agree at every position of every word of at most n letters."""

from verifier.language.skeleton import at_once
from verifier.language.words import CHARACTERS, TooLarge
from verifier.rasp.layers import Layers, written
from verifier.rasp.read import And, AtLeast0, Combination, Iff, Line, Not, Or, Predicate, Program, Tree, Truth, read

WIDTH = 120
REACH = {
    "j < i": ("1..i-1", "j+1..i-1", "1..j-1"),
    "j > i": ("i+1..L", "j+1..L", "i+1..j-1"),
    "": ("1..L", "j+1..L", "1..j-1"),
}


def page_of(text: str, title: str) -> str:
    """The page of the program in a text; Refused if it is none."""
    program = read(text)
    made, meaning = Layers(program), Meaning(program)
    lines = [
        "language 1",
        f'title "{title}"',
        "# Made from this program:",
        *(f"#   {line}" for line in map(str.strip, text.replace("\t", " ").split("\n")) if line),
        "# attention: leftmost or rightmost; counts: average. positions, norm: none. acceptance: the last line, at the",
        "# last position.",
        f"sizes n >= 1 ({next(n for n in (4, 3, 2, 1) if at_once(len(program.letters), n))})",
        "",
        f"# Letters: {',  '.join(f'{k} is {letter}' for k, letter in enumerate(program.letters))}",
        f"inputs w in words: words of 1..n letters a in {{{', '.join(map(str, range(len(program.letters))))}}}",
        "L = len(w)",
        "",
        "# What the program means: for each line a list, of an item for each position.",
        *(f"is_{line.name} = [{meaning.of(line)} for i in 1..L]" for line in program.lines),
        "",
        f"# The network. A token is {made.width} numbers; at first those of its letter.",
        f"d = {made.width}",
        "start = [[(1 if w[i] = k - 1 else 0) for k in 1..d] for i in 1..L]",
        *made.lines,
        "",
        *(["network layers_of_it:", *(f"  {name}" for name in made.names)] if made.names else []),
        f"Y = {'layers_of_it(start)' if made.names else 'start'}",
    ]
    for line in program.lines:
        if line.name[0].isalpha():
            lines += [
                "",
                f'claim rasp.line{line.place[0]}, own, "line {line.place[0]}", on words:',
                f'  "The network has {line.name} at every position."',
                f"  for i in 1..L: {agree(made, line)}",
            ]
    page = "".join(f"{part}\n" for line in lines for part in wrapped(line))
    if len(page) > CHARACTERS:
        raise TooLarge((0, 0), f"the program's page has {len(page):,} characters; at most {CHARACTERS:,} are read")
    return page


def agree(made: Layers, line: Line) -> str:
    if line.is_count:
        mean = written({f"Y[i][{made.means[name]}]": many for name, many in made.counts[line.name].items()})
        return f"i*({mean}) = is_{line.name}[i]"
    return f"{made.bits[line.name].at('Y[i]')} = (1 if is_{line.name}[i] else 0)"


class Meaning:
    """Expressions of a page, by the definitions of the program's operations."""

    def __init__(self, program: Program) -> None:
        self.letters = {f"Q_{letter}": k for k, letter in enumerate(program.letters)}

    def of(self, line: Line) -> str:
        """Of a line, at position i."""
        if line.kind == "where":
            return self.truth(line.parts[0])
        if line.kind == "sum":
            return self.sum(line.parts[0])
        if line.kind == "count":
            return f"count({self.truth(line.parts[0])} for j in 1..i)"
        if line.kind in ("since", "until"):
            f, g = self.truth(line.parts[0], {"i": "k"}), self.truth(line.parts[1], {"i": "j"})
            reach, between = ("1..i-1", "j+1..i-1") if line.kind == "since" else ("i+1..L", "i+1..j-1")
            return f"any(({g} and all({f} for k in {between})) for j in {reach})"
        mask, score, value, default = line.parts
        reach, right, left = REACH[mask]
        s, other = self.truth(score), self.truth(score, {"j": "k"})
        nearer = right if line.kind == "rightmost" else left
        chosen = f"any(({s} and {self.truth(value)} and not any({other} for k in {nearer})) for j in {reach})"
        return f"({chosen} or (not any({s} for j in {reach}) and {self.truth(default)}))"

    def truth(self, tree: Tree, letters: dict[str, str] | None = None) -> str:
        """With other letters for i and j."""
        match tree:
            case Truth():
                return "true" if tree.value else "false"
            case Predicate():
                name, position = tree.name, (letters or {}).get(tree.position, tree.position)
                return f"(w[{position}] = {self.letters[name]})" if name in self.letters else f"is_{name}[{position}]"
            case AtLeast0():
                return f"({self.sum(tree.combination, letters)} >= 0)"
            case Not():
                return f"(not {self.truth(tree.operand, letters)})"
            case And():
                return f"({' and '.join(self.truth(operand, letters) for operand in tree.operands)})"
            case Or():
                return f"({' or '.join(self.truth(operand, letters) for operand in tree.operands)})"
            case Iff():
                return f"({self.truth(tree.left, letters)} iff {self.truth(tree.right, letters)})"

    def sum(self, sum_: Combination, letters: dict[str, str] | None = None) -> str:
        at = (letters or {}).get("i", "i")
        return written({f"is_{name}[{at}]" if name else "1": many for name, many in sum_.items()})


def wrapped(line: str) -> list[str]:
    """The line, cut where a bracket is open."""
    if line.startswith("#"):
        return [line]
    first, *words = line.split(" ")
    lines, depth = [first], 0
    for word, before in zip(words, line.split(" "), strict=False):
        depth += sum(before.count(c) for c in "([") - sum(before.count(c) for c in ")]")
        if depth and len(lines[-1]) + len(word) > WIDTH:
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}"
    return lines
