"""Words of every length: what is shown holds wherever it is run, what fails fails at the word, and forged files, pages
that are right to some length and pages that are refused at some length alone are told from the others."""

import json
import random
import re
import time
from pathlib import Path

import jsonschema
import pytest

from cli import main
from verifier.catalogue import pages
from verifier.checker.core.comparing import Rejected
from verifier.checker.core.reading import Unreadable
from verifier.checker.forever import cover, parts
from verifier.checker.forever.__main__ import Answers
from verifier.checker.forever.check import check
from verifier.checker.forever.order import POSITION, Placed, Undecided
from verifier.checker.page.derive import deep
from verifier.evaluate.run import found
from verifier.forever import search
from verifier.forever.lengths import certificate, decide
from verifier.forever.search import Fails, Refused, Shown
from verifier.forever.search import Undecided as NotDecided
from verifier.language.page import read
from verifier.language.words import Refused as TooShort
from verifier.language.words import TooLarge
from verifier.rasp.page import page_of
from verifier.rasp.read import Refused as NoProgram

BUILT_IN = {name: path.read_text() for name, path in pages().items()}


def searched(text, claim, most=0, **sizes):
    """The search, with the checker in this process."""
    asked = {"page": text, "sizes": sizes, "length": "n", "claim": claim, "most": most}
    with deep():
        return search.searched(Answers().to, asked, time.monotonic() + 60)


def shown(text, *ids, most=0, **sizes):
    """The certificate of claims, as bytes, and how often each has states."""
    claims = []
    for id_ in ids:
        one = searched(text, id_, most, **sizes)
        assert isinstance(one, Shown), one
        members = {name: getattr(one, name) for name in ("most", "words", "states", "steps", "cutoff")}
        claims.append(members | {"id": id_, "verdict": "holds" if one.made else "vacuous"})
    verdict = "holds" if any(claim["verdict"] == "holds" for claim in claims) else "vacuous"
    made = {"format": "verifier.lengths/1", "page": text, "sizes": sizes, "length": "n"}
    return made | {"claims": claims, "verdict": verdict}


def as_bytes(made):
    return (json.dumps(made, sort_keys=True, indent=1, ensure_ascii=False, separators=(",", ": ")) + "\n").encode()


def page(claim, *lines, inputs="words of 1..n letters a in {0, 1}", sizes="n >= 1"):
    """A page of one claim, c.c."""
    first = ["language 1", f"sizes {sizes}", f"inputs w in words: {inputs}", "m = len(w)"]
    last = ['claim c.c, own, "-", on words:', '  "."', *(f"  {line}" for line in claim)]
    return "\n".join([*first, *lines, *last]) + "\n"


# Positions of which the order is known


def position(k, factor=1, more=0, kind=POSITION):
    return Placed(more, {k: factor}, kind)


def test_what_the_order_of_positions_decides():
    i, j = position(2), position(1)
    assert j < i
    assert not j >= i
    assert position(1) > 0
    assert position(3, 2) > position(1) + position(2)
    over = [position(k, kind="over") for k in (1, 2)]
    assert over[0] < over[1] < 2
    assert over[1] - 1 < over[0]
    for undecided in (
        lambda: i - 1 > j,
        lambda: i - 1 >= j,
        lambda: i > 2,
        lambda: over[0] + over[1] < 1,
        lambda: over[1] < 1,
    ):
        with pytest.raises(Undecided):
            undecided()


# Pages of this package


@pytest.mark.parametrize(
    ("name", "claim", "sizes", "states"),
    [
        ("ltl", "succ.ltl.since", {}, 15),
        ("ltl", "succ.ltl.until", {}, 15),
        ("ltl", "succ.integers", {}, 15),
        ("ltl", "succ.example", {}, 29),
        ("induction", "induction.copies", {"k": 2}, 54),
        ("induction", "induction.else", {"k": 2}, 32),
        ("cookbook_attention", "cook.predecessor.c", {}, 5),
    ],
)
def test_pages_that_are_shown(name, claim, sizes, states):
    made = shown(BUILT_IN[name], claim, **sizes)
    assert made["claims"][0]["states"] == states
    assert check(as_bytes(made))["verdict"] == "holds"


@pytest.mark.parametrize(
    ("name", "claim", "sizes", "word"),
    [
        ("ltl", "succ.ltl.other-tie", {}, "0 1 0"),
        ("dyck_rounds", "dyck.vkD", {"k": 1, "D": 2, "sign": 1, "active": 0, "guard": 1, "tie": 0}, "0 0 1 1"),
        ("dyck_rounds", "dyck.vkD", {"k": 1, "D": 2, "sign": 0, "active": 0, "guard": 0, "tie": 0}, "0 0 1 1 0 1"),
    ],
)
def test_pages_that_fail_do_so_at_a_shortest_word(name, claim, sizes, word):
    one = searched(BUILT_IN[name], claim, 4, **sizes)
    assert isinstance(one, Fails)
    assert len(one.word) == len(word)


@pytest.mark.parametrize(
    ("name", "claim", "sizes", "why"),
    [
        ("ltl", "succ.attended.left", {}, "only words are of every length"),
        ("parity", "parity.decides", {"trainable": 1}, ""),
        ("cookbook_attention", "cook.predecessor.a", {}, ""),
        ("dyck1", "dyck.accepts", {"D": 2}, ""),
    ],
)
def test_what_is_not_decided_says_why(name, claim, sizes, why):
    text = BUILT_IN[name]
    of = read(text).page
    claim = claim if claim in of.claims else next(iter(of.claims))
    sizes = {size: sizes.get(size, max(1, least)) for size, least in of.sizes.items() if size != "n"}
    one = searched(text, claim, 4, **sizes)
    assert isinstance(one, (NotDecided, Fails))
    assert isinstance(one, Fails) or why in one.why


# Pages that are right to some length, or refused from some length on


def test_right_to_length_14_and_wrong_at_15():
    text = page(["count(w[i] = 1 for i in 1..m) < 15 iff true"], inputs="words of 1..n letters a in {1}")
    one = searched(text, "c.c")
    assert one == Fails(" ".join("0" * 15), 7)
    assert found(read(text), {"n": 14}, ["c.c"])["verdict"] == "holds"
    assert found(read(text), {"n": 15}, ["c.c"])["verdict"] == "refuted"


def test_refused_at_length_15_alone_in_an_entry_that_no_claim_looks_at():
    lines = [
        "y[0] = 0",
        "y[i] = min(y[i-1] + 1, 20) for i in 1..m",
        "table = [0 for k in 1..14]",
        "start = [[w[i], table[y[i]]] for i in 1..m]",
        "layer same:",
        "  x[i] <- x[i]",
        "network net:",
        "  same",
        "Y = net(start)",
    ]
    text = page(["for i in 1..m: Y[i][1] = w[i]"], *lines, inputs="words of 1..n letters a in {1}")
    one = searched(text, "c.c")
    assert isinstance(one, Refused)
    assert len(one.word.split()) == 15
    assert isinstance(searched(text.replace("1..14]", "1..20]"), "c.c"), Shown)


def test_refused_where_a_loop_comes_to_it_at_last():
    """At k, if a j stands before it. The j has met a 2 since: it adds nothing any more, and is looked at."""
    text = page(
        [
            "for i in 1..m: any(w[j] = 1 and c[j] = 0 and not any(s(k) for k in j+1..i-1) for j in 1..i-1)"
            " or true iff true"
        ],
        "c[0] = 0",  # 1 from the first 2 on, and one more for each 0
        "c[i] = (1 if w[i] = 2 else 0) if c[i-1] = 0 else min(c[i-1] + 1, 9) if w[i] = 0 else c[i-1] for i in 1..m",
        "s(k) = w[k] = 2 or [false, false, false, false][max(c[k], 1)]",
        inputs="words of 1..n letters a in {0, 1, 2}",
    )
    one = searched(text, "c.c")
    assert isinstance(one, Refused)
    assert "1" in one.word
    with pytest.raises(TooShort, match="index 5"):
        found(read(text), {"n": len(one.word.split())}, ["c.c"])


def test_that_it_adds_nothing_needs_truths_alone(monkeypatch):
    """The same, of what merges a word that is refused with one that isn't."""
    whole = parts.adds_nothing
    monkeypatch.setattr(parts, "adds_nothing", lambda a, b, c, d: whole(a, b, c, (True,) * len(d)))
    with pytest.raises(search.Unsound, match="isn't like the others: Refused"):
        test_refused_where_a_loop_comes_to_it_at_last()


def test_positions_over_a_size_that_isnt_the_largest_length():
    claim = ["for i in 1..m: i/n < 2 iff true"]
    assert isinstance(searched(page(claim), "c.c"), Shown)
    assert isinstance(searched(page(claim, inputs="words of 1..2*n letters a in {0, 1}"), "c.c"), NotDecided)


def test_vacuous_from_length_1_on_is_vacuous():
    made = shown(page(["if w[1] = 2: w[1] = 1"]), "c.c")
    assert made["verdict"] == "vacuous"
    assert check(as_bytes(made))["verdict"] == "vacuous"


def test_the_empty_word():
    words = "words of 0..n letters a in {0, 1}"
    text = page(["any(w[i] = 1 for i in 1..m) or all(w[i] = 0 for i in 1..m) iff true"], inputs=words)
    made = shown(text, "c.c")
    assert made["claims"][0]["words"][0] == ""
    assert check(as_bytes(made))["verdict"] == "holds"
    del made["claims"][0]["words"][0]
    with pytest.raises(Rejected, match="each step of the word ''"):
        check(as_bytes(made))
    assert searched(page(["m >= 1 iff true"], inputs=words), "c.c") == Fails("", 7)


def test_words_that_are_too_short_are_no_cases():
    of = "words of 3..n letters a in {0, 1}"
    assert isinstance(searched(page(["m >= 3 iff true"], inputs=of), "c.c"), Shown)
    assert searched(page(["m >= 4 iff true"], inputs=of), "c.c") == Fails("0 0 0", 7)


# Adversarial claims about positions, each of which fails at some length


@pytest.mark.parametrize(
    "claim",
    [
        "for i in 1..m: i <= 9",
        "for i in 1..m: i/m >= 1/9",
        "for i in 2..m: w[i-1] = w[i] or i < 9 iff true",
        "m < 9",
        "m mod 9 != 8",
        "for i in 1..m: (i + 1) mod 10 != 0",
        "count(w[i] = 1 for i in 1..m) != 9 iff true",
        "any(j = 0 for j in 0..m) iff false",
        "all(w[j] = 0 or all(w[k] = 0 for k in j+1..m) for j in 1..m) or m < 9 iff true",
        "any(all(w[k] = 1 for k in 1..j-1) and w[j] = 0 for j in 3..m) iff false",
        "max(w[i]*i for i in 1..m) < 9",
        "len([i for i in 1..m if w[i] = 1]) < 9",
        "w[max([j for j in 1..m-1 if w[j] = 0]) + 1] = 1 or m < 9 or all(w[j] = 1 for j in 1..m-1) iff true",
    ],
)
def test_what_fails_at_some_length_is_not_shown(claim):
    assert not isinstance(searched(page([claim]), "c.c"), Shown)


@pytest.mark.parametrize(
    "claim",
    [
        "for i in 1..m: i >= 1",
        "for i in 1..m: i/m < 2",
        "for i in 2..m: w[i-1] = w[i] or w[i-1] + w[i] = 1 iff true",
        "any(w[j] = 1 for j in 1..m) iff not all(w[j] = 0 for j in 1..m)",
        "count(w[i] = 1 for i in 1..m) >= 2 iff any(w[j] = 1 and any(w[k] = 1 for k in j+1..m) for j in 1..m)",
        "m mod 2 = 0 or (m + 1) mod 2 = 0 iff true",
        "max(w[i] for i in 1..m) = 1 iff any(w[i] = 1 for i in 1..m)",
    ],
)
def test_what_holds_of_every_length_is_shown(claim):
    assert check(as_bytes(shown(page([claim]), "c.c")))["verdict"] == "holds"


# Random programs, against all words


def program(draw):
    letters = "ab"
    names, lines = [f"Q_{c}" for c in letters], [f"letters {' '.join(letters)}"]

    def one(at, deep_=0):
        k = draw.random()
        if deep_ > 2 or k < 0.5:
            return draw.choice(names) + at
        if k < 0.65:
            return f"not ({one(at, deep_ + 1)})"
        return f"({one(at, deep_ + 1)} {draw.choice(['and', 'or', '->', '<->'])} {one(at, deep_ + 1)})"

    for k in range(draw.randint(1, 3)):
        kind = draw.random()
        if kind < 0.2:
            lines.append(f"P{k}(i) := {one('')}")
        elif kind < 0.5:
            lines.append(f"P{k}(i) := ({one('')}) {draw.choice(['since', 'until'])} ({one('')})")
        else:
            score = one("(j)") if draw.random() < 0.7 else f"{one('(j)')} and ({one('(i)', 2)} <-> {one('(j)', 2)})"
            mask, tie = draw.choice(["j < i", "j < i", "j > i", "1"]), draw.choice(["leftmost", "rightmost"])
            lines.append(f"P{k}(i) := {tie} j [{mask}, {score}] {one('(j)')} : {one('(i)')}")
        names.append(f"P{k}")
    return "\n".join(lines) + "\n"


BUGS = (
    ("leftmost", "rightmost"),
    ("rightmost", "leftmost"),
    ("j < i", "j <= i"),
    (" and ", " or "),
    ("1..i-1", "1..i"),
)


def spoiled(text, draw):
    """One thing changed, above the claims."""
    above, claims = text.split("\nclaim", 1)
    spots = [(m.start(), a, b) for a, b in BUGS for m in re.finditer(re.escape(a), above)]
    spots = [spot for spot in spots if "#" not in above[: spot[0]].rpartition("\n")[2]]
    if not spots:
        return None
    at, a, b = draw.choice(spots)
    return f"{above[:at]}{b}{above[at + len(a) :]}\nclaim{claims}"


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_and_bugs_against_all_words(seed):
    draw = random.Random(seed)  # noqa: S311
    while True:
        try:
            text = page_of(program(draw), "drawn")
            break
        except NoProgram:
            continue
    for one in filter(None, (text, spoiled(text, draw))):
        claim = list(read(one).page.claims)[-1]
        (brute,) = found(read(one), {"n": 7}, [claim])["claims"]
        asked = {"page": one, "sizes": {}, "length": "n", "claim": claim, "most": 0}
        with deep():
            outcome = search.searched(Answers().to, asked, time.monotonic() + 4)
        if isinstance(outcome, Shown):
            assert brute["verdict"] == "holds"
        elif isinstance(outcome, Fails) and len(outcome.word.split()) <= 7:
            assert brute["verdict"] == "refuted"
            assert len(brute["first"]["cases"][0]) == len(outcome.word.split())
        else:
            assert isinstance(outcome, (Fails, NotDecided))


# Forged files


@pytest.fixture(scope="module")
def good():
    return shown(BUILT_IN["ltl"], "succ.ltl.since")


def test_words_left_out_are_missed(good):
    """A word without which the others still show every step may go; without any other the file is refused."""
    words, refused = good["claims"][0]["words"], 0
    for k in range(len(words)):
        forged = json.loads(json.dumps(good))
        del forged["claims"][0]["words"][k]
        try:
            check(as_bytes(forged))
        except Rejected:
            refused += 1
    assert refused > len(words) / 2
    for few in (words[:1], words[: len(words) // 2], words[-3:]):
        forged = json.loads(json.dumps(good))
        forged["claims"][0]["words"] = few
        with pytest.raises(Rejected, match="each step of the word"):
            check(as_bytes(forged))


@pytest.mark.parametrize(
    ("member", "value"),
    [("states", 14), ("steps", 97), ("cutoff", 5), ("verdict", "vacuous"), ("id", "succ.ltl.other-tie")],
)
def test_numbers_and_verdicts_are_derived(good, member, value):
    forged = json.loads(json.dumps(good))
    forged["claims"][0][member] = value
    with pytest.raises(Rejected):
        check(as_bytes(forged))


def test_words_of_another_page_show_nothing(good):
    for a, b in (("rightmost max of x[j][3]", "leftmost max of x[j][3]"), ("1 - max(x[i][1] - x[i][2], 0)", "1")):
        forged = good | {"page": good["page"].replace(a, b)}
        assert forged["page"] != good["page"]
        with pytest.raises(Rejected):
            check(as_bytes(forged))


def test_the_schema(good):
    schema = json.loads((Path(__file__).parent.parent / "proofs" / "lengths.schema.json").read_text())
    jsonschema.validate(good, schema)
    for change in ({"length": 3}, {"claims": []}, {"verdict": "refuted"}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(good | change, schema)


def test_the_file_is_canonical(good):
    with pytest.raises(Rejected):
        check(as_bytes(good).replace(b'"cutoff": 3', b'"cutoff":  3'))
    for change in (
        lambda words: words[::-1],
        lambda words: [*words, words[-1]],
        lambda words: [*words, "4 " * 9 + "4"],
        lambda words: [*words, "0  1"],
        lambda words: [*words, "zero"],
    ):
        forged = json.loads(json.dumps(good))
        forged["claims"][0]["words"] = change(forged["claims"][0]["words"])
        with pytest.raises(Unreadable):
            check(as_bytes(forged))
    for change in ({"length": "D"}, {"sizes": {"n": 3}}, {"claims": []}, {"page": "language 1\n"}, {"more": 1}):
        with pytest.raises((Unreadable, Rejected)):
            check(as_bytes(good | change))


# What if what is remembered weren't enough?


def test_a_head_that_forgets_scores_is_noticed(monkeypatch):
    """The last token would stand for the best one."""
    whole = parts.Best.better_of
    monkeypatch.setattr(parts.Best, "better_of", lambda self, asks, best, token: whole(self, asks, None, token) or best)
    text = page_of("letters a b\nP(i) := rightmost j [j < i, Q_a(j)] Q_a(j) : 0\n", "P")
    text = re.sub("for i in 1..L: Y.*", "for i in 1..L: Y[i][4] >= 0", text)  # no definition remembers as much
    with pytest.raises(RuntimeError, match="not the same is so there"):
        searched(text, "rasp.line2")


def test_a_count_that_stops_too_early_is_noticed(monkeypatch):
    monkeypatch.setattr(parts.Many, "step", lambda self, before, here: min(before + 1, 2))  # noqa: ARG005
    with pytest.raises(search.Unsound, match="isn't like the others"):
        searched(page(["m < 9"]), "c.c")


def test_a_cover_that_looks_at_one_side_alone_is_noticed(monkeypatch):
    monkeypatch.setattr(cover, "lifted", lambda *_, **__: iter(()))
    with pytest.raises(search.Unsound):
        searched(BUILT_IN["ltl"], "succ.ltl.since")


# The command


def test_the_command(tmp_path, capsys):
    file = tmp_path / "c.json"
    assert main(["--paper", "ltl", "--claims", "succ.ltl.since", "--n", "all", "--certificate", str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "15 states, none that is new after length 3" in said
    assert "1 claim holds for words of every length. Shown by the checker; this program, which shares no code" in said
    assert main(["check", "--promise", "all succ.ltl.since paper=ltl", str(file)]) == 0
    assert "n = all, for words of every length: holds" in capsys.readouterr().out
    assert main(["check", "--promise", "all succ.ltl.until paper=ltl", str(file)]) == 1
    assert main(["--paper", "ltl", "--claims", "succ.ltl.other-tie", "--n", "all"]) == 1
    assert "010, i = 3" in capsys.readouterr().out
    assert main(["--paper", "ltl", "--claims", "succ.attended.left", "--n", "all", "-q"]) == 5
    assert capsys.readouterr().out == "not decided\n"
    assert main(["--paper", "ltl", "--n", "all", "--format", "json"]) == 2
    assert main(["--paper", "induction", "--n", "all", "--k", "all"]) == 2
    assert main(["--paper", "induction", "--n", "all", "--k", "2..3"]) == 2
    assert main(["survey", "--paper", "ltl", "--n", "all"]) == 2
    assert main(["explain", "--paper", "ltl", "--n", "all", "--input", "01"]) == 2


def test_a_claim_that_fails_where_not_all_words_can_be_run(tmp_path, capsys, monkeypatch):
    def too_large(*_, **__):
        raise TooLarge((0, 0), "as if words didn't merge")

    monkeypatch.setattr("verifier.evaluate.run.by_states", too_large)
    file = tmp_path / "long.page"
    count = " ".join(["0"] * 24)
    file.write_text(page(["count(w[i] = 0 for i in 1..m) < 24 or any(w[i] = 1 for i in 1..m) iff true"]))
    assert main(["--paper", str(file), "--n", "all", "--time-limit", "60"]) == 1
    assert count in " ".join(capsys.readouterr().out.split())


def test_decided_and_its_certificate_are_what_the_checker_derives():
    of = read(BUILT_IN["ltl"])
    decided = decide(of, {}, "n", ["succ.ltl.until", "succ.integers"], None, lambda _: None)
    data = certificate(of, {}, "n", decided)
    assert data == as_bytes(json.loads(data))
    assert [one["verdict"] for one in check(data)["claims"]] == ["holds", "holds"]


def test_a_loop_through_letters_is_one_through_positions():
    network = ["layer left:", "  l = read x[j][1] at rightmost max of 0 over j < i else 0", "  x[i] <- [l]"]
    lines = ["for i in 2..m: Y[i][1] = w[i-1]", "all(a < 2 for a in w) or count(a = 2 for a in w) > 0 iff true"]
    by_letters, by_positions = (
        page(lines, *network, "network net:", "  left", f"Y = net([[{letter}] for {loop}])")
        for letter, loop in (("a", "a in w"), ("w[i]", "i in 1..m"))
    )
    assert searched(by_letters, "c.c").states == searched(by_positions, "c.c").states
    wrong = by_letters.replace("over j < i", "over j <= i")
    assert isinstance(searched(wrong, "c.c"), Fails)
