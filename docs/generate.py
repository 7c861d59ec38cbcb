"""The parts of pages that would rot if they were written by hand.

    <!-- generated: commands -->             the commands, from what --help is made of
    <!-- generated: claims -->               the claims, from their declarations
    <!-- generated: findings -->             the findings of each paper, proofs/findings/
    <!-- generated: api -->                  what the package offers, from its docstrings
    <!-- generated: proof-graph -->          what is proved in Coq and what rests on what, from the sources
    <!-- generated: margins -->              the margins of the networks for PARITY and FIRST by length (findings)
    <!-- included: proofs/FORMAT.md -->      that page, its links made to lead to where things are on the site

and a fenced block `formula`: relations in the language of pages, which become MathML.
"""

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import margins

import verifier
from verifier import catalogue
from verifier.commands.claims import rows_of
from verifier.commands.page import understood
from verifier.commands.verify import verify
from verifier.coq.proved import STATEMENTS
from verifier.language.library import text_of
from verifier.language.parse import parse
from verifier.language.tree import KINDS, ClaimLine
from verifier.language.words import Refused
from verifier.report.findings import render, sources
from verifier.report.formula import lines as typeset
from verifier.report.markup import el

ROOT = Path(__file__).parent.parent
SITE = {
    "proofs/FORMAT.md": "reference/certificate.md",
    "proofs/FORMAT-build.md": "reference/build.md",
    "proofs/FORMAT-lengths.md": "reference/lengths.md",
    "verifier/language/LANGUAGE.md": "reference/language.md",
    "proofs/SYMBOLIC.md": "reference/symbolic.md",
    "proofs/FINDINGS.md": "reference/findings.md",
    "proofs/coq/README.md": "reference/coq.md",
    "examples/README.md": "how-to/examples.md",
    "CONTRIBUTING.md": "explanation/contributing.md",
}
FINDINGS = [str(page.relative_to(ROOT)) for page in sources(ROOT / "proofs")[1:]]
SITE |= dict.fromkeys(FINDINGS, "reference/findings.md")


class Unfillable(ValueError):
    """A marker or a formula that nothing can be made of."""


def fill(text: str, page: str) -> str:
    """The page (`reference/claims`) with every marker replaced by what it stands for."""

    def made(mark: re.Match[str]) -> str:
        kind, what = mark[1], mark[2]
        if kind == "included":
            return included(what, page)
        if what not in MADE:
            raise Unfillable(f"{page}: {what!r} isn't made by generate.py; it makes {', '.join(MADE)}")
        return MADE[what]()

    text = re.sub(r"^```formula\n(.*?)^```$", lambda block: displayed(block[1]), text, flags=re.M | re.S)
    text = re.sub(r"^```(console|text)\n(.*?)^```$", wrapped, text, flags=re.M | re.S)
    return re.sub(r"^<!-- (generated|included): (\S+) -->$", made, text, flags=re.M)


def wrapped(block: re.Match[str]) -> str:
    """Messages longer than a table is wide go on in the next line; a table is scrolled."""
    if "──" in block[2] or max(map(len, block[2].splitlines())) <= 110:
        return block[0]
    return f"```{{code-block}} {block[1]}\n:class: wrapped\n\n{block[2]}```"


def displayed(lines: str) -> str:
    """Relations in the language of pages, one on each line."""
    made = []
    for line in lines.splitlines():
        try:
            claim = parse(f'language 1\nclaim a.b, own, "-", once:\n  "-"\n  {line}\n').claims["a.b"]
        except Refused as error:
            raise Unfillable(f"{line!r} is no relation of a page: {error.message}") from error
        made += [el("div", told, class_="formula") for one in claim.lines for _, told in typeset(one)]
    return "\n".join(made)


def words(text: str) -> str:
    """Text that Markdown takes as it is."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def prose(text: str) -> str:
    """The same, with `code` as code."""
    return "".join(part if k % 2 else words(part) for k, part in enumerate(re.split(r"(`[^`]+`)", text)))


def verbatim(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```\n"


# Commands.


def commands() -> str:
    named = {"": verify, **verify.every_command()}
    return "\n".join(line for name, command in named.items() for line in described(f"verify {name}".strip(), command))


def described(name: str, command: Any) -> Iterator[str]:
    """As its --help says: purpose, options, examples, exit codes."""
    context = click.Context(
        command, info_name=name, **verify.context_settings
    )  # click keeps the first help option made
    yield f"## `{name}`\n"
    yield verbatim(" ".join([name, *command.collect_usage_pieces(context)]))
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help)):
        yield prose(" ".join(paragraph.split())) + "\n"
    yield "| option | what |\n|---|---|"
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            option, what = record
            yield f"| `{option.replace('|', chr(92) + '|')}` | {prose(what)} |"
    yield "\nExamples:\n"
    yield verbatim("\n".join(typed + f"\n    {does}" * bool(does) for typed, does in command.examples))
    yield "| exit code | means |\n|---|---|"
    yield from (f"| {code} | {prose(means)} |" for code, means in command.codes.items())
    yield ""


# Claims.


def claims() -> str:
    """Of each page of the package its claims, as `verify claims` lists them, with formulas typeset from the tree."""
    parts = []
    for path in catalogue.pages().values():
        page = parse(text_of(path))
        parts.append(f"## {words(page.title)}\n")
        for said in rows_of(path, understood(path)):
            parts += described_claim(said, page.claims[said["name"]].lines)
    return "\n".join(parts)


def described_claim(said: dict[str, str], lines: list[ClaimLine]) -> Iterator[str]:
    yield f"### `{said['name']}`\n\n{prose(said['words'])}\n"
    for _, told in (pair for line in lines for pair in typeset(line)):
        yield el("div", told, class_="formula")
    facts = {
        "Kind": f"{said['kind']}: {KINDS[said['kind']]}",
        "In the source": said["where"],
        "Ranges over": said["domain"],
        "Checked": said["how"],
    }
    yield ""
    yield from (f"- *{label}:* {prose(text)}" for label, text in facts.items() if text)
    yield ""


# The Python API.


def api() -> str:
    parts = []
    for name in offered():
        thing = getattr(verifier, name)
        parts += [f"## `{name}`\n", verbatim(signed(name, thing), "python"), documented(thing)]
        if inspect.isclass(thing):
            parts += [f"- `{signed(member, what)}` {documented(what)}" for member, what in public(thing)]
        parts.append("")
    return "\n".join(parts)


def offered() -> list[str]:
    return [name for name in verifier.__all__ if name != "__version__"]


def public(thing: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(thing).items():
        function = member.__func__ if isinstance(member, classmethod) else member
        if not name.startswith("_") and (inspect.isfunction(function) or isinstance(function, property)):
            yield name, function


def signed(name: str, thing: Any) -> str:
    made_by: Any = thing.fget if isinstance(thing, property) else thing
    signature = inspect.signature(made_by)
    parameters = [short(str(p)) for p in signature.parameters.values() if p.name not in ("self", "cls")]
    result = signature.return_annotation
    gives = "" if result in (None, signature.empty) else f" -> {short(inspect.formatannotation(result))}"
    if isinstance(thing, property):
        return name + gives.replace(" ->", ":")
    line = f"{name}({', '.join(parameters)}){gives}"
    if len(line) <= 80 or {"self", "cls"} & {*signature.parameters}:
        return line
    return f"{name}(\n" + "".join(f"    {p},\n" for p in parameters) + f"){gives}"


def short(types: str) -> str:
    """Types by the names that the code has for them; a default that is an object, by its class."""
    for long, name in (("tuple[tuple[gmpy2.mpq, ...], ...]", "Matrix"), ("tuple[gmpy2.mpq, ...]", "Vector")):
        types = types.replace(long, name)
    types = re.sub(r"= (\w+)\(.*<.*\)$", r"= \1()", types).replace("gmpy2.mpq", "mpq").strip("'")
    return re.sub(r"\b(?:verifier|collections)(?:\.\w+)*\.(?=[A-Z])", "", types)


def documented(thing: Any) -> str:
    """The docstring: what is indented in it stands as it is."""
    parts = []
    doc = inspect.getdoc(thing) or ""
    if inspect.isclass(thing) and doc.startswith(f"{thing.__name__}("):  # made by dataclass
        return ""
    for paragraph in re.split(r"\n[ ]*\n", doc):
        if re.search(r"^  ", paragraph, re.M):
            parts.append(verbatim(inspect.cleandoc(paragraph)))
        elif paragraph:
            parts.append(prose(" ".join(paragraph.split())) + "\n")
    return "\n".join(parts)


# Pages of proofs/.


def included(source: str, page: str) -> str:
    """A page of the repository without its title, which is the including page's."""
    text = re.sub(r"\A# .*\n", "", as_shown(ROOT / source))

    def led(link: re.Match[str]) -> str:
        target, _, anchor = link[2].partition("#")
        if not target or "://" in target:
            return link[0]
        path = os.path.normpath(Path(source).parent / target)
        there = ROOT / "docs" / SITE[path] if path in SITE else ROOT / path
        if there.is_dir():
            return f"{link[1]} (`{path}/`)"
        if path.endswith(".md") and path not in SITE:  # a page that the site hasn't
            return f"{link[1]} (`{path}`)"
        return f"[{link[1]}]({os.path.relpath(there, (ROOT / 'docs' / page).parent)}{'#' * bool(anchor)}{anchor})"

    text = re.sub(r"\[([^\]\n]+)\]\(([^)\s]+)\)", led, text)
    return re.sub(r"^```formula\n(.*?)^```$", lambda block: displayed(block[1]), text, flags=re.M | re.S)


def as_shown(path: Path) -> str:
    """The text of a page; of findings with what the certificates say."""
    return render(ROOT / "proofs", path) if path in sources(ROOT / "proofs") else path.read_text(encoding="utf-8")


def findings() -> str:
    """What stands below the page of all findings: those of each paper, in full."""
    made = "\n".join(below(source, "reference/findings") for source in FINDINGS)
    return made.replace("<!-- generated: margins -->", margins.made())


def below(source: str, page: str) -> str:
    """A page of the repository, its headings one level lower."""
    title = (ROOT / source).read_text(encoding="utf-8").partition("\n")[0]
    return re.sub(r"^(#+ )", r"#\1", f"{title}\n{included(source, page)}", flags=re.M)


# The graph of proofs in Coq: the paper's statements, and which proof rests on which.

COQ = ROOT / "proofs/coq"


def required(file: str) -> set[str]:
    """The files of proofs that this one imports, and those that they do."""
    names = {
        Path(line).stem: line.removesuffix(".v") for line in (COQ / "_CoqProject").read_text().split() if ".v" in line
    }
    seen: set[str] = set()
    todo = [file] if file else []
    while todo:
        text = (COQ / f"{todo.pop()}.v").read_text(encoding="utf-8")
        for line in re.findall(r"^From Contextual(?:\.universal)? Require (?:Import |Export )?([^.]*)\.", text, re.M):
            for name in line.split():
                if names[name] not in seen:
                    seen.add(names[name])
                    todo.append(names[name])
    return seen


def proved(file: str, theorem: str) -> bool:
    """Stated in a file that the build reads, with a proof that is finished."""
    listed = (COQ / "_CoqProject").read_text().split()
    if f"{file}.v" not in listed:
        return False
    text = (COQ / f"{file}.v").read_text(encoding="utf-8")
    return bool(re.search(rf"^(?:Theorem|Lemma) {theorem}\b(?:(?!^(?:Theorem|Lemma) ).)*?Qed\.", text, re.M | re.S))


# Statements that others use by their main part, or by another of their parts.
PART = {
    "lemma6": "property3",
    "appendixc2_contextual": "is_contextual",
    "window_spec": "tent_spec",
    "run_equivariant": "run_permute",
    "cube_approximate": "cube_interface",
    "theorem2_sizes": "theorem2_explicit",
    "theorem3_sizes": "theorem3_explicit",
}


def items() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """For each definition and theorem those that its text names, in its own file or in one imported."""
    texts: dict[str, dict[str, str]] = {}
    for line in (COQ / "_CoqProject").read_text().split():
        if line.endswith(".v"):
            parts = re.split(
                r"^ *(?:Theorem|Lemma|Corollary|Let|Definition|Fixpoint|Record) (\w+)",
                re.sub(r"\(\*.*?\*\)", "", (COQ / line).read_text(encoding="utf-8"), flags=re.S), flags=re.M,
            )  # fmt: skip
            texts[line.removesuffix(".v")] = dict(zip(parts[1::2], parts[2::2], strict=True))
    named = {}
    for file, own in texts.items():
        reach = [file, *required(file)]
        for name, text in own.items():
            tokens = set(re.findall(r"\w+", text)) - {name}
            named[file, name] = {(other, token) for other in reach for token in tokens & texts[other].keys()}
    return named


def rests_on() -> dict[str, set[str]]:
    """For each statement those that its proof leads to, without what another of them already rests on."""
    named = items()
    below: dict[str, set[str]] = {}
    for label, (file, theorem) in STATEMENTS.items():
        seen: set[tuple[str, str]] = set()
        todo = [(file, theorem)] if file else []
        while todo:
            for item in named[todo.pop()] - seen:
                seen.add(item)
                todo.append(item)
        below[label] = {
            other for other, (its, name) in STATEMENTS.items()
            if other != label and ((its, name) in seen or (its, PART.get(name)) in seen)
        }  # fmt: skip
    return {label: others - {deep for other in others for deep in below[other]} for label, others in below.items()}


def proof_graph() -> str:
    """One row above the other, by what rests on what; green where it is proved."""
    below = rests_on()
    row: dict[str, int] = {}
    while len(row) < len(below):
        row |= {label: max((row[o] + 1 for o in others), default=0)
                for label, others in below.items() if label not in row and others <= row.keys()}  # fmt: skip
    wide, high, gap = 176, 44, 46
    rows = [[label for label in row if row[label] == k] for k in range(max(row.values()) + 1)]
    width = max(map(len, rows)) * (wide + 12)
    at = {
        label: ((width - len(labels) * (wide + 12)) // 2 + k * (wide + 12) + 6, 4 + (len(rows) - 1 - r) * (high + gap))
        for r, labels in enumerate(rows)
        for k, label in enumerate(labels)
    }
    lines = [
        el(
            "line", x1=at[a][0] + wide // 2, y1=at[a][1] + high, x2=at[b][0] + wide // 2, y2=at[b][1],
            stroke="currentColor", stroke_opacity="0.45",
        )
        for a, others in below.items() for b in sorted(others)
    ]  # fmt: skip
    boxes = []
    for label, (x, y) in at.items():
        file, theorem = STATEMENTS[label]
        colour = "#2e9d4c" if proved(file, theorem) else "#8a8a8a"
        parts = re.split(": |, ", label, maxsplit=1)
        texts = [
            el(
                "text", part, x=x + wide // 2, y=y + (27 if len(parts) == 1 else 18 + 17 * k), fill="currentColor",
                text_anchor="middle", font_size="12",
            )
            for k, part in enumerate(parts)
        ]  # fmt: skip
        what = el("title", f"{file}.v: {theorem}" if file else "not needed")
        frame = el("rect", x=x, y=y, width=wide, height=high, rx=5, fill=colour, stroke=colour, fill_opacity="0.15")
        boxes.append(el("a", what, frame, *texts, href=f"#{anchor(label)}"))
    svg = el(
        "svg", el("title", "Which statements are proved in Coq, and on which others each proof rests"), *lines, *boxes,
        viewBox=f"0 0 {width} {len(rows) * (high + gap) - gap + 8}", role="img",
        style=f"width: 100%; min-width: {width * 3 // 4}px",
    )  # fmt: skip
    listed = [
        f'- <span id="{anchor(label)}">{words(label)}</span>: '
        + (f"`{file}.v`, `{theorem}`" if file else "not needed for the proofs in Coq")
        for label, (file, theorem) in STATEMENTS.items()
    ]
    return el("div", svg, style="overflow-x: auto") + "\n\n" + "\n".join(listed)


def anchor(label: str) -> str:
    return "coq-" + re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")


MADE = {
    "commands": commands,
    "claims": claims,
    "findings": findings,
    "api": api,
    "proof-graph": proof_graph,
}
