"""The pages of findings, with what the certificates say of each of their commands, leave nothing refuted out."""

import json
import re
import shutil
from fractions import Fraction as Q
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import comb, factorial
from pathlib import Path

import pytest
from gmpy2 import mpq

import positional_truth as truth
from verifier import Page
from verifier.evaluate.definition import Reading
from verifier.language.tree import Name
from verifier.report.findings import COMMAND, NoCertificate, filled, render, said, sources, wrapped

PROOFS = Path(__file__).parent.parent / "proofs"
ALL, *OF_PAPERS = sources(PROOFS)
PAGE = "\n".join(render(PROOFS, page) for page in [ALL, *OF_PAPERS] if page.stem in ("FINDINGS", "yun2020", "hu2024"))
CLAIMS = Page.named("yun2020").claims
OF_THE_PAPER = sorted((PROOFS / "certificates/paper").glob("*.json"))


def test_every_claim_that_a_certificate_refutes_is_a_finding():
    refuted = {
        claim["id"]
        for path in OF_THE_PAPER
        for claim in json.loads(path.read_text())["claims"]
        if claim["verdict"] == "refuted"
    }
    assert len(refuted) > 10
    for claim in refuted:
        assert f"`{claim}` ({CLAIMS[claim].kind}) **fails** at" in PAGE, claim


def test_only_a_statement_is_refuted_and_none_of_those_that_are_run_is():
    """The one statement that is, Lemma E.1 of Hu et al. over all of R^(d x n), is proved to be, and not run.

    Between the two paragraphs that say so the page says what the program means by `refuted`."""
    assert said("refuted", "statement") == "is **refuted**"
    assert said("refuted", "step") == said("refuted", "excluded") == "**fails**"
    verdicts = {
        claim["verdict"]
        for path in OF_THE_PAPER
        for claim in json.loads(path.read_text())["claims"]
        if CLAIMS[claim["id"]].kind in ("statement", "repair", "own")
    }
    assert verdicts == {"holds", "vacuous"}
    paragraphs = [words for words in PAGE.split("\n\n") if "refuted" in words]
    assert [plain(words).count("refuted") for words in paragraphs] == [1, 1, 1]
    assert ["Lemma E.1" in words for words in paragraphs] == [True, False, True]
    assert paragraphs[1].startswith("The program's verdict `refuted` is about the claim printed beside it.")


def test_it_says_first_which_text_was_read():
    top = ALL.read_text().partition("\n## ")[0]
    for words in ("under review at ICLR 2020", "read in: submission; check in: published", "No numbered statement"):
        assert words in " ".join(top.split())


def test_the_page_of_all_findings_is_short_and_leads_to_the_others():
    text = ALL.read_text()
    assert len(text.split()) < 1_750
    assert OF_PAPERS[0].stem == "yun2020"
    for page in OF_PAPERS:
        assert f"](findings/{page.name})" in text


@pytest.mark.parametrize("page", sources(PROOFS), ids=lambda path: path.name)
def test_every_command_has_a_certificate_and_every_link_leads_somewhere(page):
    text = render(PROOFS, page)
    commands = [line for line in page.read_text().splitlines() if COMMAND.fullmatch(line)]
    assert len(commands) == len(re.findall(r"\]\([^)\s]*certificates/[^)\s]*\.json\)\)$", text, re.MULTILINE))
    assert commands or page == ALL
    assert [line for line in text.splitlines() if len(line) > 120 and line[0] not in "|`"] == []
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / link).exists(), link


def test_another_verdict_makes_another_page(tmp_path):
    folder = tmp_path / "proofs"
    shutil.copytree(PROOFS, folder, ignore=shutil.ignore_patterns("coq"))
    path = folder / "certificates/paper/d1-n2-N2.json"
    document = json.loads(path.read_text())
    (claim,) = (claim for claim in document["claims"] if claim["id"] == "lemma7.map")
    claim["first"]["value"] = ["1/3"]
    path.write_text(json.dumps(document))
    assert "(1/3) against (27/2)" in plain(render(folder, folder / "findings/yun2020.md"))


@pytest.mark.parametrize(
    "line",
    [
        "    verify --d 1 --n 2 --N 2 --claims lemma77.map",
        "    verify --d 7 --n 2 --N 2 --claims lemma7.map",
        "    verify --paper kajitsuka2024 --d 1 --n 2 --N 2 --claims lemma7.map",
        "<!-- sizes lemma6.1 -->",
    ],
)
def test_a_page_that_asks_for_what_no_certificate_says(line):
    with pytest.raises(NoCertificate):
        filled(PROOFS, line)


# The numbers by hand, once more in plain fractions.

INSTANCES = [(d, n, N) for d in (1, 2, 3) for n in (2, 3, 4) for N in (2, 3, 4)]


def plain(text):
    """Without line breaks and without the marks of code."""
    return " ".join(text.replace("`", "").split())


def says(words):
    assert plain(words) in plain(PAGE), words


def test_positional_encodings_fold_the_plane_so_that_no_network_is_near():
    """X' + E is X + E with its columns exchanged; X' lies outside the cube if X lies in it, for E = (0, 1)."""
    E = (0, 1)
    for X in product([Q(k, 5) for k in range(6)], repeat=2):
        folded = X[1] + E[1] - E[0], X[0] + E[0] - E[1]
        assert (folded[0] + E[0], folded[1] + E[1]) == (X[1] + E[1], X[0] + E[0])
        assert 1 <= folded[0] <= 2
        assert -1 <= folded[1] <= 0
    here, there = (truth.run(1, 2, 2, ((a,), (b,)))[2] for a, b in [(0, 3), (3, 0)])
    assert here == there[::-1] == [2 * 147, 297]
    says("X + E = (0, 3/2) has the keys 147 and 297/2, and X' + E = (3/2, 0) has 297/2 and 147")


def test_a_constant_misses_a_unit_slope_by_more_than_the_wanted_error():
    delta, epsilon = Q(1, 10), Q(1, 100)
    assert delta**4 == epsilon**2
    mean_square = 2 * (delta / 2) ** 3 / 3 / delta
    assert mean_square == delta**2 / 12 == Q(1, 1200) > epsilon**2 == Q(1, 10000)
    says("delta = 1/10, and delta^2/12 = 1/1200 > 1/10000 = epsilon^2")


def test_the_point_of_finding_1_and_what_it_is_quantised_to():
    """eps = 1/16: four ReLUs lead the line from 0 at -eps, where -t - 4 takes it to -4, to 0 at 0."""
    eps, t = Q(1, 16), Q(-65, 16384)
    assert -eps < t < 0
    added = (eps - 4) * -t / eps
    assert t + added == Q(-65, 256)
    assert abs(t + added + Q(25391, 10**5)) < Q(1, 10**5)
    says("the first entry of the input is -65/16384, which is quantised to x = -65/256, about -0.25391")


def test_the_first_shift_passes_every_level_and_not_only_every_id():
    for d, _, N in INSTANCES:
        delta, B = Q(1, N), N**d
        assert B * delta > delta * (B - 1)
    first, second, again = truth.run(1, 2, 2, ((1,), (2,)))[3]  # App. C: beyond l_n = 2, and on the last level, 3
    assert (first, second, again) == ([1], [2], [1])
    says("l~_1 >= delta^-d (l_n - l_1) >= delta^-d delta > delta (delta^-d - 1), the last")


def lower(d, n, N):
    return Q(N ** ((n - 1) * d) * (N**d - 1), N)


def upper(d, n, N):
    return Q(N ** (n * d) * (N**d - 1) - (N**d - 1) ** 2, N)


def test_the_upper_end_of_property_3_is_t_r_at_two_columns_and_below_it_at_more():
    for d, n, N in INSTANCES:
        end = N ** ((n + 1) * d) * upper(d, n, N) + Q(N ** ((n + 1) * d), N)
        t_r = Q(N ** ((2 * n + 1) * d) * (N**d - 1), N)
        assert (end == t_r) if N**d == 2 else (end < t_r)
        t_l, misread = (Q(N ** (power * d) * (N**d - 1), N) for power in (2 * n, n + 1))
        assert misread < t_l
    says("at (1, 2, 2) 8 (4/2 - 1/2) + 4 = 16")


def test_the_bound_of_category_2_covers_one_distinct_column():
    for d, n, N in INSTANCES:
        largest_id, step = Q(N**d - 1, N), Q((N**d - 1) ** 2, N)
        assert largest_id == upper(d, 1, N) <= lower(d, n, N) - step
        assert (largest_id == lower(d, n, N) - step) == (n == 2)


def test_an_id_of_zero_is_shifted_like_a_positive_one():
    """[-4, 0] at (1, 2, 2): level 0 adds 2 (0 + 4), the global shift 8 . 8."""
    after = 0 + 2 * (0 - -4)
    assert (after, after + 2**3 * after) == (8, 72)
    says("to 8, and q_2 = 8 + 8 . 8 = 72 > 16")


def test_four_relus_cannot_follow_a_slope_on_the_left_without_a_constant_piece():
    """Left of all breaks the slope is minus the sum of the changes at the breaks whose ReLU looks left."""
    for epsilon in (Q(1, 8), Q(1, 3)):
        changes = [1 / epsilon, -1 / epsilon] * 2
        sums = {-sum(chosen) for size in range(5) for chosen in combinations(changes, size)}
        assert 0 in sums  # a constant piece on the left is no obstacle
        assert 1 not in sums


def test_orbits_are_more_than_matrices_over_n_factorial():
    assert (comb(3, 2), Q(2**2, factorial(2))) == (3, 2)
    for d, n, N in INSTANCES:
        assert comb(N**d + n - 1, n) > Q(N ** (d * n), factorial(n))


def test_the_first_shift_of_hu_et_al_is_less_than_they_say():
    """Published: l~_1 >= (n-1) delta^-d+1 / (1 - delta) + delta^-d+1. False at (1, 2, N), context (1 - delta, 1)."""
    for N in (2, 3, 4, 7):
        delta = Q(1, N)
        published, shifted = 1 / (1 - delta) + 1, 1 - delta + N * (1 - (1 - delta))
        assert 1 < shifted < published
        a, b = delta / (delta - 1), -delta / (1 - delta)
        assert a == b < 0 < delta / (1 - delta)
        if N == 2:
            assert (shifted, published) == (Q(3, 2), 3)
    says("l~_1 = 1/2 + 2 . 1/2 = 3/2")


def test_not_every_delta_above_zero_makes_a_grid():
    delta = Q(2, 5)
    assert 1 - delta == Q(3, 5) not in {k * delta for k in range(10)}


def hard(x, twice_b):
    """psi on ids in units of delta."""
    means = []
    for y in x:
        scores = [v * (2 * y - twice_b) for v in x]
        best = [v for v, score in zip(x, scores, strict=True) if score == max(scores)]
        means.append(Q(sum(best), len(best)))
    return means


def swept(x, levels, factor):
    shifts = 0
    for level in levels:
        low, high = hard(x, 2 * level - 1), hard(x, 2 * level + 1)
        after = [v + factor * (a - b) for v, a, b in zip(x, low, high, strict=True)]
        shifts += after != x
        x = after
    return x, shifts


@pytest.mark.parametrize("N", range(2, 7))
def test_what_restores_the_order_of_appendix_c_at_two_columns(N):
    """(d, n) = (1, 2), in units of delta; the bound is n delta^-((n+1)d) = 2 N^4, P as many ones."""
    bound = 2 * N**4

    def run(start, factor):
        levels = [*range(N), *range(start, start + N)]
        return [swept([a, start + b], levels, factor) for a, b in product(range(N), repeat=2)]

    def kept(found):
        return all(x[0] < x[1] and shifts == 2 for x, shifts in found)

    largest = [max(x) for x, _ in run(2 * N, N)]
    assert max(largest) == 3 * N**3 - 4 * N**2 + 4 * N - 1 < bound
    assert not kept(run(N, N))
    for start, factor in [(2 * N, N), (N, N + 1)]:
        found = run(start, factor)
        ends = sorted(max(x) for x, _ in found)
        assert kept(found)
        assert ends[-1] < bound
        assert all(a < b for a, b in pairwise(ends))  # so that P l~_n + [0, n delta^-((n+1)d)) are disjoint
    found = run(N, N**2)
    ends = [max(x) for x, _ in found]
    values = [v + bound * max(x) for x, _ in found for v in x]
    assert kept(found)
    assert max(ends) >= bound
    assert len(set(ends)) == N**2
    assert len(set(values)) == 2 * N**2
    says("the largest l~, 3N^3 - 4N^2 + 4N - 1 in units of delta, is below the bound 2N^4 of App. C")


def test_the_sketch_in_the_other_units():
    """N r, r in units of delta, added to L_i = k_i / N: below N^(n+1) at (n, N) = (2, 2) alone."""
    for n, N in [(2, 2), (2, 3), (2, 5), (3, 3), (3, 5), (4, 4)]:
        largest = Q(0)
        for k in combinations(range(N), n):
            x = [Q(v, N) for v in k]
            for level in range(N):
                r = N * (max(x) - min(x))
                x = [v + N * r if v == Q(level, N) else v for v in x]
            largest = max(largest, *x)
        assert (largest < N ** (n + 1)) == ((n, N) == (2, 2))
        assert n > 2 or N > 2 or largest == Q(13, 2)
    says("except at (n, N) = (2, 2), where it is 6.5 < 8")


def test_the_sign_of_hu_et_al_at_two_steps_and_any_number_of_columns():
    for n in range(2, 9):
        least = Q(1, 2) + 2 * (n - 1 - Q(1, 2))
        assert least == 2 * n - Q(5, 2) < 2 * n - 1 == (n - 1) / (1 - Q(1, 2)) + 1
    says("at (1, n, 2) for every n (2n - 5/2 against 2n - 1)")


def last_of_hu(d, n, N, ids):
    """l~_n in closed form, in units of delta: it grows with the last id and falls with every other."""
    B = N**d
    middle = sum(B ** (n - i) * ids[i - 1] for i in range(2, n))
    return (1 - B + B**n) * ids[-1] - (B - 1) * middle - (B**n - B ** (n - 1)) * ids[0]


def extremes_of_hu(d, n, N):
    """The least and the largest l~_n: in units of delta, where block j begins at (j-1) N (1 + N + ... + N^(d-1))."""
    low = [j * N * sum(N**i for i in range(d)) for j in range(n)]
    high = [start + N**d - 1 for start in low]
    return last_of_hu(d, n, N, [*high[:-1], low[-1]]), last_of_hu(d, n, N, [*low[:-1], high[-1]])


@pytest.mark.parametrize(("d", "n", "N"), [(1, 2, 2), (1, 2, 4), (1, 3, 2), (1, 3, 3), (1, 4, 3), (2, 2, 2), (2, 2, 3)])
def test_where_the_threshold_of_hu_et_al_is_too_large_by_plain_loops(d, n, N):
    B = N**d
    runs = [truth.run(d, n, N, context) for context in truth.contexts(d, n, N)]
    t_l = N * n * B ** (2 * (n + 1)) * (B - 1)
    missed = [any(x < t_l for x in keys) for _, _, keys, _ in runs]
    assert any(missed) == (n < N**d - N ** (d - 1) + (3 if d == 1 and N >= 3 else 2))
    assert all(missed) == (n <= N**d - N ** (d - 1))
    if (d, n) != (1, 2):
        last = [after[-1] for _, after, _, _ in runs]
        assert (min(last), max(last)) == extremes_of_hu(d, n, N)
    says("It holds iff n >= N^d - N^(d-1) + 2, except that at d = 1 and N >= 3 one token more is needed")


def test_where_the_threshold_of_hu_et_al_is_too_large_in_closed_form():
    for d, n, N in product(range(1, 4), range(2, 7), range(2, 40)):
        B = N**d
        least, largest = extremes_of_hu(d, n, N)
        wanted = B ** (n + 1) * (B - 1)  # keys are the global factor, n delta^-((n+1)d) delta^-1, times l~_n, or above
        assert (least < wanted) == (n < N**d - N ** (d - 1) + (3 if d == 1 and N >= 3 else 2))
        assert (largest < wanted) == (n <= N**d - N ** (d - 1))
        assert (least >= B**n * (B - 1)) == (n >= 3 or (d, N) == (1, 2))
        if n == 2:  # a = 5d - 1, and no whole power of N more
            assert N * least >= B**n * (B - 1)
    says("a = (2n+1)d serves iff n >= 3, with one exception, (d, n, N) = (1, 2, 2)")


def test_the_intervals_touch_unless_there_is_one_context():
    def last(ids, B):
        L = ids[-1]
        for k in ids:
            L = k + B * (L - k)
        return L

    for B, n in [(2, 2), (3, 2), (3, 3), (4, 3), (5, 4), (4, 4), (6, 5)]:
        ends = sorted(last(ids, B) for ids in combinations(range(B), n))
        S = sum(B**k for k in range(1, n))
        gaps = [b - a for a, b in pairwise(ends)]
        assert (min(gaps) == 1) if n < B else not gaps
        assert (ends[0], ends[-1]) == ((n - 1) * (B**n + 1) - S, (B - 1) * (B**n + 1) - S - B * (B - n))
        assert (ends[-1] == B**n * (B - 1) - (B - 1) ** 2) == (n == 2)
        assert ends[0] > B ** (n - 1) * (B - 1)


def test_the_table_of_layers_and_bits():
    rows = {}
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in (
            "(d, n, N)",
            "layers, the paper's",
            "layers, these",
            "bits of M, the paper's",
            "bits of M, these",
        ):
            rows[cells[0]] = cells[1:]
    for k, place in enumerate(rows["(d, n, N)"]):
        d, n, N = json.loads(f"[{place.strip('()')}]")
        if comb(N**d, n) > 2_000:  # contexts, which the page lists
            continue
        given = {"d": mpq(d), "n": mpq(n), "N": mpq(N)}
        reading = Reading(Page.named("yun2020").understood, {"d": d, "n": n, "N": N}, steps=10**9)
        assert given == reading.sizes
        value = {name: reading.nothing(Name((0, 0), name), {}) for name in ("papers", "M", "M_0")}
        found = Page.named("yun2020").run("exact.layers", d=d, n=n, N=N, steps=10**9)["exact.layers"]["lines"]
        layers = d * N + d + N**d + 1 + 1 + d + N**d * comb(N**d + n - 2, n - 1) + 1
        assert {line["made"] for line in found} == {1}
        assert [int(row[k]) for name, row in rows.items() if name != "(d, n, N)"] == [
            int(value["papers"]),
            layers,
            int(value["M"]).bit_length(),
            int(value["M_0"]).bit_length(),
        ]


def power_sums(numbers, B, n):
    W = n * B**n + 1
    return [sum(k**r * W ** (r - 1) for r in range(1, n + 1)) for k in numbers]


@pytest.mark.parametrize(("B", "n"), [(2, 2), (3, 3), (4, 3), (5, 4), (9, 2), (4, 5)])
def test_power_sums_are_positive_codes_whose_sums_of_n_are_distinct(B, n):
    codes = power_sums(range(1, B + 1), B, n)
    sums = [sum(codes[k] for k in context) for context in combinations_with_replacement(range(B), n)]
    assert min(codes) > 0
    assert len(set(sums)) == len(sums)


def looked_up(ids, codes, targets):
    """Finding 8's network at d = 1 (so C = 1), on quantised ids: a sentinel is None. `targets` are by context."""
    B, n = len(codes), len(ids)
    beyond = n * max(codes) + 1  # S and F, beyond every sum
    coded = [beyond if k is None else codes[k] for k in ids]
    keys = [code + beyond * sum(coded) for code in coded]
    out = [0 if key >= beyond * beyond else key for key in keys]
    for context in combinations_with_replacement(range(B), n):
        for k in sorted(set(context)):
            key, image = codes[k] + beyond * sum(codes[x] for x in context), targets(context, k)
            out = [("written", image) if value == key else value for value in out]
    return tuple(value[1] if isinstance(value, tuple) else value for value in out)


@pytest.mark.parametrize(("B", "n"), [(2, 2), (3, 2), (3, 3), (4, 3)])
def test_positive_codes_tell_every_context_and_zero_is_no_code(B, n):
    def target(context, k):
        return 7 + B ** (1 + context.index(k)) + sum(B ** (2 * n + x) for x in context)

    good = power_sums(range(1, B + 1), B, n)
    for ids in product([*range(B), None], repeat=n):
        inside = None not in ids
        assert looked_up(ids, good, target) == (
            tuple(target(tuple(sorted(ids)), k) for k in ids) if inside else (0,) * n
        )


def test_with_a_code_of_zero_a_rejected_matrix_is_given_a_target():
    codes = power_sums(range(3), 3, 2)
    assert codes == [0, 20, 78]
    assert looked_up((0, None), codes, lambda _context, _k: 7) == (7, 7)
    assert looked_up((0, None), power_sums(range(1, 4), 3, 2), lambda _context, _k: 7) == (0, 0)
    says("with the codes 0, 20 and 78 and all targets 7, an input outside the cube gives (7, 7)")


def in_coq():
    """The statements and the theorems by their names."""
    sources = [path.read_text() for path in sorted((PROOFS / "coq").rglob("*.v"))]
    names = [
        re.findall(rf"^(?:{words}) (\w+)", text, re.M) for words in ("Definition", "Theorem|Lemma") for text in sources
    ]
    return [set(chain(*names[k : k + len(sources)])) for k in (0, len(sources))]


def test_every_name_of_coq_on_the_page_is_a_statement_with_a_theorem():
    """A statement is a name of several words, or of a word and a number; `theorem2 : Theorem2` is both."""
    codes = set(re.findall(r"`([^`\n]+)`", PAGE))
    words = {word for code in codes for word in code.split(" : ") if re.fullmatch(r"[A-Za-z]\w{5,}", word)}
    capital = {word for word in words if word[0].isupper()} - {"Definition"}
    small = {word for word in words - capital if re.search(r"\d", word)}
    assert {"AppendixC2_no_order", "AppendixC2_order", "AppendixC2_contextual", "Proposition4_exact"} <= capital
    assert {"theorem2", "theorem3"} <= small
    definitions, theorems = in_coq()
    assert capital - definitions == set()
    assert {word.lower() for word in capital} - theorems == set()
    assert small - theorems == set()
    assert "AppendixC2" not in definitions  # the name that stood here
    says("Coq names with a capital are statements (Definition); the theorem has the same name in lower case")


def test_lines_are_broken_neither_in_formulas_nor_so_that_they_begin_a_list():
    words = "x " * 57 + "`a = b + c` 1 - 2 + 3"
    assert wrapped(words) == [("x " * 57).strip(), "`a = b + c` 1 - 2 + 3"]
    words = "x " * 58 + "1 - 2"
    assert not any(line.startswith(("-", "+")) for line in wrapped(words))
