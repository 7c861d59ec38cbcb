"""Certificates of pages with one thing changed: none is accepted, and none is a defect of the checker.

Each is rejected (exit 1), no certificate (2), or over a limit (4), in full and in part (where 5 is of a part).
"""

import copy
import json
from fractions import Fraction
from functools import cache

import pytest

from verifier.checker.__main__ import main
from verifier.checker.page.derive import derive

PAGE = """language 1
title "Forged"
sizes n >= 1, N >= 2
base = N + 1 as "base"
inputs X in tokens: multisets of n letters t in {0, 1, ..., N-1}
inputs w in bits: words of 0..2 letters a in {0, 1}
category same of tokens if distinct(X) = 1: N cases, N inputs
category other of tokens if distinct(X) > 1: comb(N + n - 1, n) - N cases, N^n - N inputs
power[k] = base^k for k in 0..N
code = sum(power[X[j]] for j in 1..n)
layer up:
  high = read x[j][1] at max of x[j][1]
  x[i] <- [x[i][1] + high]
network g:
  up
claim f.holds, own, "-", on tokens:
  "-"
  for j in 1..n: power[X[j]] <= code
  across code as a, b: b > a
claim f.fails, own, "-", on tokens if other:
  "-"
  code != 2 * base + base^2
  within X as a, b: b >= a
  once: base > N
claim f.layers, step, "-", once:
  "-"
  layers(g) = 1
claim f.left, step, "-", on tokens:
  "-"
  skipped if n > 2 "too long to be run"
  n <= 2
claim f.none, step, "-", on bits if len(w) > 5:
  "-"
  len(w) < 0
claim f.reals, repair, "-", once:
  "-"
  for all t if t > 0: t > 0
claim f.words, excluded, "-", on bits:
  "-"
  any(a = 1 for a in w) recognises len(w) = 2
"""
IDS = ["f.holds", "f.fails", "f.layers", "f.left", "f.none", "f.reals", "f.words"]
HUGE = 10**4200


@cache
def genuine(variant=False):
    return json.loads(derive(PAGE, {"n": 3, "N": 4}, {"base": Fraction(6)} if variant else {}, IDS))


def as_bytes(value):
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, separators=(",", ": ")).encode() + b"\n"


def others(leaf):
    """What may stand in the place of a leaf."""
    if isinstance(leaf, bool):
        return [not leaf, int(leaf), None]
    if isinstance(leaf, int):
        return [leaf + 1, leaf - 1, -leaf - 1, leaf + 2**64, str(leaf), float(leaf), bool(leaf % 2), None, [leaf]]
    unicode = leaf.translate({ord("1"): "\u0661", ord("2"): "\uff12", ord("3"): "\u00b3"})
    said = [leaf + "0", leaf + " ", leaf + "\n", "", "-" + leaf, leaf + "/1", leaf[1:], 0, None, {}, [leaf], "9" * 4001]
    return [*said, *([unicode] if unicode != leaf else [])]


def changed(value, place=()):
    """The value with one thing changed, in many ways, and where."""
    if isinstance(value, dict):
        for key in value:
            inside = (*place, key)
            yield inside, {name: one for name, one in value.items() if name != key}
            yield inside, {name if name != key else key + "s": one for name, one in value.items()}
            yield from ((where, value | {key: one}) for where, one in changed(value[key], inside))
        yield place, value | {"more": 1}
    elif isinstance(value, list):
        for k, old in enumerate(value):
            inside = (*place, k)
            yield inside, value[:k] + value[k + 1 :]
            yield inside, [*value[:k], old, *value[k:]]
            if k and old != value[k - 1]:
                yield inside, [*value[: k - 1], old, value[k - 1], *value[k + 1 :]]
            yield from ((where, [*value[:k], one, *value[k + 1 :]]) for where, one in changed(old, inside))
        yield place, [*value, 0]
    else:
        yield from ((place, one) for one in others(value))


FEWER = "fewer claims, which are right"


def forged():
    for variant in (False, True):
        value = genuine(variant)
        for place, other in changed(value):
            claims = other.get("claims")
            if place == ("page",) or (variant and place[:1] not in [("variant",), ("constants",), ()]):
                continue
            yield place, FEWER if place[:1] == ("claims",) and len(place) == 2 and len(claims) < len(IDS) else "", other


def answered(data, tmp_path, capsys, *options):
    path = tmp_path / "c.json"
    path.write_bytes(data)
    code = main([*options, "--json", str(path)])
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1
    return code, json.loads(out)["words"]


def test_the_certificates_themselves_are_right(tmp_path, capsys):
    assert answered(as_bytes(genuine()), tmp_path, capsys)[0] == 1  # it refutes a claim, rightly
    assert "checked in full" in answered(as_bytes(genuine()), tmp_path, capsys)[1]
    assert answered(as_bytes(genuine(variant=True)), tmp_path, capsys)[0] == 1
    for option in ("--sample", "--seconds"):
        assert "checked in" in answered(as_bytes(genuine()), tmp_path, capsys, option, "5")[1]


def test_none_with_one_thing_changed_is_accepted(tmp_path, capsys):
    tried = 0
    for place, why, value in forged():
        code, words = answered(as_bytes(value), tmp_path, capsys)
        tried += 1
        assert code in (1, 2, 4), (place, code, words)
        if code == 1 and why != FEWER:
            assert words.startswith("REJECTED"), (place, words)
    assert tried > 2000


def test_in_part_none_is_a_defect_and_none_is_accepted(tmp_path, capsys):
    seen = set()
    for k, (place, _, value) in enumerate(forged()):
        if k % 4 == 0:
            code, words = answered(as_bytes(value), tmp_path, capsys, "--sample", "2")
            assert code in (1, 2, 4, 5), (place, code, words)
            assert code != 5 or "in part" in words or "inputs" in place
            seen.add(code)
    assert seen >= {1, 2}


NOTHING_RUN = [
    (("constants", "base"), "7"),
    (("layers", "up", "heads"), 2),
    (("layers", "up", "form"), "token-wise"),
    (("inputs", "tokens", "cases"), 21),
    (("inputs", "tokens", "kind"), "words"),
    (("verdict",), "holds"),
    (("claims", 0, "verdict"), "vacuous"),
    (("claims", 4, "verdict"), "holds"),
    (("claims", 2, "lines", 0, "made"), 0),
    (("claims", 3, "verdict"), "holds"),
    (("claims", 1, "first", "ranks", 0), 19),
    (("claims", 5, "lines", 0, "least", "slack"), "1"),
]


@pytest.mark.parametrize(("place", "said"), NOTHING_RUN, ids=str)
def test_what_follows_without_a_draw_is_rejected_in_part_too(place, said, tmp_path, capsys):
    value = copy.deepcopy(genuine())
    *outer, last = place
    inner = value
    for key in outer:
        inner = inner[key]
    assert inner[last] != said
    inner[last] = said
    code, words = answered(as_bytes(value), tmp_path, capsys, "--sample", "1")
    assert code in (1, 2), words
    assert "REJECTED" in words or "unreadable" in words


TEXTS = {
    "a key twice": lambda text: text.replace('"format":', '"format": "verifier.certificate/2",\n "format":', 1),
    "another order": lambda text: json.dumps(dict(reversed(json.loads(text).items())), indent=1, ensure_ascii=False),
    "a mark before it": lambda text: "\ufeff" + text,
    "text after it": lambda text: text + "{}",
    "no line end": lambda text: text[:-1],
    "an escape": lambda text: text.replace('"f.holds"', '"f\\u002eholds"', 1),
    "an exponent": lambda text: text.replace('"n": 3', '"n": 3e0'),
    "not a number": lambda text: text.replace('"n": 3', '"n": NaN'),
    "minus nothing": lambda text: text.replace('"n": 3', '"n": -0'),
    "a huge size": lambda text: text.replace('"n": 3', f'"n": {HUGE}'),
    "many cases": lambda text: text.replace('"n": 3', '"n": 300000'),
    "nested": lambda text: text.replace('"n": 3', f'"n": {"[" * 5000}{"]" * 5000}'),
    "a page of brackets": lambda text: text.replace("n <= 2", "(" * 60 + "n" + ")" * 60 + " <= 2"),
    "a long line": lambda text: text.replace("too long", "-" * 2001),
    "half a pair": lambda text: text.replace("too long", "too long \\ud800"),
    "nothing": lambda text: text[:0],
    "format 3": lambda text: text.replace("certificate/2", "certificate/3"),
}


@pytest.mark.parametrize("change", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("options", [(), ("--sample", "1"), ("--seconds", "1")], ids=str)
def test_other_bytes_are_no_certificate(change, options, tmp_path, capsys):
    text = as_bytes(genuine()).decode()
    assert change(text) != text
    code, words = answered(change(text).encode("utf-8", "surrogatepass"), tmp_path, capsys, *options)
    assert code in ((1, 2, 4) if not options else (1, 2, 4, 5)), words


def test_seconds_that_are_too_few_say_which_cases_were_seen(tmp_path, capsys, monkeypatch):
    """By a budget of steps, whatever the machine; the draw is another one each time."""
    page = PAGE.replace("once: base > N\n", "").partition("claim f.layers")[0]
    data = derive(page, {"n": 8, "N": 8}, {}, ["f.holds"])
    monkeypatch.setattr("verifier.checker.page.check.STEPS_A_SECOND", 500_000)
    code, words = answered(data, tmp_path, capsys, "--seconds", "1")
    assert code == 5
    assert "of 6,435 cases of tokens, 1 of them named in the file; no counts and no pairs" in words
    assert words != answered(data, tmp_path, capsys, "--seconds", "1")[1]
    assert answered(data, tmp_path, capsys, "--seconds", "57")[0] == 0
