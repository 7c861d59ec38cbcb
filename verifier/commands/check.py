"""`verify check`: hands its arguments to the independent checker."""

import os
import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from verifier.commands.answers import INCOMPLETE, OK, complain, printable
from verifier.commands.rows import print_rows
from verifier.commands.usage import EXIT_CODES, HELP, Command, option_names, unknown
from verifier.interrupts import interruptible


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
        ("verify check c.json --sample 1 --seed 7", "one shard, drawn: a part only, and exit 5"),
    ],
)
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--format", type=click.Choice(["text", "json"]), help="What goes to stdout. [default: text]")
@click.option(
    "--promise", metavar="TEXT", help="A promise, what must be proved: 'd n N claims [verdict] [name=value ...]'."
)
@click.option(
    "--claims",
    type=click.Path(),
    metavar="FILE",
    help="A file of what must be proved: such promises, one on each line.",
)
@click.option("--shard", metavar="K", help="Check only shard K; may be given more than once.")
@click.option("--sample", metavar="K", help="Check only K shards, drawn by --seed.")
@click.option("--seed", metavar="S", help="The seed of --sample. [default: 0]")
@click.option(
    "--seconds", metavar="S", help="Check as many shards as about S seconds allow, drawn by the certificate's digests."
)
@click.option("--literal", is_flag=True, help="Run each attention head, however many there are.")
@click.option(
    "--jobs",
    metavar="J",
    help="Check shards in J processes. [default: one for each core, up to 8, where it takes longer than a second]",
)
@click.option("--max-points", metavar="M", help="Check certificates of up to M orbits.")
@click.option(
    "--reading",
    type=click.Path(),
    metavar="FILE",
    help="A Python file that states the claims of a construction that isn't built in.",
)
@click.option("--strict", is_flag=True, help="Exit 5 when a claim is vacuous.")
def check(**_: Any) -> None:
    """Check certificates again with the independent checker: a process of its own, which shares no code with the rest.

    It derives everything in a certificate again from (d, n, N) and compares. FILE... are certificates of runs
    (--certificate) and of symbolic proofs (verify prove --certificate); FILE may be a folder
    (all certificates in it), a .json.gz, or - (stdin).
    """
    # Only for --help and completion: `main` calls run_check with the arguments, and never comes here.
    raise click.UsageError("check is the first word, as in `verify check c.json`")


def run_check(arguments: Sequence[str]) -> int:
    """Hands the arguments after `check` to the checker, which is a process of its own; refuses unknown options."""
    from verifier.checking import run_checker

    if not arguments:
        raise click.UsageError("a file is missing, as in `verify check c.json`")
    for word in takewhile(lambda word: word != "--", arguments):
        if word in ("-h", "--help"):
            check.main(["--help"], prog_name="verify check", standalone_mode=False, **HELP)
            return OK
        name = word.partition("=")[0]
        if name.startswith("-") and name not in ("-", *option_names(check)):
            raise click.UsageError(unknown("option", name, option_names(check)))
    words, files, form = taken(arguments)
    as_json = form == "json"
    missing = [name for name in files if name != "-" and not os.path.lexists(name)]
    if missing and not as_json:
        raise click.UsageError(f"{printable(missing[0])}: there is no such file; nothing was checked")
    with interruptible():
        done = run_checker(words, capture=as_json, errors=True)
    code = done.returncode
    if as_json and (done.stdout or code in (OK, INCOMPLETE)):
        print_rows("check", rows(done.stdout.splitlines(), files))
    for line in done.stderr.splitlines():
        complain(re.sub(r"^usage: python -m verifier.checker .*? CERT\.\.\.: |^'the call': ", "", line), code)
    return complain(f"the checker died of signal {-code}; nothing was established", INCOMPLETE) if code < 0 else code


def taken(arguments: Sequence[str]) -> tuple[list[str], list[str], str]:
    """The arguments for the checker, with each folder replaced by its certificates; the files; the value of
    --format."""
    flags = {"--literal", "--strict"}
    words: list[str] = []
    files: list[str] = []
    form, left = "text", list(arguments)
    ended = False  # by `--`
    while left:
        word = left.pop(0)
        if word == "--" and not ended:
            ended = True
        elif word.startswith("--") and not ended:
            name, equals, value = word.partition("=")
            takes = name not in flags and not equals
            if name == "--format":
                form = value if equals else left.pop(0) if left else ""
                if form not in ("text", "json"):
                    raise click.UsageError(f"--format {printable(form)}: it is text or json")
            else:
                words += [word, left.pop(0)] if takes and left else [word]
        else:
            files += certificates(Path(word)) if word and Path(word).is_dir() else [word]
    if not files:
        raise click.UsageError("a file is missing, as in `verify check c.json`")
    return [*words, "--", *files] if ended else [*words, *files], files, form


def certificates(folder: Path, also: str = "") -> list[str]:
    """The certificates in a folder and its subfolders, ordered by name, without schemas; also the rows of the command
    that is named. Of other rows it is said that they are left out."""
    every = [path for end in ("json", "json.gz") for path in folder.rglob(f"*.{end}") if path.is_file()]
    built = {path.parent for path in every if path.name == "certificate.json"}  # by `verify build`: weights beside it
    found = sorted(
        str(path)
        for path in every
        if ".schema." not in path.name and (path.parent not in built or path.name == "certificate.json")
    )
    for path in tuple(found):
        if (its := listing(Path(path))) and its != also:
            complain(f"{printable(path)}: left out, for it is what `verify {its} --format json` prints", OK)
            found.remove(path)
    if not found:
        raise click.UsageError(f"{printable(folder)} is a folder without a certificate (*.json or *.json.gz)")
    return found


def listing(path: Path) -> str:
    """The command whose JSON rows a file holds; "" for any other file, which may be a certificate."""
    try:
        with path.open("rb") as file:
            begin = file.read(100)
    except (OSError, ValueError):
        return ""
    its = re.match(rb'\{\s*"format": "verifier\.(check|claims|papers|regress|report|survey)/1"', begin)
    return its[1].decode() if its else ""


def rows(lines: Sequence[str], files: Sequence[str]) -> list[dict[str, str]]:
    """The checker's output as rows: one for each file, and one for each promise that isn't kept."""
    found, left = [], list(files)
    for line in lines:
        file = left[0] if left else ""
        name = file if file.isascii() and file.isprintable() else ascii(file)
        if left and line.startswith(f"{name}: "):
            left.pop(0)
            words = line.removeprefix(f"{name}: ")
            found.append({"name": name, "verdict": verdict_of(words), "words": words})
        else:
            found.append({"name": "promise", "verdict": "rejected", "words": line.removeprefix("REJECTED: ")})
    return found


def verdict_of(words: str) -> str:
    for begin in ("unreadable", "over the limit", "not checked"):
        if words.startswith(begin):
            return begin
    if words.startswith("REJECTED"):
        return "rejected"
    if "; REFUTED, as it says: " in words:
        return "refuted"
    return "in part" if words.startswith(("checked in part", "checked as far")) else "accepted"
