"""Proof regression: every certificate that MANIFEST lists, derived anew, compared, and checked.

A line of MANIFEST is `file  sizes  claims  verdict  [paper=name] [name=value ...]` (proofs/FORMAT.md); a file whose
claims have different verdicts has several lines. No file may be missing, no file may be there that isn't listed, and
the bytes must be the same.
"""

import json
import re
import shlex
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gmpy2 import mpq

from verifier.catalogue import DEFAULT, UnknownPaper, in_full, pages
from verifier.certificate import promises
from verifier.checking import run_checker
from verifier.core.exact import NotExact, parse_natural, parse_rational, shown
from verifier.evaluate.certificate import canonical
from verifier.evaluate.run import found
from verifier.files import Unreadable, write
from verifier.language.library import text_of
from verifier.language.page import Understood, read
from verifier.language.words import Refused, meant
from verifier.lines import many
from verifier.run.pool import cores, in_order
from verifier.run.stop import Stopped

# The verdicts that the claims of a line may have; at least one claim must have the first.
VERDICTS = {
    "holds": ("holds",),
    "vacuous": ("vacuous",),
    "refuted": ("refuted", "holds"),
    "incomplete": ("skipped", "holds"),
}
PROVED = "proved"  # of a symbolic certificate
_UNKEPT = re.compile(r"MANIFEST(, line \d+,)? promises ")  # so begins what is no difference of bytes
_RIGHT = ("accepted", "refuted", "incomplete")  # checked in full; and MANIFEST says what it establishes
MOST_DIFFERENCES = 8  # shown of one file
MOST_BYTES = 16 * 2**20  # of a certificate, by FORMAT.md
WORTH_PROCESSES = 16  # files: fewer are derived in this process
TOGETHER = 8  # files for one process of the checker, which takes longer to start than to check most files
_LONGEST = 60


class BadManifest(ValueError):
    """MANIFEST can't be read: nothing was checked."""


@dataclass(frozen=True)
class Entry:
    """A file of MANIFEST: its page and sizes, and what its lines promise: for each claim the line and its verdict."""

    file: str
    page: Understood
    sizes: dict[str, int]
    exchanged: dict[str, mpq]
    promised: dict[str, tuple[int, str]]

    @property
    def subject(self) -> Any:
        return self.page.page.text, self.sizes, self.exchanged

    def derive(self) -> bytes:
        return canonical(found(self.page, self.sizes, list(self.promised), self.exchanged))

    def broken(self, new: Any) -> Iterator[str]:
        return _broken(self.promised, new)

    @staticmethod
    def words(new: Any) -> str:
        cases = sum(space["cases"] for space in new["inputs"].values())
        return f"{new['verdict']}, {many(len(new['claims']), 'claim')}, {many(cases, 'case')}"

    @staticmethod
    def promises(new: Any) -> Iterator[str]:
        """What must have been proved, a line for each verdict."""
        return promises(new)


def _broken(promised: dict[str, tuple[int, str]], new: Any) -> Iterator[str]:
    """Which promises the certificate breaks, and why."""
    said = {claim["id"]: claim["verdict"] for claim in new["claims"]}
    lines: dict[tuple[int, str], list[str]] = {}
    for id_, line in promised.items():
        lines.setdefault(line, []).append(id_)
    for (number, verdict), ids in lines.items():
        first, *_ = allowed = VERDICTS[verdict]
        wrong = [f"{id_} is {said[id_]}" for id_ in ids if said[id_] not in allowed]
        wrong = wrong or ([] if any(said[id_] == first for id_ in ids) else [f"none of its claims is {first}"])
        if wrong:
            more = f" and {len(wrong) - 4} more" if len(wrong) > 4 else ""
            yield f"MANIFEST, line {number}, promises {verdict}: {', '.join(wrong[:4])}{more}"


@dataclass(frozen=True)
class Symbolic:
    """One line of MANIFEST: a symbolic certificate, of one n or (None) of all."""

    file: str
    n: int | None
    claims: tuple[str, ...]

    def broken(self, new: Any) -> Iterator[str]:
        if new["verdict"] != PROVED:
            yield f"MANIFEST promises {PROVED}, and it is {new['verdict']}"

    def derive(self) -> bytes:
        from verifier.symbolic.certificate import prove, to_bytes

        return to_bytes(prove(self.claims, self.n))

    @staticmethod
    def words(new: Any) -> str:
        obligations = sum(len(fact["obligations"]) for fact in new["facts"])
        which = ">= 2" if new["n"] == "all" else f"= {new['n']}"
        return f"proved for n {which}, {many(len(new['claims']), 'claim')}, {many(obligations, 'obligation')}"

    def promises(self, new: Any) -> Iterator[str]:
        yield f"* {self.n or '*'} *  {','.join(new['claims'])}  {PROVED}"


Line = Entry | Symbolic


@dataclass(frozen=True)
class Outcome:
    """What became of a file; without differences it is as it was, and the checker accepts it."""

    file: str
    words: str
    differences: tuple[str, ...] = ()

    @property
    def standing(self) -> str:
        """In a word: as proved, a promise of MANIFEST that isn't kept, or different."""
        if not self.differences:
            return "ok"
        return "BROKEN" if all(map(_UNKEPT.match, self.differences)) else "DIFFERS"


def _begin(folder: Path) -> str:
    """How to begin in a folder that has no MANIFEST."""
    named = "" if folder == Path("proofs") else f"{shlex.quote(str(folder))} "
    return (
        "to begin, write one, with a line for each certificate, such as `c.json 1 2 3 lemma6 holds`, and run"
        f" `verify regress {named}--update`"
    )


def is_checked(folder: Path, path: Path) -> bool:
    """Whether a path is MANIFEST, or may be a certificate: a report must not overwrite it."""
    return path.suffix == ".json" or path.resolve() == (folder / "MANIFEST").resolve()


def read_manifest(folder: Path) -> list[Line]:
    try:
        if folder.is_file():
            raise BadManifest(f"{folder} is a file; a folder is wanted, with a MANIFEST that lists its certificates")
        if not (folder / "MANIFEST").is_file():
            raise FileNotFoundError(2, f"there is no such file; {_begin(folder)}")
        lines = (folder / "MANIFEST").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadManifest(f"{folder / 'MANIFEST'} can't be read: {getattr(error, 'strerror', 'not UTF-8')}") from error
    entries: dict[str, Line] = {}
    for number, line in enumerate(lines, start=1):
        said = line.partition("#")[0]
        words = said.split()
        if not words:
            continue
        try:
            if not said.replace("\t", " ").isascii() or not said.replace("\t", " ").isprintable():
                raise ValueError(f"{shown(said)} has other than plain ASCII characters")
            entry = _entry(words, number, folder)
            if words[0] in entries:
                entry = _both(entries[words[0]], entry)
        except (NotExact, UnknownPaper, Refused, ValueError) as error:
            raise BadManifest(f"{folder / 'MANIFEST'}, line {number}: {error}") from error
        entries[entry.file] = entry
    if not entries:
        raise BadManifest(f"{folder / 'MANIFEST'} lists nothing")
    return list(entries.values())


def _both(before: Line, entry: Line) -> Entry:
    """Another line about the same file: its claims are removed from the lines before."""
    if isinstance(before, Symbolic) or isinstance(entry, Symbolic):
        raise ValueError(f"{entry.file} is listed twice; a symbolic certificate has one line")
    if before.subject != entry.subject:
        raise ValueError(f"{entry.file} is listed twice, with different instances or variants")
    promised = {**before.promised, **entry.promised}
    if gone := {line for line, _ in before.promised.values()} - {line for line, _ in promised.values()}:
        raise ValueError(f"{entry.file} is listed twice: of line {min(gone)} no claim is left")
    return replace(entry, promised={id_: promised[id_] for id_ in entry.page.page.claims if id_ in promised})


def _entry(words: Sequence[str], number: int, folder: Path) -> Line:
    file = words[0]
    path = Path(file)
    if path.is_absolute() or ".." in path.parts or path.suffix != ".json" or str(path) != file or len(path.name) > 255:
        raise ValueError(f"{shown(file)} is no plain path of a .json file inside the folder")
    if words[-1] == PROVED:
        return _symbolic(file, words[1:-1])
    named = [word.removeprefix("paper=") for word in words if word.startswith("paper=")]
    if len(named) > 1:
        raise ValueError("a line names one page")
    page = _page(named[0] if named else DEFAULT, folder)
    return _of_page(page, file, [word for word in words[1:] if not word.startswith("paper=")], number)


def _page(name: str, folder: Path) -> Understood:
    """The page of this name, or in a file in MANIFEST's folder."""
    path = Path(name)
    if path.suffix != ".page":
        return read(text_of(pages()[in_full(name)]))
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"{shown(name)} is no path of a page inside the folder")
    try:
        return read(text_of(folder / path))
    except Unreadable as error:
        raise ValueError(f"{shown(name)}: {error}") from error


def _of_page(page: Understood, file: str, words: Sequence[str], number: int) -> Entry:
    names = list(page.page.sizes)
    if len(words) < len(names) + 2:
        raise ValueError(f"expected `file  {' '.join(names)}  claims  verdict  [paper=name]  [name=value ...]`")
    sizes = dict(zip(names, map(parse_natural, words), strict=False))
    claims, verdict, *exchanges = words[len(names) :]
    if verdict not in VERDICTS:
        raise ValueError(f"{shown(verdict)} is no verdict; it is one of {', '.join(VERDICTS)}")
    ids = list(page.page.claims)
    chosen = [id_ for id_ in ids if {id_, id_.split(".")[0], "all"} & set(claims.split(","))]
    if unknown := set(claims.split(",")) - {"all", *ids, *(id_.split(".")[0] for id_ in ids)}:
        every = [*dict.fromkeys(id_.split(".")[0] for id_ in ids), *ids]
        raise ValueError(
            f"no claim {shown(min(unknown))}{meant(min(unknown), every) or '; the page has ' + ', '.join(ids)}"
        )
    for name, least in page.page.sizes.items():
        if sizes[name] < least:
            raise ValueError(f"{name} = {sizes[name]} is too small; {name} must be at least {least}")
    exchanged: dict[str, mpq] = {}
    for word in exchanges:
        name, equals, value = word.partition("=")
        if not equals or name in exchanged:
            raise ValueError(f"{shown(word)}: " + ("given twice" if equals else "one is NAME=VALUE"))
        exchanged[name] = parse_rational(value)
    return Entry(file, page, sizes, exchanged, dict.fromkeys(chosen, (number, verdict)))


def _symbolic(file: str, words: Sequence[str]) -> Symbolic:
    from verifier.symbolic.certificate import MOST_N, choose_proved

    if len(words) != 4 or words[0] != "*" or words[2] != "*":
        raise ValueError("a symbolic certificate is `file  * n *  claims  proved`, n a number or *")
    number = None if words[1] == "*" else parse_natural(words[1])
    if number is not None and not 2 <= number <= MOST_N:
        raise ValueError(f"n = {number}: a symbolic certificate is of n = 2 to {MOST_N}, or of all n")
    return Symbolic(file, number, tuple(choose_proved(words[3], number)))


def regress(folder: Path, *, update: bool = False, tell: Callable[[Outcome], None] = lambda _: None) -> list[Outcome]:
    """One outcome for each line of MANIFEST, then one for each file that it doesn't list.

    The checker, one process for several files, checks them while the next ones are derived: in this process, or many in
    several.
    """
    entries = read_manifest(folder)
    outcomes: list[Outcome] = []
    derived: list[tuple[Outcome, Checkable | None]] = []  # since the last process was started
    checked: deque[tuple[Outcome, Checkable | None, Future[dict[Path, list[str]]]]] = deque()

    def check() -> None:
        checking = checkers.submit(_check, [file for _, file in derived if file])
        checked.extend((outcome, file, checking) for outcome, file in derived)
        derived.clear()

    def tell_done(*, wait: bool) -> None:
        while checked and (wait or checked[0][2].done()):
            outcome, file, checking = checked.popleft()
            problems = tuple(checking.result().get(file.path, ())) if file else ()
            outcomes.append(replace(outcome, differences=outcome.differences + problems))
            tell(outcomes[-1])

    with ThreadPoolExecutor(cores()) as checkers, closing(_each_derived(folder, entries, update)) as each:
        try:
            for entry, (outcome, promises_) in zip(entries, each, strict=True):
                file = Checkable(folder / entry.file, tuple(promises_)) if promises_ else None
                if file and any(other and file.subjects & other.subjects for _, other in derived):
                    check()
                derived.append((outcome, file))
                if len(derived) == TOGETHER:
                    check()
                tell_done(wait=False)
            check()
            tell_done(wait=True)
        finally:
            checkers.shutdown(wait=False, cancel_futures=True)
    listed = {folder / entry.file for entry in entries}
    there = {path for path in (folder / "certificates").rglob("*") if path.is_symlink() or not path.is_dir()}
    there |= {
        path
        for path in folder.rglob("*")
        if re.search(r"\.json(\.gz)?$", path.name, re.IGNORECASE) and not path.name.endswith(".schema.json")
    }
    for path in sorted(there - listed):
        name = ascii(str(path.relative_to(folder)))[1:-1]
        outcomes.append(Outcome(name, "not listed", ("MANIFEST doesn't list this file",)))
        tell(outcomes[-1])
    return outcomes


_entries: list[Line] = []  # of a process that derives some of them
_how: tuple[Path, bool] = (Path(), False)


def _begin_to_derive(folder: Path, update: bool) -> None:
    global _entries, _how
    _entries, _how = read_manifest(folder), (folder, update)


def _derived_of(number: int) -> tuple[Outcome, list[str]]:
    folder, update = _how
    return _derived(folder, _entries[number], update)


def _each_derived(
    folder: Path, entries: Sequence[Line], update: bool
) -> Generator[tuple[Outcome, list[str]], None, None]:
    if len(entries) < WORTH_PROCESSES or cores() == 1:
        return (_derived(folder, entry, update) for entry in entries)
    return in_order(_derived_of, len(entries), _begin_to_derive, folder, update)


def _derived(folder: Path, entry: Line, update: bool) -> tuple[Outcome, list[str]]:
    """What became of a file before it is checked, and the promises for the checker; none if it isn't to be checked."""
    path = folder / entry.file
    inside = [folder.joinpath(*path.relative_to(folder).parts[:k]) for k in range(1, len(Path(entry.file).parts))]
    if any(part.is_symlink() for part in inside):
        return Outcome(entry.file, "a link", ("a folder on its way is a link",)), []
    try:
        derived = entry.derive()
    except (Stopped, Refused) as error:
        return Outcome(entry.file, "not derived", (str(error),)), []
    new = json.loads(derived)
    problems = list(entry.broken(new))
    words = entry.words(new)
    there = path.is_file() and not path.is_symlink()
    if there and path.stat().st_size > MOST_BYTES:
        return Outcome(entry.file, "too large", (f"a certificate has at most {MOST_BYTES:,} bytes",)), []
    committed = path.read_bytes() if there else b""
    if update and committed != derived:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, derived)
        except OSError as error:
            return Outcome(entry.file, "not written", (f"it could not be written: {error.strerror}",)), []
        words += ", rewritten" if there else ", written"
    elif not there:
        return Outcome(entry.file, "missing", ("MANIFEST lists this file, and there is none; --update writes it",)), []
    elif committed != derived:
        problems += _differences(committed, new)
    return Outcome(entry.file, words, tuple(problems)), list(entry.promises(new))


def _differences(committed: bytes, new: Any) -> list[str]:
    """The differences, down to the claim and the number that changed."""
    try:
        found = list(_walk("", _by_id(json.loads(committed)), _by_id(new)))
    except ValueError:  # includes what is no UTF-8
        return ["the committed file is no JSON"]
    except RecursionError:
        return ["the committed file is nested too deep"]
    if not found:
        return ["the same content in other bytes: not canonical"]
    more = len(found) - MOST_DIFFERENCES
    return found[:MOST_DIFFERENCES] + ([f"... and {more} more differences"] if more > 0 else [])


def _by_id(document: Any) -> Any:
    """The document with its claims under their ids, so that a claim is compared with itself."""
    if isinstance(document, dict) and isinstance(document.get("claims"), list):
        named = {
            claim["id"]: claim
            for claim in document["claims"]
            if isinstance(claim, dict) and isinstance(claim.get("id"), str)
        }
        return document | {"claims": named}
    return document


def _walk(place: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            name = ascii(key)[1:-1]
            yield from _walk(f"{place}.{name}" if place else name, old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from _walk(f"{place}[{k}]", a, b)
    elif type(old) is not type(new) or old != new:
        yield f"{place}: committed {_short(old)}, derived {_short(new)}"


_ABSENT = object()


def _short(value: Any) -> str:
    text = "nothing" if value is _ABSENT else json.dumps(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


@dataclass(frozen=True)
class Checkable:
    """A file for the checker, with the promises that it must keep."""

    path: Path
    promises: tuple[str, ...]

    @property
    def subjects(self) -> set[tuple[str, ...]]:
        """What the promises are about: the sizes, and after claims and verdict the paper and the variant."""
        parts = (promise.split("  ") for promise in self.promises)
        return {(sizes, *rest.split()[1:]) for sizes, _, rest in parts}


def _check(files: Sequence[Checkable]) -> dict[Path, list[str]]:
    """The checker's objections to each file. The files are about different things, so none keeps another's promise."""
    if not files:
        return {}
    promised = [word for file in files for line in file.promises for word in ("--promise", line)]
    done = run_checker([*promised, "--", *(str(file.path) for file in files)])
    if done.code in (0, 5) and all(record["verdict"] in _RIGHT for record in done.records):
        return {}
    if len(files) > 1:
        return {path: said for file in files for path, said in _check([file]).items()}
    return {files[0].path: [f"the checker does not accept it (exit {done.code}): {done.words}"]}
