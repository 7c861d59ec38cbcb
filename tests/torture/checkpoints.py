"""Shards of a checkpoint that say something else, with a digest that fits."""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from torture.case import (
    CLI,
    Case,
    Kind,
    another,
    at,
    call,
    compact,
    insist,
    leaves,
    no_crash,
    put,
    right_or_none,
    run_of,
    truth,
)

SMALL, LARGE = (1, 2, 70), (1, 2, 1600)  # of 2 shards, checked in full; of 64, in part
CATEGORIES = ("category1", "category2", "category3")
_making = Lock()


def words(parts: tuple[int, int, int]) -> list[str]:
    return run_of(*parts, "--engine", "kernel", "--jobs", "1", "--checkpoint", "kept")


_kept: dict[tuple[int, int, int], dict[str, bytes]] = {}


def made(parts: tuple[int, int, int], folder: Path) -> dict[str, bytes]:
    """The files of a finished run; made once."""
    with _making:
        if parts not in _kept:
            there = folder / "first"
            there.mkdir()
            end = call([*CLI, *words(parts)], there)
            insist(end.code == 0, "no checkpoint to forge", end)
            _kept[parts] = {path.name: path.read_bytes() for path in (there / "kept").iterdir()}
        return _kept[parts]


def number_changed(contents: list[Any], rng: random.Random) -> str:
    k = rng.randrange(len(contents))
    places = [place for place in leaves(contents[k]) if place[0] not in ("run", "index", "start", "stop", "instead")]
    place = rng.choice([place for place in places if at(contents[k], place) is not None])
    before = at(contents[k], place)
    if isinstance(before, int):
        after: Any = another(before, rng)
    else:
        head, _, tail = before.partition("/")
        after = str(another(int(head), rng)) + (f"/{tail}" if tail else "")
    put(contents[k], place, after)
    return f"shard {k}: {'.'.join(map(str, place))}: {before} -> {after}"


def moved_between_shards(contents: list[Any], rng: random.Random) -> str:
    """Cases, matrices or orbits of one shard are said to be another's: all sums stay."""
    a, b = rng.sample(range(len(contents)), 2)
    if rng.random() < 0.5:
        claim = rng.choice([*contents[a]["claims"]])
        for k, by in ((a, -1), (b, 1)):
            counts = contents[k]["claims"][claim]
            counts[0] = str(max(0, int(counts[0]) + by))
        return f"a case of {claim} from shard {a} to {b}"
    name, many = rng.choice(CATEGORIES), rng.randrange(1, 5)
    for k, by in ((a, -many), (b, many)):
        for which in (name, "total"):
            matrices, orbits = contents[k]["coverage"][which]
            contents[k]["coverage"][which] = [str(max(orbits, int(matrices) + by)), orbits]
    return f"{many} matrices of {name} from shard {a} to {b}"


def moved_between_categories(contents: list[Any], rng: random.Random) -> str:
    k = rng.randrange(len(contents))
    one, other = rng.sample(CATEGORIES, 2)
    for which, by in ((one, -1), (other, 1)):
        matrices, orbits = contents[k]["coverage"][which]
        contents[k]["coverage"][which] = [str(max(0, int(matrices) + 2 * by)), max(0, orbits + by)]
    return f"shard {k}: an orbit of {one} called one of {other}"


def refuted(contents: list[Any], rng: random.Random) -> str:
    k = rng.randrange(len(contents))
    claim = rng.choice([*contents[k]["claims"]])
    counts = contents[k]["claims"][claim]
    counts[1], counts[2] = 1, rng.randrange(contents[k]["start"], contents[k]["stop"])
    return f"shard {k}: {claim} fails at rank {counts[2]}"


def edge_changed(contents: list[Any], rng: random.Random) -> str:
    """A tightest case left out, or exchanged with another claim's, or moved to the neighbouring rank."""
    k = rng.randrange(len(contents))
    claims = contents[k]["claims"]
    having = [claim for claim in claims if claims[claim][3]]
    claim = rng.choice(having)
    edges = claims[claim][3]
    edge = rng.choice([*edges])
    way = rng.randrange(3)
    if way == 0:
        del edges[edge]
    elif way == 1:
        edges[edge] = claims[rng.choice(having)][3].get(edge, ["1", contents[k]["start"]])
    else:
        edges[edge] = [edges[edge][0], min(contents[k]["stop"] - 1, edges[edge][1] + 1)]
    return f"shard {k}: {claim}, {edge}: {('left out', 'of another claim', 'at the next rank')[way]}"


def exchanged(contents: list[Any], rng: random.Random) -> str:
    """What two shards say of a claim, exchanged, ranks fitted."""
    a, b = rng.sample(range(len(contents)), 2)
    claim = rng.choice([*contents[a]["claims"]])
    one, other = contents[a]["claims"][claim], contents[b]["claims"][claim]
    contents[a]["claims"][claim], contents[b]["claims"][claim] = other, one
    for k in (a, b):
        content = contents[k]
        for found in content["claims"][claim][3].values():
            found[1] = rng.randrange(content["start"], content["stop"])
    return f"what shards {a} and {b} say of {claim}, exchanged"


FORGERIES: list[Callable[[list[Any], random.Random], str]] = [
    number_changed, number_changed, number_changed, moved_between_shards, moved_between_categories, refuted,
    edge_changed, exchanged,
]  # fmt: skip


def forged(folder: Path, parts: tuple[int, int, int], rng: random.Random, times: int) -> str:
    """Puts a checkpoint there that lies so many times; says how."""
    files = made(parts, folder)
    names = sorted(name for name in files if name.startswith("shard"))
    contents = [json.loads(files[name])["content"] for name in names]
    said = [rng.choice(FORGERIES)(contents, rng) for _ in range(times)]
    (folder / "kept").mkdir()
    for name in files:
        (folder / "kept" / name).write_bytes(files[name])
    for name, content in zip(names, contents, strict=True):
        data = compact({"content": content, "sha256": hashlib.sha256(compact(content)).hexdigest()})
        (folder / "kept" / name).write_bytes(data)
    return "; ".join(said)


def draw(rng: random.Random, _: int) -> Case:
    times = rng.choice((1, 1, 1, 2))
    return Case(f"{times} lies in a checkpoint of {SMALL}", lambda folder: in_full(folder, rng, times))


def in_full(folder: Path, rng: random.Random, times: int) -> str:
    lie = forged(folder, SMALL, rng, times)
    end = call([*CLI, *words(SMALL)], folder)
    try:
        said = right_or_none(end, truth(*SMALL), (2, 3, 5, 70))
    finally:
        (folder / "lie").write_text(lie)
    return f"{said}, run again" if "run again" in end.err and end.code == 0 else said


def draw_in_part(rng: random.Random, _: int) -> Case:
    times = rng.choice((1, 1, 2, 64))
    return Case(f"{times} lies in a checkpoint of {LARGE}", lambda folder: in_part(folder, rng, times))


def in_part(folder: Path, rng: random.Random, times: int) -> str:
    """What is not drawn isn't checked: then numbers are others, and the run says that it has looked at a part only.

    Categories that don't add up to the whole are run again by the literal network, which takes days here: so the limit.
    """
    lie = forged(folder, LARGE, rng, times)
    end = call([*CLI, *words(LARGE), "--time-limit", "60"], folder)
    (folder / "lie").write_text(lie)
    if end.code == 0 and end.out != truth(*LARGE):
        insist("checked independently, in part: " in end.err, "other bytes, and not a word of a part", end)
        insist(verdicts(end.out) == verdicts(truth(*LARGE)), "another verdict", end)
        no_crash(end, (0,))
        return "NOT found out: other numbers of a shard that was not drawn, the same verdicts, told as `in part`"
    return right_or_none(end, truth(*LARGE), (2, 3, 4, 5, 70))


def verdicts(certificate: bytes) -> dict[str, str]:
    return {claim["id"]: claim["verdict"] for claim in json.loads(certificate)["claims"]}


KIND = Kind(
    "checkpoints",
    "shards whose numbers, ranks, categories or tightest cases are changed or exchanged, with a hash that fits, of a "
    "run that is checked in full",
    "the true bytes, or exit 70 (2, 3, 5)",
    draw,
    120,
    12,
)
IN_PART = Kind(
    "checkpoints in part",
    "the same in a run of 64 shards, of which the check draws some",
    "the same; or, where the lie is in a shard that was not drawn, the true verdicts and the words `in part`; or "
    "exit 4, where all would have to be run again by the literal network",
    draw_in_part,
    12,
    1,
)
