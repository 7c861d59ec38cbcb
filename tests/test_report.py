"""The report page: its numbers are the certificate's, nothing leaves it, a witness can be redone from it by hand; and
number lines, which are derived from the claims' lines."""

import importlib.util
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli import main
from verifier.core.exact import Q
from verifier.language.page import read
from verifier.page import Page
from verifier.report.pictures import number_lines

ROOT = Path(__file__).parent.parent
YUN = ROOT / "verifier/pages/yun2020.page"
VOID = {"meta", "link", "br", "img", "input"}


class Taken(HTMLParser):
    """The page taken apart: every tag is closed in its place, and ids are unique."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.words = [], [], []
        self.feed(html)
        assert self.open == []
        ids = [attrs["id"] for _, attrs in self.tags if "id" in attrs]
        assert len(set(ids)) == len(ids)
        links = [attrs["href"] for _, attrs in self.tags if attrs.get("href", "").startswith("#")]
        assert {link[1:] for link in links} <= set(ids)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.words))


@pytest.fixture
def reported(tmp_path, capsys):
    """The report of certificates with these contents: exit code, HTML, messages."""

    def report(*certificates, suffix="html"):
        paths = []
        for k, certificate in enumerate(certificates):
            paths.append(tmp_path / f"{k}.json")
            paths[-1].write_bytes(certificate)
        out = tmp_path / f"r.{suffix}"
        out.unlink(missing_ok=True)
        code = main(["report", *map(str, paths), "-o", str(out)])
        return code, out.read_text() if out.exists() else None, " ".join(capsys.readouterr().err.split())

    return report


def run(claims, variant=None, **sizes):
    return Page.file(YUN).run(claims, variant=variant, **sizes)


def test_a_report_says_first_what_was_found_then_walks_a_case_through(reported):
    code, html, said = reported(run("lemma6", d=1, n=3, N=4).certificate)
    assert (code, said) == (0, "")
    found = Taken(html)
    text = found.text
    order = ["Walked through", "Where the values lie", "The network", "What was run", "The claims", "The page"]
    headings = re.findall(r"<h2>(.*?)</h2>", html)
    assert headings == order
    assert text.index("6 claims hold.") < text.index("Walked through")
    assert "q[j] < t_r 12 5205/4 at [[0], [1/4], [3/4]], j = 3" in text
    assert "category1 4 24" in text
    assert "lemma6.1 holds 4 orbits The n values" in text
    assert "global_shift attention, 1 head of size 1, 1 -> 1" in text.replace("one head", "1 head")
    assert "t_r 12288" in text


def test_it_loads_nothing_and_runs_nothing(reported):
    _, html, _ = reported(run("lemma6", d=1, n=2, N=2).certificate)
    found = Taken(html)
    assert not {"script", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    policy = next(attrs["content"] for tag, attrs in found.tags if "http-equiv" in attrs)
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert re.findall(r'(?:href|src)="(?!#|data:)', html) == []
    assert len(html) < 400_000


def test_what_fails_is_unfolded_to_numbers_and_the_changed_columns_are_marked(reported):
    code, html, _ = reported(run("c.order", d=1, n=2, N=2).certificate)
    assert code == 0
    text = Taken(html).text
    assert "shifts' = n 3 = 2 fails" in text
    assert "t'[j] = id(Z'[j]) for j in 1..n [5/2, 2]" in text
    assert "token 1 reads [1] and [1/2]" in text
    sweep = html[html.index("Z&#x27; = sweep&#x27;(X)") :].partition("</details>")[0]
    matrices = re.findall(r"<mtr>(.*?)</mtr>", sweep)
    assert [re.findall(r"<mtd( class=\"is\")?>", row) for row in matrices] == [
        ["", ""],
        [' class="is"', ""],
        ["", ' class="is"'],
        [' class="is"', ""],
    ]
    assert '<details open id="c1-c.order">' in html


def test_heads_have_their_weights_by_name_and_only_what_the_claims_speak_of_is_drawn(reported):
    _, html, _ = reported(run("lemma6.3", d=1, n=2, N=2).certificate)
    network = html[html.index("The network</h2>") :].partition("<section>")[0]
    assert re.findall(r'<text[^>]*class="name">(.*?)</text>', network) == ["sweep", "last"]
    table = re.findall(r"<tr>(.*?)</tr>", network[network.index("The weights of shift") :].partition("</table>")[0])
    assert re.sub("<.*?>", " ", table[0]).split() == ["head", "W_O", "W_V", "W_K", "W_Q", "b_Q"]
    assert [re.sub("<.*?>", "", row) for row in table[1:]] == [
        "1column(\u03c1·unit(1,d))[u][u][u][δ2\u2212v]",
        "2column(\u2212\u03c1·unit(1,d))[u][u][u][\u2212δ2\u2212v]",
    ]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("r = read x[j][1] at max of x[j][1]^2", "the score of r isn't affine in x[j]"),
        ("r = read x[j][1] at max of x[i][1]^2 * x[j][1]", "the score of r isn't affine in x[i]"),
        ("r = read x[i][1] * x[j][1] at max of 0", "the value that r reads depends on x[i], or on what was read"),
        ("r = read x[j][1]^2 at max of 0", "the value that r reads isn't affine in x[j]"),
        ("r = read x[j][1] at max of 0 over x[j][1] = 1", "the mask of r looks at tokens"),
        ("r = read x[j][1] at max of 0 over j < i else x[i][1]", "what r is where it reads nothing depends on tokens"),
        ("s = read x[j][1] at max of 0\n  r = read x[j][1] at max of s * j", "the score of r depends on what was read"),
        (
            "s = read x[j][1] at max of 0\n  r = s * s",
            "the new x[i] isn't affine in x[i] and what is read, together",
        ),
    ],
)
def test_a_generalised_layer_says_what_no_attention_has(reported, lines, why):
    page = f"""language 1
title "A layer"
sizes n >= 1
inputs w in words: words of n letters c in {{0, 1}}
layer l:
  {lines}
  x[i] <- [r]
network g:
  l
Y = g([[c] for c in w])
claim l.holds, own, "-", on words:
  "."
  len(Y) = n
"""
    _, html, _ = reported(Page(page).run(n=2).certificate)
    heads = "2 heads" if lines.count("read ") == 2 else "one head"
    network = Taken(html).text.partition("The network ")[2]
    assert network.partition(f" generalised, {heads}")[2].startswith((f": {why} ", f", 1 -> 1: {why} "))


ONCE = """language 1
title "what is said of no case, and sizes in an order of their own"
sizes z >= 1, a >= 1
top = 2*a
inputs w in words: words of z letters c in {0, 1}
claim x.once, own, "-", on words:
  "."
  w[1] >= 0
  once: top = 3
"""


def test_a_claim_that_fails_about_no_case_has_its_numbers_and_sizes_stand_in_the_pages_order(reported):
    certificate = Page(ONCE).run(z=1, a=2).certificate
    assert list(json.loads(certificate)["sizes"]) == ["a", "z"], "canonical JSON has them sorted"
    _, html, _ = reported(certificate)
    text = Taken(html).text
    assert "At z = 1, a = 2." in text
    assert "top = 3 4 = 3 fails" in text
    assert "top = 2*a 4" in text
    assert "REFUTED: x.once." in text


HOSTILE = """language 1
title "<script>alert(1)</script> & </title>"
sizes n >= 1
inputs w in words: words of n letters a in {0, 1}
claim a.b, own, "<img src=x>", on words:
  "</style><script>alert(2)</script>"
  w[1] = 0
"""


def test_a_word_is_shown_as_a_word(reported):
    text = 'language 1\ntitle "t"\nsizes n >= 1\ninputs w in bits: words of n letters a in {0, 1}\n'
    page = Page(f'{text}claim a.a, own, "-", on bits:\n  "."\n  sum(w) != 2\n')
    _, html, _ = reported(page.run(n=4).certificate)
    assert "Input 0011 " in Taken(html).text
    assert "Counterexample at 0011:" in Taken(html).text
    assert "[0, 0, 1, 1]" not in Taken(html).text


def test_whatever_a_page_says_is_escaped(reported):
    _, html, _ = reported(Page(HOSTILE).run(n=1).certificate)
    found = Taken(html)
    assert not {"script", "img"} & {tag for tag, _ in found.tags}
    assert "<title>&lt;script&gt;" in html


def test_several_certificates_make_one_page(reported):
    code, html, _ = reported(run("lemma6", d=1, n=2, N=2).certificate, Page(HOSTILE).run(n=1).certificate)
    assert code == 0
    found = re.findall(r'class="badge (\w+)">(\w+)<', html)
    assert found[:2] == [("holds", "holds"), ("refuted", "refuted")]
    assert "2 certificates" in Taken(html).text


def test_a_rejected_certificate_has_no_report(reported, tmp_path):
    wrong = run("lemma6", d=1, n=2, N=2).certificate.replace(b'"cases": 5', b'"cases": 6')
    code, html, said = reported(wrong)
    assert (code, html) == (1, None)
    assert "no report of it is written" in said
    path = tmp_path / "c.json"
    for text, why in (
        ("{}", "its format is"),
        ("[", "it is no certificate"),
        ('{"format": "verifier.proof/2"}', "prove"),
    ):
        path.write_text(text)
        assert main(["report", str(path), "-o", str(tmp_path / "r.html")]) == 2, why
    assert main(["report", str(path), "-o", str(path)]) == 2


# --- number lines ---------------------------------------------------------------


def lines(found):
    return number_lines(read(found.content["page"]), found.content)


def test_a_line_is_made_of_what_claims_compare_with_constants():
    """The picture of Lemma 6: values of the three categories, and the interval."""
    (line,) = lines(run("lemma6", d=1, n=3, N=4))
    assert (line.inputs, line.value) == ("Gplus", "q[j]")
    assert line.bounds == {"t_l": 3072, "t_r": 12288}
    assert line.bands == [(3072, 12288)]
    assert line.beyond == {12288}
    assert line.lanes == ["category1", "category2", "category3"]
    inside = {lane for lane, value in line.points if 3072 <= value < 12288}
    assert inside == {"category1"}
    assert min(value for lane, value in line.points if lane == "category1") == 7042
    assert max(value for lane, value in line.points if lane == "category1") == Q(43947, 4)
    assert not any(line.points.values())


def test_what_fails_is_marked():
    (line,) = lines(run("lemma6", variant={"t_r": 10000}, d=1, n=3, N=4))
    failing = {value for (lane, value), fails in line.points.items() if fails}
    assert failing == {value for lane, value in line.points if lane == "category1" and value >= 10000} != set()


def test_of_many_cases_the_values_that_the_certificate_names_are_drawn(monkeypatch):
    monkeypatch.setattr("verifier.report.pictures.MOST_CASES", 10)
    (line,) = lines(run("lemma6", d=1, n=3, N=4))
    assert not line.every
    assert ("category1", Q(43947, 4)) in line.points
    assert len(line.points) == 4


PAIRS = """language 1
title "x"
sizes n >= 1
most = 3*n
inputs w in words: words of n letters a in {0, 1, 2}
claim x.between, own, "-", on words:
  "."
  most >= sum(w)
  sum(w) > -n
claim x.numbers, own, "-", on words:
  "Compared with what is written as a number, or with what isn't known: no line."
  sum(w) >= 0
  for k in 1..n: w[k] <= 2*k
"""


def test_a_constant_may_stand_on_either_side_and_a_number_alone_makes_no_line():
    (line,) = lines(Page(PAIRS).run(n=2))
    assert (line.value, line.bounds, line.bands) == ("sum(w)", {"most": 6, "-n": -2, "0": 0}, [(-2, 6), (0, 6)])
    assert {value for _, value in line.points} == set(range(5))
    assert lines(Page(PAIRS).run("x.numbers", n=2)) == []


def test_a_picture_alone(reported):
    code, svg, _ = reported(run("lemma6", d=1, n=3, N=4).certificate, suffix="svg")
    assert code == 0
    assert "d = 1, n = 3, N = 4: the values q[j] of Gplus, against t_l = 3072, t_r = 12288" in svg
    assert len(re.findall("<circle", svg)) == 45
    code, svg, said = reported(Page(HOSTILE).run(n=1).certificate, suffix="svg")
    assert (code, svg) == (2, None)
    assert "no claim of it compares values with a bound that has a name" in said


# --- in a browser ---------------------------------------------------------------

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


@in_a_browser
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("width", [390, 1300])
def test_in_a_browser_nothing_is_wider_than_the_window(reported, tmp_path, width):
    from playwright.sync_api import sync_playwright

    reported(run("all", d=1, n=2, N=2).certificate)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "chromium"), executable_path=CHROMIUM, args=FLAGS.split()
        )
        view, said = context.new_page(), []
        view.on("console", lambda message: said.append(message.text))
        view.set_viewport_size({"width": width, "height": 900})
        view.goto((tmp_path / "r.html").as_uri())
        view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        assert said == []
        context.close()


def test_rows_of_a_report_are_those_of_its_files(tmp_path, capsys):
    path = tmp_path / "c.json"
    path.write_bytes(run("lemma6", d=1, n=2, N=2).certificate)
    assert main(["report", str(path), "-o", str(tmp_path / "r.html"), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["name"], row["verdict"]) for row in rows] == [(str(path), "accepted")]
