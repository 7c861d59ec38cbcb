"""Networks in whole numbers (verifier/core/whole) against an oracle in Fractions, written from the formulas alone."""

import ctypes
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from gmpy2 import mpq
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.certificate import content
from verifier.core.exact import Q
from verifier.core.layers import Attention, FeedForward, Head, PiecewiseLinear
from verifier.core.network import BadLayer, Network
from verifier.core.whole import compiled, many, plan, run
from verifier.core.whole.plain import run_plainly
from verifier.papers.yun2020 import distance_zero, value_map
from verifier.papers.yun2020.alternatives import AverageAttention
from verifier.papers.yun2020.contextual_map import at
from verifier.run.verify import verify


class NoLibrary:
    """Whether there is none, looked for when a test begins."""

    def __bool__(self):
        return compiled.library() is None


needs_c = pytest.mark.skipif(NoLibrary(), reason="needs the C library (make, or python hatch_build.py)")
WAYS = [pytest.param(True, marks=needs_c, id="C"), pytest.param(False, id="Python")]


# The oracle: matrices are lists of rows of Fractions.


def F(value):
    return Fraction(int(value.numerator), int(value.denominator))


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def attention(layer, X):
    d, n = len(X), len(X[0])
    column = [[X[i][j] for i in range(d)] for j in range(n)]
    after = [row[:] for row in X]
    read = []
    for head in layer.heads:
        K, Q_, V = ([[dot(map(F, row), c) for row in W] for c in column] for W in (head.W_K, head.W_Q, head.W_V))
        value = []
        for j in range(n):
            query = [a + F(b) for a, b in zip(Q_[j], head.b_Q, strict=True)]
            scores = [dot(key, query) for key in K]
            top = [k for k in range(n) if scores[k] == max(scores)]
            value.append([sum((V[k][r] for k in top), Fraction(0)) / len(top) for r in range(len(query))])
            for i in range(d):
                after[i][j] += dot(map(F, head.W_O[i]), value[j])
        read.append(value)
    return after, read


def phi(f, t):
    place = 0
    for c in f.breaks:
        if t > F(c) or (t == F(c) and c not in f.left_owned):
            place += 1
    slope, intercept = f.pieces[place]
    return F(slope) * t + F(intercept)


def token_wise(layer, X):
    after = [row[:] for row in X]
    for j in range(len(X[0])):
        z = [row[j] for row in X]
        hidden = [phi(layer.phi, dot(map(F, row), z) + F(b)) for row, b in zip(layer.W_1, layer.b_1, strict=True)]
        for i, row in enumerate(layer.W_2):
            after[i][j] += dot(map(F, row), hidden) + F(layer.b_2[i])
    return after


def oracle(network, X):
    """The matrix behind each layer, and what its heads read."""
    X = [[F(x) for x in row] for row in X]
    for layer in network.layers:
        X, read = attention(layer, X) if isinstance(layer, Attention) else (token_wise(layer, X), [])
        yield X, read


def fractions(X):
    return [[F(x) for x in row] for row in X]


# Random networks. Few different numbers, so that scores tie and tokens meet breaks.

small = st.sampled_from([Q(k) for k in range(-2, 3)] + [Q(1, 2), Q(-1, 3), Q(5, 4)])
huge = st.builds(lambda k, e, r: Q(k * (2**e + r)), st.sampled_from([1, -1]), st.integers(20, 140), st.integers(-1, 1))
number = st.one_of(small, small, huge)


def tables(rows, columns, entry=number):
    return st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def heads(draw, d):
    m = draw(st.integers(1, 2))
    W_O, b_Q = draw(tables(d, m)), draw(st.lists(number, min_size=m, max_size=m))
    return Head(W_O, *(draw(tables(m, d, small)) for _ in "VKQ"), b_Q)


@st.composite
def activations(draw):
    breaks = sorted(draw(st.sets(st.one_of(small, huge), max_size=3)))
    left = [c for c in breaks if draw(st.booleans())]
    pieces = [(draw(small), draw(number)) if draw(st.booleans()) else (0, 0) for _ in range(len(breaks) + 1)]
    return PiecewiseLinear(breaks, pieces, frozenset(left))


@st.composite
def feed_forwards(draw, d):
    r = draw(st.integers(1, 2))
    b_1, b_2 = (draw(st.lists(number, min_size=k, max_size=k)) for k in (r, d))
    return FeedForward(draw(tables(r, d, small)), b_1, draw(tables(d, r)), b_2, draw(activations()))


@st.composite
def windows(draw, d):
    """Layers that look at the same W_1 x, each through a window of its own; what one writes the others may read."""
    (W_1,) = draw(tables(1, d, small).filter(lambda W: any(W[0])))
    keys = draw(st.permutations([Q(k, 2) for k in range(-6, 7)]))[:6]
    layers = []
    for key in keys:
        low, high = draw(st.sampled_from([(Q(-1, 4), Q(1, 4)), (Q(0), Q(1, 2)), (Q(-1), Q(1))]))
        left = [c for c in (low, high) if draw(st.booleans())]
        f = PiecewiseLinear((low, high), ((0, 0), (draw(small), draw(small)), (0, 0)), frozenset(left))
        scale = draw(st.sampled_from([Q(1), Q(2), Q(1, 3)]))
        W_2 = [[draw(st.sampled_from([Q(0), Q(1), Q(-1), Q(1, 2), Q(7)]))] for _ in range(d)]
        layers.append(FeedForward([[scale * w for w in W_1]], [-scale * key], W_2, [0] * d, f))
    return layers


@st.composite
def shifts(draw, d):
    """Attention layers of two heads that cancel on a column unless its u^T x is in their window."""
    (u,) = draw(tables(1, d, small).filter(lambda W: any(W[0])))
    layers = []
    for key in draw(st.permutations([Q(k, 2) for k in range(-6, 7)]))[:6]:
        width, scale = draw(st.sampled_from([Q(1, 8), Q(1, 4), Q(1)])), draw(st.sampled_from([Q(1), Q(2), Q(1, 3)]))
        e = draw(tables(d, 1, draw(st.sampled_from([small, number]))))
        row = [[scale * w for w in u]]
        ends = ((e, key - width), ([[-w] for (w,) in e], key + width))
        layers.append(Attention([Head(W_O, row, row, row, [-scale * b]) for W_O, b in ends]))
    return layers


@st.composite
def networks(draw, tokens=(1, 2, 3, 4)):
    d, n = draw(st.integers(1, 2)), draw(st.sampled_from(tokens))
    layers = []
    for _ in range(draw(st.integers(1, 3))):
        made = draw(st.sampled_from(["attention", "token-wise", "windows", "shifts"]))
        match made:
            case "attention":
                layers.append(Attention(draw(st.lists(heads(d), max_size=2))))
            case "token-wise":
                layers.append(draw(feed_forwards(d)))
            case _:
                layers += draw(windows(d) if made == "windows" else shifts(d))
    X = draw(tables(d, n, st.one_of(small, small, huge, st.builds(Q, st.integers(-9, 9), st.integers(1, 7)))))
    return Network(layers), tuple(map(tuple, X))


@pytest.mark.thorough
@pytest.mark.parametrize("in_c", WAYS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_network_is_run_as_its_formulas_say(in_c, n, data):
    network, X = data.draw(networks([n]))
    with pytest.MonkeyPatch.context() as patch:
        if not in_c:
            patch.setattr(compiled, "library", lambda: None)
        truth = list(oracle(network, X))
        assert fractions(run.image(network, X)) == truth[-1][0]
        steps = run.trace(network, X)
        assert steps == tuple(network.trace(X))
        for step, (after, read) in zip(steps, truth, strict=True):
            assert fractions(step.after) == after
            assert [[[F(x) for x in column] for column in zip(*value, strict=True)] for value in step.values] == read
        changed = [(k, step.after) for k, step in enumerate(steps) if step.after != step.before]
        assert [(change.layer, change.after) for change in run.changes(network, X)] == changed


# Widths


def doubling(bits):
    """X <- X + X, so many times: what goes in as 1 comes out as 2^bits."""
    return Network((Attention((Head([[1]], [[1]], [[0]], [[0]], [0]),)),) * bits)


@needs_c
@pytest.mark.parametrize("bits", [61, 62, 63, 64, 126, 127, 128, 191, 192, 254, 255, 256, 510, 511, 512, 1022, 1030])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_numbers_at_the_edges_of_the_widths(bits, sign, more):
    """x goes through a layer that doubles it, one that compares it with itself, and one that takes it away again."""
    x = sign * (2 ** (bits - 1) + more)
    double = doubling(1).layers[0]
    beside = PiecewiseLinear([2 * x], [(0, 0), (1, 0)], frozenset())
    met = FeedForward([[1]], [0], [[-1]], [0], beside)
    best = Attention((Head([[1]], [[1]], [[1]], [[1]], [-x]),))
    network = Network((double, met, best, double))
    X = ((Q(x), Q(x - 1), Q(1)),)
    assert run.image(network, X) == network.run(X)
    assert run.trace(network, X) == tuple(network.trace(X))


ALL_TIE = Attention([Head([[1]], [[1]], [[0]], [[0]], [0])])


@needs_c
@pytest.mark.parametrize("n", [42, 43, 47])
@pytest.mark.parametrize("bits", [0, 6, 70])
def test_the_mean_of_many_tokens_needs_a_long_denominator(n, bits):
    """lcm(1, ..., 43) has 64 bits, lcm(1, ..., 47) more; what is behind the mean compares it with 1."""
    past_1 = FeedForward([[1]], [0], [[1]], [0], PiecewiseLinear([1], [(0, 0), (1, 0)]))
    network, X = Network([ALL_TIE, past_1]), ((Q(2**bits), *[Q(0)] * (n - 1)),)
    assert run.image(network, X) == network.run(X)


@needs_c
def test_past_the_widest_python_goes_on(monkeypatch):
    ops = []
    monkeypatch.setattr(run, "run_plainly", lambda left, *rest: ops.append(len(left)) or run_plainly(left, *rest))
    assert run.image(doubling(1200), ((Q(1),),)) == ((Q(2**1200),),)
    assert 0 < ops[0] < 1200


@needs_c
def test_a_bound_that_is_too_small_is_seen(monkeypatch):
    """The bounds are what keeps numbers from wrapping: with none for an attention layer, one does."""
    honest = plan.WholeAttention._growth.func
    monkeypatch.setattr(plan.WholeAttention, "_growth", property(lambda op: (((-99, 0, 0),) * len(op.heads), 0)))
    monkeypatch.setattr(run, "_known", type(run._known)())
    network, X = Network((Attention((Head([[15]], [[1]], [[0]], [[0]], [0]),)),)), ((Q(2**60),),)
    assert run.image(network, X) != network.run(X)
    monkeypatch.setattr(plan.WholeAttention, "_growth", property(honest))
    monkeypatch.setattr(run, "_known", type(run._known)())
    assert run.image(network, X) == network.run(X)


# What is searched, and what isn't known


def window_layers(keys, write):
    f = PiecewiseLinear([Q(-1, 2), Q(1, 2)], [(0, 0), (0, 1), (0, 0)])
    return [FeedForward([[1]], [-key], [[write(key)]], [0], f) for key in keys]


def test_a_search_runs_what_a_layer_writes_through_the_layers_behind_it_alone():
    """0 is sent to 5, 5 to 2; the layer that looks at 2 stands before that, so that 2 stays."""
    sends = {2: 100, 0: 5, 7: 1, 5: 2, 9: 9}
    network = Network(window_layers(sends, lambda key: sends[key] - key))
    (made,) = plan.compiled(network.layers, 1)
    assert [type(op) for op in made.ops] == [plan.Search]
    for x in range(-1, 11):
        assert run.image(network, ((Q(x),),)) == network.run(((Q(x),),))
    assert run.image(network, ((Q(0), Q(2)),)) == ((Q(2), Q(100)),)


def test_windows_one_in_another_are_not_searched():
    wide = PiecewiseLinear([-9, 9], [(0, 0), (0, 1), (0, 0)])
    layers = window_layers(range(4), lambda _: 1)
    layers[2] = FeedForward([[1]], [0], [[1]], [0], wide)
    (made,) = plan.compiled(layers, 1)
    assert plan.Search not in map(type, made.ops)
    network = Network(layers)
    assert all(run.image(network, ((Q(x),),)) == network.run(((Q(x),),)) for x in range(-9, 10))


@dataclass(frozen=True)
class Halves:
    parameters = 0

    def apply(self, X):
        return tuple(tuple(x / 2 for x in row) for row in X)


def test_anybodys_own_layer_is_run_by_its_apply():
    network = Network([*doubling(2).layers, Halves(), AverageAttention([[Q(1, 3)]]), *doubling(1).layers])
    X = ((Q(1, 7), Q(-3)),)
    assert run.image(network, X) == network.run(X)
    assert run.trace(network, X) == tuple(network.trace(X))
    assert [change.layer for change in run.changes(network, X)] == [0, 1, 2, 3, 4]


def test_a_library_that_was_built_is_used():
    found = compiled.found()
    if re.search("none was built|from other sources|VERIFIER_NO_C|little-endian", found.why):
        pytest.skip(found.why)
    assert found.handle is not None, found.why
    assert compiled.library() is found.handle


def test_numbers_that_python_and_c_agree_on():
    """Kinds of layers, what is kept, and the widths in limbs; each is named on both sides."""
    source = (Path(compiled.__file__).parent / "network.c").read_text()
    named = dict(re.findall(r"\b([A-Z_]+) = ([0-9]+)", source))
    for name in ("ATTENTION", "FEED_FORWARD", "SEARCH", "NOTHING", "CHANGES", "EVERYTHING"):
        assert getattr(compiled, name) == int(named[name])
    (widths,) = re.findall(r"widths\[\] = {(.*)};", source)
    assert tuple(map(int, widths.split(","))) == compiled.WIDTHS


@needs_c
def test_the_library_is_tested_before_it_is_used(monkeypatch):
    assert compiled.passes(compiled.library())
    monkeypatch.setattr(compiled, "run_plainly", lambda *_: None)
    assert not compiled.passes(compiled.library())


@pytest.mark.parametrize(
    ("most", "limbs"), [(2**63 - 1, 1), (2**63, 2), (2**64 - 1, 2), (2**64, 2), (2**127 - 1, 2), (2**127, 3)]
)
def test_constants_have_as_many_limbs_as_the_largest_needs(most, limbs):
    layer = Attention([Head([[most], [-1]], [[1, 2]], [[3, 4]], [[0, 0]], [0])])
    for ops in ([layer], [layer, *shifts_by(2**7)]):
        program = compiled.Program(plan.compiled(ops, 2)[0].ops_of_many)
        assert program.limbs == limbs
        assert compiled.numbers(program.constants, 0, limbs, len(program.values)) == program.values


def shifts_by(k):
    """Four shifts in windows of their own."""
    row = [[1, 0]]
    return [Attention([Head([[w], [0]], row, row, row, [-b]) for w, b in ((k, j), (-k, j + 1))]) for j in range(4)]


def test_the_largest_head_of_a_program():
    linear = FeedForward([[1, 0]], [0], [[1], [1]], [0, 0], PiecewiseLinear([], [(1, 0)]))
    both = Attention([Head([[1, 0]] * 2, [[1, 0]] * 2, [[1, 0]] * 2, [[1, 0]] * 2, [0, 0])])
    for layers, m in (([linear], 0), ([linear, *shifts_by(1)], 1), ([both, *shifts_by(1)], 2)):
        assert compiled.Program(plan.compiled(layers, 2)[0].ops_of_many).m == m


@needs_c
@pytest.mark.parametrize("W", compiled.WIDTHS)
def test_the_library_is_tested_in_every_width(W):
    """One that gets a bit wrong in numbers of this width, and in no other, doesn't pass."""

    def run_network(machine):
        done, state = compiled.library().run_network(machine), (ctypes.c_int64 * 2).from_address(machine.state)
        widths.add(state[0])
        state[1] ^= state[0] == W
        return done

    widths = set()
    assert not compiled.passes(SimpleNamespace(run_network=run_network))
    assert max(widths) == W


@pytest.mark.parametrize("run_one", ["run_network", "run_op"])
def test_a_library_that_gets_no_memory_says_so_and_one_that_leaves_an_op_does_not(run_one):
    program = compiled.Program(plan.compiled(doubling(1).layers, 1)[0].ops)

    def done(number):
        library = SimpleNamespace(**{run_one: lambda *_: number})
        if run_one == "run_network":
            return compiled.run_compiled(library, program, [(1,)], 1)[0]
        return compiled.run_op(library, program, 0, compiled.Places(0, 0, 0, 0, 0), (1, 1, 1), 1, 1, 1).done

    assert [done(0), done(1)] == [0, 1]
    with pytest.raises(MemoryError):
        done(-1)


NOTHING = Attention((Head([[0]], [[1]], [[1]], [[1]], [0]),))
HALVING = FeedForward([[1]], [0], [[Q(-1, 2)]], [0], PiecewiseLinear([0], [(1, 0), (1, 0)], frozenset()))


@pytest.mark.parametrize("in_c", WAYS)
def test_a_layer_that_halves_changes_the_denominator_alone(in_c, monkeypatch):
    """x goes to x/2: the same whole numbers, over another denominator."""
    if not in_c:
        monkeypatch.setattr(compiled, "library", lambda: None)
    X = ((Q(6), Q(-3, 7)),)
    for layers in ([HALVING], [NOTHING, HALVING], [HALVING, *doubling(1).layers, NOTHING, HALVING]):
        network = Network(layers)
        steps = tuple(network.trace(X))
        assert run.image(network, X) == network.run(X)
        assert run.trace(network, X) == steps
        assert run.changes(network, X) == tuple(
            run.Change(k, step.after) for k, step in enumerate(steps) if step.after != step.before
        )


@needs_c
def test_past_the_widest_layers_keep_their_numbers():
    """The first thousand in C, the others in Python; the one at 7 and the one at 1100 change nothing."""
    layers = [*doubling(7).layers, NOTHING, *doubling(1092).layers, NOTHING, *doubling(3).layers]
    network, X = Network(layers), ((Q(1),),)
    found = run.changes(network, X)
    assert [change.layer for change in found] == [k for k in range(1104) if k not in (7, 1100)]
    assert [change.after for change in found] == [((Q(2**k),),) for k in range(1, 1103)]


@dataclass(frozen=True)
class Wrong:
    parameters = 0

    def apply(self, X):
        return X + X


@pytest.mark.parametrize("kind", [run.image, run.trace, run.changes])
def test_a_layer_that_is_wrong_is_named_by_its_place(kind):
    network = Network([Halves(), *doubling(2).layers, Halves(), HALVING, Wrong()])
    with pytest.raises(BadLayer, match="layer 5, Wrong: it makes a 2 x 1 matrix of a 1 x 1 one"):
        kind(network, ((Q(1),),))


def test_the_plans_of_networks_that_were_run_last_are_kept(monkeypatch):
    monkeypatch.setattr(run, "MOST_KNOWN", 2)
    monkeypatch.setattr(run, "_known", type(run._known)())
    a, b, c = map(doubling, (1, 2, 3))
    for network in (a, b, a, c):
        run.parts_of(network, 1)
    assert [network for network, _ in run._known.values()] == [a, c]


def test_an_exact_number_of_any_kind_goes_in():
    assert run.image(doubling(1), [[1, mpq(1, 2)]]) == doubling(1).run([[1, mpq(1, 2)]])


# Whole runs

INSTANCES = [(1, 2, 3), (1, 3, 2), (2, 2, 2)]
MADE_ONCE = (value_map.images, value_map.chain_map, value_map.small_map, distance_zero.images, distance_zero.chain)


def run_with(monkeypatch, way, g):
    """Every claim's finding, and the certificate that they make."""
    with monkeypatch.context() as patch:
        for made in MADE_ONCE:
            made.cache_clear()
        if way == "literal layers":
            for module in (run, many):
                patch.setattr(module, "parts_of", lambda network, _: list(network.layers))
            patch.setattr(run, "trace", lambda network, X: tuple(network.trace(X)))
        if way == "Python":
            patch.setattr(compiled, "library", lambda: None)
        return content(verify(g, "all"))


@pytest.mark.thorough
@needs_c
@pytest.mark.parametrize("instance", INSTANCES)
def test_c_python_and_the_literal_layers_make_one_certificate(instance, monkeypatch):
    g = at(*instance)
    truth = run_with(monkeypatch, "literal layers", g)
    assert run_with(monkeypatch, "C", g) == truth
    assert run_with(monkeypatch, "Python", g) == truth


@needs_c
@pytest.mark.parametrize("exchanged", [{"sweep_factor": Q(2)}, {"global_factor": Q(5)}, {"sentinel": Q(-5, 3)}])
def test_and_so_they_do_of_other_numbers(exchanged, monkeypatch):
    g = at(1, 3, 3, **exchanged)
    assert run_with(monkeypatch, "C", g) == run_with(monkeypatch, "literal layers", g)
