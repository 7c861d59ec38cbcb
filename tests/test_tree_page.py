"""The page of depth-first search by chain of thought against plain Python that shares nothing with the package: the
search by a stack, tokens as dictionaries, heads as the first of the largest scores."""

from itertools import product
from pathlib import Path

import pytest

from verifier.page import Page

PAGE = Page.file(Path(__file__).parent.parent / "verifier/pages/tree_dfs.page")


def run(ids, **sizes):
    """{claim: (cases, failing, first failing case)}"""
    found = PAGE.run([f"tree.{id_}" for id_ in ids], jobs=1, **sizes).content["claims"]
    return {c["id"].removeprefix("tree."): (c["cases"], c.get("failing", 0), first(c)) for c in found}


def first(claim):
    cases = claim.get("first", {}).get("cases", [])
    return tuple(map(int, cases[0])) if cases else None


def counted(cases, fails):
    cases = list(cases)
    bad = [case for case in cases if fails(case)]
    return len(cases), len(bad), bad[0] if bad else None


def graph(bits, n):
    """Rows without loops."""
    left = iter(bits)
    return [[0 if i == j else next(left) for j in range(n)] for i in range(n)]


def search(A, s):
    """The vertices in the order of the walk, with the way back, and None at the end; before each step, is one free?"""
    stack, seen, walk, free = [s], {s}, [s], []
    while stack:
        ahead = [v for v, edge in enumerate(A[stack[-1]]) if edge and v not in seen]
        free.append(bool(ahead))
        if ahead:
            stack.append(ahead[0])
            seen.add(ahead[0])
        else:
            stack.pop()
        walk.append(stack[-1] if stack else None)
    return walk, free


def unit(v, n):
    return [int(v == k) for k in range(n)]


def relu(t):
    return max(t, 0)


def dot(v, u):
    return sum(a * b for a, b in zip(v, u, strict=True))


def decode(A, s, steps, sentinel):
    """What is generated: y_0, y_1, ..; of each step y, f1, what T and B read and its place among the generated."""
    n = len(A)
    zero = [0] * n
    blank = {"cur": zero, "nbr": zero, "vis": zero, "par": zero, "f3": 0}
    keys = [blank] * sentinel + [blank | {"cur": unit(i, n), "nbr": A[i]} for i in range(n)]
    made, told = [blank | {"cur": unit(s, n), "nbr": A[s], "vis": unit(s, n), "f3": 1}], []
    for _ in range(steps):
        y, seen = made[-1], keys + made
        wanted = [(1 - v) * a for v, a in zip(y["vis"], y["nbr"], strict=True)]
        f1 = relu(sum(wanted)) - relu(sum(wanted) - 1)
        scores_T = [dot(wanted, a["cur"]) for a in seen]
        scores_B = [(1 - f1) * (dot(y["par"], a["cur"]) + y["f3"] * a["f3"]) for a in seen]
        places = [scores.index(max(scores)) for scores in (scores_T, scores_B)]
        T, B = (seen[p] for p in places)
        told.append((y, f1, [(seen[p], p - len(keys)) for p in places]))
        back = [relu(t + b - p) for t, b, p in zip(T["par"], B["par"], y["par"], strict=True)]
        made.append(
            {
                "cur": [relu(t + b - c) for t, b, c in zip(T["cur"], B["cur"], y["cur"], strict=True)],
                "nbr": [t + b for t, b in zip(T["nbr"], B["nbr"], strict=True)],
                "vis": [v + t for v, t in zip(y["vis"], T["cur"], strict=True)],
                "par": [f1 * c + (1 - f1) * b for c, b in zip(y["cur"], back, strict=True)],
                "f3": y["f3"],
            }
        )
    return made, told


@pytest.mark.parametrize(("n", "sentinel"), [(1, 1), (2, 1), (3, 1), (2, 0), (3, 0)])
def test_graphs(n, sentinel):
    ids = ["dfs-order", "dfs-flag", "dfs-exclusive", "dfs-parent", "dfs-orthogonal", "dfs-orthogonal-before"]
    found = run(ids, n=n, m=0, first=sentinel)

    def wrong(case, id_):
        A, s = graph(case[1:], n), case[0] - 1
        walk, free = search(A, s)
        made, told = decode(A, s, len(walk) - 1, sentinel)
        if id_ == "dfs-order":
            return any(y["cur"] != unit(v, n) for y, v in zip(made, walk, strict=True))
        for step, (y, f1, reads) in enumerate(told):
            back, place = reads[1]
            apart = all(dot(a["cur"], y["cur"]) == 0 for a, _ in reads)
            last = step == len(told) - 1
            if {
                "dfs-flag": f1 != free[step],
                "dfs-exclusive": sum(any(a["cur"]) for a, _ in reads) != 1,
                "dfs-parent": not f1 and any(y["par"]) and (place < 0 or back["cur"] != y["par"]),
                "dfs-orthogonal": not apart,
                "dfs-orthogonal-before": not apart and not last,
            }[id_]:
                return True
        return False

    every = list(product(range(1, n + 1), *[(0, 1)] * (n * (n - 1))))
    for id_ in ids:
        assert found[id_] == counted(every, lambda case, id_=id_: wrong(case, id_)), id_
    if sentinel:
        assert [found[id_][1] for id_ in ids] == [0, 0, 0, 0, len(every), 0]
    else:
        assert found["dfs-order"][1] > 0


@pytest.mark.parametrize("n", [4])
def test_larger_graphs_by_plain_python_alone(n):
    for bits in product((0, 1), repeat=n * (n - 1)):
        A = graph(bits, n)
        walk, _ = search(A, 0)
        assert [y["cur"] for y in decode(A, 0, len(walk) - 1, 1)[0]] == [unit(v, n) for v in walk]


def words(m):
    """Balanced words of 0 (U) and 1 (D), shorter ones first."""
    for length in range(m + 1):
        for w in product((0, 1), repeat=length):
            heights = [sum(1 - 2 * a for a in w[:t]) for t in range(length + 1)]
            if min(heights) >= 0 and heights[-1] == 0:
                yield w


def tree(w):
    path, count, edges = [0], 1, []
    for a in w:
        if a == 0:
            edges.append((path[-1], count))
            path.append(count)
            count += 1
        else:
            path.pop()
    return [[int((i, j) in edges or (j, i) in edges) for j in range(count)] for i in range(count)]


@pytest.mark.parametrize("sentinel", [1, 0])
def test_trees(sentinel):
    m = 6
    found = run(["dfs-steps.a", "dfs-steps.b", "dfs-word"], n=1, m=m, first=sentinel)

    def ends(w):
        A = tree(w)
        made, told = decode(A, 0, 2 * len(A) - 1, sentinel)
        zeros = [not any(y["cur"]) for y in made]
        return zeros, [0 if any(reads[0][0]["cur"]) else 1 for _, _, reads in told]

    def steps(w, wanted):
        zeros, _ = ends(w)
        return zeros != [t >= wanted for t in range(len(zeros))]

    every = list(words(m))
    assert found["dfs-steps.a"] == counted(every, lambda w: steps(w, 2 * len(tree(w)) - 2))
    assert found["dfs-steps.b"] == counted(every, lambda w: steps(w, 2 * len(tree(w)) - 1))
    assert found["dfs-word"] == counted(every, lambda w: ends(w)[1][: len(w)] != list(w))
    if sentinel:
        assert [row[1] for row in found.values()] == [len(every), 0, 0]
        for w in words(10):
            assert not steps(w, 2 * len(tree(w)) - 1)
            assert ends(w)[1][: len(w)] == list(w)
