"""A run of a page in stretches, for tests of who runs them: (d, n, N) = (1, 2, 2), six cases."""

from types import SimpleNamespace

from verifier.catalogue import pages
from verifier.evaluate.quick.stretches import Stretches

RECIPE = Stretches(pages()["yun2020"].read_text(encoding="utf-8"), (("d", 1), ("n", 2), ("N", 2)), ())
IDS = ("lemma6.4",)
CLAIMS = [SimpleNamespace(id=id_) for id_ in IDS]


def counted(start, stop, ids=IDS):
    return RECIPE.engine(list(ids)).run(start, stop, lambda _: None)
