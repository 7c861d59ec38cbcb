"""The report page: its numbers are the certificate's, nothing leaves it, and in a browser it looks as it should."""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree

import pytest

import formulas
import verifier
from cli import main
from processes import completed
from tampered.corpus import corpus, named
from verifier.catalogue import all_claims, choose, papers
from verifier.certificate import canonical, certify
from verifier.checker import __main__ as checker
from verifier.checking import Answered
from verifier.papers.yun2020.contextual_map import contextual_map
from verifier.papers.yun2020.instance import Instance
from verifier.report import page, pictures, sources, steps
from verifier.report.sources import Source, Survey, load
from verifier.report.words import commands, verdict_of
from verifier.run.verify import verify

ROOT = Path(__file__).parent.parent
CLI = [sys.executable, str(ROOT / "cli.py")]
COMMITTED = ROOT / "proofs/certificates"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;</style></title>{}$body"
VOID = {"meta", "link", "br", "img", "input"}


def call(*arguments, folder=ROOT):
    return completed([*CLI, *map(str, arguments)], cwd=folder)


class Page(HTMLParser):
    """The page taken apart: every tag is closed in its place, and ids are unique."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.words = [], [], [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        if tag == "math":  # a formula as it was written
            self.words.append(dict(attrs)["alttext"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script", "math"} & set(self.open):
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.words))


def made(*paths, sweep=None):
    html = page.render([load(Path(path)) for path in paths], sweep).decode()
    return html, Page(html)


def exactly_one(page_, tag):
    return [attrs for name, attrs in page_.tags if name == tag]


@pytest.fixture(scope="module")
def small():
    return made(COMMITTED / "d1-n3-N4.json")


@pytest.fixture(scope="module")
def many():
    files = [path for path in COMMITTED.rglob("*.json") if '"page": ' not in path.read_text()]  # has its own report
    return made(*sorted(files))


def test_structure(small):
    html, found = small
    assert html.startswith("<!DOCTYPE html>")
    assert [len(exactly_one(found, tag)) for tag in ("h1", "main", "header", "nav")] == [1, 1, 1, 1]
    assert html.count("<title>holds: (d, n, N) =\u00a0(1,\u00a03,\u00a04)</title>") == 1
    assert len(set(found.ids)) == len(found.ids)
    assert {link[1:] for link in found.links if link.startswith("#")} <= set(found.ids)
    assert exactly_one(found, "html")[0]["lang"] == "en"
    for picture in (attrs for tag, attrs in found.tags if tag == "svg" and "plot" in attrs.get("class", "")):
        assert picture["role"] in ("img", "group")


def test_every_part_folds(small):
    """Its heading is what a click folds it by; what stands around the certificates is folded at first."""
    html, found = small
    headings = re.findall(r"<details([^>]*)><summary>(?:<h[23]>)?([^<]*)", html)
    parts = {words: "open" in attributes for attributes, words in headings}
    assert list(parts)[:6] == [
        "What was covered", "Where the values lie", "A sweep, step by step", "Lemma 10: the largest id after the sweep",
        "Slack: by how much the claims hold", "How values and layers grow",
    ]  # fmt: skip
    assert [words for words in list(parts)[:6] if not parts[words]] == ["How values and layers grow"]
    assert not any(parts[words] for words in list(parts)[6:])  # the families of claims
    assert [attrs.get("id") for tag, attrs in found.tags if tag == "details" and "id" in attrs] == ["growth"]
    assert "App. B.5, step by step (b5): 18 claims" in parts
    assert "the lower bound of Lemma 10" in html


def test_verdict_coverage_and_the_check_of_this_very_file(small):
    _, found = small
    assert (
        "All 32 claims hold at (d, n, N) = (1, 3, 4), on every one of the 35 orbits (125 matrices) of G+." in found.text
    )
    assert "re-checked just now: accepted" in found.text
    assert (
        "checked in full: (d, n, N) = (1, 3, 4), 32 claims hold; 35 orbits (125 matrices), each attention head run"
        in found.text
    )
    assert "every other (d, n, N)" in found.text
    assert "verify --d 1 --n 3 --N 4 --claims claim1,grid,b5,lemma10,lemma6" in found.text


def test_the_bar_of_the_categories_and_the_coverage_table_have_the_same_colours_and_right_aligned_numbers(small):
    html, _ = small
    part = html[html.index("What was covered") : html.index("Not covered:")]
    rows = re.findall(
        r'<th scope="row"><span class="key (c\d)"[^>]*></span>Category (\d).*?</th><td>(\d+)</td><td>(\d+)</td>', part
    )
    assert rows == [("c1", "1", "4", "24"), ("c2", "2", "16", "40"), ("c3", "3", "15", "61")]
    shares = re.findall(r'<rect [^>]*width="([\d.]+)%"[^>]* class="(c\d)">', part)
    assert shares == [(f"{int(row[3]) * 4 // 5}.{int(row[3]) * 80 % 100:02}", row[0]) for row in rows]
    style = html[html.index("<style>") : html.index("</style>")]
    for rule in (".stack rect { fill: var(--c); }", ".coverage th + th, .coverage td { text-align: right; }"):
        assert rule in style
    assert re.search(r"\.key \{[^}]* background: var\(--c\);", style)
    assert all(f".c{c} {{ --c: var(--c{c}); }}" in style for c in (1, 2, 3))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["d1-n3-N4", "d2-n2-N3", "paper/d1-n3-N4", "variants/sentinel-delta"])
def test_every_number_of_a_claim_s_evidence_stands_in_its_place(name):
    path = COMMITTED / f"{name}.json"
    html, _ = made(path)
    source = load(path)
    for claim in json.loads(path.read_text())["claims"]:
        start = html.index(f'<article id="claim-{claim["id"]}"')
        card = html[start : html.index("</article>", start) + len("</article>")]
        words = Page(card).text
        shown = claim.get("counterexample") or claim.get("tightest") or {}
        for key in ("value", "bound", "slack"):
            if isinstance(shown.get(key), str):
                assert pictures.short(shown[key]) in words, (claim["id"], key)
        assert verdict_of(claim, source) in words
        assert all_claims()[claim["id"]].kind in words
        assert f"{claim['cases']:,} case" in words
        assert f"--claims {claim['id']}" in words or "contextual_map(" in words


def test_an_excluded_reading_is_told_apart_from_what_is_refuted():
    """lemma8.radius at (1, 3, 4): it fails, and isn't among the refuted claims of the sentence on top."""
    html, found = made(COMMITTED / "paper/d1-n3-N4.json")
    top = found.text[: found.text.index("re-checked just now")]
    refuted, _, others = top.partition("fails only if the text is read literally: ")
    assert "lemma7.map" in refuted
    assert "lemma8.radius" not in refuted
    assert "lemma8.radius, lemma9.layerwise, theorem2.heads" in others
    assert "badge fails" in html


@pytest.mark.thorough
def test_every_claim_is_in_mathematics(many):
    html, found = many
    claims = [claim for paper in papers() for claim in choose(["all"], paper) if claim.id in found.text]
    assert {claim.family for claim in claims} == {claim.family for claim in choose(["all"])}
    for claim in claims:
        assert f"claim-{claim.id}" in found.ids
    cards = dict(re.findall(r'<article id="claim-([^"]*)"(.*?)</article>', html, re.DOTALL))
    assert all('class="formula"' in cards[claim.id] for claim in claims)
    assert all("<math" in cards[claim.id] for claim in choose(["all"]))


@pytest.mark.parametrize("which", ["small", "many"])
def test_every_formula_in_words_captions_and_tables_is_typeset(which, request):
    html, _ = request.getfixturevalue(which)
    assert "<math" in html
    assert formulas.plain(html) == {}


def test_nothing_leaves_the_page(small, many):
    for html, found in (small, many):
        addresses = re.findall(r"\w+://[^\s<\"']*", html)
        assert addresses == ["https://arxiv.org/abs/1912.10077"]  # words, no link
        assert all(link.startswith("#") or link == "data:," for link in found.links)
        names = {name for _, attrs in found.tags for name in attrs}
        assert not names & {"src", "srcset", "action", "style", "data", "background"}
        assert not [name for name in names if name.startswith("on")]
        assert "@import" not in html
        assert "url(" not in html


def test_a_page_of_everything_is_small(many):
    html, _ = many
    assert len(html.encode()) < 2_000_000


def test_the_picture_alone_is_well_formed_and_the_page_s_own(tmp_path):
    done = call("report", COMMITTED / "d1-n3-N4.json", "-o", tmp_path / "picture.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    drawn = (tmp_path / "picture.svg").read_bytes()
    assert drawn == (ROOT / "docs/separation.svg").read_bytes()  # the README's
    root = ElementTree.fromstring(drawn)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    html, _ = made(COMMITTED / "d1-n3-N4.json")
    _, start, inner = drawn.decode().partition('<svg class="plot"')
    assert start + inner.removesuffix("</svg></svg>\n") in html


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (["d1-n3-N4.json", "d1-n3-N5.json"], "a picture is of one certificate; given is 2 files"),
        (["claim1.json"], "no claim of it names a value of q"),
        (["rejected.json"], "rejected; a picture is of a certificate that the checker accepts"),
    ],
)
def test_what_has_no_picture_is_said(files, why, tmp_path):
    for name in ("d1-n3-N4.json", "d1-n3-N5.json"):
        shutil.copy(COMMITTED / name, tmp_path)
    if "claim1.json" in files:
        call("--d", "1", "--n", "2", "--N", "2", "--claims", "claim1", "--certificate", tmp_path / "claim1.json")
    (tmp_path / "rejected.json").write_bytes((tmp_path / "d1-n3-N4.json").read_bytes().replace(b"12288", b"12289"))
    done = call("report", *files, "-o", "picture.svg", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert not (tmp_path / "picture.svg").exists()


@pytest.mark.parametrize("name", ["d1-n3-N4", "variants/sentinel-delta", "variants/factor-1"])
def test_the_command_on_the_page_makes_the_very_certificate_again(name, tmp_path, monkeypatch):
    path = COMMITTED / f"{name}.json"
    again, check, _ = commands(load(path)).splitlines()
    assert check == "verify check again.json"
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(again)[1:]) == (0 if json.loads(path.read_text())["verdict"] == "holds" else 1)
    assert Path("again.json").read_bytes() == path.read_bytes()


def test_a_value_on_a_threshold_is_said_and_drawn_to_be_equal():
    html, found = made(COMMITTED / "variants/t_l-at-a-value.json")
    assert "equal to" in found.text
    assert 'class="big equal c1"' in html
    html, found = made(COMMITTED / "d1-n2-N70.json")  # nearly, but not: 4901 of 23671901
    assert "4901 above" in found.text
    assert "big equal" not in html
    assert "equal to the upper bound, which is reached" in found.text


def test_points_are_the_certificate_s():
    certificate = json.loads((COMMITTED / "d1-n3-N4.json").read_text())
    values = {(point.category, str(point.value)) for point in pictures.points(certificate)}
    assert {(1, "7042"), (1, "43947/4"), (2, "10023/4"), (3, "-16448"), (3, "65792")} <= values
    near = pictures.nearest(certificate, pictures.points(certificate))
    assert [(n.threshold, n.point.category, str(n.distance)) for n in near] == [
        ("t_l", 1, "3970"),
        ("t_l", 2, "-2265/4"),
        ("t_l", 3, "-19520"),
        ("t_r", 1, "-5205/4"),
        ("t_r", 3, "53504"),
    ]


def test_the_sweep_is_that_of_the_literal_network():
    _, found = made(COMMITTED / "d1-n3-N4.json")
    assert "Column 1 goes from 0 to 3, by 4 × (largest id − smallest id) = 4 × (3/4 − 0) = 3." in found.text
    assert (
        "Level 1/2 does nothing. Column 3 goes from 3/4 to 171/4, by 4 × (largest id − smallest id) = 4 × (45/4"
        in found.text
    )
    assert "Every column is raised by 10944 = 256 × 171/4 (the largest id). All values are in" in found.text
    _, found = made(COMMITTED / "d1-n3-N4.json", sweep="b5.cat2-bound")
    assert "The ids of the columns of [0, 0, 3/4], the tightest case of b5.cat2-bound" in found.text
    assert "None of the values is in the shaded interval." in found.text


def test_a_sweep_that_is_too_long_is_said_to_be(monkeypatch):
    monkeypatch.setattr(steps, "MOST_FRAMES", 3)
    html, found = made(COMMITTED / "d1-n3-N4.json")
    assert html.partition("<script")[0].count('class="frame"') == 3
    assert "2 steps in the middle are left out." in found.text
    monkeypatch.setattr(steps, "MOST_LEVELS", 3)
    _, found = made(COMMITTED / "d1-n3-N4.json")
    assert "The sweep of 4^1 levels is too long to be drawn here." in found.text


def tampered(tmp_path, change):
    certificate = json.loads((COMMITTED / "d1-n2-N3.json").read_text())
    change(certificate)
    path = tmp_path / "tampered.json"
    path.write_bytes(canonical(certificate))
    return path


@pytest.mark.thorough
@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(statement=HOSTILE),
        lambda c: c["claims"][3].update(statement=HOSTILE),
        lambda c: c["not_covered"].append(HOSTILE),
        lambda c: c["claims"][-3]["tightest"].update(relation=HOSTILE),
    ],
    ids=["statement", "claim", "not covered", "relation"],
)
def test_hostile_words_stay_words(tmp_path, change):
    path = tampered(tmp_path, change)
    done = call("report", path, "-o", tmp_path / "r.html")
    assert done.returncode == 1
    assert ": rejected: " in done.stderr
    html = (tmp_path / "r.html").read_text()
    found = Page(html)
    assert [tag for tag, _ in found.tags].count("script") == 1
    assert "img" not in {tag for tag, _ in found.tags}
    assert "The checker rejects this certificate" in found.text
    assert "holds" not in exactly_one(found, "p")[1].get("class", "")
    as_if = page.render(
        [Source(HOSTILE, json.loads(path.read_text()), standing, HOSTILE, 0, 0) for standing in STANDINGS]
    )
    assert {tag for tag, _ in Page(as_if.decode()).tags} & {"img"} == set()
    assert b"<script>alert" not in as_if


STANDINGS = ("accepted", "rejected", "unchecked")


@pytest.fixture
def checker_here(monkeypatch, capsys):
    """The checker in this process: that it is asked in one of its own is tested with every other page."""

    def run(words, *, given):
        stdin = TextIOWrapper(BytesIO(given))
        monkeypatch.setattr(sys, "stdin", stdin)
        code = checker.main(["--json", *words])
        return Answered(code, list(map(json.loads, capsys.readouterr().out.splitlines())))

    monkeypatch.setattr(sources, "run_checker", run)


@pytest.mark.usefixtures("checker_here")
@pytest.mark.parametrize("lie", corpus(), ids=str)
def test_no_tampered_certificate_breaks_the_page(lie, tmp_path):
    try:
        source = load(lie.written(tmp_path))
    except ValueError:
        return  # unreadable: said in one line
    html = page.render([source]).decode()
    assert source.standing != "accepted"
    Page(html)
    assert "claims hold at" not in html or "NOT re-checked" in html


def test_a_certificate_of_which_no_orbit_was_run_has_a_page(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(certify(verify(contextual_map(Instance(1, 2, 2)), choose(["claim1"]))))
    _, found = made(path)
    assert "All 2 claims hold at (d, n, N) = (1, 2, 2), where no orbit was run." in found.text


@pytest.mark.thorough
def test_a_page_of_too_much_says_what_is_left_out():
    path = COMMITTED / "paper/d2-n2-N3.json"
    html = page.render([load(path)] * 60)
    notes = re.findall(rb"<p[^>]*><code>[^<]*</code>: left out here, so that the page stays under 2 MB[^<]*</p>", html)
    assert len(notes) > 5
    assert len(html) + (page.MOST_FILES - 60) * max(map(len, notes)) < 2_000_000  # the others would be such notes
    row = {"d": 1, "n": 2, "orbits": "6", "matrices": "9", "verdict": "holds", "families": {"b5": {"holds": 17}}}
    survey = Survey("s", [row | {"N": N} for N in range(2, 10_000)])
    html = page.render([survey]).decode()
    assert len(html.encode()) < 2_000_000
    assert "The first 4,000 of 9,998 instances." in html


def test_what_was_not_rechecked_is_nowhere_said_to_be():
    paths = [COMMITTED / "d1-n2-N2.json", COMMITTED / "d1-n3-N4.json"]
    found = Page(page.render([load(path, max_points=10) for path in paths]).decode())
    assert re.findall(r"(?<!NOT )re-checked", found.text) == ["re-checked"] * 2  # on top and of the first: 6 orbits
    assert "2 certificates, 1 re-checked just now and accepted, 1 NOT re-checked." in found.text
    assert found.text.count("unchecked") == 1  # by the checker, in the table
    assert found.text.count("The file says: At d = 1, n = 3, N = 4, ") == 1


def test_a_file_is_named_as_a_shell_reads_it(tmp_path):
    path = tmp_path / "mine & ü.json"
    shutil.copy(COMMITTED / "d1-n2-N3.json", path)
    _, found = made(path)
    assert f"verify check '{path}'" in found.text
    odd = tmp_path / "odd\n.json"
    shutil.copy(path, odd)
    assert load(odd).name.endswith("odd\\n.json")


@pytest.mark.thorough
def test_exit_codes(tmp_path):
    good, out = COMMITTED / "d1-n2-N3.json", tmp_path / "r.html"
    assert call("report", good, "-o", out).returncode == 0
    assert call("report", COMMITTED / "variants/factor-1.json", "-o", out).returncode == 0  # as it says, and so it is
    out.unlink()
    for arguments, words in [
        ((good,), "-o is missing"),
        (("-o", out), "a file is missing"),
        ((named("a-float").written(tmp_path), "-o", out), "a-float.json"),
        ((tmp_path / "none.json", "-o", out), "No such file"),
        ((good, "-o", tmp_path / "no/such.html"), "there is no such folder"),
        ((good, "-o", out, "--sweep", "lema6.4"), "--sweep: no claim 'lema6.4'; did you mean lemma6.4?"),
        ((good, "-o", out, "--sweep", "slides.sentinel"), "slides.sentinel"),
        ((good, "-o", tmp_path / "r.pdf"), "a page is a FILE.html"),
        ((good, "-o", out, "-o", out), "given 2 times"),
    ]:
        done = call("report", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
        assert not out.exists()
    over = call("report", good, "-o", out, "--max-points", "5")
    assert over.returncode == 4
    assert "NOT re-checked" in out.read_text()
    copy = tmp_path / "c.json"
    shutil.copy(good, copy)
    done = call("report", copy, "-o", copy)
    assert done.returncode == 2
    assert copy.read_bytes() == good.read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_page_that_cant_be_written_is_3(tmp_path):
    command = f"ulimit -f 8; {sys.executable} {CLI[1]} report {COMMITTED / 'd1-n2-N3.json'} -o {tmp_path / 'r.html'}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert not (tmp_path / "r.html").exists()


@pytest.mark.thorough
def test_a_survey_is_a_heat_map(tmp_path):
    done = call("survey", "--d", "1..2", "--n", "2..3", "--N", "2..4", "--max-points", "500", "--format", "json")
    path = tmp_path / "survey.json"
    path.write_text(done.stdout)
    _, found = made(path)
    assert (
        "12 instances surveyed: 10 hold, 2 too large to be run. A survey is not a certificate, and nothing of it"
        in found.text
    )
    assert "just now" not in found.text
    assert "verdict unchecked" in [attrs.get("class") for tag, attrs in found.tags if tag == "p"]
    rows = json.loads(done.stdout)["rows"]
    cells = [attrs["class"] for tag, attrs in found.tags if tag == "div" and "cell" in attrs.get("class", "")]
    assert len(cells) == len(rows)
    assert cells.count("cell too-large") == sum(row["verdict"] == "too large" for row in rows) > 0
    for bad in ('{"format": "verifier.survey/1", "rows": []}', '{"format": "verifier.survey/1", "rows": [{"d": 1}]}'):
        path.write_text(bad)
        assert call("report", path, "-o", tmp_path / "r.html").returncode == 2


# --- in a browser -------------------------------------------------------------

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
needs_a_browser = pytest.mark.skipif(
    not (CHROMIUM and importlib.util.find_spec("playwright")), reason="needs chromium and playwright: make browser"
)


def in_a_browser(test):
    return pytest.mark.browser(needs_a_browser(test))


# Leaves of text that lie over each other: pairs of the boxes of their lines that meet in more than a hair.
OVERLAPS = """() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest('script, style, math, title, .skip')) continue;
    if (!parent.checkVisibility() || parent.closest('nav')) continue;  // folded, or in the bar that lies over the page
    const range = document.createRange();
    range.selectNodeContents(node);
    const scrolled = parent.closest('.wide, .m, .formula');
    for (const r of range.getClientRects()) {
      const right = scrolled ? Math.min(r.right, scrolled.getBoundingClientRect().right) : r.right;
      if (right - r.left < 1 || r.height < 1) continue;
      boxes.push([r.left, r.top, right, r.bottom, node.data.trim().slice(0, 40)]);
    }
  }
  const found = [];
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [a, b] = [boxes[i], boxes[j]];
    const w = Math.min(a[2], b[2]) - Math.max(a[0], b[0]), h = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
    if (w > 1.5 && h > 5) found.push(`${a[4]} | ${b[4]} (${w.toFixed(1)} x ${h.toFixed(1)})`);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("chromium")), executable_path=CHROMIUM, args=FLAGS.split()
        )
        yield context
        context.close()


# Formulas that are wider than their place: cut off, or over what stands beside them.
TOO_WIDE = """where => [...document.querySelectorAll(where)]
  .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "survey.json").write_text(
        call("survey", "--d", "1", "--n", "2..3", "--N", "2..4", "--format", "json").stdout
    )
    chosen = {
        "one": [COMMITTED / "d1-n3-N4.json"],
        "two-rows": [COMMITTED / "d2-n2-N3.json"],
        "several": [
            COMMITTED / "d1-n2-N70.json",
            COMMITTED / "paper/d1-n3-N4.json",
            COMMITTED / "variants/t_l-at-a-value.json",
            COMMITTED / "variants/sentinel-delta.json",
            folder / "survey.json",
        ],
        "wide": [COMMITTED / "paper/d1-n2-N2.json"],
        "rejected": [named("a-larger-statement").written(folder)],
    }
    for name, paths in chosen.items():
        (folder / f"{name}.html").write_bytes(page.render([load(path) for path in paths]))
    return folder


@in_a_browser
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("name", ["one", "two-rows", "several", "wide", "rejected"])
def test_in_a_browser(browser, files, name, width, scheme):
    view, said, asked = browser.new_page(), [], []
    view.set_viewport_size({"width": width, "height": 900})
    view.emulate_media(color_scheme=scheme)
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.goto((files / f"{name}.html").as_uri())
    dark = view.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(253, 252, 249)"
    assert dark == (scheme == "dark")
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert view.evaluate(OVERLAPS) == []
    view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    assert view.evaluate(OVERLAPS) == []
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert view.evaluate(TOO_WIDE, "td .m") == []
    for k in range(view.locator(".sweep").count()):
        sweep = view.locator(".sweep").nth(k)
        slider, frames = sweep.locator("input"), sweep.locator(".frame")
        assert [frames.nth(i).is_visible() for i in range(frames.count())].count(True) == 1
        slider.focus()
        for i in range(1, frames.count()):
            view.keyboard.press("ArrowRight")
            assert frames.nth(i).is_visible()
            assert not frames.nth(i - 1).is_visible()
            assert slider.get_attribute("aria-valuetext").startswith(f"{i + 1} of {frames.count()}: ")
            assert view.evaluate("document.documentElement.scrollWidth") <= width
        sweep.get_by_label("one step back").click()
        assert frames.nth(frames.count() - 2).is_visible()
        assert view.evaluate(OVERLAPS) == []
    if view.locator(".plot a").count():
        view.locator(".plot a").first.click()
        assert re.search(r"#n\d+-\d+$", view.url)
    view.evaluate("document.querySelector('h1').after(Object.assign(document.createElement('p'), {id: 'over'}))")
    view.evaluate("over.textContent = 'over the title', over.style.marginTop = '-3rem'")
    assert view.evaluate(OVERLAPS) != []  # it would be seen
    view.emulate_media(media="print")
    view.set_viewport_size({"width": 794, "height": 1123})  # A4
    assert view.evaluate(TOO_WIDE, ".m, .formula") == []
    hidden = view.locator(".frame:not(.now)")
    assert hidden.count() == 0 or hidden.first.is_visible()
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    view.close()


@in_a_browser
@pytest.mark.filterwarnings("ignore")
def test_without_javascript_the_frames_stand_side_by_side(browser, files):
    view = browser.new_page()
    browser.new_cdp_session(view).send("Emulation.setScriptExecutionDisabled", {"value": True})
    view.goto((files / "one.html").as_uri())
    frames = view.locator(".frame")
    assert frames.count() == 5
    assert all(frames.nth(i).is_visible() for i in range(5))
    assert view.locator(".slider").count() == 0
    view.close()


def test_a_pages_certificate_has_a_report_of_its_own(tmp_path):
    path, out = tmp_path / "c.json", tmp_path / "r.html"
    text = 'language 1\ntitle "one"\nsizes n >= 1\nclaim a.b, own, "-", once:\n  "words"\n  n > 0'
    path.write_bytes(verifier.Page(text).run(n=1).certificate)
    done = call("report", path, ROOT / "proofs/certificates/d1-n2-N2.json", "-o", out)
    assert (done.returncode, done.stdout, out.exists()) == (2, "", False)
    assert f"{path}: the certificate of a page has a report of its own; give this file alone" in done.stderr
    assert call("report", path, "-o", out).returncode == 0


def test_a_symbolic_certificate_is_to_be_read_and_has_no_page(tmp_path):
    done = call("report", ROOT / "proofs/symbolic/n2.json", "-o", tmp_path / "r.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a symbolic certificate has no page; `verify prove --format markdown`" in done.stderr
    assert not list(tmp_path.iterdir())


@in_a_browser
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("width", [360, 1600])
def test_in_a_browser_a_matrix_that_is_typed_in_moves_the_slider(browser, tmp_path, width):
    sizes = ("--d", "1", "--n", "3", "--N", "4")
    for name, matrix in (("one", "0,1/4,3/4"), ("other", "3/4,1/2,s")):
        assert call("explain", *sizes, "--matrix", matrix, "-o", str(tmp_path / f"{name}.html")).returncode == 0
    view, seen, said = browser.new_page(), [], []
    view.set_viewport_size({"width": width, "height": 900})
    view.on("pageerror", lambda error: said.append(str(error)))
    for name, typed in (("other", ""), ("one", "3/4, 0.5, s")):
        view.goto((tmp_path / f"{name}.html").as_uri())
        if typed:
            box = view.get_by_label("matrix")
            before = view.locator(".sweep").inner_html()
            box.fill("3/4, 0.5, x")
            assert "x is no entry such as 1/4" in view.locator(".typed output").inner_text()
            assert view.locator(".sweep").inner_html() == before
            box.fill(typed)
            assert view.locator(".typed output").inner_text() == ""
            assert "[3/4, 1/2, -64]" in view.locator(".which").inner_text()
        view.get_by_label("one step on").click()
        assert view.locator(".sweep .frame").nth(1).is_visible()
        seen.append([view.locator(where).inner_html() for where in (".sweep", ".landing tbody")])
        assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert seen[0] == seen[1]
    assert said == []
    view.close()


@pytest.mark.parametrize(
    ("claims", "size", "verdict"),
    [("lemma10.upper", (1, 3, 2), "vacuous"), ("claim1,grid.order", (1, 6, 2), "skipped")],
)
def test_what_check_ends_with_5_for_is_not_green_and_ends_with_5(claims, size, verdict, tmp_path):
    path, out = tmp_path / "c.json", tmp_path / "r.html"
    path.write_bytes(certify(verify(contextual_map(Instance(*size)), choose(claims.split(",")))))
    assert {claim["verdict"] for claim in json.loads(path.read_text())["claims"]} == {verdict, "holds"} - (
        {"holds"} if verdict == "vacuous" else set()
    )
    assert [call(*words).returncode for words in (("check", path), ("report", path, "-o", out))] == [5, 5]
    assert 'class="verdict incomplete"' in out.read_text()
    assert 'class="verdict holds"' not in out.read_text()
