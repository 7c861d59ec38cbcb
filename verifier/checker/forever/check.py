"""FORMAT-lengths: a file. Of it the page, the sizes and the words are read; all else follows, and is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.comparing import OverLimit, Rejected, compare
from ..core.reading import LENGTHS, VERDICTS, Unreadable, brief, decoded, fits, parse
from ..page.derive import Limits, as_bytes, counts_of, deep, listed, looking, page_verdict, started
from ..page.evaluate import Case, Scope
from ..page.form import form_of
from ..page.ledger import Ledger
from ..page.networks import Networks
from ..page.numbers import NotAffine
from ..page.rules import Rules
from ..page.tree import Claim, Inputs, Tree
from ..page.tree import parse as page_of
from ..page.values import List, Value
from ..page.words import Budget, Refused
from .claims import Act, Fails, Lines
from .cover import Letters, Size, missing, size
from .parts import Many
from .reading import NotShown, Reading
from .streams import Streams
from .words import Word, alike, begin, run

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
        if all(
            one is not None and one.op == "name" and one.word == free for one in (self.inputs.low, self.inputs.high)
        ):
            self.reading.exact = self.inputs.variable
        self.reading.within = self.inputs.high is not None and self.inputs.high.op == "name"
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

    def run(self, letters: Letters, *, twice: bool = True) -> Word:
        """The word, with all relations of the claim made: Fails; Refused; NotShown, if positions were to be known."""
        word = Word(letters, self.case(letters))
        said = " ".join(map(str, letters))
        wrong = ""
        try:
            run(self.streams, word, twice=twice)
        except (Refused, NotAffine) as error:  # perhaps of what the claim doesn't look at here
            wrong = f"a network on the word {said!a}: {str(error) or UNDECIDED}"
        if len(letters) >= self.least:
            try:
                self.act(self.lines.scope.body.frame(word.case))
            except NotAffine as error:
                raise NotShown(self.claim.place, f"the claim on the word {said!a}: {str(error) or UNDECIDED}") from None
        if wrong:
            raise NotShown(self.claim.place, wrong)
        return word

    def remembered(self, words: list[Word]) -> list[tuple[Letters, list[tuple[Any, ...]]]]:
        begin(self.streams, words)
        return [(word.letters, word.nodes) for word in words]

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
            looking(run_, run_.page.inputs[self.claim.on], [ledger], counts_of(self.inputs))(cases)
            verdicts.add(ledger.verdict)
        return next((one for one in ("refuted", "holds") if one in verdicts), "vacuous")

    def shown(self, words: Sequence[Letters]) -> Shown:
        """Rejected, unless these words show the claim."""
        where = f"words of {self.claim.id}"
        ran = list[Word]()
        for k, letters in enumerate(words):
            try:
                ran.append(self.run(letters))
            except Fails as error:
                found = f"line {error.line.place.line} fails"
                raise Rejected("every length", f"{where}[{k}]", "a word of which the claim holds", found) from None
        for letters in self.missing(ran):
            lacks = " ".join(map(str, letters))
            raise Rejected("every length", where, f"each step of the word {lacks!a}", "words without one of them")
        alike(ran)
        verdict, plain = "holds" if self.lines.made else "vacuous", self.plainly(words)
        if plain != verdict:
            raise Rejected("every length", where, verdict, f"{plain}, by the plain reading")
        return Shown(verdict, size(self.remembered(ran)))


UNDECIDED = "a comparison isn't decided by the order of positions"
SHAPE = {
    "format": (LENGTHS,),
    "page": {},
    "sizes": {},
    "length": "text",
    "claims": [
        {
            "id": "text",
            "verdict": VERDICTS,
            "most": "count",
            "words": ["text"],
            "states": "count",
            "steps": "count",
            "cutoff": "count",
        }
    ],
    "verdict": "text",
}


def check(data: bytes, limits: Limits | None = None) -> dict[str, Any]:
    """Checks a file: Rejected, Unreadable or OverLimit, or what it says, which then is so."""
    value = parse(decoded(data))
    text, sizes = of_file(value)
    try:
        with deep():
            made = derived(text, sizes, value, limits or Limits())
    except Refused as error:
        raise Unreadable(f"the page: {error}") from None
    except NotShown as error:
        raise Rejected("every length", "the page", "what can be shown of every length", str(error)) from None
    if as_bytes(made) != data:
        compare(made, value, "certificate", "derived from the page and the words")
        raise Rejected("derived from the page and the words", "the file", "the bytes that FORMAT prescribes", "others")
    return answer(made)


def of_file(value: Any) -> tuple[str, dict[str, int]]:
    if type(value) is not dict or value.get("format") != LENGTHS:
        raise Unreadable(f"the file isn't an object with the format {LENGTHS}")
    text, sizes = value.get("page"), value.get("sizes")
    if type(text) is not str:
        raise Unreadable("page: the text of a page is expected")
    if type(sizes) is not dict or not all(type(size_) is int and size_ >= 0 for size_ in sizes.values()):
        raise Unreadable("sizes: whole numbers, 0 or more, are expected")
    fits(SHAPE, value | {"page": {}, "sizes": {}}, "")
    if not value["claims"]:
        raise Unreadable("claims: at least one is expected")
    return text, sizes


def derived(text: str, sizes: dict[str, int], value: dict[str, Any], limits: Limits) -> dict[str, Any]:
    free, said, claims = value["length"], list[dict[str, Any]](), list[Claim]()
    page = page_of(text)
    if sizes.keys() | {free} != page.sizes.keys() or free in sizes:
        raise Unreadable(f"sizes: those of the page but {brief(free)} are expected: {', '.join(page.sizes)}")
    if [one["id"] for one in value["claims"]] != [
        c.id for c in page.claims if c.id in [o["id"] for o in value["claims"]]
    ]:
        raise Unreadable("claims: claims of the page, each once, in its order")
    for k, one in enumerate(value["claims"]):
        lengths = Lengths(text, sizes, free, one["id"], one["most"], limits)
        words = words_in(one["words"], len(lengths.letters), f"claims[{k}].words")
        shown = lengths.shown(words)
        claims.append(lengths.claim)
        members = {name: one[name] for name in ("id", "most", "words")}
        said.append(members | {"verdict": shown.verdict} | shown.size._asdict())
    verdict = page_verdict((claim, one["verdict"]) for claim, one in zip(claims, said, strict=True))
    return {"format": LENGTHS, "page": text, "sizes": sizes, "length": free, "claims": said, "verdict": verdict}


def answer(made: dict[str, Any]) -> dict[str, Any]:
    page = page_of(made["page"])
    kinds = {claim.id: claim.kind for claim in page.claims}
    claims = [one | {"kind": kinds[one["id"]]} for one in made["claims"]]
    sizes = {name: "all" if name == made["length"] else made["sizes"][name] for name in page.sizes}
    digest = hashlib.sha256(made["page"].encode()).hexdigest()
    declared = list(kinds)
    return {"title": page.title, "digest": digest, "sizes": sizes, "claims": claims, "declared": declared} | {
        "verdict": made["verdict"]
    }


def told(
    found: dict[str, Any], *, strict: bool
) -> tuple[str, str, int, dict[str, Any], tuple[str, ...], dict[str, str]]:
    """As page/check.py tells: the verdict in a word, the sentence, the exit code, what a promise is compared with."""
    claims = found["claims"]
    at = ", ".join(f"{name} = {size_}" for name, size_ in found["sizes"].items())
    vacuous = [one["id"] for one in claims if one["verdict"] == "vacuous"]
    states, cutoff = (max(one[name] for one in claims) for name in ("states", "cutoff"))
    rest = f"; {', '.join(f'{id_} vacuous' for id_ in vacuous)}" if vacuous else ""
    many = f"{len(claims)} claim{'s' * (len(claims) > 1)}"
    words = (
        f"checked in full: the page {found['title']!a} at {at}, for words of every length: {found['verdict']}; {many}"
        f"{rest}; at most {states:,} states, none that is new after length {cutoff}"
    )
    idle = found["verdict"] == "vacuous" or (strict and bool(vacuous))
    verdict = "incomplete" if idle else {"holds": "accepted"}.get(found["verdict"], found["verdict"])
    promised = {"paper": f"page:{found['digest']}", "instance": found["sizes"], "variant": {}}
    promised |= {"claims": claims, "declared": found["declared"]}
    return verdict, words, 5 if idle else 0, promised, (), {"page": found["digest"]}


def words_in(lines: list[str], letters: int, place: str) -> list[Letters]:
    """Words as the places of their letters, shorter ones first, then in order; each once."""
    found = list[Letters]()
    for k, line in enumerate(lines):
        parts = line.split(" ") if line else []
        if not all(
            part.isdigit() and str(int(part)) == part and int(part) < letters for part in parts if len(part) < 9
        ):
            raise Unreadable(f"{place}[{k}]: places of letters, 0 to {letters - 1}, are expected")
        if len(parts) > MOST_LETTERS or any(len(part) > 8 for part in parts):
            raise OverLimit(f"{place}[{k}]: a word of more than {MOST_LETTERS:,} letters")
        found.append(tuple(map(int, parts)))
    if found != sorted(set(found), key=lambda word: (len(word), word)):
        raise Unreadable(f"{place}: words stand once, shorter ones first, then by the places of their letters")
    return found
