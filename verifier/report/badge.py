"""A badge: what the checker says of a certificate, or of a claim in it, as a small picture for a README or a wiki.

It is made of a Source, whose bytes the independent checker has read; it is green only where `verify check` ends with 0.
No words of the certificate's author are in it but a claim's id.
"""

import hashlib

from verifier.report.markup import Html, el
from verifier.report.sources import Source
from verifier.report.tone import tone

COLOURS = {"holds": "#17683a", "refuted": "#a31621", "incomplete": "#7a5a00"}
_LABEL, _DIGEST = "#3b4048", "#5d6470"
DIGITS = 12  # of the certificate's SHA-256 that are seen; its title has them all
MOST = 80  # characters of a part
_ROOM = 14  # beside a part, in pixels; a character is six and a half wide


class NoBadge(ValueError):
    """What was asked for has no badge."""


def badge(source: Source, text: str, claim: str | None = None) -> bytes:
    """The badge of an accepted certificate, whose file has this text."""
    content = source.certificate
    if source.standing != "accepted":
        raise NoBadge("a badge is of a certificate that the checker accepts")
    entries = {entry["id"]: entry for entry in content["claims"]}
    if claim is not None and claim not in entries:
        raise NoBadge(f"the certificate has no claim {claim!a}; it has {', '.join(entries)}")
    verdict, said = (content["verdict"], whole(source)) if claim is None else of_claim(source, claim)
    for name, value in source.variant.items():
        said = f"VARIANT {name} = {value}: {said}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    words = (
        f"verifier: {claim or 'the certificate'}: {said}. {source.said[:1].upper()}{source.said[1:]}."
        f" SHA-256 of the certificate: {digest}"
    )
    return drawn(claim or "verifier", said, digest, COLOURS[tone(verdict, source.ends)], words)


def of_claim(source: Source, claim: str) -> tuple[str, str]:
    """Its verdict, and that in words."""
    verdict = next(entry["verdict"] for entry in source.certificate["claims"] if entry["id"] == claim)
    if verdict == "refuted" and claim in excluded(source):
        return "incomplete", f"fails, in a reading that is excluded{at(source)}"
    return verdict, f"{verdict}{at(source)}"


def whole(source: Source) -> str:
    """How many claims hold, and which don't."""
    claims, aside = source.certificate["claims"], excluded(source)
    holds = [entry["id"] for entry in claims if entry["verdict"] == "holds"]
    said = [f"{len(holds)} claim{' holds' if len(holds) == 1 else 's hold'}"] if holds else []
    for verdict in ("refuted", "vacuous", "skipped"):
        its = [entry["id"] for entry in claims if entry["verdict"] == verdict and entry["id"] not in aside]
        said += [f"{len(its)} {verdict}"] if its else []
    return f"{', '.join(said)}{at(source)}"


def excluded(source: Source) -> set[str]:
    """The claims that are readings which the page excludes: that one of them fails is no refutation."""
    return {id_ for id_, claim in source.page.claims.items() if claim.kind == "excluded"}


def at(source: Source) -> str:
    told = ", ".join(f"{name} = {size}" for name, size in source.sizes.items())
    return f" at {told}" if told else ""


def drawn(label: str, said: str, digest: str, colour: str, words: str) -> bytes:
    x, parts = 0, []
    for words_of, fill in ((label, _LABEL), (said, colour), (digest[:DIGITS], _DIGEST)):
        told = words_of if len(words_of) <= MOST else f"{words_of[: MOST - 3]}..."
        wide = 13 * len(told) // 2
        parts += [
            el("rect", x=x, width=wide + _ROOM, height=20, fill=fill),
            el("text", told, x=x + _ROOM // 2, y=14, fill="#ffffff", textLength=wide, lengthAdjust="spacingAndGlyphs"),
        ]
        x += wide + _ROOM
    svg = el(
        "svg",
        el("title", words),
        el("g", *parts, font_family="Verdana, DejaVu Sans, sans-serif", font_size=11, aria_hidden="true"),
        xmlns="http://www.w3.org/2000/svg",
        width=x,
        height=20,
        viewBox=f"0 0 {x} 20",
        role="img",
        aria_label=words,
    )
    return f"{Html(svg)}\n".encode()
