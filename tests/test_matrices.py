"""The matrices of attention layers, which `export` writes into files, are the layers: on every page that has some, at
each case of each claim, the tokens that a layer makes by its matrices are those that it makes as it is written."""

from contextlib import suppress
from pathlib import Path

import pytest
from gmpy2 import mpq

from around import around
from verifier.core.hardmax import winners
from verifier.evaluate import matrices, network
from verifier.evaluate.definition import Reading
from verifier.evaluate.matrices import Matrices
from verifier.evaluate.values import AffineInStep, List, exact
from verifier.language.form import form
from verifier.language.page import read
from verifier.language.words import Refused
from verifier.page import Page

PAGES = Path(__file__).parent.parent / "verifier/pages"


def attends(page):
    return any(form(page, layer).name == "attention" for layer in page.layers.values())


TEXTS = {path: read(path.read_text()) for path in sorted(PAGES.glob("*.page"))}
WITH_ATTENTION = [path for path, page in TEXTS.items() if attends(page.page)]


class Differ(Exception):
    pass


def times(rows, column):
    return [sum((a * b for a, b in zip(row, column, strict=True)), mpq(0)) for row in rows]


def by_matrices(case, layer: Matrices, tokens, base, letters):
    """The new tokens, by the matrices. Those that have a bias have it as their last column."""
    new = []
    for k, token in enumerate(tokens.items, tokens.first):
        total = times(layer.own, [*token.items, 1])
        for head in layer.heads:
            query = times(head.queries, [*token.items, 1])
            at = {**base, letters[0]: tokens, letters[1]: mpq(k)}
            seen = [
                other.items
                for m, other in enumerate(tokens.items, tokens.first)
                if head.mask is None or case.truth(head.mask, {**at, "j": mpq(m)})
            ]
            scores = [sum((a * b for a, b in zip(times(head.keys, x), query, strict=True)), mpq(0)) for x in seen]
            values = [times(head.values, [*seen[m], 1]) for m in winners(scores, head.tie)]
            if mean := [sum(entry, mpq(0)) / len(values) for entry in zip(*values, strict=True)]:
                total = [a + b for a, b in zip(total, times(head.out, mean), strict=True)]
        new.append(List(total))
    return List(new, tokens.first)


@pytest.fixture
def compared(monkeypatch):
    """Whether each layer of the form attention that ran has matrices, by which it was run, too; Differ is raised where
    they make other tokens."""
    has_matrices, read_off, honest = {}, {}, network.Run.layer

    def layer(self, line, at):
        new, tokens, case, declared = honest(self, line, at), self.states[-1], self.case, self.page.layers[line.name]
        base = dict(zip(declared.letters, self.values(line.arguments, at), strict=True))
        moving = self.real or any(isinstance(value, AffineInStep) for value in base.values())
        # entry r of a column is x[i][r] only where it begins at 1
        begin = len(tokens) and all(token.first == 1 for token in tokens.items)
        if moving or not begin or form(self.page, declared).name != "attention":
            return new
        d, n = len(tokens.items[0]), len(tokens)
        letters = declared.update.tokens, declared.update.position
        lengths = [(letter, len(value)) for letter, value in case.variables.items() if isinstance(value, List)]
        key = (line.name, *map(exact, base.values()), d, n, *lengths)  # what weights may depend on
        if key not in read_off:
            read_off[key] = matrices.matrices(case, declared, base, d, n)
        has_matrices[line.name] = has_matrices.get(line.name, False) or read_off[key] is not None
        if read_off[key] and by_matrices(case, read_off[key], tokens, base, letters) != new:
            raise Differ(line.name)
        return new

    monkeypatch.setattr(network.Run, "layer", layer)
    return has_matrices


@pytest.mark.thorough
@pytest.mark.parametrize("path", WITH_ATTENTION, ids=lambda path: path.stem)
def test_the_matrices_of_a_page_are_its_layers(path, compared):
    """At the smallest sizes near those to try at which some layer has matrices."""
    page = TEXTS[path]
    for sizes in around(page, 1000):
        reading = Reading(page, sizes, steps=10**9)
        with suppress(Refused):  # near the sizes to try a page may be undefined
            reading.run(list(page.page.claims))
        if any(compared.values()):
            break
    assert set(compared) >= {
        name for name in reading.ran if form(page.page, page.page.layers[name]).name == "attention"
    }
    assert any(compared.values()) or path.stem in ("ngrams", "palindrome")  # theirs depend on places


YUN = PAGES / "yun2020.page"


@pytest.mark.parametrize("part", ["own", "out", "values", "keys"])
def test_matrices_that_differ_from_the_layer_are_noticed(monkeypatch, compared, part):
    page = read((PAGES / "parity.page").read_text())

    def doubled(rows):
        return [[2 * entry for entry in row] for row in rows]

    def wrong(found):
        if part == "own":
            return found._replace(own=doubled(found.own))
        changed = -1 if part == "keys" else 2
        rows = {part: [[changed * entry for entry in row] for row in getattr(found.heads[0], part)]}
        return found._replace(heads=[head._replace(**rows) for head in found.heads])

    right = matrices.matrices

    def doctored(*asked):
        found = right(*asked)
        return None if found is None else wrong(found)

    monkeypatch.setattr(matrices, "matrices", doctored)
    with pytest.raises(Differ):
        Reading(page, {"n": 3}).run(list(page.page.claims))
    assert any(compared.values())


LENGTHS = """language 1
sizes n >= 1
inputs w in words: words of 1..n letters a in {0, 1}
m = len(w)
layer add:
  mean = read x[j][1] at max of 0
  x[i] <- x[i] + m * mean * unit(2, 2)
layer times_len:
  mean = read x[j][1] at max of 0
  x[i] <- x[i] + mean * len(x) * unit(2, 2)
network g:
  add
network h:
  times_len
claim c.sum, own, "-", on words:
  "Both say the sum."
  g([[a, 0] for a in w])[1][2] >= sum(w)
  h([[a, 0] for a in w])[1][2] <= sum(w)
  (sum(w) - 1)^2 + m >= 2
"""


def test_weights_may_depend_on_the_number_of_items_and_each_has_matrices_of_its_own(compared):
    assert [ledger.verdict for ledger in Reading(read(LENGTHS), {"n": 4}).run(["c.sum"])] == ["refuted"]
    assert compared == {"add": True, "times_len": True}


def test_how_many_heads_a_layer_has_and_how_large_they_are():
    page = Page.file(YUN)
    reading = Reading(page.understood, {"d": 2, "n": 2, "N": 2})
    layer = page.tree.layers["shift"]
    found = matrices.matrices(reading.nothing, layer, {layer.letters[0]: reading.sizes["d"]}, 2, 2)
    assert [head.size for head in found.heads] == [1, 1]
