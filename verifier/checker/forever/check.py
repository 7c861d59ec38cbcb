"""FORMAT-lengths: a file. Of it the page, the sizes and the words are read; all else follows, and is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.comparing import OverLimit, Rejected, compare
from ..core.reading import Unreadable, fits, parse
from ..page.derive import Limits, Run, as_bytes, counts_of, deep, listed, look, started
from ..page.evaluate import Case, Scope
from ..page.form import form_of
from ..page.ledger import Ledger
from ..page.networks import Networks
from ..page.numbers import NotAffine
from ..page.rules import Rules
from ..page.tree import Claim, Inputs, Page, Tree, parse as page_of
from ..page.values import List, Value, shown
from ..page.words import Budget, Refused
from .claims import Act, Fails, Lines
from .cover import Letters, Size, missing, size
from .parts import Many
from .reading import NotShown, Reading
from .streams import Streams
from .words import Word, begin, memories, run

MOST_LETTERS = 1_000  # of a word


@dataclass
class Shown:
    """A claim, for every length: what it comes to."""

    verdict: str
    size: Size


class Lengths:
    """A claim of a page, at all sizes but the one that bounds the length of its words."""

    def __init__(self, text: str, sizes: dict[str, int], free: str, id_: str, most: int, limits: Limits) -> None:
        self.text, self.sizes, self.free, self.limits = text, sizes, free, limits
        page = self.page = page_of(text)
        if free not in page.sizes:
            raise Refused(None, f"the page has no size {free}")
        self.plain = started(text, sizes | {free: max(1, page.sizes[free])}, {}, limits)
        (self.claim,) = listed(self.plain, [id_])
        self.inputs = self.words_of(self.claim)
        rules = Rules(page)
        over = lambda _: iter(())  # noqa: E731 - nothing that is shown runs through inputs
        self.reading = Reading(page, sizes, {}, rules.unknown, Budget(limits.steps), over)
        self.reading.free, self.reading.most = free, most
        networks = Networks(self.reading, {name: form_of(page, layer)[1] for name, layer in page.layers.items()})
        if all(one is not None and one.op == "name" and one.word == free for one in (self.inputs.low, self.inputs.high)):
            self.reading.exact = self.inputs.variable
        self.streams = Streams(page, self.reading, networks, self.inputs.variable)
        self.least = self.lengths()
        self.letters = self.set_of_letters()
        if self.least > 1:  # words that are too short to be cases are told from the others
            for after in (False, True):
                self.streams.add(Many(after=after, most=self.least), self.least)
        self.lines = Lines(self.streams)
        self.act: Act = self.lines.of(self.claim)

    def words_of(self, claim: Claim) -> Inputs:
        if not claim.on:
            raise NotShown(claim.place, "the claim is about no word")
        inputs = self.page.inputs[claim.on]
        if inputs.kind != "words" or inputs.at:
            raise NotShown(inputs.place, "only words are of every length, of one set of letters")
        if inputs.categories:
            raise NotShown(inputs.place, "categories, whose cases are counted")
        if claim.skip is not None:
            raise NotShown(claim.place, "a claim that may be skipped")
        return inputs

    def lengths(self) -> int:
        """The least number of letters; there is no largest one."""
        low, high = self.inputs.low, self.inputs.high
        if low is None or high is None or not self.grows(high):
            raise NotShown(self.inputs.place, f"the number of letters isn't bounded by {self.free}")
        if low.op == "name" and low.word == self.free:
            return self.page.sizes[self.free]
        least = self.streams.number(low)
        if least is None or least < 0:
            raise NotShown(self.inputs.place, "the least number of letters isn't known")
        return least

    def grows(self, tree: Tree) -> bool:
        """n, n + 3, 2*n."""
        if tree.op == "name":
            return tree.word == self.free
        if len(tree.parts) != 2 or tree.signs not in (("+", "+"), ("*", "*")):
            return False
        names = [part for part in tree.parts if part.op == "name" and part.word == self.free]
        return len(names) == 1 and all(part in names or (self.streams.number(part) or 0) > 0 for part in tree.parts)

    def set_of_letters(self) -> tuple[Value, ...]:
        """It speaks of no length: the same at all."""
        inputs, scope = self.inputs, Scope().plus(self.inputs.letter)
        for tree in (inputs.items, inputs.power, inputs.by):
            if tree:
                self.reading.of(tree, scope)
        return self.plain.cases(inputs).set_of(1)

    def case(self, letters: Letters) -> Case:
        items = List([self.letters[k] for k in letters])
        lengths = {self.inputs.variable: len(letters)}
        known = Case({}, 0, None, lengths)
        return Case({self.inputs.variable: items}, 1, known, {})

    def run(self, words: Iterable[Letters]) -> list[Word]:
        """Each word, run, with all claims made: Fails, or Refused, at the first that fails or is refused."""
        found = []
        for letters in words:
            word = Word(letters, self.case(letters))
            run(self.streams, word)
            if len(letters) >= self.least:
                self.act(self.lines.scope.body.frame(word.case))
            found.append(word)
        return found

    def remembered(self, words: list[Word]) -> list[tuple[Letters, list[tuple[Any, ...]]]]:
        begin(self.streams, words)
        return [(word.letters, memories(self.streams, word)) for word in words]

    def missing(self, words: list[Word]) -> Iterator[Letters]:
        after = [part.after for part in self.streams.parts.values()]
        if self.least == 0 and not any(word.letters == () for word in words):
            yield ()
        for one in missing(len(self.letters), after, self.remembered(words)):
            yield one.letters

    def plainly(self, words: Sequence[Letters]) -> str:
        """The verdict of the plain reading, on these words alone: at the length of the longest, or each at its own."""
        long = [word for word in words if len(word) >= self.least]
        verdicts = set[str]()
        for several in [[word] for word in long] if self.reading.exact else [long]:
            free = max([self.page.sizes[self.free], 1, *map(len, several)])
            run_ = started(self.text, self.sizes | {self.free: free}, {}, self.limits)
            ledger = Ledger(*listed(run_, [self.claim.id]))
            cases = [(rank, self.case(word)) for rank, word in enumerate(several)]
            look(run_, run_.page.inputs[self.claim.on], [ledger], counts_of(self.inputs), cases)
            verdicts.add(ledger.verdict)
        return next((one for one in ("refuted", "holds") if one in verdicts), "vacuous")

    def shown(self, words: Sequence[Letters]) -> Shown:
        """Rejected, unless these words show the claim."""
        try:
            ran = self.run(words)
        except Fails as error:
            raise Rejected("every length", f"the words of {self.claim.id}", "words of which the claim holds", f"one of which line {error.line.place.line} fails") from None
        for letters in self.missing(ran):
            one = " ".join(map(str, letters))
            raise Rejected("every length", f"the words of {self.claim.id}", f"one with a step of {one!a}", "none")
        plain = self.plainly(words)
        verdict = "holds" if self.lines.made else "vacuous"
        if plain != verdict:
            raise Rejected("every length", f"the words of {self.claim.id}", verdict, f"{plain}, by the plain reading")
        return Shown(verdict, size(self.remembered(ran)))


def words_in(lines: list[str], letters: int, place: str) -> list[Letters]:
    """Words as the places of their letters, shorter ones first, then in order; each once."""
    found = list[Letters]()
    for k, line in enumerate(lines):
        parts = line.split(" ") if line else []
        if not all(part.isdigit() and str(int(part)) == part and int(part) < letters for part in parts if len(part) < 9):
            raise Unreadable(f"{place}[{k}]: places of letters, 0 to {letters - 1}, are expected")
        if len(parts) > MOST_LETTERS or any(len(part) > 8 for part in parts):
            raise OverLimit(f"{place}[{k}]: a word of more than {MOST_LETTERS:,} letters")
        found.append(tuple(map(int, parts)))
    if found != sorted(set(found), key=lambda word: (len(word), word)):
        raise Unreadable(f"{place}: words stand once, shorter ones first, then by the places of their letters")
    return found
