"""`python -m verifier.checker CERT...`: the command; proofs/FORMAT.md has its exit codes."""

from __future__ import annotations

import argparse
import gc
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn, TextIO

from .core.comparing import OverLimit, Rejected
from .core.limits import MEGABYTES, SECONDS, bound
from .core.paper import Outcome, Paper
from .core.reading import (
    BUILT,
    PAGE,
    SYMBOLIC,
    VERDICTS,
    Unreadable,
    brief,
    certificate,
    load,
    parse,
    refuse_other_formats,
)
from .core.share import MOST_POINTS, Options
from .papers import named
from .promises import broken, promise, promises

MOST_SAID = 4000  # characters about a file


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _tell(f"usage: python -m verifier.checker [options] CERT...: {ascii(message)[1:-1][:300]}")
        self.exit(2)


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
    parser.add_argument("--seed", type=_natural, default=0, metavar="S")
    parser.add_argument("--literal", action="store_true", help="run each attention head, however many there are")
    parser.add_argument("--seconds", type=_several, default=0, metavar="S", help="what about S seconds allow, drawn")
    parser.add_argument("--jobs", type=_several, default=0, metavar="J", help="processes, for shards")
    parser.add_argument("--max-points", type=_natural, default=MOST_POINTS, metavar="M", help="most orbits")
    parser.add_argument("--strict", action="store_true", help="exit 5 when a claim is vacuous")
    parser.add_argument("--promise", action="append", default=[], metavar="'d n N claims [verdict]'")
    parser.add_argument("--claims", metavar="FILE", help="a file of promises")
    parser.add_argument("--reading", metavar="FILE", help="your second reading of a construction of somebody's own")
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
    return found


def _refutation(claim: dict[str, Any]) -> str:
    c = claim["counterexample"]
    where = [f"[{'; '.join(', '.join(row) for row in c[key])}]" for key in ("matrix", "other") if key in c]
    name, operator, limit = re.findall("(.*) (=|[<>]=?) (.*)", c["relation"])[0]  # the last sign: names may have others
    value, bound = (str(c[key]).replace("'", "")[:100] for key in ("value", "bound"))
    should = bound if operator == "=" else f"{operator} {bound if limit == bound else f'{limit} = {bound}'}"
    return f"{claim['id']} fails{' at ' if where else ''}{' and '.join(where)[:200]}: {name} = {value}, not {should}"


def confirmed(cert: dict[str, Any], paper: Paper, o: Outcome) -> list[dict[str, Any]]:
    """The refuted claims, except excluded readings and, in a partial check, claims about pairs (unchecked there)."""
    refuted = [claim for claim in cert["claims"] if claim["verdict"] == "refuted" and not aside(claim, paper)]
    return [claim for claim in refuted if o.share.whole or claim["id"] not in paper.pairs]


def _part(cert: dict[str, Any], paper: Paper, o: Outcome) -> str:
    """Which part was checked, and what was not."""
    share, all_of_them = o.share, f"of 0..{o.shards - 1}"
    words = f"shards {', '.join(map(str, share.shards))} {all_of_them}"
    if share.drawn:
        count = len(share.shards)
        words = f"{count} of {o.shards} shards, drawn by their digests ({', '.join(map(str, share.shards))})"
    if share.stretch:
        k, start, stop = share.stretch
        size = cert["shards"][k]["stop"] - cert["shards"][k]["start"]
        which = f"{stop - start:,} of the {size:,} {paper.several} of shard {k}"
        words = f"{which}, drawn by the shards' digests, from rank {start:,}"
    left = (
        ["the other shards' counts" if share.shards else "the shards' counts"] if len(share.shards) < o.shards else []
    )
    pairs = [claim["id"] for claim in cert["claims"] if claim["id"] in paper.pairs]
    left += [f"pairs ({', '.join(pairs)})"] if pairs else []
    how = "how all shards make up the claims"
    return f"{words}, and {how}; NOT checked: {', and '.join(left) or 'nothing'}"


def aside(claim: dict[str, Any], paper: Paper) -> bool:
    """An excluded reading that fails, which decides nothing."""
    return claim["verdict"] == "refuted" and claim["id"] in paper.excluded


def _accepted(cert: dict[str, Any], paper: Paper, o: Outcome) -> str:
    words = "checked in full" if o.share.whole else f"checked in part: {_part(cert, paper, o)}"
    words = f"checked as far as it can be: {o.open}" if o.open else words
    refuted = confirmed(cert, paper, o)
    if refuted:
        said = "; ".join(map(_refutation, refuted[:3])) + (f" and {len(refuted) - 3} more" if refuted[3:] else "")
        words = f"{words.replace(' in full', '')}; REFUTED, as it says: {said}"
    sizes = ", ".join(str(cert["instance"][name]) for name in paper.sizes)
    words += f": ({', '.join(paper.sizes)}) = ({sizes})"
    for name, value in cert.get("variant", {}).items():
        words += f", VARIANT {name} = {value if len(value) < 80 else brief(value)}"
    for verdict, its_words in ({v: v for v in VERDICTS} | {"holds": "claims hold"}).items():
        count = sum(claim["verdict"] == verdict and not aside(claim, paper) for claim in cert["claims"])
        words += f", {count} {its_words}" if count else ""
        if verdict == "refuted" and count > len(refuted):
            words += f" as it says, {count - len(refuted)} of them NOT looked at"
    if excluded := [claim["id"] for claim in cert["claims"] if aside(claim, paper)]:
        words += f", {len(excluded)} excluded reading{'s' * (len(excluded) > 1)} failing ({', '.join(excluded)})"
    if not cert["coverage"]:
        return f"{words}; no {paper.several.removesuffix('s')} was to be run"
    total = cert["coverage"]["total"]
    return f"{words}; {total['orbits']} {paper.several} ({total['matrices']} matrices), {o.how}"


def _checked(
    file: str, options: Options, strict: bool
) -> tuple[dict[str, Any], str, int, list[tuple[dict[str, Any], str]]]:
    """Checks a file of any format: what promises are compared with, the words, the exit code, what it refutes."""
    text = load(file)
    value = parse(text)
    if isinstance(value, dict) and value.get("format") == PAGE:
        from .page import check as pages
        from .page.derive import Limits

        limits = Limits().times(max(1, options.max_points // MOST_POINTS))
        data = text.encode()
        found = pages.sample(data, options.sample, "", limits) if options.sample else pages.check(data, limits)
        return pages.as_promised(found), pages.in_words(found), pages.exit_code(found), []
    if options.reading and not (isinstance(value, dict) and str(value.get("paper")).startswith("own/")):
        raise Unreadable("--reading is for a construction of somebody's own (own/1), and this is none")
    if isinstance(value, dict) and value.get("format") == SYMBOLIC:
        from .symbolic import proof  # whose tables take longer to load than a small certificate to check

        said = proof.check(value)
        return proof.as_promised(value), said, 0, []
    if isinstance(value, dict) and value.get("format") == BUILT:
        from .build import check as built

        said = built.check(value, file, max(1, options.max_points // MOST_POINTS))
        return built.as_promised(value), said, 0, []
    refuse_other_formats(value)
    paper = named(value)
    cert = certificate(value, paper)
    outcome = paper.check(cert, options)
    refuted = [(cert, claim["id"]) for claim in confirmed(cert, paper, outcome)]
    vacuous = [claim["id"] for claim in cert["claims"] if claim["verdict"] == "vacuous"] if strict else []
    said = _accepted(cert, paper, outcome) + (f"; --strict: vacuous: {', '.join(vacuous)}" if vacuous else "")
    incomplete = vacuous or outcome.open or not outcome.share.whole or cert["verdict"] == "incomplete"
    return cert, said, 5 if incomplete else 0, refuted


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


def _run(a: argparse.Namespace, *, own_process: bool) -> int:
    try:
        promised = [*map(promise, a.promise), *(promises(load(a.claims).splitlines()) if a.claims is not None else ())]
        if not promised and (a.promise or a.claims is not None):
            raise Unreadable("no promise is in it")
    except Unreadable as error:
        _tell(f"{a.claims or 'the call'!a}: {error}")
        return 2
    options = Options(a.max_points, a.literal, tuple(a.shard), a.sample, a.seed, a.seconds, a.jobs, a.reading or "")
    times = max(1, a.max_points // MOST_POINTS)
    codes: set[int] = set()
    stood: list[tuple[str, dict[str, Any]]] = []
    refuted: list[tuple[dict[str, Any], str]] = []
    for file in a.certificates:
        name = file if file.isascii() and file.isprintable() else ascii(file)
        try:
            if own_process:
                bound(times * SECONDS, times * MEGABYTES)  # each file has its own time
            cert, said, code, also = _checked(file, options, a.strict)
            stood.append((name, cert))
            refuted += also
        except Rejected as error:
            said, code = f"REJECTED: {error}", 1
        except Unreadable as error:
            said, code = f"unreadable: {error}", 2
        except (OverLimit, MemoryError) as error:
            said, code = f"over the limit: {str(error) or 'memory'}", 4
        except BUGS as error:  # perhaps in one paper's folder: the other files are still checked
            said, code = f"not checked: a defect of the checker: {type(error).__name__}: {ascii(error)[:200]}", 70
            if os.environ.get("VERIFIER_DEBUG"):
                raise
        codes.add(code)
        _print(f"{name}: {said if len(said) <= MOST_SAID else said[:MOST_SAID] + '...'}", sys.stdout)
    for cert, claim in refuted:
        if not any(p.about(cert) and p.verdict == "refuted" and claim in p.of(cert) for p in promised):
            codes.add(1)
    if promised and len(stood) == len(a.certificates):  # otherwise the exit code already reports a failure
        for line in broken(promised, stood):
            _print(f"REJECTED: {line}", sys.stdout)
            codes.add(1)
    return next((code for code in (1, 70, 2, 4, 5) if code in codes), 0)


def _print(words: str, stream: TextIO) -> None:
    """Prints one line to a pipe, for programs; on a terminal wraps it to the width, later lines indented."""
    if stream.isatty():
        wide = os.get_terminal_size(stream.fileno()).columns or shutil.get_terminal_size().columns
        words = textwrap.fill(
            words, max(20, wide), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
    print(words, file=stream, flush=True)


def _tell(words: str) -> None:
    """Prints to stderr if possible; if it is full or closed, the exit code alone reports the failure."""
    if sys.stderr is not None:
        with suppress(OSError):
            _print(words, sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; no input causes a traceback."""
    gc.disable()  # there are no cycles to collect, and the lists are long
    try:
        arguments = _arguments(argv)
        if sys.stdout is None:
            return 3
        return _run(arguments, own_process=argv is None)
    except SystemExit as stop:  # argparse has said what is wrong with the call
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        _tell("interrupted")
        return 130
    except (MemoryError, OverLimit) as error:
        _tell(f"over the limit: {str(error) or 'memory'}")
        return 4
    except BrokenPipeError:  # `| head -1`: the exit code that a shell gives for SIGPIPE
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + 13
    except (OSError, UnicodeError):  # stdout is closed or full; the rest of its buffer is discarded
        _tell("the verdict could not be written")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 3
    except Exception as error:  # never a verdict
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        _tell(f"a defect of the checker, and no verdict: {type(error).__name__}: {ascii(error)[:200]}")
        return 70


if __name__ == "__main__":
    sys.exit(main())
