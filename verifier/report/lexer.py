"""The language of pages for Pygments: rich on a terminal, ```page on the site, `pygmentize -l page`."""

import re
from typing import Any

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Whitespace, string_to_tokentype

from verifier.language.colours import RULES


class PageLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Pages, as verifier/language/LANGUAGE.md says."""

    name = "verifier page"
    aliases = ["page"]  # noqa: RUF012 - Pygments reads it so
    filenames = ["*.page"]  # noqa: RUF012
    flags = re.MULTILINE
    tokens: dict[str, list[Any]] = {  # noqa: RUF012
        "root": [
            (r"\s+", Whitespace),
            *((rule, bygroups(*(string_to_tokentype(kind.pygments) for kind in kinds))) for rule, kinds in RULES),
        ]
    }
