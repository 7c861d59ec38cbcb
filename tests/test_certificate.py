"""From a result to canonical bytes."""

import json
import os
from dataclasses import replace

import pytest

from verifier.catalogue import choose
from verifier.certificate import NotCertifiable, canonical, certify, content
from verifier.core.exact import Q, parse_rational
from verifier.files import write
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.run.verify import verify


def of(*parts, claims=None):
    return certify(verify(contextual_map(Instance(*parts)), claims and choose(claims)))


def test_the_example_of_the_format():
    document = json.loads(of(1, 3, 4, claims=["lemma10"]))
    assert document["format"] == "verifier.certificate/1"
    assert document["instance"] == {"d": 1, "n": 3, "N": 4}
    assert document["constants"] == {
        "delta": "1/4",
        "t_l": "3072",
        "t_r": "12288",
        "lemma10.lower": "12",
        "lemma10.upper": "183/4",
    }
    assert document["coverage"] == {
        "category1": {"matrices": 24, "orbits": 4},
        "category2": {"matrices": 40, "orbits": 16},
        "category3": {"matrices": 61, "orbits": 15},
        "total": {"matrices": 125, "orbits": 35},
    }
    assert document["verdict"] == "holds"
    lower = document["claims"][0]
    assert (lower["id"], lower["verdict"], lower["cases"]) == ("lemma10.lower", "holds", 4)
    tightest = {key: lower["tightest"][key] for key in ("value", "bound", "slack", "matrix")}
    assert tightest == {"value": "55/2", "bound": "12", "slack": "31/2", "matrix": [["0", "1/4", "1/2"]]}


def walk(value):
    yield value
    if isinstance(value, dict):
        for part in value.values():
            yield from walk(part)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)


@pytest.mark.parametrize("parts", [(1, 2, 2), (1, 3, 2), (2, 2, 2)])
def test_the_bytes_are_canonical(parts):
    raw = of(*parts)
    assert raw == of(*parts)
    document = json.loads(raw, parse_float=pytest.fail)
    assert canonical(document) == raw
    assert raw.endswith(b"}\n")
    for claim in document["claims"]:
        for place in [claim.get("tightest", {}), *claim.get("edges", [])]:
            for number in walk([place.get(key, []) for key in ("value", "bound", "slack", "matrix", "other")]):
                if isinstance(number, str):
                    parse_rational(number)


def test_a_slack_is_the_distance_from_value_to_bound():
    for claim in json.loads(of(1, 3, 4))["claims"]:
        for tight in [claim["tightest"], *claim.get("edges", [])] if "tightest" in claim else []:
            value, bound = parse_rational(tight["value"]), parse_rational(tight["bound"])
            assert parse_rational(tight["slack"]) == abs(value - bound)


def test_a_counterexample_can_be_redone_by_hand():
    broken = contextual_map(Instance(1, 2, 3), sweep_factor=Q(2))
    by_id = {claim["id"]: claim for claim in content(verify(broken))["claims"]}
    assert by_id["b5.first-shift"]["verdict"] == "refuted"
    assert by_id["b5.first-shift"]["counterexample"] == {
        "relation": "l~_1, after the first shift = l_1 + delta^-d (l_n - l_1)",
        "matrix": [["0", "1/3"]],
        "value": "2/3",  # 0 + 2 (1/3 - 0)
        "bound": "1",  # 0 + 3 (1/3 - 0)
        "failing": 3,
    }
    # in units of delta 0, 1 -> 2, 1 -> 2, 3 -> 4, 3 (level 2 meets the first token again), and 1, 2 -> 3, 2 -> 3, 4
    pair = by_id["lemma6.2"]["counterexample"]
    assert (pair["matrix"], pair["other"]) == ([["0", "1/3"]], [["1/3", "2/3"]])


def test_a_variant_says_that_it_is_one():
    document = content(verify(contextual_map(Instance(1, 2, 3), sweep_factor=Q(2), t_l=Q(1, 3))))
    assert document["variant"] == {"sweep_factor": "2", "t_l": "1/3"}
    assert document["constants"]["t_l"] == "1/3"
    assert (
        "a VARIANT of the contextual map, with sweep_factor = 2 (the paper: 3), t_l = 1/3 (the paper: 54), of"
        in document["statement"]
    )
    assert "variant" not in content(verify(contextual_map(Instance(1, 2, 3))))


def test_what_the_format_has_no_words_for_is_not_certified():
    g = contextual_map(Instance(1, 2, 2))
    for variant in (
        replace(g, sweep=g.sweep.without_layer(0)),
        replace(g, interval=replace(g.interval, low_closed=False)),
        replace(g, global_shift=replace(g.global_shift, layers=())),
        contextual_map(g.instance, u=(Q(2),)),
        contextual_map(g.instance, sentinel=Q(-1, 4)),
        contextual_map(g.instance, sentinel=Q(99)),
        contextual_map(g.instance, sweep_factor=Q(1, 2)),
        contextual_map(g.instance, sweep_factor=Q(-1)),
    ):
        with pytest.raises(NotCertifiable):
            certify(verify(variant))


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "certificate.json"
    write(path, b"old")
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask()
    write(path, b"new")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write(path, b"newer")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def umask():
    value = os.umask(0)
    os.umask(value)
    return value
