"""Shards in several processes, where the reader asks for them: each takes every J-th, and sends back what it finds."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .comparing import OverLimit
from .limits import bytes_at_most, seconds_at_most, share_of_each, take_off


def each(function: Callable[..., Any], items: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Any]:
    """function(*item) of each item, in order. What it raises in another process is raised here."""
    if min(jobs, len(items)) < 2:
        yield from (function(*item) for item in items)
        return
    import multiprocessing  # loaded where it is needed, which is seldom

    limits = share_of_each(min(jobs, len(items)))
    used, workers = _of_children(), []
    try:
        for k in range(min(jobs, len(items))):
            ours, its = multiprocessing.Pipe(duplex=False)
            worker = multiprocessing.Process(target=_work, args=(its, function, items[k::jobs], *limits), daemon=True)
            _deaf(signal.SIG_BLOCK)  # else an interrupt before _work's first line would print a traceback
            try:
                worker.start()
            finally:
                _deaf(signal.SIG_UNBLOCK)
            its.close()  # the child alone may hold this end: then its end, however it comes, raises EOFError here
            workers.append((worker, ours))
        for k in range(len(items)):
            try:
                good, found = workers[k % len(workers)][1].recv()
            except EOFError:
                raise OverLimit("a process that checked shards was ended from outside, for want of memory?") from None
            if not good:
                raise found
            yield found
    finally:
        for worker, _ in workers:
            worker.kill()
        for worker, _ in workers:
            worker.join()
        take_off(_of_children() - used)


def _of_children() -> float:
    """The processor time of the processes that have ended."""
    return os.times().children_user + os.times().children_system


def _deaf(how: int) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(how, {signal.SIGINT})


def _work(its: Any, function: Callable[..., Any], items: Sequence[tuple[Any, ...]], seconds: float, most: int) -> None:
    """Runs in the other process. Ctrl-C, which reaches it too, ends it silently; so does the end of its reader."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _deaf(signal.SIG_UNBLOCK)
    try:
        if seconds:
            seconds_at_most(seconds)
        if most:
            bytes_at_most(most)
        for item in items:
            its.send((True, function(*item)))
    except BrokenPipeError:
        return
    except Exception as error:
        its.send((False, error))
