"""Uses.v: of each statement in Coq a consequence. A weaker conclusion of a statement has to break it.

No proof can break there: what is proved stays proved when less is claimed. So each headline is weakened here, and its
example, which draws a conclusion from it for given sizes and functions, fails. For the four definitions that nothing
pinned before, see PINNED.
"""

import re

import pytest

from coq_proofs import COQ, UNIVERSAL, change, coqc, first_that_fails, linked, proved, replaced, with_coq

PAGES = ("Statement", "Statement3", "Layers", "StatementExact", "StatementRefuted", "StatementSparse")


@pytest.fixture
def compiled(tmp_path):
    return linked(tmp_path)


def examples(path):
    """Name and text of each example of a file of uses."""
    return dict(re.findall(r"^(?=Example (\w+)_used\b)(.*?Qed\.)", path.read_text(), re.MULTILINE | re.DOTALL))


def headlines(path):
    """The statements that a file of the assumptions has, without their pages."""
    return {statement.split(".")[-1] for _, statement in proved(path.read_text())}


@pytest.mark.parametrize(("folder", "asked"), [(COQ, "Assumptions.v"), (UNIVERSAL, "Axioms.v")])
def test_each_headline_has_an_example_that_rests_on_it(folder, asked):
    found = examples(folder / "Uses.v")
    assert headlines(folder / asked) <= found.keys()
    for name in headlines(folder / asked):
        hypothesis = re.match(r"Example \w+ : (?:\w+\.)?(\w+) ->", found[name])
        assert hypothesis
        assert hypothesis[1] == name


# The rational pages: a page is changed and compiled again, and the example that fails has to be this one. All others
# before it are the control.

WEAKER = [
    ("Lemma6", "Statement", "q L j == q L j' -> j = j'.", "q L j == q L j' -> j = j' \\/ (j + j' = 2)%nat."),
    ("Lemma6", "Statement", "-> ~ q L j == q L' j'.", "-> ~ q L j == q L' j' \\/ j = j'."),
    ("Lemma6", "Statement", "t_l <= q L j /\\ q L j < t_r.", "0 <= q L j /\\ q L j < t_r."),
    ("Lemma6", "Statement", "q L j < t_l \\/ t_r <= q L j.", "q L j < t_r \\/ t_r <= q L j."),
    (
        "Lemma6",
        "Statement",
        "forall l, In l network -> (length l <= 2)%nat",
        "forall l, In l network -> (length l <= 3)%nat",
    ),
    ("Lemma6", "Statement", "Lemma6 : Prop := forall d n N, (1 <= d)", "Lemma6 : Prop := forall d n N, (1 = d)"),
    ("Lemma6_interval", "Statement", "0 < t_l /\\ t_l < t_r.", "0 < t_l /\\ t_l <= t_r."),
    (
        "Lemma6_layers",
        "Statement",
        "id (attention d n (selective_shift d N k) X) j == id X j).",
        "id X j <= id (attention d n (selective_shift d N k) X) j).",
    ),
    (
        "Lemma6_layers",
        "Statement",
        "run d n (network d n N) X i j == X i j.",
        "run d n (network d n N) X i j <= X i j.",
    ),
    ("Lemma6_keys", "Statement", "same_column d L j L' j' /\\ permuted d n L L').", "same_column d L j L' j')."),
    ("Lemma6_keys", "Statement", "of_nat (B d N) * delta <= swept d n N L j.", "delta <= swept d n N L j."),
    ("Lemma6_two_heads", "Statement", "(forall l, In l padded_network -> length l = 2%nat)", "True"),
    ("Lemma10", "Statement", " - delta * ((of_nat B - 1) * (of_nat B - 1)).", "."),
    ("Lemma10", "Statement", "swept L j == swept L' j' -> permuted L L'.", "swept L j == swept L' j' -> True."),
    ("Lemma10_sharp", "Statement", "least_last <= swept L j /\\", "0 <= swept L j /\\"),
    ("Lemma10_sharp", "Statement", "/\\ swept L j == greatest_last)", "/\\ swept L j <= greatest_last)"),
    (
        "AppendixC2_contextual",
        "Statement3",
        "-> ~ positional_q L j == positional_q L' j').",
        "-> ~ positional_q L j == positional_q L' j' \\/ j <> j').",
    ),
    (
        "AppendixC2_contextual",
        "Statement3",
        "< of_nat n * of_nat (N ^ ((n + 1) * d)).",
        "< of_nat (n + 1) * of_nat (N ^ ((n + 1) * d)).",
    ),
    ("AppendixC2_keys", "Statement3", "(0 < y j)%nat /\\ positional_swept", "(0 <= y j)%nat /\\ positional_swept"),
    (
        "AppendixC2_order",
        "Statement3",
        "positional_swept L j < positional_swept L j'.",
        "positional_swept L j <= positional_swept L j'.",
    ),
    (
        "AppendixC2_no_order",
        "Statement3",
        "positional_swept 1 2 N L 1 < positional_swept 1 2 N L 0.",
        "positional_swept 1 2 N L 1 < positional_swept 1 2 N L 0 + 1.",
    ),
    (
        "Proposition4_exact",
        "StatementExact",
        "run_all d n (lookup A) L i j == 0)",
        "run_all d n (lookup A) L i j <= 0)",
    ),
    (
        "Proposition4_exact",
        "StatementExact",
        "exact_network A) X i j == A (corner X)",
        "exact_network A) X i j <= A (corner X)",
    ),
    ("Proposition4_exact", "StatementExact", "length heads = 1%nat", "(length heads <= 2)%nat"),
    (
        "Proposition4_contextual",
        "StatementExact",
        "(exact_key L j == exact_key L' j' <->",
        "(exact_key L j == exact_key L' j' ->",
    ),
    (
        "Proposition4_contextual",
        "StatementExact",
        "exact_key L j + of_nat C <= exact_key L' j' \\/",
        "exact_key L j <= exact_key L' j' \\/",
    ),
    ("Lemma7_has_cases", "StatementRefuted", "exists L, in_Gtilde d n N L).", "exists L, in_G d n N L)."),
    ("Lemma7_map_fails", "StatementRefuted", "forall M, exists i j,", "exists M, exists i j,"),
    (
        "Lemma7_map_fails",
        "StatementRefuted",
        "exists A, equivariant_on_Gtilde d n N A /\\",
        "exists A : matrix -> matrix,",
    ),
    ("Lemma7_smallest", "StatementRefuted", "q 1 2 2 smallest 0 == 13 /\\", "q 1 2 2 smallest 0 <= 13 /\\"),
    (
        "HuThreshold_too_large",
        "StatementRefuted",
        "positional_q d n N L j < hu_t_l d n N.",
        "positional_q d n N L j < 2 * hu_t_l d n N.",
    ),
    ("HuThreshold_smallest", "StatementRefuted", "hu_t_l 1 2 2 == 128", "99 < hu_t_l 1 2 2"),
    (
        "HuLayers_more",
        "StatementRefuted",
        " /\\ (B d N + 1 < n * B d N + 1)%nat.",
        " /\\ (B d N <= n * B d N + 1)%nat.",
    ),
    ("COrder_fails", "StatementRefuted", "COrder_fails : Prop := AppendixC2_no_order.", "COrder_fails : Prop := True."),
    (
        "SlidesSentinel_fails",
        "StatementRefuted",
        "t_l 1 2 2 <= q 1 2 2 slides_matrix 1",
        "0 <= q 1 2 2 slides_matrix 1",
    ),
    (
        "BigBird_lemma3",
        "StatementSparse",
        "(forall L j j', in_G d n N L -> (j < n)%nat",
        "(forall L j j', in_Gtilde d n N L -> (j < n)%nat",
    ),
    (
        "BigBird_lemma3",
        "StatementSparse",
        "length sparse_network = (2 * n)%nat",
        "(length sparse_network <= 2 * n)%nat",
    ),
    ("BigBird_any_graph", "StatementSparse", "N G L j == sparse_q", "N G L j <= sparse_q"),
    ("Sparse_complete", "StatementSparse", "l X r i == attention", "l X r i <= attention"),
    # PINNED: an activation without a constant piece
    (
        "Proposition4_exact",
        "Layers",
        "(slope (first_piece phi) == 0 \\/ slope (second_piece phi) == 0 \\/ slope (third_piece phi) == 0).",
        "True.",
    ),
]


def failing_example(folder, name):
    """The example in whose text the first error is, or None."""
    done = coqc(folder, name)
    if done.returncode == 0:
        return None
    line = int(re.search(r", line (\d+)", done.stderr)[1])
    before = "\n".join((folder / f"{name}.v").read_text().splitlines()[:line])
    return re.findall(r"^(?:Example|Lemma) (\w+)", before, re.MULTILINE)[-1]


@with_coq
@pytest.mark.parametrize(("headline", "page", "right", "wrong"), WEAKER)
def test_a_weaker_statement_breaks_its_example(headline, page, right, wrong, compiled):
    change(compiled, page, right, wrong)
    assert first_that_fails(compiled, PAGES[PAGES.index(page) :]) is None
    assert failing_example(compiled, "Uses") == f"{headline}_used"


# The pages of universal/: a weaker definition of the statement's name, and its example after that.

WEAKER_UNIVERSAL = [
    ("Theorem2", "distance_below d n p everywhere", "distance_below d n p (cube d n)"),
    ("Theorem2", "run d n 2 1 4 g) e", "run d n 2 1 4 g) (2 * e)"),
    ("Theorem2", "run d n 2 1 4 g", "run d n 3 1 4 g"),
    ("Theorem2", "(1 <= n)%nat ->", "(1 = n)%nat ->"),
    ("Theorem2_cube", "run d n 2 1 4 g) e", "run d n 2 1 4 g) (2 * e)"),
    ("Theorem3", "distance_below d n p D f", "distance_below d n p (fun X => D X /\\ False) f"),
    ("Theorem3", "(plus X E)) e", "(plus X E)) (2 * e)"),
    (
        "Theorem3_encoding",
        "exists E : matrix, forall f, continuous_on d n D f ->",
        "forall f, continuous_on d n D f -> exists E : matrix,",
    ),
    ("Network_equivariant", "forall d n h m r ts,", "forall d n m r ts, let h := 1%nat in"),
    (
        "Theorem2_iff",
        "forall h m r (g : list block),",
        "forall (g : list block), let h := 2%nat in let m := 1%nat in let r := 4%nat in",
    ),
    ("Theorem2_iff", "(ball d n K) f", "(fun X => ball d n K X \\/ True) f"),
    ("No_encoding_everywhere", "(ball d n K)", "(fun X => ball d n K X \\/ True)"),
    ("No_encoding_everywhere", "exists K, forall h m r ts p e,", "forall h m r ts p e, exists K,"),
    ("No_encoding_everywhere", "0 < e <= 1 / 4", "0 < e <= 1 / 5"),
    (
        "Theorem3_everywhere_false",
        "exists E : matrix, forall K, exists h m r",
        "exists h m r, forall K, exists E : matrix, exists",
    ),
    ("No_network_without_encoding", "(cube d n) f", "everywhere f"),
    (
        "One_encoding_only",
        "i j, (i < d)%nat -> (j < n)%nat -> f (fun",
        "i j, (i < d)%nat -> (j < n)%nat -> (2 <= d + j)%nat -> (1 <= j)%nat -> f (fun",
    ),
    ("One_encoding_only", "exists h m r ts,", "forall h m r, exists ts,"),
    (
        "Integral_unique",
        "step_integral d n bs = step_integral d n bs'",
        "step_integral d n bs <= step_integral d n bs' + 1",
    ),
    (
        "Integral_lower",
        "height b * volume d n b <= step_integral d n bs",
        "height b * volume d n b <= step_integral d n bs + 1",
    ),
    ("Distance_self", "distance_below d n p D f f e", "distance_below d n p (fun X => D X /\\ cube d n X) f f e"),
    ("Distance_constants", "e <-> INR d", "e -> INR d"),
    ("Distance_symmetric", "distance_below d n p D g f e", "distance_below d n p D f g e"),
    ("Distance_triangle", "f h (e + e')", "f h (2 * (e + e'))"),
    ("Distance_everywhere", "f X i j = g X i j", "f X i j <= g X i j"),
    ("Distance_is_integral", "<-> I < Rpower e p", "-> I < Rpower e p"),
    ("Theorem2_riemann", "d * I < Rpower e p", "d * I < Rpower (2 * e) p"),
    ("Theorem2_riemann", "run d n 2 1 4 g X i j = f X i j", "run d n 2 1 4 g X i j <= f X i j"),
    ("Theorem2_cube_riemann", "I < Rpower e p", "I < Rpower (2 * e) p"),
    ("Theorem3_cube_riemann", "I < Rpower e p", "I < Rpower (2 * e) p"),
    (
        "Published_activations",
        "apply_phi (reject_outside e l r) t = paper_reject l r t",
        "apply_phi (reject_outside e l r) t <= paper_reject l r t",
    ),
    (
        "Published_activations",
        "apply_phi (around e k w) t = paper_around k w t",
        "apply_phi (around e k w) t <= 2 * paper_around k w t",
    ),
    ("Published_values", "(cube_error d n N / rate) (g X)", "(2 * (cube_error d n N / rate)) (g X)"),
    ("Published_values", "(forall k, rate <= lambda k)", "(forall k, rate = lambda k)"),
    ("Published_rejects", "Z i j = 0", "Z i j <= 0"),
    (
        "Published_fails",
        "exists K, ~ distance_below d n p (ball d n K) f g eps",
        "~ distance_below d n p everywhere f g eps",
    ),
    ("Published_fails", "~ ball d n K X /\\", "(~ ball d n K X \\/ True) /\\"),
    ("Published_fails", "(forall k, 4 * INR n * INR N <= lambda k)", "(forall k, 4 * INR n * INR N = lambda k)"),
    ("Theorem2_at", "(length g <= blocks2 d n N)%nat", "(length g <= blocks2 d n N + 1)%nat"),
    ("Theorem3_at", "length g = blocks3 d n N", "(length g >= blocks3 d n N)%nat"),
    ("Numbers_fine", "fine d n F c p eps N (gap d n N F p eps) /\\", ""),
    ("Theorem2_explicit", "run d n 2 1 4 g) eps", "run d n 2 1 4 g) (2 * eps)"),
    ("Theorem3_explicit", "(plus X (encoding K))) eps", "(plus X (encoding K))) (2 * eps)"),
    ("Theorem3_rate", "length g = blocks3 d n N", "(length g >= blocks3 d n N)%nat"),
    ("Theorem3_rate", "INR N <= 4 + F * INR d +", "INR N <= 5 + F * INR d +"),
    (
        "Cube_values",
        "within d n (cube_error d n N / lambda) (g X) (v K)",
        "within d n (2 * (cube_error d n N / lambda)) (g X) (v K)",
    ),
    ("Cube_values", "(forall X, within d n F (g X) (fun _ _ => 0)) /\\", ""),
    ("Supported_values", "(j < n)%nat -> g X i j = 0)", "(j < n)%nat -> g X i j <= 0)"),
    (
        "Positional_values",
        "within d n (positional_error d n N / lambda) (g X) (v K)",
        "within d n (2 * (positional_error d n N / lambda)) (g X) (v K)",
    ),
    ("Keys_above", "cube_keys_above d n N F /\\", "cube_keys_above d n N (F / 2) /\\"),
    ("Theorem2_weights", "(largest_weight d n N K e F lambda", "(2 * largest_weight d n N K e F lambda"),
    ("Theorem3_weights", "(largest_weight d n N K e F lambda", "(2 * largest_weight d n N K e F lambda"),
    ("Theorem2_one_average", "one_average d g /\\", "True /\\"),
    ("Theorem2_one_average", "run d n 1 1 4 g) e", "run d n 1 1 4 g) (2 * e)"),
    ("Averaging_at", "length g = blocks2 d n N", "(length g >= blocks2 d n N)%nat"),
    ("Averaging_rate", "INR N <= 3 +", "INR N <= 4 +"),
    ("Averaging_values", "(j < n)%nat -> g X i j = v K i j", "(j < n)%nat -> g X i j <= v K i j"),
    ("Averaging_values", "In K (all_cells d n N) -> off_strips", "In K (contexts d n N) -> off_strips"),
    ("Averaging_weights", "(largest_weight d n N K e F 0", "(2 * largest_weight d n N K e F 0"),
    ("Real_run", "forall d n network X,", "forall d n network X, network = nil ->"),
    ("Proposition4_everywhere", "= A (corner N X) i j", "<= A (corner N X) i j"),
    ("Proposition4_everywhere", "Forall of_class (exact_network d n N A)", "True"),
    ("Proposition4_same_network", "run d n network X i j = 0", "run d n network X i j <= 0"),
    ("BigBird_theorem1", "1 1 4 G ts E) e", "1 1 4 G ts E) (2 * e)"),
    ("BigBird_theorem1", "contains_star n G ->", "contains_star n G -> (forall i, G i i = true) ->"),
    ("BigBird_theorem1_any_graph", "(forall s, In s (before ++ [t; t'] ++ after) -> no_bias s) /\\", "True /\\"),
    ("Sparse_complete_run", "forall d n h m r ts X,", "forall d n h m r ts X, ts = nil ->"),
    ("Same_weights", "same d (theorem2_network_at", "same O (theorem2_network_at"),
    ("Same_published", "same d (published d n N e lambda M table)", "same O (published d n N e lambda M table)"),
]


def stated(name):
    """The definition of a statement, and the page that has it."""
    for page in ("Approximation", "Published", "Explicit", "Rational", "Averaging", "Modified", "SparseAttention"):
        text = (UNIVERSAL / f"{page}.v").read_text()
        if found := re.search(rf"^Definition {name} : Prop := .*?\.$", text, re.MULTILINE | re.DOTALL):
            return page, found[0]
    raise AssertionError(name)


def imports(text):
    return "".join(re.findall(r"^From .*?\.\n", text, re.MULTILINE | re.DOTALL))


def example_holds(folder, name, right="", wrong=""):
    """The example after the definition of its statement, changed: all else as `make coq` compiled it."""
    page, definition = stated(name)
    uses = (UNIVERSAL / "Uses.v").read_text()
    example = examples(UNIVERSAL / "Uses.v")[name].replace(f"{page}.{name}", name)
    changed = replaced(definition, right, wrong)
    if page in ("Rational", "Modified", "SparseAttention"):  # whose names are others' too
        scope = "Open Scope Q_scope." if page == "Rational" else ""
        changed = f"Module Page. Import {page}. {scope}\n{changed}\nEnd Page. Import Page."
    opaque = re.search(r"^Opaque .*?\.$", uses, re.MULTILINE | re.DOTALL)[0]
    lines = [
        imports(uses),
        opaque,
        "From Contextual.universal Require Import Uses. Import ListNotations. Open Scope R_scope.",
    ]
    (folder / "universal/Mutant.v").write_text("\n".join([*lines, changed, example]))
    return coqc(folder, "universal/Mutant")


@with_coq
def test_the_examples_follow_from_the_statements_as_they_are(compiled):
    for name in examples(UNIVERSAL / "Uses.v"):
        assert not example_holds(compiled, name).returncode, name


@with_coq
@pytest.mark.parametrize(("headline", "right", "wrong"), WEAKER_UNIVERSAL)
def test_a_weaker_statement_over_the_reals_breaks_its_example(headline, right, wrong, compiled):
    done = example_holds(compiled, headline, right, wrong)
    assert done.returncode
    line = int(re.search(r", line (\d+)", done.stderr)[1])
    text = (compiled / "universal/Mutant.v").read_text().splitlines()
    assert any(row.startswith("Example ") for row in text[: line - 1]), (
        done.stderr
    )  # the statement itself is well formed


@pytest.mark.parametrize(
    ("folder", "table", "asked"),
    [(COQ, [row[0] for row in WEAKER], "Assumptions.v"), (UNIVERSAL, [row[0] for row in WEAKER_UNIVERSAL], "Axioms.v")],
)
def test_each_headline_is_weakened_at_least_once(folder, table, asked):
    assert headlines(folder / asked) <= set(table)


# PINNED: what could be put into Published.v before with every proof standing.


@with_coq
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        (  # windows of height 2
            "(fun a => match a with O => / e | 1%nat => - / e | 2%nat => - / e | _ => / e end)",
            "(fun a => match a with O => 2 / e | 1%nat => - 2 / e | 2%nat => - 2 / e | _ => 2 / e end)",
        ),
        (  # windows that are 0
            "(fun a => match a with O => / e | 1%nat => - / e | 2%nat => - / e | _ => / e end)",
            "(fun _ => 0)",
        ),
        (  # a rejection of height 7
            "Phi 1\n  (fun a => match a with O => - / e | 1%nat => / e | 2%nat => / e | _ => - / e end)",
            "Phi 7\n  (fun a => match a with O => - (7 / e) | 1%nat => 7 / e | 2%nat => 7 / e | _ => - (7 / e) end)",
        ),
        (
            "Definition paper_clear (t : R) : R := if Rlt_dec t 0 then - t else 0.",
            "Definition paper_clear (t : R) : R := 0.",
        ),
    ],
)
def test_the_published_activations_are_pinned(right, wrong, compiled):
    change(compiled, "universal/Published", right, wrong)
    failed = first_that_fails(compiled, ["universal/Published", "universal/Chosen"])
    assert failed == ("universal/Chosen" if right else None)


@with_coq
@pytest.mark.parametrize(
    ("right", "wrong", "broken"),
    [
        ("(fun _ => - (M + 1))", "(fun _ => - (M - 1))", "Chosen"),
        ("map (fun t _ _ => t) (entrywise d clear) ++", "", "Chosen"),
        ("(snd t) (around e (fst t) (/ INR N))", "(snd t) (around e (fst t) (2 * / INR N))", "Chosen"),
        (
            "t (e k) (lambda k) :: chosen e lambda (S k) layers",
            "t (e O) (lambda O) :: chosen e lambda (S k) layers",
            "Chosen",
        ),
    ],
)
def test_the_published_layers_are_pinned(right, wrong, broken, compiled):
    change(compiled, "universal/Published", right, wrong)
    names = [f"universal/{name}" for name in ("Published", "Chosen", "Below", "Good")]
    assert first_that_fails(compiled, names) == f"universal/{broken}"
