"""The picture of the separation by itself: an SVG file for a README, a paper or a slide."""

import re
from collections.abc import Sequence
from pathlib import Path

from verifier.catalogue import DEFAULT
from verifier.report import pictures
from verifier.report.markup import Html, el
from verifier.report.pictures import brief
from verifier.report.portrait import values
from verifier.report.sources import Source, Survey
from verifier.report.words import at

_WIDE = 860
_USED = ("paper", "ink", "soft", "c1", "c2", "c3", "band", "bad")  # the page's colours that it uses


class NoPicture(ValueError):
    """What was given has no such picture."""


def render(given: Sequence[Source | Survey]) -> bytes:
    """The values of one certificate that the checker accepted, on a logarithmic line against [t_l, t_r)."""
    source = given[0]
    if len(given) != 1 or not isinstance(source, Source):
        what = "a survey" if len(given) == 1 else f"{len(given)} files"
        raise NoPicture(f"a picture is of one certificate; given is {what}")
    if source.standing != "accepted":
        raise NoPicture(f"{source.name}: {source.standing}; a picture is of a certificate that the checker accepts")
    found = pictures.points(source.certificate) if source.paper == DEFAULT else []
    if not found:
        raise NoPicture(f"{source.name}: no claim of it names a value of q; --claims lemma6 makes one that does")
    drawn = pictures.separation(source.certificate, found, values(source))
    tall = int(re.findall(r'height="(\d+)"', drawn)[0])
    low, high = (brief(source.certificate["constants"][name]) for name in ("t_l", "t_r"))
    words = f"{at(source)}: the values of all inputs, against [t_l, t_r) = [{low}, {high}), on a logarithmic axis"
    svg = el(
        "svg",
        el("style", pictures_style()),
        el("rect", width="100%", height="100%", fill="var(--paper)"),
        el("text", words, x=24, y=28, class_="plot"),
        el("svg", drawn, x=24, y=44, width=_WIDE - 48, height=tall),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDE} {tall + 60}",
        width=_WIDE,
        height=tall + 60,
        role="img",
        aria_label=words,
    )
    return f"{svg}\n".encode()


def pictures_style() -> Html:
    """The page's style rules for pictures, and its colours, light and dark."""
    page = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    colours = re.findall(rf"--(?:{'|'.join(_USED)}): [^;]+;", page.partition("@media print")[0])
    light, dark = colours[: len(_USED)], colours[len(_USED) :]
    rules = [line for line in page.splitlines() if re.match(r"\.plot|\.c1 ", line)]
    scheme = f"@media (prefers-color-scheme: dark) {{ svg {{ {' '.join(dark)} }} }}"
    return Html("\n".join(["", f"svg {{ {' '.join(light)} }}", scheme, *rules, ""]))
