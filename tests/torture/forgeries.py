"""Certificates with one or two fields changed, in the shape that the schema asks for: none is accepted."""

import copy
import json
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from torture.case import CHECKER, ROOT, Case, Kind, another, at, call, insist, leaves, no_crash, put, surroundings

EACH = 50  # forgeries of a case
FILES = (
    "certificates/d1-n2-N2.json", "certificates/d1-n2-N3.json", "certificates/d1-n3-N2.json",
    "certificates/d1-n3-N3.json", "certificates/d2-n2-N2.json", "certificates/d1-n5-N2.json",
    "certificates/paper/d1-n2-N2.json", "certificates/paper/d1-n2-N3.json", "certificates/variants/factor-1.json",
    "certificates/variants/sentinel-delta.json", "certificates/variants/t_l-at-a-value.json",
)  # fmt: skip
VERDICTS = ("holds", "refuted", "vacuous", "skipped", "incomplete")


@cache
def genuine(name: str) -> Any:
    return json.loads((ROOT / "proofs" / name).read_bytes())


def changed(document: Any, rng: random.Random) -> str:
    """One field, to another value of its kind; or a member left out, twice, or elsewhere."""
    way = rng.randrange(8)
    if way == 0:
        return structure(document, rng)
    place = rng.choice(leaves(document))
    before = at(document, place)
    after = value_like(before, document, rng)
    put(document, place, after)
    return f"{'.'.join(map(str, place))}: {str(before)[:60]} -> {str(after)[:60]}"


def value_like(before: Any, document: Any, rng: random.Random) -> Any:
    if isinstance(before, int):
        return another(before, rng)
    if before in VERDICTS:
        return rng.choice([word for word in VERDICTS if word != before])
    try:
        number = Fraction(before)
    except (ValueError, ZeroDivisionError):
        if rng.random() < 0.5:  # another text of the same file
            return at(document, rng.choice(leaves(document)))
        k = rng.randrange(len(before) + 1)
        return before[:k] + rng.choice("aZ0 .<>=-") + before[k + rng.randrange(2) :]
    step = Fraction(rng.choice([1, -1, 2, 7]), rng.choice([1, 1, 2, 3]))
    return str(rng.choice([number + step, -number, number * 2, Fraction(0), number / 3]))


def structure(document: Any, rng: random.Random) -> str:
    lists = [place[:k] for place in leaves(document) for k in range(1, len(place)) if isinstance(place[k], int)]
    objects = [place[:k] for place in leaves(document) for k in range(len(place)) if isinstance(place[k], str)]
    if rng.random() < 0.5 and lists:
        place = rng.choice(lists)
        found = at(document, place)
        k = rng.randrange(len(found))
        way = rng.randrange(3)
        if way == 0:
            del found[k]
        elif way == 1:
            found.insert(rng.randrange(len(found) + 1), copy.deepcopy(found[k]))
        else:
            rng.shuffle(found)
        return f"{place}: {('an item left out', 'an item twice', 'another order')[way]}"
    place = rng.choice(objects)
    found = at(document, place)
    key = rng.choice([*found])
    del found[key]
    return f"{place}: without {key}"


def draw(rng: random.Random, number: int) -> Case:
    """A forgery is drawn by its own number, so that the one that ends wrong is known."""
    symbolic = number % 12 == 11
    words = "a symbolic proof" if symbolic else f"{EACH} certificates, {EACH * number} to {EACH * number + EACH - 1}"
    return Case(words, lambda folder: proof(folder, rng) if symbolic else forged(number, rng))


def forged(number: int, rng: random.Random) -> str:
    """In this process, as the checker reads a file; what it raises is what `verify check` makes its exit code of."""
    from verifier.checker.core.comparing import OverLimit, Rejected
    from verifier.checker.core.reading import Unreadable, certificate, parse
    from verifier.checker.core.share import Options
    from verifier.checker.papers import named

    ends: dict[str, int] = {}
    for k in range(EACH):
        name = FILES[(number + k) % len(FILES)]
        document = copy.deepcopy(genuine(name))
        said = [changed(document, rng) for _ in range(rng.choice((1, 2)))]
        what = f"{name}: {'; '.join(said)}"
        end = "accepted"
        try:
            value = parse(json.dumps(document))
            paper = named(value)
            paper.check(certificate(value, paper), Options(max_points=20_000))
        except Rejected:
            end = "rejected"
        except Unreadable:
            end = "unreadable"
        except OverLimit:
            end = "over the limit"
        except Exception as error:
            insist(False, f"{what}: a crash: {type(error).__name__}: {error}")
        if end == "accepted":
            end = "the same again" if document == genuine(name) else "a true one with fewer claims"
            insist(document == of_claims(genuine(name), document), f"ACCEPTED: {what}")
        ends[end] = ends.get(end, 0) + 1
    return ", ".join(f"{end} {count}" for end, count in sorted(ends.items()))


def of_claims(document: Any, other: Any) -> Any:
    """The genuine certificate of the claims that another lists: saying less is no forgery."""
    listed = {claim["id"] for claim in other["claims"]}
    found = copy.deepcopy(document)
    found["claims"] = [claim for claim in document["claims"] if claim["id"] in listed]
    found["not_covered"] = [
        line for line in document["not_covered"] if ": " not in line or line.split(": ")[0] in listed
    ]
    for shard in found["shards"]:
        shard["claims"] = {claim: said for claim, said in shard["claims"].items() if claim in listed}
    verdicts = {claim["verdict"] for claim in found["claims"]}
    found["verdict"] = "refuted" if "refuted" in verdicts else "incomplete" if "skipped" in verdicts else "holds"
    return found


def proof(folder: Path, rng: random.Random) -> str:
    """What a symbolic proof says, to whom and of what; by the command itself."""
    document = copy.deepcopy(genuine("symbolic/n2.json"))
    outer = [place for place in leaves(document) if place[0] != "facts" or place[-1] in ("name", "statement", "goal")]
    place = rng.choice(outer)
    before = at(document, place)
    after = rng.choice([before + "0", before[:-1], before.replace(" ", "", 1), "0", "n = 2"])
    put(document, place, after)
    (folder / "c.json").write_text(json.dumps(document))
    end = call([*CHECKER, "c.json"], folder, env=surroundings(folder))
    no_crash(end, (0, 1, 2))
    insist(end.code or before == after, f"ACCEPTED: {place}: {before!r} -> {after!r}", end)
    return "rejected 1" if end.code else "the same again 1"


KIND = Kind(
    "forgeries",
    f"certificates with one or two fields changed ({EACH} in a case), and symbolic proofs",
    "never accepted, unless it came out the same; never a crash",
    draw,
    40,
    6,
)
