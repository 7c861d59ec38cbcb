"""The bridge: Coq's definitions, evaluated by Coq on every matrix of some instances, are the literal networks' numbers.

`make coq` builds the proofs and writes what Coq evaluates; without it there is nothing to compare.
"""

import json
import re
from pathlib import Path

import pytest

from verifier.constructions.contextual_map import contextual_map
from verifier.constructions.positional import positional_map
from verifier.exact import Q
from verifier.grid import from_columns
from verifier.instance import Instance

COQ = Path(__file__).parent.parent / "proofs/coq"
BRIDGE = COQ / "bridge.txt"


def blocks():
    """One for each instance: d, n, N, for Lemma 6 also t_l and t_r, and rows of a matrix, its swept ids and q."""
    if not BRIDGE.exists():
        pytest.skip("`make coq` has not been run")
    found = re.findall(r"= (.*?)\n\s+: ", BRIDGE.read_text(), re.DOTALL)
    return [json.loads(block.translate(str.maketrans("();", "[],"))) for block in found]


def numbers(pairs):
    return tuple(Q(p, q) for p, q in pairs)


def test_the_contextual_map_on_all_of_g_plus():
    seen = [block for block in blocks() if len(block) == 6]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [2, 2, 2], [1, 3, 4]]
    for d, n, N, t_l, t_r, rows in seen:
        g = contextual_map(Instance(d, n, N))
        assert numbers([t_l, t_r]) == (g.interval.low, g.interval.high)
        assert len({json.dumps(matrix) for matrix, *_ in rows}) == len(rows) == (N + 1) ** (d * n)
        for matrix, swept, q in rows:
            X = tuple(map(numbers, matrix))
            assert {x for row in X for x in row} <= {g.instance.sentinel, *g.instance.entries}
            assert g.grid.ids(g.sweep.run(X)) == numbers(swept)
            assert g.grid.ids(g.network.run(X)) == numbers(q)


def test_the_positional_construction_on_all_contexts():
    seen = [block for block in blocks() if len(block) == 4]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [1, 3, 2], [2, 2, 2]]
    for d, n, N, rows in seen:
        p = positional_map(Instance(d, n, N))
        results = {tuple(map(numbers, matrix)): (numbers(swept), numbers(q)) for matrix, swept, q in rows}
        contexts = list(map(from_columns, p.contexts()))
        assert len(results) == len(rows) == len(contexts) == N ** (d * n)
        for L in contexts:
            swept = p.sweep.run(L)
            assert results[L] == (p.ids(swept), p.ids(p.global_shift.run(swept)))


def test_every_statement_is_a_theorem_that_rests_on_nothing():
    """What Assumptions.v asks about is every Lemma... and Theorem... that the two pages of statements define."""
    stated = set()
    for page in ("Statement.v", "Statement3.v"):
        stated |= set(re.findall(r"^Definition ((?:Lemma|Theorem)\w+) : Prop", (COQ / page).read_text(), re.MULTILINE))
    asked = (COQ / "Assumptions.v").read_text()
    assert len(stated) == 6
    for name in stated:
        assert re.search(rf"^Definition (proved_\w+) : Statement3?\.{name} :=", asked, re.MULTILINE), name
        assert f"Print Assumptions proved_{name.lower()}." in asked, name
