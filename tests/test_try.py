"""The page that runs pages in a browser, docs/try/: what its Python answers, what is put into the site, and, with
`make browser`, the page itself: served as plain files, in Chromium, with Python in it."""

import http.server
import json
import shutil
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

import verifier
from test_page_checker import PAGES, beside
from test_report import CHROMIUM, FLAGS, in_a_browser

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs/try")]
import browser as site  # noqa: E402 - they lie beside the pages
from answer import answer  # noqa: E402

EXAMPLES = list(site.given())
HEAD = EXAMPLES[0]["page"]
RIGHT = HEAD.replace("j <= i", "j < i")


def asked(ask, page, sizes=(), **more):
    return json.loads(answer(json.dumps({"ask": ask, "page": page, "sizes": dict(sizes), **more})))


# --- its Python, as it is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"][:20])
def test_every_example_runs_and_gives_the_bytes_that_the_producer_gives(example):
    said = asked("run", example["page"], example["sizes"])
    sizes = {name: int(size) for name, size in example["sizes"].items()}
    assert said["certificate"].encode() == verifier.Page(example["page"]).run(**sizes).certificate
    assert said["sizes"] == list(sizes)


def test_the_readmes_page_is_an_example_and_what_is_said_of_it_is_so():
    assert "layer left:" in HEAD
    assert HEAD.splitlines()[5].count("j <= i") == 1
    assert "line 6" in EXAMPLES[0]["hint"]
    verdicts = [json.loads(asked("run", page, {"n": "8"})["certificate"])["verdict"] for page in (HEAD, RIGHT)]
    assert verdicts == ["refuted", "holds"]


def test_what_is_read_before_a_run():
    assert asked("read", HEAD) == {
        "title": "A head that copies the letter on its left", "sizes": {"n": "1"}, "to_try": {"n": "8"}
    }  # fmt: skip
    assert asked("read", HEAD.replace("read x", "reed x"))["wrong"] == {
        "words": "the end of the line is expected; x stands here", "line": 6, "column": 17
    }  # fmt: skip
    assert asked("read", HEAD.replace("Y[i][2] =", "Z[i][2] ="))["wrong"]["line"] == 13  # nothing is called Z
    assert "no claim" in asked("read", HEAD[: HEAD.index("claim")])["wrong"]["words"]


@pytest.mark.parametrize("size", ["", "x", "-1", "1_0", "1e3", "٣", "2.5", " 2", "constructor"])
def test_a_size_that_is_none(size):
    said = asked("run", HEAD, {"n": size})["wrong"]
    assert said["words"].startswith("the size n must be a whole number, not ")
    assert (said["line"], said["column"]) == (3, 7)


def test_a_size_that_is_too_small_or_too_large():
    assert asked("run", HEAD, {"n": "0"})["wrong"]["words"] == "n = 0: n >= 1 is needed"
    assert asked("run", HEAD)["wrong"]["line"] == 3
    assert asked("run", HEAD, {"n": "40", "m": "1"})["wrong"] == {
        "words": "more than 4,000,000 cases: take smaller sizes, or allow more", "line": 4, "column": 1
    }  # fmt: skip
    assert "20,000 binary digits" in asked("run", HEAD, {"n": "9" * 7000})["wrong"]["words"]


def test_no_memory_is_said(monkeypatch):
    monkeypatch.setattr("answer.derive", lambda *_: [0] * 2**60)
    assert asked("run", HEAD, {"n": "1"})["wrong"]["words"].startswith("no memory")


@pytest.mark.parametrize("path", sorted((PAGES / "fail").glob("*.page"))[:40], ids=lambda path: path.stem)
def test_what_is_wrong_with_a_page_is_said_with_its_place(path):
    text = path.read_bytes().decode()
    sizes = {name: str(size) for name, size in beside(path)[0].get("sizes", {}).items()}
    said = asked("run", text, sizes)["wrong"]
    place, _, words = text.partition("\n")[0].removeprefix("# ").partition(" ")
    assert f"{said['line']}:{said['column']}" == place
    assert words in said["words"]


# --- what is put into the site ----------------------------------------------------------------------------------


def test_what_the_browser_loads_is_the_checker_alone(tmp_path):
    """Its modules run without the rest of the package and without what is installed."""
    site.pack(tmp_path / "checker.zip")
    site.pack(tmp_path / "again.zip")
    assert (tmp_path / "checker.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    code = "import sys; sys.path.insert(0, sys.argv[1]); from answer import answer; print(answer(sys.argv[2]))"
    question = json.dumps({"ask": "follow", "page": HEAD, "sizes": {"n": "2"}, "claim": "copy.left", "ranks": [3]})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(tmp_path / "checker.zip"), question],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    ((copy,),) = json.loads(done.stdout)["cases"]
    (step,) = copy["steps"]
    assert step == {"layer": "left", "line": 9, "changed": [{"token": 2, "from": ["1", "0"], "to": ["1", "1"]}]}


def test_a_site_that_was_built_without_npm_has_the_page_and_nothing_to_run(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "ENGINE", tmp_path / "nowhere")
    site.build(tmp_path / "try")
    html = (tmp_path / "try/index.html").read_text()
    assert '<body data-engine="missing">' in html
    assert "200,000 characters, 4,000,000 cases, 300,000,000 steps of work" in html
    assert "<strong>One reading of the text, the checker's.</strong>" in html
    assert {path.name for path in (tmp_path / "try").iterdir()} == {
        "index.html", "page.css", "try.css", "try.js", "engine.js"
    }  # fmt: skip


def test_npm_is_told_which_bytes_and_not_where_they_are():
    lock = (ROOT / "locks/npm/package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(lock)["packages"].items() if name}
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "resolved" not in lock
    assert "://" not in lock
    wanted = json.loads((ROOT / "locks/npm/package.json").read_text())["dependencies"]
    assert wanted == {"pyodide": packages["node_modules/pyodide"]["version"]}


# --- in a browser -----------------------------------------------------------------------------------------------

ENGINE = all((site.ENGINE / name).is_file() for name in site.ENGINE_FILES)


def tried(test):
    """In a browser that has an engine to load."""
    needs = pytest.mark.skipif(not ENGINE, reason="Pyodide isn't in build/npm: make npm, with npm on the PATH")
    return in_a_browser(pytest.mark.filterwarnings("ignore")(needs(test)))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The page as `python -m http.server` serves it."""
    folder = tmp_path_factory.mktemp("site")
    site.build(folder / "try")
    (folder / "without").mkdir()
    for path in (folder / "try").glob("*.*"):
        shutil.copy(path, folder / "without")
    index = folder / "without/index.html"
    index.write_text(index.read_text().replace('data-engine="here"', 'data-engine="missing"'))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("chromium")), executable_path=CHROMIUM, args=FLAGS.split()
        )
        context.set_default_timeout(120_000)
        yield context
        context.close()


class View:
    """A tab, and what a reader does in it; what went wrong, or was asked of another host, is found at its end."""

    def __init__(self, browser, home, width=1300, scheme="light"):
        self.tab, self.said, self.home, self.asked = browser.new_page(), [], home, []
        self.tab.set_viewport_size({"width": width, "height": 900})
        self.tab.emulate_media(color_scheme=scheme)
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("dialog", lambda dialog: self.said.append(dialog.message))

    def open(self, where="/try/"):
        self.tab.goto("about:blank")
        self.tab.goto(f"{self.home}{where}")
        return self

    def verdict(self):
        self.tab.wait_for_selector("#run:not([disabled])")
        return self.tab.locator("#answer .verdict").inner_text()

    def write(self, text, **sizes):
        self.tab.locator("#text").fill(text)
        for name, size in sizes.items():
            self.tab.get_by_label(name, exact=True).fill(str(size))

    def run(self):
        self.tab.get_by_role("button", name="Run").click()
        return self.verdict()

    @property
    def wide(self):
        return self.tab.evaluate("document.documentElement.scrollWidth")


def until(condition, patience=60):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.fixture
def view(browser, served):
    views = []

    def made(**how):
        views.append(View(browser, served, **how))
        return views[-1]

    yield made
    for one in views:
        assert one.said == []
        assert [url for url in one.asked if not url.startswith((served, "about:", "data:", "blob:"))] == []
        one.tab.close()


@tried
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1300, "dark")])
def test_the_first_thing_seen_is_a_counterexample_followed_by_hand(view, width, scheme):
    page = view(width=width, scheme=scheme).open()
    assert page.verdict().splitlines()[0] == "Refuted: copy.left."
    facts = "at 01, i = 2 claimed Y[i][2] = w[i-1] (line 13) found 1 against 0 fails at 494 cases"
    assert " ".join(page.tab.locator("dl.facts").first.inner_text().split()) == facts
    assert page.tab.locator("#answer details").first.locator("table").last.inner_text() == "token 2\t[1, 0] → [1, 1]"
    assert page.tab.locator("#shown .failing").inner_text().strip() == "for i in 2..len(w): Y[i][2] = w[i-1]"
    assert page.wide <= width
    assert page.tab.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(21, 23, 27)" if scheme == "dark" else "rgb(253, 252, 249)"
    )


@tried
def test_every_example_fits_a_phone_with_all_that_unfolds(view):
    page = view(width=390).open()
    for k, example in enumerate(EXAMPLES):
        page.tab.locator("#examples").select_option(str(k))
        until(lambda page=page, text=example["page"]: page.tab.locator("#text").input_value() == text)
        assert page.verdict()
        page.tab.evaluate("document.querySelectorAll('#answer details').forEach(part => part.open = true)")
        until(lambda: "…" not in page.tab.locator("#answer").inner_text().splitlines())  # all is told
        assert page.wide <= 390


@tried
def test_a_good_page_and_a_certificate_that_the_checker_accepts(view, tmp_path):
    page = view().open()
    page.verdict()
    page.write(RIGHT)
    page.tab.wait_for_selector("#answer.old")  # what was found is of another text, and says so
    assert page.tab.locator("#state").inner_text() == "The page has changed since this was found."
    assert page.run().splitlines() == [
        "1 claim holds.",
        "n = 8; words: all 510 words. This says nothing about other n.",
    ]
    assert page.tab.locator("#shown .failing").count() == 0
    with page.tab.expect_download() as got:
        page.tab.get_by_role("link", name="Download the certificate").click()
    assert got.value.suggested_filename == "A-head-that-copies-the-letter-on-its-lef.json"
    got.value.save_as(tmp_path / "c.json")
    assert (tmp_path / "c.json").read_bytes() == verifier.Page(RIGHT).run(n=8).certificate
    done = subprocess.run(
        [sys.executable, "-m", "verifier.checker", str(tmp_path / "c.json")],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert (done.returncode, "checked in full" in done.stdout) == (0, True)


@tried
@pytest.mark.parametrize("width", [390, 1300])
def test_a_bad_page_is_marked_at_its_line_and_column(view, width):
    page = view(width=width).open()
    page.verdict()
    page.write(RIGHT.replace("unit(2, 2)", "unite(2, 2)"))
    page.tab.wait_for_selector("#wrong:not([hidden])")  # while it is written, without a run
    where = page.tab.locator("#wrong button")
    assert where.inner_text() == "line 7, column 27"
    assert "unite" in page.tab.get_by_role("alert").inner_text()
    assert page.tab.locator("#text").get_attribute("aria-invalid") == "true"
    assert page.tab.evaluate("[...shown.children].findIndex(one => one.classList.contains('wrong'))") == 6
    assert page.tab.locator("#shown .here").inner_text() == "unite"
    where.click()
    before = RIGHT.index("unit(2, 2)")
    assert page.tab.evaluate("[document.activeElement.id, text.selectionStart]") == ["text", before]
    assert "Not run: " in page.run()
    assert page.wide <= width
    page.write(RIGHT)
    page.tab.wait_for_selector("#wrong", state="hidden")
    assert page.tab.locator("#shown .wrong").count() == 0


@tried
def test_a_size_is_the_one_that_the_page_says_to_try(view):
    page = view().open()
    page.verdict()
    page.write(RIGHT.replace("sizes n >= 1 (8)", "sizes letters >= 2 (5), rest >= 3").replace("1..n", "1..letters"))
    page.tab.wait_for_selector("#sizes input[name='rest']")
    sizes = page.tab.locator("#sizes input")
    assert [sizes.nth(k).input_value() for k in range(sizes.count())] == ["5", "3"]
    assert page.run().splitlines()[0] == "1 claim holds."


SLOW = """language 1
title "Words, each looked at for long"
sizes n >= 1
inputs w in words: words of n letters a in {0, 1}
claim slow.sum, own, "-", on words:
  "A sum is at least 0."
  sum(sum(a*b*w[1] for a in 1..w[1]+90) for b in 1..w[1]+90) >= 0
"""


@tried
def test_a_slow_page_is_stopped_by_the_button_and_the_tab_never_freezes(view):
    page = view().open()
    page.verdict()
    page.write(SLOW)
    page.tab.wait_for_selector("#sizes input[title='n ≥ 1']")
    page.write(SLOW, n=18)
    page.tab.get_by_role("button", name="Run").click()
    page.tab.wait_for_selector("#stop:not([hidden])")
    page.tab.wait_for_timeout(1500)
    began = time.monotonic()
    assert page.tab.evaluate("1 + 1") == 2
    assert time.monotonic() - began < 1
    assert page.tab.locator("#state").inner_text().startswith("Running")
    page.tab.get_by_role("button", name="Stop").click()
    assert page.verdict() == "Stopped. That is no verdict."
    page.write(RIGHT, n=3)
    assert page.run().splitlines()[0] == "1 claim holds."
    until(lambda: len(page.tab.workers) == 1)  # the one that ran is gone


@tried
def test_a_slow_page_is_stopped_by_the_limits(view):
    page = view().open()
    page.verdict()
    page.write(SLOW, n=18)
    page.tab.locator("#most").select_option("10")
    began = time.monotonic()
    assert page.run().startswith("Stopped after 10 s. That is no verdict")
    assert 9 < time.monotonic() - began < 30
    page.write(RIGHT, n=40)
    assert "more than 4,000,000 cases" in page.run()
    page.write(RIGHT, n=3)
    assert page.run().splitlines()[0] == "1 claim holds."


@tried
def test_seven_thousand_definitions_each_of_the_one_before_are_run(view):
    page = view().open()
    page.verdict()
    deep = (PAGES / "never-crash/ten-thousand-definitions-that-multiply.page").read_text()
    page.tab.evaluate(
        "deep => { text.value = deep; text.dispatchEvent(new Event('input')) }", deep
    )  # to type it is slow
    assert page.run().splitlines()[0] == "1 claim holds."


@tried
def test_where_python_in_the_browser_cannot_go_on_no_verdict_is_given(view, tmp_path):
    """No text is known that it can't go on with; so one is taken for such here."""
    site.pack(tmp_path / "checker.zip")
    with ZipFile(tmp_path / "checker.zip", "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("answer.py", (ROOT / "docs/try/answer.py").read_text() + FALLS)
    page = view()
    page.tab.context.route("**/checker.zip", lambda route: route.fulfill(path=tmp_path / "checker.zip"))
    page.open().verdict()
    page.write(RIGHT + "# falls\n", n=3)
    assert page.run().startswith("This is too deep or too large for Python in a browser. That is no verdict")
    page.said.clear()  # what Python says of it, to the console
    page.write(RIGHT, n=3)
    assert page.run().splitlines()[0] == "1 claim holds."
    page.tab.context.unroute("**/checker.zip")


FALLS = """
as_it_is = answer
def answer(question):
    if "# falls" in question and '"run"' in question:
        raise RecursionError
    return as_it_is(question)
"""


@tried
def test_a_link_shows_the_construction_and_its_counterexample(view):
    page = view().open()
    page.verdict()
    text = HEAD.replace("A head", "Ein Köpfchen 🧠")
    page.write(text, n=5)
    assert page.run().splitlines()[1].startswith("n = 5; ")
    link = page.tab.url.removeprefix(page.home)
    assert len(link) < 700
    other = view().open(link)
    assert other.verdict().splitlines() == page.tab.locator("#answer .verdict").inner_text().splitlines()
    assert other.tab.locator("#text").input_value() == text
    assert other.tab.locator(".at").first.inner_text() == "01"
    assert other.tab.url == page.tab.url
    other.tab.evaluate("link => { location.hash = link }", "#cut-off")  # another link in the same tab
    until(lambda: "text of this link can't be read" in other.tab.locator("#answer").inner_text())


def packed(page, content):
    """A link's fragment, made by the browser itself of any JSON."""
    return page.tab.evaluate(
        """async content => { const out = new Response(new Blob([content]).stream().pipeThrough(new
        CompressionStream('deflate-raw'))); const bytes = new Uint8Array(await out.arrayBuffer());
        let letters = ''; for (const byte of bytes) letters += String.fromCharCode(byte);
        return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') }""",
        content,
    )


EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@tried
def test_hostile_text_in_a_link_stays_text(view):
    page = view().open()
    page.verdict()
    text = HEAD.replace("A head", EVIL).replace("Each token", f"{EVIL} Each").replace("# of", f"# {EVIL}")
    assert text.count(EVIL) == 3
    seen = []
    for evil, sizes in (
        (text, {"n": "4"}),
        (text + EVIL, {"n": EVIL, EVIL: EVIL, "__proto__": "1", "constructor": "2"}),
        (EVIL, {}),
    ):
        other = view().open(f"/try/#{packed(page, json.dumps({'page': evil, 'sizes': sizes}))}")
        other.verdict()
        assert other.tab.locator("#text").input_value() == evil
        assert other.tab.locator("img, body script, iframe").count() == 0
        seen.append(other.tab.locator("#answer").inner_text())
    assert [EVIL in words for words in seen] == [True, False, False]  # as the claim's words


BOMB = json.dumps({"page": "#" * 20_000_000, "sizes": {}})  # 20 kB in the link
NO_PAGES = ("", "{}", "[]", "null", '{"page": 1, "sizes": {}}', '{"page": "x", "sizes": null}', BOMB)


@tried
def test_a_link_that_holds_no_page(view):
    page, other = view().open("/without/"), view()
    for content in NO_PAGES:
        other.open(f"/try/#{packed(page, content)}")
        assert other.tab.locator("#answer .verdict").inner_text().startswith("The text of this link can't be read")
    other.tab.locator("#examples").select_option("1")  # and the page still works
    other.tab.wait_for_selector(".verdict.holds")


@tried
def test_without_an_engine_the_page_says_so(view):
    page = view().open("/without/")
    assert "built without Python for browsers" in page.tab.locator("#answer .verdict").inner_text()
    assert page.tab.get_by_role("button", name="Run").is_disabled()


@tried
def test_with_the_keyboard_and_by_names_alone(view):
    page = view().open()
    page.verdict()
    page.tab.get_by_role("textbox", name="Text of the page").focus()
    page.tab.keyboard.press("Control+Home")
    page.tab.keyboard.press("End")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("# a line")
    assert page.tab.locator("#text").input_value().startswith("language 1\n# a line\ntitle")
    page.tab.keyboard.press("Control+Enter")
    assert page.verdict().startswith("Refuted")
    assert page.tab.locator("#state").text_content() == "Refuted: copy.left."  # what a screen reader hears
    for _ in range(2):
        page.tab.keyboard.press("Tab")
    focused = page.tab.evaluate("document.activeElement.closest('label').innerText")
    assert focused.startswith("stop after")  # by n
    assert page.tab.get_by_role("spinbutton", name="n").get_attribute("min") == "1"
    assert page.tab.get_by_role("combobox", name="Example").count() == 1
    assert page.tab.get_by_role("button", name="line 14").count() == 1
