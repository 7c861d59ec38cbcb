"""The pages of this package, by the names of their files."""

from difflib import get_close_matches
from functools import cache
from pathlib import Path

DEFAULT = "yun2020"  # the page that is run if none is named
FAMILIES = {"yun2020": "grid,b5,lemma10,lemma6"}  # what is run of a page by default, if not all
PAGES = Path(__file__).with_name("pages")


class UnknownPaper(ValueError):
    """No page of this name, or several."""


@cache
def pages() -> dict[str, Path]:
    """Every page of this package, by name; the default first."""
    found = {path.stem: path for path in sorted(PAGES.glob("*.page"))}
    return {DEFAULT: found.pop(DEFAULT), **found}


def default_of(path: Path | None) -> str:
    """The claims that a run of this page checks by default."""
    return FAMILIES.get(path.stem, "all") if path is not None and path.parent == PAGES else "all"


def in_full(name: str) -> str:
    """The name of the page, or the only one that begins so."""
    begun = [name] if name in pages() else [other for other in pages() if name and other.startswith(name)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise UnknownPaper(f"{name[:80]!r} is the beginning of {len(begun)} pages: {', '.join(begun)}")
    near = get_close_matches(name, pages(), n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(pages())}"
    raise UnknownPaper(f"no page {name[:80]!r} in this package; {hint}")
