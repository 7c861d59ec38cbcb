"""The papers of this package: pages, found by their files, and papers in Python, found by their folders."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from verifier.core.claim import Claim
from verifier.core.exact import shown
from verifier.core.paper import Paper

DEFAULT = "yun2020"  # the paper that is meant if none is named
FOLDER = Path(__file__).with_name("papers")
PAGES = Path(__file__).with_name("pages")


class UnknownClaim(ValueError):
    """No claim, or no family, of this name; or one that is named twice."""


class UnknownPaper(ValueError):
    """No paper of this name, or several."""


def papers() -> dict[str, Paper]:
    """Every paper, by name; the default first."""
    return dict(_found())


@cache
def _found() -> dict[str, Paper]:
    names = sorted((name for _, name, is_folder in iter_modules([str(FOLDER)]) if is_folder), key=_default_first)
    return {name: import_module(f"verifier.papers.{name}").PAPER for name in names}


def _default_first(name: str) -> tuple[bool, str]:
    return name != DEFAULT, name


def pages() -> dict[str, Path]:
    """Every page of this package, by name."""
    return {path.stem: path for path in sorted(PAGES.glob("*.page")) if path.stem not in papers()}


def find(name: str) -> Paper:
    """The paper in Python of this name, or the only one whose name begins with it."""
    full = in_full(name)
    if full in pages():
        raise UnknownPaper(f"{full} is a page; its sizes are not d, n, N")
    return papers()[full]


def in_full(name: str) -> str:
    """The name of the paper or page, or the only one that begins so."""
    known = [*papers(), *pages()]
    begun = [name] if name in known else [other for other in known if name and other.startswith(name)]
    if len(begun) == 1:
        return begun[0]
    names = ", ".join(known)
    if begun:
        raise UnknownPaper(f"{shown(name)} is the beginning of {len(begun)} papers; there are {names}")
    raise UnknownPaper(f"no paper {shown(name)}; there are {names}")


def host(paper: Paper) -> Paper:
    """The paper whose construction its claims are about."""
    return find(paper.builds_on) if paper.builds_on else paper


@cache
def _declared(name: str) -> tuple[Claim, ...]:
    """A paper's own claims, and those of papers that build on it, each after the family that its PAPER names."""
    known = papers()
    claims = [claim for module in known[name].modules for claim in import_module(module).CLAIMS]
    for guest in known.values():
        if guest.builds_on == name:
            places = [place for place, claim in enumerate(claims) if claim.family == guest.after]
            place = places[-1] + 1 if places else len(claims)
            claims[place:place] = [claim for module in guest.modules for claim in import_module(module).CLAIMS]
    return tuple(claims)


def named(family: str) -> str:
    """A family in words, if a paper has some for it: `Lemma 5: the quantiser (lemma5)`."""
    words = next((paper.families[family] for paper in papers().values() if family in paper.families), "")
    return f"{words} ({family})" if words else family


def claims_of(name: str = DEFAULT) -> list[Claim]:
    """Every claim about a paper's construction, in order."""
    return list(all_claims(name).values())


def all_claims(name: str = DEFAULT) -> dict[str, Claim]:
    """Every claim about a paper's construction, by id."""
    claims: dict[str, Claim] = {}
    for claim in _declared(find(name).name):
        if claim.id in claims:
            raise ValueError(f"claim {claim.id} is declared twice")
        claims[claim.id] = claim
    return claims


def declared_here(name: str) -> dict[str, Claim]:
    """The claims of a paper of this package, by id; none if there is no such paper."""
    return all_claims(name) if name in papers() else {}


@cache
def excluded(name: str = DEFAULT) -> frozenset[str]:
    """The ids of the claims of kind `excluded`."""
    return frozenset(claim.id for claim in claims_of(name) if claim.excluded)


def default_claims(name: str = DEFAULT) -> list[Claim]:
    """The claims that a run checks by default."""
    paper, claims = find(name), claims_of(name)
    return [claim for claim in claims if claim.family in paper.default] if paper.default else claims


def choose(names: Iterable[str], name: str = DEFAULT) -> list[Claim]:
    """The claims of a paper that the names stand for: an id, a family (the part before the dot), or `all`."""
    return choose_from(claims_of(name), names)


def choose_from(declared: Sequence[Claim], names: Iterable[str]) -> list[Claim]:
    """Those of the declared claims that the names stand for."""
    claims = {claim.id: claim for claim in declared}
    families = {claim.family for claim in declared}
    chosen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise UnknownClaim(f"{name!r} is no claim id and no family")
        if name == "all":
            ids = set(claims)
        elif name in families:
            ids = {claim.id for claim in declared if claim.family == name}
        elif name in claims:
            ids = {name}
        else:
            known = [*claims, *families, "all"]
            near = get_close_matches(name, known, n=1) or get_close_matches(name.lower(), known, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; `verify claims` lists them"
            if begun := [
                family
                for family in dict.fromkeys(claim.family for claim in declared)
                if name and family.startswith(name)
            ]:
                hint = f"; did you mean {', '.join(begun)}?"
            raise UnknownClaim(f"no claim {shown(name)}{hint}")
        if twice := sorted(ids & chosen):
            raise UnknownClaim(f"claim {twice[0]} is chosen twice")
        chosen |= ids
    if not chosen:
        raise UnknownClaim("no claim is chosen")
    return [claim for claim in declared if claim.id in chosen]
