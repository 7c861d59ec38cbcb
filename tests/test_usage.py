"""What the commands say of themselves: --help, its examples, the man page; what a shell completes; what was meant."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from processes import completed
from verifier import __version__
from verifier.checker import __main__ as checker
from verifier.commands.completion import complete
from verifier.commands.verify import verify
from verifier.page import Page

ROOT = Path(__file__).parent.parent
COMMANDS = {"": verify, **verify.every_command()}
EVERY = pytest.mark.parametrize("name", COMMANDS, ids=lambda name: name or "verify")


@pytest.fixture
def said(capsys, monkeypatch):
    """A call in this process: its exit code, stdout and stderr."""

    def in_process(*arguments, **environment):
        for name, value in {"COLUMNS": "80", **environment}.items():
            monkeypatch.setenv(name, value)
        code = cli.main(arguments) if arguments else complete(verify, environment["_VERIFY_COMPLETE"])
        return code, *capsys.readouterr()

    return in_process


@pytest.fixture
def path(tmp_path):
    """A PATH on which `verify` is this one."""
    script = tmp_path / "bin/verify"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "cli.py"} "$@"\n')
    script.chmod(0o755)
    return f"{script.parent}:{os.environ['PATH']}"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A page of one's own in the folder where the commands are called, with a size of its own."""
    text = 'language 1\ntitle "T"\nsizes most >= 1\ninputs w in words: words of 1..most bits a in {0, 1}\n'
    text += 'claim own.bits, own, "-", on words:\n  "Bits are small."\n  w[1] <= 1\n'
    (tmp_path / "mine.page").write_text(text)
    monkeypatch.chdir(tmp_path)


@EVERY
@pytest.mark.parametrize("columns", ["60", "80"])
def test_help_has_every_part_and_keeps_to_the_width(name, columns, said):
    code, out, err = said(*name.split(), "--help", COLUMNS=columns)
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: verify {name}".strip())
    for part in ("\nOptions:\n", "\nExamples:\n", "\nExit codes:\n"):
        assert out.count(part) == 1
    assert max(map(len, out.splitlines())) <= int(columns)


@pytest.mark.usefixtures("mine")
def test_help_of_a_page_has_its_sizes_and_those_of_no_other(said):
    for words in (("mine.page", "--help"), ("explain", "mine.page", "-h"), ("--paper", "mine.page", "--help")):
        _, out, _ = said(*words)
        assert ("--most SIZE" in out, "--N SIZE" in out) == (True, False)
    _, out, _ = said("--help")
    assert {f"--{size}" for size in Page.named("yun2020").sizes} <= set(out.split())
    assert "--watch" in out


@pytest.mark.slow
@EVERY
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_examples_work_as_typed_in_an_empty_folder_one_after_the_other(name, path, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    assert any(f"verify {name}".strip() in typed for typed, _ in COMMANDS[name].examples)
    for typed, does in COMMANDS[name].examples:
        done = subprocess.run(
            ["bash", "-c", typed], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        exits = re.search(r"exit (\d+)", does)
        assert done.returncode == (int(exits[1]) if exits else 0), (typed, done)
        assert done.returncode in COMMANDS[name].codes
        files = re.findall(r"(?:-o |--certificate |--junit |>(?!=))(\S+)", typed)
        assert all((folder / file).exists() for file in files)


MEANT = [
    (("chek",), "no command 'chek'; did you mean check?"),
    (("frobnicate",), "no command 'frobnicate'; --help lists them"),
    (("export", "mine.page", "--n", "3", "-o", "net"), "no option '--n'; the page's sizes are --most"),
    (("export", "mine.page", "--most", "1..2", "-o", "net"), "an exported network is of one choice of sizes"),
    (("c.json",), "a certificate is checked by `verify check c.json`"),
    (("--clams", "b5"), "no option '--clams'; did you mean --claims?"),
    (("-n", "3"), "no option '-n'; did you mean --n?"),
    (("--paper", "parity", "--N", "3"), "no option '--N'; did you mean --n?"),
    (("--paper", "parity", "--d", "3"), "no option '--d'; the page's sizes are --n"),
    (("mine.page", "--n", "1"), "no option '--n'; the page's sizes are --most"),
    (("explain", "mine.page", "--n", "1"), "no option '--n'; the page's sizes are --most"),
    (("mine.page",), "--most is missing; the page's sizes are at least --most 1"),
    (("mine.page", "--most", "1", "--paper", "parity"), "one page is run at a time"),
    (("mine.page", "other.page", "--most", "1"), "one page is run at a time"),
    (("no.page", "--most", "1"), "no.page: "),
    (("claims", "mine.page", "own.bit"), "no claim 'own.bit'; did you mean own.bits?"),
    (("check", "mine.page"), "mine.page is a page, and no certificate: `verify mine.page` runs it"),
    (("check",), "a file is missing, as in `verify check c.json`"),
    (("check", "a.json", "none.json"), "a.json: there is no such file; nothing was checked"),
    (("check", "--promis=1 2 2 b5", "c.json"), "no option '--promis'; did you mean --promise?"),
    (("check", "--", "--help"), "--help: there is no such file"),
    (("check", "--jobs", "x", "c.json"), "'x' is not a whole number"),
    (("--d", "1", "claims"), "--d goes with `verify` alone, not with `verify claims`"),
    (("--format", "json", "claims"), "--format comes after the command, as in `verify claims --format ...`"),
    (("--", "check", "c.json"), ""),
    (("claims", "lemma10.uper"), "no claim 'lemma10.uper'; did you mean lemma10.upper?"),
    (("--d", "1", "--n", "2", "--N", "2", "--claims", "b5,lema6"), "no claim 'lema6'; did you mean lemma6?"),
    (("--paper", "parity", "--n", "2", "--claims", "b5"), "no claim 'b5'; there are parity.mark, "),
    (("--paper", str(ROOT / "proofs/certificates/d1-n2-N2.json"), "--n", "2"), "it is no page; `verify check` reads"),
    (("--paper", "parity", "--n", "2", "--checkpoint", __file__), "is a file; a folder is needed, such as kept"),
    (("papers", "parity"), "'parity' is more than `verify papers` takes"),
    (("regress", __file__), "is a file; a folder is wanted, with a MANIFEST that lists its certificates"),
    (("prove", "--claims", "shar"), "'shar' is no claim"),
]


@pytest.mark.parametrize(("arguments", "words"), MEANT, ids=lambda part: " ".join(part) if type(part) is tuple else "")
@pytest.mark.usefixtures("mine")
def test_what_was_meant_is_said_in_one_line(arguments, words, said):
    code, out, err = said(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("verify: ")
    assert err.count("\n") == 1


@pytest.mark.usefixtures("mine")
def test_a_page_is_what_paper_names_wherever_it_stands(said):
    assert (
        said("parity", "--n", "2", "-q") == said("--n", "2", "-q", "parity") == said("--paper", "parity", "--n=2", "-q")
    )
    expected = said("--paper", "mine.page", "--most", "3", "--no-check")
    assert expected[0] == 0
    for words in (("mine.page", "--most", "3", "--no-check"), ("--most", "3", "--no-check", "mine.page")):
        assert said(*words) == expected
    assert said("claims", "parity") == said("claims", "--paper", "parity")
    assert said("claims", "parity", "--paper", "parity")[1].count("formula:") == 3  # here it is a family
    for command, rest in (("explain", ["--most", "2", "--input", "01"]), ("claims", []), ("claims", ["own"])):
        answer = said(command, "--paper", "mine.page", *rest)
        assert answer[0] == 0
        assert said(command, "mine.page", *rest) == said(command, *rest, "mine.page") == answer


@pytest.mark.usefixtures("mine")
def test_a_size_has_the_name_of_no_option(said):
    for name in ("watch", "claims", "help"):
        Path("mine.page").write_text(Path("mine.page").read_text().replace("most", name))
        code, _, err = said("mine.page", f"--{name}", "3")
        assert (code, err) == (
            2,
            f"verify: mine.page: a size can't be called {name}: verify has an option of that name\n",
        )
        Path("mine.page").write_text(Path("mine.page").read_text().replace(name, "most"))


def test_check_declares_the_options_that_the_checker_has(capsys):
    assert checker.main(["--help"]) == 0
    theirs = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    ours = {name for parameter in COMMANDS["check"].params for name in parameter.opts if name.startswith("--")}
    assert ours | {"--help", "--json"} == theirs | {"--format", "--show", "--proved"}


# completion


def asked(shell, *words):
    """By click's protocol: what these words may become, the last of which is being typed."""
    return {
        "_VERIFY_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": " ".join(("verify", *words)),
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words)),
    }


COMPLETED = [
    (("c",), ["plain,check", "plain,claims", "plain,completion"]),
    (("--cl",), ["plain,--claims"]),
    (("--claims", "lemma10"), [f"plain,lemma10{end}" for end in ("", ".lower", ".upper", ".injective")]),
    (("--claims", "grid,b5.cat2-b"), ["plain,grid,b5.cat2-bound"]),
    (("--claims", "b5,b5.cat2-b"), []),  # chosen already, with its family
    (("--claims", "al"), ["plain,all"]),
    (("--d", "1", "--n", "2", "--N", "3", "--format", "j"), ["plain,json", "plain,junit"]),
    (("--certificate", ""), ["file,"]),
    (("--checkpoint", "ke"), ["dir,ke"]),
    (("claims", "slides.c"), ["plain,slides.closed"]),
    (("explain", "--claim", "lemma8"), [f"plain,lemma8.{end}" for end in ("radius", "radius-p", "equivariant")]),
    (("check", "--prom"), ["plain,--promise"]),
    (("check", "c"), ["file,c"]),
    (("prove", "--claims", "sharp"), ["plain,sharp", "plain,sharp.lower", "plain,sharp.upper"]),
    # of the page that is named: its sizes, its claims
    (("--paper", "parity", "--n"), ["plain,--n", "plain,--no-check"]),
    (("--paper", "parity", "--N"), []),
    (("mine.page", "--mo"), ["plain,--most"]),
    (("mine.page", "--most", "3", "--claims", "ow"), ["plain,own", "plain,own.bits"]),
    (("explain", "mine.page", "--claim", ""), ["plain,own.bits"]),
    (("explain", "mine.page", "--m"), ["plain,--most", "plain,--matrix"]),
    (("--paper", "no.page", "--ver"), ["plain,--verbose", "plain,--version"]),
]


@pytest.mark.parametrize(("words", "answers"), COMPLETED, ids=" ".join)
@pytest.mark.usefixtures("mine")
def test_bash_is_told_what_a_word_may_become(words, answers, said):
    assert said(**asked("bash", *words)) == (0, "".join(f"{answer}\n" for answer in answers) or "\n", "")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_a_real_bash_completes(path):
    script = """
    eval "$(verify completion bash)"
    COMP_WORDS=(verify --claims lemma6,b5.cat3-f); COMP_CWORD=2
    _verify_completion verify
    printf '<%s>\\n' "${COMPREPLY[@]}"
    """
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("<lemma6,b5.cat3-final>\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_ask_for_what_is_answered(shell, said):
    code, script, err = said("completion", shell)
    assert (code, err) == (0, "")
    assert f"_VERIFY_COMPLETE={shell}_complete" in script
    assert shell != "fish" or 'string split --max 1 "," $completion' in script  # else it would cut ids at commas


@pytest.mark.parametrize("instruction", ["", "bash", "bash_complete", "nonsense_complete"])
def test_a_question_that_no_shell_asks_is_no_traceback(instruction):
    env = {**os.environ, "_VERIFY_COMPLETE": instruction}
    done = completed([sys.executable, str(ROOT / "cli.py"), "claims", "b5.head"], env=env)
    assert "Traceback" not in done.stderr
    assert "b5.head" not in done.stdout


def test_completing_loads_nothing_heavy():
    script = (
        "import sys, cli\n"
        "assert cli.main() == 0\n"
        "heavy = {'sympy', 'numpy', 'rich', 'mpmath', 'asyncio', 'verifier.run'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    environment = os.environ | asked("bash", "--claims", "b5.h")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "plain,b5.head\n", "")


# the man page


def test_the_man_page_is_what_the_commands_say():
    spec = importlib.util.spec_from_file_location("make_man", ROOT / "man/make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert (ROOT / "man/verify.1").read_text() == make.man_page(verify, __version__), "python man/make.py makes it anew"


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_the_man_page_can_be_read():
    done = completed(["groff", "-man", "-Tascii", "-ww", "-P-c", str(ROOT / "man/verify.1")])
    assert (done.returncode, done.stderr) == (0, "")
    text = re.sub(r".\x08", "", done.stdout)
    for name, command in COMMANDS.items():
        assert f"verify {name}".strip() in text
        assert all(typed in text for typed, _ in command.examples)
