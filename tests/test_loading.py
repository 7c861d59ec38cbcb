"""What is loaded where it is used: modules that need numpy, and C libraries that are what was built."""

import hashlib
import os
import resource
import sys

import pytest

from verifier.core import arrays
from verifier.core.library import Found, NoLibrary, looked_for, opened_as_built

# Modules that need numpy

THREADS = "OPENBLAS_NUM_THREADS"


@pytest.mark.parametrize(("limited", "there"), [(False, False), (False, True), (True, False), (True, True)])
def test_a_module_is_loaded_unless_memory_is_limited_and_not_there(limited, there, monkeypatch):
    monkeypatch.setattr(arrays, "_memory_is_limited", lambda: limited)
    monkeypatch.setattr(arrays, "_is_there", lambda _: there)
    assert arrays.room("math") is (None if limited and not there else sys.modules["math"])


def test_there_is_as_much_memory_as_can_be_allocated(monkeypatch):
    assert arrays._is_there(1 << 20)
    assert not arrays._is_there(1 << 60)
    monkeypatch.setattr(arrays, "_memory_is_limited", lambda: True)
    assert arrays.room("math") is sys.modules["math"]  # what numpy takes is there


def test_what_cannot_be_imported_is_none():
    assert arrays.room("verifier.no.such.module") is None


def test_numpy_begins_no_threads_and_whoever_asked_for_some_still_does(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name, before in (("first", None), ("second", "3")):
        (tmp_path / f"loaded_{name}.py").write_text(f"import os\nthreads = os.environ[{THREADS!r}]\n")
        if before is None:
            monkeypatch.delenv(THREADS, raising=False)
        else:
            monkeypatch.setenv(THREADS, before)
        assert arrays.room(f"loaded_{name}").threads == "1"
        assert os.environ.get(THREADS) == before


NO = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("space", "data", "limited"),
    [((NO, NO), (NO, NO), False), ((5, NO), (NO, NO), True), ((NO, NO), (5, NO), True), ((NO, 5), (NO, 5), False)],
)
def test_memory_is_limited_by_either_limit_that_is_in_force(space, data, limited, monkeypatch):
    limits = {resource.RLIMIT_AS: space, resource.RLIMIT_DATA: data}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    assert arrays._memory_is_limited() is limited
    monkeypatch.setitem(sys.modules, "resource", None)  # a system that has no limits
    assert arrays._memory_is_limited() is False


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
        (lambda _: None, {"passes": lambda _: False}, "doesn't count as Python's whole numbers do"),
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
