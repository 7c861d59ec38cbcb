"""What a page takes from others: in a file, `use recipes: gt, before` stands for the declarations of gt and before, and
of all that they speak of. They are written below the text before it is read: so the text that is run, certified and
checked is whole, and no reading of it knows of other files.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from verifier.files import Unreadable, read
from verifier.language.parse import parse
from verifier.language.tree import Call, Name, Page, Use
from verifier.language.words import Place, Refused, page_of
from verifier.language.write import declared

PAGES = Path(__file__).parents[1] / "pages"
_USE = re.compile(r"use +([A-Za-z][A-Za-z0-9_]*) *:([^#]*)(?:#.*)?")

Texts = Callable[[str], str]  # the whole text of the page of this name; Unreadable if there is none


def text_of(path: Path) -> str:
    """The text in this file, with what it uses: of pages beside it, or of this package."""
    return whole(_text(path), _beside(path.parent, (path.stem,)))


def packaged(text: str) -> str:
    """The text, with what it uses of this package's pages."""
    return whole(text, _beside(PAGES, ()))


def _text(path: Path) -> str:
    return read(path).replace("\r\n", "\n")


def _beside(folder: Path, within: tuple[str, ...]) -> Texts:
    def text_named(name: str) -> str:
        if name in within:
            raise Unreadable(f"it uses itself, by {', '.join(within)}")
        path = folder / f"{name}.page"
        path = path if path.is_file() else PAGES / f"{name}.page"
        if not path.is_file():
            raise Unreadable("there is no such page, neither beside this one nor in this package")
        return whole(_text(path), _beside(path.parent, (*within, name)))

    return text_named


def whole(text: str, texts: Texts) -> str:
    """The text with what it uses below it; its own lines keep their numbers."""
    lines, uses = text.split("\n"), list(_uses(text))
    if not uses:
        return text
    for place, _, _ in uses:
        lines[place[0] - 1] = f"# {lines[place[0] - 1]}"
    own = parse("\n".join(lines))
    mine = {**own.sizes, **own.definitions, **own.functions, **own.inputs, **own.layers, **own.networks}
    below: list[str] = []
    for place, name, wanted in uses:
        other = _page(place, name, texts)
        needed = _needed(place, name, other, wanted)
        if both := [one for one in needed if one in mine]:
            raise Refused(place, f"{both[0]} of {name} is also declared here, or used from elsewhere")
        if lacking := [s for s in other.sizes if s not in own.sizes and any(s in _spoken(other, n) for n in needed)]:
            raise Refused(place, f"what is used of {name} speaks of its size {lacking[0]}, which isn't a size here")
        mine |= dict.fromkeys(needed)
        below += [f"# used of {name}:", *(line.text for one in needed for line in declared(other, one))]
    if page_of(text) != text:
        below = ["", "```page", *below, "```"]
    return "\n".join(lines).rstrip("\n") + "\n" + "\n".join(below) + "\n"


def _uses(text: str) -> Iterator[tuple[Place, str, list[str]]]:
    for number, line in enumerate(page_of(text).split("\n"), 1):
        if line.startswith("use ") and not line.removeprefix("use ").lstrip().startswith("="):
            if not (match := _USE.fullmatch(line)):
                raise Refused(
                    (number, 5), "a page and what is used of it are expected, as in `use recipes: gt, before`"
                )
            yield (number, 1), match[1], [word.strip() for word in match[2].split(",")]


def _page(place: Place, name: str, texts: Texts) -> Page:
    try:
        return parse(texts(name))
    except Unreadable as error:
        raise Refused(place, f"{name}: {error}") from error
    except Refused as error:
        raise Refused(place, f"{name}: {error}") from error


def _needed(place: Place, name: str, other: Page, wanted: Iterable[str]) -> list[str]:
    """What is wanted and all that it speaks of, in the order of the other page."""
    kinds = (other.definitions, other.functions, other.layers, other.networks)
    known = {one for kind in kinds for one in kind}
    left, needed = list(wanted), set[str]()
    while left:
        one = left.pop()
        if one not in known and one in wanted:
            has = ", ".join(sorted(known))
            raise Refused(place, f"{name} has no function, layer, network or definition {one!r}; it has {has}")
        if one in needed or one not in known:
            continue
        needed.add(one)
        spoken = _spoken(other, one)
        if case := [i.name for i in other.inputs.values() if {i.name, i.variable} & spoken]:
            raise Refused(place, f"{one} of {name} speaks of its inputs {case[0]}, so that no other page can use it")
        left += spoken
    return [one for kind in kinds for one in kind if one in needed]


def _spoken(page: Page, name: str) -> set[str]:
    """The names that a declaration speaks of, but for its own letters."""
    for kind in (page.definitions, page.functions, page.layers, page.networks):
        if name in kind:
            declaration: Any = kind[name]
            return set(_names(list(vars(declaration).values()))) - set(getattr(declaration, "letters", ()))
    return set()


def rests_on(page: Page, ids: Iterable[str], spoken: dict[str, set[str]] | None = None) -> set[str]:
    """The declarations that these claims speak of, and their inputs do, directly or through others. spoken: what each
    of them speaks of, kept by whoever asks this of many claims of a page."""
    spoken = {} if spoken is None else spoken
    left, reached = [name for id_ in ids for name in _names(list(vars(page.claims[id_]).values()))], set[str]()
    claimed = [page.inputs[name] for id_ in ids if (name := page.claims[id_].inputs) is not None]
    conditions = [category.condition for category in page.categories]
    for tree in (*(vars(inputs) for inputs in claimed), *conditions):
        left += _names(list(tree.values()) if isinstance(tree, dict) else tree)
    while left:
        if (name := left.pop()) not in reached:
            reached.add(name)
            if name not in spoken:
                spoken[name] = _spoken(page, name)
            left += spoken[name]
    return reached


def _names(tree: Any) -> list[str]:
    """Of a tree, or a part of one: the names in it."""
    left, names = [tree], list[str]()
    while left:
        part = left.pop()
        if isinstance(part, tuple | list):
            if isinstance(part, Name | Call | Use):
                names.append(part.name)
            left += part
    return names
