"""Constructions as pages, run in exact rationals on every input of a small size.

from verifier import Page
found = Page.named("yun2020").run("lemma6", d=1, n=3, N=4)
print(found.verdict, found["lemma6.3"]["verdict"])
found.certificate      # the bytes that `verify check` reads
"""

# Each name is loaded when it is first used: a command begins here, and the checker must load nothing else.

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # what the names below are, for type checkers and editors; a test compares the two lists
    from typing import Any

    from verifier.core.exact import Q as Q
    from verifier.page import Found as Found
    from verifier.page import Page as Page

__version__ = "0.2.0"

_OFFERED = {"Found": "verifier.page", "Page": "verifier.page", "Q": "verifier.core.exact"}

__all__ = [*_OFFERED, "__version__"]  # noqa: PLE0604 - names, all of them


def __getattr__(name: str) -> "Any":
    if name not in _OFFERED:
        raise AttributeError(f"module 'verifier' has no attribute {name!r}")
    return getattr(import_module(_OFFERED[name]), name)


def load_ipython_extension(shell: "Any") -> None:
    """`%load_ext verifier` in a notebook: from then on a cell that begins with `%%page --n 4` is a page, and is run."""
    import_module("verifier.commands.cell").load(shell)


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__") and name.endswith("__"))})
