"""Memory: whether numpy has room, and what is freed stays with the process."""

import ctypes
import mmap
import os
from functools import cache

NUMPY_TAKES = 160 << 20  # bytes of address space, including what a run needs afterwards
_TRIM, _MMAP = -1, -3  # of malloc.h: M_TRIM_THRESHOLD, M_MMAP_THRESHOLD


def load_numpy() -> None:
    """Loads numpy, with one thread of its OpenBLAS: we need none, they take time to start, and where they can't start
    they send this process a SIGINT. Where memory is limited and isn't there OpenBLAS would end this process with exit
    1; so MemoryError is raised before."""
    if _memory_is_limited() and not _is_there(NUMPY_TAKES):
        raise MemoryError
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def _is_there(size: int) -> bool:
    """Whether so many bytes can be allocated."""
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


@cache
def keep_freed() -> None:
    """Freed arrays stay with the process: to ask the system for memory anew takes longer than what is done in an array.
    Where the C library is GNU's; elsewhere nothing."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_TRIM, 1 << 29)
    mallopt(_MMAP, 1 << 25)
