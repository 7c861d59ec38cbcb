"""The proofs in Coq as `make coq` compiled them, and copies of them to be spoilt."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

COQ = Path(__file__).parent.parent / "proofs/coq"
UNIVERSAL, READER = COQ / "universal", COQ / "reader"
FOLDERS = (COQ, UNIVERSAL, READER, READER / "pages")
BUILT = bool(shutil.which("coqc") and (UNIVERSAL / "Axioms.vo").exists())


def with_coq(test):
    """A test that runs Coq itself: `make coq-mutants`."""
    return pytest.mark.coq(pytest.mark.skipif(not BUILT, reason="`make coq` has not been run")(test))


def proved(text):
    """(theorem, statement) of each line of a file of the assumptions, names without Contextual."""
    return re.findall(r"\(Contextual\.([\w.]+)\s+:\s+Contextual\.([\w.]+)\)", text)


def sources(folder):
    """A copy of the sources and their Makefile."""
    for part in ("universal", "reader/pages"):
        (folder / part).mkdir(parents=True)
    for path in [*(p for f in FOLDERS for p in f.glob("*.v")), COQ / "_CoqProject", COQ / "Makefile"]:
        shutil.copy(path, folder / path.relative_to(COQ))
    return folder


def linked(folder):
    """A copy of the sources, with links to what is compiled."""
    sources(folder)
    for path in (p for f in FOLDERS for p in f.glob("*.vo")):
        (folder / path.relative_to(COQ)).symlink_to(path)
    return folder


def replaced(text, right, wrong):
    """With `wrong` for the one place that says `right`; an empty `right` changes nothing."""
    assert not right or text.count(right) == 1, f"{text.count(right)} places say {right!r}"
    return text.replace(right, wrong) if right else text


def change(folder, name, right, wrong):
    path = folder / f"{name}.v"
    path.write_text(replaced(path.read_text(), right, wrong))


def coqc(folder, name):
    """Compile one file, in the place of the link to it. None takes a minute; one that does is caught in a search."""
    (folder / f"{name}.vo").unlink(missing_ok=True)
    command = ["coqc", "-q", "-w", "none", "-Q", ".", "Contextual", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def first_that_fails(folder, names):
    """Of these files, compiled one after the other, the first that isn't proved any more."""
    return next((name for name in names if coqc(folder, name).returncode), None)
