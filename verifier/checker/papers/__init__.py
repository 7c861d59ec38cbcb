"""The papers that the checker has a second reading of, a folder for each; none of them imports another."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..core.paper import Paper
from ..core.reading import Unreadable, brief

DEFAULT = "yun2020"  # of a certificate, or a promise, that names none
_NAME = re.compile("[a-z][a-z0-9]{0,39}")


def names() -> list[str]:
    """Every paper, the default first."""
    return sorted((name for _, name, is_folder in iter_modules(__path__) if is_folder), key=lambda n: (n != DEFAULT, n))


def find(name: object) -> Paper:
    """The paper of this name, loaded only now: an error in one paper's folder can't affect another's certificates."""
    if type(name) is not str or not _NAME.fullmatch(name) or name not in names():
        there = (
            f"there are {', '.join(names())}; of a page `verify --paper NAME --certificate FILE` makes one of format 2"
        )
        raise Unreadable(f"paper {brief(name)}: the checker has no reading of it; {there}")
    paper: Paper = import_module(f"{__name__}.{name}.paper").PAPER
    return paper


def named(certificate: dict[str, Any]) -> Paper:
    """The paper that a certificate names, as `name/version`."""
    value = certificate.get("paper", f"{DEFAULT}/1")
    name, _, version = value.partition("/") if type(value) is str else ("", "", "")
    paper = find(name)
    if version != str(paper.version):
        raise Unreadable(f"paper: {brief(value)}: of {name} there is version {paper.version} of its format")
    return paper
