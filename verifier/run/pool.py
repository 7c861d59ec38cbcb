"""Shards on this machine's cores: processes that take the next shard when they are done with one.

A worker that dies (killed, or out of memory) is reported, and the shards that it may have held are run again; when
that happens too often, the run is given up. Workers end with the process that began them, however that ends. How far
a shard is stands in a number of its own, which one worker writes: a lock would be held for ever by a worker that is
killed while it holds it.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any

from verifier.catalogue import all_claims
from verifier.core.claim import Claim
from verifier.core.construction import Construction
from verifier.interrupts import unbroken
from verifier.run.engine import Engine, Recipe
from verifier.run.shard import Part, Shard
from verifier.run.stop import TimeIsUp, TooLarge, WorkersDie
from verifier.run.watch import Tell

MOST_DEATHS = 5
LEAST_MEMORY = 256  # MB of address space
_EVERY = 0.2  # seconds between two looks at how far the workers are

Stretch = tuple[int, int, int]  # index, start, stop


def cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # a system that doesn't say which
        return os.cpu_count() or 1


def limit_memory(megabytes: int) -> None:
    """Of this process's address space, and so of each of its workers'."""
    if megabytes < LEAST_MEMORY:
        raise TooLarge(f"a memory limit of {megabytes} MB; Python and its libraries alone take {LEAST_MEMORY} MB")
    try:
        import resource
    except ImportError:
        raise TooLarge("memory can't be limited on this system; leave the limit out") from None
    try:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    except (ValueError, OverflowError, OSError) as error:
        raise TooLarge(f"a memory limit of {megabytes} MB can't be set: {error}") from error


def can_be_sent(g: Construction, claims: Sequence[Claim]) -> bool:
    """Claims are sent by name; one that no paper of this package declares stays in this process."""
    known = all_claims(g.paper) if g.paper else {}
    return all(known.get(claim.id) is claim for claim in claims)


_engine: Engine | None = None
_done: Any = None  # of each stretch, how many orbits are done; for progress alone


def _end_with_parent() -> None:
    """A parent that is killed can't end its workers, and they would wait for it for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _begin(recipe: Recipe, ids: Sequence[str], done: Any) -> None:
    global _engine, _done  # noqa: PLW0603 - a worker has one engine for its life
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _done = done
    _engine = recipe.engine(ids)


def _run(place: int, start: int, stop: int) -> Part:
    if _engine is None:
        raise RuntimeError("a worker without an engine")

    def tell(done: int, _shard: Shard | None = None, /) -> None:
        _done[place] = done

    return _engine.run(start, stop, tell)


@contextmanager
def _deaf() -> Iterator[None]:
    """What begins here never hears of Ctrl-C, or of a terminal that is closed: this process does, and ends it."""
    with unbroken():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_in_processes(
    recipe: Recipe,
    claims: Sequence[Claim],
    stretches: Sequence[Stretch],
    jobs: int,
    deadline: float | None,
    tell: Tell,
    say: Callable[[str], None],
) -> Iterator[tuple[int, Part]]:
    """Each stretch's index and part, as they are finished; `tell` hears, between them, how far the others are."""
    left = {index: (place, start, stop) for place, (index, start, stop) in enumerate(stretches)}
    context = multiprocessing.get_context("spawn")
    so_far = context.RawArray("q", len(stretches))
    deaths = 0
    while left:
        with _deaf():  # it begins a process that keeps account of what is shared
            pool = ProcessPoolExecutor(
                min(jobs, len(left)),
                mp_context=context,
                initializer=_begin,
                initargs=(recipe, [claim.id for claim in claims], so_far),
            )
        try:
            with _deaf():
                futures: dict[Future[Part], int] = {pool.submit(_run, *left[index]): index for index in sorted(left)}
            while futures:
                with unbroken():  # it holds locks that the workers' answers need
                    done, _ = wait(futures, timeout=_EVERY, return_when=FIRST_COMPLETED)
                if deadline is not None and time.monotonic() > deadline and not done:
                    raise TimeIsUp()
                tell(sum(so_far[place] for place, _, _ in left.values()))
                for future in done:
                    index = futures.pop(future)
                    part = future.result()
                    del left[index]
                    yield index, part
        except RuntimeError as error:  # a thread or a process can't be started
            if not isinstance(error, BrokenProcessPool):
                raise MemoryError(str(error)) from error
            deaths += 1
            for place, _, _ in left.values():
                so_far[place] = 0
            if deaths > MOST_DEATHS:
                raise WorkersDie(f"workers died {deaths} times; {len(left)} shards are left") from None
            say(f"a worker died; its shard is run again ({len(left)} shards left)")
        finally:
            with unbroken():
                for process in list((pool._processes or {}).values()):
                    process.kill()
                with suppress(RuntimeError):  # a pool for whose thread there was no room
                    pool.shutdown(cancel_futures=True)  # waits: Python's end stumbles over one that is just closing
