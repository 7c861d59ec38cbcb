"""Shards on this machine's cores: each process takes the next shard when it has finished one.

A worker that dies (killed, or out of memory) is reported, and the shards that it may have held are run again; when
that happens too often, the run is given up. Workers end with the process that began them, however that ends. The
progress of each shard is a shared number without a lock, since only one worker writes it: if a worker were killed while
it held a lock, the others would wait for ever.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from verifier.interrupts import unbroken
from verifier.run.stop import TimeIsUp, TooLarge, WorkersDie

MOST_DEATHS = 5
LEAST_MEMORY = 256  # MB of address space
_EVERY = 0.2  # seconds between two polls of the workers' progress

Stretch = tuple[int, int, int]  # index, start, stop
Tell = Callable[[int], None]  # how many cases are done


class Named(Protocol):
    """A claim."""

    @property
    def id(self) -> str: ...


class Runner(Protocol):
    @property
    def run(self) -> Callable[[int, int, Tell], Any]:
        """What is counted in the cases of these ranks."""


class Sent(Protocol):
    """What is sent to another process, which makes a runner of it; and what is counted as JSON, there and back."""

    def engine(self, ids: Sequence[str], /) -> Runner: ...
    def written(self, part: Any, /) -> dict[str, Any]: ...
    def read(self, content: dict[str, Any], start: int, stop: int, ids: Sequence[str], /) -> Any: ...
    def __hash__(self) -> int: ...


def cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # this system doesn't say which cores we may use
        return os.cpu_count() or 1


def limit_memory(megabytes: int) -> None:
    """Limits the address space of this process, and so that of each of its workers."""
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


_engine: Runner | None = None
_done: Any = None  # how many cases of each stretch are done; only for progress


def _end_with_parent() -> None:
    """Ends this worker when its parent has ended: a parent that is killed can't do it, and workers would wait for
    ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _begin(recipe: Sent, ids: Sequence[str], done: Any) -> None:
    global _engine, _done  # noqa: PLW0603 - a worker has one engine for its life
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _done = done
    _engine = recipe.engine(ids)


def _run(place: int, start: int, stop: int) -> Any:
    if _engine is None:
        raise RuntimeError("a worker without an engine")

    def tell(done: int) -> None:
        _done[place] = done

    return _engine.run(start, stop, tell)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that begin in here ignore Ctrl-C and a closed terminal: this process gets the signal, and ends them."""
    if (mask := getattr(signal, "pthread_sigmask", None)) is None:  # not on every system
        yield
        return
    with unbroken():
        before = mask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        try:
            yield
        finally:
            mask(signal.SIG_SETMASK, before)


def run_in_processes(
    recipe: Sent,
    claims: Sequence[Named],
    stretches: Sequence[Stretch],
    jobs: int,
    deadline: float | None,
    tell: Tell,
    say: Callable[[str], None],
) -> Iterator[tuple[int, Any]]:
    """The index and part of each stretch, in the order in which they finish; `tell` gets the others' progress
    meanwhile."""
    left = {index: (place, start, stop) for place, (index, start, stop) in enumerate(stretches)}
    context = multiprocessing.get_context("spawn")
    so_far = context.RawArray("q", len(stretches))
    deaths = 0
    while left:
        with _deaf():  # it starts the process that tracks shared memory
            pool = ProcessPoolExecutor(
                min(jobs, len(left)),
                mp_context=context,
                initializer=_begin,
                initargs=(recipe, [claim.id for claim in claims], so_far),
            )
        try:
            with _deaf():
                futures: dict[Future[Any], int] = {pool.submit(_run, *left[index]): index for index in sorted(left)}
            while futures:
                with unbroken():  # while it holds locks that the workers' answers need
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
            _end(pool)


def in_order(
    function: Callable[[int], Any], count: int, begin: Callable[..., None], *given: Any, jobs: int | None = None
) -> Generator[Any, None, None]:
    """function(0), ..., function(count - 1), in this order, from processes in which `begin(*given)` came first."""
    with _deaf():
        pool = ProcessPoolExecutor(
            min(cores() if jobs is None else jobs, count),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_child,
            initargs=(begin, given),
        )
    try:
        with _deaf():
            futures = deque([pool.submit(function, k) for k in range(count)])
        while futures:
            with unbroken():
                wait([futures[0]], timeout=_EVERY)
            if futures[0].done():
                yield futures.popleft().result()
    except BrokenProcessPool:
        raise WorkersDie("a worker died (killed, or out of memory); what it was given is not done") from None
    finally:
        _end(pool)


def _begin_child(begin: Callable[..., None], given: Sequence[Any]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin(*given)


def _end(pool: ProcessPoolExecutor) -> None:
    with unbroken():
        for process in list((pool._processes or {}).values()):
            process.kill()
        with suppress(RuntimeError):  # the pool's thread couldn't be started
            pool.shutdown(cancel_futures=True)  # and waits: Python fails at exit if a pool is still closing
