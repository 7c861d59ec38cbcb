"""numpy is loaded where it is used, and where there is room: its OpenBLAS ends the process where it finds no memory."""

import os
import resource
import sys
from types import SimpleNamespace

import pytest

from verifier.evaluate.quick import memory

THREADS = "OPENBLAS_NUM_THREADS"
NO = resource.RLIM_INFINITY


@pytest.mark.parametrize(("limited", "there"), [(False, False), (False, True), (True, False), (True, True)])
def test_numpy_is_loaded_unless_memory_is_limited_and_not_there(limited, there, monkeypatch):
    monkeypatch.setattr(memory, "_memory_is_limited", lambda: limited)
    monkeypatch.setattr(memory, "_is_there", lambda _: there)
    if limited and not there:
        with pytest.raises(MemoryError):
            memory.load_numpy()
    else:
        memory.load_numpy()


def test_there_is_as_much_memory_as_can_be_allocated():
    assert memory._is_there(1 << 20)
    assert not memory._is_there(1 << 60)


@pytest.mark.parametrize("before", [None, "3"])
def test_numpy_begins_no_threads_and_whoever_asked_for_some_still_does(before, monkeypatch):
    asked = []
    monkeypatch.delenv(THREADS, raising=False)
    if before is not None:
        monkeypatch.setenv(THREADS, before)
    finder = SimpleNamespace(find_spec=lambda *_: asked.append(os.environ[THREADS]))  # finds nothing
    monkeypatch.setattr(sys, "meta_path", [finder])
    monkeypatch.delitem(sys.modules, "numpy")
    with pytest.raises(ImportError):
        memory.load_numpy()
    assert asked == ["1"]
    assert os.environ.get(THREADS) == before


@pytest.mark.parametrize(
    ("space", "data", "limited"),
    [((NO, NO), (NO, NO), False), ((5, NO), (NO, NO), True), ((NO, NO), (5, NO), True), ((NO, 5), (NO, 5), False)],
)
def test_memory_is_limited_by_either_limit_that_is_in_force(space, data, limited, monkeypatch):
    limits = {resource.RLIMIT_AS: space, resource.RLIMIT_DATA: data}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    assert memory._memory_is_limited() is limited
    monkeypatch.setitem(sys.modules, "resource", None)  # a system that has no limits
    assert memory._memory_is_limited() is False
