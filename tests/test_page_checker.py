"""The checker's reading of pages: those of tests/pages, whose results were worked out by hand.

pass/X.page with X.json, a list of {sizes, variant, certificate: what must stand in it}; fail/X.page, whose first line
says `# line:column words`, and perhaps `sizes` in X.json; never-crash/X.page, answered in one line.
"""

import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from test_reals import number
from verifier.checker.core.comparing import OverLimit, Rejected
from verifier.checker.core.reading import Unreadable
from verifier.checker.page.check import check, sample, told
from verifier.checker.page.derive import Limits, derive
from verifier.checker.page.tree import parse
from verifier.checker.page.words import Refused

PAGES = Path(__file__).parent / "pages"


def named(folder):
    return [pytest.param(path, id=path.stem) for path in sorted((PAGES / folder).glob("*.page"))]


def text_of(path):
    return path.read_bytes().decode()


def beside(path):
    other = path.with_suffix(".json")
    return json.loads(other.read_text()) if other.exists() else [{"sizes": {}}]


def certificate(text, asked, ids=None):
    return derived(text, json.dumps(asked), tuple(ids or [claim.id for claim in parse(text).claims]))


@cache
def derived(text, asked, ids):
    """The bytes that the checker derives; several tests of a page ask for them."""
    asked = json.loads(asked)
    variant = {name: Fraction(value) for name, value in asked.get("variant", {}).items()}
    return derive(text, asked["sizes"], variant, ids, Limits(steps=100_000_000))


def holds_within(wanted, found, place=""):
    """Whatever is wanted is found; of a list as many items."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            assert key in found, f"{place}.{key}"
            holds_within(value, found[key], f"{place}.{key}")
    elif isinstance(wanted, list):
        assert len(wanted) == len(found), place
        for k, (value, other) in enumerate(zip(wanted, found, strict=True)):
            holds_within(value, other, f"{place}[{k}]")
    else:
        assert (type(wanted), wanted) == (type(found), found), place


@pytest.mark.parametrize("path", named("pass"))
def test_a_page_gives_what_was_worked_out_by_hand(path):
    for asked in beside(path):
        ids = [claim["id"] for claim in asked["certificate"]["claims"]]
        data = certificate(text_of(path), asked, ids)
        holds_within(asked["certificate"], json.loads(data))
        found = check(data)
        assert found["verdict"] == json.loads(data)["verdict"]
        _, _, code, _, refuted, _ = told(found, strict=False)
        assert bool(refuted) == (found["verdict"] == "refuted")
        assert code == (0 if found["verdict"] in ("holds", "refuted") else 5)


@pytest.mark.parametrize("path", named("fail"))
def test_a_page_that_is_wrong_is_refused_where_it_is(path):
    text = text_of(path)
    where, words = re.match(r"# (\d+:\d+) (.*)\n", text).groups()
    with pytest.raises(Refused) as caught:
        certificate(text, beside(path)[0])
    assert f"{caught.value.place.line}:{caught.value.place.column}" == where, caught.value
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", named("never-crash"))
def test_a_hostile_page_is_answered_in_one_line(path):
    text = text_of(path)
    ids = re.findall(r"^claim ([\w.-]+)", text, re.MULTILINE) or ["t.t"]
    try:
        derive(text, beside(path)[0]["sizes"], {}, ids, Limits(steps=3_000_000))
        said = "what it says follows"
    except (Refused, OverLimit) as error:
        said = str(error)
    assert said
    assert "\n" not in said


def one_by_one(text):
    """The page with the family of each [a, b, ..., z] written so that each layer is run."""
    return re.sub(r"^( +for (\w+) in )(\[.*\.\.\..*\]):$", r"\1[\2 for \2 in \3]:", text, flags=re.MULTILINE)


FAMILIES = [
    path for path in named("pass") if one_by_one(text := text_of(path.values[0])) != text and "10^12" not in text
]


@pytest.mark.parametrize("path", FAMILIES)
def test_layers_by_cells_are_layers_one_by_one(path):
    for asked in beside(path):
        cells, each = (certificate(text, asked) for text in (text_of(path), one_by_one(text_of(path))))
        assert json.loads(cells) | {"page": ""} == json.loads(each) | {"page": ""}


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(*[number(["v", "x[i][1]", "m"]) for _ in range(5)], st.sampled_from(["1", "1/2", "3"]))
def test_random_layers_by_cells_are_layers_one_by_one(a, b, c, d, moved, step):
    """A layer that acts between two bounds, at most."""
    text = f"""language 1
layer act(v):
  m = read x[j][1] at max of -x[j][1]
  x[i] <- [x[i][1] + ({moved} if {a} < {b} and {c} <= {d} else 0)]
network g:
  for v in [-9, -9 + {step}, ..., 21]:
    act(v)
claim c, own, "-", once:
  "words"
  states(g([[2], [5], [-1/2]])) = [[[2], [5], [-1/2]]]
""".replace("w[1]", "1/3")
    cells, each = (certificate(t, {"sizes": {}}) for t in (text, one_by_one(text)))
    assert json.loads(cells) | {"page": ""} == json.loads(each) | {"page": ""}


def changed(value):
    """The value with one leaf changed, or one member gone, in every way."""
    if isinstance(value, dict):
        for key in value:
            yield {name: one for name, one in value.items() if name != key}
            for one in changed(value[key]):
                yield value | {key: one}
    elif isinstance(value, list):
        for k in range(len(value)):
            yield value[:k] + value[k + 1 :]
            for one in changed(value[k]):
                yield [*value[:k], one, *value[k + 1 :]]
    elif isinstance(value, bool):
        yield not value
    else:
        yield value + 1 if isinstance(value, int) else value + "0"


def as_bytes(value):
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, separators=(",", ": ")).encode() + b"\n"


def test_no_certificate_with_anything_changed_is_accepted():
    path = PAGES / "pass/sums_of_powers.page"
    data = certificate(text_of(path), beside(path)[0])
    value, tried = json.loads(data), 0
    assert as_bytes(value) == data
    for other in changed(value):
        if other.get("claims") in (value["claims"][:1], value["claims"][1:]):
            continue  # a certificate of fewer claims, which may be right
        tried += 1
        with pytest.raises((Rejected, Unreadable)):
            check(as_bytes(other))
    assert tried > 60


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b'{"format": "verifier.certificate/2"}', b"\xff", b'{"a":1,"a":1}']
)
def test_what_is_no_certificate_is_unreadable(data):
    with pytest.raises(Unreadable):
        check(data)


def test_the_same_values_in_other_bytes_are_rejected():
    path = PAGES / "pass/sums_of_powers.page"
    data = certificate(text_of(path), beside(path)[0])
    assert check(data)["whole"]
    for other in (data + b"\n", data.replace(b'"n": 3', b'"n":  3'), data[:-1]):
        with pytest.raises((Rejected, Unreadable)):
            check(other)


def test_a_check_in_part_says_what_it_looked_at_and_is_never_green():
    path = PAGES / "pass/sums_of_powers.page"
    value = json.loads(certificate(text_of(path), beside(path)[0]))
    found = sample(as_bytes(value), 4)
    assert not found["whole"]
    assert told(found, strict=False)[2] == 5
    assert sample(as_bytes(value), 4, found["seed"])["looked_at"] == found["looked_at"]
    bounded = value["claims"][0]["lines"][0]["least"]
    for slack, ranks in (("1", bounded["ranks"]), ("0", [3]), ("12", [0])):
        value["claims"][0]["lines"][0]["least"] = bounded | {"slack": slack, "ranks": ranks}
        with pytest.raises(Rejected):
            sample(as_bytes(value), 40)


def test_what_is_recognised_is_looked_at_in_part():
    path = PAGES / "pass/recognises.page"
    value = json.loads(certificate(text_of(path), beside(path)[0], ["r.words", "r.places"]))
    assert not sample(as_bytes(value), 40)["whole"]
    first = value["claims"][0]["lines"][0]["wrongly_accepted"]["first"]
    rejected = value["claims"][1]["lines"][0]["wrongly_rejected"]
    for member, other in (
        ({"wrongly_accepted": {"made": 0}}, 0),
        ({"wrongly_accepted": {"made": 1, "first": first | {"ranks": [5]}}}, 0),
        ({"wrongly_accepted": {"made": 1, "first": first | {"value": False}}}, 0),
        ({"wrongly_rejected": {"made": 0, "first": first | {"ranks": [1]}}}, 0),
        ({"wrongly_rejected": rejected | {"made": 1}}, 1),
    ):
        changed = json.loads(json.dumps(value))
        changed["claims"][other]["lines"][0] |= member
        with pytest.raises(Rejected):
            sample(as_bytes(changed), 40)
    for member in ({"accepted": "4"}, {"wrongly_accepted": {}}, {"wrongly_accepted": {"made": 1, "first": 6}}):
        changed = json.loads(json.dumps(value))
        changed["claims"][0]["lines"][0] |= member
        with pytest.raises(Unreadable):
            sample(as_bytes(changed), 40)


def test_a_certificate_of_a_page_is_checked_by_the_command(judge):
    path = PAGES / "pass/sums_of_powers.page"
    refuted, holds = (
        certificate(text_of(path), asked, ids)
        for asked, ids in zip(beside(path), (None, ["sums.distinct"]), strict=True)
    )
    assert judge(holds)[0] == 0
    code, said = judge(refuted)
    assert code == 1
    assert "sums.distinct refuted" in said
    assert judge(holds.replace(b'"3"', b'"2"'))[0] == 1
    assert judge(holds.replace(b"language 1", b"language 2"))[0] == 2
    assert judge(holds.replace(b'"n": 3', b'"n": 3000'))[0] in (1, 4)
    assert judge(holds, "--sample", "2")[0] == 5
