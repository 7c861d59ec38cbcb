"""What a checkpoint keeps: every number of a part, of this run and of no other; and who it is that runs."""

import hashlib
import json

import pytest

from verifier.run import checkpoint as room
from verifier.run.checkpoint import Kept, code_identity
from verifier.run.stop import OtherRun, Unwritable

RUN = {"claims": ["a.claim"], "engine": "quick", "shards": 64}


def opened(folder, **changes):
    return Kept(folder, RUN | changes)


CONTENT = {"start": 10, "values": ["1/7"]}


def number(content):
    return {name: content[name] for name in CONTENT}


def test_a_part_is_kept_as_it_is(tmp_path):
    kept = opened(tmp_path / "a" / "b")
    assert kept.load_as(3, number) is None
    kept.save_as(3, CONTENT)
    assert opened(tmp_path / "a" / "b").load_as(3, number) == CONTENT
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
        of_the_file(lambda content: {name: content[name] for name in content if name != "values"}),
        lambda _: "{",
        lambda _: "[]",
    ],
)
def test_what_is_damaged_or_of_another_run_is_not_loaded(damage, tmp_path):
    kept = opened(tmp_path)
    kept.save_as(3, CONTENT)
    kept.path(3).write_text(damage(json.loads(kept.path(3).read_bytes())))
    assert kept.load_as(3, number) is None
    assert kept.damaged == ["shard-00003.json"]


def test_where_nothing_can_be_kept_is_said_at_once(tmp_path, monkeypatch):
    kept = opened(tmp_path)
    kept.path(3).mkdir()
    with pytest.raises(Unwritable, match=r"the checkpoint can't be kept: .*shard-00003.json: what is there already"):
        kept.load_as(3, number)
    with pytest.raises(Unwritable, match=r"the checkpoint can't be kept: .*shard-00003.json"):
        kept.save_as(3, CONTENT)
    monkeypatch.setattr(room.os, "access", lambda *_: False)
    with pytest.raises(Unwritable, match=f"{tmp_path}: it can't be written to"):
        opened(tmp_path)


def test_a_run_is_the_same_in_whatever_order_its_parts_are_named(tmp_path):
    there = Kept(tmp_path, {"b": 2, "a": 1})
    assert Kept(tmp_path, {"a": 1, "b": 2}).run == there.run
    assert (tmp_path / "manifest.json").read_bytes() == b'{"a":1,"b":2}'


@pytest.mark.parametrize(
    ("there", "why"),
    [
        (RUN | {"engine": "literal"}, "its engine is 'literal', and not 'quick'$"),
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
    sources = {"a.py": b"1", "run/b.py": b"2"}
    (tmp_path / "run").mkdir()
    for name, data in {**sources, "c.pyc": b"3", "d.csv": b"4", "e.txt": b"5"}.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(room, "__file__", str(tmp_path / "run" / "checkpoint.py"))
    digest = hashlib.sha256(
        b"".join(name.encode() + b"\0" + data + b"\0" for name, data in sources.items())
    ).hexdigest()
    assert code_identity() == f"{room.__version__}+{digest[:16]}"
