"""A run of a page in stretches, for tests of who runs them: (d, n, N) = (1, 2, 2), six cases."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from verifier.catalogue import pages
from verifier.evaluate.quick.stretches import Stretches

RECIPE = Stretches(pages()["yun2020"].read_text(encoding="utf-8"), (("d", 1), ("n", 2), ("N", 2)), ())
IDS = ("lemma6.4",)
CLAIMS = [SimpleNamespace(id=id_) for id_ in IDS]


def counted(start, stop, ids=IDS):
    return RECIPE.engine(list(ids)).run(start, stop, lambda _: None)


@dataclass(frozen=True)
class Deadly:
    """RECIPE, where whoever is given the stretch that begins here is killed, so many times; then it is run."""

    start: int
    times: int
    folder: Path

    def engine(self, ids):
        runner = RECIPE.engine(list(ids))

        def run(start, stop, tell):
            if start == self.start and len(list(self.folder.iterdir())) < self.times:
                (self.folder / str(os.getpid())).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return runner.run(start, stop, tell)

        return SimpleNamespace(run=run)


@dataclass(frozen=True)
class Sleeping:
    """RECIPE, where each stretch takes a minute."""

    def engine(self, ids):
        runner = RECIPE.engine(list(ids))

        def run(start, stop, tell):
            time.sleep(60)
            return runner.run(start, stop, tell)

        return SimpleNamespace(run=run)
