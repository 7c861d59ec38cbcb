"""Shards in processes of this machine: the same counts, whoever dies; and limits of time and memory."""

import operator
import os
import signal
import time

import pytest

from stretches import CLAIMS, RECIPE, Deadly, Sleeping, counted
from verifier.run import pool
from verifier.run.stop import TimeIsUp, TooLarge, WorkersDie

STRETCHES = [(7, 0, 2), (8, 2, 5), (9, 5, 6)]
PARTS = {index: counted(start, stop) for index, start, stop in STRETCHES}


def run(recipe=RECIPE, jobs=2, deadline=None, say=lambda _: None):
    return dict(pool.run_in_processes(recipe, CLAIMS, STRETCHES, jobs, deadline, lambda _: None, say))


def test_every_stretch_is_run_by_processes_as_by_this_one():
    assert run(jobs=64) == PARTS


def test_what_a_worker_held_that_died_is_run_again(tmp_path):
    said = []
    assert run(Deadly(2, 1, tmp_path), say=said.append) == PARTS
    assert len(said) == len(list(tmp_path.iterdir())) == 1
    assert "a worker died; its shard is run again" in said[0]


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [pool.MOST_DEATHS, pool.MOST_DEATHS + 1])
def test_workers_may_die_now_and_then_but_not_again_and_again(deaths, tmp_path):
    if deaths > pool.MOST_DEATHS:
        with pytest.raises(WorkersDie, match=f"workers died {deaths} times"):
            run(Deadly(2, deaths, tmp_path), jobs=1)
    else:
        assert run(Deadly(2, deaths, tmp_path), jobs=1) == PARTS
    assert len(list(tmp_path.iterdir())) == deaths


def test_past_the_deadline_a_run_ends():
    with pytest.raises(TimeIsUp):
        run(Sleeping(), deadline=time.monotonic() + 1)


def test_a_process_that_cannot_be_started_is_for_want_of_memory(monkeypatch):
    def submit(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(pool.ProcessPoolExecutor, "submit", submit)
    with pytest.raises(MemoryError, match="can't start new thread"):
        run()


def test_what_functions_return_comes_in_order_and_what_a_worker_held_that_dies_is_not_done():
    assert list(pool.in_order(operator.neg, 5, os.getpid, jobs=2)) == [0, -1, -2, -3, -4]
    with pytest.raises(WorkersDie, match="what it was given is not done"):
        list(pool.in_order(os._exit, 2, os.getpid, jobs=1))


def test_processes_begin_deaf():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with pool._deaf():
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before | {signal.SIGINT, signal.SIGHUP}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


@pytest.mark.parametrize(
    ("megabytes", "what"), [(pool.LEAST_MEMORY - 1, "Python and its libraries alone take"), (2**80, "can't be set")]
)
def test_memory_that_can_not_be_limited_so_is_over_a_limit(megabytes, what):
    with pytest.raises(TooLarge, match=what):
        pool.limit_memory(megabytes)
