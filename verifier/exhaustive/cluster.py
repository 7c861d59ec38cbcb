"""Shards on a Dask cluster that the user has started: one scheduler, any number of workers, coming and going.

A shard is a task. What a worker that dies was running, Dask gives to another; a worker that joins late gets its share.
Every worker must have the very code of this process, or the run is refused: shards of other code are not mixed. The
workers at hand are asked before anything runs, and each task carries the code's identity for those that join later.
"""

import logging
import re
import socket
import struct
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import lru_cache
from typing import Any

from verifier.claims.claim import Claim
from verifier.claims.registry import all_claims
from verifier.exact import shown
from verifier.exhaustive.checkpoint import code_identity
from verifier.exhaustive.engine import Engine, Recipe
from verifier.exhaustive.pool import Stretch
from verifier.exhaustive.shard import Part
from verifier.exhaustive.stop import Missing, TimeIsUp, WorkersDie

PATIENCE = 5  # seconds for a scheduler to answer
LONGEST_GREETING = 1 << 16  # bytes; Dask's is below 200
MOST_DEATHS = 10  # of workers that held one and the same shard


@lru_cache(maxsize=1)
def _engine(recipe: Recipe, ids: tuple[str, ...]) -> Engine:
    known = all_claims()
    return recipe.engine([known[id_] for id_ in ids])


def run_stretch(recipe: Recipe, ids: tuple[str, ...], start: int, stop: int, wanted: str) -> Part | str:
    """One task; where the code isn't the wanted one, nothing is run, and the identity of what is here comes back."""
    if (ours := code_identity()) != wanted:
        return ours
    return _engine(recipe, ids).run(start, stop, lambda *_: None)


def run_on_cluster(
    address: str,
    recipe: Recipe,
    claims: Sequence[Claim],
    stretches: Sequence[Stretch],
    deadline: float | None,
) -> Iterator[tuple[int, Part]]:
    """Each stretch's index and part, as they are finished."""
    _refuse_unless_it_answers(address)
    try:
        import dask
        from distributed import Client
        from distributed import as_completed as as_they_finish
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise Missing(f"--scheduler needs Dask: pip install 'verifier[dask]' ({error})") from error

    for name in ("asyncio", "distributed", "distributed.client", "distributed.core"):  # one line of ours says it
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    settings = {
        "distributed.comm.timeouts.connect": f"{PATIENCE}s",
        "distributed.scheduler.allowed-failures": MOST_DEATHS,
    }
    with dask.config.set(settings):
        try:
            client: Any = Client(address, timeout=PATIENCE)
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            raise Missing(f"no scheduler answers at {address!a}: {_words(error)}") from error
        try:
            code = code_identity()
            _refuse_other_code(client, code)
            ids = tuple(claim.id for claim in claims)
            futures = {
                client.submit(run_stretch, recipe, ids, start, stop, code, pure=False, retries=2): index
                for index, start, stop in stretches
            }
            left = None if deadline is None else max(1, deadline - time.monotonic())
            try:
                for future in as_they_finish(list(futures), timeout=left):
                    part = future.result()
                    if not isinstance(part, Part):
                        raise _other_code("a worker that joined late", part, code)
                    yield futures[future], part
            except TimeoutError:
                raise TimeIsUp() from None
            except KilledWorker as error:
                raise WorkersDie(f"workers died again and again: {error}") from error
            except (OSError, RuntimeError, CancelledError) as error:
                raise Missing(f"the cluster at {address!a} is gone: {_words(error)}") from error
            except (TypeError, AttributeError, ImportError):  # a task that a late worker's code can't make sense of
                _refuse_other_code(client, code)
                raise
        finally:
            client.close(timeout=1)


def _refuse_unless_it_answers(address: str) -> None:
    """Before anything heavy is loaded: somebody listens at tcp://host:port."""
    match = re.fullmatch(r"(?:tcp|tls)://(\[[0-9a-fA-F:]+\]|[\w.-]+):([0-9]{1,5})", address)
    if not match:
        raise Missing(f"no scheduler answers at {shown(address)}: an address is written tcp://HOST:PORT")
    try:
        with socket.create_connection((match[1].strip("[]"), int(match[2])), timeout=PATIENCE) as connection:
            if address.startswith("tcp:"):
                _refuse_unless_it_greets(address, connection)
    except (OSError, OverflowError) as error:
        raise Missing(f"no scheduler answers at {address}: {error}") from error


def _refuse_unless_it_greets(address: str, connection: socket.socket) -> None:
    """Dask speaks first: a length of eight bytes, and that many. Its client would wait for them without end, and would
    make room for whatever length another server's words spell. (Over TLS both ends by themselves.)
    """
    deadline = time.monotonic() + PATIENCE
    greeting, length = b"", 8
    while len(greeting) < length:
        try:
            if (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            connection.settimeout(left)
            more = connection.recv(length - len(greeting))
        except TimeoutError as error:
            raise Missing(f"no scheduler answers at {address}: silent for {PATIENCE} s after connecting") from error
        greeting += more
        if len(greeting) == 8:
            length += struct.unpack("<Q", greeting)[0]
        if not more or length > LONGEST_GREETING:
            raise Missing(f"no scheduler answers at {address}: what listens there is not Dask's")


def _refuse_other_code(client: Any, ours: str) -> None:
    with suppress(OSError, TimeoutError):  # a cluster that has only just begun
        client.wait_for_workers(1, timeout=PATIENCE)
    try:
        theirs = client.run(code_identity)
    except Exception as error:  # whatever a worker without our code raises
        raise Missing(f"a worker can't run this code: {type(error).__name__}: {_words(error)}") from error
    if not theirs:
        raise Missing(f"the scheduler has had no workers for {PATIENCE} s; start one with `dask worker ADDRESS`")
    for worker, version in theirs.items():
        if version != ours:
            raise _other_code(f"the worker {worker}", version, ours)


def _other_code(who: str, theirs: str, ours: str) -> Missing:
    return Missing(f"{who} has verifier {theirs}, and this is {ours}; install the same on both")


def _words(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
