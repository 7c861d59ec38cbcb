"""The slow reading: the meaning of a page, in the words of LANGUAGE.md. Each case, each layer, each token, each
relation as it stands, in rationals. What is quicker is compared with this."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.budget import A_CASE, STEPS, allow, spend
from verifier.evaluate.builtins import computed
from verifier.evaluate.cases import MOST, Space, space_of
from verifier.evaluate.ledger import HOLDS, INEQUALITIES, Ledger, Ranks, Relation
from verifier.evaluate.network import Ran, Run, count
from verifier.evaluate.reals import for_all
from verifier.evaluate.values import (
    AffineInStep,
    List,
    NotAffine,
    Wrong,
    case_text,
    equal,
    exact,
    items,
    number,
    placed,
    plain,
    plus,
    power,
    small,
    times,
    truth,
    whole,
)
from verifier.language.builtins import folds
from verifier.language.page import Understood, given
from verifier.language.tree import (
    BETWEEN_TRUTHS,
    Across,
    And,
    Call,
    Category,
    Chain,
    Claim,
    ClaimLine,
    Compare,
    Definition,
    Dots,
    Each,
    Expression,
    ForAll,
    ForEach,
    If,
    Iff,
    Index,
    Inputs,
    ListOf,
    Name,
    Not,
    Number,
    Once,
    Or,
    Power,
    Product,
    Range,
    Sign,
    Sum,
    Truth,
    When,
    Within,
    with_dots,
)
from verifier.language.words import Place, Refused, TooLarge
from verifier.language.write import expression

DEPTH = 2_000  # of expressions in one another, through definitions; Python's own limit comes first, where it is 1,000
LONGEST = 200  # characters of a case in a message
At = dict[str, Any]  # what the letters stand for


class Reading:
    """A page at sizes, with what a variant exchanges."""

    def __init__(
        self,
        understood: Understood,
        sizes: dict[str, int],
        variant: dict[str, mpq] | None = None,
        most: int = MOST,
        steps: float | None = None,
    ) -> None:
        self.understood, self.page, self.most = understood, understood.page, most
        self.a_case = A_CASE if steps is None else 0
        allow(STEPS if steps is None else steps)
        self.constants, self.case_dependent, self.names = (
            understood.constants,
            understood.case_dependent,
            understood.names,
        )
        self.sizes = {name: mpq(size) for name, size in given(self.page, sizes).items()}
        for name in variant or {}:
            if name not in self.page.printed:
                named = ", ".join(self.page.printed) or "none"
                raise Refused((0, 0), f"the page has no number named {name} after 'as'; it has {named}")
        self.exchanged = {self.page.printed[name]: value for name, value in (variant or {}).items()}
        self.spaces: dict[str, Space] = {}
        self.gathered: dict[int, list[Any]] = {}
        self.counted: dict[str, dict[str, dict[str, int]]] = {}  # of inputs: the cases and inputs of each category
        self.depth = 0
        self.ran: dict[str, dict[Any, Ran]] = {}  # layers, once for all that their weights may depend on
        self.alone: dict[tuple[str, int], Case] = {}  # cases that are named, by their ranks
        self.nothing = Case(self, {})

    def space(self, name: str) -> Space:
        if name not in self.spaces:
            inputs = self.page.inputs[name]
            with placed(inputs.place):
                self.spaces[name] = space_of(inputs, self.nothing, self.most)
            spend(-self.a_case * min(self.spaces[name].cases, self.most))
        return self.spaces[name]

    def few(self, name: str) -> Space:
        """The space, of which each case is to be run by itself; refused, if they are too many."""
        space = self.space(name)
        if space.too_many is not None:
            raise space.too_many
        return space

    def cases(self, name: str) -> Iterator["Case"]:
        variable = self.page.inputs[name].variable
        for case, weight in self.few(name):
            yield Case(self, {variable: case, "weight": mpq(weight)})

    def case(self, name: str, rank: int) -> "Case":
        space = self.space(name)
        case = space.case(rank)
        return Case(self, {self.page.inputs[name].variable: case, "weight": mpq(space.weight_of(case))})

    def over(self, tree: Each) -> list[Any]:
        """E for letter in R over inputs if C: a constant of the page."""
        if id(tree) not in self.gathered:
            values = []
            for case in self.cases(str(tree.inputs)):
                for k in [None] if tree.reach is None else case.reach(tree.reach, {}):
                    at = {} if k is None else {str(tree.letter): k}
                    if tree.condition is None or case.truth(tree.condition, at):
                        values.append(case(tree.body, at))
            self.gathered[id(tree)] = values
        return self.gathered[id(tree)]

    @property
    def named(self) -> dict[str, mpq]:
        """The constants with names in certificates."""
        return {printed: self.nothing.number(Name((0, 0), name), {}) for printed, name in self.page.printed.items()}

    # claims

    def run(self, ids: list[str]) -> list[Ledger]:
        """The claims, in the page's order."""
        return [self.decide(claim) for claim in self.page.claims.values() if claim.id in ids]

    def decide(self, claim: Claim) -> Ledger:
        if claim.skip is not None and self.nothing.truth(claim.skip[0], {}):
            return Ledger(claim, claim.skip[1])
        ledger = Ledger(claim)
        collected: dict[int, list[tuple[Any, int]]] = {}
        if claim.inputs is None:
            ledger.cases = 1
            self.once(claim, ledger, claim.lines)
            return ledger
        for rank, case in enumerate(self.cases(claim.inputs)):
            ledger.cases += at_case(claim, case, rank, ledger, collected)
        for k, line in enumerate(claim.lines):
            if isinstance(line, Once):
                self.once(claim, ledger, line.lines)
            elif isinstance(line, Across):
                self.across(ledger, line, collected.get(k, []))
        return ledger

    def once(self, claim: Claim, ledger: Ledger, lines: list[ClaimLine]) -> None:
        """Relations about no case. What is refused there names the claim."""
        try:
            Relations(self.nothing, ledger, (), {}).of(lines)
        except TooLarge:
            raise
        except Refused as error:
            raise Refused(error.place, f"{error.message}; met by {claim.id}") from error

    def across(self, ledger: Ledger, line: Across, collected: list[tuple[Any, int]]) -> None:
        a, b, inner = line.lower, line.upper, line.lines
        pairs = [pair for pair in pairwise(sorted(collected)) if pair[0][1] != pair[1][1]]
        if pairs:
            widening(self.nothing, inner, a, b, {})
        for (low, i), (high, j) in pairs:
            Relations(self.nothing, ledger, (min(i, j), max(i, j)), {}).of(inner, {a: low, b: high})

    def check_categories(self, name: str) -> dict[str, dict[str, int]]:
        """How many cases and inputs each category has: as the page says; or refused."""
        categories = [c for c in self.page.categories if c.inputs == name]
        counts = self.counted[name] if name in self.counted else self.count_categories(name, categories)
        for c in categories:
            for what, formula in (("cases", c.cases), ("inputs", c.weight)):
                if (stated := self.nothing.number(formula, {})) != counts[c.name][what]:
                    raise Refused(formula.place, f"{c.name} has {counts[c.name][what]:,} {what}, not {stated}")
        return counts

    def count_categories(self, name: str, categories: list[Category]) -> dict[str, dict[str, int]]:
        """The cases and inputs of each; each case is in exactly one, or refused."""
        counts = {c.name: {"cases": 0, "inputs": 0} for c in categories}
        for case in self.cases(name) if categories else ():
            inside = [c.name for c in categories if case.truth(c.condition, {})]
            if len(inside) != 1:
                inputs = self.page.inputs[name]
                raise not_in_one(categories[0], inside, case.variables[inputs.variable], inputs)
            counts[inside[0]]["cases"] += 1
            counts[inside[0]]["inputs"] += int(case.variables["weight"])
        return counts


def at_case(claim: Claim, case: "Case", rank: int, ledger: Ledger, collected: dict[int, list[tuple[Any, int]]]) -> bool:
    """Makes the claim's relations at a case, if it is one of its cases. What is refused there names both."""
    try:
        inside = claim.condition is None or case.truth(claim.condition, {})
        if inside:
            Relations(case, ledger, (rank,), collected).of(claim.lines)
    except TooLarge:
        raise
    except Refused as error:
        inputs = case.page.inputs[str(claim.inputs)]
        text = case_text(plain(case.variables[inputs.variable]), inputs.kind)
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
        raise Refused(error.place, f"{error.message}; met by {claim.id} at the case {text}") from error
    return inside


def not_in_one(first: Category, inside: list[str], case: List, inputs: Inputs) -> Refused:
    which = " and in ".join(inside) or "no category"
    return Refused(first.place, f"the case {case_text(plain(case), inputs.kind)} is in {which}; each is in exactly one")


class Relations:
    """The relations of a claim's lines, made in order."""

    def __init__(self, case: "Case", ledger: Ledger, ranks: Ranks, collected: dict[int, list[tuple[Any, int]]]) -> None:
        self.case, self.ledger, self.ranks, self.collected = case, ledger, ranks, collected

    def of(self, lines: Sequence[ClaimLine], at: At | None = None) -> None:
        for k, line in enumerate(lines):
            self.line(k, line, at or {})

    def line(self, k: int, line: ClaimLine, at: At) -> None:
        case = self.case
        if isinstance(line, Chain):
            self.chain(line, at)
        elif isinstance(line, ForEach):
            for value in case.reach(line.reach, at):
                inner = {**at, line.letter: value}
                if line.condition is None or case.truth(line.condition, inner):
                    self.of(line.lines, inner)
        elif isinstance(line, When):
            if case.truth(line.condition, at):
                self.of(line.lines, at)
        elif isinstance(line, Within):
            values = sorted(numbers(line.place, case(line.numbers, at)))
            if len(values) > 1:
                widening(case, line.lines, line.lower, line.upper, at)
            for low, high in pairwise(values):
                self.of(line.lines, {**at, line.lower: low, line.upper: high})
        elif isinstance(line, ForAll):
            for holds, slack, relation in for_all(case, line, at, self.ranks):
                self.ledger.record(holds, slack, relation)
        elif isinstance(line, Across):
            values = numbers(line.place, case(line.numbers, at))
            self.collected.setdefault(k, []).extend((v, self.ranks[0]) for v in values)
        elif not self.ranks:  # once:, of a claim about no case
            self.of(line.lines, at)

    def chain(self, line: Chain, at: At) -> None:
        for sign, text, holds, value, bound in self.case.compared(line, at):
            slack = abs(value - bound) if holds and sign in INEQUALITIES else None
            self.ledger.record(holds, slack, Relation(self.ranks, text.place, value, bound, at))


def comparable(a: Any, sign: str, b: Any) -> None:
    if sign in INEQUALITIES:
        number(a, f"'{sign}' compares numbers")
        number(b, f"'{sign}' compares numbers")
    elif sign in BETWEEN_TRUTHS:
        truth(a)
        truth(b)
    else:
        equal(a, b)


def numbers(place: Place, v: Any) -> list[Any]:
    """The numbers of a within or across: one, or a list."""
    with placed(place):
        return [number(item) for item in (v.items if isinstance(v, List) else [v])]


def widening(case: "Case", lines: list[ClaimLine], a: str, b: str, at: At) -> None:
    """Refuses relations that may hold of neighbours a <= b and not of all pairs: the larger side less the smaller one
    must fall neither when b grows nor when a falls. (Its sides are affine in a and b: names.py.)"""
    for line in lines:
        if isinstance(line, ForEach):
            letter = line.letter
            for value in case.reach(line.reach, at):
                inner = {**at, letter: value}
                if line.condition is None or case.truth(
                    line.condition, inner
                ):  # "": a letter that hides one of the two
                    widening(case, line.lines, "" if a == letter else a, "" if b == letter else b, inner)
        elif isinstance(line, When):
            if case.truth(line.condition, at):
                widening(case, line.lines, a, b, at)
        elif isinstance(line, Chain):
            for sign, left, right in zip(line.signs, line.sides, line.sides[1:], strict=False):
                larger, smaller = (left, right) if sign in (">", ">=") else (right, left)

                def less(x: int, y: int, larger: Expression = larger, smaller: Expression = smaller) -> Any:
                    pair = {**at, a: mpq(x), b: mpq(y)}
                    return case.number(larger, pair) - case.number(smaller, pair)

                if less(0, 1) < less(0, 0) or less(1, 0) > less(0, 0):
                    raise Refused(line.place, "this may hold of neighbours and fail for a pair further apart")


class Case:
    """Expressions at one case, or at none (`variables` is empty then)."""

    def __init__(self, reading: Reading, variables: dict[str, Any]) -> None:
        self.reading, self.page, self.variables = reading, reading.page, variables
        self.kept: dict[str, Any] = {}  # definitions
        self.runs: dict[tuple[Any, ...], Run] = {}  # networks
        self.layer: tuple[List, int] | None = None  # within a layer: its tokens, and which one it makes

    def __call__(self, tree: Expression, at: At) -> Any:
        """The value of an expression; at: what its letters stand for."""
        spend(2)
        self.reading.depth += 1
        with placed(tree.place):
            if self.reading.depth > DEPTH:
                raise RecursionError
            value = getattr(self, f"of_{tree.kind}")(tree, at)
        self.reading.depth -= 1
        return value

    def number(self, tree: Expression, at: At) -> Any:
        with placed(tree.place):
            return number(self(tree, at))

    def truth(self, tree: Expression, at: At) -> bool:
        with placed(tree.place):
            return truth(self(tree, at))

    def whole(self, tree: Expression, at: At) -> int:
        with placed(tree.place):
            return whole(self(tree, at))

    def reach(self, tree: Expression, at: At) -> list[Any]:
        """What a letter runs through: a..b, or a list."""
        if not isinstance(tree, Range):
            with placed(tree.place):
                return list(items(self(tree, at)))
        low, high = self.whole(tree.low, at), self.whole(tree.high, at)
        spend(max(0, high - low))
        return [mpq(k) for k in range(low, high + 1)]

    def compared(self, line: Chain, at: At) -> list[tuple[str, Sign, bool, Any, Any]]:
        """Of each sign: the sign, its place and text, whether the relation holds, and its two sides."""
        values, relations = [self(side, at) for side in line.sides], []
        for sign, text, value, bound in zip(line.signs, line.texts, values, values[1:], strict=False):
            with placed(line.place):
                comparable(value, sign, bound)
                relations.append((sign, text, HOLDS[sign](value, bound), value, bound))
        return relations

    # names

    def of_number(self, tree: Number, _: At) -> Any:
        return small(mpq(tree.value))

    def of_truth(self, tree: Truth, _: At) -> bool:
        return tree.value

    def of_name(self, tree: Name, at: At) -> Any:
        name = tree.name
        for known in (at, self.variables, self.reading.sizes, self.reading.exchanged):
            if name in known:
                return known[name]
        at_hand = self.reading.nothing if name in self.reading.constants else self
        if name not in at_hand.kept:
            at_hand.kept[name] = at_hand.defined(name)
        return at_hand.kept[name]

    def defined(self, name: str) -> Any:
        definition = self.page.definitions[name]
        if definition.body is not None:
            return self.truth(definition.body, {}) if definition.truth else self(definition.body, {})
        values: dict[int, Any] = {}
        self.kept[name] = values  # what there is so far
        try:
            low = self.listed(name, definition, values)
        finally:
            del self.kept[name]
        with placed(definition.place):
            return List([values[k] for k in sorted(values)], low)

    def listed(self, name: str, definition: Definition, values: dict[int, Any]) -> int:
        """The items that lines name[...] = ... define, one after the other; their least index."""
        low, high = 1, 0
        for item in definition.items:
            letter, reach = item.letter, item.reach
            for at in [{}] if letter is None or reach is None else ({letter: k} for k in self.reach(reach, {})):
                index = self.whole(item.subscript, at)
                if index in values:
                    raise Refused(item.place, f"{name}[{index}] is defined twice")
                if values and index not in (low - 1, high + 1):
                    so_far = f"{name}[{low}] to {name}[{high}]"
                    raise Refused(item.place, f"{name}[{index}] isn't next to {so_far}, which are defined so far")
                values[index] = self(item.body, at)
                low, high = (min(low, index), max(high, index)) if len(values) > 1 else (index, index)
        return low

    # lists

    def of_index(self, tree: Index, at: At) -> Any:
        base, k = self(tree.listed, at), self.whole(tree.subscript, at)
        if isinstance(base, dict):  # the items so far of a list that is being defined
            if k not in base:
                raise Wrong(f"{expression(tree.listed)}[{k}] isn't defined before it is needed here")
            return base[k]
        listed = items(base)
        if not 0 <= k - base.first < len(listed):
            reach = (
                f"the list runs from {base.first} to {base.first + len(listed) - 1}" if listed else "the list is empty"
            )
            raise Wrong(f"index {k}: {reach}")
        return listed[k - base.first]

    def of_list(self, tree: ListOf, at: At) -> List:
        if len(tree.items) == 1 and isinstance(each := tree.items[0], Each):
            return List(self.each(each, at))
        if with_dots(tree):
            before, first, step, many = self.progression(tree, at)
            spend(many)
            return List([*before, *(first + step * k for k in range(many))])
        return List([self(item, at) for item in tree.items])

    def progression(self, tree: ListOf, at: At) -> tuple[list[Any], Any, Any, int]:
        """[..., x, y, ..., z]: what stands before x; x, the step y - x, and how many items from x to z."""
        *before, last = [self.number(item, at) for item in tree.items if not isinstance(item, Dots)]
        start = before[-2:]
        first, step = start[0], start[1] - start[0] if len(start) == 2 else mpq(1)
        if step == 0:
            raise Wrong("the two items before '...' are equal")
        many = (last - first) / step
        if many.denominator != 1:
            raise Refused(tree.items[-1].place, f"'...' goes from {first} in steps of {step} and never comes to {last}")
        return before[:-2], first, step, max(0, int(many) + 1)

    def each(self, tree: Each, at: At) -> list[Any]:
        if tree.inputs is not None or tree.reach is None:
            return self.reading.over(tree)
        values = []
        for k in self.reach(tree.reach, at):
            inner = {**at, str(tree.letter): k}
            if tree.condition is None or self.truth(tree.condition, inner):
                values.append(self(tree.body, inner))
        return values

    # arithmetic

    def of_sum(self, tree: Sum, at: At) -> Any:
        (sign, first), *rest = tree.terms
        total = self(first, at) if sign > 0 else times(mpq(-1), self(first, at))
        if not rest:
            return total
        for sign, term in rest:
            value = self(term, at)
            total = plus(total, value if sign > 0 else times(mpq(-1), value))
        return total

    def of_product(self, tree: Product, at: At) -> Any:
        (_, first), *rest = tree.factors
        total = self(first, at)
        for sign, factor in rest:
            value = self(factor, at)
            if sign == "*":
                total = times(total, value)
                continue
            if isinstance(number(value), AffineInStep):
                raise NotAffine
            if value == 0:
                raise Refused(factor.place, "a division by 0")
            if sign == "/":
                total = times(total, 1 / value)
            else:
                total = mpq(number(total) // value) if sign == "div" else number(total) % value
        return total

    def of_power(self, tree: Power, at: At) -> Any:
        base, exponent = self.number(tree.base, at), self.whole(tree.exponent, at)
        if exponent < 0 and tree.place in self.reading.case_dependent:
            raise Wrong("a negative power of what doesn't follow from the sizes: multiply out instead")
        return small(power(base, exponent))

    # truths

    def of_compare(self, tree: Compare, at: At) -> bool:
        values = [self(side, at) for side in tree.sides]
        pairs = list(zip(tree.signs, values, values[1:], strict=False))
        for sign, a, b in pairs:
            comparable(a, sign, b)
        return all(HOLDS[sign](a, b) for sign, a, b in pairs)

    def of_and(self, tree: And, at: At) -> bool:
        return all(self.truth(operand, at) for operand in tree.operands)

    def of_or(self, tree: Or, at: At) -> bool:
        return any(self.truth(operand, at) for operand in tree.operands)

    def of_iff(self, tree: Iff, at: At) -> bool:
        a, b = (self.truth(operand, at) for operand in tree.operands)
        return a == b

    def of_not(self, tree: Not, at: At) -> bool:
        return not self.truth(tree.operand, at)

    def of_if(self, tree: If, at: At) -> Any:
        return self(tree.then if self.truth(tree.condition, at) else tree.otherwise, at)

    # functions and networks

    def of_call(self, tree: Call, at: At) -> Any:
        name, arguments, page = tree.name, tree.arguments, self.page
        if name in page.functions:
            function = page.functions[name]
            return self(function.body, dict(zip(function.letters, [self(a, at) for a in arguments], strict=True)))
        if name in page.networks:
            return self.states(tree, at)[-1]
        first = arguments[0] if arguments else None
        if name == "states" and isinstance(first, Call):
            return List(self.states(first, at), 0)
        if name in ("layers", "heads") and isinstance(first, Name | Call):
            values = [self(a, at) for a in (first.arguments if isinstance(first, Call) else [])]
            layers, heads = count(self, first.name, values)
            return mpq(layers if name == "layers" else heads)
        if name == "head":
            return Run.head(self, arguments, at)
        if folds(name):
            if isinstance(first, Each):
                return computed(name, List(self.each(first, at)).items)
            given = List([self(a, at) for a in arguments]).items
            return computed(name, items(given[0]) if len(given) == 1 else given)
        return computed(name, [self(a, at) for a in arguments])

    def states(self, tree: Call, at: At) -> list[List]:
        """The tokens at first, and after each layer that changed them."""
        *parameters, tokens = [self(a, at) for a in tree.arguments]
        key = (tree.name, tuple(parameters), tokens, exact(tokens), *map(exact, parameters))
        if key not in self.runs:
            self.runs[key] = Run(self, tree.name, parameters, tokens)
        return self.runs[key].states
