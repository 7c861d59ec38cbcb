"""The checker's reading of a construction of somebody's own, on three cases by hand: X -> X + X, and six claims."""

import random
import sys
from contextlib import nullcontext
from copy import deepcopy
from fractions import Fraction
from types import SimpleNamespace

import pytest

from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.frame import Relation
from verifier.checker.core.reading import Unreadable, certificate
from verifier.checker.core.share import Options
from verifier.checker.papers.own import check as checking
from verifier.checker.papers.own import layers
from verifier.checker.papers.own.check import images, open_of, relation_of, sizes_of
from verifier.checker.papers.own.paper import PAPER, of
from verifier.checker.papers.own.reading import Reading, errors_of, exact, loaded, refuse_other_cases, weighable
from verifier.core.exact import Q
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear

F = Fraction
DOUBLE = {"W_1": [["1"]], "b_1": ["0"], "W_2": [["1"]], "b_2": ["0"], "breaks": [], "left_owned": []}
DOUBLE |= {"pieces": [["1", "0"]]}
DOUBLED = {"feed-forward": DOUBLE}
NOUGHT, APART, SAME = [["0", "0"]], [["0", "1"]], [["1", "1"]]
AT_0 = {"relation": "sum >= 0", "value": "0", "bound": "0", "matrix": NOUGHT, "slack": "0"}
AT_2 = {"relation": "sum < 5", "value": "4", "bound": "5", "matrix": SAME, "slack": "1"}
BETWEEN = {"relation": "distance > 1", "value": "2", "bound": "1", "matrix": NOUGHT, "other": APART, "slack": "1"}
FAILS = {"relation": "sum <= 2", "value": "4", "bound": "2", "matrix": SAME, "failing": 1}


def case(category, matrices, X, image):
    return {"network": "double", "category": category, "matrices": matrices, "X": X, "image": image}


def claim(name, verdict, cases, **more):
    return {"id": f"own.{name}", "statement": f"{name}.", "verdict": verdict, "cases": cases, **more}


def sizes(few, many, total):
    return {"few": few, "many": many, "total": total}


SIZES = sizes({"matrices": 2, "orbits": 2}, {"matrices": 2, "orbits": 1}, {"matrices": 4, "orbits": 3})
DOCUMENT = {
    "format": "verifier.certificate/1",
    "paper": "own/1",
    "instance": {"n": 2, "N": 2},
    "constants": {"half": "1/2"},
    "construction": {
        "title": "doubling",
        "networks": {"double": [DOUBLED]},
        "cases": [
            case("few", 1, NOUGHT, [["0", "0"]]),
            case("many", 2, APART, [["0", "2"]]),
            case("few", 1, SAME, [["2", "2"]]),
        ],
    },
    "coverage": SIZES,
    "statement": "X -> 2 X, at all X.",
    "claims": [
        claim("sum", "holds", 3, edges=[AT_2, AT_0], tightest=AT_0),
        claim("apart", "holds", 3, edges=[BETWEEN], tightest=BETWEEN),
        claim("small", "refuted", 3, counterexample=FAILS),
        claim("later", "skipped", 0, why="later"),
        claim("none", "vacuous", 0, why="no case exists of which it says anything"),
        claim("layers", "holds", 1),
    ],
    "shards": [
        {
            "start": 0,
            "stop": 3,
            "digest": str(1 * 0 + 2 * (2 * 2) + 3 * (1 * 2 + 2 * 2)),
            "coverage": SIZES,
            "claims": {
                "own.sum": {
                    "cases": 3,
                    "edges": {"sum >= 0": {"slack": "0", "rank": 0}, "sum < 5": {"slack": "1", "rank": 2}},
                },
                "own.apart": {"cases": 3},
                "own.small": {
                    "cases": 3,
                    "edges": {"sum <= 2": {"slack": "0", "rank": 1}},
                    "failing": 1,
                    "first": 2,
                },
                "own.none": {"cases": 0},
            },
        }
    ],
    "not_covered": [
        "every other (n, N)",
        "every claim that is not listed",
        "own.later: later",
        "own.none: no case exists of which it says anything",
    ],
    "verdict": "refuted",
}
SECOND = """
from fractions import Fraction
from itertools import pairwise

from verifier.checker.core.frame import Relation

SIZES = ("n", "N")
STATEMENTS = {f"own.{name}": f"{name}." for name in ("layers", "sum", "apart", "small", "later", "none")}


def constants(instance):
    return {"half": Fraction(1, instance["N"])}


def matrices(instance):
    return [[[1, 1]], ([[0, 1]], 2), [[0, 0]]]


def skipped(claim, instance):
    return "later" if claim == "own.later" and instance["n"] == 2 else None


def selects(claim, case):
    return claim != "own.none"


def own(claim, construction):
    return [construction] if claim == "own.layers" else None


def total(case):
    return sum(case.image[0])


def relations(claim, case):
    if claim == "own.sum":
        return [Relation("sum", total(case), ">=", "0", 0), Relation("sum", total(case), "<", "5", 5)]
    if claim == "own.small":
        return [Relation("sum", total(case), "<=", "2", 2)]
    if claim == "own.layers":
        twice = case.run("double", [[3]])
        return [Relation("layers", (len(case.networks["double"]), twice[0][0]), "=", "1, and 6", (1, 6))]


def collected(claim, case):
    return [total(case)] if claim == "own.apart" else None


def conclusion(claim, values):
    if claim == "own.apart":
        pairs = pairwise(sorted(values))
        return [Relation("distance", b - a, ">", "1", 1, tuple(sorted((i, j)))) for (a, i), (b, j) in pairs]
"""


def judged(document, reading=""):
    paper = of(document)
    return paper.check(certificate(document, paper), Options(reading=str(reading)))


@pytest.fixture
def second(tmp_path):
    """A file with the second reading, changed by words."""

    def written(*changes):
        text = SECOND
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / "second.py").write_text(text)
        return tmp_path / "second.py"

    return written


def test_it_is_accepted_by_itself_and_by_a_second_reading(second):
    alone = judged(DOCUMENT)
    assert (alone.how, alone.shards, alone.share.shards, alone.share.whole) == ("the layers literally", 1, [0], True)
    assert alone.open == open_of(DOCUMENT, by_reading=False)
    both = judged(DOCUMENT, second())
    assert both.how == "each case literally, by the second reading that was given"
    assert both.open == open_of(DOCUMENT, by_reading=True)
    assert (both.shards, both.share.whole) == (1, True)


def test_the_claims_that_the_file_leaves_out_are_named(second):
    document = deepcopy(DOCUMENT)
    del document["claims"][-1]
    said = "; the second reading also has own.layers, of which the file says nothing"
    assert judged(document, second()).open.endswith(said)


def lied(*path_and_value):
    *path, last, value = path_and_value
    document = deepcopy(DOCUMENT)
    at = document
    for key in path:
        at = at[key]
    if value is None:
        del at[last]
    else:
        assert isinstance(at, list) or at.get(last) != value
        at[last] = value
    return document


CASES, CLAIMS, SHARD = ("construction", "cases"), "claims", ("shards", 0)
SEEN = {
    "a weight": (*("construction", "networks", "double", 0, "feed-forward", "b_2"), ["1"]),
    "a weight of another shape": (*("construction", "networks", "double", 0, "feed-forward", "b_2"), ["0", "0"]),
    "no layer": ("construction", "networks", "double", [{}]),
    "no network": (*CASES, 0, "network", "treble"),
    "no row": (*CASES, 0, "X", []),
    "no column": (*CASES, 0, "X", [[]]),
    "rows of two lengths": (*CASES, 0, "X", [["0", "0"], ["0"]]),
    "an image": (*CASES, 2, "image", [["2", "3"]]),
    "a category": (*CASES, 0, "category", "none"),
    "the other category": (*CASES, 0, "category", "many"),
    "no matrices": (*CASES, 0, "matrices", 0),
    "more matrices": (*CASES, 0, "matrices", 2),
    "how many there are": ("coverage", SIZES | {"total": {"matrices": 4, "orbits": 4}}),
    "how many a shard has": (*SHARD, "coverage", SIZES | {"few": {"matrices": 3, "orbits": 2}}),
    "where a shard ends": (*SHARD, "stop", 2),
    "a shard that ends beyond the last case": (*SHARD, "stop", 5),
    "a claim twice": (CLAIMS, 5, DOCUMENT["claims"][4]),
    "a refuted claim that holds": (CLAIMS, 2, "verdict", "holds"),
    "a claim that holds is refuted": (CLAIMS, 0, "verdict", "refuted"),
    "a claim of which a shard has failures": (CLAIMS, 2, claim("small", "holds", 3)),
    "the verdict": ("verdict", "incomplete"),
}


@pytest.mark.parametrize("what", SEEN)
def test_a_lie_that_is_seen_without_a_second_reading(what, second):
    document = lied(*SEEN[what])
    for reading in ("", second()):
        with pytest.raises((Rejected, Unreadable)):
            judged(document, reading)


SEEN_BY_A_READING = {
    "the digest": (*SHARD, "digest", "27"),
    "cases of a claim": (CLAIMS, 0, "cases", 2),
    "a shard's cases": (*SHARD, "claims", "own.sum", "cases", 2),
    "a claim's words": (CLAIMS, 0, "statement", "sums."),
    "no such claim": (CLAIMS, 5, "id", "own.layer"),
    "a constant": ("constants", "half", "1/3"),
    "why it is skipped": (CLAIMS, 3, "why", "never"),
    "what is not covered": ("not_covered", ["every claim that is not listed"]),
    "how many fail": (CLAIMS, 2, "counterexample", "failing", 2),
}


@pytest.mark.parametrize("what", SEEN_BY_A_READING)
def test_a_lie_that_only_a_second_reading_sees(what, second):
    document = lied(*SEEN_BY_A_READING[what])
    judged(document)
    with pytest.raises(Rejected):
        judged(document, second())


def test_failures_of_a_shard_refute_the_claim():
    document = lied(CLAIMS, 2, claim("small", "holds", 3)) | {"verdict": "incomplete"}
    with pytest.raises(Rejected, match=r"claims\[2\].verdict: expected refuted, as a shard has it, found holds"):
        judged(document)


def test_a_space_may_keep_no_digest(second):
    assert judged(lied(*SHARD, "digest", "0"), second()).share.whole


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('("n", "N")', '("n",)'),
        ("Fraction(1, instance", "Fraction(2, instance"),
        ("[[1, 1]], (", "[[1, 2]], ("),
        ("2), [[0, 0]]]", "2)]"),
        ("2), [[0, 0]]]", "2), [[0, 0]], [[0, 0]]]"),
        ("([[0, 1]], 2)", "[[0, 1]]"),
        ("([[0, 1]], 2)", "([[0, 1]], 3)"),
        ('claim == "own.later" and', "False and"),
        ('claim != "own.none"', 'claim not in ("own.none", "own.sum")'),
        ("[construction] if", "[construction] * 2 if"),
        ("[construction] if", "[] if"),
        ('">=", "0", 0)', '">=", "0", -1)'),
        ('"<=", "2", 2)', '"<=", "2", 4)'),
        ("[[3]]", "[[4]]"),
        ("[total(case)] if", "[total(case), 9] if"),
        ('">", "1", 1, tuple', '">", "1", 0, tuple'),
    ],
)
def test_another_second_reading_rejects(old, new, second):
    with pytest.raises(Rejected):
        judged(DOCUMENT, second((old, new)))


def test_sizes_and_claims_that_the_reading_has_not_are_called_that(second):
    for change, said in (
        (('("n", "N")', '("n",)'), 'FORMAT own, 4, sizes: instance\\[0\\]: expected "n", found "N"'),
        (
            ('"later", "none")', '"later")'),
            "FORMAT own, 4, statements: .* expected one of the second reading's, found own.n",
        ),
        (('f"{name}."', 'f"{name}!"'), "FORMAT own, 4, statements: .* expected 'sum!', found sum."),
    ):
        with pytest.raises(Rejected, match=said):
            judged(DOCUMENT, second(change))


def test_what_a_reading_may_leave_out(second):
    """Without `own`, `selects`, ... a file of claims that need none of them is as good."""
    text = SECOND
    for name in ("constants", "skipped", "selects", "own", "collected", "conclusion"):
        text = text.replace(f"def {name}(", f"def no_{name}(")
    document = deepcopy(DOCUMENT)
    document["claims"] = [one for one in document["claims"] if one["id"] in ("own.sum", "own.small")]
    document["shards"][0]["claims"] = {
        k: v for k, v in document["shards"][0]["claims"].items() if k in ("own.sum", "own.small")
    }
    document |= {"constants": {}, "not_covered": document["not_covered"][:2]}
    path = second()
    path.write_text(text)
    assert judged(document, path).share.whole
    assert judged(document).share.whole


# The layers, as the producer has them.


def random_matrix(draw, rows, columns):
    return [[F(draw.randint(-4, 4), draw.randint(1, 3)) for _ in range(columns)] for _ in range(rows)]


def in_text(rows):
    return [[str(x) for x in row] for row in rows]


def exactly(rows):
    return [[Q(x.numerator, x.denominator) for x in row] for row in rows]


@pytest.mark.parametrize("seed", range(12))
def test_layers_run_as_the_producers_do(seed):
    """Two rows, three columns; two heads of sizes 1 and 2, of which one has no keys: all scores are equal."""
    draw = random.Random(seed)  # noqa: S311
    X = random_matrix(draw, 2, 3)
    heads = [
        {"W_O": random_matrix(draw, 2, m), **{name: random_matrix(draw, m, 2) for name in ("W_V", "W_K", "W_Q")}}
        for m in (1, 2)
    ]
    heads[0]["W_K"] = [[F(0), F(0)]]
    biases = [[row[0] for row in random_matrix(draw, m, 1)] for m in (1, 2)]
    said = [
        {name: in_text(rows) for name, rows in head.items()} | {"b_Q": list(map(str, b))}
        for head, b in zip(heads, biases, strict=True)
    ]
    attention = Attention(
        [
            Head(**{name: exactly(rows) for name, rows in head.items()}, b_Q=exactly([b])[0])
            for head, b in zip(heads, biases, strict=True)
        ]
    )
    W_1, W_2, b = random_matrix(draw, 3, 2), random_matrix(draw, 2, 3), random_matrix(draw, 1, 5)[0]
    pieces = random_matrix(draw, 3, 2)
    tokens = FeedForward(
        exactly(W_1),
        exactly([b[:3]])[0],
        exactly(W_2),
        exactly([b[3:]])[0],
        PiecewiseLinear([Q(0), Q(1)], [tuple(piece) for piece in exactly(pieces)], frozenset([Q(1)])),
    )
    of_tokens = {"W_1": in_text(W_1), "b_1": list(map(str, b[:3])), "W_2": in_text(W_2), "b_2": list(map(str, b[3:]))}
    of_tokens |= {"breaks": ["0", "1"], "pieces": in_text(pieces), "left_owned": ["1"]}
    there = layers.run([{"attention": said}, {"feed-forward": of_tokens}], X)
    here = tokens.apply(attention.apply(tuple(map(tuple, exactly(X)))))
    assert there == [[F(int(x.numerator), int(x.denominator)) for x in row] for row in here]


def test_a_break_belongs_to_the_right_unless_the_left_owns_it():
    step = DOUBLE | {"breaks": ["0", "1"], "pieces": [["0", "5"], ["0", "7"], ["0", "9"]], "left_owned": ["1"]}
    assert layers.feed_forward(step, [[F(-1), F(0), F(1), F(2)]]) == [[F(4), F(7), F(8), F(11)]]


def test_how_many_columns_are_run_is_bounded():
    """Three cases of two columns through one layer."""
    carried = DOCUMENT["construction"]
    assert images(carried, 6) == [[[0, 0]], [[0, 2]], [[2, 2]]]
    with pytest.raises(OverLimit, match="6 columns to run through layers, more than 5"):
        images(carried, 5)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"networks": {"double": [{}]}}, Unreadable, "a layer is attention, or feed-forward"),
        ({"networks": {"double": [DOUBLED, DOUBLED | {"attention": []}]}}, Unreadable, "a layer is attention"),
        ({"networks": {}}, Unreadable, r"cases\[0\].network: there is no such network"),
        ({"cases": [case("few", 1, [], [])]}, Unreadable, "X: a matrix has rows of one length"),
        ({"cases": [case("few", 1, [[]], [[]])]}, Unreadable, "X: a matrix has rows of one length"),
        ({"cases": [case("few", 1, [["1"], ["1", "2"]], [])]}, Unreadable, "X: a matrix has rows of one length"),
        ({"cases": [case("few", 1, [["1"], ["1"]], [["2"], ["2"]])]}, Rejected, "weights of fitting shapes"),
        ({"cases": [case("few", 1, [["1"]], [["3"]])]}, Rejected, r'image\[0\]\[0\]: expected "2", found "3"'),
    ],
)  # fmt: skip
def test_cases_that_can_not_be_run(change, error, said):
    with pytest.raises(error, match=said):
        images(DOCUMENT["construction"] | change, 100)


# What is said without a second reading agrees with itself.


def test_matrices_and_cases_are_counted_by_category():
    cases = DOCUMENT["construction"]["cases"]
    assert sizes_of(cases, ["few", "many", "no"]) == {"few": (2, 2), "many": (2, 1), "no": (0, 0), "total": (4, 3)}
    for wrong in (cases[0] | {"category": "no"}, cases[0] | {"matrices": 0}, cases[0] | {"category": "total"}):
        with pytest.raises(Rejected, match=r"cases\[1\]: expected a category of the coverage"):
            sizes_of([cases[0], wrong], ["few"])


@pytest.mark.parametrize(
    ("relation", "value", "bound", "holds"),
    [
        ("a = b <= c >= d", "1/2", "1", False),  # the last sign counts
        ("a > b = c", "1/2", "1/2", True),
        ("a = b", ["1", ["2"]], ["1", ["2"]], True),
        ("a = b", ["1", ["2"]], ["1", ["3"]], False),
        ("a < b", "1", "2", True),
    ],
)
def test_a_relation_is_read(relation, value, bound, holds):
    read = relation_of({"relation": relation, "value": value, "bound": bound}, "here")
    assert f"{read.name} {read.op} {read.bound_name}" == relation
    assert read.op not in read.bound_name
    assert read.holds is holds


@pytest.mark.parametrize(
    "evidence",
    [
        {"relation": "nothing", "value": "1", "bound": "2"},
        {"relation": "a < b", "value": ["1"], "bound": "2"},
        {"relation": "a < b", "value": "1", "bound": ["2"]},
        {"relation": "a >= b", "value": ["1"], "bound": ["2"]},
    ],
)
def test_a_relation_that_says_nothing(evidence):
    with pytest.raises(Rejected, match="here"):
        relation_of(evidence, "here")


def consistent(claim, *, over_space=True):
    checking._claim(claim, DOCUMENT["construction"]["cases"], "claims[0]", over_space=over_space)


HOLDS, REFUTED, SKIPPED = (DOCUMENT["claims"][k] for k in (0, 2, 3))
EQUAL = {"relation": "sum = 0", "value": "0", "bound": "0", "matrix": NOUGHT, "slack": "0"}
APART_2 = {"relation": "sum < 5", "value": "4", "bound": "5", "matrix": [["9"]], "slack": "1"}


def with_edges(*edges, tightest=AT_0):
    return HOLDS | {"edges": list(edges), "tightest": tightest}


@pytest.mark.parametrize(
    "wrong",
    [
        HOLDS | {"counterexample": FAILS},
        HOLDS | {"verdict": "refuted"},
        {k: v for k, v in REFUTED.items() if k != "counterexample"},
        REFUTED | {"edges": [AT_0], "tightest": AT_0},
        REFUTED | {"verdict": "holds"},
        REFUTED | {"counterexample": FAILS | {"value": "2"}},  # it holds
        REFUTED | {"counterexample": FAILS | {"failing": 0}},
        REFUTED | {"counterexample": FAILS | {"matrix": [["7", "7"]]}},
        SKIPPED | {"cases": 1},
        {k: v for k, v in SKIPPED.items() if k != "why"},
        SKIPPED | {"edges": [AT_0], "tightest": AT_0},
        SKIPPED | {"verdict": "vacuous", "cases": 1},
        with_edges(EQUAL, tightest=EQUAL),
        with_edges(AT_0 | {"value": "-1", "slack": "-1"}),
        with_edges(AT_0 | {"slack": "1"}),
        with_edges(AT_0, AT_2, tightest=AT_2),
        with_edges(AT_0, APART_2),
        with_edges(AT_0, AT_2 | {"other": [["9", "9"]]}),
        {k: v for k, v in HOLDS.items() if k != "tightest"},
    ],
)
def test_a_claim_that_contradicts_itself(wrong):
    with pytest.raises(Rejected):
        consistent(wrong)


@pytest.mark.parametrize(
    "right",
    [
        *DOCUMENT["claims"],
        REFUTED | {"counterexample": FAILS | {"failing": 2}},
        REFUTED | {"counterexample": {k: v for k, v in FAILS.items() if k != "matrix"}},
        with_edges({k: v for k, v in AT_0.items() if k != "matrix"}, AT_2, tightest=AT_2),  # with a matrix
        with_edges(AT_2, AT_0),
        SKIPPED | {"verdict": "vacuous"},
        HOLDS | {"why": "its conclusion compares nothing"},
    ],
)
def test_a_claim_that_does_not(right):
    consistent(right)


def test_a_claim_with_cases_of_its_own_shows_what_it_likes():
    consistent(with_edges(AT_0 | {"matrix": [["9"]]}, tightest=AT_0 | {"matrix": [["9"]]}), over_space=False)
    document = deepcopy(DOCUMENT)
    edge = AT_0 | {"matrix": [["9"]]}
    document["claims"][5] |= {"edges": [edge], "tightest": edge}
    assert judged(document).share.whole
    document["shards"][0]["claims"]["own.layers"] = {"cases": 1}
    with pytest.raises(Rejected, match=r"claims\[5\].matrix: expected the matrix of a case"):
        judged(document)


def of_own_cases(verdict="holds"):
    """A certificate whose claims all have cases of their own: nothing is in a shard."""
    edge = AT_0 | {"matrix": [["9"]]}
    claims = [
        claim(
            "layers",
            verdict,
            1 if verdict == "holds" else 0,
            **({"edges": [edge], "tightest": edge} if verdict == "holds" else {"why": "-"}),
        )
    ]
    return DOCUMENT | {
        "claims": claims,
        "shards": [],
        "coverage": {},
        "verdict": "holds" if verdict == "holds" else "incomplete",
        "not_covered": DOCUMENT["not_covered"][:2],
    }


@pytest.mark.parametrize("verdict", ["holds", "skipped", "vacuous"])
def test_without_shards_there_are_no_cases(verdict):
    outcome = judged(of_own_cases(verdict))
    assert (outcome.shards, outcome.share.shards, outcome.share.whole) == (0, [], True)
    for other in {"holds", "incomplete", "refuted"} - {of_own_cases(verdict)["verdict"]}:
        with pytest.raises(Rejected, match="verdict"):
            judged(of_own_cases(verdict) | {"verdict": other})


def in_two(document):
    """The same in two shards, of one case and of two."""
    (shard,) = document["shards"]
    nothing = {name: {"matrices": 0, "orbits": 0} for name in ("few", "many", "total")}
    first = {"few": {"matrices": 1, "orbits": 1}, "total": {"matrices": 1, "orbits": 1}}
    rest = sizes({"matrices": 1, "orbits": 1}, {"matrices": 2, "orbits": 1}, {"matrices": 3, "orbits": 2})
    return document | {
        "shards": [
            shard | {"stop": 1, "coverage": nothing | first, "claims": {"own.sum": {"cases": 1}}},
            shard | {"start": 1, "coverage": rest},
        ]
    }


def test_each_shard_has_its_own_cases(monkeypatch):
    monkeypatch.setattr(checking, "plan", lambda T: [(0, 1), (1, T)])
    document = in_two(DOCUMENT)
    assert judged(document).share.shards == [0, 1]
    for k in (0, 1):
        other = deepcopy(document)
        other["shards"][k]["coverage"]["few"] = {"matrices": 2, "orbits": 2}
        with pytest.raises(Rejected, match=rf"shards\[{k}\].coverage"):
            judged(other)
    other = deepcopy(document)
    other["claims"][0]["edges"][0]["matrix"] = [["9", "9"]]
    other["shards"][1]["claims"].pop("own.sum")  # one shard has it still
    with pytest.raises(Rejected, match="the matrix of a case"):
        judged(other)


# A second reading, piece by piece.


def module(**changes):
    found = {}
    exec(SECOND, found)  # noqa: S102
    return SimpleNamespace(**found | changes)


def read(document=DOCUMENT, **changes):
    return Reading(
        module(**changes),
        document,
        [[[F(x) for x in row] for row in c["image"]] for c in document["construction"]["cases"]],
    )


def test_the_model_that_a_reading_makes():
    model = read()
    assert not model.silence_counts
    assert (model.pairs, model.checked_too) == ({"own.apart"}, {"own.sum", "own.small", "own.layers"})
    assert model.sizes == {"few": (2, 2), "many": (2, 1), "total": (4, 3)}
    cases = [model.case(rank) for rank in range(3)]
    assert [(c.number, c.X, c.image, c.stands_for, c.category) for c in cases] == [
        (0, [[0, 0]], [[0, 0]], 1, "few"),
        (1, [[0, 1]], [[0, 2]], 2, "many"),
        (2, [[1, 1]], [[2, 2]], 1, "few"),
    ]
    assert [model.category(c) for c in cases] == ["few", "many", "few"]
    assert [model.stands_for(c) for c in cases] == [1, 2, 1]
    assert [model.digest(c) for c in cases] == [0, 2 * (2 * 2), 3 * (2 + 2 * 2)]
    assert [model.shown(c) for c in cases] == [([[0, 0]],), ([[0, 1]],), ([[1, 1]],)]
    assert model.shown(object()) == ()
    assert model.statement(over_space=True) == DOCUMENT["statement"]
    assert model.constants() == {"half": F(1, 2)}
    assert [model.skipped(f"own.{name}") for name in ("later", "sum")] == ["later", ""]
    (construction,) = model.own("own.layers")
    assert model.own("own.layers")[0] is construction  # asked for once
    assert model.own("own.sum") is None
    assert construction.run("double", [[3, F(1, 2)]]) == [[6, 1]]
    assert model.shown(construction) == ()
    assert [model.selects(f"own.{name}", cases[0]) for name in ("none", "sum")] == [False, True]
    assert [r.value for r in model.relations("own.sum", cases[2])] == [4, 4]
    assert list(model.relations("own.apart", cases[2])) == []
    assert (model.collected("own.apart", cases[2]), model.collected("own.sum", cases[2])) == ((4,), ())
    (first, last) = model.conclusion("own.apart", [(0, 0), (2, 1), (4, 2)], {})
    assert (first.value, first.key, last.key) == (2, (0, 1), (1, 2))
    assert model.conclusion("own.apart", [(0, 0)], {}) == ()  # there is one, and it compares nothing
    assert model.conclusion("own.sum", [], {}) is None


def test_a_digest_is_kept_where_one_shard_has_one():
    shards = [DOCUMENT["shards"][0] | {"digest": digest} for digest in ("0", "8")]
    for those, digest in ((shards, 8), (shards[:1], 0)):
        model = read(DOCUMENT | {"shards": those})
        assert model.digest(model.case(1)) == digest


def test_a_category_that_the_coverage_has_not_is_counted_all_the_same():
    coverage = {"few": SIZES["few"], "none": {"matrices": 0, "orbits": 0}, "total": SIZES["total"]}
    found = read(DOCUMENT | {"coverage": coverage}).sizes
    assert found == {"few": (2, 2), "many": (2, 1), "none": (0, 0), "total": (4, 3)}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([True], "True, which is no Relation"),
        ([("a", 1, "<", "b", 2, None)], "which is no Relation"),
        ([Relation("a", 1, "!=", "b", 2)], "which is no Relation with one of"),
        ([Relation("a", 1, "<", "b", 2, [0])], "no tuple of the cases' numbers"),
        ([Relation("a", 1, "<", "b", 2, (0, "1"))], "no tuple of the cases' numbers"),
        ([Relation("a", 1, "<", "b", 2, (True,))], "no tuple of the cases' numbers"),
        ([Relation("a", 1, "<", "b", 2), Relation("a", 1, "<", "b", 0.5)], "compares 0.5"),
        ([Relation("a", 0.5, "=", "b", 1)], "compares 0.5"),
        ([Relation("a", (1,), "<", "b", (2,))], r"compares \(1,\)"),
        ([Relation("a", (1, (0.5,)), "=", "b", (1, (1,)))], r"compares \(1, \(0.5,\)\)"),
        ([Relation("a", [1], "=", "b", (1,))], r"compares \[1\]"),
        ([Relation("a", True, "=", "b", 1)], "compares True"),
    ],
)
def test_what_is_no_relation(made, said):
    with pytest.raises(Unreadable, match=f"--reading: relations\\('own.sum', ...\\).*{said}"):
        weighable("relations", "own.sum", made)


def test_what_is_one():
    made = [
        *(Relation("a", 1, op, "b", F(1, 2)) for op in ("=", "<", "<=", ">", ">=")),
        Relation("a", (1, (F(1, 2),)), "=", "b", ()),
        Relation("a", 1, ">", "b", 0, (3, 5)),
    ]
    assert weighable("relations", "own.sum", iter(made)) == tuple(made)
    assert weighable("relations", "own.sum", None) == ()
    assert [exact(x, deep=deep) for x in (1, F(1, 2), (1,), 0.5) for deep in (True, False)] == [
        *(True, True, True, True),
        *(True, False, False, False),
    ]


@pytest.mark.parametrize(
    ("made", "stated", "said"),
    [
        ([[[0, 1]], [[1, 1]]], [(APART, 1), (SAME, 1)], ""),
        ([([[F(0), 1]], 2), ([[1, 1]], 1)], [(SAME, 1), (APART, 2)], ""),
        ([[[0], [1]]], [([["0"], ["1"]], 1)], ""),  # two rows, and no number of matrices
        ([[[0, 1]], [[0, 1]]], [(APART, 1), (APART, 1)], ""),
        ([[[0, 1]]], [(SAME, 1)], r"cases\[0\]: expected a matrix that the second reading has too"),
        ([[[0, 1]]], [(APART, 1), (APART, 1)], r"cases\[1\]: expected a matrix that the second reading has too"),
        ([([[0, 1]], 3)], [(APART, 2)], r"cases\[0\]: expected the matrix to stand for 3, found .* for 2"),
        ([([[0, 1]], 3), ([[1, 1]], 2)], [(APART, 2)], "expected the matrix to stand for 3, found"),
        ([[[0, 1]], [[1, 1]]], [(APART, 1)], r'expected a case with the matrix \[\["1", "1"\]\], found none'),
        ([[[0, 1]], [[0, 1]]], [(APART, 1)], "expected a case with the matrix"),
    ],
)
def test_the_cases_are_the_readings(made, stated, said):
    cases = [{"X": X, "matrices": count} for X, count in stated]
    with pytest.raises(Rejected, match=said) if said else nullcontext():
        refuse_other_cases(made, cases)


def test_a_file_that_is_no_reading(tmp_path):
    (tmp_path / "second.txt").write_text(SECOND)
    with pytest.raises(Unreadable, match="not a Python file"):
        loaded(str(tmp_path / "second.txt"))
    (tmp_path / "second.py").write_text("SIZES = ()\ndef relations(claim, case): ...\n")
    with pytest.raises(Unreadable, match=r"it has no STATEMENTS, matrices \(FORMAT own, 4\)"):
        loaded(str(tmp_path / "second.py"))


def test_loading_it_leaves_nothing_behind(second):
    kept = sys.dont_write_bytecode
    path = second()
    assert loaded(str(path)).SIZES == ("n", "N")
    assert sys.dont_write_bytecode is kept
    assert [one.name for one in path.parent.iterdir()] == ["second.py"]


def test_an_error_in_it_is_told_with_its_line(second):
    path = second(("SIZES = ", "1 / 0\nSIZES = "))
    with (
        pytest.raises(Unreadable, match=r"second.py, line 7: ZeroDivisionError: 'division by zero'"),
        errors_of(str(path)),
    ):
        loaded(str(path))
    with pytest.raises(Unreadable, match=r"second.py: KeyError: .*a"), errors_of(str(path)):
        {}["a"]
    with pytest.raises(Rejected), errors_of(str(path)):
        raise Rejected("a", "b", "c", "d")


# Its words.


def test_the_words_are_the_certificates_own():
    paper = of(DOCUMENT)
    assert (paper.sizes, paper.constants, paper.categories) == (("N", "n"), ("half",), ("few", "many"))
    assert dict(paper.statements) == {c["id"]: c["statement"] for c in DOCUMENT["claims"]}
    assert (paper.name, paper.version, paper.several) == ("own", 1, "cases")
    with pytest.raises(Unreadable):
        PAPER.check(DOCUMENT, Options())


@pytest.mark.parametrize("member", ["instance", "constants", "coverage"])
def test_what_names_are_made_of_is_there(member):
    for wrong in ([], None, "n"):
        with pytest.raises(Unreadable, match=f"{member}: an object is wanted"):
            of(DOCUMENT | {member: wrong})
    assert of(DOCUMENT | {member: {}}).sizes == (() if member == "instance" else ("N", "n"))


@pytest.mark.parametrize("claims", [None, {}, "x", [1], [{}], [{"id": 1}], [{"statement": "s"}], [["id"]]])
def test_what_is_no_claim_has_no_statement(claims):
    assert dict(of(DOCUMENT | {"claims": claims}).statements) == {}


@pytest.mark.parametrize("member", ["left_owned", "W_1", "breaks"])
def test_every_member_of_a_layer_is_wanted(member):
    document = deepcopy(DOCUMENT)
    del document["construction"]["networks"]["double"][0]["feed-forward"][member]
    with pytest.raises(Unreadable, match=member):
        certificate(document, of(document))


def test_a_network_of_another_kind_is_read_and_its_images_are_others():
    head = {name: [["1"]] for name in ("W_O", "W_V", "W_K", "W_Q")} | {"b_Q": ["0"]}
    document = lied("construction", "networks", "double", [{"attention": [head]}])
    with pytest.raises(Rejected, match="image"):
        judged(document)
