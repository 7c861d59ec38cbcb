"""The search for words that show a claim for every length, or for one at which it fails.

Which words are missing is asked of the checker, in a process of its own (`python -m verifier.checker.forever`): what
must be remembered of a word is said there alone, and nothing that is found here is believed. Words are added, the
shortest first, until none is missing. Then longer words are drawn: if one has a step that no word had, that is a
defect.
"""

import random
import time
from dataclasses import dataclass, field
from typing import Any

from verifier.checking import talking
from verifier.run.stop import Stopped

MOST_WORDS, DRAWN = 20_000, 10
BOUNDS = (4, 16, 64, 0)  # up to where numbers of lists that look at themselves are known; 0: all of them


class Unsound(Stopped):
    """What is remembered of words isn't enough, so that there is no verdict."""

    kind = "defect"


@dataclass(frozen=True)
class Shown:
    """The words, and what they have in all."""

    words: list[str]
    most: int
    states: int
    steps: int
    cutoff: int
    made: bool  # whether any relation was


@dataclass(frozen=True)
class Fails:
    """A word of which a relation, in this line, fails."""

    word: str
    line: int


@dataclass(frozen=True)
class Refused:
    """A word at which the page is refused."""

    word: str
    why: str


@dataclass(frozen=True)
class Undecided:
    """Why, and in which line of the page (0: in none)."""

    why: str
    line: int = 0
    longest: int = field(default=0, compare=False)


Outcome = Shown | Fails | Refused | Undecided


def search(text: str, sizes: dict[str, int], length: str, claim: str, deadline: float) -> Outcome:
    """Of one claim, until a time of time.monotonic()."""
    found: Outcome = Undecided("no time was left")
    for most in BOUNDS:
        asked = {"page": text, "sizes": sizes, "length": length, "claim": claim, "most": most}
        with talking("verifier.checker.forever") as ask:
            found = searched(ask, asked, deadline)
            if not isinstance(found, Undecided) or not found_lists(text) or time.monotonic() > deadline:
                return found
    return found


def found_lists(text: str) -> bool:
    """Whether the page may have a list that looks at itself, so that a bound on its numbers matters."""
    return any("[" in line.partition("=")[0] and not line.startswith((" ", "#")) for line in text.split("\n"))


def searched(ask: Any, asked: dict[str, Any], deadline: float) -> Outcome:
    """With one bound on the numbers of lists."""
    begun = ask(asked)
    if "not shown" in begun:
        return Undecided(begun["not shown"], begun["line"])
    letters, longest = begun["letters"], 0
    words = [*([""] if begun["least"] == 0 else []), *map(str, range(letters))]
    many, answer = 0, begun
    while words:
        many += len(words)
        longest = max(longest, *(len(word.split()) for word in words))
        answer = ask({"words": words})
        if (ended := outcome(answer, longest)) is not None:
            return ended
        words = answer["missing"]
        if many > MOST_WORDS or time.monotonic() > deadline:
            return Undecided(f"{answer['states']:,} states, and no end of new ones after {many:,} words", 0, longest)
    if (ended := drawn(ask, letters, answer)) is not None:
        return ended
    few = ask({"few": True})["words"]
    return Shown(few, asked["most"], answer["states"], answer["steps"], answer["cutoff"], answer["made"])


def outcome(answer: dict[str, Any], longest: int) -> Outcome | None:
    if "fails" in answer:
        first = min(answer["fails"], key=lambda one: (len(one["word"]), one["word"]))
        return Fails(first["word"], first["line"])
    if "refused" in answer:
        return Refused(answer["word"], answer["refused"])
    return Undecided(answer["not shown"], answer["line"], longest) if "not shown" in answer else None


def drawn(ask: Any, letters: int, had: dict[str, Any]) -> Outcome | None:
    """Longer words, drawn: no new step is in any."""
    draw = random.Random(0)  # noqa: S311
    long = range(had["cutoff"] + 1, had["cutoff"] + 12)
    words = [" ".join(str(draw.randrange(letters)) for _ in range(draw.choice(long))) for _ in range(DRAWN)]
    answer = ask({"words": words})
    if (ended := outcome(answer, long[-1])) is not None:
        raise Unsound(f"a word with no new step isn't like the others: {ended}")
    if answer["missing"] or answer["steps"] != had["steps"]:
        raise Unsound("a drawn word has a step that no word was to have")
    return None
