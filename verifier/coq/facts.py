"""The symbolic facts as theorems of Coq: a lemma for each fact of a certificate, stated as the text states it, for all
d, n and N; its proof is the certificate's own, with Coq's `lia` for ranges and Coq's `ring` for identities.

    python3 -m verifier.coq.facts proofs/symbolic/all.json > Facts.v

Definitions of the text are what is assumed of the sequences; of a second context, those with '. At the end stands an
instance of them, so that nothing is proved of nothing. (Python alone is needed.)
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifier.language.facts import INDICES, Facts, Line, links, names, read
from verifier.language.tree import Compare, Expression, Index, Name, Number, Power, Product, Sum

SIZES = "dnmf"  # letters of the instance and the context
Places = dict[str, str]  # what stands in the place of a letter, as Coq has it

_BEGIN = """\
(* Made from facts.page and its proof by verifier/coq/facts.py. What is assumed of the sequences are the text's
   definitions; each lemma says, for all d, n and N, what its line of the text says; its proof is the certificate's. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Lemma up (s : Z) (Q : Z -> Prop) : Q s -> (forall j, s <= j -> Q j -> Q (j + 1)) -> forall j, s <= j -> Q j.
Proof.
  intros base step. apply Zlt_lower_bound_ind. intros j IH from.
  destruct (Z.eq_dec j s) as [-> | more]; [exact base |].
  replace j with (j - 1 + 1) by lia. apply step; [lia |]. apply IH; lia.
Qed.

Lemma by_sum (a b : Z) : a = b -> 0 <= b -> 0 <= a.
Proof. lia. Qed.

Section Facts.
"""


_POSITIVE = """\
(* A sum of products of numbers that are known to be at least 0. *)
Ltac at_least_0 :=
  rewrite ?Z.mul_0_r, ?Z.add_0_r, ?Z.add_0_l;
  repeat first [assumption | apply Z.add_nonneg_nonneg | apply Z.mul_nonneg_nonneg | apply Z.pow_nonneg
               | {}]; lia.
"""


def letters(line: Line) -> list[str]:
    """The places that it runs over."""
    return sorted({name for name in names([*line.relations, *line.when]) if name in INDICES} - set(SIZES))


def pinned(line: Line) -> Places:
    """m = n, n = 2: which letter is which."""
    return {letter_of(left): coq(right) for left, sign, right in line.bounds if sign == "="}


def letter_of(tree: Expression) -> str:
    """Of a place."""
    return tree.name if isinstance(tree, Name) else ""


def _subscripts(tree: Any) -> list[Expression]:
    if isinstance(tree, Index):
        return [tree.subscript]
    return [found for part in tree if isinstance(part, tuple | list) for found in _subscripts(part)]


# Expressions.


def coq(tree: Expression, at: Places | None = None, twofold: list[str] | None = None, *, plain: bool = True) -> str:
    """An expression as Coq has it. plain: with indices as the certificate has them, j and not j + 1 - 1."""
    match tree:
        case Number():
            return str(tree.value)
        case Name():
            name = f"{tree.name}'" if tree.name in (twofold or ()) else tree.name
            return (at or {}).get(name, name)
        case Index():
            name = coq(tree.listed, {}, twofold)
            place = coq(tree.subscript, at)
            return f"{name} {_bracketed(index(place) if plain else place)}"
        case Sum():
            parts = [(" - " if sign < 0 else " + ") + _factor(term, at, twofold, plain) for sign, term in tree.terms]
            first = parts[0]
            return (first[3:] if first.startswith(" + ") else "-" + first[3:]) + "".join(parts[1:])
        case Product():
            return " * ".join(_factor(factor, at, twofold, plain) for _, factor in tree.factors)
        case Power():
            return f"{_factor(tree.base, at, twofold, plain)} ^ {coq(tree.exponent)}"
    raise ValueError(f"no polynomial: {tree.kind}")


def _factor(tree: Expression, at: Places | None, twofold: list[str] | None, plain: bool) -> str:
    said = coq(tree, at, twofold, plain=plain)
    return f"({said})" if isinstance(tree, Sum) or (isinstance(tree, Name) and " " in said) else said


def _bracketed(place: str) -> str:
    return f"({place})" if " " in place or place.startswith("-") else place


def index(place: str) -> str:
    """`j + 1 - 1` as `j`."""
    words = place.replace("(", "").replace(")", "").split()
    letter = "".join(word for word in words if word.isalpha())
    total, sign = 0, 1
    for word in words:
        sign = {"+": 1, "-": -1}.get(word, sign)
        total += sign * int(word) if word.lstrip("-").isdigit() else 0
    return f"{letter} {'+' if total > 0 else '-'} {abs(total)}" if letter and total else letter or str(total)


def place_of(words: str, at: Places) -> str:
    """An index of the certificate, where some letters stand for others."""
    letter = words[:1] if words[:1].isalpha() else ""
    rest = words[len(letter) :]
    start = at.get(letter, letter)
    return index(f"{start} {rest[0]} {rest[1:]}") if letter and rest else start or words


SIGNS = {"=": "=", ">=": ">=", ">": ">", "<=": "<=", "<": "<"}


def relation(tree: Compare, at: Places | None = None, twofold: list[str] | None = None, *, plain: bool = True) -> str:
    left, sign, right = links(tree)[0]
    return f"{coq(left, at, twofold, plain=plain)} {sign} {coq(right, at, twofold, plain=plain)}"


def difference(tree: Compare, at: Places, twofold: list[str]) -> str:
    """The polynomial that is at least 0, or 0."""
    left, sign, right = links(tree)[0]
    larger, smaller = (left, right) if sign in ("=", ">=", ">") else (right, left)
    return f"{coq(larger, at, twofold)} - ({coq(smaller, at, twofold)}){' - 1' if sign in '<>' else ''}"


# The file.


class Writer:
    def __init__(self, text: Facts) -> None:
        self.text = text
        self.out: list[str] = [_BEGIN]

    def assume(self) -> None:
        """The sequences, of both contexts, and what their definitions say."""
        text, kinds = self.text, dict[str, bool]()
        for line in [*text.definitions.values(), *text.facts.values()]:
            for name, listed in _atoms([*line.relations, *line.given]):
                kinds[name.rstrip("'")] = kinds.get(name.rstrip("'"), False) or listed
        known = [name for name in kinds if kinds[name] or name in _shared(text)]
        own = [name for name in known if name in text.context]
        self.out.append(f"Variables {' '.join(SIZES)} : Z.\nHypotheses (one_row : 1 <= d) (two_columns : 2 <= n).")
        fields: list[str] = []
        self.known = dict[str, bool]()  # each sequence and number, in order, and whether it is a sequence
        for listed, type_ in ((False, "Z"), (True, "Z -> Z")):
            names = [name for name in known if kinds[name] == listed]
            names += [f"{name}'" for name in names if name in own]
            self.out.append(f"Variables {' '.join(names)} : {type_}.")
            self.known |= dict.fromkeys(names, listed)
        for name in text.numbers:
            for one in (name, f"{name}'")[: 1 + (name in own)]:
                if name in known:
                    said = f"forall i, 0 <= {one} i" if kinds[name] else f"0 <= {one}"
                    fields.append(f"positive_{one} : {said}")
        for line in text.definitions.values():
            for twofold in ([], own):
                if not twofold or self.twice(line):
                    equations = " \\/ ".join(relation(r, {}, twofold, plain=False) for r in line.relations)
                    fields.append(f"{self.label(line, twofold, 'def_')} : {self.law(line, equations)}")
        said = ";\n  ".join(fields)
        self.out.append(f"\nRecord definitions : Prop := {{\n  {said}\n}}.\nHypothesis its : definitions.\n")
        positive = [field.split()[0] for field in fields if field.startswith("positive_")]
        self.out.append(_POSITIVE.format(" | ".join(f"apply (its.({name}))" for name in positive)))

    def twice(self, line: Line) -> bool:
        """Whether the second context has its own."""
        return any(name in self.text.context for name, _ in _atoms([*line.relations, *line.given]))

    def label(self, line: Line, twofold: list[str], kind: str = "") -> str:
        return kind + line.name.replace(".", "_") + ("'" if twofold and self.twice(line) else "")

    def law(self, line: Line, said: str) -> str:
        over = f"forall {' '.join(letters(line))} : Z, " if letters(line) else ""
        return over + "".join(f"{condition} -> " for condition in _conditions(line, {})) + said

    def fact(self, line: Line, obligations: list[dict[str, Any]], twofold: list[str]) -> None:
        free = sorted({name for name, _ in _atoms([*line.relations, *line.given])} & set("LIQDou"))
        positive = [name for name in free if name in self.text.numbers]
        over = [*letters(line), *free]
        said = relation(line.relations[0], {}, twofold, plain=False)
        given = [relation(tree, {}, twofold, plain=False) for tree in line.given]
        hypotheses = [*_conditions(line, {}), *(f"0 <= {name}" for name in positive), *given]
        statement = (f"forall {' '.join(over)} : Z, " if over else "") + " -> ".join([*hypotheses, said])
        self.out.append(f"(* {line.name}: {line.text} *)\nLemma {self.label(line, twofold)} : {statement}.\nProof.")
        pins = pinned(line)
        if line.start is None:
            named = [f"pin_{letter_of(left)}" if sign == "=" else "?" for left, sign, _ in line.bounds]
            named += ["?"] * len(positive) + [f"given{k}" for k in range(1, len(given) + 1)]
            self.out.append(f"  intros {' '.join([*over, *named])}.")
            for k, tree in enumerate(line.given, 1):
                self.slack_of(line, k, tree, pins, twofold)
            self.goal(line, obligations[0], pins, pins, twofold)
            self.out.append("Qed.\n")
            return
        j, others = line.variable, [letter for letter in over if letter != line.variable]
        start = coq(line.start)
        self.out.append(f"  intros {' '.join(over)}. revert {j}." if others else "")
        shown = "".join(f"{condition} -> " for condition in _conditions(line, {}))
        self.out.append(f"  assert (all : forall {j}, {start} <= {j} -> {shown}{said}).")
        self.out.append(f"  {{ apply (up {start} (fun {j} => {shown}{said})).")
        base, *steps = obligations
        many = " ".join("?" for _ in line.bounds)
        self.out.append(f"    - intros {many}.")
        self.goal(line, base, {j: start}, {}, twofold)
        self.out.append(f"    - intros {j} from before {many}.")
        self.out.append(f"      pose proof (before{_proved(len(line.bounds))}) as IH. clear before.")
        if line.cases:
            law = self.text.definitions[line.cases]
            self.pose("cases", law, dict.fromkeys(letters(law), "") | {j: f"{j} + 1"}, {}, twofold, "def_")
            self.out.append(f"      destruct cases as [{'|'.join(['given1'] * len(steps))}].")
        for step in steps:
            self.out.append("      {" if line.cases else "")
            self.goal(line, step, {j: f"{j} + 1"}, {}, twofold)
            self.out.append("      }" if line.cases else "")
        self.out.append("  }\n  intros. apply all; lia.\nQed.\n")

    def slack_of(self, line: Line, k: int, tree: Compare, pins: Places, twofold: list[str]) -> None:
        """What an inequality that is given makes of itself: a > b is a = b + 1 + o."""
        ((left, sign, right),) = links(tree)
        self.normal(f"given{k}", [tree], {}, pins)
        if sign == "=":
            return
        before = [t for t in line.given[: k - 1] if t.signs != ["="]]
        o, a, b = "ou"[len(before)], coq(left, pins, twofold), coq(right, pins, twofold)
        more = f"{b} {'+' if '>' in sign else '-'} {'(1 + ' if sign in '<>' else ''}{o}{')' if sign in '<>' else ''}"
        value = f"{a} - ({b})" if ">" in sign else f"{b} - ({a})"
        value += " - 1" if sign in "<>" else ""
        self.out.append(f"  assert (equal{k} : exists {o}, 0 <= {o} /\\ {a} = {more}) by (exists ({value}); lia).")
        self.out.append(f"  clear given{k}. destruct equal{k} as [{o} [? given{k}]].")

    def normal(self, name: str, trees: Sequence[Expression], at: Places, pins: Places) -> None:
        """Writes indices of a hypothesis, or of the goal, as the certificate does."""
        where = f" in {name}" if name else ""
        for letter in pins:
            self.out.append(f"      rewrite ?pin_{letter}{where}.")
        raw = {coq(place, at | pins if not at else {**pins, **at}) for tree in trees for place in _subscripts(tree)}
        for place in sorted(raw):
            if place != index(place):
                self.out.append(f"      replace ({place}) with ({index(place)}){where} by lia.")

    def pose(self, name: str, line: Line, at: Places, pins: Places, twofold: list[str], kind: str = "") -> None:
        """What a definition or a fact says at these places."""
        given = " ".join(_bracketed(at[letter]) for letter in letters(line) if at.get(letter))
        label = self.label(line, twofold, kind)
        here = f"{f'its.({label})' if kind else label} {given}".strip() + _proved(len(line.bounds))
        self.out.append(f"      pose proof ({here}) as {name}.")
        self.normal(name, line.relations, at, pins)

    def goal(self, line: Line, one: dict[str, Any], at: Places, pins: Places, twofold: list[str]) -> None:
        """An obligation: the goal is the sum, by the equations, and the sum is at least 0."""
        goal = line.relations[0]
        self.normal("", [goal], {**pins, **at}, pins)
        hypotheses: dict[str, str] = {}
        zero: set[str] = set()
        for k, use in enumerate(one["use"], 1):
            bare = use["fact"].removesuffix("'")
            other = self.text.context if use["fact"] != bare else twofold
            if bare == "range":
                low, high = (place_of(use["at"][end], {}) for end in ("low", "high"))
                hypotheses[f"h{k}"] = f"{high} - ({low})"
            elif bare == "before":
                hypotheses[f"h{k}"] = difference(goal, {}, twofold)
            else:
                fact = self.text.facts[bare]
                here = {letter: place_of(words, {}) for letter, words in use["at"].items()}
                self.pose(f"used{k}", fact, here, pins, other)
                hypotheses[f"h{k}"] = difference(fact.relations[0], {**pins, **here}, other)
                zero |= {f"h{k}"} if fact.relations[0].signs == ["="] else set()
            if bare == "before" and goal.signs == ["="]:
                zero.add(f"h{k}")
            sign = f"{hypotheses[f'h{k}']} = 0" if f"h{k}" in zero else f"0 <= {hypotheses[f'h{k}']}"
            self.out.append(f"      assert (h{k} : {sign}) by lia.")
        rewrites = []
        for k, step in enumerate(one["replace"], 1):
            bare = step["fact"].removesuffix("'")
            other = self.text.context if step["fact"] != bare else twofold
            if bare == "given":
                rewrites.append(f"given{step['at']['number']}")
                continue
            here = {letter: place_of(words, {}) for letter, words in step["at"].items()}
            self.pose(f"equal_{k}", self.text.definitions[bare], here, pins, other, "def_")
            rewrites.append(f"equal_{k}")
        wanted = difference(goal, {**pins, **at}, twofold)
        total = _summed(one["sum"], hypotheses, twofold)
        by = "".join(f"rewrite ?{name}; " for name in rewrites)
        self.out.append(f"      assert (identity : {wanted} = {total}).")
        self.out.append(f"      {{ {by}ring. }}")
        nothing = "".join(f"rewrite ?{name}; " for name in sorted(zero))
        if goal.signs == ["="]:
            self.out.append(f"      assert (zero : {wanted} = 0).")
            self.out.append(f"      {{ etransitivity; [exact identity | {nothing}ring]. }} lia.")
        else:
            self.out.append(f"      assert (positive : 0 <= {wanted}).")
            self.out.append(f"      {{ apply (by_sum _ _ identity); {nothing}at_least_0. }} lia.")


# The ids 0 and 1 of a context at (d, n, N) = (1, 2, 2), with m = 2 and f = 1; b_1 = b_2 = 0. A sequence from its 0 on.
_INSTANCE: dict[str, int | list[int]] = {
    **dict.fromkeys(("z", "y0", "a", "s", "M", "J"), 0), **{key: [0] for key in ("w", "g", "b", "v", "S", "id")},
    "N": 2, "B": 2, "E": 2, "y": -8, "la": 8, "x": [1], "bs": [1], "p": [1, 2], "P": [1, 2, 4, 8], "c": [0, -8],
    "C": [0, 0, -2], "k": [0, 0, 1], "t": [1, 2, 3], "r": [1, 18, 53], "low": [1, 2, 3], "top": [1, 2, 3], "U": [0, 2],
    "l": [0, 0, 2], "lt": [2, 4, 6],
}  # fmt: skip


def instance(known: dict[str, bool]) -> str:
    values = []
    for name in known:
        its = _INSTANCE[name.rstrip("'")]
        if isinstance(its, int):
            values.append(_bracketed(str(its)))
            continue
        said = str(its[-1])
        for k in range(len(its) - 2, -1, -1):
            said = f"if i =? {k} then {its[k]} else {said}"
        values.append(f"(fun i => {said})")
    return f"""\
(* The definitions hold of a context at (d, n, N) = (1, 2, 2). *)
Lemma there_are_some : definitions 1 2 2 1 {" ".join(values)}.
Proof.
  split; intros; cbv beta; try lia; try reflexivity;
  repeat match goal with
  | H : _ <= ?j |- _ =>
    is_var j; assert (one : j = 1 \\/ j = 2 \\/ j = 3) by lia; destruct one as [-> | [-> | ->]]
  end; try lia; reflexivity.
Qed.
"""


def _shared(text: Facts) -> set[str]:
    """Names that definitions speak of."""
    return {name for line in text.definitions.values() for name, _ in _atoms(line.relations)}


def _atoms(trees: Sequence[Expression]) -> list[tuple[str, bool]]:
    """Each name that isn't a place, and whether an index stands behind it."""
    found: list[tuple[str, bool]] = []

    def look(tree: Any) -> None:
        if isinstance(tree, Index) and isinstance(tree.listed, Name):
            found.append((tree.listed.name, True))
        elif isinstance(tree, Name):
            found.extend([(tree.name, False)] if tree.name not in INDICES else [])
        elif isinstance(tree, tuple | list):
            for part in tree:
                look(part)

    look(trees)
    return found


def _conditions(line: Line, at: Places) -> list[str]:
    return [f"{coq(left, at)} {sign} {coq(right, at)}" for left, sign, right in line.bounds]


def _proved(count: int) -> str:
    return " ltac:(lia)" * count


def _summed(words: str, hypotheses: dict[str, str], twofold: list[str]) -> str:
    """A sum of the certificate."""

    def atom(found: re.Match[str]) -> str:
        name, place = found[1], found[2]
        if name in hypotheses:
            return f"({hypotheses[name]})"
        name = f"{name}'" if name in twofold else name
        return f"{name} {_bracketed(place_of(place, {}))}" if place else name

    out = re.sub(r"([A-Za-z]+[0-9]*'?)(?:\[([^\]]*)\])?", atom, words)
    return re.sub(r"([A-Za-z]'? (?:\([^)]*\)|[a-z0-9]+))\^", r"(\1)^", out).replace("^", " ^ ").replace("*", " * ")


def theorems(document: dict[str, Any]) -> str:
    """The file, of a certificate for all n."""
    text = read(document["text"])
    writer = Writer(text)
    writer.assume()
    shown = {fact["name"]: fact["obligations"] for fact in document["facts"]}
    both = _used_of_the_second(shown)
    section = ""
    for name, obligations in shown.items():
        line = text.facts[name]
        if line.section != section:
            section = line.section
            writer.out.append(f"\n(* {section} *)\n")
        writer.fact(line, obligations, [])
        if name in both and writer.twice(line):
            writer.fact(line, obligations, text.context)
    names = ",\n  ".join(writer.label(text.facts[name], []) for name in shown)
    writer.out.append(f"End Facts.\n\nDefinition facts := (\n  {names}).\n")
    writer.out.append(instance(writer.known))
    writer.out.append("Print Assumptions facts.\nPrint Assumptions there_are_some.")
    return "\n".join(part for part in writer.out if part) + "\n"


def _used_of_the_second(shown: dict[str, list[dict[str, Any]]]) -> set[str]:
    """The facts that are used of a second context, and those that they use."""
    uses = {name: [use["fact"] for one in of for use in one["use"]] for name, of in shown.items()}
    found = {use[:-1] for of in uses.values() for use in of if use.endswith("'")}
    for name in reversed(shown):
        if name in found:
            found |= {use for use in uses[name] if use in shown}
    return found


if __name__ == "__main__":
    sys.stdout.write(theorems(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
