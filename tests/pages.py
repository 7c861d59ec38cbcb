"""A page as what it asks of its reader: commands, what they print, Python, and what that prints.

    console   `$ command`, its further lines after `> `, then the very lines that it prints, stderr's too; a line
              `...` stands for any lines. A command that doesn't end with 0 is followed by `$ echo $?`.
    sh, or indented by four   commands alone, which must end with 0
    python    runs in one namespace for each page; what it prints stands in the block `text` after it
    <!-- not run: why -->     before a block: it isn't run

Everything of a page runs in order in one folder, with `proofs/` in it as in a checkout.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout, suppress
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
RUN = ("console", "sh", "python", "text")
NOT_COMMANDS = ("formula", "yaml", "page")  # mathematics, files for other programs, what a command of the page reads
# How far a slow run is: no page can show that.
PROGRESS = re.compile(r"(verify: )?([\d,]+ of [\d,]+ (orbits|cases so far)|[\d,]+ cases: about )")
PATIENCE = 120  # seconds for a command that would otherwise never end
MARK = re.compile(r"<!-- not run: (.+) -->")


class BadPage(ValueError):
    """A page that can't be read as one, or a block of a kind that nothing runs."""


@dataclass(frozen=True)
class Block:
    line: int
    kind: str
    text: str
    not_run: str = ""  # why, where it says so


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    found: list[Block] = []
    lines = page.splitlines()
    why, at = "", 0
    while at < len(lines):
        begin = at
        if mark := MARK.fullmatch(lines[at]):
            why, at = mark[1], at + 1
            continue
        if fence := re.fullmatch(r"```(.*)", lines[at]):
            kind = fence[1]
            at = next((k for k in range(at + 1, len(lines)) if lines[k] == "```"), len(lines))
            if at == len(lines):
                raise BadPage(f"line {begin + 1}: a block without an end")
            inside, at = lines[begin + 1 : at], at + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1]):
            kind = "sh"
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at]):
                at += 1
            inside = [line[4:] for line in lines[begin:at]]
        else:
            if lines[at] and why:
                raise BadPage(f"line {begin + 1}: nothing that runs follows `not run`")
            at += 1
            continue
        if kind.startswith("{"):  # an instruction to Sphinx
            continue
        if kind not in (*RUN, *NOT_COMMANDS):
            raise BadPage(f"line {begin + 1}: a block {kind!r}, which nothing runs; it is one of {', '.join(RUN)}")
        found.append(Block(begin + 1, kind, "\n".join(inside).rstrip() + "\n", why))
        why = ""
    return found


def differences(page: str, folder: Path, kinds: tuple[str, ...] = RUN) -> list[str]:
    """Runs the page in the folder: where it isn't as the page says, and how."""
    with Session(folder) as session:
        return list(session.run([block for block in blocks(page) if block.kind in kinds and not block.not_run]))


class Session:
    """A reader at a terminal, in one folder, who also has Python open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = 0  # of the last command
        self.begun: list[int] = []  # sessions of processes, some of which a page may have left running
        self.names: dict[str, object] = {"__name__": "__main__"}
        tools = folder / ".tools"
        tools.mkdir()
        for name, call in (("verify", f'"{ROOT}/cli.py" "$@"'), ("python", '"$@"')):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}\n')
            (tools / name).chmod(0o755)
        path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
        self.env = {**os.environ, "PATH": path, "COLUMNS": "", "PYTHONPATH": str(ROOT)}
        shutil.copytree(ROOT / "proofs", folder / "proofs", ignore=shutil.ignore_patterns("coq"))
        shutil.copytree(ROOT / "docs/how-to", folder / "docs/how-to")

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        for leader in self.begun:
            with suppress(ProcessLookupError):
                os.killpg(leader, signal.SIGKILL)

    def run(self, found: list[Block]) -> Iterator[str]:
        for k, block in enumerate(found):
            if block.kind == "console":
                yield from self.console(block)
            elif block.kind == "sh":
                out = self.command(f"set -e\n{block.text}")
                if self.code:
                    yield f"line {block.line}: exit {self.code} of\n{block.text}{_listed(out)}"
            elif block.kind == "python":
                after = found[k + 1] if k + 1 < len(found) else None
                shown = after.text.splitlines() if after and after.kind == "text" else []
                if not like(shown, out := self.python(block)):
                    yield f"line {block.line}: this prints\n{_listed(out)}not\n{_listed(shown)}"
            elif k == 0 or found[k - 1].kind != "python":
                raise BadPage(f"line {block.line}: text that no block of Python before it prints")

    def console(self, block: Block) -> Iterator[str]:
        calls = dialogue(block)
        for k, (command, shown) in enumerate(calls):
            asks = command == "echo $?"
            out = self.command(f"(exit {self.code})\n{command}" if asks else command)
            if not like(shown, out):
                yield f"line {block.line}: {command}\nprints\n{_listed(out)}not\n{_listed(shown)}"
            stated = k + 1 < len(calls) and calls[k + 1][0] == "echo $?"
            if self.code and not stated:
                yield f"line {block.line}: {command}\nends with {self.code}, and the page doesn't say so"

    def command(self, command: str) -> list[str]:
        """The lines that it prints; its exit code is kept."""
        call = ["bash", "-c", command]
        screen = self.folder / ".tools/screen"  # a file: a process that stays would hold a pipe open
        with (
            screen.open("w") as out,
            subprocess.Popen(
                call, cwd=self.folder, env=self.env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            ) as process,
        ):
            self.begun.append(process.pid)
            try:
                self.code = process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                self.code = process.wait()
        return [line.rstrip() for line in screen.read_text().splitlines() if not PROGRESS.match(line)]

    def python(self, block: Block) -> list[str]:
        out = StringIO()
        with chdir(self.folder), patch.dict(os.environ, self.env), redirect_stdout(out):
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)  # noqa: S102 - our own pages
        return [line.rstrip() for line in out.getvalue().splitlines()]


def dialogue(block: Block) -> list[tuple[str, list[str]]]:
    """Each command with the lines that are shown of it."""
    calls: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            calls.append((line[2:], []))
        elif not calls:
            raise BadPage(f"line {block.line}: a console block begins with `$ ` and a command")
        elif line.startswith("> ") and not calls[-1][1]:
            calls[-1] = (f"{calls[-1][0]}\n{line[2:]}", [])
        else:
            calls[-1][1].append(line)
    return calls


def like(shown: list[str], printed: list[str]) -> bool:
    """The very lines, `...` standing for any."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def _listed(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)


# Equations between numbers, as a page works them out by hand.

SIDE = r"[\d(][\d/+^() -]*(?: \. [\d/+^() -]+)*"


def equations(page: str) -> list[str]:
    """The equations between numbers in the prose of a page: `4 (3/4 - 0) = 3`, `4^6 . 1/4 . 3 = 3072`."""
    prose = " ".join(re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL).split())
    return [found[0].strip() for found in re.finditer(rf"(?<![\w.^/]){SIDE}(?:= {SIDE})+", prose)]


def number(text: str) -> Fraction:
    text = re.sub(r"\d+", r"Fraction(\g<0>)", text.strip()).replace("^", "**").replace(" . ", " * ")
    return eval(text.replace(") (", ") * ("), {"Fraction": Fraction})  # noqa: S307 - digits, signs and brackets alone
