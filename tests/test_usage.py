"""What the commands say of themselves: --help, its examples, the man page; what a shell completes; what was meant."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import cli
from processes import completed
from verifier import __version__
from verifier.checker import __main__ as checker
from verifier.commands.completion import complete
from verifier.commands.options import IDS
from verifier.commands.usage import ClaimIds, Command, broken, unknown
from verifier.commands.verify import verify

ROOT = Path(__file__).parent.parent
COMMANDS = {"": verify, **verify.every_command()}
EVERY = pytest.mark.parametrize("name", COMMANDS, ids=lambda name: name or "verify")


def call(*arguments, **environment):
    return completed(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        env={**os.environ, "COLUMNS": "", **environment},
    )


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


@EVERY
@pytest.mark.parametrize("columns", ["60", "80"])
def test_help_has_every_part_and_keeps_to_the_width(name, columns, said):
    code, out, err = said(*name.split(), "--help", COLUMNS=columns)
    assert (code, err) == (0, "")
    usage, purpose, *_ = out.split("\n\n")
    assert usage.startswith(f"Usage: verify {name}".strip())
    assert purpose.strip().endswith(".")
    for part in ("\nOptions:\n", "\nExamples:\n", "\nExit codes:\n"):
        assert out.count(part) == 1
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "..." not in out.partition("\nCommands:\n")[2].partition("\nExamples:\n")[0]  # nothing is cut short


@pytest.mark.parametrize("width", [20, 30, 58, 200])
def test_a_long_example_is_broken_as_a_shell_reads_it(width):
    for typed in [typed for command in COMMANDS.values() for typed, _ in command.examples]:
        shown = broken(typed, width)
        assert re.sub(r" \\\n +", " ", shown) == typed
        assert width < 200 or shown == typed
        assert width < 58 or max(map(len, shown.splitlines())) <= width


def test_help_is_the_same_wherever_it_stands():
    assert call("check", "c.json", "-h").stdout == call("check", "--help").stdout
    assert call("-h").stdout == call("--help").stdout
    assert call("check", "--", "--help").returncode == 2  # a file of that name, which isn't there


@pytest.mark.slow
@EVERY
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_examples_work_as_typed_in_an_empty_folder_one_after_the_other(name, path, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    assert COMMANDS[name].examples
    assert any(f"verify {name}".strip() in typed for typed, _ in COMMANDS[name].examples)
    for typed, does in COMMANDS[name].examples:
        done = subprocess.run(
            ["bash", "-c", typed], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, check=False
        )
        exits = re.search(r"exit (\d+)", does)
        assert done.returncode == (int(exits[1]) if exits else 0), (typed, done)
        assert done.returncode in COMMANDS[name].codes
        assert all(
            (folder / file).exists() for file in re.findall(r"(?:-o |--certificate |--junit |>(?!=))(\S+)", typed)
        )


def test_version():
    done = call("--version")
    assert (done.returncode, done.stdout) == (0, f"verify, version {__version__}\n")


MEANT = [
    (("chek",), "no command 'chek'; did you mean check?"),
    (("Regress",), "no command 'Regress'; did you mean regress?"),
    (("frobnicate",), "no command 'frobnicate'; --help lists them"),
    (("--clams", "b5"), "no option '--clams'; did you mean --claims?"),
    (("-n", "3"), "no option '-n'; did you mean --n?"),
    (("--CLAIMS", "b5"), "no option '--CLAIMS'; did you mean --claims?"),
    (("--zzz",), "no option '--zzz'; --help lists them"),
    (("explain", "--matrx", "0"), "no option '--matrx'; did you mean --matrix?"),
    (("survey", "--formt=csv"), "no option '--formt'; did you mean --format?"),
    (("check",), "a file is missing, as in `verify check c.json`"),
    (("check", "--promis", "x", "c.json"), "no option '--promis'; did you mean --promise?"),
    (("check", "--promis=1 2 2 b5", "c.json"), "no option '--promis'; did you mean --promise?"),
    (("claims", "lemm10"), "no claim 'lemm10'; did you mean lemma10?"),
    (("claims", "lemma10.uper"), "no claim 'lemma10.uper'; did you mean lemma10.upper?"),
    (("--d", "1", "--n", "2", "--N", "2", "--claims", "b5,lema6"), "no claim 'lema6'; did you mean lemma6?"),
    (("--paper", "parity", "--n", "2", "--claims", "pair"), "no claim 'pair'; did you mean parity?"),
    (("--paper", "parity", "--n", "2", "--claims", "b5"), "no claim 'b5'; there are parity.mark, "),
    (("mine.page", "--n", "1"), "'mine.page' is a page; it is named by --paper, as in `verify --paper mine.page`"),
    (("--n", "1", "--k", "3", "mine.page"), "'mine.page' is a page; it is named by --paper"),
    (("explain", "mine.page", "--k", "1"), "'mine.page' is a page; it is named by --paper"),
    (("survey", "mine.page", "--n", "1"), "'mine.page' is a page; it is named by --paper"),
    (("explain", "--paper", "parity", "--n", "1", "--kk", "2"), "no option '--kk'; "),
    (("--paper", str(ROOT / "proofs/certificates/d1-n2-N2.json"), "--n", "2"), "it is no page; `verify check` reads"),
    (("papers", "parity"), "'parity' is more than `verify papers` takes"),
    (("--paper", "parity", "--n", "2", "--checkpoint", __file__), "is a file; a folder is needed, such as kept"),
    (("regress", __file__), "is a file; a folder is wanted, with a MANIFEST that lists its certificates"),
    (
        ("check", str(ROOT / "proofs/certificates/d1-n2-N2.json"), "--promise", "3 all"),
        "the sizes of yun2020 are d, n, N, in this order; of another page say",
    ),
    (("prove", "--claims", "shar"), "'shar' is no claim"),
    (("explain", "--d", "1", "--n", "2", "--N", "2", "--claim", "lemma6.33"), "did you mean lemma6.3?"),
]


@pytest.mark.parametrize(("arguments", "words"), MEANT, ids=lambda part: " ".join(part) if type(part) is tuple else "")
def test_what_was_meant_is_said_in_one_line(arguments, words, said):
    code, out, err = said(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.startswith("verify: ")
    assert err.count("\n") == 1


def test_a_word_keeps_its_case_if_there_is_one_so():
    assert unknown("option", "--nn", ["--n", "--N"]).endswith("did you mean --n?")
    assert unknown("option", "--NN", ["--n", "--N"]).endswith("did you mean --N?")


def test_check_declares_the_options_that_the_checker_has(capsys):
    assert checker.main(["--help"]) == 0
    theirs = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    ours = {name for parameter in COMMANDS["check"].params for name in parameter.opts if name.startswith("--")}
    assert ours | {"--help", "--json"} == theirs | {
        "--format",
        "--show",
        "--proved",
    }  # what the caller makes of its JSON


def test_what_did_not_reach_the_checker_is_no_acceptance(said):
    for words in (("--", "check", "c.json"), ("--strict", "check", "c.json"), ("--d", "1", "check", "c.json")):
        code, out, err = said(*words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1


# --- completion


def asked(shell, *words):
    """By click's protocol: what these words may become, the last of which is being typed."""
    return {
        "_VERIFY_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": " ".join(("verify", *words)),
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words)),
    }


COMPLETED = [
    (("ch",), ["plain,check"]),
    (("c",), ["plain,check", "plain,claims", "plain,completion"]),
    (("--cl",), ["plain,--claims"]),
    (("--claims", "lemma10"), [f"plain,lemma10{end}" for end in ("", ".lower", ".upper", ".injective")]),
    (("--claims", "grid,b5.cat2-b"), ["plain,grid,b5.cat2-bound"]),
    (("--claims", "b5,b5.cat2-b"), []),  # chosen already, with its family
    (("--claims", "b5.head,b"), [f"plain,b5.head,{id_}" for id_ in IDS.ids() if re.match("b5.(?!head)", id_)]),
    (("--claims", "al"), ["plain,all"]),
    (("--claims", "b5,al"), []),
    (("--d", "1", "--n", "2", "--N", "3", "--format", "j"), ["plain,json"]),
    (("--certificate", ""), ["file,"]),
    (("--checkpoint", "ke"), ["dir,ke"]),
    (("claims", "slides.c"), ["plain,slides.closed"]),
    (("claims", "lemma6,"), []),  # one alone
    (("explain", "--claim", "lemma8"), [f"plain,lemma8.{end}" for end in ("radius", "radius-p", "equivariant")]),
    (("check", "--prom"), ["plain,--promise"]),
    (("check", "c"), ["file,c"]),
    (("prove", "--claims", "sharp"), ["plain,sharp", "plain,sharp.lower", "plain,sharp.upper"]),
    (("completion", ""), ["plain,bash", "plain,zsh", "plain,fish"]),
]


@pytest.mark.parametrize(("words", "answers"), COMPLETED, ids=" ".join)
def test_bash_is_told_what_a_word_may_become(words, answers, said):
    assert said(**asked("bash", *words)) == (0, "\n".join(answers) + "\n", "")


def test_zsh_and_fish_are_told_the_same():
    zsh = call(**asked("zsh", "--claims", "b5,lemma10.u"))
    assert (zsh.returncode, zsh.stdout.split(), zsh.stderr) == (0, ["plain", "b5,lemma10.upper", "_"], "")
    fish = call(**asked("fish", "--claims", "b5,lemma10.u"))
    assert (fish.returncode, fish.stdout, fish.stderr) == (0, "plain,b5,lemma10.upper\n", "")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_a_real_bash_completes(path):
    script = """
    eval "$(verify completion bash)"
    complete -p verify
    COMP_WORDS=(verify --claims lemma6,b5.cat3-f); COMP_CWORD=2
    _verify_completion verify
    printf '<%s>\\n' "${COMPREPLY[@]}"
    """
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["complete -o nosort -F _verify_completion verify", "<lemma6,b5.cat3-final>"]


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_a_real_fish_completes(path):
    script = "verify completion fish | source; complete -C 'verify --claims lemma6,b5.cat3-f'"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("lemma6,b5.cat3-final\n", "")


def test_the_script_for_fish_cuts_an_answer_at_its_first_comma_alone(said):
    assert 'string split --max 1 "," $completion' in said("completion", "fish")[1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_scripts_ask_for_what_is_answered(shell, said):
    code, script, err = said("completion", shell)
    assert (code, err) == (0, "")
    assert f"_VERIFY_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize("instruction", ["", "bash", "bash_complete", "nonsense_complete"])
def test_a_question_that_no_shell_asks_is_no_traceback(instruction):
    done = call("claims", "b5.head", _VERIFY_COMPLETE=instruction)
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


def test_every_option_that_names_claims_completes_them():
    for name, command in COMMANDS.items():
        for parameter in command.params:
            if parameter.metavar in ("ID", "[ID]", "ID,ID"):
                assert isinstance(parameter.type, ClaimIds), (name, parameter.name)
            if parameter.metavar in ("FILE", "DIR", "[DIR]", "FILE..."):
                assert isinstance(parameter.type, click.Path), (name, parameter.name)


# --- the man page


def man_page():
    spec = importlib.util.spec_from_file_location("make_man", ROOT / "man/make.py")
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    return make.man_page(verify, __version__)


def test_the_man_page_is_what_the_commands_say():
    assert (ROOT / "man/verify.1").read_text() == man_page(), "python man/make.py makes it anew"


def test_an_installed_package_brings_it_to_where_man_looks():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert settings["shared-data"] == {"man/verify.1": "share/man/man1/verify.1"}


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_the_man_page_can_be_read():
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-P-c", "man/verify.1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = re.sub(r".\x08", "", done.stdout)
    for name, command in COMMANDS.items():
        assert f"verify {name}".strip() in text
        for typed, _ in command.examples:
            assert typed in text
        for parameter in (one for one in command.params if not getattr(one, "hidden", False)):
            assert all(option in text for option in parameter.opts if option.startswith("-"))


def test_every_page_with_a_command_is_one_that_tells():
    pages = [path for path in (ROOT / "verifier/commands").glob("*.py") if "cls=Command" in path.read_text()]
    of_a_page = {"page"}  # `verify --paper FILE`, whose options are the page's
    assert {path.stem for path in pages} == set(COMMANDS) - {""} | of_a_page
    assert all(isinstance(command, Command) for name, command in COMMANDS.items() if name)
