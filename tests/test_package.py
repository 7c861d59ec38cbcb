"""The package: what is built, what it is called, and what is installed with it."""

import email
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from conftest import pytest_collection_modifyitems
from verifier import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def script(path, text):
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


# What is built


def copied(folder):
    """A checkout elsewhere, younger."""
    folder.mkdir()
    without = shutil.ignore_patterns("__pycache__")
    for name in ("verifier", "man"):
        shutil.copytree(ROOT / name, folder / name, ignore=without, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "LICENSE", "cli.py", ".gitignore"):
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def made(kind, folder, **env):
    """The file that hatchling makes of a checkout."""
    pytest.importorskip("hatchling")
    call = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", "dist"]
    done = subprocess.run(call, cwd=folder, env=os.environ | env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = (folder / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return path


@pytest.mark.slow
def test_a_release_can_be_made_again_byte_for_byte(tmp_path):
    """In another place, at another time; and the wheel from the sdist is the wheel."""
    epoch = {"SOURCE_DATE_EPOCH": "1767225600"}
    here, there = copied(tmp_path / "here"), copied(tmp_path / "or there")
    sdist = made("sdist", here, **epoch, PYTHONHASHSEED="1")
    again = made("sdist", there, **epoch, PYTHONHASHSEED="2")
    assert sdist.read_bytes() == again.read_bytes()
    wheel = made("wheel", here, **epoch)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert unpacked.name == f"yun_verifier-{__version__}"
    from_sdist = made("wheel", unpacked, **epoch)
    assert wheel.name == from_sdist.name == f"yun_verifier-{__version__}-py3-none-any.whl"
    assert wheel.read_bytes() == from_sdist.read_bytes()


@pytest.mark.slow
def test_the_wheel_runs_as_it_is_unpacked_and_has_its_types(tmp_path):
    wheel = made("wheel", copied(tmp_path / "here"))
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if name.startswith("verifier/")}
        archive.extractall(tmp_path / "installed")  # noqa: S202 - our own
    here = {str(path.relative_to(ROOT)) for path in (ROOT / "verifier").rglob("*") if path.is_file()}
    assert files == {name for name in here if "__pycache__" not in name} | {"verifier/cli.py"}
    call = [sys.executable, "-m", "verifier", "--d", "1", "--n", "3", "--N", "4", "-q"]
    done = subprocess.run(call, cwd=tmp_path / "installed", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "holds\n"), done.stderr
    pytest.importorskip("mypy")
    typed = typed_outside(tmp_path / "installed", tmp_path)
    assert re.findall(r"user.py:(\d): .*? (?:is|type) \"([\w.]+)\"", typed) == [
        ("3", "verifier.core.rational.mpq"), ("4", "verifier.page.Found"), ("5", "mpq")
    ], typed  # fmt: skip
    (tmp_path / "installed/verifier/core/rational.pyi").unlink()
    assert '"Any"' in typed_outside(tmp_path / "installed", tmp_path)


def site_of(venv):
    (site,) = (venv / "lib").glob("python*/site-packages")
    return site


def put_what_it_asks_for(wheel, site):
    """What the wheel requires at run time, and what that requires, as it is installed here."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        said = email.message_from_bytes(archive.read(metadata))
    left, found = said.get_all("Requires-Dist"), set()
    while left:
        asked = Requirement(left.pop())
        if asked.name in found or (asked.marker is not None and not asked.marker.evaluate({"extra": ""})):
            continue
        found.add(asked.name)
        distribution = importlib.metadata.distribution(asked.name)
        for file in distribution.files:
            if ".." not in file.parts:
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), site / file)
        left += distribution.requires or []
    return found


@pytest.mark.slow
def test_a_release_on_a_machine_that_has_nothing(tmp_path):
    """The wheel in an empty environment: no compiler, no checkout, no other package than it asks for."""
    wheel = made("wheel", copied(tmp_path / "here"))
    venv, home = tmp_path / "venv", tmp_path / "home"
    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    env = {"PATH": str(venv / "bin"), "HOME": str(home), "LC_ALL": "C.UTF-8"}

    def call(*words):
        done = subprocess.run(words, cwd=home, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    assert put_what_it_asks_for(wheel, site_of(venv)) >= {"click", "gmpy2"}
    call(venv / "bin/python", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel))
    shutil.rmtree(tmp_path / "here")
    assert __version__ in call("verify", "--version")
    screen = call("verify", "--d", "1", "--n", "3", "--N", "4", "--certificate", "c.json")
    assert "Checked in full by a second program that shares no code with this one." in screen
    assert "checked in full" in call("verify", "check", "c.json")
    call("verify", "build", "--d", "1", "--n", "2", "--N", "2", "--target", "f(j) = X[j]", "-o", "f.page")
    call("verify", "export", "f.page", "--softmax", "-o", "net")
    assert "checked in full" in call("verify", "check", "net/certificate.json")
    assert (venv / "share/man/man1/verify.1").is_file()


USERS = """
from verifier import Page, Q
reveal_type(Q(1, 4) + 1)
reveal_type(Page.file("a.page").run(n=2))
wrong: str = Q(1, 4)
"""


def typed_outside(package, folder):
    """What mypy says of a user's script, far from any checkout, where the package is installed and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", folder / "venv"], check=True)
    shutil.copytree(package, site_of(folder / "venv"), dirs_exist_ok=True)
    (folder / "user.py").write_text(USERS)
    call = [sys.executable, "-m", "mypy", "--strict", "--python-executable", folder / "venv/bin/python", "user.py"]
    env = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False).stdout


# Everything that a run opens to write, starts, or loads as a library, told by Python itself.
WATCHED = """
import sys
told = []
def hear(event, args):
    if event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.mkdir", "ctypes.dlopen"):
        told.append(f"{event} {args[0]}")
    elif event == "open" and isinstance(args[2], int) and args[2] & 3 and "__pycache__" not in str(args[0]):
        told.append(f"write {args[0]}")
sys.addaudithook(hear)
sys.modules["pwd"] = None
import ctypes  # which opens the interpreter itself
from verifier.evaluate.run import found
from verifier.language.page import read
page = read(open(sys.argv[1]).read())
told.clear()
print(found(page, {"d": 1, "n": 3, "N": 4}, ["lemma6.1"])["verdict"])
print(*(one for one in told if one != "ctypes.dlopen None"), sep="\\n")
"""


@pytest.mark.thorough
def test_a_run_starts_writes_and_loads_nothing(tmp_path):
    """Neither HOME nor a passwd entry is needed."""
    env = {"PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}
    call = [sys.executable, "-B", "-c", WATCHED, str(ROOT / "verifier/pages/yun2020.page")]
    done = subprocess.run(call, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "holds\n\n"), done.stderr


# Where resource, fcntl and pwd are missing


LACKING = {
    "os": "fork forkpty killpg getpgid setsid getuid geteuid sched_getaffinity statvfs O_NOFOLLOW O_NONBLOCK O_CLOEXEC",
    "signal": "SIGALRM SIGHUP SIGKILL SIGPIPE SIGPROF setitimer getitimer pthread_sigmask ITIMER_REAL ITIMER_PROF",
    "mmap": "MAP_PRIVATE MAP_ANONYMOUS",
}


@pytest.mark.thorough
def test_a_run_and_a_check_need_nothing_that_windows_lacks(tmp_path):
    """In one process that has lost these names; what it starts is started as there, by spawning."""
    lines = f"""
        import multiprocessing, os, signal, mmap, subprocess, sys, tempfile, concurrent.futures, asyncio, ctypes
        for name in ("resource", "fcntl", "pwd", "grp", "termios"):
            sys.modules[name] = None
        for module, names in {LACKING!r}.items():
            for name in names.split():
                delattr(sys.modules[module], name)
        import pkgutil, verifier
        names = [module.name for module in pkgutil.walk_packages(verifier.__path__, "verifier.")]
        assert len(names) > 80
        for name in names:
            __import__(name)
        from cli import main
        from verifier.checker.__main__ import main as check
        sizes = ["--d", "1", "--n", "2", "--N", "3"]
        assert main([*sizes, "--jobs", "1", "--certificate", "c.json"]) == 0
        assert main([*sizes, "--memory-limit", "1000"]) == 4  # can't be limited there
        assert check(["c.json"]) == 0
        assert main(["build", "--d", "1", "--n", "2", "--N", "2", "--target", "f(j) = X[j]", "-o", "f.page"]) == 0
        assert main(["export", "f.page", "--softmax", "-o", "net"]) == 0
        assert check(["net/certificate.json"]) == 0
        assert main([*sizes[:2], "--n", "6", "--N", "6", "--jobs", "1", "--time-limit", "1"]) == 4
        from verifier.checker import __main__ as checker
        checker.SECONDS, sys.platform = 1, "win32"
        sys.argv[1:] = [{str(ROOT / "proofs/certificates/d1-n5-N5.json")!r}]
        assert check() == 4  # as a command has it, with limits
    """
    call = [sys.executable, "-c", "\n".join(line[8:] for line in lines.splitlines())]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(call, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# What it is called


def texts():
    folders = ("verifier", "tests", "docs", "proofs", "examples", "benchmarks", "man", ".github", ".ci", "locks")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    for path in [*paths, *ROOT.glob("*"), ROOT / ".pre-commit-hooks.yaml"]:
        if (
            path.suffix in (".md", ".py", ".yml", ".yaml", ".toml", ".ipynb", ".sh", ".txt", ".1", "")
            and path.is_file()
        ):
            try:
                yield path, path.read_text()
            except UnicodeDecodeError:
                continue


INSTALLS = re.compile(r"\b(?:pip|pipx|uv tool|uv pip) install((?: +(?:-\S+|[^\s`;&|)]+))*)")


def names_that_a_registry_would_be_asked_for(text):
    for found in INSTALLS.finditer(text):
        words = found[1].replace("'", "").replace('"', "").split()
        while words:
            word = words.pop(0)
            if word in ("-r", "-c") and words:
                words.pop(0)
            elif word.startswith(("-", ".", "$", "git+", "dist/", "yun_verifier-")):
                continue
            elif re.fullmatch(r"[a-z0-9-]+(\[[a-z,]+\])?", word.rstrip(".,")):
                yield word


def test_no_text_tells_anybody_to_install_a_name():
    """A name that is free today can be somebody else's tomorrow; `verifier` is somebody else's."""
    told = [(path.name, name) for path, text in texts() for name in names_that_a_registry_would_be_asked_for(text)]
    known = ("test_package.py", "CHANGELOG.md")
    assert [(name, word) for name, word in told if name not in known and word in ("verifier", "yun-verifier")] == []
    assert list(names_that_a_registry_would_be_asked_for("pip install 'verifier[dask]' --quiet")) == ["verifier[dask]"]
    assert not any("verifier[" in word for name, word in told if name not in known)
    assert PROJECT["project"]["name"] == "yun-verifier"
    assert PROJECT["project"]["scripts"] == {"verify": "verifier.__main__:main"}


def test_the_version_is_one():
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest == PROJECT["project"]["version"] == __version__


# What is installed with it

LOCKS = {
    "run": [],
    "test": ["test"],
    "lint": ["lint"],
    "docs": ["docs"],
    "browser": ["test", "browser"],
    "dask": ["dask"],
}


def pins(text):
    """Each pin with its digests."""
    entries = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    for line in entries.splitlines():
        requirement, *digests = re.split(r"\s+--hash=", line)
        yield Requirement(requirement), digests


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_all_that_is_asked_for(name):
    text = (ROOT / f"locks/{name}.txt").read_text()
    assert "://" not in text, "a lock says what, not from where"
    found = {}
    for pin, digests in pins(text):
        assert [spec.operator for spec in pin.specifier] == ["=="], pin
        assert digests, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest.strip()) for digest in digests), pin
        found.setdefault(pin.name, []).append(pin)
    project = PROJECT["project"]
    asked = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    asked += [word for extra in LOCKS[name] for word in project["optional-dependencies"][extra]]
    for word in map(Requirement, asked):
        assert word.name in found, f"{word} is not locked: make lock"
        for pin in found[word.name]:
            assert word.specifier.contains(Version(next(iter(pin.specifier)).version)), f"{word}: make lock"


def test_locks_agree():
    versions = {}
    for name in LOCKS:
        for pin, digests in pins((ROOT / f"locks/{name}.txt").read_text()):
            versions.setdefault((pin.name, str(pin.marker)), set()).add((str(pin.specifier), *digests))
    assert [key for key, different in versions.items() if len(different) > 1] == []


def test_what_make_test_leaves_out_is_run_by_CI():
    makefile, ci = (ROOT / "Makefile").read_text(), (ROOT / ".ci/run").read_text().splitlines()
    left_out = {
        name: re.search(rf'^{name}: .*\n\t.* -m "([^"]*)"', makefile, re.MULTILINE)[1] for name in ("test", "test-slow")
    }
    assert left_out == {"test": "not coq and not slow and not rest", "test-slow": "(slow or rest) and not coq"}
    said = "\n".join(re.findall(r'^\t@echo "(.*)"$', makefile, re.MULTILINE))
    for target in ("test-slow", "coq", "coq-mutants", "torture", "browser"):
        assert re.search(rf"  make .*\b{target}\b", said), f"`make test` doesn't say that `make {target}` is left out"
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    run = [line.partition("  #")[0] for line in ci if line.startswith("make test")]
    assert run == ["make test", "make test-slow PART=$part"]
    assert "(make coq && make reader && make coq-mutants PART=$part)" in "\n".join(ci)
    assert "run: make coq reader test-all coq-mutants torture\n" in workflows()["thorough.yml"]


def test_the_parts_of_the_tests_are_all_of_them():
    every = [SimpleNamespace(nodeid=f"tests/test_a.py::test_{k}", get_closest_marker=lambda _: None) for k in range(99)]

    def part(k):
        items = list(every)
        hook = SimpleNamespace(pytest_deselected=lambda **_: None)
        pytest_collection_modifyitems(SimpleNamespace(getoption=lambda _: f"{k}/3", hook=hook), items)
        return [item.nodeid for item in items]

    parts = [part(k) for k in (1, 2, 3)]
    assert all(parts)
    assert sorted(chain(*parts)) == sorted(item.nodeid for item in every)


def test_make_installs_nothing_that_is_not_locked():
    calls = re.findall(r"^\t\$\(call install,[^,]*,(.*)\)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    allowed = ("--no-deps --require-hashes -r locks/", "--no-deps --no-build-isolation .", "uv")
    assert len(calls) == 4
    assert all(call.startswith(allowed) for call in calls)
    assert "pip install" not in (ROOT / ".ci/run").read_text()


PYTHON = """#!/bin/sh
case "$*" in
  "-m venv --without-pip .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  "-m pip"*) echo "WARNING: a location is ignored" >&2; echo "$*" >> asked; exit $PIP_ENDS_WITH ;;
esac
"""


def test_where_pip_fails_its_words_are_shown_and_nothing_counts_as_installed(tmp_path):
    """`make .venv/installed` where Python is a script, and pip fails the first time."""
    for path in ("pyproject.toml", "README.md", "cli.py", "man/verify.1", "locks/run.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "verifier").mkdir()
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)

    def make(pip):
        words = ["make", f"PYTHON={tmp_path}/python", ".venv/installed"]
        env = {**os.environ, "PIP_ENDS_WITH": str(pip), "MAKEFLAGS": "", "MAKELEVEL": ""}
        return subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    failed = make(1)
    assert failed.returncode == 2
    assert "WARNING: a location is ignored\n" in failed.stderr
    assert not (tmp_path / ".venv/installed").exists()
    assert make(0).returncode == 0
    assert (tmp_path / ".venv/installed").exists()


# Workflows


def workflows():
    return {path.name: path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml")}


def test_actions_are_pinned_by_commit():
    for name, text in workflows().items():
        used = re.findall(r"uses: (.*)", text)
        assert used, name
        assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in used), name


def steps(text):
    """What each `run:` of the workflow has its shell do."""
    for found in re.finditer(r"^( +)(?:- )?run: (?:\|\n((?:\1  +.*\n|\n)+)|(.*)\n)", text, re.MULTILINE):
        yield found[3] or "\n".join(line.strip() for line in found[2].splitlines())


def expressions(text, known):
    """The job's environment, where `known` is what the repository and the call give."""
    for name, expression in re.findall(r"^      ([A-Z]+): \$\{\{ (.*) \}\}", text, re.MULTILINE):
        words = [word.strip() for word in expression.split("||")]
        yield name, next((value for word in words if (value := known.get(word, word.strip("'") * ("'" in word)))), "")


def job(folder, known):
    """The workflow as it stands, run in a repository as a runner would: step by step, until one fails."""
    tools, text = folder.parent / "tools", workflows()["proof-regression.yml"]
    tools.mkdir(exist_ok=True)
    script(tools / "python", f'echo "python $*" >> "{tools}/log"')
    script(tools / "verify", f'exec "{sys.executable}" "{ROOT}/cli.py" "$@"')
    (tools / "log").write_text("")
    env = {"PATH": f"{tools}:{os.environ['PATH']}", "RUNNER_TEMP": str(folder.parent), "HOME": str(folder.parent)}
    env |= dict(expressions(text, known))
    assert env.keys() >= {"FOLDER", "VERIFIER"}
    found = list(steps(text))
    assert len(found) == 2
    out = ""
    for step in found:
        call = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step]
        done = subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)
        out += done.stdout + done.stderr
        if done.returncode:
            return done.returncode, out, (tools / "log").read_text()
    return 0, out, (tools / "log").read_text()


def git(folder, *words):
    who = ("-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A new repository with one certificate, and one of the verifier's with two commits."""
    folder = tmp_path / "new"
    (folder / "proofs/certificates").mkdir(parents=True)
    name = "certificates/d1-n3-N4.json"
    shutil.copyfile(ROOT / "proofs" / name, folder / "proofs" / name)
    (line,) = (line for line in (ROOT / "proofs/MANIFEST").read_text().splitlines() if line.startswith(f"{name} "))
    (folder / "proofs/MANIFEST").write_text(f"{line}\n")
    theirs = tmp_path / "theirs"
    (theirs / "locks").mkdir(parents=True)
    git(theirs, "init", "-q")
    for version in ("1", "2"):
        (theirs / "locks/run.txt").write_text(version)
        git(theirs, "add", ".")
        git(theirs, "commit", "-qm", version)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize("way", ["inputs.verifier", "vars.VERIFIER"])
def test_the_workflow_as_it_stands_in_a_new_repository(way, repository):
    theirs = repository.parent / "theirs"
    first = git(theirs, "rev-list", "--max-parents=0", "HEAD")
    code, out, log = job(repository, {way: f"git+file://{theirs}@{first}"})
    assert code == 0, out
    assert "1 certificate as proved, 0 not" in out
    there = repository.parent / "verifier"
    assert (there / "locks/run.txt").read_text() == "1", "the commit that was asked for, and not the newest"
    assert log.splitlines() == [
        f"python -m pip install --no-deps --require-hashes -r {there}/locks/run.txt",
        f"python -m pip install --no-deps --no-build-isolation {there}",
    ]
    assert (repository / "proof-regression.xml").is_file()


@pytest.mark.parametrize(
    "given",
    [
        "",
        "yun-verifier==0.2.0",
        "git+https://example.invalid/a/verifier@main",
        "--index-url=x git+https://example.invalid/a/verifier@" + "0" * 40,
    ],
)
def test_the_workflow_installs_nothing_that_is_not_pinned(given, repository):
    code, out, log = job(repository, {"vars.VERIFIER": given})
    assert (code, log) == (2, "")
    assert (
        f"::error::which verifier? VERIFIER is '{given}', and must be git+https://HOST/OWNER/REPOSITORY@COMMIT" in out
    )


def test_what_the_workflow_asks_for_has_no_default():
    text = workflows()["proof-regression.yml"]
    asked = text[text.index("      verifier:\n") : text.index("permissions:")]
    assert "required: true" in asked
    assert "default" not in asked
    assert dict(expressions(text, {})) == {"FOLDER": "proofs", "VERIFIER": ""}
