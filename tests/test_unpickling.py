"""What comes over a network is plain data, or nothing of it is made."""

import pickle
from pathlib import Path

import pytest

from verifier.run import unpickling
from verifier.run.unpickling import Refused, plain_data_alone, words_in


def test_plain_data_is_unpickled_and_nothing_else():
    plain = {"numbers": [1, -2.5, 1 << 99], "text": ("a", b"b"), "none": None}
    for _ in range(2):
        with plain_data_alone() as guard:
            assert pickle.loads(pickle.dumps(plain)) == plain  # noqa: S301
            assert pickle.loads(pickle.dumps(bytes)) is bytes  # noqa: S301 - Dask says so of bytes
            for thing in (len, print, Path("x"), ValueError("x"), 1j, {1}.__class__):
                with pytest.raises(Refused, match="an object was sent"):
                    pickle.loads(pickle.dumps(thing))  # noqa: S301
            assert len(guard.refused) == 6
            assert guard.refused[0] == "builtins.len"
        assert pickle.loads(pickle.dumps(len)) is len  # noqa: S301


def test_who_is_inside_twice_is_told_twice():
    with plain_data_alone() as outer:
        with plain_data_alone() as inner, pytest.raises(Refused):
            pickle.loads(pickle.dumps(len))  # noqa: S301
        with pytest.raises(Refused):
            pickle.loads(pickle.dumps(print))  # noqa: S301
    assert (outer.refused, inner.refused) == (["builtins.len", "builtins.print"], ["builtins.len"])


def test_the_hook_looks_at_names_in_pickles_and_is_there_once(monkeypatch):
    """Called here as Python calls it, for no tracer sees that."""
    hooks = []
    monkeypatch.setattr(plain_data_alone, "installed", False)
    monkeypatch.setattr(unpickling.sys, "addaudithook", hooks.append)
    for _ in range(2):
        with plain_data_alone() as guard:
            (hook,) = hooks
            hook("open", ("builtins", "len"))
            hook("pickle.find_class", ("builtins", "bytes"))
            with pytest.raises(Refused, match=r"where plain data belongs: os\.system"):
                hook("pickle.find_class", ("os", "system"))
        assert guard.refused == ["os.system"]
        hook("pickle.find_class", ("os", "system"))


def test_the_words_of_an_exception_are_read_without_making_it():
    assert words_in(pickle.dumps(ValueError("so it is"))) == "ValueError so it is"
    assert words_in(pickle.dumps(["so", 7, "it is", "unpickle_exception_with_attrs", "builtins"])) == "so it is"
    assert words_in(pickle.dumps("caf\u00e9 'x'")) == "caf\\xe9 'x'"
    assert words_in(pickle.dumps("x" * 999)) == words_in("x" * 999) == "x" * 200
    assert words_in(b"\x80\x05no pickle at all") == "..."
    assert words_in("  a\n text ") == "a text"
