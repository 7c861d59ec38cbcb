"""Which run of a network is exported: `Y = g(...)`, a definition of the page; or a call that stands within another
expression, a claim's perhaps, and speaks of no loop's letter. A page gets such a call as a definition, in a line below
its text: so what a certificate says of is always a definition of the page that it carries.
"""

from collections.abc import Set
from typing import Any, NamedTuple

from verifier.language.page import Understood, read
from verifier.language.tree import Across, Call, Each, ForAll, ForEach, Name, Page, Within
from verifier.language.words import Refused, page_of
from verifier.language.write import expression

BINDERS = (Each, ForEach, ForAll, Within, Across)


class NotExported(ValueError):
    """What has no such files: `kind` is malformed or limit."""

    def __init__(self, message: str, kind: str = "malformed") -> None:
        super().__init__(message)
        self.kind = kind


class Run(NamedTuple):
    understood: Understood
    name: str  # of the definition
    call: Call
    inputs: str


def run_of(understood: Understood, name: str | None, on: str | None) -> Run:
    """The definition that is exported, its call of a network, and the inputs whose cases are run."""
    page = understood.page
    direct = {name: run for name, d in page.definitions.items() if (run := run_in(page, d.body)) is not None}
    if name is None and not direct:
        name = only_call(page)
    if name is None and ("Y" in direct or len(direct) == 1):
        name = "Y" if "Y" in direct else next(iter(direct))
    if name is None:
        raise NotExported(f"several definitions run a network (`Y = g(...)`); --run names one of: {', '.join(direct)}")
    if name not in direct:
        if name in page.definitions:
            raise NotExported(
                f"{name} is no run of a network alone (`Y = g(...)`); --run names {choices(page, list(direct))}"
            )
        text = name
        understood, name = with_definition(understood, name, list(direct))
        page = understood.page
        run = run_in(page, page.definitions[name].body)
        if run is None:
            raise NotExported(f"--run {text}: it is no run of a network; it names {choices(page, list(direct))}")
        direct = {name: run}
    return Run(understood, name, direct[name], inputs_of(page, direct[name], on))


def run_in(page: Page, tree: Any) -> Call | None:
    """The expression, if it is the run of a network."""
    return tree if isinstance(tree, Call) and tree.name in page.networks else None


def only_call(page: Page) -> str:
    """The text of the only run of a network that the page speaks of."""
    texts = calls(page)
    if len(texts) != 1:
        run = next(iter(page.networks), "g")
        which = f"; --run names {choices(page, [])}" if texts else f"; write one, such as `Y = {run}(...)`"
        raise NotExported(f"no definition is the run of a network alone{which}")
    return texts[0]


def choices(page: Page, direct: list[str]) -> str:
    return f"one of: {', '.join(direct + [f'{text!r}' for text in calls(page)])}"


def calls(page: Page) -> list[str]:
    """The runs of networks that stand within other expressions, and speak of no letter."""
    found: dict[str, None] = {}

    def visit(tree: Any, letters: frozenset[str]) -> None:
        if isinstance(tree, list):
            for part in tree:
                visit(part, letters)
        if not isinstance(tree, tuple) or not tree:
            return
        if isinstance(tree, BINDERS):
            letters |= {part for part in tree.parts if isinstance(part, str)}
        elif isinstance(tree, Call) and tree.name in ("layers", "heads"):  # of a network, and no run of it
            return
        elif (run := run_in(page, tree)) and not letters & set(free(run)):
            found[expression(run)] = None
        for part in tree:
            visit(part, letters)

    for d in page.definitions.values():
        if run_in(page, d.body) is None:
            visit(d.body, frozenset())
        for item in d.items:
            visit([item.subscript, item.reach, item.body], frozenset({item.letter} - {None}))  # type: ignore[arg-type]
    for claim in page.claims.values():
        visit([claim.condition, *claim.lines], frozenset())
    return list(found)


def with_definition(understood: Understood, text: str, direct: list[str]) -> tuple[Understood, str]:
    """The page with one more definition, of this run, below its text; and the definition's name."""
    page = understood.page
    known = {*page.sizes, *page.definitions, *page.functions, *page.layers, *page.networks, *page.inputs}
    name = next(name for k in range(len(known) + 1) if (name := f"exported{k or ''}") not in known)
    lines = ["# the run of which the certificate is", f"{name} = {text}"]
    if page_of(page.text) != page.text:
        lines = ["", "```page", *lines, "```"]
    try:
        longer = read(page.text.rstrip("\n") + "\n" + "\n".join(lines) + "\n")
    except Refused as error:
        raise NotExported(f"--run {text}: {error.message}; it names {choices(page, direct)}") from None
    return longer, name


def inputs_of(page: Page, call: Call, on: str | None) -> str:
    """The inputs whose cases are run."""
    spoken, left = set[str](), list(free(call))
    while left:
        if (name := left.pop()) in spoken:
            continue
        spoken.add(name)
        if name in page.definitions:
            d = page.definitions[name]
            left += free(d.body)
            left += [one for item in d.items for one in free([item.subscript, item.reach, item.body], {item.letter})]
        elif name in page.functions:
            left += free(page.functions[name].body, set(page.functions[name].letters))
    among = [inputs.name for inputs in page.inputs.values() if inputs.variable in spoken]
    if on is None and among:
        return among[0]
    if on not in among:
        which = f"; --on names one of: {', '.join(among)}" if among else ": its tokens are the same in every case"
        raise NotExported(f"the network runs on no inputs {on or ''}".rstrip() + which)
    return on


def free(tree: Any, letters: Set[str | None] = frozenset()) -> list[str]:
    """The names in an expression, but for its own letters."""
    if not isinstance(tree, tuple | list):
        return []
    if isinstance(tree, Each):
        inner = letters | {tree.letter}
        return [] if tree.inputs is not None else free(tree.reach, letters) + free([tree.body, tree.condition], inner)
    own = [tree.name] if isinstance(tree, Name | Call) and tree.name not in letters else []
    return own + [name for part in tree for name in free(part, letters)]
