"""Workers of a cluster that lie: about numbers, about shards, with things that are no data."""

import os
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL

from processes import started
from torture.case import CLI, ROOT, Case, Kind, Unrun, call, right_or_none, run_of, surroundings, truth

INSTANCE = (1, 2, 9)
LIAR = """
import json, random
from verifier.run import cluster
from torture.checkpoints import FORGERIES, number_changed
from torture.case import compact
usual = cluster.usual = getattr(cluster, 'usual', cluster.run_stretch)  # Dask runs a preload twice
rng = random.Random({seed!r})
def lie(*task):
    content = json.loads(usual(*task))
    {words}
cluster.run_stretch = lie
"""
LIES = {
    "a number": "number_changed([content], rng)\n    return compact(content)",
    "a number of one shard": "task[2] or number_changed([content], rng)\n    return compact(content)",
    "other categories": "content['categories'] = {}\n    return compact(content)",
    "another shard": "return usual(*task[:2], 0, task[3] - task[2], task[4])",
    "an object": "return compact",
    "cut short": "return compact(content)[:rng.randrange(1, 300)]",
    "a crash": "raise ValueError('no')",
    "the truth": "return compact(content)",
}


def draw(rng: random.Random, number: int) -> Case:
    name = [*LIES][number % len(LIES)]
    return Case(f"a worker that sends {name}", lambda folder: lied(folder, LIES[name], rng.randrange(10**9)))


@contextmanager
def dask(folder: Path, *words: str, until: str) -> Iterator[str]:
    """A scheduler or a worker, once it says so."""
    env = surroundings(folder, PYTHONPATH=f"{ROOT}{os.pathsep}{ROOT / 'tests'}")
    command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
    with started(command, stdout=DEVNULL, env=env, cwd=folder) as run:
        for line in run.stderr or ():
            if found := re.search(until, line):
                yield found[0]
                return
    raise Unrun("Dask does not begin")


def lied(folder: Path, words: str, seed: int) -> str:
    if find_spec("distributed") is None:
        raise Unrun("distributed is not installed")
    (folder / "liar.py").write_text(LIAR.format(seed=seed, words=words))
    here = ("scheduler", "--host", "127.0.0.1", "--port", "0")
    with dask(folder, *here, until=r"tcp://127\.0\.0\.1:\d+") as address:
        one = ("worker", address, "--nthreads", "1", "--no-nanny", "--preload", "liar.py")
        with dask(folder, *one, until="Registered to"):
            run = [*CLI, *run_of(*INSTANCE, "--scheduler", address)]
            return right_or_none(call(run, folder), truth(*INSTANCE), (3, 70))


KIND = Kind(
    "workers",
    "workers of a Dask cluster that send other numbers, other stretches, objects, half answers, errors",
    "exit 70 or 3, or the true bytes",
    draw,
    16,
    2,
)
