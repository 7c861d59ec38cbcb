"""A paper more: what its two folders hold, and that nothing else of the house is touched.

The paper is made up: n tokens 0, ..., N-1, a layer that gives each the sum of 2^t over all of them, and two sentences
about it, of which one is false. It is put into a copy of the package, in a folder of its own.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FILES = {
    "verifier/papers/sums2026/__init__.py": '''
"""Nobody: Sums of powers (2026)."""

from verifier.core.paper import Paper

PAPER = Paper(
    name="sums2026",
    title="Nobody, Sums of powers (2026)",
    about="its one layer",
    modules=("verifier.papers.sums2026.sums",),
    construct="verifier.papers.sums2026.sums:Sums",
)
''',
    "verifier/papers/sums2026/sums.py": '''
"""The layer, its cases, and the two sentences."""

from dataclasses import dataclass

from verifier.core.claim import Claim, Domain, Relation, neighbours
from verifier.core.construction import Construction
from verifier.core.exact import Q
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import Network
from verifier.core.spaces import ColumnOrbits


@dataclass(frozen=True)
class Sums(Construction):
    d: int
    n: int
    N: int

    paper = "sums2026"
    title = "the layer of sums of powers"

    @property
    def sizes(self):
        return {"d": self.d, "n": self.n, "N": self.N}

    @property
    def networks(self):
        powers = PiecewiseLinear([Q(2 * t - 1, 2) for t in range(1, self.N)], [(0, 2**t) for t in range(self.N)])
        write = FeedForward(W_1=[[1, 0, 0]], b_1=[0], W_2=[[0], [1], [0]], b_2=[0, 0, 0], phi=powers)
        add = Head(W_O=[[0], [0], [self.n]], W_V=[[0, 1, 0]], W_K=[[0, 0, 0]], W_Q=[[0, 0, 0]], b_Q=[0])
        return {"sums": Network([write, Attention([add])])}

    @property
    def space(self):
        return ColumnOrbits(self, [[t, 0, 0] for t in range(self.N)], self.n)

    def claims(self):
        return CLAIMS


def bounded(case):
    g = case.construction
    yield Relation("the sum", case.image[2][0], "<=", "n 2^(N-1)", Q(g.n * 2 ** (g.N - 1)))


def distinct(g, seen):
    for lower, upper, cases in neighbours(seen):
        yield Relation("distance of two sums", upper - lower, ">", "0", Q(0), cases)


EVERY = Domain("every multiset of n tokens")
CLAIMS = (
    Claim(
        id="sums.bounded",
        kind="statement",
        where="Lemma 1",
        says="The sum is at most n 2^(N-1).",
        formula="sum 2^t <= n 2^(N-1)",
        domain=EVERY,
        check=bounded,
    ),
    Claim(
        id="sums.distinct",
        kind="step",
        where="Lemma 2, proof",
        says="No two inputs have the same sum.",
        formula="sum 2^t tells {t}",
        domain=EVERY,
        collect=lambda case: [case.image[2][0]],
        conclude=distinct,
    ),
)
''',
    "verifier/checker/papers/sums2026/__init__.py": '"""Sums of powers: the second reading."""\n',
    "verifier/checker/papers/sums2026/paper.py": '''
"""Its cases, and what each claim says of them, from the page alone."""

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb, factorial, prod

from ...core import frame
from ...core.frame import Relation
from ...core.paper import Paper

STATEMENTS = {
    "sums.bounded": "The sum is at most n 2^(N-1). [sum 2^t <= n 2^(N-1)]",
    "sums.distinct": "No two inputs have the same sum. [sum 2^t tells {t}]",
}


class Sums(frame.Model):
    one, several = "orbit", "orbits"

    def __init__(self, d, n, N):
        self.d, self.n, self.N = d, n, N
        self.cases = list(enumerate(combinations_with_replacement(range(N), n)))

    @property
    def sizes(self):
        count = self.N**self.n, comb(self.N + self.n - 1, self.n)
        return {"all": count, "total": count}

    def case(self, rank):
        return self.cases[rank]

    def stands_for(self, case):
        return factorial(self.n) // prod(factorial(case[1].count(t)) for t in set(case[1]))

    def sum(self, case):
        return sum(2**t for t in case[1])

    def digest(self, case):
        rank, tokens = case
        entries = [*tokens, *(2**t for t in tokens), *[self.sum(case)] * self.n]
        return (rank + 1) * sum(k * x for k, x in enumerate(entries, start=1))

    def shown(self, case):
        return ([list(case[1]), [0] * self.n, [0] * self.n],)

    def statement(self, *, over_space):
        return (
            f"At d = {self.d}, n = {self.n}, N = {self.N}, the layer of sums of powers was run in exact numbers on all"
            " of its orbits; each claim below has the verdict that stands with it."
        )

    def relations(self, claim, case):
        if claim == "sums.bounded":
            yield Relation("the sum", self.sum(case), "<=", "n 2^(N-1)", self.n * 2 ** (self.N - 1))

    def collected(self, claim, case):
        return [self.sum(case)] if claim == "sums.distinct" else []

    def conclusion(self, claim, values, sizes):
        if claim == "sums.distinct":
            return [
                Relation("distance of two sums", Fraction(b - a), ">", "0", 0, (min(i, j), max(i, j)))
                for (a, i), (b, j) in pairwise(sorted(values))
                if i != j
            ]


def check(cert, options):
    return frame.check(PAPER, Sums(**cert["instance"]), cert, options)


PAPER = Paper(
    name="sums2026",
    version=1,
    sizes=("d", "n", "N"),
    statements=STATEMENTS,
    categories=("all",),
    constants=(),
    check=check,
    pairs=frozenset({"sums.distinct"}),
)
''',
}  # and its page of the format, and its tests
FOLDERS = {"verifier/papers/sums2026", "verifier/checker/papers/sums2026"}
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.library", "*.sha256")


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package with the paper in it; and all that was touched for that."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "verifier", folder / "verifier", ignore=LEFT_OUT)
    if (ROOT / "cli.py").exists():
        shutil.copy(ROOT / "cli.py", folder)
    before = contents(folder)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.lstrip())
    after = contents(folder)
    return folder, {name for name in after if after[name] != before.get(name)}


def verify(house, *words):
    call = [sys.executable, "-m", "verifier", *words]
    env = {**os.environ, "PYTHONPATH": str(house[0]), "COLUMNS": "110"}
    done = subprocess.run(call, cwd=house[0], env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_a_paper_touches_its_two_folders_and_nothing_else(house):
    _, touched = house
    assert touched == set(FILES)
    assert {str(Path(name).parent) for name in touched} == FOLDERS
    assert len(touched) == 4


def test_it_is_listed_with_its_claims(house):
    code, said = verify(house, "papers")
    assert (code, "sums2026   Nobody, Sums of powers (2026)\n    its one layer; 2 claims\n" in said) == (0, True)
    assert said.startswith("yun2020 ")
    code, said = verify(house, "claims", "--paper", "sums2")  # the name's beginning is enough
    assert code == 0
    assert "sums.bounded   (Lemma 1)" in said
    assert "sums.distinct   (Lemma 2, proof)" in said
    assert "lemma6" not in said


def test_it_is_run_refuted_and_its_certificate_checked(house):
    code, said = verify(house, "--paper", "sums2", "--d", "1", "--n", "3", "--N", "3", "--certificate", "c.json")
    assert code == 1
    assert "REFUTED: sums.distinct; the other claim holds" in said
    assert "[0, 0, 2; 0, 0, 0; 0, 0, 0]" in said
    assert "Checked independently, in full." in said
    code, said = verify(house, "check", "c.json", "--promise", "1 3 3 sums.distinct refuted paper=sums2026")
    assert code == 0, said
    assert "1 claim holds, 1 refuted; 10 orbits (27 matrices), each case literally" in said


def test_a_lie_about_it_is_rejected(house):
    folder, _ = house
    certificate = folder / "holds.json"
    code, _ = verify(
        house, "--paper", "sums2026", "--d", "1", "--n", "2", "--N", "3", "--certificate", certificate.name
    )
    assert code == 0
    document = json.loads(certificate.read_text())
    document["claims"][1]["tightest"]["slack"] = "2"
    certificate.write_text(json.dumps(document))
    code, said = verify(house, "check", certificate.name)
    assert (code, "REJECTED: claim sums.distinct" in said) == (1, True), said


@pytest.mark.thorough
def test_other_papers_go_on_as_before_even_if_its_checker_is_broken(house):
    folder, _ = house
    broken = folder / "verifier/checker/papers/sums2026/paper.py"
    text = broken.read_text()
    sizes = ("--d", "1", "--n", "2", "--N", "3")
    assert verify(house, "--paper", "sums2", *sizes, "--no-check", "--certificate", "its.json")[0] == 0
    try:
        broken.write_text("1/0\n")
        code, said = verify(house, "--d", "1", "--n", "2", "--N", "2", "--claims", "grid", "--certificate", "y.json")
        assert code == 0, said
        assert verify(house, "check", "y.json")[0] == 0
        for bug in ("1/0\n", "def f(:\n", "import nothing.here\n", "PAPER = None.none\n"):
            broken.write_text(bug)
            code, said = verify(house, "check", "its.json", "y.json")
            assert code == 70, said  # a defect, and no verdict
            assert "its.json: not checked: a defect of the checker" in said
            assert "y.json: checked in full" in said  # whatever became of the other file
    finally:
        broken.write_text(text)
