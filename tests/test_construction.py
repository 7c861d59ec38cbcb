"""What a construction of one's own is made of: its space, its cases, its words, and the paper that it belongs to."""

from itertools import combinations_with_replacement, product

import pytest

from verifier.core.case import NetworkCase
from verifier.core.construction import Construction
from verifier.core.exact import NotExact, Q
from verifier.core.layers import Attention, Head
from verifier.core.network import Network
from verifier.core.notebook import table_html
from verifier.core.paper import Paper, loaded
from verifier.core.space import Multisets, Sizes, Space, Tuples
from verifier.core.spaces import ColumnOrbits, ColumnTuples, columns

TWICE = Network([Attention([Head([[1]], [[1]], [[1]], [[1]], [0])])])  # X + its largest entry, or its smallest below 0


class Own(Construction):
    sizes = {"n": 2, "N": 3}  # noqa: RUF012

    def __init__(self, **networks):
        self.its = networks

    networks = property(lambda self: self.its)
    space = property(lambda self: ColumnOrbits(self, [[0], [1], [5]], 2))

    def claims(self):
        return ["first", "second"]


class Bare(Own):
    networks = Construction.networks
    space = property(lambda _: ChosenInOrder([2]))


# Spaces


class Squares(Space):
    one, several, categories = "square", "squares", ("small", "large")
    size = 10

    def unrank(self, place):
        return place**2

    def rank(self, point):
        return int(point**0.5)

    def case(self, number, point):
        return NetworkCase(None, number, ((Q(point),),), Network())


def test_a_space_counts_by_its_ranks():
    space = Squares()
    assert [*space.points()] == [k**2 for k in range(10)]
    assert [*space.points(3, 5)] == [9, 16]
    assert [*space.points(8, 99)] == [64, 81]
    assert space.at(7).X == ((49,),)
    assert space.shown(7) == (((49,),),)
    assert (space.category(space.at(7)), space.called("small"), space.stands_for(49)) == ("small", "small", 1)
    assert space.closed_form() == {"small": Sizes(10, 10), "total": Sizes(10, 10)}
    assert (space.digest(space.at(7)), space.together(range(2), [0, 1])) == (0, None)


class Chosen(Multisets):
    case = None


class ChosenInOrder(Tuples):
    case = None


def test_multisets_stand_for_their_orders():
    space = Chosen(4, 3)
    points = [*combinations_with_replacement(range(4), 3)]
    assert [*space.points()] == points
    assert [*space.points(5, 8)] == points[5:8]
    assert ([space.unrank(k) for k in range(20)], [space.rank(point) for point in points]) == (points, [*range(20)])
    assert space.size == 20
    assert sum(map(space.stands_for, points)) == 4**3
    assert space.closed_form() == {"all": Sizes(64, 20), "total": Sizes(64, 20)}


def test_tuples_count_with_the_last_place_first():
    space = ChosenInOrder(iter([2, 3, 4]))
    points = [*product(range(2), range(3), range(4))]
    assert space.size == 24
    assert [space.unrank(k) for k in range(24)] == points
    assert [space.rank(point) for point in points] == [*range(24)]
    for place in (-1, 24):
        with pytest.raises(ValueError, match=rf"rank {place} is outside 0\.\.23"):
            space.unrank(place)


def test_columns_are_exact_of_one_length_and_each_once():
    assert columns([[0, Q(1, 2)], (1, 2)]) == ((0, Q(1, 2)), (1, 2))
    assert columns([[0]]) == ((0,),)
    for wrong in ([], [[]], [[], [1]], [[1], []], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="columns, all of one length"):
            columns(wrong)
    with pytest.raises(ValueError, match="given twice"):
        columns([[1], [2], [Q(2)]])


def test_columns_in_any_order_run_through_the_only_network():
    space = ColumnOrbits(Own(twice=TWICE), [[0], [1], [5]], 2)
    assert [space.at(k).X for k in range(space.size)] == [
        ((a, b),) for a, b in combinations_with_replacement([0, 1, 5], 2)
    ]
    assert [space.at(k).stands_for for k in range(space.size)] == [1, 2, 2, 1, 2, 1]
    case = space.at(4)
    assert (case.number, case.X, case.image, len(case.steps)) == (4, ((1, 5),), ((6, 10),), 1)
    assert space.digest(case) == 5 * (1 * 6 + 2 * 10)
    assert space.digest(space.at(0)) == 0
    assert space.digest(space.at(1)) == 2 * (1 * 0.5 + 2 * 2)


def test_columns_by_place_run_through_a_network_of_the_construction():
    space = ColumnTuples(Own(none=Network(), twice=TWICE), [[[1], [2]], [[3]], [[1], [5]]], TWICE)
    assert [space.at(k).X for k in range(4)] == [((1, 3, 1),), ((1, 3, 5),), ((2, 3, 1),), ((2, 3, 5),)]
    case = space.at(3)
    assert (case.number, case.image, case.stands_for) == (3, ((7, 8, 10),), 1)
    assert space.digest(case) == 4 * (7 + 2 * 8 + 3 * 10)
    assert ColumnOrbits(Own(a=Network(), b=TWICE), [[1]], 2, TWICE).at(0).image == ((2, 2),)
    assert ColumnTuples(Own(twice=TWICE), [[[1], [2]]]).at(1).image == ((4,),)
    for networks in ({}, {"a": TWICE, "b": TWICE}):
        for make in (lambda g: ColumnOrbits(g, [[1]], 2), lambda g: ColumnTuples(g, [[[1]]])):
            with pytest.raises(ValueError, match=f"has {len(networks)} networks; say which one"):
                make(Own(**networks))


def test_a_case_of_no_layer_is_its_own_image():
    case = NetworkCase(None, 0, ((Q(1), Q(2)),), Network())
    assert (case.image, case.steps, case.shown, case.stands_for) == (((1, 2),), (), (((1, 2),),), 1)
    three = NetworkCase(None, 0, ((Q(1), Q(2)),), TWICE + TWICE + TWICE)
    assert three.image == TWICE.run(TWICE.run(TWICE.run([[1, 2]])))


# Words


def test_what_a_construction_says_unless_it_says_otherwise():
    g = Bare()
    assert g.default_claims() == ["first", "second"]
    assert (g.networks, g.constants, g.exchangeable(), g.variant()) == ({}, {}, {}, {})
    assert (g.columns_a_case, g.knows(None), g.kernel([])) == (0, False, "it has none")
    assert (g.differences(str), g.trace(None)) == ((), ())
    with pytest.raises(TypeError, match=r"trace takes a case of Bare\.space, not a matrix X"):
        g.trace([[0, 1]])
    assert str(g) == "(n, N) = (2, 3)"
    assert g.statement(over_space=False).startswith("At n = 2, N = 3, a construction was looked at; each claim")
    assert "was run in exact numbers on all of its cases" in g.statement(over_space=True)
    assert [*g.heading(str)] == [("instance", "a construction, (n, N) = (2, 3)")]


def test_networks_and_constants_are_part_of_what_it_is():
    g = Own(one=TWICE, two=TWICE + TWICE)
    assert g.columns_a_case == 3
    assert g.code == ("Own", {"n": 2, "N": 3}, {"one": TWICE, "two": TWICE + TWICE}, {})
    assert [*g.heading(str)][1:] == [
        ("one", "1 layers, h = 1, m = 1, 5 parameters"),
        ("two", "2 layers, h = 1, m = 1, 10 parameters"),
    ]


def test_a_table_is_a_screen_of_its_rows():
    def table(rows, count=None):
        return table_html("a < b", ["name"], [[str(k)] for k in range(rows)], count)

    assert table(40).startswith("<div><p>a &lt; b</p><table><thead><tr><th style=")
    for rows, count, shown, more in (
        (3, None, 3, ""),
        (40, None, 40, ""),
        (41, None, 40, "and 1 row more"),
        (40, 1040, 40, "and 1,000 rows more"),
    ):
        html = table(rows, count)
        assert html.count("<td") == shown
        assert html.rpartition("</table>")[2] == (f"<p>{more}</p></div>" if more else "</div>")
    html = table_html("", [], [["refuted", "fails", "holds"]])
    assert [cell.partition('"')[0] for cell in html.split("padding: .2em .8em .2em 0")[1:]] == [
        "; color: #b3261e; font-weight: bold",
        "; color: #8a5a00",
        "",
    ]


# Papers


class Numbers:
    def __init__(self, **numbers):
        self.numbers = numbers

    def exchangeable(self):
        return {"a": Q(1), "b": Q(2)} if self.numbers["d"] == 1 else {}


PAPER = Paper("paper2000", "", "", (), construct=f"{__name__}:Numbers")


def test_an_instance_of_a_paper_has_its_least_sizes():
    assert PAPER.sizes(1, 2, 2) == {"d": 1, "n": 2, "N": 2}
    assert PAPER.version == 1
    for wrong, why in (
        ((0, 2, 2), "d = 0 is too small; d must be at least 1"),
        ((1, 1, 2), "n = 1"),
        ((1, 2, 1), "N = 1"),
    ):
        with pytest.raises(NotExact, match=why):
            PAPER.sizes(*wrong)
    for wrong in (True, 2.0, None):
        with pytest.raises(NotExact, match=f"n = {wrong} is a {type(wrong).__name__}; it must be a whole number"):
            PAPER.sizes(1, wrong, 2)


def test_what_a_paper_names_is_loaded_when_it_is_used():
    assert loaded("math:factorial")(4) == 24
    assert PAPER.construction(d=1, n=2).numbers == {"d": 1, "n": 2}


def test_a_variant_has_other_numbers_than_the_paper():
    sizes = {"d": 1, "n": 2, "N": 2}
    assert PAPER.variant(sizes, []) == {}
    assert list(PAPER.variant(sizes, ["b=-1/3", "a=2"]).items()) == [("a", 2), ("b", Q(-1, 3))]
    assert PAPER.variant(sizes, ["b=1"]) == {"b": 1}
    assert PAPER.variant(sizes, ["b=2/4"]) == PAPER.variant(sizes, ["b=0.5"]) == {"b": Q(1, 2)}
    for words, why in (
        (["c=1"], "is no variant; one is NAME=VALUE, with NAME one of a, b"),
        (["a=2", "a=3"], "a is given twice"),
        (["a=two"], "a: 'two' is not a rational such as 3, -5, 3/4 or 0.75"),
        (["b=2"], "is the paper's own number"),
    ):
        with pytest.raises(NotExact, match=why):
            PAPER.variant(sizes, words)
    with pytest.raises(NotExact, match="the construction of paper2000 has no variants"):
        PAPER.variant(sizes | {"d": 2}, ["a=2"])
