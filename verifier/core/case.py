"""Cases as claims see them: a matrix with its run, and the matrices that are shown with a counterexample."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from verifier.core.exact import Matrix
from verifier.core.network import Network, Step
from verifier.core.whole import run

# In a class of cases, `shown = its_matrix` means that a counterexample shows the case's X; `shown = ()`, no matrix.
its_matrix = property(lambda case: (case.X,))


class Alike:
    """A case that can be checked together with others: `alike` names the attributes that these must have in common,
    since checks branch on them."""

    alike: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True)
class NetworkCase:
    """A matrix and its whole run through a network, which is made when a claim first asks for it, and kept."""

    construction: Any
    number: int
    X: Matrix
    network: Network
    stands_for: int = 1  # how many matrices, by a symmetry

    shown = its_matrix

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What each layer did."""
        return run.trace(self.network, self.X)

    @cached_property
    def image(self) -> Matrix:
        """What the network makes of X."""
        return self.steps[-1].after if self.steps else self.X
