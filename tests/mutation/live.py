"""A change of a function that is there already: its code is exchanged, so that nothing is imported again."""

import gc
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FunctionType

from mutation.changes import trees

Key = tuple[str, str, int]  # file, name and first line of a function


def functions(files: set[str]) -> dict[Key, list[FunctionType]]:
    """All functions of the files, under decorators and in classes too."""
    found = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and (code := each.__code__).co_filename in files:
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(each)
    return found


def _inside(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _own(code: CodeType) -> CodeType:
    return code.replace(co_consts=tuple(each for each in code.co_consts if not isinstance(each, CodeType)))


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & 1)  # CO_OPTIMIZED: a module or the body of a class hasn't it


def _others(old: CodeType, new: CodeType) -> list[CodeType] | None:
    """The outermost functions that differ, as they are in the new code; None if more than functions does."""
    if old == new:
        return []
    if _is_function(old):
        return [new]
    if _own(old) != _own(new) or len(_inside(old)) != len(_inside(new)):
        return None
    found = [_others(a, b) for a, b in zip(_inside(old), _inside(new), strict=True)]
    return None if None in found else [code for codes in found for code in codes or ()]


def exchanges(
    file: str, source: str, there: dict[Key, list[FunctionType]]
) -> Iterator[tuple[str, list[tuple[FunctionType, CodeType]] | None]]:
    """Each change as functions and their new code; None for what runs when the module is imported."""
    old = compile(source, file, "exec", dont_inherit=True)
    for name, tree in trees(source):
        codes = _others(old, compile(tree, file, "exec", dont_inherit=True))
        those = [(code, there.get((file, code.co_qualname, code.co_firstlineno), [])) for code in codes or ()]
        fits = all(
            its and all(len(f.__code__.co_freevars) == len(code.co_freevars) for f in its) for code, its in those
        )
        yield name, None if codes is None or not fits else [(f, code) for code, its in those for f in its]
