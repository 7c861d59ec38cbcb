"""What a checkpoint keeps: every number of a part, of this run and of no other; and who it is that runs."""

import hashlib
import json
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from test_shards import PART, SHARD
from verifier.core.exact import Q
from verifier.core.space import Sizes
from verifier.papers.yun2020.contextual_map import at
from verifier.run import checkpoint as room
from verifier.run.checkpoint import Checkpoint, code_identity, identity, spelled
from verifier.run.shard import Count
from verifier.run.stop import OtherRun, Unwritable

RUN = {"claims": ["a.claim"], "engine": "kernel", "shards": 64}
FRACTIONS = replace(
    PART,
    shard=replace(SHARD, digest=Q(7, 3), claims={"a.claim": Count(6, 0, None, {"x < y": (Q(1, 7), 12)})}),
    values={"a.claim": [(Q(-5, 3), 10), (Q(10**30), 11)]},
    nearest=(10**25, 13),
)


def opened(folder, **changes):
    return Checkpoint(folder, RUN | changes, ["one", "two"])


@pytest.mark.parametrize("part", [PART, FRACTIONS, replace(PART, nearest=None, instead="")])
def test_a_part_is_kept_to_the_last_digit(part, tmp_path):
    kept = opened(tmp_path / "a" / "b")
    assert kept.load(3, 10, 14) is None
    kept.save(3, part)
    assert opened(tmp_path / "a" / "b").load(3, 10, 14) == part
    assert kept.path(3).name == "shard-00003.json"
    assert kept.damaged == []


def signed(content):
    return json.dumps({"content": content, "sha256": hashlib.sha256(room._bytes(content)).hexdigest()})


def of_the_file(change):
    return lambda document: signed(change(document["content"]))


@pytest.mark.parametrize(
    "damage",
    [
        lambda document: json.dumps(document | {"sha256": "0" * 64}),
        of_the_file(lambda content: content | {"run": "another"}),
        of_the_file(lambda content: content | {"index": 4}),
        of_the_file(lambda content: content | {"start": 9, "stop": 13, "claims": {}}),
        of_the_file(lambda content: content | {"digest": "-1"}),
        of_the_file(lambda content: content | {"digest": "1e3"}),
        of_the_file(lambda content: content | {"digest": 7}),
        of_the_file(lambda content: content | {"nearest": ["0", 13]}),
        lambda _: "{",
        lambda _: "[]",
    ],
)
def test_what_is_damaged_or_of_another_run_is_not_loaded(damage, tmp_path):
    kept = opened(tmp_path)
    kept.save(3, PART)
    kept.path(3).write_text(damage(json.loads(kept.path(3).read_bytes())))
    assert kept.load(3, 10, 14) is None
    assert kept.damaged == ["shard-00003.json"]


def test_another_stretch_is_not_loaded(tmp_path):
    kept = opened(tmp_path)
    kept.save(3, PART)
    assert kept.load(3, 10, 15) is kept.load(3, 9, 14) is None
    assert kept.load(3, 10, 14) == PART


def test_only_a_kernel_finds_a_nearest_pair(tmp_path):
    literal = opened(tmp_path, engine="literal")
    literal.save(3, PART)
    assert literal.load(3, 10, 14) is None
    literal.save(3, replace(PART, nearest=None))
    assert literal.load(3, 10, 14) == replace(PART, nearest=None)


def test_where_nothing_can_be_kept_is_said_at_once(tmp_path, monkeypatch):
    kept = opened(tmp_path)
    kept.path(3).mkdir()
    with pytest.raises(Unwritable, match=r"the checkpoint can't be kept: .*shard-00003.json: what is there already"):
        kept.load(3, 10, 14)
    with pytest.raises(Unwritable, match=r"the checkpoint can't be kept: .*shard-00003.json"):
        kept.save(3, PART)
    monkeypatch.setattr(room.os, "access", lambda *_: False)
    with pytest.raises(Unwritable, match=f"{tmp_path}: it can't be written to"):
        opened(tmp_path)


def test_a_run_is_the_same_in_whatever_order_its_parts_are_named(tmp_path):
    there = Checkpoint(tmp_path, {"b": 2, "a": 1}, ())
    assert Checkpoint(tmp_path, {"a": 1, "b": 2}, ()).run == there.run
    assert (tmp_path / "manifest.json").read_bytes() == b'{"a":1,"b":2}'


@pytest.mark.parametrize(
    ("there", "why"),
    [
        (RUN | {"engine": "literal"}, "its engine is 'literal', and not 'kernel'$"),
        (RUN | {"shards": ["a.claim"]}, r"its shards is \['a.claim'\], and not 64$"),
        (RUN | {"claims": "a.claim"}, r"its claims is 'a.claim', and not \['a.claim'\]$"),
        (RUN | {"claims": ["a.claim", 7]}, r"its claims is \['a.claim', 7\], and not \['a.claim'\]$"),
        (RUN | {"claims": ["a.claim", "b"]}, "its claims are others; only there: b$"),
        (RUN | {"claims": ["b", "c"]}, "its claims are others; only there: b, c; only here: a.claim$"),
        (RUN | {"claims": []}, "its claims are others; only here: a.claim$"),
        (RUN | {"claims": ["a.claim"] * 2}, "its claims are others; the same ids, in another order$"),
        (RUN | {"engine": "x" * 98}, "its engine is 'x{98}', and not"),
        (RUN | {"engine": "x" * 99}, r"its engine is 'x{99}\.\.\., and not"),
        ([], r"its claims is \[\], and not|only here: a.claim"),
    ],
)
def test_the_folder_of_another_run_is_refused_with_what_differs(there, why, tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps(there))
    with pytest.raises(OtherRun, match=f"{tmp_path} belongs to another run: {why}"):
        opened(tmp_path)


@pytest.mark.parametrize("damage", ["{", "[" * 100_000])
def test_a_damaged_manifest_is_refused(damage, tmp_path):
    (tmp_path / "manifest.json").write_text(damage)
    with pytest.raises(OtherRun, match=r"is damaged; remove .* to begin anew"):
        opened(tmp_path)


# Who runs


def test_the_code_is_every_source_by_name_and_bytes(tmp_path, monkeypatch):
    sources = {"a.py": b"1", "run/b.c": b"2", "run/c.h": b"3", "run/d.py": b"4"}
    (tmp_path / "run").mkdir()
    for name, data in {**sources, "e.pyc": b"5", "f.csv": b"6", "g.txt": b"7"}.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(room, "__file__", str(tmp_path / "run" / "checkpoint.py"))
    monkeypatch.setattr(room.compiled, "found", lambda: SimpleNamespace(digest="0123456789abcdef" * 4))
    monkeypatch.setattr(room, "papers", lambda: {"a": SimpleNamespace(library="m:f"), "b": SimpleNamespace(library="")})
    monkeypatch.setattr(room, "loaded", lambda name: lambda: "" if name == "m:f" else None)
    digest = hashlib.sha256(
        b"".join(name.encode() + b"\0" + data + b"\0" for name, data in sources.items())
    ).hexdigest()
    assert code_identity() == f"{room.__version__}+{digest[:16]}, C libraries 0123456789abcdef, none"


@dataclass(frozen=True)
class Named:
    number: object
    its: tuple

    def __repr__(self):
        return "the same for all"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Named(Q(1, 2), (1, "a")), "Named(number=mpq(1,2), its=(1, 'a'))"),
        ({"b": [Named(1, ())], "a": 2}, "{'b': (Named(number=1, its=())), 'a': 2}"),
        ({(2,), (1,)}, "{(1), (2)}"),
        (frozenset([2, 1]), "{1, 2}"),
        ((), "()"),
        (Named, repr(Named)),
    ],
)
def test_a_value_is_spelled_in_all_its_parts(value, text):
    assert spelled(value) == text


def test_a_run_is_known_by_all_that_its_counts_depend_on():
    g = at(1, 2, 3)
    claims = [SimpleNamespace(id="a.claim"), SimpleNamespace(id="b.claim")]
    found = identity(g, claims, "kernel")
    assert found == {
        "format": "verifier.checkpoint/3",
        "paper": "yun2020",
        "instance": {"d": 1, "n": 2, "N": 3},
        "construction": hashlib.sha256(spelled(g.code).encode()).hexdigest(),
        "claims": ["a.claim", "b.claim"],
        "engine": "kernel",
        "code": code_identity(),
        "orbits": 10,
        "shards": 1,
    }
    own = SimpleNamespace(paper="", title="sums", sizes={}, code=(), space=SimpleNamespace(size=2000))
    assert [identity(own, [], "literal")[name] for name in ("paper", "shards")] == ["sums", 2]


def test_the_sizes_of_a_category_may_be_large(tmp_path):
    coverage = {"one": Sizes(10**40, 4), "two": Sizes(0, 0), "total": Sizes(10**40, 4)}
    large = replace(PART, shard=replace(SHARD, coverage=coverage, claims={"a.claim": Count(10**40)}), values={})
    kept = opened(tmp_path)
    kept.save(0, large)
    assert kept.load(0, 10, 14) == large
