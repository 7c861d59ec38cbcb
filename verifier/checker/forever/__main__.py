"""`python -m verifier.checker.forever`: which words are still missing, for who searches. It shows nothing: what the
search comes to is a file, and that is checked (check.py), in another process, as if nobody had searched.

Lines of JSON on stdin, each answered by one on stdout. The first names the claim, {page, sizes, length, claim, most};
the others have words of it, {words}: added to those before; and {few}: a few of them that have all steps.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ..core.comparing import OverLimit
from ..core.limits import bound
from ..page.derive import Limits, deep
from ..page.words import Refused
from .check import Lengths
from .claims import Fails
from .cover import Letters, size
from .reading import NotShown
from .words import Word, alike

STEPS = 10**12
MOST_SECONDS, MOST_MEGABYTES = 3600, 4096
MISSING = 100  # at a time, the shortest


def said(letters: Letters) -> str:
    return " ".join(map(str, letters))


class Search:
    def __init__(self, asked: dict[str, Any]) -> None:
        page, sizes, length, claim, most = (asked[name] for name in ("page", "sizes", "length", "claim", "most"))
        self.lengths = Lengths(page, sizes, length, claim, most, Limits(steps=STEPS))
        self.ran: dict[Letters, Word] = {}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked.get("few"):
            return {"words": [said(word) for word in self.few()]}
        fails = []
        for line in asked["words"]:
            letters = tuple(map(int, line.split()))
            if letters in self.ran:
                continue
            try:
                self.ran[letters] = self.lengths.run(letters, twice=False)
            except Fails as error:
                fails.append({"word": line, "line": error.line.place.line})
            except Refused as error:
                return {"refused": str(error), "word": line}
        if fails:
            return {"fails": fails}
        ran = list(self.ran.values())
        new = sorted({*self.lengths.missing(ran)} - self.ran.keys(), key=lambda word: (len(word), word))
        if not new:
            alike(ran)
        found = size(self.lengths.remembered(ran))
        return {
            "missing": [said(word) for word in new[:MISSING]],
            "made": self.lengths.lines.made > 0,
        } | found._asdict()

    def few(self) -> list[Letters]:
        """Words that have all steps: long ones first, each with a step that those before don't have."""
        steps, chosen = set[object](), list[Letters]()
        for letters, nodes in sorted(self.lengths.remembered([*self.ran.values()]), key=lambda one: -len(one[0])):
            own: set[object] = {(nodes[k], a, nodes[k + 1]) for k, a in enumerate(letters)}
            own |= {("first", nodes[0]), ("last", nodes[-1])}
            if not own <= steps or not letters:
                chosen.append(letters)
                steps |= own
        return sorted(chosen, key=lambda word: (len(word), word))


class Answers:
    """To one who searches, question by question."""

    def __init__(self) -> None:
        self.search: Search | None = None

    def to(self, asked: dict[str, Any]) -> dict[str, Any]:
        try:
            if self.search is not None:
                return self.search.answer(asked)
            self.search = Search(asked)
            return {"letters": len(self.search.lengths.letters), "least": self.search.lengths.least}
        except NotShown as error:
            return {"not shown": error.words, "line": error.place.line if error.place else 0}
        except (Refused, OverLimit) as error:
            return {"not shown": str(error), "line": 0}


def main() -> int:
    bound(MOST_SECONDS, MOST_MEGABYTES)
    answers = Answers()
    with deep():
        for line in sys.stdin:
            print(json.dumps(answers.to(json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
