"""Freed arrays stay with the process: to ask the system for memory anew takes longer than what is done in an array."""

import ctypes
from functools import cache

_TRIM, _MMAP = -1, -3  # of malloc.h: M_TRIM_THRESHOLD, M_MMAP_THRESHOLD


@cache
def keep_freed() -> None:
    """Where the C library is GNU's; elsewhere nothing."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_TRIM, 1 << 29)
    mallopt(_MMAP, 1 << 25)
