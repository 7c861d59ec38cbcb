"""`python -m verifier.checker CERT...`: the command; proofs/FORMAT.md has its exit codes."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from . import words
from .core.comparing import OverLimit, Rejected
from .core.limits import MEGABYTES, SECONDS, bound
from .core.reading import BUILT, PAGE, SYMBOLIC, Unreadable, certificate, load, parse, plain, refuse_other_formats
from .core.share import MOST_POINTS, Options
from .papers import named
from .promises import broken, promise, promises

MOST_SAID = 4000  # characters about a file


class _Malformed(Exception):
    """What is wrong with the call."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Malformed(plain(message, 300))


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError("a whole number is wanted")
    return int(text)


def _several(text: str) -> int:
    if (number := _natural(text)) == 0:
        raise argparse.ArgumentTypeError("at least 1 is wanted")
    return number


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(prog="verifier.checker", allow_abbrev=False, description="Checks certificates, independently.")
    parser.add_argument("certificates", nargs="+", metavar="CERT")
    parser.add_argument("--shard", type=_natural, action="append", default=[], metavar="K", help="only shard K")
    parser.add_argument("--sample", type=_several, default=0, metavar="K", help="only K shards, drawn by --seed")
    parser.add_argument("--seed", type=_natural, metavar="S", help="of what is drawn; a new one unless it is given")
    parser.add_argument("--literal", action="store_true", help="run each attention head, however many there are")
    parser.add_argument("--seconds", type=_several, default=0, metavar="S", help="what about S seconds allow, drawn")
    parser.add_argument("--jobs", type=_several, default=0, metavar="J", help="processes, for shards")
    parser.add_argument("--max-points", type=_natural, default=MOST_POINTS, metavar="M", help="most orbits")
    parser.add_argument("--strict", action="store_true", help="exit 5 when a claim is vacuous")
    parser.add_argument("--promise", action="append", default=[], metavar="'d n N claims [verdict]'")
    parser.add_argument("--claims", metavar="FILE", help="a file of promises")
    parser.add_argument("--reading", metavar="FILE", help="your second reading of a construction of somebody's own")
    parser.add_argument("--json", action="store_true", help="an answer is a line of JSON on stdout, for programs")
    found = parser.parse_args(argv)
    if [] in [
        found.claims,
        found.reading,
        found.sample,
        found.seed,
        found.seconds,
        found.max_points,
        found.jobs,
        *found.shard,
        *found.promise,
    ]:
        parser.error("-- is no value of an option")  # and argparse makes [] of it
    if found.seconds and (found.shard or found.sample):
        parser.error("--seconds draws what is checked; --shard and --sample can't go with it")
    if found.seed is None:  # whoever wrote the file can't know it
        found.seed = int.from_bytes(os.urandom(4), "big")
    return found


@dataclass(frozen=True)
class Answer:
    """About a file: the verdict in a word or two, the sentence, the exit code; what it holds, if it stands, and which
    claims it refutes; and where it wasn't checked in full, what was and what wasn't."""

    verdict: str
    words: str
    code: int
    cert: dict[str, Any] | None = None
    refuted: tuple[str, ...] = ()
    left: dict[str, str] = field(default_factory=dict)

    def record(self, file: str) -> dict[str, Any]:
        return {"file": file, "verdict": self.verdict, "code": self.code, "words": self.words} | self.left


def _checked(file: str, options: Options, strict: bool) -> Answer:
    """Checks a file of any format."""
    text = load(file)
    value = parse(text)
    if isinstance(value, dict) and value.get("format") == PAGE:
        from .page import check as pages
        from .page.derive import Limits

        limits = Limits().times(max(1, options.max_points // MOST_POINTS))
        data = text.encode()
        found = pages.sample(data, options.sample, "", limits) if options.sample else pages.check(data, limits)
        return Answer(*pages.told(found, strict=strict))
    if options.reading and not (isinstance(value, dict) and str(value.get("paper")).startswith("own/")):
        raise Unreadable("--reading is for a construction of somebody's own (own/1), and this is none")
    if isinstance(value, dict) and value.get("format") == SYMBOLIC:
        from .symbolic import proof  # whose tables take longer to load than a small certificate to check

        said = proof.check(value)
        return Answer(words.ACCEPTED, said, 0, proof.as_promised(value))
    if isinstance(value, dict) and value.get("format") == BUILT:
        from .build import check as built

        said, whole = built.check(value, file, max(1, options.max_points // MOST_POINTS))
        promised = built.as_promised(value)
        if whole:
            return Answer(words.ACCEPTED, said, 0, promised)
        return Answer(words.IN_PART, said, 5, promised, left={"open": "the function itself"})
    refuse_other_formats(value)
    paper = named(value)
    cert = certificate(value, paper)
    outcome = paper.check(cert, options)
    left = {"open": outcome.open} if outcome.open else {}
    left |= {} if outcome.share.whole else {"part": words.part(cert, paper, outcome)[0]}
    refuted = tuple(claim["id"] for claim in words.confirmed(cert, paper, outcome))
    code = 5 if left or words.lacking(cert, strict=strict) else 0
    verdict = words.verdict(cert, paper, outcome, strict=strict)
    return Answer(verdict, words.sentence(cert, paper, outcome, strict=strict), code, cert, refuted, left)


BUGS = (
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


def _answer(file: str, options: Options, strict: bool) -> Answer:
    """The same, whatever happens."""
    try:
        return _checked(file, options, strict)
    except Rejected as error:
        return Answer("rejected", f"REJECTED: {error}", 1)
    except Unreadable as error:
        return Answer("unreadable", f"unreadable: {error}", 2)
    except (OverLimit, MemoryError) as error:
        return Answer("over the limit", f"over the limit: {str(error) or 'memory'}", 4)
    except BUGS as error:  # perhaps in one paper's folder: the other files are still checked
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        return Answer("not checked", f"not checked: {_defect(error)}", 70)


def _defect(error: BaseException) -> str:
    return f"a defect of the checker: {type(error).__name__}: {ascii(error)[:200]}"


def _run(a: argparse.Namespace, *, own_process: bool) -> int:
    try:
        promised = [*map(promise, a.promise), *(promises(load(a.claims).splitlines()) if a.claims is not None else ())]
        if not promised and (a.promise or a.claims is not None):
            raise Unreadable("no promise is in it")
    except Unreadable as error:
        where = "" if a.claims is None else f"{a.claims!a}: "
        _complain(f"{where}{error}", as_json=a.json)
        return 2
    options = Options(a.max_points, a.literal, tuple(a.shard), a.sample, a.seed, a.seconds, a.jobs, a.reading or "")
    times = max(1, a.max_points // MOST_POINTS)
    codes: set[int] = set()
    stood: list[tuple[str, dict[str, Any]]] = []
    refuted: list[tuple[dict[str, Any], str]] = []
    for file in a.certificates:
        if own_process:
            bound(times * SECONDS, times * MEGABYTES)  # each file has its own time
        answer = _answer(file, options, a.strict)
        name = file if file.isascii() and file.isprintable() else ascii(file)
        if answer.cert is not None:
            stood.append((name, answer.cert))
            refuted += [(answer.cert, claim) for claim in answer.refuted]
        codes.add(answer.code)
        _say(answer.record(name), as_json=a.json)
    for cert, claim in refuted:
        if not any(p.about(cert) and p.verdict == "refuted" and claim in p.of(cert) for p in promised):
            codes.add(1)
    if promised and len(stood) == len(a.certificates):  # otherwise the exit code already reports a failure
        for line in broken(promised, stood):
            _say({"verdict": "rejected", "code": 1, "words": f"REJECTED: {line}"}, as_json=a.json)
            codes.add(1)
    return next((code for code in (1, 70, 2, 4, 5) if code in codes), 0)


def _say(record: dict[str, Any], *, as_json: bool) -> None:
    """An answer on stdout, on one line: of JSON, or of words. Nothing that a file holds can break the line, or reach a
    terminal as anything but printable ASCII."""
    record = {key: value if isinstance(value, int) else plain(value, MOST_SAID) for key, value in record.items()}
    said = f"{record['file']}: {record['words']}" if "file" in record else record["words"]
    print(json.dumps(record) if as_json else said, flush=True)


def _complain(said: str, *, as_json: bool) -> None:
    """About the call: for a program an answer too, else on stderr; if that is full or closed, the exit code tells."""
    if as_json:
        _say({"words": said}, as_json=True)
    elif sys.stderr is not None:
        with suppress(OSError):
            print(plain(said, MOST_SAID), file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; no input causes a traceback."""
    gc.disable()  # there are no cycles to collect, and the lists are long
    as_json = "--json" in (sys.argv if argv is None else argv)
    try:
        arguments = _arguments(argv)
        if sys.stdout is None:
            return 3
        return _run(arguments, own_process=argv is None)
    except SystemExit as stop:  # of --help
        return stop.code if isinstance(stop.code, int) else 2
    except _Malformed as error:
        usage = "" if as_json else "usage: python -m verifier.checker [options] CERT...: "
        _complain(f"{usage}{error}", as_json=as_json)
        return 2
    except KeyboardInterrupt:
        _complain("interrupted", as_json=as_json)
        return 130
    except (MemoryError, OverLimit) as error:
        _complain(f"over the limit: {str(error) or 'memory'}", as_json=as_json)
        return 4
    except BrokenPipeError:  # `| head -1`: the exit code that a shell gives for SIGPIPE
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + 13
    except (OSError, UnicodeError):  # stdout is closed or full; the rest of its buffer is discarded
        _complain("the verdict could not be written", as_json=False)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 3
    except Exception as error:  # never a verdict
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        _complain(f"{_defect(error)}, and no verdict", as_json=as_json)
        return 70


if __name__ == "__main__":
    sys.exit(main())
