"""The checker's strict reading: bytes, JSON, numbers and shapes, with limits so small that they can be met by hand."""

import gzip
import io
import os
import signal
import stat
import sys
import zlib
from types import SimpleNamespace

import pytest

from verifier.checker.core import limits, reading
from verifier.checker.core.reading import Unreadable, brief, decoded, fits, load, parse, rational, unpacked
from verifier.checker.page.derive import Limits

TEN, ELEVEN = b"0123456789", b"0123456789a"


@pytest.fixture
def small(monkeypatch):
    """Ten bytes, two levels, four digits."""
    for name, value in (("MOST_BYTES", 10), ("MOST_DEPTH", 2), ("MOST_DIGITS", 4)):
        monkeypatch.setattr(reading, name, value)


def refused(says, call, *arguments):
    with pytest.raises(Unreadable) as error:
        call(*arguments)
    assert says in str(error.value)


def test_the_limits_and_what_is_checked_of_a_file_unless_more_is_asked():
    assert (reading.MOST_BYTES, reading.MOST_DEPTH, reading.MOST_DIGITS) == (16 * 1024 * 1024, 16, 4000)
    assert (Limits().cases, Limits().steps) == (4_000_000, 300_000_000)
    assert (limits.SECONDS, limits.MEGABYTES) == (57, 1000)


def test_what_is_long_is_cut_in_a_message():
    assert brief("x" * 158) == f'"{"x" * 158}"'
    assert brief("x" * 159) == f'"{"x" * 119}... (161 characters)'


# Bytes


def test_a_file_is_read_whole_or_not_at_all(small, tmp_path):  # noqa: ARG001
    path = tmp_path / "c"
    path.write_bytes(TEN)
    assert load(str(path)) == TEN.decode()
    path.write_bytes(ELEVEN)
    refused("more than 16 MiB", load, str(path))
    path.write_bytes(b"")
    refused("empty", load, str(path))
    refused("No such file", load, str(tmp_path / "nowhere"))
    refused("no such name", load, "\0")
    refused("byte 1: not UTF-8", decoded, b"a\xff")


def test_what_is_no_regular_file_is_not_opened_and_what_becomes_one_meanwhile_not_read(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(TEN)
    link, fifo = tmp_path / "link", tmp_path / "fifo"
    link.symlink_to(tmp_path / "file")
    os.mkfifo(fifo)
    for path in (link, fifo, tmp_path):
        refused("not a regular file", load, str(path))
    monkeypatch.setattr(os, "lstat", lambda _: SimpleNamespace(st_mode=stat.S_IFREG))
    refused("symbolic links", load, str(link))
    refused("not a regular file", load, str(fifo))


def test_standard_input_is_read_as_far_as_it_may_be(small, monkeypatch):  # noqa: ARG001
    asked = []

    def given(data):
        stream = io.BytesIO(data)
        read = lambda most: asked.append(most) or stream.read(most)  # noqa: E731
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=read)))

    given(TEN)
    assert load("-") == TEN.decode()
    given(ELEVEN)
    refused("more than 16 MiB", load, "-")
    monkeypatch.setattr(sys, "stdin", None)
    refused("empty", load, "-")
    assert asked == [11, 11]


def test_what_is_packed_is_unpacked_from_standard_input_too(monkeypatch):
    def given(data):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    given(gzip.compress(b"[1]"))
    assert load("-") == "[1]"
    given(gzip.compress(b"[1]") + b"more")
    refused("bytes after the end of the gzip file", load, "-")
    given(gzip.compress(b" " * (reading.MOST_BYTES + 1)))
    refused("more than 16 MiB", load, "-")


def test_a_gzip_file_has_one_member_and_is_unpacked_as_far_as_it_may_be_read(small, tmp_path):  # noqa: ARG001
    packed = gzip.compress(TEN)
    (tmp_path / "c.gz").write_bytes(packed[:10])
    refused("ends too early", load, str(tmp_path / "c.gz"))
    assert unpacked(packed) == TEN
    assert unpacked(gzip.compress(bytes(10_000))) == bytes(11)
    refused("ends too early", unpacked, packed[:-4])
    refused("bytes after the end", unpacked, packed + b"x")
    for data in (TEN, zlib.compress(TEN)):
        refused("not a gzip file", unpacked, data)


# JSON


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' {"a": [1, -12]}\n', {"a": [1, -12]}),
        ("[[], [], {}]", [[], [], {}]),
        ('["[[[", "\\"{{"]', ["[[[", '"{{']),
        ("9999", 9999),
    ],
)
def test_json_that_is_read(text, value, small):  # noqa: ARG001
    assert parse(text) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1, "a": 1}', 'the key "a" occurs twice'),
        ("12345", "more than 4 digits"),
        ("-0", "or -0"),
        ("1.0", "no whole number"),
        ("NaN", "no whole number"),
        ("[[[]]]", "character 2: nested deeper than 2"),
        ("[[], [[]]]", "character 6: nested deeper than 2"),
        ('{"a": {}, "b": {"c": {}}}', "nested deeper than 2"),
        ("[1] ", "character 3: something follows"),
        ("[1,]", "line 1, column 4: no JSON"),
    ],
)
def test_json_that_is_not(text, says, small):  # noqa: ARG001
    refused(says, parse, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", (0, 1)), ("-12", (-12, 1)), ("9999", (9999, 1)), ("-13/12", (-13, 12)), ("1/999", (1, 999))],
)
def test_rationals(text, value, small):  # noqa: ARG001
    assert rational(text, "t_l") == value


@pytest.mark.parametrize("text", [5, None, "12345", "12/345", "-0", "01", "1/0", "+1", "1/-2", "x", "\u0665", "1 "])
def test_what_is_no_rational(text, small):  # noqa: ARG001
    refused("t_l: ", rational, text, "t_l")
    refused("is no rational of at most 4 digits", rational, text, "t_l")


@pytest.mark.parametrize("text", ["2/4", "4/1", "0/1", "0/3"])
def test_what_is_not_in_lowest_terms(text):
    refused("not in lowest terms", rational, text, "t_l")


# Shapes


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        ("count", [0, 7], [-1, True, "1", 1.0, None]),
        ("text", ["", "a b"], [1, "é", "a\nb"]),
        ("rational", ["1/2"], [1, "2/4", ["1"]]),
        (("a", "b"), ["a"], ["c", 1, ["a"], None]),
        (["count"], [[], [1, 2]], [1, {}, [1, "1"], None]),
        ({"a": "count", "b?": "text"}, [{"a": 1}, {"a": 1, "b": "x"}], [[], {}, {"b": "x"}, {"a": 1, "b": 1}, "a"]),
        ({"a": "count", "bb?": "text"}, [], [{"a": 1, "bb?": "x"}, {"a": 1, "c": 1}, {"a": 1, "": 1}]),
        ({"<text>": "count"}, [{}, {"c": 1}], [{"\u00e9": 1}, {"c": "x"}, []]),
    ],
)
def test_shapes(shape, good, bad):
    for value in good:
        fits(shape, value, "")
    for value in bad:
        with pytest.raises(Unreadable):
            fits(shape, value, "")


def test_where_a_shape_does_not_fit_is_said():
    inside = {"a": [{"b": "count"}]}
    refused('a[1].b: "x" is not a whole number, 0 or more', fits, inside, {"a": [{"b": 1}, {"b": "x"}]}, "")
    refused("a[0]: member b is missing", fits, inside, {"a": [{}]}, "")
    refused('the file: unknown member "c"', fits, inside, {"c": 1}, "")
    refused('at.c: "x" is not', fits, {"c": "count"}, {"c": "x"}, "at")
    for shape, wanted in (
        (["count"], "a list"),
        ({"c": "count"}, "an object"),
        (("holds", "refuted"), "one of holds, refuted"),
        ("text", "a line of ASCII text"),
    ):
        refused(f"at: 1 is not {wanted}", fits, shape, 1, "at")
    for length, said in ((79, "n" * 79), (80, f'"{"n" * 80}"')):
        refused(f"{said}: ", fits, {"<text>": "count"}, {"n" * length: "x"}, "")
    refused('"n?"', fits, {"n?": "count"}, {"n?": 1}, "")


def test_other_formats():
    for value in ([], None, {}, {"format": "verifier.certificate/3"}, {"format": 1}):
        assert isinstance(reading.of_no_format(value), Unreadable)
    assert "make the file anew" in str(reading.of_no_format({"format": "verifier.certificate/1"}))


# The last bounds


@pytest.mark.parametrize(("hard", "most"), [(-1, 3 << 20), (4 << 20, 3 << 20), (2 << 20, 2 << 20)])
def test_seconds_and_memory_are_bounded(hard, most, monkeypatch):
    import resource

    done = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (7, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda *its: done.append(its))
    monkeypatch.setattr(signal, "setitimer", lambda *its: done.append(its))
    monkeypatch.setattr(signal, "signal", lambda which, call: done.append((which, type(call))))
    limits.bound(5, 3)
    assert done == [
        (signal.SIGPROF, type(lambda: 0)), (signal.ITIMER_PROF, 5), (resource.RLIMIT_AS, (most, hard)),
    ]  # fmt: skip
    monkeypatch.setattr(sys, "platform", "darwin")
    limits.bound(5, 3)
    assert len(done) == 5
