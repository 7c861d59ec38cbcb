"""One case of a page, told: what each network that a claim runs makes of it, layer by layer, and the claim's relations.
Plain data, for whoever prints it."""

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from verifier.evaluate.budget import STEPS, allow
from verifier.evaluate.cases import MOST, Space
from verifier.evaluate.definition import Case, Reading, Relations, at_case
from verifier.evaluate.ledger import Ledger, Relation
from verifier.evaluate.matrices import matrices
from verifier.evaluate.network import Ran, Run, head_output, line_value
from verifier.evaluate.values import List, Wrong, plain
from verifier.language.form import form
from verifier.language.library import rests_on
from verifier.language.page import Understood
from verifier.language.tree import Call, Chain, Claim, ClaimLine, Expression, Layer, Let, Name, Once, Tree
from verifier.language.words import Place, Refused
from verifier.language.write import declared, expression


class NoCase(ValueError):
    """What was typed in is no case of these inputs."""


@dataclass
class Recording(Ledger):
    """A ledger that keeps every relation as it is made."""

    relations: list[tuple[bool, Relation]] = field(default_factory=list)

    def record(self, holds: bool, slack: mpq | None, relation: Relation) -> None:
        self.relations.append((holds, relation))
        super().record(holds, slack, relation)


def story(claim: Claim, case: Case, rank: int | None) -> dict[str, Any]:
    """What is computed of a claim at a case; without a rank, of its lines `once:`, which are about no case."""
    ledger = Recording(claim)
    lines = claim.lines
    if claim.inputs and rank is None:
        lines = [line for line in lines if isinstance(line, Once)]
    inside = rank is None or claim.condition is None or case.truth(claim.condition, {})
    collected: dict[int, list[tuple[Any, int]]] = {}
    if inside:
        Relations(case, ledger, (rank,) if claim.inputs and rank is not None else (), collected).of(lines)
    failing = {seen.place for holds, seen in ledger.relations if not holds}
    items = case.variables[case.page.inputs[claim.inputs].variable] if claim.inputs and case.variables else List([])
    return {
        "claim": claim.id,
        "case": plain(items),
        "inside": inside,
        "runs": [network_run(case, key, run) for key, run in case.runs.items()],
        "relations": [
            {
                "line": relation.place[0],
                "relation": ledger.counts[relation.place].text,
                "value": plain(relation.value),
                "sign": ledger.counts[relation.place].sign,
                "bound": plain(relation.bound),
                "letters": {name: plain(value) for name, value in relation.letters.items()},
                "holds": holds,
                **({"from": relation.side} if relation.side else {}),
            }
            for holds, relation in ledger.relations
        ],
        "collected": [[plain(value) for value, _ in numbers] for numbers in collected.values()],
        "where": unfolded(case, [line for line in lines if not failing or failing & places(line)]),
    }


def story_of_none(reading: Reading, inputs: str, items: Any) -> dict[str, Any]:
    """What the networks make of items that are no case: of each definition that is a run of one, and what is defined
    of these in the next step. No claim is about them."""
    page = reading.page
    case = Case(reading, {page.inputs[inputs].variable: value(items)})
    bodies_of = {name: [d.body, *(item.body for item in d.items)] for name, d in page.definitions.items()}
    runs = {name for name, (body, *_) in bodies_of.items() if body is not None and run_in(body, page.networks)}
    of_these: list[Name] = []
    for name, definition in page.definitions.items():
        if name in runs or runs.intersection(names(bodies_of[name])):
            with suppress(Refused):
                case(Name(definition.place, name), {})
                of_these += [Name(definition.place, name)] if name not in runs else []
    if not case.runs:
        raise NoCase("no definition of the page is a run of a network on it")
    return {
        "claim": "",
        "case": plain(value(items)),
        "inside": False,
        "runs": [network_run(case, key, run) for key, run in case.runs.items()],
        "relations": [],
        "collected": [],
        "where": unfolded(case, of_these),
    }


def run_in(body: Expression, networks: Container[str]) -> Call | None:
    """The run of a network that a definition is, or whose states it is."""
    call = body.arguments[0] if isinstance(body, Call) and body.name == "states" else body
    return call if isinstance(call, Call) and call.name in networks else None


def signs(claim: Claim) -> dict[Place, str]:
    return {text.place: sign for text, sign in claim.signs}


def places(line: ClaimLine) -> set[Place]:
    """Of the signs of a line's relations."""
    if isinstance(line, Chain):
        return {sign.place for sign in line.texts}
    return set[Place]().union(*map(places, line.lines))


def unfolded(case: Case, lines: Sequence[Tree]) -> list[dict[str, Any]]:
    """Each definition that was looked at and that these lines speak of, and those that it speaks of in turn: its text,
    and its value here; of a function its text."""
    page, entries = case.page, dict[str, dict[str, Any]]()
    waiting = [*names(lines)]
    for name in waiting:  # which grows
        if name in entries:
            continue
        if name in page.functions:
            entries[name] = {"text": [line.text for line in declared(page, name)]}
            waiting += names(page.functions[name].body)
        elif name in case.reading.exchanged:
            entries[name] = {"text": [f"{name}, of this variant"], "value": plain(case.reading.exchanged[name])}
        elif name in page.definitions and (value := known(case, name)) is not None:
            definition = page.definitions[name]
            entries[name] = {"text": [line.text for line in declared(page, name)], "value": plain(value)}
            waiting += names([definition.body, *((item.subscript, item.reach, item.body) for item in definition.items)])
    return list(entries.values())


def known(case: Case, name: str) -> Any:
    """The value of a definition that was looked at."""
    value = case.kept.get(name, case.reading.nothing.kept.get(name))
    return None if isinstance(value, dict) else value


def names(tree: Any) -> Iterator[str]:
    """The names that a tree speaks of, and the functions that it calls."""
    if isinstance(tree, Name | Call):
        yield tree.name
    if isinstance(tree, (list, tuple)):
        for part in tree:
            yield from names(part)


def shapes(page: Understood, content: dict[str, Any]) -> dict[str, str]:
    """Of each layer with heads that a certificate's claims run: `of size m, d -> d'`, at the last case of a claim that
    runs it, as far as a second tells. m is the most of its heads; it is left out where the layer has no matrices
    (LANGUAGE.md 4, *Form*)."""
    numbers = {name: mpq(value) for name, value in content.get("variant", {}).items()}
    most = max(MOST, *(entry["cases"] for entry in content["inputs"].values()), 0)
    reading = Reading(page, content["sizes"], numbers, most, steps=1_000_000)
    forms = {name: form(reading.page, layer) for name, layer in reading.page.layers.items()}
    wanted = {name for name, its_form in forms.items() if its_form.heads}
    cases: dict[str, Case] = {}
    spoken: dict[str, set[str]] = {}
    with suppress(Refused):  # what is only described refuses nothing
        for claim in (reading.page.claims[entry["id"]] for entry in content["claims"]):
            if wanted & rests_on(reading.page, [claim.id], spoken) <= set(reading.ran):
                continue
            if claim.skip is not None and reading.nothing.truth(claim.skip[0], {}):
                continue
            if claim.inputs is None:
                Relations(reading.nothing, Ledger(claim), (), {}).of(claim.lines)
            elif (last := reading.space(claim.inputs).cases - 1) >= 0:
                if claim.inputs not in cases:
                    cases[claim.inputs] = reading.case(claim.inputs, last)
                at_case(claim, cases[claim.inputs], last, Ledger(claim), {})
    shapes = {}
    for name in reading.page.layers:
        if name in wanted & set(reading.ran):
            ran = reading.ran[name].values()
            sizes = [size for one in ran for size in head_sizes(reading.page.layers[name], one)]
            widths = sorted({(len(one.tokens.items[0]), len(one.new.items[0])) for one in ran})
            of_size = f"of size {max(sizes)}, " if sizes else ""
            shapes[name] = of_size + " and ".join(f"{d} -> {after}" for d, after in widths)
    allow(STEPS)  # what was spent above decides nothing below
    return shapes


def head_sizes(layer: Layer, ran: Ran) -> list[int]:
    """How large the heads of a layer are; none where it has no matrices."""
    if form(ran.case.page, layer).name != "attention" or any(token.first != 1 for token in ran.tokens.items):
        return []  # entry r of a column is x[i][r] only where it begins at 1
    with suppress(Refused):
        read_off = matrices(ran.case, layer, ran.base, len(ran.tokens.items[0]), len(ran.tokens))
        return [] if read_off is None else [head.size for head in read_off.heads]
    return []


def network_run(case: Case, key: tuple[Any, ...], run: Run) -> dict[str, Any]:
    """A run of a network: its tokens, and of each layer that acted what it changed, and what its heads read there."""
    name, parameters, tokens, *_ = key
    steps = []
    for (layer, arguments), old, new in zip(run.acted, run.states, run.states[1:], strict=False):
        changed = [
            {"token": k, "from": plain(a), "to": plain(b), "reads": reads(case, layer, arguments, old, k)}
            for k, (a, b) in enumerate(zip(old.items, new.items, strict=True), tokens.first)
            if a != b
        ]
        steps.append({"layer": layer, "arguments": [plain(a) for a in arguments], "changed": changed})
    return {
        "network": name,
        "arguments": [plain(p) for p in parameters],
        "first": tokens.first,
        "tokens": plain(tokens),
        "steps": steps,
        "called": called(case, key),
    }


def called(case: Case, key: tuple[Any, ...]) -> str:
    """The definition that is this run, such as `Z = sweep(X)`; or nothing."""
    for name, definition in case.page.definitions.items():
        body = definition.body
        call = None if body is None or known(case, name) is None else run_in(body, case.page.networks)
        if body and call and call.name == key[0] and [case(a, {}) for a in call.arguments] == [*key[1], key[2]]:
            return f"{name} = {expression(body)}"
    return ""


def reads(case: Case, name: str, arguments: list[Any], tokens: List, i: int) -> list[Any]:
    """What each head of a layer reads for token i."""
    layer = case.page.layers[name]
    last = layer.update
    letters = {**dict(zip(layer.letters, arguments, strict=True)), last.tokens: tokens, last.position: mpq(i)}
    outer, case.layer = case.layer, (tokens, i)
    values: list[Any] = []
    with suppress(Refused, Wrong):  # a head of a branch that isn't taken
        for line in layer.named:
            letters[line.name] = line_value(case, line, letters)
            if isinstance(line, Let):
                values += [head_output(case, head.arguments[1:], letters) for head in heads(line.body)]
            else:
                values.append(letters[line.name])
        values += [head_output(case, head.arguments[1:], letters) for head in heads(last.body)]
    case.layer = outer
    return [plain(value) for value in values]


def heads(tree: Any) -> Iterator[Call]:
    if isinstance(tree, Call) and tree.name == "head":
        yield tree
    elif isinstance(tree, (list, tuple)):
        for part in tree:
            yield from heads(part)


MOST_SHOWN = 6  # items of a set


def typed(space: Space, items: list[Any]) -> tuple[List, int]:
    """The case that was typed in, and its rank; of multisets and sets in the order of the set."""
    wanted = value(items)
    if space.kind == "list":
        for rank, case in enumerate(space.listed):
            if case == wanted:
                return case, rank
        raise NoCase("it isn't one of the inputs that the page lists")
    sets = space.sets.get(len(wanted))
    if sets is None:
        raise NoCase(f"it has {len(wanted)} items; these inputs have {_or(list(space.sets))}")
    places = []
    for position, (item, one) in enumerate(zip(wanted.items, sets, strict=True), 1):
        if item not in one:
            text, *others = (str(plain(one_)).replace("'", "") for one_ in (item, *one[:MOST_SHOWN]))
            dots = ", ..." if len(one) > MOST_SHOWN else ""
            raise NoCase(f"item {position} is {text}, and the set of that position is {{{', '.join(others)}{dots}}}")
        places.append(one.index(item))
    if space.kind != "words":
        places.sort()
    if space.kind == "sets" and len(set(places)) < len(places):
        raise NoCase("it has an item twice, and these inputs are sets")
    rank = sum(space.cases_of(n) for n in space.sets if n < len(wanted)) + space.rank(tuple(places))
    return List([one[k] for one, k in zip(sets, places, strict=True)]), rank


def value(items: Any) -> Any:
    return List([value(item) for item in items]) if isinstance(items, list) else mpq(items)


def _or(lengths: list[int]) -> str:
    return str(lengths[0]) if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
