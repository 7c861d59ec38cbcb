"""FORMAT 10: promises are what the reader asks for: each must be kept, and each certificate must keep one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .core.reading import VERDICTS, Unreadable, brief, rational
from .papers import DEFAULT, find, names

# How a verdict reads after "says that lemma6.1 is"; a symbolic certificate has `proved`.
_VERDICTS = {v: v for v in (*VERDICTS, "proved")} | {"holds": "true", "skipped": "not checked"}


@dataclass(frozen=True)
class Promise:
    """One line: this instance and variant, these claims, this verdict of each."""

    line: str
    paper: str
    instance: tuple[int | str, ...]
    variant: dict[str, str]
    claims: list[str]
    verdict: str

    def about(self, cert: dict[str, Any]) -> bool:
        its = cert.get("paper", DEFAULT)
        if is_page(self.paper) or is_page(its):  # known by the digest of its text, of which a promise has some digits
            same = is_page(self.paper) and is_page(its) and its.startswith(self.paper)
            where = (tuple(cert["instance"].values()), cert.get("variant", {}))
            return same and where == (self.instance, self.variant)
        its = its.partition("/")[0]
        sizes = tuple(cert["instance"][name] for name in find(its).sizes)
        return bool((its, sizes, cert.get("variant", {})) == (self.paper, self.instance, self.variant))

    @property
    def subject(self) -> str:
        """The instance and variant, in words."""
        if is_page(self.paper):
            return f"{self.paper} at ({', '.join(map(str, self.instance))})"
        sizes = f"({', '.join(find(self.paper).sizes)}) = ({', '.join(map(str, self.instance))})"
        return sizes + ("".join(f", {name} = {value}" for name, value in self.variant.items()) or " as published")

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
    """`d n N claims [verdict] [paper=name] [name=value ...]`; of a symbolic certificate `* n * claims proved`, n a
    number or `*`."""
    place, words = f"promise {brief(line)}", line.split()
    plain = [word for word in words if "=" not in word]
    variant = dict(word.split("=", 1) for word in words[len(plain) :] if "=" in word)
    in_order = len(variant) == len(words) - len(plain)
    named_here = variant.get("paper", DEFAULT)
    if is_page(named_here) or named_here in pages():
        return of_page(line, plain, variant)
    paper = find(variant.pop("paper", DEFAULT))
    k = len(paper.sizes)
    named = plain[k].split(",") if len(plain) in (k + 1, k + 2) else [""]
    symbolic = paper.name == DEFAULT and plain[k + 1 :] == ["proved"]
    ids: Iterable[str] = paper.statements
    if symbolic:
        from .symbolic.table import CLAIMS

        ids = CLAIMS
    claims = [i for i in ids if {i, i.split(".")[0], "all"} & set(named)]
    unknown = [name for name in named if name not in {"all", *ids, *(i.split(".")[0] for i in ids)}]
    verdict = plain[k + 1] if len(plain) == k + 2 else "holds"
    counts = all(re.fullmatch("0|[1-9][0-9]{0,99}", word) for word in plain[:k])
    if symbolic:
        counts = plain[0] == plain[2] == "*" and bool(re.fullmatch(r"\*|[1-9][0-9]?", plain[1])) and not variant
    in_order = in_order and set(variant) <= set(paper.variant)
    well = counts and in_order and (symbolic or verdict in VERDICTS)
    if not well or "" in named:
        such = " (such as `1 3 4 lemma6`)" if paper.name == DEFAULT else ""
        raise Unreadable(
            f"{place}: one is `{' '.join(paper.sizes)} claims [verdict] [paper=name] [name=value ...]`{such}"
        )
    if unknown:
        page = "; a promise about a page ends with paper=NAME or paper=page:DIGITS" if paper.name == DEFAULT else ""
        raise Unreadable(f"{place}: {paper.name} has no claim {brief(unknown[0])}{page}")
    for name, value in variant.items():
        rational(value, f"{place}: {name}")
    instance = tuple(int(word) if word != "*" else word for word in plain[:k])
    return Promise(line.strip(), paper.name, instance, variant, claims, verdict)


def is_page(paper: str) -> bool:
    return paper.startswith("page:")


def pages() -> dict[str, Path]:
    """The texts that stand beside the checker, by name; of those with a paper's name a promise is about the paper."""
    found = Path(__file__).resolve().parents[1].joinpath("pages").glob("*.page")
    return {path.stem: path for path in sorted(found) if path.stem not in names()}


def of_page(line: str, plain: list[str], variant: dict[str, str]) -> Promise:
    """`sizes claims [verdict] paper=page:DIGITS [name=value ...]`: sizes in the page's order; at least 16 digits of the
    SHA-256 of the page's text, or the name of a page that stands beside the checker."""
    place, paper = f"promise {brief(line)}", variant.pop("paper")
    k = sum(bool(re.fullmatch("0|[1-9][0-9]{0,99}", word)) for word in plain)
    verdict = plain[k + 1] if len(plain) == k + 2 else "holds"
    if len(plain) not in (k + 1, k + 2) or verdict not in VERDICTS or "" in plain[k].split(","):
        told = f"sizes claims [verdict] paper={paper} [name=value ...]"
        raise Unreadable(f"{place}: one is `{told}`, the sizes in the page's order")
    if paper in (here := pages()):
        data = here[paper].read_bytes()
        if re.search(rb"^use ", data, re.MULTILINE):  # what is certified has what it uses, too
            raise Unreadable(f"{place}: {paper} uses other pages, and is named by page: and digits of the whole text")
        paper = f"page:{hashlib.sha256(data).hexdigest()}"
    if not re.fullmatch("page:[0-9a-f]{16,64}", paper):
        raise Unreadable(f"{place}: a page is named by 16 to 64 digits of its text's SHA-256, such as page:{'0' * 16}")
    for name, value in variant.items():
        rational(value, f"{place}: {name}")
    return Promise(line.strip(), paper, tuple(map(int, plain[:k])), variant, plain[k].split(","), verdict)


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
    """The instance and variant that it is about, in words."""
    sizes = ", ".join(
        f"{name} = {brief(value)}"
        for name, value in sorted(
            cert["instance"].items(), key=lambda item: item[0].swapcase().lower() + item[0].swapcase()
        )
    )
    variant = " ".join(f"{name}={brief(value)[1:-1]}" for name, value in sorted(cert.get("variant", {}).items()))
    return f"{sizes}, {f'the variant {variant}' if variant else 'the construction as published'}"
