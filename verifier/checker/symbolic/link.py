"""SYMBOLIC 5: the comparisons that running FORMAT 3's and 11's layers on families of ids needs, and facts for them.

The network is data, and so is the state before a level L: the ids t_1..t_j (shifted) and k_{j+1}..k_m (waiting), where
k_{j+1} >= L, and idle ones if there are sentinels. To run a layer on it comparisons must be known. Each of them must be
a fact of the rule, which holds in the whole range; and what comes out must be the state with j+1 if L = k_{j+1}, and
the same state, with k_{j+1} >= L+1, if not. With positions (Appendix C) lt and l are in the place of t and k, n in that
of m, and in one context a layer more shifts column 1 again. Of a quantiser a layer is run on a piece of the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product as every
from typing import NamedTuple, NoReturn

from ..core.comparing import Rejected
from ..core.ring import Monomial, Poly, add, number, product
from .facts import FACTS, FIXED, Fact, Facts
from .polynomial import Bound, bounds, follows, formula, index, instance, pinned, places, text
from .polynomial import replace as put

Head = tuple[str, str]  # twice its threshold, and what its value is multiplied with
Reads = list[tuple[str, str]]  # what is added: multiples of M, the largest of all ids, and of Q, the smallest


@dataclass(frozen=True)
class Network:
    """FORMAT 3, in units of delta; `score` is that of a column of id I for one whose id is D/2 above the threshold."""

    u: str = "p[e-1]"
    entry: str = "w[e]"  # in row e
    sentinel: str = "-N*P[n]"
    score: str = "I*D"
    first: str = "0"  # of the levels; with positions, of block j
    last: str = "B - 1"
    layer: tuple[Head, ...] = (("2*L - 1", "B"), ("2*L + 1", "-B"))
    shift: tuple[Head, ...] = (("0", "P[n+1]"),)
    t_l: str = "P[n]*P[n]*(B - 1)"
    t_r: str = "P[n]*P[n+1]*(B - 1)"
    bound: str = ""  # with positions: l~_n is below it, and an interval is as long and begins at M times it


class Family(NamedTuple):
    id: str
    range: str  # of its i
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """What is said of the state with j = {now} shifted ids, j+1 = {next}; idle ids are those I of which `idle` is 0."""

    size: str
    shifted: str
    highest: str
    lowest: str  # of all; y, of the idle ones, is the least by choice
    idle: str = ""
    counted: bool = False  # claims speak of the j-th shift: so it must be one
    waiting: str = "k"
    count: str = "m"

    def families(self, now: str, after: str) -> list[Family]:
        """The ids that there are."""
        shifted = Family(f"{self.shifted}[i]", f"1<=i<={now}, ")
        waiting = Family(f"{self.waiting}[i]", f"{after}<=i<={self.count}, ")
        idle = [Family("I", "", (self.idle,))] if self.idle else []
        return [shifted] * (now != "0") + [waiting] * (now != self.count) + idle


PAPER = Network()
PLAIN = State("2<=m<=n", "t", "t[{now}]", "k[{next}]", "", True)
SENTINEL = State("1<=m<=n", "r", "r[{now}]", "y", "B - N - N*P[n] - o - I")
POSITIONAL = Network(
    entry="J*N + w[e]",
    first="j*E - E",
    last="j*E - E + B - 1",
    shift=(("0", "n*N*P[n+1]"),),
    bound="n*N*P[n+1]",
)
POSITIONS = State("", "lt", "lt[{now}]", "l[{next}]", "", True, "l", "n")


@dataclass(frozen=True)
class Again:
    """Where column 1 comes above the last level if `gap` <= 0; the one context where it doesn't, and the id it gets."""

    where: str = "1<=d<=1, 2<=n<=2"
    unless: tuple[str, ...] = ("3<=n", "2<=d")
    gap: str = "b[1] - b[2] - N + 2"
    context: tuple[str, ...] = ("b[1] - B + 1", "-b[2]")  # never above 0, and there 0
    id: str = "la"


AGAIN = Again()


@dataclass(frozen=True)
class Quantiser:
    """App. C.1, in units of delta: the layer of level L makes x + phi(x - L) of each entry x of its row."""

    first: str = "0"  # of the levels
    last: str = "n*N - 1"
    breaks: tuple[str, str] = ("0", "1")  # phi's; a break belongs to the piece on its right, unless it is left-owned
    left_owned: tuple[str, ...] = ()
    phi: tuple[str, str, str] = ("0", "-t", "0")  # before, between and after the breaks
    layers: str = "d*n*N"


QUANTISER = Quantiser()


def shape(p: Poly) -> object:
    """The part of a polynomial that no choice of indices changes; only facts of the goal's shape are tried."""
    return _shape(frozenset(p.items()))


@lru_cache(maxsize=4096)
def _shape(p: frozenset[tuple[Monomial, int]]) -> object:
    kept = ((c, sorted((x.partition("[")[0], e) for x, e in monomial)) for monomial, c in p)
    return sorted(pair for pair in kept if any(x not in "ijmnedf" for x, _ in pair[1]))


def covers(fact: Fact, goal: Poly, where: tuple[Bound, ...], given: list[Poly], always: tuple[Bound, ...]) -> bool:
    """Whether the fact, at some choice of indices, is this goal, on the whole range, under these conditions alone."""
    letters, same = [x for x in fact.indices if x not in FIXED], pinned(where)
    if same:
        goal, given, where = instance(goal, same), [instance(p, same) for p in given], places(where, same)
    inside = {x.partition("[")[2][:-1] or x for p in (goal, *given) for m in p for x, _ in m if "[" in x or x in "ij"}
    near = set(map(index, inside))
    there = places(always, same)
    for place in every(sorted(near), repeat=len(letters)):
        at = same | dict(zip(letters, place, strict=True))
        if instance(fact.goal, at) != goal:
            continue
        known = [add(instance(e.atom, at), instance(e.by, at), -1) for e in fact.given]
        holds = all(follows(bound, (*there, *where)) for bound in places(fact.range, at))
        if holds and all(p in given or product(number(-1), p) in given for p in known):
            return True
    return False


parsed = cache(formula)


def polynomial(words: str | Poly) -> Poly:
    return parsed(words) if isinstance(words, str) else words


class Rule:
    """The facts of a rule; `met` collects those that were the only one to give what was needed."""

    def __init__(self, name: str, facts: Iterable[Fact], text: Facts = FACTS):
        self.name, self.facts, self.met = name, [(fact, fact.equal, shape(fact.goal)) for fact in facts], set[str]()
        self.text = text

    def second(self, words: str) -> Poly:
        """The same polynomial for a second context."""
        return instance(formula(words), {}, self.text.context)

    def says(self, goal: str | Poly, where: str = "", given: Iterable[str | Poly] = (), equal: bool = False) -> bool:
        wanted, known = polynomial(goal), list(map(polynomial, given))
        kind = (equal, shape(wanted))
        alike = [fact for fact, *its in self.facts if (*its,) == kind]
        found = {
            fact.name for fact in alike if covers(fact, wanted, bounds(where.strip(", ")), known, self.text.instance)
        }
        self.met |= found if len(found) == 1 else set()
        return bool(found)

    def need(
        self, what: str, goal: str | Poly, where: str = "", given: Iterable[str | Poly] = (), equal: bool = False
    ) -> None:
        if not self.says(goal, where, given, equal):
            self.refuse(what, f"{text(polynomial(goal))} {'=' if equal else '>='} 0", where, given)

    def defined(self, what: str, found: Poly, wanted: str) -> None:
        if found != formula(wanted):
            raise Rejected("SYMBOLIC 5", f"rule {self.name}", f"{what} = {text(formula(wanted))}", text(found))

    def refuse(self, what: str, missing: str, where: str = "", given: Iterable[str | Poly] = ()) -> NoReturn:
        there = ", ".join([*filter(None, [where.strip(", ")]), *(f"0 = {text(polynomial(p))}" for p in given)])
        found = f"no fact that says {missing}{' for ' if there else ''}{there}"
        raise Rejected("SYMBOLIC 5", f"rule {self.name}", what, found)

    def reads(self, heads: tuple[Head, ...], id_: str, where: str, given: Iterable[str]) -> Reads:
        """What heads add to a column of this id: M above their threshold, Q below (rule heads)."""
        out = []
        for threshold, factor in heads:
            distance = formula(f"2*({id_}) - ({threshold})")
            if all(c % 2 == 0 for c in distance.values()):  # twice a whole number
                distance = {monomial: c // 2 for monomial, c in distance.items()}
            above = self.says(add(distance, number(-1)), where, given)
            if not above and not self.says(product(number(-1), add(distance, number(1))), where, given):
                self.refuse("an id on one side of a threshold", f"2*{id_} > {threshold}, or <", where, given)
            out.append((factor, "M" if above else "Q"))
        return out


def added(reads: Reads, M: str, Q: str) -> str:
    return " + ".join(["0", *(f"({factor})*({M if extreme == 'M' else Q})" for factor, extreme in reads)])


def heads(rule: Rule, net: Network) -> None:
    """The arg maxima of the scores: above the threshold the columns of the largest id M, below of the smallest Q."""
    for extreme, side, order in (("M", "D - 1 - u", "M - I - o"), ("Q", "D + 1 + u", "I - Q - o")):
        ahead = f"({net.score.replace('I', extreme)}) - ({net.score})"
        rule.need("no score ahead", ahead, "", (order, side))
        rule.need("all others behind", f"{ahead} - 1", "", (f"{order} - 1", side))
    rule.need("the mean of equal ids", "S[i] - i*M", "0<=i<=n", (), True)


def layer(rule: Rule, net: Network) -> Reads:
    """What a layer adds to a column of id L; nothing to one above or below."""
    at, *off = (rule.reads(net.layer, "I", "", (p,)) for p in ("I - L", "I - L - 1 - o", "L - I - 1 - o"))
    for reads in off:
        if extra := formula(added(reads, "M", "Q")):
            rule.refuse("a layer that adds to the ids at its level alone", f"{text(extra)} = 0")
    return at


def columns(rule: Rule, net: Network) -> None:
    """The id of a column without sentinel, row by row; the last row in which two columns differ decides."""
    rule.defined("v[e]", rule.text.defined["v"].by, f"v[e-1] + ({net.u})*({net.entry})")
    rule.need("an id from 0 on", "v[d]")
    rule.need("an id up to B - 1", "B - 1 - v[d]")
    rule.need("a larger entry above all rows before", "v[e] - v'[e] - 1", "1<=e<=d", ("w[e] - w'[e] - 1 - o",))
    rule.need("an equal entry without effect", "v[e] - v'[e] - v[e-1] + v'[e-1]", "1<=e<=d", ("w[e] - w'[e]",), True)


def sentinels(rule: Rule, net: Network, s: State) -> None:
    """The id of a column whose first sentinel is in row f is idle, and an idle id is negative."""
    first, below = f"v[f-1] + ({net.u.replace('e', 'f')})*({net.sentinel})", rule.text.defined["c"]
    rule.defined("c[f]", rule.text.defined["cf"].by, first)
    for entry, by in zip((net.entry, net.sentinel), (below.by, *below.further), strict=True):
        rule.defined("c[e]", by, f"c[e-1] + ({net.u})*({entry})")
    rule.need("a sentinel's id to be idle", f"I + o - c[d] + {s.idle or 0}", "1<=f<=d")
    rule.need("an idle id to be negative", f"-1 - (I + o + {s.idle or 0})")


def levels(rule: Rule, net: Network) -> None:
    """Ids of columns without sentinel are levels, and so is every k."""
    rule.need("an id from the first level on", f"v[d] - ({net.first})")
    rule.need("an id up to the last level", f"({net.last}) - v[d]")
    rule.need("k_1 from the first level on", f"k[1] - ({net.first})", "1<=m<=n")
    rule.need("every k up to the last level", f"({net.last}) - k[i]", "1<=i<=m, m<=n")


def blocks(rule: Rule, net: Network) -> None:
    """With positions the id of column j = J+1 is a level of block j, and blocks and ids are in order."""
    rule.defined("id[e]", rule.text.defined["id"].by, f"id[e-1] + ({net.u})*({net.entry})")
    rule.need("the id of column J+1", "id[d] - (J*E + v[d])", "", (), True)
    rule.defined("l[j]", rule.text.defined["l"].by, "(j - 1)*E + b[j]")
    rule.defined("b[j]", rule.text.defined["b"].by, "B - 1 - bs[j]")
    rule.need("an id from its block's first level on", f"l[j] - ({net.first})", "1<=j<=n")
    rule.need("an id up to its block's last level", f"{net.last} - l[j]", "1<=j<=n")
    rule.need("a block after the one before", f"{net.first.replace('j', '(j + 1)')} - ({net.last}) - 1")
    rule.need("ids in order", "l[j+1] - l[j] - 1", "1<=j<=n-1")


def extreme(rule: Rule, s: State, way: int, now: str, after: str, where: str) -> str:
    """The highest (way 1) or lowest (-1) of all ids: none is beyond it, and it is one."""
    found = (s.highest if way == 1 else s.lowest).format(now=now, next=after)
    least = formula(f"{s.idle} + I - y + o - y0") if s.idle and found == "y" else None
    attained = least is not None and not put(least, "y", rule.text.defined["y"].by)  # y is an idle id
    for id_, range_, letters in s.families(now, after):
        if least is None or id_ != "I":
            rule.need(f"{found} as an extreme id", f"({way})*({found}) - ({way})*({id_})", range_ + where, letters)
    there = [f"{s.shifted}[1]", f"{s.shifted}[{now}]"] * (now != "0")
    for one in there + [f"{s.waiting}[{after}]", f"{s.waiting}[{s.count}]"] * (now != s.count):
        attained = attained or not formula(f"{found} - {one}") or rule.says(f"{found} - {one}", where, (), True)
    if not attained:
        rule.refuse(f"{found} as an extreme id", "it is one of them", where)
    return found


def passed(rule: Rule, net: Network, s: State, where: str = "", given: tuple[str, ...] = ()) -> None:
    """No shifted id is at a level, nor below one (of the last block)."""
    above = f"{s.shifted}[i] - ({net.last.replace('j', s.count)}) - 1"
    rule.need("shifted ids above every level", above, f"1<=i<={s.count}, {s.size}, {where}", given)


def sweep(rule: Rule, net: Network, s: State) -> None:
    """From all waiting to all shifted: for j = 0 and for 0 < j < m. One id is at its level, others above, or idle."""
    at, w, new = layer(rule, net), s.waiting, f"{s.shifted}[{{}}]"
    both = ("0", "1", "2", s.size), ("j", "j+1", "j+2", f"1<=j<={s.count}-1, {s.size}")
    for now, after, beyond, where in both:
        others = f"{beyond}<=i<={s.count}, {where}"
        rule.need("other ids above its level", f"{w}[i] - {w}[{after}] - 1", others)
        later = f"{after}<=i<={s.count}, {where}"
        rule.need("waiting ids above a level below", f"{w}[i] - L - 1", later, (f"{w}[{after}] - L - 1 - o",))
        ends = (extreme(rule, s, way, now, after, where) for way in (1, -1))
        moved = f"{w}[{after}] + {added(at, *ends)} - {new.format(after)}"
        rule.need("k_{j+1} moved to the next state's id", moved, where, (), True)
        if s.counted:
            rule.need("a shift", f"{new.format(after)} - {w}[{after}] - 1", where)
    if s.idle:
        rule.need("idle ids below every level", "L - I - 1", "", (s.idle, f"L - ({net.first}) - u"))


def alone(rule: Rule, net: Network) -> None:
    """A single id is the highest and the lowest, and where it is at its level nothing happens either."""
    rule.need("the id alone", f"k[1] + {added(layer(rule, net), 'k[1]', 'k[1]')} - t[1]", "1<=m<=1", (), True)
    rule.need("the id alone, as it was", "t[1] - k[1]", "1<=m<=1", (), True)


def shift(rule: Rule, net: Network, s: State) -> list[str]:
    """The values of all shifted ids after the global shift, in i, and of idle ones."""
    values = []
    for id_, range_, letters in s.families(s.count, ""):
        reads = rule.reads(net.shift, id_, range_ + s.size if range_ else "", letters)
        read = {letter for _, letter in reads}
        M = extreme(rule, s, 1, s.count, "", s.size) if "M" in read else ""
        Q = extreme(rule, s, -1, s.count, "", s.size) if "Q" in read else ""
        values.append(f"{id_} + {added(reads, M, Q)}")
    return values


def shift_alone(rule: Rule, net: Network) -> str:
    """If there is one id, every head reads it: above the threshold as the largest, at it (0) as the mean of all."""
    if [threshold for threshold, _ in net.shift] != ["0"]:
        rule.refuse("the global threshold 0", "what heads read at another")
    rule.need("the id alone not below the threshold", "t[1]", "1<=m<=1")
    rule.need("the mean at the threshold", "S[i]", "0<=i<=n", ("M",), True)
    return f"t[1] + {added([(factor, 'M') for _, factor in net.shift], 't[1]', '')}"


def properties(rules: Mapping[str, Rule], net: Network, value: str, single: str, large: str, negative: str) -> None:
    """Lemma 6: its four properties, as inequalities about these values."""
    one = {i: value.replace("[i]", f"[{i}]").replace("[m]", "[n]") for i in ("j", "j+1", "i")}
    here, square, other = "n<=m<=n, 1<=j<=n", "P[n+1]*P[n+1]", one["i"].replace("t[", "t'[")
    need = rules["lemma6.1"].need
    need("distinct values", f"{one['j+1']} - ({one['j']}) - 1", "1<=j<=n-1, n<=m<=n")
    need = rules["lemma6.2"].need
    need("two contexts apart", f"{other} - ({one['j']}) - 1", f"{here}, 1<=i<=n", ("t'[n] - t[n] - 1 - o",))
    need = rules["lemma6.3"].need
    need("values from t_l on", f"{one['j']} - {net.t_l}", here)
    need("values below t_r", f"{net.t_r} - 1 - ({one['j']})", here)
    need = rules["lemma6.4"].need
    need("Category 2 below t_l", f"{net.t_l} - 1 - ({value.replace('[i]', '[j]')})", "1<=j<=m, 2<=m<=n-1")
    need("Category 2 below t_l, m = 1", f"{net.t_l} - 1 - ({single})", "1<=m<=1")
    need("Category 3 negative", f"-1 - ({negative})", "", (SENTINEL.idle,))
    need("what is negative below t_l", net.t_l)
    need("Category 3 large", f"{large.replace('[i]', '[j]')} - {square}", "1<=j<=m, m<=n")
    need("what is large not below t_r", f"{square} - {net.t_r} - 1")


def again(rule: Rule, net: Network, s: State, a: Again) -> None:
    """All shifted ids are above every level; but in one context the last level finds column 1 again."""
    beyond, last, one = f"{a.gap} - 1 - o", net.last.replace("j", s.count), f"{s.shifted}[1]"
    left = [((high, more + 1), low) for case in a.unless for low, (high, more) in bounds(case)]
    if not all(follows(bound, (*rule.text.instance, *left)) for bound in bounds(a.where)):
        raise Rejected("SYMBOLIC 5", f"rule {rule.name}", "every d and n", f"{a.where}, or {', '.join(a.unless)}")
    for where, given in (*((case, ()) for case in a.unless), (a.where, (f"{a.gap} + o",))):
        passed(rule, net, s, where, given)
    for zero in a.context:
        below = put(formula(zero), "b[1]", instance(rule.text.defined["b"].by, {"j": ("", 1)}))
        if any(c > 0 or not all(rule.text.is_slack(x) for x, _ in monomial) for monomial, c in below.items()):
            rule.refuse("a number never above 0", f"{text(below)} <= 0")
        rule.need("no other context", zero, a.where, (beyond,))
    rule.need("all shifted before the last level", f"{last} - {s.waiting}[{s.count}] - 1", a.where, a.context)
    rule.need("column 1 at the last level", f"{one} - ({last})", a.where, a.context, True)
    rule.need("column 2 above it", f"{s.shifted}[2] - ({last}) - 1", a.where, a.context)
    there = replace(s, size=a.where, lowest=one)
    ends = [extreme(rule, there, way, s.count, "", a.where) for way in (1, -1)]
    rule.need("column 1 moved again", f"{one} + {added(layer(rule, net), *ends)} - {a.id}", a.where, (), True)
    rule.need("the largest id then", f"{a.id} - {ends[0]} - 1", a.where)


def shift_again(rule: Rule, net: Network, s: State, a: Again) -> list[str]:
    """The values of columns 1 and 2 there."""
    rest = s.highest.format(now=s.count)
    ids = {id_: rule.reads(net.shift, id_, a.where, a.context) for id_ in (a.id, rest)}
    return [f"{id_} + {added(reads, a.id, rest)}" for id_, reads in ids.items()]


def digits(rule: Rule, s: State, where: str) -> None:
    """Of two contexts with the same id after the j-th shift, the j-th ids and those before it are the same."""
    new, old, own = f"{s.shifted}[j]", f"{s.shifted}[j-1] - {s.waiting}[j]", f"{s.waiting}[j]"
    further, apart, digit = (add(rule.second(words), formula(words), -1) for words in (old, new, own))
    larger = add(further, formula("1 + o"), -1)
    rule.need("a larger id from a larger difference", add(apart, number(-1)), where, (larger,))
    rule.need("the id itself from equal differences", add(apart, digit, -1), where, (further,), True)


def digits_again(rule: Rule, s: State, a: Again) -> None:
    """The largest id of the one context is that of no other."""
    rest, there = s.highest.format(now=s.count), [rule.second(p) for p in a.context]
    apart = add(formula(rest), rule.second(a.id), -1)
    for sign, order in ((1, "b[2] - b[1] - o"), (-1, "b[2] - b[1] + 1 + o")):
        p = add(product(number(sign), apart), number(-1))
        rule.need("other largest ids", p, a.where, (order, *there))


def positional(rules: Mapping[str, Rule], net: Network, s: State, a: Again, value: str, twice: str, rest: str) -> None:
    """Appendix C: its claims, as inequalities about these values."""
    lt, largest, factor = s.shifted, s.highest.format(now=s.count), net.bound
    one = {j: value.replace("[i]", f"[{j}]") for j in ("j", "j+1")}
    for claim, cases in (("c.order", ("",)), ("c.order-repaired", a.unless)):
        for where in cases:
            passed(rules[claim], net, s, where)
        rules[claim].need("shifted ids in order", f"{lt}[j+1] - {lt}[j] - 1", "1<=j<=n-1")
    rules["c.bound"].need("the last id below the bound", f"{factor} - 1 - {largest}")
    for claim in ("c.disjoint", "c.contextual"):
        need = rules[claim].need
        for q, M, where, given in (
            (one["j"], largest, "1<=j<=n", ()),
            (twice, a.id, a.where, a.context),
            (rest, a.id, a.where, a.context),
        ):
            need("values from their interval's start on", f"{q} - {factor}*{M}", where, given)
            need("values below their interval's end", f"{factor}*({M} + 1) - 1 - ({q})", where, given)
        need("disjoint intervals", f"{factor}*M - {factor}*(I + 1)", "", ("M - I - 1 - o",))
    need = rules["c.contextual"].need
    need("distinct values", f"{one['j+1']} - ({one['j']}) - 1", "1<=j<=n-1")
    need("distinct values of the two columns", f"{twice} - ({rest}) - 1", a.where, a.context)


def quantiser(rule: Rule, net: Network, q: Quantiser) -> None:
    """The piece [I, I + 1) of an entry goes to I at the level I, and stays as it is at every other."""
    start, end = (f"(L + ({b}))" for b in q.breaks)
    before, there, after = (p.replace("t", "(x - L)") for p in q.phi)
    open_, closed = (int(b in q.left_owned) for b in q.breaks)  # of the window
    for moved in filter(formula, (before, after)):
        rule.refuse("an entry outside the window left as it is", f"{text(formula(moved))} = 0")
    rule.need("a piece before the windows of the levels above", f"{start} - (I + 1)", "", ("L - I - 1 - o",))
    rule.need("a piece after the windows of the levels below", f"I - {end} - {closed}", "", ("I - L - 1 - o",))
    rule.need("the piece of a level after its window's start", f"I - {start} - {open_}", "", ("I - L",))
    rule.need("the piece of a level before its window's end", f"{end} - (I + 1)", "", ("I - L",))
    rule.need("that piece taken to its lower end", f"x + ({there}) - I", "", ("I - L",), True)
    corner, one_of = net.entry.replace("J", "(j - 1)").replace("w[e]", "o"), ("N - o - 1 - u",)
    rule.need("a piece from the first level on", f"{corner} - ({q.first})", "1<=j<=n", one_of)
    rule.need("a piece up to the last level", f"({q.last}) - ({corner})", "1<=j<=n", one_of)
    rule.need("as many layers", f"d*(L - ({q.first}) + 1) - {q.layers}", "", (f"L - ({q.last})",), True)


LEMMA_6 = ("lemma6.1", "lemma6.2", "lemma6.3", "lemma6.4")
APPENDIX_C = ("c.order", "c.order-repaired", "c.bound", "c.disjoint", "c.contextual")


def linked(
    net: Network = PAPER,
    plain: State = PLAIN,
    sentinel: State = SENTINEL,
    with_positions: Network = POSITIONAL,
    positions: State = POSITIONS,
    exception: Again = AGAIN,
    rounding: Quantiser = QUANTISER,
    text: Facts = FACTS,
) -> None:
    """Raises Rejected if a rule lacks a fact that running the network needs, or has one that nothing needs."""
    parts = text.rules | {claim: text.claims[claim].parts for claim in LEMMA_6 + APPENDIX_C}
    names = {name: text.enough(words) for name, words in parts.items()}
    rules = {name: Rule(name, (text.facts[fact] for fact in words), text) for name, words in names.items()}
    heads(rules["heads"], net)
    layer(rules["level"], net)
    columns(rules["ids"], net)
    sentinels(rules["sentinels"], net, sentinel)
    levels(rules["levels"], net)
    sweep(rules["sweep"], net, plain)
    passed(rules["sweep"], net, plain)
    alone(rules["sweep"], net)
    sweep(rules["sentinel.sweep"], net, sentinel)
    passed(rules["sentinel.sweep"], net, sentinel)
    digits(rules["decoder"], plain, "1<=j<=n, n<=m<=n")
    (value,), single = shift(rules["global"], net, plain), shift_alone(rules["global"], net)
    properties(rules, net, value, single, *shift(rules["sentinel.global"], net, sentinel))
    net, s, a = with_positions, positions, exception
    heads(rules["positions.sweep"], net)
    blocks(rules["blocks"], net)
    sweep(rules["positions.sweep"], net, s)
    again(rules["positions.again"], net, s, a)
    digits(rules["positions.decoder"], s, "1<=j<=n")
    digits_again(rules["positions.decoder"], s, a)
    rule = rules["positions.global"]
    positional(rules, net, s, a, *shift(rule, net, s), *shift_again(rule, net, s, a))
    quantiser(rules["quantiser"], net, rounding)
    for name, words in names.items():
        built_on = (rule.met for rule in rules.values() if words <= names[rule.name])
        if needless := sorted(set(parts[name]) - set(text.rules) - set().union(*built_on)):
            raise Rejected("SYMBOLIC 5", f"rule {name}", "facts that are needed", ", ".join(needless))
