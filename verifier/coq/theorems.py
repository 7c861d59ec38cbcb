"""A page at sizes as a file of Coq: its definitions, and of each claim what was found, as theorems with their proofs.

The numbers are those of the slow reading (evaluate/definition.py). Nothing rests on them: were one of them wrong, Coq
would refuse the file."""

import re
from collections.abc import Callable
from dataclasses import replace

from gmpy2 import mpq

from verifier.coq.terms import NotCovered, Terms, Written, plain, shared
from verifier.evaluate.definition import Reading
from verifier.evaluate.ledger import Ledger
from verifier.evaluate.values import List
from verifier.language.page import Understood
from verifier.language.tree import Claim, Tree
from verifier.language.words import Place

MOST = 100_000  # cases that Coq is asked to run

HEAD = """(** {title}

    At {sizes}. Written by `verify --paper FILE --coq`; the page's own names, the words of Core.v, the notation of Words.v.
    A claim's theorems end in _holds, _fails, _across or _once; _cases says how many cases it is about, _least_k the least
    slack of its sign k, _first which case fails first. A file that compiles proves them all; the lemmas _run are computed by Coq.
    {left_out} *)

From Coq Require Import QArith ZArith List.
From Contextual.reader Require Import Core Check Sound Words.
Open Scope page_scope.
"""

def written(page: Understood, sizes: dict[str, int], ids: list[str]) -> tuple[str, dict[str, str]]:
    """The file; and of the claims that it doesn't cover why, by their ids."""
    return File(page, sizes).of(ids)


class File:
    def __init__(self, page: Understood, sizes: dict[str, int]) -> None:
        self.page, self.sizes = page.page, sizes
        self.reading = Reading(page, sizes, most=MOST)
        self.terms = Terms(page.page, sizes)
        self.claims: list[str] = []
        self.proved: list[str] = []
        self.left_out: dict[str, str] = {}

    def of(self, ids: list[str]) -> tuple[str, dict[str, str]]:
        for id_ in ids:
            claim = self.page.claims[id_]
            kept = self.claims, self.proved
            self.claims, self.proved = [*self.claims], [*self.proved]
            try:
                self.claim(claim)
            except NotCovered as error:
                self.claims, self.proved = kept
                line = f"line {error.place[0]}: " if error.place[0] else ""
                self.left_out[id_] = line + error.what
        left = [f"{id_} ({_comment(why)})" for id_, why in self.left_out.items()]
        told = "Not covered, and nothing is said of them: " + "; ".join(left) + "." if left else "Every claim is covered."
        named = ", ".join(f"{n} = {k}" for n, k in self.sizes.items()) or "no sizes"
        head = HEAD.format(title=_comment(self.page.title or "A page"), sizes=named, left_out=_folded(told))
        definitions = [_definition(w) for w in self.terms.written.values()]
        names = [w.name for w in self.terms.written.values() if w.of]
        strategy = f"\nStrategy expand [{' '.join(names)}].\n" if names else ""
        proved = ", ".join(self.proved)
        asked = f"\nDefinition proved := ({_folded(proved)}).\nPrint Assumptions proved." if proved else ""
        text = "\n".join([head, *definitions, strategy, *self.claims, asked])
        return text.rstrip() + "\n", self.left_out

    def about(self, write: Callable[[], str]) -> tuple[str, tuple[str, ...]]:
        """A text of a claim, and the cases that it speaks of."""
        self.terms.under_way.append(("", set()))
        try:
            text = write()
            return text, tuple(sorted(self.terms.under_way[-1][1]))
        finally:
            self.terms.under_way.pop()

    # claims

    def claim(self, claim: Claim) -> None:
        if claim.skip is not None and self.reading.nothing.truth(claim.skip[0], {}):
            raise NotCovered((0, 0), f"skipped: {claim.skip[1]}")
        numbers = {sign.place: k for k, (sign, _) in enumerate(claim.signs, 1)}
        name = self.terms.names[claim.id]
        self.claims.append(f'\n(** {claim.id}, {claim.kind}, {_comment(claim.source)}\n    "{_folded(_comment(claim.words))}" *)')
        apart = ("once",) if claim.inputs is None else ("once", "across")
        usual = [line for line in claim.lines if claim.inputs is None or line[0] not in apart]
        if claim.inputs is None:
            self.once(claim, name, usual, numbers)
            return
        on, guard = self.about_cases(claim, name)
        self.by_case(claim, name, usual, numbers, on, guard)
        for k, line in enumerate([line for line in claim.lines if line[0] == "across"], 1):
            self.across(claim, f"{name}_{k}", line, numbers, on, guard)
        for k, line in enumerate([line for line in claim.lines if line[0] == "once"], 1):
            self.once(replace(claim, inputs=None), f"{name}_{k}", [line], numbers)

    def decided(self, claim: Claim, lines: list[Tree]) -> Ledger:
        return self.reading.decide(replace(claim, lines=lines, skip=None))

    def about_cases(self, claim: Claim, name: str) -> tuple[str, str]:
        """The claim's inputs and guard."""
        assert claim.inputs is not None
        place = self.page.inputs[claim.inputs].place
        if self.reading.space(claim.inputs).cases > MOST:
            raise NotCovered(place, f"more than {MOST:,} cases")
        on = self.terms.define(place, claim.inputs).name
        if claim.condition is None:
            return on, "everywhere"
        condition = claim.condition
        text, _ = self.about(lambda: self.terms.term(condition, {}, 200))
        self.define(f"{name}_if", claim, "found", text)
        return on, f"{name}_if"

    def define(self, name: str, claim: Claim, type_: str, text: str) -> None:
        assert claim.inputs is not None
        case = self.terms.names[self.page.inputs[claim.inputs].variable]
        self.claims.append(f"Definition {name} ({case} : found) : {type_} :=\n  {plain(text)}.")

    def let(self, claim: Claim, text: str) -> str:
        """The same function of the case, in which each definition is computed once."""
        assert claim.inputs is not None
        case = self.terms.names[self.page.inputs[claim.inputs].variable]
        by_name = {w.name: w for w in self.terms.written.values()}
        wanted, left = set[str](), _named(text)
        while left:
            wanted |= left
            left = {n for name in left for n in _named(by_name[name].text)} - wanted
        lets = [_let(w) for w in self.terms.written.values() if w.name in wanted]
        return f"(fun {case} : found =>\n    {''.join(lets)}{shared(text)})" if lets else ""

    def by_case(self, claim: Claim, name: str, lines: list[Tree], numbers: dict[Place, int], on: str, guard: str) -> None:
        ledger = self.decided(claim, lines)
        text, _ = self.about(lambda: self.terms.lines(lines, {}, numbers))
        self.define(name, claim, "lines", text)
        rows = {numbers[line.place]: line for line in ledger.lines.values()}
        row = []
        for k in numbers.values():
            line = rows.get(k)
            least = None if line is None or line.least is None else line.least[0]
            row.append(f"({0 if line is None else line.made}%Z, {'None' if least is None else f'Some {_q(least)}'})")
        report = f"Some (Report {ledger.cases} {len(ledger.failing)} ({' ;; '.join([*row, 'nil'])}))"
        given = f"{on} {guard} {name}"
        run = f"{name}_run"
        self.lemma(run, f"check {MOST} {len(numbers)} {on} {guard} {{}}", name, self.let(claim, text), report)
        admitted = f"hold ({name} (Is w))" if guard == "everywhere" else f"hold (when ({guard} (Is w)) ({name} (Is w)))"
        says = f"forall w, a_case {on} w ->\n  {admitted}"
        if ledger.first is not None:
            self.theorem(f"{name}_fails", f"~ ({says})", f"exact (refuted _ _ _ _ _ _ {run} ltac:(discriminate)).")
            rank, case = ledger.first.ranks[0], self.reading.space(claim.inputs or "").case(ledger.first.ranks[0])
            value = f"({_value(case)})%page"
            self.lemma(f"{name}_first_run", f"first {MOST} {on} {guard} {{}}", name, self.let(claim, text),
                f"match {value} with Is w => Some ({rank}%Z, w) | Refused => None end")  # fmt: skip
            self.theorem(f"{name}_first", f"exists w, Is w = {value} /\\ first_failure {MOST} {given} {rank} w",
                f"eexists. split; [vm_compute; reflexivity|]. exact (first_is _ _ _ _ _ _ {name}_first_run).")  # fmt: skip
            return
        if lines:
            self.theorem(f"{name}_holds", says, f"exact (proj1 (reported _ _ _ _ _ _ {run} eq_refl)).")
        self.theorem(f"{name}_cases", f"exactly {ledger.cases} (admitted {on} {guard})",
            f"exact (proj2 (reported _ _ _ _ _ _ {run} eq_refl)).")  # fmt: skip
        for k, line in rows.items():
            if line.least is not None:
                self.theorem(f"{name}_least_{k}", f"least {given} {k} {_q(line.least[0])}",
                    f"exact (least_is _ _ _ _ _ _ {k} _ _ {run} ltac:(split; discriminate) eq_refl).")  # fmt: skip

    def across(self, claim: Claim, name: str, line: Tree, numbers: dict[Place, int], on: str, guard: str) -> None:
        _, place, collected, a, b, inner = line
        if any(part[0] != "relation" or len(part[2]) != 1 for part in inner):
            raise NotCovered(place, "across with other lines than single inequalities")
        ledger = self.decided(claim, [line])
        if ledger.first is not None:
            raise NotCovered(place, "across that is refuted")
        text, _ = self.about(lambda: self.terms.term(collected, {}, 200))
        self.define(f"{name}_numbers", claim, "found", text)
        a_, env = self.terms.bind(a, {})
        b_, env = self.terms.bind(b, env)
        pair, _ = self.about(lambda: self.terms.lines(inner, env, numbers))
        self.claims.append(f"Definition {name}_pair ({a_} {b_} : found) : lines :=\n  {plain(pair)}.")
        rows = {numbers[line.place]: line for line in ledger.lines.values()}
        row = []
        for k in numbers.values():
            its = rows.get(k)
            least = None if its is None or its.least is None else its.least[0]
            row.append(f"({0 if its is None else its.made}%Z, {'None' if least is None else f'Some {_q(least)}'})")
        found = f"Some (Pairs true ({' ;; '.join([*row, 'nil'])}))"
        checked = f"check_across {MOST} {len(numbers)} {on} {guard} {{}} {name}_pair"
        self.lemma(f"{name}_run", checked, f"{name}_numbers", self.let(claim, text), found)
        self.theorem(f"{name}_across", f"across {on} {guard} {name}_numbers {name}_pair",
            f"eapply across_sound; [unfold widening, {name}_pair; widen|exact {name}_run].")  # fmt: skip

    def once(self, claim: Claim, name: str, lines: list[Tree], numbers: dict[Place, int]) -> None:
        ledger = self.decided(replace(claim, inputs=None), lines)
        text, _ = self.about(lambda: self.terms.lines(lines, {}, numbers))
        self.claims.append(f"Definition {name}_once_lines : lines :=\n  {plain(text)}.")
        if ledger.first is not None:
            self.theorem(f"{name}_once_fails", f"~ hold {name}_once_lines", "apply not_held. vm_compute. reflexivity.")
        else:
            self.theorem(f"{name}_once", f"hold {name}_once_lines", "apply held. vm_compute. reflexivity.")

    def lemma(self, name: str, checked: str, lines: str, let: str, found: str) -> None:
        """What is checked = found, computed with the definitions of each case by `let`, which Coq compares with them."""
        steps = f"  transitivity ({checked.format(let)}).\n  - reflexivity.\n  - " if let else "  "
        self.claims.append(f"Lemma {name} : {checked.format(lines)} = {found}.\nProof.\n{steps}vm_cast_no_check (eq_refl ({found})).\nQed.")

    def theorem(self, name: str, says: str, proof: str) -> None:
        self.claims.append(f"Theorem {name} : {says}.\nProof. {proof} Qed.")
        self.proved.append(name)


def _named(text: str) -> set[str]:
    """The definitions about the case that a text speaks of."""
    return set(re.findall(r"[⟨‹](.*?)\|", text))


def _let(w: Written) -> str:
    text = f"fun{w.arguments} => {shared(w.text)}" if w.arguments else shared(w.text)
    return f"let {w.name} := {text} in\n    "


def _definition(w: Written) -> str:
    cases = "".join(f" ({case} : found)" for case in w.of)
    return f"Definition {w.name}{cases}{w.arguments} : {w.type} :=\n  {plain(w.text)}."


def _q(q: mpq) -> str:
    return f"({q.numerator} # {q.denominator})%Q"


def _value(v: object) -> str:
    if isinstance(v, List):
        return "[" + ", ".join(map(_value, v.items)) + "]"
    if isinstance(v, bool):
        return "yes" if v else "no"
    return str(v) if v >= 0 else f"- ({-v})"  # type: ignore[operator]


def _comment(text: str) -> str:
    """Without what would end a comment, or open a string in it."""
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")


def _folded(text: str, width: int = 116) -> str:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n    ".join(lines)
