"""A page's formulas as MathML, from the tree: what is printed is what is evaluated."""

from verifier.language.tree import (
    Across,
    And,
    Call,
    Chain,
    ClaimLine,
    Compare,
    Dots,
    Each,
    Expression,
    ForAll,
    ForEach,
    If,
    Iff,
    Index,
    ListOf,
    Name,
    Not,
    Number,
    Once,
    Or,
    Power,
    Product,
    Range,
    Sum,
    Truth,
    When,
    Within,
)
from verifier.report.markup import Html, el, joined

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "pi": "π",
}  # fmt: skip
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "*": "·", "and": "∧", "or": "∨", "iff": "⇔", "-": "−"}
_BIG = {"sum": "∑", "max": "max", "min": "min", "all": "⋀", "any": "⋁"}


def formula(tree: Expression) -> Html:
    return el("math", _of(tree))


def relation(signs: list[str], sides: list[Expression]) -> Html:
    return el("math", _chain(signs, sides))


def _row(*parts: Html) -> Html:
    return el("mrow", *parts)


def _sign(text: str) -> Html:
    return el("mo", _SIGNS.get(text, text))


def _name(name: str) -> Html:
    """t_l with a subscript, delta as a letter, l~ with a tilde, words upright."""
    head, _, low = name.partition("_")
    bare = head.rstrip("~'")
    tildes, primes = head.count("~"), head.count("'")
    letter = _GREEK.get(bare, bare)
    told = el("mi", letter, mathvariant=None if len(letter) == 1 else "normal")
    if tildes:
        told = el("mover", told, el("mo", "~"))
    if primes:
        told = el("msup", told, el("mo", "′" * primes))
    return el("msub", told, el("mi", low)) if low else told


def _brackets(inside: Html, open_: str = "(", close: str = ")") -> Html:
    return _row(el("mo", open_), inside, el("mo", close))


def _list(trees: list[Expression]) -> Html:
    parts: list[Html] = []
    for tree in trees:
        parts += [el("mo", ",")] * bool(parts) + [_of(tree)]
    return _row(*parts)


def _tight(tree: Expression) -> Html:
    """In brackets, unless it is a name, a number, an index or a call."""
    return _of(tree) if isinstance(tree, Name | Number | Index | Call | ListOf | Truth) else _brackets(_of(tree))


def _factor(tree: Expression) -> Html:
    loose = isinstance(tree, Sum | Compare | And | Or | Iff | Not | If)
    return _brackets(_of(tree)) if loose else _of(tree)


def _chain(signs: list[str], sides: list[Expression]) -> Html:
    parts = [_of(sides[0])]
    for sign, side in zip(signs, sides[1:], strict=True):
        parts += [_sign(sign), _of(side)]
    return _row(*parts)


def _reach(letter: str, tree: Expression) -> tuple[Html, Html | None]:
    """What stands below and above a big operator."""
    if isinstance(tree, Range):
        return _row(el("mi", letter), el("mo", "="), _of(tree.low)), _of(tree.high)
    return _row(el("mi", letter), el("mo", "∈"), _of(tree)), None


def _of(tree: Expression) -> Html:
    match tree:
        case Number():
            return el("mn", str(tree.value))
        case Truth():
            return el("mi", "true" if tree.value else "false")
        case Name():
            return _name(tree.name)
        case Dots():
            return el("mo", "…")
        case Index():
            return _index(tree)
        case Call():
            return _call(tree)
        case ListOf():
            return _brackets(_list(tree.items), "[", "]")
        case Each():
            return _each(tree)
        case Range():
            return _row(_of(tree.low), el("mo", "…"), _of(tree.high))
        case Sum():
            return _sum(tree)
        case Product():
            return _product(tree)
        case Power():
            return el("msup", _tight(tree.base), _of(tree.exponent))
        case Compare():
            return _chain(tree.signs, tree.sides)
        case Not():
            return _row(el("mo", "¬"), _tight(tree.operand))
        case If():
            first = el("mtr", el("mtd", _of(tree.then)), el("mtd", el("mtext", "if\u00a0"), _of(tree.condition)))
            second = el("mtr", el("mtd", _of(tree.otherwise)), el("mtd", el("mtext", "else")))
            return _row(el("mo", "{"), el("mtable", first, second))
        case And() | Or() | Iff():
            parts: list[Html] = []
            for part in tree.operands:
                loose = isinstance(part, And | Or | Iff)
                parts += [_sign(tree.kind)] * bool(parts) + [_factor(part) if loose else _of(part)]
            return _row(*parts)


def _sum(tree: Sum) -> Html:
    parts: list[Html] = []
    for sign, term in tree.terms:
        parts += [_sign("+" if sign > 0 else "-")] if parts or sign < 0 else []
        parts.append(_brackets(_of(term)) if isinstance(term, Sum | If) else _of(term))
    return _row(*parts)


def _index(tree: Index) -> Html:
    """X[j][i] with both indices below."""
    indices, base = [tree.subscript], tree.listed
    while isinstance(base, Index):
        indices.insert(0, base.subscript)
        base = base.listed
    below = _list(indices)
    if isinstance(base, Name) and "_" in base.name:
        return el("msub", _brackets(_of(base)), below)
    return el("msub", _tight(base), below)


def _call(tree: Call) -> Html:
    name, arguments = tree.name, tree.arguments
    if name == "abs":
        return _brackets(_of(arguments[0]), "|", "|")
    if name == "fact":
        return _row(_tight(arguments[0]), el("mo", "!"))
    if name == "comb":
        return _brackets(el("mfrac", _of(arguments[0]), _of(arguments[1]), linethickness="0"))
    each = arguments[0] if name in _BIG and len(arguments) == 1 else None
    if isinstance(each, Each) and each.inputs is None and each.letter is not None and each.reach is not None:
        below, above = _reach(each.letter, each.reach)
        if each.condition is not None:
            below = _row(below, el("mo", ","), _of(each.condition))
        big = el("mo", _BIG[name])
        return _row(el("munderover", big, below, above) if above else el("munder", big, below), _factor(each.body))
    return _row(_name(name), _brackets(_list(arguments)))


def _each(tree: Each) -> Html:
    where: list[Html] = []
    if tree.letter is not None and tree.reach is not None:
        below, above = _reach(tree.letter, tree.reach)
        where.append(_row(below, el("mo", "…"), above) if above else below)
    if tree.inputs is not None:
        where.append(_row(el("mtext", "over\u00a0"), _name(tree.inputs)))
    if tree.condition is not None:
        where.append(_row(el("mtext", "if\u00a0"), _of(tree.condition)))
    parts: list[Html] = [_of(tree.body), el("mo", "|")]
    for k, part in enumerate(where):
        parts += [el("mo", ",")] * bool(k) + [part]
    return _row(*parts)


def _product(tree: Product) -> Html:
    told = _factor(tree.factors[0][1])
    for k, (sign, factor) in enumerate(tree.factors[1:], 1):
        if sign == "/":
            first = _of(tree.factors[0][1]) if k == 1 else told
            told = el("mfrac", first, _of(factor))
        elif sign == "*":
            told = _row(told, el("mo", "·"), _factor(factor))
        else:
            told = _row(told, el("mo", sign), _factor(factor))
    return told


def lines(line: ClaimLine, guards: tuple[Html, ...] = ()) -> list[tuple[int, Html]]:
    """Each relation of a claim's line: its line in the page, and it with what it stands under."""
    if isinstance(line, Chain):
        under = joined(el("span", ", ", guard) for guard in guards)
        return [(line.place[0], joined([relation(line.signs, line.sides), under]))]
    more: tuple[Html, ...]
    match line:
        case ForEach():
            below, above = _reach(line.letter, line.reach)
            reach = el("math", _row(below, el("mo", "…"), above) if above else below)
            more = (joined(["for ", reach]), *_guard(line.condition))
        case ForAll():
            real = [_name(line.letter), el("mo", "∈"), el("mi", "ℝ")]
            if line.reach is not None and line.subscript is not None:
                below, above = _reach(line.subscript, line.reach)
                real[0] = el("msub", _name(line.letter), _name(line.subscript))
                real += [el("mo", ","), below, *([el("mo", "…"), above] if above else [])]
            more = (joined(["for all ", el("math", _row(*real))]), *_guard(line.condition))
        case When():
            more = _guard(line.condition)
        case Once():
            more = ()
        case Within() | Across():
            whose = "one case" if isinstance(line, Within) else "different cases"
            names = el("math", _row(_name(line.lower), el("mo", "≤"), _name(line.upper)))
            more = (joined(["for ", names, " of ", formula(line.numbers), f" in {whose}"]),)
    return [pair for inner in line.lines for pair in lines(inner, (*guards, *more))]


def _guard(condition: Expression | None) -> tuple[Html, ...]:
    return () if condition is None else (joined(["if\u00a0", formula(condition)]),)
