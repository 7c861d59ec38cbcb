"""FORMAT 4: what a promise says, which are none, and which are kept."""

import hashlib

import pytest

from verifier.catalogue import pages
from verifier.checker.core.reading import Unreadable
from verifier.checker.promises import Promise, broken, promise, promises
from verifier.checker.symbolic.facts import FACTS

LEMMA_6 = [f"lemma6.{k}" for k in (1, 2, 3, 4)]
PAGE = "page:0123456789abcdef"  # the first digits of its text's SHA-256
YUN = f"page:{hashlib.sha256(pages()['yun2020'].read_bytes()).hexdigest()}"
PROPERTIES = f"1 3 4 {','.join(LEMMA_6)}"


@pytest.mark.parametrize(
    ("line", "paper", "instance", "variant", "claims", "verdict"),
    [
        ("1 3 4 lemma6.2", YUN, (1, 3, 4), {}, ["lemma6.2"], "holds"),
        (" 1 3 4  lemma6.3,lemma6.1 refuted ", YUN, (1, 3, 4), {}, ["lemma6.3", "lemma6.1"], "refuted"),
        ("0 10 4 all vacuous", YUN, (0, 10, 4), {}, ["all"], "vacuous"),
        ("1 2 3 grid skipped paper=yun2020", YUN, (1, 2, 3), {}, ["grid"], "skipped"),
        ("1 2 3 lemma6.1 t_l=60", YUN, (1, 2, 3), {"t_l": "60"}, ["lemma6.1"], "holds"),
        ("1 2 3 lemma6.1 holds t_l=6 t_r=7/2", YUN, (1, 2, 3), {"t_l": "6", "t_r": "7/2"}, ["lemma6.1"], "holds"),
        (f"5 mine.it paper={PAGE}", PAGE, (5,), {}, ["mine.it"], "holds"),
        (f"5 6 mine,all refuted paper={PAGE} f=1/2", PAGE, (5, 6), {"f": "1/2"}, ["mine", "all"], "refuted"),
        (f"2 all all paper={PAGE}", PAGE, (2, "all"), {}, ["all"], "holds"),
        (f"all 2 mine.it refuted paper={PAGE}", PAGE, ("all", 2), {}, ["mine.it"], "refuted"),
        ("* * * c.bound proved", "symbolic", ("*", "*", "*"), {}, ["c.bound"], "proved"),
        ("* 3 * c.ids,sharp proved", "symbolic", ("*", 3, "*"), {}, ["c.ids", "sharp.lower", "sharp.upper"], "proved"),
        ("* 12 * all proved", "symbolic", ("*", 12, "*"), {}, list(FACTS.claims), "proved"),
    ],
)
def test_what_a_promise_says(line, paper, instance, variant, claims, verdict):
    found = promise(line)
    assert (found.paper, found.instance, found.variant) == (paper, instance, variant)
    assert (sorted(found.claims), found.verdict, found.line) == (sorted(claims), verdict, line.strip())


@pytest.mark.parametrize(
    "line",
    ["", "1 3 4", "1 3 lemma6", "1 3 4 5 lemma6", "1 3 4 lemma6 holds holds", "1 3 4 lemma6 perhaps", "1 3 4 lemma6,",
     "1 3 x lemma6", "x 3 4 lemma6", "01 3 4 lemma6", "-1 3 4 lemma6", f"1 3 1{'0' * 100} lemma6", "* 3 4 lemma6",
     "t_l=60 1 3 4 lemma6", "1 3 4 t_l=60 lemma6", "1 3 4 lemma6 t_l=1 t_l=1", "1 3 4 lemma6 t_l=x",
     "1 3 4 lemma6 t_l=6=0",
     "1 3 4 lemma6 proved", "* 3 4 lemma6 proved", "1 3 * lemma6 proved", "* 0 * lemma6 proved", "* 100 * c proved",
     "* x * lemma6 proved", "* 3 * lemma6 proved t_l=60", "* 3 * lemma6", "* * * lemma6 holds",
     "* 3 * c proved paper=bigbird2020", "5 mine.it paper=own",
     f"5 mine.it perhaps paper={PAGE}", f"5 6 paper={PAGE}", f"paper={PAGE}", f"mine.it proved paper={PAGE}",
     f"5 mine.it, paper={PAGE}"],
)  # fmt: skip
def test_what_is_no_promise(line):
    with pytest.raises(Unreadable, match=r"one is `|one of |the sizes of|t_l|a page is one of"):
        promise(line)


def test_a_claim_that_the_page_has_not_is_named():
    for line, said in (
        ("1 3 4 lemma6,lemma99", 'yun2020 has no claim "lemma99"'),
        ("1 3 4 bigbird refuted", 'yun2020 has no claim "bigbird"'),
        ("* 3 * grid proved", 'no claim "grid" is proved symbolically'),
    ):
        with pytest.raises(Unreadable) as error:
            promise(line)
        assert str(error.value) == f'promise "{line}": {said}'


def test_the_lines_of_a_file():
    lines = ["# what we rely on", "", "  ", "1 3 4 lemma6.1 # and more", "1 2 3 lemma6.2 refuted"]
    assert [(p.line, p.claims) for p in promises(lines)] == [
        ("1 3 4 lemma6.1", ["lemma6.1"]),
        ("1 2 3 lemma6.2 refuted", ["lemma6.2"]),
    ]


def cert(verdicts, instance=(1, 3, 4), **more):
    claims = [{"id": name, "verdict": verdict} for name, verdict in verdicts.items()]
    return {"instance": dict(zip("dnN", instance, strict=True)), "claims": claims, "paper": YUN, **more}


def test_which_certificates_a_promise_is_about():
    asked = promise("1 3 4 lemma6.1")
    assert asked.about(cert({}))
    assert not asked.about(cert({}, paper=f"{PAGE}99"))
    assert not asked.about(cert({}, (1, 4, 3)))
    assert not asked.about(cert({}, variant={"t_l": "60"}))
    assert promise("1 3 4 lemma6 t_l=60").about(cert({}, variant={"t_l": "60"}))
    page = promise(f"5 6 mine paper={PAGE}")
    assert page.about({"instance": {"b": 5, "a": 6}, "claims": [], "paper": f"{PAGE}99"})
    assert not page.about({"instance": {"b": 6, "a": 5}, "claims": [], "paper": f"{PAGE}99"})
    assert not page.about({"instance": {"b": 5, "a": 6}, "claims": [], "paper": f"{PAGE[:-1]}e"})
    proofs = {"instance": {"d": "*", "n": 3, "N": "*"}, "claims": []}
    assert promise("* 3 * c proved").about(proofs)
    assert not asked.about(proofs | {"instance": {"d": 1, "n": 3, "N": 4}})


def test_a_family_of_a_page_is_every_claim_of_it_that_the_page_has():
    mine = cert({"mine.a": "holds", "his.a": "holds"}, paper=PAGE) | {"declared": ["mine.a", "mine.b", "his.a"]}
    for claims, found in (
        ("mine", ["mine.a", "mine.b"]),
        ("all", ["mine.a", "mine.b", "his.a"]),
        ("his.a,hers", ["his.a", "hers"]),
    ):
        assert promise(f"1 3 4 {claims} paper={PAGE}").of(mine) == found
    assert promise(PROPERTIES).of(cert({"lemma6.1": "holds"})) == LEMMA_6


def test_what_a_certificate_lacks_is_said():
    kept = dict.fromkeys(LEMMA_6, "holds")
    asked = promise(PROPERTIES)
    assert asked.lacks(cert(kept)) == ""
    assert asked.lacks(cert(kept | {"lemma6.2": "refuted", "grid.size": "refuted"})) == "says that lemma6.2 is refuted"
    mixed = {"lemma6.1": "vacuous", "lemma6.3": "skipped", "lemma6.4": "holds"}
    both = "says that lemma6.1 is vacuous, says that lemma6.3 is not checked, doesn't have lemma6.2"
    assert asked.lacks(cert(mixed)) == both
    four = "doesn't have lemma6.1, lemma6.2, lemma6.3, lemma6.4"
    assert asked.lacks(cert({})) == four
    wider = Promise("", YUN, (1, 3, 4), {}, [*LEMMA_6, "grid.size", "b5.ids"], "holds")
    assert wider.lacks(cert({})) == f"{four}, and 2 more"
    fifth = Promise("", YUN, (1, 3, 4), {}, [*LEMMA_6, "b5.ids"], "holds")
    assert fifth.lacks(cert({})) == f"{four}, and 1 more"


def test_each_promise_is_kept_and_each_certificate_keeps_one():
    good, bad = cert({"lemma6.1": "holds"}), cert({"lemma6.1": "refuted"})
    other = cert({"lemma6.1": "holds"}, (1, 2, 5), variant={"t_l": "60", "t_r": "7/2"})
    asked = promise("1 3 4 lemma6.1")
    assert broken([asked], [("a", good)]) == []
    assert broken([asked, promise("1 3 4 lemma6.1 holds")], [("a", good), ("b", good)]) == []
    keeps_none = "keeps none of the promises: it is about"
    as_it_stands = "d = 1, n = 3, N = 4, the construction as the page has it"  # in the order of a promise
    assert broken([asked], [("a", good), ("b", bad)]) == [f"b {keeps_none} {as_it_stands}"]
    assert broken([asked], [("b", bad)]) == [
        'promise "1 3 4 lemma6.1" is not kept: b says that lemma6.1 is refuted',
        "b keeps none of the promises",  # why stands above
    ]
    assert broken([asked], [("c", other), ("c", bad)]) == [
        'promise "1 3 4 lemma6.1" is not kept: c says that lemma6.1 is refuted',
        f"c {keeps_none} d = 1, n = 2, N = 5, the variant t_l=60 t_r=7/2",
        "c keeps none of the promises",
    ]
    assert broken([asked], []) == [
        f'promise "1 3 4 lemma6.1" is not kept: no certificate here is about {YUN} at (1, 3, 4)'
    ]
    assert promise("1 3 4 lemma6.1 t_r=5").subject == f"{YUN} at (1, 3, 4), t_r = 5"
    assert promise(f"5 6 mine paper={PAGE}").subject == f"{PAGE} at (5, 6)"
