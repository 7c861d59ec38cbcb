"""A construction: what a proof builds, at one instance, in the form that `verify` runs.

It defines its cases (a space), the claims about them, its name and its sizes; all else has a default. The constructions
of this package's papers are subclasses, like your own.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from gmpy2 import mpq

from verifier.core.claim import Claim
from verifier.core.exact import Matrix, text_of
from verifier.core.network import Network
from verifier.core.space import Space


class NotCertifiable(ValueError):
    """A construction, or a claim, that a certificate can't state."""


class Construction(ABC):
    """A space of cases, and claims about it.

    paper      the paper of this package that it belongs to, whose checker has a second reading of it; "" for your own,
               which is never certified
    title      what it is, in a few words
    """

    paper: ClassVar[str] = ""
    title: ClassVar[str] = "a construction"
    shown: ClassVar[tuple[Matrix, ...]] = ()  # no matrix, where the construction itself is the one case of a claim

    @property
    @abstractmethod
    def sizes(self) -> Mapping[str, int]:
        """The instance, by name: {"d": 1, "n": 3, "N": 4}."""

    @property
    @abstractmethod
    def space(self) -> Space:
        """The cases."""

    @abstractmethod
    def claims(self) -> Sequence[Claim]:
        """All claims about it, in order."""

    def default_claims(self) -> Sequence[Claim]:
        """The claims that a run checks by default."""
        return self.claims()

    @property
    def networks(self) -> Mapping[str, Network]:
        """Its stacks of layers, by name."""
        return {}

    @property
    def constants(self) -> Mapping[str, mpq]:
        """The numbers in its claims, by name."""
        return {}

    def exchangeable(self) -> Mapping[str, mpq]:
        """The paper's values of the numbers that a variant may replace."""
        return {}

    def variant(self) -> Mapping[str, mpq]:
        """The numbers in which it differs from its paper's construction; NotCertifiable if anything else differs."""
        return {}

    def statement(self, *, over_space: bool) -> str:
        """What was run, in a sentence."""
        sizes = ", ".join(f"{name} = {value}" for name, value in self.sizes.items())
        ran = f"was run in exact numbers on all of its {self.space.several}" if over_space else "was looked at"
        return f"At {sizes}, {self.title} {ran}; each claim below has the verdict that stands with it."

    def heading(self, short: Callable[[str], str]) -> Iterable[tuple[str, str]]:
        """The lines above the table of a result; `short` cuts a number that is too long for it."""
        yield "instance", f"{self.title}, {self}"
        for name, network in self.networks.items():
            size = network.size
            yield name, f"{size.layers} layers, h = {size.h}, m = {size.m}, {size.parameters:,} parameters"
        if self.constants:
            yield "constants", ";  ".join(f"{name} = {short(text_of(x))}" for name, x in self.constants.items())

    def differences(self, short: Callable[[str], str]) -> Sequence[str]:  # noqa: ARG002
        """In words, how it differs from its paper's construction."""
        return ()

    def trace(self, case: Any) -> Iterable[str]:
        """How a case of the space is computed, in lines; none if a list of the layers shows it already."""
        if isinstance(case, (list, tuple)):
            raise TypeError(
                f"trace takes a case of {type(self).__name__}.space, not a matrix X; story(g, X) of a contextual map g"
                " follows X, and network.trace(X) gives what each layer makes of it"
            )
        return ()

    @property
    def columns_a_case(self) -> int:
        """About the work of the literal network for one case: its columns, times the layers that each runs through."""
        return sum(len(network) for network in self.networks.values())

    def knows(self, claim: Claim) -> bool:  # noqa: ARG002
        """Whether this construction has a kernel that gives the literal network's counts for this claim."""
        return False

    def kernel(self, claims: Sequence[Claim]) -> Any:  # noqa: ARG002
        """The kernel, as a run.engine.Engine for claims that it knows; or a line that says why there is none here."""
        return "it has none"

    @property
    def code(self) -> Any:
        """The identity of this construction, for checkpoints: all of its parts count."""
        return (type(self).__qualname__, dict(self.sizes), dict(self.networks), dict(self.constants))

    def __str__(self) -> str:
        names = ", ".join(self.sizes)
        return f"({names}) = ({', '.join(map(str, self.sizes.values()))})"
