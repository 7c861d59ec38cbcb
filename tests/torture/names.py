"""Files whose names to show collide, and promises: every promise is judged, and every file."""

import random
from pathlib import Path

from torture.case import CLI, Case, Kind, Unrun, call, insist, no_crash, truth

NAMES = [
    "a", "a (2)", "a (3)", "é", "'\\xe9'", "'\\xe9' (2)", "e\u0301", "'", "''", '"', '"a"', "'a'", "a b",
    "a\tb", "a\nb", "a\\nb", "'a\\nb'", "ａ", "\u202ea", "'\\u202ea'", "(2)", "a: checked in full", "a: REJECTED",
    "[bold]a", "%s", "{}", ".a", "-", "a,b", "'a' (2)", "\U0001d7d9", "'\\U0001d7d9'", "a" * 200,
]  # fmt: skip
INSTANCES = ((1, 2, 2), (1, 2, 3), (1, 3, 4))


def draw(rng: random.Random, _: int) -> Case:
    files = {name: rng.choice(INSTANCES) for name in rng.sample(NAMES, rng.randint(1, 6))}
    promises = []
    about = sorted({*files.values()})
    for _ in range(rng.randint(1, 4)):
        d, n, N = rng.choice(about if rng.random() < 0.8 else [*INSTANCES, (1, 3, 5)])
        promises.append((d, n, N, "lemma6.4", rng.choice(["holds"] * 5 + ["vacuous"])))
    again = rng.choice([None, *files]) if rng.random() < 0.3 else None
    in_file = rng.random() < 0.4
    words = f"files {list(files.items())}, promises {promises}{', again ' + repr(again) if again else ''}"
    return Case(words, lambda folder: judged(folder, files, promises, again, in_file=in_file))


def judged(
    folder: Path,
    files: dict[str, tuple[int, int, int]],
    promises: list[tuple[int, int, int, str, str]],
    again: str | None,
    *,
    in_file: bool,
) -> str:
    there = folder / "files"
    there.mkdir()
    for name, parts in files.items():
        try:
            (there / name).write_bytes(truth(*parts))
        except OSError as error:
            raise Unrun(f"no file may be called {name!a} here") from error
    lines = [" ".join(map(str, promise)) for promise in promises]
    words = [f"./{name}" for name in files] + ([f"./{again}"] if again else [])
    if in_file:
        (folder / "promises").write_text("\n".join(lines))
        words += ["--claims", "../promises"]
    else:
        words += [word for line in lines for word in ("--promise", line)]
    end = call([*CLI, "check", *words], folder, cwd=there)
    no_crash(end, (0, 1))
    # lemma6.4 holds in each of them; a promise is kept by a file of its instance, and a file keeps one
    keeping = {promise[:3] for promise in promises if promise[4] == "holds"}
    broken = [p for p in promises if p[4] != "holds" or p[:3] not in files.values()]
    idle = [parts for parts in files.values() if parts not in keeping]
    insist((end.code == 0) == (not broken and not idle), f"broken {broken}, idle {idle}", end)
    said = end.out.decode(errors="replace")
    insist(said.count(" is not kept: ") >= len(broken), "a promise that was not judged", end)
    insist(said.count("checked in full") >= len(files), "a file that was not checked", end)
    return "all kept" if end.code == 0 else "all judged, exit 1"


KIND = Kind(
    "names",
    "sets of up to six files with names that look alike (accents, quotes, `a (2)`, control characters), and up to four "
    "promises",
    "each promise and each file is judged: exit 0 where all are kept, else 1",
    draw,
    80,
    8,
)
