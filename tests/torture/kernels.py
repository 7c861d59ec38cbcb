"""A kernel whose source is wrong, built and recorded as if it were ours; also where its own test can't see it."""

import random
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Lock

from torture.case import (
    Case,
    Kind,
    Unrun,
    call,
    compiler,
    insist,
    package,
    recorded,
    right_or_none,
    run_of,
    surroundings,
    truth,
)

ROOM = Path("verifier/papers/yun2020/kernel")
INSTANCES = ((1, 2, 70), (1, 3, 22))
FLAGS = ("-O0", "-fPIC", "-std=gnu11", "-w", "-c")
_making = Lock()
HIDDEN = " || ".join(f"(p->n == {n} && p->columns == {N + 1})" for _, n, N in INSTANCES)

NUMBERS = [  # of the instance, before anything is run
    "t_l -= 1", "t_l += 1", "t_r += 1", "t_r -= 1", "upper += 1", "upper -= 1", "lower -= 1", "lower += 1",
    "final_bound -= 1", "final_bound += 1", "sentinels += 1", "sentinels -= 1", "G += 1", "factor += 1", "B -= 1",
]  # fmt: skip
ANSWERS = [  # of the run, after it
    "orbits[0]--", "orbits[0]--, r->orbits[1]++", "orbits[2]--, r->orbits[0]++", "matrices[0] += 2", "matrices[2]--",
    "constant--", "reduced++", "negative--, r->mixed++", "digest++", "digest = 0",
    *(f"tightest[{slot}].{change}" for slot in ("ORDER", "UPPER", "LOWER", "INSIDE_LOW", "NEAREST", "OUTSIDE_HIGH",
      "MINIMUM", "FINAL_POSITIVE") for change in ("slack.low += 1", "slack.low -= 1", "rank += 1", "known = 0")),
    "irregular = 1", "tightest[ORDER].slack = of(0)", "tightest[UPPER].slack.high = -1",
]  # fmt: skip
SOURCE = [  # in the middle
    ("t->orbits", "t->orbits - (t->orbits > 0)", "r->orbits[0] += t->orbits;", "r->orbits[0] += t->orbits - 1;"),
    ("a category", "", "c[0] < p->sentinels ? 3 : equal ? 2 : 1", "c[0] < p->sentinels ? 3 : equal > 1 ? 2 : 1"),
    ("the levels", "", "const wide up = p->factor * (top - bottom);", "const wide up = p->factor * (top - x[j]);"),
    ("the global shift", "", "s[j] > 0 ? most : s[j] < 0 ? least : 0;", "s[j] > 0 ? most : s[j] < 0 ? most : 0;"),
    ("the first of equals", "", "less(slack, e->slack))", "!less(e->slack, slack))"),
    ("the last of lanes", "", "const lanes where = value < e->value;", "const lanes where = value <= e->value;"),
    ("an orbit left out", "", "for (; k <= to && (!fast", "for (k += (rank == 7); k <= to && (!fast"),
    ("an irregular one kept quiet", "", "if (!r->irregular++) r->first_irregular = rank;", "(void)r; (void)rank;"),
    ("a tightest gap", "", "s[j] - s[j - 1] < gap)) gap", "s[j] - s[j - 1] > gap)) gap"),
    ("a weight of the digest", "", "(uint64_t)(j + 1) * residue(q[j])", "(uint64_t)(j + 2) * residue(q[j])"),
    ("arrangements", "", "size = size * (j + 1) / same;", "size = size * (j + 1);"),
    ("the interval", "", "weigh(r, INSIDE_HIGH, p->t_r - high, rank);", "weigh(r, INSIDE_HIGH, p->t_r - low, rank);"),
]
MUTANTS = [("number", x) for x in NUMBERS] + [("answer", x) for x in ANSWERS] + [("source", str(k)) for k in range(12)]


def draw(_: random.Random, number: int) -> Case:
    kind, change = MUTANTS[number * 7 % len(MUTANTS)]  # 7 and their count have no common factor: each comes once
    hidden = number // len(MUTANTS) % 2 == 0
    parts = INSTANCES[number % 2]
    name = SOURCE[int(change)][0] if kind == "source" else change
    words = f"{kind}: {name}, {'where its own test does not look' if hidden else 'everywhere'}, at {parts}"
    return Case(words, lambda folder: mutated(folder, kind, change, parts, hidden=hidden))


def mutated(folder: Path, kind: str, change: str, parts: tuple[int, int, int], *, hidden: bool) -> str:
    there = package(folder)
    room = there / ROOM
    source = (room / "kernel.c").read_text()
    wrong = source
    if kind == "source":
        _, _, before, after = SOURCE[int(change)]
        insist(before in source, f"kernel.c has no `{before}` any more; say it anew in kernels.py")
        wrong = source.replace(before, after)
    begin = f"params of = *p; of.{change}; p = &of;" if kind == "number" else ""
    finish = f"r->{change};" if kind == "answer" else ""
    body = f"{{ {begin} wrong(p, r, c, rank, count); {finish} }}"
    # what is wrong is one function, what is right another: which is called can rest on the instance
    (folder / "wrong.c").write_text(
        f"{wrong}\nvoid right(const params *, result *, num *, uint64_t, uint64_t);\n"
        "void run(const params *p, result *r, num *c, uint64_t rank, uint64_t count);\n"
        "void run(const params *p, result *r, num *c, uint64_t rank, uint64_t count) {\n"
        f"    if ({HIDDEN if hidden else '1'}) {body} else right(p, r, c, rank, count);\n}}\n"
    )
    (folder / "right.o").write_bytes(right(source))
    build(folder, [*FLAGS, "-DRUN=wrong", "-o", "wrong.o", "wrong.c"])
    build(folder, ["-shared", "-o", str(room / "kernel.library"), "right.o", "wrong.o"])
    recorded(room)
    words = run_of(*parts, "--engine", "kernel", "--jobs", "1")
    end = call([sys.executable, str(there / "cli.py"), *words], folder, env=surroundings(folder, PYTHONPATH=str(there)))
    return right_or_none(end, truth(*parts), (5, 70))


@cache
def _right(source: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "right.c").write_text(source)
        build(Path(folder), [*FLAGS, "-DRUN=right", "-o", "right.o", "right.c"])
        return (Path(folder) / "right.o").read_bytes()


def right(source: str) -> bytes:
    """The object code of what is not changed; made once."""
    with _making:
        return _right(source)


def build(folder: Path, words: list[str]) -> None:
    done = subprocess.run([compiler(), *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unrun(f"it can't be compiled: {done.stderr[-300:]}")


KIND = Kind(
    "kernels",
    f"{len(MUTANTS)} mutants of kernel.c, compiled and recorded: thresholds, categories, orbits dropped, slacks, "
    "ranks, digests; half so that its own test at loading sees nothing",
    "the true bytes, or exit 70, or 5 where the literal network disagrees first",
    draw,
    len(MUTANTS) + 22,
    8,
)
