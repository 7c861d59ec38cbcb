"""Messages: one line in a pipe, for programs; on a terminal, lines that fit its width; and how many there are."""

import os
import shutil
from typing import TextIO


def many(number: int, of: str) -> str:
    """1 case, 2 cases."""
    return f"{number:,} {of}{'' if number == 1 else 's'}"


def columns(stream: TextIO) -> int:
    """The width of the terminal that a stream goes to."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or shutil.get_terminal_size().columns
    except (OSError, ValueError):
        return 80


def fitted(words: str, stream: TextIO, indent: str = "    ") -> str:
    """The words as they are, or on a terminal broken between words, with an indent where they go on."""
    if not stream.isatty():
        return words
    import textwrap

    wide = max(20, columns(stream))
    return textwrap.fill(words, wide, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
