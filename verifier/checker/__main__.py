"""`python -m verifier.checker CERT...`: the command; proofs/FORMAT.md has its exit codes."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, NoReturn

from .core.comparing import OverLimit, Rejected
from .core.limits import MEGABYTES, SECONDS, bound
from .core.reading import EXPORT, LENGTHS, PAGE, SYMBOLIC, Unreadable, load, of_no_format, parse, plain
from .promises import broken, promise, promises

MOST_CASES = 4_000_000
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
    parser.add_argument("--sample", type=_several, default=0, metavar="K", help="only K cases of each inputs, drawn")
    parser.add_argument("--seconds", type=_several, default=0, metavar="S", help="what about S seconds allow")
    parser.add_argument("--seed", type=_natural, metavar="S", help="of what is drawn; a new one unless it is given")
    parser.add_argument("--max-points", type=_natural, default=MOST_CASES, metavar="M", help="most cases")
    parser.add_argument("--jobs", type=_several, default=1, metavar="J", help="several files at once, in J processes")
    parser.add_argument("--strict", action="store_true", help="exit 5 when a claim is vacuous")
    parser.add_argument("--promise", action="append", default=[], metavar="'d n N claims [verdict]'")
    parser.add_argument("--claims", metavar="FILE", help="a file of promises")
    parser.add_argument("--json", action="store_true", help="an answer is a line of JSON on stdout, for programs")
    found = parser.parse_args(argv)
    if [] in [found.claims, found.sample, found.seed, found.seconds, found.max_points, *found.promise]:
        parser.error("-- is no value of an option")  # and argparse makes [] of it
    if found.seconds and (found.sample or found.seed is not None):
        parser.error("--seconds draws what is checked; --sample and --seed can't go with it")
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


def _checked(file: str, a: argparse.Namespace) -> Answer:
    """Checks a file of any format, each with a checker of its own, which is loaded where it is needed."""
    text, times = load(file), max(1, a.max_points // MOST_CASES)
    value = parse(text)
    found = value.get("format") if isinstance(value, dict) else None
    if found == PAGE:
        from .page import check as pages
        from .page.derive import Limits
        from .states.look import by_states

        data, limits = text.encode(), Limits(a.max_points, Limits().steps * times)
        if a.sample:
            told = pages.sample(data, a.sample, "" if a.seed is None else str(a.seed), limits)
        else:
            told = (
                pages.within(data, a.seconds, limits, by_states) if a.seconds else pages.check(data, limits, by_states)
            )
        return Answer(*pages.told(told, strict=a.strict))
    if found == LENGTHS:
        from .forever import check as lengths
        from .page.derive import Limits

        shown = lengths.check(text.encode(), Limits(steps=Limits().steps * times))
        return Answer(*lengths.told(shown, strict=a.strict))
    if found == SYMBOLIC:
        from .symbolic import proof

        said = proof.check(value)
        return Answer("accepted", said, 0, proof.as_promised(value))
    if found == EXPORT:
        from .build import exported

        return Answer("accepted", exported.check(value, file, times), 0, exported.as_promised(value))
    raise of_no_format(value)


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


def _answer(file: str, a: argparse.Namespace) -> Answer:
    """The same, whatever happens."""
    try:
        return _checked(file, a)
    except Rejected as error:
        return Answer("rejected", f"REJECTED: {error}", 1)
    except Unreadable as error:
        return Answer("unreadable", f"unreadable: {error}", 2)
    except (OverLimit, MemoryError) as error:
        return Answer("over the limit", f"over the limit: {str(error) or 'memory'}", 4)
    except SystemError as error:  # Python's own code says so where it found no memory and forgot to say MemoryError
        if "without exception set" not in str(error):
            raise
        return Answer("over the limit", "over the limit: memory", 4)
    except BUGS as error:  # perhaps of one format: the other files are still checked
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        return Answer("not checked", f"not checked: {_defect(error)}", 70)


def _defect(error: BaseException) -> str:
    return f"a defect of the checker: {type(error).__name__}: {ascii(error)[:200]}"


def _bounded(file: str, a: argparse.Namespace) -> Answer:
    """In a process of its own: each file has its own time."""
    times = max(1, a.max_points // MOST_CASES)
    bound(times * SECONDS, times * MEGABYTES)
    answer = _answer(file, a)
    gc.collect()  # what it took is given back before anything is said of it
    return answer


def _answers(a: argparse.Namespace, *, own_process: bool) -> Iterator[Answer]:
    """About each file, in order."""
    if min(a.jobs, len(a.certificates)) == 1:
        yield from (_bounded(file, a) if own_process else _answer(file, a) for file in a.certificates)
        return
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import active_children

    with ProcessPoolExecutor(min(a.jobs, len(a.certificates))) as pool:
        try:
            yield from pool.map(_bounded, a.certificates, repeat(a))
        except BrokenProcessPool:
            raise OverLimit("a process of the checker died, perhaps for want of memory; --jobs 1 takes least") from None
        finally:  # nobody waits for the rest: an interrupt, or an answer that could not be written
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()


def _run(a: argparse.Namespace, *, own_process: bool) -> int:
    try:
        promised = [*map(promise, a.promise), *(promises(load(a.claims).splitlines()) if a.claims is not None else ())]
        if not promised and (a.promise or a.claims is not None):
            raise Unreadable("no promise is in it")
    except Unreadable as error:
        where = "" if a.claims is None else f"{a.claims!a}: "
        _complain(f"{where}{error}", as_json=a.json)
        return 2
    codes: set[int] = set()
    stood: list[tuple[str, dict[str, Any]]] = []
    refuted: list[tuple[dict[str, Any], str]] = []
    for file, answer in zip(a.certificates, _answers(a, own_process=own_process), strict=True):
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
    gc.disable()  # while a file is checked there are no cycles to collect, and the lists are long
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
    try:
        sys.exit(main())
    except MemoryError:  # not even for a sentence: whatever else happened, this is no verdict
        os._exit(4)
