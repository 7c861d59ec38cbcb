"""What claims look at, beyond their mathematics: the matrices that are shown with a counterexample."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from verifier.core.exact import Matrix
from verifier.core.network import Network, Step
from verifier.core.whole import run

# In the body of a class of cases, `shown = its_matrix` says that a case is shown by its X; `shown = ()`, by none.
its_matrix = property(lambda case: (case.X,))


class Alike:
    """A case that can be looked at together with others: `alike` names what they have in common then, and what of it
    decides which way a check takes."""

    alike: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True)
class NetworkCase:
    """A matrix and its whole run through a network; run once, when a claim first asks for it."""

    construction: Any
    number: int
    X: Matrix
    network: Network
    stands_for: int = 1  # matrices, by a symmetry

    shown = its_matrix

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What each layer did."""
        return run.trace(self.network, self.X)

    @cached_property
    def image(self) -> Matrix:
        """What the network makes of X."""
        return self.steps[-1].after if self.steps else self.X
