"""Pages as theorems: what `verify --paper FILE --coq` writes, that Coq proves it, and that it refuses what is false.

`make coq` compiles the reader and its committed pages; what runs Coq here runs in `make coq-mutants`.
"""

import json
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest

import random_pages
from cli import main
from coq_proofs import COQ, READER, change, first_that_fails, linked, with_coq
from verifier.coq.terms import NotCovered, Terms, claim_named, named, plain
from verifier.coq.theorems import MOST, written
from verifier.evaluate.run import found
from verifier.language.builtins import TAKEN
from verifier.language.library import packaged
from verifier.language.page import read
from verifier.language.words import RESERVED, Refused, TooLarge

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "verifier/pages"
LEMMA6 = "lemma6.1,lemma6.2,lemma6.3,lemma6.4,lemma10.lower,lemma10.upper,lemma10.injective"
PASS = Path(__file__).parent / "pages/pass"
FAIL = PASS.parent / "fail"
LEFT_OUT = "skipped: |for all, |_below, a bound|and Coq would run each"
BIGBIRD = "bigbird.lemma2-edges,bigbird.ids,bigbird.start,bigbird.bounds,recursion.invariant1,recursion.invariant2"
DYCK = {"k": 2, "D": 2, "n": 3, "tie": 0, "guard": 0, "type": 0, "bos": 0, "last": 0, "p": 0}
COMMITTED = {
    "BigBird": ["bigbird2020", "--d", "1", "--n", "2", "--N", "2", "--claims", BIGBIRD],
    "Cookbook": ["cookbook_words", "--n", "2", "--N", "2", "--claims", "cook.induction,cook.dyck1,cook.rate"],
    "Dyck": ["dyck", *(word for name, size in DYCK.items() for word in (f"--{name}", str(size)))],
    "Dyck1": ["dyck1", "--n", "4", "--D", "2"],
    "Induction": ["induction", "--n", "3", "--k", "2"],
    "Lemma6": ["yun2020", "--d", "1", "--n", "2", "--N", "3", "--claims", LEMMA6],
    "Ngrams": ["ngrams", "--g", "3", "--n", "2", "--claims", "ngram.heads,ngram.layers,ngram.fits,ngram.interval"],
    "Parity": ["parity", "--n", "4"],
    "SumsOfPowers": ["sums_of_powers", "--n", "3", "--N", "3", "--base", "2"],
}


def file_of(page, sizes, ids=None):
    """The file of a page's text, and what it doesn't cover."""
    understood = read(packaged(page))
    return written(understood, sizes, ids or list(understood.page.claims))


def compiled(folder, text, name="It"):
    """Coq's answer to a file."""
    (folder / f"{name}.v").write_text(text)
    command = ["coqc", "-q", "-w", "none", "-Q", str(COQ), "Contextual", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("name", COMMITTED)
def test_the_committed_files_are_what_the_command_writes(name, tmp_path, capsys):
    page, *words = COMMITTED[name]
    main(["--paper", str(PAGES / f"{page}.page"), *words, "--quiet", "--no-check", "--coq", str(tmp_path / "It.v")])
    assert (tmp_path / "It.v").read_text() == (READER / f"pages/{name}.v").read_text()
    assert capsys.readouterr().err == ""


def test_every_page_that_is_committed_is_compiled():
    assert {path.stem for path in (READER / "pages").glob("*.v")} == COMMITTED.keys()
    asked = (READER / "Assumptions.v").read_text()
    assert set(re.findall(r"pages\.(\w+)\.proved", asked)) == COMMITTED.keys()


def test_a_claim_that_is_not_covered_is_named_in_the_file_and_by_the_command(tmp_path, capsys):
    out, sizes = str(tmp_path / "It.v"), ["--n", "2", "--top", "2", "--bottom", "1", "--tail", "0"]
    words = ["--paper", str(PAGES / "palindrome.page"), *sizes, "--claims", "palin.algebraic,palin.slack"]
    main([*words, "-q", "--no-check", "--coq", out])
    assert "It.v says nothing of palin.slack: skipped: it is about x = 2, with &" in capsys.readouterr().err
    text = " ".join(Path(out).read_text().split())
    assert "Not covered, and nothing is said of them: palin.slack (skipped: it is about x = 2, with &)." in text
    assert "Theorem palin_algebraic'" in text
    assert "palin_slack" not in text


def test_strictly_a_claim_that_is_not_covered_is_exit_5(tmp_path, capsys):
    page = tmp_path / "mine.page"
    page.write_text((PAGES / "sums_of_powers.page").read_text().replace("b: b > a", "b: if n > 0: b > a"))
    words = [
        "--paper",
        str(page),
        "--n",
        "2",
        "--N",
        "2",
        "--base",
        "4",
        "-q",
        "--no-check",
        "--coq",
        str(tmp_path / "It.v"),
    ]
    assert main(words) == 0
    assert main([*words, "--strict"]) == 5
    assert "sums.distinct: line 27: across, with other lines than single inequalities" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--n", "2..3", "--N", "2", "--base", "2"], "a certificate is of one choice of sizes"),
        (["--n", "2", "--N", "2", "--base", "2", "--variant", "x=1"], "--coq writes the page's own numbers"),
    ],
)
def test_what_has_no_file_is_refused(words, why, tmp_path, capsys):
    assert main(["--paper", str(PAGES / "sums_of_powers.page"), *words, "--coq", str(tmp_path / "It.v")]) == 2
    assert why in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "It.v").exists()


def test_no_word_of_ours_is_written_as_a_name_of_a_page_is():
    """A page's name ends in ', and what is made for a claim has one within it: no word that is declared does."""
    kinds = r"^(?:\w+ )?(?:Definition|Fixpoint|Inductive|Record|Theorem|Lemma|Notation|Ltac) ([\w']+)"
    words = set[str]()
    for text in (path.read_text() for path in READER.glob("*.v") if path.stem != "Lemma6AllSizes"):
        words |= {*re.findall(kinds, text, re.MULTILINE), *re.findall(r"(?:^\||^Inductive.*:=|\|) ([A-Z][\w']*)", text)}
    assert {"reported", "first_failure", "Refused", "widen"} <= words
    assert [word for word in words if "'" in word] == []


def test_different_names_are_written_differently():
    parts = ["a", "'", "~", "t", "_"]
    names = ["a" + "".join(more) for k in range(5) for more in product(parts, repeat=k)]
    assert len(set(map(named, names))) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z][\w']*'", named(name)) for name in names)
    ids = ["a.b", "a-b", "a.b.c", "a.b-c", "a-b.c", "ab", "1.a", "a.a1"]
    assert len(set(map(claim_named, ids))) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z_]\w*", claim_named(id_)) for id_ in ids)


NAMES = """language 1
sizes max_ >= 1, Z >= 1
inputs S in List: words of 1..max_ letters match in {0, 1}
index = len(S)
found(each) = each + 1
range = [found(fun) for fun in S]
nat[hold] = range[hold] * Z for hold in 1..index
layer use(a'):
  given = read x[j][1] at max of 0 over j <= i
  x[i] <- [x[i][1] + a' * given]
network run:
  for S~ in [1, 2]:
    use(S~)
Type = run([[t] for t in S])
claim forall.exists, own, "(* -", on List if index > 0:
  "A name *) of Coq's."
  Type[index][1] >= S[index]
  for w in 1..index if w = index: nat[w] <= 2 * Z
"""


# Words of Coq, of Core.v, of the files that are written and of their proofs, each as what a page can name.
_NASTY = """
    Theorem Lemma Definition Proof Qed Check Print Module End Section Variable Hypothesis Notation Import Require
    Set Prop Type SProp match end fun forall exists fix cofix let return using where then with struct as' IF
    reported refuted eq_refl least_is first_is held not_held across_sound across_refuted across_least widen narrow
    proved eq prod pair nil cons list nat Z Q Some None true' I tt exact split reflexivity vm_compute discriminate
    Is Refused Number Truth List found value lines inputs' holds hold when block relate line each_ each by_items
    range index run act step read' head_ times plus over_ dot_ choose yes no w everywhere admitted Report Pairs
    check cases first exactly a_case Qmake inject_Z app fst snd proj1 proj2 x' x'' x~ x_tilde x't ltac Ltac
"""
NASTY = [name for name in _NASTY.split() if name not in RESERVED | TAKEN]


def nasty(k):
    """A page of which everything has one of these names, the k-th and those after it."""
    names = [NASTY[(k + m) % len(NASTY)] for m in range(13)]
    size, constant, several, function, layer, network, inputs, variable, about, x, i, letter, other = names
    id_ = names[0] if names[0].isalnum() else "c"
    return f"""language 1
sizes {size} >= 1
inputs {variable} in {inputs}: words of 1..{size} letters {letter} in {{0, 1}}
{constant} = {size} + 1
{several}[0] = 1
{several}[{letter}] = 2 * {several}[{letter}-1] for {letter} in 1..{constant}
{function}({letter}, {other}) = {letter} + {other} * {constant}
layer {layer}({other}):
  {letter} = read {x}[j][1] at max of 0 over j <= {i}
  {x}[{i}] <- [{x}[{i}][1] + {other} * {letter}]
network {network}({other}):
  for {letter} in [0, {other}]: {layer}({letter})
{about} = {network}(1, [[{letter}] for {letter} in {variable}])
claim {id_}.a1, own, "(* -", on {inputs} if len({variable}) > 0:
  "A name *) of Coq's."
  for {letter} in 1..len({variable}): {about}[{letter}][1] >= {variable}[{letter}]
  for {variable} in {about}: {function}({variable}[1], {several}[0]) > {constant} - 1
  across {about}[1][1] as {x}, {i}: {i} - {x} >= 0
  once: {constant} >= 2
"""


def test_names_of_coq_are_written_otherwise():
    text, _ = file_of(NAMES, {"max_": 2, "Z": 3})
    assert "Definition index' (S' : found)" in text
    assert "Definition found' (each' : found)" in text


@with_coq
@pytest.mark.parametrize("k", range(0, len(NASTY), 9), ids=lambda k: NASTY[k])
def test_whatever_a_page_calls_its_own_coq_proves_what_is_written(k, tmp_path):
    page = nasty(k)
    size = re.search(r"sizes (\S+)", page)[1]
    text, left = file_of(page, {size: 2})
    assert left == {}
    done = compiled(tmp_path, text)
    assert (done.returncode, done.stdout) == (0, "Closed under the global context\n"), done.stderr


@with_coq
@pytest.mark.parametrize(
    ("page", "sizes"),
    [
        (NAMES, {"max_": 2, "Z": 3}),
        ((PAGES / "addition.page").read_text(), {"n": 2}),
        ((PAGES / "ltl.page").read_text(), {"n": 3}),
        ((PAGES / "yun2020.page").read_text(), {"d": 1, "n": 2, "N": 2}),
    ],
    ids=["names", "addition", "ltl", "yun2020"],
)
def test_coq_proves_what_is_written(page, sizes, tmp_path):
    text, _ = file_of(page, sizes)
    done = compiled(tmp_path, text)
    assert (done.returncode, done.stdout) == (0, "Closed under the global context\n"), done.stderr


@with_coq
def test_the_example_of_the_docs_compiles(tmp_path):
    shown = (ROOT / "docs/how-to/theorem.md").read_text()
    page = re.search(r"<<'END'\n(.*?)\n> END", shown, re.DOTALL)[1]
    text, _ = file_of("\n".join(line[2:] for line in page.splitlines()), {"n": 4})
    assert compiled(tmp_path, text).stdout == "Closed under the global context\n"


# Pages of which the file that is written isn't one that Coq takes, or says less; each is to be written, or named.
NOT_WRITTEN = {
    "listed_cases": "a case of a `list` that doesn't begin at 1",
    "looked_at": "a relation of neighbours that has no value, and isn't made",
    "over_its_own_inputs": "a category that speaks of what is taken over its inputs",
    "recurrences": "an index that is no letter",
}


def in_coq(path):
    marks = [pytest.mark.xfail(reason=NOT_WRITTEN[path.stem])] if path.stem in NOT_WRITTEN else []
    return pytest.param(path, id=path.stem, marks=marks)


@with_coq
@pytest.mark.parametrize("path", [in_coq(path) for path in sorted(PASS.glob("*.page"))])
def test_coq_proves_the_texts_that_our_two_readings_are_tried_with(path, tmp_path):
    """With the cases, counts and slacks that stand in the expected certificates."""
    left_out = []
    for entry in json.loads(path.with_suffix(".json").read_text()):
        text, left = file_of(path.read_text(), entry["sizes"])
        left_out += left.values()
        assert (done := compiled(tmp_path, text)).returncode == 0, done.stderr
        for claim in entry["certificate"]["claims"]:
            name = claim_named(claim["id"])
            if claim["id"] not in left and claim["verdict"] == "holds" and f"Theorem {name}'cases" in text:
                assert f"Theorem {name}'cases : exactly {claim['cases']} " in text
    assert [why for why in left_out if not re.search(LEFT_OUT, why)] == []


def test_a_family_that_is_run_by_cells_is_not_covered():
    _, left = file_of((PASS / "families.page").read_text(), {"n": 1, "N": 1})
    assert left["families.long"] == "line 13: long has 1,000,000,000,000 layers, and Coq would run each"


REALS = """language 1
sizes n >= 1
claim c.reals, own, "-", once:
  "Of all real numbers."
  for all t if t > 0: t + n > n
claim c.below, own, "-", once:
  "A bound."
  exp_below(n, 3) > 2
claim c.number, own, "-", once:
  "Covered."
  n > 0
"""


def test_real_numbers_and_bounds_are_not_covered():
    text, left = file_of(REALS, {"n": 1})
    assert left == {
        "c.reals": "line 5: for all, every real number",
        "c.below": "line 8: exp_below, a bound of a function",
    }
    assert "Theorem c_number'once : hold c_number'lines." in text


# What is false has no file that compiles.

FALSE = [
    ("Theorem sums_distinct'a1'fails : ~ across", "Theorem sums_distinct'a1'fails : across"),  # it is refuted
    ("exactly 10 (admitted tokens' everywhere)", "exactly 9 (admitted tokens' everywhere)"),
    ("tokens' everywhere sums_bounded'lines 1 (0 # 1)", "tokens' everywhere sums_bounded'lines 1 (1 # 1)"),
    ("(Y' X').[1].[3] <= n' * base' ^ (N' - 1)", "(Y' X').[1].[3] <= n' * base' ^ (N' - 2)"),  # of the statement alone
    ("(Y' X').[1].[3] <= n'", "(Y' X').[1].[4] <= n'"),  # an index outside: refused, and so not proved
    ("(Y' X').[1].[3] <= n'", "(Y' X').[1].[3] <= 1 / 0 + n'"),
    ("Multisets n' n'", "Words n' n' (fun _ => "),
]


@with_coq
@pytest.mark.parametrize(("right", "wrong"), FALSE)
def test_a_false_statement_does_not_compile(right, wrong, tmp_path):
    text = (READER / "pages/SumsOfPowers.v").read_text()
    assert right in text
    assert compiled(tmp_path, text, "Control").returncode == 0
    assert compiled(tmp_path, text.replace(right, wrong, 1)).returncode != 0


@with_coq
def test_a_refuted_claim_with_a_proof_of_the_checker_does_not_compile(tmp_path):
    """As if a doctored run had found no failure: the numbers of a claim that holds, and its theorem."""
    text, _ = file_of((PAGES / "ngrams.page").read_text(), {"g": 3, "n": 2}, ["ngram.heads"])
    run = re.search(r"Report (\d+) (\d+)", text)
    assert int(run[2]) > 0
    honest = text.split("(** Computed. *)\nLemma ngram_heads'first_run")[0]
    assert compiled(tmp_path, honest).returncode == 0
    doctored = honest.replace(f"Report {run[1]} {run[2]}", f"Report {run[1]} 0").replace(": ~ (forall", ": (forall")
    doctored = re.sub(
        r"exact \(refuted .*?\)\)\.", "exact (proj1 (reported _ _ _ _ _ _ ngram_heads'run eq_refl)).", doctored
    )
    assert "refuted" not in doctored
    assert compiled(tmp_path, doctored).returncode != 0


# Changes of the meaning and of the checker.

ORDER = [f"reader/{name}" for name in ("Core", "Check", "Sound", "Words", "Literal", "Refusals")]
ORDER += [f"reader/pages/{name}" for name in ("Parity", "Induction")]
MUTANTS = [
    # Values
    ("Core", "if k <? 0 then Refused else match nth_error", "match nth_error", "reader/Refusals"),
    ("Core", "if Qeq_bool q 0 then Refused else multiply", "multiply", "reader/Refusals"),
    ("Core", "Qeq_bool q 0 && (k <? 0)", "false", "reader/Refusals"),
    ("Core", "(40000 <? Z.abs k", "(400000000000 <? Z.abs k", "reader/Refusals"),
    (
        "Core",
        "| [] => Refused\n    | v :: l =>\n        let next",
        "| [] => Is (of_whole 0)\n    | v :: l =>\n        let next",
        "reader/Refusals",
    ),
    ("Core", "| (_, Refused) :: _ => None", "| (_, Refused) :: _ => nothing", "reader/Refusals"),
    ("Core", "| Refused :: _ => None", "| Refused :: l => all_found l", "reader/Refusals"),
    ("Core", "Some _ => Is (List first l) | None => Refused", "_ => Is (List first l)", "reader/Literal"),
    ("Core", "Some (k, v :: l) else None", "Some (k, v :: l) else so_far", "reader/Refusals"),
    ("Core", "Some e => Nat.eqb d e", "Some e => true", "reader/Literal"),
    (
        "Core",
        "Notation and_ a b := (choose a (truth b) no)",
        "Notation and_ a b := (choose b (truth a) no)",
        "reader/Refusals",
    ),
    ("Core", "Is (of_whole (Qfloor (x / y)))", "Is (of_whole (Qceiling (x / y)))", "reader/Refusals"),
    ("Core", "if Nat.eqb (length (different l)) (length l) then", "if true then", "reader/Sound"),
    ("Core", "existsb (same v) l then different l", "existsb (same v) l then v :: different l", "reader/Sound"),
    ("Core", "is_number (x + y)", "is_number (x - y)", "reader/Sound"),
    ("Core", "lowest (x * y + s)", "lowest (x * y)", "reader/Literal"),
    ("Core", "end) l m with Some l => Is (List 1 l)", "end) l m with Some l => Is (List 0 l)", "reader/Literal"),
    ("Core", "end) l with Some l => Is (List 1 l)", "end) l with Some l => Is (List 0 l)", "reader/Literal"),
    ("Core", "l (scale 1 v)", "l (Is v)", "reader/Refusals"),
    ("Core", "| Is (Number _) => Is (of_whole 0)", "| Is (Number _ | Truth _) => Is (of_whole 0)", "reader/Refusals"),
    # Lines of claims
    ("Core", "if widens f then neighbours (in_order l) f else None", "neighbours (in_order l) f", "reader/Refusals"),
    ("Core", "| _ :: _ :: _ => if widens", "| _ :: _ => if widens", "reader/Refusals"),
    ("Core", "none_falls r s && none_falls t r", "none_falls r s", "reader/Refusals"),
    ("Core", "none_falls r s && none_falls t r", "none_falls t r", "reader/Refusals"),
    (
        "Core",
        "| Less, Number x, Number y => negb (Qle_bool y x)",
        "| Less, Number x, Number y => Qle_bool x y",
        "reader/Sound",
    ),
    (
        "Core",
        "Some a, Some b => Some (a ++ b) | _, _ => None end.",
        "Some a, Some b => Some a | _, _ => None end.",
        "reader/Sound",
    ),
    ("Core", "Some true => l | Some false => nothing | None => None", "Some true => l | _ => nothing", "reader/Sound"),
    ("Core", "Forall (fun r => holds_of r = true) r", "Exists (fun r => holds_of r = true) r", "reader/Sound"),
    # Layers
    ("Core", "Qle_bool (snd r) (snd p)) l) l)", "Qle_bool (snd p) (snd r)) l) l)", "reader/Literal"),
    ("Core", "(1 # Pos.of_nat (length l))", "(1 # Pos.of_nat (length l'))", "reader/Literal"),
    ("Core", "option_map (cons (j, q)) (scored js s m)", "Some [(j, q)]", "reader/Literal"),
    ("Core", "then Is (List first new) else Refused", "then Is (List 0 new) else Refused", "reader/Literal"),
    ("Core", "(times W_Q (index x i)) b_Q", "(times W_K (index x i)) b_Q", "reader/Literal"),
    ("Core", "same v w then v :: before", "same v w then w :: v :: before", "reader/Literal"),
    ("Core", "List.last js j", "List.last [] j", "reader/Refusals"),
    # Inputs
    (
        "Core",
        "map (cons a) (rising strict n (if strict then r else l))",
        "map (cons a) (rising strict n r)",
        "reader/Sound",
    ),
    (
        "Core",
        "Is (Number q) => whole_of q | _ => None end.",
        "Is (Number q) => Some (Qnum q) | _ => None end.",
        "reader/Sound",
    ),
    ("Core", "from a (Z.to_nat (b - a + 1))))", "from a (Z.to_nat (b - a))))", "reader/Refusals"),
    (
        "Core",
        "of_lengths most i (from a (Z.to_nat (b - a + 1)))",
        "of_lengths most i (from a (Z.to_nat (b - a)))",
        "reader/Sound",
    ),
    (
        "Core",
        "if forallb (fun v => match v with List _ _ => true | _ => false end) l then Some l else None",
        "Some l",
        "reader/Sound",
    ),
    ("Core", "StronglySorted lt places", "StronglySorted le places", "reader/Sound"),
    ("Core", "(a <= inject_Z (Z.of_nat n) <= b)%Q", "(a < inject_Z (Z.of_nat n) <= b)%Q", "reader/Sound"),
    # Claims
    ("Core", "w <> w' ->", "w = w' ->", "reader/Sound"),
    ("Core", "guard (Is w) = yes.\nDefinition exactly", "guard (Is w) = no.\nDefinition exactly", "reader/Sound"),
    # The checker
    ("Check", "then q else slack_of r", "then slack_of r else q", "reader/Sound"),
    ("Check", "negb (good (snd p))", "good (snd p)", "reader/Sound"),
    (
        "Check",
        "if snd a =? snd b then side_by_side f b l",
        "if snd a <=? snd b then side_by_side f b l",
        "reader/Sound",
    ),
    ("Check", "first_failing guard l ws (rank + 1)", "first_failing guard l ws rank", "reader/Sound"),
    ("Check", "| Some false => seen guard l ws\n    | None => None", "| _ => seen guard l ws", "reader/Sound"),
]


@with_coq
@pytest.mark.parametrize(("name", "right", "wrong", "broken"), MUTANTS)
def test_a_change_of_the_reader_breaks_a_proof(name, right, wrong, broken, tmp_path):
    copy = linked(tmp_path)
    change(copy, f"reader/{name}", right, wrong)
    assert first_that_fails(copy, ORDER) == broken


# Changes of the least slack of `across`.

ACROSS_MUTANTS = [
    ("", "", None),
    ("counts r = true -> slack <= slack_of r)", "counts r = true -> slack < slack_of r)"),
    ("  exists r, made_across i guard L f r /\\", "  forall r, made_across i guard L f r ->"),
    ("good rs = true ->\n", "\n"),
    ("q - p <= q' - p'", "q' - p' <= q - p"),
    ("holds_of r && implb", "holds_of r || implb"),
]


@with_coq
@pytest.mark.parametrize("mutant", ACROSS_MUTANTS, ids=str)
def test_a_change_of_the_least_slack_of_pairs_breaks_a_proof(mutant, tmp_path):
    copy = linked(tmp_path)
    change(copy, "reader/Across", *mutant[:2])
    assert first_that_fails(copy, ["reader/Across"]) == (None if len(mutant) == 3 else "reader/Across")


# Lemma 6 of the page for all sizes.

ALL_SIZES = "reader/Lemma6AllSizes"
ALL_SIZES_MUTANTS = [
    ("", ""),
    ("delta' ^ (- ((2 * n' + 1) * d')) * delta'", "delta' ^ (- (2 * n' * d')) * delta'"),
    ("delta' ^ (- (2 * n' * d')) * delta'", "delta' ^ (- (2 * n' * d' + 1)) * delta'"),
    ("delta' ^ (- ((n' + 1) * d'))", "delta' ^ (- (n' * d'))"),
    ("- delta' ^ (- (n' * d'))", "- delta' ^ (- d')"),
    ("[- (delta' / 2) - v']", "[delta' / 2 - v']"),
    ("in_G' X' and distinct X' = n'", "in_G' X'"),
    ("(q' X').[j'] >= t_l' ;;", "(q' X').[j'] <= t_l' ;;"),
    ("(q' X') (fun a' b' => line 1 : b' - a' > 0)", "(q' X') (fun a' b' => line 1 : b' - a' > 1)"),
    (
        "Definition lemma6_2'a1'numbers (X' : found) : found :=\n  q' X'.",
        "Definition lemma6_2'a1'numbers (X' : found) : found :=\n  [(q' X').[0]].",
    ),
    ("  not category1' X'.", "  category1' X'."),
    ("Multisets n' n' (by_key", "Sets n' n' (by_key"),
    ("by_key (fun c' => dot u' c')", "by_key (fun c' => - dot u' c')"),
    ("delta' ^ (- ((n' - 1) * d')) * delta'", "delta' ^ (- (n' * d')) * delta'"),
    ("(delta' ^ (- d') - 1) ^ 2", "(delta' ^ (- d') - 1) ^ 3"),
    ("  (t' X').[n'].", "  (t' X').[1]."),
    ("Z.of_nat (N + 1) ^ Z.of_nat d <= many ->\n  (forall w", "Z.of_nat N ^ Z.of_nat d <= many ->\n  (forall w"),
    ("digits (Z.of_nat N) <= 40000.\n(** The four", "digits (Z.of_nat N) <= 400000.\n(** The four"),
    ("Prop := (1 <= d)%nat /\\ (2 <= n)%nat", "Prop := (1 <= d)%nat /\\ (1 <= n)%nat"),
    ("Z.of_nat (N ^ d) - 1 <= many -> Statement", "Z.of_nat (N ^ d) - 2 <= many -> Statement"),
]


@with_coq
@pytest.mark.parametrize(("right", "wrong"), ALL_SIZES_MUTANTS)
def test_a_change_of_lemma_6_for_all_sizes_breaks_its_proof(right, wrong, tmp_path):
    copy = linked(tmp_path)
    change(copy, ALL_SIZES, right, wrong)
    assert first_that_fails(copy, [ALL_SIZES]) == (ALL_SIZES if right else None)


@pytest.mark.parametrize("sizes", [(1, 2, 3), (2, 3, 2)])
def test_lemma_6_for_all_sizes_is_said_in_the_words_that_the_command_writes(sizes):
    """Each definition of the page's file, but for the three sizes; and Page has no others."""
    text, _ = file_of((PAGES / "yun2020.page").read_text(), dict(zip("dnN", sizes, strict=True)), LEMMA6.split(","))
    page = (READER / "Lemma6AllSizes.v").read_text().split("Module Page.")[1].split("End Page.")[0]
    define = re.compile(r"^Definition ([\w']+)(.*?\.)\n(?=\n|\(\*\*|Definition|Strategy|End)", re.MULTILINE | re.DOTALL)
    ours, theirs = dict(define.findall(page)), dict(define.findall(text))
    assert ours.keys() == theirs.keys() - {"proved"}
    assert {name for name in ours if ours[name] != theirs[name]} == {"d'", "n'", "N'"}


# Changes of what trees mean, of how they are specialised and computed, and of the program.

PROGRAM = [f"reader/{name}" for name in ("Tree", "Trees", "Fold", "Quick", "Compile", "Where", "Program")]
PROGRAM_MUTANTS = [
    ("Tree", "", "", None),
    ("Tree", "| ItemOf a k => index (eval a g l) (eval k g l)", "| ItemOf a k => index (eval k g l) (eval a g l)", 1),
    ("Tree", "(fun v => eval e g ((k, v) :: l))\n  | Over", "(fun v => eval e g l)\n  | Over", 1),
    ("Tree", "if b then plus s v else minus s v", "plus s v", 1),
    ("Tree", "| (Modulo, v) => mod_ s v | (Floored, v) => div s v", "| (Modulo, v) | (Floored, v) => div s v", 1),
    ("Tree", "[] => yes | e :: es => and_", "[] => no | e :: es => and_", 1),
    ("Tree", "[] => no | e :: es => or_", "[] => yes | e :: es => or_", 1),
    ("Tree", "choose (eval c g l) (eval a g l) (eval b g l)", "choose (eval c g l) (eval b g l) (eval a g l)", 1),
    ("Tree", "if String.eqb x y then Some a else look x l", "if String.eqb x y then look x l else Some a", 1),
    ("Tree", "| Some f => f\n  | None => match look x g", "| Some f => Refused\n  | None => match look x g", 1),
    ("Tree", "(removelast l, List.last l Refused)", "(l, List.last l Refused)", 1),
    ("Tree", "| k :: ks, Is v :: vs =>", "| k :: ks, v' :: vs => let v := Number 0 in", 1),
    ("Tree", "Some e => Some (eval e g l) | None => None end (value_at", "_ => None end (value_at", 1),
    ("Tree", "everywhere end in\n      given (read t", "everywhere end in\n      given (read average", 1),
    (
        "Tree",
        "then\n        let v := meaning at_case n (body d) g in",
        "then\n        let v := AValue (Delay (fun _ => no)) in",
        1,
    ),
    ("Tree", "(block (map (fun c => line_of c g l) ls)))\n  | When", "nothing)\n  | When", 1),
    ("Tree", "line_of c g ((b, y) :: (a, x) :: l)", "line_of c g ((a, y) :: (b, x) :: l)", 1),
    ("Tree", "(fun v => eval i g [(k, v)])", "(fun v => v)", 1),
    ("Tree", "| Some c => choose (eval c g [])", "| Some c => choose yes", 1),
    ("Tree", "ReadOf _ _ _ _ _ _ => 1", "ReadOf _ _ _ _ _ _ => 0", 1),
    ("Fold", "| ItemOf a b => keep (ItemOf (fold a ls) (fold b ls))", "| ItemOf a b => keep (ItemOf (fold b ls) a)", 2),
    ("Fold", "then Some O else option_map S (place x ls)", "then Some O else place x ls", 2),
    ("Fold", "Some n => Letter n\n      | None", "Some n => Letter (S n)\n      | None", 2),
    ("Fold", "EachOf (fold a (k :: ls)) k (fold r ls)", "EachOf (fold a ls) k (fold r ls)", 2),
    ("Fold", "if one_step e then Kept", "if true then Kept", 2),
    ("Fold", "match e with Kept _ | Numeral _", "match e with Kept _ | Letter _ | Numeral _", 2),
    ("Fold", "ItemsFor k (fold r []) (fold e [k; n])", "ItemsFor k (fold r []) (fold e [n; k])", 2),
    ("Quick", "g =? 1 then q else Qnum q / g #", "g =? 1 then q else Qnum q #", 3),
    ("Quick", "Qden x) (Qden y) then Qnum x + Qnum y # Qden x", "Qden x) (Qden x) then Qnum x + Qnum y # Qden x", 3),
    ("Quick", "then Qnum x - Qnum y # Qden x", "then Qnum y - Qnum x # Qden x", 3),
    ("Quick", "if Pos.eqb (Qden x) 1 then if Pos.eqb", "if Pos.eqb (Qden y) 1 then if Pos.eqb", 3),
    ("Quick", "List _ r :: l => all_numbers r && all_rows l", "List _ r :: l => all_rows l", 3),
    ("Quick", "if Pos.eqb (Qden q) 1 then item l (Qnum q - first)\n", "if true then item l (Qnum q - first)\n", 3),
    (
        "Quick",
        "if Qeq_bool y 0 then Refused else Is (Number (times_q x",
        "if false then Refused else Is (Number (times_q x",
        3,
    ),
    ("Quick", "Holds => if b then Holds else Fails | _ => v", "_ => if b then v else Fails", 3),
    ("Quick", "match s with Iff => false | _ => true end", "true", 3),
    ("Quick", "List _ m => all_rows l && all_rows m\n", "List _ m => true\n", 3),
    ("Quick", "if Nat.eqb d e then long d l else false", "long d l", 3),
    ("Quick", "top (if Qle_bool r q then q else r) l", "top (if Qle_bool r q then r else q) l", 3),
    ("Quick", "(k =? m) && (fix all l r", "(fix all l r", 3),
    ("Quick", "if k - first <? 0 then Refused else match nth_error rows", "match nth_error rows", 3),
    ("Quick", "with [v] => v | l =>", "with v :: _ => v | l =>", 3),
    (
        "Compile",
        "match n, v with _ :: n, _ :: v => Refused :: blank n v",
        "match n, v with _ :: n, _ :: v => blank n v",
        4,
    ),
    ("Compile", "| _ :: ls, _ => S (unused (tl u) ls)", "| _ :: ls, _ => S (S (unused (tl u) ls))", 4),
    ("Compile", "c g (a :: blank n v)", "c g (Refused :: blank n v)", 4),
    ("Compile", "either (uses ls r) (tl (either (uses (k :: ls) a)", "either (uses ls r) (tl (either []", 4),
    ("Compile", "| Letter n => just n\n", "| Letter n => []\n", 4),
    ("Compile", "| S O => next_one |", "| S O => third |", 4),
    ("Compile", "if t then a g v else b g v", "if t then b g v else a g v", 4),
    ("Compile", "if t then b g v else nothing", "if t then b g v else None", 4),
    ("Compile", "within (e g v) (fun x y => b g (y :: x :: v))", "within (e g v) (fun x y => b g (x :: y :: v))", 4),
    ("Compile", "Nat.eqb n (length vs) && forallb is_value vs", "Nat.eqb n (length vs)", 4),
    ("Compile", "s e [i; x] in", "s e [x; i] in", 4),
    ("Compile", "Some f => Some (Delay (fun _ => f)) | None => vals x", "_ => vals x", 4),
    ("Compile", "then let v := p g in ((n, v) :: g", "then let v := AValue (Delay (fun _ => no)) in ((n, v) :: g", 4),
    (
        "Where",
        "Some a, Some b => Some (a ++ b) | _, _ => None end.\nDefinition trace_block",
        "Some a, Some b => Some (b ++ a) | _, _ => None end.\nDefinition trace_block",
        5,
    ),
    ("Where", "then trace_neighbours (in_order items)", "then trace_neighbours items", 5),
    ("Where", "option_map (map (fun r => Made r l)) rs", "option_map (map (fun r => Made r [])) rs", 5),
    ("Where", "Some q => if Qle_bool p q then a else Some (q, (rank, w))", "Some q => Some (q, (rank, w))", 5),
    ("Where", "if snd a =? snd b then side_list f b l", "if false then side_list f b l", 5),
    ("Where", "(Qle_bool q r && before_pair (fst p) n)", "before_pair (fst p) n", 5),
    ("Where", "if negb (Qle_bool r q) || (", "if (", 5),
    ("Program", "if fine then so_bad t else so_bad t + 1", "so_bad t", 6),
    (
        "Program",
        "None => if fine then None else Some (rank, w) | f => f",
        "_ => if fine then None else Some (rank, w)",
        6,
    ),
    ("Program", "negb (widens f)", "widens f", 6),
    ("Program", "through at_ l ws (rank + 1)", "through at_ l ws rank", 6),
    ("Program", "fst p + Z.of_nat (length own)", "fst p + 1", 6),
    (
        "Program",
        "add_row rank w rs k p :: add_rows rank w rs (k + 1) ps",
        "add_row rank w rs k p :: add_rows rank w rs k ps",
        6,
    ),
    (
        "Program",
        "in (fst p + Z.of_nat (length own), improved rank w",
        "in (fst p + Z.of_nat (length own), improved 0 w",
        6,
    ),
    ("Program", "rev_append (flat_map (number_of rank) l) c", "flat_map (number_of rank) l", 6),
    (
        "Program",
        "| Some false => s\n      | None => Stopped\n      end\n  | AskPairs",
        "| _ => s\n      end\n  | AskPairs",
        6,
    ),
    ("Program", "combine l (through at_ l ws 0", "combine l (through at_ l (tl ws) 0", 6),
    ("Program", "line c [b; a]) l)", "line c [a; b]) l)", 6),
    ("Program", "(two_values (block_of ns [b; a] l) (fst ns))", "(two_values (block_of ns [a; b] l) (fst ns))", 6),
    ("Program", "all_listed f (rev_append c []) with", "all_listed f c with", 6),
]


@with_coq
@pytest.mark.parametrize(("name", "right", "wrong", "broken"), PROGRAM_MUTANTS)
def test_a_change_of_the_program_breaks_a_proof_or_an_example(name, right, wrong, broken, tmp_path):
    """An example of Trees.v or Where.v breaks, or a proof: of Fold.v, that a tree means what it meant; of Quick.v and
    Compile.v, that a program finds what it means; of Where.v and Program.v, what is told of a page."""
    copy = linked(tmp_path)
    change(copy, f"reader/{name}", right, wrong)
    assert first_that_fails(copy, PROGRAM) == (broken and PROGRAM[broken])


# Readings that must agree: Coq's and ours, also on what is refused.


def evaluated(page, sizes, id_):
    """A file in which Coq computes what a claim makes, whatever our reading says of it."""
    understood = read(page)
    terms, claim = Terms(understood.page, sizes), understood.page.claims[id_]
    numbers = {sign.place: k for k, (sign, _) in enumerate(claim.signs, 1)}
    terms.under_way.append(("", set()))
    case = named(understood.page.inputs[claim.inputs].variable)
    guard = "everywhere" if claim.condition is None else f"(fun {case} => {terms.term(claim.condition, {}, 200)})"
    lines = f"(fun {case} => {terms.lines(claim.lines, {}, numbers)})"
    on = terms.define(claim.place, claim.inputs).name
    terms.under_way.pop()
    definitions = [
        f"Definition {w.name}{''.join(f' ({c} : found)' for c in w.of)}{w.arguments} : {w.type} := {plain(w.text)}."
        for w in terms.written.values()
    ]
    head = "From Coq Require Import QArith ZArith List. From Contextual.reader Require Import Core Check Words."
    head += " Open Scope page_scope."
    return "\n".join(
        [head, *definitions, plain(f"Eval vm_compute in check {MOST} {len(numbers)} {on} {guard} {lines}.")]
    )


# Rules about a page that no value of the claim breaks: its categories, constants with names, `skipped if`, and negative
# powers of what isn't known.
RULES = {
    "a-case-in-both-categories",
    "a-category-that-is-no-truth",
    "a-definition-with-a-name-for-certificates-that-is-a-list",
    "a-number-of-cases-that-is-a-truth",
    "a-wrong-number-of-inputs",
    "negative-power-of-the-case",
    "no-category",
    "skipped-by-a-number",
    "two-categories",
    "wrong-category-count",
}


@with_coq
@pytest.mark.parametrize("path", sorted(FAIL.glob("*.page")), ids=lambda path: path.stem)
def test_what_is_refused_when_a_case_comes_to_it_is_refused_by_coq(path, tmp_path):
    beside = path.with_suffix(".json")
    entry = json.loads(beside.read_text()) if beside.exists() else {}
    sizes = (entry[0] if isinstance(entry, list) else entry).get("sizes", {})
    try:
        page = read(path.read_text()).page
    except Refused:
        pytest.skip("it is refused before any run")
    (claim,) = page.claims.values()
    if sizes.keys() != page.sizes.keys() or claim.inputs is None or "across" in path.stem:
        pytest.skip("it has no case")
    with pytest.raises(Refused):
        found(read(path.read_text()), sizes, [claim.id])
    try:
        file = evaluated(path.read_text(), sizes, claim.id)
    except NotCovered:
        pytest.skip("Core.v has no word for it")
    said = " ".join(compiled(tmp_path, file).stdout.split())
    assert said.startswith("= Some" if path.stem in RULES else "= None")


def covered(text):
    """A random page that has words in Coq, with what our reading says: its claim's entry, or None if it refuses."""
    try:
        entry = found(read(text), {"n": 2}, ["a"])["claims"][0]
    except TooLarge:
        return None
    except Refused:
        return "refused"
    return entry


@with_coq
@pytest.mark.parametrize("seed", range(25))
def test_random_pages_read_alike_in_coq(seed, tmp_path):
    text = random_pages.page(seed)
    try:
        read(text)
    except Refused:
        return
    if "across" in text or "once:" in text or (entry := covered(text)) is None:
        return
    try:
        file = evaluated(text, {"n": 2}, "a")
    except NotCovered:
        return
    done = compiled(tmp_path, file)
    assert done.returncode == 0, text + done.stderr
    said = " ".join(done.stdout.split())
    if entry == "refused":
        assert said.startswith("= None"), text + said
        return
    rows = re.findall(r"\((\d+)%Z, (?:None|Some \(?(-?\d+(?: # \d+)?)\)?(?:%Q)?)\)", said)
    assert f"its_cases := {entry['cases']}; failing := {entry.get('failing', 0)};" in said, text + said
    assert [(int(made), least.replace(" # ", "/")) for made, least in rows] == [
        (line["made"], line["least"]["slack"] if "least" in line else "") for line in entry["lines"]
    ], text + said
