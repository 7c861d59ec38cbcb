"""FORMAT 4: promises are what the reader asks for: each must be kept, and each certificate must keep one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .core.reading import VERDICTS, Unreadable, brief, rational
from .page.tree import parse

# How a verdict reads after "says that lemma6.1 is"; a symbolic certificate has `proved`.
_VERDICTS = {v: v for v in (*VERDICTS, "proved")} | {"holds": "true", "skipped": "not checked"}


DEFAULT = "yun2020"  # the page that is meant if none is named
ALL = "all"  # in place of a size that bounds the length of words: every length
SYMBOLIC = "symbolic"  # in place of a page: proofs for all sizes


@dataclass(frozen=True)
class Promise:
    """One line: this page (by digits of its text's SHA-256) at these sizes, this variant, these claims, this verdict of
    each."""

    line: str
    paper: str
    instance: tuple[int | str, ...]
    variant: dict[str, str]
    claims: list[str]
    verdict: str

    def about(self, cert: dict[str, Any]) -> bool:
        where = (tuple(cert["instance"].values()), cert.get("variant", {}))
        return cert.get("paper", SYMBOLIC).startswith(self.paper) and where == (self.instance, self.variant)

    @property
    def subject(self) -> str:
        """The page, sizes and variant, in words."""
        its = "the proofs" if self.paper == SYMBOLIC else self.paper
        exchanged = "".join(f", {name} = {value}" for name, value in self.variant.items())
        return f"{its} at ({', '.join(map(str, self.instance))}){exchanged}"

    def of(self, cert: dict[str, Any]) -> list[str]:
        """The promised claims; a family, or `all`, of a page means every one that the page has."""
        ids = cert.get("declared", ())
        return [i for name in self.claims for i in [id_ for id_ in ids if name in ("all", id_.split(".")[0])] or [name]]

    def lacks(self, cert: dict[str, Any]) -> str:
        """What the certificate says instead of the promised claims, in words; empty if it keeps the promise."""
        said = {claim["id"]: claim["verdict"] for claim in cert["claims"]}
        wrong = [claim for claim in self.of(cert) if said.get(claim) != self.verdict]
        told = wrong[:4]
        words = [f"says that {claim} is {_VERDICTS[said[claim]]}" for claim in told if claim in said]
        missing = [claim for claim in told if claim not in said]
        words += [f"doesn't have {', '.join(missing)}"] if missing else []
        return ", ".join(words) + (f", and {len(wrong) - 4} more" if len(wrong) > 4 else "")


def promise(line: str) -> Promise:
    """`sizes claims [verdict] [paper=name] [name=value ...]`, the sizes in the page's order: a page of this package by
    its name, another by 16 or more digits of its text's SHA-256; or of a symbolic certificate `* n * claims proved`,
    n a number or `*`."""
    place, words = f"promise {brief(line)}", line.split()
    plain = [word for word in words if "=" not in word]
    variant = dict(word.split("=", 1) for word in words[len(plain) :] if "=" in word)
    in_order = len(variant) == len(words) - len(plain)
    if plain[-1:] == ["proved"] and not variant:
        return _symbolic(line, place, plain)
    paper = variant.pop("paper", DEFAULT)
    k = many_sizes(plain)
    verdict = plain[k + 1] if len(plain) == k + 2 else "holds"
    if not in_order or len(plain) not in (k + 1, k + 2) or verdict not in VERDICTS or "" in plain[k].split(","):
        raise Unreadable(
            f"{place}: one is `sizes claims [verdict] [paper=name] [name=value ...]`, the sizes in the page's order,"
            " such as `1 3 4 lemma6`"
        )
    claims = plain[k].split(",")
    if (here := pages()).get(paper):
        digest, sizes, ids = _known(here[paper])
        if k != len(sizes):
            raise Unreadable(
                f"{place}: the sizes of {paper} are {', '.join(sizes)}, in this order; of another page say paper=name"
            )
        if unknown := [name for name in claims if name not in {"all", *ids, *(i.split(".")[0] for i in ids)}]:
            raise Unreadable(f"{place}: {paper} has no claim {brief(unknown[0])}")
        paper = f"page:{digest}"
    if not re.fullmatch("page:[0-9a-f]{16,64}", paper):
        raise Unreadable(
            f"{place}: paper={brief(paper)[1:-1]}: a page is one of {', '.join(here)}, or page: and 16 to 64 digits of"
            " its text's SHA-256"
        )
    for name, value in variant.items():
        rational(value, f"{place}: {name}")
    instance = tuple(word if word == ALL else int(word) for word in plain[:k])
    return Promise(line.strip(), paper, instance, variant, claims, verdict)


def many_sizes(words: list[str]) -> int:
    """How many words of a promise are sizes: numbers, or `all`, before its claims, which may be `all`, too."""
    k = next((k for k, word in enumerate(words) if not re.fullmatch("0|[1-9][0-9]{0,99}", word)), len(words))
    if words[k : k + 1] == [ALL] and len(words) > k + 1 and not (words[k + 1] in VERDICTS and len(words) == k + 2):
        k += 1
        while k < len(words) and re.fullmatch("0|[1-9][0-9]{0,99}", words[k]):
            k += 1
    return k


def _symbolic(line: str, place: str, plain: list[str]) -> Promise:
    from .symbolic.facts import FACTS

    if len(plain) != 5 or plain[0] != "*" or plain[2] != "*" or not re.fullmatch(r"\*|[1-9][0-9]?", plain[1]):
        raise Unreadable(f"{place}: one of a symbolic certificate is `* n * claims proved`, n a number or `*`")
    named, ids = plain[3].split(","), FACTS.claims
    claims = [i for i in ids if {i, i.split(".")[0], "all"} & set(named)]
    if unknown := [name for name in named if name not in {"all", *ids, *(i.split(".")[0] for i in ids)}]:
        raise Unreadable(f"{place}: no claim {brief(unknown[0])} is proved symbolically")
    instance = ("*", plain[1] if plain[1] == "*" else int(plain[1]), "*")
    return Promise(line.strip(), SYMBOLIC, instance, {}, claims, "proved")


def pages() -> dict[str, Path]:
    """The texts that stand beside the checker, by name."""
    found = Path(__file__).resolve().parents[1].joinpath("pages").glob("*.page")
    return {path.stem: path for path in sorted(found)}


@cache
def _known(path: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Of a text beside the checker its digest, the names of its sizes, and the ids of its claims."""
    data = path.read_bytes()
    if re.search(rb"^use ", data, re.MULTILINE):  # what is certified has what it uses, too
        raise Unreadable(f"{path.stem} uses other pages, and is named by page: and digits of the whole text")
    page = parse(data.decode())
    return hashlib.sha256(data).hexdigest(), tuple(page.sizes), tuple(claim.id for claim in page.claims)


def promises(lines: Iterable[str]) -> list[Promise]:
    """The lines of a file, without comments."""
    return [promise(text) for text in (line.split("#")[0] for line in lines) if text.strip()]


def broken(promised: list[Promise], certificates: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """A line for each promise that no certificate keeps, then for each certificate that keeps none. Certificates come
    with a name to show; two may have the same name, and each is judged for itself."""
    out: list[str] = []
    keeping: set[int] = set()
    named: set[int] = set()
    for p in promised:
        about = [(k, name, p.lacks(cert)) for k, (name, cert) in enumerate(certificates) if p.about(cert)]
        keeping |= {k for k, _, lack in about if not lack}
        if all(lack for *_, lack in about):
            why = "; ".join(f"{name} {lack}" for _, name, lack in about)
            said = why or f"no certificate here is about {p.subject}"
            out.append(f"promise {brief(p.line)} is not kept: {said}")
            named |= {k for k, *_ in about}
    for k, (name, cert) in enumerate(certificates):
        if k not in keeping:  # why, unless that stands in a line above
            why = "" if k in named else f": it is about {_subject(cert)}"
            out.append(f"{name} keeps none of the promises{why}")
    return out


def _subject(cert: dict[str, Any]) -> str:
    """The instance, in the order of a promise, and the variant that it is about, in words."""
    sizes = ", ".join(f"{name} = {brief(value)}" for name, value in cert["instance"].items())
    variant = " ".join(f"{name}={brief(value)[1:-1]}" for name, value in sorted(cert.get("variant", {}).items()))
    return f"{sizes}, {f'the variant {variant}' if variant else 'the construction as the page has it'}"
