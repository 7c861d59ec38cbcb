"""The bridge: Coq's definitions, evaluated by Coq on every matrix of some instances, are the literal networks' numbers.

`make coq` builds the proofs and writes what Coq evaluates; without it there is nothing to compare. What runs Coq itself
runs in `make coq-mutants`.
"""

import json
import re
import shutil
import subprocess
from collections import Counter
from itertools import pairwise

import pytest

from bigbird.instance import Instance as BigBird
from bigbird.sparse import SparseAttention, SparseHead
from bigbird.sweep import ids_of
from coq_proofs import COQ, change, first_that_fails, linked, proved, sources, with_coq
from verifier.core.exact import Q
from verifier.evaluate.definition import Case, Reading
from verifier.evaluate.values import List
from verifier.language.library import text_of
from verifier.language.page import read
from verifier.language.tree import Name

BRIDGE = COQ / "bridge.txt"


def blocks():
    """One for each instance: d, n, N, for Lemma 6 also t_l and t_r, and rows of a matrix, its swept ids and q."""
    if not BRIDGE.exists():
        pytest.skip("`make coq` has not been run")
    found = re.findall(r"= (.*?)\n\s+: ", BRIDGE.read_text(), re.DOTALL)
    return [json.loads(block.translate(str.maketrans("();", "[],"))) for block in found]


def tagged(name):
    """The blocks that begin with a name, without it."""
    return [block for name_, *block in blocks() if name_ == name]


def plain():
    """The blocks of Lemma 6 and of Theorem 3, which have none."""
    return [block for block in blocks() if type(block[0]) is int]


def numbers(pairs):
    return tuple(Q(p, q) for p, q in pairs)


def yun2020(d, n, N):
    """What the page of Yun et al. says of a matrix, given by its rows: what these names are."""
    reading = Reading(read(text_of(COQ.parent.parent / "verifier/pages/yun2020.page")), {"d": d, "n": n, "N": N})

    def of(X, *names):
        case = Case(reading, {"X": List(map(List, zip(*X, strict=True)))} if X else {})
        found = [case(Name((0, 0), name), {}) for name in names]
        return [tuple(one.items) if isinstance(one, List) else one for one in found]

    return of


def test_the_contextual_map_on_all_of_g_plus():
    seen = [block for block in plain() if len(block) == 6]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [2, 2, 2], [1, 3, 4]]
    for d, n, N, t_l, t_r, rows in seen:
        page = yun2020(d, n, N)
        assert list(numbers([t_l, t_r])) == page((), "t_l", "t_r")
        (sentinel,) = page((), "sentinel")
        assert len({json.dumps(matrix) for matrix, *_ in rows}) == len(rows) == (N + 1) ** (d * n)
        for matrix, swept, q in rows:
            X = tuple(map(numbers, matrix))
            assert {x for row in X for x in row} <= {sentinel, *(Q(k, N) for k in range(N))}
            assert page(X, "t", "q") == [numbers(swept), numbers(q)]


def test_the_positional_construction_on_all_contexts():
    seen = [block for block in plain() if len(block) == 4]
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [1, 3, 2], [2, 2, 2]]
    for d, n, N, rows in seen:
        page = yun2020(d, n, N)
        assert len({json.dumps(matrix) for matrix, *_ in rows}) == len(rows) == N ** (d * n)
        for matrix, swept, q in rows:
            L = tuple(map(numbers, matrix))
            assert all(j <= x < j + 1 for row in L for j, x in enumerate(row))
            assert page(L, "t'", "q'") == [numbers(swept), numbers(q)]


def run(layers, X):
    """Layers as Coq prints them: a head for five rows of weights, a token-wise layer of one hidden node for four."""
    dot = lambda a, b: sum(x * y for x, y in zip(a, b, strict=True))  # noqa: E731
    for layer in layers:
        parts = [[numbers(row) for row in part] for part in layer]
        tokens = list(zip(*X, strict=True))
        new = [list(token) for token in tokens]
        for W_O, W_V, W_K, W_Q, b_Q in (part for part in parts if len(part) == 5):
            for i, token in enumerate(tokens):
                scores = [dot(W_K, other) * (dot(W_Q, token) + b_Q[0]) for other in tokens]
                best = [dot(W_V, other) for other, score in zip(tokens, scores, strict=True) if score == max(scores)]
                new[i] = [x + w * sum(best) / len(best) for x, w in zip(new[i], W_O, strict=True)]
        for W_2, W_1, (b_1, c_1, c_2, closed), (p, q, r, s, t, v) in (part for part in parts if len(part) == 4):
            for i, token in enumerate(tokens):
                z = dot(W_1, token) + b_1
                inside = z < c_2 or (z == c_2 and closed)
                phi = p * z + q if z < c_1 else r * z + s if inside and c_1 != c_2 else t * z + v
                new[i] = [x + w * phi for x, w in zip(new[i], W_2, strict=True)]
        X = tuple(zip(*new, strict=True))
    return X


def test_distance_zero_on_every_quantised_matrix():
    """For the target 7 L_ij - 3 (L_i1 + ... + L_in): the layers that Coq prints, and 0 where a sentinel is."""
    seen = tagged("exact")
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [1, 3, 2], [2, 2, 2]]
    for d, n, N, layers, rows in seen:
        assert len({json.dumps(matrix) for matrix, *_ in rows}) == len(rows) == (N + 1) ** (d * n)
        for matrix, _, output in rows:
            X = tuple(map(numbers, matrix))
            inside = all(0 <= x < 1 for row in X for x in row)
            right = tuple(tuple((7 * x - 3 * sum(row)) * inside for x in row) for row in X)
            assert run(layers, X) == tuple(map(numbers, output)) == right


def test_the_value_map_of_lemma_7_at_the_smallest_instance():
    """The context (0, 1/2) with the target (27/2, 0): both columns end at 0."""
    ((_, _, _, layers, output),) = tagged("value map")
    assert run(layers, ((Q(0), Q(1, 2)),)) == tuple(map(numbers, output)) == ((Q(0), Q(0)),)


def test_the_threshold_of_hu_et_al():
    seen = tagged("threshold")
    assert [block[:3] for block in seen] == [[1, 2, 2], [2, 3, 3]]
    for d, n, N, t_l in seen:
        assert list(numbers([t_l])) == yun2020(d, n, N)((), "t_l'")


def test_bigbirds_lemma_3_over_graphs_that_contain_the_star():
    """The layers that Coq prints, over the graph that it prints, on every context; the same list for every graph."""
    seen = tagged("sparse")
    assert [block[:3] for block in seen] == [[1, 2, 2], [1, 2, 3], [1, 3, 2], [2, 2, 2]]
    more = []
    for d, n, N, edges, layers, rows in seen:
        i = BigBird(d, n, N)
        graph = tuple(tuple(k for j, k in edges if j == token) for token in range(n + 1))
        star = {(0, t) for t in range(1, n + 1)} | {(t, k) for t in range(1, n + 1) for k in (0, t)}
        assert star <= set(map(tuple, edges))
        more.append(len(edges) - len(star))
        network = [sparse_layer(layer, graph) for layer in layers]
        assert len(network) == 2 * n
        found = {}
        for matrix, q in rows:
            X = i.matrix(tuple(zip(*map(numbers, matrix), strict=True)))
            for layer in network:
                X = layer.apply(X)
            assert ids_of(i, X)[1:] == numbers(q)
            found[json.dumps(matrix)] = set(numbers(q))
        assert len(found) == len(rows) == N ** (d * n)
        assert len(set.union(*found.values())) == n * len(rows)
    assert more == [0, 1, 2, 3]  # edges besides the star's


def sparse_layer(layer, graph):
    heads = [[numbers(row) for row in head] for head in layer]
    return SparseAttention(tuple(
        SparseHead(W_O=tuple((x,) for x in W_O), W_V=(W_V,), W_K=(W_K,), b_K=(Q(0),), W_Q=(W_Q,), b_Q=b_Q)
        for W_O, W_V, W_K, W_Q, b_Q in heads
    ), graph)  # fmt: skip


def statements():
    """page.name of all that the pages of statements, Statement*.v, define at the margin as a Prop of its own."""
    pages = {path.stem: path.read_text() for path in COQ.glob("Statement*.v")}
    return {
        f"{page}.{name}" for page in pages for name in re.findall(r"(?m)^Definition ([A-Z]\w+) : Prop", pages[page])
    }


def test_lines_fit_and_a_line_of_english_stands_over_each_lemma():
    sources = {path: path.read_text().splitlines() for path in COQ.rglob("*.v")}
    assert {"Statement.v", "Approximation.v", "Lebesgue.v"} <= {path.name for path in sources}
    assert [(path.name, line) for path, lines in sources.items() for line in lines if len(line) > 120] == []
    bare = [
        (path.name, line)
        for path, lines in sources.items()
        for before, line in pairwise(filter(str.strip, lines))
        if re.match(r" *(Lemma|Theorem|Corollary) [A-Za-z]", line) and not before.endswith("*)")
    ]
    assert bare == []


def test_each_lemma_is_used():
    """By another, or by the files that ask what all rests on."""
    sources = [re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL) for path in COQ.rglob("*.v")]
    names = Counter(word for text in sources for word in re.findall(r"[A-Za-z_][\w']*", text))
    lemma = re.compile(r"^(?:Lemma|Theorem|Corollary) ([\w']+)", re.MULTILINE)
    lemmas = [name for text in sources for name in lemma.findall(text)]
    assert len(lemmas) > 500
    assert [name for name in lemmas if names[name] == 1] == []


ASSUMPTIONS = (COQ / "Assumptions.v").read_text()


def test_every_statement_is_a_theorem_that_rests_on_nothing():
    assert {"Statement.Lemma6", "StatementExact.Proposition4_exact"} <= statements()
    assert sorted(statement for _, statement in proved(ASSUMPTIONS)) == sorted(statements())
    assert re.findall(r"^Print Assumptions (\w+)\.$", ASSUMPTIONS, re.MULTILINE) == ["proved"]


@with_coq
@pytest.mark.parametrize(("stated", "passes"), [("True", True), ("False", False)])
def test_no_module_of_the_same_name_stands_for_a_statement(stated, passes, tmp_path):
    """Files of proofs that have a module Statement of their own, in which all is True, and prove that."""
    lines = [(*theorem.split("."), *statement.split(".")) for theorem, statement in proved(ASSUMPTIONS)]
    files = {"Bridge": [f"Definition {name} := I." for name in re.findall(r"Bridge\.(\w+)", ASSUMPTIONS)]}
    for page in sorted({page for _, _, page, _ in lines}):
        files[page] = [f"Definition {name} : Prop := {stated}." for _, _, its, name in lines if its == page]
        for file in {file for file, _, its, _ in lines if its == page}:
            here = [(name, theorem) for its_file, theorem, its, name in lines if (its, its_file) == (page, file)]
            own = [f"Definition {name} : Prop := True." for name, _ in here]
            theorems = [f"Definition {theorem} : {page}.{name} := I." for name, theorem in here]
            files[file] = [f"Module {page}.", *own, f"End {page}.", *theorems]
    for name, text in [*files.items(), ("Assumptions", [ASSUMPTIONS])]:
        (tmp_path / f"{name}.v").write_text("\n".join(text))
        command = ["coqc", "-q", "-Q", ".", "Contextual", f"{name}.v"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (passes or name != "Assumptions"), done.stderr
    refused = 'has type "Theorems.Statement.Lemma6" while it is expected to have type "Statement.Lemma6"'
    assert passes or refused in " ".join(done.stderr.split())


@pytest.fixture
def copy(tmp_path):
    """The sources and their Makefile, to be spoilt."""
    return sources(tmp_path)


@with_coq
@pytest.mark.parametrize(
    ("page", "old", "new", "proofs"),
    [
        ("StatementExact", "of_nat (C * (n + 1) ^ k)", "of_nat (C * n ^ k)", "Exact"),
        ("StatementExact", "sentinel_above : Q := code BB", "sentinel_above : Q := code (BB - 1)", "Exact"),
        ("StatementExact", "(u N) (fun _ => 0) (fun _ => 0) 0", "(u N) (u N) (u N) 0", "Exact"),
        ("StatementExact", "down : Q := 1 + greatest", "down : Q := greatest", "Exact"),
        ("StatementExact", "(at_least border) :: clear d", "(at_least border) :: []", "Exact"),
        ("StatementRefuted", "~ run_all d n (value", "run_all d n (value", "Refuted"),
    ],
)
def test_a_change_of_a_definition_breaks_the_proof(page, old, new, proofs, tmp_path):
    """Everything else as `make coq` compiled it."""
    copy = linked(tmp_path)
    change(copy, page, old, new)
    assert first_that_fails(copy, [page, proofs]) == proofs


@with_coq
@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ("", "", None),
        ("G i 0%nat = true /\\ G i i", "True /\\ G i i", "SparseLayers"),  # who attends to the global token
        ("  G 0%nat i = true /\\", "  True /\\", "SparseLayers"),  # whom it attends to
        ("if G i j && is_best", "if is_best", "SparseLayers"),  # only neighbours
        ("forallb (fun k => Qle_bool (s k) (s j))", "existsb (fun k => Qle_bool (s k) (s j))", "SparseLayers"),
        ("(power k - delta / 2)", "(power k + delta / 2)", "SparseLayers"),  # token k + 1 may be there
        ("(fun r => - flag r)", "flag", "SparseLayers"),  # both heads read the largest id
        ("u_all flag (fun _ => 0) 1 ]", "u_all u_all (fun _ => 0) 1 ]", "SparseLayers"),  # the largest id's token
        ("power ((n + 1) * (n + 1))", "power n", "SparseLayers"),
        ("[ low n ; last_layer ]", "[ last_layer ; low n ]", "Sparse"),
        ("| S _ => power j end", "| S _ => power (j - 1) end", "Sparse"),  # positions
        ("forall L j j', in_G d n N L -> (j < n)", "forall L j j', j <> j' -> (j < n)", "Sparse"),
        ("~ same_context L L' -> (j < n)", "j = j' -> (j < n)", "Sparse"),
        ("~ q L j == q L' j')", "~ q L j == q L' (S j'))", "Sparse"),
        ("length sparse_network = (2 * n)%nat", "length sparse_network = (2 * n - 1)%nat", "Sparse"),
    ],
)
def test_a_change_of_sparse_attention_breaks_the_proof(old, new, broken, tmp_path):
    copy = linked(tmp_path)
    change(copy, "StatementSparse", old, new)
    assert first_that_fails(copy, ["StatementSparse", "SparseLayers", "Sparse"]) == broken


def gate(folder, target, **tools):
    """The target of the proofs' own Makefile that `make coq` and CI run; `tools` in the place of Coq's."""
    given = [f"{name.upper()}={tool}" for name, tool in tools.items()]
    return subprocess.run(
        ["make", "-s", "-C", str(folder), target, "COQDEP=true", *given], capture_output=True, text=True, check=False
    )


def test_the_gate_lets_the_sources_as_they_are_through(copy):
    assert gate(copy, "sources").returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    "gap",
    [
        "Lemma gap : False. Proof. Admitted.",
        "Lemma gap : False. Proof. admit. Defined.",
        "Lemma gap : False. Proof. give_up. Defined.",
        "Axiom gap : False.",
        "Axioms gap : False.",
        "Parameter gap : False.",
        "Conjecture gap : False.",
        "Unset Guard Checking.",
        "Unset Positivity Checking.",
        "Unset Universe Checking.",
        "#[bypass_check(guard)] Fixpoint gap (n : nat) : False := gap n.",
    ],
)
def test_the_gate_refuses_a_gap(gap, copy):
    for name in ("Statement.v", "Assumptions.v", "universal/Approximation.v", "universal/Axioms.v"):
        path = copy / name
        honest = path.read_text()
        path.write_text(f"{honest}{gap}\n")
        done = gate(copy, "sources")
        assert done.returncode != 0
        assert gap in done.stdout
        path.write_text(honest)


def test_the_gate_refuses_a_file_that_nothing_lists(copy):
    for folder in (copy, copy / "universal"):
        (folder / "Aside.v").write_text("(* not built, so not checked *)\n")
        done = gate(copy, "sources")
        assert done.returncode != 0
        assert "_CoqProject does not list every .v file" in done.stdout
        (folder / "Aside.v").unlink()


CLOSED = "Closed under the global context"


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ([CLOSED], True),
        ([CLOSED, CLOSED], False),
        (["Axioms:", "classic : forall P : Prop, P \\/ ~ P"], False),
        ([CLOSED, "Axioms:"], False),
        (["Axioms:"], False),
        ([], False),
    ],
)
def test_the_gate_refuses_a_theorem_that_rests_on_an_assumption(said, passes, copy):
    """With a coqc that compiles everything and says of the assumptions what it is told to."""
    coqc = copy / "coqc"
    lines = "".join(f"echo '{line}'\n" for line in said)
    coqc.write_text(f'#!/bin/sh\nfor file; do :; done\nif [ "$file" = Assumptions.v ]; then :\n{lines}fi\n')
    coqc.chmod(0o755)
    done = gate(copy, "assumptions", coqc=coqc)
    assert (done.returncode == 0) is passes, done.stderr
    assert ("an axiom that is none of those allowed" in done.stdout) is not passes


def test_without_coq_it_says_what_to_install(tmp_path):
    """make itself ends with 2 whenever a recipe fails; the recipe's own code is 3."""
    (tmp_path / "bin").mkdir()
    for tool in ("make", "sh", "bash"):
        if found := shutil.which(tool):
            (tmp_path / "bin" / tool).symlink_to(found)
    done = subprocess.run(
        ["make", "coq"], capture_output=True, text=True, check=False, cwd=COQ.parent.parent,
        env={"PATH": str(tmp_path / "bin")},
    )  # fmt: skip
    assert "coqc is missing; on Debian: apt-get install coq" in done.stderr
    assert "Error 3" in done.stderr
