"""`verify check`: hands its arguments to the independent checker."""

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import (
    DEFECT,
    INCOMPLETE,
    INTERRUPTED,
    MISSING,
    OK,
    OVER_LIMIT,
    REFUTED,
    complain,
    printable,
)
from verifier.commands.options import FILE, FORMAT, Natural, option
from verifier.commands.usage import EXIT_CODES, Command
from verifier.files import read_regular
from verifier.interrupts import interruptible
from verifier.lines import fitted
from verifier.report.formats import Result, Row, opened

SECONDS = 600  # for the reader that is proved
WORST = (DEFECT, REFUTED, OVER_LIMIT, INCOMPLETE)  # of what it says of several files


@click.command(
    "check",
    cls=Command,
    short_help="Check certificates with the independent checker.",
    codes={
        0: "every certificate is accepted, and every promise kept",
        1: "a certificate is rejected, a promise broken, or a claim rightly refuted that no promise expects",
        4: EXIT_CODES[4],
        5: "checked in part, or a certificate is incomplete",
    },
    examples=[
        ("verify --d 1 --n 3 --N 4 --certificate c.json", ""),
        ("verify check c.json", ""),
        ("verify check c.json --promise '1 3 4 lemma6'", "rejected unless it proves Lemma 6 there"),
        ("verify check c.json --sample 100", "a hundred cases, drawn: a part only, and exit 5"),
    ],
)
@click.argument("files", nargs=-1, type=click.Path(), metavar="FILE...")
@FORMAT
@click.option(
    "--promise",
    multiple=True,
    metavar="TEXT",
    help="A promise, what must be proved: 'd n N claims [verdict] [name=value ...]'. May be repeated.",
)
@option("--claims", type=FILE, metavar="FILE", help="A file of what must be proved: such promises, one on each line.")
@option(
    "--sample",
    type=Natural(),
    metavar="K",
    help="Run only K cases of each inputs, drawn, and those that the file names.",
)
@option(
    "--seconds",
    type=Natural(),
    metavar="S",
    help="Check in full if about S seconds are enough, else as many cases as they are.",
)
@option(
    "--seed", type=Natural(), metavar="S", help="The seed of --sample, to draw the same again. [default: a new one]"
)
@option("--max-points", type=Natural(), metavar="M", help="Check certificates of up to M cases of each inputs.")
@option("--jobs", type=Natural(), metavar="J", help="Check several files at once, in J processes. [default: 1]")
@click.option("--strict", is_flag=True, help="Exit 5 when a claim is vacuous.")
@click.option("--show", is_flag=True, help="Print the page that a certificate carries, too.")
@click.option(
    "--proved", is_flag=True, help="Then run the reader that is proved in Coq, too, where `make reader` built it."
)
def check(files: tuple[str, ...], form: str | None, show: bool, proved: bool, **options: Any) -> int:
    """Check certificates again with the independent checker: a process of its own, which shares no code with the rest.

    It derives everything in a certificate again from its page and sizes, and compares. FILE... are certificates of runs
    (--certificate) and of symbolic proofs (verify prove --certificate); FILE may be a folder
    (all certificates in it), a .json.gz, or - (stdin).
    """
    in_words = form in (None, "text")
    if not files:
        raise click.UsageError("a file is missing, as in `verify check c.json`")
    if show and not in_words:
        raise click.UsageError(f"--show prints pages; it can't go with --format {form}, and a certificate has its page")
    if proved and (not in_words or "-" in files):
        raise click.UsageError("--proved says in words what is trusted, of files; it can't go with --format or -")
    if proved and (lacking := built()):
        return complain(lacking, MISSING)
    names = [name for file in files for name in (certificates(Path(file)) if Path(file).is_dir() else [file])]
    for name in names:
        refuse_page(name)
        if in_words and name != "-" and not os.path.lexists(name):
            raise click.UsageError(f"{printable(name)}: there is no such file; nothing was checked")
    return checked(names, words_for_the_checker(options), form, show=show, proved=proved)


def words_for_the_checker(options: dict[str, Any]) -> list[str]:
    """Its options have the same names."""
    words: list[str] = []
    for name, value in options.items():
        key = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(key)
        elif value not in (None, False):
            words += [word for each in (value if name == "promise" else [value]) for word in (key, str(each))]
    return words


def refuse_page(name: str) -> None:
    """A page is run, and what comes out is checked."""
    from verifier.commands.page import is_file_of_page

    if is_file_of_page(name) and Path(name).is_file():
        file = printable(name)
        raise click.UsageError(
            f"{file} is a page, and no certificate: `verify {file}` runs it and has the result checked, and"
            " --certificate FILE writes what is checked here"
        )


def checked(names: list[str], words: list[str], form: str | None, *, show: bool, proved: bool) -> int:
    """Has the checker answer about each file, and tells each answer when it is there; the exit code."""
    from verifier.checking import run_checker

    report = opened(form, Result("check", "Certificates, checked", ("name", "verdict", "words")))
    codes: list[int] = []

    def show_answer(answer: dict[str, Any]) -> None:
        """The answer in words; of a file that stands, what the proved reader says, too."""
        said = f"{answer['file']}: {answer['words']}" if "file" in answer else answer["words"]
        if page := answer.get("page"):
            said += f"; {whose(page)}"
        print(fitted(said, sys.stdout), flush=True)
        if show and page and answer["file"] != "-":
            print(page_in(answer["file"]), flush=True)
        if proved and "file" in answer and answer["code"] in (OK, INCOMPLETE):
            said, code = by_the_proved(answer)
            codes.append(code)
            print(fitted(f"{answer['file']}: {said}", sys.stdout), flush=True)

    def tell(answer: dict[str, Any]) -> None:
        if "verdict" in answer:
            report.add(row(answer, lambda: show_answer(answer)))

    try:
        with interruptible():
            done = run_checker([*words, "--", *names], tell=tell)
    except KeyboardInterrupt:  # before click hears of it, which would print an empty line
        return complain("interrupted; nothing was established", INTERRUPTED)
    if report.rows or done.code in (OK, INCOMPLETE):
        report.end()
    for about_the_call in (answer["words"] for answer in done.records if "verdict" not in answer):
        complain(about_the_call, done.code)
    if done.code < 0:
        return complain(f"the checker died of signal {-done.code}; nothing was established", INCOMPLETE)
    if done.code == OK and sum("file" in answer for answer in done.records) != len(names):
        return complain("the checker did not answer about every file; nothing was established", DEFECT)
    return next((code for code in WORST if code in codes), done.code) if done.code in (OK, INCOMPLETE) else done.code


def built() -> str:
    """What is missing for --proved; or nothing."""
    from verifier.proved import NotBuilt, program

    try:
        program()
    except NotBuilt as error:
        return str(error)
    return ""


def by_the_proved(answer: dict[str, Any]) -> tuple[str, int]:
    """What the reader that is proved says of a file that the checker has answered about."""
    from verifier.proved import TRUSTED
    from verifier.proved import check as check_again
    from verifier.report.sources import text_of

    if "page" not in answer:
        return "the proved reader reads certificates of pages alone", INCOMPLETE
    said, code = check_again(json.loads(text_of(Path(answer["file"]))), SECONDS)
    return f"{said}; {TRUSTED}" if code in (OK, INCOMPLETE) else said, code


def whose(digest: str) -> str:
    """Whether a page, known by the SHA-256 of its text, is one that comes with this package."""
    from verifier.language.library import PAGES, text_of

    for path in sorted(PAGES.glob("*.page")):
        if hashlib.sha256(text_of(path).encode()).hexdigest() == digest:
            return f"the page is verifier/pages/{path.name}"
    return "the page isn't one of this package's: what it means is yours to judge, and --show prints it"


def page_in(file: str) -> str:
    """The page that a certificate carries, its lines numbered, so that nothing in it can be taken for an answer."""
    from verifier.report.sources import text_of

    lines = json.loads(text_of(Path(file)))["page"].splitlines()
    return "\n".join(f"{k:>5} | {ascii(line)[1:-1]}" for k, line in enumerate(lines, 1))


def certificates(folder: Path) -> list[str]:
    """What is to be checked in a folder and its subfolders, ordered by name: each *.json and *.json.gz, and whatever
    can't be read (a link, a pipe, a closed folder), which the checker then refuses. Of every other file it is said
    that it is left out."""
    found: list[str] = []
    left: list[str] = []
    known: list[str] = []
    seen = 0
    for place, folders, names in os.walk(folder, onerror=lambda error: found.append(str(error.filename))):
        seen += 1 + len(names)
        if seen > MOST_FILES:
            raise click.UsageError(
                f"{printable(folder)} holds more than {MOST_FILES:,} files; give it the certificates, or the"
                " folder that they are in; nothing was checked"
            )
        if contents(Path(place, "truth.json")) == QUERIES:
            known.append(f"{printable(place)}: left out, for it holds {QUERIES}")
            folders.clear()
            continue
        links = [name for name in folders if Path(place, name).is_symlink()]
        network = NETWORK if is_of_a_network(Path(place, "certificate.json")) else ()
        for name in (*names, *links):
            path = Path(place, name)
            if not stat.S_ISREG(mode(path) or 0):
                found.append(str(path))
            elif name in network:
                continue
            elif not re.search(r"\.json(\.gz)?$", name, re.IGNORECASE):
                left.append(str(path))
            elif its := contents(path):
                known.append(f"{printable(path)}: left out, for it is {its}")
            else:
                found.append(str(path))
    found = [name for name in found if mode(Path(name)) is not None]
    for said in known:
        complain(said, OK)
    if left:
        others = ", ".join(map(printable, sorted(left)[:MOST_NAMED]))
        others += f" and {len(left) - MOST_NAMED:,} more" if left[MOST_NAMED:] else ""
        complain(f"{printable(folder)}: left out, for their names end neither in .json nor in .json.gz: {others}", OK)
    if not found:
        raise click.UsageError(f"{printable(folder)} is a folder without a certificate (*.json or *.json.gz)")
    return sorted(found)


MOST_FILES = 100_000  # of a folder with all below it
MOST_NAMED = 20  # files that aren't certificates by their names
NETWORK = ("weights.json", "model.safetensors", "model.onnx", "encoder.safetensors")  # are checked with a certificate


def mode(path: Path) -> int | None:
    """Of what is in a closed folder 0; of what is gone since its folder was read, as it happens in /proc, none."""
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError:
        return 0


def is_of_a_network(path: Path) -> bool:
    """Whether it is the certificate of an exported network: then the checker reads the network's files beside it."""
    try:
        certificate = json.loads(read_regular(path))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(certificate, dict) and certificate.get("format") == "verifier.export/2"


QUERIES = "what `verify bench` writes"  # with proofs of its own, which --score reads


def rows_of(command: str) -> str:
    return f"what `verify {command} --format json` prints"


def contents(path: Path) -> str:
    """What a file holds, by its first bytes, where that is known; "" for any other file, which may be a certificate."""
    if not stat.S_ISREG(mode(path) or 0):
        return ""
    try:
        with path.open("rb") as file:
            begin = file.read(100)
    except (OSError, ValueError):
        return ""
    if re.match(rb'\{\s*"\$schema"', begin):
        return "a JSON schema"
    if re.match(rb'\{\s*"format": "verifier\.queries/', begin):
        return QUERIES
    if its := re.match(rb'\{\s*"format": "verifier\.(check|claims|papers|regress|report|survey)/[12]"', begin):
        return rows_of(its[1].decode())
    return ""


def row(answer: dict[str, Any], show: Callable[[], None]) -> Row:
    words = answer["words"] if "file" in answer else answer["words"].removeprefix("REJECTED: ")
    record = {"name": answer.get("file", "promise"), "verdict": answer["verdict"], "words": words}
    failed = answer["code"] or answer["verdict"] == "refuted"
    return Row(record, tuple(record.values()), words if failed else "", show)
