"""Loads modules that need numpy only when they are used: importing numpy takes a tenth of a second, and memory."""

import mmap
import os
from importlib import import_module
from typing import Any

NUMPY_TAKES = 160 << 20  # bytes of address space, including what a run needs afterwards


def room(module: str) -> Any:
    """A module that needs numpy, loaded at its first use; None if numpy can't be loaded."""
    if _memory_is_limited() and not _is_there(NUMPY_TAKES):
        return None
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"  # we need no threads of it; when it can't start them, it sends this process a SIGINT
    try:
        return import_module(module)
    except (ImportError, MemoryError):
        return None
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def _is_there(size: int) -> bool:
    """Whether so many bytes can be allocated; if they can't, numpy's OpenBLAS would end the process with exit 1."""
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError):
        return False
    return True


def _memory_is_limited() -> bool:
    try:
        import resource
    except ImportError:  # not on every system
        return False
    limits = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in limits)
