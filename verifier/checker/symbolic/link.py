"""SYMBOLIC 5: what has to be known to run the layers of FORMAT 3 on families of ids, and which facts say it.

The network is data, and so is the state before a level L: the ids t_1..t_j (shifted) and k_{j+1}..k_m (waiting), where
k_{j+1} >= L, and idle ones if there are sentinels. To run a layer on it comparisons must be known. Each of them must be
a fact of the rule, which holds in the whole range; and what comes out must be the state with j+1 if L = k_{j+1}, and
the same state, with k_{j+1} >= L+1, if not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product as every
from typing import NamedTuple, NoReturn

from ..check import Rejected
from .polynomial import (
    Bound,
    Poly,
    add,
    follows,
    formula,
    index,
    instance,
    number,
    places,
    product,
    replace,
    text,
)
from .table import DEFINED, ENOUGH, FACT, FIXED, INSTANCE, RULES, Fact, bounds, names_of

Head = tuple[str, str]  # twice its threshold, and what its value is multiplied with
Reads = list[tuple[str, str]]  # what is added: multiples of M, the largest of all ids, and of Q, the smallest


@dataclass(frozen=True)
class Network:
    """FORMAT 3, in units of delta; `score` is that of a column of id I for one whose id is D/2 above the threshold."""

    score: str = "I*D"
    first: str = "0"
    last: str = "B - 1"
    layer: tuple[Head, ...] = (("2*L - 1", "B"), ("2*L + 1", "-B"))
    shift: tuple[Head, ...] = (("0", "P[n+1]"),)
    t_l: str = "P[n]*P[n]*(B - 1)"
    t_r: str = "P[n]*P[n+1]*(B - 1)"


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

    def families(self, now: str, after: str) -> list[Family]:
        """The ids that there are."""
        shifted, waiting = Family(f"{self.shifted}[i]", f"1<=i<={now}, "), Family("k[i]", f"{after}<=i<=m, ")
        idle = [Family("I", "", (self.idle,))] if self.idle else []
        return [shifted] * (now != "0") + [waiting] * (now != "m") + idle


PAPER = Network()
PLAIN = State("2<=m<=n", "t", "t[{now}]", "k[{next}]", "", True)
SENTINEL = State("1<=m<=n", "r", "r[{now}]", "y", "B - N - N*P[n] - o - I")


def shape(p: Poly) -> object:
    """What no index changes: a fact of another shape isn't looked at."""
    kept = ((c, sorted((x.partition("[")[0], e) for x, e in monomial)) for monomial, c in p.items())
    return sorted(pair for pair in kept if any(x not in "ijmnedf" for x, _ in pair[1]))


def covers(fact: Fact, goal: Poly, where: tuple[Bound, ...], given: list[Poly]) -> bool:
    """Whether the fact, at some place, is this goal, in all of the range and with nothing given but this."""
    letters = [x for x in fact.indices if x not in FIXED]
    inside = {x.partition("[")[2][:-1] for p in (goal, *given) for m in p for x, _ in m if "[" in x}
    near = {index(words) for words in inside} | {(index(words)[0], 0) for words in inside}
    for place in every(sorted(near), repeat=len(letters)):
        at = dict(zip(letters, place, strict=True))
        known = [add(instance(e.atom, at, {}), instance(e.by, at, {}), -1) for e in fact.given]
        same = instance(fact.goal, at, {}) == goal and all(p in given or product(number(-1), p) in given for p in known)
        if same and all(follows(bound, (*bounds(INSTANCE), *where)) for bound in places(fact.range, at)):
            return True
    return False


class Rule:
    """The facts of a rule; those that were needed are kept in mind."""

    def __init__(self, name: str, facts: Iterable[Fact]):
        self.name, self.facts, self.met = name, [(fact, fact.equal, shape(fact.goal)) for fact in facts], set[str]()

    def says(self, goal: str | Poly, where: str = "", given: Iterable[str] = (), equal: bool = False) -> bool:
        wanted, known = formula(goal) if isinstance(goal, str) else goal, [formula(p) for p in given]
        kind = (equal, shape(wanted))
        alike = [fact for fact, *its in self.facts if (*its,) == kind]
        found = {fact.name for fact in alike if covers(fact, wanted, bounds(where.strip(", ")), known)}
        self.met |= found
        return bool(found)

    def need(self, what: str, goal: str, where: str = "", given: Iterable[str] = (), equal: bool = False) -> None:
        if not self.says(goal, where, given, equal):
            self.refuse(what, f"{text(formula(goal))} {'=' if equal else '>='} 0", where, given)

    def refuse(self, what: str, missing: str, where: str = "", given: Iterable[str] = ()) -> NoReturn:
        there = ", ".join([*filter(None, [where.strip(", ")]), *(f"0 = {text(formula(p))}" for p in given)])
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
        ahead = f"{net.score.replace('I', extreme)} - {net.score}"
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


def levels(rule: Rule, net: Network) -> None:
    """Ids of columns without sentinel are levels, and so is every k; what comes after k_{j+1} is above it."""
    rule.need("an id from the first level on", f"v[d] - ({net.first})")
    rule.need("an id up to the last level", f"({net.last}) - v[d]")
    rule.need("k_1 from the first level on", f"k[1] - ({net.first})", "1<=m<=n")
    rule.need("every k up to the last level", f"({net.last}) - k[i]", "1<=i<=m, m<=n")
    rule.need("other ids above the level k_{j+1}", "k[i] - k[j+1] - 1", "0<=j<=m-1, j+2<=i<=m, m<=n")
    rule.need(
        "waiting ids above a level below k_{j+1}", "k[i] - L - 1", "0<=j, j+1<=i<=m, m<=n", ("k[j+1] - L - 1 - o",)
    )


def extreme(rule: Rule, s: State, way: int, now: str, after: str, where: str) -> str:
    """The highest (way 1) or lowest (-1) of all ids: none is beyond it, and it is one."""
    found = (s.highest if way == 1 else s.lowest).format(now=now, next=after)
    least = formula(f"{s.idle} + I - y + o - y0") if s.idle and found == "y" else None
    attained = least is not None and not replace(least, "y", DEFINED["y"].by)  # y is an idle id
    for id_, range_, letters in s.families(now, after):
        if least is None or id_ != "I":
            rule.need(f"{found} as an extreme id", f"{way}*({found}) - {way}*({id_})", range_ + where, letters)
    for one in [f"{s.shifted}[{now}]"] * (now != "0") + [f"k[{after}]", "k[m]"] * (now != "m"):
        attained = attained or not formula(f"{found} - {one}") or rule.says(f"{found} - {one}", where, (), True)
    if not attained:
        rule.refuse(f"{found} as an extreme id", "it is one of them", where)
    return found


def sweep(rule: Rule, net: Network, s: State) -> None:
    """From all waiting to all shifted: for j = 0, for 0 < j < m, and for j = m."""
    at, level = layer(rule, net), (f"L - ({net.first}) - u", f"({net.last}) - L - o")
    for now, after, where in (("0", "1", s.size), ("j", "j+1", f"1<=j<=m-1, {s.size}"), ("m", "", s.size)):
        for id_, range_, letters in s.families(now, after):
            if id_ == "I":
                rule.need("idle ids below every level", "L - I - 1", "", (*letters, level[0]))
            elif id_ != "k[i]":
                rule.need("shifted ids above every level", f"{id_} - L - 1", range_ + where, level[1:])
        if now != "m":
            ends = (extreme(rule, s, way, now, after, where) for way in (1, -1))
            new = f"{s.shifted}[{after}]"
            rule.need(
                "k_{j+1} moved to the next state's id", f"k[{after}] + {added(at, *ends)} - {new}", where, (), True
            )
            if s.counted:
                rule.need("a shift", f"{new} - k[{after}] - 1", where)
    if s.idle:
        rule.need("a sentinel's id to be idle", f"{s.idle.replace('- o', '')} + I - c[d]", "1<=f<=d")


def alone(rule: Rule, net: Network) -> None:
    """A single id is the highest and the lowest, and where it is at its level nothing happens either."""
    rule.need("the id alone", f"k[1] + {added(layer(rule, net), 'k[1]', 'k[1]')} - t[1]", "1<=m<=1", (), True)
    rule.need("the id alone, as it was", "t[1] - k[1]", "1<=m<=1", (), True)


def shift(rule: Rule, net: Network, s: State) -> list[str]:
    """The values of all shifted ids after the global shift, in i, and of idle ones."""
    values = []
    for id_, range_, letters in s.families("m", ""):
        reads = rule.reads(net.shift, id_, range_ + s.size if range_ else "", letters)
        read = {letter for _, letter in reads}
        M = extreme(rule, s, 1, "m", "", s.size) if "M" in read else ""
        Q = extreme(rule, s, -1, "m", "", s.size) if "Q" in read else ""
        values.append(f"{id_} + {added(reads, M, Q)}")
    return values


def shift_alone(rule: Rule, net: Network) -> str:
    """Every head reads a single id: above the threshold as the largest, at it (0) as the mean of all."""
    if [threshold for threshold, _ in net.shift] != ["0"]:
        rule.refuse("the global threshold 0", "what heads read at another")
    rule.need("the id alone not below the threshold", "t[1]", "1<=m<=1")
    rule.need("the mean at the threshold", "S[i]", "0<=i<=n", ("M",), True)
    return f"t[1] + {added([(factor, 'M') for _, factor in net.shift], 't[1]', '')}"


def properties(rules: Mapping[str, Rule], net: Network, value: str, single: str, large: str, negative: str) -> None:
    """Lemma 6: what its four properties say of these values."""
    one = {i: value.replace("[i]", f"[{i}]").replace("[m]", "[n]") for i in ("j", "j+1", "i")}
    here, square, other = "n<=m<=n, 1<=j<=n", "P[n+1]*P[n+1]", one["i"].replace("t[", "T[")
    need = rules["lemma6.1"].need
    need("distinct values", f"{one['j+1']} - ({one['j']}) - 1", "1<=j<=n-1, n<=m<=n")
    need = rules["lemma6.2"].need
    need("two contexts apart", f"{other} - ({one['j']}) - 1", f"{here}, 1<=i<=n", ("T[n] - t[n] - 1 - o",))
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


LINKED = ("heads", "layer", "levels", "sweep", "global", "sentinel-sweep", "sentinel-global")
PROPERTIES = ("lemma6.1", "lemma6.2", "lemma6.3", "lemma6.4")


def linked(
    net: Network = PAPER, plain: State = PLAIN, sentinel: State = SENTINEL, facts: Mapping[str, Fact] = FACT
) -> None:
    """Rejected if a rule hasn't a fact that running the network needs, or has one of its own that nothing needs."""
    names = {name: names_of(name) for name in LINKED} | {claim: ENOUGH[claim] for claim in PROPERTIES}
    rules = {name: Rule(name, (facts[fact] for fact in words if fact in facts)) for name, words in names.items()}
    heads(rules["heads"], net)
    layer(rules["layer"], net)
    levels(rules["levels"], net)
    sweep(rules["sweep"], net, plain)
    alone(rules["sweep"], net)
    sweep(rules["sentinel-sweep"], net, sentinel)
    (value,), single = shift(rules["global"], net, plain), shift_alone(rules["global"], net)
    properties(rules, net, value, single, *shift(rules["sentinel-global"], net, sentinel))
    met = set().union(*(rule.met for rule in rules.values()))
    for name in LINKED:
        if needless := sorted(set(RULES[name].split()) - set(RULES) - met):
            raise Rejected("SYMBOLIC 5", f"rule {name}", "facts that are needed", ", ".join(needless))
