"""Shards in processes, whose part a pool plays here that runs all in this one: who is begun, dies, and is late."""

import os
import signal
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from stretches import CLAIMS, RECIPE, counted
from verifier.run import pool
from verifier.run.stop import TimeIsUp, TooLarge, WorkersDie

STRETCHES = [(7, 0, 2), (8, 2, 5), (9, 5, 6)]


class Pool:
    """Runs what it gets at once, unless its worker dies then."""

    made: list["Pool"]
    dying: list[int]  # for each pool the ranks at which a stretch begins that is a worker's last

    def __init__(self, workers, mp_context, initializer, initargs):
        assert mp_context.get_start_method() == "spawn"
        initializer(*initargs)
        self.workers, self.ended = workers, []
        self._processes = {1: SimpleNamespace(kill=lambda: self.ended.append("killed"))}
        self.deadly = Pool.dying.pop(0) if Pool.dying else []
        Pool.made.append(self)

    def submit(self, function, *given):
        done = Future()
        found = function(*given)
        if self.deadly and given[1] in self.deadly:
            done.set_exception(BrokenProcessPool("killed"))
        else:
            done.set_result(found)
        return done

    def shutdown(self, *, cancel_futures):
        assert cancel_futures
        self.ended.append("shut down")
        raise RuntimeError("its thread couldn't be started")


def finished(futures, **_):
    """Those that a worker's death has ended come last."""
    done = [future for future in futures if future.done()]
    return sorted(done, key=lambda future: future.exception() is not None), ()


@pytest.fixture(autouse=True)
def threads(monkeypatch):
    """What would run in threads of a worker."""
    begun = []

    def thread(target, daemon):
        return SimpleNamespace(start=lambda: begun.append((target, daemon)))

    monkeypatch.setattr(pool, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(pool, "wait", finished)
    monkeypatch.setattr(pool.threading, "Thread", thread)
    monkeypatch.setattr(Pool, "made", [], raising=False)
    monkeypatch.setattr(Pool, "dying", [], raising=False)
    monkeypatch.setattr(pool, "_engine", None)
    monkeypatch.setattr(pool, "_done", None)
    yield begun
    assert [made.ended for made in Pool.made] == [["killed", "shut down"]] * len(Pool.made)
    assert begun == [(pool._end_with_parent, True)] * len(Pool.made)


def run(jobs=2, deadline=None, tell=lambda _: None, say=lambda _: None):
    return dict(pool.run_in_processes(RECIPE, CLAIMS, STRETCHES, jobs, deadline, tell, say))


PARTS = {index: counted(start, stop) for index, start, stop in STRETCHES}


@pytest.mark.parametrize(("jobs", "workers"), [(1, 1), (2, 2), (64, 3)])
def test_every_stretch_is_run_by_as_many_processes_as_there_is_work_for(jobs, workers):
    told = []
    assert run(jobs, tell=told.append) == PARTS
    assert [made.workers for made in Pool.made] == [workers]
    assert told[0] == 6


def test_what_a_worker_that_dies_may_have_held_is_run_again():
    """The first two stretches are held by workers that die, and then the second once more."""
    told, said = [], []
    Pool.dying[:] = [[0, 2], [2]]
    assert run(tell=told.append, say=said.append) == PARTS
    assert said == [f"a worker died; its shard is run again ({left} shards left)" for left in (2, 1)]
    assert told[-1] == 3
    assert [made.workers for made in Pool.made] == [2, 2, 1]


def test_progress_begins_anew_where_a_worker_has_died(monkeypatch):
    told = []
    Pool.dying[:] = [[0, 2, 5]]
    submit = Pool.submit
    monkeypatch.setattr(Pool, "submit", lambda its, *given: submit(its, *given) if its.deadly else Future())
    clock = iter([0, 1, 100])
    monkeypatch.setattr(pool, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    with pytest.raises(TimeIsUp):
        run(deadline=1, tell=told.append)
    assert told == [6, 0]


@pytest.mark.parametrize("deaths", [pool.MOST_DEATHS, pool.MOST_DEATHS + 1])
def test_workers_may_die_now_and_then_but_not_again_and_again(deaths):
    said = []
    Pool.dying[:] = [[2]] * deaths
    many = f"workers died {deaths} times; 1 shards are left"
    with pytest.raises(WorkersDie, match=many) if deaths > pool.MOST_DEATHS else nullcontext():
        assert run(say=said.append) == PARTS
    assert len(said) == pool.MOST_DEATHS


def test_a_process_that_cannot_be_started_is_for_want_of_memory(monkeypatch):
    def submit(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Pool, "submit", submit)
    with pytest.raises(MemoryError, match="can't start new thread"):
        run()


@pytest.mark.parametrize(("now", "ready", "late"), [(100, 3, False), (101, 3, False), (100, 0, False), (101, 0, True)])
def test_past_the_deadline_only_what_is_finished_is_taken(now, ready, late, monkeypatch):
    """At the first look `ready` stretches are finished, and at the second all."""
    looks = iter([ready])

    def wait(futures, timeout, return_when):
        assert (timeout, return_when) == (pool._EVERY, "FIRST_COMPLETED")
        return list(futures)[: next(looks, 3)], ()

    monkeypatch.setattr(pool, "wait", wait)
    monkeypatch.setattr(pool, "time", SimpleNamespace(monotonic=lambda: now))
    with pytest.raises(TimeIsUp) if late else nullcontext():
        assert run(deadline=100) == PARTS


@pytest.mark.parametrize(("count", "workers"), [(2, 2), (3, 3), (5, 3)])
def test_what_functions_return_comes_in_order(count, workers, monkeypatch):
    monkeypatch.setattr(pool, "cores", lambda: 3)
    begun = []
    assert list(pool.in_order(lambda k: k * k, count, lambda *given: begun.append(given), "a", "b")) == [
        k * k for k in range(count)
    ]
    assert (begun, [made.workers for made in Pool.made]) == ([("a", "b")], [workers])


def test_and_what_is_not_done_when_a_worker_dies_is_said(monkeypatch):
    monkeypatch.setattr(Pool, "submit", lambda *_: broken())
    with pytest.raises(WorkersDie, match="what it was given is not done"):
        list(pool.in_order(abs, 2, lambda: None))


def broken():
    done = Future()
    done.set_exception(BrokenProcessPool("killed"))
    return done


def test_a_worker_without_an_engine_runs_nothing():
    with pytest.raises(RuntimeError, match="without an engine"):
        pool._run(0, 0, 1)


def test_a_worker_ends_with_its_parent(monkeypatch):
    """The parent's end is what it waits for; and the process that began all others waits for nobody."""
    happened = []
    parent = SimpleNamespace(join=lambda: happened.append("the parent ends"))
    monkeypatch.setattr(os, "_exit", happened.append)
    for its in (None, parent):
        monkeypatch.setattr(pool.multiprocessing, "parent_process", lambda its=its: its)
        pool._end_with_parent()
    assert happened == ["the parent ends", 1]


def test_processes_begin_deaf():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with pool._deaf():
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before | {signal.SIGINT, signal.SIGHUP}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


@pytest.mark.parametrize(
    ("affinity", "count", "cores"), [({0, 3}, 8, 2), (AttributeError, 8, 8), (AttributeError, None, 1)]
)
def test_the_cores_of_this_process(affinity, count, cores, monkeypatch):
    def those_of(process):
        assert process == 0  # this one
        if affinity is AttributeError:
            raise affinity
        return affinity

    monkeypatch.setattr(os, "sched_getaffinity", those_of, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert pool.cores() == cores


@pytest.mark.parametrize(
    ("megabytes", "fails", "what"),
    [
        (pool.LEAST_MEMORY, None, ""),
        (pool.LEAST_MEMORY - 1, None, "Python and its libraries alone take"),
        (1000, ValueError("too much"), "1000 MB can't be set: too much"),
    ],
)
def test_memory_is_limited_in_megabytes(megabytes, fails, what, monkeypatch):
    resource = pytest.importorskip("resource")
    limits = []

    def setrlimit(of, limit):
        if fails:
            raise fails
        limits.append((of, limit))

    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    with pytest.raises(TooLarge, match=what) if what else nullcontext():
        pool.limit_memory(megabytes)
    assert limits == ([] if what else [(resource.RLIMIT_AS, (megabytes * 1024 * 1024,) * 2)])
