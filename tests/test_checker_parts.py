"""A check of a part: which orbits are run, what is said of the others, and what it may cost."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tampered.corpus import genuine
from test_checker import HOLDS, OVER_LIMIT, PARTIAL, REJECTED, UNREADABLE
from verifier.catalogue import choose
from verifier.certificate import canonical, certify
from verifier.checker.core import frame, share
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import certificate
from verifier.checker.papers.yun2020 import cost
from verifier.checker.papers.yun2020.model import paper
from verifier.checker.papers.yun2020.paper import PAPER, Lemma6, model_of
from verifier.checker.papers.yun2020.shards import DOMAIN
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import RunOptions, verify

ROOT = Path(__file__).parent.parent


@cache
def of(*parts, claims, **exchanged):
    """A certificate, by the kernel where it can."""
    return certify(
        verify(contextual_map(Instance(*parts), **exchanged), choose(claims.split(",")), RunOptions("kernel"))
    )


# The orbits from a rank on


@given(st.sampled_from([(1, 3, 6), (2, 4, 2), (1, 5, 3), (3, 2, 2), (1, 2, 9)]), st.data())
def test_orbits_can_be_enumerated_from_any_rank_on(parts, data):
    m = paper(*parts)
    every = list(combinations_with_replacement(range(m.column_count), m.n))
    assert len(every) == m.orbit_count
    start = data.draw(st.integers(0, m.orbit_count - 1))
    stop = data.draw(st.integers(start, m.orbit_count))
    assert list(m.orbits(start, stop)) == list(enumerate(every))[start:stop]
    assert m.orbit(start) == every[start]


# Shards that are asked for


def test_a_part_is_a_part(judge):
    data = genuine("shards")
    for options in (
        ["--shard", "0"],
        ["--shard", "1"],
        ["--shard", "0", "--shard", "1"],
        ["--sample", "1", "--seed", "7"],
    ):
        code, said = judge(data, *options)
        assert code == PARTIAL, said
        assert "part" in said.lower()
    assert judge(data, "--shard", "2")[0] == UNREADABLE
    assert judge(data, "--sample", "0")[0] == UNREADABLE


def test_a_part_never_says_of_pairs_that_they_are_refuted(judge):
    """A counterexample that was not looked at is not repeated."""
    document = json.loads(of(1, 2, 70, claims="lemma6.2"))
    claim = document["claims"][0]
    del claim["edges"]
    claim |= {"verdict": "refuted", "counterexample": claim.pop("tightest") | {"failing": 1, "bound": "99"}}
    del claim["counterexample"]["slack"]
    document["verdict"] = "refuted"
    code, said = judge(canonical(document), "--shard", "0")
    assert code == PARTIAL
    assert "REFUTED" not in said
    assert judge(canonical(document))[0] == REJECTED


def test_a_lie_in_one_shard_is_found_there(judge):
    document = json.loads(genuine("shards"))
    document["shards"][1]["digest"] = "1"
    assert judge(canonical(document), "--shard", "0")[0] == PARTIAL
    code, said = judge(canonical(document), "--shard", "1")
    assert code == REJECTED
    assert "shards[1].digest" in said


def test_of_a_certificate_over_the_limit_a_shard_can_be_checked(judge, monkeypatch):
    monkeypatch.setattr(share, "MOST_POINTS", 2_000)
    data = genuine("shards")  # 2,556 orbits in two shards
    assert judge(data, "--max-points", "2000")[0] == OVER_LIMIT
    code, said = judge(data, "--max-points", "2000", "--sample", "1")
    assert (code, "1 of 2 shards, drawn with the seed " in said) == (PARTIAL, True)
    assert judge(data, "--max-points", "1000", "--shard", "0")[0] == OVER_LIMIT


# What some seconds allow, drawn by the reader's seed


def test_what_is_small_is_checked_in_full(judge):
    code, said = judge(genuine("shards"), "--seconds", "1")
    assert (code, "checked in full" in said) == (HOLDS, True)


@pytest.mark.parametrize("seed", range(4))
def test_shards_are_drawn_by_a_seed_that_is_not_the_files(seed, judge, monkeypatch):
    """Room for one of two shards. Whatever the file says, the reader's seed decides which; a lie there is found."""
    monkeypatch.setattr(share, "STEPS_A_SECOND", 1300 * 5)
    document = json.loads(of(1, 2, 70, claims=["lemma6.1", "lemma6.3", "lemma6.4", "lemma10"][seed]))
    draw = ("--seconds", "1", "--seed", str(seed))
    code, said = judge(canonical(document), *draw)
    (drawn,) = (k for k in (0, 1) if f"checked in part: 1 of 2 shards, drawn with the seed {seed} ({k})" in said)
    assert code == PARTIAL
    document["shards"][1 - drawn]["digest"] = "1"
    assert judge(canonical(document), *draw)[0] == PARTIAL  # not looked at, still not
    document["shards"][drawn]["digest"] = "1"
    assert judge(canonical(document), *draw)[0] == REJECTED


def test_another_seed_is_drawn_for_each_call_and_told(judge, monkeypatch):
    monkeypatch.setattr(share, "STEPS_A_SECOND", 1300 * 5)
    data, seeds = of(1, 2, 70, claims="lemma6.1"), set()
    for _ in range(4):
        for draw in ("--seconds", "--sample"):
            seeds.add(re.search(r"drawn with the seed (\d+) \(", judge(data, draw, "1")[1])[1])
    assert len(seeds) == 8


def test_of_a_shard_that_is_too_long_a_stretch_is_checked(judge, monkeypatch):
    monkeypatch.setattr(share, "STEPS_A_SECOND", 100 * 5)
    data = of(1, 2, 70, claims="lemma6.3,lemma6.2")
    code, said = judge(data, "--seconds", "1")
    assert code == PARTIAL
    assert "checked in part: 100 of the 1,278 orbits of shard " in said
    assert "NOT checked: the shards' counts, and pairs (" in said


@pytest.fixture
def in_a_shard():
    document = certificate(json.loads(of(1, 2, 70, claims="lemma6.3,lemma6.4")), PAPER)
    m = paper(1, 2, 70)
    claims = [claim["id"] for claim in document["claims"] if claim["id"] in DOMAIN]
    model = Lemma6(m, claims, share.Options())
    return document["shards"][0], lambda start, stop, shard: frame._refuse_looser(
        model, claims, shard, share.Share([], stretch=(0, start, stop)), 1
    )


def test_a_stretch_knows_a_tighter_case_than_the_shard_names(in_a_shard):
    """The second tightest case called the tightest: what is named bears it out."""
    shard, run = in_a_shard
    edge = shard["claims"]["lemma6.3"]["edges"]["q_j < t_r"]
    at = edge["rank"]
    run(shard["start"], shard["stop"], shard)
    edge["slack"] = str(Fraction(edge["slack"]) + 1)
    run(shard["start"], at, shard)
    with pytest.raises(Rejected, match="q_j < t_r"):
        run(at, at + 1, shard)


@pytest.mark.parametrize("what", ["cases", "coverage", "edge", "rank"])
def test_a_stretch_bounds_each_number_of_its_shard(what, in_a_shard):
    shard, run = in_a_shard
    claim = shard["claims"]["lemma6.4"]
    if what == "cases":
        claim["cases"] = 10
    elif what == "coverage":
        shard["coverage"]["category3"]["orbits"] = 3
    elif what == "edge":
        del claim["edges"]
    else:
        next(iter(claim["edges"].values()))["rank"] += 1
    with pytest.raises(Rejected, match="a stretch of a shard"):
        run(shard["start"], shard["stop"], shard)


def test_a_stretch_finds_a_failing_case_that_the_shard_hides():
    document = certificate(json.loads(of(1, 2, 8, claims="lemma6.3", t_r=4000)), PAPER)
    shard = document["shards"][0]
    said = shard["claims"]["lemma6.3"]
    assert said["failing"] > 1
    model = Lemma6(model_of(document), ["lemma6.3"], share.Options())

    def run():
        frame._refuse_looser(model, ["lemma6.3"], shard, share.Share([], stretch=(0, 0, shard["stop"])), 1)

    run()
    said["first"] += 1
    with pytest.raises(Rejected, match="first"):
        run()
    del said["failing"], said["first"]
    with pytest.raises(Rejected, match="failing"):
        run()


# What a file may cost


def test_a_file_that_is_mostly_header_is_refused_before_it_runs(judge):
    """Nine million keys of the value map, asked for in a file of a few lines."""
    document = json.loads(of(1, 2, 2, claims="lemma7.map"))
    m = paper(1, 2, 3000)
    document["instance"]["N"] = 3000
    assert judge(canonical(document))[0] == REJECTED  # its statement is of another N
    with pytest.raises(OverLimit, match="5,000,000 orbits"):  # a stretch is charged too
        cost.refuse_too_much(m, ["lemma6.3"], share.Share([], stretch=(0, 0, 5_000_000)), share.Options())
    with pytest.raises(OverLimit, match="keys"):
        cost.refuse_too_much(m, ["lemma7.map"], share.Share([0]), share.Options())


ATTACKS = {
    "empty strings": b'{"claims":[' + b'"",' * 5_000_000 + b'""]}',
    "empty lists": b'{"not_covered":[' + b"[]," * 5_000_000 + b"[]]}",
    "empty objects": b"[" + b"{}," * 5_000_000 + b"{}]",
    "small objects": b"[" + b'{"":0},' * 2_200_000 + b"{}]",
    "a long name": b'{"' + b"a" * 15_000_000 + b'":1}',
    "digits": b'{"d":' + b"9" * 15_000_000 + b"}",
    "not covered": None,
    "an edge": None,
    "many terms": None,
}


def attack(kind):
    if ATTACKS[kind] is not None:
        return ATTACKS[kind]
    document = json.loads(genuine("shards"))
    if kind == "not covered":
        document["not_covered"] += [""] * 3_000_000
    elif kind == "an edge":
        edges = next(c["edges"] for c in document["shards"][0]["claims"].values() if "edges" in c)
        edges["q" * 15_000_000] = {"slack": "1", "rank": 1}
    else:
        document = json.loads((ROOT / "proofs/symbolic/n2.json").read_text())
        atoms = "*".join(f"a{k}" for k in range(10, 60))
        terms = " + ".join(sorted(f"{atoms}*b{k}" for k in range(60_000)))
        document["facts"][0]["obligations"][0]["sum"] = terms
    return json.dumps(document).encode()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ATTACKS)
def test_no_file_takes_more_than_a_gigabyte(kind, tmp_path):
    """Whatever is in it, the checker has an answer, and says it in a few lines."""
    path = tmp_path / "c.json"
    path.write_bytes(attack(kind)[: 16 * 2**20])
    script = (
        "import resource, subprocess, sys\n"
        "words = [sys.executable, '-m', 'verifier.checker', sys.argv[1]]\n"
        "done = subprocess.run(words, capture_output=True, text=True)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, len(done.stdout))\n"
        "print(done.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    code, megabytes, said = map(int, done.stdout.splitlines()[0].split())
    assert code in (REJECTED, UNREADABLE, OVER_LIMIT), done.stdout
    assert megabytes <= 1024
    assert said < 5000
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("work", "end"),
    [
        ("while True: pass", "OverLimit: more processor time than the limit"),
        ("found = []\nwhile True: found.append(bytes(10**6))", "MemoryError"),
    ],
)
def test_time_and_memory_are_bounded_whatever_the_file_is(work, end):
    script = f"from verifier.checker.core.limits import bound\nbound(1, 200)\n{work}"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert end in done.stderr
