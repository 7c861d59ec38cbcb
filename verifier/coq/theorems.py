"""A page at sizes as a file of Coq: its definitions, and of each claim what was found, as theorems with their proofs.

The numbers are those of a run. Nothing rests on them: were one of them wrong, Coq would refuse the file."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from verifier.coq.terms import NotCovered, Terms, Written, claim_named, named, plain, shared
from verifier.evaluate.definition import At, Case, Reading, Relations
from verifier.evaluate.ledger import Ledger
from verifier.evaluate.network import count
from verifier.evaluate.run import found
from verifier.evaluate.values import List
from verifier.language.page import Understood
from verifier.language.tree import Across, Call, Chain, Claim, ClaimLine, Expression, Name, Once
from verifier.language.words import TooLarge

# Cases that Coq is asked to run; layers of a network, which it runs one by one; cases whose networks are counted.
MOST, LAYERS, FEW = 100_000, 10_000, 20

HEAD = """(** {title}

    {about}

    {left_out} *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Across Words.
Open Scope page_scope.
"""
ABOUT = """At {sizes}. Written by `verify --paper FILE --coq`: the page's own names, each with a ' at its end, the words
of Core.v, the notation of Words.v. A claim's theorems end in 'holds, 'fails, 'across or 'once; 'cases says how many
cases it is about, 'least_k the least slack of its sign k, 'first which case fails first. If the file compiles they are
proved; what is 'run is computed by Coq."""


def written(page: Understood, sizes: dict[str, int], ids: list[str]) -> tuple[str, dict[str, str]]:
    """The file; and of the claims that it doesn't cover why, by their ids."""
    return File(page, sizes).of(ids)


class Counted(Case):
    """A case whose networks are counted: Coq runs no family by cells."""

    def states(self, tree: Call, at: At) -> list[List]:
        self.count(tree, tree.arguments[:-1], at)
        return super().states(tree, at)

    def of_call(self, tree: Call, at: At) -> Any:
        if tree.name in ("layers", "heads") and isinstance(network := tree.arguments[0], Name | Call):
            self.count(network, network.arguments if isinstance(network, Call) else [], at)
        return super().of_call(tree, at)

    def count(self, tree: Name | Call, arguments: list[Expression], at: At) -> None:
        layers, _ = count(self, tree.name, [self(a, at) for a in arguments])
        if layers > LAYERS:
            raise NotCovered(tree.place, f"{tree.name} has {layers:,} layers, and Coq would run each")


@dataclass
class Part:
    """Lines of a claim that are stated together: those of each case, an `across`, a `once`."""

    claim: Claim
    kind: str  # case, across, once
    name: str
    lines: list[ClaimLine]

    @property
    def id(self) -> str:
        return f"{self.claim.id} {self.name}"

    @property
    def alone(self) -> Claim:
        inputs = None if self.kind == "once" else self.claim.inputs
        condition = None if self.kind == "once" else self.claim.condition
        return replace(self.claim, id=self.id, inputs=inputs, condition=condition, lines=self.lines, skip=None)


class File:
    def __init__(self, page: Understood, sizes: dict[str, int]) -> None:
        self.understood, self.page, self.sizes = page, page.page, sizes
        self.reading = Reading(page, sizes, most=MOST)
        self.reading.nothing = Counted(self.reading, {})
        self.terms = Terms(page.page, sizes)
        self.claims: list[str] = []
        self.proved: list[str] = []
        self.left_out: dict[str, str] = {}

    def of(self, ids: list[str]) -> tuple[str, dict[str, str]]:
        for id_ in ids:
            kept = [*self.claims], [*self.proved]
            try:
                self.claim(self.page.claims[id_])
            except NotCovered as error:
                self.claims, self.proved = kept
                line = f"line {error.place[0]}: " if error.place[0] else ""
                self.left_out[id_] = line + error.what
        left = [f"{id_} ({_comment(why)})" for id_, why in self.left_out.items()]
        told = (
            "Not covered, and nothing is said of them: " + "; ".join(left) + "." if left else "Every claim is covered."
        )
        named = ", ".join(f"{n} = {k}" for n, k in self.sizes.items()) or "no sizes"
        title, about = _comment(self.page.title or "A page"), ABOUT.format(sizes=named)
        head = HEAD.format(title=title, about=_folded(about), left_out=_folded(told))
        definitions = [_definition(w) for w in self.terms.written.values()]
        names = [w.name for w in self.terms.written.values() if w.of]
        strategy = f"\nStrategy expand [{' '.join(names)}]." if names else ""
        proved = _folded(", ".join(self.proved))
        asked = f"\nDefinition proved := ({proved}).\nPrint Assumptions proved." if self.proved else ""
        text = "\n".join([head, *definitions, strategy, *self.claims, asked])
        return "\n".join(map(_wrapped, text.rstrip().split("\n"))) + "\n", self.left_out

    def about(self, write: Callable[[], str], on: str = "") -> str:
        """A text of a claim on these inputs, which is no definition of the page."""
        self.terms.at_hand = on
        self.terms.under_way.append(("", set()))
        try:
            return write()
        finally:
            self.terms.under_way.pop()
            self.terms.at_hand = ""

    # claims

    def claim(self, claim: Claim) -> None:
        if claim.skip is not None and self.reading.nothing.truth(claim.skip[0], {}):
            raise NotCovered((0, 0), f"skipped: {claim.skip[1]}")
        self.numbers = {sign.place: k for k, (sign, _) in enumerate(claim.signs, 1)}
        words = _folded(f'"{_comment(claim.words)}"')
        self.claims.append(f"\n(** {claim.id}, {claim.kind}, {_comment(claim.source)}\n    {words} *)")
        parts = parts_of(claim, claim_named(claim.id))
        on, guard = self.about_cases(claim, claim_named(claim.id))
        runs = replace(self.understood, page=replace(self.page, claims={part.id: part.alone for part in parts}))
        entries = found(runs, self.sizes, [part.id for part in parts], most=MOST)["claims"]
        for part in parts:
            self.count(part)
        for part, entry in zip(parts, entries, strict=True):
            getattr(self, part.kind)(part, entry, on, guard)

    def count(self, part: Part) -> None:
        """Refuses networks that are too long for Coq. How long they are follows from the number of items of a case."""
        claim = part.alone
        if claim.inputs is None:
            Relations(self.reading.nothing, Ledger(claim), (), {}).of(part.lines)
            return
        last = self.reading.few(claim.inputs).cases - 1
        firsts = islice(self.reading.cases(claim.inputs), FEW)
        cases = [*firsts, *([self.reading.case(claim.inputs, last)] if last >= FEW else [])]
        for case in (Counted(self.reading, case.variables) for case in cases):
            if claim.condition is None or case.truth(claim.condition, {}):
                Relations(case, Ledger(claim), (0,), {}).of(part.lines)

    def about_cases(self, claim: Claim, name: str) -> tuple[str, str]:
        """The claim's inputs and guard."""
        if claim.inputs is None:
            return "", ""
        place = self.page.inputs[claim.inputs].place
        try:
            self.reading.few(claim.inputs)
        except TooLarge as error:
            raise NotCovered(place, str(error)) from error
        on = self.terms.define(place, claim.inputs).name
        condition = claim.condition
        if condition is None:
            return on, "everywhere"
        self.define(f"{name}'if", claim, "found", self.about(lambda: self.terms.term(condition, {}, 200), on))
        return on, f"{name}'if"

    def case_of(self, claim: Claim) -> str:
        return named(self.page.inputs[claim.inputs or ""].variable)

    def define(self, name: str, claim: Claim, type_: str, text: str) -> None:
        self.claims.append(f"Definition {name} ({self.case_of(claim)} : found) : {type_} :=\n  {plain(text)}.")

    def let(self, claim: Claim, text: str) -> str:
        """The same function of the case, in which each definition is computed once."""
        by_name = {w.name: w for w in self.terms.written.values()}
        wanted, left = set[str](), _named(text)
        while left:
            wanted |= left
            left = {n for name in left for n in _named(by_name[name].text)} - wanted
        lets = "".join(_let(w) for w in self.terms.written.values() if w.name in wanted)
        return f"(fun {self.case_of(claim)} : found =>\n    {lets}{shared(text)})" if lets else ""

    def rows(self, entry: dict[str, Any]) -> tuple[str, dict[int, str]]:
        """What Coq finds of each sign, as its list; the least slacks."""
        seen = {self.numbers[line["line"], line["column"]]: line for line in entry["lines"]}
        least = {k: _q(line["least"]["slack"]) for k, line in seen.items() if "least" in line}
        rows = [
            f"({seen[k]['made'] if k in seen else 0}%Z, {f'Some {least[k]}' if k in least else 'None'})"
            for k in self.numbers.values()
        ]
        return " ;; ".join([*rows, "nil"]), least

    def case(self, part: Part, entry: dict[str, Any], on: str, guard: str) -> None:
        name, claim = part.name, part.claim
        lines, run = f"{name}'lines", f"{name}'run"
        text = self.about(lambda: self.terms.lines(part.lines, {}, self.numbers), on)
        self.define(lines, claim, "lines", text)
        let, given = self.let(claim, text), f"{on} {guard} {lines}"
        rows, least = self.rows(entry)
        signs = len(self.numbers)
        report = f"Some (Report {entry['cases']} {entry.get('failing', 0)} ({rows}))"
        self.lemma(run, f"check {MOST} {signs} {on} {guard} {{}}", lines, let, report)
        holds = f"{lines} (Is w)" if guard == "everywhere" else f"when ({guard} (Is w)) ({lines} (Is w))"
        says = f"forall w, a_case {on} w ->\n  hold ({holds})"
        told = f"(reported _ _ _ _ _ _ {run} eq_refl)"
        if "first" in entry:
            first = entry["first"]
            rank, value = first["ranks"][0], f"({_value(first['cases'][0])})%page"
            it = f"match {value} with Is w => Some ({rank}%Z, w) | Refused => None end"
            is_first = f"{value} /\\ first_failure {MOST} {given} {rank} w"
            self.theorem(
                f"{name}'fails",
                "It is false.",
                f"~ ({says})",
                f"exact (refuted _ _ _ _ _ _ {run} ltac:(discriminate)).",
            )
            self.lemma(f"{name}'first_run", f"first {MOST} {on} {guard} {{}}", lines, let, it)
            self.theorem(
                f"{name}'first",
                "The first case where it fails, and its rank.",
                f"exists w, Is w = {is_first}",
                f"eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ {name}'first_run).",
            )
            return
        if part.lines:
            self.theorem(f"{name}'holds", "It holds.", says, f"exact (proj1 {told}).")
        self.theorem(
            f"{name}'cases", "Its cases.", f"exactly {entry['cases']} (admitted {on} {guard})", f"exact (proj2 {told})."
        )
        for k, slack in least.items():
            proof = f"exact (least_is _ _ _ _ _ _ {k} _ _ {run} ltac:(split; discriminate) eq_refl)."
            self.theorem(f"{name}'least_{k}", f"The least slack of its sign {k}.", f"least {given} {k} {slack}", proof)

    def across(self, part: Part, entry: dict[str, Any], on: str, guard: str) -> None:
        (line,) = part.lines
        if not isinstance(line, Across) or not all(
            isinstance(one, Chain) and len(one.signs) == 1 for one in line.lines
        ):
            raise NotCovered(line.place, "across, with other lines than single inequalities")
        name, claim = part.name, part.claim
        text = self.about(lambda: self.terms.term(line.numbers, {}, 200), on)
        self.define(f"{name}'numbers", claim, "found", text)
        lower, env = self.terms.bind(line.lower, {})
        upper, env = self.terms.bind(line.upper, env)
        pair = self.about(lambda: self.terms.lines(line.lines, env, self.numbers))
        self.claims.append(f"Definition {name}'pair ({lower} {upper} : found) : lines :=\n  {plain(pair)}.")
        holds = "first" not in entry
        checked = f"check_across {MOST} {len(self.numbers)} {on} {guard} {{}} {name}'pair"
        report = f"Some (Pairs {str(holds).lower()} ({self.rows(entry)[0]}))"
        self.lemma(f"{name}'run", checked, f"{name}'numbers", self.let(claim, text), report)
        says = f"across {on} {guard} {name}'numbers {name}'pair"
        if holds:
            proof = f"eapply across_sound; [unfold widening, {name}'pair; widen|exact {name}'run]."
            self.theorem(f"{name}'across", "It holds of every two cases.", says, proof)
            for k, slack in self.rows(entry)[1].items():
                least = f"least_across {on} {guard} {name}'numbers {name}'pair {k} {slack}"
                proof = f"unfold {name}'pair; narrow|exact {name}'run|split; discriminate|reflexivity"
                told = f"The least slack of its sign {k}, of every two cases."
                self.theorem(f"{name}'least_{k}", told, least, f"eapply across_least; [{proof}].")
        else:
            self.theorem(
                f"{name}'fails",
                "It is false of two cases.",
                f"~ {says}",
                f"exact (across_refuted _ _ _ _ _ _ _ {name}'run).",
            )

    def once(self, part: Part, entry: dict[str, Any], _: str, __: str) -> None:
        text = self.about(lambda: self.terms.lines(part.lines, {}, self.numbers))
        self.claims.append(f"Definition {part.name}'lines : lines :=\n  {plain(text)}.")
        if "first" in entry:
            self.theorem(
                f"{part.name}'fails",
                "It is false.",
                f"~ hold {part.name}'lines",
                "apply not_held. vm_compute. reflexivity.",
            )
        else:
            self.theorem(
                f"{part.name}'once", "It holds.", f"hold {part.name}'lines", "apply held. vm_compute. reflexivity."
            )

    def lemma(self, name: str, checked: str, lines: str, let: str, found: str) -> None:
        """What is checked = found, computed with the definitions by `let`; Coq compares both."""
        steps = f"  transitivity ({checked.format(let)}).\n  - reflexivity.\n  - " if let else "  "
        proof = f"{steps}vm_cast_no_check (eq_refl ({found}))."
        self.claims.append(
            f"(** Computed. *)\nLemma {name} : {checked.format(lines)} =\n  {found}.\nProof.\n{proof}\nQed."
        )

    def theorem(self, name: str, comment: str, says: str, proof: str) -> None:
        self.claims.append(f"(** {comment} *)\nTheorem {name} : {says}.\nProof. {proof} Qed.")
        self.proved.append(name)


def parts_of(claim: Claim, name: str) -> list[Part]:
    if claim.inputs is None:
        return [Part(claim, "once", name, claim.lines)]
    found = [Part(claim, "case", name, [line for line in claim.lines if not isinstance(line, Across | Once)])]
    for kind in (Across, Once):
        lines = [line for line in claim.lines if isinstance(line, kind)]
        found += [Part(claim, kind.kind, f"{name}'{kind.kind[0]}{k}", [line]) for k, line in enumerate(lines, 1)]
    return found


def _named(text: str) -> set[str]:
    """The definitions about the case that a text speaks of."""
    return set(re.findall(r"[⟨⟪](.*?)\|", text))


def _let(w: Written) -> str:
    text = f"fun{w.arguments} => {shared(w.text)}" if w.arguments else shared(w.text)
    return f"let {w.name} := {text} in\n    "


def _definition(w: Written) -> str:
    cases = "".join(f" ({case} : found)" for case in w.of)
    return f"Definition {w.name}{cases}{w.arguments} : {w.type} :=\n  {plain(w.text)}."


def _q(slack: str) -> str:
    top, _, bottom = slack.partition("/")
    return f"({top} # {bottom or 1})%Q"


def _value(v: Any) -> str:
    """A case as certificates have it."""
    if isinstance(v, list):
        return "[" + ", ".join(map(_value, v)) + "]"
    if isinstance(v, bool):
        return "yes" if v else "no"
    return f"- ({v[1:]})" if v.startswith("-") else str(v)


def _comment(text: str) -> str:
    """Without what would end a comment, or open a string in it."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def _wrapped(line: str) -> str:
    """In lines of 116 characters."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    made = ""
    while len(line) > 116 and (k := line.rfind(" ", len(indent) + 1, 116)) > 0:
        made, line = made + line[:k] + "\n", indent + line[k + 1 :]
    return made + line


def _folded(text: str, width: int = 106) -> str:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n    ".join(lines)
