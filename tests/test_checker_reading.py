"""The checker's strict reading: bytes, JSON, numbers and shapes, with limits so small that they can be met by hand."""

import gzip
import io
import multiprocessing
import os
import signal
import stat
import sys
import zlib
from collections import deque
from itertools import chain
from types import SimpleNamespace

import pytest

from verifier.checker import papers
from verifier.checker.core import limits, parallel, reading, share
from verifier.checker.core.comparing import OverLimit
from verifier.checker.core.paper import Paper
from verifier.checker.core.reading import Unreadable, brief, decoded, fits, load, parse, rational, unpacked
from verifier.checker.core.share import Options, Share, plan, share_of

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
    assert (share.MOST_POINTS, share.STEPS_A_SECOND) == (4_000_000, 300_000)
    assert (limits.SECONDS, limits.MEGABYTES) == (57, 1000)
    assert Share([0]) == Share([0], whole=False, stretch=None, seed=None)
    nothing = Options(4_000_000, literal=False, shards=(), sample=0, seed=0, seconds=0, jobs=0)
    assert Options() == nothing


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
        ("claim", ["c"], ["d", 1, None]),
        ("rational", ["1/2"], [1, "2/4", ["1"]]),
        ("value", ["1/2", ["1", ["2"]], []], [1, ["2/4"], [["x"]], {}]),
        (("a", "b"), ["a"], ["c", 1, ["a"], None]),
        (["count"], [[], [1, 2]], [1, {}, [1, "1"], None]),
        ({"a": "count", "b?": "text"}, [{"a": 1}, {"a": 1, "b": "x"}], [[], {}, {"b": "x"}, {"a": 1, "b": 1}, "a"]),
        ({"a": "count", "bb?": "text"}, [], [{"a": 1, "bb?": "x"}, {"a": 1, "c": 1}, {"a": 1, "": 1}]),
        ({"<claim>": "count"}, [{}, {"c": 1}], [{"d": 1}, {"c": "x"}, []]),
    ],
)
def test_shapes(shape, good, bad):
    for value in good:
        fits(shape, value, "", {"c"})
    for value in bad:
        with pytest.raises(Unreadable):
            fits(shape, value, "", {"c"})


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
        ("claim", "the id of a claim"),
        ("text", "a line of ASCII text"),
    ):
        refused(f"at: 1 is not {wanted}", fits, shape, 1, "at")
    for length, said in ((79, "n" * 79), (80, f'"{"n" * 80}"')):
        refused(f"{said}: ", fits, {"<text>": "count"}, {"n" * length: "x"}, "")
    refused('"n?"', fits, {"n?": "count"}, {"n?": 1}, "")


PAPER = Paper("p", 3, ("d",), {"c": "c!"}, ("odd",), ("t",), lambda *_: None, variant=("t",))
CERT = {
    "format": "verifier.certificate/1",
    "paper": "p/3",
    "instance": {"d": 1},
    "statement": "",
    "constants": {"t": "1"},
    "coverage": {},
    "claims": [{"id": "c", "statement": "c!", "verdict": "holds", "cases": 1}],
    "shards": [],
    "not_covered": [],
    "verdict": "holds",
}


def test_the_shape_of_a_certificate():
    assert reading.certificate(CERT, PAPER) == CERT
    size = {"matrices": 1, "orbits": 1}
    assert reading.certificate(CERT | {"coverage": {"odd": size, "total": size}, "variant": {"t": "2"}}, PAPER)
    for lie in (
        {"paper": "p/4"}, {"format": "verifier.proof/1"}, {"claims": []}, {"variant": {}}, {"variant": {"u": "1"}},
        {"coverage": {"odd": size}}, {"verdict": "vacuous"}, {"verdict": ""},
    ):  # fmt: skip
        with pytest.raises(Unreadable):
            reading.certificate(CERT | lie, PAPER)


def test_other_formats():
    for value in (CERT, {}, {"format": "verifier.proof/1"}, {"format": "verifier.build/1"}):
        reading.refuse_other_formats(value)
    for value in ([], None, {"format": "verifier.certificate/3"}, {"format": 1}):
        with pytest.raises(Unreadable):
            reading.refuse_other_formats(value)


# Papers


def test_a_paper_is_found_by_its_name():
    assert papers.names() == ["yun2020"]
    assert papers.find("yun2020").name == "yun2020"
    for name in (None, 1, ["yun2020"], "core", "Yun2020", "../core", "check", "x" * 41, ""):
        refused("the checker has no reading of it; there are yun2020; of a page ", papers.find, name)


def test_a_certificate_names_its_paper_and_version():
    assert papers.named({}).name == papers.named({"paper": "yun2020/1"}).name == "yun2020"
    refused('"yun2020/2": of yun2020 there is version 1', papers.named, {"paper": "yun2020/2"})
    for value in (1, None, "yun", "/1", ["yun2020/1"]):
        refused("no reading", papers.named, {"paper": value})


# Shares and processes


def test_the_cases_of_a_share():
    tiles = plan(3001)
    assert [Share([]).cases(3001), Share([1]).cases(3001)] == [0, tiles[1][1] - tiles[1][0]]
    assert Share([0, 2]).cases(3001) == 2001
    assert Share([1], stretch=(2, 2005, 2015)).cases(3001) == tiles[1][1] - tiles[1][0] + 10


def test_what_is_drawn_is_said_to_be(monkeypatch):
    """A share that is drawn says its seed, which decides; nothing in the file does."""
    monkeypatch.setattr(share, "STEPS_A_SECOND", 100)
    cert, T = {"shards": [{}, {}, {}]}, 3000  # 1000 cases in each shard, a step for each
    assert share_of(cert, T, T, Options(seconds=30)) == Share([0, 1, 2], whole=True)
    assert share_of({"shards": []}, T, 0, Options(seconds=1)) == Share([], whole=True)
    some = share_of(cert, T, T, Options(seconds=29, seed=7))
    assert (len(some.shards), some.whole, some.seed) == (2, False, 7)
    assert len(share_of(cert, T, T, Options(seconds=20)).shards) == 1  # 2000 cases, and 1001 for each shard
    one = share_of(cert, T, T, Options(seconds=1))
    assert (one.shards, one.seed, one.stretch[2] - one.stretch[1]) == ([], 0, 100)
    monkeypatch.setattr(share, "STEPS_A_SECOND", 2002)
    assert len(share_of(cert, T, T, Options(seconds=1)).shards) == 2
    forged = cert | {"b": 1, "a": 2}
    drawn = [share_of(cert, T, 100 * T, Options(seconds=1, seed=seed)) for seed in range(20)]
    assert drawn == [share_of(forged, T, 100 * T, Options(seconds=1, seed=seed)) for seed in range(20)]
    assert len({each.stretch for each in drawn}) > 10
    assert share_of(cert, T, T, Options(sample=2, seed=5)).seed == 5
    assert share_of(cert, T, T, Options(shards=(0, 2))) == Share([0, 2])
    assert share_of(cert, T, 0, Options()) == Share([0, 1, 2], whole=True)
    refused("there is no shard 3: its shards are 0..2", share_of, cert, T, T, Options(shards=(0, 3)))


def test_how_many_processes(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda who: range(6 + who))
    work = share.STEPS_A_SECOND
    assert [share.processes(work - 1, Options()), share.processes(work, Options())] == [1, 6]
    assert [share.processes(work, Options(jobs=3)), share.processes(0, Options(jobs=3))] == [3, 3]
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, processes in ((5, 5), (8, 8), (9, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert share.processes(work, Options()) == processes


def squared(k, pid):
    if k == 3:
        raise OverLimit("three")
    return k * k, os.getpid() == pid


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_each_is_done_in_order_here_or_there(jobs):
    me = os.getpid()
    assert list(parallel.each(squared, [(k, me) for k in (5, 1, 4)], jobs)) == [(k * k, jobs == 1) for k in (5, 1, 4)]
    assert list(parallel.each(squared, [(5, me)], jobs)) == [(25, True)]
    found = parallel.each(squared, [(k, me) for k in (5, 3, 4)], jobs)
    assert next(found)[0] == 25
    with pytest.raises(OverLimit, match="three"):
        next(found)


def test_what_a_process_does(monkeypatch):
    """It hears no interrupt of ours, keeps its limits, and sends back each result, or what went wrong."""
    done, me = [], os.getpid()
    monkeypatch.setattr(parallel, "seconds_at_most", done.append)
    monkeypatch.setattr(parallel, "bytes_at_most", done.append)
    monkeypatch.setattr(signal, "signal", lambda *its: done.append(its))
    monkeypatch.setattr(signal, "pthread_sigmask", lambda *its: done.append(its))
    sent = []
    parallel._work(SimpleNamespace(send=sent.append), squared, [(5, me), (3, me), (4, me)], 7, 8)
    assert done == [(signal.SIGINT, signal.SIG_DFL), (signal.SIG_UNBLOCK, {signal.SIGINT}), 7, 8]
    assert sent[0] == (True, (25, True))
    assert [(good, type(found)) for good, found in sent[1:]] == [(False, OverLimit)]
    parallel._work(SimpleNamespace(send=sent.append), squared, [], 0, 0)
    assert done[4:] == done[:2]

    def nobody_reads(_):
        raise BrokenPipeError

    parallel._work(SimpleNamespace(send=nobody_reads), squared, [(5, me)], 0, 0)


@pytest.mark.parametrize(("jobs", "shares"), [(2, [[5, 7], [6]]), (9, [[5], [6], [7]])])
def test_each_process_is_started_deaf_and_ended(jobs, shares, monkeypatch):
    log = []

    def pipe(duplex):
        queue = deque()
        log.append(("pipe", duplex))
        close = lambda: log.append("close")  # noqa: E731
        return SimpleNamespace(recv=queue.popleft), SimpleNamespace(send=queue.append, close=close)

    class Process:
        def __init__(self, target, args, daemon):
            assert target is parallel._work
            self.its, self.function, items, *its_share = args
            self.items = [k for (k,) in items]
            log.append((self.items, its_share, daemon))

        def start(self):
            log.append("start")
            for k in self.items:
                self.its.send((True, self.function(k)))

        def kill(self):
            log.append("kill")

        def join(self):
            log.append("join")

    monkeypatch.setattr(multiprocessing, "Pipe", pipe)
    monkeypatch.setattr(multiprocessing, "Process", Process)
    monkeypatch.setattr(parallel, "share_of_each", lambda processes: [f"1/{processes}", 9])
    monkeypatch.setattr(parallel, "take_off", log.append)
    monkeypatch.setattr(signal, "pthread_sigmask", lambda how, which: log.append((how, which)))
    assert list(parallel.each(lambda k: k * k, [(5,), (6,), (7,)], jobs)) == [25, 36, 49]
    deaf, hearing = ((how, {signal.SIGINT}) for how in (signal.SIG_BLOCK, signal.SIG_UNBLOCK))
    begun = [
        [("pipe", False), (items, [f"1/{len(shares)}", 9], True), deaf, "start", hearing, "close"] for items in shares
    ]
    assert log == [*chain.from_iterable(begun), *["kill"] * len(shares), *["join"] * len(shares), 0]


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
