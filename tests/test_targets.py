"""Targets of one's own: a file that is read strictly, a function in Python, and what doesn't go with them."""

import json

import pytest

from test_cli import call, instance
from verifier import given_claims
from verifier.certificate import NotCertifiable, certify
from verifier.core.exact import NotExact, Q, matrix, text_of
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.papers.yun2020.targets import BadTargets, contexts, parse
from verifier.papers.yun2020.value_map import images
from verifier.run.engine import choose_engine
from verifier.run.verify import verify

I = Instance(1, 2, 3)


def text(X):
    return [[text_of(x) for x in row] for row in X]


def items(target=lambda L: L, i=I):
    return [{"matrix": text(L), "target": text(target(L))} for L in contexts(i)]


def test_the_contexts_are_those_of_the_keys():
    for parts in [(1, 2, 3), (2, 2, 2), (1, 3, 3), (1, 3, 2)]:
        i = Instance(*parts)
        assert list(contexts(i)) == [context.L for context in images(i).contexts]


def test_columns_may_stand_in_any_order():
    given = items()
    given[0] = {"matrix": [["1/3", "0"]], "target": [["-5", "7/2"]]}
    targets = parse(json.dumps(given), I)
    assert targets(matrix([[0, Q(1, 3)]])) == ((Q(7, 2), -5),)
    assert targets(matrix([[0, Q(2, 3)]])) == ((0, Q(2, 3)),)


def changed(**parts):
    return [{**items()[0], **parts}, *items()[1:]]


MISTAKES = [
    ("", "line 1, column 1: no JSON"),
    ("[" * 100_000, "nested too deeply"),
    ({}, "must hold a list"),
    ([1], "item 1: it must have"),
    ([{"matrix": [["0", "1/3"]]}], "item 1: it must have"),
    ([{**items()[0], "name": "a"}], "item 1: it must have"),
    ('[{"matrix": 1, "matrix": 2, "target": 3}]', "'matrix' occurs twice"),
    (changed(matrix=[]), "item 1, matrix: it must be a list of 1 rows"),
    (changed(target=[["1"]]), "item 1, target, row 1: it must be a list of 2 entries"),
    (changed(target=[["1", 0.5]]), "item 1, target, row 1, entry 2: '0.5' stands without quotes"),
    (changed(target=[["1", 3]]), "entry 2: '3' stands without quotes"),
    (changed(target=[["1", float("nan")]]), "entry 2: 'NaN' stands without quotes"),
    (changed(target=[["1", None]]), "entry 2: it is no string"),
    (changed(target=[["1", "0.5"]]), "entry 2: '0.5' is not a rational"),
    (changed(target=[["1", "2/4"]]), "not in lowest terms"),
    (changed(matrix=[["0", "1"]]), "item 1, matrix, row 1, entry 2: 1 is none of"),
    (changed(matrix=[["0", "1/2"]]), "1/2 is none of"),
    (changed(matrix=[["0", "-27"]]), "-27 is none of"),
    (changed(matrix=[["0", "0"]]), "has two equal columns"),
    ([*items(), {"matrix": [["1/3", "0"]], "target": [["0", "0"]]}], r"item 4: the orbit of \[0, 1/3\] is given twice"),
    (items()[1:], r"have no target: 1; the first is \[0, 1/3\]"),
    ([], r"have no target: 3; the first is \[0, 1/3\]"),
]


@pytest.mark.parametrize(("content", "message"), MISTAKES)
def test_a_file_that_is_not_the_targets(content, message):
    with pytest.raises(BadTargets, match=message):
        parse(content if isinstance(content, str) else json.dumps(content), I)


def test_the_command_runs_given_targets_beside_the_chosen_claims(tmp_path):
    path = tmp_path / "targets.json"
    path.write_text(json.dumps(items()))
    done = call(*instance(1, 2, 3), "--claims", "lemma6.1", "--targets", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 claims hold" in done.stdout
    key = images(I).contexts[1].keys[0]
    path.write_text(json.dumps(items(lambda L: ((key, 0),) if L[0][1] == Q(1, 3) else L)))
    done = call(*instance(1, 2, 3), "--claims", "lemma6.1", "--targets", str(path))
    assert done.returncode == 1
    assert "REFUTED: lemma7.given, prop4.given" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--format", "json"), "a certificate can't state given targets; --format json"),
        (("--certificate", "c.json"), "--certificate can't go with it"),
        (("--checkpoint", "kept"), "--checkpoint can't go with it"),
        (("--variant", "t_r=100"), "--variant can't go with it"),
    ],
)
def test_what_does_not_go_with_targets(tmp_path, words, message):
    path = tmp_path / "targets.json"
    path.write_text(json.dumps(items()))
    words = [str(tmp_path / word) if word in ("c.json", "kept") else word for word in words]
    done = call(*instance(1, 2, 3), "--targets", str(path), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["targets.json"]


def test_a_file_that_cannot_be_read(tmp_path):
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff")
    for path, message in ((tmp_path / "none", "No such file"), (tmp_path, "no regular file"), (bad, "not UTF-8")):
        done = call(*instance(1, 2, 3), "--targets", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


def test_the_size_is_refused_before_the_file_is_read(tmp_path):
    done = call(*instance(9, 9, 9), "--targets", str(tmp_path / "none"))
    assert done.returncode == 4


def test_a_function_in_python():
    g = contextual_map(Instance(2, 2, 2))
    seen = []

    def target(L):
        seen.append(L)
        return tuple(tuple(x * x - 3 for x in row) for row in L)

    result = verify(g, [*given_claims(target), "lemma7.reject"])
    assert [(f.claim.id, f.verdict, f.cases) for f in result.findings] == [
        ("lemma7.given", "holds", 45),
        ("prop4.given", "holds", 45),
        ("lemma7.reject", "holds", 39),
    ]
    assert seen == list(contexts(g.instance))
    with pytest.raises(NotCertifiable, match=r"lemma7\.given"):
        certify(result)
    with pytest.raises(NotExact):
        verify(g, given_claims(lambda _: ((0.5,) * 2,) * 2))
    for name in ("auto", "kernel"):
        assert choose_engine(g, given_claims(target), name).name == "literal"
