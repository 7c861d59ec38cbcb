"""What is loaded where it is used: numpy, where there is room for it, and C libraries that are what was built."""

import hashlib
import os
import resource
import sys
from types import SimpleNamespace

import pytest

from verifier.evaluate.kernel.library import Found, NoLibrary, looked_for, opened_as_built
from verifier.evaluate.quick import memory

# numpy: its OpenBLAS ends the process, with exit 1, where it finds no memory

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


# C libraries


@pytest.fixture
def built(tmp_path):
    for name in ("a.library", "a.c", "a.h"):
        (tmp_path / name).write_text(f"the bytes of {name}")
    record(tmp_path, "a.library", "a.c", "a.h")
    return tmp_path


def record(folder, *names):
    digests = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / "a.sha256").write_text("".join(digests))


def opened(folder, load=str, passes=lambda _: True):
    return opened_as_built(folder / "a.library", folder / "a.sha256", ["a.c", "a.h"], load, passes)


def missing(_):
    raise OSError("no such symbol")


def test_a_library_that_is_what_was_built_is_opened(built):
    digest = hashlib.sha256(b"the bytes of a.library").hexdigest()
    assert opened(built) == (str(built / "a.library"), digest)
    (built / "b.c").write_text("")
    record(built, "a.library", "a.c", "a.h", "b.c")
    assert opened(built)[1] == digest
    found = looked_for(built, opened)
    assert (found.handle, found.digest, found.why) == (str(built / "a.library"), digest, "")


@pytest.mark.parametrize(
    ("change", "its", "why"),
    [
        (lambda it: (it / "a.library").unlink(), {}, "none was built"),
        (lambda it: (it / "a.c").unlink(), {}, "none was built"),
        (lambda it: (it / "a.sha256").write_text("a digest and a name and more\n"), {}, "its record can't be read"),
        (
            lambda it: (it / "a.library").write_text("cut"),
            {},
            "is not what was built: its digest is another than in a.sha",
        ),
        (lambda it: record(it, "a.c", "a.h"), {}, "is not what was built"),
        (lambda it: (it / "a.h").write_text("another"), {}, "was built from other sources"),
        (lambda it: record(it, "a.library", "a.c"), {}, "was built from other sources"),
        (lambda _: None, {"load": missing}, "can't be loaded: no such symbol"),
        (lambda _: None, {"passes": lambda _: False}, "doesn't count as it should"),
    ],
)
def test_any_other_is_not_loaded_and_why(change, its, why, built):
    change(built)
    with pytest.raises(NoLibrary, match=why):
        opened(built, **its)
    found = looked_for(built, lambda folder: opened(folder, **its))
    assert found.handle is None
    assert why in found.why


def test_none_is_looked_for_where_it_is_not_wanted_or_could_not_run(built, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("VERIFIER_NO_C", "1")
        assert looked_for(built, opened) == Found(None, why="VERIFIER_NO_C is set")
    monkeypatch.setattr(sys, "byteorder", "big")
    assert looked_for(built, opened) == Found(None, why="it runs on little-endian machines alone")
