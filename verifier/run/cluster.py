"""Shards on a Dask cluster that the user has started: one scheduler, any number of workers, coming and going.

Each shard is a task. If a worker dies, Dask gives its task to another; a worker that joins late gets its share. Every
worker must have the same code as this process, or the run is refused: shards made by different code aren't mixed. The
workers that are present are asked before anything runs; each task carries the code's identity for those that join
later.

An answer is the text of a shard, as in a checkpoint's file, and is read as such; nothing that the cluster sends is
unpickled (unpickling.py). Whatever may have to wait for the cluster runs in threads of its own; this one watches for
silent peers, the deadline and signals.
"""

import json
import logging
import queue
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from verifier.core.exact import shown
from verifier.run.checkpoint import _bytes, code_identity
from verifier.run.pool import Named, Runner, Sent, Stretch
from verifier.run.stop import Missing, Stopped, TimeIsUp, WorkersDie
from verifier.run.unpickling import plain_data_alone, words_in

PATIENCE = 5  # seconds for a scheduler to answer, and until its silence is reported
LONGEST_GREETING = 1 << 16  # bytes; Dask's is below 200
LONGEST_ANSWER = 1 << 28  # bytes; the longest is a shard with the values that claims about pairs collect
MOST_DEATHS = 10  # of workers that held the same shard
_EVERY = 0.1  # seconds between two polls

TLS = [f"DASK_DISTRIBUTED__COMM__TLS__{name}" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")]


@lru_cache(maxsize=1)
def _engine(recipe: Sent, ids: tuple[str, ...]) -> Runner:
    return recipe.engine(ids)


def run_stretch(recipe: Sent, ids: tuple[str, ...], start: int, stop: int, wanted: str) -> bytes:
    """One task. A worker with other code than the wanted one runs nothing, and answers with the identity of its
    code."""
    if (ours := code_identity()) != wanted:
        return _bytes({"code": ours})
    return _bytes(recipe.written(_engine(recipe, ids).run(start, stop, lambda *_: None)))


def run_on_cluster(
    address: str,
    recipe: Sent,
    claims: Sequence[Named],
    stretches: Sequence[Stretch],
    deadline: float | None,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[int, Any]]:
    """The index and the part of each stretch, in the order in which they finish."""
    _refuse_unless_it_answers(address)
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise Missing(f"--scheduler needs Dask: pip install '.[dask]' in a checkout ({error})") from error

    for name in ("asyncio", "distributed", "distributed.client", "distributed.core"):  # we report it ourselves
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    settings = {
        "distributed.comm.timeouts.connect": f"{PATIENCE}s",
        "distributed.scheduler.allowed-failures": MOST_DEATHS,
        "distributed.scheduler.allowed-imports": [],  # modules that a peer may ask for
    }
    code, ids = code_identity(), tuple(claim.id for claim in claims)
    tasks = {index: (recipe, ids, start, stop, code) for index, start, stop in stretches}
    left = {index: (start, stop) for index, start, stop in stretches}
    with dask.config.set(settings), plain_data_alone() as guard, _unheard(Client):
        _refuse_without_credentials(address)
        with _Talk(address, tasks, code) as talk:
            while left:
                if deadline is not None and time.monotonic() > deadline:
                    raise TimeIsUp()
                talk.watch(say)
                refused = bool(guard.refused)  # an answer that is on its way may explain it
                found = talk.answer(PATIENCE if refused else _EVERY)
                if isinstance(found, Stopped):
                    raise found
                if found is not None:
                    index, answer = found
                    yield index, _read(answer, *left.pop(index), recipe, ids, code)
                elif refused:
                    what = f"the cluster at {address!a} sent an object, and no plain data: {guard.refused[0]!a}"
                    raise Missing(f"{what}; it was left as it is (if a task failed, its worker's log has the words)")


@contextmanager
def _unheard(client: Any) -> Iterator[None]:
    """Ignores what workers print or warn about; Dask's client would print it here, or unpickle it."""
    handlers = getattr(client, "_default_event_handlers", {})
    usual = dict(handlers)
    handlers.clear()
    try:
        yield
    finally:
        handlers.update(usual)


Seen = dict[str, tuple[object, float]]  # by peer, "" for the scheduler: what it said last, and when we heard that first


def _heard(seen: Seen, workers: dict[str, object], now: float) -> Seen:
    """Now that the scheduler answers. If it was silent itself, so may its workers have been: each is given new time."""
    back = now - seen[""][1] > PATIENCE
    new: Seen = {"": (None, now)}
    for name, last in workers.items():
        before = seen.get(name, (last, now))
        new[name] = (last, now) if back or before[0] != last else before
    return new


class _Talk:
    """The two threads that wait for the cluster: one has the tasks run, one asks who is still there."""

    def __init__(self, address: str, tasks: dict[int, tuple[Any, ...]], code: str) -> None:
        self.address, self.tasks, self.code = address, tasks, code
        self.answers: queue.SimpleQueue[tuple[int, object] | Stopped] = queue.SimpleQueue()
        self.over = threading.Event()
        self.client: Any = None
        self.seen: Seen = {}  # none until the scheduler has answered
        self.silent: set[str] = set()

    def __enter__(self) -> "_Talk":
        self.threads = [threading.Thread(target=job, daemon=True) for job in (self._run, self._ask)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.threads[0].join(timeout=2)  # it closes the client; if it can't, the client ends with this process

    def answer(self, seconds: float) -> tuple[int, object] | Stopped | None:
        with suppress(queue.Empty):
            return self.answers.get(timeout=seconds)
        return None

    def watch(self, say: Callable[[str], None]) -> None:
        """Reports a peer that has been silent for long, and its return. Of workers we hear through the scheduler."""
        seen, now = self.seen, time.monotonic()
        if not seen:
            return
        told = seen[""][1]  # we know of a worker's silence only up to the scheduler's last report
        quiet = {who for who, (_, at) in seen.items() if (told if who else now) - at > PATIENCE}
        for who in sorted(quiet - self.silent):
            say(f"{self._name(who)} has been silent for {PATIENCE} s; the run goes on when it answers")
        for who in sorted((self.silent - quiet) & set(seen)):
            say(f"{self._name(who)} answers again")
        self.silent = quiet

    def _name(self, who: str) -> str:
        return f"the worker {ascii(who)[1:-1][:100]}" if who else f"the scheduler at {self.address}"

    def _ask(self) -> None:
        """Whether the scheduler answers, and when it last heard from each worker."""
        while not self.over.wait(_EVERY):
            try:
                told = self.client.sync(self.client.scheduler.identity, callback_timeout=PATIENCE)
                workers = {str(name): worker.get("last_seen") for name, worker in told["workers"].items()}
            except Exception:  # noqa: S112 - silent; or not there yet, or closed, of which the other thread hears
                continue
            self.seen = _heard(self.seen, workers, time.monotonic())

    def _run(self) -> None:
        from distributed import Client

        try:
            try:
                client = Client(self.address, timeout=PATIENCE, deserializers=["msgpack"], set_as_default=False)
            except Exception as error:
                raise Missing(f"no scheduler answers at {self.address!a}: {_words(error)}") from error
            self.seen = {"": (None, time.monotonic())}
            self.client = client
            _refuse_other_code(client, self.code)
            self._have_run(client)
        except Stopped as error:
            self.answers.put(error)
        except Exception as error:
            self.answers.put(Missing(f"the cluster at {self.address!a} is gone: {_words(error)}"))
        finally:
            client, self.client = self.client, None
            if client is not None:
                with suppress(Exception):
                    client.close(timeout=1)
                client.status = "closed"  # else it would try again for ten seconds when it is collected

    def _have_run(self, client: Any) -> None:
        futures = {
            client.submit(run_stretch, *task, pure=False, retries=2): index for index, task in self.tasks.items()
        }
        while futures and not self.over.is_set():
            done = [future for future in futures if future.done()]
            for future in done:
                if future.status == "error":
                    self._failed(client, future.exception())
                self.answers.put((futures.pop(future), future.result()))
            if not done:
                self.over.wait(_EVERY)

    def _failed(self, client: Any, error: Any) -> None:
        words = _words(error)
        if "KilledWorker" in words:
            raise WorkersDie(f"workers died again and again: {MOST_DEATHS} that held the same shard")
        _refuse_other_code(client, self.code)  # perhaps a late worker has other code, which can't run the task
        raise Missing(f"a task failed on the cluster: {words}")


def _read(answer: object, start: int, stop: int, recipe: Sent, ids: tuple[str, ...], code: str) -> Any:
    """The part in an answer, checked: a worker can send anything."""
    try:
        if not isinstance(answer, bytes) or len(answer) > LONGEST_ANSWER:
            raise ValueError("no bytes, or too many")
        content = json.loads(answer)
        if "code" in content:
            raise _other_code("a worker that joined late", shown(str(content["code"])), code)
        return recipe.read(content, start, stop, ids)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Missing(f"a worker sent what is no shard of ranks {start} to {stop - 1}: {_words(error)}") from error


def _refuse_without_credentials(address: str) -> None:
    from distributed.security import Security

    if not address.startswith("tls:"):
        return
    try:
        context = Security().get_connection_args("client").get("ssl_context")
    except (OSError, ValueError, TypeError) as error:
        raise Missing(f"{address}: Dask's credentials for TLS can't be used: {error}") from error
    if context is None:
        raise Missing(f"{address}: Dask has no credentials for TLS; set {TLS[0]}, {TLS[1]} and {TLS[2]} to their files")


def _refuse_unless_it_answers(address: str) -> None:
    """Before anything heavy is loaded: does anybody listen at tcp://host:port?"""
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
    """Dask's server speaks first: eight bytes that give a length, then as many bytes. Its client would wait for these
    without end, and would allocate whatever length another kind of server happens to send. (TLS prevents both.)
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
    with suppress(OSError, TimeoutError):  # the cluster may have only just begun
        client.wait_for_workers(1, timeout=PATIENCE)
    try:
        theirs = client.run(code_identity)
    except Exception as error:  # a worker without our code may raise anything
        raise Missing(f"a worker can't run this code: {_words(error)}") from error
    if not theirs:
        raise Missing(f"the scheduler has had no workers for {PATIENCE} s; start one with `dask worker ADDRESS`")
    for worker, version in theirs.items():
        if version != ours:
            raise _other_code(f"the worker {ascii(worker)[1:-1][:100]}", shown(str(version)), ours)


def _other_code(who: str, theirs: str, ours: str) -> Missing:
    return Missing(f"{who} has verifier {theirs}, and this is {ours}; install the same on both")


def _words(error: BaseException) -> str:
    """An exception's text; of a peer's exception Dask hands over the pickle, which we don't load."""
    return words_in(error.args[0]) if error.args and isinstance(error.args[0], bytes) else words_in(error)
