"""Nothing that comes over a network is unpickled here, except plain data.

Dask unpickles what its peers send in a dozen places, and only some of them can be switched off. But wherever that
happens, a pickle can do nothing before it has named a class or a function, and Python announces each such name (in its
audit event pickle.find_class). `plain_data_alone` refuses every name but `bytes`, in all threads of this process:
numbers, text, bytes, lists and dicts come through; an object doesn't, and none of its code is run.
"""

import pickletools
import sys
from typing import Any

HARMLESS = {("builtins", "bytes")}  # Dask sends bytes with their type
_MOST_WORDS = 200
_OF_TBLIB = {"tblib.pickling_support", "unpickle_exception", "unpickle_exception_with_attrs"}
_OF_PICKLES = {"builtins", "__dict__", "args", *_OF_TBLIB}


class Refused(TypeError):  # Dask treats a TypeError as data that it can't read
    pass


_open: list["plain_data_alone"] = []


def _refuse_names(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "pickle.find_class" and _open and arguments not in HARMLESS:
        name = ".".join(map(str, arguments))
        for each in _open:
            each.refused.append(name)
        raise Refused(f"an object was sent where plain data belongs: {name}")


class plain_data_alone:
    """While it is open, a pickle that names anything is refused; `refused` lists the names."""

    installed = False

    def __init__(self) -> None:
        self.refused: list[str] = []

    def __enter__(self) -> "plain_data_alone":
        if not plain_data_alone.installed:  # for as long as the process lives: an audit hook can't be removed
            sys.addaudithook(_refuse_names)
            plain_data_alone.installed = True
        _open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _open.remove(self)


def words_in(pickle: object) -> str:
    """The text in a pickle, such as an exception's; found by reading its opcodes, without unpickling."""
    if not isinstance(pickle, bytes):
        return " ".join(str(pickle).split())[:_MOST_WORDS]
    words: list[str] = []
    try:
        for _, argument, _ in pickletools.genops(pickle):
            if isinstance(argument, str) and argument not in _OF_PICKLES:
                words += argument.split()
    except Exception:  # a malformed pickle: there is no more text to find
        words.append("...")
    return ascii(" ".join(words))[1:-1][:_MOST_WORDS]
