"""The obligations as scripts in SMT-LIB 2, for a solver that doesn't see our proofs: `unsat` means that one holds.

Each asserts what may be used, and that the goal is false: the letters are whole numbers (those of SLACK >= 0), in the
obligation's range; what is given; the definitions that the proof replaces, as equations; the facts that it uses, each
under the condition of its own range. The proof's sum isn't in it.
"""

import re
from collections.abc import Iterable, Iterator

from sympy import Expr, Integer

from verifier.symbolic.algebra import INDICES, Terms, parse_index, terms
from verifier.symbolic.certificate import CLAIMS, search
from verifier.symbolic.facts import Pair
from verifier.symbolic.prove import PAPER, SLACK, Attempt, Obligation, Setting, Shown, Step, Unproved, obligations

_HEAD = """\
; Obligations of a symbolic proof (verifier.proof/2, proofs/SYMBOLIC.md), each negated: unsat means shown.
; Each part that begins with (reset) is a script of its own; what it is about is echoed before its answer.
"""
_PART = """
(reset)
(set-info :smt-lib-version 2.6)
(set-info :source |verifier, proofs/SYMBOLIC.md, 4: {name}|)
(set-info :status {status})
(set-logic QF_NIA)
"""
_NAME = re.compile(r"\|[^|]+\||[A-Za-z]\w*")


def script(ids: Iterable[str], n: int | None = None, setting: Setting = PAPER) -> str:
    """All obligations of these claims; those of a fact that we have no proof of have the status `unknown`."""
    chosen = [i for i in CLAIMS if i in set(ids)]
    shown, failed = search(chosen, n, setting)
    for name in {error.obligation.fact.name for error in failed}:
        parts = obligations(setting.facts[name], n, setting.least_n)
        shown[name] = [_not_shown(part, setting) for part in parts]
    out = [_HEAD]
    for name, fact in setting.facts.items():
        claims = [i for i in chosen if name in setting.text.enough(i)]
        for one in shown.get(name, []):
            out.append(_PART.format(name=one.obligation, status="unsat" if one.total is not None else "unknown"))
            out += [f"; fact {name}: {fact.text}\n"]
            out += [f"; case {one.obligation.case}\n"] if one.obligation.case else []
            out += [f"; needed by {', '.join(claims) or 'other facts'}\n", *_commands(one, setting)]
    return "".join(out)


def _not_shown(obligation: Obligation, setting: Setting) -> Shown:
    try:
        return Attempt(obligation, setting).not_shown()
    except Unproved:  # the fact to be used doesn't hold there
        return Shown(obligation, (), (), None)


def _commands(one: Shown, setting: Setting) -> Iterator[str]:
    o = one.obligation
    range_ = [pair for pair in o.known if not _plain(pair)]
    given = [(f"given: {symbol} is this", _equal(symbol, by)) for symbol, by in o.given]
    defined = [(_words("definition", step), _equal(s, by)) for step, s, by in one.replaced if step.fact != "given"]
    used = []
    for step, hypothesis, equal in one.used:
        if step.fact == "before":
            used.append(("the induction hypothesis", _relation(hypothesis, equal)))
        elif step.fact != "range":  # which follows from the obligation's own
            said = _relation(hypothesis, equal)
            for low, high in reversed(_range_of(step, one, setting)):
                said = f"(=> {_at_most(low, high)} {said})"
            used.append((_words("fact", step), said))
    asserted = [("range", _at_most(*pair)) for pair in range_] + given + defined + used
    asserted.append(("the goal, negated", f"(not {_relation(o.goal, o.fact.equal)})"))
    letters = sorted({name for _, said in asserted for name in _NAME.findall(said)} - {"not"})
    yield from (f"(declare-const {letter} Int)\n" for letter in letters)
    slack = [letter for letter in letters if letter.strip("|").partition("[")[0] in SLACK]
    yield from (f"(assert (>= {letter} 0)) ; slack\n" for letter in slack)
    yield from (f"(assert {said}) ; {words}\n" for words, said in asserted)
    yield f'(echo "{o}")\n(check-sat)\n'


def _range_of(step: Step, one: Shown, setting: Setting) -> list[Pair]:
    """The conditions that a fact, where it is used, puts on its indices."""
    place = {name: one.obligation.at.get(name, INDICES[name]) for name in "mndf"}
    place |= {name: parse_index(words) for name, words in step.at}
    numbers = {INDICES[name]: value for name, value in place.items()}
    where = setting.facts[step.fact.rstrip("'")].where
    pairs = [(low.xreplace(numbers), high.xreplace(numbers)) for low, high in where]
    return [pair for pair in pairs if not _plain(pair)]


def _plain(pair: Pair) -> bool:
    """Such as 1 <= 3 and j <= j+1."""
    return bool((pair[1] - pair[0]).is_nonnegative)


def _words(kind: str, step: Step) -> str:
    return ", ".join([f"{kind} {step.fact}", *(f"{name} = {words}" for name, words in step.at)])


def _equal(left: Expr, right: Expr) -> str:
    return f"(= {_polynomial(left)} {_polynomial(right)})"


def _at_most(low: Expr, high: Expr) -> str:
    return f"(<= {_polynomial(low)} {_polynomial(high)})"


def _relation(p: Expr, equal: bool) -> str:
    return f"({'=' if equal else '>='} {_polynomial(p)} 0)"


def _polynomial(p: Expr) -> str:
    found: Terms = terms((p + Integer(0)).expand())
    return _applied("+", [_monomial(powers, c) for powers, c in found], "0")


def _monomial(powers: dict[str, int], c: int) -> str:
    factors = [_name(letter) for letter, exponent in sorted(powers.items()) for _ in range(exponent)]
    size = [] if c == 1 else [str(c) if c > 0 else f"(- {-c})"]
    return _applied("*", size + factors, "1")


def _applied(operation: str, parts: list[str], of_none: str) -> str:
    return f"({operation} {' '.join(parts)})" if len(parts) > 1 else "".join(parts) or of_none


def _name(letter: str) -> str:
    """k[j+1] as |k[j+1]|."""
    return letter if letter.isalnum() else f"|{letter}|"
