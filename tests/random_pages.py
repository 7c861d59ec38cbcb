"""Small pages at random, for readings that must agree on them: expressions of each kind, layers with ties, masks and
families, claims with guards, neighbours and pairs. Some refuse; then all readings must."""

from hypothesis import strategies as st

from verifier.language.builtins import BUILTINS, Builtin

NUMBERS = ("0", "1", "2", "(-1)", "1/2", "3", "2^40", "(-3^41)", "7/3")
APART = ("a' > a", "a' - a >= 1/2", "2*a' >= a + a")
DIVIDED = ("mod 2", "mod (-3/2)", "div 2", "div (-5/3)", "/ 5")
SPACES = (
    "words of 0..n letters t in {0, 1}",
    "words of n letters t in {0, 1/2, ..., 1}",
    "words of 1..n letters t in {j, j + 1/2} at j",
    "multisets of 1..n letters t in {-2, 0, 1}",
    "sets of 1..n letters t in {0, 1, 2, 3}",
    "list [[0, 1], [1, 1, 0], [2, 0, 1]]",
)
FAMILIES = (
    "[0, 1/2, ..., 4]",
    "[-3, -2, ..., 3]",
    "0..3",
    "[2^41, 2^41 + 1/2, ..., 2^41 + 40]",
    "[5, -9/2, -4, ..., 4]",
)
HEAD = "head(column(unit(1, 2)), [unit(1, 2)], [unit({}, 2)], [unit(1, 2)], [1/2 - v])"
REALS = ("t", "2*t - {a}", "|t - {a}|", "max(t, {a})", "(t if {p} else {a})", "(1 - t if t <= {a} else {a})")
SIGNS = ("=", "!=", "<", "<=", ">", ">=")
FITTING = {  # arguments that are often refused, or take long, unless they fit
    "exp_below": "exp_below({number} mod 7 - 3, 4)",
    "log_below": "log_below({number} mod 7, 4)",
    "sqrt_below": "sqrt_below(|{number}|, 70)",
    "softmax_below": "softmax_below({list}, [0 - a for a in {list}], 4)",
    "dot": "dot({list}, [a + 1 for a in {list}])",
}


def folding(makes, *items):
    """The functions of lists of such items that make this."""
    return [row.name for row in BUILTINS.values() if row.folds and row.makes == makes and row.takes[0] in items]


@st.composite
def call(draw, makes, of):
    """A call of some other function that makes this; of(kind) draws an argument."""
    row: Builtin = draw(st.sampled_from([row for row in BUILTINS.values() if row.makes == makes and not row.folds]))
    if row.name in FITTING and draw(st.integers(0, 9)):
        kinds = [kind for kind in ("number", "list") if f"{{{kind}}}" in FITTING[row.name]]
        return FITTING[row.name].format(**{kind: of(kind) for kind in kinds})
    known = st.sampled_from(["n", "0", "1", "2", "2", "3", "n + 2"])
    return f"{row.name}({', '.join(draw(known) if row.is_known(k) else of(t) for k, t in enumerate(row.takes))})"


@st.composite
def expression(draw, kind, letters, depth=2):
    """An expression of a kind, of the names and letters at hand (each with its kind)."""
    names = [name for name, of in letters.items() if of == kind]
    of = lambda kind, more=None: draw(expression(kind, {**letters, **(more or {})}, depth - 1))  # noqa: E731
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        if kind == "number":
            return draw(st.sampled_from([*NUMBERS, *names, *names, *names]))
        if kind == "truth":
            return draw(st.sampled_from(["true", "false", *names, *names]))
        return draw(st.sampled_from(["[1, 0, 2]", "[]", *names, *names]))
    k = draw(st.sampled_from(["k", "j"]))
    reach = draw(st.sampled_from(["1..m", "1..m", "0..2", "1..3"]))
    if draw(st.integers(0, 5)) == 0 and any(of == "list" for of in letters.values()):
        reach = of("list")
    condition = f" if {of('truth', {k: 'number'})}" if draw(st.booleans()) else ""
    if kind == "number":
        which = draw(st.integers(0, 12))
        if which < 3:
            sign = draw(st.sampled_from("+-*"))
            return f"({of('number')} {sign} {of('number')})"
        if which == 3:
            return f"({of('number')} {draw(st.sampled_from(DIVIDED))})"
        if which == 4:
            return f"({of('number')} if {of('truth')} else {of('number')})"
        if which == 5:
            return f"{of('list')}[{draw(st.sampled_from(['1', 'm', of('number')]))}]"
        if which == 6:
            return f"|{of('number')}|" if draw(st.booleans()) else f"({of('number')})^2"
        if which == 7:
            return f"{draw(st.sampled_from(folding('number', 'any', 'number')))}({of('list')})"
        if which == 8:
            name = draw(st.sampled_from(folding("number", "truth")))
            return f"{name}({of('truth', {k: 'number'})} for {k} in {reach}{condition})"
        if which == 9:
            return draw(call("number", of))
        name = draw(st.sampled_from(folding("number", "number")))
        return f"{name}({of('number', {k: 'number'})} for {k} in {reach}{condition})"
    if kind == "truth":
        which = draw(st.integers(0, 5))
        if which < 3:
            return f"({of('number')} {draw(st.sampled_from(SIGNS))} {of('number')})"
        if which == 3:
            return f"({of('truth')} {draw(st.sampled_from(['and', 'or', 'iff']))} {of('truth')})"
        if which == 4:
            return f"({of('list')} {draw(st.sampled_from(['=', '!=']))} {of('list')})"
        name = draw(st.sampled_from(folding("truth", "truth")))
        return f"{name}({of('truth', {k: 'number'})} for {k} in {reach}{condition})"
    which = draw(st.integers(0, 6))
    if which == 0:
        return draw(call("list", of))
    if which == 2:
        return f"{draw(st.sampled_from(folding('list', 'number')))}({of('list')})"
    if which == 1:
        return f"({of('list')} if {of('truth')} else {of('list')})"
    return f"[{of('number', {k: 'number'})} for {k} in {reach}{condition}]"


@st.composite
def layer(draw):
    """A layer with one read; its weights are v and what is known."""
    here, there = (
        {"x[i][1]": "number", "x[i][2]": "number", "v": "number", "i": "number"},
        {"x[j][1]": "number", "x[j][2]": "number", "j": "number"},
    )
    of = lambda kind, letters: draw(expression(kind, letters, 1))  # noqa: E731
    score = draw(
        st.sampled_from(["0", "x[j][1]*(x[i][1] - v)", "-x[j][1]*(x[i][1] - v + 1/2)", of("number", {**here, **there})])
    )
    tie = draw(st.sampled_from(["", "leftmost ", "rightmost ", "average "]))
    mask = draw(st.sampled_from(["", " over j <= i", " over j < i", " over j != i", " over x[j][1] >= x[i][1]"]))
    other = draw(st.sampled_from(["", " else -1", " else x[i][2]"]))
    change = draw(
        st.sampled_from(
            [
                "r - x[i][1]",
                "(r - x[i][1] if x[i][1] = v else 0)",
                "(1 if x[i][1] = v else 0)",
                "2*r",
                HEAD.format(1) + " - " + HEAD.format(2),
                of("number", {**here, "r": "number"}),
            ]
        )
    )
    return f"""layer one(v):
  r = read {draw(st.sampled_from(["x[j][1]", "x[j][2]", of("number", there)]))} at {tie}max of {score}{mask}{other}
  x[i] <- x[i] + {change} * unit({draw(st.sampled_from("12"))}, 2)"""


@st.composite
def lines(draw, letters, indent="  ", depth=2):
    of = lambda kind, more=None: draw(expression(kind, {**letters, **(more or {})}))  # noqa: E731
    which = draw(st.integers(0, 6))
    if depth == 0 or which < 2:
        if draw(st.integers(0, 4)) == 0:
            return f"{indent}{of('truth')} {draw(st.sampled_from(['iff', 'recognises']))} {of('truth')}\n"
        return f"{indent}{of('number')} {draw(st.sampled_from(SIGNS))} {of('number')}\n"
    if which == 2:
        guard = f" if {of('truth', {'j': 'number'})}" if draw(st.booleans()) else ""
        reach = draw(st.sampled_from(["1..m", "1..m", "1..2", of("list"), f"[{of('number')}]"]))
        return f"{indent}for j in {reach}{guard}:\n" + draw(lines({**letters, "j": "number"}, indent + "  ", depth - 1))
    if which == 3:
        return f"{indent}if {of('truth')}:\n" + draw(lines(letters, indent + "  ", depth - 1))
    if which == 6:
        real = lambda: draw(st.sampled_from(REALS)).format(a=of("number"), p=of("truth"))  # noqa: E731
        guard = f" if {real()} {draw(st.sampled_from(SIGNS))} {of('number')}" if draw(st.booleans()) else ""
        return f"{indent}for all t{guard}: {real()} {draw(st.sampled_from(SIGNS))} {real()}\n"
    if which == 4 or depth < 2:
        return f"{indent}within {of('list')} as a, a': {draw(st.sampled_from(APART))}\n"
    collected = draw(st.sampled_from([of("number"), of("list")]))
    return f"{indent}across {collected} as a, a': {draw(st.sampled_from(APART))}\n"


@st.composite
def pages(draw):
    space = draw(st.sampled_from(SPACES))
    letters = {"m": "number", "X": "list"}
    text = f"language 1\nsizes n >= 1\ninputs X in cases: {space}\nm = len(X)\n"
    for name, kind in (("p", "truth"), ("b", "number"), ("L", "list"), ("q", "truth")):
        text += f"{name} = {draw(expression(kind, letters))}\n"
        letters[name] = kind
    text += f"f(t) = {draw(expression('number', {**letters, 't': 'number'}))}\n"
    text += f"z[0] = {draw(expression('number', letters, 1))}\n"
    step = draw(expression("number", {**letters, "z[k-1]": "number", "f(k)": "number"}, 1))
    text += f"z[k] = {step} for k in 1..m\n"
    letters |= {"z": "list", "f(m)": "number", "f(b)": "number"}
    if draw(st.booleans()):
        reach = draw(st.sampled_from(FAMILIES))
        text += draw(layer()) + f"\nnetwork g:\n  for v in {reach}:\n    one(v)\n"
        entry = draw(st.sampled_from(["X[k]", "X[k] + b", "2^41*X[k]"]))
        text += f"Y = g([[{entry}, k] for k in 1..m])\nS = states(g([[X[k], k] for k in 1..m]))\n"
        some = draw(expression("truth", {**letters, "X[k]": "number"}, 1))
        text += f"R = states(g([[X[k], k] for k in 1..m if {some}]))\nr = [t[1] for t in R[len(R)-1]]\n"
        text += "y = [Y[k][1] for k in 1..m]\nstep = len(S)\n"
        letters |= {"y": "list", "r": "list", "step": "number"}
    condition = f" if {draw(expression('truth', letters))}" if draw(st.booleans()) else ""
    text += f'claim c, own, "-", on cases{condition}:\n  "words"\n'
    for _ in range(draw(st.integers(1, 3))):
        text += draw(lines(letters))
    if draw(st.booleans()):
        value, test = draw(expression("number", letters)), draw(expression("truth", letters))
        text += f"  once: {draw(st.sampled_from(['sum', 'count', 'max', 'len']))}({value} over cases if {test}) >= 0\n"
    return text
