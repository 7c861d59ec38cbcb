"""Small pages for readings that must agree on them: `systematic()`, where every construct of the language meets, place
by place, what readings have differed on; and `page(seed)`, pages at random of the same constructs. Where one refuses,
all must.

A template has slots: `<n>` is a number, `<l>` a list (KINDS); `<n:I>` one of token i of a layer (SCOPES), `<n:k>` one
that may speak of the letter k. `@` is a name. In what fills a slot, # is a number of its scope that differs from case
to case, and $ a list of such numbers.
"""

import re
from itertools import chain, product
from random import Random

KINDS = {"n": "number", "t": "truth", "l": "list", "m": "rows", "r": "range", "k": "known number", "z": "tokens",
         "v": "what is read", "s": "tie", "o": "mask", "e": "else"}  # fmt: skip
SCOPES = {"": ("w[1]", "w"), "I": ("x[i][1]", "x[i]"), "J": ("x[j][1]", "x[j]"), "known": ("(n - 1)", "[n, 1]")}
SLOT = re.compile(rf"<([{''.join(KINDS)}])(?::(\w+))?>")

WORDS = "words of n letters a in {0, 1}"
HEAD = """m = len(w)
v = [7]
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


def table(text):
    """Items with two spaces or a line's end between them."""
    return re.split(r" {2,}|\n", text.strip())


# What fills a slot in its turn: first what is plain; lists of none, first indices, what a case lacks, other kinds.
HOLES = {
    "n": table("2  #  -1/2  v[# + 1]  v[2]  1/0  max([])  true  []  [1]"),
    "t": table("true  # = 1  false  v[# + 1] = 7  any([])  0 < v[# + 1] < true  1  []  [true]"),
    "l": table("""[1, 2]  $  []  [k for k in 1..0]  l  l'  down  e  [v[# + 1], 1]  [k for k in 1..#]  [true, false]
[[]]  [v[1], 1] if # = 1 else []  2  true  q[0]"""),
    "m": table("""[[1, 2], [3, 4]]  []  [[]]  [[], []]  [l, l]  q  q'  [[1], [2, 3]]  [[v[# + 1], 1]]  [[true]]  [$, $]
[[k for k in 1..#]]  [1]  [[[1]]]  [[1]] if # = 1 else []  [[], [1]]"""),
    "r": table("""1..2  1..0  0..#  -1..1  $  []  l  [true]  1/2..2  v[# + 1]..2  [v[# + 1]]  [[1], [2]]  true..2  1..[]
2"""),
    "k": table("2  0  1  -1  1/2  n  10001  len(w)  #  true  []  v[2]"),
    "z": table("""[[a, 1] for a in w]  []  [[]]  [[], []]  q  q'  [[1], [2, 3]]  [[true, 1]]  [1, 2]  [v + [#], $]
[l, l']  [[v[# + 1], 1]]  [[a, 1] for a in w if a = 1]  [[1, [1]]]  2  [[#, 1]]  [[0, v[# + 1]]]"""),
    "v": table("x[j][1]  x[j]  []  [x[j], x[j]]  true  v[x[j][1] + 1]  l  1/0  x[i]  j"),
    "s": ["", "leftmost ", "rightmost ", "average "],
    "o": ["", *table("""over false  over j < i  over v[x[j][1] + 1] = 7  over 1  over x[j][1] = 1  over j > 1
over 1/0 = 1""")],
    "e": ["", *table("""else -1  else [0]  else [8, 9]  else 1/0  else v[x[i][1] + 1]  else true  else []  else l""")],
}  # fmt: skip

EXPRESSIONS = {
    "n": table("""<n> + <n>  <n> - <n>  <n> * <n>  <n> / 5  <n> / <k>  <n> mod 2  <n> mod (-3/2)  <n> div (-5/3)  -<n>
<n> div <k>  <n>^2  <n>^0  <n>^<k>  2^<k>  |<n>|  <n> if <t> else <n>  1 if true else <l>  1/0 if false else <n>
<l>[1]  <l>[0]  <l>[<n>]  <m>[1][1]  len(<l>)  len(<m>)  distinct(<l>)  distinct(<m>)  distinct(<n>, <n>)
distinct(<n:@> for @ in <r>)  count(<t:@> for @ in <r> if <t:@>)  count(<t>, <t>)  sum(<n:@> for @ in <r>)  sum(<l>)
sum(<n:@> for @ in <r> if <t:@>)  max(<n:@> for @ in <r> if <t:@>)  min(<l>)  max(<n>, <n>)  dot(<l>, <l>)  f(<n>)
comb(<k>, <k>)  fact(<k>)  exp_below(<n> mod 7 - 3, <k>)  log_below(<n>, 4)  sqrt_below(<n>, 3)  sqrt_below(|<n>|, 70)
softmax_below(<l>, <l>, 4)  sum($) + len(<l>)  g(<z>)[1][1]  len(g(<z>))  len(states(g(<z>)))"""),
    "t": table("""<n> = <n>  <n> != <n>  <n> < <n> <= <n>  <n> > <n> = <n>  <l> = <l>  <m> != <m>  [<l>] = [<l>]
<t> = <t>  not <t>  <t> and <t>  <t> or <t>  <t> iff <t>  false and <t>  true or <t>  <t> if <t> else <t>
all(false, <t>)  all(<t:@> for @ in <r> if <t:@>)  any(<t:@> for @ in <r>)  any(<t>, <t>)  all([<t>])
any([<t>, true])"""),
    "l": table("""[<n>, <n>]  [<n:@> for @ in <r>]  [<n:@> for @ in <r> if <t:@>]  [<n>, ..., 2]  [0, <n>, ..., 2]
[5, 0, 1, ..., <n>]  <l> + <l>  <l> - <l>  <n> * <l>  <l> / 2  -<l>  <m> * <l>  sorted(<l>)  sorted(<n>, <n>)  <m>[1]
<m>[0]  [[]][<n>]  <l> if <t> else <l>  [] if <t> else []  sum(<m>)  sum(<l>, <l>)  sum(<l:@> for @ in <r>)
unit(<k>, <k>)  <m> * []  <n> * []  g(<z>)[1]  states(g(<z>))[0][1]"""),
    "m": table("""[<l>, <l>]  [<l:@> for @ in <r> if <t:@>]  [<l>, ..., <l>]  <m> + <m>  <m> - <m>  <n> * <m>  <m> / 2
-<m>  sorted(<m>)  sorted(<l>, <l>)  column(<l>)  <m> if <t> else <m>  sum([<m>])  sum(<m>, <m>)  g(<z>)
states(g(<z>))[1]  states(g(<z>))[0]"""),
}  # fmt: skip

LAYER = "layer one:\n  {}\nnetwork h:\n  one\n"
FAMILY = "layer one(u):\n  {}\nnetwork h:\n  for u in {}: one(u)\n"
DECLARED = [  # declarations, and what is then looked at
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
    (LAYER.format("u = <n:I>\n  x[i] <- x[i]"), "h(<z>)"),
    (LAYER.format("u = <l:I>\n  x[i] <- u"), "h(<z>)"),
    (LAYER.format("x[i] <- <l:I>"), "states(h(<z>))"),
    (LAYER.format("x[i] <- [i, <n:I>] if <t:I> else [5, 6]"), "h(<z>)"),
    (LAYER.format("x[i] <- x[i] + <l:I>"), "h(<z>)"),
    (LAYER.format("x[i] <- [len(x), <n:I>]"), "h(<z>)[1]"),
    (LAYER.format("x[i] <- [sum(x[k][1] for k in 1..len(x))]"), "h(<z>)"),
    (LAYER.format("u = read x[j] at max of <n:J>\n  x[i] <- [1]"), "h(<z>)"),
    (LAYER.format("x[i] <- [head(<m:known>, [[1, 0]], [[1, 0]], [[0, 1]], [0])[1]]"), "h(<z>)"),
    (LAYER.format("x[i] <- x[i] + head([[1], [2]], <m:known>, [[1, 0]], [[0, 1]], <l:known>)"), "h(<z>)"),
    (LAYER.format("x[i] <- head([[1]], [[1, 1]], <m:known>, <m:known>, [0])"), "h(<z>)"),
    (FAMILY.format("x[i] <- x[i]", "[<n:known>]"), "h(<z>)"),
    (FAMILY.format("x[i] <- [u]", "<r:known>"), "h(<z>)"),
    (FAMILY.format("x[i] <- [x[i][1] + (1 if x[i][2] = u else 0), <n:I>]", "[-1, -1/2, ..., 2]"), "states(h(<z>))"),
    (FAMILY.format("r = read x[j][1] at <s>max of -x[j][1] * (x[i][1] - u) over j <= i\n"
                   "  x[i] <- [x[i][1] + (r if x[i][1] = u else 0), 1]", "[0, 1, ..., 5]"), "h(<z>)"),
    ("network h(u):\n  add(2)\n", "h(<k>, <z>)"),
    ("network h(u):\n  add(u)\n  g\n", "states(h(<n>, <z>))"),
    ("network h:\n  for u in <r:known>: g\n", "[layers(h), heads(h), len(h(<z>))]"),
]  # fmt: skip
READS = [LAYER.format(f"r = read <v> at <s>max of <n:J> <o> <e>\n  x[i] <- {to}") for to in ("[r]", "r", "[i, len(x)]")]
FORMS = [
    "r = read {} at max of 0",
    "r = read x[j][1] at max of {}",
    "r = read x[j][1] at max of 0 over {} = 1",
    "r = {}",
]

LINES = [*table("""<n> = <n>  <n> <= <n> < <n>  <l> = <l>  <t> iff <t>  <t> recognises <t>  for k in <r>: <n:k> <= 2
for k in <r> if <t:k>: k <= 2  if <t>: <n> >= 1  if false: <n> >= 1  for k in 1..0: <n:k> >= 1  once: <n:known> >= 1
within <l> as a, b: b > a  within <l> as a, b: b - a >= <n>  within <l> as a, b: b <= 5  within [#] as a, b: b <= <n>
within [1, 3] as a, b: a + <n> < b + <n> <= b + 9  if # = 1: within <l> as a, b: b > a  across <n> as a, b: b > a
across <l> as a, b: b > a  across w as a, b: b - a >= <n:known>  across [k for k in 1..#] as a, b: b >= a
for all t: t <= <n>  for all t if <n> <= t <= 3: t >= 1  for all t if <t>: 2 * t > t  if <t>: for all t: t = t
for all t: |t - <n>| + t >= 0  for all t if 0 <= t <= 1: (t if <t> else <n>) <= 1  for all t: g([[t, <n>]])[1][1] > t
for all c[r] for r in 1..<k>: c[1] <= <n>  for all c[r] for r in 1..2 if all(0 <= t for t in c): c[1] + c[2] >= <n>"""),
    "within <l> as a, b:\n    for k in <r>: b > a - k", "within <l> as a, b:\n    if <t>: a <= b",
    "across <l> as a, b:\n    if <t:known>: b >= a", "across # as a, b:\n    for k in <r:known>: b > a - k",
]  # fmt: skip

NAMES = table("k  x  i  j  w  m  f  n  g  add  v  max  weight  head  states  cases  all  list")
HIDDEN = [  # declarations and what is then looked at
    *(("", one) for one in table("""sum(@ + 1 for @ in 1..2)  [@ for @ in w if @ >= 0]
[[@ for @ in 1..@] for @ in 1..2]  count(@ = 1 for @ in w)  sum(@ over cases)
sum(@ for @ in 1..2 over cases if w[1] = @)""")),
    ("y(@) = @ + 1", "y(2)"), ("y(@, t) = f(@) + t", "y(2, 3)"), ("y[@] = @ for @ in 0..2", "y[0]"), ("@ = 3", "@ + 1"),
    ("layer one(@):\n  x[i] <- [x[i][1], @]\nnetwork h:\n  one(2)\n", "h([[1]])"),
    ("layer one(@):\n  r = read x[j][1] + @ at max of @\n  x[i] <- [r]\nnetwork h:\n  one(2)\n", "h([[1], [2]])"),
    *((LAYER.format(one), "h([[1], [2]])") for one in (
        "@ = 2\n  x[i] <- [x[i][1], @]", "@ = read x[j][1] at max of 0\n  x[i] <- [x[i][1], @]",
        "x[@] <- [x[@][1], @]", "@[i] <- [i, @[i][1]]", "x[i] <- [sum(@ for @ in 1..2), 1]",
        "x[i] <- [x[i][1] + sum(x[i][@] for @ in 1..1), 1]", "x[i] <- [sum(@[1] for @ in [[3]])]",
        "r = read sum(x[j][1] + @ for @ in 1..2) at max of 0\n  x[i] <- [r]")),
    ("layer @:\n  x[i] <- [x[i][1]]\nnetwork h:\n  @\n", "h([[1]])"), ("network @:\n  add(1)\n", "@([[1, 2]])"),
    ("network h:\n  for @ in 1..2: add(@)\n", "h([[1, 2]])"), ("network h(@):\n  add(@)\n", "h(2, [[1, 2]])"),
]  # fmt: skip
HIDDEN_LINES = table("""for @ in 1..2: @ < 2  within [1, 2] as @, b: b > @ + 1  across w[1] as @, b: b > @
for all @: @ < 2  for all @[r] for r in 1..2: @[1] < 2  for all c[@] for @ in 1..2: c[1] < 2
for @ in 1..2: for @ in 3..4: @ < 1""")

INPUTS = [WORDS, *table("""words of 0..n letters a in {0, 1}  words of 0 letters a in {0, 1}  words of n letters a in {}
words of 1..n letters a in {j, j + 1/2} at j  words of n truths a in {true, false}  words of n columns a in {0, 1}^2
words of 0..1 columns a in {0, 1}^0  words of 1 columns a in {0, 1}^<k>  words of 1 letters a in {0, 0}
multisets of 0..n letters a in {0, 1/2, ..., 1}  multisets of n columns a in {0, 1}^2 by a[2] - a[1]
sets of 0..n letters a in {2, 0, 1} by <n:a>  words of 2 lists a in {l, [1]}  sets of 3 letters a in {0, 1}
words of 2..1 letters a in {0}  words of <k> letters a in {0, 1}  words of n letters a in {<n:known>}  list <m:known>
list [[1, 0], [0]]  list [[0], [1], [0]]  list [l, [5, 6]]  list [l, l']  list [[true]]  list 2  list [[[]], [[1]], []]
words of 1 letters a in {[], [1]}  words of 1 letters a in {[[]], [[1]]}  words of 2 letters a in {a}
words of 2 letters a in {@, 1} at @""")]  # fmt: skip
LOOKS = table("""w != w  w[1] <= 0  len(w) >= 1  sum(w) >= 0  w[0] = 6  weight = 1  across len(w) as a, b: b > a
across w as a, b: b > a  once: sum(len(w) over cases) = sum(weight over cases)  once: max(len(w) over cases) >= 0
once: [w over cases] = []  once: len([k for k in 1..len(w) over cases if len(w) > 1]) >= 9  once: sum(w over cases) = 0
once: sorted(w over cases) = []  once: [w over cases][1][0] = 5  within w as a, b: b > a""")
CATEGORIES = [
    "category even of cases if <t>: 4 cases, 4 inputs",
    "category even of cases if w[1] = 0: <n:known> cases, 2 inputs\n"
    "category odd of cases if w[1] = 1: 2 cases, <n:known> inputs",
    "category even of cases if w[1] = 0: 2 cases, 2 inputs\ncategory odd of cases if <t>: 2 cases, 2 inputs",
    "category even of cases if w[1] <= mean: 2 cases, 2 inputs\n"
    "category odd of cases if w[1] > mean: 2 cases, 2 inputs\nmean = sum(w[1] over cases) / 4",
    "category even of cases if len(w) = count(even over cases): 4 cases, 4 inputs",
]
CLAIM = 'claim {}, own, "-", {}:\n  "-"{}\n'
TEXTS = [  # all that stands below the definitions
    CLAIM.format("a", "once", "\n  <n:known> >= 1"),
    CLAIM.format("a", "once", "\n  once: <n:known> >= 1"),
    CLAIM.format("a", "once", "\n  for k in <r:known>: within <l:known> as a, b: a <= b"),
    CLAIM.format("a", "on cases if <t>", '\n  skipped if <t:known> "why"\n  <n> >= 1'),
    CLAIM.format("a", "on cases", '\n  skipped if <t:known> "why"'),
    CLAIM.format("a", "on cases if false", "\n  <n> >= 1") + CLAIM.format("b", "on cases", "\n  1 = 1"),
    'y = <n:known> as "c"\n' + CLAIM.format("a", "once", "\n  2 = 2"),
    *(CLAIM.format("a", "on cases", f"\n  {line}") for line in ("w[1]<-1", "-1<w[1]", "w[1]", "1 = 1\n```")),
]


def page_of(declarations, lines, inputs=WORDS, guards=("w[1] = 0", "w[1] = 1")):
    """A page with a claim for each guard, so that what one case lacks doesn't hide what others say."""
    text = f"language 1\nsizes n >= 1\ninputs w in cases: {inputs}\n{HEAD}{declarations}".rstrip() + "\n"
    of = "".join(f"\n  {line}" for line in lines)
    return text + "".join(
        CLAIM.format(name, f"on cases if {guard}", of) for name, guard in zip("ab", guards, strict=False)
    )


def shown(expression):
    """A line that fails, so that the certificate says what an expression is."""
    return f"({expression}) != ({expression})"


def placed(text, scope):
    number, several = SCOPES.get(scope, (f"({scope} - 1)", "w"))
    return text.replace("#", number).replace("$", several)


def fitted(kind, text, scope):
    return placed(text if kind in "rsoe" else f"({text})", scope)


def filled(template, fill):
    """A template with fill(kind, scope) in each slot, in order."""
    return placed(SLOT.sub(lambda slot: fill(*slot.groups(default="")), template), "")


def plainly(template, **instead):
    return filled(template, lambda kind, scope: fitted(kind, instead.get(kind, HOLES[kind][0]), scope))


def crossed(template, name="k"):
    """A template with each of its slots filled in turn by all that may stand there; the others are plain."""
    template = template.replace("@", name)
    yield plainly(template)
    for slot in SLOT.finditer(template):
        for hole in HOLES[slot[1]][1:]:
            one = template[: slot.start()] + fitted(slot[1], hole, slot[2] or "") + template[slot.end() :]
            yield plainly(one)


# All pages where one construct meets one such thing
def expressions():
    for template in chain(*EXPRESSIONS.values()):
        yield from (page_of("", [shown(one)]) for one in crossed(template))


def first_indices():
    """Where does a list that is made begin, and its items?"""
    for template, several in product((*EXPRESSIONS["l"], *EXPRESSIONS["m"]), ("l", "q", "l'")):
        one = plainly(template.replace("@", "k"), l=several, m=several, z=several)
        yield from (page_of("", [shown(f"({one}){at}")]) for at in table("[-1]  [0]  [1]  [1][-1]  [1][0]  [1][1]"))


def declared():
    for template in (*DECLARED, *((read, "h(<z>)") for read in READS)):
        for one in crossed("\f".join(template)):
            declarations, looked = one.split("\f")
            yield page_of(declarations, [shown(looked)])


def reads():
    """Some of all combinations of what a read has."""
    grid = product(READS, HOLES["v"][:6], HOLES["s"], HOLES["o"], HOLES["e"], HOLES["z"][:10:2])
    for read, v, s, o, e, z in Random(1).sample(list(grid), 400):
        yield page_of(plainly(read, v=v, s=s, o=o, e=e, n="#"), [shown(plainly("h(<z>)", z=z))])


def forms():
    """Each expression as what a layer's form follows from."""
    of = {"n": "#", "l": "$", "t": "# = 1", "r": "$", "m": "[$]"}
    for template, form, scope in product((*EXPRESSIONS["n"], *EXPRESSIONS["l"]), FORMS, "IJ"):
        if "g(" not in template:
            one = SLOT.sub(lambda slot: fitted(slot[1], of.get(slot[1], "2"), scope), template)  # noqa: B023
            one = placed(one.replace("@", "k"), scope)
            layer = LAYER.format(form.format(one) + "\n  x[i] <- [x[i][1] + r]")
            yield page_of(layer, ["1 = 1"])


def lines():
    for one in chain(*map(crossed, LINES)):
        yield page_of("", [one])
        yield page_of("", [one], guards=["v[w[1] + 1] = 7"])
    for one in chain(*map(crossed, TEXTS)):
        yield page_of(one, [], guards=[])
    yield "```page\n" + page_of("", ["1 = 1"])


def names():
    for name, (declarations, looked) in product(NAMES, HIDDEN):
        yield page_of(declarations.replace("@", name), [shown(looked.replace("@", name))])
    for name, line in product(NAMES, HIDDEN_LINES):
        yield page_of("", [line.replace("@", name)])


def inputs():
    for one in chain(*map(crossed, INPUTS)):
        yield page_of("", [LOOKS[0]], one, ["true"])
    for one, look in product(INPUTS, LOOKS):
        yield page_of("", [look], plainly(one.replace("@", "k")), ["true"])
    for one in chain(*map(crossed, CATEGORIES)):
        yield page_of(one, ["w[1] >= 0"])
        yield page_of(one, ["even iff w[1] = 0", "for k in 1..2 if even: k < 2"], guards=["even"])


def systematic():
    every = (expressions, first_indices, declared, reads, forms, lines, names, inputs)
    return list(dict.fromkeys(text for part in every for text in part()))


# Pages at random
LETTERS = {  # of each scope: what needs no brackets there, and its kind
    "": {"m": "n", "w[1]": "n", "w": "l", "l": "l", "l'": "l", "down": "l", "q": "m"},
    "I": {"x[i][1]": "n", "x[i][2]": "n", "i": "n", "x[i]": "l", "l": "l"},
    "J": {"x[j][1]": "n", "x[i][1]": "n", "j": "n", "x[j]": "l", "l": "l"},
    "known": {"n": "n", "l": "l", "q": "m"},
}
PLAIN = HOLES | {
    "n": table("0  1  2  -1  1/2  2^40  (-3)^41  7/3"),
    "t": table("true  false"),
    "l": table("[1, 0, 2]  []  [1/2, 1]"),
    "m": table("[[1, 0], [0, 1]]  []  [[1/2, 2]]"),
    "k": table("1  2  3  n"),
    "r": table("1..n  1..2  0..n  1..len($)"),
    "z": table("[[k, 1] for k in 1..n]  [[k, 2^41 * k] for k in $]  [[k, 1] for k in $ if k != 1]  q"),
    "v": table("x[j][1]  x[j][2]  x[j]"),
    "o": ["", *table("over j <= i  over j < i  over x[j][1] >= x[i][1]")],
    "e": ["", *table("else -1  else x[i][1]")],
}
RISKY = re.compile(r"\[[01<]|<[lm]> [-+*] <[lm]>|max|min|log|softmax|dot|/ <k>|div <k>|unit|\.\.\., ")  # often refused
FREE = [*LINES, *table("""within <l> as a, b: 2 * b >= a + a  across <n> as a, b: b - a >= 1/2
once: sum(<n> over cases) >= 0  once: count(<t> over cases if <t>) >= 1
once: len([<n:k> for k in 1..len(w) over cases if <t:k>]) >= 1""")]  # fmt: skip
SPACES = (
    *INPUTS[:2],
    *table("""words of 1..n letters a in {j, j + 1/2} at j  multisets of 1..n letters a in {-2, 0, 1}
sets of 1..n letters a in {0, 1, 2, 3}  list [[0, 1], [1, 1, 0], [2, 0, 1]]
words of 1..n letters a in {0, 1/2, ..., 1}"""),
)


class Writer:
    """Fills templates at random; one slot in so many with what readings have differed on."""

    def __init__(self, random, holes):
        self.random, self.holes, self.letters = random, holes, dict(LETTERS[""])

    def expression(self, kind, scope, letters, depth):
        names = [name for name, of in letters.items() if of == kind]
        if self.random.random() < self.holes:
            return fitted(kind, self.random.choice(HOLES[kind]), scope)
        if kind not in EXPRESSIONS or depth == 0 or self.random.random() < 0.2:
            plain = self.random.choice([*PLAIN[kind], *names, *names, *names])
            return plain if plain in names else fitted(kind, plain, scope)
        template = self.random.choice(EXPRESSIONS[kind])
        if (RISKY.search(template) and self.random.random() < 0.7) or (scope in ("I", "J") and "g(" in template):
            return self.expression(kind, scope, letters, depth)
        letter = self.random.choice(["k", "k", "j", "a", "m"])
        return f"({self.written(template.replace('@', letter), scope, letters, depth - 1)})"

    def written(self, template, scope="", letters=None, depth=2):
        """A template of this scope; its slots may speak of letters besides."""
        letters = self.letters if letters is None else letters

        def fill(slot):
            kind, inner = slot.groups(default="")
            if inner in SCOPES and inner:
                return self.expression(kind, inner, LETTERS[inner], depth)
            return self.expression(kind, scope, {**letters, inner: "n"} if inner else letters, depth)

        return placed(SLOT.sub(fill, template), scope)


def page(seed):
    """A page at random, the same for the same seed."""
    random = Random(seed)
    writer = Writer(random, random.choice([0, 0, 0, 0.02, 0.1]))
    write, letters, text = writer.written, writer.letters, ""
    for name, kind in (("p", "t"), ("b", "n"), ("L", "l"), ("M", "m")):
        text += f"{name} = {write(f'<{kind}>')}\n"
        letters[name] = kind
    text += write("F(t) = <n:t>\nz[0] = <n>\nz[k] = z[k - 1] + <n:k> for k in 1..m\n", depth=1)
    letters |= {"z": "l", "F(b)": "n"}
    if random.random() < 0.5:
        declarations, looked = random.choice([*DECLARED, *((read, "h(<z>)") for read in READS * 5)])
        text += write(declarations, depth=1)
        letters[f"({write(looked)})"] = "m" if looked == "h(<z>)" else ""
    some = [write(random.choice([*FREE, *map(shown, letters)])) for _ in range(random.randint(1, 3))]
    return page_of(text, some, random.choice(SPACES), [random.choice(["true", write("<t>")])])
