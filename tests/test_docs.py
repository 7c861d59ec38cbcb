"""What README and docs/ show is what happens; the reference is what the code says; the site has no gaps."""

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

import pages
import verifier
from cli import main
from processes import patiently
from verifier.catalogue import pages as built_in_pages
from verifier.commands.verify import verify
from verifier.report.findings import render, sources

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = {str(path.relative_to(ROOT)): path.read_text() for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]}

sys.path.insert(0, str(DOCS))
import generate  # noqa: E402 - it lies beside the pages


def kinds_of(name):
    """What README's Python prints is looked at in test_readme.py."""
    return ("console", "sh") if name == "README.md" else pages.RUN


def has_what_runs(name):
    return any(block.kind in kinds_of(name) and not block.not_run for block in pages.blocks(PAGES[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PAGES if has_what_runs(name)])
def test_what_a_page_shows_is_what_happens(name, tmp_path):
    if "dask " in PAGES[name]:
        pytest.importorskip("distributed")
    assert pages.differences(PAGES[name], tmp_path, kinds_of(name)) == []


def test_what_is_not_run_is_known():
    """Few, and each says why on its page."""
    assert [
        (name, block.text.splitlines()[0].split("  ")[0].strip(), block.not_run)
        for name, page in PAGES.items()
        for block in pages.blocks(page)
        if block.not_run
    ] == [
        ("README.md", "make verify", "the tests run inside what it sets up"),
        ("docs/how-to/bench.md", "python -m venv /tmp/marabou", "another program, and an hour"),
        ("docs/how-to/cluster.md", "pip install '.[dask]'", "it needs several machines"),
        ("docs/how-to/theorem.md", "$ make -C proofs/coq reader", "tests/test_coq_reader.py compiles its file"),
        ("docs/how-to/theorem.md", "$ make reader", "needs Coq, OCaml and Zarith"),
        ("docs/how-to/try.md", "make docs", "it serves until it is stopped"),
        ("docs/tutorial.md", "pip install .", "it installs the package"),
    ]


PRINTED = {}


def printed(command, capsys):
    """What a command ends with and prints; run once."""
    if command not in PRINTED:
        PRINTED[command] = main(shlex.split(command)), capsys.readouterr().out
    return PRINTED[command]


def verdicts_that_differ(page, capsys):
    """Of each command of the page its claim, if its kind, verdict or number of cases isn't what is said below it."""
    kinds = {("", id_): claim.kind for id_, claim in verifier.Page.file(built_in_pages()["yun2020"]).claims.items()}
    for name in re.findall("--paper ([a-z_0-9]+)", page):
        if name in built_in_pages():
            claims = verifier.Page.file(built_in_pages()[name]).claims.values()
            kinds |= {(name, claim.id): claim.kind for claim in claims}
    evidence = r"^    verify (.*)\n\n`(\S+)`\s\((\w+)\)\s(?:is\s)?\*\*(\w+)\*\*\sat\s[^=]*=[^)]*\),\s([\d,]+)\scase"
    said = re.findall(evidence, page, re.MULTILINE)
    assert len(said) == len(re.findall(r"^    verify -", page, re.MULTILINE))
    for command, claim, kind, verdict, cases in said:
        code, out = printed(f"{command} -v", capsys)
        shown = "refuted" if verdict == "fails" and kind != "excluded" else verdict
        many = "(1|once)" if cases == "1" else cases
        in_a_list = rf"{shown} \({many}( case| of |[,)])"
        paper = next(iter(re.findall("--paper ([a-z_0-9]+)", command)), "")
        row = re.search(rf"^{re.escape(claim)} (.* {shown} +{many}( |$)|{in_a_list})", out, re.MULTILINE)
        ends = 1 if shown == "refuted" else 5 if kind == "excluded" else 0  # 5: nothing else was asked for
        if code != ends or not row or kinds.get((paper, claim), kinds.get(("", claim))) != kind:
            yield claim


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in sources(ROOT / "proofs")])
def test_every_command_of_the_findings(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "")
    (page,) = (render(ROOT / "proofs", path) for path in sources(ROOT / "proofs") if path.stem == name)
    assert list(verdicts_that_differ(page, capsys)) == []
    told = re.findall(r"^    verify (explain .*)", page, re.MULTILINE)
    assert {printed(command, capsys)[0] for command in told} <= {0}
    in_table = re.findall(r"^\|.*\| `verify (.*)` \|$", page, re.MULTILINE)
    assert {printed(command, capsys)[0] for command in in_table} == ({0, 1, 5} if name == "FINDINGS" else set())
    told_otherwise = list(lies(page))
    assert told_otherwise or name == "FINDINGS"
    for lie, claim in told_otherwise:
        assert list(verdicts_that_differ(lie, capsys)) == [claim]


def lies(page):
    """The page with another verdict, then with one more case, in the first evidence of each verdict; and whose."""
    for verdict, other in (("**fails**", "**holds**"), ("**holds**", "**fails**")):
        if first := re.search(rf"^`(\S+)` \(\w+\) {re.escape(verdict)}(?= at )", page, re.MULTILINE):
            yield f"{page[: first.end()].removesuffix(verdict)}{other}{page[first.end() :]}", first[1]
            digit = re.compile(r"\d(?=\scases?\b)").search(page, first.end())
            yield f"{page[: digit.start()]}{(int(digit[0]) + 1) % 10}{page[digit.end() :]}", first[1]


# A page that says something else is found out.

TWO_LINES = "```console\n$ printf '1\\n2\\n'\n1\n2\n```\n"
STDERR = "```console\n$ echo 1; echo 2 >&2\n1\n2\n```\n"
FAILS = "```console\n$ (exit 3)\n$ echo $?\n3\n```\n"
PYTHON = "```python\nprint(1 / 4)\n```\n\n```text\n0.25\n```\n"
SHELL = "Do\n\n    test -d proofs\n"
CUT = "```console\n$ seq 9\n1\n...\n8\n9\n```\n"


@pytest.mark.parametrize("page", [TWO_LINES, STDERR, FAILS, PYTHON, SHELL, CUT])
def test_a_true_page(page, tmp_path):
    assert pages.differences(page, tmp_path) == []


@pytest.mark.parametrize(
    "page",
    [
        TWO_LINES.replace("\n2\n", "\n3\n"),
        TWO_LINES.replace("\n2\n", "\n"),
        TWO_LINES.replace("1\n2\n`", "1\n2\n3\n`"),
        TWO_LINES.replace("\n2\n", "\n 2\n"),
        STDERR.replace("\n2\n", "\n"),
        FAILS.replace("$ echo $?\n3\n", ""),
        FAILS.replace("\n3\n", "\n0\n"),
        PYTHON.replace("0.25", "0.24"),
        PYTHON[: PYTHON.index("```text")],
        SHELL.replace("proofs", "nowhere"),
        SHELL.replace("test", "false; test"),
        CUT.replace("8\n", "7\n"),
        CUT.replace("...\n", ""),
    ],
)
def test_a_page_that_is_not_true(page, tmp_path):
    assert len(pages.differences(page, tmp_path)) == 1


def test_one_digit_of_a_real_page(tmp_path):
    page = PAGES["docs/how-to/from-a-proof.md"]
    lie = page.replace("4 of Gplus     5205/4", "4 of Gplus     5204/4")
    (told,) = pages.differences(lie, tmp_path)
    assert "verify --paper lemma6.page --d 1 --n 3 --N 4" in told


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("```bash\nls\n```\n", "a block 'bash', which nothing runs"),
        ("```\nls\n```\n", "a block '', which nothing runs"),
        ("```sh\nls\n", "a block without an end"),
        ("<!-- not run: because -->\n\nWords.\n", "nothing that runs follows"),
        ("```text\n1\n```\n", "text that no block of Python"),
        ("```console\nls\n```\n", "begins with `[$] ` and a command"),
    ],
)
def test_a_page_that_cant_be_read(page, why, tmp_path):
    with pytest.raises(pages.BadPage, match=why):
        pages.differences(page, tmp_path)


def test_what_a_page_leaves_running_is_ended(tmp_path):
    assert pages.differences("```sh\nsleep 600 &\necho $! > pid\n```\n", tmp_path) == []
    process = int((tmp_path / "pid").read_text())
    assert patiently(lambda: not runs(process))


def runs(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# What a page works out by hand is so.


def test_what_is_worked_out_by_hand():
    found = {name: pages.equations(page) for name, page in PAGES.items()}
    assert len(found["docs/tutorial.md"]) > 17
    for name, lines in found.items():
        for line in lines:
            assert len({pages.number(side) for side in line.split("=")}) == 1, f"{name}: {line}"
    assert pages.number("4 (3/4 - 0)") == 3 != pages.number("4 (3/4 - 1)")


# The reference is made of what the code says.


def plain(text):
    """Without Markdown's backslashes, formulas as they were written, and with one space for many."""
    text = re.sub(r'<span class="m"><math[^>]* alttext="([^"]*)">.*?</span>', lambda m: html.unescape(m[1]), text)
    return " ".join(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).split())


def test_every_option_example_and_exit_code_of_every_command():
    made = generate.commands()
    for name, command in {"": verify, **verify.every_command()}.items():
        heading = f"verify {name}".strip()
        section = plain(made.partition(f"## `{heading}`\n")[2].partition("\n## ")[0])
        for parameter in command.params:
            if getattr(parameter, "hidden", False):
                continue
            ctx = click.Context(command, help_option_names=["-h", "--help"])
            option, what = parameter.get_help_record(ctx) or (parameter.make_metavar(None), "")
            assert plain(option.replace("|", "\\|")) in section, (name, option)
            assert plain(what) in section, (name, option)
        said = [command.help, *command.codes.values(), *(word for pair in command.examples for word in pair)]
        for words in said:
            assert plain(words) in section, (name, words)


def test_a_new_option_is_in_the_reference(monkeypatch):
    new = click.Option(["--new"], metavar="X", help="Something *new*.")
    monkeypatch.setattr(verify, "params", [*verify.params, new])
    assert "| `--new X` | Something \\*new\\*\\. |" in generate.commands()


def test_every_claim_of_every_page_as_it_stands_there():
    made = generate.claims()
    seen = 0
    for path in built_in_pages().values():
        for claim in verifier.Page.file(path).claims.values():
            section = plain(made.partition(f"### `{claim.id}`\n")[2].partition("\n##")[0])
            assert plain(claim.words) in section, claim.id
            assert plain(claim.source) in section, claim.id
            assert section.count("<math") >= len({sign.place[0] for sign, _ in claim.signs}), claim.id
            seen += 1
    assert seen > 150
    lemma = made.partition("### `lemma6.3`\n")[2].partition("\n##")[0]
    assert "<mi>q</mi>" in lemma
    assert "lemma6 in proofs/coq/Theorems" in plain(lemma)


def test_everything_that_the_package_offers_says_what_it_is():
    made = generate.api()
    for name in generate.offered():
        _, _, rest = made.partition(f"## `{name}`\n")
        signature, _, words = rest.partition("\n## ")[0].partition("```\n")
        assert signature.startswith(f"\n```python\n{name}("), name
        assert re.match(r"\n\S", words), f"{name} has no docstring"
    assert set(verifier.__all__) - {"__version__"} <= set(generate.offered())


def test_the_graph_of_proofs_is_what_the_sources_say(monkeypatch, tmp_path):
    """A box is green because its theorem is there, finished and built; a line because a proof names what it uses."""
    boxes = generate.STATEMENTS
    assert [label for label, where in boxes.items() if not generate.proved(*where)] == ["Lemma 8", "Proposition 4"]
    assert generate.rests_on()["Theorem 2 and its converse"] == {"Theorem 2", "Claim 1"}
    assert "Lemma 6" not in generate.rests_on()["Theorem 3"]

    shutil.copytree(generate.COQ, tmp_path / "coq", ignore=shutil.ignore_patterns("*.vo*", "*.glob", ".*"))
    monkeypatch.setattr(generate, "COQ", tmp_path / "coq")
    path = tmp_path / "coq/universal/Limits.v"
    text = path.read_text()
    path.write_text(re.sub(r"apply theorem2; assumption(.*?)Qed\.", r"idtac\1Abort.", text, flags=re.DOTALL))
    assert not generate.proved(*boxes["Theorem 2 and its converse"])
    assert generate.rests_on()["Theorem 2 and its converse"] == {"Claim 1"}
    assert generate.proof_graph().count("#8a8a8a") == 2 * 3
    path.write_text(text)
    listed = tmp_path / "coq/_CoqProject"
    listed.write_text(listed.read_text().replace("universal/Limits.v\n", ""))
    assert not generate.proved(*boxes["Theorem 2 and its converse"])


@pytest.mark.parametrize(
    "page", ["<!-- generated: nothing -->", "```formula\ndelta^^ ((\n```", "```formula\nx = 1\ndelta^^ ((\n```"]
)
def test_what_nothing_can_be_made_of(page):
    with pytest.raises(generate.Unfillable):
        generate.fill(page, "page")


def test_hooks_and_inputs_that_pages_name_are_there():
    yaml = "".join(block.text for block in pages.blocks(PAGES["docs/how-to/ci.md"]) if block.kind == "yaml")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    workflow = (ROOT / ".github/workflows/proof-regression.yml").read_text()
    named = re.findall(r"- id: (\S+)", yaml)
    assert len(named) == 2
    assert all(f"- id: {name}\n" in hooks for name in named)
    given = re.findall(r"^      (\w+): ", yaml, re.MULTILINE)
    assert given == ["folder", "verifier"]
    assert all(f"\n      {name}:\n" in workflow for name in given)


# The site.

needs_sphinx = pytest.mark.skipif(
    not all(map(find_spec, ("sphinx", "furo", "myst_parser"))),
    reason="the site is made by Sphinx: pip install '.[docs]'",
)


def build(docs, folder):
    call = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "doctrees")]
    return subprocess.run([*call, str(docs), str(folder / "site")], capture_output=True, text=True, check=False)


class Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.ids, self.links, self.loads = set(), set(), set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id"))
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        else:
            self.loads |= {given[name] for name in ("src", "href", "data", "srcset") if given.get(name)}


@pytest.mark.slow
@needs_sphinx
def test_the_site_is_whole_and_needs_no_network(tmp_path):
    done = build(DOCS, tmp_path)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    site = tmp_path / "site"
    tags = {path: Tags(path.read_text()) for path in site.rglob("*.html")}
    assert {path.relative_to(site).with_suffix(".md") for path in tags} >= {
        path.relative_to(DOCS) for path in DOCS.rglob("*.md")
    }
    for path, page in tags.items():
        for link in page.links | page.loads:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                assert link in page.links, f"{path.name} loads {link}"
                continue
            target = Path(os.path.normpath(path.parent / unquote(url.path))) if url.path else path
            assert target.exists(), f"{path}: {link}"
            if url.fragment and target in tags and not link.startswith("genindex"):
                assert url.fragment in tags[target].ids, f"{path}: {link}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text()), sheet
    for name in ("tutorial", "reference/claims"):
        assert "<math" in (site / f"{name}.html").read_text()
    assert "lemma8.radius" in (site / "reference/claims.html").read_text()


@pytest.mark.slow
@needs_sphinx
def test_a_dead_link_stops_the_build(tmp_path):
    for path in ROOT.iterdir():
        if path.name != "docs" and not path.name.startswith("."):
            (tmp_path / path.name).symlink_to(path)
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("conf.py", "generate.py", "browser.py", "margins.py", "try", "_static"):
        (docs / name).symlink_to(DOCS / name)
    (docs / "index.md").write_text("# Home\n\n[Home](#home)\n")
    assert build(docs, tmp_path / "out").returncode == 0
    for broken in ("[gone](nowhere.md)", "[gone](#nowhere)", "```{toctree}\nnowhere\n```"):
        (docs / "index.md").write_text(f"# Home\n\n{broken}\n")
        done = build(docs, tmp_path / "out")
        assert done.returncode != 0
        assert "nowhere" in done.stderr
