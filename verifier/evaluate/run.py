"""A page at sizes, run: its certificate, by the quick reading where there is one; each case that it names is evaluated
again by the definition before anything is said."""

from typing import Any

from gmpy2 import mpq

from verifier.evaluate.cases import MOST
from verifier.evaluate.certificate import content
from verifier.evaluate.definition import Reading
from verifier.language.page import Understood
from verifier.language.words import Refused


class Disagree(Exception):
    """The two readings of the producer don't agree: a defect of ours, and no verdict."""


def found(
    page: Understood,
    sizes: dict[str, int],
    ids: list[str],
    variant: dict[str, mpq] | None = None,
    *,
    jobs: int | None = None,  # noqa: ARG001
    most: int | None = None,
    slow: bool = False,  # noqa: ARG001
) -> dict[str, Any]:
    """The certificate's content."""
    reading = Reading(page, sizes, variant, MOST if most is None else most)
    refuse_own(page, sizes, variant or {})
    return content(reading, reading.run(ids), variant or {})


def refuse_own(page: Understood, sizes: dict[str, int], variant: dict[str, mpq]) -> None:
    """A variant exchanges a number for another one."""
    if variant:
        own = Reading(page, sizes).named
        for name, value in variant.items():
            if own[name] == value:
                raise Refused((0, 0), f"{name} = {value} is the page's own number; a variant has another one")
