"""What each reading says of a page: the definition, the quick arrays, the checker, and the reader that is proved where
it is built. All must say the same, to the byte, or all refuse.

    PYTHONPATH=. python tests/readings.py --seeds 1000:2000     pages at random, by their seeds
    PYTHONPATH=. python tests/readings.py --systematic          those of random_pages.systematic

prints a line for each page on which they differ, and how many there are; with --pages the first page of each cause,
too, as small as it goes.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import random_pages
from verifier import proved
from verifier.checker.core.comparing import OverLimit
from verifier.checker.page.derive import derive
from verifier.checker.page.words import Refused as CheckerRefused
from verifier.evaluate.certificate import canonical, content
from verifier.evaluate.definition import Reading
from verifier.evaluate.run import found
from verifier.language.page import read
from verifier.language.words import Refused, TooLarge

REFUSED, TOO_LARGE, NO_WORD = "refused", "too large", "no word for it"
# What the proved reader has no words for.
LEFT_OUT = re.compile("for all, every real|what is counted of|_below, a bound")
IDS = re.compile(r"^claim (\w+),", re.MULTILINE)


class Said(NamedTuple):
    what: bytes | str  # a certificate, or REFUSED, TOO_LARGE, NO_WORD; or what none should say
    why: str = ""


def definition(text: str, sizes: dict[str, int], ids: list[str]) -> bytes:
    reading = Reading(read(text), sizes)
    return canonical(content(reading, reading.run(ids), {}))


def quick(text: str, sizes: dict[str, int], ids: list[str]) -> bytes:
    return canonical(found(read(text), sizes, ids))


def checker(text: str, sizes: dict[str, int], ids: list[str]) -> bytes:
    return derive(text, sizes, {}, ids)


def by(reading, *asked) -> Said:
    try:
        return Said(reading(*asked))
    except (TooLarge, OverLimit) as error:
        return Said(TOO_LARGE, str(error))
    except (Refused, CheckerRefused) as error:
        return Said(REFUSED, str(error))
    except Exception as error:
        return Said(f"{type(error).__name__}: {error}")


def by_proof(text: str, sizes: dict[str, int], ids: list[str], said: Said) -> Said:
    """The same as `said` if the proved reader finds the same, as far as it has words for it. What isn't read as a page
    isn't asked of it."""
    try:
        read(text)
    except Refused as error:
        return Said(NO_WORD, str(error))
    try:
        answer = proved.answer(text, sizes, ids)
    except proved.OverLimit as error:
        return Said(TOO_LARGE, str(error))
    except proved.Disagreed as error:
        return Said(f"reads another page: {error}" if "it reads the line" in str(error) else REFUSED, str(error))
    except proved.Broken as error:
        return Said(f"contradicts itself: {error}")
    parts = [*answer["claims"], *answer["inputs"].values(), *answer["constants"].values()]
    for what, key in ((REFUSED, "refused"), (TOO_LARGE, "too_large"), (NO_WORD, "not_covered")):
        if why := next((part[key] for part in parts if key in part), ""):
            return Said(what, why)
    if not all(
        i["each_in_one"] and all(c["as_said"] for c in i["categories"].values()) for i in answer["inputs"].values()
    ):
        return Said(REFUSED, "its categories aren't as it says")
    if not isinstance(said.what, bytes):
        return Said("an answer", f"{[claim['verdict'] for claim in answer['claims']]}")
    wrong, _, left = proved.compared(json.loads(said.what), answer)
    wrong += [f"no word for {why}" for why in left if not LEFT_OUT.search(why)]
    return Said("; ".join(wrong)) if wrong else said


def is_built() -> bool:
    try:
        return bool(proved.program())
    except proved.NotBuilt:
        return False


PROVED = is_built()


def readings(text: str, sizes: dict[str, int]) -> dict[str, Said]:
    asked = text, sizes, IDS.findall(text)
    said = {reading.__name__: by(reading, *asked) for reading in (definition, quick, checker)}
    return said | ({"proved": by_proof(*asked, said["definition"])} if PROVED else {})


def differ(said: dict[str, Said]) -> bool:
    """Whether two of them say what can't both be so. What is too large for one says nothing of the others."""
    return len({one.what for one in said.values()} - {TOO_LARGE, NO_WORD}) > 1


def told(said: dict[str, Said]) -> str:
    """Who says what and why, in a line: those that write a certificate, by its letter."""
    certificates = list(dict.fromkeys(one.what for one in said.values() if isinstance(one.what, bytes)))
    words = []
    for name, (what, why) in said.items():
        verdict = "ABCD"[certificates.index(what)] if isinstance(what, bytes) else what
        words.append(f"{name} {verdict}" + (f" ({why.partition('; met by')[0][:100]})" if why else ""))
    return " | ".join(words)


def cause(said: dict[str, Said]) -> str:
    """What they say but for places and numbers: of a page that is made smaller this stays."""
    return re.sub(r"line \d+, column \d+: |-?\d+", "", told(said))


def smaller(text: str, sizes: dict[str, int]) -> str:
    """The page, made smaller as long as the readings differ for the same cause."""
    same = cause(readings(text, sizes))
    for shorter in cuts(text):
        if len(shorter) < len(text) and cause(readings(shorter, sizes)) == same:
            return smaller(shorter, sizes)
    return text


def cuts(text: str) -> Iterator[str]:
    """A page without a line and its block; with what a bracket holds, or something plain, for a bracket."""
    lines = text.splitlines(keepends=True)
    for k in range(1, len(lines)):
        end = k + 1
        while end < len(lines) and len(re.match(" *", lines[end])[0]) > len(re.match(" *", lines[k])[0]):
            end += 1
        yield "".join(lines[:k] + lines[end:])
    for opening in (m.start() for m in re.finditer(r"\(", text)):
        depth, end = 1, opening + 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[:opening] + text[opening + 1 : end - 1] + text[end:]
        for plain in ("1", "[]", "[1]", "true"):
            if end - opening > len(plain) + 2:
                yield text[:opening] + plain + text[end:]
    yield text.replace(" if w[1] = 0:", ":")


def named(seeds: str, systematic: bool) -> Iterator[tuple[str, str, int]]:
    """The pages that are asked for, with their names and n."""
    if systematic:
        yield from ((f"page {k}", text, 2) for k, text in enumerate(random_pages.systematic()))
    if seeds:
        first, last = map(int, seeds.split(":"))
        yield from ((f"seed {seed}", random_pages.page(seed), seed % 3 + 1) for seed in range(first, last))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="", metavar="FIRST:END")
    parser.add_argument("--systematic", action="store_true")
    parser.add_argument("--pages", action="store_true")
    asked = parser.parse_args()
    many, refused, causes = 0, 0, Counter[str]()
    for name, text, n in named(asked.seeds, asked.systematic):
        said = readings(text, {"n": n})
        many, refused = many + 1, refused + (said["definition"].what == REFUSED)
        if differ(said):
            print(f"{name}: {told(said)}", flush=True)
            causes[cause(said)] += 1
            if asked.pages and causes[cause(said)] == 1:
                print(smaller(text, {"n": n}), flush=True)
    count = f"{causes.total():,} of {many:,} pages are read differently, in {len(causes):,} ways"
    print(f"{count}; the definition refuses {refused:,}")
    return min(1, len(causes))


if __name__ == "__main__":
    raise SystemExit(main())
