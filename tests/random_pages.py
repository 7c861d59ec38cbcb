"""Small pages for readings that must agree on them: `systematic()`, where every construct of the language meets, place by
place, what readings have differed on, and `page(seed)`, pages at random of the same constructs. Some refuse; then all
readings must.

A template has slots: `<n>` is a number, `<l>` a list (KINDS); `<n:i>` one of token i of a layer (SCOPES), `<n:k>` one that
may speak of the letter k. `@` is a name. In what fills a slot, # is a number of the scope that differs from case to case,
and $ a list of such numbers.
"""

import re
from functools import partial
from itertools import product
from random import Random

KINDS = {"n": "number", "t": "truth", "l": "list", "m": "rows", "r": "range", "k": "known number", "z": "tokens",
         "v": "what is read", "s": "tie", "o": "mask", "e": "else"}  # fmt: skip
SCOPES = {"": ("w[1]", "w"), "i": ("x[i][1]", "x[i]"), "j": ("x[j][1]", "x[j]"), "known": ("(n - 1)", "[n, 1]")}
BARE = "rsoe"  # these stand without brackets
SLOT = re.compile(rf"<([{''.join(KINDS)}])(?::(\w+))?>")

WORDS = "words of n letters a in {0, 1}"
HEAD = """v = [7]
l[j] = j + 5 for j in 0..1
l'[j] = j * j for j in -1..1
down[k] = 2 - k for k in [0, -1, -2]
e = []
q[j] = [j, 1 - j] for j in 0..1
q'[j] = l for j in -1..0
f(t) = t + 1
layer add(u):
  x[i] <- [x[i][1] + u, x[i][2]]
network g:
  add(1)
"""

# What fills a slot in its turn: first what is plain, then lists of none, first indices, what one case lacks, other kinds.
HOLES = {
    "n": ["2", "#", "-1/2", "v[# + 1]", "v[2]", "1/0", "max([])", "true", "[]", "[1]"],
    "t": ["true", "# = 1", "false", "v[# + 1] = 7", "any([])", "0 < v[# + 1] < true", "1", "[]", "[true]"],
    "l": ["[1, 2]", "$", "[]", "[k for k in 1..0]", "l", "l'", "down", "e", "[v[# + 1], 1]", "[k for k in 1..#]",
          "[true, false]", "[[]]", "[v[1], 1] if # = 1 else []", "2", "true", "q[0]"],
    "m": ["[[1, 2], [3, 4]]", "[]", "[[]]", "[[], []]", "[l, l]", "q", "q'", "[[1], [2, 3]]", "[[v[# + 1], 1]]",
          "[[k for k in 1..#]]", "[[true]]", "[$, $]", "[1]", "[[[1]]]", "[[1]] if # = 1 else []", "[[], [1]]"],
    "r": ["1..2", "1..0", "0..#", "-1..1", "$", "[]", "l", "[true]", "1/2..2", "v[# + 1]..2", "[v[# + 1]]", "[[1], [2]]",
          "true..2", "1..[]", "2"],
    "k": ["2", "0", "1", "-1", "1/2", "n", "10001", "len(w)", "#", "true", "[]", "v[2]"],
    "z": ["[[a, 1] for a in w]", "[]", "[[]]", "[[], []]", "q", "q'", "[[1], [2, 3]]", "[[true, 1]]", "[1, 2]", "[v + [#], $]",
          "[[v[# + 1], 1]]", "[[a, 1] for a in w if a = 1]", "[[1, [1]]]", "2", "[[#, 1]]", "[[0, v[# + 1]]]", "[l, l']"],
    "v": ["x[j][1]", "x[j]", "[]", "[x[j], x[j]]", "true", "v[x[j][1] + 1]", "l", "1/0", "x[i]", "j"],
    "s": ["", "leftmost ", "rightmost ", "average "],
    "o": ["", " over false", " over j < i", " over v[x[j][1] + 1] = 7", " over 1", " over x[j][1] = 1", " over j > 1", " over 1/0 = 1"],
    "e": ["", " else -1", " else [0]", " else [8, 9]", " else 1/0", " else v[x[i][1] + 1]", " else true", " else []", " else l"],
}  # fmt: skip

EXPRESSIONS = {
    "n": ["<n> + <n>", "<n> - <n>", "<n> * <n>", "<n> / 5", "<n> / <k>", "<n> mod 2", "<n> mod (-3/2)", "<n> div (-5/3)",
          "<n> div <k>", "-<n>", "<n>^2", "<n>^0", "<n>^<k>", "2^<k>", "|<n>|", "<n> if <t> else <n>", "<l>[1]", "<l>[0]",
          "<l>[<n>]", "<m>[1][1]", "len(<l>)", "len(<m>)", "distinct(<l>)", "distinct(<m>)", "distinct(<n>, <n>)", "f(<n>)",
          "count(<t:@> for @ in <r> if <t:@>)", "sum(<n:@> for @ in <r>)", "sum(<n:@> for @ in <r> if <t:@>)", "sum(<l>)",
          "max(<n:@> for @ in <r> if <t:@>)", "min(<l>)", "max(<n>, <n>)", "count(<t>, <t>)", "distinct(<n:@> for @ in <r>)",
          "dot(<l>, <l>)", "comb(<k>, <k>)", "fact(<k>)", "exp_below(<n> mod 7 - 3, <k>)", "log_below(<n>, 4)",
          "sqrt_below(<n>, 3)", "sqrt_below(|<n>|, 70)", "softmax_below(<l>, <l>, 4)", "g(<z>)[1][1]", "len(g(<z>))",
          "len(states(g(<z>)))", "1 if true else <l>", "1/0 if false else <n>", "sum(w) + sum(<l:@> for @ in <r>)"],
    "t": ["<n> = <n>", "<n> != <n>", "<n> < <n> <= <n>", "<n> > <n> = <n>", "<l> = <l>", "<m> != <m>", "<t> = <t>", "not <t>",
          "<t> and <t>", "<t> or <t>", "<t> iff <t>", "false and <t>", "true or <t>", "all(<t:@> for @ in <r> if <t:@>)",
          "any(<t:@> for @ in <r>)", "any(<t>, <t>)", "all([<t>])", "any([<t>, true])", "[<l>] = [<l>]", "<t> if <t> else <t>"],
    "l": ["[<n>, <n>]", "[<n:@> for @ in <r>]", "[<n:@> for @ in <r> if <t:@>]", "[<n>, ..., 2]", "[0, <n>, ..., 2]",
          "[5, 0, 1, ..., <n>]", "<l> + <l>", "<l> - <l>", "<n> * <l>", "<l> / 2", "-<l>", "<m> * <l>", "sorted(<l>)", "<m>[1]",
          "sorted(<n>, <n>)", "<l> if <t> else <l>", "[] if <t> else []", "sum(<m>)", "sum(<l>, <l>)", "<m>[0]", "[[]][<n>]",
          "sum(<l:@> for @ in <r>)", "unit(<k>, <k>)", "<m> * []", "<n> * []", "g(<z>)[1]", "states(g(<z>))[0][1]"],
    "m": ["[<l>, <l>]", "[<l:@> for @ in <r> if <t:@>]", "<m> + <m>", "<m> - <m>", "<n> * <m>", "<m> / 2", "-<m>",
          "sorted(<m>)", "sorted(<l>, <l>)", "column(<l>)", "<m> if <t> else <m>", "sum([<m>])", "sum(<m>, <m>)", "g(<z>)",
          "states(g(<z>))[1]", "states(g(<z>))[0]", "[<l>, ..., <l>]"],
}  # fmt: skip

# Declarations, and what is then looked at.
LAYER = "layer one:\n  {}\nnetwork h:\n  one\n"
DECLARED = [
    ("y = <n>", "2"),
    ("y = <l>", "y"),
    ("y(t) = 3", "y(<n>)"),
    ("y(t) = t", "y(<l>)"),
    ("y(t, u) = t if # = 0 else u", "y(<n>, <n>)"),
    ("y(t) = <n:t>", "y(1)"),
    ("y[0] = <n>\ny[k] = y[k - 1] + <n:k> for k in <r:known>", "y"),
    ("y[k] = <l:k> for k in <r:known>", "y"),
    ("y[-k] = <n:k> for k in 0..2", "y[-1]"),
    ("y[3] = 1\ny[<n>] = 2", "y"),
    ("y[k^2] = k for k in <r:known>", "y"),
    ("y[k] = <n:k> for k in [3, 2, 1]", "y"),
    (LAYER.format("u = <n:i>\n  x[i] <- x[i]"), "h(<z>)"),
    (LAYER.format("u = <l:i>\n  x[i] <- u"), "h(<z>)"),
    (LAYER.format("x[i] <- <l:i>"), "states(h(<z>))"),
    (LAYER.format("x[i] <- [i, <n:i>] if <t:i> else [5, 6]"), "h(<z>)"),
    (LAYER.format("x[i] <- x[i] + <l:i>"), "h(<z>)"),
    (LAYER.format("x[i] <- [len(x), <n:i>]"), "h(<z>)[1]"),
    (LAYER.format("u = read x[j] at max of <n:j>\n  x[i] <- [1]"), "h(<z>)"),
    (LAYER.format("x[i] <- [head(<m:known>, [[1, 0]], [[1, 0]], [[0, 1]], [0])[1]]"), "h(<z>)"),
    (LAYER.format("x[i] <- x[i] + head([[1], [2]], <m:known>, [[1, 0]], [[0, 1]], <l:known>)"), "h(<z>)"),
    (LAYER.format("x[i] <- head([[1]], [[1, 1]], <m:known>, <m:known>, [0])"), "h(<z>)"),
    ("layer one(u):\n  x[i] <- x[i]\nnetwork h:\n  one(<n:known>)\n", "h(<z>)"),
    ("layer one(u):\n  x[i] <- [u]\nnetwork h:\n  for u in <r:known>: one(u)\n", "h(<z>)"),
    ("layer one(u):\n  x[i] <- [x[i][1] + (1 if x[i][2] = u else 0), <n:i>]\nnetwork h:\n"
     "  for u in [-1, -1/2, ..., 2]: one(u)\n", "states(h(<z>))"),
    ("layer one(u):\n  r = read x[j][1] at <s>max of -x[j][1] * (x[i][1] - u) over j <= i\n"
     "  x[i] <- [x[i][1] + (r if x[i][1] = u else 0), 1]\nnetwork h:\n  for u in [0, 1, ..., 5]: one(u)\n", "h(<z>)"),
    ("network h(u):\n  add(2)\n", "h(<k>, <z>)"),
    ("network h(u):\n  add(u)\n  g\n", "states(h(<n>, <z>))"),
    ("network h:\n  for u in <r:known>: g\n", "[layers(h), heads(h), len(h(<z>))]"),
]  # fmt: skip
READS = [LAYER.format(f"r = read <v> at <s>max of <n:j><o><e>\n  x[i] <- {to}") for to in ("[r]", "r", "[i, len(x)]")]

LINES = [
    "<n> = <n>", "<n> <= <n> < <n>", "<l> = <l>", "<t> iff <t>", "<t> recognises <t>", "for k in <r>: <n:k> <= 2",
    "for k in <r> if <t:k>: k <= 2", "if <t>: <n> >= 1", "if false: <n> >= 1", "for k in 1..0: <n:k> >= 1",
    "within <l> as a, b: b > a", "within <l> as a, b: b - a >= <n>", "within <l> as a, b: b <= 5", "once: <n:known> >= 1",
    "within [1, 3] as a, b: a + <n> < b + <n> <= b + 9", "within [#] as a, b: b <= <n>", "if # = 1: within <l> as a, b: b > a",
    "within <l> as a, b:\n    for k in <r>: b > a - k", "within <l> as a, b:\n    if <t>: a <= b", "across <n> as a, b: b > a",
    "across <l> as a, b: b > a", "across w as a, b: b - a >= <n:known>", "across [k for k in 1..#] as a, b: b >= a",
    "across <l> as a, b:\n    if <t:known>: b >= a", "across # as a, b:\n    for k in <r:known>: b > a - k",
    "for all t: t <= <n>", "for all t if <n> <= t <= 3: t >= 1", "for all t if <t>: 2 * t > t", "if <t>: for all t: t = t",
    "for all t: |t - <n>| + t >= 0", "for all t if 0 <= t <= 1: (t if <t> else <n>) <= 1", "for all t: g([[t, <n>]])[1][1] > t",
    "for all c[r] for r in 1..<k>: c[1] <= <n>", "for all c[r] for r in 1..2 if all(0 <= t for t in c): c[1] + c[2] >= <n>",
]  # fmt: skip

NAMES = ["k", "x", "i", "j", "w", "m", "f", "n", "g", "add", "v", "max", "weight", "head", "states", "cases", "all", "list"]
HIDDEN = [  # declarations and what is then looked at
    ("", "sum(@ + 1 for @ in 1..2)"), ("", "[@ for @ in w if @ >= 0]"), ("", "[[@ for @ in 1..@] for @ in 1..2]"),
    ("", "count(@ = 1 for @ in w)"), ("", "sum(@ over cases)"), ("", "sum(@ for @ in 1..2 over cases if w[1] = @)"),
    ("y(@) = @ + 1", "y(2)"), ("y(@, t) = f(@) + t", "y(2, 3)"), ("y[@] = @ for @ in 0..2", "y[0]"), ("@ = 3", "@ + 1"),
    ("layer one(@):\n  x[i] <- [x[i][1], @]\nnetwork h:\n  one(2)\n", "h([[1]])"),
    ("layer one(@):\n  r = read x[j][1] + @ at max of @\n  x[i] <- [r]\nnetwork h:\n  one(2)\n", "h([[1], [2]])"),
    (LAYER.format("@ = 2\n  x[i] <- [x[i][1], @]"), "h([[1]])"),
    (LAYER.format("@ = read x[j][1] at max of 0\n  x[i] <- [x[i][1], @]"), "h([[1], [2]])"),
    (LAYER.format("x[@] <- [x[@][1], @]"), "h([[1]])"), (LAYER.format("@[i] <- [i, @[i][1]]"), "h([[1]])"),
    (LAYER.format("x[i] <- [sum(@ for @ in 1..2), 1]"), "h([[1]])"),
    (LAYER.format("x[i] <- [x[i][1] + sum(x[i][@] for @ in 1..1), 1]"), "h([[1]])"),
    (LAYER.format("r = read sum(x[j][1] + @ for @ in 1..2) at max of 0\n  x[i] <- [r]"), "h([[1], [2]])"),
    (LAYER.format("x[i] <- [sum(@[1] for @ in [[3]])]"), "h([[1]])"),
    ("layer @:\n  x[i] <- [x[i][1]]\nnetwork h:\n  @\n", "h([[1]])"), ("network @:\n  add(1)\n", "@([[1, 2]])"),
    ("network h:\n  for @ in 1..2: add(@)\n", "h([[1, 2]])"), ("network h(@):\n  add(@)\n", "h(2, [[1, 2]])"),
]  # fmt: skip
HIDDEN_LINES = ["for @ in 1..2: @ < 2", "within [1, 2] as @, b: b > @ + 1", "across w[1] as @, b: b > @",
                "for all @: @ < 2", "for all @[r] for r in 1..2: @[1] < 2", "for all c[@] for @ in 1..2: c[1] < 2",
                "for k in 1..2: sum(k for k in 3..4) = k", "for @ in 1..2: for @ in 3..4: @ < 1"]  # fmt: skip

INPUTS = [
    WORDS, "words of 0..n letters a in {0, 1}", "words of 0 letters a in {0, 1}", "words of n letters a in {}",
    "words of 1..n letters a in {j, j + 1/2} at j", "words of n truths a in {true, false}", "words of n columns a in {0, 1}^2",
    "words of 0..1 columns a in {0, 1}^0", "words of 1 columns a in {0, 1}^<k>", "multisets of 0..n letters a in {0, 1/2, ..., 1}",
    "multisets of n columns a in {0, 1}^2 by a[2] - a[1]", "sets of 0..n letters a in {2, 0, 1} by <n:a>", "words of 2 lists a in {l, [1]}",
    "sets of 3 letters a in {0, 1}", "words of 2..1 letters a in {0}", "words of <k> letters a in {0, 1}", "words of 1 letters a in {0, 0}",
    "words of n letters a in {<n:known>}", "list <m:known>", "list [[1, 0], [0]]", "list [[0], [1], [0]]", "list [l, [5, 6]]", "list [l, l']",
    "list [[true]]", "list 2", "words of 1 letters a in {[], [1]}", "words of 1 letters a in {[[]], [[1]]}", "list [[[]], [[1]], []]",
    "words of 2 letters a in {a}", "words of 2 letters a in {@, 1} at @",
]  # fmt: skip
LOOKS = [
    "w != w", "w[1] <= 0", "len(w) >= 1", "sum(w) >= 0", "w[0] = 6", "weight = 1", "across len(w) as a, b: b > a", "across w as a, b: b > a",
    "once: sum(len(w) over cases) = sum(weight over cases)", "once: max(len(w) over cases) >= 0", "once: [w over cases] = []",
    "once: len([k for k in 1..len(w) over cases if len(w) > 1]) >= 9", "once: sum(w over cases) = 0", "once: sorted(w over cases) = []",
    "once: [w over cases][1][0] = 5", "within w as a, b: b > a", "len(w) >= once_",
]  # fmt: skip
CATEGORIES = [
    "category even of cases if <t>: 4 cases, 4 inputs",
    "category even of cases if w[1] = 0: <n:known> cases, 2 inputs\ncategory odd of cases if w[1] = 1: 2 cases, <n:known> inputs",
    "category even of cases if w[1] = 0: 2 cases, 2 inputs\ncategory odd of cases if <t>: 2 cases, 2 inputs",
    "category even of cases if w[1] <= mean: 2 cases, 2 inputs\ncategory odd of cases if w[1] > mean: 2 cases, 2 inputs\n"
    "mean = sum(w[1] over cases) / 4",
    "category even of cases if len(w) = count(even over cases): 4 cases, 4 inputs",
]


def page_of(declarations, lines, inputs=WORDS, head=HEAD, guards=("w[1] = 0", "w[1] = 1")):
    text = f"language 1\nsizes n >= 1\ninputs w in cases: {inputs}\nm = len(w)\n{head}{declarations}".rstrip() + "\n"
    for name, guard in zip("ab", guards, strict=False):
        condition = f" if {guard}" if guard else ""
        text += f'claim {name}, own, "-", on cases{condition}:\n  "-"\n' + "".join(f"  {line}\n" for line in lines)
    return text


def shown(expression):
    """A line that fails, so that the certificate says what an expression is."""
    return f"({expression}) != ({expression})"


def fitted(kind, text, scope):
    number, several = SCOPES.get(scope or "", (f"({scope} - 1)", "w"))
    text = text.replace("#", number).replace("$", several)
    return text if kind in BARE else f"({text})"


def filled(template, fills):
    fills = iter(fills)
    return SLOT.sub(lambda _: next(fills), template).replace("#", "w[1]")


def crossed(template, name="k"):
    """A template with each of its slots filled in turn by all that may stand there; the others are plain."""
    slots = SLOT.findall(template.replace("@", name))
    plain = [fitted(kind, HOLES[kind][0], scope) for kind, scope in slots]
    yield filled(template.replace("@", name), plain)
    for at, (kind, scope) in enumerate(slots):
        for hole in HOLES[kind][1:]:
            fills = [*plain[:at], fitted(kind, hole, scope), *plain[at + 1 :]]
            yield filled(template.replace("@", name), fills)


def both(template, name="k"):
    """Of a pair of templates: those of one crossed, with the other one plain."""
    for one in crossed("\f".join(template), name):
        yield one.split("\f")


def systematic():
    """All pages where one construct meets one such thing. A dict, so that none is there twice."""
    found = {}
    for template in (template for of in EXPRESSIONS.values() for template in of):
        found |= {page_of("", [shown(one)]): None for one in crossed(template)}
    for template, at in product((*EXPRESSIONS["l"], *EXPRESSIONS["m"]), (-1, 0, 1)):  # where does a list begin?
        for several in ("l", "q", "l'"):
            fills = [several if k in "lmz" else fitted(k, HOLES[k][0], s) for k, s in SLOT.findall(template.replace("@", "k"))]
            one = filled(template.replace("@", "k"), fills)
            found |= {page_of("", [shown(f"({one}){index}")]): None for index in (f"[{at}]", f"[1][{at}]")}
    for declared, looked in (*DECLARED, *((read, "h(<z>)") for read in READS)):
        for declarations, one in both((declared, looked)):
            found[page_of(declarations, [shown(one)])] = None
    grid = (READS, HOLES["v"][:6], HOLES["s"], HOLES["o"], HOLES["e"], HOLES["z"][:10:2])
    for read, what, tie, mask, other, tokens in Random(1).sample(list(product(*grid)), 400):
        found[page_of(filled(read, [what, tie, "x[j][1]", mask, other]), [shown(f"h({tokens})")])] = None
    for line in LINES:
        found |= {page_of("", [one]): None for one in crossed(line)}
        found |= {page_of("", [one], guards=[fitted("t", hole, "")]): None for one in crossed(line) for hole in HOLES["t"][3:4]}
    for name in NAMES:
        for declarations, one in (each for pair in HIDDEN for each in both(pair, name)):
            found[page_of(declarations, [shown(one)])] = None
        found |= {page_of("", [line.replace("@", name)], guards=[""]): None for line in HIDDEN_LINES}
    for inputs, look in product(INPUTS, LOOKS):
        for one in crossed(inputs) if look == LOOKS[0] else [next(crossed(inputs))]:
            found[page_of("", [look], one, guards=[""])] = None
    for template in CATEGORIES:
        found |= {page_of(one, ["w[1] >= 0"], guards=[""]): None for one in crossed(template)}
        found |= {page_of(one, ["even iff w[1] = 0", "for k in 1..2 if even: k < 2"], guards=["even"]): None for one in crossed(template)}
    return list(found)


# Pages at random

LETTERS = {  # of each scope: expressions of each kind that need no brackets
    "": {"m": "n", "w[1]": "n", "w": "l", "l": "l", "l'": "l", "down": "l", "q": "m"},
    "i": {"x[i][1]": "n", "x[i][2]": "n", "i": "n", "x[i]": "l", "l": "l"},
    "j": {"x[j][1]": "n", "x[i][1]": "n", "j": "n", "x[j]": "l", "l": "l"},
    "known": {"n": "n", "l": "l", "q": "m"},
}
PLAIN = {
    "n": ["0", "1", "2", "-1", "1/2", "2^40", "(-3^41)", "7/3"], "t": ["true", "false"], "l": ["[1, 0, 2]", "[]", "[1/2, 1]"],
    "m": ["[[1, 0], [0, 1]]", "[]", "[[1/2, 2]]"], "k": ["1", "2", "3", "n"], "r": ["1..m", "1..2", "0..n"],
    "z": ["[[k, 1] for k in 1..m]", "[[a, 2^41 * a] for a in w]", "[[a, 1] for a in w if a != 1]", "q"],
    "v": ["x[j][1]", "x[j][2]", "x[j]"], "s": HOLES["s"], "o": [*HOLES["o"][:3], " over j <= i", " over x[j][1] >= x[i][1]"],
    "e": ["", " else -1", " else x[i][1]"],
}  # fmt: skip
FREE = (*HOLES["t"][4:5], "within <l> as a, b: 2 * b >= a + a", "across <n> as a, b: b - a >= 1/2", "once: sum(<n> over cases) >= 0",
        "once: count(<t> over cases if <t>) >= 1", "once: len([<n:k> for k in 1..len(w) over cases if <t:k>]) >= 1")  # fmt: skip
SPACES = (*INPUTS[:2], INPUTS[4], "multisets of 1..n letters a in {-2, 0, 1}", "sets of 1..n letters a in {0, 1, 2, 3}",
          "list [[0, 1], [1, 1, 0], [2, 0, 1]]", "words of 1..n letters a in {0, 1/2, ..., 1}")  # fmt: skip


def expression(random, holes, letters, kind, depth=2):
    """An expression of a kind, of the names and letters at hand; one in so many is what readings differ on."""
    at_hand = letters.get("", {})
    names = [name for name, of in at_hand.items() if of == kind]
    if random.random() < holes:
        return fitted(kind, random.choice(HOLES[kind]), next((s for s in SCOPES if LETTERS[s].items() <= at_hand.items()), "known"))
    if kind not in EXPRESSIONS or depth == 0 or random.random() < 0.2:
        plain = random.choice([*PLAIN[kind], *names, *names, *names])
        return plain if kind in BARE or plain in names else f"({plain})"
    letter = random.choice(["k", "k", "j", "a", "m"])
    return f"({written(random, holes, letters, random.choice(EXPRESSIONS[kind]).replace('@', letter), depth - 1)})"


def written(random, holes, letters, template, depth=2):
    """A template with its slots filled at random."""

    def fill(slot):
        kind, scope = slot.groups()
        here = {"": LETTERS[scope]} if scope in LETTERS else {"": {**letters[""], **({scope: "n"} if scope else {})}}
        return expression(random, holes, here, kind, depth)

    return SLOT.sub(fill, template).replace("#", "w[1]")


def page(seed):
    """A page at random, the same for the same seed."""
    random = Random(seed)
    letters = {"": dict(LETTERS[""])}
    write = partial(written, random, random.choice([0, 0, 0, 0.02, 0.1]), letters)
    text = ""
    for name, kind in (("p", "t"), ("b", "n"), ("L", "l"), ("M", "m")):
        text += f"{name} = {write(f'<{kind}>')}\n"
        letters[""][name] = kind
    text += write("F(t) = <n:t>\nz[0] = <n>\nz[k] = z[k - 1] + <n:k> for k in 1..m\n", 1)
    letters[""] |= {"z": "l", "F(b)": "n"}
    if random.random() < 0.5:
        declared, looked = random.choice([*DECLARED, *((read, "h(<z>)") for read in READS * 5)])
        text += write(declared, 1)
        letters[""][f"({write(looked)})"] = "m" if "h(" in looked else "n"
    lines = [write(random.choice([*LINES, *FREE, *(shown(name) for name in letters[""])])) for _ in range(random.randint(1, 3))]
    return page_of(text, lines, random.choice(SPACES), guards=[random.choice(["", write("<t>")])])
