"""A page's text, read and understood: `read(text)`."""

import gc
from dataclasses import dataclass

from verifier.language.names import NOTHING, Names
from verifier.language.parse import parse
from verifier.language.tree import Page
from verifier.language.words import Place, Refused, TooLarge


@dataclass(frozen=True)
class Understood:
    page: Page
    constants: frozenset[str]  # definitions that speak of no case
    case_dependent: frozenset[Place]  # powers whose base isn't known
    names: Names


def read(text: str) -> Understood:
    """Refuses what breaks a rule that holds before any run (LANGUAGE.md 6)."""
    collecting = gc.isenabled()
    gc.disable()  # a tree has many parts, and none to collect
    try:
        page = parse(text)
        names = Names(page)
    except RecursionError:
        raise TooLarge((0, 0), "definitions rest on one another more deeply than is read; use a list") from None
    finally:
        if collecting:
            gc.enable()
    constants = frozenset(name for name in page.definitions if names.kept[name] == NOTHING)
    return Understood(page, constants, frozenset(names.case_dependent), names)


def given(page: Page, sizes: dict[str, int]) -> dict[str, int]:
    """The sizes, in the page's order, its own where none is given; refuses those that are missing, unknown or too
    small."""
    for name in sizes:
        if name not in page.sizes:
            raise Refused((0, 0), f"the page has no size {name}; its sizes are {', '.join(page.sizes) or 'none'}")
    sizes = page.to_try | sizes
    for name, least in page.sizes.items():
        if name not in sizes:
            raise Refused((0, 0), f"the size {name} is missing; the page's sizes are {', '.join(page.sizes)}")
        if sizes[name] < least:
            raise Refused((0, 0), f"{name} = {sizes[name]}: the page wants {name} >= {least}")
    return {name: sizes[name] for name in page.sizes}
