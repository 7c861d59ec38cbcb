"""Shards on a Dask cluster that the user has started: one scheduler, any number of workers, coming and going.

A shard is a task. What a worker that dies was running, Dask gives to another; a worker that joins late gets its share.
Every worker must have the very code of this process, or the run is refused: shards of other code are not mixed.
"""

import re
import socket
import time
from collections.abc import Iterator, Sequence
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
MOST_DEATHS = 10  # of workers that held one and the same shard


@lru_cache(maxsize=1)
def _engine(recipe: Recipe, ids: tuple[str, ...]) -> Engine:
    known = all_claims()
    return recipe.engine([known[id_] for id_ in ids])


def run_stretch(recipe: Recipe, ids: tuple[str, ...], start: int, stop: int) -> Part:
    """One task."""
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

    settings = {
        "distributed.comm.timeouts.connect": f"{PATIENCE}s",
        "distributed.scheduler.allowed-failures": MOST_DEATHS,
    }
    with dask.config.set(settings):
        try:
            client: Any = Client(address, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            raise Missing(f"no scheduler answers at {address!a}: {' '.join(str(error).split())[:200]}") from error
        try:
            _refuse_other_code(client)
            ids = tuple(claim.id for claim in claims)
            futures = {
                client.submit(run_stretch, recipe, ids, start, stop, pure=False, retries=2): index
                for index, start, stop in stretches
            }
            left = None if deadline is None else max(1, deadline - time.monotonic())
            try:
                for future in as_they_finish(list(futures), timeout=left):
                    yield futures[future], future.result()
            except TimeoutError:
                raise TimeIsUp("the time limit is reached") from None
            except KilledWorker as error:
                raise WorkersDie(f"workers died again and again: {error}") from error
            except (OSError, RuntimeError) as error:
                raise Missing(f"the cluster at {address!a} is gone: {' '.join(str(error).split())[:200]}") from error
        finally:
            client.close(timeout=1)


def _refuse_unless_it_answers(address: str) -> None:
    """Before anything heavy is loaded: somebody listens at tcp://host:port."""
    match = re.fullmatch(r"(?:tcp|tls)://(\[[0-9a-fA-F:]+\]|[\w.-]+):([0-9]{1,5})", address)
    if not match:
        raise Missing(f"no scheduler answers at {shown(address)}: an address is written tcp://HOST:PORT")
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise Missing(f"no scheduler answers at {address}: {error}") from error


def _refuse_other_code(client: Any) -> None:
    ours = code_identity()
    try:
        theirs = client.run(code_identity)
    except Exception as error:  # whatever a worker without our code raises
        words = " ".join(str(error).split())[:200]
        raise Missing(f"a worker can't run this code: {type(error).__name__}: {words}") from error
    if not theirs:
        raise Missing("the scheduler has no workers; start one with `dask worker ADDRESS`")
    for worker, version in theirs.items():
        if version != ours:
            raise Missing(f"the worker {worker} has verifier {version}, and this is {ours}; install the same on both")
