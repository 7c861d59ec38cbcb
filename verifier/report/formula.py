"""A page's formulas as MathML, from the tree: what is printed is what is evaluated."""

from verifier.language.tree import Tree
from verifier.report.markup import Html, el, joined

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "pi": "π",
}  # fmt: skip
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "*": "·", "and": "∧", "or": "∨", "iff": "⇔", "-": "−"}
_BIG = {"sum": "∑", "max": "max", "min": "min", "all": "⋀", "any": "⋁"}


def formula(tree: Tree) -> Html:
    return el("math", _of(tree))


def relation(signs: list[str], sides: list[Tree]) -> Html:
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


def _list(trees: list[Tree]) -> Html:
    parts: list[Html] = []
    for tree in trees:
        parts += [el("mo", ",")] * bool(parts) + [_of(tree)]
    return _row(*parts)


def _tight(tree: Tree) -> Html:
    """In brackets, unless it is a name, a number, an index or a call."""
    return _of(tree) if tree[0] in ("name", "number", "index", "call", "list", "truth") else _brackets(_of(tree))


def _factor(tree: Tree) -> Html:
    loose = ("sum", "compare", "and", "or", "iff", "not", "if")
    return _brackets(_of(tree)) if tree[0] in loose else _of(tree)


def _chain(signs: list[str], sides: list[Tree]) -> Html:
    parts = [_of(sides[0])]
    for sign, side in zip(signs, sides[1:], strict=True):
        parts += [_sign(sign), _of(side)]
    return _row(*parts)


def _reach(letter: str, tree: Tree) -> tuple[Html, Html | None]:
    """What stands below and above a big operator."""
    if tree[0] == "range":
        return _row(el("mi", letter), el("mo", "="), _of(tree[2])), _of(tree[3])
    return _row(el("mi", letter), el("mo", "∈"), _of(tree)), None


def _of(tree: Tree) -> Html:
    kind = tree[0]
    if kind == "number":
        return el("mn", str(tree[2]))
    if kind == "truth":
        return el("mi", "true" if tree[2] else "false")
    if kind == "name":
        return _name(tree[2])
    if kind == "dots":
        return el("mo", "…")
    if kind == "index":
        return _index(tree)
    if kind == "call":
        return _call(tree)
    if kind == "list":
        return _brackets(_list(tree[2]), "[", "]")
    if kind == "each":
        return _each(tree)
    if kind == "sum":
        parts: list[Html] = []
        for sign, term in tree[2]:
            parts += [_sign("+" if sign > 0 else "-")] if parts or sign < 0 else []
            parts.append(_brackets(_of(term)) if term[0] in ("sum", "if") else _of(term))
        return _row(*parts)
    if kind == "product":
        return _product(tree)
    if kind == "power":
        return el("msup", _tight(tree[2]), _of(tree[3]))
    if kind == "compare":
        return _chain(tree[2], tree[3])
    if kind == "not":
        return _row(el("mo", "¬"), _tight(tree[2]))
    if kind == "if":
        first = el("mtr", el("mtd", _of(tree[3])), el("mtd", el("mtext", "if\u00a0"), _of(tree[2])))
        return _row(
            el("mo", "{"), el("mtable", first, el("mtr", el("mtd", _of(tree[4])), el("mtd", el("mtext", "else"))))
        )
    parts = []  # and, or, iff
    for part in tree[2]:
        parts += [_sign(kind)] * bool(parts) + [_factor(part) if part[0] in ("and", "or", "iff") else _of(part)]
    return _row(*parts)


def _index(tree: Tree) -> Html:
    """X[j][i] with both indices below."""
    indices, base = [tree[3]], tree[2]
    while base[0] == "index":
        indices.insert(0, base[3])
        base = base[2]
    below = _list(indices)
    if base[0] == "name" and "_" in base[2]:
        return el("msub", _brackets(_of(base)), below)
    return el("msub", _tight(base), below)


def _call(tree: Tree) -> Html:
    _, _, name, arguments = tree
    if name == "abs":
        return _brackets(_of(arguments[0]), "|", "|")
    if name == "fact":
        return _row(_tight(arguments[0]), el("mo", "!"))
    if name == "comb":
        return _brackets(el("mfrac", _of(arguments[0]), _of(arguments[1]), linethickness="0"))
    if name in _BIG and len(arguments) == 1 and arguments[0][0] == "each" and arguments[0][5] is None:
        _, _, body, letter, reach, _, condition = arguments[0]
        below, above = _reach(letter, reach)
        if condition is not None:
            below = _row(below, el("mo", ","), _of(condition))
        big = el("mo", _BIG[name])
        return _row(el("munderover", big, below, above) if above else el("munder", big, below), _factor(body))
    return _row(_name(name), _brackets(_list(arguments)))


def _each(tree: Tree) -> Html:
    _, _, body, letter, reach, inputs, condition = tree
    where: list[Html] = []
    if letter is not None:
        below, above = _reach(letter, reach)
        where.append(_row(below, el("mo", "…"), above) if above else below)
    if inputs is not None:
        where.append(_row(el("mtext", "over\u00a0"), _name(inputs)))
    if condition is not None:
        where.append(_row(el("mtext", "if\u00a0"), _of(condition)))
    parts: list[Html] = [_of(body), el("mo", "|")]
    for k, part in enumerate(where):
        parts += [el("mo", ",")] * bool(k) + [part]
    return _row(*parts)


def _product(tree: Tree) -> Html:
    told = _factor(tree[2][0][1])
    for k, (sign, factor) in enumerate(tree[2][1:], 1):
        if sign == "/":
            first = _of(tree[2][0][1]) if k == 1 else told
            told = el("mfrac", first, _of(factor))
        elif sign == "*":
            told = _row(told, el("mo", "·"), _factor(factor))
        else:
            told = _row(told, el("mo", sign), _factor(factor))
    return told


def lines(tree: Tree, guards: tuple[Html, ...] = ()) -> list[tuple[int, Html]]:
    """Each relation of a claim's line: its line in the page, and it with what it stands under."""
    kind = tree[0]
    if kind == "relation":
        under = joined(el("span", ", ", guard) for guard in guards)
        return [(tree[1][0], joined([relation(tree[2], tree[3]), under]))]
    if kind == "for":
        below, above = _reach(tree[2], tree[3])
        told = el("math", _row(below, el("mo", "…"), above) if above else below)
        more: tuple[Html, ...] = (joined(["for ", told]),)
        if tree[4] is not None:
            more += (joined(["if\u00a0", formula(tree[4])]),)
    elif kind == "all":
        real = [_name(tree[2]), el("mo", "∈"), el("mi", "ℝ")]
        if tree[4] is not None:
            below, above = _reach(tree[3], tree[4])
            real[0] = el("msub", _name(tree[2]), _name(tree[3]))
            real += [el("mo", ","), below, *([el("mo", "…"), above] if above else [])]
        more = (joined(["for all ", el("math", _row(*real))]),)
        if tree[5] is not None:
            more += (joined(["if\u00a0", formula(tree[5])]),)
    elif kind == "when":
        more = (joined(["if\u00a0", formula(tree[2])]),)
    elif kind == "once":
        more = ()
    else:
        whose = "one case" if kind == "within" else "different cases"
        names = el("math", _row(_name(tree[3]), el("mo", "≤"), _name(tree[4])))
        more = (joined(["for ", names, " of ", formula(tree[2]), f" in {whose}"]),)
    return [pair for inner in tree[-1] for pair in lines(inner, (*guards, *more))]
